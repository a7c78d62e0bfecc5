"""Zwicker kernels: putting cards on the table and into hands, taking items from it."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit
from cardsim.games.zwicker.basics import HIGH, LOW, kind_of
from cardsim.games.zwicker.captures import EMPTY, SUMS, is_chosen, with_item
from cardsim.games.zwicker.laying import layable
from cardsim.games.zwicker.layout import LONGEST_TABLE, NO_CARD, NO_ITEM, NO_VALUE, NOBODY
from cardsim.games.zwicker.rules import HAND, KINDS, OPTIONS, WILD
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of

UNUSED = OPTIONS["short_deal"].code("unused")


@inlined
def put_beside(state: Any, card: int) -> None:
    """Add a loose card to the table."""
    item = I64(state["items"])
    style = U64(I64(state["rules"]["style"]))
    kind = U64(kind_of(card))
    state["top"][item] = card
    state["low"][item] = LOW[style, kind]
    state["high"][item] = HIGH[style, kind]
    state["items"] = item + 1
    state["reach"] = with_item(state, item, U64(state["reach"]))
    state["present"] |= layable(state, item)
    state["totals"][LONGEST_TABLE] = max(I64(state["totals"][LONGEST_TABLE]), item + 1)


@kernel
def recount(state: Any) -> None:
    """Find anew what the items on the table add to, and what there is to lay on."""
    rules = state["rules"]
    if rules["style"] == WILD or rules["jokers_stay"] or not rules["sum_capture"]:
        _recount_rare(state)
        return
    reach = EMPTY
    present = NONE
    for item in range(I64(state["items"])):
        low = U64(state["low"][item])
        high = U64(state["high"][item])
        reach |= ((reach << low) | (reach << high)) & SUMS
        present |= (EMPTY << low) | (EMPTY << high)
    state["reach"] = reach
    state["present"] = present


@kernel
def _recount_rare(state: Any) -> None:
    """The same with wild jokers, items that may not be taken, or without sums."""
    reach = EMPTY
    present = NONE
    for item in range(I64(state["items"])):
        reach = with_item(state, item, reach)
        present |= layable(state, item)
    state["reach"] = reach
    state["present"] = present


@inlined
def put_on(state: Any, card: int, item: int, value: int, seat: int) -> None:
    """Lay a card on an item, which keeps its place (WP11)."""
    state["under"][card] = state["top"][item]
    state["top"][item] = card
    state["low"][item] = value
    state["high"][item] = value
    state["builder"][item] = seat
    recount(state)


@inlined
def to_pile(state: Any, side: int, card: int) -> None:
    """Add a card to what a side has captured."""
    state["pile"][side, card >> 6] |= bit(kind_of(card))


@inlined
def item_to_pile(state: Any, side: int, item: int) -> None:
    """Add all cards of an item to what a side has captured; the item itself stays in the list."""
    card = I64(state["top"][item])
    while card != NO_CARD:
        to_pile(state, side, card)
        under = I64(state["under"][card])
        state["under"][card] = NO_CARD
        card = under


@inlined
def drop_item(state: Any, item: int) -> None:
    """Leave nothing of an item in the list."""
    state["top"][item] = NO_CARD
    state["low"][item] = 0
    state["high"][item] = 0
    state["builder"][item] = NOBODY


@inlined
def move_item(state: Any, item: int, place: int) -> None:
    """Copy an item to another place of the list."""
    state["top"][place] = state["top"][item]
    state["low"][place] = state["low"][item]
    state["high"][place] = state["high"][item]
    state["builder"][place] = state["builder"][item]


@kernel
def take_chosen(state: Any, side: int) -> int:
    """Move the chosen items to a side's pile; the others close up (W9). Returns how many were taken."""
    items = I64(state["items"])
    kept = I64(0)
    for item in range(items):
        if is_chosen(state, item):
            item_to_pile(state, side, item)
        else:
            if kept < item:
                move_item(state, item, kept)
            kept += 1
    for item in range(kept, items):
        drop_item(state, item)
    state["items"] = kept
    recount(state)
    return items - kept


@inlined
def clear_turn(state: Any) -> None:
    """Leave nothing of a turn's chain of decisions."""
    state["card"] = NO_CARD
    state["value"] = NO_VALUE
    state["sums"] = 0
    state["chosen"][0] = 0
    state["chosen"][1] = 0
    state["first"] = NO_ITEM
    state["last"] = NO_ITEM
    state["target"] = NO_ITEM
    state["page"] = 0


@inlined
def stock_end(state: Any) -> int:
    """Where the cards to be dealt end (WP3)."""
    rules = state["rules"]
    return I64(rules["cards"]) - (I64(rules["odd"]) if rules["short_deal"] == UNUSED else 0)


@inlined
def draw(state: Any) -> int:
    """The next card of the deck."""
    at = I64(state["deck_pos"])
    card = I64(state["deck"][at])
    state["deck"][at] = NO_CARD
    state["deck_pos"] = at + 1
    return card


@inlined
def rank_in_hand(card: int) -> int:
    """Order of the cards in a hand: by kind, so that copies lie side by side; NO_CARD last."""
    return 2 * (card & (NO_CARD + KINDS - 1)) + ((card >> 6) & 1)


@inlined
def card_of_rank(rank: int) -> int:
    """The card that has a rank in a hand."""
    return ((rank >> 1) & (NO_CARD + KINDS - 1)) + KINDS * (rank & 1)


@inlined
def sort_hand(state: Any, seat: int) -> None:
    """Put the cards of a hand in order: five exchanges, without a branch."""
    hand = state["hand"]
    a, b = rank_in_hand(I64(hand[seat, 0])), rank_in_hand(I64(hand[seat, 1]))
    c, d = rank_in_hand(I64(hand[seat, 2])), rank_in_hand(I64(hand[seat, 3]))
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    hand[seat, 0] = card_of_rank(a)
    hand[seat, 1] = card_of_rank(b)
    hand[seat, 2] = card_of_rank(c)
    hand[seat, 3] = card_of_rank(d)


@inlined
def to_hand(state: Any, seat: int, card: int) -> None:
    """Put a card into its place in a hand that is not full."""
    state["hand"][seat, HAND - 1] = card
    sort_hand(state, seat)


@inlined
def from_hand(state: Any, seat: int, slot: int) -> int:
    """Take a card out of a hand; those behind it close up."""
    card = I64(state["hand"][seat, slot])
    for at in range(HAND - 1):
        if at >= slot:
            state["hand"][seat, at] = state["hand"][seat, at + 1]
    state["hand"][seat, HAND - 1] = NO_CARD
    return card


@kernel
def hand_out(state: Any, place: int, packet: int) -> None:
    """`packet` cards to each seat from the dealer's left, as far as they go, from a place of the hand on (W8, WQ19)."""
    players = I64(state["rules"]["players"])
    end = stock_end(state)
    seat = I64(state["dealer"])
    for _ in range(players):
        seat = left_of(seat, players)
        for at in range(place, min(place + packet, place + end - I64(state["deck_pos"]))):
            state["hand"][seat, at] = draw(state)


@kernel
def sort_hands(state: Any) -> None:
    """Put the cards of every hand in order."""
    for seat in range(I64(state["rules"]["players"])):
        sort_hand(state, seat)


@kernel
def lay_out(state: Any, count: int) -> None:
    """Put the next cards of the deck on the table."""
    for _ in range(count):
        put_beside(state, draw(state))


@inlined
def in_hand(state: Any, seat: int) -> bool:
    """Whether a seat holds any card."""
    return state["hand"][seat, 0] != NO_CARD
