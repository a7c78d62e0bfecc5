"""Compiled loops over whole hands, written once for every game and every mix of agents.

A *unit* is one deal number. Without duplicates it is played once, with the seats rotated by its number; with
duplicates it is played in every seating, and the unit's value for an agent is the sum over the seatings, so that the
luck of the cards cancels. Everything is added up in exact integers (returns times `SCALE`), so that any grouping of
units gives the same sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, holds, popcount, select
from cardsim.contract import (
    MAX_PLAYERS,
    TERMINAL,
    act,
    apply_action,
    current_player,
    deal,
    legal_actions,
    outcome,
    reset,
    returns,
)
from cardsim.dealing import deal_hand, seed_episode, seed_hand
from cardsim.jit import inlined, kernel
from cardsim.rng import AGENT, below
from cardsim.user_agents import call

SCALE = 840
"""Returns are multiples of 1/840 (thirds, sevenths, ... of whole points) and are summed as integers."""
COUNT, TOTAL, SQUARES, LOW, HIGH = range(5)
MOMENT_COLUMNS = 5
FAULT_NONE, FAULT_ILLEGAL = 0, 1
BLOCK_EPISODES = 2048


@kernel
def play_random(states: Any, streams: Any, seed: Any, first: Any, count: int, totals: Any) -> None:
    """Play `count` episodes from deal number `first` on, every decision uniformly at random from one stream.

    Args:
        states: one record with the rules in.
        streams: 2 streams.
        totals: int64 (2 + players,): episodes, decisions, and each seat's return times SCALE are added.
    """
    state = states[0]
    cards = streams[0]
    values = np.zeros(MAX_PLAYERS)
    players = I64(state["rules"]["players"])
    decisions = 0
    for k in range(count):
        number = first + np.uint64(k)
        seed_episode(streams, 1, seed, number)
        reset(state, cards)
        hand = 0
        while True:
            player = current_player(state)
            if player < 0:
                if player == TERMINAL:
                    break
                deal_hand(state, cards, seed, number, hand)
                hand += 1
                continue
            legal = legal_actions(state)
            decisions += 1
            apply_action(state, pick_uniform(legal, streams[AGENT]))
        returns(state, values)
        for seat in range(players):
            totals[2 + seat] += I64(np.rint(values[seat] * SCALE))
    totals[0] += count
    totals[1] += decisions


@inlined
def pick_uniform(legal: Any, stream: Any) -> int:
    """A uniformly random member of a legal set."""
    return select(legal, below(stream, popcount(legal)))


@kernel
def play_range(
    states: Any,
    streams: Any,
    agents: Any,
    addresses: Any,
    plan: Any,
    values: Any,
    hands: Any,
    seats: Any,
    fault: Any,
) -> int:
    """Play the units of a plan, episode by episode; entry e of `agents` sits at seat (e + rotation) % players.

    One loop and no helper around it: each layer above the agents costs a full optimisation of all that lies below.

    Args:
        plan: uint64 (4,), as for `play_units`.
        values: float64 (episodes, MAX_PLAYERS): returns by seat.
        hands: int32 (episodes, H): hand columns.
        seats: int32 (episodes, players, S): seat columns.

    Returns:
        Episodes finished; fewer than planned if a user's agent gave an illegal action, which `fault` then tells.
    """
    state = states[0]
    players = I64(state["rules"]["players"])
    seatings = I64(plan[3])
    for episode in range(I64(plan[2]) * seatings):
        number = plan[1] + np.uint64(episode // seatings)
        rotation = rotation_of(episode, number, seatings, players)
        seed_episode(streams, players, plan[0], number)
        reset(state, streams[0])
        hand = 0
        while True:
            player = current_player(state)
            if player < 0:
                if player == TERMINAL:
                    break
                seed_hand(streams[0], plan[0], number, hand)
                deal(state, streams[0])
                hand += 1
                continue
            legal = legal_actions(state)
            entry = (player - rotation + players) % players
            if addresses[entry] == 0:
                action = I64(act(agents[entry], state, legal, streams[AGENT + player]))
            else:
                action = call(addresses[entry], agents[entry], state, legal, streams[AGENT + player])
                if not holds(legal, action):
                    _note_fault(fault, entry, action, number, rotation)
                    return episode
            apply_action(state, action)
        returns(state, values[episode])
        outcome(state, hands[episode], seats[episode])
    return I64(plan[2]) * seatings


@kernel
def rotation_of(episode: int, number: Any, seatings: int, players: int) -> int:
    """Seats by which the entries are moved: every seating in turn, or by the deal's number where there is only one."""
    if seatings > 1:
        return episode % seatings
    return I64(number % np.uint64(players))


@kernel
def _note_fault(fault: Any, entry: int, action: int, number: Any, rotation: int) -> None:
    fault[0] = FAULT_ILLEGAL
    fault[1] = entry
    fault[2] = action
    fault[3] = I64(number)
    fault[4] = rotation


@inlined
def add_moment(moments: Any, row: int, value: Any) -> None:
    """Add one integer value to row `row` of (rows, MOMENT_COLUMNS) sums."""
    if moments[row, COUNT] == 0 or value < moments[row, LOW]:
        moments[row, LOW] = value
    if moments[row, COUNT] == 0 or value > moments[row, HIGH]:
        moments[row, HIGH] = value
    moments[row, COUNT] += 1
    moments[row, TOTAL] += value
    moments[row, SQUARES] += value * value


