"""The rules that the source texts state, Z1 to Z31, one test each, on small deals."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from cardsim.contract import CHANCE, TERMINAL
from tests.games.zwicken_scenes import (
    BELLI_HAND,
    MARCH,
    MARCH_PLAY,
    SHARED,
    SHARED_PLAY,
    check_order_of_trumps,
    dealt,
    from_pack,
    make,
    shuffled,
    tricks,
    winner,
)

RANKS = "789TJQKA"
THREE = "players=3"


def test_z01_two_to_five_players_clockwise() -> None:
    for players in range(2, 6):
        table = dealt(f"players={players}", dealer=0)
        asked = []
        while table.phase == "announce":
            asked.append(table.player)
            table.play("play")
        assert asked == [*range(1, players), 0]
    for players in (1, 6):
        with pytest.raises(ValueError, match=f"players={players}"):
            make(f"players={players}")


def test_z02_the_pack() -> None:
    table = shuffled("", 1)
    places = [*map(table.hand, range(4)), set(table.talon()), {table.up()}]
    assert set().union(*places) == {rank + suit for rank in RANKS for suit in "DHSC"}
    assert sum(map(len, places)) == 32


def test_z03_rank_in_a_plain_suit() -> None:
    for suit in "DSC":
        ranks = [rank for rank in "789TJQKA" if rank + suit != "7D"]
        for low, high in itertools.combinations(ranks, 2):
            assert winner("", low + suit, high + suit) == 1
            assert winner("", high + suit, low + suit) == 0


@pytest.mark.parametrize("suit", "HSC")
def test_z04_the_belli_comes_directly_under_the_trump_ace(suit: str) -> None:
    check_order_of_trumps("", f"8{suit}", ["A" + suit, "7D", *(rank + suit for rank in "KQJT987")])
    plain = next(other for other in "HSC" if other != suit)
    assert winner("", "A" + plain, "7D,9D,8D", "8" + suit) == 1, "it trumps"
    assert winner("", "7D", f"A{plain},AD,KD", "8" + suit) == 0


def test_z05_the_same_high_place_with_diamonds_as_trumps() -> None:
    check_order_of_trumps("", "8D", [rank + "D" for rank in "A7KQJT9"])


def test_z06_tricks_share_the_pot_which_carries_on() -> None:
    assert tricks(THREE, SHARED, SHARED_PLAY).gained == [1, 2, -3 - 3], "one third, two thirds, ante and bete"
    assert tricks(THREE, MARCH, MARCH_PLAY).gained == [3, -3, -3 - 3]
    table = tricks(f"{THREE},match=true", SHARED, SHARED_PLAY)
    assert (table.pot, table.game.rules["target_chips"]) == (3, 0)
    assert table.deal().pot == 3 + 3, "the bete and the next ante"


def test_z07_the_dealer_antes_three_chips() -> None:
    for dealer in range(4):
        table = dealt(dealer=dealer)
        assert table.chips == [-3 * (seat == dealer) for seat in range(4)] and table.pot == 3


def test_z08_the_bottom_card_of_the_upper_packet_is_shown() -> None:
    """That the dealer's right cuts shows in Z12, where the deal passes to him."""
    for shown in ("KC", "8D", "TS"):
        table = dealt(shown=shown)
        assert [table.sees_cards(seat, "shown") for seat in range(4)] == [{shown}] * 4


def test_z09_two_cards_one_turned_one_more() -> None:
    pack = [rank + suit for suit in "DHSC" for rank in "A789TJQK"]
    table = from_pack("", pack, 3)
    hands = [{"AD", "7D", "7H"}, {"8D", "9D", "8H"}, {"TD", "JD", "9H"}, {"QD", "KD", "TH"}]
    assert [table.hand(seat) for seat in range(4)] == hands
    assert (table.up(), table.trump()) == ("AH", "H")
    assert table.talon() == pack[13:]
    other = from_pack("", pack, 1)
    assert [other.hand(seat) for seat in (2, 3, 0, 1)] == hands, "from the dealer's left"


