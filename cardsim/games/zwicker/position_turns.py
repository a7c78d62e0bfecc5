"""Zwicker positions as text: the chain of decisions that leads into the middle of a turn, found from the record."""

from __future__ import annotations

from typing import Any

from cardsim.games.zwicker.basics import face_of
from cardsim.games.zwicker.layout import (
    ACT,
    ACT_FURTHER,
    ACT_LAY,
    ACT_TAKE,
    CARD,
    FIRST_PLACE,
    GROUP,
    ITEMS,
    NEW_VALUE,
    NO_CARD,
    NO_ITEM,
    NO_VALUE,
    NOBODY,
    PLACES,
    PLAY_AT,
)
from cardsim.games.zwicker.position_cards import in_hand_order
from cardsim.games.zwicker.position_groups import Goal, capture_chain, own_state, play
from cardsim.games.zwicker.rules import HAND


def chosen_items(state: Any) -> tuple[int, ...]:
    """Places of the items chosen so far, ascending."""
    mask = int(state["chosen"][0]) | int(state["chosen"][1]) << 64
    return tuple(item for item in range(ITEMS) if mask >> item & 1)


def chain_of(state: Any) -> list[int]:
    """The actions of the turn so far, a chain that leads to this record; none between turns.

    Raises:
        ValueError: no chain leads there.
    """
    if state["phase"] == CARD or state["player"] == NOBODY:
        return []
    begun = before_turn(state)
    chain = [slot_of(begun, int(state["card"]))]
    phase = state["phase"]
    if phase == ACT:
        return chain
    chain.append(ACT_TAKE if phase in (PLAY_AT, GROUP) else ACT_LAY)
    further = [ACT_FURTHER] * int(state["page"])
    if phase == GROUP:
        play(begun, chain)
        return chain + capture_chain(begun, Goal(int(state["value"]), chosen_items(state), state)) + further
    target = int(state["target"])
    return chain + further + ([] if phase != NEW_VALUE else [FIRST_PLACE + target % PLACES])


def before_turn(state: Any) -> Any:
    """The record at the beginning of the turn, knowledge and counts apart."""
    begun = own_state(state)
    seat, card = int(state["player"]), int(state["card"])
    hand = [int(held) for held in state["hand"][seat] if held != NO_CARD]
    hand = sorted([*hand, *([card] if card != NO_CARD else [])], key=in_hand_order)
    begun["hand"][seat] = hand + [NO_CARD] * (HAND - len(hand))
    begun["card"], begun["value"], begun["sums"], begun["page"] = NO_CARD, NO_VALUE, 0, 0
    begun["chosen"] = 0
    begun["first"] = begun["last"] = begun["target"] = NO_ITEM
    begun["phase"] = CARD
    return begun


def slot_of(state: Any, card: int) -> int:
    """Action by which the seat to act plays a card, or the first that is like it (WP4).

    Raises:
        ValueError: it holds none.
    """
    faces = [face_of(int(held)) for held in state["hand"][state["player"]] if held != NO_CARD]
    return faces.index(face_of(card))
