"""Samples: where the cards of many compiled deals lie (F24), and whether two samples are of one law."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from scipy import stats

from cardsim import rng
from cardsim.bits import U64, has
from cardsim.contract import deal, reset
from cardsim.game import Game
from cardsim.jit import kernel

LEAST = 8
"""Expected number in a cell of the smaller sample, below which cells are joined."""


@kernel
def place_cards(states: Any, streams: Any, seed: Any, deals: int, places: Any) -> None:
    """Count where each card lies after a deal: each seat's hand, turned, each talon place, as columns of `places`."""
    state = states[0]
    seats = np.int64(state["rules"]["players"])
    for number in range(deals):
        rng.seed_stream(streams[0], seed, np.uint64(number), rng.CARDS)
        reset(state, streams[0])
        deal(state, streams[0])
        for card in range(places.shape[0]):
            for seat in range(seats):
                places[card, seat] += has(state["hand"][seat], card)
        places[state["up"], seats] += 1
        first = np.int64(state["talon_pos"])
        for k in range(first, np.int64(state["rules"]["cards"])):
            places[state["deck"][k], seats + 1 + k - first] += 1


def count_places(game: Game, deals: int, hand: int) -> Any:
    """`place_cards` over the deals of a seed; int64 (cards of the pack, seats + 1 + talon).

    Args:
        game: a form in which every seat is dealt `hand` cards and one card is turned.
        deals: how many.
        hand: cards of a hand.
    """
    columns = game.num_players + len(game.deck()) - hand * game.num_players
    places = np.zeros((game.pack.size, columns), np.int64)
    place_cards(game.new_states(), rng.new_streams(), U64(66), deals, places)
    assert places.sum() == deals * len(game.deck())
    return places[game.deck()]


def p_of_places(game: Game, deals: int, hand: int) -> float:
    """Chi-square of card by place; the cells of a permutation of n are not independent: factor (n-1)/n."""
    seen = count_places(game, deals, hand)
    return p_of_counts(seen, [hand] * game.num_players + [1] * (seen.shape[1] - game.num_players))


def p_of_counts(seen: Any, widths: list[int]) -> float:
    """The same from the counts, cards by places; a place holds so many cards as its width says."""
    size = len(seen)
    expected = np.outer(np.ones(size), widths) * (seen.sum() / size / size)
    statistic = ((seen - expected) ** 2 / expected).sum() * (size - 1) / size
    return float(stats.chi2.sf(statistic, (size - 1) * (seen.shape[1] - 1)))


def p_value(first: Counter[Any], second: Counter[Any]) -> float:
    """Chance that two samples of one law differ as much as these (chi-square); rare cells are joined."""
    a, b = first.total(), second.total()
    cells = [(first[key], second[key]) for key in first.keys() | second.keys()]
    common = [cell for cell in cells if sum(cell) * min(a, b) >= LEAST * (a + b)]
    rare = [cell for cell in cells if sum(cell) * min(a, b) < LEAST * (a + b)]
    if rare:
        common.append((sum(x for x, _ in rare), sum(y for _, y in rare)))
    if len(common) < 2:
        return 1.0
    return float(stats.chi2_contingency(np.array(common).T, correction=False).pvalue)
