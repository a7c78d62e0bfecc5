"""Every game under every preset, number of players and notable option keeps what the contract promises."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardsim import contract
from cardsim.game import Game
from cardsim.games.sixty_six.layout import FOLLOW, NO_CARD, OFFSETS
from cardsim.jit import DISABLED, kernel
from cardsim.registry import agent_family, game_ids, game_type, make_game
from cardsim.rng import CARDS, new_streams, seed_stream
from cardsim.testing import Checked, check_game
from tests.games import test_sixty_six_referee, test_zwicken_referee, test_zwicker_referee
from tests.games.referee_runs import Comparison

PLAYERS = range(1, contract.MAX_PLAYERS + 1)
AGENTS = ("book", "cautious", "book", "random", "cautious")
"""Played in turn around the table: purposeful play reaches the late phases, the others the odd corners."""
OPTION_SETS = [
    "sixty_six(announce=forced)",
    "sixty_six(announce=forced,marriage_lead=king,early_marriage=pending)",
    "sixty_six(claims=auto,claim_timing=any_turn,early_marriage=next_trick)",
    "sixty_six(claims=true_only,claim_timing=any_turn,marriage_must_lead=false)",
    "sixty_six(closing=false,claims=true_only)",
    "sixty_six(exchange_on_close=true,close_timing=before_draw,claims=true_only)",
    "sixty_six(exchange_on_close=true,close_timing=after_draw,exchange_min_talon=4)",
    "sixty_six(perfect_memory=false)",
    "sixty_six(perfect_memory=false,announce=forced,match=true)",
    "sixty_six(match=true,tie=carry1,next_dealer=winner,matsch_double=true,target=3)",
    "sixty_six(first_dealer=1,match=true,target=4)",
    "sixty_six(preset=schnapsen,announce=forced,match=true)",
    "sixty_six(preset=schnapsen,close_min_talon=4,exchange_min_talon=4,early_marriage=forbidden)",
    "sixty_six(preset=three_hand,idle_dealer=shares,match=true)",
    "sixty_six(preset=three_hand,announce=forced,exchange_on_close=true)",
    "sixty_six(preset=three_hand,perfect_memory=false)",
    "sixty_six(preset=four_hand,partner_meld=true)",
    "sixty_six(preset=four_hand,partner_meld=true,announce=forced,claim_timing=any_turn,early_marriage=pending)",
    "sixty_six(preset=four_hand,partner_meld=true,perfect_memory=false,claims=true_only)",
    "sixty_six(preset=four_hand,american=true)",
    "sixty_six(preset=four_hand,american=true,match=true,target=3)",
    "sixty_six(preset=1001,ascending_marriages=true,players=3)",
    "sixty_six(preset=1001,follow_always=true)",
    "sixty_six(preset=1001,follow_always=true,hand=6,announce=forced)",
    "sixty_six(preset=1001,follow_always=true,perfect_memory=false)",
    "sixty_six(preset=1001,players=3,announce=forced,match=true,target=300)",
    "sixty_six(preset=deck32,swap_card=nine,exchange_on_close=true,claims=true_only)",
    "sixty_six(suits=2,ranks=4,hand=3,goal=33)",
    "sixty_six(preset=three_hand,suits=3,hand=7,goal=41,announce=forced,perfect_memory=false)",
    "sixty_six(preset=deck32,hand=2,exchange_on_close=true,announce=forced)",
    "zwicken(swap_mode=block,duties=enforce,ace_duty=play)",
    "zwicken(swap_mode=block,players=2,match=true,n_deals=6,cut_rule=hop)",
    "zwicken(must_head=true,winner_leads_trump=true,must_trump=false)",
    "zwicken(preset=styrian,must_head=true,duties=enforce,ace_duty=play,winner_leads_trump=true,players=3)",
    "zwicken(preset=four_card,players=5,max_swaps=4,swap_mode=block)",
    "zwicken(preset=four_card,players=5,max_swaps=4,cut_rule=off,match=true,n_deals=3)",
    "zwicken(preset=dreier,dreier_no_pass=dealer,bete=pot,durchmarsch=extra_to_winner,match=true)",
    "zwicken(preset=bavarian,wenzel_rank=top,wenzel_cards=ober_unter,duties=enforce,must_head=true)",
    "zwicken(preset=bavarian,wenzel_rank=top,belli_duty=loss_pays,start_pot=7,players=3)",
    "zwicken(match=true,target_chips=25,start_chips=15,belli_cut=pot_jump,belli_cut_ante=returned,players=3)",
    "zwicken(ace_must_stay=false,bare_pot_forced=true,all_pass=dealer_takes,stake=2)",
    "zwicker(players=5,must_capture=true,short_deal=to_table,most_cards_tie=all)",
    "zwicker(players=6,teams=true,trail=free,zwick_relay=true,match=true,target=40,n_deals=3)",
    "zwicker(preset=six_joker,build_needs=self,build_down=abs_difference,stale_build_penalty=30)",
    "zwicker(preset=six_joker,must_capture=true,pair_build=true,zwick_relay=true)",
    "zwicker(preset=six_joker,players=6,sum_capture=false,pair_build=true,must_capture=true)",
    "zwicker(preset=six_joker,players=5,teams=false,short_deal=unused,build_needs=none)",
    "zwicker(preset=three_joker,table_cards=3,most_cards_tie=all,match=true,target=30)",
    "zwicker(preset=four_joker,players=2,table_cards=40,build_down=abs_difference)",
    "zwicker(preset=grupp,n_jokers=1,joker_points=7,lone_joker_by_joker=true,joker_sweep_counts=false)",
    "zwicker(preset=grupp,players=7,n_jokers=3,jokers_stay=true,must_capture=true)",
    "zwicker(preset=grupp,players=8,teams=true,trail=free,sum_capture=false,lone_joker_by_joker=true)",
]


LONG = ("zwicker",)
"""A deal has ten times the decisions of the other games': one is enough, two in a match, and some sizes of table."""


