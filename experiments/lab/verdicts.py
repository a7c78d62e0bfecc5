"""Verdicts that follow from intervals, never from a person's reading of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.lab.comparing import Effect

HOLDS, HOLDS_ONLY_IF, HOLDS_NOT, FORBIDDEN = "holds", "holds only if", "does not hold", "the rules forbid it"


@dataclass(frozen=True)
class Verdict:
    """What the numbers say of a tip.

    Attributes:
        word: HOLDS, HOLDS_ONLY_IF, HOLDS_NOT or FORBIDDEN.
        pays: settings in which following the tip gains: the interval lies above the least gain.
        costs: settings in which it loses: the interval lies below 0.
        open: settings in which neither is shown.
        rule: for FORBIDDEN, the rule's number.
    """

    word: str
    pays: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    rule: str = ""

    @property
    def flips(self) -> str:
        """Where the verdict flips."""
        if self.word == FORBIDDEN:
            return f"rule {self.rule}"
        parts = [
            f"{name}: {'; '.join(where)}"
            for name, where in (("pays", self.pays), ("costs", self.costs), ("no effect shown", self.open))
            if where
        ]
        return ". ".join(parts) if len(parts) > 1 else "nowhere in what was measured"


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
    bounds = [(effect.name, effect.interval(each)) for effect in effects]
    pays = tuple(name for name, (low, _) in bounds if low > least)
    costs = tuple(name for name, (_, high) in bounds if high < 0)
    rest = tuple(name for name, _ in bounds if name not in pays and name not in costs)
    word = HOLDS if len(pays) == len(bounds) else HOLDS_ONLY_IF if pays else HOLDS_NOT
    return Verdict(word, pays, costs, rest)
