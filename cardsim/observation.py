"""Observations as words and numbers: `decode` reads the vector block by block, `encode` writes it again.

Both follow the blocks that a game declares. What a block's values look like depends on its kind:

* `cards`: card texts, ascending, such as `["TH", "AH"]`; those that are alike are taken to be the first ones;
* `one_hot`: the index, or None;
* `binary`, `steps`: the number (of steps reached, for `steps`);
* `flags`: False or True.

A block with several rows is a list with an entry for each seat, counted from the observer; `flags` that are wider than
one are lists themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from cardsim.cards import Pack
from cardsim.game import Game


def decode(game: Game, observation: Any) -> dict[str, Any]:
    """Read an observation.

    Args:
        game: game that the observation comes from.
        observation: zeros and ones, shape (game.observation_size,).

    Returns:
        Block name -> value.

    Raises:
        ValueError: wrong shape, or entries that no observation has; the message names the block.
    """
    vector = np.asarray(observation)
    if vector.shape != (game.observation_size,):
        raise ValueError(f"observation of shape {vector.shape}: must be ({game.observation_size},)")
    if not np.isin(vector, (0, 1)).all():
        raise ValueError(f"observation: entry {np.flatnonzero(~np.isin(vector, (0, 1)))[0]} must be 0 or 1")
    values: dict[str, Any] = {}
    at = 0
    for block in game.blocks:
        size = block.rows * block.width
        rows = [_decode_row(game.pack, block, row) for row in vector[at : at + size].reshape(block.rows, block.width)]
        values[block.name] = rows[0] if block.rows == 1 else rows
        at += size
    return values


def encode(game: Game, values: Mapping[str, Any]) -> Any:
    """Write an observation from what `decode` returned; blocks left out stay zero.

    Returns:
        int8, shape (game.observation_size,).

    Raises:
        ValueError: unknown block, or a value that its block cannot hold; the message names both.
    """
    names = [block.name for block in game.blocks]
    for name in values:
        if name not in names:
            raise ValueError(f"block {name!r}: {game.id} has {', '.join(names)}")
    missing = set(range(game.pack.size)) - set(game.deck())
    out = np.zeros(game.observation_size, np.int8)
    at = 0
    for block in game.blocks:
        size = block.rows * block.width
        if block.name in values:
            rows = [values[block.name]] if block.rows == 1 else list(values[block.name])
            if len(rows) != block.rows:
                raise ValueError(f"block {block.name}: {len(rows)} rows, must be {block.rows}")
            for row, value in zip(out[at : at + size].reshape(block.rows, block.width), rows, strict=True):
                _encode_row(game.pack, missing, block, row, value)
        at += size
    return out


def _decode_row(pack: Pack, block: Any, row: Any) -> Any:
    ones = [int(i) for i in np.flatnonzero(row)]
    if block.kind == "cards":
        return [pack.text(i) for i in ones]
    if block.kind == "one_hot":
        if len(ones) > 1:
            raise ValueError(f"block {block.name}: entries {ones} are set, at most one can be")
        return ones[0] if ones else None
    if block.kind == "binary":
        return sum(1 << i for i in ones)
    if block.kind == "steps":
        if ones != list(range(len(ones))):
            raise ValueError(f"block {block.name}: entries {ones} are set, but a later step includes those before it")
        return len(ones)
    if block.kind == "flags":
        flags = [bool(x) for x in row]
        return flags[0] if block.width == 1 else flags
    raise ValueError(f"block {block.name}: kind {block.kind!r} must be cards, one_hot, binary, steps or flags")


def _encode_row(pack: Pack, missing: Collection[int], block: Any, row: Any, value: Any) -> None:
    """Set the entries of one row, zero so far; `missing` cards are not meant where another one is like them."""
    if block.kind == "cards":
        ones = pack.parse(" ".join(value), missing)
    elif block.kind == "one_hot":
        ones = [] if value is None else [int(value)]
    elif block.kind == "binary":
        _check_range(block, value, 1 << block.width)
        ones = [i for i in range(block.width) if int(value) >> i & 1]
    elif block.kind == "steps":
        _check_range(block, value, block.width + 1)
        ones = list(range(int(value)))
    elif block.kind == "flags":
        flags = [value] if block.width == 1 else list(value)
        if len(flags) != block.width:
            raise ValueError(f"block {block.name}: {len(flags)} flags, must be {block.width}")
        ones = [i for i, flag in enumerate(flags) if flag]
    else:
        raise ValueError(f"block {block.name}: kind {block.kind!r} must be cards, one_hot, binary, steps or flags")
    for i in ones:
        _check_range(block, i, block.width)
        row[i] = 1


def _check_range(block: Any, value: Any, end: int) -> None:
    if not 0 <= int(value) < end:
        raise ValueError(f"block {block.name}: {value} must be from 0 to {end - 1}")
