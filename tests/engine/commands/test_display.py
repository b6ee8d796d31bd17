"""DISPLAY: what is shown, of which objects, and in what shape."""

import pytest

from helpers import for_each
from mqlab.engine.words import catalog


@pytest.fixture
def estate(qm):
    reply = qm.mqsc("""
        DEFINE QLOCAL(PAY.IN) MAXDEPTH(10) DESCR('in')
        DEFINE QLOCAL(PAY.OUT) MAXDEPTH(20) USAGE(XMITQ) TRIGGER
        DEFINE QALIAS(PAY.ALIAS) TARGET(PAY.IN)
        DEFINE QREMOTE(PAY.FAR) RNAME(Q) RQMNAME(QM2)
        DEFINE NAMELIST(N1) NAMES(A,B)
        DEFINE NAMELIST(N2) NAMES(B)
    """)
    assert reply.ok
    qm.put("PAY.IN", b"x")
    return qm


def names(qm, text):
    reply = qm.mqsc(text)
    return [next(iter(row.values())) for row in reply.rows]


def test_one_named_object_shows_all_a_generic_name_only_names(estate):
    (row,) = estate.mqsc("DISPLAY QLOCAL(PAY.IN)").rows
    assert (row["MAXDEPTH"], row["CURDEPTH"]) == (10, 1)
    assert row["TRIGGER"] is False
    assert len(row) > 50
    kinds = {"ALIAS": "QALIAS", "FAR": "QREMOTE", "IN": "QLOCAL", "OUT": "QLOCAL"}
    rows = [{"QUEUE": f"PAY.{name}", "TYPE": kind} for name, kind in kinds.items()]
    assert estate.mqsc("DISPLAY QUEUE(PAY.*)").rows == rows
    assert len(estate.mqsc("DISPLAY QUEUE(PAY.*) ALL").rows[2]) > 50


def test_attributes_asked_for_come_in_the_order_of_the_catalog_those_a_kind_has_and_what_where_compares(estate):
    (row,) = estate.mqsc("DIS Q(PAY.IN) MAXDEPTH DESCR CURDEPTH").rows
    assert list(row) == ["QUEUE", "TYPE", "CURDEPTH", "DESCR", "MAXDEPTH"]
    rows = estate.mqsc("DIS Q(PAY.*) TARGET CURDEPTH").rows
    assert [set(row) - {"QUEUE", "TYPE"} for row in rows] == [{"TARGET"}, set(), {"CURDEPTH"}, {"CURDEPTH"}]
    assert estate.mqsc("DIS Q(*) WHERE(CURDEPTH GT 0)").rows == [{"QUEUE": "PAY.IN", "TYPE": "QLOCAL", "CURDEPTH": 1}]


@for_each(
    "text, expected",
    ("DIS Q(*) TYPE(QALIAS)", ["PAY.ALIAS", "SYSTEM.DEFAULT.ALIAS.QUEUE"]),
    ("DIS QL(PAY*)", ["PAY.IN", "PAY.OUT"]),
    ("DIS Q(*) WHERE(CURDEPTH GT 0)", ["PAY.IN"]),
    ("DIS Q(PAY.*) WHERE(MAXDEPTH GE 20)", ["PAY.OUT"]),
    ("DIS Q(PAY.*) WHERE(MAXDEPTH LT 20)", ["PAY.IN"]),
    ("DIS Q(PAY.*) WHERE(USAGE NE NORMAL)", ["PAY.OUT"]),
    ("DIS Q(PAY.*) WHERE(DESCR EQ 'in')", ["PAY.IN"]),
    ("DIS Q(PAY.*) WHERE(DESCR LK 'i*')", ["PAY.IN"]),
    ("DIS QL(PAY.*) WHERE(DESCR NL 'i*')", ["PAY.OUT"]),
    ("DIS Q(PAY.*) WHERE(TARGET EQ PAY.IN)", ["PAY.ALIAS"]),
    ("DIS Q(PAY.*) WHERE(TRIGGER EQ NO)", ["PAY.IN"]),
    ("DIS Q(PAY.*) WHERE(TRIGGER NE NO)", ["PAY.OUT"]),
    ("DIS QL(PAY.*) WHERE(CAPEXPRY EQ NOLIMIT)", ["PAY.IN", "PAY.OUT"]),
    ("DIS NL(*) WHERE(NAMES CT A)", ["N1"]),
    ("DIS NL(N*) WHERE(NAMES EX A)", ["N2"]),
    ("DIS NL(N*) WHERE(NAMES CTG 'A*')", ["N1"]),
    ("DIS Q(NONE*)", []),
)
def test_choosing(estate, text, expected):
    assert names(estate, text) == expected


