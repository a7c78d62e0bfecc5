"""Sixty-Six kernels: what an action does.

A move that ends the deal only notes how (`CLAIMED`, `PLAYED_OUT` in the phase); `apply_action` settles in one place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, choose, has
from cardsim.games.sixty_six.basics import (
    FORCED,
    card_points,
    draws_made,
    higher,
    is_open,
    is_strict,
    next_seat,
    other_side,
    partner_of,
    side_of,
    suit_mask,
    swap_card,
    takers,
)
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ACT_CLOSE,
    ACT_DRAW,
    ACT_EXCHANGE,
    ACT_PASS,
    ASK_EXCHANGE,
    ASK_PAIR,
    CARDS,
    CLAIMED,
    CLOSES,
    DRAW,
    EXCHANGES,
    FOLLOW,
    KING,
    LAST,
    LEAD,
    MARRIAGES,
    NO_CARD,
    NOBODY,
    PAIR_0,
    PLAYED_OUT,
    QUEEN,
)
from cardsim.games.sixty_six.legal import ANY_TURN, can_claim, declarable, undeclared
from cardsim.games.sixty_six.rules import OPTIONS, THOUSAND_ONE
from cardsim.games.sixty_six.scoring import settle
from cardsim.jit import inlined, kernel

NEXT_TRICK = OPTIONS["early_marriage"].code("next_trick")


@inlined
def apply_action(state: Any, action: int) -> None:
    """Play a legal action of the seat to act."""
    state["decisions"] += 1
    chosen = I64(action)
    player = I64(state["player"])
    if chosen < PAIR_0:
        _play_card(state, player, chosen)
    elif chosen == ACT_DRAW:
        _draw(state, player)
        begin_lead(state, player)
    else:
        _other_action(state, player, chosen)
    if state["phase"] >= CLAIMED:
        settle(state)


@kernel
def _other_action(state: Any, player: int, action: int) -> None:
    if action == ACT_CLOSE:
        _close(state, player)
    elif action == ACT_CLAIM:
        state["phase"] = CLAIMED
    elif action == ACT_EXCHANGE:
        _exchange(state, player)
    elif action == ACT_PASS:
        if state["phase"] == LAST:
            state["phase"] = PLAYED_OUT
        else:
            _back_to_lead(state)
    else:
        _declare(state, player, action - PAIR_0)
        if state["phase"] == ASK_PAIR:
            _back_to_lead(state)


@inlined
def _back_to_lead(state: Any) -> None:
    state["phase"] = LEAD
    state["player"] = state["leader"]


@inlined
def begin_lead(state: Any, leader: int) -> None:
    """Put a seat on lead, after his partner has been asked for a marriage where that is played (SP27)."""
    state["lead_pair"] = NOBODY
    state["partner_pair"] = NOBODY
    state["phase"] = LEAD
    state["leader"] = leader
    state["player"] = leader
    state["trick_start"] = state["played"]
    if state["rules"]["partner_meld"]:
        _ask_partner(state)


@kernel
def _ask_partner(state: Any) -> None:
    partner = partner_of(I64(state["leader"]))
    if state["rules"]["teams"] and declarable(state, partner) != NONE:
        state["phase"] = ASK_PAIR
        state["player"] = partner


@kernel
def _exchange(state: Any, player: int) -> None:
    swap = swap_card(state)
    up = bit(state["up"])
    state["hand"][player] = np.uint32((U64(state["hand"][player]) ^ bit(swap)) | up)
    state["known"][player] = np.uint32((U64(state["known"][player]) & ~bit(swap)) | up)
    state["absent"][player] = np.uint32(U64(state["absent"][player]) & ~up)
    state["up"] = swap
    state["swapper"] = player
    state["swap_draws"] = draws_made(state)
    state["counts"][player, EXCHANGES] += 1
    if state["phase"] == ASK_EXCHANGE:
        _back_to_lead(state)


@kernel
def _close(state: Any, player: int) -> None:
    opponent = other_side(state, side_of(state, player))
    state["closer"] = player
    state["close_points"] = state["points"][opponent]
    state["close_tricks"] = state["tricks"][opponent]
    state["close_played"] = state["played"]
    state["counts"][player, CLOSES] += 1
    if state["phase"] == DRAW:
        begin_lead(state, player)
    rules = state["rules"]
    if rules["exchange_on_close"] and state["talon_left"] >= rules["exchange_min_talon"]:  # SP15
        if has(state["hand"][opponent], swap_card(state)):
            state["phase"] = ASK_EXCHANGE
            state["player"] = opponent


@kernel
def _declare(state: Any, player: int, suit: int) -> None:
    """Declare a marriage: points now or pending (SP8), both cards public while held (SP11)."""
    rules = state["rules"]
    side = side_of(state, player)
    thousand = rules["form"] == THOUSAND_ONE
    value = 40 + 20 * suit if thousand else 40 if suit == state["trump"] else 20
    if state["tricks"][side] == 0 or rules["early_marriage"] == NEXT_TRICK:
        state["pending"][side] += value
    else:
        state["points"][side] += value
    state["declared"] |= 1 << suit
    state["last_pair"] = suit
    state["known"][player] = np.uint32(U64(state["known"][player]) | (U64(3) << U64(8 * suit + QUEEN)))
    state["counts"][player, MARRIAGES] += 1
    if player == state["leader"]:
        state["lead_pair"] = suit
    else:
        state["partner_pair"] = suit
    if thousand:
        state["trump"] = suit
    if rules["marriage_show_out"]:
        _claim_automatically(state, player)


@inlined
def _claim_automatically(state: Any, player: int) -> bool:
    """With `claims` auto: go out if the side has 66 (or `goal`) and a trick (SP13); says whether the deal is over."""
    if not state["rules"]["claim_auto"]:
        return False
    side = U64(side_of(state, player))
    if state["points"][side] < state["rules"]["goal"] or state["tricks"][side] == 0:
        return False
    state["player"] = player
    state["phase"] = CLAIMED
    return True


@inlined
def _play_card(state: Any, player: int, card: int) -> None:
    leads = state["phase"] == LEAD
    if leads and state["rules"]["announce"] == FORCED and _announce(state, player, card):
        return
    card_bit = bit(card)
    played = I64(state["played"])
    seat, at = U64(player), U64(played)  # unsigned: no test for negative indices
    state["hand"][seat] = np.uint32(U64(state["hand"][seat]) ^ card_bit)
    state["known"][seat] = np.uint32(U64(state["known"][seat]) & ~card_bit)
    state["history"][at] = card
    state["movers"][at] = player
    state["played"] = played + 1
    state["trick_points"] += card_points(card)
    best = card
    best_seat = player
    if not leads:
        if is_strict(state):
            _note_duty(state, player, card)
        best = I64(state["best"])
        takes = has(takers(best, I64(state["trump"])), card)
        best = choose(takes, card, best)
        best_seat = choose(takes, player, state["best_seat"])
    state["best"] = best
    state["best_seat"] = best_seat
    if played + 1 - I64(state["trick_start"]) == state["rules"]["active"]:
        _finish_trick(state, best_seat)
    else:
        state["phase"] = FOLLOW
        following = next_seat(state, player)
        state["player"] = following
        if state["rules"]["claim_timing"] == ANY_TURN:
            _claim_automatically(state, following)


@kernel
def _announce(state: Any, player: int, card: int) -> bool:
    """`announce` forced: leading from a declarable pair declares it, else the other card is not held. Is it over?"""
    rank = card & 7
    suit = card >> 3
    if (rank != KING and rank != QUEEN) or state["lead_pair"] != NOBODY:
        return False
    if has(declarable(state, player), 8 * suit):
        _declare(state, player, suit)
        return state["phase"] == CLAIMED
    if has(undeclared(state, player), 8 * suit):  # his silence tells (SP32)
        _note_absent(state, player, bit(8 * suit + (QUEEN if rank == KING else KING)))
    return False


@inlined
def _note_absent(state: Any, player: int, cards: Any) -> None:
    """Everybody has seen that `player` holds none of `cards` now (SP36)."""
    state["absent"][player] = np.uint32(U64(state["absent"][player]) | cards)
    if state["rules"]["barrable"]:
        _bar(state, player, cards)


@kernel
def _bar(state: Any, player: int, cards: Any) -> None:
    """Cards not yet played that `player` lacks now can have come to him by a later draw only."""
    missing = U64(cards)
    for i in range(state["played"]):
        missing &= ~bit(state["history"][i])
    if player == state["swapper"]:
        missing &= ~bit(swap_card(state))  # held until the exchange; it comes back in public or not at all
    draws = draws_made(state)
    for card in range(CARDS):
        if has(missing, card):
            state["barred"][player, card] = draws + 1


@inlined
def _note_duty(state: Any, player: int, card: int) -> None:
    """What a follower's card shows in strict play (SP36); without branches, since it hangs on chance."""
    best = I64(state["best"])
    trump = I64(state["trump"])
    led = I64(state["history"][U64(state["trick_start"])]) >> 3
    suit = card >> 3
    void = suit_mask(led) if suit != led else NONE
    void |= suit_mask(trump) if suit != led and suit != trump else NONE
    above = higher(best) if suit == best >> 3 and card < best else NONE
    _note_absent(state, player, void | above)


