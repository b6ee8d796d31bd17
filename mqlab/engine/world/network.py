"""The network of a lab: links between queue managers, and sessions over them whose flows take time and can be lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..words.arguments import require
from ..words.errors import LabError
from ..words.shown import shown
from .clock import microseconds

if TYPE_CHECKING:
    import simpy

    from .clock import Clock
    from .events import EventLog


class Broken(Exception):
    """The session has ended: the link was cut, or the other end closed it."""


_GONE = object()  # the flow that signals to an end that the other end has closed


class End:
    """One end of a session: what it sends arrives at the other end in order, after the link's latency.

    `send` and `receive` raise Broken once the session has ended. `on_lost` is called with each flow that this end sent
    and the other end never took, `on_broken` when a session that waits for nothing ends. While a link is silent, no end
    knows: what is sent is held back, and an end gives up `patience_us` after the silence began (None: never).
    """

    def __init__(self, path: Link, clock: Clock, home: str):
        self.path, self.home, self.other = path, home, self
        self.broken = self._closed = self.timed_out = False
        self.on_lost: Callable[[Any], object] = lambda flow: None
        self.on_broken: Callable[[], object] = lambda: None
        self._clock = clock
        self._inbox: deque[Any] = deque()
        self._arrival: simpy.Event | None = None
        self._flying: list[tuple[int, list[Any]]] = []  # what the other end has sent, and when it arrives (us)
        self.silent, self.patience_us = False, None  # type: bool, int | None
        self._held: list[Any] = []  # what this end has sent in a silence

    def send(self, flow: object) -> None:
        """Send one flow; it arrives after the link's latency, behind what was sent before."""
        if self.broken or self._closed:
            raise Broken
        if self.silent:
            self._held.append(flow)
            return
        flying, latency_us = self.other._flying, self.path.latency_us
        due = self._clock.time_us + latency_us
        if flying and flying[-1][0] >= due:
            flying[-1][1].append(flow)
            return
        flying.append((due, [flow]))
        self._clock.timeout(latency_us).callbacks.append(self.other._arrived)

    def receive(self) -> Any:
        """The next flow, waiting for it as long as the session lasts."""
        while not self._inbox:
            if self.broken or self._closed:
                raise Broken
            self._arrival = self._clock.event()
            self._clock.wait(self._arrival, None)
            self._arrival = None
        return self._inbox.popleft()

    def close(self) -> None:
        """End the session: what was sent still arrives, then the other end finds it broken."""
        if self._closed:
            return
        if not self.broken and not self.silent:
            self.send(_GONE)
        self._closed = True
        self._lose(self._inbox)
        self._forget_held()
        if self.broken or self.other._closed:
            self.path.forget(self)

    def fail(self) -> None:
        """Learn that the session has ended; flows not yet received are lost."""
        flying = [flow for _, flows in self._flying for flow in flows]
        self._flying = []
        self.broken, self.silent = True, False
        self._lose([*self._inbox, *flying])
        self._forget_held()
        self._wake()
        self.on_broken()

    def fall_silent(self) -> None:
        """Hear nothing any more, and notice nothing before `patience_us` have passed."""
        self.silent = True
        self.other._held = [flow for _, flows in self._flying for flow in flows] + self.other._held
        self._flying = []
        if self.patience_us is not None:
            timer = self._clock.timeout(self.patience_us)
            self._clock.idle(timer)
            timer.callbacks.append(lambda _: self._give_up())

    def _give_up(self) -> None:
        if self.silent and not self._closed:
            self.timed_out = True
            self.fail()

    def resume(self) -> None:
        """Be heard again, if both ends still hold the session: what was held back is sent."""
        if self._closed or self.other._closed or self.broken or self.other.broken:
            return
        for end in (self, self.other):
            end.silent = False
        for end in (self, self.other):
            held, end._held = end._held, []
            for flow in held:
                end.send(flow)

    def _forget_held(self) -> None:
        held, self._held = self._held, []
        for flow in held:
            if flow is not _GONE:
                self.on_lost(flow)

    def _arrived(self, _event: simpy.Event) -> None:
        if not self._flying:
            return
        flows = self._flying.pop(0)[1]
        if self._closed:
            self._lose(flows)
            return
        if flows[-1] is _GONE:
            self.broken = True
            flows.pop()
        self._inbox.extend(flows)
        self._wake()
        if self.broken:
            self.on_broken()

    def _lose(self, flows: Iterable[Any]) -> None:
        lost = [flow for flow in flows if flow is not _GONE]
        self._inbox = deque()
        for flow in lost:
            self.other.on_lost(flow)

    def _wake(self) -> None:
        if self._arrival is not None and not self._arrival.triggered:
            self._arrival.succeed()


