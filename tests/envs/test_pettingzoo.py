"""PettingZoo's own tests and conventions."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from pettingzoo import test as pettingzoo_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import cardsim_envs
from cardsim_envs import ENVIRONMENTS, sixty_six_v0
from tests.envs.playing import FORMS, MAKERS, MODULES, PLAIN, Form, advance, decisions, mask_of, pick

# PettingZoo exports its tests without annotations.
ZOO: Any = pettingzoo_test
# api_test knows the environments of PettingZoo by name and warns of any other whose observation is a dict; at
# the end nobody has a legal action (decision 2 of the design).
BY_DESIGN = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    r"ignore:Action mask numpy array is all zeros \(no legal actions\):UserWarning",
)


def test_every_environment_is_tested() -> None:
    assert sorted(f"{module.__name__}:env" for module in MODULES.values()) == sorted(ENVIRONMENTS.values())
    assert {form.id for form in FORMS} == {*MODULES}


@BY_DESIGN
@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.parametrize("maker", MAKERS)
def test_api_and_seed(maker: str, mask_in: str, form: Form) -> None:
    ZOO.api_test(form.make(maker, mask_in=mask_in), num_cycles=60)
    ZOO.seed_test(lambda: form.make(maker, mask_in=mask_in), num_cycles=60)


@BY_DESIGN
@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_api_without_copies(form: Form, mask_in: str) -> None:
    ZOO.api_test(form.make(copy=False, mask_in=mask_in), num_cycles=60)


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("maker", MAKERS)
def test_render(maker: str, form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    ZOO.render_test(lambda **arguments: form.make(maker, **arguments))
    assert "Seat 0" in capsys.readouterr().out


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_as_parallel(form: Form) -> None:
    parallel = turn_based_aec_to_parallel(form.make("env"))
    ZOO.parallel_api_test(parallel, num_cycles=60)


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("mask_in", ["obs", "observation", "info"])
def test_spaces(mask_in: str, form: Form) -> None:
    env = form.make("env", mask_in=mask_in)
    env.reset(seed=1)
    size, actions = form.game.observation_size, form.game.num_actions
    vector = Box(0, 1, (size,), np.int8)
    assert env.possible_agents == [f"player_{seat}" for seat in range(form.game.num_players)]
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == Discrete(actions)
        seen, mask = env.observe(agent), mask_of(env, agent)
        assert space.contains(seen)
        both = Dict({"observation": vector, "action_mask": MultiBinary(actions)})
        assert space == (vector if mask_in == "info" else both)
        assert mask.dtype == np.int8
        assert mask.flags.c_contiguous
        assert env.infos[agent] == {} or (mask_in == "info" and env.infos[agent]["action_mask"] is mask)


@pytest.mark.parametrize("id", MODULES)
def test_the_first_lines_of_help_say_the_sizes(id: str) -> None:
    env = MODULES[id].raw_env()
    text = MODULES[id].__doc__ or ""
    assert f"Discrete({env.game.num_actions})" in text and f"Box(0, 1, ({env.game.observation_size},), int8)" in text
    for maker in MAKERS:
        made = getattr(MODULES[id], maker)
        assert pickle.loads(pickle.dumps(made)) is made
        assert made.__doc__


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_metadata_belongs_to_the_instance(form: Form) -> None:
    one, two = form.make(), form.make()
    name = f"{form.id}_v0"
    assert str(one) == str(form.make("env")) == name
    assert one.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
    assert one.metadata["is_parallelizable"] is False
    assert one.metadata["render_fps"] > 0
    one.metadata["render_modes"].clear()
    one.clone().metadata["name"] = "other"
    assert two.metadata["render_modes"] and one.metadata["name"] == name


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_registry(form: Form) -> None:
    env = pettingzoo.make("aec", f"cardsim/{form.id}-v0", mask_in="info", **form.rules)
    assert env.unwrapped.game == form.game  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cardsim_envs.register_envs()  # a second time: no warning of an override


def test_imports_without_a_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    cardsim_envs.register_envs()


def test_nothing_that_draws_is_imported_before_drawing() -> None:
    code = (
        "import sys; from cardsim_envs import sixty_six_v0, zwicken_v0, zwicker_v0;"
        "envs = [module.env(render_mode='rgb_array') for module in (sixty_six_v0, zwicken_v0, zwicker_v0)];"
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


@pytest.mark.parametrize(
    "form",
    [
        Form("sixty_six", {"preset": "four_hand"}),
        Form("zwicken", {"players": 5}),
        Form("zwicker", {"preset": "six_joker", "players": 6}),
    ],
    ids=str,
)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.filterwarnings(r"ignore:.*\[WARNING\]. Illegal move made:UserWarning")
def test_an_illegal_action_ends_the_wrapped_episode_to_the_last_dead_step(mask_in: str, form: Form) -> None:
    env = form.make("env", mask_in=mask_in)
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


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_wrappers_still_guard_the_order_and_the_bounds(form: Form) -> None:
    env = form.make("env")
    with pytest.raises(AssertionError, match="before step"):
        env.step(0)
    env.reset(seed=1)
    env.last()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(form.game.num_actions)
