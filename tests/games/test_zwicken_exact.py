"""Exact facts about Zwicken: the cut and the chips that it moves, trumps in a hand, the shuffle (F24).

What can be worked out is worked out in fractions from the rules alone; compiled deals are held within four standard
errors of it, or to a chi-square.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cardsim import rng
from cardsim.bits import I64, U64, has, popcount
from cardsim.contract import deal, reset
from cardsim.jit import DISABLED, kernel
from tests.games.shuffles import count_places, p_of_places
from tests.games.zwicken_scenes import dealt, make, trumps_of

STAKE = 3
POT, CUTS, BELLIS = 5, 6, 7
"""Columns of `add_up_deals`, after five for the seats."""
FORMS = (
    "preset=base",
    "preset=styrian",
    "preset=four_card",
    "preset=bavarian",
    "preset=bavarian,wenzel_cards=ober_unter",
)
DEALS = 150_000
RARE = 8 / 3 * 10 * STAKE / DEALS
"""Bernstein's addition to four standard errors: some seats pay in a few of these deals only, ten stakes at most."""
compiled_only = pytest.mark.skipif(DISABLED, reason="needs compiled speed")


@kernel
def add_up_deals(states: Any, streams: Any, seed: Any, deals: int, totals: Any) -> None:
    """Add up over deals the seats' balances, the pot, cuts and cut Bellis, and the squares of all these."""
    state = states[0]
    values = np.zeros(totals.shape[1], np.int64)
    for number in range(deals):
        rng.seed_stream(streams[0], seed, np.uint64(number), rng.CARDS)
        reset(state, streams[0])
        deal(state, streams[0])
        for seat in range(5):
            values[seat] = state["chips"][seat]
        values[5] = state["pot"]
        values[6] = state["cuts"]
        values[7] = state["belli_cuts"]
        for k in range(len(values)):
            totals[0, k] += values[k]
            totals[1, k] += values[k] * values[k]


@kernel
def count_hands(states: Any, streams: Any, seed: Any, deals: int, cells: Any) -> None:
    """Count by trump suit, number of trumps, trump Ace and Belli the hand of one seat of each deal."""
    state = states[0]
    for number in range(deals):
        rng.seed_stream(streams[0], seed, np.uint64(number), rng.CARDS)
        reset(state, streams[0])
        deal(state, streams[0])
        hand = U64(state["hand"][U64(number % I64(state["rules"]["players"]))])
        suit = I64(state["trump"])
        trumps = popcount(hand & U64(state["trumps"]))
        ace = 1 if has(hand, 9 * suit + 8) else 0
        belli = 1 if has(hand, 1) else 0
        cells[suit, trumps, ace, belli] += 1


def means(rules: str, deals: int) -> tuple[Any, Any]:
    """Means of `add_up_deals` and their standard errors."""
    totals = np.zeros((2, 8), np.int64)
    add_up_deals(make(rules).new_states(), rng.new_streams(), U64(2024), deals, totals)
    mean = totals[0] / deals
    return mean, np.sqrt(np.maximum(totals[1] / deals - mean**2, 0) / deals)


def odds(size: int) -> tuple[Fraction, Fraction, Fraction]:
    """Of one cut: the deal goes ahead; an Ace or another 7; the Belli (Z11-Z13)."""
    return Fraction(size - 8, size), Fraction(7, size), Fraction(1, size)


@pytest.mark.parametrize(("preset", "size"), [("base", 32), ("four_card", 32), ("styrian", 36), ("bavarian", 36)])
def test_what_a_single_cut_does(preset: str, size: int) -> None:
    done = Counter[str]()
    game = make(f"preset={preset}")
    for name in map(game.pack.text, game.deck()):
        table = dealt(f"preset={preset}", up="8H" if name != "8H" else "9H", shown=name)
        done["ahead" if table.phase == "announce" else "void" if table.dealer == 3 else "belli"] += 1
    ahead, void, belli = (Fraction(done[word], size) for word in ("ahead", "void", "belli"))
    assert (ahead, void, belli) == odds(size)
    known = {
        32: (Fraction(7, 32), Fraction(1, 32), Fraction(32, 24)),
        36: (Fraction(7, 36), Fraction(1, 36), Fraction(36, 28)),
    }
    assert (void, belli, 1 / ahead) == known[size]


