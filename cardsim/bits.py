"""Sets of cards as bit masks in uint64: count, lowest bit, k-th bit, single bits.

`select` uses the processor's `pdep` instruction where the target has it, and a popcount search elsewhere; both give the
same answer. Under NUMBA_DISABLE_JIT=1 plain Python forms of the same names are used.

In numba `uint64` combined with a plain Python int becomes signed, so constants are wrapped: `U64(1)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from cardsim.jit import DISABLED, inlined

I64: Any = np.int64
U64: Any = np.uint64
"""Typed as Any: a kernel mixes widths freely, and every result is a plain number to its caller."""
ONE = U64(1)
NONE = U64(0)

SLOW_PDEP = ("znver1", "znver2")
"""Processors whose pdep is microcoded and slower than the search."""


@intrinsic
def _ctpop(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.uint64(types.uint64), codegen


def has_fast_pdep(features: str, cpu: str) -> bool:
    """Whether a target (LLVM feature string, processor name) has a fast pdep."""
    return "+bmi2" in features.split(",") and cpu not in SLOW_PDEP


@intrinsic
def _select(typingctx: Any, mask: Any, k: Any) -> Any:
    """Index of the k-th set bit; undefined unless k < popcount(mask)."""

    def search(builder: Any, mask: Any, k: Any) -> Any:
        i64 = ir.IntType(64)
        position = ir.Constant(i64, 0)
        for width in (32, 16, 8, 4, 2, 1):
            part = builder.and_(builder.lshr(mask, position), ir.Constant(i64, (1 << width) - 1))
            below = builder.ctpop(part)
            up = builder.icmp_unsigned(">=", k, below)
            k = builder.select(up, builder.sub(k, below), k)
            position = builder.select(up, builder.add(position, ir.Constant(i64, width)), position)
        return position

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        library = context.codegen()
        cpu = getattr(library, "_get_host_cpu_name", str)()
        if not has_fast_pdep(str(getattr(library, "_tm_features", "")), cpu):
            return search(builder, args[0], args[1])
        i64 = ir.IntType(64)
        pdep = cgutils.get_or_insert_function(builder.module, ir.FunctionType(i64, [i64, i64]), "llvm.x86.bmi.pdep.64")
        single = builder.shl(ir.Constant(i64, 1), args[1])
        return builder.cttz(builder.call(pdep, (single, args[0])), cgutils.true_bit)

    return types.uint64(types.uint64, types.uint64), codegen


if DISABLED:

    def popcount(mask: Any) -> int:
        """Number of set bits."""
        return int(mask).bit_count()

    def lowest(mask: Any) -> int:
        """Index of the lowest set bit; the mask must not be empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def select(mask: Any, k: Any) -> int:
        """Index of the k-th set bit, counted from 0; k must be below popcount(mask)."""
        rest = int(mask)
        for _ in range(int(k)):
            rest &= rest - 1
        return (rest & -rest).bit_length() - 1

else:

    @inlined
    def popcount(mask: Any) -> int:
        """Number of set bits."""
        return I64(_ctpop(U64(mask)))

    @inlined
    def lowest(mask: Any) -> int:
        """Index of the lowest set bit; the mask must not be empty."""
        return I64(_cttz(U64(mask)))

    @inlined
    def select(mask: Any, k: Any) -> int:
        """Index of the k-th set bit, counted from 0; k must be below popcount(mask)."""
        return I64(_select(U64(mask), U64(k)))


@inlined
def bit(index: Any) -> Any:
    """The set {index} as uint64."""
    return ONE << U64(index)


@inlined
def has(mask: Any, index: Any) -> bool:
    """Whether `index` is in the set."""
    return (U64(mask) >> U64(index)) & ONE != NONE


@inlined
def holds(mask: Any, index: Any) -> bool:
    """Whether any integer, in or out of range, is in a set of numbers 0 .. 62: the check for actions from outside."""
    return index >= 0 and index < 63 and has(mask, index)


@inlined
def choose(condition: Any, first: Any, second: Any) -> Any:
    """`first` if the condition holds, else `second` (int64); without a branch, for conditions that hang on chance."""
    return I64(second) ^ ((I64(first) ^ I64(second)) & -I64(condition))


@inlined
def above(index: Any) -> Any:
    """The set of all indices greater than `index` (0 <= index <= 62), as uint64."""
    return ~((U64(2) << U64(index)) - ONE)


EIGHT, SIXTEEN, THIRTY_TWO = 8, 16, 32


def _flag_store(width: int) -> Any:
    """Intrinsic that stores the lowest `width` bits of a mask as bytes of 0 or 1, as one vector (unaligned)."""

    @intrinsic
    def store(typingctx: Any, out: Any, index: Any, mask: Any) -> Any:
        if getattr(out, "layout", "") != "C" or out.dtype.bitwidth != 8:
            raise TypingError(f"spread(): must write into a C-contiguous array of one-byte items, not {out}")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0])
            bits = builder.bitcast(builder.trunc(args[2], ir.IntType(width)), ir.VectorType(ir.IntType(1), width))
            flags = builder.zext(bits, ir.VectorType(ir.IntType(8), width))
            pointer = builder.bitcast(builder.gep(array.data, [args[1]]), flags.type.as_pointer())
            builder.store(flags, pointer, align=1)
            return context.get_dummy_value()

        return types.void(out, types.int64, types.uint64), codegen

    return store


if DISABLED:

    def _store(width: int) -> Any:
        def store(out: Any, index: Any, mask: Any) -> None:
            for i in range(width):
                out[index + i] = int(mask) >> i & 1

        return store

else:
    _store = _flag_store

_store8, _store16, _store32 = _store(EIGHT), _store(SIXTEEN), _store(THIRTY_TWO)


@inlined
def spread8(mask: Any, out: Any, offset: Any) -> None:
    """Write the lowest eight bits as 0/1 into out[offset:offset + 8] (contiguous int8)."""
    _store8(out, I64(offset), U64(mask))


@inlined
def spread16(mask: Any, out: Any, offset: Any) -> None:
    """Write the lowest 16 bits as 0/1 into out[offset:offset + 16] (contiguous int8)."""
    _store16(out, I64(offset), U64(mask))


@inlined
def spread32(mask: Any, out: Any, offset: Any) -> None:
    """Write the lowest 32 bits as 0/1 into out[offset:offset + 32] (contiguous int8)."""
    _store32(out, I64(offset), U64(mask))


@inlined
def spread(mask: Any, out: Any, offset: Any, width: Any) -> None:
    """Write the lowest `width` bits of a mask as 0/1 into out[offset:offset + width] (contiguous int8)."""
    rest = U64(mask)
    at = I64(offset)
    end = at + I64(width)
    while at + THIRTY_TWO <= end:
        spread32(rest, out, at)
        rest >>= U64(THIRTY_TWO)
        at += THIRTY_TWO
    while at + EIGHT <= end:
        spread8(rest, out, at)
        rest >>= U64(8)
        at += EIGHT
    if at < end and width >= EIGHT:  # the last eight at once, some of them again
        spread8(U64(mask) >> U64(width - EIGHT), out, end - EIGHT)
        return
    while at < end:
        out[at] = rest & ONE
        rest >>= ONE
        at += 1
