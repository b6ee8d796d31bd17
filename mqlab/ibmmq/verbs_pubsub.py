"""The calls of publish and subscribe, and of consumers, as IBM's library makes them.

The library has one function, set by MQCBINIT, that it wants called for every consumer: it finds the program's own by
the handles that it is called with. It knows these when MQCB has returned, so that MQCBCT_REGISTER_CALL is made at the
beginning of the connection's next call.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ..engine.words import constants as mq
from ..pubsub.consuming import Function, consumers_of
from ..pubsub.structures import CBC, CBD, CTLO, SD, SRO
from ..pubsub.subscribing import Subscription
from . import verbs
from .session import Connection
from .structures import MQCBC, MQCBD, MQCTLO, MQOD, MQSD, MQSRO, string
from .tracebacks import tell
from .verbs import OK, OPENERS, verb, warned

_STRINGS = {
    "ObjectString": mq.MQRC_OBJECT_STRING_ERROR,
    "SubName": mq.MQRC_SUB_NAME_ERROR,
    "SubUserData": mq.MQRC_SUB_USER_DATA_ERROR,
    "SelectionString": mq.MQRC_SELECTION_STRING_ERROR,
}
"""The strings of an MQSD that MQSUB reads -> the reason code of a wrong one."""
_ANSWERED = ["Options", "SubExpiry", "SubCorrelId", "PubPriority", "SubLevel"]
_ANSWERED += ["PubAccountingToken", "PubApplIdentityData"]


def _said(fields: dict[str, Any], name: str, *reason: int) -> str:
    return string(fields, name, *reason).decode("utf-8", "replace").rstrip(" \0")


def _open_topic(connection: Connection, od: bytes, fields: dict, options: int) -> tuple[Any, bytes]:
    """MQOPEN of a topic: its string, below that of the topic object that the descriptor names."""
    topic, given = fields["ObjectName"], _said(fields, "ObjectString")
    handle = connection.application.open_topic(given, topic=topic, options=options)
    if "ResolvedType" in fields:
        od = MQOD.write_string(od, "ResObjectString", handle.name.encode())
        od = MQOD.write(od, ResolvedType=mq.MQOT_TOPIC)
    return handle, od


OPENERS[mq.MQOT_TOPIC] = _open_topic


@verb("MQPUT1", "put", lambda od, md, pmo, body: (md, pmo))
def put1(connection: Connection, od: bytes, md: bytes, pmo: bytes, body: bytes) -> tuple:
    """MQPUT1: put one message to a queue, or publish it to a topic."""
    fields = MQOD.read(od)
    if fields["ObjectType"] != mq.MQOT_TOPIC:
        return verbs.put1(connection, od, md, pmo, body)
    descriptor, options = verbs.descriptor_of(md), verbs.put_options(connection, pmo)
    about = {"topic": fields["ObjectName"], "md": descriptor, "pmo": options}
    done = connection.application.publish(_said(fields, "ObjectString"), body, **about)
    return verbs.described(md, descriptor), verbs.put_done(pmo, options), *warned(done.warning)


@verb("MQCLOSE", "close")
def close(connection: Connection, number: int, options: int) -> tuple:
    """MQCLOSE: close a subscription, which is kept or removed, or any other object."""
    found = connection.objects.get(number)
    if not isinstance(found, Subscription):
        return verbs.close(connection, number, options)
    if options & ~(mq.MQCO_KEEP_SUB | mq.MQCO_REMOVE_SUB):
        key, given = found.definition.key, f"{options:#x}"
        reason = mq.MQRC_OPTIONS_ERROR
        connection.application.refuse(reason, "close-subscription-options", None, "close", key, options=given)
    keep, remove = bool(options & mq.MQCO_KEEP_SUB), bool(options & mq.MQCO_REMOVE_SUB)
    found.unsubscribe(keep=keep, remove=remove)
    del connection.objects[number]
    return OK


@verb("MQSUB", "subscribe", lambda sd, number: (sd, number, mq.MQHO_UNUSABLE_HOBJ))
def sub(connection: Connection, sd: bytes, number: int) -> tuple:
    """MQSUB: create, resume or alter a subscription; a managed queue comes back as an object of its own."""
    fields = MQSD.read(sd)
    given = {field: value for field, value in fields.items() if field in SD.FIELDS}
    given |= {name: _said(fields, name, reason) for name, reason in _STRINGS.items()}
    descriptor = SD(**given)
    nothing = descriptor.Options & mq.MQSO_MANAGED or number in (mq.MQHO_NONE, mq.MQHO_UNUSABLE_HOBJ)
    queue = None if nothing else connection.object(number, "subscribe")
    made = connection.application.subscribe(sd=descriptor, queue=queue)
    if made.opened:
        number = connection.keep(made.queue)
    sd = MQSD.write(sd, **{field: getattr(descriptor, field) for field in _ANSWERED})
    for name in ("SubUserData", "ResObjectString"):
        if fields[f"{name}BufSize"] > 0:
            sd = MQSD.write_string(sd, name, getattr(descriptor, name).encode())
    return sd, number, connection.keep(made), *OK


@verb("MQSUBRQ", "request", lambda number, action, sro: (sro,))
def subrq(connection: Connection, number: int, action: int, sro: bytes) -> tuple:
    """MQSUBRQ: ask for the retained publications of a subscription."""
    found, fields = connection.object(number, "request"), MQSRO.read(sro)
    if not isinstance(found, Subscription):
        connection.application.refuse(mq.MQRC_HOBJ_ERROR, "no-subscription-handle", None, "request", number=number)
    asked = SRO(Options=fields["Options"])
    found.request(asked, action)
    return MQSRO.write(sro, NumPubs=asked.NumPubs), *OK


CALLBACKS: list[Callable[..., object]] = []
"""The function of the library that calls a consumer, (hConn, md, gmo, data, context): the last one is asked."""
_BLANK_CONTEXT = struct.pack("4si", b"CBC ", 2).ljust(MQCBC.lengths[-1], b"\0")


@verb("MQCB", "callback")
def cb(connection: Connection, operation: int, cbd: bytes, number: int, md: bytes, gmo: bytes) -> tuple:
    """MQCB: register a function for a queue or for events, deregister it, suspend it, or resume it."""
    fields, application = MQCBD.read(cbd), connection.application
    found = consumers_of(application)
    events = fields["CallbackType"] == mq.MQCBT_EVENT_HANDLER or number in (mq.MQHO_NONE, mq.MQHO_UNUSABLE_HOBJ)
    handle = None if events else connection.object(number, "callback")
    handle = handle.queue if isinstance(handle, Subscription) else handle
    if operation & mq.MQOP_REGISTER:
        given = {field: fields[field] for field in ("CallbackType", "Options", "CallbackName", "MaxMsgLength")}
        descriptor, options = verbs.descriptor_of(md), verbs.get_options(connection, gmo)
        function = _calling(connection, number, md, gmo)
        found.register(handle, CBD(**given), function, descriptor, options)
        operation &= ~mq.MQOP_REGISTER
        if not operation:
            return OK
    found.of(handle, operation)
    return OK


def _calling(connection: Connection, number: int, md: bytes, gmo: bytes) -> Function:
    """The function that hands a call on to the library, as bytes."""

    def call(message: Any, context: CBC, descriptor: Any, options: Any) -> None:
        told = {field: getattr(context, field) for field in _CONTEXT}
        cbc = MQCBC.write(_BLANK_CONTEXT, Hobj=mq.MQHO_NONE if context.Hobj is None else number, **told)
        about = md if descriptor is None else verbs.described(md, descriptor)
        got = gmo if options is None else verbs.get_done(gmo, options)
        body = None if message is None else message.body
        if context.CallType == mq.MQCBCT_REGISTER_CALL:  # upon return from MQCB, when the library knows the consumer
            connection.later.append(lambda: _consume(connection, about, got, body, cbc))
        else:
            _consume(connection, about, got, body, cbc)

    return call


def _consume(connection: Connection, md: bytes, gmo: bytes, body: bytes | None, cbc: bytes) -> None:
    """Call the function of the library."""
    # an exception of a consumer is printed, and the calls go on, as with the library's C module; only SystemExit ends
    # the program
    session = connection.session
    try:
        CALLBACKS[-1](connection.number, md, gmo, body, cbc)
    except SystemExit as left:
        if session.exits is None or session.turns.over:
            raise
        session.exits(left)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  # any of them, as C does
        tell(error)
        session.note(f"a consumer of {connection.application.caller} raised {error!r}")


_CONTEXT = ["CallType", "CompCode", "Reason", "State", "DataLength", "BufferLength", "Flags", "ReconnectDelay"]


@verb("MQCTL", "control")
def ctl(connection: Connection, operation: int, ctlo: bytes) -> tuple:
    """MQCTL: start, stop, suspend, or resume to call the functions."""
    fields = MQCTLO.read(ctlo)
    consumers_of(connection.application).control(operation, CTLO(Options=fields["Options"]))
    return OK
