"""What the cut moves, worked out: a walk of the deal round the table until a cut lets it go ahead."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cardsim.options import Rules

ACES_AND_SEVENS, BELLIS = 7, 1
"""Cards of any pack that void a deal: four Aces and three 7s; the 7 of diamonds (Z11, Z12)."""


class Cut(NamedTuple):
    """Means over deals; seats are counted from the first dealer, clockwise.

    Attributes:
        cuts: packs cut for a deal.
        belli_cuts: cuts that show the Belli.
        net: chips of each seat by payments and antes, less the one ante that the first dealer owes anyway, (players,).
        moved: chips paid from seat to seat, and antes beyond the one.
        dealt: chance that the seat is the dealer in the end, (players,).
    """

    cuts: float
    belli_cuts: float
    net: Any
    moved: float
    dealt: Any


def paid_for_belli(rules: Rules) -> int:
    """Players whom the dealer pays a stake when the Belli is cut (Z12, ZQ1); those at his left, in their order."""
    players = int(rules["players"])
    return {"pay_between": players - 2, "pay_all_others": players - 1}.get(str(rules["belli_cut"]), 0)


def exact(rules: Rules) -> Cut:
    """Work out the cut of a form of the game."""
    players, cards, stake = (int(rules.record[name][0]) for name in ("players", "cards", "stake"))
    belli, void = BELLIS / cards, ACES_AND_SEVENS / cards
    hop = rules["cut_rule"] == "hop"
    steps = np.zeros((players, players))
    for seat in range(players):
        steps[seat, (seat - 1) % players] += belli
        steps[seat, (seat + 1) % players if hop else seat] += void
    start = np.zeros(players)
    start[0] = 1
    visits = np.linalg.solve(np.eye(players) - steps.T, start)
    shown = visits * belli
    dealt = visits * (1 - belli - void)
    staked = stake * (dealt + hop * visits * void + (rules["belli_cut_ante"] == "stays") * shown)
    if rules["belli_cut"] == "pot_jump":
        staked += stake * (shown.sum() - shown)
    net = -staked
    net[0] += stake
    for dealer in range(players):
        for left in range(1, 1 + paid_for_belli(rules)):
            net[dealer] -= stake * shown[dealer]
            net[(dealer + left) % players] += stake * shown[dealer]
    moved = staked.sum() - stake + stake * paid_for_belli(rules) * shown.sum()
    return Cut(float(visits.sum()), float(shown.sum()), net, float(moved), dealt)
