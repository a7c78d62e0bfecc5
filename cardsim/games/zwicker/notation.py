"""Zwicker as text: actions, whole turns and whole hands, read back exactly, and descriptions for people.

Positions are in positions.py, whole turns in whole_turns.py and turn_texts.py. A hand:

    cardsim hand 1
    rules: zwicker(preset=no_joker,players=2)
    dealer: 1
    deck: 9D 2D KD 3D TD 4D JD 5D 6D 7D 8D AD QD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS
    KS AS 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC
    turn 1: hand 4, take, item 1, item 3, finish  # seat 0: KD takes 6D+8D
    turn 2: hand 1, lay on, item 1  # seat 1: 2D on 7D to 9

(the deck in one line). It is in dealing order; in two packs `'` marks the second pack's cards, and XW2 to XW6 are the
wild jokers after the first. A hand may break off anywhere. `deals:` and `scores:` say how many deals a match had
before the hand, and how it stood. Blank lines are passed over, and what follows a `#`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim import hands
from cardsim.cards import signed
from cardsim.games.zwicker import kernels
from cardsim.games.zwicker.descriptions import ACTIONS, describe, meaning, points_of
from cardsim.games.zwicker.layout import CARD, CARDS, DEALS, PACK, STATE
from cardsim.games.zwicker.position_cards import card_text, find_card
from cardsim.games.zwicker.position_keys import open_match, sides_of
from cardsim.games.zwicker.positions import parse_position, parse_rules, position_text
from cardsim.games.zwicker.rules import deck as pack_of
from cardsim.games.zwicker.scoring import match_over
from cardsim.games.zwicker.turn_texts import parse_turn, play_turn, turn_text
from cardsim.games.zwicker.whole_turns import Turn, whole_turns
from cardsim.hands import HEADER
from cardsim.options import Rules
from cardsim.rng import shuffle
from cardsim.texts import as_record

__all__ = [
    "HEADER",
    "STANDING",
    "Hand",
    "Turn",
    "action_text",
    "dealt_hand",
    "describe",
    "legal_texts",
    "meaning",
    "parse_action",
    "parse_hand",
    "parse_position",
    "parse_rules",
    "parse_turn",
    "play_turn",
    "position_text",
    "replay",
    "standing",
    "told",
    "turn_text",
    "whole_turns",
]

action_text, legal_texts, parse_action = ACTIONS.text, ACTIONS.legal_texts, ACTIONS.parse
STANDING = "Points"


def standing(states: Any) -> str:
    """Points of the sides in this deal so far, for a table of the moves."""
    state = as_record(states)
    return ":".join(str(points_of(state, side)) for side in range(sides_of(state)))


def told(states: Any, action: int) -> str:
    """What the others are told of an action: which card is played, not where it was in the hand."""
    state = as_record(states)
    if state["phase"] != CARD:
        return meaning(state, action)
    return signed(PACK.text(int(state["hand"][state["player"], action])))


@dataclass(frozen=True)
class Hand:
    """One deal and what was played.

    Attributes:
        rules: the rules in force.
        dealer: seat that deals.
        deck: card numbers in dealing order (WP1).
        actions: action numbers from the first turn on; may break off anywhere.
        scores: by side, points in the match before this deal; all 0 if left out.
        deals: deals of the match before this one.

    Raises:
        ValueError: no such dealer, deck, action, scores or number of deals under these rules.
    """

    rules: Rules
    dealer: int
    deck: tuple[int, ...]
    actions: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    deals: int = 0

    def __post_init__(self) -> None:
        sides = int(self.rules.record["sides"][0])
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * sides)
        hands.check_hand(self, PACK, pack_of(self.rules), ACTIONS)
        shown = f"hand: scores {' '.join(map(str, self.scores))}"
        most = int(self.rules.record["deals_limit"][0]) - 1 if self.rules["match"] else 0
        if not 0 <= self.deals <= most:
            raise ValueError(
                f"hand: deals {self.deals}: must be from 0 to {most}, the deals of a match before this one"
            )
        if len(self.scores) != sides:
            raise ValueError(f"{shown}: must be {sides} numbers, one for each side")
        if not self.deals and any(self.scores):
            raise ValueError(f"{shown}: must be 0 for each before the first deal (deals: 0)")
        if self.deals and match_over(self._opened()[0]):
            raise ValueError(f"{shown}: must be below target={self.rules['target']}, or the match is over")

    def _opened(self) -> Any:
        """The state before the deal, shape (1,)."""
        states = hands.new_episode(self.rules, STATE, kernels.reset)
        states["dealer"] = self.dealer
        open_match(states[0], self.dealer, self.deals, list(self.scores))
        states["totals"][0, DEALS] = self.deals
        return states

    @property
    def text(self) -> str:
        """The hand as text that `parse_hand` reads back; each turn with a remark in words."""
        lines = [("dealer", str(self.dealer))]
        if self.deals:
            lines += [("deals", str(self.deals)), ("scores", " ".join(map(str, self.scores)))]
        lines.append(("deck", " ".join(map(card_text, self.deck))))
        for number, (remark, actions) in enumerate(self._turns(), 1):
            line = ", ".join(map(action_text, actions))
            lines.append((f"turn {number}", f"{line}  # {remark}" if remark else line))
        return hands.join_lines(self.rules, lines)

    def _turns(self) -> list[tuple[str, list[int]]]:
        """The actions by turns, with what each turn is in words; what is illegal stands where play broke off."""
        turns: list[tuple[str, list[int]]] = []
        states, begun = replay(self), None
        for action in self.actions:
            try:
                state = next(states)
            except (ValueError, StopIteration):  # the illegal action itself, and all after it
                state = None
            if not turns or (state is not None and state["phase"][0] == CARD):
                _remark(turns, begun)
                turns.append(("", []))
                begun = state
            turns[-1][1].append(action)
        _remark(turns, begun)
        return turns


def _remark(turns: list[tuple[str, list[int]]], begun: Any) -> None:
    """Say in words what the last turn is, if it is complete and legal."""
    if begun is not None and turns:
        actions = turns[-1][1]
        with suppress(ValueError):
            turns[-1] = (f"seat {begun['player'][0]}: {turn_text(begun, actions)}", actions)


def parse_hand(text: str) -> Hand:
    """Read a hand; whether its actions are legal shows in `replay`.

    Raises:
        ValueError: malformed text, or cards, seats, scores or actions that do not exist; the message says where.
    """
    keys = ("rules", "dealer", "deals", "scores", "deck")
    found, actions = hands.split_lines(text, keys, (), parse_action, "turn")
    hands.need_lines(found, ("rules", "dealer", "deck"))
    rules = parse_rules(found["rules"])
    return Hand(
        rules,
        hands.read_numbers("dealer", found["dealer"], 1)[0],
        _read_deck(rules, found["deck"]),
        tuple(actions),
        tuple(hands.read_numbers("scores", found["scores"], negative=True)) if "scores" in found else (),
        hands.read_numbers("deals", found.get("deals", "0"), 1)[0],
    )


def _read_deck(rules: Rules, text: str) -> tuple[int, ...]:
    """Card numbers of a pack; cards that are alike and have no mark are taken one after the other."""
    free, found = set(pack_of(rules)), []
    for name in text.replace(",", " ").split():
        found.append(find_card(name, free))
        free.discard(found[-1])
    return tuple(found)


def replay(hand: Hand) -> Iterator[Any]:
    """Play a hand: yields the state after the deal and after each action, arrays of their own, shape (1,).

    Raises:
        ValueError: an action is not legal; the message names its number, its text and what was legal.
    """
    states = hand._opened()
    kernels.deal_given(states[0], np.array(hand.deck, np.uint8))
    yield from hands.play_on(states, hand.actions, ACTIONS, kernels)


def dealt_hand(rules: Rules, seed: int, number: int, hand: int = 0, before: Any = None) -> Hand:
    """The hand that `Game.deal`, or for a later one `Game.deal_next`, deals: no actions yet.

    Args:
        rules: the rules in force.
        seed, number: of the episode, as for `Game.deal`.
        hand: which hand of the episode.
        before: the state before it is dealt, shape (1,); only the first hand does without.
    """
    states, streams = hands.before_deal(rules, STATE, kernels.reset, seed, number, hand, before)
    pack = pack_of(rules)
    deck = np.zeros(CARDS, np.uint8)
    deck[: len(pack)] = pack
    shuffle(streams[0], deck, len(pack))
    scores = tuple(states["scores"][0, : int(rules.record["sides"][0])].tolist())
    deals = int(states["totals"][0, DEALS])
    return Hand(rules, int(states["dealer"][0]), tuple(deck[: len(pack)].tolist()), (), scores, deals)
