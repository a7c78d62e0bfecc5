"""How `book` plays the tricks: shares of the pot, the bete for no trick, duties, and what is left in the hand."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount
from cardsim.games.zwicken.basics import PLAY_ACE, RELEASE, followers, power_of, trump_ace
from cardsim.games.zwicken.layout import ACE_FAULT, BELLI, BELLI_FAULT, NO_CARD
from cardsim.games.zwicken.legal import ace_is_led
from cardsim.games.zwicken.moves import LOSS_PAYS
from cardsim.games.zwicken.settling import EXTRA_TO_WINNER, SINGLE_BETE, bete_of
from cardsim.jit import kernel
from cardsim.seats import next_in
from cardsim_agents.zwicken.estimate import (
    ABOVE,
    believed_trumps,
    card_worth,
    cards_out,
    missed,
    row_of,
    stands,
)

NEVER = 1e6
"""Betes that a failed duty costs an agent that never fails one."""


@kernel
def play(agent: Any, state: Any, legal: Any) -> int:
    """Choose a card to play: the best of what the trick and the rest of the hand are worth together, in chips."""
    rules = state["rules"]
    player = I64(state["player"])
    out = cards_out(agent, state)
    hand = U64(state["hand"][player])
    bete = 1.0 * bete_of(state)
    share = I64(state["pot"]) / (1.0 * rules["hand_cards"])
    tricks = I64(state["tricks"][player])
    none_costs = bete * price_of_nothing(state) if tricks == 0 else 0.0
    march_pays = durchmarsch_bonus(state, bete) if tricks == played_tricks(state) else 0.0
    if rules["match"]:
        none_costs *= 1.0 - agent["pot_back"] / (100.0 * rules["players"])
    later_weight = agent["later_percent"] * (popcount(state["active"]) - 1) / 100.0
    chosen = -1
    best = -1e18
    rest = U64(legal)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        chance = chance_now(agent, state, card, out)
        later, nothing, everything = rest_of_hand(agent, state, hand & ~bit(card), out, chance)
        value = share * (chance + later * later_weight)
        value += chance * everything * march_pays - (1.0 - chance) * nothing * none_costs
        value -= bete * failed_duties(agent, state, legal, card, chance)
        if value > best:
            best = value
            chosen = card
    return chosen


@kernel
def chance_now(agent: Any, state: Any, card: int, out: Any) -> float:
    """Chance that a card takes the current trick."""
    leading = state["best"] == NO_CARD
    trumps = believed_trumps(agent, state)
    led = followers(state, card) if leading else U64(state["led"])
    if not has(led | trumps, card):
        return 0.0
    if not leading and power_of(state, card) < state["best_power"]:
        return 0.0
    players = I64(state["rules"]["players"])
    above = ABOVE[row_of(state), U64(card)]
    size = popcount(state["hand"][state["player"]])
    chance = 1.0
    seat = next_in(I64(state["active"]), I64(state["player"]), players)
    while seat != state["leader"] and seat != state["player"]:
        may = out & ~U64(state["absent"][seat]) if agent["remember_belli"] else out
        drawn = size + 1.0 * state["swaps"][seat]
        chance *= stands(card, above, led, trumps, may, missed(out, 1.0 * size), missed(out, drawn))
        seat = next_in(I64(state["active"]), seat, players)
    return chance


@kernel
def rest_of_hand(agent: Any, state: Any, cards: Any, out: Any, chance: float) -> Any:
    """Tricks to expect of the cards kept for later; the chances that none of them, and that each, takes one."""
    opponents = popcount(state["active"]) - 1
    drawn = 0
    may = NONE
    for seat in range(state["rules"]["players"]):
        if seat != state["player"] and has(state["active"], seat):
            drawn += state["swaps"][seat]
            may |= out & ~U64(state["absent"][seat]) if agent["remember_belli"] else out
    size = popcount(cards)
    to_lead = 100.0 * chance + (1.0 - chance) * agent["plain_percent"]
    tricks = 0.0
    nothing = 1.0
    everything = 1.0
    rest = U64(cards)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        worth = card_worth(agent, state, card, may, 1.0 * opponents, size, drawn / opponents, to_lead)
        tricks += worth
        nothing *= 1.0 - worth
        everything *= worth
    return tricks, nothing, everything


@kernel
def failed_duties(agent: Any, state: Any, legal: Any, card: int, chance: float) -> float:
    """Betes that playing `card` costs for duties (Z24, Z25, ZP20-ZP24)."""
    rules = state["rules"]
    faults = I64(state["faults"][state["player"]])
    ace = trump_ace(state)
    price = 1.0 if agent["break_duties"] else NEVER
    cost = 0.0
    if has(legal, ace) and card != ace and not faults & ACE_FAULT:
        if state["best"] == NO_CARD or rules["ace_duty"] == PLAY_ACE:
            cost += price
    if rules["belli_duty"] == RELEASE and has(legal, BELLI) and card != BELLI and not faults & BELLI_FAULT:
        if ace_is_led(state):
            cost += price
    if rules["belli_duty"] == LOSS_PAYS and card == BELLI:
        cost += 1.0 - chance
    return cost


@kernel
def price_of_nothing(state: Any) -> float:
    """Betes to expect for a deal without a trick: a second one is due if somebody takes all (ZP29)."""
    if state["rules"]["durchmarsch"] == SINGLE_BETE:
        return 1.0
    return 1.0 + 1.0 / (popcount(state["active"]) - 1)


@kernel
def durchmarsch_bonus(state: Any, bete: float) -> float:
    """Chips that taking all tricks brings beyond its shares of the pot (ZP26, ZP29)."""
    rules = state["rules"]
    bonus = 1.0 * (I64(state["pot"]) % I64(rules["hand_cards"]))
    if rules["durchmarsch"] == EXTRA_TO_WINNER:
        bonus += bete * (popcount(state["active"]) - 1)
    return bonus


@kernel
def played_tricks(state: Any) -> int:
    """Tricks finished in this deal."""
    tricks = 0
    for seat in range(state["rules"]["players"]):
        tricks += I64(state["tricks"][seat])
    return tricks
