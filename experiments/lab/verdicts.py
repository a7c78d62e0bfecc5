"""Verdicts that follow from intervals, never from a person's reading of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cardsim.stats import Interval
from experiments.lab.comparing import Effect

HOLDS, HOLDS_ONLY_IF, HOLDS_NOT, FORBIDDEN = "holds", "holds only if", "does not hold", "the rules forbid it"
FEWEST = 30
"""An effect of fewer samples shows nothing: a handful of equal ones has no spread, so an interval of no width."""
Settings = tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class Verdict:
    """What the numbers say of a tip.

    Attributes:
        word: HOLDS, HOLDS_ONLY_IF, HOLDS_NOT or FORBIDDEN.
        pays: settings in which following the tip gains: the interval lies above the least gain.
        costs: settings in which it loses: the interval lies below 0.
        open: settings in which neither is shown, or that have fewer than FEWEST samples.
        rule: for FORBIDDEN, the rule's number.
    """

    word: str
    pays: Settings = ()
    costs: Settings = ()
    open: Settings = ()
    rule: str = ""

    @property
    def flips(self) -> str:
        """Where the verdict flips."""
        if self.word == FORBIDDEN:
            return f"rule {self.rule}"
        kinds = {"pays": self.pays, "costs": self.costs, "no effect shown": self.open}
        parts = [text for word, settings in kinds.items() for text in _by_opponents(word, settings)]
        return ". ".join(parts) if sum(map(bool, kinds.values())) > 1 else "nowhere in what was measured"


def _by_opponents(word: str, settings: Settings) -> list[str]:
    """What a word is true of: a text for each set of opponents, since a list of all settings is long to read."""
    against: dict[str, list[str]] = {}
    for setting in settings:
        where = ", ".join(value for key, value in setting.items() if key != "opponents")
        against.setdefault(where, []).extend([setting["opponents"]] if "opponents" in setting else [])
    groups: dict[str, list[str]] = {}
    for where, opponents in against.items():
        groups.setdefault(f"{word} against {', '.join(opponents)}" if opponents else word, []).append(where)
    return [f"{text}: {'; '.join(where)}".removesuffix(": ") for text, where in groups.items()]


def judge(effects: Sequence[Effect], least: float = 0.0, confidence: float = 0.95) -> Verdict:
    """The verdict on a tip from its effects (following it, minus not following it).

    All intervals hold together with probability `confidence` (Bonferroni), since a tip is given several chances.

    Args:
        effects: one a setting.
        least: gain that counts as one, in the unit of the effects.
        confidence: that no interval misses.

    Raises:
        ValueError: no effects.
    """
    if not effects:
        raise ValueError("effects []: there must be at least one")
    each = 1 - (1 - confidence) / len(effects)
    nothing = Interval(-math.inf, math.inf)
    bounds = [(e.setting, e.interval(each) if e.moments.n >= FEWEST else nothing) for e in effects]
    pays = tuple(setting for setting, (low, _) in bounds if low > least)
    costs = tuple(setting for setting, (_, high) in bounds if high < 0)
    rest = tuple(setting for setting, (low, high) in bounds if low <= least and high >= 0)
    word = HOLDS if len(pays) == len(effects) else HOLDS_ONLY_IF if pays else HOLDS_NOT
    return Verdict(word, pays, costs, rest)
