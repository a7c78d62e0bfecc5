"""How an episode begins: options, deals, seeds, packs and positions; refusals (F11)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardsim.contract import CHANCE
from cardsim.games.zwicker.layout import NO_CARD
from cardsim.registry import make_game
from cardsim_envs import sixty_six_v0, zwicken_v0, zwicker_v0
from tests.envs.playing import FORMS, MAKERS, PLAIN, Form, advance, decisions, hands_dealt, trace


@pytest.mark.parametrize(
    ("form", "name"),
    [
        (
            Form("sixty_six", {"preset": "schnapsen", "claims": "auto", "closing": False, "target": 5}),
            "sixty_six(preset=schnapsen,claims=auto,closing=false,target=5)",
        ),
        (
            Form("zwicken", {"preset": "styrian", "players": 3, "stake": 6, "duties": "enforce"}),
            "zwicken(preset=styrian,players=3,stake=6,duties=enforce)",
        ),
        (
            Form("zwicker", {"preset": "three_joker", "players": 3, "must_capture": True, "n_deals": 4}),
            "zwicker(preset=three_joker,players=3,must_capture=true,n_deals=4)",
        ),
    ],
    ids=["sixty_six", "zwicken", "zwicker"],
)
def test_f11_a_seeded_reset_keeps_the_options(form: Form, name: str) -> None:
    env = form.make("env")
    assert env.game.name == name
    for options in (None, {"deal": 3}, {"unknown": 1}):
        for seed in (None, 7):
            env.reset(seed=seed, options=options)
            advance(env, 3)
            rules = env.states()["rules"]
            assert rules.tobytes() == make_game(name).rules.record.tobytes()


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_deals_and_seeds(form: Form) -> None:
    env, other = form.make(), form.make()
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


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_without_a_seed_environments_differ_and_global_generators_stay_as_they_are(form: Form) -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tobytes()  # type: ignore[index]
    one, two = form.make(), form.make()
    one.reset()
    two.reset()
    assert one.deal_id[0] != two.deal_id[0]
    assert one.deal_id[1] == 0
    trace(one, 1)
    assert before == (random.getstate(), np.random.get_state()[1].tobytes())  # type: ignore[index]


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_from_a_given_pack(form: Form) -> None:
    env = form.make("env")
    deck = env.game.deck()
    random.Random(1).shuffle(deck)
    while env.game.current_player(env.game.deal_given(deck, 1)) < 0:  # its cut voids the deal
        deck.insert(0, deck.pop())
    texts = [env.game.pack.text(card) for card in deck]
    starts = []
    for given in (deck, texts, ",".join(texts), np.array(deck)):
        env.reset(options={"deck": given, "dealer": 1})
        starts.append(env.states().tobytes())
    assert starts == [env.game.deal_given(deck, 1).tobytes()] * 4
    assert len(trace(env, 2)) > 2


@pytest.mark.parametrize(
    "rules",
    [
        {"preset": "no_joker", "players": 6},
        {"preset": "grupp", "players": 2, "n_jokers": 3},
        {"preset": "grupp", "players": 7, "n_jokers": 2},
    ],
    ids=str,
)
def test_equal_cards_of_a_pack_are_given_by_the_same_text(rules: dict[str, Any]) -> None:
    env = zwicker_v0.raw_env(**rules)
    texts = [env.game.pack.text(card) for card in env.game.deck()]
    assert len(set(texts)) < len(texts)
    random.Random(2).shuffle(texts)
    for given in (texts, " ".join(texts), tuple(text.lower() for text in texts)):
        env.reset(seed=1, options={"deck": given, "dealer": 0})
        state = env.states()[0]
        hand = [env.game.pack.text(card) for card in state["hand"][1] if card != NO_CARD]
        assert sorted(hand) == sorted(texts[: 4 * env.game.num_players : env.game.num_players])  # WP1
        assert [env.game.pack.text(card) for card in state["top"][:4]] == texts[4 * env.game.num_players :][:4]
    before = env.save()
    for wrong in ([texts[0], *texts[:-1]], [*texts[:-1], f"{texts[0]} {texts[1]}"], [*texts, "X15"]):
        with pytest.raises(ValueError, match=r"must hold each of the \d+ cards|must be one of"):
            env.reset(options={"deck": wrong, "dealer": 0})
        assert env.save() == before


@pytest.mark.parametrize("last", ["AC", "7S", "7D"])
@pytest.mark.parametrize("match", [False, True])
def test_after_a_pack_that_voids_its_deal_the_seed_deals_on(match: bool, last: str) -> None:
    env = zwicken_v0.env(match=match, n_deals=3)
    game = env.unwrapped.game  # type: ignore[attr-defined]
    void = game.pack.card(last)
    deck = [*(card for card in game.deck() if card != void), void]
    env.reset(seed=5, options={"deck": deck, "dealer": 1})
    expected = game.deal_given(deck, 1)
    assert game.current_player(expected) == CHANCE
    game.deal_next(5, 0, 1, expected)
    assert expected["attempts"][0] >= 2
    assert env.states().tobytes() == expected.tobytes()
    assert env.agents and not any(env.terminations.values()) and not any(env.rewards.values())
    first = trace(env, 1)
    env.reset(options={"deck": deck, "dealer": 1})
    assert env.states().tobytes() != expected.tobytes()  # the next deal number has cards of its own
    env.reset(seed=5, options={"deck": deck, "dealer": 1})
    assert trace(env, 1) == first
    assert env.returns() == {agent: sum(row[3] for row in first if row[0] == agent) for agent in env.possible_agents}


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_from_a_text_position(form: Form) -> None:
    env, other = form.make(), form.make()
    env.reset(seed=8)
    for _ in decisions(env, random.Random(8), 12):
        text = env.game.notation.position_text(env.game.rules, env.states())
        other.reset(seed=8, options={"position": text})
        assert other.states().tobytes() == env.states().tobytes()
        assert other.agent_selection == env.agent_selection
        if hands_dealt(env) == 1:  # a match counts its later deals from where it began
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


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x", True])
def test_bad_seeds(seed: Any, form: Form) -> None:
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        form.make().reset(seed=seed)


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
    for maker in MAKERS:
        with pytest.raises(ValueError, match=message) as caught:
            PLAIN[0].make(maker, **arguments)
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