def test_z10_the_turned_card_is_never_played() -> None:
    for number in range(30):
        table = shuffled("preset=four_card", number)
        source = random.Random(number)
        while table.player >= 0:
            up = table.game.pack.card(table.up())
            assert not any(table.up() in table.hand(seat) | table.thrown(seat) for seat in range(4))
            assert up not in table.state["history"] and table.up() not in table.talon()
            assert table.sees_cards(table.player, "up") == {table.up()}, "it lies face up"
            table.play_randomly(source, 1)


@pytest.mark.parametrize("shown", ["AD", "AH", "AS", "AC", "7H", "7S", "7C"])
def test_z11_an_ace_or_a_plain_seven_voids_the_deal(shown: str) -> None:
    table = dealt(shown=shown)
    assert table.game.current_player(table.states) == CHANCE and table.legal() == set()
    assert (table.chips, table.pot, table.dealer, table.state["deals"]) == ([0] * 4, 0, 3, 0), "the ante comes back"
    table.deal()
    assert (table.chips, table.pot, table.dealer, table.phase) == ([0, 0, 0, -3], 3, 3, "announce")


@pytest.mark.parametrize("dealer", range(4))
def test_z12_the_belli_costs_the_dealer_and_moves_the_deal(dealer: int) -> None:
    table = dealt(shown="7D", dealer=dealer)
    cutter, left, across = (dealer - 1) % 4, (dealer + 1) % 4, (dealer + 2) % 4
    assert [table.chips[seat] for seat in (dealer, left, across, cutter)] == [-3 - 6, 3, 3, 0]
    assert (table.dealer, table.pot) == (cutter, 3)
    assert table.game.current_player(table.states) == CHANCE, "a new cut follows"
    assert table.deal().player == dealer, "at the new dealer's left"


def test_z13_any_other_card_lets_the_deal_go_ahead() -> None:
    for shown in (rank + suit for suit in "DHSC" for rank in "89TJQK"):
        table = dealt(up="8H" if shown != "8H" else "9H", shown=shown)
        assert (table.phase, table.chips, table.pot) == ("announce", [0, 0, 0, -3], 3)


def test_z14_play_or_pass_from_the_dealers_left() -> None:
    table = dealt(hands=SHARED.replace(";", ";;", 1))
    assert (table.player, table.after("play").legal()) == (0, {"play", "pass"})
    table.begin(stay="023").play(SHARED_PLAY)
    assert table.gained == [1, 0, 2, -3 - 3], "the pot of 3 goes to those who stayed"
    assert table.column("stays") == [1, 0, 1, 1]


def test_z15_up_to_three_cards_one_at_a_time_in_rotation() -> None:
    table = dealt("players=2", "8S,9S,TS;8C,9C,TC", talon="JS,QS,KS,JC,QC,KC").announce()
    turns = []
    for card in ("8S", "8C", "9S", "9C", "TS", "TC"):
        assert table.phase == "swap" and table.legal() == table.hand(table.player) | {"stop"}
        turns.append(table.player)
        table.play(card)
    assert turns == [0, 1] * 3 and table.phase == "lead"
    assert [table.hand(0), table.hand(1)] == [{"JS", "KS", "QC"}, {"QS", "JC", "KC"}]
    assert [table.thrown(0), table.thrown(1)] == [{"8S", "9S", "TS"}, {"8C", "9C", "TC"}]
    assert not set(table.talon()) & (table.thrown(0) | table.thrown(1)) and len(table.talon()) == 25 - 6
    kept = dealt("players=2", "8S,9S,TS;8C,9C,TC").begin()
    assert (kept.hand(0), kept.row("swaps")) == ({"8S", "9S", "TS"}, [0, 0]), "swapping none is allowed"


def test_z16_the_trump_ace_must_stay() -> None:
    table = dealt(hands=";AH;AS,7D")
    assert [table.legal(), table.play("pass").legal()] == [{"play", "pass"}, {"play"}]
    assert table.play("play").legal() == {"play", "pass"}, "neither a plain Ace nor the Belli"


