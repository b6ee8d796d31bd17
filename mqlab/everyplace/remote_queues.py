"""Remote queues: flows between queue managers, asynchronous queues, and home-server queues.

A flow is one request and its answer, over a link that takes time and can fail. It is a generator of the microseconds
that it lets pass, so that a call may wait for it (`wait_for`) and a queue manager may do it in the background
(`in_background`) alike.

An asynchronous queue sends in two stages: put, then confirm (MQE-07). The sender keeps its message until it gets the
response to the confirmation. After a break it continues where it was: it puts again, marked as sent again, while it
does not know that the other side has the message, and confirms only when it does know; so no message arrives twice. A
confirmation for an unknown message means that the message was confirmed before. One oddity follows and is left as it
is: if the confirmation arrived but its answer was lost, and the lifetime ends before the next attempt, the sender's
rule is notified of a message that was delivered.

A home-server queue fetches its client's messages from a store-and-forward queue of its home server (MQE-14). The server
locks each message for the client, the client keeps it locked on its destination queue, the server lets go of its copy,
and then the client can get it: an assured get and an assured put. After a break the client continues where it was.
Polling ends when the server cannot be reached; the next `trigger_transmission` begins it again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from ..engine.words.whys import Why
from . import local_queue
from .errors import LinkDown, MQeError
from .expiry import discarded
from .message import MessageId
from .queue import Entry, Queue
from .whys import EndNotRunning, LinkIsDown, NoLink, NotEveryplace, RefusedThere

Flow = Generator[int, None, Any]
"""Steps that each last some microseconds, and a result at the end."""


def exchange(qmgr: Any, name: str, act: Callable[[Any], Any]) -> Flow:
    """Have the queue manager `name` do `act(peer)`; a generator that returns its result, or raises its MQeError.

    Request and answer each take the link's latency. LinkDown if the link is down, or either end is not running, when
    one of them leaves or arrives; a link that is cut and restored in between is not noticed.
    """
    _, latency_us = _reach(qmgr, name, "request")
    yield latency_us
    peer, latency_us = _reach(qmgr, name, "request")
    refused = answer = None
    try:
        answer = act(peer)
    except MQeError as error:
        refused = error
    yield latency_us
    _reach(qmgr, name, "answer")
    if refused is not None:
        raise refused
    return answer


def _reach(qmgr: Any, name: str, lost: str) -> tuple[Any, int]:
    """The queue manager at the other end of a link that is up, and the link's latency; LinkDown if there is none."""
    path = qmgr.lab.network.path(qmgr.name, name)
    peer = next((other for other in qmgr.lab.everyplace_queue_managers if other.name == name), None)
    if path is None:
        raise LinkDown(NoLink(qmgr.name, name, lost))
    if not path.up:
        raise LinkDown(LinkIsDown(qmgr.name, name, lost))
    if peer is None:
        raise LinkDown(NotEveryplace(qmgr.name, name, lost))
    if not (peer.running and qmgr.running):
        raise LinkDown(EndNotRunning(qmgr.name, name, lost, qmgr.name if peer.running else name))
    return peer, path.latency_us


def wait_for(clock: Any, steps: Flow) -> Any:
    """Do the steps of a flow now, letting time pass for everybody else; what the flow returned."""
    try:
        while True:
            if delay := next(steps):
                clock.advance_to(clock.time_us + delay)
    except StopIteration as done:
        return done.value


def in_background(clock: Any, steps: Iterable[int]) -> None:
    """Do the steps of a flow as time passes."""
    clock.process(clock.timeout(delay) for delay in steps)


def every(clock: Any, ms: int, wanted: Callable[[], bool], act: Callable[[], object]) -> None:
    """Call `act` every so many milliseconds from now on, as long as `wanted` returns True."""

    def on_time(_: object) -> None:
        if wanted():
            every(clock, ms, wanted, act)
            act()

    timer = clock.timeout(ms * 1000)
    clock.idle(timer)
    timer.callbacks.append(on_time)


def send_all(queue: Queue) -> Flow:
    """Send the messages of an asynchronous queue, in order, until it is empty or one cannot be sent; a generator
    of the microseconds it takes. No effect while the queue is sending already."""
    if queue.busy:
        return
    queue.busy = True
    try:
        while (entry := next((e for e in queue.walk() if e.lock is None), None)) is not None:
            try:
                yield from _send(queue, entry)
            except (LinkDown, MQeError) as broken:
                _tell(queue, entry, {"why": _reason(broken).facts})
                return
    finally:
        queue.busy = False


