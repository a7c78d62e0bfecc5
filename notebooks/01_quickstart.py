# %% [markdown]
# # Quick start
#
# Deal a hand, look at it, play it, play ten thousand, and let an agent of your own take part. Everything here runs in
# a few seconds, once the games are compiled (`cardsim warmup`).

# %%
import cardsim

game = cardsim.make_game("sixty_six", preset="schnapsen")
print(game.name, "-", game.num_players, "players,", len(game.deck()), "cards, returns in", game.returns_unit)

# %% [markdown]
# ## One hand
#
# A seed and a deal number say which cards are dealt; the same two give the same hand on every machine. `replay` plays
# a hand written as text and gives every state on the way.

# %%
states = game.deal(seed=7, number=0)
while game.current_player(states) >= 0:
    seat = game.current_player(states)
    legal = game.legal_actions(states)
    game.apply_action(states, legal[-1])
print("returns:", game.returns(states))

# %% [markdown]
# ## Many hands
#
# Agents are named by texts; a parameter in brackets changes one of their tips. With `duplicate`, every deal is played
# in every seating, so that the luck of the cards cancels.

# %%
from cardsim.simulate import simulate

results = simulate(game, ["book", "book(closing=false)"], hands=20_000, seed=1, duplicate=True)
print(results.command)
results.agents.round(4)

# %% [markdown]
# The line to read is the pair: by how much the first is ahead of the second on the same deals.

# %%
results.pairs.round(4)

# %% [markdown]
# ## An agent of your own
#
# A compiled function of four arguments. This one plays the lowest legal number, which is no good idea.

# %%
from cardsim import kernel
from cardsim.bits import lowest


@kernel
def first_one(agent, state, legal, stream):
    return lowest(legal)


own = simulate(game, ["book", ("first one", first_one)], hands=10_000, seed=1)
own.agents.round(3)

# %% [markdown]
# ## A thousand tables at once
#
# For learning, tables step together: observations, masks, rewards, a row per table.

# %%
tables = cardsim.Tables(cardsim.make_game("zwicken"), 1024, seed=3)
batch = tables.reset()
paid = 0.0
for _ in range(100):
    batch = tables.step(tables.random_actions())
    paid += batch.reward.sum()
print(batch.observation.shape, batch.action_mask.shape, f"{batch.ended.sum()} hands ended in the last step")

# %% [markdown]
# ## A picture
#
# How are the results of a hand spread? Rows per hand come as a frame.

# %%
import matplotlib.pyplot as plt

rows = simulate(game, ["book", "cautious"], hands=20_000, seed=2, per_hand=True).per_hand
book = rows["return_0"].where(rows["agent_0"] == "book", rows["return_1"])
share = book.value_counts(normalize=True).sort_index()
figure, axes = plt.subplots(figsize=(7, 3.2))
axes.bar(share.index, 100 * share.values, color=["#D55E00" if points < 0 else "#009E73" for points in share.index])
axes.set_xlabel("game points that book wins (below 0: loses) in a hand")
axes.set_ylabel("share of hands, in %")
axes.set_title("Schnapsen: book against a careful beginner, 20,000 hands, seed 2", loc="left", fontsize=10)
plt.show()
(100 * share).round(2).to_dict()
