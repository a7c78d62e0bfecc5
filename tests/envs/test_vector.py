"""The VectorEnv: the same as single environments side by side, in all three autoreset modes, also under wrappers."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, FlattenObservation, NormalizeReward, RecordEpisodeStatistics

from cardsim.jit import DISABLED
from cardsim_envs import GYMNASIUM
from tests.envs.playing import Form

N = 5
STEPS = 60 if DISABLED else 80
FORMS = [
    Form("sixty_six", {}),
    Form("sixty_six", {"preset": "three_hand"}),
    Form("zwicken", {"players": 2, "match": True, "n_deals": 3}),
    Form("zwicker", {"preset": "one_joker", "players": 3}),
]
every_form = pytest.mark.parametrize("form", FORMS, ids=str)
every_mode = pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
NAMES = {game: id for id, game in GYMNASIUM.items()}


def make(form: Form, mode: Any = "same_step", num_envs: int = N, **arguments: Any) -> Any:
    """The environment from Gymnasium's registry."""
    given = {"opponents": "random", "autoreset_mode": mode, **arguments}
    return gymnasium.make_vec(NAMES[form.id], num_envs, **given, **form.rules)


def make_alone(form: Form) -> Any:
    """The same as a single environment."""
    return gymnasium.make(NAMES[form.id], opponents="random", **form.rules).unwrapped


class Counting(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A single environment that plays every N-th deal, as a table of a batch does."""

    def __init__(self, form: Form, table: int, **arguments: Any) -> None:
        super().__init__(gymnasium.make(NAMES[form.id], opponents="random", **arguments, **form.rules))
        self.table, self.deal = table, -1

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        self.deal = self.table if seed is not None else self.deal + N
        now = None if seed is None else seed - self.table  # SyncVectorEnv adds the table's number
        answer = self.env.reset(seed=now, options={"deal": self.deal})
        while self.unwrapped.deal_id[1] % N != self.table:  # type: ignore[attr-defined]
            self.deal += N  # a deal without a decision: a table passes on to its own next one
            answer = self.env.reset(options={"deal": self.deal})
        return answer


def side_by_side(form: Form, mode: AutoresetMode, **arguments: Any) -> Any:
    """Gymnasium's own vector environment over single ones on the same deals."""
    return SyncVectorEnv([lambda i=i: Counting(form, i, **arguments) for i in range(N)], autoreset_mode=mode)  # type: ignore[misc]


def masks(observations: Any, infos: Any) -> Any:
    """The masks, wherever they are."""
    return observations["action_mask"] if isinstance(observations, dict) else infos["action_mask"]


def actions_for(mask: Any, k: int) -> Any:
    """The first or the last legal action of each table; 0 where there is none."""
    return mask.argmax(axis=1) if k % 2 else (mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)) * mask.any(axis=1)


def same(one: Any, two: Any) -> bool:
    """Whether two answers hold the same, types of arrays included."""
    if isinstance(one, dict):
        return set(one) == set(two) and all(same(one[key], two[key]) for key in one)
    if isinstance(one, np.ndarray) and one.dtype == object:
        return len(one) == len(two) and all(same(a, b) for a, b in zip(one, two, strict=True))
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and one.shape == two.shape and bool((one == two).all())
    return bool(one == two)


def check_alike(ours: Any, theirs: Any, mode: AutoresetMode, steps: int = STEPS) -> int:
    """Step both with the same actions and compare everything; returns the number of episodes that ended."""
    one, two = ours.reset(seed=3), theirs.reset(seed=3)
    assert same(one[0], two[0]) and same(one[1], two[1])
    ended = 0
    for k in range(steps):
        actions = actions_for(masks(one[0], one[-1]), k)
        one, two = ours.step(actions), theirs.step(actions)
        for a, b in zip(one[:4], two[:4], strict=True):
            assert same(a, b)
        assert one[0] in ours.observation_space
        assert set(one[4]) == set(two[4])
        for key in one[4]:
            if key not in ("episode", "final_info"):
                assert same(one[4][key], two[4][key]), key
        over = one[2]
        ended += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.any():
            one = ours.reset(options={"reset_mask": over.copy()})
            two = theirs.reset(options={"reset_mask": over.copy()})
            assert same(one[0], two[0])
    return ended


