"""Bad input is refused before the first hand, in one line that names the value; users' own agents."""

from __future__ import annotations

import gc
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardsim.bits import lowest
from cardsim.jit import DISABLED, kernel
from cardsim.registry import make_agent, make_game
from cardsim.simulate import dask_executor, simulate, split_agents
from cardsim.simulate.plan import make_plan


@kernel
def first_legal(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    return lowest(legal)


@kernel
def cheat(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    return 60


@kernel
def broken(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    if legal > 0:
        raise IndexError("no such card")
    return 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"agents": "book,random,extra"}, "agent 'extra' is unknown for sixty_six; agents are"),
        (
            {"agents": "book,random,random"},
            "agents book,random,random: sixty_six(preset=base) has 2 seats, so name 1 or 2 agents",
        ),
        ({"agents": []}, "agents : sixty_six(preset=base) has 2 seats, so name 1 or 2 agents"),
        ({"agents": [None]}, "agent None: must be a name, an Agent, a function, or (name, function)"),
        ({"hands": -5}, "hands -5: must be at least 1"),
        ({"hands": 0}, "hands 0: must be at least 1"),
        ({"hands": 2.5}, "hands 2.5: must be a whole number, at least 1"),
        ({"hands": True}, "hands True: must be a whole number, at least 1"),
        ({"hands": None}, "hands is missing: give the number of hands, or a half width by until"),
        ({"hands": 2**63}, f"hands {2**63}: must be at most 2**62"),
        ({"seed": -1}, "seed -1: must be an integer from 0 to 2**64-1"),
        ({"until": 0}, "until 0: must be a half width above 0, in game points"),
        ({"until": 0.1, "hands": None, "max_hands": 0}, "max_hands 0: must be at least 1"),
        ({"confidence": 1}, "confidence 1: must be above 0 and below 1"),
        ({"threads": 0}, "threads 0: must be at least 1"),
        ({"chunk": "big"}, "chunk 'big': must be a whole number, at least 1"),
        ({"executor": 3}, "executor 3: must be a concurrent.futures.Executor"),
        ({"game": "sixty_six(preset=nosuch)"}, "nosuch"),
        ({"game": None}, "game None: must be a name such as sixty_six(preset=schnapsen), or a Game"),
        ({"game": 123}, "game 123: must be a name"),
        ({"agents": 5}, "agents 5: must be names separated by commas"),
        ({"agents": [print, "book"]}, "agent function print: must be a Python function"),
        ({"agents": [lambda agent: 0, "book"]}, "must take act(agent, state, legal, stream): too many"),
        ({"duplicate": "false"}, "duplicate 'false': must be True or False"),
        ({"per_hand": None}, "per_hand None: must be True or False"),
        ({"until": True}, "until True: must be a half width above 0"),
        ({"until": "0.1"}, "until '0.1': must be a half width above 0"),
        ({"max_hands": -1}, "max_hands -1: must be at least 1"),
        ({"confidence": True}, "confidence True: must be above 0 and below 1"),
        ({"confidence": 1 - 1e-16}, "confidence 0.9999999999999999: is so near to 1"),
        ({"progress": 5}, "progress 5: must be a function"),
        ({"out": ""}, "out '': must be the path of a folder"),
        ({"out": b"x"}, "out b'x': must be the path of a folder"),
        ({"out": 5}, "out 5: must be the path of a folder"),
        ({"out": "\0"}, "out ' ': must be the path of a folder"),
    ],
)
def test_one_line_names_the_value(changed: dict[str, Any], message: str) -> None:
    arguments = {"game": "sixty_six", "agents": "random", "hands": 10, **changed}
    with pytest.raises(ValueError) as caught:
        simulate(arguments.pop("game"), arguments.pop("agents"), arguments.pop("hands"), **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_of_four_may_have_one_two_or_four_agents() -> None:
    with pytest.raises(ValueError, match="has 4 seats, so name 1, 2 or 4 agents"):
        make_plan("sixty_six(preset=four_hand)", "book,random,random", 1)
    plan = make_plan("sixty_six(preset=four_hand)", "book,random", 1)
    assert plan.names == ("book", "random", "book", "random")
    assert plan.labels == (0, 1, 0, 1)


def test_agents_are_split_outside_brackets() -> None:
    assert split_agents("book(memory=false,closing=false), random") == [
        "book(memory=false,closing=false)",
        "random",
    ]


def test_a_plan_reads_back() -> None:
    plan = make_plan("sixty_six(preset=four_hand)", "book(memory=no),random", 9, duplicate=True, until=0.5, seed=4)
    again = type(plan).from_json(plan.to_json())
    assert again == plan
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_threads_and_executor_exclude_each_other() -> None:
    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(ValueError, match="threads 2: give threads or an executor"),
    ):
        simulate("sixty_six", "random", 1, threads=2, executor=pool)


def test_agent_objects_play_as_their_names() -> None:
    game = make_game("sixty_six")
    agents = [make_agent("sixty_six", "book", memory=False), make_agent("sixty_six", "random")]
    made = simulate(game, agents, 40).to_json()
    named = simulate("sixty_six", "book(memory=false),random", 40).to_json()
    del made["timing"], named["timing"]
    assert made == named


def test_a_function_of_the_user_plays() -> None:
    results = simulate("sixty_six", [("first", first_legal), "book"], 200, chunk=30)
    again = simulate("sixty_six", [first_legal, "book"], 200, threads=1)
    assert results.plan.label_names == ("first", "book")
    assert again.plan.label_names == ("first_legal", "book")
    assert results.agents["mean"].tolist() == again.agents["mean"].tolist()
    assert results.agent_rows[0]["mean"] < 0
    assert results.command is None


def test_a_function_plays_neither_in_processes_nor_in_saved_runs(tmp_path: Path) -> None:
    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(ValueError, match="agent first: a function plays in threads"),
    ):
        simulate("sixty_six", [("first", first_legal), "book"], 10, executor=pool)
    with pytest.raises(ValueError, match="their names alone do not make cannot be saved"):
        simulate("sixty_six", [("first", first_legal), "book"], 10, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_two_agents_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="two different agents are named book"):
        simulate("sixty_six", [("book", first_legal), "book"], 10)


def test_an_illegal_action_is_named() -> None:
    with pytest.raises(ValueError, match=r"agent cheat at seat 1, deal 0 of seed 2: action 60 is illegal; legal: "):
        simulate("sixty_six", ["random", cheat], 10, seed=2)


@pytest.mark.skipif(DISABLED, reason="numba wraps the exception")
def test_an_exception_of_a_function_is_shown() -> None:
    with pytest.raises(ValueError, match="agent broken raised IndexError: no such card") as caught:
        simulate("sixty_six", ["random", broken], 10)
    assert isinstance(caught.value.__cause__, IndexError)


def test_numbers_of_numpy_are_numbers() -> None:
    given: dict[str, Any] = {"until": np.float32(0.5), "duplicate": np.True_}
    plan = make_plan("sixty_six", "random", 10, **given)
    assert (plan.until, plan.duplicate, plan.hands) == (0.5, True, 10)


def test_an_address_that_is_none_is_refused_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ValueError, match="Dask scheduler 'foo' does not answer: missing port number"):
        dask_executor("foo", timeout=0.5)
    gc.collect()
    assert capfd.readouterr() == ("", "")


def test_an_unreachable_scheduler_is_named() -> None:
    with pytest.raises(ValueError, match=r"Dask scheduler 'tcp://127\.0\.0\.1:9' does not answer"):
        dask_executor("tcp://127.0.0.1:9", timeout=0.5)
