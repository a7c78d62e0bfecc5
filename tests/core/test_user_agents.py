"""A user's own compiled agents in a compiled loop: mixes, wrong actions, functions that do not compile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit

from cardsim.bits import has, lowest, popcount, select
from cardsim.jit import DISABLED, kernel
from cardsim.rng import below
from cardsim.user_agents import FAILED, address_of
from tests.core.pilegame import FAMILY, GAME
from tests.core.units import Units

only_compiled = pytest.mark.skipif(DISABLED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")


@kernel
def any_card(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    """As the built-in `random`."""
    return select(legal, below(stream, popcount(legal)))


@njit  # type: ignore[untyped-decorator]
def lowest_card(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """As the built-in `lowest`, compiled by plain numba."""
    return lowest(legal)


def plain_lowest(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """The same, not compiled yet."""
    return lowest(legal)


def as_told(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Reads its own record and the state: with a margin the lowest card, else the highest."""
    if agent["margin"] > 0:
        return lowest(legal)
    return select(legal, popcount(state["hand"][state["player"]]) - 1)


def highest_card(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """The highest card by number."""
    return select(legal, popcount(legal) - 1)


def outsider(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """A card that it does not hold, once its hand is half played."""
    if popcount(legal) == 2:
        return lowest(legal)
    card = 0
    while has(legal, card):
        card += 1
    return card


def far_out(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """An action that no game has."""
    return 1000


def negative(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Another."""
    return -7


def raising(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Raises in its second decision."""
    if popcount(legal) == 1:
        raise RuntimeError("no idea")
    return lowest(legal)


def half(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Not a whole number."""
    return 0.5


def nothing(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Forgets to answer."""


def misspelt(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
    """Asks for a field that there is not."""
    return state["hnad"][0]


def too_few(agent: Any, state: Any) -> Any:
    """Takes other arguments."""
    return 0


@pytest.mark.parametrize(
    ("built_in", "function"), [("random", any_card), ("lowest", lowest_card), ("lowest", plain_lowest)]
)
def test_a_copy_of_a_built_in_agent_plays_the_same(built_in: str, function: Callable[..., Any]) -> None:
    if DISABLED and function is lowest_card:
        function = plain_lowest
    for seats in ((0,), (1,), (0, 1)):
        agents = [built_in if k in seats else "greedy" for k in range(2)]
        ours, theirs = Units(GAME.make(), agents), Units(GAME.make(), agents)
        for seat in seats:
            ours.seat_user(seat, function)
        assert ours.play(0, 200) == theirs.play(0, 200) == 200
        assert ours.state() == theirs.state()


def test_any_mix_of_users_and_built_in_agents() -> None:
    game = GAME.make(players=4)
    built_in = Units(game, ["lowest", "random", "greedy", "random"])
    mixed = Units(game, ["lowest", "random", "greedy", "random"])
    mixed.seat_user(0, plain_lowest)
    mixed.seat_user(3, any_card)
    assert mixed.play(5, 100) == built_in.play(5, 100) == 100
    assert mixed.state() == built_in.state()


def test_a_user_function_reads_its_record_and_the_state() -> None:
    for margin, twin in (("1", plain_lowest), ("0", highest_card)):
        told = Units(GAME.make(), [f"lowest(margin={margin})", "random"])
        twins = Units(GAME.make(), [f"lowest(margin={margin})", "random"])
        told.seat_user(0, as_told)
        twins.seat_user(0, twin)
        assert told.play(0, 50) == twins.play(0, 50) == 50
        assert told.state() == twins.state()


@pytest.mark.parametrize(("function", "answer"), [(far_out, 1000), (negative, -7), (raising, FAILED), (outsider, None)])
@pytest.mark.parametrize("entry", [0, 1, 2])
def test_a_wrong_action_stops_the_run_and_is_reported(function: Any, answer: int | None, entry: int) -> None:
    units = Units(GAME.make(players=3), ["greedy"] * 3)
    units.seat_user(entry, function)
    before = units.state()
    assert units.play(7, 10) == 0
    kind, who, action, unit, rotation = (int(number) for number in units.fault)
    assert (kind, who, unit, rotation) == (1, entry, 7, 7 % 3)
    state = units.states[0]
    seat = (entry + rotation) % 3
    assert int(state["player"]) == seat  # it stands where he was asked, so that the answer can be looked at
    if answer is None:
        assert 0 <= action < 16
        assert not int(state["hand"][seat]) >> action & 1
    else:
        assert action == answer
    assert units.state() == before  # nothing was counted


def test_a_run_counts_what_was_finished_before_the_fault() -> None:
    def sometimes(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
        """Wrong only where it holds card 0."""
        return 999 if has(legal, 0) else lowest(legal)

    units, clean = Units(GAME.make(), ["lowest"] * 2), Units(GAME.make(), ["lowest"] * 2)
    units.seat_user(0, sometimes)
    done = units.play(0, 1000)
    assert 0 < done < 100
    assert int(units.fault[3]) == done
    assert clean.play(0, done) == done
    assert units.state() == clean.state()


@only_compiled
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (half, r"^agent function half returns float64: must return an action number \(an integer\)$"),
        (nothing, r"^agent function nothing returns none: must return an action number \(an integer\)$"),
        (misspelt, r"^agent function misspelt: numba cannot compile act\(.*\): .*hnad"),
        (too_few, r"^agent function too_few: must take act\(agent, state, legal, stream\): .*argument"),
        (print, r"^agent function print: must be a Python function act\("),
        (int, r"^agent function int: must be a Python function act\("),
        (np.add, r"^agent function add: must be a Python function act\("),
    ],
)
def test_functions_that_cannot_join(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        address_of(function, FAMILY.dtype, GAME.state_dtype)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@only_compiled
def test_an_address_is_made_once_for_each_game_and_family() -> None:
    from cardsim.registry import make_game

    first = address_of(plain_lowest, FAMILY.dtype, GAME.state_dtype)
    assert first == address_of(plain_lowest, FAMILY.dtype, GAME.state_dtype) != 0
    assert first != address_of(plain_lowest, FAMILY.dtype, make_game("sixty_six").state_dtype)
    assert first != address_of(highest_card, FAMILY.dtype, GAME.state_dtype)


@only_compiled
def test_a_new_user_function_does_not_compile_the_loop_again() -> None:
    from cardsim.playout import play_range

    units = Units(GAME.make(), ["lowest", "lowest"])
    units.play(0, 1)
    before = len(play_range.signatures)  # type: ignore[attr-defined]
    units.seat_user(1, lambda agent, state, legal, stream: select(legal, 0))
    units.play(0, 1)
    assert len(play_range.signatures) == before  # type: ignore[attr-defined]


def test_bit_63_is_not_asked_of_a_legal_set() -> None:
    """A shift by 64 or more is undefined: the loop tests the range first."""

    def beyond(agent: Any, state: Any, legal: Any, stream: Any) -> Any:
        """The legal set shifted by 64 would be itself on common processors."""
        return 64 + lowest(legal)

    units = Units(GAME.make(), ["lowest", "lowest"])
    units.seat_user(0, beyond)
    assert units.play(0, 1) == 0
    assert int(units.fault[2]) >= 64
