"""What an episode is: deals, seeds, rewards, masks, hidden cards, refusals (F11, F18-F21)."""

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
from cardsim.registry import make_game
from cardsim_envs import sixty_six_v0
from tests.envs.playing import FORMS, advance, decisions, mask_of, names, pick, trace, vector_of

MATCH: dict[str, Any] = {"preset": "schnapsen", "match": True, "target": 3}


def test_f11_a_seeded_reset_keeps_the_options() -> None:
    env = sixty_six_v0.env("schnapsen", claims="auto", closing=False, target=5)
    name = env.game.name
    for options in (None, {"deal": 3}, {"unknown": 1}):
        for seed in (None, 7):
            env.reset(seed=seed, options=options)
            advance(env, 3)
            rules = env.states()["rules"]
            assert rules.tobytes() == make_game(name).rules.record.tobytes()
    assert name == "sixty_six(preset=schnapsen,claims=auto,closing=false,target=5)"


@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
def test_f18_nobody_sees_what_is_hidden_from_him(form: dict[str, Any]) -> None:
    env = sixty_six_v0.raw_env(**form)
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


@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
def test_f19_the_mask_is_exactly_what_step_accepts(form: dict[str, Any]) -> None:
    env = sixty_six_v0.raw_env(**form)
    env.reset(seed=11)
    for mover in decisions(env, random.Random(11), 40):
        before = env.save()
        for agent in env.possible_agents:
            assert mask_of(env, agent).any() == (agent == mover)
        mask = mask_of(env, mover)
        assert np.flatnonzero(mask).tolist() == env.legal_actions()
        for action in range(-1, 43):
            if 0 <= action < 41 and mask[action]:
                env.step(action)
                assert env.save() != before
                env.restore(before)
            else:
                with pytest.raises(ValueError, match=rf"action {action}\b.* is illegal; legal: \d+ \("):
                    env.step(action)
                assert env.save() == before
    if env.is_over:
        assert not any(mask_of(env, agent).any() for agent in env.possible_agents)


@pytest.mark.parametrize("maker", [sixty_six_v0.raw_env, sixty_six_v0.env])
@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
def test_f20_everybody_gets_his_rewards_exactly_once(maker: Any, form: dict[str, Any]) -> None:
    env = maker(**form)
    source = random.Random(2)
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
        assert any(from_last.values()) or form["preset"] != "schnapsen"


def test_rewards_of_a_match_are_cleared_by_the_next_step() -> None:
    env = sixty_six_v0.raw_env("base", match=False)
    env.reset(seed=1)
    for _ in decisions(env, random.Random(1)):
        assert set(env.rewards.values()) == {0.0}
    assert sum(map(abs, env.rewards.values())) > 0
    env.step(None)
    assert set(env.rewards.values()) == {0.0}


def test_a_match_goes_on_over_its_hands_and_deals_each_from_seed_number_and_hand() -> None:
    env = sixty_six_v0.raw_env(**MATCH)
    env.reset(seed=9, options={"deal": 4})
    hands = 1
    for _ in decisions(env, random.Random(3)):
        if int(env.states()["deals"][0]) > hands:
            hands = int(env.states()["deals"][0])
            again = env.states()
            streams = rng.new_streams()
            deal_hand(again[0], streams[0], np.uint64(9), np.uint64(4), hands - 1)
            again["deals"] -= 1
            assert again.tobytes() == env.states().tobytes()
    assert hands > 1
    assert sorted(env.returns().values()) == [-1.0, 1.0]


