"""22 brokers that are wrong in one thing each: the tests of behavior notice every one of them.

The suites of IBM's library and of pymqi notice five. Each broker is the engine behind functions that change a call, or
what it returns, or one part of the engine.
"""

from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path

import pytest

from helpers import lab_with
from mqlab.engine.queues import dynamic_queues
from mqlab.engine.queues.store import MessageStore
from mqlab.engine.words import constants as mq
from mqlab.ibmmq import verbs
from mqlab.ibmmq.structures import MQGMO, MQMD, MQOD, MQPMO
from mqlab.pubsub import publishing

SPEC = spec_from_file_location("behavior", Path(__file__).with_name("test_behavior.py"))
test_behavior = module_from_spec(SPEC)
SPEC.loader.exec_module(test_behavior)
BEHAVIORS = [getattr(test_behavior, name) for name in dir(test_behavior) if name.startswith("test_")]
PUTS = ("MQPUT", "MQPUT1")


def change(*functions, before=None, after=None):
    """A broker whose calls take the arguments that `before` gives, and return what `after` makes of theirs."""

    def broker(patch):
        for name in functions:
            known = verbs.VERBS[name]

            def call(connection, *given, known=known):
                given = list(given) if before is None else before(connection, list(given))
                ended = known.call(connection, *given)
                return ended if after is None else after(connection, given, list(ended))

            patch.setitem(verbs.VERBS, name, known._replace(call=call))

    return broker


def field(layout, place, **values):
    """Fields of a structure among the arguments, at a place from the end, changed: numbers, or functions of them."""

    def before(connection, given):
        known = layout.read(given[place])
        new = {name: value(known[name]) if callable(value) else value for name, value in values.items()}
        given[place] = layout.write(given[place], **new)
        return given

    return before


def without(bit):
    return lambda options: options & ~bit


def does_nothing(name):
    return lambda patch: patch.setitem(verbs.VERBS, name, verbs.VERBS[name]._replace(call=lambda connection: verbs.OK))


def lifo(patch):
    order = MessageStore.in_order
    patch.setattr(MessageStore, "first", lambda store: next(iter([*order(store)][::-1]), None))
    patch.setattr(MessageStore, "in_order", lambda store, cursor=None: iter([*order(store, cursor)][::-1]))


def no_put_date(connection, given, ended):
    ended[1] = MQMD.write(ended[1], PutDate="", PutTime="")
    return tuple(ended)


def wrong_reason(patch):
    call = verbs.sessions.codes

    def codes(*about):
        comp, reason = call(*about)
        return comp, 2085 if reason == 2033 else reason

    patch.setattr(verbs.sessions, "codes", codes)


def always_takes(keyword, generous):
    """A broker whose queue takes a put that this attribute forbids."""

    def before(connection, given):
        qmgr = connection.qmgr
        for queue in [queue for queue in qmgr.queues if not queue.name.startswith("SYSTEM")]:
            qmgr.mqsc(f"ALTER QLOCAL({queue.name}) {keyword}({generous})")
        return given

    return change(*PUTS, before=before)


def constant_identifier(connection, given):
    given = field(MQPMO, -2, Options=without(mq.MQPMO_NEW_MSG_ID))(connection, given)
    return field(MQMD, -3, MsgId=b"M" * 24)(connection, given)


def browse_removes(connection, given, ended):
    handle = connection.objects[given[0]]
    if MQGMO.read(given[-2])["Options"] & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT):
        connection.qmgr.get(handle.name, msg_id=MQMD.read(ended[1])["MsgId"])
    return tuple(ended)


def unknown_queues_made(connection, given):
    fields, qmgr = MQOD.read(given[0]), connection.qmgr
    name = fields["ObjectName"]
    if fields["ObjectType"] == mq.MQOT_Q and qmgr.objects.named("QLOCAL", name) is None:
        qmgr.mqsc(f"DEFINE QLOCAL({name})").require()
    return given


EVERY_OPEN = mq.MQOO_INPUT_SHARED | mq.MQOO_BROWSE | mq.MQOO_OUTPUT | mq.MQOO_INQUIRE | mq.MQOO_SET
BROKERS = {
    "lifo": lifo,
    "no put date": change("MQGET", after=no_put_date),
    "always accepts truncated": change(
        "MQGET", before=field(MQGMO, -2, Options=lambda options: options | mq.MQGMO_ACCEPT_TRUNCATED_MSG)
    ),
    "descriptor not returned": change("MQGET", after=lambda conn, given, ended: (ended[0], given[-3], *ended[2:])),
    "wrong reason": wrong_reason,
    "identifiers ignored": change("MQGET", before=field(MQGMO, -2, MatchOptions=0)),
    "priority ignored": change(*PUTS, before=field(MQMD, -3, Priority=0)),
    "expiry ignored": change(*PUTS, before=field(MQMD, -3, Expiry=-1)),
    "wait ignored": change("MQGET", before=field(MQGMO, -2, Options=without(mq.MQGMO_WAIT))),
    "put outside units": change(*PUTS, before=field(MQPMO, -2, Options=without(mq.MQPMO_SYNCPOINT))),
    "get outside units": change("MQGET", before=field(MQGMO, -2, Options=without(mq.MQGMO_SYNCPOINT))),
    "commit does nothing": does_nothing("MQCMIT"),
    "backout does nothing": does_nothing("MQBACK"),
    "puts never inhibited": always_takes("PUT", "ENABLED"),
    "queues never full": always_takes("MAXDEPTH", 5000),
    "constant identifier": change(*PUTS, before=constant_identifier),
    "browse removes": change("MQGET", after=browse_removes),
    "never truncates": change("MQGET", before=lambda connection, given: [*given[:-1], 10**8]),
    "open options unchecked": change("MQOPEN", before=lambda connection, given: [given[0], EVERY_OPEN]),
    "unknown queues made": change("MQOPEN", "MQPUT1", before=unknown_queues_made),
    "dynamic queues stay": lambda patch: patch.setattr(dynamic_queues, "after_close", lambda handle, *how: None),
    "every topic matches": lambda patch: patch.setattr(publishing, "matches", lambda wanted, string: True),
}


def notices(behavior):
    """Whether a test of behavior fails, in a lab of its own."""
    lab, qm = lab_with("DEFINE QLOCAL(Q1)")
    with lab.ibmmq():
        import ibmmq

        conn = ibmmq.connect("QM1")
        known = {"lab": lab, "qm": qm, "mqi": ibmmq, "conn": conn, "app": test_behavior.Caller(ibmmq, conn)}
        try:
            behavior(**{name: known[name] for name in signature(behavior).parameters})
        except (Exception, pytest.fail.Exception):  # noqa: BLE001  # any failure is a notice
            return True
    return False


@pytest.mark.parametrize("name", BROKERS)
def test_a_wrong_broker_is_noticed(name, library, monkeypatch):
    BROKERS[name](monkeypatch)
    assert any(notices(behavior) for behavior in BEHAVIORS)


def test_the_right_broker_is_not(library):
    assert len(BROKERS) == 22
    assert not [behavior.__name__ for behavior in BEHAVIORS if notices(behavior)]
