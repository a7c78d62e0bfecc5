# %% [markdown]
# # Zwicken: do the tips hold?
#
# Zwicken is a game for a pot of chips. Three cards, the 7 of diamonds ("Belli") as a second-highest trump whatever
# the suit, and a fine, the "bete", for whoever stays and takes no trick. The texts close with five pieces of advice.
# Each is put to the test here: first by hand, to show how it is done, then by the experiment that belongs to it.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import cardsim
from experiments.lab import Choice, Line
from experiments.lab.notebook import ask
from experiments.zwicken import hands

# %% [markdown]
# ## A decision, and what would have come of the other one
#
# Four players, all `book`. Whenever the one we watch has to say whether he stays, the deal is kept, and played on
# twice: once he stays, once he passes. Same cards, same opponents. The difference is what staying was worth in that
# deal.

# %%
game = cardsim.make_game("zwicken", players=4)
play, fold = (game.action_names.index(name) for name in ("play", "pass"))
line = Line(game, ["book"] * 4)
parts = []
for rotation in range(4):
    asked = line.decisions(1, 0, 15_000, [fold], rotation=rotation)
    results, _ = line.play_out(asked, [Choice(play), Choice(fold)])
    parts.append(
        pd.DataFrame(
            {
                "worth": results[:, 0] - results[:, 1],
                "trumps": hands.count(hands.trumps(asked.states, asked.seat)),
                "high": hands.count(hands.high_trumps(asked.states, asked.seat)),
                "aces": hands.plain_aces(asked.states, asked.seat),
                "weak": hands.weak(asked.states, asked.seat),
                "stayed": hands.stayed_before(asked.states),
            }
        )
    )
decisions = pd.concat(parts, ignore_index=True)
print(f"{len(decisions):,} decisions; staying with any hand is worth {decisions['worth'].mean():+.3f} chips")

# %% [markdown]
# The first tip says: fold a hand without a trump above the Jack and without Aces. What is staying with such a hand
# worth, by the number of players who have stayed already?

# %%
weak = decisions[decisions["weak"]].groupby("stayed")["worth"].agg(["mean", "sem", "size"])
weak["low"], weak["high"] = weak["mean"] - 1.96 * weak["sem"], weak["mean"] + 1.96 * weak["sem"]
weak.round(3)

# %%
figure, axes = plt.subplots(figsize=(7, 3.2))
for number, (which, label) in enumerate(((True, "weak hands (the tip's)"), (False, "all others"))):
    group = decisions[decisions["weak"] == which].groupby("stayed")["worth"].agg(["mean", "sem"])
    axes.errorbar(
        group.index,
        group["mean"],
        yerr=1.96 * group["sem"],
        marker="o",
        capsize=4,
        label=label,
        color=("#D55E00", "#0072B2")[number],
    )
axes.axhline(0, color="#333333", linewidth=0.8)
axes.set_xticks(range(4))
axes.set_xlabel("players who have said that they stay")
axes.set_ylabel("chips that staying is worth")
axes.set_title("Staying against passing, four players, one stake in the pot, 95 % intervals", loc="left", fontsize=10)
axes.legend()
plt.show()

# %% [markdown]
# So the question is less the hand than the company. The experiment goes through hand classes, seats, pots and numbers
# of players, against three kinds of opponents.

# %%
from experiments.zwicken import weak_hands

finding = ask(weak_hands.QUESTION, hands=100_000)

# %% [markdown]
# ## The trump Ace alone
#
# The texts contradict themselves: whoever holds the trump Ace must stay, and yet they advise to fold it. An option
# lifts the rule, so that the advice can be tried.

# %%
from experiments.zwicken import lone_ace

finding = ask(lone_ace.QUESTION, hands=100_000)

# %% [markdown]
# ## Swapping

# %%
from experiments.zwicken import swapping

finding = ask(swapping.QUESTION, hands=100_000)

# %% [markdown]
# ## The Belli

# %%
from experiments.zwicken import belli, belli_trap

finding = ask(belli.QUESTION, hands=100_000)
finding = ask(belli_trap.QUESTION, hands=100_000)

# %% [markdown]
# ## The cut
#
# Before a deal the pack is cut, and some cards void it or move chips. This can be worked out exactly; the simulation
# must agree.

# %%
from experiments.zwicken import cut

finding = ask(cut.QUESTION, hands=100_000)

# %% [markdown]
# ## How many players?

# %%
from experiments.zwicken import players

finding = ask(players.QUESTION, hands=100_000)
