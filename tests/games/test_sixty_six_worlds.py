"""`resample_hidden` of Sixty-Six draws just the worlds that agree with what a seat has seen, as often as it should.

The law is that of `sixty_six_worlds`: uniform over deals, given every action and every public event of the hand so far.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from cardsim import contract, rng
from cardsim.games.sixty_six.layout import ASK_EXCHANGE, ASK_PAIR, LEAD, NO_CARD, NOBODY, SEATS
from cardsim.games.sixty_six.rules import PRESETS
from cardsim.jit import DISABLED, kernel
from cardsim.registry import make_agent, make_game
from tests.games.shuffles import p_value
from tests.games.sixty_six_worlds import Position, Predicate, positions, rejected, resampled

SAMPLES = 60 if DISABLED else 12_000
TRIES = 1_000 if DISABLED else 2_000_000
ALPHA = 1e-4


def hidden(state: Any, viewer: int) -> int:
    """Cards that the viewer has never had a sight of: other hands and the talon face down."""
    return sum(places(state, viewer).values())


def places(state: Any, viewer: int) -> dict[int, int]:
    """Unseen cards by the seat that holds them (NOBODY: talon)."""
    count = {
        seat: (int(state["hand"][seat]) & ~int(state["known"][seat])).bit_count()
        for seat in range(SEATS)
        if seat != viewer and state["hand"][seat]
    }
    return {**count, NOBODY: int((state["deck"] != NO_CARD).sum())}


def choices(state: Any, viewer: int, most: int) -> bool:
    """Whether the unseen cards lie in at least two places, in at most `most` ways."""
    count = [n for n in places(state, viewer).values() if n]
    ways, left = 1, sum(count)
    for n in count:
        for k in range(n):
            ways = ways * (left - k) // (k + 1)
        left -= n
    return len(count) > 1 and 5 < ways <= most


def pool(state: Any, viewer: int) -> int:
    """The unseen cards."""
    cards = sum(1 << int(card) for card in state["deck"] if card != NO_CARD)
    for seat in range(SEATS):
        if seat != viewer:
            cards |= int(state["hand"][seat]) & ~int(state["known"][seat])
    return cards


def voids(state: Any, viewer: int) -> int:
    """Seats that are known to lack unseen cards."""
    cards = pool(state, viewer)
    return sum(seat != viewer and bool(int(state["absent"][seat]) & cards) for seat in range(SEATS))


def others_known(state: Any, viewer: int) -> int:
    return int(np.bitwise_or.reduce([int(state["known"][seat]) for seat in range(SEATS) if seat != viewer]))


def plays(state: Any, viewer: int) -> bool:
    """Whether the viewer has a hand."""
    return bool(state["hand"][viewer])


def late_bar(state: Any, viewer: int) -> bool:
    """Whether somebody has drawn since he showed that he lacked a card which is unseen now."""
    cards = pool(state, viewer)
    return any(
        bool(state["barred"][seat, card]) and cards >> card & 1 and not int(state["absent"][seat]) >> card & 1
        for seat in range(SEATS)
        if seat != viewer
        for card in range(32)
    )


def closed(state: Any, viewer: int) -> bool:
    return (
        plays(state, viewer) and state["closer"] != NOBODY and voids(state, viewer) > 0 and choices(state, viewer, 500)
    )


def is_open(state: Any, viewer: int) -> bool:
    return (
        plays(state, viewer)
        and state["closer"] == NOBODY
        and state["talon_left"] in (2, 4)
        and choices(state, viewer, 100)
    )


def exchanged(state: Any, viewer: int) -> bool:
    held = state["swapper"] != NOBODY and int(state["known"][state["swapper"]]) >> int(state["up_first"]) & 1
    return bool(held) and state["swapper"] != viewer and choices(state, viewer, 200)


def shown(state: Any, viewer: int) -> bool:
    return bool(state["declared"]) and others_known(state, viewer) > 0 and choices(state, viewer, 200)


def four(state: Any, viewer: int) -> bool:
    return voids(state, viewer) >= 2 and choices(state, viewer, 2000)


def dealers_trump(state: Any, viewer: int) -> bool:
    return (
        viewer != state["dealer"]
        and bool(state["known"][state["dealer"]])
        and voids(state, viewer) > 0
        and choices(state, viewer, 2000)
    )


def three(state: Any, viewer: int) -> bool:
    return voids(state, viewer) >= 1 and choices(state, viewer, 300)


def drawn_after_void(state: Any, viewer: int) -> bool:
    return plays(state, viewer) and late_bar(state, viewer) and choices(state, viewer, 700)


def silent(state: Any, viewer: int) -> bool:
    return (
        plays(state, viewer) and voids(state, viewer) >= 1 and state["talon_left"] > 0 and choices(state, viewer, 200)
    )


def idle(state: Any, viewer: int) -> bool:
    return viewer == state["dealer"] and voids(state, viewer) >= 1 and choices(state, viewer, 700)


def idle_late_bar(state: Any, viewer: int) -> bool:
    return viewer == state["dealer"] and late_bar(state, viewer) and choices(state, viewer, 700)


def asked_exchange(state: Any, viewer: int) -> bool:
    return state["phase"] == ASK_EXCHANGE and viewer != state["player"] and choices(state, viewer, 500)


def kept_the_swap_card(state: Any, viewer: int) -> bool:
    other = 1 - viewer
    swap = 8 * int(state["trump"]) + int(state["rules"]["swap_rank"])
    passed = state["closer"] == viewer and state["phase"] == LEAD and int(state["hand"][other]) >> swap & 1
    return bool(passed) and choices(state, viewer, 500)


def asked_pair(state: Any, viewer: int) -> bool:
    return state["phase"] == ASK_PAIR and viewer != state["player"] and choices(state, viewer, 2000)


def kept_the_pair(state: Any, viewer: int) -> bool:
    partner = (int(state["leader"]) + 2) % 4
    hand = int(state["hand"][partner])
    both = any(hand >> 8 * suit + 4 & 3 == 3 and not state["declared"] >> suit & 1 for suit in range(4))
    return both and state["phase"] == LEAD and viewer != partner and choices(state, viewer, 2000)


class Case(NamedTuple):
    """A kind of position, how many are looked at, and how often the hands that are searched are closed."""

    name: str
    wanted: Predicate
    positions: int = 3
    close: float = 0.1


CASES = {
    "closed": Case("sixty_six", closed),
    "closed_schnapsen": Case("sixty_six(preset=schnapsen)", closed),
    "closed_deck32": Case("sixty_six(preset=deck32)", closed),
    "open": Case("sixty_six", is_open),
    "open_schnapsen": Case("sixty_six(preset=schnapsen)", is_open),
    "exchanged": Case("sixty_six", exchanged),
    "exchanged_deck32": Case("sixty_six(preset=deck32,swap_card=nine)", exchanged),
    "marriage": Case("sixty_six(early_marriage=pending)", shown),
    "marriage_free": Case("sixty_six(preset=schnapsen,marriage_must_lead=false)", shown),
    "four_hand": Case("sixty_six(preset=four_hand)", four),
    "four_hand_dealer": Case("sixty_six(preset=four_hand)", dealers_trump),
    "four_hand_forced": Case("sixty_six(preset=four_hand,announce=forced,early_marriage=pending)", four),
    "american": Case("sixty_six(preset=four_hand,american=true)", four),
    "1001_three": Case("sixty_six(preset=1001,players=3)", three),
    "1001_three_forced": Case("sixty_six(preset=1001,players=3,announce=forced,ascending_marriages=true)", three),
    "1001_talon": Case("sixty_six(preset=1001,follow_always=true)", drawn_after_void),
    "1001_talon_six": Case("sixty_six(preset=1001,follow_always=true,hand=6)", drawn_after_void),
    "1001_talon_forced": Case("sixty_six(preset=1001,follow_always=true,announce=forced)", drawn_after_void),
    "small": Case("sixty_six(suits=3,ranks=4,hand=3)", is_open),
    "forced": Case("sixty_six(announce=forced,early_marriage=pending)", silent),
    "forced_drawn": Case("sixty_six(announce=forced,early_marriage=pending)", drawn_after_void),
    "forced_king": Case("sixty_six(preset=schnapsen,announce=forced,marriage_lead=king)", drawn_after_void),
    "forced_closed": Case(
        "sixty_six(announce=forced,early_marriage=pending)", lambda s, v: closed(s, v) and late_bar(s, v)
    ),
    "forced_exchanged": Case(
        "sixty_six(preset=schnapsen,announce=forced)",
        lambda s, v: s["swapper"] not in (NOBODY, v) and drawn_after_void(s, v) and plays(s, v),
    ),
    "idle_dealer": Case("sixty_six(preset=three_hand)", idle, positions=2),
    "idle_dealer_forced": Case(
        "sixty_six(preset=three_hand,announce=forced,early_marriage=pending)", idle_late_bar, positions=2
    ),
    "ask_exchange": Case("sixty_six(exchange_on_close=true)", asked_exchange, close=0.5),
    "kept_the_swap_card": Case("sixty_six(exchange_on_close=true)", kept_the_swap_card, close=0.5),
    "ask_pair": Case("sixty_six(preset=four_hand,partner_meld=true,early_marriage=pending)", asked_pair),
    "kept_the_pair": Case("sixty_six(preset=four_hand,partner_meld=true,early_marriage=pending)", kept_the_pair),
}
WEIGHTED = ("1001_talon", "1001_talon_six", "forced_drawn", "idle_dealer_forced")


def found(case: Case, seed: int = 0) -> list[Position]:
    some = list(
        islice(positions(make_game(case.name), case.wanted, seed, close=case.close), 1 if DISABLED else case.positions)
    )
    assert some, "no such position was found"
    return some


def hands_only(worlds: Counter[Any]) -> Counter[Any]:
    """The worlds without the order of the talon."""
    merged: Counter[Any] = Counter()
    for key, count in worlds.items():
        merged[key[: SEATS + 1]] += count
    return merged


@pytest.mark.parametrize("name", CASES)
def test_worlds_are_those_that_agree_with_play(name: str) -> None:
    for position in found(CASES[name]):
        drawn = resampled(position, SAMPLES)
        true = rejected(position, SAMPLES, TRIES)
        game = position.game
        told = f"seat {position.viewer}: {game.notation.position_text(game.rules, position.states)}"
        assert true, told
        if not DISABLED:
            assert true.total() > 500, f"only {true.total()} worlds by rejection: {told}"
        assert p_value(drawn, true) > ALPHA, told
        hands, true_hands = hands_only(drawn), hands_only(true)
        assert p_value(hands, true_hands) > ALPHA, told
        if hands.keys() - true_hands.keys():  # worlds of little weight: look longer
            true_hands += hands_only(rejected(position, 10 * SAMPLES, 5 * TRIES, seed=3))
        if true_hands.total() > 40 * len(true_hands):
            assert hands.keys() <= true_hands.keys(), told
        often = {key for key, count in true_hands.items() if count * SAMPLES > 15 * true_hands.total()}
        assert often <= hands.keys(), told


@pytest.mark.parametrize("name", ["ask_exchange", "ask_pair"])
def test_no_world_tells_that_another_seat_is_asked(name: str) -> None:
    """SP15: a world with the question in it would prove that its seat holds the card or the pair."""
    for position in found(CASES[name]):
        streams = rng.new_streams()
        rng.seed_stream(streams[0], np.uint64(1), np.uint64(0), rng.RESAMPLE)
        for _ in range(20):
            world = position.states.view(np.uint8).copy().view(position.states.dtype)
            position.game.resample_hidden(world, position.viewer, streams)
            assert world["phase"][0] == LEAD
            assert world["player"][0] == world["leader"][0]


@pytest.mark.skipif(DISABLED, reason="needs many samples")
@pytest.mark.parametrize("name", WEIGHTED)
def test_the_comparison_notices_worlds_without_their_weights(name: str) -> None:
    """Where cards were drawn after a void had shown, worlds weigh differently; the test above would see that."""
    least = 1.0
    for position in found(CASES[name]):
        true = hands_only(rejected(position, SAMPLES, TRIES))
        even = Counter(dict.fromkeys(true, SAMPLES // len(true)))
        least = min(least, p_value(true, even))
    assert least < ALPHA


@pytest.mark.skipif(DISABLED, reason="needs many samples")
def test_the_comparison_notices_a_lost_void() -> None:
    """Forgetting what a seat was seen to lack gives other worlds."""
    position = found(CASES["closed"])[0]
    true = hands_only(rejected(position, SAMPLES, TRIES))
    position.states["absent"] = 0
    drawn = hands_only(resampled(position, SAMPLES))
    assert not drawn.keys() <= true.keys()
    assert p_value(drawn, true) < ALPHA


def test_when_the_talon_is_gone_the_other_hand_is_known() -> None:
    game = make_game("sixty_six")
    for position in islice(positions(game, lambda s, v: s["talon_left"] == 0 and s["hand"][1 - v] > 0, 1), 5):
        before = position.states.tobytes()
        streams = rng.new_streams()
        game.resample_hidden(position.states, position.viewer, streams)
        assert position.states.tobytes() == before


@pytest.mark.parametrize("preset", ["base", "three_hand", "four_hand", "1001"])
def test_without_memory_every_card_out_of_sight_is_as_likely_anywhere(preset: str) -> None:
    """`perfect_memory` false (SQ30): played tricks are forgotten, so their cards may as well be in a hand."""
    game = make_game("sixty_six", preset=preset, perfect_memory=False)
    wanted: Predicate = lambda s, v: (
        plays(s, v) and s["trick_start"] >= 8 and s["played"] % 2 == 1 and s["lead_pair"] == NOBODY
    )
    position = next(positions(game, wanted, 3))
    state, viewer = position.states[0], position.viewer
    seen = int(state["hand"][viewer]) | (1 << int(state["up"]) if state["up"] != NO_CARD else 0)
    for card in state["history"][state["trick_start"] : state["played"]]:
        seen |= 1 << int(card)
    unseen = [card for card in game.deck() if not seen >> card & 1]
    other = next(seat for seat in range(game.num_players) if seat != viewer and state["hand"][seat])
    size = int(state["hand"][other]).bit_count()
    samples = resampled(position, SAMPLES)
    held = [sum(n for key, n in samples.items() if key[other] >> card & 1) for card in unseen]
    assert sum(held) == size * SAMPLES
    # Counts of cards that are drawn without replacement vary a little less than chi-square supposes.
    share = size / len(unseen)
    square = (
        sum((n - SAMPLES * share) ** 2 for n in held)
        / (SAMPLES * share * (1 - share))
        * (len(unseen) - 1)
        / len(unseen)
    )
    assert stats.chi2.sf(square, len(unseen) - 1) > ALPHA


FORMS = [
    *(f"sixty_six(preset={preset})" for preset in PRESETS),
    *(f"sixty_six(preset={preset},perfect_memory=false)" for preset in PRESETS),
    "sixty_six(preset=1001,players=3)",
    "sixty_six(preset=1001,follow_always=true,announce=forced)",
    "sixty_six(preset=four_hand,partner_meld=true,early_marriage=pending)",
    "sixty_six(preset=four_hand,american=true)",
    "sixty_six(exchange_on_close=true,claim_timing=any_turn,match=true,target=3)",
]


@kernel
def choose(agents: Any, k: int, states: Any, i: int, legal: Any, streams: Any) -> int:
    rng.seed_stream(streams[0], np.uint64(5), np.uint64(0), rng.AGENT)
    return contract.act(agents[k], states[i], np.uint64(legal), streams[0])  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", FORMS)
def test_agents_choose_the_same_in_every_world(name: str) -> None:
    """No agent sees more than its seat (F18): not in resampled worlds, nor on what the observation tells."""
    game = make_game(name)
    kinds = [make_agent("sixty_six", kind) for kind in ("book", "cautious", "random")]
    agents = np.concatenate([agent.record for agent in kinds]).view(kinds[0].record.dtype)
    streams, draws = rng.new_streams(), rng.new_streams()
    for number in range(1 if DISABLED else 15):
        rng.seed_stream(draws[0], np.uint64(1), np.uint64(number), rng.RESAMPLE)
        states = game.deal(8, number)
        while (player := game.current_player(states)) >= 0:
            legal = np.uint64(game.legal_mask(states))
            actions = [choose(agents, k, states, 0, legal, streams) for k in range(2)]
            view = game.view(game.observe(states, player))
            world = states.view(np.uint8).copy().view(states.dtype)
            for _ in range(3):
                game.resample_hidden(world, player, draws)
                for k, action in enumerate(actions):
                    assert choose(agents, k, world, 0, legal, streams) == action
            for k, action in enumerate(actions):
                assert choose(agents, k, view, 0, legal, streams) == action
            if game.rules["perfect_memory"]:
                assert game.legal_mask(view) == legal
            game.apply_action(states, actions[number % 2])
