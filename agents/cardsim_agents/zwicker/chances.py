"""What others may hold: cards out of sight, sizes of hands, and what the course of the deal has told.

Cards are sorted into classes of equal values: thirteen ranks, six jokers of fixed value, wild jokers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount
from cardsim.games.zwicker.basics import VALUE_SETS, held_values, kind_of, party_of, side_of
from cardsim.games.zwicker.kernels import JOKER_KINDS
from cardsim.games.zwicker.laying import single
from cardsim.games.zwicker.layout import NO_CARD
from cardsim.games.zwicker.rules import FIRST_JOKER, FIRST_WILD, HAND, JOKER_VALUES, PER_PACK, PRESETS, RANKS, WILD
from cardsim.games.zwicker.scoring import CARD_POINTS, SCORING
from cardsim.games.zwicker.table import stock_end
from cardsim.jit import inlined, kernel

WORTH, OTHERS, PARTNERS, POINTS = range(4)
"""Rows of a view: worth of each item; by class of cards the chance that an opponent, or a partner, holds one, and the
points of such a card out of sight."""
CLASSES = len(RANKS) + len(JOKER_VALUES) + 1
KIND_OF_CLASS = np.array([*range(len(RANKS)), *range(FIRST_JOKER, FIRST_WILD + 1)])
MEMBERS = np.array(
    [
        *(sum(1 << (rank + len(RANKS) * suit) for suit in range(4)) for rank in range(len(RANKS))),
        *(1 << kind for kind in range(FIRST_JOKER, FIRST_WILD)),
        sum(1 << kind for kind in range(FIRST_WILD, 64)),
    ],
    np.uint64,
)
"""Kinds of each class."""


def _packs() -> Any:
    """The kinds of a pack by form, and for grupp by the number of its jokers."""
    packs = []
    for row, preset in zip(JOKER_KINDS, PRESETS.values(), strict=True):
        most = 6 if preset.style == WILD else len(preset.jokers)
        for jokers in range(7):
            kinds = [*range(PER_PACK), *(int(kind) for kind in row[: min(jokers, 6) if preset.style == WILD else most])]
            packs.append(sum(1 << kind for kind in kinds))
    return np.array(packs, np.uint64).reshape(len(PRESETS), 7)


PACKS = _packs()


@inlined
def see(unseen: Any, card: int) -> None:
    """Take a card out of those out of sight."""
    unseen[card >> 6] &= ~bit(card & 63)


@kernel
def find_unseen(state: Any, counting: bool, unseen: Any) -> None:
    """The cards that the mover has not in sight, by pack; without `counting` the captured ones as well."""
    rules = state["rules"]
    player = I64(state["player"])
    unseen[1] = NONE
    for pack in range(I64(rules["packs"])):
        unseen[pack] = PACKS[I64(rules["form"]), I64(rules["n_jokers"])]
        if counting:
            for side in range(I64(rules["sides"])):
                unseen[pack] &= ~state["pile"][side, pack]
    for item in range(I64(state["items"])):
        card = I64(state["top"][item])
        while card != NO_CARD:
            see(unseen, card)
            card = I64(state["under"][card])
    for k in range(HAND):
        if state["hand"][player, k] != NO_CARD:
            see(unseen, I64(state["hand"][player, k]))
    if state["card"] != NO_CARD:
        see(unseen, I64(state["card"]))


@kernel
def cards_held(state: Any, seat: int) -> int:
    """Cards that a seat will hold after the mover's turn, as the order of turns tells (a seat short of a card aside).

    After the last turn with these hands that is a new hand.
    """
    player = I64(state["player"])
    players = I64(state["rules"]["players"])
    own = I64(state["card"] != NO_CARD)
    for k in range(HAND):
        own += state["hand"][player, k] != NO_CARD
    forehand = I64(state["dealer"]) + 1
    before = (seat - forehand) % players <= (player - forehand) % players
    held = own - 1 if before else own
    if held <= 0:
        return HAND if state["deck_pos"] < stock_end(state) else I64(0)
    return held


@kernel
def find_chances(agent: Any, state: Any, view: Any) -> None:
    """Set rows OTHERS to POINTS of a view, by class of cards."""
    rules = state["rules"]
    player = I64(state["player"])
    style = U64(I64(rules["style"]))
    unseen = np.zeros(2, np.uint64)
    find_unseen(state, agent["counting"] != 0, unseen)
    total = max(1, popcount(unseen[0]) + popcount(unseen[1]))
    for k in range(CLASSES):
        out = popcount(unseen[0] & MEMBERS[k]) + popcount(unseen[1] & MEMBERS[k])
        values = VALUE_SETS[style, U64(KIND_OF_CLASS[k])]
        miss = 1.0 - out / total
        against = I64(0)  # cards are counted, since products of chances would hang on the order of the seats
        beside = I64(0)
        for seat in range(I64(rules["players"])):
            if seat == player or out == 0 or (agent["signals"] and U64(state["lacks"][seat]) & values != NONE):
                continue
            if side_of(state, seat) == side_of(state, player):
                beside += cards_held(state, seat)
            else:
                against += cards_held(state, seat)
        view[OTHERS, k] = 1.0 - miss**against
        view[PARTNERS, k] = 1.0 - miss**beside
        points = I64(0)
        for pack in range(2):
            rest = unseen[pack] & MEMBERS[k] & SCORING[style]
            while rest != NONE:
                points += CARD_POINTS[style, U64(lowest(rest))]
                rest &= rest - U64(1)
        view[POINTS, k] = points / max(1, out)
    if agent["signals"]:
        heed_signals(state, unseen, view)


@kernel
def heed_signals(state: Any, unseen: Any, view: Any) -> None:
    """What builds, and the mover's own legal builds, told of the values that others hold (WP13)."""
    player = I64(state["player"])
    style = U64(I64(state["rules"]["style"]))
    shown = NONE
    told = U64(state["asked"][player])
    own = held_values(state, player)
    if state["card"] != NO_CARD:
        own |= VALUE_SETS[style, U64(kind_of(I64(state["card"])))]
    for seat in range(I64(state["rules"]["players"])):
        if side_of(state, seat) != side_of(state, player):
            shown |= U64(state["promised"][party_of(state, seat)])
        elif seat != player:
            told |= U64(state["promised"][party_of(state, seat)]) & ~own
    denied = U64(state["denied"][player])
    if shown | told | denied == NONE:
        return
    for k in range(CLASSES):
        values = VALUE_SETS[style, U64(KIND_OF_CLASS[k])]
        if values & denied != NONE:
            view[PARTNERS, k] = 0.0
        elif values & told != NONE:
            view[PARTNERS, k] = max(view[PARTNERS, k], share_of(style, unseen, k, values & told))
            if view[PARTNERS, k] == 1.0 and single(unseen[0] & MEMBERS[k]):
                view[OTHERS, k] = 0.0
        if values & shown != NONE:
            view[OTHERS, k] = max(view[OTHERS, k], share_of(style, unseen, k, values & shown))


@kernel
def share_of(style: Any, unseen: Any, k: int, values: Any) -> float:
    """The share of a class among the cards out of sight that have the lowest of some values."""
    value = lowest(values)
    mine = 0
    total = 0
    for other in range(CLASSES):
        if has(VALUE_SETS[style, U64(KIND_OF_CLASS[other])], value):
            out = popcount(unseen[0] & MEMBERS[other]) + popcount(unseen[1] & MEMBERS[other])
            total += out
            mine += out if other == k else 0
    return mine / max(1, total)
