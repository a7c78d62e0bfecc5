"""Sixty-Six at its edges: very long matches, a draw that all see, worlds that do not exist."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six.layout import HAND_COLUMNS, SEAT_COLUMNS
from cardsim.jit import DISABLED
from tests.games.sixty_six_scenes import make, scene

TARGET = 60 if DISABLED else 3000
"""3000: thousands of deals, whose card points would not fit 16 bits."""


def test_the_sums_of_a_long_match_do_not_wrap() -> None:
    game = make(f"match=true,target={TARGET},claims=auto")
    source, seed, number = random.Random(1), 5, 0
    states = game.deal(seed, number)
    sums = {"tricks": np.zeros(2, np.int64), "points": np.zeros(2, np.int64), "gained": np.zeros(2, np.int64)}
    deals = decisions = 0
    while True:
        player = game.current_player(states)
        if player >= 0:
            game.apply_action(states, source.choice(game.legal_actions(states)))
            decisions += 1
            continue
        deals += 1
        for field, total in sums.items():
            total += states[field][0, :2]
        if player == TERMINAL:
            break
        assert player == CHANCE
        game.deal_next(seed, number, deals, states)
    hand = np.zeros(len(HAND_COLUMNS), np.int32)
    seats = np.zeros((2, len(SEAT_COLUMNS)), np.int32)
    contract.outcome(states[0], hand, seats)
    column = {name: seats[:, k].tolist() for k, name in enumerate(SEAT_COLUMNS)}
    assert column["tricks"] == sums["tricks"].tolist()
    assert column["card_points"] == sums["points"].tolist()
    assert column["game_points"] == sums["gained"].tolist() == states["scores"][0, :2].tolist()
    assert hand[:3].tolist() == [deals, decisions, sum(column["wins"])]
    assert max(column["game_points"]) in range(TARGET, TARGET + 3)
    if not DISABLED:
        assert min(column["card_points"]) > 2**15, "else this would show nothing"
    assert 1 <= sum(column["tricks"]) / deals <= 12
    assert 66 <= sum(column["card_points"]) / deals <= 230  # 120 in cards, 100 in marriages, ten for the last trick


def test_sp36_a_draw_that_all_see_keeps_what_a_seat_was_seen_to_lack() -> None:
    rules = "announce=forced,early_marriage=pending,close_timing=after_draw"
    words = "hands=KS,9H,TD,TC,JC,QD;AS,AH,TH,QC,JD,JH up=KH tricks=3,2 points=20,20"
    table = scene(rules, words)
    assert len(table.talon()) == 1
    table.play("KS")  # and declares nothing: the queen is not there (SP32)
    assert table.sees_cards(1, "absent", of=0) == {"QS"}
    table.play("AS")  # seat 1 draws face down, seat 0 takes the turned card
    assert "KH" in table.hand(0) and not table.talon()
    assert table.sees_cards(1, "absent", of=0) == {"QS"}
    assert table.sees_cards(1, "known", of=0) == {"KH"}
    hidden = scene(rules, words).play("KS", "JD")  # now seat 0 draws face down: it may be the queen
    assert hidden.up() == "" and "KH" in hidden.hand(1)
    assert hidden.sees_cards(1, "absent", of=0) == set()


@pytest.mark.skipif(DISABLED, reason="a million tries")
def test_a_state_that_no_world_agrees_with_is_refused() -> None:
    table = scene("announce=forced", "hands=KS,9H,TD,TC,JC,QD;AS,AH,TH,QC,JD,JH up=KH tricks=3,2 points=20,20")
    streams = rng.new_streams()
    table.game.resample_hidden(table.copy().states, 0, streams)
    table.states["barred"][0, 1] = 11  # every card of seat 1 could have come with a later draw only
    with pytest.raises(
        ValueError, match=r"^resample_hidden: no world was found that agrees with all that the seat knows$"
    ):
        table.game.resample_hidden(table.states, 0, streams)
