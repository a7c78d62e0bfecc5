"""The methods of `Game` check what comes from outside before a kernel sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.game import Game
from tests.core.pilegame import GAME

METHODS: dict[str, Callable[[Game, Any, int], object]] = {
    "deal": lambda game, states, i: game.deal(0, 0, states, i),
    "deal_next": lambda game, states, i: game.deal_next(0, 0, 1, states, i),
    "deal_given": lambda game, states, i: game.deal_given(game.deck(), None, states, i),
    "current_player": lambda game, states, i: game.current_player(states, i),
    "legal_mask": lambda game, states, i: game.legal_mask(states, i),
    "legal_actions": lambda game, states, i: game.legal_actions(states, i),
    "apply_action": lambda game, states, i: game.apply_action(states, 0, i),
    "returns": lambda game, states, i: game.returns(states, i),
    "observe": lambda game, states, i: game.observe(states, 0, i),
    "resample_hidden": lambda game, states, i: game.resample_hidden(states, 0, rng.new_streams(), i),
}
"""Every method that takes states and an index."""


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("place", [-1, 2, 10**6])
def test_tables_that_there_are_not(name: str, place: int) -> None:
    game = GAME.make(players=3)
    states = game.new_states(2)
    for i in range(2):
        game.deal(1, i, states, i)
    before = states.tobytes()
    with pytest.raises(ValueError, match=f"^table {place}: must be from 0 to 1$"):
        METHODS[name](game, states, place)
    assert states.tobytes() == before


@pytest.mark.parametrize("name", METHODS)
def test_states_of_another_kind(name: str) -> None:
    with pytest.raises(ValueError, match=r"must be records of pile$"):
        METHODS[name](GAME.make(), np.zeros(2), 0)


@pytest.mark.parametrize("wrong", [3.7, 3.0, "3", None, np.float64(3), np.array([3, 3])])
def test_actions_that_are_no_integers(wrong: Any) -> None:
    game = GAME.make()
    states = game.deal(1, 2)
    before = states.tobytes()
    with pytest.raises(ValueError, match=r"must be an integer$"):
        game.apply_action(states, wrong)
    assert states.tobytes() == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_actions_as_numpy_integers(kind: Any) -> None:
    game = GAME.make()
    states, plain = game.deal(1, 2), game.deal(1, 2)
    action = game.legal_actions(states)[-1]
    game.apply_action(states, kind(action))
    game.apply_action(plain, action)
    assert states.tobytes() == plain.tobytes()


@pytest.mark.parametrize("wrong", [-1, 63, 64, 2**40, -(2**70), 2**70])
def test_actions_out_of_range(wrong: int) -> None:
    game = GAME.make()
    states = game.deal(1, 2)
    before = states.tobytes()
    with pytest.raises(ValueError, match=f"^action {wrong} is illegal; legal: "):
        game.apply_action(states, wrong)
    assert states.tobytes() == before
