"""Sixty-Six kernels: what the seat to act may do."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has
from cardsim.games.sixty_six.basics import (
    FIRST_OF_SUIT,
    FORCED,
    higher,
    is_open,
    is_strict,
    pairs_in,
    side_of,
    suit_mask,
    swap_card,
)
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ACT_CLOSE,
    ACT_DRAW,
    ACT_EXCHANGE,
    ACT_PASS,
    ASK_EXCHANGE,
    ASK_PAIR,
    DRAW,
    FOLLOW,
    KING,
    LAST,
    LEAD,
    NO_CARD,
    NOBODY,
    PAIR_0,
    QUEEN,
)
from cardsim.games.sixty_six.rules import OPTIONS, THOUSAND_ONE
from cardsim.jit import inlined, kernel

BEFORE_DRAW = OPTIONS["close_timing"].code("before_draw")
FORBIDDEN = OPTIONS["early_marriage"].code("forbidden")
ONLY_KING = OPTIONS["marriage_lead"].code("king")
FREE = OPTIONS["claims"].code("free")
ANY_TURN = OPTIONS["claim_timing"].code("any_turn")
SUITS_APART = U64(0x204081)
"""Times a set of suits: suit s at bit 8 s, and other bits between."""


@inlined
def legal_actions(state: Any) -> Any:
    """Set of legal actions of the seat to act."""
    phase = state["phase"]
    player = I64(state["player"])
    if phase == LEAD:
        return _legal_lead(state, player)
    if phase == FOLLOW:
        return _legal_follow(state, player)
    if phase == DRAW:
        return bit(ACT_DRAW) | bit(ACT_CLOSE)
    if phase == LAST:
        return bit(ACT_CLAIM) | bit(ACT_PASS)
    if phase == ASK_EXCHANGE:
        return bit(ACT_EXCHANGE) | bit(ACT_PASS)
    if phase == ASK_PAIR:
        return _pair_actions(declarable(state, player)) | bit(ACT_PASS)
    return NONE


@inlined
def _legal_lead(state: Any, player: int) -> Any:
    legal = U64(state["hand"][U64(player)])
    if pairs_in(legal) != NONE or state["lead_pair"] != NOBODY:
        legal = _lead_from_pairs(state, player)
    if is_open(state):
        if _can_exchange(state, player):
            legal |= bit(ACT_EXCHANGE)
        if _can_close(state):
            legal |= bit(ACT_CLOSE)
    if can_claim(state, player):
        legal |= bit(ACT_CLAIM)
    return legal


@kernel
def _lead_from_pairs(state: Any, player: int) -> Any:
    """Cards that may be led and marriages that may be declared by one who holds a pair or has just declared."""
    rules = state["rules"]
    legal = U64(state["hand"][player])
    pair = I64(state["lead_pair"])
    if pair != NOBODY and rules["marriage_must_lead"]:
        legal &= bit(8 * pair + KING) if rules["marriage_lead"] == ONLY_KING else U64(3) << U64(8 * pair + QUEEN)
    pairs = declarable(state, player)
    if rules["announce"] != FORCED:
        return legal | _pair_actions(pairs)
    if rules["marriage_lead"] == ONLY_KING:  # SP32: the queen is refused while the pair can be declared
        return legal & ~(pairs << U64(QUEEN))
    return legal


@kernel
def declarable(state: Any, player: int) -> Any:
    """Suits whose marriage `player` may declare now, as bits 0, 8, 16, 24 (S11)."""
    return pairs_in(state["hand"][player]) & undeclared(state, player)


@kernel
def undeclared(state: Any, player: int) -> Any:
    """Suits that `player` could declare now if he held the pair, as bits 0, 8, 16, 24."""
    rules = state["rules"]
    if not rules["marriages"]:
        return NONE
    if (state["lead_pair"] if player == state["leader"] else state["partner_pair"]) != NOBODY:  # SP11
        return NONE
    if rules["early_marriage"] == FORBIDDEN and state["tricks"][side_of(state, player)] == 0:  # SQ12
        return NONE
    if rules["talon"] and not rules["marriage_after_close"] and not is_open(state):  # SP9
        return NONE
    done = U64(state["declared"])
    if rules["form"] == THOUSAND_ONE and rules["ascending_marriages"]:
        done |= bit(I64(state["last_pair"]) + 1) - U64(1)
    return FIRST_OF_SUIT & ~(done * SUITS_APART)


@inlined
def _pair_actions(pairs: Any) -> Any:
    actions = NONE
    for suit in range(4):
        actions |= ((pairs >> U64(8 * suit)) & U64(1)) << U64(PAIR_0 + suit)
    return actions


@inlined
def _can_exchange(state: Any, player: int) -> bool:
    rules = state["rules"]
    if state["up"] == NO_CARD or state["talon_left"] < rules["exchange_min_talon"]:  # SQ10
        return False
    if not has(state["hand"][U64(player)], swap_card(state)):
        return False
    return not rules["exchange_needs_trick"] or state["tricks"][side_of(state, player)] > 0  # SQ9


@inlined
def _can_close(state: Any) -> bool:
    rules = state["rules"]
    if not rules["close_allowed"] or state["talon_left"] < rules["close_min_talon"]:  # SQ3
        return False
    if state["played"] == 0:
        return rules["close_first_lead"] != 0  # SP3
    return rules["close_timing"] != BEFORE_DRAW


@inlined
def can_claim(state: Any, player: int) -> bool:
    """Whether `player`, at his turn and at a time for claiming, may claim 66 (SQ16, SQ17)."""
    rules = state["rules"]
    side = U64(side_of(state, player))
    if not rules["claim_by_hand"] or state["tricks"][side] == 0:
        return False
    if not rules["marriage_show_out"] and state["phase"] == LEAD:  # SP10
        if state["lead_pair"] != NOBODY or state["partner_pair"] != NOBODY:
            return False
    return rules["claims"] == FREE or state["points"][side] >= rules["goal"]


@inlined
def duty(state: Any, player: int) -> Any:
    """Cards that strict play lets a follower play (SQ25, SP25)."""
    hand = U64(state["hand"][U64(player)])
    best = I64(state["best"])
    led = I64(state["history"][U64(state["trick_start"])]) >> 3
    trump = I64(state["trump"])
    over = higher(best)
    same = hand & suit_mask(led)
    if same != NONE:
        up = same & over
        return up if (best >> 3) == led and up != NONE else same
    trumps = hand & suit_mask(trump)
    if trumps == NONE:
        return hand
    over &= trumps
    return over if (best >> 3) == trump and over != NONE else trumps


@inlined
def _legal_follow(state: Any, player: int) -> Any:
    legal = duty(state, player) if is_strict(state) else U64(state["hand"][U64(player)])
    if state["rules"]["claim_timing"] == ANY_TURN and can_claim(state, player):  # SP12
        legal |= bit(ACT_CLAIM)
    return legal
