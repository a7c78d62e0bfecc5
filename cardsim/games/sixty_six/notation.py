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

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardsim.cards import SUIT_SIGNS, signed
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six import knowledge
from cardsim.games.sixty_six.basics import side_of
from cardsim.games.sixty_six.kernels import current_player, deal_given, reset
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
from cardsim.games.sixty_six.moves import apply_action
from cardsim.games.sixty_six.position_keys import as_record, idle_seat
from cardsim.games.sixty_six.positions import parse_position, parse_rules, position_text
from cardsim.games.sixty_six.rules import deck as pack_of
from cardsim.options import Rules, quoted
from cardsim.rng import new_streams

__all__ = [
    "Hand",
    "action_text",
    "describe",
    "hand_text",
    "legal_texts",
    "parse_action",
    "parse_hand",
    "parse_position",
    "parse_rules",
    "position_text",
    "replay",
]

HEADER = "cardsim hand 1"
SCORE_LIMIT = 30_000


def action_text(action: int) -> str:
    """Text of an action, such as `AH`, `pair H` or `draw`.

    Raises:
        ValueError: no such action.
    """
    if not 0 <= action < len(ACTION_NAMES):
        raise ValueError(f"action {action}: must be from 0 to {len(ACTION_NAMES) - 1}")
    return ACTION_NAMES[action]


def legal_texts(mask: Any) -> list[str]:
    """Texts of a set of actions (bit per action), ascending."""
    return [name for action, name in enumerate(ACTION_NAMES) if int(mask) >> action & 1]


_ACTIONS = {name.replace(" ", "").lower(): action for action, name in enumerate(ACTION_NAMES)}


def parse_action(text: str, legal: Any = None) -> int:
    """Number of an action; case and spaces do not matter.

    Args:
        text: as written by `action_text`.
        legal: set of legal actions (bit per action), if only those are to be accepted.

    Raises:
        ValueError: no such action, or not a legal one; the message lists what is.
    """
    if not isinstance(text, str):
        raise ValueError(f"action {quoted(text)}: must be a text such as AH, pair H or draw")
    action = _ACTIONS.get("".join(text.split()).lower())
    if legal is not None and (action is None or not int(legal) >> action & 1):
        raise ValueError(f"action {quoted(text)} is not legal; legal: {', '.join(legal_texts(legal)) or 'none'}")
    if action is None:
        words = ", ".join(ACTION_NAMES[PAIR_0:])
        raise ValueError(
            f"action {quoted(text)}: must be a card (one of {' '.join(PACK.ranks)}, then one of D H S C), {words}"
        )
    return action


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
        if not 0 <= self.dealer < players:
            raise ValueError(f"hand: dealer {self.dealer}: must be from 0 to {players - 1}")
        _check_deck(self.deck, pack_of(self.rules))
        for action in self.actions:
            action_text(action)
        numbers = (*self.scores, self.carry)
        if len(self.scores) != players or not all(0 <= number <= SCORE_LIMIT for number in numbers):
            allowed = f"{players} scores and a carry from 0 to {SCORE_LIMIT}"
            raise ValueError(f"hand: scores {self.scores}, carry {self.carry}: must be {allowed}")
        if self.carry and not self.rules["match"]:
            raise ValueError(f"hand: carry {self.carry}: must be 0: only a match carries on")


def _check_deck(cards: Sequence[int], pack: Sequence[int]) -> None:
    for place, card in enumerate(cards):
        name = PACK.text(card) if 0 <= card < PACK.size else card
        if card not in pack:
            raise ValueError(f"hand: deck: {name} is not in this pack of {len(pack)} cards")
        if card in cards[:place]:
            raise ValueError(f"hand: deck: {name} is there twice")
    if len(cards) != len(pack):
        missing = " ".join(PACK.text(card) for card in pack if card not in cards)
        raise ValueError(f"hand: deck: {missing} missing; it must hold all {len(pack)} cards")


def hand_text(
    rules: Rules,
    dealer: int,
    deck: Sequence[int],
    actions: Sequence[int] = (),
    scores: Sequence[int] = (),
    carry: int = 0,
) -> str:
    """A hand as text that `parse_hand` reads back; arguments as the attributes of `Hand`.

    Raises:
        ValueError: no such dealer, deck, action or score under these rules.
    """
    hand = Hand(
        rules,
        int(dealer),
        tuple(map(int, deck)),
        tuple(map(int, actions)),
        tuple(map(int, scores)),
        int(carry),
    )
    lines = [HEADER, f"rules: {rules.text}", f"dealer: {hand.dealer}"]
    if any(hand.scores):
        lines.append(f"scores: {' '.join(map(str, hand.scores))}")
    if hand.carry:
        lines.append(f"carry: {hand.carry}")
    lines.append(f"deck: {' '.join(PACK.text(card) for card in hand.deck)}")
    for number, trick in enumerate(_tricks(hand.actions, int(rules.record["active"][0])), 1):
        lines.append(f"trick {number}: {', '.join(ACTION_NAMES[action] for action in trick)}")
    return "\n".join(lines) + "\n"


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
    if not isinstance(text, str):
        raise ValueError(f"hand {quoted(text)}: must be a text whose first line is {HEADER!r}")
    lines = [line.strip() for line in text.splitlines()]
    if not lines or lines[0] != HEADER:
        raise ValueError(f"hand: the first line must be {HEADER!r}, not {quoted(lines[0] if lines else '')}")
    found: dict[str, str] = {}
    actions: list[int] = []
    tricks = 0
    for number, line in enumerate(lines[1:], 2):
        if not line or line.startswith("#"):
            continue
        key, sign, value = (part.strip() for part in line.partition(":"))
        key = " ".join(key.split()).lower()
        if key == f"trick {tricks + 1}":
            tricks += 1
            actions += [_action_at(number, word) for word in value.split(",")]
        elif key in ("rules", "dealer", "scores", "carry", "deck") and sign and not tricks and key not in found:
            found[key] = value
        else:
            raise ValueError(
                f"hand, line {number}: {quoted(line)} must be rules, dealer, scores, carry or deck "
                f"(once each, before the tricks), or trick {tricks + 1}, and a colon"
            )
    for key in ("rules", "dealer", "deck"):
        if key not in found:
            raise ValueError(f"hand: the line {key}: is missing")
    return Hand(
        parse_rules(found["rules"]),
        _numbers("dealer", found["dealer"], 1)[0],
        tuple(PACK.parse(found["deck"])),
        tuple(actions),
        tuple(_numbers("scores", found["scores"])) if "scores" in found else (),
        _numbers("carry", found.get("carry", "0"), 1)[0],
    )


