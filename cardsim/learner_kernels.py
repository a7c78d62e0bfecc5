"""Compiled steps of tables at which one seat learns and compiled agents play the others.

`step_tables` is one loop and one kernel for dealing, playing and dealing anew: what a table is to do is its command.
Each layer above the agents would cost a full optimisation of all that lies below.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, holds, spread
from cardsim.contract import (
    CHANCE,
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
from cardsim.jit import inlined, kernel
from cardsim.rng import AGENT

BEGIN, BEGIN_HERE, KEEP = -1, -2, -3
"""Commands beside an action: deal the table's next episode, play on from the state that lies there, do nothing."""
ROTATE = -1
"""In place of a fixed seat: the learner's seat is the episode's number modulo the players, as in `simulate`."""
MOST_IDLE = 1000
"""Episodes in a row without a decision of the learner, after which a table gives up: its seat may never have one."""
ILLEGAL_REWARD = -1.0
"""What an illegal action pays, which also ends the episode (as PettingZoo's TerminateIllegalWrapper has it)."""

CLOCK = np.dtype(
    [
        ("seed", np.uint64),  # of the table's deals
        ("next", np.uint64),  # number of its next episode
        ("episode", np.uint64),  # number of this one
        ("hand", np.int64),  # hands dealt in it
        ("place", np.int64),  # where the learner is to sit: a seat, or ROTATE
        ("seat", np.int64),  # where it sits in this episode
        ("decisions", np.int64),  # the learner's in this episode
        ("paid", np.float64),  # the learner's return that has been paid out as reward
        ("skipped", np.int64),  # episodes so far in which the learner had nothing to decide
        ("skipped_return", np.float64),  # sum of its returns in them
    ],
    align=True,
)


@kernel
def _begin(state: Any, now: Any, streams: Any, stride: int, here: bool) -> None:
    """Begin a table's next episode; before its first deal, or in the state that lies `here`."""
    players = I64(state["rules"]["players"])
    now["episode"] = now["next"]
    now["next"] = now["episode"] + U64(stride)
    now["seat"] = now["place"]
    if now["place"] == ROTATE:
        now["seat"] = I64(now["episode"] % U64(players))
    now["decisions"] = 0
    now["paid"] = 0.0
    seed_episode(streams, players, now["seed"], now["episode"])
    if here:
        now["hand"] = 1
        values = np.zeros(MAX_PLAYERS)
        returns(state, values)
        now["paid"] = values[now["seat"]]
    else:
        now["hand"] = 0
        reset(state, streams[0])


@inlined
def _unpaid(state: Any, now: Any, values: Any) -> float:
    """Change of the learner's return since it was last paid."""
    returns(state, values)
    change = values[now["seat"]] - now["paid"]
    now["paid"] = values[now["seat"]]
    return change


@kernel
def first_refused(legal_sets: Any, commands: Any, strict: bool) -> int:
    """First table at which an action can not be played, or is illegal and `strict`; or -1."""
    for i in range(commands.shape[0]):
        if commands[i] >= 0 and (legal_sets[i] == NONE or (strict and not holds(legal_sets[i], commands[i]))):
            return i
    return -1


@kernel
def step_tables(
    states: Any,
    streams: Any,
    agents: Any,
    lineup: Any,
    clock: Any,
    deal_anew: bool,
    commands: Any,
    legal_sets: Any,
    observation: Any,
    mask: Any,
    reward: Any,
    ended: Any,
    final: Any,
) -> int:
    """Carry out a command at each table: then the others act until the learner is to act or the episode ends.

    Args:
        states: records, (N,).
        streams: (N, 1 + players): of the cards and of each seat.
        agents: records of one family, (K,).
        lineup: int64 (N, players): entry k is the agent k places to the left of the learner; entry 0 is not used.
        clock: records of dtype CLOCK, (N,).
        deal_anew: whether a table whose episode ends is dealt its next one at once.
        commands: int64 (N,): an action, BEGIN, BEGIN_HERE or KEEP. An illegal action ends the episode.
        legal_sets: uint64 (N,), read and written; empty where no episode is running.
        observation: int8 (N, O), written: what the learner sees. At the end of an episode that is all that it saw.
        mask: int8 (N, A), written: what it may do; zeros where no episode is running.
        reward: float64 (N,), written: change of its return since its last decision, the end included.
        ended: bool (N,), written.
        final: int8 (N, O), written where `ended`: what the learner saw at the end.

    Returns:
        A table that has given up (see MOST_IDLE), with no episode running there any more; or -1.
    """
    stuck = -1
    values = np.zeros(MAX_PLAYERS)
    stride = states.shape[0]
    for i in range(stride):
        state = states[i]
        now = clock[i]
        players = I64(state["rules"]["players"])
        command = I64(commands[i])
        reward[i] = 0.0
        ended[i] = False
        forfeit = False
        hand_ended = False
        idle = 0
        if command in (BEGIN, BEGIN_HERE):
            _begin(state, now, streams[i], stride, command == BEGIN_HERE)
        elif command >= 0:
            now["decisions"] += 1
            forfeit = not holds(legal_sets[i], command)
            if not forfeit:
                apply_action(state, command)
        running = command != KEEP or legal_sets[i] != NONE
        learner = I64(now["seat"])
        while running:
            player = TERMINAL if forfeit else I64(current_player(state))
            if player == learner:
                # Before the first decision there is none to pay for: what came then is paid with what follows it.
                if hand_ended and now["decisions"] > 0:
                    reward[i] += _unpaid(state, now, values)
                break
            if player == CHANCE:
                hand_ended |= now["hand"] > 0
                seed_hand(streams[i, 0], now["seed"], now["episode"], I64(now["hand"]))
                deal(state, streams[i, 0])
                now["hand"] += 1
                continue
            if player != TERMINAL:
                place = player - learner if player > learner else player - learner + players
                legal = legal_actions(state)
                apply_action(state, I64(act(agents[lineup[i, place]], state, legal, streams[i, AGENT + player])))
                continue
            if now["decisions"] > 0:
                reward[i] += ILLEGAL_REWARD if forfeit else _unpaid(state, now, values)
                ended[i] = True
                observe(state, learner, final[i])
                if not deal_anew:
                    running = False
                    break
            else:
                now["skipped"] += 1
                now["skipped_return"] += _unpaid(state, now, values)
                idle += 1
                if idle == MOST_IDLE:
                    stuck = i
                    running = False
                    break
            forfeit = False
            hand_ended = False
            _begin(state, now, streams[i], stride, False)
            learner = I64(now["seat"])
        legal_sets[i] = legal_actions(state) if running else NONE
        observe(state, learner, observation[i])
        spread(legal_sets[i], mask[i], 0, mask.shape[1])
    return stuck
