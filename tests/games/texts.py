"""What the tests of all games as text share: random play, round trips, damaged texts, refusals in one line."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from cardsim import contract
from cardsim.contract import CHANCE, TERMINAL
from cardsim.game import Game
from cardsim.hands import new_episode
from cardsim.rng import new_streams

LONGEST_DEAL = 200
NO_TEXTS = (None, 5, b"x", "x" * 100_000, "sixty_six(preset=base" + " " * 20_000 + "!")
"""What is no text of a game, or one that would take a careless reader long."""


def legal(states: Any) -> list[int]:
    """Legal actions, ascending."""
    mask = int(contract.legal_actions(states[0]))
    return [action for action in range(contract.MAX_ACTIONS) if mask >> action & 1]


def play(game: Game, seed: int, deals: int, choose: Callable[[list[int], random.Random], int]) -> Iterator[Any]:
    """Random play; yields the same array before the first deal and after every step.

    Args:
        game: the game under its rules.
        seed: decides everything.
        deals: packs to deal at most.
        choose: one of the legal actions.
    """
    rng, streams = random.Random(seed), new_streams()
    streams["key"] = seed
    streams["used"] = 32
    states = new_episode(game.rules, game.state_dtype, contract.reset, streams)
    yield states
    for _ in range(deals):
        cards = game.deck()
        rng.shuffle(cards)
        contract.deal_given(states[0], np.array(cards, np.uint8))
        yield states
        while contract.current_player(states[0]) not in (CHANCE, TERMINAL):
            contract.apply_action(states[0], choose(legal(states), rng))
            yield states
        if contract.current_player(states[0]) == TERMINAL:
            return


def one_line(error: pytest.ExceptionInfo[ValueError]) -> str:
    """The message of an error, which must be one line."""
    message = str(error.value)
    assert message and len(message.splitlines()) == 1
    return message


def check_round_trip(notation: ModuleType, rules: Any, states: Any) -> None:
    """A state, written and read back, has the same bytes."""
    text = notation.position_text(rules, states)
    read, again = notation.parse_position(text)
    assert again.tobytes() == states.tobytes(), text
    assert read.text == rules.text and read.record.tobytes() == rules.record.tobytes()
    assert len(text.splitlines()) == 1


def check_no_text(read: Callable[[Any], Any], text: Any) -> None:
    """What is no text is refused in one short line."""
    with pytest.raises(ValueError, match=r"must|unknown") as error:
        read(text)
    one_line(error)
    assert len(str(error.value)) < 300


def check_action_text(notation: ModuleType, name: str, action: int) -> None:
    """An action reads back, whatever the case and the spaces."""
    text = notation.action_text(action)
    assert text == name
    for form in (text, text.lower(), f"  {text.upper()} ", text.replace(" ", "")):
        assert notation.parse_action(form) == action


def check_damaged_position(notation: ModuleType, text: str, rng: random.Random) -> None:
    """A damaged position is refused in one line, or it is sound: it reads back and plays to an end."""
    try:
        rules, states = notation.parse_position(text)
    except ValueError as error:
        assert str(error) and len(str(error).splitlines()) == 1
        return
    assert notation.parse_position(notation.position_text(rules, states))[1].tobytes() == states.tobytes()
    for _ in range(LONGEST_DEAL):
        if contract.current_player(states[0]) in (CHANCE, TERMINAL):
            return
        contract.apply_action(states[0], rng.choice(legal(states)))
        assert notation.parse_position(notation.position_text(rules, states))[1].tobytes() == states.tobytes()
    raise AssertionError("the deal does not end")


def check_damaged_hand(notation: ModuleType, text: str) -> None:
    """A damaged hand is refused in one line, or replays."""
    try:
        for _ in notation.replay(notation.parse_hand(text)):
            pass
    except ValueError as error:
        assert str(error) and len(str(error).splitlines()) == 1


def changed(text: str, key: str, value: str) -> str:
    """A position with another value of a key."""
    words = [word for word in text.split() if not word.startswith(f"{key}=")]
    return " ".join([*words, f"{key}={value}"])


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """A text with some characters replaced, dropped, doubled, swapped, or with its end cut off."""
    characters = list(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(characters) - 1))
        to = draw(st.integers(0, len(characters) - 1))
        kind = draw(st.sampled_from(["replace", "drop", "copy", "swap", "cut"]))
        if kind == "replace":
            characters[at] = draw(st.characters() | st.sampled_from("0123456789-,;/:=ATKQJ9DHSC"))
        elif kind == "drop":
            del characters[at : at + draw(st.integers(1, 4))]
        elif kind == "copy":
            characters[at:at] = characters[to : to + draw(st.integers(1, 4))]
        elif kind == "swap":
            characters[at], characters[to] = characters[to], characters[at]
        else:
            del characters[max(1, at) :]
        characters = characters or ["x"]
    return "".join(characters)
