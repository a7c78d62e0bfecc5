"""Zwicken positions as text: the keys, and each key's value written and read by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardsim.games.zwicken.kernels import MAX_ATTEMPTS, goes_ahead
from cardsim.games.zwicken.layout import ANNOUNCE, CUT_CHIPS, PACK, PHASES, SEAT_COLUMNS
from cardsim.options import clip
from cardsim.positions import (
    NONE,
    Key,
    card_key,
    cards_key,
    history_text,
    number_key,
    row_key,
    seat_key,
    seat_number,
    seats_of,
    talon_text,
    word_key,
)
from cardsim.seats import next_in
from cardsim.texts import members

COUNTS = tuple(f"counts.{column}" for column in SEAT_COLUMNS)
CHIPS = ("chips", "before", "gained")
DEAL_COUNTS = ("stayed", "all_passed", "unopposed", "marches")
EPISODE_NUMBERS = ("attempts", "deals", "decisions", "cuts", "belli_cuts", "pots", *DEAL_COUNTS)
ESSENTIAL = (
    "dealer", "phase", "player", "active", "hands", "up", "shown", "talon", "thrown", "history", "pot", "chips",
)  # fmt: skip
"""Keys that are written unless they are `-` or what the others imply; the defaults of all others follow from these."""
OPTIONAL = ("before", "gained", *EPISODE_NUMBERS, *COUNTS)
KEYS = ESSENTIAL + OPTIONAL
EMPTY_KEYS = ("dealer", "phase", "pot", "chips", "before", *EPISODE_NUMBERS, *COUNTS)
"""Keys that make sense where no card lies on the table."""
LIMIT = 1_000_000_000
"""Largest number of a key: the counts of chips, int32, keep room for a whole pot."""


def voids(card: int) -> bool:
    """Whether a cut that shows this card voids the deal: an Ace or a 7, the Belli included (Z11, Z12, ZQ5)."""
    return not goes_ahead(card)


def seats_from(state: Any, dealer: int) -> list[int]:
    """All seats clockwise, the dealer last."""
    players = seats_of(state)
    return [(dealer + 1 + k) % players for k in range(players)]


def asked_seats(state: Any, dealer: int) -> list[int]:
    """Seats that have announced, in order."""
    seats = seats_from(state, dealer)
    return seats[: seats.index(int(state["player"]))] if state["phase"] == ANNOUNCE else seats


def following(state: Any, seat: int) -> int:
    """Next seat clockwise that plays."""
    return int(next_in(int(state["active"]), seat, seats_of(state)))


def _read_active(state: Any, text: str) -> None:
    mask = 0
    for part in [] if text == NONE else text.split(","):
        seat = seat_number("active", part, seats_of(state))
        if mask >> seat & 1:
            raise ValueError(f"position: active={clip(text)}: a seat is named twice")
        mask |= 1 << seat
    state["active"] = mask


def _field(key: str) -> Callable[[Any], Any]:
    return lambda state: state[key]


def _count(column: int) -> Callable[[Any], Any]:
    return lambda state: state["counts"][column]


_KINDS: dict[str, Key] = {
    "dealer": seat_key("dealer", must=True),
    "player": seat_key("player"),
    "phase": word_key("phase", PHASES),
    "active": Key(lambda state: ",".join(map(str, members(state["active"]))) or NONE, _read_active),
    "hands": cards_key("hands", "hand", PACK),
    "thrown": cards_key("thrown", "thrown", PACK),
    **{key: card_key(key, PACK) for key in ("up", "shown")},
    "pot": number_key("pot", LIMIT),
    **{key: row_key(key, _field(key), LIMIT, -LIMIT) for key in CHIPS},
    **{key: number_key(key, LIMIT) for key in EPISODE_NUMBERS},
    "attempts": number_key("attempts", MAX_ATTEMPTS),
    **{
        key: row_key(key, _count(column), LIMIT, -LIMIT if column == CUT_CHIPS else 0)
        for column, key in enumerate(COUNTS)
    },
}
"""All keys but talon and history, which only positions.py can read."""


def key_text(state: Any, key: str) -> str:
    """Value of a key as text."""
    if key == "talon":
        return talon_text(state, PACK)
    if key == "history":
        return history_text(state, len(members(state["active"])), lambda seat: following(state, seat), PACK)
    return _KINDS[key].text(state)


def set_key(state: Any, key: str, text: str) -> None:
    """Write the value of a key; the inverse of `key_text`."""
    _KINDS[key].read(state, text)


def total_chips(state: Any) -> int:
    """Chips in hands and pot, the same at all times (section 5)."""
    rules = state["rules"]
    return seats_of(state) * int(rules["start_chips"]) + int(rules["start_pot"])
