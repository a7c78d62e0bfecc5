"""The referee of Zwicker by itself: captures and stacks."""

from __future__ import annotations

from typing import Any

import pytest

from .zwicker import Referee
from .zwicker_options import BOOK_FORMS, FORMS
from .zwicker_scenes import book, ended, plain, pose, six, take, takes

# ---- captures without jokers --------------------------------------------------------------------------


def test_w9_a_king_takes_nine_and_five() -> None:
    assert takes(book("KC", "9D 5C 8S"), "KC") == {"9D 5C"}


def test_w9_equal_cards() -> None:
    assert takes(book("7C", "7D 8C"), "7C") == {"7D"}


def test_w10_a_queen_takes_two_queens_and_a_sum() -> None:
    game = book("QC", "QD QH 9S 4D")
    assert "QD QH 9S 4D" in takes(game, "QC")
    game.apply(take(game, "QC", "QD", "QH", "9S", "4D"))
    assert (game.piles[0], game.zwicks, game.table) == (["QC", "QD", "QH", "9S", "4D"], [1, 0], [])


def test_w11_clearing_the_table_is_a_zwick() -> None:
    game = book("7C 2C", "7D 3S 4S")
    game.apply(take(game, "7C", "3S", "4S"))
    assert (game.zwicks, game.last_capturer) == ([0, 0], 0)
    assert ended("no_joker", ["7D", "2C 3C"]).points == [1, 1]
    assert pose_zwick().points[0] == 3 + 1 + 1  # Zwick, most cards, 7D


def pose_zwick() -> Referee:
    """The last card of a deal clears the table."""
    game = pose("no_joker", ["7C", ""], "7D")
    game.apply(("take", "7C", (0,)))
    assert game.over
    return game


def test_wq6_any_union_of_groups_may_be_taken() -> None:
    game = book("9C", "9D 9H 4S 5S")
    assert takes(game, "9C") == {"9D", "9H", "9D 9H", "4S 5S", "9D 4S 5S", "9H 4S 5S", "9D 9H 4S 5S"}


def test_f12_every_item_belongs_to_a_group() -> None:
    assert not book("7C", "7D 3C").is_legal(("take", "7C", (0, 1)))
    assert not book("AC", "AD QC 3C").is_legal(("take", "AC", (0, 1, 2)))
    assert not six("AC", "AD QC 3C").is_legal(("take", "AC", (0, 1, 2)))
    assert takes(book("7C", "7D 3C"), "7C") == {"7D"}


def test_f12_groups_are_disjoint() -> None:
    game = book("9C", "4S 5S 4D 3D 2D")
    assert "4S 5S 4D 3D 2D" in takes(game, "9C")  # 5+4, 4+3+2
    assert "4S 5S 4D" not in takes(game, "9C")


def test_w9_no_capture_without_the_value_and_none_of_nothing() -> None:
    game = book("6C", "9D 5C")
    assert takes(game, "6C") == set()
    for positions in [(), (0,), (0, 1), (2,), (-1,), (0, 0)]:
        assert not game.is_legal(("take", "6C", positions))
    assert not game.is_legal(("take", "9C", (0,)))  # not in hand


def test_w7_a_lone_value_in_the_book_forms() -> None:
    assert takes(book("KC", "4D KD"), "KC") == {"KD"}


def test_wq1_capturing_is_free() -> None:
    game = book("KC 5C", "KD 9S")
    assert {("take", "KC", (0,)), ("beside", "KC"), ("stack", "5C", 1, None)} <= game.turns()


@pytest.mark.parametrize(("form", "hand"), [("no_joker", "KC 5C"), ("six_joker", "KC 5C"), ("grupp", "KC 5C")])
def test_wq1_wp6_must_capture(form: str, hand: str) -> None:
    options: dict[str, Any] = {"must_capture": True, "pair_build": True, "build_needs": "none"}
    game = pose(form, [hand, ""], "KD 9S", **options)
    assert {turn[0] for turn in game.turns()} == {"take"}
    assert not game.is_legal(("stack" if form in BOOK_FORMS else "build", "5C", 1, 14 if form == "six_joker" else None))
    assert not game.is_legal(("beside", "KC"))
    assert not game.is_legal(("pair", "KC", 0, 14))
    free = pose(form, [hand, ""], "QD 6C", **options)
    assert "take" not in {turn[0] for turn in free.turns()}
    assert free.turns() == free.layings() != set()


