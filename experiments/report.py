"""All questions in one report: `make report`, or `python -m experiments.report --hands 1M`.

Writes `report.html`, one page that needs no other file, `report.md` with the table of tips and verdicts, and
`verdicts.json`; each question's own files lie beside them in a folder of its name. A killed run goes on from there.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import cardsim
from cardsim.cli.inputs import SEED, Count
from experiments.lab import FORBIDDEN, Finding, Options, Question, Verdict
from experiments.lab.questions import replace_file
from experiments.lab.tables import markdown_table

SECTIONS = {"sixty_six": "Sixty-Six", "zwicken": "Zwicken", "zwicker": "Zwicker", "method": "The method"}
PAGE = Path(__file__).parents[1] / "docs" / "findings.md"
TITLE = "Do the tips hold?"
QUICK_HANDS = 10_000
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: 0.85rem; margin: 1rem 0; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid #ddd; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top }
img { max-width: 100% } h1, h2 { line-height: 1.2 } h2 { margin-top: 3rem; border-bottom: 2px solid #ddd }
code { background: #f3f3f3; padding: 0.1em 0.3em } em { color: #555 }
"""


@dataclass
class Report:
    """Questions answered, in their order."""

    options: Options
    answers: list[tuple[Question, Finding, Options, float]] = field(default_factory=list)

    def markdown(self, picture: str = "{}/picture.png", *, tables: bool = True) -> str:
        """The report: the table of verdicts first, then a chapter a question.

        Args:
            picture: where each question's picture lies, with {} for its id.
            tables: whether the chapters hold their tables.
        """
        command = f"python -m experiments.report {self.options.shown()}"
        lines = [
            f"# {TITLE}",
            "",
            f"cardsim {cardsim.__version__}; {self.options.hands:,} hands a question: `{command}`.",
            "Intervals are 95 % intervals; a verdict asks that all intervals of a tip hold together (Bonferroni).",
            "",
            self.verdict_table(),
            "",
        ]
        for section, title in SECTIONS.items():
            own = [entry for entry in self.answers if entry[0].game == section]
            if own:
                lines += [f"# {title}", ""]
            for question, finding, options, _ in own:
                text = question.markdown(options, finding, picture.format(question.id), tables=tables)
                lines += [text.replace("# ", "## ", 1)]
        return "\n".join(lines)

    def verdict_table(self) -> str:
        """Tips and verdicts as a table of Markdown."""
        import pandas as pd

        rows = [
            (SECTIONS[question.game], question.title, finding.verdict.word, finding.answer)
            for question, finding, _, _ in self.answers
            if finding.verdict
        ]
        return markdown_table(pd.DataFrame(rows, columns=["game", "question", "verdict", "what was found"]))

    def html(self) -> str:
        """The report as one page, pictures inside."""
        from markdown_it import MarkdownIt

        body = MarkdownIt("commonmark", {"html": False}).enable("table").render(self.markdown())
        for question, _, _, _ in self.answers:
            name = f"{question.id}/picture.png"
            picture = base64.b64encode((self.options.folder / name).read_bytes()).decode()
            body = body.replace(f'src="{name}"', f'src="data:image/png;base64,{picture}"')
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
            f"<style>{STYLE}</style></head><body>\n{body}\n</body></html>\n"
        )

    def facts(self) -> dict[str, Any]:
        """Verdicts as plain data, for the README."""
        return {
            "hands": self.options.hands,
            "seed": self.options.seed,
            "version": cardsim.__version__,
            "questions": [
                {
                    "id": question.id,
                    "game": question.game,
                    "title": question.title,
                    "verdict": finding.verdict.word if finding.verdict else None,
                    "flips": finding.verdict.flips if finding.verdict else None,
                    "settings": _settings(finding.verdict),
                    "answer": finding.answer,
                    "seconds": round(seconds, 1),
                }
                for question, finding, _, seconds in self.answers
            ],
        }

    def write(self) -> None:
        """Write the files; each appears at once and whole."""
        folder = self.options.folder
        replace_file(folder / "report.md", self.markdown())
        replace_file(folder / "report.html", self.html())
        replace_file(folder / "verdicts.json", json.dumps(self.facts(), indent=1, ensure_ascii=False) + "\n")

    def publish(self, page: Path = PAGE) -> None:
        """Write the report as a page of the documentation, without its hundreds of lines of tables.

        Pictures and verdicts go to a folder of the page's name.
        """
        folder = page.with_suffix("")
        folder.mkdir(exist_ok=True)
        for question, *_ in self.answers:
            shutil.copyfile(self.options.folder / question.id / "picture.png", folder / f"{question.id}.png")
        shutil.copyfile(self.options.folder / "verdicts.json", folder / "verdicts.json")
        replace_file(page, self.markdown(f"{folder.name}/{{}}.png", tables=False))


