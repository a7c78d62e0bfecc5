"""`playout.play_units` with its many arrays, for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardsim import rng
from cardsim.game import Game
from cardsim.playout import MOMENT_COLUMNS, play_units
from cardsim.registry import agent_family
from cardsim.user_agents import address_of
from tests.core.pilegame import FAMILY


class Units:
    """A run of units whose arrays stay open to the tests.

    Args:
        game: under its rules.
        agents: one name per entry; entries of one name share a label.
        duplicate: every seating of each deal.
        seed: of the cards and the agents.
    """

    def __init__(self, game: Game, agents: Sequence[str], duplicate: bool = False, seed: int = 1) -> None:
        self.game = game
        self.family = FAMILY if game.id == "pile" else agent_family(game.id)
        players = game.num_players
        self.names = list(dict.fromkeys(agents))
        self.labels = np.array([self.names.index(name) for name in agents])
        self.agents = np.concatenate([self.family.make(name).record for name in agents]).astype(self.family.dtype)
        self.addresses = np.zeros(players, np.uint64)
        self.seed = seed
        self.seatings = players if duplicate else 1
        count, columns = len(self.names), len(game.seat_columns)
        self.states = game.new_states()
        self.streams = rng.new_streams(1 + players)
        self.moments = np.zeros((count + count * players + count * count, MOMENT_COLUMNS), np.int64)
        self.hands = np.zeros(len(game.hand_columns), np.int64)
        self.seats = np.zeros((count, players, columns), np.int64)
        self.fault = np.zeros(5, np.int64)
        self.width = 2 + players + len(game.hand_columns) + players * columns
        self.table = np.zeros((0, self.width), np.int64)
        self.values = np.zeros((0, players))

    def seat_user(self, entry: int, function: Any) -> None:
        """Let a user's function play for an entry."""
        self.addresses[entry] = address_of(function, self.family.dtype, self.game.state_dtype)

    def play(self, first: int, count: int, rows: bool = False) -> int:
        """Play units and add them up; with `rows`, keep a row per episode."""
        if rows:
            self.table = np.zeros((count * self.seatings, self.width), np.int64)
            self.values = np.zeros((count * self.seatings, self.game.num_players))
        plan = np.array([self.seed, first, count, self.seatings], np.uint64)
        return int(
            play_units(
                self.states, self.streams, self.agents, self.addresses, self.labels, plan, self.moments,
                self.hands, self.seats, self.table, self.values, self.fault,
            )
        )  # fmt: skip

    def state(self) -> tuple[bytes, ...]:
        """All that has been added up."""
        return self.moments.tobytes(), self.hands.tobytes(), self.seats.tobytes()
