"""Whole turns of Zwicker: listed, written, read and played, against the chains of decisions that make them."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from cardsim import contract
from cardsim.games.zwicker.layout import ACT_TAKE, CARD, NOBODY
from cardsim.games.zwicker.notation import parse_position, parse_turn, play_turn, turn_text, whole_turns
from cardsim.games.zwicker.rules import make_rules
from cardsim.games.zwicker.whole_turns import Turn, as_turn
from tests.games.texts import legal, one_line
from tests.games.zwicker_texts import FORMS, MIDDLE, play

START = MIDDLE.partition(" turn=")[0]
SIX = (
    "zwicker(preset=six_joker,table_cards=3) dealer=3 hands=6C,KD,X20,5S;5H,6H,TD,9H;8D,JH,9C,3C;2D,3S,4S,6S"
    " table=4C,KH,AC"
)


def turns_of(text: str, **options: Any) -> list[str]:
    """Texts of all turns of a position."""
    states = parse_position(text)[1]
    return [turn_text(states, turn) for turn in whole_turns(states, **options)]


def starts(options: dict[str, Any], seed: int, calm: float) -> list[Any]:
    """A few states at the beginning of a turn."""
    every = 7 + seed
    found = [
        states.copy()
        for number, states in enumerate(play(make_rules(**options), seed, 1, calm))
        if number % every == 0 and states["phase"][0] == CARD and states["player"][0] != NOBODY
    ]
    return found[:: max(1, len(found) // 8)]


def test_the_turns_of_a_small_table_are_these() -> None:
    """Stacks where there is room, captures at 14, beside only what fits nowhere (W10, W13, WQ2)."""
    assert turns_of(START) == [
        *("9D takes 9H", "9D on 5D to 14"),
        *("KD takes 5D+9H", "KD beside", "KH takes 5D+9H", "KH beside"),
    ]


def test_builds_and_dual_values_are_told_by_what_they_make() -> None:
    """W17, W18, WQ10: KH counts 4 or 14, as the king played does; a build is covered by a card or a partner's."""
    turns = turns_of(SIX)
    assert "5S takes 4C+AC" in turns and len(turns) == len(set(turns))
    takes = {turn for turn in turns if turn.startswith("KD takes")}
    assert takes == {"KD takes 4C", "KD takes KH", "KD takes 4C and KH"}
    builds = [turn for turn in turns if " on " in turn and turn.startswith("5S")]
    assert builds == ["5S on 4C to 9", "5S on KH to 9", "5S on AC to 6"]
    assert {turn for turn in turns if "beside" in turn} == {f"{card} beside" for card in ("5S", "KD", "6C", "X20")}


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_turns_read_back_and_play(options: dict[str, Any]) -> None:
    """From small and crowded tables: texts are one to a turn, and read back as a turn that does the same."""
    rng, read, met = random.Random(5), 0, set[int]()
    for seed, calm in enumerate((0.0, 0.8)):
        for states in starts(options, seed, calm):
            turns = list(islice(whole_turns(states, 150), 150))
            assert len(set(turns)) == len(turns)
            texts = {turn_text(states, turn): turn for turn in turns}
            assert len(texts) == len(turns)
            for text, turn in rng.sample(sorted(texts.items()), min(12, len(texts))):
                shape = rng.choice((str.lower, str.upper, lambda text: text.replace(" ", "")))
                actions = parse_turn(states, shape(text))
                assert as_turn(states, actions) == turn == as_turn(states, turn.actions)
                ends = [states.copy() for _ in range(3)]
                play_turn(ends[0], text)
                play_turn(ends[1], turn)
                for action in turn.actions:
                    assert action in legal(ends[2])
                    contract.apply_action(ends[2][0], action)
                assert ends[1].tobytes() == ends[2].tobytes() and ends[0]["phase"][0] != states["deck_pos"][0]
                for end in ends:
                    end["totals"][0, 1] = 0  # decisions: another grouping may take one more
                assert ends[0].tobytes() == ends[1].tobytes()
                read, met = read + 1, met | {turn.act}
    assert read > 5 and ACT_TAKE in met


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"preset": "six_joker"},
        {"preset": "grupp", "players": 2},
        {"players": 2, "capture_choice": "maximal"},
    ],
    ids=str,
)
def test_every_chain_of_decisions_is_a_listed_turn(options: dict[str, Any]) -> None:
    checked = 0
    for seed in range(3):
        for states in starts(options, seed, 0.0):
            try:
                turns = {(turn.card, turn.act, turn.items, turn.value) for turn in whole_turns(states, 3000)}
            except ValueError:
                continue
            rng = random.Random(seed)
            for _ in range(40):
                end, actions = states.copy(), []
                while end["totals"][0, 2] == states["totals"][0, 2]:
                    actions.append(rng.choice(legal(end)))
                    contract.apply_action(end[0], actions[-1])
                turn = as_turn(states, actions)
                assert (turn.card, turn.act, turn.items, turn.value) in turns
                assert turn == as_turn(states, parse_turn(states, turn_text(states, actions)))
                checked += 1
    assert checked > 200


