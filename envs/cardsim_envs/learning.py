"""What the APIs for one learner have in common: their arguments, spaces, options of a reset, and how they show."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary

from cardsim.game import Game
from cardsim.learner import LearnerTables
from cardsim.lineup import Opponents
from cardsim.options import quoted
from cardsim_envs.aec import MASK_PLACES
from cardsim_envs.viewing import RENDER_MODES, SHOWN, face_of, show_table

DTYPES = ("int8", "float32")
ILLEGAL = ("error", "end")
ARGUMENTS = ("opponents", "seat", "mask_in", "dtype", "illegal", "render_mode", "show")


def split_arguments(arguments: Mapping[str, Any], *others: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split keyword arguments into those of an environment (ARGUMENTS and `others`) and the rule options."""
    own = {name: value for name, value in arguments.items() if name in (*ARGUMENTS, *others)}
    return own, {name: value for name, value in arguments.items() if name not in own}


def one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """The value, or ValueError naming it and what is allowed."""
    if not any(type(value) is type(a) and value == a for a in allowed):
        raise ValueError(f"{name} {quoted(value)}: must be {', '.join(map(str, allowed))}")
    return value


class Learning:
    """Tables with a learner, and how their observations are handed out.

    Args:
        game: the game under its rules.
        num_envs: number of tables.
        deal_anew: whether a table whose episode ends is dealt its next one on the same step.
        opponents: agents of the other seats; see `cardsim.learner.LearnerTables.set_opponents`.
        seat: the learner's seat, or `rotate`: the deal's number modulo the players.
        mask_in: `observation` (or `obs`): dict observation with keys `observation` and `action_mask`; `info`: plain
            vector observation, and the mask is the entry `action_mask` of the info.
        dtype: of the observation: `int8` or `float32`. The mask is always int8.
        illegal: what an illegal action does: `error` refuses it, `end` ends the episode with a reward of -1.
        render_mode: None, `ansi`, `rgb_array` or `human` (which prints the text after each reset and step).
        show: whose hand a view shows: `mover`, the seat to act, or `all`.

    Raises:
        ValueError: an argument is not allowed; the message names it and what is.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        deal_anew: bool,
        *,
        opponents: Opponents,
        seat: int | str,
        mask_in: str,
        dtype: str,
        illegal: str,
        render_mode: str | None,
        show: str,
    ) -> None:
        self.in_info: bool = MASK_PLACES[one_of("mask_in", mask_in, tuple(MASK_PLACES))]
        self.dtype = np.dtype(one_of("dtype", dtype, DTYPES))
        self.strict = one_of("illegal", illegal, ILLEGAL) == "error"
        self.render_mode: str | None = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.show = one_of("show", show, SHOWN)
        # The seed holds until the first seeded reset.
        self.tables = LearnerTables(game, num_envs, opponents, seat, secrets.randbits(64), deal_anew)
        self.game = game

    @property
    def observation_space(self) -> Any:
        """Space of one table's observation, made anew at each call."""
        vector = Box(0, 1, (self.game.observation_size,), self.dtype.type)
        if self.in_info:
            return vector
        return Dict({"observation": vector, "action_mask": MultiBinary(self.game.num_actions)})

    @property
    def action_space(self) -> Discrete:
        """Space of the actions, made anew at each call."""
        return Discrete(self.game.num_actions)

    def vectors(self, observation: Any) -> Any:
        """Observations of the kernels in the dtype asked for; the same array if that is int8."""
        return observation.astype(self.dtype, copy=False)

    def read_options(self, options: Any, known: tuple[str, ...]) -> dict[str, Any]:
        """The options of a reset by the names that it knows; others are ignored, as Gymnasium's checker wants it."""
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"options {quoted(options)}: must be a dict, with any of {', '.join(known)}")
        return {name: options[name] for name in known if options.get(name) is not None} if options else {}

    def frame(self, table: int) -> Any:
        """A table in the render mode."""
        if self.render_mode is None:
            raise ValueError(f"render: make the environment with render_mode {', '.join(RENDER_MODES)}")
        face = face_of(self.game.id)
        states = self.tables.states[table : table + 1]
        running = bool(self.tables.running[table])
        viewer: int | None = int(self.tables.clock["seat"][table]) if running else -1
        if self.show == "all" or (not running and (face is None or face.open_end)):
            viewer = None
        return show_table(self.game, states, self.render_mode, face, self.show, viewer)

    def deal_id(self, table: int) -> tuple[int, int]:
        """Seed and deal number of the episode at a table."""
        now = self.tables.clock[table]
        return int(now["seed"]), int(now["episode"])

    def skipped(self) -> tuple[int, float]:
        """Episodes that were over without a decision of the learner, and the sum of its returns in them."""
        clock = self.tables.clock
        return int(clock["skipped"].sum()), float(clock["skipped_return"].sum())

    def clone(self) -> Self:
        """An independent copy in the same moment."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.tables = self.tables.clone()
        return other
