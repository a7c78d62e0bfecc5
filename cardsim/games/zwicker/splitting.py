"""Zwicker kernels: whether given items, with others if need be, split into groups of one value (W9, W10, WQ6, WP7).

Items that may have the same values are of one sort; the answer depends only on how many there are of each. It is
searched for, depth first and without limit; maximal.py says how long that takes.
"""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount
from cardsim.games.zwicker.rules import JOKER_VALUES
from cardsim.jit import inlined, kernel

SETS, THERE, LEAST, MOST, COUNT, MUST, USED, STEP, SORT, PICK, AT, SUM, GROUP, NUMBERS = range(14)
"""Rows of the working numbers. By sort: the values, as a set; items on the table; bounds of the capture looked for;
the capture so far; items to be split; items in groups so far; weight in keys. By item: its sort, or -1. By depth of
`splits`: sort and value of the item chosen; sum of the unfinished group before it; groups before it. NUMBERS: see
below."""
SORTS, VALUE, DUE, KEY, SPLIT, UNSPLIT, STEPS, ASKS, MAXI, NEV = range(10)
"""Sorts; value of the card played; searches so far; USED as one number."""
MOST_SORTS = 14 + len(JOKER_VALUES) + 4
"""Single values, and the court cards and aces with two of them; in grupp there are fewer."""
FAILED, FAILED_IN = range(2)
KEPT = 64
FIRST_SPLIT, FIRST_UNSPLIT = 0, KEPT
"""Rows of the memory: keys of USED from which `splits` failed, and in which search; keys of MUST, and what came out."""
SLOTS = 32749
"""A later entry overwrites an earlier one with the same remainder: that costs time, never a right answer."""


@kernel
def splits_at_all(work: Any, ways: Any, memory: Any, known: Any) -> bool:
    """What `splits` says; asked only if no earlier answer implies it: fewer items split if more do."""
    sorts = work[NUMBERS, SORTS]
    work[NUMBERS, ASKS] += 1
    for row in range(min(work[NUMBERS, SPLIT], KEPT)):
        if at_most(work, MUST, known, FIRST_SPLIT + row, sorts):
            return True
    for row in range(min(work[NUMBERS, UNSPLIT], KEPT)):
        if at_least(work, MUST, known, FIRST_UNSPLIT + row, sorts):
            return False
    found = splits(work, ways, memory)
    kind = SPLIT if found else UNSPLIT
    row = (FIRST_SPLIT if found else FIRST_UNSPLIT) + work[NUMBERS, kind] % KEPT
    for sort in range(sorts):
        known[row, sort] = work[USED, sort] if found else work[MUST, sort]
    work[NUMBERS, kind] += 1
    return found


@inlined
def at_most(work: Any, row: int, known: Any, bound: int, sorts: int) -> bool:
    for sort in range(sorts):
        if work[row, sort] > known[bound, sort]:
            return False
    return True


@inlined
def at_least(work: Any, row: int, known: Any, bound: int, sorts: int) -> bool:
    for sort in range(sorts):
        if work[row, sort] < known[bound, sort]:
            return False
    return True


@kernel
def splits(work: Any, ways: Any, memory: Any) -> bool:
    """Whether MUST items of each sort, with any of the others, split into groups of the value (W9, W10, WP7).

    Every group begins with an item that must be in one; items of a sort are alike, so that those are used up first.
    """
    work[NUMBERS, KEY] = 0
    work[NUMBERS, DUE] = 0
    for sort in range(work[NUMBERS, SORTS]):
        work[USED, sort] = 0
        work[NUMBERS, DUE] += work[MUST, sort] * work[STEP, sort]
    work[SUM, 0] = 0
    work[GROUP, 0] = 0
    depth = I64(0)
    forward = True
    while depth >= 0:
        begins = work[SUM, depth] == 0
        if forward and begins:
            lead = first_due(work)
            if lead < 0:
                return True
            if has_failed(work, memory) or not adds_up(work):
                depth -= 1
                forward = False
                continue
            begin_group(work, ways, depth, lead)
        elif forward:
            go_on(work, depth)
        elif not begins:
            use(work, work[PICK, depth], -1)
        forward = next_pick(work, ways, depth)
        if forward:
            if not begins:
                use(work, work[PICK, depth], 1)
            depth += 1
            go_deeper(work, depth)
        else:
            if begins:
                use(work, work[PICK, depth], -1)
                note_failed(work, memory)
            depth -= 1
    return False


