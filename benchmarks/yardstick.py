"""The C programs that show how fast one core can play: built from limit*.c, loaded into this process."""

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

FOLDER = Path(__file__).parent
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
HANDS = 100
"""Hands of one portion."""
SEED = 66
TOTALS = 16
"""Most totals that a program counts."""


class Yardstick(NamedTuple):
    """A C program.

    Attributes:
        command: how it was built.
        play: (players, hands, seed) -> its totals; the first are the decisions.
    """

    command: str
    play: Callable[[int, int, int], list[int]]

    def side(self, players: int, unit: str) -> Side:
        """The side that plays hands; its units are decisions or hands."""
        if unit == "hand":
            return timed(lambda n: (self.play(players, n * HANDS, SEED), n * HANDS)[1])
        return timed(lambda n: self.play(players, n * HANDS, SEED)[0])

    def decisions(self, players: int) -> float:
        """Mean number of decisions of a hand."""
        return self.play(players, 10_000, SEED)[0] / 10_000


@cache
def yardstick(program: str) -> Yardstick | None:
    """Build and load it; None without gcc, or where gcc cannot build it."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    # pdep is an instruction of x86 with BMI2; other processors use the loop.
    for macro in (("-DPDEP",), ()):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            library = Path(folder) / "limit.so"
            arguments = [compiler, *FLAGS, *macro, "-o", str(library), str(FOLDER / program)]
            if subprocess.run(arguments, check=False, capture_output=True).returncode == 0:
                return Yardstick(" ".join(("gcc", *FLAGS[:2], *macro)), _loaded(library))
    return None


def _loaded(library: Path) -> Callable[[int, int, int], list[int]]:
    function = ctypes.CDLL(str(library)).play
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_uint64, ctypes.c_long * TOTALS]

    def play(players: int, hands: int, seed: int) -> list[int]:
        totals = (ctypes.c_long * TOTALS)()
        function(players, hands, seed, totals)
        return list(totals)

    return play


MISSING = "no ratio: the C program needs gcc, and there is none here (or it cannot build the program)"
