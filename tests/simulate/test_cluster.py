"""On a Dask cluster of two worker processes, one of them killed in mid-run: the bytes of a run in threads."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pytest

from cardsim.jit import DISABLED
from cardsim.simulate import dask_executor, simulate

HANDS = 20_000


@pytest.mark.slow
def test_a_scheduler_without_workers_is_named() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(ValueError, match="has no workers"),
    ):
        dask_executor(cluster.scheduler_address, timeout=1)


@pytest.mark.slow
@pytest.mark.skipif(DISABLED, reason="too many hands for plain Python")
def test_a_killed_worker_leaves_no_trace() -> None:
    distributed = pytest.importorskip("distributed")
    arguments: dict[str, Any] = {"seed": 7, "duplicate": True}
    wanted = simulate("sixty_six", "book,random", HANDS, **arguments).to_json()
    killed: list[int] = []

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        dask_executor(cluster.scheduler_address) as executor,
    ):

        def kill(done: int, total: int | None) -> None:
            if done >= HANDS // 4 and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        results = simulate("sixty_six", "book,random", HANDS, executor=executor, chunk=200, progress=kill, **arguments)
        assert results.timing["workers"] == 2
        with distributed.Client(cluster, set_as_default=False) as client:
            small = simulate("sixty_six", "book,random", 500, executor=client)
    assert small.agents.equals(simulate("sixty_six", "book,random", 500).agents)
    assert killed
    found = results.to_json()
    del wanted["timing"], found["timing"]
    assert json.dumps(found) == json.dumps(wanted)
