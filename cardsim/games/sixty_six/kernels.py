"""Sixty-Six kernels: deal, legal actions, moves. Settlement is in scoring.py, what a seat knows in knowledge.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardsim.bits import NONE, U64, bit, has
from cardsim.contract import CHANCE, TERMINAL
from cardsim.games.sixty_six.layout import (
    ACT_CLAIM,
    ACT_CLOSE,
    ACT_DRAW,
    ACT_EXCHANGE,
    ACT_PASS,
    ASK_EXCHANGE,
    ASK_PAIR,
    CARDS,
    CLOSES,
    DEAL,
    DRAW,
    EXCHANGES,
    FOLLOW,
    GOAL,
    HAND_COLUMNS,
    KING,
    LAST,
    LEAD,
    MARRIAGES,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    OVER,
    PAIR_0,
    QUEEN,
    RANK_POINTS,
    SEAT_COLUMNS,
    SEATS,
    UNDECIDED,
)
from cardsim.games.sixty_six.rules import OPTIONS, THOUSAND_ONE, THREE_HAND
from cardsim.games.sixty_six.scoring import other_side, settle_claim, settle_played_out, side_of
from cardsim.jit import kernel
from cardsim.rng import below, shuffle

BEFORE_DRAW = OPTIONS["close_timing"].code("before_draw")
FORBIDDEN = OPTIONS["early_marriage"].code("forbidden")
NEXT_TRICK = OPTIONS["early_marriage"].code("next_trick")
ONLY_KING = OPTIONS["marriage_lead"].code("king")
FORCED = OPTIONS["announce"].code("forced")
FREE = OPTIONS["claims"].code("free")
AUTO = OPTIONS["claims"].code("auto")
ANY_TURN = OPTIONS["claim_timing"].code("any_turn")

SUIT_CARDS = U64(0xFF)
QUEENS = U64(0x01010101 << QUEEN)
POINTS_TABLE = U64(sum(points << 8 * rank for rank, points in enumerate(RANK_POINTS)))


@kernel
def card_points(card: int) -> int:
    """Card points (S3)."""
    return np.int64((POINTS_TABLE >> U64(8 * (card & 7))) & SUIT_CARDS)  # type: ignore[return-value]


@kernel
def suit_mask(suit: int) -> Any:
    """All cards of a suit; empty for NO_SUIT."""
    return NONE if suit == NO_SUIT else SUIT_CARDS << U64(8 * suit)


@kernel
def higher(card: int) -> Any:
    """The cards of the same suit that beat `card`."""
    return suit_mask(card >> 3) & ~((U64(2) << U64(card)) - U64(1))


@kernel
def next_seat(state: Any, seat: int) -> int:
    """Next active seat clockwise; the idle dealer of three_hand is passed over."""
    following = (seat + 1) % state["rules"]["players"]
    if state["rules"]["form"] == THREE_HAND and following == state["dealer"]:
        following = (following + 1) % state["rules"]["players"]
    return following  # type: ignore[no-any-return]


@kernel
def partner_of(seat: int) -> int:
    """The seat opposite (four_hand)."""
    return (seat + 2) & 3


@kernel
def is_open(state: Any) -> bool:
    """Whether there is a talon to draw from: not closed, not exhausted."""
    return state["closer"] == NOBODY and state["talon_left"] > 0  # type: ignore[no-any-return]


@kernel
def is_strict(state: Any) -> bool:
    """Whether one must follow, beat and trump (S12, S13; SP29 `follow_always`)."""
    rules = state["rules"]
    return not is_open(state) or (rules["form"] == THOUSAND_ONE and rules["follow_always"] != 0)


@kernel
def reset(state: Any, stream: Any) -> None:
    """Begin an episode: nothing is left of the last one but the rules; the first dealer is drawn (SP35) or given."""
    for seat in range(SEATS):
        state["scores"][seat] = 0
        for column in range(len(SEAT_COLUMNS)):
            state["counts"][seat, column] = 0
    state["decisions"] = 0
    state["deals"] = 0
    state["decided"] = 0
    state["forehand_wins"] = 0
    state["played_out"] = 0
    state["ties"] = 0
    state["carry"] = 0
    given = state["rules"]["first_dealer"] - 1
    state["dealer"] = given if given >= 0 else below(stream, state["rules"]["players"])
    _clear_deal(state)
    state["phase"] = DEAL


@kernel
def _clear_deal(state: Any) -> None:
    for seat in range(SEATS):
        state["hand"][seat] = 0
        state["known"][seat] = 0
        state["absent"][seat] = 0
        state["gained"][seat] = 0
        state["points"][seat] = 0
        state["pending"][seat] = 0
        state["tricks"][seat] = 0
    for i in range(CARDS):
        state["deck"][i] = NO_CARD
        state["history"][i] = NO_CARD
        state["movers"][i] = NOBODY
    if can_be_barred(state):
        for seat in range(SEATS):
            for i in range(CARDS):
                state["barred"][seat, i] = 0
    state["close_points"] = 0
    state["close_tricks"] = 0
    state["close_played"] = 0
    state["swap_draws"] = 0
    state["trick_points"] = 0
    state["played"] = 0
    state["trick_start"] = 0
    state["talon_pos"] = 0
    state["talon_left"] = 0
    state["up"] = NO_CARD
    state["up_first"] = NO_CARD
    state["up_seat"] = NOBODY
    state["up_drawn"] = NO_CARD
    state["trump"] = NO_SUIT
    state["player"] = NOBODY
    state["leader"] = NOBODY
    state["closer"] = NOBODY
    state["swapper"] = NOBODY
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    state["declared"] = 0
    state["last_pair"] = NOBODY
    state["lead_pair"] = NOBODY
    state["partner_pair"] = NOBODY
    state["winner"] = NOBODY
    state["reason"] = UNDECIDED


@kernel
def can_be_barred(state: Any) -> bool:
    """Whether strict duties or silence can show a void while cards are still to be drawn."""
    rules = state["rules"]
    return rules["talon"] != 0 and (rules["announce"] == FORCED or rules["follow_always"] != 0)


@kernel
def deal(state: Any, stream: Any) -> None:
    """Shuffle and deal the next hand."""
    _clear_deal(state)
    cards = state["rules"]["cards"]
    ranks = cards >> 2
    deck = state["deck"]
    for i in range(cards):
        deck[i] = (i // ranks) * 8 + (8 - ranks) + i % ranks
    shuffle(stream, deck, cards)
    _lay_out(state)


@kernel
def deal_given(state: Any, deck: Any) -> None:
    """Deal the next hand from a given pack in dealing order (SP34)."""
    _clear_deal(state)
    for i in range(state["rules"]["cards"]):
        state["deck"][i] = deck[i]
    _lay_out(state)


@kernel
def _lay_out(state: Any) -> None:
    """Deal out `deck` in packets from the dealer's left, turn a card, start the first lead."""
    rules = state["rules"]
    deck = state["deck"]
    size = rules["hand_cards"]
    first = 4 if size == 8 else 3
    turned = rules["talon"] != 0 and rules["form"] != THOUSAND_ONE
    forehand = (state["dealer"] + 1) % rules["players"]
    position = 0
    for packet in range(2):
        if packet == 1 and size == 5:
            position += 1  # Schnapsen turns the trump between the packets
        for k in range(rules["active"]):
            seat = (forehand + k) % rules["players"]
            cards = NONE
            for _ in range(first if packet == 0 else size - first):
                cards |= bit(deck[position])
                position += 1
            state["hand"][seat] |= np.uint32(cards)
    if turned:
        at = 6 if size == 5 else position
        position += 0 if size == 5 else 1
        state["up"] = deck[at]
        state["up_first"] = deck[at]
        state["trump"] = deck[at] >> 3
    elif rules["form"] != THOUSAND_ONE:  # SP25
        state["trump"] = deck[position - 1] >> 3
        state["known"][state["dealer"]] = np.uint32(bit(deck[position - 1]))
    for i in range(position):
        deck[i] = NO_CARD
    state["talon_pos"] = position
    state["talon_left"] = rules["cards"] - rules["active"] * size
    state["deals"] += 1
    state["leader"] = forehand
    _begin_lead(state)


