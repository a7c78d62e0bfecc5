"""Zwicker kernels: what a seat knows: the observation (views.py reads it back).

Cards that are alike (WP4) are told apart by nothing but where they are. So their numbers are given out anew, from the
last one down: to the cards in the piles, side by side from the observer's, then to those on the table in their order,
the card of this turn, and the observer's hand; the first ones are left to what is unseen.

Where a card is laid shows when it lies there: in the phases TARGET and NEW_VALUE the others see that of ACT, or the
steps of the chain would tell which values are covered (WP13).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, lowest, spread8, spread16, spread32
from cardsim.blocks import mark, mark_seat
from cardsim.games.zwicker.basics import IS_WILD, SELF, face_of, in_teams, value_set
from cardsim.games.zwicker.captures import is_loose, is_loose_joker
from cardsim.games.zwicker.layout import (
    ACT,
    DEALS,
    NEW_VALUE,
    NO_CARD,
    NO_VALUE,
    OBSERVATION_SIZE,
    OFFSETS,
    PLACES,
    SEATS,
    TARGET,
)
from cardsim.games.zwicker.rules import (
    FIRST_JOKER,
    FIRST_WILD,
    HAND,
    JOKER_VALUES,
    KINDS,
    PRESETS,
    WILD,
)
from cardsim.games.zwicker.scoring import pile_size
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of, relative_to, seat_at

OWN, CARD, SIZES, LOCATION = (OFFSETS[name] for name in ("hand", "card", "hand_sizes", "location"))
UNSEEN, ITEM_VALUES, BUILT = (OFFSETS[name] for name in ("unseen", "item_values", "built"))
SIDE_CARDS, ZWICKS, CAPTURER = (OFFSETS[name] for name in ("side_cards", "zwicks", "capturer"))
TO_MOVE, DEALER, PHASE, STOCK = (OFFSETS[name] for name in ("to_move", "dealer", "phase", "stock"))
PROMISED, LACKS, ASKED, DENIED = (OFFSETS[name] for name in ("promised", "lacks", "asked", "denied"))
VALUE, SUMS, CHOSEN = (OFFSETS[name] for name in ("value", "sums", "chosen"))
FIRST, LAST, ON_ITEM, PAGE = (OFFSETS[name] for name in ("first", "last", "target", "page"))
DEALS_DONE, SCORED, DEBTS = (OFFSETS[name] for name in ("deals", "points", "debts"))
BYTE, WORD, FLAGS, STEPS = 8, 16, 32, 4
"""Entries of a row that holds a small or a larger number, a set of values, the size of a hand."""
CAPTURED = 128
"""`location` of the cards of the first side's pile; items on the table have smaller numbers."""
LARGEST = 2**WORD - 1
"""A larger number of points shows as this."""
PLAIN_KINDS = [
    (1 << FIRST_JOKER) - 1 + sum(1 << FIRST_JOKER + JOKER_VALUES.index(value) for value in preset.jokers)
    for preset in PRESETS.values()
]
KINDS_OF_FORM = np.array(PLAIN_KINDS, np.uint64)


@inlined
def pack_kinds(state: Any) -> Any:
    """Kinds of each pack of this form, as a bit mask."""
    rules = state["rules"]
    kinds = U64(KINDS_OF_FORM[I64(rules["form"])])
    if rules["style"] == WILD:
        kinds |= (bit(I64(rules["n_jokers"])) - U64(1)) << U64(FIRST_WILD)
    return kinds


@inlined
def side_at(state: Any, player: int, relative: int) -> int:
    """The side that comes so many places after the player's; in a game of two parties this is its own inverse."""
    if in_teams(state):
        return relative ^ (player & 1)
    return seat_at(player, relative, I64(state["rules"]["players"]))


@inlined
def hides_target(state: Any, player: int) -> bool:
    """Whether another seat is about to lay a card on an item that the player cannot know yet."""
    return state["player"] != player and state["phase"] in (TARGET, NEW_VALUE)


@kernel
def observe(state: Any, player: int, out: Any) -> None:
    """Write what `player` knows into out[:OBSERVATION_SIZE], blocks as in layout.BLOCKS, seats counted from him.

    Sides are counted from his own: in parties his is 0 and the other 1, else they are the seats.
    """
    observer = I64(player)
    for i in range(OBSERVATION_SIZE):
        out[i] = 0
    _observe_cards(state, observer, out)
    _observe_items(state, observer, out)
    _observe_seats(state, observer, out)
    _observe_told(state, observer, out)
    _observe_turn(state, observer, out)


