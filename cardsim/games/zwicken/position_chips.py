"""Zwicken positions as text: the chips before and after the deal that a position shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardsim.games.zwicken.layout import BETES, CUT_CHIPS, STAKED, TAKEN
from cardsim.games.zwicken.position_keys import LIMIT, key_text, set_key, total_chips
from cardsim.positions import number, refuse, seats_of


def read_chips(state: Any, words: Mapping[str, str], dealer: int) -> None:
    """Read balances and pot into a state; where only the pot is told, the dealer has filled it.

    Raises:
        ValueError: they are not the chips that the game began with.
    """
    total = total_chips(state)
    if "pot" in words:
        set_key(state, "pot", words["pot"])
    if "chips" in words:
        set_key(state, "chips", words["chips"])
    else:
        state["chips"][dealer] += int(state["rules"]["start_pot"]) - int(state["pot"])
    together = int(state["chips"].sum())
    if "pot" not in words:
        state["pot"] = total - together
        refuse(together > total, "chips", key_text(state, "chips"), f"must be at most {total} together")
    wrong = together + int(state["pot"]) != total
    refuse(wrong, "chips", key_text(state, "chips"), f"must be {total} together with the pot of {state['pot']}")
    refuse(state["pot"] > LIMIT, "chips", key_text(state, "chips"), f"the pot must be at most {LIMIT}")


def open_deal(state: Any, words: Mapping[str, str], dealer: int) -> None:
    """Set the chips as they were before the ante of a deal that is going on, no cut having been void.

    Raises:
        ValueError: such chips cannot be.
    """
    stake = int(state["rules"]["stake"])
    if "pot" not in words and "chips" not in words:
        words = {"pot": str(int(state["pot"]) + stake)}
    read_chips(state, words, dealer)
    refuse(state["pot"] < stake, "pot", key_text(state, "pot"), f"must be at least {stake}, the dealer's ante")
    state["chips"][dealer] += stake
    state["pot"] -= stake
    _begin(state)


def open_finished_deal(state: Any, words: Mapping[str, str], dealer: int) -> None:
    """Set the chips as they were before a deal that is over: what was won in it is taken back.

    Raises:
        ValueError: such chips cannot be.
    """
    if "chips" not in words:
        refuse("gained" in words, "gained", words.get("gained", ""), "needs chips=..., the balances after the deal")
    else:
        start = state["chips"].copy()
        read_chips(state, words, dealer)
        state["gained"] = state["chips"] - start
        if "gained" in words:
            set_key(state, "gained", words["gained"])
        state["chips"] -= state["gained"]
        state["pot"] = total_chips(state) - int(state["chips"].sum())
        sound = 0 <= state["pot"] <= LIMIT and (abs(state["chips"]) <= LIMIT).all()
        refuse(not sound, "gained", key_text(state, "gained"), "balances or pot before the deal cannot have been so")
    _begin(state)
    if "pots" in words and number("deals", words.get("deals", "1"), LIMIT) == 1:
        # The pot played for, where void cuts have made it more than the ante.
        played_for = number("pots", words["pots"], LIMIT)
        state["pot"] = max(played_for - int(state["rules"]["stake"]), 0)


def close_finished_deal(state: Any, words: Mapping[str, str], dealer: int, opened: Any) -> None:
    """At the end of the shortest deal, write the chips of the words over those that it has brought.

    Args:
        state: the record.
        words: key -> value.
        dealer: the seat that dealt.
        opened: balances before the deal.

    Raises:
        ValueError: such chips cannot be.
    """
    if "chips" in words:
        read_chips(state, words, dealer)
        state["gained"] = state["chips"] - opened
        state["before"] = state["chips"]
        balance_counts(state)
    elif "pot" in words:
        refuse(number("pot", words["pot"], LIMIT) != state["pot"], "pot", words["pot"], f"must be {state['pot']}")


def _begin(state: Any) -> None:
    state["before"] = state["chips"]
    balance_counts(state)


def balance_counts(state: Any) -> None:
    """Let what the counts do not explain of a balance be taken or staked.

    Raises:
        ValueError: the counts cannot hold it.
    """
    for seat in range(seats_of(state)):
        counts = state["counts"][:, seat]
        known = int(counts[TAKEN]) - int(counts[STAKED]) - int(counts[BETES]) + int(counts[CUT_CHIPS])
        more = int(state["chips"][seat]) - int(state["rules"]["start_chips"]) - known
        column = TAKEN if more > 0 else STAKED
        value = int(counts[column]) + abs(more)
        refuse(value > 2 * LIMIT, "chips", key_text(state, "chips"), f"seat {seat} cannot have won or lost so much")
        counts[column] = value
