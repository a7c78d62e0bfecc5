"""What lies on a table of Zwicker, for the picture of `render.py`."""

from __future__ import annotations

from typing import Any

from cardsim.game import Game
from cardsim.games.zwicker.basics import SELF, in_teams, side_of
from cardsim.games.zwicker.captures import is_chosen, is_loose
from cardsim.games.zwicker.layout import (
    ACT,
    CARD,
    DEAL,
    DEALS,
    DECISIONS,
    FIRST_PLACE,
    GROUP,
    NEW_VALUE,
    NO_CARD,
    OVER,
    PLACES,
    PLAY_AT,
    TARGET,
)
from cardsim.games.zwicker.rules import HAND
from cardsim.games.zwicker.scoring import ZWICK_POINTS, pile_points, pile_size
from cardsim.games.zwicker.table import stock_end
from cardsim.texts import members
from cardsim_envs.render import Scene, SeatView, counted
from cardsim_envs.spread import Item

HEADINGS = {
    CARD: "{} plays a card",
    ACT: "{} takes, lays on or lays beside",
    PLAY_AT: "{} takes: at which value?",
    GROUP: "{} takes",
    TARGET: "{} lays on an item",
    NEW_VALUE: "{} lays on an item: what value?",
}


def scene(game: Game, states: Any, show: str) -> Scene:
    """The table as it lies.

    Args:
        game: Zwicker under its rules.
        states: the state, shape (1,).
        show: `mover` shows the hand of the seat to act; `all` shows all hands. All else lies open (WQ30), but for the
            stock, which nobody sees.
    """
    state = states[0]
    mover = game.current_player(states)
    legal = game.legal_actions(states)
    seats = [_seat(game, state, seat, legal, show == "all" or seat == mover) for seat in range(game.num_players)]
    card = int(state["card"])
    return Scene(
        title=game.name,
        heading=_heading(game, state, mover),
        seats=seats,
        notes=_notes(game, state),
        items=_items(game, state, legal),
        in_play=None if card == NO_CARD else game.pack.text(card),
        in_play_note=_said(state),
        talon=stock_end(state) - int(state["deck_pos"]) if mover >= 0 else 0,
        choices=[game.action_names[action] for action in legal if HAND <= action < FIRST_PLACE],
    )


def _items(game: Game, state: Any, legal: list[int]) -> list[Item]:
    """The table; what may be chosen now are the items that the actions name, those passed over not."""
    found = []
    for place in range(int(state["items"])):
        action = FIRST_PLACE + place - PLACES * int(state["page"])
        cards = [int(state["top"][place])]
        while (below := int(state["under"][cards[0]])) != NO_CARD:
            cards.insert(0, below)
        found.append(
            Item(
                cards=[game.pack.text(card) for card in cards],
                number=place + 1,
                value=None if is_loose(state, place) else int(state["high"][place]),
                playable=FIRST_PLACE <= action < FIRST_PLACE + PLACES and action in legal,
                chosen=bool(is_chosen(state, place)) or place == state["target"],
            )
        )
    return found


def _said(state: Any) -> str:
    """What is known of the card in play."""
    if state["phase"] == GROUP:
        return f"takes as {state['value']}"
    return {PLAY_AT: "takes", TARGET: "is laid on", NEW_VALUE: "is laid on"}.get(int(state["phase"]), "")


def _heading(game: Game, state: Any, mover: int) -> str:
    phase = int(state["phase"])
    if phase == DEAL:
        return "the next deal is to be dealt"
    if phase != OVER:
        return HEADINGS[phase].format(f"player_{mover}")
    sides = int(state["rules"]["sides"])
    points = [int(points) for points in state["scores"][:sides]]
    best = [side for side in range(sides) if points[side] == max(points)]
    if len(best) > 1:
        return f"over: most points are shared by {len(best)}"
    return f"over: {_side_name(game, state, best[0])} {'have' if in_teams(state) else 'has'} most points"


def _side_name(game: Game, state: Any, side: int) -> str:
    """Its player, or the players of a party."""
    seats = [str(seat) for seat in range(game.num_players) if side_of(state, seat) == side]
    return f"player_{seats[0]}" if len(seats) == 1 else f"players {'+'.join(seats)}"


def _notes(game: Game, state: Any) -> list[str]:
    rules = state["rules"]
    over = state["phase"] in (OVER, DEAL)
    number = int(state["totals"][DEALS]) + (not over)
    counted_deals = rules["match"] and (rules["n_deals"] or not rules["target"])
    limit = f" of {rules['deals_limit']}" if counted_deals else ""
    notes = [f"deal {number}{limit}, decision {state['totals'][DECISIONS]}"]
    if rules["match"] and rules["target"]:
        notes.append(f"match to {counted(int(rules['target']), 'point')}")
    sums = members(int(state["sums"]) & ~1)
    if sums:
        notes.append(f"this group so far: {' or '.join(map(str, sums))}")
    if not over:
        notes += _promises(game, state)
    return notes


def _promises(game: Game, state: Any) -> list[str]:
    """Values that a build has told the others somebody holds a card of (WP13)."""
    alone = state["rules"]["build_needs"] == SELF
    notes = []
    for party in range(game.num_players):
        values = " and ".join(map(str, members(int(state["promised"][party]))))
        if values:
            name = f"player_{party}" if alone else _side_name(game, state, party)
            notes.append(f"{name} can take {values}")
    return notes


def _seat(game: Game, state: Any, seat: int, legal: list[int], own: bool) -> SeatView:
    rules = state["rules"]
    side = side_of(state, seat)
    hand = [game.pack.text(int(card)) for card in state["hand"][seat] if card != NO_CARD]
    to_act = seat == state["player"]
    over = state["phase"] in (OVER, DEAL)
    zwicks = int(state["zwicks"][side])
    points = pile_points(state, side) + int(ZWICK_POINTS[rules["style"]]) * zwicks
    notes = [f"gains {counted(int(state['gained'][side]), 'point')}" if over else counted(points, "point")]
    if zwicks:
        notes.append(counted(zwicks, "Zwick"))
    if rules["match"]:
        notes.append(f"score {state['scores'][side]}")
    marks = ["dealer"] if seat == state["dealer"] else []
    if in_teams(state):
        marks.append(f"side {side}")
    if seat == state["capturer"]:
        marks.append("took last")
    return SeatView(
        name=f"player_{seat}",
        cards=hand if own else [],
        hidden=0 if own else len(hand),
        playable=frozenset(hand[slot] for slot in legal if slot < HAND) if to_act else frozenset(),
        won=pile_size(state, side) if seat == side else 0,
        notes=notes,
        marks=marks,
        to_act=to_act,
    )
