"""Sixty-Six: options, presets, their validation, and the compiled rules record.

Source: the rules catalogue, section 3 (S1-S21, SQ1-SQ30, SP1-SP37); the source text is Italian, "Sixty-Six".
Departures from the source text, each decided in the catalogue:

* S10 speaks of 60 points in trumps, S16 of "Schneider" for no trick: slips of the text, the numbers of 3.1 hold;
* S17's three points for a false claim cannot occur, since a claim needs a trick (S15, SQ18);
* S12 "before drawing" is read as both before the draw and later, on lead (SQ1, `close_timing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cardsim.options import Option, OptionTable, Rules, Value, pick_preset

TWO_HAND, THREE_HAND, FOUR_HAND, THOUSAND_ONE = range(4)

OPTIONS = OptionTable(
    [
        Option("match", False, "S1, S20", "an episode is a whole match to `target` instead of one deal"),
        Option("players", 2, "S1, 3.4", "seats at the table; 1001 takes 2 or 3", low=2, high=4),
        Option("first_dealer", "random", "S4, SP35", "seat that deals first", ("random", "0", "1", "2", "3")),
        Option("close_timing", "either", "SQ1, SP1, SP3", "when the talon may be closed", ("either", "before_draw", "after_draw")),
        Option("close_min_talon", 2, "SQ3, SP5", "fewest talon cards, face-up card included, for closing", low=2, high=32),
        Option("close_first_lead", True, "SQ2, SP3", "closing before the first trick"),
        Option("close_score", "at_close", "SQ4, SP16", "which standing a successful close is paid by", ("at_close", "at_end")),
        Option("closing", True, "SP32", "whether the talon may be closed at all"),
        Option("failed_close", "2_or_3", "SQ5, SP32", "price of a failed close", ("2_or_3", "always_3", "2_or_3_at_end")),
        Option("beaten_closer", "as_failed", "SQ6, SP17", "price when the closer's opponent claims truly", ("as_failed", "flat2", "as_claim")),
        Option("exchange_needs_trick", False, "SQ9, SP7", "exchange only after winning a trick"),
        Option("exchange_on_close", False, "SQ8, SP15", "the opponent may exchange at the moment of closing"),
        Option("exchange_min_talon", 2, "SQ10, SP5", "fewest talon cards for the exchange", low=2, high=32),
        Option("swap_card", "lowest", "3.4, SP30", "card that takes the face-up trump", ("lowest", "nine")),
        Option("early_marriage", "forbidden", "SQ12, SP8, SP32", "marriage before the side's first trick", ("forbidden", "pending", "next_trick")),
        Option("marriage_after_close", True, "SQ13, SP9", "marriages once the talon is closed or gone"),
        Option("marriage_must_lead", True, "S11, 3.4", "king or queen of the pair must be led"),
        Option("marriage_show_out", True, "SQ14, SP10", "claim between a declaration and the lead"),
        Option("marriage_lead", "either", "SP32", "card of the pair that must be led", ("either", "king")),
        Option("announce", "free", "SP32", "forced: leading a card of a declarable pair declares it", ("free", "forced")),
        Option("claims", "free", "SQ17, SP13", "free, only true ones, or made by the engine", ("free", "true_only", "auto")),
        Option("claim_timing", "on_lead", "SQ16, SP12", "when 66 may be claimed", ("on_lead", "any_turn")),
        Option("false_claim", "flat2", "SQ18, SP18", "price of a false claim", ("flat2", "schwarz3")),
        Option("exhausted", "ten_points", "SQ20, SP19", "talon played out and nobody claims", ("ten_points", "last_trick_wins")),
        Option("tie", "draw", "SQ21, SP20", "equal totals", ("draw", "carry1", "last_trick")),
        Option("next_dealer", "alternate", "SQ27, SP21", "who deals next in a match", ("alternate", "winner")),
        Option("target", 7, "S20, SQ28", "score that wins a match", low=1, high=10_000),
        Option("matsch_double", False, "SQ28, SP22", "a match won to nothing counts double"),
        Option("idle_dealer", "none", "3.4, SP23", "three-handed: what the idle dealer scores", ("none", "shares")),
        Option("partner_meld", False, "3.4, SP27", "four-handed: the leader's partner may declare"),
        Option("american", False, "3.4, SP28", "four-handed: 32 cards, no marriages, no claims"),
        Option("ascending_marriages", False, "3.4, SP29", "1001: a later marriage must be of a higher suit"),
        Option("follow_always", False, "3.4, SP29", "1001: strict play from the first trick"),
        Option("hand", 6, "3.4, SP29, SP38", "cards dealt to each; by default the preset's", low=2, high=8),
        Option("suits", 4, "SP38", "suits of the pack, from diamonds on", low=2, high=4),
        Option("ranks", 6, "SP38", "cards of a suit, from the ace down; by default the preset's", low=3, high=8),
        Option("goal", 66, "S15, SP38", "points that win a deal; below half of them a loser pays double", low=1, high=300),
        Option("perfect_memory", True, "SQ30, SP36", "observations hold all cards played and both totals"),
    ]
)  # fmt: skip

DERIVED = (
    "form", "cards", "hand_cards", "active", "teams", "talon", "marriages",
    "always_strict", "barrable", "claim_allowed", "claim_by_hand", "claim_auto", "close_allowed", "draw_node", "swap_rank", "schneider",
)  # fmt: skip

RULES = OPTIONS.record_dtype(DERIVED)
"""Every option's code (int16), then what follows from them: form, cards in the pack, cards dealt to each, players in a
deal, teams (0/1), talon (0/1), whether marriages exist, whether play is strict from the first trick,
whether a void can show while cards are still drawn, whether claiming (at all, by the players, by the engine),
closing and the draw node exist, the rank that may be exchanged, and the points below which a loser pays double."""


class Preset(NamedTuple):
    """A named form of the game: its shape and the options that differ from the defaults."""

    form: int
    players: tuple[int, ...]
    cards: int
    hand_cards: int
    options: Mapping[str, Value]
    meaning: str


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "base": Preset(TWO_HAND, (2,), 24, 6, {}, "the source text's game, 24 cards"),
        "pagat66": Preset(
            TWO_HAND, (2,), 24, 6,
            {"close_score": "at_end", "beaten_closer": "flat2", "exchange_needs_trick": True, "exchange_on_close": True,
             "early_marriage": "pending", "marriage_after_close": False, "next_dealer": "winner"},
            "the game as pagat.com describes it"),
        "schnapsen": Preset(
            TWO_HAND, (2,), 20, 5,
            {"close_timing": "after_draw", "early_marriage": "pending", "exhausted": "last_trick_wins", "false_claim": "schwarz3"},
            "Austrian Schnapsen, 20 cards"),
        "three_hand": Preset(THREE_HAND, (3,), 24, 6, {}, "three players, the dealer sits out"),
        "four_hand": Preset(FOUR_HAND, (4,), 24, 6, {}, "two partnerships, no talon"),
        "1001": Preset(THOUSAND_ONE, (2, 3), 24, 8, {"early_marriage": "pending", "target": 1001}, "Tausendeins, marriages make trumps"),
        "deck32": Preset(TWO_HAND, (2,), 32, 6, {}, "32 cards, the seven takes the turned trump"),
        "strict": Preset(TWO_HAND, (2,), 24, 6, {"marriage_must_lead": True, "marriage_show_out": False}, "no claim on showing a marriage"),
    }
)  # fmt: skip

RANKS = "789JQKTA"
SEVEN, NINE, JACK = (RANKS.index(rank) for rank in "79J")


def make_rules(preset: str = "base", **options: Any) -> Rules:
    """Resolve a preset and named options into the rules in force.

    Args:
        preset: a name in PRESETS.
        **options: option name -> value (or its text); they override the preset (SP33).

    Raises:
        ValueError: unknown preset or option, value not allowed, or options that the pack or the seats make impossible.

    >>> make_rules("schnapsen", claims="auto").text
    'sixty_six(preset=schnapsen,claims=auto)'
    """
    shape: Preset = pick_preset(PRESETS, preset)
    own = {"players": shape.players[0], "ranks": shape.cards // 4, "hand": shape.hand_cards}
    american = shape.form == FOUR_HAND and "american" in options and OPTIONS["american"].parse(options["american"])
    implied = {"tie": "carry1", "ranks": 8, "hand": 8} if american else {}  # SP28
    values = OPTIONS.resolve(own, shape.options, implied, options)
    _check(preset, shape, values)
    changed = {name: values[name] for name in options}
    record = np.zeros(1, RULES)
    for name, value in values.items():
        record[name] = OPTIONS[name].code(value)
    for name, number in _derive(shape, values).items():
        record[name] = number
    record.setflags(write=False)
    return Rules("sixty_six", preset, MappingProxyType(values), record, MappingProxyType(changed))


def _check(preset: str, shape: Preset, values: Mapping[str, Value]) -> None:
    if values["players"] not in shape.players:
        allowed = " or ".join(map(str, shape.players))
        raise ValueError(f"option players={values['players']}: preset {preset} is played by {allowed}")
    _check_pack(preset, shape, values)
    if shape.form == THOUSAND_ONE and values["hand"] not in (6, 8):
        raise ValueError(f"option hand={values['hand']}: must be 6 or 8, dealt in packets of three or four (SP29)")
    if shape.form == THOUSAND_ONE and values["players"] == 3 and values["hand"] != 8:
        raise ValueError(
            f"option hand={values['hand']}: three players of 1001 share all 24 cards, so it must be 8 (SP29)"
        )
    dealer = values["first_dealer"]
    if dealer != "random" and int(dealer) >= int(values["players"]):
        raise ValueError(f"option first_dealer={dealer}: must be random or 0 to {int(values['players']) - 1}")


def _check_pack(preset: str, shape: Preset, values: Mapping[str, Value]) -> None:
    """SP38: without a talon, or in 1001, the pack is the preset's; elsewhere as many cards are left for each to draw."""
    suits, ranks, hand = (int(values[name]) for name in ("suits", "ranks", "hand"))
    if shape.form in (FOUR_HAND, THOUSAND_ONE):
        whole = 8 if shape.form == FOUR_HAND and values["american"] else shape.cards // 4
        fixed = {"suits": 4, "ranks": whole} | ({"hand": whole} if shape.form == FOUR_HAND else {})
        for name, must in fixed.items():
            if values[name] != must:
                raise ValueError(f"option {name}={values[name]}: must be {must} in preset {preset} (SP38)")
    elif suits * ranks % 2:
        raise ValueError(
            f"option ranks={ranks}: must be even with suits={suits}: both players draw as many cards (SP38)"
        )
    elif 2 * hand > suits * ranks - 2:
        most = suits * ranks // 2 - 1
        raise ValueError(
            f"option hand={hand}: must be 2 to {most} of {suits * ranks} cards, with a talon of two (SP38)"
        )