def test_wq6_wp6_maximal() -> None:
    game = book("9C", "9D 9H 4S 5S", capture_choice="maximal")
    assert takes(game, "9C") == {"9D 9H 4S 5S"}
    game = book("9C", "5D 5H 4S KS", capture_choice="maximal")
    assert takes(game, "9C") == {"5D 4S", "5H 4S"}  # neither has the other in it
    assert not book("9C", "9D 4S 5S", capture_choice="maximal").is_legal(("take", "9C", (0,)))


def test_wp6_maximal_looks_at_each_value_by_itself() -> None:
    game = six("KC", "KD 4S", capture_choice="maximal")
    assert takes(game, "KC") == {"KD 4S", "KD"}  # at 4, and at 14


def test_wp6_maximal_regroups() -> None:
    table = "3D 3H AD 4D 4H 6S"  # 3+3+1, or 3+4, 3+4, 1+6: no seven among the last three
    game = six("7C", table, capture_choice="maximal")
    assert not game.is_legal(("take", "7C", (0, 1, 2)))
    assert "3D 3H AD 4D 4H 6S" in takes(game, "7C")
    assert "3D 3H AD" not in takes(game, "7C")
    assert "3D 3H AD" in takes(six("7C", table), "7C")


@pytest.mark.parametrize("form", ["no_joker", "six_joker"])
def test_wq5_wp6_sum_capture_false(form: str) -> None:
    game = pose(form, ["9C", "8D"], "9D 9H 4S 5S", sum_capture=False)
    assert takes(game, "9C") == {"9D", "9H", "9D 9H"}
    largest = pose(form, ["9C", "8D"], "9D 9H 4S 5S", sum_capture=False, capture_choice="maximal")
    assert takes(largest, "9C") == {"9D 9H"}
    must = pose(form, ["9C", "8D"], "4S 5S", sum_capture=False, must_capture=True, build_needs="none")
    assert {turn[0] for turn in must.turns()} == ({"stack"} if form == "no_joker" else {"build", "beside"})


def test_wq16_one_card_table_and_last_play() -> None:
    assert pose_zwick().zwicks == [1, 0]
    game = book("7C 2C", "7D")
    game.apply(take(game, "7C", "7D"))
    assert game.zwicks == [1, 0]


def test_wq15_an_empty_table_leaves_only_laying_beside() -> None:
    for form in FORMS:
        game = pose(form, ["5C KC", "2D"], "", pair_build=True, build_needs="none")
        assert game.turns() == {("beside", "5C"), ("beside", "KC")}


# ---- stacks -------------------------------------------------------------------------------------------


def test_w13_wq4_stacks_up_to_fourteen() -> None:
    game = book("5C", "9D TS 2H")
    assert game.turns() == {("stack", "5C", 0, None), ("stack", "5C", 2, None)}
    game.apply(("stack", "5C", 0, None))
    assert plain(game) == ["9D+5C=14", "TS", "2H"]


def test_w13_a_stack_is_taken_at_its_total_only() -> None:
    game = book("KC 9C 5C", "9D+5D=14")
    assert (takes(game, "KC"), takes(game, "9C"), takes(game, "5C")) == ({"5D"}, set(), set())
    game.apply(take(game, "KC", "5D"))
    assert game.piles[0] == ["KC", "9D", "5D"]


def test_wq3_a_stack_counts_in_sums_and_may_be_extended() -> None:
    game = book("KC 3C", "3D+5D=8 6S")
    assert takes(game, "KC") == {"5D 6S"}
    game.apply(("stack", "3C", 0, None))
    assert plain(game) == ["3D+5D+3C=11", "6S"]
    game.hands[1] = ["AC"]
    assert takes(game, "AC") == {"3C"}


