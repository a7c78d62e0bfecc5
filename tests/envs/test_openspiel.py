"""The games in OpenSpiel, against the real package."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from cardsim.contract import TERMINAL
from cardsim.registry import game_ids, make_game

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts, mcts
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import UniformRandomPolicy

from cardsim_envs.openspiel import openspiel_game, register

FORMS: list[tuple[str, dict[str, Any]]] = [
    ("sixty_six", {}),
    ("sixty_six", {"preset": "schnapsen", "match": True, "target": 3, "deals": 4}),
    ("sixty_six", {"preset": "three_hand", "chance": "sampled"}),
    ("zwicken", {}),
    ("zwicken", {"players": 2, "swap_mode": "block", "worlds": 3}),
    ("zwicker", {"players": 2}),
]
SMALL: dict[str, Any] = {"players": 2, "max_swaps": 0, "cut_rule": "off", "worlds": 4}
HIDDEN: dict[str, Any] = {**SMALL, "max_swaps": 1, "swap_mode": "block", "worlds": 2}
CORE = make_game("sixty_six", preset="schnapsen")
FRESH = CORE.notation.position_text(CORE.rules, CORE.deal(1, 2)[0])
forms = pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(map(str, [form[0], *form[1].values()])))


def made(form: tuple[str, dict[str, Any]]) -> Any:
    """The game of a form."""
    return openspiel_game(form[0], **form[1])


def dealt(game: Any, source: random.Random) -> Any:
    """A state in which somebody is to act."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(source.choice(state.legal_actions()))
    return state


def decision_nodes(state: Any) -> list[Any]:
    """All decision nodes of a tree, with the seats' own decisions on the way."""
    found: list[Any] = []

    def walk(state: Any, own: tuple[tuple[Any, ...], ...]) -> None:
        if state.is_terminal():
            return
        player = state.current_player()
        if player >= 0:
            found.append((state, own[player]))
        for action in state.legal_actions():
            after = list(own)
            if player >= 0:
                after[player] = (*own[player], (state.information_state_string(player), action))
            walk(state.child(action), tuple(after))

    walk(state, ((),) * state.num_players())
    return found


def test_every_game_is_registered_and_ready() -> None:
    games = register()
    assert sorted(games) == game_ids()
    assert register().keys() == games.keys()  # a second time
    for id, game in games.items():
        assert game.get_type().short_name == f"cardsim_{id}" in pyspiel.registered_names()
        assert game.game == make_game(id)
        assert game.num_players() == game.game.num_players
        assert game.observation_tensor_size() == game.num_players() + game.game.observation_size


@forms
def test_names_make_the_same_game_again(form: tuple[str, dict[str, Any]]) -> None:
    game = made(form)
    for other in (pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game))):
        assert str(other) == str(game)
        assert other.game == game.game
        assert type(other.chance) is type(game.chance)
    assert pickle.loads(pickle.dumps(game.get_type())) == game.get_type()


def test_parameters_in_a_text() -> None:
    game = pyspiel.load_game("cardsim_sixty_six(preset=schnapsen,rules=claims:auto;match:true,deals=3)")
    assert game.game == make_game("sixty_six(preset=schnapsen,claims=auto,match=true)")
    assert pyspiel.load_game("cardsim_zwicken", {"players": 3, "rules": "stake=5, bete=pot"}).game == make_game(
        "zwicken", players=3, stake=5, bete="pot"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "nonsense"}, "preset 'nonsense' is unknown"),
        ({"rules": "claims"}, r"parameter rules='claims': must be options, each once, such as claims:auto;match:true"),
        ({"rules": "claims:maybe"}, "option claims=maybe: must be"),
        ({"chance": "dice"}, "parameter chance='dice': must be cards, sampled, every"),
        ({"deals": -1}, r"parameter deals=-1: must be from 0, which is off, to 200000"),
        ({"deals": 2, "worlds": 2}, "only one of them can be set"),
        ({"chance": "sampled", "deals": 2}, "only one of them can be set"),
        ({"chance": "every"}, "has more than 200000 deals; take cards, sampled, or some deals"),
        ({"seed": -1}, "seed -1: must be an integer from 0"),
        ({"position": FRESH}, r"parameter position: has the rules sixty_six\(preset=schnapsen\)"),
        ({"preset": "schnapsen", "position": FRESH, "deals": 2}, "deals=2: does not go with a position; worlds does"),
        ({"position": "nonsense(("}, "^position: must be rules, then key=value words"),
    ],
)
def test_parameters_that_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("cardsim_sixty_six", given)


