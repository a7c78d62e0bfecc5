"""Random hands on one core, against a C program that plays a simpler Sixty-Six (limit66.c).

The gap holds what the C program does without: all rules and options as numbers in the state, the whole state
as one record in memory instead of local variables, and counter-based random numbers (Philox), with a stream
of its own for the cards and for each seat of every hand. The rows "of which", for the hands as long as C's,
time the parts that can be taken out. Hands that end early, as in `base` and `schnapsen`, spread the cost of
their start over fewer decisions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.rows import NANO, Budget, Row, Side, nanoseconds, paired, ratio_of, row, spread, timed
from benchmarks.yardstick import MISSING, yardstick
from cardsim import rng
from cardsim.contract import reset
from cardsim.dealing import deal_hand, seed_episode
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.playout import play_random
from cardsim.registry import make_game

HANDS = 20
"""Hands of one portion."""
SEED = np.uint64(1)
AT_MOST = 2.0
GOAL = 1.3
LIKE = "sixty_six(claims=true_only,close_timing=after_draw,early_marriage=pending)"
RULES = {
    "as long as C's": LIKE,
    "base": "sixty_six",
    "base, claims counted": "sixty_six(claims=auto)",
    "schnapsen": "sixty_six(preset=schnapsen)",
}


@kernel
def seed_hands(streams: Any, players: int, seed: Any, count: int) -> None:
    """Seed the streams of `count` hands."""
    for k in range(count):
        seed_episode(streams, players, seed, np.uint64(k))


@kernel
def deal_hands(states: Any, streams: Any, players: int, seed: Any, count: int) -> None:
    """Seed, shuffle and deal `count` hands."""
    for k in range(count):
        seed_episode(streams, players, seed, np.uint64(k))
        reset(states[0], streams[0])
        deal_hand(states[0], streams[0], seed, np.uint64(k), 0)


def player(game: Game) -> Side:
    """The side that plays random hands; its units are decisions."""
    states, streams = game.new_states(), rng.new_streams(1 + game.num_players)
    totals = np.zeros(2 + game.num_players, np.int64)

    def play(n: int) -> int:
        totals[:] = 0
        play_random(states, streams, SEED, np.uint64(0), n * HANDS, totals)
        return int(totals[1])

    return timed(play)


def decisions_per_hand(game: Game, hands: int) -> float:
    """Mean number of decisions of a random hand."""
    totals = np.zeros(2 + game.num_players, np.int64)
    play_random(game.new_states(), rng.new_streams(2), SEED, np.uint64(0), hands, totals)
    return float(totals[1] / totals[0])


def parts(game: Game) -> dict[str, Side]:
    """What every hand starts with, alone; units are hands."""
    states, streams, players = game.new_states(), rng.new_streams(1 + game.num_players), game.num_players

    def seeded(n: int) -> int:
        seed_hands(streams, players, SEED, n * HANDS)
        return n * HANDS

    def dealt(n: int) -> int:
        deal_hands(states, streams, players, SEED, n * HANDS)
        return n * HANDS

    return {"seeded": timed(seeded), "dealt": timed(dealt)}


def measure(budget: Budget) -> list[Row]:
    """C and every rule set in turn."""
    games = {title: make_game(name) for title, name in RULES.items()}
    sides = {title: player(game) for title, game in games.items()}
    sides |= parts(games["as long as C's"])
    limit = yardstick()
    if limit is not None:
        sides = {"C": limit.side, **sides}
    times = paired(sides, budget)
    rows = []
    if limit is not None:
        note = f"{limit.command}; {limit.decisions:.1f} decisions a hand"
        rows.append(row("C program, random play", nanoseconds(times["C"]), "ns/decision", note=note))
        rows.append(row("C program, hands", NANO / nanoseconds(times["C"]) / limit.decisions, "hands/s"))
    length = {title: decisions_per_hand(game, 200 * budget.rounds) for title, game in games.items()}
    for title in games:
        name = f"random play, {title}"
        each = nanoseconds(times[title])
        if limit is None:
            rows.append(row(name, each, "ns/decision", note=MISSING))
        else:
            note = f"the goal is {GOAL}; {spread(times[title], times['C'])}"
            ratio = ratio_of(times[title], times["C"])
            rows.append(row(name, each, "ns/decision", ratio=ratio, at_most=AT_MOST, note=note))
        note = f"{length[title]:.1f} decisions and {each * length[title]:,.0f} ns a hand"
        hands = None
        if limit is not None:
            hands = limit.decisions / length[title] / ratio_of(times[title], times["C"])
        rows.append(row(f"  {title}, hands", NANO / each / length[title], "hands/s", ratio=hands, note=note))
    per_hand = length["as long as C's"]
    whole = nanoseconds(times["as long as C's"])
    seeding, dealing = nanoseconds(times["seeded"]) / per_hand, nanoseconds(times["dealt"]) / per_hand
    rows.append(
        row(
            "  of which seeding the random streams",
            seeding,
            "ns/decision",
            note="Philox, for cards and seats",
        )
    )
    rows.append(row("  of which shuffling and dealing", dealing - seeding, "ns/decision"))
    note = "all rules, with the state as a record in memory"
    rows.append(row("  of which the play itself", whole - dealing, "ns/decision", note=note))
    return rows
