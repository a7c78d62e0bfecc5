"""A verdict is not drawn from a handful of deals."""

from __future__ import annotations

from cardsim.stats import Moments
from experiments.lab import HOLDS, HOLDS_NOT, Effect, judge
from experiments.lab.verdicts import FEWEST


def test_few_equal_samples_show_nothing() -> None:
    few, many = (Effect({"n": str(n)}, Moments(1, n, 3 * n, 9 * n)) for n in (FEWEST - 1, FEWEST))
    assert judge([few]).word == HOLDS_NOT and judge([few]).open == (few.setting,)
    assert judge([many]).word == HOLDS and judge([many, few]).open == (few.setting,)
