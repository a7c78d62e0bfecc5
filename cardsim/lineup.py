"""Who sits around the learners of a batch of tables (`Lineup`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from cardsim.families import Agent
from cardsim.game import Game
from cardsim.options import quoted
from cardsim.registry import make_agent

Opponents = str | Agent | Sequence[str | Agent]
"""One agent for all other seats, or one for each: first the one on the learner's left."""


class Lineup:
    """The agents at N tables: each agent's record once, and who sits where as numbers.

    Attributes:
        agents: those that sit anywhere.
        records: their records, (K,), for kernels.
        entries: int64 (N, players): entry k is the agent k places to the left of the learner; entry 0 is not used.
    """

    def __init__(self, game: Game, num_tables: int) -> None:
        self.game = game
        self.agents: list[Agent] = []
        self.entries = np.zeros((num_tables, game.num_players), np.int64)
        self.records: Any = None

    def seat(self, opponents: Opponents, tables: Any) -> None:
        """Seat agents at the tables with these numbers; see `LearnerTables.set_opponents`."""
        others = self.game.num_players - 1
        given = [opponents] * others if isinstance(opponents, str | Agent) else opponents
        if not isinstance(given, Sequence) or len(given) != others:
            raise ValueError(f"opponents {quoted(opponents)}: must be one agent, or a sequence of {others}")
        agents = self.agents + [self._made(agent) for agent in given]
        self.entries[tables, 1:] = np.arange(len(self.agents), len(agents))
        used, places = np.unique(self.entries[:, 1:], return_inverse=True)
        self.entries[:, 1:] = places.reshape(-1, others)
        self.agents = [agents[k] for k in used.tolist()]
        self._join()

    def _made(self, agent: Any) -> Agent:
        if isinstance(agent, str):
            return make_agent(self.game.id, agent)
        if not isinstance(agent, Agent):
            raise ValueError(f"opponent {quoted(agent)}: must be an Agent or its name, such as book")
        if f"kind_{self.game.id}" not in (agent.record.dtype.names or ()):
            raise ValueError(f"opponent {agent.name!r}: is of another game than {self.game.id}")
        return agent

    def _join(self) -> None:
        self.records = np.zeros(len(self.agents), self.agents[0].record.dtype)
        for k, agent in enumerate(self.agents):
            self.records[k : k + 1] = agent.record

    def names(self, table: int) -> list[str]:
        """Names of the agents at a table, from the learner's left on."""
        return [self.agents[k].name for k in self.entries[table, 1:].tolist()]

    def copy(self) -> Self:
        """An independent copy; the agents themselves never change."""
        other = object.__new__(type(self))
        other.game, other.agents, other.records = self.game, self.agents[:], self.records
        other.entries = self.entries.copy()
        return other
