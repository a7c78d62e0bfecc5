"""Zwicker as text: the groups of a capture, found from the items that it takes.

Which groups a capture is made of changes nothing (WP5), and the record does not tell it; a chain of decisions has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cardsim.games.zwicker.basics import face_of
from cardsim.games.zwicker.laying import item_values
from cardsim.games.zwicker.layout import (
    ACT_FINISH,
    ACT_FURTHER,
    ACT_NEXT,
    FIRST_PLACE,
    FIRST_VALUE,
    ITEMS,
    NO_ITEM,
    NOBODY,
    PLACES,
    PLAY_AT,
    VALUES,
)
from cardsim.games.zwicker.legal import MAXIMAL, legal_actions
from cardsim.games.zwicker.moves import apply_action
from cardsim.texts import members

MOST_STEPS = 200_000
"""Steps of the search for groups after which it is given up."""
EMPTY = 1
Group = tuple[int, ...]


class Goal(NamedTuple):
    """A capture, or the beginning of one.

    Attributes:
        value: at which the card is played.
        chosen: places of the items, ascending.
        state: the record to arrive at; None if any groups will do.
    """

    value: int
    chosen: tuple[int, ...]
    state: Any = None

    @property
    def open(self) -> bool:
        """Whether the last group is unfinished, or full but not closed."""
        return self.state is not None and int(self.state["sums"]) != EMPTY

    @property
    def first(self) -> int:
        """The first item of the last group, NO_ITEM if any will do."""
        return NO_ITEM if self.state is None else int(self.state["first" if self.open else "last"])

    def met(self, state: Any) -> bool:
        """Whether a record has arrived."""
        fields = ("chosen", "sums", "first", "last")
        return self.state is None or all((state[field] == self.state[field]).all() for field in fields)


def own_state(state: Any) -> Any:
    """A record of one's own, from one record."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)[0]


def is_legal(state: Any, action: int) -> bool:
    """Whether an action is legal."""
    return bool(int(legal_actions(state)) >> action & 1)


def play(state: Any, actions: Sequence[int]) -> None:
    """Play actions on a record.

    Raises:
        ValueError: one of them is not legal.
    """
    for action in actions:
        if not is_legal(state, action):
            raise ValueError(f"action {action} is not legal")
        apply_action(state, action)


def capture_chain(state: Any, goal: Goal) -> list[int]:
    """The actions of a capture from its value on, up to and without `finish`.

    Args:
        state: the record after `take`.
        goal: what is to be chosen.

    Raises:
        ValueError: the items do not split into such groups, or no way was found in MOST_STEPS steps.
    """
    begun = own_state(state)
    first = [FIRST_VALUE + VALUES.index(goal.value)] if begun["phase"] == PLAY_AT else []
    play(begun, first)
    if begun["value"] != goal.value:
        raise ValueError(f"the card does not capture at {goal.value}")
    chain = GroupSearch(begun, goal).chain()
    if chain is None:
        raise ValueError("the items do not split into groups of the value")
    return first + chain


