"""Small Zwicker positions for the rule tests: made from texts, played by whole turns, asked in words.

A turn is text: `7D take 3C 4H` (items by their top cards, `as 13` behind them for the value), `3C on 9D as 12` (the new
value only where there are several) or `KD beside`. A position names only the cards that matter; `posed` leaves the
others out, `dealt` deals a whole pack. Seat 0 is the forehand unless a dealer is given.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Self

import numpy as np

from cardsim.contract import outcome
from cardsim.game import Game
from cardsim.games.zwicker.layout import ACT_TAKE, FIRST_PLACE, NO_CARD, PHASES, PLACES
from cardsim.games.zwicker.rules import FIXED, HAND
from tests.games.scenes import Table, make_form
from tests.games.zwicker_chains import Walker, pose, read_item
from tests.games.zwicker_replay import NAMES
from tests.games.zwicker_trace import T_ACT, T_CARD, T_DECISIONS, T_TAKEN, T_TARGET, T_VALUE

FORMS = (
    "players=2",
    "players=7",
    "preset=six_joker,players=4",
    "preset=six_joker,players=5,must_capture=true",
    "preset=three_joker,players=6,build_needs=self,pair_build=true",
    "preset=grupp,players=3",
    "preset=grupp,players=6,teams=true,jokers_stay=true",
)
"""Every shape of the game: one pack and two, singles and parties, stacks and builds, copies and wild jokers."""
BOOK_VALUES = {**{str(value): value for value in range(2, 10)}, "T": 10, "A": 11, "J": 12, "Q": 13, "K": 14}
"""W7."""
DUAL = {"A": 1, "J": 2, "Q": 3, "K": 4}
"""The smaller values with jokers (W17)."""
SUITS = "DHSC"


def make(rules: str) -> Game:
    """The game under `rules`; the empty text is the game without jokers for four."""
    return make_form("zwicker", rules)


@cache
def walker() -> Walker:
    """Room for the walks of all scenes."""
    return Walker(20_000)


class Scene(Table):
    """A position, and the questions that only this game has."""

    PHASES = PHASES

    def cards_of(self, seat: int) -> list[str]:
        """Cards that a seat holds, in the order of the actions."""
        return [self.game.pack.text(card) for card in self.state["hand"][seat] if card != NO_CARD]

    def items(self) -> list[str]:
        """The table: `9D` loose, `9D+2C=11` a stack or build."""
        found = []
        for at in range(int(self.state["items"])):
            cards: list[str] = []
            card = int(self.state["top"][at])
            while card != NO_CARD:
                cards.insert(0, self.game.pack.text(card))
                card = int(self.state["under"][card])
            found.append("+".join(cards) + (f"={self.state['low'][at]}" if len(cards) > 1 else ""))
        return found

    def tops(self) -> list[str]:
        """The top card of each item."""
        return [self.game.pack.text(card) for card in self.state["top"][: self.state["items"]]]

    def pile(self, side: int) -> list[str]:
        """Cards that a side has captured."""
        masks = enumerate(self.state["pile"][side])
        return sorted(NAMES[kind] for _, mask in masks for kind in range(64) if int(mask) >> kind & 1)

    def turns(self) -> set[str]:
        """All whole turns of the seat to act."""
        tops, found = self.tops(), set()
        for row in walker().spellings(self.states):
            card = NAMES[row[T_CARD]]
            if row[T_ACT] == ACT_TAKE:
                taken = sum(word << PLACES * k for k, word in enumerate(row[T_TAKEN:T_DECISIONS]))
                found.add(" ".join([card, "take", *(top for at, top in enumerate(tops) if taken >> at & 1)]))
            elif row[T_TARGET] or row[T_VALUE]:
                found.add(f"{card} on {tops[row[T_TARGET]]} as {row[T_VALUE]}")
            else:
                found.add(f"{card} beside")
        return found

    def takes(self, card: str) -> set[str]:
        """All captures of a card, each as the top cards of what it takes."""
        return {text.removeprefix(f"{card} take ") for text in self.turns() if text.startswith(f"{card} take ")}

    def news(self, card: str, top: str) -> set[int]:
        """Values that an item may have with the card on it."""
        return {int(text.split()[-1]) for text in self.turns() if text.startswith(f"{card} on {top} as ")}

    def acts(self, card: str) -> set[str]:
        """What may be done with a card: `take`, `on`, `beside`."""
        return {text.split()[1] for text in self.turns() if text.split()[0] == card}

    def turn(self, *texts: str) -> Self:
        """Play whole turns; refuses illegal ones. Returns the scene itself."""
        for text in texts:
            card, act, *rest = text.split()
            value = rest[rest.index("as") + 1] if "as" in rest else ""
            tops = rest[: rest.index("as")] if value else rest
            self.play(f"hand {self.cards_of(self.player).index(card) + 1}", {"on": "lay on"}.get(act, act))
            if act == "take":
                self._take(tops, value)
            elif act == "on":
                self.play(f"item {self.tops().index(tops[0]) + 1}")
                if self.phase == "new_value":
                    self.play(f"as {value}")
        return self

    def _take(self, tops: list[str], value: str) -> None:
        """Spell a capture; try every value if none is given, and every way to begin another group."""
        if self.phase == "play_at":
            tries = [f"as {value}"] if value else sorted(self.legal())
            done = next((found for first in tries if (found := self.after(first)._spell(tops))), None)
        else:
            done = self._spell(tops)
        if done is None:
            raise ValueError(f"take {' '.join(tops)}: illegal on {' '.join(self.items())}")
        self.states[:] = done.states

    def _spell(self, tops: list[str]) -> Self | None:
        """The table after a capture of just these items, from the phase GROUP; None if there is no such capture."""
        names = self.tops()
        for text in sorted(self.legal()):
            if text == "finish":
                if not tops:
                    return self.after(text)
                continue
            rest = list(tops)
            if text.startswith("item"):
                name = names[self.game.action_names.index(text) - FIRST_PLACE]
                if name not in rest:
                    continue
                rest.remove(name)
            if (found := self.after(text)._spell(rest)) is not None:
                return found
        return None

    def play_on(self, source: random.Random, most: int = 1000) -> Self:
        """Play at most so many whole random turns of the deal."""
        while self.player >= 0 and most > 0:
            turns = int(self.state["totals"][2])
            while self.player >= 0 and int(self.state["totals"][2]) == turns:
                self.play_randomly(source, 1)
            most -= 1
        return self

    @property
    def dealer(self) -> int:
        """Seat that dealt, or deals next."""
        return int(self.state["dealer"])

    @property
    def stock(self) -> int:
        """Cards that will still be dealt."""
        unused = int(self.game.rules.record["odd"][0]) if self.game.rules["short_deal"] == "unused" else 0
        return int(self.game.rules.record["cards"][0]) - unused - int(self.state["deck_pos"])

    @property
    def sides(self) -> int:
        """Sides that play."""
        return int(self.game.rules.record["sides"][0])

    def by_side(self, field: str) -> list[int]:
        """A field that has a number for each side."""
        return [int(number) for number in self.state[field][: self.sides]]

    @property
    def gained(self) -> list[int]:
        """Points of the last finished deal, by side."""
        return self.by_side("gained")

    @property
    def zwicks(self) -> list[int]:
        """Zwicks that count, by side."""
        return self.by_side("zwicks")

    def column(self, name: str) -> list[int]:
        """A column of the results, by seat."""
        hand = np.zeros(len(self.game.hand_columns), np.int32)
        seats = np.zeros((self.game.num_players, len(self.game.seat_columns)), np.int32)
        outcome(self.state, hand, seats)
        return [int(value) for value in seats[:, self.game.seat_columns.index(name)]]


def posed(rules: str, hands: str, table: str = "", stock: str = "", piles: str = "", player: int = 0) -> Scene:
    """A position in mid-deal; the last seat has dealt.

    Args:
        rules: as for `make`.
        hands: cards of each seat, such as `7D 3C; KD`.
        table: its items, such as `9D 2C+3D=5@1` (cards from the bottom up, value, seat that built last).
        stock: cards to be dealt, top first.
        piles: captured cards of each side.
        player: seat to act.
    """
    game = make(rules)
    held = [hand.split() for hand in hands.split(";")]
    held += [[] for _ in range(game.num_players - len(held))]
    captured = [pile.split() for pile in piles.split(";")]
    items = [read_item(text) for text in table.split()]
    return Scene(game, pose(game.rules, held, items, stock.split(), captured, player))


def lay_out(game: Game, dealer: int, hands: str = "", table: str = "", stock: str = "") -> list[str]:
    """A pack in dealing order (WP1); what is not named is filled up in ascending order.

    Args:
        game: the game under its rules.
        dealer: seat.
        hands: for each seat up to four cards, such as `7D 3C; KD`.
        table: cards of the opening table.
        stock: the next cards.
    """
    free = [game.pack.text(card) for card in game.deck()]
    held = [hand.split() for hand in hands.split(";")]
    held += [[] for _ in range(game.num_players - len(held))]
    laid, top = table.split(), stock.split()
    for name in [name for part in (*held, laid, top) for name in part]:
        free.remove(name)
    for hand in held:
        hand += [free.pop(0) for _ in range(HAND - len(hand))]
    opening = int(game.rules.record["table"][0])
    laid += [free.pop(0) for _ in range(opening - len(laid))]
    order = [held[(dealer + 1 + k) % game.num_players] for k in range(game.num_players)]
    if game.rules.record["style"][0] != FIXED:
        return [*(hand[k] for k in range(HAND) for hand in order), *laid, *top, *free]
    half = opening // 2
    first, second = ([card for hand in order for card in hand[k : k + 2]] for k in (0, 2))
    return [*first, *laid[:half], *second, *laid[half:], *top, *free]


def from_pack(rules: str, names: Sequence[str], dealer: int) -> Scene:
    """A deal from a pack in dealing order."""
    game, free = make(rules), list(make(rules).deck())
    cards = []
    for name in names:
        cards.append(next(card for card in free if game.pack.text(card) == name))
        free.remove(cards[-1])
    return Scene(game, game.deal_given(cards, dealer))


def dealt(rules: str = "", hands: str = "", table: str = "", stock: str = "", dealer: int | None = None) -> Scene:
    """A whole deal, laid out as `lay_out` says; the last seat deals unless another is given."""
    game = make(rules)
    dealer = game.num_players - 1 if dealer is None else dealer
    return from_pack(rules, lay_out(game, dealer, hands, table, stock), dealer)


def shuffled(rules: str, number: int, seed: int = 66) -> Scene:
    """Deal `number` of a seed."""
    game = make(rules)
    return Scene(game, game.deal(seed, number))