@inlined
def _finish_trick(state: Any, winner: int) -> None:
    """The winner takes the trick and leads; he draws, may close, or the last trick is settled."""
    side = U64(side_of(state, winner))
    state["trick_start"] = state["played"]
    state["tricks"][side] += 1
    state["points"][side] += state["trick_points"] + state["pending"][side]  # SP8
    state["pending"][side] = 0
    state["trick_points"] = 0
    state["leader"] = winner
    state["player"] = winner
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    if _claim_automatically(state, winner):
        return
    if is_open(state):
        rules = state["rules"]
        if rules["draw_node"] and state["talon_left"] >= rules["close_min_talon"]:  # SP1
            begin_lead(state, winner)
            state["phase"] = DRAW
            return
        _draw(state, winner)
    elif state["hand"][U64(winner)] == 0:
        begin_lead(state, winner)
        state["phase"] = LAST  # SP14
        if not can_claim(state, winner):
            state["phase"] = PLAYED_OUT
        return
    begin_lead(state, winner)


@inlined
def _draw(state: Any, winner: int) -> None:
    """Winner, then loser, draw a card each (S9); the turned card is the last."""
    _draw_card(state, winner)
    _draw_card(state, next_seat(state, winner))
    state["talon_left"] -= 2


@kernel
def _draw_card(state: Any, seat: int) -> None:
    position = U64(state["talon_pos"])
    holder = U64(seat)
    if position < U64(state["rules"]["cards"]):
        card = bit(state["deck"][position])
        state["deck"][position] = NO_CARD
        state["talon_pos"] += 1
        state["absent"][holder] = np.uint32(0)  # it may be any card
    else:
        card = bit(state["up"])
        state["known"][holder] = np.uint32(U64(state["known"][holder]) | card)
        state["up_seat"] = seat
        state["up_drawn"] = state["up"]
        state["absent"][holder] = np.uint32(U64(state["absent"][holder]) & ~card)
        state["up"] = NO_CARD
    state["hand"][holder] = np.uint32(U64(state["hand"][holder]) | card)
