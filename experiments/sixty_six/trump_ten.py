"""Does the trump ten deserve to come first: take it from the opponent, bring the own one home, keep it from the ace?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.cli.plot import COLOURS, INK
from cardsim.games.sixty_six.layout import ACE, FOLLOW, LEAD, NOBODY, RANK_POINTS, TEN
from cardsim.games.sixty_six.rules import RANKS
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
    frame,
    judge,
    measure,
    share_out,
)
from experiments.lab import moments as sums_of
from experiments.lab.plots import forest, tidy
from experiments.sixty_six.hands import View, bits, lowest_first
from experiments.sixty_six.weighing import (
    LEAST,
    OPPONENTS,
    OPPONENTS_NOTE,
    POOL_NOTE,
    Situations,
    Weighed,
    able,
    cell_table,
    effects_of,
    part,
    pooled,
    preset_game,
    weigh,
)

FORMS = ("base", "schnapsen")
TAKE, RICH, POOR, HIDE = range(4)
TIPS = (
    "take his ten with the ace",
    "win a ten or ace with the own ten",
    "win a lower card with it",
    "keep it from the lead under the ace",
)
LED = (0, 2, 3, 4, 10, 11)
CELLS = {"tip": len(TIPS), "led": len(LED)}
WANTED = [8 * suit + rank for suit in range(4) for rank in (TEN, ACE)]


def look(found: Decisions) -> Situations:
    """Choices about the trump ten with the talon open.

    Take: he has led it, and the ace is in hand; against the cheapest other card. Rich and poor: the own ten would take
    the card led, and the ace may still catch it later; against what one would play else. Hide: on lead with the ten
    while the ace is out; what one would lead else, against leading it. What one would play else is the agent's card, or
    the cheapest other one where the agent would play the ten.
    """
    states = found.states
    view = View(states, found.seat)
    ten, ace = 8 * view.trump + TEN, 8 * view.trump + ACE
    is_open = (states["closer"] == NOBODY) & (states["talon_left"] > 0)
    has_ten, has_ace = view.hand & bits(ten) > 0, view.hand & bits(ace) > 0
    ace_out = view.out & bits(ace) > 0
    best = states["best"].astype(np.int64)
    follows, leads = is_open & (states["phase"] == FOLLOW), is_open & (states["phase"] == LEAD)
    take = follows & (best == ten) & has_ace
    home = follows & has_ten & ace_out
    hide = leads & has_ten & ace_out & (found.action < 32)
    points = np.asarray(RANK_POINTS)[best & 7]
    tip = np.select([take, home & (points >= 10), home, hide], [TAKE, RICH, POOR, HIDE], -1)
    main = np.where(tip == TAKE, ace, ten)
    other = lowest_first(view.hand & ~bits(main), view.trump)
    other = np.where((found.action != main) & (found.action < 32) & (tip != TAKE), found.action, other)
    cells = {"tip": tip, "led": np.where((tip == RICH) | (tip == POOR), np.searchsorted(LED, points), -1)}
    follow = np.where(tip == HIDE, other, main)
    return Situations(found, follow, np.where(tip == HIDE, main, other), cells).where((tip >= 0) & (other >= 0))


def dealt(options: Options, hands: int) -> list[Moments]:
    """What the holder of each trump of the deal wins in base games between two `book`, by rank."""
    line = Line(preset_game("base"), ["book", "book"])

    def work(first: int, count: int) -> Sums:
        begun = line.decisions(options.seed, first, count, whose=(0, 1), most=1)
        begun = begun.where(begun.states["played"] == 0)
        _, returned = line.play(options.seed, first, count)
        gained, rank = [], []
        for seat in range(2):
            trumps = begun.states["hand"][:, seat].astype(np.uint64) >> (8 * begun.states["trump"]).astype(np.uint64)
            for number in range(len(RANKS)):
                holder = begun.number[(trumps >> np.uint64(number)) & np.uint64(1) > 0]
                gained.append(returned[holder, seat])
                rank.append(np.full(len(holder), number))
        return {"gain": sums_of(np.concatenate(gained), np.concatenate(rank), len(RANKS))}

    return measure(options, "dealt", work, max(10, hands // 2))["gain"]


def run(options: Options) -> Finding:
    """Weigh the three parts of the tip in situations; what a trump dealt is worth beside it."""
    weighed: dict[tuple[str, str], Weighed] = {}
    effects: list[Effect] = []
    switched = []
    for (preset, opponent), hands in share_out(part(options, 0.7).hands, FORMS, OPPONENTS).items():
        game, name, setting = preset_game(preset), f"{preset}-{opponent}", {"preset": preset, "opponents": opponent}
        found = weigh(options, name, game, "book", opponent, hands, WANTED, look, CELLS)
        weighed[preset, opponent] = found
        effects += effects_of(options, found.gain["tip"], TIPS, setting, "tip")
    for preset in FORMS:
        hands, setting = part(options, 0.2).hands // len(FORMS), {"preset": preset, "opponents": "book"}
        game, name = preset_game(preset), f"switch-{preset}"
        switched.append(differences(options, name, game, "book", "book(trump_ten=false)", "book", hands, setting))
    worth = dealt(options, part(options, 0.1).hands)
    effects.sort(key=lambda effect: TIPS.index(effect.setting["tip"]))
    base = able(weighed)
    tips = pooled([found.gain["tip"] for found in base])
    led, lost = (pooled([cells["led"] for cells in each]) for each in ([f.gain for f in base], [f.lost for f in base]))
    holders = [Effect({"trump dealt": _rank(rank)}, cell) for rank, cell in enumerate(worth) if cell.n >= LEAST]
    told = [f"{name} {tip.mean:+.2f}" for name, tip in zip(TIPS, tips, strict=True) if tip.n >= LEAST]
    return Finding(
        answer=(
            f"Game points earned in the base game against opponents other than random: "
            f"{'; '.join(told) or 'too few situations'}. "
            f"{_home(led)} {_dealt(holders)}"
        ),
        unit="game points per situation",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, led, holders),
        caption=(
            "Left: what following each part of the tip earns in its situations, dots with 95 % intervals. Upper right: "
            "what taking a card with the ten earns in the base game, by the points of that card. Lower right: what "
            "a player wins who is dealt each trump, base game between two `book`. Bars with 95 % intervals."
        ),
        tables={
            "Taking a card with the ten, by its points, base game": cell_table(
                options, [({}, led, lost)], [str(points) for points in LED], "points led"
            ),
            "The holder of each trump dealt": frame(holders, "game points per hand"),
            "`book` less `book(trump_ten=false)`": frame(switched, "game points per hand"),
        },
        notes=[CHOICES, WITHOUT, OPPONENTS_NOTE, POOL_NOTE],
        size=(14.0, 9.0),
    )


CHOICES = (
    "One situation a deal, drawn at random, with the talon open. Instead of taking or winning: `book`'s own card, or "
    "the cheapest other one; `book` plays on in both cases."
)
WITHOUT = "Where an effect has too few situations it is left out: `book` and `ppo` seldom lead the trump ten."


def _rank(rank: int) -> str:
    return {"T": "10"}.get(RANKS[rank], RANKS[rank])


def _home(led: list[Moments]) -> str:
    """What the ten may take with gain, and with loss."""
    fair = [(str(points), cell.interval()) for points, cell in zip(LED, led, strict=True) if cell.n >= LEAST]
    pays, costs = [p for p, (low, _) in fair if low > 0], [p for p, (_, high) in fair if high < 0]
    parts = [f"{name} with {', '.join(points)}" for name, points in (("gains", pays), ("costs", costs)) if points]
    return f"By the points of the card that it takes, the ten {' and '.join(parts)}." if parts else ""


def _dealt(holders: list[Effect]) -> str:
    if not holders:
        return ""
    parts = [f"{effect.setting['trump dealt']} {effect.mean:+.2f}" for effect in reversed(holders)]
    return f"Who is dealt a trump wins by its rank, in game points a hand: {', '.join(parts)}."


def _draw(figure: Any, effects: list[Effect], led: list[Moments], holders: list[Effect]) -> None:
    grid = figure.add_gridspec(2, 2, width_ratios=[1.1, 1])
    left, upper, lower = (figure.add_subplot(grid[place]) for place in ((slice(None), 0), (0, 1), (1, 1)))
    forest(left, effects, "game points per situation", "What following the tip earns")
    left.tick_params(axis="y", labelsize=8)
    cards = [Effect({"points": str(points)}, cell) for points, cell in zip(LED, led, strict=True) if cell.n >= LEAST]
    for axes, bars in ((upper, cards), (lower, holders)):
        for place, effect in enumerate(bars):
            low, high = effect.interval()
            axes.bar(
                place, effect.mean, width=0.6, color=COLOURS[2] if low > 0 else COLOURS[1] if high < 0 else "#999999"
            )
            axes.errorbar(place, effect.mean, yerr=(high - low) / 2, color=INK, capsize=4)
        axes.set_xticks(range(len(bars)), [effect.name for effect in bars])
        axes.axhline(0, color=INK, linewidth=0.9)
    tidy(upper, "Taking a card with the trump ten", "points of the card that it takes", "game points")
    tidy(lower, "What a trump in the first hand is worth", "trump dealt", "game points per hand")


QUESTION = Question(
    "sixty_six.trump_ten",
    "Does the trump ten come first?",
    "Give the trump ten priority in any exchange of cards: one that the opponent takes is ten points for him and costs "
    "you a sure winner (strategy section, tip 3).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
