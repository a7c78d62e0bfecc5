"""The questions that the source text leaves open, WQ1 to WQ30, one test each, on small positions and deals."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from cardsim.contract import CHANCE, TERMINAL
from tests.games.zwicker_scenes import FORMS, dealt, from_pack, lay_out, make, posed, shuffled

TWO = "players=2"
FREE = "players=2,trail=free"
SIX = "preset=six_joker,players=2"
FOUR = "preset=six_joker,players=4"
GRUPP = "preset=grupp,players=2"


def test_wq01_capturing_is_no_duty() -> None:
    may = posed(SIX, "9D 5D; 8S", "9C 2C")
    assert may.acts("9D") == {"take", "beside"} and may.acts("5D") == {"beside"}
    must = posed(f"{SIX},must_capture=true", "9D 5D; 8S", "9C 2C")
    assert must.turns() == {"9D take 9C"}
    assert must.turn("9D take 9C", "8S beside").turns() == {"5D beside"}, "nothing can be taken"


def test_wq02_on_a_card_where_it_fits_or_beside() -> None:
    table = posed(TWO, "5D KD; 2D", "9C TC")
    assert table.acts("5D") == {"on"} and table.acts("KD") == {"beside"}
    assert posed(TWO, "5D; 2D", "").acts("5D") == {"beside"}
    free = posed(FREE, "5D KD; 2D", "9C TC")
    assert free.acts("5D") == {"on", "beside"} and free.acts("KD") == {"beside"}


def test_wq03_a_stack_is_one_item_with_one_value() -> None:
    table = posed(TWO, "9S 7D 5C; 2D", "2H+5D=7@1 2C")
    assert table.takes("7D") == {"5D"} and table.takes("5C") == set(), "it cannot be split"
    assert table.takes("9S") == {"5D 2C"}, "but be part of a sum"
    assert table.turn("5C on 5D").items() == ["2H+5D+5C=12", "2C"], "and anybody extends it"


def test_wq04_stacks_add_up_to_14_and_need_no_card() -> None:
    table = posed(TWO, "3D 4D; 2D", "JC 7H+5C=12 AC")
    assert (table.news("3D", "JC"), table.news("3D", "5C"), table.news("3D", "AC")) == (set(), set(), {14})
    assert posed(TWO, "2D; 8S", "JC").news("2D", "JC") == {14}, "nobody holds a king"


def test_wq05_sums_count_with_jokers_as_well() -> None:
    table = posed(SIX, "9D; 8S", "3C 6H 9S")
    assert table.takes("9D") == {"9S", "3C 6H", "3C 6H 9S"}
    assert posed(f"{SIX},sum_capture=false", "9D; 8S", "3C 6H 9S 9C").takes("9D") == {"9S", "9C", "9S 9C"}


def test_wq06_any_union_of_groups_taking_less_is_allowed() -> None:
    table = posed(TWO, "9D; 2D", "9C 4H 5S 9H")
    assert table.takes("9D") == {
        "9C", "9H", "4H 5S", "9C 9H", "9C 4H 5S", "4H 5S 9H", "9C 4H 5S 9H",
    }  # fmt: skip
    apart = posed(TWO, "9D; 2D", "4H 5S 4C 5D")
    assert apart.takes("9D") == {"4H 5S", "4H 5D", "5S 4C", "4C 5D", "4H 5S 4C 5D"}, "disjoint groups only"


def test_wq07_dual_cards_count_at_either_value_card_by_card() -> None:
    table = posed(SIX, "KD; 8S", "KC KH TS")
    assert "KC KH TS" in table.takes("KD"), "one king as 14, the other as 4 with the ten"
    assert posed(SIX, "KD 4D; 8S", "TS+4C=14").takes("4D") == set(), "fixed in a build"


def test_wq08_a_build_needs_a_card_that_can_take_it() -> None:
    assert posed(SIX, "5D 9S; 8S", "4H").news("5D", "4H") == {9}
    assert posed(SIX, "5D 8D; 9S", "4H").news("5D", "4H") == set()
    for rule, values in (("self", set()), ("none", {1, 9}), ("self_or_partner", {9})):
        assert posed(f"{FOUR},build_needs={rule}", "4D 8D; 2H; 9C; 2S", "5H").news("4D", "5H") == values
    stale = posed(f"{SIX},stale_build_penalty=30", "3D 2C; KC 8S", "4S KD 9H+2H=11@1")
    stale.turn("2C beside", "KC take KD", "3D beside")
    assert stale.turn("8S beside").gained == [0, 3 - 30], "most cards, less the penalty"


def test_wq09_the_partner_is_asked_by_what_is_legal() -> None:
    table = posed(FOUR, "5D 8D; 2H; 9S; 2S", "4H")
    assert table.news("5D", "4H") == {9} and int(table.state["asked"][0]) == 1 << 9
    table.turn("5D on 4H as 9")
    assert int(table.state["promised"][0]) == 1 << 9, "which tells everybody"
    three = "preset=six_joker,players=6"
    assert posed(three, "5D 8D; 2H; 2C; 2S; 9S; 3C", "4H").news("5D", "4H") == {9}, "any team-mate counts"


def test_wq10_builds_up_and_down_to_values_that_a_card_has() -> None:
    none = "preset=six_joker,players=2,build_needs=none"
    assert posed(none, "5D; 8S", "9C").news("5D", "9C") == {14, 4}
    assert posed(none, "9D; 8S", "5C").news("9D", "5C") == {14}, "never below 1"
    assert posed(none, "9D; 8S", "9C").news("9D", "9C") == set(), "neither 18 nor 0"
    assert posed(none, "2D; 8S", "KC").news("2D", "KC") == {2, 6, 12}, "the king as 4 or 14; no 16"
    assert posed(none, "9D; 8S", "X20").news("9D", "X20") == {11}, "no 29"
    assert posed("preset=one_joker,players=2,build_needs=none", "8D; 8S", "9C").news("8D", "9C") == {1}, (
        "no 17 in this pack"
    )


def test_wq11_builds_on_jokers_and_with_them() -> None:
    table = posed(SIX, "5D X15; 8S", "X20")
    assert table.news("5D", "X20") == {15}
    assert table.turn("5D on X20", "8S beside", "X15 take 5D").zwicks == [0, 0]
    assert {"X15", "X20"} <= set(table.pile(0))
    assert posed(SIX, "X15 5H; 8S", "X20").news("X15", "X20") == {5}


def test_wq12_an_equal_card_does_not_pair_unless_the_option_says_so() -> None:
    assert posed(SIX, "9D 9S; 8S", "9C").acts("9D") == {"take", "beside"}
    assert posed(f"{SIX},pair_build=true", "9D 9S; 8S", "9C").news("9D", "9C") == {9}


def test_wq13_a_build_uses_one_table_card() -> None:
    table = posed(SIX, "2D 9S; 8S", "3C 4H")
    assert {text for text in table.turns() if " on " in text} == set(), "2 + 3 + 4 is no build of nine"


def test_wq14_nobody_owns_a_build() -> None:
    table = posed(SIX, "5D 9S; 2S JD 9H", "4H").turn("5D on 4H as 9")
    assert table.takes("9H") == {"5D"} and table.news("2S", "5D") == set()
    assert posed(SIX, "2S JS AD; 9H", "4H+5D=9@1").news("2S", "5D") == {11}, "an opponent may change it"
    bound = posed(SIX, "5D 9S; 2S 2H", "4H").turn("5D on 4H as 9", "2S beside")
    assert "9S beside" in bound.turns(), "the builder need not take it"


def test_wq15_after_a_zwick_the_next_player_adds_a_card() -> None:
    table = posed(SIX, "9D 2C; 8S", "9C").turn("9D take 9C")
    assert table.player == 1 and table.turns() == {"8S beside"}
    relay = posed(f"{SIX},zwick_relay=true", "9D 2C; 8S", "9C").turn("9D take 9C")
    assert relay.player == 0 and relay.turns() == {"2C beside"} and relay.turn("2C beside").player == 1


def test_wq16_every_capture_that_empties_the_table_is_a_zwick() -> None:
    one = posed(TWO, "9D 2C; 8S", "9C").turn("9D take 9C")
    assert one.zwicks == [1, 0]
    last = posed(TWO, "9D", "9C").turn("9D take 9C")
    assert last.player < 0 and last.zwicks == [1, 0] and last.gained == [3 + 1, 0]
    award = posed(TWO, "9D 2C; 8S", "9C JC").turn("9D take 9C", "8S beside", "2C on 8S")
    assert award.zwicks == [0, 0] and award.items() == [], "the award of what is left is none"


def test_wq17_what_is_left_without_jokers_goes_to_the_last_capturer_or_nobody() -> None:
    table = posed(TWO, "9D KS; 3S", "9C QC 2H").turn("9D take 9C", "3S on 2H", "KS beside")
    assert table.pile(0) == sorted(["9D", "9C", "QC", "2H", "3S", "KS"]), "stacks too"
    nobody = posed(TWO, "KS", "QC TD").turn("KS beside")
    assert nobody.items() == ["QC", "TD", "KS"] and nobody.gained == [0, 0]


def test_wq18_all_the_cards_that_are_left() -> None:
    table = posed(SIX, "9D QS; 8S 7S", "9C KC X30 TD").turn("9D take 9C", "8S beside", "QS beside", "7S beside")
    assert table.items() == [] and table.gained == [20 + 3 + 3, 0]


def test_wq19_cards_that_do_not_divide() -> None:
    hands = "; ".join(f"{rank}D" for rank in "234567")
    singly = posed("players=6,trail=free", hands, "KC", stock="4C 5C 6C 7C")
    for _ in range(6):
        singly.turn(f"{singly.cards_of(singly.player)[0]} beside")
    assert [len(singly.cards_of(seat)) for seat in range(6)] == [1, 1, 1, 1, 0, 0] and singly.player == 0
    for _ in range(4):
        singly.turn(f"{singly.cards_of(singly.player)[0]} beside")
    assert singly.player < 0, "who has none is passed over"
    odd = {"singly": (4, 100 - 24), "to_table": (8, 96 - 24), "unused": (4, 96 - 24)}
    for rule, (items, stock) in odd.items():
        table = shuffled(f"players=6,short_deal={rule}", 1)
        assert (len(table.items()), table.stock) == (items, stock), rule


def test_wq20_refills_come_for_all_together() -> None:
    table = posed("players=3,trail=free", "2D; 3D 4H; 4D", "KC", stock="5D 6D 7D")
    table.turn("2D beside", "3D beside", "4D beside")
    assert (table.player, table.stock) == (1, 3), "seat 1 has a card left"
    assert table.turn("4H beside").stock == 0 and [table.cards_of(seat) for seat in range(3)] == [
        ["5D"],
        ["6D"],
        ["7D"],
    ]


@pytest.mark.parametrize(("rule", "points"), [("none", [0, 0, 0]), ("all", [1, 1, 0])])
def test_wq21_a_tie_for_most_cards(rule: str, points: list[int]) -> None:
    table = posed(f"players=3,most_cards_tie={rule}", "KD", "QC", piles="2H 3H;4H 5H;6H")
    assert table.turn("KD beside").gained == points


def test_wq22_partnerships() -> None:
    sides = {f"{preset}{players}": shuffled(f"preset={preset},players={players}", 1).sides
             for preset in ("six_joker", "one_joker", "no_joker", "grupp") for players in range(2, 7)}  # fmt: skip
    assert sides == {
        f"{preset}{players}": 2 if players in (4, 6) and preset in ("six_joker", "one_joker") else players
        for preset in ("six_joker", "one_joker", "no_joker", "grupp")
        for players in range(2, 7)
    }
    table = posed(FOUR, "9D; 8S; KD; 2S", "9C KC 5H").turn("9D take 9C", "8S beside", "KD take KC")
    assert table.pile(0) == sorted(["9D", "9C", "KD", "KC"]), "one pile for a party, seats alternating"
    table.turn("2S beside")
    assert table.gained[0] == 3 + 1 and table.column("points") == [4, 0, 4, 0], "and one score"


@pytest.mark.parametrize("players", range(2, 7))
def test_wq23_one_pack_with_six_jokers(players: int) -> None:
    assert len(make(f"preset=six_joker,players={players}").deck()) == 58


def test_wq24_every_copy_scores() -> None:
    table = posed("players=5", "KD", "QC", piles="7D 7D 7S 7S TD TD AC AC;2H 3H 4H")
    assert table.turn("KD beside").gained == [1 + 1 + 1 + 1 + 10 + 10 + 2 + 2 + 1, 0, 0, 0, 0]


@pytest.mark.parametrize("preset", ["no_joker", "grupp"])
def test_wq25_two_packs_from_five_players(preset: str) -> None:
    size = 52 if preset == "no_joker" else 58
    packs = [len(make(f"preset={preset},players={players}").deck()) // size for players in range(2, 9)]
    assert packs == [1, 1, 1, 2, 2, 2, 2]


def test_wq26_one_deal_or_a_match_in_which_the_deal_moves_left() -> None:
    single = shuffled(TWO, 1).play_on(random.Random(1))
    assert single.game.current_player(single.states) == TERMINAL
    match = shuffled("players=3,match=true", 1)
    dealers = []
    for hand in range(3):
        dealers.append(match.dealer)
        match.play_on(random.Random(hand))
        if hand < 2:
            assert match.game.current_player(match.states) == CHANCE
            match.game.deal_next(66, 1, hand + 1, match.states)
    assert dealers == [(dealers[0] + k) % 3 for k in range(3)], "as many deals as players"
    assert match.game.current_player(match.states) == TERMINAL


def test_wq27_the_target_is_looked_at_after_a_deal() -> None:
    def after(target: int, scores: list[int]) -> bool:
        table = posed(f"players=2,match=true,target={target}", "9D; 2S", "9C KC", piles="3C;4C")
        table.state["scores"][:2] = scores
        table.turn("9D take 9C", "2S beside")  # five cards to one: a point for seat 0
        return table.game.current_player(table.states) == TERMINAL

    assert after(5, [4, 0]) and not after(5, [3, 0])
    assert after(5, [6, 6]), "the higher total wins"
    assert not after(5, [6, 7]), "equal: one more deal"
    assert after(5, [0, 9])


def test_wq28_the_value_played_has_no_effect_on_points() -> None:
    low = posed(SIX, "AD; 8S", "2C+3C=1 9H 9C").turn("AD take 3C", "8S beside")
    high = posed(SIX, "AD; 8S", "2C+3C=11 9H 9C").turn("AD take 3C", "8S beside")
    assert low.gained == high.gained == [1 + 3, 0]


def test_wq29_the_opening_table_stays_as_dealt() -> None:
    table = dealt(SIX, table="X15 X30 X20 KD KH KS KC 2D 2H 2S")
    assert table.items() == ["X15", "X30", "X20", "KD", "KH", "KS", "KC", "2D", "2H", "2S"]


def test_wq30_what_is_captured_is_public() -> None:
    table = posed(TWO, "9D KS; 3S", "9C QC 2H").turn("9D take 9C")
    assert table.pile(0) == ["9C", "9D"], "card by card, in a public field of the record"


@pytest.mark.parametrize("rules", FORMS)
def test_forehand_begins_whoever_deals(rules: str) -> None:
    """What the answers have in common: the same pack dealt by another seat is the same deal, turned."""
    game = make(rules)
    for dealer in range(game.num_players):
        table = from_pack(rules, lay_out(game, dealer), dealer)
        assert table.player == (dealer + 1) % game.num_players


def test_every_question_has_a_test() -> None:
    numbers = Counter(int(match[1]) for name in globals() if (match := re.match(r"test_wq(\d\d)_", name)))
    assert numbers == Counter(range(1, 31))
