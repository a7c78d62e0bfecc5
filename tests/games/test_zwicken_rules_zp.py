"""The precisions ZP1 to ZP17 (cut, deal, announcing, swapping), one test each; the others are in _zp_play."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from cardsim.contract import CHANCE
from cardsim.games.zwicken import kernels
from tests.games import test_zwicken_rules_zp_play
from tests.games.scenes import stream
from tests.games.zwicken_scenes import (
    SHARED_PLAY,
    dealt,
    from_pack,
    lay_out,
    make,
    shuffled,
    tricks,
)

PLAIN = "8S,9S,TS;8C,9C,TC"
FRESH = "JS,QS,KS,JC,QC,KC"
FIVE = "preset=four_card,players=5"
"""The only form in which the talon, of eleven cards, runs out."""


def test_zp01_the_cut_is_chance_and_its_card_the_bottom() -> None:
    """That every card is shown equally often is in test_zwicken_exact."""
    seen = set()
    for number in range(300):
        table = shuffled("", number)
        (shown,) = table.sees_cards(0, "shown")
        assert table.phase == "announce" and table.talon()[-1] == shown
        seen.add(shown)
    assert seen == {rank + suit for suit in "DHSC" for rank in "89TJQK"}
    pack = lay_out(make(""), 3, shown="QD")
    assert from_pack("", pack, 3).talon() == pack[13:], "given after the cut: nothing is turned over again"


def test_zp02_no_cut_at_all_and_a_belli_cut_without_payments() -> None:
    for shown in ("7D", "KC"):
        table = dealt("cut_rule=off,belli_cut=pay_all_others,belli_cut_ante=returned", shown=shown)
        assert (table.phase, table.chips, table.pot) == ("announce", [0, 0, 0, -3], 3)
        assert table.sees_cards(0, "shown") == set(), "no bottom card is known"
    table = dealt("belli_cut=none", shown="7D", dealer=3)
    assert (table.chips, table.dealer, table.game.current_player(table.states)) == ([0, 0, 0, -3], 2, CHANCE)


def test_zp03_pot_jump_comes_on_top_of_the_next_ante() -> None:
    table = dealt("belli_cut=pot_jump", shown="7D", dealer=3)
    assert (table.chips, table.pot) == ([-3, -3, -3, -3], 12)
    assert (table.deal().chips, table.pot) == ([-3, -3, -3 - 3, -3], 15)


def test_zp04_hop() -> None:
    table = dealt("cut_rule=hop", shown="AC", dealer=3)
    table.deal(shown="7S")
    assert (table.chips, table.pot, table.dealer) == ([-3, 0, 0, -3], 6, 1), "repeated as needed"
    table.deal(shown="7D")
    assert table.dealer == 0, "the old dealer cut, and the Belli makes him deal"
    assert (table.chips, table.pot) == ([-3, -3 - 6, 3, -3 + 3], 9)
    assert (table.deal().chips, table.pot, table.player) == ([-3 - 3, -9, 3, 0], 12, 1)


@pytest.mark.parametrize("preset", ["base", "four_card", "styrian"])
def test_zp05_dealt_in_packets(preset: str) -> None:
    cards = [rank + suit for suit in "DHSC" for rank in ("A6789TJQK" if preset == "styrian" else "A789TJQK")]
    table = from_pack(f"preset={preset},players=3", cards, 0)
    late = 2 if preset == "four_card" else 1
    for place, seat in enumerate((1, 2, 0)):
        first, second = cards[2 * place : 2 * place + 2], cards[7 + late * place : 7 + late * (place + 1)]
        assert table.hand(seat) == {*first, *second}
    assert (table.up(), table.talon()) == (cards[6], cards[7 + 3 * late :])


def test_zp06_reaching_the_guard_is_an_error(monkeypatch: Any) -> None:
    game = make("cut_rule=hop")
    tries = []

    def always_an_ace(state: Any, stream: Any, deck: Any) -> int:
        tries.append(state["dealer"])
        return game.pack.card("AD")

    monkeypatch.setattr(kernels, "draw_pack", always_an_ace)
    states = game.new_states()
    deal = getattr(kernels.deal, "py_func", kernels.deal)
    with pytest.raises(ValueError, match="voided"):
        deal(states[0], None)
    assert len(tries) >= 1000 and states["deals"][0] == 0 and states["pot"][0] == 3 * len(tries)


def test_zp06_every_deal_has_attempts_of_its_own() -> None:
    tables = [shuffled("cut_rule=hop,first_dealer=0", number) for number in range(200)]
    attempts = [int(table.state["attempts"]) for table in tables]
    assert {1, 2, 3} <= set(attempts)
    for table, count in zip(tables, attempts, strict=True):
        assert table.pot >= 3 * count, "every attempt has its ante"
    assert len({tuple(table.talon()) for table in tables}) == 200


def test_zp07_the_next_dealer_sits_left_of_who_dealt() -> None:
    table = dealt("match=true", shown="7D", dealer=3)
    table.deal(shown="AC").deal().announce("")
    assert (table.state["deals"], table.dealer) == (1, 3), "seat 2 dealt; void attempts are no deals"
    assert (table.deal().announce("").state["deals"], table.dealer) == (2, 0), "a deal that everybody passed is one"


def test_zp08_duties_lapse_with_the_turned_card() -> None:
    ace = tricks("players=2", "KH,QH,9S;7D,8H,9C", "KH 8H", up="AH")
    assert ace.row("faults") == [0, 0]
    assert dealt("", "AS,7D,8S", up="AH").legal() == {"play", "pass"}
    belli = dealt("players=2", "AD,8S,9C;KD,QD,8C", up="7D")
    assert (belli.trump(), belli.legal()) == ("D", {"play"}), "the Ace of diamonds keeps its duties"
    assert belli.begin().play("8S QD").row("faults")[0] > 0
    led = tricks("players=2", "AD,8S,9C;KD,QD,8C", "AD KD", up="7D")
    assert led.row("faults") == [0, 0]
    for preset, up in (("bavarian", "JS"), ("styrian", "6D"), ("bavarian", "6D")):
        assert dealt(f"preset={preset}", up=up).trump() == up[1], "the printed suit"


def test_zp09_everybody_is_asked_once_the_dealer_last() -> None:
    table = dealt(dealer=1)
    asked = []
    while table.phase == "announce":
        asked.append((table.player, table.legal()))
        table.play("pass")
    assert asked == [(seat, {"play", "pass"}) for seat in (2, 3, 0, 1)]
    forced = dealt("preset=dreier")
    for seat in (0, 1, 2):
        assert (forced.player, forced.legal()) == (seat, {"play"}), "no move is made automatically"
        forced.play("play")


def test_zp10_a_bare_pot_is_exactly_one_stake() -> None:
    for rules, bare in (("", True), ("stake=5", True), ("start_pot=3", False), ("start_pot=1", False)):
        table = dealt(f"bare_pot_forced=true,{rules}".rstrip(","))
        assert ("pass" not in table.legal()) == bare, rules
    table = dealt("bare_pot_forced=true", shown="7D").deal()
    assert (table.pot, table.legal()) == (6, {"play", "pass"}), "at the time of announcing"


@pytest.mark.parametrize("duties", ["penalise", "enforce"])
def test_zp11_what_masks_passing(duties: str) -> None:
    free = {"play", "pass"}
    assert dealt(f"duties={duties}", "AH,8S,9S").legal() == {"play"}
    assert dealt(f"duties={duties},ace_must_stay=false", "AH,8S,9S").legal() == free
    assert dealt(f"duties={duties},ace_must_stay=false,bare_pot_forced=true", "AH,8S,9S").legal() == {"play"}
    assert dealt(f"duties={duties},preset=dreier,ace_must_stay=false", "AH,8S,9S").legal() == {"play"}
    assert dealt(f"duties={duties}", "8S,9S,TS", talon="AH").legal() == free, "only the dealt hand counts"


def test_zp12_a_passed_hand_stays_face_down() -> None:
    hands = "AH,9S,9C;KH,QH,JH;KS,AS,8C;TS,AC,KC"
    table = dealt("", hands).announce("023")
    for _ in range(3):
        table.play("stop")
    passed = {"KH", "QH", "JH"}
    assert not passed & set(table.talon())
    table.play(SHARED_PLAY)
    assert table.hand(1) == passed and table.row("movers").count(1) == 0
    other = dealt("", hands.replace("KH,QH,JH", "8D,9D,TD"), talon="KH,QH,JH").begin("023").play(SHARED_PLAY)
    for seat in (0, 2, 3):
        same = table.game.observe(table.states, seat) == other.game.observe(other.states, seat)
        assert same.all(), "never shown, not even at the end"


def test_zp13_who_takes_a_pot_without_play() -> None:
    nobody = dealt("start_pot=8,all_pass=dealer_takes").announce("")
    assert (nobody.gained, nobody.pot) == ([0, 0, 0, 8], 0), "carried chips included"
    single = dealt("start_pot=2,stake=5", "AH,8S,9S").announce("0")
    assert (single.gained, single.pot) == ([7, 0, 0, -5], 0), "also what does not divide"
    assert single.column("durchmarsch") == single.column("duty_betes") == single.column("betes") == [0] * 4
    assert single.reason == "unopposed"


def test_zp14_rounds_of_the_swap() -> None:
    table = dealt("players=3", "8S,9S,TS;8C,9C,TC;8D,9D,TD", talon=FRESH).announce()
    turns = []
    for action in ("8S", "stop", "8D", "9S", "stop", "TS"):
        turns.append(table.player)
        table.play(action)
    assert turns == [0, 1, 2, 0, 2, 0], "who stops, stops for good; one left over goes on alone"
    assert table.phase == "lead", "no node after the last permitted swap"
    last = dealt("players=3,max_swaps=1").announce().play("stop", "stop")
    assert last.play(min(last.cards())).phase == "lead"
    dry = dealt(FIVE).announce()
    for _ in range(10):
        dry.play(min(dry.cards()))
    assert (dry.phase, dry.player, dry.state["talon_left"]) == ("swap", 0, 1)
    assert dry.play(min(dry.cards())).phase == "lead", "the talon is empty in the middle of a round"


def test_zp15_the_turn_of_a_block() -> None:
    rules = "players=2,swap_mode=block"
    table = dealt(rules, PLAIN, talon=FRESH).announce()
    assert table.legal() == {"8S", "9S", "TS", "stop"}
    assert table.play("9S").legal() == {"TS", "stop"}, "in ascending order"
    assert table.after("stop").hand(0) == {"8S", "TS", "JS"}
    assert (table.play("TS").player, table.hand(0)) == (1, {"8S", "JS", "QS"}), "nothing higher is left"
    assert table.play("stop").phase == "lead", "one turn each: a drawn card cannot be swapped"
    two = dealt(f"{rules},max_swaps=2", PLAIN, talon=FRESH).announce().play("8S", "9S")
    assert (two.player, two.hand(0)) == (1, {"JS", "QS", "TS"}), "at most max_swaps"
    dry = dealt(f"{FIVE},swap_mode=block,max_swaps=4").announce()
    while dry.phase == "swap":
        dry.play(min(dry.cards(), key=dry.game.pack.card))
    assert dry.row("swaps") == [4, 4, 3, 0, 0], "at most the talon's eleven cards"


@pytest.mark.parametrize("preset", ["base", "styrian", "four_card", "dreier", "bavarian"])
@pytest.mark.parametrize("most", range(5))
@pytest.mark.parametrize("mode", ["one_per_round", "block"])
def test_zp16_max_swaps_in_every_variant(preset: str, most: int, mode: str) -> None:
    table = dealt(f"preset={preset},max_swaps={most},swap_mode={mode}").announce()
    while table.phase == "swap":
        table.play(min(table.cards(), key=table.game.pack.card))
    size = 4 if preset == "four_card" else 3
    each = most if mode == "one_per_round" else min(most, size)
    # Four players of four_card leave a talon of 15: the fourth swap of the last is not to be had.
    expected = [4, 4, 4, 3] if (preset, most) == ("four_card", 4) else [each] * table.game.num_players
    assert (table.phase, table.row("swaps")) == ("lead", expected)


def test_zp17_what_is_known_of_discards_and_of_the_last_card() -> None:
    table = dealt(FIVE, shown="QC").announce().play(min(dealt(FIVE, shown="QC").hand(0)))
    (card,) = table.thrown(0)
    assert table.sees_cards(0, "thrown") == {card}
    for seat in range(1, 5):
        assert table.sees_number(seat, "swaps", 0) == 1 and table.sees_cards(seat, "thrown") == set()
    thrown = set()
    for number in range(20):
        world = table.copy()
        world.game.resample_hidden(world.states, 1, stream(number))
        thrown |= world.thrown(0)
    assert len(thrown) > 5, "any card may be the one laid away"
    while table.phase == "swap":
        table.play(min(table.cards()))
    assert "QC" in table.hand(0)
    for seat in range(5):
        assert [table.sees(seat, "holds_shown", of)[0] for of in range(5)] == [1, 0, 0, 0, 0]
        world = table.copy()
        world.game.resample_hidden(world.states, seat, stream(seat))
        assert "QC" in world.hand(0)
    table.play("QC")
    assert not np.any([table.sees(seat, "holds_shown", of) for seat in range(5) for of in range(5)])


def test_every_precision_has_a_test() -> None:
    names = {*globals(), *vars(test_zwicken_rules_zp_play)}
    numbers = {int(match[1]) for name in names if (match := re.match(r"test_zp(\d\d)_", name))}
    assert numbers == set(range(1, 36))
