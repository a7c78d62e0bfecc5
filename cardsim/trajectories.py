"""Decisions of whole episodes as arrays and transitions: data for learning without playing.

A row is a decision. Its transition leads from a seat's own decision to its **own next one**, whatever the others do in
between, and its reward is all that the seat is paid on the way. The last decision of a seat in an episode is `done` and
brings the rest of its return at once: nothing has to be fished out of later steps. What a seat is paid before its first
decision counts with that one, so that the rewards of a seat add up to its return. A seat that never decides has no row.

The episodes are those of `simulate` with the same seed: deal number k with the agents rotated by k seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cardsim.game import Game
from cardsim.recording import ENTRY, FINISHED, ROWS, WRONG, record_range
from cardsim.registry import agent_family
from cardsim.rng import check_seed, new_streams
from cardsim.simulate.plan import AgentLike, Plan, check_count, make_plan
from cardsim.user_agents import address_of

BATCH_BYTES = 2**26
"""Observations and masks of a batch, where no size is given."""


class Transition(NamedTuple):
    """From a seat's decision to its own next one.

    Attributes:
        observation: int8 (O,).
        action_mask: int8 (A,), 1 = legal.
        action: the action taken.
        reward: what the seat was paid until its next decision, or the end.
        next_observation: int8 (O,), at its next decision; zeros where there is none.
        next_action_mask: int8 (A,), likewise.
        done: whether this was its last decision of the episode.
        seat: who decided.
        agent: name of the agent in that seat.
        episode: deal number.
    """

    observation: Any
    action_mask: Any
    action: int
    reward: float
    next_observation: Any
    next_action_mask: Any
    done: bool
    seat: int
    agent: str
    episode: int


@dataclass(frozen=True)
class Trajectories:
    """Decisions of whole episodes, in the order in which they were made; T rows.

    Attributes:
        game: the game under its rules.
        agents: names; `agent` counts in them.
        observation: int8 (T, O), what the seat knew.
        action_mask: int8 (T, A), 1 = legal.
        action: int16 (T,).
        seat: int8 (T,).
        agent: int8 (T,).
        reward: float64 (T,), until the seat's next decision or the end (unit: Game.returns_unit).
        done: bool (T,), the seat's last decision of the episode.
        episode: int64 (T,), deal number.
        step: int32 (T,), number of the decision in its episode, from 0.
        next: int64 (T,), row of the seat's next decision; -1 where `done`.
    """

    game: Game
    agents: tuple[str, ...]
    observation: Any
    action_mask: Any
    action: Any
    seat: Any
    agent: Any
    reward: Any
    done: Any
    episode: Any
    step: Any
    next: Any

    def __len__(self) -> int:
        return len(self.action)

    def transitions(self) -> Iterator[Transition]:
        """The rows one by one."""
        no_observation, no_mask = np.zeros_like(self.observation[:1])[0], np.zeros_like(self.action_mask[:1])[0]
        for row, following in enumerate(self.next.tolist()):
            last = following < 0
            yield Transition(
                self.observation[row],
                self.action_mask[row],
                int(self.action[row]),
                float(self.reward[row]),
                no_observation if last else self.observation[following],
                no_mask if last else self.action_mask[following],
                last,
                int(self.seat[row]),
                self.agents[self.agent[row]],
                int(self.episode[row]),
            )


def iter_batches(
    game: str | Game,
    agents: str | Sequence[AgentLike],
    episodes: int,
    *,
    seed: int = 0,
    first: int = 0,
    rows: int | None = None,
) -> Iterator[Trajectories]:
    """Play episodes and give out their decisions, a batch of whole episodes at a time.

    Args:
        game, agents, seed: as in `cardsim.simulate.simulate`.
        episodes: how many.
        first: deal number of the first one.
        rows: decisions of a batch at most, but at least one episode; default: what takes 64 MiB.

    Raises:
        ValueError: a wrong argument, or an agent's illegal action.
    """
    plan = make_plan(game, agents, episodes, seed=seed)
    first = check_seed(first, "first")
    width = plan.game.observation_size + plan.game.num_actions
    size = max(1024, BATCH_BYTES // width) if rows is None else check_count("rows", rows)
    return _batches(plan, first, first + plan.hands, size)


def _batches(plan: Plan, first: int, end: int, size: int) -> Iterator[Trajectories]:
    game = plan.game
    family = agent_family(game.id)
    states, streams = game.new_states(), new_streams(1 + game.num_players)
    agents = family.seated(plan.records, plan.names)
    addresses = np.array(
        [0 if one is None else address_of(one, family.dtype, game.state_dtype) for one in plan.functions], np.uint64
    )
    labels = np.array(plan.labels, np.int8)
    found = np.zeros(4, np.int64)
    while first < end:
        observation = np.zeros((size, game.observation_size), np.int8)
        mask = np.zeros((size, game.num_actions), np.int8)
        numbers, reward = np.zeros((size, 6), np.int64), np.zeros(size)
        task = np.array([plan.seed, first, end - first], np.uint64)
        record_range(states, streams, agents, addresses, task, observation, mask, numbers, reward, found)
        if found[ENTRY] >= 0:
            number = first + int(found[FINISHED])
            reason = game.illegal(int(found[WRONG]), game.legal_mask(states))
            raise ValueError(f"agent {plan.names[found[ENTRY]]}, deal {number} of seed {plan.seed}: {reason}")
        count = int(found[ROWS])
        if not found[FINISHED]:
            size *= 2  # not even one episode has fitted
            continue
        action, seat, entry, episode, step, following = numbers[:count].T
        yield Trajectories(
            game,
            plan.label_names,
            observation[:count],
            mask[:count],
            action.astype(np.int16),
            seat.astype(np.int8),
            labels[entry],
            reward[:count],
            following < 0,
            episode + first,
            step.astype(np.int32),
            following.copy(),
        )
        first += int(found[FINISHED])


def record(
    game: str | Game, agents: str | Sequence[AgentLike], episodes: int, *, seed: int = 0, first: int = 0
) -> Trajectories:
    """Play episodes and keep all their decisions in memory; arguments as for `iter_batches`.

    >>> played = record("sixty_six", ["book", "random"], 10, seed=1)
    >>> played.observation.shape[1], int(played.done.sum())
    (830, 20)
    """
    parts = list(iter_batches(game, agents, episodes, seed=seed, first=first))
    starts = np.cumsum([0, *(len(part) for part in parts)])
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in Trajectories.__dataclass_fields__
        if name not in ("game", "agents", "next")
    }
    following = [np.where(part.next < 0, -1, part.next + start) for part, start in zip(parts, starts, strict=False)]
    return Trajectories(parts[0].game, parts[0].agents, **joined, next=np.concatenate(following))


def iter_transitions(
    game: str | Game, agents: str | Sequence[AgentLike], episodes: int, *, seed: int = 0, first: int = 0
) -> Iterator[Transition]:
    """Play episodes and give out their transitions one by one; arguments as for `iter_batches`."""
    for batch in iter_batches(game, agents, episodes, seed=seed, first=first):
        yield from batch.transitions()
