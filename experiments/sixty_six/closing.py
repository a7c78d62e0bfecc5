"""When does closing the talon pay? By what a player can count on, by points, trumps, tricks and talon."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.cli.plot import INK
from cardsim.games.sixty_six.layout import ACT_CLOSE, ACT_DRAW, DRAW, LEAD, PAIR_0
from cardsim.stats import Moments
from experiments.lab import Decisions, Effect, Finding, Options, Question, best_of, differences, frame, judge, share_out
from experiments.lab.plots import curve, heat, tidy
from experiments.sixty_six.hands import STANDINGS, View, band, band_names, count
from experiments.sixty_six.weighing import (
    LEAST,
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

REACH = (36, 46, 56, 61, 66, 71, 76, 86)
POINTS = (10, 20, 30, 40, 50)
TRUMPS = ("0", "1", "2", "3", "4+")
TALON = (4, 6, 8, 10, 12)
BANDS = len(REACH) + 1
CELLS = {
    "tip": 2,
    "reach": BANDS,
    "high cards": BANDS,
    "points, trumps": (len(POINTS) + 1) * len(TRUMPS),
    "standing, talon": len(STANDINGS) * (len(TALON) + 1),
}
NEVER = "book(closing=false)"
THRESHOLDS = tuple(f"book(close_at={total})" for total in (51, 56, 61, 66, 71, 81))
"""`book` closes at an expected total of its own, finer than the careful count."""
COUNT = (
    "The careful count: own points, marriages in hand, trumps that nothing beats, and high plain cards where the "
    "opponent's trumps are likely to be drawn or he is likely to follow; 3 points more for each such trick."
)
INSTEAD = (
    "One situation a deal, drawn at random from the leads of a player who has not closed so far. Instead of closing he "
    "leads the card that `book` would lead, and may close later; `book` plays on in both cases."
)


def look(found: Decisions) -> Situations:
    """Leads at which one may close, with the card to be led instead; exchange and marriage come before either."""
    found = found.where((found.states["phase"] == LEAD) & (found.action < PAIR_0))
    return Situations(found, np.full(len(found), ACT_CLOSE), found.action, cells_of(found))


def look_before_draw(found: Decisions) -> Situations:
    """The choice after a trick: close with short hands, or draw and stay free to close."""
    found = found.where(found.states["phase"] == DRAW)
    return Situations(found, np.full(len(found), ACT_CLOSE), np.full(len(found), ACT_DRAW), cells_of(found))


def cells_of(found: Decisions) -> dict[str, Any]:
    """The cells of `CELLS`."""
    view = View(found.states, found.seat)
    points = band(view.mine("points") + view.mine("pending"), POINTS)
    trumps = np.minimum(count(view.hand & view.trumps), len(TRUMPS) - 1)
    return {
        "tip": np.where(view.reach >= 66, 0, np.where(view.reach >= 56, 1, -1)),
        "reach": band(view.reach, REACH),
        "high cards": band(view.high_cards, REACH),
        "points, trumps": len(TRUMPS) * points + trumps,
        "standing, talon": (len(TALON) + 1) * view.standing + band(found.states["talon_left"], TALON),
    }


def run(options: Options) -> Finding:
    """Close, or lead a card and stay free to close later: both played on by `book` in the same deals."""
    weighed: dict[tuple[str, str], Weighed] = {}
    effects: list[Effect] = []
    for (preset, opponent), hands in share_out(part(options, 0.6).hands, PRESETS, OPPONENTS).items():
        name, game, setting = f"{preset}-{opponent}", preset_game(preset), {"preset": preset, "opponents": opponent}
        found = weigh(options, name, game, NEVER, opponent, hands, [ACT_CLOSE], look, CELLS)
        weighed[preset, opponent] = found
        with_66, short = found.gain["tip"]
        tips = [with_66, opposite(short)]
        effects += effects_of(options, tips, ["close with a reach of 66+", "do not with 56-65"], setting)
    base = able(weighed)
    game, hands = preset_game("base"), part(options, 0.1).hands
    early = weigh(options, "before-draw", game, NEVER, "book", hands, [ACT_DRAW], look_before_draw, CELLS)
    never = _never_closing(part(options, 0.1))
    sweep, best = best_of(options, "close-at", game, THRESHOLDS, NEVER, "book", part(options, 0.2).hands)
    gain, lost = _pools(base, "tip")
    names = band_names(REACH)
    careless = [
        ({"opponents": o}, f.gain["high cards"], f.lost["high cards"]) for (p, o), f in weighed.items() if p == "base"
    ]
    hands_named = [f"{p} points, {t} trumps" for p in band_names(POINTS) for t in TRUMPS]
    standings_named = [f"{s}, talon {t}" for s in STANDINGS for t in band_names(TALON)]
    return Finding(
        answer=(
            f"With a careful count of 66 or more, closing earns {gain[0].mean:+.2f} game points against leading on, "
            f"and {lost[0].mean:.0%} of the closers lose; with 56 to 65 it earns {gain[1].mean:+.2f} and "
            f"{lost[1].mean:.0%} lose (base game, opponents other than random). {_turn(weighed, names)}"
        ),
        unit="game points per situation",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, weighed, base),
        caption=(
            "Left: game points that closing earns against leading on, by the count before closing, base game; bands "
            "are 95 % intervals, the dashed line counts every high card, whether it can be trumped or not. Middle and "
            "right: the same by own points and trumps in hand, and by the opponent's standing and the talon, against "
            "opponents other than random; empty where there are fewer than 100 situations."
        ),
        tables={
            "Closing by the careful count": cell_table(options, table_rows(weighed, "reach"), names, "count"),
            "Closing by all high cards, base game": cell_table(options, careless, names, "count"),
            "Closing by points and trumps, base game": cell_table(
                options, [({}, *_pools(base, "points, trumps"))], hands_named, "hand"
            ),
            "Closing by the opponent's standing and the talon, base game": cell_table(
                options, [({}, *_pools(base, "standing, talon"))], standings_named, "opponent, talon"
            ),
            "Closing before drawing against drawing first, base game, book": cell_table(
                options, [({}, early.gain["reach"], early.lost["reach"])], names, "count"
            ),
            "A player who closes less one who never does": frame(never, "game points per hand"),
            "Closing at an expected total, less never closing, base game, chosen on half of the hands": frame(
                sweep, "game points per hand"
            ),
            "The best of them, on the other half": frame([best], "game points per hand"),
        },
        notes=[
            COUNT,
            INSTEAD,
            "lost, %: share of the deals that the closer loses.",
            OPPONENTS_NOTE,
            POOL_NOTE,
        ],
        size=(15.0, 4.8),
    )


def _pools(found: list[Weighed], division: str) -> tuple[list[Moments], list[Moments]]:
    return pooled([each.gain[division] for each in found]), pooled([each.lost[division] for each in found])


def _never_closing(options: Options) -> list[Effect]:
    made = []
    for (preset, opponent), hands in share_out(options.hands, PRESETS, OPPONENTS).items():
        setting, name = {"preset": preset, "opponents": opponent}, f"never-{preset}-{opponent}"
        made.append(differences(options, name, preset_game(preset), "book", NEVER, opponent, hands, setting))
    return made


def _turn(weighed: dict[tuple[str, str], Weighed], names: list[str]) -> str:
    """From which band on closing pays, for each opponent in the base game."""
    parts = []
    for opponent in OPPONENTS:
        paying = [cell.n > 1 and cell.interval()[0] > 0 for cell in weighed["base", opponent].gain["reach"]]
        first = next((i for i in range(len(paying)) if all(paying[i:])), None)
        parts.append(f"{'no count' if first is None else f'{names[first]} on'} against {opponent}")
    return f"It is shown to pay from {', from '.join(parts)}."


def _draw(figure: Any, weighed: dict[tuple[str, str], Weighed], base: list[Weighed]) -> None:
    left, middle, right = figure.subplots(1, 3, width_ratios=[1.3, 1, 1])
    for number, opponent in enumerate(OPPONENTS):
        cells = weighed["base", opponent].gain["reach"]
        kept = [i for i, cell in enumerate(cells) if cell.n >= LEAST]
        if kept:
            curve(left, kept, [Effect({}, cells[i]) for i in kept], f"careful count, against {opponent}", number)
    left.plot(shown(weighed["base", "book"].gain["high cards"]), "--", color=INK, label="all high cards, against book")
    left.legend(frameon=False, fontsize=8)
    left.axhline(0, color=INK, linewidth=0.9)
    left.set_xticks(range(BANDS), band_names(REACH), rotation=45, ha="right")
    tidy(left, "What closing earns, by the count before it", "points counted before closing", "game points")
    values = shown(_pools(base, "points, trumps")[0]).reshape(-1, len(TRUMPS))
    heat(middle, values, band_names(POINTS), TRUMPS, "game points", "... by own points and trumps")
    middle.set_xlabel("trumps in hand")
    middle.set_ylabel("own points")
    values = shown(_pools(base, "standing, talon")[0]).reshape(len(STANDINGS), -1)
    heat(
        right,
        values,
        STANDINGS,
        ["2", "4", "6", "8", "10", "12"],
        "game points",
        "... by the opponent's standing and the talon",
    )
    right.set_xlabel("cards left in the talon")


QUESTION = Question(
    "sixty_six.closing",
    "When does closing the talon pay?",
    "Close only when 66 can be reached with the cards held and the likely captures; closing when short of that turns a "
    "hand that could be won into a loss of 2 or 3 (strategy section, tip 2).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
