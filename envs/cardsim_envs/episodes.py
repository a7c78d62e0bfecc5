"""How an episode of an environment begins and goes on: compiled beginnings, and the options of `reset`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardsim import rng
from cardsim.bits import spread
from cardsim.contract import CHANCE, current_player, legal_actions, observe, reset, returns
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.playout import deal_hand

EPISODE = np.dtype(
    [
        ("seed", np.uint64),  # in force until the next seeded reset
        ("number", np.uint64),  # deal number of this episode
        ("hand", np.int64),  # hands dealt in this episode
    ],
    align=True,
)
STARTS = ("deal", "position", "deck")


@kernel
def _encode(state: Any, observation: Any, mask: Any) -> int:
    player = current_player(state)
    if player >= 0:
        observe(state, player, observation)
        spread(legal_actions(state), mask, 0, mask.shape[0])
    return player  # type: ignore[no-any-return]


@kernel
def begin(states: Any, streams: Any, episode: Any, total: Any, observation: Any, mask: Any) -> int:
    """Deal the first hand of episode (seed, number) and encode for the seat to act.

    Args:
        states, streams, episode: arrays of shape (1,), dtypes of the game's state, STREAM and EPISODE.
        total: float64 (MAX_PLAYERS,), returns paid so far, set to what the start holds.
        observation, mask: int8 (O,), (A,), written.

    Returns:
        The seat to act.
    """
    rng.seed_stream(streams[0], episode[0]["seed"], episode[0]["number"], rng.CARDS)
    reset(states[0], streams[0])
    deal_hand(states[0], streams[0], episode[0]["seed"], episode[0]["number"], 0)
    episode[0]["hand"] = 1
    returns(states[0], total)
    return _encode(states[0], observation, mask)


@kernel
def begin_at(states: Any, streams: Any, episode: Any, total: Any, observation: Any, mask: Any) -> int:
    """The same from the moment that `states` holds; a hand is dealt if it is a chance node."""
    episode[0]["hand"] = 1
    returns(states[0], total)
    return _go_on(states, streams, episode, observation, mask)


@kernel
def end_hand(states: Any, streams: Any, episode: Any, total: Any, observation: Any, mask: Any) -> int:
    """After a hand: bring `total` up to date, deal the next hand of a match.

    Returns:
        The seat to act, or TERMINAL.
    """
    returns(states[0], total)
    return _go_on(states, streams, episode, observation, mask)


@kernel
def _go_on(states: Any, streams: Any, episode: Any, observation: Any, mask: Any) -> int:
    if current_player(states[0]) == CHANCE:
        hand = episode[0]["hand"]
        deal_hand(states[0], streams[0], episode[0]["seed"], episode[0]["number"], hand)
        episode[0]["hand"] = hand + 1
    return _encode(states[0], observation, mask)


def starting_states(game: Game, number: int, options: Mapping[str, Any]) -> tuple[int, Any]:
    """Read the options of `reset`.

    Args:
        game: the game under its rules.
        number: deal number that comes next.
        options: at most one of `deal`, `position` and `deck` (with `dealer`); unknown keys are ignored.

    Returns:
        The deal number to play, and the states (1,) to start from or None for that deal.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """
    starts = [name for name in STARTS if options.get(name) is not None]
    if len(starts) > 1:
        raise ValueError(f"options {' and '.join(starts)}: give only one of them")
    if options.get("dealer") is not None and starts != ["deck"]:
        raise ValueError(f"option dealer={options['dealer']}: goes only with deck")
    if starts == ["position"]:
        return number, _position(game, options["position"])
    if starts == ["deck"]:
        return number, _deck(game, options["deck"], options.get("dealer"))
    if starts == ["deal"]:
        number = options["deal"]
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or not 0 <= number < 2**64:
        raise ValueError(f"option deal={number!r}: must be an integer from 0 to 2**64-1")
    return int(number), None


def _position(game: Game, text: Any) -> Any:
    if not isinstance(text, str):
        raise ValueError(f"option position={text!r}: must be a text")
    rules, states = game.notation.parse_position(text)
    if rules.record.tobytes() != game.rules.record.tobytes():
        raise ValueError(f"option position: has the rules {rules.text}; this environment plays {game.name}")
    if game.current_player(states) < 0 and game.current_player(states) != CHANCE:
        raise ValueError("option position: the episode is over there, nobody is to act")
    return states


def _deck(game: Game, deck: Any, dealer: Any) -> Any:
    cards = game.pack.parse(deck) if isinstance(deck, str) else [_card(game, card) for card in deck]
    return game.deal_given(cards, dealer)


def _card(game: Game, card: Any) -> int:
    if isinstance(card, str):
        return game.pack.card(card)
    if isinstance(card, int | np.integer) and 0 <= card < game.pack.size:
        return int(card)
    raise ValueError(f"card {card!r} in deck: must be a card text or a number from 0 to {game.pack.size - 1}")
