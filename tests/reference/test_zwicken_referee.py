"""The referee of Zwicken by itself: each rule as small hands, and random play of every variant."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from .zwicken import GUARD, Referee, number
from .zwicken_options import CHOICES, SWITCHES, VARIANTS, resolve

RANDOM_SESSIONS = 12
SEATS = {variant: (3,) if variant == "dreier" else (2, 3, 4, 5) for variant in VARIANTS}


def arrange(
    table: Referee, hands: list[str], *, turned: str = "9H", talon: str = "", bottom: str | None = None
) -> list[str]:
    """A pack that deals `hands` (by seat), `turned` and `talon` (top first), ending with `bottom`."""
    cards = [hand.split() for hand in hands]
    order = [(table.dealer + 1 + i) % table.players for i in range(table.players)]
    pack = [card for seat in order for card in cards[seat][:2]] + [turned]
    pack += [card for seat in order for card in cards[seat][2:]]
    pack += talon.split()
    rest = [card for card in table.form.pack if card not in pack and card != bottom]
    if bottom is None and rest:
        bottom = next(card for card in rest if card[0] not in "A7")  # a card that voids nothing
        rest.remove(bottom)
    return pack + rest + ([bottom] if bottom else [])


def act(table: Referee, moves: str) -> Referee:
    """Apply actions separated by commas."""
    for move in moves.split(","):
        table.apply(move.strip())
    return table


def deal(
    hands: list[str],
    moves: str = "",
    *,
    variant: str = "base",
    turned: str = "9H",
    talon: str = "",
    bottom: str | None = None,
    pot: int = 0,
    session: bool = False,
    **options: Any,
) -> Referee:
    """A table whose last seat has dealt `hands`, so that seat 0 speaks and leads first; then `moves`."""
    table = Referee(variant, session=session, **{"players": len(hands), **options})
    table.start(len(hands) - 1, pot)
    assert table.attempt(arrange(table, hands, turned=turned, talon=talon, bottom=bottom))
    return act(table, moves) if moves else table


def tricks(hands: list[str], moves: str = "", **settings: Any) -> Referee:
    """As `deal`, with everybody staying and nobody swapping, then the cards `moves`."""
    table = deal(hands, ", ".join(["play"] * len(hands)), **{"max_swaps": 0, **settings})
    assert table.node == "play"
    return act(table, moves) if moves else table


def cut(card: str, *, dealer: int = 1, players: int = 4, **options: Any) -> Referee:
    """A table of `players` where `dealer` has made one attempt with `card` shown."""
    table = Referee(players=players, **options)
    table.start(dealer)
    again(table, card)
    return table


def again(table: Referee, card: str) -> bool:
    """One more attempt, `card` shown."""
    rest = [other for other in table.form.pack if other != card]
    rest.sort(key=lambda other: other[0] == "A")  # so that nobody is dealt an Ace and everybody may pass
    return table.attempt([*rest, card])


def lowest(table: Referee) -> str:
    """The action that lays away the lowest card number."""
    return min(table.legal() - {"stop"}, key=lambda text: number(text[-2:]))


def shuffled(table: Referee, rng: random.Random) -> list[str]:
    """The table's pack in random order."""
    pack = table.form.pack
    rng.shuffle(pack)
    return pack


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


# ---- play ---------------------------------------------------------------------------------------------


def test_z18_zq30_the_lead_and_the_order_skip_who_passed() -> None:
    table = deal(["KH QH JH", "KC QC JC", "KS QS JS", "8D 9D TD"], "pass, play, pass, play", max_swaps=0)
    assert (table.leader, table.player) == (1, 1)
    act(table, "KC")
    assert table.player == 3
    act(table, "8D")
    assert (table.leader, table.player, table.tricks, table.trick) == (1, 1, [0, 1, 0, 0], [])


