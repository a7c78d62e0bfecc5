"""How a game describes its observation: named blocks of zeros and ones, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Block(NamedTuple):
    """One named block of the observation.

    Attributes:
        name: what `decode` calls it.
        rows: one row for each seat counted from the observer (0 = himself, 1 = on his left, ...), or 1.
        width: entries of a row; numbers have rows of 8, 16 or 24, which are stored eight at once.
        kind: `cards` (bit per card), `one_hot`, `binary` (low bit first), `steps` (entry k: reached), `flags`.
        meaning: for people.
        source: state field and rule.
    """

    name: str
    rows: int
    width: int
    kind: str
    meaning: str
    source: str

    @property
    def size(self) -> int:
        """Entries of the whole block."""
        return self.rows * self.width


def offsets(blocks: Sequence[Block]) -> dict[str, int]:
    """Where each block begins in the observation."""
    starts, total = {}, 0
    for block in blocks:
        starts[block.name] = total
        total += block.size
    return starts
