"""Loops over environments, shared by the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from cardsim.games.sixty_six.rules import PRESETS

FORMS: list[dict[str, Any]] = [
    *({"preset": name} for name in PRESETS),
    {"preset": "four_hand", "partner_meld": True, "early_marriage": "pending"},
    {"preset": "1001", "players": 3},
    {"preset": "schnapsen", "match": True, "target": 3},
]
"""Every preset, and the forms with more seats, more questions and more hands."""


def names(forms: list[dict[str, Any]]) -> list[str]:
    """Ids for pytest."""
    return ["-".join(map(str, form.values())) for form in forms]


def mask_of(env: Any, agent: str) -> Any:
    """The agent's mask, wherever it stands."""
    seen = env.observe(agent)
    return seen["action_mask"] if isinstance(seen, dict) else env.infos[agent]["action_mask"]


def vector_of(env: Any, agent: str) -> Any:
    """The agent's observation without the mask."""
    seen = env.observe(agent)
    return seen["observation"] if isinstance(seen, dict) else seen


def pick(env: Any, source: random.Random) -> int:
    """A random legal action of the agent to act, from the mask."""
    return int(source.choice(np.flatnonzero(mask_of(env, env.agent_selection)).tolist()))


def decisions(env: Any, source: random.Random, most: int = 10_000) -> Iterator[str]:
    """Play at random until the end of the episode; yields the agent to act before each of its actions."""
    while not env.is_over and most > 0:
        yield env.agent_selection
        env.step(pick(env, source))
        most -= 1


def advance(env: Any, steps: int, seed: int = 1) -> Any:
    """Play some random decisions; returns the environment."""
    for _ in decisions(env, random.Random(seed), steps):
        pass
    return env


def trace(env: Any, seed: int) -> list[Any]:
    """Play on at random to the last dead step: all that is seen on the way."""
    source = random.Random(seed)
    seen: list[Any] = []
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        vector = observation["observation"] if isinstance(observation, dict) else observation
        mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
        action = None if termination else int(source.choice(np.flatnonzero(mask).tolist()))
        seen.append((agent, vector.tobytes(), mask.tobytes(), reward, termination, truncation, action))
        env.step(action)
    return seen
