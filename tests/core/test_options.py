"""Rule options: what is taken, what is refused and how; texts that name a game or an agent."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsim.families import split_call
from cardsim.games.sixty_six.rules import OPTIONS, PRESETS, make_rules
from cardsim.options import (
    CLIPPED,
    FALSE_WORDS,
    TRUE_WORDS,
    Option,
    OptionTable,
    clip,
    pick_preset,
    quoted,
    value_text,
)

SWITCH = Option("switch", True, "T1", "a switch")
WORD = Option("word", "one", "T2", "a word", ("one", "two", "2"))
NUMBER = Option("number", 3, "T3", "a number", low=-2, high=10)
TABLE = OptionTable([SWITCH, WORD, NUMBER])


@pytest.mark.parametrize("value", [True, np.bool_(True), 1, *TRUE_WORDS, "TRUE", "Yes"])
def test_switches_that_are_on(value: Any) -> None:
    assert SWITCH.parse(value) is True


@pytest.mark.parametrize("value", [False, np.bool_(False), 0, np.int64(0), *FALSE_WORDS, "Off"])
def test_switches_that_are_off(value: Any) -> None:
    assert SWITCH.parse(value) is False


@pytest.mark.parametrize(
    ("value", "want"), [("one", "one"), ("2", "2"), (2, "2"), (np.int8(2), "2"), (np.str_("two"), "two")]
)
def test_words(value: Any, want: str) -> None:
    assert WORD.parse(value) == want
    assert type(WORD.parse(value)) is str


@pytest.mark.parametrize(("value", "want"), [(-2, -2), ("10", 10), (np.int64(4), 4), (" 5 ", 5), ("+7", 7)])
def test_numbers(value: Any, want: int) -> None:
    assert NUMBER.parse(value) == want
    assert type(NUMBER.parse(value)) is int


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        *((SWITCH, value, "true or false") for value in ("maybe", 2, "", None, 0.5)),
        *((WORD, value, "one, two, 2") for value in ("One", True, "", None, 2.0)),
        *((NUMBER, value, "-2 to 10") for value in (-3, 11, "x", "", None, 1.5, True, False, np.bool_(True), "1e1")),
    ],
)
def test_refusals_name_option_value_and_what_is_allowed(option: Option, value: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match=r"^option ") as caught:
        option.parse(value)
    assert str(caught.value) == f"option {option.name}={value}: must be {allowed}"


def test_codes() -> None:
    assert [WORD.code(word) for word in WORD.choices] == [0, 1, 2]
    assert (SWITCH.code(True), SWITCH.code(False), NUMBER.code(-2)) == (1, 0, -2)


def test_later_layers_win_and_the_order_is_the_tables() -> None:
    assert TABLE.resolve() == {"switch": True, "word": "one", "number": 3}
    resolved = TABLE.resolve({"number": 1, "word": "two"}, {"number": "7"})
    assert list(resolved.items()) == [("switch", True), ("word", "two"), ("number", 7)]


def test_unknown_options() -> None:
    with pytest.raises(ValueError, match=r"^option 'nmuber' is unknown; did you mean number\?$"):
        TABLE.resolve({"nmuber": 1})
    with pytest.raises(ValueError, match=r"^option 'zzz' is unknown; options are switch, word, number$"):
        TABLE["zzz"]
    assert "number" in TABLE
    assert "nmuber" not in TABLE


@pytest.mark.parametrize("derived", [(), ("a",), ("a", "b"), ("a", "b", "c", "d", "e")])
def test_the_record_has_a_field_for_each_and_whole_words(derived: tuple[str, ...]) -> None:
    dtype = TABLE.record_dtype(derived)
    assert dtype.names is not None
    assert dtype.names[: 3 + len(derived)] == ("switch", "word", "number", *derived)
    assert dtype.itemsize % 8 == 0
    assert dtype.isalignedstruct


def test_presets() -> None:
    assert pick_preset({"a": 1}, "a") == 1
    with pytest.raises(ValueError, match=r"^preset 'b' is unknown; presets are a, c$"):
        pick_preset({"a": 1, "c": 2}, "b")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_value_of_every_option_reads_back_from_its_text(preset: str) -> None:
    for option in OPTIONS.options:
        values: Any = option.choices or ((option.low, option.high) if type(option.default) is int else (True, False))
        for value in values:
            assert option.parse(value_text(value)) == value
            assert option.parse(value) == value
    assert make_rules(preset).text == f"sixty_six(preset={preset})"


def test_rules_cannot_be_changed() -> None:
    rules = make_rules("schnapsen", claims="auto")
    with pytest.raises(ValueError, match="read-only"):
        rules.record["cards"] = 3
    with pytest.raises(TypeError):
        rules.values["claims"] = "free"  # type: ignore[index]
    assert rules["claims"] == "auto"
    assert dict(rules.changed) == {"claims": "auto"}


def test_rules_pickle_and_copy() -> None:
    rules = make_rules("schnapsen", claims="auto")
    for again in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert again == rules
        assert again.text == rules.text
        assert again.record.dtype.isalignedstruct
        with pytest.raises(ValueError, match="read-only"):
            again.record["cards"] = 3
        with pytest.raises(TypeError):
            again.values["claims"] = "free"  # type: ignore[index]


@pytest.mark.parametrize(
    ("value", "want"),
    [
        ("word", "'word'"),
        (5, "5"),
        (None, "None"),
        ("x" * 61, f"'{'x' * 47}...{'x' * 10}'"),
        ("a\nb\x00\ud800", "'a b  '"),
        (10**5000, "a value of type int"),
    ],
    ids=range(6),
)
def test_values_in_messages_are_short_and_of_one_line(value: Any, want: str) -> None:
    assert quoted(value) == want
    assert len(clip(value)) <= CLIPPED


# --- texts


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("book", ("book", {})),
        ("book()", ("book", {})),
        ("  book ( a = 1 , b=x ) ", ("book", {"a": "1", "b": "x"})),
        ("a-b.c(k=v=w)", ("a-b.c", {"k": "v=w"})),
        ("a(k=)", ("a", {"k": ""})),
        ("a(k=1,)", ("a", {"k": "1"})),
    ],
)
def test_texts_that_read(text: str, want: Any) -> None:
    assert split_call(text) == want


@pytest.mark.parametrize("text", ["", "(a=1)", "book(a=1", "book a=1", "book)", "two words"])
def test_texts_of_another_form(text: str) -> None:
    with pytest.raises(ValueError, match=r"must look like name or name\(option=value,option=value\)") as caught:
        split_call(text)
    assert repr(text) in str(caught.value)


def test_an_option_without_a_value() -> None:
    with pytest.raises(ValueError, match=r"'book\(a,b=1\)': 'a' must look like option=value"):
        split_call("book(a,b=1)")


@pytest.mark.parametrize("text", ["g(preset=a,preset=b)", "g(preset=a, preset =a)", "g(x=1,y=2,x=1)"])
def test_an_option_given_twice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"option (preset|x) is given more than once") as caught:
        split_call(text)
    assert repr(text) in str(caught.value)


@given(
    st.from_regex(r"[A-Za-z0-9_.-]+", fullmatch=True),
    st.dictionaries(
        st.from_regex(r"[a-z_]+", fullmatch=True),
        st.text(st.characters(exclude_characters=",)(= \n\t\r"), max_size=6),
    ),
)
def test_what_was_joined_splits_again(name: str, arguments: dict[str, str]) -> None:
    joined = ",".join(f"{key}={value}" for key, value in arguments.items())
    assert split_call(f"{name}({joined})") == (name, {key: value.strip() for key, value in arguments.items()})
