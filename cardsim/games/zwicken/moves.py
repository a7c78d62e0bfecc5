"""Zwicken kernels: what an action does."""

from __future__ import annotations

from typing import Any

from cardsim.bits import I64, NONE, U64, bit, has, popcount
from cardsim.games.zwicken.basics import (
    ENFORCE,
    PLAY_ACE,
    RELEASE,
    beaters,
    forehand,
    power_of,
    put_on_table,
    trump_ace,
    where,
)
from cardsim.games.zwicken.layout import (
    ACE_FAULT,
    ACT_PLAY,
    ACT_STOP,
    BELLI,
    BELLI_FAULT,
    EVERY_CARD,
    FOLLOW,
    LEAD,
    NO_CARD,
    NO_POWER,
    NOBODY,
    SWAP,
)
from cardsim.games.zwicken.legal import BLOCK, ace_is_led, playable, up_to_highest
from cardsim.games.zwicken.rules import OPTIONS
from cardsim.games.zwicken.settling import settle_tricks, settle_unplayed
from cardsim.jit import inlined
from cardsim.seats import left_of, next_in, relative_to

LOSS_PAYS = OPTIONS["belli_duty"].code("loss_pays")


@inlined
def apply_action(state: Any, action: int) -> None:
    """Play a legal action of the seat to act."""
    state["decisions"] += 1
    phase = state["phase"]
    if phase >= LEAD:
        play_card(state, action)
    elif phase == SWAP:
        _swap(state, action)
    else:
        _announce(state, action)


@inlined
def _announce(state: Any, action: int) -> None:
    """Stay or pass; after the dealer's answer the deal goes on, or ends unplayed (Z14, ZP9)."""
    player = I64(state["player"])
    stays = action == ACT_PLAY
    state["active"] |= I64(stays) << player
    lacks_ace = not stays and state["rules"]["ace_must_stay"] != 0
    state["absent"][player] |= where(lacks_ace, bit(trump_ace(state)))
    if player != state["dealer"]:
        state["player"] = left_of(player, I64(state["rules"]["players"]))
        return
    stayed = popcount(state["active"])
    state["pots"] += state["pot"]
    state["stayed"] += stayed
    if stayed < 2:
        settle_unplayed(state)
    else:
        _begin_swap(state)


@inlined
def _begin_swap(state: Any) -> None:
    """Let the first active seat swap, if swapping is allowed at all (ZP16)."""
    if state["rules"]["max_swaps"] == 0:
        begin_tricks(state)
        return
    state["phase"] = SWAP
    state["swapping"] = state["active"]
    state["round"] = 0
    state["player"] = next_in(I64(state["active"]), I64(state["dealer"]), I64(state["rules"]["players"]))


@inlined
def _swap(state: Any, action: int) -> None:
    """Lay a card away, or stop (ZQ10, ZP14, ZP15)."""
    player = I64(state["player"])
    if state["rules"]["swap_mode"] == BLOCK:
        if action == ACT_STOP or _lay_away_last(state, player, action):
            _end_block_turn(state, player)
        return
    if action == ACT_STOP:
        state["swapping"] &= ~(1 << player)
    else:
        _lay_away(state, player, action)
        _draw(state, player)
    _next_swap(state, player)


@inlined
def _lay_away(state: Any, player: int, card: int) -> None:
    state["hand"][player] ^= bit(card)
    state["thrown"][player] |= bit(card)
    state["swaps"][player] += 1


@inlined
def _lay_away_last(state: Any, player: int, card: int) -> bool:
    """Lay a card away in a block turn; whether it must be the last one (ZP15)."""
    _lay_away(state, player, card)
    laid = I64(state["swaps"][player])
    if laid == I64(state["rules"]["max_swaps"]) or laid == I64(state["talon_left"]):
        return True
    return U64(state["hand"][player]) & ~up_to_highest(U64(state["thrown"][player])) == NONE


@inlined
def _draw(state: Any, player: int) -> None:
    """The top of the talon into a hand; who draws the last card of a cut pack is known to hold it (ZP17)."""
    position = I64(state["talon_pos"])
    card = state["deck"][position]
    state["deck"][position] = NO_CARD
    state["talon_pos"] = position + 1
    state["talon_left"] -= 1
    state["hand"][player] |= bit(card)
    if card == state["shown"]:
        state["shown_seat"] = player


@inlined
def _end_block_turn(state: Any, player: int) -> None:
    for _ in range(state["swaps"][player]):
        _draw(state, player)
    state["swapping"] &= ~(1 << player)
    _next_swap(state, player)


@inlined
def _next_swap(state: Any, player: int) -> None:
    """The next seat that may swap; the tricks begin after the last round or when the talon is empty (ZP14, ZQ11)."""
    rules = state["rules"]
    if state["swapping"] == 0 or state["talon_left"] == 0:
        begin_tricks(state)
        return
    players = I64(rules["players"])
    first = forehand(state)
    seat = next_in(I64(state["swapping"]), player, players)
    if relative_to(first, seat, players) <= relative_to(first, player, players):
        state["round"] += 1
        if state["round"] == rules["max_swaps"]:
            begin_tricks(state)
            return
    state["player"] = seat


