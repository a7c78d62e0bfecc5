"""What lies on a table of Sixty-Six, for the picture of `render.py`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardsim.cards import SUIT_NAMES, SUITS
from cardsim.game import Game
from cardsim.games.sixty_six import knowledge
from cardsim.games.sixty_six.basics import is_strict, side_of
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
from cardsim.games.sixty_six.rules import RANKS, THOUSAND_ONE, THREE_HAND
from cardsim_envs.render import Scene, SeatView, counted

SUIT_ORDER = "SHCD"
"""Suits of a hand from left to right: the colours alternate."""
HEADINGS = {
    FOLLOW: "{} plays to the trick",
    DRAW: "{} draws or closes",
    ASK_EXCHANGE: "{} may exchange, though the talon has been closed",
    ASK_PAIR: "{} may declare for the partner",
    LAST: "{} may claim before the count",
}


def scene(game: Game, states: Any, show: str) -> Scene:
    """The table as it lies.

    Args:
        game: Sixty-Six under its rules.
        states: the state, shape (1,).
        show: `mover` shows the hand of the seat to act and, without perfect memory, only what it need not
            remember (SP36); everything once all is over. `all` shows all.
    """
    state = states[0]
    mover = game.current_player(states)
    legal = game.legal_actions(states)
    names = game.action_names
    open_ = show == "all" or mover < 0
    remembered = open_ or bool(state["rules"]["perfect_memory"])
    playable = frozenset(names[action] for action in legal if action < PAIR_0)
    seats = [
        _seat(game, state, seat, playable if seat == mover else frozenset(), mover, open_)
        for seat in range(game.num_players)
    ]
    start, played = int(state["trick_start"]), int(state["played"])
    order = [(int(state["movers"][i]), names[state["history"][i]]) for i in range(played)]
    active = int(state["rules"]["active"])
    last = order[max(0, start - active) : start] if remembered or knowledge.last_trick(state) else []
    up = int(state["up"])
    return Scene(
        title=game.name,
        heading=_heading(state, mover),
        seats=seats,
        notes=_notes(state, remembered),
        trick=order[start:],
        talon=int(state["talon_left"]) - (up != NO_CARD),
        turned=names[up] if up != NO_CARD else None,
        turned_down=int(state["closer"]) != NOBODY,
        trump=SUITS[state["trump"]] if state["trump"] != NO_SUIT else None,
        last_trick=[card for _, card in last],
        choices=[_choice(names[action], int(state["rules"]["goal"])) for action in legal if action >= PAIR_0],
    )


def _choice(name: str, goal: int) -> str:
    if name.startswith("pair "):
        return f"declare {SUIT_NAMES[SUITS.index(name[-1])]}"
    return f"claim {goal}" if name == "claim" else name


def _heading(state: Any, mover: int) -> str:
    if mover >= 0:
        return HEADINGS.get(int(state["phase"]), "{} leads").format(f"player_{mover}")
    if state["winner"] == NOBODY:
        return "over: nobody wins"
    teams = state["rules"]["teams"]
    winner = int(state["winner"])
    name = f"players {winner} and {winner + 2} win" if teams else f"player_{winner} wins"
    return f"{name}: {REASONS[state['reason']].replace('_', ' ')}"


def _notes(state: Any, remembered: bool) -> list[str]:
    rules = state["rules"]
    notes = [f"deal {state['deals']}, decision {state['decisions']}"]
    if state["hand"].any():
        notes.append("strict: follow, beat, trump" if is_strict(state) else "open: any card may be played")
    if rules["match"]:
        notes.append(f"match to {rules['target']}")
    if state["carry"]:
        notes.append(f"{state['carry']} carried over to the next winner")
    declared = [SUIT_NAMES[suit] for suit in range(4) if int(state["declared"]) >> suit & 1]
    if declared and remembered:
        notes.append(f"declared: {', '.join(declared)}")
    return notes


def _seat(game: Game, state: Any, seat: int, playable: frozenset[str], mover: int, open_: bool) -> SeatView:
    rules = state["rules"]
    hand = _sorted(game.pack.cards_of(int(state["hand"][seat])))
    side = side_of(state, seat)
    if open_ or seat == mover:
        shown = hand
    else:  # what lies or lay open is known to everybody
        shown = _sorted(game.pack.cards_of(int(knowledge.known_cards(state, seat))))
    notes = [counted(int(state["tricks"][side]), "trick")]
    if open_ or rules["perfect_memory"]:
        waiting = f" (+{state['pending'][side]})" if state["pending"][side] else ""
        notes.insert(0, f"{state['points'][side]} points{waiting}")
    if rules["match"]:
        notes.append(f"score {state['scores'][seat]}")
    if mover < 0:
        unit = "point" if rules["form"] == THOUSAND_ONE else "game point"
        notes.append(f"gains {counted(int(state['gained'][seat]), unit)}")
    marks = []
    idle = rules["form"] == THREE_HAND and seat == state["dealer"]
    if seat == state["dealer"]:
        marks.append("deals, sits out" if idle else "dealer")
    if seat == state["closer"]:
        marks.append("closed")
    return SeatView(
        name=f"player_{seat}",
        cards=shown,
        hidden=len(hand) - len(shown),
        playable=playable,
        notes=[] if idle else notes,
        marks=marks,
        to_act=seat == mover,
        faint=idle,
    )


def _sorted(cards: Iterable[str]) -> list[str]:
    """By suit, the highest first."""
    return sorted(cards, key=lambda name: (SUIT_ORDER.index(name[-1]), -RANKS.index(name[0])))
