"""Tables with one learner: its rewards, its seat, the hands that it plays, and what becomes of the others."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.contract import holes
from cardsim.game import Game
from cardsim.jit import DISABLED
from cardsim.learner import LearnerBatch, LearnerTables
from cardsim.learner_kernels import CLOCK, ILLEGAL_REWARD
from cardsim.registry import make_agent, make_game
from cardsim.simulate import simulate
from cardsim_agents.observing import _act

N = 3
STEPS = 80 if DISABLED else 150
HANDS = 8 if DISABLED else 40
GAMES = (
    "sixty_six",
    "sixty_six(preset=three_hand)",
    "sixty_six(preset=schnapsen,match=true,target=3)",
    "zwicken(players=3)",
    "zwicken(players=2,match=true,n_deals=4)",
    "zwicker",
    "zwicker(preset=one_joker,players=3,match=true,n_deals=2)",
)
every_game = pytest.mark.parametrize("name", GAMES)


def first_legal(batch: LearnerBatch) -> Any:
    return batch.action_mask.argmax(axis=1)


def some_legal(batch: LearnerBatch, source: np.random.Generator) -> Any:
    return (source.random(batch.action_mask.shape) * batch.action_mask).argmax(axis=1)


def flat(batch: LearnerBatch) -> tuple[bytes, ...]:
    """All of a batch but the rubbish in `final`."""
    return (*(array.tobytes() for array in batch[:4]), batch.final[batch.ended].tobytes())


def contents(tables: LearnerTables) -> tuple[bytes, ...]:
    entries = tables._lineup.entries.tobytes()
    return tables.states.tobytes(), tables.clock.tobytes(), tables._streams.tobytes(), entries


class Advised:
    """A learner that asks a compiled agent, with the random numbers that `simulate` would give it."""

    def __init__(self, game: Game, agent: str) -> None:
        self.record = make_agent(game.id, agent).record
        self.streams = [rng.new_streams() for _ in range(N)]
        self.episodes = [-1] * N

    def act(self, tables: LearnerTables) -> Any:
        actions = np.zeros(N, np.int64)
        for i, now in enumerate(tables.clock):
            if now["episode"] != self.episodes[i]:
                self.episodes[i] = int(now["episode"])
                rng.seed_stream(self.streams[i][0], now["seed"], now["episode"], rng.AGENT + int(now["seat"]))
            legal = np.uint64(tables.legal_mask(i))
            actions[i] = _act(self.record, tables.states[i : i + 1], legal, self.streams[i])
        return actions


@every_game
def test_hands_and_returns_are_those_of_simulate(name: str) -> None:
    game = make_game(name)
    others = ["random", "book", "random"][: game.num_players - 1]
    frame = simulate(game, ["book", *others], HANDS, seed=5, per_hand=True).per_hand
    wanted = {int(row["deal"]): row[f"return_{int(row['deal']) % game.num_players}"] for _, row in frame.iterrows()}
    tables = LearnerTables(game, N, others, seed=5)
    learner = Advised(game, "book")
    tables.reset()
    paid: dict[int, float] = {}
    sums = np.zeros(N)
    while min(tables.clock["next"]) < HANDS + N:
        episodes = tables.clock["episode"].tolist()
        batch = tables.step(learner.act(tables))
        sums += batch.reward
        for i in np.flatnonzero(batch.ended).tolist():
            paid[episodes[i]] = sums[i]
            sums[i] = 0.0
    played = {number: value for number, value in paid.items() if number < HANDS}
    assert played == {number: pytest.approx(wanted[number]) for number in played}
    skipped = set(wanted) - set(played)
    assert bool(skipped) == (name == "sixty_six(preset=three_hand)")
    assert len(skipped) <= tables.clock["skipped"].sum()
    assert any(played.values())


@every_game
def test_rewards_are_the_changes_of_the_return_and_views_are_the_learners(name: str) -> None:
    game = make_game(name)
    tables = LearnerTables(game, N, "random", seed=2)
    source = np.random.default_rng(1)
    batch = tables.reset()
    sums = np.zeros(N)
    paid_early = 0
    for _ in range(STEPS):
        batch = tables.step(some_legal(batch, source))
        sums = np.where(batch.ended, 0.0, sums + batch.reward)
        for i, now in enumerate(tables.clock):
            seat = int(now["seat"])
            assert seat == int(now["episode"]) % game.num_players == game.current_player(tables.states, i)
            assert batch.observation[i].tobytes() == game.observe(tables.states, seat, i).tobytes()
            assert np.flatnonzero(batch.action_mask[i]).tolist() == game.legal_actions(tables.states, i)
            if not batch.ended[i] and now["decisions"] > 0:
                assert sums[i] == game.returns(tables.states, i)[seat]
                paid_early += batch.reward[i] != 0
    assert bool(paid_early) == ("n_deals" in name)


def test_a_hand_of_a_match_before_the_first_decision_is_paid_with_what_follows() -> None:
    game = make_game("sixty_six(preset=three_hand,match=true,target=3)")
    tables = LearnerTables(game, N, "random", seed=1)
    source = np.random.default_rng(1)
    batch, sums, results = tables.reset(), np.zeros(N), []
    for _ in range(STEPS):
        batch = tables.step(some_legal(batch, source))
        sums += batch.reward
        results += sums[batch.ended].tolist()
        sums[batch.ended] = 0.0
    assert results and set(results) <= {1.0, 0.5, 0.0, -0.5, -1.0}


def test_episodes_without_a_decision_are_counted() -> None:
    game = make_game("sixty_six(preset=three_hand)")
    tables = LearnerTables(game, 60, "random", seed=1)
    tables.reset()
    reached = tables.clock["episode"].astype(np.int64)
    passed_over = (reached - np.arange(60)) // 60
    assert tables.clock["skipped"].tolist() == passed_over.tolist()
    assert 5 < passed_over.sum() < 60


def test_a_seat_that_is_never_asked_does_not_run_for_ever() -> None:
    game = make_game("sixty_six(preset=three_hand,first_dealer=0)")
    tables = LearnerTables(game, 1, "random", seat=0)
    with pytest.raises(ValueError, match=r"table 0: seat 0 had nothing to decide in 1,000 episodes of sixty_six\(pre"):
        tables.reset()
    assert not tables.running.any()
    assert tables.reset(seat=1).action_mask.any(axis=1).all()


def test_a_fixed_seat_and_a_seat_for_some_tables() -> None:
    tables = LearnerTables(make_game("zwicken"), N, "random", seat=2)
    batch = tables.reset()
    for _ in range(10):
        assert tables.clock["seat"].tolist() == [2, 2, 2]
        batch = tables.step(first_legal(batch))
    tables.reset(seat=0, tables=[1])
    assert tables.clock["seat"].tolist() == [2, 0, 2]
    tables.reset(seed=4, deal=7, seat="rotate")
    assert tables.clock["episode"].tolist() == [7, 8, 9]
    assert tables.clock["seat"].tolist() == [7 % 4, 8 % 4, 9 % 4]


def test_the_same_deal_from_every_seat() -> None:
    game = make_game("zwicken(players=3)")
    tables = LearnerTables(game, 1, "book")
    hands = set()
    for seat in range(3):
        tables.reset(seed=3, deal=4, seat=seat)
        states = game.deal(3, 4)
        hands.add(tables.states["hand"].tobytes())
        assert tables.clock["seat"] == seat
        assert game.legal_actions(states)
    assert len(hands) == 1


# --- opponents


def test_opponents_are_swapped_while_playing() -> None:
    game = make_game("zwicken(players=3)")
    tables = LearnerTables(game, N, ["book", "random"])
    assert tables.opponents() == ["book", "random"]
    tables.reset()
    sides = [tables.clone() for _ in range(3)]
    sides[1].set_opponents("cautious")
    sides[2].set_opponents("random")
    tables.set_opponents("cautious", [1])
    tables.set_opponents(make_agent("zwicken", "random"), np.array([False, False, True]))
    assert [tables.opponents(i) for i in range(N)] == [["book", "random"], ["cautious"] * 2, ["random"] * 2]
    differ = 0
    batches = [side.reset(deal=0) for side in (tables, *sides)]
    for _ in range(STEPS):
        batches = [side.step(first_legal(batch)) for side, batch in zip((tables, *sides), batches, strict=True)]
        for i in range(N):
            assert batches[0].observation[i].tobytes() == batches[1 + i].observation[i].tobytes()
            differ += batches[0].observation[i].tobytes() != batches[1 + (i + 1) % 3].observation[i].tobytes()
    assert differ > 0
    for _ in range(3):
        tables.set_opponents("book")
    assert len(tables._lineup.agents) <= 2


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ("nosuch", "agent 'nosuch' is unknown for zwicken"),
        (["book"], "sequence of 2"),
        (["book", 3], "opponent 3"),
        (None, "sequence of 2"),
        (make_agent("sixty_six", "book"), "of another game than zwicken"),
    ],
)
def test_opponents_that_are_refused(opponents: Any, message: str) -> None:
    game = make_game("zwicken(players=3)")
    tables = LearnerTables(game, N, "random")
    before = contents(tables)
    with pytest.raises(ValueError, match=message):
        tables.set_opponents(opponents)
    assert contents(tables) == before
    assert tables.opponents() == ["random", "random"]


# --- ends, resets and illegal actions


def test_without_dealing_anew_a_table_waits() -> None:
    game = make_game("sixty_six")
    waiting = LearnerTables(game, N, "random", seed=6, deal_anew=False)
    going = LearnerTables(game, N, "random", seed=6)
    batch, other = waiting.reset(), going.reset()
    while not batch.ended.any():
        actions = first_legal(batch)
        batch, other = waiting.step(actions), going.step(actions)
        assert batch.reward.tolist() == other.reward.tolist() and batch.ended.tolist() == other.ended.tolist()
    over = batch.ended
    assert waiting.running.tolist() == (~over).tolist()
    assert not batch.action_mask[over].any() and batch.action_mask[~over].any(axis=1).all()
    assert batch.observation[over].tobytes() == other.final[over].tobytes() == batch.final[over].tobytes()
    first = int(np.flatnonzero(over)[0])
    before = contents(waiting)
    for strict in (True, False):
        with pytest.raises(ValueError, match=rf"^table {first}: no episode is running; reset it$"):
            waiting.step(first_legal(batch), strict=strict)
    assert contents(waiting) == before
    after = waiting.clone().reset(tables=over)
    assert after.observation[over].tobytes() == other.observation[over].tobytes()
    assert after.observation[~over].tobytes() == batch.observation[~over].tobytes()
    renewed, stepped = waiting.step(first_legal(batch), renew=over), going.step(first_legal(other))
    assert renewed.observation[over].tobytes() == other.observation[over].tobytes()
    seen = np.where(stepped.ended[:, None], stepped.final, stepped.observation)
    assert renewed.observation[~over].tobytes() == seen[~over].tobytes()
    assert not renewed.reward[over].any() and not renewed.ended[over].any()


@every_game
def test_an_illegal_action_is_refused_or_ends_the_episode(name: str) -> None:
    game = make_game(name)
    tables = LearnerTables(game, N, "random", seed=3)
    batch = tables.reset()
    legal = first_legal(batch)
    wrong = int(batch.action_mask[1].argmin())
    before = contents(tables)
    for action in (wrong, -1, -2, 63, 64 + int(legal[1]), game.num_actions):
        actions = legal.copy()
        actions[1] = action
        with pytest.raises(ValueError, match=rf"^table 1: action {action}\b.* is illegal; legal: \d+ \("):
            tables.step(actions)
        assert contents(tables) == before
        other = tables.clone()
        ended = other.step(actions, strict=False)
        assert ended.reward[1] == ILLEGAL_REWARD and ended.ended[1]
        assert ended.final[1].tobytes() == batch.observation[1].tobytes()
        assert other.clock["episode"][1] > tables.clock["episode"][1]
    assert not (ended.ended[0] and ended.reward[0] == ILLEGAL_REWARD)


def test_clones_and_pickles_go_on_alike() -> None:
    tables = LearnerTables(make_game("zwicken(players=3)"), N, ["random", "book"], seed=8)
    batch = tables.reset()
    for _ in range(9):
        batch = tables.step(first_legal(batch))
    twins = [tables.clone(), pickle.loads(pickle.dumps(tables))]
    tables.clone().set_opponents("cautious")
    for _ in range(20):
        actions = first_legal(batch)
        batch = tables.step(actions)
        assert [flat(twin.step(actions)) for twin in twins] == [flat(batch)] * 2
    assert [contents(twin) for twin in twins] == [contents(tables)] * 2


def test_a_table_plays_on_from_a_given_state() -> None:
    game = make_game("zwicken(players=2,match=true,n_deals=4)")
    source = LearnerTables(game, 1, "random", seed=4)
    batch = source.reset()
    while not game.returns(source.states)[0]:
        batch = source.step(first_legal(batch))
    tables = LearnerTables(game, 1, "random", deal_anew=False)
    seat = int(source.clock["seat"][0])
    batch = tables.begin_at(source.states, seat=seat)
    assert batch.observation.tobytes() == game.observe(source.states, seat).tobytes()
    total = game.returns(source.states)[seat]
    while tables.running[0]:
        batch = tables.step(first_legal(batch))
        total += batch.reward[0]
    assert total == game.returns(tables.states)[seat] != 0
    other = make_game("zwicken(players=5)").deal(1, 2)
    for states in (other, game.new_states(2)):
        with pytest.raises(ValueError, match=r"states: must be one state of zwicken\(preset=base,"):
            tables.begin_at(states)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_tables": 0}, "num_tables 0: must be an integer"),
        ({"num_tables": True}, "num_tables True"),
        ({"game": "sixty_six"}, "game 'sixty_six': must be a Game"),
        ({"seat": 2}, "seat 2: must be rotate, or an integer from 0 to 1"),
        ({"seat": "all"}, "seat 'all': must be rotate"),
        ({"seed": -1}, "seed -1"),
        ({"deal_anew": 1}, "deal_anew 1: must be True or False"),
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LearnerTables(**{"game": make_game("sixty_six"), "num_tables": 1, **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 0.5}, r"seed 0\.5"),
        ({"deal": -1}, "deal number -1"),
        ({"deal": 2**64 - 2}, "leaves no numbers"),
        ({"seat": 5}, "seat 5"),
        ({"tables": [3]}, "numbers from 0 to 2, or a mask of 3"),
        ({"tables": [True]}, "numbers from 0 to 2, or a mask of 3"),
    ],
)
def test_resets_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    tables = LearnerTables(make_game("sixty_six"), N, "random", seed=3)
    before = contents(tables)
    with pytest.raises(ValueError, match=message):
        tables.reset(**{"seed": 9, **arguments})
    assert contents(tables) == before


@pytest.mark.parametrize("actions", [[0, 1], 3, [[0], [1], [2]], [0.0, 1.0, 2.0], [None] * 3])
def test_actions_of_the_wrong_shape_or_kind(actions: Any) -> None:
    tables = LearnerTables(make_game("sixty_six"), N, "random")
    tables.reset()
    with pytest.raises(ValueError, match=r"must be integers \(3,\)$"):
        tables.step(actions)


def test_the_clock_has_no_holes() -> None:
    assert holes(CLOCK) == 0