def test_deals_and_seeds() -> None:
    env, other = sixty_six_v0.raw_env(), sixty_six_v0.raw_env()
    env.reset(seed=5)
    assert env.deal_id == (5, 0)
    assert env.states().tobytes() == env.game.deal(5, 0).tobytes()
    env.reset()
    assert env.deal_id == (5, 1)
    assert env.states().tobytes() == env.game.deal(5, 1).tobytes()
    advance(env, 6)
    env.reset(options={"deal": 40})
    assert env.deal_id == (5, 40)
    assert env.states().tobytes() == env.game.deal(5, 40).tobytes()
    env.reset()
    assert env.deal_id == (5, 41)
    seed, number = env.deal_id
    other.reset(seed=seed, options={"deal": number})
    assert trace(env, 1) == trace(other, 1)
    big = 2**64 - 1
    env.reset(seed=big, options={"deal": np.uint64(2**63)})
    assert env.deal_id == (big, 2**63)


def test_without_a_seed_environments_differ_and_global_generators_stay_as_they_are() -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tobytes()  # type: ignore[index]
    one, two = sixty_six_v0.raw_env(), sixty_six_v0.raw_env()
    one.reset()
    two.reset()
    assert one.deal_id[0] != two.deal_id[0]
    assert one.deal_id[1] == 0
    trace(one, 1)
    assert before == (random.getstate(), np.random.get_state()[1].tobytes())  # type: ignore[index]


def test_f21_another_process_sees_the_same() -> None:
    code = (
        "import random, hashlib, numpy; random.seed(); numpy.random.seed();"
        "from cardsim_envs import sixty_six_v0; from tests.envs.playing import trace;"
        "env = sixty_six_v0.env('pagat66', match=True); env.reset(seed=6);"
        "print(hashlib.sha256(repr(trace(env, 3)).encode()).hexdigest())"
    )
    said = set()
    for hash_seed in ("0", "1234"):
        variables = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=variables)
        said.add(done.stdout)
    assert len(said) == 1


def test_from_a_given_pack() -> None:
    env = sixty_six_v0.env("schnapsen")
    deck = env.game.deck()
    random.Random(1).shuffle(deck)
    texts = [env.game.pack.text(card) for card in deck]
    starts = []
    for given in (deck, texts, ",".join(texts), np.array(deck)):
        env.reset(options={"deck": given, "dealer": 1})
        starts.append(env.states().tobytes())
        assert env.agent_selection == "player_0"
    assert starts == [env.game.deal_given(deck, 1).tobytes()] * 4
    assert len(trace(env, 2)) > 2


