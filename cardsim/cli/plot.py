"""A picture of results: mean return with its interval, per agent and seat. Needs the extra `plot`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardsim.cli.tables import decimals, episode

if TYPE_CHECKING:
    from cardsim.simulate import Results

SUFFIXES = (".png", ".svg", ".pdf")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Of Okabe and Ito, told apart by the colour-blind too."""
INK, GRID = "#333333", "#DDDDDD"


def check_plot(file: str) -> None:
    """Refuse a picture that could not be saved, before hours of play.

    Raises:
        ValueError: another kind of file, or it cannot be written there.
        ModuleNotFoundError: matplotlib is missing.
    """
    import matplotlib  # noqa: F401

    path = Path(file)
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"plot {file}: must end in {', '.join(SUFFIXES)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"plot {file}: cannot be written ({error.strerror or error})") from None
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"plot {file}: cannot be written")


def save_plot(runs: Sequence[Results], file: str) -> None:
    """Draw one panel per run, and save it.

    Args:
        runs: at least one.
        file: ends in .png, .svg or .pdf.
    """
    from matplotlib.figure import Figure

    heights = [1.3 + 0.34 * len(_rows(results)) for results in runs]
    figure = Figure(figsize=(9, sum(heights) + 0.3), dpi=150, layout="constrained")
    panels = figure.subplots(len(runs), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, results in zip(panels, runs, strict=True):
        _draw(axes, results)
    figure.savefig(file)


def _rows(results: Results) -> list[tuple[str, dict[str, Any], int, bool]]:
    """Label, numbers, number of the agent, and whether it is the row over all seats; from top to bottom."""
    rows = []
    for number, agent in enumerate(results.agent_rows):
        rows.append((_short(agent["agent"]), agent, number, True))
        for seat in results.seat_rows:
            if seat["agent"] == agent["agent"] and seat["n"]:
                rows.append((f"seat {seat['seat']}", seat, number, False))
    return rows


def _short(name: str, most: int = 34) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."


def _draw(axes: Any, results: Results) -> None:
    rows = _rows(results)
    places = decimals(row["stderr"] for _, row, _, _ in rows)
    for height, (_, row, number, whole) in enumerate(rows):
        colour = COLOURS[number % len(COLOURS)]
        axes.barh(height, row["mean"], height=0.62 if whole else 0.42, color=colour, alpha=0.85 if whole else 0.4)
        half = [[row["mean"] - row["low"]], [row["high"] - row["mean"]]]
        axes.errorbar(row["mean"], height, xerr=half, fmt="none", ecolor=INK, capsize=5, elinewidth=1.4, capthick=1.4)
        text = f"{row['mean']:+.{places}f}  [{row['low']:+.{places}f}, {row['high']:+.{places}f}]"
        axes.annotate(
            text,
            (1.01, height),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=8.5,
            color=INK,
            weight="bold" if whole else "normal",
            annotation_clip=False,
        )
    axes.set_yticks(range(len(rows)), [label for label, _, _, _ in rows])
    for label, (_, _, number, whole) in zip(axes.get_yticklabels(), rows, strict=True):
        label.set(color=COLOURS[number % len(COLOURS)], weight="bold" if whole else "normal")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.margins(x=0.12)
    axes.locator_params(axis="x", nbins=7)
    axes.grid(axis="x", color=GRID)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_ylabel("Agent and seat", color=INK)
    percent = f"{100 * results.plan.confidence:g} %"
    axes.set_xlabel(f"Mean return per {episode(results)} ({results.unit}) with {percent} interval")
    duplicate = ", duplicate deals" if results.duplicate else ""
    axes.set_title(
        f"{results.plan.game.name}: {results.hands:,} hands{duplicate}, seed {results.seed}",
        loc="left",
        fontsize=11,
        weight="bold",
        color=INK,
    )
