"""The precisions SP25 to SP38 (four hands, 1001, options of other engines, general), one test each."""

from __future__ import annotations

import re

import pytest
from scipy import stats

from cardsim.registry import make_game
from tests.games import test_sixty_six_rules_sp
from tests.games.sixty_six_scenes import FULL, LEAD, dealt, make, per_hand, scene, shuffled

PACK24 = [rank + suit for suit in "DHSC" for rank in "9JQKTA"]
PACK20 = [card for card in PACK24 if card[0] != "9"]
PACK32 = [rank + suit for suit in "DHSC" for rank in "789JQKTA"]
FOUR = "trump=H dealer=1 tricks=1,1 points=15,15 player=0"
TEAM = "hands=AC,9D,JD,QD;9C,KD,TD,AD;JC,QS,KS,9S;QC,JS,TS,AS"
"""Seat 2, partner of seat 0, holds the marriage of spades."""
THOUSAND = "hands=QD,KD,QC,KC,QS,KS,9H,JH;9D,JD,TD,AD,9S,JS,TS,AS"
"""Seat 0 leads the first trick of 1001."""


def test_sp25_four_hands_strict_from_the_first_trick() -> None:
    table = dealt("preset=four_hand", " ".join(PACK24), dealer=1)
    for k, seat in enumerate((2, 3, 0, 1)):
        assert table.hand(seat) == set(PACK24[3 * k : 3 * k + 3] + PACK24[12 + 3 * k : 15 + 3 * k])
    assert (table.player, table.trump(), table.up()) == (2, "C", "")
    assert all(table.sees_cards(seat, "known", of=1) == {"AC"} for seat in range(4))
    played = shuffled("preset=four_hand,first_dealer=3", 4)
    (shown,) = played.sees_cards(0, "known", of=3)
    while shown in played.hand(3):
        assert played.sees_cards(0, "known", of=3) == {shown}
        played.play(shown if played.player == 3 and shown in played.legal() else min(played.cards()))
    assert played.sees_cards(0, "known", of=3) == set()
    opponents = "9C,KD,TD,KH", "JH,KD,TD,KH"
    cases = [
        # seat 1's cards and play on QC, seat 2's cards, what it may play
        (opponents[0], "9C", "KC,JC,QH,KS", {"KC"}),  # beat even the partner's card
        (opponents[0], "9C", "JC,QH,KS,TS", {"JC"}),
        (opponents[1], "JH", "KC,9C,QH,KS", {"KC", "9C"}),  # trumped: any card of the suit
        (opponents[1], "JH", "QH,9H,KS,TS", {"QH"}),  # overtrump
        (opponents[1], "JH", "9H,KS,TS,QS", {"9H"}),  # else trump
        (opponents[1], "JH", "KS,TS,QS,AD", {"KS", "TS", "QS", "AD"}),  # else anything
    ]
    for second, answer, third, allowed in cases:
        hands = f"hands=QC,9D,JD,QD;{second};{third};9S,JS,AS,TC"
        assert scene("preset=four_hand", f"{FOUR} {hands}").play("QC", answer).legal() == allowed


def test_sp26_points_and_claims_belong_to_the_team() -> None:
    table = scene("preset=four_hand", f"{FOUR} {TEAM}").play("AC", "9C", "JC", "QC")
    assert (table.points, table.tricks, table.player) == ([15 + 11 + 2 + 3, 15], [2, 1], 0)
    rules = "preset=four_hand,claims=true_only,claim_timing=any_turn"
    claim = scene(rules, f"{FOUR} {TEAM}".replace("points=15,15", "points=66,15"))
    assert "claim" in claim.legal()
    assert "claim" not in claim.play("AC").legal(), "the opponent"
    assert "claim" in claim.play("9C").legal(), "the partner at his turn"
    assert claim.play("claim").paid == [2, 0, 2, 0]
    hands = "QS,KS,JD,QD,9D,9C;KD,TD,AD,JC,QC,KC;AS,9H,JH,QH,KH,TC;AH,TH,JS,TS,9S,AC"
    early = scene("preset=four_hand,early_marriage=pending", f"trump=H dealer=3 hands={hands}")
    assert early.play("pair S").pending == [20, 0]
    early.play("KS", "JC", "AS", "JS")
    assert (early.player, early.points, early.pending) == (2, [4 + 2 + 11 + 2 + 20, 0], [0, 0])
    assert "pair S" not in early.legal()