def test_z17_the_belli_is_due_under_the_led_ace() -> None:
    table = tricks("players=2", BELLI_HAND, "AH")
    assert table.legal() == {"7D", "KH"}, "or a penalty applies"
    released, kept = table.after("7D"), table.after("KH")
    assert (released.row("faults")[1] > 0, kept.row("faults")[1] > 0) == (False, True)
    alone = tricks("players=2", BELLI_HAND.replace("AH", "QH"), "QH KH")
    assert alone.row("faults") == [0, 0], "nobody holds the Ace"


@pytest.mark.parametrize(("stay", "leader"), [("0123", 0), ("123", 1), ("23", 2), ("13", 1)])
def test_z18_the_first_lead(stay: str, leader: int) -> None:
    table = dealt().begin(stay)
    assert (table.phase, table.player) == ("lead", leader)
    assert table.legal() == table.hand(leader), "any card may be led"


def test_z19_follow_suit() -> None:
    assert tricks("players=2", "AS;8S,KH,7D", "AS").legal() == {"8S"}
    assert tricks("players=2", "QH;8S,9H,7D", "QH").legal() == {"9H", "7D"}


def test_z20_else_trump_else_anything() -> None:
    assert tricks("players=2", "AS;9H,7D,8C", "AS").legal() == {"9H", "7D"}
    assert tricks("players=2", "AS;8C,9C,AD", "AS").legal() == {"8C", "9C", "AD"}
    assert tricks("players=2", "QH;8C,9C,AD", "QH").legal() == {"8C", "9C", "AD"}


@pytest.mark.parametrize(
    ("play", "taken_by"),
    [
        ("9S TS 8S", 1),
        ("9S AC 8S", 0),  # another plain suit never wins
        ("9S 8H 7H", 1),
        ("AS 7H 7D", 2),
        ("9H KH QH", 1),
        ("9S TC 9H", 2),
    ],
)
def test_z21_who_takes_a_trick_and_leads_next(play: str, taken_by: int) -> None:
    spare = {"S": "8C,9C", "H": "8C,9C"}[play[1]]
    hands = ";".join([f"{play[:2]},KC,QC", f"{play[3:5]},8D,9D", f"{play[6:]},{spare}"])
    table = tricks(THREE, hands, play, up="TH")
    assert (table.player, table.phase) == (taken_by, "lead")
    assert table.tricks == [seat == taken_by for seat in range(3)]


def test_z21_three_tricks() -> None:
    table = tricks(THREE, SHARED, SHARED_PLAY)
    assert (table.player, sum(table.tricks), len(SHARED_PLAY.split())) == (-1, 3, 9)


@pytest.mark.parametrize("carried", [0, 3, 27])
def test_z22_a_third_of_the_pot_for_each_trick(carried: int) -> None:
    third = (carried + 3) // 3
    table = tricks(f"{THREE},start_pot={carried}", SHARED, SHARED_PLAY)
    assert table.tricks == [1, 2, 0]
    assert table.gained == [third, 2 * third, -3 - 3]


def test_z23_no_trick_costs_a_bete_into_the_next_pot() -> None:
    table = tricks(f"{THREE},start_pot=27", SHARED, SHARED_PLAY)
    assert (table.pot, table.column("no_trick_betes"), table.column("betes")) == (3, [0, 0, 1], [0, 0, 3])


def test_z24_the_trump_ace_must_be_led_at_the_first_opportunity() -> None:
    hands = "AH,9S,9C;8S,8C,TC"
    due = tricks("players=2", hands, "AH 8S 9S 8C 9C TC")
    assert (due.tricks, due.gained, due.pot) == ([2, 1], [2, -3 + 1], 0)
    late = tricks("players=2", hands, "9S 8S AH 8C 9C TC")
    assert (late.tricks, late.gained, late.pot) == ([2, 1], [2 - 3, -3 + 1], 3)
    assert late.column("duty_betes") == [1, 0]


def test_z25_a_belli_withheld_costs_a_bete() -> None:
    released = tricks("players=2", BELLI_HAND, "AH 7D 9S KH 8C 9C")
    assert (released.tricks, released.gained, released.pot) == ([2, 1], [2, -3 + 1], 0)
    kept = tricks("players=2", BELLI_HAND, "AH KH 9S 7D 8C 9C")
    assert (kept.tricks, kept.gained, kept.pot) == ([2, 1], [2, -3 + 1 - 3], 3)
    assert kept.column("duty_betes") == [0, 1]


