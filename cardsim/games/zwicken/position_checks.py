"""Zwicken positions as text: whether chips and counts that were read can belong to the deal on the table."""

from __future__ import annotations

from typing import Any

from cardsim.games.zwicken.layout import BETES, CUT_CHIPS, DEAL, NO_CARD, OVER, STAKED, TAKEN
from cardsim.games.zwicken.position_keys import CHIPS, DEAL_COUNTS, EMPTY_KEYS, key_text, seats_from, total_chips
from cardsim.positions import refuse, seats_of

ENDS = ("all_passed", "unopposed", "marches")
"""Counts of deals that ended in a special way."""


def check_position(state: Any, shortest: Any) -> None:
    """Refuse chips and counts that play cannot reach, as far as that shows.

    Args:
        state: the record.
        shortest: the shortest deal that leads to its cards, the first of its episode.

    Raises:
        ValueError: naming a key, its value and what is wrong with it.
    """
    if state["up"] == NO_CARD and state["attempts"] == 0:
        for key in EMPTY_KEYS:
            wrong = key_text(state, key) != key_text(shortest, key)
            _refuse(state, wrong, key, f"must be {key_text(shortest, key)} before the first cut (attempts=0)")
        return
    finished = _is_finished(state)
    if finished:
        _check_phase(state)
    _check_deals(state, shortest)
    _check_balances(state)
    if finished:
        _check_end(state, shortest)
    else:
        _check_attempts(state)


def _refuse(state: Any, wrong: Any, key: str, why: str) -> None:
    refuse(wrong, key, key_text(state, key), why)


def _is_finished(state: Any) -> bool:
    """Whether a finished deal lies on the table."""
    return bool(state["up"] != NO_CARD and state["phase"] in (DEAL, OVER))


def _in_progress(state: Any) -> bool:
    return bool(state["up"] != NO_CARD and not _is_finished(state))


def _earlier(state: Any) -> int:
    """Deals of the episode before the one on the table."""
    return int(state["deals"]) - (state["up"] != NO_CARD)


def _void_cuts(state: Any) -> int:
    """Void cuts of the whole episode."""
    return int(state["cuts"]) - int(state["deals"])


def _reached(state: Any, balances: Any) -> bool:
    """Whether one of some balances ends the session (ZP33)."""
    rules = state["rules"]
    return bool(rules["match"] and rules["target_chips"] and max(balances[: seats_of(state)]) >= rules["target_chips"])


def _check_phase(state: Any) -> None:
    """After a finished deal the session goes on as long as the rules say."""
    rules = state["rules"]
    over = not rules["match"] or state["deals"] == rules["deals_limit"] or _reached(state, state["chips"])
    must = "over" if over else "deal"
    _refuse(state, key_text(state, "phase") != must, "phase", f"must be {must}, by the rules, deals and chips")


def _check_deals(state: Any, shortest: Any) -> None:
    """Deals, cuts and what is counted of them."""
    rules, deals, attempts = state["rules"], int(state["deals"]), int(state["attempts"])
    dealt, earlier, voids = state["up"] != NO_CARD, _earlier(state), _void_cuts(state)
    _refuse(state, earlier < 0, "deals", "cards are dealt, so it must be at least 1")
    limit = int(rules["deals_limit"]) if rules["match"] else 1
    most = limit - (state["phase"] == DEAL)
    _refuse(state, deals > most, "deals", f"must be at most {most}, by the rules and the phase")
    open_voids = 0
    if _is_finished(state):
        _refuse(state, attempts, "attempts", "must be 0, the deal is over")
    else:
        _refuse(state, not attempts, "attempts", "must be at least 1")
        open_voids = attempts - dealt
        _refuse(state, not earlier and voids != open_voids, "cuts", f"must be {deals + open_voids}")
    _refuse(state, voids < open_voids, "cuts", f"must be at least {deals + open_voids}")
    _refuse(state, voids and not rules["cut"], "cuts", f"must be {deals}, these rules cut no pack")
    _refuse(state, state["belli_cuts"] > voids, "belli_cuts", f"must be at most {voids}, the void cuts")
    for key in DEAL_COUNTS if _is_finished(state) else ("pots", *DEAL_COUNTS):
        value = int(shortest[key])
        _refuse(state, not earlier and state[key] != value, key, f"must be {value}")
        _refuse(state, state[key] < value, key, f"must be at least {value}")
    ended, over = sum(int(state[key]) for key in ENDS), deals - _in_progress(state)
    _refuse(state, ended > over, "all_passed", f"{ended} deals with unopposed and marches, only {over} are over")


