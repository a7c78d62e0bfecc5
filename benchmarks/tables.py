"""Tables in lockstep: a step with observation, mask and reward, against the C program and a bare copy.

Only `step` is timed, not the choice of the actions. The floor copies arrays of the same sizes: less cannot be
done by anything that answers with fresh arrays.
"""

from __future__ import annotations

import time

from benchmarks.games import Subject
from benchmarks.rows import Budget, Row, Side, nanoseconds, paired, ratio_of, row, spread
from benchmarks.yardstick import MISSING, yardstick
from cardsim.game import Game
from cardsim.registry import make_game
from cardsim.tables import Batch, Tables

SEED = 1
MIXING = 50
"""Steps before the measurement, until the tables are at all stages of a hand."""
JUDGED = 4096
"""Tables for which the aim is meant."""


def stepping(game: Game, count: int, reuse: bool) -> Side:
    """The side that steps `count` tables at random; a unit is a step of one table."""
    tables = Tables(game, count, SEED)
    out = tables.new_batch() if reuse else None
    tables.reset(out=out)
    for _ in range(MIXING):
        tables.step(tables.random_actions(), out=out)

    def side(n: int) -> tuple[float, int]:
        used = 0.0
        for _ in range(n):
            actions = tables.random_actions()
            began = time.process_time()
            tables.step(actions, out=out)
            used += time.process_time() - began
        return used, n * count

    return side


def copying(game: Game, count: int) -> Side:
    """The floor: fresh copies of a batch, nothing else."""
    batch = Tables(game, count, SEED).reset()

    def side(n: int) -> tuple[float, int]:
        began = time.process_time()
        for _ in range(n):
            Batch(*(array.copy() for array in batch))
        return time.process_time() - began, n * count

    return side


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """C, the floor, and steps with and without `out=`, in turn, for every number of tables."""
    rows: list[Row] = []
    game = make_game(subject.game)
    limit = yardstick(subject.program)
    for count in budget.tables:
        sides = {"out": stepping(game, count, True), "new": stepping(game, count, False), "copy": copying(game, count)}
        if limit is not None:
            sides = {"C": limit.side(game.num_players, "decision"), **sides}
        times = paired(sides, budget)
        name = f"{count:,} tables, a step into given arrays"
        if limit is None:
            rows.append(row(name, nanoseconds(times["out"]), "ns/table", note=MISSING))
        else:
            rows.append(
                row(
                    name,
                    nanoseconds(times["out"]),
                    "ns/table",
                    ratio=ratio_of(times["out"], times["C"]),
                    at_most=subject.step if count == JUDGED else None,
                    note=f"to a decision of C, which observes nothing; {spread(times['out'], times['C'])}",
                )
            )
        rows.append(
            row(
                f"{count:,} tables, a step into new arrays",
                nanoseconds(times["new"]),
                "ns/table",
                ratio=ratio_of(times["new"], times["copy"]),
                note=f"to a copy of the same arrays, {nanoseconds(times['copy']):.0f} ns",
            )
        )
    return rows
