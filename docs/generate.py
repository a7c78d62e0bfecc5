"""Write the generated parts of the documentation anew, from the code: `make docs`.

Three kinds of parts are generated in README.md and docs/*.md:

* what stands between `<!-- generated: NAME -->` and `<!-- end -->`: the tables of TABLES below;
* what stands between `<!-- measured: NAME -->` and `<!-- end -->`: the tables of MEASURED, whose hands are played anew;
* the output in ```console blocks: every line that begins with `$ ` is run, in an empty folder per page, and
  what it prints is put below it. Speeds are replaced by dots, since they differ from run to run.

    python docs/generate.py            write what has changed
    python docs/generate.py --check    change nothing; exit code 1 if anything is out of date
    python docs/generate.py --tables   the tables only, not what is measured or the output of commands
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cardsim
from cardsim import agent_family, game_ids, make_game
from cardsim.game import GameType
from cardsim.games.sixty_six import layout
from cardsim.games.sixty_six.rules import PRESETS
from cardsim.options import OptionTable, Value, value_text
from cardsim.registry import game_type
from cardsim.simulate import simulate

ROOT = Path(__file__).resolve().parents[1]
SPEEDS = ROOT / "benchmarks" / "results.json"
MARKED, PLAYED = (
    re.compile(rf"(<!-- {word}: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL) for word in ("generated", "measured")
)
CONSOLE = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)
TIMES = (
    (re.compile(r"^\S+: [\d,]+ of [\d,]+ \w+\n", re.MULTILINE), ""),  # progress, where no terminal shows a bar
    (re.compile(r"[\d,]+ hands/s \([\d.]+ s, \d+ workers?\)"), "... hands/s (... s, ... workers)"),
    (re.compile(r'"(seconds|hands_per_second|workers)": [\d.e+-]+'), r'"\1": ...'),
)
WIDTH = 100


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |\n" for line in lines)


def code(value: Value) -> str:
    """An option's value in code type."""
    return f"`{value_text(value)}`"


def games() -> str:
    """Games with their presets and seats."""
    rows = []
    for game in game_ids():
        kind = game_type(game)
        for name, meaning in kind.presets.items():
            made = kind.make(name)
            rows.append((f"`{game}`", f"`{name}`", meaning, " or ".join(map(str, seats(kind, name))), len(made.deck())))
    return table(("game", "preset", "what it is", "seats", "cards"), rows)


def seats(kind: GameType, preset: str) -> list[int]:
    """Numbers of players that a preset takes."""
    if "players" not in kind.options:
        return [kind.make(preset).num_players]
    option, taken = kind.options["players"], []
    for players in range(option.low, option.high + 1):
        with contextlib.suppress(ValueError):
            taken.append(kind.make(preset, players=players).num_players)
    return taken


def presets() -> str:
    """Presets of Sixty-Six: shape and the options that differ from the defaults."""
    rows = []
    for name, preset in PRESETS.items():
        seats = " or ".join(map(str, preset.players))
        changed = ", ".join(f"`{key}={value_text(value)}`" for key, value in preset.options.items()) or "none"
        rows.append((f"`{name}`", preset.meaning, seats, preset.cards, preset.hand_cards, changed))
    return table(("preset", "what it is", "seats", "cards", "dealt to each", "options that differ"), rows)


def options() -> str:
    """Options of Sixty-Six."""
    kind = game_type("sixty_six")
    rows = ((f"`{o.name}`", code(o.default), allowed(o), o.meaning, o.rule) for o in kind.options.options)
    return table(("option", "default", "allowed", "meaning", "rules"), rows)


def allowed(option: Any) -> str:
    """What an option may be, in code type."""
    if option.choices:
        return ", ".join(f"`{choice}`" for choice in option.choices)
    return str(option.allowed)


def actions() -> str:
    """Actions of Sixty-Six."""
    return table(("numbers", "text", "meaning", "rules"), layout.ACTION_TABLE)


def observation() -> str:
    """Blocks of the observation of Sixty-Six."""
    rows: list[tuple[Any, ...]] = []
    for block in layout.BLOCKS:
        start, size = layout.OFFSETS[block.name], block.rows * block.width
        span = f"{start}-{start + size - 1}"
        rows.append((span, f"`{block.name}`", block.rows, block.width, block.kind, block.meaning, block.source))
    rows.append((f"**{layout.OBSERVATION_SIZE}**", "in all", "", "", "", "", ""))
    return table(("entries", "block", "rows", "width", "kind", "meaning", "from; rule"), rows)