@kernel
def add_range(
    plan: Any,
    labels: Any,
    values: Any,
    hands: Any,
    seats: Any,
    moments: Any,
    hand_counts: Any,
    seat_counts: Any,
) -> None:
    """Add the episodes of whole units to the sums; arguments as for `play_range` and `play_units`."""
    players = seats.shape[1]
    seatings = I64(plan[3])
    num_labels = seat_counts.shape[0]
    sums = np.zeros(num_labels, np.int64)
    for episode in range(I64(plan[2]) * seatings):
        number = plan[1] + np.uint64(episode // seatings)
        rotation = rotation_of(episode, number, seatings, players)
        for seat in range(players):
            label = labels[(seat - rotation + players) % players]
            value = I64(np.rint(values[episode, seat] * SCALE))
            sums[label] += value
            add_moment(moments, num_labels + label * players + seat, value)
            for column in range(seats.shape[2]):
                seat_counts[label, seat, column] += seats[episode, seat, column]
        for column in range(hands.shape[1]):
            hand_counts[column] += hands[episode, column]
        if (episode + 1) % seatings == 0:
            _add_unit(moments, labels, sums, num_labels, players)
            sums[:] = 0


@kernel
def _add_unit(moments: Any, labels: Any, sums: Any, num_labels: int, players: int) -> None:
    for label in range(num_labels):
        add_moment(moments, label, sums[label])
    for a in range(num_labels):
        for b in range(a + 1, num_labels):
            entries_a = 0
            entries_b = 0
            for k in range(players):
                entries_a += labels[k] == a
                entries_b += labels[k] == b
            difference = sums[a] * entries_b - sums[b] * entries_a
            add_moment(moments, num_labels + num_labels * players + a * num_labels + b, difference)


def play_units(
    states: Any,
    streams: Any,
    agents: Any,
    addresses: Any,
    labels: Any,
    plan: Any,
    moments: Any,
    hand_counts: Any,
    seat_counts: Any,
    table: Any,
    values: Any,
    fault: Any,
) -> int:
    """Play a range of units and add up the results.

    Args:
        states: one record with the rules in.
        streams: 1 + players streams.
        agents: records of one family, (players,).
        addresses: uint64 (players,), 0 or a user's agent (see user_agents).
        labels: int64 (players,), which name each entry counts for, 0 .. L-1.
        plan: uint64 (4,): seed, first unit, number of units, seatings per unit (1 or players).
        moments: int64 (L + L * players + L * L, MOMENT_COLUMNS), added to: units per label; returns per label and seat;
            differences of unit sums per pair of labels (row L + L * players + a * L + b, for a < b), where each label's
            sum is multiplied by the other's number of entries.
        hand_counts: int64 (H,), added to: the game's hand columns.
        seat_counts: int64 (L, players, S), added to: the game's seat columns.
        table: int64 (episodes, 2 + players + H + players * S) or empty: unit, rotation, entries by seat, columns.
        values: float64 (episodes, players) or empty: returns by seat.
        fault: int64 (5,): (kind, entry, action, unit, rotation) when a user's agent went wrong.

    Returns:
        Units finished; fewer than asked for after a fault.
    """
    _, players, columns = seat_counts.shape
    first, count, seatings = (int(number) for number in plan[1:])
    block = max(1, BLOCK_EPISODES // seatings)
    returned = np.zeros((block * seatings, MAX_PLAYERS))
    hands = np.zeros((block * seatings, len(hand_counts)), np.int32)
    seats = np.zeros((block * seatings, players, columns), np.int32)
    for start in range(0, count, block):
        part = np.array([plan[0], first + start, min(block, count - start), seatings], np.uint64)
        done = int(play_range(states, streams, agents, addresses, part, returned, hands, seats, fault))
        part[2] = done // seatings
        add_range(part, labels, returned, hands, seats, moments, hand_counts, seat_counts)
        if len(table):
            rows = slice(start * seatings, start * seatings + int(part[2]) * seatings)
            _fill_rows(part, returned, hands, seats, table[rows], values[rows])
        if fault[0] != FAULT_NONE:
            return start + done // seatings
    return count


def _fill_rows(plan: Any, returned: Any, hands: Any, seats: Any, table: Any, values: Any) -> None:
    first, seatings, players = int(plan[1]), int(plan[3]), seats.shape[1]
    count = len(table)
    episodes = np.arange(count)
    units = np.uint64(first) + (episodes // seatings).astype(np.uint64)
    rotations = episodes % seatings if seatings > 1 else (units % np.uint64(players)).astype(np.int64)
    table[:, 0] = units.astype(np.int64)
    table[:, 1] = rotations
    table[:, 2 : 2 + players] = (np.arange(players) - rotations[:, None]) % players
    table[:, 2 + players : 2 + players + hands.shape[1]] = hands[:count]
    table[:, 2 + players + hands.shape[1] :] = seats[:count].reshape(count, -1)
    values[:] = returned[:count, :players]
