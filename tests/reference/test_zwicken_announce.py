"""The referee of Zwicken by itself: trumps, cut, deal, announcing, swapping."""

from __future__ import annotations

from typing import Any

import pytest

from .zwicken import GUARD, Referee
from .zwicken_deals import act, again, cut, deal, lowest
from .zwicken_options import VARIANTS, resolve

# ---- pack and trumps ----------------------------------------------------------------------------------


def test_z2_z28_1_4_packs() -> None:
    sizes = {variant: len(Referee(variant).form.pack) for variant in VARIANTS}
    assert sizes == {"base": 32, "styrian": 36, "four_card": 32, "dreier": 32, "bavarian": 36}


@pytest.mark.parametrize(
    ("variant", "options", "suit", "order"),
    [
        ("base", {}, "H", "AH 7D KH QH JH TH 9H 8H 7H"),
        ("base", {}, "D", "AD 7D KD QD JD TD 9D 8D"),
        ("styrian", {}, "S", "AS 7D 6D KS QS JS TS 9S 8S 7S 6S"),
        ("styrian", {}, "D", "AD 7D 6D KD QD JD TD 9D 8D"),
        ("bavarian", {}, "H", "AH 7D JC JS JH JD KH QH TH 9H 8H 7H 6H"),
        ("bavarian", {}, "D", "AD 7D JC JS JH JD KD QD TD 9D 8D 6D"),
        ("bavarian", {"wenzel_rank": "top"}, "S", "JC JS JH JD AS 7D KS QS TS 9S 8S 7S 6S"),
        ("bavarian", {"wenzel_cards": "ober_unter"}, "C", "AC 7D QC QS QH QD JC JS JH JD KC TC 9C 8C 7C 6C"),
        (
            "bavarian",
            {"wenzel_cards": "ober_unter", "wenzel_rank": "top"},
            "H",
            "QC QS QH QD JC JS JH JD AH 7D KH TH 9H 8H 7H 6H",
        ),
    ],
)
def test_z4_z5_z28_zp25_trumps_high_to_low(variant: str, options: dict[str, Any], suit: str, order: str) -> None:
    form, _ = resolve(variant, options)
    assert form.trumps(suit) == order.split()


# ---- stake, cut, deal ---------------------------------------------------------------------------------


def test_z7_the_dealer_antes() -> None:
    table = cut("KC")
    assert (table.chips, table.pot, table.node) == ([0, -3, 0, 0], 3, "announce")
    table.start(2, pot=6)
    assert again(table, "KC")
    assert (table.chips, table.pot) == ([0, 0, -3, 0], 9)


def test_z8_zp1_the_card_shown_is_the_bottom_of_the_pack() -> None:
    table = cut("QS")
    assert (table.shown, table.talon[-1]) == ("QS", "QS")


def test_z9_z10_zp5_packets() -> None:
    table = Referee(players=3, cut_rule="off")
    table.start(0)
    pack = table.form.pack
    table.attempt(pack)
    assert table.hands[1] == {*pack[:2], pack[7]}
    assert table.hands[2] == {*pack[2:4], pack[8]}
    assert table.hands[0] == {*pack[4:6], pack[9]}
    assert (table.turned, table.trump, table.talon) == (pack[6], pack[6][1], pack[10:])


def test_zp5_four_card_packets() -> None:
    table = Referee("four_card", players=2, cut_rule="off")
    table.start(1)
    pack = table.form.pack
    table.attempt(pack)
    assert table.hands == [{*pack[:2], *pack[5:7]}, {*pack[2:4], *pack[7:9]}]
    assert (table.turned, table.talon, table.pot) == (pack[4], pack[9:], 4)


@pytest.mark.parametrize("card", ["AH", "AD", "7S", "7C"])
def test_z11_zq3_ace_or_seven_gives_the_ante_back(card: str) -> None:
    table = cut(card)
    assert (table.chips, table.pot, table.dealer, table.node) == ([0] * 4, 0, 1, "")
    assert (table.shown, table.turned, table.legal()) == (card, None, set())
    assert again(table, "KC")
    assert (table.chips, table.pot, table.dealer, table.attempts) == ([0, -3, 0, 0], 3, 1, 2)


