"""The table as a picture: a game says what lies where (`Scene`), this module draws it, for 2 to 8 seats.

Pillow is imported when something is drawn, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cardsim_envs.card_art import CARD, Ink, card_back, card_face, chip, font, plate, suit_sign
from cardsim_envs.places import CORNER, EDGE, SIZE, Layout, Place, layout

FELT_LIGHT = (40, 110, 84)
FELT_DARK = (20, 66, 52)
INK = (238, 236, 224)
QUIET = (176, 204, 190)
GOLD = (246, 204, 92)
PLATE = (12, 44, 35)
PAPER = (250, 249, 242)
LIFT = 14
"""Pixels by which playable cards stand out of the hand, at full size."""
STEP = {False: CARD[0] + 6, True: 50}
"""From one card of a hand to the next where there is room, in a row and in a column, at full size."""
PILE, PILE_STEP = 0.5, 20
"""Size of the cards of a pile, and from one to the next."""
LAST = 2 / 3
"""Size of the cards of the last trick."""
MOST_CHIPS, CHIP = 8, 26
FAINT = 0.45
"""How much of a card's colours is left where a seat takes no part."""
ROOMY, WIDEST = 300, 480
"""Plates beside hands with less room than this are lettered smaller; no plate is wider than that."""


@dataclass(frozen=True)
class SeatView:
    """One seat as it is to be drawn.

    Attributes:
        name: what stands on its plate.
        cards: texts of the cards shown, in order; the other `hidden` cards lie face down.
        playable: those of `cards` that may be chosen now.
        pile: cards that lie before the seat, laid away or won: texts, None for one face down.
        notes: on the plate under the name: points, tricks and the like.
        marks: small words beside the name, such as `dealer`.
        to_act: whether it is this seat's turn.
        faint: whether it takes no part (any more).
    """

    name: str
    cards: Sequence[str] = ()
    hidden: int = 0
    playable: frozenset[str] = frozenset()
    pile: Sequence[str | None] = ()
    notes: Sequence[str] = ()
    marks: Sequence[str] = ()
    to_act: bool = False
    faint: bool = False


