"""Seats around a table, for kernels: neighbours, places counted from a seat, sets of seats as bit masks.

Comparisons instead of a remainder: a division costs as much as all the rest of a move.
"""

from __future__ import annotations

from cardsim.bits import NONE, U64, lowest
from cardsim.jit import inlined

NOBODY = -1
"""What stands for no seat in a record."""


@inlined
def left_of(seat: int, players: int) -> int:
    """Next seat clockwise."""
    return seat + 1 if seat + 1 < players else 0


@inlined
def right_of(seat: int, players: int) -> int:
    """Next seat counter-clockwise."""
    return seat - 1 if seat > 0 else players - 1


@inlined
def relative_to(player: int, seat: int, players: int) -> int:
    """Places of `seat` to the left of `player`."""
    return seat - player if seat >= player else seat - player + players


@inlined
def seat_at(player: int, relative: int, players: int) -> int:
    """The seat `relative` places to the left of `player`."""
    seat = player + relative
    return seat - players if seat >= players else seat


@inlined
def next_in(seats: int, seat: int, players: int) -> int:
    """Next seat clockwise that is in a set of seats (bit mask, not empty); the seat itself comes last."""
    later = U64(seats) & ~((U64(2) << U64(seat)) - U64(1))
    return lowest(later if later != NONE else U64(seats))


@inlined
def seen_from(seats: int, player: int, players: int) -> int:
    """A set of seats (bit mask) counted from `player`."""
    return ((seats >> player) | (seats << (players - player))) & ((1 << players) - 1)
