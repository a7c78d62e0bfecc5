"""Zwicker: options, forms, their validation, and the compiled rules record.

Source: the rules catalogue, section 2 (W1-W25, WQ1-WQ30, WP1-WP20); the source text is German, "Zwicker". Where it is
silent, or states less than can be played, the catalogue decides:

* capturing is never a duty (WQ1, `must_capture`), and a player may take less than he could (WQ6, `capture_choice`);
* without jokers a card goes beside the others only where it fits on none (WQ2, `trail`);
* with jokers a build needs a card that can take it, in the builder's hand or his partner's (WQ8, `build_needs`);
* the one to four jokers and their tables follow the two layouts that the text gives: four cards and the jokers (2.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cardsim.options import Option, OptionTable, Rules, Value, pick_preset

BOOK, FIXED, WILD = range(3)
"""Styles: single values and stacks; dual values, jokers of fixed value and builds; as BOOK with wild jokers."""
HAND = 4
"""Cards dealt to a hand at a time (W8, W12, W19, W23)."""
PER_PACK = 52
RANKS = "23456789TAJQK"
"""From value 2 to value 14 (W7)."""
JOKER_VALUES = (15, 17, 20, 22, 25, 30)
KINDS = 64
"""Different cards: 52, the six jokers of fixed value, six wild ones that are alike. The second pack's are KINDS higher."""
FIRST_JOKER, FIRST_WILD = 52, 58
MOST_POINTS = 30_000
MOST_DEALS = 32_767
"""A match to a target alone ends after so many deals at the latest; a far target is not reached in a lifetime."""

OPTIONS = OptionTable(
    [
        Option("match", False, "WQ26, WP18", "an episode is a match of several deals instead of one deal"),
        Option("players", 4, "W1, W16", "seats at the table; 2 to 8 without jokers and in grupp, else 2 to 6", low=2, high=8),
        Option("first_dealer", "random", "WP2", "seat that deals first", ("random", "0", "1", "2", "3", "4", "5", "6", "7")),
        Option("teams", "form", "WQ22, WP17", "two parties, seats alternating; form: with jokers of fixed value 4 and 6 players", ("form", "true", "false")),
        Option("table_cards", -1, "2.2, 2.4, WP3", "cards of the opening table; -1: the form's own, 4 and the fixed jokers", low=-1, high=108),
        Option("must_capture", False, "WQ1, WP6, WP13", "nothing else is legal while any card held can capture"),
        Option("capture_choice", "any", "WQ6, WP6", "what a capture may leave of what it could take", ("any", "maximal")),
        Option("sum_capture", True, "WQ5, WP6", "several cards may add to the value of the card played"),
        Option("trail", "stack_if_possible", "WQ2, WP14", "book and grupp: beside only where the card fits on none, or freely", ("stack_if_possible", "free")),
        Option("build_needs", "self_or_partner", "WQ8, WQ9, WP10, WP13", "who must hold a card of the value built", ("self_or_partner", "self", "none")),
        Option("build_down", "item_minus_card", "2.3, WQ10, WP12", "value of a build down", ("item_minus_card", "abs_difference")),
        Option("pair_build", False, "WQ12, WP12", "an equal card may be laid on an item, whose value stays"),
        Option("stale_build_penalty", 0, "WQ8, WP12", "points that a build left at the end costs its last builder's side", high=100),
        Option("short_deal", "singly", "WQ19, WP3", "cards that do not divide: dealt singly, put on the opening table, or unused", ("singly", "to_table", "unused")),
        Option("most_cards_tie", "none", "WQ21, WP16", "a tie for most cards: nobody scores, or everybody tied", ("none", "all")),
        Option("zwick_relay", False, "WQ15, WP8", "after a Zwick the same player plays again"),
        Option("lone_joker_by_joker", False, "W4, WP15", "grupp: a joker alone on the table is taken by a joker only"),
        Option("joker_sweep_counts", True, "W4, WP8", "grupp: clearing the table with a joker is a Zwick"),
        Option("jokers_stay", False, "W4, WP15", "grupp: jokers are never taken from the table"),
        Option("n_jokers", 6, "2.4, WP4", "grupp: wild jokers in each pack", low=1, high=6),
        Option("joker_points", 0, "2.4, WP19", "grupp: points of a captured joker", high=100),
        Option("n_deals", 0, "WQ26, WP18", "match: deals; 0: as many as players, or up to 32767 with a target", high=1000),
        Option("target", 0, "WQ26, WQ27, WP18", "match: ends once a side alone has this many points; 0: no target", high=MOST_POINTS),
    ]
)  # fmt: skip

DERIVED = ("form", "style", "packs", "cards", "table", "sides", "odd", "deals_limit")

