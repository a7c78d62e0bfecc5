"""Sixty-Six: the object that ties rules, layout, kernels and notation together."""

from __future__ import annotations

from cardsim.game import GameType
from cardsim.games.sixty_six import invariants, kernels, knowledge, layout, notation, rules, scoring, worlds
from cardsim.games.sixty_six.rules import THOUSAND_ONE, THREE_HAND
from cardsim.options import Rules


def returns_unit(in_force: Rules) -> str:
    """Unit of a return, for tables."""
    if in_force["match"]:
        return "matches"
    return "points" if in_force.record["form"][0] == THOUSAND_ONE else "game points"


def returns_bounds(in_force: Rules) -> tuple[float, float]:
    """Smallest and largest return that a seat can have.

    A deal pays at most 3 game points; in 1001 one side can take 120 card points and all four marriages (280).
    """
    if in_force["match"]:
        return (-2.0, 2.0) if in_force["matsch_double"] else (-1.0, 1.0)
    return (-400.0, 400.0) if in_force.record["form"][0] == THOUSAND_ONE else (-3.0, 3.0)


def returns_sum(in_force: Rules) -> float | None:
    """Zero, unless an idle dealer scores beside the two who play."""
    shares = in_force.record["form"][0] == THREE_HAND and in_force["idle_dealer"] == "shares"
    return None if shares and not in_force["match"] else 0.0


GAME = GameType(
    "sixty_six",
    "Sixty-Six",
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
        "recall": knowledge.recall,
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