def _action_at(line: int, word: str) -> int:
    try:
        return parse_action(word)
    except ValueError as error:
        raise ValueError(f"hand, line {line}: {error}") from None


def _numbers(key: str, text: str, count: int | None = None) -> list[int]:
    words = text.replace(",", " ").split()
    if not all(re.fullmatch("[0-9]{1,6}", word) for word in words) or len(words) != (count or max(len(words), 1)):
        raise ValueError(f"hand: {key} {quoted(text)}: must be {'a number' if count == 1 else 'numbers'}")
    return [int(word) for word in words]


def replay(hand: Hand) -> Iterator[Any]:
    """Play a hand: yields the state after the deal and after each action, arrays of their own, shape (1,).

    Raises:
        ValueError: an action is not legal; the message names its number, its text and what was legal.
    """
    states = np.zeros(1, STATE)
    states["rules"] = hand.rules.record
    reset(states[0], new_streams()[0])
    states["dealer"] = hand.dealer
    states["scores"][0, : len(hand.scores)] = hand.scores
    states["carry"] = hand.carry
    deal_given(states[0], np.array(hand.deck, np.uint8))
    yield states.view(np.uint8).copy().view(STATE)
    for step, action in enumerate(hand.actions, 1):
        if current_player(states[0]) in (CHANCE, TERMINAL):
            raise ValueError(f"hand, action {step}: {action_text(action)} comes after the end of the deal")
        try:
            apply_action(states[0], parse_action(action_text(action), legal_actions(states[0])))
        except ValueError as error:
            raise ValueError(f"hand, action {step}: {error}") from None
        yield states.view(np.uint8).copy().view(STATE)


def describe(state: Any, player: int | None = None) -> str:
    """A state in words, several lines.

    Args:
        state: one record of STATE, or an array of shape (1,).
        player: whose view it is: only what that seat knows; None shows all cards.

    Raises:
        ValueError: no such player.
    """
    own = np.zeros(1, STATE)
    own[0] = as_record(state)
    state = own[0]
    players = int(state["rules"]["players"])
    if player is not None:
        if not 0 <= player < players:
            raise ValueError(f"player {player}: must be from 0 to {players - 1}")
        # Only the asked seat knows that it is asked (SP15).
        phase, mover = knowledge.visible_phase(state, player), knowledge.visible_player(state, player)
        state["phase"], state["player"] = phase, mover
    if state["phase"] == DEAL and state["leader"] == NOBODY:
        return f"The next hand is to be dealt by seat {state['dealer']}."
    lines = [_describe_talon(state, player), _describe_trick(state)]
    lines += [_describe_seat(state, seat, player) for seat in range(players)]
    return "\n".join([*lines, *_describe_turn(state, player)])


def _signs(cards: Sequence[int]) -> str:
    return " ".join(signed(PACK.text(card)) for card in cards) or "no cards"


def _held(mask: Any) -> list[int]:
    return [card for card in range(PACK.size) if int(mask) >> card & 1]


def _describe_talon(state: Any, player: int | None) -> str:
    trump = "none yet" if state["trump"] == NO_SUIT else SUIT_SIGNS[state["trump"]]
    parts = [f"Trumps: {trump}"]
    if state["rules"]["talon"]:
        parts.append(f"talon: {state['talon_left']} cards" + (", closed" if state["closer"] != NOBODY else ""))
    if state["up"] != NO_CARD:
        parts.append(f"turned card: {_signs([int(state['up'])])}")
    if state["closer"] != NOBODY:
        parts.append(f"closed by seat {state['closer']}")
    if player is None and state["talon_left"] > 0:
        parts.append(f"next: {_signs([int(card) for card in state['deck'] if card != NO_CARD])}")
    return "; ".join(parts)


def _describe_trick(state: Any) -> str:
    table = range(state["trick_start"], state["played"])
    cards = [f"seat {state['movers'][i]} {_signs([int(state['history'][i])])}" for i in table]
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
        parts = [_signs(_held(hand))]
    else:
        count = int(hand).bit_count()
        parts = [f"{count} cards" + (f", among them {_signs(_held(known))}" if known else "")]
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
