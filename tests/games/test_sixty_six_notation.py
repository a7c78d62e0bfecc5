"""Sixty-Six as text: what is written reads back byte by byte, what is malformed is refused in one line."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsim import contract
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six import notation, positions
from cardsim.games.sixty_six.game import GAME
from cardsim.games.sixty_six.layout import (
    ACTION_NAMES,
    ASK_EXCHANGE,
    ASK_PAIR,
    DEAL,
    FOLLOW,
    LAST,
    LEAD,
    NO_CARD,
    PACK,
    PHASES,
    STATE,
)
from cardsim.games.sixty_six.notation import (
    Hand,
    action_text,
    describe,
    hand_text,
    parse_action,
    parse_hand,
    parse_position,
    parse_rules,
    position_text,
    replay,
)
from cardsim.games.sixty_six.rules import PRESETS, deck, make_rules
from cardsim.options import Rules
from cardsim.rng import new_streams

FORMS: list[dict[str, Any]] = [
    *({"preset": preset} for preset in PRESETS),
    *({"preset": preset, "match": True} for preset in PRESETS),
    {"announce": "forced", "claims": "auto"},
    {"announce": "forced", "marriage_lead": "king", "early_marriage": "pending"},
    {"claims": "auto", "claim_timing": "any_turn", "match": True, "tie": "carry1"},
    {"claims": "true_only", "marriage_must_lead": False, "early_marriage": "next_trick"},
    {"exchange_on_close": True, "close_min_talon": 6, "perfect_memory": False},
    {"preset": "deck32", "swap_card": "nine", "closing": False},
    {
        "preset": "schnapsen",
        "announce": "forced",
        "exchange_on_close": True,
        "next_dealer": "winner",
        "match": True,
    },
    {
        "preset": "three_hand",
        "claims": "auto",
        "idle_dealer": "shares",
        "match": True,
        "exchange_on_close": True,
    },
    {"preset": "four_hand", "partner_meld": True, "early_marriage": "pending", "match": True},
    {"preset": "four_hand", "american": True, "match": True},
    {"preset": "1001", "players": 3, "match": True, "target": 300},
    {"preset": "1001", "hand": 6, "follow_always": True, "ascending_marriages": True},
    {"preset": "1001", "follow_always": True, "announce": "forced", "match": True},
]
SEEDS = range(5)
FRESH = (
    "sixty_six(preset=base) dealer=1 hands=9S,QS,AH,TH,KD,JC;TD,AD,9H,JS,QC,AC up=KS"
    " talon=9D,JD,QD,JH,QH,KH,TS,AS,9C,KC,TC"
)
ENDGAME = (
    "sixty_six dealer=1 player=1 hands=AC;9C up_first=KS tricks=5,6 points=44,65"
    " history=9S,QS/AH,9H/TH,JH/KD,9D/JC,QC/TD,JD/AD,QD/QH,KH/JS,KS/TS,AS/KC,TC"
)


def empty_state(rules: Rules) -> Any:
    states = np.zeros(1, STATE)
    states["rules"] = rules.record
    return states


def legal(states: Any) -> list[int]:
    mask = int(contract.legal_actions(states[0]))
    return [action for action in range(len(ACTION_NAMES)) if mask >> action & 1]


def quiet(actions: list[int], rng: random.Random, calm: float) -> list[int]:
    """Mostly without claiming, closing and passing, so that deals go on to rarer states."""
    rest = [action for action in actions if action < 37 or action == 38]
    return rest if rest and rng.random() < calm else actions


def play(rules: Rules, seed: int, deals: int = 3, calm: float = 0.9) -> Iterator[Any]:
    """Random play; yields the same array before the first deal and after every step."""
    rng, states = random.Random(seed), empty_state(rules)
    streams = new_streams()
    streams["key"] = seed
    streams["used"] = 32
    contract.reset(states[0], streams[0])
    yield states
    for _ in range(deals):
        cards = deck(rules)
        rng.shuffle(cards)
        contract.deal_given(states[0], np.array(cards, np.uint8))
        yield states
        while contract.current_player(states[0]) not in (CHANCE, TERMINAL):
            contract.apply_action(states[0], rng.choice(quiet(legal(states), rng, calm)))
            yield states
        if states["phase"][0] != DEAL:
            return


def one_line(error: pytest.ExceptionInfo[ValueError]) -> str:
    message = str(error.value)
    assert message and len(message.splitlines()) == 1
    return message


def changed(text: str, key: str, value: str) -> str:
    words = [word for word in text.split() if not word.startswith(f"{key}=")]
    return " ".join([*words, f"{key}={value}"])


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_position_reads_back_byte_by_byte(options: dict[str, Any]) -> None:
    rules = make_rules(**options)
    for seed in SEEDS:
        for states in play(rules, seed):
            text = position_text(rules, states)
            read, again = parse_position(text)
            assert again.tobytes() == states.tobytes(), text
            assert read.text == rules.text and read.record.tobytes() == rules.record.tobytes()
            assert len(text.splitlines()) == 1


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


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """A text with some characters replaced, dropped, doubled, swapped, or with its end cut off."""
    characters = list(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(characters) - 1))
        to = draw(st.integers(0, len(characters) - 1))
        kind = draw(st.sampled_from(["replace", "drop", "copy", "swap", "cut"]))
        if kind == "replace":
            characters[at] = draw(st.characters() | st.sampled_from("0123456789-,;/:=ATKQJ9DHSC"))
        elif kind == "drop":
            del characters[at : at + draw(st.integers(1, 4))]
        elif kind == "copy":
            characters[at:at] = characters[to : to + draw(st.integers(1, 4))]
        elif kind == "swap":
            characters[at], characters[to] = characters[to], characters[at]
        else:
            del characters[max(1, at) :]
        characters = characters or ["x"]
    return "".join(characters)


@settings(max_examples=600, deadline=None)
@given(damaged(POSITIONS), st.randoms(use_true_random=False))
def test_a_damaged_position_is_refused_or_sound(text: str, rng: random.Random) -> None:
    try:
        rules, states = parse_position(text)
    except ValueError as error:
        assert str(error) and len(str(error).splitlines()) == 1
        return
    assert parse_position(position_text(rules, states))[1].tobytes() == states.tobytes()
    for _ in range(200):
        if contract.current_player(states[0]) in (CHANCE, TERMINAL):
            return
        contract.apply_action(states[0], rng.choice(legal(states)))
        assert parse_position(position_text(rules, states))[1].tobytes() == states.tobytes()
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize("action", range(len(ACTION_NAMES)))
def test_an_action_reads_back(action: int) -> None:
    text = action_text(action)
    assert text == ACTION_NAMES[action]
    for form in (text, text.lower(), f"  {text.upper()} ", text.replace(" ", "")):
        assert parse_action(form) == action


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


def recorded(rules: Rules, seed: int, lengths: Sequence[int] = (0, 1, 7, 100, 100)) -> tuple[Hand, bytes]:
    """A random deal, broken off after one of `lengths` actions, and the bytes of the last state."""
    rng = random.Random(seed)
    cards = deck(rules)
    rng.shuffle(cards)
    players = int(rules.record["players"][0])
    scores = tuple(rng.randrange(7) for _ in range(players)) if rules["match"] else ()
    hand = Hand(rules, rng.randrange(players), tuple(cards), (), scores, rng.randrange(3))
    states = next(replay(hand))
    actions = []
    for _ in range(rng.choice(lengths)):
        if contract.current_player(states[0]) in (CHANCE, TERMINAL):
            break
        actions.append(rng.choice(quiet(legal(states), rng, 0.9)))
        contract.apply_action(states[0], actions[-1])
    return Hand(rules, hand.dealer, hand.deck, tuple(actions), hand.scores, hand.carry), states.tobytes()


def text_of(hand: Hand) -> str:
    return hand_text(hand.rules, hand.dealer, hand.deck, hand.actions, hand.scores, hand.carry)


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_hand_reads_back_and_replays(options: dict[str, Any]) -> None:
    for seed in range(10):
        hand, last = recorded(make_rules(**options), seed)
        text = text_of(hand)
        again = parse_hand(text)
        assert text_of(again) == text
        assert (again.dealer, again.deck, again.actions) == (hand.dealer, hand.deck, hand.actions)
        assert (again.scores, again.carry, again.rules.text) == (hand.scores, hand.carry, hand.rules.text)
        states = list(replay(again))
        assert len(states) == len(hand.actions) + 1 and states[-1].tobytes() == last
        assert parse_position(position_text(hand.rules, states[-1]))[1].tobytes() == last


def test_a_line_of_a_hand_is_a_trick() -> None:
    hand, _ = recorded(make_rules(claims="auto", closing=False), 3, (100,))
    lines = text_of(hand).splitlines()
    assert lines[0] == notation.HEADER and lines[1] == "rules: sixty_six(preset=base,claims=auto,closing=false)"
    tricks = [line for line in lines if line.startswith("trick")]
    assert tricks and all(
        sum(len(word.strip()) == 2 for word in line.split(":")[1].split(",")) == 2 for line in tricks[:-1]
    )


def test_the_examples_in_the_documentation_are_read() -> None:
    hand = "\n".join(str(notation.__doc__).split("\n    ")[1:]).split("\n\n")[0]
    assert len(list(replay(parse_hand(hand)))) == 5
    position = "sixty_six(" + str(positions.__doc__).partition("sixty_six(")[2].partition("\n\n")[0]
    assert parse_position(" ".join(position.split()))[1]["talon_left"][0] == 10


def test_comments_and_blank_lines_in_a_hand_are_passed_over() -> None:
    hand, _ = recorded(make_rules(), 5)
    assert parse_hand(text_of(hand).replace("\n", "\n\n# a note\n")).actions == hand.actions


def test_an_illegal_action_in_a_hand_is_refused_by_name() -> None:
    hand, _ = recorded(make_rules(claims="auto", closing=False), 3, (100,))
    first = next(replay(hand))
    wrong = next(action for action in range(32) if action not in legal(first))
    steps = replay(Hand(hand.rules, hand.dealer, hand.deck, (legal(first)[0], hand.actions[0])))
    next(steps)
    next(steps)
    with pytest.raises(
        ValueError, match=f"hand, action 1: action '{action_text(wrong)}' is not legal; legal: "
    ) as error:
        list(replay(Hand(hand.rules, hand.dealer, hand.deck, (wrong,))))
    assert one_line(error).endswith(", ".join(action_text(action) for action in legal(first)))


def test_an_action_after_the_end_of_the_deal_is_refused() -> None:
    rules = make_rules("schnapsen", match=True)
    hand = next(h for h in (recorded(rules, seed)[0] for seed in range(50)) if list(replay(h))[-1]["phase"][0] == DEAL)
    with pytest.raises(ValueError, match="after the end of the deal"):
        list(replay(Hand(rules, hand.dealer, hand.deck, (*hand.actions, 0), hand.scores)))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cardsim hand 1", "cardsim hand 2", "the first line must be 'cardsim hand 1', not 'cardsim hand 2'"),
        ("dealer: 1", "", "dealer: is missing"),
        ("dealer: 1", "dealer: 2", "dealer 2: must be from 0 to 1"),
        ("dealer: 1", "dealer: x", "dealer 'x'"),
        ("dealer: 1", "dealer: 1\nscores: 1 2 3", "scores"),
        ("dealer: 1", "dealer: 1\ndealer: 0", "line 4"),
        ("deck: 9S", "deck: QS", "QS is there twice"),
        ("deck: 9S", "deck:", "9S missing"),
        ("deck: 9S", "deck: 7S", "7S is not in this pack of 24 cards"),
        ("trick 1", "trick 2", "line 5"),
        ("trick 1: AH", "trick 1: AX", "hand, line 5: action 'AX'"),
        ("base", "basis", "preset 'basis'"),
    ],
)  # fmt: skip
def test_a_wrong_hand_is_refused_by_name(old: str, new: str, says: str) -> None:
    names = "9S QS AH TD AD 9H TH KD JC JS QC AC KS 9D JD QD JH QH KH TS AS 9C KC TC"
    text = f"cardsim hand 1\nrules: sixty_six(preset=base)\ndealer: 1\ndeck: {names}\ntrick 1: AH, 9H\n"
    assert len(list(replay(parse_hand(text)))) == 3 and old in text
    with pytest.raises(ValueError, match=says) as error:
        parse_hand(text.replace(old, new, 1))
    one_line(error)


HANDS = [text_of(recorded(make_rules(**options), seed)[0]) for seed, options in enumerate(FORMS)]


@settings(max_examples=300, deadline=None)
@given(damaged(HANDS))
def test_a_damaged_hand_is_refused_or_replays(text: str) -> None:
    try:
        for _ in replay(parse_hand(text)):
            pass
    except ValueError as error:
        assert str(error) and len(str(error).splitlines()) == 1


def test_the_game_hands_out_this_module() -> None:
    assert GAME.notation is notation


def test_rules_read_back() -> None:
    for options in FORMS:
        rules = make_rules(**options)
        assert parse_rules(rules.text).record.tobytes() == rules.record.tobytes()


def asked_states(phase: int, options: dict[str, Any]) -> Iterator[Any]:
    for seed in range(40):
        for states in play(make_rules(**options), seed, calm=0.0):
            if states["phase"][0] == phase:
                yield states


@pytest.mark.parametrize(
    ("phase", "options"),
    [
        (ASK_EXCHANGE, {"preset": "pagat66", "claims": "true_only"}),
        (ASK_PAIR, {"preset": "four_hand", "partner_meld": True, "early_marriage": "pending"}),
    ],
)
def test_sp15_only_the_asked_seat_reads_that_it_is_asked(phase: int, options: dict[str, Any]) -> None:
    met = 0
    for states in asked_states(phase, options):
        met += 1
        asked = int(states["player"][0])
        lead = states.copy()
        lead["phase"], lead["player"] = LEAD, lead["leader"]
        for seat in range(int(states["rules"]["players"][0])):
            assert (describe(states, seat) == describe(lead, seat)) == (seat != asked)
        assert PHASES[phase] in describe(states, asked)
    assert met > 3


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_a_description_for_a_seat_does_not_depend_on_hidden_cards(options: dict[str, Any]) -> None:
    rules, rng = make_rules(**options), random.Random(1)
    for states in play(rules, 4):
        if states["phase"][0] in (DEAL, ASK_PAIR, ASK_EXCHANGE):
            continue
        for seat in range(int(rules.record["players"][0])):
            other = shuffled_hidden(states, seat, rng)
            assert describe(other, seat) == describe(states, seat)


def shuffled_hidden(states: Any, seat: int, rng: random.Random) -> Any:
    """The same table with the cards that `seat` does not see, and that nobody is known to hold, mixed."""
    states = states.copy()
    state = states[0]
    where = [other for other in range(4) if other != seat]
    free = {other: int(state["hand"][other]) & ~int(state["known"][other]) for other in where}
    talon = [i for i in range(32) if state["deck"][i] != NO_CARD]
    pool = [card for mask in free.values() for card in range(32) if mask >> card & 1]
    pool += [int(state["deck"][i]) for i in talon]
    rng.shuffle(pool)
    for other in where:
        cards = [pool.pop() for _ in range(free[other].bit_count())]
        state["hand"][other] = (int(state["hand"][other]) & int(state["known"][other])) | sum(1 << c for c in cards)
    state["deck"][talon] = pool
    return states


def test_a_description_shows_what_is_there() -> None:
    _, states = parse_position(FRESH)
    everything, mine, other = describe(states), describe(states, 0), describe(states[0], 1)
    assert "turned card: K♠" in mine and "talon: 12 cards" in mine
    assert "9♠" in everything and "9♠" in mine and "9♠" not in other
    assert "A♣" in everything and "A♣" not in mine and "6 cards" in mine
    assert "Legal: KD, TH, AH, 9S, QS, JC, exchange, close" in mine and "Legal" not in other
    with pytest.raises(ValueError, match="player 2: must be from 0 to 1"):
        describe(states, 2)


def test_a_description_without_perfect_memory_has_no_totals() -> None:
    _, states = parse_position(FRESH.replace("preset=base", "preset=base,perfect_memory=false"))
    assert "points" in describe(states) and "points" not in describe(states, 0)


def test_the_end_of_a_deal_is_described() -> None:
    _, states = parse_position(ENDGAME)
    for word in ("9C", "AC"):
        contract.apply_action(states[0], parse_action(word))
    assert states["phase"][0] == LAST
    contract.apply_action(states[0], parse_action("claim"))
    assert "The deal is over (false_claim): side 1 wins" in describe(states)
