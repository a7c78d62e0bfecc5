"""The compiled agents of Zwicker: legal, blind to hidden cards, true to their plans, better than their foils."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from cardsim import contract, rng
from cardsim.bits import I64
from cardsim.game import Game
from cardsim.games.zwicker.layout import (
    ACT_BESIDE,
    ACT_FURTHER,
    ACT_TAKE,
    CARD,
    CARDS,
    FIRST_PLACE,
    ITEMS,
    NO_CARD,
    PACK,
    PLACES,
)
from cardsim.games.zwicker.rules import FIXED
from cardsim.jit import DISABLED, kernel
from cardsim.registry import make_game
from cardsim_agents.zwicker import FAMILY
from cardsim_agents.zwicker.planning import MOST_WEIGHED, weigh_turns
from cardsim_agents.zwicker.sets import OTHER_PATH, name_item
from cardsim_agents.zwicker.uniform import MOST_PLACES as MOST_DRAWN
from cardsim_agents.zwicker.uniform import count_sets, find_sets
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
from tests.agents.zwicker_turns import all_turns, step, table

FORMS = [
    "zwicker(players=2)",
    "zwicker(players=3,trail=free,must_capture=true)",
    "zwicker(players=4,teams=true,sum_capture=false)",
    "zwicker(players=5,short_deal=to_table)",
    "zwicker(players=8,match=true,n_deals=2,zwick_relay=true)",
    "zwicker(preset=six_joker,players=2)",
    "zwicker(preset=six_joker,build_down=abs_difference)",
    "zwicker(preset=six_joker,must_capture=true,pair_build=true)",
    "zwicker(preset=six_joker,players=6)",
    "zwicker(preset=one_joker,players=3,build_needs=self)",
    "zwicker(preset=two_joker,build_needs=none,stale_build_penalty=5)",
    "zwicker(preset=three_joker,table_cards=3,players=5)",
    "zwicker(preset=four_joker,teams=false)",
    "zwicker(preset=grupp,players=2)",
    "zwicker(preset=grupp,players=3,lone_joker_by_joker=true,n_jokers=2)",
    "zwicker(preset=grupp,players=6,jokers_stay=true,short_deal=unused)",
    "zwicker(preset=grupp,joker_sweep_counts=false,joker_points=2)",
]
PLANNERS = ["greedy", "book", "ppo", "book(leaving=false,counting=false,signals=false)"]


def shuffle_hidden(game: Game, states: Any, random: np.random.Generator) -> Any:
    """A copy in which all cards that the seat to act cannot see are dealt anew at random, whatever was shown."""
    changed = states.copy()
    player = game.current_player(states)
    places: list[tuple[str, tuple[int, ...]]]
    places = [("hand", (0, seat, k)) for seat in range(game.num_players) if seat != player for k in range(4)]
    places += [("deck", (0, k)) for k in range(CARDS)]
    places = [(field, at) for field, at in places if int(states[field][at]) != NO_CARD]
    cards = random.permutation([int(states[field][at]) for field, at in places])
    for (field, at), card in zip(places, cards, strict=True):
        changed[field][at] = card
    changed["counts"] = 0
    changed["totals"] = 0
    return changed


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("agent", PLANNERS)
def test_only_legal_moves_and_none_of_them_random(name: str, agent: str) -> None:
    check_legal_and_steady(make_game(name), agent, "random", 1 if DISABLED else 6)


@pytest.mark.parametrize("name", FORMS)
def test_turns_at_random_are_legal(name: str) -> None:
    game = make_game(name)
    for _ in positions(game, "random_turns", 1 if DISABLED else 10, seed=5):
        pass


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("mover", ["book", "random"])
def test_acts_the_same_on_what_the_observation_tells(name: str, mover: str) -> None:
    for agent in PLANNERS[:3]:
        check_same_when_observing(make_game(name), agent, mover, 1 if DISABLED else 6)


@pytest.mark.parametrize("name", FORMS)
def test_hidden_cards_change_nothing(name: str) -> None:
    for agent in ("random_turns", *PLANNERS):
        check_blind(make_game(name), agent, "random", 1 if DISABLED else 4, ("asked", "denied"), shuffle_hidden)


@kernel
def weigh(agents: Any, states: Any, view: Any, turns: Any, sets: Any, worths: Any) -> int:
    """The turns of a position; see `weigh_turns`."""
    state = states[0]
    return weigh_turns(agents[0], state, contract.legal_actions(state), view, turns, sets, worths)


def planned(record: Any, states: Any) -> tuple[Any, ...]:
    """The turn that an agent plans, its card still in the hand."""
    turns, sets = np.zeros((MOST_WEIGHED, 4), np.int64), np.zeros((MOST_WEIGHED, 2), np.uint64)
    worths = np.zeros(MOST_WEIGHED)
    count = weigh(record, states, np.zeros((4, ITEMS + 1)), turns, sets, worths)
    best = int(worths[:count].argmax())
    what, value, item, slot = map(int, turns[best])
    card, taken = int(states["hand"][0, int(states["player"][0]), slot]), sets[best]
    if what == ACT_TAKE:
        return ("take", card, tuple(k for k in range(ITEMS) if int(taken[k >> 6]) >> (k & 63) & 1))
    return ("beside", card) if what == ACT_BESIDE else ("lay", card, item, value)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("agent", ["greedy", "book"])
def test_plans_are_carried_out_to_the_letter(name: str, agent: str) -> None:
    """What is planned with the card in the hand is what the small decisions come to."""
    game = make_game(name)
    record = FAMILY.make(agent).record
    kinds: Counter[str] = Counter()
    for mover in ("random", agent):
        for states in positions(game, mover, 1 if DISABLED else 8, seed=11):
            if states["phase"][0] != CARD:
                continue
            turn_states, turn, target = states.copy(), None, None
            expected = planned(record, states)
            while turn is None:
                turn, target = step(game, turn_states, choose(record, turn_states, 0, rng.new_streams()), target)
            assert turn[:3] == expected[:3]
            assert turn[3:] in ((), (None,), expected[3:])
            kinds[turn[0]] += 1
    assert DISABLED or (kinds["take"] > 50 and len(kinds) > 1)


@kernel
def naming(states: Any, item: int) -> int:
    return name_item(states[0], item)


def test_an_item_that_is_passed_over_has_no_name() -> None:
    """By its place alone it would come out as `further`, or as a value."""
    states = make_game("zwicker").new_states()
    for page in range(4):
        states["page"] = page
        for item in range(ITEMS):
            later = ACT_FURTHER if item >= PLACES * (page + 1) else FIRST_PLACE + item % PLACES
            assert naming(states, item) == (OTHER_PATH if item < PLACES * page else later)


def small_positions(name: str, hands: int, items: int, seed: int) -> Iterator[tuple[Game, Any]]:
    """Turns to begin, with few items on the table, from play at random."""
    game = make_game(name)
    for states in positions(game, "random_turns", hands, seed=seed):
        if states["phase"][0] == CARD and int(states["items"][0]) <= items:
            yield game, states


@kernel
def count_captures(states: Any, card: int) -> int:
    """Sets of items that a card can take, as `random_turns` counts them."""
    places = np.empty(ITEMS, np.int64)
    sets = np.zeros(1 << MOST_DRAWN, np.uint64)
    count = find_sets(states[0], I64(card), places, sets)
    return count_sets(sets, count)


@pytest.mark.parametrize("name", FORMS)
def test_random_turns_counts_every_set_once(name: str) -> None:
    """However many spellings and values it has; against the list of all turns."""
    several = 0
    for game, states in small_positions(name, 1 if DISABLED else 10, 5 if DISABLED else 7, seed=12):
        turns = all_turns(game, states)
        several += len(turns) < sum(turns.values())
        hand = states["hand"][0, int(states["player"][0])]
        for slot in game.legal_actions(states):
            card = int(hand[slot])
            assert count_captures(states, card) == sum(turn[:2] == ("take", card) for turn in turns)
    assert several or DISABLED or "preset" not in name or "n_jokers=2" in name


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("name", FORMS)
def test_random_turns_is_uniform_over_whole_turns(name: str) -> None:
    """Chi-square over many turns drawn in a few positions that have several spellings or acts."""
    record = FAMILY.make("random_turns").record
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(1), rng.AGENT)
    rich = [(game, states.copy(), all_turns(game, states)) for game, states in small_positions(name, 2, 6, seed=13)]
    rich.sort(key=lambda case: -min(40, len(case[2])))
    for game, states, turns in rich[:3]:
        draws = 60 * len(turns)
        seen: Counter[Any] = Counter()
        for _ in range(draws):
            after, turn, target = states.copy(), None, None
            while turn is None:
                turn, target = step(game, after, choose(record, after, 0, streams), target)
            seen[turn] += 1
        assert set(seen) <= set(turns)
        statistic = sum((seen[turn] - 60) ** 2 / 60 for turn in turns)
        freedom = len(turns) - 1
        assert statistic < freedom + 5 * (2 * freedom) ** 0.5 + 10


def worth(game: Game, states: Any, turn: tuple[Any, ...]) -> tuple[int, int]:
    """Points and cards that a capture brings, from the names of its cards (W15, W25)."""
    cards = [turn[1], *(card for item in turn[2] for card in table(states)[item])]
    names = [PACK.names[card] for card in cards]
    fixed = game.rules.record["style"][0] == FIXED
    points = 0
    for name in names:
        if fixed:
            points += {"TD": 3, "2S": 1}.get(name, 1 if name[0] in "TA" else 0)
            points += int(name[1:]) - 10 if name[0] == "X" else 0
        else:
            points += {"TD": 10, "7D": 1, "7S": 1}.get(name, 2 if name[0] == "A" else 0)
            points += int(game.rules["joker_points"]) if name == "XW" else 0
    if len(turn[2]) == int(states["items"][0]) and (names[0] != "XW" or game.rules["joker_sweep_counts"]):
        points += 1 if fixed else 3
    return points, len(cards)


@pytest.mark.parametrize("name", FORMS)
def test_greedy_takes_the_most_points_and_then_the_most_cards(name: str) -> None:
    """Against the list of all turns."""
    record = FAMILY.make("greedy").record
    compared = 0
    for game, states in small_positions(name, 1 if DISABLED else 4, 5 if DISABLED else 7, seed=14):
        best = max((worth(game, states, turn) for turn in all_turns(game, states) if turn[0] == "take"), default=None)
        turn = planned(record, states)
        assert (turn[0] == "take") == (best is not None)
        if best is not None:
            assert worth(game, states, turn) == best
            compared += 1
    assert compared > 2


def dealt(name: str, hand: str, table_cards: str, others: Sequence[str] = ()) -> tuple[Game, Any]:
    """The forehand with a given hand before a given table, and the next seats' hands where they matter."""
    on_table = [PACK.card(card) for card in table_cards.split()]
    game = make_game(f"{name[:-1]},table_cards={len(on_table)})")
    given = [[PACK.card(card) for card in text.split()] for text in (hand, *others)]
    fixed = [card for cards in (on_table, *given) for card in cards]
    rest = [card for card in game.deck() if card not in fixed]
    hands = [*given, *([rest.pop(0) for _ in range(4)] for _ in range(game.num_players - len(given)))]
    half = len(on_table) // 2
    if "no_joker" in name or "grupp" in name:
        order = [cards[k] for k in range(4) for cards in hands] + on_table
    else:
        order = [card for cards in hands for card in cards[:2]] + on_table[:half]
        order += [card for cards in hands for card in cards[2:]] + on_table[half:]
    states = game.deal_given([*order, *rest], dealer=game.num_players - 1)
    assert [card for cards in table(states) for card in cards] == on_table
    return game, states


