"""Sixty-Six as text: what is written reads back byte by byte, what is malformed is refused in one line."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsim import contract
from cardsim.games.sixty_six import notation, positions
from cardsim.games.sixty_six.game import GAME
from cardsim.games.sixty_six.layout import (
    ACTION_NAMES,
    FOLLOW,
    LEAD,
    NO_CARD,
    PACK,
    PHASES,
    REASONS,
)
from cardsim.games.sixty_six.notation import (
    Hand,
    action_text,
    parse_action,
    parse_hand,
    parse_position,
    parse_rules,
    position_text,
    replay,
)
from cardsim.games.sixty_six.rules import make_rules
from cardsim.options import Rules
from tests.games.sixty_six_texts import (
    ENDGAME,
    FORMS,
    FRESH,
    SEEDS,
    play,
)
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


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_position_reads_back_byte_by_byte(options: dict[str, Any]) -> None:
    rules = make_rules(**options)
    for seed in SEEDS:
        for states in play(rules, seed):
            check_round_trip(notation, rules, states)


def test_the_round_trip_has_met_every_phase_and_the_rare_fields() -> None:
    phases, fields = set(), set()
    for options in FORMS:
        for seed in SEEDS:
            for states in play(make_rules(**options), seed):
                phases.add(PHASES[states["phase"][0]])
                state = states[0]
                fields |= {f for f in ("barred", "absent", "known", "pending", "gained") if state[f].any()}
                fields |= {f for f in ("close_tricks", "swap_draws") if state[f]}
                fields |= {f for f in ("closer", "swapper", "up_seat", "lead_pair", "partner_pair") if state[f] >= 0}
    assert phases == set(PHASES)
    assert fields == {
        *("barred", "absent", "known", "pending", "gained", "close_tricks", "swap_draws"),
        *("closer", "swapper", "up_seat", "lead_pair", "partner_pair"),
    }


def test_a_record_is_as_good_as_an_array_of_one() -> None:
    rules, states = parse_position(FRESH)
    assert position_text(rules, states[0]) == position_text(rules, states)


def test_a_state_is_not_written_under_other_rules() -> None:
    _, states = parse_position(FRESH)
    with pytest.raises(ValueError, match="not made under"):
        position_text(make_rules("schnapsen"), states)


def test_a_state_that_no_text_stands_for_is_not_written() -> None:
    rules, states = parse_position(FRESH)
    states["trick_points"] = 7
    with pytest.raises(ValueError, match="no text stands for it") as error:
        position_text(rules, states)
    one_line(error)


def test_a_short_position_has_sensible_defaults() -> None:
    _, states = parse_position(FRESH)
    state = states[0]
    assert (state["phase"], state["player"], state["leader"], state["dealer"]) == (LEAD, 0, 0, 1)
    assert (state["trump"], state["talon_left"], state["deals"]) == (2, 12, 1)
    assert [PACK.text(card) for card in state["deck"][state["talon_pos"] : 24]][:2] == ["9D", "JD"]
    assert not state["points"].any() and not state["known"].any() and state["best"] == NO_CARD
    assert parse_position(FRESH.lower().replace("sixty_six", " sixty_six"))[1].tobytes() == states.tobytes()


def test_a_short_position_equals_the_deal_that_it_shows() -> None:
    rules, states = parse_position(FRESH)
    names = "9S QS AH TD AD 9H TH KD JC JS QC AC KS 9D JD QD JH QH KH TS AS 9C KC TC"
    dealt = next(replay(Hand(rules, 1, tuple(PACK.parse(names)))))
    assert dealt.tobytes() == states.tobytes()


def test_history_implies_tricks_points_and_the_seat_to_act() -> None:
    text = changed(FRESH, "hands", "9S,QS,AH,KD,JC,9D;AD,9H,JS,QC,AC,JD")
    text = changed(text, "talon", "QD,JH,QH,KH,TS,AS,9C,KC,TC")
    _, states = parse_position(changed(text, "history", "TH,TD"))
    state = states[0]
    assert (state["player"], state["tricks"].tolist(), state["points"].tolist()) == (
        0,
        [1, 0, 0, 0],
        [20, 0, 0, 0],
    )
    on_table = changed(changed(text, "history", "TH,TD/AH"), "hands", "9S,QS,KD,JC,9D;AD,9H,JS,QC,AC,JD")
    state = parse_position(on_table)[1][0]
    assert (state["phase"], state["player"], state["best"], state["trick_points"]) == (
        FOLLOW,
        1,
        PACK.card("AH"),
        11,
    )


def test_a_position_by_hand_plays_on() -> None:
    _, states = parse_position(ENDGAME)
    for word in ("9C", "AC", "pass"):
        contract.apply_action(states[0], parse_action(word, contract.legal_actions(states[0])))
    assert states["points"][0].tolist() == [65, 65, 0, 0]  # 44 + 11 and the last ten


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("AH", "TH"), "TH"),
        (lambda text: text.replace("AH", "7H"), "7H"),
        (lambda text: text.replace("AH", "ZZ"), "'ZZ'"),
        (lambda text: text.replace(",TC", ""), "TC missing"),
        (lambda text: text.replace("JC;TD", "JC,TD"), "2 entries"),
        (lambda text: text.replace(";TD", ",TD;"), "card ''"),
        (lambda text: text.replace("JC;TD,", "JC,TD;"), "seat 0 has 7 cards, must have 6"),
        (lambda text: text.replace("talon=9D,", "talon=").replace("9S,QS", "9S,QS,9D"), "talon has 11 cards"),
        (lambda text: text.replace("up=KS", "up=-").replace("talon=", "talon=KS,"), "up_first"),
        (lambda text: text + " trump=H", "trump=H: must be S"),
        (lambda text: text + " colour=3", "'colour=3'"),
        (lambda text: text + " up=KS", "twice"),
        (lambda text: text + " words", "'words'"),
        (lambda text: text.replace("dealer=1", "dealer=2"), "dealer '2': must be a seat from 0 to 1"),
        (lambda text: text.replace("dealer=1", ""), "dealer=... is missing"),
        (lambda text: text + " player=1", "leader=1: seat 0 leads first"),
        (lambda text: text + " player=1 leader=0", "player=1: must be 0"),
        (lambda text: text + " phase=sleep", "phase 'sleep': must be one of deal, lead"),
        (lambda text: text + " phase=follow", "phase=follow"),
        (lambda text: text + " phase=draw", "phase=draw"),
        (lambda text: text + " phase=last", "phase=last"),
        (lambda text: text + " phase=ask_pair player=0", "phase=ask_pair"),
        (lambda text: text + " phase=ask_exchange player=1", "phase=ask_exchange"),
        (lambda text: text + " phase=over", "player=-|reason=undecided"),
        (lambda text: text + " reason=claim", "reason=claim"),
        (lambda text: text + " points=5,0", "points=5,0: needs a trick"),
        (lambda text: text + " points=512,0", "points '512': must be a number from 0 to 511"),
        (lambda text: text + " points=5", "points=5: must have 2 entries"),
        (lambda text: text + " points=-5,0", "points '-5'"),
        (lambda text: text + " carry=40000", "carry '40000'"),
        (lambda text: text + " tricks=1,0", "tricks=1,0: 0 tricks are over"),
        (lambda text: text + " pending=7,0", "multiples of 20"),
        (lambda text: text + " closer=3", "closer '3'"),
        (lambda text: text + " close_tricks=1", "close_tricks=1"),
        (lambda text: text + " lead_pair=S", "lead_pair=S: is not among declared"),
        (lambda text: text + " lead_pair=S declared=S", "seat 0 does not hold it"),
        (lambda text: text + " declared=S,S", "named twice"),
        (lambda text: text + " known=AC;-", "known: AC contradicts the hand of seat 0"),
        (lambda text: text + " absent=-;AC", "absent: AC contradicts the hand of seat 1"),
        (lambda text: text + " barred=0:AC:1", "barred=0:AC:1: these rules"),
        (lambda text: text + " swapper=0", "up=KS: swapper has put 9S there"),
        (lambda text: text + " deals=0", "deals=0"),
        (lambda text: text.replace("preset=base", "preset=bass"), "preset 'bass'"),
        (lambda text: text.replace("preset=base", "clams=auto"), "did you mean claims"),
        (lambda text: text.replace("sixty_six", "sixty"), "game 'sixty': must be sixty_six"),
        (lambda text: "sixty_six(preset=base) dealer=1", "hands=... is missing"),
        (lambda text: "sixty_six phase=deal dealer=1 points=5,5", "makes no sense without hands"),
        (lambda text: "sixty_six(match=true) phase=deal dealer=1 scores=7,0", "scores=7,0: win the match"),
        (lambda text: "sixty_six(preset=four_hand) dealer=1 trump=S phase=last hands=-;-;-;-", "AC missing"),
        (lambda text: text.replace(" up", "\nup"), "one line"),
        (lambda text: "", "must be rules"),
    ],
)  # fmt: skip
def test_a_wrong_position_is_refused_by_name(change: Callable[[str], str], says: str) -> None:
    text = change(FRESH)
    assert text != FRESH
    with pytest.raises(ValueError, match=says.replace("(", r"\(")) as error:
        parse_position(text)
    one_line(error)


@pytest.mark.parametrize("read", [parse_position, parse_hand, parse_action, parse_rules])
@pytest.mark.parametrize("text", NO_TEXTS, ids=range(len(NO_TEXTS)))
def test_what_is_no_text_is_refused_in_short(read: Callable[[Any], Any], text: Any) -> None:
    check_no_text(read, text)


ENDS = [
    *("", "preset=three_hand,idle_dealer=shares", "preset=four_hand", "preset=four_hand,american=true"),
    *("preset=1001", "preset=1001,players=3", "tie=carry1,claims=auto", "preset=schnapsen,match=true"),
]


def finished(rules: Rules, number: int) -> Any:
    """The end of a deal played at random."""
    game = GAME.make(rules.preset, **rules.changed)
    states, source = game.deal(1, number), random.Random(number)
    while game.current_player(states) >= 0:
        game.apply_action(states, source.choice(game.legal_actions(states)))
    return game, states


@pytest.mark.parametrize("options", ENDS)
def test_returns_of_a_position_stay_in_their_bounds(options: str) -> None:
    rules, refused = parse_rules(f"sixty_six({options})"), 0
    for number in range(6):
        game, states = finished(rules, number)
        text = position_text(rules, states)
        assert parse_position(text)[1].tobytes() == states.tobytes()
        gained = [",".join(row) for row in product(("0", "1", "3", "4", "300"), repeat=game.num_players)]
        changes = [("gained", value) for value in gained[:: 1 + len(gained) // 40]]
        changes += [("winner", value) for value in ("-", *map(str, range(game.num_players)))]
        changes += [("reason", value) for value in REASONS]
        for key, value in changes:
            try:
                states = parse_position(changed(text, key, value))[1]
            except ValueError as error:
                refused += 1
                assert str(error).startswith("position: ")
                continue
            low, high = game.returns_bounds
            assert all(low <= value <= high for value in game.returns(states))
            assert parse_position(position_text(rules, states))[1].tobytes() == states.tobytes()
    assert refused > 50


@pytest.mark.parametrize(
    ("options", "key", "value", "says"),
    [
        ("preset=1001", "points", "511,0", "points=511,0: tricks and marriages hold at most"),
        ("preset=1001", "gained", "0,300", "gained=0,300: must be the points"),
        ("preset=1001", "reason", "claim", "reason=claim: these rules end no deal so"),
        ("", "gained", "9,9", "gained=9,9: the winner must gain from 1 to 3"),
        ("", "gained", "1,1", "gained=1,1: seat . can have at most 0"),
        ("", "reason", "counted", "reason=counted: these rules end no deal so"),
        ("preset=four_hand", "gained", "1,2,3,1", "partners gain the same"),
        ("", "carry", "2", "carry=2: must be 0: only a match carries on"),
        ("", "close_tricks", "30000", "close_tricks=30000"),
    ],
)
def test_an_end_that_cannot_be_is_refused(options: str, key: str, value: str, says: str) -> None:
    game, states = finished(parse_rules(f"sixty_six({options})"), 2)
    with pytest.raises(ValueError, match=says) as error:
        parse_position(changed(position_text(game.rules, states), key, value))
    one_line(error)


def test_a_history_by_the_wrong_seats_is_refused() -> None:
    for history, says in (
        ("1:9S,1:QS", "cannot be by seats"),
        ("9S,QS,AH", "must be 2 cards"),
        ("2:9S,QS", "seat"),
    ):
        text = changed(ENDGAME, "history", ENDGAME.partition("history=")[2].replace("9S,QS", history, 1))
        with pytest.raises(ValueError, match=says):
            parse_position(text)


def texts_of_play() -> list[str]:
    texts = []
    for number, options in enumerate(FORMS):
        rules = make_rules(**options)
        texts += [position_text(rules, states) for states in play(rules, number)][:: 5 + number % 3]
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
    with pytest.raises(ValueError, match=r"action 'shoot': must be a card .* pair D, .* pass") as error:
        parse_action("shoot")
    one_line(error)
    mask = 1 << PACK.card("AH") | 1 << ACTION_NAMES.index("close")
    assert parse_action("ah", mask) == PACK.card("AH")
    for word in ("TH", "shoot"):
        with pytest.raises(ValueError, match=f"action '{word}' is not legal; legal: AH, close"):
            parse_action(word, mask)
    for number in (-1, 41):
        with pytest.raises(ValueError, match="must be from 0 to 40"):
            action_text(number)


def test_the_examples_in_the_documentation_are_read() -> None:
    hand = "\n".join(str(notation.__doc__).split("\n    ")[1:]).split("\n\n")[0]
    assert len(list(replay(parse_hand(hand)))) == 5
    position = "sixty_six(" + str(positions.__doc__).partition("sixty_six(")[2].partition("\n\n")[0]
    assert parse_position(" ".join(position.split()))[1]["talon_left"][0] == 10


def test_the_game_hands_out_this_module() -> None:
    assert GAME.notation is notation


def test_rules_read_back() -> None:
    for options in FORMS:
        rules = make_rules(**options)
        assert parse_rules(rules.text).record.tobytes() == rules.record.tobytes()
