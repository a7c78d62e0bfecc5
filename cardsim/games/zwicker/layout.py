"""Zwicker as data: the state record, the numbering of cards and actions, the blocks of the observation. No logic.

A card is a number KINDS * pack + kind. Kinds 0-51 are suit * 13 + rank with ranks `2 3 4 5 6 7 8 9 T A J Q K` and suits
`D H S C`; 52-57 the jokers of value 15, 17, 20, 22, 25 and 30; 58-63 wild jokers. Only packs for five players and more
have the second 64 cards.

A turn is a chain of small decisions of one player: a card of the hand (CARD); what to do with it (ACT); for a capture
the value at which it is played, where several would do (PLAY_AT), then the items of one group after the other (GROUP);
for a card that is laid on another the item (TARGET), and the new value, where it may have several (NEW_VALUE).
"""

from __future__ import annotations

import numpy as np

from cardsim import seats
from cardsim.blocks import Block, offsets
from cardsim.cards import Pack
from cardsim.games.zwicker.rules import HAND, JOKER_VALUES, KINDS, RANKS, RULES

SEATS = 8
CARDS = 116
"""Most cards in play: two packs with six jokers each."""
ITEMS = CARDS
"""Most items on the table: nobody ever captures."""
PLACES = 32
"""Items that one set of actions can name; the action `further` goes on to the next ones."""
NO_CARD = 128
HIDDEN_CARD = 129
"""A card in another hand in a state that was rebuilt from an observation."""
NO_ITEM = -1
NOBODY = seats.NOBODY
NO_VALUE = 0

PACK = Pack(RANKS, (*(f"X{value}" for value in JOKER_VALUES), *(6 * ["XW"])), copies=2)

# Phases: what the seat to act decides.
DEAL, CARD, ACT, PLAY_AT, GROUP, TARGET, NEW_VALUE, OVER = range(8)
PHASES = ("deal", "card", "act", "play_at", "group", "target", "new_value", "over")

# Actions: 0-3 a card of the hand, in ascending order; then
ACT_TAKE, ACT_LAY, ACT_BESIDE, ACT_FINISH, ACT_NEXT, ACT_FURTHER = range(HAND, HAND + 6)
VALUES = (*range(1, 15), *JOKER_VALUES)
FIRST_VALUE = ACT_FURTHER + 1
FIRST_PLACE = FIRST_VALUE + len(VALUES)

# Columns of `outcome`.
HAND_COLUMNS = (
    "deals",
    "decisions",
    "turns",
    "captures",
    "items_taken",
    "laid_on",
    "beside",
    "left_over",
    "longest_table",
)
SEAT_COLUMNS = ("wins", "points", "cards", "zwicks", "most_cards", "captures", "laid_on", "beside", "penalty")
DEALS, DECISIONS, TURNS, ALL_CAPTURES, ITEMS_TAKEN, ALL_LAID_ON, ALL_BESIDE, LEFT_OVER, LONGEST_TABLE = range(
    len(HAND_COLUMNS)
)
"""Deals finished; actions; turns; captures and items taken; cards laid on an item and beside; items left at the ends of
the deals; most items on the table at once."""
WINS, POINTS, TAKEN_CARDS, ZWICKS, MOST_CARDS, CAPTURES, LAID_ON, BESIDE, PENALTY = range(len(SEAT_COLUMNS))
"""Deals with more points than every other side; points (penalties deducted) and cards of the seat's side; Zwicks,
points for most cards of the side; own captures, cards laid on an item, cards laid beside; penalty points of the side."""

