"""Sixty-Six kernels: random worlds that agree with all that a seat knows (SP36), every such world equally likely.

The unseen cards go to at most three receivers: the other seats, and the talon. Who certainly lacks a card never gets
it. Where cards are still drawn after a void has shown (`follow_always` with a talon, `announce` forced), a world
counts by the number of ways in which its cards can have been drawn; this is sampled by rejection.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, bit, has, lowest, popcount, select
from cardsim.games.sixty_six.basics import card_points, draws_made, side_of, swap_card
from cardsim.games.sixty_six.knowledge import known_cards, last_trick, pack_cards
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ASK_EXCHANGE,
    ASK_PAIR,
    CARDS,
    LAST,
    LEAD,
    NO_CARD,
    NOBODY,
    SEATS,
)
from cardsim.games.sixty_six.legal import can_claim, legal_actions
from cardsim.games.sixty_six.rules import THREE_HAND
from cardsim.jit import kernel
from cardsim.rng import below, shuffle, uniform

RECEIVERS = 3
MAX_TRIES = 1_000_000
"""About a second; the rarest cases seen need a few thousand."""
NO_WORLD = "resample_hidden: no world was found that agrees with all that the seat knows"


@kernel
def resample_hidden(state: Any, player: int, stream: Any) -> None:
    """Replace all that `player` cannot know by a random world that agrees with all he knows.

    Without perfect memory (SQ30) the cards of forgotten tricks are dealt anew as well, and the totals follow.
    """
    if not state["rules"]["perfect_memory"]:
        _forget_until_claims_fit(state, player, stream)
    counts = np.zeros(RECEIVERS, np.int64)
    barred = np.zeros(RECEIVERS, np.uint64)
    dealt = np.zeros(RECEIVERS, np.uint64)
    seats = np.full(RECEIVERS, NOBODY)
    pool = _receivers(state, player, counts, barred, seats)
    for _ in range(MAX_TRIES):
        _deal_pool(pool, counts, barred, dealt, stream)
        for k in range(RECEIVERS):
            if seats[k] != NOBODY:
                state["hand"][seats[k]] = np.uint32(known_cards(state, seats[k]) | dealt[k])
        if not state["rules"]["barrable"] or _draws_fit(state, player, stream):
            break
    else:
        raise ValueError(NO_WORLD)
    for k in range(RECEIVERS):
        if seats[k] == NOBODY:
            _stack_talon(state, dealt[k], stream)
    _hide_question(state, player)


@kernel
def _receivers(state: Any, player: int, counts: Any, barred: Any, seats: Any) -> Any:
    """Who gets how many unseen cards and which never; returns the unseen cards."""
    rules = state["rules"]
    pool = pack_cards(state) & ~U64(state["hand"][player])
    for i in range(state["played"]):
        pool &= ~bit(state["history"][i])
    if state["up"] != NO_CARD:
        pool &= ~bit(state["up"])
    k = 0
    for seat in range(rules["players"]):
        if seat == player or state["hand"][seat] == 0:
            continue
        known = known_cards(state, seat)
        pool &= ~known
        counts[k] = popcount(state["hand"][seat]) - popcount(known)
        barred[k] = U64(state["absent"][seat])
        seats[k] = seat
        k += 1
    if k < RECEIVERS:
        counts[k] = popcount(pool) - counts.sum()
    return pool


@kernel
def _deal_pool(pool: Any, counts: Any, barred: Any, dealt: Any, stream: Any) -> None:
    """Give each receiver its number of cards, uniformly among all ways that avoid its barred cards."""
    dealt[:] = NONE
    if counts[1] == 0 and counts[2] == 0:
        dealt[0] = pool
        return
    if counts[2] == 0 and barred[1] == NONE:
        _deal_one(pool, counts[0], barred[0], dealt, stream)
        return
    ways = _count_ways(pool, counts, barred)
    a, b, rest = counts[0], counts[1], pool
    for i in range(popcount(pool)):
        card = lowest(rest)
        rest &= rest - U64(1)
        left = popcount(rest)
        c = left + 1 - a - b
        first = ways[i + 1, a - 1, b] if a > 0 and not has(barred[0], card) else 0.0
        second = ways[i + 1, a, b - 1] if b > 0 and not has(barred[1], card) else 0.0
        third = ways[i + 1, a, b] if c > 0 and not has(barred[2], card) else 0.0
        pick = uniform(stream) * (first + second + third)
        if pick < first:
            dealt[0] |= bit(card)
            a -= 1
        elif pick < first + second or third == 0.0:
            dealt[1] |= bit(card)
            b -= 1
        else:
            dealt[2] |= bit(card)


@kernel
def _deal_one(pool: Any, count: int, barred: Any, dealt: Any, stream: Any) -> None:
    free = pool & ~barred
    for _ in range(count):
        card = bit(select(free, below(stream, popcount(free))))
        free ^= card
        dealt[0] |= card
    dealt[1] = pool & ~dealt[0]


@kernel
def _count_ways(pool: Any, counts: Any, barred: Any) -> Any:
    """ways[i, a, b]: ways to give the cards from the i-th on, a of them to receiver 0, b to 1 and the rest to 2."""
    size = popcount(pool)
    ways = np.zeros((size + 1, counts[0] + 1, counts[1] + 1))
    ways[size, 0, 0] = 1.0
    for i in range(size - 1, -1, -1):
        card = select(pool, i)
        for a in range(min(counts[0], size - i) + 1):
            for b in range(min(counts[1], size - i - a) + 1):
                c = size - i - a - b
                total = 0.0
                if a > 0 and not has(barred[0], card):
                    total += ways[i + 1, a - 1, b]
                if b > 0 and not has(barred[1], card):
                    total += ways[i + 1, a, b - 1]
                if c > 0 and not has(barred[2], card):
                    total += ways[i + 1, a, b]
                ways[i, a, b] = total
    return ways


@kernel
def _stack_talon(state: Any, cards: Any, stream: Any) -> None:
    """Put the unseen cards that nobody holds face down on the talon, in random order."""
    position = state["talon_pos"]
    rest = cards
    while rest != NONE:
        state["deck"][position] = lowest(rest)
        rest &= rest - U64(1)
        position += 1
    shuffle(stream, state["deck"][state["talon_pos"] : position], position - state["talon_pos"])


@kernel
def _hide_question(state: Any, player: int) -> None:
    """Only the asked seat knows that it is asked (SP15): in the worlds of all others the leader is to act."""
    if state["player"] != player and state["phase"] in (ASK_EXCHANGE, ASK_PAIR):
        state["phase"] = LEAD
        state["player"] = state["leader"]


@kernel
def _draws_fit(state: Any, player: int, stream: Any) -> bool:
    """Whether a random order in which the others may have drawn their cards agrees with the voids they have shown."""
    for seat in range(state["rules"]["players"]):
        idle = state["rules"]["form"] == THREE_HAND and seat == state["dealer"]
        if seat != player and not idle and not _draws_fit_seat(state, seat, stream):
            return False
    return True


@kernel
def _draws_fit_seat(state: Any, seat: int, stream: Any) -> bool:
    """Assign draws to cards from the last draw back; each had the same number of candidates, so orders are uniform."""
    active = state["rules"]["active"]
    had = U64(state["hand"][seat])
    gone = np.full(CARDS, CARDS)
    for i in range(state["played"]):
        if state["movers"][i] == seat:
            had |= bit(state["history"][i])
            gone[state["history"][i]] = i // active
    draws = draws_made(state)
    if seat == state["swapper"]:
        swap = swap_card(state)
        had = (had | bit(swap)) & ~bit(state["up_first"])
        gone[swap] = state["swap_draws"]
    if seat == state["up_seat"]:
        if seat != state["swapper"]:
            had &= ~bit(state["up_drawn"])
        draws -= 1
    for k in range(draws, 0, -1):
        candidates = NONE
        due = NONE
        for card in range(CARDS):
            if has(had, card) and gone[card] >= k:
                candidates |= bit(card)
                if state["barred"][seat, card] >= k:
                    due |= bit(card)
        taken = bit(select(candidates, below(stream, popcount(candidates))))
        if due & ~taken != NONE:
            return False
        had &= ~taken
    for card in range(CARDS):
        if has(had, card) and state["barred"][seat, card] > 0:
            return False
    return True


@kernel
def _forget_until_claims_fit(state: Any, player: int, stream: Any) -> None:
    """Forget, but keep what the actions offered, or the engine's silence, tell about totals (SQ17, SP13, SP14)."""
    told = _claim_told(state, player)
    for _ in range(MAX_TRIES):
        _forget(state, player, stream)
        if _claim_told(state, player) == told:
            return
    raise ValueError(NO_WORLD)


