"""Questions about Sixty-Six, one a file, in the order of the text's tips."""

QUESTIONS = ("memory", "closing", "trump_ten", "exchange", "marriages", "defence", "first_lead", "trumps_dealt")
"""The order of the report."""
