"""The questions that the source texts leave open, ZQ1 to ZQ11 and ZQ20 to ZQ31: cut, deal, swap, chips, sessions.

ZQ12 to ZQ19, on duties and tricks, are in test_zwicken_rules_zq_play.
"""

from __future__ import annotations

import random
import re

import pytest

from cardsim.contract import CHANCE, TERMINAL
from tests.games import test_zwicken_rules_zq_play
from tests.games.scenes import stream
from tests.games.zwicken_scenes import (
    SHARED,
    SHARED_PLAY,
    Scene,
    dealt,
    make,
    shuffled,
    tricks,
    winner,
)

THREE = "players=3"
PLAIN = "8S,9S,TS;8C,9C,TC"
"""Two hands without trumps or duties."""
FRESH = "JS,QS,KS,JC,QC,KC"
"""The talon's top cards."""


@pytest.mark.parametrize(
    ("option", "chips", "pot"),
    [
        ("pay_between", [3, 3, 0, -3 - 6], 3),
        ("pay_all_others", [3, 3, 3, -3 - 9], 3),
        ("pot_jump", [-3, -3, -3, -3], 12),
        ("none", [0, 0, 0, -3], 3),
    ],
)
def test_zq01_who_is_paid_for_a_cut_belli(option: str, chips: list[int], pot: int) -> None:
    table = dealt(f"belli_cut={option}", shown="7D", dealer=3)
    assert (table.chips, table.pot, table.dealer) == (chips, pot, 2)
    two = dealt(f"players=2,belli_cut={option}", shown="7D", dealer=1)
    paid = {"pay_between": [0, -3], "pay_all_others": [3, -6], "pot_jump": [-3, -3], "none": [0, -3]}
    assert two.chips == paid[option]


@pytest.mark.parametrize(("option", "pot", "old_dealer"), [("stays", 3, -3 - 6), ("returned", 0, -6)])
def test_zq02_the_ante_when_the_belli_is_cut(option: str, pot: int, old_dealer: int) -> None:
    table = dealt(f"belli_cut_ante={option}", shown="7D", dealer=3)
    assert (table.pot, table.chips) == (pot, [3, 3, 0, old_dealer])
    table.deal()
    assert (table.pot, table.chips) == (pot + 3, [3, 3, -3, old_dealer]), "the new dealer antes as well"


def test_zq03_an_ace_or_seven_is_cut() -> None:
    same = dealt("cut_rule=redeal", shown="AS", dealer=3)
    assert (same.dealer, same.chips, same.pot) == (3, [0, 0, 0, 0], 0)
    hop = dealt("cut_rule=hop", shown="AS", dealer=3)
    assert (hop.dealer, hop.chips, hop.pot) == (0, [0, 0, 0, -3], 3)
    assert (hop.deal().chips, hop.pot, hop.player) == ([-3, 0, 0, -3], 6, 1)
    for shown in ("AS", "7H", "7D"):
        off = dealt("cut_rule=off", shown=shown, dealer=3)
        assert (off.phase, off.dealer, off.chips) == ("announce", 3, [0, 0, 0, -3])


def test_zq04_void_cuts_repeat() -> None:
    table = dealt(shown="7D", dealer=3)
    for shown in ("AS", "7H", "7D", "AC"):
        assert table.game.current_player(table.states) == CHANCE
        table.deal(shown=shown)
    # Seat 2 pays seats 3 and 0; seat 1, at its right, cuts and deals next.
    assert (table.chips, table.pot, table.dealer) == ([3 + 3, 3, -3 - 6, -9 + 3], 6, 1)
    assert (table.deal().phase, table.state["attempts"], table.state["deals"]) == ("announce", 6, 1)


@pytest.mark.parametrize("preset", ["base", "styrian", "four_card", "bavarian"])
def test_zq05_only_aces_sevens_and_the_belli_matter(preset: str) -> None:
    game = make(f"preset={preset}")
    for name in map(game.pack.text, game.deck()):
        table = dealt(f"preset={preset}", up="8H" if name != "8H" else "9H", shown=name)
        assert (table.phase == "deal") == (name[0] in "A7"), name
        assert (table.dealer != 3) == (name == "7D")


def test_zq06_the_exposed_card_is_the_last_of_the_pack_and_known() -> None:
    table = dealt(shown="QC")
    assert table.talon()[-1] == "QC"
    for seat in range(4):
        assert table.sees_cards(seat, "shown") == {"QC"}
        world = table.copy()
        world.game.resample_hidden(world.states, seat, stream(seat))
        assert world.talon()[-1] == "QC" and world.talon() != table.talon()


