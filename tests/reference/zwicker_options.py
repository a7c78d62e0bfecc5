"""Options and forms of the Zwicker referee (rules.md sections 2.4, 2.5 and 4).

Standard library only; written from the rules text without sight of the compiled engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

SUITS = "DHSC"
RANKS = "23456789TJQKA"
WILD = "XW"  # Grupp's joker; all of them are alike (WP4)
WILD_VALUES = tuple(range(2, 15))  # 2.4
HAND = 4  # cards dealt to a hand at a time (W8, W12, W19, W23)

JOKERS = {  # 2.4: values of the fixed jokers
    "no_joker": (),
    "six_joker": (15, 17, 20, 22, 25, 30),
    "one_joker": (15,),
    "two_joker": (15, 20),
    "three_joker": (15, 20, 25),
    "four_joker": (15, 20, 25, 30),
    "grupp": (),
}
FORMS = tuple(JOKERS)
BOOK_FORMS = ("no_joker", "grupp")  # single values, stacks instead of builds, two packs from five players

CHOICES: dict[str, tuple[str, ...]] = {
    "capture_choice": ("any", "maximal"),  # WQ6, WP6
    "trail": ("stack_if_possible", "free"),  # WQ2, WP14
    "build_needs": ("self_or_partner", "self", "none"),  # WQ8, WP10
    "build_down": ("item_minus_card", "abs_difference"),  # 2.3, WP12
    "short_deal": ("singly", "to_table", "unused"),  # WQ19, WP3
    "most_cards_tie": ("none", "all"),  # WQ21, WP16
}
SWITCHES = (
    "must_capture",
    "sum_capture",
    "pair_build",
    "zwick_relay",
    "lone_joker_by_joker",
    "joker_sweep_counts",
    "jokers_stay",
)
LOWEST = {"players": 2, "n_jokers": 1, "target": 1, "n_deals": 1}  # else 0: the least whole number
HIGHEST = {"players": 8, "n_jokers": 6}  # W1, 2.4
OPTIONAL = ("players", "teams", "table_cards", "n_deals", "target")  # None: the form's own, or no limit


@dataclass(frozen=True)
class Options:
    """Every option of rules.md section 4 with its default; None means the form's own, or no limit."""

    players: int | None = None
    teams: bool | None = None
    table_cards: int | None = None
    must_capture: bool = False
    capture_choice: str = "any"
    sum_capture: bool = True
    trail: str = "stack_if_possible"
    build_needs: str = "self_or_partner"
    build_down: str = "item_minus_card"
    pair_build: bool = False
    stale_build_penalty: int = 0
    short_deal: str = "singly"
    most_cards_tie: str = "none"
    zwick_relay: bool = False
    lone_joker_by_joker: bool = False
    joker_sweep_counts: bool = True
    jokers_stay: bool = False
    n_jokers: int = 6
    joker_points: int = 0
    n_deals: int | None = None
    target: int | None = None


