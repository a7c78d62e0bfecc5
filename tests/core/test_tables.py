"""N tables in lockstep against single games, errors that change nothing, states saved and put back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardsim import contract
from cardsim.bits import U64
from cardsim.game import Game
from cardsim.jit import DISABLED
from cardsim.tables import CLOCK, ILLEGAL, Batch, Tables, advance
from tests.core.batches import GAMES, STEPS, N, contents, every_game, flat, play


class Single:
    """Table `place` of `N`, played by the calls of `Game`."""

    def __init__(self, game: Game, seed: int, place: int, count: int) -> None:
        self.game, self.seed, self.count = game, seed, count
        self.states = game.new_states()
        self.begin(place)

    def begin(self, episode: int) -> None:
        self.episode, self.hand, self.paid = episode, 1, np.zeros(self.game.num_players)
        self.game.deal(self.seed, episode, self.states)

    def step(self, action: int) -> tuple[list[float], bool]:
        self.game.apply_action(self.states, action)
        player = self.game.current_player(self.states)
        if player >= 0:
            return [0.0] * self.game.num_players, False
        returns = self.game.returns(self.states)
        reward = (returns - self.paid).tolist()
        self.paid = returns
        if player == contract.CHANCE:
            self.game.deal_next(self.seed, self.episode, self.hand, self.states)
            self.hand += 1
        else:
            self.begin(self.episode + self.count)
        return reward, player == contract.TERMINAL


@every_game
def test_tables_play_what_single_games_play(name: str) -> None:
    game = GAMES[name]()
    tables = Tables(game, N, seed=5)
    batch = tables.reset()
    singles = [Single(game, 5, place, N) for place in range(N)]
    ends = 0
    for _ in range(STEPS):
        for i, single in enumerate(singles):
            player = game.current_player(single.states)
            assert tables.states[i].tobytes() == single.states[0].tobytes()
            assert batch.player[i] == player
            assert batch.observation[i].tolist() == game.observe(single.states, player).tolist()
            assert np.flatnonzero(batch.action_mask[i]).tolist() == game.legal_actions(single.states)
        actions = tables.random_actions()
        batch = tables.step(actions)
        for i, single in enumerate(singles):
            reward, ended = single.step(int(actions[i]))
            assert batch.reward[i].tolist() == reward
            assert bool(batch.ended[i]) == ended
            ends += ended
    assert ends >= N


@every_game
def test_shapes_and_dtypes(name: str) -> None:
    game = GAMES[name]()
    tables = Tables(game, N)
    for batch in (tables.reset(), tables.step(tables.random_actions()), tables.new_batch()):
        assert [(array.shape, array.dtype.str) for array in batch] == [
            ((N, game.observation_size), "|i1"),
            ((N, game.num_actions), "|i1"),
            ((N,), "<i8"),
            ((N, game.num_players), "<f8"),
            ((N,), "|b1"),
        ]
    batch = tables.reset()
    assert set(np.unique(batch.action_mask)) == {0, 1}
    assert not batch.reward.any()
    assert not batch.ended.any()


@every_game
def test_rewards_add_up_to_returns(name: str) -> None:
    game = GAMES[name]()
    tables = Tables(game, N, seed=9)
    paid, episode = np.zeros((N, game.num_players)), [0] * N
    finished: dict[int, list[float]] = {}
    for _ in range(STEPS):
        batch = tables.step(tables.random_actions())
        paid += batch.reward
        for i in np.flatnonzero(batch.ended).tolist():
            finished[i + N * episode[i]] = paid[i].tolist()
            paid[i] = 0
            episode[i] += 1
    assert len(finished) >= N
    assert all(abs(sum(returns)) < 1e-9 for returns in finished.values())
    assert tables.clock["episode"].tolist() == [i + N * episode[i] for i in range(N)]
    assert any(any(returns) for returns in finished.values())


@pytest.mark.parametrize("name", ["pile of hands", "match"])
def test_the_clock_counts_hands_and_starts_anew_with_each_episode(name: str) -> None:
    tables = Tables(GAMES[name](), 1, seed=2)
    before, most, ended = 1, 1, False
    for _ in range(STEPS):
        ended = bool(tables.step(tables.random_actions()).ended[0])
        hand = int(tables.clock["hand"][0])
        if ended:
            assert hand == 1
            assert not tables.clock["total"].any()
        else:
            assert hand - before in (0, 1)
        before, most = hand, max(most, hand)
    assert most > 1


@every_game
def test_how_many_tables_there_are_does_not_change_an_episode(name: str) -> None:
    """Always the lowest legal action: what each episode pays then depends on its number alone."""
    game = GAMES[name]()

    def paid(count: int, wanted: int) -> dict[int, list[float]]:
        tables = Tables(game, count, seed=3)
        batch, sums, done = tables.reset(), np.zeros((count, game.num_players)), dict[int, list[float]]()
        numbers = tables.clock["episode"].tolist()
        while not set(range(wanted)) <= set(done):
            batch = tables.step(batch.action_mask.argmax(axis=1))
            sums += batch.reward
            for i in np.flatnonzero(batch.ended).tolist():
                done[numbers[i]] = sums[i].tolist()
                sums[i] = 0
                numbers[i] += count
        return {number: done[number] for number in range(wanted)}

    wanted = 3 if DISABLED else 6
    assert paid(1, wanted) == paid(2, wanted) == paid(5, wanted)


def test_reset_deals_the_same_again_and_a_new_seed_stays() -> None:
    game = GAMES["base"]()
    tables = Tables(game, N, seed=1)
    first, future = flat(tables.reset()), play(tables, 20)
    assert flat(tables.reset()) == first
    assert play(tables, 20) == future
    other = flat(tables.reset(seed=2))
    assert other != first
    assert flat(tables.reset()) == other
    assert flat(Tables(game, N, seed=2).reset()) == other


@every_game
def test_given_arrays_are_written_and_nothing_else_differs(name: str) -> None:
    game = GAMES[name]()
    plain, given = Tables(game, N, seed=4), Tables(game, N, seed=4)
    out = given.new_batch()
    for array in out:
        array[...] = 77 if array.dtype != np.bool_ else True
    assert given.reset(out=out) is out
    assert flat(out) == flat(plain.reset())
    for _ in range(30):
        actions = plain.random_actions()
        assert given.random_actions().tolist() == actions.tolist()
        for array in out:
            array[...] = 77 if array.dtype != np.bool_ else True
        assert given.step(actions, out=out) is out
        assert flat(out) == flat(plain.step(actions))
    seen = np.full((N, game.observation_size), 7, np.int8)
    assert given.observe(0, out=seen) is seen
    assert seen.tolist() == plain.observe(0).tolist()


def test_new_arrays_are_new_each_time() -> None:
    tables = Tables(GAMES["pile"](), N)
    first = tables.reset()
    kept = flat(first)
    tables.step(tables.random_actions())
    assert flat(first) == kept


@pytest.mark.parametrize("field", Batch._fields)
def test_arrays_that_do_not_fit_are_refused(field: str) -> None:
    tables = Tables(GAMES["pile"](), N)
    good = tables.new_batch()
    array = getattr(good, field)
    actions = tables.random_actions()
    before = contents(tables)
    for wrong in (array[:-1], array.astype(np.float32), None, array.tolist()):
        bad = good._replace(**{field: wrong})
        with pytest.raises(ValueError, match=rf"^out\.{field}: must be a writable .* array of shape"):
            tables.reset(out=bad)
        with pytest.raises(ValueError, match=rf"^out\.{field}: must be a writable .* array of shape"):
            tables.step(actions, out=bad)
        assert contents(tables) == before


def test_arrays_with_gaps_or_of_another_kind_are_refused() -> None:
    """Whole words are stored into them, so that a wrong layout would be filled with rubbish."""
    game = GAMES["base"]()
    tables = Tables(game, N)
    size = game.observation_size
    wide = np.zeros((N, 2 * size), np.int8)[:, ::2]
    with pytest.raises(ValueError, match=r"^out\.observation: must be a writable C-contiguous int8 array"):
        tables.reset(out=tables.new_batch()._replace(observation=wide))
    with pytest.raises(ValueError, match=r"^out: must be a writable C-contiguous int8 array"):
        tables.observe(0, out=wide)
    frozen = np.zeros(size, np.int8)
    frozen.flags.writeable = False
    for bad in (np.zeros(size, np.float32), np.zeros(size - 1, np.int8), np.zeros(2 * size, np.int8)[::2], frozen):
        with pytest.raises(ValueError, match=r"^out: must be a writable C-contiguous int8 array of shape"):
            game.observe(tables.states, 0, out=bad)


@every_game
def test_an_illegal_action_changes_no_byte_at_any_table(name: str) -> None:
    game = GAMES[name]()
    tables = Tables(game, N, seed=6)
    for _ in range(15):
        batch = tables.step(tables.random_actions())
    legal = batch.action_mask.argmax(axis=1)
    out = tables.new_batch()
    for array in out:
        array[...] = 1
    before, untouched = contents(tables), flat(out)
    illegal = int((1 - batch.action_mask[2]).argmax())
    for wrong in (illegal, -1, -2, game.num_actions, 63, 64, 64 + int(legal[2]), 128, 2**40, -(2**62)):
        actions = legal.copy()
        actions[2] = wrong
        with pytest.raises(ValueError, match=rf"^table 2: action {wrong}\b.* is illegal; legal: \d+ \(") as caught:
            tables.step(actions, out=out)
        assert "\n" not in str(caught.value)
        assert game.action_names[int(legal[2])] in str(caught.value)
        assert contents(tables) == before
        assert flat(out) == untouched


@pytest.mark.parametrize(
    "actions", [[0, 1], 3, [[0], [1], [2]], [0.0, 1.0, 2.0], ["a", "b", "c"], [True, False, True], [None] * 3]
)
def test_actions_of_the_wrong_shape_or_kind(actions: Any) -> None:
    tables = Tables(GAMES["pile"](), N)
    before = contents(tables)
    with pytest.raises(ValueError, match=r"must be integers \(3,\)$"):
        tables.step(actions)
    assert contents(tables) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, list])
def test_actions_of_any_integer_kind(kind: Any) -> None:
    tables = Tables(GAMES["base"](), N, seed=1)
    actions = tables.reset().action_mask.argmax(axis=1)
    given = actions.tolist() if kind is list else actions.astype(kind)
    assert flat(tables.step(given)) == flat(Tables(GAMES["base"](), N, seed=1).step(actions))


@pytest.mark.parametrize("count", [0, -1, 1.0, True, "3", None])
def test_numbers_of_tables_that_are_refused(count: Any) -> None:
    with pytest.raises(ValueError, match=r"^num_tables .*: must be an integer of at least 1$"):
        Tables(GAMES["pile"](), count)


def test_seeds_are_checked() -> None:
    with pytest.raises(ValueError, match="seed -1"):
        Tables(GAMES["pile"](), 1, seed=-1)
    tables = Tables(GAMES["pile"](), 1, seed=3)
    before = contents(tables)
    with pytest.raises(ValueError, match=r"seed 0\.5"):
        tables.reset(seed=0.5)  # type: ignore[arg-type]
    assert contents(tables) == before
    assert tables.seed == 3


# --- observations of any seat


@every_game
def test_any_seat_can_be_observed(name: str) -> None:
    game = GAMES[name]()
    tables = Tables(game, N, seed=8)
    for _ in range(7):
        batch = tables.step(tables.random_actions())
    assert tables.observe(batch.player).tolist() == batch.observation.tolist()
    before = contents(tables)
    for seat in range(game.num_players):
        seen = tables.observe(seat)
        assert seen.dtype == np.int8
        for i in range(N):
            assert seen[i].tolist() == game.observe(tables.states, seat, i).tolist()
    assert contents(tables) == before


@pytest.mark.parametrize("players", [-1, 3, [0, 1, 3]])
def test_seats_that_there_are_not(players: Any) -> None:
    with pytest.raises(ValueError, match=r"must be from 0 to 2$"):
        Tables(GAMES["pile"](), N).observe(players)


def test_clock_has_no_holes() -> None:
    assert contract.holes(CLOCK) == 0


# --- single environments


@every_game
def test_advance_checks_plays_and_encodes(name: str) -> None:
    game = GAMES[name]()
    states, twin = game.deal(1, 2), game.deal(1, 2)
    observation, mask = np.zeros(game.observation_size, np.int8), np.zeros(game.num_actions, np.int8)
    player = game.current_player(states)
    while player >= 0:
        before = states.tobytes()
        legal = game.legal_actions(states)
        for wrong in (
            -1,
            -(2**40),
            63,
            64 + legal[0],
            *(a for a in range(game.num_actions) if a not in legal),
        ):
            assert advance(states, 0, wrong, observation, mask) == ILLEGAL
        assert states.tobytes() == before
        player = int(advance(states, 0, legal[-1], observation, mask))
        game.apply_action(twin, legal[-1])
        assert states.tobytes() == twin.tobytes()
        assert player == game.current_player(twin)
        if player >= 0:
            assert observation.tolist() == game.observe(twin, player).tolist()
            assert np.flatnonzero(mask).tolist() == game.legal_actions(twin)
    assert player in (contract.CHANCE, contract.TERMINAL)
    assert advance(states, 0, 0, observation, mask) == ILLEGAL
    assert U64(game.legal_mask(states)) == 0
