"""When `book` closes: the total it may expect from its hand in strict play against 66 (tip 2)."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, bit, popcount
from cardsim.games.sixty_six.kernels import card_points, next_seat, suit_mask
from cardsim.games.sixty_six.layout import SCHNEIDER
from cardsim.jit import kernel
from cardsim_agents.sixty_six.knowledge import (
    chance_none,
    foes_may_hold,
    my_side,
    points_of,
    share_missed,
)

LOSER_SHARE = 0.3
"""Part of a low trump's trick that counts: it takes one only when the opponent leads a suit that is void."""


@kernel
def wants_to_close(agent: Any, state: Any, pairs: Any, unseen: Any) -> bool:
    """Whether the expected total reaches what the opponent's standing asks for."""
    if not agent["closing"]:
        return False
    opponent = next_seat(state, state["player"])
    needed = agent["close_at"]
    if state["tricks"][opponent] == 0:
        needed -= agent["close_no_trick"]
    elif points_of(state, opponent) < SCHNEIDER:
        needed -= agent["close_below_33"]
    return expected_total(agent, state, pairs, unseen) >= needed  # type: ignore[no-any-return]


@kernel
def expected_total(agent: Any, state: Any, pairs: Any, unseen: Any) -> float:
    """Points that the own side may expect after closing now: what it has, marriages in hand, likely tricks."""
    side = my_side(state)
    hand = U64(state["hand"][state["player"]])
    may = foes_may_hold(agent, state, unseen, 1)
    miss = share_missed(state, may, 1)
    trump = state["trump"]
    total = 1.0 * (points_of(state, side) + state["pending"][side])
    if state["rules"]["marriage_after_close"] and (state["tricks"][side] > 0 or state["rules"]["early_marriage"] != 0):
        for suit in range(4):
            if pairs & suit_mask(suit) != NONE:
                total += 40 if suit == trump else 20
    trumps_out = (1.0 - miss) * popcount(may & suit_mask(trump))
    for k in range(4):
        suit = (trump + k) & 3
        run, rounds = suit_total(agent, suit == trump, hand & suit_mask(suit), may & suit_mask(suit), suit, miss, trumps_out)
        total += run
        if k == 0:
            trumps_out = max(0.0, trumps_out - rounds)
    return total


@kernel
def suit_total(agent: Any, is_trump: bool, mine: Any, out: Any, suit: int, miss: float, trumps_out: float) -> Any:
    """Points expected from leading a suit from the top, and the number of its winners."""
    total = 0.0
    rounds = 0.0
    unbeaten = True
    for rank in range(7, -1, -1):
        card = 8 * suit + rank
        if out & bit(card) != NONE:
            unbeaten = False
        if mine & bit(card) == NONE:
            continue
        gain = card_points(card) + agent["close_catch"]
        if is_trump:
            chance = 1.0 if unbeaten else LOSER_SHARE
        elif unbeaten:
            held = (1.0 - miss) * popcount(out)
            follows = 1.0 - chance_none(miss, out) if rounds == 0 else min(1.0, max(0.0, held - rounds))
            chance = follows + (1.0 - follows) * (1.0 - min(1.0, trumps_out))
        else:
            break
        total += gain * chance
        rounds += chance
    return total, rounds