def test_z26_all_three_tricks_take_the_whole_pot() -> None:
    table = tricks("start_pot=6", MARCH.replace(";", ";;", 1), MARCH_PLAY, stay="023")
    assert table.reason == "durchmarsch"
    assert table.gained == [9, 0, -3, -3 - 3], "who passed pays nothing"
    assert (table.pot, table.column("durchmarsch")) == (6, [1, 0, 0, 0])


def test_z27_a_session_lasts_an_agreed_time_or_to_a_target() -> None:
    table = tricks(f"{THREE},match=true,n_deals=2", SHARED, SHARED_PLAY)
    assert table.game.current_player(table.states) == CHANCE
    table.deal(";".join(SHARED.split(";")[seat] for seat in (2, 0, 1))).begin().play(SHARED_PLAY)
    assert table.game.current_player(table.states) == TERMINAL
    # The second pot of 6 brings seats 1 and 2 two and four chips; seat 0 pays ante and bete.
    assert table.game.returns(table.states).tolist() == [1 - 3 - 3, 2 + 2, -6 + 4]
    for target, ends in ((2, True), (3, False)):
        table = tricks(f"{THREE},match=true,target_chips={target}", SHARED, SHARED_PLAY)
        assert (table.game.current_player(table.states) == TERMINAL) == ends, "seat 1 has two chips"


@pytest.mark.parametrize("suit", "DH")
def test_z28_styrian_has_a_third_permanent_trump(suit: str) -> None:
    assert len(make("preset=styrian").deck()) == 36
    low = [rank + suit for rank in "KQJT9876" if rank + suit not in ("7D", "6D")]
    check_order_of_trumps("preset=styrian", "8" + suit, [f"A{suit}", "7D", "6D", *low])
    assert winner("preset=styrian", "6S", "7S") == 1, "the lowest card of a plain suit"
    assert winner("preset=styrian", "6D", "AS,KS,QS", "8H") == 0


def test_z29_four_cards_four_tricks() -> None:
    table = tricks("preset=four_card,players=2", "AH,KH,9S,9C;8S,TC,8C,KC", "AH 8S 9S TC KH 8C 9C KC")
    assert table.tricks == [3, 1]
    assert table.gained == [3, -4 + 1], "stake 4, a quarter of the pot for each trick"


def test_z30_dreierzwicken_forbids_dropping_out() -> None:
    table = dealt("preset=dreier")
    assert table.game.num_players == 3
    for player in (0, 1, 2):
        assert (table.player, table.legal()) == (player, {"play"})
        table.play("play")
    dealer = dealt("preset=dreier,dreier_no_pass=dealer")
    assert [dealer.legal(), dealer.play("pass").legal(), dealer.play("pass").legal()] == [
        {"play", "pass"},
        {"play", "pass"},
        {"play"},
    ]
    assert (dealer.play("play").reason, dealer.gained) == ("unopposed", [0, 0, 0])
    with pytest.raises(ValueError, match="dreier"):
        make("preset=dreier,players=4")


@pytest.mark.parametrize("suit", "DH")
def test_z31_bavarian_has_the_unters_as_trumps(suit: str) -> None:
    assert len(make("preset=bavarian").deck()) == 36
    low = [rank + suit for rank in "KQT9876" if rank + suit != "7D"]
    check_order_of_trumps("preset=bavarian", "8" + suit, [f"A{suit}", "7D", "JC", "JS", "JH", "JD", *low])
    assert tricks("preset=bavarian,players=2", "9S;JS,8S,9D", "9S").legal() == {"8S"}, "no Unter in a plain suit"
    assert winner("preset=bavarian", "AS", "6D,9D,TD", "8H") == 0, "the 6 of diamonds is an ordinary card"


def test_every_stated_rule_has_a_test() -> None:
    numbers = {int(match[1]) for name in globals() if (match := re.match(r"test_z(\d\d)_", name))}
    assert numbers == set(range(1, 32))
