"""Sixty-Six positions as text: whether a position that was read can stand on a table."""

from __future__ import annotations

from typing import Any

from cardsim.games.sixty_six.basics import draws_made, is_open, side_of
from cardsim.games.sixty_six.layout import (
    ASK_EXCHANGE,
    ASK_PAIR,
    BEATEN_CLOSER,
    CARDS,
    COUNTED,
    DEAL,
    DRAW,
    EXHAUSTED,
    FAILED_CLOSE,
    FALSE_CLAIM,
    FOLLOW,
    KING,
    LAST,
    LEAD,
    NO_CARD,
    NOBODY,
    OVER,
    PACK,
    QUEEN,
    RANK_POINTS,
    REASONS,
    TIE,
    UNDECIDED,
)
from cardsim.games.sixty_six.legal import declarable, legal_actions
from cardsim.games.sixty_six.position_keys import (
    LIMIT,
    following,
    idle_seat,
    key_text,
    num_sides,
    seat_to_act,
)
from cardsim.games.sixty_six.rules import OPTIONS, THOUSAND_ONE
from cardsim.games.sixty_six.scoring import match_leader
from cardsim.positions import cards_text, refuse

AUTO = OPTIONS["claims"].code("auto")
CARRY1, LAST_TRICK = (OPTIONS["tie"].code(value) for value in ("carry1", "last_trick"))
SHARES = OPTIONS["idle_dealer"].code("shares")
DEAL_WORTH = 3
"""Most game points that a single deal can be worth."""


def check_position(state: Any, dealt: bool) -> None:
    """Refuse a position that play cannot reach, as far as that shows on the table.

    Args:
        state: the record.
        dealt: whether a deal lies on the table, as at all times but before the first deal.

    Raises:
        ValueError: naming a key, its value and what is wrong with it.
    """
    if dealt:
        _check_cards(state)
        _check_talon(state)
        _check_tricks(state)
        _check_hands(state)
        _check_marriages(state)
        _check_phase(state)
    _check_end(state, dealt)


def _refuse(state: Any, wrong: Any, key: str, why: str) -> None:
    refuse(wrong, key, key_text(state, key), why)


def _is_finished(state: Any) -> bool:
    return state["phase"] in (DEAL, OVER)


def _check_cards(state: Any) -> None:
    """Every card has a place, and the turned card is where the rules say."""
    rules, cards = state["rules"], int(state["rules"]["cards"])
    placed = sum(1 << int(card) for card in {*state["deck"], *state["history"], state["up"]} - {NO_CARD})
    pack = sum(1 << card for card in range(CARDS) if card >> 3 < rules["suits"] and card & 7 >= 8 - rules["ranks"])
    missing = pack & ~placed & ~int(state["hand"].sum())
    if missing:
        where = f"all {cards} cards need a place in hands, up, talon or history"
        raise ValueError(f"position: {cards_text(PACK, missing)} missing: to be played, {where}")
    turned = rules["talon"] and rules["form"] != THOUSAND_ONE
    swap = PACK.names[min(8 * int(state["trump"]) + int(rules["swap_rank"]), CARDS - 1)]
    up, first, swapped = key_text(state, "up"), key_text(state, "up_first"), state["swapper"] != NOBODY
    last = turned and state["talon_left"] > 0 and state["up"] == NO_CARD
    _refuse(state, not turned and state["up"] != NO_CARD, "up", "these rules turn no card")
    _refuse(state, not turned and state["up_first"] != NO_CARD, "up_first", "these rules turn no card")
    _refuse(state, last, "up", "the turned card is drawn last, so the talon needs it")
    _refuse(state, turned and not pack >> int(state["up_first"]) & 1, "up_first", "is not in this pack")
    if state["up"] != NO_CARD:
        _refuse(state, swapped and up != swap, "up", f"swapper has put {swap} there")
        _refuse(state, not swapped and up != first, "up_first", f"is {up} as long as nobody exchanges (swapper)")
    _refuse(state, swapped and not turned, "swapper", "these rules know no exchange")
    _refuse(state, swapped and first == swap, "up_first", "is the card that takes the turned one")


