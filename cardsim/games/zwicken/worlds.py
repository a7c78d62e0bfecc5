"""Zwicken kernels: random worlds that agree with all that a seat knows, every such world equally likely.

The unseen cards go to the other seats' hands, to what they have laid away, and to the talon. Cards that a seat
certainly lacks (`absent`) never come to its hand; nothing is known of what was laid away (ZP17). All voids show after
the last swap, so no world depends on the order of the draws. Duties that others have failed in secret (ZP31) follow
from their cards: the tricks are played once more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, above, bit, has, lowest, popcount, select
from cardsim.games.zwicken.knowledge import pack_cards
from cardsim.games.zwicken.layout import CARDS, EVERY_CARD, FOLLOW, LEAD, NO_CARD, NO_POWER, NOBODY, SEATS, SWAP
from cardsim.games.zwicken.legal import BLOCK
from cardsim.games.zwicken.moves import begin_tricks, play_card
from cardsim.jit import kernel
from cardsim.rng import below, shuffle, uniform

TRIES = 32
"""Random deals that are tried before the ways are counted; most worlds agree at once."""


@kernel
def resample_hidden(state: Any, player: int, stream: Any) -> None:
    """Replace all that `player` cannot know by a random world that agrees with all he knows."""
    if state["up"] == NO_CARD:
        return
    lacking = np.zeros(SEATS, np.int64)
    for seat in range(SEATS):
        if seat != player:
            known = bit(state["shown"]) if state["shown_seat"] == seat else NONE
            lacking[seat] = popcount(state["hand"][seat]) - popcount(known)
            state["hand"][seat] = known
    cards = np.zeros(CARDS, np.uint8)
    pool = unseen_by(state, player)
    size = _list_cards(pool, cards)
    for _ in range(TRIES):
        shuffle(stream, cards, size)
        if _hands_fit(state, cards, lacking):
            break
    else:
        _order_by_ways(state, pool, cards, lacking, stream)
    _hand_out(state, player, cards, size, lacking)
    if state["phase"] == SWAP and state["rules"]["swap_mode"] == BLOCK and state["player"] != player:
        _keep_highest(state, I64(state["player"]), stream)
    if state["phase"] == LEAD or state["phase"] == FOLLOW:
        _play_again(state)


@kernel
def unseen_by(state: Any, player: int) -> Any:
    """Cards whose place the seat does not know."""
    seen = U64(state["hand"][player]) | U64(state["thrown"][player]) | bit(state["up"])
    for i in range(state["played"]):
        seen |= bit(state["history"][i])
    if state["shown"] != NO_CARD:
        # At the bottom of the talon, or in the hand of a seat that everybody knows (ZP17).
        seen |= bit(state["shown"])
    return pack_cards(state) & ~seen


@kernel
def _list_cards(pool: Any, cards: Any) -> int:
    """Write the cards of a set into a list, ascending; how many there are."""
    size = 0
    rest = pool
    while rest != NONE:
        cards[size] = lowest(rest)
        rest &= rest - U64(1)
        size += 1
    return size


@kernel
def _hands_fit(state: Any, cards: Any, lacking: Any) -> bool:
    """Whether cards dealt in this order, seat by seat, come to nobody who certainly lacks them."""
    used = 0
    for seat in range(SEATS):
        for _ in range(lacking[seat]):
            if has(state["absent"][seat], cards[used]):
                return False
            used += 1
    return True


@kernel
def _hand_out(state: Any, player: int, cards: Any, size: int, lacking: Any) -> None:
    """Give the cards in their order to the hands, to what the others have laid away, and to the talon."""
    used = 0
    for seat in range(SEATS):
        for _ in range(lacking[seat]):
            state["hand"][seat] |= bit(cards[used])
            used += 1
    for seat in range(SEATS):
        if seat != player:
            laid = popcount(state["thrown"][seat])
            state["thrown"][seat] = NONE
            for _ in range(laid):
                state["thrown"][seat] |= bit(cards[used])
                used += 1
    position = I64(state["talon_pos"])
    for i in range(used, size):
        state["deck"][position] = cards[i]
        position += 1


@kernel
def _keep_highest(state: Any, seat: int, stream: Any) -> None:
    """A block turn that goes on has kept its highest card (ZP15): give it back for another one, drawn at random."""
    hand = U64(state["hand"][seat])
    thrown = U64(state["thrown"][seat])
    if thrown < hand:
        return
    other = select(hand, below(stream, popcount(hand)))
    for card in range(CARDS):
        if has(thrown, card) and thrown & above(card) == NONE:
            state["hand"][seat] = hand ^ bit(other) ^ bit(card)
            state["thrown"][seat] = thrown ^ bit(other) ^ bit(card)


@kernel
def _order_by_ways(state: Any, pool: Any, cards: Any, lacking: Any, stream: Any) -> None:
    """Put the pool in a random order that fits, every one equally likely: hands first, seat by seat, then the rest.

    A card's receiver is drawn in proportion to the ways to deal the cards after it.
    """
    ways = _count_ways(state, pool, lacking)
    hands = np.zeros(SEATS, np.uint64)
    still = lacking.copy()
    rest = pool
    left = NONE
    for place in range(1, ways.shape[0]):
        card = lowest(rest)
        rest &= rest - U64(1)
        key = _key(lacking, still)
        pick = uniform(stream) * ways[place - 1, key]
        chosen = NOBODY
        if pick >= ways[place, key]:
            pick -= ways[place, key]
            for seat in range(SEATS):
                if still[seat] > 0 and not has(state["absent"][seat], card):
                    chosen = seat
                    still[seat] -= 1
                    share = ways[place, _key(lacking, still)]
                    if pick < share:
                        break
                    pick -= share
                    still[seat] += 1
        if chosen == NOBODY:
            left |= bit(card)
        else:
            hands[chosen] |= bit(card)
    size = 0
    for seat in range(SEATS):
        size += _list_cards(hands[seat], cards[size:])
    count = _list_cards(left, cards[size:])
    shuffle(stream, cards[size:], count)


@kernel
def _key(lacking: Any, still: Any) -> int:
    """Number of a state of the deal: how many cards each seat still lacks, of `lacking` at first."""
    key = 0
    for seat in range(SEATS):
        key = key * (lacking[seat] + 1) + still[seat]
    return key


@kernel
def _count_ways(state: Any, pool: Any, lacking: Any) -> Any:
    """ways[i, key]: ways to deal the pool's cards from the i-th on, when the seats still lack what `key` says."""
    size = popcount(pool)
    total = _key(lacking, lacking) + 1
    ways = np.zeros((size + 1, total))
    ways[size, 0] = 1.0
    cards = np.zeros(CARDS, np.uint8)
    _list_cards(pool, cards)
    for i in range(size - 1, -1, -1):
        for key in range(total):
            number = ways[i + 1, key]
            rest = key
            weight = 1
            for seat in range(SEATS - 1, -1, -1):
                kinds = lacking[seat] + 1
                if rest % kinds > 0 and not has(state["absent"][seat], cards[i]):
                    number += ways[i + 1, key - weight]
                rest //= kinds
                weight *= kinds
            ways[i, key] = number
    return ways


@kernel
def _play_again(state: Any) -> None:
    """Put the tricks back into the hands and play them once more, so that the failed duties fit the new cards."""
    played = I64(state["played"])
    history = state["history"].copy()
    for i in range(played):
        seat = I64(state["movers"][i])
        state["hand"][seat] |= bit(history[i])
        state["history"][i] = NO_CARD
        state["movers"][i] = NOBODY
    for seat in range(SEATS):
        state["tricks"][seat] = 0
        state["faults"][seat] = 0
    shown_seat = I64(state["shown_seat"])
    state["played"] = 0
    state["trick_start"] = 0
    state["led"] = U64(EVERY_CARD)
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    state["best_power"] = NO_POWER
    begin_tricks(state)
    for i in range(played):
        play_card(state, I64(history[i]))
    state["shown_seat"] = shown_seat
