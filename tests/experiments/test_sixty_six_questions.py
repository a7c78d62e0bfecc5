"""The questions about Sixty-Six: their classes on positions set by hand, exact facts, and every question run small."""

from __future__ import annotations

import importlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")

from cardsim.games.sixty_six.basics import takers as takers_of
from cardsim.games.sixty_six.layout import ACT_CLOSE, ACT_DRAW, ACT_EXCHANGE, PACK, PAIR_0
from cardsim.jit import DISABLED
from cardsim.registry import make_game
from cardsim.rng import new_streams, seed_stream
from cardsim.stats import Moments
from experiments.lab import Decisions, Line, Options
from experiments.sixty_six import closing, defence, exchange, first_lead, marriages, memory, trump_ten, trumps_dealt
from experiments.sixty_six.hands import (
    View,
    band,
    band_names,
    bits,
    count,
    highest_last,
    lowest_first,
    points_in,
    takers,
    unbeaten,
)
from experiments.sixty_six.weighing import Situations, one_a_deal
from tests.games.sixty_six_scenes import Scene, scene

QUESTIONS = (closing, memory, marriages, exchange, trump_ten, defence, first_lead, trumps_dealt)
compiled = pytest.mark.skipif(DISABLED, reason="plays hundreds of hands: needs compiled speed")


def cards(text: str) -> Any:
    """A set of cards, uint64 (1,)."""
    return np.array([sum(1 << PACK.card(name) for name in text.split())], np.uint64)


def names(sets: Any) -> set[str]:
    return set(PACK.cards_of(int(sets[0])))


def decided(table: Scene, text: str) -> Decisions:
    """The decision at a scene, at which its player would play `text`."""
    one = np.zeros(1, np.int64)
    action = np.array([table.game.notation.parse_action(text)])
    return Decisions(table.states, one, np.array([table.player]), one, action, 1, 0, 0)


def view(table: Scene, seat: int = 0) -> View:
    return View(table.states, np.array([seat]))


def told(found: Situations) -> tuple[str, str]:
    """The two ways to act of the only situation, as texts."""
    texts = Line(make_game("sixty_six"), ["random"] * 2).game.action_names
    return texts[int(found.follow[0])], texts[int(found.instead[0])]


# Cards


def test_sets_of_cards() -> None:
    assert points_in(np.array([0xFFFFFFFF], np.uint64)).tolist() == [120]
    assert count(cards("9H AH TD")).tolist() == [3]
    assert points_in(cards("9H AH TD QS")).tolist() == [24]
    assert names(unbeaten(cards("TH KH AS 9D"), cards("AH TS JD"))) == {"AS"}
    assert names(unbeaten(cards("AH TH KH QS"), cards("QH KS"))) == {"AH", "TH", "KH"}
    assert names(unbeaten(cards("AH TH QS JS"), cards("AH TH QS JS"))) == {"AH", "QS"}


def test_cheapest_and_dearest_cards() -> None:
    hearts = np.array([1])
    for held, low, high in (("9H AD TD JS", "JS", "9H"), ("AD TD KD", "KD", "AD"), ("9D JD", "9D", "JD")):
        assert PACK.text(int(lowest_first(cards(held), hearts)[0])) == low
        assert PACK.text(int(highest_last(cards(held), hearts)[0])) == high
    assert lowest_first(cards(""), hearts).tolist() == [-1] == highest_last(cards(""), hearts).tolist()


def test_the_cards_that_take_a_trick_are_those_of_the_rules() -> None:
    for trump in range(4):
        best = np.arange(32)
        found = takers(best, np.full(32, trump))
        assert [int(cards) for cards in found] == [int(takers_of(card, trump)) for card in range(32)]


def test_bands() -> None:
    assert band(np.array([0, 9, 10, 19, 20, 99]), (10, 20)).tolist() == [0, 0, 1, 1, 2, 2]
    assert band_names((10, 20)) == ["below 10", "10-19", "20+"]