@every_form
@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_it_plays_as_single_environments_do(mode: AutoresetMode, mask_in: str, form: Form) -> None:
    ours, theirs = make(form, mode, mask_in=mask_in), side_by_side(form, mode, mask_in=mask_in)
    assert ours.metadata["autoreset_mode"] is mode
    assert check_alike(ours, theirs, mode) > 0


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_statistics_and_normalised_rewards_are_those_of_single_environments(mode: AutoresetMode) -> None:
    for form in (FORMS[0], FORMS[2]):
        ours, theirs = make(form, mode), side_by_side(form, mode)
        one, two = RecordEpisodeStatistics(ours, 1000), RecordEpisodeStatistics(theirs, 1000)
        if mode != AutoresetMode.DISABLED:  # SyncVectorEnv takes the mask out of the options, and the wrapper misses it
            ended = check_alike(NormalizeReward(one), NormalizeReward(two), mode)
            assert list(one.return_queue) == list(two.return_queue) and len(one.return_queue) == ended > 0
            assert list(one.length_queue) == list(two.length_queue)
            continue
        answer: Any = one.reset(seed=3)
        ended = 0
        for k in range(STEPS):
            answer = one.step(actions_for(masks(answer[0], answer[-1]), k))
            if answer[2].any():
                ended += int(answer[2].sum())
                answer = one.reset(options={"reset_mask": answer[2].copy()})
        assert len(one.return_queue) == ended > 0


@pytest.mark.parametrize("mode", ["same_step", "next_step"])
def test_statistics_of_an_episode_are_those_of_its_deal_played_alone(mode: str) -> None:
    if mode == "same_step" and tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 4):
        pytest.skip("the wrapper of this Gymnasium leaves out the first step of each episode")
    ours = make(FORMS[0], mode)
    env = RecordEpisodeStatistics(ours)
    single = make_alone(FORMS[0])
    observations, infos = env.reset(seed=8)
    ended = 0
    for _ in range(STEPS):
        deals = ours.deal_ids
        observations, _, over, _, infos = env.step(masks(observations, infos).argmax(axis=1))
        for i in np.flatnonzero(over).tolist():
            single.reset(seed=deals[i][0], options={"deal": deals[i][1]})
            last, total, length, done = None, 0.0, 0, False
            while not done:
                last, reward, done, _, _ = single.step(single.legal_actions()[0])
                total, length = total + reward, length + 1
            assert (infos["episode"]["r"][i], infos["episode"]["l"][i]) == (total, length)
            shown = {key: array[i] for key, array in observations.items()}
            assert same(infos["final_obs"][i] if mode == "same_step" else shown, last)
            ended += 1
    assert ended > 0


@every_form
@every_mode
def test_kinds_and_shapes(mode: str, form: Form) -> None:
    for mask_in in ("observation", "info"):
        for dtype in ("int8", "float32"):
            env = make(form, mode, mask_in=mask_in, dtype=dtype)
            observations, infos = env.reset(seed=1)
            assert observations in env.observation_space
            sampled = env.action_space.sample(mask=tuple(masks(observations, infos)))
            observations, rewards, over, cut, infos = env.step(sampled)
            assert observations in env.observation_space
            assert rewards.dtype == np.float64 and over.dtype == cut.dtype == np.bool_ and not cut.any()
            assert (env.action_masks() == masks(observations, infos)).all()


def test_metadata_belongs_to_the_instance() -> None:
    one, two = make(FORMS[0]), make(FORMS[0], "next_step")
    assert one.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert two.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    one.metadata.clear()
    assert make(FORMS[0]).metadata["render_modes"] and two.metadata["render_modes"]


def test_without_reset_an_ended_table_refuses_to_step() -> None:
    env = make(FORMS[0], "disabled")
    with pytest.raises(ValueError, match="no episode is running"):
        env.step(np.zeros(N, np.int64))
    observations, infos = env.reset(seed=1)
    over = np.zeros(N, np.bool_)
    k = 0
    while not over.any():
        observations, _, over, _, infos = env.step(actions_for(masks(observations, infos), k))
        k += 1
    table = int(np.flatnonzero(over)[0])
    with pytest.raises(ValueError, match=f"table {table}: no episode is running; reset it"):
        env.step(actions_for(masks(observations, infos), 0))
    before = observations["observation"].copy()
    observations, infos = env.reset(options={"reset_mask": over})
    assert (observations["observation"][~over] == before[~over]).all()
    assert (observations["observation"][over] != before[over]).any()


