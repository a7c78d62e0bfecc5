"""Zwicken in words, for people: all that is there, or what one seat knows."""

from __future__ import annotations

from typing import Any

from cardsim.cards import SUIT_SIGNS
from cardsim.games.zwicken.knowledge import passed_seats
from cardsim.games.zwicken.layout import (
    ACE_FAULT,
    ACTION_NAMES,
    BELLI_FAULT,
    DEAL,
    NO_CARD,
    OVER,
    PACK,
    PHASES,
    REASONS,
    SWAP,
)
from cardsim.games.zwicken.legal import legal_actions
from cardsim.texts import ActionTexts, members, own_copy, signs

ACTIONS = ActionTexts(ACTION_NAMES, PACK, "AH, play or stop")
DUTIES = ((ACE_FAULT, "the Ace's"), (BELLI_FAULT, "the Belli's"))


def describe(state: Any, player: int | None = None) -> str:
    """A state in words, several lines.

    Args:
        state: one record of STATE, or an array of shape (1,).
        player: whose view it is: only what that seat knows, at the end nothing but the cards played (ZP31); -1 is
            what everybody knows, None shows all cards.

    Raises:
        ValueError: no such player.
    """
    state = own_copy(state, player)[0]
    players = int(state["rules"]["players"])
    if state["up"] == NO_CARD:
        return "\n".join([_describe_pot(state), *_describe_next(state)])
    lines = [_describe_table(state, player), _describe_trick(state)]
    lines += [_describe_seat(state, seat, player) for seat in range(players)]
    return "\n".join([*lines, *_describe_turn(state, player)])


def _describe_pot(state: Any) -> str:
    void = int(state["attempts"]) - (state["up"] != NO_CARD)
    chips = ", ".join(map(str, state["chips"][: state["rules"]["players"]]))
    parts = [f"Pot: {state['pot']} chips", f"balances by seat: {chips}"]
    return "; ".join(parts + ([f"void cuts: {void}"] if void > 0 else []))


def _describe_table(state: Any, player: int | None) -> str:
    parts = [f"Trumps: {SUIT_SIGNS[state['trump']]}, turned card: {signs(PACK, [int(state['up'])])}"]
    if state["shown"] != NO_CARD:
        parts.append(f"shown by the cut: {signs(PACK, [int(state['shown'])])}")
    parts.append(f"talon: {state['talon_left']} cards")
    if player is None and state["talon_left"]:
        parts.append(f"next: {signs(PACK, [int(card) for card in state['deck'] if card != NO_CARD])}")
    return "; ".join(parts) + "\n" + _describe_pot(state)


def _describe_trick(state: Any) -> str:
    table = range(state["trick_start"], state["played"])
    cards = [f"seat {state['movers'][i]} {signs(PACK, [int(state['history'][i])])}" for i in table]
    return "Trick: " + (", ".join(cards) or "nothing yet")


def _describe_seat(state: Any, seat: int, player: int | None) -> str:
    roles = ["dealer"] if state["dealer"] == seat and state["phase"] not in (DEAL, OVER) else []
    if state["active"] >> seat & 1:
        roles.append("plays")
    elif passed_seats(state) >> seat & 1:
        roles.append("has passed")
    title = f"Seat {seat}" + (f" ({', '.join(roles)})" if roles else "")
    own, hand = player in (None, seat), state["hand"][seat]
    parts = [signs(PACK, members(hand)) if own else f"{int(hand).bit_count()} cards"]
    if not own and state["shown_seat"] == seat:
        parts[0] += f", among them {signs(PACK, [int(state['shown'])])}"
    parts.append(f"{state['tricks'][seat]} tricks")
    if state["swaps"][seat]:
        parts.append(f"laid away {signs(PACK, members(state['thrown'][seat])) if own else state['swaps'][seat]}")
    if state["phase"] == SWAP and state["swapping"] >> seat & 1:
        parts.append("may still swap")
    duties = [name for bit, name in DUTIES if own and state["faults"][seat] & bit]
    if duties:
        parts.append(f"has failed a duty: {' and '.join(duties)}")
    return f"{title}: {'; '.join(parts)}"


def _describe_turn(state: Any, player: int | None) -> list[str]:
    if state["phase"] in (DEAL, OVER):
        gained = ", ".join(f"{chips:+d}" for chips in state["gained"][: state["rules"]["players"]])
        ended = f"The deal is over ({REASONS[state['reason']]}); chips gained by seat: {gained}"
        return [ended, *(_describe_next(state) if state["phase"] == DEAL else [])]
    turn = f"Seat {state['player']} is to act ({PHASES[state['phase']]})"
    if player not in (None, int(state["player"])):
        return [turn]
    return [turn, f"Legal: {', '.join(ACTIONS.legal_texts(legal_actions(state)))}"]


def _describe_next(state: Any) -> list[str]:
    return [f"The next hand is to be dealt by seat {state['dealer']}."]
