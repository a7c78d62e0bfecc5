"""What the measurements have in common: rows of figures, budgets, and rounds in which sides take turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NANO = 1e9

Side = Callable[[int], tuple[float, int]]
"""Does n portions of work; returns the CPU seconds they took and how many units they held."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        name: what was measured.
        value: the figure, in `unit`.
        ratio: to the yardstick, where there is one.
        aim: what `ratio` (or `value`, without a ratio) should keep to; "" where nothing is asked.
        met: whether it does; None without an aim, or where the machine was too busy to tell.
        note: what else a reader should know.
        game: id of the game.
    """

    name: str
    value: float
    unit: str
    ratio: float | None = None
    aim: str = ""
    met: bool | None = None
    note: str = ""
    game: str = ""

    def plain(self) -> dict[str, Any]:
        """All but the note, for JSON; numbers have four digits."""
        values = {key: value for key, value in asdict(self).items() if key != "note"}
        return {key: _short(v) if isinstance(v, float) else v for key, v in values.items()}


def _short(value: float) -> float:
    short = float(f"{value:.4g}")
    return int(short) if abs(short) >= 1000 else short


def figure(value: float) -> str:
    """Four digits, or whole thousands with commas."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def row(
    name: str,
    value: float,
    unit: str,
    *,
    ratio: float | None = None,
    at_most: float | None = None,
    at_least: float | None = None,
    judge: bool = True,
    note: str = "",
) -> Row:
    """A row whose ratio (or value, without a ratio) has to keep a limit; `judge=False` leaves `met` open."""
    figure, suffix = (value, f" {unit}") if ratio is None else (ratio, "")
    aim, met = "", None
    if at_most is not None:
        aim, met = f"at most {at_most:g}{suffix}", figure <= at_most
    elif at_least is not None:
        aim, met = f"at least {at_least:g}{suffix}", figure >= at_least
    return Row(name, value, unit, ratio, aim, met if judge else None, note)


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to measure.

    Attributes:
        rounds: rounds of a comparison.
        seconds: CPU seconds of each side in each round.
        thread_seconds: the same for one thread in threads.py, where the last chunks must not count for much.
        starts: processes started for each figure of startup.py.
        memory_hands: hands of the long run in memory.py.
        tables: tables in lockstep.
        deals: deals of a session.
        hands: fewest hands of a run through `simulate`; fewer would time its start.
    """

    rounds: int
    seconds: float
    thread_seconds: float
    starts: int
    memory_hands: int
    tables: tuple[int, ...] = (64, 4096)
    deals: int = 1000
    hands: int = 2000


FULL = Budget(rounds=15, seconds=0.15, thread_seconds=4.0, starts=5, memory_hands=100_000_000)
QUICK = Budget(rounds=5, seconds=0.05, thread_seconds=1.5, starts=2, memory_hands=5_000_000)


def timed(play: Callable[[int], int]) -> Side:
    """The side that plays n portions, all of it timed; `play` returns the number of units."""

    def side(n: int) -> tuple[float, int]:
        began = time.process_time()
        units = play(n)
        return time.process_time() - began, units

    return side


def portions(side: Side, seconds: float) -> int:
    """How many portions take about so many CPU seconds; the first, which compiles, does not count."""
    side(1)
    n = 1
    while True:
        used, _ = side(n)
        if used > seconds / 4:
            return max(1, round(n * seconds / used))
        n *= 4


def paired(sides: Mapping[str, Side], budget: Budget) -> dict[str, list[float]]:
    """CPU seconds per unit of every side in every round; the sides take turns, forwards and backwards."""
    sizes = {name: portions(side, budget.seconds) for name, side in sides.items()}
    result: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(budget.rounds):
        for name in list(sides)[:: -1 if number % 2 else 1]:
            used, units = sides[name](sizes[name])
            result[name].append(used / units)
    return result


def ratio_of(times: Sequence[float], base: Sequence[float]) -> float:
    """Median over the rounds of one side's time divided by the other's."""
    return statistics.median(a / b for a, b in zip(times, base, strict=True))


def spread(times: Sequence[float], base: Sequence[float]) -> str:
    """Smallest and largest ratio of the rounds, for a note."""
    ratios = [a / b for a, b in zip(times, base, strict=True)]
    return f"rounds {min(ratios):.2f} to {max(ratios):.2f}"


def nanoseconds(times: Sequence[float]) -> float:
    """Median, in nanoseconds."""
    return NANO * statistics.median(times)
