"""The command group: help, version, and the one place where a failure becomes one line and an exit code.

Exit codes: 0 done, 1 the run failed, 2 bad usage or bad input, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

import cardsim
from cardsim.cli.bench import bench
from cardsim.cli.deal import deal
from cardsim.cli.demo import demo
from cardsim.cli.info import info
from cardsim.cli.simulate import INTERRUPTED, simulate
from cardsim.cli.warmup import warmup

FAILED, USAGE = 1, 2
EXTRAS = {"matplotlib": "plot", "pyarrow": "parquet", "dask": "cluster", "distributed": "cluster"}
"""Optional module -> the extra that installs it."""


class OneLineGroup(click.Group):
    """A group whose errors are one line on stderr, without a traceback unless `--debug` is given."""

    debug = False

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line; ends in SystemExit unless `standalone_mode` is False."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        self.debug = False
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a narrow console gets `?`, not a UnicodeEncodeError
        try:
            with _one_line_warnings():
                code = super().main(args, prog_name or "cardsim", complete_var, standalone_mode=False, **extra)
            if sys.stdout is not None:  # None: closed by the caller, as with `>&-`
                sys.stdout.flush()
        except Exception as error:
            if self.debug:
                raise
            code = _report(error)
        sys.exit(code if isinstance(code, int) else 0)


def _report(error: Exception) -> int:
    """Say on stderr what went wrong; unexpected errors go on as they are."""
    match error:
        case click.Abort():
            return _complain("interrupted", INTERRUPTED)
        case click.UsageError():
            hint = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
            return _complain(error.format_message().rstrip(".") + hint, USAGE)
        case click.ClickException():
            return _complain(error.format_message(), FAILED)
        case BrokenPipeError():  # the reader has left, as with `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FAILED
        case ModuleNotFoundError() if (module := (error.name or "").partition(".")[0]) in EXTRAS:
            extra = EXTRAS[module]
            return _complain(f"{module} is not installed; try: pip install 'cardsim[{extra}]'", USAGE)
        case ValueError():
            return _complain(str(error), USAGE)
        case OSError():
            return _complain(_os_message(error), FAILED)
        case RuntimeError() if not isinstance(error, NotImplementedError | RecursionError):
            return _complain(str(error), FAILED)
        case MemoryError():
            return _complain("out of memory", FAILED)
    raise error


def _os_message(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return str(error) or type(error).__name__
    return f"{error.filename}: {error.strerror}"


def _complain(message: str, code: int) -> int:
    click.echo(f"cardsim: {' '.join(message.split())}", err=True)
    return code


@contextmanager
def _one_line_warnings() -> Iterator[None]:
    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        click.echo(f"cardsim: warning: {' '.join(str(message).split())}", err=True)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"cardsim {cardsim.__version__}")
        context.exit()


@click.group(
    cls=OneLineGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  cardsim info
  cardsim simulate sixty_six --agents book,cautious --hands 1M
  cardsim deal sixty_six --seed 1 --number 5 --agents book,book

Exit codes: 0 done, 1 the run failed, 2 bad usage or bad input, 130 interrupted.""",
)
@click.option("--debug", is_flag=True, help="Show the Python traceback of an error.")
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version.",
)
@click.pass_context
def main(context: click.Context, /, debug: bool) -> None:
    """Simulate traditional card games: millions of hands, single hands, rules and tables."""
    if isinstance(context.command, OneLineGroup):
        context.command.debug = debug
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (simulate, info, deal, bench, warmup, demo):
    main.add_command(command)
