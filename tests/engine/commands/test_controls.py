"""What would command a terminal is shown as an escape, in everything that is text."""

import re

import pytest

from helpers import for_each, made, refusal
from mqlab import LabError, MQError

EVIL = "\x1b]0;owned\x07 \x9b2J \u202egnp\x08"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]")


@pytest.fixture
def evil(lab):
    qm = lab.queue_manager("QM1")
    qm.reply = qm.mqsc(f"DEFINE QLOCAL(A) DESCR('{EVIL}') TRIGDATA('{EVIL}')\nDISPLAY QLOCAL(A) ALL\nDEFINE {EVIL}")
    return qm


@pytest.mark.needs("admin")
def test_replies_and_exports_say_it_in_escapes_and_the_exports_are_read_again(evil):
    assert [reply.ok for reply in evil.reply.replies][:3] == [True, True, False]
    texts = [str(evil.reply), *map(str, evil.reply.replies), evil.export_mqsc(), repr(evil.reply)]
    assert not [found for text in texts for found in CONTROL.findall(text)]
    assert "\\x1b]0;owned\\x07 \\x9b2J \\u202egnp\\x08" in texts[0]
    assert evil.reply.rows[0]["DESCR"] == EVIL  # what is kept is what was given
    again = made(evil.export_mqsc())
    assert str(again.mqsc("DISPLAY QLOCAL(A) DESCR")) == str(evil.mqsc("DISPLAY QLOCAL(A) DESCR"))


@for_each(
    "call",
    lambda qm: qm.get(EVIL),
    lambda qm: qm.put("A", b"x", priority=EVIL),
    lambda qm: qm.lab[EVIL],
    lambda qm: qm.lab.cut(EVIL, "\ud800"),
    lambda qm: qm.mqsc(f"DELETE QLOCAL('{EVIL}')").require(),
)
def test_errors_say_it_in_escapes(evil, call):
    error = refusal((LabError, MQError), "", call, evil)
    assert not CONTROL.search(str(error))


@pytest.mark.needs("cli")
def test_the_command_line_says_it_in_escapes(tmp_path, capsys):
    from mqlab.cli import runmqsc

    script = tmp_path / "x.mqsc"
    script.write_text(f"DEFINE QLOCAL(A) DESCR('{EVIL}')\nDISPLAY QLOCAL(A) DESCR\n", encoding="utf-8")
    runmqsc.main(["QM1", str(script)])
    runmqsc.main([EVIL, str(script)])
    assert not CONTROL.search("".join(capsys.readouterr()))
