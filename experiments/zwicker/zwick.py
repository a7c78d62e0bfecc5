"""Is a Zwick always worth taking?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.playout import SCALE
from cardsim.stats import Moments
from experiments.lab import (
    Effect,
    Finding,
    Line,
    Options,
    Question,
    Sums,
    differences,
    frame,
    judge,
    moments,
    share_out,
)
from experiments.lab.plots import forest
from experiments.zwicker.settings import (
    ABLE,
    FEWEST_PAIRS,
    LEAST,
    OPPONENTS,
    OPPONENTS_NOTE,
    Form,
    against,
    effects_of,
    number_with_interval,
    slow_hands,
)
from experiments.zwicker.turns import SWEEP, TAKE, compare

FORMS = (Form("no_joker", 2), Form("no_joker", 4), Form("six_joker", 2), Form("six_joker", 4), Form("grupp", 2))
SHOWN_OPPONENT = "book"
ITEMS = ("1 item", "2 items", "3 or more items")
INSTEAD = ("takes some", "lays a card off")


def sums(line: Line, seed: int, first: int, count: int) -> Sums:
    """The Zwick less the best other turn, by the items on the table and by what that turn is."""
    found = compare(line, seed, first, count, [SWEEP])
    items = np.clip(found.decisions.states["items"].astype(np.int64), 1, len(ITEMS)) - 1
    return {
        "ever": moments(found.gain),
        "items": moments(found.gain, items, len(ITEMS)),
        "instead": moments(found.gain, (found.other != TAKE).astype(np.int64), len(INSTEAD)),
        "points": moments(found.points(SWEEP)),
        "often": moments(found.often),
    }


def run(options: Options) -> Finding:
    """Take the Zwick or do the next best thing, in the same deal; then `book` with and without an eye for Zwicks."""
    slow = slow_hands(options.hands)
    found = against(options, "zwick", FORMS, slow // 2, sums)
    effects = [
        Effect({"form": form.name, "opponents": opponent}, numbers["ever"][0])
        for (form, opponent), numbers in found.items()
        if numbers["ever"][0].n > 1
    ]
    rows = effects_of(found, "items", ITEMS) + effects_of(
        found, "instead", [f"the other turn {text}" for text in INSTEAD]
    )
    pooled = _pooled(found)
    switches = _switches(options, slow // 3)
    often = {
        f"{form.name}, {opponent}": (numbers["often"][0].mean, numbers["points"][0].mean)
        for (form, opponent), numbers in found.items()
        if numbers["points"][0].n
    }
    return Finding(
        answer=_answer(effects, switches, often),
        unit="points per Zwick",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, pooled),
        caption=(
            "Left: what clearing the table earns against the best other turn, in points of the deal, with 95 % "
            "intervals. Right: the same by the number of items on the table, all opponents together; a row of fewer "
            f"than {LEAST} deals is left out."
        ),
        tables={
            **({"By the table, points per Zwick": frame(rows)} if rows else {}),
            "What an eye for Zwicks is worth, points per deal": frame(switches),
        },
        notes=_notes(often),
        size=(13.0, 6.5),
    )


def _switches(options: Options, hands: int) -> list[Effect]:
    found = []
    for (form, opponent), share in share_out(hands, FORMS, ABLE, FEWEST_PAIRS).items():
        where = {"form": form.name, "opponents": opponent}
        name = f"sweeps-{form.preset}-{form.players}-{opponent}"
        found.append(differences(options, name, form.make(), "book", "book(sweeps=false)", opponent, share, where))
    return found


def _answer(effects: list[Effect], switches: list[Effect], often: dict[str, tuple[float, float]]) -> str:
    parts = []
    for effect in effects:
        if effect.setting["opponents"] == SHOWN_OPPONENT:
            form = effect.setting["form"]
            each, points = often[f"{form}, {SHOWN_OPPONENT}"]
            parts.append(
                f"{form}: a seat sees {each:.2f} a deal, and taking it earns {number_with_interval(effect)} points "
                f"against the best other turn (its cards score {points:.1f})."
            )
    best = max(switches, key=lambda effect: effect.mean)
    parts.append(f"An eye for Zwicks is worth most in {best.name}: {number_with_interval(best, 2)} points a deal.")
    return " ".join(parts)


def _notes(often: dict[str, tuple[float, float]]) -> list[str]:
    measured = (
        "At one decision of a deal, drawn evenly, at which a card clears the table, that and the best other turn, by "
        "the judgement of `book`, are played in the same deal, and `book` plays on."
    )
    each = "; ".join(f"{name} {count:.2f} and {points:.1f}" for name, (count, points) in often.items())
    return [
        measured,
        OPPONENTS_NOTE,
        f"Such decisions of a seat in a deal, and what the cards score beside the Zwick: {each}.",
        "An eye for Zwicks: `book` with and without `sweeps`, against the same opponents in the same deals.",
    ]


def _pooled(found: dict[tuple[Form, str], dict[str, list[Moments]]]) -> list[Effect]:
    """By form and items on the table, all opponents together."""
    sums = {
        (form, text): sum((found[form, opponent]["items"][cell] for opponent in OPPONENTS), Moments(SCALE))
        for form in FORMS
        for cell, text in enumerate(ITEMS)
    }
    return [
        Effect({"form": form.name, "items": text}, moment) for (form, text), moment in sums.items() if moment.n >= LEAST
    ]


def _draw(figure: Any, effects: list[Effect], pooled: list[Effect]) -> None:
    left, right = figure.subplots(1, 2)
    forest(left, effects, "points by taking the Zwick", "Take the Zwick, or the best other turn?")
    if pooled:
        forest(right, pooled, "points by taking the Zwick", "By what lies on the table")
    else:
        right.set_axis_off()
        right.text(0.5, 0.5, f"fewer than {LEAST} deals in every row", ha="center", transform=right.transAxes)


QUESTION = Question(
    "zwicker.zwick",
    "Is a Zwick always worth taking?",
    "The text: who clears the table has a Zwick, which counts more (W11, W15) or brings a bonus point (W22, W25).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
