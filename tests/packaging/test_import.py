"""`import cardsim` is light, and offers what its `__all__` names."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version

import pytest

import cardsim

HEAVY = (
    "pandas", "scipy", "matplotlib", "rich", "click", "pettingzoo", "gymnasium", "PIL", "pyarrow", "dask",
    "distributed",
)  # fmt: skip


def loaded_by(code: str) -> set[str]:
    """Top-level modules in a fresh interpreter after `code`."""
    report = "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], check=True, capture_output=True, text=True)
    return set(json.loads(done.stdout))


def test_import_cardsim_loads_nothing_heavy() -> None:
    assert not loaded_by("import cardsim") & {*HEAVY, "numpy", "numba"}


@pytest.mark.parametrize(
    "code",
    [
        "from cardsim import *",
        "import cardsim; cardsim.make_game('sixty_six')",
        "import cardsim; cardsim.make_agent('sixty_six', 'book')",
        "from cardsim.simulate import simulate",
    ],
)
def test_games_agents_and_simulation_load_nothing_heavy(code: str) -> None:
    loaded = loaded_by(code)
    assert "numba" in loaded
    by_numba = loaded_by("import numba")  # which imports the head of scipy where there is one
    assert not (loaded - by_numba) & set(HEAVY)


def test_every_public_name_is_there() -> None:
    assert len(set(cardsim.__all__)) == len(cardsim.__all__)
    for name in cardsim.__all__:
        assert getattr(cardsim, name) is not None
        assert name in dir(cardsim)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        cardsim.nonsense  # noqa: B018


def test_version_is_that_of_the_distribution() -> None:
    assert cardsim.__version__ == version("cardsim")
