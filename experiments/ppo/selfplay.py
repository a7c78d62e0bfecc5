"""Play of one policy in all seats, or in some of them beside others, and what its decisions were worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim import Game, Tables, agent_family, kernel
from cardsim.bits import lowest
from cardsim.contract import MAX_PLAYERS, act, legal_actions
from cardsim.rng import USER, new_streams, seed_stream


@kernel
def act_for_others(states: Any, players: Any, holders: Any, agents: Any, streams: Any, actions: Any) -> None:
    """Actions of the seats that belong to others; elsewhere the lowest legal one, which serves forced decisions."""
    for i in range(states.shape[0]):
        legal = legal_actions(states[i])
        holder = holders[i, players[i]]
        if holder >= 0:
            actions[i] = act(agents[holder], states[i], legal, streams[0])
        else:
            actions[i] = lowest(legal)


@kernel
def advantages(
    rows: Any, players: Any, reward: Any, ended: Any, value: Any, decay: float, out: Any, known: Any
) -> None:
    """Generalised advantages from each seat's own decision to its own next one.

    Args:
        rows: int64 (T, N): row of the decision at a step of a table, -1 if none is learnt from.
        players: int64 (T, N): who decided.
        reward: float64 (T, N, P): what the step paid to each seat.
        ended: bool (T, N): whether the step ended the episode.
        value: float32 (R,): value of each row.
        decay: lambda.
        out: float32 (R,): the advantages, written.
        known: bool (R,), written: false for a seat's last decision before the buffer ends, whose return is not known.
    """
    seats = reward.shape[2]
    later, carried, paid = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)
    follows = np.zeros(MAX_PLAYERS, np.bool_)
    for i in range(rows.shape[1]):
        follows[:] = False
        for t in range(rows.shape[0] - 1, -1, -1):
            if ended[t, i]:
                later[:] = 0.0
                carried[:] = 0.0
                paid[:] = 0.0
                follows[:] = True
            for seat in range(seats):
                paid[seat] += reward[t, i, seat]
            row, seat = rows[t, i], players[t, i]
            if row >= 0:
                known[row] = follows[seat]
                carried[seat] = paid[seat] + later[seat] - value[row] + decay * carried[seat] if follows[seat] else 0.0
                out[row] = carried[seat]
                later[seat] = value[row]
                paid[seat] = 0.0
                follows[seat] = True


def survey(game: Game, seed: int, hands: int = 128, steps: int = 400) -> tuple[Any, float, Any, Any]:
    """Play at random and by `book` to learn what a game's observations and returns look like.

    Returns:
        The entries of the observation that are not always the same, int64 (inputs,); the spread of what is paid;
        some observations, int8 (samples, O), and what is legal there, int8 (samples, A).
    """
    family = agent_family(game.id)
    agents = np.concatenate([family.make(name).record for name in ("random", "book")]).view(family.dtype)
    tables, streams = Tables(game, hands, seed=seed), new_streams()
    holders = np.tile(np.arange(hands) % 2, (game.num_players, 1)).T.copy()
    seed_stream(streams[0], np.uint64(seed), np.uint64(1), USER)
    batch, actions = tables.reset(), np.zeros(hands, np.int64)
    low, high = batch.observation.min(0), batch.observation.max(0)
    paid, sample, masks = [], [], []
    for step in range(steps):
        act_for_others(tables.states, batch.player, holders, agents, streams, actions)
        batch = tables.step(actions)
        low, high = np.minimum(low, batch.observation.min(0)), np.maximum(high, batch.observation.max(0))
        paid.append(batch.reward[batch.reward.any(1)])
        if step % 40 == 0:
            sample.append(batch.observation)
            masks.append(batch.action_mask)
    payments = np.concatenate(paid)
    spread = float(payments.std()) if payments.size else 1.0
    return np.flatnonzero(low != high), spread, np.concatenate(sample), np.concatenate(masks)
