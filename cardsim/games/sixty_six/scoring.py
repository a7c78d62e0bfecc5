"""Sixty-Six kernels: how a deal is settled, and a match."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, U64
from cardsim.games.sixty_six.basics import other_side, side_of
from cardsim.games.sixty_six.layout import (
    BEATEN_CLOSER,
    CARD_POINTS,
    CLAIM,
    CLAIMED,
    CLAIMS,
    COUNTED,
    DEAL,
    EXHAUSTED,
    FAILED_CLOSE,
    FALSE_CLAIM,
    FALSE_CLAIMS,
    GAME_POINTS,
    NOBODY,
    OVER,
    TIE,
    TRICKS,
    WINS,
)
from cardsim.games.sixty_six.rules import FOUR_HAND, OPTIONS, THOUSAND_ONE, THREE_HAND, TWO_HAND
from cardsim.jit import inlined, kernel
from cardsim.seats import left_of

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


@inlined
def claim_value(state: Any, points: int, tricks: int) -> int:
    """Game points for beating a side that stands at these points and tricks."""
    if tricks == 0:  # SQ23
        return 3
    return 2 if points < state["rules"]["schneider"] else 1  # S16


@kernel
def failed_value(state: Any) -> int:
    """Game points that a failed close pays the closer's opponent."""
    rules = state["rules"]
    if rules["failed_close"] == ALWAYS_3:  # SQ5
        return 3
    if rules["failed_close"] == AT_END:  # SP32
        closer = I64(state["closer"])
        return 3 if state["tricks"][other_side(state, side_of(state, closer))] == 0 else 2
    return 3 if state["close_tricks"] == 0 else 2  # S19, SP16


@kernel
def settle(state: Any) -> None:
    """Settle a deal that the seat to act has claimed, or that is played out, and go on to the next or the end."""
    winner = _settle_claim(state) if state["phase"] == CLAIMED else _settle_played_out(state)
    worth = 0
    if winner != NOBODY:
        worth = I64(state["gained"][0]) + I64(state["carry"])
        state["carry"] = 0
    elif state["rules"]["tie"] == CARRY1 and state["reason"] == TIE:  # SP20
        state["carry"] += 1
    _book_result(state, winner, worth)
    _after_deal(state, winner)


@kernel
def _book_result(state: Any, winner: int, worth: int) -> None:
    """Pay the seats: the winning side `worth` game points, in 1001 every seat its points (SP29)."""
    rules = state["rules"]
    thousand = rules["form"] == THOUSAND_ONE
    shares = rules["idle_dealer"] == SHARES and rules["form"] == THREE_HAND
    for seat in range(I64(rules["players"])):
        side = U64(side_of(state, seat))
        at = U64(seat)
        points = I64(state["points"][side])
        won = I64(side) == winner
        paid = points if thousand else worth if won else 0
        if shares and seat == state["dealer"]:
            paid = max(0, min(worth, I64(rules["target"]) - 1 - I64(state["scores"][at])))  # SP23
        state["gained"][at] = paid
        state["scores"][at] += paid
        state["pending"][at] = 0
        counts = state["counts"][at]
        counts[GAME_POINTS] += paid
        counts[TRICKS] += state["tricks"][side]
        counts[CARD_POINTS] += points
        counts[WINS] += won


@kernel
def _settle_claim(state: Any) -> int:
    """Verify a claim (S15-S18): the winning side; what it is worth is left in gained[0]."""
    player = I64(state["player"])
    side = side_of(state, player)
    other = other_side(state, side)
    closed = state["closer"] != NOBODY
    by_closer = closed and side_of(state, I64(state["closer"])) == side
    if state["points"][side] >= state["rules"]["goal"]:
        state["counts"][player, CLAIMS] += 1
        state["reason"] = BEATEN_CLOSER if closed and not by_closer else CLAIM
        state["gained"][0] = _claim_pays(state, other, closed, by_closer)
        return side
    state["counts"][player, FALSE_CLAIMS] += 1
    state["reason"] = FALSE_CLAIM
    value = 3 if state["rules"]["false_claim"] == SCHWARZ3 and state["tricks"][other] == 0 else 2  # SQ18
    if by_closer:
        value = max(value, failed_value(state))  # SQ19, SP18
    state["gained"][0] = value
    return other


@kernel
def _claim_pays(state: Any, other: int, closed: bool, by_closer: bool) -> int:
    """Game points of a true claim against side `other`."""
    rules = state["rules"]
    if by_closer and rules["close_score"] == AT_CLOSE:  # SQ4
        return claim_value(state, state["close_points"], state["close_tricks"])
    if closed and not by_closer:
        if rules["beaten_closer"] == FLAT2:  # SQ6
            return 2
        if rules["beaten_closer"] != AS_CLAIM:  # SP32
            return failed_value(state)
    return claim_value(state, state["points"][other], state["tricks"][other])


