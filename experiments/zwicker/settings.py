"""Forms of the game, opponents, and how the hands of a question are shared out among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import cardsim
from cardsim.game import Game
from cardsim.stats import Moments
from experiments.lab import Effect, Line, Options, Sums, line_up, measure, share_out

LEAST = 50
"""Samples below which a number is left out."""
FEWEST_DEALS = 60
"""Deals that each form and opponent gets of even the smallest question."""
FEWEST_PAIRS = 200
"""The same where two agents are compared on the same deals."""
OPPONENTS: Mapping[str, float] = {"random": 1.0, "greedy": 1.0, "book": 1.0, "ppo": 0.5}
"""Who sits opposite, and the share of hands: a network is slower than `book`."""
ABLE = {name: share for name, share in OPPONENTS.items() if name != "random"}
OPPONENTS_NOTE = f"Opponents: {', '.join(f'`{name}`' for name in OPPONENTS)}; the last plays fewer hands."


class Form(NamedTuple):
    """A form of the game and its players; `teams` as the option of that name."""

    preset: str
    players: int
    teams: str = "form"

    @property
    def name(self) -> str:
        """In words."""
        pairs = " in pairs" if self.teams == "true" else ""
        return f"{self.preset}, {self.players} players{pairs}"

    def make(self) -> Game:
        """The game."""
        return cardsim.make_game("zwicker", preset=self.preset, players=self.players, teams=self.teams)


def slow_hands(hands: int) -> int:
    """Hands that `book` plays of a question's: a quarter of few, an eighth of many.

    It plays a few thousand a second, where `random` plays 100,000.

    >>> [slow_hands(hands) for hands in (1_000, 20_000, 1_000_000)]
    [250, 5000, 133000]
    """
    return min(hands // 4, 8_000 + hands // 8)


def shares(hands: int) -> dict[str, int]:
    """Hands that all play alike, by agent; `random` is quick, `greedy` less so."""
    slow = slow_hands(hands)
    return {"book": slow, "greedy": min(2 * slow, (hands - slow) // 2), "random": (hands - slow) // 2}


def against(
    options: Options,
    name: str,
    forms: Sequence[Form],
    deals: int,
    sums: Callable[[Line, int, int, int], Sums],
) -> dict[tuple[Form, str], dict[str, list[Moments]]]:
    """Sums of deals in each form against each kind of opponents; `book` sits in entry 0, and as its partners.

    Args:
        options: of the question.
        name: of these sums, without form and opponents.
        forms: of the game.
        deals: of all forms and opponents together.
        sums: of deals of a line, called as sums(line, seed, first, count).
    """
    found = {}
    for (form, opponent), share in share_out(deals, forms, OPPONENTS, FEWEST_DEALS).items():
        game = form.make()
        line = Line(game, line_up(game, "book", opponent))
        label = f"{name}-{form.preset}-{form.players}-{form.teams}-{opponent}"
        seed = options.other_deals(label)  # opponents are pooled, so no two may share their deals

        def work(first: int, count: int, line: Line = line, seed: int = seed) -> Sums:
            return sums(line, seed, first, count)

        found[form, opponent] = measure(options, label, work, share, block=min(400, max(20, share // 8)))
    return found


def effects_of(
    found: dict[tuple[Form, str], dict[str, list[Moments]]], number: str, texts: Sequence[str], least: int = LEAST
) -> list[Effect]:
    """Effects of a number that has a cell for each of some situations, those with enough samples."""
    return [
        Effect({"form": form.name, "opponents": opponent, "situation": text}, moment)
        for (form, opponent), numbers in found.items()
        for text, moment in zip(texts, numbers[number], strict=True)
        if moment.n >= least
    ]


def number_with_interval(effect: Effect, digits: int = 1) -> str:
    """Mean and 95 % interval of an effect, as text."""
    low, high = effect.interval()
    return f"{effect.mean:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"
