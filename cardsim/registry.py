"""Games and families of agents by name, found through entry points so that other packages can add their own.

Groups: `cardsim.games` (game id = "package.module:GAME", a GameType), `cardsim.agents` (game id =
"package.module:FAMILY", an AgentFamily) and `cardsim.warmup` (any name = "package.module:function": called with a Game,
compiles what that package needs for it). The built-in ones are known without an installation as well.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from cardsim.families import Agent, AgentFamily, split_call
from cardsim.game import Game, GameType
from cardsim.options import clip, quoted

DISTRIBUTION = "cardsim"
GAMES_GROUP = "cardsim.games"
AGENTS_GROUP = "cardsim.agents"
WARMUP_GROUP = "cardsim.warmup"
BUILT_IN = {
    "sixty_six": "cardsim.games.sixty_six.game:GAME",
    "zwicken": "cardsim.games.zwicken.game:GAME",
    "zwicker": "cardsim.games.zwicker.game:GAME",
}
BUILT_IN_AGENTS = {
    "sixty_six": "cardsim_agents.sixty_six:FAMILY",
    "zwicken": "cardsim_agents.zwicken:FAMILY",
    "zwicker": "cardsim_agents.zwicker:FAMILY",
}
BUILT_IN_WARMUP = {"environments": "cardsim_envs.warmup:warm_up", "agents": "cardsim_agents.warmup:warm_up"}


def _found(group: str, built_in: dict[str, str]) -> dict[str, EntryPoint]:
    known = {name: EntryPoint(name, value, group) for name, value in built_in.items()}
    for point in entry_points(group=group):
        if point.dist is not None and point.dist.name == DISTRIBUTION:
            continue  # our own, as built_in has it; an old editable install may still name another module
        if point.name in known and known[point.name].value != point.value:
            raise ValueError(f"{group}: {point.name!r} is offered by {known[point.name].value} and by {point.value}")
        known[point.name] = point
    return known


def game_ids() -> list[str]:
    """Ids of all games that are installed."""
    return sorted(_found(GAMES_GROUP, BUILT_IN))


@cache
def game_type(id: str) -> GameType:
    """The type of a game.

    Raises:
        ValueError: unknown id; the message lists those there are.
    """
    found = _found(GAMES_GROUP, BUILT_IN)
    if id not in found:
        near = difflib.get_close_matches(clip(id), found, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; games are {', '.join(sorted(found))}"
        raise ValueError(f"game {quoted(id)} is unknown{hint}")
    loaded: GameType = found[id].load()
    return loaded


def make_game(text: str, /, **options: Any) -> Game:
    """Make a game from its id or its full name, with options.

    Args:
        text: `sixty_six`, or `sixty_six(preset=schnapsen,claims=auto)`.
        **options: `preset` and rule options; they come on top of those in the text.

    Raises:
        ValueError: unknown game, preset or option, or values that do not go together.

    >>> make_game("sixty_six", preset="schnapsen").num_players
    2
    """
    id, named = split_call(text)
    kind, named = game_type(id), {**named, **options}
    for name in named:
        if name != "preset":
            kind.options[name]  # refuses what is no option, also a name that Python would take for an argument
    return kind.make(**named)


@cache
def agent_family(id: str) -> AgentFamily:
    """The compiled agents of a game.

    Raises:
        ValueError: unknown game, or no package supplies agents for it.
    """
    game_type(id)
    found = _found(AGENTS_GROUP, BUILT_IN_AGENTS)
    if id not in found:
        raise ValueError(f"no agents are installed for {id}; agents exist for {', '.join(sorted(found))}")
    family: AgentFamily = found[id].load()
    return family


def warmups() -> list[Callable[[Game], object]]:
    """What other packages run to compile their own kernels for a game; packages that are not there are left out."""
    found = _found(WARMUP_GROUP, BUILT_IN_WARMUP).values()
    return [point.load() for point in found if find_spec(point.module.partition(".")[0])]


def make_agent(id: str, text: str, /, **parameters: Any) -> Agent:
    """Make an agent of a game from `name` or `name(parameter=value,...)`.

    Raises:
        ValueError: unknown game, agent or parameter, or a value that is not allowed.
    """
    if not isinstance(id, str):
        raise ValueError(f"game {quoted(id)} is unknown; games are {', '.join(game_ids())}")
    return agent_family(id).make(text, **parameters)
