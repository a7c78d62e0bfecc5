"""Chips of Zwicken as rewards: what players lose lies in the pot (ZP30, ZQ29, F20)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardsim_envs import zwicken_v0
from tests.envs.playing import MAKERS, ZWICKEN, Form, check_paid_once, decisions, pick

WITH_POT = Form("zwicken", {"preset": "base", "start_pot": 30, "durchmarsch": "extra_to_winner"})


def chips(env: Any) -> Any:
    """Balances of the seats that play."""
    state = env.unwrapped.states()[0]
    return state["chips"][: state["rules"]["players"]].astype(float)


def pot(env: Any) -> float:
    """Chips in the pot."""
    return float(env.unwrapped.states()["pot"][0])


@pytest.mark.parametrize("form", [*ZWICKEN, WITH_POT], ids=str)
def test_zp30_the_rewards_of_an_episode_are_the_chips_that_have_changed_hands(form: Form) -> None:
    env = form.make()
    rules = env.game.rules
    for seed in range(8):
        env.reset(seed=seed)
        paid = np.zeros(env.game.num_players)
        for _ in decisions(env, random.Random(seed)):
            paid += [env.rewards[agent] for agent in env.possible_agents]
            done = env.states()[0]["before"][: env.game.num_players] - rules["start_chips"]
            assert paid.tolist() == done.tolist()  # nothing of a deal that is not finished
        paid += [env.rewards[agent] for agent in env.possible_agents]
        assert (paid + rules["start_chips"]).tolist() == chips(env).tolist()
        assert paid.sum() + pot(env) == rules["start_pot"]
        assert env.returns() == dict(zip(env.possible_agents, paid.tolist(), strict=True))


@pytest.mark.parametrize("maker", MAKERS)
def test_f20_a_deal_pays_every_seat_once_also_those_who_passed(maker: str) -> None:
    env = zwicken_v0.env(players=5, start_pot=9) if maker == "env" else zwicken_v0.raw_env(players=5, start_pot=9)
    source = random.Random(1)
    passed = 0
    for seed in range(12):
        env.reset(seed=seed)
        check_paid_once(env, source)
        passed += 5 - int(env.unwrapped.states()["active"][0]).bit_count()  # type: ignore[attr-defined]
    assert passed > 5


@pytest.mark.parametrize(
    ("belli_cut", "moved"),
    [
        ("pay_between", [-9, 3, 3, 0]),  # ante 3, and 3 to each of the two between dealer and cutter (ZQ1)
        ("pay_all_others", [-12, 3, 3, 3]),
        ("pot_jump", [-3, -3, -3, -3]),
        ("none", [-3, 0, 0, 0]),
    ],
)
def test_zp30_what_a_void_cut_costs_is_paid_with_its_deal(belli_cut: str, moved: list[int]) -> None:
    env = zwicken_v0.raw_env(belli_cut=belli_cut)
    belli = env.game.pack.card("7D")
    deck = [*(card for card in env.game.deck() if card != belli), belli]
    for seed in range(40):
        env.reset(seed=seed, options={"deck": deck, "dealer": 0})
        state = env.states()[0]
        if state["attempts"] == 2:
            break
    assert state["dealer"] == 3  # the deal has passed to the cutter, who antes too (Z12)
    assert chips(env).tolist() == [*moved[:3], moved[3] - 3]
    assert not any(env.rewards.values()) and not any(env.returns().values())
    for _ in range(4):
        env.step(env.legal_actions()[-1])  # everybody passes who may
    while not env.is_over:
        env.step(pick(env, random.Random(1)))
    assert list(env.rewards.values()) == chips(env).tolist()
    assert sum(env.rewards.values()) == -pot(env)
