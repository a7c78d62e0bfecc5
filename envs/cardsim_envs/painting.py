"""How things are painted on the picture of a table: cloth, cards, text. Pillow is imported when something is drawn."""

from __future__ import annotations

from functools import cache
from typing import Any

from cardsim_envs.card_art import CARD, Ink, card_back, card_face, card_index, font
from cardsim_envs.places import SIZE

FELT_LIGHT = (40, 110, 84)
FELT_DARK = (20, 66, 52)
INK = (238, 236, 224)
QUIET = (176, 204, 190)
GOLD = (246, 204, 92)
PLATE = (12, 44, 35)
PAPER = (250, 249, 242)
DARK_INK = (44, 36, 10)
"""For words on gold."""
FAINT = 0.45
"""How much of a card's colours is left where a seat takes no part."""
LEGIBLE = 0.65
"""Cards that are smaller than this show a large index in place of their face."""


@cache
def felt() -> Any:
    """Green cloth, lighter in the middle."""
    import numpy as np
    from PIL import Image

    width, height = SIZE
    y, x = np.mgrid[0:height, 0:width]
    far = np.clip(np.hypot((x - width / 2) / width, (y - height / 2) / height) * 1.5, 0, 1)[..., None]
    pixels = (1 - far) * np.array(FELT_LIGHT) + far * np.array(FELT_DARK)
    return Image.fromarray(pixels.astype(np.uint8)).convert("RGBA")


def card_size(scale: float) -> tuple[int, int]:
    """Width and height of a card."""
    return round(CARD[0] * scale), round(CARD[1] * scale)


@cache
def card_image(card: str | None, scale: float, dimmed: bool = False, faint: bool = False) -> Any:
    """A card face up, or face down for None, at any size."""
    from PIL import Image

    if card is None:
        image = card_back()
    else:
        image = card_face(card, dimmed) if scale >= LEGIBLE else card_index(card, dimmed)
    if scale != 1:
        image = image.resize(card_size(scale), Image.Resampling.LANCZOS)
    if faint:
        ground = Image.new("RGBA", image.size, (*FELT_DARK, 255))
        ground.putalpha(image.getchannel("A"))
        image = Image.blend(ground, image, FAINT)
    return image


def put(image: Any, sprite: Any, x: int, y: int, *, shadow: bool = True) -> None:
    """Lay a sprite down with its upper left corner at (x, y)."""
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


def text(
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
    """Write a line; `anchor` as Pillow has it."""
    from PIL import ImageDraw

    ImageDraw.Draw(image).text((x, y), words, ink, font(size), anchor=anchor, stroke_width=0.5 if bold else 0)


def text_width(words: str, size: int) -> int:
    """Pixels that a line takes."""
    return int(font(size).getlength(words)) + 1


def broken(words: str, size: int, width: int, most: int) -> list[str]:
    """Break at spaces and commas into at most `most` lines of `width` pixels; dots stand for the rest."""
    lines = [""]
    for word in words.replace(",", ", ").split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1] + " ..."]


def fitted(words: str, size: int, width: int) -> str:
    """As much of a line as `width` pixels hold; dots stand for the rest."""
    if text_width(words, size) <= width:
        return words
    while words and text_width(words + "...", size) > width:
        words = words[:-1]
    return words + "..."


def spaced(count: int, size: int, wanted: int, room: int) -> int:
    """From one card to the next, so that `count` cards of a width or height lie in the room."""
    return min(wanted, (room - size) // max(count - 1, 1))
