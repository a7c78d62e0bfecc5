"""Hands of Zwicken as text: what is written reads back and replays, what is malformed is refused in one line."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

from cardsim import contract
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.zwicken import notation
from cardsim.games.zwicken.game import GAME
from cardsim.games.zwicken.layout import ACT_PASS, DEAL, OVER, PACK
from cardsim.games.zwicken.notation import Hand, dealt_hand, parse_hand, parse_position, position_text, replay
from cardsim.games.zwicken.rules import deck, make_rules
from cardsim.options import Rules
from tests.games.texts import check_damaged_hand, damaged, legal, one_line
from tests.games.zwicken_texts import FORMS

NAMES = "QH AH KS 8D JD QD TC QC KH JC KC 9D TD 7H 8H 9H TH JH JS QS AS 7C 8C 9C AC AD 9S KD 7S TS 7D 8S"
TEXT = f"cardsim hand 1\nrules: zwicken(preset=base)\ndealer: 3\ndeck: {NAMES}\nannounce: play, play\n"


def finished(hand: Hand, seed: int, most: int = 100) -> tuple[Hand, bytes]:
    """A hand with random actions, up to `most` of them, and the bytes of the last state."""
    rng, states = random.Random(seed), next(replay(hand))
    actions: list[int] = []
    while contract.current_player(states[0]) not in (CHANCE, TERMINAL) and len(actions) < most:
        actions.append(rng.choice(legal(states)))
        contract.apply_action(states[0], actions[-1])
    made = Hand(hand.rules, hand.dealer, hand.deck, tuple(actions), hand.cuts, hand.chips, hand.deals)
    return made, states.tobytes()


def recorded(rules: Rules, seed: int) -> tuple[Hand, bytes]:
    """A random deal, broken off somewhere."""
    return finished(dealt_hand(rules, seed, 1), seed, random.Random(seed).choice((0, 1, 7, 100, 100)))


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_hand_reads_back_and_replays(options: dict[str, Any]) -> None:
    for seed in range(8):
        hand, last = recorded(make_rules(**options), seed)
        again = parse_hand(hand.text)
        assert again.text == hand.text and again.rules.text == hand.rules.text
        for field in ("dealer", "deck", "actions", "cuts", "chips", "pot", "deals"):
            assert getattr(again, field) == getattr(hand, field)
        states = list(replay(again))
        assert len(states) == len(hand.actions) + 1 and states[-1].tobytes() == last
        assert parse_position(position_text(hand.rules, states[-1]))[1].tobytes() == last


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_dealt_hand_is_the_one_that_the_game_deals(options: dict[str, Any]) -> None:
    """Also the later ones of a session, with their void cuts, balances and pot."""
    rules, hands = make_rules(**options), 0
    game = GAME.make(rules.preset, **rules.changed)
    for number in range(4):
        states, before, hand, rng = game.deal(7, number), None, 0, random.Random(number)
        while True:
            dealt = dealt_hand(rules, 7, number, hand, before)
            start, hands = next(replay(parse_hand(dealt.text))), hands + 1
            for field in ("hand", "deck", "dealer", "chips", "before", "pot", "deals", "attempts", "phase", "player"):
                assert start[field].tobytes() == states[field].tobytes(), field
            while game.current_player(states) >= 0:
                game.apply_action(states, rng.choice(legal(states)))
            if game.current_player(states) == TERMINAL or hand == 6:
                break
            before, hand = states.copy(), hand + 1
            game.deal_next(7, number, hand, states)
    assert hands >= 4


def test_void_cuts_of_dealt_hands_are_told() -> None:
    rules = make_rules(cut_rule="hop", players=3, first_dealer=0)
    hands = [dealt_hand(rules, 1, number) for number in range(200)]
    voids = [card for hand in hands for card in hand.cuts]
    assert len(voids) > 40 and {PACK.text(card)[0] for card in voids} == {"7", "A"}
    for hand in hands:
        state = next(replay(hand))[0]
        bellis = hand.cuts.count(PACK.card("7D"))
        assert state["attempts"] == 1 + len(hand.cuts) and state["belli_cuts"] == bellis
        assert state["dealer"] == (len(hand.cuts) - 2 * bellis) % 3  # one on for a hop, one back for the Belli


def test_the_lines_of_a_hand_are_its_parts() -> None:
    for swap_mode in ("one_per_round", "block"):
        hand = next(
            hand
            for seed in range(90)
            for hand in [recorded(make_rules(swap_mode=swap_mode), seed)[0]]
            if "trick 3" in hand.text
        )
        lines = dict(line.split(": ", 1) for line in hand.text.splitlines()[1:])
        assert [key for key in lines if key != "cuts"] == [
            *("rules", "dealer", "deck", "announce", "swap", "trick 1", "trick 2", "trick 3"),
        ]
        assert len(lines["announce"].split(", ")) == 4 and lines["swap"].endswith(("stop", *PACK.names))
        assert len({len(lines[f"trick {k}"].split(", ")) for k in (1, 2, 3)}) == 1


def test_a_session_is_told_in_its_hand() -> None:
    rules = make_rules("styrian", match=True, players=3, start_chips=5)
    cards = tuple(deck(rules)[::-1])
    hand = Hand(rules, 1, cards, chips=(8, 4, -3), deals=2)
    assert hand.pot == 6 and "deals: 2\nchips: 8 4 -3\npot: 6\ndeck: " in hand.text
    state = next(replay(parse_hand(hand.text)))[0]
    assert state["deals"] == 3 and state["pot"] == 9 and state["chips"].tolist() == [8, 1, -3, 0, 0]
    last, _ = finished(hand, 3)
    end = list(replay(last))[-1]
    assert end["phase"][0] == OVER  # three deals, one for each player
    assert parse_position(position_text(rules, end))[1].tobytes() == end.tobytes()


def test_a_hand_ends_where_its_own_cut_voids_it() -> None:
    rules = make_rules(cut_rule="hop")
    cards = [card for card in deck(rules) if card != PACK.card("AS")] + [PACK.card("AS")]
    hand = Hand(rules, 2, tuple(cards), cuts=(PACK.card("7C"),))
    state = next(replay(parse_hand(hand.text)))[0]
    assert (state["phase"], state["attempts"], state["dealer"], state["pot"]) == (DEAL, 2, 0, 6)
    with pytest.raises(ValueError, match="hand, action 1: play comes after the end of the deal"):
        list(replay(parse_hand(hand.text + "announce: play\n")))


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ({"match": True}, {"deals": 1, "chips": (-50_000, 0, 0, 0)}),
        (
            {"start_chips": 30_000, "start_pot": 30_000, "all_pass": "dealer_takes", "ace_must_stay": False},
            {"actions": (ACT_PASS,) * 4},
        ),
    ],
)
def test_more_chips_than_an_option_can_name_are_told(options: dict[str, Any], given: dict[str, Any]) -> None:
    hand = Hand(make_rules(**options), 0, tuple(PACK.parse(NAMES)), **given)
    *_, last = replay(hand)
    assert parse_position(position_text(hand.rules, last))[1].tobytes() == last.tobytes()


def test_comments_and_blank_lines_in_a_hand_are_passed_over() -> None:
    assert parse_hand(TEXT.replace("\n", "\n\n# a note\n")).actions == (36, 36)


def test_an_illegal_action_in_a_hand_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="hand, action 1: action 'pass' is not legal; legal: play") as error:
        list(replay(parse_hand(TEXT.replace("play, play", "pass"))))  # the forehand has the trump Ace (Z16)
    one_line(error)
    illegal = parse_hand(TEXT.replace("play, play", "pass, play"))
    assert "announce: pass, play\n" in illegal.text


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cardsim hand 1", "cardsim hand 2", "the first line must be 'cardsim hand 1', not 'cardsim hand 2'"),
        ("dealer: 3", "", "the line dealer: is missing"),
        ("dealer: 3", "dealer: 4", "dealer 4: must be from 0 to 3"),
        ("dealer: 3", "dealer: x", "dealer 'x': must be a number"),
        ("dealer: 3", "dealer: 3\ndealer: 0", "'dealer: 0' must be rules, dealer, deals, chips, pot, cuts or deck"),
        ("dealer: 3", "dealer: 3\nchips: 0 0 0", "chips 0 0 0: must be 4 balances"),
        ("dealer: 3", "dealer: 3\nchips: 3 0 0 -3", "chips 3 0 0 -3: must be 0 for each before the first deal"),
        ("dealer: 3", "dealer: 3\ndeals: 1", "deals 1: must be from 0 to 0"),
        ("dealer: 3", "dealer: 3\npot: 3", "pot 3: must be 0, what the chips leave"),
        ("dealer: 3", "dealer: 3\ncuts: KS", "cuts: KS must be an Ace or a 7"),
        ("dealer: 3", "dealer: 3\ncuts: AX", "card 'AX'"),
        ("deck: QH", "deck: AH", "AH is there twice"),
        ("deck: QH", "deck:", "QH missing; it must hold all 32 cards"),
        ("deck: QH", "deck: 6H", "6H is not in this pack of 32 cards"),
        ("announce", "tell", "line 5: 'tell: play, play' must be"),
        ("announce: play, play", "trick 1: AH\nannounce: play", "before the tricks), or trick 2, and a colon"),
        ("announce: play, play", "announce: play\nannounce: play", "or swap or trick 1, and a colon"),
        ("announce: play", "announce: AX", "hand, line 5: action 'AX'"),
        ("base", "basis", "preset 'basis'"),
    ],
)  # fmt: skip
def test_a_wrong_hand_is_refused_by_name(old: str, new: str, says: str) -> None:
    assert len(list(replay(parse_hand(TEXT)))) == 3 and old in TEXT
    text = TEXT.replace(old, new, 1)
    with pytest.raises(ValueError) as error:
        parse_hand(text)
    assert says in one_line(error)


@pytest.mark.parametrize(
    ("options", "given", "says"),
    [
        ({"cut_rule": "off"}, {"cuts": (PACK.card("AS"),)}, "cuts AS: must be none, these rules cut no pack"),
        ({}, {"cuts": (99,)}, "cuts: 99 must be an Ace or a 7"),
        ({}, {"cuts": (PACK.card("AS"),) * 10_000}, "cuts: 10000 cards, must be at most 9999"),
        ({"match": True}, {"deals": 4}, "deals 4: must be from 0 to 3"),
        ({"match": True}, {"deals": 1, "chips": (9, 0, 0, 0)}, "chips 9 0 0 0: leave -9 for the pot"),
        ({"match": True, "target_chips": 9}, {"deals": 1, "chips": (9, -9, 0, 0)}, "must be below target_chips=9"),
        ({"match": True}, {"deals": 1, "chips": (10**10, 0, 0, -(10**10))}, "must be 4 balances from -1000000000"),
        ({}, {"actions": (39,)}, "action 39: must be from 0 to 38"),
    ],
)  # fmt: skip
def test_a_hand_that_cannot_be_is_not_made(options: dict[str, Any], given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError) as error:
        Hand(make_rules(**options), 0, tuple(PACK.parse(NAMES)), **given)
    assert says in one_line(error)


HANDS = [recorded(make_rules(**options), seed)[0].text for seed, options in enumerate(FORMS)]


@settings(max_examples=300, deadline=None)
@given(damaged(HANDS))
def test_a_damaged_hand_is_refused_or_replays(text: str) -> None:
    check_damaged_hand(notation, text)


def test_what_comes_after_an_illegal_action_is_written_all_the_same() -> None:
    """The text of a hand that cannot be played reads back; that it cannot be played shows in `replay`."""
    stop = notation.parse_action("stop")
    hand = Hand(make_rules(), 3, parse_hand(TEXT).deck, (stop, stop, stop))
    assert parse_hand(hand.text) == hand
    with pytest.raises(ValueError, match="hand, action 1: "):
        list(replay(hand))
