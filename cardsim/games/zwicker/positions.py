"""Zwicker positions as one line of text, written and read back byte by byte, and checked.

The rules, then `key=value` words, here two players of whom seat 0 is in the middle of a capture:

    zwicker(preset=no_joker,players=2) dealer=1 hands=9D,KD,KH;TD,JD,QD table=5D,9H,7D+6D=13@1 piles=2D,2H;-
    capturer=0 turn=hand2,take,item1

(in one line). `dealer` is the seat that dealt or, in phase `deal`, deals next; `player` the seat to act.
`hands` are those at the beginning of the turn, and `turn` is what has been decided since. `piles`, `zwicks`, `scores`
and `gained` are by side, `promised` by party, `lacks`, `asked` and `denied` (sets of values, see layout.py) by seat.
`phase` is told only when no deal is going on: `deal` or `over`. How a card and an item is written is told in
position_cards.py. Cards and items are separated by commas, seats and sides by `;`; `-` is none. Every card of the pack
has a place; the stock is what is left, in ascending order, if it is left out. Other keys left out take what the rest
implies: the deals before this one brought nothing, and nobody knows more than his cards and the table tell him.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardsim.games.zwicker.descriptions import ACTIONS
from cardsim.games.zwicker.kernels import reset
from cardsim.games.zwicker.layout import DEAL, DEALS, NOBODY, OVER, STATE, TURNS
from cardsim.games.zwicker.position_cards import (
    hands_text,
    likely_player,
    piles_text,
    read_cards,
    stock_text,
    table_text,
)
from cardsim.games.zwicker.position_checks import check_position
from cardsim.games.zwicker.position_deals import read_finished, read_going_on
from cardsim.games.zwicker.position_keys import (
    EMPTY_KEYS,
    ESSENTIAL,
    KEYS,
    KNOWLEDGE,
    OPTIONAL,
    key_text,
    read_deals,
    read_phase,
    seats_from,
    set_key,
)
from cardsim.games.zwicker.position_turns import chain_of
from cardsim.games.zwicker.rules import make_rules
from cardsim.hands import new_episode
from cardsim.options import Rules, clip
from cardsim.positions import NONE, check_rules, complete, refuse, split_position
from cardsim.texts import as_record, read_rules

_CARD_TEXTS = {"hands": hands_text, "table": table_text, "piles": piles_text, "stock": stock_text}


def parse_rules(text: str) -> Rules:
    """Rules from their text, such as `zwicker(preset=six_joker,players=6)`.

    Raises:
        ValueError: another game, or rules that do not exist.
    """
    return read_rules(text, "zwicker", make_rules)


def position_text(rules: Rules, state: Any) -> str:
    """A state as one line that `parse_position` reads back byte by byte.

    Args:
        rules: the rules in force.
        state: one record of STATE, or an array of shape (1,).

    Raises:
        ValueError: the state has other rules, or cannot come from play, so that no text stands for it.
    """
    state = as_record(state)
    check_rules(rules, state)
    try:
        words = {key: _text(state, key) for key in ESSENTIAL}
    except ValueError as error:
        raise ValueError(f"position: not a state that play can reach, so no text stands for it: {error}") from None
    words = {key: text for key, text in words.items() if text != NONE and key not in _needless(state)}
    return complete(rules, state, words, OPTIONAL, _text, lambda rules, words: _read(rules, words)[0][0])


def _text(state: Any, key: str) -> str:
    if key in _CARD_TEXTS:
        return _CARD_TEXTS[key](state)
    if key == "turn":
        return ",".join(ACTIONS.text(action).replace(" ", "") for action in chain_of(state)) or NONE
    if key == "phase":
        return {DEAL: "deal", OVER: "over"}.get(int(state["phase"]), NONE)
    if key == "deals":
        return str(state["totals"][DEALS])
    if key == "player" and state["player"] == NOBODY:
        return NONE
    return key_text(state, key)


def _needless(state: Any) -> list[str]:
    """Essential keys whose values the others imply."""
    going_on, dealt = state["player"] != NOBODY, bool(state["deck_pos"])
    earlier = int(state["totals"][DEALS]) - (dealt and not going_on)
    played = earlier or (state["totals"][TURNS] > 0 and dealt)
    return [
        key
        for key, needless in (
            ("player", going_on and state["player"] == likely_player(state, int(state["dealer"]))),
            ("hands", not going_on),
            ("deals", not dealt or (earlier == 0 and state["phase"] != DEAL)),
            ("scores", earlier == 0),
            ("gained", going_on or not dealt or not state["rules"]["stale_build_penalty"]),
            ("zwicks", not state["zwicks"].any()),
            ("counts.captures", not played),
            ("counts.laid_on", not played),
            ("left_over", not state["totals"][DEALS]),
        )
        if needless
    ]


def parse_position(text: str) -> tuple[Rules, Any]:
    """Read a position.

    Returns:
        The rules and the state, shape (1,), dtype STATE.

    Raises:
        ValueError: the text is malformed, or the position breaks the rules; one line that names the value.
    """
    form, words = split_position(text, "zwicker", KEYS)
    rules = parse_rules(form)
    states, shortest = _read(rules, words)
    check_position(states[0], shortest)
    return rules, states


def _read(rules: Rules, words: Mapping[str, str]) -> tuple[Any, Any]:
    """The state that the words say, shape (1,), and the same before counts of the episode are written over."""
    states = new_episode(rules, STATE, reset)
    state = states[0]
    if "dealer" not in words:
        raise ValueError("position: dealer=... is missing")
    set_key(state, "dealer", words["dealer"])
    phase = read_phase(words["phase"]) if words.get("phase", NONE) != NONE else ""
    deals = read_deals(words.get("deals", "1" if phase == "over" else "0"))
    if phase == "deal" and deals == 0:
        for key in words:
            refuse(key not in EMPTY_KEYS, key, clip(words[key]), "makes no sense before the first deal (deals=0)")
        return states, state.copy()
    refuse(phase == "over" and deals == 0, "deals", "0", "must be at least 1, a deal is over")
    if not phase and "hands" not in words:
        raise ValueError("position: hands=... is missing; only phase=deal and phase=over do without")
    dealer = int(state["dealer"])
    if phase == "deal":
        dealer = seats_from(state, dealer)[-2]
    for key in ("player", "hands", "turn"):
        refuse(phase and words.get(key, NONE) != NONE, key, clip(words.get(key, "")), "the deal is over")
    read_cards(rules, state, words)
    for key in ("zwicks", "capturer", *KNOWLEDGE):
        if key in words:
            set_key(state, key, words[key])
    if phase:
        shortest = read_finished(state, words, phase, deals, dealer)
    else:
        shortest = read_going_on(state, words, deals, dealer)
    return states, shortest
