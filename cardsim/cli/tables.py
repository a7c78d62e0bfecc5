"""What a person sees: consoles, and the tables of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from cardsim.simulate import Results


def screen() -> Console:
    """A console on standard output; plain text where that is not a terminal."""
    return Console(highlight=False)


def plain_table(*headings: str, title: str = "", right: Sequence[int] = ()) -> Table:
    """An empty table in the house style.

    Args:
        headings: of the columns; no cell of it is read as markup.
        title: above the table.
        right: numbers of the columns that are aligned to the right.
    """
    table = Table(
        box=box.SIMPLE_HEAD,
        title=title or None,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        collapse_padding=True,
    )
    for number, heading in enumerate(headings):
        table.add_column(Text(heading), justify="right" if number in right else "left", overflow="fold")
    return table


def add(table: Table, cells: Iterable[Any], *, end_section: bool = False) -> None:
    """Add a row of texts as they are."""
    table.add_row(*(c if isinstance(c, Text) else Text(str(c)) for c in cells), end_section=end_section)


def decimals(errors: Iterable[float]) -> int:
    """Digits after the point that show the smallest standard error to two places, 2 to 6."""
    known = [error for error in errors if math.isfinite(error) and error > 0]
    return min(6, max(2, 1 - math.floor(math.log10(min(known))))) if known else 3


def show_results(console: Console, results: Results) -> None:
    """Print everything that a person wants to know about a run."""
    game = results.plan.game
    console.print(Text.assemble((game.type.title, "bold"), f"  {game.name}"), soft_wrap=True)
    console.print(Text(_played(results)))
    if results.until is not None:
        console.print(_sure(results.until))
    if results.interrupted:
        console.print(Text("Interrupted: these are the results of the hands played until then.", "bold yellow"))
    console.print()
    console.print(_returns_table(results))
    console.print(_columns_table(results))
    _show_origin(console, results)


def _played(results: Results) -> str:
    parts = [f"{results.hands:,} {'matches' if episode(results) == 'match' else 'hands'}"]
    if results.duplicate:
        parts.append(f"{results.units:,} deals in {results.plan.seatings} seatings each")
    else:
        parts.append("seats rotated from deal to deal")
    return "; ".join(parts)


def _sure(until: dict[str, Any]) -> Text:
    half, asked, agent = until["half_width"], until["asked"], "the first agent's interval"
    if until["reached"]:
        return Text(f"Stopped when sure: {agent} is +- {half:.4g}, and {asked:g} was asked for")
    return Text(f"Stopped before it was sure: {agent} is still +- {half:.4g}, {asked:g} was asked for", "yellow")


def episode(results: Results) -> str:
    """What one return is for: a hand, or a match."""
    return "match" if results.plan.game.rules.values.get("match") else "hand"


def _returns_table(results: Results) -> Table:
    every = [*results.agent_rows, *results.seat_rows, *results.pair_rows]
    places = decimals(row["stderr"] for row in every)
    percent = f"{100 * results.plan.confidence:g} % interval"
    title = f"Return per {episode(results)}, in {results.unit}"
    table = plain_table("Agent", "Seat", "Mean", "Std. error", percent, "n", title=title, right=(2, 3, 4, 5))
    for row in results.agent_rows:
        seats = [seat for seat in results.seat_rows if seat["agent"] == row["agent"] and seat["n"]]
        add(table, [Text(row["agent"], "bold"), "all", *_summary(row, places)], end_section=not seats)
        for seat in seats:
            add(table, ["", seat["seat"], *_summary(seat, places)], end_section=seat is seats[-1])
    for row in results.pair_rows:
        add(table, [f"{row['agent']} - {row['other']}", "paired", *_summary(row, places)])
    table.caption = "n counts deals for an agent and for a difference, hands at a seat."
    table.caption_justify = "left"
    return table


def _summary(row: dict[str, Any], places: int) -> list[Text]:
    low, high = row["low"], row["high"]
    colour = "green" if low > 0 else "red" if high < 0 else ""
    return [
        Text(_signed(row["mean"], places), colour),
        Text(f"{row['stderr']:.{places}f}" if math.isfinite(row["stderr"]) else "-"),
        Text(f"{_signed(low, places)} .. {_signed(high, places)}"),
        Text(f"{row['n']:,}"),
    ]


def _signed(value: float, places: int) -> str:
    if not math.isfinite(value):
        return "-" if math.isnan(value) else f"{value:+}"
    text = f"{value:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def _columns_table(results: Results) -> Table:
    agents = results.agent_rows
    headings = (f"Count per {episode(results)}", *(row["agent"] for row in agents), "whole table")
    table = plain_table(*headings, right=range(1, len(agents) + 2))
    whole = {row["column"]: _count(row["per_hand"]) for row in results.column_rows}
    for name in results.plan.game.seat_columns:
        add(table, [_words(name), *(_count(row[name]) for row in agents), whole.pop(name, "")])
    for name, count in whole.items():
        add(table, [_words(name), *("" for _ in agents), count])
    return table


def _words(name: str) -> str:
    return name.replace("_", " ")


def _count(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:,.4f}" if abs(value) < 10 else f"{value:,.2f}"


def _show_origin(console: Console, results: Results) -> None:
    timing = results.timing
    workers = f"{timing['workers']:.0f} worker{'' if timing['workers'] == 1 else 's'}"
    console.print(Text(f"Seed {results.seed}, cardsim {results.version}"))
    console.print(Text(f"{timing['hands_per_second']:,.0f} hands/s ({timing['seconds']:.2f} s, {workers})", "cyan"))
    if results.folder is not None:
        console.print(Text(f"Saved in {results.folder}"), soft_wrap=True)
    if results.command is not None:
        console.print(Text("The whole run:" if results.interrupted else "The same numbers again:"))
        console.print(Text(f"  {results.command}", "green"), soft_wrap=True)
