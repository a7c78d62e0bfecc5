"""The compiled Zwicken against the slow referee: the same packs, the same actions, compared state by state.

The big comparison is a script: `python -m tests.games.test_zwicken_referee --hands 200000 --jobs 2`; with
`--conserve 100M` it plays that many random deals instead and counts the chips after every one.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

from cardsim.cli.inputs import Count
from cardsim.games.zwicken.kernels import deal, deal_given, draw_pack, reset
from cardsim.games.zwicken.layout import ACE, DURCHMARSCH, LEAD, NO_CARD, NOBODY, PER_SUIT, SEATS, SEVEN, STATE
from cardsim.games.zwicken.rules import OPTIONS, PRESETS, deck, make_rules
from cardsim.jit import DISABLED, kernel
from cardsim.rng import CARDS as CARDS_STREAM
from cardsim.rng import new_streams, seed_stream
from tests.games import zwicken_trace as trace
from tests.games.referee_replay import AGAIN
from tests.games.referee_runs import Case, Compared, Comparison, Task
from tests.games.zwicken_chips import first_wrong
from tests.games.zwicken_replay import ZwickenReplay

BASES: dict[str, Case] = {
    f"{preset}x{players}": (preset, {"players": players})
    for preset in PRESETS
    for players in ((3,) if preset == "dreier" else (2, 3, 4, 5))
}
"""Every variant with every number of players."""

ALL = frozenset(BASES)
DREIER = frozenset({"dreierx3"})
BAVARIAN = frozenset(name for name in BASES if name.startswith("bavarian"))
EFFECT: dict[str, frozenset[str]] = {
    **dict.fromkeys((option.name for option in OPTIONS.options), ALL),
    "belli_cut=none": frozenset(name for name in BASES if not name.endswith("x2")),
    **dict.fromkeys(("ace_must_stay", "bare_pot_forced", "all_pass"), ALL - DREIER),
    "dreier_no_pass": DREIER,
    **dict.fromkeys(("wenzel_rank", "wenzel_cards"), BAVARIAN),
}
NUMBERS = {
    "stake": (1, 2, 4, 5),
    "max_swaps": (0, 1, 2, 3, 4),
    "bete_cap": (1, 2, 3),
    "n_deals": (1, 7, 12),
    "target_chips": (21, 60),
    "start_chips": (10, 20),
    "start_pot": (1, 3, 50),
}


def modes(name: str) -> tuple[dict[str, Any], ...]:
    """Single deals for a pot that does not divide, sessions of a few deals, sessions to a target."""
    return {"start_pot": 7}, {"match": True}, {"match": True, "n_deals": 30, "target_chips": 40}


RUNS = Comparison(
    title="Zwicken",
    replay=ZwickenReplay,
    make_rules=make_rules,
    options=OPTIONS,
    bases=BASES,
    effect=EFFECT,
    numbers=NUMBERS,
    fixed=("match", "players"),
    named_only=("first_dealer", "target_chips"),
    unseen=("first_dealer",),
    modes=modes,
    policies=trace.POLICIES,
    shown_in_session=frozenset(option.name for option in OPTIONS.options),
    beside={"bete_cap": {"bete": "pot"}},
)
single_options, random_options, differences = RUNS.single_options, RUNS.random_options, RUNS.differences


@pytest.mark.parametrize("name", BASES)
def test_variants(name: str) -> None:
    """Every variant and number of players, all policies, single deals and sessions."""
    assert not differences(name, {}, hands=40)


@pytest.mark.parametrize("name", BASES)
def test_single_options(name: str) -> None:
    """Every value of every option on top of every variant; an idle option only briefly."""
    assert not RUNS.single_differences(
        (case for case in single_options() if case[0] == name), hands=1 if DISABLED else 3
    )


def test_random_combinations() -> None:
    """Random combinations of options."""
    found = []
    for number in range(120):
        name, options = random_options(number)
        found += differences(name, options, hands=4, seed=number)
    assert not found


@pytest.mark.parametrize("name, option, value", RUNS.watched({"basex4"}))
def test_options_show(name: str, option: str, value: Any) -> None:
    """The comparison notices every option that EFFECT says acts in the base game, and no other."""
    acts = RUNS.acts(name, option, value)
    assert RUNS.shows(name, option, value, 2000 if acts else 200) == acts


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ALL - {"basex4"}))
def test_options_show_everywhere(name: str) -> None:
    """The same on top of the other variants."""
    for _, option, value in RUNS.watched({name}):
        acts = RUNS.acts(name, option, value)
        assert RUNS.shows(name, option, value, 5000 if acts else 50) == acts, (option, value)


@kernel
def deal_by_hand(state: Any, stream: Any, pack: Any) -> None:
    """What `deal` does, from packs that are given: drawn anew until the card shown voids nothing."""
    void = True
    while void:
        shown = draw_pack(state, stream, pack)
        void = shown % PER_SUIT in (ACE, SEVEN)  # NO_CARD counts as a six
        if void:
            pack[state["rules"]["cards"] - 1] = shown
        deal_given(state, pack)


@kernel
def deal_both_ways(states: Any, streams: Any, pack: Any, number: int) -> None:
    """The same deal by `deal` into states[0], and by `deal_by_hand` into states[1]."""
    for i in range(2):
        seed_stream(streams[0], 3, number, CARDS_STREAM)
        reset(states[i], streams[0])
        if i == 0:
            deal(states[i], streams[0])
        else:
            deal_by_hand(states[i], streams[0], pack)


@pytest.mark.parametrize("cut", [{}, {"cut_rule": "hop"}, {"cut_rule": "off"}], ids=str)
@pytest.mark.parametrize("name", BASES)
def test_deal_is_attempts_at_a_given_pack(name: str, cut: dict[str, Any]) -> None:
    """`deal` cuts and deals until a deal goes ahead, and pays for void cuts, as `deal_given` does, to the byte."""
    preset, fixed = BASES[name]
    states = np.zeros(2, STATE)
    states["rules"] = make_rules(preset, **fixed, **cut).record
    void = 0
    for number in range(40):
        pack = trace.new_tape(1).decks[0]
        deal_both_ways(states, new_streams(1), pack, number)
        assert states[0].tobytes() == states[1].tobytes()
        assert sorted(pack[pack != NO_CARD]) == deck(make_rules(preset, **fixed))
        void += int(states["attempts"][0]) - 1
    assert (void > 0) == ("off" not in cut.values())


@pytest.mark.skipif(DISABLED, reason="takes minutes in plain Python")
def test_tapes_reach_rare_states() -> None:
    """Without these a comparison would prove little: each must come up many times in a few thousand hands."""
    preset, fixed = BASES["four_cardx5"]
    replay = ZwickenReplay(preset, {**fixed, "match": True}, trace.COLLECTS, seed=2)
    tape = trace.new_tape(3000)
    trace.play_block(replay.states, replay.streams, trace.COLLECTS, 2, 0, tape)
    rows = tape.rows[: tape.starts[-1]]
    faults = rows[:, trace.FAULTS : trace.FAULTS + SEATS]
    seen = {
        "a void cut": rows[:, trace.ACTION] == AGAIN,
        "a talon run dry": (rows[:, trace.TALON_LEFT] == 0) & (rows[:, trace.PHASE] == LEAD),
        "the shown card in a hand": rows[:, trace.SHOWN_SEAT] != NOBODY,
        "two failed duties in a deal": faults.sum(axis=1) == 2,
        "a Durchmarsch": rows[:, trace.REASON] == DURCHMARSCH,
        "a tie for the session": np.bitwise_count(rows[:, trace.WINNERS]) > 1,
    }
    assert {what: int(found.sum()) for what, found in seen.items() if found.sum() < 10} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", BASES)
def test_many_hands(name: str) -> None:
    """1,500 hands for each form, over policies, single deals and sessions."""
    assert not [text for task in RUNS.shares(name, 1500, seed=1) if (text := compare(task)[1])]


@pytest.mark.slow
def test_many_options() -> None:
    """Single options and combinations with other hands."""
    found = RUNS.single_differences((case for case in single_options() if RUNS.acts(*case)), hands=3, seed=2)
    for number in range(1000, 1200):
        name, options = random_options(number)
        found += differences(name, options, hands=8, seed=number)
    assert not found


CONSERVE_SHARES = 10
"""Of a form's deals the first share is played by its own options, the others by random ones on top of them."""


