"""Compile what agents need beyond the loops of `simulate`, for `cardsim warmup`."""

from __future__ import annotations

import numpy as np

from cardsim.game import Game
from cardsim.registry import agent_family
from cardsim_agents.observing import ObservingAgent


def warm_up(game: Game) -> None:
    """Let an agent of a game choose an action from an observation; all kinds of a family are one kernel."""
    agent = ObservingAgent(game, next(iter(agent_family(game.id).kinds)))
    states = game.deal(0, 0)
    mask = np.zeros(game.num_actions, np.int8)
    mask[game.legal_actions(states)] = 1
    agent.act(game.observe(states, game.current_player(states)), mask)