def test_z19_z20_follow_else_trump_else_anything() -> None:
    table = tricks(["KC QS JS", "QC 8H 9D", "8S TH 7D", "8D TD JD"])
    act(table, "KC")
    assert table.legal() == {"QC"}
    act(table, "QC")
    assert table.legal() == {"TH", "7D"}  # the Belli is a trump
    act(table, "TH")
    assert table.legal() == {"8D", "TD", "JD"}
    act(table, "8D")
    assert (table.leader, table.tricks) == (2, [0, 0, 1, 0])
    assert table.history == [(0, "KC"), (1, "QC"), (2, "TH"), (3, "8D")]


@pytest.mark.parametrize(
    ("variant", "options", "turned", "led", "answer", "winner"),
    [
        ("base", {}, "9H", "7D", "AH", 1),
        ("base", {}, "9H", "KH", "7D", 1),
        ("base", {}, "8D", "KD", "7D", 1),
        ("base", {}, "9H", "TC", "AS", 0),  # an off-suit ace
        ("base", {}, "9H", "TC", "JC", 1),  # Z3: the ten under the jack
        ("base", {}, "9H", "AC", "8H", 1),
        ("styrian", {}, "9H", "KH", "6D", 1),
        ("styrian", {}, "9H", "6D", "7D", 1),
        ("styrian", {}, "9H", "7C", "6C", 0),
        ("bavarian", {}, "9H", "KH", "JD", 1),
        ("bavarian", {}, "9H", "JS", "JC", 1),
        ("bavarian", {}, "9H", "JC", "7D", 1),
        ("bavarian", {}, "9H", "AD", "6D", 0),  # ordinary there
        ("bavarian", {"wenzel_rank": "top"}, "9H", "AH", "JD", 1),
        ("bavarian", {"wenzel_cards": "ober_unter"}, "9H", "JC", "QD", 1),
        ("bavarian", {"wenzel_cards": "ober_unter"}, "9H", "QC", "7D", 1),
    ],
)
def test_z21_who_takes_the_trick(
    variant: str, options: dict[str, Any], turned: str, led: str, answer: str, winner: int
) -> None:
    fill = [card for card in ("8S", "9S", "TS", "KS") if card not in (led, answer)]
    hands = [f"{led} {fill[0]} {fill[1]}", f"{answer} {fill[2]} {fill[3]}"]
    table = tricks(hands, f"{led}, {answer}", variant=variant, turned=turned, **options)
    assert table.leader == winner


def test_zq16_permanent_trumps_leave_their_suit() -> None:
    table = tricks(["KD 8S 9S", "7D 8D 9C"], "KD")
    assert table.legal() == {"8D"}  # the Belli does not follow diamonds
    table = tricks(["7D 8S 9S", "KD 8H 9C"], "7D")
    assert table.legal() == {"8H"}  # leading it asks for trumps
    table = tricks(["KD 8S 9S", "6D 8C 9C"], "KD", variant="styrian")
    assert table.legal() == {"6D"}  # as a trump: no diamond left
    table = tricks(["KS 8S 9S", "JS QS 9C"], "KS", variant="bavarian")
    assert table.legal() == {"QS"}
    table = tricks(["KS 8S 9S", "JS QS 9C"], "KS", variant="bavarian", wenzel_cards="ober_unter")
    assert table.legal() == {"JS", "QS"}
    table = tricks(["JC 8S 9S", "JS QC 9C"], "JC", variant="bavarian")
    assert table.legal() == {"JS"}


def test_zq17_must_trump_false() -> None:
    assert tricks(["KC 8S 9S", "8H 9D TD"], "KC", must_trump=False).legal() == {"8H", "9D", "TD"}


