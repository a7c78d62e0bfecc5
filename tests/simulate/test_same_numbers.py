"""The numbers of a run depend on its plan alone, and agree with sums made another way."""

from __future__ import annotations

import json
import multiprocessing
import signal
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import loky
import numpy as np
import pytest

from cardsim.jit import DISABLED
from cardsim.simulate import Results, simulate
from cardsim.stats import anytime_interval

HANDS = 61 if DISABLED else 4_001
AGENTS = ["book", "random"]


def fixed(results: Results) -> str:
    """All that must not depend on the clock."""
    data = results.to_json()
    assert set(data.pop("timing")) == {"seconds", "hands_per_second", "workers"}
    return json.dumps(data, allow_nan=False)


@pytest.fixture(scope="module")
def plain() -> Results:
    return simulate("sixty_six", AGENTS, HANDS, seed=7, per_hand=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("chunk", [1, 17, 1_000, 10**9])
def test_chunks_and_threads_leave_no_trace(plain: Results, chunk: int, threads: int) -> None:
    hands = HANDS if chunk > 1 else 61
    wanted = plain if hands == HANDS else simulate("sixty_six", AGENTS, hands, seed=7)
    other = simulate("sixty_six", AGENTS, hands, seed=7, chunk=chunk, threads=threads, per_hand=hands == HANDS)
    assert fixed(other) == fixed(wanted)
    if hands == HANDS:
        assert other.per_hand.equals(plain.per_hand)


def test_another_seed_gives_other_numbers(plain: Results) -> None:
    other = simulate("sixty_six", AGENTS, HANDS, seed=8)
    assert other.agents["tricks"].tolist() != plain.agents["tricks"].tolist()


def test_a_pool_of_the_caller_is_used_and_left_open(plain: Results) -> None:
    with ThreadPoolExecutor(3) as pool:
        other = simulate("sixty_six", AGENTS, HANDS, seed=7, executor=pool)
        assert other.timing["workers"] == 3
        assert pool.submit(int, "5").result() == 5
    assert fixed(other) == fixed(plain)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["spawn", "loky"])
def test_processes_leave_no_trace(plain: Results, kind: str) -> None:
    pool: Executor
    if kind == "spawn":
        pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    else:
        pool = loky.ProcessPoolExecutor(2)
    with pool:
        other = simulate("sixty_six", AGENTS, HANDS, seed=7, executor=pool, chunk=250, per_hand=True)
    assert fixed(other) == fixed(plain)
    assert other.per_hand.equals(plain.per_hand)


def test_sums_agree_with_the_rows_per_hand(plain: Results) -> None:
    rows = plain.per_hand
    assert rows["deal"].tolist() == list(range(HANDS))
    assert rows["rotation"].tolist() == [deal % 2 for deal in range(HANDS)]
    book = np.where(rows["agent_0"] == "book", rows["return_0"], rows["return_1"])
    first = plain.agents.set_index("agent").loc["book"]
    assert first["mean"] == pytest.approx(book.mean(), rel=1e-12)
    assert first["stderr"] == pytest.approx(book.std(ddof=1) / HANDS**0.5, rel=1e-9)
    wins = np.where(rows["agent_0"] == "book", rows["wins_0"], rows["wins_1"])
    assert first["wins"] == pytest.approx(wins.mean(), rel=1e-12)
    seats = plain.seats.set_index(["agent", "seat"])
    at_zero = rows.loc[rows["agent_0"] == "book", "return_0"]
    assert seats.loc[("book", 0), "mean"] == pytest.approx(at_zero.mean(), rel=1e-12)
    assert seats.loc[("book", 0), "n"] == len(at_zero) == (HANDS + 1) // 2
    pair = plain.pairs.iloc[0]
    assert pair["mean"] == pytest.approx(2 * book.mean(), rel=1e-12)
    columns = plain.hands_frame.set_index("column")
    assert columns.loc["decisions", "total"] == rows["decisions"].sum()


