"""Hands of Zwicker as text: what is written reads back and replays, what is malformed is refused in one line."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest
from hypothesis import given, settings

from cardsim import contract
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.zwicker import notation
from cardsim.games.zwicker.game import GAME
from cardsim.games.zwicker.layout import OVER, PACK
from cardsim.games.zwicker.notation import Hand, dealt_hand, parse_hand, parse_position, position_text, replay
from cardsim.games.zwicker.rules import deck, make_rules
from cardsim.options import Rules
from tests.games.texts import check_damaged_hand, damaged, legal, one_line
from tests.games.zwicker_texts import FORMS

NAMES = (
    "9D 2D KD 3D TD 4D JD 5D 6D 7D 8D AD QD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    " AS 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
)
TEXT = (
    f"cardsim hand 1\nrules: zwicker(preset=no_joker,players=2)\ndealer: 1\ndeck: {NAMES}\n"
    "turn 1: hand 4, take, item 1, item 3, finish\nturn 2: hand 1, lay on\n"
)


def finished(hand: Hand, seed: int, most: int = 2000) -> tuple[Hand, bytes]:
    """A hand with random actions, up to `most` of them, and the bytes of the last state."""
    rng, states = random.Random(seed), next(replay(hand))
    actions: list[int] = []
    while contract.current_player(states[0]) not in (CHANCE, TERMINAL) and len(actions) < most:
        actions.append(rng.choice(legal(states)))
        contract.apply_action(states[0], actions[-1])
    return dataclasses.replace(hand, actions=tuple(actions)), states.tobytes()


def recorded(rules: Rules, seed: int) -> tuple[Hand, bytes]:
    """A random deal, broken off somewhere."""
    return finished(dealt_hand(rules, seed, 1), seed, random.Random(seed).choice((0, 1, 7, 40, 2000)))


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_hand_reads_back_and_replays(options: dict[str, Any]) -> None:
    for seed in range(3):
        hand, last = recorded(make_rules(**options), seed)
        again = parse_hand(hand.text)
        assert again.text == hand.text and again.rules.text == hand.rules.text
        for field in ("dealer", "deck", "actions", "scores", "deals"):
            assert getattr(again, field) == getattr(hand, field)
        states = list(replay(again))
        assert len(states) == len(hand.actions) + 1 and states[-1].tobytes() == last
        assert parse_position(position_text(hand.rules, states[-1]))[1].tobytes() == last


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_dealt_hand_is_the_one_that_the_game_deals(options: dict[str, Any]) -> None:
    """Also the later ones of a match, with their scores."""
    rules, hands = make_rules(**options), 0
    game = GAME.make(rules.preset, **rules.changed)
    states, before, hand, rng = game.deal(7, 1), None, 0, random.Random(1)
    while True:
        dealt = dealt_hand(rules, 7, 1, hand, before)
        start, hands = next(replay(parse_hand(dealt.text))), hands + 1
        for field in ("hand", "deck", "dealer", "top", "scores", "phase", "player", "asked", "denied", "reach"):
            assert start[field].tobytes() == states[field].tobytes(), field
        assert start["totals"][0, 0] == states["totals"][0, 0] == hand
        while game.current_player(states) >= 0:
            contract.apply_action(states[0], rng.choice(legal(states)))
        if game.current_player(states) == TERMINAL or hand == 2:
            break
        before, hand = states.copy(), hand + 1
        game.deal_next(7, 1, hand, states)
    assert hands >= (2 if rules["match"] and not rules["target"] else 1)


def test_the_lines_of_a_hand_are_its_turns_with_a_remark() -> None:
    hand = finished(dealt_hand(make_rules("six_joker"), 3, 1), 3)[0]
    lines = [line.split(": ", 1) for line in hand.text.splitlines()[1:]]
    assert [key for key, _ in lines] == ["rules", "dealer", "deck", *(f"turn {k}" for k in range(1, 49))]
    for number, (_, line) in enumerate(lines[3:]):
        actions, _, remark = line.partition("  # ")
        assert actions.startswith("hand ") and remark.startswith(f"seat {(hand.dealer + 1 + number) % 4}: ")
        acts = {"take": " takes ", "lay on": " to ", "beside": " beside"}
        assert acts[actions.split(", ")[1]] in remark
    assert parse_hand(TEXT).text.splitlines()[-2:] == [
        "turn 1: hand 4, take, item 1, item 3, finish  # seat 0: KD takes 6D+8D",
        "turn 2: hand 1, lay on",
    ]


def test_a_match_is_told_in_its_hand() -> None:
    rules = make_rules(match=True, players=3)
    hand = Hand(rules, 1, tuple(deck(rules)[::-1]), scores=(8, 4, 13), deals=2)
    assert "deals: 2\nscores: 8 4 13\ndeck: " in hand.text
    state = next(replay(parse_hand(hand.text)))[0]
    assert state["totals"][0] == 2 and state["scores"][:3].tolist() == [8, 4, 13]
    last, _ = finished(hand, 3)
    end = list(replay(last))[-1]
    assert end["phase"][0] == OVER  # three deals, one for each player
    assert (end["scores"][0, :3] - end["gained"][0, :3]).tolist() == [8, 4, 13]
    assert parse_position(position_text(rules, end))[1].tobytes() == end.tobytes()


def test_the_copies_of_a_deck_need_no_marks() -> None:
    rules = make_rules("grupp", players=5)
    hand = Hand(rules, 0, tuple(deck(rules)))
    assert "XW XW2 XW3" in hand.text and "AC' JC' QC' KC' XW' XW2'" in hand.text
    bare = hand.text.replace("'", "").replace("XW2", "XW").replace("XW3", "XW")
    found = parse_hand(bare.replace("XW4", "XW").replace("XW5", "XW").replace("XW6", "XW"))
    assert found.deck == hand.deck


def test_comments_and_blank_lines_in_a_hand_are_passed_over() -> None:
    hand = parse_hand(TEXT.replace("\n", "\n\n# a note\n"))
    assert hand == parse_hand(TEXT) == parse_hand(TEXT.replace("lay on", "lay on # seat 1: who knows"))


def test_an_illegal_action_in_a_hand_is_refused_by_name() -> None:
    illegal = parse_hand(TEXT.replace("item 1, item 3", "item 1, item 2"))
    with pytest.raises(ValueError, match="hand, action 4: action 'item 2' is not legal; legal: item 3") as error:
        list(replay(illegal))
    one_line(error)
    assert parse_hand(illegal.text) == illegal and "# " not in illegal.text, "the rest stands where play broke off"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cardsim hand 1", "cardsim hand 2", "the first line must be 'cardsim hand 1', not 'cardsim hand 2'"),
        ("dealer: 1", "", "the line dealer: is missing"),
        ("dealer: 1", "dealer: 2", "dealer 2: must be from 0 to 1"),
        ("dealer: 1", "dealer: x", "dealer 'x': must be a number"),
        ("dealer: 1", "dealer: 1\ndealer: 0", "'dealer: 0' must be rules, dealer, deals, scores or deck (once"),
        ("dealer: 1", "dealer: 1\nscores: 0 0 0", "scores 0 0 0: must be 2 numbers, one for each side"),
        ("dealer: 1", "dealer: 1\nscores: 3 0", "scores 3 0: must be 0 for each before the first deal"),
        ("dealer: 1", "dealer: 1\ndeals: 1", "deals 1: must be from 0 to 0"),
        ("deck: 9D", "deck: 2D", "2D is there twice"),
        ("deck: 9D", "deck:", "9D missing; it must hold all 52 cards"),
        ("deck: 9D", "deck: X15", "X15 is not in this pack of 52 cards"),
        ("deck: 9D", "deck: 9X", "card '9X'"),
        ("turn 1", "tell", "line 5: 'tell: hand 4, take, item 1, item 3, finish' must be"),
        ("turn 2", "turn 3", "before the turns), or turn 2, and a colon"),
        ("turn 1", "trick 1", "or turn 1, and a colon"),
        ("hand 4", "hand 5", "hand, line 5: action 'hand 5'"),
        ("no_joker", "no_jokers", "preset 'no_jokers'"),
    ],
)  # fmt: skip
def test_a_wrong_hand_is_refused_by_name(old: str, new: str, says: str) -> None:
    assert len(list(replay(parse_hand(TEXT)))) == 8 and old in TEXT
    text = TEXT.replace(old, new, 1)
    with pytest.raises(ValueError) as error:
        parse_hand(text)
    assert says in one_line(error)


@pytest.mark.parametrize(
    ("options", "given", "says"),
    [
        ({"match": True}, {"deals": 4}, "deals 4: must be from 0 to 3"),
        ({"match": True, "target": 9}, {"deals": 1, "scores": (9, 8, 0, 0)}, "must be below target=9"),
        ({"match": True}, {"deals": 1, "scores": (9, -8, 0, 0)}, "without stale_build_penalty nobody has less"),
        ({"match": True}, {"deals": 1, "scores": (10**10, 0, 0, 0)}, "1 deals cannot have brought so many points"),
        ({}, {"actions": (62,)}, "action 62: must be from 0 to 61"),
    ],
)  # fmt: skip
def test_a_hand_that_cannot_be_is_not_made(options: dict[str, Any], given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError) as error:
        Hand(make_rules(**options), 0, tuple(PACK.parse(NAMES)), **given)
    assert says in one_line(error)


HANDS = [recorded(make_rules(**options), 2 + seed)[0].text for seed, options in enumerate(FORMS[::4])]


@settings(max_examples=200, deadline=None)
@given(damaged(HANDS))
def test_a_damaged_hand_is_refused_or_replays(text: str) -> None:
    check_damaged_hand(notation, text)
