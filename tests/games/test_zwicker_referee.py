"""The compiled Zwicker against the slow referee: the same packs, the same turns, compared state by state.

Beside whole deals, random positions: on small tables exactly the referee's turns are reached, on crowded ones all that
are drawn. The big comparison is a script: `python -m tests.games.test_zwicker_referee --hands 100000`, with `--preset`
or `--form` for some forms only.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardsim.games.zwicker.layout import NO_CARD, STATE
from cardsim.games.zwicker.rules import OPTIONS, PRESETS, deck, make_rules
from cardsim.jit import DISABLED
from tests.games import zwicker_trace as trace
from tests.games.referee_runs import Case, Compared, Comparison, Task
from tests.games.zwicker_chains import Walker
from tests.games.zwicker_positions import check_crowded, check_small, random_position, turns_agree
from tests.games.zwicker_replay import ZwickerReplay

BASES: dict[str, Case] = {
    f"{preset}x{players}": (preset, {"players": players})
    for preset, form in PRESETS.items()
    for players in range(2, form.players + 1)
}
"""Every form with every number of players."""

ALL = frozenset(BASES)
BOOKS = frozenset(name for name in ALL if name.startswith(("no_joker", "grupp")))
FIXED = ALL - BOOKS
GRUPP = frozenset(name for name in ALL if name.startswith("grupp"))
PAIRED = frozenset(name for name in FIXED if name.endswith(("x4", "x6")))
UNEVEN = (
    {"no_jokerx6", "no_jokerx7", "no_jokerx8"} | {name for name in FIXED if name.endswith("x5")} | GRUPP - {"gruppx7"}
)
EFFECT: dict[str, frozenset[str]] = {
    **dict.fromkeys((option.name for option in OPTIONS.options), ALL),
    "trail": BOOKS,
    **dict.fromkeys(("build_needs", "build_down", "pair_build", "stale_build_penalty"), FIXED),
    "build_needs=self": PAIRED,
    "short_deal": frozenset(UNEVEN),
    **dict.fromkeys(("lone_joker_by_joker", "joker_sweep_counts", "jokers_stay", "n_jokers", "joker_points"), GRUPP),
}
NUMBERS = {
    "table_cards": (0, 3, 9),
    "stale_build_penalty": (1, 30),
    "n_jokers": (1, 2, 3, 4, 5),
    "joker_points": (1, 5),
    "n_deals": (1, 2, 5),
    "target": (1, 20, 60),
}
TEAMS = ("no_jokerx4", "no_jokerx6", "no_jokerx8", "gruppx4", "gruppx6", "gruppx8", "six_jokerx4", "three_jokerx6")
"""Where `teams` is tried against the form's own."""


def modes(name: str) -> tuple[dict[str, Any], ...]:
    """Single deals, and matches of the form's own length."""
    return {}, {"match": True}


RUNS = Comparison(
    title="Zwicker",
    replay=ZwickerReplay,
    make_rules=make_rules,
    options=OPTIONS,
    bases=BASES,
    effect=EFFECT,
    numbers=NUMBERS,
    fixed=("match", "players", "teams"),
    named_only=("first_dealer", "target"),
    unseen=("first_dealer",),
    modes=modes,
    policies=trace.POLICIES,
    shown_in_session=frozenset({"n_deals", "target"}),
    beside={},
)
single_options, random_options, differences = RUNS.single_options, RUNS.random_options, RUNS.differences


@pytest.mark.parametrize("name", BASES)
def test_variants(name: str) -> None:
    """Every form and number of players, all policies, single deals and matches."""
    assert not differences(name, {}, hands=3)


@pytest.mark.parametrize("name", TEAMS)
def test_teams(name: str) -> None:
    """Parties and singles against the form's own (WP17), asked and promised values too."""
    other = "false" if name in PAIRED else "true"
    assert not differences(name, {"teams": other}, hands=3)
    assert not differences(name, {"teams": other, "build_needs": "self", "must_capture": True}, hands=2)


def test_random_combinations() -> None:
    """Random combinations of options."""
    found = []
    for number in range(20 if DISABLED else 100):
        name, options = random_options(number)
        found += differences(name, options, hands=2, seed=number)
    assert not found


EACH_STYLE = ("no_jokerx2", "no_jokerx6", "six_jokerx4", "two_jokerx3", "gruppx8")


@pytest.mark.slow
@pytest.mark.parametrize("name", EACH_STYLE)
def test_single_options(name: str) -> None:
    """Every value of every option on top of some forms of each style; an idle option only briefly."""
    assert not RUNS.single_differences((case for case in single_options() if case[0] == name), hands=2)


def positions(name: str, number: int, most: int, options: dict[str, Any] | None = None) -> Any:
    """A random position of a form, with up to `most` items on the table; on the referee and as a record."""
    preset, fixed = BASES[name]
    rng = random.Random(f"{name} {number}")
    return random_position(preset, {**fixed, **(options or {})}, rng.randint(0, most), rng)


def turns_show(name: str, option: str, value: Any, count: int) -> bool:
    """Whether the turns of random positions tell an option of which the referee does not know."""
    preset, fixed = BASES[name]
    sources = (random.Random(f"{name} {number}") for number in range(count))
    return not all(
        turns_agree(WALKER, *random_position(preset, {**fixed, option: value}, rng.randint(0, 5), rng, told=fixed))
        for rng in sources
    )


WALKER = Walker()
needs_speed = pytest.mark.skipif(DISABLED, reason="takes minutes in plain Python")


SHOWN = ("no_jokerx6", "six_jokerx4", "gruppx3")


