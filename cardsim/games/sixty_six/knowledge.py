"""Sixty-Six kernels: what a seat knows: the observation and its inverse (SP36)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, spread8, spread16, spread32
from cardsim.blocks import mark, mark_seat, read_number, read_one_hot
from cardsim.games.sixty_six.basics import FIRST_OF_SUIT, SUIT_CARDS, beats, card_points, side_of
from cardsim.games.sixty_six.kernels import clear_deal
from cardsim.games.sixty_six.layout import (
    ASK_EXCHANGE,
    ASK_PAIR,
    CARDS,
    LEAD,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OBSERVATION_SIZE,
    OFFSETS,
    QUEEN,
    SEATS,
)
from cardsim.jit import inlined, kernel
from cardsim.seats import relative_to, seat_at

HAND, TABLE, KNOWN, ABSENT = (OFFSETS[name] for name in ("hand", "table", "known", "absent"))
GONE, LAST_TRICK, UP, TRUMP = (OFFSETS[name] for name in ("gone", "last_trick", "up", "trump"))
DECLARED, LEAD_PAIR, PARTNER_PAIR, LAST_PAIR = (
    OFFSETS[name] for name in ("declared", "lead_pair", "partner_pair", "last_pair")
)
PHASE, TO_MOVE, LEADER, DEALER, CLOSER = (OFFSETS[name] for name in ("phase", "to_move", "leader", "dealer", "closer"))
STANDING, TALON, TRICKS, POINTS = (OFFSETS[name] for name in ("close_standing", "talon", "tricks", "points"))
STEPS, PENDING, SCORES, CARRY = (OFFSETS[name] for name in ("points_steps", "pending", "scores", "carry"))
BYTE, WORD = 8, 16
"""Entries of a row that holds a small or a larger number."""
STEP, PENDING_UNIT = 10, 20


@kernel
def visible_phase(state: Any, player: int) -> int:
    """The phase as `player` sees it: only the asked seat knows that it is asked (SP15)."""
    phase = state["phase"]
    if state["player"] != player and phase in (ASK_EXCHANGE, ASK_PAIR):
        return LEAD
    return phase


@kernel
def visible_player(state: Any, player: int) -> int:
    """The seat to act as `player` sees it."""
    if visible_phase(state, player) != state["phase"]:
        return state["leader"]
    return state["player"]


@kernel
def gone_cards(state: Any) -> Any:
    """Cards in tricks already won."""
    shown = NONE
    for i in range(state["rules"]["cards"]):  # all of them, for vector operations: NO_CARD is a bit beyond the cards
        shown |= bit(state["history"][i])
    for i in range(state["trick_start"], state["played"]):
        shown &= ~bit(state["history"][U64(i)])
    return shown & ~bit(NO_CARD)


@kernel
def last_trick(state: Any) -> Any:
    """Cards of the last finished trick; without perfect memory only until the next lead."""
    cards = NONE
    start = state["trick_start"]
    if state["rules"]["perfect_memory"] or state["played"] == start:
        for i in range(max(0, start - state["rules"]["active"]), start):
            cards |= bit(state["history"][i])
    return cards


@kernel
def _shown_pairs(state: Any) -> Any:
    """Kings and queens that lie shown on the table for the coming lead."""
    cards = NONE
    if state["lead_pair"] != NOBODY:
        cards |= U64(3) << U64(8 * state["lead_pair"] + QUEEN)
    if state["partner_pair"] != NOBODY:
        cards |= U64(3) << U64(8 * state["partner_pair"] + QUEEN)
    return cards


@kernel
def known_cards(state: Any, seat: int) -> Any:
    """Cards that everybody knows `seat` to hold; without perfect memory only those shown right now."""
    known = U64(state["known"][seat])
    return known if state["rules"]["perfect_memory"] else known & _shown_pairs(state)


@kernel
def observe(state: Any, player: int, out: Any) -> None:
    """Write what `player` knows into out[:OBSERVATION_SIZE], blocks as in layout.BLOCKS, seats counted from him."""
    observer = I64(player)
    players = I64(state["rules"]["players"])
    remembers = state["rules"]["perfect_memory"] != 0
    for i in range(OBSERVATION_SIZE):
        out[i] = 0
    spread32(state["hand"][U64(observer)], out, HAND)
    for i in range(state["trick_start"], state["played"]):
        relative = relative_to(observer, I64(state["movers"][U64(i)]), players)
        out[TABLE + CARDS * relative + I64(state["history"][U64(i)])] = 1
    spread32(last_trick(state), out, LAST_TRICK)
    _observe_table(state, observer, players, out)
    for relative in range(players):
        seat = U64(seat_at(observer, relative, players))
        side = U64(side_of(state, I64(seat)))
        spread8(state["tricks"][side], out, TRICKS + BYTE * relative)
        spread32(known_cards(state, I64(seat)), out, KNOWN + CARDS * relative)
        spread16(state["scores"][seat], out, SCORES + WORD * relative)
        if remembers:
            _observe_side(state, seat, side, relative, out)
    if remembers:
        _observe_memory(state, out)


@inlined
def _observe_table(state: Any, player: int, players: int, out: Any) -> None:
    """What lies open: turned card, trumps, phase, who is who, the talon's size."""
    mark(out, UP, state["up"], NO_CARD)
    mark(out, TRUMP, state["trump"], NO_SUIT)
    mark(out, LEAD_PAIR, state["lead_pair"], NOBODY)
    mark(out, PARTNER_PAIR, state["partner_pair"], NOBODY)
    mark(out, PHASE, visible_phase(state, player), NOBODY)
    mark_seat(out, TO_MOVE, player, I64(visible_player(state, player)), players)
    mark_seat(out, LEADER, player, I64(state["leader"]), players)
    mark_seat(out, DEALER, player, I64(state["dealer"]), players)
    mark_seat(out, CLOSER, player, I64(state["closer"]), players)
    spread8(state["talon_left"], out, TALON)
    if state["carry"] > 0:
        spread8(min(I64(state["carry"]), 255), out, CARRY)


