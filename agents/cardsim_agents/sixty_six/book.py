"""The choice of `book` at every node, and the `act` kernel of the family."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, bit, has, lowest, popcount, select
from cardsim.games.sixty_six.basics import card_points, is_strict
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
    LAST,
    NO_SUIT,
    PAIR_0,
)
from cardsim.games.sixty_six.moves import NEXT_TRICK
from cardsim.games.sixty_six.rules import THOUSAND_ONE
from cardsim.jit import kernel
from cardsim.rng import below
from cardsim_agents.learned.inference import play_network
from cardsim_agents.sixty_six.closing import wants_to_close
from cardsim_agents.sixty_six.following import follow
from cardsim_agents.sixty_six.knowledge import (
    marriage_value,
    my_side,
    pair_cards,
    points_of,
    surely_66,
    unseen_cards,
)
from cardsim_agents.sixty_six.leading import lead
from cardsim_agents.sixty_six.parameters import CAUTIOUS, PPO, RANDOM

CARD_ACTIONS = U64(0xFFFFFFFF)
PAIR_ACTIONS = U64(0xF << PAIR_0)


@kernel
def act(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    """Choose an action for the seat to act (contract function `act`).

    Args:
        agent: record of the family.
        state: record of the game; only what the seat to act may know is read.
        legal: its legal actions as uint64, not empty.
        stream: random numbers, used by `random` and `cautious` only.
    """
    if legal & (legal - U64(1)) == NONE:
        return lowest(legal)
    if agent["kind_sixty_six"] == PPO:
        return play_network(agent, state, legal, stream)
    if agent["kind_sixty_six"] == RANDOM:
        return select(legal, below(stream, popcount(legal)))
    if has(legal, ACT_CLAIM):
        if surely_66(state, my_side(state)):
            return ACT_CLAIM
        legal &= ~bit(ACT_CLAIM)
    if agent["kind_sixty_six"] == CAUTIOUS:
        return _cautious(agent, legal, stream)
    if state["phase"] == LAST:
        return ACT_PASS
    if state["phase"] == ASK_EXCHANGE:
        return ACT_EXCHANGE if _exchanges(agent, state) else ACT_PASS
    if state["phase"] == ASK_PAIR:
        return _pick_pair(state, legal)
    unseen = unseen_cards(agent, state)
    if state["phase"] == FOLLOW:
        return follow(agent, state, legal & CARD_ACTIONS, unseen)
    return _on_lead(agent, state, legal, unseen)


@kernel
def _cautious(agent: Any, legal: Any, stream: Any) -> int:
    if has(legal, ACT_CLOSE):
        if below(stream, 100) < agent["close_chance"]:
            return ACT_CLOSE
        legal &= ~bit(ACT_CLOSE)
    return select(legal, below(stream, popcount(legal)))


@kernel
def _on_lead(agent: Any, state: Any, legal: Any, unseen: Any) -> int:
    """What `book` does on lead, or before the draw."""
    pairs = pair_cards(state, U64(state["hand"][state["player"]]))
    if has(legal, ACT_EXCHANGE) and _exchanges(agent, state):
        return ACT_EXCHANGE
    pair = _pick_pair(state, legal) if legal & PAIR_ACTIONS != NONE else ACT_PASS
    if pair != ACT_PASS and state["trump"] != NO_SUIT and _wins_by_pair(state, pair - PAIR_0):
        return pair
    if has(legal, ACT_CLOSE) and wants_to_close(agent, state, pairs, unseen):
        return ACT_CLOSE
    if state["phase"] == DRAW:
        return ACT_DRAW
    if pair != ACT_PASS and _declares(agent, state, pair - PAIR_0):
        return pair
    return lead(agent, state, legal & CARD_ACTIONS, unseen)


@kernel
def _exchanges(agent: Any, state: Any) -> bool:
    """Whether the turned card is worth the exchange (tip 4)."""
    return agent["exchange"] != 0 and card_points(state["up"]) >= agent["exchange_gain"]


@kernel
def _pick_pair(state: Any, legal: Any) -> int:
    """The dearest marriage that may be declared; where they must ascend, the cheapest (SP29)."""
    chosen = ACT_PASS
    best = 0
    rules = state["rules"]
    ascending = rules["form"] == THOUSAND_ONE and rules["ascending_marriages"] != 0
    for suit in range(4):
        if has(legal, PAIR_0 + suit):
            value = 200 - marriage_value(state, suit) if ascending else marriage_value(state, suit)
            if value > best:
                best = value
                chosen = PAIR_0 + suit
    return chosen


@kernel
def _wins_by_pair(state: Any, suit: int) -> bool:
    """Whether declaring this marriage brings the side to 66 (or `goal`) at once."""
    side = my_side(state)
    rules = state["rules"]
    if not rules["claim_allowed"] or rules["early_marriage"] == NEXT_TRICK or state["tricks"][side] == 0:
        return False
    return points_of(state, side) + marriage_value(state, suit) >= rules["goal"]


@kernel
def _declares(agent: Any, state: Any, suit: int) -> bool:
    """Whether to declare a marriage now: trumps at once, plain ones when it is time (tip 5)."""
    if not agent["hold_plain_marriage"] or suit == state["trump"] or state["rules"]["form"] == THOUSAND_ONE:
        return True
    return is_strict(state) or state["talon_left"] <= agent["hold_talon"]
