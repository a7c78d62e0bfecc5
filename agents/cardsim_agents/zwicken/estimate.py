"""What a seat of Zwicken can work out from its own cards and from what is public: chances, and what a card is worth.

Nothing here reads another hand, what others have laid away, the talon, or the order of finished tricks: a state
rebuilt from an observation gives the same answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount
from cardsim.games.zwicken.basics import ORDERS, POWER, TRUMPS, followers
from cardsim.games.zwicken.knowledge import pack_cards
from cardsim.games.zwicken.layout import BELLI, CARDS, NOBODY, PER_SUIT, UNTER
from cardsim.games.zwicken.worlds import unseen_by
from cardsim.jit import kernel

KING = UNTER + 2


def _tables() -> tuple[Any, Any]:
    """The cards that beat each card in its own suit or among the trumps; the trumps above the Unter."""
    above = np.zeros((ORDERS * 4, CARDS), np.uint64)
    high = np.zeros(ORDERS * 4, np.uint64)
    for row in range(ORDERS * 4):
        trumps = [card for card in range(CARDS) if int(TRUMPS[row]) >> card & 1]
        king = POWER[row, PER_SUIT * (row % 4) + KING]
        for card in range(CARDS):
            suit = trumps if card in trumps else {*range(card - card % PER_SUIT, CARDS)[:PER_SUIT]} - {*trumps}
            above[row, card] = sum(1 << other for other in suit if POWER[row, other] > POWER[row, card])
        high[row] = sum(1 << card for card in trumps if card % PER_SUIT > UNTER or POWER[row, card] > king)
    return above, high


ABOVE, HIGH = _tables()


@kernel
def row_of(state: Any) -> Any:
    """Row of this deal in ABOVE and HIGH."""
    return U64(4 * I64(state["rules"]["order"]) + I64(state["trump"]))


@kernel
def cards_out(agent: Any, state: Any) -> Any:
    """Cards that others may hold; without its memory all but the own, the turned one and those on the table."""
    player = I64(state["player"])
    if agent["remember_belli"]:
        shown = bit(state["shown"]) if state["shown_seat"] not in (NOBODY, player) else NONE
        return unseen_by(state, player) | shown
    seen = U64(state["hand"][player]) | U64(state["thrown"][player]) | bit(state["up"]) | bit(BELLI)
    for i in range(state["trick_start"], state["played"]):
        seen |= bit(state["history"][i])
    return pack_cards(state) & ~seen


@kernel
def believed_trumps(agent: Any, state: Any) -> Any:
    """The trumps that the agent reckons with."""
    trumps = U64(state["trumps"])
    return trumps if agent["remember_belli"] else trumps & ~bit(BELLI)


@kernel
def missed(out: Any, seen: float) -> float:
    """Chance that a given one of the cards `out` is not among `seen` of them."""
    return max(0.0, 1.0 - seen / max(1, popcount(out)))


@kernel
def stands(card: int, above: Any, led: Any, trumps: Any, out: Any, miss: float, miss_trump: float) -> float:
    """Chance that one opponent does not beat a card that is the best so far.

    Args:
        card: card number.
        above: the cards that beat it in its own suit or among the trumps.
        led: cards that follow the card led.
        trumps: see `believed_trumps`.
        out: cards that the opponent may hold.
        miss: chance that he does not hold a given one of them.
        miss_trump: the same for a trump: he keeps those that he draws.
    """
    if not has(trumps, card):
        void_and_trumps = miss ** popcount(out & led) * (1.0 - miss_trump ** popcount(out & trumps))
        return miss ** popcount(out & above) - void_and_trumps
    holds = miss_trump ** popcount(out & trumps & above)
    if led & trumps == NONE:
        return 1.0 - miss ** popcount(out & led) * (1.0 - holds)
    return holds


@kernel
def card_worth(
    agent: Any, state: Any, card: int, out: Any, opponents: float, size: int, drawn: float, to_lead: float
) -> float:
    """Chance that a card kept for later takes a trick.

    Args:
        agent: record of the family.
        state: record of the game.
        card: a card of the own hand.
        out: see `cards_out`.
        opponents: how many play against it.
        size: cards that each of them holds.
        drawn: cards that each of them has laid away and replaced.
        to_lead: percent of plain cards like it that come to lead.
    """
    trumps = believed_trumps(agent, state)
    led = followers(state, card)
    if card == BELLI and not agent["remember_belli"]:
        return 0.0
    above = ABOVE[row_of(state), U64(card)]
    one = stands(card, above, led, trumps, out, missed(out, 1.0 * size), missed(out, size + drawn))
    chance = one**opponents
    if has(trumps, card):
        return chance + (1.0 - chance) * agent["low_trump"] / 100.0
    return chance * to_lead / 100.0


@kernel
def worst_card(agent: Any, state: Any, cards: Any, out: Any, opponents: float, size: int, drawn: float) -> Any:
    """The card that is worth least, and its worth; of equals the lowest. See `card_worth`; `cards` is not empty."""
    worst = I64(0)
    least = 1e9
    rest = U64(cards)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        worth = card_worth(agent, state, card, out, opponents, size, drawn, 1.0 * agent["plain_percent"])
        if worth < least:
            least = worth
            worst = card
    return worst, least
