"""Write the golden playthroughs anew: `make golden`, or `python tests/golden/regenerate.py [NAME ...]`.

A playthrough holds whole hands as they were dealt and played: every position, what was legal, what was
played, a digest of what each seat sees, the points, and the returns. Together the files freeze the order
of the random words, the numbering of actions, the layout of observations and the texts. Read the
difference before you commit it; the changelog says what such a change entails.
"""

from __future__ import annotations

import dataclasses
import hashlib
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cardsim import contract, rng
from cardsim.dealing import seed_episode
from cardsim.game import Game
from cardsim.registry import make_agent, make_game

FOLDER = Path(__file__).resolve().parent
SEED = 66


class Playthrough(NamedTuple):
    """What a file holds: episodes 0, 1, ... of SEED, one per entry of `agents`, which plays all seats."""

    game: str
    agents: tuple[str, ...]


USUAL = ("cautious", "cautious(close_chance=60)", "random")
"""Hands played out or claimed truly, closed hands, and the false claims of uniform play (SP37)."""
STAYING = ("cautious", "random", "random")
"""Deals in which weak hands fold, and deals in which any hand may stay, swap and fail its duties."""
BOTH = ("greedy", "random")
"""Captures for their worth, and captures of all kinds."""

PLAYTHROUGHS = {
    **{
        f"sixty_six/{preset}": Playthrough(f"sixty_six(preset={preset})", USUAL)
        for preset in ("base", "pagat66", "schnapsen", "three_hand", "four_hand", "deck32", "strict")
    },
    "sixty_six/1001": Playthrough("sixty_six(preset=1001)", ("random", "random")),
    "sixty_six/1001x3": Playthrough("sixty_six(preset=1001,players=3,ascending_marriages=true)", ("random", "random")),
    "sixty_six/american": Playthrough("sixty_six(preset=four_hand,american=true)", ("random", "random")),
    "sixty_six/match": Playthrough("sixty_six(preset=base,match=true,target=3,tie=carry1)", ("cautious",)),
    "zwicken/base": Playthrough("zwicken(preset=base)", STAYING),
    "zwicken/styrian": Playthrough("zwicken(preset=styrian,players=5)", STAYING),
    "zwicken/four_card": Playthrough("zwicken(preset=four_card,players=5,max_swaps=4)", STAYING),
    "zwicken/dreier": Playthrough("zwicken(preset=dreier)", STAYING),
    "zwicken/bavarian": Playthrough("zwicken(preset=bavarian,players=3,wenzel_cards=ober_unter)", STAYING),
    "zwicken/two": Playthrough("zwicken(preset=base,players=2,start_pot=10,belli_duty=loss_pays)", STAYING),
    "zwicken/block": Playthrough("zwicken(preset=base,swap_mode=block,ace_must_stay=false)", STAYING),
    "zwicken/enforced": Playthrough(
        "zwicken(preset=base,duties=enforce,ace_duty=play,must_head=true,winner_leads_trump=true)", STAYING
    ),
    # A target, not a number of deals, ends the sessions: of that a hand's text knows nothing.
    "zwicken/session": Playthrough("zwicken(preset=base,players=3,match=true,target_chips=6)", ("random",)),
    "zwicken/hop": Playthrough(
        "zwicken(preset=base,players=5,cut_rule=hop,belli_cut=pot_jump,bete=pot,durchmarsch=extra_to_winner,match=true,"
        "target_chips=9)",
        ("random",),
    ),
    # Long tables from the beginning, so that the files stay small; one deal as it is usually played.
    "zwicker/whole": Playthrough("zwicker(preset=no_joker)", ("random",)),
    "zwicker/no_joker": Playthrough("zwicker(preset=no_joker,players=2,table_cards=36)", BOTH),
    "zwicker/six_joker": Playthrough("zwicker(preset=six_joker,table_cards=42)", ("random",)),
    "zwicker/one_joker": Playthrough("zwicker(preset=one_joker,players=3,table_cards=29)", ("random",)),
    "zwicker/two_joker": Playthrough(
        "zwicker(preset=two_joker,players=2,table_cards=38,must_capture=true,pair_build=true,zwick_relay=true)",
        ("random",),
    ),
    "zwicker/three_joker": Playthrough(
        "zwicker(preset=three_joker,players=5,table_cards=33,build_needs=none)", ("random",)
    ),
    "zwicker/four_joker": Playthrough(
        "zwicker(preset=four_joker,players=2,table_cards=44,build_down=abs_difference,stale_build_penalty=5)",
        ("random",),
    ),
    "zwicker/grupp": Playthrough("zwicker(preset=grupp,players=3,table_cards=44)", ("random",)),
    "zwicker/two_packs": Playthrough(
        "zwicker(preset=no_joker,players=5,table_cards=84,sum_capture=false)", ("random",)
    ),
    "zwicker/parties": Playthrough(
        "zwicker(preset=grupp,teams=true,table_cards=38,jokers_stay=true,joker_points=2)", ("random",)
    ),
    "zwicker/match": Playthrough(
        "zwicker(preset=one_joker,players=2,table_cards=45,match=true,n_deals=2)", ("random",)
    ),
}
"""By the path of the file below this folder, without its suffix."""


