"""What the toolkit uses of numba beyond its documented interface, and that each kernel is compiled once."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core import caching, config, types
from numba.core.typing import templates

from cardsim import jit
from tests.core.running import ROOT, run


def compiled() -> Any:
    """A function compiled by numba as `kernel` has it done."""
    import numba

    return numba.njit(nogil=True)(lambda x: x)


def cache() -> Any:
    return jit.PackageCache(jit.kernel)


def codegen() -> Any:
    from numba.core.registry import cpu_target

    return cpu_target.target_context.codegen()


def method(owner: Any, name: str, *parameters: str) -> bool:
    return list(inspect.signature(getattr(owner, name)).parameters) == list(parameters)


DOUBLE = compiled()


USED: dict[str, Callable[[], bool]] = {
    "Dispatcher._cache": lambda: isinstance(compiled()._cache, caching.NullCache),
    "Dispatcher.get_call_template": lambda: method(compiled(), "get_call_template", "args", "kws"),
    "Dispatcher.get_overload": lambda: method(compiled(), "get_overload", "sig"),
    "Dispatcher._compiling_counter": lambda: not compiled()._compiling_counter,
    "options of njit": lambda: all(hasattr(compiled().targetdescr.options, name) for name in jit.NO_WRAPPERS),
    "FunctionCache.__init__": lambda: method(caching.FunctionCache, "__init__", "self", "py_func"),
    "FunctionCache._index_key": lambda: method(caching.FunctionCache, "_index_key", "self", "sig", "codegen"),
    "FunctionCache.load_overload": lambda: method(
        caching.FunctionCache, "load_overload", "self", "sig", "target_context"
    ),
    "FunctionCache.save_overload": lambda: method(caching.FunctionCache, "save_overload", "self", "sig", "data"),
    "Cache._cache_file": lambda: isinstance(cache()._cache_file, caching.IndexDataCacheFile),
    "Cache.cache_path": lambda: Path(cache().cache_path).is_dir(),
    "IndexDataCacheFile._source_stamp": lambda: cache()._cache_file._source_stamp == cache()._stamp,
    "IndexDataCacheFile.flush": lambda: method(caching.IndexDataCacheFile, "flush", "self"),
    "JITCPUCodegen._get_host_cpu_name": lambda: len(codegen()._get_host_cpu_name()) > 0,
    "JITCPUCodegen._tm_features": lambda: "," in codegen()._tm_features,
    "config flags": lambda: all(hasattr(config, name) for name in jit.FLAGS),
    "types.Dispatcher": lambda: types.Dispatcher(DOUBLE).dispatcher is DOUBLE,
    "templates": lambda: callable(templates.infer) and callable(templates.infer_global),
}
"""What the toolkit takes from numba beyond its documented interface -> whether it is as expected."""


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("name", USED)
def test_what_is_used_of_numba_is_there(name: str) -> None:
    assert USED[name]()


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")
def test_the_index_key_is_numbas_own_and_ours() -> None:
    key, numbas = cache()._index_key, super(jit.PackageCache, cache())._index_key
    signature = (types.int64,)
    own = numbas(signature, codegen())
    assert key(signature, codegen())[: len(own)] == own
    assert len(key(signature, codegen())) == len(own) + 2


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("broken", [AttributeError, TypeError])
def test_a_numba_without_these_names_compiles_without_a_cache(
    broken: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(function: Any) -> Any:
        raise broken("gone")

    monkeypatch.setattr(jit, "PackageCache", fail)
    monkeypatch.setattr(jit, "_warned", set())
    monkeypatch.setattr(jit, "_compiled", {})
    with pytest.warns(RuntimeWarning, match="another cache layout, every process compiles anew"):
        twice = jit.kernel(_double)
    assert twice(21) == 42
    assert jit.kernel(_double)(4) == 8  # and warns no second time


def _double(x: int) -> int:
    return 2 * x


@jit.kernel
def _steps(n: int) -> int:
    if n == 0:
        return 0
    return 1 + _steps(n - 1)


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")
def test_a_kernel_has_a_form_for_other_kernels_and_one_for_python() -> None:
    """The first lacks numba's wrappers; a kernel that calls itself must do so in both."""
    import numba

    steps: Any = _steps
    assert numba.njit(lambda n: _steps(n))(3) == 3
    assert (steps.signatures, steps.called().signatures) == ([], [(types.int64,)])
    assert _steps(4) == 4
    assert (steps.signatures, steps.called().signatures) == ([(types.int64,)], [(types.int64,)])


