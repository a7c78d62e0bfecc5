"""The slow side of the referee comparison of Sixty-Six: plays a tape's hands on the referee, builds the same rows.

Nothing here asks the engine anything: rows, counts and returns come from the referee and from the documented
meaning of the columns. The numbering of cards, actions and phases is the layout's.
"""

from __future__ import annotations

from typing import Any

from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ACT_CLOSE,
    ACT_EXCHANGE,
    ACTION_NAMES,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    PHASES,
    REASONS,
    SEAT_COLUMNS,
    SEATS,
)
from cardsim.games.sixty_six.rules import make_rules
from tests.games.referee_replay import Replay, pad
from tests.games.sixty_six_trace import TRACE
from tests.reference.sixty_six import Referee

CARD = {name: number for number, name in enumerate(ACTION_NAMES[:32])}
BIT = {name: 1 << number for number, name in enumerate(ACTION_NAMES)}
SUIT = {suit: number for number, suit in enumerate("DHSC")}
NODES = {
    "lead": "lead",
    "follow": "follow",
    "draw": "draw",
    "ask": "ask_exchange",
    "meld": "ask_pair",
    "last": "last",
}
PHASE = {node: PHASES.index(phase) for node, phase in NODES.items()}
REASON = {"": 0} | {name: number for number, name in enumerate(REASONS)}
SEAT_COLUMN = {name: number for number, name in enumerate(SEAT_COLUMNS)}


def suit_number(suit: str | None, none: int) -> int:
    """Number of a suit, or what stands for none."""
    return none if suit is None else SUIT[suit]


def legal_mask(table: Referee) -> int:
    """The referee's legal set as bits; the texts are the action names of the layout."""
    return sum(BIT[text] for text in table.legal())


def referee_row(table: Referee, dealt: int) -> list[int]:
    """The row of COLUMNS after the action, from the referee; `dealt` cards began in hands and talon."""
    over = table.over
    turned = table.talon[-1] if table.form.face_up and table.talon else None
    phase = PHASES.index("deal" if table.match and not table.match_over else "over") if over else PHASE[table.node]
    leader = table.leader if table.leader is not None else NOBODY
    partner = (leader + 2) % 4
    ends = over and table.match_over
    held = sum(map(len, table.hands))
    on_table = [NO_CARD] * SEATS
    if not over:
        for seat, card in table.trick:
            on_table[seat] = CARD[card]
    return [
        legal_mask(table),
        phase,
        NOBODY if table.player is None else table.player,
        leader,
        table.dealer,
        NOBODY if table.closer is None else table.closer,
        suit_number(table.trump, NO_SUIT),
        NO_CARD if turned is None else CARD[turned],
        len(table.talon),
        dealt - held - len(table.talon),
        table.carry,
        sum(1 << SUIT[suit] for suit in table.declared),
        suit_number(table.last_declared, NOBODY),
        NOBODY if over else suit_number(table.declared_now.get(leader), NOBODY),
        NOBODY if over or not table.form.teams else suit_number(table.declared_now.get(partner), NOBODY),
        REASON[table.reason],
        NOBODY if table.winner_side is None else table.winner_side,
        table.match_winner[0] if ends else NOBODY,
        *pad([sum(BIT[card] for card in hand) for hand in table.hands], SEATS),
        *on_table,
        *pad(table.points, SEATS),
        *([0] * SEATS if over else pad(table.pending, SEATS)),
        *pad(table.tricks, SEATS),
        *pad(table.scores if table.match else table.game_points, SEATS),
        *pad(table.game_points, SEATS),
    ]


class Counts:
    """What `outcome` counts over an episode, taken down from the referee."""

    def __init__(self, players: int) -> None:
        self.hand = [0] * 6  # deals, decisions, decided, forehand_wins, played_out, ties
        self.seats = [[0] * len(SEAT_COLUMNS) for _ in range(players)]

    def add(self, seat: int, column: str, amount: int = 1) -> None:
        """Count for a seat."""
        self.seats[seat][SEAT_COLUMN[column]] += amount

    def action(self, seat: int, action: int, declared: bool) -> None:
        """A move that the referee has carried out; `declared`: a marriage came with it."""
        self.hand[1] += 1
        if action == ACT_CLOSE:
            self.add(seat, "closes")
        elif action == ACT_EXCHANGE:
            self.add(seat, "exchanges")
        elif declared:
            self.add(seat, "marriages")

    def deal_over(self, table: Referee, seat: int, action: int, forehand: int) -> None:
        """The end of a deal, brought about by `action` of `seat`."""
        self.hand[0] += 1
        winner = table.winner_side
        if winner is not None:
            self.hand[2] += 1
            self.hand[3] += table.side(forehand) == winner
        self.hand[4] += table.reason in ("failed_close", "exhausted", "tie", "counted")
        self.hand[5] += winner is None
        if table.reason == "false_claim":
            self.add(seat, "false_claims")
        elif table.reason in ("claim", "beaten_closer"):
            self.add(seat if action == ACT_CLAIM else engine_claimer(table, seat, action), "claims")
        for player in range(table.players):
            side = table.side(player)
            if winner == side:
                self.add(player, "wins")
            self.add(player, "game_points", table.game_points[player])
            self.add(player, "tricks", table.tricks[side])
            self.add(player, "card_points", table.points[side])


def engine_claimer(table: Referee, seat: int, action: int) -> int:
    """For whom the engine claimed (SP13): the declarer, the trick's winner, or who was about to follow."""
    if table.trick:
        last = table.seats.index(table.trick[-1][0])
        return table.seats[(last + 1) % len(table.seats)]
    if ACTION_NAMES[action].startswith("pair"):
        return seat
    assert table.leader is not None
    return table.leader


def referee_returns(table: Referee) -> list[float]:
    """Returns of an episode as scoring.returns documents them; zero while a match goes on."""
    if not table.match:
        mine, pay = table.game_points, []
        for seat in range(table.players):
            others = [mine[s] for s in table.seats if table.side(s) != table.side(seat)]
            opponents = 0.0 if seat not in table.seats else sum(others) / len(others)
            pay.append(mine[seat] - opponents)
        return pay
    if not table.match_over:
        return [0.0] * table.players
    stake = 2.0 if table.options.matsch_double and table.matsch else 1.0
    winners = table.match_winner
    lost = -stake * len(winners) / (table.players - len(winners))
    return [stake if seat in winners else lost for seat in range(table.players)]


class SixtySixReplay(Replay):
    """One table of Sixty-Six.

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
        named = {name: value for name, value in told.items() if name not in ("match", "first_dealer")}
        self.table = Referee(preset, match=bool(told.get("match")), **named)
        self.counts = Counts(self.table.players)
        self.dealt = 0

    def start(self, dealer: int) -> None:
        self.table.start_match(dealer)
        self.counts = Counts(self.table.players)

    def deal(self, deck: list[str]) -> None:
        self.table.deal(deck)
        self.dealt = self.table.talon_count + sum(map(len, self.table.hands))

    def row(self) -> list[int]:
        return referee_row(self.table, self.dealt)

    def play(self, seat: int, action: int) -> None:
        declared = len(self.table.declared)
        self.table.apply(ACTION_NAMES[action])
        self.counts.action(seat, action, len(self.table.declared) > declared)
        if self.table.over:
            self.counts.deal_over(self.table, seat, action, self.table.seats[0])

    def summary(self) -> tuple[list[int], list[list[int]], list[float]]:
        return self.counts.hand, self.counts.seats, referee_returns(self.table)
