"""Pictures and texts of the table, for every game."""

from __future__ import annotations

import io
import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim_envs import sixty_six_v0
from cardsim_envs.card_art import card_back, card_face, card_index, suit_sign
from cardsim_envs.places import SIZE
from cardsim_envs.render import Scene, SeatView, picture
from cardsim_envs.spread import Item
from tests.envs.playing import FORMS, PLAIN, Form, advance, decisions, trace


def scene_of(env: Any, show: str, states: Any = None) -> Scene:
    """What the picture of an environment would show, of its own states or of others."""
    view: Scene = env._scene(env.game, env.states() if states is None else states, show)
    return view


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("show", ["mover", "all"])
def test_pictures_keep_their_size_are_not_blank_and_change_with_every_move(form: Form, show: str) -> None:
    env = form.make(render_mode="rgb_array", show=show)
    env.reset(seed=6)
    seen = [env.render()]
    for _ in decisions(env, random.Random(1), 24):
        seen.append(env.render())
    seen.append(env.render())
    for image in seen:
        assert image.shape == (SIZE[1], SIZE[0], 3)
        assert image.dtype == np.uint8
        assert image.std() > 10
    assert len(seen) > 3
    assert all((one != two).any() for one, two in itertools.pairwise(seen[1:]))


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_f18_a_view_for_the_seat_to_act_does_not_depend_on_what_is_hidden_from_it(form: Form) -> None:
    env = form.make()
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(3), np.uint64(4), rng.USER)
    moved = 0
    for seed in range(3):
        env.reset(seed=seed)
        for mover in decisions(env, random.Random(seed), 40):
            seat = env.possible_agents.index(mover)
            view = scene_of(env, "mover")
            text = env.game.notation.describe(env.states()[0], player=seat)
            for _ in range(3):
                world = env.states()
                env.game.resample_hidden(world, seat, streams)
                moved += world.tobytes() != env.states().tobytes()
                assert scene_of(env, "mover", world) == view
                assert env.game.notation.describe(world[0], player=seat) == text
    assert moved > 0


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_the_scene_holds_each_card_at_most_once_and_every_legal_action(form: Form) -> None:
    env = form.make()
    env.reset(seed=3)
    pack = Counter(map(env.game.pack.text, env.game.deck()))
    for mover in decisions(env, random.Random(3), 60):
        view = scene_of(env, "all")
        cards = [card for seat in view.seats for card in (*seat.cards, *seat.pile)]
        cards += [card for _, card in view.trick] + list(view.last_trick)
        cards += [card for item in view.items or () for card in item.cards]
        cards += [card for card in (view.turned, view.bottom, view.in_play) if card]
        assert all(seat.hidden == 0 for seat in view.seats) and None not in cards
        assert Counter(cards) <= pack
        playable = view.seats[env.possible_agents.index(mover)].playable
        assert playable <= set(view.seats[env.possible_agents.index(mover)].cards)
        items = [item.number for item in view.items or () if item.playable]
        assert len(playable) + len(items) + len(view.choices) == len(env.legal_actions())


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


FULL = ["7D", "8D", "9D", "TD", "JD", "QD", "KD", "AD", "7S", "8S", "9S", "TS"]
EMPTY: dict[str, Any] = {
    "trick": (), "talon": 0, "turned": None, "bottom": None, "pot": None, "last_trick": (), "in_play": None
}  # fmt: skip


def crowded(seats: int) -> Scene:
    """A table on which everything lies, with long hands and long notes."""
    views = [
        SeatView(
            name=f"player_{seat}",
            cards=FULL,
            hidden=4,
            playable=frozenset(FULL[::3]),
            pile=[None, "7H", "8H", "KC"],
            notes=["120 points", "12 tricks", "-1234 chips"],
            marks=["dealer", "has stopped"],
            to_act=seat == 1,
            faint=seat == 2,
        )
        for seat in range(seats)
    ]
    return Scene(
        title="title " * 20,
        heading="heading " * 10,
        seats=views,
        notes=["a long note on how the episode stands"] * 4,
        trick=[(seat, FULL[seat]) for seat in range(seats)],
        talon=30,
        turned="AS",
        bottom="KH",
        pot=12345,
        last_trick=FULL[:seats],
        choices=["declare diamonds", "declare hearts", "pass"],
    )


def captured(seats: int) -> Scene:
    """The same at a game of capture: a long table with stacks, piles, a card in play, all values to choose from."""
    stacks = {4: FULL[:2], 17: FULL[:9], 39: FULL[:3]}
    items = [
        Item(
            stacks.get(number, [FULL[number % 12]]),
            number,
            14 if number in stacks else None,
            number % 3 == 0,
            number % 7 == 0,
        )
        for number in range(1, 41)
    ]
    whole = crowded(seats)
    views = [replace(view, cards=["TD", "X20", "XW"], hidden=1, pile=(), won=45) for view in whole.seats]
    values = [f"as {value}" for value in range(2, 15)]
    bare: dict[str, Any] = {**EMPTY, "talon": 96, "items": items, "in_play": "X25", "last_trick": FULL[:4]}
    return replace(whole, seats=views, choices=values, in_play_note="takes as 14 or so", **bare)


