"""The referee of Zwicken by itself: settlement, sessions, options."""

from __future__ import annotations

from typing import Any

import pytest

from .zwicken import Referee
from .zwicken_deals import act, again, deal, tricks
from .zwicken_options import VARIANTS, resolve

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
