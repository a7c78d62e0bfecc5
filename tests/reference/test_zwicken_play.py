"""The referee of Zwicken by itself: tricks and duties."""

from __future__ import annotations

from typing import Any

import pytest

from .zwicken_deals import act, deal, tricks

# ---- play ---------------------------------------------------------------------------------------------


def test_z18_zq30_the_lead_and_the_order_skip_who_passed() -> None:
    table = deal(["KH QH JH", "KC QC JC", "KS QS JS", "8D 9D TD"], "pass, play, pass, play", max_swaps=0)
    assert (table.leader, table.player) == (1, 1)
    act(table, "KC")
    assert table.player == 3
    act(table, "8D")
    assert (table.leader, table.player, table.tricks, table.trick) == (1, 1, [0, 1, 0, 0], [])


def test_z19_z20_follow_else_trump_else_anything() -> None:
    table = tricks(["KC QS JS", "QC 8H 9D", "8S TH 7D", "8D TD JD"])
    act(table, "KC")
    assert table.legal() == {"QC"}
    act(table, "QC")
    assert table.legal() == {"TH", "7D"}  # the Belli is a trump
    act(table, "TH")
    assert table.legal() == {"8D", "TD", "JD"}
    act(table, "8D")
    assert (table.leader, table.tricks) == (2, [0, 0, 1, 0])
    assert table.history == [(0, "KC"), (1, "QC"), (2, "TH"), (3, "8D")]


@pytest.mark.parametrize(
    ("variant", "options", "turned", "led", "answer", "winner"),
    [
        ("base", {}, "9H", "7D", "AH", 1),
        ("base", {}, "9H", "KH", "7D", 1),
        ("base", {}, "8D", "KD", "7D", 1),
        ("base", {}, "9H", "TC", "AS", 0),  # an off-suit ace
        ("base", {}, "9H", "TC", "JC", 1),  # Z3: the ten under the jack
        ("base", {}, "9H", "AC", "8H", 1),
        ("styrian", {}, "9H", "KH", "6D", 1),
        ("styrian", {}, "9H", "6D", "7D", 1),
        ("styrian", {}, "9H", "7C", "6C", 0),
        ("bavarian", {}, "9H", "KH", "JD", 1),
        ("bavarian", {}, "9H", "JS", "JC", 1),
        ("bavarian", {}, "9H", "JC", "7D", 1),
        ("bavarian", {}, "9H", "AD", "6D", 0),  # ordinary there
        ("bavarian", {"wenzel_rank": "top"}, "9H", "AH", "JD", 1),
        ("bavarian", {"wenzel_cards": "ober_unter"}, "9H", "JC", "QD", 1),
        ("bavarian", {"wenzel_cards": "ober_unter"}, "9H", "QC", "7D", 1),
    ],
)
def test_z21_who_takes_the_trick(
    variant: str, options: dict[str, Any], turned: str, led: str, answer: str, winner: int
) -> None:
    fill = [card for card in ("8S", "9S", "TS", "KS") if card not in (led, answer)]
    hands = [f"{led} {fill[0]} {fill[1]}", f"{answer} {fill[2]} {fill[3]}"]
    table = tricks(hands, f"{led}, {answer}", variant=variant, turned=turned, **options)
    assert table.leader == winner


def test_zq16_permanent_trumps_leave_their_suit() -> None:
    table = tricks(["KD 8S 9S", "7D 8D 9C"], "KD")
    assert table.legal() == {"8D"}  # the Belli does not follow diamonds
    table = tricks(["7D 8S 9S", "KD 8H 9C"], "7D")
    assert table.legal() == {"8H"}  # leading it asks for trumps
    table = tricks(["KD 8S 9S", "6D 8C 9C"], "KD", variant="styrian")
    assert table.legal() == {"6D"}  # as a trump: no diamond left
    table = tricks(["KS 8S 9S", "JS QS 9C"], "KS", variant="bavarian")
    assert table.legal() == {"QS"}
    table = tricks(["KS 8S 9S", "JS QS 9C"], "KS", variant="bavarian", wenzel_cards="ober_unter")
    assert table.legal() == {"JS", "QS"}
    table = tricks(["JC 8S 9S", "JS QC 9C"], "JC", variant="bavarian")
    assert table.legal() == {"JS"}


def test_zq17_must_trump_false() -> None:
    assert tricks(["KC 8S 9S", "8H 9D TD"], "KC", must_trump=False).legal() == {"8H", "9D", "TD"}


def test_zp18_must_head() -> None:
    assert tricks(["TC 8S 9S", "8C QC AC"], "TC", must_head=True).legal() == {"QC", "AC"}
    assert tricks(["KC 8S 9S", "8C QC 9D"], "KC", must_head=True).legal() == {"8C", "QC"}
    table = tricks(["KC 8S 9S", "TH 9D TD", "8H QH 7D"], "KC, TH", must_head=True)
    assert table.legal() == {"QH", "7D"}  # overtrump
    table = tricks(["KC 8S 9S", "QH 9D TD", "8H TH 8D"], "KC, QH", must_head=True)
    assert table.legal() == {"8H", "TH"}  # cannot, must still trump
    table = tricks(["KC 8S 9S", "QH 9D TD", "8C AC 8D"], "KC, QH", must_head=True)
    assert table.legal() == {"8C", "AC"}  # trumped already: any club will do
    table = tricks(["KC 8S 9S", "8H 9D TD"], "KC", must_head=True, must_trump=False)
    assert table.legal() == {"8H", "9D", "TD"}  # free to discard


