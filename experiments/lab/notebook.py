"""Questions asked in a notebook."""

from __future__ import annotations

from typing import Any

from experiments.lab.questions import Finding, Question


def ask(question: Question, hands: int, seed: int = 1, **own: Any) -> Finding:
    """Run a question, and show its verdict, its answer and its picture below the cell.

    Its files go to `results/notebook` in the folder of the notebook's run.

    Args:
        question: a script's `QUESTION`.
        hands, seed, own: its options.
    """
    from IPython.display import Image, Markdown, display

    options = question.options(hands=hands, seed=seed, out="results/notebook", **own)
    finding = question.answer(options)
    lines = [f"**{question.title}**", f"*{question.tip}*"]
    if finding.verdict:
        lines.append(f"**Verdict: {finding.verdict.word}.**")
    lines += [finding.answer, f"`{question.command(options)}`"]
    display(Markdown("\n\n".join(lines)))
    display(Image(str(options.folder / question.id / "picture.png")))
    display(Markdown(finding.caption))
    return finding