@inlined
def begin_tricks(state: Any) -> None:
    """The first active seat from the dealer's left leads (Z18)."""
    state["swapping"] = 0
    leader = next_in(I64(state["active"]), I64(state["dealer"]), I64(state["rules"]["players"]))
    state["phase"] = LEAD
    state["leader"] = leader
    state["player"] = leader


@inlined
def play_card(state: Any, card: int) -> None:
    """Play a card to the trick (Z19-Z21); after the last trick the deal is settled."""
    rules = state["rules"]
    players = I64(rules["players"])
    player = I64(state["player"])
    _note_duties(state, player, card)
    state["absent"][player] |= excluded(state, card)
    state["hand"][player] ^= bit(card)
    if card == state["shown"]:
        state["shown_seat"] = NOBODY
    put_on_table(state, player, card, state["phase"] == LEAD)
    state["phase"] = FOLLOW
    following = next_in(I64(state["active"]), player, players)
    if following != state["leader"]:
        state["player"] = following
    else:
        _end_trick(state)


@inlined
def _end_trick(state: Any) -> None:
    """The winner leads next; the last trick settles the deal (Z21)."""
    if state["rules"]["belli_duty"] == LOSS_PAYS and state["best"] == trump_ace(state):
        for i in range(state["trick_start"], state["played"]):
            if state["history"][i] == BELLI:  # ZP24
                state["faults"][state["movers"][i]] |= BELLI_FAULT
    winner = I64(state["best_seat"])
    state["tricks"][winner] += 1
    state["trick_start"] = state["played"]
    state["led"] = U64(state["trumps"]) if state["rules"]["winner_leads_trump"] else U64(EVERY_CARD)  # ZP19
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    state["best_power"] = NO_POWER
    state["leader"] = winner
    state["player"] = winner
    state["phase"] = LEAD
    if state["hand"][winner] == NONE:
        settle_tricks(state)


@inlined
def _note_duties(state: Any, player: int, card: int) -> None:
    """Book a duty that the card about to be played fails; each counts once in a deal (ZQ13, ZQ15, ZP20-ZP22)."""
    rules = state["rules"]
    hand = U64(state["hand"][player])
    ace = trump_ace(state)
    if has(hand, ace) and card != ace:
        due = state["best"] == NO_CARD
        if rules["ace_duty"] == PLAY_ACE:
            due = has(playable(state, hand), ace)
        if due:
            state["faults"][player] |= ACE_FAULT
    if has(hand, BELLI) and card != BELLI and ace_is_led(state) and rules["belli_duty"] == RELEASE:
        if has(playable(state, hand), BELLI):
            state["faults"][player] |= BELLI_FAULT


@inlined
def excluded(state: Any, card: int) -> Any:
    """Cards that the seat to act cannot hold if it may play `card` now: what everybody learns from the play."""
    rules = state["rules"]
    trumps = U64(state["trumps"])
    led = U64(state["led"])
    plain = not has(trumps, card)
    elsewhere = not has(led, card)
    out = where(elsewhere, led) | where(elsewhere and plain and rules["must_trump"] != 0, trumps)
    if state["phase"] == LEAD:
        if rules["duties"] == ENFORCE:
            out |= bit(trump_ace(state))
    elif rules["must_head"] or rules["duties"] == ENFORCE:
        out |= _excluded_by_options(state, card, plain)
    return out & ~bit(card)


@inlined
def _excluded_by_options(state: Any, card: int, plain: bool) -> Any:
    """What `must_head` and `duties=enforce` add for a card that follows (ZP18, ZP23)."""
    rules = state["rules"]
    trumps = U64(state["trumps"])
    led = U64(state["led"])
    follows = has(led, card)
    out = NONE
    beating = False
    if rules["must_head"] and (follows or (not plain and rules["must_trump"])):
        must = led if follows else trumps
        if not (follows and plain and has(trumps, state["best"])):
            higher = beaters(state, must)
            beating = has(higher, card)
            if not beating:
                out = higher
    if rules["duties"] == ENFORCE:
        # The Ace is legal whenever a trump is, and beats all but Wenzels on top; a Belli that cannot head is not due.
        ace = trump_ace(state)
        if rules["ace_duty"] == PLAY_ACE and not (follows and plain) and not (beating and not _beats_best(state, ace)):
            out |= bit(ace)
        if rules["belli_duty"] == RELEASE and ace_is_led(state) and not beating:
            out |= bit(BELLI)
    return out


@inlined
def _beats_best(state: Any, card: int) -> bool:
    return power_of(state, card) > state["best_power"]
