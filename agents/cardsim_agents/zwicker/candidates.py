"""The turns among which an agent chooses: the sets of items that are worth taking, and all ways to lay a card off."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest
from cardsim.games.zwicker.basics import ANY_VALUE, ATTAINABLE, NO_NEED, SELF_OR_PARTNER, card_values
from cardsim.games.zwicker.captures import alike, follows_twin
from cardsim.games.zwicker.laying import STACKS, layable, new_values
from cardsim.games.zwicker.layout import (
    ACT_BESIDE,
    ACT_LAY,
    ACT_TAKE,
    GROUP,
    ITEMS,
    NEW_VALUE,
    NO_CARD,
    PLAY_AT,
    TARGET,
)
from cardsim.games.zwicker.legal import FREE_TRAIL, capture_values
from cardsim.games.zwicker.rules import FIXED, HAND
from cardsim.jit import inlined, kernel
from cardsim_agents.zwicker.chances import WORTH
from cardsim_agents.zwicker.outlook import ITEM, VALUE, WHAT
from cardsim_agents.zwicker.parameters import GREEDY
from cardsim_agents.zwicker.sets import MAXIMAL, fill_unions, find_twins, mark_useful, stands_alone, takes_first_twins

MOST_TURNS = 512
"""Turns that are looked at with a card; on a longer table the last ways to lay it off are passed over."""
MOST_PLACES = 9
"""Items, beside those that are groups by themselves, among which the best set is found exactly."""
MOST_SETS = 24
"""`book` looks at each set that it could take if there are so many at most, else at the heaviest only."""
SINGLE_POINT = 0.5
"""Items worth at least this hold a card that scores."""


@kernel
def sort_items(state: Any, value: int, view: Any, alone: Any, places: Any) -> int:
    """Split the items that a card can take at a value into those that are a group by themselves, and others.

    An item of just that value is best taken by itself, since no other group can hold it. Of more than MOST_PLACES
    others those that score come first.

    Args:
        state: the record.
        value: value at which the card is played.
        view: row WORTH: what each item is worth.
        alone: two words, set to the items that are groups by themselves.
        places: set to the others, ascending.

    Returns:
        Number of the others.
    """
    useful = np.zeros(2, np.uint64)
    mark_useful(state, value, useful)
    alone[0], alone[1] = NONE, NONE
    others = I64(0)
    for item in range(I64(state["items"])):
        if has(useful[item >> 6], item & 63):
            if stands_alone(state, item, value):
                alone[item >> 6] |= bit(item & 63)
                useful[item >> 6] ^= bit(item & 63)
            else:
                others += 1
    if others > MOST_PLACES:
        keep_best(state, view, useful)
    count = I64(0)
    for item in range(I64(state["items"])):
        if has(useful[item >> 6], item & 63):
            places[count] = item
            count += 1
    return count


@kernel
def keep_best(state: Any, view: Any, useful: Any) -> None:
    """Leave the first MOST_PLACES of some items, those with cards that score before the others."""
    left = I64(MOST_PLACES)
    for least in (SINGLE_POINT, 0.0):
        for item in range(I64(state["items"])):
            if has(useful[item >> 6], item & 63) and (view[WORTH, item] >= SINGLE_POINT) == (least > 0.0):
                if left > 0:
                    left -= 1
                else:
                    useful[item >> 6] ^= bit(item & 63)


@kernel
def list_turns(agent: Any, state: Any, card: int, slot: int, view: Any, turns: Any, sets: Any) -> int:
    """List what is still open in a turn with this card, in a fixed order: values, items; captures first.

    Args:
        agent, state: the records.
        card: the card of the turn.
        slot: its place in the hand, or -1 once it has left the hand.
        view: row WORTH: what each item is worth.
        turns: shape (MOST_TURNS, 4), columns WHAT, VALUE and ITEM, set.
        sets: shape (MOST_TURNS, 2), two words: the items that are taken, set.

    Returns:
        How many turns there are.
    """
    phase = state["phase"]
    count = I64(0)
    if phase not in (TARGET, NEW_VALUE):
        values = bit(state["value"]) if phase == GROUP else U64(capture_values(state, card))
        alone = (state["rules"]["must_capture"] != 0 and values != NONE) or phase in (PLAY_AT, GROUP)
        while values != NONE:
            count = list_captures(agent, state, lowest(values), view, turns, sets, count)
            values &= values - U64(1)
        if alone:
            return count
    return list_lays(state, card, slot, turns, count)


@kernel
def list_captures(agent: Any, state: Any, value: int, view: Any, turns: Any, sets: Any, count: int) -> int:
    """List the sets worth taking at a value, the heaviest or for `book` all if they are few; returns the new count."""
    places = np.empty(ITEMS, np.int64)
    alone = np.zeros(2, np.uint64)
    others = sort_items(state, value, view, alone, places)
    unions = np.empty(1 << others, np.uint64)
    fill_unions(state, places, others, value, unions)
    earlier = np.zeros(MOST_PLACES, np.uint64)
    find_twins(state, places, others, earlier)
    weights = np.zeros(1 << others)
    heaviest = I64(0)
    found = I64(0)
    for mask in range(1, 1 << others):
        weights[mask] = weights[mask & (mask - 1)] + view[WORTH, places[lowest(U64(mask))]]
        if has(unions[mask], 0) and not takes_first_twins(earlier, mask):
            unions[mask] ^= U64(1)  # the same cards can be had by their first copies (WP4)
        if has(unions[mask], 0):
            found += 1
            if weights[mask] > weights[heaviest]:
                heaviest = mask
    few = found < MOST_SETS and state["rules"]["capture_choice"] != MAXIMAL
    whole = agent["kind_zwicker"] != GREEDY and agent["leaving"] and few
    for mask in range(0 if whole else heaviest, (1 << others) if whole else heaviest + 1):
        if has(unions[mask], 0) and count < MOST_TURNS:
            turns[count, WHAT], turns[count, VALUE] = ACT_TAKE, value
            spread_set(places, mask, alone, sets, count)
            count += I64(sets[count, 0] | sets[count, 1] != NONE)
    return count


@inlined
def spread_set(places: Any, mask: int, alone: Any, sets: Any, row: int) -> None:
    """Items of the table, two words, from a subset of places and those that are groups by themselves."""
    sets[row, 0], sets[row, 1] = alone[0], alone[1]
    rest = U64(mask)
    while rest != NONE:
        item = I64(places[lowest(rest)])
        rest &= rest - U64(1)
        sets[row, item >> 6] |= bit(item & 63)


@kernel
def list_lays(state: Any, card: int, slot: int, turns: Any, count: int) -> int:
    """List the ways to lay the card on an item, and beside; returns the new count."""
    allowed = may_announce(state, slot)
    phase = state["phase"]
    first = I64(state["target"]) if phase == NEW_VALUE else I64(0)
    end = first + 1 if phase == NEW_VALUE else I64(state["items"])
    twins = alike(state)
    fits = False
    for item in range(first, end):
        if twins and follows_twin(state, item):
            continue
        values = U64(new_values(state, card, layable(state, item), allowed))
        fits |= values != NONE
        while values != NONE and count < MOST_TURNS - 1:
            turns[count, WHAT], turns[count, VALUE], turns[count, ITEM] = ACT_LAY, lowest(values), item
            values &= values - U64(1)
            count += 1
    rules = state["rules"]
    free = not fits or rules["style"] == FIXED or rules["trail"] == FREE_TRAIL
    if free and phase not in (TARGET, NEW_VALUE):
        turns[count, WHAT], turns[count, VALUE], turns[count, ITEM] = ACT_BESIDE, 0, I64(state["items"])
        count += 1
    return count


@kernel
def may_announce(state: Any, slot: int) -> Any:
    """`laying.announced` as the mover knows it: his partners' cards are those that his legal builds told him (WP13)."""
    rules = state["rules"]
    if rules["style"] != FIXED:
        return STACKS
    attainable = ATTAINABLE[U64(I64(rules["form"]))]
    if rules["build_needs"] == NO_NEED:
        return attainable & ANY_VALUE
    player = I64(state["player"])
    found = U64(state["asked"][player]) if rules["build_needs"] == SELF_OR_PARTNER else NONE
    for k in range(HAND):
        card = I64(state["hand"][player, k])
        if k != slot and card != NO_CARD:
            found |= card_values(state, card)
    return attainable & found
