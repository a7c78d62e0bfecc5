"""The compiled agents of Zwicken: legal, blind to hidden cards, true to the tips, better than their foils."""

from __future__ import annotations

from typing import Any

import pytest

from cardsim import rng
from cardsim.game import Game
from cardsim.games.zwicken.layout import (
    ACT_PASS,
    ACT_PLAY,
    ACT_STOP,
    ANNOUNCE,
    BELLI,
    DUTY_BETES,
    LEAD,
    PACK,
    STAYS,
    SWAP,
    SWAPS,
)
from cardsim.jit import DISABLED
from cardsim.registry import make_game
from cardsim_agents.zwicken import FAMILY
from tests.agents.agent_checks import (
    check_blind,
    check_legal_and_steady,
    check_refused,
    check_same_when_observing,
    check_uniform,
    choose,
    compare,
    decisions,
    positions,
    switches,
)

FORMS = [
    "zwicken(preset=base)",
    "zwicken(players=2,match=true)",
    "zwicken(players=3,swap_mode=block,ace_must_stay=false)",
    "zwicken(players=5,match=true,n_deals=8,belli_duty=loss_pays)",
    "zwicken(duties=enforce,ace_duty=play,must_head=true)",
    "zwicken(must_trump=false,winner_leads_trump=true,belli_duty=off)",
    "zwicken(start_pot=31,bete=pot,durchmarsch=extra_to_winner)",
    "zwicken(players=3,start_pot=30,durchmarsch=extra_to_pot,ace_duty=play)",
    "zwicken(max_swaps=0,cut_rule=off,bare_pot_forced=true)",
    "zwicken(max_swaps=1,all_pass=dealer_takes)",
    "zwicken(preset=styrian,players=5)",
    "zwicken(preset=styrian,players=2,swap_mode=block,max_swaps=2)",
    "zwicken(preset=four_card)",
    "zwicken(preset=four_card,players=5,max_swaps=4,match=true)",
    "zwicken(preset=four_card,players=5,max_swaps=4,swap_mode=block)",
    "zwicken(preset=dreier)",
    "zwicken(preset=dreier,dreier_no_pass=dealer,match=true)",
    "zwicken(preset=bavarian,players=3)",
    "zwicken(preset=bavarian,wenzel_rank=top,duties=enforce,must_head=true)",
    "zwicken(preset=bavarian,players=5,wenzel_cards=ober_unter)",
    "zwicken(preset=bavarian,wenzel_cards=ober_unter,wenzel_rank=top,belli_duty=loss_pays)",
]
AGENTS = ["book", "book(fold_rule=tip,remember_belli=false,lone_ace=true,swap_all=true)"]
SWITCHES = {
    "fold_weak": "base", "position": "base", "pot_size": "base,start_pot=9", "lone_ace": "base,ace_must_stay=false",
    "swapping": "base", "swap_all": "base", "remember_belli": "base", "break_duties": "base,start_pot=90",
}  # fmt: skip
MOVERS = ("book", "random")


def duel(game: Game, first: str, second: str, hands: int, seed: int = 1) -> tuple[float, Any]:
    """`compare`, everybody for himself."""
    return compare(game, first, second, hands, game.num_players, seed)


def cards(text: str) -> int:
    """Cards as a bit mask."""
    return sum(1 << PACK.card(name) for name in text.split())


def trump_names(states: Any) -> list[str]:
    """Cards of the hand to act that are trumps in a base game, as text."""
    suit = "DHSC"[int(states["trump"][0])]
    hand = int(states["hand"][0, states["player"][0]])
    names = [PACK.names[card] for card in range(36) if hand >> card & 1]
    return [name for name in names if name[1] == suit or name == "7D"]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("agent", AGENTS)
def test_only_legal_moves_and_none_of_them_random(name: str, agent: str) -> None:
    check_legal_and_steady(make_game(name), agent, "random", 2 if DISABLED else 30)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("mover", ["book", "random"])
def test_acts_the_same_on_what_the_observation_tells(name: str, mover: str) -> None:
    for agent in AGENTS:
        check_same_when_observing(make_game(name), agent, mover, 1 if DISABLED else 20)


@pytest.mark.parametrize("name", FORMS)
def test_hidden_cards_change_nothing(name: str) -> None:
    for agent in AGENTS:
        check_blind(make_game(name), agent, "random", 1 if DISABLED else 15, ("faults",))


