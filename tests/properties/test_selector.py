"""Selection strings: syntax, types, three-valued logic."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as some

from helpers import for_each, refusal, tries
from mqlab.properties import selector

FRUIT = {"colour": "red", "weight": 7, "price": 1.5, "ripe": True, "code": b"\x0a\xfc", "usr.sort": "a_b"}


@for_each("text", Path(__file__).with_name("selects.txt").read_text("utf-8").splitlines())
def test_selects(text: str):
    assert selector.parse(text).matches(FRUIT.get)


@for_each("text", Path(__file__).with_name("selects_not.txt").read_text("utf-8").splitlines())
def test_does_not_select(text: str):
    assert not selector.parse(text).matches(FRUIT.get)


@for_each(
    "text",
    "",
    "colour = ",
    "colour = 'red",
    'colour = "red"',
    "colour == 'red'",
    "colour LIKE 5",
    "colour LIKE 'a' ESCAPE 'ab'",
    "colour IN ()",
    "colour = 'red' AND",
    "(colour = 'red'",
    "colour > 'red'",
    "'a' = 1",
    "5",
    "5 AND TRUE",
    "weight NOT 5",
    "not = 5",
    "a..b = 1",
    "code = 0xAFC23",
    "weight = 99999999999999999999",
    "weight = " + "9" * 5000,
    "'a' IS NULL",
    "1a = 2",
    "(" * 60 + "ripe" + ")" * 60,
    "weight BETWEEN 'a' AND 'b'",
)
def test_wrong_syntax_is_told(text: str):
    refusal(selector.SelectorError, "the selector .* is wrong: ", selector.parse, text)


def test_what_no_message_can_satisfy_is_known_and_long_selectors_are_read():
    assert selector.parse("TRUE <> TRUE").always_false
    assert not selector.parse("1 = 1").always_false
    assert selector.parse("a = 1 AND b.c LIKE 'x'").names == {"a", "b.c"}
    assert selector.parse(" OR ".join(["weight = 1"] * 700) + " OR ripe").matches(FRUIT.get)
    assert not selector.parse("a LIKE '" + "%a" * 40 + "b'").matches({"a": "a" * 5000}.get)


@given(some.text(alphabet="ab =<>'()%_1.,+NOTandLIKE", max_size=60))
@settings(max_examples=tries(300), deadline=None)
def test_any_text_is_a_selector_or_says_why_not(text: str):
    try:
        found = selector.parse(text)
    except selector.SelectorError:
        return
    assert found.matches(FRUIT.get) in (True, False)
