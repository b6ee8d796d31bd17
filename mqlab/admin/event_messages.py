"""Event messages: reports of a queue manager as PCF, on its event queues SYSTEM.ADMIN.*.EVENT.

Each class of events has an attribute of the queue manager, DISABLED unless said otherwise below; a class that is off
costs nothing. The cause of an event message is the row that it reports. Left out, because nothing in the lab causes
them: events of logs (LOGGEREV), of the activation and the conversion of channels (2284, 2295, 2296), and of an
automatic definition that fails (2234). Configuration events leave attributes out that have no number in PCF. Source:
Event message reference, product documentation.
"""

from __future__ import annotations

from typing import Any

from ..engine.queues.message import Descriptor, record_of
from ..engine.queues.put import Put
from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.catalog import QUEUE_KINDS
from ..engine.words.errors import MQError, left_out
from ..engine.words.objects import Definition
from ..engine.words.whys import StopChannel
from . import kept

try:
    from ..pcf import format as pcf
    from ..pcf import numbers
except ModuleNotFoundError:
    raise left_out("pcf") from None

QUEUES = {
    mq.MQCMD_PERFM_EVENT: "SYSTEM.ADMIN.PERFM.EVENT",
    mq.MQCMD_Q_MGR_EVENT: "SYSTEM.ADMIN.QMGR.EVENT",
    mq.MQCMD_CHANNEL_EVENT: "SYSTEM.ADMIN.CHANNEL.EVENT",
    mq.MQCMD_CONFIG_EVENT: "SYSTEM.ADMIN.CONFIG.EVENT",
    mq.MQCMD_COMMAND_EVENT: "SYSTEM.ADMIN.COMMAND.EVENT",
}
"""Class of event, as the header of the message has it -> its queue."""

_LOCAL = (mq.MQRC_ALIAS_BASE_Q_TYPE_ERROR, mq.MQRC_UNKNOWN_ALIAS_BASE_Q, mq.MQRC_UNKNOWN_OBJECT_NAME)
_REMOTE = (
    *(mq.MQRC_UNKNOWN_REMOTE_Q_MGR, mq.MQRC_XMIT_Q_TYPE_ERROR, mq.MQRC_XMIT_Q_USAGE_ERROR, mq.MQRC_REMOTE_Q_NAME_ERROR),
    *(mq.MQRC_UNKNOWN_XMIT_Q, mq.MQRC_UNKNOWN_DEF_XMIT_Q, mq.MQRC_DEF_XMIT_Q_TYPE_ERROR),
    *(mq.MQRC_DEF_XMIT_Q_USAGE_ERROR, mq.MQRC_Q_TYPE_ERROR),
)
REFUSALS = {
    **dict.fromkeys((mq.MQRC_GET_INHIBITED, mq.MQRC_PUT_INHIBITED), "INHIBTEV"),
    **dict.fromkeys(_LOCAL, "LOCALEV"),
    **dict.fromkeys(_REMOTE, "REMOTEEV"),
    mq.MQRC_Q_FULL: "PERFMEV",
}
"""Reason of a refused call -> the attribute of the queue manager that sends an event about it."""

_CALLS = ("put", "get", "open", "browse", "report", "publish")
_ENDS = {"INACTIVE": 7, "RETRYING": 9, "STOPPED": 10}  # MQRQ_CHANNEL_STOPPED_OK, _RETRY, _DISABLED; _ERROR is 8
_CHANGES = {"define": mq.MQRC_CONFIG_CREATE_OBJECT, "delete": mq.MQRC_CONFIG_DELETE_OBJECT}
_TYPES = {"NAMELIST": 2, "PROCESS": 3, "QMGR": 5, "CHANNEL": 6, "AUTHINFO": 7, "TOPIC": 8, "COMMINFO": 9,
          "LISTENER": 11, "SERVICE": 12, "CLNTCONN": 1014, "SUB": 1019}  # fmt: skip  # a table
"""Kind of object -> its MQOT; those of queues are MQOT_Q."""


