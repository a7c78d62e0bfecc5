"""What is in a dealt hand? A strategy page's figures for trumps, against exact counting and sampled deals."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from cardsim.cli.plot import COLOURS
from cardsim.games.sixty_six.layout import QUEEN
from cardsim.stats import Moments
from experiments.lab import HOLDS, HOLDS_NOT, Effect, Finding, Line, Options, Question, Sums, Verdict, measure, moments
from experiments.lab.plots import tidy
from experiments.sixty_six.hands import View, count, points_in, ranks
from experiments.sixty_six.weighing import preset_game

FORMS = {"schnapsen": (20, 5), "base": (24, 6), "deck32": (32, 6)}
"""Cards in the pack, cards dealt to a hand."""
CLAIM = {"trumps on average": 1.2, "0 trumps": 0.19, "1 trump": 0.44, "2 trumps": 0.29, "3 trumps": 0.07}
"""The page's figures for Schnapsen."""
ROUNDED = {"trumps on average": 0.05}
"""Half the last digit of a figure that is no share."""
SHARE_ROUNDED = 0.005
TRUMPS = 7
FACTS = ("a marriage", "the trump marriage", "the lowest trump")
BLOCK = 5_000


def exact(form: str) -> dict[str, float]:
    """The same by counting: the turned card is a trump, the hand is drawn from the others."""
    from scipy.stats import hypergeom

    cards, hand = FORMS[form]
    suit, others = cards // 4, cards - 1
    drawn = hypergeom(others, suit - 1, hand)
    found = {"trumps on average": float(drawn.mean())}
    found |= {_trumps(number): float(drawn.pmf(number)) for number in range(TRUMPS)}
    found["the trump marriage"] = float(hypergeom(others, 2, hand).pmf(2)) * (suit - 2) / suit
    found["the lowest trump"] = hand / others * (suit - 1) / suit
    found["card points"] = 120 * hand / cards
    found["a marriage"] = _a_marriage(cards, hand)
    return found


def _a_marriage(cards: int, hand: int) -> float:
    """Chance of a king and queen of one suit in a hand, by inclusion and exclusion over the four suits."""
    ways = sum((-1) ** (k + 1) * comb(4, k) * comb(cards - 2 * k, hand - 2 * k) for k in range(1, hand // 2 + 1))
    return ways / comb(cards, hand)


def sampled(options: Options, form: str, hands: int) -> dict[str, Moments]:
    """The first leader's hand of sampled deals."""
    line = Line(preset_game(form), ["random", "random"])

    def work(first: int, number: int) -> Sums:
        begun = line.decisions(options.seed, first, number, whose=(0, 1), most=1)
        begun = begun.where(begun.states["played"] == 0)
        view = View(begun.states, begun.seat)
        trumps = count(view.hand & view.trumps)
        pairs = view.hand & (view.hand >> np.uint64(1)) & ranks(QUEEN)
        return {
            "trumps": moments(trumps),
            "number": np.concatenate([moments(trumps == n) for n in range(TRUMPS)]),
            "points": moments(points_in(view.hand)),
            "facts": np.concatenate(
                [moments(held) for held in (pairs > 0, pairs & view.trumps > 0, view.hand & view.swap > 0)]
            ),
        }

    found = measure(options, form, work, max(100, hands), block=BLOCK)
    made = {"trumps on average": found["trumps"][0]}
    made |= {_trumps(number): cell for number, cell in enumerate(found["number"])}
    made |= dict(zip(FACTS, found["facts"], strict=True))
    return {**made, "card points": found["points"][0]}


def _trumps(number: int) -> str:
    return f"{number} trump" if number == 1 else f"{number} trumps"


def run(options: Options) -> Finding:
    """Compare the page's figures with the exact ones, and these with sampled deals."""
    import pandas as pd

    found = {form: sampled(options, form, options.hands // len(FORMS)) for form in FORMS}
    truth = {form: exact(form) for form in FORMS}
    rows = []
    for form, cells in found.items():
        for name, cell in cells.items():
            low, high = cell.interval()
            claimed = CLAIM.get(name, float("nan")) if form == "schnapsen" else float("nan")
            true = truth[form][name]
            if true > 0:
                kept = {"preset": form, "in a dealt hand": name, "page": claimed, "exact": true, "sampled": cell.mean}
                rows.append({**kept, "low": low, "high": high, "n": cell.n})
    schnapsen, own = found["schnapsen"], truth["schnapsen"]
    wrong = [name for name, figure in CLAIM.items() if not agrees(name, figure, schnapsen[name])]
    names = list(CLAIM)
    nearest = min(FORMS, key=lambda form: sum(abs(figure - truth[form][name]) for name, figure in CLAIM.items()))
    return Finding(
        answer=(
            f"A Schnapsen hand holds {own['trumps on average']:.3f} trumps on average; none in "
            f"{own['0 trumps']:.1%}, one in {own['1 trump']:.1%}, two in {own['2 trumps']:.1%}, three in "
            f"{own['3 trumps']:.1%} of the deals. {len(wrong)} of the page's {len(CLAIM)} figures miss "
            f"the 95 % intervals of {schnapsen['0 trumps'].n:,} sampled hands by more than their rounding; they are "
            f"nearest to those of {nearest}."
        ),
        unit="share of the hands",
        verdict=Verdict(HOLDS_NOT if wrong else HOLDS),
        draw=lambda figure: _draw(figure, schnapsen, own, names[1:]),
        caption=(
            "Share of Schnapsen hands with 0 to 3 trumps: as a strategy page gives it, by counting, and in sampled "
            "deals, with 95 % intervals."
        ),
        tables={"A dealt hand": pd.DataFrame(rows)},
        notes=[
            "Exact: by counting, the turned card being a trump. Sampled: the first leader's hand of each deal.",
            "A figure of the page counts as wrong if no number in the interval rounds to it.",
        ],
        size=(8.5, 4.8),
    )


def agrees(name: str, figure: float, cell: Moments) -> bool:
    """Whether a rounded figure agrees with what was sampled."""
    low, high = cell.interval()
    slack = ROUNDED.get(name, SHARE_ROUNDED)
    return low - slack <= figure <= high + slack


def _draw(figure: Any, cells: dict[str, Moments], own: dict[str, float], names: Sequence[str]) -> None:
    axes = figure.subplots()
    spots = np.arange(len(names))
    axes.bar(spots - 0.27, [CLAIM[name] for name in names], 0.26, color=COLOURS[1], label="the strategy page")
    axes.bar(spots, [own[name] for name in names], 0.26, color=COLOURS[0], label="exact")
    effects = [Effect({}, cells[name]) for name in names]
    spread = [effect.interval().half_width for effect in effects]
    means = [effect.mean for effect in effects]
    axes.bar(spots + 0.27, means, 0.26, yerr=spread, capsize=3, color=COLOURS[5], label="sampled deals")
    for spot, name in zip(spots, names, strict=True):
        axes.annotate(f"{CLAIM[name]:.0%}", (spot - 0.27, CLAIM[name]), ha="center", va="bottom", fontsize=8)
        axes.annotate(f"{own[name]:.1%}", (spot, own[name]), ha="center", va="bottom", fontsize=8)
    axes.set_xticks(spots, names)
    axes.legend(frameon=False)
    tidy(axes, "Trumps in a dealt Schnapsen hand", "", "share of the hands")


QUESTION = Question(
    "sixty_six.trumps_dealt",
    "How many trumps are you dealt?",
    "A strategy page for Schnapsen says 1.2 trumps on average, and 0, 1, 2, 3 trumps in 19, 44, 29, 7 % of the hands.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
