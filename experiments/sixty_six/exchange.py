"""Is the exchange of the lowest trump worth what the text says, and does keeping that card pay?"""

from __future__ import annotations

import cardsim
from experiments.lab import Finding, Options, Question, differences, judge
from experiments.lab.plots import forest

PRESETS = ("base", "schnapsen", "pagat66", "deck32")
OPPONENTS = ("random", "cautious", "book")


def run(options: Options) -> Finding:
    """Compare `book` with itself without the exchange, on the same deals."""
    share = options.hands // (len(PRESETS) * len(OPPONENTS))
    effects = []
    for preset in PRESETS:
        game = cardsim.make_game("sixty_six", preset=preset)
        for opponent in OPPONENTS:
            effects.append(
                differences(
                    options,
                    f"{preset}-{opponent}",
                    game,
                    "book",
                    "book(exchange=false)",
                    opponent,
                    share,
                    {"preset": preset, "opponents": opponent},
                )
            )
    best = max(effects, key=lambda effect: effect.mean)
    return Finding(
        answer=f"Exchanging earns up to {best.mean:+.2f} game points a hand ({best.name}).",
        unit="game points per hand",
        effects=effects,
        verdict=judge(effects),
        draw=lambda figure: forest(figure.subplots(), effects, "game points per hand by exchanging, 95 % interval"),
        caption="Each dot: what exchanging earns a hand; bars are 95 % intervals.",
        notes=["`book` against `book(exchange=false)` in the same seats of the same deals."],
    )


QUESTION = Question(
    "sixty_six.exchange",
    "Is the exchange of the lowest trump worth it?",
    "Keep the nine of trumps for the exchange: it brings 2 to 11 points (strategy section, tip 4).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
