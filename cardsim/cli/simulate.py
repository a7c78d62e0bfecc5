"""`cardsim simulate`: many hands between agents, and the table of results."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cardsim.cli.inputs import SEED, Count, chosen_game, game_options

if TYPE_CHECKING:
    from cardsim.game import Game
    from cardsim.simulate import Results

INTERRUPTED = 130
DEFAULT_HANDS = 100_000
WITH_RESUME = {"folder", "threads", "chunk", "dask", "as_json", "quiet", "plot"}
"""Parameters that may change when a run is resumed: none of them moves a number."""


@click.command(
    epilog="""\b
Examples:
  cardsim simulate sixty_six --agents book,cautious --hands 1M
  cardsim simulate sixty_six --preset schnapsen --agents book,random --duplicate --seed 7
  cardsim simulate sixty_six --agents "book,book(closing=false)" --until 0.01
  cardsim simulate sixty_six --agents book,random --hands 50M --out run1
  cardsim simulate --resume run1

\b
The numbers depend on game, agents, hands, seed, --duplicate, --until and --confidence alone.
Ctrl-C shows the results so far (exit code 130); a run with --out can be resumed."""
)
@click.argument("game", required=False)
@click.option(
    "--agents",
    metavar="A,B,...",
    help="Agents by seat; one stands for every seat. `cardsim info GAME` lists them.",
)
@click.option(
    "--hands",
    type=Count(1),
    help=f"Hands to play (1M, 1e6); with --until the most.  [default: {DEFAULT_HANDS:,}]",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the cards and of all choices.")
@game_options
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play every deal in every seating, so that the luck of the cards cancels.",
)
@click.option("--until", type=float, metavar="H", help="Stop once the first agent's interval is +- H or narrower.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence of all intervals.")
@click.option("--threads", type=Count(1, 4096), help="Threads.  [default: all CPUs]")
@click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler, such as tcp://host:8786.")
@click.option("--chunk", type=Count(1), help="Deals per task.  [default: by speed]")
@click.option("--out", metavar="FOLDER", help="Save the run in this folder, every few seconds and at the end.")
@click.option("--resume", "folder", metavar="FOLDER", help="Go on with the run that is saved in this folder.")
@click.option("--per-hand", is_flag=True, help="Save a row per hand as Parquet files; needs --out.")
@click.option("--plot", metavar="FILE.png", help="Save a picture of the results (png, svg or pdf).")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def simulate(context: click.Context, /, **given: Any) -> int:
    """Play many hands of GAME between agents.

    GAME is a name (sixty_six) or a full text (sixty_six(preset=schnapsen)).
    """
    resumed = given["folder"] is not None
    _check_usage(context, given, resumed)
    if given["plot"] is not None:
        from cardsim.cli.plot import check_plot

        check_plot(given["plot"])
    with ExitStack() as stack:
        results = _run(given, resumed, stack)
    if given["plot"] is not None:
        from cardsim.cli.plot import save_plot

        save_plot([results], given["plot"])
    show(results, given["as_json"], given["plot"])
    if not results.interrupted:
        return 0
    if results.folder is not None:
        click.echo(f"cardsim: interrupted; go on with: cardsim simulate --resume {results.folder}", err=True)
    else:
        click.echo("cardsim: interrupted", err=True)
    return INTERRUPTED


def show(results: Results, as_json: bool = False, plot: str | None = None) -> None:
    """Print results as tables, or as JSON alone."""
    if as_json:
        click.echo(json.dumps(results.to_json(), indent=1, allow_nan=False))
        return
    from cardsim.cli.tables import screen, show_results

    show_results(screen(), results)
    if plot is not None:
        click.echo(f"Picture: {plot}")


def _check_usage(context: click.Context, given: dict[str, Any], resumed: bool) -> None:
    if resumed:
        for name in given:
            changed = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
            if changed and name not in WITH_RESUME:
                shown = {"game": "GAME", "options": "--option"}.get(name, f"--{name.replace('_', '-')}")
                message = f"{shown} cannot be changed by --resume: the folder tells what is played"
                raise click.UsageError(message, context)
        return
    if given["game"] is None:
        from cardsim.registry import game_ids

        raise click.UsageError(f"GAME is missing; games are {', '.join(game_ids())}", context)
    if given["per_hand"] and given["out"] is None:
        raise click.UsageError("--per-hand needs --out FOLDER", context)


def _agents(game: Game, text: str | None) -> str:
    if text is None:
        from cardsim.registry import agent_family

        raise click.UsageError(
            f"--agents is missing; agents of {game.id} are {', '.join(agent_family(game.id).kinds)}",
            click.get_current_context(),
        )
    return text


def _run(given: dict[str, Any], resumed: bool, stack: ExitStack) -> Results:
    from cardsim.cli.progress import meter
    from cardsim.simulate import dask_executor, resume
    from cardsim.simulate import simulate as play

    made = None if resumed else chosen_game(given["game"], given["preset"], given["options"], given["match"])
    agents = "" if made is None else _agents(made, given["agents"])
    executor = None
    if given["dask"] is not None:
        executor = dask_executor(given["dask"])
        stack.callback(executor.shutdown)
    report = stack.enter_context(meter("playing", "hands", given["quiet"] or given["as_json"]))
    how = {"threads": given["threads"], "executor": executor, "chunk": given["chunk"], "progress": report}
    if made is None:
        return resume(given["folder"], **how)
    hands, until = given["hands"], given["until"]
    return play(
        made,
        agents,
        DEFAULT_HANDS if hands is None and until is None else hands,
        seed=given["seed"],
        duplicate=given["duplicate"],
        until=until,
        confidence=given["confidence"],
        out=given["out"],
        per_hand=given["per_hand"],
        **how,
    )
