"""Sixty-Six: what is true of every state, for `cardsim.testing.check_game`."""

from __future__ import annotations

from typing import Any

from cardsim.games.sixty_six.knowledge import pack_cards
from cardsim.games.sixty_six.layout import DEAL, NO_CARD, OVER, RANK_POINTS
from cardsim.games.sixty_six.rules import THREE_HAND
from cardsim.texts import members


def check_state(states: Any, i: int) -> None:
    """Every card of the pack is in one place, and tricks, card points and hand sizes add up.

    Args:
        states: records of STATE.
        i: which one.

    Raises:
        AssertionError: what does not add up.
    """
    state = states[i]
    rules = state["rules"]
    if state["deals"] == 0:
        return
    played, active = int(state["played"]), int(rules["active"])
    hands = [members(hand) for hand in state["hand"]]
    table = state["history"][:played].tolist()
    talon = [card for card in state["deck"].tolist() if card != NO_CARD]
    up = [] if state["up"] == NO_CARD else [int(state["up"])]
    places = sorted([*(card for hand in hands for card in hand), *table, *talon, *up])
    pack = members(pack_cards(state))
    assert places == pack, f"cards: {len(places)} have a place, {sorted(set(pack) - set(places))} have none"
    assert len(talon) + len(up) == state["talon_left"], f"talon: {len(talon)} cards, not {state['talon_left']}"
    finished = int(state["trick_start"])
    assert finished % active == 0 and int(state["tricks"].sum()) == finished // active, "tricks do not add up"
    for seat, hand in enumerate(hands):
        known, absent = int(state["known"][seat]), int(state["absent"][seat])
        held = int(state["hand"][seat])
        assert known & ~held == 0, f"seat {seat} is known to hold a card that it does not hold"
        assert absent & held == 0, f"seat {seat} is known to lack a card that it holds"
        idle = rules["form"] == THREE_HAND and seat == state["dealer"] and state["phase"] not in (DEAL, OVER)
        assert not (idle and hand) and (seat < rules["players"] or not hand), f"seat {seat} holds cards"
    counted = sum(RANK_POINTS[card & 7] for card in table[:finished])
    extra = int(state["points"].sum()) - counted
    assert extra >= 0 and extra % 10 == 0, f"points: {extra} more than the cards of the tricks"
