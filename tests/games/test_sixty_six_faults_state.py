"""Faults of states, worlds and chance in public implementations: F10, F11, F17 to F24, one test each."""

from __future__ import annotations

import itertools
import pickle
import random
import re

import numpy as np
import pytest
from scipy import stats

from cardsim import rng
from cardsim.games.sixty_six.layout import STATE
from cardsim.registry import make_game
from cardsim.tables import Tables
from tests.games import test_sixty_six_faults
from tests.games.faults import (
    check_actions,
    check_clones,
    check_copies,
    check_hidden,
    check_processes,
    check_used_records,
    check_worlds,
)
from tests.games.scenes import stream
from tests.games.sixty_six_scenes import (
    FORMS,
    FULL,
    Scene,
    make,
    positions,
    scene,
    shuffled,
)


@pytest.mark.parametrize("rules", FORMS)
def test_f10_clones_and_sampled_worlds_share_nothing(rules: str) -> None:
    for seen in positions(rules, 2):
        check_clones(seen)


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
        check_worlds(seen, stream(k))


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
    seen = positions(rules, 2)
    assert sum(check_hidden(table, k, ("hand", "deck", "history", "points")) for k, table in enumerate(seen)) > 0
    assert {"lead", "follow"} <= {table.phase for table in seen}


@pytest.mark.parametrize("rules", FORMS)
def test_f19_every_listed_action_plays_and_no_mask_is_empty(rules: str) -> None:
    for seen in positions(rules, 3):
        check_actions(seen)


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


def test_f21_the_same_seed_gives_the_same_in_any_process_and_chunks() -> None:
    check_processes(make(""))


@pytest.mark.parametrize("rules", FORMS)
def test_f22_copies_in_mid_hand_continue_alike(rules: str) -> None:
    for number in range(3):
        check_copies(shuffled(rules, number).play_randomly(random.Random(number), 7))


@pytest.mark.parametrize("rules", FORMS)
def test_f23_nothing_survives_into_the_next_deal(rules: str) -> None:
    check_used_records(make(rules), Scene)
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
