"""Conformance of games: `check_game` plays hands and checks at every decision what each game promises.

For the tests of this package and of packages that add a game. What it holds a game to:

* a seat to act has a legal action; exactly the actions of the mask are accepted, others raise and change nothing;
* dealing and playing are deterministic, leave nothing of an earlier deal behind, and end;
* returns change only where a hand is over, and stay within the game's bounds;
* copies are independent, and all seats are treated alike: the deal turned by a seat gives the hand turned by a seat;
* observations are zeros and ones; `resample_hidden` changes nothing that the seat can see or do, `view` keeps it all;
* positions and hands survive being written as text, where the game's notation has functions for it;
* `Tables` agrees with playing one step at a time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cardsim import contract, rng
from cardsim.contract import CHANCE, TERMINAL
from cardsim.families import Agent
from cardsim.game import Game
from cardsim.jit import kernel
from cardsim.registry import make_agent
from cardsim.tables import Tables

MAX_DECISIONS, MAX_HANDS = 1000, 1000  # in one hand, in one episode
ILLEGAL_TRIED, WORLDS, NUM_TABLES = 4, 2, 3


class Checked(NamedTuple):
    """How much a check has seen.

    Attributes:
        decisions: decisions of seats to act.
        hands: hands dealt; more than episodes where an episode is a match.
        worlds: worlds resampled.
        moved: those of them that differed from the true state.
    """

    decisions: int
    hands: int
    worlds: int
    moved: int


@kernel
def _act(agents: Any, k: int, states: Any, i: int, streams: Any, stream: int) -> int:
    return contract.act(agents[k], states[i], contract.legal_actions(states[i]), streams[stream])  # type: ignore[no-any-return]


def check_game(
    game: Game,
    hands: int = 200,
    seed: int = 0,
    agents: Sequence[Agent | str] | None = None,
    first: int = 0,
    every: int = 1,
) -> Checked:
    """Play episodes and check at every decision what a game promises.

    Args:
        game: the game under its rules.
        hands: episodes to play.
        seed: 0 .. 2**64-1; decides the packs and all choices.
        agents: who plays, in turn around the table; every seat at random if None.
        first: number of the first episode; an error names the number with which one episode is played again.
        every: look at one decision of so many, drawn at random, from all sides; at the others only at the state itself.

    Raises:
        AssertionError: a promise is broken; the message says which, and how to play the hand again.

    >>> from cardsim.registry import make_game
    >>> check_game(make_game("sixty_six"), hands=2).hands
    2
    """
    seed = rng.check_seed(seed)
    found = [make_agent(game.id, agent) if isinstance(agent, str) else agent for agent in agents or ()]
    used = game.new_states()
    total = np.zeros(len(Checked._fields), np.int64)
    for number in range(first, first + hands):
        episode = _Episode(game, seed, number, found, every)
        try:
            episode.check_deal(used)
            episode.play()
        except Exception as error:
            raise AssertionError(f"{episode.where()}: {error or type(error).__name__}\n{episode.text()}") from error
        used = episode.states
        total += episode.count
    _check_tables(game, seed, max(20, hands))
    return Checked(*map(int, total))


def _expect(condition: Any, message: str) -> None:
    # Not `assert`, which python -O takes out.
    if not condition:
        raise AssertionError(message)


def _copy(states: Any) -> Any:
    return states.view(np.uint8).copy().view(states.dtype)


class _Episode:
    """One episode, played from a shuffled pack together with its twin, in which all sit one seat further."""

    def __init__(self, game: Game, seed: int, number: int, agents: Sequence[Agent], every: int) -> None:
        self.game, self.seed, self.number, self.every = game, seed, number, every
        self.chance = random.Random(f"{seed} {number}")
        self.deck = game.deck()
        self.chance.shuffle(self.deck)
        self.dealer = number % game.num_players
        self.states = game.deal_given(self.deck, self.dealer)
        self.twin = game.deal_given(self.deck, (self.dealer + 1) % game.num_players)
        self.streams = rng.new_streams(1 + game.num_players)
        for k in range(len(self.streams)):
            stream = rng.RESAMPLE if k == 0 else rng.AGENT + k - 1
            rng.seed_stream(self.streams[k], np.uint64(seed), np.uint64(number), stream)
        records = [agent.record for agent in agents]
        self.agents = np.concatenate(records).view(records[0].dtype) if agents else None
        self.actions: list[int] = []
        self.hand_start = self.hand = self.decisions = self.worlds = self.moved = 0

    @property
    def count(self) -> tuple[int, int, int, int]:
        return self.decisions, self.hand + 1, self.worlds, self.moved

    def where(self) -> str:
        step, played = self.decisions - self.hand_start, "" if self.agents is None else " (played by agents)"
        return f"{self.game.name}: seed {self.seed}, first {self.number}, hand {self.hand}, step {step}{played}"

    def text(self) -> str:
        """The first hand as text, as far as it has come; later hands of a match need the seed."""
        if not hasattr(self.game.notation, "Hand"):
            return f"dealer {self.dealer}, deck {self.deck}, actions {self.actions}"
        return str(self.game.notation.Hand(self.game.rules, self.dealer, tuple(self.deck), tuple(self.actions)).text)

    def check_deal(self, used: Any) -> None:
        """A deal has the same bytes whatever the record held before."""
        game, want = self.game, self.game.deal(self.seed, self.number)
        for name, old in (("itself", _copy(want)), ("the last episode", _copy(used))):
            _expect(game.deal(self.seed, self.number, old).tobytes() == want.tobytes(), f"deal: differs after {name}")
            given = game.deal_given(self.deck, self.dealer, old)
            _expect(given.tobytes() == self.states.tobytes(), f"deal_given: differs after {name}")
        if hasattr(game.notation, "dealt_hand"):
            hand = game.notation.dealt_hand(game.rules, self.seed, self.number)
            same = next(game.notation.replay(hand)).tobytes() == want.tobytes()
            _expect(same, "deal: deals otherwise than dealt_hand of the game's notation")

    def play(self) -> None:
        """Play to the end, checking every state on the way."""
        game = self.game
        while True:
            player = self.check_node(self.states)
            self.check_twin(player)
            if player == TERMINAL:
                break
            if player == CHANCE:
                self.next_hand()
                continue
            if self.every == 1 or self.chance.randrange(self.every) == 0:
                self.check_decision(player)
            action = self.choose(player)
            for states in (self.states, self.twin):
                game.apply_action(states, action)
            self.decisions += 1
            if self.hand == 0:
                self.actions.append(action)
            bounded = self.decisions - self.hand_start <= MAX_DECISIONS
            _expect(bounded, f"the hand has not ended after {MAX_DECISIONS} decisions")
        self.check_end()
        low, high = game.returns_bounds
        values = game.returns(self.states)
        _expect(low <= values.min() and values.max() <= high, f"returns {values}: outside {game.returns_bounds}")

    def choose(self, player: int) -> int:
        if self.agents is None:
            return self.chance.choice(self.game.legal_actions(self.states))
        turn = (player + self.number) % len(self.agents)
        return int(_act(self.agents, turn, self.states, 0, self.streams, 1 + player))

    def next_hand(self) -> None:
        self.check_end()
        self.hand += 1
        self.hand_start = self.decisions
        _expect(self.hand < MAX_HANDS, f"the episode has not ended after {MAX_HANDS} hands")
        again = _copy(self.states)
        for states in (self.states, self.twin, again):
            self.game.deal_next(self.seed, self.number, self.hand, states)
        _expect(again.tobytes() == self.states.tobytes(), "deal_next: differs the second time")

    def check_node(self, states: Any) -> int:
        """What holds in every state; returns the seat to act."""
        game = self.game
        player, mask = game.current_player(states), game.legal_mask(states)
        if player in (CHANCE, TERMINAL):
            _expect(mask == 0, f"actions {game.legal_actions(states)} are legal, but nobody is to act")
        else:
            _expect(0 <= player < game.num_players, f"current_player is {player}")
            _expect(mask != 0, f"seat {player} is to act, but has no legal action")
            _expect(mask >> game.num_actions == 0, f"legal_actions {mask:#x}: beyond the {game.num_actions} actions")
        if game.type.invariants is not None:
            game.type.invariants(states, 0)
        return player

    def check_twin(self, player: int) -> None:
        """The twin stands the same, one seat further."""
        game, players = self.game, self.game.num_players
        turned = player if player in (CHANCE, TERMINAL) else (player + 1) % players
        moved = "with every seat moved by one,"
        _expect(game.current_player(self.twin) == turned, f"{moved} another seat is to act")
        _expect(game.legal_mask(self.twin) == game.legal_mask(self.states), f"{moved} other actions are legal")
        same = np.array_equal(np.roll(game.returns(self.states), 1), game.returns(self.twin))
        _expect(same, f"{moved} the returns differ")
        for seat in range(players):
            seen = game.observe(self.states, seat)
            plain = set(np.unique(seen)) <= {0, 1} and seen.dtype == np.int8
            _expect(plain, f"the observation of seat {seat} is not of zeros and ones")
            self.check_same(f"{moved} seat {seat} sees", seen, game.observe(self.twin, (seat + 1) % players))

    def check_same(self, what: str, seen: Any, other: Any) -> None:
        """Two observations are equal, or the message names the blocks in which they differ."""
        if np.array_equal(seen, other):
            return
        names, at = [], 0
        for block in self.game.blocks:
            end = at + block.rows * block.width
            if not np.array_equal(seen[at:end], other[at:end]):
                names.append(block.name)
            at = end
        raise AssertionError(f"{what} other {', '.join(names)}")

    def check_decision(self, player: int) -> None:
        game, states = self.game, self.states
        before, returns = states.tobytes(), game.returns(states)
        legal = game.legal_actions(states)
        illegal = [action for action in range(game.num_actions) if action not in legal]
        for action in (-1, game.num_actions, *self.chance.sample(illegal, min(ILLEGAL_TRIED, len(illegal)))):
            try:
                game.apply_action(states, action)
            except ValueError:
                _expect(states.tobytes() == before, f"illegal action {action} was refused, but changed the state")
            else:
                raise AssertionError(f"illegal action {action} was accepted")
        for action in legal:
            copy = _copy(states)
            game.apply_action(copy, action)
            name = game.action_names[action]
            _expect(copy.tobytes() != before, f"{name} changes nothing")
            _expect(states.tobytes() == before, f"{name}, played on a copy, changed the original")
            if self.check_node(copy) >= 0:
                _expect(np.array_equal(game.returns(copy), returns), f"{name} changes the returns in mid-hand")
        for seat in range(game.num_players):
            self.check_hidden(seat, player)
        _expect(states.tobytes() == before, "looking at the state has changed it")
        self.check_text(states)

    def check_hidden(self, seat: int, player: int) -> None:
        """What a seat cannot know makes no difference to what it sees and may do."""
        game = self.game
        seen = game.observe(self.states, seat)
        viewed = game.observe(game.view(seen), 0)
        self.check_same(f"the observation of seat {seat}, seen again through view(), shows", seen, viewed)
        world = _copy(self.states)
        for _ in range(WORLDS):
            game.resample_hidden(world, seat, self.streams)
            self.check_same(f"in a resampled world seat {seat} sees", seen, game.observe(world, seat))
            mover = self.check_node(world)  # for others it may differ, where a seat is asked in secret
            if player == seat:
                _expect(mover == seat, f"in a resampled world seat {seat} is not to act")
                same = game.legal_mask(world) == game.legal_mask(self.states)
                _expect(same, f"in a resampled world seat {seat} has other legal actions")
            self.worlds += 1
            self.moved += world.tobytes() != self.states.tobytes()
        if self.chance.random() < 0.25:
            self.check_text(world)
            self.play_out(world)

    def play_out(self, world: Any) -> None:
        """A resampled world can be played to its end, and adds up there."""
        for _ in range(MAX_DECISIONS):
            if self.game.current_player(world) < 0:
                self.check_node(world)
                return
            _expect(self.game.legal_mask(world) != 0, "a resampled world comes to a seat without legal actions")
            self.game.apply_action(world, self.chance.choice(self.game.legal_actions(world)))
        raise AssertionError(f"a resampled world has not ended after {MAX_DECISIONS} decisions")

    def check_text(self, states: Any) -> None:
        notation = self.game.notation
        if not hasattr(notation, "position_text"):
            return
        text = notation.position_text(self.game.rules, states)
        rules, again = notation.parse_position(text)
        _expect(rules.text == self.game.name, f"position {text!r} is read back under {rules.text}")
        _expect(again.tobytes() == states.tobytes(), f"position {text!r} is read back as another state")

    def check_end(self) -> None:
        """At the end of a hand: its text; the first one, written and read back, replays to the same state."""
        self.check_text(self.states)
        notation = self.game.notation
        if self.hand > 0 or not hasattr(notation, "parse_hand"):
            return
        hand = notation.parse_hand(self.text())
        same = list(hand.deck) == self.deck and list(hand.actions) == self.actions
        _expect(same, "the hand as text is read back with other cards or actions")
        *_, last = notation.replay(hand)
        _expect(last.tobytes() == self.states.tobytes(), "the hand as text is replayed to another end")


def _check_tables(game: Game, seed: int, steps: int) -> None:
    """`Tables` against single steps: observations, masks, seats, rewards, ends, new deals."""
    tables = Tables(game, NUM_TABLES, seed)
    chance = random.Random(seed)
    states, batch = game.new_states(NUM_TABLES), tables.reset()
    episodes, dealt = list(range(NUM_TABLES)), [1] * NUM_TABLES
    for i in range(NUM_TABLES):
        game.deal(seed, i, states, i)
    for step in range(steps):
        at = f"{game.name}: Tables with seed {seed}, step {step}"
        _expect(tables.states.tobytes() == states.tobytes(), f"{at}: the states differ from single steps")
        for i, player in enumerate(batch.player):
            seen, mask = game.observe(states, int(player), i), game.legal_mask(states, i)
            _expect(player == game.current_player(states, i), f"{at}, table {i}: seat {player} is not to act")
            _expect(np.array_equal(batch.observation[i], seen), f"{at}, table {i}: another observation")
            offered = sum(1 << int(action) for action in np.flatnonzero(batch.action_mask[i]))
            _expect(offered == mask, f"{at}, table {i}: another mask")
        actions = np.array([chance.choice(game.legal_actions(states, i)) for i in range(NUM_TABLES)])
        _check_refusal(tables, batch, actions, at)
        batch = tables.step(actions)
        for i in range(NUM_TABLES):
            before = game.returns(states, i)
            game.apply_action(states, int(actions[i]), i)
            player = game.current_player(states, i)
            reward = game.returns(states, i) - before
            paid = batch.reward[i]
            _expect(np.array_equal(paid, reward), f"{at}, table {i}: rewards {paid}, not {reward}")
            _expect(batch.ended[i] == (player == TERMINAL), f"{at}, table {i}: ended is {batch.ended[i]}")
            if player == CHANCE:
                game.deal_next(seed, episodes[i], dealt[i], states, i)
                dealt[i] += 1
            elif player == TERMINAL:
                episodes[i] += NUM_TABLES
                dealt[i] = 1
                game.deal(seed, episodes[i], states, i)


def _check_refusal(tables: Tables, batch: Any, actions: Any, at: str) -> None:
    """One illegal action among legal ones: refused, and no table has moved."""
    before = tables.states.tobytes()
    wrong = actions.copy()
    wrong[-1] = int(np.argmin(batch.action_mask[-1]))
    if not batch.action_mask[-1, wrong[-1]]:
        try:
            tables.step(wrong)
        except ValueError:
            _expect(tables.states.tobytes() == before, f"{at}: an action was refused, but a table has moved")
        else:
            raise AssertionError(f"{at}: illegal action {wrong[-1]} was accepted")
