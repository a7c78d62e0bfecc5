"""The disk cache of compiled code: never stale, never in the way, and what it needs of numba is there.

Each test runs new processes on copies of the packages. Most deal hands of `pilegame`, which compiles in
seconds; one plays Sixty-Six and edits the value of a card.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.running import cache_files, copy_packages, edit, run

PLAY = """
import json
import cardsim
from cardsim import jit
from cardsim.game import _deal_episode as loop
from pilegame import GAME

game, states = GAME.make(), None
totals = []
for number in range(20):
    states = game.deal(1, number, states)
    totals.append([int(states["dealer"][0]), *states["hand"][0].tolist()])
compiled = not jit.DISABLED
print(json.dumps({
    "home": cardsim.__path__[0],
    "totals": totals,
    "hits": sum(loop.stats.cache_hits.values()) if compiled else 0,
    "misses": sum(loop.stats.cache_misses.values()) if compiled else 0,
    "folder": next(iter(jit.cache_folders()), None),
}))
"""
"""Deals 20 hands; tells the cards, and whether the loop came from the cache."""


def play(site: Path, code: str = PLAY, **settings: Any) -> dict[str, Any]:
    """Run it on the packages in `site`; no warning may appear unless the caller passes other flags."""
    settings.setdefault("flags", ["-W", "error"])
    done = run(code, path=[site], **settings)
    result: dict[str, Any] = json.loads(done.stdout)
    assert Path(result["home"]).parent == site
    result["warnings"] = [line for line in done.stderr.splitlines() if "Warning" in line]
    return result


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return copy_packages(tmp_path / "site", "cardsim", "pilegame")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A copy that has played once, and what that gave; not to be changed."""
    site = copy_packages(tmp_path_factory.mktemp("played") / "site", "cardsim", "pilegame")
    first = play(site)
    assert first["misses"] == 1
    assert first["hits"] == 0
    return site, first


