"""Sixty-Six positions as text: the keys, and each key's value written and read by itself."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from cardsim.cards import SUITS
from cardsim.games.sixty_six.basics import partner_of
from cardsim.games.sixty_six.layout import (
    ASK_EXCHANGE,
    ASK_PAIR,
    DEAL,
    FOLLOW,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OVER,
    PACK,
    PHASES,
    REASONS,
    SEAT_COLUMNS,
)
from cardsim.games.sixty_six.rules import THREE_HAND
from cardsim.options import clip, quoted

NONE = "-"
COUNTS = tuple(f"counts.{column}" for column in SEAT_COLUMNS)
MASKS = {"hands": "hand", "known": "known", "absent": "absent"}
"""Keys that list cards for each seat -> field."""
CARD_KEYS = ("up", "up_first")
SEAT_KEYS = ("dealer", "player", "leader", "closer", "swapper", "winner")
SUIT_KEYS = ("trump", "lead_pair", "partner_pair")
WORDS = {"phase": PHASES, "reason": REASONS}
SIDE_ROWS = ("points", "tricks", "pending")
SEAT_ROWS = ("scores", "gained", *COUNTS)
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
LIMITS = {"decisions": 2_000_000_000, "points": 511, "close_points": 511, "pending": 280, "barred": 16}
"""Largest number of a key, LIMIT elsewhere: room to play on; observations hold 511 points, four marriages."""


def cards_text(mask: Any) -> str:
    """A set of cards as a comma-separated list."""
    return ",".join(PACK.cards_of(mask)) or NONE


def as_record(state: Any) -> Any:
    """The record itself, also from an array of shape (1,)."""
    return state[0] if state.ndim else state


def idle_seat(state: Any) -> int:
    """The seat that has no cards: three_hand's dealer, who has already changed where the next deal is due."""
    if state["rules"]["form"] != THREE_HAND:
        return NOBODY
    return (int(state["dealer"]) - (1 if state["phase"] == DEAL else 0)) % 3


def following(state: Any, seat: int) -> int:
    """Next seat clockwise that has cards; unlike kernels.next_seat also right after a deal is over."""
    players, idle = int(state["rules"]["players"]), idle_seat(state)
    after = (seat + 1) % players
    return (after + 1) % players if after == idle else after


def num_sides(state: Any) -> int:
    return 2 if state["rules"]["teams"] else int(state["rules"]["players"])


def key_text(state: Any, key: str) -> str:
    """Value of a key as text."""
    players = int(state["rules"]["players"])
    if key in MASKS:
        rows = [cards_text(state[MASKS[key]][seat]) for seat in range(players)]
        return ";".join(rows)
    if key in SEAT_KEYS:
        return NONE if state[key] == NOBODY else str(state[key])
    if key in SUIT_KEYS:
        return NONE if state[key] in (NOBODY, NO_SUIT) else SUITS[state[key]]
    if key in WORDS:
        return WORDS[key][state[key]]
    if key in SIDE_ROWS:
        return ",".join(str(number) for number in state[key][: num_sides(state)])
    if key in COUNTS:
        return ",".join(str(number) for number in state["counts"][:players, COUNTS.index(key)])
    if key in SEAT_ROWS:
        return ",".join(str(number) for number in state[key][:players])
    if key in CARD_KEYS:
        return NONE if state[key] == NO_CARD else PACK.text(state[key])
    if key == "talon":
        return ",".join(PACK.text(card) for card in state["deck"] if card != NO_CARD) or NONE
    if key == "declared":  # the last one last
        suits = [suit for suit in range(4) if state["declared"] >> suit & 1 and suit != state["last_pair"]]
        suits += [] if state["last_pair"] == NOBODY else [int(state["last_pair"])]
        return ",".join(SUITS[suit] for suit in suits) or NONE
    if key == "barred":
        entries = [
            f"{seat}:{PACK.text(card)}:{state['barred'][seat, card]}" for seat, card in np.argwhere(state["barred"])
        ]
        return ",".join(entries) or NONE
    if key == "history":
        return _history_text(state)
    return str(state[key])


