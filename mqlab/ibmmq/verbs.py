"""The calls of the MQI as IBM's library makes them: bytes and numbers in, bytes, numbers, and two codes out.

`VERBS` maps the name of each function to a `Verb`; other modules add theirs by `@verb`. A verb unpacks its structures,
asks the engine, and packs the answer; it decides nothing itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from ..engine.queues.inquire import NAMES
from ..engine.queues.options import CONTEXTS
from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.errors import MQError, NotSimulated
from ..engine.words.refusals import Grounds
from ..engine.words.structures import GMO, MD, PMO
from ..pcf import numbers
from . import session as sessions
from .addresses import problem_of
from .arguments import Signature, checked
from .session import Connection
from .structures import MQCD, MQCNO, MQCSP, MQGMO, MQMD, MQOD, MQPMO, MQSCO, MQSTS, Memory, WrongStructure, string, text
from .times import COMMAND
from .tracebacks import as_of_c

OK = (mq.MQCC_OK, mq.MQRC_NONE)
_NO_OBJECT = mq.MQHO_UNUSABLE_HOBJ
_COMMAND = mq.MQFMT_ADMIN.encode()


class Verb(NamedTuple):
    """A function of the library: `call(connection, *arguments)` returns its outputs and the two codes; `unchanged` of
    the same arguments are the outputs of a call that fails. `name` is what the event log calls it."""

    name: str
    call: Callable[..., tuple]
    unchanged: Callable[..., tuple]


VERBS: dict[str, Verb] = {}
CONNECTS: dict[str, Callable[..., tuple]] = {}
"""The functions that make a connection, and so have none: each takes its arguments only."""


def verb(function: str, name: str, unchanged: Callable[..., tuple] = lambda *given: ()) -> Callable:
    """Enter a verb under the name of its function in the library."""

    def enter(call: Callable[..., tuple]) -> Callable[..., tuple]:
        VERBS[function] = Verb(name, call, unchanged)
        return call

    return enter


def entry(function: str, signature: Signature, made: Callable[..., tuple] | None = None) -> Callable[..., tuple]:
    """A function of the library's module of C, made of the verb or of `made`: it raises nothing of MQ's."""
    make = made or partial(call if function in VERBS else connect, function)
    return as_of_c("ibmmqc", function, lambda *arguments: make(*checked(signature, arguments)))


def call(function: str, number: Any, *arguments: Any) -> tuple:
    """Make a call of the library: the outputs, the completion code, and the reason code."""
    found = VERBS[function]
    connection = None
    try:
        connection = sessions.connection_of(number)
        with connection.session.turns, connection.calling(found.name):
            connection.require_alive(found.name)
            while connection.later:
                connection.later.pop(0)()
            connection.count(0, arguments)
            answer = found.call(connection, *arguments)
            connection.count(1, answer)
        if looks := _looks(function, arguments):
            connection.session.times.grow_impatient(looks)
        return answer
    except WrongStructure as wrong:
        assert connection is not None
        return *found.unchanged(*arguments), *_refuse_structure(connection, found.name, wrong)
    except Exception as error:  # noqa: BLE001  # what is none of mqlab's is raised again
        session = connection.session if connection is not None else None
        ended = sessions.codes(error, session, function)
        if session is not None and ended[1] == mq.MQRC_NO_MSG_AVAILABLE:
            session.times.grow_impatient()
        return *found.unchanged(*arguments), *ended


def _looks(function: str, arguments: tuple) -> int:
    """How many looks a call is that asks how things are: an MQINQ, or the put of a command in PCF."""
    if function in ("MQPUT", "MQPUT1") and _COMMAND in arguments[1]:
        return COMMAND
    return int(function == "MQINQ")


def connect(function: str, *arguments: Any) -> tuple:
    """Make a call that connects: the number of the connection, and the two codes."""
    session = None
    try:
        session = sessions.current()
        with session.turns:
            session.end_lost()
            return CONNECTS[function](session, *arguments)
    except Exception as error:  # noqa: BLE001  # what is none of mqlab's is raised again
        if isinstance(error, WrongStructure):
            error = MQError(error.reason, grounds=_grounds_of(error))
        return mq.MQHC_UNUSABLE_HCONN, *sessions.codes(error, session, function)


def _grounds_of(wrong: WrongStructure) -> Grounds:
    return Grounds(wrong.reason, "wrong-structure", {"problem": wrong.said})


def _refuse_structure(connection: Connection, name: str, wrong: WrongStructure) -> tuple[int, int]:
    """The codes of a call with a wrong structure, after its row."""
    error = connection.application.refusal(_grounds_of(wrong), None, name)
    connection.session.refused(error)
    return error.comp, error.reason


def _refuse(connection: Connection, handle: Any, reason: int, case: str, call: str, **fields: object) -> None:
    """Refuse a call about an open object."""
    connection.application.refuse(reason, case, None, call, handle.name, **fields)


def warned(reason: int) -> tuple[int, int]:
    """The codes of a call that is done, with a warning if there is a reason."""
    return (mq.MQCC_WARNING, reason) if reason else OK


# connecting


def conn(session: sessions.Session, name: bytes) -> tuple:
    """MQCONN: connect to a queue manager of the lab by its name; only the thread that connects may use the handle."""
    if url := os.environ.get("MQCCDTURL"):
        return session.connect_by_table(_name(name), "", mq.MQCNO_HANDLE_SHARE_NONE, ccdt=url).number, *OK
    qmgr = session.queue_manager(_name(name))
    return session.connect(qmgr, "", mq.MQCNO_HANDLE_SHARE_NONE).number, *OK


def connx(session: sessions.Session, name: bytes, cno: Any, cd: Any, csp: Any, *others: Any) -> tuple:
    """MQCONNX: connect with options; a user and a password are checked as CONNAUTH and CHLAUTH ask, and TLS as MQCD and
    MQSCO have it. Balancing (MQBNO) is taken without effect. Without an MQCD, CCDTUrl or the variable MQCCDTURL names
    the CCDT of a client.

    pymqi gives the options of the MQCNO as a number, and the user and the password in a dict.
    """
    plain = isinstance(cno, int)
    options: dict[str, Any] = {"Options": cno} if plain else MQCNO.read(cno) if cno is not None else {}
    channel = MQCD.read(cd) if cd is not None else {}
    who: dict[str, Any] = {}
    if isinstance(csp, dict):
        who = {keyword: value.decode("latin-1") for keyword, value in csp.items()}
    elif csp is not None and (given := MQCSP.read(csp))["AuthenticationType"] == mq.MQCSP_AUTH_USER_ID_AND_PWD:
        for keyword, field in (("user", "UserId"), ("password", "Password")):
            who[keyword] = string(given, field, mq.MQRC_CSP_ERROR).decode("latin-1")
    if channel and (problem := problem_of(channel["ConnectionName"])):
        grounds = Grounds(mq.MQRC_HOST_NOT_AVAILABLE, "wrong-address", {"problem": problem})
        raise MQError(mq.MQRC_HOST_NOT_AVAILABLE, channel["ChannelName"], grounds=grounds)
    if channel:
        who |= {"channel": channel["ChannelName"], **_client_of(channel)}
    if others and others[0]:
        who |= session.keys_of(MQSCO.read(others[0]))
    shares = mq.MQCNO_HANDLE_SHARE_BLOCK | mq.MQCNO_HANDLE_SHARE_NO_BLOCK
    who["options"] = options.get("Options", 0)
    sharing = who["options"] & shares or mq.MQCNO_HANDLE_SHARE_NONE
    url = string(options, "CCDTUrl", mq.MQRC_CCDT_URL_ERROR).decode() or os.environ.get("MQCCDTURL", "")
    if url and not channel:
        connection = session.connect_by_table(_name(name), options.get("ApplName", ""), sharing, ccdt=url, **who)
    else:
        qmgr = session.queue_manager(_name(name), [place[0] for place in who.get("places", ())])
        connection = session.connect(qmgr, options.get("ApplName", ""), sharing, **who)
    if len(others) > 1 and others[1]:
        where = (connection.application.qmgr.name, None, None)
        connection.application.record("connect", where, "MQI-27", detail={"kept_only": ["MQBNO"]})
    return connection.number, *OK


def _client_of(channel: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a connect that an MQCD stands for: its addresses, its TLS, and how it reconnects."""
    addresses = [address.strip() for address in channel["ConnectionName"].split(",")]
    port = addresses[0].partition("(")[2].strip(" )")
    named_fields = {"cipher": channel.get("SSLCipherSpec", ""), "label": channel.get("CertificateLabel", "")}
    named_fields["peer"] = string(channel, "SSLPeerName", mq.MQRC_SSL_PEER_NAME_ERROR).decode("utf-8", "replace")
    named_fields |= {"defrecon": ("NO", "YES", "QMGR", "DISABLED")[channel.get("DefReconnect", 0) & 3]}
    named: dict[str, Any] = {field: value for field, value in named_fields.items() if value}
    named["places"] = tuple((address, channel["ChannelName"], None) for address in addresses)
    return named | ({"port": int(port)} if port else {})