def test_book_beats_random_and_the_interval_is_where_scipy_has_it(plain: Results) -> None:
    from scipy import stats

    row = plain.agents.iloc[0]
    assert row["low"] > 0
    low, high = stats.t.interval(0.95, HANDS - 1, row["mean"], row["stderr"])
    assert (row["low"], row["high"]) == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize(
    ("game", "agents", "seatings", "label_names"),
    [
        ("sixty_six", ["book", "random"], 2, ("book", "random")),
        ("sixty_six", ["book", "book"], 1, ("book",)),
        ("sixty_six(preset=three_hand)", ["book", "random", "random"], 3, ("book", "random")),
        ("sixty_six(preset=four_hand)", ["book", "random"], 2, ("book", "random")),
        ("sixty_six(preset=four_hand)", ["book", "random", "random", "random"], 4, ("book", "random")),
    ],
)
def test_duplicates_play_each_deal_in_every_different_seating(
    game: str, agents: list[str], seatings: int, label_names: tuple[str, ...]
) -> None:
    results = simulate(game, agents, 41, duplicate=True, per_hand=True, chunk=3)
    assert results.units == -(-41 // seatings)
    assert results.hands == results.units * seatings == len(results.per_hand)
    assert results.plan.label_names == label_names
    seats = [column for column in results.per_hand if str(column).startswith("agent_")]
    for _, hands in results.per_hand.groupby("deal"):
        assert len({tuple(seating) for seating in hands[seats].astype(str).to_numpy()}) == seatings
    players = len(seats)
    assert sum(row["hands"] for row in results.agent_rows) == results.hands * players
    returns = results.per_hand[[f"return_{seat}" for seat in range(players)]].to_numpy()
    names = results.per_hand[seats].astype(str).to_numpy()
    for row in results.agent_rows:
        assert row["mean"] == pytest.approx(returns[names == row["agent"]].mean(), abs=1e-12)
        assert row["n"] == results.units
    for pair in results.pair_rows:
        means = {row["agent"]: row["mean"] for row in results.agent_rows}
        assert pair["mean"] == pytest.approx(means[pair["agent"]] - means[pair["other"]], abs=1e-12)


def test_equal_agents_under_two_names_differ_by_exactly_nothing_on_duplicates() -> None:
    results = simulate("sixty_six", ["book", "book(memory=true)"], 200, duplicate=True)
    assert [results.pair_rows[0][name] for name in ("mean", "stderr", "low", "high")] == [0, 0, 0, 0]
    single = simulate("sixty_six", ["book", "book(memory=true)"], 200)
    assert single.pair_rows[0]["stderr"] > 0


def test_duplicates_make_the_difference_of_near_equals_more_certain() -> None:
    hands = 200 if DISABLED else 4_000
    agents = ["book", "book(half_value=3)"]
    twice = simulate("sixty_six", agents, hands, duplicate=True)
    once = simulate("sixty_six", agents, hands)
    assert twice.hands == once.hands
    assert twice.pair_rows[0]["stderr"] < 0.8 * once.pair_rows[0]["stderr"]


@pytest.mark.skipif(DISABLED, reason="a thousand hands at least")
def test_until_stops_at_a_look_whatever_the_chunks() -> None:
    agents, half = ["cautious", "random"], 0.07
    results = simulate("sixty_six", agents, until=half, seed=5)
    for chunk, threads in ((None, 2), (37, 2), (5_000, 1)):
        other = simulate("sixty_six", agents, until=half, seed=5, chunk=chunk, threads=threads)
        assert fixed(other) == fixed(results)
    assert results.units in results.plan.looks()[:-1]
    assert results.until is not None
    assert results.until["reached"]
    assert results.until["half_width"] <= half
    row, look = results.agents.iloc[0], results.plan.looks().index(results.units) + 1
    assert results.until["look"] == look > 1
    moments = results.tally.label_moments(results.plan, 0)
    assert (row["low"], row["high"]) == anytime_interval(moments, -3, 3, 0.95, look)
    before = simulate("sixty_six", agents, results.plan.looks()[look - 2], until=half, seed=5)
    assert before.until is not None
    assert not before.until["reached"]
    assert before.units == results.plan.looks()[look - 2]


def test_until_gives_up_at_the_limit() -> None:
    limits: list[dict[str, Any]] = [{"hands": 101}, {"max_hands": 101}]
    for more in limits:
        results = simulate("sixty_six", "random", until=1e-9, duplicate=True, **more)
        assert results.hands == 101
        assert results.until is not None
        assert not results.until["reached"]


def test_progress_comes_in_order_and_ends_with_everything() -> None:
    seen: list[tuple[int, int | None]] = []
    simulate("sixty_six", "random", 100, chunk=30, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(30, 100), (60, 100), (90, 100), (100, 100)]


def test_ctrl_c_keeps_what_is_done() -> None:
    def stop(done: int, total: int | None) -> None:
        if done >= 60:
            signal.raise_signal(signal.SIGINT)

    results = simulate("sixty_six", AGENTS, 10**9, seed=7, chunk=20, progress=stop, per_hand=True)
    assert results.interrupted
    assert 60 <= results.hands < 10_000
    assert len(results.per_hand) == results.hands
    whole = simulate("sixty_six", AGENTS, results.hands, seed=7)
    assert not whole.interrupted
    assert results.agents.equals(whole.agents)
    assert results.seats.equals(whole.seats)


def test_the_command_names_everything() -> None:
    results = simulate(
        "sixty_six(preset=schnapsen,claims=auto)", ["book(memory=false)", "random"], 5, seed=3, duplicate=True
    )
    assert results.command == (
        "cardsim simulate sixty_six --preset schnapsen --option claims=auto "
        "--agents 'book(memory=false),random' --hands 6 --seed 3 --duplicate"
    )


def test_a_match_counts_as_one_hand_and_json_has_no_nan() -> None:
    results = simulate("sixty_six(match=true)", "random", 1)
    assert results.unit == "matches"
    data: dict[str, Any] = json.loads(fixed(results))
    assert data["hands"] == 1
    assert data["agents"][0]["stderr"] is None
    assert data["columns"][0]["total"] >= 3