def test_zp18_must_head() -> None:
    assert tricks(["TC 8S 9S", "8C QC AC"], "TC", must_head=True).legal() == {"QC", "AC"}
    assert tricks(["KC 8S 9S", "8C QC 9D"], "KC", must_head=True).legal() == {"8C", "QC"}
    table = tricks(["KC 8S 9S", "TH 9D TD", "8H QH 7D"], "KC, TH", must_head=True)
    assert table.legal() == {"QH", "7D"}  # overtrump
    table = tricks(["KC 8S 9S", "QH 9D TD", "8H TH 8D"], "KC, QH", must_head=True)
    assert table.legal() == {"8H", "TH"}  # cannot, must still trump
    table = tricks(["KC 8S 9S", "QH 9D TD", "8C AC 8D"], "KC, QH", must_head=True)
    assert table.legal() == {"8C", "AC"}  # trumped already: any club will do
    table = tricks(["KC 8S 9S", "8H 9D TD"], "KC", must_head=True, must_trump=False)
    assert table.legal() == {"8H", "9D", "TD"}  # free to discard


def test_zp19_winner_leads_trump_from_the_second_trick() -> None:
    hands = ["KC AC 8H", "QC TC 8S"]
    assert tricks(hands, "KC, QC").legal() == {"AC", "8H"}
    table = tricks(hands, winner_leads_trump=True)
    assert table.legal() == {"KC", "AC", "8H"}
    assert act(table, "KC, QC").legal() == {"8H"}


# ---- duties -------------------------------------------------------------------------------------------


def test_z24_zq13_the_ace_not_led_at_its_first_lead() -> None:
    hands = ["AH KC 8S", "QC 9S 9D"]
    table = tricks(hands)
    assert table.legal() == {"AH", "KC", "8S"}  # ZQ12: penalised, not masked
    act(table, "KC, QC")
    assert table.betes == [0, 0]  # ZP31: booked only
    act(table, "8S, 9S, 9D, AH")
    assert table.tricks == [2, 1]
    assert (table.betes, table.chips, table.pot) == ([1, 0], [-1, -2], 3)


def test_zp20_the_ace_duty_is_due_once() -> None:
    table = tricks(["AH KC QC", "8C 9C 9D"], "KC, 8C, QC, 9C, AH, 9D")
    assert table.betes == [1, 1]  # not two for the Ace; the other has no trick


def test_zq13_an_ace_played_as_follower_owes_nothing() -> None:
    table = tricks(["KC 8S 9S", "AH TD JD"], "KC, AH, TD, 8S, JD, 9S")
    assert table.betes == [1, 0]


def test_zq13_an_ace_drawn_in_the_swap_counts() -> None:
    table = deal(["KC 8S 9S", "TC TD JD"], "play, play, swap 9S, stop, stop", talon="AH", cut_rule="off")
    act(table, "KC, TC, AH, TD, 8S, JD")
    assert table.betes == [1, 1]


def test_zp23_enforced_ace_duty() -> None:
    table = tricks(["AH KC 8S", "QC 9S 9D"], duties="enforce")
    assert table.legal() == {"AH"}
    table = tricks(["KC 8S 9S", "8C AH TD"], "KC", duties="enforce")
    assert table.legal() == {"8C"}
    table = tricks(["8S AS 9S", "TS AH TD"], "8S, TS", duties="enforce")
    assert (table.player, table.legal()) == (1, {"AH"})  # his first lead comes in the second trick


def test_zp8_a_turned_ace_lifts_the_duties() -> None:
    table = tricks(["KH KC 8S", "7D QH QC"], duties="enforce", turned="AH")
    assert table.legal() == {"KH", "KC", "8S"}
    assert act(table, "KH").legal() == {"7D", "QH"}
    table = tricks(["AD KD KC", "QD JD QC"], duties="enforce", turned="7D")
    assert table.legal() == {"AD"}  # keeps its duty
    assert act(table, "AD").legal() == {"QD", "JD"}


def test_zq14_zp21_ace_duty_play() -> None:
    hands = ["KH KC 8S", "AH 8H 9C"]
    led = tricks(hands, "KH, 8H, KC, 9C, 8S, AH")
    assert led.betes == [0, 0]
    table = tricks(hands, "KH", ace_duty="play")
    assert table.legal() == {"AH", "8H"}
    act(table, "8H, KC, 9C, 8S, AH")  # once only, though the Ace could have gone to KC
    assert table.betes == [0, 1]
    assert tricks(hands, "KH", ace_duty="play", duties="enforce").legal() == {"AH"}
    follow = tricks(["KC KH 8S", "AH 8H 9C"], "KC", ace_duty="play", duties="enforce")
    assert follow.legal() == {"9C"}  # not legal by the other rules
    free = tricks(["KC KH 8S", "AH 8H 9D"], "KC", ace_duty="play", duties="enforce", must_trump=False)
    assert free.legal() == {"AH"}