def _settings(verdict: Verdict | None) -> dict[str, int] | None:
    """In how many settings following the tip pays, costs, or neither is shown."""
    if verdict is None or verdict.word == FORBIDDEN:
        return None
    return {name: len(getattr(verdict, name)) for name in ("pays", "costs", "open")}


def questions() -> list[Question]:
    """All questions, by game in the order of their `__init__`."""
    found = []
    for section in SECTIONS:
        package = import_module(f"experiments.{section}")
        found += [import_module(f"experiments.{section}.{name}").QUESTION for name in package.QUESTIONS]
    return found


def chosen(only: Sequence[str]) -> list[Question]:
    """The questions whose id begins with one of the texts; all if there are none.

    Raises:
        ValueError: a text fits no question.
    """
    known = questions()
    for text in only:
        if not any(question.id.startswith(text) for question in known):
            raise ValueError(f"only {text!r}: no such question; there are {', '.join(q.id for q in known)}")
    return [q for q in known if not only or any(q.id.startswith(text) for text in only)]


def run(options: Options, only: Sequence[str] = (), quiet: bool = False) -> Report:
    """Answer questions one after the other, and write the report."""
    report = Report(options)
    for question in chosen(only):
        began = time.perf_counter()
        own = question.options(**options.__dict__)
        finding = question.answer(own)
        seconds = time.perf_counter() - began
        report.answers.append((question, finding, own, seconds))
        if not quiet:
            word = finding.verdict.word if finding.verdict else "answered"
            click.echo(f"{seconds:7.1f} s  {question.id:32} {word}")
    report.write()
    return report


@click.command(help=re.split(r"\n\n", __doc__ or "")[0])
@click.option("--hands", type=Count(1000), default=1_000_000, show_default=True, help="Hands of each question.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of all deals and draws.")
@click.option("--quick", is_flag=True, help=f"{QUICK_HANDS:,} hands of each question.")
@click.option("--only", multiple=True, metavar="ID", help="Only questions whose id begins so, as zwicken; repeatable.")
@click.option("--out", default="results/report", show_default=True, help="Folder of the report.")
@click.option("--publish", is_flag=True, help="Write docs/findings.md and its pictures, too.")
@click.option("--threads", type=int, default=os.cpu_count() or 1, show_default=True, help="They change no number.")
def main(hands: int, seed: int, quick: bool, only: tuple[str, ...], out: str, publish: bool, threads: int) -> None:
    """Answer the questions (see the module)."""
    try:
        folder = f"{out}/quick" if quick else out
        options = Options(hands=QUICK_HANDS if quick else hands, seed=seed, out=folder, threads=threads)
        began = time.perf_counter()
        report = run(options, only)
        if publish:
            report.publish()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{time.perf_counter() - began:7.1f} s  in all\n\n{report.verdict_table()}\n")
    click.echo(f"Report: {Path(options.out) / 'report.html'}")


if __name__ == "__main__":
    main()
