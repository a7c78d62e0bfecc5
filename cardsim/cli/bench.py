"""`cardsim bench`: how fast this machine plays, in a few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from cardsim.cli.inputs import Count, chosen_game, game_options

if TYPE_CHECKING:
    from cardsim.game import Game

ROUNDS = 3
SEED = 1


@click.command(
    epilog="""\b
Examples:
  cardsim bench
  cardsim bench sixty_six --preset schnapsen --hands 1M"""
)
@click.argument("game", required=False)
@game_options
@click.option("--hands", type=Count(100), default=200_000, show_default=True, help="Hands a measurement.")
@click.option("--tables", type=Count(1, 1_000_000), default=4096, show_default=True, help="Tables in lockstep.")
def bench(game: str | None, preset: str | None, options: tuple[str, ...], match: bool, hands: int, tables: int) -> None:
    """Measure how fast GAME is played here.

    Without GAME the first of those installed; every rate is the best of three short runs.

    Comparisons with a C program and other yardsticks: `make bench` in a checkout.
    """
    from cardsim.cli.tables import add, plain_table, screen
    from cardsim.registry import game_ids

    made = chosen_game(game or game_ids()[0], preset, options, match)
    table = plain_table("Measurement", "Rate", "Time", title=f"Speed of {made.name}", right=(1, 2))
    decisions, seconds = random_play(made, hands)
    add(table, ["random hands, one thread", *_rate(hands, seconds, "hands")])
    add(table, ["  decisions in them", *_rate(decisions, seconds, "decisions")])
    steps, seconds = lockstep(made, tables, max(1, hands // 4 // tables))
    add(table, [f"{tables:,} tables in lockstep, with observations", *_rate(steps, seconds, "steps")])
    one, two = simulated(made, hands, 1), simulated(made, hands, 2)
    for threads, seconds in ((1, one), (2, two)):
        title = f"simulate, {threads} thread{'s' if threads > 1 else ''}"
        add(table, [title, *_rate(hands, seconds, "hands")])
    add(table, ["  two threads against one", f"{one / two:.2f} times", ""])
    screen().print(table)
    click.echo("Full comparisons with yardsticks: make bench")


def _rate(count: int, seconds: float, unit: str) -> tuple[str, str]:
    return f"{count / seconds:,.0f} {unit}/s", f"{1e9 * seconds / count:,.1f} ns each"


def _best(run: Callable[[], object]) -> float:
    """Seconds of the fastest of some runs; the first, which compiles, does not count."""
    run()
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def random_play(game: Game, hands: int) -> tuple[int, float]:
    """Decisions in `hands` random hands, and the seconds they take."""
    import numpy as np

    from cardsim import rng
    from cardsim.playout import play_random

    states, streams = game.new_states(), rng.new_streams(2)
    totals = np.zeros(2 + game.num_players, np.int64)

    def run() -> None:
        totals[:] = 0
        play_random(states, streams, np.uint64(SEED), np.uint64(0), hands, totals)

    seconds = _best(run)
    return int(totals[1]), seconds


def lockstep(game: Game, tables: int, rounds: int) -> tuple[int, float]:
    """Steps of all tables together, and the seconds they take without the choice of the actions."""
    from cardsim.tables import Tables

    batch = Tables(game, tables, SEED)
    out = batch.new_batch()
    fastest = float("inf")
    for _ in range(1 + ROUNDS):
        batch.reset(out=out)
        seconds = 0.0
        for _ in range(rounds):
            actions = batch.random_actions()
            began = time.perf_counter()
            batch.step(actions, out=out)
            seconds += time.perf_counter() - began
        fastest = min(fastest, seconds)
    return tables * rounds, fastest


def simulated(game: Game, hands: int, threads: int) -> float:
    """Seconds of a simulation between agents of the first kind."""
    from cardsim.registry import agent_family
    from cardsim.simulate import simulate

    agent = next(iter(agent_family(game.id).kinds))
    return _best(lambda: simulate(game, [agent], hands, seed=SEED, threads=threads))
