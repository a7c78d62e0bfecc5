"""Zwicken: what is true of every state, for `cardsim.testing.check_game`."""

from __future__ import annotations

from typing import Any

from cardsim.games.zwicken.knowledge import pack_cards
from cardsim.games.zwicken.layout import BETES, CUT_CHIPS, DEAL, LEAD, NO_CARD, OVER, STAKED, SWAP, TAKEN
from cardsim.texts import members


def check_state(states: Any, i: int) -> None:
    """Chips are conserved, every card is in one place, tricks and hands add up (section 5, ZP35).

    Args:
        states: records of STATE.
        i: which one.

    Raises:
        AssertionError: what does not add up.
    """
    state = states[i]
    rules = state["rules"]
    players = int(rules["players"])
    start = int(rules["start_chips"])
    total = int(state["chips"].sum()) + int(state["pot"])
    assert total == players * start + rules["start_pot"], f"chips: {total} in hands and pot"
    assert state["pot"] >= 0, f"pot: {state['pot']}"
    for seat in range(players):
        counts = state["counts"][:, seat]
        gain = counts[TAKEN] - counts[STAKED] - counts[BETES] + counts[CUT_CHIPS]
        assert state["chips"][seat] - start == gain, f"seat {seat}: its counts make {gain} chips"
    if state["up"] != NO_CARD:
        _check_cards(state)


def _check_cards(state: Any) -> None:
    rules = state["rules"]
    places = [int(state["up"]), *_cards_of(state["history"]), *_cards_of(state["deck"])]
    for seat in range(len(state["hand"])):
        places += members(state["hand"][seat] | state["thrown"][seat])
        assert int(state["hand"][seat]) & int(state["absent"][seat]) == 0, f"seat {seat} holds what it lacks"
        assert int(state["thrown"][seat]).bit_count() == state["swaps"][seat], f"seat {seat}: swaps miscounted"
    pack = members(pack_cards(state))
    assert sorted(places) == pack, f"cards: {len(places)} have a place, {sorted(set(pack) - set(places))} have none"
    assert len(_cards_of(state["deck"])) == state["talon_left"], f"talon: not {state['talon_left']} cards"
    active = int(state["active"]).bit_count()
    if active > 1:
        assert state["tricks"].sum() * active == state["trick_start"], "tricks do not add up"
    size = int(rules["hand_cards"])
    for seat in range(int(rules["players"])):
        held = int(state["hand"][seat]).bit_count()
        played = int((state["movers"][: state["played"]] == seat).sum())
        swapping = state["phase"] == SWAP and seat == state["player"]
        assert held + played == size or swapping, f"seat {seat} has {held} cards in hand, {played} played"
    if state["phase"] in (LEAD, SWAP):
        assert active > 1, "fewer than two players play"
    if state["phase"] in (DEAL, OVER) and state["shown"] != NO_CARD and state["talon_left"]:
        assert state["deck"][rules["cards"] - 1] == state["shown"], "the card shown is not the last of the talon"


def _cards_of(row: Any) -> list[int]:
    return [card for card in row.tolist() if card != NO_CARD]
