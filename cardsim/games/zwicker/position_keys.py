"""Zwicker positions as text: the keys, each key's value written and read by itself, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardsim.games.zwicker.basics import SELF, side_of
from cardsim.games.zwicker.layout import (
    ALL_BESIDE,
    ALL_CAPTURES,
    ALL_LAID_ON,
    BESIDE,
    CAPTURES,
    DECISIONS,
    ITEMS_TAKEN,
    LAID_ON,
    LEFT_OVER,
    LONGEST_TABLE,
    MOST_CARDS,
    PENALTY,
    POINTS,
    TAKEN_CARDS,
    TURNS,
    WINS,
    ZWICKS,
)
from cardsim.games.zwicker.rules import MOST_DEALS
from cardsim.games.zwicker.table import stock_end
from cardsim.options import clip, quoted
from cardsim.positions import NONE, Key, number, refuse, row_key, seat_key, seats_of, split

KNOWLEDGE = ("promised", "lacks", "asked", "denied")
COUNTED = ("counts.captures", "counts.laid_on", "left_over")
SIDE_COUNTS = {
    "counts.wins": WINS,
    "counts.cards": TAKEN_CARDS,
    "counts.zwicks": ZWICKS,
    "counts.most_cards": MOST_CARDS,
    "counts.penalty": PENALTY,
}
"""Counts of finished deals, which all seats of a side share; the points are the scores."""
ESSENTIAL = (
    "dealer", "phase", "player", "hands", "table", "piles", "capturer", "zwicks", "stock", "deals", "scores", "gained",
    *KNOWLEDGE, *COUNTED, "turn",
)  # fmt: skip
"""Keys that are written unless they are `-` or needless; the defaults of all others follow from these."""
OPTIONAL = ("decisions", "longest_table", *SIDE_COUNTS)
KEYS = ESSENTIAL + OPTIONAL
EMPTY_KEYS = ("dealer", "phase", "deals")
"""Keys that make sense before the first deal."""
LIMIT = 1_000_000_000
WILD_WORD = "wild"
"""Bit 0 of `lacks`: no wild joker is held."""


def sides_of(state: Any) -> int:
    """Number of sides."""
    return int(state["rules"]["sides"])


def parties_of(state: Any) -> int:
    """Number of parties, whose builds promise: sides, or seats where the builder himself must hold the card (WP13)."""
    return seats_of(state) if state["rules"]["build_needs"] == SELF else sides_of(state)


def seats_from(state: Any, dealer: int) -> list[int]:
    """All seats clockwise, the dealer last."""
    players = seats_of(state)
    return [(dealer + 1 + k) % players for k in range(players)]


def _values_key(key: str, width: Callable[[Any], int]) -> Key:
    """A set of values for each seat or party, bit masks in a field."""

    def text(state: Any) -> str:
        if not state[key].any():
            return NONE
        sets = [int(state[key][entry]) for entry in range(width(state))]
        names = [[str(value) if value else WILD_WORD for value in range(31) if found >> value & 1] for found in sets]
        return ";".join(",".join(entry) or NONE for entry in names)

    def read(state: Any, text: str) -> None:
        parts = [] if text == NONE else split(key, text, ";", width(state))
        for entry, part in enumerate(parts):
            found = 0
            for name in [] if part == NONE else part.split(","):
                found |= 1 << (0 if name.lower() == WILD_WORD else number(key, name, 30, 1))
            state[key][entry] = found

    return Key(text, read)


def _count_key(key: str, column: int) -> Key:
    return row_key(key, lambda state: state["counts"][column], LIMIT)


def _side_count_key(key: str, column: int) -> Key:
    """A column of counts by side; the seats of a side have the same."""
    plain = row_key(key, lambda state: state["counts"][column], LIMIT, width=sides_of)

    def read(state: Any, text: str) -> None:
        plain.read(state, text)
        share(state, column)

    return Key(plain.text, read)


def share(state: Any, column: int) -> None:
    """Give all seats of a side what the first one has in a column of counts."""
    for seat in range(seats_of(state)):
        state["counts"][column, seat] = state["counts"][column, int(side_of(state, seat))]


def _total_key(key: str, column: int) -> Key:
    def read(state: Any, text: str) -> None:
        state["totals"][column] = number(key, text, LIMIT)

    return Key(lambda state: str(state["totals"][column]), read)


_KINDS: dict[str, Key] = {
    "dealer": seat_key("dealer", must=True),
    "player": seat_key("player", must=True),
    "capturer": seat_key("capturer"),
    "zwicks": row_key("zwicks", lambda state: state["zwicks"], 100, width=sides_of),
    "scores": row_key("scores", lambda state: state["scores"], LIMIT, -LIMIT, sides_of),
    "gained": row_key("gained", lambda state: state["gained"], 30_000, -30_000, sides_of),
    "promised": _values_key("promised", parties_of),
    **{key: _values_key(key, seats_of) for key in KNOWLEDGE[1:]},
    "counts.captures": _count_key("counts.captures", CAPTURES),
    "counts.laid_on": _count_key("counts.laid_on", LAID_ON),
    **{key: _side_count_key(key, column) for key, column in SIDE_COUNTS.items()},
    "left_over": _total_key("left_over", LEFT_OVER),
    "decisions": _total_key("decisions", DECISIONS),
    "longest_table": _total_key("longest_table", LONGEST_TABLE),
}
"""All keys but those of the cards, of the turn, and of how far the episode has come."""


def key_text(state: Any, key: str) -> str:
    """Value of a key as text."""
    return _KINDS[key].text(state)


def set_key(state: Any, key: str, text: str) -> None:
    """Write the value of a key; the inverse of `key_text`."""
    _KINDS[key].read(state, text)


def read_phase(text: str) -> str:
    """Read the key `phase`, which only tells that no deal is going on."""
    if text.lower() not in ("deal", "over"):
        raise ValueError(f"position: phase {quoted(text)}: must be deal or over; in a deal turn=... tells it")
    return text.lower()


def read_deals(text: str) -> int:
    """Read the number of finished deals."""
    return number("deals", text, MOST_DEALS)


def turns_of(state: Any, dealer: int, deals: int, dealt: int) -> list[int]:
    """Cards that each seat was dealt in `deals` whole deals, and in one that `dealer` gave, of which `dealt` so far."""
    players = seats_of(state)
    whole = int(stock_end(state)) - int(state["rules"]["table"])
    cycles, rest = divmod(deals, players)
    turns = [0] * players
    for back in range(players + 1):
        count, times = (dealt, 1) if back == 0 else (whole, cycles + (back <= rest))
        for place, seat in enumerate(seats_from(state, (dealer - back) % players)):
            turns[seat] += times * (count // players + (place < count % players))
    return turns


def derive(state: Any, turns: list[int], tables: int, items: int) -> None:
    """Fill in the counts that follow from the others.

    Args:
        state: the record; captures, cards laid on items and items left over are counted.
        turns: by seat, over the episode.
        tables: opening tables of the episode so far.
        items: on the table of a deal that is going on.

    Raises:
        ValueError: they cannot be so many.
    """
    counts, totals, players = state["counts"], state["totals"], seats_of(state)
    for seat, played in enumerate(turns):
        beside = played - int(counts[CAPTURES, seat]) - int(counts[LAID_ON, seat])
        why = f"with counts.laid_on, seat {seat} has had only {played} turns"
        refuse(beside < 0, "counts.captures", key_text(state, "counts.captures"), why)
        counts[BESIDE, seat] = beside
    for column, total in ((CAPTURES, ALL_CAPTURES), (LAID_ON, ALL_LAID_ON), (BESIDE, ALL_BESIDE)):
        totals[total] = counts[column, :players].sum()
    totals[TURNS] = sum(turns)
    taken = tables * int(state["rules"]["table"]) + int(totals[ALL_BESIDE]) - int(totals[LEFT_OVER]) - items
    captures = int(totals[ALL_CAPTURES])
    wrong = taken < captures or (taken > 0 and not captures)
    why = f"{taken} items must have been taken, at least one by each capture"
    refuse(wrong, "counts.captures", key_text(state, "counts.captures"), why)
    totals[ITEMS_TAKEN] = taken


def fewest_decisions(state: Any) -> int:
    """Decisions that the turns so far took at least: hand, beside; hand, lay on, item; hand, take, items, finish."""
    totals = state["totals"]
    done = 2 * int(totals[ALL_BESIDE]) + 3 * (int(totals[ALL_LAID_ON]) + int(totals[ALL_CAPTURES]))
    return done + int(totals[ITEMS_TAKEN])


def open_match(state: Any, dealer: int, deals: int, scores: list[int]) -> None:
    """Add to a state that `deals` deals went before, in which nobody captured anything; penalties explain debts.

    Args:
        state: the record.
        dealer: who deals, or dealt, the deal after them.
        deals: how many.
        scores: by side.

    Raises:
        ValueError: there cannot be such scores.
    """
    if not deals:
        return
    penalty, cards = int(state["rules"]["stale_build_penalty"]), int(stock_end(state))
    for side, score in enumerate(scores):
        text = ",".join(map(str, scores))
        refuse(abs(score) > deals * 10_000, "scores", clip(text), f"{deals} deals cannot have brought so many points")
        refuse(score < 0 and not penalty, "scores", clip(text), "without stale_build_penalty nobody has less than 0")
        state["counts"][PENALTY, side] += -(min(score, 0) // max(penalty, 1)) * penalty
        state["scores"][side] += score
    share(state, PENALTY)
    for seat in range(seats_of(state)):
        state["counts"][POINTS, seat] = state["scores"][int(side_of(state, seat))]
    turns = turns_of(state, dealer, deals, 0)
    for seat, played in enumerate(turns):
        state["counts"][BESIDE, seat] += played
    totals = state["totals"]
    for column, more in ((TURNS, sum(turns)), (ALL_BESIDE, sum(turns)), (DECISIONS, 2 * sum(turns))):
        totals[column] += more
    totals[LEFT_OVER] += deals * cards
    totals[LONGEST_TABLE] = cards
