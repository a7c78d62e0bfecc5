"""New processes for the tests that need one: their own numba settings, their own copies of the packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import cardsim
import cardsim_agents

ROOT = Path(__file__).parents[2]
CACHES = ("*.nbi", "*.nbc")


DROP_POWER = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
if os.getuid() == 0:
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Root writes where it likes; without this capability, it does so only where its own permissions allow it."""


def environment(path: Sequence[Path], changes: Mapping[str, str | None]) -> dict[str, str]:
    """This process's variables without numba's own; `path` becomes PYTHONPATH; None removes a variable."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTEST_"))}
    kept["PYTHONPATH"] = os.pathsep.join(map(str, path))
    kept["PYTHONDONTWRITEBYTECODE"] = "1"  # Python trusts the size and the second of an edited file, the tests may not
    for name, value in changes.items():
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = value
    return kept


def run(
    code: str,
    *words: str,
    path: Sequence[Path] = (),
    flags: Sequence[str] = (),
    powerless: bool = False,
    cwd: Path | None = None,
    settings: Mapping[str, str | None] | None = None,
    **changes: str | None,
) -> subprocess.CompletedProcess[str]:
    """Run Python code in a new process, which must succeed.

    Args:
        code: what to run.
        words: its arguments.
        path: folders to import from, before all others.
        flags: options of the interpreter.
        powerless: bound by file permissions, even if this user is root (Linux).
        cwd: folder to run in.
        settings: environment variables to set, or with None to remove.
        changes: the same by keyword.
    """
    command = [sys.executable, *flags, "-c", code, *words]
    if powerless:
        command = [sys.executable, "-c", DROP_POWER, *command]
    done = subprocess.run(
        command,
        env=environment(path, {**(settings or {}), **changes}),
        cwd=cwd or (path[0] if path else ROOT),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


SOURCES = {
    "cardsim": Path(cardsim.__path__[0]),
    "cardsim_agents": Path(cardsim_agents.__path__[0]),
    "pilegame": ROOT / "tests" / "core" / "pilegame",
}


def copy_packages(folder: Path, *names: str) -> Path:
    """Copy packages into a folder, without anything compiled."""
    folder.mkdir(exist_ok=True)
    for name in names:
        shutil.copytree(SOURCES[name], folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that stands in the file exactly once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name}: {old!r} stands there {text.count(old)} times"
    file.write_text(text.replace(old, new), encoding="utf-8")


def cache_files(folder: Path) -> list[Path]:
    """Files of numba's cache below a folder."""
    return sorted(file for pattern in CACHES for file in folder.rglob(pattern))
