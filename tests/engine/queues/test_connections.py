"""What a program connects to, inquires about, and leaves: MQDISC, and objects that are no queues."""

import pytest

from helpers import lab_error, made, reason
from mqlab.engine import extra


@pytest.mark.rule("MQI-19")
def test_a_disconnect_commits_and_an_abnormal_end_backs_out(lab):
    qm = made("DEFINE QLOCAL(Q1)", of=lab)
    for commit, depth in ((True, 1), (False, 1)):
        app = qm.connect("batch")
        app.begin()
        app.open("Q1", input="shared")
        app.own_unit().put("Q1", b"x")
        app.disconnect(commit, "" if commit else "a crash")
        assert qm.status("Q1") == {"CURDEPTH": depth, "IPPROCS": 0, "OPPROCS": 0, "UNCOM": 0}
        assert app not in qm.connections
    assert lab.events[-1].facts == {"state": "died", "why": {"case": "failed", "error": "a crash"}}


@pytest.mark.rule("MQI-23", event=False)
def test_objects_other_than_queues_can_be_inquired(lab):
    qm = made("DEFINE PROCESS(P1) APPLICID('bill')\nDEFINE NAMELIST(N1) NAMES(A, B)", of=lab)
    asked = qm.open_object("QMGR").inquire("QMNAME", "PLATFORM", "VERSION", 31)
    assert asked == {"QMNAME": "QM1", "PLATFORM": "UNIX", "VERSION": "09040000", "CMDLEVEL": 940}
    assert qm.open_object("PROCESS", "P1").inquire("APPLICID", 2012) == {"APPLICID": "bill", "PROCESS": "P1"}
    names = qm.open_object("NAMELIST", "N1")
    assert names.inquire("NAMCOUNT", "NAMES") == {"NAMCOUNT": 2, "NAMES": ("A", "B")}
    names.close()
    wrong = (
        (2019, names.close),
        (2085, lambda: qm.open_object("PROCESS", "P2")),
        (2058, lambda: qm.open_object("QMGR", "QM2")),
        (2046, lambda: qm.open_object("QMGR", options=16)),
        (2067, lambda: qm.open_object("QMGR").inquire("MAXDEPTH")),
    )
    for code, call in wrong:
        assert reason(call) == code


def test_a_password_that_nothing_checks_is_refused(lab, monkeypatch):
    qm = lab.queue_manager("QM1", users={"anna": "secret"})
    monkeypatch.setattr(extra, "_EXTRAS", [])
    assert qm.connect("A", user="anna")
    lab_error("checks no passwords", qm.connect, "A", user="anna", password="wrong")
