"""Whatever goes wrong is one helpful line on stderr, with an exit code and without a traceback."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
PLAY = ("simulate", "sixty_six", "--agents", "random", "--hands", "20")
POSITION = (
    "sixty_six(preset=schnapsen) dealer=1 hands=AH,TH,KD,QD,JS;TD,AD,KS,QS,AC up=KH talon=JD,QH,JH,TS,AS,JC,QC,KC,TC"
)

BAD = {
    "unknown command": (("simulat",), "simulat"),
    "unknown flag": (("info", "--nosuch"), "--nosuch"),
    "game missing": (("simulate",), "sixty_six"),
    "agents missing": (("simulate", "sixty_six"), "random, cautious, book"),
    "unknown game": ((*PLAY[:1], "sixtysix", *PLAY[2:]), "did you mean sixty_six"),
    "malformed game": ((*PLAY[:1], "sixty_six(preset", *PLAY[2:]), "sixty_six(preset"),
    "unknown preset": ((*PLAY, "--preset", "nosuch"), "presets are base"),
    "unknown option": ((*PLAY, "--option", "clams=auto"), "did you mean claims"),
    "option named as a Python argument": ((*PLAY, "--option", "self=1"), "option 'self' is unknown"),
    "value not allowed": ((*PLAY, "--option", "claims=maybe"), "free, true_only, auto"),
    "option without value": ((*PLAY, "--option", "claims"), "name=value"),
    "unknown agent": ((*PLAY, "--agents", "nosuch,random"), "agents are random"),
    "too many agents": ((*PLAY, "--agents", "book,random,extra"), "extra"),
    "three known agents for two seats": ((*PLAY, "--agents", "book,random,random"), "2 seats"),
    "bad parameter": ((*PLAY, "--agents", "book(closing=7)"), "true or false"),
    "empty agent": ((*PLAY, "--agents", "book,"), "''"),
    "negative hands": ((*PLAY, "--hands", "-5"), "at least 1"),
    "no hands": ((*PLAY, "--hands", "0"), "at least 1"),
    "hands in words": ((*PLAY, "--hands", "many"), "'many'"),
    "part of a hand": ((*PLAY, "--hands", "1.5"), "'1.5'"),
    "hands with commas in a row": ((*PLAY, "--hands", "1,,,0"), "'1,,,0'"),
    "hands in other digits": ((*PLAY, "--hands", "\u0661\u0660"), "whole number"),
    "match and no match": ((*PLAY, "--match", "-o", "match=no"), "contradict each other"),
    "folder without a name": ((*PLAY, "--out", ""), "out ''"),
    "resumed folder without a name": (("simulate", "--resume", ""), "folder ''"),
    "scheduler without a port": ((*PLAY, "--dask", "foo"), "cluster" if find_spec("distributed") is None else "'foo'"),
    "very long game": (("info", "x" * 5000), "x...x"),
    "seed too large": ((*PLAY, "--seed", str(2**64)), str(2**64 - 1)),
    "no threads": ((*PLAY, "--threads", "0"), "at least 1"),
    "until zero": ((*PLAY, "--until", "0"), "until"),
    "confidence": ((*PLAY, "--confidence", "95"), "below 1"),
    "rows without a folder": ((*PLAY, "--per-hand"), "--out"),
    "no saved run": (("simulate", "--resume", "nowhere"), "nowhere"),
    "resume something else": (("simulate", "sixty_six", "--resume", "nowhere"), "GAME"),
    "picture of another kind": ((*PLAY, "--plot", "a.txt"), ".png"),
    "info of an unknown game": (("info", "chess"), "sixty_six"),
    "info with options alone": (("info", "--preset", "base"), "game"),
    "deal without a game": (("deal",), "sixty_six"),
    "seat": (("deal", "sixty_six", "--seat", "2"), "0 to 1"),
    "illegal action": (("deal", "sixty_six", "--actions", "claim; pass"), "legal:"),
    "no such action": (("deal", "sixty_six", "--actions", "1H"), "'1H'"),
    "corrupted position": (("deal", "--position", POSITION.replace("AH,TH", "AH,AH")), "AH"),
    "cut position": (("deal", "--position", POSITION[:60]), "position"),
    "no position": (("deal", "--position", ""), "GAME"),
    "hand file missing": (("deal", "--hand", "nowhere.txt"), "nowhere.txt"),
    "rules beside a text": (("deal", "--position", POSITION, "--preset", "base"), "leave --preset"),
    "warmup of an unknown game": (("warmup", "chess"), "sixty_six"),
    "bench of an unknown preset": (("bench", "--preset", "chess"), "presets are"),
}


def one_line(result: Any, word: str, code: int = 2) -> None:
    assert result.exit_code == code, (result.output, result.exception)
    assert result.stdout == ""
    assert result.stderr.startswith("cardsim: ") and result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr and word in result.stderr


@pytest.mark.parametrize("name", BAD)
def test_bad_input(run: Run, name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    words, word = BAD[name]
    one_line(run(*words), word)
    assert not list(tmp_path.iterdir())


def test_folder_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    one_line(run(*PLAY, "--out", str(tmp_path / "file" / "run")), "cannot be written")
    assert (tmp_path / "file").read_text() == "mine"


def test_folder_that_holds_a_run(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    assert run(*PLAY, "--out", folder).exit_code == 0
    before = {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    one_line(run(*PLAY, "--out", folder, "--seed", "1"), "holds a run already")
    assert before == {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("file", ["plan.json", "progress.json"])
def test_truncated_results_file(run: Run, tmp_path: Path, file: str) -> None:
    folder = tmp_path / "run"
    assert run(*PLAY, "--out", str(folder)).exit_code == 0
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(content[: len(content) // 2])
    one_line(run("simulate", "--resume", str(folder)), "truncated or damaged")
    assert (folder / file).read_bytes() == content[: len(content) // 2]


def test_corrupted_hand(run: Run, done: Callable[..., str], tmp_path: Path) -> None:
    text = done("deal", "sixty_six", "--agents", "random", "--text-only")
    one_line(run("deal", "--hand", "-", input=text.replace("trick 2", "trick 9")), "trick 2")
    file = tmp_path / "hand.txt"
    file.write_bytes(b"\xff\xfe\x00")
    one_line(run("deal", "--hand", str(file)), "text file")


def test_missing_extra(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    one_line(run(*PLAY, "--plot", "a.png"), "pip install 'cardsim[plot]'")


def test_missing_dask(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    one_line(run(*PLAY, "--dask", "tcp://localhost:1"), "cardsim[cluster]")


def test_failed_run_is_code_1(run: Run, monkeypatch: Any) -> None:
    def lost(*_: object, **__: object) -> None:
        raise RuntimeError("workers were lost")

    monkeypatch.setattr("cardsim.simulate.simulate", lost)
    one_line(run(*PLAY), "workers were lost", 1)


def test_full_disk_is_code_1(run: Run, monkeypatch: Any) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "run/progress.json")

    monkeypatch.setattr("cardsim.simulate.simulate", full)
    one_line(run(*PLAY), "run/progress.json: No space left on device", 1)


def test_debug_shows_where(run: Run) -> None:
    result = run("--debug", *PLAY, "--preset", "nosuch")
    assert isinstance(result.exception, ValueError)


def test_a_fault_of_ours_is_not_hidden(run: Run, monkeypatch: Any) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("bug")

    monkeypatch.setattr("cardsim.simulate.simulate", broken)
    assert isinstance(run(*PLAY).exception, KeyError)


def command(*words: str) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "cardsim", *words]


def test_real_process_reports_a_bad_preset() -> None:
    done = subprocess.run(
        command(*PLAY, "--preset", "nosuch"), check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("cardsim: preset 'nosuch' is unknown") and done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes descriptors")
def test_real_process_without_standard_output() -> None:
    line = f"{shlex.join(command('info', 'sixty_six'))} >&-"
    done = subprocess.run(line, shell=True, check=False, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_hand_files_that_are_none(run: Run, tmp_path: Path) -> None:
    one_line(run("deal", "--hand", "/dev/zero"), "no regular file")
    file = tmp_path / "long.txt"
    file.write_text("a" * 1_000_001)
    one_line(run("deal", "--hand", str(file)), "longer than 1,000,000 characters")
    one_line(run("deal", "--hand", "-", input="a" * 1_000_001), "longer than 1,000,000 characters")


def test_real_process_survives_a_closed_pipe() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            command("info", "sixty_six"),
            check=False,
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert done.returncode == 1 and done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one child")
def test_real_process_stops_at_ctrl_c(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ("simulate", "sixty_six", "--agents", "random", "--hands", "1e11", "--out", str(folder), "--json")
    # A shell lets its background jobs ignore SIGINT, and their children inherit that.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipe = subprocess.PIPE
    with subprocess.Popen(command(*words), stdout=pipe, stderr=pipe, text=True, preexec_fn=heed) as process:  # noqa: PLW1509
        deadline = time.monotonic() + 120
        while not (folder / "progress.json").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        try:
            stdout, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert json.loads(stdout)["interrupted"] and json.loads(stdout)["hands"] > 0
    assert stderr.count("\n") == 1 and f"--resume {folder}" in stderr
