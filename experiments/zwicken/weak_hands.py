"""Is a hand without a trump above the Jack and without Aces almost always a bete, and which hands are to be folded?"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.lab import Decisions, Effect, Finding, Options, Question, differences, frame, judge
from experiments.lab.plots import curve, heat, tidy
from experiments.zwicken import hands
from experiments.zwicken.frontier import (
    CLASSES,
    class_and_half,
    class_name,
    frontier,
    frontier_frame,
    rule_frame,
)
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

PLAYERS = [Table(f"{n} players", options={"players": n}) for n in (2, 3, 4, 5)]
FOUR = PLAYERS[2]
POTS = (2, 3, 4, 7)
POT_TABLES = [Table(f"4 players, pot of {n} stakes", options={"start_pot": 3 * (n - 1)}) for n in POTS]
NO_SWAP = Table("4 players, no swap", options={"max_swaps": 0})
FORMS = [
    NO_SWAP,
    Table("4 players, swap in one go", options={"swap_mode": "block"}),
    Table("styrian, 4 players", "styrian"),
    Table("four_card, 4 players", "four_card"),
    Table("bavarian, 4 players", "bavarian"),
    Table("dreier, only the dealer must stay", "dreier", {"dreier_no_pass": "dealer"}),
]
TABLES = PLAYERS + POT_TABLES + FORMS
PLACES = 5
FRONTIER_SHARE = 4
"""Tables with one stake in the pot get so many times the hands of another one, for the frontier's many cells."""
POLICIES = {"the tip": "book(fold_rule=tip)", "never folding": "never_fold"}
DEALS = 20
ALMOST_ALWAYS = 0.9
"""Chance of a bete from which "almost always" is granted."""


def everybody(asked: Decisions) -> Any:
    """Cell 0 for every hand."""
    return np.zeros(len(asked), np.int64)


def only_weak(asked: Decisions) -> Any:
    """Cell 0 for the hands of the tip."""
    return np.where(hands.weak(asked.states, asked.seat), 0, -1)


def weak_by_place(asked: Decisions) -> Any:
    """Place at the table and players who have stayed so far, for the hands of the tip."""
    cell = hands.place(asked.states, asked.seat) * PLACES + hands.stayed_before(asked.states)
    return np.where(hands.weak(asked.states, asked.seat), cell, -1)


CELLS = {
    "all": (everybody, 1),
    "weak": (only_weak, 1),
    "place": (weak_by_place, PLACES**2),
    "class": (class_and_half, 2 * CLASSES),
}


def sessions(options: Options) -> list[Effect]:
    """Folding by the estimate of `book` against the tip and against never folding, over sessions."""
    each = options.hands // 5 // (DEALS * len(POLICIES) * len(OPPONENTS) * 2)
    effects = []
    for players in (3, 5):
        game = Table("", options={"players": players, "match": True, "n_deals": DEALS}).game
        for opponent in OPPONENTS:
            for label, policy in POLICIES.items():
                setting = {"table": f"{players} players", "opponents": opponent, "instead of": label}
                name = f"session-{players}-{opponent}-{label}"
                effects.append(differences(options, name, game, "book", policy, opponent, each, setting))
    return effects


