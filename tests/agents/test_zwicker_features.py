"""What learned agents are told of actions in Zwicker: true to what `book` then does, and from the observation alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.bits import U64
from cardsim.game import Game
from cardsim.games.zwicker.basics import LOW
from cardsim.games.zwicker.layout import ACT_BESIDE, ACT_TAKE, CARD
from cardsim.jit import DISABLED, kernel
from cardsim.registry import agent_family, make_agent, make_game
from cardsim_agents.learned import Network, add, quantise
from cardsim_agents.learned.inference import described_scores
from cardsim_agents.learned.table import address_of_network
from cardsim_agents.zwicker import NETWORKS
from cardsim_agents.zwicker.features import (
    ACTIONS,
    AMOUNTS,
    BLOCKS,
    FEATURES,
    FEW,
    MANY,
    STARTS,
    describe_actions,
)
from tests.agents.agent_checks import (
    check_legal_and_steady,
    check_refused,
    check_same_when_observing,
    choose,
    positions,
)
from tests.agents.networks import random_network, real_layers, real_scores, whole_scores

FORMS = [
    "zwicker(players=2)",
    "zwicker(players=4,teams=true,must_capture=true,capture_choice=maximal)",
    "zwicker(players=5,trail=free)",
    "zwicker(players=5,table_cards=84)",
    "zwicker(preset=six_joker,players=4)",
    "zwicker(preset=two_joker,players=3,build_needs=none,pair_build=true,zwick_relay=true)",
    "zwicker(preset=grupp,players=3,joker_points=2)",
    "zwicker(preset=grupp,players=4,jokers_stay=true)",
]
LONG_TABLE = "zwicker(players=5,table_cards=84,trail=free)"
"""Up to 104 items on the table."""
every_form = pytest.mark.parametrize("name", FORMS)
PLACES = {name: slice(start, start + size) for (name, size), start in zip(BLOCKS, STARTS.tolist(), strict=False)}
STEPS = tuple(name for name, _ in BLOCKS if name not in ("begun", "what", "class"))
assert NETWORKS.features is not None
DESCRIBED = NETWORKS.features


@kernel
def describe(agents: Any, states: Any, out: Any) -> None:
    state = states[0]
    describe_actions(agents[0], state, contract.legal_actions(state), out)


def described(states: Any) -> Any:
    """Descriptions of the legal actions, worked out on the state."""
    out = np.zeros((ACTIONS, FEATURES), np.int8)
    describe(agent_family("zwicker").make("book").record, states, out)
    return out


def choices(game: Game, mover: str, hands: int, seed: int) -> Any:
    """Positions in which more than one action is legal."""
    for states in positions(game, mover, 1 if DISABLED else hands, seed):
        if len(game.legal_actions(states)) > 1:
            yield states


def amount(row: Any, name: str) -> int:
    """How many limits a number reaches."""
    return int(row[PLACES[name]].sum())


@pytest.mark.parametrize("name", [*FORMS, LONG_TABLE])
def test_descriptions_follow_from_the_observation(name: str) -> None:
    game = make_game(name)
    for mover in ("book", "random"):
        for states in choices(game, mover, 3, seed=1):
            mask = np.zeros((1, game.num_actions), np.int8)
            mask[0, game.legal_actions(states)] = 1
            observation = game.observe(states, game.current_player(states))[None]
            assert (DESCRIBED.of(game, observation, mask)[0] == described(states)).all()


@every_form
def test_rows_are_steps_and_names(name: str) -> None:
    game = make_game(name)
    seen = np.concatenate([described(states)[None] for states in choices(game, "random", 4, seed=2)])
    assert not seen[:, :, 0][seen[:, :, 1:].any(2) == 0].any(), "what is begun is described"
    rows = seen[seen[:, :, 0] == 1]
    for block in STEPS:
        part = rows[:, PLACES[block]]
        assert (np.diff(part, axis=1) <= 0).all(), block
        rare = block == "partners" or (block == "clearing" and game.num_players > 4)
        assert part.any() or rare or DISABLED, block
    for block in ("what", "class"):
        assert (rows[:, PLACES[block]].sum(1) == 1).all()
    rules = game.new_states()["rules"][0]
    assert rows[:, PLACES["partners"]].any() == (rules["sides"] < rules["players"])


@every_form
def test_book_plays_the_action_that_is_least_behind(name: str) -> None:
    """None is better, where it began the turn itself; where others did, none of those that are begun by now."""
    game, record = make_game(name), agent_family("zwicker").make("book").record
    others = 0
    for mover in ("book", "random"):
        for states in choices(game, mover, 4, seed=3):
            rows = described(states)
            behind = {
                action: amount(rows[action], "behind") for action in game.legal_actions(states) if rows[action, 0]
            }
            action = choose(record, states, 0, rng.new_streams())
            assert behind[action] == min(behind.values()) if behind else mover == "random"
            assert mover == "random" or behind[action] == 0
            others += sum(steps > 0 for steps in behind.values())
    assert others > 0


def bounds(row: Any, name: str) -> Any:
    """Between which limits a number lies."""
    return np.array([0.0, *AMOUNTS, np.inf])[amount(row, name) :][:2]


@every_form
def test_the_parts_add_up_to_what_book_thinks(name: str) -> None:
    """Of two actions the one is as far behind as what it takes and leaves is worth less, by the numbers of `book`."""
    game, record = make_game(name), agent_family("zwicker").make("book").record
    rules = game.new_states()["rules"][0]
    deny = record["deny_percent"][0] / 100 / (rules["sides"] - 1)
    beside = record["partner_percent"][0] / 100 * (rules["sides"] < rules["players"])
    apart = 0
    for states in choices(game, "book", 6, seed=5):
        rows = [row for row in described(states) if row[0]]
        worths = [
            bounds(row, "gain")
            - deny * bounds(row, "others")[::-1]
            + beside * bounds(row, "partners")
            + record["own_percent"][0] / 100 * bounds(row, "own")
            for row in rows
        ]
        best = next(k for k, row in enumerate(rows) if amount(row, "behind") == 0)
        for row, worth in zip(rows, worths, strict=True):
            least, most = bounds(row, "behind")
            assert worths[best][0] - worth[1] < most + 1e-9 and worths[best][1] - worth[0] > least - 1e-9
            apart += bool(worths[best][0] > worth[1])
    assert apart > 20 or DISABLED


def standing(states: Any, side: int) -> tuple[int, int, int]:
    """Cards and Zwicks of a side, and items on the table."""
    cards = sum(int(word).bit_count() for word in states["pile"][0, side])
    return cards, int(states["zwicks"][0, side]), int(states["items"][0])


@every_form
def test_descriptions_are_true_to_what_book_then_does(name: str) -> None:
    """After each action `book` ends the turn: what is captured, and what is left, is what was said."""
    game, record = make_game(name), agent_family("zwicker").make("book").record
    checked, takes = 0, 0
    for states in choices(game, "random", 2, seed=4):
        rows, player, sides = described(states), game.current_player(states), int(states["rules"]["sides"][0])
        side, dealt = player % sides, int(states["totals"][0, 0])
        before = standing(states, side)
        for action in game.legal_actions(states):
            after, row = states.copy(), rows[action]
            if not row[0]:
                continue
            game.apply_action(after, action)
            while game.current_player(after) == player and after["phase"][0] != CARD:
                game.apply_action(after, choose(record, after, 0, rng.new_streams()))
            if int(after["totals"][0, 0]) != dealt or (after["pile"][0].sum() == 0 and before[0]):
                continue  # the deal is over: what is left went to the last capturer
            cards, zwicks, items = standing(after, side)
            took = cards - before[0]
            checked, takes = checked + 1, takes + (took > 0)
            assert bool(row[PLACES["what"]][0]) == (took > 0)
            assert bool(row[PLACES["what"]][ACT_BESIDE - ACT_TAKE]) == (items > before[2])
            assert amount(row, "cards") == sum(max(0, took - 1) >= limit for limit in FEW)
            assert amount(row, "left") == sum(items >= limit for limit in FEW)
            assert amount(row, "own_cards") == sum(cards >= limit for limit in MANY)
            theirs = max(standing(states, other)[0] for other in range(sides) if other != side)
            assert amount(row, "their_cards") == sum(theirs >= limit for limit in MANY)
            if zwicks > before[1] or (items == 0 and took):
                assert amount(row, "gain") > sum(limit <= 0.5 for limit in AMOUNTS)
                assert amount(row, "others") == amount(row, "clearing") == amount(row, "most") == 0
    assert (checked > 100 and takes > 10) or DISABLED


def test_a_table_of_two_cards_in_numbers() -> None:
    """A card that is their sum clears the table, which is a Zwick; one that is neither that nor one of them lies."""
    game, swept, laid = make_game("zwicker(players=2,table_cards=2)"), 0, 0
    for number in range(20 if DISABLED else 400):
        states = game.deal(5, number)
        values = sorted(int(states["low"][0, k]) for k in range(2))
        rows = described(states)
        for slot in game.legal_actions(states):
            card = int(states["hand"][0, game.current_player(states), slot])
            rank, row = int(LOW[0, card % 64]), rows[slot]
            assert int(row[PLACES["class"]].argmax()) == rank - 2
            if rank == sum(values) or values == [rank, rank]:
                swept += 1
                assert amount(row, "left") == 0 and amount(row, "cards") >= 2
                assert amount(row, "gain") >= sum(limit <= 1.0 for limit in AMOUNTS)
            elif rank not in values:
                laid += 1
                assert amount(row, "cards") == amount(row, "gain") == 0
                assert row[PLACES["what"]][0] == 0 and amount(row, "left") in (2, 3)
    assert DISABLED or (swept > 5 and laid > 50)


# --- networks that look at them


def described_network() -> tuple[Network, Any, Any]:
    """A random network with one score for an action that it is told of; its real weights and biases."""
    game = make_game("zwicker")
    observations, masks = decisions_of(game)
    told = DESCRIBED.of(game, observations, masks)[np.arange(len(masks)), masks.argmax(1)]
    sample = np.concatenate([observations, told], axis=1)
    weights, biases = real_layers(game, (16, 8), rows=sample.shape[1], scores=1)
    return quantise(game.name, np.arange(sample.shape[1]), weights, biases, sample), weights, biases


def decisions_of(game: Game, hands: int = 3) -> tuple[Any, Any]:
    """Observations and masks of free decisions."""
    seen, masks = [], []
    for states in choices(game, "random", hands, seed=8):
        mask = np.zeros(game.num_actions, np.int8)
        mask[game.legal_actions(states)] = 1
        seen.append(game.observe(states, game.current_player(states)))
        masks.append(mask)
    return np.stack(seen), np.stack(masks)


def test_scores_are_those_of_a_slow_sum() -> None:
    game = make_game("zwicker")
    network, weights, biases = described_network()
    address = address_of_network(add(network))
    half = replace(network, inputs=np.where(np.arange(network.inputs.size) % 3, network.inputs, -1).astype(np.int32))
    for observation, mask in zip(*decisions_of(game, 1), strict=True):
        told = DESCRIBED.of(game, observation[None], mask[None])[0]
        legal = U64(sum(1 << int(action) for action in np.flatnonzero(mask)))
        for made in (network, half):
            found = described_scores(address_of_network(add(made)), observation, legal, told)
            for action in range(game.num_actions):
                want = whole_scores(made, np.concatenate([observation, told[action]]))[0] if mask[action] else 0
                assert found[action] == want
        rows = np.array([np.concatenate([observation, told[action]]) for action in np.flatnonzero(mask)])
        ours = described_scores(address, observation, legal, told)[mask == 1] / network.unit
        assert np.abs(ours - real_scores(weights, biases, rows)[:, 0]).max() < 0.2


def test_such_a_network_plays(tmp_path: Path) -> None:
    game = make_game("zwicker")
    network, _, _ = described_network()
    network.save(tmp_path / "network.npz")
    agent = f"ppo(weights={tmp_path / 'network.npz'})"
    record, streams, answers = make_agent("zwicker", agent).record, rng.new_streams(), set()
    for states in choices(game, "random", 2, seed=9):
        rows, legal = described(states), game.legal_actions(states)
        observation = game.observe(states, game.current_player(states))
        want = {action: whole_scores(network, np.concatenate([observation, rows[action]]))[0] for action in legal}
        action = choose(record, states, 0, streams)
        assert action == max(legal, key=lambda option: (want[option], -option))
        answers.add(action)
    assert len(answers) > 4
    check_legal_and_steady(game, agent, "random", 1)
    check_same_when_observing(game, agent, "random", 1)


def test_both_shapes_are_taken_and_no_others(tmp_path: Path) -> None:
    game = make_game("zwicker")
    random_network(game).save(tmp_path / "plain.npz")
    make_agent("zwicker", f"ppo(weights={tmp_path / 'plain.npz'})")
    network, _, _ = described_network()
    for inputs in (game.observation_size, game.observation_size + FEATURES + 1):
        rows = np.arange(inputs, dtype=np.int32) % network.weights[0].shape[0]
        rows[-1] = network.weights[0].shape[0] - 1
        replace(network, inputs=rows).save(tmp_path / "other.npz")
        both = f"({game.observation_size}, {game.num_actions}) or ({game.observation_size + FEATURES}, 1)"
        check_refused(game, f"ppo(weights={tmp_path / 'other.npz'})", f"must be of zwicker {both}")
    other = replace(network, game="sixty_six(preset=base)")
    other.save(tmp_path / "game.npz")
    check_refused(make_game("sixty_six"), f"ppo(weights={tmp_path / 'game.npz'})", "must be of sixty_six")
