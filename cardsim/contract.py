"""The functions that a game supplies, dispatched on its record type, and the same for families of agents.

A generic loop calls `deal(state, stream)`, `legal_actions(state)` and so on; numba picks the game's own kernel from the
type of the record, at compile time, and the loop stays cached on disk. Under NUMBA_DISABLE_JIT=1, and when called from
plain Python, the same names look the kernel up at run time.

What every game's record has: a nested record `rules` with an integer field `players`. What every game promises:

* `step` is deterministic: chance enters only in `reset` (the first dealer), `deal` and `resample_hidden`;
* actions are integers 0 .. 62, a legal set is one uint64; a player to act always has a legal action;
* `returns` may change only where `current_player` is CHANCE or TERMINAL;
* bytes of equal states are equal (no holes in the dtype), so that clone, compare, save and ship are byte operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer, infer_global
from numba.extending import lower_builtin

from cardsim import jit
from cardsim.jit import types

CHANCE = -1
"""`current_player` at a chance node: the next hand must be dealt (OpenSpiel's kChancePlayerId)."""
TERMINAL = -4
"""`current_player` when the episode is over (OpenSpiel's kTerminalPlayerId)."""
MAX_ACTIONS = 63
MAX_PLAYERS = 8

_owners: dict[np.dtype[Any], str] = {}
_functions: dict[np.dtype[Any], dict[str, Any]] = {}
_by_type: dict[Any, np.dtype[Any]] = {}


def _lookup(dtype: Any, name: str) -> Any:
    known = _functions.get(dtype)
    if known is None:
        raise TypeError(f"{name}(): no game or agent family is registered for a record with fields {dtype.names}")
    if name not in known:
        raise TypeError(f"{_owners[dtype]!r} does not supply {name}()")
    return known[name]


def _lookup_type(record: Any, name: str) -> Any:
    dtype = _by_type.get(record)
    if dtype is None:
        raise TypingError(f"{name}(): no game or agent family is registered for {str(record)[:60]}")
    try:
        return _lookup(dtype, name)
    except TypeError as error:
        raise TypingError(str(error)) from None


def contract(stub: Callable[..., Any]) -> Any:
    """Turn a documented stub into a function that dispatches on the record type of its first argument."""
    name = stub.__name__

    def dispatch(*args: Any) -> Any:
        return _lookup(args[0].dtype, name)(*args)

    dispatch.__name__ = dispatch.__qualname__ = name
    dispatch.__doc__ = stub.__doc__
    dispatch.__module__ = stub.__module__
    if not jit.DISABLED:
        _teach_numba(dispatch, name)
    return dispatch


def _teach_numba(dispatch: Any, name: str) -> None:
    """Let compiled code call `dispatch`: typed and lowered as a call of the kernel for the first argument's record.

    An `overload` would do the same through a wrapper function, which costs one more compilation of each kernel and
    hides it from the inliner.
    """

    def kernel_type(record: Any) -> Any:
        return types.Dispatcher(_lookup_type(record, name))

    class Template(AbstractTemplate):
        key = dispatch

        def generic(self, args: Any, kws: Any) -> Any:
            return self.context.resolve_function_type(kernel_type(args[0]), args, kws)

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_function(kernel_type(signature.args[0]), signature)(builder, args)

    infer(Template)
    infer_global(dispatch, types.Function(Template))
    lower_builtin(dispatch, types.VarArg(types.Any))(lower)


@contract
def reset(state: Any, stream: Any) -> None:
    """Begin an episode: clear everything but the rules, draw the first dealer; a chance node follows."""


@contract
def deal(state: Any, stream: Any) -> None:
    """At a chance node: shuffle with the stream's words and deal the next hand."""


@contract
def deal_given(state: Any, deck: Any) -> None:
    """At a chance node: deal the next hand from a given pack (card numbers, in dealing order).

    A chance node follows where the pack voids the deal; `deal` goes on until somebody is to act.
    """


@contract
def current_player(state: Any) -> int:
    """Seat to act, or CHANCE, or TERMINAL."""


@contract
def legal_actions(state: Any) -> Any:
    """Set of legal actions of the seat to act, as uint64; empty at chance and terminal nodes."""


@contract
def apply_action(state: Any, action: int) -> None:
    """Play a legal action. The check belongs to the caller that takes outside input."""


@contract
def returns(state: Any, out: Any) -> None:
    """Write each seat's return of the episode so far into out[:players] (float64; unit: see the game)."""


@contract
def observe(state: Any, player: int, out: Any) -> None:
    """Write what `player` knows into out (int8 zeros and ones, blocks of the game's layout)."""


@contract
def recall(state: Any, observation: Any) -> None:
    """Rebuild in `state`, which brings the rules, all that an observation tells; the observer becomes seat 0."""


@contract
def resample_hidden(state: Any, player: int, stream: Any) -> None:
    """Replace all that `player` cannot know by a random world that agrees with all he knows."""


@contract
def outcome(state: Any, hand: Any, seats: Any) -> None:
    """Write the counts of the episode so far: hand[:H] and seats[:players, :S], int32; columns named by the game."""


@contract
def act(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    """Choose an action for the seat to act; dispatched on the agent's record type."""


GAME_FUNCTIONS = (
    "reset",
    "deal",
    "deal_given",
    "current_player",
    "legal_actions",
    "apply_action",
    "returns",
    "observe",
    "recall",
    "resample_hidden",
    "outcome",
)
AGENT_FUNCTIONS = ("act",)


def holes(dtype: np.dtype[Any]) -> int:
    """Bytes of a structured dtype that belong to no field (nested records and sub-arrays included)."""
    return dtype.itemsize - _leaf_bytes(dtype)


def _leaf_bytes(dtype: np.dtype[Any]) -> int:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _leaf_bytes(base) * int(np.prod(shape))
    if dtype.fields is None:
        return dtype.itemsize
    return sum(_leaf_bytes(field[0]) for field in dtype.fields.values())


def register_record(owner: str, dtype: np.dtype[Any], functions: Mapping[str, Any], required: tuple[str, ...]) -> None:
    """Bind kernels to a record type.

    Args:
        owner: name for messages, such as the game id.
        dtype: structured dtype, aligned and without holes, used by nobody else.
        functions: contract name -> kernel.
        required: contract names that must be there.

    Raises:
        ValueError: the dtype has holes or is taken, or functions are missing; the message says which.
    """
    if dtype.names is None or not dtype.isalignedstruct:
        raise ValueError(f"{owner}: the record must be a structured dtype with align=True")
    if holes(dtype):
        raise ValueError(f"{owner}: the record has {holes(dtype)} bytes of holes; declare them as _pad fields")
    missing = [name for name in required if name not in functions]
    if missing:
        raise ValueError(f"{owner}: does not supply {', '.join(missing)}")
    if dtype in _owners and _owners[dtype] != owner:
        raise ValueError(f"{owner}: its record is the same as that of {_owners[dtype]!r}; rename a field")
    _owners[dtype] = owner
    _functions[dtype] = dict(functions)
    if not jit.DISABLED:
        numba_type = jit.record_type(dtype)
        _by_type[numba_type] = dtype
        package = next(iter(functions.values())).__module__.partition(".")[0]
        if package != __name__.partition(".")[0]:
            jit.record_packages[numba_type] = package
