"""What the tests of Sixty-Six as text share: forms of the game, positions, random play, damaged texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from cardsim import contract
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six.layout import (
    ACTION_NAMES,
    DEAL,
    STATE,
)
from cardsim.games.sixty_six.rules import PRESETS, deck
from cardsim.options import Rules
from cardsim.rng import new_streams

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


def empty_state(rules: Rules) -> Any:
    states = np.zeros(1, STATE)
    states["rules"] = rules.record
    return states


def legal(states: Any) -> list[int]:
    mask = int(contract.legal_actions(states[0]))
    return [action for action in range(len(ACTION_NAMES)) if mask >> action & 1]


def quiet(actions: list[int], rng: random.Random, calm: float) -> list[int]:
    """Mostly without claiming, closing and passing, so that deals go on to rarer states."""
    rest = [action for action in actions if action < 37 or action == 38]
    return rest if rest and rng.random() < calm else actions


def play(rules: Rules, seed: int, deals: int = 3, calm: float = 0.9) -> Iterator[Any]:
    """Random play; yields the same array before the first deal and after every step."""
    rng, states = random.Random(seed), empty_state(rules)
    streams = new_streams()
    streams["key"] = seed
    streams["used"] = 32
    contract.reset(states[0], streams[0])
    yield states
    for _ in range(deals):
        cards = deck(rules)
        rng.shuffle(cards)
        contract.deal_given(states[0], np.array(cards, np.uint8))
        yield states
        while contract.current_player(states[0]) not in (CHANCE, TERMINAL):
            contract.apply_action(states[0], rng.choice(quiet(legal(states), rng, calm)))
            yield states
        if states["phase"][0] != DEAL:
            return


def one_line(error: pytest.ExceptionInfo[ValueError]) -> str:
    message = str(error.value)
    assert message and len(message.splitlines()) == 1
    return message


def changed(text: str, key: str, value: str) -> str:
    words = [word for word in text.split() if not word.startswith(f"{key}=")]
    return " ".join([*words, f"{key}={value}"])


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """A text with some characters replaced, dropped, doubled, swapped, or with its end cut off."""
    characters = list(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(characters) - 1))
        to = draw(st.integers(0, len(characters) - 1))
        kind = draw(st.sampled_from(["replace", "drop", "copy", "swap", "cut"]))
        if kind == "replace":
            characters[at] = draw(st.characters() | st.sampled_from("0123456789-,;/:=ATKQJ9DHSC"))
        elif kind == "drop":
            del characters[at : at + draw(st.integers(1, 4))]
        elif kind == "copy":
            characters[at:at] = characters[to : to + draw(st.integers(1, 4))]
        elif kind == "swap":
            characters[at], characters[to] = characters[to], characters[at]
        else:
            del characters[max(1, at) :]
        characters = characters or ["x"]
    return "".join(characters)
