"""Decisions with the return of every legal action: what to learn from where an agent to improve on is at hand.

A decision comes up in play. Its state is copied once per legal action; each copy takes its action and is played out by
compiled agents, with the same cards and the same random numbers. The difference between two actions' returns is then
the worth of the one over the other in that world, and most of the luck cancels. No world is made up: it is the one
that the seats' own play has led to, so hidden cards are as likely as they are in play.

All that a round does follows from its seed and its number, so that nothing has to be kept between rounds.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from cardsim import Game, kernel
from cardsim.bits import I64, U64, popcount, select
from cardsim.contract import (
    MAX_PLAYERS,
    TERMINAL,
    act,
    apply_action,
    current_player,
    deal,
    legal_actions,
    reset,
    returns,
)
from cardsim.dealing import seed_episode, seed_hand
from cardsim.rng import AGENT, USER, below, new_streams, seed_stream, uniform
from cardsim.tables import encode_all

LEARNER = 0
"""Place of the learner in the array of agents."""
TO_THE_END = -1
"""In place of a number of decisions: play the episode to its end."""
NO_ACTION = -1
NOT_BEGUN = -1

TABLE = np.dtype(
    [
        ("seed", np.uint64),  # of the deals
        ("episode", np.uint64),  # number of the one being played
        ("hand", np.int64),  # hands dealt in it, or NOT_BEGUN
        ("seats", np.int64, (MAX_PLAYERS,)),  # who sits where: a place in the array of agents
    ],
    align=True,
)


class Labelled(NamedTuple):
    """Decisions and what came of each action; R rows.

    Attributes:
        observation: int8 (R, O), what the seat knew.
        mask: int8 (R, A), 1 = legal.
        gain: float32 (R, A): the seat's return if it takes the action; 0 where illegal (unit: Game.returns_unit).
    """

    observation: Any
    mask: Any
    gain: Any


@kernel
def play_on(
    states: Any,
    streams: Any,
    tables: Any,
    agents: Any,
    lineups: Any,
    actions: Any,
    left: Any,
    wander: float,
    stride: int,
    values: Any,
) -> None:
    """Play each table on: from free decision to free decision of the learner, or to the end of its episode.

    A decision is free where more than one action is legal.

    Args:
        states: records, (N,).
        streams: (N, 2 + players): of the cards, of each seat, of this loop's own draws.
        tables: records of dtype TABLE, (N,).
        agents: records of one family, (K,); the learner's is the first.
        lineups: int64 (L, players): who may sit around a table; a new episode draws a row, and turns it.
        actions: int64 (N,): played first, or NO_ACTION.
        left: int64 (N,): free decisions of the learner to pass before the next one is stopped at, dealing new
            episodes as old ones end; or TO_THE_END.
        wander: chance with which the learner takes any legal action instead; never on the way TO_THE_END.
        stride: from the number of an episode to that of the table's next one.
        values: float64 (N, players), written where the end is reached.
    """
    players = lineups.shape[1]
    returned = np.zeros(MAX_PLAYERS)
    for i in range(states.shape[0]):
        state, table, draws = states[i], tables[i], streams[i, 1 + players]
        to_pass = I64(left[i])
        if actions[i] != NO_ACTION:
            apply_action(state, actions[i])
        while True:
            player = TERMINAL if table["hand"] == NOT_BEGUN else I64(current_player(state))
            if player < 0:
                if player != TERMINAL:
                    seed_hand(streams[i, 0], table["seed"], table["episode"], I64(table["hand"]))
                    deal(state, streams[i, 0])
                    table["hand"] += 1
                    continue
                if to_pass == TO_THE_END:
                    returns(state, returned)
                    for seat in range(players):
                        values[i, seat] = returned[seat]
                    break
                table["episode"] += U64(stride)
                table["hand"] = 0
                seed_episode(streams[i], players, table["seed"], table["episode"])
                reset(state, streams[i, 0])
                row, turned = below(draws, lineups.shape[0]), below(draws, players)
                for seat in range(players):
                    table["seats"][(seat + turned) % players] = lineups[row, seat]
                continue
            legal = legal_actions(state)
            holder = I64(table["seats"][player])
            if holder == LEARNER and to_pass != TO_THE_END and popcount(legal) > 1:
                if to_pass == 0:
                    break
                to_pass -= 1
                if uniform(draws) < wander:
                    apply_action(state, select(legal, below(draws, popcount(legal))))
                    continue
            apply_action(state, I64(act(agents[holder], state, legal, streams[i, AGENT + player])))


class PlayOuts:
    """A source of labelled decisions.

    Args:
        game: the game under its rules.
        others: agents' records, (K,): at a table the seats that are not the learner's belong to one of them, all to the
            same one. The learner has every other seat, or one where their number is odd, as `simulate` seats two names.
        tables: N, played side by side.
        labels: decisions that each table stops at in a round.
        spacing: mean number of the learner's free decisions from one to the next that is labelled.
        wander: chance with which the learner takes any legal action, so that unusual positions come up.
        seed: of deals and draws.
        threads: that play; what comes out does not hang on them.
    """

    def __init__(
        self,
        game: Game,
        others: Any,
        tables: int,
        labels: int,
        spacing: float,
        wander: float,
        seed: int,
        threads: int = 1,
    ) -> None:
        self.game, self.others, self.threads = game, others, threads
        self.count, self.labels, self.spacing, self.wander, self.seed = tables, labels, spacing, wander, seed
        players = game.num_players
        own = np.arange(players) % 2 == 0 if players % 2 == 0 else np.arange(players) == 0
        self.lineups = np.stack([np.where(own, LEARNER, 1 + other) for other in range(len(others))])

    def round(self, number: int, behaves: Any, follows: Any) -> Labelled:
        """Play round 0, 1, ...: new episodes at every table, and `labels` decisions at each.

        Args:
            number: of the round.
            behaves: record (1,) of the agent that plays the learner's seats.
            follows: record (1,) of the agent that plays them out after a labelled decision.

        Returns:
            The decisions at which the actions' returns differ: N * labels rows or fewer.
        """
        n, players = self.count, self.game.num_players
        random = np.random.default_rng((self.seed, number))
        states, streams = self.game.new_states(n), new_streams(n * (2 + players)).reshape(n, 2 + players)
        tables = np.zeros(n, TABLE)
        tables["seed"], tables["hand"] = random.integers(2**63), NOT_BEGUN
        tables["episode"] = np.arange(n).astype(np.uint64) - np.uint64(n)  # the first one is a stride further
        for i in range(n):
            seed_stream(streams[i, 1 + players], tables["seed"][i], np.uint64(i), USER)
        left = random.geometric(1 / self.spacing, (self.labels, n))
        left[0] -= 1  # at first no decision is waiting to be passed
        parts = []
        for row in left:
            self._play(states, streams, tables, behaves, np.full(n, NO_ACTION), row)
            parts.append(self._label(states, streams, tables, follows))
        return Labelled(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def _play(self, states: Any, streams: Any, tables: Any, learner: Any, actions: Any, left: Any) -> Any:
        """`play_on` with a record in the learner's seats; float64 (N, players), returns where an end is reached."""
        agents = np.concatenate([learner, self.others]).view(self.others.dtype)
        values = np.zeros((len(states), self.game.num_players))

        def play_part(part: slice) -> None:
            play_on(
                states[part], streams[part], tables[part], agents, self.lineups, actions[part], left[part],
                self.wander, self.count, values[part],
            )  # fmt: skip

        bounds = np.linspace(0, len(states), self.threads + 1).astype(int).tolist()
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(play_part, (slice(*pair) for pair in pairwise(bounds))))
        return values

    def _label(self, states: Any, streams: Any, tables: Any, follows: Any) -> Labelled:
        """The decision that waits at each table, if it matters in that world."""
        game, n = self.game, len(states)
        observation, mask = np.zeros((n, game.observation_size), np.int8), np.zeros((n, game.num_actions), np.int8)
        seats = np.zeros(n, np.int64)
        encode_all(states, np.zeros(n, np.uint64), observation, mask, seats)
        rows, actions = np.nonzero(mask)
        values = self._play(states[rows], streams[rows], tables[rows], follows, actions, np.full(len(rows), TO_THE_END))
        gain = np.zeros(mask.shape, np.float32)
        gain[rows, actions] = values[np.arange(len(rows)), seats[rows]]
        high = np.where(mask == 1, gain, -np.inf).max(1)
        differ = np.flatnonzero(high > np.where(mask == 1, gain, np.inf).min(1))
        return Labelled(observation[differ], mask[differ], gain[differ])
