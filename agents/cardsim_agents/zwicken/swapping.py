"""Which card `book` lays away: the worst, while it is worth less than a fresh one (tip 3)."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, lowest, popcount
from cardsim.games.zwicken.layout import ACT_STOP, EVERY_CARD
from cardsim.games.zwicken.legal import BLOCK
from cardsim.jit import kernel
from cardsim_agents.zwicken.estimate import cards_out, worst_card


@kernel
def swap(agent: Any, state: Any, legal: Any) -> int:
    """Choose a card to lay away, or stop.

    In a block turn the cards come in ascending order, so the lowest of all that are to go comes first (ZP15).
    """
    rules = state["rules"]
    player = I64(state["player"])
    if not agent["swapping"]:
        return ACT_STOP
    block = rules["swap_mode"] == BLOCK
    most = 1
    if block:
        most = min(I64(rules["max_swaps"]), I64(state["talon_left"])) - I64(state["swaps"][player])
    out = cards_out(agent, state)
    opponents = popcount(state["active"]) - 1.0
    size = I64(rules["hand_cards"])
    drawn = min(1.0 * rules["max_swaps"], agent["others_draw"] / 100.0)
    limit = 2.0 if agent["swap_all"] else agent["swap_below"] / (100.0 * (opponents + 1.0))
    chosen = NONE
    rest = U64(legal) & U64(EVERY_CARD)
    while most > 0 and rest != NONE:
        card, worth = worst_card(agent, state, rest, out, opponents, size, drawn)
        if worth >= limit:
            break
        chosen |= bit(card)
        rest &= ~bit(card)
        most -= 1
    return lowest(chosen) if chosen != NONE else ACT_STOP
