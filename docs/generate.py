"""Write the generated parts of the documentation anew, from the code: `make docs`.

Three kinds of parts are generated in README.md and docs/*.md:

* what stands between `<!-- generated: NAME -->` and `<!-- end -->`: the tables of tables.py. NAME begins with the
  game's id where the table is about one game: `sixty_six options`;
* what stands between `<!-- measured: NAME -->` and `<!-- end -->`: the tables of measured.py, whose hands are played
  anew;
* the output in ```console blocks: every line that begins with `$ ` is run, in an empty folder per page, and
  what it prints is put below it. Speeds are replaced by dots, since they differ from run to run.

    python docs/generate.py            write what has changed
    python docs/generate.py --check    change nothing; exit code 1 if anything is out of date
    python docs/generate.py --tables   the tables only, not what is measured or the output of commands
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

if not __package__:  # run by its path: look for packages in the checkout, not in this folder
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from docs.measured import MEASURED
from docs.tables import TABLES

ROOT = Path(__file__).resolve().parents[1]
MARKED, PLAYED = (
    re.compile(rf"(<!-- {word}: ([\w -]+?) -->\n).*?(<!-- end -->)", re.DOTALL) for word in ("generated", "measured")
)
CONSOLE = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)
TIMES = (
    (re.compile(r"^\S+: [\d,]+ of [\d,]+ \w+\n", re.MULTILINE), ""),  # progress, where no terminal shows a bar
    (re.compile(r"[\d,]+ hands/s \([\d.]+ s, \d+ workers?\)"), "... hands/s (... s, ... workers)"),
    (re.compile(r'"(seconds|hands_per_second|workers)": [\d.e+-]+'), r'"\1": ...'),
)
WIDTH = 100


def pages() -> list[Path]:
    """README and all pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def with_tables(text: str) -> str:
    """A page's text with its generated tables as the code has them.

    Raises:
        ValueError: a marker names no table.
    """
    return filled(text, MARKED, TABLES)


def filled(text: str, marked: re.Pattern[str], known: Mapping[str, Callable[[], str]]) -> str:
    """A text with its marked parts written anew."""

    def fresh(match: re.Match[str]) -> str:
        if match[2] not in known:
            raise ValueError(f"generated part {match[2]!r}: must be one of {', '.join(known)}")
        return f"{match[1]}\n{known[match[2]]()}\n{match[3]}"

    return marked.sub(fresh, text)


def with_output(text: str) -> str:
    """A page's text with what is measured, and the output of its ```console blocks as the commands print it."""
    text = filled(text, PLAYED, MEASURED)
    with tempfile.TemporaryDirectory() as folder:

        def fresh(match: re.Match[str]) -> str:
            lines = [line for line in match[2].splitlines() if line.startswith("$ ")]
            return match[1] + "".join(f"{line}\n{output(line[2:], folder)}" for line in lines) + match[3]

        return CONSOLE.sub(fresh, text)


def output(command: str, folder: str) -> str:
    """What a shell command prints, with `cardsim` that of this interpreter, and without times."""
    script = f'cardsim() {{ "$PYTHON" -m cardsim "$@"; }}\n{command}\n'
    environment = {**os.environ, "PYTHON": sys.executable, "COLUMNS": str(WIDTH), "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        ["bash", "-c", script], check=False, cwd=folder, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    text = done.stdout
    for pattern, dots in TIMES:
        text = pattern.sub(dots, text)
    lines = [line.rstrip() for line in text.splitlines()]
    return "".join(f"{line}\n" for line in lines).rstrip("\n") + "\n" if any(lines) else ""


def differences(path: Path, outputs: bool = True) -> tuple[str, str]:
    """A page's text as it would be generated, and how the page differs from that (empty: not at all)."""
    kept = path.read_text(encoding="utf-8")
    now = with_tables(kept)
    if outputs:
        now = with_output(now)
    name = str(path.relative_to(ROOT))
    diff = difflib.unified_diff(kept.splitlines(), now.splitlines(), f"{name} (kept)", "now", lineterm="", n=1)
    return now, "\n".join(diff)


def main(arguments: list[str]) -> int:
    """Write or check all pages; the exit code."""
    unknown = [word for word in arguments if word not in ("--check", "--tables")]
    if unknown:
        print(f"{unknown[0]}: must be --check or --tables", file=sys.stderr)
        return 2
    stale = 0
    for path in pages():
        now, diff = differences(path, "--tables" not in arguments)
        if diff and "--check" in arguments:
            print(diff)
            stale = 1
        elif diff:
            path.write_text(now, encoding="utf-8", newline="\n")
            print(f"{path.relative_to(ROOT)}: written")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
