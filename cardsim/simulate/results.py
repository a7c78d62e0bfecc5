"""The numbers of a run: pandas frames, plain data for JSON, and the command that gives them again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cardsim
from cardsim.simulate.plan import Plan
from cardsim.simulate.work import Tally
from cardsim.stats import Interval, Moments, until_interval

if TYPE_CHECKING:
    import pandas as pd

MOMENT_NAMES = ("mean", "stderr", "low", "high", "n")


class Results:
    """What `simulate` returns. Returns are per hand, in `unit`.

    Intervals are t intervals at `plan.confidence`. After a run with `until` they are the wider ones that hold
    at all looks at once (stats.until_interval), for every row. At one seat, n counts hands; with duplicates
    and an agent in several seats, several come from one deal, and its `stderr` is an approximation.

    Attributes:
        plan: what was to be played.
        tally: the exact sums.
        seed, duplicate: as in the plan.
        version: of cardsim.
        units: deal numbers played.
        hands: hands played (episodes; a match is one).
        unit: unit of the returns, such as "game points".
        command: shell command that gives the same numbers, None where a user's own agent took part.
        interrupted: the run was stopped by Ctrl-C; the numbers are those of the hands played until then.
        timing: seconds, hands_per_second and workers: all that depends on the clock and the machine.
        folder: where the run is saved, or None.
    """

    def __init__(
        self,
        plan: Plan,
        tally: Tally,
        *,
        seconds: float,
        workers: int,
        interrupted: bool = False,
        folder: Path | None = None,
        rows: Sequence[tuple[Any, Any]] = (),
    ) -> None:
        self.plan = plan
        self.tally = tally
        self.seed = plan.seed
        self.duplicate = plan.duplicate
        self.version = cardsim.__version__
        self.units = tally.units
        self.hands = tally.units * plan.seatings
        self.unit = plan.game.returns_unit
        self.command = plan.command
        self.interrupted = interrupted
        self.folder = folder
        rate = self.hands / seconds if seconds > 0 else 0.0
        self.timing: dict[str, float] = {"seconds": seconds, "hands_per_second": rate, "workers": workers}
        self._rows = rows

    def __repr__(self) -> str:
        return f"Results({self.plan.game.name}, {','.join(self.plan.agents)}, {self.hands} hands)"

    @property
    def look(self) -> int:
        """Number of the look of `until` that the intervals belong to, from 1; 0 without `until`."""
        if self.plan.until is None:
            return 0
        return sum(size < self.units for size in self.plan.looks()) + 1

    def interval(self, moments: Moments, bounds: tuple[float, float]) -> Interval:
        """The interval of a row, given the least and greatest value of a sample."""
        if self.plan.until is None:
            return moments.interval(self.plan.confidence)
        return until_interval(moments, self.look, self.plan.confidence, bounds)

    @property
    def until(self) -> dict[str, Any] | None:
        """With `until`: the half width asked for, the first agent's, and whether it is enough."""
        if self.plan.until is None:
            return None
        half = self.interval(self.tally.label_moments(self.plan, 0), self.plan.game.returns_bounds).half_width
        reached = half <= self.plan.until
        return {"asked": self.plan.until, "half_width": half, "reached": reached, "look": self.look}

    def _summary(self, moments: Moments, *, difference: bool = False) -> dict[str, Any]:
        lo, hi = self.plan.game.returns_bounds
        bounds = (lo - hi, hi - lo) if difference else (lo, hi)
        low, high = self.interval(moments, bounds) if moments.n else (math.nan, math.nan)
        return dict(zip(MOMENT_NAMES, (moments.mean, moments.stderr, low, high, moments.n), strict=True))

    @cached_property
    def agent_rows(self) -> list[dict[str, Any]]:
        """A row per agent: return, hands (in two seats, two a deal), and the game's seat columns per hand."""
        plan, rows = self.plan, []
        for label, name in enumerate(plan.label_names):
            hands = self.hands * plan.entries[label]
            row = {"agent": name, **self._summary(self.tally.label_moments(plan, label)), "hands": hands}
            for column, title in enumerate(plan.game.seat_columns):
                total = sum(counts[column] for counts in self.tally.seat_counts[label])
                row[title] = total / hands if hands else math.nan
            rows.append(row)
        return rows

    @cached_property
    def seat_rows(self) -> list[dict[str, Any]]:
        """A row per agent and seat; n counts hands."""
        return [
            {"agent": name, "seat": seat, **self._summary(self.tally.seat_moments(self.plan, label, seat))}
            for label, name in enumerate(self.plan.label_names)
            for seat in range(self.plan.game.num_players)
        ]

    @cached_property
    def pair_rows(self) -> list[dict[str, Any]]:
        """A row per pair of agents: the difference of their returns per hand, paired by deal number."""
        names = self.plan.label_names
        return [
            {
                "agent": names[a],
                "other": names[b],
                **self._summary(self.tally.pair_moments(self.plan, a, b), difference=True),
            }
            for a in range(len(names))
            for b in range(a + 1, len(names))
        ]

    @cached_property
    def column_rows(self) -> list[dict[str, Any]]:
        """A row per hand column of the game: its total, and its mean per hand."""
        return [
            {"column": title, "total": total, "per_hand": total / self.hands if self.hands else math.nan}
            for title, total in zip(self.plan.game.hand_columns, self.tally.hand_counts, strict=True)
        ]

    @cached_property
    def agents(self) -> pd.DataFrame:
        """Frame of `agent_rows`: agent, mean, stderr, low, high, n (deal numbers), hands, seat columns."""
        return _frame(self.agent_rows, ("agent", *MOMENT_NAMES, "hands", *self.plan.game.seat_columns))

    @cached_property
    def seats(self) -> pd.DataFrame:
        """Frame of `seat_rows`: agent, seat, mean, stderr, low, high, n (hands)."""
        return _frame(self.seat_rows, ("agent", "seat", *MOMENT_NAMES))

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Frame of `pair_rows`: agent, other, mean, stderr, low, high, n (deal numbers)."""
        return _frame(self.pair_rows, ("agent", "other", *MOMENT_NAMES))

    @cached_property
    def hands_frame(self) -> pd.DataFrame:
        """Frame of `column_rows`: column, total, per_hand."""
        return _frame(self.column_rows, ("column", "total", "per_hand"))

    @cached_property
    def per_hand(self) -> pd.DataFrame:
        """A row per hand: deal, rotation, agent_0 .., return_0 .., hand columns, seat columns such as wins_0.

        Raises:
            ValueError: the run was made without `per_hand`.
        """
        if not self.plan.per_hand:
            raise ValueError("rows per hand were not kept: run with per_hand=True")
        import pandas as pd

        if self.folder is not None:
            from cardsim.simulate.store import part_files

            parts = [pd.read_parquet(path) for path, _, _ in part_files(self.folder)]
        else:
            parts = [hand_frame(self.plan, table, values) for table, values in self._rows]
        return pd.concat(parts, ignore_index=True) if parts else hand_frame(self.plan, *empty_rows(self.plan))

    def to_json(self) -> dict[str, Any]:
        """Plain data for json.dumps. Two runs of one plan differ at most in the value of `timing`."""
        plan = self.plan
        data = {
            "game": plan.game.name,
            "lineup": list(plan.agents),
            "seed": self.seed,
            "version": self.version,
            "hands": self.hands,
            "units": self.units,
            "seatings": plan.seatings,
            "duplicate": self.duplicate,
            "unit": self.unit,
            "confidence": plan.confidence,
            "until": self.until,
            "interrupted": self.interrupted,
            "command": self.command,
            "agents": self.agent_rows,
            "seats": self.seat_rows,
            "pairs": self.pair_rows,
            "columns": self.column_rows,
            "timing": self.timing,
        }
        plain: dict[str, Any] = _without_nan(data)
        return plain


def _without_nan(value: Any) -> Any:
    """JSON has no nan and no infinity: they become null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _frame(rows: list[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns))


def empty_rows(plan: Plan) -> tuple[Any, Any]:
    """Table and values of no hands."""
    import numpy as np

    game, players = plan.game, plan.game.num_players
    columns = 2 + players + len(game.hand_columns) + players * len(game.seat_columns)
    return np.zeros((0, columns), np.int64), np.zeros((0, players))


def hand_frame(plan: Plan, table: Any, values: Any) -> pd.DataFrame:
    """Frame of the rows that `playout.play_units` wrote (see there for the columns)."""
    import numpy as np
    import pandas as pd

    game, players = plan.game, plan.game.num_players
    labels = np.array(plan.labels)
    names: Any = list(plan.label_names)
    columns: dict[str, Any] = {"deal": table[:, 0], "rotation": table[:, 1]}
    for seat in range(players):
        columns[f"agent_{seat}"] = pd.Categorical.from_codes(labels[table[:, 2 + seat]], names)
    for seat in range(players):
        columns[f"return_{seat}"] = values[:, seat]
    seat_titles = [f"{title}_{seat}" for seat in range(players) for title in game.seat_columns]
    for k, title in enumerate([*game.hand_columns, *seat_titles]):
        columns[title] = table[:, 2 + players + k]
    return pd.DataFrame(columns)
