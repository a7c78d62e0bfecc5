"""Is leading the trump Ace a trap while the Belli is out, and would it pay to keep the Ace back?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.games.zwicken.basics import POWER
from cardsim.games.zwicken.layout import ACE, BELLI, CARDS, DUTY_BETES, LEAD, PER_SUIT
from cardsim.stats import Moments
from experiments.lab import (
    Choice,
    Decisions,
    Effect,
    Finding,
    Line,
    Options,
    Question,
    Sums,
    frame,
    judge,
    measure,
    moments,
)
from experiments.lab.plots import forest
from experiments.zwicken import hands
from experiments.zwicken.staying import LEAST, OPPONENTS, TOO_FEW, Found, Table, block_of, chances, effects_of

ON_TOP = Table("bavarian, Wenzels on top", "bavarian", {"wenzel_rank": "top"})
TABLES = [
    Table("2 players", options={"players": 2}),
    Table("4 players"),
    Table("5 players", options={"players": 5}),
    Table("4 players, pot of 4 stakes", options={"start_pot": 9}),
    Table("styrian, 4 players", "styrian"),
    Table("four_card, 4 players", "four_card"),
    Table("bavarian, 4 players", "bavarian"),
    ON_TOP,
]
WAYS = ("best other card first", "lowest other card first")
TRUTH = ("no opponent has the Belli", "an opponent has the Belli")
TRUMP_ACES = [PER_SUIT * suit + ACE for suit in range(4)]
HANDS_A_DEAL = 1.4
"""One to find the lead, and three for each that is played on: about every eighth deal has one."""


def may_keep_back(found: Decisions) -> Any:
    """Whether the seat is on lead with the trump Ace and another card, bool."""
    states, seats = found.states, found.seat
    return (
        (states["phase"] == LEAD) & hands.holds_trump_ace(states, seats) & (hands.count(hands.own(states, seats)) > 1)
    )


def other_cards(states: Any, seats: Any) -> tuple[Any, Any]:
    """The strongest and the weakest card in hand beside the trump Ace, card numbers."""
    rows = 4 * states["rules"]["order"].astype(np.int64) + states["trump"]
    cards = hands.own(states, seats) & ~hands.trump_ace(states)
    held = (cards[:, None] >> np.arange(CARDS, dtype=np.uint64) & np.uint64(1)).astype(bool)
    power = POWER[rows]
    return np.where(held, power, -1).argmax(axis=1), np.where(held, power, POWER.max() + 1).argmin(axis=1)


def belli_against(states: Any, seats: Any) -> Any:
    """Whether an active opponent holds the Belli; the seat cannot know it."""
    players = np.arange(states["hand"].shape[1])
    active = states["active"][:, None].astype(np.int64) >> players & 1
    held = (states["hand"] & hands.BELLI_BIT != 0) & (active == 1) & (players != seats[:, None])
    return held.any(axis=1)


def next_trick(before: Any, after: Any) -> tuple[Any, Any]:
    """Of the trick that is led at `before`, once the deal is over: who won it, and whether the Belli fell in it."""
    size = hands.count(before["active"].astype(np.uint64))
    first = before["played"].astype(np.int64)
    rows = np.arange(len(before))
    places = np.arange(after["history"].shape[1])
    inside = (places >= first[:, None]) & (places < (first + size)[:, None])
    return after["movers"][rows, first + size], ((after["history"] == BELLI) & inside).any(axis=1)


def lead_values(options: Options, table: Table, opponent: str, count: int) -> dict[str, list[Moments]]:
    """Keeping the Ace back against leading it, at the first lead of a deal that has the choice.

    Returns:
        By TRUTH: "gain W" and "net W" for each of WAYS, keeping back minus leading, with and without the bete for it;
        "wins": how often the led Ace takes the trick; "takes": how often the Belli falls under it.
    """
    game = table.game
    line = Line(game, ["book"] + [opponent] * (game.num_players - 1))
    stake = int(game.rules["stake"])

    def work(first: int, number: int) -> Sums:
        found = line.decisions(options.seed, first, number, TRUMP_ACES, most=8)
        found = found.where(may_keep_back(found))
        found = found.where(np.unique(found.number, return_index=True)[1])
        best, lowest = other_cards(found.states, found.seat)
        ace = found.states["trump"].astype(np.int64) * PER_SUIT + ACE
        earned, finals = line.play_out(found, [Choice(ace), Choice(best), Choice(lowest)], finals=True)
        betes = finals["counts"][np.arange(len(found)), :, DUTY_BETES, found.seat] * stake
        cell = belli_against(found.states, found.seat).astype(np.int64)
        winner, takes = next_trick(found.states, finals[:, 0])
        sums = {
            "wins": moments((winner == found.seat).astype(float), cell, 2),
            "takes": moments(takes.astype(float), cell, 2),
        }
        for place, way in enumerate(WAYS, 1):
            sums[f"gain {way}"] = moments(earned[:, place] - earned[:, 0], cell, 2)
            net = earned + betes
            sums[f"net {way}"] = moments(net[:, place] - net[:, 0], cell, 2)
        return sums

    deals = max(2, int(count / HANDS_A_DEAL))
    name = f"{table.label}-{opponent}"
    return measure(options, name, work, deals, main=(f"net {WAYS[0]}", 0), block=block_of(deals))


def both(cells: list[Moments]) -> Moments:
    """Whoever holds the Belli."""
    return cells[0] + cells[1]


def by_table(found: Found, name: str) -> list[Effect]:
    """A number by table and opponents, whoever holds the Belli."""
    return [Effect({"table": key[0], "opponents": key[1]}, both(sums[name])) for key, sums in found.items()]


def by_truth(found: Found, name: str) -> list[Effect]:
    """A number by table, opponents and who holds the Belli."""
    return effects_of(
        ({"table": key[0], "opponents": key[1], "the Belli": truth}, cell)
        for key, sums in found.items()
        for truth, cell in zip(TRUTH, sums[name], strict=True)
    )


def answer(found: Found, net: list[Effect]) -> str:
    """The finding in sentences."""
    wins = {key: both(sums["wins"]) for key, sums in found.items()}
    net = [effect for effect in net if effect.moments.n >= LEAST]
    if not net:
        return TOO_FEW
    lost = sorted({key[0] for key, cell in wins.items() if cell.total < cell.n * cell.scale})
    text = [
        "The led trump Ace took its trick in every deal"
        + (f", except at {'; '.join(lost)}, where Wenzels beat it." if lost else "."),
    ]
    for opponent in OPPONENTS:
        takes = found[TABLES[1].label, opponent]["takes"][1]
        if takes.n >= LEAST:
            text.append(
                f"With {TABLES[1].label} against {opponent} the Belli, where an opponent had it, fell under the Ace in"
                f" {takes.mean:.0%} of cases."
            )
    best = max(net, key=lambda effect: effect.mean)
    worst = min(net, key=lambda effect: effect.mean)
    text.append(
        f"Leading the best other card first brings {worst.mean:+.2f} ({worst.name}) to {best.mean:+.2f} ({best.name})"
        " chips a lead, even with the bete for it (Z24) left aside."
    )
    trap = [effect for effect in by_truth(found, f"net {WAYS[0]}") if effect.setting["the Belli"] == TRUTH[1]]
    if trap:
        most = max(trap, key=lambda effect: effect.mean)
        text.append(f"Where an opponent had the Belli, the best that this did was {most.mean:+.2f} ({most.name}).")
    return " ".join(text)


def run(options: Options) -> Finding:
    """Lead the Ace or another card, in the same deal."""
    each = options.hands // (len(TABLES) * len(OPPONENTS))
    found = {
        (table.label, opponent): lead_values(options, table, opponent, each)
        for table in TABLES
        for opponent in OPPONENTS
    }
    net = by_table(found, f"net {WAYS[0]}")
    shown = [
        Effect({"table": effect.setting["table"], "the Belli": effect.setting["the Belli"]}, effect.moments)
        for effect in by_truth(found, f"net {WAYS[0]}")
        if effect.setting["opponents"] == "book"
    ]
    return Finding(
        answer=answer(found, net),
        unit="chips per lead, best other card first minus trump Ace first, the bete for it left aside",
        effects=[Effect(effect.setting, effect.moments, options.until > 0) for effect in net],
        verdict=judge(net),
        draw=lambda figure: forest(
            figure.subplots(),
            shown,
            "chips per lead: best other card first minus trump Ace first, bete left aside",
            "Keeping the trump Ace back, against book",
        ),
        caption=(
            "Each dot: what it earns to lead the best other card before the trump Ace, by table and by whether an"
            " opponent holds the Belli; right of 0 the Ace would be better kept. Bars are 95 % intervals."
        ),
        tables={
            "The same with the bete for keeping it back": frame(by_table(found, f"gain {WAYS[0]}")),
            "The lowest other card first, bete left aside": frame(by_table(found, f"net {WAYS[1]}")),
            "Best other card first, by who holds the Belli, bete left aside": frame(by_truth(found, f"net {WAYS[0]}")),
            "How often the led Ace takes its trick": chances(by_truth(found, "wins")),
            "How often the Belli falls under the led Ace": chances(by_truth(found, "takes")),
        },
        notes=[
            (
                "The first lead of a deal at which `book` holds the trump Ace and another card. Who holds the Belli is"
                " looked up for the tables; the player cannot know it, and the verdict is over both."
            ),
            (
                "The rules want the Ace led at once (Z24): not to costs a bete. That bete is left aside in the verdict,"
                " to see whether the lead itself is a trap."
            ),
        ],
        size=(10.0, 6.0),
    )


QUESTION = Question(
    "zwicken.belli_trap",
    "Is leading the trump Ace into the Belli a trap?",
    "Who forgets the Belli leads the trump Ace straight into a trap (tip 4; ignored as a rule, ZQ26).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
