"""Whatever a command has in it, the command server answers with a reason of MQ, and goes on."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import lab_with
from mqlab.engine.words.catalog import KINDS
from mqlab.engine.words.errors import REASONS
from mqlab.pcf import format as pcf
from mqlab.pcf import numbers
from mqlab.pcf.commands import LISTS, commands

KNOWN = {number for kind in (*numbers.table()[0], *KINDS) for number in numbers.parameters(kind).values()}
IDS = st.sampled_from(sorted({*KNOWN, *LISTS, 1005, 1006, 1007, 3001, 3002, 3080, 7007, 99_999}))
NUMBERS = st.sampled_from((-1, 0, 1, 2, 3, 5, 1009, 99_999))
TEXTS = st.sampled_from(("A", "*", "A*", "", "x" * 60, "a'b", ")", "ä{$}", "\n"))
VALUES = {
    "CFIN": NUMBERS,
    "CFST": TEXTS,
    "CFIL": st.lists(NUMBERS, max_size=3).map(tuple),
    "CFSL": st.lists(TEXTS, max_size=3).map(tuple),
    "CFBS": st.binary(max_size=3),
    "CFIF": NUMBERS,
    "CFSF": TEXTS,
}


@st.composite
def parameters(draw, entry):
    own = sorted(numbers.keywords(entry.object)) or [2016]
    found = [pcf.string(entry.named_by, draw(st.sampled_from(("A", "A*", "Z"))))] if entry.named_by else []
    for _ in range(draw(st.integers(0, 3))):
        id = draw(st.one_of(st.sampled_from(own), st.sampled_from(own), IDS))
        usual = "CFIN" if id < 2001 else "CFST" if id < 7001 else "CFBS"
        sort = draw(st.one_of(st.just(usual), st.just(usual), st.sampled_from(sorted(VALUES))))
        found.append(pcf.Parameter(sort, id, draw(VALUES[sort]), draw(st.sampled_from((2, 4, 18, 99)))))
    return found


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from(sorted(commands())), st.sampled_from(("distributed", "zos")))
def test_a_command_of_any_parameters_is_answered(data, command, platform):
    text = "DEFINE QLOCAL(A)\nDEFINE TOPIC(A) TOPICSTR(A)\nDEFINE SUB(A) TOPICSTR(A) DEST(A)\nDEFINE QLOCAL(REPLIES)"
    lab, qm = lab_with(text, platform=platform)
    body = pcf.pack(pcf.Header(16, command, 3), data.draw(parameters(commands()[command])))
    app = qm.connect("fuzz")
    app.put("SYSTEM.ADMIN.COMMAND.QUEUE", body, msg_type=1, reply_to_q="REPLIES", format="MQADMIN")
    lab.advance(5)
    heads = [pcf.unpack(one.body).header for one in app.drain("REPLIES")]
    assert [head.control for head in heads] == [0] * (len(heads) - 1) + [1]
    assert {head.reason for head in heads} <= {*REASONS}