def named(turn: tuple[Any, ...], states: Any) -> str:
    """A turn in words: card, act, the cards of the items."""
    what, card, *where = turn
    if what == "take":
        return f"{PACK.names[card]} takes {' '.join(PACK.names[table(states)[item][0]] for item in where[0])}"
    if what == "beside":
        return f"{PACK.names[card]} beside"
    return f"{PACK.names[card]} on {PACK.names[table(states)[where[0]][0]]} as {where[1]}"


TWO = "zwicker(preset=no_joker,players=2)"
PAIRS = "zwicker(preset=six_joker)"


@pytest.mark.parametrize(
    ("name", "agent", "hand", "on_table", "answer"),
    [
        (TWO, "greedy", "TH 2C 3C 4C", "TD 4S 6C 9C", "TH takes TD 4S 6C"),
        (TWO, "greedy", "QS JC 9D 9H", "AH 2C 3C 4C 3D", "QS takes AH 2C"),  # an Ace before a card more
        (TWO, "greedy", "8S 9C KD KH", "2C 6D 3C 5H 8D", "8S takes 2C 6D 3C 5H 8D"),  # the Zwick
        (TWO, "greedy", "AS 5C 6D KC", "9H KD", "KC takes KD"),
        (TWO, "greedy", "TD AS 7S 8S", "KH", "8S beside"),
        (TWO, "book", "9D KH KS KC", "", "KH beside"),  # there is one King out, but there are three Nines
        (TWO, "book", "2D 9H 9S KC", "", "9H beside"),  # the other Nine takes it
        (TWO, "book(own_next=false,deny=false)", "2D 9H 9S KC", "", "2D beside"),
        (PAIRS, "greedy", "X15 AC 2C 3C", "5D TD 9C", "X15 takes 5D TD"),
    ],
)
def test_turns_in_positions_made_for_them(name: str, agent: str, hand: str, on_table: str, answer: str) -> None:
    _, states = dealt(name, hand, on_table)
    turn = named(planned(FAMILY.make(agent).record, states), states)
    assert sorted(turn.split()) == sorted(answer.split())


