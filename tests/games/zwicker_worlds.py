"""Worlds by rejection: deal unseen cards anew, play on from the last refill, keep what the viewer cannot tell apart.

It uses the kernels for dealing and playing (which the referee holds to the rules) but nothing of what they note down
about knowledge. A world agrees if the turns seen were legal for their seats, and all builds that the viewer himself
could have made at each of his turns were the same (WP13). How the chain of a turn asks its way to a build is not seen.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from cardsim import contract, rng
from cardsim.bits import I64, has
from cardsim.games.zwicker.basics import VALUE_ACTIONS, face_of
from cardsim.games.zwicker.layout import (
    ACT_LAY,
    CARD,
    FIRST_PLACE,
    FIRST_VALUE,
    NEW_VALUE,
    NO_CARD,
    NOBODY,
    SEATS,
)
from cardsim.games.zwicker.rules import HAND
from cardsim.games.zwicker.table import to_hand
from cardsim.games.zwicker.turns import begin_turn
from cardsim.games.zwicker.worlds import resample_trying
from cardsim.jit import kernel
from tests.games.zwicker_rounds import ACTS, PLAYS, PRINT, START, TRUE, WORLD, Position, raw_bytes, take_print

KEY = SEATS + 2
"""Columns of a world: the hands, the next two cards of the stock; cards that are alike count as one."""


@kernel
def propose(states: Any, raw: Any, viewer: int, played: Any, hidden: Any, owners: Any, streams: Any) -> None:
    """Begin the round in states[WORLD] with the hidden cards dealt anew."""
    raw[WORLD, :] = raw[START, :]
    state = states[WORLD]
    for seat in range(SEATS):
        state["asked"][seat] = 0
        state["denied"][seat] = 0
        if seat != viewer:
            for k in range(HAND):
                state["hand"][seat, k] = NO_CARD
    for n in range(played.shape[0]):
        to_hand(state, played[n, 0], played[n, 1])
    rng.shuffle(streams[0], hidden, hidden.shape[0])
    at = I64(state["deck_pos"])
    for n in range(hidden.shape[0]):
        if owners[n] == NOBODY:
            state["deck"][at] = hidden[n]
            at += 1
        else:
            to_hand(state, owners[n], hidden[n])
    begin_turn(state, I64(state["player"]))


@kernel
def play_row(state: Any, row: Any) -> bool:
    """Play a recorded row, if it is legal; cards that are alike are one choice."""
    if contract.current_player(state) != row[0]:
        return False
    legal = contract.legal_actions(state)
    if row[1] == PLAYS:
        for k in range(HAND):
            if has(legal, k) and face_of(I64(state["hand"][row[0], k])) == row[2]:
                contract.apply_action(state, k)
                return True
        return False
    if row[1] == ACTS:
        if has(legal, row[2]):
            contract.apply_action(state, row[2])
        return has(legal, row[2])
    if not has(legal, ACT_LAY):
        return False
    contract.apply_action(state, ACT_LAY)
    if not has(contract.legal_actions(state), FIRST_PLACE + row[2]):
        return False
    contract.apply_action(state, FIRST_PLACE + row[2])
    if state["phase"] == NEW_VALUE:
        action = FIRST_VALUE + VALUE_ACTIONS[row[3]]
        if not has(contract.legal_actions(state), action):
            return False
        contract.apply_action(state, action)
    return bool(state["low"][row[2]] == row[3])


@kernel
def agrees(states: Any, raw: Any, viewer: int, play: Any, prints: Any, now: Any) -> bool:
    """Play the round in states[WORLD]; whether the viewer could tell the difference."""
    state = states[WORLD]
    seen = 0
    for k in range(play.shape[0] + 1):
        if state["player"] == viewer and state["phase"] == CARD:
            take_print(states, raw, WORLD, now)
            for c in range(PRINT):
                if now[c] != prints[seen, c]:
                    return False
            seen += 1
        if k < play.shape[0] and not play_row(state, play[k]):
            return False
    return True


@kernel
def write_key(state: Any, out: Any) -> None:
    """The hands, and the next cards of the stock."""
    for seat in range(SEATS):
        out[seat] = 0
        for k in range(HAND):
            card = I64(state["hand"][seat, k])
            if card != NO_CARD:
                out[seat] |= (face_of(card) + 1) << (7 * k)
    for k in range(2):
        at = I64(state["deck_pos"]) + k
        out[SEATS + k] = face_of(I64(state["deck"][at])) if at < state["rules"]["cards"] else NO_CARD


@kernel
def reject(
    states: Any,
    raw: Any,
    viewer: int,
    played: Any,
    hidden: Any,
    owners: Any,
    play: Any,
    prints: Any,
    streams: Any,
    tries: int,
    keys: Any,
    views: Any,
) -> int:
    """Fill `keys` with agreeing worlds, and views[1] with what the viewer sees in one that does not look like views[0].

    Returns how many worlds were found in so many tries, -1 if the viewer sees a difference.
    """
    now = np.zeros(PRINT, np.int64)
    found = 0
    for _ in range(tries):
        propose(states, raw, viewer, played, hidden, owners, streams)
        if agrees(states, raw, viewer, play, prints, now):
            contract.observe(states[WORLD], viewer, views[1])
            for c in range(views.shape[1]):
                if views[1, c] != views[0, c]:
                    return -1
            write_key(states[WORLD], keys[found])
            found += 1
            if found == keys.shape[0]:
                break
    return found


@kernel
def resample(states: Any, raw: Any, streams: Any, viewer: int, tries: int, keys: Any) -> None:
    """Fill `keys` with resampled worlds, each from the true state."""
    for n in range(keys.shape[0]):
        raw[WORLD, :] = raw[TRUE, :]
        resample_trying(states[WORLD], viewer, streams[0], tries)
        write_key(states[WORLD], keys[n])


def rejected(position: Position, count: int, tries: int, seed: int = 1) -> Counter[tuple[int, ...]]:
    """Worlds by rejection, at most `count`; in each the viewer sees what he sees.

    Raises:
        AssertionError: he sees something else; the message names the blocks.
    """
    p, streams, keys = position, rng.new_streams(), np.zeros((count, KEY), np.int64)
    rng.seed_stream(streams[0], np.uint64(seed), np.uint64(0), rng.USER)
    views = np.zeros((2, p.game.observation_size), np.int8)
    views[0] = p.game.observe(p.states, p.viewer, TRUE)
    states = p.states.view(np.uint8).copy().view(p.states.dtype)
    given = (p.played, p.hidden.copy(), p.owners, p.play, p.prints)
    found = reject(states, raw_bytes(states), p.viewer, *given, streams, tries, keys, views)
    if found < 0:
        at, wrong = 0, []
        for block in p.game.blocks:
            if not np.array_equal(views[0, at : at + block.size], views[1, at : at + block.size]):
                wrong.append(block.name)
            at += block.size
        raise AssertionError(f"in a world that agrees, seat {p.viewer} sees other {', '.join(wrong)}")
    return Counter(map(tuple, keys[:found].tolist()))


def resampled(position: Position, count: int, tries: int, seed: int = 2) -> Counter[tuple[int, ...]]:
    """Worlds of `resample_trying`."""
    streams, keys = rng.new_streams(), np.zeros((count, KEY), np.int64)
    rng.seed_stream(streams[0], np.uint64(seed), np.uint64(0), rng.RESAMPLE)
    states = position.states.view(np.uint8).copy().view(position.states.dtype)
    resample(states, raw_bytes(states), streams, position.viewer, tries, keys)
    return Counter(map(tuple, keys.tolist()))