def facts() -> str:
    """Facts of the environment of Sixty-Six, asked from the environment."""
    from cardsim_envs import ENVIRONMENTS, sixty_six_v0

    env = sixty_six_v0.raw_env()
    taken = {name: seats(env.game.type, name) for name in PRESETS}
    others = (f"{' or '.join(map(str, counts))} in `{name}`" for name, counts in taken.items() if counts != [2])
    low, high = env.game.returns_bounds
    rows = (
        ("import", "`from cardsim_envs import sixty_six_v0`"),
        ("PettingZoo registry", ", ".join(f"`{id}`" for id in ENVIRONMENTS) + " (PettingZoo 1.27 and later)"),
        ("agents", f"`player_0`, `player_1`, ... clockwise; 2, but {', '.join(others)}"),
        ("API", "AEC: one agent acts at a time"),
        ("action space", f"`{env.action_space('player_0')}`"),
        ("observation space", f"`{env.observation_space('player_0')}`"),
        ("observation space, `mask_in='info'`", f"`{info_space()}`"),
        (
            "rewards",
            f"{env.game.returns_unit}, {low:g} to {high:g} in a single deal; other units: see Rewards",
        ),
        ("render modes", ", ".join(f"`{mode}`" for mode in env.metadata["render_modes"])),
    )
    return table(("fact", "value"), rows)


def info_space() -> str:
    """Observation space with the mask in the info."""
    from cardsim_envs import sixty_six_v0

    return str(sixty_six_v0.raw_env(mask_in="info").observation_space("player_0"))


def agents() -> str:
    """Agents of every game."""
    rows = [
        (f"`{name}`", f"`{game}`", kind.meaning)
        for game in game_ids()
        for name, kind in agent_family(game).kinds.items()
    ]
    return table(("agent", "game", "how it plays"), rows)


def parameters() -> str:
    """Parameters of the agents of Sixty-Six."""
    kinds: OptionTable = agent_family("sixty_six").parameters
    rows = ((f"`{o.name}`", code(o.default), allowed(o), o.meaning, o.rule) for o in kinds.options)
    return table(("parameter", "default", "allowed", "meaning", "from"), rows)


def columns() -> str:
    """Columns of results of Sixty-Six."""
    kind: GameType = game_type("sixty_six")
    rows = [("per hand", ", ".join(f"`{name}`" for name in kind.hand_columns))]
    rows.append(("per seat", ", ".join(f"`{name}`" for name in kind.seat_columns)))
    return table(("counted", "columns"), rows)


def record() -> str:
    """Fields of the state record of Sixty-Six, with the comments that stand beside them in layout.py."""
    source = Path(layout.__file__).read_text(encoding="utf-8").partition("STATE = np.dtype(")[2]
    comments = dict(re.findall(r'\(\s*"(\w+)",[^#]*?\),  # (.*)$', source, flags=re.MULTILINE))
    rows = []
    for name in layout.STATE.names or ():
        dtype = layout.STATE[name]
        if name == "rules":
            kind = f"{len(dtype.names or ())} x int16"
        else:
            kind = " x ".join([*map(str, dtype.shape), str(dtype.base)])
        if name != "_pad":  # which means nothing
            who, _, meaning = comments[name].partition(":")
            rows.append((f"`{name}`", kind, who, meaning.strip()))
    return table(("field", "type", "who may know it", "meaning"), rows)


def speed() -> str:
    """What has an aim, and hands per second, from the last `make bench` whose results were kept."""
    if not SPEEDS.exists():
        return "No figures are kept yet: `make bench` measures them and writes `benchmarks/results.json`.\n"
    results = json.loads(SPEEDS.read_text(encoding="utf-8"))
    rows = []
    for row in results["rows"]:
        if not row["aim"] and not row["unit"].startswith("hands/s"):
            continue
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        met = {True: "yes", False: "no", None: "open"}[row["met"]] if row["aim"] else ""
        rows.append((row["name"].strip(), f"{figure(row['value'])} {row['unit']}", ratio, row["aim"], met))
    return table(("what", "measured", "ratio", "aim", "met"), rows) + f"\nMeasured on: {results['machine']}.\n"


