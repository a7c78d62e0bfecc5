"""Exact facts about Zwicker: fixed points, how the packs divide (2.2), plays of a deal, the shuffle (F24).

What can be worked out is worked out from the rules alone.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cardsim import rng
from cardsim.bits import I64, U64
from cardsim.contract import deal, reset
from cardsim.games.zwicker.layout import DEAL, OVER
from cardsim.games.zwicker.rules import PRESETS
from cardsim.jit import DISABLED, kernel
from cardsim.rng import new_streams, seed_stream
from tests.games.shuffles import p_of_counts
from tests.games.zwicker_scenes import Scene, make, shuffled
from tests.games.zwicker_trace import UNIFORM, play_turn

compiled_only = pytest.mark.skipif(DISABLED, reason="needs compiled speed")

FIXED_POINTS = {
    "no_joker": 21, "grupp": 21, "one_joker": 19, "two_joker": 29, "three_joker": 44, "four_joker": 64, "six_joker": 83,
}  # fmt: skip
TWO_PACKS = 41
FORMS = [(preset, players) for preset, form in PRESETS.items() for players in range(2, form.players + 1)]


@pytest.mark.parametrize(("preset", "players"), FORMS)
def test_points_of_a_deal_are_the_fixed_ones(preset: str, players: int) -> None:
    """WP19 and section 5: less most cards where it is tied, and what nobody took; Zwicks apart."""
    fixed = TWO_PACKS if preset in ("no_joker", "grupp") and players > 4 else FIXED_POINTS[preset]
    zwick, most = (3, 1) if preset in ("no_joker", "grupp") else (1, 3)
    counted = 0
    for number in range(12):
        table = shuffled(f"preset={preset},players={players}", number).play_on(random.Random(number))
        if int(table.state["capturer"]) < 0:
            continue
        sizes = [len(table.pile(side)) for side in range(table.sides)]
        assert sum(sizes) == len(table.game.deck()) and table.items() == []
        tied = sizes.count(max(sizes)) > 1
        assert sum(table.gained) == fixed + zwick * sum(table.zwicks) - (most if tied else 0)
        counted += 1
    assert counted


def short(*cards: int) -> tuple[int, ...]:
    """Cards of a last round."""
    return cards


# players, table (-1: the form's own): cards left after the opening hands and table, full rounds, last round.
DIVISION: list[tuple[str, int, int, int, int, tuple[int, ...]]] = [
    *(("no_joker", players, -1, 48, rounds, ()) for players, rounds in ((2, 6), (3, 4), (4, 3))),
    ("no_joker", 5, -1, 100, 5, ()),
    ("no_joker", 6, -1, 100, 4, short(1, 1, 1, 1, 0, 0)),
    ("no_joker", 7, -1, 100, 3, short(3, 3, 2, 2, 2, 2, 2)),
    ("no_joker", 8, -1, 100, 3, short(1, 1, 1, 1, 0, 0, 0, 0)),
    *(
        (f"{word}_joker", players, -1, 48, rounds, last)
        for word in ("one", "two", "three", "four", "six")
        for players, rounds, last in ((2, 6, ()), (3, 4, ()), (4, 3, ()), (5, 2, short(2, 2, 2, 1, 1)), (6, 2, ()))
    ),
    *(("one_joker", players, 4, 49, rounds, (1, *[0] * (players - 1))) for players, rounds in ((2, 6), (3, 4), (4, 3))),
    *(
        ("two_joker", players, 4, 50, rounds, (1, 1, *[0] * (players - 2)))
        for players, rounds in ((2, 6), (3, 4), (4, 3))
    ),
    ("three_joker", 2, 3, 52, 6, short(2, 2)),
    ("three_joker", 3, 3, 52, 4, short(2, 1, 1)),
    ("three_joker", 4, 3, 52, 3, short(1, 1, 1, 1)),
    ("four_joker", 2, 4, 52, 6, short(2, 2)),
    ("four_joker", 3, 4, 52, 4, short(2, 1, 1)),
    ("four_joker", 4, 4, 52, 3, short(1, 1, 1, 1)),
    ("grupp", 2, -1, 54, 6, short(3, 3)),
    ("grupp", 3, -1, 54, 4, short(2, 2, 2)),
    ("grupp", 4, -1, 54, 3, short(2, 2, 1, 1)),
    ("grupp", 5, -1, 112, 5, short(3, 3, 2, 2, 2)),
    ("grupp", 6, -1, 112, 4, short(3, 3, 3, 3, 2, 2)),
    ("grupp", 7, -1, 112, 4, ()),
    ("grupp", 8, -1, 112, 3, short(2, 2, 2, 2, 2, 2, 2, 2)),
]


def sizes(table: Scene) -> tuple[int, ...]:
    """Cards of each hand, from the forehand on."""
    players = table.game.num_players
    return tuple(len(table.cards_of((table.dealer + 1 + k) % players)) for k in range(players))


@pytest.mark.parametrize(("preset", "players", "opening", "left", "rounds", "last"), DIVISION)
def test_how_packs_divide(
    preset: str, players: int, opening: int, left: int, rounds: int, last: tuple[int, ...]
) -> None:
    """2.2: the table is 4 + jokers; full rounds of four; the rest dealt singly; one play for each card left."""
    table = shuffled(f"preset={preset},players={players},table_cards={opening}", 7)
    assert table.stock == left - 4 * players, "the column counts the first hands as a round"
    seen, plays = [sizes(table)], 0
    while table.player >= 0:
        before = table.stock
        table.play_on(random.Random(plays), 1)
        plays += 1
        if table.stock < before:
            seen.append(sizes(table))
    full = tuple([4] * players)
    assert seen == [full] * rounds + ([last] if last else [])
    assert plays == left == int(table.state["totals"][2]), "plays per deal"


@kernel
def add_up(states: Any, streams: Any, turn: Any, deals: int, seats: Any) -> Any:
    """Play random deals; how often each seat deals first, and the plays."""
    state = states[0]
    plays = I64(0)
    for number in range(deals):
        seed_stream(streams[0], U64(3), U64(number), rng.CARDS)
        reset(state, streams[0])
        seats[state["dealer"]] += 1
        deal(state, streams[0])
        while state["phase"] != OVER and state["phase"] != DEAL:
            play_turn(state, UNIFORM, streams[0], turn)
            plays += 1
    return plays


@compiled_only
def test_first_dealers_are_drawn_uniformly_and_48_cards_are_played() -> None:
    game, deals = make("players=2"), 4000
    seats = np.zeros(2, np.int64)
    plays = add_up(game.new_states(), new_streams(), np.zeros(9, np.int64), deals, seats)
    assert plays == 48 * deals
    assert stats.binomtest(int(seats[0]), deals).pvalue > 1e-4


@kernel
def count_places(states: Any, streams: Any, deals: int, places: Any) -> None:
    """Count where each card lies after a deal: each seat's hand, table, and each place of the stock."""
    state = states[0]
    players = I64(state["rules"]["players"])
    for number in range(deals):
        seed_stream(streams[0], U64(66), U64(number), rng.CARDS)
        reset(state, streams[0])
        deal(state, streams[0])
        for seat in range(players):
            for k in range(4):
                places[state["hand"][seat, k], seat] += 1
        for item in range(I64(state["items"])):
            places[state["top"][item], players] += 1
        first = I64(state["deck_pos"])
        for k in range(first, I64(state["rules"]["cards"])):
            places[state["deck"][k], players + 1 + k - first] += 1


