"""DISPLAY QSTATUS: queues now, who has them open, and what monitoring gathers."""

import pytest

from helpers import cases, for_each, made


@pytest.fixture
def qm(lab):
    """A queue manager with PAY.IN (three messages, one uncommitted), PAY.OUT and an alias."""
    qm = made("DEFINE QLOCAL(PAY.IN)\nDEFINE QLOCAL(PAY.OUT)\nDEFINE QALIAS(FRONT) TARGET(PAY.IN)", of=lab)
    for body in (b"1", b"2"):
        qm.put("PAY.IN", body)
    return qm


def row(qm, text):
    (found,) = qm.mqsc(text).rows
    return found


def shown(found):
    """A row as KEYWORD(value) words."""
    return " ".join(f"{keyword}({value})" for keyword, value in found.items())


def names(qm, text):
    return [found["QUEUE"] for found in qm.mqsc(text).rows]


def test_a_queue_now(qm):
    handle = qm.connect("CLERK").open("PAY.IN", input="shared", output=True)
    with qm.unit_of_work() as unit:
        unit.put("PAY.IN", b"3")
        unit.get("PAY.IN")
        assert shown(row(qm, "DIS QSTATUS(PAY.IN)")) == (
            "QUEUE(PAY.IN) TYPE(QUEUE) CURDEPTH(2) CURFSIZE(1) CURMAXFS(2088960) IPPROCS(1) LGETDATE() LGETTIME() "
            "LPUTDATE() LPUTTIME() MEDIALOG() MONQ(OFF) MSGAGE() OPPROCS(1) QTIME( , ) UNCOM(2)"
        )
    handle.close()
    now = row(qm, "DIS QS(PAY.IN) UNCOM IPPROCS OPPROCS")
    assert shown(now) == "QUEUE(PAY.IN) TYPE(QUEUE) CURDEPTH(2) IPPROCS(0) OPPROCS(0) UNCOM(NO)"


def test_zos_says_yes_or_no_and_a_queue_file_has_a_size_where_queues_are_files(lab):
    zos = made("DEFINE QLOCAL(A)", "CSQ1", of=lab, platform="zos")
    with zos.unit_of_work() as unit:
        unit.put("A", b"x")
        assert (row(zos, "DIS QSTATUS(A)")["UNCOM"], names(zos, "DIS QSTATUS(*) WHERE(UNCOM EQ YES)")) == ("YES", ["A"])
    assert row(zos, "DIS QSTATUS(A)")["UNCOM"] == "NO"
    assert not {"MEDIALOG", "CURFSIZE"} & {*row(zos, "DIS QSTATUS(A)")}
    here = made("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) MAXFSIZE(500)\nDEFINE QLOCAL(BIG)", of=lab)
    here.put("BIG", b"x" * 3_000_000)
    sizes = [(row["CURFSIZE"], row["CURMAXFS"]) for row in here.mqsc("DISPLAY QSTATUS(*) CURFSIZE CURMAXFS").rows[:3]]
    assert sizes == [(1, 2_088_960), (1, 500), (3, 2_088_960)]


def test_a_generic_name_shows_the_depth_and_what_is_asked_for(qm):
    asked = [shown(found) for found in qm.mqsc("DIS QSTATUS(PAY*) OPPROCS").rows]
    form = "QUEUE({}) TYPE(QUEUE) CURDEPTH({}) OPPROCS(0)"
    assert asked == [form.format("PAY.IN", 2), form.format("PAY.OUT", 0)]
    assert [len(found) for found in qm.mqsc("DIS QSTATUS(PAY*) ALL").rows] == [16, 16]
    assert set(row(qm, "DIS QSTATUS(PAY.IN) MONITOR")) > {"MSGAGE", "QTIME", "LPUTDATE", "MONQ"}


def test_monitoring(lab, qm):
    assert qm.mqsc("ALTER QMGR MONQ(LOW)").ok
    assert row(qm, "DIS QSTATUS(PAY.IN)")["LPUTDATE"] == ""
    lab.advance(3600)
    qm.put("PAY.IN", b"3")
    lab.advance(1.5)
    qm.get("PAY.IN")
    qm.browse("PAY.IN")
    lab.advance(7)
    found = row(qm, "DIS QSTATUS(PAY.IN) ALL")
    assert (found["LPUTDATE"], found["LPUTTIME"]) == ("2025-01-06", "10.00.00")
    assert (found["LGETDATE"], found["LGETTIME"]) == ("2025-01-06", "10.00.01")
    assert (found["MONQ"], found["MSGAGE"], found["QTIME"]) == ("LOW", 3608, "999999999,999999999")
    qm.get("PAY.IN")
    qm.get("PAY.IN")
    assert row(qm, "DIS QSTATUS(PAY.IN) MSGAGE")["MSGAGE"] == 0


