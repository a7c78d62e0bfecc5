"""The referee of Sixty-Six by itself: the known faults as small hands, and random play of every preset."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .sixty_six import Referee, beats
from .sixty_six_options import PRESETS

RANDOM_HANDS = 60


def place(
    hands: list[str],
    *,
    trump: str = "H",
    leader: int = 0,
    points: tuple[int, ...] = (0, 0),
    tricks: tuple[int, ...] = (0, 0),
    talon: str = "",
    closer: int | None = None,
    preset: str = "base",
    **options: Any,
) -> Referee:
    """A table in mid-deal with `leader` on lead: hands and talon as texts, points and tricks by side."""
    table = Referee(preset, **options)
    table.deal(table.form.pack)
    table.hands = [set(hand.split()) for hand in hands]
    table.talon = talon.split()
    table.trump = trump
    table.points, table.tricks = list(points), list(tricks)
    table.tricks_played = sum(tricks)
    table.leader = table.player = leader
    table.node = "lead"
    if closer is not None:
        table.closer = closer
        table.at_close = (list(points), list(tricks))
    return table


def play(table: Referee, moves: str) -> Referee:
    """Apply actions separated by commas."""
    for move in moves.split(","):
        table.apply(move.strip())
    return table


def play_randomly(table: Referee, rng: random.Random, cards_only: bool = False) -> None:
    """Play the dealt hand to its end, uniformly over the legal actions."""
    while not table.over:
        actions = sorted(table.legal())
        if cards_only:
            quiet = [a for a in actions if len(a) == 2 or a in ("draw", "pass")]
            actions = quiet or actions
        table.apply(rng.choice(actions))


def shuffled(table: Referee, rng: random.Random) -> list[str]:
    """The table's pack in random order."""
    deck = table.form.pack
    rng.shuffle(deck)
    return deck


@pytest.mark.parametrize(
    ("tie", "payment", "carry", "reason"),
    [("draw", [0, 0], 0, "tie"), ("carry1", [0, 0], 1, "tie"), ("last_trick", [1, 0], 0, "exhausted")],
)
def test_f1_65_all_is_a_tie(tie: str, payment: list[int], carry: int, reason: str) -> None:
    table = place(["AC", "9C"], points=(44, 65), tricks=(5, 6), tie=tie)
    play(table, "AC, 9C, pass")
    assert table.points == [65, 65]
    assert (table.game_points, table.carry, table.reason) == (payment, carry, reason)


def test_f2_the_loser_of_the_sixth_trick_draws_the_face_up_card() -> None:
    rng = random.Random(2)
    for _ in range(20):
        table = Referee(close_min_talon=99)
        deck = shuffled(table, rng)
        table.deal(deck)
        assert table.face_up == deck[12]
        while table.tricks_played < 6:
            table.apply(rng.choice(sorted(a for a in table.legal() if len(a) == 2)))
        assert table.player is not None
        assert [len(hand) for hand in table.hands] == [6, 6]
        assert table.talon_count == 0
        assert table.face_up is None
        assert deck[12] in table.hands[1 - table.player]


def test_f3_one_marriage_a_lead_and_the_pair_must_be_led() -> None:
    table = place(
        ["KC QC KD QD 9H AS", "9C JC 9D JD TS KS"],
        tricks=(1, 0),
        points=(4, 0),
        talon="AD AC TC JH",
        leader=0,
    )
    play(table, "pair C")
    assert table.points[0] == 24
    assert table.legal() == {"KC", "QC", "exchange", "close", "claim"}
    play(table, "exchange, close")
    assert table.legal() == {"KC", "QC", "claim"}
    assert "JH" in table.hands[0]
    with pytest.raises(ValueError, match="pair D"):
        table.apply("pair D")
    loose = place(["KC QC KD QD", "9C JC 9D JD"], tricks=(1, 0), marriage_must_lead=False)
    assert play(loose, "pair C").legal() == {"KC", "QC", "KD", "QD", "claim"}


def test_f4_strict_duty_heads_the_trick() -> None:
    first = place(["QC 9S", "9C AC AH"], closer=0, talon="9D JH")
    assert play(first, "QC").legal() == {"AC"}
    second = place(["QC 9S", "9D AH"], closer=0, talon="9S JH")
    assert play(second, "QC").legal() == {"AH"}
    third = place(["QC 9S", "9D AH"], talon="9S JH")
    assert play(third, "QC").legal() == {"9D", "AH"}


