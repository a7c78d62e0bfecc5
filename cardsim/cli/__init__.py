"""The command `cardsim`. Only this package imports click and rich."""

from cardsim.cli.app import main

__all__ = ["main"]
