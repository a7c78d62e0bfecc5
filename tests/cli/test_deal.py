"""`cardsim deal`: hands from numbers and from text, and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cardsim import simulate as library
from cardsim.cli.line import from_number
from cardsim.games.sixty_six.layout import ASK_EXCHANGE, ASK_PAIR
from cardsim.games.zwicken.layout import SWAP
from cardsim.registry import make_game

ASKED = (ASK_EXCHANGE, ASK_PAIR)
Done = Callable[..., str]
PRESETS = sorted(make_game("sixty_six").type.presets)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", ["0", "12"])
def test_hand_text_reads_back(done: Done, preset: str, number: str) -> None:
    words = ("deal", "sixty_six", "--preset", preset, "--seed", "3", "--number", number, "--agents", "random")
    text = done(*words, "--text-only")
    assert done("deal", "--hand", "-", "--text-only", input=text) == text
    assert text in done(*words)
    position = done("deal", "--hand", "-", "--position-only", input=text)
    assert position == done(*words, "--position-only")


@pytest.mark.parametrize("preset", PRESETS)
def test_position_reads_back_and_plays_on(done: Done, preset: str) -> None:
    dealt = done("deal", "sixty_six", "--preset", preset, "--position-only").strip()
    assert done("deal", "--position", dealt, "--position-only").strip() == dealt
    from_text = done("deal", "--position", dealt, "--agents", "cautious", "--position-only")
    assert from_text == done("deal", "sixty_six", "--preset", preset, "--agents", "cautious", "--position-only")


@pytest.mark.parametrize("preset", ["base", "three_hand"])
def test_a_hand_is_the_one_that_simulate_plays(done: Done, preset: str) -> None:
    """The returns at each seat, deal by deal, are those of the simulation's rows."""
    game = make_game("sixty_six", preset=preset)
    agents = "cautious,random" if preset == "base" else "cautious,random,random"
    rows = library.simulate(game, agents, 6, seed=9, threads=1, per_hand=True).per_hand
    for number in range(6):
        words = ("deal", game.name, "--seed", "9", "--number", str(number), "--agents", agents)
        text = re.sub(r"\s+", " ", done(*words))
        names = "; ".join(f"seat {seat}: {rows[f'agent_{seat}'][number]}" for seat in range(game.num_players))
        returns = ", ".join(f"seat {s} {rows[f'return_{s}'][number]:+g}" for s in range(game.num_players))
        assert names in text and returns in text


@pytest.mark.parametrize("name", ["sixty_six(preset=deck32)", "zwicken(preset=styrian,cut_rule=hop)"])
def test_deal_number_is_that_of_the_library(name: str) -> None:
    game = make_game(name)
    for number in range(20):
        line = from_number(game, 5, number)
        assert line.states.tobytes() == game.deal(5, number).tobytes()
        assert next(game.notation.replay(line.hand)).tobytes() == line.states.tobytes()


def test_actions_are_played_and_shown(done: Done) -> None:
    game = make_game("sixty_six")
    states = game.deal(1, 5)
    played: list[tuple[str, str, str]] = []
    for _ in range(3):
        seat, action = game.current_player(states), game.legal_actions(states)[0]
        game.apply_action(states, action)
        played.append((str(len(played) + 1), str(seat), game.action_names[action]))
    actions = [name for _, _, name in played]
    text = done("deal", "sixty_six", "--seed", "1", "--number", "5", "--actions", "; ".join(actions))
    rows = [match.groups() for line in text.splitlines() if (match := re.match(r"\s*(\d+)\s+(\d)\s+(\S+)", line))]
    assert rows == played
    assert f"trick 1: {', '.join(actions[:2])}" in text


@pytest.mark.parametrize(
    ("game", "actions", "heading"), [("sixty_six", "", "Points"), ("zwicken", "play; play", "Pot")]
)
def test_the_moves_are_shown_with_what_the_game_says_of_the_standing(
    done: Done, game: str, actions: str, heading: str
) -> None:
    first = make_game(game)
    words = actions or first.action_names[first.legal_actions(first.deal(0, 0))[0]]
    text = done("deal", game, "--actions", words)
    assert re.search(rf"# +Seat +Played +Legal +{heading}\b", text)


def test_step_shows_the_table_before_every_action(done: Done) -> None:
    words = ("deal", "sixty_six", "--agents", "random")
    moves = [line for line in done(*words, "--step").splitlines() if re.match(r"\d+\. seat", line)]
    text = done(*words, "--step")
    assert len(moves) == text.count("is to act") > 5


