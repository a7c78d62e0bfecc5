"""What lies on a table of Sixty-Six, for the picture of `render.py`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardsim.cards import SUIT_NAMES, SUITS
from cardsim.game import Game
from cardsim.games.sixty_six.layout import (
    ASK_EXCHANGE,
    ASK_PAIR,
    DRAW,
    FOLLOW,
    LAST,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    PAIR_0,
    REASONS,
)
from cardsim.games.sixty_six.rules import THOUSAND_ONE, THREE_HAND
from cardsim_envs.render import Scene, SeatView

SUIT_ORDER = "SHCD"
"""Suits of a hand from left to right: the colours alternate."""
HEADINGS = {
    FOLLOW: "{} plays to the trick",
    DRAW: "{} draws or closes",
    ASK_EXCHANGE: "{} may exchange before the talon is closed",
    ASK_PAIR: "{} may declare for the partner",
    LAST: "{} may claim before the count",
}


def scene(game: Game, states: Any, show: str) -> Scene:
    """The table as it lies.

    Args:
        game: Sixty-Six under its rules.
        states: the state, shape (1,).
        show: `mover` shows the hand of the seat to act, and every hand once all is over; `all` shows all.
    """
    state = states[0]
    mover = game.current_player(states)
    legal = game.legal_actions(states)
    names = game.action_names
    playable = frozenset(names[action] for action in legal if action < PAIR_0)
    seats = [
        _seat(game, state, seat, playable if seat == mover else frozenset(), mover, show)
        for seat in range(game.num_players)
    ]
    start, played = int(state["trick_start"]), int(state["played"])
    order = [(int(state["movers"][i]), names[state["history"][i]]) for i in range(played)]
    active = int(state["rules"]["active"])
    up = int(state["up"])
    return Scene(
        title=game.name,
        heading=_heading(state, mover),
        seats=seats,
        notes=_notes(game, state),
        trick=order[start:],
        talon=int(state["talon_left"]) - (up != NO_CARD),
        turned=names[up] if up != NO_CARD else None,
        turned_down=int(state["closer"]) != NOBODY,
        trump=SUITS[state["trump"]] if state["trump"] != NO_SUIT else None,
        last_trick=[card for _, card in order[max(0, start - active) : start]],
        choices=[_choice(names[action]) for action in legal if action >= PAIR_0],
    )


def _choice(name: str) -> str:
    if name.startswith("pair "):
        return f"declare {SUIT_NAMES[SUITS.index(name[-1])]}"
    return "claim 66" if name == "claim" else name


def _heading(state: Any, mover: int) -> str:
    if mover >= 0:
        return HEADINGS.get(int(state["phase"]), "{} leads").format(f"player_{mover}")
    if state["winner"] == NOBODY:
        return "over: nobody wins"
    teams = state["rules"]["teams"]
    winner = int(state["winner"])
    name = f"players {winner} and {winner + 2} win" if teams else f"player_{winner} wins"
    return f"{name}: {REASONS[state['reason']].replace('_', ' ')}"


def _notes(game: Game, state: Any) -> list[str]:
    rules = state["rules"]
    strict = state["closer"] != NOBODY or state["talon_left"] == 0 or rules["follow_always"]
    notes = [f"deal {state['deals']}, decision {state['decisions']}"]
    if state["hand"].any():
        notes.append("strict: follow, beat, trump" if strict else "open: any card may be played")
    if rules["match"]:
        notes.append(f"match to {rules['target']}")
    if state["carry"]:
        notes.append(f"{state['carry']} carried over to the next winner")
    declared = [SUIT_NAMES[suit] for suit in range(4) if int(state["declared"]) >> suit & 1]
    if declared:
        notes.append(f"declared: {', '.join(declared)}")
    return notes


def _seat(game: Game, state: Any, seat: int, playable: frozenset[str], mover: int, show: str) -> SeatView:
    rules = state["rules"]
    hand = _sorted(game.pack.cards_of(int(state["hand"][seat])))
    side = seat & 1 if rules["teams"] else seat
    if show == "all" or seat == mover or mover < 0:
        shown = hand
    else:  # what lies or lay open is known to everybody
        shown = _sorted(game.pack.cards_of(int(state["hand"][seat] & state["known"][seat])))
        shown = shown if rules["perfect_memory"] else []
    notes = [f"{state['points'][side]} points", _count(int(state["tricks"][side]), "trick")]
    if state["pending"][side]:
        notes[0] += f" (+{state['pending'][side]})"
    if rules["match"]:
        notes.append(f"score {state['scores'][seat]}")
    if mover < 0:
        unit = "point" if rules["form"] == THOUSAND_ONE else "game point"
        notes.append(f"gains {_count(int(state['gained'][seat]), unit)}")
    marks = []
    idle = rules["form"] == THREE_HAND and seat == state["dealer"]
    if seat == state["dealer"]:
        marks.append("deals, sits out" if idle else "dealer")
    if seat == state["closer"]:
        marks.append("closed")
    return SeatView(
        f"player_{seat}", shown, len(hand) - len(shown), playable, [] if idle else notes, marks, seat == mover
    )


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def _sorted(cards: Iterable[str]) -> list[str]:
    """By suit, the highest first."""
    return sorted(cards, key=lambda name: (SUIT_ORDER.index(name[-1]), -"789JQKTA".index(name[0])))
