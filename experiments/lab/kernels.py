"""Compiled loops of the experiments: whole deals, decisions on the way, and playing on from them.

They are written over the contract, so each is compiled once a game and serves every question.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, holds
from cardsim.contract import (
    MAX_PLAYERS,
    TERMINAL,
    act,
    apply_action,
    current_player,
    deal,
    legal_actions,
    reset,
    returns,
)
from cardsim.dealing import seed_episode, seed_hand
from cardsim.jit import kernel
from cardsim.rng import AGENT, USER, seed_stream


@kernel
def play_deals(
    states: Any,
    streams: Any,
    agents: Any,
    seed: Any,
    first: Any,
    rotation: int,
    whose: Any,
    wanted: Any,
    most: int,
    found: Any,
    numbers: Any,
    returned: Any,
) -> int:
    """Play deals `first`, `first + 1`, ... to their ends, and copy the states of the decisions that are looked for.

    One loop for both: each more would compile all agents of the game again.

    Args:
        states: records (N,) with the rules in; the final states, written.
        streams: 1 + players streams.
        agents: records, (players,); entry e sits at seat (e + rotation) % players.
        seed: of the deals, uint64.
        first: number of the first deal, uint64.
        rotation: seats by which the entries are moved.
        whose: bool (players,): entries whose decisions are looked for.
        wanted: int64 (W,): action numbers, one of which must be legal beside another action; empty: any decision
            with two legal actions.
        most: decisions copied of an entry and deal.
        found: records (at least N * players * most,), written.
        numbers: int64 (as many, 4), written: deal number less `first`, seat, how many-eth of the seat and deal, the
            action that was played.
        returned: float64 (N, MAX_PLAYERS), written: returns by seat.

    Returns:
        Number of decisions found.
    """
    count = 0
    seen = np.zeros(MAX_PLAYERS, np.int64)
    for k in range(states.shape[0]):
        state = states[k]
        players = I64(state["rules"]["players"])
        number = first + U64(k)
        seed_episode(streams, players, seed, number)
        reset(state, streams[0])
        hand = 0
        seen[:] = 0
        while True:
            player = current_player(state)
            if player < 0:
                if player == TERMINAL:
                    break
                seed_hand(streams[0], seed, number, hand)
                deal(state, streams[0])
                hand += 1
                continue
            entry = (player - rotation + players) % players
            legal = legal_actions(state)
            wants = whose[entry] and seen[player] < most and legal & (legal - U64(1)) != NONE
            if wants and wanted.shape[0] > 0:
                wants = False
                for action in wanted:
                    wants = wants or holds(legal, action)
            if wants:
                found[count] = state
                numbers[count, 0] = k
                numbers[count, 1] = player
                numbers[count, 2] = seen[player]
            action = I64(act(agents[entry], state, legal, streams[AGENT + player]))
            if wants:
                numbers[count, 3] = action
                seen[player] += 1
                count += 1
            apply_action(state, action)
        returns(state, returned[k])
    return count


@kernel
def legal_sets(states: Any, sets: Any) -> None:
    """Write the legal actions of each state, as a set of action numbers, into uint64 (N,)."""
    for k in range(states.shape[0]):
        sets[k] = legal_actions(states[k])


@kernel
def play_out(
    found: Any,
    numbers: Any,
    streams: Any,
    agents: Any,
    seed: Any,
    first: Any,
    rotation: int,
    actions: Any,
    results: Any,
    finals: Any,
) -> None:
    """Play decisions on to the end, once for every alternative, with the same random numbers for each of them.

    The cards still to come are in the state. Agents draw from streams that the deal has not used (USER and on), since
    what they have drawn before is part of what led to the decision.

    Args:
        found: records (N,): decisions as `play_deals` copies them.
        numbers: int64 (N, 4), as written there.
        streams: 1 + players streams.
        agents: records (K, players), by entry: who plays on in alternative k.
        seed, first, rotation: as for `play_deals`.
        actions: int64 (N, K): the action of alternative k, -1 for what its agent chooses, -2 to leave it out.
        results: float64 (N, K), written: the deciding seat's return at the end; nan where left out.
        finals: records (N * K,) or (1,): final states, row n * K + k, written if there is room for all.
    """
    alternatives = actions.shape[1]
    values = np.zeros(MAX_PLAYERS)
    keep = finals.shape[0] == found.shape[0] * alternatives
    for n in range(found.shape[0]):
        players = I64(found[n]["rules"]["players"])
        for k in range(alternatives):
            place = n * alternatives + k if keep else 0
            finals[place] = found[n]
            state = finals[place]
            if actions[n, k] == -2:
                results[n, k] = np.nan
                continue
            for stream in range(1 + players):
                seed_stream(streams[stream], seed, first + U64(numbers[n, 0]), USER + stream)
            if actions[n, k] >= 0:
                apply_action(state, actions[n, k])
            while True:
                player = current_player(state)
                if player < 0:
                    if player == TERMINAL:
                        break
                    deal(state, streams[0])
                    continue
                entry = (player - rotation + players) % players
                apply_action(state, I64(act(agents[k, entry], state, legal_actions(state), streams[AGENT + player])))
            returns(state, values)
            results[n, k] = values[numbers[n, 1]]
