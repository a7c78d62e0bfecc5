"""The Makefile: its help is complete, and it works in a checkout whose path holds a space."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OUTER_MAKE = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "PYTHON", "JOBS"}

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in `folder`, untouched by the settings of a make that runs these tests."""
    environment = {name: value for name, value in os.environ.items() if name not in OUTER_MAKE}
    return subprocess.run(
        ["make", *arguments], check=False, cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space and a quote in its path, holding the Makefile and what it depends on."""
    folder = tmp_path / "it's a checkout"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def pretend_installed(folder: Path, path: str | None = None) -> None:
    """Leave the stamps of a finished `make .venv/.installed-dev`, made when the checkout lay at `path`."""
    (folder / ".venv").mkdir()
    (folder / ".venv" / ".created").touch()
    (folder / ".venv" / ".installed").write_text(f"{path or folder.resolve()}\n")
    (folder / ".venv" / ".installed-dev").touch()


def test_help_is_the_default_and_lists_every_target(checkout: Path) -> None:
    (line,) = re.findall(r"^\.PHONY: (.*)$", (checkout / "Makefile").read_text(), flags=re.MULTILINE)
    targets = [name for name in line.split() if name != "FORCE"]
    assert {"help", "demo", "test", "lint", "check", "bench", "golden", "docs", "clean"} <= set(targets)
    done = make(checkout)
    assert done.returncode == 0, done.stderr
    assert [row.split()[0] for row in done.stdout.splitlines()] == targets
    assert all(len(row.split()) > 2 for row in done.stdout.splitlines())
    assert make(checkout, "help").stdout == done.stdout


@pytest.mark.parametrize(
    ("target", "extra", "last"),
    [
        ("demo", "[plot]", ".venv/bin/python -m cardsim demo"),
        ("test", "[dev]", ".venv/bin/python -m pytest -n 2 --dist worksteal"),
    ],
)
def test_a_bare_checkout_is_installed_first(checkout: Path, target: str, extra: str, last: str) -> None:
    done = make(checkout, "-n", target)
    assert done.returncode == 0, done.stderr
    assert "-m venv" in done.stdout
    assert f'install --quiet --editable ".{extra}"' in done.stdout
    assert done.stdout.splitlines()[-1] == last
    assert str(checkout) not in done.stdout


@pytest.mark.parametrize("target", ["demo", "test"])
def test_a_second_run_reuses_the_environment(checkout: Path, target: str) -> None:
    pretend_installed(checkout)
    done = make(checkout, "-n", target)
    assert done.returncode == 0, done.stderr
    assert "install" not in done.stdout
    assert "venv --clear" not in done.stdout


@pytest.mark.parametrize("target", ["demo", "test"])
def test_new_dependencies_are_installed(checkout: Path, target: str) -> None:
    pretend_installed(checkout)
    later = time.time() + 10
    os.utime(checkout / "pyproject.toml", (later, later))
    assert "install --quiet --editable" in make(checkout, "-n", target).stdout


@pytest.mark.parametrize("target", ["demo", "test"])
def test_a_checkout_that_was_moved_is_installed_again(checkout: Path, target: str) -> None:
    pretend_installed(checkout, path="/elsewhere/cardsim")
    assert "install --quiet --editable" in make(checkout, "-n", target).stdout


@pytest.mark.parametrize(
    ("refused", "message"),
    [("version_info", "needs Python 3.11 or newer"), ("ensurepip", "apt install python3-venv")],
)
def test_an_unfit_python_is_refused_with_advice(checkout: Path, refused: str, message: str) -> None:
    python = checkout / "a python"
    python.write_text(f'#!/bin/sh\ncase "$*" in *{refused}*) exit 1;; esac\n')
    python.chmod(0o755)
    done = make(checkout, "PYTHON=./a python", ".venv/.created")
    assert done.returncode != 0
    assert message in done.stderr
    assert not (checkout / ".venv" / ".created").exists()


def test_the_full_check_lints_before_it_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    calls = [line for line in script.read_text().splitlines() if line.startswith("make ")]
    assert [call.split()[-1] for call in calls] == ["lint", "test"]
