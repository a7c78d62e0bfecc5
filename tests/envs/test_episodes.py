"""What an episode is: rewards, masks, hidden cards, what is handed out (F18-F21)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.dealing import deal_hand
from tests.envs.playing import (
    FORMS,
    MAKERS,
    MATCHES,
    PLAIN,
    SIXTY_SIX,
    ZWICKEN,
    ZWICKER,
    Form,
    decisions,
    hands_dealt,
    mask_of,
    pick,
    trace,
    vector_of,
)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_f18_nobody_sees_what_is_hidden_from_him(form: Form) -> None:
    env = form.make()
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(2), rng.USER)
    moved = 0
    for seed in range(3):
        env.reset(seed=seed)
        for mover in decisions(env, random.Random(seed), 60):
            for seat, agent in enumerate(env.possible_agents):
                world = env.states()
                env.game.resample_hidden(world, seat, streams)
                moved += world.tobytes() != env.states().tobytes()
                assert env.game.observe(world, seat).tobytes() == vector_of(env, agent).tobytes()
                if agent == mover:
                    assert env.game.legal_actions(world) == env.legal_actions()
    assert moved > 0


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_f19_the_mask_is_exactly_what_step_accepts(form: Form) -> None:
    env = form.make()
    env.reset(seed=11)
    for mover in decisions(env, random.Random(11), 40):
        before = env.save()
        for agent in env.possible_agents:
            assert mask_of(env, agent).any() == (agent == mover)
        mask = mask_of(env, mover)
        assert np.flatnonzero(mask).tolist() == env.legal_actions()
        for action in range(-1, form.game.num_actions + 2):
            if 0 <= action < form.game.num_actions and mask[action]:
                env.step(action)
                assert env.save() != before
                env.restore(before)
            else:
                with pytest.raises(ValueError, match=rf"action {action}\b.* is illegal; legal: \d+ \("):
                    env.step(action)
                assert env.save() == before
    if env.is_over:
        assert not any(mask_of(env, agent).any() for agent in env.possible_agents)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_f20_everybody_gets_his_rewards_exactly_once(maker: str, form: Form) -> None:
    env = form.make(maker)
    source = random.Random(2)
    paid_at_all = 0.0
    for seed in range(4):
        env.reset(seed=seed)
        from_last = dict.fromkeys(env.possible_agents, 0.0)
        from_rewards = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            _, reward, termination, truncation, _ = env.last()
            assert isinstance(reward, float) and not truncation
            assert env.is_over == termination == all(env.terminations.values())
            from_last[agent] += reward
            env.step(None if termination else pick(env, source))
            for name, paid in env.rewards.items():
                from_rewards[name] += paid
        assert from_last == from_rewards == env.returns()
        paid_at_all += sum(map(abs, from_last.values()))
    assert paid_at_all > 0


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_rewards_come_at_the_end_of_a_deal_and_are_cleared_by_the_next_step(form: Form) -> None:
    env = form.make()
    env.reset(seed=1)
    for _ in decisions(env, random.Random(1)):
        assert set(env.rewards.values()) == {0.0}
    assert sum(map(abs, env.rewards.values())) > 0
    env.step(None)
    assert set(env.rewards.values()) == {0.0}


@pytest.mark.parametrize("form", MATCHES, ids=str)
def test_a_match_goes_on_over_its_hands_and_deals_each_from_seed_number_and_hand(form: Form) -> None:
    env = form.make()
    env.reset(seed=9, options={"deal": 4})
    source, streams = random.Random(3), rng.new_streams()
    hands = 1
    while not env.is_over:
        expected, action = env.states(), pick(env, source)
        env.step(action)
        if hands_dealt(env) > hands:
            env.game.apply_action(expected, action)
            deal_hand(expected[0], streams[0], np.uint64(9), np.uint64(4), hands)
            assert expected.tobytes() == env.states().tobytes()
            hands += 1
    assert hands > 1


def test_a_match_of_sixty_six_pays_its_winner_at_the_end() -> None:
    env = SIXTY_SIX[-1].make()
    env.reset(seed=9)
    for _ in decisions(env, random.Random(3)):
        assert set(env.rewards.values()) == {0.0}
    assert sorted(env.returns().values()) == sorted(env.rewards.values()) == [-1.0, 1.0]


@pytest.mark.parametrize("form", [SIXTY_SIX[-1], ZWICKEN[-1], ZWICKER[-1]], ids=str)
def test_f21_another_process_sees_the_same(form: Form) -> None:
    code = (
        "import random, hashlib, numpy; random.seed(); numpy.random.seed();"
        "from tests.envs.playing import Form, trace;"
        f"env = Form({form.id!r}, {form.rules!r}).make('env'); env.reset(seed=6);"
        "print(hashlib.sha256(repr(trace(env, 3)).encode()).hexdigest())"
    )
    said = set()
    for hash_seed in ("0", "1234"):
        variables = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=variables)
        said.add(done.stdout)
    assert len(said) == 1


@pytest.mark.parametrize(
    "form",
    [Form("sixty_six", {"preset": "four_hand"}), Form("zwicken", {}), Form("zwicker", {"preset": "six_joker"})],
    ids=str,
)
def test_observe_is_pure_and_answers_for_all_at_any_time(form: Form) -> None:
    env = form.make()
    env.reset(seed=2)
    source = random.Random(1)
    while env.agents:
        before = env.save()
        first = [(vector_of(env, agent).tobytes(), mask_of(env, agent).tobytes()) for agent in env.possible_agents]
        for agent in reversed(env.possible_agents):
            seen = env.observe(agent)
            seen["observation"][:] = 1  # what is handed out belongs to the caller
            seen["action_mask"][:] = 1
        again = [(vector_of(env, agent).tobytes(), mask_of(env, agent).tobytes()) for agent in env.possible_agents]
        assert first == again
        assert env.save() == before
        env.step(None if env.is_over else pick(env, source))


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_infos_keep_their_keys_and_earlier_ones_stay_as_they_were(mask_in: str, form: Form) -> None:
    env = form.make(mask_in=mask_in)
    env.reset(seed=2)
    keys = {"action_mask"} if mask_in == "info" else set()
    kept: list[tuple[Any, bytes]] = []
    for mover in decisions(env, random.Random(4)):
        assert all(set(info) == keys for info in env.infos.values())
        mask = mask_of(env, mover)
        kept.append((mask, mask.tobytes()))
        assert np.flatnonzero(mask).tolist() == env.legal_actions()
    assert all(mask.tobytes() == then for mask, then in kept)
    assert all(set(info) == keys for info in env.infos.values())


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_without_copies_the_same_is_seen(mask_in: str, form: Form) -> None:
    shared, fresh = (form.make(copy=copy, mask_in=mask_in) for copy in (False, True))
    shared.reset(seed=3)
    fresh.reset(seed=3)
    assert vector_of(shared, shared.agent_selection) is vector_of(shared, shared.agent_selection)
    assert trace(shared, 5) == trace(fresh, 5)