@kernel
def _begin_lead(state: Any) -> None:
    state["lead_pair"] = NOBODY
    state["partner_pair"] = NOBODY
    state["phase"] = LEAD
    state["player"] = state["leader"]
    state["trick_start"] = state["played"]
    rules = state["rules"]
    if rules["teams"] and rules["partner_meld"]:  # SP27
        partner = partner_of(state["leader"])
        if declarable(state, partner) != NONE:
            state["phase"] = ASK_PAIR
            state["player"] = partner


@kernel
def current_player(state: Any) -> int:
    """Seat to act, CHANCE before a deal, TERMINAL after the episode."""
    if state["phase"] == DEAL:
        return CHANCE
    return TERMINAL if state["phase"] == OVER else state["player"]


@kernel
def declarable(state: Any, player: int) -> Any:
    """Suits whose marriage `player` may declare now, as bits 0, 8, 16, 24 (S11)."""
    rules = state["rules"]
    hand = U64(state["hand"][player])
    pairs = ((hand & (hand >> U64(1)) & QUEENS) >> U64(QUEEN)) & U64(0x01010101)
    if pairs == NONE or not rules["marriages"]:
        return NONE
    if (state["lead_pair"] if player == state["leader"] else state["partner_pair"]) != NOBODY:  # SP11
        return NONE
    if state["tricks"][side_of(state, player)] == 0 and rules["early_marriage"] == FORBIDDEN:  # SQ12
        return NONE
    if rules["talon"] and not rules["marriage_after_close"] and not is_open(state):  # SP9
        return NONE
    ascending = rules["form"] == THOUSAND_ONE and rules["ascending_marriages"] != 0
    for suit in range(4):
        if (state["declared"] >> suit) & 1 or (ascending and suit <= state["last_pair"]):
            pairs &= ~bit(8 * suit)
    return pairs