@dataclass(frozen=True)
class Form:
    """What a form fixes: seats, parties, pack, table, the values of cards and what they score."""

    name: str
    seats: int
    teams: bool
    table: int  # cards of the opening table, odd cards not counted
    decks: int
    wild: int  # Grupp's jokers in each pack
    n_deals: int | None  # deals in a match, None for no limit

    @property
    def book(self) -> bool:
        """Single values and stacks (no jokers, Grupp) instead of dual values and builds."""
        return self.name in BOOK_FORMS

    @property
    def pack(self) -> list[str]:
        """All cards, the second pack after the first."""
        jokers = [f"X{value}" for value in JOKERS[self.name]] + [WILD] * self.wild
        return ([rank + suit for suit in SUITS for rank in RANKS] + jokers) * self.decks

    @property
    def odd(self) -> int:
        """Cards left over when the rest of the pack is dealt in full rounds of four (WQ19)."""
        return (len(self.pack) - self.table) % (HAND * self.seats)

    @property
    def most(self) -> int:
        """Points for most cards (W15, W25)."""
        return 1 if self.book else 3

    @property
    def zwick(self) -> int:
        """Points for a Zwick (W15, W25)."""
        return 3 if self.book else 1

    @cached_property
    def attainable(self) -> frozenset[int]:
        """Values that some card of the pack can have, taken or not (WQ10, WP9)."""
        return frozenset(value for card in self.pack for value in self.values(card))

    def values(self, card: str) -> tuple[int, ...]:
        """Values that a card may be played or taken at (W7, W17, 2.4)."""
        if card == WILD:
            return WILD_VALUES
        if card[0] == "X":
            return (int(card[1:]),)
        if card[0] in "AJQK":
            low = "AJQK".index(card[0]) + 1
            return (low + 10,) if self.book else (low, low + 10)
        return (10,) if card[0] == "T" else (int(card[0]),)

    def points(self, card: str, joker_points: int) -> int:
        """What a captured card scores (W15, W25, WP19)."""
        if card == WILD:
            return joker_points
        if card[0] == "X":
            return int(card[1:]) - 10
        if self.book:
            return 2 if card[0] == "A" else {"7D": 1, "7S": 1, "TD": 10}.get(card, 0)
        if card[0] == "A" or card == "2S":
            return 1
        return (3 if card[1] == "D" else 1) if card[0] == "T" else 0


def _check(name: str, value: object) -> None:
    """Raise ValueError for a value that option `name` does not know."""
    if value is None and name in OPTIONAL:
        return
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name}={value!r}: allowed are {', '.join(CHOICES[name])}")
    elif name in SWITCHES or name == "teams":
        if not isinstance(value, bool):
            raise ValueError(f"{name}={value!r}: allowed are True, False")
    elif isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}={value!r}: allowed is a whole number")
    elif value < LOWEST.get(name, 0) or value > HIGHEST.get(name, value):
        upper = f" to {HIGHEST[name]}" if name in HIGHEST else ""
        raise ValueError(f"{name}={value!r}: allowed is a whole number from {LOWEST.get(name, 0)}{upper}")


def resolve(form: str, options: Mapping[str, Any]) -> tuple[Form, Options]:
    """Defaults, then form, then named options (SP33); an option without use in the form is accepted.

    Raises:
        ValueError: unknown form, option or value; seats, parties or a table that the form cannot have (WP20).
    """
    if form not in FORMS:
        raise ValueError(f"form={form!r}: allowed are {', '.join(FORMS)}")
    known = {field.name for field in fields(Options)}
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"unknown option {name!r}: allowed are {', '.join(sorted(known))}")
        _check(name, value)
    chosen = replace(Options(), **options)
    book = form in BOOK_FORMS
    seats = chosen.players or 4  # W1: best as four
    most = 8 if book else 6  # W1, W16
    if seats > most:
        raise ValueError(f"players={seats}: allowed in form {form} is 2 to {most}")
    teams = chosen.teams
    if teams is None:
        teams = not book and seats in (4, 6)  # WQ22
    elif teams and seats not in (4, 6, 8):  # WP17
        raise ValueError(f"teams=True: allowed with 4, 6 or 8 players, not with {seats}")
    table = chosen.table_cards
    if table is None:
        table = 4 + len(JOKERS[form])  # 2.2
    n_deals = chosen.n_deals
    if n_deals is None and chosen.target is None:
        n_deals = seats  # not decided; WQ26 quotes QG: as many deals as players
    decks = 2 if book and seats > 4 else 1  # W6, WQ23, WQ25
    wild = chosen.n_jokers if form == "grupp" else 0
    made = Form(form, seats, teams, table, decks, wild, n_deals)
    largest = len(made.pack) - HAND * seats
    if table > largest:
        raise ValueError(f"table_cards={table}: allowed in form {form} with {seats} players is 0 to {largest}")
    return made, chosen
