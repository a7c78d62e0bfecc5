"""The learning curve: evaluations as agents, in duplicate, as CSV and as a picture."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from cardsim import Game
from cardsim.simulate import simulate


def evaluate(game: Game, agent: str, against: dict[str, str], hands: int, threads: int) -> dict[str, float]:
    """Play an agent against others on the same deals: mean return per hand and its interval, for each.

    Args:
        game: the game.
        agent: its name; it has every other seat, or one where their number is odd.
        against: what to call it -> name of the agent in the other seats.
        hands: per opponent, in duplicate.
        threads: of `simulate`.
    """
    row: dict[str, float] = {}
    for name, other in against.items():
        agents = [agent] + [other] * (1 if game.num_players % 2 == 0 else game.num_players - 1)
        mean = simulate(game, agents, hands, duplicate=True, seed=1_000_003, threads=threads).agent_rows[0]
        row |= {name: mean["mean"], f"{name} low": mean["low"], f"{name} high": mean["high"]}
    return row


def write_curve(folder: Path, curve: list[dict[str, Any]], game: Game) -> None:
    """Write the learning curve as CSV and as a picture."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for row in curve for name in row))
    with (folder / "curve.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(curve)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for ax, over in zip(axes, ("steps", "minutes"), strict=True):
        for name in ("random", "book", "past self"):
            rows = [row for row in curve if name in row]
            ax.plot([row[over] for row in rows], [row[name] for row in rows], label=f"against {name}")
            edges = [[row[f"{name} {edge}"] for row in rows] for edge in ("low", "high")]
            ax.fill_between([row[over] for row in rows], *edges, alpha=0.3)
        ax.axhline(0.0, color="grey", linewidth=0.8)
        ax.set_xlabel("decisions" if over == "steps" else over)
    axes[0].set_ylabel(f"return per hand, in {game.returns_unit}")
    axes[0].legend()
    figure.suptitle(game.name)
    figure.savefig(folder / "curve.png", dpi=120)
