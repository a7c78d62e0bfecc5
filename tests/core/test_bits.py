"""Bit masks against plain Python, in both compiled forms and un-jitted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsim import bits
from cardsim.bits import U64
from tests.core.running import ROOT, run

MASKS = st.integers(0, 2**64 - 1)


def members(mask: int) -> list[int]:
    return [k for k in range(64) if mask >> k & 1]


def check(mask: int) -> None:
    """Hold every function against plain Python on one mask."""
    inside = members(mask)
    assert bits.popcount(U64(mask)) == len(inside)
    if inside:
        assert bits.lowest(U64(mask)) == inside[0]
    assert [bits.select(U64(mask), U64(k)) for k in range(len(inside))] == inside
    assert [k for k in range(64) if bits.has(U64(mask), k)] == inside


def sample(count: int) -> list[int]:
    """Masks of every density, with the extremes."""
    source = random.Random(66)
    dense = [source.getrandbits(64) | source.getrandbits(64) for _ in range(count)]
    thin = [source.getrandbits(64) & source.getrandbits(64) & source.getrandbits(64) for _ in range(count)]
    return [0, 1, 1 << 63, 2**64 - 1, 2**63 - 1, 0xFFFFFFFF, 0xFFFFFFFF << 32, *dense, *thin]


def main(variant: str) -> None:
    """Check the sample in this process; `variant` is the form that `select` must have, or `plain`."""
    for mask in sample(200):
        check(mask)
    if variant != "plain":
        (assembly,) = bits.select.inspect_asm().values()  # type: ignore[attr-defined]
        assert ("pdep" in assembly) == (variant == "pdep"), f"select was not compiled as {variant}"


@given(MASKS)
def test_a_mask_has_the_members_that_python_finds(mask: int) -> None:
    check(mask)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_narrower_fields_of_a_record_will_do(kind: Any) -> None:
    mask = kind(0b10110010)
    assert bits.popcount(mask) == 4
    assert bits.lowest(mask) == 1
    assert bits.select(mask, 3) == 7
    assert bits.has(mask, 5)
    assert not bits.has(mask, 6)


@given(st.integers(0, 63))
def test_bit(index: int) -> None:
    assert int(bits.bit(index)) == 1 << index


@given(st.integers(0, 62))
def test_above(index: int) -> None:
    assert members(int(bits.above(index))) == list(range(index + 1, 64))


@given(st.booleans(), st.integers(-64, 2**62), st.integers(-64, 2**62))
def test_choose(condition: bool, first: int, second: int) -> None:
    assert bits.choose(condition, first, second) == (first if condition else second)


@given(MASKS, st.integers(0, 5), st.integers(0, 64))
def test_spread_writes_its_stretch_and_nothing_else(mask: int, offset: int, width: int) -> None:
    out = np.full(70, 7, np.int8)
    bits.spread(U64(mask), out, offset, width)
    want = [7] * offset + [mask >> k & 1 for k in range(width)] + [7] * (70 - offset - width)
    assert out.tolist() == want


def test_sets_stay_unsigned() -> None:
    """A plain int would make them signed, and the highest bit a sign."""
    top = bits.bit(63)
    assert int(top) == 1 << 63
    assert int(bits.above(61)) == 0b11 << 62
    assert bits.has(top, 63)


def processor_has_pdep() -> bool:
    import llvmlite.binding as llvm

    return bool(llvm.get_host_cpu_features().get("bmi2"))


@pytest.mark.parametrize("variant", ["pdep", "search", "plain"])
def test_every_form_gives_the_same(variant: str, tmp_path: Path) -> None:
    if variant == "pdep" and not processor_has_pdep():
        pytest.skip("this processor has no pdep")
    settings = {
        "pdep": {},
        "search": {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        "plain": {"NUMBA_DISABLE_JIT": "1"},
    }[variant]
    code = f"from tests.core import test_bits; test_bits.main({variant!r})"
    # An empty cache: the assembly of a function that comes from the cache is not there to look at.
    run(code, path=[ROOT], flags=["-W", "error"], NUMBA_CACHE_DIR=str(tmp_path), settings=settings)


def test_pdep_is_left_alone_where_it_is_missing_or_slow() -> None:
    assert bits.has_fast_pdep("+avx2,+bmi,+bmi2", "znver3")
    assert not bits.has_fast_pdep("+avx2,+bmi", "sandybridge")
    assert not bits.has_fast_pdep("-bmi2", "generic")
    assert not bits.has_fast_pdep("", "")
    for slow in bits.SLOW_PDEP:
        assert not bits.has_fast_pdep("+bmi2", slow)