def test_zp21_ace_duty_play_on_lead() -> None:
    hands = ["AH KH AC", "8S 9S 8D"]
    assert tricks(hands, ace_duty="play", duties="enforce").legal() == {"AH"}
    assert tricks(hands, "KH, 8D, AC, 8S, AH, 9S", ace_duty="play").betes == [1, 1]


def test_zp19_zp23_the_ace_duty_under_winner_leads_trump() -> None:
    table = tricks(["TC 8S 9S", "KC AH 8H"], "TC, KC", winner_leads_trump=True)
    assert table.legal() == {"AH", "8H"}
    act(table, "8H, 8S, AH, 9S")
    assert table.betes == [1, 1]


def test_zp21_zp18_ace_duty_play_waits_while_must_head_forbids_the_ace() -> None:
    table = tricks(
        ["JD KC 8S", "AH JC 9C"],
        "JD",
        variant="bavarian",
        wenzel_rank="top",
        ace_duty="play",
        duties="enforce",
        must_head=True,
    )
    assert table.legal() == {"JC"}
    assert act(table, "JC").legal() == {"AH"}


def test_z25_zq15_the_belli_withheld_under_the_led_ace() -> None:
    hands = ["AH KC 8S", "7D 8H 9C"]
    table = tricks(hands, "AH")
    assert table.legal() == {"7D", "8H"}
    act(table, "8H, KC, 9C, 8S, 7D")
    assert (table.tricks, table.betes) == ([2, 1], [0, 1])
    act(tricks(hands, "AH, 7D, KC, 9C"), "8S, 8H")
    assert tricks(hands, "AH", duties="enforce").legal() == {"7D"}  # ZP23
    assert tricks(hands, "AH", duties="enforce", belli_duty="off").legal() == {"7D", "8H"}
    assert tricks(hands, "AH", duties="enforce", belli_duty="loss_pays").legal() == {"7D", "8H"}
    assert tricks(hands, "AH, 8H, KC, 9C, 8S, 7D", belli_duty="off").betes == [0, 0]


def test_zp20_the_belli_duty_also_when_the_ace_is_led_late() -> None:
    table = tricks(["KC AH 8S", "9C 7D 8H"], "KC, 9C, AH, 8H, 8S, 7D")
    assert table.betes == [1, 1]  # Ace not led, Belli withheld; each has a trick


def test_zq15_no_belli_duty_unless_the_ace_is_led() -> None:
    table = tricks(["KH KC 8S", "AH TC JD", "7D 8H 9C"], "KH, AH", duties="enforce")
    assert table.legal() == {"7D", "8H"}
    act(table, "8H, TC, 9C, KC, 8S, JD, 7D")
    assert (table.tricks, table.betes) == ([1, 1, 1], [0, 0, 0])


def test_z17_zp22_no_belli_duty_for_who_leads_the_ace_himself() -> None:
    assert tricks(["AH 7D 8S", "8H 9H TC"], "AH, 8H, 7D, 9H, 8S, TC", turned="KH").betes == [0, 1]


def test_zp22_the_belli_must_be_legal_and_a_wenzel_is_no_excuse() -> None:
    bavarian: dict[str, Any] = {"variant": "bavarian", "wenzel_rank": "top"}
    hands = ["AH KC 8S", "7D JC 9C"]
    headed = tricks(hands, "AH", must_head=True, duties="enforce", **bavarian)
    assert headed.legal() == {"JC"}
    act(headed, "JC, 7D, KC, 9C, 8S")
    assert headed.betes == [1, 0]
    table = tricks(hands, "AH, JC, 9C, KC, 8S, 7D", **bavarian)
    assert table.betes == [0, 1]  # overtook the Ace, and pays
    assert tricks(hands, "AH", duties="enforce", **bavarian).legal() == {"7D"}


