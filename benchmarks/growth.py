"""How the time of a turn grows with the table, for games whose turns are chains of decisions about what lies there."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.games import Subject
from benchmarks.rows import Budget, Row, Side, nanoseconds, paired, ratio_of, row
from cardsim import rng
from cardsim.bits import popcount, select
from cardsim.contract import apply_action, current_player, legal_actions
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.registry import make_game
from cardsim.rng import below

SEED = 1
POSITIONS = 64
"""Positions of each size."""
SIZES = (1, 5, 10, 15, 20, 25, 30)


@kernel
def play_turn(states: Any, i: int, streams: Any) -> int:
    """Play at random until another seat is to act, or nobody; returns the decisions."""
    state = states[i]
    player = current_player(state)
    decisions = 0
    while player >= 0 and current_player(state) == player:
        legal = legal_actions(state)
        apply_action(state, select(legal, below(streams[0], popcount(legal))))
        decisions += 1
    return decisions


@kernel
def play_turns(states: Any, kept: Any, streams: Any) -> int:
    """Play one turn from each position and put it back; returns the decisions."""
    decisions = 0
    for i in range(kept.shape[0]):
        states[0] = kept[i]
        decisions += play_turn(states, 0, streams)
    return decisions


def positions(game: Game) -> Any:
    """The first positions of some hands, shape (POSITIONS,)."""
    states = game.new_states(POSITIONS)
    for number in range(POSITIONS):
        game.deal(SEED, number, states, number)
    return states


def turning(game: Game, kept: Any) -> Side:
    """The side that plays a turn from each position; its units are turns."""
    states, streams = game.new_states(), rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(SEED), np.uint64(1), rng.USER)

    def side(n: int) -> tuple[float, int]:
        began = time.process_time()
        for _ in range(n):
            play_turns(states, kept, streams)
        return time.process_time() - began, n * len(kept)

    return side


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """A turn on tables of every size, in turn; none for a game whose table does not."""
    if not subject.grows:
        return []
    options, size = subject.grows
    games = {count: make_game(subject.game, **options, **{size: count}) for count in SIZES}
    times = paired({str(count): turning(game, positions(game)) for count, game in games.items()}, budget)
    return [
        row(
            f"a random turn, {count} on the table",
            nanoseconds(times[str(count)]),
            "ns/turn",
            ratio=ratio_of(times[str(count)], times[str(SIZES[0])]),
            note=f"to {SIZES[0]} on the table; {POSITIONS} positions, {game.name}",
        )
        for count, game in games.items()
    ]
