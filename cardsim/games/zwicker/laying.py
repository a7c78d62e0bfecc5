"""Zwicker kernels: laying a card on an item: stacks (book forms, grupp), builds and pairs (jokers of fixed value)."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, lowest, popcount
from cardsim.games.zwicker.basics import (
    ATTAINABLE,
    STACK_LIMIT,
    VALUE_ACTIONS,
    card_values,
    covered,
    is_wild,
    value_set,
)
from cardsim.games.zwicker.captures import WORD, alike, follows_twin, is_loose_joker, place_actions
from cardsim.games.zwicker.layout import FIRST_VALUE, PLACES
from cardsim.games.zwicker.rules import FIXED, OPTIONS
from cardsim.jit import inlined, kernel

ABS_DIFFERENCE = OPTIONS["build_down"].code("abs_difference")
STACKS = (U64(2) << U64(STACK_LIMIT)) - U64(1)


@inlined
def item_values(state: Any, item: int) -> Any:
    """The values of an item (WQ3, WQ7)."""
    return value_set(I64(state["low"][item]), I64(state["high"][item]))


@inlined
def sums_of(values: Any, others: Any) -> Any:
    """All sums of a value of one set and one of the other."""
    found = NONE
    rest = U64(values)
    while rest != NONE:
        found |= U64(others) << U64(lowest(rest))
        rest &= rest - U64(1)
    return found


@inlined
def differences(values: Any, others: Any) -> Any:
    """All differences, at least 0, of a value of the first set less one of the other."""
    found = NONE
    rest = U64(others)
    while rest != NONE:
        found |= U64(values) >> U64(lowest(rest))
        rest &= rest - U64(1)
    return found


@inlined
def layable(state: Any, item: int) -> Any:
    """The values of an item that a card may be laid on; none of one that it may not (W4 c, WP15)."""
    if state["rules"]["jokers_stay"] and is_loose_joker(state, item):
        return NONE
    return item_values(state, item)


@inlined
def new_values(state: Any, card: int, present: Any, allowed: Any) -> Any:
    """The values that an item may have with the card on it, bit by bit (WQ2, WQ4, WQ10-WQ13, WP9-WP15).

    Args:
        state: the record.
        card: the card to lay.
        present: values of the item, as of `layable`; or of several items, for what can be made of any of them.
        allowed: values that may be announced, see `announced`.
    """
    rules = state["rules"]
    values = card_values(state, card)
    if rules["style"] != FIXED:
        stays = rules["jokers_stay"] != 0 and is_wild(card)
        return NONE if stays else sums_of(values, present) & allowed
    found = sums_of(values, present) | differences(present, values)
    if rules["build_down"] == ABS_DIFFERENCE:
        found |= differences(values, present)
    if rules["pair_build"]:
        found |= values & present
    return found & allowed


@inlined
def announced(state: Any) -> Any:
    """Values that the player to act, whose card is on its way, may give to an item (WQ4, WP9, WP10)."""
    rules = state["rules"]
    if rules["style"] != FIXED:
        return STACKS
    return ATTAINABLE[U64(I64(rules["form"]))] & covered(state)


@inlined
def bearers(state: Any, card: int, allowed: Any) -> Any:
    """The values of items on which the card can be laid: `new_values` the other way round."""
    rules = state["rules"]
    values = card_values(state, card)
    if rules["style"] != FIXED:
        stays = rules["jokers_stay"] != 0 and is_wild(card)
        return NONE if stays else differences(allowed, values)
    found = differences(allowed, values) | sums_of(values, allowed)
    if rules["build_down"] == ABS_DIFFERENCE:
        found |= differences(values, allowed)
    if rules["pair_build"]:
        found |= values & allowed
    return found


@kernel
def target_actions(state: Any) -> Any:
    """Actions of the phase TARGET: items on which the card can be laid; of loose cards alike the first (WP4)."""
    wanted = bearers(state, I64(state["card"]), announced(state))
    twins = alike(state)
    near = NONE
    far = NONE
    for item in range(PLACES * I64(state["page"]), I64(state["items"])):
        if layable(state, item) & wanted == NONE or (twins and follows_twin(state, item)):
            continue
        if item < WORD:
            near |= bit(item)
        else:
            far |= bit(item - WORD)
    return place_actions(state, near, far)


@inlined
def value_actions(values: Any) -> Any:
    """The actions `as ...` of a set of values."""
    legal = NONE
    rest = U64(values)
    while rest != NONE:
        legal |= bit(FIRST_VALUE + I64(VALUE_ACTIONS[lowest(rest)]))
        rest &= rest - U64(1)
    return legal


@inlined
def single(values: Any) -> bool:
    """Whether a set has exactly one value."""
    return popcount(values) == 1
