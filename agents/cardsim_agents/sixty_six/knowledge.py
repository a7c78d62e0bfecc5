"""What a seat of Sixty-Six can work out from its own hand and from what is public.

Nothing here reads another hand, the talon, or the order of finished tricks: a state rebuilt from an
observation gives the same answers. Without `perfect_memory` totals and cards played are not used, since the
seat does not see them (SQ30).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, lowest, popcount
from cardsim.games.sixty_six.basics import higher, is_open, next_seat, pairs_in, side_of, suit_mask
from cardsim.games.sixty_six.knowledge import pack_cards
from cardsim.games.sixty_six.layout import ACE, KING, NO_CARD, QUEEN, RANK_POINTS
from cardsim.games.sixty_six.rules import OPTIONS, THOUSAND_ONE
from cardsim.jit import kernel

TRUE_ONLY = OPTIONS["claims"].code("true_only")
SUIT_POINTS = sum(RANK_POINTS)
POINTS = np.array(RANK_POINTS)


@kernel
def remembers(agent: Any, state: Any) -> bool:
    """Whether the agent may, and does, use the cards of finished tricks."""
    return agent["memory"] != 0 and state["rules"]["perfect_memory"] != 0


@kernel
def pack_points(state: Any) -> int:
    """Card points of the whole pack (S3): 120 but for a small one (SP38)."""
    points = SUIT_POINTS
    for rank in range(8 - I64(state["rules"]["ranks"])):
        points -= POINTS[rank]
    return points * I64(state["rules"]["suits"])


@kernel
def dearest(state: Any, cards: int) -> int:
    """Most points that so many cards of the pack can hold (S3)."""
    suits = I64(state["rules"]["suits"])
    points = 0
    left = I64(cards)
    for step in range(I64(state["rules"]["ranks"])):
        taken = min(left, suits)
        points += taken * POINTS[ACE - step]
        left -= taken
    return points


@kernel
def points_of(state: Any, side: int) -> int:
    """Points of a side; without perfect memory the average of its tricks."""
    rules = state["rules"]
    if rules["perfect_memory"]:
        return state["points"][side]
    return state["tricks"][side] * pack_points(state) * rules["active"] // rules["cards"]


@kernel
def surely_66(state: Any, side: int) -> bool:
    """Whether a claim that is legal now is true for certain."""
    rules = state["rules"]
    if rules["claims"] == TRUE_ONLY:
        return True
    if rules["perfect_memory"]:
        return state["points"][side] >= rules["goal"]
    return (
        pack_points(state) - dearest(state, rules["cards"] - rules["active"] * state["tricks"][side]) >= rules["goal"]
    )


@kernel
def best_foe_points(state: Any, side: int) -> int:
    """Points of the opposing side, of the better one in 1001 for three."""
    rules = state["rules"]
    if rules["teams"]:
        return points_of(state, 1 - side)
    most = 0
    for other in range(rules["players"]):
        if other != side:
            most = max(most, points_of(state, other))
    return most


@kernel
def unseen_cards(agent: Any, state: Any) -> Any:
    """Cards that the seat to act cannot place: in other hands or face down, and those it has forgotten."""
    seen = U64(state["hand"][state["player"]])
    if state["up"] != NO_CARD:
        seen |= bit(state["up"])
    for i in range(0 if remembers(agent, state) else state["trick_start"], state["played"]):
        seen |= bit(state["history"][i])
    return pack_cards(state) & ~seen


@kernel
def foes_after(state: Any, remaining: int) -> int:
    """How many opponents are among the next `remaining` seats."""
    return (remaining + 1) >> 1 if state["rules"]["teams"] else remaining


@kernel
def foes_may_hold(agent: Any, state: Any, unseen: Any, remaining: int) -> Any:
    """Cards that an opponent among the next `remaining` seats may hold."""
    if remaining == 0 or not remembers(agent, state):
        return unseen
    rules = state["rules"]
    player = state["player"]
    if rules["active"] == 2:
        return unseen & ~U64(state["absent"][next_seat(state, player)])
    may = NONE
    elsewhere = NONE
    for seat in range(rules["players"]):
        distance = (seat - player) % rules["players"]
        if 1 <= distance <= remaining and (not rules["teams"] or distance & 1):
            may |= unseen & ~U64(state["absent"][seat])
        else:
            elsewhere |= U64(state["known"][seat])
    return may & ~elsewhere


@kernel
def share_missed(state: Any, unseen: Any, remaining: int) -> float:
    """Chance that one given unseen card is in no hand of an opponent among the next `remaining` seats."""
    held = foes_after(state, remaining) * popcount(state["hand"][state["player"]])
    hidden = popcount(unseen)
    return 0.0 if held >= hidden else 1.0 - held / hidden


@kernel
def chance_none(miss: float, cards: Any) -> float:
    """Chance that none of `cards` is held, each being missed with chance `miss`."""
    chance = 1.0
    for _ in range(popcount(cards)):
        chance *= miss
    return chance


@kernel
def chance_holds(card: int, led: int, trump: int, strict: bool, may: Any, miss: float) -> float:
    """Chance that a card that is best now is not beaten by the opponents still to play.

    Args:
        card: card number.
        led: suit led.
        trump: trump suit, or NO_SUIT.
        strict: whether all must follow, beat and trump.
        may: cards that those opponents may hold.
        miss: see `share_missed`; 1.0 when nobody is left to play.
    """
    above = chance_none(miss, may & higher(card))
    suit = card >> 3
    if suit != led:  # a trump on a plain lead
        return 1.0 - chance_none(miss, may & suit_mask(led)) * (1.0 - above) if strict else above
    if suit == trump:
        return above
    trumped = 1.0 - chance_none(miss, may & suit_mask(trump))
    if strict:
        return above - above * chance_none(miss, may & suit_mask(led) & ~higher(card)) * trumped
    return above * (1.0 - (trumped if card & 7 > KING else 0.3 * trumped))


@kernel
def sure_winners(cards: Any, may: Any) -> Any:
    """Those of `cards` that none of `may` beats in their own suit."""
    winners = NONE
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        if may & higher(card) == NONE:
            winners |= bit(card)
    return winners


@kernel
def may_be_declared(state: Any, suit: int) -> bool:
    """Whether a suit's marriage is still free, as far as the seat knows (SP11; SP29 in 1001)."""
    rules = state["rules"]
    if not rules["perfect_memory"]:
        return True
    if (state["declared"] >> suit) & 1:
        return False
    ascending = rules["form"] == THOUSAND_ONE and rules["ascending_marriages"] != 0
    return not ascending or suit > state["last_pair"]


