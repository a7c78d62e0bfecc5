"""Every number of the compiled agents of Zwicken: a switch per tip of its source texts, thresholds, values.

Tips are those of the texts' section on strategy, numbered in their order: 1 fold weak hands, 2 the trump Ace alone,
3 swap aggressively, 4 remember the Belli. Tip 5, to watch the cut, leaves nothing to decide. The defaults come from
playing altered copies of `book` against each other on the same deals.
"""

from __future__ import annotations

from cardsim.families import AgentKind
from cardsim.options import Option, OptionTable

RANDOM, CAUTIOUS, BOOK, PPO = range(4)

PARAMETERS = OptionTable(
    [
        Option("fold_weak", True, "tip 1", "folds weak hands"),
        Option("fold_rule", "estimate", "tip 1", "by its estimate, or as the tip says", ("estimate", "tip")),
        Option("fold_at", 0, "tip 1", "folds below this estimate, in percent of a stake", low=-300, high=300),
        Option("position", True, "Z14", "estimate: counts who has stayed and who is still to speak"),
        Option("stay_percent", 80, "Z14", "percent of the others who stay for a pot of one stake", high=100),
        Option("stay_per_stake", 10, "Z14", "so much more for each further stake in the pot", high=100),
        Option("pot_size", True, "Z22, Z23", "weighs the pot against the bete, not just a stake"),
        Option("pot_back", 75, "Z23", "session: percent of its share of a bete that comes back", high=100),
        Option("lone_ace", False, "tip 2", "folds the trump Ace without another high trump, where it may (ZQ25)"),
        Option("swapping", True, "tip 3", "swaps cards"),
        Option("swap_all", False, "tip 3", "lays away as many as it may, whatever they are worth"),
        Option("swap_below", 95, "tip 3", "lays away what is worth less, in percent of an average card", high=500),
        Option("drawn", 34, "tip 3", "percent of a trick that a card yet to be drawn is worth heads-up", high=500),
        Option("others_draw", 200, "tip 3", "cards that others are taken to draw, in hundredths", high=400),
        Option("remember_belli", True, "tip 4", "knows the Belli, the cards gone, what others lack"),
        Option("break_duties", True, "Z24, Z25", "fails a duty where that is worth the bete"),
        Option("low_trump", 30, "Z20", "percent of beaten trumps that take a trick all the same", high=100),
        Option("plain_percent", 65, "Z19", "percent of plain cards kept that come to lead", high=100),
        Option("later_percent", 35, "Z21", "per opponent: percent of what the cards kept are worth", high=200),
        Option("sampled", False, "", "`ppo`: draws an action with its network's chances, instead of the best"),
    ]
)  # fmt: skip

KINDS = {
    "random": AgentKind(RANDOM, {}, "uniform over the legal actions"),
    "cautious": AgentKind(CAUTIOUS, {}, "uniform, but folds by the plain tip and fails no duty"),
    "book": AgentKind(BOOK, {}, "plays by the tips of the source texts"),
    "never_fold": AgentKind(BOOK, {"fold_weak": False}, "plays as book, but never passes"),
    "always_swap_three": AgentKind(BOOK, {"swap_all": True}, "plays as book, but swaps all that it may"),
    "ppo": AgentKind(PPO, {}, "a network that has learned what actions are worth", learned=True),
}
