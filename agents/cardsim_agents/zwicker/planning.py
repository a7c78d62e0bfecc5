"""The best whole turn of the mover, and its next small decision.

Nothing is remembered between the decisions of a turn: each of them plans again what is still open. Since a plan is the
first of the best turns, and its worth is the same before and after the card has left the hand, the decisions belong
together. Where others began a turn otherwise it is the best of those that begin so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, has, lowest
from cardsim.games.zwicker.basics import VALUE_ACTIONS
from cardsim.games.zwicker.layout import ACT, CARD, FIRST_VALUE, GROUP, ITEMS, TARGET
from cardsim.games.zwicker.rules import HAND
from cardsim.jit import kernel
from cardsim_agents.zwicker.candidates import MOST_TURNS, list_turns
from cardsim_agents.zwicker.chances import find_chances
from cardsim_agents.zwicker.outlook import ITEM, SLOT, VALUE, WHAT, weigh_items, worth_of_turn
from cardsim_agents.zwicker.parameters import GREEDY
from cardsim_agents.zwicker.sets import name_item, spell_set

MOST_WEIGHED = HAND * MOST_TURNS
NO_TURN = -1e9
"""In place of the worth of a turn that cannot go on."""


@kernel
def weigh_turns(agent: Any, state: Any, legal: Any, view: Any, turns: Any, sets: Any, worths: Any) -> int:
    """List what is still open in a turn, with what it is worth, in the order of cards, captures, values and items.

    Args:
        agent, state: the records.
        legal: legal actions of the seat to act.
        view: (4, ITEMS + 1) of zeros, set: see `chances`.
        turns: (MOST_WEIGHED, 4), columns WHAT to SLOT, set.
        sets: (MOST_WEIGHED, 2), two words: the items that are taken, set.
        worths: (MOST_WEIGHED,), set.

    Returns:
        How many turns there are.
    """
    weigh_items(agent, state, view)
    if agent["kind_zwicker"] != GREEDY:
        find_chances(agent, state, view)
    in_hand = state["phase"] == CARD
    slots = U64(legal) if in_hand else U64(1)
    count = I64(0)
    while slots != NONE:
        slot = lowest(slots) if in_hand else I64(-1)
        slots &= slots - U64(1)
        card = I64(state["hand"][state["player"], slot]) if in_hand else I64(state["card"])
        first = count
        count += list_turns(agent, state, card, slot, view, turns[first:], sets[first:])
        for row in range(first, count):
            turns[row, SLOT] = slot
            worths[row] = worth_of_turn(agent, state, card, slot, turns, sets, row, view)
    return count


@kernel
def plan_action(agent: Any, state: Any, legal: Any) -> int:
    """The next decision of the best turn, of equals the first; -1 if no turn of the list begins as this one did."""
    view = np.zeros((4, ITEMS + 1))
    turns = np.empty((MOST_WEIGHED, 4), np.int64)
    sets = np.empty((MOST_WEIGHED, 2), np.uint64)
    worths = np.empty(MOST_WEIGHED)
    count = weigh_turns(agent, state, legal, view, turns, sets, worths)
    for _ in range(count):  # the first one goes on, unless others began
        best = best_row(worths, count)
        action = next_action(state, turns[best], sets[best])
        if action >= 0 and has(legal, action):
            return action
        worths[best] = NO_TURN
    return I64(-1)


@kernel
def best_row(worths: Any, count: int) -> int:
    """The first of the best turns."""
    best = I64(0)
    for row in range(1, count):
        if worths[row] > worths[best]:
            best = row
    return best


@kernel
def next_action(state: Any, plan: Any, taken: Any) -> int:
    """The decision of a planned turn that the phase asks for; not legal if others began the turn otherwise.

    Args:
        state: the record.
        plan: columns WHAT to SLOT of the turn.
        taken: two words: the items that it takes.
    """
    phase = state["phase"]
    if phase == CARD:
        return I64(plan[SLOT])
    if phase == ACT:
        return I64(plan[WHAT])
    if phase == GROUP:
        return spell_set(state, I64(plan[VALUE]), taken)
    if phase == TARGET:
        return name_item(state, I64(plan[ITEM]))
    return FIRST_VALUE + I64(VALUE_ACTIONS[plan[VALUE]])
