"""How often does the method find something where there is nothing? Many comparisons of like with like."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import cardsim
from cardsim.stats import Moments, wilson
from experiments.lab import HOLDS_NOT, Choice, Effect, Finding, Line, Options, Question, Sums, judge, measure, moments
from experiments.lab.plots import tidy

COMPARISONS = 200
FAMILY = 4
"""Settings that a null tip is given, as a real one is."""
GAMES = ("sixty_six", "zwicken")
CONFIDENCE = 0.95
OTHER = 2**32
"""Between a seed and that of other deals and draws."""


def seat_by_seat(line: Line, seed: int, first: int, count: int) -> Any:
    """The same agent in all seats: return of the first entry less that of the last, which sit everywhere in turn.

    In Zwicken the seats' returns do not add up to 0, since betes go to a later pot; their differences do.
    """
    players = line.game.num_players
    gain = np.zeros(count)
    for rotation in range(players):
        here = (np.arange(first, first + count) % players) == rotation
        returned = line.play(seed, first, count, rotation)[1][here]
        gain[here] = returned[:, 0] - returned[:, -1]
    return gain


def other_deals(line: Line, seed: int, first: int, count: int) -> Any:
    """Return of the same agents in a deal less that in another deal."""
    a, b = (line.play((seed + shift) % 2**64, first, count)[1][:, 0] for shift in (0, OTHER))
    return a - b


def other_draws(line: Line, seed: int, first: int, count: int) -> Any:
    """A decision played on twice by the same action, against opponents who draw anew."""
    found = line.decisions(seed, first, count)
    again = replace(found, seed=(seed + OTHER) % 2**64)
    a, b = (line.play_out(one, [Choice(one.action)])[0][:, 0] for one in (found, again))
    return a - b


KINDS = {
    "alike in all seats": (seat_by_seat, "book"),
    "the same play in other deals": (other_deals, "book"),
    "the same action, other draws": (other_draws, "random"),
}


def run(options: Options) -> Finding:
    """Count the intervals that miss 0, and the null tips that are said to hold."""
    # A multiple of any number of seats, so that everybody sits everywhere equally often.
    each = 60 * max(1, options.hands // (60 * COMPARISONS * len(KINDS) * len(GAMES) * 3))
    lows: dict[str, list[Effect]] = {}
    for name in GAMES:
        game = cardsim.make_game(name)
        for kind, (sample, opponent) in KINDS.items():
            line = Line(game, ["book", *[opponent] * (game.num_players - 1)])
            lows[f"{name}: {kind}"] = comparisons(options, line, f"{name}-{sample.__name__}", sample, each)
    rows = [_row(name, effects) for name, effects in lows.items()]
    table = pd.DataFrame(rows)
    missed, held = int(table["missed"].sum()), int(table["tips said to pay"].sum())
    total, tips = COMPARISONS * len(rows), COMPARISONS // FAMILY * len(rows)
    rate = wilson(missed, total)
    chance = float(stats.binomtest(missed, total, 1 - CONFIDENCE).pvalue)
    wrong = wilson(held, tips)
    promised = 100 * (1 - CONFIDENCE)
    return Finding(
        answer=(
            f"{missed} of {total:,} intervals of null comparisons miss the truth: {100 * missed / total:.1f} % "
            f"({100 * rate.low:.1f} to {100 * rate.high:.1f} %), where the intervals promise {promised:.0f} % "
            f"(p = {chance:.2f}). Of {tips} null tips with {FAMILY} settings each, {held} were said to pay anywhere: "
            f"{100 * held / tips:.1f} % ({100 * wrong.low:.1f} to {100 * wrong.high:.1f} %), where at most "
            f"{promised / 2:.1f} % are promised."
        ),
        unit="share of comparisons",
        draw=lambda figure: _draw(figure, lows),
        caption="Each step: a comparison of like with like, in standard errors; the grey curve is pure chance.",
        tables={"Null comparisons": table},
        notes=[f"Each comparison has {each:,} deals; {COMPARISONS} comparisons a row."],
    )


def comparisons(options: Options, line: Line, name: str, sample: Any, each: int) -> list[Effect]:
    """Effects of many null comparisons with deals of their own."""

    def work(first: int, count: int) -> Sums:
        parts = [moments(sample(line, options.seed, k * each, each)) for k in range(first, first + count)]
        out = np.zeros((COMPARISONS, 3), np.int64)
        out[first : first + count] = np.concatenate(parts)
        return {"gain": out}

    found = measure(options, name, work, COMPARISONS, block=10)["gain"]
    return [Effect({"comparison": str(number)}, one) for number, one in enumerate(found)]


def _row(name: str, effects: list[Effect]) -> dict[str, Any]:
    missed = sum(not low <= 0 <= high for low, high in (effect.interval(CONFIDENCE) for effect in effects))
    tips = [effects[at : at + FAMILY] for at in range(0, len(effects), FAMILY)]
    held = sum(judge(tip).word != HOLDS_NOT for tip in tips)
    low, high = wilson(missed, len(effects))
    return {
        "comparison": name,
        "missed": missed,
        "of": len(effects),
        "share": missed / len(effects),
        "low": low,
        "high": high,
        "tips said to pay": held,
    }


def _scores(effects: list[Effect]) -> Any:
    def score(one: Moments) -> float:
        return one.mean / one.stderr if one.stderr > 0 else 0.0

    return np.sort([score(effect.moments) for effect in effects])


def _draw(figure: Any, lows: dict[str, list[Effect]]) -> None:
    axes = figure.subplots()
    share = (np.arange(COMPARISONS) + 0.5) / COMPARISONS
    for name, effects in lows.items():
        axes.step(_scores(effects), share, where="mid", linewidth=1.1, label=name)
    grid = np.linspace(-3.5, 3.5, 200)
    axes.plot(grid, stats.norm.cdf(grid), color="grey", linewidth=3, alpha=0.5, zorder=0, label="pure chance")
    for edge in (-1.96, 1.96):
        axes.axvline(edge, color="grey", linestyle=":", linewidth=0.9)
    axes.legend(fontsize=8)
    tidy(axes, "Null comparisons scatter as chance says", "mean in standard errors", "share of comparisons below")


QUESTION = Question(
    "method.nulls",
    "How often does the method see something where there is nothing?",
    "A check on the method, no tip: comparisons of like with like, whose truth is 0.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
