"""Small games of OpenSpiel written out as trees, and cardsim's agents as OpenSpiel's policies.

OpenSpiel's compiled solvers ask a Python game for every step of every iteration. A tree that was written out once (in
the EFG form of Gambit) they solve about a hundred times faster, with the same result.

Example:
    >>> import pyspiel
    >>> from cardsim_envs.openspiel import openspiel_game
    >>> game = openspiel_game("zwicken", players=2, max_swaps=0, cut_rule="off", worlds=3)
    >>> tree = Tree(game)
    >>> solver = pyspiel.CFRPlusSolver(tree.written)
    >>> for _ in range(20):
    ...     solver.evaluate_and_update_policy()
    >>> tree.exploitability(solver.average_policy()) < tree.exploitability(tree.uniform()) / 20
    True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.policy import Policy

from cardsim import rng
from cardsim.bits import U64
from cardsim.contract import act
from cardsim.families import Agent
from cardsim.jit import kernel
from cardsim.registry import make_agent

MOST_NODES = 2_000_000


@kernel
def _try(agents: Any, states: Any, legal: Any, streams: Any, seed: Any, domain: int, tries: int, counts: Any) -> None:
    """Count the choices of an agent in some tries, each with random numbers of its own, into `counts`, int64 (A,)."""
    for number in range(tries):
        rng.seed_stream(streams[0], seed, U64(number), domain)
        chosen = act(agents[0], states[0], legal, streams[0])
        if number == 0 and streams[0]["used"] == 0:  # it draws no lots here: every try is this one
            counts[chosen] = tries
            return
        counts[chosen] += 1


class AgentPolicy(Policy):
    """An agent of a game as a policy: the shares of its choices in some tries.

    Args:
        game: a game of `cardsim_envs.openspiel`.
        agent: an agent of its family, or its name, such as `book(memory=false)`.
        tries: how often it is asked at each information state; where it draws no lots, once is enough and done. Its
            random numbers depend on nothing but the information state.

    Raises:
        ValueError: unknown agent or parameter, or a number of tries below 1.
    """

    def __init__(self, game: Any, agent: Agent | str, tries: int = 1) -> None:
        super().__init__(game, list(range(game.num_players())))
        if tries < 1:
            raise ValueError(f"tries {tries}: must be at least 1")
        self.agent = make_agent(game.game.id, agent) if isinstance(agent, str) else agent
        self.tries = tries
        self._streams = rng.new_streams()

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Action -> probability, for the legal actions of the seat to act."""
        moment = state._moment
        legal = np.uint64(moment.game.legal_mask(moment.states))
        seed = np.uint64(int(moment.past_of(moment.player)[:16], 16))
        counts = np.zeros(moment.game.num_actions, np.int64)
        _try(
            self.agent.record, moment.states, legal, self._streams, seed, rng.AGENT + moment.player, self.tries, counts
        )
        return {action: int(counts[action]) / self.tries for action in state.legal_actions()}