def tell(
    qmgr: Any,
    command: int,
    reason: int,
    parameters: list[pcf.Parameter],
    rule: str,
    cause: int | None,
    *,
    sequence: int = 1,
    last: bool = True,
    correl_id: bytes | None = None,
) -> int:
    """Put one event message; its row. If its queue does not take the message, the message is lost, and the row has the
    reason (EVT-09); -1 without a row, because an event message about an event queue would never end."""
    about_admin = kept(qmgr)
    if about_admin.telling:
        return -1
    version = mq.MQCFH_VERSION_1 if command in (44, 45, 46) else mq.MQCFH_VERSION_2
    control = mq.MQCFC_LAST if last else mq.MQCFC_NOT_LAST
    head = pcf.Header(mq.MQCFT_EVENT, command, version, sequence, control, mq.MQCC_WARNING, reason)
    descriptor = Descriptor(format=mq.MQFMT_EVENT)
    body = pcf.pack(head, parameters)
    reporter = qmgr.reporter(cause)
    qmgr.targets.get(QUEUES[command])  # sets the queue up, and notes the start
    about_admin.telling = True
    try:
        target = reporter.resolve(QUEUES[command], "put")
        put = Put(reporter, target, body, correl_id=correl_id, descriptor=descriptor, rule=rule)
        return int(record_of(target.put(put)).seq)
    except MQError as refused:
        return -1 if refused.seq is None else refused.seq
    finally:
        about_admin.telling = False


def _qmgr_name(qmgr: Any) -> pcf.Parameter:
    return pcf.string(mq.MQCA_Q_MGR_NAME, qmgr.name, 48)


def refused(application: Any, reason: int, target: Any, name: str, call: str, seq: int, detail: dict | None) -> None:
    """Tell of a call that was refused, if the attribute for its reason is on (EVT-03, EVT-05)."""
    qmgr, keyword = application.qmgr, REFUSALS.get(reason)
    if keyword is None:
        return
    has = qmgr.attributes
    modes = {"INHIBTEV": has["INHIBTEV"], "LOCALEV": has["LOCALEV"], "REMOTEEV": has["REMOTEEV"]}
    if reason == mq.MQRC_Q_TYPE_ERROR and call != "open":
        return
    if call not in _CALLS or modes.get(keyword, has["PERFMEV"]) != "ENABLED":
        return
    if keyword == "PERFMEV":
        if hasattr(target.queue.log, "full"):
            target.queue.log.full(seq)
        return
    queue, separator, elsewhere = name.partition("@")
    row = detail or {}
    parameters = [_qmgr_name(qmgr), pcf.string(mq.MQCA_Q_NAME, queue, 48)]
    if "base" in row:
        parameters.append(pcf.string(mq.MQCA_BASE_OBJECT_NAME, row["base"], 48))
    if "xmitq" in row:
        parameters.append(pcf.string(mq.MQCA_XMIT_Q_NAME, row["xmitq"], 48))
    if "type" in row:
        parameters.append(pcf.integer(20, numbers.number("QUEUE", "QTYPE", row["type"])))
    parameters += _program(application)
    if separator:
        parameters.append(pcf.string(mq.MQCACF_OBJECT_Q_MGR_NAME, elsewhere, 48))
    if application.client is not None:
        parameters.append(pcf.string(mq.MQCACH_CONNECTION_NAME, application.admission.address, 264))
        parameters.append(pcf.string(mq.MQCACH_CHANNEL_NAME, application.client[0], 20))
    tell(qmgr, mq.MQCMD_Q_MGR_EVENT, reason, parameters, "EVT-05", seq)


def started(qmgr: Any) -> None:
    """Report that the queue manager is active (EVT-06)."""
    tell(qmgr, mq.MQCMD_Q_MGR_EVENT, mq.MQRC_Q_MGR_ACTIVE, [_qmgr_name(qmgr)], "EVT-06", qmgr.start_seq)


def ending(qmgr: Any, cause: int) -> None:
    """Tell that the queue manager ends (EVT-06)."""
    told = [_qmgr_name(qmgr), pcf.integer(mq.MQIACF_REASON_QUALIFIER, 5)]  # MQRQ_Q_MGR_STOPPING
    tell(qmgr, mq.MQCMD_Q_MGR_EVENT, mq.MQRC_Q_MGR_NOT_ACTIVE, told, "EVT-06", cause)


