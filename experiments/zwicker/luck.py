"""How much of Zwicker is luck, and how do the jokers change it?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import cardsim
from cardsim.cli.plot import COLOURS, INK
from cardsim.game import Game
from cardsim.stats import Moments
from experiments.lab import Finding, Line, Options, Question, Sums, line_up, measure, moments
from experiments.lab.plots import tidy
from experiments.zwicker.points import GROUPS, from_groups, game_share, result, sides_of
from experiments.zwicker.settings import slow_hands

JOKERS = {0: "no_joker", 1: "one_joker", 2: "two_joker", 3: "three_joker", 4: "four_joker", 6: "six_joker"}
KINDS = ("jokers with a value", "wild jokers (grupp)")
PLAYERS = (2, 4)
RIVALS = {"greedy": "book against greedy", "random": "book against random"}
NUMBERS = ("luck", "gain", "spread", "won")


def form(kind: str, jokers: int, players: int) -> Game:
    """The game with so many jokers of a kind, for two players or two pairs."""
    options: dict[str, Any] = {"players": players, "teams": "true" if players == 4 else "form"}
    if kind == KINDS[0] or jokers == 0:
        return cardsim.make_game("zwicker", preset=JOKERS[jokers], **options)
    return cardsim.make_game("zwicker", preset="grupp", n_jokers=jokers, **options)


def sums(line: Line, seed: int, first: int, count: int) -> Sums:
    """Each deal twice, in each other's seats: sum and difference of the results, by equal parts of the deals."""
    group = (first + np.arange(count)) % GROUPS
    results, won = [], []
    for rotation in (0, 1):
        states, returned = line.play(seed, first, count, rotation)
        side = sides_of(states)[rotation % len(sides_of(states))]
        results.append(returned[:, 0])
        won.append(game_share(result(states).points, np.full(count, side)))
    return {
        "sum": moments(results[0] + results[1], group, GROUPS),
        "difference": moments(results[0] - results[1], group, GROUPS),
        "won": moments((won[0] + won[1]) / 2, group, GROUPS),
    }


def describe(found: dict[str, list[Moments]]) -> dict[str, tuple[float, float, float]]:
    """Each number of NUMBERS with its interval.

    A side's results are l + s in its own seats and -l + s' in the others', l the luck of those cards and s, s' how they
    were played. The luck's part of the variance, var(l) / var(l + s), is then minus the correlation of the two results,
    as far as s and s' are independent.
    """
    values: dict[str, list[float]] = {name: [] for name in NUMBERS}
    for total, difference, won in zip(found["sum"], found["difference"], found["won"], strict=True):
        if total.n < 3 or total.variance + difference.variance == 0:
            continue
        luck, skill = difference.variance / 4, total.variance / 4
        values["luck"].append((luck - skill) / (luck + skill))
        values["gain"].append(total.mean / 2)
        values["spread"].append((luck + skill) ** 0.5)
        values["won"].append(won.mean)
    return {name: from_groups(numbers) for name, numbers in values.items()}


def deals_to_tell(gain: float, spread: float) -> float:
    """Deals after which the better side is ahead in total with 95 % probability; nan if it is not better."""
    return float(np.ceil((1.645 * spread / gain) ** 2)) if gain > 0 else np.nan


