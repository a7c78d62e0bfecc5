"""Games written out as trees: the same game, solved and measured alike."""

from __future__ import annotations

from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from cardsim_envs.openspiel import openspiel_game
from cardsim_envs.openspiel_trees import AgentPolicy, Tree

RULES: dict[str, Any] = {"players": 2, "max_swaps": 0, "cut_rule": "off"}


@pytest.fixture(scope="module")
def tree() -> Tree:
    """A part of Zwicken with hidden cards."""
    return Tree(openspiel_game("zwicken", worlds=8, **RULES))


def test_the_written_game_is_the_game(tree: Tree) -> None:
    nodes = 0

    def walk(state: Any, written: Any) -> None:
        nonlocal nodes
        nodes += 1
        assert state.current_player() == written.current_player()
        if state.is_terminal():
            assert state.returns() == written.returns()
            return
        names = {int(written.action_to_string(label)): label for label in written.legal_actions()}
        assert sorted(names) == state.legal_actions()
        for action in state.legal_actions():
            walk(state.child(action), written.child(names[action]))

    walk(tree.game.new_initial_state(), tree.written.new_initial_state())
    assert nodes == tree.num_nodes > 300


@pytest.mark.parametrize("agent", ["book", "random"])
def test_agents_are_as_exploitable_as_openspiel_finds(agent: str, tree: Tree) -> None:
    policy = AgentPolicy(tree.game, agent, tries=1 if agent == "book" else 3)
    expected = exploitability.nash_conv(tree.game, policy) / 2
    table = tree.table(policy.action_probabilities)
    assert tree.exploitability(table) == pytest.approx(expected)
    for information, chances in tree.read(table).items():
        assert chances == pytest.approx(policy.action_probabilities(tree.states[information]))


def test_a_solution_is_read_back(tree: Tree) -> None:
    solver = pyspiel.CFRPlusSolver(tree.written)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    solved = solver.average_policy()
    uniform = exploitability.nash_conv(tree.game, UniformRandomPolicy(tree.game)) / 2
    assert tree.exploitability(tree.uniform()) == pytest.approx(uniform)
    assert tree.exploitability(solved) < uniform / 100
    rows = tree.read(solved)
    back = pyspiel.TabularPolicy({information: list(chances.items()) for information, chances in rows.items()})
    assert pyspiel.nash_conv(tree.game, back) / 2 == pytest.approx(tree.exploitability(solved))


def test_limits_are_kept() -> None:
    game = openspiel_game("zwicken", deals=2, **RULES)
    with pytest.raises(ValueError, match=r"^tree of cardsim_zwicken\(.*\): has more than 20 nodes$"):
        Tree(game, most_nodes=20)
    with pytest.raises(ValueError, match="tries 0: must be at least 1"):
        AgentPolicy(game, "book", tries=0)
    with pytest.raises(ValueError, match="agent 'nonsense' is unknown"):
        AgentPolicy(game, "nonsense")


def test_moves_without_a_choice_change_nothing() -> None:
    rules: dict[str, Any] = {"suits": 2, "ranks": 4, "hand": 3, "goal": 33, "claims": "true_only", "first_dealer": 0}
    whole = Tree(openspiel_game("sixty_six", worlds=4, **rules))
    short = Tree(whole.game, forced=False)
    assert short.num_nodes < 0.75 * whole.num_nodes
    assert all(len(state.legal_actions()) > 1 for state in short.states.values())
    assert short.states.keys() == {name for name, state in whole.states.items() if len(state.legal_actions()) > 1}
    for agent in ("book", "cautious"):
        policy = AgentPolicy(whole.game, agent, tries=5)
        expected = exploitability.nash_conv(whole.game, policy) / 2
        for tree in (whole, short):
            assert tree.exploitability(tree.table(policy.action_probabilities)) == pytest.approx(expected)
    solved = []
    for tree in (whole, short):
        solver = pyspiel.CFRPlusSolver(tree.written)
        for _ in range(20):
            solver.evaluate_and_update_policy()
        solved.append(tree.responses(solver.average_policy()))
    assert solved[0] == pytest.approx(solved[1])
    assert 0.0 < sum(solved[0]) < sum(whole.responses(whole.uniform())) / 20


def test_an_agent_that_draws_no_lots_is_asked_once(tree: Tree) -> None:
    state = next(state for state in tree.states.values() if len(state.legal_actions()) > 1)
    once = AgentPolicy(tree.game, "book").action_probabilities(state)
    assert AgentPolicy(tree.game, "book", tries=10**12).action_probabilities(state) == once
    shares = AgentPolicy(tree.game, "random", tries=4000).action_probabilities(state)
    assert shares == pytest.approx(dict.fromkeys(state.legal_actions(), 1 / len(state.legal_actions())), abs=0.05)
