"""Which forms and options a comparison with the referee runs over, for every game: tests and script alike."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from cardsim.options import Option, OptionTable, Rules
from tests.games.referee_replay import Replay

Case = tuple[str, dict[str, Any]]
Task = tuple[str, int, int, int, int]
"""Name of a form, policy, mode, hands, seed."""
Compared = tuple[int, str]
"""Decisions, and the first difference or the empty text."""

CHUNK = 25
"""Hands that one policy plays before the next has its turn."""


@dataclass(frozen=True)
class Comparison:
    """A game's forms and options, and the ways to compare them.

    Attributes:
        title: the game's name, for people.
        replay: plays a table on both sides.
        make_rules, options: the game's.
        bases: name -> preset and options of every form.
        effect: option, or option=value -> the forms in which it changes anything; elsewhere it must be accepted without
            effect (SP33).
        numbers: the values of an option that are tried, where it is a number.
        fixed: options that `bases` and `modes` set.
        named_only: options that random combinations leave alone.
        unseen: options that the referee does not have; it is told the dealer, for one.
        modes: options of the ways to play a form: single deals first, then sessions.
        shown_in_session: options that act in sessions only.
        beside: option -> options without which it does nothing.
    """

    title: str
    replay: Callable[..., Replay]
    make_rules: Callable[..., Rules]
    options: OptionTable
    bases: Mapping[str, Case]
    effect: Mapping[str, frozenset[str]]
    numbers: Mapping[str, Sequence[int]]
    fixed: tuple[str, ...]
    named_only: tuple[str, ...]
    unseen: tuple[str, ...]
    modes: Callable[[str], Sequence[dict[str, Any]]]
    policies: tuple[str, ...]
    shown_in_session: frozenset[str]
    beside: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    def values(self, option: Option) -> Sequence[Any]:
        """The values of an option that are tried."""
        if isinstance(option.default, bool):
            return (False, True)
        return option.choices or self.numbers[option.name]

    def single_options(self) -> Iterator[tuple[str, str, Any]]:
        """Form, option and value, for each value that is not already in force and that the seats allow."""
        for name, (preset, fixed) in self.bases.items():
            rules = self.make_rules(preset, **fixed)
            for option in self.options.options:
                if option.name in self.fixed:
                    continue
                for value in self.values(option):
                    seat = option.name == "first_dealer" and value != "random"
                    if value != rules[option.name] and not (seat and int(value) >= int(rules["players"])):
                        yield name, option.name, value

    def random_options(self, number: int) -> tuple[str, dict[str, Any]]:
        """A form and a random combination of options on top of it."""
        rng = random.Random(number)
        name = rng.choice(sorted(self.bases))
        free = [option for option in self.options.options if option.name not in (*self.fixed, *self.named_only)]
        chosen = [option for option in free if rng.random() < 0.35]
        return name, {option.name: rng.choice(self.values(option)) for option in chosen}

    def acts(self, name: str, option: str, value: Any) -> bool:
        """Whether an option's value changes anything in a form."""
        return name in self.effect.get(f"{option}={value}", self.effect.get(option, frozenset()))

    def differences(self, name: str, options: dict[str, Any], hands: int, seed: int = 66) -> list[str]:
        """Play `hands` in each mode with each policy; what differs, as texts."""
        preset, fixed = self.bases[name]
        found = []
        for policy in range(len(self.policies)):
            for mode in self.modes(name):
                found.append(self.replay(preset, {**fixed, **mode, **options}, policy, seed).run(hands))
        return [text for text in found if text]

    def single_differences(
        self, cases: Iterable[tuple[str, str, Any]], hands: int, idle: int = 1, seed: int = 66
    ) -> list[str]:
        """What differs with single options; `idle`: hands of those that do nothing."""
        found = []
        for name, option, value in cases:
            options = {**self.beside.get(option, {}), option: value}
            found += self.differences(name, options, hands if self.acts(name, option, value) else idle, seed)
        return found

    def shows(self, name: str, option: str, value: Any, hands: int) -> bool:
        """Whether the comparison notices an option of which the referee is not told."""
        preset, fixed = self.bases[name]
        mode = self.modes(name)[option in self.shown_in_session]
        told = {**fixed, **mode, **self.beside.get(option, {})}
        replays = [
            self.replay(preset, {**told, option: value}, policy, seed=6, told=told)
            for policy in range(len(self.policies))
        ]
        return any(replay.run(CHUNK) for _ in range(0, hands, CHUNK) for replay in replays)

    def watched(self, names: Iterable[str]) -> list[tuple[str, str, Any]]:
        """Single options that the referee has, on top of some forms."""
        kept = frozenset(names)
        return [case for case in self.single_options() if case[0] in kept and case[1] not in self.unseen]

    def compare(self, task: Task) -> Compared:
        """One share of a big comparison."""
        name, policy, mode, hands, seed = task
        preset, fixed = self.bases[name]
        replay = self.replay(preset, {**fixed, **self.modes(name)[mode]}, policy, seed)
        text = replay.run(hands)
        return replay.decisions, text

    def shares(self, name: str, hands: int, seed: int) -> list[Task]:
        """Hands of a form, shared out over policies and modes."""
        ways = [(policy, mode) for policy in range(len(self.policies)) for mode in range(len(self.modes(name)))]
        counts = [hands // len(ways) + (i < hands % len(ways)) for i in range(len(ways))]
        return [(name, *way, count, seed) for way, count in zip(ways, counts, strict=True)]

    def parser(self) -> argparse.ArgumentParser:
        """Arguments of the script."""
        parser = argparse.ArgumentParser(description=f"Compare the compiled {self.title} with the referee.")
        parser.add_argument("--hands", type=int, default=200_000, help="hands per form, over policies and modes")
        parser.add_argument("--form", choices=self.bases, action="append", help="only these")
        parser.add_argument("--jobs", type=int, default=1)
        parser.add_argument("--seed", type=int, default=1)
        return parser

    def compare_all(self, given: argparse.Namespace, compare: Callable[[Task], Compared]) -> int:
        """Compare and print one line per form; the exit status says whether anything differed.

        Args:
            given: what `parser` has parsed.
            compare: `self.compare` as a function of a module, which other processes can find.
        """
        names = given.form or list(self.bases)
        compare((names[0], 0, 0, 1, 1))  # compiles before the processes start
        bad = 0
        with ProcessPoolExecutor(given.jobs) as pool:
            for name in names:
                began = time.perf_counter()
                done = list(pool.map(compare, self.shares(name, given.hands, given.seed)))
                texts = [text for _, text in done if text]
                bad += len(texts)
                decisions, seconds = sum(count for count, _ in done), time.perf_counter() - began
                print(
                    f"{name}: {given.hands} hands, {decisions} decisions compared, {len(texts)} differences, "
                    f"{seconds:.0f} s",
                    flush=True,
                )
                for text in texts:
                    print(f"  {text}", flush=True)
        return 1 if bad else 0
