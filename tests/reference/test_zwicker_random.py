"""The referee of Zwicker by itself: random play of every form."""

from __future__ import annotations

import copy
import itertools
import random
from typing import Any

import pytest

from .zwicker import Referee, Turn
from .zwicker_options import CHOICES, FORMS, SWITCHES
from .zwicker_play import play, some_turn
from .zwicker_scenes import SEATS, TABLES, six, take


@pytest.mark.parametrize(("form", "players"), TABLES)
def test_2_1_wp19_fixed_points(form: str, players: int) -> None:
    rng = random.Random(f"{form} {players}")
    game = Referee(form, players=players, joker_points=players % 3)
    for taste in (0.95, 0.8, 0.5):
        game.start(rng.randrange(players))
        play(game, rng, taste=taste)


@pytest.mark.parametrize("form", FORMS)
def test_f12_listing_and_single_decision_agree(form: str) -> None:
    rng = random.Random(form)
    mixtures: list[dict[str, Any]] = [
        {},
        {"capture_choice": "maximal", "pair_build": True, "lone_joker_by_joker": True},
        {"sum_capture": False, "must_capture": True, "jokers_stay": True},
    ]
    for options in mixtures:
        game = Referee(form, players=4, **options)
        game.deal(rng.sample(game.form.pack, len(game.form.pack)))
        while game.player is not None:
            if len(game.table) <= 6 and rng.random() < 0.5:
                listed = game.turns()
                assert listed
                for card in set(game.hands[game.player]):
                    assert game.is_legal(("beside", card)) == (("beside", card) in listed)
                    subsets = itertools.product((0, 1), repeat=len(game.table))
                    for subset in subsets:
                        turn: Turn = ("take", card, tuple(at for at, chosen in enumerate(subset) if chosen))
                        assert game.is_legal(turn) == (turn in listed)
                    for act, at, value in itertools.product(
                        ("build", "pair", "stack"), range(len(game.table)), [None, *range(32)]
                    ):
                        turn = (act, card, at, value)
                        assert game.is_legal(turn) == (turn in listed)
            game.apply(some_turn(game, rng, 0.9))


VALUES: list[tuple[str, Any]] = [(name, value) for name, values in CHOICES.items() for value in values]
VALUES += [(name, value) for name in SWITCHES for value in (True, False)]
VALUES += [("teams", value) for value in (None, True, False)] + [("table_cards", value) for value in (0, 1, 3, 12)]
VALUES += [("n_jokers", value) for value in range(1, 7)] + [("joker_points", 3), ("stale_build_penalty", 30)]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_section_4_every_option_value_plays_in_every_form(name: str, value: Any) -> None:
    rng = random.Random(f"{name} {value}")
    for form in FORMS:
        players = rng.choice([4, 6]) if name == "teams" else rng.choice(SEATS[form])
        play(Referee(form, **{"players": players, name: value}), rng, taste=rng.choice([0.9, 0.7]))


def test_section_4_random_mixtures_of_options() -> None:
    rng = random.Random(4)
    for _ in range(60):
        options: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.items()}
        options |= {name: rng.random() < 0.5 for name in SWITCHES}
        options |= {"n_jokers": rng.randint(1, 6), "joker_points": rng.randrange(3), "table_cards": rng.randrange(9)}
        options |= {"stale_build_penalty": rng.choice([0, 30]), "n_deals": 2}
        form = rng.choice(FORMS)
        game = Referee(form, match=True, players=rng.choice(SEATS[form]), **options)
        before = [0] * len(game.sides)
        while not game.over:
            play(game, rng, taste=0.9)
            before = [score + gain for score, gain in zip(before, game.points, strict=True)]
            assert game.scores == before


def test_f21_f23_a_used_table_plays_like_a_fresh_one() -> None:
    for form in FORMS:
        used = Referee(form, players=4)
        play(used, random.Random(1))
        used.start(1)
        fresh = Referee(form, players=4)
        fresh.start(1)
        assert play(used, random.Random(2)) == play(fresh, random.Random(2))


def test_f10_f22_copies_are_independent_and_go_on_alike() -> None:
    game = six("KC TC", "KD 4S 8H")
    first, second = copy.deepcopy(game), copy.deepcopy(game)
    first.apply(take(first, "KC", "KD"))
    assert (len(game.table), game.hands[0]) == (3, ["KC", "TC"])
    second.apply(take(second, "KC", "KD"))
    assert vars(first) == vars(second)
