"""Questions about Sixty-Six, one a file."""

QUESTIONS = ("exchange",)
"""The order of the report."""
