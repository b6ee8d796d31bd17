"""Message properties: names, types, handles, headers, PROPCTL, selectors; set and got through both ways."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from helpers import channel, for_each, lab_error, lab_with, made, mq_error, reason, refusal
from mqlab import GMO, MD, PMO, MQError, NotSimulated
from mqlab.engine.words import constants as mq
from mqlab.properties.rfh2 import MQRFH2, Element, Header

COLOUR = {"colour": "red"}
USR = MQRFH2.pack(Header((Element("usr", "", "", (Element("size", "7", "i4"),)),), "MQSTR"))
PSC = MQRFH2.pack(Header((Element("psc", "", "", (Element("Command", "RegSub"),)),), "MQSTR"))
VALUES = some.one_of(
    some.none(),
    some.booleans(),
    some.binary(max_size=8),
    some.text(some.characters(blacklist_categories=("Cs", "Cc")), max_size=8),
    some.integers(-(2**63), 2**63 - 1),
    some.floats(allow_nan=False),
)


@pytest.fixture
def q(lab):
    return made("DEFINE QLOCAL(Q)", of=lab, level=930)


def through(qm, gmo: GMO | None = None, **put):
    """What a get returns of a message with these properties."""
    qm.put("Q", put.pop("body", b"tea"), **put)
    md = MD()
    return qm.get("Q", gmo=gmo or GMO(), md=md), md


@pytest.mark.rule("PRP-01")
def test_a_message_has_properties(q):
    q.put("Q", "tea", properties={"usr.colour": "red", "size": 7, "shop.open": True, "JMSType": "order"})
    message = q.get("Q")
    assert (message.body, message.format) == (b"tea", "")
    assert message.properties == {"colour": "red", "size": 7, "shop.open": True, "JMSType": "order"}
    assert q.put("Q", b"plain").properties == {}
    q.mqsc("ALTER QMGR MAXPROPL(8)").require()
    assert reason(lambda: q.put("Q", properties=COLOUR)) == 2478
    assert not q.mqsc("ALTER QMGR MAXPROPL(NOLIMIT)").replies[0].kept_only


@for_each(
    "name, code",
    ("", 2513),
    ("a" * 4096, 2513),
    ("a b", 2442),
    ("1a", 2442),
    ("a..b", 2442),
    ("a.", 2442),
    ("a-b", 2442),
    ("Like", 2442),
    ("JMSPriority", 2442),
    ("usr.JMSThing", 2442),
    ("mq.a.b", 2442),
    ("other.b", 2498),
    ("other.b.c.d", 2498),
)
def test_a_name_that_no_property_may_have(q, name: str, code: int):
    handle = q.message_handle()
    handle.set("other.b.c", 1)
    assert reason(lambda: handle.set(name, 1)) == code
    free = q.message_handle(validate=False)
    free.set(name or "x", 1)


@pytest.mark.rule("PRP-02")
def test_an_inquiry_returns_each_property_in_turn(q):
    handle = q.message_handle()
    for name in ("Property_0", "Property_1", "shop.size"):
        handle.set(name, len(name), mq.MQTYPE_INT8)
    assert handle.inquire("usr.Property_1").value == 10
    found = [handle.inquire("usr.%").name]
    found.append(handle.inquire("usr.%", mq.MQIMPO_INQ_NEXT).name)
    assert (found, reason(lambda: handle.inquire("usr.%", mq.MQIMPO_INQ_NEXT))) == (["Property_0", "Property_1"], 2471)
    assert handle.inquire("%", mq.MQIMPO_INQ_NEXT).name == "Property_0"  # another name begins again
    assert handle.inquire("%", mq.MQIMPO_INQ_PROP_UNDER_CURSOR).length == 1
    handle.delete("Property_0")
    assert reason(lambda: handle.delete("Property_0")) == 2471
    handle.set("text", "long value")
    refused = mq_error(lambda: handle.inquire("text", longest=4))
    assert (refused.reason, refused.message.length) == (2469, 10)
    assert handle.inquire("text", mq.MQIMPO_QUERY_LENGTH, longest=4).length == 10
    assert reason(lambda: handle.inquire("text", longest_name=2)) == 2465
    assert reason(lambda: handle.inquire("text", options=64)) == 2046
    assert reason(lambda: handle.inquire("text", type=3)) == 2473
    handle.close()
    assert (reason(lambda: handle.inquire("text")), reason(lambda: handle.set("text", ""))) == (2460, 2460)


def test_the_place_of_a_property_among_the_others(q):
    handle = q.message_handle()
    handle.set("a", 1)
    handle.set("b", 2)
    handle.inquire("a")
    handle.set("c", 3, options=mq.MQSMPO_SET_PROP_AFTER_CURSOR)
    handle.set("d", 4, options=mq.MQSMPO_SET_PROP_BEFORE_CURSOR)
    handle.set("a", 5, options=mq.MQSMPO_APPEND_PROPERTY)
    assert list(handle.properties) == ["d", "c", "b", "a"]
    assert reason(lambda: handle.set("b", 2, options=mq.MQSMPO_SET_PROP_UNDER_CURSOR)) == 2471
    assert reason(lambda: handle.set("b", 2, options=3)) == 2046
    assert reason(lambda: handle.set("b", 2, context=7)) == 2482
    lab_error("MQTYPE_INT8; got 300", handle.set, "b", 300, mq.MQTYPE_INT8)
    refusal(NotSimulated, "", handle.set, "Root.MQMD.Priority", 1)


@pytest.mark.rule("PRP-03")
def test_a_value_is_converted_to_another_type(q):
    handle = q.message_handle()
    as_type = mq.MQIMPO_CONVERT_TYPE
    for name, value in (("t", "12"), ("n", 5), ("b", True), ("x", b"\x0a"), ("f", 1.5), ("w", "cup")):
        handle.set(name, value)
    assert handle.inquire("t", as_type, mq.MQTYPE_INT16).value == 12
    assert handle.inquire("n", as_type, mq.MQTYPE_INT64).length == 8
    texts = [handle.inquire(name, as_type, mq.MQTYPE_STRING).value for name in "nbxf"]
    assert (texts, reason(lambda: handle.inquire("n", as_type, mq.MQTYPE_INT8))) == (["5", "TRUE", "0A", "1.5"], 2470)
    assert reason(lambda: handle.inquire("x", as_type, mq.MQTYPE_INT8)) == 2470
    assert reason(lambda: handle.inquire("w", as_type, mq.MQTYPE_INT8)) == 2472


@pytest.mark.needs("pubsub")
@pytest.mark.rule("PRP-04", event=False)
def test_properties_go_to_related_messages_as_their_copy_options_say(q):
    q.mqsc("DEFINE QLOCAL(R); DEFINE TOPIC(T) TOPICSTR('t'); DEFINE SUB(S) TOPICSTR('t') DEST(R)").require()
    handle = q.message_handle()
    handle.set("always", 1, copy=mq.MQCOPY_ALL)
    handle.set("usual", 2)
    handle.set("reply", 3, copy=mq.MQCOPY_REPLY)
    handle.set("never", 4, copy=mq.MQCOPY_NONE)
    q.put("Q", report=mq.MQRO_COA, reply_to_q="R", pmo=PMO(OriginalMsgHandle=handle))
    assert q.get("R").properties == {"always": 1, "usual": 2}
    message = q.get("Q")
    assert list(message.properties) == ["always", "usual", "reply", "never"]
    q.reply(message)
    assert list(q.get("R").properties) == ["always", "reply"]
    q.forward(message, "R")
    assert [list(q.get("R").properties) for _ in "12"] == [["always", "usual"]] * 2  # the message, and its report
    new = q.message_handle()
    new.set("own", 5)
    q.put("R", pmo=PMO(OriginalMsgHandle=handle, NewMsgHandle=new, Action=mq.MQACTP_REPLY))
    assert list(new.properties) == list(q.get("R").properties) == ["always", "reply", "own"]
    assert reason(lambda: q.put("R", pmo=PMO(Action=9))) == 2535
    assert reason(lambda: q.put("R", pmo=PMO(Action=mq.MQACTP_FORWARD))) == 2460
    assert reason(lambda: q.put("R", pmo=PMO(OriginalMsgHandle=5))) == 2460
    q.publish("t", b"news", pmo=PMO(OriginalMsgHandle=handle))
    assert list(q.get("R").properties) == ["always", "usual", "MQTopicString"]


@pytest.mark.rule("PRP-05")
def test_a_header_in_the_data_is_checked(q):
    assert q.put("Q", USR + b"tea", format="MQHRF2").properties == {"size": 7}
    assert reason(lambda: q.put("Q", b"no header", format="MQHRF2")) == 2334
    assert reason(lambda: q.put("Q", USR.replace(b"</usr>", b"</xyz>"), format="MQHRF2")) == 2421
    assert (reason(lambda: q.put("Q", b"no header", md=MD(Format="MQHRF2"))), q.get("Q").body) == (2334, b"tea")


@pytest.mark.rule("PRP-06", event=False)
@for_each(
    "control, in_handle, plain",
    ("COMPAT", "tea colour size", USR + b"tea"),
    ("ALL", "tea colour size", USR + b"tea"),
    ("NONE", "tea colour size", b"tea"),
    ("FORCE", "", USR + b"tea"),
    ("V6COMPAT", "colour", USR + b"tea"),
)
def test_propctl_of_the_queue(q, control: str, in_handle: str, plain: bytes):
    assert not q.mqsc(f"ALTER QLOCAL(Q) PROPCTL({control})").replies[0].kept_only
    handle = q.message_handle()
    both = {"body": USR + b"tea", "format": "MQHRF2"}
    q.put("Q", properties=COLOUR, **both)
    message = q.get("Q", gmo=GMO(MsgHandle=handle))
    assert sorted(handle.properties) == sorted(in_handle.replace("tea", "").split())
    if "tea" in in_handle:
        assert (message.body, message.format) == (b"tea", "MQSTR")
    message, md = through(q, **both)
    assert message.body == plain
    assert md.Format == ("MQSTR" if plain == b"tea" else "MQHRF2")
    message, md = through(q, properties=COLOUR)
    assert message.body.endswith(b"tea")
    header = control in ("COMPAT", "ALL", "FORCE")
    assert (b"<usr><colour>red</colour></usr>" in message.body) is header
    assert (md.Format == "MQHRF2") is header


def test_the_options_of_a_get_say_how_properties_are_returned(q):
    way = {"properties": {"shop.size": 1}}
    assert through(q, **way)[0].body == b"tea"  # no property of JMS: discarded
    assert through(q, GMO(Options=mq.MQGMO_PROPERTIES_COMPATIBILITY), **way)[0].body == b"tea"
    assert through(q, GMO(Options=mq.MQGMO_NO_PROPERTIES), properties=COLOUR)[0].properties == {}
    forced, md = through(q, GMO(Options=mq.MQGMO_PROPERTIES_FORCE_MQRFH2), **way)
    header, at = MQRFH2.unpack(forced.body)
    assert (header.folders[0].get("content"), forced.body[at:], md.Format) == ("properties", b"tea", "MQHRF2")
    q.put("Q", b"tea", properties=COLOUR)
    long = GMO(Options=mq.MQGMO_PROPERTIES_FORCE_MQRFH2)
    assert reason(lambda: q.get("Q", gmo=long, buffer_length=3)) == 2080  # the header counts
    assert q.get("Q", buffer_length=3).body == b"tea"
    assert reason(lambda: q.get("Q", gmo=GMO(Options=mq.MQGMO_PROPERTIES_IN_HANDLE))) == 2460
    two = mq.MQGMO_PROPERTIES_IN_HANDLE | mq.MQGMO_NO_PROPERTIES
    assert reason(lambda: q.get("Q", gmo=GMO(Options=two, MsgHandle=q.message_handle()))) == 2046


def test_folders_without_properties_stay_in_the_data(q):
    handle = q.message_handle()
    q.put("Q", PSC + b"x", format="MQHRF2")
    assert q.get("Q", gmo=GMO(MsgHandle=handle)).body == PSC + b"x"
    header = MQRFH2.unpack(PSC)[0]
    both = MQRFH2.pack(header._replace(folders=header.folders + MQRFH2.unpack(USR)[0].folders))
    q.put("Q", both + b"x", format="MQHRF2")
    assert (q.get("Q", gmo=GMO(MsgHandle=handle)).body, handle.properties) == (PSC + b"x", {"size": 7})
    assert handle.inquire("Root.MQMD.Format").value == "MQHRF2"


@given(some.dictionaries(some.from_regex(r"[a-z]{1,3}(\.x[a-z]{1,2})?", fullmatch=True), VALUES, max_size=5))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_properties_set_are_properties_got_by_handle_and_by_header(q, values):
    try:
        q.put("Q", b"x", properties=values)
    except MQError as refused:
        assert refused.reason in (2442, 2498)
        return
    q.put("Q", b"x", properties=values)
    handle = q.message_handle()
    assert q.get("Q", gmo=GMO(MsgHandle=handle)).body == b"x"
    forced = q.get("Q", gmo=GMO(Options=mq.MQGMO_PROPERTIES_FORCE_MQRFH2))
    assert handle.properties == forced.properties == values
    q.put("Q", forced.body, format=forced.format)
    assert q.get("Q").properties == values


def joined(lab, level: int, control: str = "COMPAT"):
    """Two queue managers with a channel from the first, whose command level is 930, to the second."""
    one, two = lab.queue_manager("QM1", level=930), lab.queue_manager("QM2", level=level)
    return channel(one, two, f"PROPCTL({control})\nSTART CHANNEL(QM1.QM2)", name="QM1.QM2")


def test_properties_go_over_a_channel_and_to_the_dead_letter_queue(lab):
    one, two = joined(lab, 930)
    two.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(1); ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
    for _ in range(2):
        one.put("Q@QM2", b"tea", properties=COLOUR)
    lab.run()
    assert (two.get("Q").properties, two.get("SYSTEM.DEAD.LETTER.QUEUE").properties) == (COLOUR, COLOUR)


@pytest.mark.parametrize(
    ("control", "name", "there"),
    [("COMPAT", "colour", True), ("COMPAT", "shop.colour", False), ("ALL", "shop.colour", True), ("NONE", "c", False)],
)
def test_propctl_of_a_channel_to_an_old_queue_manager(lab, control: str, name: str, there: bool):
    one, two = joined(lab, 600, control)
    two.mqsc("DEFINE QLOCAL(Q)").require()
    grouped = MD(Format="MQSTR", MsgFlags=mq.MQMF_LAST_MSG_IN_GROUP)
    for md in (MD(Format="MQSTR"), grouped):
        one.put("Q@QM2", b"tea", properties={name: "red"}, md=md)
        lab.run()
        message = two.get("Q")
        assert (message.format, message.body.startswith(b"RFH ")) == (("MQHRF2", True) if there else ("MQSTR", False))
        assert message.properties == ({name: "red"} if there else {})


@pytest.mark.rule("PRP-07")
def test_a_selector_chooses_messages(q):
    for colour, size in (("red", 1), ("blue", 2), ("red", 3)):
        q.put("Q", colour, properties={"colour": colour, "size": size}, priority=size, msg_id=colour)
    with q.open("Q", input="shared", browse=True, selector="colour = 'red' AND Root.MQMD.Priority < 3") as handle:
        assert (handle.browse_first().properties["size"], reason(handle.browse_next)) == (1, 2033)
        assert handle.get().properties["size"] == 1
        refused = mq_error(handle.get)
        assert (refused.reason, refused.rule) == (2033, "PRP-07")
    with q.open("Q", input="shared", selector="JMSPriority = 2 OR JMSMessageID LIKE 'ID:626c%'") as handle:
        assert [message.body for message in handle.drain()] == [b"blue"]


@for_each(
    "selector, uses, code",
    ("colour =", {"input": "shared"}, 2459),
    ("TRUE <> TRUE", {"browse": True}, 2504),
    ("colour = 'red'", {"output": True}, 2516),
    ("a" * 10_241, {"browse": True}, 2519),
)
def test_a_selector_that_an_open_refuses(q, selector: str, uses: dict, code: int):
    assert reason(lambda: q.open("Q", selector=selector, **uses)) == code


@for_each("platform, left", [("zos", 1), ("distributed", 2)])
def test_a_get_with_a_selector_discards_expired_messages_it_passes_on_zos(platform, left):
    lab, qm = lab_with("DEFINE QLOCAL(Q)", platform=platform, **{} if platform == "zos" else {"expiry_interval": 0})
    with qm.open("Q", input="shared", browse=True, selector="size = 2") as handle:
        qm.put("Q", b"dead", expiry=10, properties={"size": 1})
        qm.put("Q", b"other", properties={"size": 1})
        assert reason(handle.browse_first) == 2033
        lab.advance(2)
        assert (reason(handle.browse_first), qm.depth("Q")) == (2033, left)


def test_a_get_with_a_selector_waits_for_its_message(lab, q):
    found = []

    def reader(app):
        with app.open("Q", input="shared", selector="size BETWEEN 2 AND 3") as handle:
            found.append(handle.get(wait=60).body)

    q.run_program("READER", reader)
    for size in (1, 3):
        lab.advance(5)
        q.put("Q", str(size), properties={"size": size})
    lab.run()
    assert (found, q.depth("Q")) == ([b"3"], 1)


def test_before_level_700_there_are_no_properties(lab):
    old = made("DEFINE QLOCAL(Q)", "OLD", of=lab, level=530)
    for call in (lambda: old.put("Q", properties=COLOUR), old.message_handle):
        lab_error("command level 700", call)
    old.put("Q", b"no header", format="MQHRF2")
    assert old.get("Q").body == b"no header"


@pytest.mark.rule("PRP-08", event=False)
def test_a_get_converts_data(q):
    convert = mq.MQGMO_CONVERT
    q.put("Q", "Grüße".encode(), md=MD(Format="MQSTR", Priority=1))
    md = MD(CodedCharSetId=500, Encoding=0x111)
    message = q.get("Q", md=md, gmo=GMO(Options=convert), buffer_length=7)
    assert (message.body, message.warning) == ("Grüße".encode("cp500"), 0)
    assert (md.CodedCharSetId, md.Encoding, md.Priority, message.length) == (500, 0x111, 1, 5)
    q.put("Q", "Grüße".encode("cp500"), md=MD(Format="MQSTR", CodedCharSetId=500))
    md = MD()
    assert q.get("Q", md=md, gmo=GMO(Options=convert)).body == "Grüße".encode()
    for format, body, warning in (("", b"tea", 2110), ("MQSTR", b"\xff", 2119)):
        q.put("Q", body, md=MD(Format=format))
        md = MD(CodedCharSetId=500)
        message = q.get("Q", md=md, gmo=GMO(Options=convert))
        assert (message.body, message.warning, md.CodedCharSetId) == (body, warning, 1208)
    long = {"gmo": GMO(Options=convert), "buffer_length": 4}
    for options, body, warning in ((0, b"\xfc\xfc\xfc", 2120), (mq.MQGMO_ACCEPT_TRUNCATED_MSG, "üü".encode(), 2079)):
        q.put("Q", b"\xfc\xfc\xfc", md=MD(Format="MQSTR", CodedCharSetId=819))
        long["gmo"].Options |= options
        message = q.get("Q", md=MD(), **long)
        assert (message.body, message.warning) == (body, warning)
    q.put("Q", b"tea", md=MD(Format=""))
    assert q.get("Q", gmo=GMO(Options=convert)).warning == 0  # in the right form already


def test_text_put_on_zos_is_utf_8_and_says_so(lab):
    zos = made("DEFINE QLOCAL(Q)", "CSQ1", of=lab, platform="zos")
    zos.put("Q", "tea", md=MD(Format="MQSTR"))
    md = MD()
    message = zos.get("Q", md=md, gmo=GMO(Options=mq.MQGMO_CONVERT | mq.MQGMO_NO_SYNCPOINT))
    assert (message.body, md.CodedCharSetId) == ("tea".encode("cp500"), 500)


@pytest.mark.needs("pubsub")
@pytest.mark.rule("PRP-07")
def test_a_subscription_of_a_program_selects_publications(q):
    app = q.connect("SHOP")
    assert reason(lambda: app.subscribe("price", selector="colour =")) == 2551
    assert reason(lambda: app.subscribe("price", selector="1 = 2")) == 2504
    q.publish("price", "old", retain=True, properties={"colour": "blue"})
    with app.subscribe("price", selector="colour = 'red'") as red:
        for colour in ("red", "blue"):
            q.publish("price", colour, properties={"colour": colour})
        assert (red.get().body, reason(red.get)) == (b"red", 2033)
