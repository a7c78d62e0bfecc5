"""Play a plan: split it into chunks, keep the workers busy, merge in order, save, stop."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Self

import numpy as np

from cardsim.game import Game
from cardsim.options import quoted
from cardsim.registry import agent_family
from cardsim.simulate.cluster import DaskExecutor
from cardsim.simulate.plan import MAX_HANDS, AgentLike, Plan, check_count, make_plan
from cardsim.simulate.results import Results
from cardsim.simulate.store import Store
from cardsim.simulate.work import AgentFault, Chunk, Tally, Task, play_chunk
from cardsim.stats import until_interval
from cardsim.user_agents import FAILED, address_of

Progress = Callable[[int, int | None], object]

FIRST_CHUNK = 500
"""Hands of the first chunks; later ones follow the speed: a match may take 100 times as long as a deal."""
CHUNK_SECONDS = 0.2
ROWS_CHUNK = 20_000
ROWS_KEPT = 500_000
"""Rows per hand kept in memory at most before they are saved."""
QUEUED_PER_WORKER = 2
POLL_SECONDS = 0.5
SAVE_SECONDS = 3.0


def simulate(
    game: str | Game,
    agents: str | Sequence[AgentLike],
    hands: int | None = None,
    *,
    seed: int = 0,
    duplicate: bool = False,
    until: float | None = None,
    threads: int | None = None,
    executor: Any = None,
    chunk: int | None = None,
    out: str | os.PathLike[str] | None = None,
    per_hand: bool = False,
    progress: Progress | None = None,
    max_hands: int = MAX_HANDS,
    confidence: float = 0.95,
) -> Results:
    """Play hands (episodes: single deals, or whole matches) between agents, and sum them up.

    The numbers depend on game, agents, hands, seed, duplicate, until and confidence alone: not on threads,
    executor, chunk, nor on whether the run was stopped and resumed. Seats rotate with the deal number. Ctrl-C
    ends the run and returns what is done, with `interrupted` set.

    Args:
        game: name with options, such as `sixty_six(preset=schnapsen)`, or a Game.
        agents: one for every seat, one per seat, or a pattern that is repeated (A,B in a game of four seats).
            Each is a name (`book(trump_ten=false)`), an Agent, a compiled function act(agent, state, legal,
            stream) -> action, or (name, function); functions play in this process only. Text is split at its
            commas.
        hands: number of hands; with `duplicate` rounded up to whole deals; with `until` the most to play.
        seed: 0 .. 2**64-1.
        duplicate: play every deal number in every different seating, so that the luck of the cards cancels.
        until: stop when the interval of the first agent has this half width at most (stats.until_interval).
        threads: threads of this process; default: its CPUs.
        executor: any concurrent.futures.Executor instead, or a Dask client; it is not shut down.
        chunk: deal numbers per task; default: what takes a fifth of a second.
        out: folder to save the run in every few seconds; `resume` goes on from there.
        per_hand: keep a row per hand, in memory or, with `out`, as Parquet files.
        progress: called as progress(hands_done, hands_in_all or None) in the main thread.
        max_hands: with `until` and without `hands`, the most to be played.
        confidence: of all intervals.

    Raises:
        ValueError: a wrong argument, an `out` not writable or in use, an agent's illegal action.
        RuntimeError: the executor's workers were lost, or the run cannot be saved any more (disk full).

    >>> simulate("sixty_six", ["book", "random"], 1000, seed=1).hands
    1000
    """
    plan = make_plan(
        game,
        agents,
        hands,
        seed=seed,
        duplicate=duplicate,
        until=until,
        max_hands=max_hands,
        confidence=confidence,
        per_hand=per_hand,
    )
    _check_progress(progress)
    workers = _Workers(plan, threads, executor, chunk)
    store = None if out is None else Store.create(out, plan)
    with workers:
        return _Run(plan, Tally.empty(plan), 0.0, store, workers, progress).play()


def resume(
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    executor: Any = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> Results:
    """Go on with a saved run, to the same numbers as if it had never stopped; a finished one is only read.

    Args:
        folder: the `out` of `simulate`.
        threads, executor, chunk, progress: as in `simulate`; they may differ from those of the run so far.

    Raises:
        ValueError: no run is saved there, a file of it is damaged, or it was saved by another version.
    """
    _check_progress(progress)
    store, plan, tally, seconds = Store.load(folder)
    with _Workers(plan, threads, executor, chunk) as workers:
        return _Run(plan, tally, seconds, store, workers, progress).play()


def _check_progress(progress: Any) -> None:
    if progress is not None and not callable(progress):
        raise ValueError(f"progress {quoted(progress)}: must be a function of hands done and hands in all")


class _Workers:
    """The executor of a run, and the tasks that it is given."""

    def __init__(self, plan: Plan, threads: int | None, executor: Any, chunk: int | None) -> None:
        if threads is not None and executor is not None:
            raise ValueError(f"threads {threads}: give threads or an executor, not both")
        if hasattr(executor, "get_executor"):  # a Dask client; its own submit() gives other futures
            executor = DaskExecutor(executor)
        if executor is not None and not hasattr(executor, "submit"):
            raise ValueError(f"executor {quoted(executor)}: must be a concurrent.futures.Executor")
        local = executor is None or isinstance(executor, ThreadPoolExecutor)
        named = [name for name, function in zip(plan.names, plan.functions, strict=True) if function is not None]
        if named and not local:
            raise ValueError(f"agent {named[0]}: a function plays in threads of this process only; leave executor out")
        self.chunk = None if chunk is None else check_count("chunk", chunk)
        self.count = check_count("threads", threads) if threads is not None else _cpus()
        self.plan = plan
        self.executor = executor
        self.own: ThreadPoolExecutor | None = None
        if executor is not None:
            self.count = int(getattr(executor, "_max_workers", None) or max(4, _cpus()))
        family = agent_family(plan.game.id)
        self.addresses = tuple(
            0 if function is None else address_of(function, family.dtype, plan.game.state_dtype)
            for function in plan.functions
        )

    def __enter__(self) -> Self:
        # Compiled once, here, before threads or processes would all do so.
        play_chunk(self.task(0, 0))
        if self.executor is None:
            self.own = ThreadPoolExecutor(self.count, thread_name_prefix="cardsim")
        return self

    def __exit__(self, *_: object) -> None:
        if self.own is not None:
            self.own.shutdown(wait=True, cancel_futures=True)

    def task(self, first: int, count: int) -> Task:
        plan = self.plan
        return Task(
            plan.game,
            plan.names,
            plan.labels,
            plan.records,
            self.addresses,
            plan.seed,
            first,
            count,
            plan.seatings,
            plan.per_hand,
        )

    def submit(self, first: int, count: int) -> Future[Chunk]:
        pool: Executor = self.executor if self.own is None else self.own
        return pool.submit(play_chunk, self.task(first, count))


class _Run:
    """A plan in progress. Chunks are merged in order: what is saved is a prefix of the deal numbers."""

    def __init__(
        self,
        plan: Plan,
        tally: Tally,
        seconds: float,
        store: Store | None,
        workers: _Workers,
        progress: Progress | None,
    ) -> None:
        self.plan = plan
        self.tally = tally
        self.store = store
        self.workers = workers
        self.progress = progress
        self.rows: list[Chunk] = []
        self.queue: deque[tuple[int, Future[Chunk]]] = deque()
        self.looks = plan.looks()
        self.most = plan.largest_chunk
        if plan.per_hand:
            self.most = max(1, min(self.most, ROWS_CHUNK // plan.seatings))
        self.size = min(self.most, self.workers.chunk or max(1, FIRST_CHUNK // plan.seatings))
        self.seconds_before = seconds
        self.began = self.saved = time.monotonic()
        self.ended: float | None = None

    @property
    def seconds(self) -> float:
        return self.seconds_before + (self.ended or time.monotonic()) - self.began

    def play(self) -> Results:
        """Play to the end, or until Ctrl-C."""
        interrupted = False
        try:
            self._loop()
        except KeyboardInterrupt:
            self._cancel()
            self._merge_done()
            interrupted = not self._finished()
        except (BrokenExecutor, CancelledError) as error:
            self._cancel()
            where = "" if self.store is None else f"; it is saved, go on with resume({str(self.store.folder)!r})"
            done = self.tally.units * self.plan.seatings
            raise RuntimeError(f"workers were lost after {done} hands ({type(error).__name__}){where}") from error
        except BaseException:
            self._cancel()
            raise
        finally:
            self.ended = time.monotonic()
            self._save()
        results = Results(
            self.plan,
            self.tally,
            seconds=self.seconds,
            workers=self.workers.count,
            interrupted=interrupted,
            folder=None if self.store is None else self.store.folder,
            rows=self._rows(),
        )
        if self.store is not None and not interrupted:
            self.store.finish(results)
        return results

    def _loop(self) -> None:
        if self._finished():
            return
        ranges = self._ranges()
        while True:
            while len(self.queue) < QUEUED_PER_WORKER * self.workers.count:
                try:
                    first, count = next(ranges)
                except StopIteration:
                    break
                self.queue.append((first, self.workers.submit(first, count)))
            # With a timeout, since Windows notices Ctrl-C only between waits.
            if wait([self.queue[0][1]], POLL_SECONDS).done:
                self._merge(self.queue[0][1])
                self.queue.popleft()
                self._report()
                if self._finished():
                    self._cancel()
                    return
            self._save_at_times()

    def _ranges(self) -> Iterator[tuple[int, int]]:
        """Ranges of deal numbers, cut at every look."""
        first = self.tally.units
        for look in self.looks:
            while first < look:
                count = min(self.size, look - first)
                yield first, count
                first += count

    def _merge(self, future: Future[Chunk]) -> None:
        try:
            chunk = future.result()
        except AgentFault as fault:
            self._explain(fault)
            raise
        # Rows first: those beyond the tally are left out, should Ctrl-C come in between.
        if self.plan.per_hand:
            self.rows.append(chunk)
        self.tally = self.tally.merged(chunk)
        if self.workers.chunk is None and chunk.seconds > 0:
            fitting = chunk.count * CHUNK_SECONDS / chunk.seconds
            # Grown step by step: the first chunks are too short to be measured well.
            self.size = max(1, min(int(fitting), 4 * self.size, self.most))

    def _merge_done(self) -> None:
        """After Ctrl-C: count what is ready and follows on."""
        self.rows = [chunk for chunk in self.rows if chunk.first < self.tally.units]
        for first, future in self.queue:
            ready = future.done() and not future.cancelled() and future.exception() is None
            if ready and first == self.tally.units and not self._finished():
                self._merge(future)

    def _rows(self) -> list[tuple[Any, Any]]:
        return [(chunk.table, chunk.values) for chunk in self.rows if chunk.first < self.tally.units]

    def _explain(self, fault: AgentFault) -> None:
        """Where a user's function raised, raise its own error: compiled code can only tell that it did."""
        function: Any = self.plan.functions[fault.entry]
        if fault.action != FAILED or function is None:
            return
        dtype = agent_family(self.plan.game.id).dtype
        legal = np.uint64(self.plan.game.legal_mask(fault.state))
        plain = getattr(function, "py_func", function)
        try:
            plain(np.zeros(1, dtype)[0], fault.state[0], legal, fault.stream[0])
        except Exception as error:
            name = self.plan.names[fault.entry]
            raise ValueError(f"agent {name} raised {type(error).__name__}: {error}") from error

    def _finished(self) -> bool:
        units = self.tally.units
        if units >= self.plan.units:
            return True
        if self.plan.until is None or units not in self.looks:
            return False
        moments = self.tally.label_moments(self.plan, 0)
        look = self.looks.index(units) + 1
        found = until_interval(moments, look, self.plan.confidence, self.plan.game.returns_bounds)
        return found.half_width <= self.plan.until

    def _report(self) -> None:
        if self.progress is not None:
            total = None if self.plan.until is not None else self.plan.hands
            self.progress(self.tally.units * self.plan.seatings, total)

    def _cancel(self) -> None:
        for _, future in self.queue:
            future.cancel()

    def _save_at_times(self) -> None:
        kept = sum(len(chunk.table) for chunk in self.rows) if self.store is not None else 0
        if time.monotonic() - self.saved >= SAVE_SECONDS or kept >= ROWS_KEPT:
            self._save()

    def _save(self) -> None:
        if self.store is not None:
            try:
                self.store.save(self.tally, self.seconds, self._rows())
            except OSError as error:
                kept = self.store.units * self.plan.seatings
                reason = error.strerror or str(error)
                where = self.store.folder
                raise RuntimeError(f"{where}: cannot be saved ({reason}); its first {kept} hands are") from error
            self.rows.clear()
        self.saved = time.monotonic()


def _cpus() -> int:
    count = getattr(os, "process_cpu_count", None)
    if count is not None:
        return count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
