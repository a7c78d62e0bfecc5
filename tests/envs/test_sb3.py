"""The VecEnv of Stable-Baselines3: the same hands as the VectorEnv, and MaskablePPO learns on it."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from cardsim.jit import DISABLED
from cardsim.registry import make_game
from cardsim_envs import GYMNASIUM
from cardsim_envs.vector import LearnerVectorEnv

pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed")

from stable_baselines3.common.vec_env import VecMonitor

from cardsim_envs.sb3 import LearnerVecEnv, make

N = 4
STEPS = 60
GAMES = sorted(GYMNASIUM.values())
every_game = pytest.mark.parametrize("id", GAMES)


def made(id: str = "sixty_six", num_envs: int = N, **arguments: Any) -> LearnerVecEnv:
    return make(id, num_envs, **{"opponents": "random", **arguments})


def masks(env: Any) -> Any:
    return np.stack(env.env_method("action_masks"))


@every_game
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_it_plays_as_the_vector_environment_does(dtype: str, id: str) -> None:
    env = made(id, dtype=dtype)
    other = LearnerVectorEnv(make_game(id), N, opponents="random", mask_in="info", dtype=dtype)
    env.seed(7)
    seen, (wanted, infos) = env.reset(), other.reset(seed=7)
    ended = 0
    for _ in range(STEPS):
        assert seen.dtype == wanted.dtype and (seen == wanted).all() and seen in other.observation_space
        assert (masks(env) == infos["action_mask"]).all()
        actions = masks(env).argmax(axis=1)
        seen, rewards, dones, told = env.step(actions)
        wanted, earned, over, _, infos = other.step(actions)
        assert rewards.tolist() == earned.astype(np.float32).tolist() and dones.tolist() == over.tolist()
        for i in range(N):
            if dones[i]:
                assert (told[i]["terminal_observation"] == infos["final_obs"][i]).all()
                assert told[i]["TimeLimit.truncated"] is False
            else:
                assert told[i] == {}
        ended += int(dones.sum())
    assert ended > 0


def test_what_is_handed_out_stays_as_it_was() -> None:
    env = made()
    env.seed(1)
    seen = env.reset()
    kept, then = seen, seen.copy()
    mask = env.env_method("action_masks")
    copies = [row.copy() for row in mask]
    env.step(masks(env).argmax(axis=1))
    assert (kept == then).all() and all((a == b).all() for a, b in zip(mask, copies, strict=True))


def test_seeds_and_options_hold_for_one_reset() -> None:
    env = made()
    env.seed(3)
    env.set_options({"deal": 8, "seat": 1})
    env.reset()
    assert env.env_method("deal_id") == [(3, 8 + i) for i in range(N)]
    assert env._learning.tables.clock["seat"].tolist() == [1] * N
    env.reset()
    assert env.env_method("deal_id", indices=[0, -1]) == [(3, 8 + N), (3, 8 + 2 * N - 1)]
    before = np.random.get_state()[1].tolist()  # type: ignore[index]
    env.seed()
    env.reset()
    assert env.env_method("deal_id", indices=0)[0][0] != 3
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]
    with pytest.raises(ValueError, match="seed -1"):
        env.seed(-1)
    with pytest.raises(ValueError, match="must be one dict for the whole batch"):
        env.set_options([{}] * N)


def test_methods_and_attributes() -> None:
    env = made()
    with pytest.raises(ValueError, match="no episode is running"):
        env.step(np.zeros(N, np.int64))
    env.reset()
    assert env.has_attr("action_masks") and env.has_attr("num_envs") and not env.has_attr("nonsense")
    assert env.get_attr("num_envs", [0, 1]) == [N, N]
    assert (env.get_attr("action_masks", 1)[0]() == masks(env)[1]).all()
    assert env.env_method("legal_actions", indices=2)[0] == np.flatnonzero(masks(env)[2]).tolist()
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * N
    env.env_method("set_opponents", "book", indices=[1])
    assert [env._learning.tables.opponents(i) for i in range(N)] == [["random"], ["book"], ["random"], ["random"]]
    env.env_method("set_opponents", "book")
    assert env._learning.tables.opponents(3) == ["book"]
    with pytest.raises(AttributeError, match="nonsense: no such method; there are action_masks"):
        env.env_method("nonsense")
    with pytest.raises(ValueError, match="indices 4: must be numbers of tables"):
        env.env_method("action_masks", indices=4)
    with pytest.raises(ValueError, match="set_attr opponents: tables have no attributes"):
        env.set_attr("opponents", "book")


def test_an_illegal_action_is_refused_or_ends_the_episode() -> None:
    env, lenient = made(), made(illegal="end")
    env.seed(1)
    lenient.seed(1)
    env.reset()
    lenient.reset()
    actions = masks(env).argmax(axis=1)
    actions[2] = masks(env)[2].argmin()
    with pytest.raises(ValueError, match=rf"table 2: action {actions[2]}\b.* is illegal; legal: "):
        env.step(actions)
    _, rewards, dones, _ = lenient.step(actions)
    assert rewards.tolist() == [0, 0, -1, 0] and dones.tolist() == [False, False, True, False]


def test_pictures_are_tiled(capsys: pytest.CaptureFixture[str]) -> None:
    env = made(render_mode="rgb_array")
    env.reset()
    picture = env.render()
    assert picture is not None and picture.ndim == 3 and picture.dtype == np.uint8
    shown = made(num_envs=1, render_mode="human")
    shown.reset()
    assert "Seat 0" in capsys.readouterr().out


def test_pickled_it_goes_on_alike() -> None:
    env = made()
    env.seed(2)
    env.reset()
    env.step(masks(env).argmax(axis=1))
    twin = pickle.loads(pickle.dumps(env))
    actions = masks(env).argmax(axis=1)
    one, two = env.step(actions), twin.step(actions)
    assert (one[0] == two[0]).all() and (masks(env) == masks(twin)).all()


def test_sb3_accepts_the_single_environment() -> None:
    from stable_baselines3.common.env_checker import check_env

    for dtype in ("int8", "float32"):
        check_env(gymnasium.make("cardsim/SixtySix-v0", mask_in="info", illegal="end", dtype=dtype).unwrapped)


# --- learning


def learner(env: Any, **arguments: Any) -> Any:
    """A small MaskablePPO on one thread."""
    torch = pytest.importorskip("torch")
    contrib = pytest.importorskip("sb3_contrib")
    torch.set_num_threads(1)
    given = {"seed": 1, "device": "cpu", "policy_kwargs": {"net_arch": [64]}, **arguments}
    return contrib.MaskablePPO("MlpPolicy", env, **given)


@every_game
def test_maskable_ppo_runs(id: str) -> None:
    env = VecMonitor(made(id))
    model = learner(env, n_steps=64, batch_size=128, n_epochs=1)
    model.learn(512)
    assert model.num_timesteps == 512 and len(model.ep_info_buffer) > 0
    seen = env.reset()
    action, _ = model.predict(seen, action_masks=masks(env))
    assert masks(env)[np.arange(N), action].all()


def test_maskable_ppo_finds_the_masks_of_the_single_environment() -> None:
    env = gymnasium.make("cardsim/SixtySix-v0", opponents="random", mask_in="info")
    learner(env, n_steps=64, batch_size=64, n_epochs=1).learn(128)


def mean_return(env: LearnerVecEnv, choose: Any, episodes: int) -> tuple[float, float]:
    """Mean of the returns of some episodes, and its standard error."""
    env.seed(99)
    seen, sums = env.reset(), np.zeros(env.num_envs)
    found: list[float] = []
    while len(found) < episodes:
        seen, rewards, dones, _ = env.step(choose(seen, masks(env)))
        sums += rewards
        found += sums[dones].tolist()
        sums[dones] = 0.0
    return float(np.mean(found)), float(np.std(found) / np.sqrt(len(found)))


@pytest.mark.slow
@pytest.mark.skipif(DISABLED, reason="plays some hundred thousand decisions")
def test_a_short_training_beats_random() -> None:
    """Rewards credited to another seat or another action would teach nothing, or the opposite."""
    env = made(num_envs=64)
    env.seed(5)
    model = learner(env, n_steps=128, batch_size=1024, n_epochs=4, gamma=1.0, learning_rate=1e-3)
    model.learn(120_000)
    source = np.random.default_rng(1)
    trained, error = mean_return(
        made(num_envs=64), lambda seen, mask: model.predict(seen, action_masks=mask, deterministic=True)[0], 2000
    )
    random, _ = mean_return(
        made(num_envs=64), lambda seen, mask: (source.random(mask.shape) * mask).argmax(axis=1), 2000
    )
    assert abs(random) < 0.2  # a sanity check: it plays against itself
    assert trained > 10 * error and trained > 1.5
