"""Zwicker kernels: which items a card can take, group by group.

What a group can still become is a bit set of sums, carried over the items from the last one down: no search. `ways` has
bit s if a group whose items add to s can be completed with the items looked at so far.
"""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has
from cardsim.games.zwicker.basics import LOWEST_WILD, face_of, is_wild
from cardsim.games.zwicker.layout import (
    ACT_FINISH,
    ACT_FURTHER,
    ACT_NEXT,
    FIRST_PLACE,
    NO_ITEM,
    NOBODY,
    PLACES,
)
from cardsim.games.zwicker.rules import WILD
from cardsim.jit import inlined, kernel

EMPTY = U64(1)
"""The sums of a group without items."""
SUMS = U64(2**31 - 1)
WINDOW = U64(2**PLACES - 1)
WORD = 64


@inlined
def lowered(state: Any, item: int, ways: Any) -> Any:
    """Sums from which taking the item leads into `ways`."""
    low = I64(state["low"][item])
    high = I64(state["high"][item])
    if high - low > 10:
        return _any_wild(ways >> U64(LOWEST_WILD), False)
    return (ways >> U64(low)) | (ways >> U64(high))


@inlined
def raised(state: Any, item: int, sums: Any) -> Any:
    """Sums that taking the item leads to."""
    low = I64(state["low"][item])
    high = I64(state["high"][item])
    if high - low > 10:
        return _any_wild(sums << U64(LOWEST_WILD), True)
    return (sums << U64(low)) | (sums << U64(high))


@inlined
def _any_wild(sums: Any, up: bool) -> Any:
    """A set and its shifts by 1 to HIGHEST_WILD - LOWEST_WILD = 12."""
    found = U64(sums)
    for step in (1, 2, 4, 5):  # each set of shifts so far, again: 1, 3, 7, 12
        found |= found << U64(step) if up else found >> U64(step)
    return found


@inlined
def is_loose(state: Any, item: int) -> bool:
    """Whether an item is one card by itself."""
    return state["builder"][item] == NOBODY


@inlined
def is_loose_joker(state: Any, item: int) -> bool:
    """Whether an item is a wild joker by itself."""
    return is_loose(state, item) and is_wild(I64(state["top"][item]))


@inlined
def takeable(state: Any, item: int) -> bool:
    """Whether the item may be taken at all (W4 c, WP15)."""
    return not (state["rules"]["jokers_stay"] and is_loose_joker(state, item))


@inlined
def barred(state: Any, card: int) -> bool:
    """Whether the card can take nothing: a joker alone on the table is taken by a joker only (W4 a, WP15)."""
    if not state["rules"]["lone_joker_by_joker"] or state["items"] != 1 or is_wild(card):
        return False
    return is_loose_joker(state, 0)


@inlined
def with_item(state: Any, item: int, reach: Any) -> Any:
    """Values to which some items add, `reach`, once another item has come to them (W9, WQ5, WP6, WP7)."""
    if not takeable(state, item):
        return reach
    if not state["rules"]["sum_capture"]:
        return reach | raised(state, item, EMPTY)
    return (reach | raised(state, item, reach)) & SUMS


@inlined
def are_alike(state: Any, item: int, other: int) -> bool:
    """Whether two items are loose cards that are alike (WP4)."""
    if not (is_loose(state, item) and is_loose(state, other)):
        return False
    return face_of(I64(state["top"][item])) == face_of(I64(state["top"][other]))


@inlined
def follows_twin(state: Any, item: int) -> bool:
    """Whether a card alike lies before the item that is not chosen: that one is taken first (WP4)."""
    for before in range(item):
        if are_alike(state, before, item) and not is_chosen(state, before):
            return True
    return False


@inlined
def with_twins(state: Any, item: int, ways: Any) -> Any:
    """`ways` once the cards that are alike and lie behind the item may be added as well."""
    for behind in range(item + 1, I64(state["items"])):
        if are_alike(state, item, behind) and not is_chosen(state, behind):
            ways |= lowered(state, item, ways)
    return ways


@inlined
def is_chosen(state: Any, item: int) -> bool:
    """Whether an item is part of the capture so far."""
    return has(state["chosen"][item >> 6], item & 63)


