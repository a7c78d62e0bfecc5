"""Zwicken in words for people: all that is there, and for a seat only what it knows."""

from __future__ import annotations

from typing import Any

import pytest

from cardsim import contract
from cardsim.games.zwicken.layout import DEAL, OVER, PACK
from cardsim.games.zwicken.notation import STANDING, describe, parse_position, standing
from cardsim.games.zwicken.rules import make_rules
from cardsim.rng import new_streams
from tests.games.texts import changed
from tests.games.zwicken_texts import ENDGAME, FORMS, FRESH, play


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_description_for_a_seat_does_not_depend_on_hidden_cards(options: dict[str, Any]) -> None:
    """Worlds that agree with what the seat knows read the same, ended deals too (ZP31)."""
    rules, streams = make_rules(**options), new_streams()
    for states in play(rules, 4):
        for seat in range(int(rules.record["players"][0])):
            other = states.copy()
            contract.resample_hidden(other[0], seat, streams[0])
            assert describe(other, seat) == describe(states, seat)


def test_a_description_shows_what_is_there() -> None:
    _, states = parse_position(FRESH)
    everything, mine, other = describe(states), describe(states, 0), describe(states[0], 1)
    assert "Trumps: ♥, turned card: K♥; shown by the cut: 8♠; talon: 19 cards\n" in mine
    assert "next: 7♥ 8♥" in everything and "next" not in mine
    assert "Pot: 3 chips; balances by seat: 0, 0, 0, -3" in mine
    assert "Seat 0: Q♥ A♥ J♣" in everything and "Seat 0: Q♥ A♥ J♣" in mine and "Seat 0: 3 cards" in other
    assert "Seat 3 (dealer): 3 cards" in mine
    assert "Seat 0 is to act (announce)\nLegal: play" in mine and "Legal" not in other
    with pytest.raises(ValueError, match="player 4: must be from 0 to 3"):
        describe(states, 4)


def test_announcements_and_cards_laid_away_are_described() -> None:
    _, states = parse_position(ENDGAME)
    mine, other = describe(states, 0), describe(states, 1)
    assert "Trick: seat 1 K♠" in mine and "Legal: JH" in mine
    assert "Seat 0 (plays): J♥; 1 tricks; laid away Q♥" in mine
    assert "Seat 0 (plays): 1 cards; 1 tricks; laid away 1" in other
    assert "Seat 2 (has passed): 3 cards; 0 tricks" in mine and "Seat 3 (dealer, has passed)" in mine


def test_zp31_a_failed_duty_is_told_to_its_seat_alone() -> None:
    text = changed(changed(ENDGAME, "history", "0:JC,KC/1:KS,JH/0:AH"), "hands", "-;8D;JD,QD,9D;TC,QC,TD")
    _, states = parse_position(text)
    assert "has failed a duty: the Ace's" in describe(states, 0) and "has failed a duty" in describe(states)
    assert "has failed" not in describe(states, 1)
    contract.apply_action(states[0], PACK.card("8D"))
    assert "has failed" not in describe(states, 1) and "chips gained by seat: -1, +1, +0, -3" in describe(states, 1)


def test_zp17_who_drew_the_last_card_is_known_to_hold_it() -> None:
    met = 0
    for seed in range(12):
        for states in play(make_rules("four_card", players=5), seed, calm=1.0):
            holder = int(states["shown_seat"][0])
            if holder >= 0:
                shown = PACK.text(states["shown"][0])[0]
                met += f"cards, among them {shown}" in describe(states, (holder + 1) % 5)
                assert "among them" not in describe(states, holder)
    assert met > 5


def test_the_end_of_a_deal_and_what_follows_are_described() -> None:
    ends = set()
    for seed in range(8):
        for states in play(make_rules(match=True), seed, calm=0.5):
            text, phase = describe(states, 2), states["phase"][0]
            following = f"The next hand is to be dealt by seat {states['dealer'][0]}." in text
            assert following == (phase == DEAL)
            if phase in (DEAL, OVER) and states["up"][0] < PACK.size:
                ends.add(text.partition("The deal is over (")[2].partition(")")[0])
            elif phase == DEAL and states["attempts"][0] > 1:
                assert f"void cuts: {states['attempts'][0]}" in text
    assert {"shared", "unopposed", "durchmarsch", "all_passed"} >= ends >= {"shared", "unopposed"}


def test_the_pot_is_what_changes_with_the_tricks() -> None:
    _, states = parse_position(ENDGAME)
    assert (STANDING, standing(states), standing(states[0])) == ("Pot", "3", "3")
