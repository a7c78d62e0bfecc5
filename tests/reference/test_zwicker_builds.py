"""The referee of Zwicker by itself: builds, what the mover learns, wild jokers, the relay."""

from __future__ import annotations

from typing import Any

import pytest

from .zwicker_scenes import book, ended, news, plain, pose, six, take, takes

# ---- builds -------------------------------------------------------------------------------------------


def test_w20_wq10_up_and_down() -> None:
    game = six("3C 9S 5S", "6D KH")
    assert {turn for turn in game.turns() if turn[0] == "build" and turn[2] == 0} == {("build", "3C", 0, 9)}
    free = six("3C", "KD", build_needs="none")
    assert news(free, "3C") == {7, 17, 1, 11}
    game.apply(("build", "3C", 0, 9))
    assert plain(game) == ["6D+3C=9@0", "KH"]


def test_w20_beside_always() -> None:
    game = six("3C 9S", "6D")
    assert {("beside", "3C"), ("beside", "9S")} <= game.turns()


def test_wq10_attainable_values_only() -> None:
    assert news(six("7C", "9D", build_needs="none"), "7C") == {2}  # no card has 16
    assert news(six("2C", "X15", build_needs="none"), "2C") == {13, 17}
    assert news(pose("one_joker", ["2C", ""], "X15", build_needs="none"), "2C") == {13}  # WP9: no 17 in the pack
    assert news(six("9C", "9D", build_needs="none"), "9C") == set()  # neither 18 nor 0


def test_wq10_build_down_abs_difference() -> None:
    assert news(six("KC", "3D", build_needs="none"), "KC") == {7, 17}
    assert news(six("KC", "3D", build_needs="none", build_down="abs_difference"), "KC") == {7, 17, 1, 11}
    equal = six("6C", "6D", build_needs="none", build_down="abs_difference")
    assert news(equal, "6C") == {12}  # WP12: at least 1


def test_wq8_wp10_the_value_must_be_in_hand() -> None:
    assert news(six("5C 9S", "4D"), "5C") == {9}
    assert news(six("5C 7S", "4D"), "5C") == set()
    assert news(six("4C 2S", "8D"), "4C") == set()  # the four just played does not count
    assert news(six("4C KS", "8D"), "4C") == {4}
    assert news(pose("six_joker", ["5C 7S", "9C"], "4D", stock="9D 9H"), "5C") == set()  # opponent, stock


@pytest.mark.parametrize(("needs", "expected"), [("self_or_partner", {9}), ("self", set()), ("none", {9, 1})])
def test_wq8_wq9_wp10_build_needs(needs: str, expected: set[int]) -> None:
    table = "5D"
    partner = pose("six_joker", ["4C 2S", "AH", "9S", "3H"], table, build_needs=needs)
    assert news(partner, "4C") == expected
    opponent = pose("six_joker", ["4C 2S", "9S", "8S", "3H"], table, build_needs=needs)
    assert news(opponent, "4C") == (expected if needs == "none" else set())


def test_wq9_any_team_mate_of_three_counts() -> None:
    for holder in range(1, 6):
        hands = ["4C 2S"] + ["9S" if seat == holder else "8S" for seat in range(1, 6)]
        assert (9 in news(pose("six_joker", hands, "5D"), "4C")) == (holder in (2, 4))


def test_wq8_without_parties_only_the_own_hand_counts() -> None:
    game = pose("six_joker", ["4C 2S", "AH", "9S", "3H"], "5D", teams=False)
    assert news(game, "4C") == set()


def test_wp10_one_card_may_serve_several_builds() -> None:
    game = six("5C 4S 9S", "4D 5H")
    game.apply(("build", "5C", 0, 9))
    game.player = 0
    game.apply(("build", "4S", 1, 9))
    assert plain(game) == ["4D+5C=9@0", "5H+4S=9@0"]
    game.player = 0
    assert takes(game, "9S") == {"5C", "4S", "5C 4S"}


