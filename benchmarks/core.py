"""Random hands on one core, against a C program that plays the same game or a simpler one (limit*.c).

The gap holds what the C program does without: all rules and options as numbers in the state, the whole state
as one record in memory instead of local variables, and counter-based random numbers (Philox), with a stream
of its own for the cards and for each seat of every hand. The rows "of which" time the parts that can be taken
out. Hands that end early, as in `base` and `schnapsen` of Sixty-Six, spread the cost of their start over fewer
decisions; a session spreads the seeding over all its deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.games import Form, Subject
from benchmarks.rows import NANO, Budget, Row, Side, nanoseconds, paired, ratio_of, row, spread, timed
from benchmarks.yardstick import MISSING, Yardstick, yardstick
from cardsim import rng
from cardsim.contract import outcome, reset
from cardsim.dealing import deal_hand, seed_episode
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.playout import play_random
from cardsim.registry import make_game

HANDS = 20
"""Hands of one portion; a session is a portion of its own."""
SEED = np.uint64(1)
SESSIONS = 40
"""Sessions a round whose counts are compared with those of the C program."""
MOST_ERRORS = 4.5
"""Difference of the counts in standard errors; one run in 4,000 is further off by chance."""


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


@kernel
def count_all(states: Any, hand: Any, seats: Any) -> None:
    """The columns of results of the episode in states[0]."""
    outcome(states[0], hand, seats)


class Played:
    """A form of a game, ready for random play."""

    def __init__(self, subject: Subject, form: Form, budget: Budget) -> None:
        session = {"match": True, "n_deals": budget.deals} if form.session else {}
        self.form = form
        self.game: Game = make_game(subject.game, **form.options, **session)
        self.deals = budget.deals if form.session else 1
        self._states, self._streams = self.game.new_states(), rng.new_streams(2)

    def play(self, first: int, episodes: int) -> int:
        """Play episodes; returns the decisions."""
        totals = np.zeros(2 + self.game.num_players, np.int64)
        play_random(self._states, self._streams, SEED, np.uint64(first), episodes, totals)
        return int(totals[1])

    def side(self, unit: str) -> Side:
        """The side that plays random hands; its units are decisions or hands."""
        episodes = max(1, HANDS // self.deals)

        def run(n: int) -> int:
            decisions = self.play(0, n * episodes)
            return decisions if unit == "decision" else n * episodes * self.deals

        return timed(run)

    def decisions(self, hands: int) -> float:
        """Mean number of decisions of a hand."""
        episodes = max(1, hands // self.deals)
        return self.play(0, episodes) / (episodes * self.deals)

    def counts(self, session: int) -> dict[str, int]:
        """Columns of results of one session, those by seat summed."""
        self.play(session, 1)
        hand = np.zeros(len(self.game.hand_columns), np.int32)
        seats = np.zeros((self.game.num_players, len(self.game.seat_columns)), np.int32)
        count_all(self._states, hand, seats)
        by_seat = dict(zip(self.game.seat_columns, seats.sum(axis=0).tolist(), strict=True))
        return by_seat | dict(zip(self.game.hand_columns, hand.tolist(), strict=True))


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


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """C and every rule set in turn."""
    forms = {form.title: Played(subject, form, budget) for form in subject.forms}
    sides = {title: played.side(subject.unit) for title, played in forms.items()}
    sides |= parts(forms[subject.whole].game)
    limit = yardstick(subject.program)
    tables = {form.table: form.title for form in reversed(subject.forms)} if limit is not None else {}
    if limit is not None:
        sides = {f"C {table}": limit.side(table, subject.unit) for table in tables} | sides
    times = paired(sides, budget)
    rows = []
    if limit is not None:
        for table in sorted(tables):
            title = tables[table] if len(tables) > 1 else ""
            rows += _limit_rows(limit, subject, table, nanoseconds(times[f"C {table}"]), title)
    for played in forms.values():
        rows += _form_rows(subject, played, limit, times, played.decisions(200 * budget.rounds))
    if limit is not None and subject.counted:
        rows += [agreement(subject, p, limit, budget) for p in forms.values() if p.form.same]
    whole = forms[subject.whole]
    share = 1.0 if subject.unit == "hand" else 1 / whole.decisions(200 * budget.rounds)
    return rows + _part_rows(subject, times, share)


def _limit_rows(limit: Yardstick, subject: Subject, table: int, each: float, title: str) -> list[Row]:
    decisions = limit.decisions(table)
    name = f"C program, {title}" if title else "C program"
    note = f"{limit.command}; {decisions:.1f} decisions a hand"
    hands = NANO / each if subject.unit == "hand" else NANO / each / decisions
    return [
        row(f"{name}, random play", each, f"ns/{subject.unit}", note=note),
        row(f"  {name}, hands", hands, "hands/s"),
    ]


def _form_rows(
    subject: Subject, played: Played, limit: Yardstick | None, times: Mapping[str, list[float]], length: float
) -> list[Row]:
    form, unit = played.form, f"ns/{subject.unit}"
    name, used = f"random play, {form.title}", times[form.title]
    each = nanoseconds(used)
    per_hand = each if subject.unit == "hand" else each * length
    faster = None
    if limit is None:
        rows = [row(name, each, unit, note=MISSING)]
    else:
        base = times[f"C {form.table}"]
        ratio = ratio_of(used, base)
        note = f"the goal is {subject.goal}; {spread(used, base)}"
        rows = [row(name, each, unit, ratio=ratio, at_most=subject.at_most if form.aimed else None, note=note)]
        faster = 1 / ratio if subject.unit == "hand" else limit.decisions(form.table) / length / ratio
    note = f"{length:.1f} decisions and {per_hand:,.0f} ns a hand"
    rows.append(row(f"  {form.title}, hands", NANO / per_hand, "hands/s", ratio=faster, note=note))
    return rows


def agreement(subject: Subject, played: Played, limit: Yardstick, budget: Budget) -> Row:
    """How far apart our counts and the C program's are, which plays the same rules, in standard errors of a mean."""
    ours, theirs = [], []
    for session in range(SESSIONS * budget.rounds):
        counts = played.counts(session)
        ours.append([sum(counts[column] for column in columns) for columns in subject.counted])
        theirs.append(limit.play(played.form.table, played.deals, session)[: len(subject.counted)])
    a, b = np.array(ours) / played.deals, np.array(theirs) / played.deals
    error = np.sqrt((a.var(axis=0, ddof=1) + b.var(axis=0, ddof=1)) / len(a))
    distance = np.abs(a.mean(axis=0) - b.mean(axis=0)) / np.where(error > 0, error, 1)
    means = zip(subject.counted, a.mean(axis=0), b.mean(axis=0), strict=True)
    listed = "; ".join(f"{'+'.join(columns)} {x:.4g} and {y:.4g}" for columns, x, y in means)
    name = f"{played.form.title}, counts against the C program's"
    return row(name, float(distance.max()), "std. errors", at_most=MOST_ERRORS, note=f"a hand: {listed}")


def _part_rows(subject: Subject, times: Mapping[str, list[float]], share: float) -> list[Row]:
    """What a hand consists of; `share` makes hands into the game's unit."""
    unit = f"ns/{subject.unit}"
    whole = nanoseconds(times[subject.whole])
    seeding, dealing = nanoseconds(times["seeded"]) * share, nanoseconds(times["dealt"]) * share
    seeded = f"{subject.whole}: Philox, for cards and seats"
    played = "all rules, with the state as a record in memory"
    return [
        row("  of which seeding the random streams", seeding, unit, note=seeded),
        row("  of which shuffling and dealing", dealing - seeding, unit),
        row("  of which the play itself", whole - dealing, unit, note=played),
    ]
