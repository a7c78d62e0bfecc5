"""The parameters of the games in OpenSpiel: read, checked, and written so that OpenSpiel can read them again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from cardsim.game import Game
from cardsim.options import quoted, value_text
from cardsim.registry import make_game
from cardsim.rng import check_seed
from cardsim_envs.chances import MOST_OUTCOMES, CardByCard, Deals, Every, Sampled, Worlds

CHANCES = ("cards", "sampled", "every")
PARAMETERS: dict[str, Any] = {
    "preset": "",
    "players": 0,
    "rules": "",
    "chance": "cards",
    "deals": 0,
    "worlds": 0,
    "position": "",
    "seed": 0,
}
"""Parameters of every game, with the values that stand for the game's own default."""


class Settings:
    """What the parameters of a game say.

    Attributes:
        game: the game under its rules.
        start: the states (1,) to begin from, or None for a deal.
        chance: how cards are dealt, one of the kinds of `chances`.
        kept: the parameters again, those at their defaults left out, in a form that survives OpenSpiel's texts.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """

    def __init__(self, id: str, params: Mapping[str, Any] | None) -> None:
        given = {**PARAMETERS, **(params or {})}
        options: dict[str, Any] = _rule_options(given["rules"])
        options |= {name: given[name] for name in ("preset", "players") if given[name] != PARAMETERS[name]}
        self.game = make_game(id, **options)
        self.start = _position(self.game, given["position"])
        kinds = (given[name] for name in ("chance", "deals", "worlds", "seed"))
        self.chance = _chance(self.game, self.start, *kinds)
        changed = dict(self.game.rules.changed)
        given["preset"] = self.game.rules.preset if "preset" in options else ""
        given["players"] = int(changed.pop("players", 0))
        given["rules"] = rules_text(changed)
        given["position"] = position_text(given["position"])
        self.kept = {name: value for name, value in given.items() if value != PARAMETERS[name]}


def rules_text(options: Mapping[str, Any]) -> str:
    """Options as the parameter `rules`: OpenSpiel takes no `=` and no comma inside a value."""
    return ";".join(f"{name}:{value_text(value)}" for name, value in options.items())


def position_text(position: str) -> str:
    """A text position, percent-encoded or not, as the parameter `position`: percent-encoded."""
    return quote(unquote(position), safe="")


def _rule_options(text: str) -> dict[str, str]:
    """Read `claims:auto;match:true`."""
    named: dict[str, str] = {}
    for word in re.split(r"[;,\s]+", text.strip()) if text.strip() else []:
        name, sign, value = word.replace("=", ":").partition(":")
        if not sign or not name or name in named:
            raise ValueError(
                f"parameter rules={quoted(text)}: must be options, each once, such as claims:auto;match:true"
            )
        named[name] = value
    return named


def _position(game: Game, text: str) -> Any:
    """The states (1,) of a text position, or None for no text."""
    if not text:
        return None
    rules, states = game.notation.parse_position(unquote(text))
    if rules.record.tobytes() != game.rules.record.tobytes():
        raise ValueError(f"parameter position: has the rules {rules.text}; this game is {game.name}")
    if game.current_player(states) < 0:
        raise ValueError("parameter position: nobody is to act there")
    return states


def _chance(game: Game, start: Any, kind: str, deals: int, worlds: int, seed: int) -> Any:
    if kind not in CHANCES:
        raise ValueError(f"parameter chance={quoted(kind)}: must be {', '.join(CHANCES)}")
    for name, count in (("deals", deals), ("worlds", worlds)):
        if not 0 <= count <= MOST_OUTCOMES:
            raise ValueError(f"parameter {name}={count}: must be from 0, which is off, to {MOST_OUTCOMES}")
    if (deals > 0) + (worlds > 0) + (kind != "cards") > 1:
        raise ValueError(f"parameters chance={kind}, deals={deals}, worlds={worlds}: only one of them can be set")
    if deals and start is not None:
        raise ValueError(f"parameter deals={deals}: does not go with a position; worlds does")
    seed = check_seed(seed)
    if worlds:
        return Worlds(game, worlds, seed, start)
    if deals:
        return Deals(game, deals, seed)
    return {"cards": CardByCard, "every": Every}[kind](game) if kind != "sampled" else Sampled(game, seed)