@inlined
def use(work: Any, sort: int, count: int) -> None:
    """Put an item of a sort into the group, or take it out again."""
    if min(work[USED, sort], work[USED, sort] + count) < work[MUST, sort]:
        work[NUMBERS, DUE] -= count * work[STEP, sort]
    work[USED, sort] += count
    work[NUMBERS, KEY] += count * work[STEP, sort]


@inlined
def first_due(work: Any) -> int:
    """The first sort of which more items must be in groups, or -1."""
    for sort in range(work[NUMBERS, SORTS]):
        if work[USED, sort] < work[MUST, sort]:
            return sort
    return I64(-1)


@inlined
def has_failed(work: Any, memory: Any) -> bool:
    """Whether a search has been here before, with the same items used and due."""
    slot = (work[NUMBERS, KEY] % SLOTS + 7 * (work[NUMBERS, DUE] % SLOTS)) % SLOTS
    return memory[FAILED, slot] == work[NUMBERS, KEY] and memory[FAILED_IN, slot] == work[NUMBERS, DUE]


@inlined
def adds_up(work: Any) -> bool:
    """Whether all that must still be in groups can add to a multiple of the value, with any of the other items."""
    value = work[NUMBERS, VALUE]
    sums = bit(0)
    for sort in range(work[NUMBERS, SORTS]):
        used = work[USED, sort]
        due = work[MUST, sort]
        for number in range(used, work[THERE, sort]):
            after = NONE if number < due else sums
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
def note_failed(work: Any, memory: Any) -> None:
    """Remember that nothing leads on from the items used."""
    slot = (work[NUMBERS, KEY] % SLOTS + 7 * (work[NUMBERS, DUE] % SLOTS)) % SLOTS
    memory[FAILED, slot] = work[NUMBERS, KEY]
    memory[FAILED_IN, slot] = work[NUMBERS, DUE]


@inlined
def begin_group(work: Any, ways: Any, depth: int, lead: int) -> None:
    """Let an item of the sort `lead` begin a group; from which sums can each sort and the later ones complete it?"""
    use(work, lead, 1)
    work[PICK, depth] = lead
    work[AT, depth] = work[NUMBERS, VALUE] + 1
    group = work[GROUP, depth]
    found = bit(work[NUMBERS, VALUE])
    ways[group, work[NUMBERS, SORTS]] = found
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
    """Choose the next sort and value that can complete the group: of the same sort, in descending order of values."""
    work[NUMBERS, STEPS] += 1
    sorts = work[NUMBERS, SORTS]
    total = work[SUM, depth]
    sort = work[PICK, depth]
    below = work[AT, depth]
    if total == 0:
        fitting = U64(work[SETS, sort]) & ways[work[GROUP, depth], 0] & (bit(below) - U64(1))
        if fitting != NONE:
            work[AT, depth] = highest(fitting)
        return fitting != NONE
    while sort < sorts:
        if work[USED, sort] < work[THERE, sort]:
            fitting = U64(work[SETS, sort]) & (ways[work[GROUP, depth], sort] >> U64(total)) & (bit(below) - U64(1))
            if fitting != NONE:
                work[PICK, depth] = sort
                work[AT, depth] = highest(fitting)
                return True
        sort += 1
        below = work[NUMBERS, VALUE] + 1
    return False


@inlined
def highest(values: Any) -> int:
    """The highest of some values below 32."""
    for shift in (1, 2, 4, 8, 16):
        values |= values >> U64(shift)
    return popcount(values) - 1
