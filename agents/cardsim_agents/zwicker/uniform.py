"""`random_turns`: every whole turn of a position equally likely, decision by decision.

Turns are those of the rules: a card, and the set of items that it takes (WP5), or the item that it is laid on and the
new value (WP11), or beside. At each decision the turns behind each action are counted, and an action is drawn in
proportion; a set that can be spelled in several ways, or taken at several values, counts once: at its lowest value and
in the spelling of `sets.spell`.

Where a card could take parts of more than MOST_PLACES items, only those of its captures count that leave all of these
but the first MOST_PLACES.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount, select
from cardsim.games.zwicker.basics import VALUE_ACTIONS
from cardsim.games.zwicker.captures import alike, follows_twin
from cardsim.games.zwicker.laying import layable, new_values
from cardsim.games.zwicker.layout import (
    ACT,
    ACT_BESIDE,
    ACT_LAY,
    ACT_TAKE,
    CARD,
    FIRST_VALUE,
    GROUP,
    ITEMS,
    NEW_VALUE,
    PLACES,
    PLAY_AT,
    TARGET,
    VALUES,
)
from cardsim.games.zwicker.legal import FREE_TRAIL, capture_values
from cardsim.games.zwicker.rules import FIXED, HAND
from cardsim.jit import kernel
from cardsim.rng import below
from cardsim_agents.zwicker.candidates import may_announce
from cardsim_agents.zwicker.sets import (
    MAXIMAL,
    OTHER_PATH,
    fill_groups,
    fill_unions,
    find_twins,
    mark_useful,
    name_item,
    spell,
    takes_first_twins,
)

MOST_PLACES = 12


@kernel
def random_turn_action(state: Any, legal: Any, stream: Any) -> int:
    """Draw the next decision of a turn, see the module text; any, if others began the turn so that none counts."""
    phase = state["phase"]
    action = I64(OTHER_PATH)
    if phase == CARD:
        action = draw_card(state, legal, stream)
    elif phase == TARGET:
        action = draw_target(state, stream)
    elif phase != NEW_VALUE:
        places = np.empty(ITEMS, np.int64)
        sets = np.zeros(1 << MOST_PLACES, np.uint64)
        count = find_sets(state, I64(state["card"]), places, sets)
        if phase == ACT:
            action = draw_act(state, legal, count_sets(sets, count), stream)
        elif phase == PLAY_AT:
            action = draw_value(sets, count, stream)
        elif phase == GROUP:
            action = draw_item(state, places, sets, count, stream)
    if action >= 0 and has(legal, action):
        return action
    return select(legal, below(stream, popcount(legal)))


@kernel
def find_sets(state: Any, card: int, places: Any, sets: Any) -> int:
    """The sets of items that a card can take.

    Args:
        state: the record.
        card: a card of the hand or in play.
        places: set to the items that it can take at any value, ascending, MOST_PLACES at most.
        sets: shape (2**MOST_PLACES,) of zeros; entry `mask` is set to the values at which it can take that subset.

    Returns:
        How many items there are.
    """
    useful = np.zeros(2, np.uint64)
    values = U64(capture_values(state, card))
    rest = values
    while rest != NONE:
        mark_useful(state, lowest(rest), useful)
        rest &= rest - U64(1)
    count = I64(0)
    for item in range(I64(state["items"])):
        if has(useful[item >> 6], item & 63) and count < MOST_PLACES:
            places[count] = item
            count += 1
    unions = np.empty(1 << count, np.uint64)
    earlier = np.zeros(MOST_PLACES, np.uint64)
    find_twins(state, places, count, earlier)
    while values != NONE:
        value = lowest(values)
        values &= values - U64(1)
        fill_unions(state, places, count, value, unions)
        if state["rules"]["capture_choice"] == MAXIMAL:
            drop_smaller(unions, count)
        for mask in range(1, 1 << count):
            if has(unions[mask], 0) and takes_first_twins(earlier, mask):
                sets[mask] |= bit(value)
    return count


@kernel
def drop_smaller(unions: Any, count: int) -> None:
    """Clear bit 0 of the subsets that are part of a larger one with that bit (capture_choice=maximal)."""
    larger = np.zeros(1 << count, np.uint8)
    for mask in range((1 << count) - 1, -1, -1):
        for k in range(count):
            more = mask | (1 << k)
            if more != mask and (larger[more] or has(unions[more], 0)):
                larger[mask] = 1
    for mask in range(1 << count):
        if larger[mask]:
            unions[mask] &= ~U64(1)


@kernel
def count_sets(sets: Any, count: int) -> int:
    """How many sets can be taken."""
    found = I64(0)
    for mask in range(1 << count):
        found += sets[mask] != NONE
    return found


@kernel
def count_lays(state: Any, card: int, slot: int, item: int) -> int:
    """New values that an item can have with the card on it; none if a card alike lies before it (WP4)."""
    if alike(state) and follows_twin(state, item):
        return I64(0)
    return popcount(new_values(state, card, layable(state, item), may_announce(state, slot)))


@kernel
def count_all_lays(state: Any, card: int, slot: int) -> int:
    """Ways to lay the card on an item."""
    lays = I64(0)
    for item in range(I64(state["items"])):
        lays += count_lays(state, card, slot, item)
    return lays


@kernel
def draw_card(state: Any, legal: Any, stream: Any) -> int:
    """A card, each as likely as it has turns."""
    rules = state["rules"]
    places = np.empty(ITEMS, np.int64)
    turns = np.zeros(HAND, np.int64)
    for slot in range(HAND):
        if has(legal, slot):
            card = I64(state["hand"][state["player"], slot])
            sets = np.zeros(1 << MOST_PLACES, np.uint64)
            turns[slot] = count_sets(sets, find_sets(state, card, places, sets))
            if turns[slot] == 0 or not rules["must_capture"]:
                lays = count_all_lays(state, card, slot)
                beside = lays == 0 or rules["style"] == FIXED or rules["trail"] == FREE_TRAIL
                turns[slot] += lays + I64(beside)
    return draw(turns, stream)


@kernel
def draw(weights: Any, stream: Any) -> int:
    """An index, each as likely as its weight says; OTHER_PATH if all are 0."""
    total = I64(0)
    for k in range(len(weights)):
        total += weights[k]
    if total == 0:
        return I64(OTHER_PATH)
    left = below(stream, total)
    for k in range(len(weights)):
        left -= weights[k]
        if left < 0:
            return I64(k)
    return I64(OTHER_PATH)


@kernel
def draw_act(state: Any, legal: Any, captures: int, stream: Any) -> int:
    """Take, lay on or beside."""
    weights = np.zeros(ACT_BESIDE + 1, np.int64)
    weights[ACT_TAKE] = captures
    if has(legal, ACT_LAY):
        weights[ACT_LAY] = count_all_lays(state, I64(state["card"]), I64(-1))
    weights[ACT_BESIDE] = I64(has(legal, ACT_BESIDE))
    return draw(weights, stream)


@kernel
def draw_value(sets: Any, count: int, stream: Any) -> int:
    """The value of a capture, each as likely as there are sets of which it is the lowest."""
    weights = np.zeros(len(VALUES), np.int64)
    for mask in range(1 << count):
        if sets[mask] != NONE:
            weights[VALUE_ACTIONS[lowest(sets[mask])]] += 1
    return FIRST_VALUE + draw(weights, stream)


@kernel
def draw_item(state: Any, places: Any, sets: Any, count: int, stream: Any) -> int:
    """Draw one of the sets whose spelling leads through this state, and go on with it."""
    value = I64(state["value"])
    unions = np.empty(1 << count, np.uint64)
    groups = np.empty(1 << count, np.uint64)
    alone = np.zeros(2, np.uint64)
    fill_unions(state, places, count, value, unions)
    fill_groups(state, places, count, value, groups)
    weights = np.zeros(1 << count, np.int64)
    for mask in range(1, 1 << count):
        if sets[mask] != NONE and lowest(sets[mask]) == value:
            weights[mask] = spell(state, places, value, unions, groups, U64(mask), alone) != OTHER_PATH
    mask = draw(weights, stream)
    if mask < 0:
        return I64(OTHER_PATH)
    return spell(state, places, value, unions, groups, U64(mask), alone)


@kernel
def draw_target(state: Any, stream: Any) -> int:
    """The item to lay the card on, each as likely as it can have new values."""
    weights = np.zeros(ITEMS, np.int64)
    for item in range(PLACES * I64(state["page"]), I64(state["items"])):
        weights[item] = count_lays(state, I64(state["card"]), I64(-1), item)
    item = draw(weights, stream)
    return name_item(state, item) if item >= 0 else I64(OTHER_PATH)
