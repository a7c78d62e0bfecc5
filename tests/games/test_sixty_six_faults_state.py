"""Faults of states, worlds and chance in public implementations: F10, F11, F17 to F24, one test each."""

from __future__ import annotations

import copy
import hashlib
import itertools
import os
import pickle
import random
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cardsim import rng
from cardsim.games.sixty_six.layout import STATE
from cardsim.playout import play_random
from cardsim.registry import make_game
from cardsim.tables import Tables
from tests.games import test_sixty_six_faults
from tests.games.sixty_six_scenes import (
    FORMS,
    FULL,
    Scene,
    make,
    positions,
    scene,
    shuffled,
)


def stream(number: int) -> Any:
    """A seeded stream, shape (1,)."""
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(number), rng.USER)
    return streams


@pytest.mark.parametrize("rules", FORMS)
def test_f10_clones_and_sampled_worlds_share_nothing(rules: str) -> None:
    for seen in positions(rules, 2):
        before = seen.states.tobytes()
        actions = seen.game.legal_actions(seen.states)
        first, second = seen.copy(), seen.copy()
        seen.game.apply_action(first.states, actions[0])
        seen.game.apply_action(second.states, actions[-1])
        world = seen.copy()
        seen.game.resample_hidden(world.states, seen.player, stream(3))
        world.play_randomly(random.Random(1))
        assert seen.states.tobytes() == before
        again = seen.copy()
        seen.game.apply_action(again.states, actions[0])
        assert again.states.tobytes() == first.states.tobytes()
        assert (first.states.tobytes() == second.states.tobytes()) == (len(actions) == 1)


def test_f11_options_stay_in_force_through_resets() -> None:
    game = make_game("sixty_six", preset="schnapsen", claims="auto", closing=False, target=5, match=True)
    states = game.new_states(3)
    rules = game.rules.record.tobytes()
    for number in range(12):
        game.deal(number % 4, number, states, number % 3)
        Scene(game, states[number % 3 : number % 3 + 1]).play_randomly(random.Random(number))
        assert all(states["rules"][i].tobytes() == rules for i in range(3))
    assert pickle.loads(pickle.dumps(game)).rules.record.tobytes() == rules
    assert make_game(game.name).rules.record.tobytes() == rules
    assert "close" not in Scene(game, game.deal(1, 2)).legal()


@pytest.mark.parametrize("rules", FORMS)
def test_f17_sampled_worlds_contradict_nothing_that_is_known(rules: str) -> None:
    for k, seen in enumerate(positions(rules, 2)):
        streams = stream(k)
        for seat in range(seen.game.num_players):
            world = seen.copy()
            seen.game.resample_hidden(world.states, seat, streams)
            assert world.hand(seat) == seen.hand(seat)
            assert world.game.observe(world.states, seat).tobytes() == seen.game.observe(seen.states, seat).tobytes()
            for other in range(seen.game.num_players):
                assert len(world.hand(other)) == len(seen.hand(other))
                assert seen.sees_cards(seat, "known", other) <= world.hand(other)
                assert not seen.sees_cards(seat, "absent", other) & world.hand(other)


def test_f17_shown_void_announced_partner_and_exchanged_card() -> None:
    table = scene("", FULL).play("exchange", "pair S", "close", "KS", "JH")  # no spades, and a lower trump left
    mine, theirs = set[str](), set[str]()
    streams = stream(17)
    for _ in range(300):
        world = table.copy()
        world.game.resample_hidden(world.states, 0, streams)
        theirs |= world.hand(1)
        world = table.copy()
        world.game.resample_hidden(world.states, 1, streams)
        assert {"QS", "KH"} <= world.hand(0)
        mine |= world.hand(0)
    assert not {card for card in theirs if card[1] == "S"}
    assert {card[1] for card in theirs} == {"D", "H", "C"} and len(mine) > 10, "all else can be"


@pytest.mark.parametrize("rules", FORMS)
def test_f18_hidden_cards_change_neither_observations_nor_worlds(rules: str) -> None:
    moved, phases = 0, set()
    for k, seen in enumerate(positions(rules, 2)):
        phases.add(seen.phase)
        for seat in range(seen.game.num_players):
            other = seen.copy()
            other.game.resample_hidden(other.states, seat, stream(k))
            moved += other.states.tobytes() != seen.states.tobytes()
            assert other.game.observe(other.states, seat).tobytes() == seen.game.observe(seen.states, seat).tobytes()
            if seat == seen.player:
                assert other.legal() == seen.legal()
            worlds = [seen.copy(), other.copy()]
            for world in worlds:
                world.game.resample_hidden(world.states, seat, stream(k + 1000))
            for field in ("hand", "deck", "history", "points"):
                assert worlds[0].state[field].tobytes() == worlds[1].state[field].tobytes(), "the same law"
    assert moved > 0 and {"lead", "follow"} <= phases


@pytest.mark.parametrize("rules", FORMS)
def test_f19_every_listed_action_plays_and_no_mask_is_empty(rules: str) -> None:
    pack = make(rules).deck()
    for seen in positions(rules, 3):
        legal = seen.game.legal_actions(seen.states)
        assert legal
        for action in range(seen.game.num_actions):
            after = seen.copy()
            if action not in legal:
                with pytest.raises(ValueError, match="illegal"):
                    seen.game.apply_action(after.states, action)
                assert after.states.tobytes() == seen.states.tobytes()
                continue
            seen.game.apply_action(after.states, action)
            state = after.state
            held = [card for seat in range(4) for card in range(32) if state["hand"][seat] >> card & 1]
            rest = [card for card in [*state["deck"], *state["history"], state["up"]] if card < 32]
            assert sorted(held + rest) == pack, "every card in one place"
            assert bool(after.legal()) == (after.player >= 0)


