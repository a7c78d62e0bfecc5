"""Zwicker positions as text: whether cards, knowledge and counts that were read can belong to one deal."""

from __future__ import annotations

from typing import Any

from cardsim.games.zwicker.basics import NO_NEED, SELF_OR_PARTNER, held_values, in_teams, is_wild, party_of, side_of
from cardsim.games.zwicker.layout import (
    ALL_LAID_ON,
    CAPTURES,
    DEALS,
    DECISIONS,
    LAID_ON,
    LEFT_OVER,
    LONGEST_TABLE,
    NO_CARD,
    NOBODY,
    OVER,
    PENALTY,
    TAKEN_CARDS,
    WINS,
    ZWICKS,
)
from cardsim.games.zwicker.position_cards import cards_of_item, cards_of_pile, hand_round, held, in_rotation
from cardsim.games.zwicker.position_keys import (
    SIDE_COUNTS,
    key_text,
    parties_of,
    sides_of,
)
from cardsim.games.zwicker.rules import FIXED, HAND
from cardsim.games.zwicker.scoring import match_over
from cardsim.games.zwicker.table import stock_end
from cardsim.positions import refuse, seats_of


def check_cards(state: Any, dealer: int) -> None:
    """Refuse cards that no deal of `dealer` can bring where they are; a deal that is over has no seat to act.

    Raises:
        ValueError: naming a key and what is wrong with it.
    """
    rules, players, dealt = state["rules"], seats_of(state), int(state["deck_pos"])
    count, end = dealt - int(rules["table"]), int(stock_end(state))
    left, going_on = int(rules["cards"]) - dealt, state["player"] != NOBODY
    round_ends = count >= HAND * players and count % (HAND * players) == 0 and dealt <= end
    if not (round_ends or dealt == end) or (not going_on and dealt != end):
        raise ValueError(f"position: stock: {left} cards are left, which is not after a round of {HAND} each")
    sizes = held(state)
    shares = hand_round(state, dealer)
    for seat, size in enumerate(sizes):
        if size > shares[seat]:
            raise ValueError(f"position: hands: seat {seat} has {size} cards, was dealt {shares[seat]} in this round")
    player = int(state["player"])
    if going_on and not rules["zwick_relay"] and not in_rotation(state, dealer, player, sizes):
        shown = ", ".join(map(str, sizes))
        raise ValueError(f"position: hands: it cannot be the turn of seat {player} with hands of {shown} cards")
    _check_capturer(state)


def _check_capturer(state: Any) -> None:
    """Who captured last has captured something; when the deal is over, nothing is left that he could have taken."""
    capturer, going_on = int(state["capturer"]), state["player"] != NOBODY
    piled = state["pile"].any()
    shown = key_text(state, "capturer")
    refuse(piled and capturer == NOBODY, "capturer", shown, "somebody must have captured the piles")
    if capturer == NOBODY:
        return
    refuse(not state["pile"][side_of(state, capturer)].any(), "capturer", shown, "his side has captured nothing")
    if not going_on:
        stays = [
            state["rules"]["jokers_stay"] and is_wild(card) and state["builder"][item] == NOBODY
            for item, card in enumerate(state["top"][: state["items"]].tolist())
        ]
        refuse(not all(stays), "capturer", shown, "takes what is left on the table at the end")


def check_position(state: Any, shortest: Any) -> None:
    """Refuse knowledge and counts that play cannot reach, as far as that shows.

    Args:
        state: the record.
        shortest: the same with the counts that the cards and the deals before imply.

    Raises:
        ValueError: naming a key, its value and what is wrong with it.
    """
    going_on, dealt = state["player"] != NOBODY, bool(state["deck_pos"])
    deals, finished = int(state["totals"][DEALS]), dealt and not going_on
    most = int(state["rules"]["deals_limit"]) if state["rules"]["match"] else 1
    most -= state["phase"] != OVER
    refuse(deals > most, "deals", str(deals), f"must be at most {most}, by the rules and the phase")
    if not dealt:
        return
    if going_on and deals:
        refuse(bool(match_over(state)), "scores", key_text(state, "scores"), "had ended the match")
    _check_knowledge(state)
    earlier = deals - finished
    _check_this_deal(state, earlier)
    _check_counts(state, shortest, earlier)