def test_sp25_with_more_than_two_players() -> None:
    table = place(["QC 9S", "JH 9D", "AC 9C 9H", "9D QH TH 9S"], preset="four_hand")
    play(table, "QC, JH")
    assert table.legal() == {"AC", "9C"}  # the trick is trumped: any card of the suit
    play(table, "9C")
    assert table.legal() == {"QH", "TH"}  # overtrump
    table = place(["QC 9S", "TH 9D", "9H JH", "9D 9S"], preset="four_hand")
    assert play(table, "QC, TH").legal() == {"9H", "JH"}  # cannot overtrump, must still trump


def test_f5_a_trick_without_points_is_a_trick() -> None:
    table = place(["AC KH", "9D TD"], leader=1, points=(66, 0), tricks=(5, 0), closer=None)
    play(table, "9D, KH")
    assert play(table, "claim").game_points == [3, 0]
    table = place(["AC KH", "9D TD"], points=(66, 0), tricks=(5, 1))
    assert play(table, "claim").game_points == [2, 0]


def test_f6_claim_once_the_stock_is_empty() -> None:
    table = place(["AC KH", "9D TD"], points=(70, 20), tricks=(6, 2))
    assert "claim" in table.legal()
    assert play(table, "claim").game_points == [2, 0]


@pytest.mark.parametrize(
    ("failed_close", "tricks", "after", "price"),
    [
        ("2_or_3", (0, 2), (0, 2), 2),
        ("2_or_3", (2, 0), (2, 0), 3),
        ("2_or_3", (2, 0), (2, 1), 3),
        ("2_or_3_at_end", (2, 0), (2, 1), 2),
        ("2_or_3_at_end", (2, 0), (2, 0), 3),
        ("always_3", (0, 2), (0, 2), 3),
    ],
)
def test_f7_a_failed_close_looks_at_the_opponents_tricks(
    failed_close: str, tricks: tuple[int, int], after: tuple[int, int], price: int
) -> None:
    for closer in (0, 1):
        turn = 1 if closer == 0 else -1
        table = place(
            ["AC", "9C"][::turn],
            leader=closer,
            closer=closer,
            tricks=tricks[::turn],
            talon="9D JH",
            failed_close=failed_close,
        )
        table.tricks = list(after[::turn])
        play(table, "AC, 9C, pass")
        assert (table.reason, table.winner_side) == ("failed_close", 1 - closer)
        assert table.game_points == [0, price][::turn]
        assert sum(table.points) == 11  # F9: no ten in closed play


def test_f8_marriages_after_the_exchange() -> None:
    table = place(["9S QS", "AD AC"], trump="S", tricks=(1, 0), talon="TC KS")
    assert "pair S" not in table.legal()
    play(table, "exchange")
    assert (table.face_up, "pair S" in table.legal()) == ("9S", True)
    assert play(table, "pair S").points[0] == 40


def test_f25_the_trump_ace_beats_the_nine() -> None:
    assert beats("AS", "9S", "S")
    table = place(["9S 9D", "AS 9C"], trump="S")
    assert play(table, "9S, AS").leader == 1


def test_f26_the_king_reaches_66_where_the_queen_does_not() -> None:
    for card, arrives in (("KC", True), ("QC", False)):
        table = place(["KC QC", "JC 9C"], points=(40, 0), tricks=(4, 1), claims="true_only")
        play(table, "pair C")
        assert table.legal() == {"KC", "QC"}
        play(table, f"{card}, JC")
        assert table.points[0] == 66 - (not arrives)
        assert ("claim" in table.legal()) is arrives


def test_false_and_beaten_claims() -> None:
    """SQ19, SP17, SP18: the closer pays the dearer of two prices, his opponent's claim follows the option."""
    table = place(["AC KH", "9D TD"], points=(20, 0), tricks=(2, 0), closer=0, talon="9S JH")
    assert play(table, "claim").game_points == [0, 3]
    table = place(["AC KH", "9D TD"], points=(20, 30), tricks=(2, 2), leader=1, closer=0, talon="9S JH")
    assert play(table, "claim").game_points == [2, 0]
    for beaten, price in (("as_failed", 2), ("flat2", 2), ("as_claim", 1)):
        table = place(
            ["AC KH", "9D TD"],
            points=(40, 70),
            tricks=(2, 2),
            leader=1,
            closer=0,
            talon="9S JH",
            beaten_closer=beaten,
        )
        play(table, "claim")
        assert (table.reason, table.game_points) == ("beaten_closer", [0, price])


