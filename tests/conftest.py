"""What all tests share: reproducible Hypothesis runs where a service runs them.

numba's disk cache stays where it is by default, so that all workers and later runs share it. Tests of
the cache itself run in new processes, on copies of the packages.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("local", deadline=None)  # the first example of a kernel compiles it
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