def test_wq11_wp13a_builds_on_and_with_jokers() -> None:
    assert news(six("X15 5D", "X20"), "X15") == {5}
    assert news(six("X15 6D", "X20"), "X15") == set()
    assert news(six("X15 5D", "X20"), "5D") == {15}
    assert news(six("5D 6D", "X20"), "5D") == set()


def test_wp11_a_build_on_a_build_and_back_to_the_other_value() -> None:
    game = six("TC 4S 3S", "5H KD")
    assert {turn for turn in game.turns() if turn[:3] == ("build", "TC", 1)} == {("build", "TC", 1, 4)}
    game = six("TC KS 4S", "KD 5H")
    assert news(game, "TC") == {4, 14}  # 14 - 10 and 4 + 10
    game.apply(("build", "TC", 0, 14))
    assert plain(game) == ["KD+TC=14@0", "5H"]  # in its place
    game.hands[1] = ["4D", "TS"]
    game.apply(("build", "4D", 0, 10))
    assert plain(game) == ["KD+TC+4D=10@1", "5H"]


def test_wq14_nobody_owns_a_build() -> None:
    game = pose("six_joker", ["2C 2D", "9C"], "4D+5C=9@0")
    game.apply(("beside", "2C"))
    game.apply(take(game, "9C", "5C"))
    assert game.piles[1] == ["9C", "4D", "5C"]


def test_wp12_the_last_builder_is_noted() -> None:
    game = six("2C JS", "9D+5S=14@1")
    game.apply(("build", "2C", 0, 12))
    assert plain(game) == ["9D+5S+2C=12@0"]


def test_wq13_wp11_a_build_is_on_one_item() -> None:
    game = six("2C 9S", "3D 4D")
    assert not any(turn[0] == "build" for turn in game.turns())
    assert not game.is_legal(("build", "2C", 2, 9))
    assert not game.is_legal(("build", "2C", (0, 1), 9))


def test_wq12_wp12_pair_build() -> None:
    assert not six("9C 9S", "9D").is_legal(("pair", "9C", 0, 9))
    game = six("9C 9S", "9D", pair_build=True)
    assert game.is_legal(("pair", "9C", 0, 9))
    assert not six("9C 8S", "9D", pair_build=True).is_legal(("pair", "9C", 0, 9))  # another nine is needed
    game.apply(("pair", "9C", 0, 9))
    assert plain(game) == ["9D+9C=9@0"]
    assert news(six("9C 9S", "4D+5C=9@1", pair_build=True), "9C", "pair") == {9}
    assert six("9C", "9D", pair_build=True, build_needs="none").is_legal(("pair", "9C", 0, 9))


def test_wp12_a_dual_pair_at_either_value() -> None:
    assert news(six("KC", "KD", pair_build=True, build_needs="none"), "KC", "pair") == {4, 14}
    assert news(six("KC 4S", "KD", pair_build=True), "KC", "pair") == {4}
    assert news(six("4C KS", "KD", pair_build=True), "4C", "pair") == {4}
    game = six("KC KS", "KD", pair_build=True)
    game.apply(("pair", "KC", 0, 14))
    assert plain(game) == ["KD+KC=14@0"]


def test_wp12_stale_build_penalty() -> None:
    table = "4D+5C=9@1 9D+9H=9@0 4S+3S=7@1 KD"
    game = ended("six_joker", ["2D", "3D 3H"], table, 0, stale_build_penalty=30)
    assert (game.penalties, game.points) == ([30, 60], [3 - 30, -60])
    assert game.piles[0] == ["2D", "4D", "5C", "9D", "9H", "4S", "3S", "KD", "KC"]
    assert ended("no_joker", ["2D", "3D"], "4D+5C=9", 0, stale_build_penalty=30).penalties == [0, 0]
    parties = ended("six_joker", ["2D", "3D"], "4D+5C=9@3", None, stale_build_penalty=30, players=4)
    assert (parties.penalties, parties.points) == ([0, 30], [0, -30])


# ---- what the mover learns ----------------------------------------------------------------------------


