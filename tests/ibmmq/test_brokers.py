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
BROKERS = {}


def broker(function):
    """Enter a broker, a function of `monkeypatch`, by its name."""
    BROKERS[function.__name__] = function
    return function


def change(patch, *functions, before=None, after=None):
    """Let calls take the arguments that `before` gives, and return what `after` makes of theirs."""
    for name in functions:
        known = verbs.VERBS[name]

        def call(connection, *given, known=known):
            given = list(given) if before is None else before(connection, list(given))
            ended = known.call(connection, *given)
            return ended if after is None else after(connection, given, list(ended))

        patch.setitem(verbs.VERBS, name, known._replace(call=call))


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


@broker
def lifo(patch):
    order = MessageStore.in_order
    patch.setattr(MessageStore, "first", lambda store: next(iter([*order(store)][::-1]), None))
    patch.setattr(MessageStore, "in_order", lambda store, cursor=None: iter([*order(store, cursor)][::-1]))


@broker
def no_put_date(patch):
    def after(connection, given, ended):
        ended[1] = MQMD.write(ended[1], PutDate="", PutTime="")
        return tuple(ended)

    change(patch, "MQGET", after=after)


@broker
def always_accepts_truncated(patch):
    change(patch, "MQGET", before=field(MQGMO, -2, Options=lambda options: options | mq.MQGMO_ACCEPT_TRUNCATED_MSG))


@broker
def descriptor_not_returned(patch):
    change(patch, "MQGET", after=lambda connection, given, ended: (ended[0], given[-3], *ended[2:]))


@broker
def wrong_reason(patch):
    call = verbs.sessions.codes

    def codes(error, session):
        comp, reason = call(error, session)
        return comp, 2085 if reason == 2033 else reason

    patch.setattr(verbs.sessions, "codes", codes)


@broker
def identifiers_ignored(patch):
    change(patch, "MQGET", before=field(MQGMO, -2, MatchOptions=0))


@broker
def priority_ignored(patch):
    change(patch, "MQPUT", "MQPUT1", before=field(MQMD, -3, Priority=0))


@broker
def expiry_ignored(patch):
    change(patch, "MQPUT", "MQPUT1", before=field(MQMD, -3, Expiry=-1))


@broker
def wait_ignored(patch):
    change(patch, "MQGET", before=field(MQGMO, -2, Options=without(mq.MQGMO_WAIT)))


@broker
def put_outside_units(patch):
    change(patch, "MQPUT", "MQPUT1", before=field(MQPMO, -2, Options=without(mq.MQPMO_SYNCPOINT)))


@broker
def get_outside_units(patch):
    change(patch, "MQGET", before=field(MQGMO, -2, Options=without(mq.MQGMO_SYNCPOINT)))


@broker
def commit_does_nothing(patch):
    patch.setitem(verbs.VERBS, "MQCMIT", verbs.VERBS["MQCMIT"]._replace(call=lambda connection: verbs.OK))


@broker
def backout_does_nothing(patch):
    patch.setitem(verbs.VERBS, "MQBACK", verbs.VERBS["MQBACK"]._replace(call=lambda connection: verbs.OK))


def always_takes(patch, keyword, generous):
    """A broker whose queue takes a put that this attribute forbids."""

    def before(connection, given):
        qmgr = connection.qmgr
        for queue in [queue for queue in qmgr.queues if not queue.name.startswith("SYSTEM")]:
            qmgr.mqsc(f"ALTER QLOCAL({queue.name}) {keyword}({generous})")
        return given

    change(patch, "MQPUT", "MQPUT1", before=before)


@broker
def puts_never_inhibited(patch):
    always_takes(patch, "PUT", "ENABLED")


@broker
def queues_never_full(patch):
    always_takes(patch, "MAXDEPTH", 5000)


@broker
def constant_identifier(patch):
    keep = without(mq.MQPMO_NEW_MSG_ID)

    def before(connection, given):
        return field(MQMD, -3, MsgId=b"M" * 24)(connection, field(MQPMO, -2, Options=keep)(connection, given))

    change(patch, "MQPUT", "MQPUT1", before=before)


@broker
def browse_removes(patch):
    def after(connection, given, ended):
        handle = connection.objects[given[0]]
        if MQGMO.read(given[-2])["Options"] & (mq.MQGMO_BROWSE_FIRST | mq.MQGMO_BROWSE_NEXT):
            connection.qmgr.get(handle.name, msg_id=MQMD.read(ended[1])["MsgId"])
        return tuple(ended)

    change(patch, "MQGET", after=after)


@broker
def never_truncates(patch):
    change(patch, "MQGET", before=lambda connection, given: [*given[:-1], 10**8])


@broker
def open_options_unchecked(patch):
    everything = mq.MQOO_INPUT_SHARED | mq.MQOO_BROWSE | mq.MQOO_OUTPUT | mq.MQOO_INQUIRE | mq.MQOO_SET
    change(patch, "MQOPEN", before=lambda connection, given: [given[0], everything])


@broker
def unknown_queues_made(patch):
    def before(connection, given):
        fields, qmgr = MQOD.read(given[0]), connection.qmgr
        name = fields["ObjectName"]
        if fields["ObjectType"] == mq.MQOT_Q and qmgr.objects.named("QLOCAL", name) is None:
            qmgr.mqsc(f"DEFINE QLOCAL({name})").require()
        return given

    change(patch, "MQOPEN", "MQPUT1", before=before)


@broker
def dynamic_queues_stay(patch):
    patch.setattr(dynamic_queues, "after_close", lambda handle, delete, purge: None)


@broker
def every_topic_matches(patch):
    patch.setattr(publishing, "matches", lambda wanted, string: True)


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
