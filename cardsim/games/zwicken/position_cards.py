"""Zwicken positions as text: where the cards are, and the pack of the shortest deal that brings them there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cardsim.games.zwicken.basics import TRUMPS, followers, power_of
from cardsim.games.zwicken.layout import ANNOUNCE, NO_CARD, PACK, PER_SUIT, SWAP
from cardsim.games.zwicken.legal import BLOCK
from cardsim.games.zwicken.position_keys import following, key_text, seats_from, set_key, voids
from cardsim.games.zwicken.rules import deck
from cardsim.options import Rules
from cardsim.positions import NONE, card_list, cards_text, read_history, refuse, seats_of, split, take
from cardsim.texts import members


class Cards(NamedTuple):
    """Where the cards of a position are.

    Attributes:
        held: by seat.
        thrown: by seat, ascending.
        talon: top first.
        played: seat and card, in order.
    """

    held: list[list[int]]
    thrown: list[list[int]]
    talon: list[int]
    played: list[tuple[int, int]]

    def kept(self, seat: int) -> list[int]:
        """Cards in hand after the swap: those held and those played since."""
        return self.held[seat] + [card for mover, card in self.played if mover == seat]


def read_cards(rules: Rules, state: Any, words: Mapping[str, str], dealer: int) -> Cards:
    """Read where every card is; a state that has its phase, player and active seats gets its turned card.

    Raises:
        ValueError: a card has no place, or two, or a place has not as many cards as it must.
    """
    free, players = set(deck(rules)), seats_of(state)
    places: dict[str, list[list[int]]] = {}
    for key in ("hands", "thrown"):
        parts = split(key, words.get(key, ";".join(NONE * players)), ";", players)
        places[key] = [sorted(card_list(PACK, key, part)) for part in parts]
        for seat, cards in enumerate(places[key]):
            take(PACK, free, cards, f"{key} (seat {seat})")
    if words.get("up", NONE) == NONE:
        raise ValueError("position: up=... (the turned card) is missing")
    set_key(state, "up", words["up"])
    take(PACK, free, [int(state["up"])], "up")
    state["trump"] = state["up"] // PER_SUIT
    state["trumps"] = TRUMPS[4 * int(state["rules"]["order"]) + int(state["trump"])]
    talon = card_list(PACK, "talon", words.get("talon", NONE))
    take(PACK, free, talon, "talon")
    played = _read_played(free, state, words.get("history", NONE), dealer)
    if free:
        missing, where = cards_text(PACK, sum(1 << card for card in free)), "hands, up, talon, thrown or history"
        raise ValueError(
            f"position: {missing} missing: all {int(state['rules']['cards'])} cards need a place in {where}"
        )
    found = Cards(places["hands"], places["thrown"], talon, played)
    _check_sizes(state, words, found)
    return found


def _read_played(free: set[int], state: Any, text: str, dealer: int) -> list[tuple[int, int]]:
    """The cards played; who played is worked out where the text does not tell."""
    played: list[tuple[int, int]] = []
    active = members(state["active"])
    seat = following(state, dealer) if active else dealer
    begun, best, winner, led = 0, NO_CARD, seat, 0
    for trick, mover, card in read_history(text, len(active), seats_of(state), PACK):
        if trick > begun:
            seat, begun, best = (winner if begun else seat), trick, NO_CARD
        seat = seat if mover is None else mover
        take(PACK, free, [card], f"history (trick {trick})")
        if best == NO_CARD:
            led = int(followers(state, card)) | int(state["trumps"])
        if best == NO_CARD or (led >> card & 1 and power_of(state, card) > power_of(state, best)):
            best, winner = card, seat
        played.append((seat, card))
        seat = following(state, seat)
    return played


def _check_sizes(state: Any, words: Mapping[str, str], cards: Cards) -> None:
    """Hands and cards laid away are as many as the rules and the tricks allow."""
    size, most = int(state["rules"]["hand_cards"]), int(state["rules"]["max_swaps"])
    phase, block = state["phase"], state["rules"]["swap_mode"] == BLOCK
    active, thrown = members(state["active"]), words.get("thrown", NONE)
    early = phase in (ANNOUNCE, SWAP)
    refuse(early and cards.played, "history", words.get("history", NONE), "no card is played before the swap is over")
    for seat in range(seats_of(state)):
        laid = len(cards.thrown[seat])
        allowed = 0 if phase == ANNOUNCE or seat not in active else min(most, size) if block else most
        refuse(laid > allowed, "thrown", thrown, f"seat {seat} can have laid away at most {allowed}")
        plays = sum(mover == seat for mover, _ in cards.played)
        want = size - plays - (laid if block and phase == SWAP and seat == state["player"] else 0)
        count = len(cards.held[seat])
        if count != max(want, 0):
            raise ValueError(f"position: hands: seat {seat} has {count} cards, must have {max(want, 0)}")
        refuse(want < 0, "history", words.get("history", NONE), f"seat {seat} has played more than {size} cards")


def shortest_pack(state: Any, words: Mapping[str, str], cards: Cards, dealer: int) -> Any:
    """The pack after the cut from which the shortest deal comes to this position, uint8 (cards,).

    A seat that has laid cards away was dealt these and as many of the others as there is room for, and drew the rest;
    a card shown by the cut comes last.

    Raises:
        ValueError: the card that the cut showed is not where it must be.
    """
    seats, size = seats_from(state, dealer), int(state["rules"]["hand_cards"])
    set_key(state, "shown", words.get("shown", PACK.text(cards.talon[-1]) if cards.talon and cut(state) else NONE))
    shown = int(state["shown"])
    hands, draws = [], []
    for place, seat in enumerate(seats):
        ever = cards.thrown[seat] + sorted(cards.kept(seat), key=lambda card: card == shown)
        hands.append(ever[:size])
        draws += [(turn, place, card) for turn, card in enumerate(ever[size:])]
    draws.sort(key=lambda draw: draw[1::-1] if state["rules"]["swap_mode"] == BLOCK else draw[:2])
    pack = [card for hand in hands for card in hand[:2]] + [int(state["up"])]
    pack += [card for hand in hands for card in hand[2:]] + [card for *_, card in draws] + cards.talon
    if not cut(state):
        refuse(shown != NO_CARD, "shown", key_text(state, "shown"), "these rules know no cut")
    else:
        where = "the last card of the talon"
        if draws and not cards.talon:
            where = f"the last one drawn, by seat {seats[draws[-1][1]]}"
        refuse(shown != pack[-1], "shown", key_text(state, "shown"), f"must be {where}")
        refuse(voids(shown), "shown", key_text(state, "shown"), "such a cut voids the deal")
    return np.array(pack, np.uint8)


def cut(state: Any) -> bool:
    """Whether these rules cut the pack."""
    return bool(state["rules"]["cut"])
