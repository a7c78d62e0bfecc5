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
