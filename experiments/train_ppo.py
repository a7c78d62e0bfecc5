"""Train an agent by playing against itself (PPO), for any game and preset: plain torch over `cardsim.Tables`.

    python experiments/train_ppo.py sixty_six --preset schnapsen --steps 2e6 --out results/schnapsen

Three ways to learn, one after the other, each left out by its default but the last:

* `--imitate`: the first of `--opponents` is imitated;
* `--compare`: every action of a decision is played out by that agent, and the policy learns what each is worth. What
  comes out is that agent, improved by one step everywhere;
* `--steps`: PPO. One policy plays all seats. At a share of the tables some seats belong to others: `book`, and past
  selves from a pool, so that it does not forget how to beat them. A decision's return is what the seat is paid from
  there on, from its own decision to its own next one (docs/train_your_own.md).

The folder `--out` holds `network.npz`, which plays as `ppo(weights=FILE)` wherever agents are named, `curve.csv` and
`curve.png`, the pool, and a checkpoint. The same command goes on from there after a kill, to the same numbers as if
nothing had happened (on one thread of a CPU).
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import nn

import cardsim
from cardsim import Game, Tables, agent_family
from cardsim.cli.inputs import chosen_game, game_options
from cardsim.rng import USER, new_streams, seed_stream
from cardsim.simulate import split_agents
from cardsim.trajectories import iter_batches
from cardsim_agents.learned import Network
from experiments.options import flags
from experiments.ppo.curve import evaluate, lead, write_curve
from experiments.ppo.options import FREE, Options, checked
from experiments.ppo.playouts import PlayOuts
from experiments.ppo.policy import Policy, Sight
from experiments.ppo.selfplay import act_for_others, advantages, survey

MOST_EPISODES = 2**40
NUMBERS = ("pool", "curve", "updates", "steps", "rounds", "compared", "playing", "seconds", "environment", "spread")
"""What a checkpoint keeps of a run besides tensors."""
SHARP = 8.0
"""What scores that are advantages are multiplied by to be logarithms of chances."""


class Training:
    """A run: its state, and how it goes on."""

    def __init__(self, game: Game, options: Options) -> None:
        self.game, self.options = game, options
        self.folder = Path(options.out)
        self.draws = torch.Generator().manual_seed(options.seed)
        self.tables = Tables(game, options.tables, seed=options.seed)
        inputs, self.scale, *seen = survey(game, options.seed)
        self.sight = Sight(game, inputs)
        self.sample = self.sight.sample(*seen)
        self.policy = Policy(len(inputs), options.widths, game.num_actions, self.sight.features, self.draws)
        self.policy.to(options.device)
        self.optimiser = torch.optim.Adam(self.policy.parameters(), options.rate, eps=1e-5)
        self.named = split_agents(options.opponents)
        self.playouts = PlayOuts(
            game,
            self.records(*self.named),
            options.tables,
            options.labels,
            options.spacing,
            options.wander,
            options.seed,
            options.threads,
        )
        self.streams = new_streams()
        seed_stream(self.streams[0], np.uint64(options.seed), np.uint64(0), USER)
        self.holders = np.full((options.tables, game.num_players), -1)
        self.pool: list[str] = []
        self.curve: list[dict[str, Any]] = []
        self.updates, self.steps = 0, 0
        self.rounds, self.compared, self.playing = 0, 0, ""
        self.seconds, self.environment, self.spread = 0.0, 0.0, 0.0
        self.batch = self.tables.reset()
        self.seat_others(np.ones(options.tables, np.bool_))
        if (self.folder / "checkpoint.pt").exists():
            self.restore()

    def records(self, *names: str) -> Any:
        """Records of agents, (K,)."""
        family = agent_family(self.game.id)
        return np.concatenate([family.make(name).record for name in names]).view(family.dtype)

    @property
    def learnt(self) -> int:
        """Decisions learnt from so far, imitation aside."""
        return self.compared + self.steps

    @property
    def comparing(self) -> bool:
        """Whether decisions are still to be compared."""
        return self.compared < self.options.compare

    # --- playing

    def seat_others(self, where: Any) -> None:
        """Draw anew who holds the seats of some tables: the learner (-1), or a number of an agent in play."""
        places = np.flatnonzero(where)
        names, players, past = len(self.named), self.game.num_players, self.options.past
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
        texts = list(self.named)
        for draw in torch.rand(self.options.past, generator=self.draws).tolist():
            chosen = self.pool[int(draw * len(self.pool))] if self.pool else None
            texts.append(f"ppo(weights={self.folder / chosen},sampled=true)" if chosen else self.named[0])
        return self.records(*texts)

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
            seen = self.sight.of(batch.observation[chosen], batch.action_mask[chosen]).to(o.device)
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
        for batch in iter_batches(self.game, self.named[0], MOST_EPISODES, seed=o.seed + 1, rows=64 * o.batch):
            self.cool(1 - left / o.imitate)
            earned = batch.reward / self.scale
            for row in range(len(batch) - 1, -1, -1):
                if batch.next[row] >= 0:
                    earned[row] += earned[batch.next[row]]
            free = np.flatnonzero(batch.action_mask.sum(1, dtype=np.int64) > 1)
            order = torch.randperm(len(free), generator=self.draws).numpy()
            for pick in np.array_split(free[order], max(1, len(free) // o.batch)):
                seen = self.sight.of(batch.observation[pick], batch.action_mask[pick]).to(o.device)
                chances, value = self.policy(seen, torch.from_numpy(batch.action_mask[pick]).to(o.device))
                action = torch.from_numpy(batch.action[pick].astype(np.int64)).to(o.device)
                target = torch.from_numpy(earned[pick].astype(np.float32)).to(o.device)
                error = (value - target).square().mean()
                self.step(o.value * error - chances.gather(1, action[:, None]).mean())
            left -= len(free)
            if left <= 0:
                return

    def compare(self) -> None:
        """Learn from a round of decisions with the return of each action: scores become advantages, by least squares.

        The advantage is that over the mean action, in spreads of the returns. All actions count alike: a gradient of
        the chances would no longer move what a policy that is sure of itself does not try.
        """
        o, began = self.options, time.perf_counter()
        self.cool(self.compared / o.compare)
        found = self.playouts.round(self.rounds, self.player(), self.records(self.named[0]))
        self.environment += time.perf_counter() - began
        order = torch.randperm(len(found.gain), generator=self.draws).numpy()
        for pick in np.array_split(order, max(1, len(order) // o.batch)):
            seen = self.sight.of(found.observation[pick], found.mask[pick]).to(o.device)
            mask = torch.from_numpy(found.mask[pick]).to(o.device)
            gain = torch.from_numpy(found.gain[pick] / np.float32(self.scale)).to(o.device)
            count = mask.sum(1, keepdim=True)
            worth = gain.sum(1, keepdim=True) / count
            scores, value = self.policy.judge(seen, mask)
            scores = scores * mask
            error = ((scores - scores.sum(1, keepdim=True) / count - gain + worth) * mask).square().sum(1).mean()
            self.step(error + o.value * (value - worth[:, 0]).square().mean())
        self.rounds += 1
        self.compared += len(order)
        if not self.comparing:
            self.policy.sharpen(SHARP)
        self.seconds += time.perf_counter() - began

    def player(self) -> Any:
        """Record (1,) of who plays on the way to decisions: the network of the last checkpoint, if there is one."""
        return self.records(f"ppo(weights={self.folder / self.playing})" if self.playing else self.named[0])

    def cool(self, done: float) -> float:
        """Set the learning rate for the share of a phase that is done; what is left of rate and entropy, 1 to 0.1."""
        left = max(0.1, 1.0 - 0.9 * done)
        for group in self.optimiser.param_groups:
            group["lr"] = self.options.rate * left
        return left

    def step(self, loss: Any) -> None:
        """One gradient step."""
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.optimiser.step()

    def learn(self, data: dict[str, Any]) -> None:
        """PPO's gradient steps on the decisions of one round of play."""
        o, size = self.options, len(data["action"])
        left = self.cool(self.steps / o.steps)
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
                spread = entropy(chances, mask)
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
        return self.policy.in_whole_numbers(self.game, self.sight.inputs, self.sample)

    def run(self) -> None:
        """Learn until the steps or the minutes are over."""
        o, began = self.options, time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "pool").mkdir(exist_ok=True)
        if not self.updates and o.imitate > 0 and not self.curve:
            start = time.perf_counter()
            self.imitate()
            if self.comparing:
                self.policy.sharpen(1 / SHARP)
            self.seconds += time.perf_counter() - start
            self.report(o.eval_hands)
            self.save()
        while self.comparing and time.monotonic() - began < o.minutes * 60:
            self.compare()
            if self.rounds % o.eval_every == 0 or not self.comparing:
                self.report(o.eval_hands)
                self.playing = self.keep(f"c{self.rounds:06d}")
                self.save()
        while not self.comparing and self.steps < o.steps and time.monotonic() - began < o.minutes * 60:
            self.update()
            if self.updates % o.pool_every == 0:
                self.pool.append(self.keep(f"{self.updates:06d}"))
            if self.updates % o.eval_every == 0:
                self.report(o.eval_hands)
                self.save()
        self.save()
        if not self.comparing and self.steps >= o.steps:
            self.report(o.final_hands)
        self.describe()

    def keep(self, name: str) -> str:
        """Write the network as it is now beside the past ones; its path in the folder."""
        file = f"pool/{name}.npz"
        self.network().save(self.folder / file)
        return file

    # --- looking at it

    def report(self, hands: int) -> None:
        """Play against `random`, `book` and a past self on the same deals; add to the curve, and show it."""
        path = self.folder / "network.npz"
        self.network().save(path)
        against = {"random": "random", "book": "book"}
        if len(self.pool) > 1:
            against["past self"] = f"ppo(weights={self.folder / self.pool[(len(self.pool) - 1) // 2]})"
        row: dict[str, Any] = {"updates": self.updates, "steps": self.learnt, "minutes": round(self.seconds / 60, 3)}
        row |= {"environment": round(self.environment / max(self.seconds, 1e-9), 4), "entropy": round(self.spread, 4)}
        row |= evaluate(self.game, f"ppo(weights={path})", against, hands, self.options.threads)
        self.curve.append(row)
        write_curve(self.folder, self.curve, self.game)
        if not self.options.quiet:
            results = ", ".join("{} {:+.3f} ({:+.3f} .. {:+.3f})".format(name, *lead(row, name)) for name in against)
            rate = self.learnt / max(self.seconds, 1e-9)
            share = 100 * row["environment"]
            print(
                f"{self.learnt:>11,} decisions, {self.seconds / 60:6.1f} min, {rate:,.0f}/s, "
                f"{share:.1f} % in the environment; more than {results}",
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
            "compared": self.compared,
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


def entropy(chances: Any, mask: Any) -> Any:
    """Mean entropy of chances, given as logarithms (rows, A)."""
    return -(chances.exp() * chances.masked_fill(mask == 0, 0.0)).sum(1).mean()


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.argument("game")
@game_options
@flags(Options)
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


if __name__ == "__main__":
    main()