def test_zp24_loss_pays() -> None:
    hands = ["AH KC 8S", "7D 8H 9S"]
    table = tricks(hands, "AH, 7D, KC, 8H, 9S, 8S", belli_duty="loss_pays")
    assert (table.tricks, table.betes) == ([1, 2], [0, 1])
    table = tricks(hands, "AH, 8H, 8S, 9S, 7D, KC", belli_duty="loss_pays")
    assert table.betes == [0, 0]  # withholding is free
    table = tricks(["7D KC 8S", "AH 8H 9C"], "7D, AH, 8H, 8S, 9C, KC", belli_duty="loss_pays")
    assert (table.tricks, table.betes) == ([1, 2], [1, 0])  # whoever led
    table = tricks(
        ["AH 8C 8S", "7D 9D 9C", "JC TD TC"],
        "AH, 7D, JC, TC, 8C, 9C",
        variant="bavarian",
        wenzel_rank="top",
        belli_duty="loss_pays",
    )
    assert act(table, "TD, 8S, 9D").betes == [1, 1, 0]  # a Wenzel took it, not the Ace; both without a trick


def test_zq19_zp27_faults_add_up() -> None:
    table = tricks(
        ["KC AC AH", "8C 7D 8H", "9C TC TH"],
        "KC, 8C, 9C, AC, 8H, TC",
    )
    # Seat 1 trumped the second club and is on lead with the Belli; seat 0 has shown no Ace.
    assert (table.leader, table.tricks) == (1, [1, 1, 0])
    act(table, "7D, TH, AH")
    assert (table.tricks, table.betes) == ([2, 1, 0], [1, 0, 1])
    top = tricks(["AH JC JS", "7D 8H 9C"], "AH, 8H, JC, 7D, JS, 9C", variant="bavarian", wenzel_rank="top")
    assert (top.tricks, top.betes, top.chips, top.pot) == ([3, 0], [0, 2], [3, -9], 6)


def test_zp27_a_durchmarsch_winner_pays_his_faults() -> None:
    table = tricks(["AH KH AC", "8C 9C 9D"], "KH, 9D, AH, 8C, AC, 9C")
    assert (table.tricks, table.betes, table.chips, table.pot) == ([3, 0], [1, 1], [0, -6], 6)


# ---- settlement ---------------------------------------------------------------------------------------


def test_z22_z23_zp26_thirds_and_betes() -> None:
    hands = ["AC KC 8D", "QC TS 9D", "JC 9C TD"]
    table = tricks(hands, "AC, QC, JC, KC, TS, 9C, 8D, 9D, TD", pot=6)
    assert table.tricks == [2, 0, 1]
    assert (table.chips, table.pot, table.betes) == ([6, -3, 0], 3, [0, 1, 0])
    assert (table.over, table.deal_over, table.gained, table.returns) == (True, True, [6, -3, 0], [6, -3, 0])


@pytest.mark.parametrize(
    ("durchmarsch", "chips", "pot", "betes"),
    [
        ("single_bete", [9, -3, 0, -6], 6, [0, 1, 0, 1]),
        ("extra_to_winner", [15, -6, 0, -9], 6, [0, 2, 0, 2]),
        ("extra_to_pot", [9, -6, 0, -9], 12, [0, 2, 0, 2]),
    ],
)
def test_z26_zq18_zp29_durchmarsch(durchmarsch: str, chips: list[int], pot: int, betes: list[int]) -> None:
    hands = ["AC KC QC", "JC TC 9C", "8D 9D TD", "8S 9S TS"]
    table = deal(hands, "play, play, pass, play", max_swaps=0, pot=6, durchmarsch=durchmarsch)
    act(table, "AC, 9C, 8S, KC, TC, 9S, QC, JC, TS")
    assert (table.chips, table.pot, table.betes) == (chips, pot, betes)


