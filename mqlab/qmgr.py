"""The queue manager: objects, running queues, units of work, and the calls it answers."""

from __future__ import annotations

from . import administration
from .constants import CURRENT_LEVEL, PLATFORMS
from .errors import LabError
from .message import QueuedMessage
from .mqi import Application, Calls
from .objects import Definition, ObjectTable, legal_name
from .queue import Alias, LocalQueue
from .unit import UnitOfWork

__all__ = ["QueueManager"]


class QueueManager(Calls):
    """One queue manager of a lab. Its own put, get, browse and open are calls of an application without a name."""

    def __init__(self, lab, name: str, platform: str = "distributed", level: int = CURRENT_LEVEL):
        if not legal_name(name):
            raise LabError(f"queue manager name wanted: 1 to 48 of A-Z a-z 0-9 . _ / %; got {name!r}")
        if platform not in PLATFORMS:
            raise LabError(f"platform wanted: one of {', '.join(PLATFORMS)}; got {platform!r}")
        if type(level) is not int or level < 1:
            raise LabError(f"level wanted: a command level such as 530 or {CURRENT_LEVEL}; got {level!r}")
        self.lab, self.clock, self.name, self.platform, self.level = lab, lab.clock, name, platform, level
        self.qmgr, self.program, self.cause, self.running = self, None, None, True
        self.attributes: dict = {}
        self.objects = ObjectTable()
        self.targets: dict[str, LocalQueue | Alias] = {}
        self.units: dict[int, UnitOfWork] = {}
        self.handles: list = []
        self.id_prefix = (b"CSQ " if platform == "zos" else b"AMQ ") + name.encode()[:12].ljust(12)
        administration.install(self)
        lab.events.write(
            self.clock.time_us,
            "start",
            (name, None, None),
            rule="MQI-16",
            detail={"platform": platform, "level": level},
        )

    def connect(self, program: str) -> Application:
        """An application by name (MQCONN): the same calls, with `program` as the caller in the event log."""
        if not isinstance(program, str) or not 1 <= len(program) <= 28:
            raise LabError(f"program wanted: a name of 1 to 28 characters; got {program!r}")
        return Application(self, program)

    def mqsc(self, text: str):
        """Run MQSC commands; a Reply: `str` of it is runmqsc-shaped, `.ok`, `.replies` one per command."""
        from .mqsc import run

        return run(self, text)

    def define(
        self, kind: str, name: str, attributes: dict, *, like: str | None = None, replace: bool = False
    ) -> Definition:
        """DEFINE an object of `kind` from checked `attributes`. MQError 2043, 2085, 2100, 2152."""
        return administration.define(self, kind, name, attributes, like, replace)

    def alter(self, kind: str, name: str, attributes: dict, *, force: bool = False) -> None:
        """ALTER an object, or the queue manager itself (kind "QMGR"). MQError 2043, 2085."""
        administration.alter(self, kind, name, attributes)

    def delete(self, kind: str, name: str, *, purge: bool = False) -> None:
        """DELETE an object; `purge` also removes a local queue's messages. MQError 2042, 2043, 2055, 2085."""
        administration.delete(self, kind, name, purge)

    def clear(self, name: str) -> int:
        """CLEAR a local queue; how many messages went. MQError 2042, 2055, 2085."""
        return administration.clear(self, name)

    def status(self, name: str) -> dict:
        """CURDEPTH, IPPROCS, OPPROCS and UNCOM (uncommitted puts and gets) of a local queue now. MQError 2085."""
        queue = self.resolve(name, "inquire").queue
        gets = sum(q is queue for unit in self.units.values() for q, _ in unit.gets)
        return {
            "CURDEPTH": queue.depth,
            "IPPROCS": queue.inputs,
            "OPPROCS": queue.outputs,
            "UNCOM": queue.uncommitted + gets,
        }

    @property
    def queues(self) -> list[LocalQueue]:
        """Its local queues, in the order of their definition."""
        return [target for target in self.targets.values() if isinstance(target, LocalQueue)]

    def stop(self) -> None:
        """End the queue manager (endmqm): units back out, handles are gone, non-persistent messages are lost (MQI-16).

        NPMCLASS(HIGH) queues keep theirs.
        """
        self._require_running()
        cause = self.lab.events.write(self.clock.time_us, "stop", (self.name, None, None), rule="MQI-16")
        for unit in list(self.units.values()):
            unit.backout()
        for handle in list(self.handles):
            handle.close()
        for queue in self.queues:
            if queue.definition.attributes["NPMCLASS"] != "HIGH":
                for message in [m for m in queue.store.in_order() if not m.persistent]:
                    self.vanish(queue, message, "lost", "MQI-16", cause)
        self.running = False
        for queue in self.queues:
            queue.wake()

    def start(self) -> None:
        """Start it again (strmqm); LabError if it is running."""
        if self.running:
            raise LabError(f"{self.name} wanted: stopped; it is running already")
        self.running = True
        self.lab.events.write(self.clock.time_us, "start", (self.name, None, None), rule="MQI-16")

    def vanish(self, queue: LocalQueue, message: QueuedMessage, kind: str, rule: str, cause: int) -> None:
        """Remove a message that nobody gets, with an event of this kind."""
        queue.store.remove(message)
        queue.depth -= 1
        message.seq = -1
        queue.record(kind, message, None, None, rule, cause)

    def reporter(self, cause: int) -> Application:
        """The queue manager itself as the sender of a report caused by event row `cause`."""
        return Application(self, self.name, cause)

    def __repr__(self):
        state = "running" if self.running else "stopped"
        return f"QueueManager({self.name!r}, {self.platform} {self.level}, {state}, {len(self.queues)} local queues)"
