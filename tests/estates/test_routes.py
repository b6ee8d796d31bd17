"""Routes: each verdict, on estates by hand, and on random ones against a message put on the lab."""

import json

from estates.cases import estate_of
from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

from helpers import for_each, lab_error, tries
from mqlab import Lab, MQError
from mqlab.engine.commands import read_script
from mqlab.engine.words.errors import RunawayTrigger
from mqlab.estates import Estate, Part, diff
from mqlab.estates.proofs import prove
from mqlab.estates.routes import BROKEN, DEAD_LETTERED, DELIVERS, routes_of

NAMES = ("QM1", "QM2", "QM3")
QUEUES = ("A", "B", "C", "IN")


SHARED = """DEFINE CFSTRUCT(CF) CFLEVEL(5) RECOVER({})
DEFINE CFSTRUCT(CSQSYSAPPL) CFLEVEL(4) RECOVER(YES)
DEFINE QLOCAL(SHARED) QSGDISP(SHARED) CFSTRUCT(CF) {}
DEFINE QLOCAL(DEAD) QSGDISP(SHARED) CFSTRUCT(CF)
DEFINE QLOCAL({}) QSGDISP(SHARED) CFSTRUCT(CSQSYSAPPL) USAGE(XMITQ) INDXTYPE({}) {}"""


@st.composite
def estates(draw, members=0):
    """Two or three queue managers with a few queues and channels, some of them wrong; a name, and where it is put. The
    first ones are `members` of a queue sharing group, with shared queues and intra-group queuing."""
    names = NAMES[: draw(st.integers(max(2, members), 3))]
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    often = lambda right, *wrong: pick(*[right] * 9 * len(wrong), *wrong)  # noqa: E731
    texts = {}
    shared = ()
    if members:
        shared = ("SHARED", "SHARED")
        queue, index = often("SYSTEM.QSG.TRANSMIT.QUEUE", "SOME.QUEUE"), often("CORRELID", "NONE")
        more = often("SHARE", "", "GET(DISABLED)", "PUT(DISABLED)", "MAXDEPTH(0)", "SHARE MAXMSGL(400)")
        usual = (often("YES", "NO"), pick("", "", "PUT(DISABLED)", "DEFPSIST(YES)"), queue, index, more)
        texts[""] = SHARED.format(*usual)
    for name in names:
        others = [other for other in names if other != name]
        lines = [f"DEFINE QLOCAL({name}.ONLY)"]
        within = name in names[:members]
        for queue in QUEUES:
            usual = {"IN": "local", "A": "remote"}.get(queue) or pick("local", "alias", "remote")
            kind = often(usual, pick("none", "qmgr alias", "alias", "remote"))
            put = often("", " PUT(DISABLED)")
            if kind == "local":
                lines.append(f"DEFINE QLOCAL({queue}){put}{often('', ' MAXDEPTH(0)')}")
            elif kind == "alias":
                lines.append(f"DEFINE QALIAS({queue}) TARGET({pick(*QUEUES, f'{name}.ONLY', *shared)}){put}")
            elif kind == "remote":
                at, xmitq = often(pick(*others), name), often("", " XMITQ(X)", f" XMITQ({pick(*QUEUES)})")
                rname = pick(*QUEUES, f"{at}.ONLY", *shared)
                lines.append(f"DEFINE QREMOTE({queue}) RNAME({rname}) RQMNAME({at}){xmitq}{put}")
            elif kind == "qmgr alias":
                lines.append(f"DEFINE QREMOTE({queue}) RNAME(' ') RQMNAME({pick(*names)}){put}")
        for xmitq in (*others, "X"):
            if often(True, False):
                words = " QSGDISP(SHARED) CFSTRUCT(CF) " if within and xmitq not in names[:members] else ""
                words += often("TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)", "", "TRIGGER INITQ(NONE)", "TRIGGER INITQ(Y)")
                words += often(
                    "", f" TRIGDATA({name}.{others[0]})", " GET(DISABLED)", " PUT(DISABLED)", " TRIGTYPE(NONE)"
                )
                lines.append(f"DEFINE QLOCAL({xmitq}) USAGE({often('XMITQ', 'NORMAL')}) {words}")
        for other in others:
            if often(True, False):
                chltype = often("SDR", "SVR")
                lines.append(
                    f"DEFINE CHANNEL({name}.{other}) CHLTYPE({chltype}) CONNAME({other}) XMITQ({often(other, 'X')})"
                    f" SEQWRAP({often(999999999, 1000)})"
                )
            chltype = often("RCVR", "none", "RQSTR", "SDR")
            if chltype != "none":
                more = f" CONNAME({other}) XMITQ(X)" if chltype == "SDR" else ""
                more += f" CONNAME({other})" * (chltype == "RQSTR")
                lines.append(f"DEFINE CHANNEL({other}.{name}) CHLTYPE({chltype}){more}")
        more = [f"DEADQ({often('DEAD' if within else 'SYSTEM.DEAD.LETTER.QUEUE', 'NOPE')})"] * pick(0, 1, 1)
        more += [f"DEFXMITQ({pick('X', *others, 'A')})"] * pick(0, 0, 1)
        more += [f"IGQ({often('ENABLED', 'DISABLED')})", "SQQMNAME(IGNORE)"] if within else []
        more += ["SCHINIT(MANUAL)"] * pick(0, 0, 0, 0, 1) * (not members)
        lines += ["DEFINE QLOCAL(Y)"] * pick(0, 1) + [f"ALTER QMGR {' '.join(more)}"] * bool(more)
        texts[name] = "\n".join(lines)
    name, at = pick("A", *QUEUES, *shared), pick("", "", *names[1:], pick(names[0], "A"))
    return texts, f"{name}@{at}" if at else name, names[0]


