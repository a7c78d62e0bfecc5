"""The precisions SP1 to SP24 (nodes, timing, scoring, three hands, Schnapsen), one test each."""

from __future__ import annotations

import pytest

from tests.games.sixty_six_scenes import FULL, LAST_CARD, LEAD, RUN, scene, shuffled

TWO_LEFT = FULL.replace("tricks=1,1", "tricks=3,2")
NINE_OPPOSITE = FULL.replace("9H", "QH").replace("TD", "9H")
"""Seat 1 holds the nine of trumps."""
CLOSED = "closer=0 up=KH player=0 hands=9C,JC,QC;AC,KC,TC"
"""Three cards each; seat 0, on lead, has closed after one trick or before it."""
FOUR = "trump=H dealer=1 tricks=1,1 hands=AC,9D,JD,QD;9C,KD,TD,AD;JC,QS,KS,9S;QC,JS,TS,AS"
"""Four hands after two tricks: seat 0 leads and its partner, seat 2, holds the marriage of spades."""
THREE = "dealer=0 tricks=0,1,1 player=1 hands=-;9H,AH,QS,KS,JC,AC;TD,AD,TH,JH,QC,KC up=KH"


def test_sp01_the_draw_node() -> None:
    for timing in ("either", "before_draw"):
        table = scene(f"close_timing={timing}", FULL).play("JC", "QC")
        assert (table.phase, table.player, table.legal()) == ("draw", 1, {"draw", "close"})
        top = table.talon()[:2]
        table.play("draw")
        assert top[0] in table.hand(1) and top[1] in table.hand(0), "both draw at once, he first"
    for rules in ("close_timing=after_draw", "closing=false", "close_min_talon=12"):
        table = scene(rules, FULL).play("JC", "QC")
        assert (table.phase, len(table.hand(0)), len(table.hand(1))) == ("lead", 6, 6)


def test_sp02_what_belongs_to_the_lead_node() -> None:
    table = scene("", FULL.replace("points=15,15", "points=60,15")).play("AC", "QC")
    assert table.legal() == {"draw", "close"}
    assert table.after("draw").extras() == {"exchange", "pair S", "close", "claim"}
    assert table.after("close").extras() == {"pair S", "claim"}


@pytest.mark.parametrize("timing", ["either", "before_draw", "after_draw"])
def test_sp03_closing_at_the_first_lead(timing: str) -> None:
    assert "close" in scene(f"close_timing={timing}", LEAD).legal()
    never = f"close_timing={timing},close_first_lead=false"
    assert "close" not in scene(never, LEAD).legal()
    table = scene(never, LEAD).play("AC", "QC")
    assert "close" in table.legal(), "at the node or on lead: only the first lead is barred"


def test_sp04_who_closes_before_drawing_goes_on_with_a_short_hand() -> None:
    table = scene("", FULL.replace("points=15,15", "points=50,15")).play("AC", "QC", "close")
    assert (table.phase, len(table.hand(0)), table.state["talon_left"]) == ("lead", 5, 8)
    assert table.extras() == {"pair S", "claim"}, "the exchange is gone, the rest stays"
    table.play("pair S", "KS", "JH")
    assert (table.phase, len(table.hand(0)), len(table.hand(1))) == ("lead", 4, 4)


def test_sp05_how_the_talon_is_counted() -> None:
    assert "close" in scene("close_min_talon=12", LEAD).legal()
    assert "close" not in scene("close_min_talon=13", LEAD).legal()
    after = scene("close_min_talon=12", LEAD).play("AC", "QC")
    assert after.legal() == {"draw", "close"}, "before the draw the talon is whole"
    assert "close" not in after.play("draw").legal(), "then it has ten cards"
    assert "exchange" in scene("exchange_min_talon=12", LEAD).legal()
    assert "exchange" not in scene("exchange_min_talon=13", LEAD).legal()
    assert "exchange" not in scene("exchange_min_talon=12", LEAD).play("AC", "QC", "draw").legal()
    assert "close" in scene("preset=deck32,close_min_talon=20", LEAD).legal()
    assert "close" not in shuffled("preset=schnapsen,close_min_talon=11", 1).legal()


def test_sp06_the_order_on_lead_is_free() -> None:
    table = scene("", FULL).play("pair S")
    assert table.legal() == {"exchange", "close", "claim", "QS", "KS"}
    assert table.play("exchange").legal() == {"close", "claim", "QS", "KS"}
    assert table.play("close").legal() == {"claim", "QS", "KS"}
    assert "exchange" not in scene("", FULL).play("close").legal()


