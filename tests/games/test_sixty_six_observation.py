"""Observations of Sixty-Six: read and written block by block; what a perfect rememberer knows in small hands (SP36)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cardsim import contract
from cardsim.game import Game
from cardsim.games.sixty_six.layout import ACT_CLAIM, OBSERVATION_SIZE, OFFSETS, PHASES
from cardsim.games.sixty_six.rules import PRESETS
from cardsim.jit import DISABLED
from cardsim.observation import decode, encode
from cardsim.registry import make_game

FORMS = [
    *(f"sixty_six(preset={preset})" for preset in PRESETS),
    "sixty_six(preset=1001,players=3,follow_always=true)",
    "sixty_six(preset=four_hand,american=true,match=true)",
    "sixty_six(perfect_memory=false,announce=forced)",
]


def table(game: Game, dealer: int, hands: str, rest: str = "") -> Any:
    """Deal these hands, from the dealer's left on, then `rest` (the turned card first), then what is left."""
    pack = game.pack
    given = [pack.parse(text) for text in hands.split(";")]
    size = len(given[0])
    first = 4 if size == 8 else 3
    talon = pack.parse(rest)
    talon += [card for card in game.deck() if card not in [*(card for hand in given for card in hand), *talon]]
    deck = [card for hand in given for card in hand[:first]]
    deck += [talon.pop(0)] if size == 5 else []
    deck += [card for hand in given for card in hand[first:]]
    return game.deal_given(deck + talon, dealer)


def play(game: Game, states: Any, actions: str) -> Any:
    """Play actions, given as texts separated by commas."""
    for text in actions.split(","):
        legal = game.legal_mask(states)
        game.apply_action(states, game.notation.parse_action(text, legal))
    return states


def seen(game: Game, states: Any, player: int) -> dict[str, Any]:
    return decode(game, game.observe(states, player))


def suits(game: Game, letters: str) -> set[str]:
    """All cards of the suits, of the full 32."""
    return {name for name in game.pack.names if name[1] in letters}


@pytest.mark.parametrize("name", FORMS)
def test_decode_and_encode_are_inverse(name: str) -> None:
    game = make_game(name)
    assert game.observation_size == OBSERVATION_SIZE == 830
    for number in range(1 if DISABLED else 12):
        chance = random.Random(number)
        states = game.deal(3, number)
        while (player := game.current_player(states)) != contract.TERMINAL:
            for seat in range(game.num_players):
                observation = game.observe(states, seat)
                values = decode(game, observation)
                again = encode(game, values)
                assert again.dtype == np.int8 and np.array_equal(again, observation)
                assert decode(game, again) == values
                assert values["hand"] == game.pack.cards_of(states["hand"][0, seat])
            if player == contract.CHANCE:
                break
            legal = [action for action in game.legal_actions(states) if action != ACT_CLAIM or chance.random() < 0.1]
            game.apply_action(states, chance.choice(legal or [ACT_CLAIM]))


def test_a_fresh_deal() -> None:
    game = make_game("sixty_six")
    states = table(game, 1, "AH,TH,KS,QS,9D,JC;KH,QH,AS,TS,JD,9C", "9H,AD,TD")
    first, second = seen(game, states, 0), seen(game, states, 1)
    nobody: list[list[str]] = [[], [], [], []]
    assert first == {
        "hand": ["9D", "TH", "AH", "QS", "KS", "JC"],
        "table": nobody, "known": nobody, "absent": nobody, "gone": [], "last_trick": [], "up": ["9H"],
        "trump": 1, "declared": [False] * 4, "lead_pair": None, "partner_pair": None, "last_pair": None,
        "phase": PHASES.index("lead"),
        "to_move": [True, False, False, False], "leader": [True, False, False, False],
        "dealer": [False, True, False, False],
        "closer": [False] * 4, "close_standing": [False, False], "talon": 12, "tricks": [0] * 4, "points": [0] * 4,
        "points_steps": [0] * 4, "pending": [0] * 4, "scores": [0] * 4, "carry": 0,
    }  # fmt: skip
    assert second.pop("hand") == ["JD", "QH", "KH", "TS", "AS", "9C"]
    for name in ("to_move", "leader"):
        assert second.pop(name) == [False, True, False, False]
    assert second.pop("dealer") == [True, False, False, False]
    assert all(first[name] == value for name, value in second.items())