def place_of(queue):
    """The owner and the name of a queue: a shared one is its group's."""
    return queue.subject[:2]


def ended(estate, route, persistent):
    """The places of a message that is put on the lab, and whether one of them is an ordinary queue."""
    lab = Estate(estate.parts, lab=Lab(record=False, moment_limit=2_000)).lab  # a loop without a pause ends soon
    for qmgr, command in route.starts:
        lab[qmgr].mqsc(command)
    try:
        message = lab[route.at].put(route.name, b"a message", persistent=persistent)
        lab.advance(90)
    except (MQError, RunawayTrigger):
        return set(), False
    queues = [queue for qmgr in lab.queue_managers for queue in qmgr.queues]
    found = {q for q in queues if any(each.number == message.number for each in q.store.in_order())}
    dead = {place_of(q) for q in found if q.name == q.qmgr.attributes["DEADQ"]}
    lab.close()
    return {place_of(q) for q in found}, any(not q.is_xmitq and place_of(q) not in dead for q in found)


@settings(max_examples=tries(60), deadline=None, derandomize=True)
@given(estates(), st.booleans())
def test_a_message_ends_where_its_route_says(drawn, persistent):
    texts, name, at = drawn
    assert_ends(estate_of(texts), name, at, persistent)


@settings(max_examples=tries(20), deadline=None, derandomize=True, phases=[Phase.generate])
@given(estates(members=2), st.booleans())
def test_a_message_ends_where_its_route_says_within_a_group(drawn, persistent):
    texts, name, at = drawn
    first, *others = [
        Part(f"{each}.mqsc", read_script(text.encode()), each or NAMES[0], ("zos", "distributed")[each == NAMES[2]])
        for each, text in texts.items()
    ]
    assert_ends(Estate([first, *others]), name, at, None if "RECOVER(NO)" in texts[""] else persistent)


