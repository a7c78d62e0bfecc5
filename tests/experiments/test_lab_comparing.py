"""Comparisons on the same deals, verdicts, and the files of a question."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cardsim
from cardsim.jit import DISABLED
from cardsim.playout import SCALE
from cardsim.simulate import simulate
from cardsim.stats import Moments
from experiments.lab import (
    HOLDS,
    HOLDS_NOT,
    HOLDS_ONLY_IF,
    Effect,
    Finding,
    Options,
    Question,
    best_of,
    differences,
    judge,
    line_up,
    seatings,
)
from experiments.lab.comparing import in_parties
from experiments.lab.plots import curve, forest, heat
from experiments.lab.tables import shown

compiled = pytest.mark.skipif(DISABLED, reason="plays hundreds of hands: needs compiled speed")


def options(path: Path, hands: int = 1000) -> Options:
    return Options(hands=hands, seed=9, out=str(path), threads=1)


def effect(mean: float, spread: float = 1.0, n: int = 400, name: str = "here") -> Effect:
    sign = np.where(np.arange(n) % 2, 1, -1)
    return Effect({"setting": name}, Moments.from_samples(np.rint((mean + spread * sign) * SCALE) / SCALE, SCALE))


@compiled
@pytest.mark.parametrize(("game", "others"), [("sixty_six", 1), ("zwicken(players=3)", 2)])
def test_differences_are_those_of_two_runs_of_simulate(tmp_path: Path, game: str, others: int) -> None:
    made = cardsim.make_game(game)
    found = differences(options(tmp_path), "x", made, "book", "cautious", "random", 120 * made.num_players)
    means = []
    for hero in ("book", "cautious"):
        run = simulate(made, [hero, *["random"] * others], 60 * made.num_players, seed=9, duplicate=True, per_hand=True)
        rows = run.per_hand
        own = [rows[f"return_{seat}"][rows[f"agent_{seat}"] == hero] for seat in range(made.num_players)]
        means.append(pd.concat(own).groupby(rows["deal"]).mean())
    assert found.mean == pytest.approx((means[0] - means[1]).mean())
    assert found.moments.sd == pytest.approx((means[0] - means[1]).std())
    assert found.moments.n == 60
    assert found.name == f"{made.name}, random"


def test_partners_sit_opposite_where_there_are_parties() -> None:
    four = cardsim.make_game("zwicker", preset="six_joker", players=4)
    alone = cardsim.make_game("zwicken", players=4)
    assert in_parties(four) and not in_parties(alone)
    assert line_up(four, "book", "random") == ["book", "random"] * 2
    assert line_up(alone, "book", "random") == ["book", "random", "random", "random"]
    assert len(seatings(four)) == 2 and len(seatings(alone)) == 4


@compiled
def test_the_best_is_measured_on_deals_of_its_own(tmp_path: Path) -> None:
    game = cardsim.make_game("sixty_six")
    names = ["book(closing=false)", "book", "random"]
    found, best = best_of(options(tmp_path), "x", game, names, "cautious", "book", 3000)
    assert [one.setting["policy"] for one in found] == names
    assert best.setting["policy"] == "book"
    alone = differences(options(tmp_path / "b"), "x", game, "book", "cautious", "book", 1500)
    assert best.moments.n == alone.moments.n and best.mean != alone.mean


def test_verdicts_follow_from_intervals() -> None:
    pays, costs, neither = effect(0.5, name="a"), effect(-0.5, name="b"), effect(0.0, name="c")
    assert judge([pays]).word == HOLDS
    assert judge([pays, pays]).flips == "nowhere in what was measured"
    mixed = judge([pays, costs, neither])
    assert mixed.word == HOLDS_ONLY_IF
    assert mixed.flips == "pays: a. costs: b. no effect shown: c"
    assert judge([costs, neither]).word == HOLDS_NOT
    assert judge([pays], least=0.45).word == HOLDS_NOT
    with pytest.raises(ValueError, match="at least one"):
        judge([])


def test_where_a_verdict_flips_is_told_by_opponents() -> None:
    gains, loses = effect(0.5).moments, effect(-0.5).moments
    table = {
        "a": (gains, gains, loses),
        "b": (gains, gains, gains),
        "c": (loses, gains, gains),
        "d": (gains, gains, loses),
    }
    effects = [
        Effect({"table": name, "opponents": opponent, "hand": "weak"}, found)
        for name, row in table.items()
        for opponent, found in zip(("random", "book", "ppo"), row, strict=True)
    ]
    assert judge(effects).flips == (
        "pays against random, book: a, weak; d, weak. pays against random, book, ppo: b, weak. "
        "pays against book, ppo: c, weak. costs against ppo: a, weak; d, weak. costs against random: c, weak"
    )
    alone = [Effect({"opponents": name}, found) for name, found in (("random", gains), ("book", loses))]
    assert judge(alone).flips == "pays against random. costs against book"


def test_many_settings_need_clearer_effects() -> None:
    barely = effect(0.103)  # 2.06 standard errors
    assert barely.interval().low > 0
    assert judge([barely]).word == HOLDS
    assert judge([barely, effect(0.0)]).word == HOLDS_NOT


def test_an_effect_without_spread_has_a_point_for_its_interval() -> None:
    nothing = effect(0.0, spread=0.0)
    assert nothing.interval() == (0.0, 0.0)
    assert judge([nothing]).word == HOLDS_NOT


def test_a_question_writes_its_files(tmp_path: Path) -> None:
    effects = [effect(0.5, name="a"), effect(0.25, name="b")]

    def draw(figure: object) -> None:
        panels = figure.subplots(1, 3)  # type: ignore[attr-defined]
        forest(panels[0], effects, "points")
        curve(panels[1], [0, 1], effects, "line")
        heat(panels[2], [[1.0, float("nan")]], ["row"], ["x", "y"], "points")

    finding = Finding("It pays.", "points", draw, "A picture.", effects, judge(effects), notes=["A note."])
    question = Question("sixty_six.example", "Does it pay?", "The text says so.", lambda _: finding)
    assert question.answer(options(tmp_path)) is finding
    folder = tmp_path / "sixty_six.example"
    assert sorted(path.name for path in folder.iterdir()) == [
        "answer.json",
        "answer.md",
        "effect_in_points.parquet",
        "picture.png",
    ]
    facts = json.loads((folder / "answer.json").read_text())
    assert facts["verdict"] == HOLDS
    assert facts["command"] == "python -m experiments.sixty_six.example --hands 1000 --seed 9"
    text = (folder / "answer.md").read_text()
    assert "| a | 0.500 | 0.402 | 0.598 | 400 |" in text and "* A note." in text and facts["command"] in text
    assert pd.read_parquet(folder / "effect_in_points.parquet")["mean"].tolist() == pytest.approx([0.5, 0.25])


def test_cells_of_tables() -> None:
    assert [shown(value) for value in (0.12345, 1234.56, float("nan"), 1_000_000, "a|b")] == [
        "0.123",
        "1,234.6",
        "",
        "1,000,000",
        "a\\|b",
    ]
