"""When `book` closes: the total it may expect from its hand in strict play against 66 (tip 2)."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, bit, lowest, popcount
from cardsim.games.sixty_six.basics import card_points, higher, next_seat, suit_mask
from cardsim.games.sixty_six.legal import FORBIDDEN
from cardsim.jit import kernel
from cardsim_agents.sixty_six.knowledge import (
    chance_none,
    foes_may_hold,
    my_side,
    my_total,
    pack_points,
    points_of,
    share_missed,
    sure_winners,
)

LOSER_SHARE = 0.3
"""Part of a low trump's trick that counts: it takes one only when the opponent leads a suit that is out."""


@kernel
def wants_to_close(agent: Any, state: Any, pairs: Any, unseen: Any) -> bool:
    """Whether the expected total reaches what the opponent's standing asks for."""
    if not agent["closing"]:
        return False
    opponent = next_seat(state, state["player"])
    needed = agent["close_at"] + state["rules"]["goal"] - 66
    if state["tricks"][opponent] == 0:
        needed -= agent["close_no_trick"]
    elif points_of(state, opponent) < state["rules"]["schneider"]:
        needed -= agent["close_below_33"]
    return expected_total(agent, state, pairs, unseen) >= needed


@kernel
def expected_total(agent: Any, state: Any, pairs: Any, unseen: Any) -> float:
    """Points to expect after closing now: its points, marriages in hand, likely tricks."""
    hand = U64(state["hand"][state["player"]])
    may = foes_may_hold(agent, state, unseen, 1)
    miss = share_missed(state, may, 1)
    total = 1.0 * (my_total(state) + marriages_ahead(state, pairs))
    trumps = suit_mask(state["trump"])
    trumps_out = (1.0 - miss) * popcount(may & trumps) - popcount(sure_winners(hand & trumps, may))
    trumped = min(1.0, max(0.0, trumps_out))
    catch = agent["close_catch"] * pack_points(state) / (100.0 * state["rules"]["cards"])
    rest = hand
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        beaten = may & higher(card) != NONE
        if trumps & bit(card) != NONE:
            chance = LOSER_SHARE if beaten else 1.0
        elif beaten:
            chance = 0.0
        else:
            suit = suit_mask(card >> 3)
            follows = chance_follows(popcount(hand & higher(card)), may & suit, miss)
            chance = 1.0 - (1.0 - follows) * trumped
        total += chance * (card_points(card) + catch)
    return total


@kernel
def marriages_ahead(state: Any, pairs: Any) -> int:
    """Points of the marriages in hand that may be declared after closing."""
    rules = state["rules"]
    if pairs == NONE or not rules["marriage_after_close"]:
        return 0
    if state["tricks"][my_side(state)] == 0 and rules["early_marriage"] == FORBIDDEN:
        return 0
    trump_pair = 1 if pairs & suit_mask(state["trump"]) != NONE else 0
    return 20 * (popcount(pairs) // 2 + trump_pair)


@kernel
def chance_follows(round: int, out: Any, miss: float) -> float:
    """Chance that the opponent follows suit after `round` rounds of it; `out`: what he may hold of it."""
    if round == 0:
        return 1.0 - chance_none(miss, out)
    return min(1.0, max(0.0, (1.0 - miss) * popcount(out) - round))
