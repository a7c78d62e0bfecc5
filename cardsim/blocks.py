"""How a game describes its observation: named blocks of zeros and ones, one after the other.

The kernels at the end write and read entries of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardsim.bits import I64
from cardsim.jit import inlined, kernel
from cardsim.seats import NOBODY, relative_to


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


@inlined
def mark(out: Any, offset: int, value: int, missing: int) -> None:
    """One-hot entry of a value, none for the value that means missing."""
    if value != missing:
        out[offset + I64(value)] = 1


@inlined
def mark_seat(out: Any, offset: int, player: int, seat: int, players: int) -> None:
    """One-hot entry of a seat counted from `player`; for NOBODY a zero somewhere in the block."""
    out[offset + relative_to(player, seat, players)] = I64(seat != NOBODY)


@kernel
def read_number(observation: Any, offset: int, bits: int) -> int:
    """The number, or set, whose bits stand in observation[offset:offset + bits]."""
    value = 0
    for i in range(bits):
        if observation[offset + i]:
            value |= 1 << i
    return value


@kernel
def read_one_hot(observation: Any, offset: int, width: int, empty: int) -> int:
    """Index of the entry that is set, or `empty`."""
    for i in range(width):
        if observation[offset + i]:
            return i
    return empty
