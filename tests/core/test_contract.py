"""What registration refuses, and what an unknown record is told, compiled and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from cardsim import contract
from cardsim.contract import GAME_FUNCTIONS, holes, register_record
from cardsim.jit import DISABLED, kernel
from cardsim.registry import make_game
from tests.core import pilegame
from tests.core.pilegame import GAME, kernels
from tests.core.running import ROOT, run

FUNCTIONS = {name: getattr(kernels, name) for name in GAME_FUNCTIONS}


def record(*fields: Any, align: bool = True) -> np.dtype[Any]:
    return np.dtype(list(fields), align=align)


def refusal(dtype: Any, functions: Any = FUNCTIONS, owner: str = "trial") -> str:
    with pytest.raises(ValueError, match=f"^{owner}: ") as caught:
        register_record(owner, dtype, functions, GAME_FUNCTIONS)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ([("a", np.int8), ("b", np.int32)], 3),
        ([("a", np.int32), ("b", np.int8)], 3),
        ([("a", np.int64), ("b", record(("c", np.int16), ("d", np.int8)), (2,)), ("e", np.int64)], 2),
        ([("a", np.int16, (3,)), ("b", np.uint64)], 2),
    ],
)
def test_holes_are_counted_and_refused(fields: Any, count: int) -> None:
    dtype = record(*fields)
    assert holes(dtype) == count
    assert f"{count} bytes of holes; declare them as _pad fields" in refusal(dtype)


def test_records_of_the_toolkit_have_no_holes() -> None:
    from cardsim.registry import agent_family
    from cardsim.rng import STREAM
    from cardsim.tables import CLOCK

    game = make_game("sixty_six")
    for dtype in (
        game.state_dtype,
        game.rules.record.dtype,
        agent_family(game.id).dtype,
        STREAM,
        CLOCK,
        GAME.state_dtype,
    ):
        assert holes(dtype) == 0
        assert dtype.isalignedstruct


@pytest.mark.parametrize("dtype", [np.dtype(np.int64), record(("a", np.int64), ("b", np.int64), align=False)])
def test_a_record_must_be_structured_and_aligned(dtype: Any) -> None:
    assert "must be a structured dtype with align=True" in refusal(dtype)


def test_missing_functions_are_all_named() -> None:
    functions = {name: function for name, function in FUNCTIONS.items() if name not in ("observe", "returns")}
    assert refusal(record(("missing", np.int64)), functions) == "trial: does not supply returns, observe"


def test_a_record_belongs_to_one_game() -> None:
    message = refusal(GAME.state_dtype, owner="copycat")
    assert "same as that of 'pile'" in message
    assert "rename a field" in message
    register_record("pile", GAME.state_dtype, FUNCTIONS, GAME_FUNCTIONS)  # a module loaded again is no copycat


def test_refused_records_stay_unknown() -> None:
    dtype = record(("refused", np.int64))
    refusal(dtype, {})
    with pytest.raises(TypeError, match="no game or agent family is registered"):
        contract.legal_actions(np.zeros(1, dtype)[0])


@kernel
def _players(states: Any) -> Any:
    return contract.current_player(states[0])


@kernel
def _legal(states: Any) -> Any:
    return contract.legal_actions(states[0])


STRANGER = record(("stranger", np.int64))
HALF = record(("half", np.int64))
register_record("half a game", HALF, {"current_player": kernels.current_player}, ())


def test_an_unknown_record_in_plain_python() -> None:
    with pytest.raises(TypeError, match=r"current_player\(\): no game or agent family .* fields \('stranger',\)"):
        contract.current_player(np.zeros(1, STRANGER)[0])
    with pytest.raises(TypeError, match=r"^'half a game' does not supply legal_actions\(\)$"):
        contract.legal_actions(np.zeros(1, HALF)[0])


def test_an_unknown_record_in_a_compiled_loop() -> None:
    error = TypeError if DISABLED else TypingError
    with pytest.raises(error, match=r"current_player\(\): no game or agent family is registered"):
        _players(np.zeros(1, STRANGER))
    with pytest.raises(error, match=r"'half a game' does not supply legal_actions\(\)"):
        _legal(np.zeros(1, HALF))


def test_one_loop_serves_every_game() -> None:
    pile, cards = GAME.make(), make_game("sixty_six")
    for game in (pile, cards):
        states = game.deal(1, 2)
        assert _players(states) == game.current_player(states) == contract.current_player(states[0])
        assert int(_legal(states)) == game.legal_mask(states) == int(contract.legal_actions(states[0]))
    assert _players(pile.new_states()) == contract.CHANCE


def test_every_function_is_documented_and_keeps_its_name() -> None:
    for name in (*GAME_FUNCTIONS, *contract.AGENT_FUNCTIONS):
        function = getattr(contract, name)
        assert function.__name__ == name
        assert function.__module__ == "cardsim.contract"
        assert len(function.__doc__) > 20


def test_dispatch_works_un_jitted() -> None:
    code = """
import numpy as np
from cardsim import contract, rng
from tests.core.pilegame import FAMILY, GAME
game, streams = GAME.make(players=3, hands=2), rng.new_streams()
states = game.deal(5, 6)
state, agent = states[0], FAMILY.make("greedy").record[0]
while contract.current_player(state) != contract.TERMINAL:
    if contract.current_player(state) == contract.CHANCE:
        contract.deal(state, streams[0])
    else:
        contract.apply_action(state, contract.act(agent, state, contract.legal_actions(state), streams[0]))
out = np.zeros(8)
contract.returns(state, out)
print(state["decisions"], abs(out[:3].sum()) < 1e-9)
try:
    contract.deal(np.zeros(1, [("x", "i8")])[0], streams[0])
except TypeError as error:
    print(error)
"""
    lines = run(code, path=[ROOT], flags=["-W", "error"], NUMBA_DISABLE_JIT="1").stdout.splitlines()
    assert lines[0] == "12 True"
    assert lines[1] == "deal(): no game or agent family is registered for a record with fields ('x',)"


def test_a_game_with_too_many_actions_is_refused() -> None:
    from cardsim.game import GameType

    with pytest.raises(ValueError, match="64 actions, at most 63 fit a legal set"):
        GameType(
            "wide", "Wide", state_dtype=GAME.state_dtype, functions=FUNCTIONS, make_rules=pilegame.make_rules,
            options=GAME.options, presets={}, pack=GAME.pack, action_names=["x"] * 64, action_table=[],
            blocks=[],
            hand_columns=[], seat_columns=[], returns_unit=GAME.returns_unit,
            returns_bounds=GAME.returns_bounds,
            deck=GAME.deck, notation=GAME.notation,
        )  # fmt: skip
