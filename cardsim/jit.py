"""The one decorator that every compiled function uses: numba's flags and the cache policy.

numba's own disk cache looks only at the file that holds a function. It does not notice an edit in a callee's file,
nor a change of its own flags, and then runs stale code (numba#1833). `kernel` therefore stamps each cache entry with
a digest over every source file of the package, over numba's flags, and over the sources of any other package whose
records take part in the call.

Names of numba that are not public, each held by a test:

* for the cache `Dispatcher._cache`, `FunctionCache._index_key`, `Cache._cache_file` and
  `IndexDataCacheFile._source_stamp`; where one is missing, functions compile without a disk cache;
* for calls between kernels `Dispatcher.get_call_template`, `get_overload` and `_compiling_counter`, which are replaced
  on each kernel, and the options `no_cpython_wrapper` and `no_cfunc_wrapper` of njit;
* in bits.py, to learn whether the processor has `pdep`, `_tm_features` and `_get_host_cpu_name` of the code library;
  where one is missing, the search is used.
"""

from __future__ import annotations

import hashlib
import importlib.util
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config
from numba.core import types as numba_types
from numba.core.caching import FunctionCache, NullCache

types: Any = numba_types  # numba's stubs lack much of it
F = TypeVar("F", bound=Callable[..., Any])

DISABLED: bool = bool(config.DISABLE_JIT)
"""True under NUMBA_DISABLE_JIT=1: kernels are then the plain Python functions."""

FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
BROKEN_ENTRY = (
    EOFError,
    pickle.UnpicklingError,
    AttributeError,
    ImportError,
    IndexError,
    KeyError,
    ValueError,
)

record_packages: dict[Any, str] = {}
"""numba record type -> top-level package that declares it; filled at registration (see contract.py)."""

_compiled: dict[str, Any] = {}
_warned: set[str] = set()


def _warn_once(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, RuntimeWarning, stacklevel=3)


@cache
def package_stamp(package: str) -> str:
    """Digest of all Python sources below a top-level package (of the one file, for a script or module).

    Args:
        package: top-level import name, such as `cardsim`.

    Returns:
        Hexadecimal SHA-256; it depends on contents and relative names, not on times.
    """
    digest = hashlib.sha256()
    for name, path in sorted(_sources(package)):
        digest.update(name.encode())
        try:
            digest.update(path.read_bytes())
        except OSError:
            digest.update(b"unreadable")
    return digest.hexdigest()


def _sources(package: str) -> Iterator[tuple[str, Path]]:
    module = sys.modules.get(package)
    paths = getattr(module, "__path__", None)
    origin = getattr(module, "__file__", None)
    if module is None:
        spec = importlib.util.find_spec(package)
        paths = spec.submodule_search_locations if spec else None
        origin = spec.origin if spec else None
    if paths is not None:
        for root in map(Path, paths):
            for path in root.rglob("*.py"):
                yield path.relative_to(root).as_posix(), path
    elif origin:
        yield Path(origin).name, Path(origin)


def _record_types(signature: Any) -> Iterator[Any]:
    for item in signature if isinstance(signature, tuple) else (signature,):
        yield item if isinstance(item, types.Record) else getattr(item, "dtype", item)  # an array's items


