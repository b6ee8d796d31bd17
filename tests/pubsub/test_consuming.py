"""Functions that consume messages: when they are called, with what, and who may use the connection meanwhile."""

import pytest

from helpers import cases, for_each, lab_error, made, reason, refusal
from mqlab import GMO, MD, ProgramDied
from mqlab.engine.words import constants as mq
from mqlab.pubsub.structures import CBD

NAMES = {number: name.removeprefix("MQCBCT_") for name, number in mq.named("MQCBCT_").items()}
NAMES_OF = {f"{word.upper()}_CALL": word for word in ("register", "start", "stop", "deregister")}
ALL = mq.MQCBDO_START_CALL | mq.MQCBDO_STOP_CALL | mq.MQCBDO_REGISTER_CALL | mq.MQCBDO_DEREGISTER_CALL


@pytest.fixture
def qm(lab):
    return made("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)", of=lab)


@pytest.fixture
def app(qm):
    return qm.connect("SHOP")


@pytest.fixture
def told(lab):
    """What functions were called with: (name of the call, body, reason); `told.note` is such a function."""

    class Told(list):
        def note(self, message, context):
            self.append((NAMES[context.CallType], message and message.body, context.Reason))

        def take(self):
            found = list(self)
            self.clear()
            return found

    return Told()


@pytest.mark.rule("MQI-40")
def test_a_function_is_called_with_each_message_and_when_none_comes(lab, qm, app, told):
    queue = app.open("Q", input="shared")
    consumer = app.consume(queue, told.note, wait=3, options=ALL)
    qm.put("Q", b"1")
    qm.put("Q", b"2", priority=5)
    app.control("start")
    lab.advance(1)
    qm.put("Q", b"3", expiry=10)
    lab.advance(6.5)
    app.control("stop")
    qm.put("Q", b"4")
    lab.advance(5)
    consumer.close()
    assert told == [
        ("REGISTER_CALL", None, 0),
        ("START_CALL", None, 0),
        ("MSG_REMOVED", b"2", 0),
        ("MSG_REMOVED", b"1", 0),
        ("MSG_REMOVED", b"3", 0),
        ("EVENT_CALL", None, 2033),
        ("EVENT_CALL", None, 2033),
        ("STOP_CALL", None, 0),
        ("DEREGISTER_CALL", None, 0),
    ]
    rows = lab.events.where(kind="callback", rule="MQI-40")
    got = lab.events.where(kind="get")
    assert [row.cause for row in rows if row.message] == [row.seq for row in got]
    assert (qm.depth("Q"), [row.time_us for row in rows if "2033" in row.detail]) == (1, [4_000_000, 7_000_000])


def test_messages_of_several_queues_come_in_the_order_of_their_arrival(lab, qm, app, told):
    for name in ("Q", "R"):
        app.consume(app.open(name, input="shared"), told.note)
    for number, name in enumerate("QRRQ"):
        qm.put(name, str(number))
    app.control("start")
    lab.advance(1)
    for number, name in enumerate("RQR"):
        lab.advance(1)
        qm.put(name, str(number + 4))
    lab.run()
    assert [body for _, body, _ in told] == [b"%d" % number for number in range(7)]


@pytest.mark.rule("MQI-41")
def test_only_consumers_may_use_a_started_connection(lab, qm, app, told):
    queue, other = app.open("Q", input="shared", browse=True, inquire=True), app.open("R", output=True)
    seen = []

    def answer(message, context):
        other.put(message.body)
        app.put("R", b"more")
        seen.append(reason(app.control, "start and wait"))
        told.note(message, context)

    consumer = app.consume(queue, answer)
    app.control("start")
    calls = (
        (app.put, "R", b"x"),
        (other.put, b"x"),
        (app.get, "R"),
        (queue.get,),
        (queue.browse_first,),
        (queue.inquire,),
        (queue.close,),
        (app.commit,),
        (app.backout,),
        (app.open, "R"),
        (app.subscribe, "x"),
        (app.open_topic, "x"),
        (consumer.close,),
        (app.consume, queue, answer),
        (app.control, "start"),
    )
    assert [reason(*call) for call in calls] == [2500] * len(calls)
    assert qm.put("Q", b"1").body == b"1", "another connection"
    lab.run()
    assert (told.take(), seen, qm.depth("R")) == ([("MSG_REMOVED", b"1", 0)], [2012], 2)
    app.control("suspend")
    assert (app.put("R", b"x").body, reason(app.control, "start")) == (b"x", 2534)
    qm.put("Q", b"2")
    lab.run()
    assert told == []
    app.control("resume")
    lab.run()
    assert told.take() == [("MSG_REMOVED", b"2", 0)]
    app.control("stop")
    assert [reason(app.control, each) for each in ("suspend", "resume")] == [2534, 2534]
    consumer.suspend()
    app.control("start")
    qm.put("Q", b"3")
    lab.run()
    assert told == []
    app.disconnect()
    assert (list(qm.handles), qm.programs_running) == ([], [])


def test_a_program_waits_while_its_consumers_work(lab, qm, told):
    def main(app):
        queue = app.open("Q", input="shared")

        def until_quit(message, context):
            told.note(message, context)
            if message is not None and message.body in (b"quit", b"pause"):
                app.control("stop" if message.body == b"quit" else "suspend")

        app.consume(queue, until_quit, options=ALL)
        app.control("start and wait")
        told.append(app.put("R", b"after").body)
        told.append(reason(app.control, "start and wait"))
        told.append(reason(app.control, "start and wait"))
        told.append(reason(app.control, "resume"))
        app.control("stop")
        app.control("start and wait")

    qm.run_program("MAIN", main)
    lab.run()
    for body in (b"1", b"quit", b"pause", b"2", b"pause", b"quit"):
        lab.advance(1)
        qm.put("Q", body)
        lab.run()
    found = [NAMES_OF.get(each[0], each[1]) if isinstance(each, tuple) else each for each in told]
    assert found[:6] == ["register", "start", b"1", b"quit", "stop", b"after"]
    assert found[6:11] == ["start", b"pause", 2521, 2534, b"2"]
    assert found[11:] == [b"pause", 2521, "stop", "start", b"quit", "stop", "deregister"]
    assert reason(qm.connect("NONE").control, "start and wait") == 2446


