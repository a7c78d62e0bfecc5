"""Is the exchange of the lowest trump worth what the text says, and does keeping that card for it pay?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.cli.plot import COLOURS, INK
from cardsim.games.sixty_six.layout import ACE, ACT_CLAIM, ACT_EXCHANGE, FOLLOW, KING, NOBODY, QUEEN, RANK_POINTS, TEN
from cardsim.games.sixty_six.rules import JACK, NINE, SEVEN
from cardsim.stats import Moments
from experiments.lab import Decisions, Effect, Finding, Options, Question, differences, judge, share_out
from experiments.lab.plots import forest, tidy
from experiments.sixty_six.hands import View, band, bits, count, lowest_first, ranks
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
    part,
    pooled,
    preset_game,
    table_rows,
    weigh,
)

NEVER = "book(exchange=false)"
TURNED = ("jack", "queen", "queen, makes the marriage", "king", "king, makes the marriage", "ten", "ace")
TURNED_POINTS = tuple(RANK_POINTS[rank] for rank in (JACK, QUEEN, QUEEN, KING, KING, TEN, ACE))
LED = ("0 to 4 points", "10 or 11 points")
BESIDE = ("with the trump jack or queen", "without them")
KEEPS = {"all": 1, "led": len(BESIDE) * len(LED)}
EXCHANGING = (
    f"Exchange: `book` against `{NEVER}` on the same deals; by the turned card in situations, one a deal, with "
    f"`{NEVER}` playing on in both cases."
)
KEEPING = (
    "Keeping: one situation a deal, drawn at random from the plain cards led to a hand with the lowest trump while the "
    "exchange is still ahead; instead of it `book` plays its own choice, or its cheapest other card."
)


def look_exchange(found: Decisions) -> Situations:
    """Leads at which the exchange is possible, against what one does who never exchanges; by the turned card."""
    found = found.where(found.action != ACT_CLAIM)
    view = View(found.states, found.seat)
    turned = found.states["up"].astype(np.int64) & 7
    other_half = bits(8 * view.trump + np.where(turned == QUEEN, KING, QUEEN))
    makes = np.isin(turned, (QUEEN, KING)) & (view.hand & other_half > 0)
    place = np.select([turned == rank for rank in (JACK, QUEEN, KING, TEN, ACE)], [0, 1, 3, 5, 6], -1)
    cells = {"turned": np.where(place >= 0, place + makes, -1), "all": np.zeros(len(found), np.int64)}
    return Situations(found, np.full(len(found), ACT_EXCHANGE), found.action, cells)


def look_keep(found: Decisions) -> Situations:
    """Plain cards led while the lowest trump could take them: keep it for a later exchange, or take the trick with it.

    Only while the exchange will still be possible after this trick.
    """
    states = found.states
    view = View(states, found.seat)
    led = states["best"].astype(np.int64)
    later = (states["phase"] == FOLLOW) & (states["closer"] == NOBODY) & (states["talon_left"] >= 4)
    turned = np.isin(states["up"].astype(np.int64) & 7, (JACK, QUEEN, KING, TEN, ACE))
    held = (view.hand & view.swap > 0) & (count(view.hand) > 1)
    chosen = np.flatnonzero(later & turned & held & (led >> 3 != view.trump))
    found, view, led = found.where(chosen), View(states[chosen], found.seat[chosen]), led[chosen]
    nine = lowest_first(view.swap, np.full(len(found), 9))
    cheapest = lowest_first(view.hand & ~view.swap, view.trump)
    beside = np.where(view.hand & view.trumps & ranks(JACK, QUEEN) & ~view.swap > 0, 0, 1)
    fat = band(np.asarray(RANK_POINTS)[led & 7], (10,))
    cells = {"all": np.zeros(len(found), np.int64), "led": len(LED) * beside + fat}
    return Situations(found, np.where(found.action == nine, cheapest, found.action), nine, cells)


def run(options: Options) -> Finding:
    """Exchange or not, at all and by the turned card; keep the lowest trump or spend it."""
    by_card: dict[tuple[str, str], Weighed] = {}
    kept: dict[tuple[str, str], Weighed] = {}
    exchanging: list[Effect] = []
    keeping: list[Effect] = []
    pieces = {name: share_out(part(options, 1 / 3).hands, PRESETS, OPPONENTS) for name in ("all", "turned", "keep")}
    for (preset, opponent), hands in pieces["all"].items():
        game, name, setting = preset_game(preset), f"{preset}-{opponent}", {"preset": preset, "opponents": opponent}
        exchanging.append(
            differences(options, name, game, "book", NEVER, opponent, hands, {**setting, "tip": "exchange"})
        )
        sizes, hands = {"all": 1, "turned": len(TURNED)}, pieces["turned"][preset, opponent]
        by_card[preset, opponent] = weigh(
            options, f"turned-{name}", game, NEVER, opponent, hands, [ACT_EXCHANGE], look_exchange, sizes, hero=NEVER
        )
        lows = [8 * suit + rank for suit in range(4) for rank in (SEVEN, NINE, JACK)]
        found = weigh(
            options, f"keep-{name}", game, "book", opponent, pieces["keep"][preset, opponent], lows, look_keep, KEEPS
        )
        kept[preset, opponent] = found
        keeping += effects_of(options, found.gain["all"], ["keep the lowest trump"], setting, "tip")
    effects = exchanging + keeping
    base = able(by_card)
    cards, all_cards = pooled([found.gain["turned"] for found in base]), pooled([found.gain["all"] for found in base])
    beside = _beside(able(kept))
    situations = [f"{led} led, {beside}" for beside in BESIDE for led in LED]
    least, most = min(TURNED_POINTS), max(TURNED_POINTS)
    return Finding(
        answer=(
            f"The card that it brings is worth {least} to {most} points, {_mean_points():g} on average over the ranks. "
            f"Where an exchange is possible it earns {all_cards[0].mean:+.2f} game points (base game, opponents other "
            f"than random), {_extremes(cards)}. {_keeping(keeping)}{beside}"
        ),
        unit="game points: per hand for the exchange, per situation for keeping",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, cards),
        caption=(
            "Left: what exchanging earns a hand, and what keeping the lowest trump earns where it could take a plain "
            "card, dots with 95 % intervals. Right: what an exchange earns in the base game by the card that it "
            "brings, with 95 % intervals; in brackets that card's points."
        ),
        tables={
            "Exchanging against never exchanging, by the turned card": cell_table(
                options, table_rows(by_card, "turned"), TURNED, "turned"
            ),
            "Keeping the lowest trump against taking the trick with it": cell_table(
                options, table_rows(kept, "led"), situations, "situation"
            ),
        },
        notes=[EXCHANGING, KEEPING, OPPONENTS_NOTE, POOL_NOTE],
        size=(14.0, 8.0),
    )


def _mean_points() -> float:
    ranks_turned = {JACK, QUEEN, KING, TEN, ACE}
    return sum(RANK_POINTS[rank] for rank in ranks_turned) / len(ranks_turned)


def _extremes(cells: list[Moments]) -> str:
    """What the least and the most valuable turned card earn."""
    fair = [i for i, cell in enumerate(cells) if cell.n >= LEAST]
    if not fair:
        return "with too few of each card to tell them apart"
    low, high = min(fair, key=lambda i: cells[i].mean), max(fair, key=lambda i: cells[i].mean)
    return f"from {cells[low].mean:+.2f} for {_named(low)} to {cells[high].mean:+.2f} for {_named(high)}"


def _beside(found: list[Weighed]) -> str:
    """Whether keeping pays more with the cards that the tip asks for."""
    cells = pooled([each.gain["led"] for each in found])
    sides = [sum(cells[k + 1 : k + len(LED)], cells[k]) for k in range(0, len(cells), len(LED))]
    if min(side.n for side in sides) < LEAST:
        return ""
    told = " and ".join(f"{side.mean:+.2f} {name}" for name, side in zip(BESIDE, sides, strict=True))
    return f" In the base game it earns {told}."


def _named(place: int) -> str:
    """The turned card in a sentence."""
    rank, _, makes = TURNED[place].partition(", makes")
    return f"{'an' if rank == 'ace' else 'a'} {rank}{f' that makes{makes}' if makes else ''}"


def _keeping(effects: list[Effect]) -> str:
    better = sum(effect.interval()[0] > 0 for effect in effects)
    worse = sum(effect.interval()[1] < 0 for effect in effects)
    return f"Keeping the lowest trump gains in {better} of {len(effects)} settings and costs in {worse}."


def _draw(figure: Any, effects: list[Effect], cards: list[Moments]) -> None:
    left, right = figure.subplots(1, 2)
    forest(left, effects, "game points", "Exchanging, and keeping the card for it")
    left.tick_params(axis="y", labelsize=8)
    fair = [i for i, cell in enumerate(cards) if cell.n >= LEAST]
    for i in fair:
        low, high = cards[i].interval()
        right.bar(i, cards[i].mean, color=COLOURS[0], width=0.6)
        right.errorbar(i, cards[i].mean, yerr=(high - low) / 2, color=INK, capsize=4)
    labels = [f"{name} ({worth})" for name, worth in zip(TURNED, TURNED_POINTS, strict=True)]
    right.set_xticks(
        range(len(TURNED)), [label.replace(", makes the ", "\nmakes the\n") for label in labels], fontsize=8
    )
    tidy(right, "What an exchange earns, by the card it brings", "turned card (points)", "game points")


QUESTION = Question(
    "sixty_six.exchange",
    "Is the exchange of the lowest trump worth it, and should you keep the card for it?",
    "Keep the nine of trumps for the exchange if you also hold the trump jack or queen: it often brings 2 to 11 points "
    "at once (strategy section, tip 4).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