CONNECTS["MQCONN"], CONNECTS["MQCONNX"] = conn, connx


def _name(name: bytes | str) -> str:
    return (name if isinstance(name, str) else name.decode("latin-1")).partition("\0")[0].strip(" ")


@verb("MQDISC", "disconnect")
def disc(connection: Connection) -> tuple:
    """MQDISC: commit the unit of work, close the objects, end the connection."""
    if connection.application.gate is not None:
        connection.application.gate.require_outside("disconnect")
    connection.end(commit=True)
    return OK


# objects


@verb("MQOPEN", "open", lambda od, options: (_NO_OBJECT, od))
def open_(connection: Connection, od: bytes, options: int) -> tuple:
    """MQOPEN: open a queue, or another object to inquire about it; the descriptor then has the resolved name."""
    handle, od = opened(connection, od, options)
    return connection.keep(handle), od, *OK


def opened(connection: Connection, od: bytes, options: int) -> tuple[Any, bytes]:
    """The engine's handle on the object that a descriptor names, and the descriptor as the call leaves it."""
    fields = MQOD.read(od)
    application, sort = connection.application, fields["ObjectType"]
    if sort in OPENERS:
        return OPENERS[sort](connection, od, fields, options)
    kind = _OTHERS.get(sort)
    if kind is None:
        application.refuse(mq.MQRC_OBJECT_TYPE_ERROR, "unknown-type", None, "open", fields["ObjectName"], type=sort)
    return application.open_object(kind, fields["ObjectName"], options), od


