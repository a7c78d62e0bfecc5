"""Speed and memory, measured against yardsticks in one run: `make bench`; see `benchmarks/run.py --help`.

A shared machine slows everything down from one second to the next. What is compared therefore takes turns in
one process, in CPU time, and the figures to look at are the medians of the rounds' ratios.
"""
