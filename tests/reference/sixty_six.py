"""A slow, plain referee of Sixty-Six, written from rules.md section 3 alone (S, SQ and SP numbers are its).

Independent of the compiled engine on purpose: the comparison test plays both side by side. Cards are texts
such as `TH`; actions are `AH`, `pair H`, `exchange`, `close`, `draw`, `claim`, `pass`.
"""

from __future__ import annotations

from typing import Any

from .sixty_six_options import CARD_POINTS, MARRIAGES_1001, RANKS, SUITS, Form, Options, resolve


def beats(card: str, best: str, trump: str | None) -> bool:
    """Whether `card`, played after `best`, takes the trick from it (S8)."""
    if card[1] == best[1]:
        return RANKS.index(card[0]) > RANKS.index(best[0])
    return card[1] == trump


def scale(points: int, tricks: int, goal: int) -> int:
    """1, 2 or 3 game points by the loser's points and tricks (S16, SQ23: tricks decide the 3; SP38)."""
    if tricks == 0:
        return 3
    return 1 if 2 * points >= goal else 2


class Referee:
    """One table of Sixty-Six, any preset; see the module text for cards and actions.

    Attributes are per seat (`hands`, `game_points`, `scores`) or per side (`points`, `pending`, `tricks`);
    a side is a seat, in four_hand the seat modulo 2. `node` names the decision: draw, lead, follow,
    ask (exchange on close), meld (partner's marriage), last (claim after the last trick).
    """

    def __init__(self, preset: str = "base", *, match: bool = False, **options: Any) -> None:
        """Prepare a table; `match` False makes each deal an episode of its own.

        Raises:
            ValueError: unknown preset, option or value.
        """
        self.form: Form
        self.options: Options
        self.form, self.options = resolve(preset, options)
        self.preset = preset
        self.match = match
        self.players = self.form.seats
        self.sides = 2 if self.form.teams else self.players
        self.start_match(0)

    def start_match(self, dealer: int) -> None:
        """Scores and carry to nothing; `dealer` gives the first deal."""
        if not 0 <= dealer < self.players:
            raise ValueError(f"dealer={dealer}: allowed are 0 to {self.players - 1}")
        self.dealer = dealer
        self.scores = [0] * self.players
        self.carry = 0
        self.match_over = False
        self.match_winner: list[int] = []
        self.matsch = False
        self._clear()

    def _clear(self) -> None:
        """Forget everything that belongs to one deal (F23)."""
        self.seats: list[int] = []  # who plays this deal, clockwise from the forehand
        self.hands: list[set[str]] = [set() for _ in range(self.players)]
        self.talon: list[str] = []  # top first; the face-up or turned-down card is the last
        self.had_talon = False
        self.trump: str | None = None
        self.closer: int | None = None
        self.at_close: tuple[list[int], list[int]] = ([], [])  # points and tricks of the sides at closing
        self.leader: int | None = None
        self.player: int | None = None
        self.node = ""
        self.trick: list[tuple[int, str]] = []
        self.tricks_played = 0
        self.points = [0] * self.sides
        self.pending = [0] * self.sides
        self.tricks = [0] * self.sides
        self.declared: set[str] = set()
        self.last_declared: str | None = None
        self.declared_now: dict[int, str] = {}  # seat -> suit, since the last card of the last trick
        self.over = False
        self.reason = ""
        self.winner_side: int | None = None
        self.game_points = [0] * self.players

    def deal(self, deck: list[str]) -> None:
        """Deal the next hand from `deck` in dealing order (SP34), `self.dealer` dealing.

        Raises:
            ValueError: `deck` is not exactly the form's pack, or the match is over.
        """
        if self.match_over:
            raise ValueError("the match is over: call start_match")
        if sorted(deck) != sorted(self.form.pack):
            raise ValueError(f"deck of {len(deck)} cards: allowed is each of {' '.join(self.form.pack)} once")
        self._clear()
        if not self.match:
            self.carry = 0
        self.seats = [(self.dealer + 1 + i) % self.players for i in range(self.form.active)]
        rest = list(deck)
        turn_up: list[str] = []
        for packet in self.form.packets:
            if packet == 0:
                turn_up = [rest.pop(0)]
                continue
            for seat in self.seats:
                self.hands[seat].update(rest[:packet])
                rest = rest[packet:]
        self.talon = rest + turn_up
        self.had_talon = bool(self.talon)
        if turn_up:
            self.trump = turn_up[0][1]
        elif self.form.teams:
            self.trump = deck[-1][1]  # SP25: the dealer's last card
        self._start_lead(self.seats[0])

    @property
    def talon_count(self) -> int:
        """Undrawn cards, with the face-up or turned-down one (SP5)."""
        return len(self.talon)

    @property
    def face_up(self) -> str | None:
        """The open turn-up, None once drawn or turned down, or without a talon to lie under."""
        return self.talon[-1] if self.form.face_up and self.talon and self.closer is None else None

    def side(self, seat: int) -> int:
        """The side that `seat` plays for (SP26)."""
        return seat % 2 if self.form.teams else seat

    def _other(self, side: int) -> int:
        """The opposing side of a two-sided deal."""
        return 1 - side if self.form.teams else next(seat for seat in self.seats if seat != side)

    # ---- what is legal -------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """Texts of the actions open to `player`; empty when the hand is over."""
        if self.player is None:
            return set()
        if self.node == "draw":
            return {"draw", "close"}  # SP1
        if self.node == "ask":
            return {"exchange", "pass"}  # SP15
        if self.node == "last":
            return {"claim", "pass"}  # SP14
        if self.node == "meld":
            return {f"pair {suit}" for suit in self._declarable(self.player)} | {"pass"}  # SP27
        if self.node == "follow":
            actions = self._following(self.player)
            if self.options.claim_timing == "any_turn" and self._offers_claim(self.player):
                actions.add("claim")  # SP12
            return actions
        return self._leading(self.player)

    def _leading(self, seat: int) -> set[str]:
        """The lead node (SP2, SP6)."""
        hand, option = self.hands[seat], self.options
        pairs = self._declarable(seat)
        actions = set(hand)
        if option.announce == "free":
            actions |= {f"pair {suit}" for suit in pairs}
        elif option.marriage_lead == "king":
            actions -= {"Q" + suit for suit in pairs}
        if seat in self.declared_now and option.marriage_must_lead:
            suit = self.declared_now[seat]
            actions = {"K" + suit} if option.marriage_lead == "king" else {"K" + suit, "Q" + suit}
            actions &= hand  # the queen may have been exchanged since (SP38)
        if self._may_exchange(seat):
            actions.add("exchange")
        if self._may_close_on_lead():
            actions.add("close")
        if self._offers_claim(seat):
            actions.add("claim")
        return actions

    def _following(self, seat: int) -> set[str]:
        """Cards that may be played to the trick: any, or those of strict duty (S12, SQ25, SP25)."""
        hand = self.hands[seat]
        strict = not self.talon or self.closer is not None
        if self.form.thousand and self.options.follow_always:
            strict = True
        if not strict:
            return set(hand)
        best = self._best()[1]
        suited = {card for card in hand if card[1] == self.trick[0][1][1]}
        trumps = {card for card in hand if card[1] == self.trump}
        for choice in (suited, trumps):
            if choice:
                return {card for card in choice if beats(card, best, self.trump)} or choice
        return set(hand)

    def _best(self) -> tuple[int, str]:
        """Seat and card that hold the trick so far."""
        best = self.trick[0]
        for play in self.trick[1:]:
            if beats(play[1], best[1], self.trump):
                best = play
        return best

    def _declarable(self, seat: int) -> list[str]:
        """Suits whose marriage `seat` may declare on this lead (S11, SQ12, SQ13, SP9, SP11, SP29)."""
        option, hand = self.options, self.hands[seat]
        if self.form.american or seat in self.declared_now:
            return []
        if option.early_marriage == "forbidden" and self.tricks[self.side(seat)] == 0:
            return []
        talon_open = bool(self.talon) and self.closer is None
        if self.had_talon and not talon_open and not option.marriage_after_close:
            return []
        suits = [s for s in SUITS if "K" + s in hand and "Q" + s in hand and s not in self.declared]
        if self.form.thousand and option.ascending_marriages and self.last_declared is not None:
            suits = [s for s in suits if SUITS.index(s) > SUITS.index(self.last_declared)]
        return suits

    def _may_exchange(self, seat: int) -> bool:
        """S10, SQ9, SQ10: swap card in hand, turn-up still open, talon large enough."""
        if self.face_up is None or self.trump is None:
            return False
        if self.options.exchange_needs_trick and self.tricks[self.side(seat)] == 0:
            return False
        return (
            self.form.swap_rank + self.trump in self.hands[seat] and len(self.talon) >= self.options.exchange_min_talon
        )

    def _may_close(self) -> bool:
        """Whether the talon may be closed at all (SQ3, SP5)."""
        if not self.options.closing or self.face_up is None:
            return False
        return len(self.talon) >= self.options.close_min_talon

    def _may_close_on_lead(self) -> bool:
        """Closing with the draw done (SQ1, SQ2, SP3)."""
        if self.tricks_played == 0:
            return self._may_close() and self.options.close_first_lead
        return self._may_close() and self.options.close_timing != "before_draw"

    def _may_claim(self, seat: int) -> bool:
        """Whether the rules let `seat`, at his turn, claim at all (S15, SP7, SP10); not whether he should."""
        if not self.form.claims or self.tricks[self.side(seat)] == 0:
            return False
        return self.options.marriage_show_out or not self.declared_now

    def _offers_claim(self, seat: int) -> bool:
        """Whether `claim` is among the actions of `seat` (SQ17)."""
        if self.options.claims == "auto" or not self._may_claim(seat):
            return False
        return self.options.claims == "free" or self.points[self.side(seat)] >= self.options.goal

    # ---- playing -------------------------------------------------------------------------------------

    def apply(self, action: str) -> None:
        """Carry out an action of `player`.

        Raises:
            ValueError: the action is not legal; nothing changes.
        """
        allowed = self.legal()
        seat = self.player
        if seat is None or action not in allowed:
            raise ValueError(f"action {action!r}: allowed are {', '.join(sorted(allowed)) or 'none'}")
        if action == "claim":
            self._claim(seat)
        elif action == "close":
            self._close(seat)
        elif action == "draw":
            self._draw(seat)
            self._start_lead(seat)
        elif action == "exchange":
            self._exchange(seat)
            if self.node == "ask":
                self._back_to_lead()
        elif action == "pass":
            if self.node == "last":
                self._settle()
            else:
                self._back_to_lead()
        elif action.startswith("pair "):
            self._declare(seat, action[-1])
            if not self._engine_claims(seat) and self.node == "meld":
                self._back_to_lead()
        else:
            self._play(seat, action)

    def _start_lead(self, seat: int) -> None:
        """`seat` is on lead; his partner may be asked for a marriage first (SP27)."""
        self.leader = self.player = seat
        self.node = "lead"
        if self.form.teams and self.options.partner_meld:
            partner = (seat + 2) % 4
            if self._declarable(partner):
                self.player, self.node = partner, "meld"

    def _back_to_lead(self) -> None:
        """After a question to another seat the leader goes on."""
        self.player, self.node = self.leader, "lead"

    def _play(self, seat: int, card: str) -> None:
        """Play a card, with the announcement that `announce` forced ties to it (SP32)."""
        if self.node == "lead":
            if self.options.announce == "forced" and card[0] in "KQ" and card[1] in self._declarable(seat):
                self._declare(seat, card[1])
                if self._engine_claims(seat):
                    return
            self.declared_now = {}
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == len(self.seats):
            self._end_trick()
            return
        self.node = "follow"
        self.player = self.seats[(self.seats.index(seat) + 1) % len(self.seats)]
        if self.options.claim_timing == "any_turn":
            self._engine_claims(self.player)

    def _end_trick(self) -> None:
        """Credit the trick, then claim, settle, draw or ask (S9, SP1, SP8, SP13, SP14)."""
        winner = self._best()[0]
        side = self.side(winner)
        self.points[side] += sum(CARD_POINTS[card[0]] for _, card in self.trick) + self.pending[side]
        self.pending[side] = 0
        self.tricks[side] += 1
        self.tricks_played += 1
        self.trick = []
        self.leader = self.player = winner
        if self._engine_claims(winner):
            return
        if not any(self.hands):
            if self._offers_claim(winner):
                self.node = "last"
            else:
                self._settle()
        elif not self.talon or self.closer is not None:
            self._start_lead(winner)
        elif self._may_close() and self.options.close_timing != "after_draw":
            self.node = "draw"
        else:
            self._draw(winner)
            self._start_lead(winner)

    def _draw(self, winner: int) -> None:
        """Both draw, the winner first; the turn-up comes last (S9, F2)."""
        for seat in (winner, self._other(winner)):
            self.hands[seat].add(self.talon.pop(0))

    def _exchange(self, seat: int) -> None:
        """Swap card against turn-up (S10)."""
        turn_up = self.talon[-1]
        swap = self.form.swap_rank + turn_up[1]
        self.hands[seat].remove(swap)
        self.hands[seat].add(turn_up)
        self.talon[-1] = swap

    def _close(self, seat: int) -> None:
        """Turn the trump down, note the standing, ask the opponent where the option says so (S12, SP15)."""
        self.closer = seat
        self.at_close = (list(self.points), list(self.tricks))
        self.node = "lead"
        opponent = self._other(seat)
        if (
            self.options.exchange_on_close
            and self.form.swap_rank + self.talon[-1][1] in self.hands[opponent]
            and len(self.talon) >= self.options.exchange_min_talon
        ):
            self.player, self.node = opponent, "ask"

    def _declare(self, seat: int, suit: str) -> None:
        """Show king and queen: points now or pending, in 1001 a new trump (S11, SQ12, SP8, SP29, SP32)."""
        side = self.side(seat)
        if self.form.thousand:
            value = MARRIAGES_1001[suit]
            self.trump = suit
        else:
            value = 40 if suit == self.trump else 20
        if self.options.early_marriage == "next_trick" or self.tricks[side] == 0:
            self.pending[side] += value
        else:
            self.points[side] += value
        self.declared.add(suit)
        self.last_declared = suit
        self.declared_now[seat] = suit

    # ---- the end of a hand ---------------------------------------------------------------------------

    def _engine_claims(self, seat: int) -> bool:
        """With `claims` auto: claim for `seat` if he may and has 66 (SP13). True when the hand ended so."""
        if (
            self.options.claims != "auto"
            or not self._may_claim(seat)
            or self.points[self.side(seat)] < self.options.goal
        ):
            return False
        self._claim(seat)
        return True

    def _failed_close(self, winner: int) -> int:
        """Price of a failed close to the closer's opponents, side `winner` (SQ5, SP16, SP32)."""
        if self.options.failed_close == "always_3":
            return 3
        at_end = self.options.failed_close == "2_or_3_at_end"
        tricks = self.tricks if at_end else self.at_close[1]
        return 3 if tricks[winner] == 0 else 2

    def _claim(self, seat: int) -> None:
        """Check a claim and pay it (S16-S18, SQ4, SQ6, SQ18, SQ19, SP16-SP18)."""
        side = self.side(seat)
        other = self._other(side)
        own_close = self.closer is not None and self.side(self.closer) == side
        if self.points[side] < self.options.goal:
            schwarz = self.options.false_claim == "schwarz3" and self.tricks[other] == 0
            price = 3 if schwarz else 2
            if own_close:
                price = max(price, self._failed_close(other))
            self._finish(other, price, "false_claim")
        elif self.closer is not None and not own_close:
            if self.options.beaten_closer == "as_failed":
                price = self._failed_close(side)
            elif self.options.beaten_closer == "flat2":
                price = 2
            else:
                price = scale(self.points[other], self.tricks[other], self.options.goal)
            self._finish(side, price, "beaten_closer")
        else:
            points, tricks = self.points, self.tricks
            if own_close and self.options.close_score == "at_close":
                points, tricks = self.at_close
            self._finish(side, scale(points[other], tricks[other], self.options.goal), "claim")

    def _settle(self) -> None:
        """All cards played and nobody claimed (S14, S19, SQ20, SQ21, SP19, SP20, SP28, SP29)."""
        assert self.leader is not None  # the winner of the last trick
        last = self.side(self.leader)
        if self.form.thousand:
            self._count()
            return
        if self.closer is not None:
            winner = self._other(self.side(self.closer))
            self._finish(winner, self._failed_close(winner), "failed_close")
            return
        if self.options.exhausted == "last_trick_wins" and not self.form.american:
            self._finish(last, 1, "exhausted")
            return
        self.points[last] += 10
        other = self._other(last)
        tied = self.points[last] == self.points[other]
        if tied and self.options.tie != "last_trick":
            self.carry += 1 if self.options.tie == "carry1" else 0
            self._finish(None, 0, "tie")
            return
        winner, loser = (last, other) if self.points[last] >= self.points[other] else (other, last)
        if self.form.american:
            total = self.points[winner]
            self._finish(winner, 3 if total >= 130 else 2 if total >= 100 else 1, "counted")
        else:
            self._finish(winner, scale(self.points[loser], self.tricks[loser], self.options.goal), "exhausted")

    def _count(self) -> None:
        """1001: each seat scores the points of the deal; marriages still pending are lost (SP29)."""
        self.game_points = list(self.points)
        best = max(self.points)
        self.winner_side = self.points.index(best) if self.points.count(best) == 1 else None
        self._close_books("counted")

    def _finish(self, winner: int | None, price: int, reason: str) -> None:
        """Pay `price` and the carry to side `winner`, or nobody (SP20, SP23, SP26)."""
        self.winner_side = winner
        if winner is not None:
            price += self.carry
            self.carry = 0
            for seat in self.seats:
                if self.side(seat) == winner:
                    self.game_points[seat] = price
            if self.form.active < self.players and self.options.idle_dealer == "shares":
                room = self.options.target - 1 - self.scores[self.dealer]
                self.game_points[self.dealer] = min(price, room)
        self._close_books(reason)

    def _close_books(self, reason: str) -> None:
        """End the hand; in a match add up, look for its end, and move the deal (S20, SP21, SP22)."""
        self.over = True
        self.player = None
        self.node = ""
        self.reason = reason
        if not self.match:
            return
        self.scores = [old + new for old, new in zip(self.scores, self.game_points, strict=True)]
        best = max(self.scores)
        leaders = [seat for seat in range(self.players) if self.scores[seat] == best]
        level = self.form.thousand and len(leaders) > 1  # SP29: equal highest, play on
        if best >= self.options.target and not level:
            self.match_over = True
            self.match_winner = leaders
            losers = [score for seat, score in enumerate(self.scores) if seat not in leaders]
            self.matsch = not self.form.thousand and not any(losers)
            self.carry = 0
            return
        by_winner = self.options.next_dealer == "winner" and self.players == 2 and not self.form.thousand
        if not by_winner:
            self.dealer = (self.dealer + 1) % self.players
        elif self.winner_side is not None:
            self.dealer = self.winner_side
