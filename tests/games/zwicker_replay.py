"""The slow side of the referee comparison of Zwicker: plays a tape's deals on the referee, builds the same rows.

Nothing here asks the engine anything: rows, counts and returns come from the referee and from the documented
meaning of the columns. The numbering of cards, actions and phases is the layout's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from cardsim.games.zwicker.layout import (
    ACT_BESIDE,
    ACT_TAKE,
    CARD,
    DEAL,
    ITEMS,
    OVER,
    PACK,
    PLACES,
    SEATS,
)
from cardsim.games.zwicker.rules import make_rules
from tests.games import zwicker_trace as trace
from tests.games.referee_replay import Replay, Tape, pad
from tests.games.zwicker_counts import Counts, Knowledge, values_mask
from tests.games.zwicker_trace import FACE_BITS, HASH, HASH_BASE, TRACE, TURN, WEIGHTS
from tests.reference.zwicker import Item, Referee, Turn
from tests.reference.zwicker_options import WILD

FACE = {text: PACK.card(text) for text in PACK.names}
NAMES = PACK.names[: len(PACK.names) // 2]
WEIGHT = {text: int(WEIGHTS[face]) for text, face in FACE.items()}
NOBODY = -1
ENGINE_ONLY = ("match", "first_dealer")
"""Options that the referee is given otherwise."""
UNLIMITED = {"n_deals": 0, "target": 0, "table_cards": -1, "teams": "form"}
"""The engine's values for what is None to the referee."""


class Table(Referee):
    """The referee, which works out once what depends on a card and an item alone: most of its time went there."""

    def __init__(self, form: str, **options: Any) -> None:
        super().__init__(form, **options)
        self._values = {card: super(Table, self).values(card) for card in set(self.form.pack)}
        self._known: dict[Any, Any] = {}
        self._words: dict[Any, int] = {}

    def values(self, card: str) -> tuple[int, ...]:
        return self._values[card]

    def _built(self, card: str, item: Item) -> set[int]:
        return self._once("built", super()._built, card, item)

    def _paired(self, card: str, item: Item) -> set[int]:
        return self._once("paired", super()._paired, card, item)

    def _stacked(self, card: str, item: Item) -> set[int | None]:
        return self._once("stacked", super()._stacked, card, item)

    def _once(self, what: str, work_out: Callable[[str, Item], set[Any]], card: str, item: Item) -> set[Any]:
        key = what, card, item.value or item.cards[0]
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = work_out(card, item)
        return found

    def word(self, item: Item) -> int:
        """What `item_word` makes of an item."""
        key = item.builder, item.value, *item.cards
        found = self._words.get(key)
        if found is None:
            found = self._words[key] = item_word(self, item)
        return found


def referee_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options as the referee wants them."""
    named = {name: value for name, value in options.items() if name not in ENGINE_ONLY}
    for name, none in UNLIMITED.items():
        if named.get(name) == none:
            named[name] = None
    if isinstance(named.get("teams"), str):
        named["teams"] = named["teams"] == "true"
    return named


@lru_cache(100_000)
def hand_word(hand: tuple[str, ...]) -> int:
    """A hand as `hand` of the trace packs it."""
    return sum((face + 1) << k * FACE_BITS for k, face in enumerate(sorted(map(FACE.__getitem__, hand))))


def item_word(table: Referee, item: Item) -> int:
    """An item as `item_word` of the trace packs it."""
    told = 0
    for text in reversed(item.cards):
        told = (told * HASH_BASE + FACE[text] + 1) % HASH
    values = table.item_values(item)
    builder = 0 if item.kind == "card" else 1 if item.builder is None else item.builder + 1
    return ((told * 16 + builder) * 32 + max(values)) * 32 + min(values)


def new_value(table: Referee, turn: Turn) -> int:
    """The value of the item on which a build, pair or stack is laid, once it is there (WP11, WP14)."""
    act, card, at, value = turn
    if act != "stack":
        return int(value)
    item = table.table[at]
    fixed = sum(values[0] for values in (table.values(card), table.item_values(item)) if len(values) == 1)
    return fixed + (value or 0)


def referee_turn(table: Referee, card: str, act: int, value: int, target: int, taken: int) -> Turn:
    """The turn that the engine's numbers name: the card, the action, its value, the item laid on, the items taken."""
    if act == ACT_TAKE:
        return ("take", card, tuple(at for at in range(len(table.table)) if taken >> at & 1))
    if act == ACT_BESIDE:
        return ("beside", card)
    item = table.table[target]
    if not table.form.book:
        return ("build" if value in table._built(card, item) else "pair", card, target, value)
    if card != WILD and not table._loose_joker(item):
        return ("stack", card, target, None)
    fixed = new_value(table, ("stack", card, target, 0))
    return ("stack", card, target, value - fixed)


