"""Sums over blocks: exact, the same on any number of threads, and after a kill."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardsim.playout import SCALE
from experiments.lab import Options, Sums, measure, moments


def numbers(first: int, count: int) -> Any:
    return ((np.arange(first, first + count) * 7919) % 101 - 50) / 4


def work(first: int, count: int) -> Sums:
    values = numbers(first, count)
    return {"all": moments(values), "third": moments(values, np.arange(first, first + count) % 3, 3)}


def options(path: Path, **named: Any) -> Options:
    return Options(**{"out": str(path), "threads": 1, **named})


@pytest.mark.parametrize("threads", [1, 3])
def test_sums_are_those_of_all_samples(tmp_path: Path, threads: int) -> None:
    found = measure(options(tmp_path, threads=threads), "numbers", work, 1003, block=100)
    values = numbers(0, 1003)
    (one,) = found["all"]
    assert (
        one.n == 1003
        and one.total == round(values.sum() * SCALE)
        and one.squares == round((values**2).sum() * SCALE**2)
    )
    assert one.mean == pytest.approx(values.mean())
    assert [part.mean for part in found["third"]] == pytest.approx([values[k::3].mean() for k in range(3)])


def test_a_killed_run_goes_on_to_the_same_sums(tmp_path: Path) -> None:
    want = measure(options(tmp_path / "a"), "numbers", work, 5000, block=100)
    asked: list[int] = []

    def killed(first: int, count: int) -> Sums:
        if first >= 4000:
            raise KeyboardInterrupt
        return work(first, count)

    def again(first: int, count: int) -> Sums:
        asked.append(first)
        return work(first, count)

    with pytest.raises(KeyboardInterrupt):
        measure(options(tmp_path / "b"), "numbers", killed, 5000, block=100)
    assert measure(options(tmp_path / "b", threads=2), "numbers", again, 5000, block=100) == want
    assert min(asked) == 3200  # two times 16 blocks were kept
    asked.clear()
    assert measure(options(tmp_path / "b"), "numbers", again, 5000, block=100) == want
    assert not asked


def test_sums_of_other_options_are_refused(tmp_path: Path) -> None:
    measure(options(tmp_path), "numbers", work, 500)
    with pytest.raises(ValueError, match=r"name another folder by --out"):
        measure(options(tmp_path, seed=2), "numbers", work, 500)
    with pytest.raises(ValueError, match=r"deals 400"):
        measure(options(tmp_path), "numbers", work, 400)


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_sums_are_refused(tmp_path: Path, damage: str) -> None:
    measure(options(tmp_path), "numbers", work, 500)
    path = tmp_path / "sums" / "numbers.npz"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:200])
    else:
        with np.load(path) as saved:
            arrays = dict(saved)
        arrays["sum all"][0, 1] += 1
        np.savez(path, **arrays)
    with pytest.raises(ValueError, match="is damaged"):
        measure(options(tmp_path), "numbers", work, 500)


def test_a_run_stops_when_it_is_sure_enough(tmp_path: Path) -> None:
    asked: list[int] = []

    def counted(first: int, count: int) -> Sums:
        asked.append(first)
        return work(first, count)

    main = ("all", 0)
    short = measure(options(tmp_path / "a", until=1.0), "numbers", counted, 100_000, main=main, block=100)
    assert short["all"][0].n < 10_000
    asked.clear()
    assert measure(options(tmp_path / "a", until=1.0), "numbers", counted, 100_000, main=main, block=100) == short
    assert not asked
    whole = measure(options(tmp_path / "b", until=0.001), "numbers", work, 20_000, main=main, block=100)
    assert whole["all"][0].n == 20_000


def test_samples_without_a_value_or_a_cell_are_left_out() -> None:
    found = moments([1.0, np.nan, 2.0, 3.0, 4.0], [0, 0, 1, -1, 1], 3)
    assert found[:, 0].tolist() == [1, 2, 0]
    assert found[:, 1].tolist() == [SCALE, 6 * SCALE, 0]
    assert found[:, 2].tolist() == [SCALE**2, 20 * SCALE**2, 0]


def test_sums_that_would_not_be_exact_are_refused() -> None:
    with pytest.raises(ValueError, match="use smaller blocks"):
        moments(np.full(10_000, 100_000.0))


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"hands": 10}, "hands 10: must be at least 1000"),
        ({"seed": -1}, "seed -1: must be"),
        ({"until": -1.0}, "until -1: must be at least 0"),
        ({"threads": 0}, "threads 0: must be at least 1"),
    ],
)
def test_wrong_options(named: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options(**named)


def test_a_command_line_names_what_changes_the_numbers() -> None:
    assert Options(out="elsewhere", threads=5).shown() == "--hands 1000000 --seed 1"
    assert Options(hands=2000, seed=7, until=0.5).shown() == "--hands 2000 --seed 7 --until 0.5"
