"""What lies on a table of Zwicken, for the picture of `render.py`."""

from __future__ import annotations

from typing import Any

from cardsim.cards import SUITS
from cardsim.game import Game
from cardsim.games.zwicken.basics import POWER
from cardsim.games.zwicken.knowledge import passed_seats
from cardsim.games.zwicken.layout import (
    ACE_FAULT,
    ACT_PLAY,
    ALL_PASSED,
    ANNOUNCE,
    BELLI_FAULT,
    DEAL,
    DURCHMARSCH,
    FOLLOW,
    LEAD,
    NO_CARD,
    NO_SUIT,
    OVER,
    SHARED,
    SWAP,
    UNOPPOSED,
)
from cardsim.games.zwicken.legal import BLOCK
from cardsim.games.zwicken.settling import session_winners
from cardsim.texts import members
from cardsim_envs.render import Scene, SeatView, counted

SUIT_ORDER = "SHCD"
"""Plain suits of a hand from left to right, after the trumps: the colours alternate."""
HEADINGS = {
    DEAL: "the next deal is to be dealt",
    ANNOUNCE: "{} stays or passes",
    SWAP: "{} may lay a card away",
    LEAD: "{} leads",
    FOLLOW: "{} plays to the trick",
}
ENDS = {
    SHARED: "over: the pot is shared",
    ALL_PASSED: "over: everybody passed",
    UNOPPOSED: "over: {} alone stayed",
    DURCHMARSCH: "over: Durchmarsch of {}",
}


def scene(game: Game, states: Any, show: str) -> Scene:
    """The table as it lies.

    Args:
        game: Zwicken under its rules.
        states: the state, shape (1,).
        show: `mover` shows what the seat to act knows, and once all is over what everybody knows (ZP31). `all` shows
            all.
    """
    state = states[0]
    mover = game.current_player(states)
    legal = game.legal_actions(states)
    names = game.action_names
    open_ = show == "all"
    playable = frozenset(names[action] for action in legal if action < ACT_PLAY)
    seats = [
        _seat(game, state, seat, playable if seat == mover else frozenset(), open_ or seat == mover)
        for seat in range(game.num_players)
    ]
    order = [(int(state["movers"][i]), names[state["history"][i]]) for i in range(state["played"])]
    start, size = int(state["trick_start"]), int(state["active"]).bit_count()
    left = int(state["talon_left"])
    return Scene(
        title=game.name,
        heading=_heading(state, mover),
        seats=seats,
        notes=_notes(state),
        trick=order[start:],
        talon=left,
        turned=_name(game, state["up"]),
        turned_counts=False,
        bottom=_name(game, state["shown"]) if left else None,
        pot=int(state["pot"]),
        trump=SUITS[state["trump"]] if state["trump"] != NO_SUIT else None,
        last_trick=[card for _, card in order[max(0, start - size) : start]],
        choices=[names[action] for action in legal if action >= ACT_PLAY],
    )


def _name(game: Game, card: Any) -> str | None:
    return None if card == NO_CARD else game.action_names[card]


def _heading(state: Any, mover: int) -> str:
    if state["phase"] != OVER:
        return HEADINGS[int(state["phase"])].format(f"player_{mover}")
    if state["rules"]["match"]:
        best = [f"player_{seat}" for seat in members(session_winners(state))]
        return f"over: {' and '.join(best)} {'has' if len(best) == 1 else 'have'} most chips"
    alone = state["reason"] == UNOPPOSED
    seat = int(state["active"]).bit_length() - 1 if alone else int(state["leader"])
    return ENDS[int(state["reason"])].format(f"player_{seat}")


def _notes(state: Any) -> list[str]:
    rules = state["rules"]
    counted_deals = rules["match"] and (rules["n_deals"] or not rules["target_chips"])
    limit = f" of {rules['deals_limit']}" if counted_deals else ""
    notes = [f"deal {state['deals']}{limit}, decision {state['decisions']}, stake {rules['stake']}"]
    if rules["match"] and rules["target_chips"]:
        notes.append(f"session to {counted(int(rules['target_chips']), 'chip')}")
    voided = int(state["attempts"]) - (int(state["phase"]) != DEAL)
    if voided > 0:
        notes.append(f"{counted(voided, 'void cut')} before this deal")
    if state["phase"] == SWAP and rules["swap_mode"] != BLOCK:
        notes.append(f"round {state['round'] + 1} of {rules['max_swaps']} of the swap")
    return notes


def _seat(game: Game, state: Any, seat: int, playable: frozenset[str], own: bool) -> SeatView:
    """A seat with its cards, if they are `own` or all are shown; others see the shown card that it drew (ZP17)."""
    hand = _sorted(game, state, int(state["hand"][seat]))
    known = [game.action_names[state["shown"]]] if state["shown_seat"] == seat else []
    shown = hand if own else known
    thrown = game.pack.cards_of(int(state["thrown"][seat]))
    over = state["phase"] == OVER
    passed = bool(passed_seats(state) >> seat & 1)
    stays = bool(state["active"] >> seat & 1)
    notes = [counted(int(state["chips"][seat]), "chip")]
    if stays and state["phase"] not in (ANNOUNCE, SWAP):
        notes.append(counted(int(state["tricks"][seat]), "trick"))
    if over:
        notes.append(f"{state['gained'][seat]:+d}")
    faults = _faults(state, seat) if own or over else []
    if faults:
        notes.append(f"failed: {', '.join(faults)}")
    return SeatView(
        name=f"player_{seat}",
        cards=shown,
        hidden=len(hand) - len(shown),
        playable=playable,
        pile=thrown if own else [None] * len(thrown),
        notes=notes,
        marks=_marks(state, seat, passed, stays),
        to_act=seat == state["player"],
        faint=passed,
    )


def _marks(state: Any, seat: int, passed: bool, stays: bool) -> list[str]:
    marks = ["dealer"] if seat == state["dealer"] else []
    if passed:
        marks.append("passed")
    elif stays and state["phase"] == ANNOUNCE:
        marks.append("stays")
    elif stays and state["phase"] == SWAP and not state["swapping"] >> seat & 1:
        marks.append("has stopped")
    return marks


def _faults(state: Any, seat: int) -> list[str]:
    """Duties that the seat has failed: its own affair until the deal is settled (ZP31)."""
    faults = int(state["faults"][seat])
    return [name for bit, name in ((ACE_FAULT, "Ace"), (BELLI_FAULT, "Belli")) if faults & bit]


def _sorted(game: Game, state: Any, hand: int) -> list[str]:
    """The trumps, the highest first, then by suit."""

    def place(name: str) -> tuple[int, int]:
        card = game.pack.card(name)
        trump = int(state["trumps"]) >> card & 1
        power = POWER[4 * int(state["rules"]["order"]) + int(state["trump"]), card]
        return -1 if trump else SUIT_ORDER.index(name[-1]), -int(power)

    return sorted(game.pack.cards_of(hand), key=place)
