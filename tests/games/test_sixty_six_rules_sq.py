"""The questions that the source text leaves open, SQ1 to SQ30: every value of their options."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.games.sixty_six_scenes import FULL, LAST_CARD, LEAD, RUN, scene

TWO_LEFT = FULL.replace("tricks=1,1", "tricks=3,2")
"""The talon holds one face-down card and the turned one."""
BEATEN = "closer=0 close_points=0 up=KH tricks=1,3 points=40,70 player=1 hands=9C,JC,QC;AC,KC,TC"
"""Seat 0 has closed; seat 1 is on lead with 70. `close_tricks` is left open."""


@pytest.mark.parametrize(
    ("timing", "after_trick", "on_lead"),
    [
        ("either", {"draw", "close"}, True),
        ("before_draw", {"draw", "close"}, False),
        ("after_draw", None, True),
    ],
)
def test_sq01_when_one_may_close(timing: str, after_trick: set[str] | None, on_lead: bool) -> None:
    table = scene(f"close_timing={timing}", FULL).play("JC", "QC")
    if after_trick:
        assert table.legal() == after_trick and len(table.hand(1)) == 5
        table.play("draw")
    assert (table.phase, table.player, len(table.hand(1))) == ("lead", 1, 6)
    assert ("close" in table.legal()) == on_lead


@pytest.mark.parametrize("allowed", [True, False])
def test_sq02_closing_before_any_trick(allowed: bool) -> None:
    rules = f"close_first_lead={str(allowed).lower()}"
    assert ("close" in scene(rules, LEAD).legal()) == allowed
    assert "close" in scene(rules, FULL).legal()


@pytest.mark.parametrize(("least", "allowed"), [(2, True), (4, False)])
def test_sq03_closing_with_two_talon_cards(least: int, allowed: bool) -> None:
    rules = f"close_min_talon={least}"
    assert ("close" in scene(rules, TWO_LEFT).legal()) == allowed
    four = FULL.replace("tricks=1,1", "tricks=2,2")
    assert "close" in scene(rules, four).legal()
    assert scene(rules, four).play("JC", "QC").phase == "draw", "four cards before the draw"
    assert scene(rules, four).play("JC", "QC", "draw").extras() >= ({"close"} if allowed else set())
    assert "close" not in scene(rules, "hands=9H,AH;AC,KC up_first=KH tricks=5,5").legal()


@pytest.mark.parametrize(("option", "worth"), [("at_close", 2), ("at_end", 1)])
def test_sq04_which_standing_pays_a_close(option: str, worth: int) -> None:
    table = scene(f"close_score={option}", RUN).play("close", "9C", "AC", "9D", "AH", "claim")
    assert (table.points, table.paid) == ([71, 36], [worth, 0])


@pytest.mark.parametrize(
    ("option", "none_then_some", "some", "none_at_all"),
    [("2_or_3", 3, 2, 3), ("always_3", 3, 3, 3), ("2_or_3_at_end", 2, 2, 3)],
)
def test_sq05_price_of_a_failed_close(option: str, none_then_some: int, some: int, none_at_all: int) -> None:
    sweep = "hands=AD,AH,TH,QH,AS,AC;9D,JD,QS,9C,JC,KC up=KH tricks=4,0 points=30,0"
    cases = (
        (RUN.replace("tricks=2,2 points=60,25", "tricks=4,0 points=30,0"), none_then_some),
        (RUN, some),
        (sweep, none_at_all),
    )
    for text, worth in cases:
        table = scene(f"failed_close={option}", text).play("close").play_on()
        assert (table.reason, table.paid) == ("failed_close", [0, worth])
    assert table.tricks[1] == 0


@pytest.mark.parametrize(("option", "schwarz", "plain"), [("as_failed", 3, 2), ("flat2", 2, 2), ("as_claim", 1, 1)])
def test_sq06_the_closers_opponent_claims(option: str, schwarz: int, plain: int) -> None:
    for had, worth in ((0, schwarz), (1, plain)):
        table = scene(f"beaten_closer={option}", f"{BEATEN} close_tricks={had}").play("claim")
        assert (table.reason, table.paid) == ("beaten_closer", [0, worth])


def test_sq07_a_closer_who_cannot_claim_has_failed() -> None:
    text = "closer=0 close_points=20 close_tricks=0 up=KH tricks=2,3 points=70,20 hands=JC;AC"
    table = scene("", text).play("JC", "AC")
    assert (table.phase, table.player, table.legal()) == ("last", 1, {"claim", "pass"})
    assert table.points == [70, 33]
    passed = table.after("pass")
    assert (passed.reason, passed.paid) == ("failed_close", [0, 3])
    assert table.play("claim").reason == "false_claim"
    assert scene("", text.replace("JC;AC", "AC;JC")).play("AC", "JC", "claim").paid == [3, 0]
    assert scene("claims=true_only", text).play("JC", "AC").reason == "failed_close"


@pytest.mark.parametrize("option", [False, True])
def test_sq08_exchange_at_the_moment_of_a_close(option: bool) -> None:
    text = FULL.replace("9H", "QH").replace("TD", "9H")
    table = scene(f"exchange_on_close={str(option).lower()}", text).play("close")
    assert (table.phase, table.player) == (("ask_exchange", 1) if option else ("lead", 0))
    if option:
        assert table.legal() == {"exchange", "pass"}
        assert "KH" in table.after("exchange").hand(1) and table.after("exchange").player == 0
        assert "9H" in table.after("pass").hand(1) and table.after("pass").player == 0


@pytest.mark.parametrize(("option", "early"), [("false", True), ("true", False)])
def test_sq09_whether_the_exchange_needs_a_trick(option: str, early: bool) -> None:
    assert ("exchange" in scene(f"exchange_needs_trick={option}", LEAD).legal()) == early
    assert "exchange" in scene(f"exchange_needs_trick={option}", FULL).legal()
    holder = scene(f"exchange_needs_trick={option}", FULL.replace("9H", "QH").replace("TD", "9H"))
    assert "exchange" not in holder.play("AC").legal(), "only on lead"


@pytest.mark.parametrize(("least", "allowed"), [(2, True), (4, False)])
def test_sq10_exchange_with_few_talon_cards(least: int, allowed: bool) -> None:
    rules = f"exchange_min_talon={least}"
    assert ("exchange" in scene(rules, TWO_LEFT).legal()) == allowed
    assert "exchange" in scene(rules, FULL.replace("tricks=1,1", "tricks=2,2")).legal()
    assert "exchange" not in scene(rules, "hands=9H,AH;AC,KH up_first=KH tricks=5,5").legal(), "drawn"
    assert "exchange" not in scene(rules, FULL).play("close").legal(), "turned down"
    turned = scene(rules, FULL.replace("9H", "KS").replace("QS,KS", "QS,JS").replace("up=KH", "up=9H"))
    assert "exchange" not in turned.legal(), "the nine itself is turned"
    table = scene(f"close_timing=after_draw,{rules}", FULL.replace("9H", "QH") + " top=TC,9H")
    assert "9H" in table.play("AC", "QC").hand(1)
    assert "exchange" not in table.legal() and "exchange" not in table.play("JC").legal()
    assert "exchange" in table.play("KC").legal(), "the loser's nine waits until he leads"


def test_sq11_several_things_in_one_turn() -> None:
    for order in itertools.permutations(("exchange", "pair S", "close")):
        table = scene("", FULL)
        for step in order:
            possible = step != "exchange" or table.state["closer"] != 0
            assert (step in table.legal()) == possible
            if possible:
                table.play(step)
            assert step not in table.legal() and table.player == 0
        assert table.cards() == {"QS", "KS"}
    pairs = "hands=QD,KD,QS,KS,JC,AC;TD,AD,TH,JH,QC,KC up=KH tricks=1,1 points=15,15"
    table = scene("", pairs)
    assert table.extras() == {"pair D", "pair S", "close", "claim"}
    assert table.play("pair D").extras() == {"close", "claim"}, "one marriage per lead"


@pytest.mark.parametrize("option", ["forbidden", "pending", "next_trick"])
def test_sq12_a_marriage_before_the_first_trick(option: str) -> None:
    table = scene(f"early_marriage={option}", LEAD)
    assert ("pair S" in table.legal()) == (option != "forbidden")
    later = scene(f"early_marriage={option}", FULL).play("pair S")
    waits = 20 if option == "next_trick" else 0
    assert (later.points, later.pending) == ([35 - waits, 15], [waits, 0])
    if option == "forbidden":
        return
    table.play("pair S")
    assert (table.points, table.pending) == ([0, 0], [20, 0])
    lost = table.after("QS", "TH")
    assert (lost.points, lost.pending) == ([0, 13], [20, 0])
    won = table.after("QS", "TD")
    assert (won.points, won.pending) == ([20 + 13, 0], [0, 0])


@pytest.mark.parametrize("option", [True, False])
def test_sq13_marriages_after_closing_and_exhaustion(option: bool) -> None:
    rules = f"marriage_after_close={str(option).lower()}"
    assert ("pair S" in scene(rules, FULL).play("close").legal()) == option
    gone = "hands=QS,KS;AC,KC up_first=KH tricks=5,5 points=40,40"
    assert ("pair S" in scene(rules, gone).legal()) == option
    assert "pair S" in scene(rules, FULL).legal()


def test_sq14_a_marriage_that_reaches_sixty_six() -> None:
    text = FULL.replace("points=15,15", "points=46,40")
    table = scene("claims=true_only", text)
    assert "claim" not in table.legal()
    assert table.play("pair S").legal() == {"claim", "QS", "KS", "exchange", "close"}
    assert table.play("claim").paid == [1, 0]
    short = scene("claims=true_only", text.replace("46", "45")).play("pair S")
    assert "claim" not in short.legal() and short.cards() == {"QS", "KS"}


@pytest.mark.parametrize(("led", "kept"), [("QS", "KS"), ("KS", "QS")])
def test_sq15_either_card_is_led_and_the_other_stays_known(led: str, kept: str) -> None:
    table = scene("", FULL)
    assert table.sees_cards(1, "known", of=0) == set()
    table.play("pair S")
    assert table.sees_cards(1, "known", of=0) == {"QS", "KS"}
    table.play(led, "TD")
    assert table.sees_cards(1, "known", of=0) == {kept}
    table.play("draw", kept)
    assert table.sees_cards(1, "known", of=0) == set()


@pytest.mark.parametrize(("option", "offered"), [("on_lead", False), ("any_turn", True)])
def test_sq16_when_sixty_six_may_be_claimed(option: str, offered: bool) -> None:
    table = scene(f"claim_timing={option}", FULL.replace("points=15,15", "points=15,70"))
    assert ("claim" in table.after("JC").legal()) == offered
    assert "claim" in table.legal() and "claim" not in table.after("JC", "QC").legal(), "not at the draw"
    fresh = scene(f"claim_timing={option}", LEAD)
    assert "claim" not in fresh.legal() | fresh.after("JC").legal(), "a trick comes first"


@pytest.mark.parametrize("option", ["free", "true_only", "auto"])
def test_sq17_who_checks_a_claim(option: str) -> None:
    for points in (65, 66):
        table = scene(f"claims={option}", FULL.replace("points=15,15", f"points={points - 14},15"))
        assert ("claim" in table.legal()) == (option == "free")
        table.play("AC", "QC")
        if option == "auto":
            assert (table.reason, table.paid) == (("claim", [2, 0]) if points == 66 else ("undecided", [0, 0]))
        else:
            assert ("claim" in table.play("draw").legal()) == (option == "free" or points == 66)


@pytest.mark.parametrize(("option", "worth"), [("flat2", 2), ("schwarz3", 3)])
def test_sq18_price_of_a_false_claim(option: str, worth: int) -> None:
    schwarz = FULL.replace("tricks=1,1 points=15,15", "tricks=2,0 points=30,0")
    assert scene(f"false_claim={option}", schwarz).play("claim").paid == [0, worth]
    assert scene(f"false_claim={option}", FULL).play("claim").paid == [0, 2]


def test_sq19_false_claims_in_a_closed_deal() -> None:
    by_closer = "closer=0 up=KH tricks=2,2 points=60,20 player=0 hands=9C,JC,QC;AC,KC,TC"
    for had, flat, schwarz in ((0, 3, 3), (1, 2, 2)):
        text = f"{by_closer} close_tricks={had} close_points=0"
        assert scene("", text).play("claim").paid == [0, flat]
        assert scene("false_claim=schwarz3", text).play("claim").paid == [0, schwarz]
    always = scene("failed_close=always_3", f"{by_closer} close_tricks=1 close_points=0")
    assert always.play("claim").paid == [0, 3]
    against = BEATEN.replace("points=40,70", "points=0,60").replace("tricks=1,3", "tricks=0,4")
    for option, worth in (("flat2", 2), ("schwarz3", 3)):
        table = scene(f"false_claim={option}", f"{against} close_tricks=1").play("claim")
        assert (table.reason, table.paid) == ("false_claim", [worth, 0])


def test_sq20_the_talon_is_gone_and_nobody_claims() -> None:
    cases = [  # tricks, points before a last trick of 11 points to seat 0; game points
        ("5,6", "40,40", [1, 0]),
        ("5,6", "54,32", [2, 0]),
        ("11,0", "60,0", [3, 0]),
        ("5,6", "12,65", [0, 1]),  # 12 + 11 + 10 = 33
        ("5,6", "11,65", [0, 2]),
    ]
    for tricks, points, paid in cases:
        text = LAST_CARD.replace("tricks=5,6 points=40,40", f"tricks={tricks} points={points}")
        table = scene("", text).play("AH", "9C").play_on()
        assert (table.reason, table.paid) == ("exhausted", paid)
        last = scene("exhausted=last_trick_wins", text).play("AH", "9C").play_on()
        assert (last.reason, last.paid) == ("exhausted", [1, 0])


@pytest.mark.parametrize(("option", "paid"), [("draw", [0, 0]), ("carry1", [0, 0]), ("last_trick", [1, 0])])
@pytest.mark.parametrize("points", ["44,65", "54,75"])
def test_sq21_ties(option: str, paid: list[int], points: str) -> None:
    text = LAST_CARD.replace("points=40,40", f"points={points}")
    table = scene(f"match=true,tie={option}", text).play("AH", "9C", "pass")
    assert table.points[0] == table.points[1]
    assert (table.paid, table.state["carry"]) == (paid, int(option == "carry1"))
    assert (table.reason, table.state["ties"]) == (("exhausted", 0) if paid[0] else ("tie", 1))
    assert table.state["dealer"] == 0, "the deal alternates"


def test_sq22_the_claimer_wins_although_both_have_sixty_six() -> None:
    for rules in ("", "claims=true_only"):
        table = scene(rules, FULL.replace("points=15,15", "points=70,90")).play("claim")
        assert (table.reason, table.paid) == ("claim", [1, 0])


def test_sq23_one_trick_without_points_is_not_none() -> None:
    for tricks, worth in (("2,1", 2), ("3,0", 3)):
        text = FULL.replace("tricks=1,1 points=15,15", f"tricks={tricks} points=70,0")
        assert scene("", text).play("claim").paid == [worth, 0]


def test_sq24_marriages_and_the_last_trick_count_for_the_line() -> None:
    text = FULL.replace("points=15,15", "points=52,13") + " player=1"
    melded = scene("claims=true_only", text).play("pair C", "QC", "AC", "draw")
    assert melded.points == [66, 33]
    assert melded.play("claim").paid == [1, 0]
    assert scene("", text).play("QC", "AC", "draw", "claim").paid == [2, 0]
    for before, worth in (("pair C", 1), ("", 2)):  # at closing likewise
        table = scene("", text.replace("52", "60")).play(*filter(None, [before]), "QC", "AC", "close", "claim")
        assert (table.state["close_points"], table.paid) == (33 if before else 13, [worth, 0])


@pytest.mark.parametrize(
    ("hand", "led", "allowed"),
    [
        ("9C,AC,AH", "QC", {"AC"}),
        ("9C,KC,AC", "QC", {"KC", "AC"}),
        ("9C,JC,AH", "QC", {"9C", "JC"}),
        ("9D,AH,9H", "QC", {"AH", "9H"}),
        ("9D,AD,AS", "QC", {"9D", "AD", "AS"}),
        ("9H,AH,AC", "JH", {"AH"}),
        ("9H,9C,AC", "JH", {"9H"}),
        ("9D,9C,AC", "JH", {"9D", "9C", "AC"}),
    ],
)
def test_sq25_strict_play(hand: str, led: str, allowed: set[str]) -> None:
    spare = [card for card in ("JD", "QD", "KD", "TD")][:2]
    hands = f"{led},{','.join(spare)};{hand}"
    closed = scene("", f"hands={hands} closer=0 close_tricks=0 close_points=0 up=KH tricks=3,1")
    gone = scene("", f"hands={hands} up_first=KH tricks=5,4")
    for table in (closed, gone):
        assert table.play(led).legal() == allowed


def test_sq26_no_bonus_after_a_claim_or_in_a_closed_deal() -> None:
    claimed = scene("", LAST_CARD.replace("points=40,40", "points=55,40")).play("AH", "9C", "claim")
    assert (claimed.points, claimed.reason) == ([66, 40], "claim")
    text = LAST_CARD.replace("up_first=KH tricks=5,6", "closer=0 close_tricks=0 close_points=0 up=KH tricks=2,3")
    closed = scene("", text).play("AH", "9C", "pass")
    assert (closed.points, closed.reason) == ([51, 40], "failed_close")


@pytest.mark.parametrize(("option", "dealers"), [("alternate", [0, 0, 0]), ("winner", [0, 1, 1])])
def test_sq27_who_deals_next(option: str, dealers: list[int]) -> None:
    for points, dealer in zip(("60,40", "40,80", "44,65"), dealers, strict=True):
        text = LAST_CARD.replace("points=40,40", f"points={points}")
        table = scene(f"match=true,next_dealer={option}", text).play("AH", "9C", "pass")
        assert (table.phase, table.state["dealer"]) == ("deal", dealer)


def test_sq28_target_and_matsch() -> None:
    won = FULL.replace("points=15,15", "points=66,20")
    for target in (7, 11):
        for scores, over in ((target - 2, True), (target - 3, False)):
            table = scene(f"match=true,target={target}", f"{won} scores={scores},1").play("claim")
            assert (table.phase == "over") == over
    for double, loser, stake in (("false", 0, 1), ("true", 0, 2), ("true", 1, 1)):
        table = scene(f"match=true,matsch_double={double}", f"{won} scores=6,{loser}").play("claim")
        assert table.game.returns(table.states).tolist() == [stake, -stake]


def test_sq29_the_winner_leads_next() -> None:
    for led, answer, winner in (("JC", "QC", 1), ("AC", "QC", 0)):
        table = scene("", FULL).play(led, answer)
        assert table.player == winner
        assert (table.play("draw").player, table.phase) == (winner, "lead")


@pytest.mark.parametrize("option", [True, False])
def test_sq30_what_a_perfect_rememberer_sees(option: bool) -> None:
    table = scene(f"perfect_memory={str(option).lower()}", LEAD).play("AC", "QC", "draw", "JC", "KC")
    first, second = {"AC", "QC"}, {"JC", "KC"}
    for seat in (0, 1):
        assert table.sees_cards(seat, "last_trick") == second
        assert table.sees_cards(seat, "gone") == (first | second if option else set())
        assert [table.sees_number(seat, "points", of) for of in (0, 1)] == ([14, 6] if option else [0, 0])
        assert [table.sees_number(seat, "tricks", of) for of in (0, 1)] == [1, 1]
    table.play("draw", "AD")
    assert table.sees_cards(0, "last_trick") == (second if option else set()), "until the next lead"


def test_every_open_question_has_a_test() -> None:
    numbers = {int(match[1]) for name in globals() if (match := re.match(r"test_sq(\d\d)_", name))}
    assert numbers == set(range(1, 31))
