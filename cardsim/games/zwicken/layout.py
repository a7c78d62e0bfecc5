"""Zwicken as data: the state record, the numbering of actions, the blocks of the observation. No logic.

Cards are numbered suit * 9 + rank with ranks `6 7 8 9 T J Q K A` and suits `D H S C`, whatever the pack, so that actions
and observations mean the same in every variant. J is the Unter, Q the Ober.
"""

from __future__ import annotations

import numpy as np

from cardsim import seats
from cardsim.blocks import Block, offsets
from cardsim.cards import Pack
from cardsim.games.zwicken.rules import RANKS, RULES

PACK = Pack(RANKS)
SEATS = 5
CARDS = 36
PER_SUIT = 9
TRICKS = 4
"""Most tricks of a deal (four_card)."""
NO_CARD = 36
EVERY_CARD = 2**36 - 1
NO_POWER = -1
NO_SUIT = 4
NOBODY = seats.NOBODY
SEVEN, UNTER, OBER, ACE = (RANKS.index(rank) for rank in "7JQA")
BELLI = PACK.card("7D")
"""The 7 of diamonds: second-highest trump in every suit (Z4)."""
SIX_OF_DIAMONDS = PACK.card("6D")

# Phases: what the seat to act decides.
DEAL, ANNOUNCE, SWAP, LEAD, FOLLOW, OVER = range(6)
PHASES = ("deal", "announce", "swap", "lead", "follow", "over")

# How a deal ended.
UNDECIDED, SHARED, DURCHMARSCH, UNOPPOSED, ALL_PASSED = range(5)
REASONS = ("undecided", "shared", "durchmarsch", "unopposed", "all_passed")

# Bits of `faults`: duties that a seat has failed, booked at the settlement (ZP31).
ACE_FAULT, BELLI_FAULT = 1, 2

# Actions: 0-35 a card.
ACT_PLAY, ACT_PASS, ACT_STOP = range(36, 39)

# Columns of `outcome`.
HAND_COLUMNS = ("deals", "decisions", "cuts", "belli_cuts", "pots", "stayed", "all_passed", "unopposed", "durchmarsch")
SEAT_COLUMNS = (
    "wins",
    "stays",
    "swaps",
    "tricks",
    "no_trick_betes",
    "duty_betes",
    "durchmarsch",
    "taken",
    "staked",
    "betes",
    "cut_chips",
)
(
    WINS,
    STAYS,
    SWAPS,
    TRICKS_WON,
    NO_TRICK_BETES,
    DUTY_BETES,
    DURCHMARSCHES,
    TAKEN,
    STAKED,
    BETES,
    CUT_CHIPS,
) = range(len(SEAT_COLUMNS))
"""Deals with a gain; deals stayed in; cards swapped; tricks; betes for no trick and for duties; Durchmarsches; then
chips: taken from pots and other players, antes, betes, net of cut payments. Return = taken - staked - betes + cut_chips."""

STATE = np.dtype(
    [
        ("rules", RULES),  # public: the rules in force, as codes (rules.py)
        ("hand", np.uint64, (SEATS,)),  # owner: cards held, bit mask (bit = card); a passed hand stays
        ("thrown", np.uint64, (SEATS,)),  # owner: cards laid away in the swap (ZP17)
        ("absent", np.uint64, (SEATS,)),  # public: cards that this seat certainly does not hold now
        ("trumps", np.uint64),  # public: all trumps of this deal, empty before it
        ("led", np.uint64),  # public: cards that must be played if held: those that follow; EVERY_CARD where nothing binds
        ("chips", np.int64, (SEATS,)),  # public: balances, start_chips included
        ("before", np.int64, (SEATS,)),  # public: balances before this deal and its void attempts (ZP30)
        ("gained", np.int64, (SEATS,)),  # public: chips won or lost in the last finished deal
        ("pot", np.int64),  # public: chips in the pot; betes of this deal are not in it yet (ZP26, ZP31)
        ("pots", np.int64),  # public: sum of the pots played for, over the episode
        ("counts", np.int32, (len(SEAT_COLUMNS), SEATS)),  # public: SEAT_COLUMNS, over the episode
        ("decisions", np.int32),  # public: actions played, over the episode
        ("deals", np.int32),  # public: deals that went ahead, over the episode
        ("cuts", np.int32),  # public: packs shuffled for a deal, void ones included, over the episode
        ("belli_cuts", np.int32),  # public: cuts that showed the Belli, over the episode
        ("stayed", np.int32),  # public: players who stayed, summed over the episode's deals
        ("all_passed", np.int32),  # public: deals that everybody passed
        ("unopposed", np.int32),  # public: deals in which one player stayed
        ("marches", np.int32),  # public: deals that ended in a Durchmarsch
        ("attempts", np.int16),  # public: attempts at the deal, the one that went ahead included; 0 when it is over
        ("talon_pos", np.int16),  # public: next card of the talon in deck
        ("talon_left", np.int16),  # public: cards of the talon, 0 to 29
        ("played", np.int16),  # public: cards played, the length of history: 0 to 20
        ("trick_start", np.int16),  # public: where the current trick begins in history; = played between tricks
        ("round", np.int16),  # public: round of the swap, 0 to 3
        ("deck", np.uint8, (CARDS,)),  # hidden: talon at talon_pos .. cards-1, top first; NO_CARD elsewhere
        ("history", np.uint8, (SEATS * TRICKS,)),  # public: cards played in this deal, in order; NO_CARD from `played` on
        ("movers", np.int8, (SEATS * TRICKS,)),  # public: who played them; NOBODY from `played` on
        ("swaps", np.int8, (SEATS,)),  # public: cards that the seat has laid away in this deal
        ("tricks", np.int8, (SEATS,)),  # public: tricks won in this deal
        ("faults", np.int8, (SEATS,)),  # owner: ACE_FAULT and BELLI_FAULT of this deal (ZP31)
        ("active", np.int8),  # public: seats that play, bit mask
        ("swapping", np.int8),  # public: seats that have not stopped swapping, bit mask
        ("shown", np.int8),  # public: card that the cut showed, bottom of the pack (ZP1), or NO_CARD
        ("shown_seat", np.int8),  # public: seat that drew it and still holds it (ZP17), or NOBODY
        ("up", np.int8),  # public: the turned card, or NO_CARD
        ("trump", np.int8),  # public: suit, or NO_SUIT
        ("phase", np.int8),  # public: what is decided, DEAL to OVER
        ("player", np.int8),  # public: seat to act, or NOBODY
        ("leader", np.int8),  # public: seat on lead or that led, or NOBODY before the first lead
        ("dealer", np.int8),  # public: seat that dealt or, in phase DEAL, deals next
        ("best", np.int8),  # public: card winning the current trick, or NO_CARD
        ("best_seat", np.int8),  # public: who played it, or NOBODY
        ("best_power", np.int8),  # public: its strength, or NO_POWER
        ("reason", np.int8),  # public: how the last finished deal ended, an index into REASONS
        ("_pad", np.uint8, (7,)),
    ],
    align=True,
)  # fmt: skip

