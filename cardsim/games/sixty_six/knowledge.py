"""Sixty-Six kernels: what a seat knows. The observation, its inverse, and random worlds that agree with it (SP36)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, bit, has, spread
from cardsim.games.sixty_six.basics import card_points, higher, side_of
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
    SCHNEIDER,
    SEATS,
)
from cardsim.jit import kernel

HAND, TABLE, KNOWN, ABSENT = (OFFSETS[name] for name in ("hand", "table", "known", "absent"))
GONE, LAST_TRICK, UP, TRUMP = (OFFSETS[name] for name in ("gone", "last_trick", "up", "trump"))
DECLARED, LEAD_PAIR, PARTNER_PAIR, LAST_PAIR = (OFFSETS[name] for name in ("declared", "lead_pair", "partner_pair", "last_pair"))
PHASE, TO_MOVE, LEADER, DEALER, CLOSER = (OFFSETS[name] for name in ("phase", "to_move", "leader", "dealer", "closer"))
STANDING, TALON, TRICKS, POINTS = (OFFSETS[name] for name in ("close_standing", "talon", "tricks", "points"))
STEPS, PENDING, SCORES, CARRY = (OFFSETS[name] for name in ("points_steps", "pending", "scores", "carry"))
TALON_BITS, TRICK_BITS, POINT_BITS, PENDING_BITS, SCORE_BITS, CARRY_BITS, NUM_STEPS = 5, 5, 9, 4, 11, 4, 12
PENDING_UNIT = 20
ALL_CARDS = U64(0xFFFFFFFF)


@kernel
def visible_phase(state: Any, player: int) -> int:
    """The phase as `player` sees it: only the asked seat knows that it is asked (SP15)."""
    phase = state["phase"]
    if (phase == ASK_EXCHANGE or phase == ASK_PAIR) and state["player"] != player:
        return LEAD
    return phase  # type: ignore[no-any-return]


@kernel
def visible_player(state: Any, player: int) -> int:
    """The seat to act as `player` sees it."""
    if visible_phase(state, player) != state["phase"]:
        return state["leader"]  # type: ignore[no-any-return]
    return state["player"]  # type: ignore[no-any-return]


@kernel
def gone_cards(state: Any) -> Any:
    """Cards in tricks already won."""
    gone = NONE
    for i in range(state["trick_start"]):
        gone |= bit(state["history"][i])
    return gone


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
def _write(out: Any, offset: int, value: int, bits: int) -> None:
    spread(U64(max(0, min(value, (1 << bits) - 1))), out, offset, bits)


@kernel
def observe(state: Any, player: int, out: Any) -> None:
    """Write what `player` knows into out[:OBSERVATION_SIZE], blocks as in layout.BLOCKS, seats counted from him."""
    out[:OBSERVATION_SIZE] = 0
    spread(state["hand"][player], out, HAND, CARDS)
    spread(last_trick(state), out, LAST_TRICK, CARDS)
    players = state["rules"]["players"]
    for i in range(state["trick_start"], state["played"]):
        out[TABLE + CARDS * ((state["movers"][i] - player) % players) + state["history"][i]] = 1
    _observe_table(state, player, out)
    for seat in range(players):
        relative = (seat - player) % players
        _write(out, TRICKS + TRICK_BITS * relative, state["tricks"][side_of(state, seat)], TRICK_BITS)
        _write(out, SCORES + SCORE_BITS * relative, state["scores"][seat], SCORE_BITS)
        known = known_cards(state, seat)
        if known != NONE:
            spread(known, out, KNOWN + CARDS * relative, CARDS)
    if state["rules"]["perfect_memory"]:
        _observe_memory(state, player, out)


@kernel
def _observe_table(state: Any, player: int, out: Any) -> None:
    """What lies open: turned card, trumps, phase, who is who, the talon's size."""
    players = state["rules"]["players"]
    if state["up"] != NO_CARD:
        out[UP + np.int64(state["up"])] = 1
    if state["trump"] != NO_SUIT:
        out[TRUMP + np.int64(state["trump"])] = 1
    if state["lead_pair"] != NOBODY:
        out[LEAD_PAIR + np.int64(state["lead_pair"])] = 1
    if state["partner_pair"] != NOBODY:
        out[PARTNER_PAIR + np.int64(state["partner_pair"])] = 1
    out[PHASE + visible_phase(state, player)] = 1
    mover = visible_player(state, player)
    if mover != NOBODY:
        out[TO_MOVE + (mover - player) % players] = 1
    if state["leader"] != NOBODY:
        out[LEADER + (state["leader"] - player) % players] = 1
    out[DEALER + (state["dealer"] - player) % players] = 1
    if state["closer"] != NOBODY:
        out[CLOSER + (state["closer"] - player) % players] = 1
    _write(out, TALON, state["talon_left"], TALON_BITS)
    _write(out, CARRY, state["carry"], CARRY_BITS)