@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
def test_from_a_text_position(form: dict[str, Any]) -> None:
    env, other = sixty_six_v0.raw_env(**form), sixty_six_v0.raw_env(**form)
    env.reset(seed=8)
    for _ in decisions(env, random.Random(8), 12):
        text = env.game.notation.position_text(env.game.rules, env.states())
        other.reset(seed=8, options={"position": text})
        assert other.states().tobytes() == env.states().tobytes()
        assert other.agent_selection == env.agent_selection
        if env.states()["deals"][0] == 1:  # a match counts its later deals from where it began
            assert trace(other, 4) == trace(env.clone(), 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deal": -1}, "deal=-1: must be an integer from 0"),
        ({"deal": "x"}, "deal='x': must be an integer from 0"),
        ({"deal": True}, "deal=True: must be an integer"),
        ({"deal": 2**64}, "deal=18446744073709551616: must be"),
        ({"deal": 1, "position": "x"}, "deal and position: give only one"),
        ({"dealer": 0}, "dealer=0: goes only with deck"),
        ({"deck": [0, 1]}, "deck of 2 cards: must hold each of the 24"),
        ({"deck": "AH,XX"}, "card 'XX': must be one of"),
        ({"deck": [99]}, "card 99 in deck: must be"),
        ({"deck": list(range(24)), "dealer": "x"}, "dealer='x': must be from 0 to 1"),
        ({"position": 3}, "position=3: must be a text"),
        (5, "options 5: must be a dict"),
        ("deal", "options 'deal': must be a dict"),
        ([], r"options \[\]: must be a dict"),
        ({"deck": 5}, "deck=5: must be cards in dealing order"),
        ({"deck": {1: 2}}, "deck={1: 2}: must be cards"),
        ({"deck": b"AH"}, "deck=b'AH': must be cards"),
        ({"deck": np.array(3)}, r"deck=array\(3\): must be cards"),
        ({"deck": [True] * 24}, "card True in deck: must be"),
        ({"deck": [None] * 24}, "card None in deck: must be"),
        ({"position": "nonsense"}, "position|game 'nonsense'"),
        ({"position": "sixty_six(preset=schnapsen) dealer=0 phase=deal"}, "has the rules .*schnapsen"),
    ],
)
def test_bad_options_of_reset_change_nothing(options: Any, message: str) -> None:
    env = sixty_six_v0.raw_env()
    env.reset(seed=1)
    advance(env, 3)
    before = env.save()
    for seed in (None, 77):
        with pytest.raises(ValueError, match=message) as caught:
            env.reset(seed=seed, options=options)
        assert "\n" not in str(caught.value)
        assert env.save() == before


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x", True])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        sixty_six_v0.raw_env().reset(seed=seed)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "nosuch"}, "preset 'nosuch' is unknown; presets are base"),
        ({"claim": "auto"}, "option 'claim' is unknown; did you mean claims"),
        ({"claims": "often"}, "option claims=often: must be free, true_only, auto"),
        ({"mask_in": "both"}, r"mask_in 'both': must be observation \(or obs\) or info"),
        ({"render_mode": "window"}, "render_mode 'window': must be None, ansi, rgb_array, human"),
        ({"show": "nobody"}, "show 'nobody': must be mover or all"),
        ({"copy": "yes"}, "copy 'yes': must be True or False"),
        ({"copy": np.array([1, 2])}, r"copy array\(\[1, 2\]\): must be True or False"),
        ({"mask_in": []}, r"mask_in \[\]: must be observation"),
        ({"show": []}, r"show \[\]: must be mover or all"),
        ({"render_mode": []}, r"render_mode \[\]: must be None"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    for make in (sixty_six_v0.raw_env, sixty_six_v0.env):
        with pytest.raises(ValueError, match=message) as caught:
            make(**arguments)
        assert "\n" not in str(caught.value)


def test_bad_calls_on_a_raw_environment() -> None:
    env = sixty_six_v0.raw_env(render_mode="ansi")
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.save, env.render):
        with pytest.raises(ValueError, match=r"no episode is running; call reset\(\)"):
            call()
    env.reset(seed=1)
    strangers: list[Any] = [[], None, 5]
    for agent in strangers:
        for ask in (env.observe, env.observation_space, env.action_space):
            with pytest.raises(ValueError, match="must be one of player_0, player_1"):
                ask(agent)
    for action in (1.0, None, "AH", np.zeros(2)):
        with pytest.raises(ValueError, match="must be an integer"):
            env.step(action)
    with pytest.raises(ValueError, match=f"action {2**70} is illegal"):
        env.step(2**70)
    with pytest.raises(ValueError, match="agent 'nobody': must be one of player_0, player_1"):
        env.observe("nobody")
    with pytest.raises(ValueError, match="agent 'nobody'"):
        env.action_space("nobody")
    trace(env, 1)
    with pytest.raises(ValueError, match="no episode is running"):
        env.step(None)


def test_observe_is_pure_and_answers_for_all_at_any_time() -> None:
    env = sixty_six_v0.raw_env("four_hand")
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


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_infos_keep_their_keys_and_earlier_ones_stay_as_they_were(mask_in: str) -> None:
    env = sixty_six_v0.raw_env("pagat66", mask_in=mask_in)
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


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_without_copies_the_same_is_seen(mask_in: str) -> None:
    shared, fresh = (sixty_six_v0.raw_env(copy=copy, mask_in=mask_in) for copy in (False, True))
    shared.reset(seed=3)
    fresh.reset(seed=3)
    assert vector_of(shared, shared.agent_selection) is vector_of(shared, shared.agent_selection)
    assert trace(shared, 5) == trace(fresh, 5)
