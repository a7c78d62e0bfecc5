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
from cardsim.jit import kernel
from cardsim_agents.zwicker.candidates import MOST_TURNS, list_turns
from cardsim_agents.zwicker.chances import find_chances
from cardsim_agents.zwicker.outlook import ITEM, VALUE, WHAT, weigh_items, worth_of_turn
from cardsim_agents.zwicker.parameters import GREEDY
from cardsim_agents.zwicker.sets import name_item, spell_set

NO_TURN = -1e9


@kernel
def plan_action(agent: Any, state: Any, legal: Any) -> int:
    """The next decision of the best turn, or -1 if no turn of the lists begins as this one did."""
    plan = np.zeros(3, np.int64)
    taken = np.zeros(2, np.uint64)
    for begun in (False, True):  # the second time where others began: to spell every turn slows `book` by a tenth
        slot = make_plan(agent, state, legal, begun, plan, taken)
        action = next_action(state, slot, plan, taken)
        if action >= 0 and has(legal, action):
            return action
    return I64(-1)


@kernel
def make_plan(agent: Any, state: Any, legal: Any, begun: bool, plan: Any, taken: Any) -> int:
    """Find the best turn, of equals the first in the order of cards, captures, values and items.

    Args:
        agent, state: the records.
        legal: legal actions of the seat to act.
        begun: whether only those turns count whose next decision is legal.
        plan: columns WHAT, VALUE and ITEM, set.
        taken: two words, set to the items that it takes.

    Returns:
        The place of its card in the hand, or -1 once it has left the hand.
    """
    view = np.zeros((4, ITEMS + 1))
    weigh_items(agent, state, view)
    if agent["kind_zwicker"] != GREEDY:
        find_chances(agent, state, view)
    turns = np.empty((MOST_TURNS, 3), np.int64)
    sets = np.empty((MOST_TURNS, 2), np.uint64)
    in_hand = state["phase"] == CARD
    slots = U64(legal) if in_hand else U64(1)
    chosen = I64(-1)
    best = NO_TURN
    while slots != NONE:
        slot = lowest(slots) if in_hand else I64(-1)
        slots &= slots - U64(1)
        card = I64(state["hand"][state["player"], slot]) if in_hand else I64(state["card"])
        count = list_turns(agent, state, card, slot, view, turns, sets)
        for row in range(count):
            worth = worth_of_turn(agent, state, card, slot, turns, sets, row, view)
            if worth > best and (not begun or goes_on(state, legal, slot, turns[row], sets[row])):
                best = worth
                chosen = slot
                plan[WHAT], plan[VALUE], plan[ITEM] = turns[row, WHAT], turns[row, VALUE], turns[row, ITEM]
                taken[0], taken[1] = sets[row, 0], sets[row, 1]
    return chosen


@kernel
def goes_on(state: Any, legal: Any, slot: int, turn: Any, taken: Any) -> bool:
    """Whether the next decision of a turn is legal: others may have begun another one."""
    action = next_action(state, slot, turn, taken)
    return action >= 0 and has(legal, action)


@kernel
def next_action(state: Any, slot: int, plan: Any, taken: Any) -> int:
    """The decision of a plan that the phase of the turn asks for; not legal if others began the turn otherwise."""
    phase = state["phase"]
    if phase == CARD:
        return slot
    if phase == ACT:
        return I64(plan[WHAT])
    if phase == GROUP:
        return spell_set(state, I64(plan[VALUE]), taken)
    if phase == TARGET:
        return name_item(state, I64(plan[ITEM]))
    return FIRST_VALUE + I64(VALUE_ACTIONS[plan[VALUE]])