def _check_knowledge(state: Any) -> None:
    """What is known is true, and such as there is under these rules (WP13)."""
    rules, players = state["rules"], seats_of(state)
    hands = [int(held_values(state, seat)) for seat in range(players)]
    builds = rules["style"] == FIXED and rules["build_needs"] != NO_NEED
    asks = builds and rules["build_needs"] == SELF_OR_PARTNER and bool(in_teams(state))

    def check(key: str, entry: int, wrong: Any, why: str) -> None:
        refuse(wrong, key, key_text(state, key), f"{'party' if key == 'promised' else 'seat'} {entry} {why}")

    for party in range(parties_of(state)):
        found = int(state["promised"][party])
        together = [hands[seat] for seat in range(players) if int(party_of(state, seat)) == party]
        wrong = found & ~_union(together) or (found and not builds)
        check("promised", party, wrong, "holds no card of such a value, or has not promised it")
    for seat in range(players):
        lacks, asked, denied = (int(state[key][seat]) for key in ("lacks", "asked", "denied"))
        wilds = any(is_wild(int(card)) for card in state["hand"][seat] if card != NO_CARD)
        wrong = lacks & (hands[seat] | wilds) or (lacks and not rules["must_capture"])
        check("lacks", seat, wrong, "holds such a card, or has not shown that he does not")
        partners = _union([hands[k] for k in range(seat & 1, players, 2) if k != seat] if asks else [])
        check("asked", seat, asked & ~partners, "has no partner with such a card")
        check("denied", seat, denied & (partners | 1) or (denied and not asks), "has a partner with such a card")


def _union(sets: list[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _check_this_deal(state: Any, earlier: int) -> None:
    """What lies on the table and in the piles has been laid and captured by somebody."""
    captures, laid_on = state["counts"][CAPTURES], state["counts"][LAID_ON]
    shown = {key: key_text(state, key) for key in ("counts.captures", "counts.laid_on", "zwicks")}
    laid = 0
    for item in range(state["items"]):
        builder = int(state["builder"][item])
        if builder != NOBODY:
            laid += len(cards_of_item(state, item)) - 1
            why = f"seat {builder} has laid a card on item {item + 1}"
            refuse(not laid_on[builder], "counts.laid_on", shown["counts.laid_on"], why)
    why = f"{laid} cards lie on others"
    refuse(state["totals"][ALL_LAID_ON] < laid, "counts.laid_on", shown["counts.laid_on"], why)
    capturer = int(state["capturer"])
    wrong = capturer != NOBODY and not captures[capturer]
    refuse(wrong, "counts.captures", shown["counts.captures"], f"seat {capturer} has captured")
    for side in range(sides_of(state)):
        taken = sum(int(captures[seat]) for seat in range(seats_of(state)) if side_of(state, seat) == side)
        cards, zwicks = len(cards_of_pile(state, side)), int(state["zwicks"][side])
        wrong = (cards and not taken) or (cards < 2 * taken and not earlier)
        why = f"side {side} has captured {cards} cards"
        refuse(wrong, "counts.captures", shown["counts.captures"], why)
        wrong = zwicks > taken or 2 * zwicks > cards
        refuse(wrong, "zwicks", shown["zwicks"], f"side {side} has captured {cards} cards in {taken} turns")


def _check_counts(state: Any, shortest: Any, earlier: int) -> None:
    """Counts are at least what the shortest episode brings, and exactly that where no deal went before."""
    totals, least = state["totals"], shortest["totals"]
    cards, deals = int(state["rules"]["cards"]), int(totals[DEALS])
    for key, column in (("decisions", DECISIONS), ("longest_table", LONGEST_TABLE)):
        low = int(least[column])
        if earlier and column == LONGEST_TABLE:  # nobody needs to have laid everything beside
            low = max(int(state["items"]), int(state["rules"]["table"]))
        refuse(totals[column] < low, key, key_text(state, key), f"must be at least {low}")
    high = max(cards, int(state["rules"]["table"]))
    refuse(totals[LONGEST_TABLE] > high, "longest_table", key_text(state, "longest_table"), f"must be at most {high}")
    refuse(totals[LEFT_OVER] > deals * cards, "left_over", key_text(state, "left_over"), f"{deals} deals are over")
    for key, column in SIDE_COUNTS.items():
        own, must = state["counts"][column], shortest["counts"][column]
        if not earlier:
            refuse((own != must).any(), key, key_text(state, key), f"must be {key_text(shortest, key)}")
        together = sum(own[: sides_of(state)].tolist())
        most = {WINS: deals, TAKEN_CARDS: deals * cards, ZWICKS: deals * cards // 2}.get(column, deals * 10_000)
        refuse(together > most, key, key_text(state, key), f"must be at most {most} together in {deals} deals")
    penalty = int(state["rules"]["stale_build_penalty"])
    wrong = (state["counts"][PENALTY] % max(penalty, 1)).any() or (not penalty and state["counts"][PENALTY].any())
    refuse(wrong, "counts.penalty", key_text(state, "counts.penalty"), f"must be multiples of {penalty}")