def test_sp8_pending_marriage_and_sp13_auto_claims() -> None:
    table = place(["KH QH AC", "9D TD 9C"], early_marriage="pending", claims="auto")
    play(table, "pair H")
    assert (table.points, table.pending, table.over) == ([0, 0], [40, 0], False)
    play(table, "KH, TD")
    assert (table.points, table.pending) == ([54, 0], [0, 0])
    forced = place(["KH QH", "9D TD"], points=(30, 0), tricks=(2, 1), claims="auto", announce="forced")
    assert forced.legal() == {"KH", "QH"}
    play(forced, "KH")
    assert (forced.reason, forced.trick, forced.points[0]) == ("claim", [], 70)
    king = place(["KH QH", "9D TD"], tricks=(2, 1), announce="forced", marriage_lead="king", claims="auto")
    assert king.legal() == {"KH"}


def test_sp15_exchange_on_close() -> None:
    table = place(["AC KH", "9H TD"], points=(20, 0), tricks=(2, 0), talon="9S JH", exchange_on_close=True)
    play(table, "close")
    assert (table.player, table.legal()) == (1, {"exchange", "pass"})
    play(table, "exchange")
    assert (table.player, table.hands[1], table.face_up) == (0, {"JH", "TD"}, None)


def test_sp29_a_marriage_of_1001_makes_trumps() -> None:
    table = Referee("1001")
    rest = [card for card in table.form.pack if card not in ("KD", "QD", "KS", "QS", "TH", "AC", "AH", "9C")]
    lead = ["KD", "QD", "KS", "QS"] + rest[:4] + ["TH", "AC", "AH", "9C"] + rest[4:]
    table.start_match(1)
    table.deal(lead)
    assert (table.player, table.trump, table.talon_count) == (0, None, 8)
    assert {"pair D", "pair S"} <= table.legal()
    play(table, "pair S")
    assert (table.trump, table.pending, table.legal()) == ("S", [80, 0], {"KS", "QS"})


@pytest.mark.parametrize("preset", PRESETS)
def test_random_hands_end_and_points_add_up(preset: str) -> None:
    rng = random.Random(preset)
    table = Referee(preset)
    for number in range(RANDOM_HANDS):
        table.start_match(number % table.players)
        table.deal(shuffled(table, rng))
        # every second hand avoids claims and closing, so that it is played out
        play_randomly(table, rng, cards_only=number % 2 == 0)
        assert table.player is None and table.legal() == set()
        if preset != "1001":  # 1001 counts points instead
            assert sum(1 for seat in table.game_points if seat) <= (2 if table.form.teams else 1)
        if number % 2 == 0:
            bonus = 10 if table.reason != "counted" and table.options.exhausted == "ten_points" else 0
            assert sum(table.points) == 120 + bonus
            assert table.reason in ("counted", "exhausted", "tie")
        else:
            assert table.reason


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        *((preset, {}) for preset in PRESETS),
        ("four_hand", {"american": True}),
        ("four_hand", {"partner_meld": True, "claim_timing": "any_turn", "early_marriage": "next_trick"}),
        ("three_hand", {"idle_dealer": "shares", "tie": "carry1"}),
        ("1001", {"players": 3, "ascending_marriages": True}),
        ("1001", {"hand": 6, "follow_always": True}),
        ("pagat66", {"claims": "auto", "announce": "forced", "close_timing": "before_draw"}),
    ],
)
def test_random_matches_end(preset: str, options: dict[str, Any]) -> None:
    rng = random.Random(f"{preset} {options}")
    table = Referee(preset, match=True, **options)
    for _ in range(4):
        table.start_match(rng.randrange(table.players))
        while not table.match_over:
            table.deal(shuffled(table, rng))
            play_randomly(table, rng)
        assert max(table.scores) >= table.options.target
        assert all(table.scores[seat] == max(table.scores) for seat in table.match_winner)
        assert len(table.match_winner) == (2 if table.form.teams else 1)


def test_bad_input_is_named_and_changes_nothing() -> None:
    for options in ({"tie": "toss"}, {"closing": 1}, {"target": 0}, {"colour": "red"}, {"players": 3}):
        with pytest.raises(ValueError, match="allowed"):
            Referee("base", **options)
    table = place(["AC KH", "9D TD"])
    with pytest.raises(ValueError, match="claim"):
        table.apply("claim")
    assert (table.player, table.hands[0]) == (0, {"AC", "KH"})