def test_a_kernel_under_disable_jit_is_the_function_itself() -> None:
    code = """
from cardsim import jit, rng
assert jit.DISABLED
assert not jit.compiled_kernels()
print(type(rng.below).__name__)
"""
    assert run(code, path=[ROOT], flags=["-W", "error"], NUMBA_DISABLE_JIT="1").stdout.strip() == "function"


ONCE = """
import json
import numpy as np
from cardsim import contract, rng
from cardsim.games.sixty_six.rules import PRESETS
from cardsim.jit import compiled_kernels
from cardsim.playout import play_random, play_units
from cardsim.registry import make_game
from cardsim.tables import Tables
from tests.core.units import Units

def everything(game):
    states, streams = game.deal(1, 2), rng.new_streams()
    game.view(game.observe(states, 0))
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(2), rng.RESAMPLE)
    game.resample_hidden(states, game.current_player(states), streams)
    game.apply_action(states, game.legal_actions(states)[0])
    game.returns(states)
    game.deal_given(game.deck())
    tables = Tables(game, 3)
    for _ in range(60):
        batch = tables.step(tables.random_actions())
    tables.observe(batch.player)
    tables.restore(tables.save([0]), [0])
    units = Units(game, [("book", "random", "cautious", "random")[k] for k in range(game.num_players)])
    units.play(0, 30)
    play_random(game.new_states(), rng.new_streams(5), np.uint64(1), np.uint64(0), 30, np.zeros(6, np.int64))

def signatures():
    forms = {name: (kernel.signatures, kernel.called().signatures) for name, kernel in compiled_kernels().items()}
    return {name: sorted({str(one) for found in pair for one in found}) for name, pair in forms.items() if any(pair)}

everything(make_game("sixty_six"))
first = signatures()
for preset in PRESETS:
    everything(make_game("sixty_six", preset=preset))
everything(make_game("sixty_six(preset=1001,players=3)"))
everything(make_game("sixty_six(preset=schnapsen,match=true,target=3)"))
print(json.dumps([first, signatures()]))
"""


@pytest.mark.slow
def test_every_kernel_is_compiled_once(tmp_path: Path) -> None:
    """Narrow fields and constants as arguments would each compile a kernel once more."""
    # An empty cache, since what comes from it hides its callees; types are settled before the optimiser has its turn.
    done = run(ONCE, path=[ROOT], NUMBA_CACHE_DIR=str(tmp_path), NUMBA_OPT="0")
    first, last = json.loads(done.stdout)
    assert last == first
    assert len(first) > 60
    for name in ONE_FORM:
        assert len(first[name]) == 1, f"{name}: {first[name]}"
    # Small helpers may take an index that is signed or not, and arrays of two kinds.
    assert {name: found for name, found in first.items() if len(found) > 2} == {}
    floats = {name for name, found in first.items() if any("float64" in each for each in found)}
    # Elsewhere a signed and an unsigned integer would have met: numba's answer to that is a float.
    assert {name for name in floats if name.startswith(WHOLE_NUMBERS)} <= RETURNS


GAME_KERNELS = [
    *("kernels.reset", "kernels.deal", "kernels.deal_given", "kernels.current_player", "kernels.outcome"),
    *("legal.legal_actions", "moves.apply_action", "scoring.returns"),
    *("knowledge.observe", "knowledge.recall", "worlds.resample_hidden"),
]


ONE_FORM = [
    *(f"cardsim.games.sixty_six.{name}" for name in GAME_KERNELS),
    *("cardsim.playout.play_random", "cardsim.playout.play_range", "cardsim.playout.add_range"),
    *(
        "cardsim.tables.step_all",
        "cardsim.tables.begin_all",
        "cardsim.tables.encode_all",
        "cardsim.tables.pick_all",
    ),
    *(
        "cardsim_agents.sixty_six.book.act",
        "cardsim.rng.below",
        "cardsim.rng.next_word",
        "cardsim.rng.seed_stream",
    ),
]


WHOLE_NUMBERS = ("cardsim.rng", "cardsim.bits", "cardsim.games")


RETURNS = {f"cardsim.games.sixty_six.scoring.{name}" for name in ("returns", "_match_returns")}