# What a seat sees and counts


def test_hands_that_are_possible() -> None:
    table = scene("", "hands=9H,AH,QS,KS,JC,AC;TD,AD,TH,JH,QC,KC up=KH")
    assert view(table).ways().tolist() == [12376]  # 17 unseen cards, 6 of them with the opponent
    assert len(names(view(table).unseen)) == 17
    late = scene("", "tricks=5,5 points=40,40 hands=AH,9C;KC,JC up_first=KH")
    assert view(late).ways().tolist() == [1]


@compiled
def test_hands_that_are_possible_are_as_many_as_the_worlds() -> None:
    line = Line(make_game("sixty_six"), ["book", "book"])
    found = line.decisions(2, 0, 200, whose=(0, 1), most=40)
    seen = View(found.states, found.seat)
    shown = (seen.unseen & ~seen.out) != 0  # he has shown to lack some card that is still out
    small = np.flatnonzero((seen.ways() < 40) & (found.states["closer"] >= 0) & shown)[::9][:8]
    assert len(small) == 8
    streams = new_streams()
    for i in small:
        seat, want, hands = int(found.seat[i]), int(seen.ways()[i]), set()
        for number in range(40 * want):
            states = found.states[[i]].copy()
            seed_stream(streams[0], np.uint64(1), np.uint64(number), np.uint64(9))
            line.game.resample_hidden(states, seat, streams)
            hands.add(int(states["hand"][0, 1 - seat]))
        assert len(hands) == want


def test_counting_before_a_close() -> None:
    table = scene("", "hands=AH,TH,AS,9S,KD,QD;9H,JD,TD,KS,QS,JS up=KH tricks=1,1 points=20,10")
    seen = view(table)
    assert names(seen.winners) == {"AH", "TH", "AS"}
    assert seen.marriages.tolist() == [20] and names(seen.pairs) == {"KD", "QD"}
    # 20 points, 20 of the marriage, 11 + 10 and 2 catches of trumps, 11 and a catch of the ace of spades
    assert seen.reach.tolist() == [20 + 20 + 21 + 6 + 14] and seen.high_cards.tolist() == seen.reach.tolist()
    weak = scene("", "hands=9H,JC,AS,TS,AD,TD;AH,TH,QH,JH,KS,QS up=KH tricks=1,1 points=20,10 history=9C,QC/KC,TC")
    assert view(weak).high_cards.tolist() == [20 + 42 + 12]
    assert view(weak).reach.tolist() == [20 + 22 + 6]  # trumps are out: one round of each plain suit
    assert view(weak).standing.tolist() == [1]
    # the other diamonds are gone, so he can only trump the ace and the ten
    void = scene("", "hands=9H,JC,AS,TS,AD,TD;AH,TH,QH,JH,KS,QS up=KH tricks=1,1 points=20,10 history=9D,QD/KD,JD")
    assert view(void).reach.tolist() == [20 + 11 + 3]
    # three sure trumps against one that is out: both high spades count
    strong = scene("", "hands=AH,TH,QH,AS,TS,9C;9H,JD,TD,KS,QS,JS up=KH tricks=1,1 points=20,10 history=9D,AD/9S,JH")
    assert view(strong).reach.tolist() == [20 + 24 + 9 + 21 + 6]
    assert view(scene("", "hands=AH,TH,AS,9S,KD,QD;9H,JD,TD,KS,QS,JS up=KH")).standing.tolist() == [0]


def test_marriages_do_not_count_where_they_end_with_the_talon() -> None:
    words = "hands=AH,TH,AS,9S,KD,QD;9H,JD,TD,KS,QS,JS up=KH tricks=1,1 points=20,10"
    assert (view(scene("", words)).reach - view(scene("preset=pagat66", words)).reach).tolist() == [20]