def figure(value: float) -> str:
    """Four digits, or whole thousands with commas."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


TABLES: dict[str, Callable[[], str]] = {
    "actions": actions,
    "agents": agents,
    "columns": columns,
    "facts": facts,
    "games": games,
    "observation": observation,
    "options": options,
    "parameters": parameters,
    "presets": presets,
    "record": record,
    "speed": speed,
}


TIPS = (
    "memory=false", "closing=false", "exchange=false", "hold_plain_marriage=true", "hold_pairs=false",
    "defence=false", "trump_ten=false",
)  # fmt: skip
TIP_PRESETS = ("base", "schnapsen", "pagat66", "deck32")
TIP_HANDS, TIP_SEED = 100_000, 3


def tips() -> str:
    """What each tip is worth to `book`: against itself with one parameter changed, on the same deals."""
    rows = []
    for change in TIPS:
        pairs = [
            simulate(
                make_game("sixty_six", preset=preset), f"book,book({change})", TIP_HANDS, seed=TIP_SEED, duplicate=True
            ).pairs.iloc[0]
            for preset in TIP_PRESETS
        ]
        rows.append((f"`{change}`", *(f"{pair['mean']:+.3f} ± {(pair.high - pair.low) / 2:.3f}" for pair in pairs)))
    source = (
        f"cardsim {cardsim.__version__}, {TIP_HANDS:,} hands in duplicate, 95 % intervals. Each entry is the line "
        f'"paired" of\n`cardsim simulate sixty_six --preset PRESET --agents "book,book(CHANGED)" '
        f"--hands {TIP_HANDS} --duplicate --seed {TIP_SEED}`.\n"
    )
    return table(("changed", *(f"`{preset}`" for preset in TIP_PRESETS)), rows) + "\n" + source


MEASURED: dict[str, Callable[[], str]] = {"tips": tips}


def pages() -> list[Path]:
    """README and all pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def with_tables(text: str) -> str:
    """A page's text with its generated tables as the code has them.

    Raises:
        ValueError: a marker names no table.
    """
    return filled(text, MARKED, TABLES)


def filled(text: str, marked: re.Pattern[str], known: Mapping[str, Callable[[], str]]) -> str:
    """A text with its marked parts written anew."""

    def fresh(match: re.Match[str]) -> str:
        if match[2] not in known:
            raise ValueError(f"generated part {match[2]!r}: must be one of {', '.join(known)}")
        return f"{match[1]}\n{known[match[2]]()}\n{match[3]}"

    return marked.sub(fresh, text)


def with_output(text: str) -> str:
    """A page's text with what is measured, and the output of its ```console blocks as the commands print it."""
    text = filled(text, PLAYED, MEASURED)
    with tempfile.TemporaryDirectory() as folder:

        def fresh(match: re.Match[str]) -> str:
            lines = [line for line in match[2].splitlines() if line.startswith("$ ")]
            return match[1] + "".join(f"{line}\n{output(line[2:], folder)}" for line in lines) + match[3]

        return CONSOLE.sub(fresh, text)


def output(command: str, folder: str) -> str:
    """What a shell command prints, with `cardsim` that of this interpreter, and without times."""
    script = f'cardsim() {{ "$PYTHON" -m cardsim "$@"; }}\n{command}\n'
    environment = {**os.environ, "PYTHON": sys.executable, "COLUMNS": str(WIDTH), "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        ["bash", "-c", script], check=False, cwd=folder, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    text = done.stdout
    for pattern, dots in TIMES:
        text = pattern.sub(dots, text)
    lines = [line.rstrip() for line in text.splitlines()]
    return "".join(f"{line}\n" for line in lines).rstrip("\n") + "\n" if any(lines) else ""


def differences(path: Path, outputs: bool = True) -> tuple[str, str]:
    """A page's text as it would be generated, and how the page differs from that (empty: not at all)."""
    kept = path.read_text(encoding="utf-8")
    now = with_tables(kept)
    if outputs:
        now = with_output(now)
    name = str(path.relative_to(ROOT))
    diff = difflib.unified_diff(kept.splitlines(), now.splitlines(), f"{name} (kept)", "now", lineterm="", n=1)
    return now, "\n".join(diff)


def main(arguments: list[str]) -> int:
    """Write or check all pages; the exit code."""
    unknown = [word for word in arguments if word not in ("--check", "--tables")]
    if unknown:
        print(f"{unknown[0]}: must be --check or --tables", file=sys.stderr)
        return 2
    stale = 0
    for path in pages():
        now, diff = differences(path, "--tables" not in arguments)
        if diff and "--check" in arguments:
            print(diff)
            stale = 1
        elif diff:
            path.write_text(now, encoding="utf-8", newline="\n")
            print(f"{path.relative_to(ROOT)}: written")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
