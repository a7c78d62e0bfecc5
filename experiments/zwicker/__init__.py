"""Questions about Zwicker, one a file."""

QUESTIONS: tuple[str, ...] = ()
"""The order of the report."""
