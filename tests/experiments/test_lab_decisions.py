"""Decisions tell their legal actions as the game does."""

from __future__ import annotations

import numpy as np
import pytest

import cardsim
from cardsim.jit import DISABLED
from experiments.lab import Line


@pytest.mark.skipif(DISABLED, reason="plays hundreds of hands: needs compiled speed")
@pytest.mark.parametrize("name", ["sixty_six(preset=pagat66)", "zwicken", "zwicker"])
def test_legal_actions_of_decisions(name: str) -> None:
    game = cardsim.make_game(name)
    found = Line(game, ["random"] * game.num_players).decisions(8, 3, 60, most=6)
    want = [game.legal_mask(found.states, i) for i in range(len(found))]
    assert found.legal.tolist() == want and len(set(want)) > 20
    assert ((found.legal >> found.action.astype(np.uint64)) & np.uint64(1) == 1).all()
