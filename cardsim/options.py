"""Rule options as data: names, allowed values, defaults, rule numbers; parsed and refused in one place."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

Value = str | bool | int
CLIPPED = 60
"""Signs of a value from outside that a message shows at most."""
TRUE_WORDS = ("true", "yes", "on", "1")
FALSE_WORDS = ("false", "no", "off", "0")


def clip(value: Any) -> str:
    """Text of a value from outside for a message: one line, the middle left out where it is long."""
    try:
        text = value if isinstance(value, str) else str(value)
    except Exception:  # noqa: BLE001 - whatever the value does; an integer of 5000 digits has no text
        text = f"a value of type {type(value).__name__}"
    if len(text) > CLIPPED:
        text = f"{text[: CLIPPED - 13]}...{text[-10:]}"
    return "".join(sign if sign.isprintable() else " " for sign in text)


def quoted(value: Any) -> str:
    """As `clip`, but text in quotes and other values as Python writes them."""
    if isinstance(value, str):
        return repr(clip(value))
    try:
        return clip(repr(value))
    except Exception:  # noqa: BLE001 - as in clip
        return clip(value)


@dataclass(frozen=True)
class Option:
    """One rule option. The default's type fixes its kind: str (one of `choices`), bool, or int (`low` .. `high`).

    Attributes:
        name: as in the rules catalogue.
        default: value of the base game.
        rule: rule numbers that it settles, such as "SQ1, SP1".
        meaning: one line for people.
        choices: allowed strings; a string's position is its code in the record.
        low, high: smallest and largest allowed integer.
    """

    name: str
    default: Value
    rule: str
    meaning: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    @property
    def allowed(self) -> str:
        """What may be given, for messages and tables."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return ", ".join(self.choices)
        return f"{self.low} to {self.high}"

    def parse(self, value: Any) -> Value:
        """Check a value (or its text) and return it in the option's own type.

        Raises:
            ValueError: naming the option, the value and what is allowed.
        """
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            word = clip(value).lower()
            if word in TRUE_WORDS + FALSE_WORDS:
                return word in TRUE_WORDS
        elif isinstance(self.default, str):
            if not isinstance(value, bool) and clip(value) in self.choices:
                return clip(value)
        elif not isinstance(value, bool) and clip(value).isascii():
            try:
                number = int(clip(value))
            except ValueError:
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise ValueError(f"option {self.name}={clip(value)}: must be {self.allowed}")

    def code(self, value: Value) -> int:
        """The integer that stands for a parsed value in the rules record."""
        return self.choices.index(value) if isinstance(value, str) else int(value)


class OptionTable:
    """The options of one game, in the order of its catalogue."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.options = tuple(options)
        self._by_name = {option.name: option for option in self.options}

    def __getitem__(self, name: str) -> Option:
        try:
            return self._by_name[name]
        except KeyError:
            near = difflib.get_close_matches(clip(name), self._by_name, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; options are {', '.join(self._by_name)}"
            raise ValueError(f"option {quoted(name)} is unknown{hint}") from None

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def record_dtype(self, derived: Sequence[str]) -> np.dtype[Any]:
        """The rules record: an int16 for each option's code, then one for each derived name; padded to 8 bytes."""
        fields: list[Any] = [(name, np.int16) for name in (*(o.name for o in self.options), *derived)]
        if spare := -len(fields) % 4:
            fields.append(("_pad", np.int16, (spare,)))
        return np.dtype(fields, align=True)

    def resolve(self, *layers: Mapping[str, Any]) -> dict[str, Value]:
        """Defaults overlaid by each layer in turn (preset, then named options; SP33), every value parsed."""
        values: dict[str, Value] = {option.name: option.default for option in self.options}
        for layer in layers:
            for name, value in layer.items():
                values[name] = self[name].parse(value)
        return values


def pick_preset(presets: Mapping[str, Any], name: str) -> Any:
    """Entry of a preset table.

    Raises:
        ValueError: naming the preset and those there are.
    """
    if not isinstance(name, str) or name not in presets:
        raise ValueError(f"preset {quoted(name)} is unknown; presets are {', '.join(presets)}")
    return presets[name]


@dataclass(frozen=True)
class Rules:
    """The rules in force: preset name, every option's value, and the compiled form that rides in each state.

    Attributes:
        game: game id.
        preset: name of the preset that the named options were laid over.
        values: option name -> value, all options.
        record: one record of the game's RULES dtype (read-only array of shape (1,)).
        changed: the options that were named on top of the preset.
    """

    game: str
    preset: str
    values: Mapping[str, Value]
    record: Any
    changed: Mapping[str, Value]

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def __reduce__(self) -> tuple[Any, ...]:
        # A mappingproxy does not pickle, and a pickled array forgets that it is read-only.
        return _frozen_rules, (self.game, self.preset, dict(self.values), self.record.copy(), dict(self.changed))

    @property
    def text(self) -> str:
        """`sixty_six(preset=schnapsen,claims=auto)`: reads back by `registry.make_game`."""
        parts = [f"preset={self.preset}"]
        parts += [f"{name}={value_text(value)}" for name, value in self.changed.items()]
        return f"{self.game}({','.join(parts)})"


def _frozen_rules(game: str, preset: str, values: Mapping[str, Value], record: Any, changed: Any) -> Rules:
    record.setflags(write=False)
    return Rules(game, preset, MappingProxyType(values), record, MappingProxyType(changed))


def value_text(value: Value) -> str:
    """Text of an option value: true, false, a number or a word."""
    return str(value).lower() if isinstance(value, bool) else str(value)