def _open_queue(connection: Connection, od: bytes, fields: dict, options: int) -> tuple[Any, bytes]:
    name = queue_name(fields)
    about = {"dynamic_name": fields["DynamicQName"]}
    if selector := string(fields, "SelectionString", mq.MQRC_SELECTION_STRING_ERROR):
        about["selector"] = selector.decode("utf-8", "replace")
    if options & mq.MQOO_ALTERNATE_USER_AUTHORITY:
        about["alternate_user"] = fields["AlternateUserId"]
    handle = connection.application.open(name, options=options, **about)
    changed = {"ObjectName": handle.name, "ObjectQMgrName": handle.qmgr.name} if handle.creator else {}
    queue, at_ = resolved(handle.target)
    return handle, MQOD.write(od, **changed, ResolvedQName=queue, ResolvedQMgrName=at_)


_OF_BOTH = mq.MQOO_ALTERNATE_USER_AUTHORITY | mq.MQOO_FAIL_IF_QUIESCING | CONTEXTS
"""Options that an open and a put have, with the same values."""
OPENERS: dict[int, Callable] = {mq.MQOT_Q: _open_queue}
"""ObjectType -> what opens it; the publish/subscribe verbs add topics."""
_OTHERS = {mq.MQOT_Q_MGR: "QMGR", mq.MQOT_PROCESS: "PROCESS", mq.MQOT_NAMELIST: "NAMELIST"}