def test_zq07_the_deal_moves_to_the_left() -> None:
    table = dealt("match=true,n_deals=6", dealer=1)
    dealers = [table.dealer]
    while table.announce("").phase == "deal":
        dealers.append(table.deal().dealer)
    assert dealers == [1, 2, 3, 0, 1, 2]


def test_zq08_the_turned_card_is_out_of_play() -> None:
    belli = dealt("players=2", "AD,8S,9S;KD,8C,9C", up="7D").announce("01")
    assert belli.trump() == "D" and not any("7D" in belli.hand(seat) for seat in (0, 1))
    assert winner("", "KD", "QD", up="7D") == 0, "the King comes next under the Ace"
    ace = dealt("players=2", "KH,8S,9S;7D,8C,9C", up="AH")
    assert (ace.trump(), ace.legal(), ace.play("play").legal()) == ("H", {"play", "pass"}, {"play", "pass"})
    assert winner("", "KH", "7D", up="AH") == 1, "the Belli is the top trump"
    lapsed = tricks("players=2", "KH,8S,9S;7D,QH,9C", "KH QH", up="AH")
    assert lapsed.row("faults") == [0, 0]


def test_zq09_all_announce_before_anybody_swaps() -> None:
    table = dealt()
    phases = []
    while table.player >= 0:
        phases.append(table.phase)
        assert ("pass" in table.legal()) == (table.phase == "announce"), "no second chance to pass"
        table.play("play" if "play" in table.legal() else "stop" if "stop" in table.legal() else min(table.legal()))
    assert phases[:8] == ["announce"] * 4 + ["swap"] * 4 and "announce" not in phases[4:]


def test_zq10_one_card_a_round_or_all_at_once() -> None:
    rounds = dealt("players=2", PLAIN, talon=FRESH).announce().play("8S")
    assert (rounds.player, "JS" in rounds.hand(0)) == (1, True), "he sees the new card before his next chance"
    rounds.play("stop")
    assert (rounds.player, rounds.legal()) == (0, {"JS", "9S", "TS", "stop"}), "a drawn card may go again"
    rounds.play("JS")
    assert (rounds.player, rounds.hand(0)) == (0, {"QS", "9S", "TS"}), "who stops is out of the swap"
    assert rounds.play("9S").phase == "lead", "three at most"
    block = dealt("players=2,swap_mode=block", PLAIN, talon=FRESH).announce().play("8S")
    assert (block.player, block.hand(0)) == (0, {"9S", "TS"}), "all in one turn, drawn at its end"
    block.play("TS")
    assert (block.player, block.hand(0)) == (1, {"JS", "9S", "QS"})
    assert block.play("stop").phase == "lead"


def test_zq11_no_more_swaps_once_the_talon_is_empty() -> None:
    table = dealt("preset=four_card,players=5").announce()
    swapped = 0
    while table.phase == "swap":
        assert table.state["talon_left"] == 11 - swapped
        table.play(min(table.cards()))
        swapped += 1
    assert (swapped, table.talon(), table.phase, table.row("swaps")) == (11, [], "lead", [3, 2, 2, 2, 2])
    assert sum(len(table.thrown(seat)) for seat in range(5)) == 11, "what was laid away does not come back"


@pytest.mark.parametrize(("preset", "stake"), [("base", 3), ("styrian", 3), ("four_card", 4), ("bavarian", 3)])
def test_zq20_the_stake_is_the_number_of_tricks(preset: str, stake: int) -> None:
    table = dealt(f"preset={preset}", shown="7D", dealer=3)
    assert (table.chips, table.pot) == ([stake, stake, 0, -3 * stake], stake)


def test_zq20_what_does_not_divide_stays_in_the_pot() -> None:
    table = tricks(f"{THREE},stake=5", SHARED, SHARED_PLAY)
    assert table.gained == [1, 2, -5 - 5], "thirds of five, an ante, a bete"
    assert table.pot == 2 + 5


@pytest.mark.parametrize(("option", "pot", "gained"), [("carry", 9, -3), ("dealer_takes", 0, 6)])
def test_zq21_everybody_passes(option: str, pot: int, gained: int) -> None:
    table = dealt(f"match=true,start_pot=6,all_pass={option}").announce("")
    assert (table.reason, table.pot, table.gained) == ("all_passed", pot, [0, 0, 0, gained])
    assert table.deal().pot == pot + 3


