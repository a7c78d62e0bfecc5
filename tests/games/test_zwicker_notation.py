"""Zwicker as text: what is written reads back byte by byte, what is malformed is refused in one line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsim import contract
from cardsim.games.zwicker import notation, positions
from cardsim.games.zwicker.game import GAME
from cardsim.games.zwicker.invariants import check_state
from cardsim.games.zwicker.layout import ACT_NEXT, ACTION_NAMES, CARD, DEALS, GROUP, NO_CARD, NOBODY, PACK, PHASES
from cardsim.games.zwicker.notation import Hand, parse_hand, parse_position, parse_rules, position_text, replay
from cardsim.games.zwicker.position_cards import card_text, find_card
from cardsim.games.zwicker.rules import deck, make_rules
from cardsim.testing import check_game
from tests.games.texts import (
    NO_TEXTS,
    changed,
    check_action_text,
    check_damaged_position,
    check_no_text,
    check_round_trip,
    damaged,
    legal,
    one_line,
)
from tests.games.zwicker_texts import FORMS, MIDDLE, STOCK, play

KNOWN = ("promised", "lacks", "asked", "denied")


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_position_reads_back_byte_by_byte(options: dict[str, Any]) -> None:
    """Every seventh state, and all between and after deals."""
    rules = make_rules(**options)
    for seed, calm in enumerate((0.0, 0.6)):
        for number, states in enumerate(play(rules, seed, calm=calm)):
            if number % 7 == seed or states["player"][0] == NOBODY:
                check_round_trip(notation, rules, states)
                check_state(states, 0)


def test_the_round_trip_has_met_every_phase_and_the_rare_fields() -> None:
    met = set()
    for options in FORMS:
        for seed, calm in enumerate((0.0, 0.6)):
            for states in play(make_rules(**options), seed, calm=calm):
                state = states[0]
                met.add(PHASES[state["phase"]])
                met |= {field for field in (*KNOWN, "page", "zwicks", "gained") if state[field].any()}
                for name, there in (
                    ("between deals", state["phase"] == 0 and state["deck_pos"]),
                    ("more than 64 items", state["items"] > 64),
                    ("full group", state["phase"] == GROUP and int(state["sums"]) >> int(state["value"]) & 1),
                    ("nobody captured", state["phase"] == 7 and state["capturer"] == NOBODY),
                    ("jokers left", state["phase"] == 7 and state["capturer"] != NOBODY and state["items"]),
                    ("unused cards", state["phase"] == 7 and (state["deck"] != NO_CARD).any()),
                    ("a penalty", (state["gained"] < 0).any()),
                    ("a wild joker laid on", (state["under"][58:64] != NO_CARD).any()),
                ):
                    met |= {name} if there else set()
    assert met == {
        *PHASES, *KNOWN, "page", "zwicks", "gained", "between deals", "more than 64 items",
        "full group", "nobody captured", "jokers left", "unused cards", "a penalty", "a wild joker laid on",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"preset": "six_joker"}, {"preset": "grupp", "players": 3, "match": True}], ids=str
)
def test_worlds_read_back_and_hands_replay(options: dict[str, Any]) -> None:
    assert check_game(GAME.make(**options), 1).worlds > 20


def test_a_record_is_as_good_as_an_array_of_one() -> None:
    rules, states = parse_position(MIDDLE)
    assert position_text(rules, states[0]) == position_text(rules, states)


def test_a_state_is_not_written_under_other_rules() -> None:
    with pytest.raises(ValueError, match="not made under"):
        position_text(make_rules("six_joker"), parse_position(MIDDLE)[1])


@pytest.mark.parametrize(("field", "value"), [("reach", 1), ("present", 4), ("target", 1), ("gained", 3)])
def test_a_state_that_no_text_stands_for_is_not_written(field: str, value: int) -> None:
    rules, states = parse_position(MIDDLE)
    states[field] = value
    with pytest.raises(ValueError, match="no text stands for it") as error:
        position_text(rules, states)
    one_line(error)


def test_a_capture_that_no_groups_make_is_not_written() -> None:
    rules, states = parse_position(MIDDLE)
    states["chosen"][0, 0], states["first"], states["last"], states["sums"] = 0b101, 0, 0, 1
    with pytest.raises(ValueError, match="do not split into groups"):
        position_text(rules, states)


def test_a_position_by_hand_plays_on() -> None:
    """The stock left out is what is left, in order; counts left out are such as there may have been."""
    short = MIDDLE.lower().replace(f" stock={STOCK.lower()}", "").replace("zwicker(", " zwicker(")
    rules, states = parse_position(short)
    assert states.tobytes() == parse_position(MIDDLE)[1].tobytes()
    state = states[0]
    assert (state["phase"], state["player"], state["card"], state["value"]) == (GROUP, 0, PACK.card("KD"), 14)
    assert notation.legal_texts(contract.legal_actions(state)) == ["item 2"]
    for name in ("item 2", "finish"):
        contract.apply_action(states[0], notation.parse_action(name, contract.legal_actions(states[0])))
    text = position_text(rules, states)
    assert "table=7D+6D=13@1 piles=2D,5D,KD,2H,9H;- capturer=0 stock=3D," in text and "counts.captures=2,0" in text
    assert "turn=" not in text and "player=" not in text
    check_round_trip(notation, rules, states)


@pytest.mark.parametrize("options", [{"players": 8}, {"preset": "grupp", "players": 5}], ids=str)
def test_every_card_has_its_own_text(options: dict[str, Any]) -> None:
    """Bare texts of cards that are alike are taken one after the other."""
    cards = deck(make_rules(**options))
    assert len({card_text(card) for card in cards}) == len(cards)
    assert [find_card(card_text(card).lower(), set()) for card in cards] == cards
    free = set(cards)
    for card in sorted(cards, key=lambda card: (PACK.text(card), card)):
        assert find_card(PACK.text(card), free) == card
        free.discard(card)


def test_copies_may_be_written_without_marks() -> None:
    hands = "5C,5C,6C,6D;7C,7D,7H,7S;8C,8D,8H,8S;9C,9D,9H,9S;TC,TD,TH,TS"
    table = f"zwicker(players=5) dealer=4 hands={hands} table=2C,2C',{{}},{{}}"
    state = parse_position(table.format("3C", "3C"))[1][0]
    assert state["hand"][0].tolist() == [PACK.card("6D"), PACK.card("5C"), 64 + PACK.card("5C"), PACK.card("6C")]
    assert state["top"][:4].tolist() == [PACK.card("2C"), 64 + PACK.card("2C"), PACK.card("3C"), 64 + PACK.card("3C")]
    with pytest.raises(ValueError, match=r"card 2C' in table \(item 4\): is not in this pack, or has a place already"):
        parse_position(table.format("3C", "2C'"))


def words(text: str, **keys: Any) -> str:
    for key, value in keys.items():
        text = changed(text, key, value)
    return text


FRESH = words(MIDDLE, hands="9D,KD,KH,2D;TD,JD,QD,7D", table="5D,9H,6D,2H", piles="-", capturer="-", turn="-")
BUILDS = (
    "zwicker(preset=six_joker) dealer=3 player=1 hands=5D,8S,QD;5H,6H,KD,X20;8D,8H,9C,3C;2D,3S,4S,6S"
    " table=8C,AC,7D+2H=9@0,7H,2S,3H,4H,5S,6C,7S promised=9;- counts.laid_on=1,0,0,0"
)
SESSION = words(MIDDLE.replace("players=2", "players=2,match=true"), turn="-", deals="1", scores="11,13", left_over="0")
OVER = (
    "zwicker(preset=one_joker,players=2,table_cards=44,stale_build_penalty=3,match=true,n_deals=1) dealer=1 phase=over"
    " capturer=0 piles=2D,3D,4D,5D,6D,7D,8D,9D,TD,AD,JD,QD,KD,2H,3H,4H,5H,6H,7H,8H,9H,TH,AH,JH,QH,KH,2S,3S,4S,5S,6S,7S,"
    "8S,9S,TS,AS,JS,QS,KS,2C,3C,4C,5C,6C,7C,8C,9C,TC,AC,JC,QC;X15,KC"
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (FRESH.replace("KH,2D", "KD,2D"), "card KD in hands (seat 0): is not in this pack, or has a place already"),
        (FRESH.replace("KH,2D", "KD',2D"), "card KD' in hands (seat 0): is not in this pack"),
        (FRESH.replace("KH,2D", "X15,2D"), "card X15 in hands (seat 0): is not in this pack"),
        (FRESH.replace("KH,2D", "ZZ,2D"), "'ZZ'"),
        (FRESH.replace("KH,2D;", "KH,2D,7D;").replace(",7D ", " "), "seat 0 has 5 cards, must have at most 4"),
        (FRESH.replace("3D,4D", "4D"), "3D missing: all 52 cards need a place"),
        (FRESH.replace("2D;TD", "2D,TD"), "2 entries"),
        (words(FRESH, stock=STOCK + ",7D", hands="9D,KD,KH,2D;TD,JD,QD"), "stock: 41 cards are left, which is not"),
        (words(FRESH, player="0", hands="9D,KD,KH;TD,JD,QD,2D", table="5D,9H,6D,2H,7D"), "with hands of 3, 4"),
        (words(FRESH, player="1"), "it cannot be the turn of seat 1 with hands of 4, 4 cards"),
        (words(FRESH, player="2"), "player '2'"),
        (words(FRESH, dealer="2"), "dealer '2': must be a seat from 0 to 1"),
        (FRESH.replace("dealer=1", ""), "dealer=... is missing"),
        (words(FRESH, phase="card"), "phase 'card': must be deal or over"),
        (words(FRESH, phase="over"), "hands=9D"),
        (words(MIDDLE, phase="over", hands="-"), "turn=hand2,take,item1: the deal is over"),
        (words(FRESH, capturer="0"), "capturer=0: his side has captured nothing"),
        (words(MIDDLE, capturer="-"), "capturer=-: somebody must have captured the piles"),
        (words(MIDDLE, capturer="1"), "capturer=1: his side has captured nothing"),
        (words(MIDDLE, piles="2D,2H"), "2 entries"),
        (words(MIDDLE, zwicks="2,0"), "zwicks=2,0: side 0 has captured 2 cards"),
        (words(MIDDLE, zwicks="0,1"), "zwicks=0,1: side 1 has captured 0 cards"),
        (words(MIDDLE, turn="hand4"), "turn=hand4: action 'hand4' is not legal; legal: hand 1, hand 2, hand 3"),
        (words(MIDDLE, turn="hand2,shoot"), "action 'shoot' is not legal; legal: take"),
        (words(MIDDLE, turn="hand2,take,item1,item2,finish"), "must break off before the turn is over"),
        (words(MIDDLE, turn="hand2,take,item1,item2,finish,hand1"), "legal: none"),
        (MIDDLE.replace("=13@1", ""), "must be a card such as 9D, or cards, value and builder"),
        (MIDDLE.replace("7D+6D=13@1", "7D=7@1,6D"), "item 3, 7D=7@1: must be a card"),
        (MIDDLE.replace("=13@1", "=13"), "must be a card such as 9D, or cards, value and builder"),
        (MIDDLE.replace("=13@1", "=12@1"), "item 3 cannot have the value 12"),
        (MIDDLE.replace("=13@1", "=31@1"), "table '31': must be a number from 1 to 30"),
        (MIDDLE.replace("=13@1", "=13@2"), "table '2': must be a seat from 0 to 1"),
        (words(MIDDLE, **{"counts.laid_on": "0,0"}), "counts.laid_on=0,0: seat 1 has laid a card on item 3"),
        (words(MIDDLE, **{"counts.laid_on": "1,1"}), "with counts.laid_on, seat 0 has had only 1 turns"),
        (words(MIDDLE, **{"counts.captures": "0,0"}), "items must have been taken, at least one by each capture"),
        (words(MIDDLE, **{"counts.captures": "1,1"}), "seat 1 has had only 1 turns"),
        (words(MIDDLE, **{"counts.wins": "1,0"}), "counts.wins=1,0: must be 0,0"),
        (words(MIDDLE, left_over="1"), "items must have been taken"),
        (words(MIDDLE, decisions="9"), "decisions=9: must be at least 10"),
        (words(MIDDLE, longest_table="3"), "longest_table=3: must be at least 4"),
        (words(MIDDLE, longest_table="99"), "longest_table=99: must be at most 52"),
        (words(MIDDLE, deals="1", scores="3,4"), "deals=1: must be at most 0, by the rules and the phase"),
        (words(MIDDLE, scores="3,4"), "scores=3,4: no deal is over yet"),
        (words(MIDDLE, gained="3,4"), "gained=3,4: the deal is not over"),
        (words(MIDDLE, promised="5;-"), "promised=5;-: party 0 holds no card of such a value"),
        (words(MIDDLE, lacks="5;-"), "lacks=5;-: seat 0 holds such a card, or has not shown that he does not"),
        (words(MIDDLE, asked="5;-"), "asked=5;-: seat 0 has no partner with such a card"),
        (words(MIDDLE, denied="5;-"), "denied=5;-: seat 0 has a partner"),
        (words(MIDDLE, lacks="x;-"), "lacks 'x': must be a number from 1 to 30"),
        (words(BUILDS, promised="7;-"), "promised=7;-: party 0 holds no card of such a value"),
        (words(BUILDS, promised="-;9"), "promised=-;9: party 1 holds no card"),
        (words(BUILDS, asked="7;-;-;-"), "seat 0 has no partner with such a card"),
        (words(BUILDS, denied="9;-;-;-"), "seat 0 has a partner with such a card"),
        (BUILDS.replace("=9@0", "=18@0"), "item 3 cannot have the value 18"),
        (words(SESSION, deals="2"), "deals=2: must be at most 1, by the rules and the phase"),
        (words(SESSION, scores="20001,0"), "1 deals cannot have brought so many points"),
        (words(SESSION, scores="-1,0"), "without stale_build_penalty nobody has less than 0"),
        (words(SESSION.replace("match=true", "match=true,target=13")), "scores=11,13: had ended the match"),
        (SESSION.replace("scores=11,13", ""), "deals=1: needs scores"),
        (words(SESSION, left_over="53"), "items must have been taken"),
        (words(SESSION, **{"counts.wins": "1,1"}), "counts.wins=1,1: must be at most 1 together in 1 deals"),
        (words(SESSION, **{"counts.penalty": "1,1"}), "counts.penalty=1,1: must be multiples of 0"),
        (words(OVER, phase="deal", dealer="0", deals="1"), "phase=deal: must be over, by the rules, deals and scores"),
        (words(OVER, deals="0"), "deals=0: must be at least 1, a deal is over"),
        (words(OVER, gained="13,5"), "side 0 must have 14, penalties apart"),
        (words(OVER, scores="18,5"), "scores=18,5: must be 14,5"),
        (OVER.replace("piles=2D,", "table=2D piles="), "capturer=0: takes what is left"),
        (words(OVER, **{"counts.cards": "51,3"}), "counts.cards=51,3: must be 51,2"),
        (words(FRESH, colour="3"), "'colour=3'"),
        (FRESH + " table=KH", "twice"),
        (FRESH.replace("preset=no_joker", "preset=no_jokers"), "preset 'no_jokers'"),
        (FRESH.replace("zwicker", "zwick"), "game 'zwick': must be zwicker"),
        (FRESH.replace(" table", "\ntable"), "one line"),
        ("", "must be rules"),
        ("zwicker dealer=1", "hands=... is missing; only phase=deal"),
        ("zwicker dealer=1 phase=deal table=KH", "table=KH: makes no sense before the first deal"),
    ],
)  # fmt: skip
def test_a_wrong_position_is_refused_by_name(text: str, says: str) -> None:
    for sound in (FRESH, MIDDLE, BUILDS, SESSION, OVER):
        parse_position(sound)
    with pytest.raises(ValueError) as error:
        parse_position(text)
    assert says in one_line(error)


@pytest.mark.parametrize("read", [parse_position, parse_hand, notation.parse_action, parse_rules])
@pytest.mark.parametrize("text", NO_TEXTS, ids=range(len(NO_TEXTS)))
def test_what_is_no_text_is_refused_in_short(read: Callable[[Any], Any], text: Any) -> None:
    check_no_text(read, text)


def test_a_penalty_at_the_end_is_told_by_the_points() -> None:
    """Builds that the last capturer took are not seen any more (WP12)."""
    state = parse_position(words(OVER, gained="8,5"))[1][0]
    assert state["scores"][:2].tolist() == [8, 5] and state["counts"][8, :2].tolist() == [6, 0]
    assert parse_position(words(OVER, gained="2,5"))[1]["counts"][0, 0, :2].tolist() == [0, 1]


def test_a_group_that_could_go_on_is_told_from_one_that_is_closed() -> None:
    """A jack for 12 is a group by itself, or with a ten; `next group` is a decision of its own."""
    hands = "JD,KD,X20,5S;5H,6H,TD,9H;8D,KH,9C,3C;2D,3S,4S,6S"
    text = f"zwicker(preset=six_joker,table_cards=5) dealer=3 hands={hands} table=JH,TH,2C,5C,7C"
    for turn, legal_texts in (
        ("hand1,take,as12,item1", ["finish", "next group", "item 2"]),
        ("hand1,take,as12,item1,nextgroup", ["item 2", "item 4"]),
        ("hand1,take,as12,item1,item2", ["finish", "item 4"]),
        ("hand1,take,as12,item1,nextgroup,item2", ["item 3"]),
        ("hand1,take,as12,item1,nextgroup,item2,item3", ["finish", "item 4"]),
    ):
        rules, states = parse_position(f"{text} turn={turn}")
        assert notation.legal_texts(contract.legal_actions(states[0])) == legal_texts, turn
        assert f" turn={turn}" in position_text(rules, states)
        check_round_trip(notation, rules, states)


def test_a_chain_into_a_capture_is_found_whatever_was_chosen() -> None:
    """Large tables and captures of many groups: a way into their middle is found."""
    most = 0
    forms: list[dict[str, Any]] = [{"players": 8, "trail": "free", "table_cards": 40}]
    for options in (*forms, {"preset": "six_joker", "table_cards": 40}):
        rules = make_rules(**options)
        for seed in range(3):
            rng = random.Random(seed)
            for states in play(rules, seed, calm=0.9):
                if states["phase"][0] != CARD or states["player"][0] == NOBODY or rng.random() < 0.6:
                    continue
                states = states.copy()
                for action in (*rng.sample(legal(states), 1), 4):
                    if action in legal(states):
                        contract.apply_action(states[0], action)
                while states["phase"][0] in (3, GROUP) and (actions := [a for a in legal(states) if a != 7]):
                    contract.apply_action(states[0], rng.choice(actions))
                    most = max(most, *(int(part).bit_count() for part in states["chosen"][0]))
                    if rng.random() < 0.3:
                        check_round_trip(notation, rules, states)
    assert most > 12


def texts_of_play() -> list[str]:
    texts = []
    for number, options in enumerate(FORMS[::2]):
        rules = make_rules(**options)
        found = enumerate(play(rules, number))
        texts += [position_text(rules, states) for at, states in found if at % 61 == number % 61]
    return texts


POSITIONS = texts_of_play()


@settings(max_examples=300, deadline=None)
@given(damaged(POSITIONS), st.randoms(use_true_random=False))
def test_a_damaged_position_is_refused_or_sound(text: str, rng: random.Random) -> None:
    check_damaged_position(notation, text, rng)


@pytest.mark.parametrize("action", range(len(ACTION_NAMES)))
def test_an_action_reads_back(action: int) -> None:
    check_action_text(notation, ACTION_NAMES[action], action)


def test_a_wrong_action_is_refused_by_name() -> None:
    says = r"action 'shoot': must be hand 1 to hand 4, take, .* as 30, item 1 to item 32$"
    with pytest.raises(ValueError, match=says) as error:
        notation.parse_action("shoot")
    one_line(error)
    with pytest.raises(ValueError, match="action 'finish' is not legal; legal: next group"):
        notation.parse_action("finish", 1 << ACT_NEXT)


def test_the_examples_in_the_documentation_are_read() -> None:
    hand = "\n".join(str(notation.__doc__).split("\n    ")[1:]).split("\n\n")[0].replace("QS\nKS", "QS KS")
    assert len(list(replay(parse_hand(hand)))) == 9
    assert hand.strip().splitlines()[-2:] == parse_hand(hand).text.splitlines()[-2:], "the remarks are those written"
    position = "zwicker(" + str(positions.__doc__).partition("zwicker(")[2].partition("\n\n")[0]
    assert parse_position(" ".join(position.split()))[1].tobytes() == parse_position(MIDDLE)[1].tobytes()


def test_the_game_hands_out_this_module() -> None:
    assert GAME.notation is notation and isinstance(notation.dealt_hand(make_rules(), 1, 1), Hand)
    assert parse_position(FRESH)[1]["totals"][0, DEALS] == 0


def test_rules_read_back() -> None:
    for options in FORMS:
        rules = make_rules(**options)
        assert parse_rules(rules.text).record.tobytes() == rules.record.tobytes()
