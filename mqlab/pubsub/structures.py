"""The structures of subscriptions and consumers, and their layouts."""

from __future__ import annotations

from ..engine.words.layouts import Layout
from ..engine.words.structures import Structure

MQSD = Layout(
    "MQSD",
    "Options:i ObjectName:48s AlternateUserId:12s -AlternateSecurityId:40x SubExpiry:i=MQEI_UNLIMITED *ObjectString "
    "*SubName *SubUserData SubCorrelId:24x PubPriority:i=MQPRI_PRIORITY_AS_PUBLISHED PubAccountingToken:32x "
    "PubApplIdentityData:32s *SelectionString SubLevel:i=1 *ResObjectString",
)
MQSRO = Layout("MQSRO", "Options:i NumPubs:i")
MQCBD = Layout(
    "MQCBD",
    "CallbackType:i=MQCBT_MESSAGE_CONSUMER Options:i CallbackArea:P=None CallbackFunction:P=None CallbackName:128s "
    "MaxMsgLength:i=MQCBD_FULL_MSG_LENGTH",
)
MQCTLO = Layout("MQCTLO", "Options:i -Reserved:i ConnectionArea:P=None")
MQCBC = Layout(
    "MQCBC",
    "CallType:i Hobj:i=None CallbackArea:P=None ConnectionArea:P=None CompCode:i Reason:i State:i DataLength:i "
    "BufferLength:i Flags:i | ReconnectDelay:i -Reserved1:i",
)


class SD(Structure):
    """A subscription descriptor, MQSD. SubExpiry is in tenths of a second, -1 unlimited; PubPriority -3 is that of the
    publication. ResObjectString is what the call answers: the whole topic string."""

    FIELDS = MQSD.initial_values()
    __slots__ = tuple(FIELDS)


class SRO(Structure):
    """The options of a request for retained publications, MQSRO; NumPubs is what the call answers."""

    FIELDS = MQSRO.initial_values()
    __slots__ = tuple(FIELDS)


class CBD(Structure):
    """A callback descriptor, MQCBD: MaxMsgLength is in bytes, -1 for the whole message."""

    FIELDS = MQCBD.initial_values()
    __slots__ = tuple(FIELDS)


class CTLO(Structure):
    """The options of a start or stop of consumers, MQCTLO."""

    FIELDS = MQCTLO.initial_values()
    __slots__ = tuple(FIELDS)


class CBC(Structure):
    """The context that a consumer is called with, MQCBC: Hobj is the handle, None for an event handler."""

    FIELDS = MQCBC.initial_values()
    __slots__ = tuple(FIELDS)