@kernel
def legal_actions(state: Any) -> Any:
    """Set of legal actions of the seat to act."""
    phase = state["phase"]
    if phase == LEAD:
        return _legal_lead(state)
    if phase == FOLLOW:
        return _legal_follow(state)
    if phase == DRAW:
        return bit(ACT_DRAW) | bit(ACT_CLOSE)
    if phase == LAST:
        return bit(ACT_CLAIM) | bit(ACT_PASS)
    if phase == ASK_EXCHANGE:
        return bit(ACT_EXCHANGE) | bit(ACT_PASS)
    if phase == ASK_PAIR:
        return _pair_actions(declarable(state, state["player"])) | bit(ACT_PASS)
    return NONE


@kernel
def _pair_actions(pairs: Any) -> Any:
    actions = NONE
    for suit in range(4):
        actions |= ((pairs >> U64(8 * suit)) & U64(1)) << U64(PAIR_0 + suit)
    return actions


@kernel
def _legal_lead(state: Any) -> Any:
    rules = state["rules"]
    player = state["player"]
    legal = U64(state["hand"][player])
    pair = state["lead_pair"]
    if pair != NOBODY and rules["marriage_must_lead"]:
        legal &= bit(8 * pair + KING) if rules["marriage_lead"] == ONLY_KING else U64(3) << U64(8 * pair + QUEEN)
    pairs = declarable(state, player)
    if pairs != NONE:
        if rules["announce"] != FORCED:
            legal |= _pair_actions(pairs)
        elif rules["marriage_lead"] == ONLY_KING:
            legal &= ~(pairs << U64(QUEEN))
    if is_open(state):
        if _can_exchange(state, player):
            legal |= bit(ACT_EXCHANGE)
        if _can_close(state):
            legal |= bit(ACT_CLOSE)
    if _can_claim(state, player):
        legal |= bit(ACT_CLAIM)
    return legal


@kernel
def _can_exchange(state: Any, player: int) -> bool:
    rules = state["rules"]
    if state["up"] == NO_CARD or state["talon_left"] < rules["exchange_min_talon"]:  # SQ10
        return False
    if not has(state["hand"][player], 8 * state["trump"] + rules["swap_rank"]):
        return False
    return not rules["exchange_needs_trick"] or state["tricks"][side_of(state, player)] > 0  # SQ9


