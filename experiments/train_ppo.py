"""Train an agent by playing against itself (PPO), for any game and preset: plain torch over `cardsim.Tables`.

    python experiments/train_ppo.py sixty_six --preset schnapsen --steps 2e6 --out results/schnapsen

One policy plays all seats. At a share of the tables some seats belong to others: `book`, and past selves from a pool,
so that it does not forget how to beat them. A decision's return is what the seat is paid from there on, from its own
decision to its own next one (docs/train_your_own.md).

The folder `--out` holds `network.npz`, which plays as `ppo(weights=FILE)` wherever agents are named, `curve.csv` and
`curve.png`, the pool, and a checkpoint. The same command goes on from there after a kill, to the same numbers as if
nothing had happened (on one thread of a CPU).
"""

from __future__ import annotations

import csv
import json
import os
import shlex
import sys
import time
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import nn

import cardsim
from cardsim import Game, Tables, agent_family, kernel
from cardsim.bits import lowest
from cardsim.cli.inputs import chosen_game, game_options
from cardsim.contract import MAX_PLAYERS, act, legal_actions
from cardsim.rng import USER, new_streams, seed_stream
from cardsim.simulate import simulate, split_agents
from cardsim.trajectories import iter_batches
from cardsim_agents.learned import Network, quantise
from cardsim_agents.learned.networks import DEEPEST

FREE = ("threads", "device", "minutes", "out", "quiet")
"""Options that may differ when a run goes on."""