@pytest.mark.parametrize(
    ("options", "chips", "pot"),
    [
        ({}, [0, -9, 3, 3], 3),  # Z12, ZQ1: seats 2 and 3 lie between dealer 1 and cutter 0
        ({"belli_cut": "pay_all_others"}, [3, -12, 3, 3], 3),
        ({"belli_cut": "pot_jump"}, [-3, -3, -3, -3], 12),  # ZP3
        ({"belli_cut": "none"}, [0, -3, 0, 0], 3),  # ZP2
        ({"belli_cut_ante": "returned"}, [0, -6, 3, 3], 0),  # ZQ2
        ({"belli_cut": "pot_jump", "belli_cut_ante": "returned"}, [-3, 0, -3, -3], 9),
        ({"cut_rule": "hop"}, [0, -9, 3, 3], 3),  # ZP4: as without it
    ],
)
def test_z12_zq1_zq2_belli_cut(options: dict[str, Any], chips: list[int], pot: int) -> None:
    table = cut("7D", **options)
    assert (table.chips, table.pot, table.dealer) == (chips, pot, 0)
    assert again(table, "KC")
    assert table.chips == [chips[0] - 3, *chips[1:]]  # the new dealer antes as well
    assert table.pot == pot + 3
    assert table.player == 1


def test_zq1_with_two_players_nobody_is_between() -> None:
    assert cut("7D", players=2).chips == [0, -3]
    assert cut("7D", players=2, belli_cut="pay_all_others").chips == [3, -6]
    assert cut("7D", players=2, belli_cut="pot_jump").chips == [-3, -3]


def test_zp4_hop_moves_the_deal_left_and_keeps_the_antes() -> None:
    table = cut("AS", cut_rule="hop")
    assert (table.chips, table.pot, table.dealer) == ([0, -3, 0, 0], 3, 2)
    assert not again(table, "7S")
    assert (table.chips, table.pot, table.dealer) == ([0, -3, -3, 0], 6, 3)
    assert again(table, "KC")
    assert (table.chips, table.pot, table.attempts) == ([0, -3, -3, -3], 9, 3)


def test_zp4_hop_back_to_an_earlier_dealer_costs_him_another_ante() -> None:
    table = cut("AS", cut_rule="hop", players=2)
    assert not again(table, "7C")
    assert again(table, "KC")
    assert (table.chips, table.pot, table.dealer) == ([-3, -6], 9, 1)


def test_zp2_without_the_ritual_nothing_is_shown() -> None:
    for card in ("7D", "AS", "7C"):
        table = cut(card, cut_rule="off")
        assert (table.node, table.shown, table.pot, table.dealer) == ("announce", None, 3, 1)


def test_zq5_only_aces_and_sevens_matter() -> None:
    for variant in ("styrian", "bavarian"):
        for card in ("6D", "6S", "JC"):
            table = Referee(variant)
            assert again(table, card)


def test_zp6_the_guard_is_an_error() -> None:
    table = cut("AS")
    for _ in range(GUARD - 1):
        assert not again(table, "AS")
    with pytest.raises(RuntimeError, match="1000"):
        again(table, "KC")


def test_zp7_the_next_dealer_sits_left_of_who_dealt() -> None:
    table = cut("7D", session=True)
    assert again(table, "KC")
    act(table, "pass, pass, pass, pass")
    assert (table.dealer, table.deals, table.deal_over, table.over) == (1, 1, True, False)  # seat 0 dealt


# ---- announcing ---------------------------------------------------------------------------------------


def test_z14_zp9_everybody_is_asked_once_dealer_last() -> None:
    table = deal(["KH QH JH", "KC QC JC", "KS QS JS"])
    for seat in range(3):
        assert (table.player, table.node, table.legal()) == (seat, "announce", {"play", "pass"})
        table.apply("pass")
    assert table.over


