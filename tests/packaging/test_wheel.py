"""The wheel holds the three packages and nothing else, and its entry points lead somewhere."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from configparser import ConfigParser
from email.message import Message
from email.parser import Parser
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from cardsim import registry

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"cardsim", "cardsim_envs", "cardsim_agents"}


def build(source: Path, target: str, folder: Path) -> Path:
    """Build `target` ("wheel" or "sdist") of the project at `source` into `folder`, without the network."""
    command: Sequence[str] = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    done = subprocess.run(command, check=False, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def read_info(wheel: Path, name: str) -> str:
    """Return the text of file `name` in the wheel's dist-info folder."""
    with zipfile.ZipFile(wheel) as archive:
        (found,) = [item for item in archive.namelist() if item.endswith(f".dist-info/{name}")]
        return archive.read(found).decode("utf-8")


def test_top_level_is_the_three_packages(names: list[str], project: dict[str, Any]) -> None:
    info = f"cardsim-{project['version']}.dist-info"
    assert {name.split("/")[0] for name in names} == PACKAGES | {info}


def test_every_package_is_typed_and_complete(names: list[str]) -> None:
    for package in PACKAGES:
        assert {f"{package}/__init__.py", f"{package}/py.typed"} <= set(names)
    folders = {"cardsim": ROOT, "cardsim_envs": ROOT / "envs", "cardsim_agents": ROOT / "agents"}
    sources = {
        path.relative_to(folder).as_posix()
        for package, folder in folders.items()
        for path in (folder / package).rglob("*.py")
    }
    assert {name for name in names if name.endswith(".py")} == sources


def test_no_compiled_kernel_is_shipped(names: list[str]) -> None:
    assert [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc", ".pyc"))] == []


def test_entry_points_are_those_of_the_project(wheel: Path, project: dict[str, Any]) -> None:
    parser = ConfigParser()
    parser.read_string(read_info(wheel, "entry_points.txt"))
    written = {section: dict(parser[section]) for section in parser.sections()}
    assert written == {"console_scripts": project["scripts"], **project["entry-points"]}
    assert written["console_scripts"] == {"cardsim": "cardsim.cli:main"}


def test_every_entry_point_leads_to_an_object(project: dict[str, Any]) -> None:
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    for group, points in groups.items():
        for name, value in points.items():
            assert EntryPoint(name, value, group).load() is not None, f"{group}: {name} = {value}"


def test_every_game_folder_has_an_entry_point(project: dict[str, Any]) -> None:
    folders = {path.parent.name for path in (ROOT / "cardsim" / "games").glob("*/game.py")}
    assert folders
    wanted = {name: f"cardsim.games.{name}.game:GAME" for name in sorted(folders)}
    assert project["entry-points"]["cardsim.games"] == wanted == registry.BUILT_IN
    assert project["entry-points"]["cardsim.agents"] == registry.BUILT_IN_AGENTS
    assert project["entry-points"]["cardsim.warmup"] == registry.BUILT_IN_WARMUP


def test_a_plain_install_brings_what_the_command_needs(wheel: Path) -> None:
    metadata: Message = Parser().parsestr(read_info(wheel, "METADATA"))
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    plain = {line.split(">")[0].split("<")[0].strip() for line in needed}
    assert plain == {
        "numpy", "numba", "scipy", "pandas", "click", "rich", "pettingzoo", "gymnasium", "pillow",
    }  # fmt: skip
    assert metadata["Requires-Python"] == ">=3.11"
    assert set(metadata.get_all("Provides-Extra", [])) == {"plot", "parquet", "cluster", "learn", "notebooks", "dev"}
    assert "Copyright" in read_info(wheel, "licenses/LICENSE")


def test_the_wheel_built_from_the_sdist_is_the_same(names: list[str], tmp_path: Path) -> None:
    sdist = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    assert {"Makefile", "README.md", "CHANGELOG.md", "tests"} <= {path.name for path in source.iterdir()}
    with zipfile.ZipFile(build(source, "wheel", tmp_path / "wheel")) as archive:
        assert sorted(archive.namelist()) == sorted(names)
