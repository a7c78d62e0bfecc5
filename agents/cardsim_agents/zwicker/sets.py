"""Which sets of items a card can take at a value, and how such a set is spelled item by item.

Sets are bit masks over a list of at most MOST_PLACES items. Filling group after group, a set is a union of complete
groups if and only if some order of its items leads from sum 0 back to sum 0: a table over all subsets answers that
for all of them at once, duals and wild jokers included.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount
from cardsim.games.zwicker.captures import EMPTY, alike, are_alike, candidates, is_chosen, lowered, raised, takeable
from cardsim.games.zwicker.layout import ACT_FINISH, ACT_FURTHER, ACT_NEXT, FIRST_PLACE, ITEMS, NO_ITEM, PLACES
from cardsim.games.zwicker.rules import OPTIONS
from cardsim.jit import inlined, kernel

MAXIMAL = OPTIONS["capture_choice"].code("maximal")
OTHER_PATH = -1
"""`spell`: the turn so far is not the beginning of that set's spelling."""


@kernel
def mark_useful(state: Any, value: int, useful: Any) -> None:
    """Set `useful` (two words, by place) for the items that are part of some group of this value."""
    items = I64(state["items"])
    full = bit(value)
    behind = np.empty(ITEMS + 1, np.uint64)
    adds = state["rules"]["sum_capture"] != 0
    behind[items] = full
    for item in range(items - 1, -1, -1):
        ways = U64(behind[item + 1])
        behind[item] = (ways | lowered(state, item, ways)) if adds and takeable(state, item) else ways
    sums = EMPTY
    for item in range(items):
        if takeable(state, item):
            reached = raised(state, item, sums) & ((full << U64(1)) - U64(1))
            if reached & U64(behind[item + 1]) != NONE:
                useful[item >> 6] |= bit(item & 63)
            if adds:
                sums |= reached


@kernel
def fill_unions(state: Any, places: Any, count: int, value: int, unions: Any) -> None:
    """For every subset of items[places[:count]]: whether it is a union of complete groups.

    Args:
        state: the record.
        places: items of the table, ascending.
        count: how many of them, at most 12 or so: there are 2**count subsets.
        value: value of a group.
        unions: bit 0 of entry `mask` is set if that subset is one; the other bits are sums of a group begun.
    """
    adds = state["rules"]["sum_capture"] != 0
    limit = (bit(value + 1) - U64(1)) if adds else bit(value)
    unions[0] = EMPTY
    for mask in range(1, 1 << count):
        found = NONE
        rest = U64(mask)
        while rest != NONE:
            k = lowest(rest)
            rest &= rest - U64(1)
            before = U64(unions[mask ^ (1 << k)])
            found |= raised(state, I64(places[k]), before if adds else before & EMPTY) & limit
        unions[mask] = (found & ~bit(value)) | (found >> U64(value))


@kernel
def fill_groups(state: Any, places: Any, count: int, value: int, groups: Any) -> None:
    """For every subset of items[places[:count]] the sums that it may have as one group; arguments as `fill_unions`."""
    adds = state["rules"]["sum_capture"] != 0
    limit = (bit(value + 1) - U64(1)) if adds else bit(value)
    groups[0] = EMPTY
    for mask in range(1, 1 << count):
        before = U64(groups[mask & (mask - 1)])
        groups[mask] = raised(state, I64(places[lowest(U64(mask))]), before if adds else before & EMPTY) & limit


@kernel
def find_twins(state: Any, places: Any, count: int, earlier: Any) -> None:
    """Set in zeros, by place, the earlier ones with cards that are alike, as a bit mask (WP4)."""
    if alike(state):
        for k in range(count):
            for before in range(k):
                if are_alike(state, I64(places[before]), I64(places[k])):
                    earlier[k] |= bit(before)


@kernel
def takes_first_twins(earlier: Any, mask: int) -> bool:
    """Whether a subset takes the first ones of cards that are alike."""
    rest = U64(mask)
    while rest != NONE:
        if earlier[lowest(rest)] & ~U64(mask) != NONE:
            return False
        rest &= rest - U64(1)
    return True


@inlined
def stands_alone(state: Any, item: int, value: int) -> bool:
    """Whether an item that is part of a capture at a value can only be a group by itself."""
    return not state["rules"]["sum_capture"] or (state["low"][item] == value and state["high"][item] == value)


@inlined
def name_item(state: Any, item: int) -> int:
    """The action that names an item, or leads on to it; OTHER_PATH once it is passed over."""
    near = item - PLACES * I64(state["page"])
    if near < 0:  # or it would come out as an action that names something else
        return OTHER_PATH
    return ACT_FURTHER if near >= PLACES else FIRST_PLACE + near


