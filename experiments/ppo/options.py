"""All numbers of a training run."""

from __future__ import annotations

from dataclasses import dataclass

from cardsim import Game, agent_family
from cardsim.simulate import split_agents
from cardsim_agents.learned.networks import DEEPEST
from experiments.options import option

FREE = ("threads", "device", "minutes", "out", "quiet")
"""Options that may differ when a run goes on."""
AT_LEAST_ONE = (
    "tables", "length", "epochs", "batch", "labels", "spacing", "past", "pool_every", "eval_every", "eval_hands",
    "threads",
)  # fmt: skip
AT_LEAST_ZERO = ("steps", "minutes", "imitate", "compare")


@dataclass(frozen=True)
class Options:
    """All numbers of a run."""

    steps: float = option(2e6, "decisions to learn from by PPO, in all; 0: none")
    minutes: float = option(1e9, "stop after this time, to go on later by the same command")
    seed: int = option(1, "of the deals, the first weights and all draws")
    tables: int = option(256, "tables in lockstep")
    length: int = option(64, "actions per table between two updates")
    hidden: str = option("256,128", "widths of the hidden layers")
    rate: float = option(5e-4, "learning rate at the start; falls to a tenth of it, in each phase")
    epochs: int = option(3, "passes over the decisions of an update")
    batch: int = option(1024, "decisions per gradient step")
    clip: float = option(0.2, "PPO's clipping")
    entropy: float = option(0.005, "weight of the entropy at the start; falls to a tenth of it")
    value: float = option(0.5, "weight of the value's error")
    decay: float = option(0.95, "lambda of the advantages (GAE)")
    imitate: float = option(0.0, "decisions of the first of `opponents` to imitate before playing; 0: from scratch")
    compare: float = option(
        0.0, "decisions whose actions are compared, each played out by the first of `opponents`; before PPO"
    )
    labels: int = option(16, "compared decisions per table in a round")
    spacing: float = option(2.0, "mean number of own decisions from one compared to the next")
    wander: float = option(0.05, "share of own decisions played at random on the way there")
    others: float = option(0.25, "share of tables at which some seats belong to others")
    opponents: str = option("book", "agents among these others, besides past selves")
    named: float = option(0.5, "share of these agents among the others' seats; the rest are past selves")
    past: int = option(4, "past selves in play at a time")
    pool_every: int = option(50, "updates between two past selves")
    eval_every: int = option(100, "updates between two evaluations and checkpoints")
    eval_hands: int = option(10_000, "hands per opponent, in duplicate")
    final_hands: int = option(100_000, "the same at the end")
    threads: int = option(1, "threads of torch, of playing out and of the evaluations")
    device: str = option("cpu", "torch device")
    out: str = option("results/ppo", "folder of the run")
    quiet: bool = option(False, "print nothing while it runs")

    @property
    def widths(self) -> list[int]:
        """Of the hidden layers."""
        return [int(width) for width in self.hidden.split(",")]


def checked(game: Game, options: Options) -> Options:
    """Refuse what could not be played.

    Raises:
        ValueError: a number or a name is not allowed; the message says which, and what is.
    """
    for least, names in ((1, AT_LEAST_ONE), (0, AT_LEAST_ZERO)):
        for name in names:
            if getattr(options, name) < least:
                raise ValueError(f"{name} {getattr(options, name):g}: must be at least {least}")
    if not 0 <= options.wander <= 1:
        raise ValueError(f"wander {options.wander:g}: must be from 0 to 1")
    widths = options.hidden.split(",")
    if not all(width.isdecimal() and int(width) for width in widths) or len(widths) > DEEPEST:
        raise ValueError(f"hidden {options.hidden!r}: must be 1 to {DEEPEST} widths, such as 256,128")
    for name in split_agents(options.opponents):
        agent_family(game.id).make(name)
    return options