def parts(view: Scene) -> dict[str, Scene]:
    """The table with nothing but one thing on it: by name, for all that must not overlap."""
    nobody = [SeatView("") for _ in view.seats]
    items = None if view.items is None else ()
    bare = replace(view, title="", heading="", notes=(), choices=(), seats=nobody, items=items, **EMPTY)
    found = {"nothing": bare, "corner": replace(bare, title=view.title, heading=view.heading, notes=view.notes)}
    found["last trick"] = replace(bare, last_trick=view.last_trick)
    found["choices"] = replace(bare, choices=view.choices)
    if view.items:
        found["items"], found["in play"] = replace(bare, items=view.items), replace(bare, in_play=view.in_play)
    found["talon"] = replace(bare, talon=view.talon, turned=view.turned, bottom=view.bottom, pot=view.pot)
    for seat, card in view.trick:  # the pot keeps the trick where it lies beside a talon
        found[f"card of seat {seat}"] = replace(bare, pot=0, trick=[(seat, card)])
    for seat, own in enumerate(view.seats):
        found[f"seat {seat}"] = replace(bare, seats=[*nobody[:seat], own, *nobody[seat + 1 :]])
    return found


@pytest.mark.parametrize("table", [crowded, captured])
@pytest.mark.parametrize("seats", range(2, 9))
def test_nothing_lies_over_anything_else(seats: int, table: Callable[[int], Scene]) -> None:
    images = {name: picture(view).astype(int) for name, view in parts(table(seats)).items()}
    ground = images.pop("nothing")
    plates = picture(Scene("", "", [SeatView("") for _ in range(seats)], pot=0)).astype(int)
    drawn = {}
    for name, image in images.items():
        changed = np.abs(image - (plates if name.startswith("card") else ground)).max(axis=2) > 60
        assert changed.sum() > 1000, name
        drawn[name] = changed
    for one, two in itertools.combinations(drawn, 2):
        assert not (drawn[one] & drawn[two]).any(), f"{one} and {two}"
    edges = np.ones((SIZE[1], SIZE[0]), bool)
    edges[4:-4, 4:-4] = False
    assert not any((changed & edges).any() for changed in drawn.values())


def test_a_table_for_too_many_is_refused() -> None:
    with pytest.raises(ValueError, match="9 seats: must be from 2 to 8"):
        picture(Scene("", "", [SeatView("")] * 9))


def test_cards_differ() -> None:
    names = [rank + suit for rank in "23456789JQKTA" for suit in "DHSC"] + [
        "XW",
        "X15",
        "X17",
        "X20",
        "X22",
        "X25",
        "X30",
    ]
    for drawn in (card_face, card_index):
        faces = {drawn(name).tobytes() for name in names}
        assert len(faces | {card_back().tobytes()}) == 60
    assert len({suit_sign(suit, 40).getchannel("A").tobytes() for suit in "DHSCX"}) == 5


@pytest.mark.parametrize("seats", [2, 5])
def test_the_longest_tables_find_room_and_every_item_is_drawn(seats: int) -> None:
    """116 items lie there when nobody ever captures; each is a gold frame more."""
    views = [SeatView("") for _ in range(seats)]
    items = [Item([FULL[number % 12]], number) for number in range(1, 117)]
    plain = picture(Scene("", "", views, items=items)).astype(int)
    for number in (1, 58, 116):
        one = [replace(item, chosen=item.number == number) for item in items]
        changed = np.abs(picture(Scene("", "", views, items=one)).astype(int) - plain).max(axis=2) > 60
        assert 50 < changed.sum() < 1000


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("maker", ["env", "raw_env"])
def test_text_is_that_of_the_game_for_the_seat_to_act_or_for_all(form: Form, maker: str) -> None:
    env, everything = (form.make(maker, render_mode="ansi", show=show) for show in ("mover", "all"))
    env.reset(seed=4)
    everything.reset(seed=4)
    source = random.Random(1)
    raw = env.unwrapped
    while not raw.is_over:
        states, seat = raw.states(), raw.possible_agents.index(env.agent_selection)
        assert env.render() == raw.game.notation.describe(states, player=seat)
        assert everything.render() == raw.game.notation.describe(states) != env.render()
        action = source.choice(raw.legal_actions())
        env.step(action)
        everything.step(action)
    assert everything.render() == raw.game.notation.describe(raw.states())


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_human_prints_after_each_reset_and_step(form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    env = form.make(render_mode="human")
    expected = ""
    for begin_or_go_on in (lambda: env.reset(seed=4), lambda: env.step(env.legal_actions()[0]), env.render):
        assert begin_or_go_on() is None
        seat = env.possible_agents.index(env.agent_selection)
        expected += env.game.notation.describe(env.states(), player=seat) + "\n"
    assert capsys.readouterr().out == expected


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
