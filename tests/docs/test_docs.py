"""The documentation says what the code does: tables, output of commands, Python snippets, links, length."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from cardsim.jit import DISABLED
from docs import generate, measured, tables

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + [*(ROOT / "docs").glob("*.md")]
)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
IMPORTED = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)
# Of the extras: a page whose snippets import one of them runs where it is installed.
OPTIONAL = {"open_spiel", "pyspiel", "sb3_contrib", "stable_baselines3", "supersuit", "tensordict", "torch", "torchrl"}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def named(path: Path) -> str:
    """A page's name in test ids."""
    return path.name


GENERATED = generate.pages()


@pytest.mark.parametrize("page", GENERATED, ids=named)
def test_generated_tables_are_those_of_the_code(page: Path) -> None:
    _, diff = generate.differences(page, outputs=False)
    assert not diff, f"run `make docs`\n{diff}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are run by bash")
@pytest.mark.parametrize(
    "page", [page for page in GENERATED if re.search("```console|<!-- measured", page.read_text("utf-8"))], ids=named
)
def test_commands_print_what_the_page_shows(page: Path) -> None:
    _, diff = generate.differences(page)
    assert not diff, f"run `make docs`\n{diff}"


@pytest.mark.skipif(DISABLED, reason="the snippets play thousands of hands")
@pytest.mark.parametrize("page", [page for page in PAGES if PYTHON.search(page.read_text("utf-8"))], ids=named)
def test_python_snippets_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text("utf-8")
    wanted = {name for match in PYTHON.finditer(text) for name in IMPORTED.findall(match[1])}
    for name in sorted(wanted & OPTIONAL):
        pytest.importorskip(name)
    names: dict[str, object] = {"__name__": "__main__"}  # as a script: its kernels are cached under that name
    for match in PYTHON.finditer(text):
        line = text.count("\n", 0, match.start(1))
        source = "\n" * line + match[1]  # so that a traceback shows the line of the page
        exec(compile(source, str(page), "exec"), names)  # noqa: S102


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.*)$",
        CODE.sub(lambda m: m[0].strip("`") if "\n" not in m[0] else "", page.read_text("utf-8")),
        re.MULTILINE,
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_resolve(page: Path) -> None:
    for target in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        if re.match(r"https?:|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), f"{page.name}: {target} leads nowhere"
        assert path.is_relative_to(ROOT), f"{page.name}: {target} leads out of the project"
        if anchor:
            assert anchor in anchors(path), f"{page.name}: {target}: no such heading; there are {sorted(anchors(path))}"


def test_every_page_is_reached_from_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    missing = [
        page.name for page in (ROOT / "docs").glob("*.md") if page.name != "index.md" and f"({page.name})" not in index
    ]
    assert not missing


def test_every_generated_table_is_used_and_known() -> None:
    text = "".join(page.read_text("utf-8") for page in GENERATED)
    for word, known in (("generated", tables.TABLES), ("measured", measured.MEASURED)):
        assert set(re.findall(rf"<!-- {word}: ([\w -]+?) -->", text)) == set(known)


def test_a_stale_table_is_noticed() -> None:
    stale = "a\n<!-- generated: sixty_six actions -->\n\n| old |\n\n<!-- end -->\nb\n"
    fresh = generate.with_tables(stale)
    assert "| old |" not in fresh and "| 39 | claim | claim 66 | S15 |" in fresh
    assert generate.with_tables(fresh) == fresh
    with pytest.raises(ValueError, match="generated part 'nonsense'"):
        generate.with_tables("<!-- generated: nonsense -->\n<!-- end -->")


def test_numbers_of_players_are_listed_shortly() -> None:
    assert [tables.listed(counts) for counts in ([2], [2, 3], [2, 3, 4, 5], [2, 4, 6])] == [
        "2", "2 or 3", "2 to 5", "2 or 4 or 6",
    ]  # fmt: skip


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 230
