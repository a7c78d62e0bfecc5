"""The best turn of each kind at a decision, as `book` sees it, and what comes of playing it.

A turn is a chain of small decisions, so that one action cannot stand for "build for the partner". Here the whole turn
is found and played, and the deal goes on from there by `Line.play_out`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cardsim.bits import I64, NONE, U64, has, lowest, popcount
from cardsim.contract import apply_action, legal_actions
from cardsim.games.zwicker.basics import card_values
from cardsim.games.zwicker.layout import ACT_BESIDE, ACT_FINISH, ACT_TAKE, ITEMS, NO_CARD, TURNS
from cardsim.games.zwicker.rules import FIXED, HAND
from cardsim.jit import kernel
from cardsim_agents.zwicker.outlook import SLOT, VALUE, WHAT
from cardsim_agents.zwicker.planning import MOST_WEIGHED, next_action, weigh_turns
from experiments.lab import Choice, Decisions, Line
from experiments.zwicker.points import points_of, side_of_rows

TAKE, SWEEP, STACK, HELP, ASIDE = range(5)
KINDS = ("takes some", "takes all (Zwick)", "builds", "builds for the partner", "lays beside")
"""Kinds of turns. A build is for the partner if no card left in the own hand could take it; without jokers every card
that is laid on another makes a stack, which counts as a build."""


@kernel
def kind_of_turn(state: Any, turns: Any, sets: Any, row: int) -> int:
    """The kind of a turn of a list, see `cardsim_agents.zwicker.planning.weigh_turns`."""
    if turns[row, WHAT] == ACT_TAKE:
        taken = popcount(U64(sets[row, 0])) + popcount(U64(sets[row, 1]))
        return I64(SWEEP) if taken == state["items"] else I64(TAKE)
    if turns[row, WHAT] == ACT_BESIDE:
        return I64(ASIDE)
    if state["rules"]["style"] != FIXED:
        return I64(STACK)
    own = NONE
    for k in range(HAND):
        card = I64(state["hand"][state["player"], k])
        if k != turns[row, SLOT] and card != NO_CARD:
            own |= card_values(state, card)
    return I64(STACK) if has(own, turns[row, VALUE]) else I64(HELP)


@kernel
def play_turn(state: Any, plan: Any, taken: Any) -> None:
    """Play a whole turn decision by decision."""
    before = state["totals"][TURNS]
    while state["totals"][TURNS] == before:
        legal = legal_actions(state)
        action = I64(next_action(state, plan, taken))
        if action < 0 or not has(legal, action):
            action = I64(ACT_FINISH) if has(legal, ACT_FINISH) else lowest(legal)
        apply_action(state, action)


@kernel
def find_turns(states: Any, agents: Any, after: Any, worth: Any) -> None:
    """Find the best turn of each kind and play it.

    Args:
        states: records (N,), each at the beginning of a turn.
        agents: records (1,): `book`, with the numbers by which it weighs turns.
        after: records (N * 5,), row n * 5 + kind: the state after that turn, written.
        worth: float64 (N, 5), written: what the agent thinks it is worth; nan where there is no such turn.
    """
    turns = np.empty((MOST_WEIGHED, 4), np.int64)
    sets = np.empty((MOST_WEIGHED, 2), np.uint64)
    worths = np.empty(MOST_WEIGHED)
    rows = np.zeros(5, np.int64)
    for n in range(states.shape[0]):
        state = states[n]
        view = np.zeros((4, ITEMS + 1))
        worth[n, :] = np.nan
        for row in range(weigh_turns(agents[0], state, legal_actions(state), view, turns, sets, worths)):
            kind = kind_of_turn(state, turns, sets, row)
            if not worth[n, kind] >= worths[row]:
                worth[n, kind] = worths[row]
                rows[kind] = row
        for kind in range(5):
            after[n * 5 + kind] = state
            if worth[n, kind] == worth[n, kind]:
                play_turn(after[n * 5 + kind], turns[rows[kind]], sets[rows[kind]])


class Turns(NamedTuple):
    """The best turn of each kind at some decisions: states after it, records (N, 5); its worth, nan where none."""

    after: Any
    worth: Any


def best_turns(line: Line, decisions: Decisions, agent: int = 0) -> Turns:
    """The best turn of each kind by the judgement of the line's agent in an entry, a `book`.

    Args:
        line: the line.
        decisions: each at the beginning of a turn.
        agent: the entry.
    """
    size = len(decisions)
    after, worth = line.game.new_states(size * len(KINDS)), np.empty((size, len(KINDS)))
    find_turns(np.ascontiguousarray(decisions.states), line.records[agent : agent + 1], after, worth)
    return Turns(after.reshape(size, len(KINDS)), worth)


def play_kinds(line: Line, decisions: Decisions, turns: Turns, kinds: Any) -> tuple[Any, Any]:
    """What comes of turns of some kinds in the same deal, the line's agents playing on.

    Args:
        line: the line.
        decisions: as given to `best_turns`.
        turns: what it found.
        kinds: int64 (N, K): the kind of each alternative; each must be there.

    Returns:
        The deciding seat's return, float64 (N, K); final states, records (N, K).
    """
    size, ways = kinds.shape
    rows = np.repeat(np.arange(size), ways)
    parts = {name: getattr(decisions, name)[rows] for name in ("number", "seat", "nth", "action")}
    moved = replace(decisions, states=turns.after[rows, kinds.ravel()], **parts)
    returned, finals = line.play_out(moved, [Choice()], finals=True)
    return returned.reshape(size, ways), finals.reshape(size, ways)


class Compared(NamedTuple):
    """Turns of some kinds against the best other one, at decisions of different deals.

    Attributes:
        decisions: N of them.
        turns: the best turn of each kind there.
        tip, other: kind of the turn followed, and of the other one, int64 (N,).
        gain: return of the first less that of the second, played on in the same deal, float64 (N,).
        finals: states at the end, records (N, 2): after the tip, after the other.
        often: int64 (deals,): decisions of the seat, in each deal, at which there was such a turn and another.
    """

    decisions: Decisions
    turns: Turns
    tip: Any
    other: Any
    gain: Any
    finals: Any
    often: Any

    def after(self, kind: Any) -> Any:
        """States after the best turn of a kind, int64 (N,), or the same one everywhere; records (N,)."""
        return self.turns.after[np.arange(len(self.decisions)), kind]

    def points(self, kind: int) -> Any:
        """Points captured by the best turn of a kind, int64 (N,); -1 where there is none."""
        states, rows = self.decisions.states, np.arange(len(self.decisions))
        side = side_of_rows(states, self.decisions.seat)
        got = self.after(kind)["pile"][rows, side] & ~states["pile"][rows, side]
        return np.where(np.isfinite(self.turns.worth[:, kind]), points_of(states, got), -1)


def compare(
    line: Line,
    seed: int,
    first: int,
    count: int,
    tip: Sequence[int],
    fits: Callable[[Any], Any] | None = None,
    most: int = 18,
) -> Compared:
    """At one decision of a deal, drawn evenly, the best turn of some kinds against the best of all others.

    Args:
        line: entry 0, a `book`, decides which turns are best and plays on.
        seed, first, count: the deals.
        tip: kinds of the turns to follow.
        fits: which states count, by a mask; None: all.
        most: the first decisions of entry 0 in a deal that are looked at.
    """
    found = line.decisions(seed, first, count, (0, 1), most=most)
    if fits is not None:
        found = found.where(fits(found.states))
    turns = best_turns(line, found)
    worth = np.where(np.isfinite(turns.worth), turns.worth, -np.inf)
    wanted = np.isin(np.arange(len(KINDS)), tip)
    both = (worth[:, wanted].max(1) > -np.inf) & (worth[:, ~wanted].max(1) > -np.inf)
    chosen = one_a_deal(found, both)
    decisions, turns = found.where(chosen), Turns(turns.after[chosen], turns.worth[chosen])
    kinds = np.stack([np.where(mask, worth[chosen], -np.inf).argmax(1) for mask in (wanted, ~wanted)], 1)
    returned, finals = play_kinds(line, decisions, turns, kinds)
    often = np.bincount(found.number[both], minlength=count)
    return Compared(decisions, turns, kinds[:, 0], kinds[:, 1], returned[:, 0] - returned[:, 1], finals, often)


def one_a_deal(decisions: Decisions, fits: Any) -> Any:
    """Indices of decisions that fit, one of each deal, drawn evenly, so that they are independent of each other."""
    draw = np.random.default_rng([decisions.seed % 2**63, decisions.first, decisions.rotation])
    order = draw.permutation(np.nonzero(fits)[0])
    _, at = np.unique(decisions.number[order], return_index=True)
    return order[at]
