"""The choice of an agent at every node: the `act` kernel of the family."""

from __future__ import annotations

from typing import Any

from cardsim.bits import NONE, U64, bit, lowest, popcount, select
from cardsim.games.zwicken.layout import ACT_PASS, ACT_PLAY, ANNOUNCE, SWAP
from cardsim.jit import kernel
from cardsim.rng import below
from cardsim_agents.learned.inference import play_network
from cardsim_agents.zwicken.announcing import stays, weak_by_tip
from cardsim_agents.zwicken.parameters import BOOK, CAUTIOUS, PPO
from cardsim_agents.zwicken.swapping import swap
from cardsim_agents.zwicken.tricks import failed_duties, play


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
    if agent["kind_zwicken"] == PPO:
        return play_network(agent, state, legal, stream)
    if agent["kind_zwicken"] != BOOK:
        allowed = careful(agent, state, legal) if agent["kind_zwicken"] == CAUTIOUS else legal
        return select(allowed, below(stream, popcount(allowed)))
    if state["phase"] == ANNOUNCE:
        return ACT_PLAY if stays(agent, state) else ACT_PASS
    if state["phase"] == SWAP:
        return swap(agent, state, legal)
    return play(agent, state, legal)


@kernel
def careful(agent: Any, state: Any, legal: Any) -> Any:
    """The legal actions that neither the tip on weak hands nor a duty speaks against; never empty."""
    if state["phase"] == ANNOUNCE:
        return bit(ACT_PASS) if weak_by_tip(state) else bit(ACT_PLAY)
    if state["phase"] == SWAP:
        return legal
    dutiful = NONE
    rest = legal
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - U64(1)
        if failed_duties(agent, state, legal, card, 1.0) == 0.0:
            dutiful |= bit(card)
    return dutiful
