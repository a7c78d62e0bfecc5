"""Deals, decisions and playing on: against `simulate`, and against each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cardsim
from cardsim.games.sixty_six.layout import ACT_CLOSE
from cardsim.jit import DISABLED
from cardsim.simulate import simulate
from experiments.lab import Choice, Line

GAMES = ("sixty_six", "zwicken", "zwicker")
compiled = pytest.mark.skipif(DISABLED, reason="plays hundreds of hands: needs compiled speed")


def a_line(game: str, *agents: str) -> Line:
    made = cardsim.make_game(game)
    return Line(made, [agents[min(seat, len(agents) - 1)] for seat in range(made.num_players)])


@compiled
@pytest.mark.parametrize("game", GAMES)
def test_deals_are_those_of_simulate(game: str) -> None:
    line = a_line(game, "book", "random")
    rows = simulate(line.game, line.agents, 40 * line.game.num_players, seed=5, duplicate=True, per_hand=True).per_hand
    for rotation in range(line.game.num_players):
        _, returned = line.play(5, 0, 40, rotation)
        seat = rotation
        want = rows[f"return_{seat}"].to_numpy()[rotation :: line.game.num_players]
        assert (returned[:, 0] == want).all()


@compiled
@pytest.mark.parametrize("game", GAMES)
def test_playing_on_by_the_action_that_was_played_ends_as_the_deal_did(game: str) -> None:
    line = a_line(game, "book")
    found = line.decisions(3, 10, 40, most=3, whose=range(line.game.num_players))
    assert len(found) > 80
    results, finals = line.play_out(found, [Choice(found.action), Choice()], finals=True)
    states, returned = line.play(3, 10, 40)
    want = returned[found.number, found.seat]
    assert (results[:, 0] == want).all() and (results[:, 1] == want).all()
    size = line.game.state_dtype.itemsize
    ends = finals[:, 0].copy().view(np.uint8).reshape(-1, size)
    assert (ends == states.view(np.uint8).reshape(-1, size)[found.number]).all()


@compiled
def test_alternatives_share_all_draws_of_their_opponents() -> None:
    line = a_line("sixty_six", "book", "random")
    found = line.decisions(4, 0, 200)
    results, _ = line.play_out(found, [Choice(found.action), Choice(found.action)])
    assert (results[:, 0] == results[:, 1]).all()
    other, _ = line.play_out(replace(found, seed=found.seed + 1), [Choice(found.action)])
    assert (other[:, 0] != results[:, 0]).any()


@compiled
def test_only_decisions_that_are_wanted_are_found() -> None:
    line = a_line("sixty_six", "book")
    found = line.decisions(6, 0, 300, [ACT_CLOSE], most=2, rotation=1)
    assert len(found) > 100
    assert (found.seat == 1).all() and found.nth.max() == 1
    legal = [line.game.legal_actions(found.states, i) for i in range(len(found))]
    assert all(ACT_CLOSE in actions and len(actions) > 1 for actions in legal)
    assert {tuple(pair) for pair in zip(found.number, found.nth, strict=True)} == {
        tuple(pair)
        for pair in zip(found.number, found.nth, strict=True)
        if pair[1] == 0 or (pair[0], 0) in set(zip(found.number, found.nth, strict=True))
    }


@compiled
def test_an_alternative_may_be_left_out_or_have_agents_of_its_own() -> None:
    line = a_line("sixty_six", "book")
    found = line.decisions(6, 0, 50, [ACT_CLOSE])
    where = np.where(np.arange(len(found)) % 2, ACT_CLOSE, -2)
    results, _ = line.play_out(found, [Choice(where), Choice(ACT_CLOSE, ["random", "random"])])
    assert np.isnan(results[::2, 0]).all() and np.isfinite(results[1::2, 0]).all()
    assert (results[1::2, 0] != results[1::2, 1]).any()
    some = found.where(where == ACT_CLOSE)
    assert len(some) == len(found) // 2 and (some.number == found.number[1::2]).all()


def test_as_many_agents_as_seats() -> None:
    with pytest.raises(ValueError, match=r"3 agents: sixty_six\(preset=base\) has 2 seats"):
        Line(cardsim.make_game("sixty_six"), ["book"] * 3)
    with pytest.raises(ValueError, match="agent 'bok' is unknown"):
        Line(cardsim.make_game("sixty_six"), ["bok", "book"])
