"""`cardsim info`, `warmup` and `bench`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cardsim import jit
from cardsim.registry import agent_family, game_ids, make_game

Done = Callable[..., str]


def test_without_a_game_it_lists_all(done: Done) -> None:
    text = done("info")
    data = json.loads(done("info", "--json"))
    assert [game["game"] for game in data["games"]] == game_ids()
    for game in data["games"]:
        for word in (game["game"], *game["presets"], *game["agents"]):
            assert word in text


@pytest.mark.parametrize("game", game_ids())
def test_json_describes_the_game(done: Done, game: str) -> None:
    data, made = json.loads(done("info", game, "--json")), make_game(game)
    assert data["action_names"] == list(made.action_names)
    assert data["players"] == made.num_players
    blocks = data["observation"]["blocks"]
    for block, following in zip(blocks, [*blocks[1:], {"offset": made.observation_size}], strict=True):
        assert block["offset"] + block["size"] == following["offset"]
    assert {option["name"]: option["value"] for option in data["options"]} == dict(made.rules.values)
    assert set(data["agents"]) == set(agent_family(game).kinds)


def test_tables_show_the_rules_in_force(done: Done) -> None:
    text = done("info", "sixty_six", "--preset", "schnapsen", "-o", "claims=auto")
    assert "sixty_six(preset=schnapsen,claims=auto)" in text
    data = json.loads(done("info", "sixty_six(preset=schnapsen)", "-o", "claims=auto", "--json"))
    lines = text.splitlines()
    for option in data["options"]:
        row = next(line for line in lines if line.split()[:1] == [option["name"]])
        assert str(option["value"]).split()[0].lower() in row.lower() and option["rule"].split(",")[0] in row
    for block in data["observation"]["blocks"]:
        assert any(line.split()[:2] == [block["name"], str(block["offset"])] for line in lines)
    for action in data["actions"]:
        assert any(line.split()[:1] == [action["numbers"]] for line in lines)


def test_warmup_names_the_folder(done: Done) -> None:
    text = done("warmup", "--quiet")
    if jit.DISABLED:
        assert "nothing is compiled" in text
        return
    assert "kernels are ready after" in text
    assert all(f"  {folder}\n" in text for folder in jit.cache_folders())


def test_bench_reports_speeds(done: Done) -> None:
    text = done("bench", "sixty_six", "--hands", "100", "--tables", "16")
    for word in ("random hands", "hands/s", "16 tables", "steps/s", "two threads against one", "make bench"):
        assert word in text
