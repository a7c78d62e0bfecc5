"""A card game as a PettingZoo AEC environment, written once for every game (`CardGameEnv`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import index
from typing import Any, Self

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from pettingzoo import AECEnv

from cardsim.game import Game
from cardsim.options import clip, quoted
from cardsim.tables import ILLEGAL, advance
from cardsim_envs.episodes import SAVED as PARTS
from cardsim_envs.episodes import Episode
from cardsim_envs.render import Scene
from cardsim_envs.viewing import RENDER_MODES, SHOWN, Face, show_table

MASK_PLACES = {"observation": False, "obs": False, "info": True}
NOT_RUNNING = "no episode is running; call reset()"
SAVED = ("agent_selection", "_skip_agent_selection", "_seat", "_mover", "_paid")
SAVED_DICTS = ("rewards", "_cumulative_rewards", "terminations", "truncations")


def _is_table(table: Any, agents: Any, kind: type) -> bool:
    return isinstance(table, dict) and set(table) >= set(agents) and all(type(v) is kind for v in table.values())


class CardGameEnv(AECEnv[str, Any, Any]):
    """Any game of the registry as an AEC environment with agents `player_0`, `player_1`, ...

    Args:
        game: the game under its rules; they stay in force for the life of the environment.
        name: the environment's name, such as `sixty_six_v0`.
        scene: module-level function (game, states, show) -> render.Scene that lays out this game's picture.
        open_end: whether a `mover` view shows all cards once the episode is over; otherwise it shows then what
            everybody knows.
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
        open_end: bool = False,
        mask_in: str = "observation",
        render_mode: str | None = None,
        show: str = "mover",
        copy: bool = True,
    ) -> None:
        if not isinstance(mask_in, str) or mask_in not in MASK_PLACES:
            raise ValueError(f"mask_in {quoted(mask_in)}: must be observation (or obs) or info")
        if render_mode is not None and not (isinstance(render_mode, str) and render_mode in RENDER_MODES):
            raise ValueError(f"render_mode {quoted(render_mode)}: must be None, {', '.join(RENDER_MODES)}")
        if not isinstance(show, str) or show not in SHOWN:
            raise ValueError(f"show {quoted(show)}: must be {' or '.join(SHOWN)}")
        if not isinstance(copy, bool | np.bool_):
            raise ValueError(f"copy {quoted(copy)}: must be True or False")
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
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._scene = scene
        self._open_end = open_end
        self._in_info = MASK_PLACES[mask_in]
        self._copy = bool(copy)
        self._num_actions = game.num_actions
        self._episode = Episode(game)
        self._seat = -1
        self._mover: str | None = None
        self._spaces: dict[str, tuple[Any, Discrete]] = {}

    def observation_space(self, agent: str) -> Any:
        """Space of an agent's observations: the same object at each call."""
        return self._space(agent)[0]

    def action_space(self, agent: str) -> Any:
        """Discrete space of the game's actions: the same object at each call, seeded by the user."""
        return self._space(agent)[1]

    def _space(self, agent: str) -> tuple[Any, Discrete]:
        if not isinstance(agent, str) or agent not in self._spaces:
            self._seat_of(agent)
            vector = Box(0, 1, (self.game.observation_size,), np.int8)
            mask = MultiBinary(self._num_actions)
            both = vector if self._in_info else Dict({"observation": vector, "action_mask": mask})
            self._spaces[agent] = both, Discrete(self._num_actions)
        return self._spaces[agent]

    def _seat_of(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self._seats:
            raise ValueError(f"agent {quoted(agent)}: must be one of {', '.join(self.possible_agents)}")
        return self._seats[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: 0 .. 2**64-1, stays in force; this episode is its deal number 0. Without one, the next deal
                number of the seed in force (at first one from the operating system). Nothing global is used.
            options: at most one of `deal`: number of the deal to play; `position`: a text position to start
                from; `deck`: a pack in dealing order, card numbers or texts, with `dealer`: its dealer. Other
                keys are ignored.

        Raises:
            ValueError: bad seed or option, or a position of other rules; nothing has changed then.
        """
        seat = self._episode.begin(seed, options)
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: self._no_actions() for agent in agents}
        self._skip_agent_selection = None  # type: ignore[assignment]  # as PettingZoo itself does
        self._paid = False
        self._mover = None
        self._to_act(seat)
        if self.render_mode == "human":
            self.render()

    def _no_actions(self) -> dict[str, Any]:
        return {"action_mask": np.zeros(self._num_actions, np.int8)} if self._in_info else {}

    def _to_act(self, seat: int) -> None:
        """Seat `seat` acts next; the episode's observation and mask are what it sees."""
        agent = self.possible_agents[seat]
        if self._in_info:
            if self._mover is not None and self._mover != agent:
                self.infos[self._mover] = self._no_actions()
            mask = self._episode.mask
            self.infos[agent] = {"action_mask": mask.copy() if self._copy else mask}
        self._seat = seat
        self._mover = self.agent_selection = agent

    def step(self, action: Any) -> None:
        """Play an action of the agent to act; None for one whose episode has ended.

        Raises:
            ValueError: the action is not legal; the message names what is, and nothing has changed.
        """
        agent = self._mover
        if agent is None:
            return self._after_the_end(action)
        try:
            number = index(action)
        except TypeError:
            raise ValueError(f"action {quoted(action)}: must be an integer") from None
        if not 0 <= number < self._num_actions:
            raise ValueError(self._illegal(number))
        episode = self._episode
        seat = advance(episode.states, 0, number, episode.observation, episode.mask)
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
            self._end()
            self.agent_selection = self.agents[0]
        elif seat != self._seat or self._in_info:
            self._to_act(seat)
        if self.render_mode == "human":
            self.render()
        return None

    def _illegal(self, number: int) -> str:
        return self.game.illegal(number, self.game.legal_mask(self._episode.states))

    def _pay(self) -> int:
        """A hand has ended: pay each seat the change of its return, and deal the next hand of a match."""
        seat = self._episode.go_on()
        for agent, paid in zip(self.agents, self._episode.money[1].tolist(), strict=False):
            self.rewards[agent] = paid
            self._cumulative_rewards[agent] += paid
        self._paid = True
        return seat

    def _end(self) -> None:
        self._mover = None
        if self._in_info:
            self.infos = {agent: self._no_actions() for agent in self.agents}

    def _after_the_end(self, action: Any) -> None:
        if not self.agents:
            raise ValueError(f"step: {NOT_RUNNING}")
        self._was_dead_step(action)

    def _deads_step_first(self) -> str:
        """Called by wrappers that end the episode themselves: then nobody is to act any more."""
        if all(self.terminations.values()):
            self._end()
        return str(super()._deads_step_first())

    def _clear_rewards(self) -> None:
        for agent in self.rewards:
            self.rewards[agent] = 0.0

    def observe(self, agent: str) -> Any:
        """What any possible agent knows now, at any time after reset, the end included. Changes nothing."""
        episode = self._episode
        if agent == self._mover:
            vector, mask = episode.observation, episode.mask
            if self._in_info:
                return vector.copy() if self._copy else vector
            if self._copy:
                return {"observation": vector.copy(), "action_mask": mask.copy()}
            return {"observation": vector, "action_mask": mask}
        if self._seat < 0:
            raise ValueError(f"observe: {NOT_RUNNING}")
        vector = episode.seen_by(self._seat_of(agent))
        if self._in_info:
            return vector
        return {"observation": vector, "action_mask": np.zeros(self._num_actions, np.int8)}

    def returns(self) -> dict[str, float]:
        """What the rules have paid each agent in this episode so far; unit: `game.returns_unit`."""
        totals = self.game.returns(self._episode.states).tolist()
        return dict(zip(self.possible_agents, totals, strict=True))

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act (any more)."""
        return self._mover is None

    @property
    def deal_id(self) -> tuple[int, int]:
        """Seed and deal number: `reset(seed=seed, options={"deal": number})` deals the same cards."""
        clock = self._episode.clock
        return int(clock["seed"][0]), int(clock["number"][0])

    def legal_actions(self) -> list[int]:
        """Legal actions of the agent to act, ascending; empty at the end."""
        return [] if self._mover is None else self.game.legal_actions(self._episode.states)

    def states(self) -> Any:
        """A copy of the game's record, shape (1,): for search, simulators and the game's text functions."""
        return self._episode.states.view(np.uint8).copy().view(self.game.state_dtype)

    def save(self) -> dict[str, Any]:
        """The moment as a dict that pickles, for `restore` here or in an environment of the same rules."""
        if self._seat < 0:
            raise ValueError(f"save: {NOT_RUNNING}")
        saved: dict[str, Any] = {"game": self.game.name, "agents": self.agents[:], **self._episode.save()}
        saved |= {name: getattr(self, name) for name in SAVED}
        saved |= {name: dict(getattr(self, name)) for name in SAVED_DICTS}
        return saved

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go back to a saved moment.

        Raises:
            ValueError: it was saved under other rules, or is not what `save` gave; nothing has changed then.
        """
        self._check_saved(saved)
        self._take_up(saved)

    def _check_saved(self, saved: Mapping[str, Any]) -> None:
        if not isinstance(saved, Mapping):
            raise ValueError(f"saved {quoted(saved)}: must be a dict that save() gave")
        if saved.get("game") != self.game.name:
            raise ValueError(f"saved under {clip(saved.get('game'))}: this environment plays {self.game.name}")
        for name in ("agents", *SAVED, *SAVED_DICTS, *PARTS):
            if name not in saved:
                raise ValueError(f"saved {name}: is missing; it must be a dict that save() gave")
        self._episode.check(saved)
        seat, mover, agents = saved["_seat"], saved["_mover"], saved["agents"]
        everybody = self.possible_agents
        seated = type(seat) is int and seat in range(len(everybody))
        if agents not in [everybody[k:] for k in range(len(everybody) + 1)]:
            raise ValueError(f"saved agents {quoted(agents)}: must be the last of {', '.join(everybody)}")
        for name, fits in (
            ("agent_selection", saved["agent_selection"] in everybody),
            ("_skip_agent_selection", saved["_skip_agent_selection"] in (*everybody, None)),
            ("_seat", seated),
            ("_mover", mover is None or (seated and mover == everybody[seat])),
            ("_paid", isinstance(saved["_paid"], bool)),
            *((name, _is_table(saved[name], agents, float)) for name in SAVED_DICTS[:2]),
            *((name, _is_table(saved[name], agents, bool)) for name in SAVED_DICTS[2:]),
        ):
            if not fits:
                raise ValueError(f"saved {name} {quoted(saved[name])}: is not what save() gives")
        states = np.frombuffer(bytearray(saved["states"]), self.game.state_dtype)
        if mover is not None and self.game.current_player(states) != seat:
            raise ValueError(f"saved _mover {mover!r}: it is not that seat's turn in the saved states")

    def _take_up(self, saved: Mapping[str, Any]) -> None:
        self._episode.load(saved)
        self.agents = list(saved["agents"])
        for name in SAVED:
            setattr(self, name, saved[name])
        for name in SAVED_DICTS:
            setattr(self, name, dict(saved[name]))
        self.infos = {agent: self._no_actions() for agent in self.agents}
        if self._mover is not None:
            self._to_act(self._seat)

    def clone(self) -> Self:
        """An independent copy in the same moment, cheaper than deepcopy; its spaces are new and unseeded."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.metadata = {**self.metadata, "render_modes": list(RENDER_MODES)}
        other.possible_agents = self.possible_agents[:]
        other._spaces = {}
        other._episode = self._episode.clone()
        if self._seat >= 0:
            other._take_up(self.save())
        return other

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._mover is not None:
            self._to_act(self._seat)  # with copy=False an info holds the episode's own mask

    def render(self) -> Any:
        """The table: a text (`ansi`), a picture uint8 (H, W, 3) (`rgb_array`), or printed (`human`: None)."""
        if self.render_mode is None:
            raise ValueError(f"render: make the environment with render_mode {', '.join(RENDER_MODES)}")
        if self._seat < 0:
            raise ValueError(f"render: {NOT_RUNNING}")
        states = self._episode.states
        face = Face(self._scene, self._open_end)
        return show_table(self.game, states, self.render_mode, face, self.show, self._viewer())

    def _viewer(self) -> int | None:
        """Whose view the text is: a seat's, everybody's (-1), or all that is there (None)."""
        if self.show == "all" or (self._mover is None and self._open_end):
            return None
        return -1 if self._mover is None else self._seat

    def close(self) -> None:
        """Nothing is held open."""