def test_sp07_needs_a_trick_means_one_of_the_own_side() -> None:
    assert scene("", LEAD).extras() == {"exchange", "close"}
    assert scene("exchange_needs_trick=true", LEAD).extras() == {"close"}
    assert scene("exchange_needs_trick=true", FULL).extras() == {"exchange", "pair S", "close", "claim"}
    foe = "trump=H dealer=1 tricks=2,0 player=1"
    hands = "hands=9D,JD,QD,AC;QS,KS,KD,TD;JC,AD,9S,9C;QC,JS,TS,AS"
    assert scene("preset=four_hand", f"{foe} {hands}").extras() == set(), "the other team's tricks"
    mine = f"{foe} {hands}".replace("tricks=2,0", "tricks=0,2")
    assert scene("preset=four_hand", mine).extras() == {"pair S", "claim"}


def test_sp08_pending_points_count_for_nothing_before_a_trick() -> None:
    text = "closer=1 close_tricks=0 close_points=0 up=KH tricks=0,4 points=0,66 hands=QS,KS,AC;9C,JC,9D"
    table = scene("early_marriage=pending", f"{text} player=1 pending=40,0")
    assert table.after("claim").paid == [0, 3], "no trick, and less than 33"
    table.play("JC", "AC")
    assert (table.points, table.pending) == ([2 + 11 + 40, 66], [0, 0])
    waiting = scene("early_marriage=next_trick,claims=true_only", FULL.replace("15,15", "60,15"))
    assert "claim" not in waiting.play("pair S").legal()
    waiting.play("KS", "TD")
    assert waiting.points == [60 + 20 + 14, 15]


def test_sp09_marriage_after_close_asks_whether_the_talon_was_open() -> None:
    table = scene("marriage_after_close=false", FULL).play("pair S", "close")
    assert (table.points, table.cards()) == ([35, 15], {"QS", "KS"})
    four = FOUR.replace("QC,JS", "JH,JS").replace("AC,9D,JD,QD", "KC,QC,JD,QD")
    assert "pair C" in scene("preset=four_hand,marriage_after_close=false", four).legal(), "no talon ever"
    gone = "tricks=4,4 hands=QS,KS,9D,9H;AC,KC,JD,JH"
    assert "pair S" in scene("preset=1001", gone).legal()
    assert "pair S" not in scene("preset=1001,marriage_after_close=false", gone).legal()
    three = "dealer=2 hands=QS,KS,9D,9H,9S,9C,JD,JH;AC,KC,JS,JC,QD,QH,QC,KD;KH,TD,TH,TS,TC,AD,AH,AS"
    assert "pair S" in scene("preset=1001,players=3,marriage_after_close=false", three).legal()


def test_sp10_no_claim_between_a_declaration_and_its_lead() -> None:
    text = FULL.replace("points=15,15", "points=60,15")
    for show, offered in (("true", True), ("false", False)):
        table = scene(f"marriage_show_out={show}", text)
        assert "claim" in table.legal()
        assert ("claim" in table.play("pair S").legal()) == offered
        assert ("claim" in table.play("exchange", "close").legal()) == offered
        table.play("KS", "JH")
        four = f"{FOUR} points=60,15 phase=ask_pair player=2 leader=0"
        team = scene(f"preset=four_hand,partner_meld=true,marriage_show_out={show}", four)
        assert ("claim" in team.after("pair S").legal()) == offered
        assert "claim" in team.after("pass").legal()
        auto = scene(f"claims=auto,marriage_show_out={show}", text).play("pair S")
        assert (auto.reason == "claim") == offered
        assert show == "true" or auto.play("KS", "TD").reason == "claim", "later, with the trick"


def test_sp11_each_suit_once_and_both_cards_public() -> None:
    table = scene("marriage_must_lead=false", FULL).play("pair S")
    assert table.cards() == table.hand(0)
    table.play("AC", "QC", "draw")
    assert table.hand(0) >= {"QS", "KS"} and "pair S" not in table.legal()
    assert table.sees_cards(1, "known", of=0) == {"QS", "KS"}
    table.play("QS", "TD")
    assert table.sees_cards(1, "known", of=0) == {"KS"}
    two = scene("marriage_must_lead=false", FULL.replace("JC,AC", "QD,KD")).play("pair S")
    assert "pair D" not in two.legal(), "one for each lead"


