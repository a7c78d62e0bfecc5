"""`cardsim warmup` leaves nothing to compile for a first run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardsim import registry
from tests.core.running import ROOT, run

USE = """
import json
import gymnasium
import numpy as np
import cardsim
from cardsim import jit, rng
from cardsim.cli import main
from cardsim.simulate import simulate
from cardsim_agents.observing import ObservingAgent
from cardsim_envs import sixty_six_v0

for words in ("simulate sixty_six --agents book,cautious --hands 50 --quiet",
              "deal sixty_six --agents book,random --step --seat 0",
              "deal sixty_six --preset 1001 --agents random --position-only"):
    try:
        main(words.split(), standalone_mode=True)
    except SystemExit as end:
        assert not end.code, words
simulate("sixty_six(preset=four_hand)", ["book", "random"], 20, duplicate=True, per_hand=True)

game = cardsim.make_game("sixty_six", preset="schnapsen", match=True, target=2)
states, streams = game.deal(1, 2), rng.new_streams()
game.resample_hidden(states, game.current_player(states), streams)
hand = 1
while (seat := game.current_player(states)) != cardsim.TERMINAL:
    if seat == cardsim.CHANCE:
        game.deal_next(1, 2, hand, states)
        hand += 1
    else:
        game.view(game.observe(states, seat))
        game.apply_action(states, game.legal_actions(states)[0])
game.returns(states)
game.deal_given(game.deck(), 1)

tables = cardsim.Tables(game, 3)
batch = tables.step(tables.random_actions())
tables.observe(batch.player)
tables.restore(tables.clone().save([1]), [2])

for mode in ("ansi", "rgb_array"):
    env = sixty_six_v0.env(preset="schnapsen", match=True, target=2, render_mode=mode)
    env.reset(seed=1)
    env.render()
    agent = ObservingAgent(env.unwrapped.game, "book")
    for name in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else agent.act(seen["observation"], seen["action_mask"]))
    env.render()
batch = gymnasium.make_vec("cardsim/SixtySix-v0", 2, opponents="random")
batch.step(batch.reset(seed=1)[0]["action_mask"].argmax(axis=1))
text = game.notation.position_text(game.rules, game.deal(1, 2))
env.reset(options={"position": text})
env.reset(options={"deck": game.deck(), "dealer": 1})
misses = {
    name: len(kernel.stats.cache_misses) + len(kernel.called().stats.cache_misses)
    for name, kernel in jit.compiled_kernels().items()
}
print()
print(json.dumps({name: count for name, count in misses.items() if count}))
"""
"""What the README and the pages of docs/ do; tells the kernels that it had to compile."""


@pytest.mark.slow
def test_after_a_warmup_nothing_is_compiled(tmp_path: Path) -> None:
    command = "from cardsim.cli import main; main(['warmup', '--quiet'])"
    assert "kernels are ready" in run(command, path=[ROOT], NUMBA_CACHE_DIR=str(tmp_path)).stdout
    done = run(USE, path=[ROOT], NUMBA_CACHE_DIR=str(tmp_path))
    assert json.loads(done.stdout.splitlines()[-1]) == {}


def test_packages_that_are_not_there_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(registry.warmups()) >= 2
    monkeypatch.setattr(registry, "BUILT_IN_WARMUP", {"more": "no_such_package.warmup:warm_up"})
    monkeypatch.setattr(registry, "entry_points", lambda group: ())
    assert registry.warmups() == []