def test_zp19_winner_leads_trump_from_the_second_trick() -> None:
    hands = ["KC AC 8H", "QC TC 8S"]
    assert tricks(hands, "KC, QC").legal() == {"AC", "8H"}
    table = tricks(hands, winner_leads_trump=True)
    assert table.legal() == {"KC", "AC", "8H"}
    assert act(table, "KC, QC").legal() == {"8H"}


# ---- duties -------------------------------------------------------------------------------------------


def test_z24_zq13_the_ace_not_led_at_its_first_lead() -> None:
    hands = ["AH KC 8S", "QC 9S 9D"]
    table = tricks(hands)
    assert table.legal() == {"AH", "KC", "8S"}  # ZQ12: penalised, not masked
    act(table, "KC, QC")
    assert table.betes == [0, 0]  # ZP31: booked only
    act(table, "8S, 9S, 9D, AH")
    assert table.tricks == [2, 1]
    assert (table.betes, table.chips, table.pot) == ([1, 0], [-1, -2], 3)


def test_zp20_the_ace_duty_is_due_once() -> None:
    table = tricks(["AH KC QC", "8C 9C 9D"], "KC, 8C, QC, 9C, AH, 9D")
    assert table.betes == [1, 1]  # not two for the Ace; the other has no trick


def test_zq13_an_ace_played_as_follower_owes_nothing() -> None:
    table = tricks(["KC 8S 9S", "AH TD JD"], "KC, AH, TD, 8S, JD, 9S")
    assert table.betes == [1, 0]


def test_zq13_an_ace_drawn_in_the_swap_counts() -> None:
    table = deal(["KC 8S 9S", "TC TD JD"], "play, play, swap 9S, stop, stop", talon="AH", cut_rule="off")
    act(table, "KC, TC, AH, TD, 8S, JD")
    assert table.betes == [1, 1]


def test_zp23_enforced_ace_duty() -> None:
    table = tricks(["AH KC 8S", "QC 9S 9D"], duties="enforce")
    assert table.legal() == {"AH"}
    table = tricks(["KC 8S 9S", "8C AH TD"], "KC", duties="enforce")
    assert table.legal() == {"8C"}
    table = tricks(["8S AS 9S", "TS AH TD"], "8S, TS", duties="enforce")
    assert (table.player, table.legal()) == (1, {"AH"})  # his first lead comes in the second trick


def test_zp8_a_turned_ace_lifts_the_duties() -> None:
    table = tricks(["KH KC 8S", "7D QH QC"], duties="enforce", turned="AH")
    assert table.legal() == {"KH", "KC", "8S"}
    assert act(table, "KH").legal() == {"7D", "QH"}
    table = tricks(["AD KD KC", "QD JD QC"], duties="enforce", turned="7D")
    assert table.legal() == {"AD"}  # keeps its duty
    assert act(table, "AD").legal() == {"QD", "JD"}


def test_zq14_zp21_ace_duty_play() -> None:
    hands = ["KH KC 8S", "AH 8H 9C"]
    led = tricks(hands, "KH, 8H, KC, 9C, 8S, AH")
    assert led.betes == [0, 0]
    table = tricks(hands, "KH", ace_duty="play")
    assert table.legal() == {"AH", "8H"}
    act(table, "8H, KC, 9C, 8S, AH")  # once only, though the Ace could have gone to KC
    assert table.betes == [0, 1]
    assert tricks(hands, "KH", ace_duty="play", duties="enforce").legal() == {"AH"}
    follow = tricks(["KC KH 8S", "AH 8H 9C"], "KC", ace_duty="play", duties="enforce")
    assert follow.legal() == {"9C"}  # not legal by the other rules
    free = tricks(["KC KH 8S", "AH 8H 9D"], "KC", ace_duty="play", duties="enforce", must_trump=False)
    assert free.legal() == {"AH"}


def test_zp21_ace_duty_play_on_lead() -> None:
    hands = ["AH KH AC", "8S 9S 8D"]
    assert tricks(hands, ace_duty="play", duties="enforce").legal() == {"AH"}
    assert tricks(hands, "KH, 8D, AC, 8S, AH, 9S", ace_duty="play").betes == [1, 1]


def test_zp19_zp23_the_ace_duty_under_winner_leads_trump() -> None:
    table = tricks(["TC 8S 9S", "KC AH 8H"], "TC, KC", winner_leads_trump=True)
    assert table.legal() == {"AH", "8H"}
    act(table, "8H, 8S, AH, 9S")
    assert table.betes == [1, 1]


def test_zp21_zp18_ace_duty_play_waits_while_must_head_forbids_the_ace() -> None:
    table = tricks(
        ["JD KC 8S", "AH JC 9C"],
        "JD",
        variant="bavarian",
        wenzel_rank="top",
        ace_duty="play",
        duties="enforce",
        must_head=True,
    )
    assert table.legal() == {"JC"}
    assert act(table, "JC").legal() == {"AH"}