@needs_speed
@pytest.mark.slow
@pytest.mark.parametrize("name, option, value", RUNS.watched(SHOWN))
def test_options_show(name: str, option: str, value: Any) -> None:
    """The comparison notices every option that EFFECT says acts in a form, in its turns or its deals, and no other."""
    acts = RUNS.acts(name, option, value)
    seen = turns_show(name, option, value, 300 if acts else 30) or RUNS.shows(name, option, value, 2000 if acts else 25)
    assert seen == acts


@needs_speed
@pytest.mark.parametrize("name", BASES)
def test_the_chains_lead_to_exactly_the_turns_of_the_referee(name: str) -> None:
    """On small tables, each capture spelled for every split into groups and every value."""
    for number in range(10):
        check_small(WALKER, *positions(name, number, 6 if name in GRUPP else 9))


@needs_speed
def test_the_same_under_random_options() -> None:
    for number in range(300):
        name, options = random_options(number)
        check_small(WALKER, *positions(name, number, 6 if name in GRUPP else 8, options))


@needs_speed
@pytest.mark.parametrize("name", BASES)
def test_crowded_tables(name: str) -> None:
    """Of up to 70 items: drawn turns are found, layings are exactly the referee's."""
    rng = random.Random(name)
    for number in range(6):
        table, states = positions(name, number, (20, 40, 70)[number % 3])
        check_crowded(WALKER, table, states, rng)


@needs_speed
@pytest.mark.slow
def test_more_positions() -> None:
    """Larger tables, more of them."""
    rng = random.Random(9)
    for number in range(1000, 1200):
        name, options = random_options(number)
        check_small(WALKER, *positions(name, number, 7 if name in GRUPP else 11, options))
        table, states = positions(name, number, rng.choice((12, 30, 60)), options)
        check_crowded(WALKER, table, states, rng)


@pytest.mark.skipif(DISABLED, reason="takes minutes in plain Python")
def test_tapes_reach_rare_states() -> None:
    """Without these a comparison would prove little: each must come up many times in a few hundred deals."""
    seen: Counter[str] = Counter()
    for name, options in (
        ("gruppx2", {}),
        ("six_jokerx4", {"must_capture": True}),
        ("no_jokerx8", {"zwick_relay": True}),
    ):
        preset, fixed = BASES[name]
        for policy in range(len(trace.POLICIES)):
            replay = ZwickerReplay(preset, {**fixed, **options, "match": True}, policy, seed=2)
            tape = trace.new_tape(200)
            trace.play_block(replay.states, replay.streams, policy, 2, 0, tape)
            rows = tape.rows[: tape.starts[-1]]
            turn = rows[:, trace.TURN :]
            captured = np.bitwise_count(turn[:, trace.T_TAKEN : trace.T_TAKEN + 4]).sum(axis=1)
            items = rows[:, trace.TABLE_SIZE]
            relay = (rows[1:, trace.PLAYER] == rows[:-1, trace.PLAYER]) & (rows[1:, trace.TABLE_SIZE] == 0)
            seen["table above 32"] += int((items > 32).sum())
            seen["taken beyond place 32"] += int((turn[:, trace.T_TAKEN + 1] != 0).sum())
            seen["laid on beyond place 32"] += int((turn[:, trace.T_TARGET] >= 32).sum())
            seen["seven items taken at once"] += int((captured >= 7).sum())
            seen["a Zwick"] += int(rows[:, trace.ZWICKS : trace.GAINED].any(axis=1).sum())
            seen["once more after a Zwick"] += int(relay.sum())
            seen["value promised"] += int(rows[:, trace.PROMISED : trace.LACKS].any(axis=1).sum())
            seen["values lacking"] += int(rows[:, trace.LACKS : trace.ASKED].any(axis=1).sum())
            seen["partner asked"] += int(rows[:, trace.ASKED : trace.DENIED].any(axis=1).sum())
            seen["partner denies"] += int(rows[:, trace.DENIED : trace.TABLE].any(axis=1).sum())
    assert {what: count for what, count in seen.items() if count < 10} == {}


@pytest.mark.parametrize("name", ["no_jokerx8", "six_jokerx4", "two_jokerx3", "gruppx2"])
def test_tapes_deal_whole_packs(name: str) -> None:
    """Each pack of a tape is a form's pack, and no two are alike."""
    preset, fixed = BASES[name]
    states, tape = np.zeros(1, STATE), trace.new_tape(5)
    states["rules"] = make_rules(preset, **fixed).record
    trace.play_block(states, ZwickerReplay(preset, fixed, 0, 1).streams, 0, 1, 0, tape)
    packs = {tuple(pack[pack != NO_CARD].tolist()) for pack in tape.decks}
    assert len(packs) == 5 and all(sorted(pack) == deck(make_rules(preset, **fixed)) for pack in packs)


@pytest.mark.slow
@pytest.mark.parametrize("name", BASES)
def test_many_hands(name: str) -> None:
    """60 deals for each form, over policies, single deals and matches; the script plays more."""
    assert not [text for task in RUNS.shares(name, 60, seed=1) if (text := compare(task)[1])]


@pytest.mark.slow
def test_many_options() -> None:
    """Combinations with other deals."""
    found = []
    for number in range(1000, 1040):
        name, options = random_options(number)
        found += differences(name, options, hands=4, seed=number)
    assert not found


def compare(task: Task) -> Compared:
    """One share of the big comparison."""
    return RUNS.compare(task)


def main() -> int:
    """The script."""
    parser = RUNS.parser()
    parser.set_defaults(hands=100_000)
    parser.add_argument("--preset", choices=PRESETS, action="append", help="only forms of these")
    given = parser.parse_args()
    if given.preset:
        given.form = [name for name in given.form or BASES if BASES[name][0] in given.preset]
    return RUNS.compare_all(given, compare)


if __name__ == "__main__":
    sys.exit(main())
