"""Sixty-Six as text: actions and whole hands, read back exactly, and descriptions for people.

Positions are in positions.py. A hand:

    cardsim hand 1
    rules: sixty_six(preset=base)
    dealer: 1
    deck: 9D JD QD KD TD AD 9H JH QH KH TH AH 9S JS QS KS TS AS 9C JC QC KC TC AC
    trick 1: 9H, TH
    trick 2: draw, KH

The deck is in dealing order; a line holds the actions up to the end of a trick. A hand may break off
anywhere. `scores:` and `carry:` say how a match stood before the hand. Blank lines and lines that begin with
`#` are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim import hands
from cardsim.cards import SUIT_SIGNS
from cardsim.games.sixty_six import kernels, knowledge
from cardsim.games.sixty_six.basics import side_of
from cardsim.games.sixty_six.layout import (
    ACTION_NAMES,
    DEAL,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OVER,
    PACK,
    PAIR_0,
    PHASES,
    REASONS,
    STATE,
)
from cardsim.games.sixty_six.legal import legal_actions
from cardsim.games.sixty_six.position_keys import idle_seat
from cardsim.games.sixty_six.positions import parse_position, parse_rules, position_text
from cardsim.games.sixty_six.rules import deck as pack_of
from cardsim.hands import HEADER
from cardsim.options import Rules
from cardsim.rng import shuffle
from cardsim.texts import ActionTexts, as_record, members, own_copy, signs

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
]

SCORE_LIMIT = 30_000
ACTIONS = ActionTexts(ACTION_NAMES, PACK, "AH, pair H or draw")
action_text, legal_texts, parse_action = ACTIONS.text, ACTIONS.legal_texts, ACTIONS.parse
STANDING = "Points"


def standing(states: Any) -> str:
    """Points of each seat (or side), for a table of the moves."""
    state = as_record(states)
    return " : ".join(map(str, state["points"][: state["rules"]["players"]]))


@dataclass(frozen=True)
class Hand:
    """One deal and what was played.

    Attributes:
        rules: the rules in force.
        dealer: seat.
        deck: card numbers in dealing order.
        actions: action numbers from the first lead on; may break off anywhere.
        scores: match score of each seat before the deal.
        carry: game points carried into the deal.

    Raises:
        ValueError: no such dealer, deck, action or score under these rules.
    """

    rules: Rules
    dealer: int
    deck: tuple[int, ...]
    actions: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    carry: int = 0

    def __post_init__(self) -> None:
        players = int(self.rules.record["players"][0])
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * players)
        hands.check_hand(self, PACK, pack_of(self.rules), ACTIONS)
        numbers = (*self.scores, self.carry)
        if len(self.scores) != players or not all(0 <= number <= SCORE_LIMIT for number in numbers):
            allowed = f"{players} scores and a carry from 0 to {SCORE_LIMIT}"
            raise ValueError(f"hand: scores {self.scores}, carry {self.carry}: must be {allowed}")
        if self.carry and not self.rules["match"]:
            raise ValueError(f"hand: carry {self.carry}: must be 0: only a match carries on")

    @property
    def text(self) -> str:
        """The hand as text that `parse_hand` reads back."""
        lines = [("dealer", str(self.dealer))]
        if any(self.scores):
            lines.append(("scores", " ".join(map(str, self.scores))))
        if self.carry:
            lines.append(("carry", str(self.carry)))
        lines.append(("deck", " ".join(PACK.text(card) for card in self.deck)))
        tricks = _tricks(self.actions, int(self.rules.record["active"][0]))
        for number, trick in enumerate(tricks, 1):
            lines.append((f"trick {number}", ", ".join(ACTION_NAMES[action] for action in trick)))
        return hands.join_lines(self.rules, lines)


def _tricks(actions: Sequence[int], active: int) -> list[list[int]]:
    """Actions in groups that each end with the last card of a trick, and what is left over."""
    tricks: list[list[int]] = []
    cards = 0
    for action in actions:
        if cards % active == 0 and (not tricks or tricks[-1][-1] < PAIR_0):
            tricks.append([])
        tricks[-1].append(action)
        cards += action < PAIR_0
    return tricks


def parse_hand(text: str) -> Hand:
    """Read a hand; whether its actions are legal shows in `replay`.

    Raises:
        ValueError: malformed text, or cards, seats or actions that do not exist; the message says where.
    """
    keys = ("rules", "dealer", "scores", "carry", "deck")
    found, actions = hands.split_lines(text, keys, (), parse_action)
    hands.need_lines(found, ("rules", "dealer", "deck"))
    return Hand(
        parse_rules(found["rules"]),
        hands.read_numbers("dealer", found["dealer"], 1)[0],
        tuple(PACK.parse(found["deck"])),
        tuple(actions),
        tuple(hands.read_numbers("scores", found["scores"])) if "scores" in found else (),
        hands.read_numbers("carry", found.get("carry", "0"), 1)[0],
    )


def replay(hand: Hand) -> Iterator[Any]:
    """Play a hand: yields the state after the deal and after each action, arrays of their own, shape (1,).

    Raises:
        ValueError: an action is not legal; the message names its number, its text and what was legal.
    """
    states = hands.new_episode(hand.rules, STATE, kernels.reset)
    states["dealer"] = hand.dealer
    states["scores"][0, : len(hand.scores)] = hand.scores
    states["carry"] = hand.carry
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
    deck = np.array(pack_of(rules), np.uint8)
    shuffle(streams[0], deck, len(deck))
    state = states[0]
    scores = tuple(state["scores"][: state["rules"]["players"]].tolist())
    return Hand(rules, int(state["dealer"]), tuple(deck.tolist()), (), scores, int(state["carry"]))


def describe(state: Any, player: int | None = None) -> str:
    """A state in words, several lines.

    Args:
        state: one record of STATE, or an array of shape (1,).
        player: whose view it is: only what that seat knows; -1 what everybody knows, None all cards.

    Raises:
        ValueError: no such player.
    """
    state = own_copy(state, player)[0]
    players = int(state["rules"]["players"])
    if player is not None:
        # Only the asked seat knows that it is asked (SP15).
        phase, mover = knowledge.visible_phase(state, player), knowledge.visible_player(state, player)
        state["phase"], state["player"] = phase, mover
    if state["phase"] == DEAL and state["leader"] == NOBODY:
        return f"The next hand is to be dealt by seat {state['dealer']}."
    lines = [_describe_talon(state, player), _describe_trick(state)]
    lines += [_describe_seat(state, seat, player) for seat in range(players)]
    return "\n".join([*lines, *_describe_turn(state, player)])


def _describe_talon(state: Any, player: int | None) -> str:
    trump = "none yet" if state["trump"] == NO_SUIT else SUIT_SIGNS[state["trump"]]
    parts = [f"Trumps: {trump}"]
    if state["rules"]["talon"]:
        parts.append(f"talon: {state['talon_left']} cards" + (", closed" if state["closer"] != NOBODY else ""))
    if state["up"] != NO_CARD:
        parts.append(f"turned card: {signs(PACK, [int(state['up'])])}")
    if state["closer"] != NOBODY:
        parts.append(f"closed by seat {state['closer']}")
    if player is None and state["talon_left"] > 0:
        parts.append(f"next: {signs(PACK, [int(card) for card in state['deck'] if card != NO_CARD])}")
    return "; ".join(parts)


def _describe_trick(state: Any) -> str:
    table = range(state["trick_start"], state["played"])
    cards = [f"seat {state['movers'][i]} {signs(PACK, [int(state['history'][i])])}" for i in table]
    pairs = (("lead_pair", "marriage"), ("partner_pair", "partner's marriage"))
    shown = [f"{name} {SUIT_SIGNS[state[key]]}" for key, name in pairs if state[key] != NOBODY]
    return "Trick: " + (", ".join(shown + cards) or "nothing yet")


def _describe_seat(state: Any, seat: int, player: int | None) -> str:
    roles = [name for name, field in (("dealer", "dealer"), ("closer", "closer")) if state[field] == seat]
    title = f"Seat {seat}" + (f" ({', '.join(roles)})" if roles else "")
    score = [f"score {state['scores'][seat]}"] if state["rules"]["match"] else []
    if seat == idle_seat(state):
        return f"{title}: {'; '.join(['sits out', *score])}"
    hand, known = state["hand"][seat], knowledge.known_cards(state, seat)
    if player in (None, seat):
        parts = [signs(PACK, members(hand))]
    else:
        count = int(hand).bit_count()
        parts = [f"{count} cards" + (f", among them {signs(PACK, members(known))}" if known else "")]
    side = side_of(state, seat)
    of_side = " of the side" if state["rules"]["teams"] else ""
    parts.append(f"{state['tricks'][side]} tricks{of_side}")
    if player is None or state["rules"]["perfect_memory"]:
        parts.append(f"{state['points'][side]} points")
        if state["pending"][side]:
            parts.append(f"{state['pending'][side]} waiting for a trick")
    return f"{title}: {'; '.join(parts + score)}"


def _describe_turn(state: Any, player: int | None) -> list[str]:
    if state["phase"] in (DEAL, OVER):
        players = int(state["rules"]["players"])
        winner = "nobody wins" if state["winner"] == NOBODY else f"side {state['winner']} wins"
        gained = ", ".join(str(number) for number in state["gained"][:players])
        lines = [f"The deal is over ({REASONS[state['reason']]}): {winner}; gained by seat: {gained}"]
        following = f"The next hand is to be dealt by seat {state['dealer']}."
        return [*lines, following] if state["phase"] == DEAL else lines
    turn = f"Seat {state['player']} is to act ({PHASES[state['phase']]})"
    if player not in (None, int(state["player"])):
        return [turn]
    return [turn, f"Legal: {', '.join(legal_texts(legal_actions(state)))}"]