@pytest.mark.parametrize(
    "form",
    [*FORMS[:-1], pytest.param(FORMS[-1], marks=pytest.mark.slow)],
    ids=lambda form: "-".join(map(str, [form[0], *form[1].values()])),
)
def test_openspiels_own_simulation(form: tuple[str, dict[str, Any]]) -> None:
    # OpenSpiel has no way for a Python game to save the numbers that it samples with.
    sampled = form[1].get("chance") == "sampled"
    pyspiel.random_sim_test(made(form), num_sims=1, serialize=not sampled, verbose=False)


def test_openspiels_playthrough() -> None:
    text = generate_playthrough.playthrough("cardsim_zwicken(players=2,deals=3)", None, seed=1)
    assert "IsTerminal() = True" in text and "InformationStateString(1)" in text


@forms
def test_an_episode_is_the_games(form: tuple[str, dict[str, Any]]) -> None:
    game, source = made(form), random.Random(4)
    core = game.game
    state = dealt(game, source)
    observers = [make_observation(game), make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))]
    own = state.states()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(source.choice(state.legal_actions()))
            own = state.states()
            continue
        player = state.current_player()
        assert player == core.current_player(own)
        assert state.legal_actions() == core.legal_actions(own)
        assert state.returns() == [0.0] * core.num_players
        for seat in range(core.num_players):
            seen = core.observe(own, seat)
            for observer in observers:
                observer.set_from(state, seat)
                assert (observer.tensor[core.num_players :] == seen).all()
                assert observer.tensor[: core.num_players].tolist() == np.eye(core.num_players)[seat].tolist()
                assert sum(piece.size for piece in observer.dict.values()) == observer.tensor.size
            if source.random() < 0.2:  # lists of thousands of numbers take their time
                tensor = observers[1].tensor.tolist()
                assert state.observation_tensor(seat) == state.information_state_tensor(seat) == tensor
            assert state.information_state_string(seat).startswith(f"{state.observation_string(seat)} past:")
        again = pickle.loads(pickle.dumps(state))
        assert again.states().tobytes() == own.tobytes()
        assert again.information_state_string(player) == state.information_state_string(player)
        action = source.choice(state.legal_actions())
        assert state.action_to_string(action) == core.action_names[action]
        core.apply_action(own, action)
        state.apply_action(action)
        assert own.tobytes() == state.states().tobytes()
    assert core.current_player(own) == TERMINAL
    assert state.returns() == core.returns(own).tolist()


def test_an_illegal_action_is_refused() -> None:
    state = dealt(openspiel_game("zwicken", deals=1), random.Random(1))
    before = state.states().tobytes()
    with pytest.raises(ValueError, match=r"^action 0 \(6D\) is illegal; legal: 36 \(play\)"):
        state.apply_action(0)
    assert state.states().tobytes() == before


def test_kinds_of_observation_that_there_are_not() -> None:
    game = register()["zwicken"]
    none = pyspiel.PrivateInfoType.NONE
    assert game.make_py_observer(pyspiel.IIGObservationType(True, False, none)) is None
    with pytest.raises(ValueError, match="there are none"):
        game.make_py_observer(None, {"depth": 3})


@pytest.mark.parametrize("options", [SMALL, HIDDEN], ids=["open", "hidden"])
def test_information_states_recall_all_and_tell_no_more(options: dict[str, Any]) -> None:
    nodes = decision_nodes(openspiel_game("zwicken", **options).new_initial_state())
    groups: dict[str, list[Any]] = defaultdict(list)
    for state, own in nodes:
        groups[state.information_state_string()].append((state, own))
    for members in groups.values():
        # One seat's own decisions and what it knew at each: the definition of perfect recall.
        assert len({own for _, own in members}) == 1
        assert len({(state.current_player(), tuple(state.legal_actions())) for state, _ in members}) == 1
    assert any(len({state.states().tobytes() for state, _ in members}) > 1 for members in groups.values())


def test_what_another_does_unseen_is_in_no_information_state() -> None:
    unseen = 0
    for state, _ in decision_nodes(openspiel_game("zwicken", **HIDDEN).new_initial_state()):
        other = 1 - state.current_player()
        for one, another in pairwise(map(state.child, state.legal_actions())):
            if one.observation_string(other) == another.observation_string(other):
                assert one.information_state_string(other) == another.information_state_string(other)
                unseen += 1
    assert unseen > 10


@forms
def test_resampling(form: tuple[str, dict[str, Any]]) -> None:
    game, source = made(form), random.Random(6)
    with pytest.raises(ValueError, match="nobody is to act"):
        game.new_initial_state().resample_from_infostate(0, source.random)
    state = dealt(game, source)
    changed = 0
    for _ in range(12):
        if state.is_terminal() or state.is_chance_node():
            break
        for seat in range(game.num_players()):
            world = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert world.history() == []
            changed += str(world) != str(state)
            while world.current_player() >= 0:  # it can be played out
                world.apply_action(source.choice(world.legal_actions()))
        state.apply_action(source.choice(state.legal_actions()))
    assert changed


