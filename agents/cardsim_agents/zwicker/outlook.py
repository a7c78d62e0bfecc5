"""What `book` thinks of a table that its turn leaves: to the others, to its partners, to itself next time.

A value is worth what a card of it could take: every item of that value, and the best single group of several. That is
found for all values at once by carrying the best worth of each sum over the items. Nothing here reads another
hand or the deck: chances come from the cards out of sight, and the sizes of hands from whose turn it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest
from cardsim.games.zwicker.basics import HIGH, LOW, VALUE_SETS, card_values, is_wild, kind_of, side_of
from cardsim.games.zwicker.layout import ACT_BESIDE, ACT_TAKE, ITEMS, NO_CARD
from cardsim.games.zwicker.rules import FIXED, HAND
from cardsim.games.zwicker.scoring import CARD_POINTS, ZWICK_POINTS
from cardsim.jit import inlined, kernel
from cardsim_agents.zwicker.chances import CLASSES, KIND_OF_CLASS, OTHERS, PARTNERS, POINTS, WORTH
from cardsim_agents.zwicker.parameters import GREEDY

AT_LOW, AT_HIGH, AT_WORTH = range(3)
"""Rows of a table to be thought of: the values of each item and its worth."""
TOP = 31
LAID_OFF = 1000.0
"""`greedy` takes anything rather than lay a card off."""
WHAT, VALUE, ITEM, SLOT = range(4)
"""Columns of a turn: take, lay on or beside; the value played at, or the new one; the item laid on; the card's place in
the hand, or -1 once it has left the hand."""
A_CARD = 1.0 / 128
"""What a card counts beside points for `greedy`: all cards together less than a point."""


@inlined
def card_points(state: Any, card: int) -> int:
    """Points of a captured card."""
    rules = state["rules"]
    points = I64(CARD_POINTS[I64(rules["style"]), kind_of(card)])
    return points + I64(rules["joker_points"]) if is_wild(card) else points


@inlined
def a_card(agent: Any) -> float:
    """What a captured card is worth beside its points."""
    return A_CARD if agent["kind_zwicker"] == GREEDY else agent["card_value"] / 100.0


@inlined
def card_worth(agent: Any, state: Any, card: int) -> float:
    """What a captured card is worth, its points included."""
    return card_points(state, card) + a_card(agent)


@kernel
def weigh_items(agent: Any, state: Any, view: Any) -> None:
    """Set row WORTH of a view: what each item on the table is worth to who takes it.

    Counted in whole numbers: an observation does not tell in which order the cards of an item lie.
    """
    for item in range(I64(state["items"])):
        points = I64(0)
        cards = I64(0)
        card = I64(state["top"][item])
        while card != NO_CARD:
            points += card_points(state, card)
            cards += 1
            card = I64(state["under"][card])
        view[WORTH, item] = points + cards * a_card(agent)


@kernel
def weigh_values(agent: Any, state: Any, table: Any, items: int, gains: Any) -> None:
    """By value, what a card of it could take of a table; see the module text. Arguments as for `outlook`."""
    single = np.zeros(TOP)
    alone = np.zeros(TOP)
    several = np.zeros(TOP)
    counts = np.zeros(TOP)
    everything = U64(1)
    top = TOP - 1 if state["rules"]["style"] == FIXED else 14
    adds = state["rules"]["sum_capture"] != 0
    for item in range(items):
        worth = table[AT_WORTH, item]
        low, high = I64(table[AT_LOW, item]), I64(table[AT_HIGH, item])
        step = max(1, high - low)
        if step > 10:  # a wild joker: any value
            step = 1
            if state["rules"]["jokers_stay"]:
                everything = NONE
                continue
        raised = NONE
        for total in range(top - low if adds else 0, 0, -1):
            best = max(alone[total], several[total])
            if best > 0.0:
                for value in range(low, min(high, top - total) + 1, step):
                    several[total + value] = max(several[total + value], best + worth)
        for value in range(low, high + 1, step):
            alone[value] = max(alone[value], worth)
            single[value] += worth
            counts[value] += 1.0
            raised |= everything << U64(value)
        everything = raised
    zwick = 1.0 * ZWICK_POINTS[I64(state["rules"]["style"])] if agent["sweeps"] and items > 0 else 0.0
    for value in range(1, top + 1):
        gains[value] = single[value] + several[value]
        if counts[value] == items or (everything >> U64(value)) & U64(1) != NONE:
            gains[value] += zwick


@kernel
def expected_best(gains: Any, view: Any, row: int) -> float:
    """Expected gain of who takes the best that his cards can take, by the chances in a row of a view."""
    left = 1.0
    total = 0.0
    done = U64(0)
    while left > 0.01:
        best = -1
        for k in range(CLASSES):
            if (done >> U64(k)) & U64(1) == NONE and gains[k] > 0.0 and view[row, k] > 0.0:
                if best < 0 or gains[k] > gains[best]:
                    best = k
        if best < 0:
            break
        done |= bit(best)
        total += left * view[row, best] * gains[best]
        left *= 1.0 - view[row, best]
    return total


@inlined
def best_of(gains: Any, values: Any) -> float:
    """The largest gain among some values."""
    best = 0.0
    rest = U64(values)
    while rest != NONE:
        best = max(best, gains[lowest(rest)])
        rest &= rest - U64(1)
    return best


@inlined
def after_turn(agent: Any, state: Any, card: int, turns: Any, sets: Any, row: int, view: Any, table: Any) -> Any:
    """The table that a turn of a list leaves, see `candidates.list_turns`, and what the turn gains.

    Args:
        agent, state: the records.
        card: the card of the turn.
        turns, sets, row: the turn.
        view: row WORTH: what each item is worth.
        table: rows AT_LOW to AT_WORTH, by item, set.

    Returns:
        How many items there are, and the worth of what it takes, a Zwick included, by points of the deal.
    """
    takes = turns[row, WHAT] == ACT_TAKE
    rules = state["rules"]
    gain = card_worth(agent, state, card)
    left = I64(0)
    for item in range(I64(state["items"])):
        if takes and has(sets[row, item >> 6], item & 63):
            gain += view[WORTH, item]
        else:
            table[AT_LOW, left] = state["low"][item]
            table[AT_HIGH, left] = state["high"][item]
            table[AT_WORTH, left] = view[WORTH, item]
            left += 1
    if takes:
        if left == 0 and (rules["joker_sweep_counts"] or not is_wild(card)):
            gain += ZWICK_POINTS[I64(rules["style"])]
        return left, gain
    onto = I64(turns[row, ITEM])
    beside = turns[row, WHAT] == ACT_BESIDE
    style, kind = I64(rules["style"]), kind_of(card)
    table[AT_LOW, onto] = LOW[style, kind] if beside else turns[row, VALUE]
    table[AT_HIGH, onto] = HIGH[style, kind] if beside else turns[row, VALUE]
    table[AT_WORTH, onto] = view[WORTH, onto] + gain
    return max(left, onto + 1), 0.0


@kernel
def worth_of_turn(agent: Any, state: Any, card: int, slot: int, turns: Any, sets: Any, row: int, view: Any) -> float:
    """What a turn of a list is worth, see `candidates.list_turns`; by points of the deal.

    For `greedy` that is what it takes, or the points that lie on the table for others, as a loss.
    """
    if agent["kind_zwicker"] == GREEDY and turns[row, WHAT] != ACT_TAKE:
        return -LAID_OFF - card_worth(agent, state, card) - view[WORTH, I64(turns[row, ITEM])]
    table = np.empty((3, ITEMS + 1))
    left, gain = after_turn(agent, state, card, turns, sets, row, view, table)
    return gain if agent["kind_zwicker"] == GREEDY else gain + outlook(agent, state, slot, table, left, view)


@kernel
def outlook(agent: Any, state: Any, skip: int, table: Any, items: int, view: Any) -> float:
    """What a table is worth to the mover, who leaves it to the others.

    Args:
        agent, state: the records.
        skip: place in the hand of the card that is played, or -1 once it has left the hand.
        table: rows AT_LOW to AT_WORTH, by item.
        items: how many there are.
        view: rows WORTH to POINTS.
    """
    rules = state["rules"]
    sides = 1.0 * I64(rules["sides"])
    worth = 0.0
    if items == 0:
        return worth
    gains = np.zeros(TOP)
    by_class = np.zeros(CLASSES)
    weigh_values(agent, state, table, items, gains)
    weigh_classes(state, gains, view, by_class)
    if agent["deny"]:
        worth -= expected_best(by_class, view, OTHERS) * agent["deny_percent"] / (100.0 * (sides - 1.0))
    if agent["partner"] and rules["sides"] < rules["players"]:
        worth += expected_best(by_class, view, PARTNERS) * agent["partner_percent"] / 100.0
    if agent["own_next"]:
        worth += own_next(agent, state, skip, gains) * agent["own_percent"] / 100.0
    return worth


@inlined
def weigh_classes(state: Any, gains: Any, view: Any, by_class: Any) -> None:
    """By class of cards, what its best value could take of a table, points of the card included; (CLASSES,), set."""
    style = U64(I64(state["rules"]["style"]))
    for k in range(CLASSES):
        best = best_of(gains, VALUE_SETS[style, U64(KIND_OF_CLASS[k])])
        by_class[k] = best + view[POINTS, k] if best > 0.0 else 0.0


@kernel
def own_next(agent: Any, state: Any, skip: int, gains: Any) -> float:
    """The most that another card of the hand could take, as far as it outlasts the turns of the opponents."""
    player = I64(state["player"])
    players = I64(state["rules"]["players"])
    best = 0.0
    for k in range(HAND):
        card = I64(state["hand"][player, k])
        if card == NO_CARD:
            break
        if k != skip:
            gain = best_of(gains, card_values(state, card))
            if gain > 0.0:
                best = max(best, gain + card_worth(agent, state, card))
    for seat in range(players):
        if side_of(state, seat) != side_of(state, player):
            best *= agent["survives"] / 100.0
    return best
