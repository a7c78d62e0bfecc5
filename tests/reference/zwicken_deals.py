"""Dealt tables for the tests of Zwicken's referee."""

from __future__ import annotations

import random
from typing import Any

from .zwicken import Referee, number
from .zwicken_options import VARIANTS

RANDOM_SESSIONS = 12
SEATS = {variant: (3,) if variant == "dreier" else (2, 3, 4, 5) for variant in VARIANTS}


def arrange(
    table: Referee, hands: list[str], *, turned: str = "9H", talon: str = "", bottom: str | None = None
) -> list[str]:
    """A pack that deals `hands` (by seat), `turned` and `talon` (top first), ending with `bottom`."""
    cards = [hand.split() for hand in hands]
    order = [(table.dealer + 1 + i) % table.players for i in range(table.players)]
    pack = [card for seat in order for card in cards[seat][:2]] + [turned]
    pack += [card for seat in order for card in cards[seat][2:]]
    pack += talon.split()
    rest = [card for card in table.form.pack if card not in pack and card != bottom]
    if bottom is None and rest:
        bottom = next(card for card in rest if card[0] not in "A7")  # a card that voids nothing
        rest.remove(bottom)
    return pack + rest + ([bottom] if bottom else [])


def act(table: Referee, moves: str) -> Referee:
    """Apply actions separated by commas."""
    for move in moves.split(","):
        table.apply(move.strip())
    return table


def deal(
    hands: list[str],
    moves: str = "",
    *,
    variant: str = "base",
    turned: str = "9H",
    talon: str = "",
    bottom: str | None = None,
    pot: int = 0,
    session: bool = False,
    **options: Any,
) -> Referee:
    """A table whose last seat has dealt `hands`, so that seat 0 speaks and leads first; then `moves`."""
    table = Referee(variant, session=session, **{"players": len(hands), **options})
    table.start(len(hands) - 1, pot)
    assert table.attempt(arrange(table, hands, turned=turned, talon=talon, bottom=bottom))
    return act(table, moves) if moves else table


def tricks(hands: list[str], moves: str = "", **settings: Any) -> Referee:
    """As `deal`, with everybody staying and nobody swapping, then the cards `moves`."""
    table = deal(hands, ", ".join(["play"] * len(hands)), **{"max_swaps": 0, **settings})
    assert table.node == "play"
    return act(table, moves) if moves else table


def cut(card: str, *, dealer: int = 1, players: int = 4, **options: Any) -> Referee:
    """A table of `players` where `dealer` has made one attempt with `card` shown."""
    table = Referee(players=players, **options)
    table.start(dealer)
    again(table, card)
    return table


def again(table: Referee, card: str) -> bool:
    """One more attempt, `card` shown."""
    rest = [other for other in table.form.pack if other != card]
    rest.sort(key=lambda other: other[0] == "A")  # so that nobody is dealt an Ace and everybody may pass
    return table.attempt([*rest, card])


def lowest(table: Referee) -> str:
    """The action that lays away the lowest card number."""
    return min(table.legal() - {"stop"}, key=lambda text: number(text[-2:]))


def shuffled(table: Referee, rng: random.Random) -> list[str]:
    """The table's pack in random order."""
    pack = table.form.pack
    rng.shuffle(pack)
    return pack
