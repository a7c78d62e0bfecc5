"""Families of compiled agents: one record of numbers per agent, one `act` kernel per family and game.

An agent is a record of `parameters` (switches and thresholds) with a `kind` that `act` switches on. A table can
therefore seat any mix of a family's agents without compiling again, and an experiment can sweep a number or turn one
tip off.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cardsim.contract import AGENT_FUNCTIONS, register_record
from cardsim.options import OptionTable, clip, quoted, value_text

CALL = re.compile(r"\s*([\w.-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


class AgentKind(NamedTuple):
    """A named agent: what `act` switches on, the parameters that differ from the defaults, and a line for people."""

    kind: int
    parameters: Mapping[str, Any]
    meaning: str


@dataclass(frozen=True)
class Agent:
    """An agent ready to sit down.

    Attributes:
        name: text that makes it again, such as `book(trump_ten=false)`.
        record: array of shape (1,) of the family's dtype.
    """

    name: str
    record: Any


def split_call(text: str) -> tuple[str, dict[str, str]]:
    """Split `name(key=value,key=value)` into its name and arguments.

    Raises:
        ValueError: the text has another form, or names an option twice.
    """
    match = CALL.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"{quoted(text)}: must look like name or name(option=value,option=value)")
    arguments: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (match[2] or "").split(","))):
        key, sign, value = part.partition("=")
        if not sign:
            raise ValueError(f"{quoted(text)}: {quoted(part)} must look like option=value")
        if (key := key.strip()) in arguments:
            raise ValueError(f"{quoted(text)}: option {clip(key)} is given more than once")
        arguments[key] = value.strip()
    return match[1], arguments


class AgentFamily:
    """The compiled agents of one game.

    Args:
        game: game id.
        act: kernel act(agent, state, legal, stream) -> action.
        parameters: every number of every kind of agent.
        kinds: agent name -> AgentKind.
    """

    def __init__(self, game: str, act: Any, parameters: OptionTable, kinds: Mapping[str, AgentKind]) -> None:
        self.game = game
        self.act = act
        self.parameters = parameters
        self.kinds = dict(kinds)
        self.dtype = parameters.record_dtype((f"kind_{game}",))
        register_record(f"agents of {game}", self.dtype, {"act": act}, AGENT_FUNCTIONS)

    def make(self, text: str, /, **overrides: Any) -> Agent:
        """Make an agent from `name` or `name(parameter=value,...)`.

        Raises:
            ValueError: unknown agent or parameter, or a value that is not allowed; the message says what is.
        """
        name, arguments = split_call(text)
        if name not in self.kinds:
            raise ValueError(f"agent {quoted(name)} is unknown for {self.game}; agents are {', '.join(self.kinds)}")
        kind = self.kinds[name]
        named = {**arguments, **overrides}
        values = self.parameters.resolve(kind.parameters, named)
        record = np.zeros(1, self.dtype)
        for key, value in values.items():
            record[key] = self.parameters[key].code(value)
        record[f"kind_{self.game}"] = kind.kind
        record.setflags(write=False)
        shown = ",".join(f"{key}={value_text(values[key])}" for key in named)
        return Agent(f"{name}({shown})" if shown else name, record)