def queue_name(fields: dict) -> str:
    """The name of a queue as the engine takes it."""
    at_ = fields["ObjectQMgrName"]
    return f"{fields['ObjectName']}@{at_}" if at_ else fields["ObjectName"]


def resolved(target: Any) -> tuple[str, str]:
    """The queue and the queue manager that a target leads to; blank for a topic."""
    if target.queue is None:
        return "", ""
    return target.destination if target.kind == "QREMOTE" else (target.queue.name, target.queue.subject[0])


@verb("MQCLOSE", "close")
def close(connection: Connection, number: int, options: int) -> tuple:
    """MQCLOSE: close an object; a dynamic queue is deleted if the options ask for it."""
    handle = connection.object(number, "close")
    known = mq.MQCO_DELETE | mq.MQCO_DELETE_PURGE
    if options & ~known or options == known:
        _refuse(connection, handle, mq.MQRC_OPTIONS_ERROR, "close-options", "close", options=f"{options:#x}")
    delete, purge = bool(options & mq.MQCO_DELETE), bool(options & mq.MQCO_DELETE_PURGE)
    warning = handle.close(delete=delete, purge=purge)
    del connection.objects[number]
    return warned(warning)


# messages


@verb("MQPUT", "put", lambda number, md, pmo, body: (md, pmo))
def put(connection: Connection, number: int, md: bytes, pmo: bytes, body: bytes) -> tuple:
    """MQPUT: put a message; the descriptor and the options then hold what the queue manager filled in."""
    handle = connection.object(number, "put")
    descriptor, options = descriptor_of(md), put_options(connection, pmo)
    done = handle.put(body, md=descriptor, pmo=options)
    return described(md, descriptor), put_done(pmo, options), *warned(_warning(done))


@verb("MQPUT1", "put", lambda od, md, pmo, body: (md, pmo))
def put1(connection: Connection, od: bytes, md: bytes, pmo: bytes, body: bytes) -> tuple:
    """MQPUT1: open a queue, put one message, close it."""
    fields = MQOD.read(od)
    descriptor, options = descriptor_of(md), put_options(connection, pmo)
    if fields["ObjectType"] != mq.MQOT_Q:
        sort, name = fields["ObjectType"], fields["ObjectName"]
        connection.application.refuse(mq.MQRC_OBJECT_TYPE_ERROR, "no-queue-to-put", None, "put", name, type=sort)
    another = options.Options & mq.MQPMO_ALTERNATE_USER_AUTHORITY
    if not another:
        done = connection.application.put(queue_name(fields), body, md=descriptor, pmo=options)
        return described(md, descriptor), put_done(pmo, options), *warned(_warning(done))
    connection.application.resolve(queue_name(fields), "put")  # it refuses a model queue, which an open takes
    with opened(connection, od, mq.MQOO_OUTPUT | options.Options & _OF_BOTH)[0] as handle:
        options.Options ^= another
        done = handle.put(body, md=descriptor, pmo=options)
        options.Options ^= another
    return described(md, descriptor), put_done(pmo, options), *warned(_warning(done))


@verb("MQGET", "get", lambda number, md, gmo, longest: (b"", md, gmo, 0))
def get(connection: Connection, number: int, md: bytes, gmo: bytes, longest: int) -> tuple:
    """MQGET: get or browse a message of at most `longest` bytes; a warning has data too."""
    handle = connection.object(number, "get")
    descriptor, options = descriptor_of(md), get_options(connection, gmo)
    try:
        found = handle.get(md=descriptor, gmo=options, buffer_length=longest)
    except MQError as error:
        if error.message is None:
            raise
        found, ended = error.message, (error.comp, error.reason)
    else:
        ended = warned(_warning(found))
    body = b"" if found is None else found.body
    length = 0 if found is None else found.length
    return body, described(md, descriptor), get_done(gmo, options), length, *ended


