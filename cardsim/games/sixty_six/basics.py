"""Sixty-Six kernels that all the others use: cards, seats and sides, the talon.

Seats and cards are widened to int64 where they are read from the record, so that each kernel is compiled for one
signature.
"""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, has
from cardsim.games.sixty_six.layout import NO_SUIT, NOBODY, QUEEN, RANK_POINTS
from cardsim.games.sixty_six.rules import OPTIONS, THREE_HAND
from cardsim.jit import inlined
from cardsim.seats import left_of

FORCED = OPTIONS["announce"].code("forced")
SUIT_CARDS = U64(0xFF)
FIRST_OF_SUIT = U64(0x01010101)
POINTS_TABLE = U64(sum(points << 8 * rank for rank, points in enumerate(RANK_POINTS)))
EIGHT = U64(8)


@inlined
def card_points(card: int) -> int:
    """Card points (S3)."""
    return I64((POINTS_TABLE >> U64(8 * (card & 7))) & SUIT_CARDS)


@inlined
def suit_mask(suit: int) -> Any:
    """All cards of a suit; empty for NO_SUIT."""
    return NONE if suit == NO_SUIT else SUIT_CARDS << U64(8 * suit)


@inlined
def higher(card: int) -> Any:
    """The cards of the same suit that beat `card`."""
    return (SUIT_CARDS << U64(8 * (card >> 3))) & ~((U64(2) << U64(card)) - U64(1))


@inlined
def pairs_in(hand: Any) -> Any:
    """Suits of which a hand holds king and queen, as bits 0, 8, 16, 24."""
    cards = U64(hand)
    return ((cards & (cards >> U64(1))) >> U64(QUEEN)) & FIRST_OF_SUIT


@inlined
def side_of(state: Any, seat: int) -> int:
    """Side of a seat: the seat itself, or its parity where partners play (SP26)."""
    return seat & 1 if state["rules"]["teams"] else seat


@inlined
def other_side(state: Any, side: int) -> int:
    """The opposing side where there are two (not for three players of 1001)."""
    if state["rules"]["form"] == THREE_HAND:
        return 3 - I64(state["dealer"]) - side
    return 1 - side


@inlined
def next_seat(state: Any, seat: int) -> int:
    """Next active seat clockwise; the idle dealer of three_hand is passed over."""
    players = I64(state["rules"]["players"])
    following = left_of(seat, players)
    if state["rules"]["form"] == THREE_HAND and following == state["dealer"]:
        following = left_of(following, players)
    return following


@inlined
def partner_of(seat: int) -> int:
    """The seat opposite (four_hand)."""
    return (seat + 2) & 3


@inlined
def is_open(state: Any) -> bool:
    """Whether there is a talon to draw from: not closed, not exhausted."""
    return state["closer"] == NOBODY and state["talon_left"] > 0


@inlined
def is_strict(state: Any) -> bool:
    """Whether one must follow, beat and trump (S12, S13; SP29 `follow_always`)."""
    return not is_open(state) or state["rules"]["always_strict"] != 0


@inlined
def swap_card(state: Any) -> int:
    """The card that takes the turned trump (S10, SP30); only where a trump is turned."""
    return 8 * I64(state["trump"]) + I64(state["rules"]["swap_rank"])


@inlined
def takers(best: int, trump: int) -> Any:
    """The cards that take the trick from the card that is winning it (S8)."""
    return higher(best) | (suit_mask(trump) if best >> 3 != trump else NONE)


@inlined
def beats(card: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the card that is winning it (S8)."""
    return has(takers(best, trump), card)


@inlined
def draws_made(state: Any) -> int:
    """Cards that each seat has drawn from the talon in this deal."""
    rules = state["rules"]
    size = I64(rules["cards"]) - I64(rules["active"]) * I64(rules["hand_cards"])
    return (size - I64(state["talon_left"])) >> 1
