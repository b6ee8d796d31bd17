"""Message properties: message handles, what a get returns of a message's properties, and their values by name.

The properties that a program sets travel with the descriptor of a message; those in folders of an MQRFH2 that a program
puts itself stay in the data. A get without a GMO is a get with a message handle: it returns the data without the
folders of properties, and the properties in the handle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from ..engine.queues.message import PLAIN, Descriptor, Message, QueuedMessage, hand_over
from ..engine.queues.options import Uses
from ..engine.queues.transmission import headed
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import LabError, NotSimulated
from ..engine.words.headers import MQMDE, MQXQH
from ..engine.words.refusals import Grounds
from ..engine.words.structures import MD, as_body, encoded
from .property import (
    COMPATIBLE,
    TYPES,
    Names,
    Property,
    WrongName,
    as_folders,
    as_properties,
    check_name,
    own_name,
    readable,
    split,
    type_name,
    typed,
    value_of,
)
from .rfh2 import MQRFH2, Header, RfhError
from .selector import Selector, SelectorError, parse

MQMD = "Root.MQMD."
_JMS = {
    "jms.Cid": "CorrelId",
    "jms.Dlv": "Persistence",
    "jms.Exp": "Expiry",
    "jms.Pri": "Priority",
    "jms.Rto": "ReplyToQ",
    "jms.Gid": "GroupId",
    "jms.Seq": "MsgSeqNumber",
    "JMSMessageID": "MsgId",
    "JMSXAppID": "PutApplName",
    "JMSXDeliveryCount": "BackoutCount",
    "JMSXUserID": "UserIdentifier",
}
"""Properties of JMS that are fields of the descriptor where no header has them."""
_INTEGERS = (mq.MQTYPE_INT8, mq.MQTYPE_INT16, mq.MQTYPE_INT32, mq.MQTYPE_INT64)
_WIDER = {mq.MQTYPE_BOOLEAN: _INTEGERS, mq.MQTYPE_FLOAT32: (mq.MQTYPE_FLOAT64,)}
_WIDER |= {each: _INTEGERS[at + 1 :] for at, each in enumerate(_INTEGERS)}
_OPTIONS = sum((mq.MQIMPO_CONVERT_TYPE, mq.MQIMPO_QUERY_LENGTH, mq.MQIMPO_CONVERT_VALUE))
_WHICH = (mq.MQIMPO_INQ_FIRST, mq.MQIMPO_INQ_NEXT, mq.MQIMPO_INQ_PROP_UNDER_CURSOR)
_SETS = (
    mq.MQSMPO_SET_FIRST,
    mq.MQSMPO_SET_PROP_UNDER_CURSOR,
    mq.MQSMPO_SET_PROP_AFTER_CURSOR,
    mq.MQSMPO_SET_PROP_BEFORE_CURSOR,
    mq.MQSMPO_APPEND_PROPERTY,
)
_COPIED = {mq.MQACTP_FORWARD: mq.MQCOPY_FORWARD, mq.MQACTP_REPLY: mq.MQCOPY_REPLY, mq.MQACTP_REPORT: mq.MQCOPY_REPORT}
"""Action of a put: the copy option that its properties of the original message need."""


class Inquired(NamedTuple):
    """The answer of MQINQMP: the property, its name, its value in the type asked for, and the length of the value."""

    property: Property
    name: str
    value: Any
    type: int
    length: int


class MessageHandle:
    """The properties of a message, to be put or just got (MQCRTMH makes it, `close` is MQDLTMH).

    `values` are its properties by own name, `md` the descriptor of the message that a get returned with it. Without
    `validate` any name is set. The property cursor is on the property that was last inquired.
    """

    def __init__(self, application: Any, validate: bool = True):
        self.application, self.validate, self.open = application, validate, True
        self.values: dict[str, Property] = {}
        self._names: Names | None = None  # those of its values, once they are asked for
        self.md: MD | None = None
        self._cursor: str | None = None
        self._asked = ""

    @property
    def properties(self) -> dict[str, Any]:
        """Names and values, the names as an inquiry returns them."""
        return {each.shown: each.value for each in self.values.values()}

    def set(
        self, name: str, value: Any, type: int = mq.MQTYPE_AS_SET, *, options: int = 0, **descriptor: int
    ) -> Property:
        """Set a property (MQSETMP); `descriptor` can give support, context and copy of its MQPD.

        MQError 2046, 2442, 2460, 2471 (no property under the cursor), 2473, 2482, 2498, 2513.
        """
        self.require_open("set")
        if options not in _SETS:
            self._refuse(mq.MQRC_OPTIONS_ERROR, "mqsmpo-options", "set", options=f"{options:#x}")
        if type not in (*TYPES, mq.MQTYPE_AS_SET):
            self._refuse(mq.MQRC_PROPERTY_TYPE_ERROR, "type", "set", type=type)
        self._check_descriptor(descriptor)
        if isinstance(name, str) and name.startswith("Root."):
            raise NotSimulated(f"{name}: mqlab does not set fields of the descriptor as properties. Use the MD")
        try:
            own = check_name(name) if self.validate else own_name(str(name))
            under = options == mq.MQSMPO_SET_PROP_UNDER_CURSOR
            if under and own != self._cursor:
                self._refuse(mq.MQRC_PROPERTY_NOT_AVAILABLE, "not-under-cursor", "set", asked=name)
            if self._names is None:
                self._names = Names(self.values)
            self._names.require_unmixed(own)
        except WrongName as error:
            self._refuse(error.reason, "wrong-name", "set", problem=str(error))
        made = typed(own, value, type, **descriptor)
        self._names.add(own)
        before = options == mq.MQSMPO_SET_PROP_BEFORE_CURSOR
        if (before or options == mq.MQSMPO_SET_PROP_AFTER_CURSOR) and self._cursor in self.values:
            others = [property for property in self.values.values() if property.name != own]
            names = [property.name for property in others]
            place = names.index(self._cursor) + (not before) if self._cursor in names else len(names)
            self.values = {property.name: property for property in (*others[:place], made, *others[place:])}
        else:
            if options == mq.MQSMPO_APPEND_PROPERTY:
                self.values.pop(own, None)
            self.values[own] = made
        return made

    def inquire(
        self,
        name: str,
        options: int = mq.MQIMPO_INQ_FIRST,
        type: int = mq.MQTYPE_AS_SET,
        longest: int | None = None,
        longest_name: int | None = None,
    ) -> Inquired:
        """Return a property (MQINQMP): the first that fits a name, which may end with ``%``, or the next.

        MQError 2046, 2460, 2465 (a longer name than `longest_name` bytes), 2469 (a longer value than `longest` bytes,
        with its length as DataLength), 2470, 2471, 2472, 2473.
        """
        self.require_open("inquire")
        which = options & ~_OPTIONS
        if which not in _WHICH:
            self._refuse(mq.MQRC_OPTIONS_ERROR, "mqimpo-options", "inquire", options=f"{options:#x}")
        if type not in (*TYPES, mq.MQTYPE_AS_SET):
            self._refuse(mq.MQRC_PROPERTY_TYPE_ERROR, "other-type-asked", "inquire", type=type)
        match = self._found(name, which)
        if match is None:
            has = ", ".join(self.properties) or "none"
            self._cursor = None
            case = "no-more-fit" if which else "none-fits"
            self._refuse(mq.MQRC_PROPERTY_NOT_AVAILABLE, case, "inquire", asked=name, has=f"{has:.200}")
        self._cursor, self._asked = match.name, name
        shown = match if not options & mq.MQIMPO_CONVERT_TYPE else self._converted(match, type)
        if longest_name is not None and len(match.shown.encode()) > longest_name:
            length = len(match.shown.encode())
            self._refuse(mq.MQRC_PROPERTY_NAME_TOO_BIG, "long-name", "inquire", length=length, longest=longest_name)
        answer = Inquired(match, match.shown, shown.value, shown.type, shown.length)
        if longest is not None and shown.length > longest and not options & mq.MQIMPO_QUERY_LENGTH:
            fields = {"property": match.shown, "length": shown.length, "longest": longest}
            grounds = Grounds(mq.MQRC_PROPERTY_VALUE_TOO_BIG, "long-value", fields)
            error = self.application.refusal(grounds, None, "inquire")
            error.message = answer  # as a get that does not fit its buffer shows its message
            raise error
        return answer

    def delete(self, name: str, options: int = mq.MQDMPO_DEL_FIRST) -> None:
        """Delete a property (MQDLTMP); MQError 2046, 2460, 2471."""
        self.require_open("set")
        if options not in (mq.MQDMPO_DEL_FIRST, mq.MQDMPO_DEL_PROP_UNDER_CURSOR):
            self._refuse(mq.MQRC_OPTIONS_ERROR, "mqdmpo-options", "set", options=f"{options:#x}")
        require("the name of a property", name, str, "text")
        own = own_name(name)
        if own not in self.values or (options and own != self._cursor):
            case = "none-under-cursor" if options else "no-property"
            self._refuse(mq.MQRC_PROPERTY_NOT_AVAILABLE, case, "set", asked=name)
        del self.values[own]
        if self._names is not None:
            self._names.remove(own)

    def close(self) -> None:
        """Delete the handle (MQDLTMH); later calls with it fail with 2460."""
        self.require_open("close")
        self.open, self.values, self._names, self.md = False, {}, None, None

    def require_open(self, call: str) -> None:
        """2460 if the handle was deleted."""
        if not self.open:
            self._refuse(mq.MQRC_HMSG_ERROR, "deleted", call)

    def put(self, descriptor: Descriptor) -> None:
        """Show the properties of the message that was put with it."""
        self.values, self._names = {each.name: each for each in descriptor.properties}, None

    def fill(self, message: Message, target: Any, options: int) -> None:
        """Take over the properties and the descriptor of a message that a get with these options returned, if they let
        it have the properties."""
        if way_of(target, options) not in _IN_HANDLE:
            return
        self.values, self._names = {each.name: each for each in message._of.descriptor.properties}, None
        self.md, self._cursor = message.md, None

    def _found(self, name: str, which: int) -> Property | None:
        require("the name of a property", name, str, "text")
        if which == mq.MQIMPO_INQ_PROP_UNDER_CURSOR:
            return self.values.get(self._cursor or "")
        after = self._cursor if which == mq.MQIMPO_INQ_NEXT and name == self._asked else None
        if not name.endswith("%"):
            own = own_name(name)
            return None if after == own else self.values.get(own) or _of_descriptor(self.md, own)
        prefix, begun = name[:-1], after is None
        for property in self.values.values():
            whole = property.name if "." in property.name else f"usr.{property.name}"
            if begun and any(one.startswith(prefix) for one in (whole, property.name, property.shown)):
                return property
            begun = begun or property.name == after
        return None

    def _converted(self, property: Property, type: int) -> Property:
        """The property with its value converted: text to anything and back, a number to a longer one."""
        if type in (mq.MQTYPE_AS_SET, property.type):
            return property
        value = property.value
        fields = {"property": property.shown, "type": type_name(type)}
        try:
            if type == mq.MQTYPE_STRING and value is not None:
                text = value.hex().upper() if isinstance(value, bytes) else str(value)
                return property._replace(type=type, value=text.upper() if isinstance(value, bool) else text)
            if property.type == mq.MQTYPE_STRING and type != mq.MQTYPE_NULL:
                return property._replace(type=type, value=value_of(type, value))
            if type in _WIDER.get(property.type, ()):
                return property._replace(type=type, value=int(value) if type in _INTEGERS else value)
        except ValueError:
            self._refuse(mq.MQRC_PROP_NUMBER_FORMAT_ERROR, "no-number", "inquire", value=f"{value!r:.80}", **fields)
        fields["has"] = type_name(property.type)
        grounds = Grounds(mq.MQRC_PROP_CONV_NOT_SUPPORTED, "not-converted", fields)
        raise self.application.refusal(grounds, None, "inquire")

    def _check_descriptor(self, descriptor: dict[str, int]) -> None:
        """2482 for a value of an MQPD that MQ does not have."""
        allowed: dict[str, Callable[[int], bool]] = {
            "support": lambda value: True,
            "context": (mq.MQPD_NO_CONTEXT, mq.MQPD_USER_CONTEXT).__contains__,
            "copy": lambda value: not value & ~0x1F,
        }
        for field, value in descriptor.items():
            if field not in allowed or type(value) is not int:
                raise LabError(f"the descriptor of a property must be support, context and copy; got {field}={value!r}")
            if not allowed[field](value):
                self._refuse(mq.MQRC_PD_ERROR, "mqpd", "set", field=field, value=f"{value:#x}")

    def _refuse(self, reason: int, case: str, call: str, **fields: object) -> NoReturn:
        raise self.application.refusal(Grounds(reason, case, fields), None, call)

    def __repr__(self) -> str:
        return f"MessageHandle({self.properties!r:.200}{'' if self.open else ', deleted'})"


def create_handle(application: Any, validate: bool = True) -> MessageHandle:
    """Create a message handle (MQCRTMH), for the properties of messages; MQError 2059.

    `validate` is whether `set` checks names. LabError before command level 700, which has no properties.
    """
    application.require_running()
    require_level(application.qmgr)
    return MessageHandle(application, validate)


def require_level(qmgr: Any) -> None:
    """Raise LabError if the queue manager's command level has no message properties."""
    if qmgr.level < 700:
        raise LabError(f"message properties must be used at command level 700 or later; {qmgr.name} has {qmgr.level}")


