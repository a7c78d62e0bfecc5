# %% [markdown]
# # Zwicker: what is a card worth, and how much is luck?
#
# Zwicker is a fishing game: a card takes any groups of table cards that add up to its value. The source text gives no
# advice, so these are the questions that players ask. `book` weighs every turn and plays some thousands of deals a
# second, so the numbers of deals here are small and the intervals wide; the report plays more.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import cardsim
from cardsim.games.zwicker.turn_texts import turn_text
from cardsim.games.zwicker.whole_turns import whole_turns
from cardsim.simulate import simulate
from experiments.lab.notebook import ask

# %% [markdown]
# ## A turn is a chain of small decisions
#
# Choose a card, then what it takes, item by item. Seen as whole turns, a position has a list of legal ones; the text
# of each can be read back.

# %%
notation = cardsim.make_game("zwicker").notation
rules, states = notation.parse_position("zwicker(players=2) dealer=1 hands=2H,5H,KH,4C;3C,8C,AC,JC table=9D,5C,KS,4H")
for turn in whole_turns(states):
    print(turn_text(states, turn))

# %% [markdown]
# ## Points in a deal
#
# Without jokers 21 points lie in every deal, with six jokers 83, and each Zwick (an emptied table) adds to them. Who
# gets them, and how wide do results spread?

# %%
figure, panels = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
for axes, preset in zip(panels, ("no_joker", "six_joker"), strict=True):
    rows = simulate(f"zwicker(preset={preset},players=2)", "greedy", 4_000, seed=1, per_hand=True).per_hand
    axes.hist(rows["return_0"], bins=40, color="#0072B2")
    axes.axvline(0, color="#333333", linewidth=0.8)
    axes.set_xlabel("points by which the first seat wins (below 0: loses)")
    axes.set_title(f"{preset}: spread {rows['return_0'].std():.1f} points", loc="left", fontsize=10)
panels[0].set_ylabel("deals of 4,000")
plt.show()

# %% [markdown]
# ## Skill
#
# Three ways to play, two at a table, every deal in both seatings: uniform over whole turns, most points now, and
# `book`, which also weighs what a turn leaves to others.

# %%
rows = []
for preset in ("no_joker", "six_joker"):
    for a, b in (("greedy", "random_turns"), ("book", "random_turns"), ("book", "greedy")):
        made = f"zwicker(preset={preset},players=2)"
        pair = simulate(made, [a, b], 2_000, seed=3, duplicate=True).pairs.iloc[0]
        rows.append((preset, f"{a} against {b}", pair["mean"] / 2, pair["low"] / 2, pair["high"] / 2))
pd.DataFrame(rows, columns=["form", "agents", "points per deal", "low", "high"]).round(2)

# %% [markdown]
# ## What is a card worth?

# %%
from experiments.zwicker import cards

finding = ask(cards.QUESTION, hands=40_000)

# %% [markdown]
# ## Zwick or not?

# %%
from experiments.zwicker import zwick

finding = ask(zwick.QUESTION, hands=40_000)

# %% [markdown]
# ## Building for the partner

# %%
from experiments.zwicker import partner

finding = ask(partner.QUESTION, hands=40_000)

# %% [markdown]
# ## The last capture

# %%
from experiments.zwicker import last_capture

finding = ask(last_capture.QUESTION, hands=40_000)

# %% [markdown]
# ## Does the order of dealing matter?

# %%
from experiments.zwicker import seats

finding = ask(seats.QUESTION, hands=40_000)

# %% [markdown]
# ## Jokers, luck and skill

# %%
from experiments.zwicker import luck

finding = ask(luck.QUESTION, hands=40_000)