ACTION_NAMES = (*PACK.names, "play", "pass", "stop")
ACTION_TABLE = (
    (
        "0-35",
        "a card",
        "in the swap: lay it away and draw another; in the tricks: play it",
        "Z15, ZP14, ZP15; Z19, Z20",
    ),
    ("36", "play", "stay in this deal", "Z14"),
    ("37", "pass", "give up this deal", "Z14, Z16, ZP11"),
    ("38", "stop", "swap no more", "Z15, ZP14, ZP15"),
)

BLOCKS = (
    Block("hand", 1, 36, "cards", "own hand", "hand; Z9"),
    Block("thrown", 1, 36, "cards", "cards that oneself has laid away", "thrown; ZP17"),
    Block("played", 5, 36, "cards", "cards that the seat has played in this deal", "history, movers"),
    Block("absent", 5, 36, "cards", "cards that the seat certainly does not hold", "absent; Z19, Z20"),
    Block("trick", 1, 36, "cards", "cards of the current trick", "history"),
    Block("last_trick", 1, 36, "cards", "cards of the last finished trick", "history"),
    Block("up", 1, 36, "cards", "turned card", "up; Z10"),
    Block("shown", 1, 36, "cards", "card that the cut showed", "shown; ZQ6"),
    Block("trump", 1, 4, "one_hot", "trump suit", "trump; Z9"),
    Block("phase", 1, 6, "one_hot", "what is decided", "phase"),
    Block("to_move", 5, 1, "flags", "seat to act", "player"),
    Block("leader", 5, 1, "flags", "seat on lead", "leader"),
    Block("dealer", 5, 1, "flags", "dealer", "dealer"),
    Block("active", 5, 1, "flags", "seat plays", "active; Z14"),
    Block("passed", 5, 1, "flags", "seat has passed", "active, player; Z14"),
    Block("swapping", 5, 1, "flags", "seat has not stopped swapping", "swapping; ZP14"),
    Block("holds_shown", 5, 1, "flags", "seat drew the card that the cut showed, and holds it", "shown_seat; ZP17"),
    Block("swaps", 5, 4, "steps", "cards that the seat has laid away", "swaps; ZP17"),
    Block("tricks", 5, 4, "steps", "tricks of the seat", "tricks"),
    Block("faults", 1, 2, "flags", "own failed duties: the Ace's, the Belli's", "faults; ZP31"),
    Block("attempts", 1, 8, "binary", "attempts at this deal (at most 255 shown)", "attempts; ZP6"),
    Block("round", 1, 8, "binary", "round of the swap", "round; ZP14"),
    Block("talon", 1, 8, "binary", "cards of the talon", "talon_left"),
    Block("deals", 1, 16, "binary", "deals of this episode so far (at most 65535 shown)", "deals; ZP32"),
    Block("pot", 1, 16, "binary", "chips in the pot (at most 65535 shown)", "pot; Z7"),
    Block("pot_stakes", 1, 16, "steps", "the same in stakes, one for each step", "pot"),
    Block("won", 5, 16, "binary", "chips that the seat has won since the episode began, if any (at most 65535 shown)", "chips; ZQ28"),
    Block("lost", 5, 16, "binary", "chips that the seat has lost, if any (at most 65535 shown)", "chips; ZQ28"),
)  # fmt: skip

OFFSETS = offsets(BLOCKS)
OBSERVATION_SIZE = sum(block.size for block in BLOCKS)
