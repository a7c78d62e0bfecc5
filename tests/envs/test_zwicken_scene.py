"""What a picture of Zwicken shows, and to whom (ZP12, ZP17, ZP31)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.contract import CHANCE
from cardsim.games.zwicken.layout import ANNOUNCE, LEAD, SWAP
from cardsim_envs import zwicken_v0
from cardsim_envs.zwicken_scene import scene
from tests.envs.playing import ZWICKEN, Form, decisions

OVER = [form for form in ZWICKEN if not form.rules.get("match")]


def dealt(cards: str, dealer: int, **rules: Any) -> Any:
    """An environment in which these cards are dealt first, and the others of its pack after them in order."""
    env = zwicken_v0.raw_env(render_mode="ansi", **rules)
    first = env.game.pack.parse(cards)
    last = env.game.pack.card("9C")
    rest = [card for card in env.game.deck() if card not in first and card != last]
    env.reset(seed=1, options={"deck": [*first, *rest, last], "dealer": dealer})
    return env


def play(env: Any, *words: str) -> None:
    """Play actions given as texts."""
    for word in words:
        env.step(env.game.action_names.index(word))


@pytest.mark.parametrize("form", OVER, ids=str)
def test_zp31_at_the_end_nothing_is_shown_that_is_hidden_from_anybody(form: Form) -> None:
    env = form.make(render_mode="ansi")
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(5), np.uint64(6), rng.USER)
    moved = 0
    for seed in range(12):
        env.reset(seed=seed)
        for _ in decisions(env, random.Random(seed)):
            pass
        view, text = scene(env.game, env.states(), "mover"), env.render()
        played = {env.game.action_names[card] for card in env.states()["history"][0] if card < 36}
        assert {card for seat in view.seats for card in seat.cards} <= {view.bottom}
        assert {card for seat in view.seats for card in seat.pile} <= {None}
        assert set(view.last_trick) <= played
        for seat in range(env.game.num_players):
            world = env.states()
            env.game.resample_hidden(world, seat, streams)
            moved += world.tobytes() != env.states().tobytes()
            assert scene(env.game, world, "mover") == view
            other = env.clone()
            other._episode.states[:] = world
            assert other.render() == text
    assert moved > 0


def test_zp12_a_passed_hand_stays_face_down_and_is_faint() -> None:
    env = dealt("AS,KS QS,7H 8H,9H TS", 0, players=3)
    play(env, "play", "pass")
    views = {show: scene(env.game, env.states(), show).seats for show in ("mover", "all")}
    assert [seat.marks for seat in views["mover"]] == [["dealer"], ["stays"], ["passed"]]
    assert [seat.faint for seat in views["mover"]] == [False, False, True]
    assert [(len(seat.cards), seat.hidden) for seat in views["mover"]] == [(3, 0), (0, 3), (0, 3)]
    assert [(len(seat.cards), seat.hidden) for seat in views["all"]] == [(3, 0)] * 3
    assert views["mover"][0].to_act and views["mover"][0].playable == frozenset()


def test_zp17_what_one_has_laid_away_only_oneself_sees() -> None:
    env = dealt("AS,KS QS,7H 8H,9H TS", 0, players=3)
    play(env, "play", "play", "play")
    assert env.states()["phase"][0] == SWAP
    view = scene(env.game, env.states(), "mover")
    assert view.seats[1].playable == {*view.seats[1].cards} and len(view.choices) == 1
    away = view.seats[1].cards[-1]
    play(env, away)
    assert scene(env.game, env.states(), "mover").seats[1].pile == [None]
    assert scene(env.game, env.states(), "all").seats[1].pile == [away]
    play(env, "stop", "stop")
    own = scene(env.game, env.states(), "mover").seats[1]
    assert own.to_act and own.pile == [away]


def test_zp17_who_drew_the_shown_card_is_known_to_hold_it() -> None:
    env = zwicken_v0.raw_env("four_card", players=5, max_swaps=4)
    found = 0
    for seed in range(60):
        env.reset(seed=seed)
        source = random.Random(seed)
        while not env.is_over:
            legal = env.legal_actions()
            env.step(36 if 36 in legal else source.choice([action for action in legal if action < 36]))
            state = env.states()[0]
            view = scene(env.game, env.states(), "mover")
            holder = int(state["shown_seat"])
            assert (view.bottom is None) == (state["talon_left"] == 0)
            if holder >= 0:
                assert env.game.action_names[state["shown"]] in view.seats[holder].cards
                found += not view.seats[holder].to_act
    assert found > 5


def test_trumps_lie_left_highest_first_and_pot_and_turned_card_in_the_middle() -> None:
    env = dealt("7D,TH 9C,7H QS,JH 8S AH,KH,8H".replace("9C", "KC"), 2, players=3, start_pot=12)
    view = scene(env.game, env.states(), "mover")
    assert view.turned == "8S" and view.trump == "S" and view.bottom == "9C" and view.pot == 15
    assert view.talon == 32 - 10
    assert view.seats[0].cards == ["7D", "AH", "TH"]
    assert view.heading == "player_0 stays or passes"
    assert view.choices == ["play", "pass"]


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        (("pass", "pass", "pass"), "over: everybody passed"),
        (("pass", "play", "pass"), "over: player_1 alone stayed"),
    ],
)
def test_the_heading_says_how_a_deal_ended(words: tuple[str, ...], heading: str) -> None:
    env = dealt("7D,TH KC,7H QS,JH 8S AH,KH,8H", 2, players=3)
    play(env, *words)
    view = scene(env.game, env.states(), "mover")
    assert view.heading == heading
    assert all(note in view.seats[1].notes for note in ("0 chips", "+0")) == (heading == "over: everybody passed")
    assert view.seats[2].notes[:1] == ["-3 chips"]


def test_a_failed_duty_is_shown_to_its_owner_and_at_the_settlement() -> None:
    env = dealt("AS,TH KC,7H 8S AH,KH", 1, players=2, max_swaps=0)
    assert scene(env.game, env.states(), "mover").seats[0].to_act and env.states()["phase"][0] == ANNOUNCE
    play(env, "play", "play")
    assert env.states()["phase"][0] == LEAD
    play(env, "TH")
    views = [scene(env.game, env.states(), show).seats[0] for show in ("mover", "all")]
    assert ["failed: Ace" in view.notes for view in views] == [False, True]
    for _ in decisions(env, random.Random(1)):
        own = scene(env.game, env.states(), "mover").seats[0]
        assert ("failed: Ace" in own.notes) == own.to_act
    assert "failed: Ace" in scene(env.game, env.states(), "mover").seats[0].notes


def test_a_session_is_told_between_deals_and_at_its_end() -> None:
    env = zwicken_v0.raw_env(match=True, n_deals=2)
    env.reset(seed=2)
    assert scene(env.game, env.states(), "mover").notes[0].startswith("deal 1 of 2, decision 0")
    void = env.game.pack.card("AC")
    states = env.game.deal_given([*(card for card in env.game.deck() if card != void), void], 1)
    assert env.game.current_player(states) == CHANCE
    view = scene(env.game, states, "mover")
    assert view.heading == "the next deal is to be dealt"
    assert "1 void cut before this deal" in view.notes
    for _ in decisions(env, random.Random(1)):
        pass
    chips = env.states()["chips"][0]
    best = [f"player_{seat}" for seat in range(4) if chips[seat] == max(chips[:4])]
    assert scene(env.game, env.states(), "mover").heading.startswith(f"over: {' and '.join(best)} ha")
