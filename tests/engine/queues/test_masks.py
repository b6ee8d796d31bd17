"""Unknown bits of Report and MsgFlags, by where the message goes; an asterisk and options that an open refuses."""

import pytest

from helpers import for_each, made, outcome, reason
from mqlab import MD
from mqlab import constants as mq


@pytest.fixture
def far(lab):
    """A queue manager with a local queue Q, and R, whose messages go to another one."""
    remote = "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(T) RQMNAME(QM2) XMITQ(X)"
    return made(f"DEFINE QLOCAL(Q)\n{remote}", of=lab)


@pytest.mark.rule("MQI-13", event=False)
def test_unknown_flags_are_accepted_by_their_place(far):
    for flags, here, there in (
        (0x0010_0000, None, None),
        (-(2**31), None, None),
        (0x0000_1000, 2249, None),
        (0x0008_0000, 2249, None),
        (0x0000_0800, 2249, 2249),
        (0x0000_0020, 2249, 2249),
    ):
        for queue, wanted in (("Q", here), ("R", there)):
            assert outcome(far.put, queue, b"", md=MD(Version=2, MsgFlags=flags)) == wanted


@for_each("report", [0x0001_0000, 0x0002_0000, 0x0000_8000, 0x2000_0000])
def test_unknown_report_options_to_another_queue_manager_are_a_warning(far, report):
    assert far.put("R", b"", report=report).warning == mq.MQRC_UNKNOWN_REPORT_OPTION
    assert outcome(far.put, "Q", b"", report=report) == (None if report > 0x10_0000 else 2061)
    assert reason(far.put, "R", b"", report=0x0010_0000) == 2061


def test_the_asterisk_of_a_dynamic_name_and_an_open_that_asks_for_nothing(far):
    far.mqsc("DEFINE QMODEL(M)").require()
    app = far.connect("a")
    assert app.open("M", input="shared", dynamic_name="D" * 32 + "*").name.startswith("D" * 32)
    for name in ("D" * 33 + "*", "D" * 40 + "*"):
        assert reason(app.open, "M", input="shared", dynamic_name=name) == 2011
    assert reason(far.open, "Q") == reason(far.open, "Q", fail_if_quiescing=True) == 2046
    assert far.open("Q", inquire=True).name == "Q"
