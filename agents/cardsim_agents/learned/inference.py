"""What a network plays: its scores for a state, and the choice among the legal actions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cardsim.bits import I64, has
from cardsim.contract import current_player, observe
from cardsim.jit import kernel
from cardsim.rng import below
from cardsim_agents.learned.networks import (
    ACTIONS,
    BIAS,
    DEPTH,
    HEAD_SIZE,
    INPUTS,
    LAYERS,
    LIMIT,
    OBSERVATION,
    PER_LAYER,
    SHIFT,
    UNIT,
    WEIGHTS,
    WIDTH,
)
from cardsim_agents.learned.table import address_of_network, numbers, rows8, rows16, words

STEPS = 64
"""Steps per unit in which chances are worked out."""
CHANCES = np.array([round(2**24 * math.exp(-k / STEPS)) for k in range(16 * STEPS)], np.int64)
"""Weight of an action whose score is k / STEPS units below the best one; further down it is never drawn."""


@kernel
def play_network(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    """What a learned agent plays; arguments as for the contract's `act`. It sees the seat's observation, nothing else.

    Args:
        agent: record with the fields `network` and `sampled`: draws from the network's chances, or plays the best.
        state: record of a game.
        legal: its legal actions as uint64, not empty.
        stream: random numbers, used by an agent that draws.

    Raises:
        RuntimeError: the network is not loaded in this process.
    """
    address = find_network(agent)
    observation = np.zeros(words(address, HEAD_SIZE)[OBSERVATION], np.int8)
    observe(state, current_player(state), observation)
    return choose(agent, address, network_scores(address, observation), legal, stream)


@kernel
def play_described(agent: Any, state: Any, legal: Any, described: Any, stream: Any) -> int:
    """`play_network` for a network that judges each action by its description, beside the observation.

    Args:
        agent, state, legal, stream: see `play_network`.
        described: int8 (A, F), zeros and ones: rows of the legal actions.
    """
    address = find_network(agent)
    observation = np.zeros(words(address, HEAD_SIZE)[OBSERVATION] - described.shape[1], np.int8)
    observe(state, current_player(state), observation)
    return choose(agent, address, described_scores(address, observation, legal, described), legal, stream)


@kernel
def find_network(agent: Any) -> int:
    """Where an agent's network begins.

    Raises:
        RuntimeError: the network is not loaded in this process.
    """
    address = address_of_network(agent["network"])
    if address == 0:
        raise RuntimeError("an agent's network is not loaded in this process: make the agent here, by its name")
    return address


@kernel
def judges_each_action(agent: Any) -> bool:
    """Whether an agent's network has one score, for an action that it is told of (see `play_described`)."""
    return words(find_network(agent), HEAD_SIZE)[ACTIONS] == 1


@kernel
def choose(agent: Any, address: int, scores: Any, legal: Any, stream: Any) -> int:
    """The best action, or one that is drawn (see `play_network`)."""
    best = best_action(scores, legal)
    if agent["sampled"]:
        return draw_action(scores, legal, scores[best], words(address, HEAD_SIZE)[UNIT], stream)
    return best


@kernel
def network_scores(address: int, observation: Any) -> Any:
    """Score per action, int32 (A,).

    Args:
        address: where the network begins.
        observation: int8 (O,).
    """
    return upper_layers(address, observation_sums(address, observation))


@kernel
def described_scores(address: int, observation: Any, legal: Any, described: Any) -> Any:
    """Score per action, int32 (A,), 0 where illegal; arguments as for `network_scores` and `play_described`."""
    scores = np.zeros(described.shape[0], np.int32)
    seen = observation_sums(address, observation)
    for action in range(described.shape[0]):
        if has(legal, action):
            sums = seen.copy()
            add_inputs(address, len(observation), described[action], sums)
            scores[action] = upper_layers(address, sums)[0]
    return scores


@kernel
def observation_sums(address: int, observation: Any) -> Any:
    """The first layer's sums of the bias and an observation."""
    head = words(address, HEAD_SIZE)
    sums = numbers(address + head[LAYERS + BIAS], head[LAYERS + WIDTH]).copy()
    add_inputs(address, 0, observation, sums)
    return sums


@kernel
def add_inputs(address: int, start: int, entries: Any, sums: Any) -> None:
    """Add the rows of the ones among some inputs, those from `start` on, to the sums of the first layer."""
    head = words(address, HEAD_SIZE)
    row_of = numbers(address + head[INPUTS], head[OBSERVATION])
    width = head[LAYERS + WIDTH]
    first = rows8(address + head[LAYERS + WEIGHTS], head[OBSERVATION], width)
    for i in range(len(entries)):
        if entries[i] != 0 and row_of[start + i] >= 0:
            row = first[row_of[start + i]]
            for j in range(width):
                sums[j] += row[j]


@kernel
def upper_layers(address: int, sums: Any) -> Any:
    """What follows from the sums of the first layer."""
    head = words(address, HEAD_SIZE)
    width = head[LAYERS + WIDTH]
    for layer in range(1, head[DEPTH] + 1):
        at = LAYERS + PER_LAYER * layer
        before, shift = width, head[at - PER_LAYER + SHIFT]
        width = head[at + WIDTH]
        inner = sums
        sums = numbers(address + head[at + BIAS], width).copy()
        weights = rows16(address + head[at + WEIGHTS], before, width)
        for i in range(before):
            if inner[i] > 0:
                value = np.int32(min(I64(inner[i]) >> shift, LIMIT))
                row16 = weights[i]
                for j in range(width):
                    sums[j] += value * np.int32(row16[j])
    return sums


@kernel
def best_action(scores: Any, legal: Any) -> int:
    """The legal action with the highest score; of equals the lowest number."""
    best = -1
    for action in range(scores.shape[0]):
        if has(legal, action) and (best < 0 or scores[action] > scores[best]):
            best = action
    return best


@kernel
def draw_action(scores: Any, legal: Any, high: int, unit: int, stream: Any) -> int:
    """A legal action drawn with chances proportional to exp(score / unit)."""
    total = 0
    for action in range(scores.shape[0]):
        if has(legal, action):
            total += _chance(scores[action], high, unit)
    left = below(stream, total)
    for action in range(scores.shape[0]):
        if has(legal, action):
            left -= _chance(scores[action], high, unit)
            if left < 0:
                return action
    return best_action(scores, legal)


@kernel
def _chance(score: int, high: int, unit: int) -> int:
    steps = (I64(high) - I64(score)) * STEPS // unit
    return CHANCES[steps] if steps < CHANCES.shape[0] else 0