def option(default: Any, text: str) -> Any:
    """A field of `Options` with its help."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Options:
    """All numbers of a run."""

    steps: float = option(2e6, "decisions to learn from, in all")
    minutes: float = option(1e9, "stop after this time, to go on later by the same command")
    seed: int = option(1, "of the deals, the first weights and all draws")
    tables: int = option(256, "tables in lockstep")
    length: int = option(64, "actions per table between two updates")
    hidden: str = option("256,128", "widths of the hidden layers")
    rate: float = option(5e-4, "learning rate at the start; falls to a tenth of it")
    epochs: int = option(3, "passes over the decisions of an update")
    batch: int = option(1024, "decisions per gradient step")
    clip: float = option(0.2, "PPO's clipping")
    entropy: float = option(0.005, "weight of the entropy at the start; falls to a tenth of it")
    value: float = option(0.5, "weight of the value's error")
    decay: float = option(0.95, "lambda of the advantages (GAE)")
    imitate: float = option(0.0, "decisions of the first of `opponents` to imitate before playing; 0: from scratch")
    others: float = option(0.25, "share of tables at which some seats belong to others")
    opponents: str = option("book", "agents among these others, besides past selves")
    named: float = option(0.5, "share of these agents among the others' seats; the rest are past selves")
    past: int = option(4, "past selves in play at a time")
    pool_every: int = option(50, "updates between two past selves")
    eval_every: int = option(100, "updates between two evaluations and checkpoints")
    eval_hands: int = option(10_000, "hands per opponent, in duplicate")
    final_hands: int = option(100_000, "the same at the end")
    threads: int = option(1, "threads of torch and of the evaluations")
    device: str = option("cpu", "torch device")
    out: str = option("results/ppo", "folder of the run")
    quiet: bool = option(False, "print nothing while it runs")


class Policy(nn.Module):
    """A perceptron with a score per action and a value."""

    def __init__(self, inputs: int, hidden: list[int], actions: int, draws: torch.Generator) -> None:
        super().__init__()
        widths = [inputs, *hidden]
        self.layers: Any = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, hidden, strict=False))
        self.scores: Any = nn.Linear(hidden[-1], actions)
        self.value: Any = nn.Linear(hidden[-1], 1)
        gains = [2**0.5] * len(hidden) + [0.01, 1.0]
        for layer, gain in zip([*self.layers, self.scores, self.value], gains, strict=True):
            nn.init.orthogonal_(layer.weight, gain, generator=draws)
            nn.init.zeros_(layer.bias)

    def forward(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        """Log chances of the actions (-inf where illegal) and the value, for int8 (rows, inputs) and (rows, A)."""
        inner = seen.float()
        for layer in self.layers:
            inner = torch.relu(layer(inner))
        scores = self.scores(inner).masked_fill(mask == 0, -torch.inf)
        return torch.log_softmax(scores, 1), self.value(inner)[:, 0]


@kernel
def act_for_others(states: Any, players: Any, holders: Any, agents: Any, streams: Any, actions: Any) -> None:
    """Actions of the seats that belong to others; elsewhere the lowest legal one, which serves forced decisions."""
    for i in range(states.shape[0]):
        legal = legal_actions(states[i])
        holder = holders[i, players[i]]
        if holder >= 0:
            actions[i] = act(agents[holder], states[i], legal, streams[0])
        else:
            actions[i] = lowest(legal)


@kernel
def advantages(
    rows: Any, players: Any, reward: Any, ended: Any, value: Any, decay: float, out: Any, known: Any
) -> None:
    """Generalised advantages from each seat's own decision to its own next one.

    Args:
        rows: int64 (T, N): row of the decision at a step of a table, -1 if none is learnt from.
        players: int64 (T, N): who decided.
        reward: float64 (T, N, P): what the step paid to each seat.
        ended: bool (T, N): whether the step ended the episode.
        value: float32 (R,): value of each row.
        decay: lambda.
        out: float32 (R,): the advantages, written.
        known: bool (R,), written: false for a seat's last decision before the buffer ends, whose return is not known.
    """
    seats = reward.shape[2]
    later, carried, paid = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)
    follows = np.zeros(MAX_PLAYERS, np.bool_)
    for i in range(rows.shape[1]):
        follows[:] = False
        for t in range(rows.shape[0] - 1, -1, -1):
            if ended[t, i]:
                later[:] = 0.0
                carried[:] = 0.0
                paid[:] = 0.0
                follows[:] = True
            for seat in range(seats):
                paid[seat] += reward[t, i, seat]
            row, seat = rows[t, i], players[t, i]
            if row >= 0:
                known[row] = follows[seat]
                carried[seat] = paid[seat] + later[seat] - value[row] + decay * carried[seat] if follows[seat] else 0.0
                out[row] = carried[seat]
                later[seat] = value[row]
                paid[seat] = 0.0
                follows[seat] = True


class Training:
    """A run: its state, and how it goes on."""

    def __init__(self, game: Game, options: Options) -> None:
        self.game, self.options = game, options
        self.folder = Path(options.out)
        self.draws = torch.Generator().manual_seed(options.seed)
        self.tables = Tables(game, options.tables, seed=options.seed)
        self.inputs, self.scale, self.sample = survey(game, options.seed)
        hidden = [int(width) for width in options.hidden.split(",")]
        self.policy = Policy(len(self.inputs), hidden, game.num_actions, self.draws).to(options.device)
        self.optimiser = torch.optim.Adam(self.policy.parameters(), options.rate, eps=1e-5)
        self.streams = new_streams()
        seed_stream(self.streams[0], np.uint64(options.seed), np.uint64(0), USER)
        self.holders = np.full((options.tables, game.num_players), -1)
        self.pool: list[str] = []
        self.curve: list[dict[str, Any]] = []
        self.updates, self.steps = 0, 0
        self.seconds, self.environment, self.spread = 0.0, 0.0, 0.0
        self.batch = self.tables.reset()
        self.seat_others(np.ones(options.tables, np.bool_))
        if (self.folder / "checkpoint.pt").exists():
            self.restore()

    # --- playing

    def seat_others(self, where: Any) -> None:
        """Draw anew who holds the seats of some tables: the learner (-1), or a number of an agent in play."""
        places = np.flatnonzero(where)
        names = len(split_agents(self.options.opponents))
        players, past = self.game.num_players, self.options.past
        draws = torch.rand(5, len(places), players, generator=self.draws).numpy()
        holder = np.where(draws[0] < self.options.named, draws[1] * names, names + draws[1] * past).astype(np.int64)
        # One seat at least is the learner's, one another's, and each of the rest is either.
        first = (draws[3, :, :1] * players).astype(np.int64)
        second = (first + 1 + (draws[3, :, 1:2] * (players - 1)).astype(np.int64)) % players
        seats = np.arange(players)
        holder[(seats == first) | ((draws[2] < 0.5) & (seats != second))] = -1
        holder[draws[4, :, 0] >= self.options.others] = -1
        self.holders[places] = holder

    def in_play(self) -> Any:
        """Records of the agents that hold others' seats: the named ones, then past selves drawn from the pool."""
        family, named = agent_family(self.game.id), split_agents(self.options.opponents)
        texts = named[:]
        for draw in torch.rand(self.options.past, generator=self.draws).tolist():
            chosen = self.pool[int(draw * len(self.pool))] if self.pool else None
            texts.append(f"ppo(weights={self.folder / chosen},sampled=true)" if chosen else named[0])
        return np.concatenate([family.make(text).record for text in texts]).view(family.dtype)

    def play(self) -> dict[str, Any]:
        """Play the next steps of all tables; the decisions to learn from, with their advantages, as tensors."""
        o, n = self.options, self.options.tables
        agents = self.in_play()
        rows, players = np.full((o.length, n), -1), np.zeros((o.length, n), np.int64)
        reward, ended = np.zeros((o.length, n, self.game.num_players)), np.zeros((o.length, n), np.bool_)
        kept: dict[str, list[Any]] = {name: [] for name in ("seen", "mask", "action", "chance", "value")}
        actions, count = np.zeros(n, np.int64), 0
        for t in range(o.length):
            batch, players[t] = self.batch, self.batch.player
            began = time.perf_counter()
            act_for_others(self.tables.states, batch.player, self.holders, agents, self.streams, actions)
            self.environment += time.perf_counter() - began
            learner = self.holders[np.arange(n), batch.player] < 0
            chosen = np.flatnonzero(learner & (batch.action_mask.sum(1, dtype=np.int64) > 1))
            rows[t, chosen] = np.arange(count, count + len(chosen))
            count += len(chosen)
            seen = torch.from_numpy(batch.observation[chosen[:, None], self.inputs]).to(o.device)
            mask = torch.from_numpy(batch.action_mask[chosen]).to(o.device)
            with torch.no_grad():
                chances, value = self.policy(seen, mask)
            # The generator lives on the CPU, so that a seed means the same draws on any device.
            action = torch.multinomial(chances.exp().cpu(), 1, generator=self.draws)
            actions[chosen] = action[:, 0].numpy()
            chance = chances.gather(1, action.to(o.device))[:, 0]
            for name, part in zip(kept, (seen, mask, action[:, 0].to(o.device), chance, value), strict=True):
                kept[name].append(part)
            began = time.perf_counter()
            self.batch = self.tables.step(actions)
            self.environment += time.perf_counter() - began
            reward[t], ended[t] = self.batch.reward, self.batch.ended
            if self.batch.ended.any():
                self.seat_others(self.batch.ended)
        data = {name: torch.cat(parts) for name, parts in kept.items()}
        value, out = data["value"].cpu().numpy(), np.zeros(count, np.float32)
        known = np.zeros(count, np.bool_)
        advantages(rows, players, reward / self.scale, ended, value, o.decay, out, known)
        data["advantage"] = torch.from_numpy(out).to(o.device)
        where = torch.from_numpy(np.flatnonzero(known)).to(o.device)
        return {name: part[where] for name, part in data.items()}

    # --- learning

    def imitate(self) -> None:
        """Learn from the decisions of another agent: its actions, and what came of them."""
        o, left = self.options, self.options.imitate
        agent = split_agents(o.opponents)[0]
        for batch in iter_batches(self.game, agent, MOST_EPISODES, seed=o.seed + 1, rows=64 * o.batch):
            earned = batch.reward / self.scale
            for row in range(len(batch) - 1, -1, -1):
                if batch.next[row] >= 0:
                    earned[row] += earned[batch.next[row]]
            free = np.flatnonzero(batch.action_mask.sum(1, dtype=np.int64) > 1)
            order = torch.randperm(len(free), generator=self.draws).numpy()
            for pick in np.array_split(free[order], max(1, len(free) // o.batch)):
                seen = torch.from_numpy(batch.observation[pick[:, None], self.inputs]).to(o.device)
                chances, value = self.policy(seen, torch.from_numpy(batch.action_mask[pick]).to(o.device))
                action = torch.from_numpy(batch.action[pick].astype(np.int64)).to(o.device)
                target = torch.from_numpy(earned[pick].astype(np.float32)).to(o.device)
                error = (value - target).square().mean()
                self.step(o.value * error - chances.gather(1, action[:, None]).mean())
            left -= len(free)
            if left <= 0:
                return

    def step(self, loss: Any) -> None:
        """One gradient step."""
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.optimiser.step()

    def learn(self, data: dict[str, Any]) -> None:
        """PPO's gradient steps on the decisions of one round of play."""
        o, size = self.options, len(data["action"])
        left = max(0.1, 1.0 - 0.9 * self.steps / o.steps)
        for group in self.optimiser.param_groups:
            group["lr"] = o.rate * left
        target = data["advantage"] + data["value"]
        for _ in range(o.epochs):
            order = torch.randperm(size, generator=self.draws).to(o.device)
            for pick in order.split(o.batch):
                mask = data["mask"][pick]
                chances, value = self.policy(data["seen"][pick], mask)
                chance = chances.gather(1, data["action"][pick, None])[:, 0]
                advantage = data["advantage"][pick]
                deviation = advantage.std(correction=min(1, len(pick) - 1))  # one alone has none
                advantage = (advantage - advantage.mean()) / (deviation + 1e-6)
                ratio = torch.exp(chance - data["chance"][pick])
                gain = torch.minimum(ratio * advantage, ratio.clamp(1 - o.clip, 1 + o.clip) * advantage).mean()
                spread = -(chances.exp() * chances.masked_fill(mask == 0, 0.0)).sum(1).mean()
                error = (value - target[pick]).square().mean()
                self.step(o.value * error - gain - o.entropy * left * spread)
        self.spread = float(spread.detach())
        self.steps += size
        self.updates += 1

    def update(self) -> None:
        """A round of play, and what is to be learnt from it; timed."""
        began = time.perf_counter()
        self.learn(self.play())
        self.seconds += time.perf_counter() - began

    def network(self) -> Network:
        """The policy in whole numbers."""
        layers = [*self.policy.layers, self.policy.scores]
        weights = [layer.weight.detach().cpu().numpy().T for layer in layers]
        biases = [layer.bias.detach().cpu().numpy() for layer in layers]
        rows = np.full(self.game.observation_size, -1)
        rows[self.inputs] = np.arange(len(self.inputs))
        return quantise(self.game.name, rows, weights, biases, self.sample)

    def run(self) -> None:
        """Learn until the steps or the minutes are over."""
        o, began = self.options, time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "pool").mkdir(exist_ok=True)
        if not self.updates and o.imitate > 0 and not self.curve:
            start = time.perf_counter()
            self.imitate()
            self.seconds += time.perf_counter() - start
            self.report(o.eval_hands)
            self.save()
        while self.steps < o.steps and time.monotonic() - began < o.minutes * 60:
            self.update()
            if self.updates % o.pool_every == 0:
                self.pool.append(f"pool/{self.updates:06d}.npz")
                self.network().save(self.folder / self.pool[-1])
            if self.updates % o.eval_every == 0:
                self.report(o.eval_hands)
                self.save()
        self.save()
        if self.steps >= o.steps:
            self.report(o.final_hands)
        self.describe()

    # --- looking at it

    def report(self, hands: int) -> None:
        """Play against `random`, `book` and a past self on the same deals; add to the curve, and show it."""
        path = self.folder / "network.npz"
        self.network().save(path)
        against = {"random": "random", "book": "book"}
        if len(self.pool) > 1:
            against["past self"] = f"ppo(weights={self.folder / self.pool[(len(self.pool) - 1) // 2]})"
        seats = self.game.num_players
        row: dict[str, Any] = {"updates": self.updates, "steps": self.steps, "minutes": round(self.seconds / 60, 3)}
        row |= {"environment": round(self.environment / max(self.seconds, 1e-9), 4), "entropy": round(self.spread, 4)}
        for name, other in against.items():
            agents = [f"ppo(weights={path})"] + [other] * (1 if seats % 2 == 0 else seats - 1)
            found = simulate(self.game, agents, hands, duplicate=True, seed=1_000_003, threads=self.options.threads)
            mean = found.agent_rows[0]
            row |= {name: mean["mean"], f"{name} low": mean["low"], f"{name} high": mean["high"]}
        self.curve.append(row)
        write_curve(self.folder, self.curve, self.game)
        if not self.options.quiet:
            results = ", ".join(
                f"{name} {row[name]:+.3f} ({row[f'{name} low']:+.3f} .. {row[f'{name} high']:+.3f})" for name in against
            )
            rate = self.steps / max(self.seconds, 1e-9)
            share = 100 * row["environment"]
            print(
                f"{self.steps:>11,} decisions, {self.seconds / 60:6.1f} min, {rate:,.0f}/s, "
                f"{share:.1f} % in the environment; against {results}",
                flush=True,
            )

    def describe(self) -> None:
        """Write beside the network how it was made."""
        made = {
            "game": self.game.name,
            "command": shlex.join(["python", "experiments/train_ppo.py", *sys.argv[1:]]),
            "options": asdict(self.options),
            "version": cardsim.__version__,
            "torch": torch.__version__,
            "steps": self.steps,
            "minutes": self.seconds / 60,
            "environment_share": self.environment / max(self.seconds, 1e-9),
            "result": self.curve[-1] if self.curve else None,
        }
        (self.folder / "network.json").write_text(json.dumps(made, indent=1) + "\n")

    # --- going on

    def save(self) -> None:
        """Write the checkpoint; the file appears at once and whole."""
        tables = {name: torch.from_numpy(part.view(np.uint8)) for name, part in self.tables.save().items()}
        kept = {
            "game": self.game.name,
            "options": asdict(self.options),
            "policy": self.policy.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "draws": self.draws.get_state(),
            "tables": tables,
            "streams": torch.from_numpy(self.streams.view(np.uint8)),
            "holders": torch.from_numpy(self.holders),
            "numbers": {name: getattr(self, name) for name in NUMBERS},
        }
        temporary = self.folder / "checkpoint.tmp"
        torch.save(kept, temporary)
        os.replace(temporary, self.folder / "checkpoint.pt")

    def restore(self) -> None:
        """Go on from the checkpoint."""
        kept = torch.load(self.folder / "checkpoint.pt", map_location="cpu", weights_only=True)
        now = {"game": self.game.name, **asdict(self.options)}
        for name, value in {"game": kept["game"], **kept["options"]}.items():
            if name not in FREE and now[name] != value:
                raise ValueError(f"{name} {now[name]!r}: the run in {self.folder} has {value!r}; name another folder")
        self.policy.load_state_dict(kept["policy"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.draws.set_state(kept["draws"])
        self.streams.view(np.uint8)[:] = kept["streams"].numpy()
        self.holders[:] = kept["holders"].numpy()
        for name, value in kept["numbers"].items():
            setattr(self, name, value)
        states, clock = (kept["tables"][name].numpy() for name in ("states", "clock"))
        self.batch = self.tables.restore(
            {"states": states.view(self.tables.states.dtype), "clock": clock.view(self.tables.clock.dtype)}
        )


MOST_EPISODES = 2**40
NUMBERS = ("pool", "curve", "updates", "steps", "seconds", "environment", "spread")


def survey(game: Game, seed: int, hands: int = 128, steps: int = 400) -> tuple[Any, float, Any]:
    """Play at random and by `book` to learn what a game's observations and returns look like.

    Returns:
        The entries of the observation that are not always the same, int64 (inputs,); the spread of what is paid;
        some observations, int8 (samples, O).
    """
    family = agent_family(game.id)
    agents = np.concatenate([family.make(name).record for name in ("random", "book")]).view(family.dtype)
    tables, streams = Tables(game, hands, seed=seed), new_streams()
    holders = np.tile(np.arange(hands) % 2, (game.num_players, 1)).T.copy()
    seed_stream(streams[0], np.uint64(seed), np.uint64(1), USER)
    batch, actions = tables.reset(), np.zeros(hands, np.int64)
    low, high = batch.observation.min(0), batch.observation.max(0)
    paid, sample = [], []
    for step in range(steps):
        act_for_others(tables.states, batch.player, holders, agents, streams, actions)
        batch = tables.step(actions)
        low, high = np.minimum(low, batch.observation.min(0)), np.maximum(high, batch.observation.max(0))
        paid.append(batch.reward[batch.reward.any(1)])
        if step % 40 == 0:
            sample.append(batch.observation)
    payments = np.concatenate(paid)
    return np.flatnonzero(low != high), float(payments.std()) if payments.size else 1.0, np.concatenate(sample)


def write_curve(folder: Path, curve: list[dict[str, Any]], game: Game) -> None:
    """Write the learning curve as CSV and as a picture."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for row in curve for name in row))
    with (folder / "curve.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(curve)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for ax, over in zip(axes, ("steps", "minutes"), strict=True):
        for name in ("random", "book", "past self"):
            rows = [row for row in curve if name in row]
            ax.plot([row[over] for row in rows], [row[name] for row in rows], label=f"against {name}")
            edges = [[row[f"{name} {edge}"] for row in rows] for edge in ("low", "high")]
            ax.fill_between([row[over] for row in rows], *edges, alpha=0.3)
        ax.axhline(0.0, color="grey", linewidth=0.8)
        ax.set_xlabel("decisions" if over == "steps" else over)
    axes[0].set_ylabel(f"return per hand, in {game.returns_unit}")
    axes[0].legend()
    figure.suptitle(game.name)
    figure.savefig(folder / "curve.png", dpi=120)


def checked(game: Game, options: Options) -> Options:
    """Refuse what could not be played."""
    for name in ("tables", "length", "epochs", "batch", "past", "pool_every", "eval_every", "eval_hands", "threads"):
        if getattr(options, name) < 1:
            raise ValueError(f"{name} {getattr(options, name)}: must be at least 1")
    for name in ("steps", "minutes", "imitate"):
        if getattr(options, name) < 0:
            raise ValueError(f"{name} {getattr(options, name):g}: must be at least 0")
    widths = options.hidden.split(",")
    if not all(width.isdecimal() and int(width) for width in widths) or len(widths) > DEEPEST:
        raise ValueError(f"hidden {options.hidden!r}: must be 1 to {DEEPEST} widths, such as 256,128")
    for name in split_agents(options.opponents):
        agent_family(game.id).make(name)
    return options


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.argument("game")
@game_options
def main(game: str, preset: str | None, options: tuple[str, ...], match: bool, **named: Any) -> None:
    """Train (see the module)."""
    try:
        torch.set_num_threads(max(1, named["threads"]))
        torch.use_deterministic_algorithms(True)
        made = chosen_game(game, preset, options, match)
        training = Training(made, checked(made, Options(**named)))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    training.run()


for entry in reversed(fields(Options)):
    flag = {"is_flag": True} if isinstance(entry.default, bool) else {"type": type(entry.default), "show_default": True}
    main = click.option(
        f"--{entry.name.replace('_', '-')}", default=entry.default, help=entry.metadata["help"], **flag
    )(main)

if __name__ == "__main__":
    main()
