"""Notebooks: what is committed is what their sources give, and they run from beginning to end."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from cardsim.jit import DISABLED

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("notebooks_build", ROOT / "notebooks" / "build.py")
assert SPEC and SPEC.loader
build: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(build)
SOURCES = build.sources()

pytest.importorskip("jupytext")


def committed(source: Path) -> Any:
    import nbformat

    return nbformat.read(source.with_suffix(".ipynb"), 4)


def test_the_six_notebooks_are_there() -> None:
    assert [source.stem for source in SOURCES] == [
        "01_quickstart",
        "02_zwicken_tips",
        "03_zwicker",
        "04_sixty_six_tips",
        "05_train_an_agent",
        "06_speed_and_reproducibility",
    ]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_committed_notebooks_are_those_of_the_sources(source: Path) -> None:
    want, found = build.read(source), committed(source)
    assert [(cell.cell_type, cell.source) for cell in found.cells] == [
        (cell.cell_type, cell.source) for cell in want.cells
    ]
    code = [cell for cell in found.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert any("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
    assert not any(output.output_type == "error" for cell in code for output in cell.outputs)
    text = source.with_suffix(".ipynb").read_text()
    assert not re.search(r"/(home|root|tmp|work)/", text)


@pytest.mark.slow
@pytest.mark.skipif(DISABLED, reason="plays many thousands of hands: needs compiled speed")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_outputs_are_those_of_this_code(source: Path, tmp_path: Path) -> None:
    assert build.texts(build.executed(source, tmp_path)) == build.texts(committed(source))
