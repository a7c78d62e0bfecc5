"""N tables of a game in lockstep: the batch API for training and for Python agents.

`step` takes one action per table, plays it, and answers with what the next seat to act sees. A table whose episode ends
pays its rewards and is dealt anew at once: `ended` and `reward` belong to the old episode, observation and mask to the
new one. Table i plays episodes i, i + N, i + 2 N, ... of the seed, the same on any machine.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple, Self

import numpy as np

from cardsim import rng
from cardsim.bits import holds, spread
from cardsim.contract import (
    CHANCE,
    MAX_PLAYERS,
    TERMINAL,
    apply_action,
    current_player,
    legal_actions,
    observe,
    returns,
)
from cardsim.dealing import begin_episode, deal_hand
from cardsim.game import Game, check_array
from cardsim.jit import inlined, kernel
from cardsim.playout import pick_uniform

ILLEGAL = -2
"""What `advance` returns for an illegal action; nothing has changed then."""
RANDOM_PLAY = rng.USER - 1

CLOCK = np.dtype(
    [
        ("episode", np.uint64),  # number of the episode being played
        ("hand", np.int64),  # hands dealt in it
        ("total", np.float64, (MAX_PLAYERS,)),  # returns already paid out as rewards
    ],
    align=True,
)


class Batch(NamedTuple):
    """What `Tables.reset` and `Tables.step` answer with; N tables, A actions, O observation entries, P players.

    Attributes:
        observation: int8 (N, O), for the seat to act.
        action_mask: int8 (N, A), 1 = legal.
        player: int64 (N,), seat to act.
        reward: float64 (N, P), what this step paid to each seat (unit: Game.returns_unit).
        ended: bool (N,), whether this step ended the table's episode.
    """

    observation: Any
    action_mask: Any
    player: Any
    reward: Any
    ended: Any


@kernel
def advance(states: Any, i: int, action: int, observation: Any, mask: Any) -> int:
    """Check and play one action, and encode for the next seat: all that a step of an environment needs.

    Args:
        states: records; `states[i]` is played.
        action: any integer.
        observation: int8 (O,), written when a seat is to act.
        mask: int8 (A,), likewise.

    Returns:
        The seat to act, CHANCE, TERMINAL, or ILLEGAL (nothing has changed).
    """
    state = states[i]
    if not holds(legal_actions(state), action):
        return ILLEGAL
    apply_action(state, action)
    return encode(state, observation, mask)


@inlined
def encode(state: Any, observation: Any, mask: Any) -> int:
    """Write what the seat to act sees and may do; return that seat, CHANCE or TERMINAL."""
    player = current_player(state)
    if player >= 0:
        observe(state, player, observation)
        spread(legal_actions(state), mask, 0, mask.shape[0])
    return player


@kernel
def begin(states: Any, i: int, streams: Any, seed: Any, clock: Any) -> None:
    """Reset table i to the first hand of episode `clock[i]["episode"]`."""
    begin_episode(states[i], streams[0], seed, clock[i]["episode"])
    clock[i]["hand"] = 1
    for seat in range(MAX_PLAYERS):
        clock[i]["total"][seat] = 0.0


@kernel
def begin_all(states: Any, streams: Any, seed: Any, clock: Any) -> None:
    """Reset every table to its first episode."""
    for i in range(states.shape[0]):
        clock[i]["episode"] = np.uint64(i)
        begin(states, i, streams, seed, clock)


@inlined
def encode_table(states: Any, i: int, legal_sets: Any, observation: Any, mask: Any, player: Any) -> None:
    """Write observation, mask and seat to act of table i, where somebody is to act, and keep its legal set."""
    state = states[i]
    seat = current_player(state)
    legal = legal_actions(state)
    player[i] = seat
    legal_sets[i] = legal
    observe(state, seat, observation[i])
    spread(legal, mask[i], 0, mask.shape[1])


@kernel
def encode_all(states: Any, legal_sets: Any, observation: Any, mask: Any, player: Any) -> None:
    """Encode every table."""
    for i in range(states.shape[0]):
        encode_table(states, i, legal_sets, observation, mask, player)


@kernel
def first_illegal(legal_sets: Any, actions: Any) -> int:
    """First table whose action is illegal, or -1."""
    for i in range(actions.shape[0]):
        if not holds(legal_sets[i], actions[i]):
            return i
    return -1


@kernel
def step_all(
    states: Any,
    streams: Any,
    actions: Any,
    seed: Any,
    clock: Any,
    legal_sets: Any,
    observation: Any,
    mask: Any,
    player: Any,
    reward: Any,
    ended: Any,
) -> None:
    """Play one legal action per table; pay, deal on, deal anew; encode for the next seat.

    Args:
        states, clock: records, (N,).
        streams: streams; the first deals the cards.
        actions: int64 (N,), legal.
        seed: uint64.
        legal_sets: uint64 (N,), written.
        observation, mask, player, reward, ended: the arrays of a `Batch`, written.
    """
    values = np.zeros(MAX_PLAYERS)
    for i in range(states.shape[0]):
        state = states[i]
        apply_action(state, actions[i])
        seat = current_player(state)
        for k in range(reward.shape[1]):
            reward[i, k] = 0.0
        ended[i] = seat == TERMINAL
        if seat < 0:
            returns(state, values)
            for k in range(reward.shape[1]):
                reward[i, k] = values[k] - clock[i]["total"][k]
                clock[i]["total"][k] = values[k]
            if seat == CHANCE:
                deal_hand(state, streams[0], seed, clock[i]["episode"], clock[i]["hand"])
                clock[i]["hand"] += 1
            else:
                clock[i]["episode"] += np.uint64(states.shape[0])
                begin(states, i, streams, seed, clock)
        encode_table(states, i, legal_sets, observation, mask, player)


@kernel
def all_have_turns(states: Any) -> bool:
    """Whether a seat is to act at every table."""
    for i in range(states.shape[0]):
        if current_player(states[i]) < 0:
            return False
    return True


@kernel
def observe_all(states: Any, players: Any, observation: Any) -> None:
    """Write what seat players[i] of table i knows."""
    for i in range(states.shape[0]):
        observe(states[i], players[i], observation[i])


@kernel
def pick_all(legal_sets: Any, streams: Any, actions: Any) -> None:
    """Pick a uniformly random legal action for every table."""
    for i in range(actions.shape[0]):
        actions[i] = pick_uniform(legal_sets[i], streams[1])


class Tables:
    """N tables of one game in lockstep.

    `states` and `clock` may be read; to change a table, use `save` and `restore`, which keep its legal set up to date.
    One thread at a time may use a batch of tables.

    Args:
        game: the game under its rules.
        num_tables: N, at least 1.
        seed: 0 .. 2**64-1.

    Example:
        >>> from cardsim.registry import make_game
        >>> tables = Tables(make_game("sixty_six"), 2, seed=1)
        >>> batch = tables.reset()
        >>> batch = tables.step(batch.action_mask.argmax(axis=1))
        >>> batch.action_mask.shape
        (2, 41)
    """

    def __init__(self, game: Game, num_tables: int, seed: int = 0) -> None:
        if not isinstance(game, Game):
            raise ValueError(f"game {game!r}: must be a Game, as make_game makes it")
        if isinstance(num_tables, bool) or not isinstance(num_tables, int | np.integer) or num_tables < 1:
            raise ValueError(f"num_tables {num_tables!r}: must be an integer of at least 1")
        self.game = game
        self.num_tables = int(num_tables)
        self.seed = rng.check_seed(seed)
        self.states = game.new_states(self.num_tables)
        self.clock = np.zeros(self.num_tables, CLOCK)
        self._legal = np.zeros(self.num_tables, np.uint64)
        self._streams = rng.new_streams(2)
        self.reset()

    def new_batch(self) -> Batch:
        """Empty arrays of the right shapes and dtypes, to be given as `out`."""
        n, game = self.num_tables, self.game
        return Batch(
            np.zeros((n, game.observation_size), np.int8),
            np.zeros((n, game.num_actions), np.int8),
            np.zeros(n, np.int64),
            np.zeros((n, game.num_players)),
            np.zeros(n, np.bool_),
        )

    def _out(self, out: Batch | None) -> Batch:
        if out is None:
            return self.new_batch()
        if not isinstance(out, Batch):
            raise ValueError(f"out of type {type(out).__name__}: must be a Batch, as new_batch makes it")
        n, game = self.num_tables, self.game
        wanted = (
            ((n, game.observation_size), np.int8),
            ((n, game.num_actions), np.int8),
            ((n,), np.int64),
            ((n, game.num_players), np.float64),
            ((n,), np.bool_),
        )
        for name, given, (shape, dtype) in zip(Batch._fields, out, wanted, strict=True):
            check_array(f"out.{name}", given, shape, dtype)
        if any(np.may_share_memory(a, b) for a, b in combinations(out, 2)):
            raise ValueError("out: its arrays must not share memory")
        return out

    def reset(self, seed: int | None = None, out: Batch | None = None) -> Batch:
        """Deal every table its first episode (again); a seed given here stays in force."""
        if seed is not None:
            self.seed = rng.check_seed(seed)
        batch = self._out(out)
        rng.seed_stream(self._streams[1], np.uint64(self.seed), np.uint64(0), RANDOM_PLAY)
        begin_all(self.states, self._streams, np.uint64(self.seed), self.clock)
        encode_all(self.states, self._legal, batch.observation, batch.action_mask, batch.player)
        batch.reward[:] = 0.0
        batch.ended[:] = False
        return batch

    def step(self, actions: Any, out: Batch | None = None) -> Batch:
        """Play one action per table.

        Args:
            actions: integers (N,).
            out: arrays to write into (as `new_batch` makes them) instead of new ones.

        Raises:
            ValueError: wrong shape or dtype, or an illegal action; the message names the table and what is legal, and
                no table has moved.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_tables,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions of shape {chosen.shape} and dtype {chosen.dtype}: must be integers ({self.num_tables},)"
            )
        chosen = chosen.astype(np.int64, copy=False)
        batch = self._out(out)
        wrong = first_illegal(self._legal, chosen)
        if wrong >= 0:
            mask = self.game.legal_mask(self.states, wrong)
            raise ValueError(f"table {wrong}: {self.game.illegal(int(chosen[wrong]), mask)}")
        step_all(self.states, self._streams, chosen, np.uint64(self.seed), self.clock, self._legal, *batch)
        return batch

    def observe(self, players: Any, out: Any = None) -> Any:
        """What given seats know, int8 (N, O); `players` is one seat or one per table."""
        given = np.asarray(players)
        last = self.game.num_players - 1
        if given.dtype.kind not in "iu" or given.shape not in ((), (self.num_tables,)):
            raise ValueError(f"players {players!r}: must be one integer, or one for each of {self.num_tables} tables")
        if given.min() < 0 or given.max() > last:
            raise ValueError(f"players {players!r}: must be from 0 to {last}")
        seats = np.broadcast_to(given.astype(np.int64), (self.num_tables,))
        shape = (self.num_tables, self.game.observation_size)
        out = np.zeros(shape, np.int8) if out is None else check_array("out", out, shape, np.int8)
        observe_all(self.states, seats, out)
        return out

    def random_actions(self) -> Any:
        """A uniformly random legal action for every table, int64 (N,), from a stream of its own."""
        actions = np.zeros(self.num_tables, np.int64)
        pick_all(self._legal, self._streams, actions)
        return actions

    def clone(self) -> Self:
        """An independent copy, random stream included."""
        other = object.__new__(type(self))
        other.game, other.num_tables, other.seed = self.game, self.num_tables, self.seed
        other.states = _copy(self.states)
        other.clock = _copy(self.clock)
        other._legal = self._legal.copy()
        other._streams = _copy(self._streams)
        return other

    def save(self, indices: Any = None) -> dict[str, Any]:
        """Copies of all or some tables: `states` and `clock` arrays, for `restore` here or on another batch."""
        chosen = table_numbers(indices, self.num_tables)
        return {"states": _take(self.states, chosen), "clock": _take(self.clock, chosen)}

    def restore(self, saved: dict[str, Any], indices: Any = None) -> Batch:
        """Put saved tables back at these places (all by default); answers like `reset`, for all tables."""
        chosen = table_numbers(indices, self.num_tables)
        if not isinstance(saved, dict) or not {"states", "clock"} <= saved.keys():
            raise ValueError("saved tables: must be the dictionary that `save` made, with states and clock")
        states, clock = self.game.checked(saved["states"]), np.asarray(saved["clock"])
        if clock.dtype != CLOCK:
            raise ValueError(f"saved clock of dtype {str(clock.dtype)[:40]}: must be as `save` made it")
        if not len(states) == len(clock) == len(chosen):
            raise ValueError(
                f"{len(states)} saved tables, {len(clock)} clocks for {len(chosen)} places: must be as many"
            )
        if len(np.unique(chosen)) != len(chosen):
            raise ValueError(f"tables {indices}: must name each place once")
        rules = np.ascontiguousarray(states["rules"]).tobytes()
        if rules != self.game.rules.record.tobytes() * len(states):
            raise ValueError(f"saved tables: must be of {self.game.name}")
        if not all_have_turns(states):
            raise ValueError("saved tables: must each have a seat to act")
        record_bytes(self.states)[chosen] = record_bytes(states)
        record_bytes(self.clock)[chosen] = record_bytes(clock.view(CLOCK))
        batch = self.new_batch()
        encode_all(self.states, self._legal, batch.observation, batch.action_mask, batch.player)
        return batch


def table_numbers(tables: Any, count: int) -> Any:
    """Numbers of tables out of `count`, from numbers or a mask; all if None."""
    if tables is None:
        return np.arange(count)
    chosen = np.atleast_1d(np.asarray(tables))
    if chosen.dtype == np.bool_ and chosen.shape == (count,):
        return np.flatnonzero(chosen)
    fits = chosen.dtype.kind in "iu" and chosen.ndim == 1
    if not fits or (chosen.size and not 0 <= chosen.min() <= chosen.max() < count):
        raise ValueError(f"tables {tables}: must be numbers from 0 to {count - 1}, or a mask of {count}")
    return chosen


def record_bytes(records: Any) -> Any:
    """Records as their bytes, uint8 (N, size): NumPy copies and compares these many times faster."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def _copy(records: Any) -> Any:
    return records.view(np.uint8).copy().view(records.dtype)


def _take(records: Any, indices: Any) -> Any:
    return record_bytes(records)[indices].reshape(-1).view(records.dtype)
