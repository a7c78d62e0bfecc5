"""The fold frontier: which classes of hands earn by staying at a table, and which are to be folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cardsim.stats import Moments
from experiments.lab import Decisions
from experiments.zwicken import hands
from experiments.zwicken.staying import LEAST

CLASSES = len(hands.HOLDINGS) * len(hands.ACES)
WEAK = [number for number in range(CLASSES) if number < 3 * len(hands.ACES) and number % len(hands.ACES) == 0]
"""The classes that tip 1 folds: low trumps or none, and no plain Ace."""
COLUMNS = ("hand", "do", "staying earns", "low", "high", "n")


def hand_class(states: Any, seats: Any) -> Any:
    """Trumps and plain Aces in one number, 0 .. CLASSES-1; -1 with the trump Ace."""
    held = hands.holding(states, seats)
    return np.where(held < 0, -1, held * len(hands.ACES) + hands.aces(states, seats))


def class_and_half(asked: Decisions) -> Any:
    """The hand class, for every second deal; CLASSES more for the others."""
    cell = hand_class(asked.states, asked.seat)
    return np.where(cell < 0, -1, cell + CLASSES * ((asked.first + asked.number) % 2))


def class_name(number: int) -> str:
    """A hand class in words."""
    held, aces = divmod(number, len(hands.ACES))
    return f"{hands.HOLDINGS[held]}, {('no Ace', '1 Ace', '2+ Aces')[aces]}"


class Frontier(NamedTuple):
    """Which hand classes are to be folded at a table, and what that rule brings.

    Attributes:
        cells: value of staying by class, all deals.
        folded: classes whose interval lies below 0.
        share: part of the hands that may pass which lie in them.
        weak: part of them that the tip folds.
        by_frontier: chips per hand of folding the classes that lost in half of the deals; from the other half.
        by_tip: chips per hand of folding the classes of the tip; from that half as well.
        gain: chips per hand by which the first rule is ahead of the second.
        unfolded: chips per hand of folding nothing; from that half as well.
    """

    cells: list[Moments]
    folded: list[int]
    share: float
    weak: float
    by_frontier: float
    by_tip: float
    gain: Moments
    unfolded: float


def frontier(values: Sequence[Moments]) -> Frontier:
    """The fold frontier, from the value of staying in the cells of `class_and_half`."""
    first, second = values[:CLASSES], values[CLASSES:]
    cells = [a + b for a, b in zip(first, second, strict=True)]
    seen = max(1, sum(cell.n for cell in cells))
    folded = [i for i, cell in enumerate(cells) if cell.n >= LEAST and cell.interval().high < 0]
    folds = {i for i in range(CLASSES) if first[i].n > 0 and first[i].mean < 0}
    gain = Moments(cells[0].scale, sum(cell.n for cell in second))
    for i in folds.symmetric_difference(WEAK):
        sign = -1 if i in folds else 1
        gain = Moments(gain.scale, gain.n, gain.total + sign * second[i].total, gain.squares + second[i].squares)
    every = gain.scale * max(1, gain.n)
    unfolded, by_frontier, by_tip = (
        sum(cell.total for i, cell in enumerate(second) if i not in left_out) / every for left_out in ((), folds, WEAK)
    )
    share, weak = (sum(cells[i].n for i in chosen) / seen for chosen in (folded, WEAK))
    return Frontier(cells, folded, share, weak, by_frontier, by_tip, gain, unfolded)


def frontier_frame(edges: Sequence[tuple[str, str, Frontier]]) -> pd.DataFrame:
    """A row a table, opponent and hand class; classes with fewer than LEAST hands are left out."""
    rows = []
    for table, opponent, edge in edges:
        for number, cell in enumerate(edge.cells):
            if cell.n >= LEAST:
                low, high = cell.interval()
                does = "fold" if high < 0 else "stay" if low > 0 else "open"
                rows.append((table, opponent, class_name(number), does, cell.mean, low, high, cell.n))
    return pd.DataFrame(rows, columns=["table", "opponents", *COLUMNS])


def rule_frame(edges: Sequence[tuple[str, str, Frontier, Moments]]) -> pd.DataFrame:
    """What rules of folding earn per hand, a row a table and opponent.

    Args:
        edges: table, opponents, frontier there, and what `book` earned by its own choices.
    """
    rows = []
    for table, opponent, edge, own in edges:
        if edge.gain.n >= LEAST:
            low, high = edge.gain.interval()
            folding = (edge.share, edge.weak, edge.unfolded, edge.by_tip, edge.by_frontier, own.mean)
            rows.append((table, opponent, *folding, edge.gain.mean, low, high, edge.gain.n))
    rules = ["frontier folds", "tip folds", "never folding", "the tip", "the frontier", "book"]
    return pd.DataFrame(rows, columns=["table", "opponents", *rules, "frontier - tip", "low", "high", "n"])
