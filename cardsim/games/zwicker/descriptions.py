"""Zwicker in words, for people: all that is there, or what one seat knows."""

from __future__ import annotations

from typing import Any

from cardsim.cards import signed
from cardsim.games.zwicker.basics import card_values, in_teams, is_wild, kind_of, side_of
from cardsim.games.zwicker.laying import item_values
from cardsim.games.zwicker.layout import (
    ACT,
    ACTION_NAMES,
    CARD,
    DEAL,
    DEALS,
    FIRST_PLACE,
    NEW_VALUE,
    NO_CARD,
    NO_ITEM,
    NO_VALUE,
    NOBODY,
    OVER,
    PACK,
    PHASES,
    PLACES,
    TARGET,
)
from cardsim.games.zwicker.legal import legal_actions
from cardsim.games.zwicker.position_cards import cards_of_item, cards_of_pile
from cardsim.games.zwicker.position_groups import EMPTY
from cardsim.games.zwicker.position_keys import KNOWLEDGE, parties_of, sides_of
from cardsim.games.zwicker.position_turns import chosen_items
from cardsim.games.zwicker.rules import HAND
from cardsim.games.zwicker.scoring import CARD_POINTS, ZWICK_POINTS
from cardsim.texts import ActionTexts, as_record, members, own_copy, signs

ACTIONS = ActionTexts(ACTION_NAMES, None, "hand 1 or take")


def describe(state: Any, player: int | None = None) -> str:
    """A state in words, several lines.

    Args:
        state: one record of STATE, or an array of shape (1,).
        player: whose view it is: only what that seat knows; -1 is what everybody knows, None shows all cards.

    Raises:
        ValueError: no such player.
    """
    state = own_copy(state, player)[0]
    if player not in (None, int(state["player"])) and state["phase"] in (TARGET, NEW_VALUE):
        state["phase"], state["target"], state["page"] = ACT, NO_ITEM, 0  # shows when the card lies there (WP13)
    if not state["deck_pos"]:
        return "\n".join([*_describe_match(state), *_describe_next(state)])
    lines = [*_describe_match(state), _describe_table(state), _describe_stock(state, player)]
    lines += [_describe_side(state, side) for side in range(sides_of(state))]
    lines += [_describe_seat(state, seat, player) for seat in range(int(state["rules"]["players"]))]
    return "\n".join([*lines, *_describe_turn(state, player)])


def points_of(state: Any, side: int) -> int:
    """Points that a side has so far in this deal, or had in the one that is over: cards and Zwicks; at the end all."""
    if state["phase"] in (DEAL, OVER):
        return int(state["gained"][side])
    style = int(state["rules"]["style"])
    cards = cards_of_pile(state, side)
    jokers = sum(is_wild(card) for card in cards) * int(state["rules"]["joker_points"])
    points = sum(int(CARD_POINTS[style, kind_of(card)]) for card in cards)
    return points + jokers + ZWICK_POINTS[style] * int(state["zwicks"][side])


def values_text(values: int) -> str:
    """A set of values for people: `4 or 14`, `2 to 14`."""
    found = [value for value in range(1, 31) if values >> value & 1]
    if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]} to {found[-1]}"
    return " or ".join(map(str, found))


