"""The precisions ZP18 to ZP35 (play, duties, settlement, sessions, options), one test each."""

from __future__ import annotations

import random

import pytest

from cardsim.bits import bit
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.zwicken.settling import session_winners
from tests.games.zwicken_scenes import (
    BELLI_HAND,
    MARCH,
    MARCH_PLAY,
    SHARED,
    SHARED_PLAY,
    check_order_of_trumps,
    dealt,
    make,
    shuffled,
    tricks,
)

TWO, THREE = "players=2", "players=3"
TOP = "preset=bavarian,wenzel_rank=top"


def legal(rules: str, hand: str, play: str) -> set[str]:
    """What seat 2 may play to a trick of which two cards lie there; hearts are trumps."""
    first, second = play.split()
    return tricks(f"{THREE},{rules}", f"{first},8D,9D;{second},TD,KD;{hand}", play).legal()


def test_zp18_must_head_beats_what_wins_now() -> None:
    rules = "must_head=true"
    assert legal(rules, "8S,KS,QH", "9S TS") == {"KS"}
    assert legal(rules, "7S,8S,QH", "9S TS") == {"7S", "8S"}, "if there is one"
    assert legal(rules, "7S,QS,AS", "9S KS") == {"AS"}
    assert legal(rules, "8S,KS,QH", "9S 9H") == {"8S", "KS"}, "in a trick already trumped any card of the suit"
    assert legal(rules, "7H,JH,8C", "9S 9H") == {"JH"}, "overtrump"
    assert legal(rules, "7H,JH,8C", "9S QH") == {"7H", "JH"}
    assert legal(rules, "7H,7D,8C", "9H QH") == {"7D"}, "the Belli beats the Queen"
    assert legal("must_head=true,must_trump=false", "7H,JH,8C", "9S TS") == {"7H", "JH", "8C"}, "free to discard"
    assert legal("must_head=true,must_trump=false", "8S,KS,8C", "9S TS") == {"KS"}


def test_zp19_options_of_play_are_masks() -> None:
    leads = tricks(f"{TWO},winner_leads_trump=true", "AS,KH,9S;8S,8C,9C", "AS 8S")
    heads = tricks(f"{TWO},must_head=true", "9S,8D,9D;8S,KS,9H", "9S")
    trumps = tricks(f"{TWO},must_trump=true", "9S,8D,9D;9H,8C,9C", "9S")
    for table, refused in ((leads, "9S"), (heads, "8S"), (trumps, "8C")):
        with pytest.raises(ValueError, match="illegal"):
            table.play(refused)
    plain = tricks(f"{TWO},winner_leads_trump=true", "AS,KD,9S;8S,8C,9C", "AS 8S")
    assert plain.legal() == {"KD", "9S"}, "who has no trump leads what he likes"
    assert plain.after("KD 8C").player == 0, "and takes the trick"
    belli = tricks(f"{TWO},winner_leads_trump=true", "AS,7D,9S;8S,8C,9C", "AS 8S")
    assert belli.legal() == {"7D"}


def test_zp20_the_ace_is_due_once_the_belli_whenever_it_is_led() -> None:
    table = tricks(TWO, "AH,9S,9C;7D,KH,8S", "9S 8S AH")
    late = table.after("KH 9C 7D")
    assert late.column("duty_betes") == [1, 1]
    assert table.after("7D 9C KH").column("duty_betes") == [1, 0]
    twice = tricks(TWO, "AH,9S,9C;8S,8C,8D", "9S 8S 9C 8C AH 8D")
    assert twice.column("duty_betes") == [1, 0], "two leads without it are one fault"


def test_zp21_ace_duty_play_at_the_first_turn_where_it_is_legal() -> None:
    rules = f"{TWO},ace_duty=play"
    twice = tricks(rules, "JH,9S,9C;AH,KH,QH", "JH KH QH 9S AH 9C")
    assert twice.column("duty_betes") == [0, 1], "one bete, once"
    assert tricks(rules, "JH,9S,9C;AH,KH,QH", "JH AH QH 9S KH 9C").column("duty_betes") == [0, 0]
    later = tricks(rules, "JS,TH,9C;AH,8S,8C", "JS 8S TH AH 8C 9C")
    assert later.column("duty_betes") == [0, 0], "bound to follow, then played at once"
    assert tricks(rules, "AH,9S,9C;8S,8C,8D", "9S 8S 9C 8C AH 8D").column("duty_betes") == [1, 0]


