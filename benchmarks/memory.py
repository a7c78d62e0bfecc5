"""Memory of one long run: it must not grow with the number of hands.

The run is a process of its own. It reads its resident memory when a tenth, half and all of the hands are
played, and its peak. Systems other than Linux tell the peak alone; Windows tells nothing, and has no rows.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.games import Subject
from benchmarks.rows import ROOT, Budget, Row, row

MARKS = (0.1, 0.5, 1.0)
AT_MOST = 1.05
MEBI = 2**20


def resident() -> tuple[int, int] | None:
    """Resident memory of this process in bytes, now and at its peak; None where the system does not tell.

    Where only the peak is known, it stands for both.
    """
    try:
        # Not ru_maxrss: on Linux that begins with the memory of the process that started this one.
        lines = Path("/proc/self/status").read_text().splitlines()
        sizes = {key: 1024 * int(line.split()[1]) for line in lines if (key := line[:6]) in ("VmRSS:", "VmHWM:")}
        return sizes["VmRSS:"], sizes["VmHWM:"]
    except (OSError, KeyError):
        pass
    try:
        import resource
    except ImportError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    used = used if sys.platform == "darwin" else 1024 * used
    return used, used


def long_run(game: str, hands: int) -> dict[str, float]:
    """Play; returns the MiB in use at every mark (key: its share of the hands), `peak` and `seconds`."""
    from cardsim.simulate import simulate

    used: dict[str, float] = {}

    def look(done: int, _total: int | None) -> None:
        now, used["peak"] = (size / MEBI for size in resident() or (0, 0))
        for mark in MARKS:
            if str(mark) not in used and done >= mark * hands:
                used[str(mark)] = now

    results = simulate(game, ["random"], hands, seed=1, progress=look)
    return {**used, "seconds": results.timing["seconds"]}


def measure(subject: Subject, budget: Budget) -> list[Row]:
    """Start the run and report its marks."""
    hands = budget.memory_hands
    if resident() is None:
        return []
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", subject.game, str(hands)],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise RuntimeError(f"the long run failed: {last[0]}")
    found: dict[str, float] = json.loads(done.stdout)
    name = f"memory after {{:.0%}} of {hands:,} hands"
    first, whole = found[str(MARKS[0])], found[str(MARKS[-1])]
    note = f"to the memory after a tenth of them; the run took {found['seconds']:.0f} s"
    return [
        *(row(name.format(mark), found[str(mark)], "MiB") for mark in MARKS[:-1]),
        row(name.format(MARKS[-1]), whole, "MiB", ratio=whole / first, at_most=AT_MOST, note=note),
        row(
            f"peak memory of {hands:,} hands",
            found["peak"],
            "MiB",
            ratio=found["peak"] / first,
            at_most=AT_MOST,
        ),
    ]


if __name__ == "__main__":
    print(json.dumps(long_run(sys.argv[1], int(sys.argv[2]))))
