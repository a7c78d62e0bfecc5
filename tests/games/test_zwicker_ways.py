"""Counting the ways to deal cards of which something is known, against listing them all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
from scipy import stats

from cardsim import rng
from cardsim.bits import I64
from cardsim.games.zwicker.layout import SEATS
from cardsim.games.zwicker.ways import deal_by_ways, marks
from cardsim.jit import DISABLED, kernel
from cardsim.registry import make_game

ALPHA = 1e-4


@kernel
def order_often(states: Any, cards: Any, known: Any, streams: Any, orders: Any) -> None:
    for n in range(orders.shape[0]):
        orders[n, :] = cards
        deal_by_ways(states[0], orders[n], cards.shape[0], known, streams[0])


@kernel
def marks_of(states: Any, card: int) -> Any:
    return I64(marks(states[0], card))


def conditions(chance: random.Random, cards: list[int], values: dict[int, int]) -> Any:
    """Rows BARRED, NEEDED, PARTY, SIZE for three seats, the first two of them often partners."""
    known = np.zeros((4, SEATS), np.int64)
    known[2, :3] = (0, chance.randint(0, 1), 1)
    known[3, :3] = [chance.randint(0, 2) for _ in range(3)]
    every = [value for card in cards for value in range(31) if values[card] >> value & 1]
    for _ in range(chance.randint(0, 3)):
        known[1, chance.randint(0, 1)] |= 1 << chance.choice(every)
    for _ in range(chance.randint(0, 2)):
        known[0, chance.randint(0, 2)] |= 1 << chance.choice(every)
    return known


def fitting(cards: list[int], known: Any, values: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """All ways to deal the cards, hands sorted, the rest behind them sorted too."""
    barred, needed, party, size = known.tolist()
    for order in permutations(cards):
        hands, at = [], 0
        for seat in range(3):
            hands.append(order[at : at + size[seat]])
            at += size[seat]
        if any(list(hand) != sorted(hand) for hand in [*hands, order[at:]]):
            continue
        lacking = list(needed)
        for seat, hand in enumerate(hands):
            for card in hand:
                lacking[party[seat]] &= ~values[card]
        if not any(lacking) and not any(values[c] & barred[seat] for seat in range(3) for c in hands[seat]):
            yield order


def test_counted_ways_against_all_of_them() -> None:
    """Every way that fits comes out, equally often, and nothing else."""
    game, chance = make_game("zwicker(preset=six_joker)"), random.Random(5)
    states, streams = game.deal(1, 1), rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(9), np.uint64(0), rng.RESAMPLE)
    least, compared = 1.0, 0
    for _ in range(3 if DISABLED else 60):
        cards = sorted(chance.sample(game.deck(), 6))
        values = {card: int(marks_of(states, card)) for card in cards}
        known = conditions(chance, cards, values)
        wanted = list(fitting(cards, known, values))
        if len(wanted) < 2:
            continue
        orders = np.zeros((20 * len(wanted), len(cards)), np.uint8)
        order_often(states, np.array(cards, np.uint8), known, streams, orders)
        seen: Counter[tuple[int, ...]] = Counter()
        for order in orders.tolist():
            key, at = [], 0
            for size in (*known[3, :3].tolist(), len(cards)):
                key += sorted(order[at : at + size])
                at += size
            seen[tuple(key)] += 1
        assert seen.keys() <= set(wanted)
        least = min(least, float(stats.chisquare([seen[key] for key in wanted]).pvalue))
        compared += 1
    assert compared >= (1 if DISABLED else 20)
    assert least > ALPHA / compared
