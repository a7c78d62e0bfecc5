"""The precisions WP1 to WP20, one test each, on small positions and deals."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from cardsim.contract import TERMINAL
from cardsim.games.zwicker.rules import PRESETS
from tests.games.zwicker_scenes import dealt, make, posed, shuffled

TWO = "players=2"
FREE = "players=2,trail=free"
SIX = "preset=six_joker,players=2"
FOUR = "preset=six_joker,players=4"
NONE = "preset=six_joker,players=2,build_needs=none"
GRUPP = "preset=grupp,players=2"
JOKER_FORMS = ("one_joker", "two_joker", "three_joker", "four_joker", "six_joker")


def bits(*values: int) -> int:
    """A set of values as in the record."""
    return sum(1 << value for value in values)


@pytest.mark.parametrize("preset", PRESETS)
def test_wp01_the_order_of_dealing(preset: str) -> None:
    game = make(f"preset={preset},players=3")
    deck = game.deck()
    table = game.deal_given(deck, 2)[0]  # the pack in ascending order; seat 0 is the forehand
    opening = int(game.rules.record["table"][0])
    hands = [[int(card) for card in hand] for hand in table["hand"][:3]]
    if preset in ("no_joker", "grupp"):
        expected = [[deck[seat + 3 * k] for k in range(4)] for seat in range(3)]
        laid = deck[12 : 12 + opening]
    else:
        half = opening // 2
        second = 6 + half
        expected = [
            [*deck[2 * seat : 2 * seat + 2], *deck[second + 2 * seat : second + 2 * seat + 2]] for seat in range(3)
        ]
        laid = [*deck[6 : 6 + half], *deck[second + 6 : second + 6 + opening - half]]
    assert hands == expected and [int(card) for card in table["top"][:opening]] == laid


def test_wp02_forehand_begins_and_a_refill_changes_nothing() -> None:
    for dealer in range(3):
        assert dealt("players=3", dealer=dealer).player == (dealer + 1) % 3
    table = posed("players=3,trail=free", "2D; 3D; 4D", "KC", stock="5D 6D 7D")
    assert table.turn("2D beside", "3D beside", "4D beside").player == 0


def test_wp03_short_deals() -> None:
    to_table = shuffled("preset=grupp,players=2,short_deal=to_table", 1)
    assert (len(to_table.items()), to_table.stock) == (4 + 6, 58 - 8 - 10)
    unused = shuffled("preset=grupp,players=2,short_deal=unused", 1)
    bottom = sorted(unused.talon()[-6:])
    unused.play_on(random.Random(1))
    assert sorted(unused.talon()) == bottom and unused.stock == 0, "never seen, nobody's"
    sizes: list[int] = []
    table = shuffled("preset=three_joker,table_cards=3", 1)
    while table.player >= 0:
        before = table.stock
        table.play_on(random.Random(len(sizes)), 1)
        if table.stock < before:
            sizes.append(len(table.cards_of(0)))
    assert sizes == [4, 4, 1] and len(table.game.deck()) == 55


def test_wp04_wild_jokers_and_equal_copies_are_one_choice() -> None:
    assert len(make("preset=grupp,players=6,n_jokers=3").deck()) == 2 * 55
    hand = posed("preset=grupp,players=5,trail=free", "XW XW 9D 9D; 2S", "KC")
    assert hand.legal() == {"hand 1", "hand 3"}
    table = posed("players=5,trail=free", "9D; 2S", "9C 9C 9H").play("hand 1", "take")
    assert table.legal() == {"item 1", "item 3"}, "of equal copies the first"
    assert table.play("item 1").legal() == {"item 2", "item 3", "finish"}


def test_wp05_a_capture_is_its_card_and_its_items() -> None:
    table = posed(SIX, "AD 2C; 8S", "2H+9H=11 AC")
    ways = [table.after("hand 1", "take", f"as {value}", "item 2", "finish").states for value in (1, 11)]
    assert table.cards_of(0) == ["AD", "2C"] and ways[0].tobytes() == ways[1].tobytes(), "the value changes nothing"
    four = posed(TWO, "9D; 2S", "4C 5C 4D 5D").play("hand 1", "take")
    one = four.after("item 1", "item 2", "item 3", "item 4", "finish")
    other = four.after("item 1", "item 4", "item 2", "item 3", "finish")
    assert [int(n) for n in (one.state["items"], other.state["items"])] == [0, 0] and one.pile(0) == other.pile(0)
    assert posed(SIX, "KD JS; 4S TC", "").turn("KD beside").takes("4S") == {"KD"}, "beside it stays at either value"


@pytest.mark.parametrize("rules", [TWO, SIX, GRUPP])
def test_wp06_captures_that_must_be_made_and_sums_in_every_form(rules: str) -> None:
    must = posed(f"{rules},must_capture=true,trail=free", "9D 2C; 8S", "9C 3H")
    assert must.turns() == {"9D take 9C"}, "builds, stacks and laying beside are masked"
    single = posed(f"{rules},sum_capture=false", "9D; 8S", "9C 4H 5H 9S")
    assert single.takes("9D") == {"9C", "9S", "9C 9S"}


@pytest.mark.parametrize(("rules", "build"), [(TWO, "3C+4C=7"), (SIX, "KC+3C=7@1"), (GRUPP, "3C+4C=7")])
def test_wp07_builds_and_stacks_in_sums(rules: str, build: str) -> None:
    assert posed(rules, "9D; 8S", f"{build} 2C").takes("9D") == {f"{build.split('=')[0][-2:]} 2C"}


def test_wp08_zwick_relay_and_sweeps_with_jokers() -> None:
    again = posed(f"{TWO},zwick_relay=true", "9D KS; 8S", "9C").turn("9D take 9C")
    assert (again.player, again.zwicks) == (0, [1, 0])
    empty = posed(f"{TWO},zwick_relay=true", "9D; 8S", "9C").turn("9D take 9C")
    assert (empty.player, empty.zwicks) == (1, [1, 0]), "it lapses if his hand is empty"
    joker = posed(f"{GRUPP},zwick_relay=true,joker_sweep_counts=false", "XW KS; 8S", "9C").turn("XW take 9C")
    assert (joker.player, joker.zwicks, joker.items()) == (0, [0, 0], []), "cleared all the same"
    assert posed(f"{GRUPP},joker_sweep_counts=false", "9D KS; 8S", "XW").turn("9D take XW").zwicks == [1, 0]


@pytest.mark.parametrize("preset", JOKER_FORMS)
def test_wp09_attainable_values_are_those_of_the_pack(preset: str) -> None:
    jokers = PRESETS[preset].jokers
    rules = f"preset={preset},players=2,build_needs=none"
    built = {value for low in range(1, 15) for value in posed(rules, "JD; 8S", f"3C+4C={low}").news("JD", "4C")}
    reached = {value for low in range(1, 15) for value in (low + 2, low + 12, low - 2, low - 12)}
    assert built == reached & {*range(1, 15), *jokers}


def test_wp10_what_covers_a_build() -> None:
    assert posed(SIX, "4D 4S; 9S", "5H 8C").news("4D", "5H") == set(), "the opponent's nine does not"
    assert posed(SIX, "4D 2C; 8S", "5H 8C", stock="9S 9C").news("4D", "5H") == set(), "nor one in the stock"
    assert posed(SIX, "9D; 8S", "X20").news("9D", "X20") == set(), "nor the card just played"
    twice = posed(SIX, "4D 3D 9S; 8S 7S", "5H 6C").turn("4D on 5H as 9", "8S beside")
    assert twice.news("3D", "6C") == {9}, "one card may serve several builds"


def test_wp11_what_a_build_is_and_where_it_lies() -> None:
    table = posed(NONE, "3D 4D; 2S AS", "5H KC 9H").turn("3D on KC as 7", "2S on 3D as 9")
    assert table.items() == ["5H", "KC+3D+2S=9", "9H"], "it keeps its place"
    assert posed(NONE, "TD; 8S", "KC").news("TD", "KC") == {4, 14}, "back to the king's other value"


def test_wp12_pairs_differences_and_penalties() -> None:
    pairs = f"{SIX},pair_build=true"
    assert posed(pairs, "KD KS; 8S", "KC").news("KD", "KC") == {4, 14}
    assert posed(pairs, "KD 2S; 8S", "KC").news("KD", "KC") == set(), "under build_needs"
    assert posed(pairs, "9D 9S; 8S", "4C+5C=9@1").news("9D", "5C") == {9}, "also on builds"
    assert posed(f"{NONE},build_down=abs_difference", "9D; 8S", "5C").news("9D", "5C") == {4, 14}
    assert posed(f"{NONE},build_down=abs_difference", "9D; 8S", "9C").news("9D", "9C") == set(), "at least 1"
    left = posed(f"{pairs},stale_build_penalty=7", "KD; 8S 8H", "4C+5C=9@1 9H+9S=9@0 2S+2D=4@1").turn("KD beside")
    assert left.turn("8S beside", "8H beside").gained == [-7, -14]
    assert posed(f"{FREE},stale_build_penalty=7", "KD", "4C+5C=9").turn("KD beside").gained == [0, 0], "no stacks"


def test_wp13_what_turns_tell() -> None:
    table = posed(FOUR, "5D 2C; 2H 6H; 9S 3S; 2S 6S", "4H 6D", stock="7D 7H 7S 7C 8D 8H 8S 8C")
    assert int(table.state["asked"][0]) & bits(9) and not int(table.state["denied"][0]) & bits(9)
    assert int(table.state["denied"][0]) & bits(11, 8) == bits(11, 8), "neither 6 + 5 nor 6 + 2"
    assert [int(table.state["asked"][seat]) for seat in (1, 2, 3)] == [0, 0, 0], "nobody but the mover"
    table.turn("5D on 4H as 9")
    assert [int(mask) for mask in table.state["promised"][:2]] == [bits(9), 0], "all know it of the party"
    own = posed(f"{FOUR},build_needs=self", "5D 9C; 2H; 9S; 2S", "4H").turn("5D on 4H as 9")
    assert int(own.state["promised"][0]) == bits(9) and int(own.state["asked"][2]) == 0
    assert int(posed(NONE, "5D 9C; 2H", "4H").turn("5D on 4H as 9").state["promised"][0]) == 0
    table.turn("2H beside", "9S beside")
    assert int(table.state["promised"][0]) == 0, "that card may have been meant"
    must = posed(f"{FREE},must_capture=true", "KD 2C; 8S", "9C 4H").turn("KD beside")
    assert int(must.state["lacks"][0]) == bits(4, 9, 13), "what could have been taken was not held"
    must.turn("8S beside", "2C beside")
    assert int(must.state["lacks"][0]) & bits(4, 8, 9, 12, 13) == bits(4, 8, 9, 12, 13)


def test_wp13_refills_end_what_is_known() -> None:
    table = posed(FREE + ",must_capture=true", "KD; 8S", "9C 4H", stock="2D 2H 2S 2C 3D 3H 3S 3C")
    assert int(table.turn("KD beside").state["lacks"][0]) > 0
    assert int(table.turn("8S beside").state["lacks"][0]) == 0


def test_wp13a_the_value_must_be_covered_after_the_play() -> None:
    assert posed(SIX, "X15 5H; 8S", "X20").news("X15", "X20") == {5}
    assert posed(SIX, "X15 6H; 8S", "X20").news("X15", "X20") == set()
    assert posed(SIX, "5H X15; 8S", "X20").news("5H", "X20") == {15}
    assert posed(SIX, "5H X17; 8S", "X20").news("5H", "X20") == set()


def test_wp14_grupp_is_scored_and_stacked_as_without_jokers() -> None:
    swept = posed(GRUPP, "9D; 8S", "9C").turn("9D take 9C", "8S beside")
    assert swept.gained == [3 + 1, 0]
    table = posed(GRUPP, "XW 5D; 8S", "9C QC JC")
    assert table.acts("XW") == {"take", "on"} and table.news("XW", "9C") == {11, 12, 13, 14}
    assert table.news("XW", "JC") == {14} and table.news("XW", "QC") == set(), "up to 12"
    assert posed(GRUPP, "5D; 8S", "XW").news("5D", "XW") == set(range(7, 15)), "one that lies there likewise"
    assert posed(GRUPP, "XW; 8S", "XW").news("XW", "XW") == set(range(4, 15))
    table.turn("XW on 9C as 12")
    assert table.items()[0] == "9C+XW=12" and posed(GRUPP, "JD; 8S", "9C+XW=12").takes("JD") == {"XW"}
    beside = posed(f"{GRUPP},trail=free", "XW; 8S 9S", "").turn("XW beside")
    assert beside.takes("8S") == beside.takes("9S") == {"XW"}, "beside it stays wild"


def test_wp15_lone_jokers_and_jokers_that_stay() -> None:
    lone = f"{GRUPP},lone_joker_by_joker=true"
    assert posed(lone, "9D; 8S", "XW").takes("9D") == set()
    assert posed(lone, "9D; 8S", "XW 2C").takes("9D") == {"XW", "XW 2C"}, "not the only item"
    assert posed(lone, "9D; 8S", "4C+XW=9").takes("9D") == {"XW"}, "not loose"
    stays = f"{GRUPP},jokers_stay=true"
    assert posed(stays, "XW 3D; 8S", "XW 9C").news("XW", "9C") == set(), "no joker on an item"
    assert posed(stays, "3D; 8S", "XW").acts("3D") == {"beside"}, "no card on a joker"
    end = posed(stays, "9D; 8S", "9C XW 2C").turn("9D take 9C", "8S on 2C")
    assert end.items() == ["XW"] and end.zwicks == [0, 0], "left to nobody"


def test_wp16_ties() -> None:
    assert posed("players=2,most_cards_tie=all", "KD", "QC").turn("KD beside").gained == [0, 0], "nobody with no cards"
    teams = posed(f"{FOUR},most_cards_tie=all", "KD", "QC", piles="2H 3H;4H 5H").turn("KD beside")
    assert teams.gained == [3, 3]
    equal = posed(TWO, "KD", "QC", piles="AC 3H;AD 5H").turn("KD beside")
    assert (
        equal.gained == [2, 2] and equal.column("wins") == [0, 0] and list(equal.game.returns(equal.states)) == [0, 0]
    )


def test_wp17_teams() -> None:
    for players in (4, 6, 8):
        assert shuffled(f"players={players},teams=true", 1).sides == 2
    for players in (2, 3, 5, 7):
        with pytest.raises(ValueError, match="teams"):
            make(f"players={players},teams=true")
    assert shuffled("preset=six_joker,players=6,teams=false", 1).sides == 6
    table = posed("players=4,teams=true", "9D; 8S; KD; 2S", "9C KC").turn("9D take 9C", "8S beside", "KD take KC")
    assert table.pile(0) == sorted(["9D", "9C", "KD", "KC"]) and table.pile(1) == []


def match(rules: str, scores: list[int], deals: int = 0) -> bool:
    """Whether a match is over once a deal of one point for seat 0 has come to these scores and deals."""
    table = posed(f"players=2,match=true,{rules}", "9D; 2S", "9C KC", piles="3C;4C")
    table.state["scores"][:2] = scores
    table.state["totals"][0] = deals
    table.turn("9D take 9C", "2S beside")
    return table.game.current_player(table.states) == TERMINAL


def test_wp18_how_a_match_ends() -> None:
    assert match("target=10", [9, 9]) and not match("target=10", [9, 10]), "alone"
    assert match("n_deals=3", [5, 6], 2) and not match("n_deals=3", [50, 6], 1), "after so many, ties stand"
    assert match("n_deals=3,target=10", [9, 0], 0) and match("n_deals=3,target=10", [0, 0], 2), "whichever comes first"


@pytest.mark.parametrize(
    ("preset", "fixed"), [("one_joker", 19), ("two_joker", 29), ("three_joker", 44), ("four_joker", 64)]
)
def test_wp19_fixed_points(preset: str, fixed: int) -> None:
    deck = [make(f"preset={preset}").pack.text(card) for card in make(f"preset={preset}").deck()]
    table = posed(
        f"preset={preset},players=2", "KD", "QC", piles=" ".join(card for card in deck if card not in ("KD", "QC"))
    )
    assert table.turn("KD beside").gained == [fixed, 0]
    joker = posed(f"{GRUPP},joker_points=4", "KD", "QC", piles="XW XW 2H;XW").turn("KD beside")
    assert joker.gained == [4 + 4 + 1, 4]


def test_wp19a_no_whole_turn_is_ever_listed() -> None:
    """48 items, and at each decision one mask of 62 actions."""
    everything = posed(FREE, "KD", " ".join(rank + suit for suit in "DHSC" for rank in "23456789TAJQ"))
    assert len(everything.items()) == 48
    everything.play("hand 1", "take")
    assert "further" in everything.legal()
    while everything.player >= 0:
        names = everything.legal()
        everything.play(min(names - {"finish"}) if names - {"finish"} else "finish")
    assert everything.column("captures") == [1, 0]


def test_wp20_options_out_of_place_change_nothing() -> None:
    idle = {
        "players=2": ["build_needs=none", "pair_build=true", "jokers_stay=true", "n_jokers=2", "joker_points=3"],
        SIX: ["trail=free", "jokers_stay=true", "lone_joker_by_joker=true", "joker_sweep_counts=false", "n_jokers=2"],
    }
    for rules, options in idle.items():
        for option in options:
            plain, given = shuffled(rules, 3), shuffled(f"{rules},{option}", 3)
            plain.play_on(random.Random(1))
            given.play_on(random.Random(1))
            assert given.gained == plain.gained and given.column("cards") == plain.column("cards"), option
    for refused in ("preset=six_joker,players=7", "players=8,table_cards=90", "players=5,teams=true"):
        with pytest.raises(ValueError, match="option"):
            make(refused)


def test_every_precision_has_a_test() -> None:
    names = Counter(match[1] for name in globals() if (match := re.match(r"test_wp(\d\da?)_", name)))
    assert set(names) == {f"{number:02}" for number in range(1, 21)} | {"13a", "19a"}
