"""A call with text that UTF-8 cannot hold is refused, and what the log says of it can still be written to any file."""

from contextlib import suppress

import pytest

from helpers import lab_with
from mqlab import MD, LabError, MQError, ProgramDied
from mqlab.formats import FORMATS

BAD = "A\ud800B"


def died(lab, qm):
    def program(app):
        raise ValueError(BAD)

    qm.run_program("P", program)
    lab.advance(1)


CALLS = {
    "get": lambda lab, qm: qm.get(BAD),
    "put": lambda lab, qm: qm.put(BAD, b"x"),
    "put elsewhere": lambda lab, qm: qm.put(f"Q@{BAD}", b"x"),
    "a body": lambda lab, qm: qm.put("ORDERS", BAD),
    "a property": lambda lab, qm: qm.put("ORDERS", b"x", properties={"a": BAD}),
    "a field": lambda lab, qm: qm.put("ORDERS", b"x", md=MD(ReplyToQ=BAD)),
    "open": lambda lab, qm: qm.open(BAD, input="shared"),
    "a dynamic name": lambda lab, qm: qm.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="shared", dynamic_name=BAD),
    "depth": lambda lab, qm: qm.depth(BAD),
    "publish": lambda lab, qm: qm.publish(BAD, b"x"),
    "subscribe": lambda lab, qm: qm.subscribe(BAD),
    "why": lambda lab, qm: qm.why_no_message(BAD),
    "mqsc": lambda lab, qm: qm.mqsc(f"DEFINE QLOCAL({BAD})"),
    "a program": lambda lab, qm: qm.run_program(BAD, print),
    "a trigger monitor": lambda lab, qm: (qm.trigger_monitor(BAD), lab.advance(1)),
    "a program that dies": died,
    "disconnect": lambda lab, qm: qm.connect("P").disconnect(False, BAD),
    "a link": lambda lab, qm: lab.link("QM1", BAD),
    "a client's link": lambda lab, qm: lab.cut(BAD, "QM1"),
    "a shot": lambda lab, qm: lab.shot(BAD),
}


@pytest.fixture(scope="module")
def refused():
    """A lab in which each of the calls was made, and the texts of what refused them."""
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)")
    texts = []
    for call in CALLS.values():
        try:
            call(lab, qm)
        except (MQError, LabError, ProgramDied) as error:
            texts.append(str(error))
    return lab, texts


def test_refusals_and_logs_are_written_with_the_text_as_repr_shows_it(refused, tmp_path):
    lab, texts = refused
    assert len(texts) > len(CALLS) - 4
    assert all(text.encode() for text in texts)
    assert {row.object for row in lab.events.where(kind=("get", "put"), reason=2085)} >= {r"A\ud800B"}
    lab.events.write_parquet(tmp_path / "log.parquet")
    assert lab.save_player(tmp_path / "log.html").stat().st_size > 1000
    with suppress(LabError):  # where python-pptx is not installed
        lab.save_story(tmp_path / "log.pptx")
    assert str(lab["QM1"].error_log()).encode()


@pytest.mark.parametrize("format", FORMATS)
def test_the_log_is_exported(refused, tmp_path, format):
    refused[0].events.export(tmp_path / "log", format)
