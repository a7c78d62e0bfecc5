"""Zwicken: the object that ties rules, layout, kernels and notation together."""

from __future__ import annotations

from cardsim.game import GameType
from cardsim.games.zwicken import invariants, kernels, knowledge, layout, notation, rules, settling, worlds
from cardsim.options import Rules

BELLI_CUTS, HOPS = 12, 40
"""More Bellis, or more hops, before one deal have a probability below 10 to the -17."""
MOST_STAKES = 1000
"""Stakes that nobody takes from the pot in a session to a target: more have not been seen."""


def returns_unit(in_force: Rules) -> str:
    """Unit of a return, for tables."""
    return "chips"


def returns_bounds(in_force: Rules) -> tuple[float, float]:
    """Smallest and largest return of a seat.

    In a deal a seat pays at most its antes and payments for the Belli, and four betes: no trick, two duties, a
    Durchmarsch; it deals again only after everybody else has had the deal. What one gains, the others lose. A session
    to a target ends with the deal that brings somebody there.
    """
    players, stake = int(in_force["players"]), int(in_force["stake"])
    pot = int(in_force["start_pot"])
    bete = stake * (int(in_force["bete_cap"]) if in_force["bete"] == "pot" else 1)
    dealt = -(-BELLI_CUTS // players) * players * stake
    lost = 4 * bete + dealt + -(-HOPS // players) * stake
    if not in_force["match"]:
        return -float(lost), float(lost * (players - 1) + pot)
    limit = int(in_force.record["deals_limit"][0])
    bounds = [(-limit * lost, limit * lost * (players - 1) + pot)]
    if target := int(in_force["target_chips"]):
        gained = target - int(in_force["start_chips"]) + lost * (players - 1) + pot
        bounds.append((-gained * (players - 1) - MOST_STAKES * stake, gained))
    return float(max(low for low, _ in bounds)), float(min(high for _, high in bounds))


GAME = GameType(
    "zwicken",
    "Zwicken",
    state_dtype=layout.STATE,
    functions={
        "reset": kernels.reset,
        "deal": kernels.deal,
        "deal_given": kernels.deal_given,
        "current_player": kernels.current_player,
        "legal_actions": kernels.legal_actions,
        "apply_action": kernels.apply_action,
        "returns": settling.returns,
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
)