def test_z29_four_tricks_a_quarter_each() -> None:
    hands = ["AC KC 8S QS", "8C 9C TS 9S"]
    table = tricks(hands, "AC, 8C, KC, 9C, 8S, TS", variant="four_card")
    assert not table.over
    act(table, "9S, QS")
    assert (table.tricks, table.chips, table.pot) == ([3, 1], [3, -3], 0)
    table = tricks(hands, "AC, 8C, KC, 9C, QS, TS, 8S, 9S", variant="four_card")
    assert (table.tricks, table.chips) == ([3, 1], [3, -3])
    table = tricks(["AC KC QC JC", "8C 9C TS 9S"], "AC, 8C, KC, 9C, QC, 9S, JC, TS", variant="four_card", pot=1)
    assert (table.tricks, table.chips, table.pot) == ([4, 0], [5, -8], 4)  # all four are the Durchmarsch


def test_zq20_zp26_the_remainder_stays_when_the_tricks_are_shared() -> None:
    hands = ["AC KC 8S", "8C 9C TS"]
    table = tricks(hands, "AC, 8C, KC, 9C, 8S, TS", stake=5)
    assert (table.chips, table.pot) == ([2, -4], 2)
    table = tricks(hands, "AC, 8C, KC, 9C, 8S, TS", stake=2)
    assert (table.chips, table.pot) == ([0, -2], 2)  # the floor of two thirds of a chip is none
    table = tricks(["AC KC AS", "8C 9C TS"], "AC, 8C, KC, 9C, AS, TS", stake=5)
    assert (table.chips, table.pot) == ([5, -10], 5)  # a Durchmarsch takes all


def test_zq23_zp28_bete_of_the_pot_and_its_cap() -> None:
    hands = ["AC KC AS", "8C 9C TS"]
    moves = "AC, 8C, KC, 9C, AS, TS"
    assert tricks(hands, moves, pot=9, bete="pot").chips == [12, -15]
    assert tricks(hands, moves, pot=9, bete="pot").pot == 12
    assert tricks(hands, moves, pot=9, bete="pot", bete_cap=2).pot == 6
    assert tricks(hands, moves, pot=9, bete_cap=2).pot == 3  # idle with `stake`
    table = tricks(hands, moves, pot=9, bete="pot", durchmarsch="extra_to_winner")
    assert (table.chips, table.pot) == ([24, -27], 12)


def test_zp30_gained_runs_from_the_first_ante() -> None:
    table = Referee(players=3, session=True, n_deals=9)
    table.start(0)
    again(table, "7D")  # seat 0 pays seat 1; seat 2 deals
    again(table, "KC")
    act(table, "pass, pass, pass")
    assert (table.gained, table.dealer) == ([-6, 3, -3], 0)
    again(table, "KC")
    assert table.gained == [-6, 3, -3]
    act(table, "pass, pass, pass")
    assert (table.gained, table.returns, table.pot) == ([-3, 0, 0], [-9, 3, -3], 9)


# ---- sessions and options -----------------------------------------------------------------------------


def test_zp32_defaults() -> None:
    for variant in VARIANTS:
        form, options = resolve(variant, {})
        seats = 3 if variant == "dreier" else 4
        hand = 4 if variant == "four_card" else 3
        assert (form.seats, form.hand, form.stake, form.n_deals) == (seats, hand, hand, seats)
        assert (options.start_chips, options.target_chips) == (0, None)
    assert resolve("base", {"target_chips": 10})[0].n_deals is None
    assert resolve("base", {"target_chips": 10, "n_deals": 2})[0].n_deals == 2


def test_zp32_zp33_a_session_ends_after_n_deals() -> None:
    table = Referee(players=2, session=True, start_chips=50)
    table.start(1)
    for count in (1, 2):
        assert not table.over
        again(table, "KC")
        act(table, "pass, pass")
        assert table.deals == count
    assert (table.over, table.chips, table.pot, table.winners) == (True, [47, 47], 6, [0, 1])  # ZQ29
    with pytest.raises(ValueError, match="start"):
        again(table, "KC")


