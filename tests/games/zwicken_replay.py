"""The slow side of the referee comparison of Zwicken: plays a tape's hands on the referee, builds the same rows.

Nothing here asks the engine anything: rows, counts and returns come from the referee and from the documented
meaning of the columns. The numbering of cards, actions and phases is the layout's.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from cardsim.games.zwicken.layout import (
    ACTION_NAMES,
    ALL_PASSED,
    ANNOUNCE,
    CARDS,
    DEAL,
    DURCHMARSCH,
    FOLLOW,
    LEAD,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OVER,
    SEAT_COLUMNS,
    SEATS,
    SHARED,
    SWAP,
    UNDECIDED,
    UNOPPOSED,
)
from cardsim.games.zwicken.rules import make_rules
from tests.games.referee_replay import Replay, pad
from tests.games.zwicken_trace import CARD_BITS, CARDS_PER_WORD, TALON_WORDS, TRACE
from tests.reference.zwicken import Referee
from tests.reference.zwicken_options import BELLI

NUMBER = {name: number for number, name in enumerate(ACTION_NAMES)} | {None: NO_CARD}
BIT = {name: 1 << number for number, name in enumerate(ACTION_NAMES)}
BIT |= {f"swap {name}": BIT[name] for name in ACTION_NAMES[:CARDS]}
SUIT = {suit: number for number, suit in enumerate("DHSC")} | {None: NO_SUIT}
PHASE = {"announce": ANNOUNCE, "swap": SWAP, "block": SWAP}
SEAT_COLUMN = {name: number for number, name in enumerate(SEAT_COLUMNS)}
ENGINE_ONLY = ("match", "first_dealer", "start_pot")
"""Options that the referee is given otherwise."""
UNLIMITED = ("n_deals", "target_chips")
"""Options of which the engine's 0 is the referee's None."""


def seats_mask(seats: Iterable[int]) -> int:
    """A set of seats as bits."""
    return sum(1 << seat for seat in seats)


def mask_of(names: Iterable[str]) -> int:
    """A set of cards or actions as bits."""
    return sum(map(BIT.__getitem__, names))


def phase_of(table: Referee) -> int:
    """The layout's phase."""
    if table.node == "play":
        return FOLLOW if table.trick else LEAD
    if table.node:
        return PHASE[table.node]
    return OVER if table.over else DEAL


def reason_of(table: Referee) -> int:
    """How the deal ended (REASONS)."""
    if not table.deal_over:
        return UNDECIDED
    if len(table.active) < 2:
        return UNOPPOSED if table.active else ALL_PASSED
    return DURCHMARSCH if table.form.hand in table.tricks else SHARED


def swap_state(table: Referee) -> tuple[int, int]:
    """Seats that may still swap or, in the last round, have not stopped; and the round (ZP14, ZP15)."""
    if phase_of(table) != SWAP:
        return 0, 0
    if table.node == "block":
        assert table.player is not None
        return seats_mask({table.player, *table._turns}), 0
    turns = len(table.active) * table.options.max_swaps
    return seats_mask(table.active - table.stopped), (turns - len(table._turns) - 1) // len(table.active)


