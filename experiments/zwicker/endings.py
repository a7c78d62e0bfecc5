"""Deals played to their ends, with the cards that were left on the table then (W24)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, U64, has
from cardsim.contract import (
    MAX_PLAYERS,
    TERMINAL,
    act,
    apply_action,
    current_player,
    deal,
    legal_actions,
    reset,
    returns,
)
from cardsim.dealing import seed_episode, seed_hand
from cardsim.games.zwicker.layout import GROUP, NO_CARD
from cardsim.jit import kernel
from cardsim.rng import AGENT, new_streams
from experiments.lab import Line


@kernel
def play_to_the_left_over(
    states: Any, streams: Any, agents: Any, seed: Any, first: Any, rotation: int, returned: Any, left: Any
) -> None:
    """Play deals to their ends, and note the cards that lay on the table then and went to who captured last (W24).

    Args:
        states: records (N + 1,) with the rules in; the final states, written; the last one is scratch.
        streams, agents, seed, first, rotation, returned: as for `experiments.lab.kernels.play_deals`.
        left: uint64 (N, 2), written: those cards as a bit mask for each pack.
    """
    before = states[states.shape[0] - 1]
    for k in range(states.shape[0] - 1):
        state = states[k]
        players = I64(state["rules"]["players"])
        number = first + U64(k)
        seed_episode(streams, players, seed, number)
        reset(state, streams[0])
        while True:
            player = current_player(state)
            if player < 0:
                if player == TERMINAL:
                    break
                seed_hand(streams[0], seed, number, 0)
                deal(state, streams[0])
                continue
            entry = (player - rotation + players) % players
            states[states.shape[0] - 1] = state
            apply_action(state, I64(act(agents[entry], state, legal_actions(state), streams[AGENT + player])))
        returns(state, returned[k])
        for side in range(I64(state["rules"]["sides"])):
            for pack in range(2):
                left[k, pack] |= U64(state["pile"][side, pack]) & ~U64(before["pile"][side, pack])
        if before["phase"] == GROUP:
            drop(left[k], I64(before["card"]))
            for item in range(I64(before["items"])):
                if has(U64(before["chosen"][item >> 6]), item & 63):
                    card = I64(before["top"][item])
                    while card != NO_CARD:
                        drop(left[k], card)
                        card = I64(before["under"][card])


@kernel
def drop(cards: Any, card: int) -> None:
    """Take a card out of a set."""
    cards[card >> 6] &= ~(U64(1) << U64(card & 63))


def play_ends(line: Line, seed: int, first: int, count: int) -> tuple[Any, Any, Any]:
    """Deals played to their ends as by `Line.play`, rotation 0.

    Returns:
        Final states, records (count,); returns by seat, float64 (count, players); cards left over, uint64 (count, 2).
    """
    players = line.game.num_players
    states, returned = line.game.new_states(count + 1), np.zeros((count, MAX_PLAYERS))
    left = np.zeros((count, 2), np.uint64)
    play_to_the_left_over(
        states, new_streams(1 + players), line.records, np.uint64(seed), np.uint64(first), 0, returned, left
    )
    return states[:count], returned[:, :players], left
