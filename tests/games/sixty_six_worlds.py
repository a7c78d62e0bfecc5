"""Worlds by rejection: deal the unseen cards anew, play the hand again, keep what nobody can tell from the truth.

It uses the kernels for dealing and playing (which the referee holds to the rules) but nothing of what they note down
about knowledge: a world agrees if every recorded action was legal for its seat, and every public number the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim import contract, rng
from cardsim.bits import has, popcount
from cardsim.game import Game
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ACT_CLOSE,
    ACT_PASS,
    ASK_EXCHANGE,
    ASK_PAIR,
    CARDS,
    LEAD,
    NO_CARD,
    SEATS,
)
from cardsim.games.sixty_six.rules import FOUR_HAND
from cardsim.jit import kernel

UNKNOWN = -1
KEY = SEATS + 3
"""Columns of a world: the hands, the phase, the next two cards of the talon."""
NUMBERS = 11 + 4 * SEATS
Predicate = Callable[[Any, int], bool]


@dataclass(frozen=True)
class Position:
    """A hand that was played up to some decision, as one seat looks at it.

    Attributes:
        viewer: seat.
        deck: uint8 (cards,), as dealt.
        dealer: seat.
        slots: int64, places in `deck` that the viewer has not seen.
        owners: int64, seat that each of those cards went to, or UNKNOWN for the talon.
        pinned: int64 (CARDS,), seat to which each card must have been dealt or drawn as it shows, or UNKNOWN.
        play: int64 (actions, 2 + NUMBERS): mover, action, public numbers after it; without the secret passes of others.
        states: shape (1,).
    """

    game: Game
    viewer: int
    deck: Any
    dealer: int
    slots: Any
    owners: Any
    pinned: Any
    play: Any
    states: Any


@kernel
def public_numbers(states: Any, i: int, out: Any) -> None:
    """What everybody sees, but for the mover and the phase."""
    state = states[i]
    out[0] = state["declared"]
    out[1] = state["last_pair"]
    out[2] = state["lead_pair"]
    out[3] = state["partner_pair"]
    out[4] = state["up"]
    out[5] = state["trump"]
    out[6] = state["talon_left"]
    out[7] = state["closer"]
    out[8] = state["leader"]
    out[9] = state["played"]
    out[10] = state["deals"]
    for seat in range(SEATS):
        out[11 + seat] = state["tricks"][seat]
        out[11 + SEATS + seat] = state["points"][seat]
        out[11 + 2 * SEATS + seat] = state["pending"][seat]
        out[11 + 3 * SEATS + seat] = popcount(state["hand"][seat])


@kernel
def answer_secretly(states: Any, i: int, viewer: int, mover: int) -> None:
    """Pass for a seat that is asked without anybody's knowledge, if the next public action is not its own."""
    state = states[i]
    asked = state["phase"] == ASK_EXCHANGE or state["phase"] == ASK_PAIR
    if asked and state["player"] != viewer and state["player"] != mover:
        contract.apply_action(state, ACT_PASS)


@kernel
def agrees(
    states: Any, streams: Any, deck: Any, dealer: int, viewer: int, play: Any, asked: bool, numbers: Any
) -> bool:
    """Play the recorded actions in states[1] from another pack; whether anybody could tell the difference."""
    state = states[1]
    contract.reset(state, streams[0])
    state["dealer"] = dealer
    contract.deal_given(state, deck)
    for k in range(play.shape[0]):
        answer_secretly(states, 1, viewer, play[k, 0])
        if contract.current_player(state) != play[k, 0] or not has(contract.legal_actions(state), play[k, 1]):
            return False
        contract.apply_action(state, play[k, 1])
        public_numbers(states, 1, numbers)
        for c in range(numbers.shape[0]):
            if numbers[c] != play[k, 2 + c]:
                return False
    if not asked:
        answer_secretly(states, 1, viewer, UNKNOWN)
    return True


@kernel
def propose(deck: Any, slots: Any, owners: Any, pinned: Any, streams: Any, order: Any, used: Any) -> None:
    """Deal the cards in `slots` anew, uniformly among the ways in which each pinned card goes to its seat."""
    count = slots.shape[0]
    cards = np.empty(count, np.int64)
    for k in range(count):
        cards[k] = deck[slots[k]]
        order[k] = k
        used[k] = False
    rng.shuffle(streams[1], order, count)
    rng.shuffle(streams[1], cards, count)
    for c in range(count):
        if pinned[cards[c]] != UNKNOWN:
            for k in range(count):
                if not used[order[k]] and owners[order[k]] == pinned[cards[c]]:
                    used[order[k]] = True
                    deck[slots[order[k]]] = cards[c]
                    break
    k = 0
    for c in range(count):
        if pinned[cards[c]] == UNKNOWN:
            while used[order[k]]:
                k += 1
            deck[slots[order[k]]] = cards[c]
            k += 1


@kernel
def write_key(states: Any, i: int, out: Any) -> None:
    state = states[i]
    for seat in range(SEATS):
        out[seat] = state["hand"][seat]
    asked = state["phase"] == ASK_EXCHANGE or state["phase"] == ASK_PAIR  # a secret (SP15): no world tells it
    out[SEATS] = LEAD if asked else state["phase"]
    for k in range(2):
        at = state["talon_pos"] + k
        out[SEATS + 1 + k] = state["deck"][at] if at < CARDS else NO_CARD


