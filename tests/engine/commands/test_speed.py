"""Parsing takes time in proportion to the text."""

import time

import pytest

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


def seconds(text):
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        parse(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_ten_times_the_text_takes_about_ten_times_as_long(shape):
    small, large = SHAPES[shape](1000), SHAPES[shape](10_000)
    assert seconds(large) < 40 * max(seconds(small), 0.0005)