def test_zp22_the_belli_binds_only_where_it_is_legal() -> None:
    hands = "AH,9S,9C;7D,JC,8C"
    table = tricks(f"{TOP},{TWO}", hands, "AH")
    assert table.legal() == {"7D", "JC"}
    assert table.play("JC 8C 9C 9S 7D").column("duty_betes") == [0, 1], "overtaking the Ace is no excuse"
    heads = tricks(f"{TOP},{TWO},must_head=true", hands, "AH")
    assert heads.legal() == {"JC"}
    assert heads.play("JC 8C 9C 9S 7D").column("duty_betes") == [0, 0]


def test_zp23_enforce_masks_all_but_the_ace_or_the_belli() -> None:
    rules = f"{TWO},duties=enforce"
    assert tricks(rules, BELLI_HAND).legal() == {"AH"}
    assert tricks(rules, BELLI_HAND, "AH").legal() == {"7D"}
    assert tricks(rules, "QH,9S,9C;7D,KH,8C", "QH").legal() == {"7D", "KH"}, "only under the led Ace"
    for duty in ("loss_pays", "off"):
        assert tricks(f"{rules},belli_duty={duty}", BELLI_HAND, "AH").legal() == {"7D", "KH"}
    assert tricks(rules, "QH,9S,9C;AH,KH,8C", "QH").legal() == {"AH", "KH"}
    play = f"{rules},ace_duty=play"
    assert tricks(play, "QH,9S,9C;AH,KH,8C", "QH").legal() == {"AH"}
    assert tricks(play, "9S,8D,9C;AH,KH,8C", "9S").legal() == {"AH"}
    assert tricks(play, "9S,8D,9C;AH,KS,8C", "9S").legal() == {"KS"}, "not where it is illegal"


@pytest.mark.parametrize(
    ("hands", "play"),
    [
        ("AH,9S,9C;7D,KH,8C;8D,9D,TD", "AH 7D 8D 9S KH 9D 8C TD 9C"),  # with a choice, under the led Ace
        ("QH,9S,9C;7D,8S,8C;AH,8D,9D", "QH 7D AH 8D 9S 8S 9D 9C 8C"),  # no choice, the Ace follows
        ("9S,8S,9C;7D,8D,8C;AH,TD,9D", "9S 7D AH 9D 8S 8D TD 9C 8C"),  # a plain lead, trumped twice
    ],
)
def test_zp24_the_loss_of_the_belli_to_the_ace_pays(hands: str, play: str) -> None:
    table = tricks(f"{THREE},belli_duty=loss_pays", hands, play)
    assert table.column("duty_betes") == [0, 1, 0]
    assert table.column("betes")[1] == 3 * (1 + table.column("no_trick_betes")[1])


def test_zp24_what_is_no_loss_to_the_ace() -> None:
    kept = tricks(f"{THREE},belli_duty=loss_pays", "AH,9S,9C;7D,KH,8C;8D,9D,TD", "AH KH 8D 9S 7D 9D 8C TD 9C")
    assert kept.column("duty_betes") == [0, 0, 0], "withholding is free"
    rules = f"{TOP},{THREE},belli_duty=loss_pays"
    wenzel = tricks(rules, "AH,9S,9C;7D,KH,8C;JC,9D,TD", "AH 7D JC 9D 9S KH 8C TD 9C")
    assert wenzel.column("duty_betes") == [0, 0, 0], "the trick is not the Ace's"


@pytest.mark.parametrize("suit", "DS")
@pytest.mark.parametrize(
    ("rules", "order"),
    [
        ("wenzel_cards=unter,wenzel_rank=top", "JC JS JH JD A 7D K Q T 9 8 7 6"),
        ("wenzel_cards=ober_unter,wenzel_rank=below_belli", "A 7D QC QS QH QD JC JS JH JD K T 9 8 7 6"),
        ("wenzel_cards=ober_unter,wenzel_rank=top", "QC QS QH QD JC JS JH JD A 7D K T 9 8 7 6"),
    ],
)
def test_zp25_place_and_kind_of_the_wenzels(suit: str, rules: str, order: str) -> None:
    cards = list(dict.fromkeys(word if len(word) == 2 else word + suit for word in order.split()))
    check_order_of_trumps(f"preset=bavarian,{rules}", "9" + suit, cards)


