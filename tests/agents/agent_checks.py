"""What the tests of every game's compiled agents share: games to play, positions to stand in, cards to hide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.registry import agent_family
from cardsim_agents.observing import ObservingAgent

MOST_SEATS = 8


@kernel
def play_hands(
    states: Any, agents: Any, streams: Any, seed: Any, hands: int, sides: int, total: Any, whole: Any, counts: Any
) -> None:
    """Hands in which agents[0] sits on one side in turn (seats `side`, `side + sides`, ...) and agents[1] elsewhere."""
    state = states[0]
    out = np.zeros(MOST_SEATS)
    seats = np.zeros((MOST_SEATS, counts.shape[0]), np.int32)
    for hand in range(hands):
        mine = hand % sides
        rng.seed_stream(streams[0], seed, np.uint64(hand // sides), rng.CARDS)
        for k in range(2):
            rng.seed_stream(streams[1 + k], seed, np.uint64(hand), rng.AGENT + k)
        contract.reset(state, streams[0])
        while True:
            player = contract.current_player(state)
            if player == contract.TERMINAL:
                break
            if player == contract.CHANCE:
                contract.deal(state, streams[0])
                continue
            k = 0 if player % sides == mine else 1
            action = contract.act(agents[k], state, contract.legal_actions(state), streams[1 + k])
            contract.apply_action(state, action)
        contract.returns(state, out)
        total[0] += out[mine]
        contract.outcome(state, whole, seats)
        counts += seats[mine]


def compare(game: Game, first: str, second: str, hands: int, sides: int, seed: int = 1) -> tuple[float, Any]:
    """Mean return of `first` against `second` on duplicate deals, and its summed counts."""
    family = agent_family(game.id)
    agents = np.concatenate([family.make(first).record, family.make(second).record]).view(family.dtype)
    states = game.new_states()
    total, whole = np.zeros(1), np.zeros(len(game.hand_columns), np.int32)
    counts = np.zeros(len(game.seat_columns), np.int64)
    play_hands(states, agents, rng.new_streams(3), np.uint64(seed), hands, sides, total, whole, counts)
    return total[0] / hands, counts


@kernel
def choose(agents: Any, states: Any, i: int, streams: Any) -> int:
    """An agent's choice in a state."""
    return contract.act(agents[0], states[i], contract.legal_actions(states[i]), streams[0])  # type: ignore[no-any-return]


def positions(game: Game, mover: str, hands: int, seed: int) -> Iterator[Any]:
    """States met by an agent, in order; the array is played on after each is given out."""
    record = agent_family(game.id).make(mover).record
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(seed), np.uint64(0), rng.AGENT)
    for number in range(hands):
        states = game.deal(seed, number)
        deals = 0
        while (player := game.current_player(states)) != contract.TERMINAL:
            if player == contract.CHANCE:
                deals += 1
                game.deal_next(seed, number, deals, states)
                continue
            yield states
            game.apply_action(states, choose(record, states, 0, streams))


def decisions(game: Game, agent: str, movers: tuple[str, ...], hands: int) -> list[int]:
    """What an agent answers to a fixed run of positions."""
    record = agent_family(game.id).make(agent).record
    streams = rng.new_streams()
    return [choose(record, states, 0, streams) for mover in movers for states in positions(game, mover, hands, seed=9)]


def check_legal_and_steady(game: Game, agent: str, mover: str, hands: int) -> None:
    """An agent plays legal actions, looks without touching, and takes no random numbers."""
    record = agent_family(game.id).make(agent).record
    streams = rng.new_streams()
    before = streams.tobytes()
    for states in positions(game, mover, hands, seed=5):
        saved = states.tobytes()
        action = choose(record, states, 0, streams)
        assert game.legal_mask(states) >> action & 1, game.action_names[action]
        assert states.tobytes() == saved
    assert streams.tobytes() == before


def check_same_when_observing(game: Game, agent: str, mover: str, hands: int) -> None:
    """An agent plays the same on a state rebuilt from the observation."""
    record = agent_family(game.id).make(agent).record
    seen = ObservingAgent(game, agent)
    streams = rng.new_streams()
    for states in positions(game, mover, hands, seed=6):
        mask = [game.legal_mask(states) >> action & 1 for action in range(game.num_actions)]
        action = choose(record, states, 0, streams)
        assert seen.act(game.observe(states, game.current_player(states)), mask) == action


def shuffle_hidden(game: Game, states: Any, random: np.random.Generator) -> Any:
    """A copy in which all cards that the seat to act cannot see are dealt anew at random, whatever was shown.

    The counts of the episode are gone, and so is the order of finished tricks.
    """
    changed = states.copy()
    player, none = game.current_player(states), len(game.type.pack.names)
    places = [
        (field, seat)
        for field in ("hand", "thrown")
        if field in states.dtype.names
        for seat in range(game.num_players)
        if seat != player
    ]
    talon = np.flatnonzero(states["deck"][0] != none)
    cards = [int(card) for card in states["deck"][0, talon]]
    for field, seat in places:
        cards += [card for card in range(none) if int(states[field][0, seat]) >> card & 1]
    random.shuffle(cards)
    for field, seat in places:
        size = int(states[field][0, seat]).bit_count()
        changed[field][0, seat] = sum(1 << card for card in cards[:size])
        cards = cards[size:]
    changed["deck"][0, talon] = cards
    changed["counts"] = 0
    changed["decisions"] = 0
    finished = int(states["trick_start"][0])
    changed["history"][0, :finished] = random.permutation(changed["history"][0, :finished])
    changed["movers"][0, :finished] = -1
    return changed


def check_blind(
    game: Game,
    agent: str,
    mover: str,
    hands: int,
    secret: tuple[str, ...],
    shuffle: Callable[..., Any] = shuffle_hidden,
) -> None:
    """Hidden cards, and the others' entries of the fields `secret`, do not change an agent's choice."""
    family = agent_family(game.id)
    record = family.make(agent).record
    streams = rng.new_streams()
    random = np.random.default_rng(1)
    for states in positions(game, mover, hands, seed=7):
        before = streams.copy()
        action = choose(record, states, 0, streams)
        changed = shuffle(game, states, random)
        for field in secret:
            changed[field][0, np.arange(changed[field].shape[1]) != game.current_player(states)] = 1
        legal = np.uint64(game.legal_mask(states))
        assert int(family.act(record[0], changed[0], legal, before[0])) == action


def check_uniform(game: Game, actions: list[int]) -> None:
    """The agent `random` is uniform over a set of actions."""
    family = agent_family(game.id)
    record = family.make("random").record
    states = game.deal(1, 1)
    legal = np.uint64(sum(1 << action for action in actions))
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(1), rng.AGENT)
    draws = 2_000
    chosen = [int(family.act(record[0], states[0], legal, streams[0])) for _ in range(draws)]
    seen = np.bincount(chosen, minlength=max(actions) + 1)
    assert np.flatnonzero(seen).tolist() == actions
    share = 1 / len(actions)
    assert abs(seen[actions] - draws * share).max() < 5 * (draws * share * (1 - share)) ** 0.5


def check_refused(game: Game, text: str, message: str) -> None:
    """A wrong agent is refused in one line that says what is allowed."""
    with pytest.raises(ValueError) as error:
        agent_family(game.id).make(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def switches(game: Game) -> set[str]:
    """Parameters of a game's `book` that are on or off; `sampled` is one of networks, which test_learned.py tests."""
    options = agent_family(game.id).parameters.options
    return {option.name for option in options if isinstance(option.default, bool) and option.name != "sampled"}
