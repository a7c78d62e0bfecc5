"""The C program that shows how fast one core can play: built from limit66.c, loaded into this process."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.rows import Side, timed

SOURCE = Path(__file__).with_name("limit66.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
HANDS = 100
"""Hands of one portion."""
SEED = 66


class Yardstick(NamedTuple):
    """`side` counts decisions; `command` is how it was built; `decisions` are those of a hand."""

    side: Side
    command: str
    decisions: float


@cache
def yardstick() -> Yardstick | None:
    """Build and load it; None without gcc, or where gcc cannot build it."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    # pdep is an instruction of x86 with BMI2; other processors use the loop.
    for macro in (("-DPDEP",), ()):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            library = Path(folder) / "limit66.so"
            arguments = [compiler, *FLAGS, *macro, "-o", str(library), str(SOURCE)]
            if subprocess.run(arguments, check=False, capture_output=True).returncode == 0:
                return _made(_loaded(library), " ".join(("gcc", *FLAGS[:2], *macro)))
    return None


def _made(run: Callable[[int], int], command: str) -> Yardstick:
    return Yardstick(timed(lambda n: run(n * HANDS)), command, run(10_000) / 10_000)


def _loaded(library: Path) -> Callable[[int], int]:
    function = ctypes.CDLL(str(library)).run66
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_long, ctypes.c_uint64, ctypes.c_long * 4]

    def run(hands: int) -> int:
        totals = (ctypes.c_long * 4)()
        function(hands, SEED, totals)
        return int(totals[0])

    return run


MISSING = "no ratio: the C program needs gcc, and there is none here (or it cannot build limit66.c)"
