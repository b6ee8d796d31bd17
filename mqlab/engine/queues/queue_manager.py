"""The queue manager as it runs: its objects, queues, and units of work, and how it starts, ends, and fails.

The queue manager of a lab (`mqlab.engine.queue_manager`) is this one with MQ's programs, commands, and explanations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from struct import Struct
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..extra import extras
from ..words import catalog
from ..words.arguments import at_least, checked, require
from ..words.constants import CURRENT_LEVEL, MQAT_QMGR, MQRC_CONNECTION_BROKEN, MQRC_Q_MGR_STOPPING, PLATFORMS
from ..words.errors import LabError
from ..words.objects import Definition, ObjectTable, legal_name
from ..words.refusals import Grounds
from ..words.whys import PortTaken, QmgrEnded
from . import administration, properties, triggering
from .application import Application, context_of
from .caller import Guard
from .calls import Calls
from .expiry import Scanner
from .handle import OpenHandles
from .message import Context, QueuedMessage
from .queue import LocalQueue
from .reports import COA, send_report
from .target import Target
from .targets import Targets
from .unit import UnitOfWork

if TYPE_CHECKING:
    from .target import Lab


def port_of(definition: Definition) -> int | None:
    """The port of a listener for TCP; None for anything else."""
    return (definition.attributes["PORT"] or 1414) if definition.attributes.get("TRPTYPE") == "TCP" else None


def _same_port(definition: Definition, other: Definition) -> bool:
    """Whether two listeners use the same port, on all addresses or on the same one."""
    if port_of(definition) is None or port_of(definition) != port_of(other):
        return False
    addresses = definition.attributes["IPADDR"], other.attributes["IPADDR"]
    return "" in addresses or addresses[0] == addresses[1]


class QueueManager(Calls):
    """One queue manager. Its own put, get, browse and open are calls of an application without a name.

    `environment` holds the environment variables it was started with; `expiry_interval` is the seconds between its
    background scans (None: as platform and level have it; 0: never; a number: so many, whatever the level; on z/OS
    EXPRYINT decides); `expiry_granularity` is the tenths of a second that deadlines are rounded up to (EXP-06). `users`
    are the users of its operating system, each with a password, and `groups` its groups, each with its users.
    """

    def __init__(
        self,
        lab: Lab,
        name: str,
        platform: str = "distributed",
        level: int = CURRENT_LEVEL,
        *,
        environment: dict | None = None,
        users: dict | None = None,
        groups: dict | None = None,
        expiry_interval: int | None = None,
        expiry_granularity: int = 1,
    ):
        _require_settings(name, platform, level, expiry_interval, expiry_granularity)
        require("environment", environment, dict | None, 'a dict, such as {"AMQ_NAME": "1"}')
        parts = [part for user in users.items() for part in user] if isinstance(users, dict) else [None]
        texts = all(isinstance(part, str) and part for part in parts)
        if not (users is None or texts):
            raise LabError(f'users must be names with their passwords, such as {{"app": "password"}}; got {users!r}')
        self.users: dict[str, str] = dict(users or {})
        require("groups", groups, dict | None, 'a dict of names and their users, such as {"mqm": ["ann"]}')
        self.groups = {group: list(members) for group, members in (groups or {}).items()}
        self.administrators = {"mqm", *self.groups.get("mqm", ())}  # privileged users
        self.environment, self.expiry_granularity = dict(environment or {}), expiry_granularity
        self.lab, self.clock, self.name, self.platform, self.level = lab, lab.clock, name, platform, level
        self.next_dynamic, self.next_connection = count(1).__next__, count(1).__next__
        self.qmgr, self.caller, self.cause, self.running = self, None, None, True
        self.context = context_of(platform, "")
        self.own_context = Context(put_appl_type=MQAT_QMGR, put_appl_name=name[:28])
        self.attributes: dict[str, Any] = {}
        self.objects = ObjectTable()
        self.targets = Targets(self)
        self.other_aliases: dict[str, Any] = {}  # aliases whose base is no queue, by name
        self.routes: dict[str, Target] = {}  # what names of queues elsewhere led to, until a definition changes
        self.channels: dict[tuple[str, str], Any] = {}  # channels that have run or been operated, by (name, partner)
        self.channel_initiator: Any = None
        self.units: dict[int, UnitOfWork] = {}
        self.handles = OpenHandles()
        self.properties = properties.known()
        self.kept: dict[str, Any] = {}  # what extras keep of it, by the name of the extra
        self.connections: WeakSet[Application] = WeakSet()  # who is connected, as long as someone holds it
        self.programs: dict[str, Any] = {}  # APPLICID of a PROCESS to the function it starts
        self.programs_running: list = []
        self.pending: list[UnitOfWork] = []  # units of work that its failure left, for its restart
        self.scanner = Scanner(self, expiry_interval)
        self.started: dict[Definition, int] = {}  # listeners and services that run -> since when
        self.initiation_queues: set[str] = set()  # the names that queues set up for triggering give as INITQ
        # a MsgId of its own making: platform, queue manager's name, and the number of the message
        prefix = (b"CSQ " if platform == "zos" else b"AMQ ") + name.encode()[:12].ljust(12)
        self.new_id = partial(Struct(">16sQ").pack, prefix)
        administration.install(self)
        self._start_services()
        born = {"platform": platform, "level": level, "system": [queue.name for queue in self.queues]}
        self.start_seq = self._record("start", detail=born)
        for extra in extras():
            extra.started(self, again=False)

    guard: Guard | None = None
    """What asks for authority at the doors of an open; None while nothing does."""
    application_type: type[Application] = Application
    """The class of the applications that connect to it."""

    @checked
    def define(
        self, kind: str, name: str, attributes: dict, *, like: str | None = None, replace: bool = False
    ) -> Definition:
        """DEFINE an object from checked `attributes`, or with `replace` give one that exists new ones. MQError 2043,
        2085, 2100, 2152."""
        return administration.define(self, kind, name, attributes, like=like, replace=replace)

    @checked
    def alter(self, kind: str, name: str, attributes: dict, *, force: bool = False) -> None:
        """ALTER an object, or the queue manager itself (kind "QMGR"). MQError 2042, 2043, 2085.

        A change that would disturb open handles (USAGE, NOSHARE, an alias's TARGET) fails with 2042 unless `force` is
        given; calls with those handles then fail with 2041.
        """
        administration.alter(self, kind, name, attributes, force=force)

    @checked
    def delete(self, kind: str, name: str, *, purge: bool = False) -> None:
        """DELETE an object. For a local queue, MQError 2042 if it is open, 2055 if it is not empty (unless `purge`)."""
        administration.delete(self, kind, name, purge=purge)

    @checked
    def clear(self, name: str) -> int:
        """CLEAR QLOCAL: delete all messages; their number. MQError 2042 if open, 2055 with uncommitted work."""
        return administration.clear(self, name)

    @property
    def queues(self) -> list[LocalQueue]:
        """Its local queues, in the order of their definition."""
        return [target for target in self.targets.values() if isinstance(target, LocalQueue)]

    def close_all(self, application: Calls | None = None) -> None:
        """Close the open handles of an application, or all, as the end of a connection does."""
        for extra in extras():
            extra.disconnected(self, application)
        for handle in [each for each in self.handles if application in (None, each.application)]:
            handle.close()

    def log_of(self, queue: LocalQueue) -> Callable[..., int]:
        """The function that writes the rows of a queue's messages: that of the log, unless an extra has its own."""
        return next((log for extra in extras() if (log := extra.log_of(queue)) is not None), self.lab.events.append)

    def all_attributes(self) -> dict[str, Any]:
        """All attributes of the queue manager, also the attributes that follow from platform and level."""
        from .inquire import qmgr_attributes

        return qmgr_attributes(self)

    def start(self) -> None:
        """Start it again (strmqm); LabError if it is running.

        Units of work that a failure left are backed out, messages that do not survive are lost, and triggers start
        again (TRG-11a).
        """
        self.clock.passing.require_here()
        if self.running:
            raise LabError(f"{self.name} must be stopped; it is running already")
        self.running = True
        self._start_services()
        own = f"CERTLABL({catalog.certificate_label(self.name, self.platform)})"  # as every new one has
        kept = [word for word in catalog.unacted("QMGR", self.attributes, self.platform) if word != own]
        cause = self.start_seq = self._record("start", detail={"kept_only": kept} if kept else None)
        pending, self.pending = self.pending, []
        for unit in pending:
            unit.open = True
            self.units[unit.number] = unit
            unit.backout()
        self._lose_nonpersistent(cause)
        for queue in self.queues:
            triggering.attach(queue)
            if queue.trigger is not None:
                queue.trigger.last_us = None
        for extra in extras():
            extra.restarting(self)
        if self.platform == "zos":
            self._forget_backouts()
            # expiry processing at restart does not ask for EXPRYINT
            self.scanner.scan_expired("EXP-33")
        self.scanner.restart()
        for queue in self.queues:
            queue.log = self.lab.events.append
            queue.log = self.log_of(queue)
        for extra in extras():
            extra.started(self, again=True)
        self.start_channels()

    def stop(self) -> None:
        """End the queue manager (endmqm): units are backed out, handles closed, nonpersistent messages lost (MQI-16).

        NPMCLASS(HIGH) queues, and those that keep messages elsewhere, keep theirs.
        """
        self.clock.passing.require_able()
        self.require_running("stop")
        cause = self._record("stop")
        for extra in extras():
            extra.ending(self, cause)
        for unit in list(self.units.values()):
            if unit.in_doubt:
                unit.outlived = True
            else:
                unit.broken = QmgrEnded(self.name, False)
                unit.backout()
        self._disconnect_all(MQRC_Q_MGR_STOPPING)
        self._lose_nonpersistent(cause)
        self._gone(cause)

    def fail(self) -> None:
        """End the queue manager abnormally (an abend), where `stop` ends it in order.

        Its work is backed out, and its nonpersistent messages are lost, when it starts again.
        """
        self.clock.passing.require_able()
        self.require_running("fail")
        rule = next((extra.failure_rule for extra in extras() if extra.failure_rule), "MQI-16")
        cause = self._record("stop", rule, {"abend": True})
        in_doubt, self.pending = {}, []
        for number, unit in self.units.items():
            if unit.in_doubt:
                in_doubt[number], unit.outlived = unit, True
            else:
                unit.open, unit.broken = False, QmgrEnded(self.name, True)
                self.pending.append(unit)
        self.units = in_doubt
        self._disconnect_all(MQRC_CONNECTION_BROKEN)
        self._gone(cause)

    def _disconnect_all(self, reason: int) -> None:
        """End its programs, sessions, handles, and connections."""
        # no close of a handle triggers: no server has closed its queue
        for queue in self.queues:
            queue.trigger = None
        callers = sorted({self, *self.connections}, key=lambda caller: caller.connection)
        grounds = Grounds(reason, "qmgr-ended", {"qmgr": self.name})
        for application in callers:
            gate = None if application.admission is None else application.admission.broken(application, grounds)
            if gate is not None:
                application.gate = gate
            elif application.gate is not None:
                application.gate.tell(reason)
                application.gate.end()
        for program in list(self.programs_running):
            program.stop()
        self.lab.network.disconnect(self.name)
        self.close_all()
        self.connections.clear()

    @property
    def listens(self) -> bool:
        """Whether a listener for TCP runs; platforms and levels without objects for listeners always have one."""
        known = self.platform == "distributed" and self.objects.match(("LISTENER",))
        return not known or any(port_of(each) for each in self.started)

    def _start_services(self) -> None:
        """Start the listeners and services whose CONTROL starts them with the queue manager: MQ's own last."""
        self.started = {}
        beside = self.objects.match(("LISTENER", "SERVICE"))
        for near in sorted(beside, key=lambda near: near.name.startswith("SYSTEM.")):
            if near.attributes["CONTROL"] != "MANUAL":
                self.start_service(near)

    def start_service(self, definition: Definition) -> PortTaken | None:
        """Start a listener or service; return the reason why it does not run, None if it runs.

        A listener whose port another listener has ends at once, and the message of its program says so (AMQ9218).
        """
        taken = next((each for each in self.started if each is not definition and _same_port(each, definition)), None)
        if taken is None:
            self.started.setdefault(definition, self.clock.time_us)
            return None
        why = PortTaken(taken.name, port_of(definition))
        subject = self.name, definition.name, definition.kind
        self.record("fault", subject, None, detail={"port": port_of(definition), "why": why.facts})
        return why

    def _lose_nonpersistent(self, cause: int) -> None:
        """Lose the nonpersistent messages of the queues that do not keep them (MQI-16)."""
        for queue in self.queues:
            if not queue.keeps_nonpersistent:
                for message in [m for m in queue.store.in_order() if not m.persistent]:
                    queue.vanish(message, "lost", "MQI-16", cause)

    def _gone(self, cause: int) -> None:
        """The queue manager no longer runs: wake its waiting programs, and notify the extras."""
        self.running = False
        for queue in self.queues:
            queue.wake()
        for extra in extras():
            extra.ended(self, cause)

    def _forget_backouts(self) -> None:
        """Start the BackoutCount of private queues with NOHARDENBO from 0, as a restart on z/OS does (MQI-32)."""
        for queue in self.queues:
            counted = [m for m in queue.store.in_order() if m.backout_count]
            if counted and not queue.definition.attributes["HARDENBO"]:
                for message in counted:
                    message.backout_count = 0
                self.record("forget", queue.subject, "MQI-32", depth=queue.depth)

    def _record(self, kind: str, rule: str = "MQI-16", detail: dict | None = None) -> int:
        """Write an event of the queue manager itself; its row."""
        return self.record(kind, (self.name, None, None), rule, detail=detail)

    def opened(self, name: str) -> Target | None:
        """The target that handles on this queue name have open, or None if the name does not resolve."""
        return self.targets.get(name) or self.other_aliases.get(name)

    def reporter(self, cause: int | None) -> Application:
        """The queue manager itself as the sender of a message caused by event row `cause`."""
        return Application(self, self.name, cause, context=self.own_context)

    def confirm_arrival(self, queue: LocalQueue, message: QueuedMessage, unit: UnitOfWork | None) -> None:
        """Send a confirm-on-arrival report if asked for; within a unit of work it comes with the commit (MQI-21)."""
        send_report(COA, queue, message, message.seq, "MQI-21", unit)

    def run_program(self, name: str, function: Callable[..., object], *args: object) -> Any:
        """Start a program of this queue manager; the queue manager of a lab does."""
        raise NotImplementedError

    def start_channels(self) -> None:
        """Start what starts channels, at the start and when a channel is defined; the queue manager of a lab does."""


def _require_settings(
    name: str, platform: object, level: object, expiry_interval: object, expiry_granularity: object
) -> None:
    """LabError for a setting that no queue manager can have."""
    if not legal_name(name):
        raise LabError(f"queue manager name must be 1 to 48 of A-Z a-z 0-9 . _ / %; got {name!r}")
    require("platform", platform, str, f"one of {', '.join(PLATFORMS)}", PLATFORMS.__contains__)
    require("level", level, int, f"a command level such as 530 or {CURRENT_LEVEL}", at_least(1))
    for value, what, low in ((expiry_interval, "expiry_interval", 0), (expiry_granularity, "expiry_granularity", 1)):
        require(what, value, int | None, f"a whole number, {low} or more", at_least(low))
