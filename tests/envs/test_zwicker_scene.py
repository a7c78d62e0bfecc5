"""What a picture of Zwicker shows, and to whom (WQ30, WP11, WP13)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardsim.games.zwicker.layout import ACT, ACT_BESIDE, CARD, GROUP
from cardsim_envs import zwicker_v0
from cardsim_envs.render import Scene
from cardsim_envs.zwicker_scene import scene
from tests.envs.playing import ZWICKER, Form, decisions

HANDS = "KD QD 5C 7C 9H 3H 2S 4S 9D 5D 4D KS"
"""Two players, seat 0 begins: KD 9H 2S 5C against QD 3H 4S 7C; on the table 9D 5D 4D KS."""


def dealt(cards: str, dealer: int, *preset: str, **rules: Any) -> Any:
    """An environment in which these cards are dealt first, and the others of its pack after them in order."""
    env = zwicker_v0.raw_env(*preset, render_mode="ansi", **rules)
    first = env.game.pack.parse(cards)
    rest = [card for card in env.game.deck() if card not in first]
    env.reset(seed=1, options={"deck": [*first, *rest], "dealer": dealer})
    return env


def play(env: Any, words: str) -> None:
    """Play actions given as texts with commas between them."""
    for word in words.split(", "):
        env.step(env.game.action_names.index(word))


def view_of(env: Any, show: str = "mover") -> Scene:
    """The picture."""
    return scene(env.game, env.states(), show)


def table(view: Scene) -> list[str]:
    """The items as texts."""
    return [" ".join(item.cards) + (f" = {item.value}" if item.value else "") for item in view.items or ()]


def numbers(view: Scene, mark: str) -> list[int]:
    """Numbers of the items with a mark, `playable` or `chosen`."""
    return [item.number for item in view.items or () if getattr(item, mark)]


def test_w08_hands_table_and_stock_as_they_are_dealt() -> None:
    view = view_of(dealt(HANDS, 1, players=2))
    assert view.heading == "player_0 plays a card"
    assert table(view) == ["9D", "5D", "4D", "KS"]
    assert [item.number for item in view.items or ()] == [1, 2, 3, 4] and not numbers(view, "playable")
    assert view.talon == 40 and view.in_play is None and not view.choices
    own, other = view.seats
    assert own.cards == ["KD", "9H", "2S", "5C"] and own.playable == {*own.cards} and own.to_act
    assert (other.cards, other.hidden, other.marks) == ([], 4, ["dealer"])


def test_w10_a_capture_shows_its_card_what_is_chosen_and_what_may_follow() -> None:
    env = dealt(HANDS, 1, players=2)
    play(env, "hand 1")
    view = view_of(env)
    assert (view.in_play, view.choices, view.seats[0].cards) == ("KD", ["take", "beside"], ["9H", "2S", "5C"])
    assert view.heading == "player_0 takes, lays on or lays beside" and view.seats[0].playable == frozenset()
    play(env, "take")
    view = view_of(env)
    assert view.in_play_note == "takes as 14" and view.heading == "player_0 takes"
    assert (numbers(view, "playable"), numbers(view, "chosen"), view.choices) == ([1, 4], [], [])
    play(env, "item 1")
    view = view_of(env)
    assert (numbers(view, "playable"), numbers(view, "chosen")) == ([2], [1])
    assert "this group so far: 9" in view.notes
    play(env, "item 2")
    view = view_of(env)
    assert (numbers(view, "playable"), numbers(view, "chosen"), view.choices) == ([4], [1, 2], ["finish"])
    assert not any("group" in note for note in view.notes)
    play(env, "item 4, finish")
    view = view_of(env)
    assert table(view) == ["4D"] and view.in_play is None and view.seats[1].to_act
    assert (view.seats[0].won, view.seats[0].notes, view.seats[0].marks) == (4, ["0 points"], ["took last"])


def test_w11_a_zwick_is_counted_and_leaves_an_empty_table() -> None:
    env = dealt(HANDS.replace("4D", "KH"), 1, players=2)
    play(env, "hand 1, take, item 1, item 2, item 3, item 4, finish")
    view = view_of(env)
    assert table(view) == [] and view.items == []
    assert view.seats[0].notes == ["3 points", "1 Zwick"] and view.seats[0].won == 5


def test_wp11_a_stack_shows_its_cards_lowest_first_its_value_and_keeps_its_place() -> None:
    env = dealt(HANDS, 1, players=2)
    play(env, "hand 3, lay on")
    view = view_of(env)
    assert (view.in_play, view.in_play_note, numbers(view, "playable")) == ("2S", "is laid on", [1, 2, 3])
    play(env, "item 2")
    assert table(view_of(env)) == ["9D", "5D 2S = 7", "4D", "KS"]
    play(env, "hand 2, lay on, item 2")
    assert table(view_of(env)) == ["9D", "5D 2S 3H = 10", "4D", "KS"]


def test_w20_a_build_tells_who_can_take_it() -> None:
    """Seat 1, whose partner is seat 3, makes 5 of the 3D with his 2S and holds the 5C (WP13)."""
    first = "9H 2S,TC TD,7S 7C,QD KD,3D JH 3S 8S TS,KC 5C,QS KS,TH 6D,8D 8C,X15 X17 X20 X22 X25"
    env = dealt(first, 0, "six_joker")
    assert view_of(env).seats[1].cards == ["9H", "2S", "5C", "KC"]
    play(env, "hand 2, lay on, item 1")
    view = view_of(env)
    assert table(view)[0] == "3D 2S = 5" and view.seats[2].to_act
    assert "players 1+3 can take 5" in view.notes
    assert [seat.marks for seat in view.seats] == [["dealer", "side 0"], ["side 1"], ["side 0"], ["side 1"]]


PAIR = "9H 2S,QD KD,JH TS TC,5C 7S,AD 4S,3S 8S 6C"
"""Two players with two jokers, seat 0 begins: 9H 2S 7S 5C against KD QD AD 4S; on the table JH TS TC 3S 8S 6C."""


def test_wp13_with_self_a_build_tells_of_the_builder_alone() -> None:
    env = dealt(PAIR, 1, "two_joker", players=2, build_needs="self")
    play(env, "hand 2, lay on")
    assert numbers(view_of(env), "playable") == [4]
    play(env, "item 4")
    assert "player_0 can take 5" in view_of(env).notes


def test_wq10_of_several_new_values_one_is_chosen_while_the_item_is_marked() -> None:
    env = dealt(PAIR, 1, "two_joker", players=2, build_needs="none")
    play(env, "hand 1, lay on, item 1")
    view = view_of(env)
    assert view.heading == "player_0 lays on an item: what value?"
    assert (view.in_play, numbers(view, "chosen"), numbers(view, "playable")) == ("9H", [1], [])
    assert view.choices == ["as 3", "as 11"]  # the jack is 2 or 12; 21 is no card's value


def test_wp04_equal_cards_stand_out_together_though_they_are_one_choice() -> None:
    cards = "5C 2D 3D 4D 6D,5C 2H 3H 4H 6H,9H 2S 3S 4S 6S,XW 2C 3C 4C 6C"
    env = dealt(cards, 4, "grupp", players=5)
    own = view_of(env).seats[0]
    assert own.cards == ["9H", "5C", "5C", "XW"] and own.playable == {"9H", "5C", "XW"}
    assert len(env.legal_actions()) == 3


def test_items_that_are_passed_over_are_not_playable() -> None:
    env = zwicker_v0.raw_env("no_joker", players=8, trail="free")
    found = set()
    for seed in range(30):
        env.reset(seed=seed)
        source = random.Random(seed)
        while not env.is_over:
            legal, state = env.legal_actions(), env.states()[0]
            view = view_of(env)
            assert [f"item {number}" for number in numbers(view, "playable")] == [
                f"item {int(name.split()[1]) + 32 * state['page']}"
                for name in map(env.game.action_names.__getitem__, legal)
                if name.startswith("item")
            ]
            found.add((int(state["phase"]), int(state["page"])))
            if state["phase"] == ACT and state["items"] < 36 and ACT_BESIDE in legal:
                env.step(ACT_BESIDE)
            else:
                env.step(legal[-1] if state["phase"] == CARD else source.choice(legal))
        if (GROUP, 1) in found:
            break
    assert (GROUP, 1) in found


POINTS = {"7D": 1, "7S": 1, "TD": 10}


@pytest.mark.parametrize("form", [ZWICKER[0], ZWICKER[2], ZWICKER[-1]], ids=str)
def test_piles_and_points_are_those_of_the_side_and_the_same_for_partners(form: Form) -> None:
    env = form.make()
    each = worth if form.rules["preset"] == "six_joker" else book_worth
    best = 0
    for seed in range(3):
        env.reset(seed=seed)
        sides = int(env.states()["rules"]["sides"][0])
        for _ in decisions(env, random.Random(seed)):
            state, view = env.states()[0], view_of(env)
            for side in range(sides):
                if state["zwicks"][side]:
                    continue
                packs = enumerate(state["pile"][side])
                cards = [env.game.pack.names[64 * p + k] for p, mask in packs for k in range(64) if int(mask) >> k & 1]
                points = sum(map(each, cards))
                mine = view.seats[side::sides]
                assert mine[0].won == len(cards) and not any(seat.won for seat in mine[1:])
                assert [seat.notes for seat in mine] == [[f"{points} point{'s' * (points != 1)}"]] * len(mine)
                best = max(best, points)
    assert best > 3


def book_worth(card: str) -> int:
    """Points without jokers (W15)."""
    return 2 if card[0] == "A" else POINTS.get(card, 0)


def worth(card: str) -> int:
    """Points with six jokers (W25)."""
    if card[0] == "X":
        return int(card[1:]) - 10
    return 3 if card == "TD" else int(card[0] in "TA" or card == "2S")


def test_all_hands_are_shown_on_request_and_otherwise_only_that_of_the_seat_to_act() -> None:
    env = ZWICKER[2].make()
    env.reset(seed=2)
    for mover in decisions(env, random.Random(2)):
        sizes = (env.states()["hand"][0, :4] != 128).sum(axis=1).tolist()
        for view in (view_of(env), view_of(env, "all")):
            assert [len(seat.cards) + seat.hidden for seat in view.seats] == sizes
        seat = env.possible_agents.index(mover)
        assert [seen.hidden for seen in view_of(env, "all").seats] == [0] * 4
        assert [len(seen.cards) for seen in view_of(env).seats] == [sizes[k] * (k == seat) for k in range(4)]


def test_wp03_cards_that_stay_unused_are_not_in_the_stock() -> None:
    env = zwicker_v0.raw_env("grupp", players=4, short_deal="unused")
    env.reset(seed=1)
    assert view_of(env).talon == 58 - 4 - 16 - 6
    for _ in decisions(env, random.Random(1)):
        assert view_of(env).talon % 16 == 0
    assert view_of(env).talon == 0


def test_the_heading_says_who_has_most_points_and_a_match_counts_them() -> None:
    env = zwicker_v0.raw_env("six_joker", match=True, n_deals=2)
    env.reset(seed=2)
    assert view_of(env).notes[0] == "deal 1 of 2, decision 0"
    for _ in decisions(env, random.Random(2)):
        scores = env.states()["scores"][0]
        assert [seat.notes[-1] for seat in view_of(env).seats] == [f"score {scores[seat % 2]}" for seat in range(4)]
    states = env.states()
    scores = states["scores"][0, :2]
    best = "players 0+2 have" if scores[0] > scores[1] else "players 1+3 have"
    assert scores[0] != scores[1] and view_of(env).heading == f"over: {best} most points"
    gained = states["gained"][0]
    assert [seat.notes[0].split()[1] for seat in view_of(env).seats] == [str(gained[seat % 2]) for seat in range(4)]
    states["scores"][0, 1] = states["scores"][0, 0]
    assert scene(env.game, states, "mover").heading == "over: most points are shared by 2"
    assert view_of(zwicker_reset(match=True, target=30)).notes[:2] == ["deal 1, decision 0", "match to 30 points"]


def zwicker_reset(**rules: Any) -> Any:
    """An environment at the start of an episode."""
    env = zwicker_v0.raw_env(**rules)
    env.reset(seed=1)
    return env
