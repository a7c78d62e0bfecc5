"""What Zwicker's referee replay takes down beside the referee's own table: results, and what the turns tell (WP13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardsim.games.zwicker.layout import HAND_COLUMNS, SEAT_COLUMNS, SEATS
from tests.reference.zwicker import Item, Referee, Turn
from tests.reference.zwicker_options import WILD

SEAT_COLUMN = {name: number for number, name in enumerate(SEAT_COLUMNS)}


def values_mask(values: Iterable[int]) -> int:
    """A set of values as bits."""
    mask = 0
    for value in values:
        mask |= 1 << value
    return mask


class Counts:
    """What `outcome` counts over an episode, taken down from the referee: HAND_COLUMNS and SEAT_COLUMNS."""

    def __init__(self, players: int) -> None:
        self.hand = dict.fromkeys(HAND_COLUMNS, 0)
        self.seats = [[0] * len(SEAT_COLUMNS) for _ in range(players)]

    def add(self, seat: int, column: str, amount: int = 1) -> None:
        """Count for a seat."""
        self.seats[seat][SEAT_COLUMN[column]] += amount

    def items(self, count: int) -> None:
        """So many items lie on the table."""
        self.hand["longest_table"] = max(self.hand["longest_table"], count)

    def turn(self, seat: int, turn: Turn, decisions: int) -> None:
        """A turn of a seat, made in so many decisions."""
        self.hand["turns"] += 1
        self.hand["decisions"] += decisions
        word = {"take": "captures", "beside": "beside"}.get(turn[0], "laid_on")
        self.hand[word] += 1
        self.add(seat, word)
        if word == "captures":
            self.hand["items_taken"] += len(turn[2])

    def deal_over(self, table: Referee, left: int) -> None:
        """The end of a deal with so many items on the table."""
        self.hand["deals"] += 1
        self.hand["left_over"] += left
        sizes = [len(pile) for pile in table.piles]
        most = [side for side, size in enumerate(sizes) if size == max(sizes) > 0]
        scorers = most if len(most) == 1 or table.options.most_cards_tie == "all" else []
        for seat in range(table.players):
            side = table.side(seat)
            others = [points for other, points in enumerate(table.points) if other != side]
            self.add(seat, "wins", table.points[side] > max(others))
            self.add(seat, "points", table.points[side])
            self.add(seat, "cards", sizes[side])
            self.add(seat, "zwicks", table.zwicks[side])
            self.add(seat, "most_cards", table.form.most if side in scorers else 0)
            self.add(seat, "penalty", table.penalties[side])


class Knowledge:
    """What the turns of a deal tell since the last refill (WP13), in the fields of the record, by seat or party."""

    def __init__(self, table: Referee) -> None:
        self.table = table
        self.marks = {card: values_mask(table.values(card)) for card in table.form.pack}
        self.laid: dict[tuple[str, Any], int] = {}
        self.clear()

    def clear(self) -> None:
        """Everybody has new cards."""
        self.promised, self.lacks, self.asked, self.denied = ([0] * SEATS for _ in range(4))

    def begin(self) -> None:
        """A turn begins: its legal builds tell the mover about his partners (WQ9)."""
        table, seat = self.table, self.table.player
        asks = table.form.teams and not table.form.book and table.options.build_needs == "self_or_partner"
        if seat is None or not asks or table._must_take():
            return
        told, hand = 0, table.hands[seat]
        lying = {item.value or item.cards[0]: item for item in table.table}
        for card in set(hand):
            rest = list(hand)
            rest.remove(card)
            told |= self._laid(card, lying) & ~self._values(rest)
        partners = self._values(card for other in table._partners(seat) for card in table.hands[other])
        self.asked[seat] |= told & partners
        self.denied[seat] |= told & ~partners

    def _values(self, cards: Iterable[str]) -> int:
        """All values of some cards, as bits."""
        mask = 0
        for card in cards:
            mask |= self.marks[card]
        return mask

    def _laid(self, card: str, lying: Mapping[Any, Item]) -> int:
        """All values that a card could give to items of some kinds, as bits, `build_needs` left aside."""
        found = 0
        for kind, item in lying.items():
            if (card, kind) not in self.laid:
                values = self.table._built(card, item) | self.table._paired(card, item)
                self.laid[card, kind] = values_mask(values)
            found |= self.laid[card, kind]
        return found

    def turn(self, seat: int, turn: Turn) -> None:
        """What a turn, about to be made, tells all: the card may be the one promised; a build promises another."""
        table = self.table
        options = table.options
        if not table.form.book:
            party = seat if options.build_needs == "self" else table.side(seat)
            shown = self.marks[turn[1]]
            self.promised[party] &= ~shown
            for partner in table._partners(seat):
                self.asked[partner] &= ~shown
            if turn[0] in ("build", "pair") and options.build_needs != "none":
                self.promised[party] |= 1 << turn[3]
        if options.must_capture and turn[0] != "take":
            self.lacks[seat] |= self._untaken()

    def _untaken(self) -> int:
        """Values at which something could be taken, as bits; 1 where only a wild joker could take."""
        table = self.table
        if table.options.lone_joker_by_joker and len(table.table) == 1 and table._loose_joker(table.table[0]):
            return 1
        reach = 1
        for at in table._takeable(WILD):
            values = table.item_values(table.table[at])
            before = reach if table.options.sum_capture else 1
            reach |= sum(1 << value for value in values) if before == 1 else 0
            for value in values:
                reach |= before << value
        return reach & 2**31 - 2
