"""How an episode gets its cards and its random streams: the one place that knows which stream deals what."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.contract import deal, reset
from cardsim.jit import inlined, kernel
from cardsim.rng import AGENT, CARDS, MATCH_SHIFT, new_streams, seed_stream, seed_two


@kernel
def seed_episode(streams: Any, players: int, seed: Any, number: Any) -> None:
    """Set the cards' stream and each seat's to the start of an episode.

    Args:
        streams: 1 + players streams.
        players: number of seats.
        seed: 0 .. 2**64-1.
        number: deal number of the episode, 0 .. 2**64-1.
    """
    for k in range(0, players, 2):
        seed_two(streams[k], streams[k + 1], seed, number, CARDS if k == 0 else AGENT + k - 1, AGENT + k)
    if players % 2 == 0:
        seed_stream(streams[players], seed, number, AGENT + players - 1)


@inlined
def seed_hand(cards: Any, seed: Any, number: Any, hand: int) -> None:
    """Set the cards' stream to hand 0, 1, ... of an episode; each hand of a match has cards of its own."""
    if hand > 0:
        seed_stream(cards, seed, number, CARDS + (hand << MATCH_SHIFT))


@inlined
def deal_hand(state: Any, cards: Any, seed: Any, number: Any, hand: int) -> None:
    """Deal hand 0, 1, ... of an episode at its chance node."""
    seed_hand(cards, seed, number, hand)
    deal(state, cards)


@kernel
def begin_episode(state: Any, cards: Any, seed: Any, number: Any) -> None:
    """Reset a state and deal the first hand of episode `number` of a seed."""
    seed_stream(cards, seed, number, CARDS)
    reset(state, cards)
    deal(state, cards)


def hand_streams(seed: int, number: int, hand: int = 0) -> Any:
    """Array of one stream, at the start of hand 0, 1, ... of an episode, as `deal_hand` finds it; for Python."""
    streams = new_streams()
    seed_stream(streams[0], np.uint64(seed), np.uint64(number), CARDS + (hand << MATCH_SHIFT))
    return streams
