"""Zwicker, `capture_choice=maximal` (WQ6, WP6): one way to every maximal capture, and none to any other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardsim.games.zwicker import layout as Z
from cardsim.games.zwicker.kernels import apply_action, clear_deal, legal_actions
from cardsim.games.zwicker.rules import KINDS, PRESETS, make_rules
from cardsim.games.zwicker.table import put_beside, put_on
from cardsim.games.zwicker.turns import begin_turn
from cardsim.jit import DISABLED, kernel
from tests.reference.zwicker import Item, Referee
from tests.reference.zwicker_play import some_capture
from tests.reference.zwicker_scenes import pose

Capture = tuple[str, tuple[int, ...]]
"""The card played and the places of the items taken, ascending."""

SWITCHES = ("must_capture", "sum_capture", "lone_joker_by_joker", "jokers_stay")


@kernel
def lay(states: Any, card: int) -> None:
    """Put a card on the table."""
    put_beside(states[0], card)


@kernel
def lay_on_last(states: Any, card: int, value: int, seat: int) -> None:
    """Put a card on the last item."""
    put_on(states[0], card, states[0]["items"] - 1, value, seat)


@kernel
def begin(states: Any) -> None:
    """Let seat 0 play."""
    begin_turn(states[0], 0)


@kernel
def legal(states: Any) -> int:
    """Legal actions."""
    mask: int = legal_actions(states[0])
    return mask


@kernel
def play(states: Any, action: int) -> None:
    """Play an action."""
    apply_action(states[0], action)


@kernel
def clear(states: Any) -> None:
    """Leave nothing of a deal."""
    clear_deal(states[0])


def mirrored(game: Referee) -> Any:
    """The referee's table, and the hand of seat 0, who is to act, as a record."""
    options = {"capture_choice": "maximal", **{name: getattr(game.options, name) for name in SWITCHES}}
    states = np.zeros(1, Z.STATE)
    states["rules"] = make_rules(game.form.name, players=game.players, **options).record
    clear(states)
    used: set[int] = set()

    def number(text: str) -> int:
        card = Z.PACK.parse(text, used)[0]
        used.add(card)
        return card

    for item in game.table:
        lay(states, number(item.cards[0]))
        for card in item.cards[1:]:
            lay_on_last(states, number(card), item.value or 0, 0)
    held = sorted((number(card) for card in game.hands[0]), key=lambda card: (card % KINDS, card))
    states["hand"][0, 0, : len(held)] = held
    begin(states)
    return states


def actions(states: Any) -> list[int]:
    """The legal actions, ascending."""
    mask = int(legal(states))
    return [action for action in range(len(Z.ACTION_NAMES)) if mask >> action & 1]


def after(states: Any, *played: int) -> Any:
    """A copy on which actions are played."""
    states = states.copy()
    for action in played:
        play(states, action)
    return states


