"""Faults of play and scoring that public implementations have: F1 to F9, F16, F25 and F26, one test each.

F12 to F15 (capture sets, builds, the last capturer's pile, twin cards) belong to Zwicker alone; of F16 (most
cards tied) only its second half, the mirrored seats, applies here. The others are in
test_sixty_six_faults_state. Each test looks for the whole kind, not only for the example that was seen.
"""

from __future__ import annotations

import itertools
import random

import pytest

from cardsim.cards import Pack
from tests.games.sixty_six_scenes import (
    FORMS,
    FULL,
    LAST_CARD,
    RUN,
    dealt,
    make,
    positions,
    scene,
    shuffled,
)

CLOSED_END = "closer=0 close_tricks=0 close_points=0 up=KH tricks=2,3 hands=AH;9C"
CARDS = [rank + suit for suit in "DHSC" for rank in "9JQKTA"]
RANKS = "9JQKTA"


def test_f01_the_tie_at_65_and_every_other_split() -> None:
    for mine in range(110):  # before a last trick worth 11 and the ten
        text = LAST_CARD.replace("points=40,40", f"points={mine},{109 - mine}")
        table = scene("claims=auto" if max(mine + 11, 109 - mine) < 66 else "", text).play("AH", "9C").play_on()
        first, second = mine + 21, 109 - mine
        worth = 2 if min(first, second) < 33 else 1
        paid = [0, 0] if first == second else [worth, 0] if first > second else [0, worth]
        assert (table.points, table.paid) == ([first, second], paid)
        assert (table.reason == "tie") == (mine == 44)
    tie = LAST_CARD.replace("points=40,40", "points=44,65")
    for option, paid, carry in (("draw", [0, 0], 0), ("carry1", [0, 0], 1), ("last_trick", [1, 0], 0)):
        table = scene(f"tie={option}", tie).play("AH", "9C", "pass")
        assert (table.points, table.paid, table.state["carry"]) == ([65, 65], paid, carry)


@pytest.mark.parametrize("preset", ["base", "schnapsen", "three_hand", "1001", "deck32"])
def test_f02_the_turned_card_is_drawn_by_the_loser(preset: str) -> None:
    for number in range(10):
        table = shuffled(f"preset={preset},claims=true_only,closing=false", number)
        seats = [seat for seat in range(table.game.num_players) if table.hand(seat)]
        size, source = len(table.hand(seats[0])), random.Random(number)
        while table.state["talon_left"] > 0:
            up = table.up()
            table.play(source.choice(sorted(table.legal() - {"claim"})))
        assert table.talon() == [] and table.up() == ""
        assert [len(table.hand(seat)) for seat in seats] == [size, size]
        (loser,) = set(seats) - {table.player}
        assert up in table.hand(loser) or preset == "1001"


def test_f03_no_marriage_twice() -> None:
    table = scene("", FULL).play("pair S")
    assert table.legal() == {"QS", "KS", "exchange", "close", "claim"}
    with pytest.raises(ValueError, match="illegal"):
        table.play("pair S")
    assert table.play("exchange", "close").cards() == {"QS", "KS"}
    for rules in FORMS:
        for seen in positions(rules, 4):
            declared = {"DHSC"[suit] for suit in range(4) if seen.state["declared"] >> suit & 1}
            offered = {text[-1] for text in seen.legal() if text.startswith("pair")}
            assert not declared & offered
            assert not (offered and seen.state["lead_pair"] >= 0 and seen.player == seen.state["leader"])


def strict(led: str, hand: list[str], trump: str) -> set[str]:
    """Follow and beat; else follow; else trump; else anything (SQ25, two players)."""
    same = {card for card in hand if card[1] == led[1]}
    beating = {card for card in same if RANKS.index(card[0]) > RANKS.index(led[0])}
    return beating or same or {card for card in hand if card[1] == trump} or set(hand)


