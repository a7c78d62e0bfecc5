"""Sixty-Six in words for people: all that is there, and for a seat only what it knows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from cardsim import contract
from cardsim.games.sixty_six.layout import (
    ASK_EXCHANGE,
    ASK_PAIR,
    DEAL,
    LAST,
    LEAD,
    NO_CARD,
    PHASES,
)
from cardsim.games.sixty_six.notation import (
    describe,
    parse_action,
    parse_position,
)
from cardsim.games.sixty_six.rules import make_rules
from tests.games.sixty_six_texts import (
    ENDGAME,
    FORMS,
    FRESH,
    play,
)


def asked_states(phase: int, options: dict[str, Any]) -> Iterator[Any]:
    for seed in range(40):
        for states in play(make_rules(**options), seed, calm=0.0):
            if states["phase"][0] == phase:
                yield states


@pytest.mark.parametrize(
    ("phase", "options"),
    [
        (ASK_EXCHANGE, {"preset": "pagat66", "claims": "true_only"}),
        (ASK_PAIR, {"preset": "four_hand", "partner_meld": True, "early_marriage": "pending"}),
    ],
)
def test_sp15_only_the_asked_seat_reads_that_it_is_asked(phase: int, options: dict[str, Any]) -> None:
    met = 0
    for states in asked_states(phase, options):
        met += 1
        asked = int(states["player"][0])
        lead = states.copy()
        lead["phase"], lead["player"] = LEAD, lead["leader"]
        for seat in range(int(states["rules"]["players"][0])):
            assert (describe(states, seat) == describe(lead, seat)) == (seat != asked)
        assert PHASES[phase] in describe(states, asked)
    assert met > 3


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_description_for_a_seat_does_not_depend_on_hidden_cards(options: dict[str, Any]) -> None:
    rules, rng = make_rules(**options), random.Random(1)
    for states in play(rules, 4):
        if states["phase"][0] in (DEAL, ASK_PAIR, ASK_EXCHANGE):
            continue
        for seat in range(int(rules.record["players"][0])):
            other = shuffled_hidden(states, seat, rng)
            assert describe(other, seat) == describe(states, seat)


def shuffled_hidden(states: Any, seat: int, rng: random.Random) -> Any:
    """The same table with the cards that `seat` does not see, and that nobody is known to hold, mixed."""
    states = states.copy()
    state = states[0]
    where = [other for other in range(4) if other != seat]
    free = {other: int(state["hand"][other]) & ~int(state["known"][other]) for other in where}
    talon = [i for i in range(32) if state["deck"][i] != NO_CARD]
    pool = [card for mask in free.values() for card in range(32) if mask >> card & 1]
    pool += [int(state["deck"][i]) for i in talon]
    rng.shuffle(pool)
    for other in where:
        cards = [pool.pop() for _ in range(free[other].bit_count())]
        state["hand"][other] = (int(state["hand"][other]) & int(state["known"][other])) | sum(1 << c for c in cards)
    state["deck"][talon] = pool
    return states


def test_a_description_shows_what_is_there() -> None:
    _, states = parse_position(FRESH)
    everything, mine, other = describe(states), describe(states, 0), describe(states[0], 1)
    assert "turned card: K♠" in mine and "talon: 12 cards" in mine
    assert "9♠" in everything and "9♠" in mine and "9♠" not in other
    assert "A♣" in everything and "A♣" not in mine and "6 cards" in mine
    assert "Legal: KD, TH, AH, 9S, QS, JC, exchange, close" in mine and "Legal" not in other
    with pytest.raises(ValueError, match="player 2: must be from 0 to 1"):
        describe(states, 2)


def test_a_description_without_perfect_memory_has_no_totals() -> None:
    _, states = parse_position(FRESH.replace("preset=base", "preset=base,perfect_memory=false"))
    assert "points" in describe(states) and "points" not in describe(states, 0)


def test_the_end_of_a_deal_is_described() -> None:
    _, states = parse_position(ENDGAME)
    for word in ("9C", "AC"):
        contract.apply_action(states[0], parse_action(word))
    assert states["phase"][0] == LAST
    contract.apply_action(states[0], parse_action("claim"))
    assert "The deal is over (false_claim): side 1 wins" in describe(states)
