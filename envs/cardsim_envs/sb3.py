"""A batch of tables as a VecEnv of Stable-Baselines3, which refuses Gymnasium's VectorEnv.

Needs the package stable-baselines3; for masked training sb3-contrib, whose MaskablePPO finds `action_masks` here.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from cardsim import rng
from cardsim.game import Game
from cardsim.lineup import Opponents
from cardsim.options import quoted
from cardsim.registry import make_game
from cardsim_envs.learning import Learning, split_arguments


class LearnerVecEnv(VecEnv):
    """N tables of any game of the registry, a learner at each, in lockstep.

    Observations are int8 (N, O) or float32; the masks are asked for by `env_method("action_masks")`. A table whose
    episode ends is dealt its next one on the same step, and its info holds `terminal_observation`.

    Args:
        game: the game under its rules; they stay in force for the life of the environment.
        num_envs: N, at least 1.
        opponents, seat, dtype, illegal, render_mode, show: see `cardsim_envs.learning.Learning`.

    Raises:
        ValueError: an argument is not allowed; the message names it and what is.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        opponents: Opponents = "book",
        seat: int | str = "rotate",
        dtype: str = "int8",
        illegal: str = "error",
        render_mode: str | None = None,
        show: str = "mover",
    ) -> None:
        self._learning = Learning(
            game, num_envs, True,
            opponents=opponents, seat=seat, mask_in="info", dtype=dtype, illegal=illegal,
            render_mode=render_mode, show=show,
        )  # fmt: skip
        self.game = game
        self.render_mode = render_mode
        self._masks = np.zeros((num_envs, game.num_actions), np.int8)
        self._actions: Any = None
        self._begun = False
        super().__init__(num_envs, self._learning.observation_space, self._learning.action_space)

    def reset(self) -> Any:
        """Begin an episode at every table; what `seed` and `set_options` (`deal`, `seat`) were told comes into force.

        Returns:
            Observations (N, O). Table i begins with deal i of the seed, or without a seed with its next deal.
        """
        given = self._learning.read_options(self._options[0], ("deal", "seat"))
        batch = self._learning.tables.reset(self._seeds[0], given.get("deal"), given.get("seat"))
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._masks, self._begun = batch.action_mask, True
        self._show()
        return self._learning.vectors(batch.observation)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next reset, one for the whole batch; None: one from the operating system."""
        given = secrets.randbits(64) if seed is None else rng.check_seed(seed)
        self._seeds = [given] * self.num_envs
        return self._seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options of the next reset, one dict for the whole batch: `deal`, `seat`."""
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"options {quoted(options)}: must be one dict for the whole batch, with deal or seat")
        super().set_options(options)

    def step_async(self, actions: Any) -> None:
        """Take the learners' actions, integers (N,); they are played by `step_wait`."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Play them.

        Returns:
            Observations (N, O), rewards float32 (N,), dones bool (N,), a list of N infos.

        Raises:
            ValueError: wrong shape or dtype, or an illegal action (unless `illegal="end"`); no table has moved.
        """
        if not self._begun:
            raise ValueError("step: no episode is running; call reset()")
        batch = self._learning.tables.step(self._actions, strict=self._learning.strict)
        self._masks = batch.action_mask
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(batch.ended)
        for table, seen in zip(ended.tolist(), self._learning.vectors(batch.final[ended]), strict=True):
            infos[table] = {"terminal_observation": seen, "TimeLimit.truncated": False}
        self._show()
        return self._learning.vectors(batch.observation), batch.reward.astype(np.float32), batch.ended, infos

    def _show(self) -> None:
        if self.render_mode == "human":
            self.env_method("render")

    def _tables(self, indices: Any) -> list[int]:
        """Numbers of tables, as SB3 names them."""
        if indices is None:
            return list(range(self.num_envs))
        chosen = [indices] if isinstance(indices, int | np.integer) else list(indices)
        if not all(isinstance(i, int | np.integer) and -self.num_envs <= i < self.num_envs for i in chosen):
            raise ValueError(f"indices {quoted(indices)}: must be numbers of tables, up to {self.num_envs - 1}")
        return [int(i) % self.num_envs for i in chosen]

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call `action_masks()`, `set_opponents(opponents)`, `legal_actions()`, `deal_id()` or `render()` for tables.

        Raises:
            AttributeError: there is no such method.
        """
        if method_name == "action_masks" and indices is None:  # asked for at every step
            return list(self._masks)
        chosen = self._tables(indices)
        if method_name == "set_opponents":  # for all of them at once
            self._seat_opponents(chosen, *args, **kwargs)
            return [None] * len(chosen)
        if method_name not in METHODS:
            raise AttributeError(f"{method_name}: no such method; there are {', '.join([*METHODS, 'set_opponents'])}")
        return [METHODS[method_name](self, table, *args, **kwargs) for table in chosen]

    def _seat_opponents(self, chosen: list[int], opponents: Opponents) -> None:
        self._learning.tables.set_opponents(opponents, chosen)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same attribute of this environment for each table; a method of `env_method` as a function."""
        chosen = self._tables(indices)
        if attr_name in (*METHODS, "set_opponents"):
            return [lambda *a, i=i, **k: self.env_method(attr_name, *a, indices=i, **k)[0] for i in chosen]
        return [getattr(self, attr_name)] * len(chosen)

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` finds it."""
        return attr_name in (*METHODS, "set_opponents") or hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: tables have no attributes of their own.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"set_attr {attr_name}: tables have no attributes of their own; use env_method or options")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No table is wrapped in anything."""
        return [False] * len(self._tables(indices))

    def get_images(self) -> Sequence[Any]:
        """A picture of each table; make the environment with render_mode rgb_array."""
        return self.env_method("render")

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def skipped(self) -> tuple[int, float]:
        """Episodes so far in which a learner had nothing to decide, and the sum of its returns in them."""
        return self._learning.skipped()


def _legal_actions(env: LearnerVecEnv, table: int) -> list[int]:
    return np.flatnonzero(env._masks[table]).tolist()


METHODS: dict[str, Any] = {
    "action_masks": lambda env, table: env._masks[table],
    "legal_actions": _legal_actions,
    "deal_id": lambda env, table: env._learning.deal_id(table),
    "render": lambda env, table: env._learning.frame(table),
}


def make(game: str, num_envs: int = 1, preset: str = "base", **arguments: Any) -> LearnerVecEnv:
    """An environment by a game's id.

    Args:
        game: id of the game.
        num_envs: number of tables.
        preset: form of the game.
        **arguments: those of `LearnerVecEnv`, and rule options by name.
    """
    own, options = split_arguments(arguments)
    return LearnerVecEnv(make_game(game, preset=preset, **options), num_envs, **own)
