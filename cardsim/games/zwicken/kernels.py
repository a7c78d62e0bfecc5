"""Zwicken kernels: begin an episode, cut and deal, whose turn it is, how the episode stands.

The rest lies beside: basics.py (what all kernels use), legal.py, moves.py, settling.py, knowledge.py (observations),
worlds.py (resampling).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.zwicken.basics import TRUMPS
from cardsim.games.zwicken.layout import (
    ACE,
    ANNOUNCE,
    BELLI,
    CARDS,
    CUT_CHIPS,
    DEAL,
    EVERY_CARD,
    HAND_COLUMNS,
    NO_CARD,
    NO_POWER,
    NO_SUIT,
    NOBODY,
    OVER,
    PER_SUIT,
    SEAT_COLUMNS,
    SEATS,
    SEVEN,
    STAKED,
    TRICKS,
    UNDECIDED,
)
from cardsim.games.zwicken.legal import legal_actions
from cardsim.games.zwicken.moves import apply_action
from cardsim.games.zwicken.rules import OPTIONS
from cardsim.games.zwicken.settling import pay
from cardsim.jit import inlined, kernel
from cardsim.rng import below, shuffle_top
from cardsim.seats import left_of, right_of

__all__ = ["apply_action", "current_player", "deal", "deal_given", "legal_actions", "outcome", "reset"]

HOP = OPTIONS["cut_rule"].code("hop")
PAY_BETWEEN, PAY_ALL_OTHERS, POT_JUMP = (
    OPTIONS["belli_cut"].code(value) for value in ("pay_between", "pay_all_others", "pot_jump")
)
RETURNED = OPTIONS["belli_cut_ante"].code("returned")
MAX_ATTEMPTS = 10_000
"""ZP6; a deal fails to go ahead this often with a probability of about 10 to the -6000."""
PACKS = np.array([[*range(CARDS)], [card for card in range(CARDS) if card % PER_SUIT] + [NO_CARD] * 4], np.uint8)
"""The packs of 36 and of 32 cards, ascending."""


@kernel
def reset(state: Any, stream: Any) -> None:
    """Begin an episode: nothing is left of the last one but the rules; the first dealer is drawn (ZP32) or given."""
    rules = state["rules"]
    for seat in range(SEATS):
        playing = seat < rules["players"]
        state["chips"][seat] = rules["start_chips"] if playing else 0
        state["before"][seat] = rules["start_chips"] if playing else 0
    for column in range(len(SEAT_COLUMNS)):
        for seat in range(SEATS):
            state["counts"][column, seat] = 0
    state["pot"] = rules["start_pot"]
    state["pots"] = 0
    state["decisions"] = 0
    state["deals"] = 0
    state["cuts"] = 0
    state["belli_cuts"] = 0
    state["stayed"] = 0
    state["all_passed"] = 0
    state["unopposed"] = 0
    state["marches"] = 0
    given = I64(rules["first_dealer"]) - 1
    state["dealer"] = given if given >= 0 else below(stream, I64(rules["players"]))
    clear_deal(state)
    state["phase"] = DEAL


@kernel
def clear_deal(state: Any) -> None:
    """Leave nothing of the last deal: no cards, no tricks, nobody anywhere."""
    for seat in range(SEATS):
        state["hand"][seat] = 0
        state["thrown"][seat] = 0
        state["absent"][seat] = 0
        state["gained"][seat] = 0
        state["swaps"][seat] = 0
        state["tricks"][seat] = 0
        state["faults"][seat] = 0
    for i in range(CARDS):
        state["deck"][i] = NO_CARD
    for i in range(SEATS * TRICKS):
        state["history"][i] = NO_CARD
        state["movers"][i] = NOBODY
    state["trumps"] = NONE
    state["led"] = U64(EVERY_CARD)
    state["attempts"] = 0
    state["talon_pos"] = 0
    state["talon_left"] = 0
    state["played"] = 0
    state["trick_start"] = 0
    state["round"] = 0
    state["active"] = 0
    state["swapping"] = 0
    state["shown"] = NO_CARD
    state["shown_seat"] = NOBODY
    state["up"] = NO_CARD
    state["trump"] = NO_SUIT
    state["player"] = NOBODY
    state["leader"] = NOBODY
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    state["best_power"] = NO_POWER
    state["reason"] = UNDECIDED


@kernel
def deal(state: Any, stream: Any) -> None:
    """Shuffle, cut and deal until a deal goes ahead (Z8, Z11-Z13, ZP1, ZP6)."""
    if state["attempts"] == 0 and state["deals"] > 0:
        clear_deal(state)
    for _ in range(MAX_ATTEMPTS):
        _ante(state)
        bottom = draw_pack(state, stream, state["deck"])
        if bottom == NO_CARD or goes_ahead(bottom):
            break
        void_cut(state, bottom)
    else:
        raise ValueError("zwicken: every cut voided the deal")
    state["shown"] = bottom
    _lay_out(state)


@inlined
def draw_pack(state: Any, stream: Any, deck: Any) -> int:
    """Write the pack after the cut into `deck`, unless its last card voids the deal; that card, NO_CARD without a cut.

    Cards that no swap can reach lie in no random order: nobody ever sees it.
    """
    rules = state["rules"]
    cards = I64(rules["cards"])
    pack = U64(1 if cards < CARDS else 0)
    index = I64(0)
    bottom = I64(NO_CARD)
    if rules["cut"]:
        index = below(stream, cards)
        bottom = I64(PACKS[pack, U64(index)])
        if not goes_ahead(bottom):
            return bottom
    for i in range(CARDS):
        deck[i] = PACKS[pack, i]
    if bottom != NO_CARD:
        cards -= 1
        deck[index] = deck[cards]
        deck[cards] = bottom
    shuffle_top(stream, deck, cards, I64(rules["players"]) * (I64(rules["hand_cards"]) + I64(rules["max_swaps"])) + 1)
    return bottom


@kernel
def deal_given(state: Any, deck: Any) -> None:
    """One attempt at a deal with a given pack after the cut, its last card the one shown (ZP1).

    When the cut voids it, a chance node follows: the next attempt.
    """
    if state["attempts"] == 0 and state["deals"] > 0:
        clear_deal(state)
    cards = I64(state["rules"]["cards"])
    _ante(state)
    if state["rules"]["cut"]:
        bottom = I64(deck[cards - 1])
        if not goes_ahead(bottom):
            void_cut(state, bottom)
            return
        state["shown"] = bottom
    for i in range(cards):
        state["deck"][i] = deck[i]
    _lay_out(state)


@inlined
def _ante(state: Any) -> None:
    """The dealer puts his stake in the pot (Z7)."""
    state["attempts"] += 1
    state["cuts"] += 1
    pay(state, I64(state["dealer"]), I64(state["rules"]["stake"]), STAKED)


@inlined
def goes_ahead(bottom: int) -> bool:
    """Whether a cut that shows this card lets the deal go ahead (Z11-Z13, ZQ5)."""
    rank = bottom % PER_SUIT
    return rank != ACE and rank != SEVEN


@kernel
def void_cut(state: Any, bottom: int) -> None:
    """What a void cut moves: the ante, the payments for the Belli, the deal (Z11, Z12, ZQ1-ZQ3, ZP2-ZP4)."""
    rules = state["rules"]
    players = I64(rules["players"])
    stake = I64(rules["stake"])
    dealer = I64(state["dealer"])
    if bottom != BELLI:
        if rules["cut_rule"] == HOP:
            state["dealer"] = left_of(dealer, players)
        else:
            pay(state, dealer, -stake, STAKED)
        return
    state["belli_cuts"] += 1
    cutter = right_of(dealer, players)
    if rules["belli_cut_ante"] == RETURNED:
        pay(state, dealer, -stake, STAKED)
    for seat in range(players):
        if seat == dealer:
            continue
        if rules["belli_cut"] == POT_JUMP:
            pay(state, seat, stake, STAKED)
        elif rules["belli_cut"] == PAY_ALL_OTHERS or (rules["belli_cut"] == PAY_BETWEEN and seat != cutter):
            state["chips"][dealer] -= stake
            state["chips"][seat] += stake
            state["counts"][CUT_CHIPS, dealer] -= stake
            state["counts"][CUT_CHIPS, seat] += stake
    state["dealer"] = cutter


@kernel
def _lay_out(state: Any) -> None:
    """Deal two cards to each, turn one, deal the rest; the forehand announces first (Z9, Z10, ZP5)."""
    rules = state["rules"]
    deck = state["deck"]
    players = I64(rules["players"])
    turned = 2 * players
    packet = I64(rules["hand_cards"]) - 2
    forehand = left_of(I64(state["dealer"]), players)
    seat = forehand
    for k in range(players):
        hand = bit(deck[U64(2 * k)]) | bit(deck[U64(2 * k + 1)])
        at = U64(turned + 1 + packet * k)
        hand |= bit(deck[at])
        if packet == 2:
            hand |= bit(deck[at + U64(1)])
        state["hand"][seat] = hand
        seat = left_of(seat, players)
    up = I64(deck[turned])
    trump = up // PER_SUIT
    position = turned + 1 + packet * players
    for i in range(CARDS):  # all of them, so that it is one vector operation
        deck[i] = NO_CARD if i < position else deck[i]
    state["up"] = up
    state["trump"] = trump
    state["trumps"] = TRUMPS[U64(4 * I64(rules["order"]) + trump)]
    state["talon_pos"] = position
    state["talon_left"] = I64(rules["cards"]) - position
    state["deals"] += 1
    state["player"] = forehand
    state["phase"] = ANNOUNCE


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
    hand[2] = state["cuts"]
    hand[3] = state["belli_cuts"]
    hand[4] = state["pots"]
    hand[5] = state["stayed"]
    hand[6] = state["all_passed"]
    hand[7] = state["unopposed"]
    hand[8] = state["marches"]
    for seat in range(state["rules"]["players"]):
        for column in range(len(SEAT_COLUMNS)):
            seats[seat, column] = state["counts"][column, seat]


assert len(HAND_COLUMNS) == 9
