"""The environments that the tests run, and loops over them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from cardsim.game import Game
from cardsim.games.sixty_six import rules as sixty_six
from cardsim.games.zwicken import rules as zwicken
from cardsim.registry import make_game
from cardsim_envs import sixty_six_v0, zwicken_v0, zwicker_v0

MODULES: dict[str, ModuleType] = {"sixty_six": sixty_six_v0, "zwicken": zwicken_v0, "zwicker": zwicker_v0}
MAKERS = ("raw_env", "env")


class Form(NamedTuple):
    """A game under some rules."""

    id: str
    rules: dict[str, Any]

    def make(self, maker: str = "raw_env", **arguments: Any) -> Any:
        """An environment of it, by one of MAKERS."""
        return getattr(MODULES[self.id], maker)(**self.rules, **arguments)

    @property
    def game(self) -> Game:
        """The game itself."""
        return make_game(self.id, **self.rules)

    def __str__(self) -> str:
        return "-".join([self.id, *map(str, self.rules.values())])


SIXTY_SIX = [
    *(Form("sixty_six", {"preset": name}) for name in sixty_six.PRESETS),
    Form("sixty_six", {"preset": "four_hand", "partner_meld": True, "early_marriage": "pending"}),
    Form("sixty_six", {"preset": "1001", "players": 3}),
    Form("sixty_six", {"preset": "schnapsen", "match": True, "target": 3}),
]
ZWICKEN = [
    *(Form("zwicken", {"preset": name}) for name in zwicken.PRESETS),
    Form("zwicken", {"preset": "base", "players": 2, "match": True, "n_deals": 5}),
    Form("zwicken", {"preset": "styrian", "players": 3, "duties": "enforce", "cut_rule": "hop"}),
    Form("zwicken", {"preset": "four_card", "players": 5, "swap_mode": "block", "max_swaps": 4}),
    Form("zwicken", {"preset": "bavarian", "players": 5, "match": True, "target_chips": 20, "start_chips": 6}),
]
ZWICKER = [
    Form("zwicker", {"preset": "no_joker"}),
    Form("zwicker", {"preset": "no_joker", "players": 5, "most_cards_tie": "all"}),
    Form("zwicker", {"preset": "six_joker"}),
    Form("zwicker", {"preset": "one_joker", "players": 2, "match": True, "n_deals": 3}),
    Form("zwicker", {"preset": "two_joker", "players": 3, "pair_build": True, "must_capture": True}),
    Form("zwicker", {"preset": "three_joker", "players": 6, "build_needs": "none", "zwick_relay": True}),
    Form("zwicker", {"preset": "four_joker", "match": True, "target": 80, "stale_build_penalty": 5}),
    Form("zwicker", {"preset": "grupp", "players": 3, "short_deal": "unused"}),
    Form("zwicker", {"preset": "grupp", "players": 8, "teams": "true", "jokers_stay": True}),
]
FORMS = [*SIXTY_SIX, *ZWICKEN, *ZWICKER]
"""Every preset, and the forms with more seats, more questions and more hands."""
PLAIN = [Form(id, {}) for id in MODULES]
MATCHES = [form for form in FORMS if form.rules.get("match")]


def hands_dealt(env: Any) -> int:
    """Hands dealt in this episode so far."""
    return int(env.unwrapped._episode.clock["hand"][0])


def mask_of(env: Any, agent: str) -> Any:
    """The agent's mask, wherever it stands."""
    seen = env.observe(agent)
    return seen["action_mask"] if isinstance(seen, dict) else env.infos[agent]["action_mask"]


def vector_of(env: Any, agent: str) -> Any:
    """The agent's observation without the mask."""
    seen = env.observe(agent)
    return seen["observation"] if isinstance(seen, dict) else seen


def pick(env: Any, source: random.Random) -> int:
    """A random legal action of the agent to act, from the mask."""
    return int(source.choice(np.flatnonzero(mask_of(env, env.agent_selection)).tolist()))


def decisions(env: Any, source: random.Random, most: int = 10_000) -> Iterator[str]:
    """Play at random until the end of the episode; yields the agent to act before each of its actions."""
    while not env.is_over and most > 0:
        yield env.agent_selection
        env.step(pick(env, source))
        most -= 1


def advance(env: Any, steps: int, seed: int = 1) -> Any:
    """Play some random decisions; returns the environment."""
    for _ in decisions(env, random.Random(seed), steps):
        pass
    return env


def check_paid_once(env: Any, source: random.Random) -> None:
    """Play a single deal at random to the last dead step: every seat is paid once, at the end (F20)."""
    paid: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        if over:
            paid[agent].append(reward)
        else:
            assert reward == 0.0
        env.step(None if over else pick(env, source))
    assert all(len(rewards) == 1 for rewards in paid.values())
    assert {agent: rewards[0] for agent, rewards in paid.items()} == env.unwrapped.returns()


def trace(env: Any, seed: int) -> list[Any]:
    """Play on at random to the last dead step: all that is seen on the way."""
    source = random.Random(seed)
    seen: list[Any] = []
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        vector = observation["observation"] if isinstance(observation, dict) else observation
        mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
        action = None if termination else int(source.choice(np.flatnonzero(mask).tolist()))
        seen.append((agent, vector.tobytes(), mask.tobytes(), reward, termination, truncation, action))
        env.step(action)
    return seen
