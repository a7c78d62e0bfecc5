"""Where the cards of many compiled deals lie, for any game (F24)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from cardsim import rng
from cardsim.bits import U64, has
from cardsim.contract import deal, reset
from cardsim.game import Game
from cardsim.jit import kernel


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
    size = len(seen)
    expected = np.full(seen.shape, deals / size)
    expected[:, : game.num_players] *= hand
    statistic = ((seen - expected) ** 2 / expected).sum() * (size - 1) / size
    return float(stats.chi2.sf(statistic, (size - 1) * (seen.shape[1] - 1)))