def _history_text(state: Any) -> str:
    text = ""
    active = int(state["rules"]["active"])
    for i in range(state["played"]):
        seat = int(state["movers"][i])
        shown = i % active == 0 or seat != following(state, int(state["movers"][i - 1]))
        text += ("" if i == 0 else "/" if i % active == 0 else ",") + (f"{seat}:" if shown else "")
        text += PACK.text(state["history"][i])
    return text or NONE


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


def card_list(key: str, text: str) -> list[int]:
    cards = [] if text == NONE else [PACK.card(name) for name in text.split(",")]
    if len(set(cards)) < len(cards):
        raise ValueError(f"position: {key}: a card is twice in {clip(text)}")
    return cards


def _number(key: str, text: str) -> int:
    limit = LIMITS.get(key, LIMIT)
    if not re.fullmatch("[0-9]{1,10}", text) or int(text) > limit:
        raise ValueError(f"position: {key} {quoted(text)}: must be a number from 0 to {limit}")
    return int(text)


def seat_number(key: str, text: str, count: int) -> int:
    if not re.fullmatch("[0-9]", text) or int(text) >= count:
        raise ValueError(f"position: {key} {quoted(text)}: must be a seat from 0 to {count - 1}")
    return int(text)


def _split(key: str, text: str, mark: str, count: int) -> list[str]:
    parts = text.split(mark)
    if len(parts) != count:
        wanted = f"{count} entries separated by {mark!r}, not {len(parts)}"
        raise ValueError(f"position: {key}={clip(text)}: must have {wanted}")
    return parts


def _suit(key: str, text: str) -> int:
    if len(text) != 1 or text.upper() not in SUITS:
        raise ValueError(f"position: {key} {quoted(text)}: must be one of {', '.join(SUITS)}")
    return SUITS.index(text.upper())


def set_key(state: Any, key: str, text: str) -> None:
    """Write the value of a key; the inverse of `_text`."""
    players = int(state["rules"]["players"])
    if key in MASKS:
        for seat, part in enumerate(_split(key, text, ";", players)):
            state[MASKS[key]][seat] = sum(1 << card for card in card_list(key, part))
    elif key in SEAT_KEYS:
        count = num_sides(state) if key == "winner" else players
        state[key] = NOBODY if text == NONE and key != "dealer" else seat_number(key, text, count)
    elif key in SUIT_KEYS:
        state[key] = (NO_SUIT if key == "trump" else NOBODY) if text == NONE else _suit(key, text)
    elif key in WORDS:
        if text.lower() not in WORDS[key]:
            raise ValueError(f"position: {key} {quoted(text)}: must be one of {', '.join(WORDS[key])}")
        state[key] = WORDS[key].index(text.lower())
    elif key in SIDE_ROWS or key in SEAT_ROWS:
        count = num_sides(state) if key in SIDE_ROWS else players
        row = state["counts"][:, COUNTS.index(key)] if key in COUNTS else state[key]
        row[:count] = [_number(key, part) for part in _split(key, text, ",", count)]
    elif key in CARD_KEYS:
        state[key] = NO_CARD if text == NONE else PACK.card(text)
    elif key == "declared":
        for part in [] if text == NONE else text.split(","):
            suit = _suit(key, part)
            if state["declared"] >> suit & 1:
                raise ValueError(f"position: declared={clip(text)}: a suit is named twice")
            state["declared"] |= 1 << suit
            state["last_pair"] = suit
    elif key == "barred":
        for part in [] if text == NONE else text.split(","):
            seat_text, name, draws = _split(key, part, ":", 3)
            state["barred"][seat_number(key, seat_text, players), PACK.card(name)] = _number(key, draws)
    else:
        state[key] = _number(key, text)
