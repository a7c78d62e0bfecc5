"""Agents for the games of `cardsim`: compiled families, and their use on observations."""
