"""How `book` follows: the card with the best expected trick, less what the card is worth keeping."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, lowest
from cardsim.games.sixty_six.basics import beats, card_points, is_strict
from cardsim.games.sixty_six.layout import TEN
from cardsim.jit import kernel
from cardsim_agents.sixty_six.knowledge import chance_holds, foes_may_hold, share_missed
from cardsim_agents.sixty_six.worth import guards_ten, score_of, stakes_of

PARTNER_CHANCE = 0.25
"""Chance that a partner who is still to play takes a trick that an opponent is winning."""


@kernel
def follow(agent: Any, state: Any, legal: Any, unseen: Any) -> int:
    """Choose a card to follow with.

    Args:
        agent: record of the family.
        state: record of the game.
        legal: cards that may be played, as uint64; not empty.
        unseen: see `unseen_cards`.
    """
    remaining = state["rules"]["active"] - (state["played"] - state["trick_start"]) - 1
    may = foes_may_hold(agent, state, unseen, remaining)
    miss = share_missed(state, may, remaining) if remaining > 0 else 1.0
    strict = is_strict(state)
    stakes = stakes_of(agent, state)
    if_best = best_stands(agent, state, remaining, may, miss)
    best = I64(state["best"])
    trump = I64(state["trump"])
    led = I64(state["history"][state["trick_start"]]) >> 3
    chosen = -1
    best_score = -1e9
    rest = legal
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        chance = if_best
        takes = beats(card, best, trump)
        if takes:
            chance = chance_holds(card, led, trump, strict, may, miss)
        points = float(state["trick_points"] + card_points(card))
        score = score_of(agent, state, card, unseen, stakes, chance, points, points)
        if takes and chance > 0.99:
            score += ten_home(agent, state, card, unseen)
        if score > best_score:
            best_score = score
            chosen = card
    return chosen


@kernel
def best_stands(agent: Any, state: Any, remaining: int, may: Any, miss: float) -> float:
    """Chance that the own side wins the trick without the card now to be played (four_hand; else 0)."""
    if not state["rules"]["teams"] or not agent["smear"]:
        return 0.0
    if (state["best_seat"] ^ state["player"]) & 1:
        return PARTNER_CHANCE if remaining > 1 else 0.0
    led = I64(state["history"][state["trick_start"]]) >> 3
    return chance_holds(state["best"], led, state["trump"], True, may, miss)


@kernel
def ten_home(agent: Any, state: Any, card: int, unseen: Any) -> float:
    """Extra points for a sure trick that saves the own trump ten or takes the opponent's (tip 3)."""
    if guards_ten(agent, state, card, unseen):
        return 1.0 * agent["ten_priority"]
    best = state["best"]
    if agent["trump_ten"] and best & 7 == TEN and best >> 3 == state["trump"]:
        return 1.0 * agent["ten_priority"]
    return 0.0
