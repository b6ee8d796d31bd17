"""The receiving agent of a channel: puts what arrives where its header says, and commits batch by batch."""

from __future__ import annotations

from ...mq.errors import MQError
from ...qmgr.transmission import Opener
from ...sim.clock import TENTH
from ...sim.network import Broken
from . import syncq
from .delivery import deliver
from .flows import Accept, Carried, Confirm, EndOfBatch, Hello, Quit
from .session import Failed, batch_size

__all__ = ["receive"]


def receive(app, channel, end, greeting: Hello) -> None:
    """Run a receiving agent for a session that a sender began with `greeting`, until that ends."""
    app.discard_rule = "EXP-36"
    channel.begin()
    syncq.read(channel)
    Receiver(app, channel, end).run(greeting)


class Receiver:
    """One run of a receiving agent."""

    def __init__(self, app, channel, end):
        self.app, self.channel, self.end, self.unit = app, channel, end, None
        self.opener = Opener()
        self.holding: Carried | None = None  # the message that is being put

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
            raise Failed("AMQ9208E", "the session with the partner is broken") from None
        except (Failed, MQError) as error:
            failed = error if isinstance(error, Failed) else Failed("AMQ9999E", str(error))
            if not self.end.broken:
                self.end.send(Quit(failed.code, failed.said))
            raise failed from None
        finally:
            self._leave()

    def _leave(self) -> None:
        self.channel.waiting = False
        if self.unit is not None and self.unit.open:
            self.unit.backout()
        if self.holding is not None and not self.holding.sequence:
            self.end.other.on_lost(self.holding)
        self.end.close()
        self.channel.end = None

    def _agree(self, greeting: Hello) -> None:
        """Take the lower of what both ends offer; take over a sequence number that was reset."""
        channel, attributes = self.channel, self.channel.attributes
        if greeting.wrap != attributes["SEQWRAP"]:
            raise Failed("AMQ9505E", f"SEQWRAP is {greeting.wrap} at {greeting.qmgr} and {attributes['SEQWRAP']} here")
        if greeting.reset:
            channel.sequence, channel.luwid = greeting.sequence, ""
            syncq.write(self.app, channel, greeting.sequence, "")
        mine = attributes["MAXMSGL"] or channel.qmgr.attributes["MAXMSGL"]
        channel.batch_size = min(greeting.batch_size, batch_size(channel))
        channel.longest = min(greeting.longest, mine)
        channel.fast = greeting.fast and attributes["NPMSPEED"] == "FAST"
        beats = (greeting.heartbeat, attributes["HBINT"])
        channel.heartbeat = max(beats) if all(beats) else 0
        self.end.send(
            Accept(
                channel.qmgr.name,
                channel.batch_size,
                channel.longest,
                channel.fast,
                channel.heartbeat,
                channel.sequence,
                channel.luwid,
            )
        )

    def _take(self, flow: Carried) -> None:
        """Put one message: within the unit of work of the batch, or a fast one in none (CHL-07)."""
        app, channel, fast = self.app, self.channel, not flow.sequence
        self.holding = flow
        channel.count(len(flow.body))
        if self.unit is None and not fast:
            self.unit = app.unit_of_work()
        now = channel.qmgr.clock.time_us
        flight = (now - flow.sent_us) // TENTH if self.end.path.counts_flight else 0
        queue, qmgr, message = self.opener.hold(flow.body, flow.of, now, flight)
        rule = ("CHL-07" if fast else "CHL-03") if message.expires_us is None else "EXP-04" if flight else "EXP-03"
        deliver(app, channel, message, queue, qmgr, None if fast else self.unit, rule)
        self.holding = None

    def _commit(self, flow: EndOfBatch) -> None:
        """Commit the batch together with the record of it, and confirm."""
        channel = self.channel
        syncq.write(self.app, channel, flow.sequence, flow.luwid, self.unit)
        self.unit.commit()
        self.unit = None
        channel.sequence, channel.luwid = flow.sequence, flow.luwid
        channel.batches += 1
        channel.in_batch = 0
        self.end.send(Confirm(flow.luwid))
