"""Questions about Zwicker, one a file. The source text gives no advice, so they are those that its players ask."""

QUESTIONS = ("cards", "zwick", "partner", "last_capture", "seats", "luck")
"""The order of the report."""