def _check_talon(state: Any) -> None:
    """As many cards are drawn as the tricks allow; when the talon was closed and the exchange made."""
    rules, active = state["rules"], int(state["rules"]["active"])
    total, left = int(rules["cards"]) - active * int(rules["hand_cards"]), int(state["talon_left"])
    over = int(state["played"]) // active
    most = min(over - (state["phase"] == DRAW), total // 2)
    open_ = state["closer"] == NOBODY
    _refuse(state, most < 0, "phase", "no trick is over yet")
    least = max(0, min(most, over - _is_finished(state))) if open_ else 0
    draws, odd = divmod(total - left, 2)
    if odd or not least <= draws <= most:
        sizes = " or ".join(str(total - 2 * k) for k in range(least, most + 1)) or "another number"
        after = f"after {over} tricks it must have {sizes}"
        raise ValueError(f"position: the talon has {left} cards with the turned one; {after}")
    seats = [seat for seat in range(int(rules["players"])) if seat != idle_seat(state)]
    _refuse(state, not open_ and not rules["close_allowed"], "closer", "these rules know no closing")
    _refuse(state, not open_ and state["closer"] not in seats, "closer", f"must be one of {seats}")
    _refuse(state, not open_ and left < rules["close_min_talon"], "closer", f"the talon has {left} cards")
    at = [] if open_ else [active * k for k in (draws, draws + 1) if k <= over]
    _refuse(state, state["close_played"] not in (at or [0]), "close_played", f"must be one of {at or [0]}")
    _refuse(state, open_ and state["close_points"], "close_points", "nobody closed")
    _refuse(state, int(state["close_tricks"]) * active > state["close_played"], "close_tricks", "so many were not over")
    swapped = state["swapper"] != NOBODY
    _refuse(state, swapped and state["swapper"] not in seats, "swapper", f"must be one of {seats}")
    _refuse(
        state,
        state["swap_draws"] > (draws if swapped else 0),
        "swap_draws",
        f"{draws} cards are drawn by each",
    )
    barred = state["barred"]
    _refuse(state, barred.any() and not state["rules"]["barrable"], "barred", "these rules bar no card")
    _refuse(state, (barred > draws + 1).any(), "barred", f"the next draw is number {draws + 1}")


def _check_hands(state: Any) -> None:
    """Hands have the sizes that go with the tricks, and nothing certain contradicts them."""
    rules = state["rules"]
    draws = int(draws_made(state))
    for seat in range(int(rules["players"])):
        plays = int((state["movers"][: state["played"]] == seat).sum())
        want = 0 if seat == idle_seat(state) else int(rules["hand_cards"]) + draws - plays
        hand = int(state["hand"][seat])
        if hand.bit_count() != want:
            raise ValueError(f"position: hands: seat {seat} has {hand.bit_count()} cards, must have {want}")
        for key, wrong in (
            ("known", int(state["known"][seat]) & ~hand),
            ("absent", int(state["absent"][seat]) & hand),
        ):
            if wrong:
                raise ValueError(f"position: {key}: {cards_text(PACK, wrong)} contradicts the hand of seat {seat}")


def _check_tricks(state: Any) -> None:
    """Who played, won and leads."""
    rules, active, played = state["rules"], int(state["rules"]["active"]), int(state["played"])
    finished, leader = _is_finished(state), int(state["leader"])
    over, begun = divmod(played, active)
    seats = [seat for seat in range(int(rules["players"])) if seat != idle_seat(state)]
    for start in range(0, played, active):
        movers = [int(seat) for seat in state["movers"][start : min(start + active, played)]]
        if len(set(movers)) < len(movers) or not set(movers) <= set(seats):
            raise ValueError(f"position: history: trick {start // active + 1} cannot be by seats {movers}")
    starts = {played - begun} | ({played - active} if finished and over and not begun else set())
    first = following(state, int(state["dealer"]))
    opens = not played and not finished
    _refuse(state, leader not in seats, "leader", f"must be one of {seats}")
    _refuse(state, begun and leader != state["movers"][played - begun], "leader", "another seat led this trick")
    _refuse(state, opens and leader != first, "leader", f"seat {first} leads first, on the dealer's left")
    _refuse(state, state["trick_start"] not in starts, "trick_start", f"must be one of {sorted(starts)}")
    _refuse(state, state["tricks"].sum() != over, "tricks", f"{over} tricks are over")
    for side in range(num_sides(state)):
        _refuse(state, state["points"][side] and not state["tricks"][side], "points", "needs a trick")
    _refuse(state, (state["pending"] % 20).any(), "pending", "must be multiples of 20")
    _refuse(state, finished and state["pending"].any(), "pending", "nothing waits once a deal is over")


def _check_marriages(state: Any) -> None:
    rules, leader = state["rules"], int(state["leader"])
    _refuse(state, state["declared"] and not rules["marriages"], "declared", "these rules know no marriages")
    partners = rules["teams"] and rules["partner_meld"]
    for key, seat, allowed in (("lead_pair", leader, True), ("partner_pair", leader ^ 2, partners)):
        suit = int(state[key])
        if suit == NOBODY:
            continue
        gone = state["swapper"] == seat and rules["swap_rank"] == QUEEN and suit == state["trump"]  # SP38
        shown = int(state["hand"][seat]) >> (8 * suit + QUEEN) & 3 in ((2, 3) if gone else (3,))
        _refuse(state, not allowed, key, "partners cannot declare under these rules")
        _refuse(state, not state["declared"] >> suit & 1, key, "is not among declared")
        _refuse(state, state["phase"] in (DRAW, LAST, ASK_PAIR), key, "is over between tricks")
        _refuse(state, state["phase"] in (LEAD, ASK_EXCHANGE) and not shown, key, f"seat {seat} does not hold it")


def _check_phase(state: Any) -> None:
    """The seat to act is the right one and has something to decide."""
    rules, phase = state["rules"], int(state["phase"])
    begun = state["played"] % rules["active"] != 0
    finished, claims = _is_finished(state), rules["claim_allowed"] and rules["claims"] != AUTO
    draws = rules["draw_node"] and state["played"] and is_open(state)
    short = state["talon_left"] < rules["close_min_talon"]
    _refuse(state, phase == FOLLOW and not begun, "phase", "no card is on the table")
    _refuse(state, phase != FOLLOW and begun and not finished, "phase", "a trick is on the table: must be follow")
    _refuse(state, phase == DRAW and (short or not draws), "phase", "nobody is asked before a draw here")
    _refuse(state, phase == LAST and (state["hand"].any() or not claims), "phase", "there is no last claim here")
    _refuse(state, phase == ASK_EXCHANGE and not rules["exchange_on_close"], "phase", "exchange_on_close is false")
    _refuse(state, phase == ASK_EXCHANGE and state["closer"] != state["leader"], "closer", "must be the leader")
    _refuse(state, phase == ASK_PAIR and not rules["partner_meld"], "phase", "option partner_meld is false")
    actor = seat_to_act(state)
    name = "-" if actor == NOBODY else actor
    _refuse(state, state["player"] != actor, "player", f"must be {name}, phase is {key_text(state, 'phase')}")
    if finished:
        return
    swap = 8 * int(state["trump"]) + int(rules["swap_rank"])
    asked = phase == ASK_EXCHANGE and not int(state["hand"][actor]) >> swap & 1
    _refuse(state, asked, "player", f"has no {PACK.names[min(swap, CARDS - 1)]} to exchange")
    _refuse(state, phase == ASK_PAIR and not declarable(state, actor), "player", "has no marriage")
    _refuse(state, not legal_actions(state), "player", "has no legal action")


def _check_end(state: Any, dealt: bool) -> None:
    """How the last deal ended, and the match."""
    rules, reason = state["rules"], int(state["reason"])
    finished = _is_finished(state) and dealt
    match = bool(rules["match"])
    won = match_leader(state) != NOBODY and match
    why = f"reason is {key_text(state, 'reason')}"
    nobody = state["winner"] == NOBODY
    single = state["phase"] == DEAL and not match and state["deals"]
    _refuse(state, dealt and not state["deals"], "deals", "cards are dealt, so it must be at least 1")
    _refuse(state, single, "phase", "only a match has another deal")
    if match:
        wrong = (state["phase"] == OVER) != won
        _refuse(state, wrong, "scores", f"{'win' if won else 'do not win'} the match, against the phase")
    _refuse(state, finished and reason == UNDECIDED, "reason", "the deal is over")
    _refuse(state, not finished and reason != UNDECIDED, "reason", "the deal is not over")
    _refuse(state, not finished and state["gained"].any(), "gained", "the deal is not over")
    _refuse(state, nobody and reason not in (TIE, COUNTED, UNDECIDED), "winner", why)
    _refuse(state, not nobody and reason in (TIE, UNDECIDED), "winner", why)
    tied = finished and reason == TIE and rules["tie"] == CARRY1
    _refuse(state, not match and state["carry"] != tied, "carry", f"must be {int(tied)}: only a match carries on")
    if dealt and rules["form"] == THOUSAND_ONE:
        _check_sum(state)
    if finished:
        _check_reason(state)
        _check_gained(state)


def _check_sum(state: Any) -> None:
    """In 1001, where points are the returns, no more points than tricks and marriages hold."""
    history = [int(card) for card in state["history"][: state["played"]]]
    # A marriage whose cards are gone may have been declared, also where the text does not say so.
    gone = {card >> 3 for card in history if card & 7 in (QUEEN, KING)}
    pairs = sum(40 + 20 * suit for suit in range(4) if int(state["declared"]) >> suit & 1 or suit in gone)
    most = sum(RANK_POINTS[card & 7] for card in history) + pairs
    total = int(state["points"].sum()) + int(state["pending"].sum())
    _refuse(state, total > most, "points", f"tricks and marriages hold at most {most}, with pending")


def _check_reason(state: Any) -> None:
    """A finished deal ended as these rules allow, by the right side."""
    rules, reason, winner = state["rules"], int(state["reason"]), int(state["winner"])
    thousand, counts, closed = rules["form"] == THOUSAND_ONE, not rules["claim_allowed"], state["closer"] != NOBODY
    name = f"{key_text(state, 'reason')} does not"
    beaten = reason in (BEATEN_CLOSER, FAILED_CLOSE)
    ended = {COUNTED, *(() if thousand else (TIE,))} if counts else {*range(len(REASONS))} - {UNDECIDED, COUNTED}
    _refuse(state, reason not in ended, "reason", "these rules end no deal so")
    _refuse(state, reason == FALSE_CLAIM and not rules["claim_by_hand"], "reason", "these rules know no false claim")
    _refuse(state, reason == TIE and rules["tie"] == LAST_TRICK, "reason", "these rules know no tie")
    _refuse(state, beaten and not closed, "reason", "nobody closed")
    _refuse(state, closed and reason in (EXHAUSTED, TIE), "reason", f"seat {state['closer']} closed")
    played_out = reason in (FAILED_CLOSE, EXHAUSTED, TIE, COUNTED)
    _refuse(state, played_out and state["hand"].any(), "reason", "cards are left to play")
    own = closed and side_of(state, int(state["closer"])) == winner
    _refuse(state, beaten and own, "winner", f"{name} pay the closer's side")
    _refuse(state, not rules["teams"] and winner == idle_seat(state) != NOBODY, "winner", "sits out")
    if thousand:
        points = [int(number) for number in state["points"][: int(rules["players"])]]
        best = points.index(max(points)) if points.count(max(points)) == 1 else NOBODY
        shown = "-" if best == NOBODY else best
        _refuse(state, winner != best, "winner", f"must be {shown}, by the points")


def _check_gained(state: Any) -> None:
    """Game points go to one side and, with shares, to the idle dealer; in 1001 each seat has its points (SP29)."""
    rules, winner = state["rules"], int(state["winner"])
    players = int(rules["players"])
    gained = [int(number) for number in state["gained"][:players]]
    if rules["form"] == THOUSAND_ONE:
        points = [int(number) for number in state["points"][:players]]
        _refuse(state, gained != points, "gained", f"must be the points {','.join(map(str, points))}")
        return
    won = [gained[seat] for seat in range(players) if side_of(state, seat) == winner]
    most = LIMIT if rules["match"] else DEAL_WORTH
    worth = won[0] if won else 0
    _refuse(state, won and not 1 <= worth <= most, "gained", f"the winner must gain from 1 to {most}")
    _refuse(state, len(set(won)) > 1, "gained", "partners gain the same")
    for seat in range(players):
        if side_of(state, seat) != winner:
            share = worth if rules["idle_dealer"] == SHARES and seat == idle_seat(state) else 0
            _refuse(state, gained[seat] > share, "gained", f"seat {seat} can have at most {share}")
