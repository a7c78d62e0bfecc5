"""Small Zwicken deals for the rule tests: packs laid out by hand, dealt by the engine, played by text, asked in words.

A deal names only the cards that matter; low plain cards fill the hands, the rest of the pack the talon. Seat 0 is the
forehand unless a dealer is given.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Self

import numpy as np

from cardsim.contract import outcome
from cardsim.game import Game
from cardsim.games.zwicken.layout import PHASES, REASONS
from tests.games.scenes import Table, make_form, positions_of

SHARED = "AH,9S,9C;KS,AS,8C;TS,AC,KC"
"""Hearts are trumps; played as `SHARED_PLAY`, seat 0 takes one trick, seat 1 two, seat 2 none."""
SHARED_PLAY = "AH 8C TS 9S AS KC KS AC 9C"
MARCH = "AH,KH,QH;KS,AS,8C;TS,AC,KC"
"""Seat 0 takes all three tricks with `MARCH_PLAY`."""
MARCH_PLAY = "AH 8C TS KH AS KC QH KS AC"
BELLI_HAND = "AH,9S,9C;7D,KH,8C"
"""Seat 0 leads the trump Ace, seat 1 can follow with the Belli or the King."""

FORMS = (
    "",
    "players=5,cut_rule=off",
    "players=2,duties=enforce,ace_duty=play",
    "preset=styrian,players=5,must_head=true,duties=enforce",
    "preset=four_card,players=5",
    "preset=four_card,players=5,swap_mode=block,max_swaps=4",
    "preset=dreier,winner_leads_trump=true,bete=pot",
    "preset=bavarian,wenzel_rank=top,wenzel_cards=ober_unter,belli_duty=loss_pays",
    "preset=bavarian,ace_must_stay=false,must_trump=false,swap_mode=block,durchmarsch=extra_to_winner",
)
"""Every shape of the game, and the options that add nodes or knowledge."""


def make(rules: str) -> Game:
    """The game under `rules`; the empty text is the base game."""
    return make_form("zwicken", rules)


def lay_out(game: Game, dealer: int, hands: str = "", up: str = "8H", talon: str = "", shown: str = "") -> list[str]:
    """A pack in dealing order (ZP5).

    Args:
        game: the game under its rules.
        dealer: seat.
        hands: for each seat its cards, such as `AH,7D;9S`; what is missing is filled with low plain cards,
            as long as there are any.
        up: the turned card.
        talon: its top cards.
        shown: the last card; one that lets the deal go ahead if left out.
    """
    held = [[card for card in hand.split(",") if card] for hand in hands.split(";")] if hands else []
    held += [[] for _ in range(game.num_players - len(held))]
    top = [card for card in talon.split(",") if card]
    named = {*itertools.chain.from_iterable(held), up, *top, shown}
    free = [name for name in map(game.pack.text, game.deck()) if name not in named]
    if not shown:
        shown = next(name for name in reversed(free) if name[0] not in "A7")
        free.remove(shown)
    # Low plain cards first; Bellis, Wenzels, plain Aces and trumps only when these have run out, the trump Ace last.
    kind = {name: name[0] not in "6789TK" or name[1] == up[1] or name in ("6D", "7D") for name in free}
    spare = sorted(free, key=lambda name: (kind[name], name == "A" + up[1]))
    size = int(game.rules.record["hand_cards"][0])
    for hand in held:
        while len(hand) < size:
            hand.append(spare.pop(0))
            free.remove(hand[-1])
    order = [held[(dealer + 1 + k) % game.num_players] for k in range(game.num_players)]
    first, second = [card for hand in order for card in hand[:2]], [card for hand in order for card in hand[2:]]
    return [*first, up, *second, *top, *free, shown]


class Scene(Table):
    """A position, and the questions that only this game has."""

    PHASES = PHASES
    REASONS = REASONS

    def play(self, *texts: str) -> Self:
        """Play actions, several to a text; refuses illegal ones. Returns the scene itself."""
        return super().play(*" ".join(texts).split())

    def deal(self, hands: str = "", up: str = "8H", talon: str = "", shown: str = "") -> Self:
        """At a chance node, the next attempt at a deal, by the dealer in turn; see `lay_out`."""
        return self.deal_pack(lay_out(self.game, self.dealer, hands, up, talon, shown))

    def announce(self, stay: str = "01234") -> Self:
        """The seats named stay, the others pass."""
        while self.phase == "announce":
            self.play("play" if str(self.player) in stay else "pass")
        return self

    def begin(self, stay: str = "01234") -> Self:
        """The seats named stay, the others pass, and nobody swaps: the first lead is due."""
        self.announce(stay)
        while self.phase == "swap":
            self.play("stop")
        return self

    @property
    def dealer(self) -> int:
        """Seat that dealt, or deals next."""
        return int(self.state["dealer"])

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return int(self.state["pot"])

    @property
    def chips(self) -> list[int]:
        """Balances."""
        return self.row("chips")

    @property
    def gained(self) -> list[int]:
        """Chips won or lost in the last finished deal."""
        return self.row("gained")

    @property
    def tricks(self) -> list[int]:
        """Tricks won."""
        return self.row("tricks")

    def column(self, name: str) -> list[int]:
        """A column of the results, by seat."""
        hand = np.zeros(len(self.game.hand_columns), np.int32)
        seats = np.zeros((self.game.num_players, len(self.game.seat_columns)), np.int32)
        outcome(self.state, hand, seats)
        return [int(value) for value in seats[:, self.game.seat_columns.index(name)]]

    def thrown(self, seat: int) -> set[str]:
        """Cards that a seat has laid away."""
        return set(self.game.pack.cards_of(self.state["thrown"][seat]))


def from_pack(rules: str, names: Sequence[str], dealer: int) -> Scene:
    """The first attempt at a deal from a pack in dealing order."""
    game = make(rules)
    return Scene(game, game.deal_given([game.pack.card(name) for name in names], dealer))


def dealt(
    rules: str = "", hands: str = "", up: str = "8H", talon: str = "", shown: str = "", dealer: int | None = None
) -> Scene:
    """The first attempt at a deal, laid out as `lay_out` says; the last seat deals unless another is given."""
    game = make(rules)
    dealer = game.num_players - 1 if dealer is None else dealer
    return from_pack(rules, lay_out(game, dealer, hands, up, talon, shown), dealer)


def tricks(
    rules: str, hands: str, play: str = "", up: str = "8H", stay: str = "01234", dealer: int | None = None
) -> Scene:
    """A deal without swaps, in the tricks: who stays, and the cards played."""
    return dealt(rules, hands, up, dealer=dealer).begin(stay).play(play)


def winner(rules: str, first: str, second: str, up: str = "8H") -> int:
    """Who of two players takes the trick in which seat 0 leads the first card of a hand and seat 1 answers likewise."""
    two = f"{rules},players=2".removeprefix(",")
    return int(tricks(two, f"{first};{second}", f"{first[:2]} {second[:2]}", up).state["leader"])


def trumps_of(rules: str, suit: str) -> list[str]:
    """All trumps of a form, highest first, as the rules list them (Z4, Z28, Z31, ZP25)."""
    wenzels: list[str] = []
    if "bavarian" in rules:
        ranks = "QJ" if "ober_unter" in rules else "J"
        wenzels = [rank + other for rank in ranks for other in "CSHD"]
    high = ["A" + suit, "7D", *(["6D"] if "styrian" in rules else [])]
    high = wenzels + high if "rank=top" in rules else high + wenzels
    return high + [rank + suit for rank in "AKQJT9876" if rank + suit not in high]


def check_order_of_trumps(rules: str, up: str, order: Sequence[str]) -> None:
    """Of any two trumps, led and answered, the one further in front in `order` takes the trick."""
    for high, low in itertools.combinations([card for card in order if card != up], 2):
        assert winner(rules, high, low, up) == 0, f"{high} led, {low} answered"
        assert winner(rules, low, high, up) == 1, f"{low} led, {high} answered"


def shuffled(rules: str, number: int, seed: int = 66) -> Scene:
    """Deal `number` of a seed."""
    game = make(rules)
    return Scene(game, game.deal(seed, number))


def positions(rules: str, hands: int) -> list[Scene]:
    """Every position of some hands played at random."""
    return positions_of(lambda number: shuffled(rules, number), hands)