@compiled_only
@pytest.mark.parametrize(
    "rules", ["", "players=7", "preset=six_joker,players=5", "preset=grupp", "preset=grupp,players=8"]
)
def test_f24_the_shuffle_is_fair(rules: str) -> None:
    """Chi-square of card by place."""
    game, deals = make(rules), 40_000
    deck, players = game.deck(), game.num_players
    table = int(game.rules.record["table"][0])
    stock = len(deck) - 4 * players - table
    places = np.zeros((128, players + 1 + stock), np.int64)
    count_places(game.new_states(), new_streams(), deals, places)
    assert places.sum() == deals * len(deck)
    assert p_of_counts(places[deck], [4] * players + [table] + [1] * stock) > 1e-4


@compiled_only
def test_chance_that_the_opening_table_of_four_holds_the_ten_of_diamonds() -> None:
    """4/52; and of no pair among its four cards, 52*48*44*40 / (52*51*50*49)."""
    game, deals = make("players=2"), 20_000
    tens = alone = 0
    for number in range(deals):
        table = Scene(game, game.deal(9, number))
        tops = table.tops()
        tens += "TD" in tops
        alone += len({text[0] for text in tops}) == 4
    assert stats.binomtest(tens, deals, 4 / 52).pvalue > 1e-4
    assert stats.binomtest(alone, deals, math.prod((48 / 51, 44 / 50, 40 / 49))).pvalue > 1e-4


def test_every_form_is_counted() -> None:
    assert {(preset, players) for preset, players, opening, *_ in DIVISION if opening < 0} == set(FORMS)
