"""How an environment shows a table: as text, as a picture, or printed; the same for every API."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from cardsim.game import Game
from cardsim_envs.render import Scene, picture

RENDER_MODES = ("ansi", "rgb_array", "human")
SHOWN = ("mover", "all")


class Face(NamedTuple):
    """How a game looks.

    Attributes:
        scene: module-level function (game, states, show) -> Scene.
        open_end: whether a `mover` view shows all cards once the episode is over.
    """

    scene: Callable[[Game, Any, str], Scene]
    open_end: bool


def face_of(id: str) -> Face | None:
    """The face that a game's module here declares; None for games of other packages, which have only text."""
    try:
        module = import_module(f"cardsim_envs.{id}_v0")
    except ModuleNotFoundError:
        return None
    face: Face = module.FACE
    return face


def show_table(game: Game, states: Any, mode: str, face: Face | None, show: str, viewer: int | None) -> Any:
    """A table in a render mode.

    Args:
        game: the game under its rules.
        states: the state, shape (1,).
        mode: one of RENDER_MODES.
        face: what draws the picture.
        show: one of SHOWN.
        viewer: whose view the text is: a seat's, everybody's (-1), or all that is there (None).

    Returns:
        A text, a picture uint8 (H, W, 3), or None after printing.

    Raises:
        ValueError: a picture of a game that has no face.
    """
    if mode == "rgb_array":
        if face is None:
            raise ValueError(f"render_mode rgb_array: {game.id} has no picture; use ansi or human")
        return picture(face.scene(game, states, show))
    text = game.notation.describe(states[0], player=viewer)
    if mode == "ansi":
        return text
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)  # some terminals lack suit signs
    return None
