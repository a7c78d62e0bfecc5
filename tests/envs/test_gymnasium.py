"""The Gymnasium environment for one learner: Gymnasium's own checker, rewards, starts, copies, pictures."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from gymnasium.utils.env_checker import check_env

import cardsim_envs
from cardsim.jit import DISABLED
from cardsim.registry import game_ids, make_game
from cardsim_envs import GYMNASIUM
from cardsim_envs.single import LearnerEnv
from tests.envs.playing import Form

FORMS = [
    Form("sixty_six", {}),
    Form("sixty_six", {"preset": "three_hand"}),
    Form("zwicken", {"players": 2, "match": True, "n_deals": 3}),
    Form("zwicker", {"preset": "one_joker", "players": 3}),
]
every_form = pytest.mark.parametrize("form", FORMS, ids=str)
STEPS = 20 if DISABLED else 100
NAMES = {game: id for id, game in GYMNASIUM.items()}


def make(form: Form, **arguments: Any) -> Any:
    """The bare environment, from Gymnasium's registry, against random opponents unless told otherwise."""
    made = gymnasium.make(NAMES[form.id], **{"opponents": "random", **arguments}, **form.rules)
    return made.unwrapped


def mask_of(answer: Any) -> Any:
    """The mask in what reset or step answered with."""
    return answer[-1]["action_mask"] if "action_mask" in answer[-1] else answer[0]["action_mask"]


def vector_of(answer: Any) -> Any:
    """The observation without the mask."""
    return answer[0]["observation"] if isinstance(answer[0], dict) else answer[0]


def trace(env: Any, steps: int = STEPS, answer: Any = None) -> list[Any]:
    """Play on, each time the first or last legal action: all that is seen."""
    seen = []
    for k in range(steps):
        if answer is None or answer[2:3] == (True,):
            answer = env.reset()
            seen.append((env.deal_id, env.seat))
        legal = env.legal_actions()
        assert np.flatnonzero(mask_of(answer)).tolist() == legal
        answer = env.step(legal[-(k % 2)])
        seen.append((vector_of(answer).tobytes(), mask_of(answer).tobytes(), *answer[1:4]))
    return seen


# Gymnasium plays any action of the space, and remakes the environment in every render mode.
@every_form
@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_gymnasium_accepts_it(mask_in: str, dtype: str, form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(make(form, mask_in=mask_in, dtype=dtype, illegal="end"))
    assert "Seat 0" in capsys.readouterr().out


def test_the_registry_knows_every_game() -> None:
    assert sorted(GYMNASIUM.values()) == game_ids()
    for id in GYMNASIUM:
        assert gymnasium.spec(id).vector_entry_point
    before = dict(gymnasium.registry)
    cardsim_envs.register_gymnasium()
    assert gymnasium.registry == before


def test_the_module_in_the_name_imports_the_package() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('cardsim_envs:cardsim/SixtySix-v0', preset='schnapsen', seat=1);"
        "print(env.unwrapped.game.name, env.get_wrapper_attr('opponents'))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "sixty_six(preset=schnapsen) ['book']"


@every_form
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_spaces(dtype: str, form: Form) -> None:
    size, actions = form.game.observation_size, form.game.num_actions
    vector = Box(0, 1, (size,), np.dtype(dtype).type)
    both = Dict({"observation": vector, "action_mask": MultiBinary(actions)})
    for mask_in, space in (("observation", both), ("obs", both), ("info", vector)):
        env = make(form, mask_in=mask_in, dtype=dtype)
        assert env.observation_space == space and env.action_space == Discrete(actions)
        answer = env.reset(seed=1)
        for _ in range(5):
            assert answer[0] in space
            assert mask_of(answer).dtype == np.int8 and mask_of(answer).tolist() == env.action_masks().tolist()
            assert set(answer[-1]) == ({"action_mask"} if mask_in == "info" else set())
            answer = env.step(np.int32(env.legal_actions()[0]))


@every_form
def test_rewards_sum_to_the_return_of_the_learners_seat(form: Form) -> None:
    env = make(form)
    earned = 0.0
    for deal in range(6):
        env.reset(seed=4, options={"deal": deal})
        total, over = 0.0, False
        while not over:
            assert form.game.current_player(env.states()) == env.seat == env.deal_id[1] % form.game.num_players
            _, reward, over, truncated, _ = env.step(env.legal_actions()[-1])
            assert type(reward) is float and type(over) is bool and truncated is False
            total += reward
        assert total == env.returns()[env.seat]
        earned += abs(total)
        assert not env.action_masks().any() and env.legal_actions() == []
    assert earned > 0


def test_a_deal_without_a_decision_is_followed_by_the_next() -> None:
    env = make(Form("sixty_six", {"preset": "three_hand"}))
    began = []
    for deal in range(9):
        env.reset(seed=1, options={"deal": deal})
        began.append(env.deal_id[1] - deal)
    assert set(began) == {0, 1} and env.skipped[0] == sum(began)


@every_form
def test_seeds_and_deals(form: Form) -> None:
    env, other = make(form), make(form)
    env.reset(seed=5)
    first = trace(env)
    np.random.seed(1)
    other.reset(seed=5)
    assert trace(other) == first
    seed, deal = env.deal_id
    assert seed == 5 and deal > 0
    answer = other.reset(seed=5, options={"deal": deal, "seat": env.seat, "unknown": 1})
    assert other.deal_id == (5, deal) and other.seat == env.seat
    with pytest.raises(ValueError, match=r"must be an integer from 0 to 2\*\*64-1"):
        other.reset(seed=-1)
    assert trace(other, 3, answer)
    assert make(form).reset()[1] == {} and make(form).deal_id != make(form).deal_id


def test_starts_from_a_pack_and_from_a_position() -> None:
    env = make(FORMS[0], seat=1)
    deck = env.game.deck()
    env.reset(seed=2, options={"deck": deck, "dealer": 0})
    states = env.game.deal_given(deck, 0)
    assert env.states()["hand"].tobytes() == states["hand"].tobytes() and env.seat == 1
    env.reset(options={"deck": deck, "dealer": 1, "seat": 0})
    text = env.game.notation.position_text(env.game.rules, env.states())
    answer = env.reset(options={"position": text})
    assert vector_of(answer).tobytes() == env.game.observe(env.states(), 0).tobytes()
    assert env.game.notation.position_text(env.game.rules, env.states()) == text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deal": -1}, "option deal=-1"),
        ({"deal": 1, "deck": [1]}, "give only one of them"),
        ({"seat": 2}, "seat 2: must be rotate, or an integer from 0 to 1"),
        ({"position": "nonsense"}, "."),
        ([], r"options \[\]|must be a dict"),
        ({"dealer": 1}, "goes only with deck"),
    ],
)
def test_bad_options_change_nothing(options: Any, message: str) -> None:
    env = make(FORMS[0])
    env.reset(seed=3)
    before = pickle.dumps(env._learning.tables)
    if options == []:
        options = [1]
    with pytest.raises(ValueError, match=message):
        env.reset(seed=4, options=options)
    assert pickle.dumps(env._learning.tables) == before


