"""Rounds of Zwicker, from one refill to the next, and positions in them as one seat looks at them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim import contract
from cardsim.bits import has
from cardsim.game import Game
from cardsim.games.zwicker.basics import face_of
from cardsim.games.zwicker.layout import (
    ACT_LAY,
    CARD,
    FIRST_PLACE,
    NEW_VALUE,
    NO_CARD,
    NOBODY,
    PLACES,
    SEATS,
    TARGET,
)
from cardsim.games.zwicker.legal import target_values
from cardsim.games.zwicker.rules import HAND
from cardsim.jit import kernel

PLAYS, ACTS, LAYS = range(3)
"""A card that is played, an action, a whole build: rows (mover, which of these, face or action or item, new value)."""
PRINT = 1 + HAND * (1 + PLACES)
START, WORLD, SCRATCH, TRUE = range(4)
Predicate = Callable[[Any, int], bool]


@dataclass(frozen=True)
class Position:
    """A round (from a refill on) that was played up to some decision, as one seat looks at it.

    Attributes:
        viewer: seat.
        states: shape (4,): as the round began, two that are written over, as it stands.
        played: int64 (n, 2): seat and card of what others have played in this round.
        hidden: int64, cards whose place the viewer does not know.
        owners: int64, seat that holds each of them, or NOBODY for the stock.
        play: int64 (n, 4): the round so far.
        prints: int64 (own turns, PRINT): what the viewer could have done at each of them.
    """

    game: Game
    viewer: int
    states: Any
    played: Any
    hidden: Any
    owners: Any
    play: Any
    prints: Any


def raw_bytes(states: Any) -> Any:
    return states.view(np.uint8).reshape(len(states), -1)


@kernel
def take_print(states: Any, raw: Any, i: int, out: Any) -> None:
    """All that the seat to act can do in this turn, but for its captures, which depend on what everybody sees."""
    out[:] = 0
    legal = contract.legal_actions(states[i])
    out[0] = legal
    for k in range(HAND):
        if has(legal, k):
            raw[SCRATCH, :] = raw[i, :]
            state = states[SCRATCH]
            contract.apply_action(state, k)
            acts = contract.legal_actions(state)
            at = 1 + k * (1 + PLACES)
            out[at] = acts
            if has(acts, ACT_LAY):
                for item in range(state["items"]):
                    out[at + 1 + item] = target_values(state, item)


class Round:
    """What has happened since the last refill."""

    def __init__(self, game: Game, states: Any) -> None:
        self.game = game
        self.states = game.new_states(4)
        self.states[START] = states[0]
        self.deck_pos = int(states["deck_pos"][0])
        self.play: list[tuple[int, int, int, int]] = []
        self.cards: list[tuple[int, int]] = []
        self.prints: list[tuple[int, Any]] = []

    def look(self, states: Any) -> None:
        """Before an action: what the seat to act can do."""
        if states["phase"][0] == CARD:
            now = np.zeros(PRINT, np.int64)
            self.states[TRUE] = states[0]
            take_print(self.states, raw_bytes(self.states), TRUE, now)
            self.prints.append((int(states["player"][0]), now))

    def note(self, before: Any, action: int, states: Any) -> None:
        """After an action."""
        mover, phase = int(before["player"]), int(before["phase"])
        if phase == CARD:
            card = int(before["hand"][mover, action])
            self.cards.append((mover, card))
            self.play.append((mover, PLAYS, int(face_of(card)), 0))
        elif phase in (TARGET, NEW_VALUE):
            item = action - FIRST_PLACE if phase == TARGET else int(before["target"])
            if states["phase"][0] != NEW_VALUE:
                self.play.append((mover, LAYS, item, int(states["low"][0, item])))
        elif action != ACT_LAY:
            self.play.append((mover, ACTS, action, 0))

    def position(self, viewer: int, states: Any) -> Position:
        """The round as a seat looks at it."""
        state = states[0]
        self.states[TRUE] = state
        hidden = [
            (int(card), seat)
            for seat in range(self.game.num_players)
            for card in state["hand"][seat]
            if seat != viewer and card != NO_CARD
        ]
        hidden += [(int(card), NOBODY) for card in state["deck"] if card != NO_CARD]
        prints = [now for seat, now in self.prints if seat == viewer]
        return Position(
            self.game,
            viewer,
            self.states.view(np.uint8).copy().view(self.states.dtype),
            np.array([row for row in self.cards if row[0] != viewer], np.int64).reshape(-1, 2),
            np.array([card for card, _ in hidden], np.int64),
            np.array([seat for _, seat in hidden], np.int64),
            np.array(self.play, np.int64).reshape(-1, 4),
            np.array(prints, np.int64).reshape(-1, PRINT),
        )


def positions(game: Game, wanted: Predicate, seed: int, hands: int = 2000) -> Iterator[Position]:
    """The first position of each deal that is wanted for some viewer; nobody's build is half said by himself."""
    for number in range(hands):
        chance = random.Random(f"{game.name} {seed} {number}")
        states = game.deal(seed, number)
        now = Round(game, states)
        while (player := game.current_player(states)) >= 0 and states["items"][0] < PLACES:
            if states["deck_pos"][0] != now.deck_pos:
                now = Round(game, states)
            now.look(states)
            saying = {player} if states["phase"][0] in (TARGET, NEW_VALUE) else set()
            viewers = [seat for seat in {*range(game.num_players)} - saying if wanted(states[0], seat)]
            if viewers:
                yield now.position(chance.choice(viewers), states)
                break
            before, action = states[0].copy(), chance.choice(game.legal_actions(states))
            game.apply_action(states, action)
            now.note(before, action, states)


def choices(state: Any, viewer: int, most: int = 1000) -> bool:
    """Whether the unseen cards lie in at least two places, in at most `most` ways."""
    sizes = [int((state["hand"][seat] != NO_CARD).sum()) for seat in range(SEATS) if seat != viewer]
    sizes.append(int((state["deck"] != NO_CARD).sum()))
    ways, left = 1, sum(sizes)
    for size in sizes:
        for k in range(size):
            ways = ways * (left - k) // (k + 1)
        left -= size
    return 5 < ways <= most


def promised(state: Any, viewer: int) -> bool:
    """Whether another party has promised a card."""
    own = viewer & 1 if state["rules"]["sides"] < state["rules"]["players"] else viewer
    return choices(state, viewer) and any(state["promised"][party] for party in range(SEATS) if party != own)


def told(state: Any, viewer: int) -> bool:
    """Whether he has been told of partners' cards both ways."""
    return choices(state, viewer) and state["asked"][viewer] != 0 and state["denied"][viewer] != 0


def partner_promised(state: Any, viewer: int) -> bool:
    return choices(state, viewer) and state["promised"][viewer & 1] != 0 and state["player"] != viewer


def lacking(state: Any, viewer: int) -> bool:
    """Whether others are known to lack something."""
    return choices(state, viewer) and sum(bool(state["lacks"][seat]) for seat in range(SEATS) if seat != viewer) > 0


def no_joker_held(state: Any, viewer: int) -> bool:
    return choices(state, viewer, 3000) and any(state["lacks"][seat] & 1 for seat in range(SEATS) if seat != viewer)


def saying(state: Any, viewer: int) -> bool:
    """Whether another seat has half said where its card goes."""
    return choices(state, viewer) and state["player"] != viewer and state["phase"] in (TARGET, NEW_VALUE)
