"""`cardsim info`: the games there are; the rules, actions, observations and agents of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

import cardsim
from cardsim.cli.inputs import chosen_game, game_options
from cardsim.options import OptionTable, value_text

if TYPE_CHECKING:
    from rich.console import Console

    from cardsim.game import Game

ACTION_COLUMNS = ("numbers", "text", "meaning", "rule")


@click.command(
    epilog="""\b
Examples:
  cardsim info
  cardsim info sixty_six
  cardsim info sixty_six --preset schnapsen --option claims=auto
  cardsim info sixty_six --json"""
)
@click.argument("game", required=False)
@game_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def info(game: str | None, preset: str | None, options: tuple[str, ...], match: bool, as_json: bool) -> None:
    """List the games, or describe GAME.

    Shown are its rules in force, options, actions, observations and agents.

    Rule numbers (S12, SQ3, SP16, ...) are those of the game's page in the documentation.
    """
    from cardsim.cli.tables import screen

    if game is None:
        if preset is not None or options or match:
            raise click.UsageError("--preset, --option and --match need a game", click.get_current_context())
        games = describe_games()
        click.echo(json.dumps(games, indent=2)) if as_json else _show_games(screen(), games)
        return
    data = describe_game(chosen_game(game, preset, options, match))
    click.echo(json.dumps(data, indent=2)) if as_json else _show_game(screen(), data)


def describe_games() -> dict[str, Any]:
    """Every installed game with its presets and agents, as plain data."""
    from cardsim.registry import game_ids, game_type

    games = []
    for game in game_ids():
        kind = game_type(game)
        games.append({"game": game, "title": kind.title, "presets": kind.presets, "agents": _agents(game)})
    return {"version": cardsim.__version__, "games": games}


def _agents(game: str) -> dict[str, str]:
    from cardsim.registry import agent_family

    try:
        return {name: kind.meaning for name, kind in agent_family(game).kinds.items()}
    except ValueError:  # the agents' package is not installed
        return {}


def _parameters(game: str) -> list[dict[str, Any]]:
    from cardsim.registry import agent_family

    if not _agents(game):
        return []
    return _options(agent_family(game).parameters, {})


def _options(table: OptionTable, values: Any) -> list[dict[str, Any]]:
    return [
        {
            "name": option.name,
            "value": values.get(option.name, option.default),
            "default": option.default,
            "allowed": option.allowed,
            "rule": option.rule,
            "meaning": option.meaning,
        }
        for option in table.options
    ]


def describe_game(game: Game) -> dict[str, Any]:
    """Everything about a game under its rules, as plain data."""
    blocks, offset = [], 0
    for block in game.blocks:
        size = block.rows * block.width
        blocks.append(
            {
                "name": block.name,
                "offset": offset,
                "size": size,
                "shape": [block.rows, block.width],
                "kind": block.kind,
                "meaning": block.meaning,
                "source": block.source,
            }
        )
        offset += size
    low, high = game.returns_bounds
    return {
        "version": cardsim.__version__,
        "game": game.id,
        "title": game.type.title,
        "name": game.name,
        "preset": game.rules.preset,
        "players": game.num_players,
        "cards": len(game.deck()),
        "returns": {"unit": game.returns_unit, "low": low, "high": high},
        "presets": game.type.presets,
        "options": _options(game.type.options, game.rules.values),
        "actions": [dict(zip(ACTION_COLUMNS, row, strict=True)) for row in game.type.action_table],
        "action_names": list(game.action_names),
        "observation": {"size": game.observation_size, "dtype": "int8", "blocks": blocks},
        "agents": _agents(game.id),
        "agent_parameters": _parameters(game.id),
    }


def _show_games(console: Console, data: dict[str, Any]) -> None:
    from rich.text import Text

    from cardsim.cli.tables import add, plain_table

    for game in data["games"]:
        console.print(Text.assemble((game["game"], "bold"), f"  {game['title']}"))
        for heading, entries in (("Preset", game["presets"]), ("Agent", game["agents"])):
            table = plain_table(heading, "Meaning")
            for name, meaning in entries.items():
                add(table, [Text(name, "cyan"), meaning])
            console.print(table)
    console.print(Text("More about one game: cardsim info GAME"))


def _show_game(console: Console, data: dict[str, Any]) -> None:
    from rich.text import Text

    from cardsim.cli.tables import add, plain_table

    returns = data["returns"]
    console.print(Text.assemble((data["title"], "bold"), f"  {data['name']}"), soft_wrap=True)
    console.print(
        Text(
            f"{data['players']} players, {data['cards']} cards; a return is in {returns['unit']}, "
            f"from {returns['low']:g} to {returns['high']:g}"
        )
    )
    console.print()
    presets = plain_table("Preset", "Meaning", title="Presets (--preset)")
    for name, meaning in data["presets"].items():
        here = name == data["preset"]
        shown = f"{meaning} (in force)" if here else meaning
        add(presets, [Text(name, "bold green" if here else "cyan"), shown])
    console.print(presets)
    _show_options(console, data["options"], "Rules in force (--option NAME=VALUE)", "Rule")
    last = len(data["action_names"]) - 1
    actions = plain_table("Action", "Text", "Meaning", "Rule", title=f"Actions (0 .. {last})")
    for row in data["actions"]:
        add(actions, [row["numbers"], Text(row["text"], "cyan"), row["meaning"], row["rule"]])
    console.print(actions)
    size = data["observation"]["size"]
    title = f"Observation ({size} zeros and ones)"
    blocks = plain_table("Block", "Offset", "Size", "Kind", "Meaning", "Source", title=title, right=(1, 2))
    blocks.columns[0].no_wrap = True
    for block in data["observation"]["blocks"]:
        rows, width = block["shape"]
        shape = f"{rows} x {width}" if rows > 1 else str(width)
        cells = (block["offset"], shape, block["kind"], block["meaning"], block["source"])
        add(blocks, [Text(block["name"], "cyan"), *cells])
    console.print(blocks)
    agents = plain_table("Agent", "Meaning", title="Agents (--agents A,B)")
    for name, meaning in data["agents"].items():
        add(agents, [Text(name, "cyan"), meaning])
    console.print(agents)
    _show_options(console, data["agent_parameters"], "Parameters, as in AGENT(OPTION=VALUE)", "Source")


def _show_options(console: Console, options: list[dict[str, Any]], title: str, source: str) -> None:
    from rich.text import Text

    from cardsim.cli.tables import add, plain_table

    table = plain_table("Option", "Value", "Meaning", source, title=title)
    for column in (0, 1):
        table.columns[column].no_wrap = True
    for option in options:
        value, default = value_text(option["value"]), value_text(option["default"])
        shown = Text(value) if value == default else Text.assemble((value, "bold green"), f"\nnot {default}")
        meaning = Text(option["meaning"])
        if not isinstance(option["default"], bool):
            meaning.append(f" ({option['allowed']})", "dim")
        add(table, [Text(option["name"], "cyan"), shown, meaning, option["rule"]])
    console.print(table)
