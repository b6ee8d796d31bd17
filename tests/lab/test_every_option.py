"""Each bit of the options of each call is refused, changes what happens, or is named in the row of the call.

For each call there are situations, each with options that the others of a bit need. In a situation, the call with a bit
and the call without it are made in two new labs that are the same, and everything that can be seen is compared: the
rows of the log, what the call returns, and what it writes into its structures.
"""

import pytest

from clustered import Demo
from helpers import made
from mqlab import Lab, MQError
from mqlab import constants as mq
from mqlab.engine.explain.words import told
from mqlab.engine.words.errors import LabError, NotSimulated
from mqlab.engine.words.structures import GMO, MD, PMO
from mqlab.pubsub.structures import CBD, CTLO, SD, SRO

pytestmark = pytest.mark.needs("admin", "properties", "pubsub")

QUIESCING = "it acts while the queue manager ends, or the channel of a client: tests/gates/test_ending.py"
EXEMPT = {
    "MQPMO": {
        "FAIL_IF_QUIESCING": QUIESCING,
        "DEFAULT_CONTEXT": "a put without an option of context has this context",
        "SYNC_RESPONSE": "every put without MQPMO_ASYNC_RESPONSE is answered at once; the open says DEFPRESP(ASYNC)",
    },
    "MQGMO": {"FAIL_IF_QUIESCING": QUIESCING},
    "MQSO": {
        "FAIL_IF_QUIESCING": QUIESCING,
        "WILDCARD_TOPIC": "wildcards are of a topic level unless MQSO_WILDCARD_CHAR is given",
        "FIXED_USERID": "the user is fixed unless MQSO_ANY_USERID is given",
    },
    "MQSRO": {"FAIL_IF_QUIESCING": QUIESCING},
    "MQCBDO": {"FAIL_IF_QUIESCING": QUIESCING},
    "MQCTLO": {"FAIL_IF_QUIESCING": QUIESCING},
    "MQCNO": {
        "RECONNECT": "it acts when the connection of a client breaks: tests/gates/test_reconnect.py",
        "RECONNECT_Q_MGR": "as MQCNO_RECONNECT",
        "RECONNECT_DISABLED": "no connection is made again",
        "NO_CONV_SHARING": "it counts for clients, which share an instance of their channel (GAT-05)",
        "LOCAL_BINDING": "a program that gives no channel runs where its queue manager runs",
        **dict.fromkeys(
            ("HANDLE_SHARE_NONE", "HANDLE_SHARE_BLOCK", "HANDLE_SHARE_NO_BLOCK"),
            "threads share a handle only with IBM's library, which acts on it: tests/ibmmq/test_threads.py",
        ),
    },
}
"""The options that do nothing and are named in no row, by call, each with the reason."""


def seen(lab):
    """Everything that the log has, but what it says about options that nothing acts on."""
    rows = []
    for row in lab.events:
        facts = {name: value for name, value in row.facts.items() if name != "kept_only"} if row.detail else {}
        rows.append((*(value for name, value in row._asdict().items() if name != "detail"), repr(facts)))
    return rows


def outcome(situation, options):
    """What a call with these options does in a situation: whether it is taken, what can be seen of it, the names that
    its rows have, and their sentences."""
    lab = Lab()
    try:
        answer = situation(lab, options)
    except (MQError, NotSimulated, LabError) as refused:
        return False, None, (), str(refused)
    kept = [name for row in lab.events if row.detail for name in row.facts.get("kept_only", ())]
    return True, (repr(answer), seen(lab)), kept, " ".join(map(told, lab.events))


def silent(prefix, situations):
    """The names of the bits that are taken and do nothing that can be seen, in any situation, and are in no row."""
    names = {value: name for name, value in mq.named(f"{prefix}_").items() if value.bit_count() == 1}
    found = []
    for bit in (1 << number for number in range(31)):
        name = names.get(bit, f"{bit:#x}").removeprefix(f"{prefix}_")
        taken = False
        for situation, options in situations:
            if options & bit:
                continue
            ok, what, kept, sentences = outcome(situation, options | bit)
            taken |= ok
            if (ok and f"{prefix}_{name}" in kept and f"{prefix}_{name}" in sentences) or (
                ok and what != outcome(situation, options)[1]
            ):
                break
        else:
            found += [name] if taken else []
    return found


# MQPUT, MQPUT1


OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(FULL) MAXDEPTH(0)
    DEFINE QLOCAL(WAY) USAGE(XMITQ)
    DEFINE QREMOTE(R) RNAME(FAR) RQMNAME(QM2) XMITQ(WAY)"""
"""What the situations use."""


def fields(structure):
    """What a call wrote into its structure."""
    return {name: getattr(structure, name) for name in structure.FIELDS if name not in ("Options", "Context")}


def put(queue, by_name=False, platform="distributed"):
    """A put with identifiers, a context, and a place in a group."""

    def situation(lab, options):
        qm = made(OBJECTS, of=lab, platform=platform)
        app = qm.connect("APP")
        source = app.open("Q", input="shared", save_all_context=True)
        qm.connect("FIRST", user="anna").put("Q", b"first")
        source.get()
        handle = app.open(queue, output=True, set_all=True, pass_all=True)
        md = MD(MsgId=b"1" * 24, CorrelId=b"2" * 24, UserIdentifier="other", MsgFlags=mq.MQMF_MSG_IN_GROUP)
        md.GroupId, md.PutApplName = b"3" * 24, "elsewhere"
        pmo = PMO(Options=options, Context=source)
        done = app.put(queue, b"x", md=md, pmo=pmo) if by_name else handle.put(b"x", md=md, pmo=pmo)
        found = None if done is None else done.md
        in_unit = app.work is not None and len(app.work.puts)
        return repr(found), fields(md), fields(pmo), in_unit, app.status_of_puts()._replace(target=None)

    return situation


def publication(lab, options):
    """A publication of a program that subscribes, with a ReplyToQ, to a topic of a cluster of two queue managers, the
    other of which subscribes too."""
    demo = Demo(full=("QM1", "QM2"), partial=(), lab=lab, ready=0)
    for name in demo.names:
        demo(name, f"{OBJECTS}\nDEFINE TOPIC(T) TOPICSTR('t') CLUSTER(DEMO)")
    lab["QM2"].connect("OTHER").subscribe("t/own")
    lab.advance(5)
    app = lab["QM1"].connect("APP")
    subscription = app.subscribe("t/own")
    pmo = PMO(Options=options)
    handle = app.open_topic("t/own")
    done = handle.put(b"x", md=MD(ReplyToQ="Q", MsgId=b"1" * 24, CorrelId=b"2" * 24), pmo=pmo)
    got = [message.md for message in subscription.drain()]
    nobody = app.publish("t/none", b"y", pmo=PMO(Options=options))
    return done.warning, repr(got), fields(pmo), len(done.copies), nobody.warning


SITUATIONS = {
    "MQPMO": [
        *((put(queue, by_name), 0) for queue in ("Q", "R", "FULL") for by_name in (False, True)),
        (put("Q", platform="zos"), 0),
        (publication, 0),
    ]
}


# MQGET


def get(messages, length=None, cursor=False, platform="distributed", matching=0, queue=""):
    """A get of these messages, after a browse and a lock with `cursor`."""

    def situation(lab, options):
        app = made(f"DEFINE QLOCAL(Q) {queue}", of=lab, platform=platform).connect("APP")
        with app.open("Q", output=True) as handle:
            for body, about in messages:
                properties = about.get("properties")
                md = MD(**{name: value for name, value in about.items() if name != "properties"})
                handle.put(body, md=md, properties=properties)
        handle = app.open("Q", input="shared", browse=True)
        if cursor:
            handle.browse_first(lock=True)
        gmo = GMO(Options=options, WaitInterval=5000, MatchOptions=matching, Version=2)
        md = MD(GroupId=b"9" * 24, MsgId=b"9" * 24, CorrelId=b"9" * 24, MsgSeqNumber=2, Offset=3)
        if options & mq.MQGMO_PROPERTIES_IN_HANDLE:
            gmo.MsgHandle, gmo.Version = app.message_handle(), 4
        try:
            message = handle.get(md=md, gmo=gmo, buffer_length=length)
        except MQError as refused:
            if refused.reason == mq.MQRC_OPTIONS_ERROR:
                raise
            message = refused.reason
        if app.work is not None and app.work.open:
            app.backout()
        after = [(each.body, each.backout_count) for each in app.get_each("Q")]
        return repr(message), getattr(message, "body", None), fields(md), fields(gmo) | {"MsgHandle": 0}, after

    return situation


GROUP = {"GroupId": b"9" * 24, "MsgFlags": mq.MQMF_MSG_IN_GROUP}
PLAIN = [(b"plain", {})]
MANY = [(b"one", {}), (b"two", {"Persistence": mq.MQPER_PERSISTENT})]
NAMED = [(b"one", {}), (b"two", {"MsgId": b"9" * 24}), (b"three", {"CorrelId": b"9" * 24})]
IN_GROUP = [
    (b"two", {**GROUP, "MsgSeqNumber": 2, "MsgFlags": mq.MQMF_LAST_MSG_IN_GROUP}),
    (b"one", {**GROUP, "MsgSeqNumber": 1}),
]
UNFINISHED = [(b"one", {**GROUP, "MsgSeqNumber": 1}), (b"plain", {})]
SEGMENTS = [
    (b"abc", {**GROUP, "MsgFlags": mq.MQMF_SEGMENT, "Offset": 0}),
    (b"def", {**GROUP, "MsgFlags": mq.MQMF_LAST_SEGMENT, "Offset": 3}),
]
HALF = [SEGMENTS[0], (b"plain", {})]
DESCRIBED = [(b"plain", {"properties": {"color": "red"}})]
EBCDIC = [("plain".encode("cp500"), {"CodedCharSetId": 500, "Format": mq.MQFMT_STRING})]
SITUATIONS["MQGMO"] = [
    *((get(messages), base) for messages in (PLAIN, MANY, []) for base in (0, mq.MQGMO_BROWSE_FIRST)),
    *((get(messages), 0) for messages in (IN_GROUP, UNFINISHED, SEGMENTS, HALF, DESCRIBED, EBCDIC)),
    (get(DESCRIBED, queue="PROPCTL(NONE)"), 0),
    (get(PLAIN, length=2), 0),
    *((get(MANY, cursor=True), base) for base in (0, mq.MQGMO_BROWSE_NEXT)),
    *((get(MANY, platform="zos", queue="SHARE DEFSOPT(SHARED)"), base) for base in (0, mq.MQGMO_SYNCPOINT)),
]


# MQSUB, MQSUBRQ


def subscription(how, **about):
    """A subscription of one program, after one of the same name of another user, and then a publication."""

    def situation(lab, options):
        qm = made(OBJECTS, of=lab)
        qm.publish("t/a", b"retained", retain=True)
        app = qm.connect("APP", user="other")
        given = {"SubName": "S", "ObjectString": "t/#"} | about
        if how != "create":
            qm.connect("FIRST").subscribe(
                sd=SD(Options=mq.MQSO_CREATE | mq.MQSO_MANAGED | mq.MQSO_DURABLE | mq.MQSO_ANY_USERID, **given)
            ).close()
        sd = SD(Options=options, **given)
        queue = None if options & mq.MQSO_MANAGED else app.open("Q", input="shared")
        own = app.subscribe(sd=sd, queue=queue)
        qm.publish("t/a", b"new")
        got = [(each.body, repr(each.md)) for each in own.drain()]
        if how == "create":
            own.close()
            try:
                again = mq.MQSO_RESUME | (options & (mq.MQSO_DURABLE | mq.MQSO_MANAGED))
                qm.connect("THIRD", user="third").subscribe(sd=SD(Options=again, SubName="S"), queue=None)
            except MQError as refused:
                got.append(refused.reason)
        return got, fields(sd)

    return situation


MANAGED = mq.MQSO_CREATE | mq.MQSO_MANAGED
SET = {"SubCorrelId": b"7" * 24, "PubApplIdentityData": "id", "PubAccountingToken": b"8" * 32}
SITUATIONS["MQSO"] = [
    (subscription("create"), MANAGED),
    (subscription("create"), MANAGED | mq.MQSO_DURABLE),
    (subscription("create"), mq.MQSO_CREATE),
    (subscription("create", ObjectString="t/?", **SET), MANAGED),
    (subscription("create", ObjectString="t/?", **SET), mq.MQSO_CREATE | mq.MQSO_SET_CORREL_ID),
    *((subscription("again"), MANAGED | mq.MQSO_DURABLE | one) for one in (0, mq.MQSO_RESUME, mq.MQSO_ALTER)),
]


def group(lab, options):
    """Two subscriptions that match the same publication, with one CorrelId, to one queue."""
    qm = made(OBJECTS, of=lab)
    queue = qm.open("Q", input="shared")
    for string in ("t/#", "t/a"):
        qm.subscribe(sd=SD(Options=options, ObjectString=string, SubCorrelId=b"7" * 24), queue=queue)
    return [len(qm.publish("t/a", b"new")), queue.drain()]


SITUATIONS["MQSO"].append((group, mq.MQSO_CREATE | mq.MQSO_SET_CORREL_ID))


def request(lab, options):
    """A request for retained publications."""
    qm = made(OBJECTS, of=lab)
    qm.publish("t", b"retained", retain=True)
    asked = qm.subscribe("t", on_request=True)
    return asked.request(SRO(Options=options))


SITUATIONS["MQSRO"] = [(request, 0)]


# MQCB, MQCTL


def consumer(lab, options):
    """A consumer, or an event handler, that is registered, called, and closed."""
    qm = made(OBJECTS, of=lab)
    app = qm.connect("APP")
    calls = []
    handle = app.open("Q", input="shared")
    found = app.consume(handle, lambda message, context: calls.append(context.CallType), cbd=CBD(Options=options))
    app.control("start")
    qm.put("Q", b"x")
    lab.advance(1)
    app.control("stop")
    found.close()
    return calls


def control(lab, options):
    """A start of consumers."""
    from mqlab.pubsub.consuming import consumers_of

    app = made(OBJECTS, of=lab).connect("APP")
    app.consume(app.open("Q", input="shared"), lambda message, context: None)
    consumers_of(app).control(mq.MQOP_START, CTLO(Options=options))
    app.control("stop")


SITUATIONS["MQCBDO"] = [(consumer, 0)]
SITUATIONS["MQCTLO"] = [(control, 0)]


# MQCONNX


def connect(lab, options):
    """A connect, and a put."""
    return made(OBJECTS, of=lab).connect("APP", options=options).put("Q", b"x").msg_id


SITUATIONS["MQCNO"] = [(connect, 0)]


@pytest.mark.parametrize("prefix", SITUATIONS)
def test_each_option_of_a_call_acts_is_refused_or_is_said_in_its_row(prefix):
    assert set(silent(prefix, SITUATIONS[prefix])) == set(EXEMPT.get(prefix, ()))


MATCHES = {name: bit for name, bit in mq.named("MQMO_").items() if bit}


@pytest.mark.parametrize("bit", [1 << number for number in range(31)])
def test_each_match_option_acts_or_is_refused(bit):
    situations = [get(messages, matching=bit) for messages in (NAMED, IN_GROUP, SEGMENTS)]
    plain = [get(messages) for messages in (NAMED, IN_GROUP, SEGMENTS)]
    found = [(outcome(one, 0), outcome(other, 0)) for one, other in zip(situations, plain, strict=True)]
    assert any(not ours[0] or ours[1] != theirs[1] for ours, theirs in found)
    assert bit in MATCHES.values() or all(not ours[0] or "2247" in ours[1][0] for ours, _ in found)


def test_an_option_that_a_keyword_gives_is_said_too(lab, qm):
    """`alternate_user` is MQOO_ALTERNATE_USER_AUTHORITY with a name, and no authority is checked."""
    qm.mqsc("DEFINE QLOCAL(Q)").require()
    qm.open("Q", output=True, alternate_user="anna")
    assert lab.events[-1].facts["kept_only"] == ["MQOO_ALTERNATE_USER_AUTHORITY"]


# message handles, which write no rows


PROPERTIES = {
    "MQSMPO": lambda handle, options: handle.set("b", "new", options=options),
    "MQIMPO": lambda handle, options: handle.inquire("%", options, mq.MQTYPE_STRING, 3),
    "MQDMPO": lambda handle, options: handle.delete("b", options),
}
NEEDLESS = {"MQIMPO": {"CONVERT_VALUE": "the value is text of Python, which has no character set"}}
"""The options that do nothing, by structure, each with the reason."""


@pytest.mark.parametrize("prefix", PROPERTIES)
def test_each_option_of_a_message_handle_acts_or_is_refused(prefix):
    def answer(options, name):
        handle = Lab().queue_manager("QM1").message_handle()
        for each, value in (("a", 1), ("b", "old"), ("c", 3)):
            handle.set(each, value)
        try:
            handle.inquire(name)
            found = PROPERTIES[prefix](handle, options)
        except MQError as refused:
            return refused.reason, repr(refused.message)
        return repr(found), list(handle.properties.items()), handle.set("d", 1, options=mq.MQSMPO_SET_FIRST)

    names = {value: name for name, value in mq.named(f"{prefix}_").items()}
    silent = set()
    for bit in (1 << number for number in range(31)):
        if all(answer(bit, name) == answer(0, name) for name in ("%", "a", "c")):
            silent.add(names.get(bit, f"{bit:#x}").removeprefix(f"{prefix}_"))
    assert silent == set(NEEDLESS.get(prefix, ()))