def test_only_public_cards_of_the_opponent_are_read() -> None:
    rest = "up=KH tricks=1,1 points=20,10"
    table = scene("", f"hands=AH,TH,AS,9S,KD,QD;9H,JD,TD,KS,QS,JS {rest} history=9C,QC/9D,AD")
    same = scene("", f"hands=AH,TH,AS,9S,KD,QD;JS,JC,TC,KC,AC,TS {rest} history=9C,QC/9D,AD")
    other = scene("", f"hands=AH,TH,AS,9S,KD,QD;JS,JC,TC,KC,AC,TS {rest} history=9C,QC/9D,JD")
    for name in ("reach", "high_cards", "unseen", "out", "standing"):
        assert (getattr(view(table), name) == getattr(view(same), name)).all()
    assert (view(table).unseen != view(other).unseen).all()


# The situations of each question


def test_closing_is_weighed_at_leads_of_cards() -> None:
    table = scene("", "hands=AH,TH,AS,9S,KD,QD;9H,JD,TD,KS,QS,JS up=KH tricks=1,1 points=20,10")
    found = closing.look(decided(table, "9S"))
    assert told(found) == ("close", "9S")
    assert {name: int(cell[0]) for name, cell in found.cells.items()} == {
        "tip": 0,
        "reach": 7,
        "high cards": 7,
        "points, trumps": 5 * 2 + 2,
        "standing, talon": 6 * 1 + 3,
    }
    assert len(closing.look(decided(table, "pair D")).decisions) == 0


def test_closing_before_the_draw() -> None:
    table = scene("", "hands=AH,TH,AS,9S,KD,QD;9H,JD,TD,KS,QS,JS up=KH").play("AS", "JS")
    assert table.phase == "draw"
    found = closing.look_before_draw(decided(table, "draw"))
    assert (int(found.follow[0]), int(found.instead[0])) == (ACT_CLOSE, ACT_DRAW)
    assert len(closing.look(decided(table, "draw")).decisions) == 0


@pytest.mark.parametrize(
    ("words", "played", "ways", "kind"),
    [
        ("hands=KH,QH,AS,9S,JD,QD;9H,TD,KD,KS,QS,JS up=TH tricks=1,1 points=5,10", "pair H", "pair H 9S", "trump"),
        (
            "hands=KS,QS,AS,9C,JD,QD;9H,TD,KD,KC,QC,JS up=TH tricks=1,1 points=5,10",
            "AS",
            "pair S AS",
            "plain, first half of the talon",
        ),
        (
            "hands=KS,QS,AS,9C,JD,QD;9H,TD,KD,KC,QC,JS up=TH tricks=1,1 points=5,10",
            "QS",
            "pair S 9C",
            "plain, first half of the talon",
        ),
        (
            "hands=KH,QH,AS,9S,JD,QD;9H,TD,KD,KS,QS,JS up=TH tricks=1,1 points=26,10",
            "pair H",
            "pair H 9S",
            "reaches 66",
        ),
    ],
)
def test_marriages_are_weighed_against_a_lead_that_keeps_the_pair(
    words: str, played: str, ways: str, kind: str
) -> None:
    found = marriages.look(decided(scene("", words), played))
    assert " ".join(told(found)) == ways
    assert marriages.KINDS[int(found.cells["kind"][0])] == kind


def test_the_control_of_a_plain_suit() -> None:
    for held, gone, out in (("AS,TS", "9C,9D", 0), ("AS,9H", "9C,9D", 1), ("JC,9H", "9C,9D", 2), ("JC,9H", "AS,TS", 0)):
        words = f"hands=KS,QS,{held},JD,QD;TD,KD,KC,QC,JS,TC up=TH tricks=1,0 points=5,0 history={gone}"
        found = marriages.look(decided(scene("", words), "JD"))
        assert int(found.cells["plain"][0]) // len(marriages.TALONS) == out


