"""The compiled agents of Sixty-Six: legal, blind to hidden cards, never a false claim, better than chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardsim import rng
from cardsim.game import Game
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    CLOSES,
    FALSE_CLAIMS,
    PAIR_0,
)
from cardsim.jit import DISABLED
from cardsim.registry import make_game
from cardsim_agents.observing import ObservingAgent
from cardsim_agents.sixty_six import FAMILY
from tests.agents.agent_checks import (
    check_blind,
    check_legal_and_steady,
    check_refused,
    check_same_when_observing,
    check_uniform,
    choose,
    compare,
    decisions,
    positions,
    switches,
)

FORMS = [
    "sixty_six(preset=base)",
    "sixty_six(preset=base,claims=auto,close_timing=after_draw)",
    "sixty_six(preset=base,claim_timing=any_turn,announce=forced,perfect_memory=false)",
    "sixty_six(preset=base,perfect_memory=false,match=true)",
    "sixty_six(preset=pagat66)",
    "sixty_six(preset=pagat66,claims=true_only,early_marriage=next_trick)",
    "sixty_six(preset=schnapsen)",
    "sixty_six(preset=schnapsen,marriage_must_lead=false,marriage_lead=king,exhausted=ten_points)",
    "sixty_six(preset=three_hand,match=true)",
    "sixty_six(preset=four_hand)",
    "sixty_six(preset=four_hand,partner_meld=true,claim_timing=any_turn)",
    "sixty_six(preset=four_hand,american=true)",
    "sixty_six(preset=1001)",
    "sixty_six(preset=1001,players=3,ascending_marriages=true)",
    "sixty_six(preset=1001,follow_always=true,hand=6,match=true)",
    "sixty_six(preset=1001,perfect_memory=false)",
    "sixty_six(preset=deck32)",
    "sixty_six(preset=deck32,swap_card=nine,exchange_on_close=true,marriage_after_close=false)",
    "sixty_six(preset=strict,early_marriage=pending)",
    "sixty_six(suits=2,ranks=4,hand=3,goal=33)",
    "sixty_six(preset=schnapsen,suits=3,ranks=4,hand=4,goal=50,perfect_memory=false)",
]
SWITCHES = {
    "memory": "base", "closing": "base", "trump_ten": "base", "exchange": "base",
    "hold_plain_marriage": "base", "hold_pairs": "base", "defence": "base",
    "draw_trumps": "base", "smear": "four_hand",
}  # fmt: skip
MOVERS = ("book", "cautious(close_chance=40)")


def duel(game: Game, first: str, second: str, hands: int, seed: int = 1) -> tuple[float, Any]:
    """`compare`, partners together."""
    return compare(game, first, second, hands, 3 if game.num_players == 3 else 2, seed)


@pytest.mark.parametrize("name", FORMS)
def test_only_legal_moves_and_none_of_them_random(name: str) -> None:
    check_legal_and_steady(make_game(name), "book", "cautious", 2 if DISABLED else 12)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("mover", ["book", "cautious"])
def test_acts_the_same_on_what_the_observation_tells(name: str, mover: str) -> None:
    check_same_when_observing(make_game(name), "book", mover, 1 if DISABLED else 10)


@pytest.mark.parametrize("name", FORMS)
def test_hidden_cards_change_nothing(name: str) -> None:
    check_blind(make_game(name), "book", "cautious", 1 if DISABLED else 8, ("barred",))


@pytest.mark.parametrize(
    ("name", "margin"),
    [
        ("sixty_six(preset=base)", 1.3),
        ("sixty_six(preset=pagat66)", 1.0),
        ("sixty_six(preset=schnapsen)", 1.2),
        ("sixty_six(preset=three_hand)", 0.8),
        ("sixty_six(preset=four_hand)", 0.3),
        ("sixty_six(preset=four_hand,american=true)", 0.1),
        ("sixty_six(preset=1001)", 70.0),
        ("sixty_six(preset=1001,players=3)", 30.0),
        ("sixty_six(preset=deck32)", 1.3),
        ("sixty_six(preset=strict)", 1.3),
        ("sixty_six(preset=base,perfect_memory=false,claims=auto)", 0.8),
    ],
)
@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_book_beats_cautious_and_random(name: str, margin: float) -> None:
    game = make_game(name)
    for opponent in ("cautious", "random"):
        mean, counts = duel(game, "book", opponent, 2_000)
        assert mean > (margin if opponent == "cautious" else 0.1), opponent
        assert counts[FALSE_CLAIMS] == 0


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("agent", ["book", "cautious", "book(memory=false)"])
def test_never_claims_falsely(agent: str) -> None:
    for name in FORMS:
        _, counts = duel(make_game(name), agent, "cautious", 400, seed=3)
        assert counts[FALSE_CLAIMS] == 0, name


def test_claims_as_soon_as_it_has_66() -> None:
    game = make_game("sixty_six", claim_timing="any_turn")
    streams = rng.new_streams()
    for kind in ("book", "cautious"):
        record = FAMILY.make(kind).record
        claimed = 0
        for states in positions(game, "cautious", 10, seed=8):
            player = game.current_player(states)
            if game.legal_mask(states) >> ACT_CLAIM & 1:
                is_claim = choose(record, states, 0, streams) == ACT_CLAIM
                assert is_claim == (states["points"][0, player] >= states["rules"]["goal"][0])
                claimed += is_claim
        assert claimed


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_changes_a_decision(switch: str) -> None:
    game = make_game("sixty_six", preset=SWITCHES[switch])
    value = not FAMILY.parameters[switch].default
    assert decisions(game, "book", MOVERS, 150) != decisions(game, f"book({switch}={value})", MOVERS, 150)


def test_every_switch_is_tested() -> None:
    assert switches(make_game("sixty_six")) == set(SWITCHES)


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_closing_off_never_closes_and_marriages_are_declared() -> None:
    game = make_game("sixty_six")
    assert duel(game, "book(closing=false)", "book", 500)[1][CLOSES] == 0
    assert duel(game, "book", "book", 500)[1][CLOSES] > 50
    assert any(PAIR_0 <= action < PAIR_0 + 4 for action in decisions(game, "book", MOVERS, 50))


def test_random_is_uniform_over_the_legal_set() -> None:
    check_uniform(make_game("sixty_six"), [0, 1, 3, ACT_CLAIM])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bok", "agent 'bok' is unknown for sixty_six; agents are random, cautious, book"),
        ("book(memry=false)", "did you mean memory?"),
        ("book(close_at=many)", "option close_at=many: must be 0 to 300"),
        ("cautious(close_chance=101)", "option close_chance=101: must be 0 to 100"),
        ("book(closing=perhaps)", "option closing=perhaps: must be true or false"),
        ("book(closing)", "must look like option=value"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    check_refused(make_game("sixty_six"), text, message)


def test_observing_agent_checks_what_it_is_given() -> None:
    game = make_game("sixty_six")
    states = game.deal(1, 1)
    agent = ObservingAgent(game, "random", seed=3)
    player = game.current_player(states)
    observation = game.observe(states, player)
    mask = np.array([game.legal_mask(states) >> action & 1 for action in range(game.num_actions)], np.int8)
    first = [agent.act(observation, mask) for _ in range(20)]
    agent.reset(3)
    assert [agent.act(observation, mask) for _ in range(20)] == first
    assert agent.name == "random"
    with pytest.raises(ValueError, match="observation of shape"):
        agent.act(observation[:-1], mask)
    with pytest.raises(ValueError, match="action_mask of shape"):
        agent.act(observation, mask[:-1])
    with pytest.raises(ValueError, match="no action is legal"):
        agent.act(observation, np.zeros_like(mask))
    for wrong in (observation + 2, observation * 0.5, np.full(game.observation_size, np.nan)):
        with pytest.raises(ValueError, match="must hold zeros and ones only"):
            agent.act(wrong, mask)
    with pytest.raises(ValueError, match="deal number -1: must be an integer from 0"):
        agent.reset(deal=-1)
    with pytest.raises(ValueError, match="seed -1"):
        ObservingAgent(game, "random", seed=-1)
    with pytest.raises(ValueError, match="agent 5: must be an Agent or its name"):
        ObservingAgent(game, 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="game 'sixty_six': must be a Game"):
        ObservingAgent("sixty_six", "random")  # type: ignore[arg-type]
