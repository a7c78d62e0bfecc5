"""Zwicker: the object that ties rules, layout, kernels and notation together."""

from __future__ import annotations

from cardsim.game import GameType
from cardsim.games.zwicker import invariants, kernels, knowledge, layout, notation, rules, scoring, views, worlds
from cardsim.options import Rules

MOST_ZWICKS = 60
"""Zwicks of one deal: fewer than the cards that are played in twos, one to the empty table and one that takes it."""


def returns_unit(in_force: Rules) -> str:
    """Unit of a return, for tables."""
    return "points"


def returns_bounds(in_force: Rules) -> tuple[float, float]:
    """Smallest and largest return of a seat: one side has all points of every deal, or all penalties."""
    record = in_force.record
    packs = int(record["packs"][0])
    fixed = {rules.BOOK: 20 * packs + 1, rules.FIXED: 83, rules.WILD: 20 * packs + 1}[int(record["style"][0])]
    jokers = packs * int(in_force["n_jokers"]) * int(in_force["joker_points"])
    zwicks = MOST_ZWICKS * (1 if record["style"][0] == rules.FIXED else 3)
    penalties = int(in_force["stale_build_penalty"]) * int(record["cards"][0]) // 2
    most = fixed + jokers + zwicks + penalties
    deals = int(record["deals_limit"][0]) if in_force["match"] else 1
    return -float(deals * most), float(deals * most)


def returns_sum(in_force: Rules) -> float | None:
    """Zero: sides are of one size, and over them the returns cancel."""
    return 0.0


GAME = GameType(
    "zwicker",
    "Zwicker",
    state_dtype=layout.STATE,
    functions={
        "reset": kernels.reset,
        "deal": kernels.deal,
        "deal_given": kernels.deal_given,
        "current_player": kernels.current_player,
        "legal_actions": kernels.legal_actions,
        "apply_action": kernels.apply_action,
        "returns": scoring.returns,
        "observe": knowledge.observe,
        "recall": views.recall,
        "resample_hidden": worlds.resample_hidden,
        "outcome": kernels.outcome,
    },
    make_rules=rules.make_rules,
    options=rules.OPTIONS,
    presets={name: preset.meaning for name, preset in rules.PRESETS.items()},
    pack=layout.PACK,
    action_names=layout.ACTION_NAMES,
    action_table=layout.ACTION_TABLE,
    blocks=layout.BLOCKS,
    hand_columns=layout.HAND_COLUMNS,
    seat_columns=layout.SEAT_COLUMNS,
    returns_unit=returns_unit,
    returns_bounds=returns_bounds,
    deck=rules.deck,
    notation=notation,
    invariants=invariants.check_state,
    returns_sum=returns_sum,
)
