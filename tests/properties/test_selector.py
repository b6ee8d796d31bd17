"""Selection strings: syntax, types, three-valued logic."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as some

from helpers import for_each, refusal, tries
from mqlab.properties import selector

FRUIT = {"colour": "red", "weight": 7, "price": 1.5, "ripe": True, "code": b"\x0a\xfc", "usr.sort": "a_b"}


@for_each(
    "text",
    """colour = 'red'
colour <> 'blue' AND weight > 5
weight BETWEEN 5 AND 7
weight NOT BETWEEN 8 AND 9
colour IN ('blue', 'red')
colour NOT IN ('blue')
colour LIKE 'r%'
colour LIKE '%e_'
usr.sort LIKE 'a!_b' ESCAPE '!'
nothing IS NULL
colour IS NOT NULL
ripe
ripe = TRUE
NOT ripe = FALSE
weight * 2 - 4 = +10
weight / 2 = 3
-weight = -7
price * 2 = 3
price > 1
(weight + 1) * 2 > 15
code = 0x0AFC
code = "0x0afc"
weight = 07 OR weight = 7L
'it''s' = 'it''s'
NOT (colour = 'blue' OR nothing = 1 AND FALSE)
nothing = 1 or colour = 'red'
colour = 5 OR weight = 7
weight = 7.0E0
TRUE""".splitlines(),
)
def test_selects(text: str):
    assert selector.parse(text).matches(FRUIT.get)


@for_each(
    "text",
    """colour = 'Red'
nothing = 1
NOT nothing = 1
nothing <> 1
colour = 5
weight = '7'
colour LIKE 'r_'
usr.sort LIKE 'a!%b' ESCAPE '!'
code = 0x0AFC00
weight / 0 = 1
nothing BETWEEN 1 AND 2
weight
colour + 1 = 2
nothing IN ('a')
nothing NOT LIKE 'a'
FALSE""".splitlines(),
)
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
    refusal(selector.SelectorError, "a selector must be", selector.parse, text)


def test_what_no_message_can_satisfy():
    assert selector.parse("TRUE <> TRUE").always_false
    assert not selector.parse("1 = 1").always_false
    assert selector.parse("a = 1 AND b.c LIKE 'x'").names == {"a", "b.c"}


@given(some.text(alphabet="ab =<>'()%_1.,+NOTandLIKE", max_size=60))
@settings(max_examples=tries(300), deadline=None)
def test_any_text_is_a_selector_or_says_why_not(text: str):
    try:
        found = selector.parse(text)
    except selector.SelectorError:
        return
    assert found.matches(FRUIT.get) in (True, False)


def test_a_long_chain_and_a_nasty_pattern_are_read():
    assert selector.parse(" OR ".join(["weight = 1"] * 700) + " OR ripe").matches(FRUIT.get)
    assert not selector.parse("a LIKE '" + "%a" * 40 + "b'").matches({"a": "a" * 5000}.get)
