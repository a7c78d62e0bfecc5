"""Zwicker kernels: begin an episode, deal, whose turn it is, how the episode stands.

The rest lies beside: basics.py (what all kernels use), captures.py and laying.py (the two things to do with a card),
legal.py, moves.py, table.py, turns.py, scoring.py, knowledge.py (observations), worlds.py (resampling).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.zwicker.captures import EMPTY
from cardsim.games.zwicker.layout import (
    CARDS,
    DEAL,
    HAND_COLUMNS,
    ITEMS,
    NO_CARD,
    NOBODY,
    OVER,
    SEAT_COLUMNS,
    SEATS,
)
from cardsim.games.zwicker.legal import legal_actions
from cardsim.games.zwicker.moves import apply_action
from cardsim.games.zwicker.rules import (
    FIRST_JOKER,
    FIRST_WILD,
    FIXED,
    HAND,
    JOKER_VALUES,
    KINDS,
    PER_PACK,
    PRESETS,
    WILD,
)
from cardsim.games.zwicker.table import clear_turn, hand_out, lay_out, sort_hands
from cardsim.games.zwicker.turns import begin_turn, next_holder
from cardsim.jit import inlined, kernel
from cardsim.rng import below, shuffle

__all__ = ["apply_action", "current_player", "deal", "deal_given", "legal_actions", "outcome", "reset"]


def _joker_kinds() -> Any:
    """Kinds of the jokers of one pack by form and place; grupp takes as many as there are."""
    kinds = np.zeros((len(PRESETS), 6), np.uint8)
    for row, preset in zip(kinds, PRESETS.values(), strict=True):
        for place, value in enumerate(preset.jokers):
            row[place] = FIRST_JOKER + JOKER_VALUES.index(value)
        if preset.style == WILD:
            row[:] = np.arange(FIRST_WILD, KINDS)
    return kinds


JOKER_KINDS = _joker_kinds()


@kernel
def reset(state: Any, stream: Any) -> None:
    """Begin an episode: nothing is left of the last one but the rules; the first dealer is drawn or given."""
    for column in range(len(SEAT_COLUMNS)):
        for seat in range(SEATS):
            state["counts"][column, seat] = 0
    for column in range(len(HAND_COLUMNS)):
        state["totals"][column] = 0
    for side in range(SEATS):
        state["scores"][side] = 0
    given = I64(state["rules"]["first_dealer"]) - 1
    state["dealer"] = given if given >= 0 else below(stream, I64(state["rules"]["players"]))
    clear_deal(state)
    state["phase"] = DEAL


@kernel
def clear_deal(state: Any) -> None:
    """Leave nothing of the last deal: no cards, no items, nobody anywhere (F23)."""
    for side in range(SEATS):
        state["pile"][side, 0] = 0
        state["pile"][side, 1] = 0
        state["zwicks"][side] = 0
        state["gained"][side] = 0
        state["promised"][side] = 0
        state["lacks"][side] = 0
        state["asked"][side] = 0
        state["denied"][side] = 0
        for k in range(HAND):
            state["hand"][side, k] = NO_CARD
    for item in range(ITEMS):
        state["top"][item] = NO_CARD
        state["low"][item] = 0
        state["high"][item] = 0
        state["builder"][item] = NOBODY
    for card in range(2 * KINDS):
        state["under"][card] = NO_CARD
    for i in range(CARDS):
        state["deck"][i] = NO_CARD
    state["deck_pos"] = 0
    state["items"] = 0
    state["reach"] = EMPTY
    state["present"] = 0
    state["player"] = NOBODY
    state["capturer"] = NOBODY
    clear_turn(state)


@kernel
def deal(state: Any, stream: Any) -> None:
    """Shuffle and deal (W8, W19, WP1)."""
    clear_deal(state)
    rules = state["rules"]
    per_pack = I64(rules["cards"]) // I64(rules["packs"])
    form = I64(rules["form"])
    for pack in range(I64(rules["packs"])):
        for i in range(per_pack):
            kind = i if i < PER_PACK else I64(JOKER_KINDS[form, i - PER_PACK])
            state["deck"][pack * per_pack + i] = pack * KINDS + kind
    shuffle(stream, state["deck"], I64(rules["cards"]))
    _hand_round(state)


@kernel
def deal_given(state: Any, deck: Any) -> None:
    """Deal a given pack, in the order in which the cards are dealt (WP1)."""
    clear_deal(state)
    for i in range(I64(state["rules"]["cards"])):
        state["deck"][i] = deck[i]
    _hand_round(state)


@kernel
def _hand_round(state: Any) -> None:
    """The first hands and the table; the forehand begins (W8, W19, W20, WP1, WP2)."""
    table = I64(state["rules"]["table"])
    if state["rules"]["style"] == FIXED:
        hand_out(state, 0, 2)
        lay_out(state, table // 2)
        hand_out(state, 2, 2)
        lay_out(state, table - table // 2)
    else:
        for place in range(HAND):
            hand_out(state, place, 1)
        lay_out(state, table)
    sort_hands(state)
    begin_turn(state, next_holder(state, I64(state["dealer"])))


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
    for column in range(len(HAND_COLUMNS)):
        hand[column] = state["totals"][column]
    for seat in range(I64(state["rules"]["players"])):
        for column in range(len(SEAT_COLUMNS)):
            seats[seat, column] = state["counts"][column, seat]