@kernel
def pair_cards(state: Any, hand: Any) -> Any:
    """Kings and queens in `hand` whose other half is in it too and whose marriage can still be declared."""
    rules = state["rules"]
    if not rules["marriages"]:
        return NONE
    if rules["talon"] and not rules["marriage_after_close"] and not is_open(state):  # SP9
        return NONE
    queens = pairs_in(hand) << U64(QUEEN)
    if queens != NONE:
        for suit in range(4):
            if not may_be_declared(state, suit):
                queens &= ~suit_mask(suit)
    return queens | (queens << U64(1))


@kernel
def marriage_value(state: Any, suit: int) -> int:
    """Points of a marriage (S11; SP29 in 1001)."""
    if state["rules"]["form"] == THOUSAND_ONE:
        return 40 + 20 * suit
    return 40 if suit == state["trump"] else 20


@kernel
def best_marriage(state: Any, pairs: Any) -> int:
    """Points of the dearest marriage among `pairs` (see `pair_cards`); 0 if there is none."""
    best = 0
    if pairs != NONE:
        for suit in range(4):
            if pairs & suit_mask(suit) != NONE:
                best = max(best, marriage_value(state, suit))
    return best


@kernel
def my_side(state: Any) -> int:
    """Side of the seat to act."""
    return side_of(state, state["player"])


@kernel
def my_total(state: Any) -> int:
    """Points of the own side with what waits for its next trick (SP8)."""
    side = my_side(state)
    waiting = state["pending"][side] if state["rules"]["perfect_memory"] else 0
    return points_of(state, side) + waiting
