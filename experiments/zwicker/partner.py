"""Does building for the partner pay?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.games.zwicker.layout import NO_CARD
from cardsim.playout import SCALE
from cardsim.stats import Moments
from experiments.lab import (
    Effect,
    Finding,
    Line,
    Options,
    Question,
    Sums,
    differences,
    frame,
    judge,
    moments,
    share_out,
)
from experiments.lab.plots import forest, heat
from experiments.zwicker.points import points_of
from experiments.zwicker.settings import (
    ABLE,
    FEWEST_PAIRS,
    LEAST,
    OPPONENTS_NOTE,
    Form,
    against,
    effects_of,
    number_with_interval,
    slow_hands,
)
from experiments.zwicker.turns import HELP, STACK, SWEEP, TAKE, Compared, compare

FORMS = (Form("six_joker", 4), Form("three_joker", 4), Form("one_joker", 4))
SHOWN, SHOWN_OPPONENT = FORMS[0], "book"
SWITCHES = {
    "heeds the partner and what it was told": "book(partner=false,signals=false)",
    "heeds what it was told": "book(signals=false)",
    "heeds what the partner could take": "book(partner=false)",
}
COARSE = ("points to take", "no points to take")
SITUATIONS = ("can take points", "can take, no points", "can build for itself", "can only lay beside")
LAID = ("none", "1 to 4", "5 or more")
THOUGHT = ("book prefers another turn", "book prefers the build")


def situation(found: Compared) -> Any:
    """What else the seat could do instead of building for its partner: 0-3 as in SITUATIONS, int64 (N,)."""
    most = np.maximum(found.points(TAKE), found.points(SWEEP))
    own = np.isfinite(found.turns.worth[:, STACK])
    return np.where(most > 0, 0, np.where(most == 0, 1, np.where(own, 2, 3)))


def item_points(before: Any, after: Any) -> Any:
    """Points of the item on which a turn laid a card, with that card, int64 (N,).

    Args:
        before, after: records (N,) before and after that turn.
    """
    rows = np.arange(len(before))
    cards = np.zeros((len(before), 2), np.uint64)
    card = after["top"][rows, (before["top"] != after["top"]).argmax(1)].astype(np.int64)
    while (card < NO_CARD).any():
        there = card < NO_CARD
        cards[rows[there], card[there] >> 6] |= np.uint64(1) << (card[there] & 63).astype(np.uint64)
        under = after["under"][rows, np.minimum(card, NO_CARD - 1)]
        card = np.where(there, under, NO_CARD).astype(np.int64)
    return points_of(before, cards)


def sums(line: Line, seed: int, first: int, count: int) -> Sums:
    """Best build for the partner less the best other turn, by situation and points in the build."""
    found = compare(line, seed, first, count, [HELP])
    where = situation(found)
    laid = np.digitize(item_points(found.decisions.states, found.after(HELP)), [1, 5])
    worth = found.turns.worth
    prefers = worth[:, HELP] > worth[np.arange(len(where)), found.other]
    return {
        "coarse": moments(found.gain, (where > 0).astype(np.int64), len(COARSE)),
        "situation": moments(found.gain, where, len(SITUATIONS)),
        "cell": moments(found.gain, where * len(LAID) + laid, len(SITUATIONS) * len(LAID)),
        "thought": moments(found.gain, prefers.astype(np.int64), len(THOUGHT)),
        "often": moments(found.often),
    }


def run(options: Options) -> Finding:
    """Build for the partner or do the next best thing, in the same deal; then `book` with and without its switches."""
    slow = slow_hands(options.hands)
    found = against(options, "build", FORMS, slow // 3, sums)
    effects = effects_of(found, "coarse", COARSE, 2)
    rows = effects_of(found, "situation", SITUATIONS) + effects_of(found, "thought", THOUGHT)
    switches = _switches(options, slow // 3)
    cells = _pooled(found)
    return Finding(
        answer=_answer(effects, switches, found[SHOWN, SHOWN_OPPONENT]["often"][0]),
        unit="points per build",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, cells),
        caption=(
            "Left: what the best build for the partner earns against the best other turn, in points of the deal, with "
            f"95 % intervals. Right: the same in {SHOWN.name}, all opponents together, by what else could be done and "
            f"the points that lie in the build; a field of fewer than {LEAST} deals is empty."
        ),
        tables={
            **({"By situation, points per build": frame(rows)} if rows else {}),
            f"By what else can be done and the points in the build, {SHOWN.name}, points per build": frame(
                [cell for cell in cells if cell.moments.n >= 2]
            ),
            "What book's switches are worth, points per deal": frame(switches),
        },
        notes=_notes({f"{form.name}, {opponent}": numbers["often"][0] for (form, opponent), numbers in found.items()}),
        size=(13.0, 6.5),
    )


def _switches(options: Options, hands: int) -> list[Effect]:
    found = []
    for (form, opponent), share in share_out(hands // len(SWITCHES), FORMS[:2], ABLE, FEWEST_PAIRS).items():
        game = form.make()
        for text, without in SWITCHES.items():
            where = {"form": form.name, "opponents": opponent, "book": text}
            name = f"{form.preset}-{opponent}-{without}"
            found.append(differences(options, name, game, "book", without, opponent, share, where))
    return found


def _answer(effects: list[Effect], switches: list[Effect], often: Moments) -> str:
    where = f"{SHOWN.name}, opponents {SHOWN_OPPONENT}"
    parts = [f"In {where}, a seat can build for its partner {often.mean:.1f} times a deal."]
    for effect in (*effects, *switches):
        if (effect.setting["form"], effect.setting["opponents"]) != (SHOWN.name, SHOWN_OPPONENT):
            continue
        shown = number_with_interval(effect)
        if "situation" in effect.setting:
            parts.append(f"With {effect.setting['situation']}, that earns {shown} points on the best other turn.")
        else:
            parts.append(f"A pair that {effect.setting['book']} is {shown} points a deal better off.")
    return " ".join(parts)


def _notes(often: dict[str, Moments]) -> list[str]:
    measured = (
        "A build is for the partner if only his cards can take it. At one such decision of a deal, drawn evenly, the "
        "best build for the partner and the best other turn, both by the judgement of `book`, are played in the same "
        "deal, and `book` plays on with its partner."
    )
    each = "; ".join(f"{name} {moment.mean:.1f}" for name, moment in often.items())
    return [
        measured,
        "The tip is followed whenever it can be, where `book` would not too: the rows `book prefers` tell these apart.",
        OPPONENTS_NOTE,
        f"Such decisions of a seat in a deal: {each}.",
        "Switches: both partners play `book` with and without it, against the same opponents in the same deals.",
        f"In tables and fields, numbers from fewer than {LEAST} deals are left out.",
    ]


def _pooled(found: dict[tuple[Form, str], dict[str, list[Moments]]]) -> list[Effect]:
    """By what else can be done and the points in the build, all opponents together."""
    settings = [{"can do instead": text, "points in the build": laid} for text in SITUATIONS for laid in LAID]
    parts = [numbers["cell"] for (form, _), numbers in found.items() if form == SHOWN]
    return [Effect(where, sum(same, Moments(SCALE))) for where, *same in zip(settings, *parts, strict=True)]


def _draw(figure: Any, effects: list[Effect], cells: list[Effect]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=[1.0, 0.9])
    forest(left, effects, "points by building for the partner", "Build for the partner, or the best other turn?")
    left.tick_params(axis="y", labelsize=8)
    values = [cell.mean if cell.moments.n >= LEAST else np.nan for cell in cells]
    title = f"{SHOWN.name}, all opponents"
    heat(right, np.reshape(values, (len(SITUATIONS), len(LAID))), SITUATIONS, LAID, "points by building", title)
    right.set_xlabel("points in the build")
    right.set_ylabel("what else the seat can do")


QUESTION = Question(
    "zwicker.partner",
    "Does building for the partner pay?",
    "The text allows it, and to ask him for a value (W21); it does not say whether it pays.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