def chains(states: Any) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Value and items of every way through the phase GROUP, and through PLAY_AT before it."""
    options = actions(states)
    assert options, "a dead end"
    for action in options:
        if action == Z.ACT_FINISH:
            assert options == [action]
            yield int(states["value"][0]), chosen(states)
        else:
            yield from chains(after(states, action))


def chosen(states: Any) -> tuple[int, ...]:
    """Places of the items chosen so far."""
    words = [int(word) for word in states["chosen"][0]]
    return tuple(at for at in range(int(states["items"][0])) if words[at >> 6] >> (at & 63) & 1)


def captures(states: Any) -> set[Capture]:
    """All captures of seat 0; each has one spelling for each value."""
    found: set[Capture] = set()
    for slot in actions(states):
        playing = after(states, slot)
        if Z.ACT_TAKE not in actions(playing):
            continue
        ways = list(chains(after(playing, Z.ACT_TAKE)))
        assert len(set(ways)) == len(ways)
        found |= {(Z.PACK.text(int(playing["card"][0])), items) for _, items in ways}
    return found


def expected(game: Referee) -> set[Capture]:
    """The same from the referee; equal loose cards stand for the first ones."""
    turns = {game.canonical(turn) for turn in game.turns() if turn[0] == "take"}
    return {(turn[1], turn[2]) for turn in turns}


def taken(form: str, hand: str, table: str, players: int = 2, **options: Any) -> list[str]:
    """All maximal captures of seat 0, each as the cards that lie on the top of what it takes."""
    game = pose(form, [hand, *([""] * (players - 1))], table, capture_choice="maximal", **options)
    found = captures(mirrored(game))
    assert found == expected(game)
    return sorted(" ".join(game.table[at].cards[-1] for at in items) for _, items in found)


def test_wq06_all_that_fits_and_no_less() -> None:
    assert taken("no_joker", "QD", "QH 9D 4D KH QS") == ["QH 9D 4D QS"], "W10: two queens, and others that add to 13"
    assert taken("no_joker", "TD", "3D 3H 7D") == ["3D 7D", "3H 7D"], "either three, whichever lies first"
    assert taken("no_joker", "TD", "4D 2D 2H 6D 8D") == ["2D 2H 6D", "4D 2D 6D 8D", "4D 2H 6D 8D"]


def test_wp06_a_larger_capture_may_group_anew() -> None:
    assert taken("no_joker", "KS", "2D 4D 8D TH+2H=12 TD 6D") == ["2D 4D 8D 2H TD 6D"], (
        "2 + 4 + 8, but 2 + 12 and so on"
    )
    assert taken("no_joker", "KS", "2D 4D 8D TD 6D") == ["2D 4D 8D", "4D 8D TD 6D"]


def test_wp06_at_the_same_value() -> None:
    assert taken("six_joker", "KS", "4D 9D 5D") == ["4D", "9D 5D"], "4 or 14"
    assert taken("six_joker", "KS", "4D TD") == ["4D", "4D TD"], "the smaller one is maximal at its own value"


def test_wp06_without_sums_all_equal_items() -> None:
    assert taken("no_joker", "3C", "3D 2D 3H 3S", sum_capture=False) == ["3D 3H 3S"]
    assert taken("six_joker", "KC", "4D KD 5D+9D=14@0 TD 4H", sum_capture=False) == ["4D KD 4H", "KD 9D"]


def test_wp04_of_equal_copies_the_first() -> None:
    assert taken("no_joker", "TD", "3D 7D 3D", players=5) == ["3D 7D"]
    assert taken("no_joker", "TD", "7D 3D 3H 7D 3D", players=5) == ["7D 3D 3H 7D", "7D 3D 7D 3D"]


def test_wp15_jokers_that_stay_are_not_missed() -> None:
    assert taken("grupp", "9D", "XW 5D 4D XW") == ["XW 5D 4D XW"]
    assert taken("grupp", "9D", "XW 5D 4D XW", jokers_stay=True) == ["5D 4D"]
    assert taken("grupp", "9D", "XW", lone_joker_by_joker=True) == []


def some_game(form: str, players: int, items: int, rng: random.Random) -> Referee:
    """A random position in mid-deal with so many items, some of several cards; many equal or small values at times."""
    options: dict[str, Any] = {name: rng.random() < 0.2 for name in SWITCHES}
    options["sum_capture"] = rng.random() < 0.9
    game = pose(form, [""] * players, capture_choice="maximal", **options)
    deck = game.form.pack
    rng.shuffle(deck)
    few = (
        set(rng.sample(deck, 8))
        if rng.random() < 0.5
        else {c for c in deck if min(game.values(c)) < rng.choice((6, 9, 15))}
    )
    deck.sort(key=few.__contains__)
    for _ in range(items):
        game.table.append(Item("card", [deck.pop()]))
        if rng.random() < 0.15 and len(deck) > items:
            value = rng.randint(2, 14) if game.form.book else rng.choice(sorted(game.form.attainable))
            kind, builder = ("stack", None) if game.form.book else ("build", 0)
            game.table[-1] = Item(kind, [*game.table[-1].cards, deck.pop()], value, builder)
    rng.shuffle(game.table)
    game.hands[0] = sorted(rng.sample(deck, 3))
    return game


@pytest.mark.parametrize(("form", "players"), [*((form, 4) for form in PRESETS), ("no_joker", 6), ("grupp", 8)])
def test_the_chain_leads_to_the_captures_of_the_referee(form: str, players: int) -> None:
    """Random tables of up to ten items, `must_capture`, `sum_capture` and the limits of grupp among them."""
    rng = random.Random(f"{form} {players}")
    count = 0
    for _ in range(10 if DISABLED else 150):
        game = some_game(form, players, rng.randint(1, 8 if DISABLED else 10), rng)
        found = captures(mirrored(game))
        assert found == expected(game), (game.table, game.hands[0])
        count += len(found)
    assert count > (10 if DISABLED else 150), "else the positions are too poor to prove anything"


def random_capture(states: Any, rng: random.Random) -> Capture | None:
    """Play a random card, and capture at random if it can: the longest way to a capture, without a dead end."""
    states = after(states, rng.choice(actions(states)))
    if Z.ACT_TAKE not in actions(states):
        return None
    card = Z.PACK.text(int(states["card"][0]))
    states = after(states, Z.ACT_TAKE)
    while actions(states) != [Z.ACT_FINISH]:
        states = after(states, rng.choice(actions(states)))
    return card, chosen(states)


def spelled(states: Any, capture: Capture) -> bool:
    """Whether the chain can name a capture at one value at least, going along its items only."""
    card, items = capture
    slot = next(slot for slot in range(4) if Z.PACK.text(int(states["hand"][0, 0, slot])) == card)
    states = after(states, slot, Z.ACT_TAKE)
    single = states["phase"][0] == Z.GROUP
    for begun in [states] if single else [after(states, action) for action in actions(states)]:
        for item in items:
            while item >= Z.PLACES * (int(begun["page"][0]) + 1) and Z.ACT_FURTHER in actions(begun):
                begun = after(begun, Z.ACT_FURTHER)
            action = Z.FIRST_PLACE + item - Z.PLACES * int(begun["page"][0])
            if action not in actions(begun):
                break
            begun = after(begun, action)
        if chosen(begun) == items and actions(begun) == [Z.ACT_FINISH]:
            return True
    return False


@pytest.mark.parametrize(
    ("form", "players", "items"),
    [("no_joker", 4, 16), ("six_joker", 4, 18), ("grupp", 4, 16), ("no_joker", 8, 24), ("grupp", 8, 20)],
)
def test_crowded_tables(form: str, players: int, items: int) -> None:
    """What is played at random is legal for the referee, and what he captures at random can be played."""
    rng = random.Random(f"{form} {players} {items}")
    played = named = 0
    for _ in range(4 if DISABLED else 60):
        game = some_game(form, players, items, rng)
        states = mirrored(game)
        capture = random_capture(states, rng)
        if capture is not None:
            played += 1
            assert game.is_legal(("take", *capture)), (game.table, capture)
            assert game.canonical(("take", *capture)) == ("take", *capture)
        turn = some_capture(game, rng)
        if turn is not None:
            named += 1
            _, card, places = game.canonical(turn)
            assert spelled(states, (card, places)), (game.table, card, places)
    assert DISABLED or min(played, named) > 10
