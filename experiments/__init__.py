"""Runnable scripts, one question each; they are not part of the wheel."""