@pytest.mark.parametrize("rules", ["", "preset=schnapsen,claims=true_only", "preset=four_hand", "match=true"])
def test_f20_both_sides_are_paid_exactly_once(rules: str) -> None:
    tables = Tables(make(rules), 16, seed=5)
    batch, source, ended = tables.reset(), np.random.default_rng(5), 0
    for _ in range(400):
        actions = np.array([source.choice(np.flatnonzero(mask)) for mask in batch.action_mask])
        batch = tables.step(actions)
        assert not batch.reward[~batch.ended].any()
        for reward in batch.reward[batch.ended]:
            assert reward.sum() == 0 and (reward.all() or not reward.any())
            ended += 1
    assert ended > 20


TRACE = """
import hashlib
import numpy as np
from cardsim import rng
from cardsim.playout import play_random
from cardsim.registry import make_game
game = make_game("sixty_six")
digest, totals = hashlib.sha256(), np.zeros(4, np.int64)
for number in range(20):
    digest.update(game.deal(7, number).tobytes())
play_random(game.new_states(), rng.new_streams(3), np.uint64(7), np.uint64(0), 200, totals)
print(digest.hexdigest(), totals.tolist())
"""


def test_f21_the_same_seed_gives_the_same_in_any_process_and_chunks() -> None:
    game = make("")
    digest, totals = hashlib.sha256(), np.zeros(4, np.int64)
    for number in range(20):
        digest.update(game.deal(7, number).tobytes())
    for first in (150, 0, 50, 100):  # chunks in any order
        play_random(game.new_states(), rng.new_streams(3), np.uint64(7), np.uint64(first), 50, totals)
    expected = f"{digest.hexdigest()} {totals.tolist()}"
    for seed, threads in (("0", "1"), ("123", "2")):
        words = {**os.environ, "PYTHONHASHSEED": seed, "NUMBA_NUM_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", TRACE], env=words, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected
    different = game.deal(8, 0).tobytes(), game.deal(7, 1).tobytes()
    assert game.deal(7, 0).tobytes() not in different, "seed and number are used"


@pytest.mark.parametrize("rules", FORMS)
def test_f22_copies_in_mid_hand_continue_alike(rules: str) -> None:
    for number in range(3):
        table = shuffled(rules, number).play_randomly(random.Random(number), 7)
        game = pickle.loads(pickle.dumps(table.game))
        ways = [
            Scene(game, pickle.loads(pickle.dumps(table.states))),
            Scene(copy.deepcopy(table.game), copy.deepcopy(table.states)),
            Scene(table.game, np.frombuffer(bytearray(table.states.tobytes()), STATE)),
        ]
        table.play_randomly(random.Random(99))
        for other in ways:
            assert other.play_randomly(random.Random(99)).states.tobytes() == table.states.tobytes()


@pytest.mark.parametrize("rules", FORMS)
def test_f23_nothing_survives_into_the_next_deal(rules: str) -> None:
    game = make(rules)
    used = game.new_states()
    for number in range(25):
        game.deal(3, number, used)
        assert used.tobytes() == game.deal(3, number).tobytes()
        Scene(game, used).play_randomly(random.Random(number))
    joined = f"{rules},match=true,target=50" if rules else "match=true,target=50"
    kept = {
        "scores",
        "counts",
        "carry",
        "deals",
        "decisions",
        "decided",
        "forehand_wins",
        "played_out",
        "ties",
    }
    match = shuffled(joined, 1)
    for hand in range(1, 8):
        if match.play_randomly(random.Random(hand)).phase == "over":
            break
        match.game.deal_next(66, 1, hand, match.states)
        deck = match.game.new_states()
        dealer = int(match.state["dealer"])
        match.game.deal(0, 0, deck)
        deck["dealer"], deck["phase"], deck["deals"] = dealer, 0, 1
        match.game.deal_next(66, 1, hand, deck)
        for field in set(STATE.names or ()) - kept:
            assert match.states[field].tobytes() == deck[field].tobytes(), field


def test_f24_every_order_of_a_shuffle_is_equally_likely() -> None:
    counts = dict.fromkeys(itertools.permutations(range(4)), 0)
    naive = dict.fromkeys(counts, 0)
    streams, source = stream(24), random.Random(24)
    for _ in range(12_000):
        cards = np.arange(4, dtype=np.uint8)
        rng.shuffle(streams[0], cards, 4)
        counts[tuple(cards.tolist())] += 1
        swapped = list(range(4))
        for i in range(4):
            j = source.randrange(4)  # the full-range swap
            swapped[i], swapped[j] = swapped[j], swapped[i]
        naive[tuple(swapped)] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4
    assert stats.chisquare(list(naive.values())).pvalue < 1e-9, "so this test sees a biased shuffle"


def test_every_fault_of_sixty_six_has_a_test() -> None:
    names = {*globals(), *vars(test_sixty_six_faults)}
    numbers = {int(match[1]) for name in names if (match := re.match(r"test_f(\d\d)_", name))}
    assert numbers == {*range(1, 12), *range(16, 27)}
