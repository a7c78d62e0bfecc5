"""The compiled Sixty-Six against the slow referee: the same packs, the same actions, compared state by state.

The big comparison is a script: `python -m tests.games.test_sixty_six_referee --hands 200000 --jobs 2`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from cardsim.games.sixty_six.kernels import deal, deal_given, reset
from cardsim.games.sixty_six.layout import STATE
from cardsim.games.sixty_six.rules import OPTIONS, make_rules
from cardsim.jit import kernel
from cardsim.rng import CARDS, new_streams, seed_stream
from tests.games import sixty_six_trace as trace
from tests.games.referee_runs import Case, Compared, Comparison, Task
from tests.games.sixty_six_replay import SixtySixReplay

BASES: dict[str, Case] = {
    "base": ("base", {}),
    "pagat66": ("pagat66", {}),
    "schnapsen": ("schnapsen", {}),
    "three_hand": ("three_hand", {}),
    "four_hand": ("four_hand", {}),
    "american": ("four_hand", {"american": True}),
    "1001": ("1001", {}),
    "1001x3": ("1001", {"players": 3}),
    "1001h6": ("1001", {"hand": 6}),
    "deck32": ("deck32", {}),
    "strict": ("strict", {}),
    "small": ("base", {"suits": 2, "ranks": 4, "hand": 3, "goal": 33}),
    "small_three": ("three_hand", {"suits": 3, "ranks": 4, "hand": 4, "goal": 50}),
}
"""Every preset, and the forms that an option makes of it."""

TALON = frozenset({"base", "pagat66", "schnapsen", "three_hand", "deck32", "strict", "small", "small_three"})
TWO = TALON - {"three_hand", "small_three"}
THOUSAND = frozenset({"1001", "1001x3", "1001h6"})
CLAIMS = TALON | {"four_hand"}
ALL = frozenset(BASES)
EFFECT: dict[str, frozenset[str]] = {
    "match": ALL,
    "first_dealer": ALL,
    **dict.fromkeys(("close_timing", "close_min_talon", "close_first_lead", "close_score", "closing"), TALON),
    **dict.fromkeys(("failed_close", "beaten_closer"), TALON),
    **dict.fromkeys(("exchange_needs_trick", "exchange_on_close", "exchange_min_talon"), TALON),
    "close_timing=before_draw": TALON - {"small"},  # after the only draw there is no talon
    "failed_close=always_3": TALON - {"small"},  # nobody has closed there against a trick
    "swap_card": frozenset({"deck32"}),
    "goal": CLAIMS,
    **dict.fromkeys(("early_marriage", "marriage_must_lead", "marriage_lead", "announce"), ALL - {"american"}),
    "marriage_after_close": ALL - {"four_hand", "american", "1001x3"},
    **dict.fromkeys(("marriage_show_out", "claims", "claim_timing", "false_claim", "exhausted"), CLAIMS),
    "tie": (CLAIMS | {"american"}) - {"schnapsen"},
    "next_dealer": TWO,
    "target": ALL,
    "matsch_double": ALL - THOUSAND,
    "idle_dealer": frozenset({"three_hand", "small_three"}),
    "partner_meld": frozenset({"four_hand"}),
    "ascending_marriages": THOUSAND,
    "follow_always": frozenset({"1001", "1001h6"}),
}
NUMBERS = {
    "close_min_talon": (2, 3, 4, 6, 8, 10, 12, 13, 32),
    "exchange_min_talon": (2, 3, 4, 6, 8, 10, 12, 13, 32),
    "target": (1, 2, 5, 11),
    "goal": (1, 31, 50, 67, 100),
}
SHAPES = [
    {"suits": suits, "ranks": ranks, "hand": hand}
    for suits in (2, 3, 4)
    for ranks in range(3, 9)
    for hand in range(2, 9)
    if suits * ranks % 2 == 0 and 2 * hand + 2 <= suits * ranks
]
"""All small packs (SP38)."""


def target(name: str) -> int:
    """A target that a match reaches in about three deals."""
    return 250 if name in THOUSAND else 3


def modes(name: str) -> tuple[dict[str, Any], ...]:
    """Single deals, and short matches."""
    return {}, {"match": True, "target": target(name)}


RUNS = Comparison(
    title="Sixty-Six",
    replay=SixtySixReplay,
    make_rules=make_rules,
    options=OPTIONS,
    bases=BASES,
    effect=EFFECT,
    numbers=NUMBERS,
    fixed=("match", "players", "hand", "suits", "ranks", "american"),
    named_only=("first_dealer", "target"),
    unseen=("first_dealer", "perfect_memory"),
    modes=modes,
    policies=trace.POLICIES,
    shown_in_session=frozenset({"next_dealer", "matsch_double", "target"}),
)
single_options, random_options, differences = RUNS.single_options, RUNS.random_options, RUNS.differences


@pytest.mark.parametrize("name", BASES)
def test_presets(name: str) -> None:
    """Every preset, all policies, single deals and matches."""
    assert not differences(name, {}, hands=60)


@pytest.mark.parametrize("name", BASES)
def test_single_options(name: str) -> None:
    """Every value of every option on top of every preset; an idle option only briefly."""
    cases = [case for case in single_options() if case[0] == name]
    assert not RUNS.single_differences(cases, hands=20, idle=2)


def test_small_packs() -> None:
    """More than ten thousand hands with all small packs, each with a preset and a goal of its own."""
    names, found, hands = sorted(TALON - {"small", "small_three"}), [], 0
    for number, shape in enumerate(SHAPES):
        options = {**shape, "goal": (25, 33, 41, 50, 66)[number % 5], "swap_card": ("lowest", "nine")[number % 2]}
        found += differences(names[number % len(names)], options, hands=30, seed=number)
        hands += 30 * len(RUNS.policies) * 2
    assert not found and hands > 10_000


def test_random_combinations() -> None:
    """Three hundred random combinations of options."""
    found = []
    for number in range(300):
        name, options = random_options(number)
        found += differences(name, options, hands=6, seed=number)
    assert not found


@pytest.mark.parametrize("name, option, value", RUNS.watched({"base"}))
def test_options_show(name: str, option: str, value: Any) -> None:
    """The comparison notices every option that EFFECT says acts in the base game, and no other."""
    assert RUNS.shows(name, option, value, 700) == RUNS.acts(name, option, value)


@pytest.mark.slow
@pytest.mark.parametrize("name, option, value", RUNS.watched(ALL - {"base"}))
def test_options_show_everywhere(name: str, option: str, value: Any) -> None:
    """The same on top of the other presets."""
    acts = RUNS.acts(name, option, value)
    assert RUNS.shows(name, option, value, 5000 if acts else 50) == acts


@kernel
def deal_both_ways(states: Any, streams: Any, deck: Any, number: int) -> None:
    """The same deal by `deal` into states[0] and by shuffling and `deal_given` into states[1]."""
    for i in range(2):
        seed_stream(streams[0], 3, number, CARDS)
        reset(states[i], streams[0])
        if i == 0:
            deal(states[i], streams[0])
        else:
            trace.fresh_deck(deck, states[i]["rules"], streams[0])
            deal_given(states[i], deck)


@pytest.mark.parametrize("name", BASES)
def test_deal_is_shuffle_and_lay_out(name: str) -> None:
    """`deal` shuffles the pack of the form and lays it out as `deal_given` does, to the byte."""
    preset, fixed = BASES[name]
    states = np.zeros(2, STATE)
    states["rules"] = make_rules(preset, **fixed).record
    deck = trace.new_tape(1).decks[0]
    for number in range(20):
        deal_both_ways(states, new_streams(1), deck, number)
        assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", BASES)
def test_many_hands(name: str) -> None:
    """6,000 hands for each preset, over policies, single deals and matches; the script plays more."""
    assert not [text for task in RUNS.shares(name, 6_000, seed=1) if (text := compare(task)[1])]


@pytest.mark.slow
def test_many_options() -> None:
    """Single options with more hands, and a thousand other combinations."""
    found = RUNS.single_differences((case for case in single_options() if RUNS.acts(*case)), hands=40, seed=2)
    for number in range(1000, 2000):
        name, options = random_options(number)
        found += differences(name, options, hands=10, seed=number)
    assert not found


def compare(task: Task) -> Compared:
    """One share of the big comparison."""
    return RUNS.compare(task)


if __name__ == "__main__":
    sys.exit(RUNS.compare_all(RUNS.parser().parse_args(), compare))