class GroupSearch:
    """Looks for groups: first the last one, if the goal tells of it, then the others, each from the lowest item left.

    Args:
        state: the record, in which no item is chosen yet.
        goal: what is to be chosen.
    """

    def __init__(self, state: Any, goal: Goal) -> None:
        self.state, self.goal = state, goal
        self.values = {item: tuple(members(int(item_values(state, item)))) for item in goal.chosen}
        faces = {
            item: face_of(int(state["top"][item])) if state["builder"][item] == NOBODY else -1 - item
            for item in goal.chosen
        }
        self.twins = {item: {k for k in goal.chosen if k != item and faces[k] == faces[item]} for item in goal.chosen}
        self.hopeless: set[Any] = set()
        self.steps = 0

    def chain(self) -> list[int] | None:
        """The actions, None if there are none."""
        goal = self.goal
        if self.state["rules"]["capture_choice"] == MAXIMAL:  # no groups are told (maximal.py)
            return self._arrive([goal.chosen])
        if goal.first == NO_ITEM:
            groups = self._split(goal.chosen, ITEMS)
            return None if groups is None else self._arrive(groups)
        for last, sums in self._groups(tuple(item for item in goal.chosen if item >= goal.first), False):
            if not self._may_be_last(last, sums):
                continue
            groups = self._split(tuple(item for item in goal.chosen if item not in last), goal.first)
            chain = None if groups is None else self._arrive([*groups, last])
            if chain is not None:
                return chain
        return None

    def _may_be_last(self, group: Group, sums: int) -> bool:
        """Whether a group may be the last one: full, or as the goal tells; of cards that are alike the later ones."""
        goal = self.goal
        if goal.open and (group[-1] != goal.state["last"] or sums != goal.state["sums"]):
            return False
        if not goal.open and not sums >> goal.value & 1:
            return False
        return not any(twin > item and twin not in group for item in group for twin in self.twins[item])

    def _split(self, rest: Group, limit: int) -> list[Group] | None:
        """Split items into full groups that begin below a limit; None if they do not split."""
        if not rest:
            return []
        # Which items have these values makes no difference, but those that lie behind the limit begin no group.
        key = tuple(sorted((item >= limit, self.values[item]) for item in rest))
        if rest[0] >= limit or key in self.hopeless:
            return None
        if self._adds_up(rest):
            for group, sums in self._groups(rest, True):
                if sums >> self.goal.value & 1:
                    others = self._split(tuple(item for item in rest if item not in group), limit)
                    if others is not None:
                        return [group, *others]
        self.hopeless.add(key)
        return None

    def _adds_up(self, items: Group) -> bool:
        """Whether all values together can be a multiple of the value."""
        totals = EMPTY
        for item in items:
            totals = _raised(totals, self.values[item])
        return any(totals >> total & 1 for total in range(0, totals.bit_length(), self.goal.value))

    def _groups(self, rest: Group, in_order: bool) -> Iterator[tuple[Group, int]]:
        """Groups that begin with the first item, full or not, and their sums up to the value.

        Args:
            rest: items to choose from.
            in_order: take of cards that are alike the first ones, and only what can become full.
        """
        highest = (2 << self.goal.value) - 1
        ways = self._ways(rest) if in_order else dict.fromkeys(rest, highest)
        stack: list[tuple[Group, int]] = [(rest[:1], _raised(EMPTY, self.values[rest[0]]) & highest)]
        while stack:
            group, sums = stack.pop()
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise ValueError(f"no way to split {len(self.goal.chosen)} items was found in {MOST_STEPS} steps")
            yield group, sums
            for item in reversed(rest):
                if item <= group[-1]:
                    break
                more = _raised(sums, self.values[item]) & highest
                skipped = in_order and any(k < item and k in rest and k not in group for k in self.twins[item])
                if more & ways[item] and not skipped:
                    stack.append(((*group, item), more))

    def _ways(self, items: Group) -> dict[int, int]:
        """Sums from which a group can become full with items that lie above each item."""
        found, ways = {}, 1 << self.goal.value
        for item in reversed(items):
            found[item] = ways
            for value in self.values[item]:
                ways |= found[item] >> value
        return found

    def _arrive(self, groups: list[Group]) -> list[int] | None:
        """The actions that make these groups, if they lead to the goal."""
        state = own_state(self.state)
        chain: list[int] = []

        def do(action: int) -> None:
            chain.append(action)
            play(state, [action])

        try:
            for number, group in enumerate(groups, 1):
                for item in group:
                    for _ in range(item // PLACES):
                        do(ACT_FURTHER)
                    do(FIRST_PLACE + item % PLACES)
                if state["sums"] != EMPTY and (number < len(groups) or not (self.goal.open or self.goal.met(state))):
                    do(ACT_NEXT)
            arrived = is_legal(state, ACT_FINISH) if self.goal.state is None else self.goal.met(state)
        except ValueError:
            return None
        return chain if arrived else None


def _raised(sums: int, values: Sequence[int]) -> int:
    """A set of sums once one of some values has come to them."""
    found = 0
    for value in values:
        found |= sums << value
    return found