def test_a_system_object_is_shown_before_anything_names_it(qm, state):
    before = state(qm)
    reply = qm.mqsc("DISPLAY QUEUE(SYSTEM.ADMIN.STATISTICS.QUEUE) CURDEPTH\nDISPLAY CHANNEL(SYSTEM.DEF.SENDER) BATCHSZ")
    assert reply.rows == [
        {"QUEUE": "SYSTEM.ADMIN.STATISTICS.QUEUE", "TYPE": "QLOCAL", "CURDEPTH": 0},
        {"CHANNEL": "SYSTEM.DEF.SENDER", "CHLTYPE": "SDR", "BATCHSZ": 50},
    ]
    assert state(qm) == before


def test_values_have_two_columns_and_long_ones_and_each_name_a_line_of_their_own(estate):
    answer = estate.mqsc("DISPLAY QLOCAL(PAY.OUT) DESCR MAXDEPTH TRIGGER CAPEXPRY").replies[0]
    assert answer.text == (
        "AMQ8409I: Display Queue details.\n"
        "   QUEUE(PAY.OUT)                          TYPE(QLOCAL)\n"
        "   CAPEXPRY(NOLIMIT)                       DESCR( )\n"
        "   MAXDEPTH(20)                            TRIGGER"
    )
    estate.mqsc("ALTER QLOCAL(PAY.IN) DESCR('a description that is longer than a column is')")
    text = estate.mqsc("DISPLAY QLOCAL(PAY.IN) DESCR MAXDEPTH").replies[0].text
    assert "   DESCR(a description that is longer than a column is)\n   MAXDEPTH(10)" in text
    for name, beside in (("A" * 30, "   TYPE(QLOCAL)"), ("B" * 31, "")):  # a cell of 38 characters stands alone
        estate.mqsc(f"DEFINE QLOCAL({name})").require()
        assert (
            str(estate.mqsc(f"DISPLAY QLOCAL({name[:9]}*)").replies[0]).splitlines()[1] == f"   QUEUE({name}){beside}"
        )
    lines = str(estate.mqsc("DISPLAY NAMELIST(N1) NAMCOUNT NAMES DESCR").replies[0]).splitlines()
    assert lines[1] == "   NAMELIST(N1)                            NAMCOUNT(2)"
    assert lines[2:] == ["   NAMES(A", "        ,B)", "   DESCR( )"]


def test_the_queue_manager(qm):
    (row,) = qm.mqsc("DISPLAY QMGR DEADQ MAXHANDS").rows
    assert row == {"QMNAME": "QM1", "DEADQ": "", "MAXHANDS": 256}
    (all_of_it,) = qm.mqsc("DISPLAY QMGR").rows
    assert (all_of_it["TRIGINT"], all_of_it["PLATFORM"], all_of_it["STRSTPEV"]) == (999_999_999, "UNIX", "ENABLED")
    (events,) = qm.mqsc("DISPLAY QMGR EVENT").rows
    assert {key[-2:] for key in events if key != "QMNAME"} == {"EV"}


def test_values_shown_are_those_read_back(estate):
    """What DISPLAY prints of a queue, fed to DEFINE, makes the same queue."""
    row = estate.mqsc("DISPLAY QLOCAL(PAY.OUT)").rows[0]
    parts = []
    for keyword, value in row.items():
        attribute = catalog.attributes("QLOCAL").get(keyword)
        if attribute is not None and attribute.settable:
            flag = keyword if value else f"NO{keyword}"
            parts.append(flag if isinstance(value, bool) else f"{keyword}('{attribute.shown(value)}')")
    assert estate.mqsc("DEFINE QLOCAL(AGAIN) +\n" + " +\n ".join(parts)).ok
    again = estate.mqsc("DISPLAY QLOCAL(AGAIN)").rows[0]
    assert {**again, "QUEUE": "PAY.OUT"} == row


