"""What a Zwicken player sees in a hand before the first trick: trumps, Aces, the Belli, the place at the table.

All functions take state records, shape (N,), and the seats that decide, int64 (N,); they read that seat's own hand and
what is public, nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.games.zwicken.basics import POWER, TRUMPS
from cardsim.games.zwicken.layout import ACE, BELLI, CARDS, NO_TRICK_BETES, PER_SUIT, TRICKS_WON, UNTER

KING = 7
HOLDINGS = (
    "no trump",
    "1 low trump",
    "2+ low trumps",
    "1 high trump",
    "high + more trumps",
    "Belli alone",
    "Belli + more trumps",
)
"""Classes of `holding`. A low trump is one up to the Jack, a high one is above it; the Belli counts for itself."""
ACES = (0, 1, 2)
"""Plain Aces in a hand; the last class also holds those with more."""


def _high_trumps() -> Any:
    """By order * 4 + trump suit: the trumps above the Jack, Belli, Ace, Wenzels and 6 of diamonds among them."""
    high = np.zeros(len(TRUMPS), np.uint64)
    for row in range(len(TRUMPS)):
        king = POWER[row, PER_SUIT * (row % 4) + KING]
        for card in range(CARDS):
            is_trump = int(TRUMPS[row]) >> card & 1
            if is_trump and (card % PER_SUIT > UNTER or POWER[row, card] > king):
                high[row] |= np.uint64(1 << card)
    return high


HIGH = _high_trumps()
PLAIN_ACES = np.uint64(sum(1 << (PER_SUIT * suit + ACE) for suit in range(4)))
BELLI_BIT = np.uint64(1 << BELLI)


def own(states: Any, seats: Any) -> Any:
    """The hands of the seats, bit masks, uint64 (N,)."""
    return states["hand"][np.arange(len(states)), seats]


def count(cards: Any) -> Any:
    """Number of cards in each set, int64."""
    return np.bitwise_count(cards).astype(np.int64)


def trumps(states: Any, seats: Any) -> Any:
    """Trumps in hand (Z4, Z20), bit masks."""
    return own(states, seats) & states["trumps"]


def trump_ace(states: Any) -> Any:
    """The Ace of trumps, a bit mask; nobody holds it where it was turned."""
    return np.uint64(1) << (PER_SUIT * states["trump"].astype(np.uint64) + np.uint64(ACE))


def high_trumps(states: Any, seats: Any) -> Any:
    """Trumps in hand above the Jack, bit masks."""
    rows = 4 * states["rules"]["order"].astype(np.int64) + states["trump"]
    return own(states, seats) & HIGH[rows]


def plain_aces(states: Any, seats: Any) -> Any:
    """Number of Aces in hand that are no trumps."""
    return count(own(states, seats) & PLAIN_ACES & ~states["trumps"])


def holds_belli(states: Any, seats: Any) -> Any:
    """Whether the Belli is in hand, bool."""
    return own(states, seats) & BELLI_BIT != 0


def holds_trump_ace(states: Any, seats: Any) -> Any:
    """Whether the trump Ace is in hand, bool."""
    return own(states, seats) & trump_ace(states) != 0


def weak(states: Any, seats: Any) -> Any:
    """The hands that tip 1 folds: no trump above the Jack and no Ace, bool."""
    return (high_trumps(states, seats) == 0) & (own(states, seats) & PLAIN_ACES == 0)


def lone_ace(states: Any, seats: Any) -> Any:
    """The hands that tip 2 folds: the trump Ace without another trump above the Jack, bool."""
    return high_trumps(states, seats) == trump_ace(states)


def strong_cards(states: Any, seats: Any) -> Any:
    """Trumps above the Jack and plain Aces in hand, their number."""
    return count(high_trumps(states, seats)) + plain_aces(states, seats)


def holding(states: Any, seats: Any) -> Any:
    """Class of the trumps in hand, an index into HOLDINGS; -1 with the trump Ace, which may not be folded (Z16)."""
    number, high = count(trumps(states, seats)), count(high_trumps(states, seats))
    low = np.minimum(number, 2)
    found = np.where(high > 0, 3 + (number > 1), low)
    found = np.where(holds_belli(states, seats), 5 + (number > 1), found)
    return np.where(holds_trump_ace(states, seats), -1, found)


def aces(states: Any, seats: Any) -> Any:
    """Class of the plain Aces in hand, an index into ACES."""
    return np.minimum(plain_aces(states, seats), ACES[-1])


def place(states: Any, seats: Any) -> Any:
    """Seats between the dealer's left and this one: 0 speaks and leads first, players - 1 is the dealer."""
    players = states["rules"]["players"].astype(np.int64)
    return (seats - states["dealer"] - 1) % players


def stayed_before(states: Any) -> Any:
    """Players who have said that they stay."""
    return count(states["active"].astype(np.uint64))


def betes(states: Any, seats: Any) -> Any:
    """Betes of the seats for no trick in an episode that is over (Z23)."""
    return states["counts"][np.arange(len(states)), NO_TRICK_BETES, seats].astype(np.int64)


def tricks(states: Any, seats: Any) -> Any:
    """Tricks of the seats in an episode that is over."""
    return states["counts"][np.arange(len(states)), TRICKS_WON, seats].astype(np.int64)