def channel_changed(channel: Any, was: str, cause: int) -> None:
    """Tell that a channel has started or stopped (EVT-07); with CHLEV(EXCEPTION), not of a normal start or end."""
    qmgr, state, why = channel.qmgr, channel.state, channel.why
    every, attributes = qmgr.attributes["CHLEV"] == "ENABLED", channel.attributes
    name = pcf.string(mq.MQCACH_CHANNEL_NAME, channel.name, 20)
    where = [pcf.string(mq.MQCACH_XMIT_Q_NAME, attributes["XMITQ"], 48)] if attributes.get("XMITQ") else []
    where.append(pcf.string(mq.MQCACH_CONNECTION_NAME, attributes.get("CONNAME") or channel.partner, 264))
    if state == "RUNNING" and was not in ("PAUSED", "STOPPING") and every:
        tell(qmgr, 46, mq.MQRC_CHANNEL_STARTED, [_qmgr_name(qmgr), name, *where], "EVT-07", cause)
    if state not in _ENDS:
        return
    if isinstance(why, StopChannel):
        user = [_qmgr_name(qmgr), pcf.integer(mq.MQIACF_REASON_QUALIFIER, 10), name]
        tell(qmgr, 46, mq.MQRC_CHANNEL_STOPPED_BY_USER, user, "EVT-07", cause)
    error = int(why.number, 16) if why is not None and why.code else 0
    qualifier = 8 if error and state == "INACTIVE" else _ENDS[state]
    if was in ("RUNNING", "STOPPING", "PAUSED") and (every or qualifier != _ENDS["INACTIVE"]):
        numbers = (0x2000_0000 + error if error else 0, 0, 0)
        ids = (mq.MQIACF_ERROR_IDENTIFIER, 1070, 1071)
        parameters = [pcf.integer(mq.MQIACF_REASON_QUALIFIER, qualifier), name]
        parameters += [pcf.integer(id, value) for id, value in zip(ids, numbers, strict=True)]
        parameters += [pcf.string(id, "", 48) for id in (3026, 3027, 3028)]
        tell(qmgr, 46, mq.MQRC_CHANNEL_STOPPED, [_qmgr_name(qmgr), *parameters, *where], "EVT-07", cause)


def auto_defined(qmgr: Any, channel: str, partner: str) -> None:
    """Tell that a receiver was defined for a partner that calls it (EVT-07)."""
    named = pcf.string(mq.MQCACH_CHANNEL_NAME, channel, 20), pcf.integer(mq.MQIACH_CHANNEL_TYPE, mq.MQCHT_RECEIVER)
    told = [_qmgr_name(qmgr), *named, pcf.string(mq.MQCACH_CONNECTION_NAME, partner, 264)]
    tell(qmgr, mq.MQCMD_CHANNEL_EVENT, mq.MQRC_CHANNEL_AUTO_DEF_OK, told, "EVT-07", len(qmgr.lab.events) - 1)


def bridge_changed(qmgr: Any, name: str, state: str, cause: int) -> None:
    """Tell that the IMS bridge has started, has ended, or died (EVT-07)."""
    parameters = [pcf.integer(mq.MQIACF_BRIDGE_TYPE, mq.MQBT_OTMA), pcf.string(mq.MQCACF_BRIDGE_NAME, name, 24)]
    if state == "running":
        tell(qmgr, mq.MQCMD_CHANNEL_EVENT, mq.MQRC_BRIDGE_STARTED, [_qmgr_name(qmgr), *parameters], "EVT-07", cause)
        return
    qualifier = mq.MQRQ_BRIDGE_STOPPED_ERROR if state == "died" else mq.MQRQ_BRIDGE_STOPPED_OK
    how = pcf.integer(mq.MQIACF_REASON_QUALIFIER, qualifier)
    tell(qmgr, mq.MQCMD_CHANNEL_EVENT, mq.MQRC_BRIDGE_STOPPED, [_qmgr_name(qmgr), how, *parameters], "EVT-07", cause)


