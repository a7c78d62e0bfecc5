"""The choice of an agent at every node: the `act` kernel of the family."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, has, lowest, popcount, select
from cardsim.games.zwicker.layout import ACT_FINISH
from cardsim.jit import kernel
from cardsim.rng import below
from cardsim_agents.learned.inference import play_network
from cardsim_agents.zwicker.parameters import PPO, RANDOM, RANDOM_TURNS
from cardsim_agents.zwicker.planning import make_plan, next_action
from cardsim_agents.zwicker.uniform import random_turn_action


@kernel
def act(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    """Choose an action for the seat to act (contract function `act`).

    Args:
        agent: record of the family.
        state: record of the game; only what the seat to act may know is read.
        legal: its legal actions as uint64, not empty.
        stream: random numbers, used by `random` and `random_turns` only.
    """
    if legal & (legal - U64(1)) == NONE:
        return lowest(legal)
    if agent["kind_zwicker"] == PPO:
        return play_network(agent, state, legal, stream)
    if agent["kind_zwicker"] == RANDOM:
        return select(legal, below(stream, popcount(legal)))
    if agent["kind_zwicker"] == RANDOM_TURNS:
        return random_turn_action(state, legal, stream)
    plan = np.zeros(3, np.int64)
    taken = np.zeros(2, np.uint64)
    slot = make_plan(agent, state, legal, plan, taken)
    action = next_action(state, slot, plan, taken)
    if action >= 0 and has(legal, action):
        return action
    return ACT_FINISH if has(legal, ACT_FINISH) else lowest(legal)
