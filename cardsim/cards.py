"""Cards and their text, shared by all games: rank then suit, `TH` is the ten of hearts.

The suits are numbered diamonds, hearts, spades, clubs: the ascending order of 1001's marriages and of the Wenzels.
Each game numbers its own ranks, since their order differs; a card is suit * ranks_per_suit + rank.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardsim.options import quoted

SUITS = "DHSC"
SUIT_NAMES = ("diamonds", "hearts", "spades", "clubs")
SUIT_SIGNS = "♦♥♠♣"
RED_SUITS = "DH"


class Pack:
    """A numbering of cards: `ranks` from lowest to highest, one letter each, in the four suits.

    >>> pack = Pack("789JQKTA")
    >>> pack.text(pack.card("TH")), pack.size
    ('TH', 32)
    """

    def __init__(self, ranks: str) -> None:
        self.ranks = ranks
        self.per_suit = len(ranks)
        self.size = 4 * len(ranks)
        self.names: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in ranks)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def card(self, text: str) -> int:
        """Number of a card given as text, such as `TH`.

        Raises:
            ValueError: not a card of this pack; the message says what is.
        """
        try:
            return self._numbers[text.strip().upper()]
        except KeyError:
            raise ValueError(
                f"card {quoted(text)}: must be one of {' '.join(self.ranks)} followed by one of {' '.join(SUITS)}"
            ) from None

    def text(self, card: int) -> str:
        """Text of a card number 0 .. size-1."""
        return self.names[card]

    def mask(self, cards: Iterable[str]) -> int:
        """Bit mask of cards given as texts."""
        total = 0
        for text in cards:
            total |= 1 << self.card(text)
        return total

    def cards_of(self, mask: int) -> list[str]:
        """Texts of the cards in a bit mask, in ascending card number."""
        return [self.names[card] for card in range(self.size) if int(mask) >> card & 1]

    def parse(self, text: str) -> list[int]:
        """Card numbers of a comma- or space-separated list; empty text or `-` is the empty list."""
        words = text.replace(",", " ").split()
        return [] if words in ([], ["-"]) else [self.card(word) for word in words]


def signed(text: str) -> str:
    """A card text with its suit sign for people: `TH` becomes `T♥`."""
    return text[:-1] + SUIT_SIGNS[SUITS.index(text[-1])]
