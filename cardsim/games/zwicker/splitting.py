"""Zwicker kernels: whether given items, with others if need be, split into groups of one value (W9, W10, WQ6, WP7).

Items that may have the same values are of one sort: the answer depends only on how many there are of each. It is
searched for, depth first and to the end; maximal.py says how long that takes.
"""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount
from cardsim.jit import inlined, kernel

KEPT = 32
"""Answers of each kind that are kept; a later one overwrites the oldest."""
SETS, THERE, LEAST, MOST, COUNT, MUST, USED, STEP, SORT, PICK, AT, SUM, GROUP, NUMBERS, YES = range(15)
NO = YES + KEPT
ROWS = NO + KEPT
"""Rows of the working numbers. By sort: the values, as a set; items on the table; bounds of the capture looked for;
the capture so far; items to be split; items in groups so far; weight in keys. By item: its sort, or -1. By depth of
`splits`: sort and value of the item chosen; sum of the unfinished group before it; groups before it. Then the numbers
below. The rest by sort: from YES on items that split, from NO on items that do not, whatever is added."""
SORTS, VALUE, USED_KEY, DUE_KEY, YESES, NOES = range(6)
"""Sorts; value of the card played; USED as one number, and what MUST has more; answers so far."""
SLOTS = 8191
"""Places for keys from which `splits` failed; a later one overwrites an earlier one: that costs time only."""


@kernel
def can_split(work: Any, ways: Any, failed: Any) -> bool:
    """What `splits` says; it is asked only if no earlier answer implies this one: fewer items split if more do."""
    for row in range(YES, YES + min(work[NUMBERS, YESES], KEPT)):
        if at_most(work, MUST, row):
            return True
    for row in range(NO, NO + min(work[NUMBERS, NOES], KEPT)):
        if at_most(work, row, MUST):
            return False
    found = splits(work, ways, failed)
    kind = YESES if found else NOES
    row = (YES if found else NO) + work[NUMBERS, kind] % KEPT
    work[NUMBERS, kind] += 1
    for sort in range(work[NUMBERS, SORTS]):
        work[row, sort] = work[USED if found else MUST, sort]
    return found


@inlined
def at_most(work: Any, row: int, other: int) -> bool:
    """Whether one row has at most as many items of each sort as another."""
    for sort in range(work[NUMBERS, SORTS]):
        if work[row, sort] > work[other, sort]:
            return False
    return True


@kernel
def splits(work: Any, ways: Any, failed: Any) -> bool:
    """Whether MUST items of each sort, with any of the others, split into groups of the value; then USED are in them.

    Every group begins with an item that must be in one; of a sort, those are used up first.
    """
    begin_search(work)
    depth = I64(0)
    forward = True
    while depth >= 0:
        begins = work[SUM, depth] == 0
        if forward and begins:
            lead = first_due(work)
            if lead < 0:
                return True
            if has_failed(work, failed) or not adds_up(work):
                depth -= 1
                forward = False
                continue
            begin_group(work, ways, depth, lead)
        elif forward:
            go_on(work, depth)
        elif not begins:
            put_back(work, work[PICK, depth])
        forward = next_pick(work, ways, depth)
        if forward:
            if not begins:
                use(work, work[PICK, depth])
            depth += 1
            go_deeper(work, depth)
        else:
            if begins:
                put_back(work, work[PICK, depth])
                note_failed(work, failed)
            depth -= 1
    return False


@inlined
def begin_search(work: Any) -> None:
    """No item is in a group."""
    work[NUMBERS, USED_KEY] = 0
    work[NUMBERS, DUE_KEY] = 0
    for sort in range(work[NUMBERS, SORTS]):
        work[USED, sort] = 0
        work[NUMBERS, DUE_KEY] += work[MUST, sort] * work[STEP, sort]
    work[SUM, 0] = 0
    work[GROUP, 0] = 0


@inlined
def use(work: Any, sort: int) -> None:
    """Put an item of a sort into the group."""
    if work[USED, sort] < work[MUST, sort]:
        work[NUMBERS, DUE_KEY] -= work[STEP, sort]
    work[USED, sort] += 1
    work[NUMBERS, USED_KEY] += work[STEP, sort]


@inlined
def put_back(work: Any, sort: int) -> None:
    """Take an item of a sort out of the group."""
    work[USED, sort] -= 1
    work[NUMBERS, USED_KEY] -= work[STEP, sort]
    if work[USED, sort] < work[MUST, sort]:
        work[NUMBERS, DUE_KEY] += work[STEP, sort]