def test_wp13_asked_and_denied() -> None:
    game = pose("six_joker", ["4C 2S", "7H", "9S AS", "3H"], "5D")
    # 4C (4, not 14): 9 and 1; 2S: 7 and 3. He holds none of them.
    assert (set(game.asked(0)), set(game.denied(0))) == ({9, 1}, {7, 3})
    assert (game.asked(2), game.denied(1)) == (frozenset(), frozenset())
    own = pose("six_joker", ["4C 9D", "7H", "9S 9H", "3H"], "5D")
    assert own.asked(0) == frozenset()  # with his own nine he learns nothing about nines
    assert own.denied(0) == {1, 14}


def test_wp13_nothing_is_learnt_elsewhere() -> None:
    hands = ["4C 2S", "7H", "9S AS", "3H"]
    for options in ({"teams": False}, {"build_needs": "self"}, {"build_needs": "none"}):
        game = pose("six_joker", hands, "5D", **options)
        assert (game.asked(0), game.denied(0)) == (frozenset(), frozenset())
    masked = pose("six_joker", hands, "5D 4D", must_capture=True)
    assert (masked.asked(0), masked.denied(0)) == (frozenset(), frozenset())


def test_wp13_pairs_tell_as_well() -> None:
    game = pose("six_joker", ["5C 2S", "7H", "5S", "3H"], "5D", pair_build=True)
    assert 5 in game.asked(0)


# ---- Grupp --------------------------------------------------------------------------------------------


def test_w4_wp14_a_joker_from_the_hand_is_any_value() -> None:
    game = book("XW", "9D 5C 9S", form="grupp")
    assert takes(game, "XW") == {"9D", "9S", "5C", "9D 9S", "9D 5C", "5C 9S"}
    assert takes(book("XW", "KD KH 8S 6S", form="grupp"), "XW") >= {"KD KH 8S 6S", "8S", "6S"}


def test_w4_a_joker_on_the_table_stands_for_any_value() -> None:
    assert takes(book("7C", "XW 3D", form="grupp"), "7C") == {"XW", "XW 3D"}
    assert takes(book("3C", "XW 2D", form="grupp"), "3C") == {"XW"}  # no joker is worth 1
    assert takes(book("5C", "XW XW 3D", form="grupp"), "5C") >= {"XW XW", "XW XW 3D"}  # 5, 5; 2+3; 5 and 2+3
    assert takes(book("XW", "XW", form="grupp"), "XW") == {"XW"}


def test_wp14_a_joker_stacked() -> None:
    assert news(book("XW", "9D", form="grupp"), "XW", "stack") == {2, 3, 4, 5}
    assert news(book("XW", "JD", form="grupp"), "XW", "stack") == {2}
    assert news(book("XW", "QD", form="grupp"), "XW", "stack") == set()
    game = book("XW", "9D", form="grupp")
    game.apply(("stack", "XW", 0, 4))
    assert plain(game) == ["9D+XW=13"]


def test_wp14_a_card_on_a_joker_fixes_it() -> None:
    game = book("5C", "XW", form="grupp")
    assert news(game, "5C", "stack") == set(range(2, 10))
    assert not game.is_legal(("stack", "5C", 0, None))
    game.apply(("stack", "5C", 0, 3))
    assert plain(game) == ["XW+5C=8"]
    game.hands[1] = ["8C", "7C", "6C"]
    assert (takes(game, "8C"), takes(game, "7C")) == ({"5C"}, set())
    assert news(game, "6C", "stack") == {None}  # the joker has its value already


def test_wp14_a_joker_on_a_joker() -> None:
    game = book("XW", "XW", form="grupp")
    assert news(game, "XW", "stack") == set(range(4, 15))
    game.apply(("stack", "XW", 0, 11))
    assert plain(game) == ["XW+XW=11"]


