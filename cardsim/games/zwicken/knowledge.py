"""Zwicken kernels: what a seat knows: the observation and its inverse."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, spread8, spread16, spread32
from cardsim.games.zwicken.basics import TRUMPS, followers, left_of, next_in, power_of
from cardsim.games.zwicken.kernels import clear_deal
from cardsim.games.zwicken.layout import (
    ANNOUNCE,
    CARDS,
    DEAL,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OBSERVATION_SIZE,
    OFFSETS,
    PHASES,
    SEATS,
)
from cardsim.jit import inlined, kernel

HAND, THROWN, TABLE, PLAYED = (OFFSETS[name] for name in ("hand", "thrown", "table", "played"))
ABSENT, LAST_TRICK, UP, SHOWN = (OFFSETS[name] for name in ("absent", "last_trick", "up", "shown"))
TRUMP, PHASE, TO_MOVE, LEADER, DEALER = (OFFSETS[name] for name in ("trump", "phase", "to_move", "leader", "dealer"))
ACTIVE, PASSED, SWAPPING, HOLDS_SHOWN = (OFFSETS[name] for name in ("active", "passed", "swapping", "holds_shown"))
FAULTS, ATTEMPTS, ROUND, TALON = (OFFSETS[name] for name in ("faults", "attempts", "round", "talon"))
SWAPS, TRICKS, DEALS = (OFFSETS[name] for name in ("swaps", "tricks", "deals"))
POT, POT_STAKES, WON, LOST = (OFFSETS[name] for name in ("pot", "pot_stakes", "won", "lost"))
BYTE, WORD, LONG = 8, 16, 24
"""Entries of a row that holds a small, a larger or a large number."""
LARGEST = 2**LONG - 1


@inlined
def passed_seats(state: Any) -> int:
    """Seats that have passed this deal, as a bit mask."""
    players = I64(state["rules"]["players"])
    out = ~I64(state["active"]) & ((1 << players) - 1)
    if state["phase"] == DEAL and state["attempts"] > 0:
        return 0
    if state["phase"] != ANNOUNCE:
        return out if state["up"] != NO_CARD else 0
    seat = I64(state["player"])
    while True:  # those not asked yet: from the seat to act to the dealer
        out &= ~(1 << seat)
        if seat == state["dealer"]:
            return out
        seat = left_of(seat, players)


@inlined
def last_trick(state: Any) -> Any:
    """Cards of the last finished trick."""
    cards = NONE
    start = I64(state["trick_start"])
    size = 0
    for seat in range(SEATS):
        size += has(state["active"], seat)
    for i in range(max(0, start - size), start):
        cards |= bit(state["history"][i])
    return cards


@inlined
def relative_to(player: int, seat: int, players: int) -> int:
    """Places of `seat` to the left of `player`."""
    return seat - player if seat >= player else seat - player + players


@inlined
def _spread_cards(cards: Any, out: Any, offset: int) -> None:
    """The 36 bits of a set of cards; the last eight overlap the word before."""
    if cards != NONE:
        spread32(cards, out, offset)
        spread8(U64(cards) >> U64(28), out, offset + 28)


@inlined
def _spread_chips(amount: int, out: Any, offset: int) -> None:
    """A number of chips from 0 to LARGEST; what is larger shows as that."""
    if amount > 0:
        shown = min(amount, LARGEST)
        spread16(shown, out, offset)
        spread8(shown >> WORD, out, offset + WORD)


@inlined
def _mark(out: Any, offset: int, value: int, missing: int) -> None:
    """One-hot entry of a value, none for the value that means missing."""
    if value != missing:
        out[offset + I64(value)] = 1


@inlined
def _mark_seat(out: Any, offset: int, player: int, seat: int, players: int) -> None:
    if seat != NOBODY:
        out[offset + relative_to(player, seat, players)] = 1


@kernel
def observe(state: Any, player: int, out: Any) -> None:
    """Write what `player` knows into out[:OBSERVATION_SIZE], blocks as in layout.BLOCKS, seats counted from him."""
    observer = I64(player)
    players = I64(state["rules"]["players"])
    for i in range(OBSERVATION_SIZE):
        out[i] = 0
    _spread_cards(U64(state["hand"][observer]), out, HAND)
    _spread_cards(U64(state["thrown"][observer]), out, THROWN)
    _observe_table(state, observer, players, out)
    start = I64(state["trick_start"])
    for i in range(state["played"]):
        row = TABLE if i >= start else PLAYED
        relative = relative_to(observer, I64(state["movers"][i]), players)
        out[row + CARDS * relative + I64(state["history"][i])] = 1
    if start > 0:
        _spread_cards(last_trick(state), out, LAST_TRICK)
    passed = passed_seats(state)
    seat = observer
    for relative in range(players):
        _observe_seat(state, seat, relative, passed, out)
        seat = left_of(seat, players)


@inlined
def _observe_table(state: Any, player: int, players: int, out: Any) -> None:
    """What lies open, who is who, the pot; and the observer's own failed duties."""
    _mark(out, UP, state["up"], NO_CARD)
    _mark(out, SHOWN, state["shown"], NO_CARD)
    _mark(out, TRUMP, state["trump"], NO_SUIT)
    _mark(out, PHASE, state["phase"], NOBODY)
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
    spread16(state["deals"], out, DEALS)
    pot = I64(state["pot"])
    _spread_chips(pot, out, POT)
    stakes = min(pot // I64(state["rules"]["stake"]), WORD)
    spread16(bit(stakes) - U64(1), out, POT_STAKES)


@inlined
def _observe_seat(state: Any, seat: int, relative: int, passed: int, out: Any) -> None:
    """What everybody knows of a seat."""
    out[ACTIVE + relative] = has(state["active"], seat)
    out[PASSED + relative] = has(passed, seat)
    out[SWAPPING + relative] = has(state["swapping"], seat)
    _spread_cards(U64(state["absent"][seat]), out, ABSENT + CARDS * relative)
    spread8(state["swaps"][seat], out, SWAPS + BYTE * relative)
    spread8(state["tricks"][seat], out, TRICKS + BYTE * relative)
    balance = I64(state["chips"][seat]) - I64(state["rules"]["start_chips"])
    _spread_chips(balance, out, WON + LONG * relative)
    _spread_chips(-balance, out, LOST + LONG * relative)


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
        state["swaps"][seat] = I64(_read(observation, SWAPS + BYTE * seat, BYTE))
        state["tricks"][seat] = I64(_read(observation, TRICKS + BYTE * seat, BYTE))
        won = I64(_read(observation, WON + LONG * seat, LONG))
        state["chips"][seat] = start + won - I64(_read(observation, LOST + LONG * seat, LONG))
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
    state["pot"] = I64(_read(observation, POT, LONG))
    if state["trump"] != NO_SUIT:
        state["trumps"] = TRUMPS[4 * I64(state["rules"]["order"]) + I64(state["trump"])]
    _recall_tricks(state, observation)


@kernel
def _recall_tricks(state: Any, observation: Any) -> None:
    """Finished tricks, the last one at the end, and the cards of the current trick in the order played."""
    played = 0
    for newest in range(2):
        for seat in range(SEATS):
            for card in range(CARDS):
                recent = observation[LAST_TRICK + card] != 0
                if observation[PLAYED + CARDS * seat + card] and recent == (newest == 1):
                    state["history"][played] = card
                    state["movers"][played] = seat
                    played += 1
    state["trick_start"] = played
    if played > 0 and state["rules"]["winner_leads_trump"]:
        state["led"] = state["trumps"]
    seat = I64(state["leader"])
    for _ in range(SEATS):
        card = _read_one_hot(observation, TABLE + CARDS * seat, CARDS, NO_CARD) if seat != NOBODY else NO_CARD
        if card == NO_CARD:
            break
        _recall_card(state, seat, card, played)
        played += 1
        seat = next_in(I64(state["active"]), seat, I64(state["rules"]["players"]))
        if seat == state["leader"]:
            break
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
    lowest_rank = 0 if state["rules"]["cards"] == CARDS else 1
    cards = NONE
    for suit in range(4):
        for rank in range(lowest_rank, CARDS // 4):
            cards |= bit(CARDS // 4 * suit + rank)
    return cards
