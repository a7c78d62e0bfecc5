"""The benchmarks run, and give figures; how large they are is not tested, since machines differ."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import core, run
from benchmarks.games import SUBJECTS
from benchmarks.rows import Budget, Row, paired, row, timed
from benchmarks.yardstick import FOLDER, yardstick
from cardsim import game_ids

TINY = Budget(
    rounds=1, seconds=0.001, thread_seconds=0.01, starts=1, memory_hands=2000, tables=(3,), deals=10, hands=20
)
# Those that start processes, or compile much.
SLOW = {"startup", "memory", "training"}
EXPECTED = {
    "core": {"random play, base", "random play, 4 players", "random play, 4 players, no_joker"},
    "threads": {"simulate, two threads"},
    "tables": {"3 tables, a step into given arrays"},
    "aec": {f"{subject.environment}.raw_env" for subject in SUBJECTS.values()},
    "vector": {"VectorEnv, 3 tables, against random"},
    "growth": {"a random turn, 30 on the table"},
    "agents": {"a decision of book"},
    "training": {"PPO: share of its time in the environment"},
    "startup": {"import numpy, numba"},
    "memory": {"peak memory of 2,000 hands"},
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


@pytest.mark.parametrize("game", SUBJECTS)
@pytest.mark.parametrize("topic", [pytest.param(t, marks=[pytest.mark.slow] if t in SLOW else []) for t in run.TOPICS])
def test_every_topic_gives_finite_figures(topic: str, game: str) -> None:
    if topic == "training":
        pytest.importorskip("torch")
    rows = run.measured(topic, SUBJECTS[game], TINY)
    check(rows)
    if topic == "growth" and not SUBJECTS[game].grows:
        assert not rows
        return
    assert {r.game for r in rows} == {game}
    assert EXPECTED[topic] & {r.name for r in rows}


def test_every_module_is_a_topic_or_a_helper() -> None:
    modules = {path.stem for path in Path(run.__file__).parent.glob("*.py")}
    assert modules == {*run.TOPICS, "run", "rows", "games", "yardstick", "__init__"}


def test_every_game_is_measured_and_every_c_program_is_used() -> None:
    assert set(SUBJECTS) == set(game_ids())
    assert {subject.program for subject in SUBJECTS.values()} == {path.name for path in FOLDER.glob("*.c")}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize(
    ("program", "players", "low", "high"),
    [
        # Twelve cards a hand and more: marriages are declared with a card, exchanging and closing are not.
        ("limit66.c", 2, 16, 26),
        # Everybody is asked, and those who stay play three tricks and swap; many pass.
        ("limit_zwicken.c", 2, 2, 14),
        ("limit_zwicken.c", 5, 5, 35),
        # 48 cards are played, each with two decisions and more.
        ("limit_zwicker.c", 4, 110, 150),
        ("limit_zwicker.c", 62, 120, 170),
    ],
)
def test_the_c_programs_build_and_play(program: str, players: int, low: int, high: int) -> None:
    limit = yardstick(program)
    assert limit is not None
    assert low < limit.decisions(players) < high
    seconds, decisions = limit.side(players, "decision")(2)
    assert seconds >= 0
    assert low * 200 < decisions < high * 200
    assert limit.side(players, "decision")(2)[1] == decisions
    assert limit.side(players, "hand")(2)[1] == 200


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_counts_of_another_game_are_told_from_the_c_programs() -> None:
    """The comparison of the counts passes for the same rules, and fails for others."""
    subject, budget = SUBJECTS["zwicken"], replace(TINY, deals=50)
    limit = yardstick(subject.program)
    assert limit is not None
    form = next(form for form in subject.forms if form.table == 3)
    same = core.agreement(subject, core.Played(subject, form, budget), limit, budget)
    assert same.met is True and "cuts" in same.note
    other = form._replace(options={**form.options, "max_swaps": 1})
    assert core.agreement(subject, core.Played(subject, other, budget), limit, budget).met is False


def test_without_gcc_the_ratios_to_c_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    yardstick.cache_clear()
    try:
        rows = run.measured("core", SUBJECTS["sixty_six"], TINY)
    finally:
        yardstick.cache_clear()
    check(rows)
    assert not [r for r in rows if r.name.startswith("C program") or r.ratio is not None]
    assert "gcc" in next(r.note for r in rows if r.name == "random play, base")


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
    done = CliRunner().invoke(run.main, ["--quick", "--only", "core", "--game", "sixty_six", "--json", str(file)])
    assert done.exit_code == 0, done.output
    assert "random play, base" in done.output
    assert "python -m benchmarks.run --quick --only core --game sixty_six" in done.output
    content = json.loads(file.read_text())
    assert all(set(r) == {"game", "name", "value", "unit", "ratio", "aim", "met"} for r in content["rows"])
    names = [f"{r['game']}: {r['name']}" for r in content["rows"]]
    assert len(set(names)) == len(names) and set(content["notes"]) <= set(names)
    assert content["machine"] in done.output and "numba" in content["machine"]


@pytest.mark.parametrize(("option", "allowed"), [("--only", "core"), ("--game", "zwicken")])
def test_an_unknown_topic_or_game_is_refused(option: str, allowed: str) -> None:
    done = CliRunner().invoke(run.main, [option, "nosuch"])
    assert done.exit_code == 2 and "nosuch" in done.output and allowed in done.output
