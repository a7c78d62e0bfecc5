"""Sixty-Six as data: the state record, the numbering of actions, the blocks of the observation. No logic.

Cards are numbered suit * 8 + rank with ranks `7 8 9 J Q K T A` and suits `D H S C`, whatever the pack, so that actions and
observations mean the same in every form. A side is a seat, or in four_hand the seat's parity (partners sit opposite).
"""

from __future__ import annotations

import numpy as np

from cardsim import seats
from cardsim.blocks import Block, offsets
from cardsim.cards import Pack
from cardsim.games.sixty_six.rules import RANKS, RULES

PACK = Pack(RANKS)
SEATS = 4
CARDS = 32
NO_CARD = 32
NO_SUIT = 4
NOBODY = seats.NOBODY
QUEEN, KING, TEN, ACE = (RANKS.index(rank) for rank in "QKTA")
RANK_POINTS = (0, 0, 0, 2, 3, 4, 10, 11)
"""Card points of 7 8 9 J Q K T A (S3)."""

# Phases: what the seat to act decides.
DEAL, LEAD, FOLLOW, DRAW, ASK_EXCHANGE, ASK_PAIR, LAST, OVER = range(8)
CLAIMED, PLAYED_OUT = 8, 9
"""Only inside a move: the deal is about to be settled."""
PHASES = ("deal", "lead", "follow", "draw", "ask_exchange", "ask_pair", "last", "over")

# How a deal ended.
UNDECIDED, CLAIM, FALSE_CLAIM, BEATEN_CLOSER, FAILED_CLOSE, EXHAUSTED, TIE, COUNTED = range(8)
REASONS = (
    "undecided",
    "claim",
    "false_claim",
    "beaten_closer",
    "failed_close",
    "exhausted",
    "tie",
    "counted",
)

# Actions.
PAIR_0 = 32
ACT_EXCHANGE, ACT_CLOSE, ACT_DRAW, ACT_CLAIM, ACT_PASS = range(36, 41)

# Columns of `outcome`.
HAND_COLUMNS = ("deals", "decisions", "decided", "forehand_wins", "played_out", "ties")
SEAT_COLUMNS = (
    "wins",
    "game_points",
    "tricks",
    "card_points",
    "marriages",
    "closes",
    "claims",
    "false_claims",
    "exchanges",
)
WINS, GAME_POINTS, TRICKS, CARD_POINTS, MARRIAGES, CLOSES, CLAIMS, FALSE_CLAIMS, EXCHANGES = range(len(SEAT_COLUMNS))

STATE = np.dtype(
    [
        ("rules", RULES),  # public: the rules in force, as codes (rules.py)
        ("hand", np.uint32, (SEATS,)),  # owner: cards held, bit mask (bit = card)
        ("known", np.uint32, (SEATS,)),  # public: cards that everybody knows this seat to hold (SP36)
        ("absent", np.uint32, (SEATS,)),  # public: cards that this seat certainly does not hold now (SP36)
        ("barred", np.uint8, (SEATS, CARDS)),  # public: 0, or k from 1 to 15: the card can have come to this seat with draw k at the earliest
        ("deck", np.uint8, (CARDS,)),  # hidden: face-down talon at talon_pos .. cards-1, top first; NO_CARD elsewhere
        ("history", np.uint8, (CARDS,)),  # public: cards played in this deal, in order; NO_CARD from `played` on
        ("movers", np.int8, (CARDS,)),  # public: who played them; NOBODY from `played` on
        ("counts", np.int32, (SEATS, len(SEAT_COLUMNS))),  # public: SEAT_COLUMNS, over the episode
        ("scores", np.int16, (SEATS,)),  # public: match score
        ("gained", np.int16, (SEATS,)),  # public: game points (1001: points) of the last finished deal; while a deal is settled, [0] holds what it is worth
        ("points", np.int16, (SEATS,)),  # public: card points and counted marriages, by side: 0 to 400
        ("pending", np.int16, (SEATS,)),  # public: marriage points that wait for the side's next trick, by side: 0 to 280 (SP8)
        ("tricks", np.int16, (SEATS,)),  # public: tricks won, by side: 0 to 16
        ("decisions", np.int32),  # public: actions played, over the episode
        ("deals", np.int32),  # public: deals begun in this episode
        ("decided", np.int32),  # public: deals that somebody won
        ("forehand_wins", np.int32),  # public: deals won by the side that led first
        ("played_out", np.int32),  # public: deals settled after the last trick without a claim
        ("ties", np.int32),  # public: deals that nobody won
        ("carry", np.int16),  # public: game points carried to the next winner (SP20)
        ("close_points", np.int16),  # public: points of the closer's opponent at closing
        ("close_tricks", np.int16),  # public: his tricks at closing
        ("trick_points", np.int16),  # public: card points in the current trick: 0 to 44
        ("played", np.int16),  # public: cards played, the length of history: 0 to 32
        ("close_played", np.int16),  # public: the same at closing
        ("swap_draws", np.int16),  # public: cards that each seat had drawn at the exchange: 0 to 13
        ("trick_start", np.int16),  # public: where the current trick begins in history; = played between tricks
        ("talon_pos", np.int16),  # public: next face-down card in deck
        ("talon_left", np.int16),  # public: undrawn cards, 0 to 28, the face-up (or turned-down) one included
        ("up", np.int8),  # public: the turned card, face up or turned down; NO_CARD once drawn
        ("up_first", np.int8),  # public: the card turned in the deal, or NO_CARD
        ("up_seat", np.int8),  # public: seat that drew the turned card as the talon's last, or NOBODY
        ("up_drawn", np.int8),  # public: which card that was, or NO_CARD
        ("trump", np.int8),  # public: suit, or NO_SUIT
        ("phase", np.int8),  # public: what is decided, DEAL to OVER; of the ask phases only the asked seat knows (SP15)
        ("player", np.int8),  # public, as phase: seat to act, or NOBODY
        ("leader", np.int8),  # public: seat on lead or that led, or NOBODY before the first deal
        ("dealer", np.int8),  # public: seat that dealt or, in phase DEAL, deals next
        ("closer", np.int8),  # public: seat, or NOBODY
        ("swapper", np.int8),  # public: seat that exchanged (only one can in a deal), or NOBODY
        ("best", np.int8),  # public: card winning the current trick, or NO_CARD
        ("best_seat", np.int8),  # public: who played it, or NOBODY
        ("declared", np.int8),  # public: suits declared in this deal, bit mask
        ("last_pair", np.int8),  # public: suit declared last, or NOBODY
        ("lead_pair", np.int8),  # public: suit that the seat on lead has just declared, or NOBODY
        ("partner_pair", np.int8),  # public: suit that his partner has just declared, or NOBODY
        ("winner", np.int8),  # public: side that won the last finished deal, or NOBODY
        ("reason", np.int8),  # public: how that deal ended, an index into REASONS
        ("_pad", np.uint8, (5,)),
    ],
    align=True,
)  # fmt: skip


