# %% [markdown]
# # Train an agent
#
# From tables in lockstep to a network that plays in compiled simulations. The script `experiments/train_ppo.py` does
# all of it; here it runs for a few seconds, which is enough to beat chance, and then the agent that ships with the
# package, trained for longer by the same script, is looked at. Training draws on floating-point sums, so its numbers
# differ from machine to machine.

# %%
import subprocess
import sys

import pandas as pd

import cardsim
from cardsim.simulate import simulate

# %% [markdown]
# ## What a learner sees
#
# One row per table: the observation of the seat to act, the mask of its legal actions, what each seat was paid. The
# mask goes into the network's scores before the softmax: an illegal action has chance 0 and no gradient.

# %%
game = cardsim.make_game("sixty_six")
tables = cardsim.Tables(game, 512, seed=1)
batch = tables.reset()
print("observations", batch.observation.shape, "masks", batch.action_mask.shape)
print("legal actions at the first table:", [game.action_names[a] for a in batch.action_mask[0].nonzero()[0]])

# %% [markdown]
# ## Train for a moment
#
# The script learns in several ways. The fastest needs an agent to improve on: every action of a decision is played out
# by `book`, with the same cards, and the policy learns what each is worth. Six million decisions like that made the
# agent that ships; the command lies beside its weights. A run that is killed goes on from its checkpoint.

# %% tags=["varies"]
import experiments.train_ppo as script

command = [
    sys.executable,
    script.__file__,
    "sixty_six",
    "--compare",
    "200000",
    "--steps",
    "0",
    "--rate",
    "2e-3",
    "--hidden",
    "64",
    "--eval-every",
    "15",
    "--eval-hands",
    "2000",
    "--final-hands",
    "4000",
    "--out",
    "run",
    "--seed",
    "3",
]
done = subprocess.run(command, capture_output=True, text=True, check=True)
print(done.stdout)

# %% tags=["varies"]
import matplotlib.pyplot as plt

curve = pd.read_csv("run/curve.csv")
figure, axes = plt.subplots(figsize=(7, 3.2))
for number, name in enumerate(("random", "book")):
    colour = ("#0072B2", "#D55E00")[number]
    axes.plot(curve["steps"], curve[name], marker="o", color=colour, label=f"against {name}")
    axes.fill_between(curve["steps"], curve[f"{name} low"], curve[f"{name} high"], color=colour, alpha=0.25)
axes.axhline(0, color="#333333", linewidth=0.8)
axes.set_xlabel("decisions learnt from")
axes.set_ylabel("game points per hand")
axes.set_title("A few seconds of training, with 95 % intervals", loc="left", fontsize=10)
axes.legend()
plt.show()

# %% [markdown]
# What it learned is a file of whole numbers. It plays wherever agents are named, without torch:

# %% tags=["varies"]
simulate(game, ["ppo(weights=run/network.npz)", "random"], 20_000, seed=4, duplicate=True).pairs.round(3)

# %% [markdown]
# ## The agent that ships with the package
#
# `ppo` names the network that the package brings along. Its arithmetic is in whole numbers, so its results are the
# same everywhere. Against `book`, and what each of the two earns against chance, on the same deals:

# %%
rows = []
for a, b in (("ppo", "book"), ("ppo", "random"), ("book", "random")):
    pair = simulate(game, [a, b], 40_000, seed=11, duplicate=True).pairs.iloc[0]
    rows.append((f"{a} against {b}", round(pair["mean"], 3), round(pair["low"], 3), round(pair["high"], 3), pair["n"]))
pd.DataFrame(rows, columns=["game points per hand", "ahead by", "low", "high", "deals"])
