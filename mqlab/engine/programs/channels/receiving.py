"""The receiving agent of a channel: puts each message on the queue in its header, and commits batch by batch."""

from __future__ import annotations

from typing import Any

from ...queues.application import Application
from ...queues.handle import Handle
from ...queues.message import QueuedMessage
from ...queues.options import Uses
from ...queues.put import Put
from ...queues.reports import UNDELIVERED, give_up, undeliverable
from ...queues.target import full_name
from ...queues.transmission import Opener, held_of
from ...queues.unit import UnitOfWork
from ...words import whys
from ...words.because import refused_call
from ...words.constants import MQEI_UNLIMITED, MQRC_NOT_AUTHORIZED, MQRC_PUT_INHIBITED, MQRC_Q_FULL
from ...words.errors import MQError
from ...world.clock import MILLISECOND, SECOND, TENTH
from ...world.network import Broken, End
from .channel import Channel, read_record, write_record
from .session import Accept, Carried, Confirm, EndOfBatch, Failed, Hello, Quit, broken, hello, patience

MAY_CLEAR = (MQRC_PUT_INHIBITED, MQRC_Q_FULL, MQRC_NOT_AUTHORIZED)
"""Why a put fails that may work a little later: what message retry is for."""


def receive(app: Application, channel: Channel, end: End, greeting: Hello) -> None:
    """Run a receiving agent for a session that a sender began with `greeting`, until that ends."""
    app.discard_rule = "EXP-36"
    channel.begin()
    read_record(channel)
    Receiver(app, channel, end).run(greeting)


