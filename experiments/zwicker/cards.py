"""What is a joker, the ten of diamonds, an Ace, a Zwick worth, in points and in games?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import cardsim
from cardsim.cli.plot import COLOURS, INK
from cardsim.game import Game
from cardsim.games.zwicker.rules import PRESETS
from cardsim.games.zwicker.scoring import MOST_POINTS, ZWICK_POINTS
from cardsim.stats import Moments
from experiments.lab import Finding, Line, Options, Question, Sums, measure, moments
from experiments.lab.plots import tidy
from experiments.zwicker.points import (
    Result,
    Worth,
    card_groups,
    dealt_to,
    first_states,
    game_share,
    result,
    sides_of,
    style_of,
    worth_of_cards,
    worth_of_points,
)
from experiments.zwicker.settings import LEAST, shares

FORMS = (("no_joker", 2), ("no_joker", 4), ("six_joker", 2), ("six_joker", 4))
PLAYERS = ("random", "greedy", "book")
SURE = ("kept", "taken points")
"""Numbers whose intervals are too narrow to be worth a column."""
SHOWN = "book"
NUMBERS = ("dealt points", "dealt games", "kept", "taken points", "taken games")


def groups_of(game: Game) -> dict[str, list[int]]:
    """The cards that are asked about in a form, by name."""
    return card_groups(int(game.rules.record["style"][0]), PRESETS[game.rules.preset].jokers)


def dealt_worth(states: Any, returned: Any, points: Any, owners: Any) -> tuple[Any, Any, Any]:
    """What being dealt some cards brought: return and part of the game above an equal one; whether the side took them.

    Args:
        states: records (N,) at the end.
        returned: returns by seat, (N, players).
        points: points by side, (N, sides).
        owners: seats that the cards were dealt to, (N, cards); below 0: none.

    Returns:
        Three arrays (N,), means over the cards that were dealt to a seat; nan where none was.
    """
    rows, held = np.arange(len(owners))[:, None], owners >= 0
    side = sides_of(states)[np.maximum(owners, 0)]
    share = np.stack([game_share(points, np.full(len(points), s)) for s in range(points.shape[1])], 1)
    equal = 1 / points.shape[1]
    lead = np.where(held, returned[rows, np.maximum(owners, 0)], np.nan)
    games = np.where(held, share[rows, side] - equal, np.nan)
    return _row_mean(lead), _row_mean(games), side


def _row_mean(values: Any) -> Any:
    have = np.isfinite(values).sum(1)
    return np.where(have > 0, np.nansum(values, 1) / np.maximum(have, 1), np.nan)


def zwick_worth(found: Result, style: int) -> Worth:
    """What one Zwick was worth to a side that made one, by deal; sides that made more count for each of them."""
    sides, one = found.points.shape[1], ZWICK_POINTS[style]
    each = [worth_of_points(found.points, np.full(len(found.points), side), one) for side in range(sides)]
    made = found.zwicks // one
    total = np.where(made.sum(1) > 0, made.sum(1), np.nan)
    return Worth(*(sum(getattr(each[s], name) * made[:, s] for s in range(sides)) / total for name in Worth._fields))


def most_worth(found: Result, style: int) -> Worth:
    """What the points for most cards were worth to the side that got them, against nobody getting them."""
    owner, had = found.most.argmax(1), found.most.any(1)
    worth = worth_of_points(found.points, owner, MOST_POINTS[style])
    return Worth(*(np.where(had, values, np.nan) for values in worth))


def sums(game: Game, line: Line, seed: int, first: int, count: int) -> Sums:
    """All numbers of some deals: by group of cards, then the Zwick and the most cards."""
    states, returned = line.play(seed, first, count)
    owners = dealt_to(first_states(game, seed, first, count))
    found, style = result(states), style_of(states)
    rows = []
    for kinds in groups_of(game).values():
        seats = owners[:, kinds]
        lead, games, sides = dealt_worth(states, returned, found.points, seats)
        masks = np.zeros((len(kinds), 2), np.uint64)
        masks[:, 0] = np.uint64(1) << np.array(kinds, np.uint64)
        took = (states["pile"][np.arange(count)[:, None], sides, 0] & masks[:, 0]) != 0
        few = masks[:4]
        worths = [worth_of_cards(states, np.broadcast_to(mask, (count, 2))) for mask in few]
        taken = [_row_mean(np.stack([getattr(worth, name) for worth in worths], 1)) for name in Worth._fields]
        rows.append((lead, games, _row_mean(np.where(seats >= 0, took, np.nan)), *taken))
    nothing = np.full(count, np.nan)
    rows += [(nothing, nothing, nothing, *worth(found, style)) for worth in (zwick_worth, most_worth)]
    added = {name: np.concatenate([moments(row[k]) for row in rows]) for k, name in enumerate(NUMBERS)}
    return {**added, "zwicks": moments(found.zwicks.sum(1) / ZWICK_POINTS[style])}


def _cells(mean: str, found: Moments) -> dict[str, float | int]:
    if found.n < LEAST:
        return {mean: np.nan, f"{mean}, low": np.nan, f"{mean}, high": np.nan}
    low, high = found.interval()
    return {mean: found.mean, f"{mean}, low": low, f"{mean}, high": high}


def _table(names: list[str], found: dict[str, list[Moments]]) -> pd.DataFrame:
    rows = []
    for cell, name in enumerate(names):
        row: dict[str, Any] = {"": name}
        for number in NUMBERS:
            row |= _cells(number, found[number][cell])
        rows.append(row | {"n": found["taken points"][cell].n})
    return pd.DataFrame(rows).drop(columns=[f"{name}, {end}" for name in SURE for end in ("low", "high")])


def _others(tables: dict[tuple[str, int, str], pd.DataFrame]) -> pd.DataFrame:
    """The cards of most weight, by who plays."""
    parts = []
    for (preset, players, agent), table in tables.items():
        part = table[table[""].isin([_dearest(tables, preset, players), "10 of diamonds", "an Ace", "a Zwick"])]
        part.insert(0, "all play", agent)
        part.insert(0, "form", f"{preset}, {players} players")
        parts.append(part.rename(columns={"": "of"}))
    return pd.concat(parts).dropna(subset="taken games")


def _dearest(tables: dict[tuple[str, int, str], pd.DataFrame], preset: str, players: int) -> str:
    table = tables[preset, players, SHOWN].set_index("")
    return str(table.drop(index=["a Zwick", "most cards"])["taken games"].fillna(-1).idxmax())


def run(options: Options) -> Finding:
    """Play each form with three kinds of players; follow every card from the deal to the pile it ends in."""
    tables, zwicks, hands = {}, {}, shares(options.hands)
    for preset, players in FORMS:
        game = cardsim.make_game("zwicker", preset=preset, players=players)
        names = [*groups_of(game), "a Zwick", "most cards"]
        for agent in PLAYERS:
            line = Line(game, [agent] * players)

            def work(first: int, count: int, game: Game = game, line: Line = line) -> Sums:
                return sums(game, line, options.seed, first, count)

            deals = max(2 * LEAST, hands[agent] // len(FORMS))
            found = measure(options, f"{preset}-{players}-{agent}", work, deals, block=min(500, max(50, deals // 8)))
            tables[preset, players, agent] = _table(names, found)
            zwicks[preset, players, agent] = found["zwicks"][0]
    return Finding(
        answer=" ".join(_sentence(tables, zwicks, preset, players) for preset, players in FORMS),
        unit="points per deal",
        draw=lambda figure: _draw(figure, tables),
        caption=(
            f"All seats played by `{SHOWN}`. Left: by how many points, and right: by how many games in 100, a side "
            "does better for being dealt the card (dot; against an average seat) and for having it in its pile at the "
            "end (diamond; against the same deal with it in another pile). Bars are 95 % intervals."
        ),
        tables={
            **{f"{form[0]}, {form[1]} players, all {SHOWN}": tables[*form, SHOWN] for form in FORMS},
            "By who plays": _others(tables),
        },
        notes=_notes(hands),
        size=(11.0, 12.0),
    )


def _sentence(tables: Any, zwicks: Any, preset: str, players: int) -> str:
    table = tables[preset, players, SHOWN].set_index("")
    top = _dearest(tables, preset, players)
    parts = [
        f"{name} {100 * table.loc[name, 'taken games']:.0f}"
        for name in dict.fromkeys((top, "10 of diamonds", "an Ace", "a Zwick"))
        if np.isfinite(table.loc[name, "taken games"])
    ]
    often = zwicks[preset, players, SHOWN]
    return (
        f"{preset}, {players} players: in the pile at the end worth in games of 100: {', '.join(parts)}. Being dealt "
        f"the {top} brings {table.loc[top, 'dealt points']:+.1f} points; the side that is dealt it gets it into its "
        f"pile in {table.loc[top, 'kept']:.0%} of the deals. There are {often.mean:.2f} Zwicks a deal."
    )


def _notes(hands: dict[str, int]) -> list[str]:
    each = ", ".join(f"{agent} {count:,}" for agent, count in hands.items())
    dealt = (
        "`dealt`: the return of the seat that the card is dealt to at any time in the deal (its side's, in parties), "
        "and its part of the game above an equal one. Cards are dealt at random, so this is what the card causes."
    )
    taken = (
        "`taken`: what the side that has the card in its pile would lose if another side had it there (the mean over "
        "the other sides) and all else had been the same: its points twice over with two sides, and the most cards, "
        "and what that does to the winner. It leaves out what taking the card had cost in other captures."
    )
    return [
        dealt,
        "`kept`: how often the side that was dealt the card has it in its pile at the end.",
        taken,
        "A Zwick and the most cards: the same, against nobody scoring them. A tied game counts in equal parts.",
        "A name of several cards is their mean; of the cards without points, four stand for all in `taken`.",
        f"Hands over the four forms, by who plays: {each}. A number from fewer than {LEAST} deals is left out.",
    ]


def _draw(figure: Any, tables: Any) -> None:
    axes = figure.subplots(len(FORMS), 2, height_ratios=[len(tables[*form, SHOWN]) for form in FORMS])
    for row, form in enumerate(FORMS):
        table = tables[*form, SHOWN]
        for column, (unit, scale) in enumerate((("points", 1), ("games", 100))):
            panel = axes[row][column]
            for number, (kind, mark) in enumerate((("dealt", "o"), ("taken", "D"))):
                mean = table[f"{kind} {unit}"] * scale
                low, high = (table.get(f"{kind} {unit}, {end}", mean / scale) * scale for end in ("low", "high"))
                height = np.arange(len(table)) + (number - 0.5) * 0.3
                spread = np.maximum([mean - low, high - mean], 0)
                label = {"dealt": "dealt to a side", "taken": "in its pile at the end"}[kind]
                panel.errorbar(
                    mean, height, xerr=spread, fmt=mark, color=COLOURS[number], capsize=3, markersize=4.5, label=label
                )
            panel.set_yticks(range(len(table)), table[""] if column == 0 else [""] * len(table))
            panel.set_ylim(len(table) - 0.5, -0.5)
            panel.axvline(0, color=INK, linewidth=0.9)
            title = f"{form[0]}, {form[1]} players" if column == 0 else ""
            tidy(panel, title, "points ahead of the others" if column == 0 else "games more in 100")
    axes[0][0].legend(frameon=False, fontsize=8.5, loc="lower right")


QUESTION = Question(
    "zwicker.cards",
    "What is a joker, the ten of diamonds, an Ace, a Zwick worth?",
    "The text gives the points that each scores (W15, W25); it does not say what they are worth in a game.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
