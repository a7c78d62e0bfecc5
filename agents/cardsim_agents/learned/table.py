"""How kernels find a network: by its number, in a table of this process.

An agent's record carries a network's number, a digest of its content. Where the network lies in memory differs from
process to process, so kernels look the number up in a table, whose own address is filled in when compiled code is
loaded, as that of any outside symbol. Nothing of a network is in the code: it stays cached, whatever is trained, and
records stay a few numbers that may be copied, pickled and sent.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import carray, types
from numba.extending import intrinsic

from cardsim.jit import DISABLED, inlined, kernel
from cardsim.options import clip
from cardsim.registry import game_type
from cardsim_agents.learned.features import ActionFeatures
from cardsim_agents.learned.networks import Network

SLOTS = 4096
"""Places in the table; three quarters of them may be taken."""
SYMBOL = "cardsim_networks"
OWN = Path(__file__).with_name("weights")

TABLE = np.zeros((SLOTS, 2), np.int64)
"""Number and address of each network, at its number modulo SLOTS or the next free place; address 0: free."""
_kept: dict[int, Any] = {}
_lock = threading.Lock()
binding.add_symbol(SYMBOL, TABLE.ctypes.data)


def add(network: Network) -> int:
    """Make a network known to this process's kernels, for as long as the process lives, and return its number.

    Raises:
        ValueError: there are too many.
    """
    content = network.to_bytes()
    number = int.from_bytes(hashlib.sha256(content.tobytes()).digest()[:8], "little") >> 1 or 1
    with _lock:
        if number not in _kept:
            if len(_kept) >= SLOTS * 3 // 4:
                raise ValueError(f"networks: this process has {len(_kept)}, which is the most")
            _kept[number] = content
            slot = number % SLOTS
            while TABLE[slot, 1]:
                slot = (slot + 1) % SLOTS
            TABLE[slot, 0] = number
            TABLE[slot, 1] = content.ctypes.data  # last: from now on kernels find it
    return number


class GameNetworks:
    """The networks of one game's learned agents (see `cardsim.families.Networks`).

    Args:
        game: game id; its own network is `weights/<game>.npz`.
        features: of actions, if a network may look at them: it has one score then, for the action described.
    """

    def __init__(self, game: str, features: ActionFeatures | None = None) -> None:
        self.game = game
        self.features = features
        self._own: int | None = None

    def load(self, source: str | None) -> int:
        """Make the network of a file, or the game's own for None, known to this process's kernels; its number.

        Raises:
            ValueError: the file cannot be read, or is of another game.
        """
        if source is None and self._own is not None:
            return self._own
        path = OWN / f"{self.game}.npz" if source is None else source
        network, kind = Network.read(path), game_type(self.game)
        shape, want = (network.inputs.size, network.biases[-1].size), [(kind.observation_size, len(kind.action_names))]
        if self.features is not None:
            want.append((kind.observation_size + self.features.size, 1))
        if network.game.partition("(")[0] != self.game or shape not in want:
            allowed = " or ".join(str(pair) for pair in want)
            raise ValueError(
                f"weights {clip(path)}: are of {clip(network.game)} {shape}: must be of {self.game} {allowed}"
            )
        number = add(network)
        if source is None:
            self._own = number
        return number

    def known(self, number: int) -> bool:
        """Whether this process's kernels know the network."""
        return number in _kept


if DISABLED:

    def _array(address: int, size: int, dtype: Any) -> Any:
        memory: Any = (ctypes.c_char * (int(size) * np.dtype(dtype).itemsize)).from_address(int(address))
        return np.frombuffer(memory, dtype)

    def words(address: int, count: int) -> Any:
        """The int64 array at an address."""
        return _array(address, count, np.int64)

    def numbers(address: int, count: int) -> Any:
        """The int32 array at an address."""
        return _array(address, count, np.int32)

    def rows8(address: int, rows: int, columns: int) -> Any:
        """The int8 array (rows, columns) at an address."""
        return _array(address, rows * columns, np.int8).reshape(rows, columns)

    def rows16(address: int, rows: int, columns: int) -> Any:
        """The int16 array (rows, columns) at an address."""
        return _array(address, rows * columns, np.int16).reshape(rows, columns)

    def table_address() -> int:
        """Where TABLE lies in this process."""
        return int(TABLE.ctypes.data)

else:

    @intrinsic
    def table_address(typingctx: Any) -> Any:
        """Where TABLE lies in this process."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            module = builder.function.module
            table = module.globals.get(SYMBOL) or ir.GlobalVariable(module, word, SYMBOL)
            return builder.ptrtoint(table, word)

        return types.int64(), codegen

    @intrinsic
    def _pointer(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

        return types.voidptr(types.int64), codegen

    @inlined
    def words(address: int, count: int) -> Any:
        """The int64 array at an address."""
        return carray(_pointer(address), (count,), np.int64)

    @inlined
    def numbers(address: int, count: int) -> Any:
        """The int32 array at an address."""
        return carray(_pointer(address), (count,), np.int32)

    @inlined
    def rows8(address: int, rows: int, columns: int) -> Any:
        """The int8 array (rows, columns) at an address."""
        return carray(_pointer(address), (rows, columns), np.int8)

    @inlined
    def rows16(address: int, rows: int, columns: int) -> Any:
        """The int16 array (rows, columns) at an address."""
        return carray(_pointer(address), (rows, columns), np.int16)


@kernel
def address_of_network(number: int) -> int:
    """Where a network begins, or 0 if this process has not loaded it."""
    table = words(table_address(), 2 * SLOTS)
    slot = number % SLOTS
    while table[2 * slot + 1] != 0:
        if table[2 * slot] == number:
            return table[2 * slot + 1]
        slot = (slot + 1) % SLOTS
    return 0
