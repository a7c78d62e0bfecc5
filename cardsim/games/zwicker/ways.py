"""Zwicker kernels: one of the ways to deal unseen cards to hands of which something is known, by counting them all.

The cards are dealt in the order of their smaller value. `ways[i, key, met]` is the number of ways to deal those from
the i-th on, when the hands still lack what `key` says and `met` are the promises of this group (those that cards of
this smaller value can keep) that are kept by now. Groups do not meet: the two values of a card differ by ten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, U64
from cardsim.games.zwicker.basics import IS_WILD, LOW, card_values, is_wild, kind_of
from cardsim.games.zwicker.layout import SEATS
from cardsim.jit import inlined, kernel
from cardsim.rng import shuffle, uniform

BARRED, NEEDED, PARTY, SIZE = range(4)
"""Rows of what is known: by seat the values of which it holds none; by party those of which it must hold a card; by
seat its party and the number of its unseen cards."""
REST = SEATS
"""Receiver of the cards that go to hands of which nothing is known, or are not dealt."""
GONE = SEATS + 1
HIGHEST_DUAL = 4
"""Groups up to this smaller value have cards of a second value, ten higher."""
LARGEST_GROUP = 30


@inlined
def marks(state: Any, card: int) -> Any:
    """The values of a card, bit 0 for a wild joker."""
    values = card_values(state, card)
    return values | IS_WILD if is_wild(card) else values


@kernel
def deal_by_ways(state: Any, cards: Any, size: int, known: Any, stream: Any) -> None:
    """Put the cards in a random order that fits, every one equally likely: hands first, seat by seat, then the rest.

    Where no order fits, the order is any.
    """
    _sort_by_value(state, cards, size)
    receiver = np.full(SEATS, REST)
    shares = np.zeros((4, SEATS), np.int64)
    count = _receivers(known, receiver, shares)
    ways = _count_ways(state, cards, size, known, shares, count)
    owner = np.full(size, REST)
    _draw_owners(state, cards, size, known, shares, count, ways, owner, stream)
    order = np.arange(size)
    shuffle(stream, order, size)
    dealt = np.zeros(size, np.uint8)
    used = 0
    for seat in range(SEATS):
        for _ in range(known[SIZE, seat]):
            for k in range(size):
                if owner[order[k]] == receiver[seat]:
                    owner[order[k]] = GONE
                    dealt[used] = cards[order[k]]
                    used += 1
                    break
    for k in range(size):
        if owner[order[k]] != GONE:
            dealt[used] = cards[order[k]]
            used += 1
    cards[:size] = dealt


@inlined
def _group(state: Any, card: int) -> int:
    """The smaller value of a card."""
    return I64(LOW[U64(I64(state["rules"]["style"])), U64(kind_of(card))])


@kernel
def _sort_by_value(state: Any, cards: Any, size: int) -> None:
    """Put cards of the same smaller value side by side."""
    sorted_cards = np.zeros(size, np.uint8)
    used = 0
    for group in range(LARGEST_GROUP + 1):
        for i in range(size):
            if _group(state, I64(cards[i])) == group:
                sorted_cards[used] = cards[i]
                used += 1
    cards[:size] = sorted_cards


@kernel
def _receivers(known: Any, receiver: Any, shares: Any) -> int:
    """Join the seats of which the same is known; rows of `shares` as of `known`. Returns how many receivers there are.

    Seats of which nothing is known are no receivers: they share the rest with the stock.
    """
    count = 0
    for seat in range(SEATS):
        party = known[PARTY, seat]
        if known[SIZE, seat] == 0 or (known[BARRED, seat] == 0 and known[NEEDED, party] == 0):
            continue
        for r in range(count):
            alone = known[NEEDED, party] == 0 and known[NEEDED, shares[PARTY, r]] == 0
            if shares[BARRED, r] == known[BARRED, seat] and (shares[PARTY, r] == party or alone):
                receiver[seat] = r
        if receiver[seat] == REST:
            receiver[seat] = count
            shares[BARRED, count] = known[BARRED, seat]
            shares[PARTY, count] = party
            count += 1
        shares[SIZE, receiver[seat]] += known[SIZE, seat]
    return count


@kernel
def _kept(known: Any, group: int, party: int, values: int) -> int:
    """Which of the promises of a group a card of these values keeps in a hand of the party, bit by bit."""
    kept = 0
    at = 0
    for other in range(SEATS):
        for value in (group, group + 10):
            if value > group > HIGHEST_DUAL or not (known[NEEDED, other] >> value) & 1:
                continue
            if other == party and (values >> value) & 1:
                kept |= 1 << at
            at += 1
    return kept


@kernel
def _all_of(known: Any, group: int) -> int:
    """All promises of a group, bit by bit."""
    found = 0
    for other in range(SEATS):
        for value in (group, group + 10):
            if (known[NEEDED, other] >> value) & 1 and not value > group > HIGHEST_DUAL:
                found = 2 * found + 1
    return found


@kernel
def _offers(state: Any, card: int, known: Any, shares: Any, count: int, gives: Any) -> None:
    """What the card keeps in the hands of each receiver, -1 where it may not go."""
    values = I64(marks(state, card))
    for r in range(count):
        gives[r] = -1
        if values & shares[BARRED, r] == 0:
            gives[r] = _kept(known, _group(state, card), shares[PARTY, r], values)


@inlined
def _after(ways: Any, i: int, key: int, met: int, every: int, ends: bool) -> float:
    """Ways to deal the cards behind the i-th; behind the last one of a group all its promises must be kept."""
    if not ends:
        return ways[i + 1, key, met]
    return ways[i + 1, key, 0] if met == every else 0.0


@inlined
def _ends_group(state: Any, cards: Any, size: int, i: int) -> bool:
    """Whether the i-th card is the last one of its group."""
    return i + 1 == size or _group(state, I64(cards[i + 1])) != _group(state, I64(cards[i]))


@kernel
def _count_ways(state: Any, cards: Any, size: int, known: Any, shares: Any, count: int) -> Any:
    """The table of all numbers of ways."""
    keys = 1
    for r in range(count):
        keys *= shares[SIZE, r] + 1
    most = 0
    for group in range(LARGEST_GROUP + 1):
        most = max(most, _all_of(known, group))
    ways = np.zeros((size + 1, keys, most + 1))
    ways[size, 0, 0] = 1.0
    gives = np.zeros(SEATS, np.int64)
    for i in range(size - 1, -1, -1):
        _offers(state, I64(cards[i]), known, shares, count, gives)
        every = _all_of(known, _group(state, I64(cards[i])))
        ends = _ends_group(state, cards, size, i)
        for key in range(keys):
            for met in range(every + 1):
                number = _after(ways, i, key, met, every, ends)
                rest = key
                weight = 1
                for r in range(count):
                    base = shares[SIZE, r] + 1
                    if rest % base > 0 and gives[r] >= 0:
                        number += _after(ways, i, key - weight, met | gives[r], every, ends)
                    rest //= base
                    weight *= base
                ways[i, key, met] = number
    return ways


@kernel
def _draw_owners(
    state: Any, cards: Any, size: int, known: Any, shares: Any, count: int, ways: Any, owner: Any, stream: Any
) -> None:
    """Draw a receiver for each card, in proportion to the ways to deal the cards after it."""
    key = ways.shape[1] - 1
    met = 0
    gives = np.zeros(SEATS, np.int64)
    for i in range(size):
        _offers(state, I64(cards[i]), known, shares, count, gives)
        every = _all_of(known, _group(state, I64(cards[i])))
        ends = _ends_group(state, cards, size, i)
        pick = uniform(stream) * ways[i, key, met] - _after(ways, i, key, met, every, ends)
        rest = key
        weight = 1
        step = 0
        for r in range(count):
            base = shares[SIZE, r] + 1
            if pick >= 0.0 and rest % base > 0 and gives[r] >= 0:
                share = _after(ways, i, key - weight, met | gives[r], every, ends)
                if share > 0.0:
                    owner[i] = r
                    step = weight
                    pick -= share
            rest //= base
            weight *= base
        key -= step
        if owner[i] != REST:
            met |= gives[owner[i]]
        if ends:
            met = 0