@kernel
def _observe_memory(state: Any, player: int, out: Any) -> None:
    """What only a perfect rememberer still knows (SQ30, SP36)."""
    players = state["rules"]["players"]
    spread(gone_cards(state), out, GONE, CARDS)
    _write(out, DECLARED, state["declared"], 4)
    if state["last_pair"] != NOBODY:
        out[LAST_PAIR + np.int64(state["last_pair"])] = 1
    if state["closer"] != NOBODY:
        out[STANDING] = state["close_tricks"] == 0
        out[STANDING + 1] = state["close_points"] < SCHNEIDER
    for seat in range(players):
        relative = (seat - player) % players
        side = side_of(state, seat)
        points = state["points"][side]
        _write(out, POINTS + POINT_BITS * relative, points, POINT_BITS)
        for step in range(NUM_STEPS):
            out[STEPS + NUM_STEPS * relative + step] = points >= 10 * (step + 1)
        _write(out, PENDING + PENDING_BITS * relative, state["pending"][side] // PENDING_UNIT, PENDING_BITS)
        if state["absent"][seat] != 0:
            spread(state["absent"][seat], out, ABSENT + CARDS * relative, CARDS)


@kernel
def _read(observation: Any, offset: int, bits: int) -> int:
    value = 0
    for i in range(bits):
        if observation[offset + i]:
            value |= 1 << i
    return value


@kernel
def _read_one_hot(observation: Any, offset: int, width: int, empty: int) -> int:
    for i in range(width):
        if observation[offset + i]:
            return i
    return empty


@kernel
def recall(state: Any, observation: Any) -> None:
    """Rebuild in `state` (which brings the rules) all that an observation tells; the observer becomes seat 0.

    Hidden hands and the talon stay empty. Cards of finished tricks stand in card order without their players.
    """
    for seat in range(SEATS):
        state["hand"][seat] = 0
        state["known"][seat] = np.uint32(_read(observation, KNOWN + CARDS * seat, CARDS))
        state["absent"][seat] = np.uint32(_read(observation, ABSENT + CARDS * seat, CARDS))
        state["tricks"][seat] = _read(observation, TRICKS + TRICK_BITS * seat, TRICK_BITS)
        state["points"][seat] = _read(observation, POINTS + POINT_BITS * seat, POINT_BITS)
        state["pending"][seat] = PENDING_UNIT * _read(observation, PENDING + PENDING_BITS * seat, PENDING_BITS)
        state["scores"][seat] = _read(observation, SCORES + SCORE_BITS * seat, SCORE_BITS)
    state["hand"][0] = np.uint32(_read(observation, HAND, CARDS))
    for i in range(CARDS):
        state["deck"][i] = NO_CARD
        state["history"][i] = NO_CARD
        state["movers"][i] = NOBODY
    state["up"] = _read_one_hot(observation, UP, CARDS, NO_CARD)
    state["trump"] = _read_one_hot(observation, TRUMP, 4, NO_SUIT)
    state["declared"] = _read(observation, DECLARED, 4)
    state["lead_pair"] = _read_one_hot(observation, LEAD_PAIR, 4, NOBODY)
    state["partner_pair"] = _read_one_hot(observation, PARTNER_PAIR, 4, NOBODY)
    state["last_pair"] = _read_one_hot(observation, LAST_PAIR, 4, NOBODY)
    state["phase"] = _read_one_hot(observation, PHASE, 8, LEAD)
    state["player"] = _read_one_hot(observation, TO_MOVE, SEATS, NOBODY)
    state["leader"] = _read_one_hot(observation, LEADER, SEATS, NOBODY)
    state["dealer"] = _read_one_hot(observation, DEALER, SEATS, 0)
    state["closer"] = _read_one_hot(observation, CLOSER, SEATS, NOBODY)
    state["close_tricks"] = 0 if observation[STANDING] else 1
    state["close_points"] = 0 if observation[STANDING + 1] else SCHNEIDER
    state["talon_left"] = _read(observation, TALON, TALON_BITS)
    state["carry"] = _read(observation, CARRY, CARRY_BITS)
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
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    state["trick_points"] = 0
    players = state["rules"]["players"]
    for k in range(players):
        seat = (state["leader"] + k) % players
        card = _read_one_hot(observation, TABLE + CARDS * seat, CARDS, NO_CARD)
        if card == NO_CARD:
            continue
        state["history"][played] = card
        state["movers"][played] = seat
        played += 1
        state["trick_points"] += card_points(card)
        best = state["best"]
        trumps = best != NO_CARD and card >> 3 != best >> 3 and card >> 3 == state["trump"]
        if best == NO_CARD or has(higher(best), card) or trumps:
            state["best"] = card
            state["best_seat"] = seat
    state["played"] = played


@kernel
def pack_cards(state: Any) -> Any:
    """All cards of this form's pack."""
    ranks = state["rules"]["cards"] >> 2
    return (U64(0x01010101) * ((U64(0xFF) << U64(8 - ranks)) & U64(0xFF))) & ALL_CARDS