@pytest.mark.parametrize("option", [False, True])
def test_sp27_the_partners_marriage(option: bool) -> None:
    rules = f"preset=four_hand,partner_meld={str(option).lower()}"
    text = f"{FOUR} {TEAM}".replace("AC,9D,JD,QD", "AC,TC,QD,KD").replace("9C,KD", "9C,9D")
    table = scene(rules, text).play("AC", "9C", "JC", "QC")
    if not option:
        assert (table.player, table.phase) == (0, "lead")
        return
    assert (table.player, table.phase, table.legal()) == (2, "ask_pair", {"pair S", "pass"})
    for seat in (0, 1, 3):
        assert table.sees(seat, "phase") != table.sees(2, "phase"), "only the asked seat knows"
        assert table.sees(seat, "to_move", of=0) == [1]
    before = table.points[0]
    passed = table.after("pass")
    assert (passed.player, passed.phase, passed.points[0]) == (0, "lead", before)
    table.play("pair S")
    assert (table.player, table.phase, table.points[0]) == (0, "lead", before + 20)
    assert table.cards() == {"TC", "QD", "KD"}, "it binds no card"
    assert "pair D" in table.legal(), "the leader still has his own"
    assert table.sees_cards(1, "known", of=2) == {"QS", "KS"}
    again = table.play("TC", "TD", "9S", "JS")
    assert again.phase == "lead", "nothing left to be asked"


def test_sp28_the_american_game() -> None:
    rules = "preset=four_hand,american=true"
    table = dealt(rules, " ".join(PACK32), dealer=3)
    assert table.hand(0) == set(PACK32[:4] + PACK32[16:20]) and table.trump() == "C"
    while table.player >= 0:
        assert table.extras() == set(), "no marriages, no claims"
        table.play(min(table.cards()))
    assert sum(table.tricks) == 8 and sum(table.points) == 130 and table.reason == "counted"
    end = "trump=H tricks=3,4 player=0 hands=AH;9C;9D;9S"
    cases = [("45,64", 1), ("78,31", 1), ("79,30", 2), ("108,1", 2), ("109,0", 3)]
    for extra in ("", ",exhausted=last_trick_wins", ",claims=true_only"):
        for points, worth in cases:
            done = scene(rules + extra, f"{end} points={points}").play("AH", "9C", "9D", "9S")
            assert done.paid == [worth, 0, worth, 0]
    for tie, carry in (("", 1), (",tie=draw", 0)):
        done = scene(rules + tie, f"{end} points=44,65").play("AH", "9C", "9D", "9S")
        assert (done.reason, done.paid, done.state["carry"]) == ("tie", [0, 0, 0, 0], carry)


def test_sp29_thousand_and_one() -> None:
    table = scene("preset=1001", THOUSAND)
    assert (table.trump(), table.up(), table.state["talon_left"]) == ("", "", 8)
    assert table.extras() == {"pair D", "pair S", "pair C"}, "no closing, no swap, no claims"
    assert table.after("KD").legal() == table.hand(1), "free play"
    assert table.after("9H", "AS").player == 0, "no trumps yet"
    values = {f"pair {suit}": value for suit, value in zip("DHSC", (40, 60, 80, 100), strict=True)}
    for name in ("pair D", "pair S", "pair C"):
        assert table.after(name).pending[0] == values[name]
    hearts = THOUSAND.replace("QS,KS,9H,JH", "QH,KH,9H,JH")
    assert scene("preset=1001", hearts).play("pair H").pending == [60, 0]
    table.play("pair S")
    assert (table.trump(), table.cards()) == ("S", {"QS", "KS"}), "at once"
    table.play("KS", "AD")
    assert (table.points, table.pending, table.trump()) == ([4 + 11 + 80, 0], [0, 0], "S")
    assert table.extras() == {"pair D", "pair C"}, "a suit not yet used"
    assert table.after("pair D").trump() == "D"
    ascending = scene("preset=1001,ascending_marriages=true", THOUSAND).play("pair S", "KS", "AD")
    assert ascending.extras() == {"pair C"}, "above the last"
    follow = scene("preset=1001,follow_always=true", THOUSAND)
    assert follow.after("QD").legal() == {"TD", "AD"}
    assert follow.after("pair S", "QS").legal() == {"TS", "AS"}
    three = shuffled("preset=1001,players=3,first_dealer=0", 1)
    assert [len(three.hand(seat)) for seat in range(3)] == [8, 8, 8] and three.player == 1
    led = min(three.cards())
    same = {card for card in three.play(led).hand(2) if card[1] == led[1]}
    assert three.cards() == ({card for card in same if above(card, led)} or same or three.hand(2))
    assert shuffled("preset=1001,hand=6", 1).state["talon_left"] == 12
    end = "tricks=6,5 points=50,59 hands=AC;9C"
    for scores, over in (("940,941", True), ("940,942", False), ("939,900", False), ("941,942", True)):
        done = scene("preset=1001,match=true", f"{end} scores={scores}").play("AC", "9C")
        assert done.points == [61, 59], "no bonus"
        assert (done.phase == "over") == over
    lost = scene("preset=1001", "tricks=0,11 points=0,109 pending=40,0 hands=9C;AC player=1").play("AC", "9C")
    assert lost.game.returns(lost.states).tolist() == [-120, 120], "without a trick a marriage is lost"


