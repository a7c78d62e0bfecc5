"""Zwicker kernels: random worlds that agree with all that a seat knows, every such world equally likely.

The unseen cards go to the other seats' hands and to the stock. A hand has none of the values that its seat is known to
lack, a party has all that it has promised, and partners hold what the seat was told of them (WP13): nothing else is
known, so each way to deal the unseen cards by these conditions is as likely as any other. Random deals are tried first;
where they fail the ways are counted (ways.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, U64, bit, has
from cardsim.games.zwicker.basics import face_of, held_values, in_teams, kind_of, party_of
from cardsim.games.zwicker.knowledge import hides_target, pack_kinds
from cardsim.games.zwicker.layout import ACT, CARDS, NO_CARD, NO_ITEM, NOBODY, SEATS
from cardsim.games.zwicker.rules import HAND, KINDS
from cardsim.games.zwicker.table import from_hand, rank_in_hand, sort_hand, to_hand
from cardsim.games.zwicker.turns import tell, tells
from cardsim.games.zwicker.ways import BARRED, NEEDED, PARTY, SIZE, deal_by_ways, marks
from cardsim.jit import kernel
from cardsim.rng import shuffle, shuffle_top

TRIES = 32
"""Random deals that are tried before the ways are counted; most worlds agree at once."""
NO_WORLD = "resample_hidden: no world was found that agrees with all that the seat knows"


@kernel
def resample_hidden(state: Any, player: int, stream: Any) -> None:
    """Replace all that `player` cannot know by a random world that agrees with all he knows."""
    resample_trying(state, player, stream, TRIES)


@kernel
def resample_trying(state: Any, player: int, stream: Any, tries: int) -> None:
    """The same with as many random deals before the ways are counted."""
    if state["deck_pos"] == 0:
        return
    if hides_target(state, player):
        state["phase"] = ACT
        state["target"] = NO_ITEM
        state["page"] = 0
    known = np.zeros((4, SEATS), np.int64)
    held = note_known(state, player, known)
    cards = np.zeros(CARDS, np.uint8)
    size = list_unseen(state, player, cards)
    for _ in range(tries):
        shuffle_top(stream, cards, size, held)
        if _hands_fit(state, cards, known):
            shuffle(stream, cards[held:], size - held)
            break
    else:
        deal_by_ways(state, cards, size, known, stream)
        if not _hands_fit(state, cards, known):
            raise ValueError(NO_WORLD)
    _hand_out(state, cards, size, known)
    _play_first_copy(state, player)
    _tell_again(state, player)


@kernel
def note_known(state: Any, player: int, known: Any) -> int:
    """Write what the seat knows of the others' hands into the rows BARRED to SIZE; how many cards they hold."""
    held = 0
    own = party_of(state, player)
    for seat in range(I64(state["rules"]["players"])):
        known[PARTY, seat] = party_of(state, seat)
        known[NEEDED, seat] = state["promised"][seat]
        known[BARRED, seat] = state["lacks"][seat]
        if seat != player:
            while known[SIZE, seat] < HAND and state["hand"][seat, known[SIZE, seat]] != NO_CARD:
                known[SIZE, seat] += 1
            held += known[SIZE, seat]
            if in_teams(state) and (seat ^ player) & 1 == 0:
                known[BARRED, seat] |= I64(state["denied"][player])
    known[NEEDED, own] &= ~I64(held_values(state, player))
    known[NEEDED, own] |= I64(state["asked"][player])
    return held


@kernel
def list_unseen(state: Any, player: int, cards: Any) -> int:
    """Write the cards whose place the seat does not know into a list, ascending; how many there are."""
    size = 0
    for pack in range(I64(state["rules"]["packs"])):
        rest = pack_kinds(state)
        for side in range(SEATS):
            rest &= ~U64(state["pile"][side, pack])
        for item in range(I64(state["items"])):
            card = I64(state["top"][item])
            while card != NO_CARD:
                if card // KINDS == pack:
                    rest &= ~bit(kind_of(card))
                card = I64(state["under"][card])
        if state["card"] != NO_CARD and state["card"] // KINDS == pack:
            rest &= ~bit(kind_of(I64(state["card"])))
        for k in range(HAND):
            card = I64(state["hand"][player, k])
            if card != NO_CARD and card // KINDS == pack:
                rest &= ~bit(kind_of(card))
        for kind in range(KINDS):
            if has(rest, kind):
                cards[size] = KINDS * pack + kind
                size += 1
    return size


@kernel
def _hands_fit(state: Any, cards: Any, known: Any) -> bool:
    """Whether cards dealt in this order, seat by seat, agree with what is known."""
    lacking = known[NEEDED].copy()
    used = 0
    for seat in range(SEATS):
        for _ in range(known[SIZE, seat]):
            found = I64(marks(state, I64(cards[used])))
            if found & known[BARRED, seat] != 0:
                return False
            lacking[known[PARTY, seat]] &= ~found
            used += 1
    for party in range(SEATS):
        if lacking[party] != 0:
            return False
    return True


@kernel
def _hand_out(state: Any, cards: Any, size: int, known: Any) -> None:
    """Give the cards in their order to the hands and to the stock."""
    used = 0
    for seat in range(SEATS):
        for k in range(known[SIZE, seat]):
            state["hand"][seat, k] = NO_CARD
        for _ in range(known[SIZE, seat]):
            to_hand(state, seat, I64(cards[used]))
            used += 1
    at = I64(state["deck_pos"])
    for i in range(used, size):
        state["deck"][at] = cards[i]
        at += 1


@kernel
def _play_first_copy(state: Any, player: int) -> None:
    """Of cards that are alike the first is played (WP4): the card in play may change numbers with one of the hand."""
    mover = I64(state["player"])
    if mover in (player, NOBODY) or state["card"] == NO_CARD:
        return
    for k in range(HAND):
        held = I64(state["hand"][mover, k])
        card = I64(state["card"])
        if held != NO_CARD and face_of(held) == face_of(card) and rank_in_hand(held) < rank_in_hand(card):
            state["card"] = held
            state["hand"][mover, k] = card
            sort_hand(state, mover)


@kernel
def _tell_again(state: Any, player: int) -> None:
    """What the others were told of their partners: nothing, but what the builds of the present turn tell the mover."""
    for seat in range(SEATS):
        if seat != player:
            state["asked"][seat] = 0
            state["denied"][seat] = 0
    mover = I64(state["player"])
    if not tells(state) or mover in (player, NOBODY):
        return
    card = I64(state["card"])
    if card != NO_CARD:
        to_hand(state, mover, card)  # he was told when he still held it
    tell(state, mover)
    for slot in range(HAND):
        if card != NO_CARD and state["hand"][mover, slot] == card:
            from_hand(state, mover, slot)
            break
