"""Playing cards as pictures, drawn with Pillow from curves: no image files, no system fonts, no display."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import Any

from cardsim.cards import RED_SUITS

Ink = tuple[int, int, int]
CARD = (100, 144)
"""Width and height of a card in pixels."""
SCALE = 4
"""Everything is drawn this much larger and then shrunk, which smooths the edges."""
RED = (190, 30, 45)
BLACK = (28, 30, 38)
PAPER = (252, 251, 246)
EDGE = (150, 146, 134)
DIMMED = (206, 204, 196)
BACK = (38, 70, 120)
BACK_LINE = (92, 128, 184)
JOKER = (96, 44, 140)
PIPS = {
    "2": ((1, -2), (1, 2)),
    "3": ((1, -2), (1, 0), (1, 2)),
    "4": ((0, -2), (2, -2), (0, 2), (2, 2)),
    "5": ((0, -2), (2, -2), (1, 0), (0, 2), (2, 2)),
    "6": ((0, -2), (2, -2), (0, 0), (2, 0), (0, 2), (2, 2)),
    "7": ((0, -2), (2, -2), (1, -1), (0, 0), (2, 0), (0, 2), (2, 2)),
    "8": ((0, -2), (2, -2), (1, -1), (0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    "9": ((0, -2), (2, -2), (0, -0.7), (2, -0.7), (1, 0), (0, 0.7), (2, 0.7), (0, 2), (2, 2)),
    "T": ((0, -2), (2, -2), (1, -1.35), (0, -0.7), (2, -0.7), (0, 0.7), (2, 0.7), (1, 1.35), (0, 2), (2, 2)),
}
"""Places of the pips: column 0, 1, 2, and row from -2 to 2."""


def font(size: float) -> Any:
    """Pillow's own typeface at a size in pixels."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def colour(suit: str) -> Ink:
    """Ink of a suit `D H S C`, or of a joker, `X`."""
    return JOKER if suit == "X" else RED if suit in RED_SUITS else BLACK


def sign_and_label(name: str) -> tuple[str, str]:
    """What a card shows: its sign, a suit or a joker's star `X`, and its rank or value; a wild joker has none."""
    if name[0] == "X":
        return "X", name[1:].replace("W", "")
    return name[-1], name[:-1].replace("T", "10")


@cache
def suit_sign(suit: str, size: int, ink: Ink | None = None) -> Any:
    """A suit sign, or the star of a joker for `X`, as an RGBA image of `size` x `size` pixels."""
    from PIL import Image, ImageDraw

    large = size * SCALE
    image = Image.new("RGBA", (large, large), (*(ink or colour(suit)), 0))
    draw = ImageDraw.Draw(image)
    fill = (*(ink or colour(suit)), 255)

    def at(x: float, y: float) -> tuple[float, float]:
        return large * (0.5 + x), large * (0.5 + y)

    def disc(x: float, y: float, radius: float) -> None:
        draw.ellipse((*at(x - radius, y - radius), *at(x + radius, y + radius)), fill=fill)

    if suit == "D":
        right = [(0, -0.46), (0.15, -0.2), (0.38, 0), (0.15, 0.2), (0, 0.46)]
        draw.polygon([at(x, y) for x, y in right] + [at(-x, y) for x, y in right[3:0:-1]], fill=fill)
    elif suit == "H":
        draw.polygon([at(x, y) for x, y in _heart()], fill=fill)
    elif suit == "X":
        reach = (0.5, 0.2)
        star = [(reach[k & 1] * sin(k * pi / 5), -reach[k & 1] * cos(k * pi / 5) + 0.03) for k in range(10)]
        draw.polygon([at(x, y) for x, y in star], fill=fill)
    elif suit == "S":
        draw.polygon([at(0.94 * x, -0.94 * y - 0.05) for x, y in _heart()], fill=fill)
    else:
        disc(0, -0.22, 0.215)
        disc(-0.235, 0.1, 0.215)
        disc(0.235, 0.1, 0.215)
        draw.polygon([at(-0.13, -0.1), at(0.13, -0.1), at(0.1, 0.15), at(-0.1, 0.15)], fill=fill)
    if suit in "SC":
        stem = [(0.035, 0.0), (0.05, 0.22), (0.09, 0.36), (0.2, 0.45)]
        draw.polygon([at(x, y) for x, y in stem] + [at(-x, y) for x, y in reversed(stem)], fill=fill)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _heart() -> list[tuple[float, float]]:
    """The heart curve, in -0.45 .. 0.45."""
    points = []
    for step in range(120):
        t = 2 * pi * step / 120
        x = 16 * sin(t) ** 3
        y = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
        points.append((x / 37, -(y + 2.5) / 34))
    return points


