"""Decisions with the return of each action: against a slow play-out, and against simply playing on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardsim import contract
from cardsim.bits import U64
from cardsim.contract import TERMINAL
from cardsim.game import Game
from cardsim.jit import DISABLED
from cardsim.registry import agent_family, make_game
from cardsim.rng import AGENT
from experiments.ppo.playouts import LEARNER, NO_ACTION, TO_THE_END, Labelled, PlayOuts

pytestmark = pytest.mark.skipif(DISABLED, reason="plays thousands of hands")

NAMES = [
    "sixty_six(preset=base)",
    "sixty_six(preset=four_hand)",
    "zwicken(preset=base,players=5)",
    "zwicken(preset=base,match=true,n_deals=2)",
    "zwicker(preset=no_joker)",
]
MANY = 40
"""Own free decisions, enough to get into another episode of each game."""
every_form = pytest.mark.parametrize("name", NAMES)


def records(game: Game, *names: str) -> Any:
    family = agent_family(game.id)
    return np.concatenate([family.make(name).record for name in names]).view(family.dtype)


class Watched(PlayOuts):
    """Keeps the tables as they stand at labelled decisions."""

    def _label(self, states: Any, streams: Any, tables: Any, follows: Any) -> Labelled:
        self.seen = states.copy(), streams.copy(), tables.copy()
        found = super()._label(states, streams, tables, follows)
        for kept, now in zip(self.seen, (states, streams, tables), strict=True):
            assert kept.tobytes() == now.tobytes(), "play-outs leave the tables as they are"
        return found


def copied(source: Watched) -> tuple[Any, Any, Any]:
    """The tables as they stood: states, streams, tables."""
    states, streams, tables = source.seen
    return states.copy(), streams.copy(), tables.copy()


def watched(game: Game, wander: float = 0.1) -> tuple[Watched, Labelled]:
    """A round of one decision per table, against opponents that use their random numbers."""
    source = Watched(game, records(game, "book", "random"), tables=40, labels=1, spacing=4, wander=wander, seed=3)
    return source, source.round(0, records(game, "book"), records(game, "book"))


def slow_return(game: Game, table: tuple[Any, ...], agents: Any, action: int) -> Any:
    """Take the action and play on in plain Python; returns by seat."""
    states, streams, seats = (part.copy() for part in table)
    hand, out = int(seats["hand"][0]), np.zeros(contract.MAX_PLAYERS)
    contract.apply_action(states[0], action)
    while (player := int(contract.current_player(states[0]))) != TERMINAL:
        if player < 0:
            number = int(seats["episode"][0])
            game.deal_next(int(seats["seed"][0]), number, hand, states)
            hand += 1
            continue
        legal = contract.legal_actions(states[0])
        agent = agents[seats["seats"][0, player]]
        contract.apply_action(states[0], contract.act(agent, states[0], U64(legal), streams[0, AGENT + player]))
    contract.returns(states[0], out)
    return out


@every_form
def test_gains_are_those_of_a_slow_play_out(name: str) -> None:
    game = make_game(name)
    source, found = watched(game)
    states, streams, tables = source.seen
    agents = np.concatenate([records(game, "book"), source.others]).view(source.others.dtype)
    row = 0
    for i in range(len(states)):
        table = states[i : i + 1], streams[i : i + 1], tables[i : i + 1]
        seat = game.current_player(states, i)
        legal = game.legal_actions(states, i)
        assert tables["seats"][i, seat] == LEARNER and len(legal) > 1
        gains = {action: slow_return(game, table, agents, action)[seat] for action in legal}
        if len(set(gains.values())) == 1:
            continue
        assert np.flatnonzero(found.mask[row]).tolist() == list(legal)
        assert found.observation[row].tolist() == game.observe(states, seat, i).tolist()
        assert found.gain[row, list(legal)] == pytest.approx(list(gains.values()), abs=1e-5)
        assert not found.gain[row][found.mask[row] == 0].any()
        row += 1
    assert row == len(found.gain) > 5


@every_form
def test_playing_out_ones_own_action_is_to_play_on(name: str) -> None:
    game = make_game(name)
    source, _ = watched(game)
    states, streams, _ = source.seen
    n, book = len(states), records(game, "book")
    seats = [game.current_player(states, i) for i in range(n)]
    actions = np.zeros(n, np.int64)
    for i, seat in enumerate(seats):
        legal = U64(contract.legal_actions(states[i]))
        actions[i] = contract.act(book[0], states[i], legal, streams[i, AGENT + seat].copy())
    ends = []
    for first in (actions, np.full(n, NO_ACTION)):
        ends.append(source._play(*copied(source), book, first, np.full(n, TO_THE_END)))
    assert (ends[0] == ends[1]).all() and ends[0].any()


@every_form
def test_decisions_are_passed_one_by_one(name: str) -> None:
    """Many at once lead where one at a time leads, over the ends of episodes; and each table goes its own way."""
    game = make_game(name)
    source, _ = watched(game, wander=0.0)
    n, book, none = 40, records(game, "book"), np.full(40, NO_ACTION)
    once = copied(source)
    source._play(*once, book, none, np.full(n, MANY))
    steps = copied(source)
    for _ in range(MANY):
        before = steps[0].copy()
        source._play(*steps, book, none, np.full(n, 1))
        assert all(a.tobytes() != b.tobytes() for a, b in zip(before, steps[0], strict=True))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(once, steps, strict=True))
    assert (once[2]["episode"] > source.seen[2]["episode"]).any()
    assert len(np.unique(once[2]["episode"])) == n
    assert len({row.tobytes() for row in once[2]["seats"]}) > game.num_players - (game.num_players % 2 == 0)


def test_a_round_follows_from_seed_and_number() -> None:
    game = make_game("sixty_six")
    book = records(game, "book")

    def found(seed: int, number: int, wander: float = 0.1, threads: int = 1) -> tuple[bytes, ...]:
        source = PlayOuts(game, records(game, "book", "random"), 16, 4, 2.0, wander, seed, threads)
        source.round(number + 1, book, book)
        return tuple(part.tobytes() for part in source.round(number, book, book))

    rounds = [found(1, 5), found(1, 5), found(2, 5), found(1, 6), found(1, 5, 0.5)]
    assert rounds[0] == rounds[1] and len(set(rounds)) == 4
    assert found(1, 5, threads=3) == rounds[0]


def test_who_follows_counts_after_the_decision_only() -> None:
    game = make_game("sixty_six")
    source = Watched(game, records(game, "book"), tables=64, labels=4, spacing=2.0, wander=0.0, seed=1)
    gains, ends = [], []
    for name in ("book", "random"):
        found = source.round(0, records(game, "book"), records(game, name))
        gains.append(found.gain[found.mask == 1].mean())
        ends.append(source.seen[0].tobytes())
    assert gains[0] > gains[1] + 0.5 and ends[0] == ends[1]
