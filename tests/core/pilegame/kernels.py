"""A game of 16 cards for the tests of the core: play two cards, the last counts double, the average is paid.

Three players have returns in thirds; an episode has one hand or more; it keeps the whole contract.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, bit, lowest, popcount, select, spread
from cardsim.contract import CHANCE, TERMINAL
from cardsim.jit import kernel
from cardsim.options import Option, OptionTable
from cardsim.rng import below, shuffle

from .values import HAND, worth

SEATS, CARDS = 4, 16
DEAL, PLAY, OVER = range(3)
TOTAL_BITS = 6

OPTIONS = OptionTable(
    [
        Option("players", 2, "P1", "seats at the table", low=2, high=SEATS),
        Option("hands", 1, "P2", "hands of an episode", low=1, high=3),
    ]
)
RULES = OPTIONS.record_dtype(())
STATE = np.dtype(
    [
        ("rules", RULES),
        ("hand", np.uint32, (SEATS,)),
        ("gone", np.uint32),
        ("total", np.int16, (SEATS,)),
        ("paid", np.int16, (SEATS,)),
        ("decisions", np.int16),
        ("hands", np.int16),
        ("phase", np.int8),
        ("player", np.int8),
        ("dealer", np.int8),
        ("_pad", np.uint8, (5,)),
    ],
    align=True,
)


@kernel
def reset(state: Any, stream: Any) -> None:
    """Clear all but the rules, draw the first dealer."""
    for seat in range(SEATS):
        state["hand"][seat] = 0
        state["total"][seat] = 0
        state["paid"][seat] = 0
    state["gone"] = 0
    state["decisions"] = 0
    state["hands"] = 0
    state["player"] = -1
    state["dealer"] = below(stream, np.int64(state["rules"]["players"]))
    state["phase"] = DEAL


@kernel
def deal(state: Any, stream: Any) -> None:
    """Shuffle and deal."""
    deck = np.arange(CARDS)
    shuffle(stream, deck, CARDS)
    deal_given(state, deck)


@kernel
def deal_given(state: Any, deck: Any) -> None:
    """Two cards to each seat, the dealer's left first."""
    players = np.int64(state["rules"]["players"])
    position = 0
    state["gone"] = 0
    for k in range(players):
        seat = (np.int64(state["dealer"]) + 1 + k) % players
        cards = NONE
        for _ in range(HAND):
            cards |= bit(deck[position])
            position += 1
        state["hand"][seat] = np.uint32(cards)
    state["player"] = (np.int64(state["dealer"]) + 1) % players
    state["hands"] += 1
    state["phase"] = PLAY


@kernel
def current_player(state: Any) -> int:
    """Seat to act."""
    if state["phase"] == PLAY:
        return np.int64(state["player"])  # type: ignore[return-value]
    return CHANCE if state["phase"] == DEAL else TERMINAL


@kernel
def legal_actions(state: Any) -> Any:
    """The cards of the seat to act."""
    return U64(state["hand"][state["player"]]) if state["phase"] == PLAY else NONE


@kernel
def apply_action(state: Any, action: int) -> None:
    """Play a card."""
    seat = np.int64(state["player"])
    played = np.uint32(bit(action))
    state["hand"][seat] ^= played
    state["gone"] |= played
    state["total"][seat] += worth(action) * (2 if state["hand"][seat] == 0 else 1)
    state["decisions"] += 1
    following = (seat + 1) % np.int64(state["rules"]["players"])
    state["player"] = following
    if state["hand"][following] == 0:
        state["player"] = -1
        for k in range(SEATS):
            state["paid"][k] = state["total"][k]
        state["dealer"] = (np.int64(state["dealer"]) + 1) % np.int64(state["rules"]["players"])
        state["phase"] = OVER if state["hands"] == state["rules"]["hands"] else DEAL


@kernel
def returns(state: Any, out: Any) -> None:
    """What each seat's cards are worth beyond the average, once a hand is over."""
    players = np.int64(state["rules"]["players"])
    total = 0
    for seat in range(players):
        total += state["paid"][seat]
    for seat in range(players):
        out[seat] = state["paid"][seat] - total / players


@kernel
def observe(state: Any, player: int, out: Any) -> None:
    """Own cards, cards gone, seat to act, totals."""
    players = np.int64(state["rules"]["players"])
    out[: 2 * CARDS + SEATS * (1 + TOTAL_BITS)] = 0
    spread(state["hand"][player], out, 0, CARDS)
    spread(state["gone"], out, CARDS, CARDS)
    if state["player"] >= 0:
        out[2 * CARDS + (state["player"] - player) % players] = 1
    for seat in range(players):
        relative = (seat - player) % players
        spread(state["total"][seat], out, 2 * CARDS + SEATS + TOTAL_BITS * relative, TOTAL_BITS)


@kernel
def recall(state: Any, observation: Any) -> None:
    """What the observer knows; he becomes seat 0."""
    cards = NONE
    gone = NONE
    for card in range(CARDS):
        if observation[card]:
            cards |= bit(card)
        if observation[CARDS + card]:
            gone |= bit(card)
    state["hand"][0] = np.uint32(cards)
    state["gone"] = np.uint32(gone)
    state["phase"] = PLAY
    for seat in range(SEATS):
        if observation[2 * CARDS + seat]:
            state["player"] = seat
        state["total"][seat] = 0
        for k in range(TOTAL_BITS):
            if observation[2 * CARDS + SEATS + TOTAL_BITS * seat + k]:
                state["total"][seat] += 1 << k


@kernel
def resample_hidden(state: Any, player: int, stream: Any) -> None:
    """Deal the cards that `player` does not see anew."""
    unseen = U64((1 << CARDS) - 1) & ~(U64(state["hand"][player]) | U64(state["gone"]))
    for seat in range(np.int64(state["rules"]["players"])):
        if seat != player:
            held = popcount(U64(state["hand"][seat]))
            cards = NONE
            for _ in range(held):
                card = bit(select(unseen, below(stream, popcount(unseen))))
                cards |= card
                unseen ^= card
            state["hand"][seat] = np.uint32(cards)


@kernel
def outcome(state: Any, hand: Any, seats: Any) -> None:
    """Hands and decisions; each seat's total."""
    hand[0] = state["hands"]
    hand[1] = state["decisions"]
    for seat in range(np.int64(state["rules"]["players"])):
        seats[seat, 0] = state["total"][seat]


RANDOM, GREEDY, LOWEST = range(3)
PARAMETERS = OptionTable([Option("margin", 0, "P3", "greedy: what a later card must be worth more", low=0, high=3)])


@kernel
def act(agent: Any, state: Any, legal: Any, stream: Any) -> int:
    """Any card, the dearest, or the lowest by number."""
    if agent["kind_pile"] == RANDOM:
        return select(legal, below(stream, popcount(legal)))
    chosen = lowest(legal)
    if agent["kind_pile"] == GREEDY:
        for k in range(popcount(legal)):
            card = select(legal, k)
            if worth(card) > worth(chosen) + agent["margin"]:
                chosen = card
    return chosen
