"""Whether `book` stays: by the plain tip, or by what the hand is worth against those who have stayed or still may."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, popcount
from cardsim.games.zwicken.basics import trump_ace
from cardsim.games.zwicken.layout import ACE, PER_SUIT
from cardsim.games.zwicken.settling import bete_of
from cardsim.jit import kernel
from cardsim_agents.zwicken.estimate import HIGH, cards_out, row_of, worst_card
from cardsim_agents.zwicken.parameters import PARAMETERS

TIP = PARAMETERS["fold_rule"].code("tip")
ACES = U64(sum(1 << (PER_SUIT * suit + ACE) for suit in range(4)))
STAYS_AT_MOST = 0.95
"""No pot is so large that everybody stays with any hand."""


@kernel
def stays(agent: Any, state: Any) -> bool:
    """Whether to stay in the deal; asked only where passing is legal."""
    hand = U64(state["hand"][state["player"]])
    ace = trump_ace(state)
    if agent["lone_ace"] and has(hand, ace) and hand & HIGH[row_of(state)] == bit(ace):
        return False
    if not agent["fold_weak"]:
        return True
    if agent["fold_rule"] == TIP:
        return not weak_by_tip(state)
    return value_of_staying(agent, state) >= agent["fold_at"] * state["rules"]["stake"] / 100.0


@kernel
def weak_by_tip(state: Any) -> bool:
    """A hand without a trump above the Unter and without an Ace (tip 1)."""
    return U64(state["hand"][state["player"]]) & (HIGH[row_of(state)] | ACES) == NONE


@kernel
def value_of_staying(agent: Any, state: Any) -> float:
    """Chips to expect from staying, against nothing for passing."""
    rules = state["rules"]
    stake = I64(rules["stake"])
    pot = 1.0 * (I64(state["pot"]) if agent["pot_size"] else stake)
    staying = min(STAYS_AT_MOST, (agent["stay_percent"] + agent["stay_per_stake"] * (pot / stake - 1.0)) / 100.0)
    if agent["position"]:
        stayed = popcount(state["active"])
        waiting = (I64(state["dealer"]) - I64(state["player"])) % I64(rules["players"])
    else:
        stayed = 0
        waiting = I64(rules["players"]) - 1
    alone = (1.0 - staying) ** waiting if stayed == 0 else 0.0
    if alone == 1.0:
        return pot
    opponents = (stayed + waiting * staying) / (1.0 - alone)
    tricks, nothing = prospects(agent, state, opponents)
    lost = 1.0 * bete_of(state)
    if rules["match"]:
        lost *= 1.0 - agent["pot_back"] / (100.0 * rules["players"])
    return alone * pot + (1.0 - alone) * (tricks * pot / rules["hand_cards"] - nothing * lost)


@kernel
def prospects(agent: Any, state: Any, opponents: float) -> Any:
    """Tricks to expect, and the chance of none, when the worst cards are swapped first."""
    rules = state["rules"]
    size = I64(rules["hand_cards"])
    swaps = I64(rules["max_swaps"])
    out = cards_out(agent, state)
    drawn = min(1.0 * swaps, agent["others_draw"] / 100.0)
    fresh = agent["drawn"] / (100.0 * opponents) if agent["swapping"] else 0.0
    rest = U64(state["hand"][state["player"]])
    tricks = 0.0
    nothing = 1.0
    while rest != NONE:
        card, worth = worst_card(agent, state, rest, out, opponents, size, drawn)
        rest &= ~bit(card)
        if swaps > 0:
            worth = max(worth, fresh)
            swaps -= 1
        tricks += worth
        nothing *= 1.0 - min(1.0, worth)
    return tricks, nothing
