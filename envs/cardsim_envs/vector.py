"""A batch of tables as a Gymnasium VectorEnv: one call of a kernel steps them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cardsim import rng
from cardsim.game import Game
from cardsim.learner import LearnerBatch
from cardsim.lineup import Opponents
from cardsim.options import quoted
from cardsim.registry import make_game
from cardsim_envs.learning import Learning, split_arguments
from cardsim_envs.viewing import RENDER_MODES

MODES = {name: mode for mode in AutoresetMode for name in (mode, mode.value, mode.name, mode.name.lower())}
OPTIONS = ("deal", "seat", "reset_mask")


class LearnerVectorEnv(VectorEnv[Any, Any, Any]):
    """N tables of any game of the registry, a learner at each, in lockstep.

    Table i plays the deals i, i + N, i + 2 N, ... of one seed, as a `LearnerEnv` does that is reset with that seed and
    `options={"deal": number}`. Observations are batched: an array (N, O), or a dict of it and the masks (N, A).

    Args:
        game: the game under its rules; they stay in force for the life of the environment.
        num_envs: N, at least 1.
        autoreset_mode: what follows the end of an episode, as Gymnasium's AutoresetMode or its name.
            `same_step`: the next deal at once; the info holds `final_obs`, `final_info` and masks of where they are.
            `next_step`: the next `step` ignores the table's action, pays 0 and answers with the next deal.
            `disabled`: the table waits for `reset(options={"reset_mask": ended})`.
        copy: False hands out the environment's own arrays, which the next step overwrites.
        opponents, seat, mask_in, dtype, illegal, render_mode, show: see `cardsim_envs.learning.Learning`.

    Raises:
        ValueError: an argument is not allowed; the message names it and what is.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        opponents: Opponents = "book",
        seat: int | str = "rotate",
        mask_in: str = "observation",
        dtype: str = "int8",
        illegal: str = "error",
        render_mode: str | None = None,
        show: str = "mover",
    ) -> None:
        if not isinstance(autoreset_mode, str | AutoresetMode) or autoreset_mode not in MODES:
            raise ValueError(f"autoreset_mode {quoted(autoreset_mode)}: must be same_step, next_step or disabled")
        if not isinstance(copy, bool | np.bool_):
            raise ValueError(f"copy {quoted(copy)}: must be True or False")
        self._mode = MODES[autoreset_mode]
        self._learning = Learning(
            game, num_envs, self._mode == AutoresetMode.SAME_STEP,
            opponents=opponents, seat=seat, mask_in=mask_in, dtype=dtype, illegal=illegal,
            render_mode=render_mode, show=show,
        )  # fmt: skip
        self.game = game
        self.num_envs = self._learning.tables.num_tables
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1, "autoreset_mode": self._mode}
        self.single_observation_space = self._learning.observation_space
        self.single_action_space = self._learning.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._own = None if copy else self._learning.tables.new_batch()
        self._begun = False

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode at every table, or at those of a mask.

        Args:
            seed: 0 .. 2**64-1, stays in force; table i begins with its deal i. Without one, each table goes on to its
                next deal of the seed in force (at first one from the operating system).
            options: `deal`: table i begins with this number + i; `seat`: the learner's seat from now on, or `rotate`;
                `reset_mask`: bool (N,), the tables to reset. Other keys are ignored.

        Returns:
            Observations and infos.

        Raises:
            ValueError: bad seed or option; nothing has changed then.
        """
        given = self._learning.read_options(options, OPTIONS)
        mask = given.get("reset_mask")
        fits = isinstance(mask, np.ndarray) and mask.shape == (self.num_envs,) and mask.dtype == np.bool_
        if mask is not None and not (fits and mask.any()):
            raise ValueError(f"option reset_mask={quoted(mask)}: must be bool ({self.num_envs},), not all False")
        seed = None if seed is None else rng.check_seed(seed)
        batch = self._learning.tables.reset(seed, given.get("deal"), given.get("seat"), mask, self._own)
        super().reset(seed=seed)
        self._begun = True
        return self._answer(batch)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play one action per table.

        Args:
            actions: integers (N,).

        Returns:
            Observations, rewards float64 (N,), terminations bool (N,), truncations bool (N,) (all False), infos.

        Raises:
            ValueError: wrong shape or dtype, an illegal action (unless `illegal="end"`), or a table whose episode has
                ended and was not reset; the message names the table and what is legal, and no table has moved.
        """
        if not self._begun:
            raise ValueError("step: no episode is running; call reset()")
        tables = self._learning.tables
        renew = ~tables.running if self._mode == AutoresetMode.NEXT_STEP else None
        batch = tables.step(actions, renew, self._learning.strict, self._own)
        observations, infos = self._answer(batch)
        if self._mode == AutoresetMode.SAME_STEP and batch.ended.any():
            self._add_final(batch, infos)
        reward, ended = (batch.reward, batch.ended) if self._own is None else (batch.reward.copy(), batch.ended.copy())
        return observations, reward, ended, np.zeros(self.num_envs, np.bool_), infos

    def _answer(self, batch: LearnerBatch) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        self._mask = batch.action_mask
        vectors = self._learning.vectors(batch.observation)
        if self._learning.in_info:
            return vectors, {"action_mask": batch.action_mask, "_action_mask": np.ones(self.num_envs, np.bool_)}
        return {"observation": vectors, "action_mask": batch.action_mask}, {}

    def _add_final(self, batch: LearnerBatch, infos: dict[str, Any]) -> None:
        """Add the last observations as Gymnasium's own vector environments do: an object for each that ended."""
        ended = batch.ended.copy()
        seen = self._learning.vectors(batch.final[ended])
        mask = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        last = list(seen)
        info: dict[str, Any] = {}
        if self._learning.in_info:
            info = {"action_mask": mask, "_action_mask": ended.copy()}
        else:
            last = [{"observation": vector, "action_mask": zeros} for vector, zeros in zip(seen, mask, strict=False)]
        infos["final_obs"] = np.full(self.num_envs, None, object)
        infos["final_obs"][ended] = np.fromiter(last, object, len(last))
        infos["final_info"] = info
        infos["_final_obs"], infos["_final_info"] = ended, ended.copy()

    def action_masks(self) -> Any:
        """The learners' masks, int8 (N, A), 1 = legal; zeros where no episode is running."""
        if not self._begun:
            raise ValueError("action_masks: no episode is running; call reset()")
        mask: Any = self._mask.copy()
        return mask

    def set_opponents(self, opponents: Opponents, tables: Any = None) -> None:
        """Seat other agents at some tables (all if None), at once; see `LearnerTables.set_opponents`."""
        self._learning.tables.set_opponents(opponents, tables)

    @property
    def seats(self) -> Any:
        """The learner's seat at each table, int64 (N,)."""
        return self._learning.tables.clock["seat"].copy()

    @property
    def deal_ids(self) -> list[tuple[int, int]]:
        """Seed and deal number of each table's episode."""
        return [self._learning.deal_id(table) for table in range(self.num_envs)]

    @property
    def skipped(self) -> tuple[int, float]:
        """Episodes so far in which a learner had nothing to decide, and the sum of its returns in them."""
        return self._learning.skipped()

    def render(self) -> Any:
        """Each table in the render mode, a tuple."""
        if self.render_mode is not None and not self._begun:
            raise ValueError("render: no episode is running; call reset()")
        return tuple(self._learning.frame(table) for table in range(self.num_envs))


def make(game: str, num_envs: int = 1, preset: str = "base", **arguments: Any) -> LearnerVectorEnv:
    """An environment by a game's id: what Gymnasium's registry calls for `make_vec`.

    Args:
        game: id of the game.
        num_envs: number of tables.
        preset: form of the game.
        **arguments: those of `LearnerVectorEnv`, and rule options by name.
    """
    own, options = split_arguments(arguments, "autoreset_mode", "copy")
    return LearnerVectorEnv(make_game(game, preset=preset, **options), num_envs, **own)
