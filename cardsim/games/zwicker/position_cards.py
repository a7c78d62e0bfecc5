"""Zwicker positions as text: cards, hands, items, piles and stock.

A card is written as everywhere, `TH` or `X20`. What is alike needs a mark as well, so that every card comes back as the
one it was: `TH'` is the ten of the second pack, `XW2` to `XW6` are the wild jokers after the first, `XW`. On reading, a
card without a mark is the first one that has no place yet.

An item on the table is a card, `9D`, or what was laid on it, `7D+6C=13@2`: the cards from below, the value, and the
seat that laid the last one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cardsim.bits import U64
from cardsim.games.zwicker.basics import ATTAINABLE, HIGH, LOW, VALUE_SETS
from cardsim.games.zwicker.laying import STACKS, new_values
from cardsim.games.zwicker.layout import CARDS, NO_CARD, NOBODY, PACK
from cardsim.games.zwicker.position_keys import seats_from, sides_of
from cardsim.games.zwicker.rules import FIRST_WILD, FIXED, HAND, KINDS, deck
from cardsim.games.zwicker.table import recount
from cardsim.options import Rules, clip
from cardsim.positions import NONE, number, refuse, seat_number, seats_of, split
from cardsim.texts import members

PLACES = "a place in hands, table, piles or stock"


def card_text(card: int) -> str:
    """Text of a card by which it alone comes back."""
    kind = card % KINDS
    mark = str(kind - FIRST_WILD + 1) if kind > FIRST_WILD else ""
    return PACK.text(kind) + mark + "'" * (card // KINDS)


LABELS = {card_text(card): (card,) for card in range(PACK.size)} | {
    PACK.text(card): tuple(other for other in range(PACK.size) if PACK.text(other) == PACK.text(card))
    for card in range(PACK.size)
}
"""Text of a card -> the cards that it may mean; the first one, unless that has a place already."""


def in_hand_order(card: int) -> tuple[int, int]:
    """Key by which cards lie in a hand: copies side by side."""
    return card % KINDS, card // KINDS


def find_card(text: str, free: set[int]) -> int:
    """The card of a text: the very one that a mark tells, else the first in `free` that is alike.

    Raises:
        ValueError: no such card.
    """
    alike = LABELS.get(text.strip().upper()) or (PACK.card(text),)
    return next((card for card in alike if card in free), alike[0])


def _take(free: set[int], text: str, place: str) -> int:
    """Read a card that has no place yet."""
    card = find_card(text, free)
    if card not in free:
        raise ValueError(f"position: card {card_text(card)} in {place}: is not in this pack, or has a place already")
    free.discard(card)
    return card


def _take_all(free: set[int], text: str, place: str) -> list[int]:
    return [] if text == NONE else [_take(free, name, place) for name in text.split(",")]


def cards_of_item(state: Any, item: int) -> list[int]:
    """The cards of an item from below."""
    cards, card = [], int(state["top"][item])
    while card != NO_CARD:
        cards.append(card)
        card = int(state["under"][card])
    return cards[::-1]


def cards_of_pile(state: Any, side: int) -> list[int]:
    """The cards that a side has captured, ascending, copies side by side."""
    first, second = state["pile"][side]
    return sorted(members(int(first) | int(second) << KINDS), key=in_hand_order)


def cards_of_hand(state: Any, seat: int) -> list[int]:
    """The cards that a seat holds, in the order of the actions; with the one that it is playing in this turn."""
    held = [int(card) for card in state["hand"][seat] if card != NO_CARD]
    if state["player"] == seat and state["card"] != NO_CARD:
        held.append(int(state["card"]))
    return sorted(held, key=in_hand_order)


def _list(cards: Sequence[int]) -> str:
    return ",".join(map(card_text, cards)) or NONE


def hands_text(state: Any) -> str:
    """The hands as they were at the beginning of the turn."""
    return ";".join(_list(cards_of_hand(state, seat)) for seat in range(seats_of(state)))


def piles_text(state: Any) -> str:
    """What each side has captured; `-` alone if nobody has."""
    if not state["pile"].any():
        return NONE
    return ";".join(_list(cards_of_pile(state, side)) for side in range(sides_of(state)))


def stock_text(state: Any) -> str:
    """The cards not dealt, top first."""
    return _list([int(card) for card in state["deck"] if card != NO_CARD])


def item_text(state: Any, item: int) -> str:
    """One item."""
    text = "+".join(map(card_text, cards_of_item(state, item)))
    builder = int(state["builder"][item])
    return text if builder == NOBODY else f"{text}={state['low'][item]}@{builder}"


def table_text(state: Any) -> str:
    """The items on the table, in their order."""
    return ",".join(item_text(state, item) for item in range(state["items"])) or NONE


def read_cards(rules: Rules, state: Any, words: Mapping[str, str]) -> None:
    """Read where every card is into a state whose deal is clear.

    Raises:
        ValueError: a card has no place, or two, or an item cannot be.
    """
    free, players = set(deck(rules)), seats_of(state)
    for seat, text in enumerate(split("hands", words.get("hands", ";".join(players * NONE)), ";", players)):
        cards = sorted(_take_all(free, text, f"hands (seat {seat})"), key=in_hand_order)
        if len(cards) > HAND:
            raise ValueError(f"position: hands: seat {seat} has {len(cards)} cards, must have at most {HAND}")
        state["hand"][seat, : len(cards)] = cards
    table = words.get("table", NONE)
    for item, text in enumerate([] if table == NONE else table.split(",")):
        _read_item(state, item, text, free)
    recount(state)
    sides = sides_of(state)
    if words.get("piles", NONE) != NONE:
        for side, text in enumerate(split("piles", words["piles"], ";", sides)):
            for card in _take_all(free, text, f"piles (side {side})"):
                state["pile"][side, card // KINDS] |= np.uint64(1 << card % KINDS)
    if "stock" in words:
        stock = _take_all(free, words["stock"], "stock")
        if free:
            missing = _list(sorted(free, key=in_hand_order))
            raise ValueError(f"position: {clip(missing)} missing: all {rules.record['cards'][0]} cards need {PLACES}")
    else:
        stock = sorted(free)
    state["deck_pos"] = int(rules.record["cards"][0]) - len(stock)
    state["deck"][:CARDS] = NO_CARD
    state["deck"][int(state["deck_pos"]) : int(rules.record["cards"][0])] = stock


def _read_item(state: Any, item: int, text: str, free: set[int]) -> None:
    """Read an item into its place."""
    match = re.fullmatch(r"([^=@]+)(?:=([^@]*)@(.*))?", text)
    if match is None or ("+" in text) != (match[2] is not None):
        why = "must be a card such as 9D, or cards, value and builder such as 7D+6C=13@2"
        raise ValueError(f"position: table: item {item + 1}, {clip(text)}: {why}")
    cards = [_take(free, name, f"table (item {item + 1})") for name in match[1].split("+")]
    style, below = int(state["rules"]["style"]), NO_CARD
    for card in cards:
        state["under"][card], below = below, card
    state["top"][item] = below
    state["items"] = item + 1
    if match[2] is None:
        state["low"][item], state["high"][item] = LOW[style, below % KINDS], HIGH[style, below % KINDS]
        return
    value, builder = number("table", match[2], 30, 1), seat_number("table", match[3], seats_of(state))
    possible = values_of_laid(state, cards)
    refuse(not possible >> value & 1, "table", clip(text), f"item {item + 1} cannot have the value {value}")
    state["low"][item] = state["high"][item] = value
    state["builder"][item] = builder


def values_of_laid(state: Any, cards: Sequence[int]) -> int:
    """The values that an item of these cards, from below, may have by the rules: bit mask."""
    rules = state["rules"]
    values = VALUE_SETS[rules["style"], cards[0] % KINDS]
    if rules["jokers_stay"] and cards[0] % KINDS >= FIRST_WILD:
        return 0  # W4 c, WP15
    allowed = ATTAINABLE[rules["form"]] if rules["style"] == FIXED else STACKS
    for card in cards[1:]:
        values = new_values(state, card, U64(values), U64(allowed))
    return int(values)


def hand_round(state: Any, dealer: int) -> list[int]:
    """Cards that each seat was dealt in the present round of a deal (WQ19, WP1)."""
    players = seats_of(state)
    count = int(state["deck_pos"]) - int(state["rules"]["table"])
    rest = count % (HAND * players)
    shares = [0] * players
    for place, seat in enumerate(seats_from(state, dealer)):
        shares[seat] = rest // players + (place < rest % players) if rest else HAND
    return shares


def held(state: Any) -> list[int]:
    """Cards that each seat holds."""
    return [int((state["hand"][seat] != NO_CARD).sum()) for seat in range(seats_of(state))]


def in_rotation(state: Any, dealer: int, player: int, sizes: Sequence[int]) -> bool:
    """Whether hands can be so large when it is a seat's turn and nobody has played twice running."""
    seats, shares = seats_from(state, dealer), hand_round(state, dealer)
    at = seats.index(player)
    return sizes[player] > 0 and any(
        all(sizes[seat] == max(shares[seat] - done - (place < at), 0) for place, seat in enumerate(seats))
        for done in range(HAND)
    )


def likely_player(state: Any, dealer: int) -> int:
    """The seat whose turn the sizes of the hands at its beginning tell; NOBODY if they tell none."""
    sizes = [len(cards_of_hand(state, seat)) for seat in range(seats_of(state))]
    fitting = (seat for seat in seats_from(state, dealer) if in_rotation(state, dealer, seat, sizes))
    return next(fitting, NOBODY)