def playthrough(name: str) -> str:
    """Text of one file.

    Raises:
        KeyError: no such playthrough.
    """
    text, agents = PLAYTHROUGHS[name]
    game = make_game(text)
    parts = [f"# {name}: written by tests/golden/regenerate.py, do not edit\n"]
    for number, agent in enumerate(agents):
        parts.append(f"\n== {game.name}; seed {SEED}, deal {number}; every seat: {agent}\n")
        parts += _episode(game, number, agent)
    return "".join(parts)


def _episode(game: Game, number: int, agent: str) -> list[str]:
    record = make_agent(game.id, agent).record[0]
    streams = rng.new_streams(1 + game.num_players)
    seed_episode(streams, game.num_players, np.uint64(SEED), np.uint64(number))
    states, before = game.deal(SEED, number), None
    parts: list[str] = []
    hand = 0
    while True:
        dealt = game.notation.dealt_hand(game.rules, SEED, number, hand, before)
        steps, actions = _steps(game, states, record, streams)
        parts += ["\n", dataclasses.replace(dealt, actions=tuple(actions)).text, *steps]
        if game.current_player(states) == contract.TERMINAL:
            break
        hand += 1
        before = states.copy()
        game.deal_next(SEED, number, hand, states)
    returns = " ".join(f"{value:g}" for value in game.returns(states))
    return [*parts, f"\nreturns: {returns} {game.returns_unit}\n"]


def _steps(game: Game, states: Any, record: Any, streams: Any) -> tuple[list[str], list[int]]:
    """Play the hand in `states` to its end: the lines of every step, and the actions."""
    lines: list[str] = []
    actions: list[int] = []
    while (seat := game.current_player(states)) >= 0:
        mask = game.legal_mask(states)
        action = int(contract.act(record, states[0], np.uint64(mask), streams[rng.AGENT + seat]))
        lines += [f"-- {len(actions) + 1}, seat {seat}\n", *_moment(game, states)]
        lines.append(f"legal: {', '.join(game.notation.legal_texts(mask))}\n")
        lines.append(f"plays: {game.action_names[action]}\n")
        game.apply_action(states, action)
        actions.append(action)
    gained = states["gained"][0, : game.num_players].tolist()
    return [*lines, "-- end\n", *_moment(game, states), f"gained: {gained}\n"], actions


def _moment(game: Game, states: Any) -> list[str]:
    text = game.notation
    seen = [hashlib.sha256(game.observe(states, seat).tobytes()).hexdigest()[:12] for seat in range(game.num_players)]
    position = text.position_text(game.rules, states)
    return [f"{position.strip()}\n", f"{text.STANDING.lower()}: {text.standing(states)}; seen: {' '.join(seen)}\n"]


def main(names: list[str]) -> None:
    """Write the named files, or all of them."""
    unknown = [name for name in names if name not in PLAYTHROUGHS]
    if unknown:
        sys.exit(f"playthrough {unknown[0]!r}: must be one of {', '.join(PLAYTHROUGHS)}")
    for name in names or PLAYTHROUGHS:
        path = FOLDER / f"{name}.txt"
        text = playthrough(name)
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        if changed:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {'written' if changed else 'unchanged'}, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
