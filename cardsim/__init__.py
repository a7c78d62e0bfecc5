"""Simulation of traditional card games: compiled games, batches of tables, millions of hands.

The names below are loaded when they are first used, so that `import cardsim` and `cardsim --help` start at
once. To simulate: `from cardsim.simulate import simulate` (the package `cardsim.simulate` keeps that name for
itself). Environments are in `cardsim_envs`, agents in `cardsim_agents`.

>>> import cardsim
>>> cardsim.make_game("sixty_six", preset="schnapsen").num_players
2
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardsim.contract import CHANCE, TERMINAL
    from cardsim.families import Agent, AgentFamily
    from cardsim.game import Game, GameType
    from cardsim.jit import kernel
    from cardsim.registry import agent_family, game_ids, make_agent, make_game
    from cardsim.tables import Batch, Tables

    __version__: str

_HOMES = {
    "CHANCE": "contract",
    "TERMINAL": "contract",
    "Agent": "families",
    "AgentFamily": "families",
    "Game": "game",
    "GameType": "game",
    "kernel": "jit",
    "agent_family": "registry",
    "game_ids": "registry",
    "make_agent": "registry",
    "make_game": "registry",
    "Batch": "tables",
    "Tables": "tables",
}

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Agent",
    "AgentFamily",
    "Batch",
    "Game",
    "GameType",
    "Tables",
    "__version__",
    "agent_family",
    "game_ids",
    "kernel",
    "make_agent",
    "make_game",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cardsim")
    except PackageNotFoundError:  # run from a checkout that was not installed
        return "0+unknown"
