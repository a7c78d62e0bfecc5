"""A card game as a PettingZoo AEC environment, written once for every game (`CardGameEnv`)."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping
from operator import index
from typing import Any, Self

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from pettingzoo import AECEnv

from cardsim import rng
from cardsim.contract import MAX_PLAYERS
from cardsim.game import Game
from cardsim.tables import ILLEGAL, advance
from cardsim_envs.episodes import EPISODE, begin, begin_at, end_hand, starting_states
from cardsim_envs.render import Scene, picture

MASK_PLACES = {"observation": False, "obs": False, "info": True}
RENDER_MODES = ("ansi", "rgb_array", "human")
SHOWN = ("mover", "all")
PLAIN = ("_seat", "_mover", "_paid", "agent_selection", "_skip_agent_selection")
DICTS = ("rewards", "_cumulative_rewards", "terminations", "truncations")
ARRAYS = ("_states", "_episode", "_total", "_observation", "_mask")


class CardGameEnv(AECEnv[str, Any, Any]):
    """Any game of the registry as an AEC environment with agents `player_0`, `player_1`, ...

    Args:
        game: the game under its rules; they stay in force for the life of the environment.
        name: the environment's name, such as `sixty_six_v0`.
        scene: function (game, states, show) -> render.Scene that draws this game's table.
        mask_in: `observation` (or `obs`): dict observation with keys `observation` and `action_mask`;
            `info`: plain vector observation, and the mask is the only entry of each info.
        render_mode: None, `ansi`, `rgb_array` or `human` (prints the ansi view after each reset and step).
        show: whose hand a view shows: `mover`, the seat to act, or `all`.
        copy: False hands the acting agent the environment's own arrays, which the next step overwrites.

    Raises:
        ValueError: an argument is not allowed; the message names it and what is.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        scene: Callable[[Game, Any, str], Scene],
        *,
        mask_in: str = "observation",
        render_mode: str | None = None,
        show: str = "mover",
        copy: bool = True,
    ) -> None:
        if mask_in not in MASK_PLACES:
            raise ValueError(f"mask_in {mask_in!r}: must be observation (or obs) or info")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode {render_mode!r}: must be None, {', '.join(RENDER_MODES)}")
        if show not in SHOWN:
            raise ValueError(f"show {show!r}: must be {' or '.join(SHOWN)}")
        if not isinstance(copy, bool):
            raise ValueError(f"copy {copy!r}: must be True or False")
        self.game = game
        self.render_mode = render_mode
        self.show = show
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._scene = scene
        self._in_info = MASK_PLACES[mask_in]
        self._copy = copy
        self._actions = game.num_actions
        self._streams = rng.new_streams()
        self._episode = np.zeros(1, EPISODE)
        self._episode["seed"] = secrets.randbits(64)  # until the first seeded reset
        self._states = game.new_states()
        self._total = np.zeros(MAX_PLAYERS)
        self._observation = np.zeros(game.observation_size, np.int8)
        self._mask = np.zeros(game.num_actions, np.int8)
        self._started = False
        self._spaces: dict[str, tuple[Any, Discrete]] = {}

    def observation_space(self, agent: str) -> Any:
        """Space of an agent's observations: the same object at each call."""
        return self._space(agent)[0]

    def action_space(self, agent: str) -> Any:
        """Discrete space of the game's actions: the same object at each call, seeded by nobody but the user."""
        return self._space(agent)[1]

    def _space(self, agent: str) -> tuple[Any, Discrete]:
        if agent not in self._spaces:
            self._seat_of(agent)
            vector = Box(0, 1, (self.game.observation_size,), np.int8)
            mask = {"action_mask": MultiBinary(self._actions)}
            observation = vector if self._in_info else Dict({"observation": vector, **mask})
            self._spaces[agent] = observation, Discrete(self._actions)
        return self._spaces[agent]

    def _seat_of(self, agent: str) -> int:
        if agent not in self._seats:
            raise ValueError(f"agent {agent!r}: must be one of {', '.join(self.possible_agents)}")
        return self._seats[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: 0 .. 2**64-1, stays in force; this episode is its deal number 0. Without one, the next deal number of
                the seed in force (at first one drawn from the operating system). Nothing global is read or set.
            options: at most one of `deal`: number of the deal to play; `position`: a text position to start from;
                `deck`: a pack in dealing order, card numbers or texts, with `dealer`: its dealer. Other keys are ignored.

        Raises:
            ValueError: bad seed or option, or a position of other rules; nothing has changed then.
        """
        episode = self._episode[0]
        in_force, number = int(episode["seed"]), int(episode["number"]) + 1 if self._started else 0
        if seed is not None:
            in_force, number = rng.check_seed(seed), 0
        number, given = starting_states(self.game, number, options or {})
        self._started = True
        episode["seed"], episode["number"] = in_force, number
        arrays = self._streams, self._episode, self._total, self._observation, self._mask
        if given is None:
            seat = begin(self._states, *arrays)
        else:
            self._states.view(np.uint8)[:] = given.view(np.uint8)
            seat = begin_at(self._states, *arrays)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._no_actions() for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._paid = False
        self._mover: str | None = None
        self._to_act(seat)
        if self.render_mode == "human":
            self.render()

    def _no_actions(self) -> dict[str, Any]:
        return {"action_mask": np.zeros(self._actions, np.int8)} if self._in_info else {}

    def _to_act(self, seat: int) -> None:
        """Seat `seat` acts next; observation and mask buffers hold what it sees."""
        agent = self.possible_agents[seat]
        if self._in_info:
            if self._mover is not None and self._mover != agent:
                self.infos[self._mover] = self._no_actions()
            self.infos[agent] = {"action_mask": self._mask.copy() if self._copy else self._mask}
        self._seat = seat
        self._mover = self.agent_selection = agent

    def step(self, action: Any) -> None:
        """Play an action of the agent to act; None for one whose episode has ended.

        Raises:
            ValueError: the action is not legal; the message names what is, and nothing has changed.
        """
        agent = self.agent_selection
        if self._mover is None:
            return self._after_the_end(action)
        try:
            number = index(action)
        except TypeError:
            raise ValueError(f"action {action!r}: must be an integer") from None
        if not 0 <= number < self._actions:
            raise ValueError(self._illegal(number))
        seat = advance(self._states, 0, number, self._observation, self._mask)
        if seat == ILLEGAL:
            raise ValueError(self._illegal(number))
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self._cumulative_rewards[agent] = 0.0
        if seat < 0:
            seat = self._pay()
        if seat < 0:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        elif self._seat != seat or self._in_info:
            self._to_act(seat)
        if self.render_mode == "human":
            self.render()
        return None

    def _illegal(self, number: int) -> str:
        return self.game.illegal(number, self.game.legal_mask(self._states))

    def _pay(self) -> int:
        """A hand has ended: reward each seat with the change of its return, deal the next hand of a match."""
        before = self._total.tolist()
        seat: int = end_hand(
            self._states, self._streams, self._episode, self._total, self._observation, self._mask
        )
        for agent, total, old in zip(self.possible_agents, self._total.tolist(), before, strict=False):
            self.rewards[agent] = total - old
        self._accumulate_rewards()
        self._paid = True
        return seat

    def _after_the_end(self, action: Any) -> None:
        if not self.agents:
            raise ValueError("step: the episode is over; call reset()")
        self._was_dead_step(action)

    def _deads_step_first(self) -> str:
        """Everybody's episode has ended, by the rules or by a wrapper's verdict: nobody is to act any more."""
        if all(self.terminations.values()):
            self._mover = None
            self.infos = {agent: self._no_actions() for agent in self.agents}
        return str(super()._deads_step_first())

    def _clear_rewards(self) -> None:
        for agent in self.rewards:
            self.rewards[agent] = 0.0

    def observe(self, agent: str) -> Any:
        """What an agent knows now; any possible agent, at any time after reset, its end included. Changes nothing."""
        if agent == self._mover:
            if self._copy:
                if self._in_info:
                    return self._observation.copy()
                return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
            vector, mask = self._observation, self._mask
        else:
            vector = self.game.observe(self._states, self._seat_of(agent))
            mask = np.zeros(self._actions, np.int8)
        return vector if self._in_info else {"observation": vector, "action_mask": mask}

    def returns(self) -> dict[str, float]:
        """What the rules have paid each agent in this episode so far; unit: `game.returns_unit`."""
        return dict(zip(self.possible_agents, self.game.returns(self._states).tolist(), strict=True))

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return self._mover is None

    @property
    def deal_id(self) -> tuple[int, int]:
        """Seed and deal number: `reset(seed=seed, options={"deal": number})` deals the same cards anywhere."""
        return int(self._episode["seed"][0]), int(self._episode["number"][0])

    def legal_actions(self) -> list[int]:
        """Legal actions of the agent to act, ascending; empty at the end."""
        return [] if self._mover is None else self.game.legal_actions(self._states)

    def states(self) -> Any:
        """A copy of the game's record, shape (1,): for search, simulators and the game's text functions."""
        return self._states.view(np.uint8).copy().view(self.game.state_dtype)

    def save(self) -> dict[str, Any]:
        """The whole episode as a plain dict that pickles: `restore` takes it, here or in a like environment."""
        saved: dict[str, Any] = {"game": self.game.name, "agents": self.agents[:]}
        saved |= {name: getattr(self, name) for name in PLAIN}
        saved |= {name: dict(getattr(self, name)) for name in DICTS}
        saved |= {name: getattr(self, name).tobytes() for name in ARRAYS}
        return saved

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go back to a saved moment.

        Raises:
            ValueError: it was saved under other rules.
        """
        if saved.get("game") != self.game.name:
            raise ValueError(f"saved episode of {saved.get('game')}: this environment plays {self.game.name}")
        self.agents = list(saved["agents"])
        for name in PLAIN:
            setattr(self, name, saved[name])
        for name in DICTS:
            setattr(self, name, dict(saved[name]))
        self._put(saved)
        self._started = True
        self.infos = {agent: self._no_actions() for agent in self.agents}
        if self._mover is not None:
            self._to_act(self._seat)

    def _put(self, saved: Mapping[str, bytes]) -> None:
        for name in ARRAYS:
            getattr(self, name).view(np.uint8)[:] = np.frombuffer(saved[name], np.uint8)

    def clone(self) -> Self:
        """An independent copy in the same moment; only its spaces are new and unseeded."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._streams = rng.new_streams()
        other._spaces = {}
        other.metadata = {**self.metadata, "render_modes": list(RENDER_MODES)}
        other.possible_agents = self.possible_agents[:]
        other._new_arrays()
        if self._started:
            other.restore(self.save())
        else:
            other._put({name: getattr(self, name).tobytes() for name in ARRAYS})
        return other

    def _new_arrays(self) -> None:
        self._states = self.game.new_states()
        self._episode = np.zeros(1, EPISODE)
        self._total = np.zeros(MAX_PLAYERS)
        self._observation = np.zeros(self.game.observation_size, np.int8)
        self._mask = np.zeros(self._actions, np.int8)

    def __getstate__(self) -> dict[str, Any]:
        """Everything, spaces and their generators included; arrays as bytes, so that no view can come loose."""
        return self.__dict__ | {name: getattr(self, name).tobytes() for name in (*ARRAYS, "_streams")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._streams = rng.new_streams()
        self._new_arrays()
        self._put(state)
        if self._started and self._mover is not None:
            self._to_act(self._seat)

    def render(self) -> Any:
        """The table as text (`ansi`), as a picture uint8 (H, W, 3) (`rgb_array`), or printed (`human`, returns None)."""
        if self.render_mode is None:
            raise ValueError(f"render: give render_mode ({', '.join(RENDER_MODES)}) when making the environment")
        if self.render_mode == "rgb_array":
            return picture(self._scene(self.game, self._states, self.show))
        hidden = self.show == "mover" and self._mover is not None
        text = self.game.notation.describe(self._states[0], player=self._seat if hidden else None)
        if self.render_mode == "ansi":
            return text
        encoding = sys.stdout.encoding or "utf-8"
        print(text.encode(encoding, "replace").decode(encoding), flush=True)  # terminals without suit signs
        return None

    def close(self) -> None:
        """Nothing is held open."""
