"""Small positions for the tests of Zwicker's referee."""

from __future__ import annotations

from typing import Any

from .zwicker import Item, Referee, Turn
from .zwicker_options import BOOK_FORMS, FORMS

SEATS = {form: range(2, 9 if form in BOOK_FORMS else 7) for form in FORMS}
TABLES = [(form, players) for form in FORMS for players in SEATS[form]]
FIXED = {"no_joker": 21, "six_joker": 83, "one_joker": 19, "two_joker": 29, "three_joker": 44, "four_joker": 64}
JOKER_FORMS = [form for form in FORMS if form not in BOOK_FORMS]


# ---- scenes -------------------------------------------------------------------------------------------


def laid(text: str) -> Item:
    """An item: `9D` loose, `9D+2C=11` a stack, `9D+2C=11@1` a build last changed by seat 1."""
    cards, _, rest = text.partition("=")
    if not rest:
        return Item("card", [cards])
    value, _, builder = rest.partition("@")
    if builder:
        return Item("build", cards.split("+"), int(value), int(builder))
    return Item("stack", cards.split("+"), int(value))


def pose(form: str, hands: list[str], table: str = "", stock: str = "", **options: Any) -> Referee:
    """A table in mid-deal, seat 0 to act, with these hands, items and stock; the other cards are nowhere."""
    game = Referee(form, **{"players": len(hands), **options})
    game.start(len(hands) - 1)
    game.deal(game.form.pack)
    game.hands = [sorted(hand.split()) for hand in hands]
    game.table = [laid(item) for item in table.split()]
    game.stock = stock.split()
    return game


def book(hand: str, table: str, *, form: str = "no_joker", **options: Any) -> Referee:
    """Seat 0 of two holds `hand`, without jokers; the other seat two kings."""
    return pose(form, [hand, "KD KH"], table, **options)


def six(hand: str, table: str, **options: Any) -> Referee:
    """Seat 0 of two holds `hand`, with six jokers; the other seat two eights."""
    return pose("six_joker", [hand, "8D 8H"], table, **options)


def take(game: Referee, card: str, *cards: str) -> Turn:
    """The turn in which `card` takes the items that lie under these top or only cards."""
    tops = [item.cards[-1] for item in game.table]
    return ("take", card, tuple(sorted(tops.index(name) for name in cards)))


def takes(game: Referee, card: str) -> set[str]:
    """All captures of `card`, each as the top cards of what it takes."""
    found = [turn for turn in game.turns() if turn[:2] == ("take", card)]
    assert all(game.is_legal(turn) for turn in found)
    return {" ".join(game.table[at].cards[-1] for at in turn[2]) for turn in found}


def news(game: Referee, card: str, act: str = "build") -> set[Any]:
    """Values (of a stack: of the wild jokers) at which `card` may be laid on the first item."""
    return {turn[3] for turn in game.turns() if turn[:3] == (act, card, 0)}


def plain(game: Referee) -> list[str]:
    """The table as the texts of `laid`."""
    return [
        "+".join(item.cards)
        + ("" if item.value is None else f"={item.value}")
        + ("" if item.builder is None else f"@{item.builder}")
        for item in game.table
    ]


def ended(form: str, piles: list[str], table: str = "9D", last: int | None = None, **options: Any) -> Referee:
    """A deal that ends with seat 0 laying a king of clubs beside `table`; `piles` by side, `last` has captured last."""
    options = {"players": len(piles), "trail": "free", **options}
    game = pose(form, ["KC"] + [""] * (options["players"] - 1), table, **options)
    game.piles = [pile.split() for pile in piles]
    game.last_capturer = last
    game.apply(("beside", "KC"))
    assert game.deal_over
    return game