class Tree:
    """All of a small game, with explicit chance, written out.

    Args:
        game: a game of OpenSpiel.
        most_nodes: where to give up.
        forced: whether moves without a choice are written too. Without them the tree of a card game is about half as
            large and its solutions and exploitabilities are the same, but `states` and `read` leave those moves out.

    Attributes:
        game, forced: as given.
        written: the same game as a compiled one, for OpenSpiel's solvers. Its actions and information states have
            numbers and names of their own: `table` translates into them, `read` back.
        num_nodes: number of states.
        states: information state -> one state in which its player is to act.

    Raises:
        ValueError: there are more nodes.
    """

    def __init__(self, game: Any, most_nodes: int = MOST_NODES, forced: bool = True) -> None:
        self.game = game
        self.forced = forced
        self.states: dict[str, Any] = {}
        self.num_nodes = 0
        self._most = most_nodes
        self._numbers: list[dict[str, int]] = [{} for _ in range(game.num_players())]
        self._labels: dict[str, dict[int, int]] = {}
        players = " ".join(f'"{player}"' for player in range(game.num_players()))
        self._lines = [f'EFG 2 R "{game}" {{ {players} }}']
        self._write(game.new_initial_state())
        self.written = pyspiel.load_efg_game("\n".join(self._lines) + "\n")
        self._lines = []
        self._find_labels(self.written.new_initial_state())
        self._responders: list[Any] = []

    def _write(self, state: Any) -> None:
        """Write all that follows a state, which may be changed."""
        while not self.forced and state.current_player() >= 0 and len(actions := state.legal_actions()) == 1:
            state.apply_action(actions[0])
        self.num_nodes += 1
        if self.num_nodes > self._most:
            raise ValueError(f"tree of {self.game}: has more than {self._most} nodes")
        if state.is_terminal():
            paid = " ".join(map(str, state.returns()))
            self._lines.append(f't "" {self.num_nodes} "" {{ {paid} }}')
            return
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            chances = " ".join(f'"{outcome}" {probability!r}' for outcome, probability in outcomes)
            self._lines.append(f'c "" {self.num_nodes} "" {{ {chances} }} 0')
            actions = [outcome for outcome, _ in outcomes]
        else:
            player, actions = state.current_player(), state.legal_actions()
            information = state.information_state_string(player)
            numbers = self._numbers[player]
            if information not in numbers:
                numbers[information] = len(numbers) + 1
                self.states[information] = state.clone()
            names = " ".join(f'"{action}"' for action in actions)
            self._lines.append(f'p "" {player + 1} {numbers[information]} "" {{ {names} }} 0')
        for action in actions:
            self._write(state.child(action))

    def _find_labels(self, state: Any) -> None:
        """Learn which numbers the written game has given to the actions: they differ by information state."""
        if state.is_terminal():
            return
        labels = state.legal_actions()
        if not state.is_chance_node() and (name := state.information_state_string()) not in self._labels:
            self._labels[name] = {int(state.action_to_string(label)): label for label in labels}
        for label in labels:
            self._find_labels(state.child(label))

    def _name(self, information: str) -> str:
        """What the written game calls an information state."""
        player = self.states[information].current_player()
        return f"{player}-{player}-{self._numbers[player][information]}-"

    def table(self, probabilities: Callable[[Any], dict[int, float]]) -> Any:
        """A policy for the written game.

        Args:
            probabilities: gives action -> probability for a state of the game, such as the method
                `action_probabilities` of OpenSpiel's Python policies.
        """
        rows = {}
        for information, state in self.states.items():
            name = self._name(information)
            labels = self._labels[name]
            rows[name] = [(labels[action], chance) for action, chance in probabilities(state).items()]
        return pyspiel.TabularPolicy(rows)

    def uniform(self) -> Any:
        """The policy for the written game that takes every legal action equally often."""
        return self.table(lambda state: dict.fromkeys(state.legal_actions(), 1.0 / len(state.legal_actions())))

    def read(self, policy: Any) -> dict[str, dict[int, float]]:
        """A policy of the written game in the game's own words: information state -> action -> probability."""
        found = {}
        for information in self.states:
            name = self._name(information)
            chances = dict(policy.get_state_policy(name))
            found[information] = {action: chances[label] for action, label in self._labels[name].items()}
        return found

    def responses(self, policy: Any) -> list[float]:
        """What each seat gets by a best response, when the others play a policy of the written game."""
        if self._responders:
            for responder in self._responders:
                responder.set_policy(policy)
        else:  # making them takes longer than one answer
            players = range(self.game.num_players())
            self._responders = [pyspiel.TabularBestResponse(self.written, player, policy) for player in players]
        start = self.written.new_initial_state()
        return [responder.value_from_state(start) for responder in self._responders]

    def exploitability(self, policy: Any) -> float:
        """What a best response gains over a policy of the written game, on the average of the seats."""
        players = self.game.num_players()
        if self.game.get_type().utility != pyspiel.GameType.Utility.ZERO_SUM:
            return float(pyspiel.nash_conv(self.written, policy)) / players
        return sum(self.responses(policy)) / players
