"""Cards and their text, shared by all games: rank then suit, `TH` is the ten of hearts.

The suits are numbered diamonds, hearts, spades, clubs: the ascending order of 1001's marriages and of the Wenzels.
Each game numbers its own ranks, since their order differs; a card is suit * ranks_per_suit + rank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cardsim.options import quoted

SUITS = "DHSC"
SUIT_NAMES = ("diamonds", "hearts", "spades", "clubs")
SUIT_SIGNS = "♦♥♠♣"
RED_SUITS = "DH"


class Pack:
    """A numbering of cards: `ranks` from lowest to highest, one letter each, in the four suits, then jokers.

    Args:
        ranks: one letter for each rank.
        jokers: texts of the jokers, if any; those that are alike have the same text.
        copies: packs that are shuffled together; the cards of the second are numbered after all of the first.

    >>> pack = Pack("789JQKTA")
    >>> pack.text(pack.card("TH")), pack.size
    ('TH', 32)
    >>> Pack("A", ("X1",), copies=2).parse("AD X1 AD")
    [0, 4, 5]
    """

    def __init__(self, ranks: str, jokers: Sequence[str] = (), copies: int = 1) -> None:
        self.ranks = ranks
        self.per_suit = len(ranks)
        self.names: tuple[str, ...] = copies * (*(rank + suit for suit in SUITS for rank in ranks), *jokers)
        self.size = len(self.names)
        self._numbers: dict[str, list[int]] = {}
        for number, name in enumerate(self.names):
            self._numbers.setdefault(name, []).append(number)
        self._allowed = f"one of {' '.join(ranks)} followed by one of {' '.join(SUITS)}"
        if jokers:
            self._allowed += f", or {' '.join(dict.fromkeys(jokers))}"

    def card(self, text: str) -> int:
        """Number of a card given as text, such as `TH`; the first one where several are alike.

        Raises:
            ValueError: not a card of this pack; the message says what is.
        """
        return self._alike(text)[0]

    def _alike(self, text: str) -> list[int]:
        try:
            return self._numbers[text.strip().upper()]
        except KeyError:
            raise ValueError(f"card {quoted(text)}: must be {self._allowed}") from None

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

    def parse(self, text: str, used: Collection[int] = ()) -> list[int]:
        """Card numbers of a comma- or space-separated list; empty text or `-` is the empty list.

        Args:
            text: the list.
            used: numbers that a text does not mean if another card is like it.

        Cards that are alike are taken one after the other; where there are too many, the last one comes again.
        """
        words = text.replace(",", " ").split()
        found: list[int] = []
        for word in [] if words == ["-"] else words:
            alike = self._alike(word)
            found.append(next((card for card in alike if card not in found and card not in used), alike[-1]))
        return found


def signed(text: str) -> str:
    """A card text with its suit sign for people: `TH` becomes `T♥`; jokers as they are."""
    if text[-1] not in SUITS:
        return text
    return text[:-1] + SUIT_SIGNS[SUITS.index(text[-1])]
