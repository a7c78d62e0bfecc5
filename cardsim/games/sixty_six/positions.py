"""Sixty-Six positions as one line of text, written and read back byte by byte, and checked.

The rules, then `key=value` words, here a fresh deal of Schnapsen:

    sixty_six(preset=schnapsen) dealer=1 hands=AH,TH,KD,QD,JS;TD,AD,KS,QS,AC up=KH
    talon=JD,QH,JH,TS,AS,JC,QC,KC,TC

Cards are separated by commas, seats by `;`, tricks by `/`; `-` is none. In `history` a card may name the seat
that played it (`1:AH`). Every card of the pack has a place. Keys left out take what the others imply, or the
value of a fresh deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardsim.games.sixty_six.basics import beats, draws_made, other_side, side_of
from cardsim.games.sixty_six.kernels import clear_deal
from cardsim.games.sixty_six.layout import (
    DEAL,
    DRAW,
    FOLLOW,
    LAST,
    LEAD,
    NO_CARD,
    NOBODY,
    OVER,
    PACK,
    RANK_POINTS,
    STATE,
)
from cardsim.games.sixty_six.position_checks import check_position
from cardsim.games.sixty_six.position_keys import (
    EMPTY_KEYS,
    ESSENTIAL,
    KEYS,
    OPTIONAL,
    following,
    key_text,
    seat_to_act,
    set_key,
)
from cardsim.games.sixty_six.rules import THOUSAND_ONE, deck, make_rules
from cardsim.options import Rules, clip
from cardsim.positions import NONE, card_list, check_rules, complete, read_history, split_position, take
from cardsim.texts import as_record, read_rules


def parse_rules(text: str) -> Rules:
    """Rules from their text, such as `sixty_six(preset=schnapsen,claims=auto)`.

    Raises:
        ValueError: another game, or rules that do not exist.
    """
    return read_rules(text, "sixty_six", make_rules)


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
    if not state["hand"].any() and state["played"] == 0:
        words = {"dealer": key_text(state, "dealer"), "phase": key_text(state, "phase")}
    else:
        words = {key: text for key in ESSENTIAL if (text := key_text(state, key)) != NONE}
        for key, needless in (
            ("phase", state["phase"] == LEAD),
            ("leader", state["leader"] == state["player"]),
            ("up_first", state["up_first"] == state["up"]),
            ("trump", state["up_first"] != NO_CARD),
            ("tricks", state["played"] == 0),
            ("points", state["played"] == 0 and not state["points"].any()),
        ):
            if needless:
                words.pop(key, None)
    return complete(rules, state, words, OPTIONAL, key_text, lambda rules, words: _read(rules, words)[0])


def parse_position(text: str) -> tuple[Rules, Any]:
    """Read a position.

    Returns:
        The rules and the state, shape (1,), dtype STATE.

    Raises:
        ValueError: the text is malformed, or the position breaks the rules; one line that names the value.
    """
    form, words = split_position(text, "sixty_six", KEYS)
    rules = parse_rules(form)
    states = _read(rules, words)
    check_position(states[0], "hands" in words)
    return rules, states


def _read(rules: Rules, words: Mapping[str, str]) -> Any:
    """The state that the words say and imply, shape (1,); only each value by itself is checked."""
    states = np.zeros(1, STATE)
    state = states[0]
    state["rules"] = rules.record[0]
    clear_deal(state)
    state["phase"] = LEAD
    if "dealer" not in words:
        raise ValueError("position: dealer=... is missing")
    for key in ("dealer", "phase"):
        if key in words:
            set_key(state, key, words[key])
    if "hands" in words:
        state["deals"] = 1
        _read_cards(rules, state, words)
        _imply(state, words)
    else:
        if state["phase"] != DEAL:
            raise ValueError("position: hands=... is missing; only phase=deal, before the first deal, does without")
        for key in words:
            if key not in EMPTY_KEYS:
                raise ValueError(f"position: {key}={clip(words[key])} makes no sense without hands=...")
    for key in words:
        if key in OPTIONAL:
            set_key(state, key, words[key])
    return states


def _read_cards(rules: Rules, state: Any, words: Mapping[str, str]) -> None:
    """Hands, talon, trumps and the cards played; every card at most once."""
    free = set(deck(rules))
    for key in ("declared", "hands", "up", "swapper"):
        if key in words:
            set_key(state, key, words[key])
    for seat, text in enumerate(words["hands"].split(";")):
        take(PACK, free, card_list(PACK, "hands", text), f"hands (seat {seat})")
    if state["up"] != NO_CARD:
        take(PACK, free, [int(state["up"])], "up")
    talon = card_list(PACK, "talon", words.get("talon", NONE))
    take(PACK, free, talon, "talon")
    state["talon_pos"] = state["rules"]["cards"] - len(talon)
    state["deck"][state["talon_pos"] : state["rules"]["cards"]] = talon
    state["talon_left"] = len(talon) + (state["up"] != NO_CARD)
    state["up_first"] = state["up"]
    if "up_first" in words:
        set_key(state, "up_first", words["up_first"])
    _read_trump(state, words)
    _read_history(free, state, words.get("history", NONE))


def _read_trump(state: Any, words: Mapping[str, str]) -> None:
    thousand = state["rules"]["form"] == THOUSAND_ONE
    if thousand and state["last_pair"] != NOBODY:
        state["trump"] = state["last_pair"]
    elif state["up_first"] != NO_CARD:
        state["trump"] = state["up_first"] >> 3
    elif state["rules"]["talon"] and not thousand:
        raise ValueError(
            "position: up_first=... (the card turned in the deal) is missing; only up=... can stand for it"
        )
    elif not thousand:
        if words.get("trump", NONE) == NONE:
            raise ValueError("position: trump=... is missing; these rules turn no card that shows it")
        set_key(state, "trump", words["trump"])
    shown = key_text(state, "trump")
    if words.get("trump", shown).upper() != shown:
        source = "the suit declared last" if thousand else "the suit of the turned card"
        raise ValueError(f"position: trump={clip(words['trump'])}: must be {shown}, {source}")


def _read_history(free: set[int], state: Any, text: str) -> None:
    active, players = int(state["rules"]["active"]), int(state["rules"]["players"])
    seat, begun = following(state, int(state["dealer"])), 0
    for trick, mover, card in read_history(text, active, players, PACK):
        if trick > begun:
            seat, begun = (seat if begun == 0 else int(state["best_seat"])), trick
            state["trick_start"], state["best"], state["trick_points"] = state["played"], NO_CARD, 0
        seat = seat if mover is None else mover
        take(PACK, free, [card], f"history (trick {trick})")
        state["history"][state["played"]], state["movers"][state["played"]] = card, seat
        state["played"] += 1
        state["trick_points"] += RANK_POINTS[card & 7]
        if state["best"] == NO_CARD or beats(card, int(state["best"]), int(state["trump"])):
            state["best"], state["best_seat"] = card, seat
        seat = following(state, seat)
    if state["played"]:
        seat = int(state["best_seat"])
    state["leader"] = seat
    if state["played"] % active:
        state["leader"] = state["movers"][state["trick_start"]]
    else:
        state["trick_start"], state["best"], state["best_seat"], state["trick_points"] = (
            state["played"],
            NO_CARD,
            NOBODY,
            0,
        )


def _imply(state: Any, words: Mapping[str, str]) -> None:
    """What follows from the cards and the other essential keys, where no word says it."""
    if "phase" not in words and state["played"] != state["trick_start"]:
        state["phase"] = FOLLOW
    phase = int(state["phase"])
    if "closer" in words:
        set_key(state, "closer", words["closer"])
    if "leader" in words:
        set_key(state, "leader", words["leader"])
    elif phase in (LEAD, DRAW, LAST) and "player" in words:
        set_key(state, "leader", words["player"])
    state["player"] = seat_to_act(state)
    if "player" in words:
        set_key(state, "player", words["player"])
    active, played = int(state["rules"]["active"]), int(state["played"])
    for end in range(active, played + 1, active):
        winner = side_of(state, int(state["movers"][end] if end < played else state["leader"]))
        state["tricks"][winner] += 1
        state["points"][winner] += sum(RANK_POINTS[card & 7] for card in state["history"][end - active : end])
    for key in ("tricks", "points"):
        if key in words:
            set_key(state, key, words[key])
    _imply_talon(state)
    if state["closer"] != NOBODY and phase not in (DEAL, OVER):
        other = other_side(state, side_of(state, int(state["closer"])))
        state["close_points"], state["close_tricks"] = state["points"][other], state["tricks"][other]


def _imply_talon(state: Any) -> None:
    """Who drew the turned card, and when the talon was closed or the exchange made if no word says it."""
    rules, active = state["rules"], int(state["rules"]["active"])
    draws = int(draws_made(state))
    if state["up_first"] != NO_CARD and state["up"] == NO_CARD:
        swap = 8 * state["trump"] + rules["swap_rank"]
        state["up_drawn"] = state["up_first"] if state["swapper"] == NOBODY else swap
        last = draws * active
        winner = state["movers"][last] if last < state["played"] else state["leader"]
        state["up_seat"] = following(state, int(winner))
    if state["swapper"] != NOBODY:
        state["swap_draws"] = draws
    if state["closer"] != NOBODY:
        state["close_played"] = draws * active
