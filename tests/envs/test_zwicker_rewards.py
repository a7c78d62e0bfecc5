"""Points of Zwicker as rewards: each side's own less the mean of the others'; partners share them (W14, W22, WP17)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.envs.playing import MAKERS, ZWICKER, Form, check_paid_once, decisions, hands_dealt, pick

TEAMS = [
    Form("zwicker", {"preset": "six_joker"}),
    Form("zwicker", {"preset": "four_joker", "players": 6, "stale_build_penalty": 30, "match": True, "n_deals": 3}),
    Form("zwicker", {"preset": "grupp", "players": 8, "teams": "true", "joker_points": 4}),
    Form("zwicker", {"preset": "no_joker", "teams": "true", "match": True, "target": 25}),
]
SINGLES = [form for form in ZWICKER if not form.rules.get("match")]


def scores(env: Any) -> list[int]:
    """Points of the finished deals, by side."""
    state = env.unwrapped.states()[0]
    return [int(points) for points in state["scores"][: state["rules"]["sides"]]]


def shares(points: list[int]) -> list[float]:
    """What these points of the sides are worth to each of them."""
    others = len(points) - 1
    return [own - (sum(points) - own) / others for own in points]


@pytest.mark.parametrize("form", SINGLES, ids=str)
def test_w14_a_deal_pays_points_less_the_mean_of_the_others_at_its_end(form: Form) -> None:
    env = form.make()
    sides = int(env.game.rules.record["sides"][0])
    paid_at_all = 0.0
    for seed in range(5):
        env.reset(seed=seed)
        for _ in decisions(env, random.Random(seed)):
            assert not any(env.rewards.values()) and not any(env.returns().values())
        expected = shares(scores(env))
        paid = list(env.rewards.values())
        assert paid == pytest.approx([expected[seat % sides] for seat in range(env.game.num_players)])
        assert sum(paid) == pytest.approx(0)
        assert env.returns() == env.rewards
        paid_at_all += max(paid)
    assert paid_at_all > 0


@pytest.mark.parametrize("form", TEAMS, ids=str)
def test_w22_partners_share_every_reward_and_the_sides_sum_to_zero(form: Form) -> None:
    env = form.make()
    paying = 0
    for seed in range(4):
        env.reset(seed=seed)
        total = [0.0, 0.0]
        moments = [dict(env.rewards) for _ in decisions(env, random.Random(seed))]
        for rewards in (*moments, env.rewards):
            by_seat = list(rewards.values())
            assert set(by_seat[::2]) == {by_seat[0]} and set(by_seat[1::2]) == {by_seat[1]}
            assert by_seat[0] + by_seat[1] == 0
            total = [total[0] + by_seat[0], total[1] + by_seat[1]]
            paying += by_seat[0] != 0
        assert total == shares(scores(env)) == list(env.returns().values())[:2]
    assert paying > 2


@pytest.mark.parametrize("form", [form for form in (*ZWICKER, *TEAMS) if form.rules.get("match")], ids=str)
def test_wq26_each_deal_of_a_match_pays_what_it_has_brought(form: Form) -> None:
    env = form.make()
    sides = int(env.game.rules.record["sides"][0])
    for seed in range(3):
        env.reset(seed=seed)
        before, finished = scores(env), 0
        source = random.Random(seed)
        while not env.is_over:
            hands = hands_dealt(env)
            env.step(pick(env, source))
            now = scores(env)
            brought = shares([new - old for new, old in zip(now, before, strict=True)])
            assert list(env.rewards.values()) == [brought[seat % sides] for seat in range(env.game.num_players)]
            ended = hands_dealt(env) > hands or env.is_over
            assert ended or now == before
            finished += ended
            before = now
        assert finished == hands_dealt(env) > 1


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("form", [TEAMS[0], ZWICKER[1]], ids=str)
def test_f20_every_seat_is_paid_once_by_last(form: Form, maker: str) -> None:
    env = form.make(maker)
    source = random.Random(1)
    for seed in range(3):
        env.reset(seed=seed)
        check_paid_once(env, source)


def test_a_turn_is_a_chain_of_decisions_of_one_agent() -> None:
    env = ZWICKER[2].make()
    env.reset(seed=3)
    longest, length, turns, mover = 0, 0, 0, ""
    for agent in decisions(env, random.Random(3)):
        state = env.states()[0]
        if state["card"] >= env.game.pack.size:  # no card on its way: a turn begins
            turns, length, mover = turns + 1, 0, agent
        assert agent == mover
        length += 1
        longest = max(longest, length)
    assert turns == 48 and longest > 3  # 48 cards are dealt to the hands (2.2)