def test_zp25_duties_stay_with_ace_and_belli() -> None:
    assert dealt(f"{TOP},{TWO}", "JC,JS,8S;AH,9S,9C").legal() == {"play", "pass"}
    table = tricks(f"{TOP},{TWO}", "AH,JC,9S;7D,KH,8C")
    assert table.after("JC").row("faults")[0] > 0, "the Ace must be led, not the highest trump"
    assert table.after("AH KH").row("faults")[1] > 0


def test_zp26_the_pot_is_shared_first() -> None:
    table = tricks(f"{THREE},start_pot=6", SHARED, SHARED_PLAY)
    assert (table.gained[:2], table.pot) == ([3, 6], 3), "thirds of 9; the bete is in the next pot"
    odd = tricks(f"{THREE},stake=4,start_pot=4", SHARED, SHARED_PLAY)
    assert (odd.gained, odd.pot) == ([2, 4, -4 - 4], 2 + 4), "a third of 8 is 2, and 2 are left"
    march = tricks(f"{THREE},stake=4,start_pot=4", MARCH, MARCH_PLAY)
    assert (march.gained, march.pot) == ([8, -4, -4 - 4], 8), "the whole pot"


def test_zp27_who_commits_a_fault_pays_for_it() -> None:
    table = tricks(THREE, MARCH, "KH 8C TS AH AS KC QH KS AC")
    assert (table.reason, table.gained, table.pot) == ("durchmarsch", [3 - 3, -3, -3 - 3], 9)
    assert table.column("duty_betes") == [1, 0, 0]


@pytest.mark.parametrize(("cap", "bete"), [("", 9), (",bete_cap=2", 6), (",bete_cap=3", 9), (",bete_cap=1", 3)])
def test_zp28_a_bete_of_the_pot_is_capped(cap: str, bete: int) -> None:
    table = tricks(f"{THREE},start_pot=6,bete=pot{cap}", SHARED, SHARED_PLAY)
    assert (table.gained, table.pot) == ([3, 6, -3 - bete], bete), "the pot before it is shared out"
    huge = tricks(f"{THREE},start_pot=29997,bete=pot,stake=3", SHARED, SHARED_PLAY)
    assert huge.gained[2] == -3 - 3000, "1000 stakes if nothing else is said"


@pytest.mark.parametrize(
    ("option", "gained", "pot"),
    [("extra_to_winner", [3 + 6, 0, -6, -3 - 6], 6), ("extra_to_pot", [3, 0, -6, -3 - 6], 12)],
)
def test_zp29_the_second_bete_of_a_durchmarsch(option: str, gained: list[int], pot: int) -> None:
    table = tricks(f"durchmarsch={option}", MARCH.replace(";", ";;", 1), MARCH_PLAY, stay="023")
    assert (table.gained, table.pot) == (gained, pot), "who passed pays nothing"


def test_zp30_a_reward_runs_from_the_first_ante() -> None:
    table = dealt("match=true", shown="7D", dealer=3)
    assert table.game.returns(table.states).tolist() == [0] * 4 and table.chips == [3, 3, 0, -9]
    table.deal(shown="AC").deal()
    assert table.game.returns(table.states).tolist() == [0] * 4
    table.announce("0")
    assert table.gained == [3 + 6, 3, -3, -9], "cut payments, also for who never acted"
    assert table.game.returns(table.states).tolist() == table.gained
    table.deal().announce("0")
    assert table.gained == [3, 0, 0, -3], "of this deal alone"
    assert table.game.returns(table.states).tolist() == [9 + 3, 3, -3, -9 - 3]


def test_zp31_duties_are_booked_at_the_settlement() -> None:
    guilty = tricks(TWO, BELLI_HAND, "AH KH")
    clean = tricks(TWO, BELLI_HAND.replace("7D", "QH"), "AH KH")
    assert [guilty.sees(1, "faults"), clean.sees(1, "faults")] == [[0, 1], [0, 0]]
    seen = [table.game.observe(table.states, 0).tobytes() for table in (guilty, clean)]
    assert seen[0] == seen[1] and (guilty.chips, guilty.pot) == ([0, -3], 3)
    guilty.play("9S 7D 8C 9C")
    assert guilty.chips == [2, -3 + 1 - 3]


