"""The choice of an agent at every node: the `act` kernel of the family."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, has, lowest, popcount, select
from cardsim.games.zwicker.layout import ACT_FINISH
from cardsim.jit import kernel
from cardsim.rng import below
from cardsim_agents.learned.inference import judges_each_action, play_described, play_network
from cardsim_agents.zwicker.features import ACTIONS, FEATURES, describe_actions
from cardsim_agents.zwicker.parameters import PPO, RANDOM, RANDOM_TURNS
from cardsim_agents.zwicker.planning import plan_action
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
        if not judges_each_action(agent):
            return play_network(agent, state, legal, stream)
        described = np.zeros((ACTIONS, FEATURES), np.int8)
        describe_actions(agent, state, legal, described)
        return play_described(agent, state, legal, described, stream)
    if agent["kind_zwicker"] == RANDOM:
        return select(legal, below(stream, popcount(legal)))
    if agent["kind_zwicker"] == RANDOM_TURNS:
        return random_turn_action(state, legal, stream)
    action = plan_action(agent, state, legal)
    if action >= 0:
        return action
    return ACT_FINISH if has(legal, ACT_FINISH) else lowest(legal)
