"""Families of compiled agents: one record of numbers per agent, one `act` kernel per family and game.

An agent is a record of `parameters` (switches and thresholds) with a `kind` that `act` switches on. A table can
therefore seat any mix of a family's agents without compiling again, and an experiment can sweep a number or turn one
tip off.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from cardsim.contract import AGENT_FUNCTIONS, register_record
from cardsim.options import OptionTable, clip, quoted, value_text

WEIGHTS, NETWORK = "weights", "network"
CALL = re.compile(r"\s*([\w.-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


class AgentKind(NamedTuple):
    """A named agent.

    Attributes:
        kind: what `act` switches on.
        parameters: those that differ from the defaults.
        meaning: a line for people.
        learned: whether it plays by a network, which `weights=FILE` replaces.
    """

    kind: int
    parameters: Mapping[str, Any]
    meaning: str
    learned: bool = False


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


class Networks(Protocol):
    """Where a family's learned agents have their networks from. A number tells networks apart, in every process."""

    features: Any
    """What networks may be told of each action (`cardsim_agents.learned.ActionFeatures`), or None."""

    def load(self, source: str | None) -> int:
        """Make the network of a file, or the game's own for None, known to this process's kernels; its number."""

    def known(self, number: int) -> bool:
        """Whether this process's kernels know the network."""


class AgentFamily:
    """The compiled agents of one game.

    Args:
        game: game id.
        act: kernel act(agent, state, legal, stream) -> action.
        parameters: every number of every kind of agent.
        kinds: agent name -> AgentKind.
        networks: those of the learned agents, if there are any; their records carry a network's number in `network`.
    """

    def __init__(
        self,
        game: str,
        act: Any,
        parameters: OptionTable,
        kinds: Mapping[str, AgentKind],
        networks: Networks | None = None,
    ) -> None:
        self.game = game
        self.act = act
        self.parameters = parameters
        self.kinds = dict(kinds)
        self.networks = networks
        self.dtype = parameters.record_dtype((f"kind_{game}",))
        if networks is not None:
            fields: list[Any] = [(name, self.dtype[name]) for name in self.dtype.names or ()]
            self.dtype = np.dtype([*fields, (NETWORK, np.int64)], align=True)
        register_record(f"agents of {game}", self.dtype, {"act": act}, AGENT_FUNCTIONS)

    def make(self, text: str, /, **overrides: Any) -> Agent:
        """Make an agent from `name` or `name(parameter=value,...)`; a learned one also takes `weights=FILE`.

        Raises:
            ValueError: unknown agent or parameter, or a value that is not allowed; the message says what is.
        """
        name, arguments = split_call(text)
        if name not in self.kinds:
            raise ValueError(f"agent {quoted(name)} is unknown for {self.game}; agents are {', '.join(self.kinds)}")
        kind = self.kinds[name]
        named = {**arguments, **overrides}
        chosen = {key: value for key, value in named.items() if not (kind.learned and key == WEIGHTS)}
        values = self.parameters.resolve(kind.parameters, chosen)
        record = np.zeros(1, self.dtype)
        for key, value in values.items():
            record[key] = self.parameters[key].code(value)
        record[f"kind_{self.game}"] = kind.kind
        if kind.learned and self.networks is not None:
            record[NETWORK] = self.networks.load(named.get(WEIGHTS))
        record.setflags(write=False)
        shown = ",".join(f"{key}={value_text(values.get(key, value))}" for key, value in named.items())
        return Agent(f"{name}({shown})" if shown else name, record)

    def seated(self, records: bytes, names: Sequence[str]) -> Any:
        """Records of agents, (entries,), ready to play in this process, from their bytes and names.

        A network that has come here by its number alone is loaded again by the agent's name.

        Raises:
            ValueError: a file of weights is not there, or holds others now.
        """
        # bytearray: numba's type of a read-only array is another one, and would be compiled anew.
        agents = np.frombuffer(bytearray(records), self.dtype)
        if self.networks is not None:
            for name, number in zip(names, agents[NETWORK].tolist(), strict=True):
                if number and not self.networks.known(number) and self.make(name).record[NETWORK][0] != number:
                    raise ValueError(f"agent {name}: its weights have changed since the run began")
        return agents
