"""What every comparison of a compiled game with its slow referee shares: the tape, and the table that replays it.

A game's trace module writes tapes: blocks of hands as rows of numbers, one per decision. Its replay module plays the
same hands on the referee and builds the same rows from there. Neither side asks the other anything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cardsim.options import Rules
from cardsim.rng import new_streams

END, AGAIN = -1, -2
"""In place of an action: the hand is over; the deal was void, and the next pack is dealt."""


class Tape(NamedTuple):
    """A block of hands; the first axis of `decks` is the attempt at a deal, that of `rows` the row, else the hand."""

    decks: Any  # (attempts, cards) uint8: packs in dealing order
    dealt: Any  # (hands + 1,) int64: first pack of each hand
    dealers: Any  # (hands,) int64: who gives the first of them
    fresh: Any  # (hands,) bool: an episode begins
    starts: Any  # (hands + 1,) int64: first row of each hand
    rows: Any  # (rows, COLUMNS) int64; the first column is the action, END or AGAIN
    counts: Any  # (hands, HAND_COLUMNS) int32, of the episode so far
    seat_counts: Any  # (hands, seats, SEAT_COLUMNS) int32
    returns: Any  # (hands, seats) float64


class Trace(NamedTuple):
    """What writes the tapes of a game.

    Attributes:
        state: dtype of the record.
        no_card: what fills up the packs.
        policies: names of the ways to choose actions.
        columns: names of what is compared, with which a row begins; the first is the action.
        sets: columns (without their index) that are sets of cards or actions.
        player: which column names the seat to act.
        new_tape: an empty tape for a number of hands.
        play_block: plays hands until a tape is full; an episode may go on in the next block. Its arguments: states of
            shape (1,), after a block to be left as they are; streams of shape (2,), for cards and policy, seeded anew
            for every hand; index of the policy; seed; number of the first hand, 0 begins an episode; the tape.
    """

    state: np.dtype[Any]
    no_card: int
    policies: tuple[str, ...]
    columns: tuple[str, ...]
    sets: tuple[str, ...]
    player: int
    new_tape: Callable[[int], Tape]
    play_block: Callable[[Any, Any, int, int, int, Tape], None]


def pad(values: list[int], seats: int) -> list[int]:
    """One entry per seat, of which fewer may be taken."""
    return values + [0] * (seats - len(values))


class Replay(ABC):
    """One table under given rules, on both sides.

    Args:
        rules: in force at the compiled table.
        first_dealer: the option's value, as the referee's side is told.
        policy: an index into the trace's policies.
        seed: of cards and policy.
    """

    trace: ClassVar[Trace]
    names: ClassVar[tuple[str, ...]]
    """Names of the actions; the cards' come first."""

    def __init__(self, rules: Rules, first_dealer: str, policy: int, seed: int) -> None:
        self.rules, self.first_dealer = rules, first_dealer
        self.policy, self.seed = policy, seed
        self.states = np.zeros(1, self.trace.state)
        self.states["rules"] = rules.record
        self.streams = new_streams(2)
        self.hands = self.decisions = 0
        self.label = f"{rules.text} policy={self.trace.policies[policy]!r} seed={seed}"

    @abstractmethod
    def start(self, dealer: int) -> None:
        """Begin an episode on the referee."""

    @abstractmethod
    def deal(self, deck: list[str]) -> None:
        """Deal a pack on the referee."""

    @abstractmethod
    def row(self) -> list[int]:
        """The row of the trace's columns after the action, from the referee."""

    @abstractmethod
    def play(self, seat: int, action: int) -> None:
        """Carry out an action of a seat on the referee, and count it."""

    def move(self, row: list[int]) -> str:
        """Carry out what was done in a row of the tape on the referee; its text."""
        self.play(row[self.trace.player], row[0])
        return self.names[row[0]]

    @abstractmethod
    def summary(self) -> tuple[list[int], list[list[int]], list[float]]:
        """Columns of `outcome` and returns of the seats at the table, as the referee's side has counted them."""

    def run(self, hands: int, block: int = 500) -> str:
        """Play and compare `hands` more hands; the first difference as text, or the empty text."""
        while hands > 0:
            tape = self.trace.new_tape(min(hands, block))
            self.trace.play_block(self.states, self.streams, self.policy, self.seed, self.hands, tape)
            starts, rows = tape.starts.tolist(), tape.rows[: tape.starts.max()].tolist()
            for h in range(len(tape.fresh)):  # a tape that breaks off ends with a row that differs
                text = self._hand(tape, h, rows[starts[h] : starts[h + 1]])
                if text:
                    return text
                self.hands += 1
            hands -= len(tape.fresh)
        return ""

    def _hand(self, tape: Tape, h: int, rows: list[list[int]]) -> str:
        """Replay one hand."""
        dealer = int(tape.dealers[h])
        if tape.fresh[h]:
            if self.first_dealer not in ("random", str(dealer)):
                return f"{self.label} hand {self.hands}: first dealer is {dealer}"
            self.start(dealer)
        packs = iter(tape.decks[tape.dealt[h] : tape.dealt[h + 1]].tolist())
        moves = [f"dealer {dealer}", self._deal(next(packs))]
        for row in rows:
            expected = [row[0], *self.row()]
            if row[: len(expected)] != expected:
                return self._differ(moves, self._columns_apart(row[: len(expected)], expected))
            if row[0] == END:
                break
            if row[0] == AGAIN:
                moves.append(self._deal(next(packs)))
                continue
            moves.append(self.move(row))
            self.decisions += 1
        return self._closing(tape, h, moves)

    def _deal(self, pack: list[int]) -> str:
        """Deal the cards of a pack; what was dealt, as text."""
        deck = [self.names[card] for card in pack if card != self.trace.no_card]
        self.deal(deck)
        return f"deck {' '.join(deck)}:"

    def _closing(self, tape: Tape, h: int, moves: list[str]) -> str:
        """Compare the counts and returns after a hand."""
        counts, seat_counts, returns = self.summary()
        players = len(returns)
        pairs = (
            ("outcome hand", tape.counts[h].tolist(), counts),
            ("outcome seats", tape.seat_counts[h, :players].tolist(), seat_counts),
            ("returns", tape.returns[h, :players].tolist(), returns),
        )
        wrong = [f"{name} {ours} != {theirs}" for name, ours, theirs in pairs if ours != theirs]
        return self._differ(moves, wrong) if wrong else ""

    def _columns_apart(self, row: list[int], expected: list[int]) -> list[str]:
        """The columns in which engine and referee part."""
        wrong = []
        for name, ours, theirs in zip(self.trace.columns, row, expected, strict=True):
            if ours == theirs:
                continue
            if name.split("[")[0] in self.trace.sets:
                wrong.append(f"{name} {self._members(ours)} != {self._members(theirs)}")
            else:
                wrong.append(f"{name} {ours} != {theirs}")
        return wrong

    def _differ(self, moves: list[str], wrong: list[str]) -> str:
        """Say where engine and referee part."""
        return f"{self.label} hand {self.hands} {' '.join(moves)}: engine != referee: {'; '.join(wrong)}"

    def _members(self, mask: int) -> str:
        """A set of actions as text."""
        members = (name.replace(" ", "") for number, name in enumerate(self.names) if mask >> number & 1)
        return "{" + " ".join(members) + "}"
