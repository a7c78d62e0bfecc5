"""How many hands a setting gets, and that no verdict is drawn from a handful of them."""

from __future__ import annotations

from cardsim.stats import Moments
from experiments.lab import HOLDS, HOLDS_NOT, Effect, judge, share_out
from experiments.lab.verdicts import FEWEST


def test_few_equal_samples_show_nothing() -> None:
    few, many = (Effect({"n": str(n)}, Moments(1, n, 3 * n, 9 * n)) for n in (FEWEST - 1, FEWEST))
    assert judge([few]).word == HOLDS_NOT and judge([few]).open == (few.setting,)
    assert judge([many]).word == HOLDS and judge([many, few]).open == (few.setting,)


def test_hands_are_dealt_out_by_the_weights_of_opponents() -> None:
    found = share_out(1_000, ("a", "b"), {"random": 1.0, "ppo": 0.25})
    assert found == {("a", "random"): 400, ("a", "ppo"): 100, ("b", "random"): 400, ("b", "ppo"): 100}
    assert set(share_out(0, ("a",), {"random": 1.0}).values()) == {30}
