"""Faults of public implementations, F10, F12 to F16 and F19 to F23, as they touch Zwicker.

F24 (biased shuffles) is in test_zwicker_exact. Each test looks for the whole kind, not only for the example that was
seen.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardsim.games.zwicker.layout import NO_CARD, STATE
from cardsim.tables import Tables
from tests.games.faults import check_clones, check_copies, check_processes, check_used_records
from tests.games.zwicker_positions import random_position
from tests.games.zwicker_scenes import FORMS, Scene, from_pack, make, posed, shuffled
from tests.reference.zwicker_play import parts

TWO = "players=2"
SIX = "preset=six_joker,players=2"


def some_positions(rules: str, deals: int, share: float = 0.2) -> list[Scene]:
    """Some positions of random deals, in every phase of a turn."""
    found = []
    for number in range(deals):
        table, source = shuffled(rules, number), random.Random(number)
        while table.player >= 0:
            if source.random() < share:
                found.append(table.copy())
            table.play_randomly(source, 1)
    return found


@pytest.mark.parametrize("rules", FORMS)
def test_f10_clones_and_sampled_worlds_share_nothing(rules: str) -> None:
    seen = [
        table
        for table in some_positions(rules, 1, 0.1)
        if sum(len(table.cards_of(seat)) for seat in range(table.game.num_players)) > 1
    ]
    assert len(seen) > 10
    for table in seen:  # not the last turn of a deal: where its cards end up, all the same
        check_clones(table)


def test_f12_the_whole_set_must_split_into_groups_of_the_value() -> None:
    assert posed(TWO, "7D; 2D", "7C 3H").takes("7D") == {"7C"}, "not the 3 as well"
    assert posed(TWO, "AD; 2D", "AC QH 3S").takes("AD") == {"AC"}
    assert posed(SIX, "AD; 8S", "AC QH 3S").takes("AD") == {"AC"}, "1 or 11 each; no 14, no 3"
    assert posed(TWO, "9D; 2D", "4H 5S 6C").takes("9D") == {"4H 5S"}
    assert posed(TWO, "9D; 2D", "3H 3S 3C 6D").takes("9D") == {"3H 6D", "3S 6D", "3C 6D", "3H 3S 3C"}


@pytest.mark.parametrize("preset", ["no_joker", "six_joker", "grupp"])
def test_f12_by_brute_force_over_random_tables(preset: str) -> None:
    captures = 0
    for number in range(60):
        rng = random.Random(number)
        table, states = random_position(preset, {"players": 2}, rng.randint(1, 6 if preset == "grupp" else 8), rng)
        scene = Scene(make(f"preset={preset},players=2"), states)
        taken = {text for card in set(table.hands[0]) for text in _subsets(table, card)}
        assert {text for text in scene.turns() if " take " in text} == taken
        captures += len(taken)
    assert captures > 100


def _subsets(table: Any, card: str) -> set[str]:
    """Every capture of a card as text, each subset of the table tried for itself."""
    found = set()
    items = [table.item_values(item) for item in table.table]
    for mask in range(1, 1 << len(items)):
        places = tuple(at for at in range(len(items)) if mask >> at & 1)
        if any(parts([items[at] for at in places], value) for value in table.values(card)):
            _, _, canonical = table.canonical(("take", card, places))
            found.add(" ".join([card, "take", *(table.table[at].cards[-1] for at in canonical)]))
    return found


def test_f13_one_capture_takes_builds_of_one_value_only() -> None:
    table = posed(SIX, "KD; 8S", "2C+2D=4@1 9C+5D=14@1")
    assert table.takes("KD") == {"2D", "5D"}, "never both"
    assert table.turn("KD take 2D").items() == ["9C+5D=14"]
    loose = posed(SIX, "KD; 8S", "2C+2D=4@1 KC 9C+5D=14@1")
    assert loose.takes("KD") == {"2D", "5D", "KC", "2D KC", "KC 5D"}, "the loose king at either"


def test_f14_what_is_left_goes_to_who_captured_last_not_to_who_plays_last() -> None:
    table = posed(TWO, "9D; 8S KS", "9C QC", piles="2H;3H 4H", player=0)
    table.turn("9D take 9C", "8S beside", "KS beside")
    assert table.pile(0) == sorted(["2H", "9D", "9C", "QC", "8S", "KS"]) and table.pile(1) == ["3H", "4H"]


@pytest.mark.parametrize("rules", ["players=5", "players=8", "preset=grupp,players=6"])
def test_f15_both_copies_are_counted_everywhere(rules: str) -> None:
    game = make(rules)
    whole = Counter(map(game.pack.text, game.deck()))
    assert set(whole.values()) >= {2}
    for seen in some_positions(rules, 2, 0.1):
        lying = [part for item in seen.items() for part in item.split("=")[0].split("+")]
        hands = [card for seat in range(game.num_players) for card in seen.cards_of(seat)]
        piles = [card for side in range(seen.sides) for card in seen.pile(side)]
        card = int(seen.state["card"])
        in_play = [] if card == NO_CARD else [game.pack.text(card)]
        assert Counter(lying + hands + piles + in_play + seen.talon()) == whole
    twins = posed("players=5,trail=free", "9D 9D 9C; 2S", "9H 9H")
    assert twins.cards_of(0) == ["9D", "9D", "9C"] and twins.items() == ["9H", "9H"]
    twins.turn("9D take 9H 9H")
    assert (twins.pile(0), twins.cards_of(0)) == (["9D", "9H", "9H"], ["9D", "9C"])


def test_f16_most_cards_tied_is_nobodys_whoever_comes_first() -> None:
    half = " ".join(f"{rank}{suit}" for suit in "DH" for rank in "23456789TAJQK")
    other = half.replace("D", "S").replace("H", "C")
    for piles in (f"{half};{other}", f"{other};{half}"):
        table = posed(TWO, "KS", "", piles=piles.replace(" KS", ""))
        table.state["capturer"] = 0 if "KS" in piles.split(";")[0] else 1
        assert sum(table.turn("KS beside").gained) == 20, "26:26"


@pytest.mark.parametrize("rules", FORMS)
def test_f16_turning_the_seats_turns_every_deal(rules: str) -> None:
    game = make(rules)
    for number in range(6):
        source = random.Random(number)
        pack = [game.pack.text(card) for card in game.deck()]
        source.shuffle(pack)
        first, second = from_pack(rules, pack, 0), from_pack(rules, pack, 1)
        while first.player >= 0:
            assert first.legal() == second.legal() and second.player == (first.player + 1) % game.num_players
            action = source.choice(sorted(first.legal()))
            first.play(action)
            second.play(action)
        assert second.gained == first.gained[-1:] + first.gained[:-1]
        assert second.zwicks == first.zwicks[-1:] + first.zwicks[:-1] and second.items() == first.items()


@pytest.mark.parametrize("rules", FORMS)
def test_f19_every_listed_action_plays_and_no_mask_is_empty(rules: str) -> None:
    phases = set()
    for seen in some_positions(rules, 2):
        phases.add(seen.phase)
        legal = seen.game.legal_actions(seen.states)
        assert legal
        for action in range(seen.game.num_actions):
            after = seen.copy()
            if action in legal:
                after.game.apply_action(after.states, action)
                assert bool(after.legal()) == (after.player >= 0)
            else:
                with pytest.raises(ValueError, match="illegal"):
                    after.game.apply_action(after.states, action)
                assert after.states.tobytes() == seen.states.tobytes()
    assert {"card", "act", "group", "target"} <= phases


@pytest.mark.parametrize("rules", [TWO, "preset=six_joker,players=4", "preset=grupp,players=3,match=true,n_deals=2"])
def test_f20_every_seat_is_paid_exactly_once(rules: str) -> None:
    game = make(rules)
    tables = Tables(game, 4, seed=5)
    batch, source = tables.reset(), np.random.default_rng(5)
    paid, ended, seats = np.zeros((4, game.num_players)), 0, set()
    while ended < 6:
        before = tables.states.copy()
        actions = np.array([source.choice(np.flatnonzero(mask)) for mask in batch.action_mask])
        batch = tables.step(actions)
        paid += batch.reward
        for i in np.flatnonzero(batch.ended):
            table = Scene(game, before[i : i + 1].copy())
            table.game.apply_action(table.states, int(actions[i]))
            assert np.allclose(paid[i], table.game.returns(table.states)) and abs(paid[i].sum()) < 1e-9
            seats |= set(np.flatnonzero(paid[i]))
            paid[i] = 0
            ended += 1
    assert seats == set(range(game.num_players))


def test_f21_the_same_seed_gives_the_same_in_any_process_and_chunks() -> None:
    check_processes(make(""))


@pytest.mark.parametrize("rules", FORMS)
def test_f22_copies_in_mid_turn_continue_alike(rules: str) -> None:
    for number in range(3):
        check_copies(shuffled(rules, number).play_randomly(random.Random(number), 21 + number))


@pytest.mark.parametrize("rules", FORMS)
def test_f23_nothing_survives_into_the_next_deal(rules: str) -> None:
    check_used_records(make(rules), Scene)
    match = shuffled(f"{rules},match=true,n_deals=4", 1)
    for hand in range(1, 4):
        dealer = match.play_randomly(random.Random(hand), 10_000).dealer
        match.game.deal_next(66, 1, hand, match.states)
        fresh = match.game.new_states()
        match.game.deal(0, 0, fresh)
        fresh["dealer"], fresh["phase"] = dealer, 0
        match.game.deal_next(66, 1, hand, fresh)
        for field in set(STATE.names or ()) - {"scores", "counts", "totals"}:
            assert match.states[field].tobytes() == fresh[field].tobytes(), field