@compiled_only
@pytest.mark.parametrize(("preset", "cuts", "bellis"), [("base", 32, 24), ("styrian", 36, 28)])
@pytest.mark.parametrize("rule", ["redeal", "hop"])
def test_number_of_cuts(preset: str, cuts: int, bellis: int, rule: str) -> None:
    mean, error = means(f"preset={preset},cut_rule={rule}", 400_000)
    assert abs(mean[CUTS] - cuts / bellis) < 4 * error[CUTS]
    assert abs(mean[BELLIS] - 1 / bellis) < 4 * error[BELLIS]
    # A geometric number of cuts: the error itself is known.
    ahead = float(odds(cuts)[0])
    assert error[CUTS] == pytest.approx(math.sqrt((1 - ahead) / ahead**2 / 400_000), rel=0.02)


def expected_chips(size: int, players: int, rule: str, belli: str, ante: str) -> list[Fraction]:
    """Mean change of every seat's balance from before the first ante to the deal, from the dealer clockwise.

    With u[k] for the seat k places left of the present dealer: u = p * now + a * (after an Ace or 7) + b * (after the
    Belli), a linear system that sums the geometric series.
    """
    ahead, void, cut = odds(size)
    stake = Fraction(STAKE)
    rows: list[list[Fraction]] = []
    for k in range(players):
        row = [Fraction(0)] * (players + 1)
        row[k] += 1
        dealer = k == 0
        constant = -stake * ahead * dealer
        if rule == "hop":
            constant -= stake * void * dealer
            row[(k - 1) % players] -= void
        else:
            row[k] -= void
        between, cutter = 0 < k < players - 1, k == players - 1
        paid = {"pay_between": players - 2, "pay_all_others": players - 1}.get(belli, 0)
        gets = {"pay_between": between, "pay_all_others": between or cutter}.get(belli, False)
        constant += cut * stake * (gets - paid * dealer)
        if belli == "pot_jump":
            constant -= cut * stake * (not dealer)
        if ante == "stays":
            constant -= cut * stake * dealer
        row[(k + 1) % players] -= cut
        rows.append([*row[:-1], constant])
    return solve(rows)


