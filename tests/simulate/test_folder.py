"""A run's folder: saved, stopped, killed and resumed to the same bytes; damage is reported."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cardsim.jit import DISABLED
from cardsim.simulate import resume, run, simulate
from cardsim.simulate.store import PLAN, PREVIOUS, PROGRESS, SUMMARY, _write_json, part_files

HANDS = 60 if DISABLED else 600
AGENTS = ["book", "random"]
FINAL = ("agents.csv", "seats.csv", "pairs.csv", "columns.csv", SUMMARY)


def final(folder: Path) -> dict[str, bytes]:
    """All that must be the same however often a run was stopped."""
    return {name: (folder / name).read_bytes() for name in FINAL}


def stop_after(hands: int) -> Any:
    """Progress callback that presses Ctrl-C."""

    def progress(done: int, total: int | None) -> None:
        if done >= hands:
            signal.raise_signal(signal.SIGINT)

    return progress


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    simulate("sixty_six", AGENTS, HANDS, seed=7, duplicate=True, out=folder, per_hand=True)
    return folder


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run stopped in the middle, which was saved after every chunk."""
    monkeypatch.setattr(run, "SAVE_SECONDS", 0.0)
    folder = tmp_path / "a run"
    stop = stop_after(HANDS // 3)
    results = simulate(
        "sixty_six", AGENTS, HANDS, seed=7, duplicate=True, out=folder, per_hand=True, chunk=5, progress=stop
    )
    assert results.interrupted
    assert HANDS // 3 <= results.hands < HANDS
    return folder


def test_a_stopped_run_is_resumed_to_the_same_bytes(whole: Path, stopped: Path) -> None:
    assert not (stopped / SUMMARY).exists()
    again = resume(stopped, chunk=7, threads=1, progress=stop_after(HANDS // 2))
    assert again.interrupted
    results = resume(stopped)
    assert not results.interrupted
    assert results.hands == HANDS
    assert final(stopped) == final(whole)
    assert results.per_hand.equals(resume(whole).per_hand)
    assert results.per_hand["deal"].tolist() == [k // 2 for k in range(HANDS)]


def test_the_folder_does_not_matter(whole: Path) -> None:
    in_memory = simulate("sixty_six", AGENTS, HANDS, seed=7, duplicate=True, per_hand=True)
    data = in_memory.to_json()
    del data["timing"]
    assert json.loads((whole / SUMMARY).read_bytes()) == data
    assert in_memory.per_hand.equals(resume(whole).per_hand)


def test_a_finished_run_gives_its_results_again(whole: Path) -> None:
    before = final(whole)
    results = resume(whole)
    assert results.hands == HANDS
    assert final(whole) == before


def test_an_until_run_is_resumed_to_the_same_look(tmp_path: Path) -> None:
    if DISABLED:
        pytest.skip("a thousand hands at least")
    arguments: dict[str, Any] = {"until": 0.1, "seed": 5}
    simulate("sixty_six", "cautious,random", out=tmp_path / "whole", **arguments)
    first = simulate(
        "sixty_six",
        "cautious,random",
        out=tmp_path / "cut",
        progress=stop_after(2_000),
        chunk=300,
        **arguments,
    )
    assert first.interrupted
    resume(tmp_path / "cut")
    assert final(tmp_path / "cut") == final(tmp_path / "whole")


def test_rows_beyond_the_saved_progress_are_dropped(whole: Path, stopped: Path) -> None:
    (stopped / PROGRESS).unlink()  # as if killed between the two renames of a save
    last = part_files(stopped)[-1]
    assert last[1] > 0
    (stopped / "hands" / "part-left.tmp").write_bytes(b"half a file")
    results = resume(stopped)
    assert final(stopped) == final(whole)
    assert results.per_hand.equals(resume(whole).per_hand)


def test_missing_rows_are_reported(stopped: Path) -> None:
    path, first, _ = part_files(stopped)[1]
    path.unlink()
    with pytest.raises(ValueError, match=f"hands: the part from deal {first} on is missing"):
        resume(stopped)


@pytest.mark.parametrize("name", [PLAN, PROGRESS])
@pytest.mark.parametrize("damage", ["cut", "edit", "empty", "list"])
def test_a_damaged_file_is_named_and_nothing_is_lost(whole: Path, stopped: Path, name: str, damage: str) -> None:
    path = stopped / name
    good = path.read_bytes()
    broken = {
        "cut": good[: len(good) // 2],
        "edit": good.replace(b"7", b"8"),
        "empty": b"",
        "list": b"[1, 2]",
    }[damage]
    path.write_bytes(broken)
    before = {file: file.read_bytes() for file in stopped.rglob("*") if file.is_file()}
    with pytest.raises(ValueError, match="damaged") as caught:
        resume(stopped)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert {file: file.read_bytes() for file in stopped.rglob("*") if file.is_file()} == before
    if name == PROGRESS:
        assert f"delete it to go on from {PREVIOUS}" in str(caught.value)
        path.unlink()
    else:
        path.write_bytes(good)
    resume(stopped)
    assert final(stopped) == final(whole)


def test_progress_of_another_run_is_refused(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    simulate("sixty_six", AGENTS, HANDS, seed=8, out=other)
    shutil.copy(whole / PROGRESS, other / PROGRESS)
    with pytest.raises(ValueError, match=r"progress\.json: belongs to another run"):
        resume(other)


def test_an_edited_result_is_not_overwritten(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder)
    cut = (folder / SUMMARY).read_bytes()[:-50]
    (folder / SUMMARY).write_bytes(cut)
    with pytest.raises(ValueError, match=r"summary\.json: was edited or damaged; delete it"):
        resume(folder)
    assert (folder / SUMMARY).read_bytes() == cut
    (folder / SUMMARY).unlink()
    resume(folder)
    assert final(folder) == final(whole)


def test_another_version_is_refused(stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsim.__version__", "99.0")
    with pytest.raises(ValueError, match=r"saved by cardsim .*, this is 99\.0"):
        resume(stopped)


def test_a_folder_in_use_is_refused(whole: Path, tmp_path: Path) -> None:
    before = final(whole)
    with pytest.raises(ValueError, match="holds a run already; resume that one, or name another folder"):
        simulate("sixty_six", AGENTS, HANDS, out=whole)
    assert final(whole) == before
    (tmp_path / "agents.csv").write_text("mine")
    with pytest.raises(ValueError, match=r"holds agents\.csv already"):
        simulate("sixty_six", AGENTS, HANDS, out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["agents.csv"]


def test_a_folder_that_cannot_be_written_is_refused_before_the_first_hand(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    played: list[int] = []
    with pytest.raises(ValueError, match=r"out .*file.run: cannot be written \(Not a directory\)"):
        simulate("sixty_six", "random", 5, out=tmp_path / "file" / "run", progress=lambda *_: played.append(1))
    assert not played


@pytest.mark.parametrize(
    ("file", "path", "says"),
    [
        (PLAN, ("version",), "the key version is missing"),
        (PLAN, ("plan",), "the key plan is missing"),
        (PLAN, ("plan", "hands"), "plan: hands is missing"),
        (PROGRESS, ("tally",), "the key tally is missing"),
        (PROGRESS, ("seconds",), "the key seconds is missing"),
        (PROGRESS, ("tally", "units"), "the key units is missing"),
    ],
)
def test_a_file_without_a_key_is_named(
    whole: Path, tmp_path: Path, file: str, path: tuple[str, ...], says: str
) -> None:
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    data = json.loads((folder / file).read_text())
    del data["checksum"]
    inner = data[path[0]] if len(path) > 1 else data
    del inner[path[-1]]
    _write_json(folder / file, data)
    with pytest.raises(ValueError, match=f"{file}: {says}") as caught:
        resume(folder)
    assert "\n" not in str(caught.value)


def test_a_deeply_nested_file_is_damaged(whole: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    (folder / PLAN).write_text("[" * 100_000)
    with pytest.raises(ValueError, match=f"{PLAN}: is truncated or damaged"):
        resume(folder)


@pytest.mark.parametrize("folder", ["", " ", 5, b"run"])
def test_a_folder_without_a_name(folder: Any) -> None:
    with pytest.raises(ValueError, match="must be the path of a folder"):
        resume(folder)


def test_no_run_to_resume(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"holds no saved run \(there is no plan\.json\)"):
        resume(tmp_path)


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"pip install 'cardsim\[parquet\]'"):
        simulate("sixty_six", "random", 5, out=tmp_path / "run", per_hand=True)
    assert not (tmp_path / "run").exists()
    assert len(simulate("sixty_six", "random", 5, per_hand=True).per_hand) == 5


def test_a_full_disk_is_reported_and_what_was_saved_is_kept(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(done: int, total: int | None) -> None:
        if done >= HANDS // 2:
            monkeypatch.setattr("cardsim.simulate.store._write", no_space)

    def no_space(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run, "SAVE_SECONDS", 0.0)
    folder, options = tmp_path / "full", {"seed": 7, "duplicate": True, "per_hand": True}
    with pytest.raises(RuntimeError, match=r"cannot be saved \(No space left on device\); its first \d+ hands are"):
        simulate("sixty_six", AGENTS, HANDS, out=folder, chunk=5, progress=full, **options)  # type: ignore[arg-type]
    assert 0 < units_saved(folder) < HANDS
    monkeypatch.undo()
    resume(folder)
    assert final(folder) == final(whole)


@pytest.mark.slow
@pytest.mark.skipif(DISABLED, reason="too many hands for plain Python")
def test_a_killed_process_pool_is_reported_and_the_run_goes_on_elsewhere(tmp_path: Path) -> None:
    def kill(done: int, total: int | None) -> None:
        if done >= 500:
            for process in pool._processes.values():
                process.kill()

    folder = tmp_path / "broken"
    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool,
        pytest.raises(RuntimeError, match=r"workers were lost after \d+ hands .*; it is saved, go on with resume"),
    ):
        simulate("sixty_six", AGENTS, 100_000, out=folder, executor=pool, chunk=100, progress=kill)
    assert units_saved(folder) >= 500
    resume(folder)
    simulate("sixty_six", AGENTS, 100_000, out=tmp_path / "whole")
    assert final(folder) == final(tmp_path / "whole")


CHILD = """
import sys, time
from cardsim.simulate import resume, run, simulate
run.SAVE_SECONDS = 0.02
slow = lambda done, total: time.sleep(0.01)
if sys.argv[2] == "begin":
    kept = dict(out=sys.argv[1], per_hand=True)
    simulate("sixty_six", ["book", "random"], 30_000, seed=7, chunk=100, progress=slow, **kept)
else:
    resume(sys.argv[1], chunk=70, progress=slow)
"""


def units_saved(folder: Path) -> int:
    try:
        return int(json.loads((folder / PROGRESS).read_bytes())["tally"]["units"])
    except FileNotFoundError:
        return 0


@pytest.mark.slow
@pytest.mark.skipif(DISABLED, reason="too many hands for plain Python")
def test_a_run_killed_twice_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    folder, done = tmp_path / "killed", 0
    for how in ("begin", "resume"):
        command = [sys.executable, "-W", "error", "-c", CHILD, str(folder), how]
        child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 300
        while units_saved(folder) <= done and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(random.uniform(0.0, 0.1))  # anywhere in the middle of a save, or of a hand
        os.kill(child.pid, signal.SIGKILL)
        _, errors = child.communicate()
        assert child.returncode == -signal.SIGKILL, errors
        done = units_saved(folder)
    results = resume(folder)
    simulate("sixty_six", AGENTS, 30_000, seed=7, out=tmp_path / "whole", per_hand=True)
    assert 0 < done < results.units
    assert final(folder) == final(tmp_path / "whole")
    assert results.per_hand.equals(resume(tmp_path / "whole").per_hand)
