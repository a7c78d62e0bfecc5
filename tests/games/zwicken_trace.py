"""Compiled side of the referee comparison: Zwicken played by simple policies, written down state by state.

A tape holds a block of hands: the packs of each in dealing order, one for every attempt at the deal; one row of numbers
per void attempt and per decision (what the seat to act may do, what it did, and every compared field of the state) and
one closing row per hand. `zwicken_replay` plays the same hands on the slow referee and builds the same rows from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, bit, has, popcount, select
from cardsim.games.zwicken.basics import trump_ace
from cardsim.games.zwicken.kernels import PACKS, apply_action, deal_given, legal_actions, outcome, reset
from cardsim.games.zwicken.layout import (
    ACT_PASS,
    ACT_STOP,
    ANNOUNCE,
    CARDS,
    DEAL,
    HAND_COLUMNS,
    LEAD,
    NO_CARD,
    NOBODY,
    OVER,
    SEAT_COLUMNS,
    SEATS,
    STATE,
    SWAP,
)
from cardsim.games.zwicken.settling import returns, session_winners
from cardsim.jit import kernel
from cardsim.rng import CARDS as CARDS_STREAM
from cardsim.rng import USER, below, seed_stream, shuffle
from tests.games.referee_replay import AGAIN, END, Tape, Trace

POLICIES = ("uniform", "stays", "stays and collects trumps")
UNIFORM, STAYS, COLLECTS = range(len(POLICIES))
"""Uniform play seldom brings Ace and Belli into one trick; who collects trumps leads the Ace half the time."""

SCALARS = (
    "action", "legal", "phase", "player", "leader", "dealer", "attempts", "pot", "active", "swapping", "round", "shown",
    "shown_seat", "up", "trump", "talon_left", "played", "best", "best_seat", "reason", "winners",
)  # fmt: skip
(
    ACTION, LEGAL, PHASE, PLAYER, LEADER, DEALER, ATTEMPTS, POT, ACTIVE, SWAPPING, ROUND, SHOWN,
    SHOWN_SEAT, UP, TRUMP, TALON_LEFT, PLAYED, BEST, BEST_SEAT, REASON, WINNERS,
) = range(len(SCALARS))  # fmt: skip
VECTORS = ("hand", "thrown", "table", "chips", "before", "gained", "swaps", "tricks", "faults")
HAND, THROWN, TABLE, CHIPS, BEFORE, GAINED, SWAPS, TRICKS, FAULTS = range(
    len(SCALARS), len(SCALARS) + SEATS * len(VECTORS), SEATS
)
TALON = FAULTS + SEATS
CARDS_PER_WORD = 10
CARD_BITS = 6
TALON_WORDS = 3
COLUMNS = (
    *SCALARS,
    *(f"{name}[{seat}]" for name in VECTORS for seat in range(SEATS)),
    *(f"talon[{word}]" for word in range(TALON_WORDS)),
)
"""One row of a tape. Seats 0-4 of each vector; `table`: the card of a seat in the current trick; `faults`: how many
duties it has failed; `talon`: the cards from the top, ten of six bits in a word, the first in the lowest."""
SETS = ("legal", "hand", "thrown")
ROWS_PER_HAND = 64
"""Five announcements, 20 swaps, 20 cards, the closing row; the rest for void attempts."""


def new_tape(hands: int) -> Tape:
    """An empty tape for a block of hands."""
    return Tape(
        np.zeros((2 * hands + 64, CARDS), np.uint8),
        np.zeros(hands + 1, np.int64),
        np.zeros(hands, np.int64),
        np.zeros(hands, np.bool_),
        np.zeros(hands + 1, np.int64),
        np.zeros((hands * ROWS_PER_HAND + 64, len(COLUMNS)), np.int64),
        np.zeros((hands, len(HAND_COLUMNS)), np.int32),
        np.zeros((hands, SEATS, len(SEAT_COLUMNS)), np.int32),
        np.zeros((hands, SEATS), np.float64),
    )


@kernel
def choose(state: Any, policy: int, stream: Any) -> int:
    """Uniform over the legal actions that the policy leaves; END if nothing is legal."""
    options = legal_actions(state)
    if options == NONE:
        return END
    phase = state["phase"]
    if policy != UNIFORM and phase == ANNOUNCE:
        options &= ~bit(ACT_PASS)
    if policy == COLLECTS and phase == SWAP:
        plain = options & ~U64(state["trumps"]) & ~bit(ACT_STOP)
        return select(plain, below(stream, popcount(plain))) if plain != NONE else ACT_STOP
    if policy == COLLECTS and phase == LEAD:
        ace = trump_ace(state)
        if has(options, ace) and below(stream, 2) == 0:
            return ace
    return select(options, below(stream, popcount(options)))


@kernel
def fresh_deck(deck: Any, cards: int, stream: Any) -> None:
    """Shuffle the pack of a form; its last card is the one that the cut shows."""
    row = 1 if cards < CARDS else 0
    for i in range(CARDS):
        deck[i] = PACKS[row, i]
    shuffle(stream, deck, cards)


@kernel
def write_row(state: Any, row: Any) -> None:
    """Copy what is compared. Between deals a leader means nothing, outside the swap a round means nothing."""
    phase = state["phase"]
    row[ACTION] = END
    row[LEGAL] = np.int64(legal_actions(state))
    row[PHASE] = phase
    row[PLAYER] = state["player"]
    row[LEADER] = NOBODY if phase in (OVER, DEAL) else state["leader"]
    row[DEALER] = state["dealer"]
    row[ATTEMPTS] = state["attempts"]
    row[POT] = state["pot"]
    row[ACTIVE] = state["active"]
    row[SWAPPING] = state["swapping"]
    row[ROUND] = state["round"] if phase == SWAP else 0
    row[SHOWN] = state["shown"]
    row[SHOWN_SEAT] = state["shown_seat"]
    row[UP] = state["up"]
    row[TRUMP] = state["trump"]
    row[TALON_LEFT] = state["talon_left"]
    row[PLAYED] = state["played"]
    row[BEST] = state["best"]
    row[BEST_SEAT] = state["best_seat"]
    row[REASON] = state["reason"]
    row[WINNERS] = np.int64(session_winners(state)) if phase == OVER else 0
    for seat in range(SEATS):
        row[HAND + seat] = np.int64(state["hand"][seat])
        row[THROWN + seat] = np.int64(state["thrown"][seat])
        row[TABLE + seat] = NO_CARD
        row[CHIPS + seat] = state["chips"][seat]
        row[BEFORE + seat] = state["before"][seat]
        row[GAINED + seat] = state["gained"][seat]
        row[SWAPS + seat] = state["swaps"][seat]
        row[TRICKS + seat] = state["tricks"][seat]
        row[FAULTS + seat] = popcount(state["faults"][seat])
    for i in range(state["trick_start"], state["played"]):
        row[TABLE + state["movers"][i]] = state["history"][i]
    for i in range(state["talon_left"]):
        card = np.int64(state["deck"][state["talon_pos"] + i])
        row[TALON + i // CARDS_PER_WORD] |= card << (i % CARDS_PER_WORD * CARD_BITS)


@kernel
def deal_attempts(state: Any, stream: Any, tape: Any, used: int, at: int) -> int:
    """Deal packs from `used` on until a deal goes ahead, a row from `at` on for every void one; how many packs."""
    count = 0
    while state["phase"] == DEAL:
        if used + count == len(tape.decks):
            raise ValueError("the tape has too few packs")
        if count > 0:
            write_row(state, tape.rows[at + count - 1])
            tape.rows[at + count - 1, ACTION] = AGAIN
        fresh_deck(tape.decks[used + count], state["rules"]["cards"], stream)
        deal_given(state, tape.decks[used + count])
        count += 1
    return count


@kernel
def play_block(states: Any, streams: Any, policy: int, seed: int, first: int, tape: Any) -> None:
    """Play hands `first`, `first` + 1, ... until the tape is full, as `Trace` says."""
    state = states[0]
    at = 0
    used = 0
    for h in range(len(tape.fresh)):
        seed_stream(streams[0], seed, first + h, CARDS_STREAM)
        seed_stream(streams[1], seed, first + h, USER)
        tape.fresh[h] = first + h == 0 or state["phase"] == OVER
        if tape.fresh[h]:
            reset(state, streams[0])
        tape.dealers[h] = state["dealer"]
        tape.dealt[h] = used
        tape.starts[h] = at
        count = deal_attempts(state, streams[0], tape, used, at)
        used += count
        at += count - 1
        while state["phase"] != OVER and state["phase"] != DEAL:
            write_row(state, tape.rows[at])
            action = choose(state, policy, streams[1])
            if action == END or at + 1 == len(tape.rows):  # a fault, which the replay names
                tape.dealt[h + 1] = used
                tape.starts[h + 1] = at + 1
                return
            tape.rows[at, ACTION] = action
            apply_action(state, action)
            at += 1
        write_row(state, tape.rows[at])
        at += 1
        outcome(state, tape.counts[h], tape.seat_counts[h])
        returns(state, tape.returns[h])
    tape.dealt[len(tape.fresh)] = used
    tape.starts[len(tape.fresh)] = at


TRACE = Trace(STATE, NO_CARD, POLICIES, COLUMNS, SETS, PLAYER, new_tape, play_block)