def descriptor_of(md: bytes) -> MD:
    return _filled(MQMD, md, MD())


def message_handle_of(connection: Connection, number: int) -> Any:
    """The message handle with this number, None for MQHM_NONE; a number that no handle has, for the engine to refuse
    (2460)."""
    return connection.more.get("messages", {}).get(number, number) if number else None


def _filled(layout: Memory, data: bytes, structure: Any) -> Any:
    """The structure of the engine with the fields of these bytes that it has."""
    kind: Any = type(structure)
    return structure.fill(**_fields(layout, data, kind))


@lru_cache(256)
def _fields(layout: Memory, data: bytes, kind: Any) -> dict[str, Any]:
    """The fields of these bytes that a structure of the engine has; a program gives the same bytes again and again."""
    fields = layout.read(data)
    return {field: fields[field] for field in kind.FIELDS if field in fields and field != "Context"}


def described(md: bytes, descriptor: MD) -> bytes:
    """The bytes of a descriptor with what a call has written into it."""
    return _written(MQMD, md, descriptor, MD.FIELDS)


def put_options(connection: Connection, pmo: bytes) -> PMO:
    options = _filled(MQPMO, pmo, PMO())
    if options.Options & (mq.MQPMO_PASS_ALL_CONTEXT | mq.MQPMO_PASS_IDENTITY_CONTEXT):
        number = MQPMO.read(pmo)["Context"]
        options.Context = connection.objects.get(number, number)
    for field in ("OriginalMsgHandle", "NewMsgHandle"):
        setattr(options, field, message_handle_of(connection, getattr(options, field)))
    return options


def put_done(pmo: bytes, options: PMO) -> bytes:
    return _written(MQPMO, pmo, options, [field for field, (_, size) in PMO.FIELDS.items() if size != 0])


def get_options(connection: Connection, gmo: bytes) -> GMO:
    options: GMO = _filled(MQGMO, gmo, GMO())
    options.MsgHandle = message_handle_of(connection, options.MsgHandle)
    return options


def get_done(gmo: bytes, options: GMO) -> bytes:
    return _written(MQGMO, gmo, options, [field for field, (_, size) in GMO.FIELDS.items() if size != 0])


def _written(layout: Memory, data: bytes, structure: Any, fields: Any) -> bytes:
    return layout.write(data, **{field: getattr(structure, field) for field in fields if field != "Version"})


def _warning(done: Any) -> int:
    return getattr(done, "warning", 0)


# attributes


@verb("MQINQ", "inquire", lambda number, selectors, values, ints, chars, length: ([], b""))
def inq(
    connection: Connection, number: int, selectors: list, values: list, ints: int, chars: int, length: int
) -> tuple:
    """MQINQ: the values of attributes; those of characters at their full width, one after the other."""
    handle = connection.object(number, "inquire")
    found = handle.inquire(*selectors)
    known, numeric, characters = _selectors(handle.target.kind), [], b""
    for selector in selectors:
        keyword, width = known[selector]
        value = found[keyword]
        if selector < mq.MQCA_FIRST:
            numeric.append(numbers.number(handle.target.kind, keyword, value))
        else:
            for each in value if isinstance(value, tuple) else (value,):
                characters += str(each).encode("latin-1", "replace").ljust(width)
    if len(characters) > length:
        return numeric, characters[:length], *warned(mq.MQRC_CHAR_ATTRS_TOO_SHORT)
    return numeric, characters, *OK


@cache
def _selectors(kind: str) -> dict[int, tuple[str, int]]:
    """Selector -> the keyword of MQSC, and the width of its characters."""
    names = {selector: (word, 48) for word, selector in NAMES.items() if word == kind or kind.startswith("Q")}
    found = catalog.attributes(kind).values()
    return {each.selector: (each.keyword, each.length) for each in found if each.selector is not None} | names


