"""Agents for the games of `cardsim`: compiled families per game, and the way to use them from an observation."""
