"""Measure everything, side by side, and print a table: the command behind `make bench`."""

from __future__ import annotations

import importlib
import itertools
import json
import os
import platform
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

if not __package__:  # run by its path: look for packages in the checkout, not in this folder
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks.games import SUBJECTS, Subject
from benchmarks.rows import FULL, QUICK, Budget, Row, figure

TOPICS = ("core", "growth", "threads", "tables", "aec", "vector", "agents", "training", "startup", "memory")
RESULTS = Path(__file__).with_name("results.json")
WIDTH = 110
"""Columns where the output is not a terminal."""
COLOURS = {"yes": "green", "NO": "bold red", "open": "yellow"}
PACKAGES = ("cardsim", "numpy", "numba", "llvmlite", "pettingzoo")


def processor() -> str:
    """Model of the processor, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """What the figures depend on besides the code."""
    return {
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


def machine_line(facts: dict[str, Any]) -> str:
    """The same in a line."""
    load = "unknown" if facts["load"] is None else facts["load"]
    packages = ", ".join(f"{name} {facts[name]}" for name in ("python", *PACKAGES))
    return f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, load {load} before; {packages}"


def measured(topic: str, subject: Subject, budget: Budget) -> list[Row]:
    """The rows of one topic for one game."""
    rows: list[Row] = importlib.import_module(f"benchmarks.{topic}").measure(subject, budget)
    return [replace(row, game=subject.game) for row in rows]


def show(title: str, rows: list[Row]) -> None:
    """Print the table of one topic and game, and its notes."""
    from rich.console import Console
    from rich.text import Text

    from cardsim.cli.tables import add, plain_table

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    table = plain_table("What", "Figure", "Unit", "Ratio", "Aim", "Met", title=title, right=(1, 3))
    for r in rows:
        ratio = "" if r.ratio is None else f"{r.ratio:.2f}"
        met = "" if not r.aim else {True: "yes", False: "NO", None: "open"}[r.met]
        add(table, [r.name, figure(r.value), r.unit, ratio, r.aim, Text(met, COLOURS.get(met, ""))])
    console.print(table)
    for r in rows:
        if r.note:
            console.print(Text(f"{r.name.strip()}: {r.note}", "dim"))
    console.print()


@click.command(
    epilog="""\b
Examples:
  python -m benchmarks.run --quick
  python -m benchmarks.run --only core --only tables --game sixty_six"""
)
@click.option("--quick", is_flag=True, help="Short rounds and a short long run; about five minutes.")
@click.option("--only", multiple=True, type=click.Choice(TOPICS), help="This topic alone; may be repeated.")
@click.option("--game", "games", multiple=True, type=click.Choice(list(SUBJECTS)), help="This game alone; likewise.")
@click.option(
    "--json",
    "file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the results here. A full run without this option writes benchmarks/results.json.",
)
def main(quick: bool, only: tuple[str, ...], games: tuple[str, ...], file: Path | None) -> None:
    """Measure speed and memory against yardsticks; ratios come from sides that take turns in one process.

    Aims that are missed are marked NO; "open" means that the machine was too busy to tell.
    """
    topics = tuple(name for name in TOPICS if name in only) or TOPICS
    subjects = [subject for name, subject in SUBJECTS.items() if name in games or not games]
    facts = machine_line(machine())
    chosen = [*(f"--only {name}" for name in only), *(f"--game {name}" for name in games)]
    command = " ".join(["python -m benchmarks.run", *["--quick"] * quick, *chosen])
    click.echo(f"{facts}\n{command}\n")
    results: list[Row] = []
    for topic, subject in itertools.product(topics, subjects):
        title = f"{topic}, {subject.game}"
        click.echo(f"measuring {title} ...", err=True)
        rows = measured(topic, subject, QUICK if quick else FULL)
        if rows:
            show(title, rows)
        results += rows
    missed = [f"{row.game}: {row.name.strip()}" for row in results if row.met is False]
    click.echo(f"aims missed: {'; '.join(missed) or 'none'}")
    if file is None and not quick and not chosen:
        file = RESULTS
    if file is not None:
        content = {
            "machine": facts,
            "command": command,
            "rows": [row.plain() for row in results],
            "notes": {f"{row.game}: {row.name}": row.note for row in results if row.note},
        }
        file.write_text(json.dumps(content, indent=1) + "\n")
        click.echo(f"written to {file.name}")


if __name__ == "__main__":
    main()
