"""`cardsim demo`: a million hands of every game, the tables, and a picture."""

from __future__ import annotations

import click

from cardsim.cli.inputs import SEED, Count

LINEUP = ("book", "cautious")
SUBSTITUTE = "random"


@click.command(
    epilog="""\b
Examples:
  cardsim demo
  cardsim demo --hands 100k --plot demo.png"""
)
@click.option("--hands", type=Count(1), default=1_000_000, show_default=True, help="Hands of each game.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the cards and of all choices.")
@click.option("--plot", default="results/demo.png", show_default=True, metavar="FILE.png", help="The picture.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def demo(hands: int, seed: int, plot: str, quiet: bool) -> int:
    """Play a million hands of every game.

    An agent that plays by the book meets careful beginners.
    """
    from cardsim.cli.plot import check_plot, save_plot
    from cardsim.cli.progress import meter
    from cardsim.cli.simulate import INTERRUPTED, show
    from cardsim.registry import game_ids
    from cardsim.simulate import simulate

    check_plot(plot)
    runs = []
    for game in game_ids():
        with meter(game, "hands", quiet) as report:
            runs.append(simulate(game, _lineup(game), hands, seed=seed, progress=report))
        show(runs[-1])
        click.echo()
        if runs[-1].interrupted:
            break
    save_plot(runs, plot)
    click.echo(f"Picture: {plot}")
    if runs[-1].interrupted:
        click.echo("cardsim: interrupted", err=True)
        return INTERRUPTED
    return 0


def _lineup(game: str) -> list[str]:
    """Agents by seat: the book first, careful beginners opposite; random where a game lacks one."""
    from cardsim.registry import agent_family, make_game

    kinds = agent_family(game).kinds
    first, rest = (name if name in kinds else SUBSTITUTE for name in LINEUP)
    return [first, *[rest] * (make_game(game).num_players - 1)]
