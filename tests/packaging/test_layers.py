"""Imports run one way: the contracts in pyproject.toml hold, and would notice an import that points up."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUN = "from importlinter.cli import lint_imports_command as run; run()"


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the import contracts of the packages that lie in `folder`, in a process of its own."""
    setup = f"import sys; sys.path[:0] = {[str(folder), str(folder / 'envs'), str(folder / 'agents')]!r}; "
    command = [sys.executable, "-c", setup + RUN, "--no-cache", "--no-logo"]
    return subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)


def copy_of_the_sources(folder: Path) -> Path:
    """Copy the packages and pyproject.toml to `folder`, to break them there."""
    for name in ("cardsim", "envs", "agents"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_contracts_are_kept() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_an_import_of_the_agents_by_the_core_is_reported(tmp_path: Path) -> None:
    folder = copy_of_the_sources(tmp_path)
    with (folder / "cardsim" / "cards.py").open("a", encoding="utf-8") as file:
        file.write("\nimport cardsim_agents  # noqa\n")
    done = lint_imports(folder)
    assert done.returncode == 1
    assert "cardsim.cards -> cardsim_agents" in done.stdout


def test_an_import_that_points_up_inside_the_core_is_reported(tmp_path: Path) -> None:
    folder = copy_of_the_sources(tmp_path)
    with (folder / "cardsim" / "cards.py").open("a", encoding="utf-8") as file:
        file.write("\ndef late() -> None:\n    import cardsim.registry  # noqa\n")
    done = lint_imports(folder)
    assert done.returncode == 1
    assert "cardsim.cards -> cardsim.registry" in done.stdout


def test_a_game_that_imports_another_is_reported(tmp_path: Path) -> None:
    folder = copy_of_the_sources(tmp_path)
    other = folder / "cardsim" / "games" / "other"
    shutil.copytree(folder / "cardsim" / "games" / "sixty_six", other)
    for path in other.glob("*.py"):
        path.write_text("")
    (other / "game.py").write_text("import cardsim.games.sixty_six.rules\n")
    done = lint_imports(folder)
    assert done.returncode == 1
    assert "cardsim.games.other.game -> cardsim.games.sixty_six.rules" in done.stdout
