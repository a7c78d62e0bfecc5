"""What the tests of Zwicker as text share: forms of the game, positions, random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from cardsim.games.zwicker.game import GAME
from cardsim.games.zwicker.layout import ACT_FINISH, ACT_TAKE
from cardsim.games.zwicker.rules import PRESETS
from cardsim.options import Rules
from tests.games import texts

FORMS: list[dict[str, Any]] = [
    *({"preset": preset} for preset in PRESETS),
    *({"preset": "no_joker", "players": players, "match": True, "n_deals": 2} for players in (2, 3, 5, 6, 7, 8)),
    *({"preset": "six_joker", "players": players, "match": True, "n_deals": 2} for players in (2, 3, 5, 6)),
    *({"preset": "grupp", "players": players, "joker_points": 2} for players in (2, 3, 8)),
    {"preset": "six_joker", "players": 2, "table_cards": 40},
    {"preset": "six_joker", "must_capture": True, "zwick_relay": True, "teams": False},
    {"preset": "six_joker", "build_needs": "none", "pair_build": True, "stale_build_penalty": 30, "match": True},
    {"preset": "six_joker", "build_needs": "self", "build_down": "abs_difference", "players": 2, "table_cards": 0},
    {"preset": "three_joker", "table_cards": 3, "most_cards_tie": "all", "match": True, "target": 20},
    {"preset": "four_joker", "players": 5, "short_deal": "unused", "sum_capture": False},
    {"preset": "two_joker", "players": 6, "must_capture": True, "stale_build_penalty": 5, "pair_build": True},
    {"players": 7, "short_deal": "to_table", "trail": "free", "teams": False, "must_capture": True},
    {"players": 6, "short_deal": "unused", "teams": True, "match": True},
    {"players": 8, "trail": "free", "zwick_relay": True, "table_cards": 60},
    {"preset": "grupp", "players": 6, "jokers_stay": True, "short_deal": "unused", "match": True, "n_deals": 2},
    {"preset": "grupp", "players": 2, "lone_joker_by_joker": True, "joker_sweep_counts": False, "table_cards": 1},
    {"preset": "grupp", "players": 5, "must_capture": True, "n_jokers": 3, "trail": "free", "zwick_relay": True},
    {"preset": "grupp", "players": 3, "jokers_stay": True, "must_capture": True, "sum_capture": False},
    {"players": 6, "capture_choice": "maximal"},
    {"preset": "six_joker", "capture_choice": "maximal"},
    {"preset": "grupp", "players": 3, "capture_choice": "maximal", "jokers_stay": True},
]

STOCK = (
    "3D,4D,8D,AD,3H,4H,5H,6H,7H,8H,TH,AH,JH,QH,2S,3S,4S,5S,6S,7S,"
    "8S,9S,TS,AS,JS,QS,KS,2C,3C,4C,5C,6C,7C,8C,9C,TC,AC,JC,QC,KC"
)

MIDDLE = (
    "zwicker(preset=no_joker,players=2) dealer=1 hands=9D,KD,KH;TD,JD,QD table=5D,9H,7D+6D=13@1 piles=2D,2H;-"
    f" capturer=0 stock={STOCK} turn=hand2,take,item1"
)
"""Seat 0 has taken the two of diamonds, seat 1 has laid a card; seat 0 plays a king and has chosen the five."""


def play(rules: Rules, seed: int, deals: int = 2, calm: float = 0.5) -> Iterator[Any]:
    """Random play; yields the same array before the first deal and after every step.

    Args:
        rules: the rules in force.
        seed: decides everything.
        deals: packs to deal at most.
        calm: how often a capture is avoided or broken off, so that tables become large.
    """

    def choose(actions: list[int], rng: random.Random) -> int:
        others = [action for action in actions if action != ACT_TAKE]
        if rng.random() < calm and others:
            return ACT_FINISH if ACT_FINISH in actions else rng.choice(others)
        return rng.choice(actions)

    return texts.play(GAME.make(rules.preset, **rules.changed), seed, deals, choose)