@shown
class Link:
    """The link between two queue managers: `up`, `latency_us`, and whether lifetimes count the flight (EXP-04)."""

    def __init__(self, names: tuple[str, str], latency_us: int, counts_flight: bool):
        self.names, self.latency_us, self.counts_flight, self.up = names, latency_us, counts_flight, True
        self._sessions: list[End] = []

    def connect(self, clock: Clock, home: str, away: str) -> End:
        """Begin a session from `home`; the End there. Broken if the link is cut."""
        if not self.up:
            raise Broken
        near, far = End(self, clock, home), End(self, clock, away)
        near.other, far.other = far, near
        self._sessions.append(near)
        return near

    def forget(self, end: End) -> None:
        """Forget the session that `end` belongs to."""
        self._sessions = [near for near in self._sessions if end not in (near, near.other)]

    def break_off(self, name: str | None = None) -> None:
        """Break every session (of the queue manager `name`) at both ends, and lose its flows in transit; an end of a
        silent session does not learn that the other has ended."""
        broken = [near for near in self._sessions if name is None or name in (near.home, near.other.home)]
        for near in broken:
            if not near.silent:
                self.forget(near)
            for end in (near, near.other):
                if not end.silent or end.home == name:
                    end.fail()

    def fall_silent(self) -> None:
        """Let no flow of any session pass, and tell neither end."""
        for near in self._sessions:
            near.fall_silent()
            near.other.fall_silent()

    def resume(self) -> None:
        """Let the sessions go on that both ends still hold."""
        for near in list(self._sessions):
            if near.silent:
                near.resume()


class Network:
    """The links of a lab, each between two queue managers."""

    def __init__(self, clock: Clock, events: EventLog):
        self._clock, self._events = clock, events
        self._paths: dict[tuple[str, str], Link] = {}
        self.addresses: dict[str, str] = {}  # connection name to queue manager
        self.cut_clients: set[tuple[str, str]] = set()  # programs and queue managers between which the link is cut

    @property
    def paths(self) -> list[Link]:
        """Every link, in the order in which they were created."""
        return list(self._paths.values())

    def link(self, qmgr: str, other: str, latency: float = 0.0, counts_flight: bool = False) -> Link:
        """Create a link, or give the existing one another latency (seconds) and count (EXP-04)."""
        self._clock.passing.require_here()
        key = self._key(qmgr, other)
        if qmgr == other:
            raise LabError(f"a link joins two queue managers; got {qmgr} twice")
        require("counts_flight", counts_flight, bool)
        latency_us = microseconds(latency, "latency")
        path = self._paths.get(key)
        if path is None:
            path = self._paths[key] = Link(key, latency_us, counts_flight)
        path.latency_us, path.counts_flight = latency_us, counts_flight
        detail = {"link": f"{qmgr} - {other}", "latency_us": latency_us, "counts_flight": counts_flight}
        self._log(path, detail)
        return path

    def path(self, qmgr: str, other: str) -> Link | None:
        """The link between two queue managers, None if there is none."""
        return self._paths.get(self._key(qmgr, other))

    def cut(self, qmgr: str, other: str, silent: bool = False) -> None:
        """Cut a link: its sessions end, and flows in flight are lost; if it is `silent`, no end is told. LabError if
        there is none or it is cut."""
        self._clock.passing.require_able()
        require("silent", silent, bool)
        path = self._require(qmgr, other)
        if not path.up:
            raise LabError(f"the link must be up; {qmgr} - {other} is cut already")
        path.up = False
        self._log(path, {"link": f"{qmgr} - {other}", "up": False, **({"silent": True} if silent else {})})
        path.fall_silent() if silent else path.break_off()

    def restore(self, qmgr: str, other: str) -> None:
        """Restore a link that was cut; channels find it when they next try. LabError if there is none or it is up."""
        self._clock.passing.require_here()
        path = self._require(qmgr, other)
        if path.up:
            raise LabError(f"the link must be cut; {qmgr} - {other} is up")
        path.up = True
        self._log(path, {"link": f"{qmgr} - {other}", "up": True})
        path.resume()

    def log_client(self, qmgr: str, program: str, up: bool, **more: bool) -> int:
        """Note that the link of a client program is cut or restored; the row."""
        self._clock.passing.require_here()
        (self.cut_clients.discard if up else self.cut_clients.add)((program, qmgr))
        place = (qmgr, f"{program} - {qmgr}", "CLIENT")
        return self._events.write(self._clock.time_us, "fault", place, rule="NET-02", detail={"up": up, **more})

    def disconnect(self, name: str) -> None:
        """End every session of a queue manager that ends."""
        for path in self.paths:
            path.break_off(name)

    def _key(self, qmgr: str, other: str) -> tuple[str, str]:
        if not (isinstance(qmgr, str) and isinstance(other, str)):
            raise LabError(f"a link needs the names of two queue managers; got {qmgr!r} and {other!r}")
        return (qmgr, other) if qmgr <= other else (other, qmgr)

    def _require(self, qmgr: str, other: str) -> Link:
        path = self.path(qmgr, other)
        if path is None:
            there = ", ".join(" - ".join(path.names) for path in self.paths) or "none"
            raise LabError(
                f"the link must be one of: {there}; got {qmgr} - {other}. lab.link({qmgr!r}, {other!r}) creates it"
            )
        return path

    def _log(self, path: Link, detail: dict) -> None:
        place = (path.names[0], " - ".join(path.names), "LINK")
        self._events.write(self._clock.time_us, "fault", place, rule="NET-01", detail=detail)
