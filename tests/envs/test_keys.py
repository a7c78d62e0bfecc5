"""Other keys for observations, and what RLlib and Tianshou read of them."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict
from pettingzoo import test as pettingzoo_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from cardsim_envs import zwicken_v0
from cardsim_envs.keys import Keyed, rllib_keys
from tests.envs.playing import MAKERS, PLAIN, Form
from tests.envs.test_pettingzoo import BY_DESIGN

ZOO: Any = pettingzoo_test


class LikeRLlib:
    """What RLlib's PettingZooEnv does: it answers with the next agent's entries only, and walks through dead steps."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def reset(self, seed: int) -> dict[str, Any]:
        """Observation of the agent to act."""
        self.env.reset(seed=seed)
        return {self.env.agent_selection: self.env.observe(self.env.agent_selection)}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], dict[str, float], bool]:
        """Observations, rewards, and whether all is over."""
        self.env.step(actions[self.env.agent_selection])
        seen, paid = {}, {}
        while self.env.agents:
            observation, reward, terminated, truncated, _ = self.env.last()
            agent = self.env.agent_selection
            seen[agent], paid[agent] = observation, reward
            if not (terminated or truncated):
                break
            self.env.step(None)
        return seen, paid, not self.env.agents


@pytest.mark.parametrize("form", PLAIN, ids=str)
@pytest.mark.parametrize("maker", MAKERS)
def test_an_episode_as_rllib_plays_it(maker: str, form: Form) -> None:
    env = LikeRLlib(rllib_keys(form.make(maker)))
    source, total = random.Random(1), dict.fromkeys(env.env.possible_agents, 0.0)
    seen, over = env.reset(seed=3), False
    while not over:
        (agent,) = seen
        observation = seen[agent]
        space = env.env.observation_space(agent)
        assert space is env.env.observation_space(agent)
        assert isinstance(space, Dict) and all(isinstance(part, Box) for part in space.values())
        assert space.contains(observation)
        assert set(observation) == {"observations", "action_mask"}
        assert {part.dtype for part in observation.values()} == {np.dtype(np.float32)}
        plain = env.env.unwrapped.observe(agent)
        assert (observation["observations"] == plain["observation"]).all()
        assert (observation["action_mask"] == plain["action_mask"]).all()
        legal = np.flatnonzero(observation["action_mask"])
        seen, paid, over = env.step({agent: int(source.choice(legal.tolist()))})
        for name, reward in paid.items():
            total[name] += reward
    assert total == env.env.returns()


@BY_DESIGN
def test_pettingzoos_own_test() -> None:
    # int8, because PettingZoo plays with the mask as it is
    ZOO.api_test(Keyed(zwicken_v0.env(), "obs", dtype=np.int8), num_cycles=60)
    ZOO.parallel_api_test(turn_based_aec_to_parallel(Keyed(zwicken_v0.env(), "obs", dtype=np.int8)), num_cycles=60)


def test_copies_keep_the_keys() -> None:
    env: Any = rllib_keys(zwicken_v0.env())
    env.reset(seed=4)
    saved = env.save()
    for other in (env.clone(), pickle.loads(pickle.dumps(env))):
        agent = other.agent_selection
        assert all((other.observe(agent)[key] == env.observe(agent)[key]).all() for key in env.keys)
        other.step(int(other.observe(agent)["action_mask"].argmax()))
        assert other.unwrapped.states().tobytes() != env.unwrapped.states().tobytes()
        other.restore(saved)
        assert other.unwrapped.states().tobytes() == env.unwrapped.states().tobytes()


def test_environments_and_keys_that_are_refused() -> None:
    with pytest.raises(ValueError, match="make the environment with mask_in='observation'"):
        rllib_keys(zwicken_v0.env(mask_in="info"))
    with pytest.raises(ValueError, match="keys 'obs' and 'obs': must be two different texts"):
        Keyed(zwicken_v0.env(), "obs", "obs")


@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_what_tianshou_reads(form: Form) -> None:
    # Its PettingZooEnv turns exactly this layout into agent_id, obs and mask; a mask in the info it does not see.
    env = form.make("env")
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    assert set(observation) == {"observation", "action_mask"} and info == {}
    mask = [entry == 1 for entry in observation["action_mask"]]
    assert [action for action, legal in enumerate(mask) if legal] == env.legal_actions()
    spaces = {str(env.observation_space(agent)) for agent in env.possible_agents}
    assert len(spaces) == len({env.action_space(agent).n for agent in env.possible_agents}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("form", PLAIN, ids=str)
def test_tianshous_own_face(form: Form) -> None:
    face = pytest.importorskip("tianshou.env.pettingzoo_env").PettingZooEnv(form.make("env"))
    seen, _ = face.reset(seed=1)
    source, over, steps = random.Random(1), False, 0
    while not over:
        assert seen["agent_id"] == face.env.agent_selection
        legal = np.flatnonzero(seen["mask"]).tolist()
        assert legal == face.env.legal_actions()
        seen, paid, terminated, truncated, _ = face.step(source.choice(legal))
        over = terminated or truncated
        steps += 1
    assert paid == list(face.env.returns().values()) and steps > 2