@pytest.mark.parametrize(
    ("name", "margins"),
    [
        ("zwicken(players=2)", (1.3, 1.1, None, 0.02)),
        ("zwicken(players=3)", (0.9, 0.7, 0.4, 0.02)),
        ("zwicken(preset=base)", (0.7, 0.5, 0.8, 0.02)),
        ("zwicken(players=5)", (0.6, 0.5, 1.1, 0.02)),
        ("zwicken(players=5,match=true,n_deals=20)", (28, 20, 5, 0.5)),
        ("zwicken(swap_mode=block)", (0.6, 0.4, 0.7, 0.5)),
        ("zwicken(preset=styrian)", (0.7, 0.5, 0.8, 0.02)),
        ("zwicken(preset=four_card)", (1.0, 0.7, 0.8, 0)),
        ("zwicken(preset=dreier)", (1.2, 1.2, None, 0.03)),
        ("zwicken(preset=bavarian)", (0.7, 0.6, 0.7, 0.03)),
    ],
)
@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_book_beats_its_foils(name: str, margins: tuple[float | None, ...]) -> None:
    """By how much more per episode it gains than each foil would in its place, against the same opponents."""
    game = make_game(name)
    hands = 600 if "match" in name else 12_000
    for foil, margin in zip(("random", "cautious", "never_fold", "always_swap_three"), margins, strict=True):
        gained = duel(game, "book", foil, hands)[0] - duel(game, foil, foil, hands)[0]
        if margin is None:  # nobody may pass, or nothing is weak enough for it
            assert gained == 0
        else:
            assert gained > margin, foil


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_the_foils_do_what_their_names_say() -> None:
    game = make_game("zwicken", ace_must_stay=False)
    hands = 400
    assert duel(game, "never_fold", "random", hands)[1][STAYS] == hands
    assert duel(game, "book", "random", hands)[1][STAYS] < hands
    _, counts = duel(game, "always_swap_three(fold_weak=false)", "never_fold", hands)
    assert counts[SWAPS] == 3 * hands
    assert duel(game, "book(swapping=false)", "book", hands)[1][SWAPS] == 0


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("name", [name for name in FORMS if "loss_pays" not in name])  # there no choice may be left
def test_fails_no_duty_unless_it_pays(name: str) -> None:
    game = make_game(name)
    for agent in ("cautious", "book(break_duties=false)"):
        assert duel(game, agent, "random", 400, seed=3)[1][DUTY_BETES] == 0, agent


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_breaks_the_duty_of_the_belli_for_a_large_pot() -> None:
    game = make_game("zwicken", start_pot=90)
    assert duel(game, "book", "book", 4_000)[1][DUTY_BETES] > 0


@pytest.mark.parametrize("rule", ["tip", "cautious"])
def test_folds_by_the_plain_tip(rule: str) -> None:
    """Without a trump above the Jack and without an Ace: the cards are read from their names here."""
    game = make_game("zwicken", ace_must_stay=False)
    record = FAMILY.make("cautious" if rule == "cautious" else "book(fold_rule=tip)").record
    answers = {ACT_PLAY: 0, ACT_PASS: 0}
    for states in positions(game, "never_fold", 20 if DISABLED else 200, seed=8):
        if states["phase"][0] != ANNOUNCE:
            continue
        hand = int(states["hand"][0, states["player"][0]])
        strong = any(name[0] in "QKA" or name == "7D" for name in trump_names(states)) or hand & cards("AD AH AS AC")
        expected = ACT_PLAY if strong else ACT_PASS
        assert choose(record, states, 0, rng.new_streams()) == expected
        answers[expected] += 1
    assert min(answers.values()) > 5


def test_the_tip_on_the_lone_ace() -> None:
    game = make_game("zwicken", ace_must_stay=False)
    book, tip = FAMILY.make("book").record, FAMILY.make("book(lone_ace=true)").record
    alone = backed = 0
    for states in positions(game, "never_fold", 40 if DISABLED else 400, seed=8):
        trumps = trump_names(states)
        if states["phase"][0] != ANNOUNCE or not any(name[0] == "A" for name in trumps):
            continue
        high = sum(name[0] in "QKA" or name == "7D" for name in trumps)
        assert choose(book, states, 0, rng.new_streams()) == ACT_PLAY
        assert choose(tip, states, 0, rng.new_streams()) == (ACT_PASS if high == 1 else ACT_PLAY)
        alone += high == 1
        backed += high > 1
    assert alone > 5
    assert backed > 0


def test_the_dealer_takes_a_pot_that_nobody_wants() -> None:
    game = make_game("zwicken", ace_must_stay=False)
    record = FAMILY.make("book").record
    for number in range(40):
        states = game.deal(1, number)
        for _ in range(3):
            game.apply_action(states, ACT_PASS)
        assert choose(record, states, 0, rng.new_streams()) == ACT_PLAY