def above(card: str, other: str) -> bool:
    """Whether a card beats another of its suit."""
    return "789JQKTA".index(card[0]) > "789JQKTA".index(other[0])


def test_sp30_the_nine_as_swap_card() -> None:
    lead = LEAD.replace("JC,AC", "7S,8S")
    for option, nine, seven in (("lowest", False, True), ("nine", True, False)):
        rules = f"preset=deck32,swap_card={option}"
        assert ("exchange" in scene(rules, lead).legal()) == nine
        assert ("exchange" in scene(rules, lead.replace("9H", "7H")).legal()) == seven
        assert "exchange" in scene(f"swap_card={option}", LEAD).legal(), "elsewhere no difference"
    for up in ("7H", "8H", "AH"):
        table = scene("preset=deck32,swap_card=nine", lead.replace(",AH,", ",KC,").replace("QC,KC", "QC,TC")
                      .replace("up=KH", f"up={up}"))  # fmt: skip
        assert up in table.play("exchange").hand(0), "any turned trump"


def test_sp31_the_strict_preset() -> None:
    text = FULL.replace("15,15", "60,15")
    for preset, may_claim in (("base", True), ("strict", False)):
        table = scene(f"preset={preset}", text).play("pair S")
        assert table.cards() == {"QS", "KS"} and ("claim" in table.legal()) == may_claim
    loose = scene("preset=strict,marriage_must_lead=false", text).play("pair S")
    assert loose.cards() == loose.hand(0)


def test_sp32_options_that_other_engines_need() -> None:
    forced = scene("announce=forced", FULL)
    assert "pair S" not in forced.legal() and {"QS", "KS"} <= forced.legal()
    assert forced.after("QS").points == [35, 15] and forced.after("KS").points == [35, 15]
    assert forced.after("AC").points == [15, 15]
    assert scene("announce=forced", LEAD).play("KS").points == [0, 0], "not yet declarable"
    shown = forced.after("QS", "TD", "draw", "KS")
    assert (shown.points[0], shown.state["declared"]) == (35 + 13, 4), "not a second time"
    king = scene("marriage_lead=king", FULL)
    assert king.after("pair S").cards() == {"KS"} and "QS" in king.legal()
    both = scene("announce=forced,marriage_lead=king", FULL)
    assert "QS" not in both.legal() and both.play("KS").points == [35, 15]
    assert "close" in scene("", FULL).legal() and "close" not in scene("closing=false", FULL).legal()
    for option, early in (("forbidden", False), ("pending", True), ("next_trick", True)):
        assert ("pair S" in scene(f"early_marriage={option}", LEAD).legal()) == early
    table = scene("early_marriage=next_trick", FULL).play("pair S")
    assert (table.points, table.pending) == ([15, 15], [20, 0])
    assert table.after("KS", "TD").points[0] == 15 + 14 + 20
    assert table.after("KS", "TH").points[0] == 15, "a trick of the opponent does not help"


def test_sp33_defaults_then_preset_then_named_options() -> None:
    assert make("").rules["exhausted"] == "ten_points"
    assert make("preset=schnapsen").rules["exhausted"] == "last_trick_wins"
    end = "up_first=KH tricks=4,5 points=20,60 hands=AH;TC"
    for rules, paid in (("preset=schnapsen", [1, 0]), ("preset=schnapsen,exhausted=ten_points", [0, 1])):
        assert scene(rules, end).play("AH", "TC", "pass").paid == paid
    useless = shuffled("preset=1001,closing=false,idle_dealer=shares,american=true,exhausted=last_trick_wins", 1)
    assert useless.play_on().reason == "counted"
    for bad in (
        {"players": 3},
        {"preset": "schnapsen", "players": 4},
        {"preset": "1001", "players": 3, "hand": 6},
        {"preset": "1001", "hand": 7},
        {"first_dealer": "2"},
        {"close_timing": "later"},
        {"unknown": 1},
        {"preset": "bridge"},
    ):
        with pytest.raises(ValueError):
            make_game("sixty_six", **bad)


