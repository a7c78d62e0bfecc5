"""Trajectories: the decisions of `simulate`'s episodes, each seat's rewards delivered once, files that read back."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardsim import contract
from cardsim.bits import lowest
from cardsim.game import Game
from cardsim.offline import to_arrow, to_parquet, write_parquet
from cardsim.simulate import simulate
from cardsim.trajectories import Trajectories, iter_batches, iter_transitions, record

GAMES = {
    "sixty_six": ("sixty_six(preset=three_hand)", ["book", "random", "random"]),
    "zwicken": ("zwicken(preset=base,match=true,n_deals=3)", ["book", "random"]),
    "zwicker": ("zwicker(preset=no_joker)", ["random"]),
}
every_game = pytest.mark.parametrize("name", list(GAMES))
SEED, HANDS = 7, 12


@pytest.fixture(scope="module")
def recorded() -> dict[str, Trajectories]:
    """Some episodes of each game."""
    return {name: record(*GAMES[name], HANDS, seed=SEED) for name in GAMES}


def arrays(played: Trajectories) -> dict[str, Any]:
    """All its arrays by name."""
    return {name: getattr(played, name) for name in Trajectories.__dataclass_fields__ if name not in ("game", "agents")}


def replayed(game: Game, seed: int, number: int, actions: list[int]) -> Any:
    """Each node of an episode, before its action: states, seat, returns so far; at the end seat TERMINAL."""
    states, hand = game.deal(seed, number), 0
    for action in [*actions, None]:
        while game.current_player(states) == contract.CHANCE:
            hand += 1
            game.deal_next(seed, number, hand, states)
        yield states, game.current_player(states), game.returns(states)
        if action is not None:
            game.apply_action(states, action)


@every_game
def test_rows_are_what_the_seats_saw_and_did(name: str, recorded: dict[str, Trajectories]) -> None:
    played = recorded[name]
    game = played.game
    for number in range(3):
        rows = np.flatnonzero(played.episode == number)
        assert played.step[rows].tolist() == list(range(len(rows)))
        nodes = replayed(game, SEED, number, played.action[rows].tolist())
        for row, (states, seat, _) in zip(rows, nodes, strict=False):
            assert played.seat[row] == seat
            assert played.observation[row].tolist() == game.observe(states, seat).tolist()
            assert np.flatnonzero(played.action_mask[row]).tolist() == game.legal_actions(states)


@every_game
def test_rewards_are_paid_once_between_own_decisions(name: str, recorded: dict[str, Trajectories]) -> None:
    played = recorded[name]
    for number in range(HANDS):
        rows = np.flatnonzero(played.episode == number)
        nodes = [(seat, paid) for _, seat, paid in replayed(played.game, SEED, number, played.action[rows].tolist())]
        assert nodes[-1][0] == contract.TERMINAL
        for seat in range(played.game.num_players):
            own = [k for k, row in enumerate(rows) if played.seat[row] == seat]
            # Own decisions cut the episode into parts; the first one begins with the episode.
            cuts = [np.zeros(played.game.num_players), *(nodes[k][1] for k in own[1:]), nodes[-1][1]]
            want = [float(b[seat] - a[seat]) for a, b in pairwise(cuts)]
            assert played.reward[rows[own]].tolist() == pytest.approx(want[: len(own)], abs=1e-12)
            assert played.done[rows[own]].tolist() == [False] * (len(own) - 1) + [True] * bool(own)
            assert played.next[rows[own]].tolist() == [*rows[own[1:]].tolist(), *[-1] * bool(own)]


@every_game
def test_episodes_are_those_of_simulate(name: str, recorded: dict[str, Trajectories]) -> None:
    played = recorded[name]
    found = simulate(*GAMES[name], HANDS, seed=SEED, threads=1, per_hand=True)
    rows = found.per_hand
    for number in range(HANDS):
        here = played.episode == number
        for seat in np.unique(played.seat[here]):
            mine = here & (played.seat == seat)
            assert played.reward[mine].sum() == pytest.approx(rows[f"return_{seat}"][number], abs=1e-9)
            assert {played.agents[k] for k in played.agent[mine]} == {rows[f"agent_{seat}"][number]}
    assert len(played) == dict(zip(found.plan.game.hand_columns, found.tally.hand_counts, strict=True))["decisions"]


@every_game
def test_batches_of_any_size_hold_the_same_rows(name: str, recorded: dict[str, Trajectories]) -> None:
    want = arrays(recorded[name])
    longest = int(want["step"].max()) + 1
    for rows in (1, longest + 3):
        parts = list(iter_batches(*GAMES[name], HANDS, seed=SEED, rows=rows))
        assert len(parts) > 1
        for field, value in want.items():
            if field != "next":
                assert np.array_equal(np.concatenate([getattr(part, field) for part in parts]), value), field
        for part in parts:
            assert (part.episode[part.next[~part.done]] == part.episode[~part.done]).all()
            assert (part.seat[part.next[~part.done]] == part.seat[~part.done]).all()
    later = record(*GAMES[name], HANDS - 5, seed=SEED, first=5)
    assert np.array_equal(later.observation, want["observation"][want["episode"] >= 5])


@every_game
def test_transitions_lead_to_the_own_next_decision(name: str, recorded: dict[str, Trajectories]) -> None:
    played = recorded[name]
    found = list(iter_transitions(*GAMES[name], HANDS, seed=SEED))
    assert len(found) == len(played)
    for row, move in enumerate(found):
        assert move.action_mask[move.action] == 1
        assert move.agent == played.agents[played.agent[row]]
        if move.done:
            assert not move.next_observation.any() and not move.next_action_mask.any()
        else:
            after = found[int(played.next[row])]
            assert (after.seat, after.episode) == (move.seat, move.episode)
            assert np.array_equal(move.next_observation, after.observation)
            assert np.array_equal(move.next_action_mask, after.action_mask)


def first_action(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """A user's agent."""
    return lowest(legal)


