"""Points and wins of finished deals, and what they would have been had some cards gone to another side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from cardsim.game import Game
from cardsim.games.zwicker.basics import side_of
from cardsim.games.zwicker.layout import NO_CARD, PACK, TURNS
from cardsim.games.zwicker.rules import FIRST_JOKER, FIRST_WILD, FIXED, JOKER_VALUES, KINDS, OPTIONS, WILD
from cardsim.games.zwicker.scoring import CARD_POINTS, MOST_POINTS, ZWICK_POINTS

TO_TABLE, NOT_DEALT = -1, -2
TIE_ALL = OPTIONS["most_cards_tie"].code("all")
GROUPS = 20
"""Equal parts of the deals from which a number that is no mean, such as a share of a variance, gets its interval."""


def card_groups(style: int, jokers: tuple[int, ...] = ()) -> dict[str, list[int]]:
    """Cards of one pack that a player asks for, by name: each joker, the tens, the Aces, and all that score nothing."""
    kinds = {PACK.text(kind): kind for kind in range(FIRST_JOKER)}
    groups = {f"joker {value}": [FIRST_JOKER + JOKER_VALUES.index(value)] for value in jokers}
    groups["10 of diamonds"] = [kinds["TD"]]
    if style == FIXED:
        groups["another 10"] = [kinds[text] for text in ("TH", "TS", "TC")]
    groups["an Ace"] = [kinds[f"A{suit}"] for suit in "DHSC"]
    if style == FIXED:
        groups["2 of spades"] = [kinds["2S"]]
    else:
        groups["7 of diamonds or spades"] = [kinds["7D"], kinds["7S"]]
    groups["a card without points"] = [kind for kind in range(FIRST_JOKER) if not CARD_POINTS[style, kind]]
    return groups


def dealt_to(states: Any) -> Any:
    """The seat that each card is or will be dealt to, int8 (N, 2 * KINDS): TO_TABLE, or NOT_DEALT if not in play.

    Args:
        states: records (N,) before the first turn; the refills start at the dealer's left, card by card (WP1).

    Raises:
        ValueError: a turn has been played.
    """
    if states["totals"][:, TURNS].any():
        raise ValueError("states: must be before the first turn")
    size, players = len(states), int(states["rules"]["players"][0])
    room = np.full((size, 256), NOT_DEALT, np.int8)
    rows = np.arange(size)
    for item in range(int(states["items"].max())):
        room[rows, states["top"][:, item]] = TO_TABLE
    for seat in range(players):
        for place in range(states["hand"].shape[2]):
            room[rows, states["hand"][:, seat, place]] = seat
    for place in range(int(states["deck_pos"].min()), states["deck"].shape[1]):
        room[rows, states["deck"][:, place]] = (states["dealer"] + 1 + place - states["deck_pos"]) % players
    room[:, NO_CARD:] = NOT_DEALT
    return room[:, : 2 * KINDS]


def first_states(game: Game, seed: int, first: int, count: int) -> Any:
    """States of deals first, ..., first + count - 1 before the first turn, records (count,)."""
    states = game.new_states(count)
    for row in range(count):
        game.deal(seed, first + row, states, row)
    return states


class Result(NamedTuple):
    """Finished deals: points by side, int64 (N, sides), of cards, Zwicks, most cards; cards captured, (N, sides)."""

    cards: Any
    zwicks: Any
    most: Any
    sizes: Any

    @property
    def points(self) -> Any:
        """Points of the deal by side (penalties for builds apart)."""
        return self.cards + self.zwicks + self.most


def style_of(states: Any) -> int:
    """Style of the form that is played: BOOK, FIXED or WILD."""
    return int(states["rules"]["style"][0])


def side_of_rows(states: Any, seats: Any) -> Any:
    """Side of one seat of each record, int64 (N,)."""
    return sides_of(states)[seats] if len(states) else np.zeros(0, np.int64)


def sides_of(states: Any) -> Any:
    """Side of each seat, int64 (players,)."""
    return np.array([side_of(states[0], seat) for seat in range(int(states["rules"]["players"][0]))])


def points_of(states: Any, cards: Any) -> Any:
    """Points of captured cards, int64 (...,).

    Args:
        states: records, for the form.
        cards: uint64 (..., 2): bit mask for each pack.
    """
    if not len(states):
        return np.zeros(cards.shape[:-1], np.int64)
    worth = CARD_POINTS[style_of(states)].copy()
    worth[FIRST_WILD:] += int(states["rules"]["joker_points"][0]) if style_of(states) == WILD else 0
    found = np.zeros(cards.shape[:-1], np.int64)
    for kind in np.nonzero(worth)[0]:
        found += worth[kind] * ((cards >> np.uint64(kind)) & np.uint64(1)).sum(-1).astype(np.int64)
    return found


def result(states: Any, piles: Any = None) -> Result:
    """Points of finished deals by what they come from (W15, W25).

    Args:
        states: records (N,) at the end.
        piles: uint64 (N, sides, 2), what each side has captured; None: as it was.
    """
    sides, style = int(states["rules"]["sides"][0]), style_of(states)
    piles = states["pile"][:, :sides] if piles is None else piles
    sizes = np.bitwise_count(piles).sum(-1).astype(np.int64)
    best = (sizes == sizes.max(1, keepdims=True)) & (sizes > 0)
    if int(states["rules"]["most_cards_tie"][0]) != TIE_ALL:
        best &= best.sum(1, keepdims=True) == 1
    zwicks = states["zwicks"][:, :sides].astype(np.int64) * ZWICK_POINTS[style]
    return Result(points_of(states, piles), zwicks, best * np.int64(MOST_POINTS[style]), sizes)


def game_share(points: Any, side: Any) -> Any:
    """Part of the game that a side wins, float64 (N,): 1, 0, or equal parts for all with the most points."""
    best = points == points.max(1, keepdims=True)
    return best[np.arange(len(points)), side] / best.sum(1)


def lead(points: Any, side: Any) -> Any:
    """Points of a side less the mean of the others', float64 (N,): what the engine returns."""
    own = points[np.arange(len(points)), side]
    return own - (points.sum(1) - own) / (points.shape[1] - 1)


