"""The questions that the source texts leave open, ZQ12 to ZQ19: duties, what may be played, Durchmarsch."""

from __future__ import annotations

import pytest

from tests.games.zwicken_scenes import BELLI_HAND, MARCH, MARCH_PLAY, dealt, tricks, winner

THREE = "players=3"
TWO = "players=2"
TOP = "preset=bavarian,wenzel_rank=top,players=3"


@pytest.mark.parametrize("duties", ["penalise", "enforce"])
def test_zq12_illegal_or_penalised(duties: str) -> None:
    rules = f"{TWO},duties={duties}"
    free = duties == "penalise"
    assert dealt(rules, BELLI_HAND).legal() == {"play"}, "passing with the trump Ace is illegal either way"
    table = tricks(rules, BELLI_HAND)
    assert table.legal() == ({"AH", "9S", "9C"} if free else {"AH"})
    assert table.play("AH").legal() == ({"7D", "KH"} if free else {"7D"})
    follow = tricks(rules, "KS,8H,8C;TS,QH,9C", "KS", up="9H")
    assert follow.legal() == {"TS"}
    assert follow.play("TS", "8C").legal() == {"9C"}
    trump = tricks(rules, "KS,8H,8C;QH,9C,TC", "KS", up="9H")
    assert trump.legal() == {"QH"}, "follow, else trump: always masked"


def test_zq13_the_first_opportunity_is_the_first_lead_with_the_ace() -> None:
    first = tricks(TWO, "AH,9S,9C;8S,8C,TC", "9S 8S")
    assert first.row("faults") == [1, 0]
    assert first.play("9C TC 8C AH").column("duty_betes") == [1, 0], "once in a deal"
    follower = tricks(TWO, "QH,9S,9C;AH,KH,8C", "QH")
    assert follower.legal() == {"AH", "KH"}
    assert follower.after("AH 8C 9C 9S KH").column("duty_betes") == [0, 0], "played as a follower: no penalty"
    assert follower.after("KH AH 9S 8C 9C").column("duty_betes") == [0, 0], "led at the first lead"
    assert follower.after("KH 8C 9C 9S AH").column("duty_betes") == [0, 1]
    drawn = dealt(TWO, "8S,9S,9C;8C,TC,8D", talon="AH").announce().play("8S", "stop", "stop")
    assert drawn.play("9S 8D 9C TC 8C AH").column("duty_betes") == [1, 0], "an Ace drawn in the swap counts"


@pytest.mark.parametrize(("option", "fault"), [("lead", False), ("play", True)])
def test_zq14_led_or_played_at_the_first_opportunity(option: str, fault: bool) -> None:
    table = tricks(f"{TWO},ace_duty={option}", "QH,9S,9C;AH,KH,8C", "QH KH AH 9S 8C 9C")
    assert table.column("duty_betes") == [0, int(fault)]
    trumping = tricks(f"{TWO},ace_duty={option}", "9S,8S,9C;AH,KH,8C", "9S KH AH 8S 8C 9C")
    assert trumping.column("duty_betes") == [0, int(fault)], "also where one trumps"
    bound = tricks(f"{TWO},ace_duty={option}", "9S,8S,9C;AH,TS,8C", "9S TS AH 8S 8C 9C")
    assert bound.column("duty_betes") == [0, 0], "not where one must follow suit"
    led = tricks(f"{TWO},ace_duty={option}", "AH,9S,9C;8S,8C,TC", "9S 8S AH 8C 9C TC")
    assert led.column("duty_betes") == [1, 0]


@pytest.mark.parametrize(
    ("option", "withheld", "taken", "not_led"), [("release", 1, 0, 0), ("loss_pays", 0, 1, 1), ("off", 0, 0, 0)]
)
def test_zq15_the_belli_duty(option: str, withheld: int, taken: int, not_led: int) -> None:
    rules = f"belli_duty={option}"
    kept = tricks(f"{rules},{TWO}", BELLI_HAND, "AH KH 9S 7D 8C 9C")
    assert kept.column("duty_betes") == [0, withheld]
    released = tricks(f"{rules},{TWO}", BELLI_HAND, "AH 7D 9S KH 8C 9C")
    assert released.column("duty_betes") == [0, taken]
    hands = "QH,9S,9C;7D,KH,8C;AH,8D,9D"
    belli = tricks(f"{rules},{THREE}", hands, "QH 7D AH 8D 9C KH 8C 9D 9S")
    assert belli.column("duty_betes") == [0, not_led, 0], "the Ace is played, not led"
    king = tricks(f"{rules},{THREE}", hands, "QH KH AH 8D 9C 7D 8C 9D 9S")
    assert king.column("duty_betes") == [0, 0, 0]


