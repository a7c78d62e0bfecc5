"""Faults of public implementations, F16 to F25, as they touch Zwicken.

F15 (twin cards of two packs) cannot arise, since each card is there once: F19 counts them after every action. Of F16
(most cards tied) only its second half applies, the seats turned. F24 (biased shuffles) is in test_zwicken_exact. Each
test looks for the whole kind, not only for the example that was seen.
"""

from __future__ import annotations

import itertools
import random
import re

import numpy as np
import pytest

from cardsim.games.zwicken.layout import STATE
from cardsim.tables import Tables
from tests.games import test_zwicken_exact
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
from tests.games.zwicken_scenes import (
    FORMS,
    Scene,
    dealt,
    from_pack,
    make,
    positions,
    shuffled,
    tricks,
    trumps_of,
    winner,
)

RANKS = "6789TJQKA"
HIDDEN = ("hand", "thrown", "deck", "history", "faults")


@pytest.mark.parametrize("rules", FORMS)
def test_f10_clones_and_sampled_worlds_share_nothing(rules: str) -> None:
    for seen in positions(rules, 2):
        check_clones(seen)


@pytest.mark.parametrize("rules", FORMS)
def test_f16_turning_the_seats_turns_every_deal(rules: str) -> None:
    game = make(rules)
    for number in range(15):
        source = random.Random(number)
        pack = [game.pack.text(card) for card in game.deck()]
        source.shuffle(pack)
        pack.append(pack.pop(next(k for k, name in enumerate(pack) if name[0] not in "A7")))
        first, second = from_pack(rules, pack, 0), from_pack(rules, pack, 1)
        while first.player >= 0:
            assert first.legal() == second.legal() and second.player == (first.player + 1) % game.num_players
            action = source.choice(sorted(first.legal()))
            first.play(action)
            second.play(action)
        assert second.gained == first.gained[-1:] + first.gained[:-1] and first.pot == second.pot
        assert second.tricks == first.tricks[-1:] + first.tricks[:-1] and first.reason == second.reason


@pytest.mark.parametrize("rules", FORMS)
def test_f17_sampled_worlds_contradict_nothing_that_is_known(rules: str) -> None:
    for k, seen in enumerate(positions(rules, 2)):
        check_worlds(seen, stream(k))


def worlds(table: Scene, observer: int, seat: int, count: int = 200) -> set[str]:
    """All cards that a seat holds in some worlds that an observer thinks possible."""
    held, streams = set[str](), stream(17)
    for _ in range(count):
        world = table.copy()
        world.game.resample_hidden(world.states, observer, streams)
        held |= world.hand(seat)
    return held


def test_f17_voids_a_pass_and_the_number_of_discards() -> None:
    table = tricks("players=4", "9S,TS,JS;8C,9C,TC;QS,KC,QC", "9S 8C", stay="012")
    held = worlds(table, 0, 1)
    assert not {card for card in held if card[1] in "SH" or card == "7D"}, "neither spades nor trumps"
    assert {card[1] for card in held} == {"D", "C"} and len(held) > 8, "all else can be"
    assert "AH" not in worlds(table, 0, 3) and "7D" in worlds(table, 0, 3), "who passed lacks the trump Ace"
    assert "AH" in worlds(table, 0, 2)
    enforced = tricks("players=3,duties=enforce", "9S,TS,JS;8C,9C,TC;QS,KC,QC", "9S")
    assert "AH" not in worlds(enforced, 1, 0), "who was to lead the Ace and did not"
    assert "AH" in worlds(tricks("players=3", "9S,TS,JS;8C,9C,TC;QS,KC,QC", "9S"), 1, 0)
    swapped = dealt("players=3").announce()
    swapped.play(min(swapped.cards()), "stop")
    world = swapped.copy()
    world.game.resample_hidden(world.states, 1, stream(2))
    assert (len(world.thrown(0)), len(world.thrown(1)), len(world.talon())) == (1, 0, len(swapped.talon()))


@pytest.mark.parametrize("rules", FORMS)
def test_f18_hidden_cards_change_neither_observations_nor_worlds(rules: str) -> None:
    seen = positions(rules, 3)
    assert sum(check_hidden(table, k, HIDDEN) for k, table in enumerate(seen)) > 0
    assert {table.phase for table in seen} == {"announce", "swap", "lead", "follow"}


