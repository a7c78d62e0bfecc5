"""The compiled loops against hands played one call at a time, and their sums against sums of the rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.dealing import deal_hand
from cardsim.game import Game
from cardsim.jit import DISABLED
from cardsim.playout import (
    BLOCK_EPISODES,
    COUNT,
    HIGH,
    LOW,
    SCALE,
    SQUARES,
    TOTAL,
    add_moment,
    pick_uniform,
    play_random,
)
from cardsim.registry import make_game
from tests.core.pilegame import GAME
from tests.core.units import Units

UNITS = 12 if DISABLED else 150


def play_one(units: Units, number: int, rotation: int) -> tuple[Any, Any]:
    """Play one episode call by call; the returns in whole 1/SCALE, and the final state."""
    game = units.game
    players = game.num_players
    streams, states = rng.new_streams(1 + players), game.new_states()
    for k in range(1 + players):
        rng.seed_stream(streams[k], np.uint64(units.seed), np.uint64(number), np.uint64(k))
    contract.reset(states[0], streams[0])
    hand = 0
    while (player := game.current_player(states)) != contract.TERMINAL:
        if player == contract.CHANCE:
            stream = rng.CARDS + (hand << rng.MATCH_SHIFT)
            if hand:
                rng.seed_stream(streams[0], np.uint64(units.seed), np.uint64(number), np.uint64(stream))
            contract.deal(states[0], streams[0])
            hand += 1
            continue
        agent = units.agents[(player - rotation) % players]
        legal = np.uint64(game.legal_mask(states))
        game.apply_action(states, int(contract.act(agent, states[0], legal, streams[rng.AGENT + player])))
    scaled = [round(value * SCALE) for value in game.returns(states).tolist()]
    return scaled, states


CASES: dict[str, tuple[Any, list[str]]] = {
    "pile": (lambda: GAME.make(), ["greedy", "random"]),
    "pile of three": (lambda: GAME.make(players=3, hands=2), ["greedy", "random", "greedy"]),
    "pile of four": (lambda: GAME.make(players=4), ["lowest", "random", "greedy", "greedy(margin=1)"]),
    "base": (lambda: make_game("sixty_six"), ["cautious", "random"]),
    "three_hand": (lambda: make_game("sixty_six(preset=three_hand)"), ["cautious", "random", "cautious"]),
    "match": (lambda: make_game("sixty_six(preset=schnapsen,match=true,target=3)"), ["cautious", "random"]),
}


def made(name: str, duplicate: bool = False) -> Units:
    make, agents = CASES[name]
    return Units(make(), agents, duplicate)


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_rows_agree_with_episodes_played_call_by_call(name: str, duplicate: bool) -> None:
    units = made(name, duplicate)
    players = units.game.num_players
    first, count = 11, 4 if DISABLED else 12
    assert units.play(first, count, rows=True) == count
    columns = len(units.game.hand_columns)
    row = 0
    for number in range(first, first + count):
        for rotation in range(players) if duplicate else [number % players]:
            scaled, states = play_one(units, number, rotation)
            hand, seats = (
                np.zeros(columns, np.int32),
                np.zeros((players, len(units.game.seat_columns)), np.int32),
            )
            contract.outcome(states[0], hand, seats)
            seated = [(seat - rotation) % players for seat in range(players)]
            want = [number, rotation, *seated, *hand.tolist(), *seats.reshape(-1).tolist()]
            assert units.table[row].tolist() == want
            assert [round(value * SCALE) for value in units.values[row].tolist()] == scaled
            row += 1
    assert row == len(units.table)


def sums_of(samples: list[int]) -> list[int]:
    return [
        len(samples),
        sum(samples),
        sum(v * v for v in samples),
        min(samples, default=0),
        max(samples, default=0),
    ]


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_sums_agree_with_the_rows(name: str, duplicate: bool) -> None:
    units = made(name, duplicate)
    players, count, labels = units.game.num_players, len(units.names), units.labels.tolist()
    columns, hands = len(units.game.seat_columns), len(units.game.hand_columns)
    units.play(0, UNITS, rows=True)
    per_seat: dict[tuple[int, int], list[int]] = {(a, s): [] for a in range(count) for s in range(players)}
    per_unit = [[0] * count for _ in range(UNITS)]
    seat_counts = np.zeros((count, players, columns), np.int64)
    for row, returns in zip(units.table.tolist(), units.values.tolist(), strict=True):
        entries, counts = row[2 : 2 + players], np.array(row[2 + players + hands :]).reshape(players, columns)
        for seat in range(players):
            label, value = labels[entries[seat]], round(returns[seat] * SCALE)
            per_seat[label, seat].append(value)
            per_unit[row[0]][label] += value
            seat_counts[label, seat] += counts[seat]
    for a in range(count):
        assert units.moments[a].tolist() == sums_of([unit[a] for unit in per_unit])
        for seat in range(players):
            assert units.moments[count + a * players + seat].tolist() == sums_of(per_seat[a, seat])
        for b in range(count):
            weighted = [unit[a] * labels.count(b) - unit[b] * labels.count(a) for unit in per_unit]
            got = units.moments[count + count * players + a * count + b].tolist()
            assert got == (sums_of(weighted) if a < b else [0] * 5)
    assert units.seats.tolist() == seat_counts.tolist()
    assert units.hands.tolist() == units.table[:, 2 + players : 2 + players + hands].sum(axis=0).tolist()


@pytest.mark.parametrize("name", CASES)
def test_any_grouping_of_units_gives_the_same_sums(name: str) -> None:
    whole, parts = made(name), made(name)
    whole.play(0, 40)
    for first, count in ((31, 9), (0, 1), (1, 30)):
        parts.play(first, count)
    assert whole.state() == parts.state()
    again = made(name)
    again.play(0, 40, rows=True)  # whether rows are kept makes no difference
    assert again.state() == whole.state()


@pytest.mark.parametrize("name", CASES)
def test_seats_rotate_with_the_unit(name: str) -> None:
    units = made(name)
    players = units.game.num_players
    units.play(5, 3 * players, rows=True)
    assert units.table[:, 0].tolist() == list(range(5, 5 + 3 * players))
    assert units.table[:, 1].tolist() == [number % players for number in range(5, 5 + 3 * players)]
    seated = np.zeros((players, players), int)
    for row in units.table.tolist():
        for seat in range(players):
            seated[row[2 + seat], seat] += 1
    assert (seated == 3).all()


def test_duplicates_deal_every_seating_the_same_cards() -> None:
    """Agents that all play alike end with equal sums, deal by deal: the luck of the cards has cancelled."""
    units = Units(GAME.make(players=3), ["greedy", "greedy(margin=0)", "greedy(margin=0)"], duplicate=True)
    units.play(0, UNITS, rows=True)
    assert units.table[:, 1].tolist() == [0, 1, 2] * UNITS
    assert [list(row) for row in units.moments[:2].tolist()] == [[UNITS, 0, 0, 0, 0]] * 2
    for number in range(UNITS):
        deals = units.values[3 * number : 3 * number + 3]
        assert (deals == deals[0]).all()


def test_thirds_are_summed_exactly() -> None:
    units = Units(GAME.make(players=3), ["random", "greedy", "lowest"])
    units.play(0, UNITS, rows=True)
    for row, returns in zip(units.table.tolist(), units.values.tolist(), strict=True):
        totals = row[-3:]
        exact = [Fraction(total) - Fraction(sum(totals), 3) for total in totals]
        assert [round(value * SCALE) for value in returns] == [value * SCALE for value in exact]
    assert sum(units.moments[a, TOTAL] for a in range(3)) == 0


def test_moments_of_values_of_either_sign() -> None:
    moments = np.zeros((2, 5), np.int64)
    for value in (-3, -1, -7):
        add_moment(moments, 1, np.int64(value))
    assert moments[0].tolist() == [0] * 5
    assert [int(moments[1, k]) for k in (COUNT, TOTAL, SQUARES, LOW, HIGH)] == [3, -11, 59, -7, -1]
    add_moment(moments, 0, np.int64(4))
    assert moments[0].tolist() == [1, 4, 16, 4, 4]


def test_runs_longer_than_a_block_lose_nothing() -> None:
    count = 30 if DISABLED else 2 * BLOCK_EPISODES // 3 + 17
    whole, parts = made("pile of three", duplicate=True), made("pile of three", duplicate=True)
    assert whole.play(0, count, rows=True) == count
    for first in range(0, count, 100):
        parts.play(first, min(100, count - first))
    assert whole.state() == parts.state()
    assert whole.table[:, 0].tolist() == [number for number in range(count) for _ in range(3)]
    total = np.rint(whole.values * SCALE).astype(np.int64).sum(axis=0).tolist()
    labels = len(whole.names)
    by_seat = whole.moments[labels : labels + 3 * labels, TOTAL].reshape(labels, 3)
    assert by_seat.sum(axis=0).tolist() == total


# --- random play


@pytest.mark.parametrize("name", CASES)
def test_random_play_agrees_with_episodes_played_call_by_call(name: str) -> None:
    game: Game = CASES[name][0]()
    players, first, count = game.num_players, 3, 4 if DISABLED else 12
    totals = np.zeros(2 + players, np.int64)
    play_random(game.new_states(), rng.new_streams(2), np.uint64(1), np.uint64(first), count, totals)
    want = [count, 0, *[0] * players]
    for number in range(first, first + count):
        stream = rng.new_streams(1)
        rng.seed_stream(stream[0], np.uint64(1), np.uint64(number), np.uint64(rng.AGENT))
        states, hand = game.deal(1, number), 1
        while (player := game.current_player(states)) != contract.TERMINAL:
            if player == contract.CHANCE:
                game.deal_next(1, number, hand, states)
                hand += 1
                continue
            want[1] += 1
            game.apply_action(states, int(pick_uniform(np.uint64(game.legal_mask(states)), stream[0])))
        for seat, value in enumerate(game.returns(states).tolist()):
            want[2 + seat] += round(value * SCALE)
    assert totals.tolist() == want


def test_random_play_adds_on_in_parts() -> None:
    game = make_game("sixty_six")
    whole, parts = np.zeros(4, np.int64), np.zeros(4, np.int64)
    play_random(game.new_states(), rng.new_streams(3), np.uint64(1), np.uint64(0), UNITS, whole)
    for first, count in ((5, UNITS - 5), (0, 5)):
        play_random(game.new_states(), rng.new_streams(3), np.uint64(1), np.uint64(first), count, parts)
    assert whole.tolist() == parts.tolist()


def test_the_last_deal_numbers_of_all() -> None:
    game = GAME.make()
    totals = np.zeros(4, np.int64)
    play_random(game.new_states(), rng.new_streams(3), np.uint64(2**64 - 1), np.uint64(2**64 - 5), 5, totals)
    assert totals[:2].tolist() == [5, 20]


def test_each_hand_of_a_match_has_cards_of_its_own() -> None:
    game = GAME.make(hands=3)
    states, streams = game.new_states(), rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(2), rng.CARDS)
    contract.reset(states[0], streams[0])
    hands = []
    for hand in range(3):
        deal_hand(states[0], streams[0], np.uint64(1), np.uint64(2), hand)
        hands.append(states["hand"].tobytes())
        while game.current_player(states) >= 0:
            game.apply_action(states, game.legal_actions(states)[0])
    assert len(set(hands)) == 3
    game.deal(1, 2, states)
    assert states["hand"].tobytes() == hands[0]
    for hand in (1, 2):  # any hand can be dealt without those before it, up to who deals
        while game.current_player(states) >= 0:
            game.apply_action(states, game.legal_actions(states)[0])
        game.deal_next(1, 2, hand, states)
        assert states["hand"].tobytes() == hands[hand]


def test_pick_uniform_reaches_each_member_equally() -> None:
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(2), rng.USER)
    mask = np.uint64(1 << 0 | 1 << 17 | 1 << 62)
    picked = [int(pick_uniform(mask, streams[0])) for _ in range(600)]
    counts = [picked.count(member) for member in (0, 17, 62)]
    assert sum(counts) == 600
    assert min(counts) > 150