class PackageCache(FunctionCache):
    """numba's function cache, keyed by the sources of everything that a compiled function is made of."""

    called = False
    """Whether the entries are those of a kernel's form for calls from other kernels (see `_divert_calls`)."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._cache_file._source_stamp = self._stamp = self._make_stamp(py_func)

    @staticmethod
    def _make_stamp(py_func: Callable[..., Any]) -> tuple[str, ...]:
        return package_stamp(py_func.__module__.partition(".")[0]), package_stamp(__name__.partition(".")[0])

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        flags = (*((name, getattr(config, name, None)) for name in FLAGS), ("called", self.called))
        packages = sorted({record_packages[t] for t in _record_types(sig) if t in record_packages})
        stamps = tuple((name, package_stamp(name)) for name in packages)
        return (*super()._index_key(sig, codegen), flags, stamps)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except BROKEN_ENTRY as error:  # a killed process may leave a truncated file (numba#9348)
            _warn_once(f"damaged cache entry in {self.cache_path} ({type(error).__name__}); compiling again")
            self._discard()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(f"compiled code was not cached in {self.cache_path}: {error}")
        except BROKEN_ENTRY:
            self._discard()

    def _discard(self) -> None:
        try:
            self._cache_file.flush()
        except OSError as error:
            _warn_once(f"damaged cache entry in {self.cache_path} could not be removed: {error}")


def _attach_cache(dispatcher: Any, function: Callable[..., Any]) -> None:
    try:
        dispatcher._cache = PackageCache(function)
    except (RuntimeError, OSError) as error:  # numba: no locator for a read-only or missing folder
        dispatcher._cache = NullCache()
        _warn_once(
            f"no writable cache folder, every process compiles anew ({type(error).__name__}); set NUMBA_CACHE_DIR"
        )
    except (AttributeError, TypeError):
        dispatcher._cache = NullCache()
        _warn_once(f"numba {numba.__version__} has another cache layout, every process compiles anew")


def kernel(function: F) -> F:
    """Compile a function with the project's flags and cache it on disk; safe against edits anywhere in the package.

    Public: a user's own loops over contract functions need it as much as ours do. Compilation happens at the first
    call. Kernels release the GIL and divide like NumPy. With NUMBA_DISABLE_JIT=1 the function is returned unchanged.

    Args:
        function: a module-level function that numba can compile in nopython mode.

    Returns:
        The compiled dispatcher, typed as the function itself.
    """
    return _compile(function)


def inlined(function: F) -> F:
    """Like `kernel`, for small functions of hot loops: LLVM must inline every call."""
    return _compile(function, forceinline=True)


def _compile(function: F, **flags: Any) -> F:
    if DISABLED:
        return function
    dispatcher: Any = _dispatcher(function, flags)
    _divert_calls(dispatcher, function, flags)
    _compiled[f"{function.__module__}.{function.__qualname__}"] = dispatcher
    return dispatcher


def _dispatcher(function: Callable[..., Any], flags: dict[str, Any]) -> Any:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **flags)(function)
    _attach_cache(dispatcher, function)
    return dispatcher


def _widen(argument: Any) -> Any:
    plain = types.unliteral(argument)
    if isinstance(plain, types.Integer):
        return types.int64 if plain.signed else types.uint64
    return plain


def _divert_calls(dispatcher: Any, function: Callable[..., Any], flags: dict[str, Any]) -> None:
    """Give calls from kernels a form of their own, `dispatcher.called()`, which Python cannot call.

    Most kernels are called by others only, and without numba's wrappers they compile in four fifths of the time.
    Such calls pass int64 and uint64 only: else each constant and each width compiles anew.
    """

    @cache
    def called() -> Any:
        inner = _dispatcher(function, {**flags, **NO_WRAPPERS})
        inner._cache.called = True
        inner._compiling_counter = dispatcher._compiling_counter  # numba knows by it a function that calls itself
        return inner

    def get_call_template(args: Any, kws: Any) -> Any:
        wide = {name: _widen(value) for name, value in kws.items()}
        return called().get_call_template(tuple(map(_widen, args)), wide)

    dispatcher.called = called
    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = lambda sig: called().get_overload(sig)


def compiled_kernels() -> dict[str, Any]:
    """All kernels of this process by qualified name (empty under NUMBA_DISABLE_JIT=1)."""
    return dict(_compiled)


def cache_folders() -> list[str]:
    """Folders in which the compiled code of this process's kernels is kept; none where there is no disk cache."""
    found = {getattr(dispatcher._cache, "cache_path", None) for dispatcher in _compiled.values()}
    return sorted(path for path in found if path)


def record_type(dtype: Any) -> Any:
    """numba's type for a structured NumPy dtype."""
    return numba.from_dtype(dtype) if dtype.names else types.void
