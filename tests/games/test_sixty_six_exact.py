"""Exact facts about Schnapsen (20 cards, hands of 5) and Sixty-Six (24 cards, hands of 6).

What can be enumerated is enumerated with the kernels' own helpers and compared as fractions; the rest is
sampled over real deals and held within four standard errors.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from cardsim import rng
from cardsim.bits import U64, bit, has, popcount
from cardsim.contract import resample_hidden
from cardsim.games.sixty_six.basics import card_points, pairs_in, suit_mask
from cardsim.jit import kernel
from tests.games.shuffles import p_of_places
from tests.games.sixty_six_scenes import dealt, make, per_hand, shuffled

FORMS = {"schnapsen": (20, 5), "base": (24, 6)}
FIGURES = {  # engine with closing, without: value, standard error of that engine's 20,000 hands
    "forehand_wins": (0.472, 0.592, 0.0035),
    "game_points": (2.365, 1.804, 0.018),
    "marriages": (0.446, 0.557, 0.005),
    "closes": (0.578, 0.0, 0.0035),
}


class Tallies(NamedTuple):
    """Counts over all hands of a pack, or over all hands with all turned cards."""

    pairs: Any  # hands with 0..3 marriages
    points: Any  # hands with 0..79 card points
    trumps: Any  # (hand, turned card) with 0..6 trumps
    marks: Any  # (hand, turned card) with the trump marriage; with the lowest trump


@kernel
def count_hands(cards: Any, size: int, pairs: Any, points: Any, trumps: Any, marks: Any) -> None:
    """Walk through all hands of `size` cards of a pack in lexicographic order."""
    count = cards.shape[0]
    lowest = np.int64(cards[0]) & 7
    index = np.arange(size)
    while True:
        hand = U64(0)
        total = 0
        for k in range(size):
            hand |= bit(cards[index[k]])
            total += card_points(int(cards[index[k]]))
        married = pairs_in(hand)
        pairs[popcount(married)] += 1
        points[total] += 1
        for i in range(count):
            if not has(hand, cards[i]):
                suit = int(cards[i]) >> 3
                trumps[popcount(hand & suit_mask(suit))] += 1
                marks[0] += has(married, 8 * suit)
                marks[1] += has(hand, 8 * suit + lowest)
        k = size - 1
        while k >= 0 and index[k] == count - size + k:
            k -= 1
        if k < 0:
            return
        index[k] += 1
        for j in range(k + 1, size):
            index[j] = index[j - 1] + 1


@kernel
def place_shuffled(streams: Any, seed: Any, rounds: int, size: int, places: Any) -> None:
    """Count card by position over shuffles of `size` cards that all begin in order."""
    cards = np.zeros(size, np.uint8)
    rng.seed_stream(streams[0], seed, np.uint64(0), rng.USER)
    for _ in range(rounds):
        for k in range(size):
            cards[k] = k
        rng.shuffle(streams[0], cards, size)
        for k in range(size):
            places[cards[k], k] += 1


@kernel
def count_opponents(states: Any, copies: Any, streams: Any, rounds: int, places: Any) -> None:
    """Count over sampled worlds, as seat 0 sees the first lead, which cards the opponent holds."""
    for _ in range(rounds):
        copies[0] = states[0]
        resample_hidden(copies[0], 0, streams[0])
        for card in range(32):
            places[card] += has(copies[0]["hand"][1], card)


@cache
def tallies(preset: str) -> Tallies:
    """All hands of a form."""
    game = make(f"preset={preset}")
    counts = [np.zeros(size, np.int64) for size in (5, 80, 7, 2)]
    count_hands(np.array(game.deck(), np.int64), FORMS[preset][1], *counts)
    assert counts[0].sum() == math.comb(*FORMS[preset])
    return Tallies(*counts)


def share(counts: Any, which: slice | int) -> Fraction:
    """Part of a table of counts, exactly."""
    return Fraction(int(np.sum(counts[which])), int(np.sum(counts)))


@pytest.mark.parametrize(
    ("preset", "one", "more", "trump", "lowest"),
    [
        ("schnapsen", Fraction(66, 323), Fraction(2, 323), Fraction(2, 57), Fraction(4, 19)),
        ("base", Fraction(7031, 33649), Fraction(283, 33649), Fraction(10, 253), Fraction(5, 23)),
    ],
)
def test_marriages_dealt(preset: str, one: Fraction, more: Fraction, trump: Fraction, lowest: Fraction) -> None:
    found = tallies(preset)
    assert share(found.pairs, slice(1, None)) == one
    assert share(found.pairs, slice(2, None)) == more
    cases = int(found.trumps.sum())
    assert (Fraction(int(found.marks[0]), cases), Fraction(int(found.marks[1]), cases)) == (trump, lowest)


def test_trumps_dealt() -> None:
    schnapsen, base = tallies("schnapsen").trumps, tallies("base").trumps
    exact = [
        Fraction(1001, 3876),
        Fraction(455, 969),
        Fraction(455, 1938),
        Fraction(35, 969),
        Fraction(5, 3876),
    ]
    assert [share(schnapsen, k) for k in range(5)] == exact and sum(exact) == 1
    rounded = [0.183898, 0.424381, 0.303129, 0.080834, 0.007578, 0.000178]
    assert [round(float(share(base, k)), 6) for k in range(6)] == rounded
    for counts, mean in ((schnapsen, Fraction(20, 19)), (base, Fraction(30, 23))):
        assert sum(k * share(counts, k) for k in range(7)) == mean


@pytest.mark.parametrize(
    ("preset", "deviation", "low", "high"), [("schnapsen", 7.4339, 11, 54), ("base", 8.8465, 4, 64)]
)
def test_card_points_of_a_hand(preset: str, deviation: float, low: int, high: int) -> None:
    counts = tallies(preset).points
    values = np.flatnonzero(counts)
    mean = sum(int(k) * share(counts, int(k)) for k in values)
    variance = sum((int(k) - mean) ** 2 * share(counts, int(k)) for k in values)
    assert (mean, values.min(), values.max()) == (30, low, high)
    assert round(math.sqrt(variance), 4) == deviation


@pytest.mark.parametrize(("preset", "worthless"), [("schnapsen", Fraction(0)), ("base", Fraction(1, 46))])
def test_two_cards_worth_nothing(preset: str, worthless: Fraction) -> None:
    points = [int(card_points(card)) for card in make(f"preset={preset}").deck()]
    nothing = points.count(0)
    assert Fraction(math.comb(nothing, 2), math.comb(len(points), 2)) == worthless
    assert sum(points) == 120


@pytest.mark.parametrize(("preset", "deals"), [("schnapsen", 168_951_528_345_600), ("base", 1_196_852_626_800_230_400)])
def test_number_of_distinct_deals(preset: str, deals: int) -> None:
    """Two packs give the same deal just if they differ in the order inside a hand."""
    size, hand = FORMS[preset]
    pack = [make("").pack.text(card) for card in make(f"preset={preset}").deck()]
    first = dealt(f"preset={preset}", " ".join(pack)).states.tobytes()
    group = list(range(size))
    for i in range(size):
        for j in range(i + 1, size):
            swapped = pack.copy()
            swapped[i], swapped[j] = swapped[j], swapped[i]
            if dealt(f"preset={preset}", " ".join(swapped)).states.tobytes() == first:
                group[j] = group[i]
    sizes = sorted(group.count(k) for k in set(group))
    assert sizes[-2:] == [hand, hand] and set(sizes[:-2]) == {1}
    assert math.factorial(size) // math.prod(map(math.factorial, sizes)) == deals


@pytest.mark.parametrize(("preset", "chance"), [("schnapsen", Fraction(5, 14)), ("base", Fraction(6, 17))])
def test_a_named_unseen_card_is_with_the_opponent(preset: str, chance: Fraction) -> None:
    rounds, table = 20_000, shuffled(f"preset={preset},first_dealer=1", 8)
    streams = rng.new_streams()
    rng.seed_stream(streams[0], U64(8), U64(0), rng.USER)
    places = np.zeros(32, np.int64)
    count_opponents(table.states, table.states.copy(), streams, rounds, places)
    size, hand = FORMS[preset]
    unseen = np.array([card for card in table.game.deck() if places[card]])
    assert len(unseen) == size - hand - 1 and chance == Fraction(hand, size - hand - 1)
    error = math.sqrt(float(chance * (1 - chance)) / rounds)
    assert (abs(places[unseen] / rounds - float(chance)) < 4 * error).all()


@pytest.mark.parametrize("preset", list(FORMS))
def test_deals_put_every_card_everywhere(preset: str) -> None:
    assert 1e-4 < p_of_places(make(f"preset={preset}"), 100_000, FORMS[preset][1]) < 1 - 1e-4


def test_shuffles_put_every_card_everywhere() -> None:
    size, rounds = 24, 200_000
    places = np.zeros((size, size), np.int64)
    place_shuffled(rng.new_streams(), U64(66), rounds, size, places)
    statistic = ((places - rounds / size) ** 2 / (rounds / size)).sum() * (size - 1) / size
    assert 1e-4 < stats.chi2.sf(statistic, (size - 1) ** 2) < 1 - 1e-4


@pytest.mark.parametrize("closing", [True, False])
def test_random_schnapsen_plays_like_the_public_engine(closing: bool) -> None:
    """Announcing by leading and going out automatically, as that engine does; 20,000 hands there."""
    hands = 200_000
    rules = f"preset=schnapsen,announce=forced,claims=auto,closing={str(closing).lower()}"
    means = per_hand(rules, "random", hands)
    assert means["decided"] == 1, "Schnapsen knows no draw"
    for column, (with_closing, without, error) in FIGURES.items():
        value = with_closing if closing else without
        combined = error * math.sqrt(1 + 20_000 / hands)
        assert abs(means[column] - value) <= 4 * combined + 0.0005, column  # figures rounded to .001
    assert closing or means["closes"] == 0
