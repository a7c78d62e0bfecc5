"""Zwicker, or Zwickern: the fishing game from Holstein, with and without jokers."""
