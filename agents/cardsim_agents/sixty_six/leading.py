"""How `book` leads: low from worthless suits while the talon is open, winners and trumps in strict play."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, lowest
from cardsim.games.sixty_six.kernels import card_points, is_strict, suit_mask
from cardsim.jit import kernel
from cardsim_agents.sixty_six.knowledge import (
    chance_holds,
    foes_may_hold,
    pair_cards,
    share_missed,
    sure_winners,
)
from cardsim_agents.sixty_six.worth import (
    against_closer,
    guards_ten,
    keep_value,
    lead_worth,
    loss_bonus,
    win_bonus,
)

DISCARD = 2.0
"""Points expected from an opponent who cannot win the trick."""
SAVED = 11
"""Points that a trump led first saves for the plain winners behind it."""
WINNER = 7.0
"""Points of the card by which an opponent takes it."""


@kernel
def lead(agent: Any, state: Any, legal: Any, unseen: Any) -> int:
    """Choose a card to lead.

    Args:
        agent: record of the family.
        state: record of the game.
        legal: cards that may be led, as uint64; not empty.
        unseen: see `unseen_cards`.
    """
    hand = U64(state["hand"][state["player"]])
    trump = state["trump"]
    strict = is_strict(state)
    pairs = pair_cards(state, hand)
    remaining = state["rules"]["active"] - 1
    may = foes_may_hold(agent, state, unseen, remaining)
    miss = share_missed(state, may, remaining)
    closed_out = against_closer(agent, state)
    lead_next = lead_worth(agent, state, pairs, strict)
    to_win = win_bonus(state)
    to_lose = loss_bonus(state)
    given = 1.0 + (agent["defence_points"] / 100.0 if closed_out else 0.0)
    drawn_for = 0
    if agent["draw_trumps"] and strict and may & suit_mask(trump) != NONE:
        if sure_winners(hand & ~suit_mask(trump), unseen) != NONE:
            drawn_for = SAVED
    chosen = -1
    best_score = -1e9
    rest = legal
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        suit = card >> 3
        points = card_points(card)
        chance = chance_holds(card, suit, trump, strict, may, miss)
        won = points + DISCARD
        lost = points + WINNER
        score = chance * (won + lead_next) - (1.0 - chance) * lost * given
        score -= keep_value(agent, state, card, pairs, unseen, strict, closed_out)
        if won >= to_win:
            score += chance * agent["goal_bonus"]
        if lost >= to_lose:
            score -= (1.0 - chance) * agent["goal_bonus"]
        if suit == trump:
            score += chance * drawn_for
        if guards_ten(agent, state, card, may):
            score -= agent["ten_priority"]
        if score > best_score:
            best_score = score
            chosen = card
    return chosen