@dataclass(frozen=True)
class Scene:
    """A table as it is to be drawn.

    Attributes:
        title: the game and its rules.
        heading: what is being decided.
        seats: 2 to 8, clockwise; the first one sits at the bottom.
        notes: lines of the corner under the heading.
        trick: (seat, card text) in the order played.
        talon: face-down cards to draw, the turned one not counted.
        turned: text of the turned card that lies beside the talon, if any.
        turned_down: whether it lies face down, across the talon.
        turned_counts: whether the turned card will be drawn too.
        bottom: text of the talon's last card, if it is known.
        pot: chips in the middle, if the game has a pot.
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
    turned_counts: bool = True
    bottom: str | None = None
    pot: int | None = None
    trump: str | None = None
    last_trick: Sequence[str] = ()
    choices: Sequence[str] = ()


def counted(number: int, name: str) -> str:
    """A number of things in words: `1 trick`, `2 tricks`."""
    return f"{number} {name}{'s' * (abs(number) != 1)}"


def picture(scene: Scene) -> Any:
    """Draw a scene.

    Returns:
        uint8 (H, W, 3), the same size for every scene.
    """
    import numpy as np

    image = _felt().copy()
    beside = bool(scene.talon or scene.turned is not None or scene.pot is not None)
    table = layout(len(scene.seats), beside)
    _corners(image, scene)
    _talon(image, scene, table)
    wide, high = _size(table.scale)
    for seat, card in scene.trick:
        x, y = table.places[seat].trick
        _put(image, _card(card, table.scale), table.middle[0] + x - wide // 2, table.middle[1] + y - high // 2)
    for view, place in zip(scene.seats, table.places, strict=True):
        _hand(image, view, place, table.scale)
        _name_plate(image, view, place)
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


def _size(scale: float) -> tuple[int, int]:
    """Width and height of a card."""
    return round(CARD[0] * scale), round(CARD[1] * scale)


@cache
def _card(card: str | None, scale: float, dimmed: bool = False, faint: bool = False) -> Any:
    """A card face up, or face down for None, at any size."""
    from PIL import Image

    image = card_back() if card is None else card_face(card, dimmed)
    if scale != 1:
        image = image.resize(_size(scale), Image.Resampling.LANCZOS)
    if faint:
        felt = Image.new("RGBA", image.size, (*FELT_DARK, 255))
        felt.putalpha(image.getchannel("A"))
        image = Image.blend(felt, image, FAINT)
    return image


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


def _fit(words: str, size: int, width: int) -> str:
    """As much of a line as `width` pixels hold; dots stand for the rest."""
    if _width(words, size) <= width:
        return words
    while words and _width(words + "...", size) > width:
        words = words[:-1]
    return words + "..."


def _corners(image: Any, scene: Scene) -> None:
    """Title, heading and notes at the top left, trump at the top right, the last trick and choices below."""
    y = 12
    for words in _lines(scene.title, 14, CORNER, 2):
        _text(image, EDGE, y, words, 14, QUIET)
        y += 17
    for words in _lines(scene.heading, 22, CORNER, 2):
        _text(image, EDGE, y + 2, words, 22, GOLD, bold=True)
        y += 27
    for words in scene.notes:
        _text(image, EDGE, y + 5, _fit(words, 15, CORNER), 15)
        y += 18
    if scene.trump is not None:
        _text(image, SIZE[0] - 84, 42, "trump", 18, QUIET, anchor="rm")
        image.alpha_composite(plate((52, 52), 26, PAPER, PAPER, 0), (SIZE[0] - 72, 16))
        image.alpha_composite(suit_sign(scene.trump, 34), (SIZE[0] - 63, 25))
    if scene.last_trick:
        _text(image, EDGE, SIZE[1] - 142, "last trick", 15, QUIET)
        wide = _size(LAST)[0]
        step = _step(len(scene.last_trick), wide, wide + 6, CORNER)
        for place, card in enumerate(scene.last_trick):
            _put(image, _card(card, LAST), EDGE + step * place, SIZE[1] - 116)
    _choices(image, scene.choices)


def _choices(image: Any, choices: Sequence[str]) -> None:
    """Buttons in rows at the bottom right, filled from the bottom and from the right."""
    right, y = SIZE[0] - EDGE, SIZE[1] - 52
    for words in choices:
        wide = _width(words, 17) + 30
        if right - wide < SIZE[0] - EDGE - CORNER:
            right, y = SIZE[0] - EDGE, y - 42
        image.alpha_composite(plate((wide, 34), 17, GOLD, GOLD, 0), (right - wide, y))
        _text(image, right - wide / 2, y + 17, words, 17, (44, 36, 10), anchor="mm")
        right -= wide + 10


def _step(count: int, size: int, wanted: int, room: int) -> int:
    """From one card to the next, so that `count` cards of a width or height lie in the room."""
    return min(wanted, (room - size) // max(count - 1, 1))


def _talon(image: Any, scene: Scene, table: Layout) -> None:
    """The pile left of the trick: the turned card sticks out on the right or lies across it face down, a last card that
    is known on the left; the pot above it.
    """
    x, y = table.talon
    wide, high = _size(table.scale)
    if scene.pot is not None:
        _pot(image, scene.pot, x - 24, y - 46)
    if scene.bottom is not None:
        _put(image, _card(scene.bottom, table.scale), x - round(42 * table.scale), y)
    turned_y = y + (high - wide) // 2
    if scene.turned is not None and not scene.turned_down:
        face = _card(scene.turned, table.scale).rotate(90, expand=True)
        _put(image, face, x + (round(44 * table.scale) if scene.talon else wide // 2 - high // 2), turned_y)
    for layer in range(min(scene.talon, 14)):
        _put(image, _card(None, table.scale), x - layer // 2, y - layer, shadow=layer == 0)
    if scene.turned is not None and scene.turned_down:
        _put(image, _card(None, table.scale).rotate(90, expand=True), x + wide // 2 - high // 2 - 4, turned_y - 8)
    cards = scene.talon + (scene.turned is not None and scene.turned_counts)
    if cards:
        words = counted(cards, "card") + ", closed" * scene.turned_down
        _text(image, x + wide // 2, y + high + 20, words, 16, QUIET, anchor="mm")


def _pot(image: Any, chips: int, x: int, y: int) -> None:
    """Some chips in a row, and how many they are."""
    for _ in range(min(chips, MOST_CHIPS)):
        _put(image, chip(CHIP), x, y - CHIP // 2, shadow=False)
        x += CHIP // 2
    _text(image, x + CHIP // 2 + 8, y, f"pot {chips}", 18, GOLD, anchor="lm", bold=True)


def _hand(image: Any, view: SeatView, place: Place, scale: float) -> None:
    """Cards in a row with the pile at its end, or in a column with the pile beside it."""
    wide, high = _size(scale)
    small_wide, small_high = _size(PILE)
    backs: list[str | None] = [None] * view.hidden
    cards = [*backs, *view.cards]
    pile_step = _step(len(view.pile), small_wide, PILE_STEP, 2 * small_wide)
    pile = small_wide + pile_step * (len(view.pile) - 1) + 10 if view.pile else 0
    room = place.room - (0 if place.column else pile)
    step = _step(len(cards), high if place.column else wide, round(STEP[place.column] * scale), room)
    length = step * (len(cards) - 1) + wide if cards else -10
    x, y, lift = place.x - wide * (place.side > 0), place.y, round(LIFT * scale)
    if not place.column:
        x = place.x - (length + pile) * (place.side + 1) // 2
    for number, card in enumerate(cards):
        chosen = lift * (card in view.playable)
        at = (
            (x - chosen * place.side, y + number * step)
            if place.column
            else (x + number * step, y + chosen * place.lift)
        )
        dimmed = card is not None and bool(view.playable) and not chosen
        _put(image, _card(card, scale, dimmed, view.faint), *at, shadow=not view.faint)
    inner = wide + LIFT + 12 if place.side < 0 else -LIFT - 12 - small_wide
    for number, card in enumerate(view.pile):
        along = number * pile_step
        at = (x + inner, y + along) if place.column else (x + length + 10 + along, y + high - small_high)
        _put(image, _card(card, PILE), *at)


def _name_plate(image: Any, view: SeatView, place: Place) -> None:
    from PIL import ImageDraw

    small = place.room < ROOMY and not place.column
    name_size, mark_size, pad = (17, 13, 12) if small else (19, 15, 17)
    most = (place.room if small else WIDEST) - 2 * pad
    turn = 19 * view.to_act
    marks = _fit("  ".join(view.marks), mark_size, most - turn - _width(view.name, name_size) - 10)
    notes = _fit("  |  ".join(view.notes), mark_size, most)
    first = turn + _width(view.name, name_size) + (10 + _width(marks, mark_size) if marks else 0)
    wide = max(first, _width(notes, mark_size), 126) + 2 * pad
    x = place.x - wide * (place.side + 1) // 2
    y, high = place.plate, 56 if notes else 34
    edge, width = (GOLD, 3) if view.to_act else ((70, 120, 98), 1)
    image.alpha_composite(plate((wide, high), 12, PLATE, edge, width), (x, y))
    at = x + pad
    if view.to_act:
        ImageDraw.Draw(image).polygon([(at, y + 11), (at + 11, y + 18), (at, y + 25)], fill=GOLD)
    ink = GOLD if view.to_act else QUIET if view.faint else INK
    _text(image, at + turn, y + 17, view.name, name_size, ink, anchor="lm", bold=True)
    _text(image, at + turn + _width(view.name, name_size) + 10, y + 18, marks, mark_size, QUIET, anchor="lm")
    _text(image, at, y + 40, notes, mark_size, QUIET if view.faint else INK, anchor="lm")