def test_z16_zp11_the_trump_ace_may_not_pass() -> None:
    table = deal(["AH QH JH", "AC QC JC"])
    assert table.legal() == {"play"}
    assert act(table, "play").legal() == {"play", "pass"}
    assert deal(["AH QH JH", "AC QC JC"], duties="enforce").legal() == {"play"}
    assert deal(["AH QH JH", "AC QC JC"], ace_must_stay=False).legal() == {"play", "pass"}


def test_zp8_a_turned_ace_or_belli() -> None:
    assert deal(["KH QH JH", "AC QC JC"], turned="AH").legal() == {"play", "pass"}
    assert deal(["AD QH JH", "AC QC JC"], turned="7D").legal() == {"play"}
    assert deal(["AD QH JH", "AC QC JC"], turned="6D", variant="styrian").trump == "D"
    assert deal(["AD QH JH", "AC QC KC"], turned="JC", variant="bavarian").trump == "C"


def test_zq24_zp10_bare_pot() -> None:
    hands = ["KH QH JH", "KC QC JC"]
    assert deal(hands).legal() == {"play", "pass"}
    assert deal(hands, bare_pot_forced=True).legal() == {"play"}
    assert deal(hands, bare_pot_forced=True, pot=1).legal() == {"play", "pass"}
    hop = cut("AS", cut_rule="hop", bare_pot_forced=True)
    again(hop, "KC")
    assert hop.legal() == {"play", "pass"}  # two antes


def test_z30_dreier_no_pass() -> None:
    hands = ["KH QH JH", "KC QC JC", "KS QS JS"]
    strict = deal(hands, variant="dreier")
    for _ in range(3):
        assert strict.legal() == {"play"}
        strict.apply("play")
    mild = deal(hands, "pass, pass", variant="dreier", dreier_no_pass="dealer")
    assert (mild.player, mild.legal()) == (2, {"play"})
    assert act(mild, "play").returns == [0, 0, 0]
    assert deal(hands, "pass, pass, pass", dreier_no_pass="all").over  # idle elsewhere


def test_zq21_zp13_everybody_passes() -> None:
    hands = ["KH QH JH", "KC QC JC", "KS QS JS"]
    table = deal(hands, "pass, pass, pass", pot=4)
    assert (table.chips, table.pot, table.betes) == ([0, 0, -3], 7, [0, 0, 0])
    table = deal(hands, "pass, pass, pass", pot=4, all_pass="dealer_takes")
    assert (table.chips, table.pot) == ([0, 0, 4], 0)


def test_zq22_zp13_the_only_stayer_takes_the_whole_pot() -> None:
    table = deal(["KH QH JH", "KC QC JC", "KS QS JS"], "pass, play", pot=4, durchmarsch="extra_to_pot", bete="pot")
    assert table.player == 2  # ZP9
    act(table, "pass")
    assert (table.over, table.node, table.pot) == (True, "", 0)
    assert (table.chips, table.betes, table.tricks) == ([0, 7, -3], [0, 0, 0], [0, 0, 0])
    table = deal(["AH QH JH", "KC QC JC"], "play, pass")  # no duty falls on him
    assert (table.chips, table.betes) == ([3, -3], [0, 0])


# ---- swapping -----------------------------------------------------------------------------------------


def test_z15_zq10_zp14_one_card_a_round() -> None:
    table = deal(["KH QH JH", "KC QC JC", "KS QS JS"], "play, pass, play", talon="8H 8C 8S 9C 9S TC", cut_rule="off")
    assert (table.node, table.player) == ("swap", 0)
    assert table.legal() == {"swap KH", "swap QH", "swap JH", "stop"}
    act(table, "swap JH")
    assert (table.player, table.hands[0], table.discards[0]) == (2, {"KH", "QH", "8H"}, ["JH"])
    act(table, "swap JS, swap 8H, stop")  # a drawn card may go too; seat 2 stops for good
    assert (table.player, table.node, table.stopped, table.swaps) == (0, "swap", {2}, [2, 0, 1])
    act(table, "swap QH")  # the third and last: no node follows
    assert (table.node, table.player, table.leader) == ("play", 0, 0)
    assert table.hands == [{"KH", "8S", "9C"}, {"KC", "QC", "JC"}, {"KS", "QS", "8C"}]
    assert (table.discards[0], table.talon[:2]) == (["JH", "8H", "QH"], ["9S", "TC"])


