"""The rules that the source text states, S1 to S21, one test each, on small hands."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from cardsim.contract import CHANCE, TERMINAL
from tests.games.sixty_six_scenes import FULL, LAST_CARD, LEAD, RUN, Scene, dealt, make, scene, shuffled

BASE_PACK = [rank + suit for suit in "DHSC" for rank in "9JQKTA"]
IN_ORDER = " ".join(BASE_PACK)


def match_to_end(rules: str, number: int) -> tuple[list[int], list[list[int]], Scene]:
    """Dealers and scores of a match played at random."""
    table = shuffled(rules, number)
    dealers, scores = [], []
    for hand in itertools.count(1):
        dealers.append(int(table.state["dealer"]))
        table.play_randomly(random.Random(number * 1000 + hand))
        scores.append(table.scores)
        if table.game.current_player(table.states) == TERMINAL:
            return dealers, scores, table
        assert table.game.current_player(table.states) == CHANCE
        table.game.deal_next(66, number, hand, table.states)
    raise AssertionError


def test_s01_two_players_deal_in_turn_to_seven() -> None:
    assert make("").num_players == 2 and make("").rules["target"] == 7
    for number in range(20):
        dealers, scores, table = match_to_end("match=true", number)
        assert dealers == [(dealers[0] + k) % 2 for k in range(len(dealers))]
        assert all(max(before) < 7 for before in scores[:-1]) and max(scores[-1]) >= 7
        assert table.game.returns(table.states).tolist() == ([1, -1] if scores[-1][0] >= 7 else [-1, 1])


@pytest.mark.parametrize(("rules", "ranks"), [("", "9JQKTA"), ("preset=deck32", "789JQKTA")])
def test_s02_the_pack(rules: str, ranks: str) -> None:
    table = shuffled(rules, 1)
    places = [table.hand(0), table.hand(1), set(table.talon()), {table.up()}]
    assert set().union(*places) == {rank + suit for rank in ranks for suit in "DHSC"}
    assert sum(map(len, places)) == 4 * len(ranks)


def test_s03_ranks_and_points() -> None:
    values = dict(zip("9JQKTA", (0, 2, 3, 4, 10, 11), strict=True))
    assert 4 * sum(values.values()) == 120
    for low, high in itertools.combinations("9JQKTA", 2):
        for suit in "HC":  # trumps and a plain suit
            for first, second in ((low, high), (high, low)):
                rest = [card for card in BASE_PACK if card[1] in "DS" and card != "KS"]
                hands = f"{first}{suit},{','.join(rest[:5])};{second}{suit},{','.join(rest[5:10])}"
                up = next(card + "H" for card in "9JQKTA" if card not in (low, high))
                table = scene("", f"hands={hands} up={up}").play(first + suit, second + suit)
                winner = 0 if first == high else 1
                assert table.player == winner
                assert table.points[winner] == values[first] + values[second]


def test_s04_the_first_dealer_is_cut_for() -> None:
    dealers = [int(shuffled("", number).state["dealer"]) for number in range(400)]
    assert 160 < sum(dealers) < 240  # four standard deviations
    for seat in (0, 1):
        rules = f"first_dealer={seat}"
        assert {int(shuffled(rules, number).state["dealer"]) for number in range(20)} == {seat}


def test_s05_six_each_in_threes_and_card_thirteen_turned() -> None:
    table = dealt("", IN_ORDER, dealer=1)
    assert table.hand(0) == {"9D", "JD", "QD", "9H", "JH", "QH"}  # cards 1-3 and 7-9
    assert table.hand(1) == {"KD", "TD", "AD", "KH", "TH", "AH"}
    assert (table.up(), table.trump()) == (BASE_PACK[12], BASE_PACK[12][1]) == ("9S", "S")
    assert table.talon() == BASE_PACK[13:] and table.state["talon_left"] == 12


def test_s06_the_dealers_opponent_leads_first() -> None:
    for dealer in (0, 1):
        table = dealt("", IN_ORDER, dealer)
        assert (table.player, table.phase) == (1 - dealer, "lead")
        assert "9D" in table.hand(1 - dealer), "and gets the first packet"


def test_s07_no_duty_while_the_talon_is_open() -> None:
    table = scene("", LEAD)
    for lead in ("9H", "QS", "AC"):
        assert table.after(lead).legal() == table.hand(1)


@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [
        ("KS", "AS", 1),
        ("KS", "9S", 0),
        ("KS", "AC", 0),  # another plain suit never wins
        ("AS", "9H", 1),  # any trump beats any plain card
        ("9H", "AS", 0),
        ("JH", "QH", 1),
        ("QH", "JH", 0),
    ],
)
def test_s08_who_takes_a_trick(led: str, answer: str, winner: int) -> None:
    rest = [card for card in BASE_PACK if card[1] == "D" or card in ("JS", "QS", "TS", "JC")]
    hands = f"{led},{','.join(rest[:5])};{answer},{','.join(rest[5:10])}"
    assert scene("close_timing=after_draw", f"hands={hands} up=KH").play(led, answer).player == winner


def test_s09_winner_then_loser_draw_and_the_turned_card_comes_last() -> None:
    table = scene("close_timing=after_draw", LEAD)
    talon = table.talon()
    for trick in range(6):
        leader = table.player
        table.play(min(table.cards()))
        table.play(min(table.cards()))
        drawn = [*talon, "KH"][2 * trick : 2 * trick + 2]
        assert drawn[0] in table.hand(table.player) and drawn[1] in table.hand(1 - table.player)
        assert len(table.hand(leader)) == 6 and table.state["talon_left"] == 10 - 2 * trick
    assert table.up() == "" and table.talon() == []


def test_s10_the_nine_of_trumps_is_swapped_on_lead() -> None:
    table = scene("", LEAD)
    assert "exchange" in table.legal()
    table.play("exchange")
    assert (table.player, table.phase, table.up()) == (0, "lead", "9H")
    assert "KH" in table.hand(0) and "9H" not in table.hand(0)
    assert "exchange" not in table.legal()
    holder = scene("", LEAD.replace("9H", "QH").replace("TD", "9H"))
    assert "exchange" not in holder.legal(), "the opponent holds it"
    assert "exchange" not in holder.play("AC").legal(), "a follower may not"
    two = "hands=9H,AH,QS,KS,JC,AC;TD,AD,TH,JH,QC,KC up=KH tricks=3,2"
    assert "exchange" in scene("", two).legal(), "one other card is in the talon"
    assert "exchange" not in scene("", "hands=9H,AH;AC,KC up_first=KH tricks=5,5").legal()


def test_s11_a_marriage_counts_twenty_or_forty_and_needs_a_trick() -> None:
    assert "pair S" not in scene("", LEAD).legal(), "before the first trick"
    table = scene("", FULL)
    assert {"pair S"} == {text for text in table.legal() if text.startswith("pair")}
    assert table.play("pair S").points == [35, 15], "added at once"
    assert table.cards() == {"QS", "KS"}, "one of them is led"
    trumps = scene("", FULL.replace("QS,KS", "QH,KH").replace("up=KH", "up=JH").replace(",JH,", ",JS,"))
    assert trumps.play("pair H").points == [55, 15]
    assert "pair C" not in scene("", FULL).play("AC").legal(), "only on lead"
    assert "pair S" not in scene("", FULL.replace("KS", "JS")).legal(), "a queen alone is no marriage"


def test_s12_closing_stops_the_draw_and_makes_play_strict() -> None:
    table = scene("", FULL).play("close")
    assert (table.player, table.phase, table.state["closer"]) == (0, "lead", 0)
    assert table.after("JC").legal() == {"QC", "KC"}, "follow and beat"
    assert table.after("QS").legal() == {"TH", "JH"}, "trump when void"
    assert table.after("AH").legal() == {"TH", "JH"}, "follow even if unable to beat"
    left = table.talon()
    table.play("JC", "QC")
    assert (table.player, table.phase, len(table.hand(0)), table.talon()) == (1, "lead", 5, left)
    before = scene("", FULL).play("JC", "QC")
    assert before.legal() == {"draw", "close"}
    assert len(before.play("close").hand(1)) == 5, "before drawing"


def test_s13_an_exhausted_talon_makes_play_strict() -> None:
    table = scene("", "hands=JC,QS,AH;QC,KC,TH up_first=KH tricks=5,4")
    assert table.after("JC").legal() == {"QC", "KC"}
    assert table.after("QS").legal() == {"TH"}
    assert table.after("AH").legal() == {"TH"}


def test_s14_ten_points_for_the_last_trick() -> None:
    table = scene("", LAST_CARD).play("AH", "9C")
    assert table.points == [51, 40]
    assert table.play("pass").points == [61, 40]
    assert (table.reason, table.paid) == ("exhausted", [1, 0])
    closed_text = LAST_CARD.replace("up_first=KH", "up=KH closer=1 close_tricks=0 close_points=0")
    closed = scene("", closed_text.replace("5,6", "3,2"))
    assert closed.play("AH", "9C", "pass").points == [51, 40]


def test_s15_sixty_six_is_claimed_and_verified() -> None:
    for points, ends in ((66, ("claim", [2, 0])), (65, ("false_claim", [0, 2]))):
        table = scene("", FULL.replace("points=15,15", f"points={points},20")).play("claim")
        assert (table.reason, table.paid) == ends
        assert table.legal() == set() and table.phase == "over"
    assert "claim" not in scene("", FULL.replace("tricks=1,1", "tricks=0,2").replace("15,15", "0,70")).legal()


@pytest.mark.parametrize(
    ("tricks", "points", "worth"),
    [("2,2", 33, 1), ("2,2", 60, 1), ("2,2", 32, 2), ("2,2", 1, 2), ("4,0", 0, 3)],
)
def test_s16_a_true_claim_pays_by_the_opponents_standing(tricks: str, points: int, worth: int) -> None:
    text = FULL.replace("tricks=1,1 points=15,15", f"tricks={tricks} points=70,{points}")
    assert scene("", text).play("claim").paid == [worth, 0]


def test_s17_a_false_claim_pays_the_opponent_two() -> None:
    for tricks, points in (("1,1", "65,11"), ("2,0", "20,0"), ("1,3", "0,60")):
        table = scene("", FULL.replace("tricks=1,1 points=15,15", f"tricks={tricks} points={points}"))
        assert table.play("claim").paid == [0, 2]
    assert "claim" not in scene("", LEAD).legal(), "so that a claimer without a trick does not exist"


def test_s18_a_successful_close_looks_at_the_moment_of_closing() -> None:
    table = scene("", RUN).play("close", "9C", "AC", "9D", "AH", "claim")
    assert (table.points, table.reason, table.paid) == ([71, 36], "claim", [2, 0])
    early = scene("", RUN.replace("tricks=2,2 points=60,25", "tricks=4,0 points=60,0"))
    assert early.play("close", "9C", "AC", "9D", "AH", "claim").paid == [3, 0]


@pytest.mark.parametrize(("tricks", "points", "worth"), [("2,2", "10,20", 2), ("4,0", "30,0", 3)])
def test_s19_a_failed_close_pays_two_or_three(tricks: str, points: str, worth: int) -> None:
    table = scene("", RUN.replace("tricks=2,2 points=60,25", f"tricks={tricks} points={points}"))
    table.play("close").play_on()
    assert (table.reason, table.paid) == ("failed_close", [0, worth])


def test_s20_seven_wins_the_match() -> None:
    for scores, over in (("6,6", True), ("5,0", False), ("4,6", False)):
        table = scene("match=true", FULL.replace("points=15,15", "points=66,33") + f" scores={scores}")
        assert table.play("claim").paid == [1, 0]
        assert table.phase == ("over" if over else "deal")
        assert table.game.returns(table.states).tolist() == ([1, -1] if over else [0, 0])


def test_s21_the_variants() -> None:
    shapes = {
        # preset: players, pack, hands, talon with the turned card, card that is swapped
        "base": (2, 24, [6, 6], 12, "9"),
        "schnapsen": (2, 20, [5, 5], 10, "J"),
        "three_hand": (3, 24, [0, 6, 6], 12, "9"),
        "four_hand": (4, 24, [6, 6, 6, 6], 0, ""),
        "1001": (2, 24, [8, 8], 8, ""),
        "deck32": (2, 32, [6, 6], 20, "7"),
    }
    for preset, (players, cards, hands, talon, swap) in shapes.items():
        table = shuffled(f"preset={preset},first_dealer=0", 3)
        sizes = [len(table.hand(seat)) for seat in range(players)]
        assert (len(table.game.deck()), sizes, table.state["talon_left"]) == (cards, hands, talon)
        assert len(table.talon()) == talon - (swap != "")
        assert (table.up() != "") == (swap != "")
        if not swap:
            continue
        offered = 0
        for number in range(200):
            table = shuffled(f"preset={preset},first_dealer=0", number)
            holds = swap + table.trump() in table.hand(table.player)
            assert ("exchange" in table.legal()) == holds
            offered += holds
        assert offered > 20
    strict = scene("preset=strict", FULL)
    assert strict.play("pair S").cards() == {"QS", "KS"}


def test_every_stated_rule_has_a_test() -> None:
    numbers = {int(match[1]) for name in globals() if (match := re.match(r"test_s(\d\d)_", name))}
    assert numbers == set(range(1, 22))
