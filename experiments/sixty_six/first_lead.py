"""Is it good to lead first, and how long does a match last? In every form of the game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import cardsim
from cardsim.cli.plot import COLOURS, INK
from cardsim.game import Game
from cardsim.stats import Moments
from experiments.lab import Effect, Finding, Line, Options, Question, Sums, measure, moments
from experiments.lab.plots import curve, tidy
from experiments.sixty_six.weighing import part

FOR_TWO = ("base", "strict", "schnapsen", "pagat66", "deck32")
FORMS = (*FOR_TWO, "three_hand", "four_hand", "1001")
PICTURED = ("base", "schnapsen", "pagat66", "deck32", "three_hand", "four_hand")
AGENTS = {"random": 0.5, "cautious": 0.5, "book": 2.0, "ppo": 0.1}
"""Who sits in every seat, and the share of hands; the network has learned two-handed forms only."""
FOREHAND = 1
"""Seat that leads first when seat 0 deals."""
MATCH_DEALS = 7
"""Deals that a match is expected to take, for the budget."""
LONGEST = 40
SEATED = (
    "Equal agents in all seats; seat 0 deals, in a match the first deal. In three_hand the dealer sits out; in "
    "four_hand partners win together."
)
BLOCK = 500


class Led(NamedTuple):
    """What came of leading first.

    Attributes:
        wins: share of the decided deals that the first leader's side wins.
        gain: its return in a deal.
    """

    wins: Moments
    gain: Moments


def settings(hands: int) -> dict[tuple[str, str], int]:
    """Forms and agents with their share of the hands."""
    weights = {
        (form, agent): weight for form in FORMS for agent, weight in AGENTS.items() if agent != "ppo" or form in FOR_TWO
    }
    return {setting: max(20, int(hands * weight / sum(weights.values()))) for setting, weight in weights.items()}


def single(options: Options, name: str, game: Game, agent: str, hands: int) -> Led:
    """Deals between equal agents, seat 0 dealing: how the first leader fares."""
    line = Line(game, [agent] * game.num_players)

    def work(first: int, count: int) -> Sums:
        states, returned = line.play(options.seed, first, count)
        won = np.where(states["decided"] > 0, states["forehand_wins"].astype(float), np.nan)
        return {"wins": moments(won), "gain": moments(returned[:, FOREHAND])}

    found = measure(options, name, work, hands, block=BLOCK)
    return Led(found["wins"][0], found["gain"][0])


def matches(options: Options, name: str, game: Game, agent: str, hands: int) -> dict[str, list[Moments]]:
    """Whole matches, seat 0 dealing first: won by the seat that leads first, deals, shut-outs, share by length."""
    line = Line(game, [agent] * game.num_players)

    def work(first: int, count: int) -> Sums:
        states, returned = line.play(options.seed, first, count)
        deals = states["deals"].astype(np.int64)
        seats = game.num_players
        behind = np.where(returned < 0, states["scores"][:, :seats], 0).max(1)
        lengths = [moments(np.where(deals == length, 1.0, 0.0)) for length in range(LONGEST)]
        return {
            "won": moments(returned[:, FOREHAND] > 0),
            "deals": moments(deals),
            "shut out": moments(behind == 0),
            "lengths": np.concatenate(lengths),
        }

    return measure(options, name, work, max(10, hands // MATCH_DEALS), block=BLOCK)


def run(options: Options) -> Finding:
    """Play deals and matches between equal agents in every form."""
    import pandas as pd

    led = {
        (form, agent): single(options, f"deal-{form}-{agent}", _game(form), agent, hands)
        for (form, agent), hands in settings(part(options, 0.7).hands).items()
    }
    played = {
        (form, agent): matches(options, f"match-{form}-{agent}", _game(form, match=True), agent, hands)
        for (form, agent), hands in settings(part(options, 0.3).hands).items()
    }
    lengths = [
        {
            "preset": form,
            "agents": agent,
            "deals": found["deals"][0].mean,
            **_edges(found["deals"][0]),
            "sd": found["deals"][0].sd,
            "first leader wins the match, %": 100 * found["won"][0].mean,
            "losers have nothing, %": 100 * found["shut out"][0].mean,
            "n": found["deals"][0].n,
        }
        for (form, agent), found in played.items()
    ]
    rows = [
        {
            "preset": form,
            "agents": agent,
            "first leader wins, %": 100 * found.wins.mean,
            **_edges(found.wins, 100),
            "gain": found.gain.mean,
            "gain low": found.gain.interval()[0],
            "gain high": found.gain.interval()[1],
            "n": found.wins.n,
        }
        for (form, agent), found in led.items()
    ]
    base, match = led["base", "book"], played["base", "book"]
    return Finding(
        answer=(
            f"Between two `book` the first leader wins {base.wins.mean:.1%} of the decided deals of the base game and "
            f"{base.gain.mean:+.2f} game points a deal. {_sides(led)} A match of the base game lasts "
            f"{match['deals'][0].mean:.1f} deals, and in {match['shut out'][0].mean:.0%} the loser has nothing."
        ),
        unit="share of the deals",
        draw=lambda figure: _draw(figure, led, played),
        caption=(
            "Left: share of the decided deals that the side of the first leader wins, between equal agents; bars are "
            "95 % intervals. Right: how many deals a match takes between `book`, to 7 game points."
        ),
        tables={
            "Deals by the first leader (1001: gain in points)": pd.DataFrame(rows),
            "Matches": pd.DataFrame(lengths),
        },
        notes=[SEATED, "`ppo` has learned the forms for two only, and plays fewer hands."],
        size=(13.0, 5.5),
    )


def _game(form: str, match: bool = False) -> Game:
    return cardsim.make_game("sixty_six", preset=form, match=match, first_dealer="0")


def _edges(found: Moments, times: float = 1.0) -> dict[str, float]:
    low, high = found.interval()
    return {"low": times * low, "high": times * high}


def _sides(led: dict[tuple[str, str], Led]) -> str:
    """In which forms leading first is shown to gain or to cost, for `book`."""
    good = [form for form in FORMS if led[form, "book"].gain.interval()[0] > 0]
    bad = [form for form in FORMS if led[form, "book"].gain.interval()[1] < 0]
    return (
        f"Over a deal, leading first gains in {', '.join(good) or 'no form'} and costs in "
        f"{', '.join(bad) or 'no form'}; where a form is missing neither is shown."
    )


def _draw(
    figure: Any, led: dict[tuple[str, str], Led], played: dict[tuple[str, str], dict[str, list[Moments]]]
) -> None:
    left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
    for number, agent in enumerate(AGENTS):
        for place, form in enumerate(FORMS):
            found = led.get((form, agent))
            if found is not None:
                low, high = found.wins.interval()
                name = agent if place == 0 else None
                where = place + 0.16 * (number - 1.5)
                left.errorbar(
                    where, found.wins.mean, yerr=(high - low) / 2, fmt="o", color=COLOURS[number], capsize=3, label=name
                )
    left.axhline(0.5, color=INK, linewidth=0.9)
    left.set_xticks(range(len(FORMS)), FORMS, rotation=30, ha="right")
    left.legend(frameon=False, title="in all seats")
    tidy(left, "How often the first leader wins the deal", "", "share of decided deals")
    for number, form in enumerate(PICTURED):
        cells = played[form, "book"]["lengths"]
        kept = [length for length, cell in enumerate(cells) if cell.total > 0]
        if kept:
            span = range(kept[0], kept[-1] + 1)
            curve(right, span, [Effect({}, cells[length]) for length in span], form, number)
    right.legend(frameon=False)
    tidy(right, "How long a match lasts", "deals in a match", "share of matches")


QUESTION = Question(
    "sixty_six.first_lead",
    "Is it good to lead first, and how long is a Bummerl?",
    "The text lets the non-dealer lead first and plays to 7 game points (S1, S6); it says nothing of who gains.",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
