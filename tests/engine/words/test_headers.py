"""The structures in front of message data are true to the byte."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from helpers import for_each, lab_error
from mqlab.engine.words.headers import MQDLH, MQMD, MQMDE, MQTM, MQXQH
from mqlab.engine.words.structures import MD

NUMBERS = {"Report": 0x200000, "Expiry": 600, "CodedCharSetId": 1208, "Priority": 5, "Persistence": 1, "PutApplType": 7}
TEXTS = """Format=MQSTR ReplyToQ=REPLIES ReplyToQMgr=QM1 UserIdentifier=ann ApplIdentityData=identity
    PutApplName=billing PutDate=20250106 PutTime=09000000 ApplOriginData=ORIG"""
OF = NUMBERS | dict(each.split("=") for each in TEXTS.split()) | {"MsgId": b"M" * 24, "CorrelId": b"C" * 24}


def described(**more):
    """An MQMD of version 1 with a value in every field."""
    return MD(**{"Version": 1, **OF, **more})


NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%/", min_size=0, max_size=48)
INTS = st.integers(-(2**31), 2**31 - 1)


def test_headers_have_the_lengths_and_the_fields_of_mq_where_mq_has_them():
    assert (MQTM.LENGTH, MQDLH.LENGTH, MQMD.LENGTH, MQMDE.LENGTH, MQXQH.LENGTH) == (684, 172, 324, 72, 428)
    header = MQXQH.pack("ORDERS", "QM2", described())
    assert (len(header), header[:4], header[4:8]) == (428, b"XQH ", struct.pack("<i", 1))
    assert (header[8:56], header[56:104]) == (b"ORDERS".ljust(48), b"QM2".ljust(48))
    assert (header[104:108], header[108:112]) == (b"MD  ", struct.pack("<i", 1))
    assert struct.unpack_from("<4i", header, 112) == (0x200000, 8, 600, 0)  # Report MsgType Expiry Feedback
    assert (header[136:144], struct.unpack_from("<2i", header, 144)) == (b"MQSTR   ", (5, 1))
    assert (header[152:176], header[176:200]) == (b"M" * 24, b"C" * 24)
    assert (header[204:252], header[252:300]) == (b"REPLIES".ljust(48), b"QM1".ljust(48))
    assert (header[380:408], header[408:424]) == (b"billing".ljust(28), b"2025010609000000")
    later = {"GroupId": b"G" * 24, "MsgSeqNumber": 3, "Offset": 128, "MsgFlags": 10, "OriginalLength": 4096}
    header = MQXQH.pack("Q", "QM2", described(Format=MQMDE.FORMAT)) + MQMDE.pack(described(Version=2, **later))
    found = MQXQH.unpack(header + b"data")
    assert found.body == b"data"
    assert found.md == described(Version=2, **later), "the format of the data, not of the extension"
    header = MQXQH.pack("Q", "QM2", described()) + b"data"
    assert MQXQH.expiry(header) == 600
    other = MQXQH.with_expiry(header, 599)
    assert (MQXQH.expiry(other), MQXQH.unpack(other).md) == (599, described(Expiry=599))
    assert MQXQH.expiry(header[:123]) is None
    assert MQXQH.expiry(b"") is None


@given(NAMES, NAMES, INTS, INTS, st.binary(min_size=24, max_size=24), st.binary(max_size=64))
def test_what_is_packed_is_unpacked(queue, qmgr, report, expiry, msg_id, body):
    md = described(Report=report, Expiry=expiry, MsgId=msg_id)
    found = MQXQH.unpack(MQXQH.pack(queue, qmgr, md) + body)
    assert found == (queue, qmgr, md, body)


@for_each(
    "read, body, wanted",
    (MQXQH.unpack, b"", "428 bytes"),
    (MQXQH.unpack, b"XQH " + bytes(100), "428 bytes"),
    (MQXQH.unpack, bytes(500), "'XQH '"),
    (MQDLH.unpack, b"DLH ", "172 bytes"),
    (MQTM.unpack, b"TM  ", "684 bytes"),
    (MQMD.unpack, bytes(324), "'MD  '"),
)
def test_data_that_is_no_structure_is_refused_in_words(read, body, wanted):
    lab_error(wanted, read, body)


def test_a_dead_letter_header_reads_back(lab):
    header = MQDLH.pack(2053, "ORDERS", "QM2", "MQSTR", "billing", lab.now)
    found = MQDLH.unpack(header + b"data")
    assert (found.reason, found.queue, found.qmgr, found.format) == (2053, "ORDERS", "QM2", "MQSTR")
    assert (found.appl_name, found.put_date, found.put_time) == ("billing", "20250106", "09000000")
