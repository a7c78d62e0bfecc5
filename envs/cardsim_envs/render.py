"""The table as a picture: a game says what lies where (`Scene`), this module draws it.

Pillow is imported when something is drawn, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cardsim_envs.card_art import CARD, Ink, card_back, card_face, font, plate, suit_sign

SIZE = (1200, 760)
"""Width and height of every picture in pixels."""
FELT_LIGHT = (40, 110, 84)
FELT_DARK = (20, 66, 52)
INK = (238, 236, 224)
QUIET = (176, 204, 190)
GOLD = (246, 204, 92)
PLATE = (12, 44, 35)
PAPER = (250, 249, 242)
CORNER = 290
"""Width of what stands in the corners."""
SIDE_TOP = 236
"""Where the cards of the seats at the sides begin."""
BOTTOM, LEFT, TOP, RIGHT = "bottom", "left", "top", "right"
PLACES = {2: (BOTTOM, TOP), 3: (BOTTOM, LEFT, RIGHT), 4: (BOTTOM, LEFT, TOP, RIGHT)}
"""Where the seats sit, clockwise from seat 0."""
TRICK = {BOTTOM: (0, 77), TOP: (0, -77), LEFT: (-110, 0), RIGHT: (110, 0)}
LIFT = 14
"""Pixels by which playable cards stand out of the hand."""


@dataclass(frozen=True)
class SeatView:
    """One seat as it is to be drawn.

    Attributes:
        name: what stands on its plate.
        cards: texts of the cards shown, in order; the other `hidden` cards lie face down.
        playable: those of `cards` that may be played now.
        notes: lines under the name: points, tricks and the like.
        marks: small words such as `dealer`.
        to_act: whether it is this seat's turn.
    """

    name: str
    cards: Sequence[str] = ()
    hidden: int = 0
    playable: frozenset[str] = frozenset()
    notes: Sequence[str] = ()
    marks: Sequence[str] = ()
    to_act: bool = False


@dataclass(frozen=True)
class Scene:
    """A table as it is to be drawn.

    Attributes:
        title: the game and its rules.
        heading: what is being decided.
        seats: clockwise; the first one sits at the bottom.
        notes: lines of the corner under the heading.
        trick: (seat, card text) in the order played.
        talon: face-down cards to draw, the turned one not counted.
        turned: text of the turned card that lies beside the talon, if any.
        turned_down: whether it lies face down, across the talon.
        trump: suit `D H S C`, if any.
        last_trick: texts of the last finished trick.
        choices: legal actions that are no cards.
    """

    title: str
    heading: str
    seats: Sequence[SeatView]
    notes: Sequence[str] = ()
    trick: Sequence[tuple[int, str]] = ()
    talon: int = 0
    turned: str | None = None
    turned_down: bool = False
    trump: str | None = None
    last_trick: Sequence[str] = ()
    choices: Sequence[str] = field(default=())


def picture(scene: Scene) -> Any:
    """Draw a scene.

    Returns:
        uint8 (H, W, 3), the same size for every scene.
    """
    import numpy as np

    image = _felt().copy()
    places = PLACES[len(scene.seats)]
    _corners(image, scene)
    _talon(image, scene)
    for seat, card in scene.trick:
        x, y = TRICK[places[seat]]
        middle = SIZE[0] // 2 + (70 if len(places) == 2 else 0)
        _put(image, card_face(card), middle + x - CARD[0] // 2, SIZE[1] // 2 + y - CARD[1] // 2)
    for view, place in zip(scene.seats, places, strict=True):
        _seat(image, view, place)
    return np.asarray(image.convert("RGB"), np.uint8).copy()


@cache
def _felt() -> Any:
    """Green cloth, lighter in the middle."""
    import numpy as np
    from PIL import Image

    width, height = SIZE
    y, x = np.mgrid[0:height, 0:width]
    far = np.clip(np.hypot((x - width / 2) / width, (y - height / 2) / height) * 1.5, 0, 1)[..., None]
    pixels = (1 - far) * np.array(FELT_LIGHT) + far * np.array(FELT_DARK)
    return Image.fromarray(pixels.astype(np.uint8)).convert("RGBA")


def _put(image: Any, sprite: Any, x: int, y: int, *, shadow: bool = True) -> None:
    if shadow:
        image.alpha_composite(_shadow(sprite.size), (x - 4, y - 2))
    image.alpha_composite(sprite, (x, y))


@cache
def _shadow(size: tuple[int, int]) -> Any:
    from PIL import Image, ImageDraw, ImageFilter

    width, height = size
    image = Image.new("RGBA", (width + 12, height + 12), (0, 0, 0, 0))
    ImageDraw.Draw(image).rounded_rectangle((5, 5, width + 4, height + 5), 8, fill=(0, 0, 0, 120))
    return image.filter(ImageFilter.GaussianBlur(2.5))


def _text(
    image: Any,
    x: float,
    y: float,
    words: str,
    size: int,
    ink: Ink = INK,
    *,
    anchor: str = "la",
    bold: bool = False,
) -> None:
    from PIL import ImageDraw

    ImageDraw.Draw(image).text((x, y), words, ink, font(size), anchor=anchor, stroke_width=0.5 if bold else 0)


def _width(words: str, size: int) -> int:
    return int(font(size).getlength(words)) + 1


def _lines(words: str, size: int, width: int, most: int) -> list[str]:
    """Break at spaces and commas into at most `most` lines of `width` pixels; dots stand for the rest."""
    lines = [""]
    for word in words.replace(",", ", ").split():
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1] + " ..."]


def _corners(image: Any, scene: Scene) -> None:
    """Title, heading and notes at the top left, trump at the top right, the last trick and choices below."""
    y = 14
    for words in _lines(scene.title, 14, CORNER, 2):
        _text(image, 22, y, words, 14, QUIET)
        y += 18
    for words in _lines(scene.heading, 24, CORNER, 2):
        _text(image, 22, y + 2, words, 24, GOLD, bold=True)
        y += 30
    for words in scene.notes:
        _text(image, 22, y + 6, words, 15)
        y += 20
    if scene.trump is not None:
        _text(image, SIZE[0] - 84, 42, "trump", 18, QUIET, anchor="rm")
        image.alpha_composite(plate((52, 52), 26, PAPER, PAPER, 0), (SIZE[0] - 72, 16))
        image.alpha_composite(suit_sign(scene.trump, 34), (SIZE[0] - 63, 25))
    if scene.last_trick:
        _text(image, 22, SIZE[1] - 142, "last trick", 15, QUIET)
        for place, card in enumerate(scene.last_trick):
            small = _small(card)
            _put(image, small, 22 + (small.size[0] + 6) * place, SIZE[1] - 116)
    _choices(image, scene.choices)


def _choices(image: Any, choices: Sequence[str]) -> None:
    """Buttons in rows at the bottom right, filled from the bottom and from the right."""
    right, y = SIZE[0] - 22, SIZE[1] - 52
    for words in choices:
        wide = _width(words, 17) + 30
        if right - wide < SIZE[0] - 22 - CORNER:
            right, y = SIZE[0] - 22, y - 42
        image.alpha_composite(plate((wide, 34), 17, GOLD, GOLD, 0), (right - wide, y))
        _text(image, right - wide / 2, y + 17, words, 17, (44, 36, 10), anchor="mm")
        right -= wide + 10


@cache
def _small(card: str) -> Any:
    from PIL import Image

    return card_face(card).resize((CARD[0] * 2 // 3, CARD[1] * 2 // 3), Image.Resampling.LANCZOS)


def _talon(image: Any, scene: Scene) -> None:
    """The pile left of the middle; the turned card sticks out from under it, or lies across it face down."""
    x, y = SIZE[0] // 2 - 270, SIZE[1] // 2 - CARD[1] // 2
    if scene.turned is not None and not scene.turned_down:
        face = card_face(scene.turned).rotate(90, expand=True)
        _put(image, face, x + (44 if scene.talon else -20), y + (CARD[1] - CARD[0]) // 2)
    for layer in range(min(scene.talon, 14)):
        _put(image, card_back(), x - layer, y - layer, shadow=layer == 0)
    if scene.turned is not None and scene.turned_down:
        _put(image, card_back().rotate(90, expand=True), x - 26, y + (CARD[1] - CARD[0]) // 2 - 8)
    if scene.talon or scene.turned is not None:
        cards = scene.talon + (scene.turned is not None)
        words = f"{cards} card{'s' * (cards != 1)}{', closed' * scene.turned_down}"
        _text(image, x + CARD[0] // 2, y + CARD[1] + 20, words, 16, QUIET, anchor="mm")


def _seat(image: Any, view: SeatView, place: str) -> None:
    """Cards in a row (bottom, top) or a column (sides), and the plate beside them."""
    face_down: list[tuple[str | None, bool]] = [(None, False)] * view.hidden
    shown = face_down + [(card, card in view.playable) for card in view.cards]
    upright = place in (BOTTOM, TOP)
    step = min(CARD[0] + 6, 540 // max(len(shown), 1)) if upright else min(50, 270 // max(len(shown), 1))
    length = step * (len(shown) - 1) + CARD[0]
    for number, (card, playable) in enumerate(shown):
        if upright:
            x = SIZE[0] // 2 + number * step - length // 2
            y = SIZE[1] - CARD[1] - 74 if place == BOTTOM else 70
            y += (-LIFT if place == BOTTOM else LIFT) * playable
        else:
            x, y = (24 if place == LEFT else SIZE[0] - CARD[0] - 24), SIDE_TOP + number * step
            x += (LIFT if place == LEFT else -LIFT) * playable
        dimmed = card is not None and view.to_act and not playable
        _put(image, card_back() if card is None else card_face(card, dimmed), x, y)
    _name_plate(image, view, place)


def _name_plate(image: Any, view: SeatView, place: str) -> None:
    from PIL import ImageDraw

    notes = "  |  ".join(view.notes)
    wide = max(_width("  ".join([view.name, *view.marks]), 19) + 48, _width(notes, 15) + 34, 160)
    high = 56 if notes else 34
    if place in (BOTTOM, TOP):
        x, y = SIZE[0] // 2 - wide // 2, SIZE[1] - 64 if place == BOTTOM else 8
    else:
        x, y = (14 if place == LEFT else SIZE[0] - wide - 14), SIDE_TOP - 64
    edge, width = (GOLD, 3) if view.to_act else ((70, 120, 98), 1)
    image.alpha_composite(plate((wide, high), 12, PLATE, edge, width), (x, y))
    at = x + 17
    if view.to_act:
        ImageDraw.Draw(image).polygon([(at, y + 11), (at + 11, y + 18), (at, y + 25)], fill=GOLD)
        at += 19
    _text(image, at, y + 17, view.name, 19, GOLD if view.to_act else INK, anchor="lm", bold=True)
    at += _width(view.name, 19) + 10
    for mark in view.marks:
        _text(image, at, y + 18, mark, 15, QUIET, anchor="lm")
        at += _width(mark, 15) + 8
    _text(image, x + 17, y + 40, notes, 15, INK, anchor="lm")
