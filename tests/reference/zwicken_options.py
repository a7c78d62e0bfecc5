"""Options and variants of the Zwicken referee (rules.md sections 1.4, 1.5 and 4).

Standard library only; written from the rules text without sight of the compiled engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

SUITS = "DHSC"
RANKS = "6789TJQKA"  # ascending power in a plain suit (Z3, Z28)
BELLI = "7D"  # Z4
SIX = "6D"  # Z28, Styrian only
WENZEL_SUITS = "CSHD"  # descending power (1.4)

CHOICES: dict[str, tuple[str, ...]] = {
    "cut_rule": ("redeal", "hop", "off"),  # ZQ3, ZP2, ZP4
    "belli_cut": ("pay_between", "pay_all_others", "pot_jump", "none"),  # ZQ1, ZP2, ZP3
    "belli_cut_ante": ("stays", "returned"),  # ZQ2
    "swap_mode": ("one_per_round", "block"),  # ZQ10, ZP14, ZP15
    "duties": ("penalise", "enforce"),  # ZQ12, ZP23
    "ace_duty": ("lead", "play"),  # ZQ14, ZP21
    "belli_duty": ("release", "loss_pays", "off"),  # ZQ15, ZP24
    "durchmarsch": ("single_bete", "extra_to_winner", "extra_to_pot"),  # ZQ18, ZP29
    "bete": ("stake", "pot"),  # ZQ23, ZP28
    "all_pass": ("carry", "dealer_takes"),  # ZQ21, ZP13
    "dreier_no_pass": ("all", "dealer"),  # 1.4
    "wenzel_rank": ("below_belli", "top"),  # 1.4, ZP25
    "wenzel_cards": ("unter", "ober_unter"),  # 1.4, ZP25
}
SWITCHES = ("ace_must_stay", "must_trump", "must_head", "winner_leads_trump", "bare_pot_forced")
LOWEST = {"players": 2, "stake": 1, "max_swaps": 0, "bete_cap": 1, "n_deals": 1}  # the least whole number
HIGHEST = {"players": 5, "max_swaps": 4}  # ZQ31, ZP16


@dataclass(frozen=True)
class Options:
    """Every option of rules.md section 4 with its default; None means the variant's own, or no limit."""

    players: int | None = None
    stake: int | None = None
    cut_rule: str = "redeal"
    belli_cut: str = "pay_between"
    belli_cut_ante: str = "stays"
    swap_mode: str = "one_per_round"
    max_swaps: int = 3
    duties: str = "penalise"
    ace_must_stay: bool = True
    ace_duty: str = "lead"
    belli_duty: str = "release"
    must_trump: bool = True
    must_head: bool = False
    winner_leads_trump: bool = False
    durchmarsch: str = "single_bete"
    bete: str = "stake"
    bete_cap: int = 1000
    all_pass: str = "carry"
    bare_pot_forced: bool = False
    dreier_no_pass: str = "all"
    wenzel_rank: str = "below_belli"
    wenzel_cards: str = "unter"
    n_deals: int | None = None
    target_chips: int | None = None
    start_chips: int = 0


@dataclass(frozen=True)
class Form:
    """What a variant fixes: seats, pack, size of hand, stake, and the trumps beside the trump suit."""

    seats: int
    hand: int  # cards in a hand, so tricks in a deal as well
    ranks: str
    stake: int
    n_deals: int | None  # deals in a session, None for no limit
    no_pass: str = ""  # who may not pass: "", "dealer" or "all"
    belli: tuple[str, ...] = (BELLI,)  # the permanent trumps under the Ace, high to low
    wenzels: tuple[str, ...] = ()  # high to low
    wenzels_on_top: bool = False

    @property
    def pack(self) -> list[str]:
        """All cards of the variant's pack."""
        return [rank + suit for suit in SUITS for rank in self.ranks]

    @cache  # noqa: B019 - a frozen value, and few of them
    def trumps(self, suit: str) -> list[str]:
        """All trumps, high to low, when `suit` is turned (Z4, Z5, Z28, ZP25, 1.4)."""
        high = ["A" + suit, *self.belli]
        high = [*self.wenzels, *high] if self.wenzels_on_top else [*high, *self.wenzels]
        return high + [rank + suit for rank in reversed(self.ranks) if rank + suit not in high]


VARIANTS = ("base", "styrian", "four_card", "dreier", "bavarian")


def _check(name: str, value: object) -> None:
    """Raise ValueError for a value that option `name` does not know."""
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name}={value!r}: allowed are {', '.join(CHOICES[name])}")
    elif name in SWITCHES:
        if not isinstance(value, bool):
            raise ValueError(f"{name}={value!r}: allowed are True, False")
    elif value is None and name in ("players", "stake", "n_deals", "target_chips"):
        return
    elif isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}={value!r}: allowed is a whole number")
    elif value < LOWEST.get(name, value) or value > HIGHEST.get(name, value):
        upper = f" to {HIGHEST[name]}" if name in HIGHEST else ""
        raise ValueError(f"{name}={value!r}: allowed is a whole number from {LOWEST[name]}{upper}")


def resolve(variant: str, options: Mapping[str, Any]) -> tuple[Form, Options]:
    """Defaults, then variant, then named options (ZP34 with SP33); idle options are accepted.

    Raises:
        ValueError: unknown variant, option or value, seats that the variant cannot have, or a target
            not above the start.
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant={variant!r}: allowed are {', '.join(VARIANTS)}")
    known = {field.name for field in fields(Options)}
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"unknown option {name!r}: allowed are {', '.join(sorted(known))}")
        _check(name, value)
    chosen = replace(Options(), **options)
    if variant == "dreier" and chosen.players not in (None, 3):
        raise ValueError(f"players={chosen.players!r}: allowed in variant dreier is 3")  # ZP32
    if chosen.target_chips is not None and chosen.target_chips <= chosen.start_chips:  # ZP33
        raise ValueError(f"target_chips={chosen.target_chips}: allowed is more than start_chips={chosen.start_chips}")
    return _form(variant, chosen), chosen


def _form(variant: str, options: Options) -> Form:
    """The table of a variant; stake and number of deals by ZQ20 and ZP32 unless named."""
    seats = options.players or (3 if variant == "dreier" else 4)
    hand = 4 if variant == "four_card" else 3
    n_deals = options.n_deals
    if n_deals is None and options.target_chips is None:
        n_deals = seats
    form = Form(seats, hand, "789TJQKA", options.stake or hand, n_deals)
    if variant == "dreier":
        return replace(form, no_pass=options.dreier_no_pass)
    if variant == "styrian":
        return replace(form, ranks=RANKS, belli=(BELLI, SIX))
    if variant == "bavarian":
        ranks = "QJ" if options.wenzel_cards == "ober_unter" else "J"
        wenzels = tuple(rank + suit for rank in ranks for suit in WENZEL_SUITS)
        return replace(form, ranks=RANKS, wenzels=wenzels, wenzels_on_top=options.wenzel_rank == "top")
    return form
