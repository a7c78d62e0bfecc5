"""The tables of the documentation that are made from the code, and those of the last measurement of speed."""

from __future__ import annotations

import contextlib
import importlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.rows import figure
from cardsim import agent_family
from cardsim.blocks import offsets
from cardsim.game import Game, GameType
from cardsim.options import Option, OptionTable, Value, value_text
from cardsim.registry import BUILT_IN, game_type

SPEEDS = Path(__file__).resolve().parents[1] / "benchmarks" / "results.json"
SHOWN = "zwicken.weak_hands"
"""The question whose finding README shows."""


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |\n" for line in lines)


def code(value: Value) -> str:
    """An option's value in code type."""
    return f"`{value_text(value)}`"


def allowed(option: Option) -> str:
    """What an option may be, in code type."""
    if option.choices:
        return ", ".join(f"`{choice}`" for choice in option.choices)
    return str(option.allowed)


def part(game: str, name: str) -> ModuleType:
    """A module of a game's folder."""
    return importlib.import_module(f"cardsim.games.{game}.{name}")


def with_players(kind: GameType, preset: str) -> list[Game]:
    """A preset with every number of players that it takes."""
    if "players" not in kind.options:
        return [kind.make(preset)]
    option, found = kind.options["players"], []
    for players in range(option.low, option.high + 1):
        with contextlib.suppress(ValueError):
            found.append(kind.make(preset, players=players))
    return found


def seats(kind: GameType, preset: str) -> list[int]:
    """Numbers of players that a preset takes."""
    return [game.num_players for game in with_players(kind, preset)]


def cards(kind: GameType, preset: str) -> str:
    """Sizes of the pack that a preset is played with: more players may need a second one."""
    return listed(sorted({len(game.deck()) for game in with_players(kind, preset)}))


def listed(counts: Sequence[int]) -> str:
    """Ascending numbers for people: "2 or 3", "2 to 5"."""
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(map(str, counts))


def games() -> str:
    """Games with their presets and seats."""
    rows = []
    for game in BUILT_IN:
        kind = game_type(game)
        for name, meaning in kind.presets.items():
            rows.append((f"`{game}`", f"`{name}`", meaning, listed(seats(kind, name)), cards(kind, name)))
    return table(("game", "preset", "what it is", "seats", "cards"), rows)


def agents() -> str:
    """Agents of every game, their names only."""
    rows = ((f"`{game}`", ", ".join(f"`{name}`" for name in agent_family(game).kinds)) for game in BUILT_IN)
    return table(("game", "agents"), rows)


def kinds(game: str) -> str:
    """Agents of one game."""
    rows = ((f"`{name}`", kind.meaning) for name, kind in agent_family(game).kinds.items())
    return table(("agent", "how it plays"), rows)


def parameters(game: str) -> str:
    """Parameters of the agents of a game."""
    known: OptionTable = agent_family(game).parameters
    rows = ((f"`{o.name}`", code(o.default), allowed(o), o.meaning, o.rule) for o in known.options)
    return table(("parameter", "default", "allowed", "meaning", "from"), rows)


def presets(game: str) -> str:
    """Presets of a game: shape and the options that differ from the defaults."""
    kind, rules, rows = game_type(game), part(game, "rules"), []
    for name, preset in rules.PRESETS.items():
        dealt = preset.hand_cards if hasattr(preset, "hand_cards") else rules.HAND
        differing = getattr(preset, "options", {})
        changed = ", ".join(f"`{key}={value_text(value)}`" for key, value in differing.items()) or "none"
        rows.append((f"`{name}`", preset.meaning, listed(seats(kind, name)), cards(kind, name), dealt, changed))
    return table(("preset", "what it is", "seats", "cards", "dealt to each", "options that differ"), rows)


def options(game: str) -> str:
    """Options of a game."""
    rows = ((f"`{o.name}`", code(o.default), allowed(o), o.meaning, o.rule) for o in game_type(game).options.options)
    return table(("option", "default", "allowed", "meaning", "rules"), rows)


def actions(game: str) -> str:
    """Actions of a game."""
    return table(("numbers", "text", "meaning", "rules"), game_type(game).action_table)


def observation(game: str) -> str:
    """Blocks of the observation of a game."""
    kind, rows = game_type(game), []
    starts = offsets(kind.blocks)
    for block in kind.blocks:
        span = f"{starts[block.name]}-{starts[block.name] + block.size - 1}"
        rows.append((span, f"`{block.name}`", block.rows, block.width, block.kind, block.meaning, block.source))
    rows.append((f"**{kind.observation_size}**", "in all", "", "", "", "", ""))
    return table(("entries", "block", "rows", "width", "kind", "meaning", "from; rule"), rows)


def columns(game: str) -> str:
    """Columns of results of a game."""
    kind = game_type(game)
    rows = [("per hand", ", ".join(f"`{name}`" for name in kind.hand_columns))]
    rows.append(("per seat", ", ".join(f"`{name}`" for name in kind.seat_columns)))
    return table(("counted", "columns"), rows)


def facts(game: str) -> str:
    """Facts of the environment of a game, asked from the environment."""
    from cardsim_envs import ENVIRONMENTS

    module = importlib.import_module(f"cardsim_envs.{game}_v0")
    env, within = module.raw_env(), module.raw_env(mask_in="info")
    registered = [f"`{id}`" for id, entry in ENVIRONMENTS.items() if entry.startswith(f"cardsim_envs.{game}_v0:")]
    low, high = env.game.returns_bounds
    rows = (
        ("import", f"`from cardsim_envs import {game}_v0`"),
        ("PettingZoo registry", ", ".join(registered) + " (PettingZoo 1.27 and later)"),
        ("agents", f"`player_0`, `player_1`, ... clockwise; {_agents_of(env.game.type, len(env.possible_agents))}"),
        ("API", "AEC: one agent acts at a time"),
        ("action space", f"`{env.action_space('player_0')}`"),
        ("observation space", f"`{env.observation_space('player_0')}`"),
        ("observation space, `mask_in='info'`", f"`{within.observation_space('player_0')}`"),
        ("rewards", f"{env.game.returns_unit}, {low:g} to {high:g} in a single deal; other units: see Rewards"),
        ("render modes", ", ".join(f"`{mode}`" for mode in env.metadata["render_modes"])),
    )
    return table(("fact", "value"), rows)


