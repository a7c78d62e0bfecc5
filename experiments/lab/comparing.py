"""Policies compared on the same deals, in every seating, and the effects that come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cardsim.game import Game
from cardsim.stats import Interval, Moments, asymptotic_sequence
from experiments.lab.measuring import BLOCK, Sums, measure, moments
from experiments.lab.options import Options
from experiments.lab.playing import Line

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Effect:
    """What something is worth in one setting.

    Attributes:
        setting: what it was measured under, such as {"preset": "base", "opponents": "book"}.
        moments: of the paired differences, one a deal.
        sequential: the run stopped at a wished width, so the wider interval holds that allows for such looks.
    """

    setting: Mapping[str, str]
    moments: Moments
    sequential: bool = False

    @property
    def name(self) -> str:
        """The setting in one line."""
        return ", ".join(self.setting.values())

    @property
    def mean(self) -> float:
        """Mean difference."""
        return self.moments.mean

    def interval(self, confidence: float = 0.95) -> Interval:
        """Interval of the mean."""
        if self.moments.n > 1 and self.moments.squares == 0:
            return Interval(0.0, 0.0)
        if self.sequential:
            return asymptotic_sequence(self.moments, confidence)
        return self.moments.interval(confidence)


def frame(effects: Sequence[Effect], mean: str = "mean") -> pd.DataFrame:
    """A row per effect: its setting, mean, low, high (95 %) and n."""
    import pandas as pd

    rows = []
    for effect in effects:
        low, high = effect.interval()
        rows.append({**effect.setting, mean: effect.mean, "low": low, "high": high, "n": effect.moments.n})
    return pd.DataFrame(rows)


@cache
def in_parties(game: Game) -> bool:
    """Whether the seats opposite each other are paid alike, as partners are."""
    players = game.num_players
    if players < 4 or players % 2:
        return False
    _, returned = Line(game, ["random"] * players).play(0, 0, 32)
    return bool((returned == np.roll(returned, 2, axis=1)).all() and returned.any())


def line_up(game: Game, hero: str, opponent: str) -> list[str]:
    """The hero in entry 0, opponents elsewhere; in parties the hero's partners play as the hero does."""
    partners = in_parties(game)
    return [hero if seat == 0 or (partners and seat % 2 == 0) else opponent for seat in range(game.num_players)]


def seatings(game: Game) -> range:
    """Rotations of a `line_up` that put the hero in every place once."""
    return range(2 if in_parties(game) else game.num_players)


def differences(
    options: Options,
    name: str,
    game: Game,
    variant: str,
    baseline: str,
    opponent: str,
    hands: int,
    setting: Mapping[str, str] | None = None,
) -> Effect:
    """By how much `variant` earns more than `baseline` in the same deals against the same opponents.

    Args:
        options: of the question.
        name: of the saved sums.
        game: a Game.
        variant, baseline: agents of the hero.
        opponent: agent of the others.
        hands: hands to play; each deal takes two in every seating.
        setting: of the effect; by default game and opponents.
    """
    lines = [Line(game, line_up(game, hero, opponent)) for hero in (variant, baseline)]
    turns = seatings(game)

    def work(first: int, count: int) -> Sums:
        gain = np.zeros(count)
        for rotation in turns:
            a, b = (line.play(options.seed, first, count, rotation)[1][:, 0] for line in lines)
            gain += (a - b) / len(turns)
        return {"gain": moments(gain)}

    deals = max(2, hands // (2 * len(turns)))
    found = measure(options, name, work, deals, main=("gain", 0), block=min(BLOCK, max(50, deals // 16)))
    where = {"game": game.name, "opponents": opponent} if setting is None else setting
    return Effect(where, found["gain"][0], options.until > 0)


def best_of(
    options: Options, name: str, game: Game, candidates: Sequence[str], baseline: str, opponent: str, hands: int
) -> tuple[list[Effect], Effect]:
    """The best of some policies against given opponents, all of them measured against a baseline.

    Half of the hands choose, the other half measure the one that was chosen, since the best of many in one sample is
    partly the luckiest.

    Returns:
        The effects that chose, one a candidate; the chosen one's effect on deals of its own.
    """
    each = hands // (2 * len(candidates))
    found = [
        differences(options, f"{name}-{i}", game, candidate, baseline, opponent, each, {"policy": candidate})
        for i, candidate in enumerate(candidates)
    ]
    best = max(range(len(found)), key=lambda i: found[i].mean)
    fresh = replace(options, seed=options.other_deals("best"))
    chosen = differences(
        fresh, f"{name}-best", game, candidates[best], baseline, opponent, hands // 2, found[best].setting
    )
    return found, chosen