@pytest.mark.parametrize(
    ("up", "held", "turned"),
    [
        ("JH", "AS", "jack"),
        ("QH", "AS", "queen"),
        ("QH", "KH", "queen, makes the marriage"),
        ("KH", "QH", "king, makes the marriage"),
        ("KH", "QS", "king"),
        ("TH", "AS", "ten"),
        ("AH", "AS", "ace"),
    ],
)
def test_the_exchange_by_the_turned_card(up: str, held: str, turned: str) -> None:
    table = scene("", f"hands=9H,{held},JC,JD,9C,KD;9S,TD,AD,KS,AC,JS up={up}")
    found = exchange.look_exchange(decided(table, "9C"))
    assert exchange.TURNED[int(found.cells["turned"][0])] == turned
    assert (int(found.follow[0]), told(found)[1]) == (ACT_EXCHANGE, "9C")


@pytest.mark.parametrize(
    ("hand", "led", "played", "ways", "cell"),
    [
        ("9H,JH,JC,JD,9C,KD", "AS", "9C", "9C 9H", "10 or 11 points led, with the trump jack or queen"),
        ("9H,AH,JC,JD,9C,KD", "QS", "9H", "9C 9H", "0 to 4 points led, without them"),
    ],
)
def test_keeping_the_lowest_trump(hand: str, led: str, played: str, ways: str, cell: str) -> None:
    table = scene("", f"hands={hand};AS,QS,TD,KS,AC,JS up=KH dealer=0").play(led)
    found = exchange.look_keep(decided(table, played))
    assert " ".join(told(found)) == ways
    cells = [f"{led} led, {beside}" for beside in exchange.BESIDE for led in exchange.LED]
    assert cells[int(found.cells["led"][0])] == cell
    trump_led = scene("", f"hands={hand};QH,QS,TD,KS,AC,JS up=KH dealer=0").play("QH")
    assert len(exchange.look_keep(decided(trump_led, "9C")).decisions) == 0


@pytest.mark.parametrize(
    ("hands", "led", "played", "ways", "tip"),
    [
        ("AH,JC,JD,9C,KD,9D;TH,QS,TD,KS,AC,JS", "TH", "AH", "AH 9D", trump_ten.TAKE),
        ("TH,JC,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS", "AC", "TH", "TH 9D", trump_ten.RICH),
        ("TH,JC,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS", "QS", "9C", "TH 9C", trump_ten.POOR),
        ("TH,JC,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS", "KS", "9C", "TH 9C", trump_ten.POOR),
        ("TH,JC,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS", "", "9C", "9C TH", trump_ten.HIDE),
        ("TH,JC,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS", "", "TH", "9D TH", trump_ten.HIDE),
    ],
)
def test_choices_about_the_trump_ten(hands: str, led: str, played: str, ways: str, tip: int) -> None:
    table = scene("", f"hands={hands} up=KH dealer={0 if led else 1}")
    found = trump_ten.look(decided(table.play(*led.split()), played))
    assert (" ".join(told(found)), int(found.cells["tip"][0])) == (ways, tip)


def test_the_trump_ten_is_safe_once_the_ace_is_seen() -> None:
    for words in ("hands=TH,JC,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS up=AH", "hands=TH,AH,JD,9C,KD,9D;9H,QS,TD,KS,AC,JS up=KH"):
        assert len(trump_ten.look(decided(scene("", words), "9C")).decisions) == 0


def test_choices_against_a_closer() -> None:
    words = "hands=TH,AH,TS,9S,KD,9D;9H,QS,AS,JS,AC,KC up=KH dealer=0 tricks=1,1 points=2,3 player=1"
    closed = scene("", words).play("close")
    found = defence.look(decided(closed.after("AS"), "9S"))
    assert (told(found), int(found.cells["tip"][0])) == (("9S", "TS"), defence.LOW)
    assert len(defence.look(decided(closed.after("JS"), "TS")).decisions) == 0
    takes = scene("", words.replace("9H,QS", "9H,JH")).play("close", "JH")
    assert takes.cards() == {"TH", "AH"} and len(defence.look(decided(takes, "TH")).decisions) == 0
    leading = closed.after("JS", "TS")
    found = defence.look(decided(leading, "9S"))
    assert (told(found), int(found.cells["tip"][0])) == (("9D", "AH"), defence.KEEP)
    plain = "hands=AC,TS,9S,KD,9D,JC;9H,QS,AS,JS,AH,KC up=KH dealer=0 tricks=1,1 points=2,3 player=1"
    found = defence.look(decided(scene("", plain).play("close", "JS", "TS"), "9S"))
    assert (told(found), int(found.cells["tip"][0])) == (("9S", "AC"), defence.CASH)
    assert len(defence.look(decided(scene("", words.replace("player=1", "player=0")), "9S")).decisions) == 0