def test_builds_for_a_partner_who_is_known_to_hold_the_card() -> None:
    """A Ten on a Five makes 15, which only one joker takes: his."""
    for partner, builds in (("X15 QD QH QS", True), ("X17 QD QH QS", False)):
        _, states = dealt(PAIRS, "TC 9H 8H 2D", "5D", ("KD KH KS KC", partner))
        turn = planned(FAMILY.make("book").record, states)
        assert (turn[0] == "lay" and turn[3] == 15) == builds


@pytest.mark.parametrize(
    ("name", "margins"),
    [
        ("zwicker(players=2)", (6, 4)),
        ("zwicker(players=3)", (5, 2)),
        ("zwicker(players=4)", (4, 1)),
        ("zwicker(players=5)", (8, 1)),
        ("zwicker(players=8)", (6, 0.2)),
        ("zwicker(preset=six_joker,players=2)", (35, 18)),
        ("zwicker(preset=six_joker,players=3)", (22, 7)),
        ("zwicker(preset=six_joker,players=4)", (35, 22)),
        ("zwicker(preset=six_joker,players=6)", (30, 22)),
        ("zwicker(preset=one_joker)", (9, 5)),
        ("zwicker(preset=four_joker,players=5)", (14, 0.3)),
        ("zwicker(preset=grupp,players=2)", (9, 3)),
        ("zwicker(preset=grupp,players=4)", (6, 0.3)),
        ("zwicker(preset=six_joker,must_capture=true)", (1, 18)),
    ],
)
@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_book_beats_greedy_beats_random(name: str, margins: tuple[float, float]) -> None:
    """By how much more per deal each gains than the weaker one would in its place, against the same opponents."""
    game = make_game(name)
    sides = int(game.rules.record["sides"][0])
    for first, second, margin in zip(("greedy", "book"), ("random", "greedy"), margins, strict=True):
        gained = compare(game, first, second, 1_200, sides)[0] - compare(game, second, second, 1_200, sides)[0]
        assert gained > margin, (first, second)


