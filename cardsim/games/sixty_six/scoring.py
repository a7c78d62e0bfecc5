"""Sixty-Six kernels: how a deal is settled, and a match."""

from __future__ import annotations

from typing import Any

from cardsim.games.sixty_six.layout import (
    BEATEN_CLOSER,
    CARD_POINTS,
    CLAIM,
    CLAIMS,
    COUNTED,
    DEAL,
    EXHAUSTED,
    FAILED_CLOSE,
    FALSE_CLAIM,
    FALSE_CLAIMS,
    GAME_POINTS,
    GOAL,
    NOBODY,
    OVER,
    SCHNEIDER,
    TIE,
    TRICKS,
    WINS,
)
from cardsim.games.sixty_six.rules import FOUR_HAND, OPTIONS, THOUSAND_ONE, THREE_HAND, TWO_HAND
from cardsim.jit import kernel

AT_CLOSE = OPTIONS["close_score"].code("at_close")
ALWAYS_3 = OPTIONS["failed_close"].code("always_3")
AT_END = OPTIONS["failed_close"].code("2_or_3_at_end")
FLAT2 = OPTIONS["beaten_closer"].code("flat2")
AS_CLAIM = OPTIONS["beaten_closer"].code("as_claim")
SCHWARZ3 = OPTIONS["false_claim"].code("schwarz3")
LAST_TRICK_WINS = OPTIONS["exhausted"].code("last_trick_wins")
CARRY1 = OPTIONS["tie"].code("carry1")
LAST_TRICK = OPTIONS["tie"].code("last_trick")
WINNER_DEALS = OPTIONS["next_dealer"].code("winner")
SHARES = OPTIONS["idle_dealer"].code("shares")
LAST_TRICK_BONUS = 10


@kernel
def side_of(state: Any, seat: int) -> int:
    """Side of a seat: the seat itself, or its parity where partners play (SP26)."""
    return seat & 1 if state["rules"]["teams"] else seat


@kernel
def other_side(state: Any, side: int) -> int:
    """The opposing side where there are two (not for three players of 1001)."""
    if state["rules"]["form"] == THREE_HAND:
        return 3 - state["dealer"] - side  # type: ignore[no-any-return]
    return 1 - side


@kernel
def claim_value(points: int, tricks: int) -> int:
    """Game points for beating a side that stands at these points and tricks."""
    if tricks == 0:  # SQ23
        return 3
    return 2 if points < SCHNEIDER else 1  # S16


@kernel
def failed_value(state: Any) -> int:
    """Game points that a failed close pays the closer's opponent."""
    rules = state["rules"]
    if rules["failed_close"] == ALWAYS_3:  # SQ5
        return 3
    if rules["failed_close"] == AT_END:  # SP32
        return 3 if state["tricks"][other_side(state, side_of(state, state["closer"]))] == 0 else 2
    return 3 if state["close_tricks"] == 0 else 2  # S19, SP16


@kernel
def settle_claim(state: Any, player: int) -> None:
    """Verify a claim of 66 and end the deal (S15-S18)."""
    side = side_of(state, player)
    if state["points"][side] >= GOAL:
        state["counts"][player, CLAIMS] += 1
        _settle_true_claim(state, side)
    else:
        state["counts"][player, FALSE_CLAIMS] += 1
        _settle_false_claim(state, side)


@kernel
def _settle_true_claim(state: Any, side: int) -> None:
    rules = state["rules"]
    other = other_side(state, side)
    now = claim_value(state["points"][other], state["tricks"][other])
    closer = state["closer"]
    if closer == NOBODY:
        _award(state, side, now, CLAIM)
    elif side_of(state, closer) == side:
        at_close = rules["close_score"] == AT_CLOSE  # SQ4
        _award(state, side, claim_value(state["close_points"], state["close_tricks"]) if at_close else now, CLAIM)
    elif rules["beaten_closer"] == FLAT2:  # SQ6
        _award(state, side, 2, BEATEN_CLOSER)
    elif rules["beaten_closer"] == AS_CLAIM:  # SP32
        _award(state, side, now, BEATEN_CLOSER)
    else:
        _award(state, side, failed_value(state), BEATEN_CLOSER)


