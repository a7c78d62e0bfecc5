"""Declare a marriage at once, or wait for a better moment? In trumps and in plain suits."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.games.sixty_six.layout import KING, LEAD, PAIR_0, QUEEN
from cardsim.stats import Moments
from experiments.lab import Decisions, Effect, Finding, Options, Question, differences, frame, judge, share_out
from experiments.lab.plots import forest, heat
from experiments.sixty_six.hands import View, band, band_names, bits, count, lowest_first, ranks
from experiments.sixty_six.weighing import (
    OPPONENTS,
    OPPONENTS_NOTE,
    POOL_NOTE,
    PRESETS,
    Situations,
    Weighed,
    able,
    cell_table,
    effects_of,
    opposite,
    part,
    pooled,
    preset_game,
    shown,
    table_rows,
    weigh,
)

TALON = (2, 4, 6, 8, 10)
TALONS = ("closed or gone", "2", "4", "6", "8", "10+")
KINDS = ("trump", "plain, first half of the talon", "plain, second half", "plain, closed or gone", "reaches 66")
OUT = ("ace and ten gone or held", "one of them out", "both out")
CELLS = {"kind": len(KINDS), "plain": len(OUT) * len(TALONS), "trump": len(TALONS), "points": 2 * 4}
POINTS = (10, 20, 30)
HOLDS = "book(hold_plain_marriage=true,hold_talon=0)"
"""Declares no plain marriage while the talon is open, so that one waits at every lead to be weighed."""
INSTEAD = (
    "One situation a deal, drawn at random from the leads at which a marriage may be declared. Instead, another card "
    "is led and the pair is kept; `book` plays on in both cases and declares at its next lead."
)


def look(found: Decisions) -> Situations:
    """Leads at which a marriage may be declared, against another lead that keeps the pair together.

    Of several pairs the trump one is taken, else the first. Instead of it the card is led that the holder would lead,
    or his cheapest one where that would be of the pair.
    """
    found = found.where((found.states["phase"] == LEAD) & (found.action < PAIR_0 + 4))
    view = View(found.states, found.seat)
    free = (found.legal >> np.uint64(PAIR_0)) & np.uint64(0xF)
    in_trumps = (free >> view.trump.astype(np.uint64)) & np.uint64(1) > 0
    suit = np.where(in_trumps, view.trump, lowest_first(free, np.full(len(free), 9)))
    pair = bits(8 * suit + QUEEN) | bits(8 * suit + KING)
    rest = view.hand & ~pair
    instead = np.where((rest & bits(np.minimum(found.action, 31))) > 0, found.action, lowest_first(rest, view.trump))
    instead = np.where(found.action < PAIR_0, instead, lowest_first(rest, view.trump))
    worth = np.where(in_trumps, 40, 20)
    points = view.mine("points")
    wins = (view.mine("tricks") > 0) & (points + worth >= view.states["rules"]["goal"])
    left = np.where(found.states["closer"] >= 0, 0, found.states["talon_left"].astype(np.int64))
    rules = found.states["rules"]
    half = (rules["cards"] - 2 * rules["hand_cards"]) // 2
    kind = np.where(in_trumps, 0, np.where(left == 0, 3, np.where(left > half, 1, 2)))
    high = count(view.out & (ranks(6, 7) & (np.uint64(0xFF) << (8 * suit).astype(np.uint64))))
    talon, plain = band(left, TALON), ~in_trumps & ~wins
    cells = {
        "kind": np.where(wins, 4, kind),
        "plain": np.where(plain, len(TALONS) * high + talon, -1),
        "trump": np.where(in_trumps & ~wins, talon, -1),
        "points": np.where(wins, -1, 4 * ~in_trumps + band(points, POINTS)),
    }
    return Situations(found, PAIR_0 + suit, instead, cells).where(rest != 0)


def run(options: Options) -> Finding:
    """Declare now, or lead something else and declare at the next lead; `book` plays on."""
    weighed: dict[tuple[str, str], Weighed] = {}
    at_once: list[Effect] = []
    waiting: list[Effect] = []
    for (preset, opponent), hands in share_out(part(options, 0.8).hands, PRESETS, OPPONENTS).items():
        name, setting = f"{preset}-{opponent}", {"preset": preset, "opponents": opponent}
        pairs = [PAIR_0 + suit for suit in range(4)]
        found = weigh(options, name, preset_game(preset), HOLDS, opponent, hands, pairs, look, CELLS)
        weighed[preset, opponent] = found
        at_once += effects_of(options, found.gain["kind"][:1], ["trump, at once"], setting)
        waiting += effects_of(
            options, [opposite(found.gain["kind"][1])], ["plain, wait while the talon is full"], setting
        )
    effects = at_once + waiting
    base = able(weighed)
    late = []
    for preset in PRESETS:
        hands = part(options, 0.2).hands // len(PRESETS)
        setting, holder = {"preset": preset, "opponents": "book"}, "book(hold_plain_marriage=true)"
        late.append(differences(options, f"hold-{preset}", preset_game(preset), holder, "book", "book", hands, setting))
    kinds = pooled([found.gain["kind"] for found in base])
    (plain, lost), trump, by_points = (_both(base, division) for division in ("plain", "trump", "points"))
    named = [f"{out}, talon {talon}" for out in OUT for talon in TALONS]
    return Finding(
        answer=(
            f"Declaring now instead of at the next lead earns {kinds[0].mean:+.2f} game points for the trump marriage, "
            f"{kinds[1].mean:+.2f} for a plain one early, {kinds[2].mean:+.2f} later with the talon open, and "
            f"{kinds[3].mean:+.2f} when it is closed or gone (base game, opponents other than random). "
            f"{_cells_below(plain)}"
        ),
        unit="game points per situation",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, base),
        caption=(
            "Left: what following the tip earns where a marriage may be declared, dots with 95 % intervals. Right: "
            "what declaring a plain marriage at once earns in the base game, by the cards left in the talon and the "
            "higher cards of the suit that the opponent may hold; empty where there are fewer than 100 situations."
        ),
        tables={
            "Declaring now against at the next lead": cell_table(
                options, table_rows(weighed, "kind"), KINDS, "marriage"
            ),
            "A plain marriage, by talon and higher cards, base game": cell_table(
                options, [({}, plain, lost)], named, "suit, talon"
            ),
            "The trump marriage, by talon, base game": cell_table(options, [({}, *trump)], TALONS, "talon"),
            "By own points, base game": cell_table(
                options,
                [({}, *by_points)],
                [f"{kind}, {points} points" for kind in ("trump", "plain") for points in band_names(POINTS)],
                "marriage",
            ),
            "Holding plain marriages until six talon cards are left, less declaring them": frame(
                late, "game points per hand"
            ),
        },
        notes=[INSTEAD, "A declaration that reaches 66 ends the deal; it stands apart.", OPPONENTS_NOTE, POOL_NOTE],
        size=(15.0, 8.0),
    )


def _both(found: list[Weighed], division: str) -> tuple[list[Moments], list[Moments]]:
    return pooled([each.gain[division] for each in found]), pooled([each.lost[division] for each in found])


def _cells_below(cells: list[Moments]) -> str:
    """Where waiting with a plain marriage is shown to be better."""
    worse = [i for i, cell in enumerate(cells) if cell.n >= 100 and cell.interval()[1] < 0]
    if not worse:
        return "In no class of plain marriages waiting is shown to be better."
    named = "; ".join(f"{OUT[i // len(TALONS)]}, talon {TALONS[i % len(TALONS)]}" for i in worse)
    return f"Waiting with a plain one is better with {named}."


def _draw(figure: Any, effects: list[Effect], base: list[Weighed]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=[1, 1])
    forest(left, effects, "game points per situation", "What following the tip earns")
    left.tick_params(axis="y", labelsize=8)
    values = shown(pooled([found.gain["plain"] for found in base])).reshape(len(OUT), -1)
    heat(right, values, OUT, TALONS, "game points by declaring now", "A plain marriage, base game")
    right.set_xlabel("cards left in the talon")
    right.set_ylabel("higher cards of its suit")
    right.tick_params(axis="y", labelrotation=90)
    for label in right.get_yticklabels():
        label.set_verticalalignment("center")


QUESTION = Question(
    "sixty_six.marriages",
    "Declare a marriage at once, or wait?",
    "Choose the moment with care: a plain marriage declared too early gives up the control of the suit; the trump "
    "marriage is nearly always a great gain (strategy section, tip 5).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
