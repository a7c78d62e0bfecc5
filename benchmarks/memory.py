"""Memory of one long run: it must not grow with the number of hands.

The run is a process of its own. It reads its peak resident memory when a tenth, half and all of the hands are
played.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.rows import ROOT, Budget, Row, row

MARKS = (0.1, 0.5, 1.0)
AT_MOST = 1.05
MEBI = 2**20


def peak() -> int | None:
    """Peak resident memory of this process in bytes; None where the system does not tell."""
    try:
        # Not ru_maxrss: on Linux that begins with the memory of the process that started this one.
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else 1024 * used


def long_run(hands: int) -> dict[str, float]:
    """Play, and return the peak in MiB at every mark (key: its share of the hands) and the `seconds`."""
    from cardsim.simulate import simulate

    peaks: dict[str, float] = {}

    def look(done: int, _total: int | None) -> None:
        for mark in MARKS:
            if str(mark) not in peaks and done >= mark * hands:
                peaks[str(mark)] = (peak() or 0) / MEBI

    results = simulate("sixty_six", ["random"], hands, seed=1, progress=look)
    return {**peaks, "seconds": results.timing["seconds"]}


def measure(budget: Budget) -> list[Row]:
    """Start the run and report its marks."""
    hands = budget.memory_hands
    if peak() is None:
        note = "this system does not tell a process its peak memory"
        return [row("peak memory, not measured", 0.0, "MiB", note=note)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", str(hands)],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise RuntimeError(f"the long run failed: {last[0]}")
    found: dict[str, float] = json.loads(done.stdout)
    rows = [row(f"peak memory after {mark:.0%} of {hands:,} hands", found[str(mark)], "MiB") for mark in MARKS[:-1]]
    last_mark = found[str(MARKS[-1])]
    rows.append(
        row(
            f"peak memory of {hands:,} hands",
            last_mark,
            "MiB",
            ratio=last_mark / found[str(MARKS[0])],
            at_most=AT_MOST,
            note=f"to the peak after a tenth of them; the run took {found['seconds']:.0f} s",
        )
    )
    return rows


if __name__ == "__main__":
    print(json.dumps(long_run(int(sys.argv[1]))))
