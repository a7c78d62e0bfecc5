"""The table as a picture: a game says what lies where (`Scene`), this module draws it, for 2 to 8 seats.

Pillow is imported when something is drawn, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardsim_envs.card_art import CARD, chip, plate, suit_sign
from cardsim_envs.painting import (
    DARK_INK,
    GOLD,
    INK,
    PAPER,
    PLATE,
    QUIET,
    broken,
    card_image,
    card_size,
    felt,
    fitted,
    put,
    spaced,
    text,
    text_width,
)
from cardsim_envs.places import CORNER, EDGE, SIZE, Layout, Place, layout
from cardsim_envs.spread import Item, draw_in_play, draw_items

LIFT = 14
"""Pixels by which playable cards stand out of the hand, at full size."""
STEP = {False: CARD[0] + 6, True: 50}
"""From one card of a hand to the next where there is room, in a row and in a column, at full size."""
PILE, PILE_STEP = 0.5, 20
"""Size of the cards of a pile, and from one to the next."""
LAST = 2 / 3
"""Size of the cards of the last trick."""
MOST_CHIPS, CHIP = 8, 26
ROOMY, WIDEST = 300, 480
"""Plates beside hands with less room than this are lettered smaller; no plate is wider than that."""


@dataclass(frozen=True)
class SeatView:
    """One seat as it is to be drawn.

    Attributes:
        name: what stands on its plate.
        cards: texts of the cards shown, in order; the other `hidden` cards lie face down.
        playable: those of `cards` that may be chosen now.
        pile: cards that lie before the seat, laid away: texts, None for one face down.
        won: cards of a closed pile that lies before the seat; only where there is no `pile`.
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
    won: int = 0
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
        items: what lies open in the middle, in order, in a game of capture; None in a game of tricks.
        in_play: text of the card that has left a hand and lies nowhere yet, if any.
        in_play_note: what is said of it.
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
    items: Sequence[Item] | None = None
    in_play: str | None = None
    in_play_note: str = ""
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
    return f"{number} {name}{'' if abs(number) == 1 else 's'}"


