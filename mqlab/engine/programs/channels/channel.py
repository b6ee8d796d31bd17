"""A channel as it runs: its state, what it counts, its changes of state in the event log, and its record.

The record is what a channel must not forget: the last batch committed, kept as a persistent message of
SYSTEM.CHANNEL.SYNCQ. It is written in the unit of work of the batch itself, or at the very moment of its commit, so
that both are there or neither is.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from ...extra import extras, of_extras
from ...queues.application import Application
from ...queues.message import QueuedMessage
from ...queues.queue_manager import QueueManager
from ...queues.unit import UnitOfWork
from ...words import catalog
from ...words.objects import Definition
from ...words.shown import shown
from ...words.whys import Why
from ...world.network import End

SYNCQ = "SYSTEM.CHANNEL.SYNCQ"

SENDING = ("SDR", "SVR")
"""The types whose agent sends."""

CALLING = (*SENDING, "RQSTR")
"""The types whose agent calls its partner."""

MOVING = ("SDR", "SVR", "RCVR", "RQSTR")
"""The types that move messages between queue managers, without those of extras."""


def sends(chltype: str) -> bool:
    """Whether the agent of a channel of this type sends."""
    return chltype in SENDING or chltype in of_extras("sends")


def moves(chltype: str) -> bool:
    """Whether channels of this type move messages between queue managers."""
    pairs = of_extras("sends")
    return chltype in (*MOVING, *pairs, *(answering for each in pairs.values() for answering in each))


ACTIVE = ("INITIALIZING", "BINDING", "REQUESTING", "RUNNING", "PAUSED", "STOPPING")
"""The states in which an agent runs; a channel in another state but INACTIVE is current without being active."""


@shown
class Channel:
    """One channel of a queue manager with one partner: `definition`, `state`, and the values of DISPLAY CHSTATUS.

    `sequence` is the last sequence number committed, `luwid` the id of the last batch committed, `indoubt` the unit of
    work of a batch that was sent and not confirmed, or None; `messages`, `batches` and `bytes` count since it started.
    """

    def __init__(self, qmgr: QueueManager, definition: Definition, partner: str = ""):
        self.qmgr, self.definition, self.name, self.partner = qmgr, definition, definition.name, partner
        self.clock = qmgr.clock
        # MsgId and CorrelId of its record, and what each record begins with
        self.record_ids = blake2b(partner.encode(), digest_size=24).digest(), self.name.encode().ljust(24)
        self.record_start = json.dumps({"channel": self.name, "partner": partner})[:-1]
        self.state, self.since_us = "INACTIVE", 0  # and when it entered it
        self.why: Why | None = None  # why it entered its state
        self.then: Why | None = None  # and what follows a failure
        self.program: Any = None
        self.end: End | None = None
        self.indoubt: Any = None
        self.sequence, self.luwid, self.reset_pending = 0, "", False
        self.stop_mode: str | None = None  # the MODE of a STOP CHANNEL that is not done yet
        self.stop_state = "STOPPED"
        self.waiting = False  # whether its agent waits for work, so that it may be stopped at once
        self.tag: bytes | None = None  # the CorrelId of its messages, where the queue that it sends from has others
        self.retry: Any = None  # the timer of the next attempt
        self.columns: dict[str, Any] = {}  # of DISPLAY CHSTATUS, that extras know better
        self._in_use: dict = {}  # the attributes that its agent began with
        self.disabled: dict = {}  # attributes of the transmission queue as they were before the channel failed
        self.batch_size, self.fast, self.longest, self.heartbeat, self.remote = 0, True, 0, 0, ""
        self.reset_retries()
        self.begin()

    @property
    def attributes(self) -> dict:
        """The attributes of its definition; while its agent runs, the attributes with which the agent started."""
        return self._in_use or self.definition.attributes

    @property
    def chltype(self) -> str:
        """SDR, SVR, RCVR or RQSTR."""
        return self.attributes["CHLTYPE"]

    @property
    def active(self) -> bool:
        """Whether an agent runs for it."""
        return self.state in ACTIVE

    def unacted(self) -> list[str]:
        """What its definition sets and nothing acts on, as MQSC."""
        return catalog.unacted("CHANNEL", self.attributes, self.qmgr.platform, self.chltype)

    def begin(self) -> None:
        """Start counting again, with the attributes that the definition has now."""
        self.messages = self.batches = self.bytes = self.in_batch = 0
        self.started_us: int | None = self.qmgr.clock.time_us
        self.last_us: int | None = None

    def reset_retries(self) -> None:
        """Give back every short and long retry, as when the channel has come to run."""
        self.short_left = self.attributes.get("SHORTRTY", 0)
        self.long_left = self.attributes.get("LONGRTY", 0)

    def enter(
        self,
        state: str,
        why: Why | None = None,
        rule: str = "CHL-08",
        cause: int | None = None,
        then: Why | None = None,
    ) -> int:
        """Change state: one row of the log; its seq."""
        was, self.state, self.why, self.then, self.since_us = self.state, state, why, then, self.clock.time_us
        if was not in ACTIVE or state not in ACTIVE:
            self._in_use = self._at_start() if state in ACTIVE else {}
        detail: dict = {"state": state, "was": was}
        detail |= {"why": why.facts} if why else {}
        detail |= {"then": then.facts} if then else {}
        if state == "RUNNING" and was != "PAUSED" and (kept := self.unacted()):
            detail["kept_only"] = kept
        seq = self.record(rule, detail, cause)
        for extra in extras():
            extra.channel_changed(self, was, seq)
        return seq

    def _at_start(self) -> dict:
        """The attributes with which an agent starts."""
        found = (extra.at_start(self) for extra in extras())
        return next((each for each in found if each is not None), dict(self.definition.attributes))

    @property
    def xmitq(self) -> str:
        """The transmission queue that it sends from; "" for none."""
        name: str = self.attributes.get("XMITQ", "")
        return name

    def record(self, rule: str, detail: dict, cause: int | None = None, uow: int | None = None) -> int:
        """Write a `channel` row about this channel, or about its batch, the unit of work `uow`; its seq."""
        qmgr = self.qmgr
        if cause is None and self.program is not None:
            cause = self.program.seq
        if self.partner:
            detail["partner"] = self.partner
        place = (qmgr.name, self.name, "CHANNEL")
        return qmgr.record("channel", place, rule, program=self.name, uow=uow, cause=cause, detail=detail)

    def count(self, length: int) -> None:
        """Count one message of so many bytes that was sent or received."""
        self.messages += 1
        self.in_batch += 1
        self.bytes += length
        self.last_us = self.clock.time_us

    def __repr__(self) -> str:
        return f"Channel({self.name!r} on {self.qmgr.name}, {self.chltype}, {self.state})"


def read_record(channel: Channel) -> None:
    """Let a channel that starts remember its last sequence number and batch; 0 and "" if there is no record."""
    record = _record(channel)
    told: dict = {"sequence": 0, "luwid": ""} if record is None else json.loads(record.body)
    channel.sequence, channel.luwid = told["sequence"], told["luwid"]


def write_record(
    app: Application | QueueManager, channel: Channel, sequence: int, luwid: str, unit: UnitOfWork | None = None
) -> None:
    """Replace the record, in `unit` or in one of its own. MQError when the queue is not there or takes no message."""
    if unit is None:
        with app.unit_of_work() as unit:
            write_record(app, channel, sequence, luwid, unit)
        return
    msg_id, correl_id = channel.record_ids
    if _record(channel) is not None:
        app.get(SYNCQ, msg_id=msg_id, correl_id=correl_id, unit=unit)
    body = f'{channel.record_start}, "sequence": {sequence}, "luwid": "{luwid}"}}'
    app.put(SYNCQ, body, persistent=True, priority=0, msg_id=msg_id, correl_id=correl_id, unit=unit)


def _record(channel: Channel) -> QueuedMessage | None:
    queue: Any = channel.qmgr.targets.get(SYNCQ)
    return None if queue is None else next(queue.store.matching(*channel.record_ids), None)
