"""Questions about Zwicken, one a file, in the order of the text's tips."""

QUESTIONS = ("weak_hands", "lone_ace", "swapping", "belli", "belli_trap", "cut", "players")
