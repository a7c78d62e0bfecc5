"""Sixty-Six kernels: begin an episode, deal, whose turn it is, how the episode stands.

The rest lies beside: basics.py (what all kernels use), legal.py, moves.py, scoring.py, knowledge.py (observations),
worlds.py (resampling).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, U64, bit
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six.layout import (
    CARDS,
    DEAL,
    HAND_COLUMNS,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OVER,
    SEAT_COLUMNS,
    SEATS,
    UNDECIDED,
)
from cardsim.games.sixty_six.legal import legal_actions
from cardsim.games.sixty_six.moves import apply_action, begin_lead
from cardsim.games.sixty_six.rules import THOUSAND_ONE
from cardsim.jit import inlined, kernel
from cardsim.rng import below, shuffle
from cardsim.seats import left_of

__all__ = ["apply_action", "current_player", "deal", "deal_given", "legal_actions", "outcome", "reset"]

PACKS = np.full((6, CARDS), NO_CARD, np.uint8)
"""The packs of four suits with 8 to 3 ranks, ascending; fewer suits are the beginning of one."""
for lowest_rank, pack in enumerate(PACKS):
    pack[: CARDS - 4 * lowest_rank] = [card for card in range(CARDS) if card % 8 >= lowest_rank]


@kernel
def reset(state: Any, stream: Any) -> None:
    """Begin an episode: nothing is left of the last one but the rules; the first dealer is drawn (SP35) or given."""
    for seat in range(SEATS):
        state["scores"][seat] = 0
        for column in range(len(SEAT_COLUMNS)):
            state["counts"][seat, column] = 0
    state["decisions"] = 0
    state["deals"] = 0
    state["decided"] = 0
    state["forehand_wins"] = 0
    state["played_out"] = 0
    state["ties"] = 0
    state["carry"] = 0
    given = I64(state["rules"]["first_dealer"]) - 1
    state["dealer"] = given if given >= 0 else below(stream, I64(state["rules"]["players"]))
    clear_deal(state)
    state["phase"] = DEAL


@kernel
def clear_deal(state: Any) -> None:
    """Leave nothing of the last deal: no cards, no points, nobody anywhere."""
    for seat in range(SEATS):
        state["hand"][seat] = 0
        state["known"][seat] = 0
        state["absent"][seat] = 0
        state["gained"][seat] = 0
        state["points"][seat] = 0
        state["pending"][seat] = 0
        state["tricks"][seat] = 0
    for i in range(CARDS):
        state["deck"][i] = NO_CARD
        state["history"][i] = NO_CARD
        state["movers"][i] = NOBODY
    if state["rules"]["barrable"]:
        for seat in range(SEATS):
            for i in range(CARDS):
                state["barred"][seat, i] = 0
    state["close_points"] = 0
    state["close_tricks"] = 0
    state["close_played"] = 0
    state["swap_draws"] = 0
    state["trick_points"] = 0
    state["played"] = 0
    state["trick_start"] = 0
    state["talon_pos"] = 0
    state["talon_left"] = 0
    state["up"] = NO_CARD
    state["up_first"] = NO_CARD
    state["up_seat"] = NOBODY
    state["up_drawn"] = NO_CARD
    state["trump"] = NO_SUIT
    state["player"] = NOBODY
    state["leader"] = NOBODY
    state["closer"] = NOBODY
    state["swapper"] = NOBODY
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    state["declared"] = 0
    state["last_pair"] = NOBODY
    state["lead_pair"] = NOBODY
    state["partner_pair"] = NOBODY
    state["winner"] = NOBODY
    state["reason"] = UNDECIDED


@kernel
def deal(state: Any, stream: Any) -> None:
    """Shuffle and deal the next hand."""
    if state["deals"] > 0:
        clear_deal(state)
    deck = state["deck"]
    cards = I64(state["rules"]["cards"])
    for i in range(CARDS):
        deck[i] = PACKS[U64(8 - I64(state["rules"]["ranks"])), i] if i < cards else NO_CARD
    shuffle(stream, deck, cards)
    _lay_out(state)


@kernel
def deal_given(state: Any, deck: Any) -> None:
    """Deal the next hand from a given pack in dealing order (SP34)."""
    if state["deals"] > 0:
        clear_deal(state)
    for i in range(state["rules"]["cards"]):
        state["deck"][i] = deck[i]
    _lay_out(state)


@kernel
def _lay_out(state: Any) -> None:
    """Deal out `deck` in packets from the dealer's left, turn a card, start the first lead."""
    rules = state["rules"]
    deck = state["deck"]
    size = I64(rules["hand_cards"])
    first = 3 if size == 5 or size == 6 else min(size, 4)
    forehand = left_of(I64(state["dealer"]), I64(rules["players"]))
    position = _deal_packet(state, forehand, 0, first)
    if size == 5:
        position += 1  # Schnapsen turns the trump between the packets
    if size > first:
        position = _deal_packet(state, forehand, position, size - first)
    if rules["talon"] != 0 and rules["form"] != THOUSAND_ONE:
        turned = 6 if size == 5 else position
        position += 0 if size == 5 else 1
        state["up"] = deck[turned]
        state["up_first"] = deck[turned]
        state["trump"] = deck[turned] >> 3
    elif rules["form"] != THOUSAND_ONE:  # SP25
        state["trump"] = deck[position - 1] >> 3
        state["known"][state["dealer"]] = np.uint32(bit(deck[position - 1]))
    for i in range(CARDS):  # all of them, so that it is one vector operation
        deck[i] = NO_CARD if i < position else deck[i]
    state["talon_pos"] = position
    state["talon_left"] = I64(rules["cards"]) - I64(rules["active"]) * size
    state["deals"] += 1
    begin_lead(state, forehand)


@inlined
def _deal_packet(state: Any, forehand: int, position: int, size: int) -> int:
    """Deal `size` cards to each active seat, forehand first; the new position in the pack."""
    seat = forehand
    for _ in range(state["rules"]["active"]):
        at = U64(position)
        cards = bit(state["deck"][at]) | bit(state["deck"][at + U64(1)])
        if size > 2:
            cards |= bit(state["deck"][at + U64(2)])
        if size > 3:
            cards |= bit(state["deck"][at + U64(3)])
        position += size
        state["hand"][seat] |= np.uint32(cards)
        seat = left_of(seat, I64(state["rules"]["players"]))
    return position


@inlined
def current_player(state: Any) -> int:
    """Seat to act, CHANCE before a deal, TERMINAL after the episode."""
    phase = state["phase"]
    if phase == DEAL:
        return CHANCE
    return TERMINAL if phase == OVER else I64(state["player"])


@kernel
def outcome(state: Any, hand: Any, seats: Any) -> None:
    """Write HAND_COLUMNS and SEAT_COLUMNS of the episode so far (int32)."""
    hand[0] = state["deals"]
    hand[1] = state["decisions"]
    hand[2] = state["decided"]
    hand[3] = state["forehand_wins"]
    hand[4] = state["played_out"]
    hand[5] = state["ties"]
    for seat in range(state["rules"]["players"]):
        for column in range(len(SEAT_COLUMNS)):
            seats[seat, column] = state["counts"][seat, column]


assert len(HAND_COLUMNS) == 6