@kernel
def _observe_cards(state: Any, player: int, out: Any) -> None:
    """Where the cards are; all of the pack are unseen until they are found somewhere."""
    kinds = pack_kinds(state)
    for pack in range(I64(state["rules"]["packs"])):
        spread32(kinds, out, UNSEEN + KINDS * pack)
        spread32(kinds >> U64(32), out, UNSEEN + KINDS * pack + 32)
    for relative in range(I64(state["rules"]["sides"])):
        side = side_at(state, player, relative)
        for pack in range(I64(state["rules"]["packs"])):
            rest = U64(state["pile"][side, pack])
            while rest != NONE:
                _show(out, lowest(rest) + KINDS * pack, CAPTURED + relative)
                rest &= rest - U64(1)
    for item in range(I64(state["items"])):
        card = I64(state["top"][item])
        while card != NO_CARD:
            _show(out, card, item + 1)
            card = I64(state["under"][card])
    if state["card"] != NO_CARD:
        out[CARD + face_of(I64(state["card"]))] = 1
        _show(out, I64(state["card"]), 0)
    for k in range(HAND):
        card = I64(state["hand"][player, k])
        if card == NO_CARD:
            break
        out[OWN + KINDS * k + face_of(card)] = 1
        _show(out, card, 0)


@inlined
def _show(out: Any, card: int, place: int) -> None:
    """Give the card the last free number of those alike, and write its place under it."""
    number = face_of(card)
    if number == FIRST_WILD:
        number = _free_joker(out)
    elif out[UNSEEN + number + KINDS] != 0:
        number += KINDS
    out[UNSEEN + number] = 0
    spread8(place, out, LOCATION + BYTE * number)


@inlined
def _free_joker(out: Any) -> int:
    """The last wild joker whose place is not written yet."""
    number = I64(2 * KINDS - 1)
    while out[UNSEEN + number] == 0:
        number = number - 1 if number != KINDS + FIRST_WILD else KINDS - 1
    return number


@kernel
def _observe_items(state: Any, player: int, out: Any) -> None:
    """Values of the items on the table, and who built those that are not single cards."""
    players = I64(state["rules"]["players"])
    for item in range(I64(state["items"])):
        low = I64(state["low"][item])
        if item < PLACES:
            values = value_set(low, I64(state["high"][item]))
            spread32(values | IS_WILD if is_loose_joker(state, item) else values, out, ITEM_VALUES + FLAGS * item)
        if not is_loose(state, item):
            builder = relative_to(player, I64(state["builder"][item]), players)
            spread8(SEATS * low + builder, out, BUILT + BYTE * item)


@kernel
def _observe_seats(state: Any, player: int, out: Any) -> None:
    """What everybody sees of seats and sides."""
    players = I64(state["rules"]["players"])
    sizes = NONE
    seat = player
    for relative in range(players):
        held = I64(0)
        while held < HAND and state["hand"][seat, held] != NO_CARD:
            held += 1
        sizes |= (bit(held) - U64(1)) << U64(STEPS * relative)
        seat = left_of(seat, players)
    spread32(sizes, out, SIZES)
    for relative in range(I64(state["rules"]["sides"])):
        side = side_at(state, player, relative)
        spread8(pile_size(state, side), out, SIDE_CARDS + BYTE * relative)
        spread8(state["zwicks"][side], out, ZWICKS + BYTE * relative)
        score = I64(state["scores"][side])
        spread16(min(abs(score), LARGEST), out, (SCORED if score >= 0 else DEBTS) + WORD * relative)
    mark_seat(out, CAPTURER, player, I64(state["capturer"]), players)
    mark_seat(out, TO_MOVE, player, I64(state["player"]), players)
    mark_seat(out, DEALER, player, I64(state["dealer"]), players)


@kernel
def _observe_told(state: Any, player: int, out: Any) -> None:
    """What turns have told of the cards held (WP13)."""
    players = I64(state["rules"]["players"])
    by_seat = state["rules"]["build_needs"] == SELF
    for relative in range(players):
        seat = seat_at(player, relative, players)
        if state["lacks"][seat] != 0:
            spread32(state["lacks"][seat], out, LACKS + FLAGS * relative)
        party = seat if by_seat else side_at(state, player, relative)
        if state["promised"][party] != 0 and (by_seat or relative < state["rules"]["sides"]):
            spread32(state["promised"][party], out, PROMISED + FLAGS * relative)
    spread32(state["asked"][player], out, ASKED)
    spread32(state["denied"][player], out, DENIED)


@kernel
def _observe_turn(state: Any, player: int, out: Any) -> None:
    """How far the turn has come; the stock and the match."""
    phase = I64(state["phase"])
    hidden = hides_target(state, player)
    out[PHASE + (ACT if hidden else phase)] = 1
    mark(out, VALUE, state["value"], NO_VALUE)
    spread32(state["sums"], out, SUMS)
    for word in range(2):
        if state["chosen"][word] != NONE:
            spread32(state["chosen"][word], out, CHOSEN + 64 * word)
            spread32(state["chosen"][word] >> U64(32), out, CHOSEN + 64 * word + 32)
    spread8(I64(state["first"]) + 1, out, FIRST)
    spread8(I64(state["last"]) + 1, out, LAST)
    if not hidden:
        spread8(I64(state["target"]) + 1, out, ON_ITEM)
        spread8(state["page"], out, PAGE)
    spread8(I64(state["rules"]["cards"]) - I64(state["deck_pos"]), out, STOCK)
    spread16(min(I64(state["totals"][DEALS]), LARGEST), out, DEALS_DONE)
