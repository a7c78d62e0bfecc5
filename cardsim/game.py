"""The Python face of a game: its type (`GameType`) and a game under given rules (`Game`)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from cardsim import contract, rng
from cardsim.cards import Pack
from cardsim.dealing import begin_episode, deal_hand
from cardsim.jit import kernel
from cardsim.options import OptionTable, Rules


@kernel
def _deal_episode(states: Any, i: int, streams: Any, seed: Any, number: Any) -> None:
    begin_episode(states[i], streams[0], seed, number)


@kernel
def _deal_next(states: Any, i: int, streams: Any, seed: Any, number: Any, hand: int) -> None:
    deal_hand(states[i], streams[0], seed, number, hand)


@kernel
def _deal_deck(states: Any, i: int, deck: Any) -> None:
    contract.deal_given(states[i], deck)


@kernel
def _reset(states: Any, i: int, streams: Any) -> None:
    contract.reset(states[i], streams[0])


@kernel
def _legal(states: Any, i: int) -> Any:
    return contract.legal_actions(states[i])


@kernel
def _player(states: Any, i: int) -> int:
    return contract.current_player(states[i])


@kernel
def _apply(states: Any, i: int, action: int) -> None:
    contract.apply_action(states[i], action)


@kernel
def _returns(states: Any, i: int, out: Any) -> None:
    contract.returns(states[i], out)


@kernel
def _observe(states: Any, i: int, player: int, out: Any) -> None:
    contract.observe(states[i], player, out)


@kernel
def _recall(states: Any, i: int, observation: Any) -> None:
    contract.recall(states[i], observation)


@kernel
def _resample(states: Any, i: int, player: int, streams: Any) -> None:
    contract.resample_hidden(states[i], player, streams[0])


def check_array(name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return an array that kernels may write into.

    Raises:
        ValueError: it has another shape or dtype, or is not C-contiguous and writable.
    """
    fits = type(array) is np.ndarray and array.shape == shape and array.dtype == dtype
    if not fits or not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError(f"{name}: must be a writable C-contiguous {np.dtype(dtype)} array of shape {shape}")
    return array


class GameType:
    """What is the same for all forms of a game; one per game folder, named `GAME`.

    Attributes:
        id: game id, such as `sixty_six`.
        title: name for people.
        options: table of rule options.
        presets: preset name -> one line for people.
        pack: numbering and text of the cards.
        notation: module with the game's text forms.
        invariants: for tests, raises AssertionError if a state (states, i) is impossible, or None.
        returns_sum: what the returns of all seats sum to at the end of every episode, or None where that depends on
            the play; None if nothing is known.
    """

    def __init__(
        self,
        id: str,
        title: str,
        *,
        state_dtype: np.dtype[Any],
        functions: Mapping[str, Any],
        make_rules: Callable[..., Rules],
        options: OptionTable,
        presets: Mapping[str, str],
        pack: Pack,
        action_names: Sequence[str],
        action_table: Sequence[tuple[str, str, str, str]],
        blocks: Sequence[Any],
        hand_columns: Sequence[str],
        seat_columns: Sequence[str],
        returns_unit: Callable[[Rules], str],
        returns_bounds: Callable[[Rules], tuple[float, float]],
        deck: Callable[[Rules], Sequence[int]],
        notation: ModuleType,
        invariants: Callable[[Any, int], None] | None = None,
        returns_sum: Callable[[Rules], float | None] | None = None,
    ) -> None:
        if len(action_names) > contract.MAX_ACTIONS:
            raise ValueError(f"{id}: {len(action_names)} actions, at most {contract.MAX_ACTIONS} fit a legal set")
        contract.register_record(id, state_dtype, functions, contract.GAME_FUNCTIONS)
        self.id = id
        self.title = title
        self.state_dtype = state_dtype
        self.make_rules = make_rules
        self.options = options
        self.presets = dict(presets)
        self.pack = pack
        self.action_names = tuple(action_names)
        self.action_table = tuple(action_table)
        self.blocks = tuple(blocks)
        self.observation_size = sum(block.rows * block.width for block in blocks)
        self.hand_columns = tuple(hand_columns)
        self.seat_columns = tuple(seat_columns)
        self.returns_unit = returns_unit
        self.returns_bounds = returns_bounds
        self.deck = deck
        self.notation = notation
        self.invariants = invariants
        self.returns_sum = returns_sum

    def make(self, preset: str = "base", **options: Any) -> Game:
        """The game under a preset and named options.

        Raises:
            ValueError: unknown or impossible rules; the message names the option, the value and what is allowed.
        """
        return Game(self, self.make_rules(preset, **options))


