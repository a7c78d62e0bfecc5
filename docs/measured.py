"""The tables of the documentation whose hands are played anew when they are written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import cardsim
from cardsim.simulate import simulate
from docs.tables import table

SEED = 3


class Tips(NamedTuple):
    """Agents that `book` is measured against in a game: most are itself with one thing changed.

    Attributes:
        others: names of agents.
        forms: options of the game, as they stand in the brackets of its name; for an even number of players.
        hands: played for each of them under each of those.
    """

    others: tuple[str, ...]
    forms: tuple[str, ...]
    hands: int


TIPS = {
    "sixty_six": Tips(
        (
            "book(memory=false)", "book(closing=false)", "book(exchange=false)", "book(hold_plain_marriage=true)",
            "book(hold_pairs=false)", "book(defence=false)", "book(trump_ten=false)",
        ),
        ("preset=base", "preset=schnapsen", "preset=pagat66", "preset=deck32"),
        100_000,
    ),
    "zwicken": Tips(
        (
            "random", "cautious", "never_fold", "book(fold_rule=tip)", "book(position=false)", "book(pot_size=false)",
            "book(lone_ace=true)", "book(swapping=false)", "always_swap_three", "book(remember_belli=false)",
            "book(break_duties=false)",
        ),
        ("players=2", "preset=base", "swap_mode=block", "ace_must_stay=false", "match=true,n_deals=20", "start_pot=60"),
        20_000,
    ),
    "zwicker": Tips(
        (
            "random", "random_turns", "greedy", "book(deny=false)", "book(sweeps=false)", "book(own_next=false)",
            "book(partner=false)", "book(counting=false)", "book(signals=false)", "book(leaving=false)",
        ),
        ("players=2", "preset=no_joker", "preset=six_joker,players=2", "preset=six_joker", "preset=grupp"),
        4_000,
    ),
}  # fmt: skip


def tips(game: str) -> str:
    """By how much `book` is ahead of other agents in a game, on the same deals."""
    others, forms, hands = TIPS[game]
    rows = []
    for other in others:
        runs = [simulate(f"{game}({form})", f"book,{other}", hands, seed=SEED, duplicate=True) for form in forms]
        pairs = [run.pairs.iloc[0] for run in runs]
        rows.append((f"`{other}`", *(f"{pair['mean']:+.3f} ± {(pair.high - pair.low) / 2:.3f}" for pair in pairs)))
    source = (
        f"cardsim {cardsim.__version__}, {hands:,} hands in duplicate, 95 % intervals. Each entry is the line "
        f'"paired" of\n`cardsim simulate "{game}(COLUMN)" --agents "book,ROW" '
        f"--hands {hands} --duplicate --seed {SEED}`.\n"
    )
    return table(("against", *(f"`{form}`" for form in forms)), rows) + "\n" + source


MEASURED: dict[str, Callable[[], str]] = {f"{game} tips": partial(tips, game) for game in TIPS}
