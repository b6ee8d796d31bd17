"""Home-server queues: a client fetches from a store-and-forward queue of its home server what is meant for it (MQE-14).

The server locks each message for the client, the client keeps it locked on the queue it is meant for, the server lets
go of its copy, and then the client can get it: an assured get and an assured put. After a break the client goes on
where it was. Polling ends when the server cannot be reached; the next `trigger_transmission` begins it again.
"""

from __future__ import annotations

from . import local_queue
from .errors import LinkDown, MQeError
from .flow import exchange, in_background
from .queue import Queue

__all__ = ["Puller"]


class Puller:
    """What a home-server queue does: `pull` once, or every `poll_ms` milliseconds while `polling`."""

    def __init__(self, queue: Queue):
        self.queue, self.qmgr, self.polling = queue, queue.qmgr, False
        self._taken = None  # (queue here, message id) that the server has not been told to let go of
        self._turn = 0

    def begin(self) -> None:
        """Poll from now on, if the queue has a poll interval."""
        self._turn += 1
        self.polling = self.queue.poll_ms > 0
        if self.polling:
            self._arm(self._turn)

    def end(self) -> None:
        """Poll no more."""
        self.polling = False

    def _arm(self, turn: int) -> None:
        clock = self.qmgr.clock
        timer = clock.timeout(self.queue.poll_ms * 1000)
        clock.idle(timer)
        timer.callbacks.append(lambda _: self._on_time(turn))

    def _on_time(self, turn: int) -> None:
        if self.polling and turn == self._turn:
            self._arm(turn)
            in_background(self.qmgr.clock, self.pull())

    def pull(self):
        """Fetch until the server has nothing more, or something stands in the way; a generator of microseconds."""
        queue = self.queue
        if queue.busy:
            return
        queue.busy = True
        try:
            while (yield from self._one()):
                pass
        except (LinkDown, MQeError) as broken:
            self.polling = self.polling and not isinstance(broken, LinkDown)
            detail = {"failed": str(broken), "polling": self.polling}
            self.qmgr.lab.events.write(
                self.qmgr.clock.time_us, "transmit", queue.place, program=self.qmgr.name, rule="MQE-14", detail=detail
            )
        finally:
            queue.busy = False

    def _one(self):
        """Fetch one message, and first end what a break left half done; whether there was one."""
        qmgr, queue = self.qmgr, self.queue
        if self._taken is None:
            found = yield from exchange(qmgr, queue.owner, lambda peer: peer.offer(queue.name, qmgr.name))
            if found is None:
                return False
            message, name = found
            target = qmgr.arrival_queue(name, message)
            local_queue.put(target, message, qmgr.name, (qmgr.name, target.name), queue.owner, halfway=True)
            self._taken = target, message.uid
        target, uid = self._taken
        yield from exchange(qmgr, queue.owner, lambda peer: peer.release(queue.name, uid, qmgr.name))
        self._taken = None
        local_queue.confirm_put(target, uid, qmgr.name)  # unless it expired here before
        return True
