"""The options of every question, from its command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

import click

from cardsim.cli.inputs import SEED, Count

QUICK_HANDS = 20_000


def option(default: Any, text: str) -> Any:
    """A field of options with its help."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Options:
    """Options of a question; one with numbers of its own subclasses this.

    Attributes:
        hands: hands to play for the question, over all its settings.
        until: half width at which to stop, in the unit of the question's main number; 0: play all hands.
    """

    hands: int = option(1_000_000, "hands to play for the question, over all its settings")
    seed: int = option(1, "of the deals and of all draws")
    until: float = option(0.0, "stop when the main number's interval has this half width; 0: play all hands")
    out: str = option("results/report", "folder of the results; a killed run goes on from there")
    threads: int = option(os.cpu_count() or 1, "threads; they do not change the numbers")

    def __post_init__(self) -> None:
        if self.hands < 1000:
            raise ValueError(f"hands {self.hands}: must be at least 1000")
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed {self.seed}: must be from 0 to 2**64-1")
        if self.until < 0:
            raise ValueError(f"until {self.until:g}: must be at least 0")
        if self.threads < 1:
            raise ValueError(f"threads {self.threads}: must be at least 1")

    @property
    def folder(self) -> Path:
        """The folder `out`."""
        return Path(self.out)

    def shown(self) -> str:
        """What changes the numbers, as options of a command line."""
        kept = {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name not in ("out", "threads")}
        left_out = {"until": 0.0}
        own = {entry.name: entry.default for entry in fields(self) if entry.name not in ("hands", "seed")} | left_out
        return " ".join(
            f"--{name.replace('_', '-')} {value}" for name, value in kept.items() if own.get(name, MISSING) != value
        )


def command(kind: type[Options], run: Callable[[Options], Any], text: str) -> click.Command:
    """A command with an option for each field of `kind`, which makes the options and calls `run`."""

    def called(**named: Any) -> None:
        try:
            run(kind(**named))
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    made = click.Command("question", callback=called, help=text)
    for entry in fields(kind):
        types: dict[str, Any] = {"hands": Count(1000), "seed": SEED}
        made.params.append(
            click.Option(
                [f"--{entry.name.replace('_', '-')}"],
                type=types.get(entry.name, type(entry.default)),
                default=entry.default,
                show_default=True,
                help=entry.metadata["help"],
            )
        )
    return made
