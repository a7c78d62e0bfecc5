"""What a seat of two-handed Sixty-Six can see and count, for many states at once; cards are bits of uint64.

Everything is worked out from the own hand and from public fields, so it may be used to say what a player should do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from cardsim.games.sixty_six.layout import QUEEN, RANK_POINTS

PACK = 0xFFFFFFFF
EVERY_SUIT = 0x01010101
"""The lowest card of each suit: shifted by a rank, the cards of that rank."""
SUIT = 0xFF
CATCH = 3
"""Points that a player may expect an opponent to put on a trick that he cannot win: a low card, now and then a king."""


def bits(cards: Any) -> Any:
    """Card numbers as sets of one card; NO_CARD as the empty set."""
    return (np.uint64(1) << np.asarray(cards, np.uint64)) & np.uint64(PACK)


def ranks(*wanted: int) -> np.uint64:
    """The cards of some ranks, in every suit."""
    return np.uint64(sum(EVERY_SUIT << rank for rank in wanted))


def count(sets: Any) -> Any:
    """Cards in each set, int64."""
    return np.bitwise_count(sets).astype(np.int64)


def points_in(sets: Any) -> Any:
    """Card points in each set, int64 (S3)."""
    return sum(points * count(sets & ranks(rank)) for rank, points in enumerate(RANK_POINTS) if points)


def suit_of(suits: Any) -> Any:
    """All cards of each suit."""
    return np.uint64(SUIT) << np.asarray(8 * np.asarray(suits, np.int64), np.uint64)


def unbeaten(sets: Any, others: Any) -> Any:
    """Those of each set that no card of `others` beats in its own suit; with the set itself, the best of each suit."""
    above, found = np.zeros_like(sets), np.zeros_like(sets)
    for rank in range(7, -1, -1):
        here = sets & ranks(rank)
        found |= here & ~above
        met = (others & ranks(rank)) >> np.uint64(rank)
        above |= met * np.uint64(SUIT)
    return found


def takers(best: Any, trump: Any) -> Any:
    """The cards that take a trick from the card that is winning it (S8); meaningless where none lies.

    Args:
        best: card numbers, int (N,).
        trump: suit of each, int (N,).
    """
    best = np.minimum(best, 31)
    above = suit_of(best >> 3) & ~((np.uint64(2) << best.astype(np.uint64)) - np.uint64(1))
    return above | np.where(best >> 3 == trump, np.uint64(0), suit_of(trump))


def lowest_first(sets: Any, trump: Any) -> Any:
    """The cheapest card of each set: plain before trumps, fewest points, lowest rank; -1 for an empty set.

    Args:
        sets: uint64 (N,).
        trump: suit of each, int (N,).
    """
    held, cost = _costs(sets, trump)
    return np.where(sets == 0, -1, np.where(held, cost, 10_000).argmin(1))


def highest_last(sets: Any, trump: Any) -> Any:
    """The dearest card of each set, in the order of `lowest_first`; -1 for an empty set."""
    held, cost = _costs(sets, trump)
    return np.where(sets == 0, -1, np.where(held, cost, -1).argmax(1))


def _costs(sets: Any, trump: Any) -> tuple[Any, Any]:
    """Which cards are held, bool (N, 32), and the order in which a player would part with them, (N, 32)."""
    numbers = np.arange(32)
    worth = 10 * np.array(RANK_POINTS)[numbers & 7] + (numbers & 7)
    held = (sets[:, None] >> numbers.astype(np.uint64)) & np.uint64(1) > 0
    return held, worth[None, :] + 1000 * ((numbers >> 3)[None, :] == np.asarray(trump)[:, None])


@dataclass(frozen=True)
class View:
    """States seen from a seat of each.

    Attributes:
        states: records (N,) of two-handed forms.
        seat: int64 (N,).
    """

    states: Any
    seat: Any

    @property
    def foe(self) -> Any:
        """The other seat."""
        return 1 - self.seat

    def _by(self, field: str, seat: Any) -> Any:
        return self.states[field][np.arange(len(self.states)), seat]

    def mine(self, field: str) -> Any:
        """A field that the state has by seat, of the own seat, int64."""
        return self._by(field, self.seat).astype(np.int64)

    def his(self, field: str) -> Any:
        """The same of the other seat; of public fields only."""
        return self._by(field, self.foe).astype(np.int64)

    @cached_property
    def hand(self) -> Any:
        """Own cards."""
        return self._by("hand", self.seat).astype(np.uint64)

    @cached_property
    def trump(self) -> Any:
        """Trump suit, int64."""
        return self.states["trump"].astype(np.int64)

    @cached_property
    def trumps(self) -> Any:
        """All cards of the trump suit."""
        return suit_of(self.trump)

    @cached_property
    def swap(self) -> Any:
        """The card that may take the turned one, as a set."""
        return bits(8 * self.trump + self.states["rules"]["swap_rank"])

    @cached_property
    def unseen(self) -> Any:
        """Cards that the seat has not seen: with the opponent or face down."""
        lowest = 8 - self.states["rules"]["cards"].astype(np.int64) // 4
        pack = np.uint64(EVERY_SUIT) * ((np.uint64(SUIT) << lowest.astype(np.uint64)) & np.uint64(SUIT))
        gone = np.bitwise_or.reduce(bits(self.states["history"]), axis=1)
        return pack & ~(self.hand | gone | bits(self.states["up"]))

    @cached_property
    def out(self) -> Any:
        """Unseen cards that the opponent may hold: not those that he has shown to lack (SP36)."""
        return self.unseen & ~self._by("absent", self.foe).astype(np.uint64)

    def ways(self) -> Any:
        """In how many ways the opponent's hand can be filled from the unseen cards, float64.

        A perfect rememberer is meant: cards shown and not yet played are known, shown voids are left out.
        """
        known = self._by("known", self.foe).astype(np.uint64)
        held = np.bitwise_count(self._by("hand", self.foe)).astype(np.int64)  # public: how many cards he has
        free, need = count(self.out & ~known), held - count(known)
        ways = np.ones(len(self.states))
        for k in range(6):
            ways *= np.where(k < need, (free - k) / (k + 1), 1.0)
        return ways

    @cached_property
    def pairs(self) -> Any:
        """Kings and queens of marriages in hand that have not been declared."""
        done = np.bitwise_or.reduce(
            [suit_of(s) * ((self.states["declared"].astype(np.int64) >> s) & 1).astype(np.uint64) for s in range(4)]
        )
        queens = self.hand & (self.hand >> np.uint64(1)) & ranks(QUEEN) & ~done
        return queens | (queens << np.uint64(1))

    @cached_property
    def marriages(self) -> Any:
        """Points of the marriages in hand, 20 each, 40 for the one in trumps, int64."""
        return 10 * (count(self.pairs) + count(self.pairs & self.trumps))

    @cached_property
    def winners(self) -> Any:
        """Own cards that no card the opponent may hold beats in its suit."""
        return unbeaten(self.hand, self.out)

    def expected_out(self, sets: Any) -> Any:
        """How many cards of each set the opponent holds on average, float64."""
        held = np.bitwise_count(self._by("hand", self.foe))  # public: how many cards he has
        return count(self.out & sets) * held / np.maximum(count(self.unseen), 1)

    @cached_property
    def ahead(self) -> Any:
        """Own points, those that wait for a trick, and marriages in hand that count once the talon is closed, int64."""
        marries = (self.states["rules"]["marriage_after_close"] != 0) & (self.winners != 0)
        return self.mine("points") + self.mine("pending") + np.where(marries, self.marriages, 0)

    @cached_property
    def high_cards(self) -> Any:
        """The careless count before closing: `ahead`, and every winner with its catch, int64."""
        return self.ahead + points_in(self.winners) + CATCH * count(self.winners)

    @cached_property
    def reach(self) -> Any:
        """The careful count before closing: winners count only if they are likely not to be trumped, int64.

        All of them do if the own trump winners are as many as the trumps that the opponent holds on average; else, of
        each plain suit, the best winner does if he holds a card of the suit on average.
        """
        trumps = self.winners & self.trumps
        drawn = count(trumps) >= self.expected_out(self.trumps)
        total = self.ahead + points_in(trumps) + CATCH * count(trumps)
        for suit in range(4):
            cards = suit_of(np.full(len(self.states), suit))
            plain = np.where(self.trump == suit, np.uint64(0), self.winners & cards)
            first = unbeaten(plain, plain)
            follows = self.expected_out(cards) >= 1
            kept = np.where(drawn, plain, np.where(follows, first, np.uint64(0)))
            total = total + points_in(kept) + CATCH * count(kept)
        return total

    @cached_property
    def standing(self) -> Any:
        """The opponent's standing: 0 no trick, 1 below 33, 2 from 33 on; what a close is paid by (S16, S18)."""
        low = np.where(self.his("points") < self.states["rules"]["schneider"], 1, 2)
        return np.where(self.his("tricks") == 0, 0, low)


STANDINGS = ("no trick", "below 33", "33 or more")


def band(values: Any, edges: Sequence[int]) -> Any:
    """Number of the band that each value lies in: 0 below edges[0], 1 from edges[0] on, ..., len(edges)."""
    return np.searchsorted(np.asarray(edges), values, side="right")


def band_names(edges: Sequence[int]) -> list[str]:
    """Names of those bands, such as `below 10`, `10-19`, `20+`."""
    middle = [f"{low}-{high - 1}" for low, high in pairwise(edges)]
    return [f"below {edges[0]}", *middle, f"{edges[-1]}+"]