def test_copies_are_one_choice_and_stacks_are_told_apart() -> None:
    """WP4: of two fives the first is meant; the cards of a stack are told with the pack that they are from."""
    text = (
        "zwicker(players=5) dealer=4 player=2 hands=5C,6C,6D;7C,7D,7H;AC,5H,KH,KS;9C,9D,9H,9S;TC,TD,TH,TS"
        " table=5D,5D',4S+7S=11@0,4S'+7S'=11@1"
    )
    states = parse_position(text)[1]
    takes = {turn_text(states, turn) for turn in whole_turns(states) if turn.act == ACT_TAKE}
    assert {"5H takes 5D", "5H takes 5D and 5D", "AC takes [4S 7S]=11", "AC takes [4S' 7S']=11"} <= takes
    assert len(takes) == 2 + 3
    assert as_turn(states, parse_turn(states, "5h takes 5d'")).items == (0,)
    assert as_turn(states, parse_turn(states, "AC takes [4S' 7S'] and [4S7S]=11")).items == (2, 3)
    assert as_turn(states, parse_turn(states, "AC takes [4S' 7S']")).items == (3,)


def test_the_grouping_that_a_text_tells_does_not_matter() -> None:
    """WP5: only the card and the items do."""
    states = parse_position(SIX)[1]
    chains = {parse_turn(states, text) for text in ("KD takes 4C+KH", "kd TAKES kh AND 4c", "KDtakesKH,4C")}
    assert len(chains) == 1


def test_more_turns_than_the_limit_are_refused_after_the_first_ones() -> None:
    states = parse_position(START)[1]
    found = whole_turns(states, 5)
    assert len(list(islice(found, 5))) == 5
    with pytest.raises(ValueError, match="whole turns: there are more than 5; a larger limit lists more"):
        next(found)


def test_crowded_tables_are_listed_lazily() -> None:
    """Two packs, sixty cards on the table: the first turns come at once, the cap is told (WP19a)."""
    rules = make_rules(players=8, table_cards=60)
    states = next(states.copy() for states in play(rules, 1) if states["phase"][0] == CARD and states["items"][0] == 60)
    turns = list(islice(whole_turns(states), 300))
    assert len(turns) == 300 and any(max(turn.items, default=0) > 40 for turn in turns)
    with pytest.raises(ValueError, match="there are more than 2000"):
        list(whole_turns(states, 2000))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("KS beside", "turn 'KS beside': KS is not in the hand; legal: 9D takes 9H, 9D on 5D to 14, KD takes 5D+9H"),
        ("9D beside", "turn: beside is not legal; legal: 9D takes 9H"),
        ("9D takes 5D", "these items cannot be taken"),
        ("KD takes KD", "KD is not on the table"),
        ("KD takes 5D+5D+9H", "5D is not on the table so often"),
        ("KD takes [7D 6D]=12", "[7D6D]=12 is not on the table"),
        ("9D on 9H to 18", "9H cannot become 18"),
        ("9D on 5D to 99999999999999999999", "5D cannot become 99999999999999999999"),
        ("9D", "must be such as KH takes 9D+5C and KS, 6C on 7D to 13, QS beside"),
        ("9D takes 9H with 5D", "must be cards, or items such as [7D 6C]=13, with + and `and`"),
        ("", "must be such as"),
        (None, "must be such as"),
    ],
)
def test_a_wrong_turn_is_refused_with_what_is_legal(text: Any, says: str) -> None:
    states = parse_position(START)[1]
    before = states.tobytes()
    with pytest.raises(ValueError) as error:
        parse_turn(states, text)
    assert says in one_line(error) and "legal: 9D takes 9H" in str(error.value)
    if isinstance(text, str):
        with pytest.raises(ValueError, match="legal: "):
            play_turn(states, text)
    assert states.tobytes() == before


def test_what_is_no_whole_turn_is_refused() -> None:
    states = parse_position(START)[1]
    for actions, says in (
        ((0,), "the actions break off before the end of the turn"),
        ((3,), "turn: hand 4 is not legal"),
        ((99,), "turn: 99 is not legal"),
        ((1, 6, 0), "turn: hand 1 is one action too many"),
        ((), "break off"),
    ):
        with pytest.raises(ValueError, match=says):
            turn_text(states, actions)
    with pytest.raises(ValueError, match="turn: beside is not legal"):
        play_turn(states, Turn(card=7, act=6, actions=(0, 6)))
    for text in (MIDDLE, "zwicker dealer=1 phase=deal"):
        with pytest.raises(ValueError, match="nobody is at the beginning of a turn"):
            next(whole_turns(parse_position(text)[1]))
