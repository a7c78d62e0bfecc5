"""Whole hands as text, what all games share: the lines, the pack, the replay, the pack of a deal by its number.

A hand is a header, lines `key: value`, and lines of actions separated by commas. Blank lines are passed over, and what
follows a `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from cardsim.cards import Pack
from cardsim.contract import CHANCE, TERMINAL
from cardsim.dealing import hand_streams
from cardsim.options import Rules, quoted
from cardsim.rng import new_streams
from cardsim.texts import ActionTexts

HEADER = "cardsim hand 1"


def check_hand(hand: Any, pack: Pack, wanted: Sequence[int], actions: ActionTexts) -> None:
    """Refuse a hand whose dealer, deck or actions do not exist.

    Args:
        hand: has `rules`, `dealer`, `deck` and `actions`.
        pack: numbering of the cards.
        wanted: the cards that the deck must hold.
        actions: the game's actions.

    Raises:
        ValueError: naming what is wrong.
    """
    players = int(hand.rules.record["players"][0])
    if not 0 <= hand.dealer < players:
        raise ValueError(f"hand: dealer {hand.dealer}: must be from 0 to {players - 1}")
    for place, card in enumerate(hand.deck):
        name = pack.text(card) if 0 <= card < pack.size else card
        if card not in wanted:
            raise ValueError(f"hand: deck: {name} is not in this pack of {len(wanted)} cards")
        if card in hand.deck[:place]:
            raise ValueError(f"hand: deck: {name} is there twice")
    if len(hand.deck) != len(wanted):
        missing = " ".join(pack.text(card) for card in wanted if card not in hand.deck)
        raise ValueError(f"hand: deck: {missing} missing; it must hold all {len(wanted)} cards")
    for action in hand.actions:
        actions.text(action)


def join_lines(rules: Rules, lines: Iterable[tuple[str, str]]) -> str:
    """A hand from its lines, key and value."""
    return "\n".join([HEADER, f"rules: {rules.text}", *(f"{key}: {value}" for key, value in lines)]) + "\n"


def split_lines(
    text: Any, keys: Sequence[str], parts: Sequence[str], parse_action: Callable[[str], int], unit: str = "trick"
) -> tuple[dict[str, str], list[int]]:
    """Split a hand into the values of its keys, and its actions.

    Args:
        text: the hand.
        keys: names of the lines before the actions.
        parts: names of the lines of actions before the tricks, in their order; each may be missing.
        parse_action: number of an action.
        unit: what the other lines of actions hold, each one of them; they are numbered.

    Raises:
        ValueError: the text is malformed, or an action does not exist; the message says where.
    """
    if not isinstance(text, str):
        raise ValueError(f"hand {quoted(text)}: must be a text whose first line is {HEADER!r}")
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    if not lines or lines[0] != HEADER:
        raise ValueError(f"hand: the first line must be {HEADER!r}, not {quoted(lines[0] if lines else '')}")
    found: dict[str, str] = {}
    actions: list[int] = []
    expected, units = [*parts, f"{unit} 1"], 0
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        key, sign, value = (part.strip() for part in line.partition(":"))
        key = " ".join(key.split()).lower()
        if key in expected:
            units += key == f"{unit} {units + 1}"
            expected = [*expected[expected.index(key) + 1 : -1], f"{unit} {units + 1}"]
            actions += [_action_at(number, word, parse_action) for word in value.split(",")]
        elif key in keys and sign and not actions and key not in found:
            found[key] = value
        else:
            raise ValueError(
                f"hand, line {number}: {quoted(line)} must be {_either(keys)} "
                f"(once each, before the {unit}s), or {_either(expected)}, and a colon"
            )
    return found, actions


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _action_at(line: int, word: str, parse_action: Callable[[str], int]) -> int:
    try:
        return parse_action(word)
    except ValueError as error:
        raise ValueError(f"hand, line {line}: {error}") from None


def need_lines(found: Iterable[str], keys: Sequence[str]) -> None:
    """Refuse a hand in which one of the keys is missing."""
    for key in keys:
        if key not in found:
            raise ValueError(f"hand: the line {key}: is missing")


def read_numbers(key: str, text: str, count: int | None = None, negative: bool = False) -> list[int]:
    """Numbers of a line, exactly `count` if that is given; none of them negative unless allowed."""
    words = text.replace(",", " ").split()
    form = "-?[0-9]{1,15}" if negative else "[0-9]{1,6}"
    if not all(re.fullmatch(form, word) for word in words) or len(words) != (count or max(len(words), 1)):
        raise ValueError(f"hand: {key} {quoted(text)}: must be {'a number' if count == 1 else 'numbers'}")
    return [int(word) for word in words]


def play_on(states: Any, played: Sequence[int], actions: ActionTexts, kernels: ModuleType) -> Iterator[Any]:
    """Play actions from a state on: yields the state before the first and after each, arrays of their own.

    Args:
        states: shape (1,); changed.
        played: action numbers.
        actions: the game's actions.
        kernels: has the game's `current_player`, `legal_actions` and `apply_action`.

    Raises:
        ValueError: an action is not legal; the message names its number, its text and what was legal.
    """
    yield _copy(states)
    for step, action in enumerate(played, 1):
        if kernels.current_player(states[0]) in (CHANCE, TERMINAL):
            raise ValueError(f"hand, action {step}: {actions.text(action)} comes after the end of the deal")
        try:
            actions.parse(actions.text(action), kernels.legal_actions(states[0]))
        except ValueError as error:
            raise ValueError(f"hand, action {step}: {error}") from None
        kernels.apply_action(states[0], action)
        yield _copy(states)


def _copy(states: Any) -> Any:
    return states.view(np.uint8).copy().view(states.dtype)


def new_episode(rules: Rules, dtype: np.dtype[Any], reset: Any, streams: Any = None) -> Any:
    """A state before the first deal of an episode, shape (1,).

    Args:
        rules: the rules in force.
        dtype: the game's record.
        reset: the game's kernel.
        streams: the first draws the first dealer; if None, any dealer may come out.
    """
    states = np.zeros(1, dtype)
    states["rules"] = rules.record
    reset(states[0], (new_streams() if streams is None else streams)[0])
    return states


def before_deal(
    rules: Rules, dtype: np.dtype[Any], reset: Any, seed: int, number: int, hand: int = 0, before: Any = None
) -> tuple[Any, Any]:
    """The state in which a hand is about to be dealt, and the stream that deals it.

    Args:
        rules: the rules in force.
        dtype: the game's record.
        reset: the game's kernel.
        seed, number: of the episode, as for `Game.deal`.
        hand: which hand of the episode.
        before: the state before it is dealt; only the first hand does without.

    Returns:
        States of shape (1,) and streams of shape (1,).
    """
    streams = hand_streams(seed, number, hand)
    return (new_episode(rules, dtype, reset, streams) if before is None else _copy(before)), streams
