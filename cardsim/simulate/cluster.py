"""Run on a Dask cluster: `simulate(..., executor=dask_executor("tcp://host:8786"))`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from cardsim.options import clip, quoted


class DaskExecutor(Executor):
    """The workers of a Dask client as an executor; `shutdown` and `with` close the client.

    Tasks of a worker that dies are played again elsewhere.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        # pure=False: chunks are not to be looked up by a hash of their arguments, nor kept.
        self._executor = client.get_executor(pure=False, retries=3)

    @property
    def _max_workers(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call fn(*args, **kwargs)."""
        submitted: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        return submitted

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the tasks and of the cluster, which goes on running."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def dask_executor(address: str, *, timeout: float = 10.0) -> DaskExecutor:
    """An executor that plays chunks on the workers of a Dask scheduler.

    The workers need cardsim of the same version.

    Args:
        address: of the scheduler, such as `tcp://host:8786`.
        timeout: seconds to wait for its answer, and for its first worker.

    Raises:
        ValueError: dask is not installed, nothing answers at the address, or there are no workers.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise ValueError("a Dask cluster needs the extra `cluster`: pip install 'cardsim[cluster]'") from None
    client: Any = None
    try:
        # First, since a Client that cannot be made prints a traceback when it is thrown away.
        get_address_host_port(address)
        client = Client(address, timeout=timeout, set_as_default=False)  # type: ignore[no-untyped-call]
        client.wait_for_workers(1, timeout=timeout)
    except (OSError, ValueError, TypeError) as error:
        if client is not None:
            client.close()
            raise ValueError(f"Dask scheduler {quoted(address)} has no workers") from None
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ValueError(f"Dask scheduler {quoted(address)} does not answer: {clip(reason[0])}") from None
    return DaskExecutor(client)
