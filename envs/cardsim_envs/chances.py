"""How cards are dealt in a game tree: the kinds of chance nodes behind `cardsim_envs.openspiel`.

Every kind answers `outcomes(moment)` with (number, probability) pairs, carries one out by `apply(moment, number)` and
names it by `text(moment, number)`.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from math import factorial, prod
from typing import Any

import numpy as np

from cardsim import rng
from cardsim.contract import deal_given
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim_envs.moments import Moment

MOST_OUTCOMES = 200_000
MOST_GROUPS = 8  # of places that are not alike: nine have 9! deals at least, which is too many
TRIALS = 12  # packs on which two places are compared


@kernel
def _deal(states: Any, deck: Any) -> None:
    deal_given(states[0], deck)


Outcomes = list[tuple[int, float]]


def equally_likely(numbers: Any) -> Outcomes:
    """Outcomes of one probability."""
    found = list(numbers)
    return [(number, 1.0 / len(found)) for number in found]


class CardByCard:
    """The whole game: first who deals, where the rules leave it open, then one node for each card of the pack.

    Outcomes are seats, then card numbers.
    """

    explicit = True

    def __init__(self, game: Game) -> None:
        self.game = game
        self._deck = game.deck()
        self.most_outcomes = max(self._deck[-1] + 1, game.num_players)

    def outcomes(self, moment: Moment) -> Outcomes:
        """The seats, or the cards that have not been dealt, ascending."""
        if not moment.dealer_known:
            return equally_likely(range(self.game.num_players))
        return equally_likely(sorted(set(self._deck).difference(moment.pack)))

    def apply(self, moment: Moment, outcome: int) -> None:
        """Settle the dealer or the next card; with the last card the hand is dealt."""
        if not moment.dealer_known:
            moment.set_dealer(outcome)
            return
        moment.pack = (*moment.pack, outcome)
        if len(moment.pack) == len(self._deck):
            moment.deal_deck(moment.pack)

    def text(self, moment: Moment, outcome: int) -> str:
        """`player 1 deals`, or the card."""
        if not moment.dealer_known:
            return f"player {outcome} deals"
        return f"deal {self.game.pack.text(outcome)}"


class Deals:
    """The part of the game that `count` deals of a seed make up, all equally likely; outcomes are deal numbers."""

    explicit = True

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.most_outcomes = count

    def outcomes(self, moment: Moment) -> Outcomes:
        """The numbers from 0 on."""
        return equally_likely(range(self.most_outcomes))

    def apply(self, moment: Moment, outcome: int) -> None:
        """Deal."""
        moment.deal_number(self.seed, outcome)

    def text(self, moment: Moment, outcome: int) -> str:
        """`deal 3`."""
        return f"deal {outcome}"


class Worlds(Deals):
    """A chain of `count` worlds, all equally likely, of which each seat can tell some apart and others not.

    World 0 is given, or deal 0 of the seed; each further one is drawn at random from those that one of the seats, in
    turn, cannot tell from the world before. Later hands of a match are dealt as `Deals` does it.
    """

    def __init__(self, game: Game, count: int, seed: int, start: Any = None) -> None:
        super().__init__(game, count, seed)
        self._start = start

    @cached_property
    def _worlds(self) -> list[Any]:
        streams = rng.new_streams()
        rng.seed_stream(streams[0], np.uint64(self.seed), np.uint64(0), rng.RESAMPLE)
        worlds = [self.game.deal(self.seed, 0) if self._start is None else self._start]
        for k in range(1, self.most_outcomes):
            world = worlds[-1].view(np.uint8).copy().view(self.game.state_dtype)
            self.game.resample_hidden(world, k % self.game.num_players, streams)
            worlds.append(world)
        return worlds

    def apply(self, moment: Moment, outcome: int) -> None:
        """Begin in that world."""
        if moment.hand:
            super().apply(moment, outcome)
        else:
            moment.start_from(self._worlds[outcome])

    def text(self, moment: Moment, outcome: int) -> str:
        """`world 3`."""
        return super().text(moment, outcome) if moment.hand else f"world {outcome}"


class Sampled:
    """One outcome that stands for all: the next deal of a seed, so that no two states get the same cards."""

    explicit = False
    most_outcomes = 1

    def __init__(self, game: Game, seed: int) -> None:
        self.seed = seed
        self.next = 0

    def outcomes(self, moment: Moment) -> Outcomes:
        """The only one."""
        return [(0, 1.0)]

    def apply(self, moment: Moment, outcome: int) -> None:
        """Deal the next."""
        moment.deal_number(self.seed, self.next)
        self.next += 1

    def text(self, moment: Moment, outcome: int) -> str:
        """The same for all."""
        return "deal"


class Every:
    """The whole game of a small pack: one outcome for each deal that differs in more than the order within a hand.

    Which places of a pack are alike is found by swapping two cards of some packs and comparing the states. Before it, a
    node for the first dealer, where the rules leave it open.

    Raises:
        ValueError: there are more than MOST_OUTCOMES deals.
    """

    explicit = True

    def __init__(self, game: Game) -> None:
        self.game = game
        self._deck = game.deck()
        self._places = alike_places(game, MOST_GROUPS)
        count = factorial(len(self._deck)) // prod(factorial(len(places)) for places in self._places)
        if len(self._places) > MOST_GROUPS or count > MOST_OUTCOMES:
            raise ValueError(
                f"chance every: {game.name} has more than {MOST_OUTCOMES} deals; take cards, sampled, or some deals"
            )
        self.most_outcomes = max(count, game.num_players)

    @cached_property
    def packs(self) -> list[tuple[int, ...]]:
        """A pack for each deal."""
        found: list[tuple[int, ...]] = []
        pack = [0] * len(self._deck)

        def fill(k: int, left: tuple[int, ...]) -> None:
            if k == len(self._places):
                found.append(tuple(pack))
                return
            for cards in combinations(left, len(self._places[k])):
                for place, card in zip(self._places[k], cards, strict=True):
                    pack[place] = card
                fill(k + 1, tuple(card for card in left if card not in cards))

        fill(0, tuple(self._deck))
        return found

    def outcomes(self, moment: Moment) -> Outcomes:
        """The seats, or all deals."""
        return equally_likely(range(len(self.packs) if moment.dealer_known else self.game.num_players))

    def apply(self, moment: Moment, outcome: int) -> None:
        """Settle the dealer, or deal."""
        if moment.dealer_known:
            moment.deal_deck(self.packs[outcome])
        else:
            moment.set_dealer(outcome)

    def text(self, moment: Moment, outcome: int) -> str:
        """`player 1 deals`, or the pack in dealing order, cards of one hand ascending."""
        if not moment.dealer_known:
            return f"player {outcome} deals"
        return f"deal {' '.join(self.game.pack.text(card) for card in self.packs[outcome])}"


def alike_places(game: Game, most: int | None = None) -> list[list[int]]:
    """Places of a pack, in groups within which cards may be swapped without changing what is dealt.

    Args:
        game: the game under its rules.
        most: once there are more groups, the search ends.
    """
    source = np.random.default_rng(0)
    packs = [source.permutation(game.deck()).astype(np.uint8) for _ in range(TRIALS)]
    fresh = Moment(game).states
    dealt = [_dealt(fresh, pack) for pack in packs]
    groups: list[list[int]] = []
    for place in range(len(packs[0])):
        for group in groups:
            swapped = (_dealt(fresh, _swapped(pack, place, group[0])) for pack in packs)
            if all(one == other for one, other in zip(swapped, dealt, strict=True)):
                group.append(place)
                break
        else:
            groups.append([place])
        if most is not None and len(groups) > most:
            break
    return groups


def _swapped(pack: Any, a: int, b: int) -> Any:
    other = pack.copy()
    other[[a, b]] = other[[b, a]]
    return other


def _dealt(fresh: Any, pack: Any) -> bytes:
    states = fresh.view(np.uint8).copy().view(fresh.dtype)
    _deal(states, pack)
    return bytes(states.tobytes())
