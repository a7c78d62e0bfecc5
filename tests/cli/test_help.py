"""Help, version and the bare command."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardsim.cli import main

COMMANDS = sorted(main.commands)


def test_the_commands_are_those_of_the_documentation() -> None:
    assert COMMANDS == ["bench", "deal", "demo", "info", "simulate", "warmup"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_of_its_own(done: Callable[..., str], command: str) -> None:
    text = done(command, "--help")
    examples = text.partition("Examples:\n")[2]
    assert f"  cardsim {command}" in examples
    assert done(command, "-h") == text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_in_the_examples_exists(done: Callable[..., str], command: str) -> None:
    options, _, examples = done(command, "--help").partition("Examples:\n")
    used = {word for line in examples.splitlines() if line.startswith("  cardsim") for word in line.split()}
    for word in used:
        if word.startswith("--"):
            assert word in options


def test_the_bare_command_prints_its_help(done: Callable[..., str]) -> None:
    text = done()
    assert text == done("--help")
    assert "130 interrupted" in " ".join(text.split())


def test_version(done: Callable[..., str]) -> None:
    assert done("--version").startswith("cardsim ")
