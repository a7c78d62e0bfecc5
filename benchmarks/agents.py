"""The compiled agents: a decision of each, and whole hands through `simulate` on one thread; CPU time."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.games import Match, Subject
from benchmarks.rows import NANO, Budget, Row, Side, nanoseconds, paired, ratio_of, row, timed
from cardsim import rng
from cardsim.contract import act, legal_actions
from cardsim.jit import kernel
from cardsim.registry import agent_family, make_game
from cardsim.simulate import simulate
from cardsim.tables import Tables

SEED = 1
TABLES = 256


@kernel
def act_all(states: Any, agents: Any, streams: Any, actions: Any) -> None:
    """Let one agent choose at every table."""
    for i in range(states.shape[0]):
        actions[i] = act(agents[0], states[i], legal_actions(states[i]), streams[0])


def deciding(game: str, name: str) -> Side:
    """The side that plays every seat of some tables with one agent; its units, decisions, alone are timed."""
    tables = Tables(make_game(game), TABLES, SEED)
    out = tables.reset(out=tables.new_batch())
    agents = agent_family(game).make(name).record.copy()
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(SEED), np.uint64(0), rng.USER)
    actions = np.zeros(TABLES, np.int64)

    def side(n: int) -> tuple[float, int]:
        used = 0.0
        for _ in range(n):
            began = time.process_time()
            act_all(tables.states, agents, streams, actions)
            used += time.process_time() - began
            tables.step(actions, out=out)
        return used, n * TABLES

    return side


def simulating(game: str, match: Match, portion: int) -> Side:
    """The side that simulates portions of hands between agents; units are hands."""
    made = make_game(game, **match.options)
    return timed(lambda n: simulate(made, list(match.agents), n * portion, seed=SEED, threads=1).hands)


def match_title(match: Match) -> str:
    """Agents, and the rules where they are not the base's."""
    rules = "".join(f", {name}={value}" for name, value in match.options.items())
    return f"{' against '.join(match.agents)}{rules}"


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """All agents in turn, then all matches in turn."""
    kinds = list(agent_family(subject.game).kinds)
    times = paired({name: deciding(subject.game, name) for name in kinds}, budget)
    rows = [
        row(
            f"a decision of {name}",
            nanoseconds(times[name]),
            "ns/decision",
            ratio=ratio_of(times[name], times["random"]),
            note="to random; in positions of its own play",
        )
        for name in kinds
    ]
    matches = {match_title(match): simulating(subject.game, match, budget.hands) for match in subject.matches}
    times = paired(matches, budget)
    for name, used in times.items():
        each = nanoseconds(used)
        note = f"one thread, {each:,.0f} ns a hand"
        rows.append(row(f"simulate, {name}", NANO / each, "hands/s", note=note))
    return rows
