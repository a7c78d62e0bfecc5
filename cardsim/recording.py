"""A compiled loop over whole episodes that writes down each decision: what the seat knew, did and got."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, holds, spread
from cardsim.contract import (
    MAX_PLAYERS,
    TERMINAL,
    act,
    apply_action,
    current_player,
    deal,
    legal_actions,
    observe,
    reset,
    returns,
)
from cardsim.dealing import seed_episode, seed_hand
from cardsim.jit import kernel
from cardsim.playout import rotation_of
from cardsim.rng import AGENT
from cardsim.user_agents import call

FINISHED, ROWS, ENTRY, WRONG = range(4)
ACTION, SEAT, HOLDER, EPISODE, STEP, NEXT = range(6)


@kernel
def record_range(
    states: Any,
    streams: Any,
    agents: Any,
    addresses: Any,
    plan: Any,
    observation: Any,
    mask: Any,
    numbers: Any,
    reward: Any,
    found: Any,
) -> None:
    """Play episodes and write their decisions, until the plan is done or the next episode does not fit.

    Args:
        states: one record with the rules in.
        streams: 1 + players streams.
        agents: records, (players,); entry e sits at seat (e + deal number) % players.
        addresses: uint64 (players,), 0 or a user's agent.
        plan: uint64 (3,): seed, first deal number, number of episodes.
        observation, mask: int8 (rows, O), (rows, A), written.
        numbers: int64 (rows, 6), written: action, seat, entry, deal number less the first one, step, row of the seat's
            next decision or -1.
        reward: float64 (rows,), written.
        found: int64 (4,), written: episodes finished, their rows, and where a user's agent was wrong its entry and its
            action, else -1.
    """
    state = states[0]
    players = I64(state["rules"]["players"])
    values, total, early = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)
    last = np.zeros(MAX_PLAYERS, np.int64)
    row = 0
    found[:] = 0
    found[ENTRY] = -1
    for k in range(I64(plan[2])):
        number = plan[1] + np.uint64(k)
        rotation = rotation_of(k, number, 1, players)
        seed_episode(streams, players, plan[0], number)
        reset(state, streams[0])
        hand, step = 0, 0
        total[:] = 0.0
        early[:] = 0.0
        last[:] = -1
        while True:
            player = current_player(state)
            if player < 0:
                returns(state, values)
                for seat in range(players):
                    if last[seat] >= 0:
                        reward[last[seat]] += values[seat] - total[seat]
                    else:
                        early[seat] += values[seat] - total[seat]
                    total[seat] = values[seat]
                if player == TERMINAL:
                    break
                seed_hand(streams[0], plan[0], number, hand)
                deal(state, streams[0])
                hand += 1
                continue
            if row == observation.shape[0]:
                return
            legal = legal_actions(state)
            observe(state, player, observation[row])
            spread(legal, mask[row], 0, mask.shape[1])
            entry = (player - rotation + players) % players
            if addresses[entry] == 0:
                action = I64(act(agents[entry], state, legal, streams[AGENT + player]))
            else:
                action = call(addresses[entry], agents[entry], state, legal, streams[AGENT + player])
                if not holds(legal, action):
                    found[ENTRY] = entry
                    found[WRONG] = action
                    return
            numbers[row, ACTION] = action
            numbers[row, SEAT] = player
            numbers[row, HOLDER] = entry
            numbers[row, EPISODE] = k
            numbers[row, STEP] = step
            numbers[row, NEXT] = -1
            reward[row] = early[player]
            early[player] = 0.0
            if last[player] >= 0:
                numbers[last[player], NEXT] = row
            last[player] = row
            row += 1
            step += 1
            apply_action(state, action)
        found[FINISHED] = k + 1
        found[ROWS] = row