def test_sp12_claiming_at_any_turn() -> None:
    rules = "claim_timing=any_turn,claims=true_only"
    for points, offered in ((66, True), (65, False)):
        table = scene(rules, FULL.replace("points=15,15", f"points=15,{points}")).play("AC")
        assert ("claim" in table.legal()) == offered, "the ace on the table counts for nobody yet"
        assert "claim" not in table.play("QC").legal(), "neither out of turn nor at a draw node"
        assert "claim" not in table.play("draw").legal(), "seat 0 is on lead with less"
    assert "claim" in scene(rules, FULL.replace("15,15", "15,66")).play("JC", "QC", "draw").legal()
    assert "claim" not in scene(f"{rules},exchange_on_close=true", NINE_OPPOSITE).play("close").legal()


def test_sp13_the_engine_claims_at_the_first_moment() -> None:
    table = scene("claims=auto", FULL.replace("15,15", "60,15"))
    trick = table.after("AC", "QC")
    assert (trick.reason, trick.paid, len(trick.hand(0)), trick.state["talon_left"]) == (
        "claim",
        [2, 0],
        5,
        8,
    )
    shown = table.after("pair S")
    assert (shown.reason, len(shown.hand(0))) == ("claim", 6)
    follower = FULL.replace("15,15", "15,66")
    assert scene("claims=auto,claim_timing=any_turn", follower).play("JC").paid == [0, 2]
    assert scene("claims=auto", follower).play("JC").phase == "follow"
    short = scene("claims=auto", FULL.replace("15,15", "51,15")).play("AC", "QC")
    assert (short.points, short.phase) == ([65, 15], "draw")


def test_sp14_the_last_claim_and_the_ten() -> None:
    for points, claimed, passed in (("55,40", [1, 0], [1, 0]), ("54,65", [0, 2], [1, 0])):
        table = scene("", LAST_CARD.replace("40,40", points)).play("AH", "9C")
        assert (table.phase, table.player, table.legal()) == ("last", 0, {"claim", "pass"})
        assert table.after("claim").paid == claimed, "checked without the ten"
        assert table.after("pass").paid == passed, "the ten comes after passing"
    closed = "closer=1 close_tricks=0 close_points=0 up=KH tricks=2,3 points=60,40 hands=AH;9C"
    assert scene("", closed).play("AH", "9C").legal() == {"claim", "pass"}
    below = LAST_CARD.replace("40,40", "54,60")
    for rules in ("claims=auto", "claims=true_only"):
        assert scene(rules, below).play("AH", "9C").reason == "exhausted", f"no node with {rules}"
    assert scene("claims=auto", LAST_CARD.replace("40,40", "55,40")).play("AH", "9C").reason == "claim"


def test_sp15_the_opponents_exchange_at_a_close() -> None:
    for rules in ("exchange_on_close=true", "exchange_on_close=true,exchange_needs_trick=true"):
        text = NINE_OPPOSITE.replace("tricks=1,1 points=15,15", "tricks=2,0 points=30,0")
        table = scene(rules, text).play("close")
        assert (table.player, table.phase, table.legal()) == (1, "ask_exchange", {"exchange", "pass"})
        lead = scene(rules, text.replace("9H", "9S")).play("close")
        assert lead.phase == "lead", "who has no nine is not asked"
        for block in ("phase", "to_move"):
            row = None if block == "phase" else 0
            assert table.sees(0, block, row) == lead.sees(0, block, row), "and the closer cannot tell"
        assert table.sees(1, "phase") != lead.sees(1, "phase")
        standing = int(table.state["close_tricks"]), int(table.state["close_points"])
        table.play("exchange")
        assert (table.player, table.phase, table.up()) == (0, "lead", "9H") and "KH" in table.hand(1)
        assert (int(table.state["close_tricks"]), int(table.state["close_points"])) == standing == (0, 0)
    few = NINE_OPPOSITE.replace("tricks=1,1", "tricks=3,2")
    assert scene("exchange_on_close=true,exchange_min_talon=4", few).play("close").phase == "lead"
    short = scene("exchange_on_close=true", NINE_OPPOSITE).play("AC", "QC", "close")
    assert short.phase == "ask_exchange" and len(short.play("pass").hand(0)) == 5