def action_names() -> tuple[str, ...]:
    """Text of each action, by number."""
    fixed = ("exchange", "close", "draw", "claim", "pass")
    return (*PACK.names, *(f"pair {suit}" for suit in "DHSC"), *fixed)


ACTION_NAMES = action_names()
ACTION_TABLE = (
    ("0-31", "a card", "play it: lead or follow", "S6, S7, S13"),
    ("32-35", "pair D, H, S, C", "declare king and queen of the suit", "S11, SP27"),
    ("36", "exchange", "swap the lowest trump for the turned card", "S10, SP15"),
    ("37", "close", "turn the face-up card down", "S12"),
    ("38", "draw", "draw after a trick instead of closing", "SP1"),
    ("39", "claim", "claim 66", "S15"),
    ("40", "pass", "decline the exchange, the declaration or the last claim", "SP14, SP15, SP27"),
)


BLOCKS = (
    Block("hand", 1, 32, "cards", "own hand", "hand; S5"),
    Block("table", 4, 32, "cards", "card that the seat has in the current trick", "history, movers"),
    Block("known", 4, 32, "cards", "cards that everybody knows the seat to hold", "known; SP36"),
    Block("absent", 4, 32, "cards", "cards that the seat certainly does not hold", "absent; SP36"),
    Block("gone", 1, 32, "cards", "cards in tricks already won", "history; SQ30"),
    Block("last_trick", 1, 32, "cards", "cards of the last finished trick, until the next lead or with perfect memory", "history; SQ30"),
    Block("up", 1, 32, "cards", "turned card, face up or turned down", "up; S5"),
    Block("trump", 1, 4, "one_hot", "trump suit; none in 1001 before a marriage", "trump; SP29"),
    Block("declared", 1, 4, "flags", "suits declared in this deal", "declared; SP11"),
    Block("lead_pair", 1, 4, "one_hot", "suit just declared by the seat on lead", "lead_pair; SP6"),
    Block("partner_pair", 1, 4, "one_hot", "suit just declared by his partner", "partner_pair; SP27"),
    Block("last_pair", 1, 4, "one_hot", "suit declared last in this deal", "last_pair; SP29"),
    Block("phase", 1, 8, "one_hot", "what is decided; others see an asked seat's phase as the lead", "phase; SP1, SP14, SP15"),
    Block("to_move", 4, 1, "flags", "seat to act; others see the leader while a seat is asked", "player"),
    Block("leader", 4, 1, "flags", "seat on lead", "leader"),
    Block("dealer", 4, 1, "flags", "dealer", "dealer"),
    Block("closer", 4, 1, "flags", "seat that closed", "closer; S12"),
    Block("close_standing", 1, 2, "flags", "closer's opponent at closing: had no trick; was below half of the goal", "close_tricks, close_points; S18"),
    Block("talon", 1, 8, "binary", "undrawn cards, the turned one included", "talon_left; SP5"),
    Block("tricks", 4, 8, "binary", "tricks of the seat's side", "tricks"),
    Block("points", 4, 16, "binary", "points of the seat's side (zeros without perfect memory)", "points; SQ30"),
    Block("points_steps", 4, 16, "steps", "the same in steps of ten", "points"),
    Block("pending", 4, 8, "binary", "the side's pending marriage points, in twenties", "pending; SP8"),
    Block("scores", 4, 16, "binary", "match score of the seat", "scores; S20"),
    Block("carry", 1, 8, "binary", "carried game points (at most 255 shown)", "carry; SP20"),
)  # fmt: skip


OFFSETS = offsets(BLOCKS)
OBSERVATION_SIZE = sum(block.size for block in BLOCKS)