class Worth(NamedTuple):
    """What having something is worth to the side that has it, by deal; nan where nobody has it, float64 (N,)."""

    lead: Any
    games: Any


def worth_of_cards(states: Any, cards: Any) -> Worth:
    """Captured cards against the same deal with them in another side's pile, each of the others in turn.

    Args:
        states: records (N,) at the end.
        cards: uint64 (N, 2), all of them captured by one side.
    """
    sides = int(states["rules"]["sides"][0])
    piles = states["pile"][:, :sides]
    has = ((piles & cards[:, None]) == cards[:, None]).all(2) & cards.any(1)[:, None]
    owner, held = has.argmax(1), has.any(1)
    now = result(states).points
    without = piles & ~cards[:, None]
    rows = np.arange(len(states))
    points, games = np.zeros(len(states)), np.zeros(len(states))
    for step in range(1, sides):
        moved = without.copy()
        moved[rows, (owner + step) % sides] |= cards
        after = result(states, moved).points
        points += (lead(now, owner) - lead(after, owner)) / (sides - 1)
        games += (game_share(now, owner) - game_share(after, owner)) / (sides - 1)
    return Worth(np.where(held, points, np.nan), np.where(held, games, np.nan))


def worth_of_points(points: Any, owner: Any, amount: int) -> Worth:
    """The same deal without some points of a side, float64 (N,)."""
    less = points.copy()
    less[np.arange(len(points)), owner] -= amount
    return Worth(lead(points, owner) - lead(less, owner), game_share(points, owner) - game_share(less, owner))


def from_groups(values: Any) -> tuple[float, float, float]:
    """Mean and 95 % interval (t) of a number from its values in equal parts of the deals; nan without two of them."""
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return np.nan, np.nan, np.nan
    half = float(stats.t.ppf(0.975, len(values) - 1)) * float(values.std(ddof=1)) / len(values) ** 0.5
    return float(values.mean()), float(values.mean()) - half, float(values.mean()) + half
