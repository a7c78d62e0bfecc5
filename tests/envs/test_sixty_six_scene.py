"""What a picture of Sixty-Six shows, and to whom."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardsim_envs import sixty_six_v0
from cardsim_envs.sixty_six_scene import scene
from tests.envs.playing import SIXTY_SIX, Form, advance, decisions


def test_the_picture_does_not_show_hidden_hands() -> None:
    env = sixty_six_v0.raw_env()
    env.reset(seed=1)
    for show, shown in (("mover", [0, 6]), ("all", [6, 6])):
        view = scene(env.game, env.states(), show)
        assert sorted(len(seat.cards) for seat in view.seats) == shown
        assert [len(seat.cards) + seat.hidden for seat in view.seats] == [6, 6]
    mover = env.possible_agents.index(env.agent_selection)
    assert scene(env.game, env.states(), "mover").seats[mover].to_act


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"preset": "base"}, "open: any card may be played"),
        ({"preset": "base", "follow_always": True}, "open: any card may be played"),  # an option of 1001 only
        ({"preset": "1001"}, "open: any card may be played"),
        ({"preset": "1001", "follow_always": True}, "strict: follow, beat, trump"),
        ({"preset": "four_hand"}, "strict: follow, beat, trump"),
    ],
    ids=str,
)
def test_the_scene_says_whether_play_is_strict(form: dict[str, Any], says: str) -> None:
    env = sixty_six_v0.raw_env(**form)
    env.reset(seed=1)
    assert says in scene(env.game, env.states(), "mover").notes


def test_partners_share_one_count() -> None:
    env = sixty_six_v0.raw_env("four_hand", claims="true_only")
    env.reset(seed=1)
    advance(env, 9)
    counts = [seat.notes[:2] for seat in scene(env.game, env.states(), "mover").seats]
    assert counts[0] == counts[2] != counts[1] == counts[3]


@pytest.mark.parametrize("memory", [True, False])
def test_without_perfect_memory_the_mover_sees_only_what_lies_open(memory: bool) -> None:
    env = sixty_six_v0.raw_env(early_marriage="pending", claims="true_only", perfect_memory=memory)
    env.reset(seed=1, options={"position": POSITION.format(str(memory).lower())})
    for action, last, shown in (("pair S", 2, 0), ("KS", 0, 1), ("9C", 2, 0), ("draw", 2, 0), ("JC", 0, 0)):
        env.step(env.game.action_names.index(action))
        view, everything = (scene(env.game, env.states(), show) for show in ("mover", "all"))
        assert len(everything.last_trick) == 2 and "declared: spades" in everything.notes
        assert len(view.last_trick) == (2 if memory else last)
        assert ("declared: spades" in view.notes) == memory
        assert all(any("points" in note for note in seat.notes) for seat in everything.seats)
        assert all(any("points" in note for note in seat.notes) == memory for seat in view.seats)
        other = next(seat for seat in view.seats if not seat.to_act)  # the queen of spades lies open for one trick
        assert len(other.cards) == (1 if memory and action == "JC" else shown)


POSITION = (
    "sixty_six(preset=base,early_marriage=pending,claims=true_only,perfect_memory={}) dealer=1 player=0"
    " hands=QS,KS,AH,TH,JC,QD;9C,AS,TD,AD,JH,QC up=KH talon=9D,JD,QH,KC,TS,AC,TC,JS,9H history=9S,KD tricks=1,0"
)


@pytest.mark.parametrize("form", SIXTY_SIX, ids=str)
def test_the_talon_holds_the_undrawn_cards(form: Form) -> None:
    env = form.make()
    env.reset(seed=3)
    for _ in decisions(env, random.Random(3), 60):
        view = scene(env.game, env.states(), "all")
        assert view.talon + (view.turned is not None) == int(env.states()["talon_left"][0])


def test_once_all_is_over_all_is_shown() -> None:
    env = sixty_six_v0.raw_env(claims="true_only", render_mode="ansi")
    env.reset(seed=4)
    advance(env, 1000)
    assert env.render() == env.game.notation.describe(env.states())
    views = [scene(env.game, env.states(), show) for show in ("mover", "all")]
    assert views[0] == views[1] and all(seat.hidden == 0 for seat in views[0].seats)
