"""Zwicken kernels that all the others use: trumps and their order, seats, what may be played from a hand.

Seats and cards are widened to int64 where they are read from the record, so that each kernel is compiled for one
signature.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest
from cardsim.games.zwicken.layout import (
    ACE,
    BELLI,
    CARDS,
    OBER,
    PER_SUIT,
    SIX_OF_DIAMONDS,
    UNTER,
)
from cardsim.games.zwicken.rules import BOTH_BELOW, BOTH_TOP, OPTIONS, SIXES, UNTER_BELOW, UNTER_TOP
from cardsim.jit import inlined
from cardsim.seats import left_of

ENFORCE = OPTIONS["duties"].code("enforce")
PLAY_ACE = OPTIONS["ace_duty"].code("play")
RELEASE = OPTIONS["belli_duty"].code("release")
ORDERS = 6
SUIT_CARDS = U64(2**PER_SUIT - 1)
TRUMP_POWER = 16
"""Trumps count this much more than plain cards."""


def _permanent(order: int, trump: int) -> list[int]:
    """The trumps above the trump King, lowest first (Z4, Z28, ZP25)."""
    unters = [PER_SUIT * suit + UNTER for suit in range(4)]
    wenzels = unters if order in (UNTER_BELOW, UNTER_TOP) else []
    if order in (BOTH_BELOW, BOTH_TOP):
        wenzels = unters + [PER_SUIT * suit + OBER for suit in range(4)]
    sixes = [SIX_OF_DIAMONDS] if order == SIXES else []
    high = [*sixes, BELLI, PER_SUIT * trump + ACE]
    return high + wenzels if order in (UNTER_TOP, BOTH_TOP) else wenzels + high


def _tables() -> tuple[Any, Any]:
    """Strength of every card, and the set of trumps, by order * 4 + trump suit."""
    power = np.zeros((ORDERS * 4, CARDS), np.int64)
    trumps = np.zeros(ORDERS * 4, np.uint64)
    for order in range(ORDERS):
        for trump in range(4):
            row = order * 4 + trump
            high = _permanent(order, trump)
            low = [card for card in range(PER_SUIT * trump, PER_SUIT * (trump + 1)) if card not in high]
            power[row] = np.arange(CARDS) % PER_SUIT
            for place, card in enumerate(low + high):
                power[row, card] = TRUMP_POWER + place
                trumps[row] |= U64(1 << card)
    return power, trumps


POWER, TRUMPS = _tables()


@inlined
def power_of(state: Any, card: int) -> int:
    """Strength of a card in this deal (Z3-Z5, Z28, ZP25): any trump is stronger than any plain card."""
    return POWER[U64(4 * I64(state["rules"]["order"]) + I64(state["trump"])), U64(card)]


@inlined
def suit_mask(suit: int) -> Any:
    """All cards that bear a suit, trumps among them."""
    return SUIT_CARDS << U64(PER_SUIT * suit)


@inlined
def trump_ace(state: Any) -> int:
    """The Ace of the trump suit; only where a trump is turned."""
    return PER_SUIT * I64(state["trump"]) + ACE


@inlined
def followers(state: Any, card: int) -> Any:
    """The cards that follow `card` when it is led: all trumps, or the plain cards of its suit (ZQ16)."""
    trumps = U64(state["trumps"])
    return trumps if has(trumps, card) else suit_mask(card // PER_SUIT) & ~trumps


@inlined
def where(condition: Any, cards: Any) -> Any:
    """The cards if the condition holds, else none; without a branch, which chance would make the processor miss."""
    return U64(condition) * U64(cards)


@inlined
def forehand(state: Any) -> int:
    """The seat at the dealer's left."""
    return left_of(I64(state["dealer"]), I64(state["rules"]["players"]))


@inlined
def beaters(state: Any, cards: Any) -> Any:
    """Those of some cards, all of which could take the trick by suit, that beat the card winning it."""
    best = I64(state["best_power"])
    found = NONE
    rest = U64(cards)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        if power_of(state, card) > best:
            found |= bit(card)
    return found


@inlined
def put_on_table(state: Any, seat: int, card: int, leads: bool) -> None:
    """Add a card to the current trick, and note whether it wins it so far (Z21)."""
    at = I64(state["played"])
    state["history"][at] = card
    state["movers"][at] = seat
    state["played"] = at + 1
    power = power_of(state, card)
    if leads or (has(U64(state["led"]) | U64(state["trumps"]), card) and power > state["best_power"]):
        state["best"] = card
        state["best_seat"] = seat
        state["best_power"] = power
    if leads:
        state["led"] = followers(state, card)