def checked_selector(application: Any, call: str, name: str, text: Any, uses: Uses | None = None) -> Selector:
    """The selector that a call on the object `name` gives (PRP-07); MQError 2504, 2519, 2516 for `uses` of an open
    without input or browse, and for wrong syntax 2459 of an open, 2551 of a subscription, whose selector might be one
    for an extended message selection provider."""
    if uses is not None and uses.input is None and not uses.browse:
        application.refuse(mq.MQRC_SELECTOR_INVALID_FOR_TYPE, "selector-without-input", None, "open", name)
    require_level(application.qmgr)

    def refuse(reason: int, case: str, **fields: object) -> NoReturn:
        raise application.refusal(Grounds(reason, case, fields), None, call, name)

    length = len(encoded(text, "selector")) if isinstance(text, str) else 0
    if length > mq.MQ_SELECTOR_LENGTH:
        refuse(mq.MQRC_SELECTION_STRING_ERROR, "long-selector", length=length, most=mq.MQ_SELECTOR_LENGTH)
    try:
        selector = parse(text)
    except SelectorError as error:
        reason = mq.MQRC_SELECTOR_SYNTAX_ERROR if call == "open" else mq.MQRC_SELECTION_NOT_AVAILABLE
        refuse(reason, "wrong-syntax", problem=str(error))
    if selector.always_false:
        refuse(mq.MQRC_SELECTOR_ALWAYS_FALSE, "selects-nothing", text=text)
    return selector


