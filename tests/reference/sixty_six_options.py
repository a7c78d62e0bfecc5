"""Options, presets and forms of the Sixty-Six referee (rules.md sections 3.4, 3.5 and 4).

Standard library only; written from the rules text without sight of the compiled engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

SUITS = "DHSC"  # ascending order of 1001 (SP29)
RANKS = "789JQKTA"  # ascending power (S3); the ten stands below the ace
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
MARRIAGES_1001 = {"D": 40, "H": 60, "S": 80, "C": 100}

CHOICES: dict[str, tuple[str, ...]] = {
    "close_timing": ("either", "before_draw", "after_draw"),  # SQ1
    "close_score": ("at_close", "at_end"),  # SQ4
    "failed_close": ("2_or_3", "always_3", "2_or_3_at_end"),  # SQ5, SP32
    "beaten_closer": ("as_failed", "flat2", "as_claim"),  # SQ6, SP32
    "early_marriage": ("forbidden", "pending", "next_trick"),  # SQ12, SP32
    "claims": ("free", "true_only", "auto"),  # SQ17
    "claim_timing": ("on_lead", "any_turn"),  # SQ16
    "false_claim": ("flat2", "schwarz3"),  # SQ18
    "exhausted": ("ten_points", "last_trick_wins"),  # SQ20
    "tie": ("draw", "carry1", "last_trick"),  # SQ21
    "next_dealer": ("alternate", "winner"),  # SQ27
    "idle_dealer": ("none", "shares"),  # SP23
    "swap_card": ("lowest", "nine"),  # SP30
    "announce": ("free", "forced"),  # SP32
    "marriage_lead": ("either", "king"),  # SP32
}
LOWEST = {"target": 1, "goal": 1, "hand": 2, "suits": 2, "ranks": 3}
HIGHEST = {"hand": 8, "suits": 4, "ranks": 8}  # SP38
PACKETS: dict[int, tuple[int, ...]] = {5: (3, 0, 2), 6: (3, 3, 0), 7: (4, 3, 0), 8: (4, 4, 0)}  # SP34, SP38


@dataclass(frozen=True)
class Options:
    """Every option of rules.md section 4 with its default; None means the form's own."""

    close_timing: str = "either"
    close_min_talon: int = 2
    close_first_lead: bool = True
    close_score: str = "at_close"
    closing: bool = True
    failed_close: str = "2_or_3"
    beaten_closer: str = "as_failed"
    exchange_needs_trick: bool = False
    exchange_on_close: bool = False
    exchange_min_talon: int = 2
    swap_card: str = "lowest"
    early_marriage: str = "forbidden"
    marriage_after_close: bool = True
    marriage_must_lead: bool = True
    marriage_show_out: bool = True
    marriage_lead: str = "either"
    announce: str = "free"
    ascending_marriages: bool = False
    partner_meld: bool = False
    claims: str = "free"
    claim_timing: str = "on_lead"
    false_claim: str = "flat2"
    exhausted: str = "ten_points"
    tie: str = "draw"
    next_dealer: str = "alternate"
    idle_dealer: str = "none"
    target: int = 7
    matsch_double: bool = False
    perfect_memory: bool = True
    american: bool = False
    follow_always: bool = False
    players: int | None = None
    hand: int | None = None
    suits: int = 4  # SP38
    ranks: int | None = None
    goal: int = 66


PRESETS: dict[str, dict[str, Any]] = {
    "base": {},
    "pagat66": {
        "close_score": "at_end",
        "beaten_closer": "flat2",
        "exchange_needs_trick": True,
        "exchange_on_close": True,
        "early_marriage": "pending",
        "marriage_after_close": False,
        "next_dealer": "winner",
    },
    "schnapsen": {  # SP24
        "close_timing": "after_draw",
        "early_marriage": "pending",
        "exhausted": "last_trick_wins",
        "false_claim": "schwarz3",
    },
    "three_hand": {},
    "four_hand": {},
    "1001": {"early_marriage": "pending", "target": 1001},  # SP29
    "deck32": {},
    "strict": {"marriage_must_lead": True, "marriage_show_out": False},  # SP31
}


