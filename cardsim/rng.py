"""Random numbers inside kernels: Philox 4x32-10, counter-based, no global state.

A stream is one record of dtype `STREAM`. Its key is the seed, its counter is (block, stream number, deal number), so
that the words of a deal depend on nothing but (seed, deal, stream): not on chunk sizes, threads, processes or
machines. Cards and each seat's agent have streams of their own (`CARDS`, `AGENT + seat`); the k-th deal of a match
adds k << 8.

32 words are refilled at once, because eight independent blocks vectorise. **The order of the words is part of the
format** (word 4 b + q is output q of block b, whatever the size of a refill): a known-answer test fixes it.
Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; Lemire, "Fast random integer
generation in an interval", 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim import philox
from cardsim.jit import inlined, kernel

U32: Any = np.uint32
U64: Any = np.uint64
I64: Any = np.int64

BLOCKS = philox.BLOCKS
WORDS = philox.WORDS

STREAM = np.dtype(
    [
        ("words", np.uint32, (WORDS,)),  # the current 32 words
        ("key", np.uint32, (2,)),  # seed, low half first
        ("deal", np.uint32, (2,)),  # deal number, low half first
        ("stream", np.uint32),  # CARDS, AGENT + seat, ...; plus (deal within the match) << 8
        ("block", np.uint32),  # next block of the counter
        ("used", np.uint32),  # words used up; WORDS means: refill first
        ("_pad", np.uint32),
    ],
    align=True,
)

CARDS = 0
AGENT = 1
"""Agent of seat p uses stream AGENT + p."""
RESAMPLE = 32
USER = 64
"""First stream number that the toolkit never uses itself."""
MATCH_SHIFT = 8

MASK32 = U64(0xFFFFFFFF)
S32 = U64(32)


@kernel
def _refill(stream: Any) -> None:
    block = U64(stream["block"])
    low, high = U64(stream["deal"][0]), U64(stream["deal"][1])
    key0, key1 = U64(stream["key"][0]), U64(stream["key"][1])
    philox.fill(stream["words"], U64(stream["stream"]), block, low, high, key0, key1)
    stream["block"] = U32((block + U64(BLOCKS)) & MASK32)
    stream["used"] = U32(0)


@inlined
def _set_stream(stream: Any, seed: Any, deal: Any, number: Any, block: int) -> None:
    stream["key"][0] = U32(U64(seed) & MASK32)
    stream["key"][1] = U32(U64(seed) >> S32)
    stream["deal"][0] = U32(U64(deal) & MASK32)
    stream["deal"][1] = U32(U64(deal) >> S32)
    stream["stream"] = U32(number)
    stream["block"] = U32(block)
    stream["used"] = U32(0)


@inlined
def seed_stream(stream: Any, seed: Any, deal: Any, number: Any) -> None:
    """Set a stream to its first word.

    Args:
        stream: record of dtype STREAM, overwritten.
        seed: 0 .. 2**64-1.
        deal: deal number, 0 .. 2**64-1.
        number: stream number, 0 .. 2**32-1: CARDS, AGENT + seat, ...
    """
    _set_stream(stream, seed, deal, number, 0)
    _refill(stream)


@kernel
def seed_two(stream: Any, other_stream: Any, seed: Any, deal: Any, number: Any, other: Any) -> None:
    """Set two streams of a deal to their first words, for less than twice the price of one; see `seed_stream`."""
    _set_stream(stream, seed, deal, number, BLOCKS)
    _set_stream(other_stream, seed, deal, other, BLOCKS)
    low, high = U64(deal) & MASK32, U64(deal) >> S32
    key0, key1 = U64(seed) & MASK32, U64(seed) >> S32
    words, others = stream["words"], other_stream["words"]
    philox.fill_two(words, others, U64(number), U64(other), U64(0), low, high, key0, key1)


@inlined
def next_word(stream: Any) -> Any:
    """Next 32 random bits, as uint64 in 0 .. 2**32-1."""
    if stream["used"] >= U32(WORDS):
        _refill(stream)
    used = U64(stream["used"])
    stream["used"] = U32(used + U64(1))
    return U64(stream["words"][used])


@inlined
def below(stream: Any, bound: Any) -> int:
    """Exactly uniform integer in 0 .. bound-1, for 1 <= bound < 2**32 (Lemire, with rejection)."""
    n = U64(bound)
    product = next_word(stream) * n
    if product & MASK32 < n:
        product = _redraw(stream, n, product)
    return I64(product >> S32)


@kernel
def _redraw(stream: Any, n: Any, product: Any) -> Any:
    """The first product, from the given one on, that `below` need not reject."""
    threshold = ((MASK32 + U64(1)) - n) % n
    while product & MASK32 < threshold:
        product = next_word(stream) * n
    return product


@kernel
def uniform(stream: Any) -> float:
    """Uniform float64 in [0, 1), with 32 random bits."""
    return np.float64(next_word(stream)) * 2.0**-32


@inlined
def _below_at(stream: Any, used: Any, bound: Any) -> tuple[int, Any]:
    """As `below`, for loops that keep `used` themselves: from memory, each draw would wait for the last one's store."""
    n = U64(bound)
    if used >= U64(WORDS):
        _refill(stream)
        used = U64(0)
    product = U64(stream["words"][used]) * n
    used += U64(1)
    if product & MASK32 < n:
        stream["used"] = U32(used)
        product = _redraw(stream, n, product)
        used = U64(stream["used"])
    return I64(product >> S32), used


@inlined
def shuffle(stream: Any, items: Any, count: Any) -> None:
    """Shuffle items[:count] in place, every order equally likely (Fisher and Yates)."""
    used = U64(stream["used"])
    for i in range(count - 1, 0, -1):
        j, used = _below_at(stream, used, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
    stream["used"] = U32(used)


@inlined
def shuffle_top(stream: Any, items: Any, count: Any, top: Any) -> None:
    """Put a random choice of items[:count], in random order, into items[:top]; the order of the rest is not random."""
    used = U64(stream["used"])
    for i in range(min(top, count - 1)):
        k, used = _below_at(stream, used, count - i)
        j = i + k
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
    stream["used"] = U32(used)


def new_streams(count: int = 1) -> Any:
    """Array of `count` unseeded streams, dtype STREAM."""
    return np.zeros(count, STREAM)


def check_seed(seed: Any, name: str = "seed") -> int:
    """Return a seed or deal number as int, or raise ValueError naming the value and what is allowed (0 .. 2**64-1)."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < 2**64:
        raise ValueError(f"{name} {seed!r}: must be an integer from 0 to 2**64-1")
    return int(seed)
