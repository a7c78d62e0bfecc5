"""What a seat sees, for OpenSpiel: as a tensor, and as a line of text that is fast enough to be the key of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.game import Game


class Wording:
    """Writes observations of a game: `hand:TH,AH trump:2 points0:8+2`; rows and entries that are zero are left out.

    A row is the name of its block, with the number of the row where there are several. Entries of a row are cards,
    powers of two that add up (`binary`), or indices; a flag of its own is the name alone.
    """

    def __init__(self, game: Game) -> None:
        self._rows: list[int] = []
        self._first: list[str] = []
        self._more: list[str] = []
        for block in game.blocks:
            for row in range(block.rows):
                name = f"{block.name}{row}" if block.rows > 1 else block.name
                number = self._rows[-1] + 1 if self._rows else 0
                for k in range(block.width):
                    binary = block.kind == "binary"
                    entry = game.pack.text(k) if block.kind == "cards" else str(1 << k if binary else k)
                    self._rows.append(number)
                    self._first.append(name if block.kind == "flags" and block.width == 1 else f"{name}:{entry}")
                    self._more.append(f"{'+' if binary else ','}{entry}")

    def text(self, observation: Any) -> str:
        """The line for an observation, int8 (O,)."""
        words: list[str] = []
        last = -1
        for entry in np.flatnonzero(observation).tolist():
            row = self._rows[entry]
            if row == last:
                words[-1] += self._more[entry]
            else:
                words.append(self._first[entry])
                last = row
        return " ".join(words)


class CardObserver:
    """What a seat sees of a state, as OpenSpiel's observers are.

    Attributes:
        tensor: float32, the seat (one entry each), then the observation of zeros and ones.
        dict: the same, by the names of its blocks.
    """

    def __init__(self, game: Game, wording: Wording, perfect_recall: bool) -> None:
        self._wording = wording
        self._recalls = perfect_recall
        self._players = game.num_players
        self.tensor = np.zeros(game.num_players + game.observation_size, np.float32)
        self.dict = {"player": self.tensor[: game.num_players]}
        at = game.num_players
        for block in game.blocks:
            piece = self.tensor[at : at + block.rows * block.width]
            self.dict[block.name] = piece.reshape(block.rows, block.width) if block.rows > 1 else piece
            at += len(piece)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a seat sees into `tensor`."""
        self.tensor[: self._players] = 0.0
        self.tensor[player] = 1.0
        self.tensor[self._players :] = state._moment.seen_by(player)

    def string_from(self, state: Any, player: int) -> str:
        """What a seat sees in words; with perfect recall, also the fingerprint of its past."""
        moment = state._moment
        text = f"player {player} {self._wording.text(moment.seen_by(player))}"
        return f"{text} past:{moment.past_of(player)}" if self._recalls else text
