"""From a network of real numbers, as training leaves it, to one of whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardsim_agents.learned.networks import LIMIT, Network

SPARE = 1.25
"""A hidden unit's sums may be so many times as large as in the sample before they are cut."""


def quantise(game: str, inputs: Any, weights: Sequence[Any], biases: Sequence[Any], sample: Any) -> Network:
    """Round a perceptron with ReLU between its layers to whole numbers.

    Args:
        game: full name of the game it was trained for.
        inputs: integers (O,): row of the first weights for each entry of the observation, -1 for those not looked at.
        weights: float (rows, W1), (W1, W2), ..., (Wn, A).
        biases: float (W1,), ..., (A,).
        sample: int8 (samples, O): observations as they come up in play; they show how large the sums become.

    Raises:
        ValueError: the arrays do not fit together.
    """
    rows = np.asarray(inputs, np.int32)
    used = np.flatnonzero(rows >= 0)
    values = np.zeros((len(sample), int(rows.max()) + 1))
    values[:, rows[used]] = sample[:, used]
    whole: list[Any] = []
    sums: list[Any] = []
    shifts: list[int] = []
    before = np.ones(values.shape[1])  # real value of a unit's 1
    unit = 1
    last = len(weights) - 1
    for layer, (real, bias) in enumerate(zip(weights, biases, strict=True)):
        scaled = np.asarray(real, np.float64) * before[:, None]
        top = np.abs(scaled).max(0) if layer < last else np.abs(scaled).max()
        most = 127 if layer == 0 else min(2047, (2**30) // (LIMIT * scaled.shape[0]))
        # A bias far above the weights must fit as well.
        top = np.maximum(np.maximum(top / most, np.abs(np.asarray(bias, np.float64)).max() / 2**29), 1e-12)
        whole.append(np.rint(scaled / top).astype(np.int8 if layer == 0 else np.int16))
        sums.append(np.rint(np.asarray(bias, np.float64) / top).astype(np.int32))
        values = values @ whole[-1].astype(np.float64) + sums[-1]
        if layer < last:
            reach = max(1.0, float(values.max()) * SPARE)
            shifts.append(max(0, int(np.ceil(np.log2(reach / (LIMIT + 1))))))
            values = np.clip(np.floor(values / 2 ** shifts[-1]), 0, LIMIT)
            before = np.broadcast_to(top * 2.0 ** shifts[-1], values.shape[1:])
        else:
            unit = max(1, round(1 / float(top)))
    return Network(game, rows, tuple(whole), tuple(sums), tuple(shifts), unit)
