"""MQSC that must be refused: for each its AMQ number and the essence of what is said; nothing changes."""

import tomllib
from pathlib import Path

import pytest

from helpers import for_each, needing, says

WRONG = tomllib.loads(Path(__file__).with_name("wrong_lines.toml").read_text("utf-8"))["rows"]
WRONG.append(("DEFINE NAMELIST(N) NAMES(" + "A," * 257 + ")", "AMQ8412E", "a list of up to 256 names"))


@pytest.fixture
def defined(qm):
    """QM1 with a queue, an alias of it, and a queue with a message."""
    qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE QALIAS(QA) TARGET(Q)\nDEFINE QLOCAL(FULL)").require()
    qm.put("FULL", b"x")
    return qm


@for_each(
    "text, code, essence",
    needing(
        map(tuple, WRONG),
        pubsub=("SUB(S)", "TOPIC(T)", "TOPIC(SYSTEM.BASE.TOPIC)", "TCLUSTER", "SUMMARY"),
        admin=("AUTHREC", "SET CHLAUTH"),
    ),
)
def test_refused_and_nothing_changed(defined, state, text, code, essence):
    before = state(defined)
    reply = defined.mqsc(text)
    refused = next(answer for answer in reply.replies if not answer.ok)
    assert (refused.code, essence in refused.text, reply.ok) == (code, True, False), refused.text
    assert state(defined) == before


def test_the_commands_after_a_wrong_one_are_run(qm):
    reply = qm.mqsc("DEFINE QLOCAL(A)\nDEFINE QLOCL(B)\nDEFINE QLOCAL(C)\nDEFINE QLOCAL(A)")
    assert [answer.ok for answer in reply.replies] == [True, False, True, False]
    summary = "4 MQSC commands read.\nOne command has a syntax error.\nOne valid MQSC command could not be processed."
    assert reply.summary() == summary
    assert qm.objects.get("QLOCAL", "C") is not None


def test_a_refusal_names_the_line_it_happened_on(qm):
    reply = qm.mqsc("* a\nDEFINE QLOCAL(A) +\n  MAXDEPTH(5) +\n\n  MAXDEPHT(6)")
    says(reply.replies[0].text, "line 5: MAXDEPHT", "DEFINE QLOCAL(A) MAXDEPTH(5) MAXDEPHT")
    assert reply.replies[0].line == 2
