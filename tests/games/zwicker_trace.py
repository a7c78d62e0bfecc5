"""Compiled side of the referee comparison: Zwicker played by simple policies, written down turn by turn.

A tape holds a block of deals: the pack of each in dealing order; one row of numbers for each turn (the state before it,
then the whole turn, whatever chain of decisions led to it) and one closing row. `zwicker_replay` plays the same deals
on the slow referee and builds the same rows from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount, select
from cardsim.games.zwicker.basics import face_of
from cardsim.games.zwicker.captures import is_loose
from cardsim.games.zwicker.kernels import JOKER_KINDS, apply_action, deal_given, legal_actions, outcome, reset
from cardsim.games.zwicker.layout import (
    ACT,
    ACT_FINISH,
    ACT_FURTHER,
    ACT_TAKE,
    CARD,
    CARDS,
    DEAL,
    FIRST_PLACE,
    GROUP,
    HAND_COLUMNS,
    ITEMS,
    NEW_VALUE,
    NO_CARD,
    OVER,
    PLACES,
    SEAT_COLUMNS,
    SEATS,
    STATE,
    TARGET,
    TURNS,
)
from cardsim.games.zwicker.legal import target_values
from cardsim.games.zwicker.moves import value_of
from cardsim.games.zwicker.rules import FIXED, HAND, KINDS, PER_PACK
from cardsim.games.zwicker.scoring import returns
from cardsim.games.zwicker.table import stock_end
from cardsim.jit import kernel
from cardsim.rng import CARDS as CARDS_STREAM
from cardsim.rng import USER, below, seed_stream, shuffle
from tests.games.referee_replay import END, Tape, Trace

POLICIES = ("uniform", "takes all it can", "seldom takes")
UNIFORM, TAKES, SELDOM = range(len(POLICIES))
"""Who seldom takes makes long tables, and then takes from them."""

SCALARS = ("action", "legal", "phase", "player", "dealer", "capturer", "stock", "items")
ACTION, LEGAL, PHASE, PLAYER, DEALER, CAPTURER, STOCK, TABLE_SIZE = range(len(SCALARS))
VECTORS = ("hand", "pile", "pile_size", "zwicks", "gained", "scores", "promised", "lacks", "asked", "denied")
HANDS, PILE, PILE_SIZE, ZWICKS, GAINED, SCORES, PROMISED, LACKS, ASKED, DENIED = range(
    len(SCALARS), len(SCALARS) + SEATS * len(VECTORS), SEATS
)
TABLE = DENIED + SEATS
TURN = TABLE + ITEMS
TURN_COLUMNS = ("card", "act", "value", "target", "taken[0]", "taken[1]", "taken[2]", "taken[3]", "decisions")
T_CARD, T_ACT, T_VALUE, T_TARGET, T_TAKEN = range(5)
T_DECISIONS = T_TAKEN + 4
"""Face of the card; take, lay on or beside; the value it captures at or makes; the item it is laid on; the items taken,
bit by bit, 32 in a word; the length of the chain."""
COLUMNS = (
    *SCALARS,
    *(f"{name}[{seat}]" for name in VECTORS for seat in range(SEATS)),
    *(f"table[{item}]" for item in range(ITEMS)),
)
"""What of a row is compared; TURN_COLUMNS follow. `hand`: faces, ascending; `pile`: sum of the WEIGHTS of the faces;
`table`: values, builder and cards of an item, see `item_word`."""
FACE_BITS = 7
HASH = 2**40
HASH_BASE = 67
WEIGHTS = np.random.default_rng(52).integers(2**40, 2**50, KINDS)
"""By face, so that a set of cards is told by its sum."""
ROWS_PER_DEAL = CARDS + 1
LOW_HALF = U64(2**PLACES - 1)


def new_tape(deals: int) -> Tape:
    """An empty tape for a block of deals."""
    return Tape(
        np.full((deals, CARDS), NO_CARD, np.uint8),
        np.zeros(deals + 1, np.int64),
        np.zeros(deals, np.int64),
        np.zeros(deals, np.bool_),
        np.zeros(deals + 1, np.int64),
        np.zeros((deals * ROWS_PER_DEAL, TURN + len(TURN_COLUMNS)), np.int64),
        np.zeros((deals, len(HAND_COLUMNS)), np.int32),
        np.zeros((deals, SEATS, len(SEAT_COLUMNS)), np.int32),
        np.zeros((deals, SEATS), np.float64),
    )


@kernel
def choose(state: Any, policy: int, stream: Any) -> int:
    """Uniform over the legal actions that the policy leaves; END if nothing is legal."""
    options = legal_actions(state)
    if options == NONE:
        return END
    phase = state["phase"]
    if policy == TAKES and has(options, ACT_TAKE):
        return ACT_TAKE
    if policy == SELDOM and phase == ACT and popcount(options) > 1 and below(stream, 24) > 0:
        options &= ~bit(ACT_TAKE)
    if policy != UNIFORM and phase == GROUP and popcount(options) > 1:
        options &= ~bit(ACT_FINISH)
    return select(options, below(stream, popcount(options)))


@kernel
def note(state: Any, action: int, turn: Any) -> None:
    """Write what an action, which is about to be played, says about the turn."""
    phase = state["phase"]
    turn[T_DECISIONS] += 1
    if phase == CARD:
        turn[T_CARD] = face_of(I64(state["hand"][state["player"], action]))
    elif phase == ACT:
        turn[T_ACT] = action
    elif phase == GROUP:
        turn[T_VALUE] = state["value"]
        for word in range(2):
            chosen = U64(state["chosen"][word])
            turn[T_TAKEN + 2 * word] = I64(chosen & LOW_HALF)
            turn[T_TAKEN + 2 * word + 1] = I64(chosen >> U64(PLACES))
    elif phase == TARGET and action != ACT_FURTHER:
        turn[T_TARGET] = action - FIRST_PLACE + PLACES * I64(state["page"])
        turn[T_VALUE] = I64(lowest(target_values(state, I64(turn[T_TARGET]))))
    elif phase == NEW_VALUE:
        turn[T_VALUE] = value_of(action)


@kernel
def play_turn(state: Any, policy: int, stream: Any, turn: Any) -> bool:
    """Play one whole turn and write it; False if on the way nothing is legal."""
    before = I64(state["totals"][TURNS])
    while I64(state["totals"][TURNS]) == before:
        action = choose(state, policy, stream)
        if action == END:
            return False
        note(state, action, turn)
        apply_action(state, action)
    return True


@kernel
def item_word(state: Any, item: int) -> Any:
    """An item in one number: its two values, its builder (of a stack: that it is one), its cards from the top down."""
    builder = I64(0)
    if not is_loose(state, item):
        builder = I64(state["builder"][item]) + 1 if state["rules"]["style"] == FIXED else I64(1)
    cards = I64(0)
    card = I64(state["top"][item])
    while card != NO_CARD:
        cards = (cards * HASH_BASE + face_of(card) + 1) % HASH
        card = I64(state["under"][card])
    return ((cards * 16 + builder) * 32 + I64(state["high"][item])) * 32 + I64(state["low"][item])


@kernel
def write_piles(state: Any, row: Any) -> None:
    """What each side has captured: the sum of the weights, and how many cards."""
    for side in range(SEATS):
        for pack in range(2):
            rest = U64(state["pile"][side, pack])
            row[PILE_SIZE + side] += popcount(rest)
            while rest != NONE:
                row[PILE + side] += WEIGHTS[face_of(I64(lowest(rest)))]
                rest &= rest - U64(1)


@kernel
def write_row(state: Any, row: Any) -> None:
    """Copy what is compared."""
    row[ACTION] = END
    row[LEGAL] = I64(legal_actions(state))
    row[PHASE] = state["phase"]
    row[PLAYER] = state["player"]
    row[DEALER] = state["dealer"]
    row[CAPTURER] = state["capturer"]
    row[STOCK] = stock_end(state) - I64(state["deck_pos"])
    row[TABLE_SIZE] = state["items"]
    for seat in range(SEATS):
        for k in range(HAND):
            card = I64(state["hand"][seat, k])
            if card != NO_CARD:
                row[HANDS + seat] |= (face_of(card) + 1) << (k * FACE_BITS)
        row[ZWICKS + seat] = state["zwicks"][seat]
        row[GAINED + seat] = state["gained"][seat]
        row[SCORES + seat] = state["scores"][seat]
        row[PROMISED + seat] = state["promised"][seat]
        row[LACKS + seat] = state["lacks"][seat]
        row[ASKED + seat] = state["asked"][seat]
        row[DENIED + seat] = state["denied"][seat]
    write_piles(state, row)
    for item in range(I64(state["items"])):
        row[TABLE + item] = item_word(state, item)


@kernel
def fresh_deck(state: Any, deck: Any, stream: Any) -> None:
    """Shuffle the packs of a form."""
    rules = state["rules"]
    cards = I64(rules["cards"])
    per_pack = cards // I64(rules["packs"])
    for i in range(cards):
        kind = i % per_pack
        if kind >= PER_PACK:
            kind = I64(JOKER_KINDS[I64(rules["form"]), kind - PER_PACK])
        deck[i] = i // per_pack * KINDS + kind
    shuffle(stream, deck, cards)


@kernel
def play_block(states: Any, streams: Any, policy: int, seed: int, first: int, tape: Any) -> None:
    """Play deals `first`, `first` + 1, ... until the tape is full, as `Trace` says."""
    state = states[0]
    at = 0
    for h in range(len(tape.fresh)):
        seed_stream(streams[0], seed, first + h, CARDS_STREAM)
        seed_stream(streams[1], seed, first + h, USER)
        tape.fresh[h] = first + h == 0 or state["phase"] == OVER
        if tape.fresh[h]:
            reset(state, streams[0])
        tape.dealers[h] = state["dealer"]
        tape.dealt[h] = h
        tape.starts[h] = at
        fresh_deck(state, tape.decks[h], streams[0])
        deal_given(state, tape.decks[h])
        while state["phase"] != OVER and state["phase"] != DEAL:
            row = tape.rows[at]
            write_row(state, row)
            at += 1
            row[ACTION] = at - tape.starts[h]
            if not play_turn(state, policy, streams[1], row[TURN:]):  # a fault, which the replay names
                row[LEGAL] = 0
                tape.dealt[h + 1] = h + 1
                tape.starts[h + 1] = at
                return
        write_row(state, tape.rows[at])
        at += 1
        outcome(state, tape.counts[h], tape.seat_counts[h])
        returns(state, tape.returns[h])
    tape.dealt[len(tape.fresh)] = len(tape.fresh)
    tape.starts[len(tape.fresh)] = at


TRACE = Trace(STATE, NO_CARD, POLICIES, COLUMNS, ("legal",), PLAYER, new_tape, play_block)
