"""Questions about Zwicken, one a file."""

QUESTIONS: tuple[str, ...] = ()
"""The order of the report."""