def _several(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _item(state: Any, item: int) -> str:
    """An item: a card, or what was laid on it and the value of all."""
    cards = signs(PACK, cards_of_item(state, item))
    return cards if state["builder"][item] == NOBODY else f"[{cards}]={state['low'][item]}"


def _describe_match(state: Any) -> list[str]:
    if not state["rules"]["match"]:
        return []
    scores = ", ".join(str(state["scores"][side]) for side in range(sides_of(state)))
    return [f"Match: {_several(int(state['totals'][DEALS]), 'deal')} played; points by side: {scores}"]


def _describe_table(state: Any) -> str:
    items = [f"{item + 1}. {_item(state, item)}{_remark(state, item)}" for item in range(state["items"])]
    return "Table: " + (", ".join(items) or "empty")


def _remark(state: Any, item: int) -> str:
    """Who laid the last card on an item; the values of a loose card that does not show them."""
    if state["builder"][item] != NOBODY:
        return f" by seat {state['builder'][item]}"
    card = int(state["top"][item])
    shows = PACK.text(card)[0] not in "AJQK" and not is_wild(card)
    return "" if shows else f" ({values_text(int(item_values(state, item)))})"


def _describe_stock(state: Any, player: int | None) -> str:
    stock = [int(card) for card in state["deck"] if card != NO_CARD]
    parts = [f"Stock: {_several(len(stock), 'card')}"]
    if player is None and stock:
        parts.append(f"next: {signs(PACK, stock)}")
    if state["capturer"] != NOBODY:
        parts.append(f"seat {state['capturer']} captured last")
    return "; ".join(parts)


def _describe_side(state: Any, side: int) -> str:
    seats = [seat for seat in range(int(state["rules"]["players"])) if side_of(state, seat) == side]
    name = f"Side {side} (seats {', '.join(map(str, seats))})" if in_teams(state) else f"Pile of seat {side}"
    cards = len(cards_of_pile(state, side))
    parts = [_several(cards, "card"), _several(points_of(state, side), "point")]
    if state["zwicks"][side]:
        parts.append(_several(int(state["zwicks"][side]), "Zwick"))
    return f"{name}: {', '.join(parts)}"


def _describe_seat(state: Any, seat: int, player: int | None) -> str:
    title = f"Seat {seat}" + (" (dealer)" if state["dealer"] == seat and state["phase"] not in (DEAL, OVER) else "")
    hand = [int(card) for card in state["hand"][seat] if card != NO_CARD]
    own = player in (None, seat)
    parts = [signs(PACK, hand) if own else _several(len(hand), "card")]
    if state["player"] != NOBODY:
        parts += _describe_known(state, seat, own)
    return f"{title}: {'; '.join(parts)}"


def _describe_known(state: Any, seat: int, own: bool) -> list[str]:
    """What has shown of the hands of a seat, its party and, for itself, its partners (WP13)."""
    promised, lacks, asked, denied = (int(state[key][seat]) for key in KNOWLEDGE)
    side = "his side has" if parties_of(state) < int(state["rules"]["players"]) else "has"
    found = [
        (f"{side} {_values(promised)}", promised),
        ("has no wild joker", lacks & 1),
        (f"has none of {_values(lacks)}", lacks > 1),
        (f"a partner has {_values(asked)}", own and asked),
        (f"partners have none of {_values(denied)}", own and denied),
    ]
    return [text for text, there in found if there]


def _values(values: int) -> str:
    """A set of values, each of them meant."""
    found = [value for value in members(values) if value]
    return f"the value{'s' if len(found) > 1 else ''} {', '.join(map(str, found))}"


def _describe_turn(state: Any, player: int | None) -> list[str]:
    if state["phase"] in (DEAL, OVER):
        gained = ", ".join(str(points_of(state, side)) for side in range(sides_of(state)))
        ended = f"The deal is over; points by side: {gained}"
        return [ended, *(_describe_next(state) if state["phase"] == DEAL else [])]
    seat = int(state["player"])
    lines = [f"Seat {seat} is to act ({PHASES[state['phase']]}){_describe_choice(state)}"]
    if player in (None, seat):
        legal = int(legal_actions(state))
        lines.append(f"Legal: {', '.join(meaning(state, a) for a in range(len(ACTION_NAMES)) if legal >> a & 1)}")
    return lines


def _describe_choice(state: Any) -> str:
    """The card on its way, and what has been chosen so far."""
    if state["phase"] == CARD:
        return ""
    card = int(state["card"])
    text = f": {signed(PACK.text(card))}"
    values = int(card_values(state, card))
    if state["value"] != NO_VALUE:
        text += f" at {state['value']}" if values & (values - 1) else ""
        items = chosen_items(state)
        text += " takes " + (", ".join(_item(state, item) for item in items) or "nothing yet")
        if state["sums"] != EMPTY and items:
            text += f"; the group makes {values_text(int(state['sums']) & ~EMPTY)}"
    elif values & (values - 1):
        text += f", which is {values_text(values)}"
    if state["phase"] == NEW_VALUE:
        text += f" on {_item(state, int(state['target']))}"
    if state["page"]:
        text += f"; further than item {PLACES * int(state['page'])}"
    return text


def meaning(states: Any, action: int) -> str:
    """An action that is legal in a state, with the card or item that it names there."""
    state, name = as_record(states), ACTIONS.text(action)
    if action < HAND:
        return f"{name} ({signed(PACK.text(int(state['hand'][state['player'], action])))})"
    if action >= FIRST_PLACE:
        return f"{name} ({_item(state, action - FIRST_PLACE + PLACES * int(state['page']))})"
    return name


def _describe_next(state: Any) -> list[str]:
    return [f"The next hand is to be dealt by seat {state['dealer']}."]