def conserve(task: tuple[str, int, int]) -> str:
    """Play a share of a form's random deals, in sessions of many; the first that loses or makes chips, as text."""
    name, share, deals = task
    preset, fixed = BASES[name]
    options = random_options(10 * share + list(BASES).index(name))[1] if share else {}
    return first_wrong(make_rules(preset, **{**options, **fixed, "match": True, "n_deals": 1000}), share, deals)


def conserve_all(deals: int, jobs: int) -> int:
    """Spread random deals over all forms, print one line; the exit status says whether any loses or makes chips."""
    began = time.perf_counter()
    share = -(-deals // (len(BASES) * CONSERVE_SHARES))
    tasks = [(name, number, share) for name in BASES for number in range(CONSERVE_SHARES)]
    conserve((tasks[0][0], 0, 1))  # compiles before the processes start
    with ProcessPoolExecutor(jobs) as pool:
        texts = [text for text in pool.map(conserve, tasks) if text]
    seconds = time.perf_counter() - began
    print(
        f"{share * len(tasks)} deals of {len(BASES)} forms, {len(texts)} of {len(tasks)} shares wrong, {seconds:.0f} s"
    )
    for text in texts[:5]:
        print(f"  {text}")
    return 1 if texts else 0


@pytest.mark.slow
def test_chips_are_conserved() -> None:
    """Section 5: a million random deals of each form, with its own options and with random ones on top."""
    tasks = [(name, share, 1_000_000 // CONSERVE_SHARES) for name in BASES for share in range(CONSERVE_SHARES)]
    assert not [text for task in tasks if (text := conserve(task))]


def compare(task: Task) -> Compared:
    """One share of the big comparison."""
    return RUNS.compare(task)


def main() -> int:
    """The script."""
    parser = RUNS.parser()
    parser.add_argument("--conserve", type=Count(1), help="random deals over all forms, instead of a comparison")
    given = parser.parse_args()
    if given.conserve:
        return conserve_all(given.conserve, given.jobs)
    return RUNS.compare_all(given, compare)


if __name__ == "__main__":
    sys.exit(main())