@every_form
def test_illegal_actions(form: Form) -> None:
    env, lenient = make(form), make(form, illegal="end")
    for each in (env, lenient):
        with pytest.raises(ValueError, match="no episode is running"):
            each.step(0)
        each.reset(seed=6)
    wrong = int(env.action_masks().argmin())
    before = pickle.dumps(env._learning.tables)
    for action in (wrong, -1, 63, 2**70, env.game.num_actions):
        with pytest.raises(ValueError, match=rf"action {action}\b.* is illegal; legal: \d+ \("):
            env.step(action)
    for action in (0.5, "0", None):
        with pytest.raises(ValueError, match="must be an integer"):
            env.step(action)
    assert pickle.dumps(env._learning.tables) == before
    answer = lenient.step(wrong)
    assert answer[1:4] == (-1.0, True, False) and not mask_of(answer).any()
    with pytest.raises(ValueError, match="no episode is running"):
        lenient.step(0)


def test_opponents_are_swapped_while_playing() -> None:
    env = make(FORMS[0], opponents="book")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="agent 'nosuch' is unknown"):
        env.set_opponents("nosuch")
    assert env.opponents == ["book"]
    env.set_opponents("random")
    other = make(FORMS[0])
    other.reset(seed=1)
    assert env.opponents == ["random"]
    env.reset(seed=1)
    assert trace(env) == trace(other)
    env.set_opponents("book")
    env.reset(seed=1)
    other.reset(seed=1)
    assert trace(env) != trace(other)


@every_form
@pytest.mark.parametrize("way", [lambda env: env.clone(), copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alike_and_on_their_own(way: Any, form: Form) -> None:
    env = make(form, opponents="book")
    answer = env.reset(seed=7)
    for _ in range(3):
        answer = env.step(env.legal_actions()[0])
        if answer[2]:
            answer = env.reset()
    twin = way(env)
    twin.metadata["render_modes"].clear()
    assert env.metadata["render_modes"]
    twin.set_opponents("random")
    twin.set_opponents("book")
    assert trace(twin, answer=answer) == trace(env, answer=answer)


@every_form
def test_render(form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = {}
    for mode in ("ansi", "rgb_array", "human"):
        env = make(form, render_mode=mode)
        with pytest.raises(ValueError, match="no episode is running"):
            env.render()
        env.reset(seed=2)
        first = env.render()
        over = False
        while not over:
            over = env.step(env.legal_actions()[0])[2]
        pictures[mode] = first, env.render()
    assert all(isinstance(text, str) and "Seat 0" in text for text in pictures["ansi"])
    one, two = pictures["rgb_array"]
    assert one.dtype == two.dtype == np.uint8 and one.shape[2] == 3 and (one != two).any()
    assert pictures["human"] == (None, None) and "Seat 0" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode ansi"):
        make(form).render()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mask_in": "both"}, "mask_in 'both': must be observation, obs, info"),
        ({"dtype": "float64"}, "dtype 'float64': must be int8, float32"),
        ({"illegal": True}, "illegal True: must be error, end"),
        ({"render_mode": "svg"}, "render_mode 'svg': must be None, ansi"),
        ({"show": "none"}, "show 'none': must be mover, all"),
        ({"seat": 2}, "seat 2: must be rotate"),
        ({"opponents": "nosuch"}, "agent 'nosuch' is unknown"),
        ({"colour": 1}, "colour"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(FORMS[0], **arguments)


def test_the_class_takes_a_game() -> None:
    env = LearnerEnv(make_game("zwicken", players=5), opponents=["book", "random", "cautious", "book"])
    env.reset(seed=1)
    assert env.opponents == ["book", "random", "cautious", "book"] and env.game.num_players == 5