@kernel
def _settle_played_out(state: Any) -> int:
    """Settle a deal that nobody claims: the winning side or NOBODY; what it is worth is left in gained[0]."""
    rules = state["rules"]
    last = side_of(state, I64(state["leader"]))
    state["played_out"] += 1
    if state["closer"] != NOBODY:  # S19
        state["reason"] = FAILED_CLOSE
        state["gained"][0] = failed_value(state)
        return other_side(state, side_of(state, I64(state["closer"])))
    if rules["form"] == THOUSAND_ONE:
        state["reason"] = COUNTED
        return _most_points(state)
    state["reason"] = EXHAUSTED
    if rules["claim_allowed"] and rules["exhausted"] == LAST_TRICK_WINS:
        state["gained"][0] = 1  # SP19
        return last
    state["points"][last] += LAST_TRICK_BONUS  # S14, SP28
    return _settle_totals(state, last)


@kernel
def _settle_totals(state: Any, last: int) -> int:
    """The side with the higher total wins, or NOBODY; what it is worth is left in gained[0]."""
    rules = state["rules"]
    other = other_side(state, last)
    difference = I64(state["points"][last]) - I64(state["points"][other])
    if difference == 0 and rules["tie"] != LAST_TRICK:
        state["reason"] = TIE
        return NOBODY
    winner = last if difference >= 0 else other
    if rules["claim_allowed"]:
        loser = other_side(state, winner)
        state["gained"][0] = claim_value(state, state["points"][loser], state["tricks"][loser])
    else:
        total = state["points"][winner]
        state["reason"] = COUNTED
        state["gained"][0] = 3 if total >= 130 else 2 if total >= 100 else 1  # SP28
    return winner


@kernel
def _most_points(state: Any) -> int:
    """The seat that alone has most points (1001), or NOBODY."""
    best = 0
    alone = True
    for seat in range(1, state["rules"]["players"]):
        if state["points"][seat] >= state["points"][best]:
            alone = state["points"][seat] > state["points"][best]
            best = seat
    return best if alone else NOBODY


@kernel
def _after_deal(state: Any, winner: int) -> None:
    """Note who won; end the episode, or move the deal on."""
    rules = state["rules"]
    players = I64(rules["players"])
    dealer = I64(state["dealer"])
    forehand = left_of(dealer, players)
    state["winner"] = winner
    if winner == NOBODY:
        state["ties"] += 1
    else:
        state["decided"] += 1
        state["forehand_wins"] += side_of(state, forehand) == winner
    state["player"] = NOBODY
    if not rules["match"] or match_leader(state) != NOBODY:
        state["phase"] = OVER
        return
    state["phase"] = DEAL
    if rules["form"] != TWO_HAND or rules["next_dealer"] != WINNER_DEALS:
        state["dealer"] = forehand
    elif winner != NOBODY:  # SP21: after a draw the same player deals
        state["dealer"] = winner


@kernel
def match_leader(state: Any) -> int:
    """Seat that has won the match (one of the winning partners), or NOBODY."""
    rules = state["rules"]
    players = I64(rules["players"])
    best = 0
    for seat in range(players):
        if state["scores"][seat] > state["scores"][best]:
            best = seat
    if state["scores"][best] < rules["target"]:
        return NOBODY
    for seat in range(players):
        if side_of(state, seat) != side_of(state, best) and state["scores"][seat] == state["scores"][best]:
            return NOBODY  # SP29: equal highest scores play on
    return best


@kernel
def is_matsch(state: Any, winner: int) -> bool:
    """Whether every loser of the match has nothing (SP22; 1001 has none)."""
    rules = state["rules"]
    if rules["form"] == THOUSAND_ONE:
        return False
    for seat in range(I64(rules["players"])):
        if side_of(state, seat) != side_of(state, winner) and state["scores"][seat] != 0:
            return False
    return True


@kernel
def returns(state: Any, out: Any) -> None:
    """Write each seat's return into out[:players].

    A single deal: game points gained less those of the opponents (1001: points gained less the mean of the others'; the
    idle dealer of three_hand: his own). A match: +1 for the winning seats, the same in all from the losing ones;
    twice that for a Matsch with `matsch_double`. Zero until the episode is over.
    """
    rules = state["rules"]
    players = I64(rules["players"])
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
            out[seat] = mine if idle else mine - state["gained"][other_side(state, seat)]
        elif rules["form"] == FOUR_HAND:
            out[seat] = mine - state["gained"][(seat + 1) % players]
        else:
            out[seat] = mine - (total - mine) / (players - 1)


@kernel
def _match_returns(state: Any, out: Any) -> None:
    players = I64(state["rules"]["players"])
    winner = match_leader(state)
    stake = 2.0 if state["rules"]["matsch_double"] and is_matsch(state, winner) else 1.0
    for seat in range(players):
        if side_of(state, seat) == side_of(state, winner):
            out[seat] = stake
        else:
            out[seat] = -stake / 2.0 if players == 3 else -stake
