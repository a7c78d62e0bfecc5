"""Pictures and texts of the table."""

from __future__ import annotations

import io
import itertools
import random
import sys
from typing import Any

import numpy as np
import pytest

from cardsim_envs import sixty_six_v0
from cardsim_envs.card_art import card_back, card_face, suit_sign
from cardsim_envs.render import SIZE, Scene, SeatView, picture
from cardsim_envs.sixty_six_scene import scene
from tests.envs.playing import FORMS, advance, decisions, names, trace


@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
@pytest.mark.parametrize("show", ["mover", "all"])
def test_pictures_keep_their_size_are_not_blank_and_change_with_every_move(form: dict[str, Any], show: str) -> None:
    env = sixty_six_v0.raw_env(render_mode="rgb_array", show=show, **form)
    env.reset(seed=6)
    seen = [env.render()]
    for _ in decisions(env, random.Random(1), 24):
        pass
    env.reset(seed=6)
    source = random.Random(1)
    for _ in range(24):
        if env.is_over:
            break
        env.step(int(source.choice(env.legal_actions())))
        seen.append(env.render())
    for image in seen:
        assert image.shape == (SIZE[1], SIZE[0], 3)
        assert image.dtype == np.uint8
        assert image.std() > 10
    assert len(seen) > 3
    assert all((one != two).any() for one, two in itertools.pairwise(seen))


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


@pytest.mark.parametrize("form", FORMS, ids=names(FORMS))
def test_the_scene_holds_each_card_at_most_once_and_every_legal_action(form: dict[str, Any]) -> None:
    env = sixty_six_v0.raw_env(**form)
    env.reset(seed=3)
    for mover in decisions(env, random.Random(3), 60):
        view = scene(env.game, env.states(), "all")
        cards = [card for seat in view.seats for card in seat.cards]
        cards += [card for _, card in view.trick] + list(view.last_trick)
        cards += [view.turned] if view.turned else []
        assert len(cards) == len(set(cards))
        playable = view.seats[env.possible_agents.index(mover)].playable
        assert playable <= set(view.seats[env.possible_agents.index(mover)].cards)
        assert len(playable) + len(view.choices) == len(env.legal_actions())
        assert view.talon + (view.turned is not None) == int(env.states()["talon_left"][0])


def test_drawing_depends_on_the_scene_alone() -> None:
    env = sixty_six_v0.raw_env("schnapsen", render_mode="rgb_array")
    env.reset(seed=2)
    first = env.render()
    first[:] = 0  # what is handed out belongs to the caller
    assert env.render().std() > 10
    other = env.clone()
    advance(other, 2)
    other.render()
    env.reset(seed=2)
    again = env.render()
    env.reset(seed=2)
    assert (env.render() == again).all()


def test_long_titles_and_many_choices_fit() -> None:
    seats = [SeatView(f"player_{seat}", hidden=8, notes=["120 points", "8 tricks"]) for seat in range(4)]
    view = Scene("sixty_six(" + "option=value," * 40 + ")", "a heading " * 9, seats, choices=["declare diamonds"] * 6)
    assert picture(view).shape == (SIZE[1], SIZE[0], 3)


def test_cards_differ() -> None:
    faces = {card_face(rank + suit).tobytes() for rank in "789JQKTA" for suit in "DHSC"}
    assert len(faces | {card_back().tobytes()}) == 33
    assert len({suit_sign(suit, 40).getchannel("A").tobytes() for suit in "DHSC"}) == 4


def test_text_hides_the_other_hand_until_the_end() -> None:
    env = sixty_six_v0.env(render_mode="ansi")
    env.reset(seed=4)
    everything = sixty_six_v0.env(render_mode="ansi", show="all")
    everything.reset(seed=4)
    hidden, open_ = env.render(), everything.render()
    assert isinstance(hidden, str) and isinstance(open_, str)
    assert "6 cards" in hidden
    assert "6 cards" not in open_
    raw = env.unwrapped
    advance(env, 1000)
    assert env.render() == raw.game.notation.describe(raw.states())  # type: ignore[attr-defined]


def test_human_prints_after_each_reset_and_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = sixty_six_v0.raw_env(render_mode="human")
    env.reset(seed=4)
    env.step(env.legal_actions()[0])
    assert env.render() is None
    assert capsys.readouterr().out.count("Trumps:") == 3


def test_human_prints_on_a_terminal_without_suit_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    env = sixty_six_v0.raw_env(render_mode="human")
    env.reset(seed=4)
    assert b"Trumps: ?" in raw.getvalue()


def test_rendering_needs_a_mode() -> None:
    env = sixty_six_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="with render_mode ansi, rgb_array, human"):
        env.render()
    assert trace(env, 1)
    env.close()
