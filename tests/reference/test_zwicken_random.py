"""The referee of Zwicken by itself: random play of every variant."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from .zwicken import Referee
from .zwicken_deals import RANDOM_SESSIONS, SEATS, act, deal, shuffled
from .zwicken_options import CHOICES, SWITCHES, VARIANTS

# ---- random play --------------------------------------------------------------------------------------


def check(table: Referee, total: int) -> None:
    """Section 5: chips are conserved, and every card lies in exactly one place."""
    assert sum(table.chips) + table.pot == total
    assert table.pot >= 0
    if table.turned is None:
        return
    places = [card for hand in table.hands for card in hand] + [card for pile in table.discards for card in pile]
    places += table.talon + [card for _, card in table.history] + [table.turned]
    assert sorted(places) == sorted(table.form.pack)
    assert table.history[len(table.history) - len(table.trick) :] == table.trick
    if table.player is not None:
        assert table.legal()
        assert table.node != "play" or table.player in table.active


def play_session(table: Referee, rng: random.Random, dealer: int, pot: int = 0) -> list[Any]:
    """Random play to the end of the episode with every check; returns the actions and results."""
    table.start(dealer, pot)
    trace: list[Any] = []
    total = sum(table.chips) + pot
    aliquot = table.stake % table.form.hand == 0 and pot % table.stake == 0
    while not table.over:
        went = table.attempt(shuffled(table, rng))
        check(table, total)
        assert went == (table.node == "announce")
        played_for = table.pot
        while table.node:
            assert table.pot == played_for  # ZP26
            actions = sorted(table.legal())
            if table.node == "announce" and "play" in actions and rng.random() < 0.5:
                actions = ["play"]
            action = rng.choice(actions)
            trace.append((table.player, action))
            table.apply(action)
            check(table, total)
        if went:
            assert table.deal_over and table.player is None and table.legal() == set()
            if table.history:
                assert sum(table.tricks) == table.form.hand
                assert len(table.history) == table.form.hand * len(table.active)
            if aliquot:
                assert table.pot % table.stake == 0  # ZP35
            assert all(seat in table.active or table.betes[seat] == 0 for seat in range(table.players))
            trace.append((list(table.gained), list(table.betes), table.pot))
    return trace


@pytest.mark.parametrize(("variant", "players"), [(v, n) for v in VARIANTS for n in SEATS[v]])
@pytest.mark.parametrize("session", [False, True])
def test_zq29_chips_and_cards_are_conserved(variant: str, players: int, session: bool) -> None:
    rng = random.Random(f"{variant} {players}")
    table = Referee(variant, session=session, players=players, n_deals=5, start_chips=7)
    for count in range(RANDOM_SESSIONS):
        play_session(table, rng, count % players, pot=count)


VALUES: list[tuple[str, Any]] = [(name, value) for name, values in CHOICES.items() for value in values]
VALUES += [(name, value) for name in SWITCHES for value in (True, False)]
VALUES += [("max_swaps", value) for value in range(5)] + [("stake", value) for value in (1, 2, 5, 12)]
VALUES += [("bete_cap", 1), ("target_chips", 9), ("start_chips", -4)]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_section_4_every_option_value_plays_in_every_variant(name: str, value: Any) -> None:
    rng = random.Random(f"{name} {value}")
    for variant in VARIANTS:
        for players in SEATS[variant]:
            table = Referee(variant, session=True, **{"players": players, "n_deals": 4, name: value})
            play_session(table, rng, 0)


def test_section_4_random_mixtures_of_options() -> None:
    rng = random.Random(4)
    for _ in range(400):
        options: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.items()}
        options |= {name: rng.random() < 0.5 for name in SWITCHES}
        options |= {"max_swaps": rng.randrange(5), "bete_cap": rng.choice([1, 3, 1000]), "n_deals": 3}
        variant = rng.choice(VARIANTS)
        table = Referee(variant, session=True, players=rng.choice(SEATS[variant]), **options)
        play_session(table, rng, 0, pot=rng.randrange(7))
        if options["duties"] == "enforce" and options["belli_duty"] != "loss_pays":
            most = 2 if options["durchmarsch"] != "single_bete" else 1
            assert max(table.betes) <= most  # ZP23: nothing is left but the trickless


def test_f21_f23_a_used_table_plays_like_a_fresh_one() -> None:
    for variant in VARIANTS:
        used = Referee(variant, session=True)
        play_session(used, random.Random(1), 0)
        fresh = play_session(Referee(variant, session=True), random.Random(2), 1)
        assert play_session(used, random.Random(2), 1) == fresh


def test_f10_f22_copies_are_independent_and_go_on_alike() -> None:
    table = deal(["KH QH JH", "KC QC JC"], "play, play")
    first, second = copy.deepcopy(table), copy.deepcopy(table)
    act(first, "swap KH")
    assert table.hands[0] == second.hands[0] == {"KH", "QH", "JH"}
    act(second, "swap KH")
    assert vars(first) == vars(second)
