"""The engine side of an environment: an episode of a game in arrays (`Episode`), and how it may begin."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from cardsim import rng
from cardsim.bits import U64
from cardsim.contract import CHANCE, MAX_PLAYERS, current_player, observe, returns
from cardsim.dealing import begin_episode, deal_hand
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.options import clip, quoted
from cardsim.tables import encode

CLOCK = np.dtype(
    [
        ("seed", np.uint64),  # in force until the next seeded reset
        ("next", np.uint64),  # deal number of the next episode
        ("number", np.uint64),  # deal number of this episode
        ("hand", np.int64),  # hands dealt in this episode
    ],
    align=True,
)
STARTS = ("deal", "position", "deck")
SAVED = ("states", "clock", "money", "observation", "mask")


@kernel
def _begin(states: Any, streams: Any, clock: Any, money: Any, observation: Any, mask: Any) -> int:
    now = clock[0]
    now["number"] = now["next"]
    begin_episode(states[0], streams[0], now["seed"], now["number"])
    now["hand"] = 1
    return _count(states, clock, money, observation, mask)


@kernel
def _begin_at(states: Any, streams: Any, clock: Any, money: Any, observation: Any, mask: Any) -> int:
    now = clock[0]
    now["number"] = now["next"]
    now["hand"] = 1
    if current_player(states[0]) == CHANCE:
        _deal_next(states, streams, clock)
    return _count(states, clock, money, observation, mask)


@kernel
def _deal_next(states: Any, streams: Any, clock: Any) -> None:
    now = clock[0]
    deal_hand(states[0], streams[0], now["seed"], now["number"], now["hand"])
    now["hand"] += 1


@kernel
def _count(states: Any, clock: Any, money: Any, observation: Any, mask: Any) -> int:
    clock[0]["next"] = clock[0]["number"] + U64(1)
    returns(states[0], money[0])
    return encode(states[0], observation, mask)


@kernel
def _go_on(states: Any, streams: Any, clock: Any, money: Any, observation: Any, mask: Any) -> int:
    for seat in range(MAX_PLAYERS):
        money[1, seat] = money[0, seat]
    returns(states[0], money[0])
    for seat in range(MAX_PLAYERS):
        money[1, seat] = money[0, seat] - money[1, seat]
    if current_player(states[0]) == CHANCE:
        _deal_next(states, streams, clock)
    return encode(states[0], observation, mask)


@kernel
def _observe_seat(states: Any, seat: int, out: Any) -> None:
    observe(states[0], seat, out)


class Episode:
    """One episode: the game's record and what an environment keeps beside it.

    It pickles as bytes, so that no view comes loose.

    Attributes:
        states: the game's record, shape (1,).
        clock: seed and deal numbers, shape (1,), dtype CLOCK.
        money: float64 (2, MAX_PLAYERS): returns so far, and what the last end of a hand paid.
        observation, mask: int8 (O,), (A,): what the seat to act sees.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._make_arrays()
        self.clock["seed"] = secrets.randbits(64)  # until the first seeded reset

    def _make_arrays(self) -> None:
        self.states = self.game.new_states()
        self.streams = rng.new_streams()  # seeded anew for each hand, so it belongs to no moment
        self.clock = np.zeros(1, CLOCK)
        self.money = np.zeros((2, MAX_PLAYERS))
        self.observation = np.zeros(self.game.observation_size, np.int8)
        self.mask = np.zeros(self.game.num_actions, np.int8)

    def begin(self, seed: int | None, options: Mapping[str, Any] | None) -> int:
        """Begin the next episode; arguments as `CardGameEnv.reset`. Returns the seat to act."""
        start = None
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"options {quoted(options)}: must be a dict, with at most one of {', '.join(STARTS)}")
        if seed is not None or options:
            seed = None if seed is None else rng.check_seed(seed)
            number, start = start_of(self.game, options or {})
            if seed is not None:
                self.clock["seed"], self.clock["next"] = seed, 0
            if number is not None:
                self.clock["next"] = number
        arrays = self.states, self.streams, self.clock, self.money, self.observation, self.mask
        if start is None:
            return _begin(*arrays)
        self.states.view(np.uint8)[:] = start.view(np.uint8)
        return _begin_at(*arrays)

    def go_on(self) -> int:
        """After a hand: work out what it paid, deal the next one. Returns the seat to act or TERMINAL."""
        return _go_on(self.states, self.streams, self.clock, self.money, self.observation, self.mask)

    def seen_by(self, seat: int) -> Any:
        """What any seat knows, int8 (O,), a new array."""
        out = np.empty_like(self.observation)
        _observe_seat(self.states, seat, out)
        return out

    def save(self) -> dict[str, bytes]:
        """The moment as bytes, for `load`."""
        return {name: getattr(self, name).tobytes() for name in SAVED}

    def check(self, saved: Mapping[str, Any]) -> None:
        """Raise ValueError unless `load` can take up what was saved, by the same rules."""
        for name in SAVED:
            content, size = saved[name], getattr(self, name).nbytes
            if not isinstance(content, bytes) or len(content) != size:
                raise ValueError(f"saved {name} {quoted(content)}: must be {size} bytes, as save() gives them")
        states = np.frombuffer(saved["states"], self.game.state_dtype)
        if states["rules"].tobytes() != self.game.rules.record.tobytes():
            raise ValueError(f"saved states: hold other rules than {self.game.name}")
        if not np.isfinite(np.frombuffer(saved["money"])).all():
            raise ValueError("saved money: must hold finite numbers")
        for name in ("observation", "mask"):
            if not set(saved[name]) <= {0, 1}:
                raise ValueError(f"saved {name}: must hold zeros and ones")

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go back to a saved moment; the arrays stay the same objects."""
        for name in SAVED:
            getattr(self, name).reshape(-1).view(np.uint8)[:] = np.frombuffer(saved[name], np.uint8)

    def clone(self) -> Self:
        """An independent copy."""
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {"game": self.game, **self.save()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.game = state["game"]
        self._make_arrays()
        self.load(state)


def start_of(game: Game, options: Mapping[str, Any]) -> tuple[int | None, Any]:
    """Read the options of `reset`: at most one of `deal`, `position`, `deck` (with `dealer`); ignore others.

    Returns:
        The deal number asked for, or None; and the states (1,) to start from, or None for a deal.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """
    starts = [name for name in STARTS if options.get(name) is not None]
    if len(starts) > 1:
        raise ValueError(f"options {' and '.join(starts)}: give only one of them")
    if options.get("dealer") is not None and starts != ["deck"]:
        raise ValueError(f"option dealer={clip(options['dealer'])}: goes only with deck")
    if starts == ["position"]:
        return None, _position(game, options["position"])
    if starts == ["deck"]:
        return None, _deck(game, options["deck"], options.get("dealer"))
    if not starts:
        return None, None
    number = options["deal"]
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or not 0 <= number < 2**64:
        raise ValueError(f"option deal={quoted(number)}: must be an integer from 0 to 2**64-1")
    return int(number), None


def _position(game: Game, text: Any) -> Any:
    if type(text) is not str:
        raise ValueError(f"option position={quoted(text)}: must be a text")
    rules, states = game.notation.parse_position(text)
    if rules.record.tobytes() != game.rules.record.tobytes():
        raise ValueError(f"option position: has the rules {rules.text}; this environment plays {game.name}")
    if game.current_player(states) < 0 and game.current_player(states) != CHANCE:
        raise ValueError("option position: the episode is over there, nobody is to act")
    return states


def _deck(game: Game, deck: Any, dealer: Any) -> Any:
    if dealer is not None and (isinstance(dealer, bool) or not isinstance(dealer, int | np.integer)):
        raise ValueError(f"option dealer={quoted(dealer)}: must be from 0 to {game.num_players - 1}")
    if isinstance(deck, bytes) or not isinstance(deck, Sequence | np.ndarray) or getattr(deck, "ndim", 1) != 1:
        raise ValueError(f"option deck={quoted(deck)}: must be cards in dealing order, as texts or numbers")
    foreign = set(range(game.pack.size)).difference(game.deck())
    cards: list[int] = []
    if isinstance(deck, str):
        cards = game.pack.parse(deck, foreign)
    else:
        for card in deck:
            cards.append(_card(game, card, foreign.union(cards)))
    return game.deal_given(cards, None if dealer is None else int(dealer))


def _card(game: Game, card: Any, used: set[int]) -> int:
    """Number of a card; a text means one that is not `used` yet, if there is any like it."""
    if isinstance(card, str):
        game.pack.card(card)  # refuses what is not a single card
        return game.pack.parse(card, used)[0]
    if isinstance(card, int | np.integer) and not isinstance(card, bool) and 0 <= card < game.pack.size:
        return int(card)
    raise ValueError(f"card {quoted(card)} in deck: must be a card text or a number from 0 to {game.pack.size - 1}")
