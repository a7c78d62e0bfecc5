"""A user's own compiled agent joins a compiled loop by its address, without compiling the loop again.

`address_of` wraps a function `act(agent, state, legal, stream) -> int` in a C callback; `call` calls it. Addresses
hold in this process only: they are made at call time and never stored. Under NUMBA_DISABLE_JIT=1 they are keys of a
table.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray, cfunc, from_dtype, types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import intrinsic

from cardsim.jit import DISABLED, kernel
from cardsim.options import clip
from cardsim.rng import STREAM

FAILED = -1
"""What a callback returns when the user's function raised."""

NOISE = ("Failed in nopython mode", "During:")
"""How lines of numba's messages begin that do not say what is wrong."""

_kept: dict[tuple[Any, ...], Any] = {}
"""Callbacks by function and record types; kept as long as the process, since a loop may still hold an address."""
_plain: dict[int, Callable[..., int]] = {}


def address_of(function: Callable[..., Any], agent_dtype: Any, state_dtype: Any) -> int:
    """Address of a user's compiled agent for loops over these record types.

    Args:
        function: `act(agent, state, legal, stream) -> int`, plain or compiled by `kernel` or numba.njit.
        agent_dtype: dtype of the agents' records.
        state_dtype: dtype of the game's states.

    Raises:
        ValueError: it is no Python function of four arguments, numba cannot compile it, or it does not return
            an integer.
    """
    _check_signature(function)
    if DISABLED:
        _plain[id(function)] = function
        return id(function)
    key = (function, agent_dtype, state_dtype)
    if key not in _kept:
        _kept[key] = _wrap(function, agent_dtype, state_dtype)
    return int(_kept[key].address)


def _check_signature(function: Any) -> None:
    plain = getattr(function, "py_func", function)
    name = getattr(plain, "__name__", repr(plain))
    if not inspect.isfunction(plain):
        raise ValueError(f"agent function {clip(name)}: must be a Python function act(agent, state, legal, stream)")
    try:
        inspect.signature(plain).bind(*range(4))
    except TypeError as error:
        raise ValueError(f"agent function {name}: must take act(agent, state, legal, stream): {error}") from None


def _wrap(function: Any, agent_dtype: Any, state_dtype: Any) -> Any:
    name = getattr(function, "__name__", repr(function))
    compiled = function if hasattr(function, "py_func") else numba.njit(nogil=True)(function)
    agent, state, stream = (from_dtype(dtype) for dtype in (agent_dtype, state_dtype, STREAM))
    try:
        compiled.compile((agent, state, types.uint64, stream))
    except (NumbaError, UnsupportedBytecodeError, TypeError, AttributeError) as error:
        lines = (line.strip() for line in str(error).splitlines())
        reason = next((line for line in lines if line and not line.startswith(NOISE)), type(error).__name__)
        raise ValueError(
            f"agent function {name}: numba cannot compile act(agent, state, legal, stream): {reason}"
        ) from error
    result = compiled.overloads[(agent, state, types.uint64, stream)].signature.return_type
    if not isinstance(result, types.Integer):
        message = f"agent function {name} returns {result}: must return an action number (an integer)"
        raise ValueError(message)
    pointers = (types.CPointer(agent), types.CPointer(state), types.uint64, types.CPointer(stream))

    @cfunc(types.int64(*pointers))
    def wrapper(a: Any, s: Any, legal: Any, r: Any) -> Any:
        try:
            return np.int64(compiled(carray(a, 1)[0], carray(s, 1)[0], legal, carray(r, 1)[0]))
        except Exception:  # noqa: BLE001 - whatever a user's function raises
            return FAILED

    return wrapper


@intrinsic
def _call(typingctx: Any, address: Any, agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i8p, i64 = ir.IntType(8).as_pointer(), ir.IntType(64)
        target = ir.FunctionType(i64, [i8p, i8p, i64, i8p]).as_pointer()
        function = builder.inttoptr(args[0], target)
        pointers = [builder.bitcast(args[i], i8p) for i in (1, 2)]
        last = builder.bitcast(args[4], i8p)
        return builder.call(function, [*pointers, args[3], last])

    return types.int64(types.uint64, agent, state, types.uint64, stream), codegen


if DISABLED:

    def call(address: Any, agent: Any, state: Any, legal: Any, stream: Any) -> int:
        """Ask the user's agent at `address` for an action; FAILED if it raised."""
        try:
            return int(_plain[int(address)](agent, state, legal, stream))
        except Exception:  # noqa: BLE001 - whatever a user's function raises
            return FAILED

else:

    @kernel
    def call(address: Any, agent: Any, state: Any, legal: Any, stream: Any) -> int:
        """Ask the user's agent at `address` for an action; FAILED if it raised."""
        return _call(np.uint64(address), agent, state, np.uint64(legal), stream)