def solve(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve a linear system, each row with its right side at the end."""
    size = len(rows)
    for k in range(size):
        pivot = next(i for i in range(k, size) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(size):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


@compiled_only
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("belli", ["pay_between", "pay_all_others", "pot_jump", "none"])
def test_chips_moved_by_the_cut(players: int, belli: str) -> None:
    """Per deal 1/24 Bellis are cut, with a stake of 3; each moves the stake as often as there are payers or payees."""
    paid = {"pay_between": players - 2, "pay_all_others": players - 1, "pot_jump": players - 1, "none": 0}[belli]
    moved = Fraction(STAKE, 24) * paid
    for ante, rule in itertools.product(("stays", "returned"), ("redeal", "hop")):
        exact = expected_chips(32, players, rule, belli, ante)
        pot = STAKE + (moved if belli == "pot_jump" else 0)
        pot += Fraction(STAKE, 24) * (ante == "stays") + Fraction(7 * STAKE, 24) * (rule == "hop")
        assert sum(exact) == -pot, "the same chips, counted by seats and by cuts"
        options = f"players={players},first_dealer=0,cut_rule={rule},belli_cut={belli},belli_cut_ante={ante}"
        mean, error = means(options, DEALS)
        expected = np.array([*map(float, exact), *[0.0] * (5 - players), float(pot)])
        assert (abs(mean[: POT + 1] - expected) <= 4 * error[: POT + 1] + RARE).all(), options


@cache
def law(form: str, cut: bool = True) -> dict[tuple[int, int, bool, bool], Fraction]:
    """Probability of (trump suit, trumps in the hand, trump Ace, Belli) in a dealt hand.

    The card that the cut shows is no Ace and no 7, and no hand gets it; all other cards are dealt uniformly.
    """
    game = make(form)
    pack = [game.pack.text(card) for card in game.deck()]
    size = 4 if "four_card" in form else 3
    bottoms = [name for name in pack if name[0] not in "A7"] if cut else [""]
    found: dict[tuple[int, int, bool, bool], Fraction] = {}
    for bottom in bottoms:
        rest = [name for name in pack if name != bottom]
        each = Fraction(1, len(bottoms) * len(rest) * math.comb(len(rest) - 1, size))
        for up in rest:
            trumps = [name for name in trumps_of(form, up[1]) if name in rest and name != up]
            ace, belli = "A" + up[1] in trumps, "7D" in trumps
            others, plain = len(trumps) - ace - belli, len(rest) - 1 - len(trumps)
            for with_ace, with_belli in itertools.product(*({False, have} for have in (ace, belli))):
                high = with_ace + with_belli
                for k in range(high, size + 1):
                    ways = math.comb(others, k - high) * math.comb(plain, size - k)
                    key = "DHSC".index(up[1]), k, with_ace, with_belli
                    found[key] = found.get(key, Fraction(0)) + ways * each
    return found


def chance(form: str, suit: int, **wanted: Any) -> Fraction:
    """Probability, given the trump suit, of `trumps`, `ace` and `belli` as far as they are named."""
    total = Fraction(0)
    for (trump, k, ace, belli), share in law(form).items():
        values = {"trumps": k, "ace": ace, "belli": belli}
        if trump == suit and all(values[name] == value for name, value in wanted.items()):
            total += 4 * share
    return total


@pytest.mark.parametrize(
    ("form", "suit", "ace", "belli", "both", "trumps"),
    [
        ("preset=base", "D", "27/310", "27/310", "23/4495", "2024/4495 1932/4495 504/4495 7/899"),
        ("preset=base", "HSC", "27/310", "1/10", "27/4495", "7051/17980 8107/17980 519/3596 227/17980"),
        ("preset=styrian", "D", "93/1190", "93/1190", "27/6545", "585/1309 2808/6545 108/935 8/935"),
        ("preset=styrian", "HSC", "93/1190", "3/34", "31/6545", "25691/73304 33615/73304 12645/73304 123/6664"),
        ("preset=four_card", "D", "18/155", "18/155", "46/4495", "1518/4495 2024/4495 828/4495 24/899 1/899"),
        (
            "preset=four_card",
            "HSC",
            "18/155",
            "2/15",
            "54/4495",
            "6787/24273 54637/121365 9163/40455 5029/121365 55/24273",
        ),
        ("preset=bavarian", "D", "93/1190", "93/1190", "27/6545", "20677/66640 339963/733040 29457/146608 3669/146608"),
        ("preset=bavarian", "HSC", "93/1190", "3/34", "31/6545", "5149/19040 61823/133280 30929/133280 897/26656"),
    ],
)
def test_trumps_in_a_hand(form: str, suit: str, ace: str, belli: str, both: str, trumps: str) -> None:
    """Fractions that a walk over every shown card, turned card and hand gives as well."""
    for number in map("DHSC".index, suit):
        assert chance(form, number, ace=True) == Fraction(ace)
        assert chance(form, number, belli=True) == Fraction(belli)
        assert chance(form, number, ace=True, belli=True) == Fraction(both)
        assert [chance(form, number, trumps=k) for k in range(len(trumps.split()))] == [*map(Fraction, trumps.split())]


@compiled_only
@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("form", FORMS)
def test_trumps_of_dealt_hands(form: str, cut: bool) -> None:
    deals, cells = 300_000, np.zeros((4, 5, 2, 2), np.int64)
    rules = form if cut else f"{form},cut_rule=off"
    count_hands(make(rules).new_states(), rng.new_streams(), U64(7), deals, cells)
    exact = np.zeros(cells.shape)
    for key, share in law(form, cut).items():
        exact[*map(int, key)] = float(share) * deals
    assert sum(law(form, cut).values()) == 1 and not cells[exact == 0].any()
    for suit in range(4):
        assert exact[suit].sum() == pytest.approx(deals / 4)
    common = exact >= 5
    seen, expected = [*cells[common], cells[~common].sum()], [*exact[common], exact[~common].sum()]
    if expected[-1] == 0:
        seen, expected = seen[:-1], expected[:-1]
    assert 1e-4 < stats.chisquare(seen, expected).pvalue < 1 - 1e-4


@compiled_only
@pytest.mark.parametrize(("preset", "hand"), [("base", 3), ("styrian", 3), ("four_card", 4)])
def test_f24_every_card_lies_everywhere_equally_often(preset: str, hand: int) -> None:
    """Five players with four swaps each could reach the whole talon; cards that nobody can reach need no order."""
    game = make(f"preset={preset},players=5,max_swaps=4,cut_rule=off")
    assert 1e-4 < p_of_places(game, 100_000, hand) < 1 - 1e-4


@compiled_only
@pytest.mark.parametrize("rules", ["", "players=5", "preset=bavarian,players=2"])
def test_f24_above_the_card_that_the_cut_shows(rules: str) -> None:
    """The last card is any but an Ace or a 7, with equal odds, and the others lie at random above it."""
    game, deals = make(rules), 100_000
    seen = count_places(game, deals, 3)
    ahead = np.array([game.pack.text(card)[0] not in "A7" for card in game.deck()])
    last = ahead / ahead.sum()
    elsewhere = (1 - last) / (len(ahead) - 1)
    up = game.num_players
    columns = {column: elsewhere for column in range(up, up + 1 + 3 * game.num_players)}
    columns[seen.shape[1] - 1] = last
    least = 1e-4 / len(columns)
    for column, share in columns.items():
        possible = share > 0
        assert not seen[~possible, column].any()
        p = stats.chisquare(seen[possible, column], share[possible] * deals).pvalue
        assert least < p < 1 - least, column
