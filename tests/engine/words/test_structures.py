"""MQ's own structures: fields, initial values, and what they refuse."""

from helpers import for_each, lab_error
from mqlab import GMO, MD, PMO
from mqlab.engine.queues.message import PLAIN, Context, Descriptor
from mqlab.engine.words import layouts
from mqlab.engine.words.layouts import keyword_of


def test_structures_have_mqs_initial_values_keep_text_without_padding_and_copy_themselves():
    md, gmo, pmo = MD(), GMO(), PMO()
    assert (md.MsgType, md.Expiry, md.Priority, md.Persistence, md.CodedCharSetId) == (8, -1, -1, 2, 0)
    assert (md.MsgId, md.MsgSeqNumber, md.OriginalLength, md.PutApplType) == (bytes(24), 1, -1, 0)
    assert (gmo.MatchOptions, gmo.WaitInterval, gmo.Options, gmo.GroupStatus) == (3, 0, 0, " ")
    assert (pmo.Options, pmo.Context, pmo.Timeout) == (0, None, -1)
    md = MD(ReplyToQ=b"REPLIES   ", Format="MQSTR\0\0\0", MsgId="A", AccountingToken=b"x")
    assert (md.ReplyToQ, md.Format, md.MsgId[:2], len(md.AccountingToken)) == ("REPLIES", "MQSTR", b"A\0", 32)
    md = MD(Priority=3)
    other = md.copy()
    assert other == md
    other.Priority = 4
    assert md.Priority == 3
    assert other != md
    assert md != GMO()
    assert repr(other) == "MD(Priority=4)"


@for_each(
    "wrong, words",
    (lambda: MD(Prioriti=1), "did you mean Priority"),
    (lambda: setattr(GMO(), "Wait", 5), "did you mean WaitInterval"),
    (lambda: PMO(zzz=1), "fields: Version"),
    (lambda: MD(Priority="5"), "whole number of 32 bits"),
    (lambda: MD(Expiry=2**31), "whole number of 32 bits"),
    (lambda: MD(Persistence=True), "whole number of 32 bits"),
    (lambda: MD(MsgId=b"x" * 25), "at most 24 bytes or characters; got 25"),
    (lambda: MD(UserIdentifier="x" * 13), "at most 12"),
    (lambda: MD(Format=b"\xff"), "UTF-8"),
    (lambda: MD(ReplyToQ=5), "bytes or str"),
)
def test_what_does_not_fit_is_refused(wrong, words):
    lab_error(words, wrong)


def test_a_message_keeps_the_fields_of_the_mqmd_under_the_keywords_of_its_layout():
    kept = {*Descriptor._fields, *Context._fields} - {"properties"}
    own = {"version", "expiry", "priority", "persistent", "msg_id", "correl_id", "backout_count"}
    assert {keyword_of(field.name) for field in layouts.MQMD.kept} == kept | own
    initial = {keyword_of(field.name): field.initial for field in layouts.MQMD.kept} | {"ccsid": 1208, "version": 1}
    assert Descriptor(**{word: initial[word] for word in Descriptor._fields if word != "properties"}) == PLAIN
