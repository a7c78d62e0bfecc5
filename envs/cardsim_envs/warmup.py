"""Compile what environments need, for `cardsim warmup`."""

from __future__ import annotations

from importlib import import_module

from cardsim.game import Game
from cardsim.learner import LearnerTables
from cardsim.registry import agent_family
from cardsim_envs import ENVIRONMENTS
from cardsim_envs.episodes import Episode


def warm_up(game: Game) -> None:
    """Play and draw an episode in every environment of a game, and a step of its tables with a learner."""
    for id, entry_point in ENVIRONMENTS.items():
        if not id.startswith(f"cardsim/{game.id}-"):
            continue
        env = import_module(entry_point.partition(":")[0]).raw_env(render_mode="ansi")
        env.reset(seed=0, options={"deck": env.game.deck()})
        env.reset(seed=0)
        env.render()
        env._scene(env.game, env.states(), "mover")
        for agent in env.possible_agents:
            env.observe(agent)
        while not env.is_over:
            env.step(env.legal_actions()[0])
        env.returns()
        env._scene(env.game, env.states(), "mover")
    tables = LearnerTables(game, 1, next(iter(agent_family(game.id).kinds)))
    tables.step(tables.reset().action_mask.argmax(axis=1))
    episode = Episode(game)
    episode.begin(0, None)
    episode.go_on()
