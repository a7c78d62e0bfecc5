"""The referee of Zwicker by itself: packs, values and the deal."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from .zwicker import Referee
from .zwicker_options import FORMS, WILD, resolve
from .zwicker_play import play
from .zwicker_scenes import JOKER_FORMS, SEATS, plain, pose

# ---- packs, values, deal ------------------------------------------------------------------------------


def test_w6_w16_wq23_wq25_packs() -> None:
    sizes = {form: [len(resolve(form, {"players": n})[0].pack) for n in SEATS[form]] for form in FORMS}
    assert sizes["no_joker"] == [52, 52, 52, 104, 104, 104, 104]
    assert sizes["grupp"] == [58, 58, 58, 116, 116, 116, 116]
    assert [set(sizes[form]) for form in JOKER_FORMS] == [{58}, {53}, {54}, {55}, {56}]


def test_w7_single_values() -> None:
    game = Referee()
    assert [game.values(card) for card in ("KD", "QH", "JS", "AC", "TD", "2S")] == [
        (14,),
        (13,),
        (12,),
        (11,),
        (10,),
        (2,),
    ]
    assert Referee("grupp").values("AC") == (11,)


def test_w17_dual_values_and_jokers() -> None:
    game = Referee("six_joker")
    assert [game.values(card) for card in ("KD", "QH", "JS", "AC")] == [(4, 14), (3, 13), (2, 12), (1, 11)]
    assert [game.values(card) for card in ("TD", "7S", "X15", "X30")] == [(10,), (7,), (15,), (30,)]
    assert Referee("grupp").values(WILD) == tuple(range(2, 15))


def test_2_4_jokers_of_the_forms() -> None:
    found = {form: [card for card in Referee(form).form.pack if card[0] == "X"] for form in FORMS}
    assert found["one_joker"] == ["X15"]
    assert found["two_joker"] == ["X15", "X20"]
    assert found["three_joker"] == ["X15", "X20", "X25"]
    assert found["four_joker"] == ["X15", "X20", "X25", "X30"]
    assert found["six_joker"] == ["X15", "X17", "X20", "X22", "X25", "X30"]
    assert (found["no_joker"], found["grupp"]) == ([], [WILD] * 6)


def test_wp4_n_jokers_is_per_pack() -> None:
    assert Referee("grupp", players=4, n_jokers=2).form.pack.count(WILD) == 2
    assert Referee("grupp", players=5, n_jokers=2).form.pack.count(WILD) == 4


@pytest.mark.parametrize("form", ["no_joker", "grupp"])
def test_w8_wp1_book_forms_deal_singly(form: str) -> None:
    game = Referee(form, players=3)
    pack = game.form.pack
    game.deal(pack)
    assert game.hands == [sorted(pack[i:12:3]) for i in (2, 0, 1)]
    assert [item.cards for item in game.table] == [[card] for card in pack[12:16]]
    assert (game.stock, game.player) == (pack[16:], 1)


def test_w19_w20_wp1_joker_forms_deal_twos_and_halves() -> None:
    game = Referee("six_joker", players=4)
    game.start(2)
    pack = game.form.pack
    game.deal(pack)
    dealt = [sorted(pack[i : i + 2] + pack[i + 13 : i + 15]) for i in (0, 2, 4, 6)]
    assert [game.hands[seat] for seat in (3, 0, 1, 2)] == dealt
    assert plain(game) == pack[8:13] + pack[21:26]
    assert (game.stock, game.player) == (pack[26:], 3)


def test_wp1_half_of_an_odd_table_is_rounded_down() -> None:
    game = Referee("one_joker", players=2)
    pack = game.form.pack
    game.deal(pack)
    assert plain(game) == pack[4:6] + pack[10:13]


def test_2_2_tables() -> None:
    assert [Referee(form).form.table for form in FORMS] == [4, 10, 5, 6, 7, 8, 4]


@pytest.mark.parametrize(
    ("form", "table", "left"),
    [
        ("no_joker", 4, {2: 0, 3: 0, 4: 0, 5: 0, 6: 4, 7: 16, 8: 4}),
        ("six_joker", 10, {2: 0, 3: 0, 4: 0, 5: 8, 6: 0}),
        ("one_joker", 4, {2: 1, 3: 1, 4: 1}),
        ("one_joker", 5, {2: 0, 3: 0, 4: 0, 5: 8, 6: 0}),
        ("two_joker", 4, {2: 2, 3: 2, 4: 2}),
        ("two_joker", 6, {2: 0, 3: 0, 4: 0, 5: 8, 6: 0}),
        ("three_joker", 3, {2: 4, 3: 4, 4: 4}),
        ("three_joker", 7, {2: 0, 3: 0, 4: 0, 5: 8, 6: 0}),
        ("four_joker", 4, {2: 4, 3: 4, 4: 4}),
        ("four_joker", 8, {2: 0, 3: 0, 4: 0, 5: 8, 6: 0}),
        ("grupp", 4, {2: 6, 3: 6, 4: 6, 5: 12, 6: 16, 7: 0, 8: 16}),
    ],
)
def test_2_2_what_is_left(form: str, table: int, left: dict[int, int]) -> None:
    assert {n: Referee(form, players=n, table_cards=table).form.odd for n in left} == left


@pytest.mark.parametrize(
    ("form", "players", "short"),
    [
        ("no_joker", 6, [1, 1, 1, 1, 0, 0]),
        ("no_joker", 7, [3, 3, 2, 2, 2, 2, 2]),
        ("no_joker", 8, [1, 1, 1, 1, 0, 0, 0, 0]),
        ("six_joker", 5, [2, 2, 2, 1, 1]),
        ("grupp", 2, [3, 3]),
        ("grupp", 4, [2, 2, 1, 1]),
        ("grupp", 5, [3, 3, 2, 2, 2]),
        ("grupp", 8, [2] * 8),
    ],
)
def test_wq19_short_deal_singly(form: str, players: int, short: list[int]) -> None:
    game = Referee(form, players=players)
    game.start(1)
    play(game, random.Random(1))
    turns = Counter(seat for seat, _ in game.history)
    base = (len(game.form.pack) - game.form.table - game.form.odd) // players
    assert [turns[(2 + i) % players] - base for i in range(players)] == short


def test_wp3_short_deal_to_table() -> None:
    game = Referee("no_joker", players=7, short_deal="to_table")
    pack = game.form.pack
    game.deal(pack)
    assert (plain(game), game.stock) == (pack[28:48], pack[48:])
    game = Referee("six_joker", players=5, short_deal="to_table")
    pack = game.form.pack
    game.deal(pack)  # eighteen cards on the table: nine, then nine
    assert (plain(game), game.stock) == (pack[10:19] + pack[29:38], pack[38:])


def test_wp3_short_deal_unused() -> None:
    game = Referee("grupp", players=3, short_deal="unused")
    pack = game.form.pack
    game.deal(pack)
    assert (game.stock, game.unused) == (pack[16:52], pack[52:])


def test_wp3_three_jokers_with_the_attested_table() -> None:
    game = Referee("three_joker", players=4, table_cards=3)
    game.deal(game.form.pack)
    sizes = [len(game.hands[0])]
    while not game.deal_over:
        fresh = len(game.stock)
        game.apply(("beside", game.hands[game.player or 0][0]))
        if len(game.stock) < fresh:
            sizes.append(len(game.hands[0]))
    assert sizes == [4, 4, 4, 1]
    assert Counter(seat for seat, _ in game.history) == {seat: 13 for seat in range(4)}


def test_w12_w23_wq20_wp1_wp2_refill_when_all_are_out() -> None:
    stock = "2D 3D 4D 5D 6D 7D 8D 9D"
    game = pose("no_joker", ["KC", "QC", ""], "KS", stock)
    game.apply(("take", "KC", (0,)))
    assert (game.hands, game.player) == ([[], ["QC"], []], 1)
    game.apply(("beside", "QC"))
    assert game.hands == [["2D", "5D", "8D"], ["3D", "6D", "9D"], ["4D", "7D"]]  # from seat 0, left of the dealer
    assert (game.stock, game.player) == ([], 2)  # the turn just goes on


def test_wq19_seats_without_cards_are_skipped() -> None:
    game = pose("no_joker", ["KC QC", "", "QS"], "KS")
    game.apply(("take", "KC", (0,)))
    assert game.player == 2


def test_wq29_the_opening_table_stays_as_dealt() -> None:
    game = Referee("six_joker", players=2)
    pack = sorted(game.form.pack, key=lambda card: card[0] != "X")
    game.deal(pack[:4][::-1] + pack[4:])
    assert [item.kind for item in game.table] == ["card"] * 10
