"""Pictures of the experiments, all in one style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardsim.cli.plot import COLOURS, GRID, INK
from experiments.lab.comparing import Effect

Draw = Callable[[Any], None]
"""Draws on a matplotlib figure."""


def save(draw: Draw, path: Path, size: tuple[float, float] = (8.0, 4.5)) -> None:
    """Draw a figure and save it as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, dpi=130, layout="constrained")
    draw(figure)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def tidy(axes: Any, title: str = "", x: str = "", y: str = "") -> None:
    """Title, labels, grid and frame of a panel."""
    axes.set_title(title, loc="left", fontsize=10.5, weight="bold", color=INK)
    axes.set_xlabel(x, color=INK)
    axes.set_ylabel(y, color=INK)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0)


def forest(axes: Any, effects: Sequence[Effect], x: str, title: str = "") -> None:
    """A dot with its 95 % interval per effect, top to bottom in their order; colour by whether it is above 0."""
    for height, effect in enumerate(effects):
        low, high = effect.interval()
        colour = COLOURS[2] if low > 0 else COLOURS[1] if high < 0 else "#777777"
        spread = [[effect.mean - low], [high - effect.mean]]
        axes.errorbar(effect.mean, height, xerr=spread, fmt="o", color=colour, capsize=4, markersize=5)
    axes.set_yticks(range(len(effects)), [effect.name for effect in effects])
    axes.set_ylim(len(effects) - 0.5, -0.5)
    axes.axvline(0, color=INK, linewidth=0.9)
    tidy(axes, title, x)


def curve(axes: Any, x: Any, effects: Sequence[Effect], label: str, number: int = 0) -> None:
    """A line through effects, with their 95 % intervals as a band."""
    edges = np.array([effect.interval() for effect in effects])
    colour = COLOURS[number % len(COLOURS)]
    axes.plot(x, [effect.mean for effect in effects], marker="o", markersize=4, color=colour, label=label)
    axes.fill_between(x, edges[:, 0], edges[:, 1], color=colour, alpha=0.25, linewidth=0)


def heat(axes: Any, values: Any, rows: Sequence[str], columns: Sequence[str], unit: str, title: str = "") -> None:
    """A table of means in colours around 0, with the numbers written in; nan cells stay empty."""
    values = np.asarray(values, float)
    top = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 1.0
    image = axes.imshow(values, cmap="RdBu", vmin=-top, vmax=top, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = "white" if abs(value) > 0.6 * top else INK
            axes.text(j, i, f"{value:+.2f}", ha="center", va="center", fontsize=8, color=colour)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_title(title, loc="left", fontsize=10.5, weight="bold", color=INK)
    axes.tick_params(length=0)
    axes.figure.colorbar(image, ax=axes, label=unit)
