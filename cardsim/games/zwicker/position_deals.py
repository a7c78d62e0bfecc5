"""Zwicker positions as text: a deal that is going on or over, once its cards are there.

A deal that is over is settled anew by the kernels; what they cannot know, since the cards do not tell, is written over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardsim.games.zwicker.basics import side_of
from cardsim.games.zwicker.descriptions import ACTIONS
from cardsim.games.zwicker.layout import (
    CAPTURES,
    CARD,
    DEAL,
    DEALS,
    DECISIONS,
    LAID_ON,
    LONGEST_TABLE,
    NOBODY,
    OVER,
    PENALTY,
    POINTS,
    TURNS,
    WINS,
)
from cardsim.games.zwicker.legal import legal_actions
from cardsim.games.zwicker.position_cards import cards_of_item, cards_of_pile, held, likely_player
from cardsim.games.zwicker.position_checks import check_cards
from cardsim.games.zwicker.position_groups import play
from cardsim.games.zwicker.position_keys import (
    COUNTED,
    OPTIONAL,
    derive,
    fewest_decisions,
    key_text,
    open_match,
    set_key,
    share,
    sides_of,
    turns_of,
)
from cardsim.games.zwicker.scoring import match_over, settle
from cardsim.games.zwicker.table import in_hand
from cardsim.games.zwicker.turns import begin_turn
from cardsim.options import clip
from cardsim.positions import NONE, refuse, seats_of


def read_going_on(state: Any, words: Mapping[str, str], deals: int, dealer: int) -> Any:
    """Fill in a deal that is going on, whose cards are there; returns it without the counts that the words say."""
    refuse("gained" in words, "gained", clip(words.get("gained", "")), "the deal is not over")
    player = likely_player(state, dealer)
    if "player" in words:
        set_key(state, "player", words["player"])
        player = int(state["player"])
    state["player"] = max(player, 0)
    check_cards(state, dealer)
    refuse(player == NOBODY or not in_hand(state, player), "player", str(player), "holds no cards")
    this, turns, items = _count_turns(state, words, deals, dealer)
    scores = _read_scores(state, words, deals)
    refuse(deals == 0 and any(scores), "scores", clip(words.get("scores", "")), "no deal is over yet (deals=0)")
    state["totals"][DEALS] = deals
    open_match(state, dealer, deals, scores)
    _count(state, words, this, turns, deals + 1, items)
    begin_turn(state, player)
    _read_turn(state, words)
    return _write_over(state, words)


def read_finished(state: Any, words: Mapping[str, str], phase: str, deals: int, dealer: int) -> Any:
    """Fill in a deal that is over, whose cards are there; returns it without the counts that the words say."""
    given = int(state["dealer"])
    check_cards(state, dealer)
    this, turns, _ = _count_turns(state, words, deals - 1, dealer)
    settle(state)
    state["dealer"] = given
    _read_gained(state, words)
    gained = [int(state["gained"][side]) for side in range(sides_of(state))]
    scores = [now - last for now, last in zip(_read_scores(state, words, deals - 1), gained, strict=True)]
    refuse(deals == 1 and any(scores), "scores", clip(words.get("scores", "")), f"must be {key_text(state, 'gained')}")
    open_match(state, dealer, deals - 1, scores)
    for seat in range(seats_of(state)):
        state["counts"][POINTS, seat] = state["scores"][side_of(state, seat)]
    _count(state, words, this, turns, deals, 0)
    state["totals"][DEALS] = deals
    over = not state["rules"]["match"] or bool(match_over(state))
    must = "over" if over else "deal"
    refuse(phase != must, "phase", phase, f"must be {must}, by the rules, deals and scores")
    state["phase"] = OVER if over else DEAL
    return _write_over(state, words)


def _read_scores(state: Any, words: Mapping[str, str], earlier: int) -> list[int]:
    """The scores that the words say; those of the deal on the table, if there was no earlier one. Changes nothing."""
    sides = sides_of(state)
    begun = state["scores"].copy()
    if "scores" in words:
        set_key(state, "scores", words["scores"])
    else:
        refuse(earlier > 0, "deals", clip(words.get("deals", "")), "needs scores=...")
    scores = [int(score) for score in state["scores"][:sides]]
    state["scores"] = begun
    return scores


def _read_gained(state: Any, words: Mapping[str, str]) -> None:
    """Points of the deal that is over, where builds that nobody sees any more cost some of them (WP12)."""
    if "gained" not in words:
        return
    settled = state["gained"].copy()
    set_key(state, "gained", words["gained"])
    penalty = int(state["rules"]["stale_build_penalty"])
    sides = sides_of(state)
    for side in range(sides):
        less = int(settled[side]) - int(state["gained"][side])
        wrong = less < 0 or (less > 0 and (not penalty or less % penalty))
        refuse(wrong, "gained", clip(words["gained"]), f"side {side} must have {settled[side]}, penalties apart")
        state["counts"][PENALTY, side] += less
    share(state, PENALTY)
    gained = state["gained"][:sides].tolist()
    for seat in range(seats_of(state)):
        own = gained[side_of(state, seat)]
        state["counts"][WINS, seat] = own == max(gained) and gained.count(own) == 1
    state["scores"] = state["gained"]


def _count_turns(state: Any, words: Mapping[str, str], deals: int, dealer: int) -> tuple[list[int], list[int], int]:
    """Turns of each seat in this deal and over the episode, and the items on the table before it is settled."""
    dealt = int(state["deck_pos"]) - int(state["rules"]["table"])
    now = held(state)
    this = [count - now[seat] for seat, count in enumerate(turns_of(state, dealer, 0, dealt))]
    turns = [count - now[seat] for seat, count in enumerate(turns_of(state, dealer, deals, dealt))]
    return this, turns, int(state["items"])


def _count(state: Any, words: Mapping[str, str], this: list[int], turns: list[int], tables: int, items: int) -> None:
    """Counts of captures and of cards laid on items, as the words say or such as there may have been."""
    laid_on, captures = _likely_counts(state, this)
    state["counts"][LAID_ON, : len(this)] += laid_on
    state["counts"][CAPTURES, : len(this)] += captures
    totals = state["totals"]
    totals[LONGEST_TABLE] = max(int(totals[LONGEST_TABLE]), int(state["items"]), int(state["rules"]["table"]))
    for key in COUNTED:
        if key in words:
            set_key(state, key, words[key])
    derive(state, turns, tables, items)
    state["totals"][DECISIONS] = fewest_decisions(state)


def _likely_counts(state: Any, turns: list[int]) -> tuple[list[int], list[int]]:
    """Cards laid on items and captures by seat, such as this deal may have had, from what lies there."""
    laid_on, captures = [0] * len(turns), [0] * len(turns)
    for item in range(state["items"]):
        for _ in cards_of_item(state, item)[1:]:
            free = [seat for seat in _seats_from(turns, int(state["builder"][item])) if laid_on[seat] < turns[seat]]
            laid_on[free[0] if free else 0] += 1
    left = [len(cards_of_pile(state, side)) // 2 for side in range(sides_of(state))]  # a capture brings two cards
    for seat in _seats_from(turns, max(int(state["capturer"]), 0)):
        side = int(side_of(state, seat))
        captures[seat] = max(min(left[side], turns[seat] - laid_on[seat]), 0)
        left[side] -= captures[seat]
    return laid_on, captures


def _seats_from(turns: list[int], seat: int) -> list[int]:
    """All seats clockwise, beginning with this one."""
    return [(seat + k) % len(turns) for k in range(len(turns))]


def _read_turn(state: Any, words: Mapping[str, str]) -> None:
    """Play what the words say of the turn."""
    text = words.get("turn", NONE)
    turns = int(state["totals"][TURNS])
    for name in [] if text == NONE else text.split(","):
        try:
            action = ACTIONS.parse(name, legal_actions(state) if state["totals"][TURNS] == turns else 0)
        except ValueError as error:
            raise ValueError(f"position: turn={clip(text)}: {error}") from None
        play(state, [action])
    refuse(text != NONE and state["phase"] == CARD, "turn", clip(text), "must break off before the turn is over")


def _write_over(state: Any, words: Mapping[str, str]) -> Any:
    """Write the counts that the words say over those that must have been at least; returns the state before."""
    shortest = state.copy()
    # Another grouping of the same items may have done without these decisions.
    shortest["totals"][DECISIONS] -= words.get("turn", NONE).lower().count("next")
    for key in OPTIONAL:
        if key in words:
            set_key(state, key, words[key])
    return shortest
