"""Batches with one learner a table, against batches that do nothing: Gymnasium's VectorEnv and SB3's VecEnv.

The floor hands out fresh arrays of the same shapes and dtypes, as any honest environment must; for SB3 also the list of
infos and the masks as MaskablePPO asks for them. The choice of the actions is not timed. Against `random` the moves of
the other seats cost little; `book` is what one would train against.
"""

from __future__ import annotations

import copy
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.games import Subject
from benchmarks.rows import NANO, Budget, Row, Side, nanoseconds, paired, ratio_of, row, spread
from cardsim.registry import make_game
from cardsim_envs.vector import LearnerVectorEnv

SB3_TABLES = 256
"""More tables than that are unusual there, since SB3 itself loops over them."""
MIXING = 30
"""Steps before the measurement, until the tables are at all stages of a hand."""
OPPONENTS = ("random", "book")
SOURCE = np.random.default_rng(1)


class Floor:
    """A VectorEnv that does nothing."""

    def __init__(self, answer: Any) -> None:
        self.observations, self.flags = answer[0], (answer[1], answer[2], answer[3])

    def step(self, actions: Any) -> Any:
        seen = {name: array.copy() for name, array in self.observations.items()}
        return seen, *(array.copy() for array in self.flags), {}


class FloorVecEnv:
    """A VecEnv that does nothing, as far as a rollout uses it."""

    def __init__(self, answer: Any, masks: Any) -> None:
        self.arrays, self.masks = answer[:3], masks

    def step(self, actions: Any) -> Any:
        return *(array.copy() for array in self.arrays), [{} for _ in range(len(self.masks))]

    def env_method(self, name: str) -> list[Any]:
        return list(self.masks)


def legal(masks: Any) -> Any:
    """A random legal action of every table."""
    return np.argmax((1 + SOURCE.random(masks.shape, np.float32)) * masks, axis=1)  # a draw may be 0


def stepping(step: Callable[[Any], Any], masks: Any) -> Side:
    """The side that steps at random; `step` answers with the next masks; a unit is a step of one table."""
    for _ in range(MIXING):
        masks = step(legal(masks))

    def side(n: int) -> tuple[float, int]:
        nonlocal masks
        used = 0.0
        for _ in range(n):
            actions = legal(masks)
            began = time.process_time()
            masks = step(actions)
            used += time.process_time() - began
        return used, n * len(masks)

    return side


def gymnasium_sides(game: str, count: int) -> dict[str, Side]:
    """The VectorEnv against each opponent, and its floor."""
    sides = {}
    for opponent in OPPONENTS:
        env = LearnerVectorEnv(make_game(game), count, opponents=opponent)
        masks = env.reset(seed=1)[0]["action_mask"]
        sides[opponent] = stepping(lambda actions, env=env: env.step(actions)[0]["action_mask"], masks)  # type: ignore[misc]
    floor = Floor(copy.deepcopy(env).step(legal(env.action_masks())))
    sides["floor"] = stepping(lambda actions: floor.step(actions)[0]["action_mask"], masks)
    return sides


def sb3_sides(game: str, count: int) -> dict[str, Side]:
    """The VecEnv against each opponent, and its floor; with the masks stacked as sb3-contrib does it."""
    from cardsim_envs.sb3 import LearnerVecEnv

    def step(env: Any) -> Callable[[Any], Any]:
        def one(actions: Any) -> Any:
            env.step(actions)
            return np.stack(env.env_method("action_masks"))

        return one

    sides = {}
    for opponent in OPPONENTS:
        env = LearnerVecEnv(make_game(game), count, opponents=opponent)
        env.seed(1)
        env.reset()
        masks = np.stack(env.env_method("action_masks"))
        sides[opponent] = stepping(step(env), masks)
    floor = FloorVecEnv(copy.deepcopy(env).step(legal(np.stack(env.env_method("action_masks")))), masks.copy())
    sides["floor"] = stepping(step(floor), masks)
    return sides


def rows_of(title: str, sides: dict[str, Side], budget: Budget) -> list[Row]:
    """A row per opponent; the ratio is the time to that of the floor."""
    times = paired(sides, budget)
    rows = []
    for opponent in OPPONENTS:
        over = statistics.median(a - b for a, b in zip(times[opponent], times["floor"], strict=True))
        rows.append(
            row(
                f"{title}, against {opponent}",
                1 / statistics.median(times[opponent]),
                "steps/s",
                ratio=ratio_of(times[opponent], times["floor"]),
                note=f"a step of one table takes {nanoseconds(times[opponent]):.0f} ns, {over * NANO:.0f} more than of "
                f"an environment that does nothing; {spread(times[opponent], times['floor'])}",
            )
        )
    return rows


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """The VectorEnv with the larger number of tables of the budget, and the VecEnv where SB3 is installed."""
    count = max(budget.tables)
    rows = rows_of(f"VectorEnv, {count:,} tables", gymnasium_sides(subject.game, count), budget)
    if find_spec("stable_baselines3"):
        count = min(count, SB3_TABLES)
        rows += rows_of(f"SB3 VecEnv, {count:,} tables", sb3_sides(subject.game, count), budget)
    return rows
