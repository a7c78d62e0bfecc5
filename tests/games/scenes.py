"""A table of any game, for rule tests: written by hand, played by text, asked in words.

Each game's tests add what only it has (points, chips) in a subclass of `Table`. Everything goes through `Game`, as a
user's own script would.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self, TypeVar

import numpy as np

from cardsim import rng
from cardsim.contract import deal_given
from cardsim.game import Game
from cardsim.registry import make_game

NOBODY = -1


@cache
def make_form(id: str, rules: str) -> Game:
    """A game under `rules`, such as `preset=schnapsen,claims=auto`; the empty text is its base form."""
    return make_game(f"{id}({rules})")


def stream(number: int) -> Any:
    """A seeded stream, shape (1,)."""
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(number), rng.USER)
    return streams


class Table:
    """A position on the table, and the questions that tests ask.

    Args:
        game: game under its rules.
        states: array of shape (1,).
    """

    PHASES: Sequence[str] = ()
    REASONS: Sequence[str] = ()

    def __init__(self, game: Game, states: Any) -> None:
        self.game = game
        self.states = states

    @property
    def state(self) -> Any:
        """The record."""
        return self.states[0]

    def copy(self) -> Self:
        """An independent table that stands the same."""
        return type(self)(self.game, self.states.copy())

    def legal(self) -> set[str]:
        """Texts of all legal actions."""
        return {self.game.action_names[action] for action in self.game.legal_actions(self.states)}

    def cards(self) -> set[str]:
        """The cards that may be played."""
        return {text for text in self.legal() if len(text) == 2}

    def extras(self) -> set[str]:
        """Legal actions that play no card."""
        return self.legal() - self.cards()

    def play(self, *texts: str) -> Self:
        """Play actions; refuses illegal ones. Returns the table itself."""
        for text in texts:
            self.game.apply_action(self.states, self.game.action_names.index(text))
        return self

    def after(self, *texts: str) -> Self:
        """A copy on which actions have been played."""
        return self.copy().play(*texts)

    def play_randomly(self, source: random.Random, most: int = 1000) -> Self:
        """Play at most `most` random legal actions of the deal."""
        while self.player != NOBODY and most > 0:
            self.game.apply_action(self.states, source.choice(self.game.legal_actions(self.states)))
            most -= 1
        return self

    def deal_pack(self, names: Sequence[str]) -> Self:
        """At a chance node, deal the next hand of a match from a pack in dealing order."""
        deal_given(self.state, np.array([self.game.pack.card(name) for name in names], np.uint8))
        return self

    @property
    def player(self) -> int:
        """Seat to act, negative if nobody is."""
        return max(NOBODY, self.game.current_player(self.states))

    @property
    def phase(self) -> str:
        """What is decided."""
        return self.PHASES[int(self.state["phase"])]

    @property
    def reason(self) -> str:
        """How the deal ended."""
        return self.REASONS[int(self.state["reason"])]

    def row(self, field: str) -> list[int]:
        """A field that has a number for each seat."""
        return [int(value) for value in self.state[field][: self.game.num_players]]

    def hand(self, seat: int) -> set[str]:
        """Cards that a seat holds."""
        return set(self.game.pack.cards_of(self.state["hand"][seat]))

    def talon(self) -> list[str]:
        """Face-down cards, top first."""
        return [self.game.pack.text(card) for card in self.state["deck"] if card < self.game.pack.size]

    def up(self) -> str:
        """The turned card, or the empty text."""
        return self.game.pack.text(self.state["up"]) if self.state["up"] < self.game.pack.size else ""

    def trump(self) -> str:
        """The trump suit, or the empty text."""
        return "DHSC"[self.state["trump"]] if self.state["trump"] < 4 else ""

    def sees(self, seat: int, block: str, of: int | None = None) -> Any:
        """One row of a block of a seat's observation, as a list of bits.

        Args:
            seat: observer.
            block: name of the block.
            of: the seat that the row is about, if the block has a row for each seat.
        """
        start = 0
        for layout in self.game.blocks:
            if layout.name == block:
                break
            start += layout.rows * layout.width
        row = 0 if of is None else (of - seat) % self.game.num_players
        start += row * layout.width
        return self.game.observe(self.states, seat)[start : start + layout.width].tolist()

    def sees_cards(self, seat: int, block: str, of: int | None = None) -> set[str]:
        """The same for a block of cards."""
        return {self.game.pack.text(card) for card, on in enumerate(self.sees(seat, block, of)) if on}

    def sees_number(self, seat: int, block: str, of: int | None = None) -> int:
        """The same for a block of binary numbers."""
        return sum(int(on) << k for k, on in enumerate(self.sees(seat, block, of)))


AnyTable = TypeVar("AnyTable", bound="Table")


def positions_of(deal: Callable[[int], AnyTable], hands: int) -> list[AnyTable]:
    """Every position of some hands, dealt by number and played at random."""
    found = []
    for number in range(hands):
        table, source = deal(number), random.Random(number)
        while table.player != NOBODY:
            found.append(table.copy())
            table.play_randomly(source, 1)
    return found
