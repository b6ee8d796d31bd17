"""Parsing works in proportion to the text: counted in calls of functions, not in time (`make bench` has the time)."""

from functools import partial

from helpers import calls_of, for_each
from mqlab.engine.commands import parse

SHAPES = {
    "commands": lambda n: "DEFINE QLOCAL(A) DESCR('it''s') MAXDEPTH(5) +\n  NOTRIGGER\n" * n,
    "continuations": lambda n: "DEFINE QLOCAL(A) DESCR('x') " + "+\n* remark\n" * n + "MAXDEPTH(5)",
    "a long string": lambda n: "DEFINE QLOCAL(A) DESCR('" + "it''s " * n + "')",
    "a quote never closed": lambda n: "DEFINE QLOCAL(A) DESCR('" + "it''s " * n,
    "parentheses never closed": lambda n: "DEFINE QLOCAL(A) NAMES(" + "(a " * n,
    "semicolons": lambda n: "DEFINE QLOCAL(A);" * n,
    "names": lambda n: "DEFINE NAMELIST(A) NAMES(" + "A," * n + ")",
}


@for_each("shape", SHAPES.values())
def test_ten_times_the_text_takes_about_ten_times_the_work(shape):
    parse(shape(1))  # what is loaded and built once
    small, large = (calls_of(partial(parse, shape(n))) for n in (200, 2000))
    assert large < 12 * small