def test_who_has_closed_is_seen_from_the_player_on_lead() -> None:
    words = "hands=TH,AH,TS,9S,KD,9D;9H,QS,AS,JS,AC,KC up=KH dealer=0 tricks=1,1 points=2,3 player=1"
    table = scene("", words)
    for played, way in (((), 0), (("close",), 2), (("close", "JS", "TS"), 1)):
        now = table.after(*played)
        trick, found, ways = memory.look(decided(now, min(now.cards())))
        assert (trick.tolist(), found.tolist()) == ([2 + (len(played) == 3)], [way]) and ways[0] > 100
    followed = table.after("JS")
    assert len(memory.look(decided(followed, "9S"))[0]) == 0


def test_one_situation_of_each_deal() -> None:
    number = np.repeat(np.arange(3000), np.tile([1, 2, 3], 1000))
    zeros = np.zeros(len(number), np.int64)
    found = Decisions(zeros, number, zeros, zeros, zeros, 1, 6000, 0)
    chosen = one_a_deal(found)
    assert number[chosen].tolist() == list(range(3000))
    place = chosen - np.searchsorted(number, number[chosen])
    for size in (1, 2, 3):
        counts = np.bincount(place[np.arange(3000) % 3 == size - 1], minlength=size)
        assert len(counts) == size and (np.abs(counts - 1000 / size) < 4 * np.sqrt(1000 / size)).all()
    assert len(one_a_deal(found.where(zeros > 0))) == 0


# Exact facts


def test_exact_figures_of_a_dealt_hand() -> None:
    schnapsen, base = trumps_dealt.exact("schnapsen"), trumps_dealt.exact("base")
    for found, facts in (
        (schnapsen, {"a marriage": (66, 323), "the trump marriage": (2, 57), "the lowest trump": (4, 19)}),
        (base, {"a marriage": (7031, 33649), "the trump marriage": (10, 253), "the lowest trump": (5, 23)}),
        (schnapsen, {"0 trumps": (1001, 3876), "1 trump": (455, 969), "2 trumps": (455, 1938), "3 trumps": (35, 969)}),
        (schnapsen, {"4 trumps": (5, 3876), "trumps on average": (20, 19), "card points": (30, 1)}),
        (base, {"trumps on average": (30, 23)}),
    ):
        for name, (top, bottom) in facts.items():
            assert found[name] == pytest.approx(float(Fraction(top, bottom)), rel=1e-12)
    assert [round(base[name], 6) for name in ("0 trumps", "1 trump", "2 trumps")] == [0.183898, 0.424381, 0.303129]


@compiled
@pytest.mark.parametrize("form", trumps_dealt.FORMS)
def test_sampled_hands_agree_with_exact_figures(form: str, tmp_path: Path) -> None:
    found = trumps_dealt.sampled(Options(seed=3, out=str(tmp_path), threads=1), form, 20_000)
    for name, want in trumps_dealt.exact(form).items():
        cell, share = found[name], "trumps on average" != name != "card points"
        error = np.sqrt(want * (1 - want) / cell.n) if share else cell.stderr
        assert abs(cell.mean - want) <= 4 * error, name


