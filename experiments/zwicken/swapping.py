"""What is swapping no, one, two or three cards worth by what is held, and is it free?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardsim.game import Game
from cardsim.games.zwicken.layout import ACT_STOP
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
    best_of,
    frame,
    judge,
    measure,
    moments,
)
from experiments.lab.plots import heat
from experiments.zwicken import hands
from experiments.zwicken.staying import LEAST, OPPONENTS, TOO_FEW, Found, Table, block_of, chances, effects_of, enough

ROUNDS = Table("4 players")
BLOCK = Table("4 players, swap in one go", options={"swap_mode": "block"})
BY_CLASS = (ROUNDS, BLOCK)
OTHERS = [
    Table("2 players", options={"players": 2}),
    Table("3 players", options={"players": 3}),
    Table("5 players", options={"players": 5}),
    Table("styrian, 4 players", "styrian"),
    Table("four_card, 4 players", "four_card"),
    Table("bavarian, 4 players", "bavarian"),
    Table("dreier", "dreier"),
]
TABLES = [*BY_CLASS, *OTHERS]
STRONG = ("0 strong cards", "1 strong card", "2 strong cards", "3 strong cards")
WAYS = ("1 card", "2 cards", "3 cards", "by judgement")
HERO, JUDGE = "never_fold(swap_all=true)", "never_fold"
HANDS_A_DEAL = 6
BOUNDS = (25, 50, 75, 95, 115, 150, 200)
"""Percent of an average card below which a card is swapped, to choose from."""


def strength(asked: Decisions) -> Any:
    """Trumps above the Jack and Aces in the dealt hand, an index into STRONG."""
    return np.minimum(hands.strong_cards(asked.states, asked.seat), len(STRONG) - 1)


def swap_values(options: Options, name: str, game: Game, opponent: str, count: int) -> dict[str, list[Moments]]:
    """What swaps are worth, more than swapping nothing, in the same deal.

    The worst cards go first, each judged anew after the card drawn before. With the swap in one go only all three and
    the judgement can be told apart.

    Returns:
        For each of WAYS the gain by `strength`; "better" and "worse": how often three fresh cards were that;
        "all": the gain of three over all hands, in one cell.
    """
    others = [opponent] * (game.num_players - 1)
    line = Line(game, [HERO, *others])
    one_by_one = game.rules["swap_mode"] == "one_per_round"

    def work(first: int, number: int) -> Sums:
        asked = line.decisions(options.seed, first, number, [ACT_STOP], most=3 if one_by_one else 1)
        start = asked.where(asked.nth == 0)
        earned, _ = line.play_out(
            start, [Choice(ACT_STOP), Choice(agents=[HERO, *others]), Choice(agents=[JUDGE, *others])]
        )
        cell = strength(start)
        gain = {"3 cards": earned[:, 1] - earned[:, 0], "by judgement": earned[:, 2] - earned[:, 0]}
        for swaps in (1, 2):
            gain[WAYS[swaps - 1]] = np.full(len(start), np.nan)
            later = asked.where(asked.nth == swaps)
            if len(later):
                stopped, _ = line.play_out(later, [Choice(ACT_STOP)])
                rows = np.searchsorted(start.number, later.number)
                gain[WAYS[swaps - 1]][rows] = stopped[:, 0] - earned[rows, 0]
        three = gain["3 cards"]
        return {
            **{way: moments(values, cell, len(STRONG)) for way, values in gain.items()},
            "overdone": moments(three - gain["by judgement"], cell, len(STRONG)),
            "better": moments((three > 0).astype(float), cell, len(STRONG)),
            "worse": moments((three < 0).astype(float), cell, len(STRONG)),
            "all": moments(three),
            "all judged": moments(gain["by judgement"]),
        }

    deals = max(2, count // HANDS_A_DEAL)
    return measure(options, name, work, deals, main=("all", 0), block=block_of(deals))


def ask(options: Options, count: int) -> Found:
    """All tables; those by class get most of the hands."""
    weights = {table: 4 if table in BY_CLASS else 1 for table in TABLES}
    unit = count // (sum(weights.values()) * len(OPPONENTS))
    return {
        (table.label, opponent): swap_values(options, f"{table.label}-{opponent}", table.game, opponent, unit * weight)
        for table, weight in weights.items()
        for opponent in OPPONENTS
    }


def where(key: tuple[str, str], **more: str) -> Mapping[str, str]:
    """A setting."""
    return {"table": key[0], "opponents": key[1], **more}


def effects_by_class(found: Found, sequential: bool) -> list[Effect]:
    """Three fresh cards against none: by what is held at the first tables, over all hands at the others."""
    effects = []
    for key, sums in found.items():
        if key[0] in [table.label for table in BY_CLASS]:
            cells = zip(STRONG, sums["3 cards"], strict=True)
            effects += [Effect(where(key, hand=name), cell, sequential) for name, cell in cells if cell.n > 1]
        else:
            effects.append(Effect(where(key, hand="all hands"), sums["all"][0], sequential))
    return effects


def by_way(found: Found) -> list[Effect]:
    """Each way of swapping against none, by what is held."""
    labels = [table.label for table in BY_CLASS]
    return effects_of(
        (where(key, hand=name, way=way), cell)
        for key, sums in found.items()
        if key[0] in labels
        for way in WAYS
        for name, cell in zip(STRONG, sums[way], strict=True)
    )


def outcomes(found: Found) -> list[Effect]:
    """How often three fresh cards earned more than none, and less."""
    return effects_of(
        (where(key, hand=name, outcome=outcome), cell)
        for key, sums in found.items()
        if key[0] in [table.label for table in BY_CLASS]
        for outcome in ("better", "worse")
        for name, cell in zip(STRONG, sums[outcome], strict=True)
    )


def overdone(found: Found) -> list[Effect]:
    """Three cards against the number that judgement finds."""
    return effects_of((where(key), sum(sums["overdone"][1:], sums["overdone"][0])) for key, sums in found.items())


def bounds(options: Options, count: int) -> tuple[list[Effect], Effect]:
    """The bound of `book` below which a card goes, against book without swaps."""
    candidates = [f"book(swap_below={bound})" for bound in BOUNDS]
    return best_of(options, "bound", ROUNDS.game, candidates, "book(swapping=false)", "book", count)


def answer(found: Found, best: Effect) -> str:
    """The finding in sentences."""
    text = []
    for opponent in OPPONENTS:
        sums = found[ROUNDS.label, opponent]
        cells = {i: cell for i, cell in enumerate(enough(sums["3 cards"])) if cell.n}
        if cells:
            gains = ", ".join(f"{cell.mean:+.2f}" for cell in cells.values())
            text.append(
                f"Three fresh cards instead of none bring {gains} chips with {', '.join(map(str, cells))} strong cards,"
                f" with four players against {opponent}."
            )
    text += what_it_costs(found) if text else []
    for table in BY_CLASS:
        against = [effect for effect in overdone(found) if effect.setting == where((table.label, "book"))]
        for effect in against:
            low, high = effect.interval()
            text.append(
                f"Always three instead of judging each card brings {effect.mean:+.2f} ({low:+.2f} .. {high:+.2f}) with"
                f" {table.label} against book."
            )
    if text:
        text.append(f"The best bound of those tried is {best.name}: {best.mean:+.2f} chips a deal over no swaps.")
    return " ".join(text) or TOO_FEW


def what_it_costs(found: Found) -> list[str]:
    """Whether a swap is free: where a fixed number of cards loses, all such statements together at 95 %."""
    fixed = [effect for effect in by_way(found) if effect.setting["way"] != WAYS[3]]
    lossy = [effect for effect in fixed if effect.interval(1 - 0.05 / len(fixed)).high < 0]
    if not lossy:
        return ["No chip is paid for a swap (Z15), and no kind of hand was seen to lose by it."]
    worst = min(lossy, key=lambda effect: effect.mean)
    names = sorted({", ".join(effect.setting[key] for key in ("hand", "way", "table")) for effect in lossy})
    return [
        "No chip is paid for a swap (Z15), but it is not free: what goes may be worth more than what comes.",
        f"It loses with: {'; '.join(names)}. Most is lost with {worst.name}: {worst.mean:+.2f}.",
    ]


def draw(figure: Any, found: Found) -> None:
    """Gain over no swap by strong cards held and way of swapping."""
    panels = figure.subplots(2, 2, sharey=True)
    shown = [*((ROUNDS, opponent, WAYS) for opponent in OPPONENTS), (BLOCK, "book", WAYS[2:])]
    for axes, (table, opponent, ways) in zip(panels.flat, shown, strict=True):
        cells = [enough(found[table.label, opponent][way]) for way in ways]
        values = np.array([[cell.mean for cell in column] for column in cells]).T
        title = f"{'One a round' if table is ROUNDS else 'In one go'}, against {opponent}"
        heat(axes, values, STRONG, ways, "chips per deal more than without a swap", title)


def run(options: Options) -> Finding:
    """Stop swapping after no, one, two or three cards in the same deal."""
    found = ask(options, options.hands * 4 // 5)
    tried, best = bounds(options, options.hands // 5)
    effects = effects_by_class(found, options.until > 0)
    return Finding(
        answer=answer(found, best),
        unit="chips per deal, three fresh cards minus none",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: draw(figure, found),
        caption=(
            "What swapping brings, more than no swap in the same deal, four players: rows are the trumps above the Jack"
            " and Aces in the dealt hand, columns how many cards go, the worst first. Blue gains, red loses; intervals"
            f" are in the tables; cells with fewer than {LEAST} deals are empty."
        ),
        tables={
            "Each way of swapping minus none, chips per deal": frame(by_way(found), "gain"),
            "How often three fresh cards earn more or less than none": chances(outcomes(found)),
            "Always three minus judgement, chips per deal": frame(overdone(found), "gain"),
            "Bounds below which book swaps, chips per deal over no swaps": frame([*tried], "gain"),
            "The best bound in other deals": frame([best], "gain"),
        },
        notes=[
            (
                "Strong cards are trumps above the Jack (Belli and trump Ace among them) and Aces. The seat plays as"
                " `book` but never passes, so that every hand comes to the swap; the named opponents pass as they do."
            ),
            (
                'Play or pass is said before the swap (ZQ9): the tip\'s "costs nothing unless you stay" cannot come up.'
                " With one card a round the next is chosen after seeing the card drawn; in one go (`swap_mode=block`)"
                " three cards are the whole dealt hand."
            ),
        ],
        size=(11.0, 7.0),
    )


QUESTION = Question(
    "zwicken.swapping",
    "Does it pay to swap aggressively, and is it free?",
    "Swap aggressively: three fresh cards may turn a dead hand into a live one, and cost nothing (tip 3).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
