"""The same bytes compiled, compiled with every index checked, and in plain Python with warnings as errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.running import ROOT, run

PLAY = """
import hashlib, sys
import numpy as np
from cardsim import contract, rng
from cardsim.games.sixty_six.rules import PRESETS
from cardsim.jit import DISABLED
from cardsim.registry import make_game
from cardsim.tables import Tables
from tests.core.pilegame import GAME
from tests.core.units import Units

HANDS, STEPS = int(sys.argv[1]), 2 * int(sys.argv[1])

def play(game, seen):
    streams, looks = rng.new_streams(), rng.new_streams()
    for number in range(HANDS):
        states = game.deal(66, number)
        rng.seed_stream(streams[0], np.uint64(66), np.uint64(number), rng.USER)
        rng.seed_stream(looks[0], np.uint64(66), np.uint64(number), rng.RESAMPLE)
        hand, decisions = 1, 0
        while (player := game.current_player(states)) != contract.TERMINAL:
            if player == contract.CHANCE:
                game.deal_next(66, number, hand, states)
                hand += 1
                continue
            if (decisions + number) % 3 == 0:
                for seat in range(game.num_players):
                    observation = game.observe(states, seat)
                    seen.update(observation.tobytes())
                    seen.update(game.view(observation).tobytes())
                world = game.checked(states.copy().view(np.uint8).copy().view(states.dtype))
                game.resample_hidden(world, player, looks)
                seen.update(world.tobytes())
            legal = game.legal_actions(states)
            game.apply_action(states, legal[int(rng.below(streams[0], len(legal)))])
            decisions += 1
            seen.update(states.tobytes())
        seen.update(game.returns(states).tobytes())
    tables = Tables(game, 3, seed=5)
    for step in range(STEPS):
        batch = tables.step(tables.random_actions())
        for array in batch:
            seen.update(array.tobytes())
        if step % 10 == 3:
            saved = tables.save([0, 2])
        if step % 10 == 7:
            seen.update(tables.restore(saved, [0, 2]).observation.tobytes())
    seen.update(tables.states.tobytes() + tables.clock.tobytes() + tables._streams.tobytes())
    kinds = ("book", "random", "cautious", "book")
    if game.id == "pile":
        kinds = ("greedy", "random", "lowest")
    for duplicate in (False, True):
        units = Units(game, kinds[: game.num_players], duplicate)
        units.play(0, HANDS // 2, rows=True)
        for array in (units.moments, units.hands, units.seats, units.table, units.values, units.states):
            seen.update(array.tobytes())

forms = [f"preset={preset}" for preset in PRESETS]
forms += ["preset=1001,players=3", "preset=1001,hand=6,follow_always=true", "preset=four_hand,american=true"]
forms += ["preset=schnapsen,match=true,target=3", "perfect_memory=false", "announce=forced,claims=auto"]
for game in [*(make_game(f"sixty_six({form})") for form in forms), GAME.make(players=3, hands=2)]:
    seen = hashlib.sha256()
    play(game, seen)
    print(game.name, seen.hexdigest(), flush=True)
"""


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    return run(PLAY, "20", path=[ROOT], flags=["-W", "error"]).stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_the_debugging_settings_play_the_same(setting: str, compiled: list[str]) -> None:
    lines = run(PLAY, "20", path=[ROOT], flags=["-W", "error"], settings={setting: "1"}).stdout.splitlines()
    assert len(lines) == 15
    assert lines == compiled


@pytest.mark.slow
def test_a_processor_without_pdep_plays_the_same(compiled: list[str], tmp_path: Path) -> None:
    """`select` is another function there, and every hand depends on it."""
    lines = run(
        PLAY,
        "20",
        path=[ROOT],
        NUMBA_CPU_NAME="generic",
        NUMBA_CPU_FEATURES="",
        NUMBA_CACHE_DIR=str(tmp_path),
    ).stdout.splitlines()
    assert lines == compiled