def test_after_a_trick() -> None:
    game = make_game("sixty_six")
    states = table(game, 1, "AH,TH,KS,QS,9D,JC;KH,QH,AS,TS,JD,9C", "9H,AD,TD")
    play(game, states, "KS")
    assert seen(game, states, 1)["table"] == [[], ["KS"], [], []]
    assert seen(game, states, 0)["table"] == [["KS"], [], [], []]
    play(game, states, "AS")
    watched = seen(game, states, 0)
    assert watched["phase"] == PHASES.index("draw") and watched["to_move"] == [False, True, False, False]
    assert watched["gone"] == watched["last_trick"] == ["KS", "AS"]
    assert (
        watched["tricks"] == [0, 1, 0, 0]
        and watched["points"] == [0, 15, 0, 0]
        and watched["points_steps"] == [0, 1, 0, 0]
    )
    play(game, states, "draw")
    assert seen(game, states, 0)["talon"] == 10
    assert seen(game, states, 0)["absent"] == [[], [], [], []]  # an open trick tells nothing


def test_shown_marriage() -> None:
    game = make_game("sixty_six", early_marriage="pending", marriage_must_lead=False)
    states = table(game, 1, "AH,TH,KS,QS,9D,JC;KH,QH,AS,TS,JD,9C", "9H")
    play(game, states, "pair S")
    watched = seen(game, states, 1)
    assert watched["known"] == [[], ["QS", "KS"], [], []] and watched["lead_pair"] == watched["last_pair"] == 2
    assert watched["declared"] == [False, False, True, False] and watched["pending"] == [0, 1, 0, 0]
    assert seen(game, states, 0)["known"] == [["QS", "KS"], [], [], []]
    play(game, states, "KS,AS,draw")
    watched = seen(game, states, 1)
    assert watched["known"] == [[], ["QS"], [], []]
    assert watched["lead_pair"] is None and watched["last_pair"] == 2


def test_exchanged_card_and_closing() -> None:
    game = make_game("sixty_six")
    states = table(game, 1, "9H,TD,KS,QS,9D,JC;KH,QH,AS,TS,JD,9C", "AH")
    play(game, states, "exchange")
    watched = seen(game, states, 1)
    assert watched["up"] == ["9H"] and watched["known"] == [[], ["AH"], [], []]
    play(game, states, "close")
    watched = seen(game, states, 1)
    assert watched["up"] == ["9H"] and watched["closer"] == [False, True, False, False]
    assert watched["close_standing"] == [True, True] and watched["talon"] == 12
    play(game, states, "AH")
    assert seen(game, states, 1)["known"] == [[], [], [], []]


def test_last_card_of_the_talon() -> None:
    """Who draws the turned card is known to hold it until it is played."""
    game = make_game("sixty_six", preset="schnapsen")
    states = table(game, 1, "JD,QD,KD,TD,AD;JH,QH,KH,TH,AH", "JS,QS,KS,TS,AS,JC,QC,KC,TC,AC")
    play(game, states, "JD,JH")
    while states["talon_left"][0] > 0:
        # Anything but spades, so that the turned jack is still held after the draw.
        legal = game.legal_actions(states)
        game.apply_action(states, next(action for action in legal if action < 32 and game.pack.text(action)[1] != "S"))
    holder = int(states["up_seat"][0])
    assert int(states["hand"][0, holder]) >> game.pack.card("JS") & 1
    assert seen(game, states, holder)["known"] == [["JS"], [], [], []]
    watched = seen(game, states, 1 - holder)
    assert watched["known"] == [[], ["JS"], [], []] and watched["up"] == [] and watched["trump"] == 2


CLOSED = ("TD,9S,KC,JH,QH,JC;KD,9D,9C,QC,JS,QS", "9H")
"""Trumps are hearts; the seat on the dealer's left has closed and leads."""