def require_handle(application: Any, handle: Any, target: Any, call: str, what: str) -> None:
    """2460 for something that is no message handle of this connection, or a deleted one."""
    if not isinstance(handle, MessageHandle) or not handle.open or handle.application is not application:
        application.refuse(mq.MQRC_HMSG_ERROR, "bad-handle", target, call, what=what, handle=f"{handle!r:.80}")


def to_put(application: Any, target: Any, values: Any, pmo: Any = None) -> tuple[Property, ...]:
    """The properties of a put: of a dict, or of the message handles in a PMO as its Action says (PRP-04)."""
    try:
        own = () if values is None else as_properties(values)
    except WrongName as error:
        application.refuse(error.reason, "wrong-name", target, "put", problem=str(error))
    action, handles = mq.MQACTP_NEW, {}
    if pmo is not None and pmo.Version >= 3:
        handles = {"OriginalMsgHandle": pmo.OriginalMsgHandle, "NewMsgHandle": pmo.NewMsgHandle}
        action = pmo.Action
    if action not in (mq.MQACTP_NEW, *_COPIED):
        application.refuse(mq.MQRC_ACTION_ERROR, "action", target, "put", action=action)
    needed = "OriginalMsgHandle" if action in _COPIED else ""
    used = {what: handle for what, handle in handles.items() if handle or what == needed}
    if used and own:
        raise LabError("properties must be given once, as properties=... or by a handle in the PMO; got both")
    if used or own:
        require_level(application.qmgr)
    made = {property.name: property for property in own}
    for what, handle in used.items():
        require_handle(application, handle, target, "put", f"{what} of the PMO")
        kept = tuple(handle.values.values())
        if what == needed:
            kept = copied(kept, _COPIED[action])
        made |= {property.name: property for property in kept}
    return tuple(made.values())