def assert_ends(estate, name, at, persistent):
    """A message that is put on the lab ends where the route says."""
    route = estate.route(name, at)
    event(f"{route.verdict} after {sum(hop.kind == 'CHANNEL' for hop in route.hops) // 2} channels")
    places, delivered = ended(estate, route, persistent)
    end = estate.lab[route.end[0]].targets.get(route.end[1])
    if route.verdict == DELIVERS:
        assert places == {place_of(end)}, route
        assert delivered, route
    if route.verdict == DEAD_LETTERED:
        assert places == {place_of(end)}, route
    if route.verdict in (BROKEN, DEAD_LETTERED):
        assert not delivered, route


@settings(max_examples=tries(15), deadline=None, derandomize=True, phases=[Phase.generate])
@given(estates(), st.sampled_from(QUEUES))
def test_an_estate_and_what_it_writes_of_itself_do_not_differ(drawn, queue):
    texts, _, at = drawn
    estate = estate_of(texts)
    written = {qmgr.name: qmgr.export_mqsc() for qmgr in estate.queue_managers}
    assert diff(estate, estate_of(written)).found == ()
    changed = estate.with_commands({at: f"ALTER QLOCAL({at}.ONLY) MAXDEPTH(7) DESCR('{queue}')"})
    found = {(one.name, one.about) for one in diff(estate, changed).found}
    assert found == {(f"{at}.ONLY", "MAXDEPTH"), (f"{at}.ONLY", "DESCR")}


@settings(max_examples=tries(15), deadline=None, derandomize=True, phases=[Phase.generate])
@given(estates())
def test_what_is_found_is_true_can_be_fixed_and_is_all(drawn):
    estate = estate_of(drawn[0])
    found = estate.findings()
    for one in found:
        proved = one.proof is None or prove(estate, one.proof)
        assert proved is True or proved.holds, f"{one}: {one.proof.program} showed {proved.shown}"
        if one.fix:
            fixed = estate.with_commands({one.fix_at: one.fix})
            fixed.replies[-1].require()
            assert (one.check, one.qmgr, one.said) not in [
                (each.check, each.qmgr, each.said) for each in fixed.findings()
            ]
    every = [each for one in found for each in (one, *one.others)]
    named = {(one.qmgr, one.name) for one in every if one.severity in ("error", "warning")}
    for route in routes_of(estate).values():
        hops = {(hop.qmgr, name) for hop in route.hops for name in (hop.name.partition("@")[0], "")}
        *_, own = (
            hop for place, hop in enumerate(route.hops) if all(each.kind == "QALIAS" for each in route.hops[:place])
        )
        intended = "PUT(DISABLED)" in own.said  # someone closed the name itself, or the queue of the alias
        assert intended or route.verdict not in (BROKEN, DEAD_LETTERED) or hops & named, route


SENDER = """
DEFINE QREMOTE(ORDERS) RNAME(IN) RQMNAME(QM2)
DEFINE QALIAS(ALIAS) TARGET(ORDERS)
DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(QM2)
DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXMSGL(10000)
DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(QM2) MAXMSGL(9000)
"""
RECEIVER = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\nDEFINE QLOCAL(IN)\n"
TWO = {"QM1": SENDER, "QM2": RECEIVER}


def with_two(qm1="", qm2=""):
    return estate_of({"QM1": SENDER + qm1, "QM2": RECEIVER + qm2})


def test_a_route_tells_every_hop_and_begins_at_a_queue_manager_of_the_estate():
    route = estate_of(TWO).route("ALIAS", "QM1")
    assert (route.verdict, route.end, route.longest) == ("delivers", ("QM2", "IN"), 9000)
    assert [(hop.qmgr, hop.kind, hop.name, hop.holds) for hop in route.hops] == [
        ("QM1", "QALIAS", "ALIAS", True),
        ("QM1", "QREMOTE", "ORDERS", True),
        ("QM1", "QLOCAL", "QM2", True),
        ("QM1", "CHANNEL", "QM1.QM2", True),
        ("QM2", "CHANNEL", "QM1.QM2", True),
        ("QM2", "QLOCAL", "IN", True),
    ]
    assert [str(hop.place) for hop in route.hops[:2]] == ["QM1.mqsc:3", "QM1.mqsc:2"]
    assert route.starts == (("QM1", "START CHANNEL(QM1.QM2)"),)
    lab_error(r"^at must be one of QM1, QM2; got ..", estate_of(TWO).route, "NOPE")


