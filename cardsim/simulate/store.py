"""The folder of a run: plan and progress that survive a kill at any moment, rows per hand, and the results.

Files: `plan.json` (what is to be played), `progress.json` (exact sums so far) with the one before it as
`progress.previous.json`, `hands/part-FIRST-COUNT.parquet` (rows of a range of deal numbers), and at the end
`agents.csv`, `seats.csv`, `pairs.csv`, `columns.csv` and `summary.json`. Every file appears at once and whole
(written beside, then renamed). Rows are written before the progress that counts them; those beyond it are
dropped on resuming.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import cardsim
from cardsim.options import quoted
from cardsim.simulate.plan import Plan
from cardsim.simulate.results import Results, hand_frame
from cardsim.simulate.work import Tally

FORMAT = 1
PLAN, PROGRESS, PREVIOUS, SUMMARY = "plan.json", "progress.json", "progress.previous.json", "summary.json"
TABLES = ("agents", "seats", "pairs", "columns")
HANDS = "hands"
PART = re.compile(r"part-(\d+)-(\d+)\.parquet")
OURS = (PLAN, PROGRESS, PREVIOUS, SUMMARY, HANDS, *(f"{name}.csv" for name in TABLES))


class Store:
    """A run's folder. Made by `create` or `load`."""

    def __init__(self, folder: Path, plan: Plan, units: int) -> None:
        self.folder = folder
        self.plan = plan
        self.units = units

    @classmethod
    def create(cls, out: str | os.PathLike[str], plan: Plan) -> Store:
        """Begin a folder; nothing that is there is overwritten.

        Raises:
            ValueError: it cannot be written, holds a run or files of that name, or the plan cannot be saved.
        """
        folder = _folder("out", out)
        if not plan.reproducible:
            raise ValueError(f"out {out}: a run with agents that their names alone do not make cannot be saved")
        if plan.per_hand:
            _need_parquet()
        taken = [name for name in OURS if os.path.lexists(folder / name)]
        if PLAN in taken:
            raise ValueError(f"out {out}: holds a run already; resume that one, or name another folder")
        if taken:
            raise ValueError(f"out {out}: holds {taken[0]} already; name another folder")
        try:
            (folder / HANDS if plan.per_hand else folder).mkdir(parents=True, exist_ok=True)
            about = {"format": FORMAT, "version": cardsim.__version__, "networks": plan.networks}
            _write_json(folder / PLAN, {**about, "plan": plan.to_json()})
        except OSError as error:
            raise ValueError(f"out {out}: cannot be written ({error.strerror or error})") from error
        return cls(folder, plan, 0)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> tuple[Store, Plan, Tally, float]:
        """Open a run's folder; drop rows that the saved progress does not count.

        Returns:
            The store, the plan, the sums so far, and the seconds they took.

        Raises:
            ValueError: no run is saved there, a file is damaged, or another version saved it.
        """
        path = _folder("folder", folder)
        if not (path / PLAN).is_file():
            raise ValueError(f"folder {folder}: holds no saved run (there is no {PLAN})")
        hint = "put back a copy of it, or start the run again in another folder"
        saved = _read_json(path / PLAN, hint)
        if saved.get("format") != FORMAT:
            raise ValueError(f"{path / PLAN}: format {saved.get('format')!r} is unknown; this version reads {FORMAT}")
        _need_keys(path / PLAN, saved, ("version", "plan"), hint)
        if saved["version"] != (here := cardsim.__version__):
            raise ValueError(
                f"{path / PLAN}: saved by cardsim {saved['version']}, this is {here}; resume it with that one"
            )
        try:
            plan = Plan.from_json(saved["plan"])
        except ValueError as error:
            raise ValueError(f"{path / PLAN}: {error}; {hint}") from None
        for name, then, now in zip(plan.names, saved.get("networks", plan.networks), plan.networks, strict=True):
            if then != now:
                raise ValueError(f"{path / PLAN}: the weights of agent {name} have changed since; put them back")
        tally, seconds = _read_progress(path, plan)
        store = cls(path, plan, tally.units)
        if plan.per_hand:
            _need_parquet()
            store._drop_rows_beyond(tally.units)
        return store, plan, tally, seconds

    def save(self, tally: Tally, seconds: float, rows: Sequence[tuple[Any, Any]] = ()) -> None:
        """Save the sums so far, and the rows since the last save.

        Raises:
            OSError: the disk is full or gone; the folder is as after the last save.
        """
        if tally.units == self.units and (self.folder / PROGRESS).exists():
            return
        if rows:
            self._write_rows(tally.units, rows)
        progress = self.folder / PROGRESS
        temporary = _write_json(progress, self._progress(tally, seconds), rename=False)
        if progress.exists():
            os.replace(progress, self.folder / PREVIOUS)
        os.replace(temporary, progress)
        self.units = tally.units

    def _progress(self, tally: Tally, seconds: float) -> dict[str, Any]:
        return {"plan": _digest(self.plan.to_json()), "seconds": seconds, "tally": tally.to_json()}

    def finish(self, results: Results) -> None:
        """Write the results; nothing in them depends on the clock.

        Raises:
            ValueError: a file of the results is there already and differs.
        """
        for name, frame in zip(
            TABLES, (results.agents, results.seats, results.pairs, results.hands_frame), strict=True
        ):
            self._put(f"{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
        summary = results.to_json()
        del summary["timing"]
        self._put(SUMMARY, json.dumps(summary, indent=1, allow_nan=False) + "\n")

    def _put(self, name: str, text: str) -> None:
        path = self.folder / name
        if not path.exists():
            _write(path, text.encode())
        elif path.read_bytes() != text.encode():
            raise ValueError(f"{path}: was edited or damaged; delete it, and resuming writes it again")

    def _write_rows(self, units: int, rows: Sequence[tuple[Any, Any]]) -> None:
        frame = hand_frame(self.plan, *(np.concatenate(part) for part in zip(*rows, strict=True)))
        path = self.folder / HANDS / f"part-{self.units:015d}-{units - self.units:09d}.parquet"
        temporary = path.with_suffix(".tmp")
        frame.to_parquet(temporary, index=False)
        os.replace(temporary, path)

    def _drop_rows_beyond(self, units: int) -> None:
        (self.folder / HANDS).mkdir(exist_ok=True)
        for left in (self.folder / HANDS).glob("*.tmp"):
            left.unlink()
        expected = 0
        for path, first, count in part_files(self.folder):
            if first >= units:
                path.unlink()
            elif first != expected:
                break
            else:
                expected += count
        if expected != units:
            raise ValueError(
                f"{self.folder / HANDS}: the part from deal {expected} on is missing; put back a copy of it"
            )


def part_files(folder: Path) -> list[tuple[Path, int, int]]:
    """Files of rows with the first deal number and the number of deal numbers, in order."""
    found = [(path, PART.fullmatch(path.name)) for path in (folder / HANDS).iterdir()]
    return sorted(
        ((path, int(match[1]), int(match[2])) for path, match in found if match is not None),
        key=lambda part: part[1],
    )


def _read_progress(folder: Path, plan: Plan) -> tuple[Tally, float]:
    """Sums and seconds of the last save; none where the run was killed before the first."""
    path, previous = folder / PROGRESS, folder / PREVIOUS
    if not path.exists():  # killed between the two renames of a save, or before the first
        path = previous
    if not path.exists():
        return Tally.empty(plan), 0.0
    older = path == folder / PROGRESS and previous.exists()
    hint = f"delete it to go on from {PREVIOUS}" if older else "put back a copy of it, or delete it to begin again"
    saved = _read_json(path, hint)
    _need_keys(path, saved, ("plan", "tally", "seconds"), hint)
    if saved["plan"] != _digest(plan.to_json()):
        raise ValueError(f"{path}: belongs to another run; {hint}")
    _need_keys(path, saved["tally"], vars(Tally.empty(plan)), hint)
    return Tally.from_json(saved["tally"]), float(saved["seconds"])


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _write_json(path: Path, data: dict[str, Any], *, rename: bool = True) -> Path:
    text = json.dumps({**data, "checksum": _digest(data)}, indent=1)
    return _write(path, (text + "\n").encode(), rename=rename)


def _write(path: Path, content: bytes, *, rename: bool = True) -> Path:
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if rename:
        os.replace(temporary, path)
    return temporary


def _read_json(path: Path, hint: str) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        checksum = data.pop("checksum")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(f"{path}: is truncated or damaged; {hint}") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror or error})") from error
    if checksum != _digest(data):
        raise ValueError(f"{path}: was edited or damaged (its checksum does not fit); {hint}")
    return data


def _need_keys(path: Path, data: Any, keys: Iterable[str], hint: str) -> None:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            raise ValueError(f"{path}: the key {key} is missing; {hint}")


def _folder(name: str, given: Any) -> Path:
    text = os.fspath(given) if isinstance(given, str | os.PathLike) else ""
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise ValueError(f"{name} {quoted(given)}: must be the path of a folder")
    return Path(text)


def _need_parquet() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ValueError("rows per hand in a folder need the extra `parquet`: pip install 'cardsim[parquet]'") from None
