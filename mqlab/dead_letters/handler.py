"""The dead-letter queue handler: a program that browses the queue and does with each message what the table says.

It changes neither the data nor the descriptor of a message, only whether the MQDLH is there and with it the format.
"""

from __future__ import annotations

import json
from bisect import insort
from dataclasses import dataclass
from typing import Any

from ..engine.programs.program import Program
from ..engine.queues.application import Application
from ..engine.queues.dead_letter import HANDLER
from ..engine.queues.forward import pass_on
from ..engine.queues.message import Message, record_of
from ..engine.queues.queue_manager import QueueManager
from ..engine.queues.unit import UnitOfWork
from ..engine.words import whys
from ..engine.words.constants import MQRC_NO_MSG_AVAILABLE, MQWI_UNLIMITED
from ..engine.words.errors import LabError, MQError
from ..engine.words.headers import MQDLH, DeadLetter
from ..engine.world.clock import SECOND
from .table import DISCARD, FWD, IGNORE, RETRY, Rule, Table, read_table

NEVER = float("inf")
_DONE = {RETRY: "DLQ-02", FWD: "DLQ-03", DISCARD: "DLQ-04", IGNORE: "DLQ-05"}
"""The rule that each action is done by."""


def dead_letter_handler(qmgr: QueueManager, rules_text: str) -> Program:
    """Start a handler of a dead-letter queue with a rules table; `.stop()` ends it.

    Raises LabError for a table that cannot be followed, for an INPUTQM that is another queue manager, and if neither
    INPUTQ nor DEADQ names a queue; MQError 2085 if the queue does not exist.
    """
    table = read_table(rules_text)
    control = table.control
    if control.input_qmgr not in ("", qmgr.name):
        got = f"{control.input_qmgr}. Start the handler on that queue manager"
        raise LabError(f"INPUTQM must be {qmgr.name} or ' '; got {got}")
    queue = control.input_queue or qmgr.attributes["DEADQ"]
    if not queue:
        raise LabError("INPUTQ must be a queue, because DEADQ is blank; got ' '. Or ALTER QMGR DEADQ(...)")
    qmgr.resolve(queue, "open")
    return Program(qmgr, HANDLER, lambda app: Handler(app, table, queue).run())


@dataclass(slots=True)
class Progress:
    """How far the handler is with one message: the rule it is at, the attempts at it, and when it is due again."""

    rule_index: int = 0
    attempts: int = 0
    due_us: float = 0

    def next_rule(self) -> None:
        """Go on to the rule behind this one, at once."""
        self.rule_index, self.attempts, self.due_us = self.rule_index + 1, 0, 0


