"""What the measurements must know of each game: the only place here that names games."""

from __future__ import annotations

from typing import Any, NamedTuple


class Form(NamedTuple):
    """Rules under which random play is measured.

    Attributes:
        title: names the rows.
        options: for `make_game`.
        players: seats of the C program that it is held against.
        session: an episode is a session of `Budget.deals` deals, as in the C program, instead of one hand.
        aimed: the game's aim holds for it.
    """

    title: str
    options: dict[str, Any]
    players: int = 2
    session: bool = False
    aimed: bool = True


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
                *(Form(f"{n} players", {"players": n}, players=n, session=True) for n in (2, 3, 4, 5)),
                Form("4 players, single deals", {}, players=4, aimed=False),
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
    )
}