SWITCHES = {
    "deny": TWO, "sweeps": TWO, "own_next": TWO, "partner": PAIRS, "counting": TWO, "signals": PAIRS, "leaving": PAIRS,
}  # fmt: skip


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_changes_a_decision(switch: str) -> None:
    game = make_game(SWITCHES[switch])
    value = not FAMILY.parameters[switch].default
    assert decisions(game, "book", ("book",), 60) != decisions(game, f"book({switch}={value})", ("book",), 60)


def test_every_switch_is_tested() -> None:
    assert switches(make_game("zwicker")) == set(SWITCHES)


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_every_number_changes_a_decision() -> None:
    game = make_game(PAIRS)
    usual = decisions(game, "book", ("book",), 30)
    for option in FAMILY.parameters.options:
        if not isinstance(option.default, bool | str):
            assert decisions(game, f"book({option.name}={option.high})", ("book",), 30) != usual, option.name


def test_random_is_uniform_over_the_legal_set() -> None:
    check_uniform(make_game("zwicker"), [0, 1, 3, 40])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bok", "agent 'bok' is unknown for zwicker; agents are random, random_turns, greedy, book"),
        ("book(deny_percent=-1)", "option deny_percent=-1: must be 0 to 200"),
        ("greedy(dny=false)", "did you mean deny?"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    check_refused(make_game("zwicker"), text, message)
