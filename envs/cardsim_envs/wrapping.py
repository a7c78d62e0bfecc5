"""PettingZoo's usual wrappers around a card game, such that cloning and restoring work through them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from cardsim_envs.aec import CardGameEnv

ILLEGAL_REWARD = -1.0


class Wrapped(OrderEnforcingWrapper[str, Any, Any]):
    """The outermost wrapper: an OrderEnforcingWrapper whose `clone` and `restore` include the wrappers."""

    def clone(self) -> Self:
        """An independent copy of the environment and its wrappers."""
        return copy.deepcopy(self)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go back to a moment that `save()` gave."""
        raw: Any = self.unwrapped
        raw.restore(saved)
        self._has_reset = True
        self._has_updated = True
        if not raw.is_over:
            self.observe(raw.agent_selection)  # TerminateIllegalWrapper keeps the mask that it saw last

    def __str__(self) -> str:
        return str(self.env)


def wrapped(raw: CardGameEnv) -> Wrapped:
    """Put PettingZoo's wrappers around an environment: an illegal action ends the episode, reward -1."""
    return Wrapped(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)))