@lru_cache(1000)
def talon_words(talon: tuple[str, ...]) -> list[int]:
    """The talon as COLUMNS of the trace packs it."""
    words = [0] * TALON_WORDS
    for place, card in enumerate(talon):
        words[place // CARDS_PER_WORD] |= NUMBER[card] << place % CARDS_PER_WORD * CARD_BITS
    return words


def referee_row(table: Referee, before: list[int]) -> list[int]:
    """The row of COLUMNS after the action; `before`: balances before the deal, or after the last one."""
    went_ahead = table.turned is not None
    shown = table.shown if went_ahead else None
    drew_shown = [seat for seat in range(table.players) if shown in table.hands[seat]]
    swapping, turn = swap_state(table)
    best_seat, best = table._best() if table.trick else (NOBODY, None)
    on_table = [NO_CARD] * SEATS
    for seat, card in table.trick:
        on_table[seat] = NUMBER[card]
    return [
        mask_of(table.legal()),
        phase_of(table),
        NOBODY if table.player is None else table.player,
        NOBODY if table.deal_over or table.leader is None else table.leader,
        table.dealer,
        0 if table.deal_over else table.attempts,
        table.pot,
        seats_mask(table.active),
        swapping,
        turn,
        NUMBER[shown],
        drew_shown[0] if drew_shown else NOBODY,
        NUMBER[table.turned],
        SUIT[table.trump],
        len(table.talon),
        len(table.history),
        NUMBER[best],
        best_seat,
        reason_of(table),
        seats_mask(table.winners),
        *pad([mask_of(hand) for hand in table.hands], SEATS),
        *pad([mask_of(laid) for laid in table.discards], SEATS),
        *on_table,
        *pad(table.chips, SEATS),
        *pad(before, SEATS),
        *(pad(table.gained, SEATS) if table.deal_over else [0] * SEATS),
        *pad(table.swaps, SEATS),
        *pad(table.tricks, SEATS),
        *pad(table._faults, SEATS),
        *talon_words(tuple(table.talon)),
    ]


class Counts:
    """What `outcome` counts over an episode, taken down from the referee: HAND_COLUMNS and SEAT_COLUMNS."""

    def __init__(self, players: int) -> None:
        self.deals = self.decisions = self.cuts = self.belli_cuts = 0
        self.pots = self.stayed = self.all_passed = self.unopposed = self.marches = 0
        self.seats = [[0] * len(SEAT_COLUMNS) for _ in range(players)]

    @property
    def hand(self) -> list[int]:
        """Values of HAND_COLUMNS."""
        return [
            self.deals, self.decisions, self.cuts, self.belli_cuts, self.pots,
            self.stayed, self.all_passed, self.unopposed, self.marches,
        ]  # fmt: skip

    def add(self, seat: int, column: str, amount: int = 1) -> None:
        """Count for a seat."""
        self.seats[seat][SEAT_COLUMN[column]] += amount

    def attempt(self, table: Referee, dealer: int, moved: list[int]) -> None:
        """An attempt at a deal, in which each seat's chips have `moved`: who gains is paid by the dealer."""
        self.cuts += 1
        self.belli_cuts += table.shown == BELLI
        self.deals += table.turned is not None
        paid = sum(chips for seat, chips in enumerate(moved) if seat != dealer and chips > 0)
        for seat, chips in enumerate(moved):
            cut_chips = -paid if seat == dealer else max(chips, 0)
            self.add(seat, "cut_chips", cut_chips)
            self.add(seat, "staked", cut_chips - chips)

    def announced(self, table: Referee, pot: int) -> None:
        """The last answer is given, with `pot` on the table."""
        self.pots += pot
        self.stayed += len(table.active)

    def deal_over(self, table: Referee, pot: int, moved: list[int]) -> None:
        """The end of a deal for a pot; each seat's chips have `moved` with the last action."""
        reason = reason_of(table)
        self.all_passed += reason == ALL_PASSED
        self.unopposed += reason == UNOPPOSED
        self.marches += reason == DURCHMARSCH
        cap = table.options.bete_cap * table.stake
        bete = table.stake if table.options.bete == "stake" else min(pot, cap)  # ZP28
        for seat in range(table.players):
            betes = table.betes[seat] * bete
            self.add(seat, "betes", betes)
            self.add(seat, "taken", moved[seat] + betes)
            self.add(seat, "wins", table.gained[seat] > 0)
            self.add(seat, "swaps", table.swaps[seat])
            self.add(seat, "tricks", table.tricks[seat])
            self.add(seat, "durchmarsch", table.tricks[seat] == table.form.hand)
        for seat in table.active:
            self.add(seat, "stays")
            self.add(seat, "no_trick_betes", reason in (SHARED, DURCHMARSCH) and table.tricks[seat] == 0)
            self.add(seat, "duty_betes", table._faults[seat])


class ZwickenReplay(Replay):
    """One table of Zwicken.

    Args:
        preset, options: as for `rules.make_rules`.
        policy: an index into POLICIES of the trace.
        seed: of cards and policy.
        told: options as the referee is told them, if not the same.
    """

    trace = TRACE
    names = ACTION_NAMES

    def __init__(
        self, preset: str, options: dict[str, Any], policy: int, seed: int, told: dict[str, Any] | None = None
    ) -> None:
        told = options if told is None else told
        super().__init__(make_rules(preset, **options), str(told.get("first_dealer", "random")), policy, seed)
        named = {name: value for name, value in told.items() if name not in ENGINE_ONLY}
        named |= {name: named[name] or None for name in UNLIMITED if name in named}
        self.table = Referee(preset, session=bool(told.get("match")), **named)
        self.pot = int(told.get("start_pot", 0))
        self.counts = Counts(self.table.players)
        self.before = list(self.table.chips)

    def start(self, dealer: int) -> None:
        self.table.start(dealer, self.pot)
        self.counts = Counts(self.table.players)
        self.before = list(self.table.chips)

    def deal(self, deck: list[str]) -> None:
        table = self.table
        dealer, chips = table.dealer, list(table.chips)
        table.attempt(deck)
        self.counts.attempt(table, dealer, self._moved(chips))

    def row(self) -> list[int]:
        return referee_row(self.table, self.before)

    def play(self, seat: int, action: int) -> None:
        table, counts = self.table, self.counts
        node, pot, chips = table.node, table.pot, list(table.chips)
        laid_away = node in ("swap", "block") and action < CARDS
        table.apply(f"swap {ACTION_NAMES[action]}" if laid_away else ACTION_NAMES[action])
        counts.decisions += 1
        if node == "announce" and table.node != "announce":
            counts.announced(table, pot)
        if table.deal_over:
            counts.deal_over(table, pot, self._moved(chips))
            self.before = list(table.chips)

    def _moved(self, chips: list[int]) -> list[int]:
        """What each balance has changed from earlier ones."""
        return [now - then for now, then in zip(self.table.chips, chips, strict=True)]

    def summary(self) -> tuple[list[int], list[list[int]], list[float]]:
        return self.counts.hand, self.counts.seats, [float(chips) for chips in self.table.returns]
