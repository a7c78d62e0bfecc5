"""What is the trump Ace worth without another high trump, and what would folding it earn if the rules allowed it?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.cli.plot import COLOURS
from cardsim.games.zwicken.layout import TRICKS
from experiments.lab import FORBIDDEN, Decisions, Effect, Finding, Options, Question, Verdict, frame, judge
from experiments.lab.plots import curve, tidy
from experiments.zwicken import hands
from experiments.zwicken.staying import (
    LEAST,
    OPPONENTS,
    TOO_FEW,
    Found,
    Table,
    ask,
    by_setting,
    chances,
    effects_of,
    enough,
    folding,
    legend,
)

ALLOWED = {"ace_must_stay": False}
PLAYERS = [Table(f"{n} players", options={"players": n, **ALLOWED}) for n in (2, 3, 4, 5)]
ON_TOP = Table("bavarian, 4 players, Wenzels on top", "bavarian", {"wenzel_rank": "top", **ALLOWED})
FORMS = [
    Table("4 players, pot of 4 stakes", options={"start_pot": 9, **ALLOWED}),
    Table("4 players, no swap", options={"max_swaps": 0, **ALLOWED}),
    Table("styrian, 4 players", "styrian", ALLOWED),
    Table("four_card, 4 players", "four_card", ALLOWED),
    Table("bavarian, 4 players", "bavarian", ALLOWED),
    ON_TOP,
    Table("dreier, only the dealer must stay", "dreier", {"dreier_no_pass": "dealer", **ALLOWED}),
]
TABLES = PLAYERS + FORMS
COMPANIONS = ("no other trump", "a low trump", "another high trump", "the Belli")
"""Classes of what is held beside the trump Ace; with the first two it is lone."""
ACE_SHARE = 27 / 310
"""Part of the dealt hands that hold the trump Ace (base)."""


def companion(asked: Decisions) -> Any:
    """What is held beside the trump Ace, an index into COMPANIONS; -1 without it."""
    states, seats = asked.states, asked.seat
    found = np.where(hands.count(hands.trumps(states, seats)) > 1, 1, 0)
    found = np.where(hands.count(hands.high_trumps(states, seats)) > 1, 2, found)
    found = np.where(hands.holds_belli(states, seats), 3, found)
    return np.where(hands.holds_trump_ace(states, seats), found, -1)


def lone(asked: Decisions) -> Any:
    """Cell 0 for the hands that the tip folds."""
    return np.where(hands.lone_ace(asked.states, asked.seat), 0, -1)


def lone_by_place(asked: Decisions) -> Any:
    """Place at the table, for the hands that the tip folds."""
    return np.where(lone(asked) == 0, hands.place(asked.states, asked.seat), -1)


CELLS = {"beside": (companion, len(COMPANIONS)), "lone": (lone, 1), "place": (lone_by_place, 5)}


def shown(found: Found) -> Found:
    """The tables that the longer lists are about: any number of players, and where the Ace can be beaten."""
    labels = [table.label for table in (*PLAYERS, ON_TOP)]
    return {key: sums for key, sums in found.items() if key[0] in labels}


def by_companion(found: Found) -> list[Effect]:
    """What staying earns by what is held beside the Ace."""
    return effects_of(
        ({"table": key[0], "opponents": key[1], "beside the Ace": name}, cell)
        for key, sums in shown(found).items()
        for name, cell in zip(COMPANIONS, sums["gain beside"], strict=True)
    )


def by_tricks(found: Found) -> list[Effect]:
    """How often the lone Ace brings so many tricks."""
    return effects_of(
        ({"table": key[0], "opponents": key[1], "tricks": str(k)}, sums[f"{k} tricks lone"][0])
        for key, sums in shown(found).items()
        for k in range(TRICKS + 1)
        if sums[f"{k} tricks lone"][0].total > 0
    )


def by_place(found: Found) -> list[Effect]:
    """What staying with it earns by place, four players."""
    places = ("first", "second", "third", "dealer")
    return effects_of(
        ({"opponents": opponent, "speaks": name}, cell)
        for opponent in OPPONENTS
        for name, cell in zip(places, found[PLAYERS[2].label, opponent]["gain place"], strict=False)
    )


def answer(found: Found) -> str:
    """The finding in sentences."""
    gains, betes = by_setting(found, "gain lone"), by_setting(found, "bete lone")
    if not gains:
        return TOO_FEW
    least, most = (pick(gains, key=lambda effect: effect.mean) for pick in (min, max))
    ever = [effect for effect in betes if effect.moments.total > 0]
    text = [
        "Who holds the trump Ace must stay (Z16).",
        f"Staying with a lone one earns {least.mean:+.2f} ({least.name}) to {most.mean:+.2f} ({most.name}) chips.",
        f"If folding were allowed it would {'cost' if least.mean > 0 else 'gain or cost'} just that.",
    ]
    if ever:
        worst = max(ever, key=lambda effect: effect.mean)
        names = sorted({effect.setting["table"] for effect in ever})
        text.append(
            f"It was a bete only in {'; '.join(names)} (at most {worst.mean:.1%} of cases), where cards beat it."
        )
    else:
        text.append("It was never a bete.")
    for opponent in OPPONENTS:
        only = found[PLAYERS[2].label, opponent]["1 tricks lone"][0]
        if only.n >= LEAST:
            text.append(f"Against {opponent} with four players it takes just one trick in {only.mean:.0%} of cases.")
    return " ".join(text)


def draw(figure: Any, found: Found) -> None:
    """Value of staying by players and companion; tricks of the lone Ace by players."""
    left, right = figure.subplots(1, 2)
    players = [2, 3, 4, 5]
    for number, name in enumerate(COMPANIONS):
        cells = [enough(found[table.label, "book"]["gain beside"])[number] for table in PLAYERS]
        effects = [Effect({"players": str(n)}, cell) for n, cell in zip(players, cells, strict=True)]
        curve(left, players, effects, name, number)
    tidy(left, "Trump Ace: staying minus folding, against book", "players", "chips per hand, pot of 1 stake")
    left.axhline(0, color="#333333", linewidth=0.9)
    legend(left, title="beside the Ace", loc="center")
    bottom = np.zeros(len(players))
    for k in range(TRICKS):
        cells = [enough(found[table.label, "book"][f"{k} tricks lone"])[0] for table in PLAYERS]
        heights = np.array([cell.mean for cell in cells])
        if np.nansum(heights) > 0:
            label = "1 trick" if k == 1 else f"{k} tricks"
            right.bar(players, heights, bottom=bottom, color=COLOURS[k], width=0.7, label=label)
            bottom = bottom + heights
    tidy(right, "Lone trump Ace: tricks taken, against book", "players", "share of deals")
    for axes in (left, right):
        axes.set_xticks(players)
    right.set_ylim(0, 1.15)
    right.set_yticks(np.linspace(0, 1, 6))
    legend(right, ncols=3, loc="upper center")


def run(options: Options) -> Finding:
    """Play lone Aces on both ways, where an option lets them pass."""
    tables = {table: 3 if table in PLAYERS else 1 for table in TABLES}
    found = ask(options, options.hands, tables, CELLS, ACE_SHARE)
    effects = folding(found, "gain lone", options.until > 0)
    judged = judge(effects)
    return Finding(
        answer=answer(found),
        unit="chips per lone trump Ace, folding minus staying where folding is allowed",
        effects=effects,
        verdict=Verdict(FORBIDDEN, judged.pays, judged.costs, judged.open, rule="Z16"),
        draw=lambda figure: draw(figure, found),
        caption=(
            "Left: what staying with the trump Ace earns over folding it, by what else is held; bands are 95 %"
            " intervals. Right: how many tricks a lone one takes, as shares of the deals."
        ),
        tables={
            "Staying with the trump Ace by what is beside it, chips": frame(by_companion(found), "staying earns"),
            "Chance of so many tricks with a lone trump Ace": chances(by_tricks(found)),
            "Chance of a bete with a lone trump Ace": chances(by_setting(found, "bete lone")),
            "Lone trump Ace by place, four players, chips by staying": frame(by_place(found), "staying earns"),
        },
        notes=[
            "A lone Ace is the trump Ace without another trump above the Jack and without the Belli.",
            (
                "`ace_must_stay=false` lets it be folded; staying and folding are played out in the same deal, `book`"
                " in its seat and the named opponents in all others. Under the default rules the difference is what the"
                " duty to stay brings its holder. No tricks means that nobody else stayed: it takes the pot at once"
                " (ZQ22)."
            ),
            "No card beats the trump Ace except Wenzels that rank on top (ZP25), so it takes a trick or the pot alone.",
        ],
        size=(11.0, 4.6),
    )


QUESTION = Question(
    "zwicken.lone_ace",
    "Should the trump Ace alone be folded?",
    "The trump Ace alone is not enough: without the Belli or another high trump better fold it (tip 2).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