def by_place(found: Found) -> list[Effect]:
    """What weak hands earn by staying, by place and by who has stayed, four players."""
    return effects_of(
        (
            {
                "opponents": opponent,
                "speaks": ("first", "second", "third", "dealer", "")[number // PLACES],
                "stayed before": str(number % PLACES),
            },
            cell,
        )
        for opponent in OPPONENTS
        for number, cell in enumerate(found[FOUR.label, opponent]["gain place"])
    )


def answer(found: Found) -> str:
    """The finding in sentences."""
    text = []
    betes = [effect for effect in by_setting(found, "bete weak") if effect.setting["table"] != NO_SWAP.label]
    if betes:
        least, most = (pick(betes, key=lambda effect: effect.mean) for pick in (min, max))
        text.append(
            f"A weak hand that stays becomes a bete in {least.mean:.0%} ({named(least)}) to {most.mean:.0%} "
            f"({named(most)}) of cases, "
            + ("almost always there." if most.mean >= ALMOST_ALWAYS else "never almost always: it may swap first.")
        )
    for opponent in OPPONENTS:
        values = [enough(found[table.label, opponent]["gain weak"])[0] for table in PLAYERS]
        if all(value.n for value in values):
            text.append(
                f"With one stake in the pot, staying with it against {opponent} earns"
                f" {', '.join(f'{value.mean:+.2f}' for value in values)} chips with 2, 3, 4, 5 players."
            )
        text.append(from_which_pot(found, opponent))
    edge = frontier(found[FOUR.label, "book"]["gain class"])
    if edge.folded:
        text.append(
            f"To be folded with {FOUR.label} against book are {edge.share:.0%} of the hands that may pass (the tip:"
            f" {edge.weak:.0%}): {'; '.join(class_name(i) for i in edge.folded)}."
        )
    return " ".join(part for part in text if part) or TOO_FEW


def from_which_pot(found: Found, opponent: str) -> str:
    """From which pot on weak hands stay with four players."""
    tables = zip((1, *POTS), (FOUR, *POT_TABLES), strict=True)
    values = [(pot, found[table.label, opponent]["gain weak"][0]) for pot, table in tables]
    costs = [pot for pot, value in values if value.n >= LEAST and value.interval().high < 0]
    pays = [
        pot for pot, value in values if value.n >= LEAST and value.interval().low > 0 and pot > max(costs, default=0)
    ]
    if not costs or not pays:
        return ""
    return f"With {FOUR.label} that loses up to a pot of {stakes(max(costs))} and gains from {stakes(pays[0])} on."


def stakes(number: int) -> str:
    """A pot in words."""
    return "one stake" if number == 1 else f"{number} stakes"


def named(effect: Effect) -> str:
    """A setting in words."""
    return f"{effect.setting['table']} against {effect.setting['opponents']}"


def draw(figure: Any, found: Found) -> None:
    """Chance of a bete by players; value of staying by pot; the fold frontier by players."""
    top, bottom = figure.subfigures(2, 1, height_ratios=[1, 1.3])
    panels = top.subplots(1, 2)
    for number, opponent in enumerate(OPPONENTS):
        curve(panels[0], [2, 3, 4, 5], at_tables(found, PLAYERS, opponent, "bete weak"), opponent, number)
        pots = at_tables(found, [FOUR, *POT_TABLES], opponent, "gain weak")
        curve(panels[1], [1, *POTS], pots, opponent, number)
    tidy(panels[0], "Weak hands that stay: how often a bete?", "players", "chance of a bete")
    panels[0].set_xticks([2, 3, 4, 5])
    panels[0].set_ylim(0, 1)
    tidy(panels[1], "Weak hands, 4 players: staying minus folding", "pot, in stakes", "chips per hand")
    panels[1].axhline(0, color="#333333", linewidth=0.9)
    for axes in panels:
        legend(axes, title="opponents")
    cells = [enough(frontier(found[table.label, "book"]["gain class"]).cells) for table in PLAYERS]
    values = np.array([[cell.mean for cell in row] for row in cells])
    values = values.reshape(len(PLAYERS), len(hands.HOLDINGS), len(hands.ACES))
    titles = ("No plain Ace: staying minus folding", "One plain Ace: staying minus folding")
    for aces, (axes, title) in enumerate(zip(bottom.subplots(1, 2), titles, strict=True)):
        names = [table.label for table in PLAYERS]
        heat(axes, values[:, :, aces].T, hands.HOLDINGS, names, "chips per hand, against book", title)


def at_tables(found: Found, tables: list[Table], opponent: str, name: str) -> list[Effect]:
    """A number of the weak hands at some tables, empty where there are too few hands."""
    return [Effect({"table": table.label}, enough(found[table.label, opponent][name])[0]) for table in tables]


def run(options: Options) -> Finding:
    """Play weak and other hands on both ways, everywhere."""
    tables = {table: FRONTIER_SHARE if table in PLAYERS else 1 for table in TABLES}
    found = ask(options, options.hands * 4 // 5, tables, CELLS)
    long = sessions(options)
    effects = folding(found, "gain weak", options.until > 0)
    edges = [(table, opponent, frontier(sums["gain class"])) for (table, opponent), sums in found.items()]
    rules = [(*edge, found[edge[0], edge[1]]["kept all"][0]) for edge in edges]
    at_one_stake = [edge for edge in edges if edge[0] in [table.label for table in PLAYERS]]
    return Finding(
        answer=answer(found),
        unit="chips per weak hand, folding minus staying",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: draw(figure, found),
        caption=(
            "Top: chance that a weak hand (no trump above the Jack, no Ace) which stays takes no trick, and what"
            " staying earns over folding by the pot; bands are 95 % intervals. Bottom: what staying earns over folding"
            " by the trumps in hand, against book, with one stake in the pot: red is to be folded, blue to be played;"
            f" cells with fewer than {LEAST} hands are empty."
        ),
        tables={
            "Chance of a bete for a weak hand that stays": chances(by_setting(found, "bete weak")),
            "Tricks of a weak hand that stays": frame(by_setting(found, "tricks weak"), "tricks"),
            "The fold frontier, chips by staying": frontier_frame(at_one_stake),
            "Rules of folding, chips per hand": rule_frame(rules),
            "Weak hands by place, four players, chips by staying": frame(by_place(found), "staying earns"),
            f"Folding by estimate, chips per session of {DEALS} deals": frame(long),
        },
        notes=NOTES,
        size=(11.0, 8.5),
    )


NOTES = [
    (
        "Staying and folding are both played out in the same deal, `book` in the seat that is asked and the named"
        " opponents in all others; folding earns nothing more, so the difference is what staying is worth. Hands with"
        " the trump Ace may not pass (Z16) and are left out."
    ),
    (
        "Each deal stands alone: a bete is lost to its payer here. In a session a part of it comes back with the next"
        " pot, so the last table plays sessions."
    ),
    (
        "Where nobody has stayed before the dealer, he takes the pot by staying (ZQ22), whatever he holds: see the"
        " table by place."
    ),
    (
        "The frontier as a rule folds the classes that lost in every second deal; it is measured in the other deals."
        " The first columns of that table are parts of the hands that may pass. `book` also weighs who has stayed."
    ),
]
QUESTION = Question(
    "zwicken.weak_hands",
    "Is a hand without a high trump and without Aces almost always a bete?",
    "Fold weak hands: one without trumps above the Jack and without Aces is almost always a bete (tip 1).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