def test_f04_strict_play_is_more_than_following() -> None:
    rest = ["JD", "QD"]
    for hand, allowed in ((["9C", "AC", "AH"], {"AC"}), (["9D", "KD", "AH"], {"AH"})):
        text = f"hands=QC,{','.join(rest)};{','.join(hand)} closer=0 close_tricks=0 close_points=0"
        assert scene("", f"{text} up=KH tricks=3,1").play("QC").legal() == allowed
    source = random.Random(4)
    kinds = set()
    for _ in range(300):
        cards = source.sample(CARDS, 8)
        led, mine, hand, up = cards[0], cards[1:3], cards[3:7], cards[7]
        hands = f"hands={led},{','.join(mine)},{{}};{','.join(hand)}"
        fourth = next(card for card in CARDS if card not in cards)
        table = scene("", f"{hands.format(fourth)} up_first={up} tricks=4,4")
        expected = strict(led, hand, up[1])
        assert table.play(led).legal() == expected
        kinds.add((len(expected) == 4, led[1] == up[1], any(card[1] == led[1] for card in hand)))
    assert len(kinds) >= 5


def test_f05_no_trick_is_not_no_points() -> None:
    text = "hands=9D,TH,KH,AS,TS,AC;9H,JD,QD,KD,TD,QS up=JH tricks=4,0 points=66,0"
    assert scene("", text).play("claim").paid == [3, 0]
    table = scene("", text).play("9D", "9H", "draw", "JD", "KH", "draw")
    assert (table.points[1], table.tricks[1], table.player) == (0, 1, 0)
    assert table.play("claim").paid == [2, 0]
    closing = scene("", RUN.replace("tricks=2,2 points=60,25", "tricks=3,1 points=60,0"))
    assert closing.play("close").play_on().paid == [0, 2], "likewise for a failed close"
    end = LAST_CARD.replace("tricks=5,6 points=40,40", "tricks=10,1 points=60,0")
    assert scene("", end).play("AH", "9C", "pass").paid == [2, 0], "and when all is played out"


@pytest.mark.parametrize(("tricks", "points", "worth"), [("8,2", 20, 2), ("8,2", 40, 1), ("10,0", 0, 3)])
def test_f06_sixty_six_can_be_claimed_with_the_stock_empty(tricks: str, points: int, worth: int) -> None:
    text = f"up_first=KH tricks={tricks} points=70,{points} hands=9C,JC;AC,KC"
    for rules in ("", "claims=true_only", "claim_timing=any_turn"):
        table = scene(rules, text)
        assert "claim" in table.legal()
        assert table.play("claim").paid == [worth, 0]


def test_f07_a_failed_close_looks_at_the_right_side() -> None:
    for closer in (0, 1):
        for mine, theirs in itertools.product((0, 1, 2), repeat=2):
            if mine + theirs == 0:
                continue  # the first lead
            tricks = f"{mine},{theirs}" if closer == 0 else f"{theirs},{mine}"
            hands = RUN.split(" up=")[0].removeprefix("hands=").split(";")
            seated = ";".join(hands if closer == 0 else hands[::-1])
            table = scene("", f"hands={seated} up=KH tricks={tricks} player={closer}").play("close").play_on()
            worth = 3 if theirs == 0 else 2
            assert table.reason == "failed_close"
            assert table.paid == ([0, worth] if closer == 0 else [worth, 0])


@pytest.mark.parametrize(("rules", "swap"), [("", "9"), ("preset=schnapsen", "J"), ("preset=deck32", "7")])
def test_f08_the_exchange_completes_a_marriage(rules: str, swap: str) -> None:
    for held, up in (("Q", "K"), ("K", "Q")):
        others = "AC,TC,AD" if "schnapsen" in rules else "AC,TC,AD,TD"
        theirs = "KD,QD,KH,TH,AH" if "schnapsen" in rules else "KD,QD,KH,TH,AH,JC"
        text = f"hands={swap}S,{held}S,{others};{theirs} up={up}S tricks=1,1 points=20,20"
        table = scene(rules, text)
        assert "pair S" not in table.legal()
        assert "pair S" in table.play("exchange").legal()
        assert table.play("pair S").points == [60, 20]