@verb("MQSET", "set")
def set_(connection: Connection, number: int, selectors: list, values: list, characters: bytes) -> tuple:
    """MQSET: set attributes of a queue, all of them or none."""
    handle = connection.object(number, "set")
    kind = getattr(handle.target, "kind", "QLOCAL")
    known, left, wanted = _selectors(kind), list(values), {}
    for selector in selectors:
        if selector not in known:
            _refuse(connection, handle, mq.MQRC_SELECTOR_ERROR, "unknown-selector", "set", selector=selector)
        keyword, width = known[selector]
        if selector < mq.MQCA_FIRST:
            if not left:
                counts = {"selectors": len(selectors), "numbers": len(values)}
                _refuse(connection, handle, mq.MQRC_INT_ATTR_COUNT_ERROR, "too-few-numbers", "set", **counts)
            value = left.pop(0)
            shape = catalog.attributes(kind)[keyword].shape
            word = numbers.word(kind, keyword, value)
            wanted[keyword] = bool(value) if shape == "flag" and value in (0, 1) else value if word is None else word
        else:
            if len(characters) < width:
                facts = {"length": len(characters), "keyword": keyword, "width": width}
                _refuse(connection, handle, mq.MQRC_CHAR_ATTR_LENGTH_ERROR, "too-few-characters", "set", **facts)
            wanted[keyword] = text(characters[:width])
            characters = characters[width:]
    handle.set(**wanted)
    return OK


# units of work


@verb("MQCMIT", "commit")
def cmit(connection: Connection) -> tuple:
    """MQCMIT: commit the unit of work."""
    connection.application.commit()
    return OK


@verb("MQBACK", "backout")
def back(connection: Connection) -> tuple:
    """MQBACK: back the unit of work out."""
    connection.application.backout()
    return OK


@verb("MQBEGIN", "begin")
def begin(connection: Connection) -> tuple:
    """MQBEGIN: begin a unit of work that other resource managers take part in; there are none (2121, a warning)."""
    return warned(mq.MQRC_NO_EXTERNAL_PARTICIPANTS)


@verb("MQSTAT", "stat", lambda kind, sts: (sts,))
def stat(connection: Connection, kind: int, sts: bytes) -> tuple:
    """MQSTAT: how the asynchronous puts since the last MQSTAT ended (MQSTAT_TYPE_ASYNC_ERROR)."""
    MQSTS.read(sts)
    application = connection.application
    if kind not in (mq.MQSTAT_TYPE_ASYNC_ERROR, mq.MQSTAT_TYPE_RECONNECTION, mq.MQSTAT_TYPE_RECONNECTION_ERROR):
        application.refuse(mq.MQRC_STAT_TYPE_ERROR, "status-type", None, "stat", kind=kind)
    if kind != mq.MQSTAT_TYPE_ASYNC_ERROR:
        raise NotSimulated("MQSTAT about reconnection: mqlab does not simulate it. Ask for MQSTAT_TYPE_ASYNC_ERROR")
    found = application.status_of_puts()
    counts = {"PutSuccessCount": found.succeeded, "PutWarningCount": found.warned, "PutFailureCount": found.refused}
    first = {"CompCode": found.comp, "Reason": found.reason, **_named(found.target, application.qmgr.name)}
    return MQSTS.write(sts, **counts, **first), *OK


def _named(target: Any, qmgr: str) -> dict[str, Any]:
    """The fields of an MQSTS that name a target: blank for None."""
    if target is None:
        sort, names = mq.MQOT_Q, ("", "", "", "")
    elif target.kind == "TOPIC":
        sort, names = mq.MQOT_TOPIC, (target.definition.name, qmgr, target.definition.name, qmgr)
    else:
        name, _, at_ = target.name.partition("@")
        sort, names = mq.MQOT_Q, (name, at_ or qmgr, *resolved(target))
    fields = ("ObjectName", "ObjectQMgrName", "ResolvedObjectName", "ResolvedQMgrName")
    return {"ObjectType": sort, **dict(zip(fields, names, strict=True))}