def test_zp14_stopping_at_once_and_going_on_alone() -> None:
    table = deal(["KH QH JH", "KC QC JC"], "play, play, stop, swap KC")
    assert (table.player, table.node) == (1, "swap")
    assert act(table, "stop").node == "play"


def test_zq27_zp11_the_ace_may_be_swapped_and_its_duties_lapse() -> None:
    table = deal(
        ["AH QH JH", "KC QC JC"], "play, play, swap AH, stop, stop", talon="8S", duties="enforce", cut_rule="off"
    )
    assert table.legal() == {"QH", "JH", "8S"}


@pytest.mark.parametrize("max_swaps", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("mode", ["one_per_round", "block"])
def test_zp16_max_swaps(max_swaps: int, mode: str) -> None:
    for variant, hand in (("base", 3), ("four_card", 4)):
        table = Referee(variant, players=2, max_swaps=max_swaps, swap_mode=mode, cut_rule="off")
        table.start(1)
        table.attempt(table.form.pack)
        act(table, "play, play")
        while table.node in ("swap", "block"):
            table.apply(lowest(table))
        limit = max_swaps if mode == "one_per_round" else min(max_swaps, hand)
        assert table.swaps == [limit, limit]
        assert [len(cards) for cards in table.hands] == [hand, hand]


def test_zq11_zp14_the_talon_runs_dry_in_the_middle_of_a_round() -> None:
    table = Referee("four_card", players=5, cut_rule="off")
    table.start(4)
    table.attempt(table.form.pack)
    act(table, ", ".join(["play"] * 5))
    while table.node == "swap":
        table.apply(sorted(table.legal())[1])
    assert table.swaps == [3, 2, 2, 2, 2]  # eleven cards
    assert (table.talon, table.node, table.player, table.stopped) == ([], "play", 0, set())
    assert sum(len(cards) for cards in table.discards) == 11


def test_zp15_block_steps_in_ascending_order() -> None:
    table = deal(
        ["KH 9H TS", "KC QC JC"],
        "play, play",
        swap_mode="block",
        turned="8D",
        talon="8H 8C 8S 9C 9S",
        cut_rule="off",
    )
    assert (table.node, table.legal()) == ("block", {"swap KH", "swap 9H", "swap TS", "stop"})
    act(table, "swap KH")
    assert (table.hands[0], table.discards[0], table.talon[0]) == ({"9H", "TS"}, ["KH"], "8H")  # nothing drawn yet
    assert (table.node, table.player, table.legal()) == ("block", 0, {"swap TS", "stop"})
    act(table, "swap TS")  # no higher card left: the turn ends by itself
    assert (table.player, table.hands[0], table.stopped) == (1, {"9H", "8H", "8C"}, set())
    act(table, "stop")
    assert (table.node, table.swaps, table.stopped, table.hands[1]) == ("play", [2, 0], {1}, {"KC", "QC", "JC"})


def test_zp15_block_ends_with_the_last_permitted_card() -> None:
    table = deal(
        ["KH 9H TS", "KC QC JC"], "play, play, swap 9H", swap_mode="block", max_swaps=1, talon="8D", turned="9D"
    )
    assert (table.player, table.hands[0]) == (1, {"KH", "TS", "8D"})
    table = deal(["9H TH KH", "KC QC JC"], "play, play", swap_mode="block", turned="9D")
    act(table, "swap 9H, swap TH, swap KH")
    assert (table.player, table.swaps) == (1, [3, 0])


def test_zp15_block_with_a_small_talon() -> None:
    table = Referee("four_card", players=5, max_swaps=4, swap_mode="block", cut_rule="off")
    table.start(4)
    table.attempt(table.form.pack)
    act(table, ", ".join(["play"] * 5))
    while table.node == "block":
        table.apply(lowest(table))
    assert table.swaps == [4, 4, 3, 0, 0]  # eleven cards; the last two are not asked
    assert (table.talon, table.node, table.player) == ([], "play", 0)
