"""Philox 4x32-10 for `rng`: eight blocks of one stream, or of two streams, at once.

Each of the ten rounds waits for the one before. Two streams in one go cost much less than twice one, because the
processor works on both while it waits. The blocks are written for LLVM as operations on whole vectors, which it cuts to
what the processor has; loops would be left to its vectoriser, compile longer, and never take two streams together.
Under NUMBA_DISABLE_JIT=1 the plain Python forms of the same names are used.

A stream's counter is (block, stream number, deal low, deal high), its key the two halves of the seed.
Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from cardsim.jit import DISABLED

BLOCKS = 8
WORDS = 4 * BLOCKS
ROUNDS = 10
MASK = 0xFFFFFFFF
MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
WEYL = 0x9E3779B9, 0xBB67AE85
SHORT, LONG = ir.IntType(32), ir.IntType(64)


def _constant(values: list[int]) -> Any:
    return ir.Constant(ir.VectorType(LONG, len(values)), values)


def _vector(builder: Any, values: list[Any]) -> Any:
    """A vector of these values, lane by lane."""
    vector = ir.Constant(ir.VectorType(LONG, len(values)), ir.Undefined)
    for lane, value in enumerate(values):
        vector = builder.insert_element(vector, value, ir.Constant(SHORT, lane))
    return vector


def _rounds(builder: Any, counter: list[Any], key: list[Any], lanes: int) -> list[Any]:
    """The four words of every lane; the upper halves hold rubbish, which multiplications mask for nothing."""
    x0, x1, x2, x3 = counter
    key0, key1 = key
    mask, half = _constant([MASK] * lanes), _constant([32] * lanes)
    multiplier0, multiplier1 = (_constant([number] * lanes) for number in MULTIPLIERS)
    weyl0, weyl1 = (_constant([number] * lanes) for number in WEYL)
    for _ in range(ROUNDS):
        product0 = builder.mul(builder.and_(x0, mask), multiplier0)
        product1 = builder.mul(builder.and_(x2, mask), multiplier1)
        x0 = builder.xor(builder.lshr(product1, half), builder.xor(x1, key0))
        x1 = product1
        x2 = builder.xor(builder.lshr(product0, half), builder.xor(x3, key1))
        x3 = product0
        key0, key1 = builder.add(key0, weyl0), builder.add(key1, weyl1)
    return [x0, x1, x2, x3]


def _emit(builder: Any, arrays: list[Any], numbers: list[Any], shared: list[Any]) -> None:
    """Fill the words of one stream or more that have all but the stream number in common."""
    lanes = BLOCKS * len(arrays)
    block, low, high, *key = (_vector(builder, [value] * lanes) for value in shared)
    mask, half = _constant([MASK] * lanes), _constant([32] * lanes)
    block = builder.and_(builder.add(block, _constant([lane % BLOCKS for lane in range(lanes)])), mask)
    number = _vector(builder, [numbers[lane // BLOCKS] for lane in range(lanes)])
    x0, x1, x2, x3 = _rounds(builder, [block, number, low, high], key, lanes)
    first = builder.or_(builder.and_(x0, mask), builder.shl(x1, half))
    second = builder.or_(builder.and_(x2, mask), builder.shl(x3, half))
    for place, array in enumerate(arrays):
        order = [BLOCKS * place + pair // 2 + lanes * (pair % 2) for pair in range(2 * BLOCKS)]
        words = builder.shuffle_vector(first, second, ir.Constant(ir.VectorType(SHORT, 2 * BLOCKS), order))
        builder.store(words, builder.bitcast(array.data, words.type.as_pointer()), align=4)


def _codegen(streams: int) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pairs = zip(signature.args[:streams], args[:streams], strict=True)
        arrays = [cgutils.create_struct_proxy(kind)(context, builder, array) for kind, array in pairs]
        _emit(builder, arrays, list(args[streams : 2 * streams]), list(args[2 * streams :]))
        return context.get_dummy_value()

    return codegen


if DISABLED:

    def fill(words: Any, number: Any, block: Any, low: Any, high: Any, key0: Any, key1: Any) -> None:
        """Write the next BLOCKS blocks of a stream, from `block` on, into words[:WORDS] (uint32)."""
        for b in range(BLOCKS):
            x0, x1, x2, x3 = (int(block) + b) & MASK, int(number), int(low), int(high)
            k0, k1 = int(key0), int(key1)
            for _ in range(ROUNDS):
                product0, product1 = MULTIPLIERS[0] * x0, MULTIPLIERS[1] * x2
                x0, x1, x2, x3 = (
                    (product1 >> 32) ^ x1 ^ k0,
                    product1 & MASK,
                    (product0 >> 32) ^ x3 ^ k1,
                    product0 & MASK,
                )
                k0, k1 = (k0 + WEYL[0]) & MASK, (k1 + WEYL[1]) & MASK
            words[4 * b : 4 * b + 4] = x0, x1, x2, x3

    def fill_two(
        words: Any, others: Any, number: Any, other: Any, block: Any, low: Any, high: Any, key0: Any, key1: Any
    ) -> None:
        """The same for two streams of the same deal and seed."""
        fill(words, number, block, low, high, key0, key1)
        fill(others, other, block, low, high, key0, key1)

else:

    @intrinsic
    def fill(typingctx: Any, words: Any, number: Any, block: Any, low: Any, high: Any, key0: Any, key1: Any) -> Any:
        """Write the next BLOCKS blocks of a stream, from `block` on, into words[:WORDS] (uint32)."""
        return types.void(words, *(types.uint64,) * 6), _codegen(1)

    @intrinsic
    def fill_two(
        typingctx: Any,
        words: Any,
        others: Any,
        number: Any,
        other: Any,
        block: Any,
        low: Any,
        high: Any,
        key0: Any,
        key1: Any,
    ) -> Any:
        """The same for two streams of the same deal and seed."""
        return types.void(words, others, *(types.uint64,) * 7), _codegen(2)