@compiled
def test_the_first_leader_among_random_players_of_another_engine(tmp_path: Path) -> None:
    facts = {"true": (0.472, 2.365, 0.446, 0.578), "false": (0.592, 1.804, 0.557, 0.0)}
    for closes, (wins, worth, pairs, closings) in facts.items():
        rules = f"sixty_six(preset=schnapsen,announce=forced,claims=auto,closing={closes},first_dealer=0)"
        game = make_game(rules)
        options = Options(seed=5, out=str(tmp_path), threads=1)
        led = first_lead.single(options, closes, game, "random", 40_000)
        assert abs(led.wins.mean - wins) < 4 * np.hypot(0.0035, led.wins.stderr)
        states, _ = Line(game, ["random", "random"]).play(5, 0, 40_000)
        counts = states["counts"][:, :2].sum(1)
        assert abs(counts[:, 1].mean() - worth) < 4 * 0.018 * np.sqrt(1.5)
        assert abs(counts[:, 4].mean() - pairs) < 4 * 0.005 * np.sqrt(1.5)
        assert abs(counts[:, 5].mean() - closings) < 4 * 0.005 * np.sqrt(1.5)


@compiled
def test_with_an_open_talon_the_hand_is_certain_from_the_seventh_trick(tmp_path: Path) -> None:
    found = memory.possible(Options(seed=2, out=str(tmp_path), threads=1), "base", "book", 600)
    one = found["one"]
    assert [one[trick].mean for trick in range(6)] == [0.0] * 6
    assert [one[trick].mean for trick in range(6, 12)] == [1.0] * 6
    assert found["bits"][0].mean == pytest.approx(memory.FINE * np.log2(12376), abs=1e-3)
    closed = memory.TRICKS + 7
    assert one[closed].n > 30 and one[closed].mean < 0.2


def test_the_page_is_judged_by_its_rounding() -> None:
    cell = Moments.from_samples(np.arange(100_000) % 1000 < 258)
    assert trumps_dealt.agrees("0 trumps", 0.26, cell) and not trumps_dealt.agrees("0 trumps", 0.27, cell)
    number = Moments.from_samples(np.arange(100_000) % 100 < 5)
    assert trumps_dealt.agrees("trumps on average", 0.1, number)
    assert not trumps_dealt.agrees("trumps on average", 0.2, number)


# Every question


@compiled
@pytest.mark.parametrize("module", QUESTIONS, ids=lambda module: module.QUESTION.id)
def test_every_question_runs_at_the_smallest_size(module: Any, tmp_path: Path) -> None:
    question = module.QUESTION
    assert importlib.import_module(f"experiments.{question.id}") is module
    finding = question.answer(Options(hands=1000, seed=7, out=str(tmp_path), threads=1))
    folder = tmp_path / question.id
    assert {"answer.md", "answer.json", "picture.png"} <= {path.name for path in folder.iterdir()}
    told = json.loads((folder / "answer.json").read_text())
    assert told["answer"] == finding.answer and "nan" not in finding.answer
    if question.id != "sixty_six.first_lead":
        assert finding.verdict is not None and told["verdict"] == finding.verdict.word
    if finding.effects:
        opponents = {effect.setting["opponents"] for effect in finding.effects}
        assert len(opponents) >= 2 and len({effect.name for effect in finding.effects}) == len(finding.effects)
    assert all(len(table.columns) > 2 for table in finding.frames().values())


@compiled
def test_a_question_gives_the_same_numbers_on_two_threads(tmp_path: Path) -> None:
    answers = []
    for threads in (1, 2):
        options = Options(hands=20_000, seed=3, out=str(tmp_path / str(threads)), threads=threads)
        finding = defence.run(options)
        answers.append([(effect.name, effect.moments) for effect in finding.effects])
    assert answers[0] == answers[1] and answers[0]


def test_actions_of_a_pair_are_those_that_are_weighed() -> None:
    names_of = make_game("sixty_six").action_names
    assert names_of[PAIR_0 : PAIR_0 + 4] == ("pair D", "pair H", "pair S", "pair C")
    assert int(bits(np.array([32]))[0]) == 0