@kernel
def first_group(places: Any, value: int, unions: Any, groups: Any, rest: Any) -> Any:
    """The smallest group with the first item of a set, such that what remains is a union of groups again.

    Smallest as a number: of cards that are alike it has the first ones (WP4).
    """
    first = rest & (~rest + U64(1))
    others = rest ^ first
    part = NONE
    while True:
        group = part | first
        if has(groups[I64(group)], value) and has(unions[I64(rest ^ group)], 0):
            return group
        if part == others:
            return rest
        part = ((part | ~others) + U64(1)) & others


@kernel
def spell(state: Any, places: Any, value: int, unions: Any, groups: Any, mask: Any, alone: Any) -> int:
    """The next action of a capture in phase GROUP that takes a given set.

    Args:
        state: the record.
        places, value, unions, groups: see `fill_unions` and `fill_groups`.
        mask: the set, a union of groups.
        alone: two words: further items of the set, each a group by itself.

    Returns:
        An action, or OTHER_PATH if the turn so far does not begin so.
    """
    if state["rules"]["capture_choice"] == MAXIMAL:
        return spell_maximal(state, places, mask, alone)
    done = popcount(state["chosen"][0]) + popcount(state["chosen"][1])
    rest = U64(mask)
    near, far = U64(alone[0]), U64(alone[1])
    while rest | near | far != NONE:
        first = lowest(near) if near != NONE else (64 + lowest(far) if far != NONE else I64(ITEMS))
        group = NONE
        if rest != NONE and places[lowest(rest)] < first:
            group = first_group(places, value, unions, groups, rest)
            first = I64(places[lowest(group)])
            rest ^= group
        elif near != NONE:
            near &= near - U64(1)
        else:
            far &= far - U64(1)
        entered = done > 0
        left = group
        item = first
        while done > 0:
            if not is_chosen(state, item):
                return OTHER_PATH
            done -= 1
            if left != NONE:
                left &= left - U64(1)
            if left == NONE:
                break
            item = I64(places[lowest(left)])
        if done > 0:
            continue
        if left != NONE or not entered:
            fits = state["sums"] == groups[I64(group ^ left)] and (item == first or state["first"] == first)
            return name_item(state, item) if fits else OTHER_PATH
        more = rest | near | far != NONE
        announced = state["first"] == NO_ITEM and state["last"] == first
        if not more or U64(state["sums"]) != EMPTY or not (state["first"] == first or announced):
            return end_group(state, first, item, groups[I64(group)] if group != NONE else bit(value), more)
    return OTHER_PATH


@kernel
def end_group(state: Any, first: int, last: int, sums: Any, more: bool) -> int:
    """The action after the last item of a group, if the state stands there: a group that cannot go on is closed by now.

    Args:
        state: the record.
        first, last: the first and last item of the group.
        sums: what the group may add to.
        more: whether the set has another group.
    """
    if state["first"] != first:
        return OTHER_PATH
    if U64(state["sums"]) != EMPTY:
        return (ACT_NEXT if more else ACT_FINISH) if U64(state["sums"]) == U64(sums) else OTHER_PATH
    if U64(sums) == bit(state["value"]) or not state["rules"]["sum_capture"]:
        return ACT_FINISH
    near, far = candidates(state, U64(sums), last)
    return OTHER_PATH if near | far != NONE else ACT_FINISH


@kernel
def spell_maximal(state: Any, places: Any, mask: Any, alone: Any) -> int:
    """`spell` where the items of the whole set are chosen in the order of the table (capture_choice=maximal)."""
    near, far = U64(alone[0]), U64(alone[1])
    rest = U64(mask)
    while rest != NONE:
        item = I64(places[lowest(rest)])
        rest &= rest - U64(1)
        if item < 64:
            near |= bit(item)
        else:
            far |= bit(item - 64)
    taken, beyond = U64(state["chosen"][0]), U64(state["chosen"][1])
    if (taken & ~near) | (beyond & ~far) != NONE:
        return OTHER_PATH
    near &= ~taken
    far &= ~beyond
    if near | far == NONE:
        return ACT_FINISH
    return name_item(state, lowest(near) if near != NONE else 64 + lowest(far))


@kernel
def spell_set(state: Any, value: int, taken: Any) -> int:
    """The next action of the capture of a set of items (two words), or OTHER_PATH; see `spell`.

    Beside items of just that value no more than 12 or so may be in it.
    """
    places = np.empty(ITEMS, np.int64)
    alone = np.zeros(2, np.uint64)
    count = I64(0)
    for item in range(I64(state["items"])):
        if has(taken[item >> 6], item & 63):
            if stands_alone(state, item, value):
                alone[item >> 6] |= bit(item & 63)
            else:
                places[count] = item
                count += 1
    unions = np.empty(1 << count, np.uint64)
    groups = np.empty(1 << count, np.uint64)
    fill_unions(state, places, count, value, unions)
    fill_groups(state, places, count, value, groups)
    return spell(state, places, value, unions, groups, (1 << count) - 1, alone)
