"""Zwicker kernels: laying a card on an item: stacks (book forms, grupp), builds and pairs (jokers of fixed value)."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, lowest, popcount
from cardsim.games.zwicker.basics import (
    ATTAINABLE,
    HIGH,
    LOW,
    STACK_LIMIT,
    VALUE_ACTIONS,
    card_values,
    covered,
    is_wild,
    kind_of,
    value_set,
)
from cardsim.games.zwicker.captures import WORD, alike, follows_twin, is_loose_joker, place_actions
from cardsim.games.zwicker.layout import FIRST_VALUE
from cardsim.games.zwicker.rules import FIXED, OPTIONS
from cardsim.jit import inlined, kernel

ABS_DIFFERENCE = OPTIONS["build_down"].code("abs_difference")
STACKS = (U64(2) << U64(STACK_LIMIT)) - U64(1)


@inlined
def item_values(state: Any, item: int) -> Any:
    """The values of an item (WQ3, WQ7)."""
    return value_set(I64(state["low"][item]), I64(state["high"][item]))


@inlined
def shifted(state: Any, card: int, others: Any, up: bool) -> Any:
    """All sums of a value of the card and one of a set; or all differences, at least 0, of one of the set less it."""
    style = U64(I64(state["rules"]["style"]))
    low, high = LOW[style, U64(kind_of(card))], HIGH[style, U64(kind_of(card))]
    if high - low > 10:
        return _each(card_values(state, card), others, up)
    if up:
        return (U64(others) << U64(low)) | (U64(others) << U64(high))
    return (U64(others) >> U64(low)) | (U64(others) >> U64(high))


@kernel
def card_less(state: Any, card: int, others: Any) -> Any:
    """All differences, at least 0, of a value of the card less one of a set."""
    return _each(others, card_values(state, card), False)


@kernel
def _each(values: Any, others: Any, up: bool) -> Any:
    """A set shifted by each value of another, up or down."""
    found = NONE
    rest = U64(values)
    while rest != NONE:
        found |= U64(others) << U64(lowest(rest)) if up else U64(others) >> U64(lowest(rest))
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
    if rules["style"] != FIXED:
        stays = rules["jokers_stay"] != 0 and is_wild(card)
        return NONE if stays else shifted(state, card, present, True) & allowed
    found = shifted(state, card, present, True) | shifted(state, card, present, False)
    if rules["build_down"] == ABS_DIFFERENCE:
        found |= card_less(state, card, present)
    if rules["pair_build"]:
        found |= card_values(state, card) & present
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
    if rules["style"] != FIXED:
        stays = rules["jokers_stay"] != 0 and is_wild(card)
        return NONE if stays else shifted(state, card, allowed, False)
    found = shifted(state, card, allowed, False) | shifted(state, card, allowed, True)
    if rules["build_down"] == ABS_DIFFERENCE:
        found |= card_less(state, card, allowed)
    if rules["pair_build"]:
        found |= card_values(state, card) & allowed
    return found


@kernel
def target_actions(state: Any) -> Any:
    """Actions of the phase TARGET: items on which the card can be laid; of loose cards alike the first (WP4)."""
    wanted = bearers(state, I64(state["card"]), announced(state))
    near = NONE
    far = NONE
    if alike(state) or state["rules"]["jokers_stay"]:
        near, far = _rare_targets(state, wanted)
    else:
        for item in range(I64(state["items"])):
            bears = (wanted >> U64(state["low"][item])) | (wanted >> U64(state["high"][item]))
            near |= (bears & U64(1)) << U64(item)
    return place_actions(state, near, far)


@kernel
def _rare_targets(state: Any, wanted: Any) -> Any:
    """Items that have a wanted value, with cards that are alike, or items that may not be laid on."""
    near = NONE
    far = NONE
    for item in range(I64(state["items"])):
        if layable(state, item) & wanted == NONE or follows_twin(state, item):
            continue
        if item < WORD:
            near |= bit(item)
        else:
            far |= bit(item - WORD)
    return near, far


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