def _agents_of(kind: GameType, usual: int) -> str:
    """How many agents there are, preset by preset where they differ from the first one."""
    taken: dict[str, list[str]] = {}
    for name in kind.presets:
        taken.setdefault(listed(seats(kind, name)), []).append(f"`{name}`")
    base = next(iter(taken))
    first = base if base == str(usual) else f"{base}, {usual} by default"
    others = [f"{counts} in {', '.join(names)}" for counts, names in taken.items() if counts != base]
    return ", ".join([f"{first}, but {others[0]}", *others[1:]]) if others else first


def record(game: str) -> str:
    """Fields of a game's state record, with the comments that stand beside them in layout.py."""
    layout = part(game, "layout")
    source = Path(str(layout.__file__)).read_text(encoding="utf-8").partition("STATE = np.dtype(")[2]
    comments = dict(re.findall(r'\(\s*"(\w+)",[^#]*?\),  # (.*)$', source, flags=re.MULTILINE))
    rows = []
    for name in layout.STATE.names:
        dtype = layout.STATE[name]
        if name == "rules":
            kind = f"{len(dtype.names)} x int16"
        else:
            kind = " x ".join([*map(str, dtype.shape), str(dtype.base)])
        if name != "_pad":  # which means nothing
            who, _, meaning = comments[name].partition(":")
            rows.append((f"`{name}`", kind, who, meaning.strip()))
    return table(("field", "type", "who may know it", "meaning"), rows)


def speed() -> str:
    """All figures of the last `make bench` whose results were kept."""
    results = json.loads(SPEEDS.read_text(encoding="utf-8"))
    rows = []
    for row in results["rows"]:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        met = {True: "yes", False: "no", None: "open"}[row["met"]] if row["aim"] else ""
        measured = f"{figure(row['value'])} {row['unit']}"
        rows.append((f"`{row['game']}`", row["name"].strip(), measured, ratio, row["aim"], met))
    heads = ("game", "what", "measured", "ratio", "aim", "met")
    return table(heads, rows) + f"\nMeasured on: {results['machine']}.\n"


IN_SHORT = (
    ("simulate, random", "random, hands/s"),
    ("simulate, book", "`book`, hands/s"),
    ("4,096 tables, a step into given arrays", "4,096 tables, ns a step"),
    ("{game}_v0.raw_env", "PettingZoo, steps/s"),
)


def speed_in_short() -> str:
    """A line for each game, from the same run: its first form, where there are several."""
    results = json.loads(SPEEDS.read_text(encoding="utf-8"))
    rows = []
    for game in BUILT_IN:
        own = [row for row in results["rows"] if row["game"] == game]
        cells = [f"`{game}`"]
        for name, _ in IN_SHORT:
            named = name.format(game=game)
            found = [row for row in own if row["name"] == named or row["name"].startswith(f"{named}, ")]
            cells.append(figure(found[0]["value"]) if found else "")
        ratios = [row["ratio"] for row in own if row["name"].startswith("random play") and row["aim"]]
        cells.append(f"{min(ratios):.1f} to {max(ratios):.1f}" if ratios else "")
        rows.append(tuple(cells))
    heads = ("game", *(head for _, head in IN_SHORT), "random play, of C's time")
    return table(heads, rows) + f"\nOne thread. Measured on: {results['machine']}.\n"


def _anchor(heading: str) -> str:
    """A heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _found() -> Any:
    """What the last published report has found."""
    return json.loads((Path(__file__).parent / "findings" / "verdicts.json").read_text("utf-8"))


def finding() -> str:
    """One finding with its picture, in the report's own words."""
    one = next(one for one in _found()["questions"] if one["id"] == SHOWN)
    return f"![{one['title']}](docs/findings/{SHOWN}.png)\n\n*{one['title']}* {one['answer']}\n"


def verdicts() -> str:
    """What the last published report says of each tip."""
    found = _found()
    names = {game: game_type(game).title for game in BUILT_IN}
    rows = []
    for one in found["questions"]:
        if one["verdict"]:
            tip = f"[{one['title']}](docs/findings.md#{_anchor(one['title'])})"
            where = [f"{name} in {count}" for name, count in (one["settings"] or {}).items() if count]
            rows.append((names[one["game"]], tip, one["verdict"], ", ".join(where)))
    run = f"{found['hands']:,} hands a question, seed {found['seed']}"
    said = f"{run}. Settings are kinds of opponents and presets; open: neither is shown."
    return table(("game", "question", "is the tip right?", "settings"), rows) + "\n" + said + "\n"


OF_A_GAME: tuple[Callable[[str], str], ...] = (
    actions, columns, facts, kinds, observation, options, parameters, presets,
)  # fmt: skip

TABLES: dict[str, Callable[[], str]] = {
    "agents": agents,
    "games": games,
    "speed": speed,
    "speed in short": speed_in_short,
    "finding": finding,
    "verdicts": verdicts,
    # The page that shows it explains one record; those of other games are built alike.
    "sixty_six record": partial(record, "sixty_six"),
    **{f"{game} {make.__name__}": partial(make, game) for game in BUILT_IN for make in OF_A_GAME},
}