STATE = np.dtype(
    [
        ("rules", RULES),  # public: the rules in force, as codes (rules.py)
        ("pile", np.uint64, (SEATS, 2)),  # public: by side, cards captured in this deal, bit mask for each pack (WQ30)
        ("chosen", np.uint64, (2,)),  # public: items chosen so far in this capture, bit = place
        ("scores", np.int32, (SEATS,)),  # public: by side, points of the finished deals of the episode
        ("counts", np.int32, (len(SEAT_COLUMNS), SEATS)),  # public: SEAT_COLUMNS, over the episode
        ("totals", np.int32, (len(HAND_COLUMNS),)),  # public: HAND_COLUMNS, over the episode
        ("promised", np.uint32, (SEATS,)),  # public: by party, values of which it holds a card (WP13), bit = value
        ("lacks", np.uint32, (SEATS,)),  # public: by seat, values of which it holds none (WP13); bit 0: no wild joker
        ("asked", np.uint32, (SEATS,)),  # owner: values of which a partner holds a card, as his legal builds told (WP13)
        ("denied", np.uint32, (SEATS,)),  # owner: values of which no partner holds a card, likewise
        ("reach", np.uint32),  # public: values to which items on the table add, bit = value; bit 0 always (captures.py)
        ("present", np.uint32),  # public: values of the items on the table that a card may be laid on (laying.py)
        ("sums", np.uint32),  # public: sums that the items of the unfinished group may have; bit 0 alone: none in it
        ("deck", np.uint8, (CARDS,)),  # hidden: cards not dealt at deck_pos .. cards-1, top first; NO_CARD elsewhere
        ("hand", np.uint8, (SEATS, HAND)),  # owner: cards held, by kind; NO_CARD behind them
        ("top", np.uint8, (ITEMS,)),  # public: by item, the card laid last; NO_CARD from `items` on
        ("low", np.uint8, (ITEMS,)),  # public: by item, its smaller value, 0 from `items` on
        ("high", np.uint8, (ITEMS,)),  # public: by item, its larger value, the same for items of one value
        ("builder", np.int8, (ITEMS,)),  # public: by item, who laid the last card on another; NOBODY for a loose card
        ("under", np.uint8, (2 * KINDS,)),  # public: by card on the table, the card below it in its item, or NO_CARD
        ("zwicks", np.int16, (SEATS,)),  # public: by side, Zwicks of this deal that count
        ("gained", np.int16, (SEATS,)),  # public: by side, points of the last finished deal
        ("deck_pos", np.int16),  # public: cards dealt so far
        ("items", np.int16),  # public: items on the table
        ("first", np.int16),  # public: first item of the unfinished group, or of the one just finished, or NO_ITEM
        ("last", np.int16),  # public: the next item of the capture lies above this one, or NO_ITEM
        ("page", np.int8),  # public (in TARGET owner): PLACES * page items are passed over by `further`
        ("card", np.uint8),  # public: the card played in this turn, or NO_CARD
        ("value", np.int8),  # public: value at which it captures, or NO_VALUE
        ("target", np.int8),  # owner: item that it is laid on, or NO_ITEM (WP13)
        ("phase", np.int8),  # public: what is decided, DEAL to OVER; TARGET and NEW_VALUE look like ACT to others (WP13)
        ("player", np.int8),  # public: seat to act, or NOBODY
        ("dealer", np.int8),  # public: seat that dealt or, in phase DEAL, deals next
        ("capturer", np.int8),  # public: seat that captured last in this deal, or NOBODY
        ("_pad", np.uint8, (4,)),
    ],
    align=True,
)  # fmt: skip

ACTION_NAMES = (
    *(f"hand {k + 1}" for k in range(HAND)),
    "take",
    "lay on",
    "beside",
    "finish",
    "next group",
    "further",
    *(f"as {value}" for value in VALUES),
    *(f"item {k + 1}" for k in range(PLACES)),
)
ACTION_TABLE = (
    ("0-3", "hand 1 to hand 4", "play that card of the hand, in ascending order; equal cards are one choice", "W20, WP4"),
    ("4", "take", "capture with it", "W9, W20"),
    ("5", "lay on", "lay it on an item: a stack, or a build or pair", "W13, W20, WQ12"),
    ("6", "beside", "lay it on the table by itself", "WQ2, W20"),
    ("7", "finish", "the capture is complete", "WQ6"),
    ("8", "next group", "the group is complete although it could go on; another one begins", "W10, WQ6"),
    ("9", "further", "the item lies 32 places further on than the actions can name", ""),
    ("10-29", "as 1 to as 14, as 15, 17, 20, 22, 25, 30", "the value at which the card captures, or the value built", "W18, WQ10, WP11, WP14"),
    ("30-61", "item 1 to item 32", "the item in that place of the table: the next of the group, or the one to lay on", "W9, W13, W20"),
)  # fmt: skip

