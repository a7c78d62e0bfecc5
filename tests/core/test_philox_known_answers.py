"""Philox 4x32-10 against the published known answers of Random123 (kat_vectors), and the order of the words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.jit import kernel

FULL = 0xFFFFFFFF
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((FULL,) * 4, (FULL,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""Counter, key, output."""


@kernel
def fill(streams: Any, seed: Any, deal: Any, number: Any, block: Any, out: Any) -> None:
    """Words of a stream from a block on."""
    rng.seed_stream(streams[0], seed, deal, number)
    streams[0]["block"] = np.uint32(block)
    streams[0]["used"] = np.uint32(rng.WORDS)
    for k in range(out.shape[0]):
        out[k] = rng.next_word(streams[0])


def words(seed: int, deal: int, number: int, block: int, count: int) -> list[int]:
    """The same as Python integers."""
    out = np.zeros(count, np.uint64)
    fill(rng.new_streams(), np.uint64(seed), np.uint64(deal), np.uint64(number), np.uint64(block), out)
    return [int(word) for word in out]


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_known_answers(counter: tuple[int, ...], key: tuple[int, ...], output: tuple[int, ...]) -> None:
    block, stream, low, high = counter
    found = words(key[0] | key[1] << 32, low | high << 32, stream, block, 4)
    assert found == list(output)


def test_word_n_is_word_n_mod_4_of_block_n_div_4() -> None:
    seed, deal, stream = 0x123456789ABCDEF0, 0x0FEDCBA987654321, 7
    run = words(seed, deal, stream, 0, 3 * rng.WORDS)
    blocks = [words(seed, deal, stream, block, 4) for block in range(3 * rng.BLOCKS)]
    assert run == [word for block in blocks for word in block]
    assert len(set(run)) == len(run)
