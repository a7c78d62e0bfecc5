"""The questions about Zwicken: hand classes on hands dealt by hand, exact facts, and every question at a small size."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardsim
from cardsim.games.zwicken.layout import ACT_PASS, LEAD
from cardsim.jit import DISABLED
from cardsim.stats import Moments
from cardsim_agents.zwicken.announcing import weak_by_tip
from cardsim_agents.zwicken.estimate import HIGH
from experiments import zwicken
from experiments.lab import FORBIDDEN, Decisions, Finding, Line, Options
from experiments.zwicken import belli, belli_trap, cut, frontier, hands, lone_ace, players, swapping, weak_hands
from experiments.zwicken.cut_exact import exact
from experiments.zwicken.staying import OPPONENTS, Table, chances, effects_of, opposite, stay_or_pass
from tests.games.zwicken_scenes import Scene, dealt, make, tricks

compiled = pytest.mark.skipif(DISABLED, reason="plays thousands of hands: needs compiled speed")


def first_hand(cards: str, rules: str = "", up: str = "8H") -> tuple[Any, Any]:
    """A deal in which the forehand, seat 0, holds these cards; and the seat."""
    return dealt(rules, cards, up).states, np.array([0])


def decided(scene: Scene) -> Decisions:
    """The decision of the seat to act."""
    one = np.zeros(1, np.int64)
    return Decisions(scene.states, one, np.array([scene.player]), one, one, 0, 0, 0)


HANDS = [
    # rules, cards, turned, holding, aces, weak, lone ace, strong cards
    ("", "9S,TC,KD", "8H", "no trump", 0, True, False, 0),
    ("", "9S,TC,AD", "8H", "no trump", 1, False, False, 1),
    ("", "AS,AC,AD", "8H", "no trump", 2, False, False, 3),
    ("", "JH,TC,KD", "8H", "1 low trump", 0, True, False, 0),
    ("", "JH,TH,7H", "8H", "2+ low trumps", 0, True, False, 0),
    ("", "QH,9C,9S", "8H", "1 high trump", 0, False, False, 1),
    ("", "KH,9H,AS", "8H", "high + more trumps", 1, False, False, 2),
    ("", "7D,9C,9S", "8H", "Belli alone", 0, False, False, 1),
    ("", "7D,9H,AS", "8H", "Belli + more trumps", 1, False, False, 2),
    ("", "AH,9C,9S", "8H", None, 0, False, True, 1),
    ("", "AH,9H,AS", "8H", None, 1, False, True, 2),
    ("", "AH,QH,9S", "8H", None, 0, False, False, 2),
    ("", "AH,7D,9S", "8H", None, 0, False, False, 2),
    ("", "7D,8D,9S", "JD", "Belli + more trumps", 0, False, False, 1),
    ("styrian", "6D,9C,9S", "8H", "1 high trump", 0, False, False, 1),
    ("bavarian", "JS,9C,9S", "8H", "1 high trump", 0, False, False, 1),
    ("bavarian", "TH,9C,9S", "8H", "1 low trump", 0, True, False, 0),
]


@pytest.mark.parametrize(("preset", "cards", "up", "held", "aces", "weak", "lone", "strong"), HANDS)
def test_hands_are_classified_as_a_player_does(
    preset: str, cards: str, up: str, held: str | None, aces: int, weak: bool, lone: bool, strong: int
) -> None:
    states, seats = first_hand(cards, f"preset={preset}" if preset else "", up)
    found = int(hands.holding(states, seats)[0])
    assert (hands.HOLDINGS[found] if found >= 0 else None) == held
    assert hands.aces(states, seats)[0] == aces
    assert hands.weak(states, seats)[0] == weak
    assert hands.lone_ace(states, seats)[0] == lone
    assert hands.strong_cards(states, seats)[0] == strong


def test_high_trumps_are_those_of_the_agent() -> None:
    assert HIGH.tolist() == hands.HIGH.tolist()


@compiled
@pytest.mark.parametrize("preset", ["base", "styrian", "four_card", "bavarian"])
def test_weak_hands_are_those_that_the_agent_folds_by_the_tip(preset: str) -> None:
    line = Line(cardsim.make_game("zwicken", preset=preset), ["book"] * 4)
    asked = line.decisions(3, 0, 300, [ACT_PASS], whose=range(4))
    by_agent = [weak_by_tip(state) for state in asked.states]
    assert hands.weak(asked.states, asked.seat).tolist() == by_agent
    assert 100 < sum(by_agent) < len(by_agent) - 100
    number = frontier.hand_class(asked.states, asked.seat)
    assert np.isin(number, frontier.WEAK).tolist() == by_agent
    assert (number >= 0).all()  # who may pass lacks the trump Ace


def test_classes_do_not_see_other_hands() -> None:
    """Hidden cards changed, the classes stay."""
    states, seats = first_hand("JH,TC,KD;AH,7D,9S;KH,QH,AS")
    again, _ = first_hand("JH,TC,KD;8D,9D,TD;8C,9C,JC")
    for classify in (hands.holding, hands.aces, hands.weak, hands.lone_ace, hands.strong_cards, hands.place):
        assert classify(states, seats)[0] == classify(again, seats)[0]


def test_place_and_who_stayed() -> None:
    scene = dealt("", dealer=1)
    for place in range(4):
        asked = decided(scene)
        assert hands.place(asked.states, asked.seat)[0] == place
        assert hands.stayed_before(asked.states)[0] == place
        assert (
            players.PLACES[int(players.place_of(asked.seat, 1, 4)[0])] == ("first", "second", "third", "dealer")[place]
        )
        scene.play("play")


def test_what_is_beside_the_trump_ace() -> None:
    for cards, name in (
        ("AH,9S,9C", "no other trump"),
        ("AH,TH,9C", "a low trump"),
        ("AH,KH,9C", "another high trump"),
        ("AH,7D,KH", "the Belli"),
        ("KH,7D,9C", None),
    ):
        cell = int(lone_ace.companion(decided(dealt("ace_must_stay=false", cards)))[0])
        assert (lone_ace.COMPANIONS[cell] if cell >= 0 else None) == name


def test_where_the_belli_is() -> None:
    for cards, up, name in (("7D,9S,9C", "8H", 0), ("TC,9S,9C", "7D", 1), ("TC,9S,9C", "8H", 2)):
        assert belli.place_of_belli(decided(dealt("", cards, up)))[0] == name


def test_the_lead_that_could_be_a_trap() -> None:
    scene = tricks("", "AH,TH,9C;7D,KH,8C;TS,AC,KC", stay="012")
    asked = decided(scene)
    assert asked.states["phase"][0] == LEAD
    assert belli_trap.may_keep_back(asked)[0] and belli_trap.belli_against(asked.states, asked.seat)[0]
    best, lowest = belli_trap.other_cards(asked.states, asked.seat)
    assert scene.game.pack.text(int(best[0])) == "TH" and scene.game.pack.text(int(lowest[0])) == "9C"
    before = asked.states.copy()
    scene.play("AH 7D TS")
    assert not belli_trap.may_keep_back(decided(scene))[0]
    scene.play("TH KH AC 8C KC 9C")
    winner, took = belli_trap.next_trick(before, scene.states)
    assert winner[0] == 0 and took[0]
    alone = decided(tricks("", "AH,TH,9C;QC,KH,8C;TS,AC,KC;7D", stay="012"))
    assert not belli_trap.belli_against(alone.states, alone.seat)[0]  # the one with the Belli has passed


def test_a_kept_belli_does_not_fall() -> None:
    scene = tricks("", "AH,9S,9C;7D,KH,8C", stay="01")
    before = scene.states.copy()
    scene.play("AH KH 9S 7D 8C 9C")
    winner, took = belli_trap.next_trick(before, scene.states)
    assert winner[0] == 0 and not took[0]


def test_frontier_folds_what_loses_and_measures_it_on_other_deals() -> None:
    cells = [Moments() for _ in range(2 * frontier.CLASSES)]
    loses, wins = Moments(1, 400, -400, 400), Moments(1, 400, 400, 400)
    aces, weak = 1, 3  # no trump and an Ace; one low trump and none
    cells[aces], cells[weak] = loses, wins
    cells[frontier.CLASSES + aces], cells[frontier.CLASSES + weak] = loses, wins
    edge = frontier.frontier(cells)
    assert edge.folded == [aces] and edge.share == edge.weak == 0.5
    assert edge.gain.n == 800 and edge.gain.mean == 1.0  # folds the one that the tip plays, plays the one that it folds
    assert (edge.unfolded, edge.by_frontier, edge.by_tip) == (0.0, 0.5, -0.5)
    lucky = list(cells)
    lucky[frontier.CLASSES + aces] = wins  # what lost in the first half wins in the second
    assert frontier.frontier(lucky).gain.mean == 0.0
    table = frontier.frontier_frame([("t", "book", edge)])
    assert table["do"].tolist() == ["fold", "stay"]


def test_folding_has_the_other_sign() -> None:
    cell = Moments(2, 4, 6, 20)
    assert opposite(cell).mean == -cell.mean and opposite(cell).variance == cell.variance


def test_rare_chances_have_an_interval() -> None:
    row = chances(effects_of([({"table": "t"}, Moments(840, 200, 0, 0))])).iloc[0]
    assert row["chance"] == row["low"] == 0 and 0.01 < row["high"] < 0.03


@pytest.mark.parametrize(
    ("rules", "belli_cuts", "cuts"),
    [
        ("players=2", 1 / 24, 32 / 24),
        ("players=4", 1 / 24, 32 / 24),
        ("preset=styrian,players=4", 1 / 28, 36 / 28),
        ("players=3,belli_cut=none,belli_cut_ante=returned,cut_rule=hop", 1 / 24, 32 / 24),
    ],
)
def test_exact_cuts_are_those_of_the_rules(rules: str, belli_cuts: float, cuts: float) -> None:
    found = exact(make(rules).rules)
    assert found.belli_cuts == pytest.approx(belli_cuts) and found.cuts == pytest.approx(cuts)
    assert found.dealt.sum() == pytest.approx(1)


def test_exact_payments() -> None:
    """Four players. That k cuts that count show the Belli has the chance p**k; the dealers are seats 0, 3, 2, 1."""
    p = 1 / 25
    found = exact(make("players=4").rules)
    assert found.moved == pytest.approx(3 * 3 / 24)
    assert found.net[0] == pytest.approx(-6 * p + 3 * p**2 + 3 * p**3, abs=1e-5)
    assert found.net[3] == pytest.approx(-3 * p - 6 * p**2 + 3 * p**3, abs=1e-5)
    assert found.net.sum() == pytest.approx(-3 / 24)  # antes beyond the first go to the pot
    assert exact(make("players=4,belli_cut=none,belli_cut_ante=returned").rules).moved == pytest.approx(0)
    assert exact(make("players=4,belli_cut=pot_jump").rules).net[0] == pytest.approx(-3 * p**2 - 3 * p**3, abs=5e-5)


@compiled
@pytest.mark.parametrize(("more", "pot"), [("", 3), (",start_pot=9", 12)])
def test_staying_alone_is_worth_the_pot(more: str, pot: int, tmp_path: Path) -> None:
    game = make(f"players=3,ace_must_stay=false,cut_rule=off{more}")
    cells = {"all": (weak_hands.everybody, 1)}
    found = stay_or_pass(Options(out=str(tmp_path)), "x", game, "book(fold_at=300,pot_size=false)", 900, cells)
    (gain,) = found["gain all"]
    assert gain.n == 300 and gain.mean == pot and gain.variance == 0
    assert 0 < found["kept all"][0].mean <= pot  # `book` fears opponents that will not come
    assert found["bete all"][0].total == 0 and found["0 tricks all"][0].mean == 1


@compiled
def test_simulated_cuts_agree_with_the_exact_ones(tmp_path: Path) -> None:
    finding = cut.run(Options(hands=180_000, seed=5, out=str(tmp_path)))
    table = finding.tables["Exact and simulated, per deal"]
    inside = (table["exact"] >= table["low"]) & (table["exact"] <= table["high"])
    assert inside.mean() > 0.8 and len(table) > 50
    half = (table["high"] - table["low"]) / 2
    assert ((table["exact"] - table["mean"]).abs() <= 2.1 * half + 1e-3).all()  # 4 standard errors


@compiled
def test_the_lone_ace_takes_a_trick_or_the_pot(tmp_path: Path) -> None:
    finding = lone_ace.run(Options(hands=30_000, seed=4, out=str(tmp_path)))
    table = finding.tables["Chance of a bete with a lone trump Ace"]
    safe = table["table"] != lone_ace.ON_TOP.label
    assert (table[safe]["chance"] == 0).all()
    assert finding.verdict is not None and finding.verdict.word == FORBIDDEN and finding.verdict.rule == "Z16"
    assert not finding.verdict.pays


@compiled
@pytest.mark.parametrize("name", zwicken.QUESTIONS)
def test_every_question_answers_at_the_smallest_sizes(name: str, tmp_path: Path) -> None:
    question = import_module(f"experiments.zwicken.{name}").QUESTION
    for count in (1000, 6000):
        out = tmp_path / str(count)
        finding = question.answer(Options(hands=count, seed=7, out=str(out)))
        assert isinstance(finding, Finding) and finding.answer and finding.tables and finding.notes
        assert (finding.verdict is None) == (not finding.effects) == (name == "players")
        folder = out / question.id
        assert (folder / "picture.png").stat().st_size > 5000
        text = (folder / "answer.md").read_text()
        assert "nan" not in text.lower().split() and question.title in text
    assert {"random", "book", "ppo"} == set(OPPONENTS)
    assert not finding.effects or {effect.setting["opponents"] for effect in finding.effects} == set(OPPONENTS)


@compiled
def test_numbers_do_not_depend_on_threads(tmp_path: Path) -> None:
    one, two = (swapping.run(Options(hands=3000, out=str(tmp_path / str(n)), threads=n)) for n in (1, 2))
    assert [effect.moments for effect in one.effects] == [effect.moments for effect in two.effects]


def test_tables_have_names_of_their_own() -> None:
    for tables in (weak_hands.TABLES, lone_ace.TABLES, swapping.TABLES, belli_trap.TABLES, cut.TABLES, players.TABLES):
        labels = [table.label for table in tables if isinstance(table, Table)]
        assert len(labels) == len(set(labels)) == len(tables)