def test_f09_the_ten_is_only_for_a_deal_played_out() -> None:
    ninth = "up_first=KH tricks=4,4 points=60,40 hands=AH,9S,JS,QS;9C,JC,QC,KC"
    table = scene("claims=auto", ninth).play("AH", "9C")
    assert (table.reason, table.points) == ("claim", [71, 40])
    assert scene("", LAST_CARD).play("AH", "9C", "pass").points == [61, 40]
    for closer in (0, 1):
        closed = CLOSED_END.replace("closer=0", f"closer={closer}") + " points=40,40"
        assert scene("", closed).play("AH", "9C", "pass").points == [51, 40]
    for rules in ("", "claims=true_only", "claims=auto", "preset=deck32,claims=auto"):
        for number in range(60):
            table = shuffled(rules, number).play_randomly(random.Random(number))
            ten = 10 if table.reason in ("exhausted", "tie") else 0
            melds = sum(
                40 if "DHSC"[suit] == table.trump() else 20 for suit in range(4) if table.state["declared"] >> suit & 1
            )
            history = [table.game.pack.text(card) for card in table.state["history"][: table.state["played"]]]
            over = history[: len(history) // 2 * 2]
            cards = sum(dict(zip("789JQKTA", (0, 0, 0, 2, 3, 4, 10, 11), strict=True))[card[0]] for card in over)
            assert sum(table.points) == cards + melds + ten


@pytest.mark.parametrize("rules", ["", "preset=schnapsen,announce=forced", "preset=deck32", "preset=1001"])
def test_f16_swapping_the_seats_mirrors_every_deal(rules: str) -> None:
    for number in range(25):
        source = random.Random(number)
        deck = [make(rules).pack.text(card) for card in make(rules).deck()]
        source.shuffle(deck)
        first, second = dealt(rules, " ".join(deck), 0), dealt(rules, " ".join(deck), 1)
        while first.player >= 0:
            assert first.legal() == second.legal() and first.player == 1 - second.player
            action = source.choice(sorted(first.legal()))
            first.play(action)
            second.play(action)
        for a, b in ((first.points, second.points), (first.tricks, second.tricks), (first.paid, second.paid)):
            assert a == b[::-1]
        returns = [table.game.returns(table.states).tolist() for table in (first, second)]
        assert returns[0] == returns[1][::-1] and first.reason == second.reason


@pytest.mark.parametrize("preset", ["base", "schnapsen", "deck32", "four_hand"])
def test_f25_the_order_of_trumps_is_that_of_the_cards(preset: str) -> None:
    pack = Pack("789JQKTA")
    table = scene("", "hands=9S,9D,JD,QD,KD,TD;AS,9H,JH,QH,KH,TH up=KS").play("9S", "AS")
    assert table.player == 1
    seen = set()
    for number in range(120):
        table = shuffled(f"preset={preset},claims=true_only", number)
        source = random.Random(number)
        while table.player >= 0:
            start = table.state["trick_start"]
            trump, leader = table.trump(), table.state["leader"]
            table.play_randomly(source, 1)
            if table.state["trick_start"] > start:
                cards = [pack.text(card) for card in table.state["history"][start : table.state["played"]]]
                movers = table.state["movers"][start : table.state["played"]].tolist()
                ranked = [(c[1] == trump, c[1] == cards[0][1], "789JQKTA".index(c[0])) for c in cards]
                assert movers[0] == leader and table.state["leader"] == movers[ranked.index(max(ranked))]
                trumps = [card[0] for card in cards if card[1] == trump]
                seen |= {tuple(trumps)} if len(trumps) == 2 else set()
    assert len(seen) >= 20, "as many ordered pairs as Schnapsen has"


def test_f26_king_and_queen_of_a_marriage_are_both_offered() -> None:
    text = "hands=QH,KH,9S,JS,QS,AC;JH,AD,TD,JC,QC,KC up=AH tricks=2,1 points=20,30"
    table = scene("claims=true_only", text).play("pair H")
    assert table.points == [60, 30] and {"QH", "KH"} == table.cards()
    queen, king = table.after("QH", "JH", "draw"), table.after("KH", "JH", "draw")
    assert (queen.points[0], king.points[0]) == (65, 66)
    assert "claim" not in queen.legal() and "claim" in king.legal()
    snap = "preset=schnapsen,announce=forced", "hands=JH,AH,QS,KS,AC;TD,AD,TH,QC,KC up=KH"
    assert {"QS", "KS"} <= scene(*snap).legal()
