"""Learned agents: exact arithmetic, files, the same play everywhere; the built-in ones fit their bounds."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.bits import U64
from cardsim.jit import DISABLED
from cardsim.registry import agent_family, game_ids, make_agent, make_game
from cardsim.simulate import resume, simulate
from cardsim.trajectories import record
from cardsim_agents.learned import Network, add, quantise
from cardsim_agents.learned.inference import best_action, draw_action, network_scores
from cardsim_agents.learned.table import OWN, address_of_network
from tests.agents.agent_checks import check_legal_and_steady, check_refused, check_same_when_observing
from tests.agents.networks import random_network, real_layers, real_scores, seen_in_play, whole_scores

GAMES = game_ids()
every_game = pytest.mark.parametrize("name", GAMES)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A random network for each game."""
    folder = tmp_path_factory.mktemp("networks")
    for name in GAMES:
        random_network(make_game(name)).save(folder / f"{name}.npz")
    return {name: folder / f"{name}.npz" for name in GAMES}


def scores(network: Network, observation: Any) -> Any:
    """What the kernel says."""
    return network_scores(address_of_network(add(network)), observation)


# --- arithmetic


@pytest.mark.parametrize("hidden", [(5,), (16, 8), (8, 8, 8), (4, 6, 5, 3)])
def test_kernels_add_up_as_python_does(hidden: tuple[int, ...]) -> None:
    game = make_game("sixty_six")
    network = random_network(game, hidden)
    half = replace(network, inputs=np.where(np.arange(game.observation_size) % 3, network.inputs, -1).astype(np.int32))
    for observation in seen_in_play(game, 3)[:12]:
        for made in (network, half):
            assert scores(made, observation).tolist() == whole_scores(made, observation)


def test_sums_are_cut_and_shifted() -> None:
    game = make_game("sixty_six")
    network = random_network(game, (16, 8))
    observation = seen_in_play(game, 1)[0]
    plain = scores(network, observation).tolist()
    for shifts in [(3, 0), (0, 12), (30, 30)]:
        changed = replace(network, shifts=shifts)
        assert scores(changed, observation).tolist() == whole_scores(changed, observation) != plain
    bias = network.biases[0].copy()
    bias[:] = 2**28
    cut = replace(network, biases=(bias, *network.biases[1:]))
    assert scores(cut, observation).tolist() == whole_scores(cut, observation) != plain


@every_game
def test_whole_numbers_decide_as_real_ones(name: str) -> None:
    game = make_game(name)
    weights, biases = real_layers(game, (64, 32), seed=2)
    seen = seen_in_play(game, 40)
    network = quantise(game.name, np.arange(game.observation_size), weights, biases, seen[::2])
    others = seen[1::2][:300]
    ours, theirs = np.array([scores(network, one) for one in others]), real_scores(weights, biases, others)
    assert np.abs(ours / network.unit - theirs).max() < 0.1 * theirs.std()
    assert (ours.argmax(1) == theirs.argmax(1)).mean() > 0.95


def test_choice_among_legal_actions() -> None:
    values = np.array([5, 9, 9, -3, 20], np.int32)
    assert best_action(values, U64(0b11111)) == 4
    assert best_action(values, U64(0b01111)) == 1
    assert best_action(values, U64(0b01000)) == 3


def test_drawn_actions_have_the_networks_chances() -> None:
    values = np.array([0, 700, 1000, 990, 5000], np.int32)
    legal, unit, draws = U64(0b01111), 500, 4000
    streams = rng.new_streams()
    rng.seed_stream(streams[0], U64(1), U64(1), rng.AGENT)
    drawn = [int(draw_action(values, legal, 1000, unit, streams[0])) for _ in range(draws)]
    want = np.exp(values[:4] / unit) / np.exp(values[:4] / unit).sum()
    found = np.bincount(drawn, minlength=5)
    assert found[4] == 0
    assert (np.abs(found[:4] - draws * want) < 5 * np.sqrt(draws * want)).all()
    far = np.array([0, 10**6], np.int32)
    assert {int(draw_action(far, U64(0b11), 10**6, 100, streams[0])) for _ in range(100)} == {1}


