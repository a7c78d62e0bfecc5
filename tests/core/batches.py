"""Games and small batches of tables, shared by the tests of `Tables`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardsim.game import Game
from cardsim.jit import DISABLED
from cardsim.registry import make_game
from cardsim.tables import Batch, Tables
from tests.core.pilegame import GAME

N = 3


STEPS = 120 if DISABLED else 200


GAMES: dict[str, Callable[[], Game]] = {
    "pile": lambda: GAME.make(players=3),
    "pile of hands": lambda: GAME.make(players=4, hands=3),
    "base": lambda: make_game("sixty_six"),
    "four_hand": lambda: make_game("sixty_six(preset=four_hand)"),
    "match": lambda: make_game("sixty_six(preset=schnapsen,match=true,target=4)"),
}


every_game = pytest.mark.parametrize("name", GAMES)


def contents(tables: Tables) -> tuple[bytes, ...]:
    return tables.states.tobytes(), tables.clock.tobytes(), tables._streams.tobytes()


def flat(batch: Batch) -> tuple[bytes, ...]:
    return tuple(array.tobytes() for array in batch)


def play(tables: Tables, steps: int) -> list[tuple[bytes, ...]]:
    return [flat(tables.step(tables.random_actions())) for _ in range(steps)]
