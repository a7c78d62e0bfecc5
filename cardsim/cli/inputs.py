"""What several commands take: numbers such as `1M`, and a game with its options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cardsim.options import CLIPPED, clip, quoted

if TYPE_CHECKING:
    from cardsim.game import Game

F = TypeVar("F", bound=Callable[..., Any])

NUMBER = re.compile(r"([+-]?[0-9]+(?:[_,][0-9]+)*)(?:\.([0-9]+))?(?:e\+?([0-9]{1,2}))?([kmg]?)", re.IGNORECASE)
POWERS = {"": 0, "k": 3, "m": 6, "g": 9}


if TYPE_CHECKING:  # generic since click 8.5, not to be subscripted before
    IntType = click.ParamType[int]
else:
    IntType = click.ParamType


class Count(IntType):
    """A whole number: `1000000`, `1_000_000`, `1e6`, `1M`, `2.5M`; at least `least`."""

    name = "number"

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a click error that names the value and what is allowed otherwise."""
        if isinstance(value, int):
            return value
        text = str(value).strip()
        match = NUMBER.fullmatch(text) if len(text) <= CLIPPED else None
        if match is not None:
            decimals = match[2] or ""
            power = int(match[3] or 0) + POWERS[match[4].lower()] - len(decimals)
            digits = int(re.sub("[_,]", "", match[1]) + decimals)
            number, rest = (digits * 10**power, 0) if power >= 0 else divmod(digits, 10**-power)
            if rest == 0 and number >= self.least and (self.most is None or number <= self.most):
                return int(number)
        most = "" if self.most is None else f" and at most {self.most}"
        message = f"{quoted(text)} must be a whole number (such as 5000, 5k or 1e6), at least {self.least}{most}"
        self.fail(message, param, ctx)


SEED = Count(0, 2**64 - 1)


def game_options(command: F) -> F:
    """Add `--preset`, `--option` and `--match`, which `chosen_game` takes."""
    for add in (
        click.option("--match", is_flag=True, help="Play whole matches: short for --option match=true."),
        click.option(
            "-o",
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="Set a rule option; repeatable.",
        ),
        click.option("--preset", metavar="NAME", help="Rules to start from; `cardsim info GAME` lists them."),
    ):
        command = add(command)
    return command


def chosen_game(text: str, preset: str | None, options: tuple[str, ...], match: bool) -> Game:
    """Make the game that the command line describes.

    Args:
        text: `sixty_six`, or its full text `sixty_six(preset=schnapsen)`.
        preset, options, match: from the options of `game_options`; they come on top of the text.

    Raises:
        ValueError: unknown game, preset or option, or a value that is not allowed.
    """
    from cardsim.families import split_call
    from cardsim.registry import game_type

    game, named = split_call(text)
    for item in options:
        name, sign, value = item.partition("=")
        if not sign or not name.strip():
            raise ValueError(f"option {quoted(item)}: must look like name=value")
        named[name.strip()] = value.strip()
    if preset is not None:
        named["preset"] = preset
    kind = game_type(game)
    if match:
        if "match" not in kind.options:
            raise ValueError(f"--match: {game} has no matches")
        if any(item.partition("=")[0].strip() == "match" for item in options) and not kind.options["match"].parse(
            named["match"]
        ):
            raise ValueError(f"--match and --option match={clip(named['match'])} contradict each other; give one")
        named["match"] = "true"
    for name in named:
        if name != "preset":
            kind.options[name]  # refuses unknown names, with a hint
    return kind.make(**named)
