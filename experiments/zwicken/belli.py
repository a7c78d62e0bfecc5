"""What does forgetting the Belli cost, by players, form and opponents, and who holds it?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.games.zwicken.layout import ACT_PASS, BELLI, STAYS
from experiments.lab import (
    Choice,
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
    moments,
)
from experiments.lab.plots import forest
from experiments.zwicken import hands
from experiments.zwicken.staying import OPPONENTS, TOO_FEW, Table, block_of, chances, effects_of

FORGETFUL = "book(remember_belli=false)"
PLAYERS = [Table(f"{n} players", options={"players": n}) for n in (2, 3, 4, 5)]
FORMS = [
    Table("styrian, 4 players", "styrian"),
    Table("four_card, 4 players", "four_card"),
    Table("bavarian, 4 players", "bavarian"),
    Table("dreier", "dreier"),
]
DEALS = 20
SESSION = Table(f"4 players, session of {DEALS} deals", options={"match": True, "n_deals": DEALS})
WHO = ("remembering", "forgetting")
WHERE = ("in the own hand", "turned up, so out of play", "elsewhere")
"""Where the Belli is when the seat is asked to stay or pass, as far as it knows."""


def place_of_belli(asked: Decisions) -> Any:
    """Where the Belli is for the seat that is asked, an index into WHERE."""
    own = hands.holds_belli(asked.states, asked.seat)
    return np.where(own, 0, np.where(asked.states["up"] == BELLI, 1, 2))


def all_deals(options: Options, count: int) -> list[Effect]:
    """What remembering earns over forgetting in all deals."""
    tables = [*PLAYERS, *FORMS, SESSION]
    each = count // (len(tables) * len(OPPONENTS))
    return [
        differences(
            options,
            f"{table.label}-{opponent}",
            table.game,
            "book",
            FORGETFUL,
            opponent,
            each // DEALS if table is SESSION else each,
            {"table": table.label, "opponents": opponent},
        )
        for table in tables
        for opponent in OPPONENTS
    ]


def by_place(options: Options, count: int) -> tuple[list[Effect], list[Effect]]:
    """The same by where the Belli is, for hands that may pass, from the announcement on; how often either stays."""
    game = PLAYERS[2].game
    each = count // len(OPPONENTS)
    found: list[Effect] = []
    stays: list[Effect] = []
    for opponent in OPPONENTS:
        others = [opponent] * (game.num_players - 1)
        line = Line(game, ["book", *others])

        def work(first: int, number: int, line: Line = line, others: list[str] = others) -> Sums:
            asked = line.decisions(options.seed, first, number, [ACT_PASS])
            earned, finals = line.play_out(asked, [Choice(), Choice(agents=[FORGETFUL, *others])], finals=True)
            cell = place_of_belli(asked)
            stayed = finals["counts"][np.arange(len(asked)), :, STAYS, asked.seat].astype(float)
            return {
                "gain": moments(earned[:, 0] - earned[:, 1], cell, len(WHERE)),
                "remembering": moments(stayed[:, 0], cell, len(WHERE)),
                "forgetting": moments(stayed[:, 1], cell, len(WHERE)),
            }

        deals = max(2, each // 3)
        sums = measure(options, f"place-{opponent}", work, deals, main=("gain", 0), block=block_of(deals))
        settings = [{"opponents": opponent, "the Belli is": name} for name in WHERE]
        found += effects_of(zip(settings, sums["gain"], strict=True))
        for who in WHO:
            stays += effects_of(
                ({**setting, "who": who}, cell) for setting, cell in zip(settings, sums[who], strict=True)
            )
    return found, stays


def answer(effects: list[Effect], placed: list[Effect], stays: list[Effect]) -> str:
    """The finding in sentences."""
    deals = [effect for effect in effects if effect.setting["table"] != SESSION.label]
    least, most = (pick(deals, key=lambda effect: effect.mean) for pick in (min, max))
    if not placed:
        return TOO_FEW
    text = [
        f"Remembering the Belli earns {least.mean:+.2f} ({least.name}) to {most.mean:+.2f} ({most.name}) chips a deal.",
    ]
    for opponent in OPPONENTS:
        parts = [
            f"{effect.mean:+.2f} when it is {effect.setting['the Belli is']}"
            for effect in placed
            if effect.setting["opponents"] == opponent
        ]
        if parts:
            text.append(f"With four players against {opponent} remembering earns {', '.join(parts)}.")
    rate = {tuple(effect.setting.values()): effect.mean for effect in stays}
    pair = [rate.get((OPPONENTS[0], WHERE[2], who)) for who in WHO]
    if pair[0] is not None and pair[1] is not None:
        text.append(
            f"Where it is {WHERE[2]}, against {OPPONENTS[0]}, the one who remembers stays in {pair[0]:.0%} of deals,"
            f" the forgetful one in {pair[1]:.0%}."
        )
    return " ".join(text)


def run(options: Options) -> Finding:
    """`book` with and without its memory, in the same deals."""
    effects = all_deals(options, options.hands * 2 // 3)
    placed, stays = by_place(options, options.hands // 3)
    shown = [effect for effect in effects if effect.setting["table"] != SESSION.label]

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        forest(left, shown, "chips per deal", "Remembering minus forgetting, all deals")
        forest(right, placed, "chips per deal", "4 players, by where the Belli is")

    return Finding(
        answer=answer(effects, placed, stays),
        unit="chips per episode, remembering minus forgetting",
        effects=effects,
        verdict=judge(effects),
        draw=draw,
        caption=(
            "What remembering the Belli earns over forgetting it in the same deals; bars are 95 % intervals. Left: by"
            " table and opponents. Right: four players, by where the Belli is when one is asked to stay or pass."
        ),
        tables={
            "By where the Belli is, four players, chips per deal": frame(placed, "gain"),
            "How often they stay, four players": chances(stays),
        },
        notes=[
            (
                f"`book` against `{FORGETFUL}` in the same seats of the same deals. The forgetful one takes the Belli"
                " for a worthless card, and forgets as well which cards are gone and what others lack: where the Belli"
                " is turned up, that alone is what it loses."
            ),
        ],
        size=(13.0, 7.0),
    )


QUESTION = Question(
    "zwicken.belli",
    "What does forgetting the Belli cost?",
    "Remember the Belli: the 7 of diamonds is the second-best trump in every suit (tip 4).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