def test_sp16_a_failed_close_looks_at_closing_always() -> None:
    text = RUN.replace("tricks=2,2 points=60,25", "tricks=4,0 points=30,0")
    for option in ("at_close", "at_end"):
        table = scene(f"close_score={option}", text).play("close").play_on()
        assert table.tricks[1] > 0 and table.paid == [0, 3]


def test_sp17_beaten_closer_is_about_the_opponents_claim_only() -> None:
    text = RUN.replace("tricks=2,2 points=60,25", "tricks=4,0 points=30,0")
    for option in ("as_failed", "flat2", "as_claim"):
        assert scene(f"beaten_closer={option}", text).play("close").play_on().paid == [0, 3]


def test_sp18_false_claims_by_the_tricks_of_who_profits() -> None:
    schwarz = FULL.replace("tricks=1,1 points=15,15", "tricks=2,0 points=30,0")
    assert scene("false_claim=schwarz3", schwarz).play("claim").paid == [0, 3]
    assert scene("false_claim=schwarz3", FULL).play("claim").paid == [0, 2]
    closer = f"{CLOSED} tricks=3,1 points=40,0"
    for rules, had, worth in (
        ("", 0, 3),  # the failed close by the standing at closing is the larger
        ("false_claim=schwarz3", 0, 3),
        ("false_claim=schwarz3", 1, 2),
        ("failed_close=2_or_3_at_end", 0, 2),
    ):
        table = scene(rules, f"{closer} close_tricks={had} close_points=0").play("claim")
        assert (table.reason, table.paid) == ("false_claim", [0, worth])
    sweep = f"{CLOSED} tricks=4,0 points=40,0 close_tricks=0 close_points=0"
    assert scene("failed_close=2_or_3_at_end", sweep).play("claim").paid == [0, 3]


def test_sp19_totals_take_the_ten_and_closed_deals_know_no_tie() -> None:
    table = scene("", LAST_CARD.replace("40,40", "40,60")).play("AH", "9C", "pass")
    assert (table.points, table.paid) == ([61, 60], [1, 0])
    closed = "closer=0 close_tricks=0 close_points=0 up=KH tricks=2,3 points=54,65 hands=AH;9C"
    for rules in ("", "tie=carry1", "tie=last_trick", "exhausted=last_trick_wins"):
        done = scene(rules, closed).play("AH", "9C", "pass")
        assert (done.points, done.reason, done.paid) == ([65, 65], "failed_close", [0, 3])
    for points in ("0,119", "44,65", "54,65"):
        text = LAST_CARD.replace("40,40", points)
        for tie in ("draw", "carry1", "last_trick"):
            last = scene(f"exhausted=last_trick_wins,tie={tie}", text).play("AH", "9C", "pass")
            assert (last.reason, last.paid, last.state["carry"]) == ("exhausted", [1, 0], 0)


def test_sp20_carried_points_add_up() -> None:
    tie = LAST_CARD.replace("40,40", "44,65")
    table = scene("match=true,tie=carry1,target=20", f"{tie} carry=1").play("AH", "9C", "pass")
    assert (table.phase, table.state["carry"], table.paid) == ("deal", 2, [0, 0])
    table.deal("9D JD QD KD TD AD 9H JH QH KH TH AH 9S JS QS KS TS AS 9C JC QC KC TC AC")
    assert table.state["carry"] == 2
    table.play("9D", "KD", "draw", "claim")  # false: 2 for the opponent, and the two carried
    assert (table.reason, table.paid, table.state["carry"]) == ("false_claim", [0, 4], 0)
    lost = scene("match=true,tie=carry1", f"{tie} carry=3")
    lost.game.deal(1, 2, lost.states)
    assert lost.state["carry"] == 0, "a new match starts without"
    by_last = scene("tie=last_trick", LAST_CARD.replace("40,40", "44,65")).play("AH", "9C", "pass")
    assert by_last.paid == [1, 0]


def test_sp21_the_winner_deals_only_where_two_play_sixty_six() -> None:
    for points, dealer in (("60,40", 0), ("40,80", 1), ("44,65", 1)):
        text = LAST_CARD.replace("40,40", points)
        table = scene("match=true,next_dealer=winner", f"{text}").play("AH", "9C", "pass")
        assert table.state["dealer"] == dealer, "after a draw the same player deals"
    for player, points in ((1, "0,70,20"), (2, "0,20,70")):
        three = scene(
            "preset=three_hand,match=true,next_dealer=winner",
            THREE.replace("player=1", f"player={player}") + f" points={points}",
        ).play("claim")
        assert (three.state["winner"], three.state["dealer"]) == (player, 1), "elsewhere the deal moves left"
    four = scene("preset=four_hand,match=true,next_dealer=winner", f"{FOUR} points=70,20")
    assert four.play("claim").state["dealer"] == 2
    end = "tricks=6,5 points=60,40 hands=AC;9C"
    assert scene("preset=1001,match=true,next_dealer=winner", end).play("AC", "9C").state["dealer"] == 0


