"""`cardsim warmup`: compile everything once, so that later runs start at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
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
    from cardsim.jit import DISABLED, compiled_kernels
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
    folders = sorted(
        {path for kernel in compiled_kernels().values() if (path := getattr(kernel._cache, "cache_path", None))}
    )
    seconds = time.perf_counter() - began
    click.echo(f"{len(compiled_kernels())} kernels are ready after {seconds:.1f} s; they are kept in")
    for folder in folders:
        click.echo(f"  {folder}")
    if not folders:
        click.echo("  no folder: none is writable, so every process compiles anew; set NUMBA_CACHE_DIR")


def _steps(game: Game) -> Iterator[Callable[[], object]]:
    """What to run so that each public entry point is compiled."""
    from cardsim.registry import agent_family
    from cardsim.simulate import simulate
    from cardsim.tables import Tables

    def single() -> None:
        states = game.deal(0, 0)
        observation = game.observe(states, game.current_player(states))
        game.view(observation)
        _resample(game, states)
        game.apply_action(states, game.legal_actions(states)[0])
        game.returns(states)
        game.deal_given(game.deck())

    def tables() -> None:
        made = Tables(game, 2)
        batch = made.step(made.random_actions())
        made.observe(batch.player)
        made.restore(made.save())
        _environment(game)

    def runs() -> None:
        agents = next(iter(agent_family(game.id).kinds))
        simulate(game, [agents], 2, threads=1)

    yield from (single, tables, lambda: _random_play(game), runs)


def _resample(game: Game, states: object) -> None:
    import numpy as np

    from cardsim import rng

    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(0), np.uint64(0), rng.RESAMPLE)
    game.resample_hidden(states, game.current_player(states), streams)


def _environment(game: Game) -> None:
    import numpy as np

    from cardsim import rng
    from cardsim.tables import CLOCK, advance, begin

    states, clock = game.new_states(), np.zeros(1, CLOCK)
    begin(states, 0, rng.new_streams(), np.uint64(0), clock)
    observation, mask = np.zeros(game.observation_size, np.int8), np.zeros(game.num_actions, np.int8)
    advance(states, 0, game.legal_actions(states)[0], observation, mask)


def _random_play(game: Game) -> None:
    import numpy as np

    from cardsim import rng
    from cardsim.playout import play_random

    totals = np.zeros(2 + game.num_players, np.int64)
    play_random(game.new_states(), rng.new_streams(1 + game.num_players), np.uint64(0), np.uint64(0), 2, totals)
