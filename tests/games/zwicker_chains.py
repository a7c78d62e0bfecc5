"""All whole turns that Zwicker's chains of decisions lead to, one after the other, and positions made by hand.

A compiled walk follows every chain from a position to the end of the turn. Each way there is a spelling: the items of a
capture may split into groups in several ways, or be taken at several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest
from cardsim.games.zwicker.captures import EMPTY
from cardsim.games.zwicker.kernels import apply_action, clear_deal, legal_actions
from cardsim.games.zwicker.layout import (
    ACT,
    ACT_FINISH,
    ACT_TAKE,
    CARD,
    FIRST_PLACE,
    GROUP,
    NO_CARD,
    NOBODY,
    PACK,
    PLACES,
    PLAY_AT,
    STATE,
    TURNS,
)
from cardsim.games.zwicker.moves import value_of
from cardsim.games.zwicker.rules import HAND
from cardsim.games.zwicker.table import put_beside, put_on, sort_hands, to_pile
from cardsim.games.zwicker.turns import begin_turn
from cardsim.jit import kernel
from cardsim.options import Rules
from tests.games.zwicker_trace import TURN_COLUMNS, note

SPLIT = len(TURN_COLUMNS)
COLUMNS = SPLIT + 1
"""TURN_COLUMNS, then the groups: 4 bits for each of the first 15 items, 0 where it is not taken."""
GROUP_BITS = 4
DEEPEST = 400
MOST_NODES = 20_000_000
"""Decisions that one walk may look at: a few seconds."""
ANY_CARD, ANY_VALUE = -1, 0
NOTHING = np.zeros(2, np.uint64)
EVERYTHING = np.array([2**64 - 1, 2**64 - 1], np.uint64)


@kernel
def wanted(state: Any, card: int, value: int, items: Any) -> Any:
    """Legal actions that can lead to a capture with that card of the hand at that value of none but those items."""
    options = legal_actions(state)
    phase = state["phase"]
    if phase == CARD and card != ANY_CARD:
        return options & bit(card)
    if phase == ACT and card != ANY_CARD:
        return options & bit(ACT_TAKE)
    if value != ANY_VALUE and phase == PLAY_AT:
        rest = options
        while rest != NONE:
            action = I64(lowest(rest))
            if value_of(action) != value:
                options &= ~bit(action)
            rest &= rest - U64(1)
    if phase == GROUP:
        for place in range(PLACES):
            item = place + PLACES * I64(state["page"])
            if item < 128 and not has(items[item >> 6], item & 63):
                options &= ~bit(FIRST_PLACE + place)
    return options


@kernel
def note_group(state: Any, action: int, groups: int) -> Any:
    """The groups of a capture so far, with what an action adds."""
    if state["phase"] != GROUP or action < FIRST_PLACE or state["page"] > 0:
        return groups
    item = action - FIRST_PLACE
    if item >= 15:
        return groups
    current = I64(0)
    for place in range(15):
        current = max(current, (groups >> (place * GROUP_BITS)) & 15)
    if U64(state["sums"]) == EMPTY:
        current += 1
    return groups | current << (item * GROUP_BITS)


@kernel
def walk(states: Any, raw: Any, card: Any, value: Any, items: Any, whole: bool, found: Any) -> Any:
    """Follow the chains from states[0] to the ends of the turn.

    Args:
        states: shape (DEEPEST,); the first is the position.
        raw: the same as bytes.
        card, value, items: follow only what `wanted` leaves.
        whole: keep only captures of all of `items`, and stop at the first.
        found: shape (n, COLUMNS): where the turns go.

    Returns:
        How many were found; -1: nothing was legal somewhere; -2: `found` or MOST_NODES is used up.
    """
    options = np.zeros(DEEPEST, np.uint64)
    notes = np.zeros((DEEPEST, COLUMNS), np.int64)
    count = I64(0)
    depth = I64(0)
    options[0] = wanted(states[0], card, value, items)
    for _ in range(MOST_NODES):
        if options[depth] == NONE:
            depth -= 1
            if depth < 0:
                return count
            continue
        action = I64(lowest(options[depth]))
        options[depth] &= options[depth] - U64(1)
        state = states[depth]
        done = whole and state["phase"] == GROUP and action == ACT_FINISH
        if done and (state["chosen"][0] != items[0] or state["chosen"][1] != items[1]):
            continue
        raw[depth + 1] = raw[depth]
        notes[depth + 1] = notes[depth]
        note(state, action, notes[depth + 1])
        notes[depth + 1, SPLIT] = note_group(state, action, notes[depth, SPLIT])
        turns = I64(state["totals"][TURNS])
        apply_action(states[depth + 1], action)
        if I64(states[depth + 1]["totals"][TURNS]) != turns:
            if count == len(found):
                return -2
            found[count] = notes[depth + 1]
            count += 1
            if done:
                return count
        else:
            depth += 1
            if legal_actions(states[depth]) == NONE or depth + 1 == DEEPEST:
                return -1
            options[depth] = wanted(states[depth], card, value, items)
    return -2


class Walker:
    """Room for walks from positions of any form."""

    def __init__(self, most: int = 300_000) -> None:
        self.states = np.zeros(DEEPEST, STATE)
        self.raw = self.states.view(np.uint8).reshape(DEEPEST, STATE.itemsize)
        self.found = np.zeros((most, COLUMNS), np.int64)

    def spellings(self, states: Any) -> list[list[int]]:
        """Every spelling of every turn from states[0], as rows of COLUMNS."""
        return self._walk(states, ANY_CARD, ANY_VALUE, EVERYTHING, False)

    def layings(self, states: Any) -> list[list[int]]:
        """The same of the turns that take nothing."""
        return self._walk(states, ANY_CARD, ANY_VALUE, NOTHING, False)

    def finds(self, states: Any, card: int, value: int, items: Sequence[int]) -> bool:
        """Whether a capture of exactly these items with a card of the hand at a value can be spelled."""
        mask = sum(1 << item for item in items)
        words = np.array([mask & 2**64 - 1, mask >> 64], np.uint64)
        return bool(self._walk(states, card, value, words, True))

    def _walk(self, states: Any, card: int, value: int, items: Any, whole: bool) -> list[list[int]]:
        self.raw[0] = states.view(np.uint8).reshape(-1)
        count = walk(self.states, self.raw, np.int64(card), np.int64(value), items, whole, self.found)
        assert count != -1, "a chain has a dead end"
        assert count >= 0, "too many chains to follow"
        rows: list[list[int]] = self.found[:count].tolist()
        return rows


@kernel
def lay_position(state: Any, hands: Any, items: Any, values: Any, builders: Any, stock: Any, player: Any) -> None:
    """Make a position of a table after `reset`: cards by seat, by item from the bottom up, and of the stock."""
    clear_deal(state)
    for seat in range(len(hands)):
        for k in range(HAND):
            state["hand"][seat, k] = hands[seat, k]
    sort_hands(state)
    for item in range(len(items)):
        put_beside(state, I64(items[item, 0]))
        for k in range(1, items.shape[1]):
            if items[item, k] < NO_CARD:
                put_on(state, I64(items[item, k]), item, I64(values[item]), I64(builders[item]))
    first = I64(state["rules"]["cards"]) - len(stock)
    for k in range(len(stock)):
        state["deck"][first + k] = stock[k]
    state["deck_pos"] = first
    begin_turn(state, player)


@kernel
def lay_pile(state: Any, side: Any, cards: Any) -> None:
    """Give a side some captured cards."""
    for card in cards:
        to_pile(state, side, I64(card))


Laid = tuple[list[str], int, int]
"""An item: its cards from the bottom up, its value (0 of a loose card), its builder."""


def read_item(text: str) -> Laid:
    """An item as text: `9D` loose, `9D+2C=11` a stack or build laid by seat 0, `9D+2C=11@1` by seat 1."""
    cards, _, rest = text.partition("=")
    value, _, builder = rest.partition("@")
    return cards.split("+"), int(value or 0), int(builder or 0) if rest else NOBODY


class Numbers:
    """Card numbers for texts, each time another copy of those that are alike."""

    def __init__(self) -> None:
        self.free = {text: [k for k, name in enumerate(PACK.names) if name == text] for text in PACK.names}

    def take(self, texts: Sequence[str], width: int = 0) -> list[int]:
        """Their numbers, and as many others, which are no cards, as are missing to `width`."""
        return [self.free[text].pop(0) for text in texts] + [NO_CARD] * (width - len(texts))


def pose(
    rules: Rules,
    hands: Sequence[Sequence[str]],
    items: Sequence[Laid],
    stock: Sequence[str] = (),
    piles: Sequence[Sequence[str]] = (),
    player: int = 0,
) -> Any:
    """A position in mid-deal, dealt by the last seat; cards that are not named are nowhere. Shape (1,)."""
    states, numbers = np.zeros(1, STATE), Numbers()
    states["rules"] = rules.record
    states["dealer"] = int(rules["players"]) - 1
    deepest = max([len(cards) for cards, _, _ in items], default=1)
    rows = [numbers.take(cards, deepest) for cards, _, _ in items]
    lay_position(
        states[0],
        np.array([numbers.take(hand, HAND) for hand in hands], np.int64).reshape(-1, HAND),
        np.array(rows, np.int64).reshape(-1, deepest),
        np.array([value for _, value, _ in items], np.int64),
        np.array([builder for _, _, builder in items], np.int64),
        np.array(numbers.take(stock), np.int64),
        np.int64(player),
    )
    for side, pile in enumerate(piles):
        lay_pile(states[0], np.int64(side), np.array(numbers.take(pile), np.int64))
    return states
