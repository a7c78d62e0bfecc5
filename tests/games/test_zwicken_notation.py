"""Zwicken as text: what is written reads back byte by byte, what is malformed is refused in one line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsim import contract
from cardsim.games.zwicken import notation, positions
from cardsim.games.zwicken.game import GAME
from cardsim.games.zwicken.invariants import check_state
from cardsim.games.zwicken.layout import ACTION_NAMES, ANNOUNCE, FOLLOW, NO_CARD, PACK, PHASES, SWAP
from cardsim.games.zwicken.notation import Hand, parse_hand, parse_position, parse_rules, position_text, replay
from cardsim.games.zwicken.rules import make_rules
from cardsim.rng import new_streams
from cardsim.testing import check_game
from tests.games.texts import (
    NO_TEXTS,
    changed,
    check_action_text,
    check_damaged_position,
    check_no_text,
    check_round_trip,
    damaged,
    one_line,
)
from tests.games.zwicken_texts import ENDGAME, FORMS, FRESH, SEEDS, play


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_position_reads_back_byte_by_byte(options: dict[str, Any]) -> None:
    rules = make_rules(**options)
    for seed in SEEDS:
        for states in play(rules, seed):
            check_round_trip(notation, rules, states)


def test_the_round_trip_has_met_every_phase_and_the_rare_fields() -> None:
    met = set()
    for options in FORMS:
        for seed in SEEDS:
            for states in play(make_rules(**options), seed):
                state = states[0]
                met.add(PHASES[state["phase"]])
                met |= {field for field in ("absent", "thrown", "faults", "gained", "shown_seat") if state[field].any()}
                held = int(state["hand"][max(int(state["player"]), 0)]).bit_count()
                for name, there in (
                    ("void cut", state["up"] == NO_CARD and state["attempts"] > 1),
                    ("void cut in a session", state["up"] == NO_CARD and state["attempts"] and state["deals"]),
                    ("dealt after a void cut", state["phase"] == ANNOUNCE and state["attempts"] > 1),
                    ("between deals", state["phase"] == 0 and state["up"] != NO_CARD),
                    ("middle of a block turn", state["phase"] == SWAP and held < state["rules"]["hand_cards"]),
                    ("empty talon", state["phase"] == FOLLOW and state["talon_left"] == 0),
                    ("last card known", state["shown_seat"] >= 0),
                ):
                    met |= {name} if there else set()
    assert met == {
        *PHASES, *("absent", "thrown", "faults", "gained", "shown_seat"),
        *("void cut", "void cut in a session", "dealt after a void cut", "between deals", "middle of a block turn"),
        *("empty talon", "last card known"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "zwicken(preset=base)",
        "zwicken(preset=four_card,players=5,swap_mode=block)",
        "zwicken(preset=styrian,players=3,match=true)",
    ],
)
def test_worlds_read_back_and_hands_replay(name: str) -> None:
    game = GAME.make(**{"preset": "base", **dict(part.split("=") for part in name[8:-1].split(","))})
    assert check_game(game, 3).worlds > 50


def test_zp15_a_world_in_a_block_turn_has_kept_its_highest_card() -> None:
    """That the turn goes on tells the others so; a position in which it would be over is refused."""
    rules, states, moved = make_rules(swap_mode="block"), GAME.make(swap_mode="block").new_states(), 0
    streams = new_streams()
    for found in (found for seed in range(6) for found in play(rules, seed)):
        seat = int(found["player"][0])
        if found["phase"][0] != SWAP or not found["swaps"][0, seat]:
            continue
        for _ in range(10):
            states[0] = found[0]
            contract.resample_hidden(states[0], (seat + 1) % 4, streams[0])
            assert int(states["hand"][0, seat]) > int(states["thrown"][0, seat])
            check_round_trip(notation, rules, states)
            moved += states.tobytes() != found.tobytes()
    assert moved > 50


def test_a_record_is_as_good_as_an_array_of_one() -> None:
    rules, states = parse_position(FRESH)
    assert position_text(rules, states[0]) == position_text(rules, states)


def test_a_state_is_not_written_under_other_rules() -> None:
    with pytest.raises(ValueError, match="not made under"):
        position_text(make_rules("styrian"), parse_position(FRESH)[1])


@pytest.mark.parametrize(("field", "value"), [("tricks", 1), ("round", 2), ("leader", 3), ("best_seat", 1)])
def test_a_state_that_no_text_stands_for_is_not_written(field: str, value: int) -> None:
    rules, states = parse_position(FRESH)
    states[field] = value
    with pytest.raises(ValueError, match="no text stands for it") as error:
        position_text(rules, states)
    one_line(error)


def test_a_short_position_equals_the_deal_that_it_shows() -> None:
    names = "QH AH KS 8D JD QD TC QC KH JC KC 9D TD 7H 8H 9H TH JH JS QS AS 7C 8C 9C AC AD 9S KD 7S TS 7D 8S"
    rules, states = parse_position(FRESH)
    dealt = next(replay(Hand(rules, 3, tuple(PACK.parse(names)))))
    assert dealt.tobytes() == states.tobytes()
    short = changed(FRESH, "pot", "3").lower().replace(" pot=3", "").replace("zwicken", " zwicken")
    assert parse_position(short)[1].tobytes() == states.tobytes()
    assert (states["phase"], states["player"], states["chips"][0].tolist()) == (ANNOUNCE, 0, [0, 0, 0, -3, 0])


def test_the_cards_imply_the_rest() -> None:
    """Trump Ace and Belli are gone: hands, swaps and tricks tell what the others know and who failed his duty."""
    state = parse_position(ENDGAME)[1][0]
    assert (state["phase"], state["player"], state["leader"], state["best"]) == (FOLLOW, 0, 1, PACK.card("KS"))
    assert state["tricks"].tolist() == [1, 1, 0, 0, 0] and state["swaps"].tolist() == [1, 0, 0, 0, 0]
    assert PACK.cards_of(int(state["absent"][2])) == ["AH"]
    # Seat 1 did not follow the trump Ace: no trump, the Belli included (Z19, ZQ16), whatever the pack.
    assert PACK.cards_of(int(state["absent"][1])) == ["7D", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH"]
    assert state["talon_left"] == 18 and state["decisions"] == 4 + 3 + 5


def test_a_failed_duty_is_seen_in_the_tricks() -> None:
    text = changed(changed(ENDGAME, "history", "0:JC,KC/1:KS,JH/0:AH"), "hands", "-;8D;JD,QD,9D;TC,QC,TD")
    assert parse_position(text)[1]["faults"].tolist() == [[1, 0, 0, 0, 0]]


def test_a_position_by_hand_plays_on() -> None:
    _, states = parse_position(ENDGAME)
    contract.apply_action(states[0], notation.parse_action("JH", contract.legal_actions(states[0])))
    assert states["gained"][0].tolist() == [2, 1, 0, -3, 0]  # thirds of three chips
    text = position_text(make_rules(), states)
    assert "phase=over" in text and "chips=2,1,0,-3" in text
    check_round_trip(notation, make_rules(), states)


def words(text: str, **keys: str) -> str:
    for key, value in keys.items():
        text = changed(text, key, value)
    return text


SESSION = words(
    FRESH.replace("preset=base", "match=true"), chips="6,-6,3,-6", pot="3", before="6,-6,3,-3", deals="2", cuts="2"
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (FRESH.replace("AH,", "QH,"), "a card is twice"),
        (FRESH.replace("AH,", "KS,"), "card KS in hands (seat 1): is not in this pack, or has a place already"),
        (FRESH.replace("AH,", "6H,"), "card 6H in hands (seat 0): is not in this pack"),
        (FRESH.replace("AH,", "ZZ,"), "'ZZ'"),
        (FRESH.replace("7H,8H", "8H"), "7H missing: all 32 cards need a place"),
        (FRESH.replace(",TD up", ",TD,7H up").replace("7H,8H", "8H"), "seat 3 has 4 cards, must have 3"),
        (FRESH.replace("JC;KS", "JC,KS"), "4 entries"),
        (FRESH.replace("up=KH", ""), "up=... (the turned card) is missing"),
        (FRESH.replace("shown=8S", "shown=7H"), "shown=7H: must be the last card of the talon"),
        (FRESH.replace("shown=8S", "shown=-"), "shown=-: must be the last card of the talon"),
        (FRESH.replace("7D,8S", "8S,7D").replace("shown=8S", "shown=7D"), "shown=7D: such a cut voids the deal"),
        (FRESH.replace("preset=base", "cut_rule=off"), "shown=8S: these rules know no cut"),
                (words(FRESH, player="-"), "player=-: somebody is to announce"),
        (words(FRESH, player="1", active="-"), "active=-: seat 0 was not allowed to pass"),
        (words(FRESH, active="2"), "active=2: seat 2 has not been asked yet"),
        (words(FRESH, player="2", active="0,0"), "a seat is named twice"),
        (words(FRESH, active="4"), "active '4': must be a seat from 0 to 3"),
        (FRESH.replace("7H,8H", "8H") + " thrown=7H;-;-;-", "seat 0 can have laid away at most 0"),
        (words(FRESH, history="0:AH", phase="announce"), "trick 1 is 0:AH, must be 0 cards"),
        (words(FRESH, dealer="4"), "dealer '4': must be a seat from 0 to 3"),
        (FRESH.replace("dealer=3", ""), "dealer=... is missing"),
        (words(FRESH, phase="sleep"), "phase 'sleep': must be one of deal, announce"),
        (words(FRESH, phase="swap", active="0"), "active=0: phase swap needs two seats"),
        (words(FRESH, phase="swap", player="2", active="0,1"), "player=2: does not play"),
        (words(FRESH, phase="swap", player="4"), "player '4'"),
        (words(FRESH, phase="lead", player="2"), "player=2: must be 0"),
        (words(FRESH, phase="follow"), "phase=follow: must be lead"),
        (words(FRESH, phase="over"), "phase=over: the deal is not over"),
        (words(FRESH, phase="deal"), "phase=deal: the deal is not over"),
        (words(FRESH, pot="2"), "pot=2: must be at least 3, the dealer's ante"),
        (words(FRESH, pot="x"), "pot 'x': must be a number from 0"),
        (words(FRESH, pot="6"), "before=0,0,0,-3: the first deal begins with 0 chips for each"),
        (words(FRESH, chips="0,0,0,-6"), "chips=0,0,0,-6: must be 0 together with the pot of 3"),
        (words(FRESH, chips="3,0,0,-6"), "before=3,0,0,-3: the first deal begins with 0"),
        (words(FRESH, chips="0,0,0"), "4 entries"),
        (words(FRESH, chips="0,0,0,-30000000000"), "must be a number from -1000000000 to 1000000000"),
        (words(FRESH, gained="1,-1,0,0"), "gained=1,-1,0,0: the deal is not over"),
        (words(FRESH, attempts="0"), "attempts=0: must be at least 1"),
        (words(FRESH, attempts="2"), "cuts=1: must be 2"),
        (words(FRESH, attempts="2", cuts="2", belli_cuts="2"), "belli_cuts=2: must be at most 1"),
        (words(FRESH, cuts="2"), "cuts=2: must be 1"),
        (words(FRESH, deals="0"), "deals=0: cards are dealt"),
        (words(FRESH, deals="2"), "deals=2: must be at most 1, by the rules and the phase"),
        (words(FRESH, stayed="1"), "stayed=1: must be 0"),
        (words(FRESH, pots="3"), "pots=3: must be 0"),
        (words(FRESH, **{"counts.taken": "1,0,0,0"}), "counts.taken, staked, betes and cut_chips make 1 of seat 0"),
        (words(FRESH, colour="3"), "'colour=3'"),
        (FRESH + " up=KH", "twice"),
        (FRESH.replace("preset=base", "preset=bass"), "preset 'bass'"),
        (FRESH.replace("zwicken", "zwick"), "game 'zwick': must be zwicken"),
        (FRESH.replace(" up", "\nup"), "one line"),
        ("", "must be rules"),
        ("zwicken dealer=1", "hands=... is missing; only phase=deal"),
        ("zwicken dealer=1 phase=deal up=KH", "up=KH makes no sense without hands"),
        ("zwicken dealer=1 phase=deal pot=3", "pot=3: must be 0 before the first cut"),
        ("zwicken dealer=1 phase=deal attempts=1 cuts=1 pot=2", "1 antes and cuts cannot have moved 0,2,0,0 chips"),
        ("zwicken dealer=1 phase=deal attempts=2 cuts=1", "cuts=1: must be 2"),
        ("zwicken(cut_rule=off) dealer=1 phase=deal attempts=1 cuts=1", "cuts=1: must be 0, these rules cut no pack"),
        (words(SESSION, before="6,-6,0,0"), "before=6,-6,0,0: must be 6,-6,3,-3: only the ante has been paid"),
        (words(SESSION, chips="6,-6,3,0"), "chips=6,-6,3,0: must be 0 together with the pot of 3"),
        (words(SESSION, all_passed="1", marches="1"), "2 deals with unopposed and marches, only 1 are over"),
        (words(SESSION.replace("match=true", "match=true,target_chips=5")), "had reached target_chips=5 before"),
        (words(SESSION, deals="5", cuts="5"), "deals=5: must be at most 4"),
        (words(ENDGAME, player="1"), "player=1: must be 0"),
        (words(ENDGAME, phase="over"), "phase=over: the deal is not over"),
        (words(ENDGAME, thrown="QH;-;-"), "4 entries"),
        (words(ENDGAME, active="0,1,2"), "must be 3 cards"),
        (ENDGAME.replace("0:AH,8D/0:JC", "0:AH,8D/1:JC"), "seat 1 was not to play JC"),
        (ENDGAME.replace("0:AH,8D", "1:AH,8D"), "seat 1 was not to play AH"),
        (ENDGAME.replace("0:AH,8D/0:JC,KC", "0:JC,8D/0:AH,KC"), "seat 1 was not allowed to play 8D"),
        (ENDGAME.replace("0:JC,KC", "0:JC,0:KC"), "seat 0 has 1 cards, must have 0"),
        (ENDGAME.replace("hands=JH", "hands=-").replace("/1:KS", "/1:KS,JH"), "phase=lead: the deal is over"),
        (words(ENDGAME, phase="announce"), "seat 0 has not been asked yet"),
        (words(ENDGAME, phase="swap"), "history"),
    ],
)  # fmt: skip
def test_a_wrong_position_is_refused_by_name(text: str, says: str) -> None:
    parse_position(FRESH), parse_position(ENDGAME), parse_position(SESSION)
    with pytest.raises(ValueError) as error:
        parse_position(text)
    assert says in one_line(error)


@pytest.mark.parametrize(
    ("rules", "change", "says"),
    [
        ("", {"chips": "4,-1,0,-3", "pot": "0"}, "chips=4,-1,0,-3: must be 2,1,0,-3, as this deal ended"),
        ("", {"chips": "4,1,0,-3"}, "must be 0 together with the pot of 0"),
        ("", {"chips": "1,2,0,-3"}, "chips=1,2,0,-3: must be 2,1,0,-3, as this deal ended"),
        ("", {"gained": "4,-1,0,-3"}, "the first deal begins with 0 chips for each"),
        ("", {"phase": "deal", "dealer": "0"}, "phase=deal: must be over"),
        ("", {"phase": "lead"}, "pot=0: must be at least 3"),
        ("", {"attempts": "1"}, "attempts=1: must be 0, the deal is over"),
        ("", {"pots": "6"}, "pots=6: must be 3"),
        ("", {"cuts": "2", "pots": "6"}, "antes and cuts cannot have moved"),
        ("", {"marches": "1"}, "marches=1: must be 0"),
        ("match=true", {"gained": "1,2,0,-3"}, "gained=1,2,0,-3"),
        ("match=true", {"phase": "over", "dealer": "3"}, "phase=over: must be deal"),
        ("match=true,n_deals=1", {"phase": "deal", "dealer": "0"}, "phase=deal: must be over"),
    ],
)  # fmt: skip
def test_an_end_that_cannot_be_is_refused(rules: str, change: dict[str, str], says: str) -> None:
    _, states = parse_position(ENDGAME.replace("preset=base", rules))
    contract.apply_action(states[0], PACK.card("JH"))
    text = position_text(parse_rules(f"zwicken({rules})"), states)
    with pytest.raises(ValueError) as error:
        parse_position(words(text, **change))
    assert says in one_line(error)


@pytest.mark.parametrize("read", [parse_position, parse_hand, notation.parse_action, parse_rules])
@pytest.mark.parametrize("text", NO_TEXTS, ids=range(len(NO_TEXTS)))
def test_what_is_no_text_is_refused_in_short(read: Callable[[Any], Any], text: Any) -> None:
    check_no_text(read, text)


def test_chips_of_a_position_keep_the_invariants_whatever_is_written_over_them() -> None:
    refused, read = 0, 0
    for number, options in enumerate(FORMS):
        rules, rng = make_rules(**options), random.Random(number)
        for states in list(play(rules, number))[::15]:
            text, players = position_text(rules, states), int(rules["players"])
            for key in ("chips", "before", "gained", "pot", "pots", "cuts", "counts.staked"):
                count = 1 if key in ("pot", "pots", "cuts") else players
                values = [rng.choice((0, 3, 6, -3, 1, 40)) for _ in range(count)]
                try:
                    again = parse_position(changed(text, key, ",".join(map(str, values))))[1]
                except ValueError as error:
                    refused += 1
                    assert len(str(error).splitlines()) == 1
                    continue
                read += 1
                check_state(again, 0)
                low, high = GAME.make(rules.preset, **rules.changed).returns_bounds
                returns = GAME.make(rules.preset, **rules.changed).returns(again)
                assert low <= returns.min() and returns.max() <= high
                check_round_trip(notation, rules, again)
    assert refused > 300 and read > 15


def texts_of_play() -> list[str]:
    texts = []
    for number, options in enumerate(FORMS):
        rules = make_rules(**options)
        texts += [position_text(rules, states) for states in list(play(rules, number))[:: 9 + number % 3]]
    return texts


POSITIONS = texts_of_play()


@settings(max_examples=600, deadline=None)
@given(damaged(POSITIONS), st.randoms(use_true_random=False))
def test_a_damaged_position_is_refused_or_sound(text: str, rng: random.Random) -> None:
    check_damaged_position(notation, text, rng)


@pytest.mark.parametrize("action", range(len(ACTION_NAMES)))
def test_an_action_reads_back(action: int) -> None:
    check_action_text(notation, ACTION_NAMES[action], action)


def test_a_wrong_action_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"action 'shoot': must be a card .*, play, pass, stop") as error:
        notation.parse_action("shoot")
    one_line(error)
    with pytest.raises(ValueError, match="action 'stop' is not legal; legal: play, pass"):
        notation.parse_action("stop", 0b11 << 36)


def test_the_examples_in_the_documentation_are_read() -> None:
    hand = "\n".join(str(notation.__doc__).split("\n    ")[1:]).split("\n\n")[0]
    assert len(list(replay(parse_hand(hand)))) == 15
    position = "zwicken(" + str(positions.__doc__).partition("zwicken(")[2].partition("\n\n")[0]
    state = parse_position(" ".join(position.split()))[1][0]
    assert (state["phase"], state["player"], state["best"]) == (FOLLOW, 3, PACK.card("AH"))


def test_the_game_hands_out_this_module() -> None:
    assert GAME.notation is notation


def test_rules_read_back() -> None:
    for options in FORMS:
        rules = make_rules(**options)
        assert parse_rules(rules.text).record.tobytes() == rules.record.tobytes()
