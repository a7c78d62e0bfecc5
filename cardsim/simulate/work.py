"""The part of a run that travels: a task of consecutive deal numbers, its result, and their exact sum."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim.game import Game
from cardsim.playout import COUNT, HIGH, LOW, MOMENT_COLUMNS, SCALE, play_units
from cardsim.registry import agent_family
from cardsim.rng import AGENT, new_streams
from cardsim.simulate.plan import Plan
from cardsim.stats import Moments


@dataclass(frozen=True)
class Task:
    """A range of deal numbers to play; small and picklable, so that any process can do it.

    Not a tuple: Dask searches tuples for futures.
    """

    game: Game
    names: tuple[str, ...]
    labels: tuple[int, ...]
    records: bytes
    addresses: tuple[int, ...]
    seed: int
    first: int
    count: int
    seatings: int
    per_hand: bool


@dataclass(frozen=True)
class Chunk:
    """What came of a task: the sums of `playout.play_units`, rows per hand when asked, and the seconds."""

    first: int
    count: int
    moments: Any
    hand_counts: Any
    seat_counts: Any
    table: Any
    values: Any
    seconds: float


class AgentFault(ValueError):
    """A user's agent gave an illegal action; holds entry, action, and the state and stream it had."""

    def __init__(self, message: str, entry: int, action: int, state: Any, stream: Any) -> None:
        super().__init__(message)
        self.entry = entry
        self.action = action
        self.state = state
        self.stream = stream


def play_chunk(task: Task) -> Chunk:
    """Play a task; what workers are asked to do.

    Raises:
        AgentFault: a user's agent gave an illegal action.
    """
    game = task.game
    players = game.num_players
    labels = max(task.labels) + 1
    columns = len(game.hand_columns), len(game.seat_columns)
    rows = task.count * task.seatings if task.per_hand else 0
    states, streams = game.new_states(), new_streams(1 + players)
    moments = np.zeros((labels + labels * players + labels * labels, MOMENT_COLUMNS), np.int64)
    hand_counts = np.zeros(columns[0], np.int64)
    seat_counts = np.zeros((labels, players, columns[1]), np.int64)
    table = np.zeros((rows, 2 + players + columns[0] + players * columns[1]), np.int64)
    values = np.zeros((rows, players))
    fault = np.zeros(5, np.int64)
    agents = agent_family(game.id).seated(task.records, task.names)
    began = time.perf_counter()
    done = play_units(
        states,
        streams,
        agents,
        np.array(task.addresses, np.uint64),
        np.array(task.labels, np.int64),
        np.array([task.seed, task.first, task.count, task.seatings], np.uint64),
        moments,
        hand_counts,
        seat_counts,
        table,
        values,
        fault,
    )
    if done < task.count:
        raise _fault(task, states, streams, [int(number) for number in fault])
    seconds = time.perf_counter() - began
    return Chunk(task.first, task.count, moments, hand_counts, seat_counts, table, values, seconds)


def _fault(task: Task, states: Any, streams: Any, fault: list[int]) -> AgentFault:
    _, entry, action, unit, rotation = fault
    seat = (entry + rotation) % task.game.num_players
    reason = task.game.illegal(action, task.game.legal_mask(states))
    message = f"agent {task.names[entry]} at seat {seat}, deal {unit} of seed {task.seed}: {reason}"
    return AgentFault(message, entry, action, states, streams[AGENT + seat : AGENT + seat + 1])


def _sums(a: list[int], b: list[int]) -> list[int]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _merged_row(a: list[int], b: list[int]) -> list[int]:
    if not a[COUNT] or not b[COUNT]:
        return b if b[COUNT] else a
    row = _sums(a, b)
    row[LOW], row[HIGH] = min(a[LOW], b[LOW]), max(a[HIGH], b[HIGH])
    return row


@dataclass(frozen=True)
class Tally:
    """Exact sums over deal numbers 0 .. units-1, as Python integers.

    Attributes:
        units: deal numbers merged.
        moments: rows of (count, total, squares, low, high) as in `playout.play_units`.
        hand_counts: total per hand column.
        seat_counts: totals [label][seat][column].
    """

    units: int
    moments: list[list[int]]
    hand_counts: list[int]
    seat_counts: list[list[list[int]]]

    @classmethod
    def empty(cls, plan: Plan) -> Tally:
        """Nothing played yet."""
        labels, players = len(plan.label_names), plan.game.num_players
        return cls(
            0,
            [[0] * MOMENT_COLUMNS for _ in range(labels + labels * players + labels * labels)],
            [0] * len(plan.game.hand_columns),
            [[[0] * len(plan.game.seat_columns) for _ in range(players)] for _ in range(labels)],
        )

    def merged(self, chunk: Chunk) -> Tally:
        """The sums with those of the chunk that follows; a new tally, so that Ctrl-C leaves no half chunk."""
        if chunk.first != self.units:
            raise ValueError(f"chunk from deal {chunk.first}: must begin at {self.units}")
        pairs = zip(self.seat_counts, chunk.seat_counts.tolist(), strict=True)
        return Tally(
            self.units + chunk.count,
            [_merged_row(a, b) for a, b in zip(self.moments, chunk.moments.tolist(), strict=True)],
            _sums(self.hand_counts, chunk.hand_counts.tolist()),
            [[_sums(a, b) for a, b in zip(mine, other, strict=True)] for mine, other in pairs],
        )

    def label_moments(self, plan: Plan, label: int) -> Moments:
        """Units of a label, each the mean over its hands."""
        return self._moments(label, plan.seatings * plan.entries[label])

    def seat_moments(self, plan: Plan, label: int, seat: int) -> Moments:
        """Hands of a label at a seat."""
        labels = len(plan.label_names)
        return self._moments(labels + label * plan.game.num_players + seat, 1)

    def pair_moments(self, plan: Plan, a: int, b: int) -> Moments:
        """Difference of the unit means of two labels a < b."""
        labels = len(plan.label_names)
        row = labels + labels * plan.game.num_players + a * labels + b
        return self._moments(row, plan.seatings * plan.entries[a] * plan.entries[b])

    def _moments(self, row: int, factor: int) -> Moments:
        count, total, squares, low, high = self.moments[row]
        if not count:
            return Moments(SCALE * factor)
        return Moments.from_sums(count, total, squares, SCALE * factor, low, high)

    def to_json(self) -> dict[str, Any]:
        """Plain data that `from_json` turns into an equal tally."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tally:
        """Undo `to_json`."""
        return cls(data["units"], data["moments"], data["hand_counts"], data["seat_counts"])
