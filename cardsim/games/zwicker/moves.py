"""Zwicker kernels: what an action does."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, bit, lowest
from cardsim.games.zwicker.basics import NO_NEED, VALUE_OF, is_wild, party_of, side_of
from cardsim.games.zwicker.captures import EMPTY, choose_item, close_group, mark_chosen
from cardsim.games.zwicker.laying import single
from cardsim.games.zwicker.layout import (
    ACT,
    ACT_BESIDE,
    ACT_FINISH,
    ACT_FURTHER,
    ACT_NEXT,
    ACT_TAKE,
    ALL_BESIDE,
    ALL_CAPTURES,
    ALL_LAID_ON,
    BESIDE,
    CAPTURES,
    CARD,
    DECISIONS,
    FIRST_PLACE,
    FIRST_VALUE,
    GROUP,
    ITEMS_TAKEN,
    LAID_ON,
    NEW_VALUE,
    NO_ITEM,
    PLACES,
    PLAY_AT,
    TARGET,
)
from cardsim.games.zwicker.legal import MAXIMAL, capture_values, target_values
from cardsim.games.zwicker.rules import FIXED
from cardsim.games.zwicker.table import from_hand, put_beside, put_on, take_chosen, to_pile
from cardsim.games.zwicker.turns import end_turn, note_no_capture, note_played
from cardsim.jit import inlined, kernel

GOES_ON, ENDS, AGAIN = range(3)
"""What an action does to the turn: it goes on, it ends, or it ends and the same player plays again (WP8)."""


@inlined
def apply_action(state: Any, action: int) -> None:
    """Play a legal action of the seat to act."""
    state["totals"][DECISIONS] += 1
    phase = state["phase"]
    turn = I64(GOES_ON)
    if phase == GROUP:
        turn = _group(state, action)
    elif phase == CARD:
        _play(state, action)
    elif phase == ACT:
        turn = _act(state, action)
    elif phase == PLAY_AT:
        _begin_capture(state, value_of(action))
    else:
        turn = _lay(state, action)
    if turn != GOES_ON:
        end_turn(state, turn == AGAIN)


@inlined
def value_of(action: int) -> int:
    """The value that an action `as ...` names."""
    return I64(VALUE_OF[action - FIRST_VALUE])


@inlined
def item_of(state: Any, action: int) -> int:
    """The item that an action names."""
    return action - FIRST_PLACE + PLACES * I64(state["page"])


@inlined
def _play(state: Any, slot: int) -> None:
    """A card of the hand is on its way."""
    player = I64(state["player"])
    card = from_hand(state, player, slot)
    state["card"] = card
    state["phase"] = ACT
    note_played(state, player, card)
    note_no_capture(state, player, card)


@kernel
def _act(state: Any, action: int) -> int:
    """Take, lay on, or beside."""
    player = I64(state["player"])
    card = I64(state["card"])
    if action == ACT_TAKE:
        values = capture_values(state, card)
        state["phase"] = PLAY_AT
        if single(values):
            _begin_capture(state, lowest(values))
        return GOES_ON
    if action != ACT_BESIDE:
        state["phase"] = TARGET
        return GOES_ON
    put_beside(state, card)
    state["totals"][ALL_BESIDE] += 1
    state["counts"][BESIDE, player] += 1
    return ENDS


@inlined
def _begin_capture(state: Any, value: int) -> None:
    """The card is played at a value; the first group begins (W18)."""
    state["value"] = value
    state["sums"] = EMPTY
    state["phase"] = GROUP


@kernel
def _group(state: Any, action: int) -> int:
    """The next item of a capture, or the end of a group, or of the capture."""
    if action == ACT_FINISH:
        return _capture(state)
    if action == ACT_NEXT:
        close_group(state)
        state["first"] = NO_ITEM  # another group was announced, so that the capture does not end here
    elif action == ACT_FURTHER:
        state["page"] += 1
    elif state["rules"]["capture_choice"] == MAXIMAL:
        mark_chosen(state, item_of(state, action))
    else:
        choose_item(state, item_of(state, action))
    return GOES_ON


@inlined
def _capture(state: Any) -> int:
    """The card and the chosen items go to the side's pile; an empty table is a Zwick (W11, W22, WQ16, WP8)."""
    player = I64(state["player"])
    card = I64(state["card"])
    side = side_of(state, player)
    to_pile(state, side, card)
    state["totals"][ITEMS_TAKEN] += take_chosen(state, side)
    state["totals"][ALL_CAPTURES] += 1
    state["counts"][CAPTURES, player] += 1
    state["capturer"] = player
    if state["items"] > 0:
        return ENDS
    if state["rules"]["joker_sweep_counts"] or not is_wild(card):
        state["zwicks"][side] += 1
    return AGAIN if state["rules"]["zwick_relay"] else ENDS


@kernel
def _lay(state: Any, action: int) -> int:
    """The item to lay the card on, and its new value, unless it can have but one (WP11)."""
    if action == ACT_FURTHER:
        state["page"] += 1
        return GOES_ON
    if state["phase"] == NEW_VALUE:
        item = I64(state["target"])
        value = value_of(action)
    else:
        item = item_of(state, action)
        values = target_values(state, item)
        if not single(values):
            state["target"] = item
            state["phase"] = NEW_VALUE
            return GOES_ON
        value = lowest(values)
    _lay_on(state, item, value)
    return ENDS


@inlined
def _lay_on(state: Any, item: int, value: int) -> None:
    """The card lies on the item, which has a new value; a build tells that its party can take it (WQ8, WP13)."""
    player = I64(state["player"])
    rules = state["rules"]
    put_on(state, I64(state["card"]), item, value, player)
    if rules["style"] == FIXED and rules["build_needs"] != NO_NEED:
        state["promised"][party_of(state, player)] |= bit(value)
    state["totals"][ALL_LAID_ON] += 1
    state["counts"][LAID_ON, player] += 1
