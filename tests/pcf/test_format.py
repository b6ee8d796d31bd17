"""Programmable command format is true to the byte, whatever is in a message, and its errors have MQ's reasons."""

import pickle
import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import for_each, refusal
from mqlab.engine.words import constants as mq
from mqlab.pcf import format as pcf

INTS = st.integers(-(2**31), 2**31 - 1)
LONG = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
ITEMS = st.lists(TEXT.map(lambda text: text.rstrip(" ")), max_size=4).map(tuple)
BYTES = st.binary(max_size=9)


def sort(name, values):
    return st.builds(lambda id, value: pcf.Parameter(name, id, value), INTS, values)


def comparison(name, values):
    return st.builds(lambda id, value, operator: pcf.Parameter(name, id, value, operator), INTS, values, INTS)


SINGLE = st.one_of(
    sort("CFIN", INTS),
    sort("CFIN64", LONG),
    sort("CFIL", st.lists(INTS, max_size=4).map(tuple)),
    sort("CFIL64", st.lists(LONG, max_size=4).map(tuple)),
    sort("CFST", TEXT),
    sort("CFSL", ITEMS),
    sort("CFBS", BYTES),
    comparison("CFIF", INTS),
    comparison("CFSF", TEXT),
    comparison("CFBF", BYTES),
)
PARAMETERS = st.lists(
    st.recursive(SINGLE, lambda inner: sort("CFGR", st.lists(inner, max_size=3).map(tuple)), max_leaves=5), max_size=4
).map(tuple)
HEADERS = st.builds(pcf.Header, INTS, INTS, INTS, INTS, INTS, INTS, INTS)
BIG = 273


@settings(max_examples=60)
@given(HEADERS, PARAMETERS, st.sampled_from((mq.MQENC_NATIVE, BIG)))
def test_what_is_packed_is_read_again(header, parameters, encoding):
    data = pcf.pack(header, parameters, encoding)
    assert len(data) % 4 == 0
    assert pcf.unpack(data, encoding) == (header, parameters)


@settings(max_examples=50)
@given(st.binary(max_size=80), st.sampled_from((mq.MQENC_NATIVE, BIG)))
def test_other_bytes_are_refused_with_a_reason(noise, encoding):
    head = pcf.pack(pcf.Header(mq.MQCFT_COMMAND, 13), (), encoding)
    for data in (noise, head[:32] + noise, head + noise):
        try:
            pcf.unpack(data, encoding)
        except pcf.PCFError as error:
            assert 3000 < error.reason < 4000


def test_a_message_has_its_fields_where_mq_has_them():
    command = pcf.Header(mq.MQCFT_COMMAND, 13, version=3)
    data = pcf.pack(command, [pcf.string(2016, "ORDERS", 48), pcf.integer(20, 1)])
    assert struct.unpack_from("<9i", data) == (1, 36, 3, 13, 1, 1, 0, 0, 2)
    assert struct.unpack_from("<5i", data, 36) == (4, 68, 2016, 1208, 48)
    assert data[56:104] == b"ORDERS".ljust(48)
    assert struct.unpack_from("<4i", data, 104) == (3, 16, 20, 1)


def test_a_group_counts_as_one_parameter():
    data = pcf.pack(pcf.Header(2, 1), [pcf.group(8000, [pcf.integer(1, 5), pcf.strings(2, ("A", "LONG"))])])
    assert struct.unpack_from("<i", data, 32) == (1,)
    assert struct.unpack_from("<4i", data, 36) == (20, 16, 8000, 2)
    assert struct.unpack_from("<6i", data, 68) == (6, 32, 2, 1208, 2, 4)
    assert data[92:] == b"A   LONG"


def test_texts_are_read_in_their_own_characters_or_in_those_of_the_message():
    header = pcf.Header(1, 38)
    assert pcf.unpack(pcf.pack(header, [pcf.string(3014, "PING QMGR")], ccsid=500)).parameters[0].value == "PING QMGR"
    default = bytearray(pcf.pack(header, [pcf.string(3014, "AÄ")], ccsid=819))
    struct.pack_into("<i", default, 36 + 12, 0)
    assert pcf.unpack(bytes(default), ccsid=819).parameters[0].value == "AÄ"
    # in the field of another program, a text ends where its nuls begin
    data = pcf.pack(pcf.Header(1, 1), [pcf.string(2020, "ab\0\0"), pcf.strings(2020, ("ab\0\0", "c"))])
    assert [one.value for one in pcf.unpack(data).parameters] == ["ab", ("ab", "c")]


ONE = pcf.pack(pcf.Header(1, 13), [pcf.string(2016, "A")])
LIST = pcf.pack(pcf.Header(1, 13), [pcf.integers(1002, (1, 2))])
FILTER = pcf.pack(pcf.Header(1, 13), [pcf.Parameter("CFSF", 2013, "A*", mq.MQCFOP_LIKE)])


@for_each(
    "data, at, value, reason",
    (ONE, 4, 40, 3002),
    (ONE, 32, -1, 3006),
    (ONE, 32, 0, 3016),
    (ONE, 32, 2, 3016),
    (ONE, 36, 99, 3013),
    (ONE, 40, 16, 3010),
    (ONE, 40, 400, 3016),
    (ONE, 48, 60, 3049),
    (ONE, 52, -1, 3011),
    (ONE, 52, 5, 3011),
    (LIST, 40, 14, 3028),
    (LIST, 48, 3, 3027),
    (LIST, 48, -1, 3027),
    (LIST, 36, 3, 3009),
    (LIST, 36, 6, 3069),
    (LIST, 36, 20, 3258),
    (LIST, 36, 13, 3241),
    (LIST, 36, 14, 3244),
    (FILTER, 40, 20, 3245),
    (FILTER, 56, 9, 3244),
)
def test_a_field_that_does_not_fit_is_refused_with_its_reason(data, at, value, reason):
    wrong = bytearray(data)
    struct.pack_into("<i", wrong, at, value)
    assert refusal(pcf.PCFError, "", pcf.unpack, bytes(wrong)).reason == reason
    refusal(pcf.PCFError, "3016 MQRCCF_MSG_LENGTH_ERROR", pcf.unpack, ONE[:35])


def test_pickle_carries_an_error():
    error = pcf.PCFError(3001, "nothing", 5)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), repr(copy), copy.args) == (type(error), str(error), repr(error), error.args)
    assert vars(copy) == vars(error)