def test_z25_zq15_the_belli_withheld_under_the_led_ace() -> None:
    hands = ["AH KC 8S", "7D 8H 9C"]
    table = tricks(hands, "AH")
    assert table.legal() == {"7D", "8H"}
    act(table, "8H, KC, 9C, 8S, 7D")
    assert (table.tricks, table.betes) == ([2, 1], [0, 1])
    act(tricks(hands, "AH, 7D, KC, 9C"), "8S, 8H")
    assert tricks(hands, "AH", duties="enforce").legal() == {"7D"}  # ZP23
    assert tricks(hands, "AH", duties="enforce", belli_duty="off").legal() == {"7D", "8H"}
    assert tricks(hands, "AH", duties="enforce", belli_duty="loss_pays").legal() == {"7D", "8H"}
    assert tricks(hands, "AH, 8H, KC, 9C, 8S, 7D", belli_duty="off").betes == [0, 0]


def test_zp20_the_belli_duty_also_when_the_ace_is_led_late() -> None:
    table = tricks(["KC AH 8S", "9C 7D 8H"], "KC, 9C, AH, 8H, 8S, 7D")
    assert table.betes == [1, 1]  # Ace not led, Belli withheld; each has a trick


def test_zq15_no_belli_duty_unless_the_ace_is_led() -> None:
    table = tricks(["KH KC 8S", "AH TC JD", "7D 8H 9C"], "KH, AH", duties="enforce")
    assert table.legal() == {"7D", "8H"}
    act(table, "8H, TC, 9C, KC, 8S, JD, 7D")
    assert (table.tricks, table.betes) == ([1, 1, 1], [0, 0, 0])


def test_z17_zp22_no_belli_duty_for_who_leads_the_ace_himself() -> None:
    assert tricks(["AH 7D 8S", "8H 9H TC"], "AH, 8H, 7D, 9H, 8S, TC", turned="KH").betes == [0, 1]


def test_zp22_the_belli_must_be_legal_and_a_wenzel_is_no_excuse() -> None:
    bavarian: dict[str, Any] = {"variant": "bavarian", "wenzel_rank": "top"}
    hands = ["AH KC 8S", "7D JC 9C"]
    headed = tricks(hands, "AH", must_head=True, duties="enforce", **bavarian)
    assert headed.legal() == {"JC"}
    act(headed, "JC, 7D, KC, 9C, 8S")
    assert headed.betes == [1, 0]
    table = tricks(hands, "AH, JC, 9C, KC, 8S, 7D", **bavarian)
    assert table.betes == [0, 1]  # overtook the Ace, and pays
    assert tricks(hands, "AH", duties="enforce", **bavarian).legal() == {"7D"}


def test_zp24_loss_pays() -> None:
    hands = ["AH KC 8S", "7D 8H 9S"]
    table = tricks(hands, "AH, 7D, KC, 8H, 9S, 8S", belli_duty="loss_pays")
    assert (table.tricks, table.betes) == ([1, 2], [0, 1])
    table = tricks(hands, "AH, 8H, 8S, 9S, 7D, KC", belli_duty="loss_pays")
    assert table.betes == [0, 0]  # withholding is free
    table = tricks(["7D KC 8S", "AH 8H 9C"], "7D, AH, 8H, 8S, 9C, KC", belli_duty="loss_pays")
    assert (table.tricks, table.betes) == ([1, 2], [1, 0])  # whoever led
    table = tricks(
        ["AH 8C 8S", "7D 9D 9C", "JC TD TC"],
        "AH, 7D, JC, TC, 8C, 9C",
        variant="bavarian",
        wenzel_rank="top",
        belli_duty="loss_pays",
    )
    assert act(table, "TD, 8S, 9D").betes == [1, 1, 0]  # a Wenzel took it, not the Ace; both without a trick


def test_zq19_zp27_faults_add_up() -> None:
    table = tricks(
        ["KC AC AH", "8C 7D 8H", "9C TC TH"],
        "KC, 8C, 9C, AC, 8H, TC",
    )
    # Seat 1 trumped the second club and is on lead with the Belli; seat 0 has shown no Ace.
    assert (table.leader, table.tricks) == (1, [1, 1, 0])
    act(table, "7D, TH, AH")
    assert (table.tricks, table.betes) == ([2, 1, 0], [1, 0, 1])
    top = tricks(["AH JC JS", "7D 8H 9C"], "AH, 8H, JC, 7D, JS, 9C", variant="bavarian", wenzel_rank="top")
    assert (top.tricks, top.betes, top.chips, top.pot) == ([3, 0], [0, 2], [3, -9], 6)


def test_zp27_a_durchmarsch_winner_pays_his_faults() -> None:
    table = tricks(["AH KH AC", "8C 9C 9D"], "KH, 9D, AH, 8C, AC, 9C")
    assert (table.tricks, table.betes, table.chips, table.pot) == ([3, 0], [1, 1], [0, -6], 6)
