"""The referee of Zwicker by itself: the end of a deal, matches, options."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from .zwicker import LIMIT, Referee
from .zwicker_options import BOOK_FORMS, FORMS, JOKERS, resolve
from .zwicker_play import play
from .zwicker_scenes import JOKER_FORMS, SEATS, ended, plain, pose, six, takes

# ---- end of a deal ------------------------------------------------------------------------------------


def test_w14_wq17_wq18_w24_f14_the_last_capturer_takes_what_is_left() -> None:
    game = pose("no_joker", ["7C", "KC"], "7D QS 5S+4C=9")
    game.apply(("take", "7C", (0,)))
    game.apply(("beside", "KC"))
    assert game.piles == [["7C", "7D", "QS", "5S", "4C", "KC"], []]
    assert (game.table, game.zwicks, game.over, game.player) == ([], [0, 0], True, None)
    assert game.points == [2, 0]  # most cards, 7D; no Zwick for the rest


def test_wq17_nobody_captured() -> None:
    game = ended("no_joker", ["", ""], "TD AD")
    assert (game.points, plain(game), game.last_capturer) == ([0, 0], ["TD", "AD", "KC"], None)
    assert ended("no_joker", ["", ""], "TD AD", most_cards_tie="all").points == [0, 0]  # WP16


@pytest.mark.parametrize(
    ("card", "points"), [("7D", 1), ("7S", 1), ("7H", 0), ("AC", 2), ("AD", 2), ("TD", 10), ("TS", 0), ("2S", 0)]
)
def test_w15_points_without_jokers(card: str, points: int) -> None:
    for form in BOOK_FORMS:
        assert ended(form, [card, "3D 3H"]).points == [points, 1]
        assert ended(form, [f"{card} 3S 4S", "3D 3H"]).points == [points + 1, 0]


@pytest.mark.parametrize(
    ("card", "points"),
    [("X15", 5), ("X17", 7), ("X20", 10), ("X22", 12), ("X25", 15), ("X30", 20)]
    + [("TD", 3), ("TC", 1), ("TS", 1), ("TH", 1), ("AH", 1), ("2S", 1), ("7D", 0), ("2D", 0)],
)
def test_w25_points_with_jokers(card: str, points: int) -> None:
    assert ended("six_joker", [card, "3D 3H"]).points == [points, 3]


def test_w22_w25_a_zwick_with_jokers_is_one_point() -> None:
    game = pose("six_joker", ["7C", ""], "7D")
    game.apply(("take", "7C", (0,)))
    assert (game.zwicks, game.points) == ([1, 0], [1 + 3, 0])


def test_wq21_f16_most_cards_tied() -> None:
    assert ended("no_joker", ["2D 3D", "4D 5D", "6D"]).points == [0, 0, 0]
    assert ended("no_joker", ["2D 3D", "4D 5D", "6D"], most_cards_tie="all").points == [1, 1, 0]
    assert ended("six_joker", ["2D 3D", "4D 5D"], most_cards_tie="all").points == [3, 3]


def test_f16_seats_mirror() -> None:
    for seed in range(5):
        results = []
        for shift in (0, 1):
            game, rng = Referee("no_joker", players=2), random.Random(seed)
            game.start(shift)
            pack = game.form.pack
            rng.shuffle(pack)
            play(game, rng, pack)
            results.append((game.points[::-1] if shift else game.points, game.piles[::-1] if shift else game.piles))
        assert results[0] == results[1]


def test_wq22_wp16_parties_share_pile_and_score() -> None:
    game = pose("six_joker", ["7C", "8C", "9C", "KC"], "7D 8D 9D 2D")
    for card in ("7C", "8C", "9C"):
        game.apply(("take", card, (0,)))
    game.apply(("beside", "KC"))
    assert game.sides == [[0, 2], [1, 3]]
    assert game.piles == [["7C", "7D", "9C", "9D", "2D", "KC"], ["8C", "8D"]]
    assert (game.points, game.winners) == ([3, 0], [0])


@pytest.mark.parametrize(("form", "parties"), [(form, {4, 6} if form in JOKER_FORMS else set()) for form in FORMS])
def test_wq22_default_parties(form: str, parties: set[int]) -> None:
    assert {n for n in SEATS[form] if len(Referee(form, players=n).sides) == 2 != n} == parties


def test_wp17_teams() -> None:
    assert Referee("no_joker", players=8, teams=True).sides == [[0, 2, 4, 6], [1, 3, 5, 7]]
    assert Referee("grupp", players=4, teams=True).sides == [[0, 2], [1, 3]]
    assert Referee("six_joker", players=6, teams=False).sides == [[seat] for seat in range(6)]


def test_wq24_every_copy_counts() -> None:
    piles = ["7D 7D 7S TD TD AC AC", "", "", "", ""]
    assert ended("no_joker", piles).points == [1 + 1 + 1 + 20 + 4 + 1, 0, 0, 0, 0]


def test_f15_wp4_equal_copies_stay_two() -> None:
    hands = ["7C 7C", "2D", "2H", "2S", "2C"]
    game = pose("no_joker", hands, "7C 7C KD")
    assert game.turns() == {("take", "7C", at) for at in [(0,), (1,), (0, 1)]} | {
        ("stack", "7C", 0, None),
        ("stack", "7C", 1, None),
    }
    game.apply(("take", "7C", (0, 1)))
    assert (game.piles[0], game.hands[0], plain(game)) == (["7C"] * 3, ["7C"], ["KD"])


def test_wp4_canonical_turns() -> None:
    game = pose("no_joker", ["KC 7C", "2D", "2H", "2S", "2C"], "7C 9D 7C 5S 7C 7C+2D=9")
    assert game.canonical(("take", "KC", (2, 4))) == ("take", "KC", (0, 2))
    assert game.canonical(("take", "KC", (1, 3))) == ("take", "KC", (1, 3))
    assert game.canonical(("stack", "7C", 4, None)) == ("stack", "7C", 0, None)
    assert game.canonical(("take", "7C", (2, 5))) == ("take", "7C", (0, 5))  # a stack is no loose card
    assert game.canonical(("beside", "KC")) == ("beside", "KC")
    assert {game.canonical(turn) for turn in game.turns()} <= game.turns()
    six_pairs = six("KC", "KD KH", pair_build=True)
    assert six_pairs.canonical(("pair", "KC", 1, 4)) == ("pair", "KC", 1, 4)


# ---- matches ------------------------------------------------------------------------------------------


def deals(game: Referee, results: list[list[int]]) -> list[bool]:
    """Play deals whose points are set to `results`; whether the episode was over after each."""
    over = []
    for points in results:
        game.deal(game.form.pack)
        game.scores = [score + gain for score, gain in zip(game.scores, points, strict=True)]
        game.hands, game.stock, game.player = [[] for _ in range(game.players)], [], 0
        game.hands[0] = ["KC"]
        game.table = []
        game.apply(("beside", "KC"))  # nobody captures: nothing else is scored
        over.append(game.over)
    return over


def test_wq26_a_single_deal_or_a_match() -> None:
    assert deals(Referee(players=2), [[1, 0]]) == [True]
    game = Referee(players=3, match=True)
    assert deals(game, [[1, 0, 0]] * 3) == [False, False, True]  # QG: as many deals as players
    assert (game.scores, game.deals, game.winners) == ([3, 0, 0], 3, [0])
    with pytest.raises(ValueError, match="start"):
        game.deal(game.form.pack)


def test_wq26_the_deal_moves_left() -> None:
    game = Referee(players=3, match=True)
    game.start(2)
    deals(game, [[0, 0, 0]])
    assert game.dealer == 0
    game.deal(game.form.pack)
    assert game.player == 1


def test_wp18_n_deals_ties_stand() -> None:
    game = Referee(players=2, match=True, n_deals=2)
    assert deals(game, [[1, 0], [0, 1]]) == [False, True]
    assert game.winners == [0, 1]


def test_wq27_wp18_target_reached_alone() -> None:
    game = Referee(players=2, match=True, target=10)
    assert deals(game, [[9, 9], [1, 1], [0, 0], [0, 1]]) == [False, False, False, True]
    assert (game.scores, game.winners) == ([10, 11], [1])
    higher = Referee(players=2, match=True, target=10)
    assert deals(higher, [[12, 15]]) == [True]
    assert higher.winners == [1]


def test_wp18_both_limits() -> None:
    assert deals(Referee(players=2, match=True, target=10, n_deals=3), [[1, 0], [9, 0]]) == [False, True]
    assert deals(Referee(players=2, match=True, target=10, n_deals=2), [[1, 0], [0, 0]]) == [False, True]


def test_wp16_equal_points_are_shared() -> None:
    assert ended("no_joker", ["2D 7D", "7S 3D"]).winners == [0, 1]


# ---- options ------------------------------------------------------------------------------------------


def test_section_4_defaults() -> None:
    for form in FORMS:
        made, options = resolve(form, {})
        assert (made.seats, made.table) == (4, 4 + len(JOKERS[form]))
        assert (options.capture_choice, options.trail, options.build_needs) == (
            "any",
            "stack_if_possible",
            "self_or_partner",
        )
        assert (options.sum_capture, options.joker_sweep_counts, options.n_jokers) == (True, True, 6)
        assert (options.short_deal, options.most_cards_tie, options.stale_build_penalty) == ("singly", "none", 0)


def test_sp33_wp20_idle_options_are_accepted() -> None:
    idle: dict[str, Any] = {
        "lone_joker_by_joker": True,
        "jokers_stay": True,
        "n_jokers": 2,
        "joker_points": 9,
        "trail": "free",
    }
    assert resolve("six_joker", idle)[0] == resolve("six_joker", {})[0]
    game = six("7C X15", "X15 7D", **idle)
    assert takes(game, "X15") == {"X15"}
    assert six("X15", "X15", **idle).can_capture("X15")


@pytest.mark.parametrize(
    ("form", "options", "message"),
    [
        ("zwickel", {}, "form='zwickel'"),
        ("no_joker", {"joker": 3}, "unknown option 'joker'"),
        ("no_joker", {"ask_partner": True}, "unknown option"),  # WP13
        ("no_joker", {"players": 9}, "players=9: allowed is a whole number from 2 to 8"),
        ("no_joker", {"players": 1}, "players=1"),
        ("six_joker", {"players": 7}, "players=7: allowed in form six_joker is 2 to 6"),
        ("no_joker", {"teams": True, "players": 5}, "teams=True"),
        ("six_joker", {"teams": True, "players": 2}, "teams=True"),
        ("no_joker", {"teams": 1}, "True, False"),
        ("no_joker", {"table_cards": 37}, "table_cards=37: allowed in form no_joker with 4 players is 0 to 36"),
        ("no_joker", {"table_cards": -1}, "table_cards=-1"),
        ("grupp", {"n_jokers": 7}, "from 1 to 6"),
        ("grupp", {"n_jokers": 0}, "n_jokers=0"),
        ("grupp", {"joker_points": -1}, "joker_points=-1"),
        ("no_joker", {"target": 0}, "target=0"),
        ("no_joker", {"n_deals": 0}, "n_deals=0"),
        ("no_joker", {"stale_build_penalty": None}, "whole number"),
        ("no_joker", {"capture_choice": "all"}, "any, maximal"),
        ("no_joker", {"must_capture": None}, "True, False"),
    ],
)
def test_wp17_wp20_refusals(form: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Referee(form, **options)


def test_wp1_bad_packs_seats_and_turns_are_refused() -> None:
    game = Referee()
    with pytest.raises(ValueError, match="dealer=4"):
        game.start(4)
    with pytest.raises(ValueError, match="pack of 51"):
        game.deal(game.form.pack[1:])
    with pytest.raises(ValueError, match="nobody"):
        game.apply(("beside", "KC"))
    game.deal(game.form.pack)
    with pytest.raises(ValueError, match="finish the deal"):
        game.deal(game.form.pack)
    before = copy.deepcopy(vars(game))
    for turn in [(), ("take",), ("take", "XX", (0,)), ("fold", game.hands[1][0]), ("take", game.hands[1][0], 0)]:
        with pytest.raises(ValueError, match="not legal"):
            game.apply(turn)
    assert vars(game) == before


def test_wp19a_turns_are_not_listed_on_a_large_table() -> None:
    game = pose("no_joker", ["KC", "2D", "2H", "2S", "2C"], "KD " * 18 + "9S 5S 3H")
    with pytest.raises(ValueError, match=f"table of 21 items: captures can be listed for at most limit={LIMIT}"):
        game.turns()
    assert game.is_legal(("take", "KC", tuple(range(20))))
    assert not game.is_legal(("take", "KC", tuple(range(21))))
    assert game.layings() == {("beside", "KC")}
    game.options = resolve("no_joker", {"capture_choice": "maximal"})[1]
    assert game.is_legal(("take", "KC", tuple(range(20))))
    assert not game.is_legal(("take", "KC", tuple(range(19))))
