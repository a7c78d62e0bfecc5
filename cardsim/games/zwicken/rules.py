"""Zwicken: options, variants, their validation, and the compiled rules record.

Source: the rules catalogue, section 1 (Z1-Z31, ZQ1-ZQ31, ZP1-ZP35); the two source texts are Italian and Spanish,
"Zwicken". Departures from the source texts, each decided in the catalogue:

* a lone trump Ace must stay although a tip says to fold it (ZQ25, `ace_must_stay`);
* the tip that leading the trump Ace runs into the Belli contradicts the rank of the cards (Z4) and is ignored (ZQ26);
* Z26 promises bonuses for a Durchmarsch: the bonus is the undivided pot (ZQ18, `durchmarsch`);
* the fee for a cut Belli goes to the players on the way to the cutter, who deals next (ZQ1, `belli_cut`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cardsim.options import Option, OptionTable, Rules, Value, pick_preset

PLAIN, SIXES, UNTER_BELOW, UNTER_TOP, BOTH_BELOW, BOTH_TOP = range(6)
"""Orders of the trumps: base; Styrian; Wenzels (the Unters, or Obers and Unters) below the Belli or on top."""
PASS_FREE, PASS_NOT_DEALER, PASS_NOBODY = range(3)
CHIPS = 30_000
"""Most chips that an option can name."""
MOST_DEALS = 32_767
"""A session to a target alone ends after so many deals at the latest; a far target is not reached in a lifetime."""

OPTIONS = OptionTable(
    [
        Option("match", False, "Z27, ZP32", "an episode is a session of deals, pot and deal carried on, instead of one deal"),
        Option("players", 4, "Z1, ZQ31", "seats at the table; dreier takes 3", low=2, high=5),
        Option("first_dealer", "random", "ZP32", "seat that deals first", ("random", "0", "1", "2", "3", "4")),
        Option("stake", 3, "Z7, ZQ20", "chips of an ante, a bete and a cut payment; four_card 4", low=1, high=100),
        Option("cut_rule", "redeal", "Z11, ZQ3, ZP2, ZP4", "an Ace or plain 7 is cut: same dealer again, next dealer, or no cut at all", ("redeal", "hop", "off")),
        Option("belli_cut", "pay_between", "Z12, ZQ1, ZP2, ZP3", "the Belli is cut: who pays whom", ("pay_between", "pay_all_others", "pot_jump", "none")),
        Option("belli_cut_ante", "stays", "ZQ2", "the old dealer's ante when the Belli is cut", ("stays", "returned")),
        Option("swap_mode", "one_per_round", "Z15, ZQ10, ZP14, ZP15", "one card a round, or all in one turn", ("one_per_round", "block")),
        Option("max_swaps", 3, "Z15, ZP16", "cards that a player may swap", low=0, high=4),
        Option("duties", "penalise", "ZQ12, ZP23", "Ace and Belli duties: a bete, or no other card is legal", ("penalise", "enforce")),
        Option("ace_must_stay", True, "Z16, ZQ25, ZP11", "the holder of the trump Ace may not pass"),
        Option("ace_duty", "lead", "Z24, ZQ13, ZQ14, ZP20, ZP21", "what is due of the trump Ace at the first opportunity", ("lead", "play")),
        Option("belli_duty", "release", "Z17, Z25, ZQ15, ZP22, ZP24", "Belli under the led trump Ace", ("release", "loss_pays", "off")),
        Option("must_trump", True, "Z20, ZQ17", "trump if unable to follow"),
        Option("must_head", False, "ZQ17, ZP18", "beat the winning card if able"),
        Option("winner_leads_trump", False, "ZQ17, ZP19", "from the second trick on a trump must be led if held"),
        Option("durchmarsch", "single_bete", "Z26, ZQ18, ZP29", "all tricks: a second bete of the other stayers", ("single_bete", "extra_to_winner", "extra_to_pot")),
        Option("bete", "stake", "Z23, ZQ23, ZP28", "size of a bete: the stake, or the pot played for", ("stake", "pot")),
        Option("bete_cap", 1000, "ZP28", "most stakes that a bete of the pot can cost", low=1, high=1000),
        Option("all_pass", "carry", "ZQ21, ZP13", "everybody passes: the pot stays, or the dealer takes it", ("carry", "dealer_takes")),
        Option("bare_pot_forced", False, "ZQ24, ZP10", "nobody may pass when the pot is just one stake"),
        Option("dreier_no_pass", "all", "Z30, 1.4, ZP11", "dreier: who may not pass", ("all", "dealer")),
        Option("wenzel_rank", "below_belli", "Z31, 1.4, ZP25", "bavarian: place of the Wenzels", ("below_belli", "top")),
        Option("wenzel_cards", "unter", "Z31, 1.4, ZP25", "bavarian: which cards are Wenzels", ("unter", "ober_unter")),
        Option("n_deals", 0, "ZQ28, ZP32", "session: deals; 0: as many as players, or up to 32767 with a target", high=1000),
        Option("target_chips", 0, "Z27, ZP33", "session: ends once a balance reaches this; 0: no target", high=CHIPS),
        Option("start_chips", 0, "ZQ28, ZP33", "balance that everybody begins with", high=CHIPS),
        Option("start_pot", 0, "ZP32", "chips that lie in the pot before the first deal", high=CHIPS),
    ]
)  # fmt: skip

DERIVED = ("cards", "hand_cards", "order", "pass_rule", "deals_limit", "cut")

RULES = OPTIONS.record_dtype(DERIVED)
"""Every option's code (int16), then what follows from them: cards in the pack, cards in a hand (= tricks), order of the
trumps (PLAIN to BOTH_TOP), who may pass at all, most deals of a session, whether the pack is cut."""


class Preset(NamedTuple):
    """A variant of the game: its pack and the options that differ from the defaults."""

    cards: int
    hand_cards: int
    options: Mapping[str, Value]
    meaning: str


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "base": Preset(32, 3, {}, "the source texts' game: 32 cards, three tricks"),
        "styrian": Preset(36, 3, {}, "36 cards, the 6 of diamonds is the third-highest trump"),
        "four_card": Preset(32, 4, {"stake": 4}, "four cards, four tricks, stake 4"),
        "dreier": Preset(32, 3, {"players": 3}, "Dreierzwicken: three players, nobody may pass"),
        "bavarian": Preset(36, 3, {}, "36 cards, the four Unters are trumps below the Belli"),
    }
)

RANKS = "6789TJQKA"


def make_rules(preset: str = "base", **options: Any) -> Rules:
    """Resolve a variant and named options into the rules in force.

    Args:
        preset: a name in PRESETS.
        **options: option name -> value (or its text); they override the preset (SP33, ZP34).

    Raises:
        ValueError: unknown preset or option, value not allowed, or options that contradict the variant.

    >>> make_rules("styrian", players=5).text
    'zwicken(preset=styrian,players=5)'
    """
    shape: Preset = pick_preset(PRESETS, preset)
    values = OPTIONS.resolve(shape.options, options)
    _check(preset, values)
    changed = {name: values[name] for name in options}
    record = np.zeros(1, RULES)
    for name, value in values.items():
        record[name] = OPTIONS[name].code(value)
    for name, number in _derive(preset, shape, values).items():
        record[name] = number
    record.setflags(write=False)
    return Rules("zwicken", preset, MappingProxyType(values), record, MappingProxyType(changed))


def _check(preset: str, values: Mapping[str, Value]) -> None:
    players = int(values["players"])
    if preset == "dreier" and players != 3:
        raise ValueError(f"option players={players}: preset dreier is played by 3")
    dealer = values["first_dealer"]
    if dealer != "random" and int(dealer) >= players:
        raise ValueError(f"option first_dealer={dealer}: must be random or 0 to {players - 1}")
    target, start = int(values["target_chips"]), int(values["start_chips"])
    if target and target <= start:
        raise ValueError(f"option target_chips={target}: must be above start_chips={start}, or 0 for none (ZP33)")


def _derive(preset: str, shape: Preset, values: Mapping[str, Value]) -> dict[str, int]:
    order = SIXES if preset == "styrian" else PLAIN
    if preset == "bavarian":
        order = UNTER_BELOW if values["wenzel_cards"] == "unter" else BOTH_BELOW
        order += values["wenzel_rank"] == "top"
    pass_rule = PASS_FREE
    if preset == "dreier":
        pass_rule = PASS_NOBODY if values["dreier_no_pass"] == "all" else PASS_NOT_DEALER
    return {
        "cards": shape.cards,
        "hand_cards": shape.hand_cards,
        "order": order,
        "pass_rule": pass_rule,
        "deals_limit": int(values["n_deals"]) or (MOST_DEALS if values["target_chips"] else int(values["players"])),
        "cut": int(values["cut_rule"] != "off"),
    }


def deck(rules: Rules) -> list[int]:
    """The cards of this variant's pack, ascending: all, or all but the sixes."""
    lowest = 0 if rules.record["cards"][0] == 36 else 1
    return [9 * suit + rank for suit in range(4) for rank in range(lowest, 9)]
