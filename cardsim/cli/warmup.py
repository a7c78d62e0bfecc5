"""`cardsim warmup`: compile everything once, so that later runs start at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from cardsim.cli.inputs import chosen_game

if TYPE_CHECKING:
    from cardsim.game import Game


@click.command(
    epilog="""\b
Examples:
  cardsim warmup
  cardsim warmup sixty_six --quiet"""
)
@click.argument("games", nargs=-1)
@click.option("--quiet", is_flag=True, help="No progress bar.")
def warmup(games: tuple[str, ...], quiet: bool) -> None:
    """Compile everything once and keep it on disk.

    All games are compiled, or those that are named.
    """
    from cardsim.cli.progress import meter
    from cardsim.jit import DISABLED, cache_folders, compiled_kernels
    from cardsim.registry import game_ids

    steps = [step for game in games or game_ids() for step in _steps(chosen_game(game, None, (), False))]
    if DISABLED:
        click.echo("NUMBA_DISABLE_JIT is set: nothing is compiled")
        return
    began = time.perf_counter()
    with meter("compiling", "parts", quiet) as report:
        for done, run in enumerate(steps):
            report(done, len(steps))
            run()
    folders = cache_folders()
    seconds = time.perf_counter() - began
    click.echo(f"{len(compiled_kernels())} kernels are ready after {seconds:.1f} s; they are kept in")
    for folder in folders:
        click.echo(f"  {folder}")
    if not folders:
        click.echo("  no folder: none is writable, so every process compiles anew; set NUMBA_CACHE_DIR")


def _steps(game: Game) -> Iterator[Callable[[], object]]:
    """What to run so that each public entry point is compiled."""
    from cardsim.registry import warmups

    yield from (partial(step, game) for step in (_single, _texts, _tables, _runs))
    yield from (partial(warm_up, game) for warm_up in warmups())


def _single(game: Game) -> None:
    """Every method of `Game` that runs a kernel."""
    import numpy as np

    from cardsim import contract, rng

    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(0), np.uint64(0), rng.RESAMPLE)
    states = game.new_states()
    contract.reset(states[0], streams[0])
    game.deal_next(0, 0, 1, states)
    game.deal_given(game.deck())
    game.deal(0, 0, states)
    seat = game.current_player(states)
    game.view(game.observe(states, seat))
    game.resample_hidden(states, seat, streams)
    game.apply_action(states, game.legal_actions(states)[0])
    game.returns(states)


def _texts(game: Game) -> None:
    """A hand as `cardsim deal` shows it."""
    from cardsim.cli.line import from_hand, from_number, from_position
    from cardsim.registry import agent_family

    line = from_number(game, 0, 0)
    for seat in (None, 0):
        game.notation.describe(line.states[0], seat)
    from_position(game.id, line.position_text())
    line.play_agents(next(iter(agent_family(game.id).kinds)), 0, 0, 0)
    for move in line.moves:  # also in the middle of a trick
        game.notation.parse_position(game.notation.position_text(game.rules, move.after))
    from_hand(game.id, line.hand_text() or "")


def _tables(game: Game) -> None:
    from cardsim.tables import Tables

    made = Tables(game, 2)
    batch = made.step(made.random_actions())
    made.observe(batch.player)
    made.restore(made.save())


def _runs(game: Game) -> None:
    import numpy as np

    from cardsim import rng
    from cardsim.playout import play_random
    from cardsim.registry import agent_family
    from cardsim.simulate import simulate

    totals = np.zeros(2 + game.num_players, np.int64)
    play_random(game.new_states(), rng.new_streams(2), np.uint64(0), np.uint64(0), 2, totals)
    simulate(game, [next(iter(agent_family(game.id).kinds))], 2, threads=1)