@kernel
def _can_close(state: Any) -> bool:
    rules = state["rules"]
    if not rules["close_allowed"] or state["talon_left"] < rules["close_min_talon"]:  # SQ3
        return False
    if state["played"] == 0:
        return rules["close_first_lead"] != 0  # SP3
    return rules["close_timing"] != BEFORE_DRAW  # type: ignore[no-any-return]


@kernel
def _can_claim(state: Any, player: int) -> bool:
    rules = state["rules"]
    side = side_of(state, player)
    if not rules["claim_allowed"] or rules["claims"] == AUTO or state["tricks"][side] == 0:
        return False
    declared_now = state["lead_pair"] != NOBODY or state["partner_pair"] != NOBODY
    if state["phase"] == LEAD and declared_now and not rules["marriage_show_out"]:  # SP10
        return False
    return rules["claims"] == FREE or state["points"][side] >= GOAL


@kernel
def duty(state: Any, player: int) -> Any:
    """Cards that strict play lets a follower play (SQ25, SP25)."""
    hand = U64(state["hand"][player])
    best = state["best"]
    led = state["history"][state["trick_start"]] >> 3
    trump = state["trump"]
    same = hand & suit_mask(led)
    if same != NONE:
        up = same & higher(best)
        return up if (best >> 3) == led and up != NONE else same
    trumps = hand & suit_mask(trump)
    if trumps == NONE:
        return hand
    over = trumps & higher(best)
    return over if (best >> 3) == trump and over != NONE else trumps


@kernel
def _legal_follow(state: Any) -> Any:
    player = state["player"]
    legal = duty(state, player) if is_strict(state) else U64(state["hand"][player])
    if state["rules"]["claim_timing"] == ANY_TURN and _can_claim(state, player):  # SP12
        legal |= bit(ACT_CLAIM)
    return legal


@kernel
def apply_action(state: Any, action: int) -> None:
    """Play a legal action of the seat to act."""
    state["decisions"] += 1
    if action < PAIR_0:
        _play_card(state, action)
    elif action == ACT_DRAW:
        _draw(state)
        _begin_lead(state)
    elif action == ACT_CLOSE:
        _close(state)
    elif action == ACT_CLAIM:
        settle_claim(state, state["player"])
    elif action == ACT_EXCHANGE:
        _exchange(state)
    elif action == ACT_PASS:
        if state["phase"] == LAST:
            settle_played_out(state)
        else:
            _back_to_lead(state)
    else:
        _declare(state, state["player"], action - PAIR_0)
        if state["phase"] == ASK_PAIR:
            _back_to_lead(state)


@kernel
def _back_to_lead(state: Any) -> None:
    state["phase"] = LEAD
    state["player"] = state["leader"]


@kernel
def _exchange(state: Any) -> None:
    player = state["player"]
    swap = 8 * state["trump"] + state["rules"]["swap_rank"]
    up = state["up"]
    state["hand"][player] = np.uint32((U64(state["hand"][player]) ^ bit(swap)) | bit(up))
    state["known"][player] = np.uint32((U64(state["known"][player]) & ~bit(swap)) | bit(up))
    state["absent"][player] = np.uint32(U64(state["absent"][player]) & ~bit(up))
    state["up"] = swap
    state["swapper"] = player
    state["swap_draws"] = draws_made(state)
    state["counts"][player, EXCHANGES] += 1
    if state["phase"] == ASK_EXCHANGE:
        _back_to_lead(state)


@kernel
def _close(state: Any) -> None:
    player = state["player"]
    opponent = other_side(state, side_of(state, player))
    state["closer"] = player
    state["close_points"] = state["points"][opponent]
    state["close_tricks"] = state["tricks"][opponent]
    state["close_played"] = state["played"]
    state["counts"][player, CLOSES] += 1
    if state["phase"] == DRAW:
        _begin_lead(state)
    rules = state["rules"]
    if rules["exchange_on_close"] and state["talon_left"] >= rules["exchange_min_talon"]:  # SP15
        if has(state["hand"][opponent], 8 * state["trump"] + rules["swap_rank"]):
            state["phase"] = ASK_EXCHANGE
            state["player"] = opponent