@pytest.mark.parametrize("rules", FORMS)
def test_f19_every_listed_action_plays_and_no_mask_is_empty(rules: str) -> None:
    for seen in positions(rules, 3):
        check_actions(seen, ("hand", "thrown"))


@pytest.mark.parametrize("rules", ["", "preset=four_card,durchmarsch=extra_to_winner", "players=2,match=true"])
def test_f20_every_seat_is_paid_exactly_once(rules: str) -> None:
    game = make(rules)
    tables = Tables(game, 8, seed=5)
    batch, source = tables.reset(), np.random.default_rng(5)
    paid, ended, seats = np.zeros((8, game.num_players)), 0, set()
    for _ in range(300):
        before = tables.states.copy()
        actions = np.array([source.choice(np.flatnonzero(mask)) for mask in batch.action_mask])
        batch = tables.step(actions)
        for i in range(8):
            table = Scene(game, before[i : i + 1].copy())
            table.game.apply_action(table.states, int(actions[i]))
            settled = table.player < 0
            assert batch.reward[i].tolist() == (table.gained if settled else [0] * game.num_players)
            paid[i] += batch.reward[i]
            if batch.ended[i]:
                assert paid[i].tolist() == table.chips and paid[i].sum() == -table.pot
                seats |= set(np.flatnonzero(paid[i]))
                paid[i] = 0
                ended += 1
    assert ended > 20 and seats == set(range(game.num_players))


def test_f21_the_same_seed_gives_the_same_in_any_process_and_chunks() -> None:
    check_processes(make(""))


@pytest.mark.parametrize("rules", FORMS)
def test_f22_copies_in_mid_hand_continue_alike(rules: str) -> None:
    for number in range(3):
        check_copies(shuffled(rules, number).play_randomly(random.Random(number), 7))


@pytest.mark.parametrize("rules", FORMS)
def test_f23_nothing_survives_into_the_next_deal(rules: str) -> None:
    check_used_records(make(rules), Scene)
    kept = {"chips", "before", "pot", "pots", "counts", "decisions", "deals", "cuts", "belli_cuts", "stayed"}
    kept |= {"all_passed", "unopposed", "marches"}
    match = shuffled(f"{rules},match=true,n_deals=8".lstrip(","), 1)
    for hand in range(1, 8):
        dealer = match.play_randomly(random.Random(hand)).dealer
        match.game.deal_next(66, 1, hand, match.states)
        fresh = match.game.new_states()
        match.game.deal(0, 0, fresh)
        fresh["dealer"], fresh["phase"], fresh["attempts"] = dealer, 0, 0
        match.game.deal_next(66, 1, hand, fresh)
        for field in set(STATE.names or ()) - kept:
            assert match.states[field].tobytes() == fresh[field].tobytes(), field


@pytest.mark.parametrize("rules", FORMS)
def test_f25_the_order_of_trumps_is_that_of_the_cards(rules: str) -> None:
    assert winner("", "9S", "AS", "8S") == 1
    beaten = set()
    for number in range(60):
        table = shuffled(rules, number)
        source, order = random.Random(number), trumps_of(rules, table.trump())
        while table.player >= 0:
            start = table.state["trick_start"]
            table.play(source.choice(sorted(table.legal() - {"pass"})))
            cards = [table.game.pack.text(card) for card in table.state["history"][start : table.state["played"]]]
            if table.state["trick_start"] == start or not cards:
                continue
            movers = table.state["movers"][start : table.state["played"]].tolist()
            lying = [card for card in order if card in cards]
            plain = [card for card in cards if card[1] == cards[0][1]]
            best = lying[0] if lying else max(plain, key=lambda card: RANKS.index(card[0]))
            assert table.state["leader"] == movers[cards.index(best)], cards
            beaten |= set(itertools.pairwise(lying))
    assert len(beaten) >= 10, "different pairs of trumps have met"


def test_every_fault_that_touches_zwicken_has_a_test() -> None:
    names = {*globals(), *vars(test_zwicken_exact)}
    numbers = {int(match[1]) for name in names if (match := re.match(r"test_f(\d\d)_", name))}
    assert numbers == {10, *range(16, 26)}
