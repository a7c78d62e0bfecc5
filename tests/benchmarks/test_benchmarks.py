"""The benchmarks run, and give figures; how large they are is not tested, since machines differ."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import run
from benchmarks.rows import Budget, Row, paired, row, timed
from benchmarks.yardstick import SOURCE, yardstick

TINY = Budget(rounds=1, seconds=0.001, thread_seconds=0.01, starts=1, memory_hands=2000, tables=(3,), hands=20)
# Those that start processes, or compile much.
SLOW = {"startup", "memory"}
EXPECTED = {
    "core": "random play, base",
    "threads": "simulate, two threads",
    "tables": "3 tables, a step into given arrays",
    "aec": "sixty_six_v0.raw_env",
    "agents": "a decision of book",
    "startup": "import numpy, numba",
    "memory": "peak memory of 2,000 hands",
}


def check(rows: list[Row]) -> None:
    for r in rows:
        assert r.name.strip() and r.unit, r
        assert math.isfinite(r.value), r
        # A part of a whole is a difference of two noisy figures.
        assert r.value > 0 or r.name.startswith("  of which"), r
        assert r.ratio is None or (math.isfinite(r.ratio) and r.ratio > 0), r
        assert r.aim or r.met is None, r
        json.dumps(r.plain(), allow_nan=False)


@pytest.mark.parametrize("topic", [pytest.param(t, marks=[pytest.mark.slow] if t in SLOW else []) for t in run.TOPICS])
def test_every_topic_gives_finite_figures(topic: str) -> None:
    rows = run.measured(topic, TINY)
    check(rows)
    assert EXPECTED[topic] in [r.name for r in rows]


def test_every_module_is_a_topic_or_a_helper() -> None:
    modules = {path.stem for path in Path(run.__file__).parent.glob("*.py")}
    assert modules == {*run.TOPICS, "run", "rows", "yardstick", "__init__"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_the_c_program_builds_and_plays() -> None:
    limit = yardstick()
    assert limit is not None
    seconds, decisions = limit.side(2)
    assert seconds >= 0
    # Twelve cards a hand and more: marriages are declared with a card, exchanging and closing are not.
    assert 16 < limit.decisions < 26
    assert 16 * 200 < decisions < 26 * 200
    assert limit.side(2)[1] == decisions


def test_without_gcc_the_ratios_to_c_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    yardstick.cache_clear()
    try:
        rows = run.measured("core", TINY)
    finally:
        yardstick.cache_clear()
    check(rows)
    assert not [r for r in rows if r.name.startswith("C program") or r.ratio is not None]
    assert "gcc" in next(r.note for r in rows if r.name == "random play, base")
    assert "gcc" not in SOURCE.name


def test_aims_are_held_against_the_ratio_or_the_value() -> None:
    assert row("a", 5.0, "s", ratio=1.5, at_most=2.0).met is True
    assert row("a", 1.0, "s", ratio=2.5, at_most=2.0).met is False
    assert row("a", 1.9, "s", at_least=2.0).met is False
    assert row("a", 1.9, "s", at_least=2.0).aim == "at least 2 s"
    assert row("a", 9.0, "s", at_most=2.0, judge=False).met is None
    assert row("a", 9.0, "s") == Row("a", 9.0, "s")


def test_sides_take_turns_in_both_directions() -> None:
    order: list[str] = []

    def side(name: str, seconds: float) -> tuple[float, int]:
        order.append(name)
        return seconds, 10

    budget = Budget(rounds=2, seconds=1.0, thread_seconds=1.0, starts=1, memory_hands=1)
    times = paired({"a": lambda n: side("a", 1.0), "b": lambda n: side("b", 2.0)}, budget)
    assert order[-4:] == ["a", "b", "b", "a"]
    assert times == {"a": [0.1, 0.1], "b": [0.2, 0.2]}
    seconds, units = timed(lambda n: 3 * n)(7)
    assert units == 21 and seconds >= 0


def test_the_command_prints_a_table_and_writes_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "QUICK", TINY)
    file = tmp_path / "figures.json"
    done = CliRunner().invoke(run.main, ["--quick", "--only", "core", "--json", str(file)])
    assert done.exit_code == 0, done.output
    assert "random play, base" in done.output and "python -m benchmarks.run --quick --only core" in done.output
    content = json.loads(file.read_text())
    assert all(set(r) == {"name", "value", "unit", "ratio", "aim", "met"} for r in content["rows"])
    names = [r["name"] for r in content["rows"]]
    assert len(set(names)) == len(names) and set(content["notes"]) <= set(names)
    assert content["machine"] in done.output and "numba" in content["machine"]


def test_an_unknown_topic_is_refused() -> None:
    done = CliRunner().invoke(run.main, ["--only", "nosuch"])
    assert done.exit_code == 2 and "nosuch" in done.output and "core" in done.output
