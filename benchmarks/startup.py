"""From a new process to the first hand, with nothing compiled yet and with everything compiled; CPU seconds.

Every figure is a process of its own, with a cache folder of this run's.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.games import Subject
from benchmarks.rows import ROOT, Budget, Row, row

CHILD = """
import json, sys, time
clock = time.process_time
began = clock()
import numpy, numba
libraries = clock()
import cardsim
from cardsim.simulate import simulate
imported = clock()
assert simulate(sys.argv[1], ["book", "random"], 1, seed=1, threads=1).hands == 1
played = clock()
print(json.dumps({"libraries": libraries - began, "import": imported - libraries, "hand": played - imported}))
"""
FILLED_AT_MOST = 1.5


def start(game: str, cache: str) -> dict[str, float]:
    """Seconds of one process up to its first hand: `libraries`, `import` beyond them, `hand` beyond that."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, game], check=False, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise RuntimeError(f"the first hand of a new process failed: {last[0]}")
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """One start with an empty cache, then some with the cache that it filled."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        empty = start(subject.game, cache)
        filled = [start(subject.game, cache) for _ in range(budget.starts)]
    median = {part: statistics.median(times[part] for times in filled) for part in empty}
    beyond = statistics.median(times["import"] + times["hand"] for times in filled)
    return [
        row("import numpy, numba", median["libraries"], "CPU s"),
        row("import cardsim, beyond numpy and numba", median["import"], "CPU s"),
        row(
            "first hand, book against random, empty cache",
            empty["hand"],
            "CPU s",
            at_most=subject.first_hand,
            note="all that it needs is compiled",
        ),
        row("first hand, book against random, filled cache", median["hand"], "CPU s"),
        row(
            "  with import cardsim, beyond numpy and numba",
            beyond,
            "CPU s",
            at_most=FILLED_AT_MOST,
            note=f"median of {budget.starts} processes",
        ),
    ]
