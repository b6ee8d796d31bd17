"""The commands on the command queue: each is carried out, and replied to (PCF-02).

Source: PCF command messages, PCF responses in IBM MQ, and the command server of z/OS, product documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..engine.commands.replies import Refused
from ..engine.commands.running import in_scope, perform, run
from ..engine.extra import extras
from ..engine.queues.application import Application
from ..engine.queues.dead_letter import dead_letter, set_aside
from ..engine.queues.message import Descriptor, Message, discards, record_of
from ..engine.queues.target import NOWHERE, Put
from ..engine.words import constants as mq
from ..engine.words.charsets import decode
from ..engine.words.errors import LabError, MQError, NotSimulated
from . import format as pcf
from . import reply
from .commands import ESCAPE, RESET_Q_STATS, commands
from .format import Header, Parameter, PCFError
from .request import VALUE_ERRORS, Request, read, refusal_of_filter

_ESCAPE_TYPE, _ESCAPE_TEXT, _MQSC = 1017, 3014, 1
_PARAMETER_ID, _SELECTOR = 1012, 1014
_RESPONSE_QMGR = 3070
_COMMAND_SCOPE = 3080
Answers = list[list[Parameter]]
Errors = list[tuple[int, list[Parameter]]]


def serve_one(app: Application, queue: str, message: Message) -> None:
    if message.msg_type != mq.MQMT_REQUEST or not message.reply_to_q:
        set_aside(app, record_of(message), mq.MQRC_MSG_TYPE_ERROR, queue)
        return
    begun, app.cause = app.cause, app.qmgr.lab.events.next_seq - 1  # the get of the command
    passes = message.report & mq.MQRO_PASS_DISCARD_AND_EXPIRY
    for body in replies(app, message):
        try:
            app.reply(message, body, expiry="remaining" if passes else mq.MQEI_UNLIMITED)
        except MQError as error:
            about = Descriptor(format=message.format)
            letter = Put(app, NOWHERE, body, persistent=message.persistent, descriptor=about)
            keeps = not discards(message.report)
            dead_letter(letter, error.reason, message.reply_to_q, message.reply_to_qmgr, keeps)
    app.cause = begun


def replies(app: Application, message: Message) -> Iterator[bytes]:
    """The data of each reply to one command."""
    qmgr: Any = app.qmgr
    descriptor = message.descriptor
    if message.format != mq.MQFMT_ADMIN:
        if qmgr.platform == "zos" and message.format == mq.MQFMT_STRING:
            yield _mqsc_answer(qmgr, message)
            return
        yield _packed(0, False, [(qmgr, [], [(mq.MQRCCF_MD_FORMAT_ERROR, [])])])[0]
        return
    command, extended, done = 0, qmgr.platform == "zos", []
    try:
        header, _ = pcf.unpack_header(message.body, descriptor.encoding)
        command = header.command
        parsed = pcf.unpack(message.body, descriptor.encoding, descriptor.ccsid or mq.UTF_8)
        members, parsed = _members(qmgr, parsed)
        done = [(member, *_done(member, parsed, app, message.user)) for member in members]
    except (PCFError, _Failed) as error:
        done = [(qmgr, *_failure(error))]
    yield from _packed(command, extended, done)


def _members(qmgr: Any, message: pcf.Message) -> tuple[list[Any], pcf.Message]:
    """The members of the group that a command is for, by its CommandScope, and the command without it."""
    scope = next((parameter.value for parameter in message.parameters if parameter.id == _COMMAND_SCOPE), "")
    if "sharing" not in qmgr.kept or not isinstance(scope, str):
        return [qmgr], message
    try:
        members = in_scope(qmgr, scope.rstrip(" "))
    except Refused as refused:
        raise PCFError(mq.MQRCCF_COMMAND_SCOPE_ERROR, refused.said, _COMMAND_SCOPE) from refused
    others = tuple(parameter for parameter in message.parameters if parameter.id != _COMMAND_SCOPE)
    return members, message._replace(parameters=others)


def _done(qmgr: Any, message: pcf.Message, app: Application, user: str) -> tuple[Answers, Errors]:
    """The answers and errors of a command of a user that one queue manager carries out."""
    command = message.header.command
    try:
        answers = carry_out(qmgr, message, app, user)
    except (PCFError, _Failed, NotSimulated) as error:
        return _failure(error)
    if command != ESCAPE:  # the MQSC in an Escape makes its own event
        for extra in extras():
            extra.commanded(qmgr, message, command in commands() and commands()[command].verb == "DISPLAY")
    return answers, []


def _failure(error: Exception) -> tuple[Answers, Errors]:
    """The answers that a command that failed has, and its errors, the last of which is 3008."""
    if isinstance(error, PCFError):
        id = error.parameter
        told = [] if id is None else [pcf.integer(_SELECTOR if error.reason == 2067 else _PARAMETER_ID, id)]
        return [], [(error.reason, told), (mq.MQRCCF_COMMAND_FAILED, [])]
    if isinstance(error, _Failed):
        reasons = dict.fromkeys((error.reason, mq.MQRCCF_COMMAND_FAILED))
        return error.answers, [(reason, []) for reason in reasons]
    return [], [(mq.MQRCCF_COMMAND_FAILED, [])]


def _mqsc_answer(qmgr: Any, message: Message) -> bytes:
    """The reply of the command server of z/OS to a command in text, as text."""
    try:
        text = decode(message.body, message.descriptor.ccsid or mq.UTF_8)
        return str(run(qmgr, text)).encode()
    except (LabError, UnicodeError) as error:
        return f"{error}".encode()


class _Failed(Exception):
    """The reason that a command failed, and the parameters of its reply."""

    def __init__(self, reason: int, answers: Answers | None = None):
        super().__init__(reason)
        self.reason, self.answers = reason, answers or []


def carry_out(qmgr: Any, message: pcf.Message, app: Application, user: str) -> Answers:
    """Carry out one command of a user: the parameters of each answer. PCFError, _Failed."""
    if message.header.command == ESCAPE:
        return _escape(qmgr, message.parameters)
    if message.header.command == RESET_Q_STATS:
        from .statistics import reset_statistics

        return reset_statistics(qmgr, message)
    request = read(qmgr, message)
    try:
        command = request.command(qmgr)
        if qmgr.guard is not None:
            qmgr.guard.commanded(app, command.verb, command.kind or command.object, command.name, user)
        outcome = perform(qmgr, command)
    except MQError as error:
        raise _Failed(reply.reason_of(error, request.entry.object)) from error
    except Refused as refused:
        reason = reply.reason_of(refused, request.entry.object)
        if refused.number in VALUE_ERRORS:
            reason = request.refused_value(qmgr)
        if refused.number == 8569:
            reason = refusal_of_filter(request.filtered)
        if request.entry.names_only and refused.number == 8147:
            return [reply.names(request.entry.object, [])]
        raise _Failed(reason) from refused
    return _answers(request, outcome.rows)


def _answers(request: Request, rows: list[dict]) -> Answers:
    section = request.entry.object
    if request.entry.names_only:
        return [reply.names(section, rows)]
    if request.connection:
        rows = [row for row in rows if (row["EXTCONN"] + row["CONN"]).startswith(request.connection)]
        if not rows:
            raise _Failed(mq.MQRCCF_CONNECTION_ID_ERROR)
    if request.profiles:
        pattern = re.compile(re.escape(request.profiles).replace(r"\*", ".*").replace(r"\?", "."))
        rows = [row for row in rows if pattern.fullmatch(row["PROFILE"])]
        if not rows:
            raise _Failed(mq.MQRC_UNKNOWN_OBJECT_NAME)
    return [reply.answer(section, row, request.wanted) for row in rows]


def _escape(qmgr: Any, parameters: tuple[Parameter, ...]) -> Answers:
    """Run the MQSC of an Escape command: an answer with text for each object shown, and for each other reply."""
    by_id = {one.id: one.value for one in parameters}
    if by_id.get(_ESCAPE_TYPE) != _MQSC:
        raise PCFError(mq.MQRCCF_ESCAPE_TYPE_ERROR, f"an escape of type {by_id.get(_ESCAPE_TYPE)}", _ESCAPE_TYPE)
    if not isinstance(by_id.get(_ESCAPE_TEXT), str):
        raise PCFError(mq.MQRCCF_PARM_COUNT_TOO_SMALL, "an escape without text", _ESCAPE_TEXT)
    try:
        done = run(qmgr, by_id[_ESCAPE_TEXT])
    except LabError as error:
        raise PCFError(mq.MQRCCF_CFST_STRING_LENGTH_ERR, str(error), _ESCAPE_TEXT) from error
    texts = ["\n".join(part) for each in done.replies for part in each.parts]
    answers = [[pcf.integer(_ESCAPE_TYPE, _MQSC), pcf.string(_ESCAPE_TEXT, text)] for text in texts]
    if not done.ok:
        raise _Failed(mq.MQRCCF_COMMAND_FAILED, answers)
    return answers


def _packed(command: int, extended: bool, done: list[tuple[Any, Answers, Errors]]) -> list[bytes]:
    """The messages of the answers of queue managers (PCF-03)."""
    # on z/OS an item for each object and a summary, else a response for each
    parts: list[tuple[Any, int, int, int, list[Parameter]]] = []
    for qmgr, answers, errors in done:
        failed = [(mq.MQCC_FAILED, reason, parameters) for reason, parameters in errors]
        if extended:
            items = [(mq.MQCFT_XR_ITEM, mq.MQCC_OK, mq.MQRC_NONE, answer) for answer in answers if answer]
            items += [(mq.MQCFT_XR_MSG, *answer) for answer in failed[:-1]]
            end = failed[-1] if failed else (mq.MQCC_OK, mq.MQRC_NONE, [])
            own = [*items, (mq.MQCFT_XR_SUMMARY, *end)]
        else:
            comp, reason = (mq.MQCC_FAILED, mq.MQRCCF_COMMAND_FAILED) if failed else (mq.MQCC_OK, mq.MQRC_NONE)
            own = [(mq.MQCFT_RESPONSE, comp, reason, answer) for answer in answers]
            own = own or [(mq.MQCFT_RESPONSE, *answer) for answer in failed] or [(mq.MQCFT_RESPONSE, comp, reason, [])]
        parts += [(qmgr, *answer) for answer in own]
    packed = []
    for number, (qmgr, kind, comp, reason, parameters) in enumerate(parts, 1):
        control = mq.MQCFC_LAST if number == len(parts) else mq.MQCFC_NOT_LAST
        version = mq.MQCFH_VERSION_3 if extended else mq.MQCFH_VERSION_1
        extra = [pcf.string(_RESPONSE_QMGR, qmgr.name, 48)] if extended else []
        header = Header(kind, command, version, number, control, comp, reason)
        packed.append(pcf.pack(header, [*extra, *parameters]))
    return packed