def test_the_two_indicators_move_at_different_speed(lab, qm):
    qm.mqsc("ALTER QLOCAL(PAY.OUT) MONQ(HIGH)")
    for seconds in (1, 2):
        qm.put("PAY.OUT", b"x")
        lab.advance(seconds)
        qm.get("PAY.OUT")
    assert row(qm, "DIS QSTATUS(PAY.OUT) QTIME")["QTIME"] == "1125000,1015625"


@cases(
    "queue, qmgr, level",
    ("QMGR", "OFF", "OFF"),
    ("QMGR", "MEDIUM", "MEDIUM"),
    ("HIGH", "OFF", "HIGH"),
    ("OFF", "HIGH", "OFF"),
    ("HIGH", "NONE", "OFF"),
    ("QMGR", "NONE", "OFF"),
)
def test_who_decides_about_monitoring(qm, queue, qmgr, level):
    qm.mqsc(f"ALTER QLOCAL(PAY.IN) MONQ({queue})\nALTER QMGR MONQ({qmgr})")
    qm.put("PAY.IN", b"x")
    found = row(qm, "DIS QSTATUS(PAY.IN)")
    assert (found["MONQ"], found["LPUTDATE"] != "") == (level, level != "OFF")


def test_monitoring_forgets_at_a_restart_and_when_it_is_off(qm):
    qm.mqsc("ALTER QMGR MONQ(LOW)")
    qm.put("PAY.IN", b"x", persistent=True)
    qm.mqsc("ALTER QLOCAL(PAY.IN) MONQ(OFF)\nALTER QLOCAL(PAY.IN) MONQ(HIGH)")
    assert row(qm, "DIS QSTATUS(PAY.IN)")["LPUTDATE"] == ""
    qm.put("PAY.IN", b"x", persistent=True)
    assert row(qm, "DIS QSTATUS(PAY.IN)")["LPUTDATE"] != ""
    qm.stop()
    qm.start()
    assert row(qm, "DIS QSTATUS(PAY.IN)")["LPUTDATE"] == ""
    qm.get("PAY.IN")
    assert row(qm, "DIS QSTATUS(PAY.IN)")["LGETDATE"] != ""
    qm.mqsc("DELETE QLOCAL(PAY.IN) PURGE\nDEFINE QLOCAL(PAY.IN)")
    assert row(qm, "DIS QSTATUS(PAY.IN)")["LGETDATE"] == ""


def test_handles(qm):
    with (
        qm.connect("CLERK").open("PAY.IN", input="exclusive", browse=True),
        qm.connect("SENDER").open("FRONT", output=True, inquire=True),
        qm.open("PAY.OUT", input="shared", set=True),
    ):
        rows = qm.mqsc("DIS QSTATUS(PAY*) TYPE(HANDLE)").rows
        form = (
            "QUEUE({}) TYPE(HANDLE) APPLTAG({}) APPLTYPE(USER) BROWSE({}) CHANNEL() CONNAME() INPUT({}) INQUIRE({}) "
            "OUTPUT({}) PID() SET({}) TID() USERID(app)"
        )
        assert [shown(one) for one in rows] == [
            form.format("PAY.IN", "CLERK", "YES", "EXCL", "NO", "NO", "NO"),
            form.format("PAY.IN", "SENDER", "NO", "NO", "YES", "YES", "NO"),
            form.format("PAY.OUT", "", "NO", "SHARED", "NO", "NO", "YES"),
        ]
        for text, tags in (
            ("OPENTYPE(INPUT)", ["CLERK", ""]),
            ("OPENTYPE(OUTPUT)", ["SENDER"]),
            ("OPENTYPE(ALL)", ["CLERK", "SENDER", ""]),
            ("WHERE(APPLTAG EQ SENDER)", ["SENDER"]),
            ("WHERE(APPLTAG LK 'S*')", ["SENDER"]),
            ("WHERE(INPUT EQ EXCL)", ["CLERK"]),
            ("WHERE(BROWSE NE YES)", ["SENDER", ""]),
        ):
            assert [r["APPLTAG"] for r in qm.mqsc(f"DIS QSTATUS(*) TYPE(HANDLE) {text}").rows] == tags, text
    assert qm.mqsc("DIS QSTATUS(PAY*) TYPE(HANDLE)").replies[0].code == "AMQ8565I"


@for_each(
    "where, expected",
    ("CURDEPTH GT 0", ["PAY.IN"]),
    ("UNCOM EQ NO", ["PAY.OUT"]),
    ("UNCOM GT 0", ["PAY.IN"]),
    ("MONQ EQ OFF", ["PAY.OUT"]),
    ("MSGAGE GE 5", ["PAY.IN"]),
    ("LPUTTIME LK '09*'", ["PAY.IN"]),
    ("LPUTTIME EQ ' '", ["PAY.OUT"]),
)
def test_where(lab, qm, where, expected):
    qm.mqsc("ALTER QLOCAL(PAY.IN) MONQ(LOW)")
    with qm.unit_of_work() as unit:
        unit.put("PAY.IN", b"3")
        lab.advance(5)
        assert names(qm, f"DIS QSTATUS(PAY*) WHERE({where})") == expected
