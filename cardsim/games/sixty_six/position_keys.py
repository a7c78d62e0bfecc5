"""Sixty-Six positions as text: the keys, and each key's value written and read by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cardsim.cards import SUITS
from cardsim.games.sixty_six.basics import partner_of
from cardsim.games.sixty_six.layout import (
    ASK_EXCHANGE,
    ASK_PAIR,
    DEAL,
    FOLLOW,
    NO_SUIT,
    NOBODY,
    OVER,
    PACK,
    PHASES,
    REASONS,
    SEAT_COLUMNS,
)
from cardsim.games.sixty_six.rules import THREE_HAND
from cardsim.options import clip
from cardsim.positions import (
    NONE,
    Key,
    card_key,
    cards_key,
    history_text,
    number,
    number_key,
    row_key,
    seat_key,
    seat_number,
    seats_of,
    split,
    suit_key,
    suit_number,
    talon_text,
    word_key,
)

COUNTS = tuple(f"counts.{column}" for column in SEAT_COLUMNS)
SIDE_ROWS = ("points", "tricks", "pending")
SEAT_ROWS = ("scores", "gained")
TABLE_NUMBERS = ("close_points", "close_tricks", "close_played", "swap_draws", "trick_start")
EPISODE_NUMBERS = ("carry", "deals", "decisions", "decided", "forehand_wins", "played_out", "ties")
ESSENTIAL = (
    "dealer", "phase", "player", "leader", "hands", "up", "trump", "talon", "history",
    "tricks", "points", "declared", "closer", "up_first", "swapper",
)  # fmt: skip
"""Keys that are always written unless they are `-`; the defaults of all others follow from these."""
OPTIONAL = (
    "known", "absent", "barred", "lead_pair", "partner_pair", "pending", *TABLE_NUMBERS,
    "winner", "reason", "gained", "scores", *EPISODE_NUMBERS, *COUNTS,
)  # fmt: skip
KEYS = ESSENTIAL + OPTIONAL
EMPTY_KEYS = ("dealer", "phase", "scores", *EPISODE_NUMBERS, *COUNTS)
"""Keys that make sense where no card has been dealt yet."""
LIMIT = 30_000
LIMITS = {"decisions": 2_000_000_000, "points": 511, "close_points": 511, "pending": 280}
"""Largest number of a key, LIMIT elsewhere: room to play on; observations hold 511 points, four marriages."""
MOST_DRAWS = 16


def idle_seat(state: Any) -> int:
    """The seat that has no cards: three_hand's dealer, who has already changed where the next deal is due."""
    if state["rules"]["form"] != THREE_HAND:
        return NOBODY
    return (int(state["dealer"]) - (1 if state["phase"] == DEAL else 0)) % 3


def following(state: Any, seat: int) -> int:
    """Next seat clockwise that has cards; unlike kernels.next_seat also right after a deal is over."""
    players, idle = seats_of(state), idle_seat(state)
    after = (seat + 1) % players
    return (after + 1) % players if after == idle else after


def num_sides(state: Any) -> int:
    return 2 if state["rules"]["teams"] else seats_of(state)


def _declared_text(state: Any) -> str:
    """The suits declared, the last one last."""
    suits = [suit for suit in range(4) if state["declared"] >> suit & 1 and suit != state["last_pair"]]
    suits += [] if state["last_pair"] == NOBODY else [int(state["last_pair"])]
    return ",".join(SUITS[suit] for suit in suits) or NONE


def _read_declared(state: Any, text: str) -> None:
    for part in [] if text == NONE else text.split(","):
        suit = suit_number("declared", part)
        if state["declared"] >> suit & 1:
            raise ValueError(f"position: declared={clip(text)}: a suit is named twice")
        state["declared"] |= 1 << suit
        state["last_pair"] = suit


def _barred_text(state: Any) -> str:
    barred = state["barred"]
    return ",".join(f"{seat}:{PACK.text(card)}:{barred[seat, card]}" for seat, card in np.argwhere(barred)) or NONE


def _read_barred(state: Any, text: str) -> None:
    for part in [] if text == NONE else text.split(","):
        seat, name, draws = split("barred", part, ":", 3)
        place = seat_number("barred", seat, seats_of(state)), PACK.card(name)
        state["barred"][place] = number("barred", draws, MOST_DRAWS)


def _field(key: str) -> Callable[[Any], Any]:
    return lambda state: state[key]


def _count(column: int) -> Callable[[Any], Any]:
    return lambda state: state["counts"][:, column]


_KINDS: dict[str, Key] = {
    **{key: cards_key(key, key, PACK) for key in ("known", "absent")},
    "hands": cards_key("hands", "hand", PACK),
    **{key: card_key(key, PACK) for key in ("up", "up_first")},
    **{key: seat_key(key) for key in ("player", "leader", "closer", "swapper")},
    "dealer": seat_key("dealer", must=True),
    "winner": seat_key("winner", width=num_sides),
    **{key: suit_key(key, NOBODY) for key in ("lead_pair", "partner_pair")},
    "trump": suit_key("trump", NO_SUIT),
    "phase": word_key("phase", PHASES),
    "reason": word_key("reason", REASONS),
    **{key: row_key(key, _field(key), LIMITS.get(key, LIMIT), width=num_sides) for key in SIDE_ROWS},
    **{key: row_key(key, _field(key), LIMIT) for key in SEAT_ROWS},
    **{key: row_key(key, _count(column), LIMIT) for column, key in enumerate(COUNTS)},
    **{key: number_key(key, LIMITS.get(key, LIMIT)) for key in (*TABLE_NUMBERS, *EPISODE_NUMBERS)},
    "declared": Key(_declared_text, _read_declared),
    "barred": Key(_barred_text, _read_barred),
}
"""All keys but talon and history, which only positions.py can read."""


def key_text(state: Any, key: str) -> str:
    """Value of a key as text."""
    if key == "talon":
        return talon_text(state, PACK)
    if key == "history":
        return history_text(state, int(state["rules"]["active"]), lambda seat: following(state, seat), PACK)
    return _KINDS[key].text(state)


def set_key(state: Any, key: str, text: str) -> None:
    """Write the value of a key; the inverse of `key_text`."""
    _KINDS[key].read(state, text)


def seat_to_act(state: Any) -> int:
    """The seat to act, by the phase."""
    phase = state["phase"]
    if phase in (DEAL, OVER) or (phase == ASK_EXCHANGE and state["closer"] == NOBODY):
        return NOBODY
    if phase == FOLLOW:
        return following(state, int(state["movers"][state["played"] - 1]))
    if phase == ASK_PAIR:
        return int(partner_of(int(state["leader"])))
    return following(state, int(state["closer"])) if phase == ASK_EXCHANGE else int(state["leader"])