def test_zp32_defaults() -> None:
    for preset, players in (("base", 4), ("styrian", 4), ("four_card", 4), ("dreier", 3), ("bavarian", 4)):
        game = make(f"preset={preset},match=true")
        assert (game.num_players, game.rules.record["deals_limit"]) == (players, players)
        table = dealt(f"preset={preset},match=true")
        for _ in range(players - 1):
            table.play_randomly(random.Random(1))
            assert table.game.current_player(table.states) == CHANCE
            table.deal()
        table.play_randomly(random.Random(1))
        assert table.game.current_player(table.states) == TERMINAL
    with pytest.raises(ValueError, match="players=2"):
        make("preset=dreier,players=2")
    first = [shuffled("cut_rule=off", number) for number in range(800)]
    assert all(table.pot == 3 and sum(table.chips) == -3 for table in first), "no chips, an empty pot"
    counts = [sum(table.dealer == seat for table in first) for seat in range(4)]
    assert all(abs(count - 200) < 50 for count in counts), "four standard deviations"
    assert {shuffled("first_dealer=2,cut_rule=off", number).dealer for number in range(20)} == {2}


def test_zp33_when_a_session_ends_and_who_wins() -> None:
    table = tricks(f"{THREE},match=true,start_chips=10,target_chips=12", SHARED, SHARED_PLAY)
    assert table.game.current_player(table.states) == TERMINAL
    assert (table.chips, int(session_winners(table.state))) == ([11, 12, 4], bit(1))
    short = tricks(f"{THREE},match=true,start_chips=10,target_chips=13", SHARED, SHARED_PLAY)
    assert short.game.current_player(short.states) == CHANCE, "the pot is not counted"
    limit = tricks(f"{THREE},match=true,target_chips=13,n_deals=1", SHARED, SHARED_PLAY)
    assert limit.game.current_player(limit.states) == TERMINAL, "whichever comes first"
    tie = dealt(f"{THREE},match=true,n_deals=1", dealer=2).announce("")
    assert (tie.chips, int(session_winners(tie.state))) == ([0, 0, -3], bit(0) | bit(1))
    cut = dealt(f"{THREE},match=true,target_chips=3", shown="7D", dealer=2)
    assert cut.chips[0] == 3 and cut.game.current_player(cut.states) == CHANCE, "after a completed deal only"
    for refused in (5, 10):
        with pytest.raises(ValueError, match=f"target_chips={refused}"):
            make(f"start_chips=10,target_chips={refused}")
    poor = dealt("match=true,start_chips=1").announce("")
    assert (poor.chips[3], poor.phase) == (-2, "deal"), "nobody is ever bankrupt"


def test_zp34_options_dropped_precedence_and_idle_options() -> None:
    for name in ("decision_order", "six_duty"):
        with pytest.raises(ValueError, match=name):
            make(f"{name}=true")
    assert [make(rules).rules["stake"] for rules in ("", "preset=four_card", "preset=four_card,stake=8")] == [3, 4, 8]
    idle = "wenzel_rank=top,wenzel_cards=ober_unter,dreier_no_pass=dealer,bete_cap=5"
    assert tricks(f"{THREE},{idle}", SHARED, SHARED_PLAY).gained == [1, 2, -6]
    assert dealt(f"{THREE},{idle}", "QH,JC,8S").announce("0").reason == "unopposed"


@pytest.mark.parametrize("rules", ["", "preset=four_card,stake=8", "preset=styrian,bete=pot", "belli_cut=pot_jump"])
def test_zp35_pots_of_whole_stakes_are_shared_without_rest(rules: str) -> None:
    for number in range(15):
        table = shuffled(f"{rules},match=true,n_deals=8".lstrip(","), number)
        stake, hand = table.game.rules["stake"], 0
        while True:
            pot, before = table.pot, sum(table.column("taken"))
            assert pot % int(str(stake)) == 0
            table.play_randomly(random.Random(number))
            if table.reason != "all_passed":
                assert sum(table.column("taken")) - before == pot
            if table.phase == "over":
                break
            hand += 1
            table.game.deal_next(66, number, hand, table.states)


def test_zp35_not_so_for_other_stakes() -> None:
    table = tricks(f"{THREE},stake=5", SHARED, SHARED_PLAY)
    assert (table.pot % 5, sum(table.column("taken"))) == (2, 3)
