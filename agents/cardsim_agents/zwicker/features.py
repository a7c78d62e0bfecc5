"""What a learned agent is told of each action beside the observation: the best turn that begins with it, in numbers.

Which items add up to a card is arithmetic that a small network does not learn. So each action is described by the turn
that `book` would go on to with it: what it takes, what it leaves, and what `book` thinks of both. A number becomes a
row of zeros and ones, as many ones as limits that it reaches; what all of it is worth, the network has to learn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, has, popcount
from cardsim.contract import recall
from cardsim.games.zwicker.basics import VALUE_SETS, kind_of, side_of
from cardsim.games.zwicker.layout import ACT_TAKE, ACTION_NAMES, ITEMS, NO_CARD
from cardsim.games.zwicker.rules import FIRST_JOKER, FIRST_WILD, HAND, RANKS
from cardsim.jit import inlined, kernel
from cardsim_agents.zwicker.chances import CLASSES, KIND_OF_CLASS, OTHERS, PARTNERS
from cardsim_agents.zwicker.outlook import (
    AT_WORTH,
    SLOT,
    TOP,
    WHAT,
    after_turn,
    card_points,
    expected_best,
    own_next,
    weigh_classes,
    weigh_values,
)
from cardsim_agents.zwicker.planning import MOST_WEIGHED, best_row, next_action, weigh_turns

AMOUNTS = np.array(
    [0.01, 0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 0.9, 1.2, 1.6, 2, 2.5, 3.2, 4, 5, 7, 10, 14, 20, 28, 40]
)
CHANCES = np.array([0.02, 0.06, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8])
FEW = np.arange(1.0, 13.0)
MANY = np.arange(2.0, 34.0, 2.0)

ACTIONS = len(ACTION_NAMES)
BLOCKS = (
    ("begun", 1),  # whether a turn of `book` begins with the action
    ("what", 3),  # take, lay on, beside
    ("class", CLASSES),  # of the card
    ("behind", len(AMOUNTS)),  # by how much the best turn is worth more, as `book` sees it
    ("gain", len(AMOUNTS)),  # points taken, each card with its own worth
    ("others", len(AMOUNTS)),  # expected gain of the others on the table that is left
    ("partners", len(AMOUNTS)),
    ("own", len(AMOUNTS)),  # the mover's next time
    ("most", len(AMOUNTS)),  # the most that any value could take there, whether a card has it or not
    ("clearing", len(CHANCES)),  # chance that an opponent can clear the table
    ("alike", len(CHANCES)),  # chance that an opponent holds a card of the same values
    ("card_points", 4),  # of the card
    ("same", HAND),  # other cards of its values in the hand
    ("cards", len(FEW)),  # cards on the table before the turn that are not there after it
    ("left", len(FEW)),  # items on the table after it
    ("own_cards", len(MANY)),  # captured by the side, those of the turn included
    ("their_cards", len(MANY)),  # captured by the best of the other sides
)  # fmt: skip
"""Rows of zeros and ones that describe an action, and their lengths."""
STARTS = np.cumsum([0, *(size for _, size in BLOCKS)])
FEATURES = int(STARTS[-1])
(
    BEGUN, TURN, CLASS, BEHIND, GAIN, AGAINST, BESIDE, OWN, MOST, CLEARING, ALIKE, CARD_POINTS, SAME, CARDS, LEFT,
    OWN_CARDS, THEIR_CARDS,
) = range(len(BLOCKS))  # fmt: skip


@kernel
def reach(out: Any, block: int, limits: Any, value: float) -> None:
    """Set a one for each limit that a value reaches."""
    for k in range(len(limits)):
        if value >= limits[k]:
            out[STARTS[block] + k] = 1


@kernel
def describe_actions(agent: Any, state: Any, legal: Any, out: Any) -> None:
    """Describe the legal actions of the seat to act.

    Args:
        agent, state: the records; the agent's numbers are those by which `book` chooses a turn.
        legal: its legal actions.
        out: int8 (ACTIONS, FEATURES) of zeros, written.
    """
    view = np.zeros((4, ITEMS + 1))
    turns = np.empty((MOST_WEIGHED, 4), np.int64)
    sets = np.empty((MOST_WEIGHED, 2), np.uint64)
    worths = np.empty(MOST_WEIGHED)
    begins = np.full(ACTIONS, -1)  # by action, the row of the best turn that begins with it
    count = weigh_turns(agent, state, legal, view, turns, sets, worths)
    for row in range(count):
        action = next_action(state, turns[row], sets[row])
        if action >= 0 and has(legal, action) and (begins[action] < 0 or worths[row] > worths[begins[action]]):
            begins[action] = row
    top = worths[best_row(worths, count)]
    for action in range(ACTIONS):
        if begins[action] >= 0:
            reach(out[action], BEHIND, AMOUNTS, top - worths[begins[action]])
            describe_turn(agent, state, turns, sets, begins[action], view, out[action])


@kernel
def describe_turn(agent: Any, state: Any, turns: Any, sets: Any, row: int, view: Any, out: Any) -> None:
    """Describe a turn of a list (see `weigh_turns`)."""
    slot = turns[row, SLOT]
    card = I64(state["hand"][state["player"], slot]) if slot >= 0 else I64(state["card"])
    out[STARTS[BEGUN]] = 1
    out[STARTS[TURN] + turns[row, WHAT] - ACT_TAKE] = 1
    table = np.empty((3, ITEMS + 1))
    left, gain = after_turn(agent, state, card, turns, sets, row, view, table)
    reach(out, GAIN, AMOUNTS, gain)
    reach(out, LEFT, FEW, left)
    gains = np.zeros(TOP)
    by_class = np.zeros(CLASSES)
    if left > 0:
        weigh_values(agent, state, table, left, gains)
    weigh_classes(state, gains, view, by_class)
    reach(out, AGAINST, AMOUNTS, expected_best(by_class, view, OTHERS))
    reach(out, BESIDE, AMOUNTS, expected_best(by_class, view, PARTNERS))
    reach(out, OWN, AMOUNTS, own_next(agent, state, slot, gains))
    reach(out, MOST, AMOUNTS, gains.max())
    describe_card(state, card, slot, clearing_values(agent, state, table, left), view, out)
    describe_cards(state, turns, sets, row, out)


@kernel
def clearing_values(agent: Any, state: Any, table: Any, items: int) -> Any:
    """Values of which a card could clear a table, bit = value: where items are worth nothing, Zwicks are all it gains.

    Args:
        agent, state: the records; an agent that sees no Zwicks finds none.
        table: rows as for `outlook`; the worth of its items is set to 0.
        items: how many there are.
    """
    found = NONE
    if items > 0:
        gains = np.zeros(TOP)
        for item in range(items):
            table[AT_WORTH, item] = 0.0
        weigh_values(agent, state, table, items, gains)
        for value in range(TOP):
            found |= U64(gains[value] > 0.0) << U64(value)
    return found


@kernel
def describe_card(state: Any, card: int, slot: int, clearing: Any, view: Any, out: Any) -> None:
    """The card of a turn, who else has one like it, and who could clear the table."""
    style = U64(I64(state["rules"]["style"]))
    missing = 1.0
    for k in range(CLASSES):
        if VALUE_SETS[style, U64(KIND_OF_CLASS[k])] & clearing != NONE:
            missing *= 1.0 - view[OTHERS, k]
    reach(out, CLEARING, CHANCES, 1.0 - missing)
    own = class_of(card)
    out[STARTS[CLASS] + own] = 1
    reach(out, ALIKE, CHANCES, view[OTHERS, own])
    reach(out, CARD_POINTS, FEW[:4], card_points(state, card))
    same = I64(0)
    for k in range(HAND):
        held = I64(state["hand"][state["player"], k])
        same += held != NO_CARD and k != slot and class_of(held) == own
    reach(out, SAME, FEW[:HAND], same)


@inlined
def class_of(card: int) -> int:
    """Class of a card, see `chances`."""
    kind = I64(kind_of(card))
    return kind % len(RANKS) if kind < FIRST_JOKER else len(RANKS) + min(kind, FIRST_WILD) - FIRST_JOKER


@kernel
def describe_cards(state: Any, turns: Any, sets: Any, row: int, out: Any) -> None:
    """The cards that a turn takes, and who has captured how many."""
    taken = I64(0)
    if turns[row, WHAT] == ACT_TAKE:
        for item in range(I64(state["items"])):
            if has(sets[row, item >> 6], item & 63):
                card = I64(state["top"][item])
                while card != NO_CARD:
                    taken += 1
                    card = I64(state["under"][card])
        reach(out, CARDS, FEW, taken)
        taken += 1
    own = side_of(state, I64(state["player"]))
    most = I64(0)
    for side in range(I64(state["rules"]["sides"])):
        cards = popcount(state["pile"][side, 0]) + popcount(state["pile"][side, 1])
        if side == own:
            reach(out, OWN_CARDS, MANY, cards + taken)
        else:
            most = max(most, cards)
    reach(out, THEIR_CARDS, MANY, most)


@kernel
def describe_all(agents: Any, states: Any, observations: Any, masks: Any, out: Any) -> None:
    """Describe the legal actions of many decisions, each from what its seat observes.

    Args:
        agents: record of the agent, (1,).
        states: a record of the game under the rules of the observations, (1,); overwritten.
        observations: int8 (R, O).
        masks: int8 (R, A), 1 = legal.
        out: int8 (R, A, FEATURES) of zeros, written.
    """
    for row in range(len(observations)):
        legal = NONE
        for action in range(ACTIONS):
            legal |= U64(masks[row, action] != 0) << U64(action)
        recall(states[0], observations[row])
        describe_actions(agents[0], states[0], legal, out[row])