assert len(ACTION_NAMES) == 62

BLOCKS = (
    Block("hand", 4, 64, "one_hot", "own hand, card by card as the actions name them", "hand; W8, W19"),
    Block("card", 1, 64, "one_hot", "kind of the card played in this turn", "card"),
    Block("hand_sizes", 8, 4, "steps", "cards that the seat holds", "hand"),
    Block("location", 128, 8, "binary", "where the card is, copies numbered by it from the last one down: 128 and the side captured, 1 to 116 the item on the table, 0 elsewhere", "top, under, pile; WQ30"),
    Block("unseen", 1, 128, "cards", "cards that others hold or that are not dealt; the first of the copies", "hand, deck"),
    Block("item_values", 32, 32, "flags", "by place: values that the item may have, wild jokers also 0", "low, high; WQ3, WQ7"),
    Block("built", 116, 8, "binary", "by place: 8 times the value of a stack or build, and its last builder; 0 for loose cards", "low, builder; WP12"),
    Block("side_cards", 8, 8, "binary", "cards that the side has captured", "pile"),
    Block("zwicks", 8, 8, "binary", "Zwicks of the side in this deal", "zwicks; WQ16"),
    Block("capturer", 8, 1, "flags", "seat that captured last", "capturer; W24"),
    Block("to_move", 8, 1, "flags", "seat to act", "player"),
    Block("dealer", 8, 1, "flags", "dealer", "dealer"),
    Block("phase", 1, 8, "one_hot", "what is decided; `act` while another seat chooses where to lay its card", "phase; WP13"),
    Block("stock", 1, 8, "binary", "cards not dealt", "deck_pos"),
    Block("promised", 8, 32, "flags", "by party: values of which it holds a card, as a build told", "promised; WP13"),
    Block("lacks", 8, 32, "flags", "values of which the seat holds no card, 0: no wild joker, as not capturing told", "lacks; WP13"),
    Block("asked", 1, 32, "flags", "values of which a partner holds a card, as own legal builds told", "asked; WQ9, WP13"),
    Block("denied", 1, 32, "flags", "values of which no partner holds a card, as own legal builds told", "denied; WP13"),
    Block("value", 1, 32, "one_hot", "value at which the card captures", "value; W18"),
    Block("sums", 1, 32, "flags", "sums that the unfinished group may have", "sums"),
    Block("chosen", 1, 128, "flags", "items chosen in this capture, by place", "chosen"),
    Block("first", 1, 8, "binary", "place of the first item of the group, counted from 1", "first"),
    Block("last", 1, 8, "binary", "place that the next item must lie behind", "last"),
    Block("target", 1, 8, "binary", "place of the item that oneself lays the card on, counted from 1", "target"),
    Block("page", 1, 8, "binary", "times that `further` was said for this item; oneself, where a card is laid", "page"),
    Block("deals", 1, 16, "binary", "finished deals of this episode (at most 65535 shown)", "totals; WQ26"),
    Block("points", 8, 16, "binary", "points of the side in the finished deals, if above 0 (at most 65535 shown)", "scores; WP18"),
    Block("debts", 8, 16, "binary", "points below 0 of the side in the finished deals (at most 65535 shown)", "scores; WP12"),
)  # fmt: skip

OFFSETS = offsets(BLOCKS)
OBSERVATION_SIZE = sum(block.size for block in BLOCKS)
