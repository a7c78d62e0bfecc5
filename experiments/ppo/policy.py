"""The policy that is trained: a perceptron in torch, and the same in whole numbers, as agents play it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from cardsim import Game, agent_family
from cardsim_agents.learned import Network, quantise


class Policy(nn.Module):
    """A perceptron with a score per action and a value.

    Where the game's family describes actions, it is run once for each legal action, on the observation and the action's
    description, and has one score; the value follows from the first layer's sums of the observation alone.

    Args:
        inputs: entries of the observation that are looked at.
        hidden: widths of the hidden layers.
        actions: A.
        features: F, entries of an action's description; 0: there are none.
        draws: for the first weights.
    """

    def __init__(self, inputs: int, hidden: list[int], actions: int, features: int, draws: torch.Generator) -> None:
        super().__init__()
        self.inputs, self.actions, self.features = inputs, actions, features
        widths = [inputs + features, *hidden]
        self.layers: Any = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, hidden, strict=False))
        self.scores: Any = nn.Linear(hidden[-1], 1 if features else actions)
        self.value: Any = nn.Linear(hidden[0] if features else hidden[-1], 1)
        gains = [2**0.5] * len(hidden) + [0.01, 1.0]
        for layer, gain in zip([*self.layers, self.scores, self.value], gains, strict=True):
            nn.init.orthogonal_(layer.weight, gain, generator=draws)
            nn.init.zeros_(layer.bias)

    def judge(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        """Scores of all actions and the value.

        Args:
            seen: int8 (rows, inputs + A * F), as `Sight` makes it.
            mask: int8 (rows, A).
        """
        if self.features:
            return self._judge_each(seen, mask)
        inner = seen.float()
        for layer in self.layers:
            inner = torch.relu(layer(inner))
        return self.scores(inner), self.value(inner)[:, 0]

    def _judge_each(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        first = self.layers[0]
        rows, actions = mask.nonzero(as_tuple=True)
        told = seen[:, self.inputs :].view(-1, self.actions, self.features)[rows, actions].float()
        sums = nn.functional.linear(seen[:, : self.inputs].float(), first.weight[:, : self.inputs], first.bias)
        inner = torch.relu(sums[rows] + nn.functional.linear(told, first.weight[:, self.inputs :]))
        for layer in self.layers[1:]:
            inner = torch.relu(layer(inner))
        scores = torch.zeros(mask.shape, device=seen.device).index_put((rows, actions), self.scores(inner)[:, 0])
        return scores, self.value(torch.relu(sums))[:, 0]

    def forward(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        """Log chances of the actions (-inf where illegal) and the value; arguments as for `judge`."""
        scores, value = self.judge(seen, mask)
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
            sample: int8 (samples, O), some observations, or (samples, O + F) with the description of an action.
        """
        layers = [*self.layers, self.scores]
        weights = [layer.weight.detach().cpu().numpy().T for layer in layers]
        biases = [layer.bias.detach().cpu().numpy() for layer in layers]
        rows = np.full(sample.shape[1], -1)
        rows[inputs] = np.arange(len(inputs))
        rows[game.observation_size :] = len(inputs) + np.arange(self.features)
        return quantise(game.name, rows, weights, biases, sample)


class Sight:
    """What a policy sees of decisions.

    Args:
        game: the game under its rules.
        inputs: int64 (inputs,): entries of the observation that are looked at.
    """

    def __init__(self, game: Game, inputs: Any) -> None:
        self.game, self.inputs = game, inputs
        networks = agent_family(game.id).networks
        self.described = networks.features if networks is not None else None
        self.features = self.described.size if self.described is not None else 0

    def of(self, observation: Any, mask: Any) -> Any:
        """A tensor of int8 (R, inputs + A * F): entries of the observation, then the actions' descriptions.

        Args:
            observation: int8 (R, O).
            mask: int8 (R, A).
        """
        seen = observation[:, self.inputs]
        if self.described is not None:
            told = self.described.of(self.game, observation, mask)
            seen = np.concatenate([seen, told.reshape(len(mask), self.game.num_actions * self.features)], axis=1)
        return torch.from_numpy(seen)

    def sample(self, observation: Any, mask: Any) -> Any:
        """What `Policy.in_whole_numbers` takes for a sample: observations, each with the description of an action."""
        if self.described is None:
            return observation
        action = mask.argmax(1)
        told = self.described.of(self.game, observation, mask)[np.arange(len(mask)), action]
        return np.concatenate([observation, told], axis=1)
