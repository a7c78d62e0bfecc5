"""Zwicker kernels that all the others use: values and faces of cards, sides, what a hand can cover.

A set of values is a bit mask, bit v for value v; bit 0 stands for "is a wild joker".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, U64
from cardsim.games.zwicker.layout import NO_CARD, VALUES
from cardsim.games.zwicker.rules import (
    BOOK,
    FIRST_JOKER,
    FIRST_WILD,
    FIXED,
    HAND,
    JOKER_VALUES,
    KINDS,
    OPTIONS,
    PRESETS,
    RANKS,
    WILD,
)
from cardsim.jit import inlined

SELF_OR_PARTNER, SELF, NO_NEED = (OPTIONS["build_needs"].code(word) for word in ("self_or_partner", "self", "none"))
LOWEST_WILD, HIGHEST_WILD = 2, 14
"""Values that a wild joker may have (2.4)."""
STACK_LIMIT = 14
ANY_VALUE = U64(2**31 - 2)
IS_WILD = U64(1)
PER_SUIT = len(RANKS)


@inlined
def value_set(low: int, high: int) -> Any:
    """The values of a card or item from its smaller and larger one; without bit 0."""
    if high - low > 10:
        return U64((2 << HIGHEST_WILD) - (1 << LOWEST_WILD))
    return (U64(1) << U64(low)) | (U64(1) << U64(high))


def _tables() -> tuple[Any, Any, Any, Any]:
    """Smaller value, larger value and set of values of each kind, by style; attainable values by form (WP9)."""
    low = np.zeros((3, KINDS), np.int64)
    high = np.zeros((3, KINDS), np.int64)
    for style in (BOOK, FIXED, WILD):
        for kind in range(KINDS):
            value = kind % PER_SUIT + 2 if kind < FIRST_JOKER else 0  # W7
            low[style, kind] = high[style, kind] = value
            if style == FIXED and value > 10:
                low[style, kind] = value - 10  # W17
        low[style, FIRST_WILD:], high[style, FIRST_WILD:] = LOWEST_WILD, HIGHEST_WILD
        low[style, FIRST_JOKER:FIRST_WILD] = high[style, FIRST_JOKER:FIRST_WILD] = JOKER_VALUES
    sets = [[value_set(low[style, kind], high[style, kind]) for kind in range(KINDS)] for style in range(3)]
    plain = sum(1 << value for value in range(1, 15))
    attainable = [plain | sum(1 << value for value in preset.jokers) for preset in PRESETS.values()]
    return low, high, np.array(sets, np.uint64), np.array(attainable, np.uint64)


LOW, HIGH, VALUE_SETS, ATTAINABLE = _tables()
VALUE_ACTIONS = np.array([VALUES.index(value) if value in VALUES else -1 for value in range(31)])
VALUE_OF = np.array(VALUES)
"""By value, its number among the actions `as ...`; and back."""


@inlined
def kind_of(card: int) -> int:
    """Kind of a card, whichever pack it is from."""
    return card & (KINDS - 1)


@inlined
def face_of(card: int) -> int:
    """A number that is the same for all cards that are alike: equal copies, wild jokers (WP4)."""
    return min(kind_of(card), FIRST_WILD)


@inlined
def is_wild(card: int) -> bool:
    """Whether a card is a wild joker."""
    return kind_of(card) >= FIRST_WILD


@inlined
def card_values(state: Any, card: int) -> Any:
    """The values of a card (W7, W17, 2.4), without bit 0."""
    return VALUE_SETS[U64(I64(state["rules"]["style"])), U64(kind_of(card))]


@inlined
def held_values(state: Any, seat: int) -> Any:
    """The values of all cards in a hand."""
    found = U64(0)
    for k in range(HAND):
        card = I64(state["hand"][seat, k])
        if card == NO_CARD:
            break
        found |= card_values(state, card)
    return found


@inlined
def in_teams(state: Any) -> bool:
    """Whether there are parties of several seats (WQ22, WP17)."""
    return state["rules"]["sides"] < state["rules"]["players"]


@inlined
def side_of(state: Any, seat: int) -> int:
    """Side of a seat: parties alternate (WQ22, WP17)."""
    return seat & 1 if in_teams(state) else seat


@inlined
def party_of(state: Any, seat: int) -> int:
    """Whose cards a build of this seat promises: his side's, or his own (WQ8, WP13)."""
    return seat if state["rules"]["build_needs"] == SELF else side_of(state, seat)


@inlined
def covered(state: Any) -> Any:
    """Values that the player to act, whose card is on its way, may announce (WQ8, WP10).

    His partners' cards are not looked at: he has been told of them for every build of his turn, see `tell`. So a state
    rebuilt from his observation has the same legal actions.
    """
    if state["rules"]["build_needs"] == NO_NEED:
        return ANY_VALUE
    player = I64(state["player"])
    return held_values(state, player) | U64(state["asked"][player])


@inlined
def partners_values(state: Any, player: int) -> Any:
    """The values of all cards that the partners of a seat hold; none in a game without parties."""
    found = U64(0)
    if in_teams(state):
        for seat in range(player & 1, I64(state["rules"]["players"]), 2):
            if seat != player:
                found |= held_values(state, seat)
    return found
