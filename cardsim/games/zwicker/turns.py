"""Zwicker kernels: the end of a turn, refills, and what a turn tells the others (WP13)."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64
from cardsim.games.zwicker.basics import (
    ATTAINABLE,
    IS_WILD,
    SELF_OR_PARTNER,
    card_values,
    in_teams,
    partners_values,
    party_of,
)
from cardsim.games.zwicker.captures import EMPTY, barred
from cardsim.games.zwicker.laying import new_values
from cardsim.games.zwicker.layout import CARD, NO_CARD, SEATS, TURNS
from cardsim.games.zwicker.legal import capture_values
from cardsim.games.zwicker.rules import FIXED, HAND
from cardsim.games.zwicker.scoring import settle
from cardsim.games.zwicker.table import clear_turn, hand_out, in_hand, sort_hands, stock_end
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of


@kernel
def end_turn(state: Any, again: bool) -> None:
    """Clear the chain of the turn; then the same player again (WP8), the next with cards, a refill, or the end."""
    player = I64(state["player"])
    clear_turn(state)
    state["totals"][TURNS] += 1
    if not (again and in_hand(state, player)):
        player = next_holder(state, player)
        if player < 0 and state["deck_pos"] < stock_end(state):
            hand_out_all(state)
            player = next_holder(state, I64(state["player"]))
        if player < 0:
            settle(state)
            return
    begin_turn(state, player)


@inlined
def next_holder(state: Any, seat: int) -> int:
    """The next seat clockwise that holds cards, the seat itself last; -1 if none does (WQ19)."""
    players = I64(state["rules"]["players"])
    for _ in range(players):
        seat = left_of(seat, players)
        if in_hand(state, seat):
            return seat
    return I64(-1)


@kernel
def hand_out_all(state: Any) -> None:
    """Four cards to everybody, one at a time; what was known of the old hands is void (W12, W23, WQ20, WP1)."""
    for seat in range(SEATS):
        state["promised"][seat] = 0
        state["lacks"][seat] = 0
        state["asked"][seat] = 0
        state["denied"][seat] = 0
    for place in range(HAND):
        hand_out(state, place, 1)
    sort_hands(state)


@inlined
def begin_turn(state: Any, player: int) -> None:
    """Let a seat choose a card; in parties his legal builds tell him about his partners' cards (WQ9, WP13)."""
    state["player"] = player
    state["phase"] = CARD
    if tells(state):
        tell(state, player)


@inlined
def tells(state: Any) -> bool:
    """Whether legal builds tell of partners' cards."""
    rules = state["rules"]
    return rules["style"] == FIXED and rules["build_needs"] == SELF_OR_PARTNER and in_teams(state)


@kernel
def tell(state: Any, player: int) -> None:
    """Note which values, that the mover could only build for a partner, some partner holds or none does (WP13)."""
    told = NONE
    present = U64(state["present"])
    attainable = ATTAINABLE[U64(I64(state["rules"]["form"]))]
    once = NONE
    twice = NONE
    for k in range(HAND):
        card = I64(state["hand"][player, k])
        if card == NO_CARD:
            break
        values = card_values(state, card)
        twice |= once & values
        once |= values
        if state["rules"]["must_capture"] and capture_values(state, card) != NONE:
            return
    for k in range(HAND):
        card = I64(state["hand"][player, k])
        if card == NO_CARD:
            break
        others = (once & ~card_values(state, card)) | twice
        told |= new_values(state, card, present, attainable & ~others)
    partners = partners_values(state, player)
    state["asked"][player] |= told & partners
    state["denied"][player] |= told & ~partners


@inlined
def note_played(state: Any, player: int, card: int) -> None:
    """A promised value that this card has may have meant this card (WP13)."""
    if state["rules"]["style"] != FIXED:
        return
    values = card_values(state, card)
    state["promised"][party_of(state, player)] &= ~values
    if in_teams(state):
        for seat in range(player & 1, I64(state["rules"]["players"]), 2):
            if seat != player:
                state["asked"][seat] &= ~values


@inlined
def note_no_capture(state: Any, player: int, card: int) -> None:
    """Under `must_capture` a card that can take nothing shows that no card held can (WP13)."""
    if state["rules"]["must_capture"] and capture_values(state, card) == NONE:
        state["lacks"][player] |= IS_WILD if barred(state, 0) else U64(state["reach"]) & ~EMPTY
