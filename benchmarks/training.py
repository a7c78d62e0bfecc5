"""Self-play training: how much of its time PPO spends in the environment. Needs torch; without it there are no rows."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec

from benchmarks.games import Subject
from benchmarks.rows import Budget, Row, row
from cardsim.registry import make_game

AT_MOST = 15.0
NAME = "PPO: share of its time in the environment"


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """Some updates with the default network, on the smallest number of tables asked for."""
    if find_spec("torch") is None:
        return []
    from experiments.ppo.options import Options
    from experiments.train_ppo import Training

    with tempfile.TemporaryDirectory() as folder:
        training = Training(make_game(subject.game), Options(tables=budget.tables[0], out=folder, quiet=True))
        training.update()  # compiles
        training.seconds, training.environment, training.steps = 0.0, 0.0, 0
        for _ in range(max(1, round(budget.thread_seconds))):
            training.update()
    share = 100 * training.environment / training.seconds
    note = f"{training.steps / training.seconds:,.0f} decisions/s learnt from"
    return [row(NAME, share, "%", at_most=AT_MOST, note=note)]
