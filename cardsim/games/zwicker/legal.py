"""Zwicker kernels: what is legal in each phase of a turn."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit
from cardsim.games.zwicker.basics import card_values, face_of
from cardsim.games.zwicker.captures import alike, barred, group_actions
from cardsim.games.zwicker.laying import announced, bearers, layable, new_values, target_actions, value_actions
from cardsim.games.zwicker.layout import (
    ACT,
    ACT_BESIDE,
    ACT_LAY,
    ACT_TAKE,
    CARD,
    GROUP,
    NEW_VALUE,
    NO_CARD,
    PLAY_AT,
    TARGET,
)
from cardsim.games.zwicker.maximal import maximal_actions
from cardsim.games.zwicker.rules import FIXED, HAND, OPTIONS
from cardsim.jit import inlined, kernel

MAXIMAL = OPTIONS["capture_choice"].code("maximal")
FREE_TRAIL = OPTIONS["trail"].code("free")


@inlined
def legal_actions(state: Any) -> Any:
    """Legal actions of the seat to act as a bit mask; none at chance and terminal nodes."""
    phase = state["phase"]
    if phase == GROUP:
        return maximal_actions(state) if state["rules"]["capture_choice"] == MAXIMAL else group_actions(state)
    if phase == CARD:
        return card_actions(state)
    if phase == ACT:
        return act_actions(state)
    if phase == TARGET:
        return target_actions(state)
    if phase == PLAY_AT:
        return value_actions(capture_values(state, I64(state["card"])))
    if phase == NEW_VALUE:
        return value_actions(target_values(state, I64(state["target"])))
    return NONE


@inlined
def card_actions(state: Any) -> Any:
    """Cards of the hand that may be played: all; or those that must (WQ1, WP6); of cards alike the first (WP4)."""
    if state["rules"]["must_capture"] or alike(state):
        return rare_card_actions(state)
    hand = state["hand"][I64(state["player"])]
    legal = NONE
    for k in range(HAND):
        legal |= U64(hand[k] != NO_CARD) << U64(k)
    return legal


@kernel
def rare_card_actions(state: Any) -> Any:
    """The same where cards must capture or can be alike."""
    player = I64(state["player"])
    all_cards = NONE
    takers = NONE
    must = state["rules"]["must_capture"] != 0
    before = -1
    for k in range(HAND):
        card = I64(state["hand"][player, k])
        if card == NO_CARD:
            break
        face = face_of(card)
        if face != before:
            all_cards |= bit(k)
            if must and capture_values(state, card) != NONE:
                takers |= bit(k)
        before = face
    return takers if takers != NONE else all_cards


@inlined
def capture_values(state: Any, card: int) -> Any:
    """Values at which a card can take anything (W9, W18)."""
    if barred(state, card):
        return NONE
    return card_values(state, card) & U64(state["reach"])


@inlined
def target_values(state: Any, item: int) -> Any:
    """Values that the item may have with the card of this turn on it."""
    return new_values(state, I64(state["card"]), layable(state, item), announced(state))


@kernel
def act_actions(state: Any) -> Any:
    """What can be done with the card: take, lay on, beside (W13, W20, WQ1, WQ2)."""
    card = I64(state["card"])
    rules = state["rules"]
    takes = capture_values(state, card) != NONE
    if takes and rules["must_capture"]:
        return bit(ACT_TAKE)
    lays = bearers(state, card, announced(state)) & U64(state["present"]) != NONE
    legal = (U64(takes) << U64(ACT_TAKE)) | (U64(lays) << U64(ACT_LAY))
    if not lays or rules["style"] == FIXED or rules["trail"] == FREE_TRAIL:
        legal |= bit(ACT_BESIDE)
    return legal
