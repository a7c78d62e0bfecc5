"""The game and its agents; imported as `tests.core.pilegame`, or copied out as a package of its own."""

from __future__ import annotations

from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from cardsim.cards import Pack
from cardsim.families import AgentFamily, AgentKind
from cardsim.game import GameType
from cardsim.options import Rules

from . import kernels
from .kernels import CARDS, GREEDY, LOWEST, OPTIONS, PARAMETERS, RANDOM, RULES, SEATS, STATE, TOTAL_BITS, act

PACK = Pack("1234")


class Block(NamedTuple):
    """A block of the observation."""

    name: str
    rows: int
    width: int


def make_rules(preset: str = "base", **options: Any) -> Rules:
    """The rules in force."""
    values = OPTIONS.resolve(options)
    record = np.zeros(1, RULES)
    for name, value in values.items():
        record[name] = OPTIONS[name].code(value)
    changed = {name: values[name] for name in options}
    return Rules("pile", preset, MappingProxyType(values), record, MappingProxyType(changed))


GAME = GameType(
    "pile",
    "Pile",
    state_dtype=STATE,
    functions={
        name: getattr(kernels, name)
        for name in (
            "reset", "deal", "deal_given", "current_player", "legal_actions", "apply_action", "returns",
            "observe", "recall", "resample_hidden", "outcome",
        )
    },
    make_rules=make_rules,
    options=OPTIONS,
    presets={"base": "the only one"},
    pack=PACK,
    action_names=PACK.names,
    action_table=[("0-15", "a card", "play it", "P1")],
    blocks=[
        Block("hand", 1, CARDS), Block("gone", 1, CARDS), Block("to_move", SEATS, 1),
        Block("total", SEATS, TOTAL_BITS)
    ],
    hand_columns=["hands", "decisions"],
    seat_columns=["total"],
    returns_unit=lambda rules: "points",
    returns_bounds=lambda rules: (-24.0, 24.0),
    deck=lambda rules: range(CARDS),
    notation=ModuleType("notation"),
)  # fmt: skip
FAMILY = AgentFamily(
    "pile",
    act,
    PARAMETERS,
    {
        "random": AgentKind(RANDOM, {}, "any card"),
        "greedy": AgentKind(GREEDY, {}, "the dearest card"),
        "lowest": AgentKind(LOWEST, {}, "the card of lowest number"),
    },
)
