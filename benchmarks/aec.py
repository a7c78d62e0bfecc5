"""PettingZoo's loop over our environment, against the same loop over one that does nothing.

The floor hands out fresh copies of an observation and a mask of the same sizes, as any honest environment
must, for as many decisions and agents; actions are chosen in the same way. Both sides are also compared in
PettingZoo's usual wrappers.
"""

from __future__ import annotations

import importlib
import random
import statistics
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from benchmarks.games import Subject
from benchmarks.rows import NANO, Budget, Row, Side, paired, ratio_of, row, spread, timed

AT_LEAST = 0.6
EPISODES = 200
"""Episodes whose mean length becomes the floor's."""
CHOICE = random.Random(1)


class Floor(AECEnv[str, Any, Any]):
    """Does nothing for `length` steps, agents in turn, and then ends for all."""

    metadata = {"name": "floor_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, observation: int, actions: int, length: int, agents: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.possible_agents = [f"player_{i}" for i in range(agents)]
        self._space = Dict({"observation": Box(0, 1, (observation,), np.int8), "action_mask": MultiBinary(actions)})
        self._actions = Discrete(actions)
        self._observation = np.zeros(observation, np.int8)
        self._mask = np.ones(actions, np.int8)
        self.length = length

    def observation_space(self, agent: str) -> Any:
        return self._space

    def action_space(self, agent: str) -> Any:
        return self._actions

    def observe(self, agent: str) -> Any:
        return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.steps = 0

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.steps += 1
        if self.steps >= self.length:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict.fromkeys(self.agents, 1.0)
        self.agent_selection = self.possible_agents[self.steps % len(self.possible_agents)]
        self._accumulate_rewards()


def episode(env: Any) -> int:
    """Play one episode at random; returns its decisions (steps of agents that are done do not count)."""
    env.reset()
    decisions = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        legal = observation["action_mask"].nonzero()[0]
        env.step(int(legal[int(CHOICE.random() * len(legal))]))
        decisions += 1
    return decisions


def playing(env: Any) -> Side:
    """The side that plays n episodes; units are decisions."""
    return timed(lambda n: sum(episode(env) for _ in range(n)))


def wrapped(env: Any) -> Any:
    """In PettingZoo's usual wrappers."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """Bare and wrapped, each in turn with the floor."""
    module = importlib.import_module(f"cardsim_envs.{subject.environment}")
    raw = module.raw_env()
    raw.reset(seed=1)
    length = round(statistics.mean(episode(raw) for _ in range(EPISODES)))
    agent = raw.possible_agents[0]
    space: Any = raw.observation_space(agent)
    size, actions = space["observation"].shape[0], int(raw.action_space(agent).n)
    floors = [Floor(size, actions, length, len(raw.possible_agents)) for _ in range(2)]
    sides = {
        "raw": playing(raw),
        "floor": playing(floors[0]),
        "env": playing(module.env()),
        "wrapped floor": playing(wrapped(floors[1])),
    }
    times = paired(sides, budget)
    rows = []
    for name, base, title in (("raw", "floor", "raw_env"), ("env", "wrapped floor", "env, in wrappers")):
        over = statistics.median(a - b for a, b in zip(times[name], times[base], strict=True))
        per_second = 1 / statistics.median(times[name])
        floor = f"to {1 / statistics.median(times[base]):,.0f} steps/s of an environment that does nothing"
        rows.append(
            row(
                f"{subject.environment}.{title}",
                per_second,
                "steps/s",
                ratio=ratio_of(times[base], times[name]),
                at_least=AT_LEAST if name == "raw" else None,
                note=f"{floor}, {over * NANO / 1000:.2f} us a step more; {spread(times[base], times[name])}",
            )
        )
    return rows