class Game:
    """A game under given rules: immutable, cheap, picklable. States are arrays of records (see `new_states`).

    Methods take `(states, i)`: a 1-D array of `state_dtype` and an index. They check what comes from outside.
    """

    def __init__(self, type: GameType, rules: Rules) -> None:
        self.type = type
        self.rules = rules
        self.id = type.id
        self.name = rules.text
        self.num_players = int(rules.record["players"][0])
        self.num_actions = len(type.action_names)
        self.action_names = type.action_names
        self.state_dtype = type.state_dtype
        self.observation_size = type.observation_size
        self.blocks = type.blocks
        self.hand_columns = type.hand_columns
        self.seat_columns = type.seat_columns
        self.returns_unit = type.returns_unit(rules)
        self.returns_bounds = type.returns_bounds(rules)
        self.returns_sum = type.returns_sum(rules) if type.returns_sum else None
        self.pack = type.pack
        self.notation = type.notation
        self._template = np.zeros(1, type.state_dtype)
        self._template["rules"] = rules.record

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._template.tobytes() == other._template.tobytes() and self.id == other.id

    def __hash__(self) -> int:
        return hash((self.id, self._template.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.id, self.rules.preset, dict(self.rules.changed))

    def new_states(self, count: int = 1) -> Any:
        """Array of `count` records with the rules in and no episode begun, dtype `state_dtype`, shape (count,)."""
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
            raise ValueError(f"count {count!r}: must be an integer of at least 0")
        raw = np.tile(self._template.view(np.uint8), count)
        return raw.view(self.state_dtype)

    def checked(self, states: Any) -> Any:
        """View an array as this game's records (np.load drops the align flag of a dtype)."""
        array = np.asarray(states)
        if array.dtype != self.state_dtype:
            raise ValueError(f"states of dtype {str(array.dtype)[:40]}...: must be records of {self.id}")
        return array.view(self.state_dtype)

    def deal(self, seed: int, number: int, states: Any = None, i: int = 0) -> Any:
        """Begin episode `number` of a seed and deal its first hand.

        Args:
            seed: 0 .. 2**64-1.
            number: deal number, 0 .. 2**64-1.
            states: array to write into at `i`; a new one of shape (1,) if None.

        Returns:
            The states.
        """
        seed, number = rng.check_seed(seed), rng.check_seed(number, "deal number")
        states = self.new_states() if states is None else self._at(states, i, change=True)
        _deal_episode(states, i, rng.new_streams(), np.uint64(seed), np.uint64(number))
        return states

    def deal_next(self, seed: int, number: int, hand: int, states: Any, i: int = 0) -> None:
        """Deal hand `hand` (1, 2, ...) of a match at a chance node; episode `number` of the seed.

        Raises:
            ValueError: numbers out of range, or the state is not at a chance node.
        """
        seed, number = rng.check_seed(seed), rng.check_seed(number, "deal number")
        if not 1 <= hand < 2 ** (32 - rng.MATCH_SHIFT):
            raise ValueError(f"hand {hand}: must be from 1 to {2 ** (32 - rng.MATCH_SHIFT) - 1}")
        if self.current_player(states, i) != contract.CHANCE:
            raise ValueError("deal_next: the state is not at a chance node, between two hands of a match")
        _deal_next(self._at(states, i, change=True), i, rng.new_streams(), np.uint64(seed), np.uint64(number), hand)

    def deal_given(self, deck: Sequence[int], dealer: int | None = None, states: Any = None, i: int = 0) -> Any:
        """Begin an episode with a given pack, card numbers in dealing order.

        Where the rules can void a deal by its pack, a chance node may follow, with nobody to act yet: then the next
        attempt is dealt by `deal_next`.

        Raises:
            ValueError: not exactly the cards of this form's pack, or no such dealer.
        """
        want = self.deck()
        given = list(deck) if isinstance(deck, Sequence | np.ndarray) and not isinstance(deck, str) else []
        if not all(isinstance(card, int | np.integer) for card in given) or sorted(given) != want:
            raise ValueError(f"deck of {len(given)} cards: must hold each of the {len(want)} cards of {self.name} once")
        if dealer is not None:
            dealer = self._seat(dealer, "dealer")
        states = self.new_states() if states is None else self._at(states, i, change=True)
        streams = rng.new_streams()
        rng.seed_stream(streams[0], np.uint64(0), np.uint64(0), rng.CARDS)
        _reset(states, i, streams)
        if dealer is not None:
            states["dealer"][i] = dealer
        _deal_deck(states, i, np.array(given, np.uint8))
        return states

    def deck(self) -> list[int]:
        """The cards of this form's pack, ascending."""
        return list(self.type.deck(self.rules))

    def current_player(self, states: Any, i: int = 0) -> int:
        """Seat to act, contract.CHANCE or contract.TERMINAL."""
        return int(_player(self._at(states, i), i))

    def legal_mask(self, states: Any, i: int = 0) -> int:
        """Set of legal actions as an int, bit per action."""
        return int(_legal(self._at(states, i), i))

    def legal_actions(self, states: Any, i: int = 0) -> list[int]:
        """Legal actions, ascending; empty at chance and terminal nodes."""
        mask = self.legal_mask(states, i)
        return [action for action in range(self.num_actions) if mask >> action & 1]

    def apply_action(self, states: Any, action: int, i: int = 0) -> None:
        """Play an action.

        Raises:
            ValueError: it is not legal; the message names what is, and nothing has changed.
        """
        try:
            number = operator.index(action)
        except TypeError:
            raise ValueError(f"action {action!r}: must be an integer") from None
        mask = self.legal_mask(states, i)
        if not 0 <= number < self.num_actions or not mask >> number & 1:
            raise ValueError(self.illegal(number, mask))
        _apply(self._at(states, i, change=True), i, number)

    def illegal(self, action: int, mask: int) -> str:
        """Message for an illegal action, naming what is legal."""
        known = 0 <= action < self.num_actions
        name = f" ({self.action_names[action]})" if known else ""
        legal = [f"{a} ({self.action_names[a]})" for a in range(self.num_actions) if mask >> a & 1]
        return f"action {action}{name} is illegal; legal: {', '.join(legal) or 'none, nobody is to act'}"

    def returns(self, states: Any, i: int = 0) -> Any:
        """Each seat's return so far, float64 (players,); unit: `returns_unit`."""
        out = np.zeros(self.num_players)
        _returns(self._at(states, i), i, out)
        return out

    def observe(self, states: Any, player: int, i: int = 0, out: Any = None) -> Any:
        """What `player` knows, int8 (observation_size,)."""
        player = self._seat(player)
        shape = (self.observation_size,)
        out = np.zeros(shape, np.int8) if out is None else check_array("out", out, shape, np.int8)
        _observe(self._at(states, i), i, player, out)
        return out

    def view(self, observation: Any) -> Any:
        """A state of shape (1,) that holds all an observation tells and nothing else; the observer is seat 0."""
        vector = np.asarray(observation)
        if vector.shape != (self.observation_size,):
            raise ValueError(f"observation of shape {vector.shape}: must be ({self.observation_size},)")
        if not ((vector == 0) | (vector == 1)).all():
            raise ValueError("observation: must hold zeros and ones only")
        states = self.new_states()
        _recall(states, 0, vector.astype(np.int8, copy=False))
        return states

    def resample_hidden(self, states: Any, player: int, streams: Any, i: int = 0) -> None:
        """Replace in place what `player` cannot know by a random world that agrees with all he knows.

        Args:
            states: records; `states[i]` is changed.
            player: seat whose knowledge is kept.
            streams: array of dtype rng.STREAM; the first is used.

        Raises:
            ValueError: no such seat or table, or no agreeing world was found (possible only where voids have shown
                while cards are still drawn, or without perfect memory).
        """
        player = self._seat(player)
        if getattr(streams, "dtype", None) != rng.STREAM or len(streams) < 1:
            raise ValueError("streams: must be an array of at least one stream, as rng.new_streams makes them")
        _resample(self._at(states, i, change=True), i, player, streams)

    def _seat(self, player: Any, name: str = "player") -> int:
        """A seat number from outside as int."""
        if isinstance(player, bool) or not isinstance(player, int | np.integer) or not 0 <= player < self.num_players:
            raise ValueError(f"{name} {player!r}: must be an integer from 0 to {self.num_players - 1}")
        return int(player)

    def _at(self, states: Any, i: int, change: bool = False) -> Any:
        """The states as kernels want them, after the checks of dtype, index and access that kernels do not make."""
        if getattr(states, "dtype", None) != self.state_dtype or not states.dtype.isalignedstruct:
            states = self.checked(states)
        if states.ndim != 1 or not 0 <= i < len(states):
            raise ValueError(f"table {i}: must be from 0 to {states.size - 1}")
        if change and not states.flags.writeable:
            raise ValueError("states: are read-only; copy them first")
        return states


def _remake(id: str, preset: str, options: Mapping[str, Any]) -> Game:
    from cardsim.registry import make_game

    return make_game(id, preset=preset, **options)
