"""Zwicken as text: actions and whole hands, read back exactly, and descriptions for people.

Positions are in positions.py. A hand:

    cardsim hand 1
    rules: zwicken(preset=base)
    dealer: 3
    cuts: AS 7C
    deck: QH AH KS AD JD QD TC QC KH 9S 8D KC JH 7D 7H 8H 9H TH JS QS AS 7C 8C 9C JC AC 9D TD KD 7S TS 8S
    announce: play, play, pass, play
    swap: QH, stop, stop, stop
    trick 1: AH, 8D, JH
    trick 2: 7D, KS, TC

`cuts` are the cards that void cuts showed before the one that went ahead, and `dealer` is who dealt first. The deck is
the pack after the cut in dealing order, its last card the one that the cut showed (ZP1); if that voids the deal, the
hand ends there. A hand may break off anywhere. `deals:`, `chips:` and `pot:` say how many deals a session had before
the hand, and how it stood. Blank lines and lines that begin with `#` are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim import hands
from cardsim.games.zwicken import kernels
from cardsim.games.zwicken.descriptions import ACTIONS, describe
from cardsim.games.zwicken.layout import ANNOUNCE, CARDS, FOLLOW, LEAD, PACK, STATE, SWAP
from cardsim.games.zwicken.position_chips import balance_counts
from cardsim.games.zwicken.position_keys import LIMIT, voids
from cardsim.games.zwicken.positions import parse_position, parse_rules, position_text
from cardsim.games.zwicken.rules import deck as pack_of
from cardsim.hands import HEADER
from cardsim.options import Rules
from cardsim.texts import as_record

__all__ = [
    "HEADER",
    "STANDING",
    "Hand",
    "action_text",
    "dealt_hand",
    "describe",
    "legal_texts",
    "parse_action",
    "parse_hand",
    "parse_position",
    "parse_rules",
    "position_text",
    "replay",
    "standing",
    "told",
]

action_text, legal_texts, parse_action = ACTIONS.text, ACTIONS.legal_texts, ACTIONS.parse
STANDING = "Pot"
PARTS = {ANNOUNCE: "announce", SWAP: "swap"}
"""Phase -> name of the line with its actions; those of the tricks are numbered."""


def standing(states: Any) -> str:
    """Chips in the pot, for a table of the moves."""
    return str(as_record(states)["pot"])


def told(states: Any, action: int) -> str:
    """What the others are told of an action: not which card is laid away in the swap (ZP17)."""
    text = action_text(action)
    return "(hidden)" if as_record(states)["phase"] == SWAP and text != "stop" else text


@dataclass(frozen=True)
class Hand:
    """One deal and what was played.

    Attributes:
        rules: the rules in force.
        dealer: seat that deals at the first attempt.
        deck: card numbers in dealing order, after the cut; the last is the one that it showed.
        actions: action numbers from the first announcement on; may break off anywhere.
        cuts: cards that void cuts showed before.
        chips: balance of each seat before the first attempt; the rest of the chips is in the pot.
        deals: deals of the session before this one.

    Raises:
        ValueError: no such dealer, deck, action, cut, balances or number of deals under these rules.
    """

    rules: Rules
    dealer: int
    deck: tuple[int, ...]
    actions: tuple[int, ...] = ()
    cuts: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    deals: int = 0

    def __post_init__(self) -> None:
        if not self.chips:
            object.__setattr__(self, "chips", (int(self.rules["start_chips"]),) * int(self.rules["players"]))
        hands.check_hand(self, PACK, pack_of(self.rules), ACTIONS)
        if self.cuts and not self.rules.record["cut"][0]:
            raise ValueError(f"hand: cuts {_cards(self.cuts)}: must be none, these rules cut no pack")
        for card in self.cuts:
            if card not in self.deck or not voids(card):
                raise ValueError(f"hand: cuts: {_cards((card,))} must be an Ace or a 7, the others void no deal")
        if len(self.cuts) >= kernels.MAX_ATTEMPTS:
            raise ValueError(f"hand: cuts: {len(self.cuts)} cards, must be at most {kernels.MAX_ATTEMPTS - 1} (ZP6)")
        self._check_session()

    def _check_session(self) -> None:
        rules, shown = self.rules, f"hand: chips {' '.join(map(str, self.chips))}"
        start, target, limit = (
            int(rules["start_chips"]),
            int(rules["target_chips"]),
            int(rules.record["deals_limit"][0]),
        )
        most = limit - 1 if rules["match"] else 0
        if not 0 <= self.deals <= most:
            raise ValueError(
                f"hand: deals {self.deals}: must be from 0 to {most}, the deals of a session before this one"
            )
        if len(self.chips) != rules["players"] or not all(abs(chips) <= LIMIT for chips in self.chips):
            raise ValueError(f"{shown}: must be {rules['players']} balances from -{LIMIT} to {LIMIT}")
        if not self.deals and any(chips != start for chips in self.chips):
            raise ValueError(f"{shown}: must be {start} for each before the first deal (deals: 0)")
        if self.deals and target and max(self.chips) >= target:
            raise ValueError(f"{shown}: must be below target_chips={target}, or the session is over")
        if not 0 <= self.pot <= LIMIT:
            raise ValueError(f"{shown}: leave {self.pot} for the pot, must be from 0 to {LIMIT}")

    @property
    def pot(self) -> int:
        """Chips in the pot before the first attempt."""
        begin = int(self.rules["start_chips"]) * int(self.rules["players"]) + int(self.rules["start_pot"])
        return begin - sum(self.chips)

    @property
    def text(self) -> str:
        """The hand as text that `parse_hand` reads back."""
        lines = [("dealer", str(self.dealer))]
        if self.deals:
            lines.append(("deals", str(self.deals)))
        if any(chips != self.rules["start_chips"] for chips in self.chips):
            lines.append(("chips", " ".join(map(str, self.chips))))
        if self.pot != self.rules["start_pot"]:
            lines.append(("pot", str(self.pot)))
        if self.cuts:
            lines.append(("cuts", _cards(self.cuts)))
        lines.append(("deck", _cards(self.deck)))
        lines += [(name, ", ".join(map(action_text, actions))) for name, actions in self._parts().items()]
        return hands.join_lines(self.rules, lines)

    def _parts(self) -> dict[str, list[int]]:
        """The actions by the lines on which they stand; what is illegal stands where play broke off."""
        parts: dict[str, list[int]] = {}
        states, name, tricks = replay(self), PARTS[ANNOUNCE], 0
        for action in self.actions:
            try:
                phase = next(states)["phase"][0]
            except (ValueError, StopIteration):  # the illegal action itself, and all after it
                phase = FOLLOW
            tricks += phase == LEAD
            name = PARTS.get(phase, f"trick {tricks}" if phase == LEAD else name)
            parts.setdefault(name, []).append(action)
        return parts


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(PACK.text(card) if 0 <= card < PACK.size else str(card) for card in cards)


def parse_hand(text: str) -> Hand:
    """Read a hand; whether its actions are legal shows in `replay`.

    Raises:
        ValueError: malformed text, or cards, seats, chips or actions that do not exist; the message says where.
    """
    keys = ("rules", "dealer", "deals", "chips", "pot", "cuts", "deck")
    found, actions = hands.split_lines(text, keys, tuple(PARTS.values()), parse_action)
    hands.need_lines(found, ("rules", "dealer", "deck"))
    hand = Hand(
        parse_rules(found["rules"]),
        hands.read_numbers("dealer", found["dealer"], 1)[0],
        tuple(PACK.parse(found["deck"])),
        tuple(actions),
        tuple(PACK.parse(found.get("cuts", ""))),
        tuple(hands.read_numbers("chips", found["chips"], negative=True)) if "chips" in found else (),
        hands.read_numbers("deals", found.get("deals", "0"), 1)[0],
    )
    pot = hands.read_numbers("pot", found.get("pot", str(hand.pot)), 1, negative=True)[0]
    if pot != hand.pot:
        raise ValueError(f"hand: pot {pot}: must be {hand.pot}, what the chips leave")
    return hand


def replay(hand: Hand) -> Iterator[Any]:
    """Play a hand: yields the state after the deal and after each action, arrays of their own, shape (1,).

    Raises:
        ValueError: an action is not legal; the message names its number, its text and what was legal.
    """
    states = hands.new_episode(hand.rules, STATE, kernels.reset)
    states["dealer"], states["pot"] = hand.dealer, hand.pot
    for field in ("chips", "before"):
        states[field][0, : len(hand.chips)] = hand.chips
    states["deals"] = states["cuts"] = hand.deals
    balance_counts(states[0])
    pack = pack_of(hand.rules)
    for card in hand.cuts:
        # Of a pack whose cut voids the deal nothing but the card shown matters.
        kernels.deal_given(states[0], np.array([*(other for other in pack if other != card), card], np.uint8))
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
    deck, cuts = np.zeros(CARDS, np.uint8), []
    while voids(shown := kernels.draw_pack(states[0], streams[0], deck)):
        cuts.append(int(shown))
    cards = tuple(deck[: int(rules.record["cards"][0])].tolist())
    chips = tuple(states["chips"][0, : int(rules["players"])].tolist())
    deals = int(states["deals"][0])
    return Hand(rules, int(states["dealer"][0]), cards, (), tuple(cuts), chips, deals)
