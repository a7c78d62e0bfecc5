"""The learning curve: evaluations as agents, in duplicate, as CSV and as a picture."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from cardsim import Game
from cardsim.simulate import simulate

EDGES = ("", " low", " high")
"""A number and its interval, as columns are named."""


def evaluate(game: Game, agent: str, against: dict[str, str], hands: int, threads: int) -> dict[str, float]:
    """Play an agent against others on the same deals.

    Args:
        game: the game.
        agent: its name; it has every other seat, or one where their number is odd.
        against: what to call it -> name of the agent in the other seats.
        hands: per opponent, in duplicate.
        threads: of `simulate`.

    Returns:
        For each opponent the agent's mean return per hand, and by how much it is more than the opponent's, which is
        what counts where chips stay on the table; both with their intervals.
    """
    row: dict[str, float] = {}
    for name, other in against.items():
        agents = [agent] + [other] * (1 if game.num_players % 2 == 0 else game.num_players - 1)
        found = simulate(game, agents, hands, duplicate=True, seed=1_000_003, threads=threads)
        for title, of in ((name, found.agent_rows[0]), (f"more than {name}", found.pair_rows[0])):
            row |= {title + edge: of[key] for edge, key in zip(EDGES, ("mean", "low", "high"), strict=True)}
    return row


def lead(row: dict[str, Any], name: str) -> list[float]:
    """By how much the return is more than an opponent's, and its interval, out of a row of the curve."""
    return [row[f"more than {name}{edge}"] for edge in EDGES]


def write_curve(folder: Path, curve: list[dict[str, Any]], game: Game) -> None:
    """Write the learning curve as CSV and as a picture."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for row in curve for name in row))
    with (folder / "curve.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(curve)
    # A panel per opponent: next to what is won of chance, what is won of a good player would be a flat line.
    present = [name for name in ("book", "random", "past self") if any(name in row for row in curve)]
    figure = Figure(figsize=(8, 1 + 2.2 * len(present)), layout="constrained")
    axes = figure.subplots(len(present), 2, sharex="col", sharey="row", squeeze=False)
    for name, panels in zip(present, axes, strict=True):
        rows = [row for row in curve if name in row]
        middle, low, high = np.array([lead(row, name) for row in rows]).T
        for ax, over in zip(panels, ("steps", "minutes"), strict=True):
            ax.plot([row[over] for row in rows], middle)
            ax.fill_between([row[over] for row in rows], low, high, alpha=0.3)
            ax.axhline(0.0, color="grey", linewidth=0.8)
        panels[0].set_title(f"more than {name}", loc="left", fontsize=10)
    axes[-1][0].set_xlabel("decisions learnt from")
    axes[-1][1].set_xlabel("minutes")
    figure.supylabel(f"{game.returns_unit} per hand", fontsize=10)
    figure.suptitle(game.name)
    figure.savefig(folder / "curve.png", dpi=120)