def made(values: dict[str, str | bool]) -> tuple[Property, ...]:
    """Properties that the queue manager itself gives a message, by their own names."""
    types = {str: mq.MQTYPE_STRING, bool: mq.MQTYPE_BOOLEAN}
    return tuple(Property(name, types[type(value)], value) for name, value in values.items())


def copied(properties: tuple[Property, ...], option: int) -> tuple[Property, ...]:
    """Return the properties whose copy options allow a copy to a message of this kind (PRP-04)."""
    return tuple(each for each in properties if each.copy & (option | mq.MQCOPY_ALL))


def check_put(application: Any, target: Any, body: bytes, descriptor: Descriptor) -> None:
    """Refuse properties longer than MAXPROPL (2478), and an MQRFH2 in the data that is not valid: 2334, 2421."""
    qmgr, properties = application.qmgr, descriptor.properties
    if descriptor.format == MQRFH2.FORMAT and qmgr.level >= 700:
        try:
            parts = split(body, descriptor.format, descriptor.encoding, descriptor.ccsid)
        except RfhError as error:
            application.refuse(error.reason, "wrong-header", target, "put", problem=str(error))
        properties += parts.properties
    most = qmgr.attributes.get("MAXPROPL", -1)
    if properties and most != -1:
        length = sum(len(each.name.encode()) + each.length for each in properties)
        if length > most:
            application.refuse(mq.MQRC_PROPERTIES_TOO_BIG, "maxpropl", target, "put", length=length, most=most)