# --- files


def test_a_network_reads_back(files: dict[str, Path], tmp_path: Path) -> None:
    network = Network.read(files["zwicken"])
    network.save(tmp_path / "again.npz")
    again = Network.read(tmp_path / "again.npz")
    assert again.to_bytes().tobytes() == network.to_bytes().tobytes()
    assert (again.game, again.unit, again.shifts) == (network.game, network.unit, network.shifts)
    assert add(again) == add(network) > 0
    assert [path.name for path in tmp_path.iterdir()] == ["again.npz"]


def test_files_that_are_no_networks(files: dict[str, Path], tmp_path: Path) -> None:
    game = make_game("sixty_six")
    (tmp_path / "text.npz").write_text("no zip")
    np.savez(tmp_path / "other.npz", format=1)
    np.savez(tmp_path / "future.npz", format=99)
    whole = files["sixty_six"].read_bytes()
    (tmp_path / "half.npz").write_bytes(whole[: len(whole) // 2])
    for name, message in (
        ("missing", "cannot be read (No such file"),
        ("text", "no network's file"),
        ("other", "no network's file"),
        ("half", "no network's file"),
        ("future", "format 99 is unknown; this version reads 1"),
    ):
        check_refused(game, f"ppo(weights={tmp_path / name}.npz)", message)
    check_refused(game, f"ppo(weights={files['zwicken']})", "are of zwicken")
    check_refused(game, f"book(weights={files['sixty_six']})", "option 'weights' is unknown")


def test_networks_that_could_overflow_are_refused() -> None:
    network = random_network(make_game("sixty_six"), (8,))
    with pytest.raises(ValueError, match=r"sums of layer 1 could pass 32 bits"):
        replace(network, biases=(network.biases[0], np.full_like(network.biases[1], 2**31 - 1)))
    with pytest.raises(ValueError, match=r"weights 0 of shape"):
        replace(network, inputs=network.inputs[:5])
    with pytest.raises(ValueError, match="unit must be at least 1"):
        replace(network, unit=0)
    with pytest.raises(ValueError, match="0 hidden layers: must have 1 to 4"):
        replace(network, shifts=())


# --- agents


@every_game
def test_play_is_legal_steady_and_from_the_observation_alone(name: str, files: dict[str, Path]) -> None:
    game, agent = make_game(name), f"ppo(weights={files[name]})"
    check_legal_and_steady(game, agent, "random", 2)
    check_same_when_observing(game, agent, "random", 2)


@every_game
def test_an_agent_plays_its_network(name: str, files: dict[str, Path]) -> None:
    game, network = make_game(name), Network.read(files[name])
    agent = make_agent(name, f"ppo(weights={files[name]})")
    assert agent.name == f"ppo(weights={files[name]})"
    family, streams = agent_family(name), rng.new_streams()
    answers = set()
    for number in range(3):
        states = game.deal(3, number)
        for _ in range(6):
            seat, legal = game.current_player(states), game.legal_actions(states)
            want = whole_scores(network, game.observe(states, seat))
            action = int(family.act(agent.record[0], states[0], U64(game.legal_mask(states)), streams[0]))
            assert action == max(legal, key=lambda option: (want[option], -option))
            answers.add(action)
            game.apply_action(states, legal[-1])
            if game.current_player(states) < 0:
                break
    assert len(answers) > 1


def test_drawing_takes_the_seats_own_random_numbers(files: dict[str, Path]) -> None:
    best = f"ppo(weights={files['sixty_six']})"
    drawn = f"ppo(weights={files['sixty_six']},sampled=true)"
    first, again, other, certain = (
        record("sixty_six", [agent, "book"], 20, seed=seed).action.tolist()
        for agent, seed in ((drawn, 1), (drawn, 1), (drawn, 2), (best, 1))
    )
    assert first == again != other
    assert first != certain


def test_the_same_numbers_on_threads_and_in_other_processes(files: dict[str, Path]) -> None:
    lineup = [f"ppo(weights={files['sixty_six']})", "book"]
    want = simulate("sixty_six", lineup, 200, seed=4, threads=1)
    assert simulate("sixty_six", lineup, 200, seed=4, threads=2, chunk=7).agent_rows == want.agent_rows
    assert want.command is not None and f"ppo(weights={files['sixty_six']})" in want.command
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert simulate("sixty_six", lineup, 200, seed=4, executor=pool).agent_rows == want.agent_rows


def test_a_saved_run_knows_that_its_weights_have_changed(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    path.write_bytes(files["sixty_six"].read_bytes())
    lineup = ["book", f"ppo(weights={path})"]
    want = simulate("sixty_six", lineup, 50, out=tmp_path / "run", threads=1)
    assert resume(tmp_path / "run", threads=1).agent_rows == want.agent_rows
    random_network(make_game("sixty_six"), (8,), seed=3).save(path)
    with pytest.raises(ValueError, match=r"plan\.json: the weights of agent ppo\(.* have changed since; put them back"):
        resume(tmp_path / "run", threads=1)


def test_an_unknown_network_is_an_error_not_a_crash(files: dict[str, Path]) -> None:
    family, game = agent_family("sixty_six"), make_game("sixty_six")
    unknown = family.make(f"ppo(weights={files['sixty_six']})").record.copy()
    unknown["network"] += 1
    states = game.deal(1, 1)
    with pytest.raises(RuntimeError, match="not loaded in this process: make the agent here, by its name"):
        family.act(unknown[0], states[0], U64(game.legal_mask(states)), rng.new_streams()[0])
    with pytest.raises(ValueError, match="its weights have changed since the run began"):
        family.seated(unknown.tobytes(), [f"ppo(weights={files['sixty_six']})"])


@pytest.mark.skipif(DISABLED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")
def test_another_network_compiles_nothing(tmp_path: Path) -> None:
    family, game = agent_family("sixty_six"), make_game("sixty_six")
    states, streams = game.deal(1, 1), rng.new_streams()
    compiled, answers = set(), set()
    for seed in range(8):
        random_network(game, (8,), seed).save(tmp_path / f"{seed}.npz")
        agent = family.make("ppo", weights=str(tmp_path / f"{seed}.npz")).record
        answers.add(int(family.act(agent[0], states[0], U64(game.legal_mask(states)), streams[0])))
        compiled.add(len(family.act.signatures))
    assert compiled == {1} and len(answers) > 1


# --- the built-in ones


@every_game
def test_the_built_in_network_is_small_and_tells_how_it_was_made(name: str) -> None:
    path = OWN / f"{name}.npz"
    assert path.stat().st_size <= 1_000_000
    made = json.loads(path.with_suffix(".json").read_text())
    assert made["game"].partition("(")[0] == name == Network.read(path).game.partition("(")[0]
    assert "train_ppo.py" in made["command"] and isinstance(made["options"]["seed"], int)
    agent = make_agent(name, "ppo")
    assert agent.name == "ppo" and agent.record["network"][0] == add(Network.read(path))


@pytest.mark.skipif(DISABLED, reason="plays thousands of hands")
@every_game
def test_the_built_in_agent_beats_chance(name: str) -> None:
    game = make_game(name)
    seats = game.num_players
    lineup = ["ppo", *["random"] * (1 if seats % 2 == 0 else seats - 1)]
    found = simulate(game, lineup, 2000, duplicate=True, seed=5)
    assert found.agent_rows[0]["low"] > 0


def test_the_contract_passes_a_learned_agent_on(files: dict[str, Path]) -> None:
    game = make_game("sixty_six")
    agent = make_agent("sixty_six", f"ppo(weights={files['sixty_six']})").record
    states = game.deal(2, 2)
    action = contract.act(agent[0], states[0], U64(game.legal_mask(states)), rng.new_streams()[0])
    assert action in game.legal_actions(states)
