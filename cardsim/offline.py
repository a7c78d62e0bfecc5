"""Trajectories as Arrow tables and Parquet files, for offline learning; DuckDB, pandas and polars read them.

Columns: `episode` (deal number), `step` (number of the decision in it), `next_step` (`step` of the seat's next
decision, or -1), `seat`, `agent` (its name), `action`, `reward`, `done`, and the lists `observation` and `action_mask`.
The schema's metadata holds the game and the agents as JSON, under `cardsim`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardsim.game import Game
from cardsim.options import clip
from cardsim.simulate.plan import AgentLike, check_count
from cardsim.trajectories import Trajectories, iter_batches

FILE_ROWS = 2**20
PART = "part-{:06d}.parquet"


def to_arrow(played: Trajectories) -> Any:
    """The decisions as a pyarrow table (columns: see the module).

    Raises:
        ValueError: pyarrow is not installed.
    """
    pa = _pyarrow()
    following = np.where(played.next < 0, -1, played.step[played.next])
    names = pa.array(list(played.agents), pa.string())
    columns = {
        "episode": played.episode,
        "step": played.step,
        "next_step": following.astype(np.int32),
        "seat": played.seat,
        "agent": pa.DictionaryArray.from_arrays(pa.array(played.agent), names),
        "action": played.action,
        "reward": played.reward,
        "done": played.done,
        "observation": _lists(pa, played.observation),
        "action_mask": _lists(pa, played.action_mask),
    }
    about = {"game": played.game.name, "agents": list(played.agents), "unit": played.game.returns_unit}
    return pa.table(columns).replace_schema_metadata({"cardsim": json.dumps(about)})


def to_parquet(played: Trajectories, path: str | os.PathLike[str]) -> None:
    """Write decisions to one Parquet file (columns: see the module); it appears at once and whole.

    Raises:
        ValueError: pyarrow is not installed.
    """
    table = to_arrow(played)
    from pyarrow import parquet

    temporary = Path(path).with_suffix(".tmp")
    parquet.write_table(table, temporary, compression="zstd")
    os.replace(temporary, path)


def write_parquet(
    folder: str | os.PathLike[str],
    game: str | Game,
    agents: str | Sequence[AgentLike],
    episodes: int,
    *,
    seed: int = 0,
    first: int = 0,
    rows: int | None = None,
    file_rows: int = FILE_ROWS,
) -> list[Path]:
    """Play episodes into Parquet files, in bounded memory: a batch is a row group.

    Args:
        folder: made if it is not there; must hold no part of an earlier call.
        game, agents, episodes, seed, first, rows: as for `iter_batches`.
        file_rows: a file is closed when it has as many rows or more.

    Returns:
        The files, `part-000000.parquet` and so on; each appears at once and whole.

    Raises:
        ValueError: a wrong argument, a folder that cannot be written or holds parts, pyarrow is not installed.
    """
    _pyarrow()
    from pyarrow import parquet

    most, target = check_count("file_rows", file_rows), Path(folder)
    files: list[Path] = []
    batches = iter_batches(game, agents, episodes, seed=seed, first=first, rows=rows)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"folder {clip(folder)}: cannot be written ({error.strerror or error})") from error
    if any(target.glob(PART.replace("{:06d}", "*"))):
        raise ValueError(f"folder {clip(folder)}: holds parts already; name another one")
    batch = next(batches, None)
    while batch is not None:
        path = target / PART.format(len(files))
        temporary, written = path.with_suffix(".tmp"), 0
        table = to_arrow(batch)
        with parquet.ParquetWriter(temporary, table.schema, compression="zstd") as writer:
            while batch is not None and written < most:
                writer.write_table(to_arrow(batch) if written else table)
                written += len(batch)
                batch = next(batches, None)
        os.replace(temporary, path)
        files.append(path)
    return files


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ValueError("Parquet files need pyarrow: install cardsim[parquet]") from None
    return pyarrow


def _lists(pa: Any, values: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values.shape[1])
