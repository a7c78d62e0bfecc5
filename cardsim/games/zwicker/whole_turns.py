"""Whole turns of Zwicker, for people and tests: what a turn is, and the legal ones, listed one by one.

The engine plays a turn as a chain of small decisions; here it is one thing. There can be hundreds of thousands of turns
(WP19a): nothing but `whole_turns` lists them, and it does so lazily. Their texts are in turn_texts.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardsim.games.zwicker.laying import single
from cardsim.games.zwicker.layout import (
    ACT_BESIDE,
    ACT_FINISH,
    ACT_LAY,
    ACT_NEXT,
    ACT_TAKE,
    ACTION_NAMES,
    CARD,
    FIRST_PLACE,
    FIRST_VALUE,
    GROUP,
    NEW_VALUE,
    NO_CARD,
    NOBODY,
    PLACES,
    TARGET,
    VALUES,
)
from cardsim.games.zwicker.legal import legal_actions, target_values
from cardsim.games.zwicker.moves import apply_action
from cardsim.games.zwicker.position_groups import EMPTY, is_legal, own_state
from cardsim.games.zwicker.position_turns import chosen_items
from cardsim.texts import as_record


@dataclass(frozen=True)
class Turn:
    """One whole turn; equal turns do the same, whatever their actions (WP5, WP11).

    Attributes:
        card: the card played, the first of those alike in the hand.
        act: ACT_TAKE, ACT_LAY or ACT_BESIDE.
        items: places on the table from 0 on, ascending: those taken, or the one that the card is laid on.
        value: the new value of that one, else 0.
        actions: one chain that plays the turn.
        groups: places of the items taken, by group, as that chain takes them.
    """

    card: int
    act: int
    items: tuple[int, ...] = ()
    value: int = 0
    actions: tuple[int, ...] = field(default=(), compare=False)
    groups: tuple[tuple[int, ...], ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class _Step:
    """A chain of decisions that may go on; `turn` once it is complete."""

    actions: tuple[int, ...] = ()
    card: int = NO_CARD
    groups: tuple[tuple[int, ...], ...] = ()
    open: tuple[int, ...] = ()
    target: int = 0
    turn: Turn | None = None


def _step(state: Any, step: _Step, action: int) -> _Step:
    """One more decision; plays it on the record too, unless it ends the turn."""
    phase, actions = int(state["phase"]), (*step.actions, action)
    card, groups, unfinished, target = step.card, step.groups, step.open, step.target
    turn = None
    place = action - FIRST_PLACE + PLACES * int(state["page"])
    if phase == CARD:
        card = int(state["hand"][state["player"], action])
    elif action == ACT_BESIDE:
        turn = Turn(card, ACT_BESIDE, actions=actions)
    elif phase == GROUP and action == ACT_FINISH:
        groups = (*groups, unfinished) if unfinished else groups
        turn = Turn(card, ACT_TAKE, chosen_items(state), 0, actions, groups)
    elif phase == GROUP and action >= FIRST_PLACE:
        unfinished = (*unfinished, place)
    elif phase == TARGET and action >= FIRST_PLACE:
        values, target = target_values(state, place), place
        if single(values):
            turn = Turn(card, ACT_LAY, (place,), int(values).bit_length() - 1, actions)
    elif phase == NEW_VALUE:
        turn = Turn(card, ACT_LAY, (target,), VALUES[action - FIRST_VALUE], actions)
    if turn is None:
        apply_action(state, action)
        if phase == GROUP and unfinished and (action == ACT_NEXT or (action >= FIRST_PLACE and state["sums"] == EMPTY)):
            groups, unfinished = (*groups, unfinished), ()
    return _Step(actions, card, groups, unfinished, target, turn)


def at_start(states: Any) -> Any:
    """A record of one's own at the beginning of a turn.

    Raises:
        ValueError: nobody is to act, or a turn has begun.
    """
    state = own_state(as_record(states))
    if state["player"] == NOBODY or state["phase"] != CARD:
        raise ValueError("whole turns: nobody is at the beginning of a turn")
    return state


def whole_turns(states: Any, limit: int = 10_000) -> Iterator[Turn]:
    """All different legal turns of the seat to act, one after the other, each as soon as it is found.

    Args:
        states: one record of STATE at the beginning of a turn, or an array of shape (1,).
        limit: most turns to list.

    Raises:
        ValueError: not at the beginning of a turn, or there are more turns than `limit`.
    """
    found: set[Turn] = set()
    seen: set[bytes] = set()
    stack = [(at_start(states), _Step())]
    while stack:
        state, step = stack.pop()
        if step.turn is not None:
            if step.turn not in found:
                if len(found) == limit:
                    raise ValueError(f"whole turns: there are more than {limit}; a larger limit lists more")
                found.add(step.turn)
                yield step.turn
            continue
        legal = int(legal_actions(state))
        for action in reversed(range(len(ACTION_NAMES))):
            if not legal >> action & 1:
                continue
            after = own_state(state)
            following = _step(after, step, action)
            if following.turn is None:
                after["totals"] = 0
                if after.tobytes() in seen:
                    continue
                seen.add(after.tobytes())
            stack.append((after, following))


def as_turn(states: Any, actions: Sequence[int]) -> Turn:
    """The whole turn that some actions play.

    Raises:
        ValueError: not at the beginning of a turn, an action is not legal, or they are not exactly one turn.
    """
    state, step = at_start(states), _Step()
    for action in actions:
        if step.turn is not None or not is_legal(state, action):
            name = ACTION_NAMES[action] if 0 <= action < len(ACTION_NAMES) else action
            raise ValueError(f"turn: {name} is {'one action too many' if step.turn else 'not legal'}")
        step = _step(state, step, action)
    if step.turn is None:
        raise ValueError("turn: the actions break off before the end of the turn")
    return step.turn
