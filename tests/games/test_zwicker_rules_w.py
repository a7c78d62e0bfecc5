"""The rules that the source text states, W1 to W25, one test each, on small positions and deals."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from cardsim.contract import TERMINAL
from cardsim.games.zwicker.rules import PRESETS
from tests.games.zwicker_scenes import BOOK_VALUES, DUAL, SUITS, dealt, make, posed, shuffled

TWO = "players=2"
SIX = "preset=six_joker,players=2"
GRUPP = "preset=grupp,players=2"
JOKERS = ("X15", "X17", "X20", "X22", "X25", "X30")


def test_w01_two_to_eight_players_clockwise() -> None:
    for players in range(2, 9):
        table = dealt(f"players={players},trail=free", dealer=0)
        order = []
        for _ in range(players):
            order.append(table.player)
            table.turn(f"{table.cards_of(table.player)[0]} beside")
        assert order == [*range(1, players), 0]
    for players in (1, 9):
        with pytest.raises(ValueError, match=f"players={players}"):
            make(f"players={players}")


def test_w02_the_game_is_played_with_none_to_six_jokers() -> None:
    counts = {name: len(form.jokers) for name, form in PRESETS.items()}
    assert counts == {
        "no_joker": 0, "six_joker": 6, "one_joker": 1, "two_joker": 2, "three_joker": 3, "four_joker": 4, "grupp": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "cards"),
    [("one_joker", 53), ("two_joker", 54), ("three_joker", 55), ("four_joker", 56), ("six_joker", 58)],
)
def test_w03_the_packs_with_jokers(preset: str, cards: int) -> None:
    game = make(f"preset={preset}")
    deck = [game.pack.text(card) for card in game.deck()]
    assert len(deck) == len(set(deck)) == cards
    assert sum(text[0] == "X" for text in deck) == cards - 52


def test_w04_jokers_stand_for_any_card() -> None:
    from_hand = posed(GRUPP, "XW; 2D", "2H 9C KC 5S+6D=11")
    assert from_hand.takes("XW") == {"2H", "9C", "KC", "6D", "2H 9C", "2H 9C 6D", "2H 6D"}, "at 2, 9, 11, 13 and 14"
    on_table = posed(GRUPP, "9D; 2D", "XW 4C")
    assert on_table.takes("9D") == {"XW", "XW 4C"}, "as a 9, and as a 5"
    alone = posed(f"{GRUPP},lone_joker_by_joker=true", "9D XW; 2D", "XW")
    assert (alone.takes("9D"), alone.takes("XW")) == (set(), {"XW"}), "(a)"
    swept = posed(f"{GRUPP},joker_sweep_counts=false", "XW 9C; 2D", "9D 9H").turn("XW take 9D 9H")
    assert (swept.items(), swept.zwicks) == ([], [0, 0]), "(b)"
    stays = posed(f"{GRUPP},jokers_stay=true", "9D; 2D", "XW 9C 4C").turn("9D take 9C")
    assert stays.items() == ["XW", "4C"] and posed(f"{GRUPP},jokers_stay=true", "9D", "XW").takes("9D") == set(), "(c)"


def test_w05_each_real_joker_has_a_value_to_match_and_one_to_score() -> None:
    for joker in JOKERS:
        table = posed(SIX, f"{joker}; 2D", f"9C 3C {JOKERS[joker == 'X15']} 6H+7C={joker[1:]}")
        assert table.takes(joker) == {"7C"}, "nothing but its own value"


def test_w06_one_pack_and_two_when_more_than_four_play() -> None:
    for players in range(2, 9):
        deck = Counter(map(make(TWO).pack.text, make(f"players={players}").deck()))
        assert set(deck) == {rank + suit for rank in BOOK_VALUES for suit in SUITS}
        assert set(deck.values()) == {1 if players <= 4 else 2}


@pytest.mark.parametrize("rank", BOOK_VALUES)
def test_w07_single_values_without_jokers(rank: str) -> None:
    for other, value in BOOK_VALUES.items():
        table = posed(TWO, f"{rank}D; 2D", f"{other}C")
        assert (table.takes(f"{rank}D") == {f"{other}C"}) == (value == BOOK_VALUES[rank])


def test_w08_four_cards_each_singly_and_four_on_the_table() -> None:
    game = make("players=3")
    table = shuffled("players=3", 4)
    deck = game.deck()
    dealt_cards = dealt("players=3", "2C 3C 4C 5C; 6C 7C 8C 9C; TC AC JC QC", "KD KH KS KC", dealer=2)
    assert [dealt_cards.cards_of(seat) for seat in range(3)] == [
        ["2C", "3C", "4C", "5C"], ["6C", "7C", "8C", "9C"], ["TC", "AC", "JC", "QC"],
    ]  # fmt: skip
    assert dealt_cards.items() == ["KD", "KH", "KS", "KC"]
    assert table.stock == len(deck) - 3 * 4 - 4


def test_w09_a_card_takes_equal_cards_and_sums() -> None:
    assert posed(TWO, "KD; 2D", "9C 5H 3S").takes("KD") == {"9C 5H"}
    assert posed(TWO, "7D; 2D", "7C 6H").takes("7D") == {"7C"}
    table = posed(TWO, "KD 2C; 2D", "9C 5H 3S").turn("KD take 9C 5H")
    assert (table.items(), table.pile(0), table.player) == (["3S"], ["5H", "9C", "KD"], 1)


def test_w10_one_card_may_take_several_groups() -> None:
    table = posed(TWO, "QD; 2D", "QH QS 9C 4C KS")
    assert "QH QS 9C 4C" in table.takes("QD")
    assert table.turn("QD take QH QS 9C 4C").items() == ["KS"]


def test_w11_clearing_the_table_is_a_zwick() -> None:
    table = posed(TWO, "KD 2C; 2D", "9C 5H")
    assert table.after().turn("KD take 9C 5H").zwicks == [1, 0]
    left = posed(TWO, "KD 2C; 2D", "9C 5H 3S").turn("KD take 9C 5H")
    assert left.zwicks == [0, 0]


def test_w12_four_new_cards_when_the_hand_is_used_up() -> None:
    table = posed("players=2,trail=free", "2D; 3D", "KC", stock="4D 5D 6D 7D 8D 9D TD JD 2H")
    table.turn("2D beside")
    assert (table.cards_of(0), table.stock) == ([], 9), "not before all are out"
    table.turn("3D beside")
    assert (table.cards_of(0), table.cards_of(1), table.stock) == (
        ["4D", "6D", "8D", "TD"],
        ["5D", "7D", "9D", "JD"],
        1,
    )


def test_w13_who_does_not_take_lays_a_card_on_another_up_to_14() -> None:
    table = posed(TWO, "5D; 4S 9S", "9C TC 2H")
    assert table.acts("5D") == {"on"}
    assert table.news("5D", "9C") == {14} and table.news("5D", "2H") == {7} and table.news("5D", "TC") == set()
    assert table.turn("5D on 2H").items() == ["9C", "TC", "2H+5D=7"]
    assert posed(TWO, "7D; 2D", "9C 2H+5D=7 KC").takes("7D") == {"5D"}, "a stack is taken at its total"
    assert posed(TWO, "5C; 2D", "9C 2H+5D=7 KC").takes("5C") == set()


def test_w14_the_deal_ends_when_all_cards_are_used() -> None:
    table = shuffled(TWO, 3)
    played = 0
    while table.player >= 0:
        table.play_on(random.Random(played), 1)
        played += 1
    assert (played, table.stock, table.cards_of(0), table.cards_of(1)) == (48, 0, [], [])
    assert table.game.current_player(table.states) == TERMINAL and sum(table.gained) >= 20


def ended(rules: str, piles: str, table: str = "KC") -> list[int]:
    """Points of a deal that ends with seat 0 laying a card beside, with these piles; nobody has captured last."""
    scene = posed(rules, "KD", table, piles=piles)
    return scene.turn("KD beside").gained


@pytest.mark.parametrize(
    ("cards", "points"),
    [("7D", 1), ("7S", 1), ("7H", 0), ("AC", 2), ("AD", 2), ("TD", 10), ("TH", 0), ("2S", 0), ("KS", 0)],
)
def test_w15_points_without_jokers(cards: str, points: int) -> None:
    free = f"{TWO},trail=free"
    assert ended(free, f"2H 3H 4H 5H;{cards} 6H") == [1, points], "most cards 1"
    swept = posed(free, "9D 2C; 2D", "9C").turn("9D take 9C", "2D beside", "2C on 2D")
    assert swept.zwicks == [1, 0] and swept.gained == [3 + 1, 0], "a Zwick 3"


@pytest.mark.parametrize("players", range(2, 7))
def test_w16_two_to_six_players_four_and_six_in_two_parties(players: int) -> None:
    table = shuffled(f"preset=six_joker,players={players}", 1)
    assert table.sides == (2 if players in (4, 6) else players)
    with pytest.raises(ValueError, match="players=7"):
        make("preset=six_joker,players=7")


@pytest.mark.parametrize("rank", BOOK_VALUES)
def test_w17_dual_values_with_jokers(rank: str) -> None:
    values = {BOOK_VALUES[rank]} | ({DUAL[rank]} if rank in DUAL else set())
    for value in (*range(1, 15), *(int(joker[1:]) for joker in JOKERS)):
        table = posed(SIX, f"{rank}D; 8S", f"2C+3C={value}")
        assert (table.takes(f"{rank}D") == {"3C"}) == (value in values), value
    for joker in JOKERS:
        assert posed(SIX, f"{joker}; 8S", f"2C+3C={joker[1:]}").takes(joker) == {"3C"}


def test_w18_the_value_is_fixed_only_when_a_card_is_played_taken_or_built_on() -> None:
    table = posed(SIX, "JD 4D; 4S", "KC 2C")
    assert table.turn("JD beside").takes("4S") == {"KC", "2C JD", "KC 2C JD"}, "the king as 4, the jack as 2"
    both = posed(SIX, "KD; 8S", "KC 3C AC TC")
    assert both.takes("KD") == {"KC", "3C AC", "KC 3C AC", "KC TC", "3C AC TC", "KC 3C AC TC"}, (
        "at 4 or 14, each as it fits"
    )
    built = posed(SIX, "5D 9C; 8S", "KC")
    assert built.news("5D", "KC") == {9}, "the king as 4, since no hand holds 19"


def test_w19_two_five_two_five() -> None:
    game = make("preset=six_joker,players=2")
    pack = [game.pack.text(card) for card in game.deck()]
    table = dealt(SIX, "2D 3D 4D 5D; 6D 7D 8D 9D", "TD AD JD QD KD 2H 3H 4H 5H 6H")
    assert (table.cards_of(0), table.cards_of(1)) == (["2D", "3D", "4D", "5D"], ["6D", "7D", "8D", "9D"])
    assert table.items() == ["TD", "AD", "JD", "QD", "KD", "2H", "3H", "4H", "5H", "6H"]
    in_order = [game.pack.text(card) for card in game.deal_given(game.deck(), 1)["hand"][0][0]]
    assert in_order == [*pack[:2], *pack[9:11]] and table.stock == 58 - 18


def test_w20_forehand_begins_and_takes_builds_or_lays_beside() -> None:
    table = dealt("preset=six_joker,players=3", "4D 5C 9S; 2D", "9C 4H", dealer=1)
    assert table.player == 2
    seen = posed(SIX, "5D 9S; 8S", "9C 4H")
    assert seen.acts("9S") == {"take", "beside"} and seen.acts("5D") == {"on", "beside"}
    assert seen.turn("5D on 4H as 9").items() == ["9C", "4H+5D=9"]


def test_w21_building_for_the_partner() -> None:
    four = "preset=six_joker,players=4"
    assert posed(four, "5D 8D; 9C; 9S; 2S", "4H").news("5D", "4H") == {9}
    assert posed(four, "5D 8D; 9C; 2C; 9S", "4H").news("5D", "4H") == set(), "an opponent's nine is no help"


def test_w22_a_zwick_with_jokers_is_one_point() -> None:
    table = posed(SIX, "9D 3S; 8S", "9C").turn("9D take 9C", "8S beside", "3S beside")
    assert table.zwicks == [1, 0] and table.gained == [1 + 3, 0], "and three for most cards"


def test_w23_four_more_each_until_the_stock_is_gone() -> None:
    table = shuffled("preset=six_joker,players=4", 5)
    sizes: list[list[int]] = []
    while table.player >= 0:
        before = table.stock
        table.play_on(random.Random(len(sizes)), 1)
        if table.stock < before:
            sizes.append([len(table.cards_of(seat)) for seat in range(4)])
    assert sizes == [[4, 4, 4, 4]] * 2 and table.stock == 0


def test_w24_the_last_capturer_gets_what_is_left() -> None:
    table = posed(SIX, "9D 3S; 8S KD", "9C 6C").turn("9D take 9C", "8S beside", "3S beside", "KD beside")
    assert table.items() == [] and table.pile(0) == sorted(["9C", "9D", "6C", "8S", "3S", "KD"])
    assert table.zwicks == [0, 0]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("X15", 5), ("X17", 7), ("X20", 10), ("X22", 12), ("X25", 15), ("X30", 20), ("TD", 3), ("TC", 1), ("TS", 1),
        ("TH", 1), ("AD", 1), ("AS", 1), ("2S", 1), ("2C", 0), ("7D", 0), ("KS", 0),
    ],
)  # fmt: skip
def test_w25_points_with_jokers(cards: str, points: int) -> None:
    assert ended(SIX, f"2H 3H 4H 5H;{cards} 6H") == [3, points], "most cards 3"


def test_every_rule_has_a_test() -> None:
    numbers = {int(match[1]) for name in globals() if (match := re.match(r"test_w(\d\d)_", name))}
    assert numbers == set(range(1, 26))
