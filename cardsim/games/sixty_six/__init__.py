"""Sixty-Six, Schnapsen and their kin; the game object is `game.GAME`."""