RULES = OPTIONS.record_dtype(DERIVED)
"""Every option's code (int16), then what follows from them: index into PRESETS, BOOK to WILD, packs, cards in all,
cards of the opening table (odd ones included), sides, cards that do not divide (WQ19), most deals of a match."""


class Preset(NamedTuple):
    """A form of the game: its style, the values of its fixed jokers, and the most players."""

    style: int
    jokers: tuple[int, ...]
    players: int
    meaning: str


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "no_joker": Preset(BOOK, (), 8, "the books' game: 52 cards, single values, stacks up to 14"),
        "six_joker": Preset(FIXED, JOKER_VALUES, 6, "Grossenwiehe and Sillerup: six jokers, dual values, builds up and down"),
        "one_joker": Preset(FIXED, (15,), 6, "Fallada's pack: one joker of value 15"),
        "two_joker": Preset(FIXED, (15, 20), 6, "two jokers, of value 15 and 20"),
        "three_joker": Preset(FIXED, (15, 20, 25), 6, "three jokers, of value 15, 20 and 25"),
        "four_joker": Preset(FIXED, (15, 20, 25, 30), 6, "four jokers, of value 15, 20, 25 and 30"),
        "grupp": Preset(WILD, (), 8, "Grupp 1975: as without jokers, with six wild jokers"),
    }
)  # fmt: skip


def make_rules(preset: str = "no_joker", **options: Any) -> Rules:
    """Resolve a form and named options into the rules in force.

    Args:
        preset: a name in PRESETS; `base` is `no_joker`.
        **options: option name -> value (or its text); those without use in the form are accepted (WP20).

    Raises:
        ValueError: unknown preset or option, value not allowed, or one that the form cannot play.

    >>> make_rules("six_joker", players=2).text
    'zwicker(preset=six_joker,players=2)'
    """
    name = "no_joker" if preset == "base" else preset
    form: Preset = pick_preset(PRESETS, name)
    if isinstance(options.get("teams"), bool):
        options["teams"] = str(options["teams"]).lower()
    values = OPTIONS.resolve(options)
    derived = _derive(name, form, values)
    _check(name, form, values, derived)
    changed = {option: values[option] for option in options}
    record = np.zeros(1, RULES)
    for option, value in values.items():
        record[option] = OPTIONS[option].code(value)
    for field, number in derived.items():
        record[field] = number
    record.setflags(write=False)
    return Rules("zwicker", name, MappingProxyType(values), record, MappingProxyType(changed))


def _derive(name: str, form: Preset, values: Mapping[str, Value]) -> dict[str, int]:
    players = int(values["players"])
    packs = 2 if form.style != FIXED and players > 4 else 1  # W6, WQ23, WQ25
    jokers = int(values["n_jokers"]) if form.style == WILD else len(form.jokers)
    cards = packs * (PER_PACK + jokers)
    table = int(values["table_cards"])
    if table < 0:
        table = 4 + len(form.jokers)
    odd = (cards - table) % (HAND * players)
    paired = values["teams"] == "true" or (values["teams"] == "form" and form.style == FIXED and players in (4, 6))
    return {
        "form": list(PRESETS).index(name),
        "style": form.style,
        "packs": packs,
        "cards": cards,
        "table": table + (odd if values["short_deal"] == "to_table" else 0),
        "sides": 2 if paired else players,
        "odd": odd,
        "deals_limit": int(values["n_deals"]) or (MOST_DEALS if values["target"] else players),
    }


def _check(name: str, form: Preset, values: Mapping[str, Value], derived: Mapping[str, int]) -> None:
    players = int(values["players"])
    if players > form.players:
        raise ValueError(f"option players={players}: preset {name} is played by 2 to {form.players}")
    dealer = values["first_dealer"]
    if dealer != "random" and int(dealer) >= players:
        raise ValueError(f"option first_dealer={dealer}: must be random or 0 to {players - 1}")
    if values["teams"] == "true" and players not in (4, 6, 8):
        raise ValueError(f"option teams=true: must be with 4, 6 or 8 players, not with {players}")
    most = derived["cards"] - HAND * players
    if int(values["table_cards"]) > most:
        raise ValueError(
            f"option table_cards={values['table_cards']}: must be at most {most} in preset {name} with {players} players"
        )


def deck(rules: Rules) -> list[int]:
    """The cards of this form's packs, ascending."""
    form = PRESETS[rules.preset]
    jokers = [FIRST_JOKER + JOKER_VALUES.index(value) for value in form.jokers]
    if form.style == WILD:
        jokers = list(range(FIRST_WILD, FIRST_WILD + int(rules["n_jokers"])))
    kinds = [*range(PER_PACK), *jokers]
    return [KINDS * pack + kind for pack in range(int(rules.record["packs"][0])) for kind in kinds]
