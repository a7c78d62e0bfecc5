"""Checks on the method itself: do its intervals and verdicts keep what they promise?"""

QUESTIONS = ("planted", "nulls")
"""The order of the report."""
