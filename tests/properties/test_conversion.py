"""Conversion of built-in formats: characters, byte orders, headers, and the data that cannot be converted."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as some

from helpers import for_each, refusal
from mqlab.engine.words import charsets
from mqlab.engine.words.headers import MQDLH, MQMDE, MQTM, MQXQH, TriggerMessage
from mqlab.engine.words.structures import MD
from mqlab.pcf import format as pcf
from mqlab.properties.conversion import Form, NotConverted, convert
from mqlab.properties.rfh2 import MQRFH2, Element, Header

HERE, THERE, WIDE = Form(546, 1208), Form(0x111, 500), Form(0x111, 1200)


@given(some.sampled_from(sorted(charsets.CODECS)), some.text(alphabet="ABZabz019 ._-", max_size=12))
@settings(max_examples=80, deadline=None)
def test_text_goes_to_any_character_set_and_back(ccsid: int, text: str):
    other = Form(546, ccsid)
    assert convert(convert(text.encode(), "MQSTR", HERE, other), "MQSTR", other, HERE) == text.encode()


def test_characters_of_some_sets():
    assert convert(b"[tea]", "MQSTR", HERE, Form(546, 1047)) == b"\xad\xa3\x85\x81\xbd"
    assert convert("€5".encode(), "MQSTR", HERE, Form(546, 819)) == b"\x1a5"
    assert convert(b"A", "MQSTR", HERE, WIDE) == b"\0A"
    assert convert("é".encode()[:1], "MQSTR", HERE, THERE, cut=True) == b""


HEADERS = {
    "MQTRIG": MQTM.pack(TriggerMessage("ORDERS", "P", "data", 6, "till")),
    "MQDEAD": MQDLH.pack(2053, "ORDERS", "QM1", "MQSTR", "till", datetime(2025, 1, 6, tzinfo=UTC)) + b"tea",
    "MQHMDE": MQMDE.pack(MD(Format="MQSTR", GroupId=b"\3" * 24, CodedCharSetId=1208)) + b"tea",
    "MQHRF2": MQRFH2.pack(Header((Element("usr", "", "", (Element("a", "1"),)),), "MQSTR")) + b"tea",
    "MQADMIN": pcf.pack(pcf.Header(1, 2), [pcf.integer(3, 4), pcf.string(2016, "ORDERS")]),
}


@for_each("format", HEADERS)
def test_a_header_and_the_data_behind_it_are_converted(format: str):
    data = HEADERS[format]
    other = convert(data, format, HERE, THERE)
    assert other != data
    assert convert(other, format, THERE, HERE) == data
    if data.endswith(b"tea"):
        assert other.endswith("tea".encode("cp500"))


def test_headers_are_converted_one_behind_the_other():
    md = MQXQH.pack("Q", "QM2", _embedded("MQHMDE"))
    data = md + HEADERS["MQHMDE"]
    other = convert(data, "MQXMIT", HERE, THERE)
    assert convert(other, "MQXMIT", THERE, HERE) == data
    assert MQXQH.unpack(convert(other, "MQXMIT", THERE, HERE)).body == b"tea"
    wide = Header((Element("usr", "x"),), "MQDEAD", 546, 1208, 0, 1200)
    chained = MQRFH2.pack(wide) + HEADERS["MQDEAD"].replace(b"MQSTR   ", b" " * 8)
    found, at = MQRFH2.unpack(convert(chained, "MQHRF2", HERE, THERE), 0, *THERE)
    assert (found.folders, found.ccsid, found.encoding) == (wide.folders, 500, 0x111)
    assert convert(chained, "MQHRF2", HERE, THERE)[at:].endswith(b"tea")  # data without a format stays


def _embedded(format: str) -> MD:
    own = {"Priority": 4, "Persistence": 0, "MsgId": b"\1" * 24, "CorrelId": b"\2" * 24, "ReplyToQ": "R"}
    own |= {"UserIdentifier": "me", "PutApplType": 6, "PutApplName": "till"}
    own |= {"PutDate": "20250106", "PutTime": "09000000"}
    return MD(Version=1, Format=format, CodedCharSetId=1208, **own)


@for_each(
    "data, format, source, target, reason",
    (b"tea", "", HERE, THERE, 2110),
    (b"tea", "MYFORM", HERE, THERE, 2110),
    (b"tea", "MQDEAD", HERE, THERE, 2110),
    (b"tea", "MQHRF2", HERE, THERE, 2110),
    (b"tea", "MQADMIN", HERE, THERE, 2110),
    (b"\xff", "MQSTR", HERE, THERE, 2119),
    (HEADERS["MQTRIG"], "MQTRIG", HERE, WIDE, 2119),
    (b"tea", "MQSTR", Form(546, 5), HERE, 2111),
    (b"tea", "MQSTR", HERE, Form(546, 939), 2115),
    (b"tea", "MQSTR", Form(0, 1208), THERE, 2112),
    (b"tea", "MQSTR", HERE, Form(7, 1208), 2116),
)
def test_data_that_is_not_converted(data: bytes, format: str, source: Form, target: Form, reason: int):
    assert refusal(NotConverted, "", convert, data, format, source, target).reason == reason
