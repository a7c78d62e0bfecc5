"""Is the last capture worth fighting for, by keeping back a card that captures?"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.cli.plot import COLOURS
from cardsim.games.zwicker.layout import LEFT_OVER, NO_CARD, NOBODY
from cardsim.stats import Moments
from experiments.lab import Effect, Finding, Line, Options, Question, Sums, frame, judge, moments
from experiments.lab.plots import forest, tidy
from experiments.zwicker.endings import play_ends
from experiments.zwicker.points import points_of, sides_of, worth_of_cards
from experiments.zwicker.settings import (
    LEAST,
    OPPONENTS,
    OPPONENTS_NOTE,
    Form,
    against,
    effects_of,
    number_with_interval,
    slow_hands,
)
from experiments.zwicker.turns import ASIDE, HELP, STACK, SWEEP, TAKE, compare

FORMS = (Form("no_joker", 2), Form("no_joker", 4), Form("six_joker", 2), Form("six_joker", 4))
SHOWN_OPPONENT = "book"
SCORES = ("gives up points", "gives up no points")
CARDS_LEFT = ("2 cards left", "3 cards left", "4 cards left")
WAYS = ("waits", "captures")


def in_last_hand(states: Any) -> Any:
    """Whether the stock is empty, so that nobody gets another hand: bool (N,)."""
    return states["deck_pos"] == states["rules"]["cards"]


def wait_or_take(line: Line, seed: int, first: int, count: int) -> Sums:
    """In the last hand, the best turn without a capture less the best capture, by points of that and by cards left."""
    found = compare(line, seed, first, count, [STACK, HELP, ASIDE], in_last_hand)
    states, seat = found.decisions.states, found.decisions.seat
    left = (states["hand"][np.arange(len(states)), seat] != NO_CARD).sum(1) - 2
    points = np.where(found.other == TAKE, found.points(TAKE), found.points(SWEEP))
    scores = (points == 0).astype(np.int64)
    last = np.zeros(found.finals.shape)
    if len(states):
        side = sides_of(states)
        last += side[np.maximum(found.finals["capturer"], 0)] == side[seat][:, None]
    return {
        "scores": moments(found.gain, scores, len(SCORES)),
        "cell": moments(found.gain, scores * len(CARDS_LEFT) + left, len(SCORES) * len(CARDS_LEFT)),
        "last": moments(last, np.broadcast_to(np.arange(2), last.shape), len(WAYS)),
    }


def left_over(line: Line, seed: int, first: int, count: int) -> Sums:
    """What was left at the end, and what it was worth to who captured last against another side's having it."""
    states, _, left = play_ends(line, seed, first, count)
    worth = worth_of_cards(states, left)
    taken = states["capturer"] != NOBODY
    return {
        "items": moments(states["totals"][:, LEFT_OVER]),
        "cards": moments(np.bitwise_count(left).sum(1).astype(np.float64)),
        "points": moments(np.where(taken, points_of(states, left), np.nan)),
        "lead": moments(np.where(np.isnan(worth.lead), 0.0, worth.lead)),
        "games": moments(np.where(np.isnan(worth.games), 0.0, worth.games)),
        "nothing": moments((left.sum(1) == 0).astype(np.float64)),
    }


