"""How to play against an opponent who has closed the talon: low cards, trumps kept, and how often he fails anyway."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.games.sixty_six.layout import BEATEN_CLOSER, FAILED_CLOSE, FALSE_CLAIM, FOLLOW, LEAD
from cardsim.stats import Moments
from experiments.lab import (
    Decisions,
    Effect,
    Finding,
    Line,
    Options,
    Question,
    Sums,
    best_of,
    differences,
    frame,
    judge,
    measure,
    moments,
    share_out,
)
from experiments.lab.plots import curve, forest, tidy
from experiments.sixty_six.hands import View, count, highest_last, lowest_first, takers, unbeaten
from experiments.sixty_six.weighing import (
    LEAST,
    OPPONENTS,
    OPPONENTS_NOTE,
    POOL_NOTE,
    PRESETS,
    Situations,
    Weighed,
    able,
    effects_of,
    part,
    pooled,
    preset_game,
    weigh,
)

LOW, KEEP, CASH = range(3)
TIPS = ("give the lowest losing card", "lead a plain card, keep the trumps", "lead low, keep a winner")
FORMS = ("base", "schnapsen")
CELLS = {"tip": len(TIPS)}
TALON = 24
NUMBERS = tuple(
    f"book(defence_points={points},defence_trumps={trumps})" for points in (50, 200) for trumps in (0, 3, 20)
)


def look(found: Decisions) -> Situations:
    """Choices of one whose opponent has closed.

    Low: following with several cards none of which wins: the cheapest against the dearest. Keep: on lead with trumps
    and plain cards: the cheapest plain card against the highest trump. Cash: on lead without trumps but with a plain
    card that nothing unseen beats and another that is beaten: the cheapest of these against the dearest of those.
    """
    found = found.where(found.states["closer"].astype(np.int64) == 1 - found.seat)
    view, phase = View(found.states, found.seat), found.states["phase"]
    cards = found.legal & np.uint64(0xFFFFFFFF)
    best = found.states["best"].astype(np.int64)
    loses = cards & takers(best, view.trump) == 0
    low = (phase == FOLLOW) & loses & (count(cards) > 1)
    plain, trumps = cards & ~view.trumps, cards & view.trumps
    keep = (phase == LEAD) & (plain > 0) & (trumps > 0)
    sure = unbeaten(plain, view.out)
    cash = (phase == LEAD) & (trumps == 0) & (sure > 0) & (plain & ~sure > 0)
    tip = np.select([low, keep, cash], [LOW, KEEP, CASH], -1)
    follow = lowest_first(np.select([low, keep, cash], [cards, plain, plain & ~sure], cards), view.trump)
    instead = highest_last(np.select([low, keep, cash], [cards, trumps, sure], cards), view.trump)
    return Situations(found, follow, instead, {"tip": tip}).where((tip >= 0) & (follow != instead))


def failing(options: Options, preset: str, opponent: str, hands: int) -> list[Moments]:
    """Share of closers that do not win, by the talon's cards at closing; `opponent` closes against `book`."""
    line = Line(preset_game(preset), ["book", opponent])

    def work(first: int, count: int) -> Sums:
        states, returned = line.play(options.seed, first, count)
        lost = np.isin(states["reason"], (BEATEN_CLOSER, FAILED_CLOSE, FALSE_CLAIM)) & (returned[:, 1] < 0)
        cell = np.where(states["closer"] == 1, states["talon_left"].astype(np.int64), -1)
        return {"lost": moments(lost, cell, TALON)}

    return measure(options, f"failing-{preset}-{opponent}", work, max(10, hands))["lost"]