@cache
def card_face(name: str, dimmed: bool = False) -> Any:
    """A card, face up, as an RGBA image.

    Args:
        name: text of the card, such as `TH`, or of a joker, such as `X15` and `XW`.
        dimmed: greyed, for a card that may not be played now.
    """
    from PIL import ImageDraw

    suit, shown = sign_and_label(name)
    rank = name[0]
    image = _blank(DIMMED if dimmed else PAPER)
    draw = ImageDraw.Draw(image)
    ink = colour(suit)
    for corner in range(2):
        if corner:
            image = image.rotate(180)
            draw = ImageDraw.Draw(image)
        if shown:
            draw.text((17 if suit == "X" else 16, 18), shown, ink, font(23), anchor="mm", stroke_width=0.6)
        image.alpha_composite(suit_sign(suit, 18), (7, 31 if shown else 9))
    image = image.rotate(180)
    draw = ImageDraw.Draw(image)
    centre_x, centre_y = CARD[0] // 2, CARD[1] // 2
    if rank in PIPS:
        for column, row in PIPS[rank]:
            sign = suit_sign(suit, 18)
            sign = sign.rotate(180) if row > 0 else sign
            image.alpha_composite(sign, (centre_x - 21 + int(column * 12), centre_y - 9 + int(row * 23)))
    elif suit == "X":
        image.alpha_composite(suit_sign(suit, 60), (centre_x - 30, centre_y - 38))
        draw.text((centre_x, centre_y + 33), "joker" if shown else "wild", ink, font(18), anchor="mm", stroke_width=0.3)
    elif rank == "A":
        image.alpha_composite(suit_sign(suit, 56), (centre_x - 28, centre_y - 28))
    else:
        _court(image, draw, rank, suit, ink)
    return image


@cache
def card_index(name: str, dimmed: bool = False) -> Any:
    """A card, face up, of which little more is seen than a large index: for small cards, and those half covered.

    Args:
        name, dimmed: as for `card_face`.
    """
    from PIL import ImageDraw

    suit, shown = sign_and_label(name)
    image = _blank(DIMMED if dimmed else PAPER)
    size = 50 if len(shown) < 2 else 40
    if shown:
        ImageDraw.Draw(image).text((27, 34), shown, colour(suit), font(size), anchor="mm", stroke_width=1.2)
    image.alpha_composite(suit_sign(suit, 42), (6, 62 if shown else 12))
    image.alpha_composite(suit_sign(suit, 46), (CARD[0] - 52, CARD[1] - 54))
    return image


def _court(image: Any, draw: Any, rank: str, suit: str, ink: Ink) -> None:
    """King, queen and jack: a framed letter between two signs, and a crown for the king and the queen."""
    left, top, right, bottom = 28, 20, CARD[0] - 29, CARD[1] - 21
    tint = (236, 214, 160) if rank == "K" else (240, 216, 214) if rank == "Q" else (212, 224, 236)
    image.alpha_composite(plate((right - left, bottom - top), 5, tint, ink, 1), (left, top))
    draw.text((CARD[0] / 2, CARD[1] / 2), rank, ink, font(44), anchor="mm", stroke_width=0.8)
    sign = suit_sign(suit, 16)
    image.alpha_composite(sign, (left + 3, top + 4))
    image.alpha_composite(sign.rotate(180), (right - 18, bottom - 19))


def _blank(paper: Ink) -> Any:
    return plate(CARD, 8, paper, EDGE, 1).copy()


@cache
def plate(size: tuple[int, int], radius: int, fill: Ink, edge: Ink, width: int) -> Any:
    """A rounded rectangle with smooth edges, as an RGBA image of `size`; do not draw on it."""
    from PIL import Image, ImageDraw

    wide, high = size[0] * SCALE, size[1] * SCALE
    image = Image.new("RGBA", (wide, high), (*edge, 0))
    box = (0, 0, wide - 1, high - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, radius * SCALE, (*fill, 255), (*edge, 255), width * SCALE)
    return image.resize(size, Image.Resampling.LANCZOS)


@cache
def card_back() -> Any:
    """A card, face down, as an RGBA image."""
    from PIL import Image, ImageDraw

    image = _blank(PAPER)
    width, height = (CARD[0] - 12) * SCALE, (CARD[1] - 12) * SCALE
    panel = Image.new("RGBA", (width, height), (*BACK, 255))
    draw = ImageDraw.Draw(panel)
    step = 10 * SCALE
    for offset in range(-height, width + height, step):
        draw.line((offset, 0, offset + height, height), fill=BACK_LINE, width=SCALE)
        draw.line((offset, height, offset + height, 0), fill=BACK_LINE, width=SCALE)
    draw.rectangle((0, 0, width - 1, height - 1), outline=BACK_LINE, width=2 * SCALE)
    image.alpha_composite(panel.resize((CARD[0] - 12, CARD[1] - 12), Image.Resampling.LANCZOS), (6, 6))
    return image


@cache
def chip(size: int) -> Any:
    """A chip seen from above, as an RGBA image of `size` x `size` pixels."""
    from PIL import Image, ImageDraw

    large = size * SCALE
    image = Image.new("RGBA", (large, large), (*EDGE, 0))
    draw = ImageDraw.Draw(image)
    whole, inner = (0, 0, large - 1, large - 1), (large // 4, large // 4, large - large // 4, large - large // 4)
    draw.ellipse(whole, fill=(*RED, 255))
    for start in range(0, 360, 60):
        draw.pieslice(whole, start, start + 24, fill=(*PAPER, 255))
    draw.ellipse(whole, outline=(*BLACK, 255), width=SCALE)
    draw.ellipse(inner, fill=(*PAPER, 255), outline=(*RED, 255), width=2 * SCALE)
    return image.resize((size, size), Image.Resampling.LANCZOS)
