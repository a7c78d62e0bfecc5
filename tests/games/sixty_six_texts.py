"""What the tests of Sixty-Six as text share: forms of the game, positions, random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from cardsim.games.sixty_six.game import GAME
from cardsim.games.sixty_six.rules import PRESETS
from cardsim.options import Rules
from tests.games import texts

FORMS: list[dict[str, Any]] = [
    *({"preset": preset} for preset in PRESETS),
    *({"preset": preset, "match": True} for preset in PRESETS),
    {"announce": "forced", "claims": "auto"},
    {"announce": "forced", "marriage_lead": "king", "early_marriage": "pending"},
    {"claims": "auto", "claim_timing": "any_turn", "match": True, "tie": "carry1"},
    {"claims": "true_only", "marriage_must_lead": False, "early_marriage": "next_trick"},
    {"exchange_on_close": True, "close_min_talon": 6, "perfect_memory": False},
    {"preset": "deck32", "swap_card": "nine", "closing": False},
    {
        "preset": "schnapsen",
        "announce": "forced",
        "exchange_on_close": True,
        "next_dealer": "winner",
        "match": True,
    },
    {
        "preset": "three_hand",
        "claims": "auto",
        "idle_dealer": "shares",
        "match": True,
        "exchange_on_close": True,
    },
    {"preset": "four_hand", "partner_meld": True, "early_marriage": "pending", "match": True},
    {"preset": "four_hand", "american": True, "match": True},
    {"preset": "1001", "players": 3, "match": True, "target": 300},
    {"preset": "1001", "hand": 6, "follow_always": True, "ascending_marriages": True},
    {"preset": "1001", "follow_always": True, "announce": "forced", "match": True},
]


SEEDS = range(5)


FRESH = (
    "sixty_six(preset=base) dealer=1 hands=9S,QS,AH,TH,KD,JC;TD,AD,9H,JS,QC,AC up=KS"
    " talon=9D,JD,QD,JH,QH,KH,TS,AS,9C,KC,TC"
)


ENDGAME = (
    "sixty_six dealer=1 player=1 hands=AC;9C up_first=KS tricks=5,6 points=44,65"
    " history=9S,QS/AH,9H/TH,JH/KD,9D/JC,QC/TD,JD/AD,QD/QH,KH/JS,KS/TS,AS/KC,TC"
)


def quiet(actions: list[int], rng: random.Random, calm: float) -> list[int]:
    """Mostly without claiming, closing and passing, so that deals go on to rarer states."""
    rest = [action for action in actions if action < 37 or action == 38]
    return rest if rest and rng.random() < calm else actions


def play(rules: Rules, seed: int, deals: int = 3, calm: float = 0.9) -> Iterator[Any]:
    """Random play; yields the same array before the first deal and after every step."""
    game = GAME.make(rules.preset, **rules.changed)
    return texts.play(game, seed, deals, lambda actions, rng: rng.choice(quiet(actions, rng, calm)))
