"""Words in pictures."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mqlab.engine.words.errors import visible
from mqlab.views.text import escape, sans_width, shorten, thousands, wrap


@given(st.text())
def test_escaped_text_survives_in_an_element_and_in_an_attribute(words):
    xml = ElementTree.fromstring(f'<a b="{escape(words)}">{escape(words)}</a>')
    assert "<" not in escape(words)
    kept = "".join(c for c in visible(words) if c.isprintable())
    assert "".join(c for c in (xml.text or "") if c.isprintable() and c != "\ufffd") == kept.replace("\ufffd", "")


def test_what_would_command_a_terminal_or_turn_a_page_around_is_a_visible_escape():
    assert escape("a\x1b[31m\u202e\x7f\x9b\ud800") == r"a\x1b[31m\u202e\x7f\x9b\ud800"


@given(st.text(alphabet="ABCDEFG.0", min_size=1, max_size=48), st.integers(8, 48))
def test_a_shortened_name_fits_and_keeps_both_ends(name, limit):
    short = shorten(name, limit)
    assert len(short) <= limit
    head, _, tail = short.partition("…")
    assert name.startswith(head)
    assert name.endswith(tail)
    assert short == name or "…" in short


@given(st.integers(-(10**12), 10**12))
def test_a_comma_comes_from_ten_thousand_on_and_loses_nothing(number):
    assert ("," in thousands(number)) == (abs(number) >= 10_000)
    assert int(thousands(number).replace(",", "")) == number


@given(st.lists(st.text(alphabet="abcdef", min_size=1, max_size=12), min_size=1), st.integers(100, 400))
def test_wrapped_lines_fit_and_lose_no_word(words, room):
    lines = wrap(" ".join(words), room, 12)
    assert " ".join(lines).split() == words
    assert all(sans_width(line, 12) <= room or " " not in line for line in lines)
