"""`resample_hidden` of Zwicker draws just the worlds that agree with what a seat has seen, all as often.

The law is that of `zwicker_worlds`: uniform over deals, given every turn so far and all builds that the seat itself
could have made (WP13).
"""

from __future__ import annotations

import random
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

from cardsim import rng
from cardsim.games.zwicker.invariants import check_state
from cardsim.games.zwicker.layout import ACT, NO_CARD
from cardsim.games.zwicker.worlds import NO_WORLD, TRIES
from cardsim.jit import DISABLED
from cardsim.registry import make_game
from tests.games.shuffles import p_value
from tests.games.zwicker_rounds import (
    TRUE,
    Position,
    Predicate,
    choices,
    lacking,
    no_joker_held,
    partner_promised,
    positions,
    promised,
    saying,
    told,
)
from tests.games.zwicker_worlds import rejected, resampled

SAMPLES = 40 if DISABLED else 6_000
MOST_TRIES = 2_000 if DISABLED else 400_000
ALPHA = 1e-4


class Case(NamedTuple):
    name: str
    wanted: Predicate
    positions: int = 2


CASES = {
    "told": Case("zwicker(preset=six_joker)", told, 3),
    "told_six": Case("zwicker(preset=six_joker,players=6)", told),
    "told_pairs": Case("zwicker(preset=three_joker,pair_build=true,build_down=abs_difference)", told),
    "partner": Case("zwicker(preset=six_joker)", partner_promised),
    "promised": Case("zwicker(preset=six_joker)", promised, 3),
    "promised_two": Case("zwicker(preset=six_joker,players=2)", promised),
    "promised_three": Case("zwicker(preset=four_joker,players=3)", promised),
    "promised_five": Case("zwicker(preset=six_joker,players=5,short_deal=unused)", promised),
    "promised_self": Case("zwicker(preset=six_joker,build_needs=self)", promised),
    "promised_none": Case("zwicker(preset=six_joker,build_needs=none)", choices, 1),
    "saying": Case("zwicker(preset=six_joker)", saying),
    "saying_two": Case("zwicker(preset=two_joker,players=2)", saying),
    "must_no_joker": Case("zwicker(must_capture=true)", lacking),
    "must_two_packs": Case("zwicker(players=5,must_capture=true)", lacking),
    "must_six_joker": Case("zwicker(preset=six_joker,must_capture=true)", lacking, 3),
    "must_told": Case("zwicker(preset=six_joker,must_capture=true,sum_capture=false)", told),
    "must_grupp": Case("zwicker(preset=grupp,players=2,must_capture=true,sum_capture=false,n_jokers=2)", lacking),
    "lone_joker": Case("zwicker(preset=grupp,players=2,must_capture=true,lone_joker_by_joker=true)", no_joker_held, 1),
    "grupp_two_packs": Case("zwicker(preset=grupp,players=6,short_deal=unused,n_jokers=1)", choices, 1),
}
MUTED = {"told": ("asked", "denied"), "promised": ("promised",), "must_six_joker": ("lacks",)}


def found(case: Case) -> list[Position]:
    some = list(islice(positions(make_game(case.name), case.wanted, 0), 1 if DISABLED else case.positions))
    assert some, "no such position was found"
    return some


@pytest.mark.parametrize("name", CASES)
def test_worlds_are_those_that_agree_with_play(name: str) -> None:
    """Random deals and counted ways give the same law; it is that of rejection, whose worlds look like the truth."""
    for position in found(CASES[name]):
        true = rejected(position, SAMPLES, MOST_TRIES)
        seen = f"seat {position.viewer} after {position.play.tolist()}"
        if not DISABLED:
            assert true.total() > 500, f"only {true.total()} worlds by rejection: {seen}"
        often = {key for key, count in true.items() if count * SAMPLES > 20 * true.total()}
        for tries in (TRIES, 0):
            drawn = resampled(position, SAMPLES, tries)
            assert p_value(drawn, true) > ALPHA, seen
            assert often <= drawn.keys(), seen
            if true.total() > 40 * len(true):
                assert drawn.keys() <= true.keys(), seen


@pytest.mark.skipif(DISABLED, reason="needs many samples")
@pytest.mark.parametrize("name, field", [(name, field) for name, fields in MUTED.items() for field in fields])
def test_the_comparison_notices_lost_knowledge(name: str, field: str) -> None:
    """Forgetting what was told gives other worlds, in one position of the case at least."""
    lost = []
    for position in found(CASES[name]):
        true = rejected(position, SAMPLES, MOST_TRIES)
        position.states[field][TRUE] = 0
        lost.append(not resampled(position, SAMPLES, TRIES).keys() <= true.keys())
    assert any(lost)


@pytest.mark.parametrize("name", ["saying", "saying_two"])
def test_no_world_tells_where_a_card_goes(name: str) -> None:
    """A world in which the target is chosen already would prove that its build is covered."""
    for position in found(CASES[name]):
        streams = rng.new_streams()
        for _ in range(20):
            world = position.states[TRUE : TRUE + 1].copy()
            position.game.resample_hidden(world, position.viewer, streams)
            assert world["phase"][0] == ACT and world["card"] == position.states["card"][TRUE]
            assert position.game.legal_mask(world) != 0
            check_state(world, 0)


def test_a_world_from_a_view() -> None:
    """A state rebuilt from an observation holds enough to be made whole."""
    game, chance = make_game("zwicker(preset=six_joker)"), random.Random(1)
    streams = rng.new_streams()
    for number in range(1 if DISABLED else 5):
        states = game.deal(4, number)
        while (player := game.current_player(states)) >= 0:
            seen = game.observe(states, player)
            view = game.view(seen)
            game.resample_hidden(view, 0, streams)
            assert np.array_equal(game.observe(view, 0), seen)
            assert game.legal_mask(view) == game.legal_mask(states)
            assert ((view["deck"] != NO_CARD) == (states["deck"] != NO_CARD)).all()
            game.apply_action(states, chance.choice(game.legal_actions(states)))


def test_what_cannot_be_is_refused() -> None:
    """An impossible record ends with an error, not in a loop."""
    game = make_game("zwicker(preset=six_joker,players=2)")
    states = game.deal(1, 1)
    states["lacks"] = 2**31 - 1
    with pytest.raises(ValueError, match=f"^{NO_WORLD}$"):
        game.resample_hidden(states, 0, rng.new_streams())
