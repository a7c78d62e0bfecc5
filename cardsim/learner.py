"""Tables at which one seat learns and registered agents play the others: what single-agent RL libraries step.

`step` takes one action per table, for the learner; the other seats then act, compiled, until the learner is to act
again or the episode ends. The reward is the change of the learner's return between its decisions, and the end of an
episode is credited to its last action, whoever made the last move. With the same seed, agents and seats the hands are
those of `simulate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from cardsim import rng
from cardsim.game import Game
from cardsim.learner_kernels import BEGIN, BEGIN_HERE, CLOCK, KEEP, MOST_IDLE, ROTATE, first_refused, step_tables
from cardsim.lineup import Lineup, Opponents
from cardsim.options import quoted
from cardsim.tables import record_bytes, table_numbers

NO_ACTION = 63
"""An action that is never legal, in place of any number that does not fit."""


class LearnerBatch(NamedTuple):
    """What a reset or step answers with; N tables, A actions, O observation entries.

    Attributes:
        observation: int8 (N, O), what the learner sees. At tables without a running episode: what it saw at the end.
        action_mask: int8 (N, A), 1 = legal; zeros where no episode is running.
        reward: float64 (N,), what the learner's last action has earned (unit: Game.returns_unit).
        ended: bool (N,), whether the episode of that action has ended.
        final: int8 (N, O), what the learner saw at the end of the episode, at tables that `ended`; rubbish elsewhere.
            The tables' own array, unlike the others: the next step overwrites it.
    """

    observation: Any
    action_mask: Any
    reward: Any
    ended: Any
    final: Any


class LearnerTables:
    """N tables of one game in lockstep, with one learner at each.

    Table i plays episodes i, i + N, i + 2 N, ... of the seed. An episode in which the learner has nothing to decide is
    played out, counted in `clock["skipped"]` and `clock["skipped_return"]`, and followed by the table's next one: its
    return belongs to no action, so no reward holds it.

    Args:
        game: the game under its rules.
        num_tables: N, at least 1.
        opponents: agents of the other seats; see `set_opponents`.
        seat: the learner's seat, or `rotate`: the episode's number modulo the players, so that it plays every seat.
        seed: 0 .. 2**64-1.
        deal_anew: whether a table whose episode ends is dealt its next one on the same step. Otherwise it waits for
            `reset`, or for `step` with `renew`.

    Raises:
        ValueError: an argument is not allowed; the message says what is.

    Example:
        >>> from cardsim.registry import make_game
        >>> tables = LearnerTables(make_game("sixty_six"), 2, opponents="random", seed=1)
        >>> batch = tables.reset()
        >>> tables.step(batch.action_mask.argmax(axis=1)).reward.tolist()
        [0.0, 0.0]
    """

    def __init__(
        self,
        game: Game,
        num_tables: int,
        opponents: Opponents = "book",
        seat: int | str = "rotate",
        seed: int = 0,
        deal_anew: bool = True,
    ) -> None:
        if not isinstance(game, Game):
            raise ValueError(f"game {quoted(game)}: must be a Game, as make_game makes it")
        if isinstance(num_tables, bool) or not isinstance(num_tables, int | np.integer) or num_tables < 1:
            raise ValueError(f"num_tables {quoted(num_tables)}: must be an integer of at least 1")
        if not isinstance(deal_anew, bool | np.bool_):
            raise ValueError(f"deal_anew {quoted(deal_anew)}: must be True or False")
        self.game = game
        self.num_tables = int(num_tables)
        self.deal_anew = bool(deal_anew)
        self.states = game.new_states(self.num_tables)
        self.clock = np.zeros(self.num_tables, CLOCK)
        self.clock["seed"] = rng.check_seed(seed)
        self.clock["place"] = _place(game, seat)
        self.clock["next"] = np.arange(self.num_tables)
        self._legal = np.zeros(self.num_tables, np.uint64)
        self._streams = rng.new_streams(self.num_tables * (1 + game.num_players)).reshape(self.num_tables, -1)
        self._final = np.zeros((self.num_tables, game.observation_size), np.int8)
        self._lineup = Lineup(game, self.num_tables)
        self.set_opponents(opponents)

    def set_opponents(self, opponents: Opponents, tables: Any = None) -> None:
        """Seat other agents, at once: they go on with the hands that are being played.

        Args:
            opponents: an agent's name, such as `book` or `book(memory=false)`, or an `Agent`, for all other seats; or a
                sequence with one for each of them, the first on the learner's left.
            tables: numbers of the tables to change, or a mask; all if None.

        Raises:
            ValueError: unknown agent, or not as many as there are other seats; nothing has changed then.
        """
        self._lineup.seat(opponents, table_numbers(tables, self.num_tables))

    def opponents(self, table: int = 0) -> list[str]:
        """Names of the agents at a table; the first sits on the learner's left."""
        return self._lineup.names(table)

    @property
    def running(self) -> Any:
        """Whether an episode is running at each table, bool (N,)."""
        return self._legal != 0

    def legal_mask(self, table: int = 0) -> int:
        """The learner's legal actions at a table as an int, a bit per action; 0 where no episode is running."""
        return int(self._legal[table])

    def new_batch(self) -> LearnerBatch:
        """Arrays of the right shapes and dtypes, with any contents, to be given as `out`."""
        n, game = self.num_tables, self.game
        return LearnerBatch(
            np.empty((n, game.observation_size), np.int8),
            np.empty((n, game.num_actions), np.int8),
            np.empty(n),
            np.empty(n, np.bool_),
            self._final,
        )

    def reset(
        self,
        seed: int | None = None,
        deal: int | None = None,
        seat: int | str | None = None,
        tables: Any = None,
        out: LearnerBatch | None = None,
    ) -> LearnerBatch:
        """Deal tables their next episodes, whether or not one is running there.

        Args:
            seed: stays in force at these tables; table i then begins with deal i.
            deal: table i begins with deal `deal` + i instead.
            seat: the learner's seat at these tables from now on, or `rotate`.
            tables: numbers of the tables, or a mask; all if None. The others stay as they are.
            out: arrays to write into, as `new_batch` makes them; they are not checked.

        Raises:
            ValueError: bad seed, deal number, seat or tables; nothing has changed then.
        """
        chosen = table_numbers(tables, self.num_tables)
        self._renumber(chosen, seed, deal, seat)
        commands = np.full(self.num_tables, KEEP)
        commands[chosen] = BEGIN
        return self._run(commands, self.new_batch() if out is None else out)

    def begin_at(
        self,
        states: Any,
        seed: int | None = None,
        deal: int | None = None,
        seat: int | str | None = None,
        table: int = 0,
    ) -> LearnerBatch:
        """Play on from a given state, shape (1,), at one table, as its next episode; arguments as `reset`.

        Raises:
            ValueError: as `reset`, or the state is of other rules.
        """
        given = self.game.checked(states)
        if given.shape != (1,) or np.ascontiguousarray(given["rules"]).tobytes() != self.game.rules.record.tobytes():
            raise ValueError(f"states: must be one state of {self.game.name}")
        chosen = table_numbers(table, self.num_tables)
        self._renumber(chosen, seed, deal, seat)
        record_bytes(self.states)[chosen] = record_bytes(given)
        commands = np.full(self.num_tables, KEEP)
        commands[chosen] = BEGIN_HERE
        return self._run(commands, self.new_batch())

    def _renumber(self, chosen: Any, seed: int | None, deal: int | None, seat: int | str | None) -> None:
        first = 0 if deal is None else rng.check_seed(deal, "deal number")
        if first + self.num_tables > 2**64:
            raise ValueError(f"deal number {deal}: leaves no numbers for {self.num_tables} tables")
        place = None if seat is None else _place(self.game, seat)
        if seed is not None:
            self.clock["seed"][chosen] = rng.check_seed(seed)
        if seed is not None or deal is not None:
            self.clock["next"][chosen] = np.uint64(first) + chosen.astype(np.uint64)
        if place is not None:
            self.clock["place"][chosen] = place

    def step(
        self, actions: Any, renew: Any = None, strict: bool = True, out: LearnerBatch | None = None
    ) -> LearnerBatch:
        """Play one action per table.

        Args:
            actions: integers (N,).
            renew: bool (N,): tables that are dealt their next episode instead; their actions are ignored.
            strict: whether an illegal action is refused. Otherwise it ends the episode with a reward of
                ILLEGAL_REWARD.
            out: arrays to write into, as `new_batch` makes them; they are not checked.

        Raises:
            ValueError: wrong shape or dtype, or an action at a table without a running episode, or an illegal action if
                `strict`; the message names the table and what is legal, and no table has moved.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_tables,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions of shape {chosen.shape} and dtype {chosen.dtype}: must be integers ({self.num_tables},)"
            )
        commands = np.where((chosen >= 0) & (chosen < NO_ACTION), chosen, NO_ACTION).astype(np.int64, copy=False)
        if renew is not None:
            commands[renew] = BEGIN
        wrong = first_refused(self._legal, commands, strict)
        if wrong >= 0:
            self._refuse(wrong, int(chosen[wrong]))
        return self._run(commands, self.new_batch() if out is None else out)

    def _refuse(self, table: int, action: int) -> None:
        where = f"table {table}: " if self.num_tables > 1 else ""
        if not self._legal[table]:
            raise ValueError(f"{where}no episode is running; reset it")
        raise ValueError(f"{where}{self.game.illegal(action, self.legal_mask(table))}")

    def _run(self, commands: Any, out: LearnerBatch) -> LearnerBatch:
        arrays = self.states, self._streams, self._lineup.records, self._lineup.entries, self.clock
        stuck = step_tables(*arrays, self.deal_anew, commands, self._legal, *out)
        if stuck >= 0:
            seat, name = self.clock["seat"][stuck], self.game.name
            raise ValueError(f"table {stuck}: seat {seat} had nothing to decide in {MOST_IDLE:,} episodes of {name}")
        return out

    def clone(self) -> Self:
        """An independent copy in the same moment."""
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for name in ("states", "clock", "_streams", "_legal"):
            state[name] = state[name].tobytes()
        del state["_final"]
        state["_lineup"] = self._lineup.copy()
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self.states = np.frombuffer(bytearray(state["states"]), self.game.state_dtype)
        self.clock = np.frombuffer(bytearray(state["clock"]), CLOCK)
        self._streams = np.frombuffer(bytearray(state["_streams"]), rng.STREAM).reshape(self.num_tables, -1)
        self._legal = np.frombuffer(bytearray(state["_legal"]), np.uint64)
        self._final = np.zeros((self.num_tables, self.game.observation_size), np.int8)


def _place(game: Game, seat: Any) -> int:
    """A seat from outside, or ROTATE."""
    if isinstance(seat, str) and seat == "rotate":
        return ROTATE
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < game.num_players:
        raise ValueError(f"seat {quoted(seat)}: must be rotate, or an integer from 0 to {game.num_players - 1}")
    return int(seat)