def run(options: Options) -> Finding:
    """Count what is left at the end; and in the last hand, keep the cards that capture or do it, in the same deal."""
    slow = slow_hands(options.hands)
    ends = against(options, "left", FORMS, slow // 3, left_over)
    found = against(options, "wait", FORMS, slow // 2, wait_or_take)
    effects = effects_of(found, "scores", SCORES, 2)
    texts = [f"{scores}, {left}" for scores in SCORES for left in CARDS_LEFT]
    rows = effects_of(found, "cell", texts)
    brings = {
        number: [
            Effect({"form": form.name, "opponents": opponent}, numbers[number][0])
            for (form, opponent), numbers in ends.items()
        ]
        for number in ("items", "cards", "points", "lead", "games", "nothing")
    }
    table = frame(brings["lead"], "points ahead")
    shown = {"games": "games", "items left": "items", "cards left": "cards", "points left": "points"}
    for name, number in shown.items():
        table[name] = [effect.mean for effect in brings[number]]
    table["deals with nothing left"] = [effect.mean for effect in brings["nothing"]]
    return Finding(
        answer=_answer(brings, effects, found),
        unit="points per decision",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: _draw(figure, effects, ends),
        caption=(
            "Left: in the last hand, the best turn without a capture against the best capture, in points of the deal, "
            "with 95 % intervals. Right: by how many games in 100 who captured last does better for the cards left at "
            "the end than if another side had them, with 95 % intervals; `book` against each kind of opponents."
        ),
        tables={
            "What the last capture brings, points per deal": table,
            **({"By cards left in the hand, points per decision": frame(rows)} if rows else {}),
        },
        notes=_notes(),
        size=(13.0, 8.0),
    )


def _notes() -> list[str]:
    brings = (
        "What the last capture brings: all cards that lie on the table at the end, in another side's pile instead, and "
        "all else as it was; no card left counts as 0. With more sides it is the mean over the others."
    )
    measured = (
        "The verdict is on keeping back in the last hand, where the stock is empty: at one such decision of a deal, "
        "drawn evenly, with at least two cards in hand, of which one can capture. The best turn without a capture and "
        "the best capture, by the judgement of `book`, are played in the same deal, and `book` plays on."
    )
    return [brings, measured, OPPONENTS_NOTE, f"In tables, numbers from fewer than {LEAST} deals are left out."]


def _answer(brings: dict[str, list[Effect]], effects: list[Effect], found: dict[Any, dict[str, list[Moments]]]) -> str:
    parts = []
    for lead, games, cards in zip(brings["lead"], brings["games"], brings["cards"], strict=True):
        if lead.setting["opponents"] == SHOWN_OPPONENT:
            parts.append(
                f"{lead.setting['form']}: {cards.mean:.1f} cards are left at the end, which bring who captured last "
                f"{number_with_interval(lead)} points and {100 * games.mean:.1f} games in 100."
            )
    for form in FORMS:
        waits, captures = found[form, SHOWN_OPPONENT]["last"]
        own = [e for e in effects if (e.setting["form"], e.setting["opponents"]) == (form.name, SHOWN_OPPONENT)]
        gains = ", ".join(f"{number_with_interval(effect)} where it {effect.setting['situation']}" for effect in own)
        if waits.n:
            parts.append(
                f"Who keeps such a card back in the last hand ({form.name}) gets the last capture in {waits.mean:.0%} "
                f"of the deals, who captures at once in {captures.mean:.0%}; keeping it earns, in points, {gains}."
            )
    return " ".join(parts)


def _draw(figure: Any, effects: list[Effect], ends: dict[tuple[Form, str], dict[str, list[Moments]]]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=[1.0, 0.8])
    forest(left, effects, "points by keeping it back", "In the last hand: keep back a card that captures?")
    left.tick_params(axis="y", labelsize=8)
    for number, opponent in enumerate(OPPONENTS):
        games = [ends[form, opponent]["games"][0] for form in FORMS]
        mean = np.array([100 * moment.mean for moment in games])
        low, high = (100 * np.array([moment.interval()[end] for moment in games]) for end in (0, 1))
        place = np.arange(len(FORMS)) + (number - (len(OPPONENTS) - 1) / 2) * 0.2
        right.bar(place, mean, 0.18, color=COLOURS[number], label=f"against {opponent}")
        right.errorbar(place, mean, yerr=[mean - low, high - mean], fmt="none", color="#333333", capsize=3, linewidth=1)
    right.set_xticks(range(len(FORMS)), [form.name.replace(", ", ",\n") for form in FORMS])
    right.margins(y=0.12)
    right.legend(frameon=False, ncols=2, loc="upper center")
    tidy(right, "What the last capture brings", "", "games more in 100")


QUESTION = Question(
    "zwicker.last_capture",
    "Is the last capture worth fighting for: keep back a card that captures?",
    "Cards that nobody can take at the end go to whoever captured last (W24); what that is worth it does not say.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
