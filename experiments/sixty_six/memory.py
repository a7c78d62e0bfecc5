"""How many opponent hands are still possible after each trick, and what remembering the cards is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.cli.plot import INK
from cardsim.games.sixty_six.layout import LEAD, NOBODY
from cardsim.stats import Moments
from experiments.lab import (
    Decisions,
    Effect,
    Finding,
    Line,
    Options,
    Question,
    Sums,
    differences,
    judge,
    measure,
    moments,
    share_out,
)
from experiments.lab.plots import curve, forest, tidy
from experiments.sixty_six.hands import View
from experiments.sixty_six.weighing import (
    BLOCK,
    LEAST,
    OPPONENTS,
    OPPONENTS_NOTE,
    PRESETS,
    part,
    preset_game,
)

TRICKS = 16
MOST = 64
"""Decisions of a deal that are looked at: all of them."""
WAYS = ("nobody closed", "opponent closed", "the player closed")
COUNTED = ("base", "schnapsen")
FINE = 50
"""Logarithms are added up times this, so that rounding does not show."""
TIP_TRICKS = (7, 8)
"""The tip says that the hand can be told at these tricks."""
COUNTING = (
    "Possible hands are counted at each lead of games between two `book`, for the player on lead: from the cards that "
    "he has not seen, less those that the opponent has shown to lack, with those that he has shown to hold."
)
REMEMBERING = (
    "Remembering: `book` against `book(memory=false)`, which knows its hand, the turned card, the trick on the table "
    "and both totals, but none of the cards played."
)


def look(found: Decisions) -> tuple[Any, Any, Any]:
    """The first lead of each trick: tricks played, who has closed, how many hands the opponent may hold.

    Returns:
        int64 (N,); int64 (N,), an index into WAYS, seen by the one who leads; float64 (N,).
    """
    states = found.states
    trick = states["played"].astype(np.int64) // 2
    key = found.number * (TRICKS + 1) + trick
    order = np.flatnonzero(states["phase"] == LEAD)
    _, first = np.unique(key[order], return_index=True)
    kept = found.where(order[first])
    closer = kept.states["closer"].astype(np.int64)
    way = np.where(closer == NOBODY, 0, np.where(closer == kept.seat, 2, 1))
    return trick[order[first]], way, View(kept.states, kept.seat).ways()


def possible(options: Options, preset: str, opponent: str, hands: int) -> dict[str, list[Moments]]:
    """By who closed and tricks played: FINE times log2 of the possible hands, and 1 where only one is left."""
    line = Line(preset_game(preset), ["book", opponent])

    def work(first: int, count: int) -> Sums:
        trick, way, ways = look(line.decisions(options.seed, first, count, whose=(0, 1), most=MOST))
        cell = TRICKS * way + np.minimum(trick, TRICKS - 1)
        size = TRICKS * len(WAYS)
        return {"bits": moments(FINE * np.log2(ways), cell, size), "one": moments(ways < 1.5, cell, size)}

    return measure(options, f"possible-{preset}-{opponent}", work, max(10, hands), block=BLOCK)


def run(options: Options) -> Finding:
    """Count the hands in games of `book`, and compare it with itself without a memory on the same deals."""
    import pandas as pd

    counted = {preset: possible(options, preset, "book", part(options, 0.2).hands) for preset in COUNTED}
    effects = []
    for (preset, opponent), hands in share_out(part(options, 0.6).hands, PRESETS, OPPONENTS).items():
        setting, name = {"preset": preset, "opponents": opponent}, f"{preset}-{opponent}"
        effects.append(
            differences(options, name, preset_game(preset), "book", "book(memory=false)", opponent, hands, setting)
        )
    rows = []
    for preset, found in counted.items():
        for cell, (size, one) in enumerate(zip(found["bits"], found["one"], strict=True)):
            way, trick = divmod(cell, TRICKS)
            if size.n >= LEAST:
                low, high = size.interval()
                typical = {
                    "typical number": 2 ** (size.mean / FINE),
                    "low": 2 ** (low / FINE),
                    "high": 2 ** (high / FINE),
                }
                known = {"only one left, %": 100 * one.mean, "n": size.n}
                rows.append({"preset": preset, "closed": WAYS[way], "before trick": trick + 1, **typical, **known})
    base = counted["base"]
    return Finding(
        answer=f"{_told(base)} Remembering earns {_range(effects)} game points a hand.",
        unit="game points per hand",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, base, effects),
        caption=(
            "Left: how many hands the opponent may hold before each trick of the base game, for a player who has seen "
            "and remembers everything (geometric mean, logarithmic axis; bands are 95 % intervals). "
            "Right: what remembering earns, dots with 95 % intervals."
        ),
        tables={"Hands that the opponent may hold": pd.DataFrame(rows)},
        notes=[COUNTING, REMEMBERING, OPPONENTS_NOTE],
        size=(13.0, 5.5),
    )


def _hands(logarithm: float) -> float:
    return float(f"{2 ** (logarithm / FINE):.5g}")


def _told(found: dict[str, list[Moments]]) -> str:
    """What is known at the tricks that the tip names, with an open and with a closed talon."""
    parts = []
    for way, name in enumerate(("while nobody has closed", "once the opponent has closed")):
        cells = [TRICKS * way + trick - 1 for trick in TIP_TRICKS]
        told = [found["one"][cell].mean for cell in cells if found["one"][cell].n >= LEAST]
        if told:
            spread = " and ".join(f"{share:.0%}" for share in told)
            parts.append(f"{name}, his hand is certain before tricks 7 and 8 in {spread} of the deals")
    open_share = found["one"][TIP_TRICKS[0] - 1].n / found["one"][0].n
    text = "; ".join(parts) or "too few deals reach trick 7"
    return f"{text[0].upper()}{text[1:]}. Only {open_share:.0%} of the deals come to trick 7 with nobody having closed."


def _range(effects: list[Effect]) -> str:
    least, most = min(effects, key=lambda e: e.mean), max(effects, key=lambda e: e.mean)
    return f"{least.mean:+.2f} ({least.name}) to {most.mean:+.2f} ({most.name})"


def _draw(figure: Any, found: dict[str, list[Moments]], effects: list[Effect]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
    for way, name in enumerate(WAYS):
        cells = found["bits"][TRICKS * way : TRICKS * (way + 1)]
        kept = [trick for trick, cell in enumerate(cells) if cell.n >= LEAST]
        if kept:
            curve(left, [trick + 1 for trick in kept], [Effect({}, cells[trick]) for trick in kept], name, way)
    powers = range(0, 15, 2)
    left.set_yticks([FINE * power for power in powers], [f"{2**power:,}" for power in powers])
    left.set_xticks(range(1, 13))
    left.axvspan(TIP_TRICKS[0] - 0.1, TIP_TRICKS[1] + 0.1, color=INK, alpha=0.08)
    left.annotate("where the tip says\nthat it can be told", (TIP_TRICKS[1] + 0.2, 10 * FINE), fontsize=8, color=INK)
    left.legend(frameon=False)
    tidy(left, "Hands the opponent may hold", "before trick", "possible hands")
    forest(right, effects, "game points per hand by remembering", "What remembering earns")


QUESTION = Question(
    "sixty_six.memory",
    "Can you tell the opponent's hand at trick 7 or 8, and what is remembering worth?",
    "Memorise every card played: a disciplined player can work out the opponent's whole hand at trick 7 or 8 (strategy "
    "section, tip 1).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
