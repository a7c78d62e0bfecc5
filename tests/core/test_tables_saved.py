"""Tables cloned, saved and put back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardsim.tables import Batch, Tables
from tests.core.batches import GAMES, N, contents, every_game, flat, play


@every_game
def test_a_clone_goes_its_own_way(name: str) -> None:
    tables = Tables(GAMES[name](), N, seed=11)
    play(tables, 13)
    twin = tables.clone()
    assert contents(twin) == contents(tables)
    future = play(tables, 25)
    assert contents(twin) != contents(tables)
    assert play(twin, 25) == future
    assert contents(twin) == contents(tables)


def given_actions(tables: Tables, batch: Batch, steps: int) -> list[tuple[bytes, ...]]:
    """Always the lowest legal action: no random stream takes part."""
    seen = []
    for _ in range(steps):
        batch = tables.step(batch.action_mask.argmax(axis=1))
        seen.append(flat(batch))
    return seen


@every_game
def test_the_same_actions_after_restore_lead_to_the_same_future(name: str) -> None:
    tables = Tables(GAMES[name](), N, seed=12)
    play(tables, 9)
    saved = tables.save()
    first = tables.restore(saved)
    future = given_actions(tables, first, 60)
    assert flat(tables.restore(saved)) == flat(first)
    assert given_actions(tables, first, 60) == future
    elsewhere = Tables(GAMES[name](), N, seed=12)
    assert given_actions(elsewhere, elsewhere.restore(saved), 60) == future


@pytest.mark.parametrize(
    ("indices", "chosen"),
    [
        ([1], [1]),
        ([2, 0], [2, 0]),
        (1, [1]),
        (np.array([False, True, True]), [1, 2]),
        (np.zeros(0, int), []),
        (None, [0, 1, 2]),
    ],
)
def test_any_subset_is_saved_and_put_back(indices: Any, chosen: list[int]) -> None:
    game = GAMES["base"]()
    tables = Tables(game, N, seed=13)
    play(tables, 5)
    saved = tables.save(indices)
    want = [tables.states[i].tobytes() for i in chosen]
    assert [record.tobytes() for record in saved["states"]] == want
    play(tables, 30)
    others = {i: tables.states[i].tobytes() for i in range(N) if i not in chosen}
    batch = tables.restore(saved, indices)
    assert [tables.states[i].tobytes() for i in chosen] == want
    assert {i: tables.states[i].tobytes() for i in others} == others
    for i in range(N):
        assert np.flatnonzero(batch.action_mask[i]).tolist() == game.legal_actions(tables.states, i)


def test_what_was_saved_does_not_follow_the_tables() -> None:
    tables = Tables(GAMES["pile"](), N)
    saved = tables.save()
    kept = saved["states"].tobytes(), saved["clock"].tobytes()
    play(tables, 20)
    assert (saved["states"].tobytes(), saved["clock"].tobytes()) == kept


def test_tables_move_to_other_places() -> None:
    tables = Tables(GAMES["base"](), N, seed=14)
    play(tables, 5)
    tables.restore(tables.save([0]), [2])
    assert tables.states[2].tobytes() == tables.states[0].tobytes()
    assert tables.clock[2].tobytes() == tables.clock[0].tobytes()


def test_saved_tables_survive_a_file(tmp_path: Any) -> None:
    tables = Tables(GAMES["base"](), N, seed=15)
    play(tables, 5)
    saved = tables.save()
    np.savez(tmp_path / "tables.npz", **saved)
    with np.load(tmp_path / "tables.npz") as loaded:
        back = dict(loaded)
    before = contents(tables)
    play(tables, 5)
    tables.restore(back)
    assert contents(tables)[:2] == before[:2]
    play(tables, 5)  # np.load drops the align flag of the dtype; the tables must have kept their own


@pytest.mark.parametrize("indices", [[3], [-1], [0.5], [[0, 1]], np.array([True, False]), "a"])
def test_tables_that_there_are_not(indices: Any) -> None:
    tables = Tables(GAMES["pile"](), N)
    with pytest.raises(ValueError, match=r"must be numbers from 0 to 2, or a mask of 3$"):
        tables.save(indices)


def test_saved_tables_that_do_not_fit() -> None:
    tables = Tables(GAMES["pile"](), N)
    before = contents(tables)
    saved = tables.save()
    shorter = {**saved, "clock": saved["clock"][:2]}
    for wrong, places, says in (
        (saved, [0, 1], "3 saved tables, 3 clocks for 2 places: must be as many"),
        (shorter, None, "3 saved tables, 2 clocks for 3 places: must be as many"),
        (tables.save([0, 1]), [2, 2], r"tables \[2, 2\]: must name each place once"),
        ({**saved, "clock": np.zeros(N)}, None, "saved clock of dtype float64: must be as `save` made it"),
        (Tables(GAMES["base"](), N).save(), None, "must be records of pile"),
    ):
        with pytest.raises(ValueError, match=f"{says}$"):
            tables.restore(wrong, places)
        assert contents(tables) == before