def run(options: Options) -> Finding:
    """Weigh the parts of the tip after a close; how early closers fare; the numbers of the defence."""
    weighed: dict[tuple[str, str], Weighed] = {}
    effects: list[Effect] = []
    for (preset, opponent), hands in share_out(part(options, 0.5).hands, FORMS, OPPONENTS).items():
        game, name, setting = preset_game(preset), f"{preset}-{opponent}", {"preset": preset, "opponents": opponent}
        found = weigh(options, name, game, "book", opponent, hands, [], look, CELLS)
        weighed[preset, opponent] = found
        effects += effects_of(options, found.gain["tip"], TIPS, setting, "tip")
    effects.sort(key=lambda effect: TIPS.index(effect.setting["tip"]))
    fails = {
        opponent: failing(options, "base", opponent, hands)
        for (_, opponent), hands in share_out(part(options, 0.1).hands, ["base"], OPPONENTS).items()
    }
    switched = []
    for preset in PRESETS:
        hands, setting = part(options, 0.2).hands // len(PRESETS), {"preset": preset, "opponents": "book"}
        game, name = preset_game(preset), f"switch-{preset}"
        switched.append(differences(options, name, game, "book", "book(defence=false)", "book", hands, setting))
    tuned, best = best_of(
        options, "numbers", preset_game("base"), NUMBERS, "book(defence=false)", "book", part(options, 0.2).hands
    )
    base = able(weighed)
    tips = pooled([found.gain["tip"] for found in base])
    told = [f"{name} {tip.mean:+.2f}" for name, tip in zip(TIPS, tips, strict=True) if tip.n >= LEAST]
    return Finding(
        answer=(
            f"Game points earned in the base game against a closer other than random: "
            f"{'; '.join(told) or 'too few situations'}. {_signals(fails)}"
        ),
        unit="game points per situation",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, fails),
        caption=(
            "Left: what following each part of the tip earns in its situations, dots with 95 % intervals. Right: how "
            "often one who closes does not win the deal, by the cards left in the talon when he closes, base game; "
            "bands are 95 % intervals."
        ),
        tables={
            "Closers who do not win, base game": _closers(fails),
            "`book` less `book(defence=false)`": frame(switched, "game points per hand"),
            "Numbers of the defence less none, base game, chosen on half of the hands": frame(
                tuned, "game points per hand"
            ),
            "The best of them, on the other half": frame([best], "game points per hand"),
        },
        notes=[CHOICES, OPPONENTS_NOTE, POOL_NOTE],
        size=(14.0, 7.0),
    )


CHOICES = (
    "One situation a deal, drawn at random after the opponent has closed, `book` playing on in both cases. Low: "
    "following with several cards none of which wins, the cheapest against the dearest. Trumps: on lead, the cheapest "
    "plain card against the highest trump. Winner: on lead without trumps, the cheapest beaten card against the "
    "dearest unbeaten one."
)


def _signals(fails: dict[str, list[Moments]]) -> str:
    """How closers fare early and late."""
    parts = []
    for opponent, cells in fails.items():
        fair = [left for left, cell in enumerate(cells) if cell.n >= LEAST]
        if fair:
            early, late = fair[-1], fair[0]
            parts.append(
                f"`{opponent}` fails in {cells[early].mean:.0%} of its closes with {early} cards in the talon and in "
                f"{cells[late].mean:.0%} with {late}"
            )
    return f"{'; '.join(parts)}." if parts else ""


def _closers(fails: dict[str, list[Moments]]) -> Any:
    import pandas as pd

    rows = []
    for opponent, cells in fails.items():
        for left, cell in enumerate(cells):
            if cell.n >= LEAST:
                low, high = cell.interval()
                share = {"do not win, %": 100 * cell.mean, "low": 100 * low, "high": 100 * high}
                rows.append({"closer": opponent, "talon": left, **share, "n": cell.n})
    return pd.DataFrame(rows, columns=["closer", "talon", "do not win, %", "low", "high", "n"])


def _draw(figure: Any, effects: list[Effect], fails: dict[str, list[Moments]]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=[1, 1])
    forest(left, effects, "game points per situation", "What following the tip earns")
    left.tick_params(axis="y", labelsize=8)
    for number, (opponent, cells) in enumerate(fails.items()):
        fair = [talon for talon, cell in enumerate(cells) if cell.n >= LEAST]
        if fair:
            curve(right, fair, [Effect({}, cells[talon]) for talon in fair], f"{opponent} closes", number)
            right.legend(frameon=False)
    right.set_ylim(0, 1)
    tidy(right, "How often a close fails", "cards left in the talon at closing", "share of closes that lose the deal")


QUESTION = Question(
    "sixty_six.defence",
    "How to play against one who has closed?",
    "An early close signals a strong hand: play low in your weak suits and keep the trumps, so that he does not reach "
    "66 (strategy section, tip 6).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
