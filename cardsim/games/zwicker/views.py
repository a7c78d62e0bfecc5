"""Zwicker kernels: a state rebuilt from an observation, the inverse of knowledge.py."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, popcount
from cardsim.blocks import read_number, read_one_hot
from cardsim.games.zwicker.basics import HIGH, LOW, face_of, kind_of
from cardsim.games.zwicker.kernels import clear_deal
from cardsim.games.zwicker.knowledge import (
    ASKED,
    BUILT,
    BYTE,
    CAPTURED,
    CAPTURER,
    CARD,
    CHOSEN,
    DEALER,
    DEALS_DONE,
    DEBTS,
    DENIED,
    FIRST,
    FLAGS,
    LACKS,
    LAST,
    LOCATION,
    ON_ITEM,
    OWN,
    PAGE,
    PHASE,
    PROMISED,
    SCORED,
    SIZES,
    STEPS,
    STOCK,
    SUMS,
    TO_MOVE,
    UNSEEN,
    VALUE,
    WORD,
    ZWICKS,
    pack_kinds,
)
from cardsim.games.zwicker.layout import DEAL, DEALS, HIDDEN_CARD, NO_CARD, NO_VALUE, NOBODY, PHASES, SEATS
from cardsim.games.zwicker.rules import HAND, KINDS
from cardsim.games.zwicker.table import recount, to_hand, to_pile
from cardsim.jit import kernel


@kernel
def recall(state: Any, observation: Any) -> None:
    """Rebuild in `state` (which brings the rules) all that an observation tells; the observer becomes seat 0.

    In the hands of the others lie as many HIDDEN_CARDs as they hold cards; the deck stays empty. Cards of a stack or
    build lie in card order.
    """
    clear_deal(state)
    for seat in range(SEATS):
        state["zwicks"][seat] = read_number(observation, ZWICKS + BYTE * seat, BYTE)
        state["promised"][seat] = read_number(observation, PROMISED + FLAGS * seat, FLAGS)
        state["lacks"][seat] = read_number(observation, LACKS + FLAGS * seat, FLAGS)
        debts = read_number(observation, DEBTS + WORD * seat, WORD)
        state["scores"][seat] = read_number(observation, SCORED + WORD * seat, WORD) - debts
        for k in range(popcount(read_number(observation, SIZES + STEPS * seat, STEPS)) if seat > 0 else 0):
            state["hand"][seat, k] = HIDDEN_CARD
    state["asked"][0] = read_number(observation, ASKED, FLAGS)
    state["denied"][0] = read_number(observation, DENIED, FLAGS)
    state["deck_pos"] = I64(state["rules"]["cards"]) - read_number(observation, STOCK, BYTE)
    state["totals"][DEALS] = read_number(observation, DEALS_DONE, WORD)
    state["phase"] = read_one_hot(observation, PHASE, len(PHASES), DEAL)
    state["player"] = read_one_hot(observation, TO_MOVE, SEATS, NOBODY)
    state["dealer"] = read_one_hot(observation, DEALER, SEATS, 0)
    state["capturer"] = read_one_hot(observation, CAPTURER, SEATS, NOBODY)
    state["value"] = read_one_hot(observation, VALUE, FLAGS, NO_VALUE)
    state["sums"] = read_number(observation, SUMS, FLAGS)
    for word in range(2):
        state["chosen"][word] = read_number(observation, CHOSEN + 64 * word, 64)
    state["first"] = read_number(observation, FIRST, BYTE) - 1
    state["last"] = read_number(observation, LAST, BYTE) - 1
    state["target"] = read_number(observation, ON_ITEM, BYTE) - 1
    state["page"] = read_number(observation, PAGE, BYTE)
    _recall_cards(state, observation)
    _recall_items(state, observation)


@kernel
def _recall_cards(state: Any, observation: Any) -> None:
    """Piles, the cards of the items, the card of this turn, the own hand."""
    items = 0
    for card in range(2 * KINDS):
        place = read_number(observation, LOCATION + BYTE * card, BYTE)
        if place >= CAPTURED:
            to_pile(state, place - CAPTURED, card)
        elif place > 0:
            state["under"][card] = state["top"][place - 1]
            state["top"][place - 1] = card
            items = max(items, place)
    state["items"] = items
    kind = read_one_hot(observation, CARD, KINDS, NO_CARD)
    if kind != NO_CARD:
        state["card"] = _free_card(state, observation, kind)
    for k in range(HAND):
        kind = read_one_hot(observation, OWN + KINDS * k, KINDS, NO_CARD)
        if kind != NO_CARD:
            to_hand(state, 0, _free_card(state, observation, kind))


@kernel
def _free_card(state: Any, observation: Any, kind: int) -> int:
    """The first card like one of this kind that lies nowhere yet and is not unseen; NO_CARD if there is none."""
    kinds = pack_kinds(state)
    for card in range(KINDS * I64(state["rules"]["packs"])):
        if face_of(card) != kind or (kinds >> U64(kind_of(card))) & U64(1) == NONE or observation[UNSEEN + card]:
            continue
        free = state["card"] != card and read_number(observation, LOCATION + BYTE * card, BYTE) == 0
        for k in range(HAND):
            free = free and state["hand"][0, k] != card
        if free:
            return card
    return NO_CARD


@kernel
def _recall_items(state: Any, observation: Any) -> None:
    """Values and builders of the items, and what follows from them."""
    style = U64(I64(state["rules"]["style"]))
    for item in range(I64(state["items"])):
        built = read_number(observation, BUILT + BYTE * item, BYTE)
        kind = U64(kind_of(I64(state["top"][item])))
        state["low"][item] = built // SEATS if built else LOW[style, kind]
        state["high"][item] = built // SEATS if built else HIGH[style, kind]
        state["builder"][item] = built % SEATS if built else NOBODY
    recount(state)
