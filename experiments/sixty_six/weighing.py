"""Two ways to act in the same situation of the same deal, played on to the end and compared, by cells of situations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import cardsim
from cardsim.game import Game
from cardsim.stats import Moments
from experiments.lab import Choice, Decisions, Effect, Line, Options, Sums, measure, moments

if TYPE_CHECKING:
    import pandas as pd

PRESETS = ("base", "schnapsen", "pagat66", "deck32")
OPPONENTS: Mapping[str, float] = {"random": 1.0, "cautious": 1.0, "book": 1.0, "ppo": 0.25}
"""Who sits opposite, and the share of hands: the network takes ten times as long a hand."""
OPPONENTS_NOTE = (
    f"Opponents: {', '.join(f'`{name}`' for name in OPPONENTS)}; the slow ones play fewer hands. Against `random` it "
    "can pay to leave the lead to it, since it claims falsely there (SP37)."
)
POOL_NOTE = "Numbers of the base game that name no opponent are those against all of them but `random`."
MOST = 24
"""Decisions of a kind that are looked at in a deal; more than there are tricks with a choice."""
HANDS_A_DEAL = 3
"""The deal itself, and one situation of it played on in two ways."""
BLOCK = 1_000
Row = tuple[Mapping[str, str], Sequence[Moments], Sequence[Moments]]
LEAST = 100
"""Samples below which a cell is left out."""


def preset_game(preset: str) -> Game:
    """A form of Sixty-Six for two."""
    return cardsim.make_game("sixty_six", preset=preset)


def part(options: Options, share: float) -> Options:
    """The same options with a share of the hands."""
    return replace(options, hands=max(1000, int(options.hands * share)))


@dataclass(frozen=True)
class Situations:
    """Situations in which two ways to act are compared.

    Attributes:
        decisions: the situations.
        follow: action of the first way, int64 (N,).
        instead: action of the second way, int64 (N,).
        cells: name of a division -> cell of each situation, -1 for none, int64 (N,).
    """

    decisions: Decisions
    follow: Any
    instead: Any
    cells: Mapping[str, Any] = field(default_factory=dict)

    def where(self, chosen: Any) -> Situations:
        """Those of them that a mask or an index array names."""
        cells = {name: np.asarray(cell)[chosen] for name, cell in self.cells.items()}
        return Situations(self.decisions.where(chosen), self.follow[chosen], self.instead[chosen], cells)


@dataclass(frozen=True)
class Weighed:
    """What came of them, by division and cell.

    Attributes:
        gain: return of the first way less that of the second.
        follow: return of the first way.
        lost: 1 where the first way lost the deal, else 0.
    """

    gain: Mapping[str, Sequence[Moments]]
    follow: Mapping[str, Sequence[Moments]]
    lost: Mapping[str, Sequence[Moments]]


def weigh(
    options: Options,
    name: str,
    game: Game,
    finder: str,
    opponent: str,
    hands: int,
    wanted: Sequence[int],
    look: Callable[[Decisions], Situations],
    sizes: Mapping[str, int],
    hero: str = "book",
) -> Weighed:
    """Compare two ways to act in one situation, drawn at random, of each deal that has one.

    Args:
        options: of the question.
        name: of the saved sums.
        game: a form for two.
        finder: agent whose deals are searched; its action is in the decisions.
        opponent: agent of the other seat, in the search and afterwards.
        hands: to play in all.
        wanted: actions one of which must be legal.
        look: picks the situations, with two actions and the cells of each.
        sizes: number of cells of each division.
        hero: agent that plays on after the action.
    """
    searched, played = Line(game, [finder, opponent]), Line(game, [hero, opponent])
    seed = options.other_deals(name)  # settings are pooled, so no two may share their deals

    def work(first: int, count: int) -> Sums:
        found = look(searched.decisions(seed, first, count, wanted, most=MOST))
        found = found.where(one_a_deal(found.decisions))
        ways = [Choice(found.follow), Choice(found.instead)]
        results, _ = played.play_out(found.decisions, ways)
        values = {"gain": results[:, 0] - results[:, 1], "follow": results[:, 0], "lost": results[:, 0] < 0}
        return {
            f"{kind} {division}": moments(value, found.cells[division], size)
            for kind, value in values.items()
            for division, size in sizes.items()
        }

    done = measure(
        options, name, work, max(10, hands // HANDS_A_DEAL), main=(f"gain {next(iter(sizes))}", 0), block=BLOCK
    )
    parts = [{division: done[f"{kind} {division}"] for division in sizes} for kind in ("gain", "follow", "lost")]
    return Weighed(*parts)


def one_a_deal(decisions: Decisions) -> Any:
    """Indices of one decision of each deal; which of a deal's is settled by the deal's number, evenly."""
    number = decisions.number
    starts = np.flatnonzero(np.diff(number, prepend=-1)) if len(number) else np.zeros(0, np.int64)
    sizes = np.diff(np.append(starts, len(number)))
    mixed = (number[starts] + decisions.first).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(33)
    return starts + (mixed % sizes.astype(np.uint64)).astype(np.int64) if len(starts) else starts


def opposite(cell: Moments) -> Moments:
    """The samples with the other sign."""
    return Moments.from_sums(cell.n, -cell.total, cell.squares, cell.scale)


def pooled(parts: Sequence[Sequence[Moments]]) -> list[Moments]:
    """Cell by cell, the samples of several settings together."""
    return [sum(cells[1:], cells[0]) for cells in zip(*parts, strict=True)]


def shown(cells: Sequence[Moments], least: int = LEAST) -> Any:
    """Means of cells, nan where a cell has too few samples, float64."""
    return np.array([cell.mean if cell.n >= least else np.nan for cell in cells])


def effects_of(
    options: Options,
    cells: Sequence[Moments],
    names: Sequence[str],
    setting: Mapping[str, str],
    kind: str = "situation",
) -> list[Effect]:
    """An effect per cell that has samples enough, or one for the largest if none has."""
    sequential = options.until > 0
    made = [Effect({**setting, kind: name}, cell, sequential) for name, cell in zip(names, cells, strict=True)]
    return [effect for effect in made if effect.moments.n >= LEAST] or [max(made, key=lambda e: e.moments.n)]


def able(weighed: Mapping[tuple[str, str], Weighed]) -> list[Weighed]:
    """What was found in the base game against each opponent that does not play at random."""
    return [found for (preset, opponent), found in weighed.items() if preset == PRESETS[0] and opponent != "random"]


def table_rows(weighed: Mapping[tuple[str, str], Weighed], division: str) -> list[Row]:
    """Rows of a `cell_table`: the base game against everybody, the other forms against `book`."""
    return [
        ({"preset": preset, "opponents": opponent}, found.gain[division], found.lost[division])
        for (preset, opponent), found in weighed.items()
        if preset == PRESETS[0] or opponent == "book"
    ]


def cell_table(
    options: Options,
    rows: Sequence[Row],
    names: Sequence[str],
    kind: str,
    unit: str = "game points",
) -> pd.DataFrame:
    """A row per setting and cell with samples enough: gain, low, high (95 %), share of deals lost, n.

    Args:
        options: of the question.
        rows: setting, gain by cell, lost by cell.
        names: of the cells.
        kind: heading of the cells.
        unit: of the gain.
    """
    import pandas as pd

    made = []
    for setting, gain, lost in rows:
        for name, cell, failed in zip(names, gain, lost, strict=True):
            if cell.n >= LEAST:
                low, high = Effect({}, cell, options.until > 0).interval()
                share = 100 * failed.mean
                made.append(
                    {**setting, kind: name, unit: cell.mean, "low": low, "high": high, "lost, %": share, "n": cell.n}
                )
    columns = [*(rows[0][0] if rows else ()), kind, unit, "low", "high", "lost, %", "n"]
    return pd.DataFrame(made, columns=columns)
