"""Automatic client reconnection: a connection that broke is made again, and the calls of its program wait for it (G7).

The attempts follow the break after 1, 2, 4, 8, and 16 seconds, each counted from the attempt before, and then every 25
seconds. The random part of IBM MQ's delays is left out, so that a lab does the same each time.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, repeat
from typing import Any

from ..admin import kept as administered
from ..admin.ending import Behind
from ..engine.queues.application import context_of
from ..engine.queues.broken import Broken
from ..engine.queues.caller import Gate
from ..engine.words import constants as mq
from ..engine.words.errors import MQError
from ..engine.words.refusals import Grounds
from ..engine.words.whys import LinkCut
from ..engine.world.clock import SECOND
from ..engine.world.interrupts import interruptible
from ..pubsub.renewing import become, openings
from . import kept
from .admitting import admit
from .attempt import Attempt, Condition, refused
from .network import located, port_in

DELAYS = (1, 2, 4, 8, 16, 25)
"""The seconds before each attempt; the last ones repeat."""
TIMEOUT = 1800
"""MQReconnectTimeout, in seconds."""
_NOT_AGAIN = ("channel-ended", "stopped")
"""The grounds of the ends by an operator: STOP CHANNEL and STOP CONN."""
_NOT_YET = frozenset(
    (
        *(mq.MQRC_CONNECTION_BROKEN, mq.MQRC_MAX_CONNS_LIMIT_REACHED, mq.MQRC_Q_MGR_NOT_AVAILABLE),
        *(mq.MQRC_Q_MGR_QUIESCING, mq.MQRC_CHANNEL_NOT_AVAILABLE, mq.MQRC_HOST_NOT_AVAILABLE),
    )
)
"""The reason codes of an attempt that let the next one follow; any other ends the reconnection (REC-08)."""


def mode_of(attempt: Attempt) -> str:
    """How a connection is made again when it breaks: "YES", "QMGR", or "" for never (REC-01)."""
    defined = attempt.qmgr.objects.get("CLNTCONN", attempt.channel)
    default = attempt.client.defrecon or ("NO" if defined is None else defined.attributes["DEFRECON"])
    never = attempt.options & mq.MQCNO_RECONNECT_DISABLED or not attempt.definition.get("SHARECNV", 1)
    if never or default == "DISABLED":
        return ""
    if attempt.options & (mq.MQCNO_RECONNECT | mq.MQCNO_RECONNECT_Q_MGR):
        return "YES" if attempt.options & mq.MQCNO_RECONNECT else "QMGR"
    return "" if default == "NO" else default


def prepare(attempt: Attempt) -> None:
    """Let the connection of a client that was let in be made again, if it asks for that."""
    attempt.reconnects, attempt.breaks = mode_of(attempt), _broken
    attempt.anywhere = attempt.reconnects == "YES"


def _broken(attempt: Attempt, application: Any, grounds: Grounds) -> Gate | None:
    """The gate of a connection that breaks: one that makes it again, or refuses each call; None for the usual end."""
    wanted, ends = administered(attempt.qmgr).reconnect, grounds.case == "qmgr-ended"
    lets = grounds.case not in _NOT_AGAIN
    if ends:
        lets = grounds.reason == mq.MQRC_CONNECTION_BROKEN if wanted is None else wanted
    if lets and attempt.reconnects:
        return Reconnecting(application, attempt)
    _keep(attempt, "operator" if attempt.reconnects and not ends else "without-r" if attempt.reconnects else "")
    if not ends:
        return None
    if application.gate is not None:
        application.gate.tell(grounds.reason)
    application.finish(True)  # its units of work have been backed out, or wait for the restart
    return Broken(application, Grounds(mq.MQRC_CONNECTION_BROKEN, "qmgr-ended", grounds.fields))


AGAIN = Condition("reconnect", "REC-01", lambda _: None)
"""The gate of a connection that broke: whether it is made again."""


def _keep(attempt: Attempt, case: str) -> None:
    """Keep why a connection that broke is not made again, for `why_refused`: on these grounds, or as it connected."""
    name, qmgr = attempt.channel, attempt.qmgr
    if not case:
        case = "not-asked" if attempt.definition.get("SHARECNV", 1) else "no-sharing"
    opens = f"ALTER CHANNEL({name}) CHLTYPE(SVRCONN) SHARECNV(10)" if case == "no-sharing" else ""
    closed = refused(mq.MQRC_CONNECTION_BROKEN, case, channel=name, qmgr=qmgr.name)._replace(opens=opens)
    outcomes = [*attempt.outcomes, (AGAIN, closed)]
    kept(qmgr).attempts[attempt.program] = replace(attempt, outcomes=outcomes, time_us=qmgr.clock.time_us, seq=None)


class Reconnecting(Behind):
    """The gate of a connection that broke: each call waits until the connection is made again, or cannot be.

    If a unit of work was lost, calls in it fail with 2003 until a backout (REC-04).
    """

    def __init__(self, application: Any, attempt: Attempt):
        super().__init__(application)
        qmgr = application.qmgr
        self.attempt, self.home, self.clock = attempt, qmgr, qmgr.clock
        outer, self.lost = self.before, False
        while type(self.before) is not Gate and not hasattr(self.before, "lose"):  # gates of the connection as it was
            self.lost = self.lost or (isinstance(self.before, Reconnecting) and self.before.lost)
            self.before = getattr(self.before, "before", Gate())
        self._consumers: Any = self.before if hasattr(self.before, "lose") else None
        self._again = self.before.state == "started"  # whether consumers are called again
        self._failure: Grounds | None = None
        self._done = self.clock.event()
        self._delays, self._until_us = chain(DELAYS, repeat(DELAYS[-1])), self.clock.time_us + TIMEOUT * SECOND
        self._leave()
        outer.left()
        self._record("lost")
        self._tell(mq.MQRC_RECONNECTING)
        self._later()

    # what a call finds

    def require_inside(self, call: str) -> None:
        """Let a call wait. MQError 2003, 2546, 2548, 2556."""
        if call == "disconnect":
            return
        if not self._done.triggered:
            self.clock.wait(self._done, self._until_us)
        if self._failure is not None:
            raise self.application.refusal(self._failure, None, call)
        lost = self.lost
        if call in ("commit", "backout"):  # the program notices, and begins again
            self.lost, self.application.gate = False, self._inner
        if lost and call in ("begin", "commit"):
            raise self.application.refusal(Grounds(mq.MQRC_BACKED_OUT, "work-lost", {}), None, call)
        self.before.require_inside(call)

    @property
    def _inner(self) -> Gate | None:
        """The gate behind this one, None for none."""
        return None if type(self.before) is Gate else self.before

    def require_still(self, call: str, options: int = 0) -> None:
        """Let a get that waits go on when the connection is made again."""
        self.require_inside(call)

    def end(self, commit: bool = True) -> None:
        """The program disconnects: make the connection no longer."""
        self.before.end(commit)
        if not self._done.triggered:
            self._failure = Grounds(mq.MQRC_CONNECTION_BROKEN, "gave-up", {})
            self._done.succeed()

    # how the connection is lost, and made again

    def _leave(self) -> None:
        """End the connection, and remember what it had open."""
        application, qmgr = self.application, self.home
        application.gate = None
        if self._consumers is not None:
            self._consumers.lose()
        self._opened, self._subscribed = openings(application)
        work, application.work = application.work, None
        did = work is not None and bool(work.puts or work.gets or work.triggers)
        self.lost = self.lost or (did and bool(work.open or work.broken))
        self._empty = None if did else work
        for unit in [each for each in qmgr.units.values() if each.application is application and not each.in_doubt]:
            unit.broken = LinkCut(False)
        application.finish(False)
        qmgr.connections.discard(application)

    def _later(self) -> None:
        """Try after the next delay, at the latest at the end of the time for it."""
        timer = self.clock.timeout(min(next(self._delays) * SECOND, self._until_us - self.clock.time_us))
        self.clock.idle(timer)
        timer.callbacks.append(lambda _: self._try())

    def _try(self) -> None:
        """Go through the places once."""
        if self._done.triggered:
            return
        same, others = self.attempt.reconnects == "QMGR", 0
        own = self.attempt.client
        places = own.places or (("", self.attempt.channel, own),)
        for address, channel, known in places:
            qmgr = located(self.home.lab, address, self.home.name)
            if same and qmgr is not self.home:
                others += 1
                continue
            try:
                client = known or (own if own.port is None else own._replace(port=port_in(address)))
                client = client._replace(places=own.places, on_event=own.on_event)
                self._connect(qmgr, channel, client)
            except MQError as error:
                if error.reason not in _NOT_YET:
                    problem = f"{error.reason} {error.name}: {error.said}"
                    self._give_up(mq.MQRC_RECONNECT_FAILED, "refused", error=problem)
                    return
            else:
                return
        self.application.qmgr = self.home
        if others == len(places):
            self._give_up(mq.MQRC_RECONNECT_QMID_MISMATCH, "another-qmgr", qmgr=self.home.name)
        elif self.clock.time_us >= self._until_us:
            self._give_up(mq.MQRC_RECONNECT_TIMED_OUT, "timed-out", seconds=TIMEOUT)
        else:
            self._later()

    def _connect(self, qmgr: Any, channel: str | None, client: Any) -> None:
        """Ask all gates again, and open again what was open (REC-08). MQError if something is refused."""
        application, old = self.application, self.attempt
        application.qmgr = qmgr
        given = (old.program, channel, old.asserted, old.user, old.password, client, old.options)
        attempt = admit(application, Attempt(qmgr, *given), again=True)
        attempt.reconnects, attempt.breaks, attempt.anywhere = old.reconnects, old.breaks, old.anywhere
        application.admission, application.runs_as = attempt, attempt.runs_as
        application.context = context_of(qmgr.platform, old.program, attempt.runs_as)
        application.client, application.connection = (channel, self.clock.time_us), qmgr.next_connection()
        qmgr.connections.add(application)
        before, application.cause, application.gate = application.cause, self._record("made"), None
        try:
            self._open_again()
        except MQError as error:
            application.finish(False)
            qmgr.connections.discard(application)
            application.gate = self
            raise MQError(mq.MQRC_RECONNECT_FAILED, grounds=error.grounds) from None
        finally:
            application.cause = before
        if self._empty is not None:
            work, self._empty.open, self._empty.broken = self._empty, True, None
            work.qmgr, work.subject, application.work = qmgr, (qmgr.name, None, None), work
            qmgr.units[work.number] = work
        application.gate = self if self.lost else self._inner
        if self._consumers is not None:
            self._consumers.regain(self._again)
        self._done.succeed()
        self._tell(mq.MQRC_RECONNECTED)

    def _open_again(self) -> None:
        """Open the handles again, then make the subscriptions again."""
        for handle, opening in self._opened:
            selecting, opened = handle.selecting, opening()
            if selecting is not None:
                opened.select(selecting)
            become(handle, opened)
        for subscribing in self._subscribed:
            subscribing()

    def _give_up(self, reason: int, case: str, **fields: object) -> None:
        """End the reconnection: every call fails from now on."""
        self._failure = Grounds(reason, case, fields)
        self._record("failed")
        self._tell(reason, mq.MQCC_FAILED)
        self.before.end(False)
        self._done.succeed()

    def _record(self, state: str) -> int:
        application = self.application
        detail = {"state": state}
        seq: int = application.record("reconnect", (application.qmgr.name, None, None), "REC-03", detail=detail)
        return seq

    def _tell(self, reason: int, comp: int = mq.MQCC_WARNING) -> None:
        """Call the event handler, and the function that the connect named (REC-02)."""
        if self._consumers is not None:
            self._consumers.tell(reason, comp)
        if self.attempt.client.on_event is not None:
            interruptible(self.attempt.client.on_event, reason)
