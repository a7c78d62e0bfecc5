"""Observations of Zwicker: read and written block by block; what a perfect rememberer knows, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardsim import contract
from cardsim.game import Game
from cardsim.games.zwicker.layout import (
    CARD,
    DEAL,
    NEW_VALUE,
    NO_CARD,
    OBSERVATION_SIZE,
    OFFSETS,
    OVER,
    PHASES,
    TARGET,
)
from cardsim.games.zwicker.rules import FIRST_WILD, FIXED, KINDS, PRESETS
from cardsim.jit import DISABLED
from cardsim.observation import decode, encode
from cardsim.registry import make_game

FORMS = [
    *(f"zwicker(preset={preset})" for preset in PRESETS),
    "zwicker(players=5)",
    "zwicker(players=8,must_capture=true,short_deal=unused)",
    "zwicker(preset=six_joker,players=6,must_capture=true,pair_build=true)",
    "zwicker(preset=six_joker,players=3,build_needs=self,stale_build_penalty=30,match=true)",
    "zwicker(preset=four_joker,build_needs=self,zwick_relay=true)",
    "zwicker(preset=grupp,players=6,n_jokers=2,teams=true,short_deal=to_table)",
    "zwicker(preset=grupp,players=2,must_capture=true,lone_joker_by_joker=true)",
    "zwicker(preset=grupp,jokers_stay=true,trail=free)",
]
TWO_PACKS = ["zwicker(players=5)", "zwicker(preset=grupp,players=6)", "zwicker(preset=grupp,n_jokers=3)"]
NOTHING = [False] * 32


def table(rules: str, hands: str, items: str, rest: str = "") -> tuple[Game, Any]:
    """Deal these hands, seat 0 first, and these items of the opening table; `rest` comes next from the stock."""
    given = hands.split(";")
    game = make_game(f"zwicker(players={len(given)},table_cards={len(items.split())}{rules and ','}{rules})")
    named: list[list[int]] = []
    for text in (*given, items, rest):
        named.append(game.pack.parse(text, [card for cards in named for card in cards]))
    *dealt, laid, stock = named
    packet = 2 if game.rules.record["style"][0] == FIXED else 1
    deck = [card for k in range(0, 4, packet) for hand in dealt for card in hand[k : k + packet]]
    if packet == 2:
        half = len(deck) // 2
        deck = [*deck[:half], *laid[: len(laid) // 2], *deck[half:], *laid[len(laid) // 2 :]]
    else:
        deck += laid
    deck += stock
    deck += [card for card in game.deck() if card not in deck]
    return game, game.deal_given(deck, len(given) - 1)


def play(game: Game, states: Any, actions: str) -> Any:
    """Play actions, given by their names, separated by commas."""
    for name in actions.split(", "):
        game.apply_action(states, game.action_names.index(name))
    return states


def seen(game: Game, states: Any, player: int) -> dict[str, Any]:
    return decode(game, game.observe(states, player))


def values(*wanted: int) -> list[bool]:
    """A row of flags by value."""
    return [value in wanted for value in range(32)]


def places(game: Game, watched: dict[str, Any]) -> dict[str, list[int]]:
    """Where the cards are that lie open, by text."""
    found: dict[str, list[int]] = {}
    for card, place in enumerate(watched["location"]):
        if place:
            found.setdefault(game.pack.text(card), []).append(place)
    return found


def nodes(game: Game, seed: int) -> Iterator[tuple[Any, int]]:
    """The states of an episode at random, and who is to act; chance nodes and the end too."""
    chance = random.Random(seed)
    states, hand = game.deal(seed, 0), 0
    while True:
        player = game.current_player(states)
        yield states, player
        if player == contract.TERMINAL or (DISABLED and states["totals"][0, 1] > 30):
            return
        if player == contract.CHANCE:
            hand += 1
            game.deal_next(seed, 0, hand, states)
        else:
            game.apply_action(states, chance.choice(game.legal_actions(states)))


@pytest.mark.parametrize("name", FORMS)
def test_decode_and_encode_are_inverse_and_views_see_the_same(name: str) -> None:
    """A view shows what the observation shows, and offers its seat the same actions."""
    game = make_game(name)
    assert game.observation_size == OBSERVATION_SIZE
    for states, player in nodes(game, 3):
        for seat in range(game.num_players):
            observation = game.observe(states, seat)
            assert np.array_equal(encode(game, decode(game, observation)), observation)
            view = game.view(observation)
            assert np.array_equal(game.observe(view, 0), observation)
            if seat == player:
                assert game.current_player(view) == 0
                assert game.legal_mask(view) == game.legal_mask(states)


@pytest.mark.parametrize("name", FORMS)
def test_hidden_cards_make_no_difference(name: str) -> None:
    """Whatever the others hold and the stock is: while the record says the same of it, every seat sees the same."""
    game, chance = make_game(name), random.Random(name)
    phases = set()
    for states, _ in nodes(game, 4):
        phases.add(int(states["phase"][0]))
        for seat in range(game.num_players):
            world = states.copy()
            hands, deck = world["hand"][0], world["deck"][0]
            others = [(other, k) for other in range(game.num_players) for k in range(4) if other != seat]
            slots = [(hands[other], k) for other, k in others if hands[other, k] != NO_CARD]
            slots += [(deck, k) for k in range(len(deck)) if deck[k] != NO_CARD]
            cards = [int(row[k]) for row, k in slots]
            chance.shuffle(cards)
            for (row, k), card in zip(slots, cards, strict=True):
                row[k] = card
            for other in range(game.num_players):
                if other != seat:
                    world["asked"][0, other], world["denied"][0, other] = chance.getrandbits(31), 0
            assert np.array_equal(game.observe(world, seat), game.observe(states, seat))
    wanted = set(range(len(PHASES))) - {DEAL} if game.rules.record["style"][0] == FIXED else {CARD, OVER}
    assert DISABLED or phases >= wanted


@pytest.mark.parametrize("name", TWO_PACKS)
def test_cards_that_are_alike_are_not_told_apart(name: str) -> None:
    """The same hand, with the copies in other places, shows the same to everybody at every step (WP4)."""
    game, chance = make_game(name), random.Random(1)
    deck = game.deck()
    copies: dict[int, list[int]] = {}
    for card in deck:
        copies.setdefault(min(card % KINDS, FIRST_WILD), []).append(card)
    renamed: dict[int, int] = {}
    for cards in copies.values():
        renamed.update(zip(cards, reversed(cards), strict=True))
    chance.shuffle(deck)
    states, others = game.deal_given(deck, 0), game.deal_given([renamed[card] for card in deck], 0)
    assert states.tobytes() != others.tobytes()
    while game.current_player(states) >= 0 and not (DISABLED and states["totals"][0, 1] > 30):
        for seat in range(game.num_players):
            assert np.array_equal(game.observe(states, seat), game.observe(others, seat))
        assert game.legal_mask(states) == game.legal_mask(others)
        action = chance.choice(game.legal_actions(states))
        game.apply_action(states, action)
        game.apply_action(others, action)


def test_a_fresh_deal() -> None:
    game, states = table("preset=six_joker", "2D 5H KS X20;3C 4C 9C TC", "AD 6D 7D 8D 9D TD JD QD KD X15")
    watched = seen(game, states, 0)
    pack = game.pack
    assert watched["hand"] == [pack.card(text) for text in ("2D", "5H", "KS", "X20")]
    assert watched["card"] is None and watched["hand_sizes"] == [4, 4, 0, 0, 0, 0, 0, 0]
    texts = ["AD", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "X15"]
    assert places(game, watched) == {text: [k + 1] for k, text in enumerate(texts)}
    assert sorted(watched["unseen"]) == sorted(set(pack.names[:58]) - {*texts, "2D", "5H", "KS", "X20"})
    assert watched["item_values"][:10] == [
        values(1, 11), values(6), values(7), values(8), values(9), values(10), values(2, 12), values(3, 13),
        values(4, 14), values(15),
    ]  # fmt: skip
    assert watched["built"] == [0] * 116 and watched["side_cards"] == watched["zwicks"] == [0] * 8
    assert watched["to_move"] == [True] + [False] * 7 and watched["dealer"] == [False, True] + [False] * 6
    assert watched["capturer"] == [False] * 8 and watched["phase"] == CARD and watched["stock"] == 40
    other = seen(game, states, 1)
    assert other["hand"] == [pack.card(text) for text in ("3C", "4C", "9C", "TC")]
    assert other["dealer"] == [True] + [False] * 7 and other["location"] == watched["location"]


def test_a_capture_step_by_step() -> None:
    """Everybody sees the card, its value, and the items chosen; then who has them."""
    game, states = table("preset=six_joker", "2D 5H KS X20;3C 4C 9C TC", "AD 6D 7D 8D 9D TD JD QD KD X15")
    play(game, states, "hand 3, take, as 14, item 2, item 4")
    for seat in (0, 1):
        watched = seen(game, states, seat)
        assert watched["card"] == game.pack.card("KS") and watched["value"] == 14
        assert [place for place, on in enumerate(watched["chosen"]) if on] == [1, 3]
        assert watched["first"] == 2 and watched["last"] == 2 and watched["sums"] == values(0)
        assert places(game, watched)["6D"] == [2] and "KS" not in watched["unseen"]
    play(game, states, "item 9, finish")
    for seat, place in ((0, 128), (1, 129)):
        watched = seen(game, states, seat)
        assert {text for text, at in places(game, watched).items() if at == [place]} == {"6D", "8D", "KD", "KS"}
        assert watched["side_cards"][place - 128] == 4 and watched["capturer"][place - 128]
        assert watched["card"] is watched["value"] is None and not any(watched["chosen"])


def test_copies_are_numbered_by_where_they_are() -> None:
    """From the last one down: in a pile, on the table, in the own hand, unseen."""
    game, states = table("", "5D 7C 8C 9C;5D TC JC QC;2S 2C 3S 3C;4S 4C 6S 6C;KS KC AS AC", "5H 6D")
    five = game.pack.card("5D")
    watched = seen(game, states, 0)
    assert watched["location"][five] == watched["location"][five + KINDS] == 0
    assert watched["unseen"].count("5D") == 1 and game.observe(states, 0)[OFFSETS["unseen"] + five] == 1
    play(game, states, "hand 1, take, item 1, finish")
    watched = seen(game, states, 1)
    assert watched["location"][five + KINDS] == 128 + 4 and watched["location"][five] == 0
    assert "5D" not in watched["unseen"]
    assert seen(game, states, 2)["unseen"].count("5D") == 1
    play(game, states, "hand 1, lay on, item 1")
    watched = seen(game, states, 2)
    assert watched["location"][five + KINDS] == 128 + 3 and watched["location"][five] == 1
    assert watched["built"][0] == 8 * 11 + 4 and watched["item_values"][0] == values(11)


def test_wild_jokers_are_alike() -> None:
    game, states = table("preset=grupp,n_jokers=3", "XW 7C 8C 9C;2C TC JC QC", "XW KD")
    watched = seen(game, states, 0)
    assert watched["hand"] == [*(game.pack.card(text) for text in ("7C", "8C", "9C")), FIRST_WILD]
    assert watched["item_values"][0] == values(0, *range(2, 15)) and places(game, watched)["XW"] == [1]
    assert watched["unseen"].count("XW") == 1 and seen(game, states, 1)["unseen"].count("XW") == 2


PARTNERS = ("preset=six_joker", "2D 3H 9S 9C;TD TH TS TC;8H KD 4S 4C;5D 5H 5S 5C", "6D")
"""Seat 0 can make 4 and 8 for his partner; nobody has what 3 and 15 need, and 9 he has himself."""


def test_what_legal_builds_tell_the_mover() -> None:
    game, states = table(*PARTNERS)
    watched = seen(game, states, 0)
    assert watched["asked"] == values(4, 8) and watched["denied"] == values(3, 15)
    for seat in (1, 2, 3):
        assert seen(game, states, seat)["asked"] == seen(game, states, seat)["denied"] == NOTHING
    play(game, states, "hand 1, beside, hand 1, beside")
    watched = seen(game, states, 0)
    assert watched["asked"] == values(4, 8) and watched["denied"] == values(3, 15)
    play(game, states, "hand 1")  # the king: it may be the 4 that he was told of
    watched = seen(game, states, 0)
    assert watched["asked"] == values(8) and watched["denied"] == values(3, 15)


@pytest.mark.parametrize("rules", ["teams=false", "build_needs=self", "build_needs=none"])
def test_nobody_is_told_without_partners_to_build_for(rules: str) -> None:
    game, states = table(f"{PARTNERS[0]},{rules}", *PARTNERS[1:])
    watched = seen(game, states, 0)
    assert watched["asked"] == watched["denied"] == NOTHING


def test_a_build_promises_a_card() -> None:
    """Until a card of that value is played by the party, everybody knows that it has one."""
    game, states = table(*PARTNERS)
    play(game, states, "hand 1, lay on, item 1, as 8")
    for seat in range(4):
        watched = seen(game, states, seat)
        assert watched["promised"][seat % 2] == values(8) and watched["promised"][1 - seat % 2] == NOTHING
        assert watched["built"][0] == 8 * 8 + (0 - seat) % 4
    play(game, states, "hand 1, beside")
    assert seen(game, states, 1)["promised"][1] == values(8)
    play(game, states, "hand 2")  # the partner's eight
    assert [seen(game, states, seat)["promised"] for seat in range(4)] == [[NOTHING] * 8] * 4


def test_with_self_the_builder_alone_promises() -> None:
    game, states = table(f"{PARTNERS[0]},build_needs=self", *PARTNERS[1:])
    play(game, states, "hand 2, lay on, item 1")
    for seat in range(4):
        rows = [NOTHING] * 8
        rows[-seat % 4] = values(9)
        assert seen(game, states, seat)["promised"] == rows


def test_others_see_a_build_when_it_lies_there() -> None:
    """That an item is asked for, or a value, would tell which builds are covered."""
    game, states = table(*PARTNERS)
    play(game, states, "hand 1")
    before = [game.observe(states, seat) for seat in range(4)]
    for name, phase in (("lay on", TARGET), ("item 1", NEW_VALUE)):
        play(game, states, name)
        assert seen(game, states, 0)["phase"] == phase
        for seat in (1, 2, 3):
            assert np.array_equal(game.observe(states, seat), before[seat])
    assert seen(game, states, 0)["target"] == 1


def test_not_capturing_shows_what_is_not_held() -> None:
    """Under `must_capture`, as soon as a card is played that can take nothing."""
    game, states = table("must_capture=true", "2D 3D 4D 5D;TD JD QD KD", "KH 9H")
    play(game, states, "hand 1")
    for seat in (0, 1):
        assert seen(game, states, seat)["lacks"][seat] == values(9, 14, 23)
    play(game, states, "lay on, item 2, hand 4, take, item 1")
    assert seen(game, states, 0)["lacks"][:2] == [values(9, 14, 23), NOTHING]


def test_not_taking_a_lone_joker_shows_that_none_is_held() -> None:
    rules = "preset=grupp,must_capture=true,lone_joker_by_joker=true"
    game, states = table(rules, "2D 3D 4D 5D;TD JD QD KD", "XW")
    play(game, states, "hand 1")
    assert seen(game, states, 1)["lacks"][1] == values(0)


def test_after_a_refill_the_old_hands_are_forgotten() -> None:
    game = make_game("zwicker(preset=six_joker,must_capture=true)")
    blocks = ("promised", "lacks", "asked", "denied")
    known = refills = 0
    dealt = None
    for states, player in nodes(game, 5):
        if player < 0:
            continue
        watched = [seen(game, states, seat) for seat in range(4)]
        if dealt is not None and states["deck_pos"][0] != dealt:
            refills += 1
            for seat in range(4):
                flat = [flag for block in blocks[:2] for row in watched[seat][block] for flag in row]
                assert not any(flat)
                assert seat == player or watched[seat]["asked"] == watched[seat]["denied"] == NOTHING
        known += any(any(row) for row in watched[0]["lacks"])
        dealt = states["deck_pos"][0]
    assert DISABLED or (known > 0 and refills == 2)


def test_scores_are_those_of_the_sides() -> None:
    game = make_game("zwicker(preset=six_joker,match=true)")
    states = game.deal(1, 1)
    states["scores"][0, :2], states["totals"][0, 0], states["zwicks"][0, :2] = (70_000, -5), 3, (2, 1)
    ours, theirs = seen(game, states, 2), seen(game, states, 1)
    assert ours["points"][:2] == [65_535, 0] and ours["debts"][:2] == [0, 5] and ours["zwicks"][:2] == [2, 1]
    assert theirs["points"][:2] == [0, 65_535] and theirs["debts"][:2] == [5, 0] and theirs["deals"] == 3
