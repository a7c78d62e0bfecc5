"""What a game says about the sum of its returns holds."""

from __future__ import annotations

import numpy as np
import pytest

from cardsim.game import Game
from cardsim.playout import SCALE, play_random
from cardsim.registry import game_ids, game_type, make_game
from cardsim.rng import new_streams
from tests.core.pilegame import GAME as PILE

GAMES = [
    *(make_game(id, preset=preset) for id in game_ids() for preset in game_type(id).presets),
    make_game("sixty_six", preset="schnapsen", match=True, target=3),
    make_game("sixty_six", preset="three_hand", match=True, target=3),
    make_game("sixty_six", preset="three_hand", idle_dealer="shares"),
    make_game("sixty_six", preset="1001", players=3),
    make_game("zwicker", preset="six_joker", players=6),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_returns_sum_to_what_the_game_says(game: Game) -> None:
    sums = set()
    for number in range(30):
        totals = np.zeros(2 + game.num_players, np.int64)
        play_random(game.new_states(), new_streams(2), np.uint64(1), np.uint64(number), 1, totals)
        sums.add(int(totals[2:].sum()) / SCALE)
    if game.returns_sum is None:
        assert len(sums) > 1  # else it should say so
    else:
        assert sums == {game.returns_sum}


def test_a_game_may_leave_it_open() -> None:
    assert PILE.make().returns_sum is None