@pytest.fixture
def warm(played: tuple[Path, dict[str, Any]], tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """The same in a place of its own, its cache filled there by a first run."""
    site = tmp_path / "site"
    shutil.copytree(played[0], site, ignore=shutil.ignore_patterns("__pycache__"))
    return site, play(site)


def assert_hit(result: dict[str, Any]) -> None:
    assert (result["hits"], result["misses"]) == (1, 0)


def assert_compiled(result: dict[str, Any]) -> None:
    assert (result["hits"], result["misses"]) == (0, 1)


def test_a_second_process_compiles_nothing(played: tuple[Path, dict[str, Any]]) -> None:
    site, first = played
    again = play(site)
    assert_hit(again)
    assert again["totals"] == first["totals"]
    assert Path(again["folder"]) == site / "cardsim" / "__pycache__"


@pytest.mark.slow
def test_an_edit_of_a_callee_in_another_file_is_seen(warm: tuple[Path, dict[str, Any]]) -> None:
    """numba looks only at the file that holds the loop, and runs stale code (numba#1833)."""
    site, first = warm
    edit(site / "cardsim" / "philox.py", "WEYL = 0x9E3779B9,", "WEYL = 0x9E3779BB,")
    edited = play(site)
    assert_compiled(edited)
    assert edited["totals"] != first["totals"]
    assert edited["totals"] == play(site, NUMBA_DISABLE_JIT="1")["totals"]
    again = play(site)
    assert_hit(again)
    assert again["totals"] == edited["totals"]
    edit(site / "cardsim" / "philox.py", "WEYL = 0x9E3779BB,", "WEYL = 0x9E3779B9,")
    assert play(site)["totals"] == first["totals"]


@pytest.mark.slow
def test_contents_count_and_times_do_not(warm: tuple[Path, dict[str, Any]]) -> None:
    site, first = warm
    for file in site.rglob("*.py"):
        os.utime(file, (1, 1))
    assert_hit(play(site))
    for file in site.rglob("*.py"):
        os.utime(file)
    assert_hit(play(site))
    with (site / "cardsim" / "cards.py").open("a", encoding="utf-8") as cards:
        cards.write("# a comment\n")
    assert_compiled(play(site))
    (site / "cardsim" / "notes.txt").write_text("no source", encoding="utf-8")
    again = play(site)
    assert_hit(again)
    assert again["totals"] == first["totals"]
    (site / "cardsim" / "brand_new.py").write_text("", encoding="utf-8")
    assert_compiled(play(site))


@pytest.mark.slow
def test_flags_of_numba_keep_entries_of_their_own(warm: tuple[Path, dict[str, Any]]) -> None:
    site, first = warm
    checked = play(site, NUMBA_BOUNDSCHECK="1")
    assert_compiled(checked)
    assert checked["totals"] == first["totals"]
    assert_hit(play(site))
    assert_hit(play(site, NUMBA_BOUNDSCHECK="1"))


@pytest.mark.slow
def test_an_edit_of_the_game_s_package_is_seen(warm: tuple[Path, dict[str, Any]]) -> None:
    """The loop lies in cardsim, the game's kernels that were compiled into it do not."""
    site, first = warm
    edit(site / "pilegame" / "values.py", "HAND = 2", "HAND = 3")
    edited = play(site)
    assert_compiled(edited)
    assert {card.bit_count() for hand in first["totals"] for card in hand[1:3]} == {2}
    assert {card.bit_count() for hand in edited["totals"] for card in hand[1:3]} == {3}
    assert_hit(play(site))


BOTS = """
from cardsim.bits import lowest, popcount, select
from cardsim.families import AgentFamily, AgentKind
from cardsim.jit import kernel
from cardsim.options import Option, OptionTable


@kernel
def act(agent, state, legal, stream):
    return lowest(legal)


PARAMETERS = OptionTable([Option("nothing", 0, "B1", "none")])
FAMILY = AgentFamily("pile", act, PARAMETERS, {"bot": AgentKind(0, {}, "one")})
"""


SEATED = """
import json
import numpy as np
import cardsim
from cardsim import rng
from cardsim.playout import play_range
from pilebots import FAMILY
from pilegame import GAME

game = GAME.make()
agents = np.zeros(2, FAMILY.dtype)
values, hands, seats = np.zeros((20, 8)), np.zeros((20, 2), np.int32), np.zeros((20, 2, 1), np.int32)
plan, fault = np.array([1, 0, 20, 1], np.uint64), np.zeros(5, np.int64)
states, streams, addresses = game.new_states(), rng.new_streams(3), np.zeros(2, np.uint64)
play_range(states, streams, agents, addresses, plan, values, hands, seats, fault)
print(json.dumps({
    "home": cardsim.__path__[0],
    "totals": [seats.tolist(), values.tolist()],
    "hits": sum(play_range.stats.cache_hits.values()),
    "misses": sum(play_range.stats.cache_misses.values()),
    "game": sum(cardsim.game._deal_episode.stats.cache_misses.values()) if game.deal(1, 2) is not None else 0,
}))
"""


@pytest.mark.slow
def test_an_edit_of_the_agents_package_is_seen(site: Path) -> None:
    """A third package: it compiles the loop with its agents again, and nothing that goes without them."""
    (site / "pilebots").mkdir()
    (site / "pilebots" / "__init__.py").write_text(BOTS, encoding="utf-8")
    first = play(site, SEATED)
    assert_compiled(first)
    assert first["game"] == 1
    assert_hit(play(site, SEATED))
    edit(site / "pilebots" / "__init__.py", "return lowest(legal)", "return select(legal, popcount(legal) - 1)")
    edited = play(site, SEATED)
    assert_compiled(edited)
    assert edited["totals"] != first["totals"]
    assert edited["game"] == 0
    assert_hit(play(site, SEATED))


SIXTY_SIX = """
import json
import numpy as np
import cardsim
from cardsim import rng
from cardsim.playout import play_random
from cardsim.registry import make_game

totals = np.zeros(4, np.int64)
play_random(make_game("sixty_six").new_states(), rng.new_streams(3), np.uint64(1), np.uint64(0), 200, totals)
print(json.dumps({
    "home": cardsim.__path__[0],
    "totals": totals.tolist(),
    "hits": sum(play_random.stats.cache_hits.values()),
    "misses": sum(play_random.stats.cache_misses.values()),
}))
"""


@pytest.mark.slow
def test_an_edit_of_a_card_s_value_is_seen(tmp_path: Path) -> None:
    site = copy_packages(tmp_path / "site", "cardsim")
    first = play(site, SIXTY_SIX)
    assert_compiled(first)
    layout = site / "cardsim" / "games" / "sixty_six" / "layout.py"
    edit(layout, "RANK_POINTS = (0, 0, 0, 2, 3, 4, 10, 11)", "RANK_POINTS = (0, 0, 0, 2, 3, 4, 10, 31)")
    edited = play(site, SIXTY_SIX)
    assert_compiled(edited)
    assert edited["totals"] != first["totals"]
    again = play(site, SIXTY_SIX)
    assert_hit(again)
    assert again["totals"] == edited["totals"]


# --- folders that cannot be written


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A copy in which nobody may write."""
    if sys.platform != "linux":
        pytest.skip("file permissions are taken from root as Linux does it")
    site = copy_packages(tmp_path / "site", "cardsim", "pilegame")
    everything = [*site.rglob("*"), site]
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    writable = run("import os; print(os.access('.', os.W_OK))", path=[site], powerless=True).stdout
    if "True" in writable:
        pytest.skip("this user may write in folders that are closed to it")
    yield site
    for path in everything:
        path.chmod(0o755)


@pytest.mark.slow
def test_a_read_only_install_without_a_home_compiles_with_one_warning(
    locked: Path, played: tuple[Path, dict[str, Any]]
) -> None:
    # Without HOME the user database names a home, so the cache folder in it is closed as well.
    result = play(locked, flags=[], powerless=True, HOME=None, XDG_CACHE_HOME=str(locked))
    assert result["totals"] == played[1]["totals"]
    assert result["folder"] is None
    assert result["hits"] == 0
    (warning,) = result["warnings"]
    assert "RuntimeWarning: no writable cache folder" in warning
    assert "set NUMBA_CACHE_DIR" in warning
    assert not cache_files(locked)


@pytest.mark.slow
def test_a_read_only_install_uses_the_user_s_cache(
    locked: Path, tmp_path: Path, played: tuple[Path, dict[str, Any]]
) -> None:
    settings: dict[str, Any] = {"powerless": True, "HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": None}
    first, second = play(locked, **settings), play(locked, **settings)
    assert_compiled(first)
    assert_hit(second)
    assert first["totals"] == second["totals"] == played[1]["totals"]
    assert tmp_path / "home" in Path(second["folder"]).parents
    assert not cache_files(locked)


@pytest.mark.slow
def test_a_folder_of_one_s_own_choice(site: Path, tmp_path: Path, played: tuple[Path, dict[str, Any]]) -> None:
    chosen = tmp_path / "chosen"
    first = play(site, NUMBA_CACHE_DIR=str(chosen))
    second = play(site, NUMBA_CACHE_DIR=str(chosen))
    assert_compiled(first)
    assert_hit(second)
    assert first["totals"] == second["totals"] == played[1]["totals"]
    assert chosen in Path(second["folder"]).parents
    assert cache_files(chosen)
    assert not cache_files(site)


FULL = """
from numba.core.caching import Cache, IndexDataCacheFile


def full(*args):
    raise OSError(28, "No space left on device")


IndexDataCacheFile.save = full
"""


@pytest.mark.slow
def test_a_full_disk_is_one_warning_for_each_folder(site: Path, played: tuple[Path, dict[str, Any]]) -> None:
    result = play(site, FULL + PLAY, flags=[])
    assert result["totals"] == played[1]["totals"]
    assert len(result["warnings"]) == len({"cardsim", "pilegame"})
    for warning in result["warnings"]:
        assert "compiled code was not cached" in warning
        assert "No space left on device" in warning


# --- damaged files


@pytest.mark.slow
@pytest.mark.parametrize("keep", [0, 0.5, -1])
@pytest.mark.parametrize("kind", ["nbc", "nbi"])
def test_truncated_files_are_compiled_again(
    kind: str, keep: float, played: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    """A killed process or a full disk may leave them (numba#9348); numba alone fails on them."""
    original, first = played
    site = tmp_path / "site"
    shutil.copytree(original, site, ignore=shutil.ignore_patterns("__pycache__"))
    chosen = str(tmp_path / "cache")
    play(site, NUMBA_CACHE_DIR=chosen)
    files = [file for file in cache_files(tmp_path / "cache") if file.suffix == f".{kind}"]
    assert files
    for file in files:
        data = file.read_bytes()
        file.write_bytes(data[: int(len(data) * keep) if keep >= 0 else len(data) - 1])
    damaged = play(site, flags=[], NUMBA_CACHE_DIR=chosen)
    assert damaged["totals"] == first["totals"]
    assert damaged["hits"] == 0
    assert damaged["warnings"]
    assert all("RuntimeWarning: damaged cache entry in " in warning for warning in damaged["warnings"])
    mended = play(site, NUMBA_CACHE_DIR=chosen)
    assert_hit(mended)
    assert mended["totals"] == first["totals"]