@kernel
def _settle_false_claim(state: Any, side: int) -> None:
    other = other_side(state, side)
    value = 3 if state["rules"]["false_claim"] == SCHWARZ3 and state["tricks"][other] == 0 else 2  # SQ18
    closer = state["closer"]
    if closer != NOBODY and side_of(state, closer) == side:
        value = max(value, failed_value(state))  # SQ19, SP18
    _award(state, other, value, FALSE_CLAIM)


@kernel
def settle_played_out(state: Any) -> None:
    """Settle a deal whose last trick is won and that nobody claims."""
    rules = state["rules"]
    last = side_of(state, state["leader"])
    state["played_out"] += 1
    if state["closer"] != NOBODY:  # S19
        _award(state, other_side(state, side_of(state, state["closer"])), failed_value(state), FAILED_CLOSE)
    elif rules["form"] == THOUSAND_ONE:
        _count_points(state)
    elif not rules["claim_allowed"]:
        state["points"][last] += LAST_TRICK_BONUS
        _settle_american(state, last)
    elif rules["exhausted"] == LAST_TRICK_WINS:
        _award(state, last, 1, EXHAUSTED)  # SP19
    else:
        state["points"][last] += LAST_TRICK_BONUS  # S14
        _settle_totals(state, last)


@kernel
def _settle_totals(state: Any, last: int) -> None:
    other = other_side(state, last)
    difference = state["points"][last] - state["points"][other]
    if difference == 0 and state["rules"]["tie"] != LAST_TRICK:
        _settle_tie(state)
        return
    winner = last if difference >= 0 else other
    loser = other_side(state, winner)
    _award(state, winner, claim_value(state["points"][loser], state["tricks"][loser]), EXHAUSTED)


@kernel
def _settle_american(state: Any, last: int) -> None:
    other = other_side(state, last)
    difference = state["points"][last] - state["points"][other]
    if difference == 0 and state["rules"]["tie"] != LAST_TRICK:
        _settle_tie(state)
        return
    winner = last if difference >= 0 else other
    total = state["points"][winner]
    _award(state, winner, 3 if total >= 130 else 2 if total >= 100 else 1, COUNTED)  # SP28


@kernel
def _settle_tie(state: Any) -> None:
    state["ties"] += 1
    if state["rules"]["tie"] == CARRY1:  # SP20
        state["carry"] += 1
    state["reason"] = TIE
    _after_deal(state)


@kernel
def _count_points(state: Any) -> None:
    """1001: every seat scores its points; pending marriages are lost (SP29)."""
    players = state["rules"]["players"]
    best = 0
    for seat in range(players):
        state["gained"][seat] = state["points"][seat]
        state["scores"][seat] += state["points"][seat]
        state["counts"][seat, GAME_POINTS] += state["points"][seat]
        if state["points"][seat] > state["points"][best]:
            best = seat
    alone = True
    for seat in range(players):
        alone = alone and (seat == best or state["points"][seat] < state["points"][best])
    state["reason"] = COUNTED
    if alone:
        _mark_winner(state, best)
    else:
        state["ties"] += 1
    _after_deal(state)


@kernel
def _mark_winner(state: Any, side: int) -> None:
    state["winner"] = side
    state["decided"] += 1
    forehand = (state["dealer"] + 1) % state["rules"]["players"]
    if side_of(state, forehand) == side:
        state["forehand_wins"] += 1
    for seat in range(state["rules"]["players"]):
        if side_of(state, seat) == side:
            state["counts"][seat, WINS] += 1


