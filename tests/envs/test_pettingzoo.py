"""PettingZoo's own tests and conventions."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from pettingzoo import test as pettingzoo_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import cardsim_envs
from cardsim_envs import sixty_six_v0
from tests.envs.playing import FORMS, advance, decisions, mask_of, names, pick

# PettingZoo exports its tests without annotations.
ZOO: Any = pettingzoo_test
MAKERS: dict[str, Callable[..., Any]] = {"raw": sixty_six_v0.raw_env, "wrapped": sixty_six_v0.env}
# api_test knows the environments of PettingZoo by name and warns of any other whose observation is a dict; at
# the end nobody has a legal action (decision 2 of the design).
BY_DESIGN = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    r"ignore:Action mask numpy array is all zeros \(no legal actions\):UserWarning",
)


@BY_DESIGN
@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.parametrize("maker", MAKERS)
def test_api_and_seed(maker: str, mask_in: str, form: dict[str, Any]) -> None:
    make = MAKERS[maker]
    ZOO.api_test(make(mask_in=mask_in, **form), num_cycles=60)
    ZOO.seed_test(lambda: make(mask_in=mask_in, **form), num_cycles=60)


@BY_DESIGN
def test_api_without_copies() -> None:
    ZOO.api_test(sixty_six_v0.raw_env(copy=False), num_cycles=60)
    ZOO.api_test(sixty_six_v0.raw_env(copy=False, mask_in="info"), num_cycles=60)


@pytest.mark.parametrize("maker", MAKERS)
def test_render(maker: str, capsys: pytest.CaptureFixture[str]) -> None:
    ZOO.render_test(MAKERS[maker])
    assert "Trumps:" in capsys.readouterr().out


def test_as_parallel() -> None:
    parallel = turn_based_aec_to_parallel(sixty_six_v0.env())
    ZOO.parallel_api_test(parallel, num_cycles=60)


@pytest.mark.parametrize("mask_in", ["obs", "observation", "info"])
def test_spaces(mask_in: str) -> None:
    env = sixty_six_v0.env("three_hand", mask_in=mask_in)
    env.reset(seed=1)
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == Discrete(41)
        seen, mask = env.observe(agent), mask_of(env, agent)
        assert space.contains(seen)
        vector = Box(0, 1, (830,), np.int8)
        assert space == (vector if mask_in == "info" else Dict({"observation": vector, "action_mask": MultiBinary(41)}))
        assert mask.dtype == np.int8
        assert mask.flags.c_contiguous
        assert env.infos[agent] == {} or (mask_in == "info" and env.infos[agent]["action_mask"] is mask)


def test_metadata_belongs_to_the_instance() -> None:
    one, two = sixty_six_v0.raw_env(), sixty_six_v0.raw_env()
    assert str(one) == str(sixty_six_v0.env()) == "sixty_six_v0"
    assert one.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
    assert one.metadata["is_parallelizable"] is False
    assert one.metadata["render_fps"] > 0
    one.metadata["render_modes"].clear()
    one.clone().metadata["name"] = "other"
    assert two.metadata["render_modes"] and one.metadata["name"] == "sixty_six_v0"


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
def test_registry() -> None:
    env = pettingzoo.make("aec", "cardsim/sixty_six-v0", preset="schnapsen", mask_in="info")
    assert env.unwrapped.game.name == "sixty_six(preset=schnapsen)"  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cardsim_envs.register_envs()  # a second time: no warning of an override


def test_imports_without_a_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    cardsim_envs.register_envs()


def test_nothing_that_draws_is_imported_before_drawing() -> None:
    code = (
        "import sys; from cardsim_envs import sixty_six_v0;"
        "env = sixty_six_v0.env(render_mode='rgb_array');"
        "print([name for name in ('PIL', 'matplotlib', 'pygame', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8, np.array])
def test_kinds_of_integers(kind: Any) -> None:
    env, same = sixty_six_v0.raw_env(), sixty_six_v0.raw_env()
    env.reset(seed=3)
    same.reset(seed=3)
    action = pick(env, random.Random(1))
    env.step(kind(action))
    same.step(action)
    assert env.states().tobytes() == same.states().tobytes()


@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.filterwarnings(r"ignore:.*\[WARNING\]. Illegal move made:UserWarning")
def test_an_illegal_action_ends_the_wrapped_episode_to_the_last_dead_step(mask_in: str) -> None:
    env = sixty_six_v0.env("four_hand", mask_in=mask_in)
    env.reset(seed=5)
    advance(env, 4)
    loser = env.agent_selection
    env.last()
    env.step(int(np.flatnonzero(mask_of(env, loser) == 0)[0]))
    assert env.is_over
    assert env.legal_actions() == []
    assert not any(mask_of(env, agent).any() for agent in env.agents)
    paid = {}
    for agent in env.agent_iter():
        _, paid[agent], termination, truncation, _ = env.last()
        assert termination and truncation
        env.step(None)
    assert env.agents == []
    assert paid == {agent: -1.0 if agent == loser else 0.0 for agent in env.possible_agents}
    env.reset()
    assert list(decisions(env, random.Random(1)))


def test_wrappers_still_guard_the_order_and_the_bounds() -> None:
    env = sixty_six_v0.env()
    with pytest.raises(AssertionError, match="before step"):
        env.step(0)
    env.reset(seed=1)
    env.last()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(41)