def test_sp34_an_injected_deck_in_dealing_order() -> None:
    for dealer in (0, 1):
        fore = 1 - dealer
        base = dealt("", " ".join(PACK24), dealer)
        assert base.hand(fore) == {*PACK24[:3], *PACK24[6:9]} and base.up() == PACK24[12]
        assert base.talon() == PACK24[13:]
        snap = dealt("preset=schnapsen", " ".join(PACK20), dealer)
        assert snap.hand(fore) == {*PACK20[:3], *PACK20[7:9]}
        assert snap.hand(dealer) == {*PACK20[3:6], *PACK20[9:11]}
        assert (snap.up(), snap.talon()) == (PACK20[6], PACK20[11:])
        eight = dealt("preset=1001", " ".join(PACK24), dealer)
        assert eight.hand(fore) == {*PACK24[:4], *PACK24[8:12]} and eight.talon() == PACK24[16:]
        six = dealt("preset=1001,hand=6", " ".join(PACK24), dealer)
        assert six.hand(dealer) == {*PACK24[3:6], *PACK24[9:12]} and six.talon() == PACK24[12:]
    three = dealt("preset=1001,players=3", " ".join(PACK24), 0)
    assert three.hand(1) == {*PACK24[:4], *PACK24[12:16]} and three.hand(0) == {*PACK24[8:12], *PACK24[20:]}
    for bad in (PACK24[:-1], [*PACK24[:-1], "9D"], PACK20):
        with pytest.raises(ValueError):
            dealt("", " ".join(bad))


@pytest.mark.parametrize(("rules", "seats"), [("", 2), ("preset=three_hand", 3), ("preset=four_hand", 4)])
def test_sp35_the_first_dealer_is_uniform(rules: str, seats: int) -> None:
    counts = [0] * seats
    for number in range(1200):
        counts[shuffled(rules, number).state["dealer"]] += 1
    assert stats.chisquare(counts).pvalue > 1e-4
    assert {int(shuffled(f"{rules},first_dealer=1".strip(","), k).state["dealer"]) for k in range(9)} == {1}


def test_sp36_what_a_perfect_rememberer_knows_for_certain() -> None:
    shown = scene("", FULL).play("pair S")
    assert shown.sees_cards(1, "known", of=0) == {"QS", "KS"}
    swapped = scene("", FULL).play("exchange")
    assert swapped.sees_cards(1, "known", of=0) == {"KH"} and swapped.sees_cards(1, "up") == {"9H"}
    assert scene("", FULL).play("close").sees_cards(1, "up") == {"KH"}, "turned down, yet known"
    last = scene("close_timing=after_draw", FULL.replace("tricks=1,1", "tricks=3,2")).play("AC", "QC")
    assert last.up() == "" and "KH" in last.hand(1)
    assert last.sees_cards(0, "known", of=1) == last.sees_cards(1, "known", of=1) == {"KH"}
    closed = scene("", FULL).play("close")
    beaten = closed.after("KS", "TH")  # void of spades, trumped
    assert beaten.sees_cards(0, "absent", of=1) & {*PACK24} == {f"{rank}S" for rank in "9JQKTA"}
    higher = closed.after("AC", "QC")
    assert higher.sees_cards(0, "absent", of=1) == set(), "nothing is higher than an ace"
    under = scene("", FULL.replace("AC", "JD").replace("TD,AD", "9D,AC")).play("close", "JD", "9D")
    assert under.sees_cards(0, "absent", of=1) == {"QD", "KD", "TD", "AD"}, "no higher card"
    void = scene("", FULL.replace("TH,JH", "KD,JD")).play("close", "QS", "TD")
    every = {rank + suit for rank in "9JQKTA" for suit in "HS"}
    assert void.sees_cards(0, "absent", of=1) & {*PACK24} == every, "neither followed nor trumped"
    four = "hands=QC,9D,JD,QD;KH,KD,TD,AD;9H,KS,TS,QS;9S,JS,AS,TC"
    low = scene("preset=four_hand", f"{FOUR} {four}").play("QC", "KH", "9H")
    assert low.sees_cards(0, "absent", of=2) >= {"TH", "AH", "TC", "9C"}, "trumped lower"
    for memory in (True, False):
        rules = f"early_marriage=pending,perfect_memory={str(memory).lower()}"
        pending = scene(rules, LEAD).play("pair S", "QS", "TH")
        assert pending.sees_number(1, "pending", of=0) == (1 if memory else 0)
        assert pending.sees_number(0, "tricks", of=1) == 1
        assert pending.sees_number(0, "points", of=1) == (13 if memory else 0)
        assert pending.sees_cards(1, "known", of=0) == ({"KS"} if memory else set())


