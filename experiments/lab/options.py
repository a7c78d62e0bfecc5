"""The options of every question, from its command line."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from cardsim.cli.inputs import SEED, Count
from experiments.options import flags, option

Form = TypeVar("Form")
LEAST_SHARE = 30
"""Hands that a setting gets of even the smallest question."""


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
        """What changes the numbers, as options of a command line; hands and seed always, others where they differ."""
        kept = [entry for entry in fields(self) if entry.name not in ("out", "threads")]
        values = {entry.name: getattr(self, entry.name) for entry in kept}
        default = {entry.name: entry.default for entry in kept if entry.name not in ("hands", "seed")}
        named = {name: value for name, value in values.items() if name not in default or value != default[name]}
        return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in named.items())

    def other_deals(self, label: str) -> int:
        """A seed whose deals are others than those of `seed`: of its own for every label."""
        digest = hashlib.sha256(f"{self.seed} {label}".encode()).digest()
        return int.from_bytes(digest[:8], "little")


def share_out(
    hands: int, forms: Sequence[Form], opponents: Mapping[str, float], least: int = LEAST_SHARE
) -> dict[tuple[Form, str], int]:
    """The hands of a question, dealt out to forms of a game and opponents by the opponents' weights.

    Args:
        hands: in all.
        forms: each gets the same.
        opponents: name -> weight.
        least: what a form and opponent get, however few there are in all.
    """
    total = len(forms) * sum(opponents.values())
    return {
        (form, opponent): max(least, int(hands * weight / total))
        for form in forms
        for opponent, weight in opponents.items()
    }


def command(kind: type[Options], run: Callable[[Options], Any], text: str) -> click.Command:
    """A command with an option for each field of `kind`, which makes the options and calls `run`."""

    @click.command(help=text)
    @flags(kind, hands=Count(1000), seed=SEED)
    def called(**named: Any) -> None:
        try:
            run(kind(**named))
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    return called