def test_sp22_scores_pass_the_target_and_what_a_matsch_is() -> None:
    won = FULL.replace("tricks=1,1 points=15,15", "tricks=2,0 points=66,0")
    table = scene("match=true", f"{won} scores=6,0").play("claim")
    assert table.scores == [9, 0]
    for scores, stake in (("0,6,0", 2), ("0,6,1", 1), ("1,6,0", 1)):
        rules = "preset=three_hand,match=true,matsch_double=true"
        three = scene(rules, f"{THREE} points=0,70,20 scores={scores}").play("claim")
        assert three.game.returns(three.states).tolist() == [-stake / 2, stake, -stake / 2]
    end = "tricks=11,0 points=109,0 hands=AC;9C"
    thousand = scene("preset=1001,match=true,matsch_double=true", f"{end} scores=990,0").play("AC", "9C")
    assert thousand.scores == [990 + 120, 0]
    assert thousand.game.returns(thousand.states).tolist() == [1, -1]


def test_sp23_three_hands() -> None:
    for dealer in range(3):
        table = shuffled(f"preset=three_hand,first_dealer={dealer}", 5)
        sizes = [len(table.hand(seat)) for seat in range(3)]
        assert sizes[dealer] == 0 and sorted(sizes) == [0, 6, 6]
        assert table.player == (dealer + 1) % 3
        assert table.sees_cards(dealer, "up") == {table.up()} and table.sees_cards(dealer, "hand") == set()
        table.play(min(table.cards()))
        assert table.player == (dealer + 2) % 3
        assert table.sees_cards(dealer, "table", of=(dealer + 1) % 3) != set(), "he sees what is public"
    text = f"{THREE} points=0,70,20"
    for idle, paid in (("none", [0, 2, 0]), ("shares", [2, 2, 0])):
        table = scene(f"preset=three_hand,idle_dealer={idle}", text).play("claim")
        assert table.paid == paid
    for score, share in ((3, 2), (4, 2), (5, 1), (6, 0)):
        capped = scene("preset=three_hand,match=true,idle_dealer=shares", f"{text} scores={score},0,0")
        assert capped.play("claim").paid == [share, 2, 0], "never beyond target - 1"
    drawn = "dealer=0 up_first=KH tricks=0,5,6 points=0,44,65 player=1 hands=-;AH;9C"
    table = scene("preset=three_hand,match=true", drawn).play("AH", "9C", "pass")
    assert (table.reason, table.state["dealer"], table.phase) == ("tie", 1, "deal")


def test_sp24_schnapsen_as_options() -> None:
    lead = "hands=JH,AH,QS,KS,AC;TD,AD,TH,QC,KC up=KH"
    full = f"{lead} tricks=2,0 points=30,0"
    strict = "preset=schnapsen,close_min_talon=4,exchange_min_talon=4,early_marriage=forbidden"
    assert scene("preset=schnapsen", lead).extras() == {"exchange", "pair S", "close"}
    assert scene(strict, lead).extras() == {"exchange", "close"}
    table = scene("preset=schnapsen", lead).play("pair S")
    assert (table.points, table.pending) == ([0, 0], [20, 0])
    table.play("QS", "TD")
    assert (table.phase, len(table.hand(0))) == ("lead", 5), "no node before the draw"
    assert scene("preset=schnapsen", full).play("claim").paid == [0, 3]
    assert "draw" not in table.legal()
    two = f"{lead} tricks=2,2 points=30,30"
    assert scene("preset=schnapsen", two).extras() >= {"exchange", "close"}
    assert scene(strict, two).extras() == {"pair S", "claim"}
    end = "up_first=KH tricks=4,5 points=20,60 hands=AH;TC"
    last = scene("preset=schnapsen", end).play("AH", "TC", "pass")
    assert (last.points, last.paid) == ([41, 60], [1, 0]), "the last trick wins, without a bonus"
    closed = scene("preset=schnapsen", full).play("close").play_on()
    assert (closed.reason, closed.paid) == ("failed_close", [0, 3])