@pytest.mark.parametrize(
    "lead, answer, higher_than, suits_lacked",
    [
        ("TD", "KD", ["AD"], ""),
        ("TD", "9D", ["AD"], ""),
        ("9S", "JS", [], ""),
        ("JH", "9C", [], "H"),
        ("KC", "QC", ["TC", "AC"], ""),
    ],
)
def test_what_a_follower_shows(lead: str, answer: str, higher_than: list[str], suits_lacked: str) -> None:
    """Followed without beating: no higher card; no card of the suit: none of it."""
    game = make_game("sixty_six")
    states = table(game, 1, *CLOSED)
    play(game, states, f"close,{lead},{answer}")
    lacking = set(higher_than) | suits(game, suits_lacked)
    assert set(seen(game, states, 0)["absent"][1]) == lacking
    assert set(seen(game, states, 1)["absent"][0]) == lacking
    assert seen(game, states, 0)["absent"][0] == []


def test_neither_followed_nor_trumped() -> None:
    game = make_game("sixty_six")
    states = table(game, 1, "TD,9S,KC,JH,QH,JC;KD,9D,9C,QC,JD,QD", "9H")
    play(game, states, "close,9S,9C")
    assert set(seen(game, states, 0)["absent"][1]) == suits(game, "SH")


FOUR = "9S,JS,9D,JD,9C,JC;9H,KH,TD,AD,TC,AC;JH,QH,KD,QD,KC,QC;AS,TS,KS,QS,AH,TH"
"""Dealer is seat 3; his last card, the ten of hearts, shows trumps."""


def test_dealers_trump_and_trumping_lower() -> None:
    game = make_game("sixty_six", preset="four_hand")
    states = table(game, 3, FOUR)
    for seat in range(4):
        assert seen(game, states, seat)["known"][(3 - seat) % 4] == ["TH"]
    play(game, states, "9S,KH")
    assert set(seen(game, states, 0)["absent"][1]) == suits(game, "S")
    play(game, states, "QH")
    assert set(seen(game, states, 3)["absent"][3]) == suits(game, "S") | {"TH", "AH"}
    play(game, states, "AS")  # a trumped trick asks for no higher spade, nor for a trump
    assert seen(game, states, 0)["absent"][3] == []
    assert seen(game, states, 0)["known"][3] == ["TH"]
    # Seat 1 has won; partners' tricks and points are those of the side.
    watched = seen(game, states, 1)
    assert watched["tricks"] == [1, 0, 1, 0] and watched["points"] == [18, 0, 18, 0]
    play(game, states, "9H,JH,TH")
    assert seen(game, states, 0)["known"][3] == []


def test_partners_marriage_and_who_is_asked() -> None:
    """Only the asked seat sees that it is asked (SP15)."""
    game = make_game("sixty_six", preset="four_hand", partner_meld=True, early_marriage="pending")
    states = table(game, 3, FOUR)
    asked, leader = seen(game, states, 2), seen(game, states, 0)
    assert asked["phase"] == PHASES.index("ask_pair") and asked["to_move"] == [True, False, False, False]
    assert leader["phase"] == PHASES.index("lead") and leader["to_move"] == [True, False, False, False]
    assert seen(game, states, 3)["to_move"] == [False, True, False, False]
    play(game, states, "pair D")
    assert seen(game, states, 1)["known"][1] == ["QD", "KD"]
    assert seen(game, states, 1)["partner_pair"] == 0 and seen(game, states, 1)["lead_pair"] is None


def test_asked_for_the_exchange() -> None:
    game = make_game("sixty_six", exchange_on_close=True)
    states = table(game, 1, "KH,QH,AS,TS,JD,9C;9H,TD,KS,QS,9D,JC", "AH")
    play(game, states, "close")
    assert seen(game, states, 1)["phase"] == PHASES.index("ask_exchange")
    before = game.observe(states, 0)
    play(game, states, "pass")
    assert np.array_equal(game.observe(states, 0), before)
    assert seen(game, states, 1)["phase"] == PHASES.index("lead")


