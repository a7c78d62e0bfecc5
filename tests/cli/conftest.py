"""The command run in this process, with what it printed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from cardsim.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("info", "sixty_six")`; 100 columns wide, whatever the terminal."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: str, input: str | None = None) -> Result:
        return CliRunner().invoke(main, list(words), input=input)

    return call


@pytest.fixture
def done(run: Run) -> Callable[..., str]:
    """As `run`, but it must succeed; gives standard output."""

    def call(*words: str, input: str | None = None) -> str:
        result = run(*words, input=input)
        assert result.exit_code == 0, result.output
        return result.stdout

    return call
