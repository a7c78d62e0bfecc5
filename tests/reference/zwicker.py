"""A slow, plain referee of Zwicker, written from rules.md section 2 alone (W, WQ and WP numbers are its).

Independent of the compiled engine on purpose: the comparison test plays both side by side. Cards are texts such
as `TH`, `X20` (a joker of value 20) or `XW` (Grupp's wild joker); equal texts are equal copies. Seats go clockwise.

A turn is a tuple; positions are places in the table order before it:

* ("take", card, positions): positions ascending, as a tuple (WP5); a frozenset is understood too
* ("build", card, position, new value): joker forms (WP11)
* ("pair", card, position, value): `pair_build`; a king on a loose king is a pair of 4 or of 14 (WP12, WQ7)
* ("stack", card, position, wild): book forms; `wild` is what the wild jokers newly fixed count together, None
  where none is (WP14); with a joker on a loose joker that is the new total
* ("beside", card)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .zwicker_options import HAND, WILD, Form, Options, resolve
from .zwicker_turns import captures, holds_group, splits

Turn = tuple[Any, ...]

LIMIT = 14  # items on a table whose turns may be listed
TOP = 14  # the most a stack may be worth (W13, WQ4)


@dataclass
class Item:
    """Something on the table: a loose card, a stack (book forms) or a build (joker forms; pairs included).

    `value` is None for a loose card; `builder` is the seat that built last (stacks have none).
    """

    kind: str
    cards: list[str]
    value: int | None = None
    builder: int | None = None


class Referee:
    """One table of Zwicker, any form; see the module text for cards and turns.

    `sides` lists the seats of each side; `piles`, `zwicks`, `points`, `penalties` and `scores` are by side.
    `points` (penalties deducted) and `penalties` are settled at the end of a deal, `scores` add up over a match.
    `unused` holds the bottom cards that `short_deal` leaves out; `stock` does not have them.
    """

    def __init__(self, form: str = "no_joker", *, match: bool = False, **options: Any) -> None:
        """Prepare a table; `match` False makes a single deal the whole episode (WQ26).

        Raises:
            ValueError: unknown form, option or value, or one that the form cannot play.
        """
        self.form: Form
        self.options: Options
        self.form, self.options = resolve(form, options)
        self.match = match
        self.players = self.form.seats
        seats = range(self.players)
        self.sides = [[s for s in seats if s % 2 == k] for k in (0, 1)] if self.form.teams else [[s] for s in seats]
        self.start(0)

    def side(self, seat: int) -> int:
        """Side of a seat: parties alternate (WQ22, WP17)."""
        return seat % 2 if self.form.teams else seat

    # ---- beginning -----------------------------------------------------------------------------------

    def start(self, dealer: int) -> None:
        """Begin an episode in which `dealer` gives the first deal.

        Raises:
            ValueError: no such seat.
        """
        if dealer not in range(self.players):
            raise ValueError(f"dealer={dealer}: allowed are 0 to {self.players - 1}")
        self.dealer = dealer
        self.scores = [0] * len(self.sides)
        self.deals = 0
        self.over = False
        self._clear()

    def _clear(self) -> None:
        """Forget everything that belongs to one deal (F23)."""
        self.deal_over = False
        self.player: int | None = None
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.table: list[Item] = []
        self.stock: list[str] = []  # top first
        self.unused: list[str] = []
        self.piles: list[list[str]] = [[] for _ in self.sides]
        self.zwicks = [0] * len(self.sides)
        self.points = [0] * len(self.sides)
        self.penalties = [0] * len(self.sides)
        self.last_capturer: int | None = None
        self.history: list[tuple[int, Turn]] = []

    @property
    def winners(self) -> list[int]:
        """Sides with the highest score once the episode is over, ties shared (WP16, WP18)."""
        return [k for k, score in enumerate(self.scores) if score == max(self.scores)] if self.over else []

    def _clockwise(self, seat: int) -> list[int]:
        """All seats from the left of `seat` to itself."""
        return [(seat + 1 + i) % self.players for i in range(self.players)]

    def deal(self, pack: list[str]) -> None:
        """Deal `pack`, the cards in the order in which they are dealt (WP1, WP3).

        Raises:
            ValueError: not exactly the form's pack, a deal is being played, or the episode is over.
        """
        if self.over:
            raise ValueError("the episode is over: call start")
        if self.player is not None:
            raise ValueError(f"seat {self.player} is to act: finish the deal first")
        if Counter(pack) != Counter(self.form.pack):
            raise ValueError(f"pack of {len(pack)} cards: allowed are exactly {' '.join(self.form.pack)}")
        self._clear()
        rest = list(pack)
        table = self.form.table
        if self.options.short_deal == "to_table":
            table += self.form.odd  # not decided: halves (WP1) are taken of the table with the odd cards
        if self.form.book:
            for _ in range(HAND):
                self._hand_out(rest, 1)  # W8
            self._lay_out(rest, table)
        else:
            self._hand_out(rest, 2)  # W19
            self._lay_out(rest, table // 2)
            self._hand_out(rest, 2)
            self._lay_out(rest, table - table // 2)
        if self.options.short_deal == "unused":
            kept = len(rest) - self.form.odd
            rest, self.unused = rest[:kept], rest[kept:]
        self.stock = rest
        self.player = self._clockwise(self.dealer)[0]  # W20, WP2

    def _hand_out(self, rest: list[str], packet: int) -> None:
        """`packet` cards to each seat from the dealer's left, as far as the cards go (WQ19)."""
        for seat in self._clockwise(self.dealer):
            self.hands[seat] = sorted(self.hands[seat] + rest[:packet])
            del rest[:packet]

    def _lay_out(self, rest: list[str], count: int) -> None:
        """Put cards face up on the table."""
        self.table += [Item("card", [card]) for card in rest[:count]]
        del rest[:count]

    # ---- values --------------------------------------------------------------------------------------

    def values(self, card: str) -> tuple[int, ...]:
        """Values that a card may be played or taken at."""
        return self.form.values(card)

    def item_values(self, item: Item) -> tuple[int, ...]:
        """Values that an item may have: a loose card either of its own, anything else its one (WQ3, WQ7)."""
        return self.values(item.cards[0]) if item.value is None else (item.value,)

    def _loose_joker(self, item: Item) -> bool:
        """Whether the item is a wild joker lying by itself."""
        return item.kind == "card" and item.cards[0] == WILD

    # ---- captures ------------------------------------------------------------------------------------

    def _takeable(self, card: str) -> list[int]:
        """Positions of the items that `card` may take if the values fit."""
        table = self.table
        if self.options.lone_joker_by_joker and len(table) == 1 and self._loose_joker(table[0]) and card != WILD:
            return []  # W4 (a), WP15
        barred = self.options.jokers_stay  # W4 (c)
        return [at for at, item in enumerate(table) if not (barred and self._loose_joker(item))]

    def can_capture(self, card: str) -> bool:
        """Whether `card` can take anything at all."""
        items = [self.item_values(self.table[at]) for at in self._takeable(card)]
        return any(holds_group(items, value, self.options.sum_capture) for value in self.values(card))

    def _capture_legal(self, card: str, positions: Iterable[int]) -> bool:
        """Whether `card` takes exactly these items, decided for this one set (W9, W10, WQ5, WQ6, WP5-WP7, F12)."""
        chosen = set(positions)
        takeable = self._takeable(card)
        if not chosen or not chosen <= set(takeable):
            return False
        must = [self.item_values(self.table[at]) for at in sorted(chosen)]
        may = [self.item_values(self.table[at]) for at in takeable if at not in chosen]
        for value in self.values(card):
            if splits(must, [], value, self.options.sum_capture):
                if self.options.capture_choice == "any" or not self._extends(must, may, value):
                    return True
        return False

    def _extends(self, must: list[tuple[int, ...]], may: list[tuple[int, ...]], value: int) -> bool:
        """Whether a legal capture at `value` has all of `must` and more (WP6)."""
        sums = self.options.sum_capture
        if holds_group(may, value, sums):
            return True
        for extra in set(may):
            rest = list(may)
            rest.remove(extra)
            if splits([*must, extra], rest, value, sums):
                return True
        return False

    def _takes(self, limit: int) -> set[Turn]:
        """All captures of the player to act, by brute force."""
        if len(self.table) > limit:
            raise ValueError(f"table of {len(self.table)} items: captures can be listed for at most limit={limit}")
        found: set[Turn] = set()
        known: dict[tuple[int, int], list[int]] = {}
        for card in set(self._hand()):
            places = self._takeable(card)
            items = [self.item_values(self.table[at]) for at in places]
            for value in self.values(card):
                if (len(items), value) not in known:  # as many items are the same items
                    known[len(items), value] = self._chosen(captures(items, value, self.options.sum_capture))
                for mask in known[len(items), value]:
                    found.add(("take", card, tuple(at for bit, at in enumerate(places) if mask >> bit & 1)))
        return found

    def _chosen(self, sets: set[int]) -> list[int]:
        """The sets that `capture_choice` leaves of those of one value (WQ6, WP6)."""
        if self.options.capture_choice == "any":
            return list(sets)
        largest: list[int] = []
        for mask in sorted(sets, key=int.bit_count, reverse=True):
            if not any(mask & other == mask for other in largest):
                largest.append(mask)
        return largest

    # ---- builds, pairs and stacks --------------------------------------------------------------------

    def _held(self, seat: int, played: str, value: int) -> bool:
        """Whether `seat` holds a card of that value; the player to act after playing `played` (WP10)."""
        cards = list(self.hands[seat])
        if seat == self.player:
            cards.remove(played)
        return any(value in self.values(card) for card in cards)

    def _partners(self, seat: int) -> list[int]:
        """The other seats of a party (WQ9)."""
        return [other for other in self.sides[self.side(seat)] if other != seat]

    def _covered(self, card: str, value: int) -> bool:
        """Whether `build_needs` lets the player to act announce `value` by playing `card` (WQ8, WP10)."""
        assert self.player is not None
        needs = self.options.build_needs
        seats = {
            "none": [],
            "self": [self.player],
            "self_or_partner": [self.player, *self._partners(self.player)],
        }[needs]
        return needs == "none" or any(self._held(seat, card, value) for seat in seats)

    def _built(self, card: str, item: Item) -> set[int]:
        """Values that `card` can give to an item, up or down, `build_needs` left aside (WQ10, WQ11, WP9, WP12)."""
        if self.form.book:
            return set()
        absolute = self.options.build_down == "abs_difference"
        found = set()
        for old in self.item_values(item):
            for value in self.values(card):
                found |= {old + value, abs(old - value) if absolute else old - value}
        return found & self.form.attainable  # nobody has a value below 1

    def _paired(self, card: str, item: Item) -> set[int]:
        """Values at which `card` equals an item, `build_needs` left aside (WQ12, WP12)."""
        if self.form.book or not self.options.pair_build:
            return set()
        return set(self.values(card)) & set(self.item_values(item))

    def _stacked(self, card: str, item: Item) -> set[int | None]:
        """What wild jokers may count if `card` is laid on an item of a book form (W13, WQ4, WP14, WP15)."""
        if not self.form.book:
            return set()
        on_joker = self._loose_joker(item)
        if self.options.jokers_stay and (card == WILD or on_joker):
            return set()  # WP15
        totals = {old + value for old in self.item_values(item) for value in self.values(card)}
        fitting = {total for total in totals if total <= TOP}
        fixed = 0
        if card != WILD:
            fixed += self.values(card)[0]
        if not on_joker:
            fixed += self.item_values(item)[0]
        if card == WILD or on_joker:
            return {total - fixed for total in fitting}
        return {None} if fitting else set()

    def _fits(self, card: str) -> bool:
        """Whether `card` can be laid on any item (WQ2)."""
        return any(self._stacked(card, item) for item in self.table)

    def _beside_legal(self, card: str) -> bool:
        """Whether `card` may be laid by itself: in book forms not if it fits on an item, unless `trail` is free."""
        return not self.form.book or self.options.trail == "free" or not self._fits(card)

    # ---- what is legal -------------------------------------------------------------------------------

    def _hand(self) -> list[str]:
        """Hand of the player to act."""
        return [] if self.player is None else self.hands[self.player]

    def _must_take(self) -> bool:
        """Whether `must_capture` bars everything but captures (WQ1, WP6)."""
        return self.options.must_capture and any(self.can_capture(card) for card in set(self._hand()))

    def layings(self) -> set[Turn]:
        """All legal turns that take nothing: builds, pairs, stacks and laying beside; any size of table."""
        if self._must_take():
            return set()
        found: set[Turn] = set()
        for card in set(self._hand()):
            if self._beside_legal(card):
                found.add(("beside", card))
            for at, item in enumerate(self.table):
                found |= {("stack", card, at, wild) for wild in self._stacked(card, item)}
                found |= {("build", card, at, new) for new in self._built(card, item) if self._covered(card, new)}
                found |= {("pair", card, at, new) for new in self._paired(card, item) if self._covered(card, new)}
        return found

    def turns(self, limit: int = LIMIT) -> set[Turn]:
        """All legal turns of the player to act, captures by brute force; empty when there is no decision.

        Raises:
            ValueError: the table has more than `limit` items.
        """
        return self._takes(limit) | self.layings()

    def is_legal(self, turn: Turn) -> bool:
        """Whether the player to act may make this turn, decided for it alone on a table of any size."""
        if len(turn) < 2 or turn[1] not in self._hand():
            return False
        card = turn[1]
        match turn:
            case ("take", _, tuple() | frozenset() as positions):
                return len(set(positions)) == len(positions) and self._capture_legal(card, positions)
            case ("beside", _):
                allowed = self._beside_legal(card)
            case ("build" | "pair" | "stack" as act, _, int() as at, value) if at in range(len(self.table)):
                item = self.table[at]
                if act == "stack":
                    allowed = value in self._stacked(card, item)
                else:
                    reached = self._built(card, item) if act == "build" else self._paired(card, item)
                    allowed = value in reached and self._covered(card, value)
            case _:
                return False
        return allowed and not self._must_take()

    def canonical(self, turn: Turn) -> Turn:
        """The turn with equal loose cards replaced by the first ones on the table: one name for equal choices."""
        if turn[0] == "beside":
            return turn
        places: dict[str, list[int]] = {}
        for at, item in enumerate(self.table):
            if item.kind == "card":
                places.setdefault(item.cards[0], []).append(at)
        positions = turn[2] if turn[0] == "take" else (turn[2],)
        moved: list[int] = []
        wanted: Counter[str] = Counter()
        for at in sorted(positions):
            item = self.table[at]
            if item.kind == "card":
                text = item.cards[0]
                moved.append(places[text][wanted[text]])
                wanted[text] += 1
            else:
                moved.append(at)
        if turn[0] == "take":
            return ("take", turn[1], tuple(sorted(moved)))
        return (turn[0], turn[1], moved[0], *turn[3:])

    # ---- what the mover learns -----------------------------------------------------------------------

    def _told(self, seat: int) -> dict[int, bool]:
        """Values whose builds depend on the partners of `seat`, the mover: do they hold one? (WP13)."""
        told: dict[int, bool] = {}
        asks = self.form.teams and self.options.build_needs == "self_or_partner"
        if seat != self.player or not asks or self._must_take():
            return told
        for card in set(self._hand()):
            for item in self.table:
                for value in self._built(card, item) | self._paired(card, item):
                    if not self._held(seat, card, value):
                        told[value] = self._covered(card, value)
        return told

    def asked(self, seat: int) -> frozenset[int]:
        """Build values that the legal turns of `seat`, the mover, tell him a partner holds (WQ9, WP13)."""
        return frozenset(value for value, held in self._told(seat).items() if held)

    def denied(self, seat: int) -> frozenset[int]:
        """Build values that the legal turns of `seat`, the mover, tell him no partner holds (WP13)."""
        return frozenset(value for value, held in self._told(seat).items() if not held)

    # ---- playing -------------------------------------------------------------------------------------

    def apply(self, turn: Turn) -> None:
        """Carry out a whole turn of `player`.

        Raises:
            ValueError: the turn is not legal; nothing changes.
        """
        seat = self.player
        if seat is None or not self.is_legal(turn):
            raise ValueError(f"turn {turn!r}: not legal for {'nobody' if seat is None else f'seat {seat}'} to act")
        act, card = turn[:2]
        self.hands[seat].remove(card)
        again = False
        if act == "take":
            turn = (act, card, tuple(sorted(turn[2])))
            again = self._take(seat, card, turn[2]) and self.options.zwick_relay
        elif act == "beside":
            self.table.append(Item("card", [card]))
        else:
            self._lay_on(seat, turn)
        self.history.append((seat, turn))
        if not (again and self.hands[seat]):  # WQ15, WP8
            self._next(seat)

    def _take(self, seat: int, card: str, positions: tuple[int, ...]) -> bool:
        """Move the card and the items to the side's pile; True if that clears the table."""
        taken = [text for at in positions for text in self.table[at].cards]
        self.piles[self.side(seat)] += [card, *taken]
        self.table = [item for at, item in enumerate(self.table) if at not in positions]
        self.last_capturer = seat
        if self.table:
            return False
        if self.options.joker_sweep_counts or card != WILD:  # W4 (b), WP8
            self.zwicks[self.side(seat)] += 1  # WQ16
        return True  # WP8 has the table cleared all the same, so that `zwick_relay` acts as well

    def _lay_on(self, seat: int, turn: Turn) -> None:
        """Build, pair or stack: the item keeps its place (WP11)."""
        act, card, at, value = turn
        item = self.table[at]
        if act != "stack":
            self.table[at] = Item("build", [*item.cards, card], value, seat)
            return
        total = value or 0
        if card != WILD:
            total += self.values(card)[0]
        if not self._loose_joker(item):
            total += self.item_values(item)[0]
        self.table[at] = Item("stack", [*item.cards, card], total)

    def _next(self, seat: int) -> None:
        """The next seat with cards; when all are out, refill; when the stock is gone, settle (WQ19, WQ20, WP2)."""
        if not any(self.hands) and self.stock:
            for _ in range(HAND):
                self._hand_out(self.stock, 1)  # WP1
        self.player = next((other for other in self._clockwise(seat) if self.hands[other]), None)
        if self.player is None:
            self._settle()

    # ---- the end of a deal ---------------------------------------------------------------------------

    def _settle(self) -> None:
        """Give away what is left, count, and in a match look for its end (W14, W15, W24, W25, WQ16-WQ18)."""
        for item in self.table:
            if item.kind == "build":
                assert item.builder is not None
                self.penalties[self.side(item.builder)] += self.options.stale_build_penalty  # WP12
        if self.last_capturer is not None:
            pile = self.piles[self.side(self.last_capturer)]
            stays = [item for item in self.table if self.options.jokers_stay and self._loose_joker(item)]  # WP15
            pile += [card for item in self.table if item not in stays for card in item.cards]
            self.table = stays
        most = max(len(pile) for pile in self.piles)
        first = [k for k, pile in enumerate(self.piles) if len(pile) == most > 0]
        for k, pile in enumerate(self.piles):
            self.points[k] = sum(self.form.points(card, self.options.joker_points) for card in pile)
            self.points[k] += self.form.zwick * self.zwicks[k] - self.penalties[k]
            if k in first and (len(first) == 1 or self.options.most_cards_tie == "all"):  # WQ21, WP16
                self.points[k] += self.form.most
            self.scores[k] += self.points[k]
        self.deal_over = True
        self.deals += 1
        self.over = not self.match or self._match_over()
        if not self.over:
            self.dealer = (self.dealer + 1) % self.players  # WQ26

    def _match_over(self) -> bool:
        """WP18: after `n_deals`, or as soon as the best total has reached `target` alone (WQ27)."""
        best = max(self.scores)
        target = self.options.target
        reached = target is not None and best >= target and self.scores.count(best) == 1
        return reached or self.deals == self.form.n_deals