def with_properties(
    application: Any, target: Any, body: bytes | str, descriptor: Descriptor, values: Any, pmo: Any = None
) -> Descriptor:
    """The descriptor of a put with the properties that it is given, by name or in a PMO, checked with those in its
    data."""
    if values is not None or pmo is not None:
        found = to_put(application, target, values, pmo)
        descriptor = descriptor._replace(properties=found) if found else descriptor
    if descriptor.carries:
        check_put(application, target, as_body(body), descriptor)
    return descriptor


_AS_SENT_IN_HANDLE = "as sent in handle"
_IN_HANDLE = ("handle", _AS_SENT_IN_HANDLE)


def way_of(target: Any, options: int = 0, with_handle: bool = True) -> str:
    """How a get returns properties (PRP-06): in the "handle" or in a "header", "compatible", "none", or, with V6COMPAT,
    each "as sent"."""
    for option, way in (
        (mq.MQGMO_NO_PROPERTIES, "none"),
        (mq.MQGMO_PROPERTIES_FORCE_MQRFH2, "header"),
        (mq.MQGMO_PROPERTIES_COMPATIBILITY, "compatible"),
        (mq.MQGMO_PROPERTIES_IN_HANDLE, "handle"),
    ):
        if options & option:
            return way
    control = target.definition.attributes.get("PROPCTL", "V6COMPAT") if target.qmgr.level >= 700 else "V6COMPAT"
    if control in ("FORCE", "V6COMPAT") or not with_handle:
        ways = {"NONE": "none", "ALL": "header", "COMPAT": "compatible", "FORCE": "header", "V6COMPAT": "as sent"}
        return _AS_SENT_IN_HANDLE if control == "V6COMPAT" and with_handle else ways[control]
    return "handle"