def test_zq16_permanent_trumps_belong_to_the_trump_suit_only() -> None:
    assert tricks(TWO, "KD,8S,9S;7D,8D,9C", "KD").legal() == {"8D"}
    assert tricks(TWO, "KD,8S,9S;7D,9H,9C", "KD").legal() == {"7D", "9H"}
    assert tricks(TWO, "7D,8S,9S;8D,9H,9C", "7D").legal() == {"9H"}, "leading it is a trump lead"
    assert tricks(TWO, "7D,8S,9S;8D,TD,9C", "7D").legal() == {"8D", "TD", "9C"}
    styrian = f"preset=styrian,{TWO}"
    assert tricks(styrian, "KD,8S,9S;6D,8D,9C", "KD").legal() == {"8D"}
    assert tricks(styrian, "6D,8S,9S;8D,9H,9C", "6D").legal() == {"9H"}
    bavarian = f"preset=bavarian,{TWO}"
    assert tricks(bavarian, "KS,8S,9S;JS,TS,9C", "KS").legal() == {"TS"}
    assert tricks(bavarian, "JC,8S,9S;TC,9H,9C", "JC").legal() == {"9H"}
    assert winner("preset=bavarian", "JS", "AS,KS,QS") == 0


def test_zq17_heading_trumping_and_leading_trumps() -> None:
    heads, free = {"KS"}, {"8S", "KS"}
    for head, expected in (("true", heads), ("false", free)):
        assert tricks(f"{TWO},must_head={head}", "9S,8D,9D;8S,KS,9H", "9S").legal() == expected
    for must, legal in (("true", {"9H"}), ("false", {"9H", "8C", "9C"})):
        assert tricks(f"{TWO},must_trump={must}", "9S,8D,9D;9H,8C,9C", "9S").legal() == legal
    for leads, legal in (("true", {"KH"}), ("false", {"KH", "9S"})):
        table = tricks(f"{TWO},winner_leads_trump={leads}", "AS,KH,9S;8S,8C,9C")
        assert table.legal() == {"AS", "KH", "9S"}, "the first lead is free"
        assert table.play("AS 8S").legal() == legal


@pytest.mark.parametrize(
    ("option", "gained", "pot"),
    [
        ("single_bete", [3, -3, -3 - 3], 6),
        ("extra_to_winner", [3 + 6, -6, -3 - 6], 6),
        ("extra_to_pot", [3, -6, -3 - 6], 12),
    ],
)
def test_zq18_what_a_durchmarsch_costs(option: str, gained: list[int], pot: int) -> None:
    table = tricks(f"{THREE},durchmarsch={option}", MARCH, MARCH_PLAY)
    assert (table.reason, table.gained, table.pot) == ("durchmarsch", gained, pot)


def test_zq19_faults_add_up() -> None:
    """Only Wenzels on top take a trick from the Ace or from a withheld Belli, so that no trick can join a duty."""
    hands = "AH,9S,9C;7D,KH,KC;JC,JS,AC"
    withheld = tricks(TOP, hands, "AH KH JC JS 9S 7D AC 9C KC")
    assert withheld.gained == [-3, -3 - 3, -3 + 3], "no trick and the Belli withheld; seat 2 has all three"
    assert (withheld.column("no_trick_betes"), withheld.column("duty_betes")) == ([1, 1, 0], [0, 1, 0])
    not_led = tricks(TOP, hands, "9S 7D JC JS AH KH AC 9C KC")
    assert not_led.gained == [-3 - 3, -3, -3 + 3]
    assert (not_led.column("no_trick_betes"), not_led.column("duty_betes")) == ([1, 1, 0], [1, 0, 0])
