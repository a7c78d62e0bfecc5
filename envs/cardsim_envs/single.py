"""A card game as a Gymnasium environment for one learner; compiled agents play the other seats."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, Self

import gymnasium
import numpy as np

from cardsim import rng
from cardsim.game import Game
from cardsim.lineup import Opponents
from cardsim.options import quoted
from cardsim.registry import make_game
from cardsim_envs.episodes import STARTS, start_of
from cardsim_envs.learning import Learning, split_arguments
from cardsim_envs.viewing import RENDER_MODES

NOT_RUNNING = "no episode is running; call reset()"


class LearnerEnv(gymnasium.Env[Any, Any]):
    """Any game of the registry as a Gymnasium environment; one seat is the learner's.

    A step plays the learner's action, and then the other seats until the learner is to act again or the episode ends.
    Its reward is the change of the learner's return in between. All randomness comes from the seed and the number of
    the deal, so `np_random` is not used. A deal in which the learner has nothing to decide is played out and followed
    by the next one: see `skipped`.

    Args:
        game: the game under its rules; they stay in force for the life of the environment.
        opponents, seat, mask_in, dtype, illegal, render_mode, show: see `cardsim_envs.learning.Learning`.

    Raises:
        ValueError: an argument is not allowed; the message names it and what is.
    """

    def __init__(
        self,
        game: Game,
        *,
        opponents: Opponents = "book",
        seat: int | str = "rotate",
        mask_in: str = "observation",
        dtype: str = "int8",
        illegal: str = "error",
        render_mode: str | None = None,
        show: str = "mover",
    ) -> None:
        self._learning = Learning(
            game, 1, False,
            opponents=opponents, seat=seat, mask_in=mask_in, dtype=dtype, illegal=illegal,
            render_mode=render_mode, show=show,
        )  # fmt: skip
        self.game = game
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.render_mode = render_mode
        self.observation_space = self._learning.observation_space
        self.action_space = self._learning.action_space
        self._begun = False

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: 0 .. 2**64-1, stays in force; this episode is its deal number 0. Without one, the next deal number
                of the seed in force (at first one from the operating system).
            options: `seat`: the learner's seat from now on, or `rotate`; and at most one of `deal`: number of the deal
                to play; `position`: a text position to start from; `deck`: a pack in dealing order, card numbers or
                texts, with `dealer`: its dealer. Other keys are ignored.

        Returns:
            Observation and info.

        Raises:
            ValueError: bad seed or option; nothing has changed then.
        """
        seed = None if seed is None else rng.check_seed(seed)
        given = self._learning.read_options(options, ("seat", "dealer", *STARTS))
        number, start = start_of(self.game, given)
        tables = self._learning.tables
        if start is None:
            batch = tables.reset(seed, number, given.get("seat"))
        else:
            batch = tables.begin_at(start, seed, number, given.get("seat"))
        super().reset(seed=seed)
        self._begun = True
        return self._answer(batch)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner.

        Returns:
            Observation, reward, terminated, False, info. The last observation of an episode is all that the learner
            saw at its end, with a mask of zeros.

        Raises:
            ValueError: the action is illegal (unless `illegal="end"`), or no episode is running; the message names
                what is legal, and nothing has changed.
        """
        try:
            number = index(action)
        except TypeError:
            raise ValueError(f"action {quoted(action)}: must be an integer") from None
        if not self._learning.tables.running[0]:
            raise ValueError(f"step: {NOT_RUNNING}")
        if not -(2**63) <= number < 2**63:
            raise ValueError(self.game.illegal(number, self._learning.tables.legal_mask()))
        batch = self._learning.tables.step(np.array([number]), strict=self._learning.strict)
        observation, info = self._answer(batch)
        return observation, float(batch.reward[0]), bool(batch.ended[0]), False, info

    def _answer(self, batch: Any) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        vector, mask = self._learning.vectors(batch.observation[0]), batch.action_mask[0]
        if self._learning.in_info:
            return vector, {"action_mask": mask}
        return {"observation": vector, "action_mask": mask}, {}

    def action_masks(self) -> Any:
        """The learner's mask, int8 (A,), 1 = legal: what sb3-contrib's MaskablePPO asks for."""
        mask = np.zeros(self.game.num_actions, np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def legal_actions(self) -> list[int]:
        """The learner's legal actions, ascending; empty where no episode is running."""
        legal = self._learning.tables.legal_mask()
        return [action for action in range(self.game.num_actions) if legal >> action & 1]

    def set_opponents(self, opponents: Opponents) -> None:
        """Seat other agents, at once; see `LearnerTables.set_opponents`."""
        self._learning.tables.set_opponents(opponents)

    @property
    def opponents(self) -> list[str]:
        """Names of the agents, from the learner's left on."""
        return self._learning.tables.opponents()

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._learning.tables.clock["seat"][0])

    @property
    def deal_id(self) -> tuple[int, int]:
        """Seed and deal number: `reset(seed=seed, options={"deal": number})` deals the same cards."""
        return self._learning.deal_id(0)

    @property
    def skipped(self) -> tuple[int, float]:
        """Episodes so far in which the learner had nothing to decide, and the sum of its returns in them."""
        return self._learning.skipped()

    def returns(self) -> Any:
        """What the rules have paid each seat in this episode so far, float64 (players,)."""
        return self.game.returns(self._learning.tables.states)

    def states(self) -> Any:
        """A copy of the game's record, shape (1,): for search, simulators and the game's text functions."""
        return self._learning.tables.states.view(np.uint8).copy().view(self.game.state_dtype)

    def clone(self) -> Self:
        """An independent copy in the same moment; its spaces are new and unseeded."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.metadata = {**self.metadata, "render_modes": list(RENDER_MODES)}
        other._learning = self._learning.clone()
        other.observation_space = other._learning.observation_space
        other.action_space = other._learning.action_space
        return other

    def render(self) -> Any:
        """The table: a text (`ansi`), a picture uint8 (H, W, 3) (`rgb_array`), or printed (`human`: None)."""
        if self.render_mode is not None and not self._begun:
            raise ValueError(f"render: {NOT_RUNNING}")
        return self._learning.frame(0)


def make(game: str, preset: str = "base", **arguments: Any) -> LearnerEnv:
    """An environment by a game's id: what Gymnasium's registry calls.

    Args:
        game: id of the game.
        preset: form of the game.
        **arguments: those of `LearnerEnv`, and rule options by name.
    """
    own, options = split_arguments(arguments)
    return LearnerEnv(make_game(game, preset=preset, **options), **own)