class Handler:
    """One run of a handler. `progress` is kept by the row of a message's arrival, for as long as it is there."""

    def __init__(self, app: Application, table: Table, queue: str):
        app.discard_rule = "EXP-36"
        self.app, self.control, self.rules, self.name = app, table.control, table.rules, queue
        self.clock = app.qmgr.clock
        self.interval = self.control.retry_interval * SECOND
        self.progress: dict[int, Progress] = {}
        self.said_it_waits = False

    def run(self) -> None:
        """Do what there is to do and wait for more, until WAIT says it is the end or the queue cannot be read."""
        try:
            with self.app.open(self.name, input="as_q_def", browse=True) as self.handle:
                self.queue = self.handle.source
                while True:
                    while self._scan():
                        pass
                    if not self._wait():
                        return
        except MQError:
            return  # the refusal is a row of the log

    def _scan(self) -> bool:
        """Look at every message of the queue once; whether one of them is due again at once."""
        seen, browse, now = {}, self.handle.browse_first, self.clock.time_us
        while True:
            try:
                message = browse()
            except MQError as error:
                if error.reason != MQRC_NO_MSG_AVAILABLE:
                    raise
                break
            browse, arrival = self.handle.browse_next, record_of(message).seq
            progress = self.progress.get(arrival) or Progress()
            if progress.due_us > now or not self._treat(message, progress):
                seen[arrival] = progress
        self.progress = seen
        return any(progress.due_us <= now for progress in seen.values())

    def _treat(self, message: Message, progress: Progress) -> bool:
        """Do one attempt of the first rule left that matches a message (DLQ-01); whether that took it off the queue."""
        self.said_it_waits = False
        try:
            header = MQDLH.unpack(message.body)
        except ValueError:
            begins = str(message.body[:4])
            return self._leave(message, progress, whys.NoDeadLetterHeader(len(message.body), begins))
        said = _said(message, header)
        while progress.rule_index < len(self.rules) and not self.rules[progress.rule_index].matches(said):
            progress.next_rule()
        if progress.rule_index == len(self.rules):
            return self._leave(message, progress, whys.NoRuleLeft())
        rule = self.rules[progress.rule_index]
        progress.attempts += 1
        if rule.action == IGNORE:
            return self._leave(message, progress, whys.IgnoredByRule(rule.line))
        done = {"line": rule.line, "action": rule.action}
        detail: dict[str, Any] = {**done, "attempt": progress.attempts, "of": rule.retry}
        if rule.action != DISCARD:
            detail["to"] = _destination(rule, message, header)
        seq = self._record(message, _DONE[rule.action], detail)
        failure = self._attempt(rule, message, header, detail.get("to", ""), seq)
        if failure is None:
            return True
        if progress.attempts < rule.retry:
            progress.due_us = self.clock.time_us + self.interval
        else:
            self._record(message, "DLQ-01", {**done, "failed": progress.attempts, "why": failure.facts}, seq)
            progress.next_rule()
        return False

    def _attempt(self, rule: Rule, message: Message, header: DeadLetter, to: str, seq: int) -> whys.Why | None:
        """Take a message off the queue and put it where the rule says, in one unit of work; why not, if it failed."""
        app = self.app
        cause, app.cause = app.cause, seq
        unit = app.unit_of_work()
        try:
            got = self.handle.get_under_cursor(unit=unit)
            if rule.action != DISCARD:
                if self.app.resolve(to, "put").queue is self.queue:
                    unit.backout()
                    return whys.AlreadyThere(self.handle.source.name, to)
                self._move(got, rule, header, to, unit)
            unit.commit()
        except (MQError, LabError) as failure:
            unit.backout()
            if isinstance(failure, MQError):
                return whys.HandlerRefused(failure.reason, failure.name)
            return whys.HandlerFailed(str(failure))
        finally:
            app.cause = cause
        return None

    def _move(self, message: Message, rule: Rule, header: DeadLetter, to: str, unit: UnitOfWork | None) -> None:
        """Forward a message with its remaining expiry time, with its header or with the format it had before."""
        body, described = message.body, {}
        if not (rule.action == FWD and rule.header):
            body = body[MQDLH.LENGTH :]
            described = {"format": header.format, "encoding": header.encoding, "ccsid": header.ccsid}
        pass_on(
            self.app, message, to, expiry=message.expiry, body=body, unit=unit, rule=_DONE[rule.action], **described
        )

    def _leave(self, message: Message, progress: Progress, why: whys.Why) -> bool:
        """Leave a message where it is, and say so once (DLQ-05)."""
        progress.due_us = NEVER
        self._record(message, "DLQ-05", {"action": IGNORE, "why": why.facts})
        return False

    def _record(self, message: Message, rule: str, detail: dict, cause: int | None = None) -> int:
        """The row of a decision; its cause is the browse that found the message unless another is given."""
        of, said = record_of(message), json.dumps(detail, separators=(",", ":"))
        cause = self.queue.qmgr.lab.events.next_seq - 1 if cause is None else cause
        return self.queue.record("handler", of, self.app.caller, None, rule, cause, said)

    def _wait(self) -> bool:
        """Wait for a message to arrive or to be due; False when there is nothing more to wait for."""
        now, patience = self.clock.time_us, self.control.wait
        due = min((progress.due_us for progress in self.progress.values()), default=NEVER)
        if due < NEVER or patience == MQWI_UNLIMITED:
            self._pause(int(due) if due < NEVER else None)
            return True
        return patience > 0 and self._pause(now + patience * SECOND)

    def _pause(self, until_us: int | None) -> bool:
        """Let time pass until a message arrives, at the latest until then; whether one did."""
        # without an end it looks again every RETRYINT seconds while messages are on the queue, which `Lab.run` need not
        # wait for
        queue, clock = self.queue, self.clock
        if not self.said_it_waits:
            self.app.record("wait", queue.subject, "MQI-17", depth=queue.depth, detail={"until_us": until_us})
            self.said_it_waits = True
        arrival, turn = clock.event(), queue.next_turn()
        if until_us is None and queue.depth:
            again = clock.timeout(self.interval)
            clock.idle(again)
            again.callbacks.append(lambda _: None if arrival.triggered else arrival.succeed())
        insort(queue.waiters, (turn, arrival))
        try:
            clock.wait(arrival, until_us)
        finally:
            if (turn, arrival) in queue.waiters:
                queue.waiters.remove((turn, arrival))
        return arrival.triggered


def _said(message: Message, header: DeadLetter) -> dict[str, str | int]:
    """The values of a message, by the keyword of a rule."""
    context = message.context
    return {
        "APPLIDAT": context.appl_identity_data, "APPLNAME": context.put_appl_name, "APPLTYPE": context.put_appl_type,
        "DESTQ": header.queue, "DESTQM": header.qmgr, "FORMAT": header.format, "REASON": header.reason,
        "FEEDBACK": message.feedback, "MSGTYPE": message.msg_type, "PERSIST": int(message.persistent),
        "REPLYQ": message.reply_to_q, "REPLYQM": message.reply_to_qmgr, "USERID": context.user,
    }  # fmt: skip  # a table: each line has the fields of one structure


def _destination(rule: Rule, message: Message, header: DeadLetter) -> str:
    """Where a rule sends a message: "QUEUE", or "QUEUE@QMGR" for another queue manager."""
    if rule.action == RETRY:
        queue, qmgr = header.queue, header.qmgr
    else:
        names = {"&DESTQ": header.queue, "&REPLYQ": message.reply_to_q}
        qmgrs = {"&DESTQM": header.qmgr, "&REPLYQM": message.reply_to_qmgr}
        queue, qmgr = names.get(rule.queue, rule.queue), qmgrs.get(rule.qmgr, rule.qmgr)
    return f"{queue}@{qmgr}" if qmgr else queue
