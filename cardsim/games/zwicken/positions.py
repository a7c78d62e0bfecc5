"""Zwicken positions as one line of text, written and read back byte by byte, and checked.

The rules, then `key=value` words, here the first trick of three players after a pass and a swap:

    zwicken(preset=base) dealer=3 active=0,1,3 hands=7D,9S;KS,AD;JD,QD,KC;TC,QC,JH up=KH shown=8S
    talon=7H,8H,9H,TH,JS,QS,AS,7C,8C,9C,JC,AC,9D,TD,KD,7S,TS,8S thrown=QH;-;-;-
    history=0:AH,8D pot=3

`dealer` is the seat that dealt or, between two deals, deals next; `active` are the seats that have said `play`,
`thrown` the cards that they have laid away, and in `history` a card may name the seat that played it. Cards are
separated by commas, seats by `;`, tricks by `/`; `-` is none. Every card of the pack has a place. Keys left out take
what the others imply: everybody stays, this is the first deal, no cut was void.

A position is read as the shortest deal that leads to it, which the kernels play: what they refuse is no position. Only
the numbers of the whole episode, and what void cuts change, are then written over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardsim.games.zwicken.kernels import deal_given, reset
from cardsim.games.zwicken.layout import (
    ACT_PASS,
    ACT_PLAY,
    ACT_STOP,
    ANNOUNCE,
    DEAL,
    FOLLOW,
    LEAD,
    NO_CARD,
    NOBODY,
    OVER,
    PACK,
    PHASES,
    STATE,
    SWAP,
)
from cardsim.games.zwicken.legal import legal_actions, may_pass
from cardsim.games.zwicken.moves import apply_action
from cardsim.games.zwicken.position_cards import Cards, read_cards, shortest_pack
from cardsim.games.zwicken.position_checks import check_position
from cardsim.games.zwicken.position_chips import (
    balance_counts,
    close_finished_deal,
    open_deal,
    open_finished_deal,
    read_chips,
)
from cardsim.games.zwicken.position_keys import (
    EMPTY_KEYS,
    ESSENTIAL,
    KEYS,
    OPTIONAL,
    asked_seats,
    following,
    key_text,
    seats_from,
    set_key,
)
from cardsim.games.zwicken.rules import make_rules
from cardsim.hands import new_episode
from cardsim.options import Rules, clip
from cardsim.positions import NONE, check_rules, complete, refuse, seats_of, split_position
from cardsim.texts import as_record, members, read_rules


def parse_rules(text: str) -> Rules:
    """Rules from their text, such as `zwicken(preset=styrian,players=5)`.

    Raises:
        ValueError: another game, or rules that do not exist.
    """
    return read_rules(text, "zwicken", make_rules)


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
    if state["up"] == NO_CARD:
        keys = ("dealer", "phase", "pot", "chips") if state["attempts"] else ("dealer", "phase")
        words = {key: key_text(state, key) for key in keys}
    else:
        words = {key: text for key in ESSENTIAL if (text := key_text(state, key)) != NONE or key == "active"}
        for key in _needless(state):
            words.pop(key, None)
        words |= {key: key_text(state, key) for key in _needed(state)}
    return complete(rules, state, words, OPTIONAL, key_text, lambda rules, words: _read(rules, words)[0][0])


def _needless(state: Any) -> list[str]:
    """Essential keys whose values the others imply."""
    phase, dealer = state["phase"], int(state["dealer"])
    asked = asked_seats(state, dealer)
    first = {ANNOUNCE: seats_from(state, dealer)[0], SWAP: following(state, dealer) if state["active"] else NOBODY}
    paid = int(state["rules"]["start_pot"]) - int(state["pot"])
    others = [seat for seat in range(seats_of(state)) if seat != dealer]
    start = int(state["rules"]["start_chips"])
    by_dealer = all(state["chips"][seat] == start for seat in others) and state["chips"][dealer] == start + paid
    return [
        key
        for key, needless in (
            ("phase", phase == ANNOUNCE or (phase in (LEAD, FOLLOW) and state["played"] > 0)),
            ("player", phase in (LEAD, FOLLOW) or state["player"] == first.get(phase)),
            ("active", members(state["active"]) == sorted(asked)),
            ("thrown", not state["thrown"].any()),
            ("chips", by_dealer and phase not in (DEAL, OVER)),
        )
        if needless
    ]


def _needed(state: Any) -> list[str]:
    """Optional keys on which the defaults of others depend: they tell how a deal that is over was opened."""
    if state["phase"] not in (DEAL, OVER):
        return []
    gained = (state["gained"] + state["rules"]["start_chips"] != state["chips"])[: seats_of(state)].any()
    keys = (("gained", gained), ("deals", state["deals"] != 1), ("pots", state["deals"] == 1 != state["cuts"]))
    return [key for key, needed in keys if needed]


def parse_position(text: str) -> tuple[Rules, Any]:
    """Read a position.

    Returns:
        The rules and the state, shape (1,), dtype STATE.

    Raises:
        ValueError: the text is malformed, or the position breaks the rules; one line that names the value.
    """
    form, words = split_position(text, "zwicken", KEYS)
    rules = parse_rules(form)
    states, shortest = _read(rules, words)
    check_position(states[0], shortest)
    return rules, states


def _read(rules: Rules, words: Mapping[str, str]) -> tuple[Any, Any]:
    """The state that the words say, shape (1,), and the end of the shortest deal that leads to it."""
    states = new_episode(rules, STATE, reset)
    state = states[0]
    if "dealer" not in words:
        raise ValueError("position: dealer=... is missing")
    set_key(state, "dealer", words["dealer"])
    state["phase"] = ANNOUNCE if words.get("history", NONE) == NONE else LEAD
    if "phase" in words:
        set_key(state, "phase", words["phase"])
    if "hands" in words:
        shortest = _read_deal(rules, state, words)
    else:
        if state["phase"] != DEAL:
            raise ValueError("position: hands=... is missing; only phase=deal, while no deal goes ahead, does without")
        for key in words:
            if key not in EMPTY_KEYS:
                raise ValueError(f"position: {key}={clip(words[key])} makes no sense without hands=...")
        shortest = state.copy()
        read_chips(state, words, int(state["dealer"]))
        balance_counts(state)
    for key in words:
        if key in OPTIONAL:
            set_key(state, key, words[key])
    return states, shortest


def _read_deal(rules: Rules, state: Any, words: Mapping[str, str]) -> Any:
    """Play the shortest deal to the position in `state`; returns its end, before chips are written over."""
    dealer, finished = int(state["dealer"]), state["phase"] in (DEAL, OVER)
    if state["phase"] == DEAL:
        dealer = seats_from(state, dealer)[-2]
    _read_seats(state, words, dealer)
    cards = read_cards(rules, state, words, dealer)
    pack = shortest_pack(state, words, cards, dealer)
    told = state.copy()
    (open_finished_deal if finished else open_deal)(state, words, dealer)
    opened = state["chips"].copy()
    state["dealer"], state["phase"] = dealer, DEAL
    deal_given(state, pack)
    _announce(state, told)
    _swap(state, told, cards)
    _play(state, cards, words)
    is_over = state["phase"] in (DEAL, OVER)
    refuse(finished and not is_over, "phase", key_text(told, "phase"), "the deal is not over")
    refuse(is_over and not finished, "phase", key_text(told, "phase"), "the deal is over: must be deal or over")
    if finished:
        state["phase"], state["dealer"] = told["phase"], told["dealer"]
    same = state["phase"] == told["phase"] or "phase" not in words
    refuse(not same, "phase", key_text(told, "phase"), f"must be {key_text(state, 'phase')}")
    same = state["player"] == told["player"] or "player" not in words
    refuse(not same, "player", key_text(told, "player"), f"must be {key_text(state, 'player')}")
    shortest = state.copy()
    if finished:
        close_finished_deal(state, words, dealer, opened)
    return shortest


def _read_seats(state: Any, words: Mapping[str, str], dealer: int) -> None:
    """Who is to act and who plays, for the phase that the words say."""
    phase, seats = state["phase"], seats_from(state, dealer)
    state["player"] = seats[0] if phase == ANNOUNCE else NOBODY
    if "player" in words:
        set_key(state, "player", words["player"])
    refuse(phase == ANNOUNCE and state["player"] == NOBODY, "player", NONE, "somebody is to announce")
    asked = asked_seats(state, dealer)
    state["active"] = sum(1 << seat for seat in asked)
    if "active" in words:
        set_key(state, "active", words["active"])
    active = members(state["active"])
    early = [seat for seat in active if seat not in asked]
    refuse(early, "active", key_text(state, "active"), f"seat {early and early[0]} has not been asked yet")
    few = phase in (SWAP, LEAD, FOLLOW) and len(active) < 2
    refuse(few, "active", key_text(state, "active"), f"phase {PHASES[phase]} needs two seats that play")
    if phase == SWAP:
        if "player" not in words:
            state["player"] = following(state, dealer)
        refuse(int(state["player"]) not in active, "player", key_text(state, "player"), "does not play")


def _announce(state: Any, told: Any) -> None:
    """Everybody who has been asked says what the position tells."""
    active, finished = members(told["active"]), told["phase"] in (DEAL, OVER)
    for seat in asked_seats(told, int(state["dealer"])):
        if seat in active:
            apply_action(state, ACT_PLAY)
            continue
        asked = state.copy()
        if finished:  # void cuts may have filled the pot, which was not bare then (ZP10)
            asked["pot"] += 1
        refuse(not may_pass(asked), "active", key_text(told, "active"), f"seat {seat} was not allowed to pass")
        apply_action(state, ACT_PASS)


def _swap(state: Any, told: Any, cards: Cards) -> None:
    """Lay away, in turn, what the position has laid away, up to the turn of the seat to act if it is still swapping."""
    asked = int(told["player"]) if told["phase"] == SWAP else NOBODY
    while state["phase"] == SWAP:
        seat = int(state["player"])
        thrown, laid = cards.thrown[seat], int(state["swaps"][seat])
        if laid < len(thrown):
            apply_action(state, thrown[laid])
        elif seat == asked:
            break
        else:
            apply_action(state, ACT_STOP)
    text = ";".join(",".join(PACK.text(card) for card in thrown) or NONE for thrown in cards.thrown)
    whole = all(int(state["swaps"][seat]) == len(thrown) for seat, thrown in enumerate(cards.thrown))
    refuse(not whole, "thrown", text, "so many cards cannot have been laid away by then")
    lost = asked != NOBODY and (state["phase"] != SWAP or state["player"] != asked)
    refuse(lost, "thrown", text, f"it would not be the turn of seat {asked} to swap")


def _play(state: Any, cards: Cards, words: Mapping[str, str]) -> None:
    """Play the cards of the tricks."""
    for seat, card in cards.played:
        history, name = words["history"], PACK.text(card)
        refuse(state["player"] != seat, "history", clip(history), f"seat {seat} was not to play {name}")
        legal = int(legal_actions(state))
        refuse(not legal >> card & 1, "history", clip(history), f"seat {seat} was not allowed to play {name}")
        apply_action(state, card)
