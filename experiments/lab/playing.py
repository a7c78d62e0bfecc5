"""Deals played by agents given by name, and what would have come of another action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from cardsim.contract import MAX_PLAYERS
from cardsim.game import Game
from cardsim.registry import agent_family
from cardsim.rng import new_streams
from experiments.lab import kernels

OWN = -1


@dataclass(frozen=True)
class Decisions:
    """Decisions found on the way through some deals.

    Attributes:
        states: records (N,), before the decision.
        number: int64 (N,): deal number less that of the first deal.
        seat: int64 (N,): who decides.
        nth: int64 (N,): decisions of this kind that the seat had before in this deal.
        action: int64 (N,): what the agent played.
        seed, first, rotation: of the deals.
    """

    states: Any
    number: Any
    seat: Any
    nth: Any
    action: Any
    seed: int
    first: int
    rotation: int

    def __len__(self) -> int:
        return len(self.number)

    @property
    def legal(self) -> Any:
        """Legal actions at each of them, uint64 (N,), bit = action."""
        sets = np.zeros(len(self), np.uint64)
        kernels.legal_sets(self.states, sets)
        return sets

    def where(self, chosen: Any) -> Decisions:
        """Those of them that a mask or an index array names."""
        parts = {name: getattr(self, name)[chosen] for name in ("states", "number", "seat", "nth", "action")}
        return replace(self, **parts)


class Choice(NamedTuple):
    """An alternative at decisions: what is played, and who plays on.

    Attributes:
        action: an action for all, or int64 (N,); -1: what the agent chooses; -2: this alternative is left out there.
        agents: by entry, as for `Line`; None: those of the line.
    """

    action: Any = OWN
    agents: Sequence[str] | None = None


class Line:
    """Agents in the seats of a game; entry e sits at seat (e + rotation) % players.

    Args:
        game: a Game.
        agents: a name per seat, such as `book(closing=false)`.

    Raises:
        ValueError: an unknown agent, or not as many as seats.
    """

    def __init__(self, game: Game, agents: Sequence[str]) -> None:
        self.game, self.agents = game, tuple(agents)
        self._family = agent_family(game.id)
        self.records = self._seated(agents)

    def _seated(self, agents: Sequence[str]) -> Any:
        if len(agents) != self.game.num_players:
            raise ValueError(f"{len(agents)} agents: {self.game.name} has {self.game.num_players} seats")
        records = [self._family.make(name).record for name in agents]
        return np.concatenate(records).view(self._family.dtype)

    def play(self, seed: int, first: int, count: int, rotation: int = 0) -> tuple[Any, Any]:
        """Play deals to their ends.

        Returns:
            Final states, records (count,); returns by **entry**, float64 (count, players).
        """
        states, returned, _, _ = self._deals(seed, first, count, rotation, (), (), 0)
        seats = (np.arange(self.game.num_players) + rotation) % self.game.num_players
        return states, returned[:, seats]

    def decisions(
        self,
        seed: int,
        first: int,
        count: int,
        wanted: Sequence[int] = (),
        *,
        whose: Sequence[int] = (0,),
        most: int = 1,
        rotation: int = 0,
    ) -> Decisions:
        """Decisions at which one of the actions `wanted` is legal, and not the only one.

        Args:
            seed, first, count, rotation: as for `play`.
            wanted: action numbers; none: any decision with a choice.
            whose: entries whose decisions are looked for.
            most: at most so many of an entry and deal, the first ones.
        """
        _, _, found, numbers = self._deals(seed, first, count, rotation, whose, wanted, most)
        number, seat, nth, action = numbers.T.copy()
        return Decisions(found, number, seat, nth, action, seed, first, rotation)

    def play_out(self, decisions: Decisions, choices: Sequence[Choice], finals: bool = False) -> tuple[Any, Any]:
        """Play decisions on to the end, once for every alternative, in the same deal with the same draws.

        Returns:
            The deciding seat's return, float64 (N, K), nan where an alternative is left out; final states,
            records (N, K), or None without `finals`.
        """
        size, ways = len(decisions), len(choices)
        actions = np.stack([np.broadcast_to(np.asarray(c.action, np.int64), (size,)) for c in choices], 1)
        agents = np.stack([self.records if c.agents is None else self._seated(c.agents) for c in choices])
        results, last = np.zeros((size, ways)), self.game.new_states(size * ways if finals else 1)
        numbers = np.stack([decisions.number, decisions.seat, decisions.nth, decisions.action], 1)
        kernels.play_out(
            np.ascontiguousarray(decisions.states),
            numbers,
            self._streams(),
            np.ascontiguousarray(agents),
            np.uint64(decisions.seed),
            np.uint64(decisions.first),
            decisions.rotation,
            np.ascontiguousarray(actions),
            results,
            last,
        )
        return results, last.reshape(size, ways) if finals else None

    def _deals(
        self, seed: int, first: int, count: int, rotation: int, whose: Sequence[int], wanted: Sequence[int], most: int
    ) -> tuple[Any, Any, Any, Any]:
        """Final states, returns by seat, and the decisions looked for with their numbers (see the kernel)."""
        states, returned = self.game.new_states(count), np.zeros((count, MAX_PLAYERS))
        room = count * len(whose) * most
        found, numbers = self.game.new_states(room), np.zeros((room, 4), np.int64)
        have = kernels.play_deals(
            states,
            self._streams(),
            self.records,
            np.uint64(seed),
            np.uint64(first),
            rotation,
            np.isin(np.arange(self.game.num_players), np.asarray(whose, np.int64)),
            np.asarray(wanted, np.int64),
            most,
            found,
            numbers,
            returned,
        )
        return states, returned, found[:have], numbers[:have]

    def _streams(self) -> Any:
        return new_streams(1 + self.game.num_players)
