"""The IMS information header and IMS data: bytes as the documents give them, and what is refused."""

import pickle

from helpers import for_each, lab_error, refusal
from mqlab.bridges.headers import MQIIH, BadSegments, ImsHeader, join_segments, split_segments


def test_a_header_is_84_bytes_and_read_as_packed_and_a_segment_has_a_longest_length():
    packed = MQIIH.pack(ImsHeader())
    assert packed == (b"IIH \x01\0\0\0\x54\0\0\0" + bytes(8) + b" " * 8 + bytes(4) + b" " * 32 + bytes(16) + b" 0C ")
    assert len(packed) == MQIIH.LENGTH == 84
    header = ImsHeader("MQSTR", 9, "LTERM", "MAP", "REPLY", "PASSWORD", bytes(range(16)), "C", "1", "F")
    assert MQIIH.unpack(MQIIH.pack(header) + b"data") == header
    lab_error("at most 32760 bytes; got 32761", join_segments, bytes(32761))


@for_each(
    "body",
    b"",
    b"IIH ",
    MQIIH.pack(ImsHeader())[:83],
    b"CIH " + MQIIH.pack(ImsHeader())[4:],
    MQIIH.pack(ImsHeader())[:4] + b"\x02" + MQIIH.pack(ImsHeader())[5:],
    MQIIH.pack(ImsHeader())[:8] + b"\x55" + MQIIH.pack(ImsHeader())[9:],
)
def test_what_is_no_header_is_refused(body):
    lab_error("MQIIH must be 84 bytes", MQIIH.unpack, body)


@for_each("segments", [(b"TRAN data",), (b"", b"x"), (b"a", b"bb" * 100, b"c"), (bytes(32760),)])
def test_segments_come_back_as_they_were(segments):
    assert split_segments(join_segments(*segments)) == list(segments)


@for_each(
    "data, feedback",
    (b"", 291),
    (b"\0\0\0\0", 291),
    (b"\x03\0\0\0", 291),
    (b"\xff\xff\0\0", 292),
    (b"\xff\x7f\0\0", 293),
    (b"\x10\0\0\0abc", 294),
    (b"\x08\0\0\0abc", 295),
    (b"\x06\0\0\0abc", 295),
    (b"\x05\0\0\0abc", 294),
)
def test_lengths_that_do_not_add_up_have_their_feedback_code(data, feedback):
    assert refusal(BadSegments, "", split_segments, data).feedback == feedback


def test_pickle_carries_an_error():
    error = BadSegments(7, "2 bytes")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), repr(copy), copy.args) == (type(error), str(error), repr(error), error.args)
    assert vars(copy) == vars(error)