def test_zp33_a_session_ends_at_the_target() -> None:
    table = Referee(players=2, session=True, start_chips=10, target_chips=16)
    table.start(1)
    again(table, "KC")
    act(table, "pass, pass")
    assert (table.chips, table.pot, table.over) == ([10, 7], 3, False)  # the pot does not count
    again(table, "KC")
    act(table, "pass, pass")
    again(table, "KC")
    act(table, "play, pass")
    assert (table.chips, table.over, table.winners, table.deals) == ([16, 4], True, [0], 3)


def test_zp33_start_chips_only_shift_the_balances() -> None:
    hands = ["AC KC AS", "8C 9C TS"]
    moves = "AC, 8C, KC, 9C, AS, TS"
    rich, poor = tricks(hands, moves, start_chips=100), tricks(hands, moves)
    assert (rich.returns, rich.gained) == (poor.returns, poor.gained)
    assert poor.chips == [3, -6]  # ZQ28: debts are allowed


def test_zp34_sp33_precedence_and_idle_options() -> None:
    assert resolve("four_card", {"stake": 6})[0].stake == 6
    assert resolve("base", {"wenzel_cards": "ober_unter", "dreier_no_pass": "dealer"})[0] == resolve("base", {})[0]


@pytest.mark.parametrize(
    ("variant", "options", "message"),
    [
        ("tyrolean", {}, "variant='tyrolean'"),
        ("base", {"ante": 3}, "unknown option 'ante'"),
        ("base", {"players": 1}, "players=1"),
        ("base", {"players": 6}, "from 2 to 5"),
        ("dreier", {"players": 4}, "players=4: allowed in variant dreier is 3"),
        ("base", {"stake": 0}, "stake=0"),
        ("base", {"max_swaps": 5}, "max_swaps=5"),
        ("base", {"max_swaps": True}, "max_swaps=True"),
        ("base", {"duties": "mask"}, "penalise, enforce"),
        ("base", {"must_head": 1}, "True, False"),
        ("base", {"n_deals": 0}, "n_deals=0"),
        ("base", {"bete_cap": 0}, "bete_cap=0"),
        ("base", {"target_chips": 0}, "target_chips=0"),
        ("base", {"target_chips": 20, "start_chips": 20}, "start_chips=20"),
        ("base", {"six_duty": True}, "unknown option"),
    ],
)
def test_zp32_zp33_zp34_refusals(variant: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Referee(variant, **options)


def test_zp1_bad_packs_seats_and_actions_are_refused() -> None:
    table = Referee()
    with pytest.raises(ValueError, match="pack of 31"):
        table.attempt(table.form.pack[1:])
    with pytest.raises(ValueError, match="dealer=4"):
        table.start(4)
    with pytest.raises(ValueError, match="pot=-1"):
        table.start(0, pot=-1)
    with pytest.raises(ValueError, match="allowed are none"):
        table.apply("play")
    again(table, "KC")
    with pytest.raises(ValueError, match="action 'stop': allowed are pass, play"):
        table.apply("stop")
    with pytest.raises(ValueError, match="announce"):
        again(table, "KC")


# ---- random play --------------------------------------------------------------------------------------


def check(table: Referee, total: int) -> None:
    """Section 5: chips are conserved, and every card lies in exactly one place."""
    assert sum(table.chips) + table.pot == total
    assert table.pot >= 0
    if table.turned is None:
        return
    places = [card for hand in table.hands for card in hand] + [card for pile in table.discards for card in pile]
    places += table.talon + [card for _, card in table.history] + [table.turned]
    assert sorted(places) == sorted(table.form.pack)
    assert table.history[len(table.history) - len(table.trick) :] == table.trick
    if table.player is not None:
        assert table.legal()
        assert table.node != "play" or table.player in table.active


def play_session(table: Referee, rng: random.Random, dealer: int, pot: int = 0) -> list[Any]:
    """Random play to the end of the episode with every check; returns the actions and results."""
    table.start(dealer, pot)
    trace: list[Any] = []
    total = sum(table.chips) + pot
    aliquot = table.stake % table.form.hand == 0 and pot % table.stake == 0
    while not table.over:
        went = table.attempt(shuffled(table, rng))
        check(table, total)
        assert went == (table.node == "announce")
        played_for = table.pot
        while table.node:
            assert table.pot == played_for  # ZP26
            actions = sorted(table.legal())
            if table.node == "announce" and "play" in actions and rng.random() < 0.5:
                actions = ["play"]
            action = rng.choice(actions)
            trace.append((table.player, action))
            table.apply(action)
            check(table, total)
        if went:
            assert table.deal_over and table.player is None and table.legal() == set()
            if table.history:
                assert sum(table.tricks) == table.form.hand
                assert len(table.history) == table.form.hand * len(table.active)
            if aliquot:
                assert table.pot % table.stake == 0  # ZP35
            assert all(seat in table.active or table.betes[seat] == 0 for seat in range(table.players))
            trace.append((list(table.gained), list(table.betes), table.pot))
    return trace


@pytest.mark.parametrize(("variant", "players"), [(v, n) for v in VARIANTS for n in SEATS[v]])
@pytest.mark.parametrize("session", [False, True])
def test_zq29_chips_and_cards_are_conserved(variant: str, players: int, session: bool) -> None:
    rng = random.Random(f"{variant} {players}")
    table = Referee(variant, session=session, players=players, n_deals=5, start_chips=7)
    for count in range(RANDOM_SESSIONS):
        play_session(table, rng, count % players, pot=count)


VALUES: list[tuple[str, Any]] = [(name, value) for name, values in CHOICES.items() for value in values]
VALUES += [(name, value) for name in SWITCHES for value in (True, False)]
VALUES += [("max_swaps", value) for value in range(5)] + [("stake", value) for value in (1, 2, 5, 12)]
VALUES += [("bete_cap", 1), ("target_chips", 9), ("start_chips", -4)]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_section_4_every_option_value_plays_in_every_variant(name: str, value: Any) -> None:
    rng = random.Random(f"{name} {value}")
    for variant in VARIANTS:
        for players in SEATS[variant]:
            table = Referee(variant, session=True, **{"players": players, "n_deals": 4, name: value})
            play_session(table, rng, 0)


def test_section_4_random_mixtures_of_options() -> None:
    rng = random.Random(4)
    for _ in range(400):
        options: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.items()}
        options |= {name: rng.random() < 0.5 for name in SWITCHES}
        options |= {"max_swaps": rng.randrange(5), "bete_cap": rng.choice([1, 3, 1000]), "n_deals": 3}
        variant = rng.choice(VARIANTS)
        table = Referee(variant, session=True, players=rng.choice(SEATS[variant]), **options)
        play_session(table, rng, 0, pot=rng.randrange(7))
        if options["duties"] == "enforce" and options["belli_duty"] != "loss_pays":
            most = 2 if options["durchmarsch"] != "single_bete" else 1
            assert max(table.betes) <= most  # ZP23: nothing is left but the trickless


def test_f21_f23_a_used_table_plays_like_a_fresh_one() -> None:
    for variant in VARIANTS:
        used = Referee(variant, session=True)
        play_session(used, random.Random(1), 0)
        fresh = play_session(Referee(variant, session=True), random.Random(2), 1)
        assert play_session(used, random.Random(2), 1) == fresh


def test_f10_f22_copies_are_independent_and_go_on_alike() -> None:
    table = deal(["KH QH JH", "KC QC JC"], "play, play")
    first, second = copy.deepcopy(table), copy.deepcopy(table)
    act(first, "swap KH")
    assert table.hands[0] == second.hands[0] == {"KH", "QH", "JH"}
    act(second, "swap KH")
    assert vars(first) == vars(second)