def forms() -> Iterator[str]:
    """Every game, preset, number of players, single deal or match."""
    for id in game_ids():
        kind = game_type(id)
        for preset in kind.presets:
            for players in PLAYERS:
                try:
                    kind.make(preset, players=players)
                except ValueError:
                    continue
                if id in LONG and players not in (2, 4, 8):
                    continue
                for match in (False, True) if id not in LONG or players == 4 else (False,):
                    deals = {"n_deals": 2} if match and id in LONG else {}
                    yield str(kind.make(preset, players=players, match=match, **deals).name)


def check(name: str, hands: int, seed: int = 0) -> Checked:
    """With agents and at random."""
    game = make_game(name)
    hands = 1 if game.id in LONG else hands
    if DISABLED:
        if game.rules["match"]:
            pytest.skip("a match takes long in plain Python")
        return check_game(game, 1, seed, agents_of(game.id))
    if game.id not in LONG:
        check_game(game, max(1, hands // 2), seed)
    return check_game(game, hands, seed, agents_of(game.id))


def agents_of(id: str) -> list[str]:
    """The agents that a game has, random ones in place of others."""
    kinds = agent_family(id).kinds
    return [name if name in kinds else "random" for name in AGENTS]


@pytest.mark.parametrize("name", [name for name in forms() if not name.startswith(LONG) or "match=false" in name])
def test_forms(name: str) -> None:
    """The matches of long games are in `test_other_hands`."""
    checked = check(name, 1 if "match=true" in name else 6)
    assert checked.moved > 0


@pytest.mark.parametrize("name", OPTION_SETS)
def test_option_sets(name: str) -> None:
    checked = check(name, 1 if "match=true" in name else 5)
    assert checked.moved > 0


RUNS: dict[str, Comparison] = {
    "sixty_six": test_sixty_six_referee.RUNS,
    "zwicken": test_zwicken_referee.RUNS,
    "zwicker": test_zwicker_referee.RUNS,
}

ZWICKEN = ("basex4", "styrianx2", "four_cardx5", "dreierx3", "bavarianx3")
"""Each variant once: the options do not ask for the number of players."""
ZWICKER = ("no_jokerx6", "six_jokerx4", "gruppx3")
"""Each style, with one pack and with two, in parties and alone."""


def short_forms() -> Iterator[str]:
    """Every form that the referee knows, in single deals and in matches of a few: `test_forms` plays them in full."""
    for id, runs in RUNS.items():
        for base, (preset, fixed) in runs.bases.items():
            if id in LONG and base not in ZWICKER:
                continue
            for mode in runs.modes(base)[:2]:
                yield str(game_type(id).make(preset, **fixed, **mode).name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*short_forms(), *OPTION_SETS])
def test_other_hands(name: str) -> None:
    check(name, 1 if "match=true" in name else 2 if name.startswith("zwicken") else 5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "id, base",
    [
        *(("sixty_six", base) for base in RUNS["sixty_six"].bases),
        *(("zwicken", base) for base in ZWICKEN),
        *(("zwicker", base) for base in ZWICKER),
    ],
)
def test_every_option(id: str, base: str) -> None:
    """Every value of every option that acts in a form; the comparison with the referee holds the others to be idle."""
    runs = RUNS[id]
    preset, fixed = runs.bases[base]
    for name, option, value in runs.single_options():
        if name == base and (runs.acts(name, option, value) or option in runs.unseen):
            game = make_game(id, preset=preset, **{**fixed, option: value})
            check_game(game, 1, 2, agents_of(id), every=4 if id in LONG else 1)


@pytest.mark.slow
@pytest.mark.parametrize("id", RUNS)
def test_combinations_of_options(id: str) -> None:
    runs = RUNS[id]
    for number in range(10 if id in LONG else 40):
        base, options = runs.random_options(number)
        preset, fixed = runs.bases[base]
        match = runs.modes(base)[1] if number % 3 == 0 and preset != "1001" else {}
        check(make_game(id, preset=preset, **{**fixed, **match, **options}).name, 2, seed=3)


@kernel
def deal_afresh(states: Any, i: int, streams: Any, seed: Any, hand: int) -> None:
    seed_stream(streams[0], seed, np.uint64(0), CARDS)
    contract.reset(states[i], streams[0])
    states[i]["dealer"] = states[i - 1]["dealer"]
    seed_stream(streams[0], seed, np.uint64(0), CARDS + (hand << 8))
    contract.deal(states[i], streams[0])


EPISODE_FIELDS = {
    "sixty_six": (
        "counts", "scores", "decisions", "deals", "decided", "forehand_wins", "played_out", "ties", "carry",
    ),
    "zwicken": (
        "counts", "chips", "before", "pot", "pots", "decisions", "deals", "cuts", "belli_cuts", "stayed", "all_passed",
        "unopposed", "marches",
    ),
    "zwicker": ("counts", "totals", "scores"),
}  # fmt: skip
"""What goes over from one hand of a match into the next."""


@pytest.mark.parametrize("name", [name for name in forms() if "match=true" in name])
def test_a_later_hand_of_a_match_is_dealt_like_a_first(name: str) -> None:
    """Nothing but the standing of the match goes over into the next hand (F23)."""
    game = make_game(name)
    states, streams, chance = game.new_states(2), new_streams(), random.Random(5)
    game.deal(7, 0, states)
    hand = 0
    while (player := game.current_player(states)) != contract.TERMINAL and hand < (1 if DISABLED else 12):
        if player != contract.CHANCE:
            game.apply_action(states, chance.choice(game.legal_actions(states)))
            continue
        hand += 1
        deal_afresh(states, 1, streams, np.uint64(7), hand)
        game.deal_next(7, 0, hand, states)
        for field in EPISODE_FIELDS[game.id]:
            states[field][1] = states[field][0]
        assert states[:1].tobytes() == states[1:].tobytes()
    assert hand > 0


class AnyAction(Game):
    """Accepts a card that is not held."""

    def apply_action(self, states: Any, action: int, i: int = 0) -> None:
        mask = self.legal_mask(states, i)
        legal = 0 <= action < self.num_actions and mask >> action & 1
        super().apply_action(states, action if legal or not 0 <= action < 32 else (mask & -mask).bit_length() - 1, i)


class Stuck(Game):
    """Offers nothing to who follows."""

    def legal_mask(self, states: Any, i: int = 0) -> int:
        return 0 if states["phase"][i] == FOLLOW else super().legal_mask(states, i)


class Leak(Game):
    """Hides the next card of the talon in the bits of the observer's score."""

    def observe(self, states: Any, player: int, i: int = 0, out: Any = None) -> Any:
        seen = super().observe(states, player, i, out)
        card = int(states["deck"][i, min(int(states["talon_pos"][i]), 31)])
        if card != NO_CARD:
            seen[OFFSETS["scores"] : OFFSETS["scores"] + 5] = [card >> k & 1 for k in range(5)]
        return seen


class Forgetful(Game):
    """Shows less to who does not move."""

    def observe(self, states: Any, player: int, i: int = 0, out: Any = None) -> Any:
        seen = super().observe(states, player, i, out)
        if player == 0:
            seen[:] = 0
        return seen


class Flag(Game):
    """A deal keeps something of the deal before."""

    def deal(self, seed: int, number: int, states: Any = None, i: int = 0) -> Any:
        old = 0 if states is None else int(states["played"][i])
        states = super().deal(seed, number, states, i)
        states["ties"][i] = old
        return states


class EarlyPay(Game):
    """Pays for each trick at once."""

    def returns(self, states: Any, i: int = 0) -> Any:
        return super().returns(states, i) + states["tricks"][i, : self.num_players] / 20


class Favourite(Game):
    """Pays seat 0 more."""

    def returns(self, states: Any, i: int = 0) -> Any:
        values = super().returns(states, i)
        values[0] *= 2 if values[0] > 0 else 1
        return values


class LostCard(Game):
    """The last card of a hand vanishes."""

    def apply_action(self, states: Any, action: int, i: int = 0) -> None:
        super().apply_action(states, action, i)
        if states["played"][i] == 1:
            states["history"][i, 0] = states["deck"][i, 23]


FAULTS = [
    (AnyAction, "accepted"),
    (Stuck, "no legal action"),
    (Leak, "in a resampled world seat . sees other scores"),
    (Forgetful, "sees other"),
    (Flag, "deal: differs after"),
    (EarlyPay, "in mid-hand"),
    (Favourite, "returns differ"),
    (LostCard, "cards: "),
]


@pytest.mark.parametrize("kind, message", FAULTS, ids=lambda x: getattr(x, "__name__", None))
def test_faults_are_found(kind: type[Game], message: str) -> None:
    """Each of these games breaks one promise; the error says which, and which hand to look at."""
    good = make_game("sixty_six")
    game = kind(good.type, good.rules)
    with pytest.raises(AssertionError, match=message) as caught:
        check_game(game, 30, 4, ["cautious"])
    assert "sixty_six(preset=base): seed 4, first " in str(caught.value)
    assert "cardsim hand 1" in str(caught.value)
