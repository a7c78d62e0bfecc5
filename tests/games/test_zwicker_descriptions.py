"""Zwicker in words for people: all that is there, and for a seat only what it knows."""

from __future__ import annotations

from typing import Any

import pytest

from cardsim import contract
from cardsim.games.zwicker.layout import ACT_BESIDE, DEAL, OVER
from cardsim.games.zwicker.notation import STANDING, describe, parse_position, standing, told
from cardsim.games.zwicker.rules import make_rules
from cardsim.rng import new_streams
from tests.games.texts import changed
from tests.games.zwicker_texts import FORMS, MIDDLE, play


@pytest.mark.parametrize("options", FORMS[::2], ids=str)
def test_a_description_for_a_seat_does_not_depend_on_hidden_cards(options: dict[str, Any]) -> None:
    """Worlds that agree with what the seat knows read the same."""
    rules, streams = make_rules(**options), new_streams()
    for number, states in enumerate(play(rules, 4, 1)):
        for seat in range(int(rules.record["players"][0])) if number % 29 == 0 else ():
            other = states.copy()
            contract.resample_hidden(other[0], seat, streams[0])
            assert describe(other, seat) == describe(states, seat)


def test_a_description_shows_what_is_there() -> None:
    _, states = parse_position(MIDDLE)
    everything, mine, other, public = (describe(states, seat) for seat in (None, 0, 1, -1))
    assert "Table: 1. 5♦, 2. 9♥, 3. [7♦ 6♦]=13 by seat 1\n" in public
    assert "Stock: 40 cards; next: 3♦ 4♦ 8♦" in everything and "Stock: 40 cards; seat 0 captured last\n" in mine
    assert "Pile of seat 0: 2 cards, 0 points\nPile of seat 1: 0 cards, 0 points\n" in public
    assert "Seat 0: 9♦ K♥\n" in everything and "Seat 0: 9♦ K♥\n" in mine and "Seat 0: 2 cards\n" in other
    assert "Seat 1 (dealer): 3 cards\n" in mine and "Seat 1 (dealer): T♦ J♦ Q♦\n" in other
    for text in (everything, mine, other, public):
        assert "Seat 0 is to act (group): K♦ takes 5♦; the group makes 5" in text
    assert mine.endswith("\nLegal: item 2 (9♥)") and "Legal" not in other + public
    with pytest.raises(ValueError, match="player 2: must be from 0 to 1"):
        describe(states, 2)


def test_the_middle_of_a_turn_is_described() -> None:
    """What card is on its way, at which value, on what; dual values and wild jokers are told (W18, 2.4)."""
    base = (
        "zwicker(preset=six_joker,table_cards=4) dealer=3 hands=6C,KD,X20,5S;5H,6H,TD,9H;8D,JH,9C,3C;2D,3S,4S,6S"
        " table=4C,KH,AC,TC"
    )
    for turn, says in (
        ("hand1", "(act): K♦, which is 4 or 14"),
        ("hand1,take", "(play_at): K♦, which is 4 or 14\nLegal: as 4, as 14"),
        ("hand1,take,as14", "(group): K♦ at 14 takes nothing yet"),
        ("hand1,take,as14,item1", "(group): K♦ at 14 takes 4♣; the group makes 4"),
        ("hand2,layon", "(target): 5♠\nLegal: item 1 (4♣), item 2 (K♥), item 3 (A♣)"),
    ):
        text = describe(parse_position(changed(base, "turn", turn))[1])
        assert f"Seat 0 is to act {says}" in text, text
    assert "Table: 1. 4♣, 2. K♥ (4 or 14), 3. A♣ (1 or 11), 4. T♣\n" in text
    assert "Side 0 (seats 0, 2): 0 cards, 0 points" in text
    wild = "zwicker(preset=grupp,players=2) dealer=1 hands=6C,5S,8S,XW;5H,6H,TD,9H table=XW,3C,4C,5C"
    text = describe(parse_position(f"{wild} turn=hand4,take,as9")[1])
    assert "Table: 1. XW (2 to 14), 2. 3♣" in text and "XW at 9 takes nothing yet" in text
    text = describe(parse_position(f"{wild} turn=hand3,layon,item1")[1])
    assert "(new_value): 6♣ on XW\nLegal: as 8, as 9" in text


def test_wp13_what_builds_have_told_is_described() -> None:
    text = (
        "zwicker(preset=six_joker) dealer=3 player=1 hands=5D,8S,QD;5H,6H,KD,X20;8D,8H,9C,3C;2D,3S,4S,6S"
        " table=8C,AC,7D+2H=9@0,7H,2S,3H,4H,5S,6C,7S promised=9;- asked=9;-;-;- counts.laid_on=1,0,0,0"
    )
    states = parse_position(text)[1]
    assert "Seat 0: 3 cards; his side has the value 9\n" in describe(states, 3)
    assert "a partner has the value 9" in describe(states, 0) and "a partner has" not in describe(states, 2)
    assert "partners have none of the values " in describe(states, 1)


def test_must_capture_tells_what_a_seat_lacks() -> None:
    met = 0
    for states in play(make_rules(must_capture=True, players=2), 3, calm=0.0):
        met += "has none of the value" in describe(states, -1)
    assert met > 3


def test_the_end_of_a_deal_and_what_follows_are_described() -> None:
    ends = 0
    for states in play(make_rules("six_joker", match=True, n_deals=2), 1, calm=0.2):
        text, phase = describe(states, 2), states["phase"][0]
        following = f"The next hand is to be dealt by seat {states['dealer'][0]}." in text
        assert following == (phase == DEAL)
        if phase in (DEAL, OVER) and states["deck_pos"][0]:
            gained = ", ".join(map(str, states["gained"][0, :2]))
            assert f"The deal is over; points by side: {gained}" in text
            assert f"Match: {states['totals'][0, 0]} deal" in text
            ends += 1
    assert ends == 2


def test_points_are_what_changes_with_the_turns() -> None:
    """Those of cards and Zwicks while the deal goes on, all of them when it is over."""
    _, states = parse_position(MIDDLE)
    assert (STANDING, standing(states), standing(states[0])) == ("Points", "0:0", "0:0")
    for options in ({"preset": "grupp", "joker_points": 2}, {"preset": "six_joker"}):
        last = ""
        for states in play(make_rules(**options), 2, calm=0.0):
            if states["phase"][0] == OVER:
                gained = states["gained"][0, : int(states["rules"]["sides"][0])]
                assert standing(states) == ":".join(map(str, gained)) and last != "0:0"
            last = standing(states)


def test_others_are_told_the_card_and_not_its_place() -> None:
    _, states = parse_position(MIDDLE.partition(" turn=")[0])
    assert [told(states, k) for k in range(3)] == ["9♦", "K♦", "K♥"]
    contract.apply_action(states[0], 1)
    assert told(states, ACT_BESIDE) == "beside"
