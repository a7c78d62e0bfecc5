"""Random deals of Zwicken in one compiled call, with the chips counted after every one."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE
from cardsim.games.zwicken.kernels import apply_action, deal, legal_actions, outcome, reset
from cardsim.games.zwicken.layout import (
    BETES,
    CUT_CHIPS,
    DEAL,
    HAND_COLUMNS,
    OVER,
    SEAT_COLUMNS,
    SEATS,
    STAKED,
    STATE,
    TAKEN,
)
from cardsim.jit import kernel
from cardsim.options import Rules
from cardsim.playout import pick_uniform
from cardsim.rng import CARDS as CARDS_STREAM
from cardsim.rng import new_streams, seed_stream


@kernel
def chips_add_up(state: Any, counts: Any) -> bool:
    """Whether balances and pot make what there was at first, and each balance what its seat's columns tell."""
    rules = state["rules"]
    start = I64(rules["start_chips"])
    total = I64(state["pot"]) - I64(rules["start_pot"])
    for seat in range(rules["players"]):
        gain = I64(state["chips"][seat]) - start
        total += gain
        paid = I64(counts[seat, STAKED]) + I64(counts[seat, BETES])
        if gain != I64(counts[seat, TAKEN]) - paid + I64(counts[seat, CUT_CHIPS]):
            return False
    return bool(total == 0 and state["pot"] >= 0)


@kernel
def play_counting(states: Any, streams: Any, seed: Any, deals: Any, hand: Any, counts: Any) -> int:
    """Play deals at random, session after session; the number of the first that goes wrong, or -1."""
    state = states[0]
    stream = streams[0]
    seed_stream(stream, seed, 0, CARDS_STREAM)
    reset(state, stream)
    for number in range(deals):
        if state["phase"] == OVER:
            reset(state, stream)
        deal(state, stream)
        while state["phase"] != OVER and state["phase"] != DEAL:
            options = legal_actions(state)
            if options == NONE:
                return number
            apply_action(state, pick_uniform(options, stream))
        outcome(state, hand, counts)
        if not chips_add_up(state, counts):
            return number
    return -1


def first_wrong(rules: Rules, seed: int, deals: int) -> str:
    """The first deal of a random session under these rules that loses or makes chips, as text; else the empty text."""
    states = np.zeros(1, STATE)
    states["rules"] = rules.record
    columns = np.zeros(len(HAND_COLUMNS), np.int32), np.zeros((SEATS, len(SEAT_COLUMNS)), np.int32)
    number = play_counting(states, new_streams(1), seed, deals, *columns)
    return "" if number < 0 else f"{rules.text} seed={seed}: wrong after deal {number}"
