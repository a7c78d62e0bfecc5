"""`cardsim deal`: one hand, dealt, played or replayed step by step, as text."""

from __future__ import annotations

import os
import stat
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from cardsim.cli.inputs import SEED, Count, chosen_game, game_options
from cardsim.options import clip

if TYPE_CHECKING:
    from rich.console import Console

    from cardsim.cli.line import Line

LONGEST_HAND = 1_000_000
"""Characters of a file that `--hand` reads at most; the text of a hand has about a thousand."""


@click.command(
    epilog="""\b
Examples:
  cardsim deal sixty_six --seed 1 --number 5
  cardsim deal sixty_six --seed 1 --number 5 --agents book,cautious --step
  cardsim deal sixty_six --agents book --text-only > hand.txt
  cardsim deal --hand hand.txt
  cardsim deal --position "$(cardsim deal sixty_six --position-only)" --agents book

\b
Agents sit as in `cardsim simulate` with the same seed: rotated by the deal's number."""
)
@click.argument("game", required=False)
@game_options
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the cards and of all choices.")
@click.option("--number", type=SEED, default=0, show_default=True, help="Which deal of the seed.")
@click.option("--position", metavar="TEXT", help="Begin at this position (as --position-only prints it).")
@click.option("--hand", type=click.File("r"), metavar="FILE", help="Replay this hand; - is standard input.")
@click.option("--actions", metavar="LIST", help='Play these actions first, such as "AH; TD; claim".')
@click.option("--agents", metavar="A,B,...", help="Let these agents play on to the end.")
@click.option("--rotation", type=Count(0), help="Seats that agents move on.  [default: the number]")
@click.option("--step", is_flag=True, help="Show the table before every action; wait for a key.")
@click.option("--seat", type=Count(0), help="Show only what this seat knows.")
@click.option("--text-only", is_flag=True, help="Print only the text of the hand.")
@click.option("--position-only", is_flag=True, help="Print only the text of the position reached.")
@click.pass_context
def deal(context: click.Context, /, game: str | None, **given: Any) -> None:
    """Show one hand step by step, dealt or from text.

    The hand is printed as text that reads back as well.

    Without --actions and --agents the cards are dealt and nobody plays.
    """
    if given["text_only"] and given["position_only"]:
        raise click.UsageError("--text-only and --position-only exclude each other", context)
    line = _begin(context, game, given)
    seats = line.game.num_players
    if given["seat"] is not None and given["seat"] >= seats:
        raise ValueError(f"--seat {given['seat']}: must be from 0 to {seats - 1}")
    if given["seat"] is not None and (given["text_only"] or given["position_only"]):
        raise click.UsageError("--seat hides cards, and the texts hold them all", context)
    if given["actions"]:
        line.play_texts(given["actions"])
    names: tuple[str, ...] = ()
    if given["agents"] is not None:
        text = given["position"] is not None or given["hand"] is not None
        rotation = given["rotation"] if given["rotation"] is not None else 0 if text else given["number"]
        names = line.play_agents(given["agents"], given["seed"], given["number"], rotation % seats)
    if given["position_only"]:
        click.echo(line.position_text())
    elif given["text_only"]:
        click.echo(_text_of(line), nl=False)
    else:
        _show(line, names, given["seat"], given["step"])


def _begin(context: click.Context, game: str | None, given: dict[str, Any]) -> Line:
    from cardsim.cli.line import from_hand, from_number, from_position, game_of_text

    if given["position"] is None and given["hand"] is None:
        if game is None:
            from cardsim.registry import game_ids

            raise click.UsageError(f"GAME is missing; games are {', '.join(game_ids())}", context)
        made = chosen_game(game, given["preset"], given["options"], given["match"])
        return from_number(made, given["seed"], given["number"])
    if given["position"] is not None and given["hand"] is not None:
        raise click.UsageError("--position and --hand exclude each other", context)
    ruled = given["preset"] is not None or given["options"] or given["match"]
    if ruled or (game is not None and "(" in game):
        raise click.UsageError("the text says the rules; leave --preset, --option and --match out", context)
    if given["position"] is not None:
        text = given["position"]
        return from_position(game or game_of_text(text), text)
    text = _read(given["hand"])
    return from_hand(game or game_of_text(text), text)


def _read(file: IO[str]) -> str:
    if file is not sys.stdin and file.name != "<stdin>" and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise ValueError(f"hand {clip(file.name)}: is no regular file; - reads standard input")
    try:
        text = file.read(LONGEST_HAND + 1)
    except UnicodeDecodeError:
        raise ValueError(f"hand {clip(file.name)}: is not a text file") from None
    if len(text) > LONGEST_HAND:
        raise ValueError(f"hand {clip(file.name)}: is longer than {LONGEST_HAND:,} characters, so it is no hand")
    return text


def _text_of(line: Line) -> str:
    text = line.hand_text()
    if text is None:
        raise ValueError("a hand that begins at a position has no text of its own; use --position-only")
    return text


def _show(line: Line, names: tuple[str, ...], seat: int | None, step: bool) -> None:
    from rich.text import Text

    from cardsim.cli.tables import screen

    console, game = screen(), line.game
    console.print(Text.assemble((game.type.title, "bold"), f"  {game.name}"), soft_wrap=True)
    console.print(Text(line.origin + ("" if seat is None else f", as seat {seat} sees it")))
    if names:
        console.print(Text("; ".join(f"seat {number}: {name}" for number, name in enumerate(names))))
    console.print()
    if step:
        _show_steps(console, line, seat)
    else:
        _show_moves(console, line, seat)
    console.print(Text(game.notation.describe(line.states, seat)))
    if line.player < 0:
        returns = ", ".join(f"seat {k} {value:+g}" for k, value in enumerate(game.returns(line.states)))
        console.print(Text(f"Returns ({game.returns_unit}): {returns}", "bold"))
    if seat is None:
        console.print()
        _show_texts(console, line)


def _show_steps(console: Console, line: Line, seat: int | None) -> None:
    from rich.text import Text

    for number, move in enumerate(line.seen_by(seat), 1):
        console.print(Text(line.game.notation.describe(move.before, seat)))
        console.print(Text(f"{number}. seat {move.seat} plays {move.played}", "bold cyan"))
        click.pause("")
        console.print()


def _show_moves(console: Console, line: Line, seat: int | None) -> None:
    from rich.text import Text

    from cardsim.cli.tables import add, plain_table

    moves = line.seen_by(seat)
    if not moves:
        return
    console.print(Text(line.game.notation.describe(moves[0].before, seat)))
    console.print()
    notation = line.game.notation
    counted = hasattr(notation, "STANDING")
    table = plain_table("#", "Seat", "Played", "Legal", *([notation.STANDING] if counted else []), right=(0, 4))
    for number, move in enumerate(moves, 1):
        legal = ", ".join(move.legal) if seat in (None, move.seat) else "(hidden)"
        stand = [notation.standing(move.after)] if counted else []
        add(table, [number, move.seat, Text(move.played, "bold cyan"), legal, *stand])
    console.print(table)


def _show_texts(console: Console, line: Line) -> None:
    from rich.text import Text

    text = line.hand_text()
    if text is not None:
        console.print(Text("The hand as text (reads back with --hand FILE):", "dim"))
        console.print(Text(text), soft_wrap=True)
    else:
        console.print(Text("The position as text (reads back with --position TEXT):", "dim"))
        console.print(Text(line.position_text()), soft_wrap=True)