def test_cfr_lowers_exploitability() -> None:
    game = openspiel_game("zwicken", **SMALL)
    uniform = exploitability.nash_conv(game, UniformRandomPolicy(game))
    python, compiled = cfr.CFRPlusSolver(game), pyspiel.CFRPlusSolver(game)
    for _ in range(15):
        python.evaluate_and_update_policy()
        compiled.evaluate_and_update_policy()
    solved = exploitability.nash_conv(game, python.average_policy())
    assert solved < uniform / 20
    assert pyspiel.nash_conv(game, compiled.average_policy()) == pytest.approx(solved)


def endgame(seed: int, left: int) -> str:
    """A Schnapsen position: closed, with `left` cards in each hand."""
    source = random.Random(seed)
    for number in range(1000):
        states = CORE.deal(seed, number)
        while CORE.current_player(states) != TERMINAL:
            hands = [int(hand).bit_count() for hand in states["hand"][0, :2]]
            if states["closer"][0] >= 0 and hands == [left, left]:
                text: str = CORE.notation.position_text(CORE.rules, states[0])
                return text
            CORE.apply_action(states, source.choice(CORE.legal_actions(states)))
    raise AssertionError("no such position")


def test_an_endgame_with_hidden_cards_is_solved() -> None:
    position = endgame(2, 2)
    game = openspiel_game("sixty_six", "schnapsen", position=position)
    state = game.new_initial_state()
    assert state.current_player() >= 0  # no chance node
    assert CORE.notation.position_text(CORE.rules, state.states()[0]) == position
    game = openspiel_game("sixty_six", "schnapsen", position=position, worlds=5)
    assert pyspiel.load_game(str(game)).new_initial_state().child(0).states().tobytes() == state.states().tobytes()
    uniform = exploitability.exploitability(game, UniformRandomPolicy(game))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy()) / 2 < uniform / 20


@pytest.mark.parametrize("id", game_ids())
def test_information_set_search_plays(id: str) -> None:
    game = openspiel_game(id, players=2, chance="sampled", seed=3)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 20, random_state=np.random.RandomState(2))
    state, source, searched = dealt(game, random.Random(1)), random.Random(2), 0
    while not state.is_terminal() and searched < 6:
        action = bot.step(state) if state.current_player() == 0 else source.choice(state.legal_actions())
        searched += state.current_player() == 0 and len(state.legal_actions()) > 1
        assert action in state.legal_actions()
        state.apply_action(action)
    assert searched


def test_the_environment_for_learning_agents() -> None:
    game = openspiel_game("zwicken", players=3, chance="sampled")
    environment = rl_environment.Environment(game)
    source = np.random.RandomState(1)
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            assert len(step.observations["info_state"][player]) == game.information_state_tensor_size()
            step = environment.step([source.choice(step.observations["legal_actions"][player])])
        assert step.rewards == environment._state.returns()


def test_a_fresh_process_reads_a_pickled_game_and_ends_in_peace() -> None:
    pickled = pickle.dumps(openspiel_game("zwicken", players=3, deals=2))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    done = subprocess.run([sys.executable, "-c", code], input=pickled, check=True, capture_output=True)
    assert done.stdout.decode().strip() == "cardsim_zwicken(deals=2,players=3)"
    assert done.stderr == b""


def test_states_at_chance_nodes_tell_nothing_of_the_cards_to_come() -> None:
    state, source, seen = openspiel_game("sixty_six").new_initial_state(), random.Random(1), set()
    dealer = source.choice(state.legal_actions())
    state.apply_action(dealer)
    while state.is_chance_node():
        assert str(state).startswith(f"deal 0: player {dealer} deals")
        seen.add(tuple(state.information_state_string(seat) for seat in range(2)))
        state.apply_action(source.choice(state.legal_actions()))
    assert len(seen) == 1


@pytest.mark.slow
def test_psro_lowers_exploitability() -> None:
    pytest.importorskip("cvxpy")  # OpenSpiel's module asks for it
    from open_spiel.python.algorithms.policy_aggregator import PolicyAggregator
    from open_spiel.python.algorithms.psro_v2 import best_response_oracle, psro_v2
    from open_spiel.python.policy import TabularPolicy

    game = openspiel_game("zwicken", **SMALL)
    first = TabularPolicy(game)
    solver = psro_v2.PSROSolver(
        game,
        best_response_oracle.BestResponseOracle(game=game, policy=first),
        initial_policies=[first.__copy__() for _ in range(2)],
        sims_per_entry=50,
        prd_iterations=2000,
        training_strategy_selector="probabilistic",
    )
    for _ in range(3):
        solver.iteration()
    mixed = PolicyAggregator(game).aggregate(range(2), solver.get_policies(), solver.get_meta_strategies())
    assert exploitability.nash_conv(game, mixed) < exploitability.nash_conv(game, first) / 2
