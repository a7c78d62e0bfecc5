"""Captures of the Zwicker referee: which items split into groups of the played value (W9, W10, WQ6).

Two independent ways on purpose. `captures` tests every subset of a small table; `splits` decides one set on a
table of any size. An item is given by the values it may have: one, two (WQ7), or 2 to 14 (Grupp, 2.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

Values = tuple[int, ...]


def captures(items: Sequence[Values], target: int, sums: bool) -> set[int]:
    """Every set of items (as a bit mask) that splits into groups adding to `target`, by brute force.

    With `sums` False every group is one item (WP6).
    """
    cap = (2 << target) - 1
    reach = [1] * (1 << len(items))  # bit s: the items of the mask can add to s
    groups: list[list[int]] = [[] for _ in items]  # by their lowest item
    for mask in range(1, len(reach)):
        low = _low(mask)
        rest = reach[mask & (mask - 1)]
        reach[mask] = 0
        for value in items[low]:
            reach[mask] |= rest << value & cap
        if reach[mask] >> target & 1 and (sums or mask & (mask - 1) == 0):
            groups[low].append(mask)
    split = [True] * len(reach)
    for mask in range(1, len(split)):
        split[mask] = any(group & mask == group and split[mask ^ group] for group in groups[_low(mask)])
    return {mask for mask in range(1, len(split)) if split[mask]}


def _low(mask: int) -> int:
    """Number of the lowest item of a mask."""
    return (mask & -mask).bit_length() - 1


def holds_group(items: Iterable[Values], target: int, sums: bool) -> bool:
    """Whether some of the items add to `target`; with `sums` False whether one of them does."""
    if not sums:
        return any(target in values for values in items)
    reach = 1  # bit s: some of the items add to s
    for values in items:
        before = reach
        for value in values:
            reach |= before << value
    return bool(reach >> target & 1)


def splits(must: Iterable[Values], may: Iterable[Values], target: int, sums: bool) -> bool:
    """Whether all items of `must`, with any of those of `may`, split into groups adding to `target`.

    Items of equal values are alike, so that counts decide. Of each kind those of `must` are used first: in any
    split that has them all, equal ones may be exchanged.
    """
    needed = Counter(must)
    if not sums:
        return all(target in values for values in needed)
    there = needed + Counter(may)
    kinds = sorted(there, key=min, reverse=True)
    failed: set[tuple[Values, Values]] = set()

    def search(have: Values, need: Values) -> bool:
        first = next((kind for kind, count in enumerate(need) if count), None)
        if first is None:
            return True
        if (have, need) in failed:
            return False
        for group in _groups(kinds, have, first, target):
            left = tuple(count - used for count, used in zip(have, group, strict=True))
            due = tuple(max(0, count - used) for count, used in zip(need, group, strict=True))
            if search(left, due):
                return True
        failed.add((have, need))
        return False

    return search(tuple(there[kind] for kind in kinds), tuple(needed[kind] for kind in kinds))


def _groups(kinds: list[Values], have: Values, first: int, target: int) -> Iterator[Values]:
    """Groups with an item of kind `first`, as counts by kind; `have` is what there is of each."""
    taken = [0] * len(kinds)

    def fill(kind: int, rest: int) -> Iterator[Values]:
        if rest == 0:
            yield tuple(taken)
            return
        for other in range(kind, len(kinds)):
            if taken[other] < have[other]:
                taken[other] += 1
                for value in kinds[other]:
                    if value <= rest:
                        yield from fill(other, rest - value)
                taken[other] -= 1

    taken[first] = 1
    for value in kinds[first]:
        if value <= target:
            yield from fill(0, target - value)
