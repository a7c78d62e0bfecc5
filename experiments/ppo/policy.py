"""The policy that is trained: a perceptron in torch, and the same in whole numbers, as agents play it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from cardsim import Game
from cardsim_agents.learned import Network, quantise


class Policy(nn.Module):
    """A perceptron with a score per action and a value."""

    def __init__(self, inputs: int, hidden: list[int], actions: int, draws: torch.Generator) -> None:
        super().__init__()
        widths = [inputs, *hidden]
        self.layers: Any = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, hidden, strict=False))
        self.scores: Any = nn.Linear(hidden[-1], actions)
        self.value: Any = nn.Linear(hidden[-1], 1)
        gains = [2**0.5] * len(hidden) + [0.01, 1.0]
        for layer, gain in zip([*self.layers, self.scores, self.value], gains, strict=True):
            nn.init.orthogonal_(layer.weight, gain, generator=draws)
            nn.init.zeros_(layer.bias)

    def judge(self, seen: Any) -> tuple[Any, Any]:
        """Scores of all actions and the value, for int8 (rows, inputs)."""
        inner = seen.float()
        for layer in self.layers:
            inner = torch.relu(layer(inner))
        return self.scores(inner), self.value(inner)[:, 0]

    def forward(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        """Log chances of the actions (-inf where illegal) and the value, for int8 (rows, inputs) and (rows, A)."""
        scores, value = self.judge(seen)
        return torch.log_softmax(scores.masked_fill(mask == 0, -torch.inf), 1), value

    def sharpen(self, factor: float) -> None:
        """Multiply all scores."""
        with torch.no_grad():
            for part in self.scores.parameters():
                part.mul_(factor)

    def in_whole_numbers(self, game: Game, inputs: Any, sample: Any) -> Network:
        """What an agent plays.

        Args:
            game: the game.
            inputs: int64 (inputs,): entries of the observation that are looked at.
            sample: int8 (samples, O): some observations.
        """
        layers = [*self.layers, self.scores]
        weights = [layer.weight.detach().cpu().numpy().T for layer in layers]
        biases = [layer.bias.detach().cpu().numpy() for layer in layers]
        rows = np.full(game.observation_size, -1)
        rows[inputs] = np.arange(len(inputs))
        return quantise(game.name, rows, weights, biases, sample)
