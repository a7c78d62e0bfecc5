"""Philox 4x32-10 by its published answers, the order of words, exact picks, streams that differ."""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import chi2

from cardsim import rng
from cardsim.jit import DISABLED, kernel

WORD = 2**32
Block = tuple[int, int, int, int]


def philox(counter: Block, key: tuple[int, int]) -> Block:
    """Ten rounds, as the paper writes them."""
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = right // WORD ^ b ^ k, right % WORD, left // WORD ^ d ^ m, left % WORD
        k, m = (k + 0x9E3779B9) % WORD, (m + 0xBB67AE85) % WORD
    return a, b, c, d


def plain_words(seed: int, deal: int, stream: int) -> Any:
    """The words of a stream, one block after the other, without end."""
    block = 0
    while True:
        yield from philox((block, stream, deal % WORD, deal // WORD), (seed % WORD, seed // WORD))
        block = (block + 1) % WORD


def seeded(seed: int, deal: int = 0, stream: int = 0) -> Any:
    """One stream at its first word."""
    streams = rng.new_streams()
    rng.seed_stream(streams[0], np.uint64(seed), np.uint64(deal), np.uint64(stream))
    return streams


@kernel
def take(streams: Any, out: Any) -> None:
    """Fill `out` with words."""
    for i in range(out.shape[0]):
        out[i] = rng.next_word(streams[0])


@kernel
def pick(streams: Any, bound: Any, out: Any) -> None:
    """Fill `out` with picks below a bound."""
    for i in range(out.shape[0]):
        out[i] = rng.below(streams[0], bound)


@kernel
def shuffled(streams: Any, times: int, items: Any, orders: Any) -> None:
    """Count the orders, written as numbers with a digit per item, that shuffles come to."""
    for _ in range(times):
        number = 0
        for i in range(items.shape[0]):
            items[i] = i
        rng.shuffle(streams[0], items, items.shape[0])
        for i in range(items.shape[0]):
            number = number * items.shape[0] + items[i]
        orders[number] += 1


def words(streams: Any, count: int) -> list[int]:
    out = np.zeros(count, np.uint64)
    take(streams, out)
    return [int(word) for word in out]


KNOWN = {
    "zeros": ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    "ones": ((WORD - 1,) * 4, (WORD - 1,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    "pi": (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
}
"""Counter, key, answer; the file kat_vectors of Random123."""


@pytest.mark.parametrize("name", KNOWN)
def test_known_answers(name: str) -> None:
    counter, key, answer = KNOWN[name]
    want = [int(word, 16) for word in answer.split()]
    assert list(philox(counter, key)) == want
    streams = rng.new_streams()
    streams["block"], streams["stream"] = counter[:2]
    streams["deal"], streams["key"] = counter[2:], key
    streams["used"] = rng.WORDS
    assert words(streams, 4) == want


FIRST = ["eaaca1be", "67aefad0", "18dc67be", "5db6b401"]
LAST = "de4fb141"
"""Of seed 1, deal 2, stream 3."""


def test_the_order_of_words_is_part_of_the_format() -> None:
    got = words(seeded(1, 2, 3), 64)
    assert got == list(islice(plain_words(1, 2, 3), 64))
    assert [f"{word:08x}" for word in got[:4]] == FIRST
    assert f"{got[63]:08x}" == LAST


@given(
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, WORD - 1),
    st.lists(st.integers(0, 70), max_size=5),
)
@example(2**64 - 1, 2**64 - 1, WORD - 1, [33])
def test_words_do_not_depend_on_how_they_are_fetched(seed: int, deal: int, stream: int, portions: list[int]) -> None:
    streams = seeded(seed, deal, stream)
    got = [word for portion in portions for word in words(streams, portion)]
    assert got == list(islice(plain_words(seed, deal, stream), len(got)))


def test_the_block_counter_wraps() -> None:
    streams = seeded(5)
    streams["block"], streams["used"] = WORD - 2, rng.WORDS
    want = [
        *philox((WORD - 2, 0, 0, 0), (5, 0)),
        *philox((WORD - 1, 0, 0, 0), (5, 0)),
        *philox((0, 0, 0, 0), (5, 0)),
    ]
    assert words(streams, 12) == want


def test_seeding_forgets_what_was_used() -> None:
    streams = seeded(1, 2, 3)
    words(streams, 45)
    rng.seed_stream(streams[0], np.uint64(1), np.uint64(2), np.uint64(3))
    assert words(streams, 40) == list(islice(plain_words(1, 2, 3), 40))
    assert streams.tobytes() != seeded(1, 2, 3).tobytes()  # the position counts, so it is saved with the words


def test_two_streams_seeded_at_once_are_as_if_one_by_one() -> None:
    streams = rng.new_streams(2)
    rng.seed_two(streams[0], streams[1], np.uint64(2**40 + 5), np.uint64(2**50 + 6), np.uint64(7), np.uint64(300))
    alone = [seeded(2**40 + 5, 2**50 + 6, number) for number in (7, 300)]
    assert streams.tobytes() == alone[0].tobytes() + alone[1].tobytes()


def test_streams_differ() -> None:
    """Neighbouring seeds, deals, streams and hands of a match begin with words of their own."""
    seen: set[tuple[int, ...]] = set()
    places = [
        (seed, deal, stream + (hand << rng.MATCH_SHIFT))
        for seed in (0, 1, 2**32)
        for deal in (0, 1, 2**32)
        for stream in (rng.CARDS, rng.AGENT, rng.AGENT + 7, rng.RESAMPLE, rng.USER - 1, rng.USER)
        for hand in (0, 1)
    ]
    for place in places:
        seen.add(tuple(words(seeded(*place), 4)))
    assert len(seen) == len(places)
    assert rng.AGENT + 8 <= rng.RESAMPLE < rng.USER - 1 < 1 << rng.MATCH_SHIFT


# --- picks


def crafted(*given_words: int) -> Any:
    """A stream whose next words are these."""
    streams = seeded(0)
    streams["words"][0, : len(given_words)] = given_words
    return streams


def below(streams: Any, bound: int) -> int:
    return int(rng.below(streams[0], np.int64(bound)))


@given(st.integers(1, WORD - 1), st.data())
@example(3, None)
def test_below_gives_each_number_the_same_count_of_words(bound: int, data: Any) -> None:
    """Lemire: of 2**32 words, exactly floor(2**32 / bound) lead to each number; others are drawn again."""
    value = bound - 1 if data is None else data.draw(st.integers(0, bound - 1))
    spare = WORD % bound
    first = -(-(value * WORD + spare) // bound)
    last = ((value + 1) * WORD - 1) // bound
    assert last - first + 1 == WORD // bound
    for word in (first, last):
        streams = crafted(word, 1)
        assert below(streams, bound) == value
        assert streams["used"][0] == 1
    before = first - 1
    if before >= 0 and before * bound // WORD == value:  # it leads to the same number, and would be one too many
        assert before * bound % WORD < spare
        accepted = next(w for w in (WORD // 2 + k for k in range(99)) if w * bound % WORD >= spare)
        streams = crafted(before, accepted)
        assert below(streams, bound) == accepted * bound // WORD
        assert streams["used"][0] == 2


def test_below_rejects_again_and_again() -> None:
    bound = 2**31 + 1  # nearly every second word is rejected
    spare = WORD % bound
    rejected = [w for w in range(400) if w * bound % WORD < spare][:30]
    accepted = next(w for w in range(10**6, 10**6 + 400) if w * bound % WORD >= spare)
    streams = crafted(*rejected, accepted)
    assert below(streams, bound) == accepted * bound // WORD
    assert streams["used"][0] == len(rejected) + 1


def test_below_across_a_refill() -> None:
    streams = seeded(9)
    words(streams, rng.WORDS - 1)
    following = list(islice(plain_words(9, 0, 0), rng.WORDS - 1, rng.WORDS + 4))
    assert [below(streams, 1000) for _ in range(5)] == [word * 1000 // WORD for word in following]


@given(st.integers(1, 64))
def test_below_one_and_small_bounds_stay_inside(bound: int) -> None:
    out = np.zeros(200, np.int64)
    pick(seeded(bound), np.int64(bound), out)
    assert out.min() >= 0
    assert out.max() < bound
    assert bound > 8 or set(out.tolist()) == set(range(bound))


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 24, 32, 52, 1000])
def test_below_is_even(bound: int) -> None:
    count = bound * (20 if DISABLED else 1000)
    out = np.zeros(count, np.int64)
    pick(seeded(66, bound), np.int64(bound), out)
    expected = count / bound
    statistic = sum((n - expected) ** 2 / expected for n in np.bincount(out, minlength=bound))
    assert chi2.sf(statistic, bound - 1) > 1e-4
    assert chi2.cdf(statistic, bound - 1) > 1e-4  # nor too even


def test_shuffle_makes_every_order_equally_often() -> None:
    orders = np.zeros(4**4, np.int64)
    shuffled(seeded(66), 2_400 if DISABLED else 24_000, np.zeros(4, np.int64), orders)
    allowed = [int("".join(map(str, order)), 4) for order in permutations(range(4))]
    assert orders.sum() == orders[allowed].sum()
    expected = orders.sum() / 24
    statistic = sum((orders[order] - expected) ** 2 / expected for order in allowed)
    assert 1e-4 < chi2.sf(statistic, 23) < 1 - 1e-4


@pytest.mark.parametrize("count", [7, 100])
def test_shuffle_is_fisher_and_yates_from_the_top(count: int) -> None:
    items = np.arange(110)
    streams = seeded(4)
    rng.shuffle(streams[0], items, count)
    source = plain_words(4, 0, 0)
    want = list(range(110))
    for i in range(count - 1, 0, -1):
        j = next(source) * (i + 1) // WORD
        want[i], want[j] = want[j], want[i]
    assert items.tolist() == want
    assert words(streams, 1) == [next(source)]


def test_shuffle_rejects_as_below_does() -> None:
    streams = crafted(0, 1, WORD // 2)  # of three, the word 0 would be one too many for the first
    items = np.arange(3)
    rng.shuffle(streams[0], items, 3)
    assert items.tolist() == [2, 1, 0]
    assert streams["used"][0] == 3


@given(st.integers(0, WORD - 1))
@example(0)
@example(WORD - 1)
def test_uniform(word: int) -> None:
    assert rng.uniform(crafted(word)[0]) == word / WORD


def test_uniform_is_even() -> None:
    streams = seeded(3)
    cells = Counter(int(rng.uniform(streams[0]) * 10) for _ in range(2000))
    assert chi2.sf(sum((cells[k] - 200) ** 2 / 200 for k in range(10)), 9) > 1e-4


# --- seeds


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1, np.uint64(2**64 - 1), np.int8(5)])
def test_seeds_that_are_taken(seed: Any) -> None:
    assert rng.check_seed(seed) == int(seed)
    assert type(rng.check_seed(seed)) is int


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.0, "1", None, np.int64(-3), np.float64(2)])
def test_seeds_that_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="must be an integer from 0 to") as caught:
        rng.check_seed(seed)
    assert repr(seed) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_streams_have_no_holes_and_start_empty() -> None:
    streams = rng.new_streams(3)
    assert streams.dtype == rng.STREAM
    assert streams.shape == (3,)
    assert not streams.view(np.uint8).any()
    assert rng.STREAM.itemsize == sum(field[0].itemsize for field in rng.STREAM.fields.values())  # type: ignore[union-attr, misc]


def test_seed_halves_are_both_used() -> None:
    different = {tuple(words(seeded(seed), 2)) for seed in (1, 1 << 32, 1 << 63, (1 << 32) + 1)}
    assert len(different) == 4
