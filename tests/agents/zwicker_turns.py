"""Whole turns of Zwicker for the tests of its agents: all of a position, and the one that some decisions make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardsim.game import Game
from cardsim.games.zwicker.basics import VALUE_OF
from cardsim.games.zwicker.layout import (
    ACT_BESIDE,
    ACT_FINISH,
    ACT_FURTHER,
    CARD,
    FIRST_PLACE,
    FIRST_VALUE,
    GROUP,
    NEW_VALUE,
    NO_CARD,
    PLACES,
    TARGET,
)

Turn = tuple[Any, ...]


def table(states: Any) -> list[list[int]]:
    """The cards of each item, from the top."""
    found = []
    for item in range(int(states["items"][0])):
        card, cards = int(states["top"][0, item]), []
        while card != NO_CARD:
            cards.append(card)
            card = int(states["under"][0, card])
        found.append(cards)
    return found


def chosen_items(states: Any) -> tuple[int, ...]:
    """Items chosen so far in a capture."""
    words = [int(word) for word in states["chosen"][0]]
    return tuple(item for item in range(int(states["items"][0])) if words[item >> 6] >> (item & 63) & 1)


def step(game: Game, states: Any, action: int, target: int | None) -> tuple[Turn | None, int | None]:
    """Play one decision of a turn: the whole turn, if it was the last one, and the item that a card is laid on."""
    phase, card = int(states["phase"][0]), int(states["card"][0])
    chosen, before = chosen_items(states), table(states)
    turns = int(states["totals"][0, 2])
    if phase == TARGET and action != ACT_FURTHER:
        target = action - FIRST_PLACE + PLACES * int(states["page"][0])
    game.apply_action(states, action)
    if int(states["totals"][0, 2]) == turns:
        return None, target
    if phase == GROUP:
        assert action == ACT_FINISH
        return ("take", card, chosen), None
    if action == ACT_BESIDE:
        return ("beside", card), None
    value = int(VALUE_OF[action - FIRST_VALUE]) if phase == NEW_VALUE else None
    assert target is not None
    assert before[target]
    return ("lay", card, target, value), None


def all_turns(game: Game, states: Any) -> dict[Turn, int]:
    """All whole turns, as (what, card, items or item and new value), and in how many ways each is spelled."""
    assert states["phase"][0] == CARD
    found: dict[Turn, int] = {}
    for turn in _walk(game, states, None):
        found[turn] = found.get(turn, 0) + 1
    return found


def _walk(game: Game, states: Any, target: int | None) -> Iterator[Turn]:
    for action in game.legal_actions(states):
        after = states.copy()
        turn, onto = step(game, after, int(action), target)
        if turn is not None:
            yield turn
        else:
            yield from _walk(game, after, onto)
