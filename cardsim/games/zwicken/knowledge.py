"""Zwicken kernels: what a seat knows: the observation and its inverse."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount, spread8, spread16, spread32
from cardsim.blocks import mark, mark_seat, read_number, read_one_hot
from cardsim.games.zwicken.basics import TRUMPS, forehand, put_on_table
from cardsim.games.zwicken.kernels import clear_deal
from cardsim.games.zwicken.layout import (
    ANNOUNCE,
    CARDS,
    DEAL,
    EVERY_CARD,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OBSERVATION_SIZE,
    OFFSETS,
    PER_SUIT,
    PHASES,
    SEATS,
)
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of, next_in, relative_to, seen_from

HAND, THROWN, PLAYED, TRICK = (OFFSETS[name] for name in ("hand", "thrown", "played", "trick"))
ABSENT, LAST_TRICK, UP, SHOWN = (OFFSETS[name] for name in ("absent", "last_trick", "up", "shown"))
TRUMP, PHASE, TO_MOVE, LEADER, DEALER = (OFFSETS[name] for name in ("trump", "phase", "to_move", "leader", "dealer"))
ACTIVE, PASSED, SWAPPING, HOLDS_SHOWN = (OFFSETS[name] for name in ("active", "passed", "swapping", "holds_shown"))
FAULTS, ATTEMPTS, ROUND, TALON = (OFFSETS[name] for name in ("faults", "attempts", "round", "talon"))
SWAPS, TRICKS, DEALS = (OFFSETS[name] for name in ("swaps", "tricks", "deals"))
POT, POT_STAKES, WON, LOST = (OFFSETS[name] for name in ("pot", "pot_stakes", "won", "lost"))
STEPS, BYTE, WORD = 4, 8, 16
"""Entries of a row that holds up to four steps, a small or a larger number."""
ALL_SIXES = U64(sum(1 << (PER_SUIT * suit) for suit in range(4)))
LARGEST = 2**WORD - 1
"""A larger number of chips shows as this."""


@inlined
def passed_seats(state: Any) -> int:
    """Seats that have passed this deal, as a bit mask."""
    players = I64(state["rules"]["players"])
    if state["up"] == NO_CARD:
        return 0
    asked = (1 << players) - 1
    if state["phase"] == ANNOUNCE:
        first = forehand(state)
        places = relative_to(first, I64(state["player"]), players)
        asked = seen_from((1 << places) - 1, players - first, players)
    return asked & ~I64(state["active"])


@inlined
def last_trick(state: Any) -> Any:
    """Cards of the last finished trick."""
    cards = NONE
    start = I64(state["trick_start"])
    for i in range(max(0, start - popcount(state["active"])), start):
        cards |= bit(state["history"][i])
    return cards


@inlined
def _spread_cards(cards: Any, out: Any, offset: int) -> None:
    """A set of cards in a row: 36 bits, the last eight overlap the word before."""
    spread32(cards, out, offset)
    spread8(U64(cards) >> U64(28), out, offset + 28)


@inlined
def _spread_number(number: int, out: Any, offset: int) -> None:
    """A number of 0 or more in a row of WORD; what is too large shows as LARGEST."""
    spread16(min(number, LARGEST), out, offset)


@kernel
def observe(state: Any, player: int, out: Any) -> None:
    """Write what `player` knows into out[:OBSERVATION_SIZE], blocks as in layout.BLOCKS, seats counted from him."""
    observer = I64(player)
    players = I64(state["rules"]["players"])
    for i in range(OBSERVATION_SIZE):
        out[i] = 0
    _spread_cards(U64(state["hand"][observer]), out, HAND)
    _spread_cards(U64(state["thrown"][observer]), out, THROWN)
    start = I64(state["trick_start"])
    for i in range(state["played"]):
        relative = relative_to(observer, I64(state["movers"][i]), players)
        out[PLAYED + CARDS * relative + I64(state["history"][i])] = 1
    for i in range(start, state["played"]):
        out[TRICK + I64(state["history"][i])] = 1
    if start > 0:
        _spread_cards(last_trick(state), out, LAST_TRICK)
    _observe_seats(state, observer, players, out)
    _observe_table(state, observer, players, out)


@inlined
def _observe_seats(state: Any, player: int, players: int, out: Any) -> None:
    """What everybody knows of the seats.

    In the order of the blocks: eight entries are written at once, and the next ones overwrite what is theirs.
    """
    spread8(seen_from(I64(state["active"]), player, players), out, ACTIVE)
    spread8(seen_from(passed_seats(state), player, players), out, PASSED)
    spread8(seen_from(I64(state["swapping"]), player, players), out, SWAPPING)
    swaps = NONE
    tricks = NONE
    seat = player
    for relative in range(players):
        row = U64(STEPS * relative)
        swaps |= (bit(state["swaps"][seat]) - U64(1)) << row
        tricks |= (bit(state["tricks"][seat]) - U64(1)) << row
        _spread_cards(U64(state["absent"][seat]), out, ABSENT + CARDS * relative)
        balance = I64(state["chips"][seat]) - I64(state["rules"]["start_chips"])
        _spread_number(abs(balance), out, (WON if balance >= 0 else LOST) + WORD * relative)
        seat = left_of(seat, players)
    for byte in range(3):
        spread8(swaps >> U64(BYTE * byte), out, SWAPS + BYTE * byte)
    for byte in range(3):
        spread8(tricks >> U64(BYTE * byte), out, TRICKS + BYTE * byte)


@inlined
def _observe_table(state: Any, player: int, players: int, out: Any) -> None:
    """What lies open, who is who, the pot; and the observer's own failed duties."""
    mark(out, UP, state["up"], NO_CARD)
    mark(out, SHOWN, state["shown"], NO_CARD)
    mark(out, TRUMP, state["trump"], NO_SUIT)
    out[PHASE + I64(state["phase"])] = 1
    mark_seat(out, TO_MOVE, player, I64(state["player"]), players)
    mark_seat(out, LEADER, player, I64(state["leader"]), players)
    mark_seat(out, DEALER, player, I64(state["dealer"]), players)
    mark_seat(out, HOLDS_SHOWN, player, I64(state["shown_seat"]), players)
    faults = I64(state["faults"][player])
    out[FAULTS] = faults & 1
    out[FAULTS + 1] = faults >> 1
    spread8(min(I64(state["attempts"]), 255), out, ATTEMPTS)
    spread8(state["round"], out, ROUND)
    spread8(state["talon_left"], out, TALON)
    pot = I64(state["pot"])
    _spread_number(I64(state["deals"]), out, DEALS)
    _spread_number(pot, out, POT)
    stakes = min(pot // I64(state["rules"]["stake"]), WORD)
    spread16(bit(stakes) - U64(1), out, POT_STAKES)


@kernel
def recall(state: Any, observation: Any) -> None:
    """Rebuild in `state` (which brings the rules) all that an observation tells; the observer becomes seat 0.

    Hidden hands, the talon and what others have laid away stay empty. Cards of finished tricks stand in card order,
    those of the last trick at the end.
    """
    clear_deal(state)
    start = I64(state["rules"]["start_chips"])
    for seat in range(SEATS):
        state["absent"][seat] = read_number(observation, ABSENT + CARDS * seat, CARDS)
        state["swaps"][seat] = popcount(read_number(observation, SWAPS + STEPS * seat, STEPS))
        state["tricks"][seat] = popcount(read_number(observation, TRICKS + STEPS * seat, STEPS))
        won = read_number(observation, WON + WORD * seat, WORD)
        state["chips"][seat] = start + won - read_number(observation, LOST + WORD * seat, WORD)
    state["hand"][0] = read_number(observation, HAND, CARDS)
    state["thrown"][0] = read_number(observation, THROWN, CARDS)
    state["faults"][0] = read_number(observation, FAULTS, 2)
    state["active"] = read_number(observation, ACTIVE, SEATS)
    state["swapping"] = read_number(observation, SWAPPING, SEATS)
    state["up"] = read_one_hot(observation, UP, CARDS, NO_CARD)
    state["shown"] = read_one_hot(observation, SHOWN, CARDS, NO_CARD)
    state["trump"] = read_one_hot(observation, TRUMP, 4, NO_SUIT)
    state["phase"] = read_one_hot(observation, PHASE, len(PHASES), DEAL)
    state["player"] = read_one_hot(observation, TO_MOVE, SEATS, NOBODY)
    state["leader"] = read_one_hot(observation, LEADER, SEATS, NOBODY)
    state["dealer"] = read_one_hot(observation, DEALER, SEATS, 0)
    state["shown_seat"] = read_one_hot(observation, HOLDS_SHOWN, SEATS, NOBODY)
    state["attempts"] = read_number(observation, ATTEMPTS, BYTE)
    state["round"] = read_number(observation, ROUND, BYTE)
    state["talon_left"] = read_number(observation, TALON, BYTE)
    state["talon_pos"] = I64(state["rules"]["cards"]) - I64(state["talon_left"])
    state["deals"] = read_number(observation, DEALS, WORD)
    state["pot"] = read_number(observation, POT, WORD)
    if state["trump"] != NO_SUIT:
        state["trumps"] = TRUMPS[4 * I64(state["rules"]["order"]) + I64(state["trump"])]
    _recall_tricks(state, observation)


@kernel
def _recall_tricks(state: Any, observation: Any) -> None:
    """Finished tricks, the last one at the end, and the cards of the current trick in the order played."""
    trick = read_number(observation, TRICK, CARDS)
    last = read_number(observation, LAST_TRICK, CARDS)
    played = 0
    for newest in range(2):
        for seat in range(SEATS):
            for card in range(CARDS):
                done = observation[PLAYED + CARDS * seat + card] != 0 and not has(trick, card)
                if done and has(last, card) == (newest == 1):
                    state["history"][played] = card
                    state["movers"][played] = seat
                    played += 1
    state["trick_start"] = played
    state["played"] = played
    if played > 0 and state["rules"]["winner_leads_trump"]:
        state["led"] = state["trumps"]
    seat = I64(state["leader"])
    for _ in range(popcount(trick)):
        card = lowest(trick & read_number(observation, PLAYED + CARDS * seat, CARDS))
        put_on_table(state, seat, card, state["best"] == NO_CARD)
        seat = next_in(I64(state["active"]), seat, I64(state["rules"]["players"]))


@kernel
def pack_cards(state: Any) -> Any:
    """All cards of this variant's pack."""
    return U64(EVERY_CARD) if state["rules"]["cards"] == CARDS else U64(EVERY_CARD) & ~ALL_SIXES
