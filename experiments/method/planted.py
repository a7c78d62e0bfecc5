"""Does the method find tips that are true or false by construction, and measure their size?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import cardsim
from experiments.lab import (
    HOLDS,
    HOLDS_NOT,
    Choice,
    Effect,
    Finding,
    Line,
    Options,
    Question,
    Sums,
    judge,
    line_up,
    measure,
    moments,
    seatings,
)
from experiments.lab.plots import forest
from experiments.method.nulls import OTHER

GAMES = ("sixty_six", "zwicken")
OPPONENTS = ("random", "book")
GIFT = 0.5
"""Units of return that the planted tip brings in each deal in which it is followed."""
EVERY = 4
"""It is followed in one deal of so many, so a deal's mean effect is GIFT / EVERY."""


def gifts(line: Line, seed: int, first: int, count: int) -> Any:
    """A null comparison, the same play in other deals, plus a gift in one deal of EVERY."""
    gain = np.zeros(count)
    turns = seatings(line.game)
    for rotation in turns:
        a, b = (line.play((seed + shift) % 2**64, first, count, rotation)[1][:, 0] for shift in (0, OTHER))
        gain += (a - b) / len(turns)
    return gain + np.where(np.arange(first, first + count) % EVERY == 0, GIFT, 0.0)


def hindsight(line: Line, seed: int, first: int, count: int) -> Any:
    """The better of two ways to play on, as the deal's end shows them, less the agent's own: never below 0."""
    found = line.decisions(seed, first, count)
    results, _ = line.play_out(found, [Choice(), Choice(agents=["random", *line.agents[1:]])])
    return results.max(1) - results[:, 0]


PLANTED = {
    "a gift in some deals": (gifts, 1.0, HOLDS),
    "a fine in some deals": (gifts, -1.0, HOLDS_NOT),
    "the better of two ways, known afterwards": (hindsight, 1.0, HOLDS),
    "the worse of two ways, known afterwards": (hindsight, -1.0, HOLDS_NOT),
}


def run(options: Options) -> Finding:
    """Judge four planted tips in two games against two opponents."""
    share = options.hands // (len(PLANTED) * len(GAMES) * len(OPPONENTS))
    rows, effects = [], []
    for tip, (sample, sign, truth) in PLANTED.items():
        own = [_effect(options, tip, sample, sign, name, other, share) for name in GAMES for other in OPPONENTS]
        verdict = judge(own)
        rows.append(
            {
                "planted tip": tip,
                "by construction": truth,
                "verdict": verdict.word,
                "right": str(verdict.word == truth).lower(),
            }
        )
        effects += own
    right = sum(row["right"] == "true" for row in rows)
    sizes = [effect for effect in effects if "gift" in effect.name]
    met = sum(low <= GIFT / EVERY <= high for low, high in (effect.interval() for effect in sizes))
    return Finding(
        answer=(
            f"{right} of {len(rows)} planted tips got the verdict that is true by construction; of {len(sizes)} "
            f"intervals of a gift worth {GIFT / EVERY:g} a deal, {met} hold that size."
        ),
        unit="unit of the game per deal",
        effects=effects,
        draw=lambda figure: forest(figure.subplots(), effects, "what the planted tip earns a deal, 95 % interval"),
        caption="Each dot: the measured effect of a tip whose truth is known; bars are 95 % intervals.",
        tables={"Verdicts": pd.DataFrame(rows)},
        size=(9.0, 5.5),
    )


def _effect(options: Options, tip: str, sample: Any, sign: float, name: str, other: str, hands: int) -> Effect:
    line = Line(cardsim.make_game(name), line_up(cardsim.make_game(name), "book", other))

    def work(first: int, count: int) -> Sums:
        return {"gain": moments(sign * sample(line, options.seed, first, count))}

    deals = max(20, hands // (2 * len(seatings(line.game))))
    slug = f"{tip.replace(' ', '-').replace(',', '')}-{name}-{other}"
    found = measure(options, slug, work, deals, block=max(10, min(2000, deals // 8)))
    return Effect({"tip": tip, "game": name, "opponents": other}, found["gain"][0])


QUESTION = Question(
    "method.planted",
    "Does the method find what was planted?",
    "A check on the method, no tip: effects that are true or false by construction, one of known size.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
