"""How `book` leads: low from worthless suits while the talon is open, winners and trumps in strict play."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, lowest
from cardsim.games.sixty_six.basics import card_points, is_strict, suit_mask
from cardsim.jit import kernel
from cardsim_agents.sixty_six.knowledge import chance_holds, foes_may_hold, share_missed, sure_winners
from cardsim_agents.sixty_six.worth import guards_ten, score_of, stakes_of

DISCARD = 2.0
"""Points expected from an opponent who cannot win the trick."""
SAVED = 11.0
"""Points of an ace that would be trumped."""
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
    remaining = state["rules"]["active"] - 1
    may = foes_may_hold(agent, state, unseen, remaining)
    miss = share_missed(state, may, remaining)
    stakes = stakes_of(agent, state)
    saved = drawing_trumps_saves(agent, trump, hand, may) if strict else 0.0
    best_score = -1e9
    chosen = -1
    rest = legal
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        points = card_points(card)
        chance = chance_holds(card, card >> 3, trump, strict, may, miss)
        score = score_of(agent, state, card, unseen, stakes, chance, points + DISCARD, points + WINNER)
        if card >> 3 == trump:
            score += chance * saved
        if guards_ten(agent, state, card, may):
            score -= agent["ten_priority"]
        if score > best_score:
            best_score = score
            chosen = card
    return chosen


@kernel
def drawing_trumps_saves(agent: Any, trump: int, hand: Any, may: Any) -> float:
    """Points that a trump led first saves for the plain winners behind it, while trumps are out."""
    trumps = suit_mask(trump)
    if agent["draw_trumps"] and may & trumps != NONE and sure_winners(hand & ~trumps, may) != NONE:
        return SAVED
    return 0.0
