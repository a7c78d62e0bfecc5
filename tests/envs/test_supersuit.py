"""SuperSuit's wrappers over the environments, against the real package."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.envs.playing import PLAIN, Form

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # SuperSuit's imports warn of what they use
    supersuit: Any = pytest.importorskip("supersuit")

WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "dtype": lambda env: supersuit.dtype_v0(env, np.float32),
    "flatten": lambda env: supersuit.flatten_v0(env),
    "frame_stack": lambda env: supersuit.frame_stack_v1(env, 3),
    "agent_indicator": lambda env: supersuit.agent_indicator_v0(env),
    "pad_observations": lambda env: supersuit.pad_observations_v0(env),
    "clip_reward": lambda env: supersuit.clip_reward_v0(env, -1, 1),
}


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("name", WRAPPERS)
def test_an_episode_in_a_wrapper(name: str, form: Form) -> None:
    env = WRAPPERS[name](form.make("env", mask_in="info"))
    raw = env.unwrapped
    env.reset(seed=2)
    source, steps = random.Random(2), 0
    for agent in env.agent_iter():
        observation, _, over, _, info = env.last()
        assert env.observation_space(agent).contains(observation)
        legal = np.flatnonzero(info["action_mask"]).tolist()
        assert legal == ([] if over else raw.legal_actions())
        if name in ("dtype", "flatten", "pad_observations", "clip_reward"):
            assert (observation == raw.observe(agent)).all()
        env.step(None if over else source.choice(legal))
        steps += 1
    assert steps > raw.game.num_players
