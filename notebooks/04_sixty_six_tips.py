# %% [markdown]
# # Sixty-Six and Schnapsen: do the tips hold?
#
# The text on Sixty-Six ends in six tips. They are put to the test on the same deals, with and without, against
# several kinds of opponents. The first part shows the method on one tip; the rest are the experiments' answers.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import cardsim
from cardsim.simulate import simulate
from experiments.lab import Choice, Line
from experiments.lab.notebook import ask
from experiments.sixty_six import hands

# %% [markdown]
# ## Switch a tip off, and look what it costs
#
# `book` plays by the tips; each is a switch. One without it, against one with it, every deal in both seatings:

# %%
tips = {
    "remember the cards": "memory",
    "close the talon": "closing",
    "exchange the lowest trump": "exchange",
    "keep pairs together": "hold_pairs",
    "defend against a closer": "defence",
    "the trump ten first": "trump_ten",
}
rows = []
for tip, switch in tips.items():
    pair = simulate("sixty_six", ["book", f"book({switch}=false)"], 40_000, seed=1, duplicate=True).pairs.iloc[0]
    rows.append((tip, pair["mean"], pair["low"], pair["high"]))
cost = pd.DataFrame(rows, columns=["tip", "game points per hand", "low", "high"]).set_index("tip")
cost.round(3)

# %% [markdown]
# ## Sweep a number
#
# `book` closes when it counts on 66 points. Should it dare more, or less? `close_at` is that number.

# %%
marks = [40, 46, 52, 58, 62, 66, 70, 76, 84]
found = []
for mark in marks:
    pair = simulate("sixty_six", [f"book(close_at={mark})", "book(closing=false)"], 20_000, seed=2, duplicate=True)
    found.append(pair.pairs.iloc[0])
sweep = pd.DataFrame(found)[["mean", "low", "high"]].set_axis(marks)
figure, axes = plt.subplots(figsize=(7, 3.2))
axes.plot(marks, sweep["mean"], marker="o", color="#0072B2")
axes.fill_between(marks, sweep["low"], sweep["high"], color="#0072B2", alpha=0.25)
axes.axhline(0, color="#333333", linewidth=0.8)
axes.set_xlabel("closes from so many points that it counts on")
axes.set_ylabel("game points per hand")
axes.set_title("Closing against never closing, 95 % intervals", loc="left", fontsize=10)
plt.show()
sweep.round(3)

# %% [markdown]
# ## What would have come of it
#
# A stricter look: stop a deal at the first lead at which one may close, and play it on twice, closing and not
# closing, with the same cards. Then sort by what the player could see: points and trumps in hand.

# %%
game = cardsim.make_game("sixty_six")
close = game.action_names.index("close")
line = Line(game, ["book", "book"])
asked = line.decisions(3, 0, 30_000, [close], most=8)
asked = asked.where(asked.action != close)
results, _ = line.play_out(asked, [Choice(close), Choice()])
view = hands.View(asked.states, asked.seat)
table = pd.DataFrame(
    {
        "worth": results[:, 0] - results[:, 1],
        "trumps": np.minimum(hands.count(view.hand & view.trumps), 4),
        "points": 10 * (view.mine("points").astype(int) // 10),
    }
)
cells = table.groupby(["trumps", "points"])["worth"].agg(["mean", "sem", "size"])
cells = cells[cells["size"] >= 200]
cells["mean"].unstack().round(2)

# %% [markdown]
# Rows are trumps in hand, columns points already home; cells with fewer than 200 decisions are left out. These are the
# leads at which `book` itself does not close: where the number is above 0, it would have done well to.

# %%
from experiments.sixty_six import closing

finding = ask(closing.QUESTION, hands=100_000)

# %% [markdown]
# ## Memory

# %%
from experiments.sixty_six import memory

finding = ask(memory.QUESTION, hands=100_000)

# %% [markdown]
# ## The trump ten, and the exchange

# %%
from experiments.sixty_six import exchange, trump_ten

finding = ask(trump_ten.QUESTION, hands=100_000)
finding = ask(exchange.QUESTION, hands=100_000)

# %% [markdown]
# ## Marriages: at once, or wait?

# %%
from experiments.sixty_six import marriages

finding = ask(marriages.QUESTION, hands=100_000)

# %% [markdown]
# ## Against one who has closed

# %%
from experiments.sixty_six import defence

finding = ask(defence.QUESTION, hands=100_000)

# %% [markdown]
# ## First lead, and the length of a Bummerl

# %%
from experiments.sixty_six import first_lead, trumps_dealt

finding = ask(first_lead.QUESTION, hands=100_000)
finding = ask(trumps_dealt.QUESTION, hands=100_000)
