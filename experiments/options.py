"""Options of a script as a dataclass, each field with its help, and as flags of a command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from typing import Any

import click


def option(default: Any, text: str) -> Any:
    """A field of a dataclass of options with its help."""
    return field(default=default, metadata={"help": text})


def flags(kind: type, **types: Any) -> Callable[[Any], Any]:
    """Give a command a flag per field of a dataclass of options.

    Args:
        kind: the dataclass; each field has a default and was made by `option`.
        types: click types of fields, by name; by default that of the field's default.
    """

    def add(command: Any) -> Any:
        for entry in reversed(fields(kind)):
            how: dict[str, Any] = {"type": types.get(entry.name, type(entry.default)), "show_default": True}
            if isinstance(entry.default, bool):
                how = {"is_flag": True}
            flag = f"--{entry.name.replace('_', '-')}"
            command = click.option(flag, default=entry.default, help=entry.metadata["help"], **how)(command)
        return command

    return add