def _derive(shape: Preset, values: Mapping[str, Value]) -> dict[str, int]:
    american = shape.form == FOUR_HAND and bool(values["american"])
    thousand = shape.form == THOUSAND_ONE
    ranks, hand = int(values["ranks"]), int(values["hand"])
    cards = int(values["suits"]) * ranks
    active = 2 if shape.form == THREE_HAND else int(values["players"])
    talon = active * hand < cards
    close = talon and not thousand and bool(values["closing"])
    claim = not thousand and not american
    always_strict = thousand and bool(values["follow_always"])
    return {
        "form": shape.form,
        "cards": cards,
        "hand_cards": hand,
        "active": active,
        "teams": int(shape.form == FOUR_HAND),
        "talon": int(talon),
        "marriages": int(not american),
        "always_strict": int(always_strict),
        "barrable": int(talon and (always_strict or values["announce"] == "forced")),
        "claim_allowed": int(claim),
        "claim_by_hand": int(claim and values["claims"] != "auto"),
        "claim_auto": int(claim and values["claims"] == "auto"),
        "close_allowed": int(close),
        "draw_node": int(close and values["close_timing"] != "after_draw"),
        "swap_rank": NINE if values["swap_card"] == "nine" and ranks > 6 else 8 - ranks,
        "schneider": (int(values["goal"]) + 1) // 2,
    }


def deck(rules: Rules) -> list[int]:
    """The cards of this form's pack, ascending: the highest ranks of each suit."""
    suits, ranks = int(rules["suits"]), int(rules["ranks"])
    return [8 * suit + rank for suit in range(suits) for rank in range(8 - ranks, 8)]
