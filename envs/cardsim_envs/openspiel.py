"""Every game of the registry as a Python game of OpenSpiel, named `cardsim_` and the game's id.

Importing this module enters the games in OpenSpiel's registry; `register()` returns them ready to play, and
`openspiel_game` makes one under given rules. It needs the package `open-spiel`.

Example:
    >>> from cardsim_envs.openspiel import openspiel_game
    >>> game = openspiel_game("sixty_six", preset="schnapsen", chance="sampled")
    >>> state = game.new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])
    >>> state.current_player() in (0, 1)
    True
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pyspiel

from cardsim.contract import CHANCE, TERMINAL
from cardsim.options import quoted
from cardsim.registry import game_ids, game_type
from cardsim_envs.chances import Worlds
from cardsim_envs.moments import Moment
from cardsim_envs.openspiel_observing import CardObserver, Wording
from cardsim_envs.openspiel_parameters import PARAMETERS, Settings, position_text, rules_text

PREFIX = "cardsim_"
MOST_HANDS = 1000


def _game_type(id: str, explicit: bool = True, zero_sum: bool = False) -> Any:
    kind = game_type(id)
    counts = kind.options["players"]
    chance, utility = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=PREFIX + id,
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if explicit else chance.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=counts.high,
        min_num_players=counts.low,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class CardGame(pyspiel.Game):
    """A card game for OpenSpiel.

    Args:
        id: the game's.
        params: parameters, all optional: `preset`; `players`; `rules`, further options as `name:value` with `;` between
            them; how cards are dealt: `chance` is `cards` (one chance node for each card), `every` (one outcome for
            each deal, for small packs) or `sampled`; `deals` = N > 0 leaves the first N deals of the seed, equally
            likely; `worlds` = N > 0 leaves a chain of N worlds that grow from one deal (see `chances.Worlds`);
            `seed`; `position`, a text position, also percent-encoded, to begin from instead of a deal.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """

    def __init__(self, id: str, params: Any = None) -> None:
        settings = Settings(id, params)
        self.game, self.chance = settings.game, settings.chance
        self.first = Moment(self.game)
        if settings.start is not None and not isinstance(self.chance, Worlds):
            self.first.start_from(settings.start)
        self._wording = Wording(self.game)
        total = self.game.returns_sum
        low, high = self.game.returns_bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=self.chance.most_outcomes,
            num_players=self.game.num_players,
            min_utility=low,
            max_utility=high,
            **({} if total is None else {"utility_sum": total}),
            max_game_length=self._most_decisions(),
        )
        super().__init__(_game_type(id, self.chance.explicit, total == 0.0), info, settings.kept)

    def __reduce__(self) -> tuple[Any, ...]:
        # OpenSpiel's own pickling makes an object of this class without its attributes.
        return _loaded, (str(self),)

    def _most_decisions(self) -> int:
        """More than any episode has: between two cards of a hand, each action at most once."""
        hand = len(self.game.deck()) * self.game.num_actions
        return hand * (MOST_HANDS if self.game.rules.values.get("match", True) else 1)

    def max_chance_nodes_in_history(self) -> int:
        """More than any episode has: the hands of a match, and deals that are voided."""
        return (len(self.game.deck()) + 1) * MOST_HANDS

    def new_initial_state(self) -> CardState:
        """The chance node before the first deal, or the position to begin from."""
        return CardState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CardObserver | None:
        """What a seat sees, with or without its past; None for kinds of observation that these games do not have."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"observation parameters {quoted(params)}: there are none")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return CardObserver(self.game, self._wording, kind.perfect_recall)


class CardState(pyspiel.State):
    """A state of a card game. The returns are zero until the episode is over."""

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self._moment = game.first.copy()

    def current_player(self) -> int:
        """Seat to act, or OpenSpiel's number for chance or the end."""
        return self._moment.player

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self._moment.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self._moment.game.legal_actions(self._moment.states)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbers and probabilities of the outcomes here."""
        outcomes: list[tuple[int, float]] = self.get_game().chance.outcomes(self._moment)
        return outcomes

    def _apply_action(self, action: int) -> None:
        if self._moment.player == CHANCE:
            self.get_game().chance.apply(self._moment, action)
        else:
            self._moment.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return str(self.get_game().chance.text(self._moment, action))
        return self._moment.game.action_names[action]

    def returns(self) -> list[float]:
        """What the episode paid each seat, once it is over."""
        moment = self._moment
        if moment.player != TERMINAL:
            return [0.0] * moment.game.num_players
        paid: list[float] = moment.game.returns(moment.states).tolist()
        return paid

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> CardState:
        """A state at random among those that a seat cannot tell from this one; its history is empty.

        Args:
            player_id: the seat.
            probability_sampler: callable that gives floats from 0 to below 1, such as
                `pyspiel.UniformProbabilitySampler(0.0, 1.0)`.

        Raises:
            ValueError: nobody is to act here.
        """
        seed = int(probability_sampler() * 2**32) << 32 | int(probability_sampler() * 2**32)
        other: CardState = self.get_game().new_initial_state()
        other._moment = self._moment.resampled(player_id, seed % 2**64)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.get_game(), self.serialize())

    def states(self) -> Any:
        """A copy of the game's record, shape (1,), for the functions of `Game`."""
        return self._moment.copy().states

    def __str__(self) -> str:
        moment = self._moment
        if moment.player == CHANCE:
            dealer = f"player {moment.states['dealer'][0]} deals" if moment.dealer_known else "who deals?"
            return " ".join([f"deal {moment.hand}:", dealer, *map(moment.game.pack.text, moment.pack)])
        text: str = moment.game.notation.describe(moment.states[0])
        return text


def _loaded(text: str) -> CardGame:
    """Unpickles a game, and in a fresh process registers it first: by importing this module."""
    game: CardGame = pyspiel.load_game(text)
    return game


def _again(game: CardGame, text: str) -> CardState:
    state: CardState = game.deserialize_state(text)
    return state


def register() -> dict[str, CardGame]:
    """Enter all installed games in OpenSpiel's registry; those that are there stay.

    Returns:
        Id -> the game under its default rules, ready to play.
    """
    known = pyspiel.registered_names()
    for id in game_ids():
        if PREFIX + id not in known:
            creator = partial(CardGame, id)
            # OpenSpiel lets go of it when the interpreter is gone already; what refers to itself is not freed then.
            creator.__dict__["itself"] = creator
            pyspiel.register_game(_game_type(id), creator)
    return {id: pyspiel.load_game(PREFIX + id) for id in game_ids()}


def openspiel_game(
    id: str,
    preset: str = "",
    *,
    chance: str = "cards",
    deals: int = 0,
    worlds: int = 0,
    position: str = "",
    seed: int = 0,
    **options: Any,
) -> CardGame:
    """A game of OpenSpiel from cardsim's own names.

    Args:
        id: the game's.
        preset: form of the game; its default if empty.
        chance, deals, worlds, position, seed: how it begins, see `CardGame`; the seed is at most 2**31-1.
        **options: rule options by name.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """
    game_type(id)
    players = int(options.pop("players", 0))
    given = {"preset": preset, "players": players, "rules": rules_text(options), "chance": chance}
    given |= {"deals": deals, "worlds": worlds, "position": position_text(position), "seed": seed}
    game: CardGame = pyspiel.load_game(PREFIX + id, given)
    return game


register()