@every_mode
def test_an_illegal_action(mode: str) -> None:
    env, lenient = make(FORMS[0], mode), make(FORMS[0], mode, illegal="end")
    observations, _ = env.reset(seed=1)
    lenient.reset(seed=1)
    actions = observations["action_mask"].argmax(axis=1)
    actions[2] = observations["action_mask"][2].argmin()
    with pytest.raises(ValueError, match=rf"table 2: action {actions[2]}\b.* is illegal; legal: "):
        env.step(actions)
    _, rewards, over, _, _ = lenient.step(actions)
    assert rewards.tolist() == [0, 0, -1, 0, 0] and over.tolist() == [False, False, True, False, False]


def test_arrays_are_the_callers_unless_copies_are_spared() -> None:
    env, sparing = make(FORMS[0]), make(FORMS[0], copy=False)
    one, two = env.reset(seed=2), sparing.reset(seed=2)
    for k in range(STEPS):
        kept = one[0]["observation"].copy(), one[0]
        actions = actions_for(one[0]["action_mask"], k)
        address = two[0]["observation"].ctypes.data
        one, two = env.step(actions), sparing.step(actions)
        assert (kept[1]["observation"] == kept[0]).all()
        assert two[0]["observation"].ctypes.data == address
        assert all(same(a, b) for a, b in zip(one, two, strict=True))


def test_opponents_for_some_tables_and_seats() -> None:
    env = make(FORMS[3], opponents=["book", "random"])
    env.reset(seed=1, options={"seat": 2})
    assert env.seats.tolist() == [2] * N
    env.set_opponents("random", [1, 3])
    assert env._learning.tables.opponents(1) == ["random"] * 2
    assert env._learning.tables.opponents(2) == ["book", "random"]
    env.reset(options={"deal": 7, "seat": "rotate"})
    assert [deal for _, deal in env.deal_ids] == list(range(7, 7 + N)) and env.seats.tolist() == [1, 2, 0, 1, 2]


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@every_mode
def test_copies_go_on_alike(mode: str, way: Any) -> None:
    env = make(FORMS[0], mode, copy=False)
    answer = env.reset(seed=5)
    for k in range(9):
        answer = env.step(actions_for(masks(answer[0], answer[-1]), k))
        if mode == "disabled" and answer[2].any():
            answer = env.reset(options={"reset_mask": answer[2].copy()})
    twin = way(env)
    actions = actions_for(masks(answer[0], answer[-1]), 1)
    assert all(same(a, b) for a, b in zip(env.step(actions), twin.step(actions), strict=True))


def test_other_wrappers() -> None:
    game = FORMS[0].game
    flat = FlattenObservation(make(FORMS[0], "next_step"))  # it takes no other mode than this and disabled
    observations, _ = flat.reset(seed=1)
    assert observations.shape == (N, game.observation_size + game.num_actions)
    listed = DictInfoToList(make(FORMS[0], mask_in="info"))
    _, infos = listed.reset(seed=1)
    assert [info["action_mask"].shape for info in infos] == [(game.num_actions,)] * N


@pytest.mark.slow
def test_single_environments_in_spawned_processes() -> None:
    name, kwargs = f"cardsim_envs:{NAMES['zwicken']}", {"context": "spawn"}
    env = gymnasium.make_vec(name, 2, "async", vector_kwargs=kwargs, opponents="random", players=3)
    observations, _ = env.reset(seed=1)
    observations, _, over, _, _ = env.step(observations["action_mask"].argmax(axis=1))
    assert observations in env.observation_space and over.shape == (2,)
    env.close()


def test_render() -> None:
    env = make(FORMS[0], render_mode="ansi", num_envs=2)
    with pytest.raises(ValueError, match="no episode is running"):
        env.render()
    env.reset(seed=1)
    assert len(env.render()) == 2 and all("Seat 0" in text for text in env.render())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "never"}, "autoreset_mode 'never': must be same_step, next_step or disabled"),
        ({"copy": 1}, "copy 1: must be True or False"),
        ({"num_envs": 0}, "num_tables 0"),
        ({"mask_in": "both"}, "mask_in 'both'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(FORMS[0], **arguments)


@pytest.mark.parametrize("mask", [[True] * N, np.ones(N, np.int8), np.ones(N + 1, np.bool_), np.zeros(N, np.bool_)])
def test_bad_masks_of_a_reset(mask: Any) -> None:
    env = make(FORMS[0])
    env.reset(seed=1)
    with pytest.raises(ValueError, match="option reset_mask"):
        env.reset(seed=2, options={"reset_mask": mask})
    assert env.deal_ids[0][0] == 1
