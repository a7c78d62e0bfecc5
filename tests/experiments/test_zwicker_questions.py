"""The questions about Zwicker: each runs small, and what they classify and count is right on deals made by hand."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

from cardsim.games.zwicker.layout import LEFT_OVER, PACK, TURNS
from cardsim.jit import DISABLED
from cardsim.playout import SCALE
from cardsim.registry import make_game
from cardsim.stats import Moments
from experiments.lab import Choice, Decisions, Line, Options, moments
from experiments.zwicker import luck, partner, seats
from experiments.zwicker.cards import most_worth, zwick_worth
from experiments.zwicker.endings import play_ends
from experiments.zwicker.last_capture import in_last_hand
from experiments.zwicker.points import (
    card_groups,
    dealt_to,
    first_states,
    from_groups,
    game_share,
    lead,
    result,
    worth_of_cards,
)
from experiments.zwicker.settings import ABLE, OPPONENTS, shares, slow_hands
from experiments.zwicker.turns import (
    ASIDE,
    HELP,
    STACK,
    SWEEP,
    TAKE,
    Compared,
    best_turns,
    compare,
    one_a_deal,
    play_kinds,
)
from tests.games.zwicker_scenes import posed

pytestmark = pytest.mark.skipif(DISABLED, reason="plays hundreds of hands")

QUESTIONS = {
    "cards": "no_joker, 2 players, all book",
    "partner": "What book's switches are worth, points per deal",
    "last_capture": "What the last capture brings, points per deal",
    "zwick": "What an eye for Zwicks is worth, points per deal",
    "seats": "The forehand's points less the dealer's, by who plays",
    "luck": "Luck and skill by the number of jokers",
}
TIPS = ("partner", "last_capture", "zwick")
FORMS = ("players=2", "preset=six_joker,players=4", "preset=grupp,players=3", "preset=two_joker,players=5")


def game_of(text: str) -> Any:
    """The game of a rules text."""
    words = dict(part.split("=") for part in text.split(","))
    return make_game("zwicker", **{key: int(value) if value.isdigit() else value for key, value in words.items()})


def summary(row: Any) -> Moments:
    """A row of `moments`."""
    return Moments.from_sums(int(row[0]), int(row[1]), int(row[2]), SCALE)


def mask(*texts: str) -> Any:
    """Cards as a bit mask for each pack."""
    cards = sum(1 << PACK.parse(text)[0] for text in texts)
    return np.array([cards, 0], np.uint64)


def decision(rules: str, hands: str, table: str, stock: str = "", player: int = 0) -> tuple[Line, Decisions]:
    """A position as a decision of its seat to act, all `book`."""
    scene = posed(rules, hands, table, stock, player=player)
    line = Line(scene.game, ["book"] * scene.game.num_players)
    one = np.zeros(1, np.int64)
    return line, Decisions(scene.states, one, one + player, one, one, 1, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_runs_at_the_smallest_size(name: str, tmp_path: Path) -> None:
    question = importlib.import_module(f"experiments.zwicker.{name}").QUESTION
    options = Options(hands=1000, seed=3, out=str(tmp_path), threads=1)
    finding = question.answer(options)
    assert question.id == f"zwicker.{name}"
    assert finding.answer and "nan" not in finding.answer
    assert QUESTIONS[name] in finding.frames()
    assert (finding.verdict is not None) == (name in TIPS)
    assert (tmp_path / question.id / "picture.png").stat().st_size > 10_000
    text = (tmp_path / question.id / "answer.md").read_text(encoding="utf-8")
    assert question.command(options) in text and "--seed 3" in text
    if name in TIPS:
        assert {effect.setting["opponents"] for effect in finding.effects} == set(OPPONENTS)
    again = question.answer(options)
    assert again.answer == finding.answer


@pytest.mark.parametrize("form", FORMS)
def test_points_are_counted_as_the_engine_does(form: str) -> None:
    game = game_of(form)
    line = Line(game, ["random"] * game.num_players)
    states, returned = line.play(5, 0, 300)
    found = result(states)
    sides = found.points.shape[1]
    assert (found.points == states["gained"][:, :sides]).all()
    for side in range(sides):
        assert lead(found.points, np.full(300, side)) == pytest.approx(returned[:, side])
    shares = np.stack([game_share(found.points, np.full(300, side)) for side in range(sides)], 1)
    assert shares.sum(1) == pytest.approx(np.ones(300))
    alone = states["counts"][:, 0, :sides] > 0
    assert (shares[alone] == 1).all() and (shares[~alone] < 1).all()


@pytest.mark.parametrize("form", FORMS)
def test_where_cards_are_dealt(form: str) -> None:
    """Every card that a seat ever holds is the one that was foretold, and all of them are foretold."""
    game = game_of(form)
    players = game.num_players
    owners = dealt_to(first_states(game, 7, 0, 60))
    line = Line(game, ["random"] * players)
    found = line.decisions(7, 0, 60, whose=range(players), most=100)
    held = np.zeros(owners.shape, bool)
    for seat in range(players):
        own = found.where(found.seat == seat)
        for place in range(4):
            cards = own.states["hand"][:, seat, place]
            there = cards < 128
            held[own.number[there], cards[there]] = True
            assert (owners[own.number[there], cards[there]] == seat).all()
    missed = (owners >= 0) & ~held
    assert missed.sum() <= 60 * players  # a last card without a choice is no decision
    with pytest.raises(ValueError, match="before the first turn"):
        dealt_to(found.states)


def test_card_groups_hold_what_they_say() -> None:
    book, fixed = card_groups(0), card_groups(1, (15, 30))
    assert [PACK.text(kind) for kind in fixed["another 10"]] == ["TH", "TS", "TC"]
    assert [PACK.text(kind) for kind in fixed["joker 30"]] == ["X30"]
    assert {PACK.text(kind) for kind in book["an Ace"]} == {"AD", "AH", "AS", "AC"}
    assert len(book["a card without points"]) == 52 - 7
    assert len(fixed["a card without points"]) == 52 - 9


def test_a_card_in_the_other_pile_moves_its_points_and_the_game() -> None:
    game = game_of("players=2")
    states = game.new_states(3)
    cards: list[list[tuple[str, ...]]]
    cards = [[("TD", "AH"), ("2D", "3D", "7S")], [("AH",), ("TD", "2D", "3D")], [("AH",), ("2D",)]]
    for state, piles in zip(states, cards, strict=True):
        for side, pile in enumerate(piles):
            state["pile"][side] = mask(*pile)
    worth = worth_of_cards(states, np.broadcast_to(mask("TD"), (3, 2)))
    # 12 to 2 becomes 2 to 12; 2 to 11 becomes 13 to 0, one for most cards and a tie undone each way
    assert worth.lead[:2].tolist() == [(12 - 2) - (2 - 12), (11 - 2) - (0 - 12)]
    assert worth.games[:2].tolist() == [1.0, 1.0]
    assert np.isnan(worth.lead[2]) and np.isnan(worth.games[2])
    small = worth_of_cards(states, np.broadcast_to(mask("AH"), (3, 2)))
    assert small.lead[0] == (12 - 2) - (10 - 4) and small.games[0] == 0


def test_zwicks_and_most_cards_are_counted_out() -> None:
    game = game_of("players=2")
    states = game.new_states(2)
    states["pile"][:, 0] = mask("AH", "2D")
    states["pile"][:, 1] = mask("AD", "AS")
    states["zwicks"][0, 0] = 1
    found = result(states)
    assert found.points.tolist() == [[5, 4], [2, 4]]
    worth = zwick_worth(found, 0)
    assert worth.lead[0] == 3 and worth.games[0] == 1 and np.isnan(worth.games[1])
    states["pile"][1, 0] = mask("AH", "AC", "2D")
    most = most_worth(result(states), 0)
    assert np.isnan(most.lead[0]) and most.lead[1] == 1 and most.games[1] == 0.5


@pytest.mark.parametrize("form", ("players=2", "preset=six_joker,players=4", "preset=grupp,players=3"))
def test_the_best_turn_of_all_kinds_is_what_book_plays(form: str) -> None:
    game = game_of(form)
    line = Line(game, ["book"] * game.num_players)
    found = line.decisions(9, 0, 12, (0, 1), whose=range(game.num_players), most=8)
    turns = best_turns(line, found)
    best = np.nanargmax(turns.worth, 1)
    assert set(best) >= {TAKE, ASIDE}
    returned, finals = play_kinds(line, found, turns, best[:, None])
    own, last = line.play_out(found, [Choice()], finals=True)
    assert last is not None
    assert (returned == own).all() and (finals == last).all()
    here = np.isfinite(turns.worth)
    played = turns.after["totals"][..., TURNS] - found.states["totals"][:, None, TURNS]
    assert (played == here).all()


def test_kinds_of_turns() -> None:
    line, one = decision("preset=six_joker", "9D 3C 2H;KD KC;QS 5D;JH JC", "6S 4D")
    kinds = np.isfinite(best_turns(line, one).worth)[0]
    # 6 and 3 for the own 9; 4 and 9 for the partner's Queen; nothing to take
    assert kinds[[STACK, HELP, ASIDE]].all() and not kinds[[TAKE, SWEEP]].any()
    line, one = decision("preset=six_joker", "TD 3C;KD KC;7S 5D;JH JC", "6S 4D")
    kinds = np.isfinite(best_turns(line, one).worth)[0]
    # the 10 takes 6 and 4, which are all; 4 and 3 for the partner's 7; nothing for the own cards
    assert kinds[[SWEEP, HELP, ASIDE]].all() and not kinds[[TAKE, STACK]].any()
    line, one = decision("players=2", "5D KC;KD KH", "6S 4D")
    kinds = np.isfinite(best_turns(line, one).worth)[0]
    # without jokers the 5 makes a stack, the King fits on none
    assert kinds[[STACK, ASIDE]].all() and not kinds[[TAKE, SWEEP, HELP]].any()


def test_points_of_a_build() -> None:
    line, one = decision("preset=six_joker", "AD 3C;KD KC;X15 JC;JH 9C", "TH+4D=14@2 2S")
    turns = best_turns(line, one)
    # 14 and the Ace make 15, which only the partner's joker takes: the 10 and the Ace are a point each
    assert partner.item_points(one.states, turns.after[:, HELP]).tolist() == [2]


def test_situations() -> None:
    """What else a seat can do that can build a 7 for its partner: the points of the 10, a bare 6, or nothing."""
    for hands, table, wanted in (
        ("TD 3C;KD KC;7S 5D;JH JC", "6S 4D", 0),
        ("6D 3C;KD KC;7S 5D;JH JC", "6S 4D", 1),
        ("9S 3C;KD KC;7S 5D;JH JC", "6S 4D", 2),
        ("AC KS;JD 9C;7S 5D;JH QC", "6S 9H", 3),
    ):
        line, one = decision("preset=six_joker", hands, table)
        turns = best_turns(line, one)
        assert np.isfinite(turns.worth[0, HELP])
        empty = np.zeros(1, np.int64)
        compared = Compared(one, turns, empty, empty, np.zeros(1), turns.after[:, :2], empty)
        assert partner.situation(compared).tolist() == [wanted]


def test_one_decision_a_deal_evenly_drawn() -> None:
    size = 3000
    number = np.repeat(np.arange(size // 3), 3)
    one = Decisions(np.zeros(size), number, number, np.tile(np.arange(3), size // 3), number, 4, 0, 0)
    fits = one.nth != 1
    chosen = one_a_deal(one, fits)
    assert number[chosen].tolist() == list(range(size // 3)) and fits[chosen].all()
    late = (one.nth[chosen] == 2).mean()
    assert abs(late - 0.5) < 4 * (0.25 / (size // 3)) ** 0.5
    assert (one_a_deal(one, fits) == chosen).all()


def test_a_tip_is_compared_with_the_best_other_turn_in_the_same_deal() -> None:
    line = Line(game_of("preset=six_joker,players=2"), ["book", "greedy"])
    found = compare(line, 2, 0, 150, [ASIDE])
    worth = np.where(np.isfinite(found.turns.worth), found.turns.worth, -np.inf)
    assert len(found.gain) > 100 and (found.tip == ASIDE).all()
    assert (found.other == worth[:, :ASIDE].argmax(1)).all()
    assert len(set(found.decisions.number.tolist())) == len(found.gain) == np.count_nonzero(found.often)
    assert found.gain.std() > 1
    returns = [-np.diff(result(found.finals[:, way]).points, axis=1)[:, 0] for way in (0, 1)]
    assert (found.gain == returns[0] - returns[1]).all()
    same = play_kinds(line, found.decisions, found.turns, np.stack([found.other, found.other], 1))[0]
    assert (same[:, 0] == same[:, 1]).all()


@pytest.mark.parametrize("form", FORMS)
def test_left_over_cards(form: str) -> None:
    """They are the items on the table at the end, and the deals are those of `Line.play`."""
    game = game_of(form)
    line = Line(game, ["random"] * game.num_players)
    states, returned, left = play_ends(line, 3, 10, 200)
    plain, other = line.play(3, 10, 200)
    assert (states == plain).all() and (returned == other).all()
    counts = np.bitwise_count(left).sum(1)
    items = states["totals"][:, LEFT_OVER]
    assert ((counts >= items) | (states["capturer"] < 0)).all() and ((counts > 0) == (items > 0)).all()
    taker = states["capturer"] % int(states["rules"]["sides"][0])
    assert ((states["pile"][np.arange(200), taker] & left) == left).all()


def test_left_over_of_a_deal_made_by_hand() -> None:
    scene = posed("players=2", "KD;QC", "KS 5D 2H")
    line = Line(scene.game, ["greedy", "greedy"])
    one = np.zeros(1, np.int64)
    at = Decisions(scene.states, one, one, one, one, 1, 0, 0)
    _, finals = line.play_out(at, [Choice()], finals=True)
    assert finals is not None
    final = finals[:, 0]
    # the King takes the King; the Queen goes beside and is left with the rest
    assert final["capturer"].tolist() == [0] and final["totals"][0, LEFT_OVER] == 3
    worth = worth_of_cards(final, mask("5D", "2H", "QC")[None])
    assert worth.lead[0] == 2 * result(final).most[0, 0]


def test_the_last_hand_is_where_the_stock_is_empty() -> None:
    game = game_of("players=2")
    line = Line(game, ["random", "random"])
    found = line.decisions(1, 0, 20, (0, 1), most=30)
    last = in_last_hand(found.states)
    assert np.bincount(found.number[last], minlength=20).tolist() == [3] * 20
    assert (found.nth[last] >= 15).all()


def test_luck_is_all_or_nothing_where_it_must_be() -> None:
    rng = np.random.default_rng(5)
    group = np.arange(4000) % 20
    cards, first, second = rng.normal(size=(3, 4000)).round(2)

    def facts(one: Any, two: Any) -> dict[str, tuple[float, float, float]]:
        sums = {
            "sum": moments(one + two, group, 20),
            "difference": moments(one - two, group, 20),
            "won": moments((np.sign(one) + 1) / 2, group, 20),
        }
        return luck.describe({key: [summary(row) for row in rows] for key, rows in sums.items()})

    assert facts(cards + 1, 1 - cards)["luck"][0] == pytest.approx(1)
    assert abs(facts(first, second)["luck"][0]) < 0.1
    mean, low, high = facts(cards + first, second - cards)["luck"]
    assert low < 0.5 < high and abs(mean - 0.5) < 0.06
    assert facts(cards + 2, 2 - cards)["gain"][0] == pytest.approx(2, abs=0.01)


def test_deals_to_tell() -> None:
    assert luck.deals_to_tell(1.0, 10.0) == 271
    assert luck.deals_to_tell(10.0, 1.0) == 1
    assert np.isnan(luck.deals_to_tell(-1.0, 5.0))


def test_an_interval_from_groups() -> None:
    mean, low, high = from_groups([1.0, 2.0, 3.0, np.nan])
    assert mean == 2 and high - mean == pytest.approx(4.302653 / 3**0.5) and mean - low == pytest.approx(high - mean)
    assert np.isnan(from_groups([1.0])).all()


def test_places_are_counted_from_the_dealers_left() -> None:
    game = game_of("players=3")
    line = Line(game, ["greedy"] * 3)
    found = seats.sums(line, 4, 0, 300)
    states, returned = line.play(4, 0, 300)
    forehand = returned[np.arange(300), (states["dealer"] + 1) % 3]
    assert (found["lead"][0] == moments(forehand)[0]).all()
    dealer = returned[np.arange(300), states["dealer"]]
    assert (found["first"] == moments(forehand - dealer)).all()
    assert (found["lead"][:, 1].sum(), found["games"][:, 1].sum()) == (0, 0)


def test_forms_whose_cards_do_not_divide() -> None:
    """Section 2.2 of the rules: 54 cards of grupp's pack are 3/3, 2/2/2 and 2/2/1/1 at the end."""
    assert seats.uneven() == "grupp, 4 players"


def test_the_slow_agents_share_of_the_hands() -> None:
    assert [slow_hands(hands) for hands in (1_000, 20_000, 1_000_000)] == [250, 5000, 133000]
    assert sum(shares(1_000_000).values()) <= 1_000_000


def test_able_opponents_are_those_that_do_not_play_at_random() -> None:
    assert {"random", "book", "ppo"} <= set(OPPONENTS) and set(ABLE) == set(OPPONENTS) - {"random"}
