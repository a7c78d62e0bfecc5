"""Positions as text, what all games share: rules and `key=value` words in one line, and the usual kinds of keys.

Cards are separated by commas, seats by `;`, tricks by `/`; `-` is none. Every message is one line that names the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from cardsim.cards import SUITS, Pack
from cardsim.options import Rules, clip, quoted

NONE = "-"
NOBODY = -1


class Key(NamedTuple):
    """How one key of a position is written and read.

    Attributes:
        text: its value in a state.
        read: writes the value that a text gives into a state; ValueError if it is none.
    """

    text: Callable[[Any], str]
    read: Callable[[Any, str], None]


def split_position(text: Any, game: str, keys: Collection[str]) -> tuple[str, dict[str, str]]:
    """Split a position into the text of its rules and its words, keys in lower case.

    Raises:
        ValueError: it is no text of one line, or has a word that is not `key=value`, or a key twice.
    """
    if not isinstance(text, str):
        raise ValueError(f"position {quoted(text)}: must be a text, rules and then key=value words")
    if len(text.splitlines()) > 1:
        raise ValueError("position: must be one line")
    match = re.fullmatch(r"\s*(\w+\s*(?:\([^()]*\))?)(?:\s+(.*))?", text)
    if match is None:
        raise ValueError(f"position: must be rules, then key=value words: {game}(preset=base) dealer=0 hands=...")
    words: dict[str, str] = {}
    for word in (match[2] or "").split():
        key, sign, value = word.partition("=")
        key = key.lower()
        if not sign or key not in keys:
            raise ValueError(f"position: {quoted(word)} must be key=value with key one of {', '.join(keys)}")
        if key in words:
            raise ValueError(f"position: {key} is given twice, as {quoted(words[key])} and {quoted(value)}")
        words[key] = value
    return match[1], words


def refuse(wrong: Any, key: str, value: str, why: str) -> None:
    """Raise ValueError for a key with this value, if it is wrong."""
    if wrong:
        raise ValueError(f"position: {key}={value}: {why}")


def number(key: str, text: str, high: int, low: int = 0) -> int:
    """Read a number from `low` to `high`."""
    if not re.fullmatch("-?[0-9]{1,15}" if low < 0 else "[0-9]{1,15}", text) or not low <= int(text) <= high:
        raise ValueError(f"position: {key} {quoted(text)}: must be a number from {low} to {high}")
    return int(text)


def seat_number(key: str, text: str, count: int) -> int:
    """Read a seat from 0 to count - 1."""
    if not re.fullmatch("[0-9]", text) or int(text) >= count:
        raise ValueError(f"position: {key} {quoted(text)}: must be a seat from 0 to {count - 1}")
    return int(text)


def suit_number(key: str, text: str) -> int:
    """Read a suit."""
    if len(text) != 1 or text.upper() not in SUITS:
        raise ValueError(f"position: {key} {quoted(text)}: must be one of {', '.join(SUITS)}")
    return SUITS.index(text.upper())


def split(key: str, text: str, mark: str, count: int) -> list[str]:
    """Split into exactly `count` entries."""
    parts = text.split(mark)
    if len(parts) != count:
        wanted = f"{count} entries separated by {mark!r}, not {len(parts)}"
        raise ValueError(f"position: {key}={clip(text)}: must have {wanted}")
    return parts


def card_list(pack: Pack, key: str, text: str) -> list[int]:
    """Read a comma-separated list of cards, each at most once."""
    cards = [] if text == NONE else [pack.card(name) for name in text.split(",")]
    if len(set(cards)) < len(cards):
        raise ValueError(f"position: {key}: a card is twice in {clip(text)}")
    return cards


def cards_text(pack: Pack, mask: Any) -> str:
    """A set of cards as a comma-separated list."""
    return ",".join(pack.cards_of(mask)) or NONE


def take(pack: Pack, free: set[int], cards: Sequence[int], place: str) -> None:
    """Take cards out of those that have no place yet."""
    for card in cards:
        if card not in free:
            raise ValueError(
                f"position: card {pack.text(card)} in {place}: is not in this pack, or has a place already"
            )
        free.discard(card)


def seats_of(state: Any) -> int:
    """Number of seats."""
    return int(state["rules"]["players"])


def number_key(key: str, high: int, low: int = 0) -> Key:
    """A number in a field of that name."""

    def read(state: Any, text: str) -> None:
        state[key] = number(key, text, high, low)

    return Key(lambda state: str(state[key]), read)


def row_key(
    key: str, row: Callable[[Any], Any], high: int, low: int = 0, width: Callable[[Any], int] = seats_of
) -> Key:
    """Numbers, one for each of `width(state)` seats or sides, in the row that `row(state)` gives."""

    def read(state: Any, text: str) -> None:
        count = width(state)
        row(state)[:count] = [number(key, part, high, low) for part in split(key, text, ",", count)]

    return Key(lambda state: ",".join(str(value) for value in row(state)[: width(state)]), read)


def seat_key(key: str, must: bool = False, width: Callable[[Any], int] = seats_of) -> Key:
    """A seat (or side) in a field of that name, or none unless it `must` be there."""

    def read(state: Any, text: str) -> None:
        state[key] = NOBODY if text == NONE and not must else seat_number(key, text, width(state))

    return Key(lambda state: NONE if state[key] == NOBODY else str(state[key]), read)


def suit_key(key: str, none: int) -> Key:
    """A suit in a field of that name, which holds `none` where there is none."""

    def read(state: Any, text: str) -> None:
        state[key] = none if text == NONE else suit_number(key, text)

    return Key(lambda state: NONE if state[key] == none else SUITS[state[key]], read)


def word_key(key: str, words: Sequence[str]) -> Key:
    """One of some words; the field of that name holds its index."""

    def read(state: Any, text: str) -> None:
        if text.lower() not in words:
            raise ValueError(f"position: {key} {quoted(text)}: must be one of {', '.join(words)}")
        state[key] = words.index(text.lower())

    return Key(lambda state: words[state[key]], read)


def card_key(key: str, pack: Pack) -> Key:
    """A card in a field of that name, which holds the size of the pack where there is none."""

    def read(state: Any, text: str) -> None:
        state[key] = pack.size if text == NONE else pack.card(text)

    return Key(lambda state: NONE if state[key] == pack.size else pack.text(state[key]), read)


def cards_key(key: str, field: str, pack: Pack) -> Key:
    """A set of cards for each seat, bit masks in a field."""

    def read(state: Any, text: str) -> None:
        for seat, part in enumerate(split(key, text, ";", seats_of(state))):
            state[field][seat] = sum(1 << card for card in card_list(pack, key, part))

    return Key(lambda state: ";".join(cards_text(pack, state[field][seat]) for seat in range(seats_of(state))), read)


def talon_text(state: Any, pack: Pack) -> str:
    """The cards of the face-down pack in their order."""
    return ",".join(pack.text(card) for card in state["deck"] if card != pack.size) or NONE


def history_text(state: Any, size: int, following: Callable[[int], int], pack: Pack) -> str:
    """The cards played, in tricks of `size` cards; who played is told where a trick begins and play skips a seat."""
    text = ""
    for i in range(state["played"]):
        seat = int(state["movers"][i])
        shown = i % size == 0 or seat != following(int(state["movers"][i - 1]))
        text += ("" if i == 0 else "/" if i % size == 0 else ",") + (f"{seat}:" if shown else "")
        text += pack.text(state["history"][i])
    return text or NONE


def read_history(text: str, size: int, players: int, pack: Pack) -> Iterator[tuple[int, int | None, int]]:
    """The cards played: number of the trick from 1 on, the seat where the text tells it, the card."""
    for trick, group in enumerate([] if text == NONE else text.split("/"), 1):
        entries = group.split(",")
        if len(entries) > size or (len(entries) < size and trick <= text.count("/")):
            raise ValueError(f"position: history: trick {trick} is {clip(group)}, must be {size} cards")
        for entry in entries:
            mover, sign, name = entry.rpartition(":")
            yield trick, seat_number("history", mover, players) if sign else None, pack.card(name)


def complete(
    rules: Rules,
    state: Any,
    words: dict[str, str],
    optional: Sequence[str],
    key_text: Callable[[Any, str], str],
    read: Callable[[Rules, dict[str, str]], Any],
) -> str:
    """The text of a state, whose essential words are given: optional keys whose values they do not imply are added.

    Args:
        rules: the rules in force.
        state: the record.
        words: key -> value, all on which the values of other keys depend.
        optional: keys to add where their values differ from what the words imply.
        key_text: value of a key in a state.
        read: the record that words stand for.

    Raises:
        ValueError: the text does not read back as this state.
    """
    plain = read(rules, words)
    words = words | {key: text for key in optional if (text := key_text(state, key)) != key_text(plain, key)}
    text = " ".join([rules.text, *(f"{key}={word}" for key, word in words.items())])
    if read(rules, words).tobytes() != state.tobytes():
        raise ValueError(f"position: not a state that play can reach, so no text stands for it; nearest: {text}")
    return text


def check_rules(rules: Rules, state: Any) -> None:
    """Refuse a state of other rules."""
    if state["rules"].tobytes() != rules.record[0].tobytes():
        raise ValueError(f"position: the state was not made under {rules.text}")
