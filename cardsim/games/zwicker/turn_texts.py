"""Whole turns of Zwicker as text, written, read and played: `KH takes 9D+5C and KS`, `6C on 7D to 13`, `QS beside`.

Items that were laid on each other are written in brackets with their value, `[7D 6C]=13`; in two packs `'` tells the
second pack's cards there, and the wild jokers have their numbers. Of loose cards that are alike the first ones are
meant (WP4).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from cardsim.games.zwicker.basics import face_of
from cardsim.games.zwicker.laying import single
from cardsim.games.zwicker.layout import (
    ACT_BESIDE,
    ACT_FINISH,
    ACT_FURTHER,
    ACT_LAY,
    ACT_TAKE,
    FIRST_PLACE,
    FIRST_VALUE,
    NOBODY,
    PACK,
    PLACES,
    VALUES,
)
from cardsim.games.zwicker.legal import capture_values, target_values
from cardsim.games.zwicker.position_cards import card_text, cards_of_item, find_card
from cardsim.games.zwicker.position_groups import Goal, capture_chain, own_state, play
from cardsim.games.zwicker.position_turns import slot_of
from cardsim.games.zwicker.whole_turns import Turn, as_turn, at_start, whole_turns
from cardsim.options import clip, quoted
from cardsim.texts import as_record

SHOWN = 6
"""Turns that a message names."""
_CARD = r"(?:XW[2-6](?![DHSC])|XW|X\d\d|[2-9TAJQK][DHSC])'?"
_ITEM = rf"\[(?:{_CARD})+\](?:=\d+)?|{_CARD}"


def _item_text(state: Any, item: int) -> str:
    cards = cards_of_item(state, item)
    if state["builder"][item] == NOBODY:
        return PACK.text(cards[0])
    return f"[{' '.join(map(card_text, cards))}]={state['low'][item]}"


def turn_text(states: Any, turn: Turn | Sequence[int]) -> str:
    """A whole turn in words, such as `KH takes 9D+5C and KS`.

    Args:
        states: one record at the beginning of the turn, or an array of shape (1,).
        turn: the turn, or actions that play it.

    Raises:
        ValueError: they are no turn that is legal there.
    """
    state = as_record(states)
    if not isinstance(turn, Turn):
        turn = as_turn(states, turn)
    card = PACK.text(turn.card)
    if turn.act == ACT_BESIDE:
        return f"{card} beside"
    if turn.act == ACT_LAY:
        return f"{card} on {_item_text(state, turn.items[0])} to {turn.value}"
    return f"{card} takes " + " and ".join("+".join(_item_text(state, item) for item in group) for group in turn.groups)


def play_turn(states: Any, turn: Turn | Sequence[int] | str) -> None:
    """Play a whole turn in place.

    Args:
        states: shape (1,), at the beginning of a turn.
        turn: the turn, actions that play it, or its text.

    Raises:
        ValueError: it is not legal; nothing has changed then.
    """
    if isinstance(turn, str):
        actions = parse_turn(states, turn)
    else:
        actions = as_turn(states, turn.actions if isinstance(turn, Turn) else turn).actions
    play(as_record(states), actions)


def parse_turn(states: Any, text: str) -> tuple[int, ...]:
    """The actions that play a turn given as text; case and spaces do not matter, nor how a capture is grouped (WP5).

    Args:
        states: one record at the beginning of the turn, or an array of shape (1,).
        text: as of `turn_text`.

    Raises:
        ValueError: no turn, or not a legal one; the message names some that are.
    """
    state = at_start(states)
    try:
        actions = _parse(own_state(state), text)
        return as_turn(state, actions).actions
    except ValueError as error:
        first = [turn_text(state, turn) for turn in islice(whole_turns(state, SHOWN + 1), SHOWN + 1)]
        more = ", ..." if len(first) > SHOWN else ""
        legal = ", ".join(first[:SHOWN]) + more
        raise ValueError(f"turn {quoted(text)}: {error}; legal: {legal}") from None


def _parse(state: Any, text: Any) -> tuple[int, ...]:
    """The actions of a turn given as text; whether they are legal is left to the caller where it does not show."""
    compact = re.sub(r"\s", "", text).upper() if isinstance(text, str) and len(text) < 5000 else ""
    match = re.fullmatch(rf"({_CARD})(?:(BESIDE)|TAKES(.+)|ON({_ITEM})TO(\d+))", compact)
    if match is None:
        raise ValueError("must be such as KH takes 9D+5C and KS, 6C on 7D to 13, QS beside")
    card = find_card(match[1], set())
    try:
        slot = slot_of(state, card)
    except ValueError:
        raise ValueError(f"{PACK.text(card)} is not in the hand") from None
    card = int(state["hand"][state["player"], slot])
    if match[2]:
        return slot, ACT_BESIDE
    play(state, [slot])
    if match[4]:
        (item,), value = _find_items(state, [match[4]]), int(match[5])
        chain = (slot, ACT_LAY, *(item // PLACES * [ACT_FURTHER]), FIRST_PLACE + item % PLACES)
        values = int(target_values(state, item))
        if not values >> value & 1:
            raise ValueError(f"{clip(match[4])} cannot become {clip(match[5])}")
        return chain if single(values) else (*chain, FIRST_VALUE + VALUES.index(value))
    names = re.findall(_ITEM, match[3])
    if re.fullmatch(rf"(?:{_ITEM})(?:(?:\+|,|AND)(?:{_ITEM}))*", match[3]) is None:
        raise ValueError(f"{clip(match[3])} must be cards, or items such as [7D 6C]=13, with + and `and`")
    play(state, [ACT_TAKE])
    return slot, ACT_TAKE, *_capture(state, card, tuple(sorted(_find_items(state, names))))


def _capture(state: Any, card: int, items: tuple[int, ...]) -> list[int]:
    """The actions from the value on by which a card takes some items."""
    values = int(capture_values(state, card))
    for value in VALUES:
        if values >> value & 1:
            try:
                return [*capture_chain(state, Goal(value, items)), ACT_FINISH]
            except ValueError:
                continue
    raise ValueError("these items cannot be taken")


def _find_items(state: Any, names: Sequence[str]) -> list[int]:
    """Places of some items; of loose cards that are alike the first ones that are not named yet."""
    found: list[int] = []
    for name in names:
        cards = [find_card(card, set()) for card in re.findall(_CARD, name)]
        places = [item for item in range(state["items"]) if item not in found and _is_item(state, item, name, cards)]
        if not places:
            raise ValueError(f"{clip(name)} is not on the table" + (" so often" if name in names[: len(found)] else ""))
        found.append(places[0])
    return found


def _is_item(state: Any, item: int, name: str, cards: Sequence[int]) -> bool:
    """Whether an item has this text."""
    if state["builder"][item] == NOBODY:
        return len(cards) == 1 and not name.startswith("[") and face_of(int(state["top"][item])) == face_of(cards[0])
    value = name.partition("=")[2]
    return cards_of_item(state, item) == list(cards) and value in ("", str(state["low"][item]))