@pytest.mark.parametrize("stay", "0123")
def test_zq22_a_single_stayer_takes_the_pot_at_once(stay: str) -> None:
    table = dealt("start_pot=6").announce(stay)
    assert (table.player, table.reason, table.pot) == (-1, "unopposed", 0)
    assert table.gained == [9 * (int(stay) == seat) - 3 * (seat == 3) for seat in range(4)]
    assert table.column("betes") == [0] * 4


@pytest.mark.parametrize(("option", "bete"), [("stake", 3), ("pot", 9)])
def test_zq23_size_of_a_bete(option: str, bete: int) -> None:
    table = tricks(f"{THREE},start_pot=6,bete={option}", SHARED, SHARED_PLAY)
    assert (table.gained, table.pot) == ([3, 6, -3 - bete], bete)


@pytest.mark.parametrize(("forced", "legal"), [("true", {"play"}), ("false", {"play", "pass"})])
def test_zq24_a_bare_pot(forced: str, legal: set[str]) -> None:
    table = dealt(f"bare_pot_forced={forced}")
    for _ in range(4):
        assert table.legal() == legal
        table.play("play")
    assert dealt(f"bare_pot_forced={forced},start_pot=3").legal() == {"play", "pass"}


@pytest.mark.parametrize(("must", "legal"), [("true", {"play"}), ("false", {"play", "pass"})])
def test_zq25_a_lone_trump_ace(must: str, legal: set[str]) -> None:
    assert dealt(f"ace_must_stay={must}", "AH,8S,9C").legal() == legal


def test_zq26_the_ace_runs_into_no_belli() -> None:
    assert winner("", "AH", "7D") == 0
    assert winner("", "7D", "AH") == 1


def test_zq27_ace_and_belli_may_be_laid_away() -> None:
    table = dealt("players=2", "AH,KH,9S;7D,QH,8C", talon="8S,8D,9D").announce()
    table.play("AH", "7D", "stop", "stop")
    assert (table.thrown(0), table.thrown(1)) == ({"AH"}, {"7D"})
    table.play("KH QH 9S 8C 8S 8D")
    assert (table.reason, table.gained) == ("durchmarsch", [3, -3 - 3]), "the duties have lapsed"
    assert table.column("duty_betes") == [0, 0]


def test_zq28_credit_is_unlimited_and_the_reward_is_chips() -> None:
    table = dealt("players=2,match=true,n_deals=40,start_chips=5", dealer=0)
    for _ in range(39):
        table.announce("").deal()
    table.announce("")
    assert table.game.current_player(table.states) == TERMINAL
    assert (table.chips, table.pot) == ([5 - 60, 5 - 60], 120), "twenty antes each"
    assert table.game.returns(table.states).tolist() == [-60, -60], "start chips are no gain"
    assert make("match=true,players=5").rules.record["deals_limit"] == 5, "a multiple of the players"


def test_zq29_what_lies_in_the_pot_at_the_end_belongs_to_nobody() -> None:
    table = tricks(f"{THREE},match=true,n_deals=1,start_pot=6,start_chips=100", SHARED, SHARED_PLAY)
    assert table.game.current_player(table.states) == TERMINAL
    assert (table.chips, table.pot) == ([103, 106, 94], 3)
    for number in range(20):
        table = shuffled("match=true,start_pot=6", number).play_randomly(random.Random(number))
        assert sum(table.chips) + table.pot == 6
        assert table.game.returns(table.states).sum() == 6 - table.pot


def test_zq30_tricks_go_clockwise_through_those_who_stayed() -> None:
    table = dealt("players=5", "KC,8C,9C;;8S,9S,TS;;JC,AC,TC", dealer=4).begin("024")
    order = []
    for card in ("8C", "TS", "JC", "AC", "KC", "9S"):
        order.append(table.player)
        table.play(card)
    assert order == [0, 2, 4, 4, 0, 2]


def test_zq31_at_most_five_players() -> None:
    with pytest.raises(ValueError, match="players=6"):
        make("players=6")
    table: Scene = dealt("players=5").announce()
    while table.phase == "swap":
        table.play(min(table.cards()))
    assert table.row("swaps") == [3] * 5 and len(table.talon()) == 1, "as many as the pack allows"


def test_every_open_question_has_a_test() -> None:
    names = {*globals(), *vars(test_zwicken_rules_zq_play)}
    numbers = {int(match[1]) for name in names if (match := re.match(r"test_zq(\d\d)_", name))}
    assert numbers == set(range(1, 32))
