"""Chance nodes and moments, without OpenSpiel."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from cardsim.contract import CHANCE, TERMINAL
from cardsim.game import Game
from cardsim.registry import make_game
from cardsim_envs.chances import CardByCard, Deals, Every, Sampled, Worlds, alike_places
from cardsim_envs.moments import Moment
from tests.core.pilegame import GAME as PILE

GAMES = [
    make_game("sixty_six", preset="schnapsen", match=True, target=3),
    make_game("zwicken", players=3),
    make_game("zwicker", players=2, first_dealer="1"),
    PILE.make(players=3, hands=2),
]
KINDS: dict[str, Any] = {
    "cards": CardByCard,
    "deals": lambda game: Deals(game, 5, 7),
    "worlds": lambda game: Worlds(game, 4, 7),
    "sampled": lambda game: Sampled(game, 7),
}
games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def step(moment: Moment, chance: Any, source: random.Random) -> None:
    """Go on at random."""
    if moment.player == CHANCE:
        chance.apply(moment, source.choice(chance.outcomes(moment))[0])
    else:
        moment.play(source.choice(moment.game.legal_actions(moment.states)))


def parts(moment: Moment) -> tuple[Any, ...]:
    """All that a moment holds."""
    pasts = [moment.past_of(seat) for seat in range(moment.game.num_players)]
    return moment.states.tobytes(), moment.player, moment.hand, moment.dealer_known, moment.pack, pasts


@games
@pytest.mark.parametrize("kind", KINDS)
def test_an_episode(kind: str, game: Game) -> None:
    chance, source = KINDS[kind](game), random.Random(3)
    moment = Moment(game)
    assert moment.player == CHANCE
    while moment.player != TERMINAL:
        if moment.player == CHANCE:
            outcomes = chance.outcomes(moment)
            assert sum(chances for _, chances in outcomes) == pytest.approx(1.0)
            assert all(0 <= number < chance.most_outcomes for number, _ in outcomes)
            texts = [chance.text(moment, number) for number, _ in outcomes]
            assert len(set(texts)) == len(texts) or kind == "cards"  # cards of two packs are alike
        assert parts(moment.copy()) == parts(moment)
        if game.id != "pile":  # a pickled game is found again by its name
            assert parts(pickle.loads(pickle.dumps(moment))) == parts(moment)
        before, kept = parts(moment), moment.copy()
        step(moment, chance, source)
        assert parts(kept) == before != parts(moment)


@games
def test_deals_are_those_of_the_seed(game: Game) -> None:
    for number in range(3):
        moment = Moment(game)
        Deals(game, 3, 11).apply(moment, number)
        assert moment.states.tobytes() == game.deal(11, number).tobytes()


@games
def test_card_by_card_deals_any_pack(game: Game) -> None:
    pack, chance, moment = game.deck(), CardByCard(game), Moment(game)
    random.Random(5).shuffle(pack)
    dealer = int(moment.states["dealer"][0])
    if not moment.dealer_known:
        dealer = game.num_players - 1
        chance.apply(moment, dealer)
    for card in pack:
        assert moment.player == CHANCE
        assert card in dict(chance.outcomes(moment))
        chance.apply(moment, card)
    assert moment.states.tobytes() == game.deal_given(pack, dealer).tobytes()


def test_every_deal_of_a_small_pack_comes_once() -> None:
    game = PILE.make(players=2)
    assert alike_places(game) == [[0, 1], [2, 3], list(range(4, 16))]
    chance, moment = Every(game), Moment(game)
    assert len(chance.outcomes(moment)) == chance.most_outcomes == 120 * 91
    hands = Counter(tuple(sorted(pack[:2])) + tuple(sorted(pack[2:4])) for pack in chance.packs)
    assert len(hands) == 120 * 91
    assert set(hands.values()) == {1}
    chance.apply(moment, 4711)
    assert moment.states.tobytes() == game.deal_given(chance.packs[4711], int(moment.states["dealer"][0])).tobytes()


def test_a_pack_that_is_too_large_to_list() -> None:
    with pytest.raises(ValueError, match=r"^chance every: zwicken\(preset=base,players=3\) has more than 200000 deals"):
        Every(GAMES[1])


def test_places_that_are_alike() -> None:
    assert [len(places) for places in alike_places(GAMES[0])] == [5, 5, *[1] * 10]


@games
def test_each_world_is_one_that_a_seat_cannot_tell_from_the_last(game: Game) -> None:
    chance = Worlds(game, 6, 2)
    worlds = []
    for number in range(6):
        moment = Moment(game)
        chance.apply(moment, number)
        worlds.append(moment.states)
    for k, (last, world) in enumerate(pairwise(worlds), 1):
        seat = k % game.num_players
        assert (game.observe(last, seat) == game.observe(world, seat)).all()
    assert len({world.tobytes() for world in worlds}) > 3


@games
def test_a_resampled_moment_keeps_what_its_seat_knows_and_no_more(game: Game) -> None:
    chance, source = Sampled(game, 3), random.Random(3)
    moment = Moment(game)
    with pytest.raises(ValueError, match="nobody is to act"):
        moment.resampled(0, 1)
    step(moment, chance, source)
    first = [moment.past_of(seat) for seat in range(game.num_players)]
    changed = 0
    for _ in range(40):
        step(moment, chance, source)
        if moment.player == TERMINAL:
            break
        if moment.player == CHANCE:
            continue
        seat = moment.player
        others = [other for other in range(game.num_players) if other != seat]
        for seed in range(3):
            world = moment.resampled(seat, seed)
            assert world.past_of(seat) == moment.past_of(seat)
            assert (world.seen_by(seat) == moment.seen_by(seat)).all()
            assert parts(world) == parts(moment.resampled(seat, seed))
            changed += world.states.tobytes() != moment.states.tobytes()
            for other in others:
                assert world.past_of(other) != moment.past_of(other) or moment.past_of(other) == first[other]
    assert changed


@games
def test_illegal_actions_are_refused(game: Game) -> None:
    moment = Moment(game)
    Deals(game, 1, 1).apply(moment, 0)
    before = parts(moment)
    illegal = next(action for action in range(game.num_actions) if action not in game.legal_actions(moment.states))
    for action in (illegal, -1, game.num_actions):
        with pytest.raises(ValueError, match=f"^action {action}.* is illegal; legal: "):
            moment.play(action)
    assert parts(moment) == before
