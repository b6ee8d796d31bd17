"""Laws of the parser over generated text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import tries
from mqlab.engine.commands import parse

plain = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="{}$"), max_size=60)
WORDS = """MAXDEPTH(10)|GET(DISABLED)|NOTRIGGER|SHARE|DEFPRTY(5)|DESCR('it''s a; queue')|MSGDLVSQ(FIFO)|\
BOQNAME('Bo.Q')|CAPEXPRY(NOLIMIT)|TRIGDATA('  x  y')"""
words = st.lists(st.sampled_from(WORDS.split("|")), unique=True, max_size=6)


def fields(command):
    return command.verb, command.object, command.name, command.attributes, command.options, command.refused


@given(plain)
def test_any_text_between_quotes_comes_back(text):
    command = parse("DEFINE QLOCAL(A) DESCR('" + text.replace("'", "''") + "')")[0]
    assert command.refused is None
    assert command.attributes["DESCR"] == text.rstrip(" ")


@given(words, st.data())
def test_a_continuation_may_stand_at_any_blank(parts, data):
    text = " ".join(["DEFINE QLOCAL('Orders')", *parts])
    whole = fields(parse(text)[0])
    blanks = [i for i, c in enumerate(text) if c == " " and text[:i].count("'") % 2 == 0]
    chosen = set(data.draw(st.lists(st.sampled_from(blanks)))) if blanks else set()
    filler = data.draw(st.sampled_from(["", "* remark\n", "\n", "   \n* it's +\n"]))
    split = "".join(f" +\n{filler}   " if i in chosen else c for i, c in enumerate(text))
    assert fields(parse(split)[0]) == whole


@given(words, st.integers(min_value=1, max_value=200), st.sampled_from("+-"))
def test_a_continuation_may_stand_anywhere_else(parts, position, sign):
    text = "DEFINE QLOCAL('Orders') " + " ".join(parts)
    position = min(position, len(text) - 1)
    # what follows a + loses its leading blanks, and what stands before either loses none
    if text[position] == " " or text[position] == "*":
        return
    split = text[:position] + sign + "\n" + text[position:]
    assert fields(parse(split)[0]) == fields(parse(text)[0])


@settings(max_examples=tries(300))
@given(st.text(st.sampled_from("DEFINEQLOCAL()' \"+-*;,\n\t\rx1.%${}<>=/&é"), max_size=120))
def test_no_text_makes_the_parser_fail(text):
    for command in parse(text):
        assert command.refused is None or (command.refused.code.startswith("AMQ8") and command.refused.said)


@given(st.text(st.sampled_from("abcXYZ019./_%"), min_size=1, max_size=48).filter(lambda n: n.count("%") < 2))
def test_every_legal_name_is_taken_as_quoted(name):
    command = parse(f"DEFINE QLOCAL('{name}')")[0]
    assert (command.refused, command.name) == (None, name)
