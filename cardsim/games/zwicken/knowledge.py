"""Zwicken kernels: what a seat knows: the observation and its inverse."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, lowest, popcount, spread8, spread16, spread32
from cardsim.games.zwicken.basics import TRUMPS, followers, forehand, left_of, next_in, power_of, relative_to
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
def seen_from(seats: int, player: int, players: int) -> int:
    """A set of seats (bit mask) counted from `player`."""
    return ((seats >> player) | (seats << (players - player))) & ((1 << players) - 1)


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
    """A set of cards in a row of zeros: 36 bits, the last eight overlap the word before; often there is one or none."""
    mask = U64(cards)
    if mask & (mask - U64(1)) == NONE:
        out[offset + lowest(mask | bit(CARDS - 1))] = U64(mask != NONE)
    else:
        spread32(mask, out, offset)
        spread8(mask >> U64(28), out, offset + 28)


@inlined
def _spread_number(number: int, out: Any, offset: int) -> None:
    """A number of 0 or more, which is mostly small, in a row of WORD zeros; what is too large shows as LARGEST."""
    spread8(min(number, LARGEST), out, offset)
    if number >> BYTE != 0:
        spread8(min(number, LARGEST) >> BYTE, out, offset + BYTE)


@inlined
def _mark(out: Any, offset: int, value: int, missing: int) -> None:
    """One-hot entry of a value, none for the value that means missing."""
    if value != missing:
        out[offset + I64(value)] = 1


@inlined
def _mark_seat(out: Any, offset: int, player: int, seat: int, players: int) -> None:
    out[offset + relative_to(player, seat, players)] = I64(seat != NOBODY)  # NOBODY: a zero somewhere in the block


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
    _mark(out, UP, state["up"], NO_CARD)
    _mark(out, SHOWN, state["shown"], NO_CARD)
    _mark(out, TRUMP, state["trump"], NO_SUIT)
    out[PHASE + I64(state["phase"])] = 1
    _mark_seat(out, TO_MOVE, player, I64(state["player"]), players)
    _mark_seat(out, LEADER, player, I64(state["leader"]), players)
    _mark_seat(out, DEALER, player, I64(state["dealer"]), players)
    _mark_seat(out, HOLDS_SHOWN, player, I64(state["shown_seat"]), players)
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
def _read(observation: Any, offset: int, bits: int) -> Any:
    value = NONE
    for i in range(bits):
        if observation[offset + i]:
            value |= bit(i)
    return value


@kernel
def _read_one_hot(observation: Any, offset: int, width: int, empty: int) -> int:
    for i in range(width):
        if observation[offset + i]:
            return i
    return empty


@kernel
def recall(state: Any, observation: Any) -> None:
    """Rebuild in `state` (which brings the rules) all that an observation tells; the observer becomes seat 0.

    Hidden hands, the talon and what others have laid away stay empty. Cards of finished tricks stand in card order,
    those of the last trick at the end.
    """
    clear_deal(state)
    start = I64(state["rules"]["start_chips"])
    for seat in range(SEATS):
        state["absent"][seat] = _read(observation, ABSENT + CARDS * seat, CARDS)
        state["swaps"][seat] = popcount(_read(observation, SWAPS + STEPS * seat, STEPS))
        state["tricks"][seat] = popcount(_read(observation, TRICKS + STEPS * seat, STEPS))
        won = I64(_read(observation, WON + WORD * seat, WORD))
        state["chips"][seat] = start + won - I64(_read(observation, LOST + WORD * seat, WORD))
    state["hand"][0] = _read(observation, HAND, CARDS)
    state["thrown"][0] = _read(observation, THROWN, CARDS)
    state["faults"][0] = I64(_read(observation, FAULTS, 2))
    state["active"] = I64(_read(observation, ACTIVE, SEATS))
    state["swapping"] = I64(_read(observation, SWAPPING, SEATS))
    state["up"] = _read_one_hot(observation, UP, CARDS, NO_CARD)
    state["shown"] = _read_one_hot(observation, SHOWN, CARDS, NO_CARD)
    state["trump"] = _read_one_hot(observation, TRUMP, 4, NO_SUIT)
    state["phase"] = _read_one_hot(observation, PHASE, len(PHASES), DEAL)
    state["player"] = _read_one_hot(observation, TO_MOVE, SEATS, NOBODY)
    state["leader"] = _read_one_hot(observation, LEADER, SEATS, NOBODY)
    state["dealer"] = _read_one_hot(observation, DEALER, SEATS, 0)
    state["shown_seat"] = _read_one_hot(observation, HOLDS_SHOWN, SEATS, NOBODY)
    state["attempts"] = I64(_read(observation, ATTEMPTS, BYTE))
    state["round"] = I64(_read(observation, ROUND, BYTE))
    state["talon_left"] = I64(_read(observation, TALON, BYTE))
    state["talon_pos"] = I64(state["rules"]["cards"]) - I64(state["talon_left"])
    state["deals"] = I64(_read(observation, DEALS, WORD))
    state["pot"] = I64(_read(observation, POT, WORD))
    if state["trump"] != NO_SUIT:
        state["trumps"] = TRUMPS[4 * I64(state["rules"]["order"]) + I64(state["trump"])]
    _recall_tricks(state, observation)


@kernel
def _recall_tricks(state: Any, observation: Any) -> None:
    """Finished tricks, the last one at the end, and the cards of the current trick in the order played."""
    trick = _read(observation, TRICK, CARDS)
    last = _read(observation, LAST_TRICK, CARDS)
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
    if played > 0 and state["rules"]["winner_leads_trump"]:
        state["led"] = state["trumps"]
    seat = I64(state["leader"])
    for _ in range(popcount(trick)):
        card = lowest(trick & _read(observation, PLAYED + CARDS * seat, CARDS))
        _recall_card(state, seat, card, played)
        played += 1
        seat = next_in(I64(state["active"]), seat, I64(state["rules"]["players"]))
    state["played"] = played


@kernel
def _recall_card(state: Any, seat: int, card: int, at: int) -> None:
    """A card of the current trick, as `moves.play_card` puts it on the table."""
    state["history"][at] = card
    state["movers"][at] = seat
    power = power_of(state, card)
    leads = at == state["trick_start"]
    if leads or (has(U64(state["led"]) | U64(state["trumps"]), card) and power > state["best_power"]):
        state["best"] = card
        state["best_seat"] = seat
        state["best_power"] = power
    if leads:
        state["led"] = followers(state, card)


@kernel
def pack_cards(state: Any) -> Any:
    """All cards of this variant's pack."""
    return U64(EVERY_CARD) if state["rules"]["cards"] == CARDS else U64(EVERY_CARD) & ~ALL_SIXES
