"""Every number of the compiled agents of Zwicker: a switch per judgement of `book`, and what it weighs.

The source text has no section on strategy, so the judgements are its rules turned into advice. The defaults come from
playing altered copies of `book` against each other on the same deals.
"""

from __future__ import annotations

from cardsim.families import AgentKind
from cardsim.options import Option, OptionTable

RANDOM, RANDOM_TURNS, GREEDY, BOOK, PPO = range(5)

PARAMETERS = OptionTable(
    [
        Option("card_value", 2, "W15, W25", "points that a captured card is worth by itself, in hundredths", high=200),
        Option("deny", True, "W10, W11", "weighs what the others can take of the table it leaves"),
        Option("deny_percent", 100, "W10, W11", "percent of that counted against it", high=200),
        Option("sweeps", True, "W11, W22", "sees the Zwicks that a table offers, to the others and to itself"),
        Option("own_next", True, "W21, WQ8", "weighs what its own other cards can take of it next time"),
        Option("own_percent", 60, "W21, WQ8", "percent of that counted, if nobody comes between", high=200),
        Option("survives", 60, "WQ14", "percent of the table that outlasts each opponent's turn", high=100),
        Option("partner", True, "W21", "weighs what its partners can take of that table"),
        Option("partner_percent", 80, "W21", "percent of that counted", high=200),
        Option("counting", True, "WQ30", "remembers the captured cards, and so what is still out"),
        Option("signals", True, "WP13", "heeds what builds and own legal builds told about hands"),
        Option("leaving", True, "WQ6", "may take less than it could, to leave a better table"),
        Option("sampled", False, "", "`ppo`: draws an action with its network's chances, instead of the best"),
    ]
)  # fmt: skip

KINDS = {
    "random": AgentKind(RANDOM, {}, "uniform over the legal actions: each small decision of a turn"),
    "random_turns": AgentKind(RANDOM_TURNS, {}, "uniform over whole turns"),
    "greedy": AgentKind(GREEDY, {}, "most points now, then most cards; else lays the fewest points off"),
    "book": AgentKind(BOOK, {}, "weighs what a turn takes against what it leaves to others, partners and itself"),
    "ppo": AgentKind(PPO, {}, "a network that has learned what actions are worth", learned=True),
}