def test_a_route_is_text_a_frame_json_and_a_picture():
    route = estate_of(TWO).route("IN@HQ", "QM1")
    assert str(route).startswith("IN@HQ at QM1: delivers: on IN of QM2\nQM1  QREMOTE  HQ  yes  CHL-01  alias of queue")
    assert list(route.to_frame().name) == ["HQ", "QM2", "QM1.QM2", "QM1.QM2", "IN"]
    told = json.loads(route.to_json())
    assert (told["verdict"], told["rows"][-1]["name"]) == ("delivers", "IN")
    assert "IN@HQ at QM1" in route._repr_mimebundle_()["text/html"]
    drawn = route.picture().svg
    assert all(f">{name}<" in drawn for name in ("QM1.QM2", "HQ", "IN", "QM2"))
    assert "ALIAS" not in drawn


@for_each(
    "qm1, qm2, name, essence",
    ("", "", "NOPE", "broken: 2085"),
    ("", "", "IN@QM3", "broken: 2087"),
    ("ALTER QLOCAL(QM2) GET(DISABLED)", "", "ORDERS", "broken: the message stays on QM2 of QM1"),
    ("DELETE CHANNEL(QM1.QM2)", "", "ORDERS", "broken: no sender or server channel has XMITQ(QM2)"),
    ("ALTER QLOCAL(QM2) TRIGGER INITQ(NONE)", "", "ORDERS", "broken: one message does not start a channel of QM2"),
    ("", "DELETE CHANNEL(QM1.QM2)", "ORDERS", "broken: QM1.QM2 is not defined at QM2"),
    ("", "ALTER CHANNEL(QM1.QM2) CHLTYPE(RCVR) SEQWRAP(100)", "ORDERS", "broken: SEQWRAP"),
    ("", "ALTER QLOCAL(IN) PUT(DISABLED)", "ORDERS", "broken: 2051 MQRC_PUT_INHIBITED at QM2"),
    (
        "",
        "DELETE QLOCAL(IN)\nALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)",
        "ORDERS",
        "dead-lettered: 2085 MQRC_UNKNOWN_OBJECT_NAME at QM2",
    ),
    ("DEFINE QLOCAL(QM3) USAGE(XMITQ)\n" + SENDER.replace("QM2", "QM3"), "", "IN@QM3", "QM3 is not in the estate"),
    ("DEFINE CHANNEL(TO.ALL) CHLTYPE(CLUSRCVR) CLUSTER(ALL) CONNAME(h)", "", "NOPE", "cannot judge: cluster"),
    (
        "DEFINE TOPIC(T) TOPICSTR(t)\nDEFINE QALIAS(A) TARGET(T) TARGTYPE(TOPIC)",
        "",
        "A",
        "delivers: published to topic T",
    ),
    (
        "DEFINE TOPIC(T) TOPICSTR(t) PUB(DISABLED)\nDEFINE QALIAS(A) TARGET(T) TARGTYPE(TOPIC)",
        "",
        "A",
        "broken: 2051 MQRC_PUT_INHIBITED at QM1: T has PUB(DISABLED)",
    ),
    ("DEFINE QLOCAL(D) STREAMQ(NOPE) STRMQOS(MUSTDUP)", "", "D", "broken: 2085 MQRC_UNKNOWN_OBJECT_NAME at QM1"),
    (
        "DEFINE TOPIC(T) TOPICSTR(t)\nDEFINE QALIAS(A) TARGET(T) TARGTYPE(TOPIC)\n"
        "DEFINE QLOCAL(D) STREAMQ(A) STRMQOS(MUSTDUP)",
        "",
        "D",
        "delivers: on D of QM1",
    ),
    ("DEFINE QLOCAL(D) STREAMQ(NOPE) STRMQOS(BESTEF)", "", "D", "delivers: on D of QM1"),
    ("DEFINE QLOCAL(S) MAXDEPTH(MANY)", "", "S", "cannot judge: a command about S was refused"),
)
def test_a_verdict_says_what_stops_a_message(qm1, qm2, name, essence):
    assert essence in with_two(qm1, qm2).route(name, "QM1").title