class ZwickerReplay(Replay):
    """One table of Zwicker; a move of its tapes is a whole turn.

    Args:
        preset, options: as for `rules.make_rules`.
        policy: an index into POLICIES of the trace.
        seed: of cards and policy.
        told: options as the referee is told them, if not the same.
    """

    trace = TRACE
    names = PACK.names

    def __init__(
        self, preset: str, options: dict[str, Any], policy: int, seed: int, told: dict[str, Any] | None = None
    ) -> None:
        told = options if told is None else told
        super().__init__(make_rules(preset, **options), str(told.get("first_dealer", "random")), policy, seed)
        self.table = Table(preset, match=bool(told.get("match")), **referee_options(told))
        self.known = Knowledge(self.table)
        self.start(0)

    def start(self, dealer: int) -> None:
        self.table.start(dealer)
        self.counts = Counts(self.table.players)
        self.known.clear()
        self.turn: Turn = ()
        self.chain = 0

    def _hand(self, tape: Tape, h: int, rows: list[list[int]]) -> str:
        try:
            return super()._hand(tape, h, rows)
        except ValueError as error:  # the referee refuses a turn
            return f"{self.label} hand {self.hands}: {error}"

    def run(self, hands: int, block: int = 40) -> str:
        return super().run(hands, block)

    def deal(self, deck: list[str]) -> None:
        self.table.deal(deck)
        self.turns = 0
        self.known.clear()
        self.known.begin()
        self._check_told()
        self.piles = [[0, 0] for _ in range(SEATS)]
        self.counts.items(len(self.table.table))

    def _check_told(self) -> None:
        """What the first legal builds tell, once more by the referee's own way."""
        seat = self.table.player
        assert seat is not None
        assert self.known.asked[seat] == values_mask(self.table.asked(seat))
        assert self.known.denied[seat] == values_mask(self.table.denied(seat))

    def row(self) -> list[int]:
        table, known = self.table, self.known
        last = table.last_capturer
        return [
            self._legal(),
            CARD if table.player is not None else OVER if table.over else DEAL,
            NOBODY if table.player is None else table.player,
            table.dealer,
            NOBODY if last is None else last,
            len(table.stock),
            len(table.table),
            *pad([hand_word(tuple(hand)) for hand in table.hands], SEATS),
            *self._weights(),
            *pad([len(pile) for pile in table.piles], SEATS),
            *pad(table.zwicks, SEATS),
            *pad(table.points, SEATS),
            *pad(table.scores, SEATS),
            *known.promised,
            *known.lacks,
            *known.asked,
            *known.denied,
            *pad([*map(table.word, table.table)], ITEMS),
        ]

    def _legal(self) -> int:
        """Cards of the hand that may be played, as the actions name them (WQ1, WP4)."""
        table = self.table
        hand = sorted(table._hand(), key=FACE.__getitem__)
        first = {card: 1 << hand.index(card) for card in hand}
        if table._must_take():
            first = {card: slot for card, slot in first.items() if table.can_capture(card)}
        return sum(first.values())

    def _weights(self) -> list[int]:
        """What each side has captured; piles only grow."""
        for side, pile in enumerate(self.table.piles):
            size, total = self.piles[side]
            if len(pile) > size:
                self.piles[side] = [len(pile), total + sum(map(WEIGHT.__getitem__, pile[size:]))]
        return [total for _, total in self.piles]

    def move(self, row: list[int]) -> str:
        card, act, value, target, *words, self.chain = row[TURN:]
        taken = sum(word << PLACES * k for k, word in enumerate(words))
        self.turn = referee_turn(self.table, NAMES[card], act, value, target, taken)
        self.play(row[trace.PLAYER], row[0])
        return " ".join(map(str, self.turn)).replace(", ", ",")

    def play(self, seat: int, action: int) -> None:
        table, turn = self.table, self.turn
        self.turns += 1
        assert action == self.turns
        items = len(table.table) + {"take": -len(turn[2]) if turn[0] == "take" else 0, "beside": 1}.get(turn[0], 0)
        stock = len(table.stock)
        self.known.turn(seat, turn)
        table.apply(turn)
        self.counts.turn(seat, turn, self.chain)
        self.counts.items(items)
        if len(table.stock) < stock:
            self.known.clear()
        self.known.begin()
        if table.deal_over:
            self.counts.deal_over(table, items)

    def summary(self) -> tuple[list[int], list[list[int]], list[float]]:
        table = self.table
        others, total = len(table.sides) - 1, sum(table.scores)
        own = [table.scores[table.side(seat)] for seat in range(table.players)]
        return list(self.counts.hand.values()), self.counts.seats, [score - (total - score) / others for score in own]