def wrong_action(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Another, which breaks the rules."""
    return 62


def test_a_users_function_plays_too() -> None:
    played = record("sixty_six", [first_action, "random"], 20, seed=3)
    mine = played.agent == played.agents.index("first_action")
    assert (played.action[mine] == played.action_mask[mine].argmax(1)).all()
    with pytest.raises(ValueError, match=r"agent wrong_action, deal 4 of seed 3: action 62 .*is illegal; legal: "):
        record("sixty_six", [wrong_action], 2, seed=3, first=4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"episodes": 0}, "hands 0: must be at least 1"),
        ({"first": -1}, "first -1: must be an integer from 0"),
        ({"seed": -1}, "seed -1: must be"),
        ({"agents": "nobody"}, "agent 'nobody' is unknown"),
    ],
)
def test_wrong_arguments(change: dict[str, Any], message: str) -> None:
    given = {"game": "sixty_six", "agents": "random", "episodes": 1, **change}
    with pytest.raises(ValueError, match=message):
        record(given.pop("game"), given.pop("agents"), given.pop("episodes"), **given)
    with pytest.raises(ValueError, match="rows 0: must be at least 1"):
        next(iter_batches("sixty_six", "random", 1, rows=0))


# --- files


@every_game
def test_a_file_reads_back(name: str, recorded: dict[str, Trajectories], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pandas as pd

    played = recorded[name]
    to_parquet(played, tmp_path / "all.parquet")
    frame = pd.read_parquet(tmp_path / "all.parquet")
    for field in ("episode", "step", "seat", "action", "reward", "done"):
        assert np.array_equal(frame[field].to_numpy(), getattr(played, field)), field
    assert np.array_equal(np.stack(frame["observation"].tolist()), played.observation)
    assert np.array_equal(np.stack(frame["action_mask"].tolist()), played.action_mask)
    assert frame["agent"].tolist() == [played.agents[k] for k in played.agent]
    assert [path.name for path in tmp_path.iterdir()] == ["all.parquet"]
    assert played.game.name in to_arrow(played).schema.metadata[b"cardsim"].decode()


def test_a_folder_of_files_in_bounded_memory(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pandas as pd

    lineup = GAMES["sixty_six"]
    want = record(*lineup, 40, seed=SEED)
    files = write_parquet(tmp_path / "data", *lineup, 40, seed=SEED, rows=100, file_rows=300)
    assert len(files) > 1
    assert [path.name for path in files] == sorted(path.name for path in (tmp_path / "data").iterdir())
    groups = [parquet.ParquetFile(path).metadata.num_row_groups for path in files]
    assert min(groups[:-1]) > 1
    frame = pd.concat([pd.read_parquet(path) for path in files], ignore_index=True)
    assert np.array_equal(frame["reward"].to_numpy(), want.reward)
    assert np.array_equal(np.stack(frame["observation"].tolist()), want.observation)
    with pytest.raises(ValueError, match="holds parts already"):
        write_parquet(tmp_path / "data", *lineup, 1)


def test_duckdb_pairs_each_decision_with_the_next_one(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    lineup = GAMES["sixty_six"]
    played = record(*lineup, 30, seed=SEED)
    write_parquet(tmp_path / "data", *lineup, 30, seed=SEED, rows=100, file_rows=200)
    pairs = duckdb.sql(
        f"""
        SELECT a.episode, a.step, b.step, b.seat = a.seat, len(b.observation), b.action_mask[b.action + 1]
        FROM '{tmp_path / "data" / "*.parquet"}' a JOIN '{tmp_path / "data" / "*.parquet"}' b
        ON a.episode = b.episode AND a.next_step = b.step ORDER BY a.episode, a.step
        """
    ).fetchall()
    going_on = np.flatnonzero(~played.done)
    after = played.next[going_on]
    assert [pair[:3] for pair in pairs] == list(
        zip(played.episode[going_on], played.step[going_on], played.step[after], strict=True)
    )
    assert {pair[3:] for pair in pairs} == {(True, played.game.observation_size, 1)}
