"""Random play on the referee of Zwicker, checked on the way."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

from .zwicker import Referee, Turn
from .zwicker_options import WILD
from .zwicker_scenes import FIXED


def some_group(items: list[tuple[int, tuple[int, ...]]], target: int, rng: random.Random) -> list[int] | None:
    """Positions of a random group adding to `target`, or None; `items` are positions with their values."""
    reach = [1]
    for _, values in reversed(items):
        sums = reach[-1]
        for value in values:
            sums |= reach[-1] << value
        reach.append(sums)
    reach.reverse()
    if not reach[0] >> target & 1:
        return None
    group, rest = [], target
    for (at, values), after in zip(items, reach[1:], strict=True):
        value = rng.choice([v for v in (0, *values) if v <= rest and after >> (rest - v) & 1])
        if value:
            group.append(at)
            rest -= value
    return group


def some_capture(game: Referee, rng: random.Random) -> Turn | None:
    """A random capture, or None when the try fails."""
    card = rng.choice(game.hands[game.player or 0])
    value = rng.choice(game.values(card))
    items = [(at, game.item_values(item)) for at, item in enumerate(game.table)]
    if game.options.jokers_stay and game.form.wild:
        items = [(at, values) for at, values in items if len(values) == 1]
    if not game.options.sum_capture:
        items = [(at, (value,)) for at, values in items if value in values]
    rng.shuffle(items)
    taken: list[int] = []
    while (group := some_group(items, value, rng)) is not None:
        taken += group
        items = [(at, values) for at, values in items if at not in group]
        if game.options.capture_choice == "any" and rng.random() < 0.4:
            break
    turn = ("take", card, tuple(sorted(taken)))
    return turn if taken and game.is_legal(turn) else None


def some_turn(game: Referee, rng: random.Random, taste: float) -> Turn:
    """A random legal turn; `taste` is the chance that a capture is tried first."""
    others = sorted(game.layings(), key=repr)
    if others and rng.random() >= taste:
        return rng.choice(others)
    for _ in range(4 if others else 300):
        turn = some_capture(game, rng)
        if turn is not None:
            return turn
    return rng.choice(others or sorted(game.turns(limit=20), key=repr))


def parts(values: list[tuple[int, ...]], target: int) -> bool:
    """Whether the items split into groups adding to `target`, the first item's group tried in every way."""
    if not values:
        return True
    for size in range(len(values)):
        for others in itertools.combinations(range(1, len(values)), size):
            sums = {0}
            for at in (0, *others):
                sums = {s + v for s in sums for v in values[at]}
            if target in sums and parts([v for at, v in enumerate(values) if at and at not in others], target):
                return True
    return False


def check(game: Referee) -> None:
    """Section 5: every card in one place; builds of values that a card can have; stacks within the limit."""
    places = [card for pile in game.piles + game.hands for card in pile] + game.stock + game.unused
    places += [card for item in game.table for card in item.cards]
    assert Counter(places) == Counter(game.form.pack)
    for item in game.table:
        assert item.kind in (("card", "stack") if game.form.book else ("card", "build"))
        assert (item.value is None) == (item.kind == "card") == (len(item.cards) == 1)
        assert item.kind != "stack" or (item.value is not None and item.value <= 14 and item.builder is None)
        assert item.kind != "build" or (item.value in game.form.attainable and item.builder is not None)
    assert all(hand == sorted(hand) for hand in game.hands)


def check_points(game: Referee) -> None:
    """Section 5 and WP19: fixed points, Zwicks, penalties, less what nobody took or scored, plus extra ties."""
    form, options = game.form, game.options
    fixed = FIXED.get(form.name, 21) if form.decks == 1 else 41
    fixed += options.joker_points * form.pack.count(WILD)
    nobody = game.unused + [card for item in game.table for card in item.cards]
    sizes = [len(pile) for pile in game.piles]
    tied = sizes.count(max(sizes)) if max(sizes) else 0
    scorers = tied if options.most_cards_tie == "all" else int(tied == 1)
    expected = fixed - sum(form.points(card, options.joker_points) for card in nobody)
    expected += form.zwick * sum(game.zwicks) - sum(game.penalties) + form.most * (scorers - 1)
    assert sum(game.points) == expected
    if game.last_capturer is not None:
        stay = options.jokers_stay and form.wild
        assert all(stay and item.cards == [WILD] for item in game.table)
        if not game.unused and not game.table and tied == 1:
            assert sum(game.points) - form.zwick * sum(game.zwicks) + sum(game.penalties) == fixed


def play(game: Referee, rng: random.Random, pack: list[str] | None = None, taste: float = 0.8) -> list[Any]:
    """One deal at random with every check; returns its turns and results."""
    if pack is None:
        pack = game.form.pack
        rng.shuffle(pack)
    game.deal(pack)
    check(game)
    while game.player is not None:
        seat = game.player
        table, hand = list(game.table), list(game.hands[seat])
        turn = some_turn(game, rng, taste)
        assert game.is_legal(turn)
        game.apply(turn)
        check(game)
        act, card = turn[:2]
        if len(hand) > 1:  # else there may have been a refill
            assert Counter(hand) - Counter({card: 1}) == Counter(game.hands[seat])
        if act == "take" and len(turn[2]) <= 9:
            values = [game.item_values(table[at]) for at in turn[2]]
            assert any(parts(values, value) for value in game.values(card))
        if act in ("build", "pair") and game.options.build_needs == "self":
            assert any(turn[3] in game.values(other) for other in game.hands[seat])
    check_points(game)
    assert game.deal_over and not any(game.hands) and not game.stock
    assert game.player is None and game.turns() == set() == game.layings()
    assert len(game.history) == len(game.form.pack) - len(game.unused) - opening(game)
    return [*game.history, list(game.points), list(game.zwicks)]


def opening(game: Referee) -> int:
    """Cards of the opening table."""
    return game.form.table + (game.form.odd if game.options.short_deal == "to_table" else 0)