def _check_balances(state: Any) -> None:
    """Chips are conserved and add up, from the first deal of the episode on."""
    rules, players, finished = state["rules"], seats_of(state), _is_finished(state)
    start = int(rules["start_chips"])
    if finished:
        moved = (state["before"] != state["chips"]).any()
        _refuse(state, moved, "before", "must be the same as chips, the deal is over")
    else:
        _refuse(state, state["gained"].any(), "gained", "the deal is not over")
    key, before = "before", state["before"]
    if finished:
        key, before = "gained", state["chips"] - state["gained"]
    _refuse(state, before.sum() > total_chips(state), key, "the pot before the deal would have been negative")
    first = not _earlier(state) and (before[:players] != start).any()
    _refuse(state, first, key, f"the first deal begins with {start} chips for each")
    reached = f"a balance had reached target_chips={rules['target_chips']} before this deal"
    _refuse(state, _reached(state, before), key, reached)
    for seat in range(players):
        counts = state["counts"][:, seat]
        gain = int(counts[TAKEN]) - int(counts[STAKED]) - int(counts[BETES]) + int(counts[CUT_CHIPS])
        wrong = int(state["chips"][seat]) - start != gain
        _refuse(state, wrong, "chips", f"counts.taken, staked, betes and cut_chips make {start + gain} of seat {seat}")


def _check_attempts(state: Any) -> None:
    """The chips that antes and void cuts have moved in a deal that is not over."""
    players, attempts = seats_of(state), int(state["attempts"])
    paid = [int(state["before"][seat]) - int(state["chips"][seat]) for seat in range(players)]
    if attempts == 1 and state["up"] != NO_CARD:
        ante = [int(state["rules"]["stake"]) * (seat == state["dealer"]) for seat in range(players)]
        must = ",".join(str(int(state["chips"][seat]) + ante[seat]) for seat in range(players))
        _refuse(state, paid != ante, "before", f"must be {must}: only the ante has been paid (attempts=1)")
        return
    _check_paid(state, "before", paid, attempts)


def _check_paid(state: Any, key: str, paid: list[int], attempts: int) -> None:
    """Antes and void cuts move whole stakes, each attempt at most one from and to each other seat."""
    stake, dealt = int(state["rules"]["stake"]), state["up"] != NO_CARD
    most = attempts * stake * len(paid)
    wrong = any(chips % stake or abs(chips) > most for chips in paid) or not stake * dealt <= sum(paid) <= most
    _refuse(state, wrong, key, f"{attempts} antes and cuts cannot have moved {','.join(map(str, paid))} chips")


def _check_end(state: Any, shortest: Any) -> None:
    """What a finished deal has brought: exactly so without void cuts, else with what these may have moved."""
    rules, players = state["rules"], seats_of(state)
    stake, begun = int(rules["stake"]), int(rules["start_pot"])
    first = not _earlier(state)
    if not _void_cuts(state):
        _refuse(state, first and state["pots"] != begun + stake, "pots", f"must be {begun + stake}, the pot played for")
        for key in ("pot", *CHIPS):
            must = key_text(shortest, key)
            _refuse(state, key_text(state, key) != must, key, f"must be {must}, as this deal ended")
    elif first:
        dealer = int(state["dealer"]) if state["phase"] == OVER else seats_from(state, int(state["dealer"]))[-2]
        paid = [int(shortest["gained"][seat]) - int(state["gained"][seat]) for seat in range(players)]
        paid[dealer] += stake
        _check_paid(state, "gained", paid, int(state["cuts"]))
        played_for = begun + sum(paid)
        _refuse(state, played_for != state["pots"], "pots", f"must be {played_for}, the pot played for")