def test_sp37_uniform_random_play_is_degenerate() -> None:
    free = per_hand("", "random", 4000)
    assert 0.85 < free["false_claims"] < 0.95, "with the defaults 9 hands in 10 end in a false claim"
    for claims in ("true_only", "auto"):
        assert 0.96 < per_hand(f"claims={claims}", "random", 4000)["closes"] < 0.995, "98 % are closed"
    patient = per_hand("", "cautious", 4000)
    assert patient["false_claims"] == 0 and patient["closes"] < 0.5, "the policy to compare with"


def test_sp38_small_packs() -> None:
    table = dealt("suits=2,ranks=4,hand=3", "QD KD TD QH KH TH AD AH", dealer=1)
    assert (table.hand(0), table.hand(1)) == ({"QD", "KD", "TD"}, {"QH", "KH", "TH"})
    assert (table.up(), table.trump(), table.state["talon_left"]) == ("AD", "D", 2)
    assert table.play("exchange").hand(0) == {"AD", "KD", "TD"} and table.up() == "QD", "the lowest rank takes it"
    drawn = table.play("TD", "QH", "draw")
    assert drawn.hand(0) == {"KD", "AD", "AH"} and drawn.hand(1) == {"KH", "TH", "QD"} and drawn.up() == ""
    early = dealt("suits=2,ranks=4,hand=3,early_marriage=pending", "QD KD TD QH KH TH AD AH", dealer=1)
    assert early.play("pair D", "exchange").legal() == {"KD", "close"}, "the queen is gone"
    text = early.game.notation.position_text(early.game.rules, early.states)
    assert early.game.notation.parse_position(text)[1].tobytes() == early.states.tobytes()
    pack, forehand = PACK24[:18], {2: "01", 3: "012", 4: "0123", 5: "01278", 6: "012678", 7: "0123", 8: "0123"}
    for hand, places in forehand.items():  # 18 cards: dealt up to four at a time, five as in Schnapsen
        shape = dealt(f"suits=3,hand={hand}", " ".join(pack), dealer=1)
        turned = 6 if hand == 5 else 2 * hand
        late = {pack[8 + k] for k in range(hand - 4)} if hand > 6 else set()
        assert shape.hand(0) == {pack[int(place)] for place in places} | late
        assert (shape.up(), shape.state["talon_left"]) == (pack[turned], 18 - 2 * hand)
    for goal, points, ends in (
        (33, "33,16", ("claim", [2, 0])),
        (33, "33,17", ("claim", [1, 0])),
        (33, "32,17", ("false_claim", [0, 2])),
        (66, "65,33", ("false_claim", [0, 2])),
        (66, "66,33", ("claim", [1, 0])),
    ):
        text = f"up_first=AD tricks=1,1 points={points} hands=KD,TD;QH,KH"
        claim = scene(f"suits=2,ranks=4,hand=3,goal={goal}", text).play("claim")
        assert (claim.reason, claim.paid) == ends
    for wrong, message in (
        ("suits=1", "option suits=1: must be 2 to 4"),
        ("suits=3,ranks=5,hand=4", "option ranks=5: must be even with suits=3: both players draw as many cards (SP38)"),
        ("suits=2,ranks=4", "option hand=6: must be 2 to 3 of 8 cards, with a talon of two (SP38)"),
        ("suits=2,ranks=3,hand=3", "option hand=3: must be 2 to 2 of 6 cards, with a talon of two (SP38)"),
        ("preset=four_hand,ranks=5", "option ranks=5: must be 6 in preset four_hand (SP38)"),
        ("preset=four_hand,american=true,hand=6", "option hand=6: must be 8 in preset four_hand (SP38)"),
        ("preset=1001,suits=3", "option suits=3: must be 4 in preset 1001 (SP38)"),
        ("goal=0", "option goal=0: must be 1 to 300"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            make(wrong)


def test_every_precision_has_a_test() -> None:
    names = {*globals(), *vars(test_sixty_six_rules_sp)}
    numbers = {int(match[1]) for name in names if (match := re.match(r"test_sp(\d\d)_", name))}
    assert numbers == set(range(1, 39))
