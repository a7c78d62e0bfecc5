"""Self-play training: advantages by a slow way, every game by options alone, and a killed run that goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

import torch
from click.testing import CliRunner

from cardsim.bits import U64
from cardsim.jit import DISABLED
from cardsim.registry import make_agent, make_game
from cardsim.trajectories import record
from cardsim_agents.learned import Network
from cardsim_agents.learned.inference import described_scores, network_scores
from cardsim_agents.learned.table import add, address_of_network
from experiments.ppo.options import Options
from experiments.ppo.selfplay import advantages
from experiments.train_ppo import NUMBERS, Training, main

pytestmark = pytest.mark.skipif(DISABLED, reason="plays thousands of hands")

SMALL = Options(
    steps=1500, tables=8, length=48, hidden="16,8", batch=128, epochs=2, pool_every=1, eval_every=2,
    eval_hands=20, final_hands=40, past=2, others=0.5, quiet=True,
)  # fmt: skip


def slow_advantages(
    rows: Any, players: Any, reward: Any, ended: Any, value: Any, decay: float
) -> dict[int, float | None]:
    """By definition, stream by stream: a list of own decisions, each with what is paid until the next one."""
    found: dict[int, float | None] = {}
    length, tables = rows.shape
    for i in range(tables):
        for seat in range(reward.shape[2]):
            own = [t for t in range(length) if rows[t, i] >= 0 and players[t, i] == seat]
            errors: list[tuple[int, float | None, bool]] = []
            for k, t in enumerate(own):
                end = next((u for u in range(t, length) if ended[u, i]), length)
                later = own[k + 1] if k + 1 < len(own) and own[k + 1] <= end else None
                row = int(rows[t, i])
                if later is not None:
                    paid = reward[t:later, i, seat].sum()
                    errors.append((row, paid + value[rows[later, i]] - value[row], False))
                elif end < length:
                    errors.append((row, reward[t : end + 1, i, seat].sum() - value[row], True))
                else:
                    errors.append((row, None, True))  # nobody knows yet
            carried = 0.0
            for row, error, last in reversed(errors):
                carried = (error or 0.0) + (0.0 if last else decay * carried)
                found[row] = None if error is None else carried
    return found


@pytest.mark.parametrize("seed", range(4))
def test_advantages_are_those_of_each_seats_own_decisions(seed: int) -> None:
    random = np.random.default_rng(seed)
    length, tables, seats = 30, 5, 3
    players = random.integers(0, seats, (length, tables))
    learnt = random.random((length, tables)) < 0.7
    rows = np.where(learnt, np.cumsum(learnt).reshape(length, tables) - 1, -1)
    ended = random.random((length, tables)) < 0.1
    reward = np.where(random.random((length, tables, seats)) < 0.2, random.normal(size=(length, tables, seats)), 0.0)
    value = random.normal(size=int(learnt.sum())).astype(np.float32)
    out, known = np.zeros(len(value), np.float32), np.zeros(len(value), np.bool_)
    advantages(rows, players, reward, ended, value, 0.9, out, known)
    want = slow_advantages(rows, players, reward, ended, value, 0.9)
    assert sorted(want) == list(range(len(value)))
    assert known.tolist() == [want[row] is not None for row in range(len(value))]
    assert 0 < known.sum() < len(known)
    for row, expected in want.items():
        if expected is not None:
            assert out[row] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "name",
    [
        "sixty_six(preset=schnapsen)",
        "sixty_six(preset=four_hand)",
        "zwicken(preset=styrian)",
        "zwicken(preset=base,match=true,n_deals=2)",
        "zwicker(preset=no_joker)",
    ],
)
def test_every_game_by_options_alone(name: str, tmp_path: Path) -> None:
    game = make_game(name)
    options = replace(SMALL, steps=500, out=str(tmp_path / "run"))
    training = Training(game, options)
    before = [part.clone() for part in training.policy.parameters()]
    data = training.play()
    assert set(data) == {"seen", "mask", "action", "chance", "value", "advantage"}
    assert data["mask"].gather(1, data["action"][:, None]).all() and (data["mask"].sum(1) > 1).all()
    training.learn(data)
    assert any(not torch.equal(a, b) for a, b in zip(before, training.policy.parameters(), strict=True))
    training.run()
    assert training.steps >= 500
    for file in ("network.npz", "network.json", "curve.csv", "curve.png", "checkpoint.pt"):
        assert (tmp_path / "run" / file).stat().st_size > 100
    assert not list((tmp_path / "run").glob("*.tmp"))
    made = json.loads((tmp_path / "run" / "network.json").read_text())
    assert made["game"] == game.name and made["options"]["seed"] == 1 and 0 < made["environment_share"] < 1
    make_agent(game.id, f"ppo(weights={tmp_path / 'run' / 'network.npz'})")


def test_a_last_batch_of_one_decision_is_learnt_from(tmp_path: Path) -> None:
    training = Training(make_game("sixty_six"), replace(SMALL, batch=64, out=str(tmp_path)))
    training.learn({name: part[:65] for name, part in training.play().items()})
    assert all(bool(part.isfinite().all()) for part in training.policy.parameters())


@pytest.mark.parametrize("name", ["sixty_six(preset=base)", "zwicken(preset=base,players=5)"])
def test_seats_of_others(name: str, tmp_path: Path) -> None:
    training = Training(make_game(name), replace(SMALL, tables=4000, out=str(tmp_path)))
    holders = training.holders
    others = (holders >= 0).sum(1)
    mixed = others > 0
    assert abs(mixed.mean() - SMALL.others) < 0.05
    assert (others < holders.shape[1]).all()
    counts = np.bincount(holders[mixed][holders[mixed] >= 0], minlength=1 + SMALL.past)
    assert len(counts) == 1 + SMALL.past and abs(counts[0] / counts.sum() - 0.5) < 0.05
    shares = (holders[mixed] >= 0).mean(0)
    assert np.abs(shares - shares.mean()).max() < 0.05


def scored(address: int, training: Training, observation: Any, mask: Any) -> Any:
    """Scores of the legal actions by the network in whole numbers."""
    if training.sight.described is None:
        return network_scores(address, observation)[mask == 1]
    told = training.sight.described.of(training.game, observation[None], mask[None])[0]
    return described_scores(address, observation, U64(sum(1 << int(k) for k in np.flatnonzero(mask))), told)[mask == 1]


@pytest.mark.parametrize("name", ["sixty_six", "zwicker"])
def test_the_network_in_whole_numbers_is_the_policy(name: str, tmp_path: Path) -> None:
    training = Training(make_game(name), replace(SMALL, out=str(tmp_path)))
    (tmp_path / "pool").mkdir()
    for _ in range(6):
        data = training.play()
        training.learn(data)
    training.network().save(tmp_path / "network.npz")
    address = address_of_network(add(Network.read(tmp_path / "network.npz")))
    batch = training.batch
    with torch.no_grad():
        seen = training.sight.of(batch.observation, batch.action_mask)
        chances, _ = training.policy(seen, torch.from_numpy(batch.action_mask))
    unit = Network.read(tmp_path / "network.npz").unit
    for i in range(training.options.tables):
        legal = np.flatnonzero(batch.action_mask[i])
        scores = scored(address, training, batch.observation[i], batch.action_mask[i]) / unit
        want = chances[i].numpy()[legal]
        assert np.abs((scores - scores.max()) - (want - want.max())).max() < 0.05


@pytest.mark.parametrize("name", ["sixty_six(preset=base)", "zwicken(preset=base)", "zwicker(preset=no_joker)"])
def test_imitation_brings_the_policy_near_the_agent(name: str, tmp_path: Path) -> None:
    game = make_game(name)
    training = Training(game, replace(SMALL, imitate=12_000, hidden="64,32", out=str(tmp_path)))
    played = record(game, "book", 100, seed=99)
    free = np.flatnonzero(played.action_mask.sum(1, dtype=np.int64) > 1)

    def agreement() -> float:
        """Share of decisions of others in which the policy's best action is the agent's."""
        seen = training.sight.of(played.observation[free], played.action_mask[free])
        with torch.no_grad():
            chances, _ = training.policy(seen, torch.from_numpy(played.action_mask[free]))
        return float((chances.argmax(1).numpy() == played.action[free]).mean())

    before = agreement()
    training.imitate()
    assert agreement() > before + 0.1


def earned(training: Training, held_out: Any) -> tuple[float, float]:
    """What the best action by the scores, and one drawn with the chances, earn above the mean action."""
    mask = torch.from_numpy(held_out.mask)
    gain = torch.from_numpy(held_out.gain)
    over = gain - gain.sum(1, keepdim=True) / mask.sum(1, keepdim=True)
    with torch.no_grad():
        chances, _ = training.policy(training.sight.of(held_out.observation, held_out.mask), mask)
    best = over.gather(1, chances.argmax(1)[:, None]).mean()
    return float(best), float((chances.exp() * over * mask).sum(1).mean())


@pytest.mark.parametrize("name", ["sixty_six(preset=base)", "zwicken(preset=base)", "zwicker(preset=no_joker)"])
def test_comparing_finds_what_actions_are_worth(name: str, tmp_path: Path) -> None:
    """On decisions never seen the best scores earn something, and so do the chances."""
    game = make_game(name)
    options = replace(
        SMALL,
        tables=64,
        compare=5_000 if game.id == "zwicker" else 20_000,
        steps=0,
        hidden="64,32",
        rate=2e-3,
        out=str(tmp_path),
    )
    training = Training(game, options)
    held_out = training.playouts.round(10**6, training.player(), training.player())
    best, drawn = earned(training, held_out)
    assert abs(drawn) < 0.02
    while training.comparing:
        training.compare()
    later_best, later_drawn = earned(training, held_out)
    assert later_best > max(0.2, best + 0.1) and later_drawn > 0.7 * later_best
    assert options.compare <= training.compared < options.compare + 2000 and training.steps == 0


class Killed(Exception):
    """In place of a signal."""


def state_of(training: Training) -> tuple[Any, ...]:
    """All that must not depend on a kill."""
    curve = [{k: v for k, v in row.items() if k not in ("minutes", "environment")} for row in training.curve]
    weights = [part.detach().numpy().tobytes() for part in training.policy.parameters()]
    moments = [value.numpy().tobytes() for group in training.optimiser.state.values() for value in group.values()]
    tables = training.tables.states.tobytes(), training.tables.clock.tobytes()
    numbers = [getattr(training, name) for name in NUMBERS if name not in ("curve", "seconds", "environment")]
    return curve, weights, moments, tables, numbers, training.draws.get_state().tolist(), training.holders.tolist()


@pytest.mark.parametrize(("after", "imitate", "compare"), [(1, 0.0, 0), (3, 0.0, 0), (1, 500.0, 0), (1, 0.0, 250)])
def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    after: int, imitate: float, compare: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game("sixty_six")
    folders, options = [], replace(SMALL, imitate=imitate, compare=compare)
    monkeypatch.chdir(tmp_path)  # the pool is named by relative paths, alike in both runs
    for name in ("whole", "cut"):
        (tmp_path / name).mkdir()
        folders.append(tmp_path / name)
    monkeypatch.chdir(folders[0])
    whole = Training(game, options)
    whole.run()
    assert whole.updates > after + 1
    monkeypatch.chdir(folders[1])
    cut = Training(game, options)
    learn = cut.learn

    def killed(data: dict[str, Any]) -> None:
        """Dies in the middle of an update."""
        if cut.updates == after:
            raise Killed
        learn(data)

    monkeypatch.setattr(cut, "learn", killed)
    with pytest.raises(Killed):
        cut.run()
    again = Training(game, options)
    assert again.updates == after // SMALL.eval_every * SMALL.eval_every
    again.run()
    assert state_of(again) == state_of(whole)
    for file in ("network.npz", *whole.pool):
        paths = [folder / SMALL.out / file for folder in folders]
        assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(("name", "after"), [("sixty_six", 3), ("sixty_six", 8), ("zwicker(preset=no_joker)", 3)])
def test_a_run_killed_while_it_compares_goes_on(
    name: str, after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game(name)
    options = replace(SMALL, compare=900, labels=12, steps=0)
    ends = []
    for cut in (False, True):
        folder = tmp_path / str(cut)
        folder.mkdir()
        monkeypatch.chdir(folder)
        training = Training(game, options)
        compare = training.compare

        def killed(training: Training = training, compare: Any = compare) -> None:
            """Dies after a round that no checkpoint holds."""
            compare()
            if training.rounds == after:
                raise Killed

        if cut:
            monkeypatch.setattr(training, "compare", killed)
            with pytest.raises(Killed):
                training.run()
            training = Training(game, options)
            assert 0 < training.rounds < after
        training.run()
        assert training.playing and training.rounds > 8
        ends.append((state_of(training), (folder / SMALL.out / "network.npz").read_bytes()))
    assert ends[0] == ends[1]


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small = [f"--{name.replace('_', '-')}={getattr(SMALL, name)}" for name in (
        "tables", "length", "hidden", "batch", "epochs", "eval_hands", "final_hands",
    )]  # fmt: skip
    found = CliRunner().invoke(main, ["sixty_six", "--preset", "schnapsen", "--steps", "300", *small])
    assert found.exit_code == 0, found.output
    assert "in the environment; more than random" in found.output
    assert (tmp_path / "results" / "ppo" / "network.npz").exists()
    other = CliRunner().invoke(main, ["sixty_six", "--preset", "schnapsen", "--steps", "300", "--seed", "2", *small])
    assert other.exit_code == 2 and "seed 2: the run in results/ppo has 1; name another folder" in other.output
    for wrong, message in (
        (["nothing"], "game 'nothing' is unknown"),
        (["sixty_six", "--preset", "none"], "preset 'none' is unknown"),
        (["sixty_six", "--option", "claims=never"], "option claims=never"),
        (["sixty_six", "--option", "claims"], "must look like name=value"),
        (["sixty_six", "--out", "x", "--opponents", "nobody", "--steps", "100"], "agent 'nobody' is unknown"),
        (["sixty_six", "--out", "y", "--tables", "0"], "tables 0"),
        (["sixty_six", "--out", "y", "--wander", "2"], "wander 2: must be from 0 to 1"),
        (["sixty_six", "--out", "y", "--compare", "-1"], "compare -1: must be at least 0"),
    ):
        found = CliRunner().invoke(main, wrong)
        assert found.exit_code == 2 and message in found.output, found.output