REAL = {
    "SENDER": "BATCHHB BATCHINT BATCHLIM BATCHSZ CERTLABL COMPHDR COMPMSG CONNAME CONVERT DESCR DISCINT HBINT KAINT "
    "LOCLADDR LONGRTY LONGTMR MAXMSGL MCANAME MCATYPE MCAUSER MODENAME MONCHL MSGDATA MSGEXIT NPMSPEED "
    "PASSWORD PROPCTL RCVDATA RCVEXIT RESETSEQ SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP SHORTRTY SHORTTMR "
    "SSLCIPH SSLPEER STATCHL TPNAME TRPTYPE USEDLQ USERID XMITQ",
    "RECEIVER": "BATCHSZ CERTLABL COMPHDR COMPMSG DESCR HBINT KAINT MAXMSGL MCAUSER MONCHL MRDATA MREXIT MRRTY MRTMR "
    "MSGDATA MSGEXIT NPMSPEED PUTAUT RCVDATA RCVEXIT RESETSEQ SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP "
    "SSLCAUTH SSLCIPH SSLPEER STATCHL TRPTYPE USEDLQ",
    "SVRCONN": "CERTLABL COMPHDR COMPMSG DESCR DISCINT HBINT KAINT MAXINST MAXINSTC MAXMSGL MCAUSER MONCHL RCVDATA "
    "RCVEXIT SCYDATA SCYEXIT SENDDATA SENDEXIT SHARECNV SSLCAUTH SSLCIPH SSLPEER TRPTYPE",
    "CLUSSDR": "BATCHHB BATCHINT BATCHLIM BATCHSZ CLUSNL CLUSTER CLWLPRTY CLWLRANK CLWLWGHT COMPHDR COMPMSG CONNAME "
    "CONVERT DESCR DISCINT HBINT KAINT LOCLADDR LONGRTY LONGTMR MAXMSGL MCANAME MCATYPE MCAUSER MODENAME "
    "MONCHL MSGDATA MSGEXIT NPMSPEED PASSWORD PROPCTL RCVDATA RCVEXIT RESETSEQ SCYDATA SCYEXIT SENDDATA "
    "SENDEXIT SEQWRAP SHORTRTY SHORTTMR SSLCIPH SSLPEER STATCHL TPNAME TRPTYPE USEDLQ USERID",
    "AMQP": "CERTLABL DESCR AMQPKA LOCLADDR MAXINST MAXMSGL MCAUSER PORT SSLCAUTH SSLCIPH SSLPEER TPROOT TMPMODEL "
    "TMPQPRFX USECLTID",
}
"""Channel SYSTEM.DEF.... -> what a real 9.4.2 queue manager on Linux shows of it after the dates, in its order."""


@for_each("name", REAL)
def test_a_channel_shows_the_attributes_of_a_real_one_in_its_order(qm, name):
    (row,) = qm.mqsc(f"DISPLAY CHANNEL(SYSTEM.DEF.{name})").rows
    dates = ("CHANNEL", "CHLTYPE", "ALTDATE", "ALTTIME")
    assert [keyword for keyword in row if keyword not in dates] == REAL[name].split()


def test_what_only_zos_shows_of_a_channel(lab):
    zos = lab.queue_manager("ZOS1", platform="zos")
    (row,) = zos.mqsc("DISPLAY CHANNEL(SYSTEM.DEF.SVRCONN)").rows
    assert (row["PUTAUT"], row.get("RESETSEQ")) == ("DEF", None)
    (row,) = zos.mqsc("DISPLAY CHANNEL(SYSTEM.DEF.RECEIVER)").rows
    assert (row["SPLPROT"], row.get("RESETSEQ")) == ("PASSTHRU", None)


def test_a_listener_and_authentication_information_show_what_goes_with_their_type(qm):
    qm.mqsc("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415)\nDEFINE AUTHINFO(A) AUTHTYPE(OCSP) OCSPURL('http://x')")
    (row,) = qm.mqsc("DISPLAY LISTENER(L)").rows
    assert " ".join(row) == "LISTENER CONTROL TRPTYPE PORT IPADDR BACKLOG DESCR ALTDATE ALTTIME"
    (row,) = qm.mqsc("DISPLAY AUTHINFO(A)").rows
    assert " ".join(row) == "AUTHINFO AUTHTYPE DESCR OCSPURL ALTDATE ALTTIME"


def test_the_key_repository_of_a_new_queue_manager_is_in_its_folder(lab):
    assert lab.queue_manager("QM.A").mqsc("DIS QMGR SSLKEYR").rows[0]["SSLKEYR"] == "/var/mqm/qmgrs/QM!A/ssl/key"
    assert lab.queue_manager("ZOS1", platform="zos").mqsc("DIS QMGR SSLKEYR").rows[0]["SSLKEYR"] == ""


@pytest.mark.needs("admin")
def test_the_label_of_a_new_queue_manager_s_certificate_has_its_name(lab):
    qm, zos = lab.queue_manager("QM.A"), lab.queue_manager("ZOS1", platform="zos")
    (row,) = qm.mqsc("DIS QMGR ALL").rows
    assert row["CERTLABL"] == "ibmwebspheremqqm.a"
    assert [*row][[*row].index("SSLFIPS") :][:3] == ["SSLFIPS", "KEYRPWD", "SSLKEYR"]
    assert "CERTLABL" not in qm.export_mqsc()
    assert zos.mqsc("DIS QMGR CERTLABL").rows[0]["CERTLABL"] == ""
    assert qm.mqsc("ALTER QMGR CERTLABL(' ')\nDIS QMGR CERTLABL").rows[0]["CERTLABL"] == ""
    assert "CERTLABL(' ')" in qm.export_mqsc()