def _send(queue: Queue, entry: Entry) -> Flow:
    qmgr, message, (owner, name) = queue.qmgr, entry.message, entry.destination
    if discarded(queue, entry, "remove", qmgr.name):
        return
    if not entry.placed:
        _tell(queue, entry, {"stage": "put", "to": owner, "again": entry.offered})
        entry.offered = True
        try:
            answer = yield from exchange(qmgr, owner, lambda peer: peer.accept(name, message, qmgr.name))
        except LinkDown as broken:
            entry.halfway = entry.halfway or broken.why.lost == "answer"
            raise
        entry.halfway, entry.placed = True, answer != "expired"
    if not entry.placed:
        _leave(queue, entry, owner)
    elif entry.on_queue:
        _tell(queue, entry, {"stage": "confirm", "to": owner})
        answer = yield from exchange(qmgr, owner, lambda peer: peer.confirm(name, message.uid, qmgr.name))
        if answer == "kept" and entry.on_queue:
            local_queue.take(queue, entry, qmgr.name, "MQE-13", {"to": owner})
        else:
            _leave(queue, entry, owner)


def _leave(queue: Queue, entry: Entry, owner: str) -> None:
    """Let go of a message that the other side no longer has: it is discarded here too if it has expired here."""
    if entry.on_queue and not discarded(queue, entry, "remove", queue.qmgr.name):
        local_queue.take(queue, entry, queue.qmgr.name, "MQE-13", {"to": owner})


def _tell(queue: Queue, entry: Entry, detail: dict) -> None:
    rule = "MQE-13" if "why" in detail else "MQE-07"
    queue.record("transmit", entry, queue.qmgr.name, rule, None, detail)


def _reason(broken: LinkDown | MQeError) -> Why:
    """Why messages cannot be sent now."""
    if isinstance(broken, LinkDown):
        return broken.why
    return RefusedThere(broken.what, broken.queue, broken.qmgr, broken.why.facts)


class Puller:
    """A home-server queue at work: `pull` once, or every `poll_ms` milliseconds while `polling`."""

    def __init__(self, queue: Queue):
        self.queue, self.qmgr, self.polling = queue, queue.qmgr, False
        # the queue here and the id of a message that the server still keeps
        self._taken: tuple[Queue, MessageId | None] | None = None
        self._turn = 0

    def begin(self) -> None:
        """Poll from now on, if the queue has a poll interval."""
        turn = self._turn = self._turn + 1
        self.polling = self.queue.poll_ms > 0
        if self.polling:
            every(self.qmgr.clock, self.queue.poll_ms, lambda: self.polling and turn == self._turn, self.fetch)

    def end(self) -> None:
        """Stop polling."""
        self.polling = False

    def fetch(self) -> None:
        """Pull as time passes."""
        in_background(self.qmgr.clock, self.pull())

    def pull(self) -> Flow:
        """Fetch until the server has nothing more, or a fetch fails; a generator of microseconds."""
        queue = self.queue
        if queue.busy:
            return
        queue.busy = True
        try:
            while (yield from self._one()):
                pass
        except (LinkDown, MQeError) as broken:
            self.polling = self.polling and not isinstance(broken, LinkDown)
            detail = {"why": _reason(broken).facts, "polling": self.polling}
            about = {"program": self.qmgr.name, "rule": "MQE-14", "detail": detail}
            self.qmgr.lab.events.write(self.qmgr.clock.time_us, "transmit", queue.subject, **about)
        finally:
            queue.busy = False

    def _one(self) -> Flow:
        """Fetch one message, and first end what a break left half done; whether there was one."""
        qmgr, queue = self.qmgr, self.queue
        if self._taken is None:
            offered = yield from exchange(qmgr, queue.owner, lambda peer: peer.offer(queue.name, qmgr.name))
            if offered is None:
                return False
            message, name = offered
            target = qmgr.arrival_queue(name, message)
            local_queue.put(target, message, qmgr.name, (qmgr.name, target.name), queue.owner, halfway=True)
            self._taken = target, message.uid
        target, uid = self._taken
        yield from exchange(qmgr, queue.owner, lambda peer: peer.release(queue.name, uid, qmgr.name))
        self._taken = None
        local_queue.confirm_put(target, uid, qmgr.name)  # unless it expired here before
        return True
