"""What `book` thinks a card is worth keeping, and what a trick won or lost by it is worth."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, has
from cardsim.games.sixty_six.basics import card_points, higher, is_strict
from cardsim.games.sixty_six.layout import ACE, KING, NO_CARD, NOBODY, QUEEN, TEN
from cardsim.jit import kernel
from cardsim_agents.sixty_six.knowledge import (
    best_foe_points,
    best_marriage,
    marriage_value,
    may_be_declared,
    my_side,
    my_total,
    pair_cards,
)


@kernel
def against_closer(agent: Any, state: Any) -> bool:
    """Whether an opponent has closed the talon and the agent defends (tip 6)."""
    closer = state["closer"]
    return agent["defence"] != 0 and closer != NOBODY and closer != state["player"]


@kernel
def keep_value(agent: Any, state: Any, card: int, pairs: Any, unseen: Any, strict: bool, closed_out: bool) -> float:
    """Value of keeping a card of the own hand, in card points.

    Args:
        agent: record of the family.
        state: record of the game.
        card: a card of the hand.
        pairs: see `pair_cards`.
        unseen: see `unseen_cards`.
        strict: whether all must follow, beat and trump.
        closed_out: see `against_closer`.
    """
    rank = card & 7
    suit = card >> 3
    points = card_points(card)
    if rank == ACE or (rank == TEN and unseen & higher(card) == NONE):
        value = 1.0 * (agent["strict_ace"] if strict else agent["open_ace"])
    elif rank == TEN:
        value = 1.0 * (agent["strict_ten"] if strict else agent["open_ten"])
    else:
        value = points * (agent["strict_low"] if strict else agent["open_low"]) / 100.0
    if suit == state["trump"]:
        value += agent["strict_trump"] if strict else agent["open_trump"]
        if closed_out:
            value += agent["defence_trumps"]
        if agent["exchange"] and not strict and state["up"] != NO_CARD and rank == state["rules"]["swap_rank"]:
            value += card_points(state["up"])
    if agent["hold_pairs"] and rank in (KING, QUEEN):
        if has(pairs, card):
            value += agent["pair_value"] * marriage_value(state, suit) / 20.0
        elif not strict and has(unseen, card ^ QUEEN ^ KING) and may_be_declared(state, suit):
            value += agent["half_value"] * marriage_value(state, suit) / 20.0
    return value


@kernel
def lead_worth(agent: Any, state: Any, pairs: Any, strict: bool) -> float:
    """Value of being on lead next: the first card of the talon, and a marriage to declare."""
    value = agent["strict_lead"] if strict else agent["open_lead"]
    return value + agent["pair_percent"] * best_marriage(state, pairs) / 100.0


@kernel
def win_bonus(state: Any) -> int:
    """Trick points from which a trick won brings 66 (S15); 1000 where nobody claims."""
    if not state["rules"]["claim_allowed"]:
        return 1000
    return I64(state["rules"]["goal"]) - my_total(state)


@kernel
def loss_bonus(state: Any) -> int:
    """Trick points from which a trick lost brings an opponent to 66; 1000 where nobody claims."""
    if not state["rules"]["claim_allowed"]:
        return 1000
    return I64(state["rules"]["goal"]) - best_foe_points(state, my_side(state))


@kernel
def given_weight(agent: Any, closed_out: bool) -> float:
    """What a point given to an opponent counts: more against a closer (tip 6)."""
    return 1.0 + agent["defence_points"] / 100.0 if closed_out else 1.0


@kernel
def trick_value(
    agent: Any,
    chance: float,
    won: float,
    lost: float,
    lead_next: float,
    to_win: int,
    to_lose: int,
    given: float,
) -> float:
    """Expected value of a trick.

    Args:
        agent: record of the family.
        chance: chance that the own side wins it.
        won: its points if it does.
        lost: its points if it does not.
        lead_next: see `lead_worth`.
        to_win: see `win_bonus`.
        to_lose: see `loss_bonus`.
        given: see `given_weight`.
    """
    value = chance * (won + lead_next) - (1.0 - chance) * lost * given
    if won >= to_win:
        value += chance * agent["goal_bonus"]
    if lost >= to_lose:
        value -= (1.0 - chance) * agent["goal_bonus"]
    return value


@kernel
def stakes_of(agent: Any, state: Any) -> Any:
    """What all cards of a decision are weighed with, for `score_of`.

    Returns:
        `pair_cards` of the own hand, whether play is strict, `against_closer`, `lead_worth`, `win_bonus`,
        `loss_bonus` and `given_weight`.
    """
    pairs = pair_cards(state, U64(state["hand"][state["player"]]))
    strict = is_strict(state)
    closed_out = against_closer(agent, state)
    lead_next = lead_worth(agent, state, pairs, strict)
    weight = given_weight(agent, closed_out)
    return pairs, strict, closed_out, lead_next, win_bonus(state), loss_bonus(state), weight


@kernel
def score_of(
    agent: Any, state: Any, card: int, unseen: Any, stakes: Any, chance: float, won: float, lost: float
) -> float:
    """What playing a card is worth: the expected trick, less what the card is worth keeping.

    Args:
        agent: record of the family.
        state: record of the game.
        card: a card of the hand.
        unseen: see `unseen_cards`.
        stakes: see `stakes_of`.
        chance, won, lost: see `trick_value`.
    """
    pairs, strict, closed_out, lead_next, to_win, to_lose, given = stakes
    value = trick_value(agent, chance, won, lost, lead_next, to_win, to_lose, given)
    return value - keep_value(agent, state, card, pairs, unseen, strict, closed_out)


@kernel
def guards_ten(agent: Any, state: Any, card: int, unseen: Any) -> bool:
    """Whether `card` is the trump ten and the trump ace may still take it (tip 3)."""
    if not agent["trump_ten"] or card & 7 != TEN or card >> 3 != state["trump"]:
        return False
    return unseen & higher(card) != NONE
