"""Two threads against one, through `simulate`.

What the machine can give at this moment is measured in the same rounds: two bare threads, each with a
compiled loop of its own that shares nothing. If they fall short, others use the processors, and the aim is
left open.
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.games import Subject
from benchmarks.rows import Budget, Row, row
from cardsim import rng
from cardsim.playout import play_random
from cardsim.registry import make_game
from cardsim.simulate import simulate

AT_LEAST = 1.8
FREE = 1.9
"""Bare threads that gain this much show that the processors are free."""


def clocked(run: Callable[[int, int], object], hands: int, threads: int) -> tuple[float, float]:
    """Wall and CPU seconds of `run(hands, threads)`."""
    wall, used = time.perf_counter(), time.process_time()
    run(hands, threads)
    return time.perf_counter() - wall, time.process_time() - used


def simulated(game: str, hands: int, threads: int) -> None:
    """Play `hands` in all on some threads, as users do."""
    simulate(game, ["random"], hands, seed=1, threads=threads)


def bare(game_id: str, hands: int, threads: int) -> None:
    """Play `hands` on each of some threads, without any coordination."""
    game = make_game(game_id)

    def play(number: int) -> None:
        totals = np.zeros(2 + game.num_players, np.int64)
        streams = rng.new_streams(1 + game.num_players)
        play_random(game.new_states(), streams, np.uint64(number), np.uint64(0), hands, totals)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, range(threads)))


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """One thread, two threads, one bare thread, two bare threads, in turn."""
    played, alone = functools.partial(simulated, subject.game), functools.partial(bare, subject.game)
    played(1, 1)
    alone(1, 1)
    hands = budget.hands
    while (used := clocked(played, hands, 1)[1]) < budget.thread_seconds / 4:
        hands *= 4
    hands = max(budget.hands, round(hands * budget.thread_seconds / used))
    gains, ceilings, shares, ones, twos = [], [], [], [], []
    for _ in range(max(1, budget.rounds // 3)):
        one, two = clocked(played, hands, 1), clocked(played, hands, 2)
        single, double = clocked(alone, hands // 2, 1), clocked(alone, hands // 2, 2)
        gains.append(one[0] / two[0])
        ceilings.append(2 * single[0] / double[0])
        shares.append(two[1] / two[0])
        ones.append(one)
        twos.append(two)
    ceiling = statistics.median(ceilings)
    busy = "" if ceiling >= FREE else "; the machine is busy, not judged"
    note = f"two threads used {statistics.median(shares):.2f} processors; bare threads gain {ceiling:.2f}{busy}"
    extra = statistics.median(b[1] / a[1] for a, b in zip(ones, twos, strict=True))
    return [
        row("simulate, one thread", hands / statistics.median(a[0] for a in ones), "hands/s (wall)"),
        row(
            "simulate, two threads",
            hands / statistics.median(b[0] for b in twos),
            "hands/s (wall)",
            ratio=statistics.median(gains),
            at_least=AT_LEAST,
            judge=ceiling >= FREE,
            note=note,
        ),
        row("  CPU time of two threads, of one's", extra, "times", note="1 means that nothing is lost"),
    ]