@inlined
def alike(state: Any) -> bool:
    """Whether there can be cards that are alike: two packs, or wild jokers."""
    return state["rules"]["style"] == WILD or state["rules"]["packs"] > 1


@kernel
def group_actions(state: Any) -> Any:
    """Actions of the phase GROUP: items by which the group can be completed, or the end of it (W9, W10, WQ6).

    Items of a group ascend, and so do the first items of the groups. Of cards that are alike the first ones are taken.
    """
    sums = U64(state["sums"])
    near, far = candidates(state, sums, I64(state["last"]))
    legal = place_actions(state, near, far)
    if state["page"] > 0:
        return legal
    if has(sums, I64(state["value"])):
        legal |= bit(ACT_FINISH) | (U64(another_group(state)) << U64(ACT_NEXT))
    elif sums == EMPTY and state["first"] != NO_ITEM:
        legal |= bit(ACT_FINISH)
    return legal


@inlined
def place_actions(state: Any, near: Any, far: Any) -> Any:
    """The actions for some items, bit by bit (the first 64, the rest), as far as the page goes."""
    page = I64(state["page"])
    here = near if page < 2 else far
    beyond = far if page < 2 else NONE
    if page & 1:
        here >>= U64(PLACES)
    beyond |= here >> U64(PLACES)
    return ((here & WINDOW) << U64(FIRST_PLACE)) | (U64(beyond != NONE) << U64(ACT_FURTHER))


@inlined
def another_group(state: Any) -> bool:
    """Whether a group can begin above the first item of the present one."""
    near, far = candidates(state, EMPTY, I64(state["first"]))
    return near | far != NONE


@inlined
def candidates(state: Any, sums: Any, last: int) -> Any:
    """Items above `last` that may come to a group of these sums so that it can be completed, bit by bit (64 and 64)."""
    rules = state["rules"]
    if alike(state) or rules["jokers_stay"] or not rules["sum_capture"]:
        return rare_candidates(state, sums, last)
    ways = bit(I64(state["value"]))
    free = ~U64(state["chosen"][0])
    found = NONE
    for item in range(I64(state["items"]) - 1, last, -1):
        if has(free, item):
            before = (ways >> U64(state["low"][item])) | (ways >> U64(state["high"][item]))
            found |= U64(before & sums != NONE) << U64(item)
            ways |= before
    return found, NONE


@kernel
def rare_candidates(state: Any, sums: Any, last: int) -> Any:
    """The same with cards that are alike, wild jokers, items that may not be taken, or without sums."""
    ways = bit(I64(state["value"]))
    adds = state["rules"]["sum_capture"] != 0
    near = NONE
    far = NONE
    for item in range(I64(state["items"]) - 1, last, -1):
        if is_chosen(state, item) or not takeable(state, item) or follows_twin(state, item):
            continue
        if adds:
            ways = with_twins(state, item, ways)
        before = lowered(state, item, ways)
        if before & sums != NONE:
            if item < WORD:
                near |= bit(item)
            else:
                far |= bit(item - WORD)
        if adds:
            ways |= before
    return near, far


@inlined
def choose_item(state: Any, item: int) -> None:
    """Add an item to the group; close the group when it is full and nothing more can come in."""
    if U64(state["sums"]) == EMPTY:
        state["first"] = item
    value = I64(state["value"])
    state["sums"] = raised(state, item, U64(state["sums"])) & (bit(value + 1) - U64(1))
    mark_chosen(state, item)
    if has(state["sums"], value) and not goes_on(state):
        close_group(state)


@inlined
def mark_chosen(state: Any, item: int) -> None:
    """Add an item to the capture, whatever group it is in; without groups (maximal.py) that is all."""
    state["chosen"][item >> 6] |= bit(item & 63)
    state["last"] = item
    state["page"] = 0


@inlined
def goes_on(state: Any) -> bool:
    """Whether a full group could also take more, with other values of its cards."""
    if U64(state["sums"]) == bit(I64(state["value"])) or not state["rules"]["sum_capture"]:
        return False
    near, far = candidates(state, U64(state["sums"]), I64(state["last"]))
    return near | far != NONE


@inlined
def close_group(state: Any) -> None:
    """The group is complete; the next one begins above its first item."""
    state["sums"] = EMPTY
    state["last"] = state["first"]