def test_wp14_trail_as_without_jokers() -> None:
    assert not book("XW", "JD", form="grupp").is_legal(("beside", "XW"))
    game = book("XW", "QD", form="grupp")
    assert game.is_legal(("beside", "XW"))
    game.apply(("beside", "XW"))
    assert plain(game) == ["QD", "XW"]  # and stays wild
    assert takes(game, "KD") == {"XW"}
    assert book("XW", "JD", form="grupp", trail="free").is_legal(("beside", "XW"))
    assert book("QC", "XW", form="grupp").is_legal(("beside", "QC"))  # 13 + 2 is too much


def test_wp15_lone_joker_by_joker() -> None:
    limits: dict[str, Any] = {"form": "grupp", "lone_joker_by_joker": True}
    assert takes(book("7C", "XW", **limits), "7C") == set()
    assert takes(book("XW", "XW", **limits), "XW") == {"XW"}
    assert takes(book("7C", "XW KD", **limits), "7C") == {"XW"}  # not the only item
    assert takes(book("7C", "XW+5C=7", **limits), "7C") == {"5C"}  # no single joker
    must = book("7C", "XW", must_capture=True, **limits)
    assert {turn[0] for turn in must.turns()} == {"stack"}


def test_w4_wp8_joker_sweep_counts() -> None:
    for counts in (True, False):
        game = book("XW 2C", "7D", form="grupp", joker_sweep_counts=counts)
        game.apply(take(game, "XW", "7D"))
        assert (game.zwicks, game.table) == ([int(counts), 0], [])
        game = book("7C 2C", "XW", form="grupp", joker_sweep_counts=counts)
        game.apply(take(game, "7C", "XW"))
        assert game.zwicks == [1, 0]  # what counts is the card played


def test_w4_wp15_jokers_stay() -> None:
    game = book("7C XW", "XW 7D", form="grupp", jokers_stay=True)
    assert (takes(game, "7C"), takes(game, "XW")) == ({"7D"}, {"7D"})
    assert {turn for turn in game.turns() if turn[0] in ("stack", "beside")} == {
        ("stack", "7C", 1, None),
        ("beside", "XW"),
    }
    game.apply(take(game, "XW", "7D"))
    assert (game.piles[0], game.zwicks, plain(game)) == (["XW", "7D"], [0, 0], ["XW"])
    assert takes(book("7C", "XW", form="grupp", jokers_stay=True, must_capture=True), "7C") == set()


def test_wp15_jokers_that_stay_are_left_to_nobody() -> None:
    game = ended("grupp", ["2D", "3D"], "XW 9D XW", 1, jokers_stay=True, joker_points=5)
    assert (plain(game), game.piles[1], game.points) == (["XW", "XW"], ["3D", "9D", "KC"], [0, 1])
    game = ended("grupp", ["2D", "3D"], "XW 9D XW", 1, joker_points=5)
    assert (game.table, game.points) == ([], [0, 11])


# ---- Zwick relay --------------------------------------------------------------------------------------


def test_wq15_wp8_zwick_relay() -> None:
    game = book("7C 2C", "7D", zwick_relay=True)
    game.apply(take(game, "7C", "7D"))
    assert (game.player, game.turns()) == (0, {("beside", "2C")})
    game.apply(("beside", "2C"))
    assert (game.player, game.zwicks) == (1, [1, 0])
    assert book("7C 2C", "7D").player == 0
    plain_game = book("7C 2C", "7D")
    plain_game.apply(("take", "7C", (0,)))
    assert plain_game.player == 1


def test_wp8_the_relay_lapses_with_an_empty_hand() -> None:
    game = pose("no_joker", ["7C", "2C", "3C"], "7D", zwick_relay=True)
    game.apply(("take", "7C", (0,)))
    assert game.player == 1
    game = pose("no_joker", ["7C", ""], "7D", "2D 3D 4D", zwick_relay=True)
    game.apply(("take", "7C", (0,)))
    assert (game.player, game.hands) == (1, [["2D", "4D"], ["3D"]])


def test_wp8_the_relay_follows_a_sweep_that_does_not_count() -> None:
    game = book("XW 2C", "7D", form="grupp", joker_sweep_counts=False, zwick_relay=True)
    game.apply(("take", "XW", (0,)))
    assert (game.player, game.zwicks) == (0, [0, 0])
