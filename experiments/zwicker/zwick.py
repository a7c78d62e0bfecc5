"""Is a Zwick always worth taking?"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.lab import Effect, Finding, Line, Options, Question, Sums, differences, frame, judge, moments
from experiments.lab.plots import forest, heat
from experiments.zwicker.settings import LEAST, Form, against, effects_of, number_with_interval, slow_hands
from experiments.zwicker.turns import SWEEP, TAKE, compare

FORMS = (Form("no_joker", 2), Form("no_joker", 4), Form("six_joker", 2), Form("six_joker", 4), Form("grupp", 2))
SHOWN = (FORMS[0], FORMS[3])
SHOWN_OPPONENT = "book"
EVER = ("whenever there is one",)
INSTEAD = ("take some of it", "lay a card off")
ITEMS = ("1 item", "2 items", "3 items", "4 or more")


def sums(line: Line, seed: int, first: int, count: int) -> Sums:
    """The Zwick less the best other turn, by what that is and by the items on the table."""
    found = compare(line, seed, first, count, [SWEEP])
    items = np.clip(found.decisions.states["items"].astype(np.int64), 1, len(ITEMS)) - 1
    instead = (found.other != TAKE).astype(np.int64)
    return {
        "ever": moments(found.gain),
        "cell": moments(found.gain, instead * len(ITEMS) + items, len(INSTEAD) * len(ITEMS)),
        "points": moments(found.points(SWEEP)),
        "often": moments(found.often),
    }


def run(options: Options) -> Finding:
    """Take the Zwick or do the next best thing, in the same deal; then `book` with and without an eye for Zwicks."""
    slow = slow_hands(options.hands)
    found = against(options, "zwick", FORMS, max(60, slow // (3 * 15)), sums)
    effects = effects_of(found, "ever", EVER, 2)
    texts = [f"else: {other}; {items}" for other in INSTEAD for items in ITEMS]
    rows = effects_of(found, "cell", texts)
    switches = _switches(options, slow // 3)
    shown = {form: found[form, SHOWN_OPPONENT] for form in SHOWN}
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
        draw=lambda figure: _draw(figure, effects, {form: numbers["cell"] for form, numbers in shown.items()}),
        caption=(
            "Left: what clearing the table earns against the best other turn, in points of the deal, with 95 % "
            f"intervals. Right: the same with opponents {SHOWN_OPPONENT}, by what else could be done and the items on "
            f"the table; a field of fewer than {LEAST} deals is empty."
        ),
        tables={
            **({"By the table, points per Zwick": frame(rows)} if rows else {}),
            "What an eye for Zwicks is worth, points per deal": frame(switches),
        },
        notes=_notes(often),
        size=(13.0, 6.5),
    )


def _switches(options: Options, hands: int) -> list[Effect]:
    opponents = ("greedy", "book")
    share = max(200, hands // (len(FORMS) * len(opponents)))
    found = []
    for form in FORMS:
        for opponent in opponents:
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
        f"Such decisions of a seat in a deal, and what the cards score beside the Zwick: {each}.",
        "An eye for Zwicks: `book` with and without `sweeps`, against the same opponents in the same deals.",
    ]


def _draw(figure: Any, effects: list[Effect], cells: dict[Form, Any]) -> None:
    left, right = figure.subfigures(1, 2, width_ratios=[1.0, 0.9])
    axes = left.subplots()
    forest(axes, effects, "points by taking the Zwick", "Take the Zwick, or the best other turn?")
    axes.set_yticks(range(len(effects)), [f"{e.setting['form']}, {e.setting['opponents']}" for e in effects])
    for panel, (form, moment) in zip(right.subplots(len(cells)), cells.items(), strict=True):
        values = [cell.mean if cell.n >= LEAST else np.nan for cell in moment]
        title = f"{form.name}, opponents {SHOWN_OPPONENT}"
        heat(panel, np.reshape(values, (len(INSTEAD), len(ITEMS))), INSTEAD, ITEMS, "points by the Zwick", title)
        panel.set_xlabel("on the table")
        panel.set_ylabel("best other turn")


QUESTION = Question(
    "zwicker.zwick",
    "Is a Zwick always worth taking?",
    "The text: who clears the table has a Zwick, which counts more (W11, W15) or brings a bonus point (W22, W25).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