def run(options: Options) -> Finding:
    """Play each deal in both seatings, with 0 to 6 jokers; split the variance of the result."""
    settings = [
        (kind, jokers, players, rival)
        for players in PLAYERS
        for kind in KINDS
        for jokers in (JOKERS if kind == KINDS[0] else range(1, 7))
        for rival in RIVALS
        if not (kind == KINDS[1] and players == 4)
    ]
    deals = max(4 * GROUPS, slow_hands(options.hands) // (2 * len(settings)))
    rows = []
    for kind, jokers, players, rival in settings:
        line = Line(game := form(kind, jokers, players), line_up(game, "book", rival))

        def work(first: int, count: int, line: Line = line) -> Sums:
            return sums(line, options.seed, first, count)

        name = f"luck-{KINDS.index(kind)}-{jokers}-{players}-{rival}"
        found = measure(options, name, work, deals, block=min(500, max(20, deals // 8)))
        facts = describe(found)
        row = {"jokers": jokers, "kind": kind, "players": players, "sides": RIVALS[rival]}
        for number in NUMBERS:
            mean, low, high = facts[number]
            row |= {number: mean, f"{number}, low": low, f"{number}, high": high}
        rows.append(row | {"deals to tell": deals_to_tell(facts["gain"][0], facts["spread"][0]), "n": deals})
    table = pd.DataFrame(rows)
    return Finding(
        answer=_answer(table),
        unit="part of the variance",
        draw=lambda figure: _draw(figure, table),
        caption=(
            "By the number of jokers. Left: the part of the variance of the result that the deal brings. Middle: by "
            "how many spreads (standard deviations) of a deal `book` is ahead. Right: the part of the games that it "
            "wins. Bars are 95 % intervals."
        ),
        tables={"Luck and skill by the number of jokers": table.drop(columns=["spread, low", "spread, high"])},
        notes=_notes(),
        size=(13.0, 7.5),
    )


def _notes() -> list[str]:
    numbers = (
        "Each deal is played twice, the second time in each other's seats. `luck`: minus the correlation of a side's "
        "two results, which is the part of the variance of one result that comes from the cards of the seats; the rest "
        "comes from how they are played. `gain`: points a deal by which `book` is ahead; `spread`: standard deviation "
        f"of a result; `won`: its part of the games. Intervals (t) are from {GROUPS} equal parts of the deals."
    )
    chance = "`book` and `greedy` use no chance of their own; that of `random` counts as play, not as luck of the deal."
    rules = (
        "From no joker to one the rules change as well: jokers with a value come with double values of Ace, Jack, "
        "Queen and King, builds, and other points (W15 to W25). Four players sit in pairs here without jokers too."
    )
    return [numbers, chance, rules]


def _answer(table: pd.DataFrame) -> str:
    parts = []
    for players in PLAYERS:
        own = table[(table["players"] == players) & (table["kind"] == KINDS[0]) & (table["sides"] == RIVALS["greedy"])]
        for jokers in (0, 1, 6):
            row = own[own["jokers"] == jokers].iloc[0]
            deals = f"{row['deals to tell']:.0f}" if np.isfinite(row["deals to tell"]) else "no number of"
            held = "1 joker" if jokers == 1 else f"{jokers} jokers"
            parts.append(
                f"{players} players, {held}, book against greedy: the deal brings {row['luck']:.0%} of the variance "
                f"({row['luck, low']:.0%} to {row['luck, high']:.0%}); book wins {row['won']:.0%} of the "
                f"games and is ahead in total after {deals} deals with 95 % probability."
            )
    return " ".join(parts)


def _draw(figure: Any, table: pd.DataFrame) -> None:
    panels = figure.subplots(2, 3)
    columns: list[tuple[str, Callable[[Any], Any], str]] = [
        ("luck", lambda part: 1, "the deal's part of the variance"),
        ("gain", lambda part: part["spread"], "ahead, in spreads of a deal"),
        ("won", lambda part: 1, "part of the games that book wins"),
    ]
    for row, title in enumerate(RIVALS.values()):
        for column, (number, unit, label) in enumerate(columns):
            panel = panels[row][column]
            groups = table[table["sides"] == title].groupby(["players", "kind"], sort=False)
            for style, ((players, kind), part) in enumerate(groups):
                mean = part[number] / unit(part)
                ends = [part[f"{number}, {end}"] / unit(part) for end in ("low", "high")]
                spread = np.maximum([mean - ends[0], ends[1] - mean], 0)
                name = f"{players} players, {kind}"
                panel.errorbar(
                    part["jokers"] + 0.06 * (style - 1), mean, yerr=spread, marker="o", markersize=4, capsize=3,
                    color=COLOURS[style], label=name,
                )  # fmt: skip
            tidy(panel, title if column == 0 else "", "jokers", label)
            panel.axhline(0.5 if number == "won" else 0, color=INK, linewidth=0.9)
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=3, frameon=False, loc="outside lower center")


QUESTION = Question(
    "zwicker.luck",
    "How much of it is luck, and how do the jokers change that?",
    "Practice plays with one to six jokers, the most valuable cards (W2, W25); what they do to it is not said.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
