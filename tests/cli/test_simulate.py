"""`cardsim simulate`: tables, JSON, saved runs, pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardsim import simulate as library
from cardsim.cli.inputs import Count

Done = Callable[..., str]
SMALL = (
    "simulate",
    "sixty_six",
    "--agents",
    "cautious,random",
    "--hands",
    "400",
    "--seed",
    "7",
    "--threads",
    "1",
)


def numbers(text: str) -> dict[str, Any]:
    """The JSON without the part that depends on the clock."""
    data: dict[str, Any] = json.loads(text)
    assert set(data.pop("timing")) == {"seconds", "hands_per_second", "workers"}
    return data


def test_json_is_alone_on_stdout_and_repeats(run: Callable[..., Any]) -> None:
    first = run(*SMALL, "--json")
    assert first.exit_code == 0 and first.stderr == ""
    data = numbers(first.stdout)
    assert data == numbers(run(*SMALL, "--json", "--chunk", "7").stdout)
    assert data != numbers(run(*SMALL, "--json", "--seed", "8").stdout)


def test_json_holds_the_numbers_of_the_library(done: Done) -> None:
    data = numbers(done(*SMALL, "--json"))
    results = library.simulate("sixty_six", "cautious,random", 400, seed=7, threads=1).to_json()
    del results["timing"]
    assert data == json.loads(json.dumps(results))


def test_the_printed_command_gives_the_same_numbers(done: Done) -> None:
    words = (*SMALL, "--preset", "schnapsen", "--option", "claims=auto", "--duplicate", "--json")
    data = numbers(done(*words))
    import shlex

    again = shlex.split(data["command"])
    assert again[:2] == ["cardsim", "simulate"]
    assert numbers(done(*again[1:], "--json")) == data


@pytest.mark.parametrize("columns", [80, 100])
def test_table_names_all_that_belongs_to_a_result(done: Done, monkeypatch: Any, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = done(*SMALL, "--quiet")
    data = numbers(done(*SMALL, "--json"))
    for word in (
        "400 hands",
        "game points",
        "Std. error",
        "95 % interval",
        "paired",
        "Seed 7",
        "hands/s",
        "wins",
    ):
        assert word in text
    assert data["command"] in text
    for row in data["agents"]:
        assert f"{row['mean']:+.3f}" in text
    widths = [len(line) for line in text.splitlines() if data["command"] not in line]
    assert max(widths) <= columns


def test_one_agent_stands_for_every_seat(done: Done) -> None:
    words = ("simulate", "sixty_six(preset=four_hand)", "--agents", "random", "--hands", "50", "--json")
    data = numbers(done(*words))
    assert [row["n"] for row in data["seats"]] == [50] * 4
    assert data["game"] == "sixty_six(preset=four_hand)"


def test_commas_in_brackets_belong_to_the_agent(done: Done) -> None:
    agents = "cautious(close_chance=0,memory=false),random"
    data = numbers(done("simulate", "sixty_six", "--agents", agents, "--hands", "50", "--json"))
    assert data["lineup"] == ["cautious(close_chance=0,memory=false)", "random"]


def test_match_is_short_for_the_option(done: Done) -> None:
    words = ("simulate", "sixty_six", "--agents", "random", "--hands", "20", "--json")
    assert numbers(done(*words, "--match")) == numbers(done(*words, "--option", "match=true"))


def test_until_stops_when_sure(done: Done) -> None:
    words = ("simulate", "sixty_six", "--agents", "cautious,random", "--until", "0.5")
    data = numbers(done(*words, "--json"))
    assert data["until"]["reached"] and data["until"]["half_width"] <= 0.5
    assert "Stopped when sure" in done(*words)
    assert "Stopped before it was sure" in done(*words[:-1], "0.01", "--hands", "1000")


def test_saved_run_resumes_to_the_same_numbers(done: Done, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    data = numbers(done(*SMALL, "--json", "--out", folder))
    assert numbers(done("simulate", "--resume", folder, "--json")) == data
    assert f"Saved in {folder}" in done("simulate", "--resume", folder)


def test_rows_per_hand_are_saved(done: Done, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    done(*SMALL, "--out", str(tmp_path / "run"), "--per-hand", "--quiet")
    assert list((tmp_path / "run" / "hands").glob("*.parquet"))


def test_plot_is_a_picture(done: Done, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "new folder" / "a.png"
    text = done(*SMALL, "--plot", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")
    assert f"Picture: {file}" in text


def test_demo_plays_every_game_and_saves_a_picture(done: Done, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from cardsim.registry import game_ids

    file = tmp_path / "results" / "demo.png"
    text = done("demo", "--hands", "500", "--plot", str(file), "--quiet")
    for game in game_ids():
        assert f"cardsim simulate {game} " in text
    assert file.stat().st_size > 10_000


def test_interrupt_shows_what_is_done(run: Callable[..., Any], monkeypatch: Any, tmp_path: Path) -> None:
    from cardsim.cli import progress

    def meter(*_: object) -> Any:
        from contextlib import nullcontext

        def report(done: int, total: int | None) -> None:
            raise KeyboardInterrupt

        return nullcontext(report)

    monkeypatch.setattr(progress, "meter", meter)
    folder = str(tmp_path / "run")
    result = run(*SMALL, "--chunk", "50", "--out", folder, "--json")
    assert result.exit_code == 130
    data = json.loads(result.stdout)
    assert data["interrupted"] and 0 < data["hands"] < 400
    assert result.stderr == f"cardsim: interrupted; go on with: cardsim simulate --resume {folder}\n"
    monkeypatch.undo()
    assert numbers(run("simulate", "--resume", folder, "--json").stdout) == numbers(run(*SMALL, "--json").stdout)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("1_000", 1000),
        ("1,000", 1000),
        ("1e6", 10**6),
        ("2.5M", 2_500_000),
        ("3k", 3000),
        ("1.5e1", 15),
    ],
)
def test_numbers_for_people(text: str, number: int) -> None:
    assert Count(1).convert(text, None, None) == number
