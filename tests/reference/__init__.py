"""Slow referees, written from the rules alone; nothing here imports cardsim."""