def test_wq2_beside_only_when_it_fits_nowhere() -> None:
    game = book("5C KC QC", "9D")
    assert not game.is_legal(("beside", "5C"))
    assert game.is_legal(("beside", "KC"))  # a king always goes beside
    assert game.is_legal(("beside", "QC"))
    assert book("5C", "KD TD").is_legal(("beside", "5C"))
    game.apply(("beside", "KC"))
    assert plain(game) == ["9D", "KC"]


def test_wq2_trail_free() -> None:
    assert book("5C", "9D", trail="free").turns() == {("stack", "5C", 0, None), ("beside", "5C")}


def test_wq4_no_builds_in_book_forms() -> None:
    game = book("5C 4C", "9D 5D", build_needs="none", pair_build=True)
    assert {turn[0] for turn in game.turns()} == {"stack", "take"}
    assert not game.is_legal(("build", "5C", 0, 14))
    assert not game.is_legal(("build", "5C", 0, 4))
    assert not game.is_legal(("pair", "5C", 1, 5))
    assert not six("5C", "9D").is_legal(("stack", "5C", 0, None))


# ---- captures with jokers of fixed value --------------------------------------------------------------


def test_wq5_a_nine_takes_three_six_and_nine() -> None:
    assert takes(six("9C", "3D 6D 9D"), "9C") == {"9D", "3D 6D", "3D 6D 9D"}


def test_w17_wq7_dual_cards_count_either_way_card_by_card() -> None:
    game = six("KC", "JD JH 2S TC 4H KD")
    found = takes(game, "KC")
    assert {"JD JH", "JD 2S", "4H", "KD", "4H KD", "TC 4H", "TC 4H KD", "JD JH TC 4H KD"} <= found
    assert "TC 4H JD JH KD" not in found  # in table order
    assert "TC KD" in found  # 10 + 4
    assert "2S" not in found


def test_w17_the_played_card_has_one_value_at_a_time() -> None:
    assert takes(six("AC", "AD TS 2H"), "AC") == {"AD", "AD TS"}  # 1; 11; 1 + 10
    assert not six("QC", "3D TS 3H QD").is_legal(("take", "QC", (0, 1, 2)))  # 10 + 3, and 3 left over


def test_wq7_f13_builds_of_different_values() -> None:
    game = six("KC", "7D+3C=4@1 9S+5S=14@1")
    assert takes(game, "KC") == {"3C", "5S"}
    game.apply(take(game, "KC", "3C"))
    assert plain(game) == ["9S+5S=14@1"]


def test_wq7_a_build_has_one_value() -> None:
    assert takes(six("4C", "TS+KC=14@0 KD"), "4C") == {"KD"}


def test_wp7_a_build_may_be_part_of_a_sum() -> None:
    assert takes(six("KC", "2D+4C=6@1 8S"), "KC") == {"4C 8S"}


def test_w25_a_joker_takes_sums() -> None:
    game = six("X15", "KD AS 8H 7C X15")  # 14 + 1, 8 + 7, 15; 4 + 11 as well
    expected = {"KD AS", "8H 7C", "X15", "KD AS 8H 7C", "KD AS X15", "8H 7C X15", "KD AS 8H 7C X15"}
    assert takes(game, "X15") == expected


def test_wp5_one_turn_for_each_set() -> None:
    game = six("KC", "JD 2S")  # 2 + 2, or 12 + 2
    assert [turn for turn in game.turns() if turn[0] == "take"] == [("take", "KC", (0, 1))]
    assert game.is_legal(("take", "KC", frozenset({1, 0})))
    game.apply(("take", "KC", frozenset({1, 0})))
    assert game.history == [(0, ("take", "KC", (0, 1)))]
    game = six("KC 2C", "")
    game.apply(("beside", "KC"))
    game.hands[1] = ["4S", "KS"]
    assert takes(game, "4S") == takes(game, "KS") == {"KC"}  # a dual card beside stays at either value
