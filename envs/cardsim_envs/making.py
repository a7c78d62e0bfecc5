"""What makes the environments of a game: its `raw_env` and `env`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardsim.game import Game
from cardsim.registry import make_game
from cardsim_envs.aec import CardGameEnv
from cardsim_envs.render import Scene
from cardsim_envs.wrapping import Wrapped, wrapped


def makers(
    id: str,
    module: str,
    scene: Callable[[Game, Any, str], Scene],
    open_end: bool,
) -> tuple[Callable[..., CardGameEnv], Callable[..., Wrapped]]:
    """The functions `raw_env` and `env` of a game's module.

    Args:
        id: the game's.
        module: the module's `__name__`; its last part is the name of the environments.
        scene, open_end: as `CardGameEnv` takes them.
    """
    name = module.rpartition(".")[2]

    def raw_env(
        preset: str = "base",
        *,
        mask_in: str = "observation",
        render_mode: str | None = None,
        show: str = "mover",
        copy: bool = True,
        **options: Any,
    ) -> CardGameEnv:
        """The bare environment: the fastest, and strict about illegal actions.

        Args:
            preset: form of the game.
            mask_in, render_mode, show, copy: see `CardGameEnv`.
            **options: rule options by name.

        Raises:
            ValueError: a value that is not allowed; the message names it and what is.
        """
        game = make_game(id, preset=preset, **options)
        return CardGameEnv(
            game, name, scene, open_end=open_end, mask_in=mask_in, render_mode=render_mode, show=show, copy=copy
        )

    def env(preset: str = "base", **kwargs: Any) -> Wrapped:
        """The environment in PettingZoo's wrappers; arguments as `raw_env`."""
        return wrapped(raw_env(preset, **kwargs))

    for made in (raw_env, env):  # so that they pickle, and help() finds them, as functions of the game's module
        made.__module__, made.__qualname__ = module, made.__name__
    return raw_env, env