@kernel
def _claim_told(state: Any, player: int) -> bool:
    """With `true_only`, whether a claim is offered; with `auto`, whether the deal should be over."""
    if state["rules"]["claim_auto"]:
        for side in range(SEATS):
            if state["tricks"][side] > 0 and state["points"][side] >= state["rules"]["goal"]:
                return True
        return False
    if state["phase"] == LAST:
        return can_claim(state, np.int64(state["leader"]))  # type: ignore[arg-type]
    return state["player"] == player and has(legal_actions(state), ACT_CLAIM)


@kernel
def _forget(state: Any, player: int, stream: Any) -> None:
    """Deal the cards of forgotten tricks anew among all that the player has no view of, and recount the totals."""
    seen = last_trick(state) | U64(state["hand"][player])
    for i in range(state["trick_start"], state["played"]):
        seen |= bit(state["history"][i])
    if state["up"] != NO_CARD:
        seen |= bit(state["up"])
    for seat in range(SEATS):
        seen |= known_cards(state, seat)
        state["known"][seat] = np.uint32(known_cards(state, seat))
        state["absent"][seat] = 0
        for card in range(CARDS):
            state["barred"][seat, card] = 0
    unseen = pack_cards(state) & ~seen
    cards = np.zeros(CARDS, np.uint8)
    for i in range(popcount(unseen)):
        cards[i] = select(unseen, i)
    shuffle(stream, cards, popcount(unseen))
    _count_history(state, -1)
    used = 0
    for i in range(state["trick_start"]):
        if not has(seen, state["history"][i]):
            state["history"][i] = cards[used]
            used += 1
    _count_history(state, 1)
    for seat in range(state["rules"]["players"]):
        held = popcount(state["hand"][seat])
        if seat != player and held > 0:
            hand = known_cards(state, seat)
            while popcount(hand) < held:
                hand |= bit(cards[used])
                used += 1
            state["hand"][seat] = np.uint32(hand)


@kernel
def _count_history(state: Any, sign: int) -> None:
    """Add or take away the card points of finished tricks; the winners stay who they were."""
    active = state["rules"]["active"]
    finished = state["trick_start"] // active
    for trick in range(finished):
        points = 0
        for i in range(trick * active, (trick + 1) * active):
            points += card_points(state["history"][i])
        after = (trick + 1) * active
        winner = state["movers"][after] if after < state["played"] else state["leader"]
        side = side_of(state, winner)
        state["points"][side] += sign * points
        opposes = state["closer"] != NOBODY and side != side_of(state, state["closer"])
        if opposes and after <= state["close_played"]:
            state["close_points"] += sign * points