@kernel
def _award(state: Any, side: int, value: int, reason: int) -> None:
    """Pay game points to a side, what ties carried on top, and end the deal."""
    rules = state["rules"]
    value += state["carry"]
    state["carry"] = 0
    state["reason"] = reason
    _mark_winner(state, side)
    for seat in range(rules["players"]):
        paid = 0
        if side_of(state, seat) == side:
            paid = value
        elif rules["form"] == THREE_HAND and rules["idle_dealer"] == SHARES and seat == state["dealer"]:
            paid = max(0, min(value, rules["target"] - 1 - state["scores"][seat]))  # SP23
        state["gained"][seat] = paid
        state["scores"][seat] += paid
        state["counts"][seat, GAME_POINTS] += paid
    _after_deal(state)


@kernel
def _after_deal(state: Any) -> None:
    rules = state["rules"]
    for seat in range(rules["players"]):
        side = side_of(state, seat)
        state["counts"][seat, TRICKS] += state["tricks"][side]
        state["counts"][seat, CARD_POINTS] += state["points"][side]
    state["pending"][:] = 0
    state["player"] = NOBODY
    if not rules["match"] or match_leader(state) != NOBODY:
        state["phase"] = OVER
        return
    state["phase"] = DEAL
    if rules["form"] == TWO_HAND and rules["next_dealer"] == WINNER_DEALS:  # SP21
        if state["winner"] != NOBODY:
            state["dealer"] = state["winner"]
    else:
        state["dealer"] = (state["dealer"] + 1) % rules["players"]


@kernel
def match_leader(state: Any) -> int:
    """Seat that has won the match (one of the winning partners), or NOBODY."""
    rules = state["rules"]
    best = 0
    for seat in range(rules["players"]):
        if state["scores"][seat] > state["scores"][best]:
            best = seat
    if state["scores"][best] < rules["target"]:
        return NOBODY
    for seat in range(rules["players"]):
        if side_of(state, seat) != side_of(state, best) and state["scores"][seat] == state["scores"][best]:
            return NOBODY  # SP29: equal highest scores play on
    return best


@kernel
def is_matsch(state: Any, winner: int) -> bool:
    """Whether every loser of the match has nothing (SP22; 1001 has none)."""
    rules = state["rules"]
    if rules["form"] == THOUSAND_ONE:
        return False
    for seat in range(rules["players"]):
        if side_of(state, seat) != side_of(state, winner) and state["scores"][seat] != 0:
            return False
    return True


@kernel
def returns(state: Any, out: Any) -> None:
    """Write each seat's return into out[:players].

    A single deal: game points gained less those of the opponents (1001: points gained less the mean of the others'; the
    idle dealer of three_hand: his own). A match: +1 for the winning seats, the same in all from the losing ones; twice that
    for a Matsch with `matsch_double`. Zero until the episode is over.
    """
    rules = state["rules"]
    players = rules["players"]
    for seat in range(players):
        out[seat] = 0.0
    if state["phase"] != OVER:
        return
    if rules["match"]:
        _match_returns(state, out)
        return
    total = 0
    for seat in range(players):
        total += state["gained"][seat]
    for seat in range(players):
        mine = state["gained"][seat]
        if rules["form"] == THREE_HAND:
            idle = seat == state["dealer"]
            out[seat] = mine if idle else 2.0 * mine - (total - state["gained"][state["dealer"]])
        elif rules["form"] == FOUR_HAND:
            out[seat] = mine - state["gained"][(seat + 1) % players]
        else:
            out[seat] = mine - (total - mine) / (players - 1)


@kernel
def _match_returns(state: Any, out: Any) -> None:
    players = state["rules"]["players"]
    winner = match_leader(state)
    stake = 2.0 if state["rules"]["matsch_double"] and is_matsch(state, winner) else 1.0
    for seat in range(players):
        if side_of(state, seat) == side_of(state, winner):
            out[seat] = stake
        else:
            out[seat] = -stake / 2.0 if players == 3 else -stake
