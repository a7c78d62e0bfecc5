"""What the tests of Zwicken as text share: forms of the game, positions, random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from cardsim.games.zwicken.game import GAME
from cardsim.games.zwicken.layout import ACT_PASS
from cardsim.games.zwicken.rules import PRESETS
from cardsim.options import Rules
from tests.games import texts

FORMS: list[dict[str, Any]] = [
    *({"preset": preset} for preset in PRESETS),
    *({"preset": preset, "match": True} for preset in PRESETS),
    *({"players": players, "match": True} for players in (2, 3, 5)),
    *({"preset": "four_card", "players": players, "swap_mode": "block"} for players in (2, 5)),
    {"swap_mode": "block", "max_swaps": 4, "match": True, "players": 5},
    {"preset": "four_card", "players": 5, "max_swaps": 4, "match": True},
    {"max_swaps": 0, "must_trump": False, "belli_cut": "none"},
    {"players": 2, "max_swaps": 4, "cut_rule": "off"},
    {"cut_rule": "hop", "belli_cut": "pot_jump", "match": True, "n_deals": 3},
    {"cut_rule": "hop", "belli_cut": "pay_all_others", "belli_cut_ante": "returned", "bare_pot_forced": True},
    {"duties": "enforce", "must_head": True, "winner_leads_trump": True},
    {"duties": "enforce", "ace_duty": "play", "start_pot": 7, "all_pass": "dealer_takes"},
    {"preset": "bavarian", "wenzel_cards": "ober_unter", "wenzel_rank": "top", "belli_duty": "loss_pays"},
    {"preset": "dreier", "dreier_no_pass": "dealer", "match": True, "stake": 5, "start_chips": 40},
    {"bete": "pot", "bete_cap": 5, "match": True, "target_chips": 60, "start_chips": 20, "durchmarsch": "extra_to_pot"},
    {"ace_must_stay": False, "match": True, "n_deals": 4, "durchmarsch": "extra_to_winner", "ace_duty": "play"},
]

SEEDS = range(3)

FRESH = (
    "zwicken(preset=base) dealer=3 hands=QH,AH,JC;KS,8D,KC;JD,QD,9D;TC,QC,TD up=KH shown=8S"
    " talon=7H,8H,9H,TH,JH,JS,QS,AS,7C,8C,9C,AC,AD,9S,KD,7S,TS,7D,8S pot=3"
)

ENDGAME = (
    "zwicken(preset=base) dealer=3 active=0,1 hands=JH;-;JD,QD,9D;TC,QC,TD up=KH shown=8S"
    " talon=7H,8H,9H,TH,JS,QS,AS,7C,8C,9C,AC,AD,9S,KD,7S,TS,7D,8S thrown=QH;-;-;-"
    " history=0:AH,8D/0:JC,KC/1:KS pot=3"
)


def play(rules: Rules, seed: int, deals: int = 4, calm: float = 0.8) -> Iterator[Any]:
    """Random play; yields the same array before the first deal and after every step.

    Args:
        rules: the rules in force.
        seed: decides everything.
        deals: packs to deal at most; some are void by the cut.
        calm: how often passing is left out, so that deals go on to the tricks.
    """

    def choose(actions: list[int], rng: random.Random) -> int:
        rest = [action for action in actions if action != ACT_PASS]
        return rng.choice(rest if rng.random() < calm else actions)

    return texts.play(GAME.make(rules.preset, **rules.changed), seed, deals, choose)
