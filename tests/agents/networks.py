"""Networks for the tests: random ones, in real and in whole numbers, and a slow referee of their arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.game import Game
from cardsim.trajectories import record
from cardsim_agents.learned import Network, quantise
from cardsim_agents.learned.networks import LIMIT


def seen_in_play(game: Game, hands: int = 20) -> Any:
    """Observations as they come up, int8 (rows, O)."""
    return record(game, "random", hands, seed=11).observation


def real_layers(
    game: Game, hidden: tuple[int, ...], seed: int = 1, rows: int | None = None, scores: int | None = None
) -> tuple[Any, Any]:
    """Weights and biases of a random network; by default it looks at the observation and has a score per action."""
    random = np.random.default_rng(seed)
    widths = [rows or game.observation_size, *hidden, scores or game.num_actions]
    # About fifty entries of an observation are ones.
    scales = [1 / 7, *((2 / width) ** 0.5 for width in hidden)]
    weights = [random.normal(size=widths[k : k + 2]) * scale for k, scale in enumerate(scales)]
    return weights, [random.normal(size=w.shape[1]) * 0.1 for w in weights]


def random_network(game: Game, hidden: tuple[int, ...] = (32, 16), seed: int = 1) -> Network:
    """A network that looks at every entry of the observation."""
    weights, biases = real_layers(game, hidden, seed)
    return quantise(game.name, np.arange(game.observation_size), weights, biases, seen_in_play(game))


def real_scores(weights: Any, biases: Any, observation: Any) -> Any:
    """What the network of real numbers says, (rows, A)."""
    values = observation.astype(np.float64)
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        values = (np.maximum(values, 0) if layer else values) @ weight + bias
    return values


def whole_scores(network: Network, observation: Any) -> list[int]:
    """The scores for one observation, worked out in Python's own integers."""
    values = [0] * network.weights[0].shape[0]
    for entry, row in enumerate(network.inputs.tolist()):
        if row >= 0:
            values[row] += int(observation[entry])
    for layer, (weights, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        if layer:
            shift = network.shifts[layer - 1]
            values = [min(max(0, value) >> shift, LIMIT) for value in values]
        columns = weights.T.tolist()
        values = [
            b + sum(v * w for v, w in zip(values, column, strict=True))
            for b, column in zip(bias.tolist(), columns, strict=True)
        ]
    return values
