"""One moment of a game with what each seat remembers: the state behind `cardsim_envs.openspiel`.

An observation tells what a perfect rememberer knows, but not how he came to know it: not the order in which cards
went, nor what he himself declined to do. A seat's *past* does: a fingerprint of 128 bits of its own actions and of all
that it saw, in order, where a sight like the one before is left out, so that it does not tell how many decisions others
took. Observation and past together are an information state with perfect recall.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from cardsim import rng
from cardsim.bits import I64, U64, holds
from cardsim.contract import CHANCE, apply_action, current_player, deal_given, legal_actions, observe, reset
from cardsim.dealing import begin_episode, deal_hand
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.tables import ILLEGAL

LANES = 4
MASK32 = U64(0xFFFFFFFF)
SHIFT = U64(15)
FACTORS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F], np.uint64)
"""Odd, so that each step of `_stir` can be undone and no two values lead to the same lane."""


@kernel
def _stir(lanes: Any, value: int) -> None:
    for k in range(LANES):
        mixed = ((lanes[k] ^ U64(value)) * FACTORS[k]) & MASK32
        lanes[k] = mixed ^ (mixed >> SHIFT)


@kernel
def _look(states: Any, out: Any, pasts: Any, sights: Any) -> None:
    """Let every seat look: a sight unlike its last one is added to its past."""
    sight = np.zeros(LANES, np.uint64)
    for seat in range(pasts.shape[0]):
        observe(states[0], seat, out)
        for k in range(LANES):
            sight[k] = U64(0)
        for entry in range(out.shape[0]):
            if out[entry]:
                _stir(sight, entry + 1)
        same = True
        for k in range(LANES):
            same = same and sight[k] == sights[seat, k]
        if not same:
            for k in range(LANES):
                sights[seat, k] = sight[k]
                _stir(pasts[seat], I64(sight[k]))


@kernel
def _play(states: Any, action: int, out: Any, pasts: Any, sights: Any) -> int:
    state = states[0]
    seat = current_player(state)
    if seat < 0 or not holds(legal_actions(state), action):
        return ILLEGAL
    _stir(pasts[seat], action + 1)
    apply_action(state, action)
    _look(states, out, pasts, sights)
    return current_player(state)


@kernel
def _deal_deck(states: Any, deck: Any, out: Any, pasts: Any, sights: Any) -> int:
    deal_given(states[0], deck)
    _look(states, out, pasts, sights)
    return current_player(states[0])


@kernel
def _deal_number(
    states: Any, streams: Any, seed: Any, number: Any, hand: int, out: Any, pasts: Any, sights: Any
) -> int:
    if hand == 0:
        begin_episode(states[0], streams[0], seed, number)
    else:
        deal_hand(states[0], streams[0], seed, number, hand)
    _look(states, out, pasts, sights)
    return current_player(states[0])


@kernel
def _reset(states: Any, streams: Any) -> None:
    reset(states[0], streams[0])


class Moment:
    """A state of an episode that copies, pickles and remembers; at first the first deal is to be dealt.

    Args:
        game: the game under its rules.

    Attributes:
        states: the game's record, shape (1,).
        player: seat to act, CHANCE or TERMINAL.
        hand: hands dealt so far.
        dealer_known: whether the first dealer has been settled.
        pack: cards of the next deal that are known already, in dealing order.
    """

    __slots__ = ("_out", "_pasts", "_sights", "dealer_known", "game", "hand", "pack", "player", "states")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = begun(game)
        self.player = CHANCE
        self.hand = 0
        self.dealer_known = (
            "dealer" not in (game.state_dtype.names or ()) or game.rules.values.get("first_dealer") != "random"
        )
        self.pack: tuple[int, ...] = ()
        self._pasts = np.zeros((game.num_players, LANES), np.uint64)
        self._sights = np.zeros_like(self._pasts)
        self._out = np.zeros(game.observation_size, np.int8)

    def _memory(self) -> tuple[Any, Any, Any]:
        return self._out, self._pasts, self._sights

    def _dealt(self, player: int) -> None:
        self.player, self.pack, self.dealer_known = player, (), True
        self.hand += 1

    def set_dealer(self, seat: int) -> None:
        """Before the first deal: settle who deals."""
        self.states["dealer"][0] = seat
        self.dealer_known = True

    def deal_deck(self, deck: Any) -> None:
        """At a chance node: deal from a pack, card numbers in dealing order; it may void the deal."""
        self._dealt(int(_deal_deck(self.states, np.array(deck, np.uint8), *self._memory())))

    def deal_number(self, seed: int, number: int) -> None:
        """At a chance node: deal the next hand of episode `number` of a seed, as every other face of the game does."""
        at = np.uint64(seed), np.uint64(number), self.hand
        self._dealt(int(_deal_number(self.states, rng.new_streams(), *at, *self._memory())))

    def start_from(self, states: Any) -> None:
        """Before the first deal: take a dealt state of the same rules instead."""
        self.states.view(np.uint8)[:] = states.view(np.uint8)
        _look(self.states, *self._memory())
        self._dealt(self.game.current_player(self.states))

    def play(self, action: int) -> None:
        """Play an action of the seat to act.

        Raises:
            ValueError: it is not legal; the message names what is, and nothing has changed.
        """
        player = int(_play(self.states, action, *self._memory())) if 0 <= action < self.game.num_actions else ILLEGAL
        if player == ILLEGAL:
            raise ValueError(self.game.illegal(action, self.game.legal_mask(self.states)))
        self.player = player

    def seen_by(self, seat: int) -> Any:
        """What a seat knows, int8 (O,), overwritten by the next call."""
        return self.game.observe(self.states, seat, out=self._out)

    def past_of(self, seat: int) -> str:
        """Fingerprint of a seat's own actions and sights, 32 hexadecimal digits."""
        return "".join(f"{lane:08x}" for lane in self._pasts[seat].tolist())

    def resampled(self, seat: int, seed: int) -> Moment:
        """A copy in which all that a seat cannot know is replaced by a random world that agrees with what it knows.

        The others remember nothing in it but what they see there: their true past would give them away.

        Raises:
            ValueError: nobody is to act, or no agreeing world was found (see `Game.resample_hidden`).
        """
        if self.player < 0:
            raise ValueError("resample: nobody is to act here; hidden cards are replaced at decisions only")
        other = self.copy()
        streams = rng.new_streams()
        rng.seed_stream(streams[0], np.uint64(seed), np.uint64(0), rng.RESAMPLE)
        self.game.resample_hidden(other.states, seat, streams)
        for rows in (other._pasts, other._sights):
            kept = rows[seat].copy()
            rows[:] = 0
            rows[seat] = kept
        _look(other.states, *other._memory())
        return other

    def copy(self) -> Self:
        """An independent copy."""
        other = object.__new__(type(self))
        other.game, other.player, other.hand = self.game, self.player, self.hand
        other.dealer_known, other.pack = self.dealer_known, self.pack
        other.states = self.states.view(np.uint8).copy().view(self.game.state_dtype)
        other._pasts, other._sights = self._pasts.copy(), self._sights.copy()
        other._out = np.zeros_like(self._out)
        return other

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.states.tobytes(), self._pasts.tobytes(), self._sights.tobytes())
        return _again, (self.game, parts, self.player, self.hand, self.dealer_known, self.pack)


def _again(
    game: Game, parts: tuple[bytes, bytes, bytes], player: int, hand: int, dealer_known: bool, pack: tuple[int, ...]
) -> Moment:
    moment = Moment(game)
    for array, content in zip((moment.states, moment._pasts, moment._sights), parts, strict=True):
        array.reshape(-1).view(np.uint8)[:] = np.frombuffer(content, np.uint8)
    moment.player, moment.hand, moment.dealer_known, moment.pack = player, hand, dealer_known, pack
    return moment


def begun(game: Game) -> Any:
    """States (1,) at the chance node before the first deal; a dealer that the rules leave open is drawn from seed 0."""
    states, streams = game.new_states(), rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(0), np.uint64(0), rng.CARDS)
    _reset(states, streams)
    return states
