"""Hands of Sixty-Six as text: what is written reads back and replays, what is malformed is refused in one line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings

from cardsim import contract
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six import notation
from cardsim.games.sixty_six.layout import (
    DEAL,
)
from cardsim.games.sixty_six.notation import (
    Hand,
    action_text,
    parse_hand,
    parse_position,
    position_text,
    replay,
)
from cardsim.games.sixty_six.rules import deck, make_rules
from cardsim.options import Rules
from tests.games.sixty_six_texts import FORMS, quiet
from tests.games.texts import check_damaged_hand, damaged, legal, one_line


def recorded(rules: Rules, seed: int, lengths: Sequence[int] = (0, 1, 7, 100, 100)) -> tuple[Hand, bytes]:
    """A random deal, broken off after one of `lengths` actions, and the bytes of the last state."""
    rng = random.Random(seed)
    cards = deck(rules)
    rng.shuffle(cards)
    players = int(rules.record["players"][0])
    scores = tuple(rng.randrange(7) for _ in range(players)) if rules["match"] else ()
    carry = rng.randrange(3) if rules["match"] else 0
    hand = Hand(rules, rng.randrange(players), tuple(cards), (), scores, carry)
    states = next(replay(hand))
    actions = []
    for _ in range(rng.choice(lengths)):
        if contract.current_player(states[0]) in (CHANCE, TERMINAL):
            break
        actions.append(rng.choice(quiet(legal(states), rng, 0.9)))
        contract.apply_action(states[0], actions[-1])
    return Hand(rules, hand.dealer, hand.deck, tuple(actions), hand.scores, hand.carry), states.tobytes()


def test_a_carry_is_for_matches() -> None:
    hand = recorded(make_rules(), 1)[0]
    with pytest.raises(ValueError, match=r"^hand: carry 2: must be 0: only a match carries on$"):
        Hand(hand.rules, hand.dealer, hand.deck, carry=2)


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_hand_reads_back_and_replays(options: dict[str, Any]) -> None:
    for seed in range(10):
        hand, last = recorded(make_rules(**options), seed)
        text = hand.text
        again = parse_hand(text)
        assert again.text == text
        assert (again.dealer, again.deck, again.actions) == (hand.dealer, hand.deck, hand.actions)
        assert (again.scores, again.carry, again.rules.text) == (hand.scores, hand.carry, hand.rules.text)
        states = list(replay(again))
        assert len(states) == len(hand.actions) + 1 and states[-1].tobytes() == last
        assert parse_position(position_text(hand.rules, states[-1]))[1].tobytes() == last


def test_a_line_of_a_hand_is_a_trick() -> None:
    hand, _ = recorded(make_rules(claims="auto", closing=False), 3, (100,))
    lines = hand.text.splitlines()
    assert lines[0] == notation.HEADER and lines[1] == "rules: sixty_six(preset=base,claims=auto,closing=false)"
    tricks = [line for line in lines if line.startswith("trick")]
    assert tricks and all(
        sum(len(word.strip()) == 2 for word in line.split(":")[1].split(",")) == 2 for line in tricks[:-1]
    )


def test_comments_and_blank_lines_in_a_hand_are_passed_over() -> None:
    hand, _ = recorded(make_rules(), 5)
    assert parse_hand(hand.text.replace("\n", "\n\n# a note\n")).actions == hand.actions


def test_an_illegal_action_in_a_hand_is_refused_by_name() -> None:
    hand, _ = recorded(make_rules(claims="auto", closing=False), 3, (100,))
    first = next(replay(hand))
    wrong = next(action for action in range(32) if action not in legal(first))
    steps = replay(Hand(hand.rules, hand.dealer, hand.deck, (legal(first)[0], hand.actions[0])))
    next(steps)
    next(steps)
    with pytest.raises(
        ValueError, match=f"hand, action 1: action '{action_text(wrong)}' is not legal; legal: "
    ) as error:
        list(replay(Hand(hand.rules, hand.dealer, hand.deck, (wrong,))))
    assert one_line(error).endswith(", ".join(action_text(action) for action in legal(first)))


def test_an_action_after_the_end_of_the_deal_is_refused() -> None:
    rules = make_rules("schnapsen", match=True)
    hand = next(h for h in (recorded(rules, seed)[0] for seed in range(50)) if list(replay(h))[-1]["phase"][0] == DEAL)
    with pytest.raises(ValueError, match="after the end of the deal"):
        list(replay(Hand(rules, hand.dealer, hand.deck, (*hand.actions, 0), hand.scores)))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cardsim hand 1", "cardsim hand 2", "the first line must be 'cardsim hand 1', not 'cardsim hand 2'"),
        ("dealer: 1", "", "dealer: is missing"),
        ("dealer: 1", "dealer: 2", "dealer 2: must be from 0 to 1"),
        ("dealer: 1", "dealer: x", "dealer 'x'"),
        ("dealer: 1", "dealer: 1\nscores: 1 2 3", "scores"),
        ("dealer: 1", "dealer: 1\ndealer: 0", "line 4"),
        ("deck: 9S", "deck: QS", "QS is there twice"),
        ("deck: 9S", "deck:", "9S missing"),
        ("deck: 9S", "deck: 7S", "7S is not in this pack of 24 cards"),
        ("trick 1", "trick 2", "line 5"),
        ("trick 1: AH", "trick 1: AX", "hand, line 5: action 'AX'"),
        ("base", "basis", "preset 'basis'"),
    ],
)  # fmt: skip
def test_a_wrong_hand_is_refused_by_name(old: str, new: str, says: str) -> None:
    names = "9S QS AH TD AD 9H TH KD JC JS QC AC KS 9D JD QD JH QH KH TS AS 9C KC TC"
    text = f"cardsim hand 1\nrules: sixty_six(preset=base)\ndealer: 1\ndeck: {names}\ntrick 1: AH, 9H\n"
    assert len(list(replay(parse_hand(text)))) == 3 and old in text
    with pytest.raises(ValueError, match=says) as error:
        parse_hand(text.replace(old, new, 1))
    one_line(error)


HANDS = [recorded(make_rules(**options), seed)[0].text for seed, options in enumerate(FORMS)]


@settings(max_examples=300, deadline=None)
@given(damaged(HANDS))
def test_a_damaged_hand_is_refused_or_replays(text: str) -> None:
    check_damaged_hand(notation, text)
