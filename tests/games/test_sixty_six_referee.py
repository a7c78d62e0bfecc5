"""The compiled Sixty-Six against the slow referee: the same packs, the same actions, compared state by state.

The big comparison is a script: `python -m tests.games.test_sixty_six_referee --hands 200000 --jobs 2`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from cardsim.games.sixty_six.kernels import deal, deal_given, reset
from cardsim.games.sixty_six.rules import OPTIONS, make_rules
from cardsim.jit import kernel
from cardsim.options import Option
from cardsim.rng import CARDS, new_streams, seed_stream
from tests.games import sixty_six_trace as trace
from tests.games.sixty_six_replay import Replay
from tests.reference.sixty_six import Referee

Case = tuple[str, dict[str, Any]]

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
}
"""Every preset, and the forms that an option makes of it."""

TALON = frozenset({"base", "pagat66", "schnapsen", "three_hand", "deck32", "strict"})
TWO = TALON - {"three_hand"}
THOUSAND = frozenset({"1001", "1001x3", "1001h6"})
CLAIMS = TALON | {"four_hand"}
ALL = frozenset(BASES)
EFFECT: dict[str, frozenset[str]] = {
    "match": ALL,
    "first_dealer": ALL,
    **dict.fromkeys(("close_timing", "close_min_talon", "close_first_lead", "close_score", "closing"), TALON),
    **dict.fromkeys(("failed_close", "beaten_closer"), TALON),
    **dict.fromkeys(("exchange_needs_trick", "exchange_on_close", "exchange_min_talon"), TALON),
    "swap_card": frozenset({"deck32"}),
    **dict.fromkeys(("early_marriage", "marriage_must_lead", "marriage_lead", "announce"), ALL - {"american"}),
    "marriage_after_close": ALL - {"four_hand", "american", "1001x3"},
    **dict.fromkeys(("marriage_show_out", "claims", "claim_timing", "false_claim", "exhausted"), CLAIMS),
    "tie": (CLAIMS | {"american"}) - {"schnapsen"},
    "next_dealer": TWO,
    "target": ALL,
    "matsch_double": ALL - THOUSAND,
    "idle_dealer": frozenset({"three_hand"}),
    "partner_meld": frozenset({"four_hand"}),
    "ascending_marriages": THOUSAND,
    "follow_always": frozenset({"1001", "1001h6"}),
}
"""Where an option changes anything; elsewhere it must be accepted without effect (SP33)."""
NUMBERS = {
    "close_min_talon": (2, 3, 4, 6, 8, 10, 12, 13, 32),
    "exchange_min_talon": (2, 3, 4, 6, 8, 10, 12, 13, 32),
    "target": (1, 2, 5, 11),
}
FIXED = ("match", "players", "hand", "american")
"""Set by BASES and by the two modes of `differences`, not option by option."""


def target(name: str) -> int:
    """A target that a match reaches in about three deals."""
    return 250 if name in THOUSAND else 3


def values(option: Option) -> tuple[Any, ...]:
    """The values of an option that are tried."""
    if isinstance(option.default, bool):
        return (False, True)
    return option.choices or NUMBERS[option.name]


def single_options() -> Iterator[tuple[str, str, Any]]:
    """Base, option and value, for each value that is not already in force and that the seats allow."""
    for name, (preset, fixed) in BASES.items():
        rules = make_rules(preset, **fixed)
        for option in OPTIONS.options:
            if option.name in FIXED:
                continue
            for value in values(option):
                seat = option.name == "first_dealer" and value != "random"
                if value != rules[option.name] and not (seat and int(value) >= int(rules["players"])):
                    yield name, option.name, value


def random_options(number: int) -> tuple[str, dict[str, Any]]:
    """A base and a random combination of options on top of it."""
    rng = random.Random(number)
    name = rng.choice(sorted(BASES))
    free = [option for option in OPTIONS.options if option.name not in (*FIXED, "first_dealer", "target")]
    chosen = [option for option in free if rng.random() < 0.35]
    return name, {option.name: rng.choice(values(option)) for option in chosen}


def differences(name: str, options: dict[str, Any], hands: int, seed: int = 66) -> list[str]:
    """Play `hands` with each policy as single deals, and as many in short matches; what differs, as texts."""
    preset, fixed = BASES[name]
    found = []
    for policy in range(len(trace.POLICIES)):
        for mode in ({}, {"match": True, "target": target(name)}):
            found.append(Replay(preset, {**fixed, **mode, **options}, policy, seed).run(hands))
    return [text for text in found if text]


@pytest.mark.parametrize("name", BASES)
def test_presets(name: str) -> None:
    """Every preset, all policies, single deals and matches."""
    assert not differences(name, {}, hands=60)


@pytest.mark.parametrize("name", BASES)
def test_single_options(name: str) -> None:
    """Every value of every option on top of every preset; an idle option only briefly."""
    found = []
    for base, option, value in single_options():
        if base == name:
            acts = name in EFFECT.get(option, ())
            found += differences(name, {option: value}, hands=20 if acts else 2)
    assert not found


def test_random_combinations() -> None:
    """Three hundred random combinations of options."""
    found = []
    for number in range(300):
        name, options = random_options(number)
        found += differences(name, options, hands=6, seed=number)
    assert not found


def shows(name: str, option: str, value: Any, hands: int) -> bool:
    """Whether the comparison notices an option of which the referee is not told."""
    preset, fixed = BASES[name]
    match = option in ("next_dealer", "matsch_double", "target")
    mode = {"match": True, "target": target(name)} if match else {}
    for policy in (trace.PATIENT, trace.UNIFORM, trace.CAREFUL):
        replay = Replay(preset, {**fixed, **mode, option: value}, policy, seed=6)
        replay.table = Referee(preset, **{**fixed, **mode})
        if replay.run(hands, block=100):
            return True
    return False


def watched(names: frozenset[str]) -> list[tuple[str, str, Any]]:
    """Single options that the referee has: it is told the dealer, and makes no observations."""
    return [case for case in single_options() if case[0] in names and case[1] not in UNWATCHED]


UNWATCHED = ("first_dealer", "perfect_memory")


@pytest.mark.parametrize("name, option, value", watched(frozenset({"base"})))
def test_options_show(name: str, option: str, value: Any) -> None:
    """The comparison notices every option that EFFECT says acts in the base game, and no other."""
    assert shows(name, option, value, 700) == (name in EFFECT.get(option, ()))


@pytest.mark.slow
@pytest.mark.parametrize("name, option, value", watched(ALL - {"base"}))
def test_options_show_everywhere(name: str, option: str, value: Any) -> None:
    """The same on top of the other presets."""
    acts = name in EFFECT.get(option, ())
    assert shows(name, option, value, 5000 if acts else 50) == acts


@kernel
def deal_both_ways(states: Any, streams: Any, deck: Any, number: int) -> None:
    """The same deal by `deal` into states[0] and by shuffling and `deal_given` into states[1]."""
    for i in range(2):
        seed_stream(streams[0], 3, number, CARDS)
        reset(states[i], streams[0])
        if i == 0:
            deal(states[i], streams[0])
        else:
            trace.fresh_deck(deck, states[i]["rules"]["cards"], streams[0])
            deal_given(states[i], deck)


@pytest.mark.parametrize("name", BASES)
def test_deal_is_shuffle_and_lay_out(name: str) -> None:
    """`deal` shuffles the pack of the form and lays it out as `deal_given` does, to the byte."""
    preset, fixed = BASES[name]
    states = trace.new_states(make_rules(preset, **fixed)).repeat(2)
    deck = trace.new_tape(1).decks[0]
    for number in range(20):
        deal_both_ways(states, new_streams(1), deck, number)
        assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("policy", range(len(trace.POLICIES)), ids=trace.POLICIES)
@pytest.mark.parametrize("name", BASES)
def test_ten_thousand_hands(name: str, policy: int) -> None:
    """10,000 hands for each preset and policy, half of them in matches."""
    for match in (False, True):
        _, _, text = compare((name, policy, match, 5_000, 1))
        assert not text


@pytest.mark.slow
def test_many_options() -> None:
    """Single options and three thousand combinations with more hands."""
    found = []
    for name, option, value in single_options():
        if name in EFFECT.get(option, ()):
            found += differences(name, {option: value}, hands=100, seed=2)
    for number in range(1000, 4000):
        name, options = random_options(number)
        found += differences(name, options, hands=10, seed=number)
    assert not found


def compare(task: tuple[str, int, bool, int, int]) -> tuple[str, int, str]:
    """One share of the big comparison.

    Args:
        task: name in BASES, policy, matches or single deals, hands, seed.

    Returns:
        The name, decisions compared, and the first difference or the empty text.
    """
    name, policy, match, hands, seed = task
    preset, fixed = BASES[name]
    mode = {"match": True, "target": target(name)} if match else {}
    replay = Replay(preset, {**fixed, **mode}, policy, seed)
    text = replay.run(hands)
    return name, replay.decisions, text


def main(arguments: list[str]) -> int:
    """Compare and print one line per preset; the exit status says whether anything differed."""
    parser = argparse.ArgumentParser(description="Compare the compiled Sixty-Six with the referee.")
    parser.add_argument("--hands", type=int, default=200_000, help="hands per preset, over policies and modes")
    parser.add_argument("--preset", choices=BASES, action="append", help="only these")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    names = given.preset or list(BASES)
    modes = [(policy, match) for policy in range(len(trace.POLICIES)) for match in (False, True)]
    shares = [given.hands // len(modes) + (i < given.hands % len(modes)) for i in range(len(modes))]
    compare((names[0], 0, False, 1, 1))  # compiles before the processes start
    bad = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for name in names:
            began = time.perf_counter()
            tasks = [(name, *mode, hands, given.seed) for mode, hands in zip(modes, shares, strict=True)]
            done = list(pool.map(compare, tasks))
            texts = [text for _, _, text in done if text]
            bad += len(texts)
            decisions, seconds = sum(n for _, n, _ in done), time.perf_counter() - began
            print(
                f"{name}: {given.hands} hands, {decisions} decisions compared, {len(texts)} differences, "
                f"{seconds:.0f} s",
                flush=True,
            )
            for text in texts:
                print(f"  {text}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