def delivered(message: QueuedMessage, way: str) -> QueuedMessage:
    """A message as a get returns it in this way; itself if it has nothing that would change."""
    descriptor, own = message.descriptor, message.descriptor.properties
    if way.startswith("as sent"):
        return message if not own or way.endswith("handle") else _with(message, message.body, ())
    parts = readable(message.body, descriptor.format, descriptor.encoding, descriptor.ccsid)
    every = tuple({each.name: each for each in (*parts.properties, *own)}.values())
    if way == "compatible":
        way = "header" if any(each.folder in COMPATIBLE for each in every) else "none"
    if way == "header":
        if not own:
            return message
        header = Header(as_folders(own), descriptor.format, descriptor.encoding, descriptor.ccsid)
        return _with(message, MQRFH2.pack(header) + message.body, (), MQRFH2.FORMAT, mq.MQENC_NATIVE, mq.UTF_8)
    return _with(message, parts.body, every if way == "handle" else (), parts.format, parts.encoding, parts.ccsid)


def _with(message: QueuedMessage, body: bytes, properties: tuple, *format: Any) -> QueuedMessage:
    """The same message with other data and properties, and the format, encoding and character set of the data."""
    copy = message.copy()
    fields = dict(zip(("format", "encoding", "ccsid"), format, strict=False))
    copy.body, copy.descriptor = body, message.descriptor._replace(properties=properties, **fields)
    return copy


def properties_of(message: QueuedMessage) -> tuple[Property, ...]:
    """All the properties of a message: those set by a program, and those in the headers of its data."""
    descriptor = message.descriptor
    if descriptor is PLAIN or not descriptor.carries:
        return ()
    parts = readable(message.body, descriptor.format, descriptor.encoding, descriptor.ccsid)
    return tuple({each.name: each for each in (*parts.properties, *descriptor.properties)}.values())


def values_of(message: QueuedMessage, qmgr: Any) -> Callable[[str], Any]:
    """The values of a message's properties by name, fields of the descriptor among them, for a selector."""
    by_name = {each.name: each.value for each in properties_of(message)}
    md: MD | None = None

    def value(name: str) -> Any:
        nonlocal md
        own = own_name(name)
        if own in by_name:
            return by_name[own]
        if own not in _JMS and not own.startswith(MQMD):
            return None
        if md is None:
            md = hand_over(message, message.tenths_left(qmgr.clock.time_us), qmgr).md
        field = _of_descriptor(md, own)
        return None if field is None else field.value

    return value


def _of_descriptor(md: MD | None, own: str) -> Property | None:
    """The field of a descriptor that a property is: by Root.MQMD and its name, or by its name in JMS."""
    field = own.removeprefix(MQMD) if own.startswith(MQMD) else _JMS.get(own, "")
    if md is None or field not in MD.FIELDS or field == "Version":
        return None
    value = getattr(md, field)
    if not own.startswith(MQMD) and isinstance(value, bytes):
        value = f"ID:{value.hex()}"
    return typed(own, value)


def without_properties(message: QueuedMessage, control: str) -> QueuedMessage:
    """A message on its way to a queue manager before level 700, which knows no properties: by PROPCTL of the channel
    they are in an MQRFH2 before the data, or left out (PRP-06)."""
    sent = message.copy()
    properties, sent.descriptor = message.descriptor.properties, message.descriptor._replace(properties=())
    compatible = any(each.folder in COMPATIBLE for each in properties)
    if headed(message) and (control == "ALL" or (control == "COMPAT" and compatible)):
        queue, qmgr, md, body = MQXQH.unpack(message.body)
        data = MQRFH2.pack(Header(as_folders(properties), md.Format, md.Encoding, md.CodedCharSetId)) + body
        md.fill(Format=MQRFH2.FORMAT, Encoding=mq.MQENC_NATIVE, CodedCharSetId=mq.UTF_8)
        if md.Version == 2:
            data = MQMDE.pack(md) + data
            md.fill(Format=MQMDE.FORMAT)
        sent.body = MQXQH.pack(queue, qmgr, md) + data
    return sent
