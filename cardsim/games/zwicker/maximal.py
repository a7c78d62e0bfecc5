"""Zwicker kernels: captures to which nothing can be added, `capture_choice=maximal` (WQ6, WP6).

A larger capture may group its items anew, so that groups chosen one by one do not lead to it. Under this option the
items of the whole capture are therefore chosen in ascending order, and each is offered only if some maximal capture
goes on with it and has none of those passed over: a capture has one spelling, and no way ends early.

Whether there is one is searched for among the numbers of items of each sort (`some_maximal`), depth first and exactly.
In the worst case that takes exponentially long. In random play a set of actions took 1 ms at most; on random tables of
18 to 22 items up to 65 ms, of 22 to 28 up to 0.2 s, and on one of 70 that nobody has captured from, over a minute.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has
from cardsim.games.zwicker.basics import value_set
from cardsim.games.zwicker.captures import (
    EMPTY,
    WORD,
    are_alike,
    is_chosen,
    place_actions,
    takeable,
    with_item,
)
from cardsim.games.zwicker.layout import ACT_FINISH, ITEMS
from cardsim.games.zwicker.rules import JOKER_VALUES
from cardsim.games.zwicker.splitting import (
    COUNT,
    LEAST,
    MOST,
    MUST,
    NUMBERS,
    ROWS,
    SETS,
    SLOTS,
    SORT,
    SORTS,
    STEP,
    THERE,
    VALUE,
    can_split,
)
from cardsim.jit import inlined, kernel

MOST_SORTS = 14 + len(JOKER_VALUES) + 4
"""Single values, and the court cards and aces with two of them; in grupp there are fewer."""


@kernel
def maximal_actions(state: Any) -> Any:
    """Actions of the phase GROUP: items of a maximal capture, in ascending order, or its end (WQ6, WP6)."""
    work = np.zeros((ROWS, ITEMS + 1), np.int64)
    ways = np.empty((ITEMS + 1, MOST_SORTS), np.uint64)
    failed = np.zeros((2, SLOTS), np.int64)
    sort_items(state, work)
    last = I64(state["last"])
    left = EMPTY
    near = NONE
    far = NONE
    for item in range(I64(state["items"])):
        sort = work[SORT, item]
        if sort < 0 or is_chosen(state, item):
            continue
        if item > last:
            work[LEAST, sort] += 1
            offered = U64(some_maximal(work, ways, failed))
            work[LEAST, sort] -= 1
            if item < WORD:
                near |= offered << U64(item)
            else:
                far |= offered << U64(item - WORD)
        left = pass_over(state, work, item, left)
        if item > last and (has(left, state["value"]) or never_maximal(work, ways, failed, -1)):
            break  # none of the later items can make up for those passed over
    return place_actions(state, near, far) if near | far != NONE else bit(ACT_FINISH)


@inlined
def sort_items(state: Any, work: Any) -> None:
    """Count the items by sort, hardest first: those of large values. The chosen ones bound the capture below."""
    items = I64(state["items"])
    work[NUMBERS, VALUE] = state["value"]
    for item in range(items):
        values = useful(state, item)
        if values != 0:
            insert(work, values)
    for item in range(items):
        values = useful(state, item)
        work[SORT, item] = -1
        for sort in range(work[NUMBERS, SORTS]):
            if work[SETS, sort] == values:
                work[SORT, item] = sort
                work[THERE, sort] += 1
                work[MOST, sort] += 1
                work[LEAST, sort] += I64(is_chosen(state, item))
    step = I64(1)
    for sort in range(work[NUMBERS, SORTS]):
        work[STEP, sort] = step
        step *= work[THERE, sort] + 1  # 24 sorts of 116 items at most: below 2 ** 62


@inlined
def useful(state: Any, item: int) -> int:
    """Values that an item may have in a group, as a set; empty if it cannot be taken at this value."""
    if not takeable(state, item):
        return I64(0)
    value = I64(state["value"])
    values = value_set(I64(state["low"][item]), I64(state["high"][item]))
    if not state["rules"]["sum_capture"]:
        return I64(values & bit(value))
    return I64(values & (bit(value + 1) - U64(1)))


@inlined
def insert(work: Any, values: int) -> None:
    """Make room for a sort in its place, unless it is there."""
    sorts = work[NUMBERS, SORTS]
    least = values & -values
    place = I64(0)
    while place < sorts:
        other = work[SETS, place]
        if other == values:
            return
        if other & -other < least or (other & -other == least and other > values):
            break
        place += 1
    for sort in range(sorts, place, -1):
        work[SETS, sort] = work[SETS, sort - 1]
    work[SETS, place] = values
    work[NUMBERS, SORTS] = sorts + 1


@inlined
def pass_over(state: Any, work: Any, item: int, left: Any) -> Any:
    """Leave an item out, and those alike behind it, since the first are taken first (WP4).

    Returns `left`, the sums of what is left out, with these: where a whole group is left, the capture is not maximal.
    """
    for other in range(item, I64(state["items"])):
        if other == item or are_alike(state, item, other):
            work[MOST, work[SORT, item]] -= 1
            left = with_item(state, other, left)
            if other != item:
                work[SORT, other] = -1
    return left


@kernel
def some_maximal(work: Any, ways: Any, failed: Any) -> bool:
    """Whether a maximal capture has at least LEAST and at most MOST items of each sort.

    As many as possible of each sort are tried first. Fewer make sense only if others then keep the rest out.
    """
    sorts = work[NUMBERS, SORTS]
    for sort in range(sorts):
        work[COUNT, sort] = work[LEAST, sort]
    if not extends(work, ways, failed):
        return False
    at = I64(0)
    forward = True
    while at >= 0:
        if at == sorts:
            return True
        if forward:
            while work[COUNT, at] < work[MOST, at]:
                work[COUNT, at] += 1
                if not extends(work, ways, failed):
                    work[COUNT, at] -= 1
                    break
        elif work[COUNT, at] > work[LEAST, at]:
            work[COUNT, at] -= 1
        else:
            at -= 1
            continue
        forward = not never_maximal(work, ways, failed, at)
        if forward:
            at += 1
        else:  # still less so with fewer of this sort
            work[COUNT, at] = work[LEAST, at]
            at -= 1
    return False


@inlined
def extends(work: Any, ways: Any, failed: Any) -> bool:
    """Whether some capture has at least COUNT items of each sort."""
    for sort in range(work[NUMBERS, SORTS]):
        work[MUST, sort] = work[COUNT, sort]
    return can_split(work, ways, failed)


@kernel
def never_maximal(work: Any, ways: Any, failed: Any, last: int) -> bool:
    """Whether an item that is left out could be added to any capture with COUNT items of the sorts up to `last`.

    It could if it can be added even to the most items of all later sorts.
    """
    sorts = work[NUMBERS, SORTS]
    for sort in range(sorts):
        work[MUST, sort] = work[COUNT, sort] if sort <= last else work[MOST, sort]
    for sort in range(sorts):
        if work[MUST, sort] < work[THERE, sort]:
            work[MUST, sort] += 1
            found = can_split(work, ways, failed)
            work[MUST, sort] -= 1
            if found:
                return True
    return False
