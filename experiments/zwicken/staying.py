"""The tables and opponents of the questions; staying against passing in the same deal, by what the seat may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import cardsim
from cardsim.game import Game
from cardsim.games.zwicken.layout import ACT_PASS, ACT_PLAY, TRICKS
from cardsim.stats import Moments, wilson
from experiments.lab import Choice, Decisions, Effect, Line, Options, Sums, measure, moments
from experiments.lab.measuring import BLOCK
from experiments.lab.verdicts import FEWEST
from experiments.zwicken import hands

Cells = Mapping[str, tuple[Callable[[Decisions], Any], int]]
"""Name of a classification -> function that gives the cell of each decision, -1 for none; number of cells."""
Found = dict[tuple[str, str], dict[str, list[Moments]]]
"""Label of a table, opponents -> the numbers."""
LEAST = FEWEST
"""Cells with fewer samples are left out."""
OPPONENTS = ("random", "book", "ppo")
"""Who sits in the other seats."""
TOO_FEW = "Too few hands were played to answer this."


@dataclass(frozen=True, eq=False)
class Table:
    """A form of the game under a name for readers.

    Attributes:
        label: the name.
        preset, options: of the game.
    """

    label: str
    preset: str = "base"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The game."""
        return cardsim.make_game("zwicken", preset=self.preset, **self.options)


def stay_or_pass(
    options: Options, name: str, game: Game, opponent: str, count: int, cells: Cells, share: float = 1.0
) -> dict[str, list[Moments]]:
    """Play hands that may pass both ways on, `book` in their seat and `opponent` in all others.

    Args:
        options: of the question.
        name: of the saved sums.
        game: Zwicken, one deal an episode; the dealer is drawn, so the seat asked has every place in turn.
        opponent: agent of all others.
        count: hands to play: one a deal to find out who is asked, and two for each that is played both ways.
        cells: classifications, by what the seat may know; hands in no cell of the first one are not played both ways.
        share: part of the deals that are.

    Returns:
        For each classification C: "gain C", chips of staying minus passing; "kept C", the same where `book` chose to
        stay, else 0; "bete C", how often staying was a bete;
        "tricks C" the tricks of staying and "k tricks C" how often there were k of them.
    """
    line = Line(game, ["book"] + [opponent] * (game.num_players - 1))
    classify_first = next(iter(cells.values()))[0]

    def work(first: int, number: int) -> Sums:
        asked = line.decisions(options.seed, first, number, [ACT_PASS])
        asked = asked.where(classify_first(asked) >= 0)
        earned, finals = line.play_out(asked, [Choice(ACT_PLAY), Choice(ACT_PASS)], finals=True)
        seat = asked.seat
        won = hands.tricks(finals[:, 0], seat)
        gain = earned[:, 0] - earned[:, 1]
        stayed = {
            "gain": gain,
            "kept": np.where(asked.action == ACT_PLAY, gain, 0.0),
            "bete": hands.betes(finals[:, 0], seat),
            "tricks": won,
            **{f"{k} tricks": (won == k).astype(float) for k in range(TRICKS + 1)},
        }
        return {
            f"{what} {key}": moments(values, classify(asked), size)
            for key, (classify, size) in cells.items()
            for what, values in stayed.items()
        }

    deals = max(2, int(count / (1 + 2 * share)))
    return measure(options, name, work, deals, main=(f"gain {next(iter(cells))}", 0), block=block_of(deals))


def ask(
    options: Options,
    count: int,
    tables: Mapping[Table, int],
    cells: Cells,
    share: float = 1.0,
) -> Found:
    """Staying against passing at some tables.

    Args:
        options: of the question.
        count: hands to play over all.
        tables: table -> weight: hands of the table in relation to the others.
        cells, share: as for `stay_or_pass`.

    Returns:
        For each label of a table and opponent what `stay_or_pass` returns.
    """
    unit = count // (sum(tables.values()) * len(OPPONENTS))
    return {
        (table.label, opponent): stay_or_pass(
            options, f"{table.label}-{opponent}", table.game, opponent, unit * weight, cells, share
        )
        for table, weight in tables.items()
        for opponent in OPPONENTS
    }


def block_of(deals: int) -> int:
    """Deals at a time, so that small runs have several blocks too."""
    return min(BLOCK, max(50, deals // 16))


def enough(cells: list[Moments]) -> list[Moments]:
    """The cells; those with fewer than LEAST samples become empty."""
    return [cell if cell.n >= LEAST else Moments(cell.scale) for cell in cells]


def opposite(cell: Moments) -> Moments:
    """The same samples with the other sign: what folding earns."""
    return Moments(cell.scale, cell.n, -cell.total, cell.squares)


def effects_of(cells: Iterable[tuple[Mapping[str, str], Moments]], least: int = LEAST) -> list[Effect]:
    """An effect for each setting that has enough samples."""
    return [Effect(setting, cell) for setting, cell in cells if cell.n >= least]


def by_setting(found: Found, name: str) -> list[Effect]:
    """The first cell of a number by table and opponents."""
    return effects_of(({"table": key[0], "opponents": key[1]}, sums[name][0]) for key, sums in found.items())


def chances(effects: Sequence[Effect]) -> pd.DataFrame:
    """A row per effect whose samples are 0 or 1, with Wilson's interval, which is right for rare cases too."""
    rows = []
    for effect in effects:
        times = effect.moments.total // effect.moments.scale
        low, high = wilson(times, effect.moments.n)
        rows.append({**effect.setting, "chance": effect.mean, "low": low, "high": high, "n": effect.moments.n})
    return pd.DataFrame(rows)


def folding(found: Found, name: str, sequential: bool) -> list[Effect]:
    """What folding earns by table and opponents, from the first cell of a value of staying."""
    return [
        Effect({"table": key[0], "opponents": key[1]}, opposite(sums[name][0]), sequential)
        for key, sums in found.items()
    ]


def legend(axes: Any, **options: Any) -> None:
    """A legend, where anything was drawn."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, **options)
