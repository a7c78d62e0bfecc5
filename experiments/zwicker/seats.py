"""Does it matter who deals?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from cardsim.cli.plot import COLOURS, INK
from cardsim.stats import Moments
from experiments.lab import Effect, Finding, Line, Options, Question, Sums, frame, measure, moments
from experiments.lab.plots import tidy
from experiments.zwicker.points import game_share, result, sides_of
from experiments.zwicker.settings import LEAST, Form, number_with_interval, shares

PRESETS = ("no_joker", "one_joker", "two_joker", "three_joker", "four_joker", "six_joker", "grupp")
FORMS = tuple(Form(preset, players) for players in (2, 3, 4) for preset in PRESETS)
PLAYERS = ("random", "greedy", "book")
PLACES = {2: ("forehand", "dealer"), 3: ("forehand", "second", "dealer"), 4: ("forehand", "second", "third", "dealer")}


def sums(line: Line, seed: int, first: int, count: int) -> Sums:
    """Return and part of the game by place from the dealer's left, and the forehand's return less the dealer's."""
    states, returned = line.play(seed, first, count)
    players = returned.shape[1]
    seats = (states["dealer"][:, None] + 1 + np.arange(players)) % players
    points, side = result(states).points, sides_of(states)
    share = np.stack([game_share(points, np.full(count, s)) for s in range(points.shape[1])], 1)
    rows = np.arange(count)[:, None]
    lead = returned[rows, seats]
    won = share[rows, side[seats]] - 1 / points.shape[1]
    cell = np.broadcast_to(np.arange(players), lead.shape)
    return {
        "lead": moments(lead, cell, players),
        "games": moments(won, cell, players),
        "first": moments(lead[:, 0] - lead[:, -1]),
    }


def uneven() -> str:
    """The forms in which not all seats get equally many cards."""
    games = {form.name: form.make().rules.record for form in FORMS}
    return "; ".join(name for name, record in games.items() if record["odd"][0] % record["players"][0]) or "none"


def run(options: Options) -> Finding:
    """Play each form with 2 to 4 players who play alike; see who wins by the place at the table."""
    found: dict[tuple[Form, str], dict[str, list[Moments]]] = {}
    for agent, hands in shares(options.hands).items():
        for form in FORMS:
            line = Line(form.make(), [agent] * form.players)

            def work(first: int, count: int, line: Line = line) -> Sums:
                return sums(line, options.seed, first, count)

            deals = max(LEAST, hands // len(FORMS))
            name = f"seats-{form.preset}-{form.players}-{agent}"
            found[form, agent] = measure(options, name, work, deals, block=min(1000, max(50, deals // 8)))
    effects = [
        Effect({"form": form.name, "all play": agent}, found[form, agent]["first"][0])
        for form in FORMS
        for agent in PLAYERS
    ]
    each = ", ".join(f"{agent} {found[FORMS[0], agent]['first'][0].n:,}" for agent in PLAYERS)
    return Finding(
        answer=_answer(effects, found),
        unit="points per deal",
        draw=lambda figure: _draw(figure, found),
        caption=(
            "By how many games in 100 a seat does better than an equal part, by its place from the dealer's left (the "
            "forehand, who begins) to the dealer, with 95 % intervals; in parties the partners share the result. "
            "A row for each number of players, a column for who plays."
        ),
        tables={
            "The forehand's points less the dealer's, by who plays": _gaps(effects),
            **{f"All {agent}: points ahead of the others, by place": _table(found, agent) for agent in PLAYERS},
        },
        notes=[
            "All seats are played by the same agent; the first dealer is drawn by lot.",
            "This is no tip, since the deal goes round: a match of as many deals as players is fair.",
            f"Deals of each form: {each}.",
            f"The cards do not divide, so that the first seats get one more of the last hand (WQ19): {uneven()}.",
        ],
        size=(13.0, 10.0),
    )


def _gaps(effects: Sequence[Effect]) -> pd.DataFrame:
    return frame(effects, "points")


def _table(found: dict[tuple[Form, str], dict[str, list[Moments]]], agent: str) -> pd.DataFrame:
    rows = []
    for form in FORMS:
        numbers = found[form, agent]
        places = zip(PLACES[form.players], numbers["lead"], numbers["games"], strict=True)
        for place, lead, games in places:
            low, high = lead.interval()
            rows.append(
                {"form": form.name, "place": place, "points": lead.mean, "low": low, "high": high}
                | {"games above equal": games.mean, "n": lead.n}
            )
    return pd.DataFrame(rows)


def _answer(effects: Sequence[Effect], found: dict[tuple[Form, str], dict[str, list[Moments]]]) -> str:
    parts = []
    for players in PLACES:
        own = [e for e in effects if e.setting["all play"] == "book" and f", {players} players" in e.setting["form"]]
        each = 1 - 0.05 / len(own)
        sure = [e for e in own if e.interval(each).low > 0 or e.interval(each).high < 0]
        shown = [f"{e.setting['form'].split(',')[0]} {number_with_interval(e)}" for e in sure]
        widest = max(max(map(abs, e.interval(each))) for e in own if e not in sure) if len(sure) < len(own) else 0.0
        rest = f"elsewhere no difference is shown, it is at most {widest:.1f} points" if widest else ""
        parts.append(f"{players} players, all book, forehand less dealer: {'; '.join(filter(None, [*shown, rest]))}.")
    return " ".join(parts)


def _draw(figure: Any, found: dict[tuple[Form, str], dict[str, list[Moments]]]) -> None:
    axes = figure.subplots(len(PLACES), len(PLAYERS), sharey="row")
    for row, (players, places) in enumerate(PLACES.items()):
        for column, agent in enumerate(PLAYERS):
            panel = axes[row][column]
            for number, preset in enumerate(PRESETS):
                games = found[Form(preset, players), agent]["games"]
                mean = np.array([100 * moment.mean for moment in games])
                low, high = (100 * np.array([moment.interval()[end] for moment in games]) for end in (0, 1))
                colour = [*COLOURS, "#777777"][number % 7]
                place = np.arange(players) + (number - 3) * 0.09
                spread = np.maximum([mean - low, high - mean], 0)
                panel.errorbar(place, mean, yerr=spread, fmt="o", color=colour, capsize=2, markersize=4, label=preset)
            panel.set_xticks(range(players), places)
            panel.axhline(0, color=INK, linewidth=0.9)
            tidy(panel, f"{players} players, all {agent}", "", "games above equal, in 100" if column == 0 else "")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=len(PRESETS), frameon=False, loc="outside lower center")


QUESTION = Question(
    "zwicker.seats",
    "Does it matter who deals?",
    "The forehand, left of the dealer, begins and the dealer comes last (W20); the text names no advantage.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
