"""Sixty-Six as text: actions, whole hands and descriptions for people; positions are in positions.py."""

from __future__ import annotations

from typing import Any

from cardsim.games.sixty_six.layout import ACTION_NAMES, PACK, PAIR_0
from cardsim.games.sixty_six.positions import parse_position, parse_rules, position_text

__all__ = ["action_text", "legal_texts", "parse_action", "parse_position", "parse_rules", "position_text"]


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
    action = _ACTIONS.get("".join(text.split()).lower())
    if legal is not None and (action is None or not int(legal) >> action & 1):
        raise ValueError(f"action {text!r} is not legal; legal: {', '.join(legal_texts(legal)) or 'none'}")
    if action is None:
        words = ", ".join(ACTION_NAMES[PAIR_0:])
        raise ValueError(f"action {text!r}: must be a card (one of {' '.join(PACK.ranks)}, then one of D H S C), {words}")
    return action


