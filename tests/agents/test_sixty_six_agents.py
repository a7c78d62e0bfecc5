"""The compiled agents of Sixty-Six: legal, blind to hidden cards, never a false claim, better than chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.game import Game
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    CLOSES,
    FALSE_CLAIMS,
    GOAL,
    NO_CARD,
    PAIR_0,
    SEATS,
)
from cardsim.jit import DISABLED, kernel
from cardsim.registry import make_game
from cardsim_agents.observing import ObservingAgent
from cardsim_agents.sixty_six import FAMILY

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
]
SWITCHES = {
    "memory": "base", "closing": "base", "trump_ten": "base", "exchange": "base",
    "hold_plain_marriage": "base", "hold_pairs": "base", "defence": "base",
    "draw_trumps": "base", "smear": "four_hand",
}  # fmt: skip


@kernel
def play_hands(
    states: Any, agents: Any, streams: Any, seed: Any, hands: int, seats: int, total: Any, counts: Any
) -> None:
    """Hands in which agents[0] sits on one seat (or partnership) in turn and agents[1] on the others."""
    state = states[0]
    out = np.zeros(SEATS)
    for hand in range(hands):
        mine = hand % seats
        rng.seed_stream(streams[0], seed, np.uint64(hand // seats), rng.CARDS)
        for k in range(2):
            rng.seed_stream(streams[1 + k], seed, np.uint64(hand), rng.AGENT + k)
        contract.reset(state, streams[0])
        while True:
            player = contract.current_player(state)
            if player == contract.TERMINAL:
                break
            if player == contract.CHANCE:
                contract.deal(state, streams[0])
                continue
            k = 0 if player % seats == mine else 1
            action = contract.act(agents[k], state, contract.legal_actions(state), streams[1 + k])
            contract.apply_action(state, action)
        contract.returns(state, out)
        total[0] += out[mine]
        for column in range(counts.shape[0]):
            counts[column] += state["counts"][mine, column]


def compare(game: Game, first: str, second: str, hands: int, seed: int = 1) -> tuple[float, Any]:
    """Mean return of `first` against `second` on duplicate deals, and its summed counts."""
    agents = np.concatenate([FAMILY.make(first).record, FAMILY.make(second).record]).view(FAMILY.dtype)
    states = game.new_states()
    seats = 3 if game.num_players == 3 else 2
    total, counts = np.zeros(1), np.zeros(states["counts"].shape[2])
    play_hands(states, agents, rng.new_streams(3), np.uint64(seed), hands, seats, total, counts)
    return total[0] / hands, counts


@kernel
def choose(agents: Any, states: Any, i: int, streams: Any) -> int:
    return contract.act(agents[0], states[i], contract.legal_actions(states[i]), streams[0])  # type: ignore[no-any-return]


def positions(game: Game, mover: str, hands: int, seed: int) -> Any:
    """States met by an agent, in order; the array is played on after each is given out."""
    record = FAMILY.make(mover).record
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(seed), np.uint64(0), rng.AGENT)
    for number in range(hands):
        states = game.deal(seed, number)
        deals = 0
        while (player := game.current_player(states)) != contract.TERMINAL:
            if player == contract.CHANCE:
                deals += 1
                game.deal_next(seed, number, deals, states)
                continue
            yield states
            game.apply_action(states, choose(record, states, 0, streams))


@pytest.mark.parametrize("name", FORMS)
def test_only_legal_moves_and_none_of_them_random(name: str) -> None:
    game = make_game(name)
    book = FAMILY.make("book").record
    streams = rng.new_streams()
    before = streams.tobytes()
    for states in positions(game, "cautious", 2 if DISABLED else 12, seed=5):
        saved = states.tobytes()
        action = choose(book, states, 0, streams)
        assert game.legal_mask(states) >> action & 1, game.action_names[action]
        assert states.tobytes() == saved  # looks, does not touch
    assert streams.tobytes() == before


@pytest.mark.parametrize("name", FORMS)
def test_acts_the_same_on_what_the_observation_tells(name: str) -> None:
    game = make_game(name)
    book = FAMILY.make("book").record
    seen = ObservingAgent(game, "book")
    streams = rng.new_streams()
    for mover in ("book", "cautious"):
        for states in positions(game, mover, 1 if DISABLED else 10, seed=6):
            player = game.current_player(states)
            mask = [game.legal_mask(states) >> action & 1 for action in range(game.num_actions)]
            action = choose(book, states, 0, streams)
            assert seen.act(game.observe(states, player), mask) == action


def shuffle_hidden(states: Any, player: int, rules: Any, random: np.random.Generator) -> Any:
    """A copy in which all cards that `player` cannot see are dealt anew at random, whatever was shown."""
    changed = states.copy()
    state = changed[0]
    others = [seat for seat in range(int(rules["players"])) if seat != player]
    talon = [i for i in range(32) if state["deck"][i] != NO_CARD]
    cards = [c for seat in others for c in range(32) if int(state["hand"][seat]) >> c & 1]
    cards += [int(state["deck"][i]) for i in talon]
    random.shuffle(cards)
    for seat in others:
        size = int(state["hand"][seat]).bit_count()
        changed["hand"][0, seat] = sum(1 << c for c in cards[:size])
        cards = cards[size:]
    changed["deck"][0, talon] = cards
    return changed


@pytest.mark.parametrize("name", FORMS)
def test_hidden_cards_change_nothing(name: str) -> None:
    game = make_game(name)
    book = FAMILY.make("book").record
    streams = rng.new_streams()
    random = np.random.default_rng(1)
    for states in positions(game, "cautious", 1 if DISABLED else 8, seed=7):
        action = choose(book, states, 0, streams)
        changed = shuffle_hidden(states, game.current_player(states), game.rules.record[0], random)
        changed["barred"] = 0
        changed["counts"] = 0
        changed["decisions"] = 0
        finished = int(states["trick_start"][0])
        changed["history"][0, :finished] = random.permutation(changed["history"][0, :finished])
        changed["movers"][0, :finished] = -1
        assert game.type.state_dtype == changed.dtype
        legal = np.uint64(game.legal_mask(states))
        assert int(FAMILY.act(book[0], changed[0], legal, streams[0])) == action


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
        mean, counts = compare(game, "book", opponent, 2_000)
        assert mean > (margin if opponent == "cautious" else 0.1), opponent
        assert counts[FALSE_CLAIMS] == 0


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("agent", ["book", "cautious", "book(memory=false)"])
def test_never_claims_falsely(agent: str) -> None:
    for name in FORMS:
        _, counts = compare(make_game(name), agent, "cautious", 400, seed=3)
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
                assert is_claim == (states["points"][0, player] >= GOAL)
                claimed += is_claim
        assert claimed


def decisions(game: Game, agent: str, hands: int) -> list[int]:
    """What an agent answers to a fixed run of positions."""
    record = FAMILY.make(agent).record
    streams = rng.new_streams()
    return [
        choose(record, states, 0, streams)
        for mover in ("book", "cautious(close_chance=40)")
        for states in positions(game, mover, hands, seed=9)
    ]


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_changes_a_decision(switch: str) -> None:
    game = make_game("sixty_six", preset=SWITCHES[switch])
    value = not FAMILY.parameters[switch].default
    assert decisions(game, "book", 150) != decisions(game, f"book({switch}={value})", 150)


def test_every_switch_is_tested() -> None:
    booleans = {option.name for option in FAMILY.parameters.options if isinstance(option.default, bool)}
    assert booleans == set(SWITCHES)


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_closing_off_never_closes_and_marriages_are_declared() -> None:
    game = make_game("sixty_six")
    assert compare(game, "book(closing=false)", "book", 500)[1][CLOSES] == 0
    assert compare(game, "book", "book", 500)[1][CLOSES] > 50
    assert any(PAIR_0 <= action < PAIR_0 + 4 for action in decisions(game, "book", 50))


def test_random_is_uniform_over_the_legal_set() -> None:
    record = FAMILY.make("random").record
    states = make_game("sixty_six").deal(1, 1)
    legal = np.uint64(0b1011 | 1 << ACT_CLAIM)
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(1), rng.AGENT)
    draws = 2_000
    seen = np.bincount(
        [int(FAMILY.act(record[0], states[0], legal, streams[0])) for _ in range(draws)],
        minlength=ACT_CLAIM + 1,
    )
    assert np.flatnonzero(seen).tolist() == [0, 1, 3, ACT_CLAIM]
    assert abs(seen[[0, 1, 3, ACT_CLAIM]] - draws / 4).max() < 5 * (draws * 3 / 16) ** 0.5


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
    with pytest.raises(ValueError) as error:
        FAMILY.make(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


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