@inlined
def first_due(work: Any) -> int:
    """The first sort of which more items must be in groups, or -1."""
    for sort in range(work[NUMBERS, SORTS]):
        if work[USED, sort] < work[MUST, sort]:
            return sort
    return I64(-1)


@inlined
def slot_of(work: Any) -> int:
    """The place for the present keys."""
    return (work[NUMBERS, USED_KEY] % SLOTS + 7 * (work[NUMBERS, DUE_KEY] % SLOTS)) % SLOTS


@inlined
def has_failed(work: Any, failed: Any) -> bool:
    """Whether nothing led on when the same items were used and due before, in this search or another."""
    slot = slot_of(work)
    return failed[0, slot] == work[NUMBERS, USED_KEY] and failed[1, slot] == work[NUMBERS, DUE_KEY]


@inlined
def note_failed(work: Any, failed: Any) -> None:
    """Remember that nothing leads on from here."""
    slot = slot_of(work)
    failed[0, slot] = work[NUMBERS, USED_KEY]
    failed[1, slot] = work[NUMBERS, DUE_KEY]


@inlined
def adds_up(work: Any) -> bool:
    """Whether all that must still be in groups can add to a multiple of the value, with any of the other items."""
    value = work[NUMBERS, VALUE]
    sums = bit(0)
    for sort in range(work[NUMBERS, SORTS]):
        for number in range(work[USED, sort], work[THERE, sort]):
            after = NONE if number < work[MUST, sort] else sums
            rest = U64(work[SETS, sort])
            while rest != NONE:
                after |= turned(sums, lowest(rest), value)
                rest &= rest - U64(1)
            sums = after
    return has(sums, 0)


@inlined
def turned(sums: Any, add: int, value: int) -> Any:
    """Sums less multiples of the value, once an item of at most that value is added to each."""
    return ((sums << U64(add)) | (sums >> U64(value - add))) & (bit(value) - U64(1))


@inlined
def begin_group(work: Any, ways: Any, depth: int, lead: int) -> None:
    """An item of the sort `lead` begins a group. Note the sums from which each sort and the later ones complete it."""
    use(work, lead)
    work[PICK, depth] = lead
    work[AT, depth] = work[NUMBERS, VALUE] + 1
    group = work[GROUP, depth]
    found = bit(work[NUMBERS, VALUE])
    for sort in range(work[NUMBERS, SORTS] - 1, -1, -1):
        for _ in range(work[THERE, sort] - work[USED, sort]):
            before = found
            rest = U64(work[SETS, sort])
            while rest != NONE:
                found |= before >> U64(lowest(rest))
                rest &= rest - U64(1)
            if found == before:
                break
        ways[group, sort] = found


@inlined
def go_on(work: Any, depth: int) -> None:
    """Where the choice of a further item begins: at any sort after the first item, else at the last one chosen."""
    if work[SUM, depth - 1] == 0:
        work[PICK, depth] = 0
        work[AT, depth] = work[NUMBERS, VALUE] + 1
    else:
        work[PICK, depth] = work[PICK, depth - 1]
        work[AT, depth] = work[AT, depth - 1] + 1


@inlined
def go_deeper(work: Any, depth: int) -> None:
    """The sum, and the groups so far, once the item chosen at the depth before is in."""
    total = work[SUM, depth - 1] + work[AT, depth - 1]
    full = total == work[NUMBERS, VALUE]
    work[SUM, depth] = 0 if full else total
    work[GROUP, depth] = work[GROUP, depth - 1] + I64(full)


@inlined
def next_pick(work: Any, ways: Any, depth: int) -> bool:
    """Choose the next sort and value that may complete the group; of the same sort, in descending order of values."""
    total = work[SUM, depth]
    group = work[GROUP, depth]
    sort = work[PICK, depth]
    below = bit(work[AT, depth]) - U64(1)
    if total == 0:
        fitting = U64(work[SETS, sort]) & ways[group, 0] & below
        if fitting != NONE:
            work[AT, depth] = highest(fitting)
        return fitting != NONE
    while sort < work[NUMBERS, SORTS]:
        if work[USED, sort] < work[THERE, sort]:
            fitting = U64(work[SETS, sort]) & (ways[group, sort] >> U64(total)) & below
            if fitting != NONE:
                work[PICK, depth] = sort
                work[AT, depth] = highest(fitting)
                return True
        sort += 1
        below = bit(work[NUMBERS, VALUE] + 1) - U64(1)
    return False


@inlined
def highest(values: Any) -> int:
    """The highest of some values below 32."""
    for shift in (1, 2, 4, 8, 16):
        values |= values >> U64(shift)
    return popcount(values) - 1
