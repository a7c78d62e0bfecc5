"""Summaries that merge exactly, intervals, and paired comparison.

A simulation is cut into chunks, and the cut must not show in the numbers. `Moments` therefore keeps integers
only: samples are multiples of ``1 / scale`` (a game's returns have a fixed denominator), so every sum is
exact and the same samples give the same bits in any grouping. Floats appear in the last division alone.

Questions of fixed size (`Moments.interval`, `wilson`, `welch`, `paired_difference`, `bootstrap`) go to SciPy,
imported on first use. "Run until sure" needs an interval that stays valid however often one looks. SciPy has
none, so `anytime_interval` and `asymptotic_sequence` are here, behind the one function `until_interval`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import accumulate, repeat
from typing import Any, Literal, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Interval(NamedTuple):
    """A closed interval in the units of the samples."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length."""
        return (self.high - self.low) / 2


class Comparison(NamedTuple):
    """Mean of `a` minus that of `b`, t interval, two-sided p value; `n` counts pairs, or all samples."""

    mean: float
    stderr: float
    interval: Interval
    n: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Moments:
    """Exact summary of samples that are multiples of ``1 / scale``; empty by default.

    Attributes:
        scale: the denominator; the other fields are in units of ``1 / scale``.
        n: number of samples.
        total: sum of the scaled samples, a Python integer of any size.
        squares: sum of their squares.
        low: smallest scaled sample; None where empty or not recorded.
        high: largest scaled sample; None where empty or not recorded.

    Sums that no samples can have, as an overflowed accumulator leaves them, raise ValueError.
    """

    scale: int = 1
    n: int = 0
    total: int = 0
    squares: int = 0
    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.default is not None:
                object.__setattr__(self, field.name, _integer(field.name, value))
        _check("scale", self.scale, self.scale >= 1, "1 or more")
        _check("n", self.n, self.n >= 0, "0 or more")
        least = -(-(self.total**2) // self.n) if self.n else 0  # Cauchy and Schwarz, rounded up
        _check("squares", self.squares, self.squares >= least, f"total**2 / n = {least} or more")
        if self.n == 0:
            rest = (self.total, self.squares, self.low, self.high)
            _check("summary of 0 samples", rest, rest == (0, 0, None, None), "(0, 0, None, None)")
        mean = f"the mean, {self.total}/{self.n}"
        _check("low", self.low, self.low is None or self.n * self.low <= self.total, f"at most {mean}")
        _check("high", self.high, self.high is None or self.n * self.high >= self.total, f"at least {mean}")

    @classmethod
    def from_samples(cls, samples: ArrayLike, scale: int = 1) -> Moments:
        """Summarise booleans, integers or floats of any shape, **not yet** multiplied by `scale`.

        Raises:
            ValueError: where a sample is no multiple of ``1 / scale``, up to the rounding of its float type.
        """
        factor = cls(scale).scale
        values = np.asarray(samples).ravel()
        if values.size == 0:
            return cls(scale)
        _check("dtype of the samples", values.dtype, values.dtype.kind in "biuf", "boolean, integer, float")
        if values.dtype.kind == "f":
            values, factor = _multiples(values, factor), 1
        low, high = int(values.min()), int(values.max())
        if values.size * max(-low, high, 1) ** 2 < 2**63:  # int64 holds every partial sum
            whole = values.astype(np.int64)
            total, squares = int(whole.sum()), int(whole @ whole)
        else:
            integers = [int(value) for value in values.tolist()]
            total, squares = sum(integers), sum(value * value for value in integers)
        return cls(scale, values.size, factor * total, factor**2 * squares, factor * low, factor * high)

    @classmethod
    def from_sums(
        cls, n: int, total: int, squares: int, scale: int = 1, low: int | None = None, high: int | None = None
    ) -> Moments:
        """Take over the sums (and extremes, if known) that a kernel made of samples **already scaled**."""
        return cls(scale, n, total, squares, low, high)

    def merge(self, other: Moments) -> Moments:
        """The summary of both sets of samples, also written ``a + b``; ValueError where the scales differ."""
        _check("scale of the other summary", other.scale, other.scale == self.scale, f"{self.scale}, as here")
        if not self.n or not other.n:
            return self if self.n else other
        return Moments(
            self.scale,
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
        )

    def __add__(self, other: Moments) -> Moments:
        return self.merge(other) if isinstance(other, Moments) else NotImplemented

    @property
    def mean(self) -> float:
        """Sample mean; nan where n is 0."""
        return self.total / (self.n * self.scale) if self.n else math.nan

    @property
    def variance(self) -> float:
        """Unbiased sample variance; nan where n is below 2."""
        if self.n < 2:
            return math.nan
        return (self.n * self.squares - self.total**2) / (self.n * (self.n - 1) * self.scale**2)

    @property
    def sd(self) -> float:
        """Square root of `variance`."""
        return math.sqrt(self.variance)

    @property
    def stderr(self) -> float:
        """Standard error of the mean; nan where n is below 2."""
        return math.sqrt(self.variance / self.n) if self.n > 1 else math.nan

    @property
    def minimum(self) -> float:
        """Smallest sample; nan where empty or not recorded."""
        return math.nan if self.low is None else self.low / self.scale

    @property
    def maximum(self) -> float:
        """Largest sample; nan where empty or not recorded."""
        return math.nan if self.high is None else self.high / self.scale

    def interval(self, confidence: float = 0.95) -> Interval:
        """Student's t interval for the mean, for **one** look at a size chosen beforehand."""
        return _t_interval(self.mean, self.stderr, self.n - 1, confidence)

    def to_json(self) -> dict[str, int | None]:
        """A dictionary of plain integers for `json.dumps`, which keeps all their digits."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Moments:
        """Undo `to_json`; ValueError where a field is missing, unknown or not an integer."""
        names = sorted(field.name for field in fields(cls))
        _check("fields of the summary", sorted(data), sorted(data) == names, str(names))
        return cls(**data)


def wilson(successes: SupportsIndex, n: SupportsIndex, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for a proportion; its limit (0, 1) where n is 0."""
    from scipy import stats

    _check_confidence(confidence)
    k, size = _integer("successes", successes), _integer("n", n)
    _check("n", size, size >= 0, "0 or more")
    _check("successes", k, 0 <= k <= size, f"0 to n = {size}")
    if size == 0:
        return Interval(0.0, 1.0)
    found = stats.binomtest(k, size).proportion_ci(confidence, method="wilson")
    return Interval(float(found.low), float(found.high))


def paired_difference(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Comparison:
    """Compare where ``a[i]`` and ``b[i]``, shape (pairs,), come from the same deal (paired t test)."""
    from scipy import stats

    first, second = _vector("a", a), _vector("b", b)
    _check("length of b", second.size, second.size == first.size, f"{first.size}, the length of a")
    mean, sd, n = _summary("a - b", first - second)
    stderr = sd / math.sqrt(max(n, 1))
    p_value = float(stats.ttest_rel(first, second).pvalue) if stderr > 0 else None
    return _comparison(mean, stderr, n - 1, confidence, n, p_value)


def welch(a: Moments | ArrayLike, b: Moments | ArrayLike, confidence: float = 0.95) -> Comparison:
    """Compare independent samples of unequal variance (Welch's t test).

    Each side is a `Moments`, which is all that a large simulation keeps, or an array of shape (samples,).
    """
    from scipy import stats

    (mean_a, sd_a, n_a), (mean_b, sd_b, n_b) = _summary("a", a), _summary("b", b)
    part_a, part_b = sd_a**2 / max(n_a, 1), sd_b**2 / max(n_b, 1)
    stderr, degrees, p_value = math.sqrt(part_a + part_b), 1.0, None
    if stderr > 0:
        degrees = (part_a + part_b) ** 2 / (part_a**2 / (n_a - 1) + part_b**2 / (n_b - 1))  # Satterthwaite
        test = stats.ttest_ind_from_stats(mean_a, sd_a, n_a, mean_b, sd_b, n_b, equal_var=False)
        p_value = float(test.pvalue)
    return _comparison(mean_a - mean_b, stderr, degrees, confidence, n_a + n_b, p_value)


def bootstrap(
    samples: ArrayLike,
    statistic: Callable[..., Any] = np.mean,
    seed: int = 0,
    confidence: float = 0.95,
    resamples: int = 9_999,
    method: Literal["percentile", "basic", "BCa"] = "percentile",
) -> Interval:
    """Bootstrap interval for any statistic of samples, shape (samples,); equal arguments give equal numbers.

    `statistic` maps an array to a number; if it takes `axis`, many resamples go through it at once. "BCa"
    corrects for skewness in small samples, but costs the square of their number and is undefined (a warning
    and nan) where the statistic hardly moves, as the median of game points; "percentile" always answers.
    """
    from scipy import stats

    _check_confidence(confidence)
    values = _vector("samples", samples)
    _check("number of samples", values.size, values.size > 1, "2 or more")
    found = stats.bootstrap(
        (values,),
        statistic,
        n_resamples=resamples,
        batch=max(1, 2**22 // values.size),  # 32 MiB of resampled values at a time
        confidence_level=confidence,
        method=method,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def look_sizes(first: int = 1_000, ratio: float = 1.25) -> Iterator[int]:
    """Sample sizes at which to look, without end, each about `ratio` times the one before.

    They do not depend on the samples, as `anytime_interval` requires, and a run that looks only here stops
    at the same size whatever its chunks and threads. On the whole 1.1 costs more, by its many looks, and so
    does 2, by overshooting.
    """
    _check("first", first, _integer("first", first) >= 2, "2 or more")
    _check("ratio", ratio, 1 < ratio < math.inf, "above 1, finite")
    return accumulate(repeat(ratio), lambda n, by: max(n + 1, math.ceil(n * by)), initial=int(first))


def anytime_interval(moments: Moments, lo: float, hi: float, confidence: float = 0.95, look: int = 1) -> Interval:
    """Interval for the mean of independent samples in [lo, hi] that holds at all looks at once, at any size.

    After Maurer and Pontil (2009, "Empirical Bernstein bounds and sample-variance penalization"): their bound
    on the standard deviation (theorem 10) within Bernstein's inequality for either side, three events with a
    third of this look's error each. Look k may err with alpha / (k (k + 1)), which adds up to alpha over all
    k: by the union bound, all looks hold together with probability `confidence`.

    Args:
        moments: the samples so far.
        lo: least value that the rules allow a sample, whether seen or not.
        hi: greatest value that the rules allow a sample.
        confidence: probability that no look misses the mean.
        look: number of this look, from 1; its sample size must not depend on the samples: see `look_sizes`.

    Returns:
        The interval, cut to [lo, hi]; all of that where n is below 2. A sample outside is a ValueError.
    """
    _check_confidence(confidence)
    _check("[lo, hi]", [lo, hi], -math.inf < lo < hi < math.inf, "finite, lo < hi")
    _check("look", look, _integer("look", look) >= 1, "1 or more")
    reach = [moments.minimum, moments.maximum]
    _check("range of the samples", reach, not (reach[0] < lo or reach[1] > hi), f"within [{lo}, {hi}]")
    mean, n, span = moments.mean, moments.n, float(hi) - float(lo)
    if n < 2:
        return Interval(float(lo), float(hi))
    log_term = math.log(3 * look * (look + 1) / (1 - confidence))
    sd = min(moments.sd + span * math.sqrt(2 * log_term / (n - 1)), span / 2)
    half = sd * math.sqrt(2 * log_term / n) + span * log_term / (3 * n)
    return Interval(max(float(lo), mean - half), min(float(hi), mean + half))


def asymptotic_sequence(moments: Moments, confidence: float = 0.95, optimised_for: int = 100_000) -> Interval:
    """Interval for the mean that holds at all looks at once, if the first is late enough for a normal limit.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024, "Time-uniform
    central limit theory and asymptotic confidence sequences"): Robbins' normal mixture with the estimated
    variance. It needs no bounds and allows looks at any time, but promises nothing for a given size.

    It is tightest, 3.0 standard errors at 95 %, at the size `optimised_for`: choose that before looking, and
    keep it. It is unbounded where no two samples differ: a variance of 0 tells nothing of rare results.
    """
    from scipy import special

    _check_confidence(confidence)
    _check("optimised_for", optimised_for, _integer("optimised_for", optimised_for) >= 1, "1 or more")
    if moments.n < 2 or moments.variance == 0:
        return Interval(-math.inf, math.inf)
    alpha = 1 - confidence
    # Their rho**2 times n. The width is least where y - log y = 1 - 2 log alpha, with y = 1 + rho**2 n.
    best = -float(special.lambertw(-(alpha**2) / math.e, -1).real) - 1
    mixed = best * moments.n / optimised_for
    half = moments.stderr * math.sqrt((mixed + 1) / mixed * (math.log1p(mixed) - 2 * math.log(alpha)))
    return Interval(moments.mean - half, moments.mean + half)


def until_interval(
    moments: Moments,
    look: int,
    confidence: float = 0.95,
    bounds: tuple[float, float] | None = None,
    optimised_for: int = 100_000,
) -> Interval:
    """The interval for "stop when its half width is at most H", and for the report after such a stop.

    **Give the bounds (lo, hi)** where the rules bound the returns: it is then `anytime_interval`, proved for
    every sample size. That takes two to three times the samples, which are cheap here, and cannot stop too
    early because a rare large result has not come up yet. Without bounds it is `asymptotic_sequence`, tight
    but approximate: first look at a thousand samples or later, more for rare results. A t interval is too
    narrow after such a stop, since chance chose the moment.
    """
    if bounds is None:
        return asymptotic_sequence(moments, confidence, optimised_for)
    return anytime_interval(moments, *bounds, confidence, look)


def _check(name: str, value: object, fine: bool, allowed: str) -> None:
    if not fine:
        raise ValueError(f"{name} is {value}; allowed: {allowed}")


def _check_confidence(confidence: float) -> None:
    _check("confidence", confidence, 0 < confidence < 1, "above 0 and below 1")


def _integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; allowed: an integer") from None


def _multiples(values: NDArray[np.floating[Any]], scale: int) -> NDArray[np.float64]:
    _check("a sample", "not finite", bool(np.isfinite(values).all()), "finite numbers")
    exact = values.astype(np.float64) * scale
    nearest = np.rint(exact)
    wrong = np.abs(exact - nearest) > 4 * float(np.finfo(values.dtype).eps) * np.abs(nearest)
    _check("a sample", values[wrong][:1], not wrong.any(), f"multiples of 1/{scale}")
    return nearest


def _vector(name: str, values: ArrayLike) -> NDArray[np.float64]:
    vector = np.asarray(values, dtype=np.float64)
    _check(f"shape of {name}", vector.shape, vector.ndim == 1, "one dimension")
    _check(name, "not finite", bool(np.isfinite(vector).all()), "finite numbers")
    return vector


def _summary(name: str, side: Moments | ArrayLike) -> tuple[float, float, int]:
    if isinstance(side, Moments):
        return side.mean, side.sd, side.n
    values = _vector(name, side)
    mean = float(values.mean()) if values.size else math.nan
    sd = float(values.std(ddof=1)) if values.size > 1 else math.nan
    return mean, 0.0 if sd > 0 and np.ptp(values) == 0 else sd, values.size  # equal values can leave rounding


def _t_interval(mean: float, stderr: float, degrees: float, confidence: float) -> Interval:
    from scipy import special  # a fraction of the import time of scipy.stats

    _check_confidence(confidence)
    half = stderr * float(special.stdtrit(degrees, (1 + confidence) / 2))
    return Interval(mean - half, mean + half)


def _comparison(
    mean: float, stderr: float, degrees: float, confidence: float, n: int, p_value: float | None
) -> Comparison:
    if p_value is None:  # no spread: t is infinite, or 0/0 where the means agree (SciPy would warn)
        p_value = 0.0 if stderr == 0 and mean != 0 else math.nan
    return Comparison(mean, stderr, _t_interval(mean, stderr, degrees, confidence), n, p_value)