def test_silence_where_announcing_is_forced() -> None:
    """A king led without a declaration: the queen is not there (SP32); after a draw she may be."""
    game = make_game("sixty_six", announce="forced", early_marriage="pending", close_timing="after_draw")
    states = table(game, 1, "KS,AH,TH,JC,9D,JD;9S,KH,QH,AS,TD,9C", "9H")
    play(game, states, "KS")
    assert seen(game, states, 1)["absent"] == [[], ["QS"], [], []]
    play(game, states, "9S")
    assert seen(game, states, 1)["absent"] == [[], [], [], []]


def test_a_void_lasts_until_the_next_draw() -> None:
    game = make_game("sixty_six", preset="1001", follow_always=True)
    states = table(game, 1, "9S,JS,9D,JD,9C,JC,9H,JH;KD,QD,TD,AD,KC,TC,AC,QC", "AS,TS")
    play(game, states, "9S,QC")
    assert seen(game, states, 0)["absent"] == [[], [], [], []]  # the trick is over, both have drawn
    assert seen(game, states, 0)["talon"] == 6
    assert states["barred"][0, 1, game.pack.card("KS")] == 1


def test_without_perfect_memory() -> None:
    """Only the last trick until the next lead, trick counts, no totals (SP36)."""
    game = make_game(
        "sixty_six", perfect_memory=False, close_timing="after_draw", marriage_must_lead=False, early_marriage="pending"
    )
    states = table(game, 1, "AH,TH,KS,QS,9D,JC;KH,QH,AS,TS,JD,9C", "9H")
    play(game, states, "pair S")
    assert seen(game, states, 1)["known"] == [[], ["QS", "KS"], [], []]
    play(game, states, "KS,AS")
    watched = seen(game, states, 1)
    assert watched["last_trick"] == ["KS", "AS"] and watched["gone"] == []
    assert (
        watched["tricks"] == [1, 0, 0, 0]
        and watched["points"] == watched["points_steps"] == watched["pending"] == [0] * 4
    )
    assert watched["known"] == [[], [], [], []]
    play(game, states, "9C")
    assert seen(game, states, 1)["last_trick"] == []


def test_scores_and_carry() -> None:
    game = make_game("sixty_six", match=True)
    states = game.deal(1, 1)
    states["scores"][0, :2], states["carry"] = (5, 2), 3
    assert seen(game, states, 0)["scores"] == [5, 2, 0, 0] and seen(game, states, 1)["scores"] == [2, 5, 0, 0]
    assert seen(game, states, 0)["carry"] == 3


@pytest.mark.parametrize(
    "name, offset, message",
    [
        ("trump", 0, r"block trump: entries \[0, 2\] are set, at most one can be"),
        ("points_steps", 3, r"block points_steps: entries \[3\] are set, but a later step includes those before it"),
    ],
)
def test_decode_refuses_what_no_observation_has(name: str, offset: int, message: str) -> None:
    game = make_game("sixty_six")
    observation = encode(game, {"trump": 2})
    observation[OFFSETS[name] + offset] = 1
    with pytest.raises(ValueError, match=message):
        decode(game, observation)


def test_decode_refuses_other_numbers_and_sizes() -> None:
    game = make_game("sixty_six")
    with pytest.raises(ValueError, match=r"observation of shape \(5,\): must be \(830,\)"):
        decode(game, np.zeros(5))
    with pytest.raises(ValueError, match="observation: entry 7 must be 0 or 1"):
        decode(game, np.eye(1, game.observation_size, 7)[0] * 2)


@pytest.mark.parametrize(
    "values, message",
    [
        ({"trumps": 1}, "block 'trumps': sixty_six has hand, table, "),
        ({"trump": 4}, "block trump: 4 must be from 0 to 3"),
        ({"talon": 256}, "block talon: 256 must be from 0 to 255"),
        ({"points_steps": [17, 0, 0, 0]}, "block points_steps: 17 must be from 0 to 16"),
        ({"tricks": [1, 2]}, "block tricks: 2 rows, must be 4"),
        ({"declared": [True]}, "block declared: 1 flags, must be 4"),
        ({"hand": ["1H"]}, "card '1H': must be one of"),
    ],
)
def test_encode_refuses_what_does_not_fit(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode(make_game("sixty_six"), values)
