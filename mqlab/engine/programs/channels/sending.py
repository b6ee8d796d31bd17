"""The sending agent of a channel: gets from the transmission queue, sends in batches, and commits what is confirmed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...queues.application import Application
from ...queues.message import QueuedMessage, record_of
from ...queues.queue_manager import QueueManager
from ...queues.reports import UNDELIVERED, give_up, undeliverable
from ...queues.transmission import Opener, arrived, headed
from ...words import constants as mq
from ...words import whys
from ...words.because import refused_call
from ...words.errors import MQError
from ...world.clock import MILLISECOND, SECOND
from ...world.network import Broken, End
from .channel import Channel, read_record, write_record
from .session import Accept, Carried, Confirm, EndOfBatch, Failed, Quiesced, Quit, broken, hello, patience

if TYPE_CHECKING:
    from ...queues.message import Message


def send(app: Application, channel: Channel, connect: Callable[[], End]) -> None:
    """Run a sending agent until the channel ends; `connect()` gives the End of its session.

    Leaves the channel INACTIVE or STOPPED after a normal end; raises Failed if it can be retried.
    """
    app.idle, app.discard_rule = True, "EXP-12"  # its waits for work are nothing that `Lab.run` need wait for
    channel.begin()
    read_record(channel)
    Sender(app, channel).run(connect)


class Sender:
    """One run of a sending agent."""

    def __init__(self, app: Application, channel: Channel):
        self.app, self.channel = app, channel
        self.end: Any = None
        self.clock, self.qmgr = app.qmgr.clock, app.qmgr
        self.unit: Any = None
        self.handle: Any = None
        self.downgrades = False  # whether the partner knows no properties of messages, so that the channel decides

    def run(self, connect: Callable[[], End]) -> None:
        """Connect, agree, resolve what is in doubt, and send batches until there is a reason to end."""
        channel = self.channel
        try:
            channel.end = self.end = connect()
            self.end.patience_us = patience(channel.attributes["HBINT"])
            self.end.on_lost, self.end.on_broken = self._lost, self._broken
            self._agree()
            self._open()
            channel.enter("RUNNING")
            while self._batch():
                pass
            self.end.send(Quit())
        except Broken:
            raise self._broken_off() from None
        except MQError as error:
            raise Failed(whys.UnexpectedError(refused_call(error))) from None
        finally:
            self._leave()

    def _broken_off(self) -> Failed:
        """Why the session ended: the last words of the partner, if any."""
        try:
            last = self.end.receive()
        except Broken:
            last = None
        return Failed(last.why) if isinstance(last, Quit) and last.why else broken(self.end)

    def _leave(self) -> None:
        """Give back what was not sent or not put to the vote; a unit in doubt stays for the next start."""
        if self.unit is not None and self.unit.open and not self.unit.in_doubt:
            self.unit.backout() if self.unit.gets else self.unit.dissolve()
        if self.end is not None:
            self.end.close()
        self.channel.end = None

    def _agree(self) -> None:
        """Exchange what both ends can do, then settle a batch in doubt and compare sequence numbers."""
        channel = self.channel
        self.end.send(hello(channel))
        answer = self.end.receive()
        if not isinstance(answer, Accept):
            raise Failed(answer.why)
        channel.batch_size, channel.longest = answer.batch_size, answer.longest
        channel.fast, channel.heartbeat, channel.remote = answer.fast, answer.heartbeat, answer.qmgr
        self.end.patience_us = patience(channel.heartbeat)
        channel.reset_pending = False
        if channel.indoubt is not None:
            end_doubt(self.app, channel, channel.indoubt.luwid == answer.luwid, "CHL-06")
        self.downgrades = answer.level < 700
        if answer.sequence != channel.sequence:
            why = whys.SequenceDiffers(answer.qmgr, channel.sequence, answer.sequence, channel.name)
            channel.record("CHL-12", {"why": why.facts})
            raise Failed(why)

    def _open(self) -> None:
        """Open the transmission queue for this agent alone, enabled again if a failure had disabled it."""
        channel, name = self.channel, self.channel.xmitq
        found = self.qmgr.targets.get(name)
        if found is not None and found.definition.attributes.get("USAGE") != "XMITQ":
            raise Failed(whys.NoTransmissionQueue(name))
        try:
            if channel.disabled:
                with self.app.open(name, set=True) as handle:
                    handle.set(**channel.disabled)
                channel.disabled = {}
            self.handle = self.app.open(name, input="exclusive" if channel.tag is None else "shared")
        except MQError as error:
            raise Failed(whys.OpenRefused(refused_call(error))) from None

    def _batch(self) -> bool:
        """Send one batch; False when the channel is to end."""
        channel, attributes, clock = self.channel, self.channel.attributes, self.clock
        self.unit = unit = self.app.unit_of_work()
        unit.spares_non_persistent = channel.fast
        number, size, numbered, sendable, begun_us = channel.sequence, 0, 0, True, 0
        channel.in_batch = 0
        limit, interval = attributes["BATCHLIM"] * 1024, attributes["BATCHINT"] * MILLISECOND
        wait = attributes["DISCINT"] * SECOND or -1  # DISCINT(0) waits forever
        while (message := self._next(wait)) is not None:
            record = record_of(message)
            if self.downgrades and record.descriptor.properties:
                record = self.qmgr.properties.before_700(record, attributes)
            fast = channel.fast and not record.persistent
            length = len(record.body)
            sendable = headed(record) and length <= channel.longest
            if not sendable:
                self._set_aside(record, fast)
                break
            if not fast:
                number, numbered = number % attributes["SEQWRAP"] + 1, numbered + 1
            size += length
            channel.count(length)
            flow = Carried(record, clock.time_us, 0 if fast else number)
            try:
                self.end.send(flow)
            except Broken:
                self._lost(flow)
                raise
            if channel.in_batch == 1:
                begun_us = clock.time_us
            if channel.in_batch >= channel.batch_size or 0 < limit <= size or channel.stop_mode:
                break
            wait = max(begun_us + interval - clock.time_us, 0)
        if numbered:
            self._commit(number)
        elif unit.gets:
            unit.commit()  # only messages that could not be sent: nothing that the partner need know of
        else:
            unit.dissolve()
        if channel.in_batch:
            if not numbered:
                clock.advance_to(clock.time_us)  # the partner gets its messages: few of a long queue are in flight
            channel.batches += 1
            channel.reset_retries()
        return self._go_on(idle=sendable and not channel.in_batch)

    def _next(self, wait_us: int) -> Message | None:
        """The next message of the transmission queue, None if there is none in time."""
        channel = self.channel
        if channel.stop_mode and not channel.in_batch:
            return None
        store, tag = self.handle.queue.store, channel.tag
        if not wait_us and not (store.mask if tag is None else next(store.matching(None, tag), None)):
            return None  # a get that must fail is left out: it would only fill the log
        channel.waiting, self.app.idle = True, not channel.in_batch
        try:
            return self.handle.get(float("inf") if wait_us < 0 else wait_us / SECOND, None, tag, self.unit)
        except MQError as error:
            if error.reason != mq.MQRC_NO_MSG_AVAILABLE:
                refused = whys.GetInhibited if error.reason == mq.MQRC_GET_INHIBITED else whys.GetRefused
                raise Failed(refused(refused_call(error))) from None
            return None
        except Quiesced:
            return None
        finally:
            channel.waiting = False

    def _set_aside(self, record: QueuedMessage, fast: bool) -> None:
        """Put a message that cannot be sent on the dead-letter queue here, with Feedback 271 or 2218."""
        # It has no whole header, or is too long. Without a dead-letter queue a fast message, got in no unit of work, is
        # lost; any other stays where it is, and the channel ends: Failed.
        app, channel, unit = self.app, self.channel, None if fast else self.unit
        if headed(record):
            why: whys.Why = whys.TooLong(len(record.body), channel.longest)
            header, reason = Opener().open(record.body), mq.MQRC_MSG_TOO_BIG_FOR_CHANNEL
            record, queue, qmgr = arrived(header, record, self.clock.time_us), header.queue, header.qmgr
        else:
            why, reason = whys.NoHeader(), mq.MQFB_XMIT_Q_MSG_ERROR
            queue, qmgr = channel.xmitq, self.qmgr.name
        fate = undeliverable(app, record, reason, queue, qmgr, unit, channel.attributes["USEDLQ"] == "YES")
        if fate.outcome != UNDELIVERED:
            return
        if unit is not None:
            raise Failed(why)
        give_up(app, record, reason, queue)

    def _commit(self, number: int) -> None:
        """Ask for the batch to be committed at the other end, in doubt until the answer comes, and commit it here."""
        channel, unit = self.channel, self.unit
        luwid = f"{unit.number:016X}"
        unit.prepare(luwid, number)
        channel.indoubt = unit
        self.end.send(EndOfBatch(luwid, number))
        answer = self.end.receive()
        if not isinstance(answer, Confirm):
            end_doubt(self.app, channel, False, "CHL-17")
            raise Failed(answer.why)
        end_doubt(self.app, channel, True, "CHL-04")

    def _go_on(self, idle: bool) -> bool:
        """Whether there is a next batch: not after STOP CHANNEL or, without a message, the disconnect interval."""
        channel = self.channel
        if channel.stop_mode:
            channel.enter("STOPPING", whys.StopChannel(channel.stop_mode))
            return False
        if idle:
            channel.enter("STOPPING", whys.Idle(channel.attributes["DISCINT"]), "CHL-15")
            return False
        return True

    def _broken(self) -> None:
        """The session ends while the agent waits for work: heartbeats report it (simplified: at once)."""
        if self.channel.waiting:
            self.channel.program.interrupt(Broken())

    def _lost(self, flow: object) -> None:
        """A flow that never arrived: a fast message is lost (CHL-07)."""
        if isinstance(flow, Carried) and not flow.sequence:
            channel = self.channel
            self.handle.queue.record("lost", flow.message, channel.name, None, "CHL-07", self.app.program.seq)


def end_doubt(app: Application | QueueManager, channel: Channel, committed: bool, rule: str) -> None:
    """End the unit of work in doubt: the receiver has committed the batch, or it has not and it is sent again.

    MQError, and it stays in doubt, where the record of the batch cannot be written.
    """
    unit = channel.indoubt
    if committed:
        write_record(app, channel, unit.sequence, unit.luwid)
        channel.sequence, channel.luwid = unit.sequence, unit.luwid
    channel.indoubt = None
    how = "committed" if committed else "backed out"
    channel.record(rule, {"outcome": how, "messages": len(unit.gets)}, uow=unit.number)
    unit.in_doubt = False
    unit.commit() if committed else unit.backout()