@kernel
def reject(
    states: Any,
    streams: Any,
    deck: Any,
    dealer: int,
    viewer: int,
    slots: Any,
    owners: Any,
    pinned: Any,
    play: Any,
    asked: bool,
    tries: int,
    keys: Any,
) -> int:
    """Fill `keys` with agreeing worlds; returns how many were found in so many tries."""
    numbers = np.zeros(NUMBERS, np.int64)
    order = np.zeros(slots.shape[0], np.int64)
    used = np.zeros(slots.shape[0], np.bool_)
    found = 0
    for _ in range(tries):
        propose(deck, slots, owners, pinned, streams, order, used)
        if agrees(states, streams, deck, dealer, viewer, play, asked, numbers):
            write_key(states, 1, keys[found])
            found += 1
            if found == keys.shape[0]:
                break
    return found


@kernel
def resample(states: Any, raw: Any, streams: Any, viewer: int, keys: Any) -> None:
    """Fill `keys` with worlds from resample_hidden, each from the true state."""
    for n in range(keys.shape[0]):
        raw[1, :] = raw[0, :]
        contract.resample_hidden(states[1], viewer, streams[0])
        write_key(states, 1, keys[n])


def two_states(position: Position) -> Any:
    states = position.game.new_states(2)
    states[:1] = position.states
    return states


def rejected(position: Position, count: int, tries: int, seed: int = 1) -> Counter[tuple[int, ...]]:
    """Worlds by rejection, at most `count`."""
    streams = rng.new_streams(2)
    rng.seed_stream(streams[1], np.uint64(seed), np.uint64(0), rng.USER)
    keys = np.zeros((count, KEY), np.int64)
    asked = int(position.states["phase"][0]) in (ASK_EXCHANGE, ASK_PAIR)
    hidden = (position.slots, position.owners, position.pinned)
    states, deck = two_states(position), position.deck.copy()
    found = reject(states, streams, deck, position.dealer, position.viewer, *hidden, position.play, asked, tries, keys)
    return Counter(map(tuple, keys[:found].tolist()))


def resampled(position: Position, count: int, seed: int = 2) -> Counter[tuple[int, ...]]:
    """Worlds of resample_hidden."""
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(seed), np.uint64(0), rng.RESAMPLE)
    states = two_states(position)
    keys = np.zeros((count, KEY), np.int64)
    resample(states, states.view(np.uint8).reshape(2, -1), streams, position.viewer, keys)
    return Counter(map(tuple, keys.tolist()))


def chosen(game: Game, states: Any, chance: random.Random, close: float) -> int:
    """A random action: no claims, and closing with the given probability only, so that late positions occur."""
    legal = [action for action in game.legal_actions(states) if action != ACT_CLAIM]
    if ACT_CLOSE in legal and chance.random() > close:
        legal.remove(ACT_CLOSE)
    return chance.choice(legal)


def positions(game: Game, wanted: Predicate, seed: int, hands: int = 4000, close: float = 0.1) -> Iterator[Position]:
    """The first position of each hand that is wanted for some viewer."""
    for number in range(hands):
        chance = random.Random(f"{game.name} {seed} {number}")
        deck = game.deck()
        chance.shuffle(deck)
        dealer = number % game.num_players
        states = game.deal_given(deck, dealer)
        actions: list[tuple[int, int, bool, list[int]]] = []
        owner = dict.fromkeys(deck, UNKNOWN)
        while (player := game.current_player(states)) >= 0:
            for card in deck:
                holders = [seat for seat in range(SEATS) if int(states["hand"][0, seat]) >> card & 1]
                if holders and owner[card] == UNKNOWN and card != states["up_first"][0]:
                    owner[card] = holders[0]
            viewers = [seat for seat in range(game.num_players) if wanted(states[0], seat)]
            if viewers:
                yield _position(game, chance.choice(viewers), deck, dealer, owner, actions, states)
                break
            action = chosen(game, states, chance, close)
            secret = int(states["phase"][0]) in (ASK_EXCHANGE, ASK_PAIR) and action == ACT_PASS
            game.apply_action(states, action)
            numbers = np.zeros(NUMBERS, np.int64)
            public_numbers(states, 0, numbers)
            actions.append((player, action, secret, numbers.tolist()))


def _position(
    game: Game, viewer: int, deck: list[int], dealer: int, owner: dict[int, int], actions: list[Any], states: Any
) -> Position:
    state = states[0]
    shown = {int(state["up_first"])} | ({deck[-1]} if game.rules.record["form"][0] == FOUR_HAND else set())
    slots = [at for at, card in enumerate(deck) if owner[card] != viewer and card not in shown]
    pinned = np.full(CARDS, UNKNOWN)
    for at in slots:
        card = deck[at]
        if card in state["history"][: state["played"]] or card == state["up"]:
            pinned[card] = owner[card]
    play = [[player, action, *numbers] for player, action, secret, numbers in actions if player == viewer or not secret]
    return Position(
        game,
        viewer,
        np.array(deck, np.uint8),
        dealer,
        np.array(slots, np.int64),
        np.array([owner[deck[at]] for at in slots], np.int64),
        pinned,
        np.array(play, np.int64).reshape(-1, 2 + NUMBERS),
        states,
    )