@inlined
def _observe_side(state: Any, seat: Any, side: Any, relative: int, out: Any) -> None:
    """A side's totals, exact and in steps of ten, points that wait, cards the seat lacks (SQ30, SP36)."""
    points = I64(state["points"][side])
    spread16(points, out, POINTS + WORD * relative)
    spread16(bit(min(U64(points) // U64(STEP), U64(WORD))) - U64(1), out, STEPS + WORD * relative)
    spread8(U64(state["pending"][side]) // U64(PENDING_UNIT), out, PENDING + BYTE * relative)
    spread32(state["absent"][seat], out, ABSENT + CARDS * relative)


@inlined
def _observe_memory(state: Any, out: Any) -> None:
    """Cards in finished tricks, marriages declared, the standing at closing (SQ30)."""
    spread32(gone_cards(state), out, GONE)
    if state["last_pair"] != NOBODY:
        for suit in range(4):
            out[DECLARED + suit] = (state["declared"] >> suit) & 1
        mark(out, LAST_PAIR, state["last_pair"], NOBODY)
    if state["closer"] != NOBODY:
        out[STANDING] = state["close_tricks"] == 0
        out[STANDING + 1] = state["close_points"] < state["rules"]["schneider"]


@kernel
def recall(state: Any, observation: Any) -> None:
    """Rebuild in `state` (which brings the rules) all that an observation tells; the observer becomes seat 0.

    Hidden hands and the talon stay empty. Cards of finished tricks stand in card order without their players.
    """
    clear_deal(state)
    for seat in range(SEATS):
        state["known"][seat] = np.uint32(read_number(observation, KNOWN + CARDS * seat, CARDS))
        state["absent"][seat] = np.uint32(read_number(observation, ABSENT + CARDS * seat, CARDS))
        state["tricks"][seat] = read_number(observation, TRICKS + BYTE * seat, BYTE)
        state["points"][seat] = read_number(observation, POINTS + WORD * seat, WORD)
        state["pending"][seat] = PENDING_UNIT * read_number(observation, PENDING + BYTE * seat, BYTE)
        state["scores"][seat] = read_number(observation, SCORES + WORD * seat, WORD)
    state["hand"][0] = np.uint32(read_number(observation, HAND, CARDS))
    state["up"] = read_one_hot(observation, UP, CARDS, NO_CARD)
    state["trump"] = read_one_hot(observation, TRUMP, 4, NO_SUIT)
    state["declared"] = read_number(observation, DECLARED, 4)
    state["lead_pair"] = read_one_hot(observation, LEAD_PAIR, 4, NOBODY)
    state["partner_pair"] = read_one_hot(observation, PARTNER_PAIR, 4, NOBODY)
    state["last_pair"] = read_one_hot(observation, LAST_PAIR, 4, NOBODY)
    state["phase"] = read_one_hot(observation, PHASE, 8, LEAD)
    state["player"] = read_one_hot(observation, TO_MOVE, SEATS, NOBODY)
    state["leader"] = read_one_hot(observation, LEADER, SEATS, NOBODY)
    state["dealer"] = read_one_hot(observation, DEALER, SEATS, 0)
    state["closer"] = read_one_hot(observation, CLOSER, SEATS, NOBODY)
    state["close_tricks"] = 0 if observation[STANDING] else 1
    state["close_points"] = 0 if observation[STANDING + 1] else state["rules"]["schneider"]
    state["talon_left"] = read_number(observation, TALON, BYTE)
    state["carry"] = read_number(observation, CARRY, BYTE)
    state["talon_pos"] = state["rules"]["cards"] - state["talon_left"] + (1 if state["up"] != NO_CARD else 0)
    _recall_tricks(state, observation)


@kernel
def _recall_tricks(state: Any, observation: Any) -> None:
    played = 0
    for card in range(CARDS):
        if observation[GONE + card] and not observation[LAST_TRICK + card]:
            state["history"][played] = card
            played += 1
    for card in range(CARDS):
        if observation[LAST_TRICK + card]:
            state["history"][played] = card
            played += 1
    state["trick_start"] = played
    players = state["rules"]["players"]
    for k in range(players):
        seat = (state["leader"] + k) % players
        card = read_one_hot(observation, TABLE + CARDS * seat, CARDS, NO_CARD)
        if card == NO_CARD:
            continue
        state["history"][played] = card
        state["movers"][played] = seat
        played += 1
        state["trick_points"] += card_points(card)
        if state["best"] == NO_CARD or beats(card, I64(state["best"]), I64(state["trump"])):
            state["best"] = card
            state["best_seat"] = seat
    state["played"] = played


@kernel
def pack_cards(state: Any) -> Any:
    """All cards of this form's pack."""
    rules = state["rules"]
    suits = FIRST_OF_SUIT >> U64(8 * (4 - I64(rules["suits"])))
    return suits * ((SUIT_CARDS << U64(8 - I64(rules["ranks"]))) & SUIT_CARDS)