@kernel
def _declare(state: Any, player: int, suit: int) -> None:
    """Declare a marriage: points now or pending (SP8), both cards public while held (SP11)."""
    rules = state["rules"]
    side = side_of(state, player)
    thousand = rules["form"] == THOUSAND_ONE
    value = 40 + 20 * suit if thousand else 40 if suit == state["trump"] else 20
    waits = state["tricks"][side] == 0 or rules["early_marriage"] == NEXT_TRICK
    if waits:
        state["pending"][side] += value
    else:
        state["points"][side] += value
    state["declared"] |= 1 << suit
    state["last_pair"] = suit
    state["known"][player] = np.uint32(U64(state["known"][player]) | (U64(3) << U64(8 * suit + QUEEN)))
    state["counts"][player, MARRIAGES] += 1
    if player == state["leader"]:
        state["lead_pair"] = suit
    else:
        state["partner_pair"] = suit
    if thousand:
        state["trump"] = suit
    if rules["marriage_show_out"]:
        claim_automatically(state, player)


@kernel
def claim_automatically(state: Any, player: int) -> bool:
    """With `claims` auto: go out if the side has 66 and a trick (SP13); says whether the deal is over."""
    rules = state["rules"]
    side = side_of(state, player)
    if rules["claims"] != AUTO or not rules["claim_allowed"]:
        return False
    if state["points"][side] < GOAL or state["tricks"][side] == 0:
        return False
    settle_claim(state, player)
    return True


@kernel
def _play_card(state: Any, card: int) -> None:
    player = state["player"]
    leads = state["phase"] == LEAD
    if leads and state["rules"]["announce"] == FORCED and (card & 7 == KING or card & 7 == QUEEN):
        if _announce(state, player, card):
            return
    card_bit = bit(card)
    state["hand"][player] = np.uint32(U64(state["hand"][player]) ^ card_bit)
    state["known"][player] = np.uint32(U64(state["known"][player]) & ~card_bit)
    state["history"][state["played"]] = card
    state["movers"][state["played"]] = player
    state["played"] += 1
    state["trick_points"] += card_points(card)
    if leads:
        state["best"] = card
        state["best_seat"] = player
    else:
        if is_strict(state):
            _note_duty(state, player, card)
        best = state["best"]
        if has(higher(best), card) or (card >> 3 != best >> 3 and card >> 3 == state["trump"]):
            state["best"] = card
            state["best_seat"] = player
    if state["played"] - state["trick_start"] == state["rules"]["active"]:
        _finish_trick(state)
    else:
        state["phase"] = FOLLOW
        state["player"] = next_seat(state, player)
        if state["rules"]["claim_timing"] == ANY_TURN:
            claim_automatically(state, state["player"])


@kernel
def _announce(state: Any, player: int, card: int) -> bool:
    """`announce` forced: leading from a declarable pair declares it; else the other card is not held. True: deal over."""
    suit = card >> 3
    had = state["lead_pair"]
    if had == NOBODY and has(declarable(state, player), 8 * suit):
        _declare(state, player, suit)
        return state["phase"] == OVER or state["phase"] == DEAL
    other = bit(8 * suit + QUEEN) if card & 7 == KING else bit(8 * suit + KING)
    if had == NOBODY and has(_would_declare(state, player), 8 * suit):
        _note_absent(state, player, other)
    return False


@kernel
def _would_declare(state: Any, player: int) -> Any:
    """Suits that `player` could declare if only he held both cards: what his silence tells (SP32)."""
    hand = state["hand"][player]
    state["hand"][player] = np.uint32(0xFFFFFFFF)
    pairs = declarable(state, player)
    state["hand"][player] = hand
    return pairs


@kernel
def draws_made(state: Any) -> int:
    """Cards that each seat has drawn from the talon in this deal."""
    rules = state["rules"]
    return (rules["cards"] - rules["active"] * rules["hand_cards"] - state["talon_left"]) // 2  # type: ignore[no-any-return]