def connect_refused(
    application: Any, reason: int, qualifier: int, channel: str | None, user: str, address: str, cause: int | None
) -> None:
    """Tell of a connect that was refused with 2035 (EVT-11): Not Authorized (type 1), Channel Blocked, or, with the
    reason of a record that only warns, Channel Blocked Warning, and the qualifier."""
    qmgr = application.qmgr
    name = pcf.string(mq.MQCACH_CHANNEL_NAME, channel or "", 20)
    parameters = [_qmgr_name(qmgr), pcf.integer(mq.MQIACF_REASON_QUALIFIER, qualifier)]
    who, where = pcf.string(mq.MQCACF_USER_IDENTIFIER, user, 12), pcf.string(mq.MQCACH_CONNECTION_NAME, address, 264)
    if reason != mq.MQRC_NOT_AUTHORIZED:
        parameters += [] if qualifier == mq.MQRQ_CHANNEL_BLOCKED_ADDRESS else [name]
        parameters += [who] if qualifier == mq.MQRQ_CHANNEL_BLOCKED_USERID else []
        tell(qmgr, mq.MQCMD_CHANNEL_EVENT, reason, [*parameters, where], "EVT-11", cause)
    else:
        parameters += [who, *_program(application), *([where, name] if channel else [])]
        tell(qmgr, mq.MQCMD_Q_MGR_EVENT, reason, parameters, "EVT-11", cause)


def _program(application: Any) -> list[pcf.Parameter]:
    """The type and the name of a program."""
    context = application.context
    return [pcf.integer(1, context.put_appl_type), pcf.string(mq.MQCACF_APPL_NAME, context.put_appl_name, 28)]


def channel_refused(qmgr: Any, reason: int, qualifier: int, channel: str, address: str, cause: int | None) -> None:
    """Tell of a channel that could not start: Channel Not Available (a limit), or Channel SSL Error (EVT-12); the name
    is left out where it is not known."""
    parameters = [_qmgr_name(qmgr), pcf.integer(mq.MQIACF_REASON_QUALIFIER, qualifier)]
    parameters += [pcf.string(mq.MQCACH_CHANNEL_NAME, channel, 20)] if channel else []
    parameters += [pcf.string(mq.MQCACH_CONNECTION_NAME, address, 264)]
    tell(qmgr, mq.MQCMD_CHANNEL_EVENT, reason, parameters, "EVT-12", cause)


def not_authorized(application: Any, qualifier: int, user: str, kind: str, name: str, cause: int | None) -> None:
    """Tell of an open, a close, a command, or a subscription that was refused with 2035 (EVT-13): Not Authorized of
    types 2 to 6, as the qualifier says."""
    qmgr = application.qmgr
    sort = {"TOPIC": mq.MQCA_TOPIC_NAME, "PROCESS": mq.MQCA_PROCESS_NAME}.get(kind, mq.MQCA_Q_NAME)
    parameters = [_qmgr_name(qmgr), pcf.integer(mq.MQIACF_REASON_QUALIFIER, qualifier)]
    parameters += [pcf.string(mq.MQCACF_USER_IDENTIFIER, user, 12), *_program(application)]
    parameters += [pcf.string(sort, name, 48)] if kind != "QMGR" else []
    tell(qmgr, mq.MQCMD_Q_MGR_EVENT, mq.MQRC_NOT_AUTHORIZED, parameters, "EVT-13", cause)


def refreshed(qmgr: Any, word: str, generic: str) -> int:
    """Tell of each object of the kinds that OBJECT names, and of this name, as it is (REFRESH QMGR, EVT-08); how many
    there are."""
    kinds = catalog.kinds() if word == "ALL" else QUEUE_KINDS if word == "QUEUE" else (word,)
    definitions = qmgr.objects.match(tuple(kind for kind in kinds if kind != "QMGR"), generic)
    if "QMGR" in kinds and generic in ("*", qmgr.name):
        definitions.append(Definition("QMGR", qmgr.name, qmgr.attributes))
    for each in definitions:
        configured(qmgr, each, mq.MQRC_CONFIG_REFRESH_OBJECT, len(qmgr.lab.events) - 1)
    return len(definitions)


def changed(qmgr: Any, definition: Definition, verb: str, cause: int, before: dict | None) -> None:
    """Tell that an object was defined, altered, deleted, or set by a program."""
    reason = _CHANGES.get(verb, mq.MQRC_CONFIG_CHANGE_OBJECT)
    configured(qmgr, definition, reason, cause, before, mq.MQEVO_MQSET if verb == "set" else mq.MQEVO_CONSOLE)