def heads_up(mine: str, other: str = "", **options: Any) -> tuple[Game, Any]:
    """A deal for two with spades as trumps: the forehand's hand, and the dealer's if it matters."""
    game = make_game("zwicken", players=2, cut_rule="off", **options)
    first, second, up = ([PACK.card(name) for name in text.split()] for text in (mine, other, "9S"))
    rest = [card for card in game.deck() if card not in (*first, *second, *up)]
    second, rest = [*second, *rest[: 3 - len(second)]], rest[3 - len(second) :]
    states = game.deal_given([*first[:2], *second[:2], *up, first[2], second[2], *rest], dealer=1)
    return game, states


def hand_in(phase: int, hand: str, **options: Any) -> Any:
    """The forehand with a given hand, heads-up, everybody staying and nobody swapping before the phase."""
    game, states = heads_up(hand, **options)
    while states["phase"][0] < phase:
        game.apply_action(states, ACT_STOP if states["phase"][0] == SWAP else ACT_PLAY)
    assert int(states["hand"][0, states["player"][0]]) == cards(hand)
    return states


@pytest.mark.parametrize(
    ("hand", "laid_away"),
    [("AS 7D KS", []), ("AS 7D 8H", ["8H"]), ("8C 8H 8D", ["8C", "8H", "8D"])],  # the first: the three best trumps
)
@pytest.mark.parametrize("mode", ["one_per_round", "block"])
def test_lays_away_what_is_worth_less_than_a_fresh_card(hand: str, laid_away: list[str], mode: str) -> None:
    states = hand_in(SWAP, hand, swap_mode=mode)
    action = choose(FAMILY.make("book").record, states, 0, rng.new_streams())
    if not laid_away:
        assert action == ACT_STOP
    elif mode == "block":
        assert action == min(map(PACK.card, laid_away))
    else:
        assert PACK.names[action] in laid_away
    without = choose(FAMILY.make("book(swapping=false)").record, states, 0, rng.new_streams())
    assert without == ACT_STOP


def test_a_forgotten_belli_is_a_plain_seven() -> None:
    states = hand_in(SWAP, "KS 7D AH")
    record = FAMILY.make("book(remember_belli=false)").record
    assert choose(record, states, 0, rng.new_streams()) == BELLI
    assert choose(FAMILY.make("book").record, states, 0, rng.new_streams()) != BELLI


def test_leads_the_trump_ace_as_the_duty_asks() -> None:
    for hand in ("AS 8S 7H", "AS 7D 8H", "AS AH AC"):
        states = hand_in(LEAD, hand)
        assert PACK.names[choose(FAMILY.make("book").record, states, 0, rng.new_streams())] == "AS"


@pytest.mark.parametrize(
    ("lead", "held", "answer"),
    [
        ("9H", "TH KH AH", "TH"),  # the Ten holds as surely as the King and the Ace
        ("9H", "8S KS AC", "8S"),
        ("AS", "7D 8S AH", "7D"),  # the duty of the Belli
        ("KS", "8S TS AH", "8S"),  # lost all the same
    ],
)
def test_takes_a_trick_as_cheaply_as_it_can(lead: str, held: str, answer: str) -> None:
    game, states = heads_up(f"{lead} 8C 8D", held, max_swaps=0)
    for action in (ACT_PLAY, ACT_PLAY, PACK.card(lead)):
        game.apply_action(states, action)
    assert PACK.names[choose(FAMILY.make("book").record, states, 0, rng.new_streams())] == answer


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_changes_a_decision(switch: str) -> None:
    game = make_game(f"zwicken(preset={SWITCHES[switch]})")
    value = not FAMILY.parameters[switch].default
    assert decisions(game, "book", MOVERS, 400) != decisions(game, f"book({switch}={value})", MOVERS, 400)


def test_every_switch_is_tested() -> None:
    assert switches(make_game("zwicken")) == set(SWITCHES)


@pytest.mark.skipif(DISABLED, reason="needs compiled speed")
def test_every_number_changes_a_decision() -> None:
    game = make_game("zwicken", match=True, start_pot=9)
    usual = decisions(game, "book", MOVERS, 60)
    for option in FAMILY.parameters.options:
        if not isinstance(option.default, bool | str):
            assert decisions(game, f"book({option.name}={option.high})", MOVERS, 60) != usual, option.name


def test_random_is_uniform_over_the_legal_set() -> None:
    check_uniform(make_game("zwicken"), [0, 1, 3, ACT_STOP])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bok", "agent 'bok' is unknown for zwicken; agents are random, cautious, book, never_fold, always_swap_three"),
        ("book(fold_rule=always)", "option fold_rule=always: must be estimate, tip"),
        ("book(swap_below=-1)", "option swap_below=-1: must be 0 to 500"),
        ("never_fold(positon=false)", "did you mean position?"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    check_refused(make_game("zwicken"), text, message)
