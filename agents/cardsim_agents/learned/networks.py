"""Networks of whole numbers: their arrays, their file, their bytes in memory.

A network is a perceptron with one or more hidden layers. All is integer arithmetic, so that it answers alike on every
machine: the first layer adds up the rows (int8) of the observation's ones, a hidden layer divides its sums by a power
of two, cuts them to 0 .. LIMIT and multiplies by int16 weights, and the last one holds a score per action. A network
that judges each action by a description has the description's entries behind the observation's, and one score.
"""

from __future__ import annotations

import io
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardsim.options import clip

FORMAT = 1
LIMIT = 4095
"""Largest output of a hidden unit."""
DEEPEST = 4
"""Hidden layers at most."""
OBSERVATION, ACTIONS, DEPTH, UNIT, INPUTS, LAYERS = range(6)
"""Places in a network's head (int64): entries of the observation, actions, hidden layers, `unit`, where `inputs` begin
in bytes; from LAYERS on, for each layer: WIDTH, SHIFT, and where its bias and its weights begin."""
WIDTH, SHIFT, BIAS, WEIGHTS, PER_LAYER = range(5)
HEAD_SIZE = LAYERS + PER_LAYER * (DEEPEST + 1)
ALIGNED = 64


@dataclass(frozen=True)
class Network:
    """A network as arrays.

    Attributes:
        game: full name of the game it was trained for.
        inputs: int32 (O,): row of the first weights for each entry of the observation, -1 for those not looked at; or
            (O + F,), with those of an action's description.
        weights: int8 (rows, W1), then int16 (W1, W2) and so on; the last has a column per action, or one.
        biases: int32 (W1,), ...
        shifts: per hidden layer: its sums are divided by 2**shift.
        unit: scores that make a factor of e between two actions' chances.
    """

    game: str
    inputs: Any
    weights: tuple[Any, ...]
    biases: tuple[Any, ...]
    shifts: tuple[int, ...]
    unit: int

    def __post_init__(self) -> None:
        depth = len(self.shifts)
        if not 1 <= depth <= DEEPEST or not len(self.weights) == len(self.biases) == depth + 1:
            raise ValueError(f"network of {depth} hidden layers: must have 1 to {DEEPEST}, and weights for each")
        rows = int(self.inputs.max(initial=-1)) + 1
        for layer, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            want = np.int8 if layer == 0 else np.int16
            if weights.dtype != want or bias.dtype != np.int32 or weights.shape != (rows, bias.size):
                raise ValueError(f"network: weights {layer} of shape {weights.shape}: must be ({rows}, {bias.size})")
            most = 1 if layer == 0 else LIMIT
            if int(np.abs(weights.astype(np.int64)).sum(0).max() * most + np.abs(bias.astype(np.int64)).max()) >= 2**31:
                raise ValueError(f"network: sums of layer {layer} could pass 32 bits; scale its weights down")
            rows = bias.size
        if (
            self.inputs.dtype != np.int32
            or self.unit < 1
            or min(self.shifts) < 0
            or int(self.inputs.min(initial=0)) < -1
        ):
            raise ValueError("network: unit must be at least 1, shifts at least 0, inputs int32 from -1 on")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the network as a compressed .npz file; the file appears at once and whole."""
        arrays = {"format": np.int64(FORMAT), "game": np.array(self.game), "inputs": self.inputs}
        arrays |= {"shifts": np.array(self.shifts, np.int64), "unit": np.int64(self.unit)}
        for layer, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            arrays |= {f"weights_{layer}": weights, f"bias_{layer}": bias}
        content = io.BytesIO()
        np.savez_compressed(content, **arrays)
        temporary = Path(path).with_suffix(".tmp")
        temporary.write_bytes(content.getvalue())
        os.replace(temporary, path)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Network:
        """Read what `save` wrote.

        Raises:
            ValueError: there is no such file, or it is not of this format.
        """
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as saved:
                if int(saved["format"]) != FORMAT:
                    raise ValueError(f"format {int(saved['format'])} is unknown; this version reads {FORMAT}")
                shifts = tuple(saved["shifts"].tolist())
                layers = range(len(shifts) + 1)
                weights = tuple(saved[f"weights_{layer}"] for layer in layers)
                biases = tuple(saved[f"bias_{layer}"] for layer in layers)
                return cls(str(saved["game"]), saved["inputs"], weights, biases, shifts, int(saved["unit"]))
        except OSError as error:
            raise ValueError(f"weights {clip(path)}: cannot be read ({error.strerror or clip(error)})") from None
        except (KeyError, ValueError, TypeError, zipfile.BadZipFile, EOFError) as error:
            raise ValueError(f"weights {clip(path)}: no network's file ({clip(error)})") from None

    def to_bytes(self) -> Any:
        """The network as kernels read it, uint8 in one dimension: the head, then `inputs`, biases and weights."""
        parts = [self.inputs]
        for bias, weights in zip(self.biases, self.weights, strict=True):
            parts += [bias, weights]
        starts = [_aligned(HEAD_SIZE * 8)]
        for part in parts:
            starts.append(starts[-1] + _aligned(part.nbytes))
        head = np.zeros(HEAD_SIZE, np.int64)
        head[:LAYERS] = self.inputs.size, self.biases[-1].size, len(self.shifts), self.unit, starts[0]
        for layer, bias in enumerate(self.biases):
            first = LAYERS + PER_LAYER * layer
            shift = (*self.shifts, 0)[layer]
            head[first : first + PER_LAYER] = bias.size, shift, starts[1 + 2 * layer], starts[2 + 2 * layer]
        out = np.zeros(starts[-1], np.uint8)
        for start, part in zip([0, *starts], [head, *parts], strict=False):
            out[start : start + part.nbytes] = np.ascontiguousarray(part).reshape(-1).view(np.uint8)
        return out


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED
