"""Small Sixty-Six positions for the rule tests: written by hand, played by text, asked in words.

A scene names only the cards that matter; the other cards of the pack fill the tricks that are over and the
talon. Everything goes through `Game` and the notation, as a user's own script would.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from cardsim.game import Game
from cardsim.games.sixty_six.layout import PHASES, REASONS
from cardsim.simulate import simulate
from tests.games.scenes import NOBODY, Table, make_form, positions_of

LEAD = "hands=9H,AH,QS,KS,JC,AC;TD,AD,TH,JH,QC,KC up=KH"
"""Hearts are trumps; seat 0 holds the nine of trumps and the marriage of spades, seat 1 that of clubs."""
FULL = "hands=9H,AH,QS,KS,JC,AC;TD,AD,TH,JH,QC,KC up=KH tricks=1,1 points=15,15"
"""The same after one trick each."""
LAST_CARD = "up_first=KH tricks=5,6 points=40,40 hands=AH;9C"
"""One card each, talon gone: seat 0 takes the last trick, worth 11."""
RUN = "hands=AH,TH,QH,9C,JC,QC;AC,9D,JD,QD,KD,TD up=KH tricks=2,2 points=60,25"
"""`close 9C AC 9D AH` brings seat 0 to 71 and seat 1 from 25 to 36."""

FORMS = (
    "",
    "claims=true_only,close_min_talon=6,exchange_on_close=true",
    "claims=true_only,announce=forced,early_marriage=pending,perfect_memory=false",
    "preset=schnapsen,claims=auto,announce=forced,closing=false",
    "preset=three_hand,claims=true_only,claim_timing=any_turn",
    "preset=four_hand,claims=true_only,partner_meld=true,early_marriage=pending",
    "preset=four_hand,american=true",
    "preset=1001",
    "preset=1001,players=3,follow_always=true",
    "preset=1001,hand=6,follow_always=true",
    "preset=deck32,claims=true_only,closing=false,marriage_must_lead=false",
    "suits=2,ranks=4,hand=3,goal=33,claims=true_only",
)
"""Every shape of the game, and the options that add nodes or knowledge."""


def make(rules: str) -> Game:
    """The game under `rules`; the empty text is the base game."""
    return make_form("sixty_six", rules)


class Scene(Table):
    """A position, and the questions that only this game has."""

    PHASES = PHASES
    REASONS = REASONS

    def play(self, *texts: str) -> Self:
        """Play actions, read by the notation; refuses illegal ones. Returns the scene itself."""
        for text in texts:
            self.game.apply_action(self.states, self.game.notation.parse_action(text))
        return self

    def play_on(self) -> Self:
        """Play the first legal card in pack order, draw, and never claim, until the deal is over."""
        while self.player != NOBODY:
            legal = self.legal()
            first = min(self.cards(), key=self.game.pack.card, default="")
            self.play("pass" if "pass" in legal else "draw" if "draw" in legal else first)
        return self

    def deal(self, deck: str) -> Self:
        """At a chance node, deal the next hand of a match from a pack in dealing order."""
        return self.deal_pack(deck.split())

    @property
    def points(self) -> list[int]:
        """Points of the sides."""
        return self._row("points")

    @property
    def tricks(self) -> list[int]:
        """Tricks of the sides."""
        return self._row("tricks")

    @property
    def pending(self) -> list[int]:
        """Pending marriage points of the sides."""
        return self._row("pending")

    @property
    def paid(self) -> list[int]:
        """Game points that the deal has brought to each seat."""
        return self._row("gained", sides=False)

    @property
    def scores(self) -> list[int]:
        """Match scores of the seats."""
        return self._row("scores", sides=False)

    def _row(self, field: str, sides: bool = True) -> list[int]:
        count = 2 if sides and self.state["rules"]["teams"] else self.game.num_players
        return self.row(field)[:count]


def scene(rules: str, words: str) -> Scene:
    """A position from the words of `parse_position`, with the rest of the pack filled in.

    Args:
        rules: as for `make`.
        words: `key=value` words. Left out: `dealer` is 1; with `tricks` given, `points` are 0, the seat on
            lead is 0 and the finished tricks hold the first free cards; `talon` holds the free cards that are
            left. `table=1:QC` is a card of the current trick, `top` the first cards of the talon.
    """
    game = make(rules)
    given = dict(word.split("=") for word in words.split())
    table, top = given.pop("table", ""), given.pop("top", "")
    named = ",".join([*(given.get(key, "") for key in ("hands", "up", "talon", "history")), table, top])
    used = {part.split(":")[-1] for part in named.replace(";", ",").replace("/", ",").split(",")}
    free = [name for name in map(game.pack.text, game.deck()) if name not in used]
    active = int(game.rules.record["active"][0])
    if "history" not in given:
        over = sum(map(int, given.get("tricks", "0").split(",")))
        tricks = [",".join(free[active * k : active * (k + 1)]) for k in range(over)]
        given["history"] = "/".join([*tricks, table] if table else tricks) or "-"
        free = free[active * over :]
    if "tricks" in given:
        given.setdefault("points", ",".join("0" for _ in given["tricks"].split(",")))
        if not table:
            given.setdefault("player", "0")
    given.setdefault("talon", ",".join([*([top] if top else []), *free]) or "-")
    given.setdefault("dealer", "1")
    text = " ".join(f"{key}={value}" for key, value in given.items())
    return Scene(game, game.notation.parse_position(f"{game.name} {text}")[1])


def dealt(rules: str, deck: str, dealer: int = 1) -> Scene:
    """The first hand dealt from a pack in dealing order."""
    game = make(rules)
    return Scene(game, game.deal_given([game.pack.card(name) for name in deck.split()], dealer))


def shuffled(rules: str, number: int, seed: int = 66) -> Scene:
    """Deal `number` of a seed."""
    game = make(rules)
    return Scene(game, game.deal(seed, number))


def positions(rules: str, hands: int) -> list[Scene]:
    """Every position of some hands played at random."""
    return positions_of(lambda number: shuffled(rules, number), hands)


def per_hand(rules: str, agent: str, hands: int, seed: int = 66) -> dict[str, float]:
    """Means per hand of all columns, summed over the seats, in play between equal agents."""
    game = make(rules)
    tally = simulate(game, agent, hands, seed=seed, threads=1).tally
    seats = np.asarray(tally.seat_counts).sum(axis=(0, 1))
    names = (*game.hand_columns, *game.seat_columns)
    totals = (*tally.hand_counts, *seats.tolist())
    return {name: total / hands for name, total in zip(names, totals, strict=True)}
