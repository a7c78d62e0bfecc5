"""Every number of the compiled agents of Sixty-Six: a switch per tip of its source text, thresholds, values.

Tips are those of the text's section on strategy, numbered in its order: 1 memory, 2 closing, 3 the trump ten,
4 the exchange, 5 marriages, 6 defence against a closer. Values are in card points unless said otherwise; the
defaults come from playing altered copies of `book` against each other on the same deals.
"""

from __future__ import annotations

from cardsim.families import AgentKind
from cardsim.options import Option, OptionTable

RANDOM, CAUTIOUS, BOOK, PPO = range(4)

PARAMETERS = OptionTable(
    [
        Option("memory", True, "tip 1", "remembers the cards played and what the others showed"),
        Option("closing", True, "tip 2", "closes when 66 is in reach"),
        Option("close_at", 66, "tip 2", "closes at this expected total or more, where the goal is 66", high=300),
        Option("close_no_trick", 0, "tip 2", "so much less while he has no trick", low=-100, high=100),
        Option("close_below_33", 0, "tip 2", "so much less while he is below 33", low=-100, high=100),
        Option("close_catch", 70, "tip 2", "percent of the average card caught in a trick", high=200),
        Option("trump_ten", True, "tip 3", "takes trump tens home, spares its own from the ace"),
        Option("ten_priority", 3, "tip 3", "extra points that this is worth", high=50),
        Option("exchange", True, "tip 4", "keeps the swap card, and exchanges"),
        Option("exchange_gain", 2, "tip 4", "least card points of the turned card", high=11),
        Option("hold_plain_marriage", False, "tip 5", "declares a plain marriage late"),
        Option("hold_talon", 6, "tip 5", "holds it back while the talon has more cards", high=32),
        Option("hold_pairs", True, "tip 5", "keeps kings and queens for marriages"),
        Option("defence", True, "tip 6", "against a closer: gives few points and keeps trumps"),
        Option("defence_points", 50, "tip 6", "percent by which points given to him count more", high=500),
        Option("defence_trumps", 3, "tip 6", "extra value of a trump against a closer", high=50),
        Option("draw_trumps", True, "tip 2", "strict play: trumps before plain winners"),
        Option("smear", True, "3.4", "four_hand: gives points to a trick that the partner is winning"),
        Option("goal_bonus", 30, "S15", "value of a trick that reaches 66, for either side", high=200),
        Option("open_lead", -2, "S9, S11", "open talon: value of being on lead next", low=-50, high=50),
        Option("open_trump", 18, "S8", "open talon: value of keeping a trump, besides its rank", high=50),
        Option("open_ace", 9, "S3", "open talon: value of keeping a highest card", high=50),
        Option("open_ten", 7, "S3", "open talon: value of a ten while its ace is out", high=50),
        Option("open_low", 80, "S3", "open talon: percent of its points, other cards", high=500),
        Option("strict_lead", 0, "S13", "strict play: as open_lead", low=-50, high=50),
        Option("strict_trump", 8, "S13", "strict play: as open_trump", high=50),
        Option("strict_ace", 11, "S13", "strict play: as open_ace", high=50),
        Option("strict_ten", 6, "S13", "strict play: as open_ten", high=50),
        Option("strict_low", 30, "S13", "strict play: as open_low", high=500),
        Option("pair_percent", 25, "S11", "percent of a marriage in hand, for being on lead next", high=200),
        Option("pair_value", 10, "S11", "value of a card of a pair, per 20 of its marriage", high=100),
        Option("half_value", 2, "S11", "open talon: the same while the other card is out", high=50),
        Option("close_chance", 5, "SP37", "`cautious`: percent of its chances to close", high=100),
        Option("sampled", False, "", "`ppo`: draws an action with its network's chances, instead of the best"),
    ]
)  # fmt: skip

KINDS = {
    "random": AgentKind(RANDOM, {}, "uniform over the legal actions"),
    "cautious": AgentKind(CAUTIOUS, {}, "uniform, but claims just when it has 66 and closes rarely (SP37)"),
    "book": AgentKind(BOOK, {}, "plays by the tips of the source text"),
    "ppo": AgentKind(PPO, {}, "a network that has learned what actions are worth", learned=True),
}