@dataclass(frozen=True)
class Form:
    """What a preset fixes beyond the options: seats, pack, dealing and which moves exist at all.

    `packets` is the dealing order of SP34: card counts given to each seat in turn, 0 for the turn-up.
    """

    seats: int
    active: int  # seats that play a deal; three_hand leaves the dealer out
    ranks: str
    packets: tuple[int, ...]
    swap_rank: str
    teams: bool = False
    thousand: bool = False
    american: bool = False
    suits: str = SUITS

    @property
    def pack(self) -> list[str]:
        """All cards of the form's pack."""
        return [rank + suit for suit in self.suits for rank in self.ranks]

    @property
    def face_up(self) -> bool:
        """Whether the deal turns up a trump under a talon (and so knows exchange and close)."""
        return 0 in self.packets

    @property
    def claims(self) -> bool:
        """Whether 66 can be claimed: not in 1001 (SP29) nor the American game (SP28)."""
        return not (self.thousand or self.american)


def _check(name: str, value: object) -> None:
    """Raise ValueError for a value that option `name` does not know."""
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name}={value!r}: allowed are {', '.join(CHOICES[name])}")
    elif name in ("players", "hand", "suits", "ranks", "goal", "target", "close_min_talon", "exchange_min_talon"):
        lowest = LOWEST.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
            raise ValueError(f"{name}={value!r}: allowed is a whole number from {lowest}")
        if value > HIGHEST.get(name, value):
            raise ValueError(f"{name}={value!r}: allowed is at most {HIGHEST[name]}")
    elif not isinstance(value, bool):
        raise ValueError(f"{name}={value!r}: allowed are True, False")


def resolve(preset: str, named: Mapping[str, Any]) -> tuple[Form, Options]:
    """Defaults, then preset, then named options (SP33).

    Raises:
        ValueError: unknown preset, option or value, or a number of seats that the form cannot have.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset={preset!r}: allowed are {', '.join(PRESETS)}")
    known = {field.name for field in fields(Options)}
    for name, value in named.items():
        if name not in known:
            raise ValueError(f"unknown option {name!r}: allowed are {', '.join(sorted(known))}")
        _check(name, value)
    options = replace(Options(), **{**PRESETS[preset], **named})
    form = _form(preset, options)
    if options.players not in (None, form.seats):
        raise ValueError(f"players={options.players!r}: allowed in preset {preset} is {form.seats}")
    if form.american and "tie" not in named:
        options = replace(options, tie="carry1")  # SP28
    return form, options


def _form(preset: str, options: Options) -> Form:
    """The seats, pack and dealing order of a preset."""
    if preset in ("four_hand", "1001") and (options.suits != 4 or options.ranks is not None):
        raise ValueError(f"suits={options.suits}, ranks={options.ranks}: preset {preset} has its own pack")
    if preset == "four_hand":
        if options.hand is not None:
            raise ValueError(f"hand={options.hand}: preset four_hand deals all its cards")
        if options.american:
            return Form(4, 4, "789JQKTA", (4, 4), "", teams=True, american=True)
        return Form(4, 4, "9JQKTA", (3, 3), "", teams=True)
    if preset == "1001":
        seats = options.players or 2
        if seats not in (2, 3):
            raise ValueError(f"players={seats}: allowed in preset 1001 are 2, 3")
        if options.hand not in (None, 6, 8):
            raise ValueError(f"hand={options.hand!r}: allowed are 6, 8")
        if seats == 3 and options.hand == 6:
            raise ValueError("hand=6: allowed with three players of 1001 is 8")
        return Form(seats, seats, "9JQKTA", (3, 3) if options.hand == 6 else (4, 4), "", thousand=True)
    return _talon_form(preset, options)


def _talon_form(preset: str, options: Options) -> Form:
    """Two who play with a talon; its pack may be small (SP38)."""
    own_ranks, own_hand = {"schnapsen": (5, 5), "deck32": (8, 6)}.get(preset, (6, 6))
    ranks = RANKS[-(options.ranks or own_ranks) :]
    hand = options.hand or own_hand
    cards = options.suits * len(ranks)
    if cards % 2 or cards - 2 * hand < 2:
        raise ValueError(f"hand={hand}: {cards} cards must leave a talon of an even number, 2 at least")
    swap = "9" if options.swap_card == "nine" and "9" in ranks else ranks[0]  # SP30
    seats = 3 if preset == "three_hand" else 2
    return Form(seats, 2, ranks, PACKETS.get(hand, (hand, 0)), swap, suits=SUITS[: options.suits])