def test_a_unit_of_work_in_a_consumer(lab, qm, app, told):
    queue = app.open("Q", input="shared")

    def work(message, context):
        told.append((message.body, message.backout_count))
        app.backout() if message.backout_count < 2 else app.commit()

    app.consume(queue, work, gmo=GMO(Options=mq.MQGMO_SYNCPOINT | mq.MQGMO_WAIT, WaitInterval=-1))
    app.control("start")
    qm.put("Q", b"1")
    lab.run()
    assert (told, qm.depth("Q"), qm.units) == ([(b"1", 0), (b"1", 1), (b"1", 2)], 0, {})


@cases(
    "options, given, expected, left",
    (mq.MQGMO_ACCEPT_TRUNCATED_MSG, 3, ("MSG_REMOVED", b"abc", 2079), 0),
    (0, 3, ("MSG_NOT_REMOVED", b"abc", 2080), 2),
    (mq.MQGMO_BROWSE_FIRST, -1, ("MSG_NOT_REMOVED", b"abcdef", 0), 2),
)
def test_a_message_that_is_browsed_or_too_long(lab, qm, app, told, options, given, expected, left):
    queue = app.open("Q", input="shared", browse=True)
    md = MD()
    app.consume(queue, told.note, md=md, gmo=GMO(Options=options), cbd=CBD(MaxMsgLength=given))
    qm.put("Q", b"abcdef")
    qm.put("Q", b"x")
    app.control("start")
    lab.advance(60)
    messages = len(told) - told.count(("EVENT_CALL", None, 2033))
    assert (told[0], qm.depth("Q"), messages) == (expected, left, 1 + (left != 2) + (given < 0))
    assert md == MD(), "each call has structures of its own"


def test_events_of_a_queue_and_of_the_connection(lab, qm, app, told):
    queue = app.open("Q", input="shared")
    app.consume(queue, told.note)
    app.handle_events(told.note)
    app.control("start")
    qm.mqsc("ALTER QLOCAL(Q) GET(DISABLED)").require()
    qm.put("Q", b"1")
    lab.run()
    assert told.take() == [("EVENT_CALL", None, 2016)]
    qm.mqsc("ALTER QLOCAL(Q) GET(ENABLED)").require()
    lab.run()
    assert told.take() == [("MSG_REMOVED", b"1", 0)]
    qm.stop()
    assert told.take() == [("EVENT_CALL", None, 2162)]


@for_each(
    "given, why",
    ({"cbd": CBD(CallbackType=3)}, 2483),
    ({"options": 2}, 2484),
    ({"cbd": CBD(MaxMsgLength=-2)}, 2485),
    ({"gmo": GMO(Options=mq.MQGMO_WAIT, WaitInterval=-2)}, 2090),
    ({"gmo": GMO(Options=mq.MQGMO_BROWSE_NEXT)}, 2036),
    ({"gmo": GMO(Options=mq.MQGMO_UNLOCK)}, 2046),
)
def test_what_cannot_be_registered(qm, app, told, given, why):
    queue = app.open("Q", input="shared")
    assert reason(app.consume, **{"queue": queue, "function": told.note, **given}) == why
    consumer = app.consume(queue, told.note)
    consumer.close()
    assert reason(consumer.close) == 2448
    queue.close()
    assert reason(app.consume, queue, told.note) == 2019
    for wrong in ({"function": 5}, {"queue": "Q"}, {"md": 1}, {"cbd": CBD(), "options": 1}):
        lab_error("must", app.consume, **{"queue": queue, "function": told.note, **wrong})
    lab_error("operation must be one of start,", app.control, "begin")


def test_a_function_that_fails_ends_the_calls(lab, qm, app):
    queue = app.open("Q", input="shared")
    app.consume(queue, lambda message, context: 1 / 0)
    app.control("start")
    qm.put("Q", b"1")
    refusal(ProgramDied, "division", lab.run)
    assert app.put("Q", b"2").body == b"2", "the connection is stopped"


def test_a_subscription_is_consumed(lab, qm, app, told):
    prices = app.subscribe("price/+")
    app.consume(prices, told.note, options=mq.MQCBDO_DEREGISTER_CALL)
    app.control("start")
    qm.publish("price/oil", b"5")
    lab.run()
    app.control("stop")
    prices.close()
    assert told == [("MSG_REMOVED", b"5", 0), ("DEREGISTER_CALL", None, 0)]


def test_display_conn_shows_who_consumes(qm, app, told):
    def states():
        shown = [qm.mqsc(f"DIS CONN(*) TYPE({sort}) ALL").rows for sort in ("CONN", "HANDLE")]
        return [row["ASTATE"] for rows in shown for row in rows if row.get("APPLTAG", "SHOP") == "SHOP"]

    queue = app.open("Q", input="shared")
    assert states() == ["NONE", "NONE"]
    consumer = app.consume(queue, told.note)
    assert states() == ["STOPPED", "INACTIVE"]
    app.control("start")
    assert states() == ["STARTED", "ACTIVE"]
    app.control("suspend")
    consumer.suspend()
    assert states() == ["SUSPENDED", "SUSPENDED"]
