"""Zwicken kernels: what is legal."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, bit, has
from cardsim.games.zwicken.basics import ENFORCE, PLAY_ACE, RELEASE, beaters, trump_ace
from cardsim.games.zwicken.layout import (
    ACT_PASS,
    ACT_PLAY,
    ACT_STOP,
    ANNOUNCE,
    BELLI,
    LEAD,
    NO_CARD,
    OVER,
    SWAP,
)
from cardsim.games.zwicken.rules import OPTIONS, PASS_NOBODY, PASS_NOT_DEALER
from cardsim.jit import inlined

BLOCK = OPTIONS["swap_mode"].code("block")


@inlined
def legal_actions(state: Any) -> Any:
    """Legal actions of the seat to act as a bit mask; none at chance and terminal nodes."""
    phase = state["phase"]
    if phase >= LEAD:
        return legal_cards(state) if phase != OVER else NONE
    if phase == SWAP:
        return swappable(state) | bit(ACT_STOP)
    if phase == ANNOUNCE:
        return bit(ACT_PLAY) | bit(ACT_PASS) if may_pass(state) else bit(ACT_PLAY)
    return NONE


@inlined
def may_pass(state: Any) -> bool:
    """Whether the seat to act may pass (Z14, ZP11)."""
    rules = state["rules"]
    if rules["pass_rule"] == PASS_NOBODY:  # Z30
        return False
    if rules["pass_rule"] == PASS_NOT_DEALER and state["player"] == state["dealer"]:
        return False
    if rules["bare_pot_forced"] and state["pot"] == rules["stake"]:  # ZQ24, ZP10
        return False
    return not (rules["ace_must_stay"] and has(state["hand"][state["player"]], trump_ace(state)))  # Z16


@inlined
def swappable(state: Any) -> Any:
    """Cards that the seat to act may lay away (ZQ10, ZQ27); in a block turn in ascending order (ZP15)."""
    player = state["player"]
    hand = U64(state["hand"][player])
    if state["rules"]["swap_mode"] == BLOCK:
        return hand & ~up_to_highest(U64(state["thrown"][player]))
    return hand


@inlined
def up_to_highest(cards: Any) -> Any:
    """All cards up to the highest of a set: those that a block turn has passed over."""
    covered = U64(cards)
    for shift in (1, 2, 4, 8, 16, 32):
        covered |= covered >> U64(shift)
    return covered


@inlined
def legal_cards(state: Any) -> Any:
    """Cards that the seat to act may play."""
    cards = playable(state, U64(state["hand"][state["player"]]))
    if state["rules"]["duties"] == ENFORCE:
        return dutiful(state, cards)
    return cards


@inlined
def playable(state: Any, hand: Any) -> Any:
    """Cards of a hand that may be played to the current trick, duties aside (Z19, Z20, ZQ17)."""
    rules = state["rules"]
    cards = hand & U64(state["led"])
    if cards == NONE and rules["must_trump"]:
        cards = hand & U64(state["trumps"])
    if rules["must_head"] and state["best"] != NO_CARD and cards != NONE:
        return heading(state, cards)
    return cards if cards != NONE else hand


@inlined
def heading(state: Any, cards: Any) -> Any:
    """Those of the cards from which one must play that beat the winning card, if any does (ZP18)."""
    trumps = U64(state["trumps"])
    if has(trumps, state["best"]) and cards & trumps == NONE:
        return cards  # a trumped trick: any card of the suit led will do
    higher = beaters(state, cards)
    return higher if higher != NONE else cards


@inlined
def dutiful(state: Any, cards: Any) -> Any:
    """Of the playable cards those that `duties=enforce` leaves (ZP23)."""
    rules = state["rules"]
    ace = trump_ace(state)
    if has(cards, ace) and (state["phase"] == LEAD or rules["ace_duty"] == PLAY_ACE):
        return bit(ace)
    if has(cards, BELLI) and rules["belli_duty"] == RELEASE and ace_is_led(state):
        return bit(BELLI)
    return cards


@inlined
def ace_is_led(state: Any) -> bool:
    """Whether the trump Ace was led to the current trick."""
    return state["best"] != NO_CARD and state["history"][state["trick_start"]] == trump_ace(state)
