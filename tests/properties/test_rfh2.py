"""MQRFH2 byte for byte: both byte orders, folders, escapes, and the data that is no valid header."""

from __future__ import annotations

import struct
from itertools import starmap

from hypothesis import given, settings
from hypothesis import strategies as some

from helpers import for_each, refusal
from mqlab.engine.words import constants as mq
from mqlab.properties.rfh2 import MQRFH2, Element, Header, RfhError, read_folders

BIG = 0x111
NAMES = some.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,7}", fullmatch=True)
TEXTS = some.text(some.characters(blacklist_categories=("Cs", "Cc")), max_size=12)
KINDS = some.sampled_from(["", "i4", "boolean"])
VALUES = some.builds(lambda name, value, kind: Element(name, value, kind), NAMES, some.none() | TEXTS, KINDS)
GROUPS = some.builds(lambda name, inside: Element(name, "", "", tuple(inside)), NAMES, some.lists(VALUES, min_size=1))
FOLDERS = some.builds(
    lambda name, inside, own: Element(name, "", "", tuple(inside), (("content", own),)),
    NAMES,
    some.lists(VALUES | GROUPS, max_size=4),
    TEXTS,
)


def test_headers_have_the_bytes_of_the_manual_chain_and_are_read_as_others_write_them():
    header = Header((Element("usr", elements=(Element("n", "5", "i4"),)),), "MQSTR")
    text = b'<usr><n dt="i4">5</n></usr> ' + b""
    fixed = struct.pack("<4siiii8sii", b"RFH ", 2, 36 + 4 + len(text), 546, 1208, b"MQSTR   ", 0, 1208)
    assert MQRFH2.pack(header) == fixed + struct.pack("<i", len(text)) + text
    second = Header((Element("jms", elements=(Element("Dst", "queue:///Q"),)),), "MQSTR", BIG, 500)
    first = Header((Element("mcd", elements=(Element("Msd", "jms_text"),)),), MQRFH2.FORMAT, BIG, 500)
    data = MQRFH2.pack(first, BIG, 500) + MQRFH2.pack(second, BIG, 500)
    found, at = MQRFH2.unpack(data, 0, BIG, 500)
    assert (found, data[:4]) == (first, "RFH ".encode("cp500"))
    assert MQRFH2.unpack(data, at, found.encoding, found.ccsid) == (second, len(data))
    text = "<usr a='1'><x dt='int' >&lt;&#65;&#x42;&amp;lt;</x> <y xsi:nil='true'/><g><z/></g></usr>  \0"
    (folder,) = read_folders(text)
    x, y, group = folder.elements
    assert (x.value, x.type, y.value, group.elements) == ("<AB&lt;", "int", None, (Element("z"),))
    assert folder.get("a") == "1"


@given(some.lists(FOLDERS, max_size=3), some.sampled_from([BIG, 546]), some.sampled_from([1208, 1200]), TEXTS)
@settings(max_examples=60, deadline=None)
def test_what_is_packed_is_read_again_in_both_byte_orders(folders: list, encoding: int, names: int, tail: str):
    header = Header(tuple(folders), "MQSTR", encoding, 819, 0, names)
    data = MQRFH2.pack(header, encoding)
    assert len(data) % 4 == 0
    assert MQRFH2.unpack(b"before" + data + tail.encode(), 6, encoding) == (header, 6 + len(data))


DEEP = "<a>" * 60 + "</a>" * 60


@for_each(
    "text",
    ["<usr>", "usr", "<usr></jms>", "<usr/>text", "<a><b></b>text</a>", "<a b=c></a>", "</a>", "<a><!-- --></a>", DEEP],
)
def test_a_folder_with_wrong_syntax_is_2421(text: str):
    assert refusal(RfhError, "MQRFH2 must be folders", read_folders, text).reason == mq.MQRC_RFH_FORMAT_ERROR


def damaged(at: int, value: int) -> bytes:
    """A header with another number at this offset."""
    data = bytearray(MQRFH2.pack(Header((Element("usr", "a"),))))
    struct.pack_into("<i", data, at, value)
    return bytes(data)


WRONG = ((0, 0), (4, 1), (8, 20), (8, 4000), (16, 0), (32, 37), (36, 3), (36, -4), (36, 400))


@for_each("data", [b"", b"RFH ", *starmap(damaged, WRONG), MQRFH2.pack(Header(), BIG)])
def test_a_wrong_structure_is_2334(data: bytes):
    assert refusal(RfhError, "", MQRFH2.unpack, data).reason == mq.MQRC_RFH_ERROR