IGQ = (
    "DEFINE CFSTRUCT(CSQSYSAPPL) CFLEVEL(4) RECOVER(YES)\n"
    "DEFINE QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE) QSGDISP(SHARED) CFSTRUCT(CSQSYSAPPL) USAGE(XMITQ) INDXTYPE(CORRELID) "
    "SHARE\nALTER QMGR IGQ(ENABLED)\nDEFINE QREMOTE(R) RNAME(IN) RQMNAME(QM2)\n"
)
IN = "ALTER QMGR IGQ(DISABLED) IGQAUT(DEF)\nDEFINE QLOCAL(IN)\nDEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(CSQSYSAPPL)\n"


@for_each(
    "qm1, qm2, essence",
    (IGQ, IN, "delivers: on IN of QM2"),
    (IGQ + "DEFINE QLOCAL(QM2) USAGE(XMITQ)", IN, "delivers: on IN of QM2"),
    (IGQ.replace("(IN)", "(NO)"), IN, "broken: 2085 MQRC_UNKNOWN_OBJECT_NAME at QM2: no queue has this name; DEADQ"),
    (IGQ.replace("(IN)", "(NO)"), IN + "ALTER QMGR DEADQ(Q)", "dead-lettered: 2085 MQRC_UNKNOWN_OBJECT_NAME at QM2"),
    (IGQ.replace(" SHARE", ""), IN, "cannot judge: SYSTEM.QSG.TRANSMIT.QUEUE has NOSHARE"),
    (IGQ.replace("(CORRELID)", "(NONE)"), IN, "broken: 2087"),
    (IGQ.replace("(ENABLED)", "(DISABLED)"), IN, "broken: 2087"),
    ("ALTER QMGR IGQ(ENABLED)\n" + IGQ.splitlines()[-1], IN, "cannot judge: IGQ is ENABLED, and no script"),
    (IGQ, "DEFINE QLOCAL(IN)", "cannot judge: IGQ is ENABLED, and QM2 may be a member of the group"),
)
def test_a_route_follows_intra_group_queuing(qm1, qm2, essence):
    estate = estate_of({"QM1": qm1, "QM2": qm2}, "zos")
    assert essence in estate.route("R", "QM1").title
    assert not [one for one in estate.findings() if one.check.startswith("remote-")] or essence[:8] != "delivers"


def test_a_picture_of_a_route_has_the_queues_of_a_group():
    route = estate_of({"QM1": IGQ.replace("(IN)", "(Q)"), "QM2": IN}, "zos").route("R", "QM1")
    assert route.objects == ["QM1/R", "QSG1/SYSTEM.QSG.TRANSMIT.QUEUE", "QSG1/Q"]
    assert ">SYSTEM.QSG.TR" in route.picture().svg


def test_a_loop_ends():
    back = "DEFINE QREMOTE(IN) RNAME(ORDERS) RQMNAME(QM1)\nDEFINE QLOCAL(QM1) USAGE(XMITQ)\n"
    there = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\n" + back
    calls = "DEFINE CHANNEL(QM2.QM1) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1)"
    estate = estate_of({"QM1": SENDER + "DEFINE CHANNEL(QM2.QM1) CHLTYPE(RCVR)", "QM2": there + calls})
    assert "comes back to QM1" in estate.route("ORDERS", "QM1").why
