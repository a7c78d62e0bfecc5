"""Copies of an environment keep its whole moment (F22)."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from cardsim_envs import sixty_six_v0
from tests.envs.playing import FORMS, MAKERS, PLAIN, Form, advance, mask_of, trace


def saved(env: Any) -> Any:
    """A fresh environment that takes up what was saved."""
    raw = env.unwrapped
    rules = raw.game.rules
    form = Form(raw.game.id, {"preset": rules.preset, **rules.changed})
    mask_in = "info" if raw._in_info else "observation"
    fresh = form.make("raw_env" if env is raw else "env", mask_in=mask_in, copy=raw._copy)
    fresh.restore(pickle.loads(pickle.dumps(env.save())))
    return fresh


WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
    "clone": lambda env: env.clone(),
    "save": saved,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_f22_a_copy_goes_on_alike_and_on_its_own(form: Form, maker: str, way: str) -> None:
    for mask_in in ("observation", "info"):
        env = form.make(maker, mask_in=mask_in)
        env.reset(seed=4, options={"deal": 7})
        advance(env, 6)
        other = WAYS[way](env)
        third = WAYS[way](env)
        assert type(other) is type(env)
        before = env.save()
        first = trace(other, 1)
        assert env.save() == before == third.save()
        assert trace(env, 1) == first == trace(third, 1)
        env.reset()
        other.reset()
        assert env.deal_id == other.deal_id == (4, 8)
        assert trace(env, 2) == trace(other, 2)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(
    "form",
    [
        Form("sixty_six", {"preset": "three_hand"}),
        Form("zwicken", {"preset": "dreier"}),
        Form("zwicker", {"preset": "one_joker", "players": 3}),
    ],
    ids=str,
)
def test_a_copy_made_at_the_end_or_between_dead_steps(form: Form, maker: str, way: str) -> None:
    env = form.make(maker)
    env.reset(seed=1)
    advance(env, 1000)
    assert env.is_over
    for left in (3, 2, 1):
        other = WAYS[way](env)
        assert other.agents == env.agents
        assert len(other.agents) == left
        assert other.is_over
        assert other.returns() == env.returns()
        assert trace(other, 1) == trace(env.clone(), 1)
        env.step(None)
    assert WAYS[way](env).agents == []


@pytest.mark.parametrize("way", ["pickle", "deepcopy", "clone"])
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_a_copy_made_before_the_first_reset(form: Form, maker: str, way: str) -> None:
    env = form.make(maker)
    other = WAYS[way](env)
    env.reset()
    other.reset()
    assert env.deal_id == other.deal_id
    assert trace(env, 1) == trace(other, 1)


@pytest.mark.parametrize("way", ["pickle", "deepcopy", "clone"])
@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_shared_arrays_stay_tied_to_their_own_environment(form: Form, way: str) -> None:
    for mask_in in ("observation", "info"):
        env = form.make(copy=False, mask_in=mask_in)
        env.reset(seed=2)
        advance(env, 3)
        other = WAYS[way](env)
        mine, his = mask_of(env, env.agent_selection), mask_of(other, other.agent_selection)
        assert mine is not his
        assert his is mask_of(other, other.agent_selection)
        assert trace(other, 3) == trace(env, 3)


def test_pickle_and_deepcopy_keep_the_generators_of_the_spaces() -> None:
    env = sixty_six_v0.raw_env()
    env.reset(seed=1)
    env.action_space("player_0").seed(5)
    env.action_space("player_0").sample()
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    after = [[int(one.action_space("player_0").sample()) for _ in range(8)] for one in (*copies, env)]
    assert after[0] == after[1] == after[2]
    env.clone().action_space("player_0").sample()
    assert env.action_space("player_0").sample() == copies[0].action_space("player_0").sample()


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_going_back_and_forth_through_the_wrappers(form: Form) -> None:
    env = form.make("env")
    env.reset(seed=3)
    source = random.Random(1)
    moments = []
    for agent in env.agent_iter():
        if env.is_over:
            break
        moments.append((agent, env.save()))
        env.step(int(source.choice(env.legal_actions())))
    for agent, moment in reversed(moments):
        env.restore(moment)
        assert env.agent_selection == agent
        # Without a look at the observation first: the wrapper must not judge by the mask of another moment.
        env.step(env.legal_actions()[-1])
        assert not any(env.truncations.values())


BROKEN: dict[str, Any] = {
    "game": None,
    "states": b"",
    "clock": "x" * 32,
    "money": b"\xff" * 128,
    "observation": b"\x01",
    "mask": b"\x02" * 41,
    "agents": ["player_0"],
    "agent_selection": "nobody",
    "_skip_agent_selection": 5,
    "_seat": 9,
    "_mover": "player_9",
    "_paid": None,
    "rewards": {},
    "_cumulative_rewards": {"player_0": "1", "player_1": 0.0},
    "terminations": None,
    "truncations": {"player_0": 1, "player_1": 0},
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_no_moment_is_refused_and_changes_nothing(maker: str, missing: bool, name: str) -> None:
    env, other = PLAIN[0].make(maker), PLAIN[0].make(maker)
    env.reset(seed=1)
    advance(env, 3)
    other.reset(seed=2)
    moment, before = env.save(), other.save()
    assert {*moment} == {*BROKEN}
    if missing:
        del moment[name]
    else:
        moment[name] = BROKEN[name]
    refused: list[Any] = [moment, None, 5, {}]
    for wrong in refused:
        with pytest.raises(ValueError, match="saved") as caught:
            other.restore(wrong)
        assert "\n" not in str(caught.value)
        assert other.save() == before
    other.restore(env.save())
    assert other.save() == env.save()


def test_a_moment_in_which_another_is_to_act_is_refused() -> None:
    env = sixty_six_v0.raw_env()
    env.reset(seed=1)
    moment = env.save()
    seat = 1 - moment["_seat"]
    with pytest.raises(ValueError, match=f"saved _mover 'player_{seat}': it is not that seat's turn"):
        env.restore({**moment, "_seat": seat, "_mover": f"player_{seat}"})


def test_a_moment_of_other_rules_is_refused() -> None:
    env, other = sixty_six_v0.raw_env(), sixty_six_v0.raw_env("schnapsen")
    env.reset(seed=1)
    other.reset(seed=1)
    before = other.save()
    with pytest.raises(ValueError, match=r"saved under sixty_six\(preset=base\): this environment plays"):
        other.restore(env.save())
    assert other.save() == before
