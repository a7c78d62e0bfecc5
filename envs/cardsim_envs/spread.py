"""Cards that lie open in the middle of the table, in a game of capture: loose ones, stacks and builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cardsim_envs.card_art import plate
from cardsim_envs.painting import DARK_INK, GOLD, INK, QUIET, broken, card_image, card_size, put, text, text_width

SCALES = (0.85, 0.75, 0.68, 0.6, 0.54, 0.48, 0.44, 0.4, 0.36, 0.32, 0.28, 0.24, 0.2)
"""Sizes of the cards, the greatest at which all find room is taken."""
COVERED = 0.5
"""Part of a card's width that is left free by the card on it, and at most so much ..."""
WIDEST = 1.2
"""... for all the cards below the last one, in widths of a card."""
LARGE = 0.4
"""Above this size there is room for large words."""
GAP, LABEL = {True: 10, False: 5}, {True: 24, False: 16}
"""Pixels between two items, and from the row above, where its number stands: for large words, or small ones."""
IN_PLAY, IN_PLAY_ROOM = 0.85, 112
"""Size of the card in play, and the room that is left for it at the left."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Item:
    """What is one thing on the table: a card by itself, or cards that lie on each other.

    Attributes:
        cards: texts, the lowest first.
        number: as the actions count it, from 1.
        value: of cards that lie on each other.
        playable: whether it may be chosen now.
        chosen: whether it has been.
    """

    cards: Sequence[str]
    number: int
    value: int | None = None
    playable: bool = False
    chosen: bool = False


class _Spot(NamedTuple):
    """Where an item lies: its upper left corner, and from one of its cards to the next."""

    x: int
    y: int
    step: int


def draw_items(image: Any, items: Sequence[Item], box: Box) -> None:
    """Lay out all items in rows, as large as they find room in the box."""
    inner = (box[0] + IN_PLAY_ROOM, *box[1:])
    for scale in SCALES:
        spots = _spots(items, scale, inner)
        if spots or not items:
            break
    choosing = any(item.playable for item in items)
    for item, spot in zip(items, spots, strict=True):
        _draw(image, item, spot, scale, choosing and not (item.playable or item.chosen))


def _spots(items: Sequence[Item], scale: float, box: Box) -> list[_Spot]:
    """Rows from the middle of the box, each item as wide as its cards; none if they do not all find room."""
    left, upper, right, lower = box
    wide, high = card_size(scale)
    gap, label = GAP[scale > LARGE], LABEL[scale > LARGE]
    rows: list[list[tuple[int, int]]] = [[]]
    used = 0
    for item in items:
        below = len(item.cards) - 1
        step = min(round(COVERED * wide), round(WIDEST * wide) // max(below, 1))
        length = wide + below * step
        if rows[-1] and used + length > right - left:
            rows.append([])
            used = 0
        rows[-1].append((length, step))
        used += length + gap
    pitch = high + label
    if len(rows) * pitch > lower - upper:
        return []
    spots = []
    y = (upper + lower - len(rows) * pitch) // 2 + label
    for row in rows:
        x = left
        for length, step in row:
            spots.append(_Spot(x, y, step))
            x += length + gap
        y += pitch
    return spots


def _draw(image: Any, item: Item, spot: _Spot, scale: float, dimmed: bool) -> None:
    from PIL import ImageDraw

    wide, high = card_size(scale)
    end = spot.x + spot.step * (len(item.cards) - 1) + wide
    for number, card in enumerate(item.cards):
        put(image, card_image(card, scale, dimmed), spot.x + spot.step * number, spot.y)
    size = 15 if scale > LARGE else 11
    ink = GOLD if item.playable or item.chosen else QUIET
    text(image, spot.x + 2, spot.y - 3, str(item.number), size, ink, anchor="ls", bold=item.playable or item.chosen)
    if item.chosen:
        box = (spot.x - 3, spot.y - 3, end + 2, spot.y + high + 2)
        ImageDraw.Draw(image).rounded_rectangle(box, 8, outline=GOLD, width=4)
    if item.value is not None:
        words, size = (f"= {item.value}", 17) if scale > LARGE else (str(item.value), 12)
        badge = plate((text_width(words, size) + 14, size + 7), (size + 7) // 2, GOLD, DARK_INK, 1)
        x, y = end - badge.width + 3, spot.y + high - badge.height + 3
        put(image, badge, x, y, shadow=False)
        text(image, x + badge.width / 2, y + badge.height / 2, words, size, DARK_INK, anchor="mm", bold=True)


def draw_in_play(image: Any, card: str, note: str, box: Box) -> None:
    """The card that is being played, at the left, with a word on it."""
    wide, high = card_size(IN_PLAY)
    x, y = box[0], (box[1] + box[3] - high) // 2
    text(image, x + wide / 2, y - 12, "in play", 16, GOLD, anchor="mm", bold=True)
    put(image, card_image(card, IN_PLAY), x, y)
    for number, words in enumerate(broken(note, 16, IN_PLAY_ROOM - 16, 3)):
        text(image, x + wide / 2, y + high + 16 + 19 * number, words, 16, INK, anchor="mm")
