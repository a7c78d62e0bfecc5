"""Zwicken kernels: how a deal is paid, and whether the episode goes on; the returns."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, U64, has, lowest
from cardsim.games.zwicken.layout import (
    ACE_FAULT,
    ALL_PASSED,
    BETES,
    DEAL,
    DURCHMARSCH,
    DURCHMARSCHES,
    DUTY_BETES,
    NO_TRICK_BETES,
    NOBODY,
    OVER,
    SEATS,
    SHARED,
    STAYS,
    SWAPS,
    TAKEN,
    TRICKS_WON,
    UNOPPOSED,
    WINS,
)
from cardsim.games.zwicken.rules import OPTIONS
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of

BETE_OF_POT = OPTIONS["bete"].code("pot")
DEALER_TAKES = OPTIONS["all_pass"].code("dealer_takes")
SINGLE_BETE, EXTRA_TO_WINNER = (OPTIONS["durchmarsch"].code(value) for value in ("single_bete", "extra_to_winner"))


@inlined
def take(state: Any, seat: int, amount: int) -> None:
    """Chips from the pot to a seat."""
    state["pot"] -= amount
    state["chips"][seat] += amount
    state["counts"][TAKEN, seat] += amount


@inlined
def pay(state: Any, seat: int, amount: int, column: int) -> None:
    """Chips from a seat to the pot, counted in a column."""
    state["pot"] += amount
    state["chips"][seat] -= amount
    state["counts"][column, seat] += amount


@inlined
def bete_of(state: Any) -> int:
    """Chips of a bete in this deal, while the pot played for lies there (Z23, ZP28)."""
    stake = I64(state["rules"]["stake"])
    if state["rules"]["bete"] == BETE_OF_POT:
        return min(I64(state["pot"]), stake * I64(state["rules"]["bete_cap"]))
    return stake


@kernel
def settle_unplayed(state: Any) -> None:
    """End a deal in which at most one player stayed (ZQ21, ZQ22, ZP13)."""
    if state["active"] != 0:
        take(state, lowest(state["active"]), I64(state["pot"]))
        state["unopposed"] += 1
        state["reason"] = UNOPPOSED
    else:
        if state["rules"]["all_pass"] == DEALER_TAKES:
            take(state, I64(state["dealer"]), I64(state["pot"]))
        state["all_passed"] += 1
        state["reason"] = ALL_PASSED
    finish_deal(state)


@kernel
def settle_tricks(state: Any) -> None:
    """Share the pot by tricks, then collect the betes for the next one (Z22-Z26, ZP26-ZP29)."""
    rules = state["rules"]
    tricks = I64(rules["hand_cards"])
    pot = I64(state["pot"])
    bete = bete_of(state)
    share = pot // 3 if tricks == 3 else pot // 4  # constants: no division
    active = I64(state["active"])
    counts = state["counts"]
    next_pot = pot
    for seat in range(SEATS):  # all of them, without branches, so that it is vector operations
        won = I64(state["tricks"][seat])
        duties = (I64(state["faults"][seat]) & ACE_FAULT) + (I64(state["faults"][seat]) >> 1)
        none = (active >> seat) & I64(won == 0)
        taken = won * share
        betes = (duties + none) * bete  # ZQ19, ZP27
        state["chips"][seat] += taken - betes
        next_pot += betes - taken
        counts[TRICKS_WON, seat] += won
        counts[NO_TRICK_BETES, seat] += none
        counts[DUTY_BETES, seat] += duties
        counts[TAKEN, seat] += taken
        counts[BETES, seat] += betes
    state["pot"] = next_pot
    winner = I64(state["leader"])
    state["reason"] = SHARED
    if state["tricks"][winner] == tricks:
        state["reason"] = DURCHMARSCH
        state["marches"] += 1
        counts[DURCHMARSCHES, winner] += 1
        take(state, winner, pot - tricks * share)
        if rules["durchmarsch"] != SINGLE_BETE:
            _second_betes(state, winner, bete)
    finish_deal(state)


@inlined
def _second_betes(state: Any, winner: int, bete: int) -> None:
    """What a Durchmarsch costs each other stayer on top (ZP29)."""
    for seat in range(state["rules"]["players"]):
        if seat != winner and has(state["active"], seat):
            pay(state, seat, bete, BETES)
            if state["rules"]["durchmarsch"] == EXTRA_TO_WINNER:
                take(state, winner, bete)


@inlined
def finish_deal(state: Any) -> None:
    """Note what the deal brought; end the episode, or pass the deal on (ZQ7, ZP33)."""
    rules = state["rules"]
    players = I64(rules["players"])
    reached = False
    active = I64(state["active"])
    counts = state["counts"]
    for seat in range(SEATS):
        chips = I64(state["chips"][seat])
        gain = chips - I64(state["before"][seat])
        state["gained"][seat] = gain
        state["before"][seat] = chips
        counts[WINS, seat] += gain > 0
        counts[STAYS, seat] += (active >> seat) & 1
        counts[SWAPS, seat] += state["swaps"][seat]
        reached |= chips >= rules["target_chips"]
    state["attempts"] = 0
    state["player"] = NOBODY
    over = not rules["match"] or state["deals"] == rules["deals_limit"] or (rules["target_chips"] > 0 and reached)
    state["phase"] = OVER if over else DEAL
    if not over:
        state["dealer"] = left_of(I64(state["dealer"]), players)


@kernel
def returns(state: Any, out: Any) -> None:
    """Chips won or lost since the episode began, deals that are not finished left out (ZQ28, ZP30)."""
    start = I64(state["rules"]["start_chips"])
    for seat in range(state["rules"]["players"]):
        out[seat] = state["before"][seat] - start


@kernel
def session_winners(state: Any) -> Any:
    """The seats with the highest balance, as a bit mask (Z27, ZP33)."""
    best = I64(state["chips"][0])
    winners = U64(1)
    for seat in range(1, state["rules"]["players"]):
        chips = I64(state["chips"][seat])
        if chips > best:
            best = chips
            winners = U64(0)
        if chips == best:
            winners |= U64(1) << U64(seat)
    return winners
