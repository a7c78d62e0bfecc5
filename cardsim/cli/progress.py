"""Progress on stderr: a bar on a terminal, a plain line now and then elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Report = Callable[[int, int | None], None]
LINE_SECONDS = 10.0
"""Between two lines where stderr is not a terminal."""


@contextmanager
def meter(title: str, unit: str, quiet: bool) -> Iterator[Report]:
    """Show how far something is.

    Args:
        title: what is done.
        unit: what is counted, such as `hands`.
        quiet: show nothing.

    Yields:
        report(done, total); total is None where nobody knows it.
    """
    if quiet:
        yield lambda done, total: None
    elif sys.stderr.isatty():
        with _bar(title, unit) as report:
            yield report
    else:
        yield _lines(title, unit)


@contextmanager
def _bar(title: str, unit: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[count]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as progress:
        task = progress.add_task(f"{title} (a first run compiles)", total=None, count="")

        def report(done: int, total: int | None) -> None:
            goal = "" if total is None else f" / {total:,}"
            progress.update(task, description=title, completed=done, total=total, count=f"{done:,}{goal} {unit}")

        yield report


def _lines(title: str, unit: str) -> Report:
    last = time.monotonic()

    def report(done: int, total: int | None) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            goal = "" if total is None else f" of {total:,}"
            click.echo(f"{title}: {done:,}{goal} {unit}", err=True)

    return report
