"""Observations under the keys and in the number type that another library expects, over any of our environments."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium.spaces import Box, Dict
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from cardsim.options import quoted

OURS = ("observation", "action_mask")


class Keyed(BaseWrapper[str, Any, Any]):
    """An environment whose dict observations have other keys and another number type.

    Args:
        env: environment whose observations are dicts with the keys `observation` and `action_mask`.
        observation, mask: the new keys.
        dtype: number type of both, such as `np.float32`.

    Raises:
        ValueError: the observations are no such dicts, or the keys are the same or no texts.
    """

    def __init__(
        self,
        env: AECEnv[str, Any, Any],
        observation: str = "observations",
        mask: str = "action_mask",
        dtype: Any = np.float32,
    ) -> None:
        if observation == mask or not all(isinstance(key, str) for key in (observation, mask)):
            raise ValueError(f"keys {quoted(observation)} and {quoted(mask)}: must be two different texts")
        super().__init__(env)
        self.keys = {observation: OURS[0], mask: OURS[1]}
        self.dtype = np.dtype(dtype)
        self._spaces: dict[str, Dict] = {}
        for agent in env.possible_agents:
            space = env.observation_space(agent)
            if not isinstance(space, Dict) or set(space) != set(OURS):
                raise ValueError(
                    "mask_in: make the environment with mask_in='observation', so that keys can be renamed"
                )
            self._spaces[agent] = Dict({new: Box(0, 1, space[old].shape, dtype) for new, old in self.keys.items()})

    def observation_space(self, agent: str) -> Dict:
        """Dict of two Boxes from 0 to 1: the same object at each call."""
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent knows, and its mask, under the new keys."""
        seen: Any = self.env.observe(agent)
        return {new: seen[old].astype(self.dtype) for new, old in self.keys.items()}

    def clone(self) -> Self:
        """An independent copy of the environment and its wrappers."""
        return copy.deepcopy(self)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go back to a moment that `save()` gave."""
        env: Any = self.env
        env.restore(saved)


def rllib_keys(env: AECEnv[str, Any, Any]) -> Keyed:
    """An environment as RLlib's example of masked actions wants it: `observations` and `action_mask`, both float32."""
    return Keyed(env)
