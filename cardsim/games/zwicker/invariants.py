"""Zwicker: what is true of every state, for `cardsim.testing.check_game`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cardsim.games.zwicker.basics import ATTAINABLE, HIGH, LOW, STACK_LIMIT, VALUE_SETS, kind_of
from cardsim.games.zwicker.knowledge import pack_kinds
from cardsim.games.zwicker.layout import (
    CARD,
    CARDS,
    DEAL,
    GROUP,
    ITEMS,
    NEW_VALUE,
    NO_CARD,
    NO_ITEM,
    NOBODY,
    OVER,
    PACK,
    POINTS,
    SEATS,
    TARGET,
)
from cardsim.games.zwicker.rules import FIRST_WILD, FIXED, KINDS, OPTIONS, PRESETS
from cardsim.games.zwicker.scoring import CARD_POINTS
from cardsim.games.zwicker.table import recount
from cardsim.jit import kernel
from cardsim.texts import members

SELF = OPTIONS["build_needs"].code("self")
FIXED_POINTS = {
    "no_joker": 21,
    "one_joker": 19,
    "two_joker": 29,
    "three_joker": 44,
    "four_joker": 64,
    "six_joker": 83,
    "grupp": 21,
}
"""Points of a deal in which everything is taken and one side has most cards, Zwicks and a second pack apart (WP19)."""
MOST, ZWICK = (1, 3, 1), (3, 1, 3)
"""By style: points for most cards and for a Zwick."""
PRESET_NAMES = tuple(PRESETS)


def check_state(states: Any, i: int) -> None:
    """Cards are in one place each, the bytes are canonical, what is known is true, the points add up (section 5).

    Args:
        states: records of STATE.
        i: which one.

    Raises:
        AssertionError: what does not add up.
    """
    state = states[i]
    _check_turn(state)
    _check_table(states, i)
    if state["deck_pos"] > 0:
        _check_cards(state)
        _check_known(state)
        if state["phase"] in (DEAL, OVER):
            _check_end(state)


def pack_of(state: Any) -> list[int]:
    """All cards of this form."""
    kinds = members(pack_kinds(state))
    return [KINDS * pack + kind for pack in range(int(state["rules"]["packs"])) for kind in kinds]


def cards_of_item(state: Any, item: int) -> list[int]:
    """Cards of an item, the one laid last first."""
    cards: list[int] = []
    card = int(state["top"][item])
    while card != NO_CARD:
        assert len(cards) < CARDS, f"item {item}: its cards lie in a circle"
        cards.append(card)
        card = int(state["under"][card])
    return cards


def _pile(state: Any, side: int) -> list[int]:
    first, second = state["pile"][side].tolist()
    return [*members(first), *(KINDS + kind for kind in members(second))]


def _check_turn(state: Any) -> None:
    phase = int(state["phase"])
    playing = phase not in (DEAL, OVER)
    assert playing == (state["player"] != NOBODY), "a seat is to act between deals, or none within one"
    assert (state["card"] != NO_CARD) == (playing and phase != CARD), "card: not that of a turn"
    assert (state["value"] != 0) == (phase == GROUP) == (state["sums"] != 0), "value, sums: not those of a capture"
    assert phase == GROUP or (not state["chosen"].any() and state["first"] == state["last"] == NO_ITEM), "chosen: stale"
    assert (state["target"] != NO_ITEM) == (phase == NEW_VALUE), "target: not that of a build"
    assert phase in (GROUP, TARGET, NEW_VALUE) or state["page"] == 0, "page: stale"


def _rank(card: int) -> tuple[bool, int, int]:
    """Order of the cards of a hand, what is no card last."""
    return card == NO_CARD, kind_of(card), card


@kernel
def _recount(states: Any, i: int) -> None:
    recount(states[i])


def _check_table(states: Any, i: int) -> None:
    state = states[i]
    style, items = int(state["rules"]["style"]), int(state["items"])
    attainable = int(ATTAINABLE[state["rules"]["form"]]) if style == FIXED else (2 << STACK_LIMIT) - 1
    lying = set()
    for item in range(items):
        cards = cards_of_item(state, item)
        lying |= set(cards[:-1])
        low, high = int(state["low"][item]), int(state["high"][item])
        if state["builder"][item] == NOBODY:
            kind = kind_of(cards[0])
            assert len(cards) == 1 and (low, high) == (LOW[style, kind], HIGH[style, kind]), f"item {item}: not loose"
        else:
            assert len(cards) > 1 and low == high and attainable >> low & 1, f"item {item}: not a stack or build"
    for field, empty in (("top", NO_CARD), ("low", 0), ("high", 0), ("builder", NOBODY)):
        assert (state[field][items:ITEMS] == empty).all(), f"{field}: not clear behind the items"
    under = [card for card, below in enumerate(state["under"].tolist()) if below != NO_CARD]
    assert lying.issuperset(under), "under: stale"
    again = states[i : i + 1].copy()
    _recount(again, 0)
    assert again.tobytes() == states[i : i + 1].tobytes(), "reach, present: not those of the items"


def _check_cards(state: Any) -> None:
    rules = state["rules"]
    cards, at = int(rules["cards"]), int(state["deck_pos"])
    deck = state["deck"].tolist()
    assert at <= cards, f"deck_pos: {at} of {cards} cards are dealt"
    assert {*deck[:at], *deck[cards:]} <= {NO_CARD}, "deck: cards where none can be"
    places = deck[at:cards]
    for seat, hand in enumerate(state["hand"].tolist()):
        held = [card for card in hand if card != NO_CARD]
        pile = _pile(state, seat)
        assert seat < rules["players"] or not held, f"seat {seat}: there is none, but it has cards"
        assert seat < rules["sides"] or not pile, f"side {seat}: there is none, but it has cards"
        assert hand == sorted(hand, key=_rank), f"seat {seat}: its hand is not sorted"
        places += held + pile
    for item in range(int(state["items"])):
        places += cards_of_item(state, item)
    if state["card"] != NO_CARD:
        places.append(int(state["card"]))
    pack = pack_of(state)
    lost = [PACK.text(card) for card in (Counter(pack) - Counter(places)).elements()]
    assert sorted(places) == pack, f"cards: {len(places)} have a place; without one: {' '.join(lost) or 'none'}"


def _check_known(state: Any) -> None:
    """What is told of hands is true of them (WP13)."""
    promised, lacks, asked, denied = (state[name].tolist() for name in ("promised", "lacks", "asked", "denied"))
    if not any((*promised, *lacks, *asked, *denied)):
        return
    players, style = int(state["rules"]["players"]), int(state["rules"]["style"])
    assert not any((*promised[players:], *lacks[players:], *asked[players:], *denied[players:])), "told of no seat"
    parties = state["rules"]["sides"] < players
    marked = [0] * SEATS
    for seat, hand in enumerate(state["hand"].tolist()):
        for kind in (kind_of(card) for card in hand if card != NO_CARD):
            marked[seat] |= int(VALUE_SETS[style, kind]) | (kind >= FIRST_WILD)
    for seat in range(players):
        held = 0
        for other in range(seat % 2, players, 2) if parties else ():
            held |= marked[other] if other != seat else 0
        assert marked[seat] & lacks[seat] == 0, f"seat {seat} holds what it lacks"
        assert asked[seat] & ~held == 0, f"seat {seat}: no partner holds what it was told"
        assert denied[seat] & held == 0, f"seat {seat}: a partner holds what it was told that none does"
        if state["rules"]["build_needs"] == SELF or not parties:
            assert promised[seat] & ~marked[seat] == 0, f"seat {seat} does not hold what it built"
        elif seat < 2:
            assert promised[seat] & ~(held | marked[seat]) == 0, f"side {seat}: does not hold its builds"


def _check_end(state: Any) -> None:
    """The table is empty, and the points are those of the form (WP19)."""
    rules = state["rules"]
    left = [cards_of_item(state, item) for item in range(int(state["items"]))]
    stays = bool(rules["jokers_stay"])
    for cards in left if state["capturer"] != NOBODY else []:
        assert stays and len(cards) == 1 and kind_of(cards[0]) >= FIRST_WILD, "the table is not empty at the end"
    style, sides = int(rules["style"]), int(rules["sides"])
    jokers = sum(kind_of(card) >= FIRST_WILD for card in pack_of(state)) * int(rules["joker_points"])
    points = int(rules["packs"]) * (FIXED_POINTS[PRESET_NAMES[rules["form"]]] - MOST[style]) + jokers
    unused = state["deck"][state["deck_pos"] : rules["cards"]]
    for card in [*(card for cards in left for card in cards), *map(int, unused)]:
        points -= int(CARD_POINTS[style, kind_of(card)]) + (kind_of(card) >= FIRST_WILD) * int(rules["joker_points"])
    sizes = [len(_pile(state, side)) for side in range(sides)]
    tied = sizes.count(max(sizes))
    if max(sizes) > 0 and (tied == 1 or rules["most_cards_tie"]):
        points += MOST[style] * tied
    points += ZWICK[style] * int(state["zwicks"].sum())
    lost, penalty = points - int(state["gained"].sum()), int(rules["stale_build_penalty"]) if style == FIXED else 0
    assert lost == 0 or (penalty and lost > 0 and lost % penalty == 0), f"points: {lost} of {points} are missing"
    for seat in range(int(rules["players"])):
        side = seat % 2 if sides < rules["players"] else seat
        assert state["counts"][POINTS, seat] == state["scores"][side], f"seat {seat}: its points are not its side's"