@kernel
def _note_absent(state: Any, player: int, cards: Any) -> None:
    """Everybody has seen that `player` holds none of `cards` now (SP36)."""
    for i in range(state["played"]):
        cards &= ~bit(state["history"][i])
    state["absent"][player] = np.uint32(U64(state["absent"][player]) | cards)
    if can_be_barred(state):
        draws = draws_made(state)
        for card in range(CARDS):
            if has(cards, card):
                state["barred"][player, card] = draws + 1


@kernel
def _note_duty(state: Any, player: int, card: int) -> None:
    """What a follower's card shows in strict play (SP36)."""
    best = state["best"]
    trump = state["trump"]
    led = state["history"][state["trick_start"]] >> 3
    suit = card >> 3
    missing = NONE
    if suit == led:
        if best >> 3 == led and card < best:
            missing = higher(best)
    else:
        missing = suit_mask(led)
        if suit != trump:
            missing |= suit_mask(trump)
        elif best >> 3 == trump and card < best:
            missing |= higher(best)
    if missing != NONE:
        _note_absent(state, player, missing)


@kernel
def _finish_trick(state: Any) -> None:
    """The winner takes the trick and leads; he draws, may close, or the last trick is settled."""
    winner = state["best_seat"]
    side = side_of(state, winner)
    state["tricks"][side] += 1
    state["points"][side] += state["trick_points"] + state["pending"][side]  # SP8
    state["pending"][side] = 0
    state["trick_points"] = 0
    state["leader"] = winner
    state["player"] = winner
    state["best"] = NO_CARD
    state["best_seat"] = NOBODY
    if claim_automatically(state, winner):
        return
    rules = state["rules"]
    if is_open(state):
        if rules["draw_node"] and state["talon_left"] >= rules["close_min_talon"]:  # SP1
            state["trick_start"] = state["played"]
            state["lead_pair"] = NOBODY
            state["partner_pair"] = NOBODY
            state["phase"] = DRAW
            return
        _draw(state)
    elif state["hand"][winner] == 0:
        _after_last_trick(state)
        return
    _begin_lead(state)


@kernel
def _after_last_trick(state: Any) -> None:
    rules = state["rules"]
    state["phase"] = LAST  # SP14
    state["trick_start"] = state["played"]
    state["lead_pair"] = NOBODY
    state["partner_pair"] = NOBODY
    if not _can_claim(state, state["player"]) or not rules["claim_allowed"]:
        settle_played_out(state)


@kernel
def _draw(state: Any) -> None:
    """Winner, then loser, draw a card each (S9); the turned card is the last."""
    _draw_card(state, state["leader"])
    _draw_card(state, next_seat(state, state["leader"]))
    state["talon_left"] -= 2


@kernel
def _draw_card(state: Any, seat: int) -> None:
    position = state["talon_pos"]
    if position < state["rules"]["cards"]:
        card = bit(state["deck"][position])
        state["deck"][position] = NO_CARD
        state["talon_pos"] = position + 1
    else:
        card = bit(state["up"])
        state["known"][seat] = np.uint32(U64(state["known"][seat]) | card)
        state["up_seat"] = seat
        state["up_drawn"] = state["up"]
        state["up"] = NO_CARD
    state["hand"][seat] = np.uint32(U64(state["hand"][seat]) | card)
    state["absent"][seat] = np.uint32(0)


@kernel
def outcome(state: Any, hand: Any, seats: Any) -> None:
    """Write HAND_COLUMNS and SEAT_COLUMNS of the episode so far (int32)."""
    hand[0] = state["deals"]
    hand[1] = state["decisions"]
    hand[2] = state["decided"]
    hand[3] = state["forehand_wins"]
    hand[4] = state["played_out"]
    hand[5] = state["ties"]
    for seat in range(state["rules"]["players"]):
        for column in range(len(SEAT_COLUMNS)):
            seats[seat, column] = state["counts"][seat, column]


assert len(HAND_COLUMNS) == 6