def configured(
    qmgr: Any,
    definition: Definition,
    reason: int,
    cause: int,
    before: dict | None = None,
    origin: int = mq.MQEVO_CONSOLE,
) -> None:
    """Tell that an object was created, changed, or deleted (EVT-08); of a change, one message before and one after."""
    if qmgr.attributes["CONFIGEV"] != "ENABLED" or definition.attributes.get("DEFTYPE") == "TEMPDYN":
        return
    states = [definition.attributes] if before is None else [before, definition.attributes]
    correl_id = qmgr.new_id(cause)
    for number, attributes in enumerate(states, start=1):
        parameters = [*_origin(qmgr, origin), *_described(definition, attributes)]
        last = number == len(states)
        more: dict[str, Any] = {"sequence": number, "last": last, "correl_id": correl_id}
        tell(qmgr, mq.MQCMD_CONFIG_EVENT, reason, parameters, "EVT-08", cause, **more)


def commanded(qmgr: Any, command: str | pcf.Message, display: bool) -> None:
    """Tell that a command, the text of MQSC or a message of PCF, was carried out (EVT-10); with CMDEV(NODISPLAY), not
    of DISPLAY and of inquiries."""
    if qmgr.attributes["CMDEV"] == "NODISPLAY" and display:
        return
    context = _origin(qmgr, mq.MQEVO_CONSOLE if isinstance(command, str) else mq.MQEVO_MSG)
    reason, data = mq.MQRC_COMMAND_MQSC, [pcf.string(mq.MQCACF_COMMAND_MQSC, str(command))]
    if isinstance(command, pcf.Message):
        context.append(pcf.integer(mq.MQIACF_COMMAND, command.header.command))
        reason, data = mq.MQRC_COMMAND_PCF, list(command.parameters)
    told = [pcf.group(mq.MQGACF_COMMAND_CONTEXT, context), pcf.group(mq.MQGACF_COMMAND_DATA, data)]
    cause = len(qmgr.lab.events) - 1
    tell(qmgr, mq.MQCMD_COMMAND_EVENT, reason, told, "EVT-10", cause if cause >= 0 else None)


def _origin(qmgr: Any, origin: int) -> list[pcf.Parameter]:
    """The user of a command, and its origin: a console, or a message."""
    return [
        pcf.string(mq.MQCACF_EVENT_USER_ID, "mqm", 12),
        pcf.integer(mq.MQIACF_EVENT_ORIGIN, origin),
        pcf.string(mq.MQCACF_EVENT_Q_MGR, qmgr.name, 48),
    ]


def _described(definition: Definition, attributes: dict) -> list[pcf.Parameter]:
    """An object with its attributes."""
    kind = definition.kind
    ids = numbers.parameters(kind)
    parameters = [pcf.integer(mq.MQIACF_OBJECT_TYPE, _TYPES.get(kind, mq.MQOT_Q))]
    named = "QMNAME" if kind == "QMGR" else numbers.section(kind)
    given = {named: definition.name, **({"QTYPE": kind} if kind in QUEUE_KINDS else {}), **attributes}
    for keyword, value in given.items():
        id = ids.get(keyword)
        if id is None or value is None or value == ():
            continue
        if isinstance(value, tuple) and id >= mq.MQCA_FIRST:
            parameters.append(pcf.strings(id, value))
        elif isinstance(value, tuple):
            parameters.append(pcf.integers(id, [numbers.number(kind, keyword, each) for each in value]))
        elif id >= mq.MQCA_FIRST:
            parameters.append(pcf.string(id, str(value)))
        elif not isinstance(value, str) or value in numbers.words(kind, keyword):
            parameters.append(pcf.integer(id, numbers.number(kind, keyword, value)))
    return parameters


def read(body: bytes) -> tuple[int, dict[int, Any]]:
    """The reason of an event message, and its parameters by number, those of groups among them."""
    message = pcf.unpack(body)
    by_id: dict[int, Any] = {}

    def keep(parameters: tuple[pcf.Parameter, ...]) -> None:
        for parameter in parameters:
            if parameter.sort == "CFGR":
                keep(parameter.value)
            else:
                value = parameter.value
                by_id[parameter.id] = value.rstrip(" ") if isinstance(value, str) else value

    keep(message.parameters)
    return message.header.reason, by_id


def refresh(qmgr: Any, command: Any) -> None:
    """REFRESH QMGR TYPE(CONFIGEV)."""
    number = refreshed(qmgr, command.options.get("OBJECT", "ALL"), command.options.get("NAME", "*"))
    command.notes.append(f"{number} configuration events, if CONFIGEV is ENABLED")
