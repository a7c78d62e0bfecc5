"""Use a compiled agent from Python on an observation: `act(observation, action_mask) -> action`.

The observation is turned back into a state that holds all that the seat knows and nothing else, and the
agent's kernel acts on that. A test holds that it plays the same moves as on the full state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim import contract, rng
from cardsim.bits import U64
from cardsim.families import Agent
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.options import quoted
from cardsim.registry import make_agent


@kernel
def _act(agents: Any, states: Any, legal: Any, streams: Any) -> int:
    return contract.act(agents[0], states[0], U64(legal), streams[0])


class ObservingAgent:
    """A compiled agent behind the Python protocol for agents.

    Args:
        game: game under the rules that the observations come from.
        agent: an `Agent` of the game's family, or its name, such as `book(memory=false)`.
        seed: 0 .. 2**64-1; key of the agent's own random numbers.

    Raises:
        ValueError: unknown agent or parameter, an agent of another game, or a seed that is not allowed.
    """

    def __init__(self, game: Game, agent: Agent | str, seed: int = 0) -> None:
        if not isinstance(game, Game):
            raise ValueError(f"game {quoted(game)}: must be a Game, as make_game gives it")
        if not isinstance(agent, Agent | str):
            raise ValueError(f"agent {quoted(agent)}: must be an Agent or its name, such as book(memory=false)")
        self.game = game
        self.agent = make_agent(game.id, agent) if isinstance(agent, str) else agent
        if f"kind_{game.id}" not in (self.agent.record.dtype.names or ()):
            raise ValueError(f"agent {self.agent.name!r}: is of another game than {game.id}")
        self._streams = rng.new_streams()
        self.reset(seed)

    @property
    def name(self) -> str:
        """Text that makes the compiled agent again."""
        return self.agent.name

    def reset(self, seed: int = 0, deal: int = 0) -> None:
        """Start the agent's random numbers for a deal; agents that use none are not changed by it.

        Raises:
            ValueError: a number is not from 0 to 2**64-1.
        """
        seed, deal = rng.check_seed(seed), rng.check_seed(deal, "deal number")
        rng.seed_stream(self._streams[0], U64(seed), U64(deal), rng.AGENT)

    def act(self, observation: Any, action_mask: Any) -> int:
        """Choose an action.

        Args:
            observation: zeros and ones, shape (game.observation_size,), of the seat to act.
            action_mask: its legal actions, shape (game.num_actions,), non-zero where legal.

        Returns:
            Action number.

        Raises:
            ValueError: wrong shapes, an observation that is not of zeros and ones, or no action is legal.
        """
        seen = np.ascontiguousarray(observation)
        mask = np.asarray(action_mask)
        if seen.shape != (self.game.observation_size,):
            raise ValueError(f"observation of shape {seen.shape}: must be ({self.game.observation_size},)")
        if mask.shape != (self.game.num_actions,):
            raise ValueError(f"action_mask of shape {mask.shape}: must be ({self.game.num_actions},)")
        legal = sum(1 << int(action) for action in np.flatnonzero(mask))
        if not legal:
            raise ValueError("action_mask: no action is legal")
        return int(_act(self.agent.record, self.game.view(seen), np.uint64(legal), self._streams))