def test_seat_hides_what_it_cannot_know(done: Done) -> None:
    text = done("deal", "sixty_six", "--seat", "0")
    game = make_game("sixty_six")
    states = game.deal(0, 0)
    hands = [game.pack.cards_of(int(states["hand"][0, seat])) for seat in range(2)]
    from cardsim.cards import signed

    assert all(signed(card) in text for card in hands[0])
    up = game.pack.text(int(states["up"][0]))
    assert not any(signed(card) in text or card in text for card in hands[1] if card != up)
    assert "cardsim hand" not in text


@pytest.mark.parametrize("step", [False, True])
@pytest.mark.parametrize(
    "rules",
    [
        "sixty_six(preset=four_hand,partner_meld=true,early_marriage=pending)",
        "sixty_six(exchange_on_close=true,early_marriage=pending)",
    ],
)
def test_sp15_a_seat_is_not_told_what_others_were_asked_in_secret(done: Done, rules: str, step: bool) -> None:
    game, asked = make_game(rules), 0
    for number in range(40):
        line = from_number(game, 0, number)
        line.play_agents("random", 0, number, number % game.num_players)
        secret = [move.seat for move in line.moves if move.before["phase"][0] in ASKED and move.played == "pass"]
        asked += len(secret)
        for seat in range(game.num_players) if secret else ():
            words = ("deal", rules, "--number", str(number), "--agents", "random", "--seat", str(seat))
            text = done(*words, *(["--step"] if step else []))
            form = r"^(\d+)\. seat" if step else r"^\s*(\d+)\s+\d\s+\S"
            numbers = [int(found) for found in re.findall(form, text, re.MULTILINE)]
            others = sum(other != seat for other in secret)
            assert numbers == list(range(1, len(line.moves) - others + 1))
    assert asked > 0


def test_the_last_deal_number(done: Done) -> None:
    assert f"Deal {2**64 - 1} of seed 0" in done("deal", "sixty_six", "--number", str(2**64 - 1))


def test_matches_stop_at_the_end_of_the_hand(done: Done) -> None:
    text = done("deal", "sixty_six", "--match", "--agents", "random")
    assert "The deal is over" in text and "The next hand is to be dealt" in text


def test_hand_file(done: Done, tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text(done("deal", "sixty_six", "--agents", "random", "--text-only"))
    assert "Hand from text" in done("deal", "--hand", str(file))


@pytest.mark.parametrize("step", [False, True])
@pytest.mark.parametrize("mode", ["one_per_round", "block"])
def test_zp17_a_seat_is_not_shown_what_others_lay_away(done: Done, mode: str, step: bool) -> None:
    line = from_number(make_game("zwicken", swap_mode=mode), 4, 0)
    line.play_agents("book", 4, 0, 0)
    for seat in range(4):
        words = ("deal", "zwicken", "-o", f"swap_mode={mode}", "--seed", "4", "--agents", "book", "--seat", str(seat))
        text = done(*words, *(["--step"] if step else []))
        form = r"^\d+\. seat (\d) plays (\S+)" if step else r"^\s*\d+\s+(\d)\s+(\S+)"
        shown = re.findall(form, text, re.MULTILINE)
        assert len(shown) == len(line.moves)
        for move, (mover, played) in zip(line.moves, shown, strict=True):
            laid = move.before["phase"][0] == SWAP and move.played != "stop" and move.seat != seat
            assert (int(mover), played) == (move.seat, "(hidden)" if laid else move.played)
    assert sum(move.before["phase"][0] == SWAP and move.played != "stop" for move in line.moves) > 3


@pytest.mark.parametrize("seat, played", [("0", "hand 3 (T♠)"), ("1", "T♠")])
def test_moves_name_their_cards_and_items(done: Done, seat: str, played: str) -> None:
    """A seat sees where in its own hand a card was, and of the others which card it is."""
    lines = done("deal", "zwicker", "--seed", "5", "--agents", "greedy", "--seat", seat).splitlines()
    moves = [line.split("  ") for line in lines if re.match(r"\s+\d+  \d", line)]
    shown = [next(word for word in words[3:] if word).strip() for words in moves[:5]]
    assert shown == [played, "take", "item 2 (7♠)", "item 4 (3♦)", "finish"]
