"""What the measurements must know of each game: the only place here that names games."""

from __future__ import annotations

from typing import Any, NamedTuple


class Form(NamedTuple):
    """Rules under which random play is measured.

    Attributes:
        title: names the rows.
        options: for `make_game`.
        table: what the C program held against it is called with: its seats, for Zwicker with six jokers 60 more.
        session: an episode is a session of `Budget.deals` deals, as in the C program, instead of one hand.
        aimed: the game's aim holds for it.
        same: the C program plays the same decisions, so that the counts of both must agree.
    """

    title: str
    options: dict[str, Any]
    table: int = 2
    session: bool = False
    aimed: bool = True
    same: bool = False


class Match(NamedTuple):
    """Rules and agents of a simulation."""

    options: dict[str, Any]
    agents: tuple[str, ...]


class Subject(NamedTuple):
    """A game to measure.

    Attributes:
        game: its id.
        program: source of the C program, in this folder; it must define `play` (see limit.h).
        environment: module of `cardsim_envs`.
        unit: what takes so and so much of the C program's time: a "decision", or a "hand" where both play the same
            rules, so that their hands are equally long.
        at_most: that ratio.
        goal: the ratio that one would like.
        forms: rules for random play.
        whole: title of the form whose hands are taken apart.
        counted: columns of results that must agree with the totals of the C program, an entry for each of these
            (several columns: their sum); empty where it plays other rules.
        grows: rules, and the option that sets how much lies on the table; empty for games without a table.
        matches: what `simulate` is timed with: options, and agents (fewer names than seats are repeated).
        step: times the C program's decision that a step of 4,096 tables may take; None without an aim: the observation
            of Zwicker has 4,696 entries, and copying it alone takes longer.
        first_hand: CPU seconds that compiling may take before the first hand; None without an aim.
    """

    game: str
    program: str
    environment: str
    unit: str
    at_most: float
    goal: float
    forms: tuple[Form, ...]
    whole: str
    counted: tuple[tuple[str, ...], ...] = ()
    grows: tuple[dict[str, Any], str] | tuple[()] = ()
    matches: tuple[Match, ...] = (Match({}, ("random",)), Match({}, ("book", "random")), Match({}, ("book",)))
    step: float | None = 8.0
    first_hand: float | None = 20.0


SUBJECTS = {
    subject.game: subject
    for subject in (
        Subject(
            game="sixty_six",
            program="limit66.c",
            environment="sixty_six_v0",
            unit="decision",
            at_most=2.0,
            goal=1.3,
            forms=(
                Form(
                    "as long as C's",
                    {"claims": "true_only", "close_timing": "after_draw", "early_marriage": "pending"},
                ),
                Form("base", {}),
                Form("base, claims counted", {"claims": "auto"}),
                Form("schnapsen", {"preset": "schnapsen"}),
            ),
            whole="as long as C's",
        ),
        Subject(
            game="zwicken",
            program="limit_zwicken.c",
            environment="zwicken_v0",
            unit="hand",
            at_most=1.8,
            goal=1.3,
            forms=(
                *(Form(f"{n} players", {"players": n}, table=n, session=True, same=True) for n in (2, 3, 4, 5)),
                Form("4 players, single deals", {}, table=4, aimed=False),
            ),
            whole="4 players, single deals",
            counted=(
                ("decisions",),
                ("pots",),
                ("stayed",),
                ("swaps",),
                ("tricks",),
                ("no_trick_betes", "duty_betes"),
                ("cuts",),
                ("durchmarsch",),
                ("all_passed",),
            ),
        ),
        Subject(
            game="zwicker",
            program="limit_zwicker.c",
            environment="zwicker_v0",
            unit="hand",
            at_most=2.5,
            goal=1.5,
            forms=(
                *(
                    Form(
                        f"{n} players, {preset}",
                        {"preset": preset, "players": n},
                        table=n + more,
                        session=True,
                        same=not more,
                    )
                    for preset, more in (("no_joker", 0), ("six_joker", 60))
                    for n in (2, 4)
                ),
                Form("4 players, no_joker, single deals", {}, table=4, aimed=False),
            ),
            whole="4 players, no_joker, single deals",
            counted=(
                ("decisions",),
                ("captures",),
                ("items_taken",),
                ("zwicks",),
                ("laid_on",),
                ("beside",),
                ("left_over",),
            ),
            grows=({"preset": "six_joker", "players": 2}, "table_cards"),
            step=None,
            first_hand=None,
            matches=tuple(
                Match({"preset": preset, "players": players}, (agent,))
                for preset in ("no_joker", "six_joker")
                for players in (2, 4)
                for agent in ("random", "greedy", "book")
            ),
        ),
    )
}