class Receiver:
    """One run of a receiving agent.

    `handles` are the queues that it has opened, by queue and queue manager. They stay open until a heartbeat flows,
    HBINT seconds after the last message, or until the channel ends. Source: CLEAR QLOCAL and Heartbeat interval (HBINT)
    in IBM MQ 9.4.
    """

    def __init__(self, app: Application, channel: Channel, end: End):
        self.app, self.channel, self.end = app, channel, end
        self.unit: Any = None
        self.opener = Opener()
        self.holding: Carried | None = None  # the message that is being put
        self.handles: dict[tuple[str, str], Handle] = {}
        self.timer: Any = None  # of the next heartbeat

    def run(self, greeting: Hello) -> None:
        """Agree with the sender, then take flows until the session ends."""
        channel = self.channel
        channel.end = self.end
        try:
            self._agree(greeting)
            channel.enter("RUNNING")
            while True:
                channel.waiting = self.unit is None  # whether STOP CHANNEL MODE(QUIESCE) may end it here
                flow = self.end.receive()
                channel.waiting = False
                if type(flow) is Carried:
                    self._take(flow)
                elif isinstance(flow, EndOfBatch):
                    self._commit(flow)
                    if channel.stop_mode:
                        return
                else:
                    return
        except Broken:
            raise broken(self.end) from None
        except (Failed, MQError) as error:
            failed = error if isinstance(error, Failed) else Failed(whys.UnexpectedError(refused_call(error)))
            if not self.end.broken:
                self.end.send(Quit(failed.why))
            raise failed from None
        finally:
            self._leave()

    def _leave(self) -> None:
        self.channel.waiting = False
        if self.unit is not None and self.unit.open:
            self.unit.backout()
        self._close()
        if self.holding is not None and not self.holding.sequence:
            self.end.other.on_lost(self.holding)
        self.end.close()
        self.channel.end = None

    def _agree(self, greeting: Hello) -> None:
        """Take the lower of what both ends offer; take over a sequence number that was reset."""
        channel, attributes = self.channel, self.channel.attributes
        if greeting.wrap != attributes["SEQWRAP"]:
            raise Failed(whys.WrapDiffers(greeting.qmgr, sender=greeting.wrap, receiver=attributes["SEQWRAP"]))
        if greeting.reset:
            channel.sequence, channel.luwid = greeting.sequence, ""
            write_record(self.app, channel, greeting.sequence, "")
        mine = hello(channel)
        channel.batch_size = min(greeting.batch_size, mine.batch_size)
        channel.longest = min(greeting.longest, mine.longest)
        channel.fast = greeting.fast and mine.fast
        beats = (greeting.heartbeat, mine.heartbeat)
        channel.heartbeat = max(beats) if all(beats) else 0
        self.end.patience_us = patience(channel.heartbeat)
        agreed = (channel.batch_size, channel.longest, channel.fast, channel.heartbeat)
        self.end.send(Accept(mine.qmgr, *agreed, channel.sequence, channel.luwid, self.app.qmgr.level))

    def _take(self, flow: Carried) -> None:
        """Put one message: within the unit of work of the batch, or a fast one in none (CHL-07)."""
        app, channel, fast = self.app, self.channel, not flow.sequence
        self.holding = flow
        channel.count(len(flow.message.body))
        if self.unit is None and not fast:
            self.unit = app.unit_of_work()
        queue, qmgr, request = self.opener.unwrap(app, flow.message, None if fast else self.unit)
        if request.expiry == MQEI_UNLIMITED:
            request.rule = "CHL-07" if fast else "CHL-03"
        else:
            now = channel.clock.time_us
            flight = (now - flow.sent_us) // TENTH if self.end.path.counts_flight else 0
            if request.expiry <= flight:
                self._dispose(held_of(request, now, flight), 0, queue, qmgr, request.unit)
                self.holding = None
                return
            request.expiry, request.rule = request.expiry - flight, "EXP-04" if flight else "EXP-03"
        if reason := self._put(request, queue, qmgr):
            self._try_again(request, reason, queue, qmgr)
        self.holding = None

    def _put(self, request: Put, queue: str, qmgr: str) -> int:
        """Put one message on the queue in its header; return the reason code of a failed put, or 0."""
        # the queue stays open for later ones
        try:
            handle = self.handles.get((queue, qmgr))
            target = None if handle is None else handle.put_to()
            if target is None:
                if handle is not None:
                    self.handles.pop((queue, qmgr)).close()
                target = self.app.resolve(full_name(self.app.qmgr, queue, qmgr), "put")
                self._authorize(request, target.name)
                if not self.handles:
                    self._watch(self.channel.heartbeat * SECOND)
                self.handles[queue, qmgr] = Handle(self.app, target, Uses(output=True))
            elif self.channel.attributes["PUTAUT"] == "CTX":
                self._authorize(request, target.name)
            request.target = target
            target.put(request)
        except MQError as error:
            return error.reason
        return 0

    def _authorize(self, request: Put, name: str) -> None:
        """Refuse a put that the user of the channel, or of the message, may not make (OAM-11)."""
        if self.app.qmgr.guard is not None:
            context = request.context or self.app.context
            self.app.qmgr.guard.arrived(self.app, self.channel, context.user, name)

    def _watch(self, left_us: int) -> None:
        """Look again, so much later, whether a heartbeat flows; never with HBINT(0)."""
        if self.channel.heartbeat:
            self.timer = self.channel.clock.timeout(left_us)
            self.channel.clock.idle(self.timer)
            self.timer.callbacks.append(self._heartbeat)

    def _heartbeat(self, timer: object) -> None:
        """Close every queue if no message has come for HBINT seconds."""
        channel = self.channel
        left_us = (channel.last_us or 0) + channel.heartbeat * SECOND - channel.clock.time_us
        if timer is not self.timer or not self.handles:
            return
        if left_us > 0:
            self._watch(left_us)
        else:
            self._close()

    def _close(self) -> None:
        while self.handles:
            self.handles.popitem()[1].close()

    def _try_again(self, request: Put, reason: int, queue: str, qmgr: str) -> None:
        """Put a message again MRRTY times, every MRTMR milliseconds, while the whole channel waits (CHL-10)."""
        # Then follow its report options, and the dead-letter queue. A fast message, put in no unit of work, that finds
        # no place at all is lost; any other then ends the channel (CHL-17): Failed.
        app, channel, clock = self.app, self.channel, self.channel.clock
        message = held_of(request, clock.time_us)
        retries = channel.attributes["MRRTY"] if app.qmgr.platform != "zos" else 0  # z/OS has no message retry
        while retries and reason in MAY_CLEAR:
            retries -= 1
            interval = channel.attributes["MRTMR"]
            channel.enter("PAUSED", whys.PutAgain(reason, interval), "CHL-10")
            clock.wait(clock.event(), clock.time_us + interval * MILLISECOND)
            channel.enter("RUNNING", rule="CHL-10")
            if message.expires_us is not None:
                left = message.tenths_left(clock.time_us) or 0
                if left <= 0:
                    break
                request.expiry = left
            if not (reason := self._put(request, queue, qmgr)):
                return
        self._dispose(message, reason, queue, qmgr, request.unit)

    def _dispose(self, message: QueuedMessage, reason: int, queue: str, qmgr: str, unit: UnitOfWork | None) -> None:
        """Dispose of a message that cannot be put on its target queue."""
        app, channel = self.app, self.channel
        fate = undeliverable(app, message, reason, queue, qmgr, unit, channel.attributes["USEDLQ"] == "YES")
        if fate.outcome != UNDELIVERED:
            return
        if unit is None:
            give_up(app, message, reason, queue)
            return
        why = whys.Undelivered(queue, reason, fate.refused or 0)
        channel.record("CHL-17", {"state": channel.state, "why": why.facts})
        raise Failed(why)

    def _commit(self, flow: EndOfBatch) -> None:
        """Commit the batch together with the record of it, and confirm."""
        channel = self.channel
        write_record(self.app, channel, flow.sequence, flow.luwid, self.unit)
        self.unit.commit()
        self.unit = None
        channel.sequence, channel.luwid = flow.sequence, flow.luwid
        channel.batches += 1
        channel.in_batch = 0
        self.end.send(Confirm(flow.luwid))
