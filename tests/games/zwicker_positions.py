"""Random positions of Zwicker, crowded ones too, on both sides: the engine's record and the referee's table."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from cardsim.games.zwicker.layout import NOBODY, PLACES
from cardsim.games.zwicker.rules import make_rules
from tests.games.zwicker_chains import GROUP_BITS, SPLIT, Laid, Walker, pose
from tests.games.zwicker_replay import FACE, NAMES, Table, referee_options, referee_turn
from tests.games.zwicker_trace import T_ACT, T_CARD, T_DECISIONS, T_TAKEN, T_TARGET, T_VALUE
from tests.reference.zwicker import TOP, Item, Turn
from tests.reference.zwicker_options import HAND, WILD
from tests.reference.zwicker_play import some_capture
from tests.reference.zwicker_turns import holds_group, splits


def random_item(table: Table, deck: list[str], rng: random.Random) -> Laid:
    """A loose card from the end of a deck, or something that could have been laid together from there."""
    cards = [deck.pop()]
    while len(deck) > HAND * table.players and len(cards) < 4 and rng.random() < 0.25:
        cards.append(deck.pop())
    if len(cards) == 1:
        return cards, 0, NOBODY
    builder = rng.randrange(table.players)
    if not table.form.book:
        return cards, rng.choice(sorted(table.form.attainable)), builder
    least = sum(min(table.values(card)) for card in cards)
    if least > TOP:
        deck += cards[1:]
        return cards[:1], 0, NOBODY
    return cards, least if WILD not in cards else rng.randint(least, TOP), builder


def random_position(
    preset: str, options: dict[str, Any], items: int, rng: random.Random, told: dict[str, Any] | None = None
) -> tuple[Table, Any]:
    """A position with so many items at most, seat 0 to act, on the referee and as a record.

    A few kinds of cards are put in front of the others now and then, so that equal copies and wild jokers meet. The
    referee is `told` other options, if any are given.
    """
    table = Table(preset, **referee_options(options if told is None else told))
    table.start(table.players - 1)
    table.deal(table.form.pack)
    deck = table.form.pack
    rng.shuffle(deck)
    if rng.random() < 0.5:
        near = set(rng.sample(sorted(set(deck)), 6)) | {WILD}
        deck.sort(key=near.__contains__)
    laid: list[Laid] = []
    while len(laid) < items and len(deck) > HAND * table.players:
        laid.append(random_item(table, deck, rng))
    rng.shuffle(laid)
    rng.shuffle(deck)
    hands = [[deck.pop() for _ in range(HAND)] for _ in range(table.players)]
    table.hands = [sorted(hand) for hand in hands]
    kind = "stack" if table.form.book else "build"
    table.table = [
        Item(kind, cards, value, None if table.form.book else builder) if len(cards) > 1 else Item("card", cards)
        for cards, value, builder in laid
    ]
    return table, pose(make_rules(preset, **options), hands, laid)


def partitions(items: list[tuple[int, ...]], value: int, sums: bool) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every set of disjoint groups of items that add to the value, groups and items ascending; brute force."""
    groups = [
        group
        for size in range(1, len(items) + 1 if sums else 2)
        for group in itertools.combinations(range(len(items)), size)
        if holds_group([items[at] for at in group], value, True)
        and any(sum(values) == value for values in itertools.product(*(items[at] for at in group)))
    ]

    def extend(chosen: tuple[tuple[int, ...], ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if chosen:
            yield chosen
        used = {at for group in chosen for at in group}
        for group in groups:
            if (not chosen or group[0] > chosen[-1][0]) and not used & set(group):
                yield from extend((*chosen, group))

    return extend(())


Split = tuple[tuple[str, ...], ...]


def split_of(table: Table, groups: Iterable[Iterable[int]]) -> Split:
    """Groups of items, such that equal cards have one name (WP4)."""
    name = [item.cards[0] if item.kind == "card" else str(at) for at, item in enumerate(table.table)]
    return tuple(sorted(tuple(sorted(name[at] for at in group)) for group in groups))


def expected_splits(table: Table) -> set[tuple[str, int, Split]]:
    """Every card, value and set of groups at which something can be taken."""
    found = set()
    for card in set(table._hand()):
        places = table._takeable(card)
        items = [table.item_values(table.table[at]) for at in places]
        for value in table.values(card):
            for groups in partitions(items, value, table.options.sum_capture):
                found.add((card, value, split_of(table, ([places[k] for k in group] for group in groups))))
    return found


def turn_of(table: Table, row: list[int]) -> Turn:
    """The turn of a row of a walk."""
    words = row[T_TAKEN:T_DECISIONS]
    taken = sum(word << PLACES * k for k, word in enumerate(words))
    return referee_turn(table, NAMES[row[T_CARD]], row[T_ACT], row[T_VALUE], row[T_TARGET], taken)


def turns_agree(walker: Walker, table: Table, states: Any) -> bool:
    """Whether the chains lead to exactly the turns of the referee."""
    return {turn_of(table, row) for row in walker.spellings(states)} == {
        table.canonical(turn) for turn in table.turns()
    }


def check_small(walker: Walker, table: Table, states: Any) -> None:
    """The chains lead to exactly the turns of the referee; captures are spelled once for each split and value."""
    rows = walker.spellings(states)
    turns = [turn_of(table, row) for row in rows]
    assert set(turns) == {table.canonical(turn) for turn in table.turns()}
    others = {turn for turn in turns if turn[0] != "take"}
    assert len(others) == sum(turn[0] != "take" for turn in turns)
    if table.options.capture_choice == "maximal":  # whole sets, without groups
        ways = {(turn, row[T_VALUE]) for row, turn in zip(rows, turns, strict=True) if turn[0] == "take"}
        assert len(rows) == len(others) + len(ways), "spelled twice"
        return
    splits, chains = set(), set()
    for row, turn in zip(rows, turns, strict=True):
        if turn[0] == "take":
            groups = [row[SPLIT] >> GROUP_BITS * at & 15 for at in range(len(table.table))]
            members = [[at for at, own in enumerate(groups) if own == group] for group in range(1, max(groups) + 1)]
            splits.add((turn[1], row[T_VALUE], split_of(table, members)))
            chains.add((turn[1], row[T_VALUE], row[SPLIT]))
    assert splits == expected_splits(table)
    assert len(rows) == len(others) + len(chains), "spelled twice, item by item"


def check_crowded(walker: Walker, table: Table, states: Any, rng: random.Random) -> None:
    """Turns that are drawn at random can be spelled, and the turns that take nothing are exactly the referee's."""
    layings = {turn_of(table, row) for row in walker.layings(states)}
    assert layings == {table.canonical(turn) for turn in table.layings()}
    hand = sorted(table._hand(), key=FACE.__getitem__)
    for _ in range(8):
        turn = some_capture(table, rng)
        if turn is None:
            continue
        _, card, positions = table.canonical(turn)
        values = [value for value in table.values(card) if legal_at(table, card, positions, value)]
        assert values
        for value in values:
            assert walker.finds(states, hand.index(card), value, positions), (card, value, positions)


def legal_at(table: Table, card: str, positions: tuple[int, ...], value: int) -> bool:
    """Whether a card may take the items at that value (WQ6, WP6)."""
    items = [table.item_values(table.table[at]) for at in positions]
    if not splits(items, [], value, table.options.sum_capture):
        return False
    rest = [table.item_values(table.table[at]) for at in table._takeable(card) if at not in positions]
    return table.options.capture_choice == "any" or not table._extends(items, rest, value)