def picture(scene: Scene) -> Any:
    """Draw a scene.

    Returns:
        uint8 (H, W, 3), the same size for every scene.
    """
    import numpy as np

    image = felt().copy()
    beside = bool(scene.talon or scene.turned is not None or scene.pot is not None)
    table = layout(len(scene.seats), beside, scene.items is not None)
    _corners(image, scene)
    _talon(image, scene, table)
    draw_items(image, scene.items or (), table.field)
    if scene.in_play is not None:
        draw_in_play(image, scene.in_play, scene.in_play_note, table.field)
    wide, high = card_size(table.scale)
    for seat, card in scene.trick:
        x, y = table.places[seat].trick
        put(image, card_image(card, table.scale), table.middle[0] + x - wide // 2, table.middle[1] + y - high // 2)
    for view, place in zip(scene.seats, table.places, strict=True):
        _hand(image, view, place, table.scale)
        _name_plate(image, view, place)
    return np.asarray(image.convert("RGB"), np.uint8).copy()


def _corners(image: Any, scene: Scene) -> None:
    """Title, heading and notes at the top left, trump at the top right, the last trick and choices below."""
    y = 12
    for words in broken(scene.title, 14, CORNER, 2):
        text(image, EDGE, y, words, 14, QUIET)
        y += 17
    for words in broken(scene.heading, 22, CORNER, 2):
        text(image, EDGE, y + 2, words, 22, GOLD, bold=True)
        y += 27
    for words in scene.notes:
        text(image, EDGE, y + 5, fitted(words, 15, CORNER), 15)
        y += 18
    if scene.trump is not None:
        text(image, SIZE[0] - 84, 42, "trump", 18, QUIET, anchor="rm")
        image.alpha_composite(plate((52, 52), 26, PAPER, PAPER, 0), (SIZE[0] - 72, 16))
        image.alpha_composite(suit_sign(scene.trump, 34), (SIZE[0] - 63, 25))
    if scene.last_trick:
        text(image, EDGE, SIZE[1] - 142, "last trick", 15, QUIET)
        wide = card_size(LAST)[0]
        step = spaced(len(scene.last_trick), wide, wide + 6, CORNER)
        for place, card in enumerate(scene.last_trick):
            put(image, card_image(card, LAST), EDGE + step * place, SIZE[1] - 116)
    _choices(image, scene.choices)


def _choices(image: Any, choices: Sequence[str]) -> None:
    """Buttons in rows at the bottom right, filled from the bottom and from the right."""
    right, y = SIZE[0] - EDGE, SIZE[1] - 52
    for words in choices:
        wide = text_width(words, 17) + 30
        if right - wide < SIZE[0] - EDGE - CORNER:
            right, y = SIZE[0] - EDGE, y - 42
        image.alpha_composite(plate((wide, 34), 17, GOLD, GOLD, 0), (right - wide, y))
        text(image, right - wide / 2, y + 17, words, 17, DARK_INK, anchor="mm")
        right -= wide + 10


def _talon(image: Any, scene: Scene, table: Layout) -> None:
    """The pile left of the trick, or in the corner: the turned card sticks out on the right or lies across it, face
    down, a last card that is known on the left; the pot above it.
    """
    x, y = table.talon
    wide, high = card_size(table.talon_scale)
    if scene.pot is not None:
        _pot(image, scene.pot, x - 24, y - 46)
    if scene.bottom is not None:
        put(image, card_image(scene.bottom, table.talon_scale), x - round(42 * table.talon_scale), y)
    turned_y = y + (high - wide) // 2
    if scene.turned is not None and not scene.turned_down:
        face = card_image(scene.turned, table.talon_scale).rotate(90, expand=True)
        put(image, face, x + (round(44 * table.talon_scale) if scene.talon else wide // 2 - high // 2), turned_y)
    for layer in range(min(scene.talon, 14)):
        put(image, card_image(None, table.talon_scale), x - layer // 2, y - layer, shadow=layer == 0)
    if scene.turned is not None and scene.turned_down:
        put(
            image,
            card_image(None, table.talon_scale).rotate(90, expand=True),
            x + wide // 2 - high // 2 - 4,
            turned_y - 8,
        )
    cards = scene.talon + (scene.turned is not None and scene.turned_counts)
    if cards:
        words = counted(cards, "card") + ", closed" * scene.turned_down
        text(image, x + wide // 2, y + high + 20, words, 16, QUIET, anchor="mm")


def _pot(image: Any, chips: int, x: int, y: int) -> None:
    """Some chips in a row, and how many they are."""
    for _ in range(min(chips, MOST_CHIPS)):
        put(image, chip(CHIP), x, y - CHIP // 2, shadow=False)
        x += CHIP // 2
    text(image, x + CHIP // 2 + 8, y, f"pot {chips}", 18, GOLD, anchor="lm", bold=True)


def _hand(image: Any, view: SeatView, place: Place, scale: float) -> None:
    """Cards in a row with the pile at its end, or in a column with the pile beside it."""
    wide, high = card_size(scale)
    small_wide, small_high = card_size(PILE)
    backs: list[str | None] = [None] * view.hidden
    cards = [*backs, *view.cards]
    pile_step = spaced(len(view.pile), small_wide, PILE_STEP, 2 * small_wide)
    pile = small_wide + pile_step * (len(view.pile) - 1) + 10 if view.pile else 0
    pile += (small_wide + 14) * bool(view.won)
    room = place.room - (0 if place.column else pile)
    step = spaced(len(cards), high if place.column else wide, round(STEP[place.column] * scale), room)
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
        put(image, card_image(card, scale, dimmed, view.faint), *at, shadow=not view.faint)
    inner = wide + LIFT + 12 if place.side < 0 else -LIFT - 12 - small_wide
    for number, card in enumerate(view.pile):
        along = number * pile_step
        at = (x + inner, y + along) if place.column else (x + length + 10 + along, y + high - small_high)
        put(image, card_image(card, PILE), *at)
    if view.won:
        at = (x + inner, y) if place.column else (x + length + 14, y + high - small_high)
        _won(image, view.won, *at)


def _won(image: Any, cards: int, x: int, y: int) -> None:
    """A closed pile, and how many cards it has."""
    wide, high = card_size(PILE)
    for layer in range(min(1 + cards // 8, 5)):
        put(image, card_image(None, PILE), x, y - 2 * layer, shadow=layer == 0)
    words, top = str(cards), y - 2 * layer
    badge = plate((text_width(words, 16) + 14, 24), 12, PLATE, GOLD, 1)
    put(image, badge, x + (wide - badge.width) // 2, top + (high - badge.height) // 2, shadow=False)
    text(image, x + wide / 2, top + high / 2, words, 16, INK, anchor="mm", bold=True)


def _name_plate(image: Any, view: SeatView, place: Place) -> None:
    from PIL import ImageDraw

    small = place.room < ROOMY and not place.column
    name_size, mark_size, pad = (17, 13, 12) if small else (19, 15, 17)
    most = (place.room if small else WIDEST) - 2 * pad
    turn = 19 * view.to_act
    marks = fitted("  ".join(view.marks), mark_size, most - turn - text_width(view.name, name_size) - 10)
    notes = fitted("  |  ".join(view.notes), mark_size, most)
    first = turn + text_width(view.name, name_size) + (10 + text_width(marks, mark_size) if marks else 0)
    wide = max(first, text_width(notes, mark_size), 126) + 2 * pad
    x = place.x - wide * (place.side + 1) // 2
    y, high = place.plate, 56 if notes else 34
    edge, width = (GOLD, 3) if view.to_act else ((70, 120, 98), 1)
    image.alpha_composite(plate((wide, high), 12, PLATE, edge, width), (x, y))
    at = x + pad
    if view.to_act:
        ImageDraw.Draw(image).polygon([(at, y + 11), (at + 11, y + 18), (at, y + 25)], fill=GOLD)
    ink = GOLD if view.to_act else QUIET if view.faint else INK
    text(image, at + turn, y + 17, view.name, name_size, ink, anchor="lm", bold=True)
    text(image, at + turn + text_width(view.name, name_size) + 10, y + 18, marks, mark_size, QUIET, anchor="lm")
    text(image, at, y + 40, notes, mark_size, QUIET if view.faint else INK, anchor="lm")
