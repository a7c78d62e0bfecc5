"""Sums over blocks of deals: on threads, saved as they grow, the same numbers on any number of threads.

A question's numbers are means over many cells (hand classes, seats, forms). A block of deals gives exact integer sums
for every cell; blocks are added in the order of their numbers, so a stopped run goes on to the same bits.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import cardsim
from cardsim.playout import SCALE
from cardsim.stats import Moments, asymptotic_sequence, look_sizes
from experiments.lab.options import Options

Sums = dict[str, Any]
"""Name of a number -> int64 (cells, 3): count, sum and sum of squares of its samples times SCALE."""
BLOCK = 2_000
SAVE_EVERY = 16
FORMAT = 1


def moments(values: Any, cell: Any = None, cells: int = 1) -> Any:
    """Sums of samples by cell.

    Args:
        values: floats, multiples of 1 / SCALE, (N,); nan: no sample.
        cell: integers (N,), 0 .. cells-1, or -1: no cell; None: all in cell 0.
        cells: number of cells.

    Returns:
        int64 (cells, 3): count, sum, sum of squares, of the samples times SCALE.

    Raises:
        ValueError: sums too large to be exact.
    """
    samples = np.asarray(values, np.float64).ravel()
    where = np.zeros(samples.size, np.int64) if cell is None else np.asarray(cell, np.int64).ravel()
    keep = ~np.isnan(samples) & (where >= 0)
    scaled, where = np.rint(samples[keep] * SCALE), where[keep]
    if scaled.size and float(np.abs(scaled).max()) ** 2 * scaled.size >= 2.0**53:
        raise ValueError(f"a block of {scaled.size} samples up to {np.abs(samples[keep]).max():g}: use smaller blocks")
    parts = [np.bincount(where, weights, cells) for weights in (np.ones_like(scaled), scaled, scaled**2)]
    return np.stack(parts, 1).astype(np.int64)


def measure(
    options: Options,
    name: str,
    work: Callable[[int, int], Sums],
    deals: int,
    *,
    main: tuple[str, int] | None = None,
    block: int = BLOCK,
) -> dict[str, list[Moments]]:
    """Add up blocks of deals, on threads, and keep what is done in `options.out`.

    Args:
        options: of the question.
        name: file name of these sums, one of its own for every call with other settings.
        work: sums of the deals first, first + 1, ..., first + count - 1; called as work(first, count), from any
            thread. Equal arguments must give equal sums.
        deals: number of deals.
        main: number and cell whose interval decides when `options.until` stops the run.
        block: deals at a time.

    Returns:
        For each number its moments by cell.

    Raises:
        ValueError: the folder holds sums of other options or of another version.
    """
    path = options.folder / "sums" / f"{name}.npz"
    plan = {"name": name, "options": options.shown(), "deals": deals, "block": block, "version": cardsim.__version__}
    done, total = _load(path, plan)
    sizes = [min(block, deals - first) for first in range(0, deals, block)]
    looks = set(islice(look_sizes(max(2, len(sizes) // 64)), 64))
    with ThreadPoolExecutor(options.threads) as pool:
        for part in _in_order(pool, work, sizes, done * block, done, 2 * options.threads):
            total = {key: value + total.get(key, 0) for key, value in part.items()}
            done += 1
            sure = options.until > 0 and main is not None and done in looks and _narrow(total, main, options)
            if done % SAVE_EVERY == 0 or done == len(sizes) or sure:
                _save(path, plan, len(sizes) if sure else done, total)
            if sure:
                break
    return {key: [_moments(row) for row in rows] for key, rows in total.items()}


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[int, int], Sums], sizes: list[int], first: int, done: int, ahead: int
) -> Iterator[Sums]:
    waiting: list[Future[Sums]] = []
    left = iter(sizes[done:])
    try:
        while True:
            for size in islice(left, ahead - len(waiting)):
                waiting.append(pool.submit(work, first, size))
                first += size
            if not waiting:
                return
            yield waiting.pop(0).result()
    finally:
        for future in waiting:
            future.cancel()


def _moments(row: Any) -> Moments:
    count, total, squares = (int(number) for number in row)
    return Moments.from_sums(count, total, squares, SCALE)


def _narrow(total: Sums, main: tuple[str, int], options: Options) -> bool:
    return asymptotic_sequence(_moments(total[main[0]][main[1]])).half_width <= options.until


def _save(path: Path, plan: dict[str, Any], done: int, total: Sums) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    arrays = {f"sum {key}": value for key, value in total.items()}
    with temporary.open("wb") as file:
        np.savez(file, plan=np.array(json.dumps(plan)), done=np.int64(done), check=_check(total), **arrays)
    os.replace(temporary, path)


def _load(path: Path, plan: dict[str, Any]) -> tuple[int, Sums]:
    """Blocks done and their sums; (0, {}) where nothing is saved."""
    if not path.exists():
        return 0, {}
    try:
        # Opened here, since NumPy leaves the file of a damaged archive open.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as saved:
            found, done = json.loads(str(saved["plan"])), int(saved["done"])
            total = {key.removeprefix("sum "): saved[key] for key in saved.files if key.startswith("sum ")}
            intact = str(saved["check"]) == str(_check(total))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: is damaged ({type(error).__name__}); delete it to start anew") from None
    if not intact:
        raise ValueError(f"{path}: is damaged; delete it to start anew")
    for key, value in plan.items():
        if found.get(key) != value:
            raise ValueError(f"{key} {value!r}: {path} was made with {found.get(key)!r}; name another folder by --out")
    return done, total


def _check(total: Sums) -> Any:
    digest = hashlib.sha256()
    for key in sorted(total):
        digest.update(key.encode() + total[key].tobytes())
    return np.array(digest.hexdigest())
