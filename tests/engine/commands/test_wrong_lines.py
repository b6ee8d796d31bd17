"""MQSC that must be refused: for each its AMQ number and the essence of what is said; nothing changes."""

import tomllib
from pathlib import Path

import pytest

from helpers import for_each, says

WRONG = tomllib.loads(Path(__file__).with_name("wrong_lines.toml").read_text("utf-8"))["rows"]
WRONG.append(("DEFINE NAMELIST(N) NAMES(" + "A," * 257 + ")", "AMQ8412E", "a list of up to 256 names"))


ROOMS = {"pubsub": {"SUB(S)", "TOPIC(T)", "TOPIC(SYSTEM.BASE.TOPIC)", "SUMMARY"}, "admin": {"AUTHREC", "CHLAUTH('*')"}}
"""Extras -> words of the lines that are about their objects."""


def cases():
    """The lines, each with the room whose objects it is about, if it is an extra's."""
    for row in WRONG:
        words = {*row[0].split()}
        needs = [pytest.mark.needs(room) for room, theirs in ROOMS.items() if theirs & words]
        yield pytest.param(*row, marks=needs)


@pytest.fixture
def defined(qm):
    """QM1 with a queue, an alias of it, and a queue with a message."""
    qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE QALIAS(QA) TARGET(Q)\nDEFINE QLOCAL(FULL)").require()
    qm.put("FULL", b"x")
    return qm


@for_each("text, code, essence", cases())
def test_refused_and_nothing_changed(defined, state, text, code, essence):
    before = state(defined)
    reply = defined.mqsc(text)
    refused = [answer for answer in reply.replies if not answer.ok]
    assert not reply.ok
    assert refused[0].code == code, refused[0].text
    assert essence in refused[0].text, refused[0].text
    assert state(defined) == before


def test_the_commands_after_a_wrong_one_are_run(qm):
    reply = qm.mqsc("DEFINE QLOCAL(A)\nDEFINE QLOCL(B)\nDEFINE QLOCAL(C)\nDEFINE QLOCAL(A)")
    assert [answer.ok for answer in reply.replies] == [True, False, True, False]
    assert reply.summary().splitlines() == [
        "4 MQSC commands read.",
        "One command has a syntax error.",
        "One valid MQSC command could not be processed.",
    ]
    assert qm.objects.get("QLOCAL", "C") is not None


def test_a_refusal_names_the_line_it_happened_on(qm):
    reply = qm.mqsc("* a\nDEFINE QLOCAL(A) +\n  MAXDEPTH(5) +\n\n  MAXDEPHT(6)")
    says(reply.replies[0].text, "line 5: MAXDEPHT", "DEFINE QLOCAL(A) MAXDEPTH(5) MAXDEPHT")
    assert reply.replies[0].line == 2
