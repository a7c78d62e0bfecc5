# %% [markdown]
# # Speed and reproducibility
#
# How fast are hands on this machine, and are they the same hands everywhere? Cells with times show those of the
# machine that ran the notebook; all other numbers are the same on yours, bit for bit.

# %%

import numpy as np
import pandas as pd

import cardsim
from cardsim.simulate import simulate

# %% [markdown]
# ## Hands per second
#
# One thread, after everything is compiled. `make bench` measures the same against C programs in one run.

# %% tags=["varies"]
rows = []
for name in ("sixty_six", "zwicken", "zwicker(players=2)"):
    for agent in ("random", "book"):
        simulate(name, agent, 200, threads=1)  # compiled, or loaded
        results = simulate(name, agent, 20_000 if "zwicker" not in name else 4_000, seed=1, threads=1)
        rows.append((name, agent, round(results.timing["hands_per_second"])))
pd.DataFrame(rows, columns=["game", "all seats", "hands per second"])

# %% [markdown]
# ## The same numbers on any number of threads
#
# A deal is made from its seed and number alone, and sums are whole numbers, so neither the threads nor the size of
# their tasks can be seen in a result.

# %%
runs = {
    (threads, chunk): simulate("zwicken", "book", 20_000, seed=5, threads=threads, chunk=chunk).agents
    for threads, chunk in ((1, None), (2, 777), (3, 50))
}
first, *others = runs.values()
print(all(first.equals(other) for other in others))
first.round(4)

# %% [markdown]
# ## After a kill
#
# A run with a folder is saved every few seconds. Here one stops itself halfway; `resume` takes it to the same
# numbers.

# %%
import tempfile

from cardsim.simulate import resume


def stop(done, total):
    if done >= 20_000:
        raise KeyboardInterrupt


with tempfile.TemporaryDirectory() as folder:
    part = simulate("sixty_six", "book,cautious", 200_000, seed=9, chunk=1_000, out=f"{folder}/run", progress=stop)
    print("interrupted:", part.interrupted, "and not all played:", part.hands < 200_000)
    whole = resume(f"{folder}/run")
straight = simulate("sixty_six", "book,cautious", 200_000, seed=9)
print("the same as without a stop:", whole.agents.equals(straight.agents), whole.hands)

# %% [markdown]
# ## Intervals that keep their word
#
# Five hundred small runs of `book` against itself: its true mean is 0. About one in twenty 95 % intervals should miss
# it.

# %%
import matplotlib.pyplot as plt

rows = pd.concat(
    [simulate("sixty_six", ["book", "book(memory=true)"], 500, seed=seed).agents.iloc[[0]] for seed in range(500)]
)
missed = (rows["low"] > 0) | (rows["high"] < 0)
print(f"{missed.sum()} of {len(rows)} intervals miss 0")

# %%
shown = rows.iloc[:100]
bad = missed.iloc[:100].to_numpy()
figure, axes = plt.subplots(figsize=(8, 3.2))
for colour, which in (("#999999", ~bad), ("#D55E00", bad)):
    axes.vlines(np.flatnonzero(which), shown["low"][which], shown["high"][which], color=colour)
axes.axhline(0, color="#333333", linewidth=0.8)
axes.set_xlabel("run")
axes.set_ylabel("game points per hand")
axes.set_title("95 % intervals of a hundred runs of 500 hands; those that miss 0 in red", loc="left", fontsize=10)
plt.show()

# %% [markdown]
# ## Seeds, states, bytes
#
# A state is a flat record: equal states have equal bytes, and a hash of ten thousand final states is one number to
# compare between machines.

# %%
import hashlib

from experiments.lab import Line

for name in ("sixty_six", "zwicken", "zwicker"):
    game = cardsim.make_game(name)
    states, _ = Line(game, ["random"] * game.num_players).play(seed=1, first=0, count=10_000)
    print(f"{name:10} {hashlib.sha256(states.tobytes()).hexdigest()[:32]}")
