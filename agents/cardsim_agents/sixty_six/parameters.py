"""Every number of the compiled agents of Sixty-Six: one switch per tip of the source text, thresholds, card values.

Tips are those of the source text's section on strategy, numbered in its order: 1 memory, 2 closing, 3 the trump ten, 4 the
exchange, 5 marriages, 6 defence against a closer. Values are in card points unless said otherwise; their defaults come from
tuning by self-play and against `cautious`.
"""

from __future__ import annotations

from cardsim.families import AgentKind
from cardsim.options import Option, OptionTable

RANDOM, CAUTIOUS, BOOK = range(3)

PARAMETERS = OptionTable(
    [
        Option("memory", True, "tip 1", "remembers the cards played and what the others showed"),
        Option("closing", True, "tip 2", "closes when 66 is in reach"),
        Option("close_at", 66, "tip 2", "closes at this expected total or more", low=0, high=300),
        Option("close_no_trick", 0, "tip 2", "so much less is enough while the opponent has no trick", low=-100, high=100),
        Option("close_below_33", 0, "tip 2", "so much less is enough while he has a trick and below 33", low=-100, high=100),
        Option("close_catch", 3, "tip 2", "expected points of the opponent's card in a trick won", low=0, high=11),
        Option("trump_ten", True, "tip 3", "takes the trump ten home, takes the opponent's, does not lead it into the ace"),
        Option("ten_priority", 8, "tip 3", "extra points that this is worth", low=0, high=50),
        Option("exchange", True, "tip 4", "keeps the lowest trump for the exchange, and exchanges"),
        Option("exchange_gain", 2, "tip 4", "least card points of the turned card", low=0, high=11),
        Option("hold_plain_marriage", False, "tip 5", "declares a plain marriage late, unless nothing beats the pair"),
        Option("hold_talon", 6, "tip 5", "holds it back while the talon has more cards than this", low=0, high=32),
        Option("hold_pairs", True, "tip 5", "keeps kings and queens that make or may yet make a marriage"),
        Option("defence", True, "tip 6", "against a closer: gives few points and keeps trumps"),
        Option("defence_points", 50, "tip 6", "percent by which points given to a closer count more", low=0, high=500),
        Option("defence_trumps", 3, "tip 6", "extra value of a trump against a closer", low=0, high=50),
        Option("draw_trumps", True, "tip 2", "in strict play leads trumps first while it holds plain winners"),
        Option("smear", True, "3.4", "four_hand: gives points to a trick that the partner is winning"),
        Option("goal_bonus", 30, "S15", "extra value of a trick that reaches 66, for either side", low=0, high=200),
        Option("open_lead", -4, "S9, S11", "open talon: value of being on lead next", low=-50, high=50),
        Option("open_trump", 13, "S8", "open talon: value of keeping a trump", low=0, high=50),
        Option("open_ace", 9, "S3", "open talon: value of keeping a highest card, in trumps on top of a trump's", low=0, high=50),
        Option("open_ten", 4, "S3", "open talon: the same for a ten while the ace is out", low=0, high=50),
        Option("open_low", 100, "S3", "open talon: percent of its points that another card is worth keeping", low=0, high=500),
        Option("strict_lead", 0, "S13", "strict play: as open_lead", low=-50, high=50),
        Option("strict_trump", 6, "S13", "strict play: as open_trump", low=0, high=50),
        Option("strict_ace", 11, "S13", "strict play: as open_ace", low=0, high=50),
        Option("strict_ten", 6, "S13", "strict play: as open_ten", low=0, high=50),
        Option("strict_low", 30, "S13", "strict play: as open_low", low=0, high=500),
        Option("pair_percent", 25, "S11", "percent of a marriage in hand that being on lead next is worth", low=0, high=200),
        Option("pair_value", 10, "S11", "value of keeping a king or queen of a pair, per 20 of its marriage", low=0, high=100),
        Option("half_value", 3, "S11", "open talon: the same while the other card may still be drawn", low=0, high=50),
        Option("close_chance", 5, "SP37", "`cautious`: percent of its chances to close that it takes", low=0, high=100),
    ]
)  # fmt: skip

KINDS = {
    "random": AgentKind(RANDOM, {}, "uniform over the legal actions"),
    "cautious": AgentKind(CAUTIOUS, {}, "uniform, but claims exactly when it has 66, and closes rarely (SP37)"),
    "book": AgentKind(BOOK, {}, "plays by the source text's tips"),
}
