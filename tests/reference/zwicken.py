"""A slow, plain referee of Zwicken, written from rules.md section 1 alone (Z, ZQ and ZP numbers are its).

Independent of the compiled engine on purpose: the comparison test plays both side by side. Cards are texts
such as `TH`; actions are `play`, `pass`, `swap AH`, `stop` and, in the tricks, a card. Seats go clockwise.
"""

from __future__ import annotations

from typing import Any

from .zwicken_options import BELLI, RANKS, SUITS, Form, Options, resolve

GUARD = 1000  # ZP6: attempts at one deal


def number(card: str) -> int:
    """Order of the cards that are laid away in one block turn."""
    return SUITS.index(card[1]) * 9 + RANKS.index(card[0])


class Referee:
    """One table of Zwicken, any variant; see the module text for cards and actions.

    `node` names the decision: announce, swap (one_per_round), block, play, or "" when there is none.
    `pot` is the pot being played for; betes join it at the settlement only (ZP26, ZP31). `betes` counts the
    betes of the last finished deal, a second one for a Durchmarsch included (ZP27, ZP29). `attempts` counts
    those at the present deal, the one that went ahead included. `stopped` holds who said "stop".
    """

    def __init__(self, variant: str = "base", *, session: bool = False, **options: Any) -> None:
        """Prepare a table; `session` False makes a single deal the whole episode.

        Raises:
            ValueError: unknown variant, option or value.
        """
        self.form: Form
        self.options: Options
        self.form, self.options = resolve(variant, options)
        self.variant = variant
        self.session = session
        self.players = self.form.seats
        self.stake = self.form.stake
        self.start(0)

    # ---- beginning -----------------------------------------------------------------------------------

    def start(self, dealer: int, pot: int = 0) -> None:
        """Begin an episode: chips to the start, `pot` on the table; `dealer` gives the first deal.

        Raises:
            ValueError: no such seat, or a negative pot.
        """
        if dealer not in range(self.players):
            raise ValueError(f"dealer={dealer}: allowed are 0 to {self.players - 1}")
        if pot < 0:
            raise ValueError(f"pot={pot}: allowed is a whole number from 0")
        self.dealer = dealer
        self.pot = pot
        self.chips = [self.options.start_chips] * self.players
        self.deals = 0
        self.over = False
        self.betes = [0] * self.players
        self.gained = [0] * self.players
        self._clear()

    def _clear(self) -> None:
        """Forget everything that belongs to one deal (F23)."""
        self.deal_over = False
        self.attempts = 0
        self.shown: str | None = None
        self.turned: str | None = None
        self.trump: str | None = None
        self.hands: list[set[str]] = [set() for _ in range(self.players)]
        self.talon: list[str] = []  # top first
        self.discards: list[list[str]] = [[] for _ in range(self.players)]
        self.active: set[int] = set()
        self.stopped: set[int] = set()
        self.swaps = [0] * self.players
        self.trick: list[tuple[int, str]] = []
        self.history: list[tuple[int, str]] = []
        self.tricks = [0] * self.players
        self.leader: int | None = None
        self.player: int | None = None
        self.node = ""
        self._before = list(self.chips)  # ZP30
        self._turns: list[int] = []  # seats still to be asked at the present stage
        self._limit = 0  # cards that the present block turn may lay away
        self._ace_due = True  # the Ace duty falls due once (ZP20)
        self._faults = [0] * self.players  # booked, not shown (ZP31)

    @property
    def returns(self) -> list[int]:
        """Chips won or lost since the episode began (ZQ28)."""
        return [chips - self.options.start_chips for chips in self.chips]

    @property
    def winners(self) -> list[int]:
        """Seats with the highest balance once the episode is over, ties shared (ZP33)."""
        return [seat for seat in range(self.players) if self.chips[seat] == max(self.chips)] if self.over else []

    def _clockwise(self) -> list[int]:
        """All seats from the dealer's left to the dealer."""
        return [(self.dealer + 1 + i) % self.players for i in range(self.players)]

    def _pay(self, seat: int, chips: int) -> None:
        """`seat` puts chips into the pot (negative: takes them out)."""
        self.chips[seat] -= chips
        self.pot += chips

    # ---- ante, cut and deal --------------------------------------------------------------------------

    def attempt(self, pack: list[str]) -> bool:
        """One attempt at a deal by `dealer`; `pack` is in dealing order after the cut (ZP1).

        Returns True when the deal went ahead, False when the cut was void: the next attempt is then due,
        by the new `dealer`.

        Raises:
            ValueError: not exactly the variant's pack, a deal is being played, or the episode is over.
            RuntimeError: too many void cuts (ZP6).
        """
        if self.over:
            raise ValueError("the episode is over: call start")
        if self.node:
            raise ValueError(f"the deal is still at node {self.node!r}: finish it first")
        if sorted(pack) != sorted(self.form.pack):
            raise ValueError(f"pack of {len(pack)} cards: allowed is each of {' '.join(self.form.pack)} once")
        if self.deal_over or self.attempts == 0:
            self._clear()
        if self.attempts >= GUARD:
            raise RuntimeError(f"{GUARD} void cuts in a row: none of them a fair shuffle")
        self.attempts += 1
        # Z7: every attempt opens with an ante. One given back (Z11, ZQ2) is owed again, and whoever becomes
        # dealer antes, also one whose earlier ante of this deal stayed in the pot (ZQ2, ZQ3, ZP4).
        self._pay(self.dealer, self.stake)
        if self.options.cut_rule != "off":  # ZP2
            self.shown = pack[-1]  # ZP1
            if self._void(self.shown):
                return False
        self._deal(list(pack))
        return True

    def _void(self, card: str) -> bool:
        """Whether the card cut voids the attempt; if so chips and deal move (Z11-Z13, ZQ1-ZQ5, ZP2-ZP4)."""
        option, dealer = self.options, self.dealer
        cutter = (dealer - 1) % self.players  # Z8
        if card == BELLI:
            others = self._clockwise()[:-1]  # the last of them is the cutter
            if option.belli_cut == "pot_jump":
                for seat in others:
                    self._pay(seat, self.stake)  # ZP3
            elif option.belli_cut != "none":
                for seat in others if option.belli_cut == "pay_all_others" else others[:-1]:
                    self.chips[dealer] -= self.stake
                    self.chips[seat] += self.stake
            if option.belli_cut_ante == "returned":
                self._pay(dealer, -self.stake)
            self.dealer = cutter
            return True
        if card[0] not in "A7":
            return False
        if option.cut_rule == "hop":
            self.dealer = (dealer + 1) % self.players  # ZP4: the ante stays
        else:
            self._pay(dealer, -self.stake)  # Z11
        return True

    def _deal(self, rest: list[str]) -> None:
        """Two cards each, the turn-up, the remaining cards of the hands, the talon (ZP5)."""
        for packet in (2, 0, self.form.hand - 2):
            if packet == 0:
                self.turned = rest.pop(0)
                self.trump = self.turned[1]  # ZP8: the printed suit
                continue
            for seat in self._clockwise():
                self.hands[seat].update(rest[:packet])
                rest = rest[packet:]
        self.talon = rest
        self._turns = self._clockwise()  # ZP9
        self.node = "announce"
        self.player = self._turns.pop(0)

    # ---- what is legal -------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """Texts of the actions open to `player`; empty when there is no decision."""
        if self.player is None:
            return set()
        hand = self.hands[self.player]
        if self.node == "announce":
            return {"play", "pass"} if self._may_pass(self.player) else {"play"}
        if self.node == "swap":
            return {f"swap {card}" for card in hand} | {"stop"}
        if self.node == "block":
            return {f"swap {card}" for card in self._layable(self.player)} | {"stop"}
        cards = self._playable(self.player)
        due = self._due(cards)
        if due and self.options.duties == "enforce":
            return {due}  # ZP23
        return cards

    def _may_pass(self, seat: int) -> bool:
        """ZP11: passing is masked if anything forbids it."""
        if self.form.no_pass == "all" or (self.form.no_pass == "dealer" and seat == self.dealer):
            return False
        if self.options.bare_pot_forced and self.pot == self.stake:  # ZP10
            return False
        return not (self.options.ace_must_stay and self._ace in self.hands[seat])  # Z16, ZP8

    def _layable(self, seat: int) -> list[str]:
        """Cards of the hand dealt that may follow those laid away in this block turn: the higher numbers."""
        laid = self.discards[seat]
        return [card for card in self.hands[seat] if not laid or number(card) > number(laid[-1])]

    @property
    def _ace(self) -> str:
        """The trump Ace."""
        return f"A{self.trump}"

    def _is_trump(self, card: str) -> bool:
        """The trump suit and the permanent trumps, which belong to no other suit (ZQ16)."""
        assert self.trump is not None
        return card in self.form.trumps(self.trump)

    def _beats(self, card: str, best: str) -> bool:
        """Whether `card`, played after `best`, takes the trick from it (Z21)."""
        assert self.trump is not None
        order = self.form.trumps(self.trump)
        if card in order:
            return best not in order or order.index(card) < order.index(best)
        return best not in order and card[1] == best[1] and RANKS.index(card[0]) > RANKS.index(best[0])

    def _best(self) -> tuple[int, str]:
        """Seat and card that hold the trick so far."""
        best = self.trick[0]
        for play in self.trick[1:]:
            if self._beats(play[1], best[1]):
                best = play
        return best

    def _playable(self, seat: int) -> set[str]:
        """Cards that may be played, the duties of Ace and Belli left aside (Z19, Z20, ZQ16, ZQ17)."""
        hand = self.hands[seat]
        trumps = {card for card in hand if self._is_trump(card)}
        if not self.trick:
            if self.options.winner_leads_trump and self.history and trumps:
                return trumps  # ZP19
            return set(hand)
        led = self.trick[0][1]
        if self._is_trump(led):
            suited = trumps
        else:
            suited = {card for card in hand if card[1] == led[1]} - trumps
        bound = suited or (trumps if self.options.must_trump else set())
        if not bound:
            return set(hand)
        if self.options.must_head:  # ZP18
            return {card for card in bound if self._beats(card, self._best()[1])} or bound
        return bound

    def _due(self, cards: set[str]) -> str | None:
        """The Ace or Belli if it is `player`'s duty to play it now; `cards` are legal by the other rules."""
        if self._ace in cards and self._ace_due and (not self.trick or self.options.ace_duty == "play"):
            return self._ace  # ZQ13, ZP20, ZP21
        ace_led = bool(self.trick) and self.trick[0][1] == self._ace
        if ace_led and self.options.belli_duty == "release" and BELLI in cards:
            return BELLI  # Z17, ZQ15, ZP22
        return None

    # ---- playing -------------------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Carry out an action of `player`.

        Raises:
            ValueError: the action is not legal; nothing changes.
        """
        allowed = self.legal()
        seat = self.player
        if seat is None or text not in allowed:
            raise ValueError(f"action {text!r}: allowed are {', '.join(sorted(allowed)) or 'none'}")
        if self.node == "announce":
            self._announce(seat, text == "play")
        elif self.node == "play":
            self._play(seat, text)
        elif self.node == "block":
            self._block(seat, text)
        elif text == "stop":
            self.stopped.add(seat)
            self._next_swap()
        else:
            self._lay_away(seat, text[-2:])
            self.hands[seat].add(self.talon.pop(0))
            self._next_swap()

    def _announce(self, seat: int, stays: bool) -> None:
        """Note the answer, ask the next; after the last see how many stay (Z14, ZQ9, ZQ21, ZQ22)."""
        if stays:
            self.active.add(seat)
        if self._turns:
            self.player = self._turns.pop(0)
        elif len(self.active) > 1:
            stayers = [seat for seat in self._clockwise() if seat in self.active]
            rounds = self.options.max_swaps
            if self.options.swap_mode == "block":
                rounds = min(rounds, 1)  # ZP15: one turn each
            self._turns = stayers * rounds  # ZP14
            self._next_swap()
        else:
            if self.active:
                self._pay(min(self.active), -self.pot)  # ZP13
            elif self.options.all_pass == "dealer_takes":
                self._pay(self.dealer, -self.pot)  # ZP13
            self._end_deal()

    def _next_swap(self) -> None:
        """Ask the next who may swap, or begin play (ZQ11, ZP14, ZP15)."""
        while self._turns and self.talon:
            seat = self._turns.pop(0)
            if seat not in self.stopped:
                self.player = seat
                self.node = "block" if self.options.swap_mode == "block" else "swap"
                self._limit = min(self.options.max_swaps, len(self.hands[seat]), len(self.talon))
                return
        self._turns = []
        self.node = "play"
        self._lead(next(seat for seat in self._clockwise() if seat in self.active))  # Z18

    def _lay_away(self, seat: int, card: str) -> None:
        """A card of the hand goes to its owner's discards for good (Z15, ZQ27)."""
        self.hands[seat].remove(card)
        self.discards[seat].append(card)
        self.swaps[seat] += 1

    def _block(self, seat: int, text: str) -> None:
        """A step of a block turn; at its end all replacements are drawn together (ZP15)."""
        if text == "stop":
            self.stopped.add(seat)
        else:
            self._lay_away(seat, text[-2:])
            if self.swaps[seat] < self._limit and self._layable(seat):
                return
        for _ in range(self.swaps[seat]):
            self.hands[seat].add(self.talon.pop(0))
        self._next_swap()

    def _lead(self, seat: int) -> None:
        """`seat` is on lead."""
        self.leader = self.player = seat

    def _play(self, seat: int, card: str) -> None:
        """Play a card, book a duty neglected, go on to the next seat or end the trick (ZQ30)."""
        due = self._due(self._playable(seat))
        if due == self._ace:
            self._ace_due = False
        if due and card != due:
            self._faults[seat] += 1
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.history.append((seat, card))
        if len(self.trick) < len(self.active):
            self.player = next(s for i in range(1, self.players) if (s := (seat + i) % self.players) in self.active)
            return
        winner, best = self._best()
        self.tricks[winner] += 1
        if self.options.belli_duty == "loss_pays" and best == self._ace:
            for loser, lost in self.trick:
                self._faults[loser] += lost == BELLI  # ZP24
        self.trick = []
        if any(self.hands[winner]):
            self._lead(winner)
        else:
            self._settle()

    # ---- the end of a deal ---------------------------------------------------------------------------

    def _settle(self) -> None:
        """Share out the pot, then collect the betes for the next one (ZP26-ZP29)."""
        pot = self.pot
        bete = self.stake if self.options.bete == "stake" else min(pot, self.options.bete_cap * self.stake)
        sweeper = next((seat for seat in self.active if self.tricks[seat] == self.form.hand), None)
        if sweeper is not None:
            self._pay(sweeper, -pot)  # Z26
        else:
            for seat in self.active:
                self._pay(seat, -(pot // self.form.hand) * self.tricks[seat])  # Z22
        betes = [0] * self.players
        for seat in self.active:
            betes[seat] = self._faults[seat] + (self.tricks[seat] == 0)  # Z23, ZQ19
            self._pay(seat, bete * betes[seat])
            if sweeper is None or seat == sweeper or self.options.durchmarsch == "single_bete":
                continue
            betes[seat] += 1  # ZP29
            self._pay(seat, bete)
            if self.options.durchmarsch == "extra_to_winner":
                self._pay(sweeper, -bete)
        self._end_deal(betes)

    def _end_deal(self, betes: list[int] | None = None) -> None:
        """Close the books; in a session look for its end and move the deal (ZQ7, ZP7, ZP30, ZP33)."""
        self.deal_over = True
        self.deals += 1
        self.node = ""
        self.player = None
        self.betes = betes or [0] * self.players
        self.gained = [now - before for now, before in zip(self.chips, self._before, strict=True)]
        target = self.options.target_chips
        self.over = (
            not self.session or self.deals == self.form.n_deals or (target is not None and max(self.chips) >= target)
        )
        if not self.over:
            self.dealer = (self.dealer + 1) % self.players
