"""Faults of states, worlds and chance that are the same in every game: what F10, F17 to F19 and F21 to F23 ask.

Each game's own tests call these over its forms, and add what only they know.
"""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.game import Game
from cardsim.playout import play_random
from tests.games.scenes import Table, stream


def check_clones(seen: Table) -> None:
    """F10: clones and sampled worlds share nothing with the position."""
    before = seen.states.tobytes()
    actions = seen.game.legal_actions(seen.states)
    first, second = seen.copy(), seen.copy()
    seen.game.apply_action(first.states, actions[0])
    seen.game.apply_action(second.states, actions[-1])
    world = seen.copy()
    seen.game.resample_hidden(world.states, seen.player, stream(3))
    world.play_randomly(random.Random(1))
    assert seen.states.tobytes() == before
    again = seen.copy()
    seen.game.apply_action(again.states, actions[0])
    assert again.states.tobytes() == first.states.tobytes()
    assert (first.states.tobytes() == second.states.tobytes()) == (len(actions) == 1)


def check_worlds(seen: Table, streams: Any) -> None:
    """F17: no sampled world contradicts what a seat knows."""
    known = any(block.name == "known" for block in seen.game.blocks)
    for seat in range(seen.game.num_players):
        world = seen.copy()
        seen.game.resample_hidden(world.states, seat, streams)
        assert world.hand(seat) == seen.hand(seat)
        assert world.game.observe(world.states, seat).tobytes() == seen.game.observe(seen.states, seat).tobytes()
        for other in range(seen.game.num_players):
            assert len(world.hand(other)) == len(seen.hand(other))
            assert not seen.sees_cards(seat, "absent", other) & world.hand(other)
            if known:
                assert seen.sees_cards(seat, "known", other) <= world.hand(other)


def check_hidden(seen: Table, number: int, fields: Sequence[str]) -> int:
    """F18: hidden cards change neither observations nor the law of the sampled worlds.

    Args:
        seen: a position.
        number: of the random streams.
        fields: of the record, in which two worlds from the same stream must agree.

    Returns:
        How many of the worlds differed from the position.
    """
    moved = 0
    for seat in range(seen.game.num_players):
        other = seen.copy()
        other.game.resample_hidden(other.states, seat, stream(number))
        moved += other.states.tobytes() != seen.states.tobytes()
        assert other.game.observe(other.states, seat).tobytes() == seen.game.observe(seen.states, seat).tobytes()
        if seat == seen.player:
            assert other.legal() == seen.legal()
        worlds = [seen.copy(), other.copy()]
        for world in worlds:
            world.game.resample_hidden(world.states, seat, stream(number + 1000))
        for field in fields:
            assert worlds[0].state[field].tobytes() == worlds[1].state[field].tobytes(), f"{field}: the same law"
    return moved


def check_actions(seen: Table, hands: Sequence[str] = ("hand",)) -> None:
    """F19: exactly the listed actions are accepted; every card stays in one place, and no mask is empty.

    Args:
        seen: a position.
        hands: fields of the record that hold a set of cards for each seat.
    """
    game, size = seen.game, seen.game.pack.size
    legal = game.legal_actions(seen.states)
    assert legal
    for action in range(game.num_actions):
        after = seen.copy()
        if action not in legal:
            with pytest.raises(ValueError, match="illegal"):
                game.apply_action(after.states, action)
            assert after.states.tobytes() == seen.states.tobytes()
            continue
        game.apply_action(after.states, action)
        state = after.state
        held = [card for field in hands for mask in state[field] for card in range(size) if int(mask) >> card & 1]
        rest = [card for card in [*state["deck"], *state["history"], state["up"]] if card < size]
        assert sorted(held + rest) == game.deck(), "every card in one place"
        assert bool(after.legal()) == (after.player >= 0)


TRACE = """
import hashlib
import numpy as np
from cardsim import rng
from cardsim.playout import play_random
from cardsim.registry import make_game
game = make_game("{id}")
digest, totals = hashlib.sha256(), np.zeros(game.num_players + 2, np.int64)
for number in range(20):
    digest.update(game.deal(7, number).tobytes())
play_random(game.new_states(), rng.new_streams(1 + game.num_players), np.uint64(7), np.uint64(0), 200, totals)
print(digest.hexdigest(), totals.tolist())
"""


def check_processes(game: Game) -> None:
    """F21: the same seed gives the same deals and the same play in any process, and in any chunks."""
    digest, totals = hashlib.sha256(), np.zeros(game.num_players + 2, np.int64)
    for number in range(20):
        digest.update(game.deal(7, number).tobytes())
    for first in (150, 0, 50, 100):  # chunks in any order
        streams = rng.new_streams(1 + game.num_players)
        play_random(game.new_states(), streams, np.uint64(7), np.uint64(first), 50, totals)
    expected = f"{digest.hexdigest()} {totals.tolist()}"
    for seed, threads in (("0", "1"), ("123", "2")):
        words = {**os.environ, "PYTHONHASHSEED": seed, "NUMBA_NUM_THREADS": threads}
        program = [sys.executable, "-c", TRACE.format(id=game.id)]
        done = subprocess.run(program, env=words, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected
    different = game.deal(8, 0).tobytes(), game.deal(7, 1).tobytes()
    assert game.deal(7, 0).tobytes() not in different, "seed and number are used"


def check_copies(table: Table) -> None:
    """F22: copies made in mid-hand, in whatever way, continue alike."""
    kind = type(table)
    ways = [
        kind(pickle.loads(pickle.dumps(table.game)), pickle.loads(pickle.dumps(table.states))),
        kind(copy.deepcopy(table.game), copy.deepcopy(table.states)),
        kind(table.game, np.frombuffer(bytearray(table.states.tobytes()), table.game.state_dtype)),
    ]
    table.play_randomly(random.Random(99))
    for other in ways:
        assert other.play_randomly(random.Random(99)).states.tobytes() == table.states.tobytes()


def check_used_records(game: Game, kind: type[Table]) -> None:
    """F23: a deal into a used record equals the deal with the same number into a fresh one."""
    used = game.new_states()
    for number in range(25):
        game.deal(3, number, used)
        assert used.tobytes() == game.deal(3, number).tobytes()
        kind(game, used).play_randomly(random.Random(number))
