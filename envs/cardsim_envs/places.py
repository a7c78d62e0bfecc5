"""Where things lie on the picture of a table, for 2 to 8 seats: numbers only, in pixels."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

SIZE = (1200, 760)
"""Width and height of every picture."""
CORNER = 290
"""Width of what stands in the corners."""
EDGE = 20
"""Distance of everything from the edges of the picture."""
SMALL = 0.75
"""Size of the cards at tables of more than four seats."""


class Place(NamedTuple):
    """Where a seat's things lie.

    Attributes:
        side: -1 at the left edge, 1 at the right edge, 0 between them.
        x: left edge, right edge or middle of plate and hand, as `side` says.
        y: upper edge of the hand.
        room: greatest length of the hand; of a row also with the pile beside it.
        column: whether the hand lies in a column; otherwise in a row.
        lift: where a card that may be played stands out: -1 upwards, 1 downwards, 0 to the middle of the table.
        plate: upper edge of the plate.
        trick: middle of the seat's card in the trick, seen from the middle of the trick.
    """

    side: int
    x: int
    y: int
    room: int
    column: bool
    lift: int
    plate: int
    trick: tuple[int, int]


class Layout(NamedTuple):
    """A table: its places clockwise from the first seat, and what lies between them.

    Attributes:
        places: one for each seat.
        scale: size of the cards, 1 for full size.
        talon: upper left corner of the cards to draw; the pot lies above them.
        middle: middle of the trick.
        field: left, upper, right and lower edge of where cards lie open in a game of capture.
        talon_scale: size of the cards to draw.
    """

    places: tuple[Place, ...]
    scale: float
    talon: tuple[int, int]
    middle: tuple[int, int]
    field: tuple[int, int, int, int]
    talon_scale: float


LEFT_EDGE, RIGHT_EDGE = EDGE, SIZE[0] - EDGE
CENTRE_X, CENTRE_Y = SIZE[0] // 2, SIZE[1] // 2
ROOM = SIZE[0] - 2 * (EDGE + CORNER) - 10
COLUMN, SIDE_ROW = 350, 250
RING_X = 672
"""Middle of the trick at a table of more than four seats: right of the talon."""
RINGS = {
    5: ((0, 57), (-130, 20), (-50, -57), (50, -57), (130, 20)),
    6: ((0, 57), (-90, 57), (-90, -57), (0, -57), (90, -57), (90, 57)),
    7: ((0, 57), (-90, 57), (-135, -57), (-45, -57), (45, -57), (135, -57), (90, 57)),
    8: ((0, 57), (-90, 57), (-180, 0), (-90, -57), (0, -57), (90, -57), (180, 0), (90, 57)),
}
"""Cards of the trick, by the number of seats."""
ROWS_ABOVE = {5: (522, 822), 6: (RING_X,), 7: (522, 822), 8: (452, RING_X, 892)}
"""Middles of the hands at the upper edge, from left to right."""
ROW_ROOM = {1: 400, 2: 280, 3: 208}
"""Room of each of them, by their number."""
FIELD, FIELD_AMONG_MANY = (216, 232, 984, 520), (284, 204, 916, 560)
"""Where cards lie open in a game of capture, at tables of up to four seats and of more."""
CORNER_TALON = (SIZE[0] - 100, 20)
"""Cards to draw in a game of capture."""


@cache
def layout(seats: int, talon: bool, spread: bool = False) -> Layout:
    """The table for 2 to 8 seats.

    Args:
        seats: how many.
        talon: whether cards to draw, or a pot, lie beside the trick.
        spread: whether cards lie open in the middle instead of a trick; the cards to draw then lie in the corner.

    Raises:
        ValueError: there is no table of that size.
    """
    if not 2 <= seats <= 8:
        raise ValueError(f"{seats} seats: must be from 2 to 8")
    table = _of_many(seats) if seats > 4 else _of_few(seats, talon)
    return table._replace(talon=CORNER_TALON, talon_scale=SMALL) if spread else table


def _of_few(seats: int, talon: bool) -> Layout:
    """A table for 2 to 4 seats: rows below and above, columns at the sides."""
    bottom = Place(0, CENTRE_X, 542, ROOM, False, -1, 696, (0, 75))
    top = Place(0, CENTRE_X, 70, ROOM, False, 1, 8, (0, -75))
    left = Place(-1, LEFT_EDGE, 250, COLUMN, True, 0, 186, (-110, 0))
    right = Place(1, RIGHT_EDGE, 250, COLUMN, True, 0, 186, (110, 0))
    if seats == 2:
        return Layout((bottom, top), 1, (CENTRE_X - 270, 308), (CENTRE_X + 70, CENTRE_Y), FIELD, 1)
    places = (bottom, left, right) if seats == 3 else (bottom, left, top, right)
    return Layout(places, 1, (250, 308), (CENTRE_X + 50 * talon, CENTRE_Y), FIELD, 1)


def _of_many(seats: int) -> Layout:
    """A table for 5 to 8 seats, with smaller cards."""
    return Layout(_around(seats), SMALL, (310, 326), (RING_X, CENTRE_Y), FIELD_AMONG_MANY, SMALL)


def _around(seats: int) -> tuple[Place, ...]:
    """Places of a large table: one below, one or two rows at each side, one to three above."""
    ring = RINGS[seats]
    heights = (300,) if seats == 5 else (398, 190)
    places = [Place(0, CENTRE_X, 578, ROOM, False, -1, 696, ring[0])]
    for y in heights:
        places.append(Place(-1, LEFT_EDGE, y + 62, SIDE_ROW, False, 1, y, ring[len(places)]))
    above = ROWS_ABOVE[seats]
    for x in above:
        places.append(Place(0, x, 70, ROW_ROOM[len(above)], False, 1, 8, ring[len(places)]))
    for y in reversed(heights):
        places.append(Place(1, RIGHT_EDGE, y + 62, SIDE_ROW, False, 1, y, ring[len(places)]))
    return tuple(places)
