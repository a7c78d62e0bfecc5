"""Compiled side of the referee comparison: Sixty-Six played by simple policies, written down state by state.

A tape holds a block of hands: the pack of each in dealing order, one row of numbers per decision (what the
seat to act may do, what it did, and every compared field of the state) and one closing row per hand. `sixty_six_replay`
plays the same hands on the slow referee and builds the same rows from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import bit, has, popcount, select
from cardsim.games.sixty_six.kernels import (
    apply_action,
    deal_given,
    legal_actions,
    outcome,
    reset,
)
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ACT_CLOSE,
    CARDS,
    DEAL,
    FOLLOW,
    HAND_COLUMNS,
    NO_CARD,
    NOBODY,
    OVER,
    SEAT_COLUMNS,
    SEATS,
    STATE,
)
from cardsim.games.sixty_six.scoring import match_leader, returns
from cardsim.jit import kernel
from cardsim.rng import CARDS as CARDS_STREAM
from cardsim.rng import USER, below, seed_stream, shuffle
from tests.games.referee_replay import END, Tape, Trace

POLICIES = ("uniform", "claims at 66", "claims at 66, closes seldom")
UNIFORM, CAREFUL, PATIENT = range(len(POLICIES))
"""SP37: uniform play alone ends nearly every hand in a false claim or a closed talon."""
CLOSES_ONE_IN = 20

SCALARS = (
    "action", "legal", "phase", "player", "leader", "dealer", "closer", "trump", "up", "talon_left", "played",
    "carry", "declared", "last_pair", "lead_pair", "partner_pair", "reason", "winner", "match_winner",
)  # fmt: skip
(
    ACTION, LEGAL, PHASE, PLAYER, LEADER, DEALER, CLOSER, TRUMP, UP, TALON, PLAYED,
    CARRY, DECLARED, LAST_PAIR, LEAD_PAIR, PARTNER_PAIR, REASON, WINNER, MATCH_WINNER,
) = range(len(SCALARS))  # fmt: skip
VECTORS = ("hand", "table", "points", "pending", "tricks", "scores", "gained")
HAND, TABLE, POINTS, PENDING, TRICKS, SCORES, GAINED = range(len(SCALARS), len(SCALARS) + 4 * len(VECTORS), 4)
COLUMNS = (*SCALARS, *(f"{name}[{seat}]" for name in VECTORS for seat in range(SEATS)))
"""One row of a tape. Seats or sides 0-3 of each vector; `table`: the card of a seat in the current trick."""
SETS = ("legal", "hand")
ROWS_PER_HAND = 96


def new_tape(hands: int) -> Tape:
    """An empty tape for a block of hands."""
    return Tape(
        np.full((hands, CARDS), NO_CARD, np.uint8),
        np.arange(hands + 1),
        np.zeros(hands, np.int64),
        np.zeros(hands, np.bool_),
        np.zeros(hands + 1, np.int64),
        np.zeros((hands * ROWS_PER_HAND, len(COLUMNS)), np.int64),
        np.zeros((hands, len(HAND_COLUMNS)), np.int32),
        np.zeros((hands, SEATS, len(SEAT_COLUMNS)), np.int32),
        np.zeros((hands, SEATS), np.float64),
    )


@kernel
def choose(state: Any, policy: int, stream: Any) -> int:
    """Uniform over the legal actions that the policy leaves."""
    options = legal_actions(state)
    if policy != UNIFORM and has(options, ACT_CLAIM):
        player = state["player"]
        if state["points"][player & 1 if state["rules"]["teams"] else player] < state["rules"]["goal"]:
            options &= ~bit(ACT_CLAIM)
    if policy == PATIENT and has(options, ACT_CLOSE) and below(stream, CLOSES_ONE_IN) != 0:
        options &= ~bit(ACT_CLOSE)
    return select(options, below(stream, popcount(options)))


@kernel
def fresh_deck(deck: Any, rules: Any, stream: Any) -> None:
    """Shuffle the pack of a form as `kernels.deal` does."""
    ranks = rules["ranks"]
    cards = rules["suits"] * ranks
    for i in range(cards):
        deck[i] = (i // ranks) * 8 + (8 - ranks) + i % ranks
    shuffle(stream, deck, cards)


@kernel
def write_row(state: Any, row: Any) -> None:
    """Copy what is compared. After the deal, table, pending and lead declarations mean nothing."""
    over = state["phase"] == OVER or state["phase"] == DEAL
    row[ACTION] = END
    row[LEGAL] = np.int64(legal_actions(state))
    row[PHASE] = state["phase"]
    row[PLAYER] = state["player"]
    row[LEADER] = state["leader"]
    row[DEALER] = state["dealer"]
    row[CLOSER] = state["closer"]
    row[TRUMP] = state["trump"]
    row[UP] = state["up"]
    row[TALON] = state["talon_left"]
    row[PLAYED] = state["played"]
    row[CARRY] = state["carry"]
    row[DECLARED] = state["declared"]
    row[LAST_PAIR] = state["last_pair"]
    lead_done = over or state["phase"] == FOLLOW
    row[LEAD_PAIR] = NOBODY if lead_done else state["lead_pair"]
    row[PARTNER_PAIR] = NOBODY if lead_done else state["partner_pair"]
    row[REASON] = state["reason"]
    row[WINNER] = state["winner"]
    row[MATCH_WINNER] = match_leader(state) if over and state["rules"]["match"] else NOBODY
    for seat in range(SEATS):
        row[HAND + seat] = state["hand"][seat]
        row[TABLE + seat] = NO_CARD
        row[POINTS + seat] = state["points"][seat]
        row[PENDING + seat] = 0 if over else state["pending"][seat]
        row[TRICKS + seat] = state["tricks"][seat]
        row[SCORES + seat] = state["scores"][seat]
        row[GAINED + seat] = state["gained"][seat]
    if not over:
        for i in range(state["trick_start"], state["played"]):
            row[TABLE + state["movers"][i]] = state["history"][i]


@kernel
def play_block(states: Any, streams: Any, policy: int, seed: int, first: int, tape: Any) -> None:
    """Play hands `first`, `first` + 1, ... until the tape is full, as `Trace` says."""
    state = states[0]
    at = 0
    for h in range(len(tape.decks)):
        seed_stream(streams[0], seed, first + h, CARDS_STREAM)
        seed_stream(streams[1], seed, first + h, USER)
        tape.fresh[h] = first + h == 0 or state["phase"] == OVER
        if tape.fresh[h]:
            reset(state, streams[0])
        tape.dealers[h] = state["dealer"]
        fresh_deck(tape.decks[h], state["rules"], streams[0])
        deal_given(state, tape.decks[h])
        tape.starts[h] = at
        while state["phase"] != OVER and state["phase"] != DEAL:
            write_row(state, tape.rows[at])
            action = choose(state, policy, streams[1])
            tape.rows[at, ACTION] = action
            apply_action(state, action)
            at += 1
        write_row(state, tape.rows[at])
        at += 1
        outcome(state, tape.counts[h], tape.seat_counts[h])
        returns(state, tape.returns[h])
    tape.starts[len(tape.decks)] = at


TRACE = Trace(STATE, NO_CARD, POLICIES, COLUMNS, SETS, PLAYER, new_tape, play_block)
