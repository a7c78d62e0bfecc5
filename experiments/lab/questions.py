"""A question and its finding: run, written to a folder, shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cardsim
from experiments.lab import plots
from experiments.lab.comparing import Effect, frame
from experiments.lab.options import Options, command
from experiments.lab.tables import markdown_table
from experiments.lab.verdicts import Verdict

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Finding:
    """What came of a question.

    Attributes:
        answer: one or two sentences that a player understands, with the numbers that matter.
        unit: of the effects, such as "chips per deal".
        effects: following the tip minus not following it, per setting; none where the question is no tip.
        verdict: what follows from them, or None where the question is no tip.
        draw: draws the picture on a matplotlib figure.
        caption: one sentence on how to read the picture: axes, units, intervals.
        tables: further tables, title -> frame; means with low, high (95 %) and n.
        notes: how it was measured: opponents, what was left out, what else the numbers show.
        size: of the picture, in inches.
    """

    answer: str
    unit: str
    draw: plots.Draw
    caption: str
    effects: Sequence[Effect] = ()
    verdict: Verdict | None = None
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    notes: Sequence[str] = ()
    size: tuple[float, float] = (8.0, 4.5)

    def frames(self) -> dict[str, pd.DataFrame]:
        """All tables, the effects first."""
        first = {f"Effect, in {self.unit}": frame(self.effects)} if self.effects else {}
        return {**first, **self.tables}


@dataclass(frozen=True)
class Question:
    """A tip put to the test, or a fact that players ask for.

    Attributes:
        id: module name below `experiments`, such as "zwicken.weak_hands".
        title: the question in a player's words.
        tip: what the source text says, and where; or that it says nothing.
        run: answers it.
        options: what it takes.
    """

    id: str
    title: str
    tip: str
    run: Callable[[Any], Finding]
    options: type[Options] = Options

    @property
    def game(self) -> str:
        """The game's id."""
        return self.id.partition(".")[0]

    def command(self, options: Options) -> str:
        """The command that gives the same numbers again."""
        return f"python -m experiments.{self.id} {options.shown()}"

    def answer(self, options: Options) -> Finding:
        """Run the question and write its files to `options.out`/id: answer.md, answer.json, picture.png, tables.

        A killed run goes on from what it has saved there.

        Raises:
            ValueError: pyarrow is not installed; nothing has been played yet then.
        """
        if find_spec("pyarrow") is None:
            raise ValueError("results are written as Parquet: install cardsim[plot,parquet], or run `make report`")
        own = replace(options, out=str(options.folder / self.id))
        finding = self.run(own)
        plots.save(finding.draw, own.folder / "picture.png", finding.size)
        for title, table in finding.frames().items():
            table.to_parquet(own.folder / f"{_slug(title)}.parquet", index=False)
        self._write(own, finding)
        return finding

    def _write(self, options: Options, finding: Finding) -> None:
        facts = {
            "id": self.id,
            "title": self.title,
            "verdict": finding.verdict.word if finding.verdict else None,
            "flips": finding.verdict.flips if finding.verdict else None,
            "answer": finding.answer,
            "command": self.command(options),
            "version": cardsim.__version__,
        }
        replace_file(options.folder / "answer.json", json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
        replace_file(options.folder / "answer.md", self.markdown(options, finding))

    def markdown(self, options: Options, finding: Finding, picture: str = "picture.png", *, tables: bool = True) -> str:
        """The finding as Markdown, with or without its tables."""
        lines = [f"# {self.title}", "", f"*{self.tip}*", ""]
        if finding.verdict:
            lines += [f"**Verdict: {finding.verdict.word}.** Flips: {finding.verdict.flips}.", ""]
        lines += [finding.answer, "", f"![{finding.caption}]({picture})", "", finding.caption, ""]
        for title, table in finding.frames().items() if tables else ():
            lines += [f"**{title}**", "", markdown_table(table), ""]
        lines += [f"* {note}" for note in finding.notes]
        lines += ["", f"cardsim {cardsim.__version__}, 95 % intervals: `{self.command(options)}`", ""]
        return "\n".join(lines)

    def main(self) -> None:
        """The question as a command."""

        def run(options: Options) -> None:
            finding = self.answer(options)
            print(self.markdown(options, finding, str(options.folder / self.id / "picture.png")))

        command(self.options, run, f"{self.title}\n\n{self.tip}")()


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def replace_file(path: Path, text: str) -> None:
    """Write a text file; it appears at once and whole."""
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
