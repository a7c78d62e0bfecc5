"""What a run is: its game, who sits where, how many deals; checked before the first hand is played."""

from __future__ import annotations

import math
import numbers
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cardsim.families import NETWORK, Agent
from cardsim.game import Game
from cardsim.options import clip, quoted, value_text
from cardsim.playout import SCALE
from cardsim.registry import agent_family, make_game
from cardsim.rng import check_seed
from cardsim.stats import look_sizes

MAX_HANDS = 1_000_000_000
"""Where a run with `until` stops at the latest, unless told otherwise."""
MOST = 2**62
SAVED = ("game", "agents", "seed", "hands", "duplicate", "until", "confidence", "per_hand")
"""Keys of a saved plan."""

AgentLike = str | Agent | Callable[..., Any] | tuple[str, Callable[..., Any]]


@dataclass(frozen=True)
class Plan:
    """Everything that the numbers of a run depend on.

    Attributes:
        game: the game under its rules.
        agents: names as they were given: one, a repeated pattern, or one per seat.
        names: name per entry; entry e sits at seat (e + rotation) % players.
        labels: number of the name per entry; equal names share one.
        label_names: name per label.
        records: the agents' records, one per entry, as bytes.
        functions: a user's function per entry, or None for an agent of the family.
        seed: 0 .. 2**64-1.
        units: deal numbers 0 .. units-1 are played, fewer if `until` stops the run.
        seatings: hands per deal number: 1, or with duplicates the number of different seatings.
        duplicate: every deal number is played in every different seating.
        until: stop when the first agent's interval has this half width, or None.
        confidence: of all intervals.
        per_hand: keep a row per hand.
        reproducible: the names alone make the agents again.
    """

    game: Game
    agents: tuple[str, ...]
    names: tuple[str, ...]
    labels: tuple[int, ...]
    label_names: tuple[str, ...]
    records: bytes
    functions: tuple[Callable[..., Any] | None, ...]
    seed: int
    units: int
    seatings: int
    duplicate: bool
    until: float | None
    confidence: float
    per_hand: bool
    reproducible: bool

    @property
    def hands(self) -> int:
        """Hands (episodes) of the whole run; with `until`, at most."""
        return self.units * self.seatings

    @property
    def entries(self) -> tuple[int, ...]:
        """Number of entries per label."""
        return tuple(self.labels.count(label) for label in range(len(self.label_names)))

    @property
    def networks(self) -> list[int]:
        """Number of each entry's network; 0 where it plays by none."""
        records = np.frombuffer(self.records, agent_family(self.game.id).dtype)
        return records[NETWORK].tolist() if NETWORK in (records.dtype.names or ()) else [0] * len(records)

    @property
    def command(self) -> str | None:
        """The shell command that gives the same numbers; None where a user's own agent takes part."""
        if not self.reproducible:
            return None
        rules = self.game.rules
        words = ["cardsim", "simulate", self.game.id, "--preset", rules.preset]
        for name, value in rules.changed.items():
            words += ["--option", f"{name}={value_text(value)}"]
        words += ["--agents", ",".join(self.agents)]
        if self.until is None or self.hands != MAX_HANDS:
            words += ["--hands", str(self.hands)]
        words += ["--seed", str(self.seed)]
        words += ["--duplicate"] if self.duplicate else []
        words += [] if self.until is None else ["--until", repr(self.until)]
        words += [] if self.confidence == 0.95 else ["--confidence", repr(self.confidence)]
        return shlex.join(words)

    @property
    def largest_chunk(self) -> int:
        """Units whose squares certainly fit the kernel's int64 sums."""
        bound = SCALE * self.seatings * max(abs(edge) for edge in self.game.returns_bounds)
        most = max(self.entries)
        return max(1, int(2**62 / max(1.0, 2 * bound * most * most) ** 2))

    def looks(self) -> list[int]:
        """Numbers of units at which `until` may stop the run, ascending; the last is `units`."""
        if self.until is None:
            return [self.units]
        return list(_looks(self.units))

    def to_json(self) -> dict[str, Any]:
        """Plain data that `from_json` turns into an equal plan."""
        return {
            "game": self.game.name,
            "agents": list(self.agents),
            "seed": self.seed,
            "hands": self.hands,
            "duplicate": self.duplicate,
            "until": self.until,
            "confidence": self.confidence,
            "per_hand": self.per_hand,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """Undo `to_json`.

        Raises:
            ValueError: a key is missing or unknown, or a value is not allowed.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"plan {quoted(data)}: must hold {', '.join(SAVED)}")
        for name in sorted({*SAVED} ^ {*data}):
            raise ValueError(f"plan: {clip(name)} is {'missing' if name in SAVED else 'unknown'}")
        fields = dict(data)
        return make_plan(fields.pop("game"), fields.pop("agents"), fields.pop("hands"), **fields)


@cache
def _looks(units: int) -> tuple[int, ...]:
    sizes: list[int] = []
    for size in look_sizes():
        if size >= units:
            return (*sizes, units)
        sizes.append(size)
    raise AssertionError("look_sizes has no end")


def split_agents(text: str) -> list[str]:
    """Split `book,book(memory=false,closing=false)` at the commas outside brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def check_count(name: str, value: Any) -> int:
    """Return a number of things as int, or raise ValueError: it must be a whole number, at least 1."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError(f"{name} {quoted(value)}: must be a whole number, at least 1")
    if value < 1:
        raise ValueError(f"{name} {clip(value)}: must be at least 1")
    if value > MOST:
        raise ValueError(f"{name} {clip(value)}: must be at most 2**62")
    return int(value)


def check_switch(name: str, value: Any) -> bool:
    """Return a switch as bool, or raise ValueError: it must be True or False, not a word for it."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} {quoted(value)}: must be True or False")
    return bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def make_plan(
    game: str | Game,
    agents: str | Sequence[AgentLike],
    hands: int | None = None,
    *,
    seed: int = 0,
    duplicate: bool = False,
    until: float | None = None,
    max_hands: int = MAX_HANDS,
    confidence: float = 0.95,
    per_hand: bool = False,
) -> Plan:
    """Check the arguments of a run (see `simulate`).

    Raises:
        ValueError: one line that names the argument, its value and what is allowed.
    """
    made = make_game(game) if isinstance(game, str) else game
    if not isinstance(made, Game):
        raise ValueError(f"game {quoted(game)}: must be a name such as sixty_six(preset=schnapsen), or a Game")
    seated = _seat(made, agents)
    seed = check_seed(seed)
    duplicate, per_hand = check_switch("duplicate", duplicate), check_switch("per_hand", per_hand)
    if until is not None and not (_is_number(until) and 0 < until < math.inf):
        raise ValueError(f"until {quoted(until)}: must be a half width above 0, in {made.returns_unit}")
    if hands is None and until is None:
        raise ValueError("hands is missing: give the number of hands, or a half width by until")
    limit = check_count("max_hands", max_hands)
    limit = limit if hands is None else check_count("hands", hands)
    if not _is_number(confidence) or not 0 < confidence < 1:
        raise ValueError(f"confidence {quoted(confidence)}: must be above 0 and below 1")
    if (1 + confidence) / 2 == 1:
        raise ValueError(f"confidence {confidence!r}: is so near to 1 that its interval is infinite; at most 1 - 1e-15")
    seatings = _period(seated["labels"]) if duplicate else 1
    return Plan(
        game=made,
        **seated,
        seed=seed,
        units=-(-limit // seatings),
        seatings=seatings,
        duplicate=duplicate,
        until=None if until is None else float(until),
        confidence=float(confidence),
        per_hand=per_hand,
    )


def _period(labels: Sequence[int]) -> int:
    """Rotations after which the seating is the same again: A,B,A,B has two different seatings, not four."""
    players = len(labels)
    shifts = (p for p in range(1, players) if all(labels[k] == labels[(k + p) % players] for k in range(players)))
    return next(shifts, players)


def _seat(game: Game, agents: str | Sequence[AgentLike]) -> dict[str, Any]:
    given = split_agents(agents) if isinstance(agents, str) else agents
    if callable(given) or isinstance(given, Agent):
        given = [given]
    if not isinstance(given, Iterable):
        raise ValueError(f"agents {quoted(given)}: must be names separated by commas, or a sequence of agents")
    made = [_agent(game, agent) for agent in given]
    names = tuple(name for name, _, _ in made)
    players = game.num_players
    if not names or players % len(names):
        allowed = [str(n) for n in range(1, players + 1) if players % n == 0]
        shown = ",".join(names)
        raise ValueError(f"agents {clip(shown)}: {game.name} has {players} seats, so name {_either(allowed)} agents")
    known: dict[str, tuple[bytes, Any]] = {}
    for name, record, function in made:
        if known.setdefault(name, (record, function)) != (record, function):
            raise ValueError(f"agents {clip(','.join(names))}: two different agents are named {clip(name)}")
    label_names = tuple(known)
    seated = [made[k % len(made)] for k in range(players)]
    family = agent_family(game.id)
    return {
        "agents": names,
        "names": tuple(name for name, _, _ in seated),
        "labels": tuple(label_names.index(name) for name, _, _ in seated),
        "label_names": label_names,
        "records": b"".join(record for _, record, _ in seated),
        "functions": tuple(function for _, _, function in seated),
        "reproducible": all(function is None and _remade(family, name) == record for name, record, function in made),
    }


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _remade(family: Any, name: str) -> bytes | None:
    try:
        made: bytes = family.make(name).record.tobytes()
    except ValueError:
        return None
    return made


def _agent(game: Game, agent: Any) -> tuple[str, bytes, Callable[..., Any] | None]:
    family = agent_family(game.id)
    if isinstance(agent, str):
        agent = family.make(agent)
    if isinstance(agent, Agent):
        if agent.record.dtype != family.dtype or agent.record.shape != (1,):
            raise ValueError(f"agent {agent.name}: its record is not one of the agents of {game.id}")
        return agent.name, agent.record.tobytes(), None
    name, function = agent if isinstance(agent, tuple) and len(agent) == 2 else (None, agent)
    function = function if callable(function) else None
    if function is None:
        raise ValueError(f"agent {quoted(agent)}: must be a name, an Agent, a function, or (name, function)")
    name = str(name or getattr(function, "__name__", "function"))
    return name, np.zeros(1, family.dtype).tobytes(), function
