"""What all experiments share: playing deals, resumable sums, comparisons on the same deals, verdicts, pictures.

A question is one script of `experiments/sixty_six`, `experiments/zwicken` or `experiments/zwicker`. It measures by

* `Line`: deals played by agents given by name; all final states and returns, or the decisions of a kind on the way;
* `Line.play_out`: what would have come of each of several actions at such a decision, in the same deal;
* `measure`: sums over blocks of deals, on threads, saved as it goes, the same numbers on any number of them;
* `differences`: policies against each other, or against the same opponents, on the same deals in every seating;

and ends in a `Finding`: effects with their intervals, a verdict that follows from them, a picture, some sentences.
"""

from experiments.lab.comparing import Effect, best_of, differences, frame, line_up, seatings
from experiments.lab.measuring import Sums, measure, moments
from experiments.lab.options import Options, share_out
from experiments.lab.playing import Choice, Decisions, Line
from experiments.lab.questions import Finding, Question
from experiments.lab.verdicts import FORBIDDEN, HOLDS, HOLDS_NOT, HOLDS_ONLY_IF, Verdict, judge

__all__ = [
    "FORBIDDEN",
    "HOLDS",
    "HOLDS_NOT",
    "HOLDS_ONLY_IF",
    "Choice",
    "Decisions",
    "Effect",
    "Finding",
    "Line",
    "Options",
    "Question",
    "Sums",
    "Verdict",
    "best_of",
    "differences",
    "frame",
    "judge",
    "line_up",
    "measure",
    "moments",
    "seatings",
    "share_out",
]
