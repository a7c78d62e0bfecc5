"""Millions of hands: chunks of deal numbers on threads, processes or a cluster; progress, folders, results.

The numbers of a run depend on its plan alone. Sums are exact integers and chunks are merged in order of deal
numbers, so chunk sizes, workers, interruptions and machines leave no trace.
"""

from cardsim.simulate.cluster import dask_executor
from cardsim.simulate.plan import MAX_HANDS, Plan, split_agents
from cardsim.simulate.results import Results
from cardsim.simulate.run import resume, simulate

__all__ = ["MAX_HANDS", "Plan", "Results", "dask_executor", "resume", "simulate", "split_agents"]
