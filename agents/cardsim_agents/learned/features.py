"""What a network may be told of each action beside the observation, where a game's family works something out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim.game import Game
from cardsim.registry import agent_family


@dataclass(frozen=True)
class ActionFeatures:
    """The descriptions of actions in one game. They follow from what a seat observes, and so tell nothing hidden.

    Attributes:
        size: F, zeros and ones that describe an action.
        describe: kernel describe(agents, states, observations, masks, out), see `of`.
    """

    size: int
    describe: Any

    def of(self, game: Game, observations: Any, masks: Any) -> Any:
        """Descriptions of actions by the numbers of `book`, int8 (R, A, F); zeros where illegal.

        Args:
            game: the game under its rules.
            observations: int8 (R, O), each of the seat to act.
            masks: int8 (R, A), 1 = legal.
        """
        out = np.zeros((len(observations), game.num_actions, self.size), np.int8)
        record = agent_family(game.id).make("book").record
        self.describe(record, game.new_states(), np.ascontiguousarray(observations), np.ascontiguousarray(masks), out)
        return out
