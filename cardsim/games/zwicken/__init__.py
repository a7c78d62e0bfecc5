"""Zwicken: Austrian-Bavarian gambling game of three tricks, 2-5 players."""
