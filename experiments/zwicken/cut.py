"""How many chips does the cut move, and to whom?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from cardsim.cli.plot import COLOURS
from cardsim.games.zwicken.layout import CUT_CHIPS, STAKED
from cardsim.stats import Moments
from experiments.lab import Effect, Finding, Line, Options, Question, Sums, frame, judge, measure, moments
from experiments.lab.plots import tidy
from experiments.zwicken.cut_exact import Cut, exact, paid_for_belli
from experiments.zwicken.staying import OPPONENTS, TOO_FEW, Table, block_of, effects_of, legend

SHOWN = "book"
"""Whose deals are shown and compared with the exact numbers: the cut comes before any decision."""
SEATS = 5
FIRST = {"first_dealer": 0}
PLAYERS = [Table(f"{n} players", options={"players": n, **FIRST}) for n in (2, 3, 4, 5)]
FOUR = PLAYERS[2]
FORMS = [
    Table("36 cards, 4 players", "styrian", FIRST),
    Table("4 players, all others paid", options={"belli_cut": "pay_all_others", **FIRST}),
    Table("4 players, all others into the pot", options={"belli_cut": "pot_jump", **FIRST}),
    Table("4 players, Ace or 7 moves the deal", options={"cut_rule": "hop", **FIRST}),
    Table("4 players, nobody paid, ante back", options={"belli_cut": "none", "belli_cut_ante": "returned", **FIRST}),
]
TABLES = PLAYERS + FORMS
SIGMAS = 4
MANY = 1_000
"""Deals from which a mean of such rare events is near normal."""
Sum = dict[str, list[Moments]]
Found = dict[tuple[str, str], Sum]


def cut_sums(options: Options, table: Table, opponent: str, count: int) -> Sum:
    """Play deals that seat 0 deals first.

    Returns:
        "cuts", "belli cuts", "moved" in one cell; "net" by seat; "return" by seat, and SEATS more where the Belli was
        cut.
    """
    game = table.game
    players, stake = game.num_players, int(game.rules["stake"])
    line = Line(game, [opponent] * players)
    seat = np.arange(players)

    def work(first: int, number: int) -> Sums:
        states, returned = line.play(options.seed, first, number)
        staked = states["counts"][:, STAKED, :players].astype(float)
        shown = states["belli_cuts"].astype(np.int64)
        net = states["counts"][:, CUT_CHIPS, :players] - staked + stake * (seat == 0)
        cell = seat + SEATS * (shown > 0)[:, None]
        return {
            "cuts": moments(states["cuts"].astype(float)),
            "belli cuts": moments(shown.astype(float)),
            "moved": moments(staked.sum(axis=1) - stake + stake * paid_for_belli(game.rules) * shown),
            "net": moments(net, np.broadcast_to(seat, net.shape), SEATS),
            "return": moments(returned, cell, 2 * SEATS),
        }

    deals = max(2, count)
    return measure(options, f"{table.label}-{opponent}", work, deals, main=("moved", 0), block=block_of(deals))


def pairs(found: Found) -> Iterator[tuple[str, str, float, Moments]]:
    """Table, name of a number, its exact and its simulated mean; the cut is the same whoever plays."""
    for table in TABLES:
        sums, known = found[table.label, SHOWN], exact(table.game.rules)
        yield table.label, "cuts", known.cuts, sums["cuts"][0]
        yield table.label, "Belli cuts", known.belli_cuts, sums["belli cuts"][0]
        yield table.label, "chips moved", known.moved, sums["moved"][0]
        for seat, net in enumerate(known.net):
            yield table.label, f"net chips of {seat_name(seat, len(known.net))}", float(net), sums["net"][seat]


def compared(found: Found) -> pd.DataFrame:
    """Simulated means beside the exact ones."""
    rows = [(label, name, value, cell.mean, *cell.interval(), cell.n) for label, name, value, cell in pairs(found)]
    return pd.DataFrame(rows, columns=["table", "per deal", "exact", "mean", "low", "high", "n"])


def seat_name(seat: int, players: int) -> str:
    """A seat in words, counted from the first dealer."""
    if seat == 0:
        return "the dealer"
    return "the cutter" if seat == players - 1 else f"seat {seat} at his left"


def agree(found: Found) -> tuple[int, int]:
    """Simulated means within SIGMAS standard errors of the exact ones, and all that have such an error."""
    spread = [(value, cell) for _, _, value, cell in pairs(found) if cell.n >= MANY and cell.stderr > 0]
    inside = [abs(cell.mean - value) <= SIGMAS * cell.stderr for value, cell in spread]
    return sum(inside), len(inside)


def after_belli(found: Found) -> list[Effect]:
    """Return by seat in deals in which the Belli was cut, and in the others."""
    return effects_of(
        (
            {
                "table": table.label,
                "opponents": opponent,
                "seat": seat_name(seat, players),
                "Belli cut": "yes" if cut else "no",
            },
            found[table.label, opponent]["return"][seat + SEATS * cut],
        )
        for table, players in zip(PLAYERS, (2, 3, 4, 5), strict=True)
        for opponent in OPPONENTS
        for seat in range(players)
        for cut in (0, 1)
    )


def answer(found: Found, known: dict[str, Cut]) -> str:
    """The finding in sentences."""
    four = known[FOUR.label]
    gains = {seat_name(i, 4): value for i, value in enumerate(four.net)}
    text = [
        f"With four players the cut moves {four.moved:.3f} chips a deal on average:",
        f"{four.moved / four.belli_cuts:.0f} whenever it shows the Belli, once in {1 / four.belli_cuts:.0f} deals.",
        "It moves " + ", ".join(f"{known[t.label].moved:.3f} with {t.label}" for t in PLAYERS if t is not FOUR) + ".",
        "By seat, with four: " + ", ".join(f"{name} {value:+.3f}" for name, value in gains.items()) + ".",
    ]
    inside, total = agree(found)
    if total:
        text.append(f"{inside} of {total} simulated means lie within {SIGMAS} standard errors of the exact ones.")
    returns = {
        (effect.setting["seat"], effect.setting["Belli cut"]): effect.mean
        for effect in after_belli(found)
        if effect.setting["table"] == FOUR.label and effect.setting["opponents"] == SHOWN
    }
    both = [name for name in gains if (name, "yes") in returns and (name, "no") in returns]
    if both:
        change = {name: returns[name, "yes"] - returns[name, "no"] for name in both}
        most, least = max(both, key=change.__getitem__), min(both, key=change.__getitem__)
        text.append(
            f"Over the whole deal, pot included, four {SHOWN} players see a cut Belli change their result between"
            f" {change[most]:+.2f} chips ({most}) and {change[least]:+.2f} ({least})."
        )
    return " ".join(text) if any(sums["moved"][0].n > 1 for sums in found.values()) else TOO_FEW


def draw(figure: Any, found: Found, known: dict[str, Cut]) -> None:
    """Net chips by seat; chips moved by players."""
    left, right = figure.subplots(1, 2, width_ratios=[1.6, 1])
    width = 0.2
    for number, table in enumerate(PLAYERS):
        net = known[table.label].net
        places = np.arange(len(net)) + (number - 1.5) * width
        left.bar(places, net, width, color=COLOURS[number], label=f"{table.label}, exact")
        cells = found[table.label, SHOWN]["net"][: len(net)]
        edges = np.array([cell.interval() for cell in cells])
        means = np.array([cell.mean for cell in cells])
        spread = np.abs(edges.T - means)
        label = "simulated" if table is PLAYERS[-1] else None
        left.errorbar(places, means, yerr=spread, fmt="k.", markersize=4, capsize=2, linewidth=1, label=label)
    tidy(left, "Who gains by the cut", "seats from the first dealer, clockwise (the last one cuts)", "chips per deal")
    left.set_xticks(range(SEATS), ["dealer", "1", "2", "3", "4"])
    left.axhline(0, color="#333333", linewidth=0.9)
    legend(left)
    players = [2, 3, 4, 5]
    right.plot(players, [known[table.label].moved for table in PLAYERS], color=COLOURS[0], label="exact")
    cells = [found[table.label, SHOWN]["moved"][0] for table in PLAYERS]
    edges = np.array([cell.interval() for cell in cells])
    means = np.array([cell.mean for cell in cells])
    right.errorbar(players, means, yerr=np.abs(edges.T - means), fmt="k.", capsize=3, label="simulated")
    tidy(right, "Chips moved by the cut", "players", "chips per deal")
    right.set_xticks(players)
    right.set_ylim(bottom=0)
    legend(right)


def run(options: Options) -> Finding:
    """Play deals with a fixed first dealer, and compare with what can be worked out."""
    each = options.hands // (len(TABLES) * len(OPPONENTS))
    found = {
        (table.label, opponent): cut_sums(options, table, opponent, each) for table in TABLES for opponent in OPPONENTS
    }
    known = {table.label: exact(table.game.rules) for table in TABLES}
    effects = [
        Effect({"table": key[0], "opponents": key[1]}, sums["moved"][0], options.until > 0)
        for key, sums in found.items()
    ]
    return Finding(
        answer=answer(found, known),
        unit="chips moved per deal by cuts alone",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: draw(figure, found, known),
        caption=(
            "Left: what payments and further antes of the cut bring each seat, counted from the first dealer; the one"
            " ante of every deal is left out. Right: all chips that the cut moves. Bars and line are exact, dots with"
            " 95 % intervals simulated."
        ),
        tables={
            "Exact and simulated, per deal": compared(found),
            "Return by seat with and without a cut Belli, chips per deal": frame(after_belli(found), "return"),
        },
        notes=[
            "The tip leaves nothing to decide: the cut is chance (ZP1). The verdict is on whether chips move at all.",
            "All seats play as the named opponents; the cut comes before any decision, so it is the same for all.",
            (
                "Exact: a cut shows an Ace or a plain 7 in 7 of 32 cases (7 of 36 with sixes) and is made again, the"
                " Belli in one; then the dealer pays, his ante stays, and the cutter deals (Z11, Z12, ZQ1, ZQ2)."
            ),
        ],
        size=(11.5, 4.6),
    )


QUESTION = Question(
    "zwicken.cut",
    "How many chips does the cut move?",
    "Watch the cut: a 7 of diamonds shown there moves money without a card being played (tip 5).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
