"""One hand in play: where it began, the moves so far, and the texts that make it again."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardsim.options import quoted

if TYPE_CHECKING:
    from cardsim.game import Game


class Move(NamedTuple):
    """An action that was played.

    Attributes:
        seat: who acted.
        legal: what was legal, for people.
        played: the action, for people.
        told: what the others are told of it.
        before: state before it, shape (1,).
        after: state after it.
    """

    seat: int
    legal: list[str]
    played: str
    told: str
    before: Any
    after: Any


@dataclass
class Line:
    """A hand from its deal or from a position on.

    Attributes:
        game: the game under its rules.
        states: the position now, shape (1,).
        origin: for people, where the hand comes from.
        hand: how it was dealt, a `Hand` of the game's notation; None if it began from a position.
        moves: what was played.
        actions: the same as numbers.
    """

    game: Game
    states: Any
    origin: str
    hand: Any = None
    moves: list[Move] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)

    @property
    def player(self) -> int:
        """Seat to act; negative when the hand is over."""
        return self.game.current_player(self.states)

    def play(self, action: int) -> None:
        """Play a legal action.

        Raises:
            ValueError: it is not legal.
        """
        notation, before, seat = self.game.notation, self.states.copy(), self.player
        meaning = getattr(notation, "meaning", lambda _, number: notation.action_text(number))
        told = getattr(notation, "told", meaning)
        legal = {number: meaning(before, number) for number in self.game.legal_actions(before)}
        self.game.apply_action(self.states, action)
        self.actions.append(action)
        self.moves.append(
            Move(seat, list(legal.values()), legal[action], told(before, action), before, self.states.copy())
        )

    def play_texts(self, texts: str) -> None:
        """Play actions that are separated by `;` or `,`.

        Raises:
            ValueError: one of them is not legal; the message lists what is.
        """
        for number, text in enumerate(filter(None, (part.strip() for part in re.split("[;,\n]", texts))), 1):
            if self.player < 0:
                raise ValueError(f"action {number}: {quoted(text)} comes after the end of the hand")
            try:
                action = self.game.notation.parse_action(text, self.game.legal_mask(self.states))
            except ValueError as error:
                raise ValueError(f"action {number}: {error}") from None
            self.play(action)

    def play_agents(self, agents: str, seed: int, number: int, rotation: int) -> tuple[str, ...]:
        """Let agents finish the hand, seated and seeded as in `simulate`.

        Args:
            agents: as for `simulate`.
            seed, number: of the agents' random streams.
            rotation: entry e sits at seat (e + rotation) % players.

        Returns:
            Name of the agent at each seat.
        """
        import numpy as np

        from cardsim import contract, rng
        from cardsim.dealing import seed_episode
        from cardsim.registry import agent_family
        from cardsim.simulate.plan import make_plan

        plan, players = make_plan(self.game, agents, 1), self.game.num_players
        records = np.frombuffer(bytearray(plan.records), agent_family(self.game.id).dtype)
        streams = rng.new_streams(1 + players)
        seed_episode(streams, players, np.uint64(seed), np.uint64(number))
        while (seat := self.player) >= 0:
            legal = np.uint64(self.game.legal_mask(self.states))
            agent, stream = records[(seat - rotation) % players], streams[rng.AGENT + seat]
            self.play(int(contract.act(agent, self.states[0], legal, stream)))
        return tuple(plan.names[(seat - rotation) % players] for seat in range(players))

    def hand_text(self) -> str | None:
        """The hand as text that reads back; None if it began from a position."""
        if self.hand is None:
            return None
        text: str = dataclasses.replace(self.hand, actions=tuple(self.actions)).text
        return text

    def seen_by(self, seat: int | None) -> list[Move]:
        """The moves that a seat notices; all of them for None.

        What changes nothing that a seat observes is secret to it: another's refusal to exchange or to declare. Where
        the game's texts say so (`told`), it sees that something was played, and not all of it.
        """
        if seat is None:
            return self.moves

        def seen(move: Move) -> bool:
            before, after = (self.game.observe(states, seat) for states in (move.before, move.after))
            return move.seat == seat or bool((before != after).any())

        return [move if move.seat == seat else move._replace(played=move.told) for move in self.moves if seen(move)]

    def position_text(self) -> str:
        """The position now, as one line that reads back."""
        text: str = self.game.notation.position_text(self.game.rules, self.states)
        return text


def from_number(game: Game, seed: int, number: int) -> Line:
    """Deal `number` of a seed, as `simulate` plays it."""
    hand = game.notation.dealt_hand(game.rules, seed, number)
    return Line(game, game.deal(seed, number), f"Deal {number} of seed {seed}", hand)


def from_hand(game_id: str, text: str) -> Line:
    """A hand from its text, replayed.

    Raises:
        ValueError: the text is malformed, or an action in it is not legal.
    """
    from cardsim.registry import game_type

    kind = game_type(game_id)
    hand = kind.notation.parse_hand(text)
    states = list(kind.notation.replay(hand))
    line = Line(_game(kind, hand.rules), states[0], "Hand from text", hand)
    for action in hand.actions:
        line.play(action)
    return line


def from_position(game_id: str, text: str) -> Line:
    """A hand that begins at a position.

    Raises:
        ValueError: the text is malformed, or the position breaks the rules.
    """
    from cardsim.registry import game_type

    kind = game_type(game_id)
    rules, states = kind.notation.parse_position(text)
    return Line(_game(kind, rules), states, "Position from text")


def _game(kind: Any, rules: Any) -> Game:
    made: Game = kind.make(rules.preset, **rules.changed)
    return made


def game_of_text(text: str) -> str:
    """Id of the game that a position or the `rules:` line of a hand names.

    Raises:
        ValueError: the text names none.
    """
    match = re.search(r"^\s*rules:\s*(\w+)", text, re.MULTILINE) or re.match(r"\s*(\w+)\s*(?:\(|\s|$)", text)
    if match is None:
        raise ValueError("the text does not say which game it is; name GAME")
    return match[1]
