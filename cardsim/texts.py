"""What the texts of all games share: actions, rules, sets of cards.

Positions are in positions.py, whole hands in hands.py. A game's `notation` is a module that the command line, the tests
and the environments use by these names:

* `action_text`, `legal_texts`, `parse_action`: as of `ActionTexts`; `parse_rules`: as `read_rules`;
* `position_text(rules, state)`, `parse_position(text)`: a state as one line, and back byte for byte;
* `Hand`: one deal and what was played, a frozen dataclass with at least `rules`, `dealer`, `deck` and `actions`, and
  the property `text`; `parse_hand(text)` reads that back, `replay(hand)` plays it;
* `dealt_hand(rules, seed, number, hand, before)`: what `Game.deal` and `Game.deal_next` deal, without actions;
* `describe(states, player)`: a state in words, for people;
* `STANDING` and `standing(states)`, if there are any: heading and text of what changes with the tricks;
* `meaning(states, action)`, if there is one: an action with what it names there, for people, where its text alone does
  not say;
* `told(states, action)`, if there is one: what the others are told of an action of the seat to act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from cardsim.cards import SUITS, Pack, signed
from cardsim.families import split_call
from cardsim.options import Rules, quoted


class ActionTexts:
    """The actions of a game as text, and back.

    Args:
        names: text of every action.
        pack: the cards, if they are the first actions.
        examples: a few actions, for messages.

    >>> texts = ActionTexts((*Pack("A").names, "pass"), Pack("A"), "AH or pass")
    >>> texts.text(4), texts.parse(" ah "), texts.legal_texts(0b10010)
    ('pass', 1, ['AH', 'pass'])
    """

    def __init__(self, names: Sequence[str], pack: Pack | None, examples: str) -> None:
        self.names = tuple(names)
        self._numbers = {name.replace(" ", "").lower(): action for action, name in enumerate(names)}
        self._examples = examples
        self._allowed = ", ".join(_runs(names))
        if pack is not None:
            ranks, suits = " ".join(pack.ranks), " ".join(SUITS)
            self._allowed = f"a card (one of {ranks}, then one of {suits}), {', '.join(names[pack.size :])}"

    def text(self, action: int) -> str:
        """Text of an action.

        Raises:
            ValueError: no such action.
        """
        if not 0 <= action < len(self.names):
            raise ValueError(f"action {action}: must be from 0 to {len(self.names) - 1}")
        return self.names[action]

    def legal_texts(self, mask: Any) -> list[str]:
        """Texts of a set of actions (bit per action), ascending."""
        return [name for action, name in enumerate(self.names) if int(mask) >> action & 1]

    def parse(self, text: str, legal: Any = None) -> int:
        """Number of an action; case and spaces do not matter.

        Args:
            text: as written by `text`.
            legal: set of legal actions (bit per action), if only those are to be accepted.

        Raises:
            ValueError: no such action, or not a legal one; the message lists what is.
        """
        if not isinstance(text, str):
            raise ValueError(f"action {quoted(text)}: must be a text such as {self._examples}")
        action = self._numbers.get("".join(text.split()).lower())
        if legal is not None and (action is None or not int(legal) >> action & 1):
            allowed = ", ".join(self.legal_texts(legal)) or "none"
            raise ValueError(f"action {quoted(text)} is not legal; legal: {allowed}")
        if action is None:
            raise ValueError(f"action {quoted(text)}: must be {self._allowed}")
        return action


def _runs(names: Sequence[str]) -> list[str]:
    """Names, those that only count on drawn together: `item 1 to item 3`."""
    runs: list[tuple[str, str]] = []
    for name in names:
        word, _, number = name.rpartition(" ")
        if runs and number.isdigit() and runs[-1][1] == f"{word} {int(number) - 1}":
            runs[-1] = runs[-1][0], name
        else:
            runs.append((name, name))
    return [first if first == last else f"{first} to {last}" for first, last in runs]


def read_rules(text: str, game: str, make_rules: Callable[..., Rules]) -> Rules:
    """Rules of a game from their text, such as `sixty_six(preset=schnapsen,claims=auto)`.

    Raises:
        ValueError: another game, or rules that do not exist.
    """
    name, options = split_call(text)
    if name != game:
        raise ValueError(f"game {quoted(name)}: must be {game}")
    return make_rules(options.pop("preset", "base"), **options)


def as_record(state: Any) -> Any:
    """The record itself, also from an array of shape (1,)."""
    return state[0] if state.ndim else state


def members(mask: Any) -> list[int]:
    """Numbers of the cards, or seats, in a bit mask, ascending."""
    return [number for number in range(int(mask).bit_length()) if int(mask) >> number & 1]


def signs(pack: Pack, cards: Iterable[int]) -> str:
    """Cards for people, with the signs of their suits."""
    return " ".join(signed(pack.text(card)) for card in cards) or "no cards"


def own_copy(state: Any, player: int | None) -> Any:
    """A record of one's own to describe, shape (1,), for a view that exists.

    Args:
        state: one record, or an array of shape (1,).
        player: whose view it is; -1 for what everybody knows, None for all.

    Raises:
        ValueError: no such player.
    """
    record = as_record(state)
    players = int(record["rules"]["players"])
    if player is not None and not -1 <= player < players:
        raise ValueError(f"player {player}: must be from 0 to {players - 1}, or -1 for what everybody knows")
    own = np.zeros(1, record.dtype)
    own[0] = record
    return own
