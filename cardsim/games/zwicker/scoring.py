"""Zwicker kernels: points of a deal, the end of a match, returns."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, lowest, popcount
from cardsim.games.zwicker.basics import side_of
from cardsim.games.zwicker.captures import is_loose, mark_chosen, takeable
from cardsim.games.zwicker.layout import (
    DEAL,
    DEALS,
    LEFT_OVER,
    MOST_CARDS,
    NOBODY,
    OVER,
    PACK,
    PENALTY,
    POINTS,
    TAKEN_CARDS,
    WINS,
    ZWICKS,
)
from cardsim.games.zwicker.rules import FIRST_JOKER, FIRST_WILD, FIXED, JOKER_VALUES, KINDS, OPTIONS, WILD
from cardsim.games.zwicker.table import clear_turn, take_chosen
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of

TIE_ALL = OPTIONS["most_cards_tie"].code("all")
ZWICK_POINTS = (3, 1, 3)
MOST_POINTS = (1, 3, 1)
"""By style (W15, W25, WP14)."""


def _card_points() -> Any:
    """Points of each captured kind, by style, joker_points apart (W15, W25)."""
    points = np.zeros((3, KINDS), np.int64)
    for kind in range(FIRST_JOKER):
        text = PACK.text(kind)
        book = 2 if text[0] == "A" else {"7D": 1, "7S": 1, "TD": 10}.get(text, 0)
        points[0, kind] = points[WILD, kind] = book
        tens = (3 if text == "TD" else 1) if text[0] == "T" else 0
        points[FIXED, kind] = tens + (text[0] == "A" or text == "2S")
    points[FIXED, FIRST_JOKER:FIRST_WILD] = np.array(JOKER_VALUES) - 10
    return points


CARD_POINTS = _card_points()
SCORING = np.array(
    [sum(1 << kind for kind in range(KINDS) if CARD_POINTS[style, kind]) for style in range(3)], np.uint64
)
"""Kinds that score at all, by style."""
WILD_KINDS = ~((U64(1) << U64(FIRST_WILD)) - U64(1))


@inlined
def pile_points(state: Any, side: int) -> int:
    """Points of the cards that a side has captured (W15, W25, WQ24, WP19)."""
    rules = state["rules"]
    style = U64(I64(rules["style"]))
    total = I64(0)
    for pack in range(I64(rules["packs"])):
        cards = U64(state["pile"][side, pack])
        rest = cards & SCORING[style]
        while rest != NONE:
            total += CARD_POINTS[style, U64(lowest(rest))]
            rest &= rest - U64(1)
        if rules["joker_points"]:
            total += I64(rules["joker_points"]) * popcount(cards & WILD_KINDS)
    return total


@inlined
def pile_size(state: Any, side: int) -> int:
    """Cards that a side has captured."""
    return popcount(state["pile"][side, 0]) + popcount(state["pile"][side, 1])


@kernel
def settle(state: Any) -> None:
    """End a deal: what is left, penalties, most cards, points; then the match goes on or ends (W14, W15, W24, W25)."""
    rules = state["rules"]
    style = I64(rules["style"])
    sides = I64(rules["sides"])
    for side in range(sides):
        state["gained"][side] = 0
    _charge_builds(state)
    _give_left_over(state)
    most, tied = _most_cards(state)
    for seat in range(I64(rules["players"])):
        side = side_of(state, seat)
        scores_most = pile_size(state, side) == most and most > 0 and (tied == 1 or rules["most_cards_tie"] == TIE_ALL)
        extra = MOST_POINTS[style] if scores_most else 0
        state["counts"][TAKEN_CARDS, seat] += pile_size(state, side)
        state["counts"][ZWICKS, seat] += state["zwicks"][side]
        state["counts"][MOST_CARDS, seat] += extra
        if seat == side:
            state["gained"][side] += pile_points(state, side) + ZWICK_POINTS[style] * I64(state["zwicks"][side]) + extra
            state["scores"][side] += state["gained"][side]
    _count_wins(state)
    state["totals"][DEALS] += 1
    state["player"] = NOBODY
    if not rules["match"] or match_over(state):
        state["phase"] = OVER
        return
    state["dealer"] = left_of(I64(state["dealer"]), I64(rules["players"]))  # WQ26
    state["phase"] = DEAL


@inlined
def _charge_builds(state: Any) -> None:
    """The penalty for builds left on the table (WQ8, WP12)."""
    rules = state["rules"]
    penalty = I64(rules["stale_build_penalty"])
    if rules["style"] != FIXED or penalty == 0:
        return
    for item in range(I64(state["items"])):
        if not is_loose(state, item):
            side = side_of(state, I64(state["builder"][item]))
            state["gained"][side] -= penalty
            for seat in range(I64(rules["players"])):
                if side_of(state, seat) == side:
                    state["counts"][PENALTY, seat] += penalty


@inlined
def _give_left_over(state: Any) -> None:
    """What lies on the table goes to the side that captured last; jokers that stay go to nobody (W24, WQ17, WP15)."""
    items = I64(state["items"])
    state["totals"][LEFT_OVER] += items
    capturer = I64(state["capturer"])
    if capturer == NOBODY:
        return
    for item in range(items):
        if takeable(state, item):
            mark_chosen(state, item)
    take_chosen(state, side_of(state, capturer))
    clear_turn(state)


@inlined
def _most_cards(state: Any) -> Any:
    """The most cards that a side has, and how many sides have them (WQ21)."""
    most = I64(0)
    tied = I64(0)
    for side in range(I64(state["rules"]["sides"])):
        size = pile_size(state, side)
        if size > most:
            most, tied = size, I64(1)
        elif size == most:
            tied += 1
    return most, tied


@inlined
def _count_wins(state: Any) -> None:
    """Points of the deal, and who has more of them than every other side."""
    rules = state["rules"]
    best, alone = best_of(state["gained"], I64(rules["sides"]))
    for seat in range(I64(rules["players"])):
        gained = I64(state["gained"][side_of(state, seat)])
        state["counts"][POINTS, seat] += gained
        state["counts"][WINS, seat] += I64(alone and gained == best)


@inlined
def match_over(state: Any) -> bool:
    """Whether the match ends with this deal (WQ27, WP18)."""
    rules = state["rules"]
    if state["totals"][DEALS] >= rules["deals_limit"]:
        return True
    target = I64(rules["target"])
    if target == 0:
        return False
    best, alone = best_of(state["scores"], I64(rules["sides"]))
    return alone and best >= target


@inlined
def best_of(points: Any, sides: int) -> Any:
    """The most points that a side has, and whether it is alone with them."""
    best = I64(points[0])
    alone = True
    for side in range(1, sides):
        own = I64(points[side])
        alone = own > best or (alone and own < best)
        best = max(best, own)
    return best, alone


@kernel
def returns(state: Any, out: Any) -> None:
    """Points of the seat's side in the finished deals, less the mean of the other sides'; the sum over sides is 0."""
    players = I64(state["rules"]["players"])
    sides = I64(state["rules"]["sides"])
    total = I64(0)
    for side in range(sides):
        total += state["scores"][side]
    for seat in range(players):
        own = I64(state["scores"][side_of(state, seat)])
        out[seat] = own - (total - own) / (sides - 1)
