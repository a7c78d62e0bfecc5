"""How many players make the game best for whom: the value of each seat, the pot, and what skill is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cardsim.games.zwicken.layout import BETES, NO_TRICK_BETES, TAKEN
from cardsim.stats import Moments
from experiments.lab import Effect, Finding, Line, Options, Question, Sums, differences, frame, measure, moments
from experiments.lab.plots import curve, heat, tidy
from experiments.zwicken.staying import OPPONENTS, TOO_FEW, Found, Table, block_of, effects_of, enough, legend

PRESETS = ("base", "styrian", "four_card", "bavarian")
PLAYERS = (2, 3, 4, 5)
BASE = {n: Table(f"base, {n} players", options={"players": n}) for n in PLAYERS}
VARIANTS = [Table(f"{preset}, {n} players", preset, {"players": n}) for preset in PRESETS[1:] for n in PLAYERS]
TABLES = [*BASE.values(), *VARIANTS, Table("dreier, 3 players", "dreier")]
BASE_WEIGHT = 4
DEALS = 20
PLACES = ("first", "second", "third", "fourth", "dealer")
"""Seats in the order in which they speak; the dealer is the last one at any table."""


def place_of(seat: Any, dealer: Any, players: int) -> Any:
    """Places of seats, indices into PLACES."""
    found = (seat - dealer - 1) % players
    return np.where(found == players - 1, len(PLACES) - 1, found)


def seat_values(options: Options, name: str, table: Table, agent: str, count: int) -> dict[str, list[Moments]]:
    """The same agent in all seats; by place "return" and "play", which is the return less antes and cut payments."""
    game = table.game
    players = game.num_players
    line = Line(game, [agent] * players)
    seat = np.arange(players)

    def work(first: int, number: int) -> Sums:
        states, returned = line.play(options.seed, first, number)
        cell = place_of(seat, states["dealer"].astype(np.int64)[:, None], players)
        counts = states["counts"].astype(float)
        play = counts[:, TAKEN, :players] - counts[:, BETES, :players]
        none = counts[:, NO_TRICK_BETES, :players]
        return {
            "return": moments(returned, cell, len(PLACES)),
            "play": moments(play, cell, len(PLACES)),
            "bete": moments(none, cell, len(PLACES)),
        }

    return measure(options, name, work, max(2, count), main=("return", 0), block=block_of(count))


def all_seats(options: Options, count: int) -> Found:
    """Every variant and number of players, one stake in the pot."""
    weights = {table: BASE_WEIGHT if table in BASE.values() else 1 for table in TABLES}
    unit = count // (sum(weights.values()) * len(OPPONENTS))
    return {
        (table.label, agent): seat_values(options, f"{table.label}-{agent}", table, agent, unit * weight)
        for table, weight in weights.items()
        for agent in OPPONENTS
    }


def session_sums(options: Options, players: int, count: int) -> dict[str, list[Moments]]:
    """Sessions of `book` players: means over the deals of a session."""
    table = Table("", options={"players": players, "match": True, "n_deals": DEALS})
    line = Line(table.game, ["book"] * players)
    stake = int(table.game.rules["stake"])

    def work(first: int, number: int) -> Sums:
        states, _ = line.play(options.seed, first, number)
        columns = {
            "pot, in stakes": states["pots"] / stake,
            "players who stay": states["stayed"],
            "deals that all pass": states["all_passed"],
            "deals of one player alone": states["unopposed"],
            "betes for no trick": states["counts"][:, NO_TRICK_BETES, :players].sum(axis=1),
        }
        return {name: moments(values / DEALS) for name, values in columns.items()}

    sessions = max(2, count // DEALS)
    main = ("pot, in stakes", 0)
    return measure(options, f"sessions-{players}", work, sessions, main=main, block=block_of(sessions))


def skill(options: Options, count: int) -> list[Effect]:
    """What `book` earns more than `random` in the same seat of the same deals, by players and opponents."""
    each = count // (len(PLAYERS) * len(OPPONENTS))
    return [
        differences(
            options,
            f"skill-{players}-{opponent}",
            table.game,
            "book",
            "random",
            opponent,
            each,
            {"players": str(players), "opponents": opponent},
        )
        for opponent in OPPONENTS
        for players, table in BASE.items()
    ]


def seat_effects(found: Found, name: str) -> list[Effect]:
    """A number by table, agents and place."""
    return effects_of(
        ({"table": key[0], "players are": key[1], "speaks": place}, cell)
        for key, sums in found.items()
        for place, cell in zip(PLACES, sums[name], strict=True)
    )


def session_frame(sessions: dict[int, dict[str, list[Moments]]]) -> pd.DataFrame:
    """A row for each number of players and each number of its sessions."""
    rows = [
        {"players": players, "per deal": name, "mean": cells[0].mean, "low": low, "high": high, "n": cells[0].n}
        for players, sums in sessions.items()
        for name, cells in sums.items()
        for low, high in [cells[0].interval()]
    ]
    return pd.DataFrame(rows)


def best_seat(sums: dict[str, list[Moments]], players: int) -> str:
    """The best and the worst seat of a table in words, where their intervals tell them apart."""
    cells = {place: cell for place, cell in zip(PLACES, enough(sums["play"]), strict=True) if cell.n}
    if len(cells) < players:
        return ""
    best, worst = (pick(cells, key=lambda place: cells[place].mean) for pick in (max, min))
    if cells[best].interval().low <= cells[worst].interval().high:
        return f"of {players} no seat clearly"
    return f"of {players} the {best} ({cells[best].mean:+.2f} chips; worst the {worst}, {cells[worst].mean:+.2f})"


def answer(found: Found, usual: Found, sessions: dict[int, dict[str, list[Moments]]], edges: list[Effect]) -> str:
    """The finding in sentences."""
    text = []
    for values, pot in ((found, "one stake in the pot"), (usual, "the usual pot of a session")):
        parts = [part for players, table in BASE.items() if (part := best_seat(values[table.label, "book"], players))]
        if parts:
            text.append(f"With {pot}, antes aside, book players sit best: {'; '.join(parts)}.")
    if not text:
        return TOO_FEW
    pots = ", ".join(f"{n}: {sums['pot, in stakes'][0].mean:.1f}" for n, sums in sessions.items())
    text.append(f"The mean pot of a session, in stakes by players: {pots}.")
    for opponent in OPPONENTS:
        parts = [
            f"{effect.mean:+.2f} ± {effect.interval().half_width:.2f} with {effect.setting['players']}"
            for effect in edges
            if effect.setting["opponents"] == opponent
        ]
        text.append(
            f"Playing by the book instead of at random earns, against {opponent}, {', '.join(parts)} chips a deal."
        )
    return " ".join(text)


def draw(figure: Any, found: Found, usual: Found, edges: list[Effect]) -> None:
    """Value of the seats with two pots; what skill is worth."""
    panels = figure.subplots(1, 3, width_ratios=[1.2, 1.2, 1])
    titles = ("Seats, pot of one stake", "Seats, usual pot of a session")
    for axes, values, title in zip(panels, (found, usual), titles, strict=False):
        cells = [enough(values[table.label, "book"]["play"]) for table in BASE.values()]
        means = np.array([[cell.mean for cell in row] for row in cells])
        heat(axes, means, [f"{n} players" for n in PLAYERS], PLACES, "chips per deal, antes aside", title)
        axes.set_xlabel("speaks")
    for number, opponent in enumerate(OPPONENTS):
        curve(panels[2], PLAYERS, [e for e in edges if e.setting["opponents"] == opponent], opponent, number)
    tidy(panels[2], "What playing by the book earns", "players", "chips per deal more than at random")
    panels[2].set_xticks(PLAYERS)
    panels[2].set_ylim(bottom=min(0, panels[2].get_ylim()[0]))
    legend(panels[2], title="opponents")


def run(options: Options) -> Finding:
    """Seats, sessions and skill for two to five players."""
    found = all_seats(options, options.hands // 2)
    sessions = {n: session_sums(options, n, options.hands // 10 // len(PLAYERS)) for n in PLAYERS}
    usual = {}
    for players, table in BASE.items():
        more = max(0, round(sessions[players]["pot, in stakes"][0].mean) - 1)
        large = Table(
            f"base, {players} players, pot of {1 + more} stakes", options={"players": players, "start_pot": 3 * more}
        )
        count = options.hands // 10 // len(PLAYERS)
        usual[table.label, "book"] = seat_values(options, f"usual-{players}", large, "book", count)
    edges = skill(options, options.hands * 3 // 10)
    return Finding(
        answer=answer(found, usual, sessions, edges),
        unit="chips per deal",
        draw=lambda figure: draw(figure, found, usual, edges),
        caption=(
            "Left and middle: what `book` players take from the pot less betes, by place; antes and cut payments are"
            " left out, empty cells have no such seat. Right: what a seat earns by playing as `book` instead of at"
            " random; bands are 95 % intervals."
        ),
        tables={
            "Return by seat, chips per deal": frame(seat_effects(found, "return"), "return"),
            "From the pot less betes by seat, chips per deal": frame(seat_effects(found, "play"), "play"),
            "Betes for no trick by seat, per deal": frame(seat_effects(found, "bete"), "betes"),
            "The same with the usual pot of a session": frame(seat_effects(usual, "play"), "play"),
            f"Sessions of {DEALS} deals of book players, per deal": session_frame(sessions),
            "Book instead of random in one seat, chips per deal": frame(edges, "gain"),
        },
        notes=[
            "The same agent sits in all seats. Who is the dealer is decided by the cut (Z12), and he speaks last.",
            (
                "The text says that the game is best with four or five (Z1). That is a matter of taste: what is shown"
                " is how much the place matters, how large the pots are, and how much skill is worth."
            ),
            (
                "With one deal an episode, betes go to nobody, so the returns add up to less than nothing. The usual"
                " pot is the mean pot of sessions, in whole stakes."
            ),
        ],
        size=(13.5, 4.4),
    )


QUESTION = Question(
    "zwicken.players",
    "How many players make the game best, and for whom?",
    "Two to five players, best with four or five (section on players).",
    run,
)

if __name__ == "__main__":
    QUESTION.main()
